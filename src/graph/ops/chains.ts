/** Products that are several: chains and powers of matrices, bilinear forms, cross products. */
import { ArgumentError, DtypeError, ShapeError } from '../../base/errors.js'
import { computeDtype, isFloat } from '../../types/dtype.js'
import {
  castTo,
  dtypeOf,
  expandTo,
  full,
  map,
  normalizeDim,
  promotedDtype,
  rankOf,
  reduce,
  reshapeTo,
  shapeOf,
} from '../build.js'
import { elementAt, hostFrom, hostValue } from '../host.js'
import type { GraphBuilder, GraphNode, Shape } from '../ir.js'
import { type HostTensor, type OpCall, type OpInput, op } from '../record.js'
import { broadcastShapes, decideEqual, printShape, requireEqual } from '../sizes.js'
import { call } from './arguments.js'
import { hostBroadcast, hostPromoted } from './elementwise.js'
import { matmulRecords } from './matmul.js'
import { productRecords } from './products.js'
import { rearrangeRecords } from './rearrange.js'
import { anyKept, asBroadcast, asInput, floatKept, numberKept } from './texts.js'

const given = (node: GraphNode): OpInput => ({ node, isNumber: false })
const matmul = (b: GraphBuilder, x: GraphNode, y: GraphNode): GraphNode =>
  matmulRecords.matmul.build(b, [given(x), given(y)], {})[0]!

/** Dtypes must be equal: a product of matrices does not promote. */
function sameDtypes(name: string, nodes: readonly GraphNode[]): void {
  for (const node of nodes)
    if (dtypeOf(node) !== dtypeOf(nodes[0]!))
      throw new DtypeError(`${name}: dtypes ${dtypeOf(nodes[0]!)} and ${dtypeOf(node)} differ`, {
        fix: `cast one: x.to('${dtypeOf(nodes[0]!)}')`,
      })
}

const exactTensor = (tensor: HostTensor): HostTensor =>
  isFloat(tensor.dtype) ? { ...tensor, dtype: 'f64' } : { ...tensor, dtype: 'i64', data: tensor.data.map(BigInt) }
const rounded = (dtype: HostTensor['dtype'], { shape, data }: HostTensor): HostTensor =>
  hostFrom(dtype, shape, (_, i) => hostValue(dtype, data[i]!))
const hostMatmul = (x: HostTensor, y: HostTensor): HostTensor => matmulRecords.matmul.reference([x, y], {})[0]!

// --- chains --------------------------------------------------------------------------------------------------------------

/** The order with the fewest multiplications of a chain of matrices of these sizes: where to split each part. */
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

