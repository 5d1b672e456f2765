/** Chains and powers of matrices, bilinear forms, cross products. */
import { ArgumentError, DtypeError, ShapeError } from '../../base/errors.js'
import { isFloat } from '../../types/dtype.js'
import { normalizeDim } from '../build.js'
import type { Shape } from '../ir.js'
import { broadcastShapes, decideEqual, printShape, requireEqual } from '../sizes.js'
import { compose, requireShape } from './compose.js'
import { contractionRecords } from './contractions.js'
import { emit, GraphTensor } from './graph-tensor.js'
import { anyKept, asBroadcast, asInput, floatKept, numberKept } from './texts.js'

/** Dtypes must be equal: matmul does not promote. */
function sameDtypes(name: string, [first, ...others]: readonly GraphTensor[]): void {
  for (const { given } of others)
    if (given !== first!.given)
      throw new DtypeError(`${name}: dtypes ${first!.given} and ${given} differ`, {
        fix: `cast one: x.to('${first!.given}')`,
      })
}

// --- chains --------------------------------------------------------------------------------------------------------------

/** The order of a matrix chain with the fewest multiplications: where to split each part. */
function splits(sizes: readonly number[]): (from: number, to: number) => number {
  const count = sizes.length - 1
  const cost = Array.from({ length: count }, () => new Array<number>(count).fill(0))
  const split = Array.from({ length: count }, () => new Array<number>(count).fill(0))
  for (let span = 1; span < count; span++)
    for (let from = 0; from + span < count; from++) {
      const to = from + span
      cost[from]![to] = Number.POSITIVE_INFINITY
      for (let k = from; k < to; k++) {
        const own = cost[from]![k]! + cost[k + 1]![to]! + sizes[from]! * sizes[k + 1]! * sizes[to + 1]!
        if (own < cost[from]![to]!) [cost[from]![to], split[from]![to]] = [own, k]
      }
    }
  return (from, to) => split[from]![to]!
}

/** a · c, rounded to the dtype that `a` was given in: a next product multiplies such values, on matrix units where there are any. */
const times = (a: GraphTensor, c: GraphTensor): GraphTensor => {
  const product = a.matmul(c)
  return new GraphTensor(a.b, product.as(a.given).as(product.dtype).node, a.given)
}

const multiDot = compose({
  name: 'multiDot',
  summary:
    'The matmul of two or more matrices (the first and last may be vectors), in the order with the fewest operations.',
  category: 'matmul',
  signature: '...tensors: tensors',
  shape: '[N, P]; without N or P where that end is a vector',
  dtypes: numberKept,
  details: { tensors: '[N, M₁], [M₁, M₂], …, [Mₖ, P]; the first may be [M₁], the last [Mₖ]' },
  errors: {
    ArgumentError: 'when there are fewer than two',
    DtypeError: 'when the dtypes differ',
    ShapeError: 'when sizes do not chain, or one in the middle is no matrix',
  },
  check: ({ tensors }) => {
    if (tensors.length < 2)
      throw new ArgumentError('multiDot: takes a list of at least two tensors', { fix: 'multiDot([a, b, c])' })
  },
  body: ({ tensors }) => {
    sameDtypes('multiDot', tensors)
    const [first, last] = [tensors[0]!, tensors.at(-1)!]
    for (const [i, { rank, shape }] of tensors.entries()) {
      const atEnd = i === 0 || i === tensors.length - 1
      if (rank !== 2 && !(atEnd && rank === 1))
        throw new ShapeError(`multiDot: tensor ${i} is ${printShape(shape)}`, {
          fix: 'give matrices; only the first and the last may be vectors',
        })
    }
    const wide = tensors.map((x, i) => (x.rank === 2 ? x : x.unsqueeze(i === 0 ? 0 : 1)))
    const sizes = [wide[0]!.size(0), ...wide.map(x => x.size(1))]
    const known = sizes.filter(size => typeof size === 'number')
    const at = known.length === sizes.length ? splits(known) : (_from: number, to: number): number => to - 1
    const part = (from: number, to: number): GraphTensor =>
      from === to ? wide[from]! : times(part(from, at(from, to)), part(at(from, to) + 1, to))
    const product = part(0, wide.length - 1)
    return product.shaped(product.shape.filter((_, d) => (d === 0 ? first : last).rank === 2))
  },
})

