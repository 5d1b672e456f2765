/** Runs the formulas of scalar functions in the lane simulator, as each target has them, and measures their errors. */

import { cMachine } from '../../src/codegen/c/prelude/formulas.js'
import { prepare } from '../../src/codegen/ptx/prepare.js'
import { type Rule, rewrite } from '../../src/ir/rewrite.js'
import { type LaneNode, type LaneProgram, laneDialect, valueType } from '../../src/lane/ir.js'
import { simulate } from '../../src/lane/simulate.js'
import { expander, hasFormula } from '../../src/math/functions.js'
import { type ScalarOpName, scalarOp } from '../../src/scalar/ops.js'
import type { Dtype } from '../../src/types/dtype.js'
import { fromBf16, fromF16 } from '../../src/types/float16.js'
import { laneProgram, pointer } from '../lane/build.js'

export type FloatDtype = 'f32' | 'f64'
type Floats = Float32Array | Float64Array

export const lanes = 16

export type Target = 'ptx' | 'c' | 'c with AVX-512'

/** out = fn(x, …) on vectors of 16, in ops that the target has. */
export function expanded(fn: ScalarOpName, dtype: FloatDtype, target: Target = 'ptx'): LaneProgram {
  // In C a formula calls the functions of others: here they are expanded too.
  const isNative = (op: ScalarOpName, of: Dtype): boolean => !hasFormula(op, of)
  const expand = expander({ ...cMachine(target === 'c with AVX-512'), isNative })
  const names = ['a', 'b', 'c'].slice(0, scalarOp(fn).arity)
  const types = Object.fromEntries([...names, 'out'].map(name => [name, pointer(dtype)]))
  const program = laneProgram(`${fn}_${dtype}`, types, (b, args) => {
    const at = b.map('mul', b.programId(), b.index(lanes))
    const operands = names.map(name => b.load(args[name]!, at, lanes))
    b.store(args.out!, at, target === 'ptx' ? b.map(fn, ...operands) : expand(b.builder, fn, operands))
  })
  return target === 'ptx' ? prepare(program) : program
}

/** fn(x) of f32 for PTX, stored as 16-bit floats, so that shorter formulas may be used. */
export function narrowResults(fn: ScalarOpName, dtype: 'f16' | 'bf16', x: readonly number[]): number[] {
  const program = laneProgram(`${fn}_${dtype}`, { a: pointer('f32'), out: pointer(dtype) }, (b, args) => {
    const at = b.map('mul', b.programId(), b.index(lanes))
    b.store(args.out, at, b.cast(dtype, b.map(fn, b.load(args.a, at, lanes))))
  })
  const count = Math.ceil(x.length / lanes)
  const [input, out] = [new Float32Array(count * lanes), new Uint16Array(count * lanes)]
  input.set(x)
  simulate(prepare(program), [{ data: input }, { data: out }], [count, 1, 1])
  return x.map((_, i) => (dtype === 'f16' ? fromF16 : fromBf16)(out[i]!))
}

/** out = a / b with one b for each vector of 16, as for PTX. */
export function sharedQuotient(): LaneProgram {
  const types = { a: pointer('f32'), b: pointer('f32'), out: pointer('f32') }
  const program = laneProgram('shared_quotient', types, (b, args) => {
    const at = b.map('mul', b.programId(), b.index(lanes))
    b.store(args.out, at, b.map('div', b.load(args.a, at, lanes), b.splat(b.load(args.b, b.programId()), lanes)))
  })
  return prepare(program)
}

/** The program with the GPU's approximations off by these many units in the last place: exp2's and the others'. */
export function perturbed(program: LaneProgram, exp2: number, others: number): LaneProgram {
  const done = new Set<LaneNode>()
  const rule: Rule<LaneNode> = {
    name: 'perturb',
    ops: ['approximate'],
    apply: (node, b) => {
      if (done.has(node) || node.op !== 'approximate') return null
      done.add(node)
      const { lanes } = valueType(node)
      const constant = (dtype: 'f32' | 'i32', value: number): LaneNode => b.node('const', [], { dtype, value, lanes })
      const map = (fn: ScalarOpName, ...inputs: LaneNode[]): LaneNode => b.node('map', inputs, { fn })
      const by = constant('i32', node.attrs.fn === 'exp2' ? exp2 : others)
      const moved = b.node('bitcast', [map('add', b.node('bitcast', [node], { to: 'i32' }), by)], { to: 'f32' })
      const usual = map('and', map('gt', node, constant('f32', 2 ** -120)), map('lt', node, constant('f32', 2 ** 120)))
      return map('where', usual, moved, node)
    },
  }
  return { ...program, body: rewrite(laneDialect, program.body, [rule], 'perturb').root }
}