const multiDot = op({
  name: 'multiDot',
  summary: 'The product of two or more matrices (the first and last may be vectors), in the order that costs least.',
  category: 'matmul',
  signature: 'tensors: tensors',
  shape: '[N, P]; without N or P where that end is a vector',
  dtypes: numberKept,
  details: { tensors: '[N, M₁], [M₁, M₂], …, [Mₖ, P]; the first may be [M₁], the last [Mₖ]' },
  errors: {
    ArgumentError: 'when there are fewer than two',
    DtypeError: 'when the dtypes differ',
    ShapeError: 'when sizes do not chain, or one in the middle is no matrix',
  },
  call: ({ tensors }) => {
    if (tensors.length < 2)
      throw new ArgumentError('multiDot: takes a list of at least two tensors', { fix: 'multiDot([a, b, c])' })
    return call(tensors, {})
  },
  results: null,
  build: (b: GraphBuilder, inputs: readonly OpInput[]) => {
    const nodes = inputs.map(({ node }) => node)
    sameDtypes('multiDot', nodes)
    const dtype = dtypeOf(nodes[0]!)
    for (const [i, node] of nodes.entries()) {
      const atEnd = i === 0 || i === nodes.length - 1
      if (rankOf(node) !== 2 && !(atEnd && rankOf(node) === 1))
        throw new ShapeError(`multiDot: tensor ${i} is ${printShape(shapeOf(node))}`, {
          fix: 'give matrices; only the first and the last may be vectors',
        })
    }
    const wide = nodes.map((node, i) => {
      const x = castTo(b, node, computeDtype(dtype))
      if (rankOf(x) === 2) return x
      return reshapeTo(b, x, i === 0 ? [1, ...shapeOf(x)] : [...shapeOf(x), 1])
    })
    const sizes = [shapeOf(wide[0]!)[0]!, ...wide.map(node => shapeOf(node)[1]!)]
    const known = sizes.filter(size => typeof size === 'number')
    const at = known.length === sizes.length ? splits(known) : (_from: number, to: number): number => to - 1
    const part = (from: number, to: number): GraphNode =>
      from === to ? wide[from]! : matmul(b, part(from, at(from, to)), part(at(from, to) + 1, to))
    const product = castTo(b, part(0, wide.length - 1), dtype)
    const [first, last] = [rankOf(nodes[0]!), rankOf(nodes.at(-1)!)]
    const [rows, columns] = shapeOf(product) as [Shape[number], Shape[number]]
    return [reshapeTo(b, product, [...(first === 2 ? [rows] : []), ...(last === 2 ? [columns] : [])])]
  },
  reference: (inputs: readonly HostTensor[]) => [rounded(inputs[0]!.dtype, inputs.map(exactTensor).reduce(hostMatmul))],
  gradient: 'later',
})

type PowerAttrs = { readonly n: number }

const matrixPower = op({
  name: 'matrixPower',
  summary: 'Square matrices multiplied n times (n ≥ 0; 0 gives the identity).',
  category: 'matmul',
  signature: 'self, n: count',
  shape: asInput,
  dtypes: anyKept,
  details: { self: '[*, N, N]', n: 'how many times; negative powers, which need an inverse, are not supported' },
  errors: { DtypeError: 'for bool with n above 1', ShapeError: 'when the matrices are not square' },
  results: null,
  build: (b: GraphBuilder, [input]: readonly OpInput[], { n }: PowerAttrs) => {
    const { node } = input!
    const shape = shapeOf(node)
    const what = (): string => `matrixPower: ${printShape(shape)} is no square matrix`
    if (shape.length < 2) throw new ShapeError(what())
    requireEqual(shape.at(-1)!, shape.at(-2)!, what)
    const compute = computeDtype(dtypeOf(node))
    if (n === 0) {
      const counter = b.node('iota', [], { length: shape.at(-1)!, dtype: 'i64' })
      const row = expandTo(b, reshapeTo(b, counter, [shape.at(-1)!, 1]), shape.slice(-2))
      const identity = map(b, 'eq', row, expandTo(b, counter, shape.slice(-2)))
      return [castTo(b, expandTo(b, identity, shape), dtypeOf(node))]
    }
    let [square, rest] = [castTo(b, node, compute), n]
    let result: GraphNode | null = null
    while (rest > 0) {
      if (rest % 2 === 1) result = result === null ? square : matmul(b, result, square)
      rest = Math.floor(rest / 2)
      if (rest > 0) square = matmul(b, square, square)
    }
    return [b.node('copy', [castTo(b, result!, dtypeOf(node))], {})]
  },
  reference: ([input]: readonly HostTensor[], { n }: PowerAttrs) => {
    const x = exactTensor(input!)
    const identity = hostFrom(x.dtype, x.shape, index => hostValue(x.dtype, index.at(-1) === index.at(-2)))
    return [rounded(input!.dtype, Array.from({ length: n }, () => x).reduce(hostMatmul, identity))]
  },
  gradient: 'later',
})

// --- vectors -------------------------------------------------------------------------------------------------------------

type DimAttrs = { readonly dim: number }

