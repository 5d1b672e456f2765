/** Generators of random programs: one per family of ops; each chooses operands that fit and keeps values moderate. */
import { applyRecord, asValue } from '../../src/graph/apply.js'
import { graphBuilder, typeOf } from '../../src/graph/ir.js'
import { type RecordName, recordTable } from '../../src/graph/ops/index.js'
import { type Dtype, isFloat, isInteger } from '../../src/types/dtype.js'
import type { RandomOp, RandomOptions } from './random-program.js'
import {
  arg,
  bindArguments,
  count,
  type Layout,
  randomSpec,
  seededRandom,
  type TensorSpec,
  withLayout,
} from './tensor-spec.js'

interface Known {
  readonly id: number
  readonly dtype: Dtype
  readonly shape: readonly number[]
  /** Computed identically by every implementation. */
  readonly exact: boolean
  /** Bound of the elements' magnitudes. */
  readonly bound: number
}

interface Choice {
  readonly name: RecordName
  readonly args: readonly unknown[]
  readonly exact: boolean
  readonly bound: number
}

const sizes = [1, 1, 2, 3, 4, 5, 7, 8, 16, 17]
const maxElements = 2000
const maxBound = 300

export class ProgramMaker {
  readonly random: () => number
  readonly values: Known[] = []
  readonly inputs: { id: number; spec: TensorSpec }[] = []
  readonly ops: RandomOp[] = []

  constructor(
    readonly seed: number,
    readonly options: RandomOptions,
  ) {
    this.random = seededRandom(seed)
  }

  chance(probability: number): boolean {
    return this.random() < probability
  }
  below(n: number): number {
    return Math.floor(this.random() * n)
  }
  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!
  }

  shape(): number[] {
    for (;;) {
      const rank = this.chance(0.06) ? 0 : 1 + this.below(4)
      const shape = Array.from({ length: rank }, () => this.pick(sizes))
      if (this.options.layouts !== false && shape.length > 0 && this.chance(0.03)) shape[this.below(shape.length)] = 0
      if (count(shape) <= maxElements) return shape
    }
  }

  addInput(dtype: Dtype, shape: readonly number[]): Known {
    const id = this.values.length
    const dense = randomSpec(this.seed * 31 + id, dtype, shape)
    const layout: Layout =
      this.options.layouts !== false && this.chance(0.4) ? this.pick(['transposed', 'strided', 'offset']) : 'dense'
    this.inputs.push({ id, spec: withLayout(dense, layout) })
    const known = { id, dtype, shape, exact: true, bound: isFloat(dtype) ? 2 : dtype === 'bool' ? 1 : 10 }
    this.values.push(known)
    return known
  }

  /** The type of the op's first result, or null if the op rejects the operands. */
  typeOf(choice: Choice): { dtype: Dtype; shape: readonly number[] } | null {
    const b = graphBuilder()
    const nodes = this.values.map(({ id, dtype, shape }) =>
      b.node('input', [], { index: id, name: '', dtype, shape, strides: shape.map(() => 0) }),
    )
    try {
      const args = bindArguments(choice.args, id => asValue(nodes[id]!))
      const { dtype, shape } = typeOf(applyRecord(b, recordTable[choice.name], args)[0]!)
      return { dtype, shape: shape as readonly number[] }
    } catch {
      return null
    }
  }

  tryAdd(choice: Choice): boolean {
    if (choice.bound > maxBound || (this.options.only && !this.options.only.has(choice.name))) return false
    const type = this.typeOf(choice)
    if (type === null || count(type.shape) > maxElements) return false
    const id = this.values.length
    this.ops.push({ id, name: choice.name, args: choice.args, ...type })
    // Integers wrap identically everywhere, so they are always exact.
    this.values.push({ id, ...type, exact: choice.exact || !isFloat(type.dtype), bound: choice.bound })
    return true
  }

  /** A random value, preferring later ones. */
  value(fits: (value: Known) => boolean = () => true): Known | null {
    const candidates = this.values.filter(fits)
    if (candidates.length === 0) return null
    return candidates[Math.max(this.below(candidates.length), this.below(candidates.length))]!
  }
}

type Maker = (m: ProgramMaker) => Choice | null

const floatValue = (m: ProgramMaker): Known | null => m.value(({ dtype }) => isFloat(dtype))

const bounded: readonly RecordName[] = ['sigmoid', 'tanh', 'sin', 'cos', 'erf', 'atan', 'softsign']
const linear: readonly RecordName[] = ['gelu', 'silu', 'softplus', 'leakyRelu', 'elu', 'asinh']
const exactUnary: readonly RecordName[] = ['neg', 'abs', 'relu']

const unary: Maker = m => {
  const x = floatValue(m)
  if (x === null) return null
  const name = m.pick([...bounded, ...linear, ...exactUnary, 'square', 'exp'] as const)
  const bound = (bounded as readonly string[]).includes(name)
    ? 2
    : name === 'square'
      ? x.bound ** 2
      : name === 'exp'
        ? Math.exp(x.bound)
        : x.bound + 1
  return { name, args: [arg(x.id)], exact: x.exact && (exactUnary as readonly string[]).includes(name), bound }
}