/** The results for these operands, whose length is padded to whole vectors. */
export function run(program: LaneProgram, dtype: FloatDtype, operands: readonly (readonly number[])[]): Floats {
  const make = (length: number): Floats => (dtype === 'f32' ? new Float32Array(length) : new Float64Array(length))
  const count = Math.ceil(operands[0]!.length / lanes)
  const inputs = operands.map(values => {
    const data = make(count * lanes)
    data.set(values)
    return { data }
  })
  const out = make(count * lanes)
  simulate(program, [...inputs, { data: out }], [count, 1, 1])
  return out.subarray(0, operands[0]!.length)
}

const view = new DataView(new ArrayBuffer(8))

/** The distance between neighbours of |x| in the dtype. */
export function ulp(dtype: FloatDtype, x: number): number {
  const magnitude = Math.abs(x)
  if (dtype === 'f64') {
    view.setFloat64(0, magnitude)
    const exponent = Number((view.getBigUint64(0) >> 52n) & 0x7ffn)
    return 2 ** (Math.max(exponent, 1) - 1075)
  }
  return Math.max(2 ** (Math.floor(Math.log2(magnitude)) - 23), 2 ** -149)
}

export interface Worst {
  readonly ulps: number
  readonly operands: readonly number[]
  readonly got: number
  readonly want: number
}

/** The largest error against float64; infinite where a special value (NaN, infinity, the sign of zero) is wrong. */
export function worstError(
  dtype: FloatDtype,
  operands: readonly (readonly number[])[],
  got: Floats,
  reference: (...values: readonly number[]) => number,
): Worst {
  let worst: Worst = { ulps: -1, operands: [], got: 0, want: 0 }
  got.forEach((value, i) => {
    const values = operands.map(operand => (dtype === 'f32' ? Math.fround(operand[i]!) : operand[i]!))
    const want = reference(...values)
    const ulps = errorOf(dtype, value, want)
    if (!(ulps <= worst.ulps)) worst = { ulps, operands: values, got: value, want }
  })
  return worst
}

function errorOf(dtype: FloatDtype, got: number, want: number): number {
  const rounded = dtype === 'f32' ? Math.fround(want) : want
  if (Object.is(got, rounded) || (Number.isNaN(got) && Number.isNaN(rounded))) {
    return Number.isFinite(rounded) ? Math.abs(got - want) / ulp(dtype, want) : 0
  }
  if (Number.isNaN(got) || Number.isNaN(rounded)) return Number.POSITIVE_INFINITY
  if (got === rounded) return Object.is(got, rounded) ? 0 : Number.POSITIVE_INFINITY
  const limit = dtype === 'f32' ? 2 ** 128 : Number.POSITIVE_INFINITY
  // Next to the overflow the neighbour is a fair answer.
  if (!Number.isFinite(got)) return Math.abs(Math.sign(got) * limit - want) / ulp(dtype, want)
  if (!Number.isFinite(rounded)) return Math.abs(got - Math.sign(rounded) * limit) / ulp(dtype, got)
  return Math.abs(got - want) / ulp(dtype, want)
}

/** A generator of the same numbers every time. */
export function random(seed: number): () => number {
  let state = (Math.imul(seed, 2654435761) ^ 0x9e3779b9) >>> 0
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 2 ** 32
  }
}

const specials = [0, -0, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 1, -1, 0.5, -0.5, 2, -2]

/** Values of every magnitude, the special ones, and many in [low, high]. */
export function samples(dtype: FloatDtype, seed: number, count: number, low: number, high: number): number[] {
  const next = random(seed)
  const [least, most, tiny] = dtype === 'f32' ? [-149, 128, 2 ** -149] : [-1074, 1024, 2 ** -1074]
  const values = [...specials, tiny, -tiny, 3 * tiny]
  for (let exponent = least; exponent < most; exponent += dtype === 'f32' ? 1 : 6) {
    for (let i = 0; i < 2; i++) values.push((next() < 0.5 ? -1 : 1) * (1 + next()) * 2 ** exponent)
  }
  for (let i = 0; i < count; i++) values.push(low + (high - low) * next())
  return values
}