const vecdot = op({
  name: 'vecdot',
  summary: 'Σ self · other along a dim; both broadcast.',
  category: 'matmul',
  signature: 'self, other, *, dim: dim = -1',
  shape: 'what both broadcast to, without dim',
  dtypes: { takes: 'any', gives: 'promoted' },
  errors: { ShapeError: 'when the shapes do not broadcast, or both are 0-d' },
  results: null,
  build: (b: GraphBuilder, inputs: readonly OpInput[], attrs: DimAttrs) => {
    const dtype = promotedDtype(inputs)
    const shape = broadcastShapes(
      'vecdot',
      inputs.map(({ node }) => shapeOf(node)),
    )
    if (shape.length === 0)
      throw new ShapeError('vecdot: 0-d tensors have no vectors', { fix: 'multiply numbers with mul' })
    const dim = normalizeDim('vecdot', attrs.dim, shape.length)
    const [x, y] = inputs.map(({ node }) => expandTo(b, castTo(b, node, computeDtype(dtype)), shape))
    return [castTo(b, reduce(b, 'add', map(b, 'mul', x!, y!), [dim]), dtype)]
  },
  reference: (inputs: readonly HostTensor[], attrs: DimAttrs) => {
    const dtype = hostPromoted(inputs)
    const shape = hostBroadcast(inputs)
    const dim = normalizeDim('', attrs.dim, shape.length)
    return [
      hostFrom(
        dtype,
        shape.filter((_, d) => d !== dim),
        index => {
          let [sum, exact] = [0, 0n]
          for (let i = 0; i < shape[dim]!; i++) {
            const [x, y] = inputs.map(input => elementAt(input, [...index.slice(0, dim), i, ...index.slice(dim)]))
            if (isFloat(dtype)) sum += Number(x) * Number(y)
            else exact += BigInt(x!) * BigInt(y!)
          }
          return hostValue(dtype, isFloat(dtype) ? sum : exact)
        },
      ),
    ]
  },
  gradient: 'later',
})

type CrossAttrs = { readonly dim: number | null }

/** Without a dim the first of size 3, as PyTorch does. Whether a run-time size is 3 must be known: SymbolicShapeError. */
function crossDim(shape: Shape, { dim: asked }: CrossAttrs): number {
  const dims = asked === null ? [...shape.keys()] : [normalizeDim('cross', asked, shape.length)]
  const dim = dims.find(d => decideEqual(shape[d] ?? 0, 3, () => `cross: dim ${d} of ${printShape(shape)}`))
  if (dim !== undefined) return dim
  throw new ShapeError(`cross: ${printShape(shape)} has no dim of size 3${asked === null ? '' : ` at ${asked}`}`, {
    fix: 'cross works on vectors of 3 elements: name their dim with { dim }',
  })
}

const cross = op({
  name: 'cross',
  summary: 'The cross product of vectors of 3 along a dim (default: the first of size 3); both broadcast.',
  category: 'matmul',
  signature: 'self, other, dim: dim | null = null',
  shape: asBroadcast,
  dtypes: { takes: 'number', gives: 'promoted' },
  details: { dim: 'the dim of size 3; by default the first of that size' },
  errors: { ShapeError: 'when there is no such dim' },
  results: null,
  build: (b: GraphBuilder, inputs: readonly OpInput[], attrs: CrossAttrs) => {
    const dtype = promotedDtype(inputs)
    if (dtype === 'bool') throw new DtypeError('cross: not defined on bool', { fix: "cast: x.to('i32')" })
    const shape = broadcastShapes(
      'cross',
      inputs.map(({ node }) => shapeOf(node)),
    )
    const dim = crossDim(shape, attrs)
    const [x, y] = inputs.map(({ node }) => expandTo(b, castTo(b, node, computeDtype(dtype)), shape)) as [
      GraphNode,
      GraphNode,
    ]
    const turn = (node: GraphNode, by: number): GraphNode =>
      rearrangeRecords.roll.build(b, [given(node)], { shifts: [by], dims: [dim] })[0]!
    const left = map(b, 'mul', turn(x, -1), turn(y, -2))
    return [castTo(b, map(b, 'sub', left, map(b, 'mul', turn(x, -2), turn(y, -1))), dtype)]
  },
  reference: (inputs: readonly HostTensor[], attrs: CrossAttrs) => {
    const dtype = hostPromoted(inputs)
    const shape = hostBroadcast(inputs)
    const dim = crossDim(shape, attrs)
    return [
      hostFrom(dtype, shape, index => {
        const at = (which: 0 | 1, by: number) => elementAt(inputs[which]!, index.with(dim, (index[dim]! + by) % 3))
        const [a, c, d, f] = [at(0, 1), at(1, 2), at(0, 2), at(1, 1)]
        if (isFloat(dtype)) return hostValue(dtype, Number(a) * Number(c) - Number(d) * Number(f))
        return hostValue(dtype, BigInt(a) * BigInt(c) - BigInt(d) * BigInt(f))
      }),
    ]
  },
  gradient: 'later',
})