const matrixPower = compose({
  name: 'matrixPower',
  summary: 'Square matrices to the power n (n ≥ 0; 0 gives the identity).',
  category: 'matmul',
  signature: 'self, n: count',
  shape: asInput,
  dtypes: anyKept,
  details: { self: '[*, N, N]', n: 'how many times; negative powers, which need an inverse, are not supported' },
  errors: { DtypeError: 'for bool with n above 1', ShapeError: 'when the matrices are not square' },
  body: ({ self, n }) => {
    const { shape } = self
    const what = (): string => `matrixPower: ${printShape(shape)} is no square matrix`
    if (shape.length < 2) throw new ShapeError(what())
    requireEqual(shape.at(-1)!, shape.at(-2)!, what)
    if (n === 0) {
      const positions = self.indicesOf(-1)
      return positions.unsqueeze(1).eq(positions).expandTo(shape)
    }
    let [square, rest] = [self, n]
    let result: GraphTensor | null = null
    while (rest > 0) {
      if (rest % 2 === 1) result = result === null ? square : times(result, square)
      rest = Math.floor(rest / 2)
      if (rest > 0) square = times(square, square)
    }
    return result!.as(self.given).copied()
  },
})

// --- vectors -------------------------------------------------------------------------------------------------------------

const vecdot = compose({
  name: 'vecdot',
  summary: 'Σ self · other along a dim; both broadcast.',
  category: 'matmul',
  signature: 'self, other, *, dim: dim = -1',
  shape: 'what both broadcast to, without dim',
  dtypes: { takes: 'any', gives: 'promoted' },
  errors: { ShapeError: 'when the shapes do not broadcast, or both are 0-d' },
  body: ({ self, other, dim }) => {
    const shape = broadcastShapes('vecdot', [self.shape, other.shape])
    if (shape.length === 0)
      throw new ShapeError('vecdot: 0-d tensors have no vectors', { fix: 'multiply numbers with mul' })
    return self
      .expandTo(shape)
      .mul(other.expandTo(shape))
      .summed([normalizeDim('vecdot', dim, shape.length)])
  },
})

/** Without a dim the first of size 3, as PyTorch does. Whether a run-time size is 3 must be known: SymbolicShapeError. */
function crossDim(shape: Shape, asked: number | null): number {
  const dims = asked === null ? [...shape.keys()] : [normalizeDim('cross', asked, shape.length)]
  const dim = dims.find(d => decideEqual(shape[d] ?? 0, 3, () => `cross: dim ${d} of ${printShape(shape)}`))
  if (dim !== undefined) return dim
  throw new ShapeError(`cross: ${printShape(shape)} has no dim of size 3${asked === null ? '' : ` at ${asked}`}`, {
    fix: 'cross works on vectors of 3 elements: name their dim with { dim }',
  })
}

const cross = compose({
  name: 'cross',
  summary: 'The cross product of vectors of 3 along a dim (default: the first of size 3); both broadcast.',
  category: 'matmul',
  signature: 'self, other, dim: dim | null = null',
  shape: asBroadcast,
  dtypes: { takes: 'number', gives: 'promoted' },
  details: { dim: 'the dim of size 3; by default the first of that size' },
  errors: { ShapeError: 'when there is no such dim' },
  broadcasts: true,
  body: ({ self, other, dim: asked }) => {
    const dim = crossDim(self.shape, asked)
    // Gathers are read where they are used, so that all is one kernel.
    const coordinates = self.indicesOf(dim).shaped(self.shape.map((size, d) => (d === dim ? size : 1)))
    const next = (x: GraphTensor, by: number): GraphTensor => {
      const index = coordinates.lt(3 - by).where(coordinates.add(by), coordinates.add(by - 3))
      return x.at(dim, index.expandTo(self.shape))
    }
    return next(self, 1)
      .mul(next(other, 2))
      .sub(next(self, 2).mul(next(other, 1)))
  },
})