const stretches = (a: readonly number[], c: readonly number[]): boolean => {
  for (let d = 1; d <= Math.min(a.length, c.length); d++) {
    const [p, q] = [a.at(-d)!, c.at(-d)!]
    if (p !== q && p !== 1 && q !== 1) return false
  }
  return true
}

const binary: Maker = m => {
  const x = m.value(({ dtype }) => dtype !== 'bool')
  if (x === null) return null
  const y = m.chance(0.75) ? m.value(other => other.dtype !== 'bool' && stretches(x.shape, other.shape)) : null
  const number = m.pick([2, -1, 0.5, 3, 1.25])
  const name = m.pick(['add', 'sub', 'mul', 'maximum', 'minimum'] as const)
  const other = y === null ? Math.abs(number) : y.bound
  const bound =
    name === 'mul' ? x.bound * other : name === 'add' || name === 'sub' ? x.bound + other : Math.max(x.bound, other)
  const selects = name === 'maximum' || name === 'minimum'
  // Promotion may round: a selecting op is exact only on operands of one dtype.
  const exact = selects && x.exact && (y === null ? Number.isInteger(number * 4) : y.exact && y.dtype === x.dtype)
  return { name, args: [arg(x.id), y === null ? number : arg(y.id)], exact, bound }
}

const division: Maker = m => {
  const x = floatValue(m)
  return x && { name: 'div', args: [arg(x.id), m.pick([2, 3, 0.7, 4])], exact: false, bound: x.bound * 2 }
}

const compare: Maker = m => {
  const x = m.value(({ exact }) => exact)
  if (x === null) return null
  const y = m.value(other => other.exact && other.dtype === x.dtype && stretches(x.shape, other.shape))
  const name = m.pick(['eq', 'ne', 'lt', 'le', 'gt', 'ge'] as const)
  return { name, args: [arg(x.id), y === null || m.chance(0.4) ? m.pick([0, 1]) : arg(y.id)], exact: true, bound: 1 }
}

const choose: Maker = m => {
  const condition = m.value(({ dtype }) => dtype === 'bool')
  const x = condition && m.value(({ shape }) => stretches(shape, condition.shape))
  const y =
    x &&
    m.value(
      other => stretches(other.shape, condition!.shape) && stretches(other.shape, x.shape) && other.dtype === x.dtype,
    )
  if (!x || !y) return null
  return {
    name: 'where',
    args: [arg(condition!.id), arg(x.id), m.chance(0.3) ? 0 : arg(y.id)],
    exact: x.exact && y.exact,
    bound: Math.max(x.bound, y.bound),
  }
}

const logic: Maker = m => {
  const x = m.value(({ dtype }) => dtype === 'bool')
  const y = x && m.value(({ dtype, shape }) => dtype === 'bool' && stretches(shape, x.shape))
  return (
    y && {
      name: m.pick(['logicalAnd', 'logicalOr', 'logicalXor'] as const),
      args: [arg(x!.id), arg(y.id)],
      exact: true,
      bound: 1,
    }
  )
}

const dimOf = (m: ProgramMaker, { shape }: Known): number => m.below(shape.length) - (m.chance(0.5) ? shape.length : 0)

const reduction: Maker = m => {
  const x = m.value(({ shape, dtype }) => shape.length > 0 && dtype !== 'bool')
  if (x === null) return null
  const dims = m.chance(0.2) ? null : m.chance(0.2) ? x.shape.map((_, d) => d) : dimOf(m, x)
  const folded = dims === null || Array.isArray(dims) ? count(x.shape) : x.shape.at(dims)!
  const name = m.pick(
    isFloat(x.dtype) ? (['sum', 'mean', 'amax', 'amin', 'var'] as const) : (['sum', 'amax', 'amin'] as const),
  )
  const bound = name === 'sum' ? x.bound * folded : name === 'var' ? x.bound ** 2 * 4 : x.bound
  const empty = x.shape.includes(0) || (name === 'var' && folded < 2)
  if (empty) return null
  return { name, args: [arg(x.id), dims, { keepdim: m.chance(0.5) }], exact: x.exact && name.startsWith('am'), bound }
}

const alongRows: Maker = m => {
  const x = m.value(({ shape, dtype }) => isFloat(dtype) && shape.length > 0 && !shape.includes(0))
  if (x === null) return null
  const name = m.pick(['softmax', 'logSoftmax', 'cumsum', 'layerNorm'] as const)
  if (name === 'layerNorm')
    return { name, args: [arg(x.id), x.shape.slice(-1), { eps: 0.01 }], exact: false, bound: 20 }
  const dim = dimOf(m, x)
  const bound = name === 'softmax' ? 1 : name === 'cumsum' ? x.bound * x.shape.at(dim)! : 2 * x.bound + 10
  return { name, args: [arg(x.id), dim], exact: false, bound }
}