type AddrAttrs = { readonly beta: number; readonly alpha: number }

const addr = op({
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
    alpha: 'a factor on the product',
  },
  errors: {
    ArgumentError: 'when beta or alpha is a fraction and the tensors are integers',
    ShapeError: 'when either is no vector, or self does not broadcast to their product',
  },
  results: null,
  build: (b: GraphBuilder, inputs: readonly OpInput[], { beta, alpha }: AddrAttrs) => {
    const dtype = promotedDtype(inputs)
    if (!isFloat(dtype) && !(Number.isInteger(beta) && Number.isInteger(alpha)))
      throw new ArgumentError(`addr: beta ${beta} and alpha ${alpha} on integers (${dtype})`, {
        fix: 'use integers, or cast to floats',
      })
    const [self, x, y] = inputs.map(({ node }) => castTo(b, node, computeDtype(dtype))) as [
      GraphNode,
      GraphNode,
      GraphNode,
    ]
    for (const node of [x, y])
      if (rankOf(node) !== 1)
        throw new ShapeError(`addr: takes two vectors, got ${printShape(shapeOf(node))}`, {
          fix: 'flatten them, or add a product of matrices with addmm',
        })
    const shape = [shapeOf(x)[0]!, shapeOf(y)[0]!]
    const what = `addr: the input ${printShape(shapeOf(self))} does not stretch to ${printShape(shape)}`
    if (rankOf(self) > 2) throw new ShapeError(what)
    const fitted = broadcastShapes('addr', [shapeOf(self), shape])
    for (const [d, size] of fitted.entries()) requireEqual(size, shape[d]!, () => what)
    const number = (value: number): GraphNode => full(b, dtypeOf(x), shape, value)
    const product = map(b, 'mul', expandTo(b, reshapeTo(b, x, [shape[0]!, 1]), shape), expandTo(b, y, shape))
    const scaled = alpha === 1 ? product : map(b, 'mul', product, number(alpha))
    if (beta === 0) return [castTo(b, scaled, dtype)]
    const own = expandTo(b, self, shape)
    return [castTo(b, map(b, 'add', beta === 1 ? own : map(b, 'mul', own, number(beta)), scaled), dtype)]
  },
  reference: (inputs: readonly HostTensor[], { beta, alpha }: AddrAttrs) => {
    const [self, x, y] = inputs as [HostTensor, HostTensor, HostTensor]
    const dtype = hostPromoted(inputs)
    return [
      hostFrom(dtype, [x.data.length, y.data.length], ([i, j]) => {
        const own = elementAt(self, [i!, j!])
        if (!isFloat(dtype))
          return hostValue(
            dtype,
            BigInt(beta) * BigInt(own) + BigInt(alpha) * BigInt(x.data[i!]!) * BigInt(y.data[j!]!),
          )
        return hostValue(
          dtype,
          (beta === 0 ? 0 : beta * Number(own)) + alpha * Number(x.data[i!]!) * Number(y.data[j!]!),
        )
      }),
    ]
  },
  gradient: 'later',
})

