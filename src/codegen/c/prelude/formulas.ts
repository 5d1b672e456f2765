/**
 * Prelude pieces for scalar ops without a C function: their formulas (math/), written as C. Where a formula has a shortcut
 * for AVX-512, the text has both versions.
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

/** The compiler decides whether to inline functions with more nodes. */
const longest = 60

/** The target that formulas for C are written for. `scale`: with AVX-512's instructions for powers of two. */
export const cMachine = (scale: boolean): Machine => ({
  // Every op has a function, so a formula calls the functions of other ops.
  isNative: () => true,
  map: (b, fn, inputs) => b.node('map', inputs, { fn }),
  cast: (b, to, x) => b.node('cast', [x], { to }),
  hints: { approximate: 'never', scale, f64: true },
})

const paramNames = ['a', 'b', 'c'] as const

/** (x) → fn(x) or (a, b) → fn(a, b), in native ops. */
function formulaProgram(fn: ScalarOpName, dtype: Dtype, width: number, scale: boolean): LaneProgram {
  const b = new Builder<LaneNode>(laneDialect)
  const { arity } = scalarOp(fn)
  const names = arity === 1 ? ['x'] : paramNames.slice(0, arity)
  const params = names.map(name => b.node('param', [], { type: value(dtype, width), name }))
  const body = b.block(params, () => [formulaOf(cMachine(scale), b, fn, params)])
  return { name: fn, args: [], body, comment: [] }
}

/** Register sizes that have the instructions which the hint `scale` promises. */
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

/** The piece of a scalar op from its formula; undefined when it has none. */
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