const pickIndex: Maker = m => {
  const x = m.value(({ shape, exact, dtype }) => exact && shape.length > 0 && !shape.includes(0) && dtype !== 'bool')
  if (x === null) return null
  const dim = dimOf(m, x)
  const name = m.pick(['argmax', 'argmin', 'sort', 'topk', 'any'] as const)
  const size = x.shape.at(dim)!
  const args = {
    argmax: [dim],
    argmin: [dim],
    any: [dim],
    sort: [{ dim, descending: m.chance(0.5) }],
    topk: [1 + m.below(size), { dim }],
  }[name]
  return { name, args: [arg(x.id), ...args], exact: true, bound: name === 'sort' || name === 'topk' ? x.bound : size }
}

const view: Maker = m => {
  const x = m.value(({ shape }) => shape.length > 0)
  if (x === null) return null
  const { shape } = x
  const dim = dimOf(m, x)
  const size = shape.at(dim)!
  const shuffled = shape.map((_, d) => d).sort(() => m.random() - 0.5)
  const start = m.below(Math.max(1, size))
  const choices: readonly (readonly [RecordName, ...unknown[]])[] = [
    ['permute', shuffled],
    ['transpose', dim, dimOf(m, x)],
    [
      'reshape',
      m.pick([
        [count(shape)],
        [-1],
        [1, ...shape],
        [...shape.slice(0, -2), shape.slice(-2).reduce((a, c) => a * c, 1)],
        [...shape.slice(0, -1), 1, shape.at(-1)!],
      ]),
    ],
    ['unsqueeze', m.below(shape.length + 1)],
    ['squeeze'],
    ['flatten'],
    ['flip', dim],
    ['narrow', dim, start, m.below(size - start + 1)],
    [
      'slice',
      ...shape.map(n =>
        m.chance(0.3) && n > 0 ? m.below(n) : m.chance(0.5) ? null : [m.below(n + 1), null, 1 + m.below(3)],
      ),
    ],
    ['select', dim, m.below(Math.max(1, size))],
    ['expand', [1 + m.below(3), ...shape.map(n => (n === 1 ? 1 + m.below(4) : n))]],
  ]
  const [name, ...args] = m.pick(choices)
  return { name, args: [arg(x.id), ...args], exact: x.exact, bound: x.bound }
}

const join: Maker = m => {
  const x = m.value(({ shape }) => shape.length > 0)
  const y =
    x &&
    m.value(
      ({ shape, dtype }) =>
        dtype === x.dtype && shape.length === x.shape.length && shape.slice(1).join() === x.shape.slice(1).join(),
    )
  if (!y) return null
  const same = y.shape[0] === x!.shape[0]
  const name = same && m.chance(0.4) ? 'stack' : 'cat'
  return {
    name,
    args: [[arg(x!.id), arg(y.id)], same ? m.below(x!.shape.length) : 0],
    exact: x!.exact && y.exact,
    bound: Math.max(x!.bound, y.bound),
  }
}

const product: Maker = m => {
  const x = m.value(({ shape, dtype }) => shape.length > 0 && isFloat(dtype))
  const inner = x?.shape.at(-1)
  const fits = ({ shape, dtype }: Known): boolean =>
    dtype === x!.dtype &&
    shape.length > 0 &&
    shape.at(shape.length === 1 ? -1 : -2) === inner &&
    stretches(shape.slice(0, -2), x!.shape.slice(0, -2))
  const y = x && m.value(fits)
  return (
    y && {
      name: 'matmul',
      args: [arg(x!.id), arg(y.id)],
      exact: false,
      bound: x!.bound * y.bound * Math.max(1, inner!),
    }
  )
}

const cast: Maker = m => {
  const x = m.value()
  if (x === null) return null
  const dtype = m.pick(['f32', 'f32', 'f64', 'f16', 'bf16', 'i32', 'i64', 'bool'] as const)
  if (isFloat(x.dtype) && !isFloat(dtype) && !x.exact) return null
  // Rounding an exact value is exact again; an integer dtype may hold integers of any size.
  return {
    name: 'to',
    args: [arg(x.id), dtype],
    exact: x.exact,
    bound: dtype === 'bool' ? 1 : isInteger(x.dtype) ? maxBound : x.bound,
  }
}

const copy: Maker = m => {
  const x = m.value()
  return x && { name: 'clone', args: [arg(x.id)], exact: x.exact, bound: x.bound }
}

const makers: readonly (readonly [weight: number, maker: Maker])[] = [
  [5, unary],
  [7, binary],
  [1, division],
  [1, compare],
  [1, choose],
  [0.5, logic],
  [3, reduction],
  [2, alongRows],
  [0.7, pickIndex],
  [5, view],
  [1, join],
  [2, product],
  [0.8, cast],
  [0.2, copy],
]
const totalWeight = makers.reduce((sum, [weight]) => sum + weight, 0)

export function pickMaker(m: ProgramMaker): Maker {
  let rest = m.random() * totalWeight
  for (const [weight, maker] of makers) {
    rest -= weight
    if (rest < 0) return maker
  }
  return unary
}