type BilinearAttrs = { readonly hasBias: boolean }

function checkBilinear(x: Shape, y: Shape, weight: Shape): void {
  const what = (): string =>
    `bilinear: ${printShape(x)} and ${printShape(y)} do not fit the weight [out, in1, in2] = ${printShape(weight)}`
  const fix = 'in1 and in2 are the last sizes of the two, whose other dims are equal'
  if (x.length === 0 || x.length !== y.length) throw new ShapeError(what(), { fix })
  requireEqual(x.at(-1)!, weight[1]!, what, fix)
  requireEqual(y.at(-1)!, weight[2]!, what, fix)
  for (const [d, size] of x.slice(0, -1).entries()) requireEqual(size, y[d]!, what, fix)
}

const bilinear = op({
  name: 'bilinear',
  summary: 'Σ self[i] · weight[o, i, j] · other[j] + bias[o] on the last dims.',
  category: 'matmul',
  signature: 'self, other, weight, bias: tensor | null = null',
  shape: '[*, out]',
  dtypes: floatKept,
  details: { self: '[*, in1]', other: '[*, in2]', weight: '[out, in1, in2]', bias: '[out]' },
  errors: { DtypeError: 'when the dtypes differ', ShapeError: 'when the tensors do not fit the weight' },
  call: ({ self, other, weight, bias }): OpCall<BilinearAttrs> =>
    call([self, other, weight, ...(bias === null ? [] : [bias])], { hasBias: bias !== null }),
  results: null,
  build: (b: GraphBuilder, inputs: readonly OpInput[]) => {
    const nodes = inputs.map(({ node }) => node)
    sameDtypes('bilinear', nodes)
    const dtype = dtypeOf(nodes[0]!)
    if (!isFloat(dtype))
      throw new DtypeError(`bilinear: needs floats, got ${dtype}`, { fix: "cast first: x.to('f32')" })
    const [x, y, weight, bias] = nodes.map(node => castTo(b, node, computeDtype(dtype))) as [
      GraphNode,
      GraphNode,
      GraphNode,
      GraphNode?,
    ]
    if (rankOf(weight) !== 3)
      throw new ShapeError(`bilinear: the weight ${printShape(shapeOf(weight))} is not [out, in1, in2]`, {
        fix: 'give a weight of three dims',
      })
    checkBilinear(shapeOf(x), shapeOf(y), shapeOf(weight))
    const equation = '...i,oij,...j->...o'
    const [product] = productRecords.einsum.build(b, [x, weight, y].map(given), { equation })
    if (bias === undefined) return [castTo(b, product!, dtype)]
    const what = (): string =>
      `bilinear: the bias ${printShape(shapeOf(bias))} does not fit ${printShape(shapeOf(weight))}`
    if (rankOf(bias) !== 1) throw new ShapeError(what())
    requireEqual(shapeOf(bias)[0]!, shapeOf(weight)[0]!, what)
    return [castTo(b, map(b, 'add', product!, expandTo(b, bias, shapeOf(product!))), dtype)]
  },
  reference: ([x, y, weight, bias]: readonly HostTensor[], _attrs: BilinearAttrs) => {
    const [outputs, rows, columns] = weight!.shape as [number, number, number]
    return [
      hostFrom(x!.dtype, [...x!.shape.slice(0, -1), outputs], (index, flat) => {
        const [row, o] = [Math.floor(flat / outputs), index.at(-1)!]
        let sum = bias === undefined ? 0 : Number(bias.data[o]!)
        for (let i = 0; i < rows; i++)
          for (let j = 0; j < columns; j++)
            sum +=
              Number(x!.data[row * rows + i]!) *
              Number(weight!.data[(o * rows + i) * columns + j]!) *
              Number(y!.data[row * columns + j]!)
        return hostValue(x!.dtype, sum)
      }),
    ]
  },
  gradient: 'later',
})

export const chainRecords = { multiDot, matrixPower, vecdot, cross, addr, bilinear }