const addr = compose({
  name: 'addr',
  summary: 'beta · self + alpha · the outer product of two vectors.',
  category: 'matmul',
  signature: 'self, vec1, vec2, *, beta: number = 1, alpha: number = 1',
  shape: '[N, M]',
  dtypes: { takes: 'any', gives: 'promoted' },
  details: {
    self: 'what is added; broadcasts to [N, M]',
    vec1: '[N]',
    vec2: '[M]',
    beta: 'a factor on self; 0 ignores it, NaN included',
    alpha: 'a factor on the outer product',
  },
  errors: {
    ArgumentError: 'when beta or alpha is a fraction and the tensors are integers',
    ShapeError: 'when either is no vector, or self does not broadcast to their outer product',
  },
  body: ({ self, vec1, vec2, beta, alpha }) => {
    if (!isFloat(self.dtype) && !(Number.isInteger(beta) && Number.isInteger(alpha)))
      throw new ArgumentError(`addr: beta ${beta} and alpha ${alpha} on integers (${self.dtype})`, {
        fix: 'use integers, or cast to floats',
      })
    for (const { rank, shape } of [vec1, vec2])
      if (rank !== 1)
        throw new ShapeError(`addr: takes two vectors, got ${printShape(shape)}`, {
          fix: 'flatten them, or add a product of matrices with addmm',
        })
    const shape = [vec1.size(0), vec2.size(0)]
    const what = `addr: the input ${printShape(self.shape)} does not broadcast to ${printShape(shape)}`
    if (self.rank > 2) throw new ShapeError(what)
    requireShape(broadcastShapes('addr', [self.shape, shape]), shape, () => what)
    const product = vec1.unsqueeze(1).mul(vec2)
    const scaled = alpha === 1 ? product : product.mul(alpha)
    if (beta === 0) return scaled
    return (beta === 1 ? self : self.expandTo(shape).mul(beta)).add(scaled)
  },
})

function checkBilinear(x: Shape, y: Shape, weight: Shape): void {
  const what = (): string =>
    `bilinear: ${printShape(x)} and ${printShape(y)} do not fit the weight [out, in1, in2] = ${printShape(weight)}`
  const fix = 'in1 and in2 are the last sizes of the two, whose other dims are equal'
  if (x.length === 0 || x.length !== y.length) throw new ShapeError(what(), { fix })
  requireEqual(x.at(-1)!, weight[1]!, what, fix)
  requireEqual(y.at(-1)!, weight[2]!, what, fix)
  for (const [d, size] of x.slice(0, -1).entries()) requireEqual(size, y[d]!, what, fix)
}

const bilinear = compose({
  name: 'bilinear',
  summary: 'Σ self[i] · weight[o, i, j] · other[j] + bias[o] on the last dims.',
  category: 'matmul',
  signature: 'self, other, weight, bias: tensor | null = null',
  shape: '[*, out]',
  dtypes: floatKept,
  details: { self: '[*, in1]', other: '[*, in2]', weight: '[out, in1, in2]', bias: '[out]' },
  errors: { DtypeError: 'when the dtypes differ', ShapeError: 'when the tensors do not fit the weight' },
  body: ({ self, other, weight, bias }) => {
    sameDtypes('bilinear', [self, other, weight, ...(bias === null ? [] : [bias])])
    if (weight.rank !== 3)
      throw new ShapeError(`bilinear: the weight ${printShape(weight.shape)} is not [out, in1, in2]`, {
        fix: 'give a weight of three dims',
      })
    checkBilinear(self.shape, other.shape, weight.shape)
    const product = emit(self.b, contractionRecords.einsum, ['...i,oij,...j->...o', self, weight, other])[0]!
    if (bias === null) return product
    const what = (): string => `bilinear: the bias ${printShape(bias.shape)} does not fit ${printShape(weight.shape)}`
    requireShape(bias.shape, [weight.size(0)], what)
    return product.add(bias)
  },
})

export const chainRecords = { multiDot, matrixPower, vecdot, cross, addr, bilinear }
