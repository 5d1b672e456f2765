/**
 * The pieces for scalar ops that C has no function of: their formulas (math/), written as C. A formula may take a shorter
 * way on machines with AVX-512: where it does, the text has both.
 */
import { Builder } from '../../../ir/builder.js'
import { nodesOf } from '../../../ir/walk.js'
import { type LaneBlock, type LaneNode, type LaneProgram, laneDialect, value } from '../../../lane/ir.js'
import type { Machine } from '../../../math/formula.js'
import { docs, formulaOf, hasFormula } from '../../../math/functions.js'
import { type ScalarOpName, scalarOp, scalarOps } from '../../../scalar/ops.js'
import { type Dtype, isCodeDtype } from '../../../types/dtype.js'
import { functionBody } from '../kernel.js'
import { registerElem } from './names.js'
import { type Elem, elemBytes, type Family, type Instance, lanes } from './piece.js'

/** Functions with more nodes are left to the compiler to inline or not. */
const longest = 60

/** What formulas may count on in C: with `scale`, where AVX-512 has instructions for it. */
export const cMachine = (scale: boolean): Machine => ({
  // Every op has a function: a formula calls those of the others.
  isNative: () => true,
  map: (b, fn, inputs) => b.node('map', inputs, { fn }),
  cast: (b, to, x) => b.node('cast', [x], { to }),
  hints: { approximate: 'never', scale, f64: true },
})

const paramNames = ['a', 'b', 'c'] as const

/** (x) → fn(x) or (a, b) → fn(a, b), in ops that the prelude has. */
function formulaProgram(fn: ScalarOpName, dtype: Dtype, width: number, scale: boolean): LaneProgram {
  const b = new Builder<LaneNode>(laneDialect)
  const { arity } = scalarOp(fn)
  const names = arity === 1 ? ['x'] : paramNames.slice(0, arity)
  const params = names.map(name => b.node('param', [], { type: value(dtype, width), name }))
  const body = b.block(params, () => [formulaOf(cMachine(scale), b, fn, params)])
  return { name: fn, args: [], body, comment: [] }
}

/** Registers of these sizes have the instructions that the hint `scale` promises. */
const mayScale = ({ elem, width }: Instance): boolean => [16, 32, 64].includes(elemBytes[elem] * width)

function bodyText(fn: ScalarOpName, dtype: Dtype, at: Instance): string {
  const write = (scale: boolean): string => functionBody(formulaProgram(fn, dtype, at.width, scale), at.vectorBytes)
  const plain = write(false)
  if (!mayScale(at)) return plain
  const scaled = write(true)
  return scaled === plain ? plain : `#if GCC_SCALE\n${scaled}\n#else\n${plain}\n#endif`
}

function widest(body: LaneBlock): number {
  let bytes = 0
  for (const { type } of nodesOf<LaneNode>(body))
    if (type.kind === 'value' && isCodeDtype(type.dtype)) bytes = Math.max(bytes, elemBytes[registerElem(type.dtype)])
  return bytes
}

const isScalarOp = (op: string): op is ScalarOpName => op in scalarOps

/** The piece of a scalar op by its formula, if it has one. */
export function formulaFamily(op: string, elem: Elem): Family | undefined {
  if (!isScalarOp(op) || !isCodeDtype(elem) || !hasFormula(op, elem)) return undefined
  const dtype: Dtype = elem
  return {
    doc: docs[op] ?? op,
    elems: [elem],
    write(name, at) {
      const { body } = formulaProgram(op, dtype, at.width, false)
      const params = body.params.map(param => `$T ${param.op === 'param' ? param.attrs.name : ''}`)
      const result = scalarOp(op).result === 'bool' ? '$b32' : '$T'
      const long = [...nodesOf<LaneNode>(body)].length > longest
      const spec = { doc: '', elems: [elem], params, result, widest: widest(body), long }
      return lanes({ ...spec, body: () => bodyText(op, dtype, at) }).write(name, at)
    },
  }
}
