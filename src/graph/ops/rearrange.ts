/** Ops that repeat, roll, rotate, pad or window elements, and build diagonals. */
import { ArgumentError, DtypeError, ShapeError } from '../../base/errors.js'
import {
  addSizes,
  maxSizes,
  minSizes,
  modSizes,
  mulSizes,
  productOf,
  rangeOf,
  type Size,
  SizeExpr,
  subSizes,
} from '../../scalar/size.js'
import { isInteger } from '../../types/dtype.js'
import {
  castTo,
  constant,
  dtypeOf,
  expandTo,
  full,
  normalizeDim,
  permuteTo,
  rankOf,
  reshapeTo,
  shapeOf,
  sliceTo,
  wholeSlice,
} from '../build.js'
import type { GraphBuilder, GraphNode, GraphOps, Shape } from '../ir.js'
import { isTensor, type OpInput, op } from '../record.js'
import { decideAtLeast, decideQuotient, printShape, requireEqual, SymbolicShapeError, signedParts } from '../sizes.js'
import { type DimWindows, windowsIn } from '../windows.js'
import { call } from './arguments.js'
import { compose } from './compose.js'
import { GraphTensor } from './graph-tensor.js'
import { buildCat, indexingRecords } from './indexing.js'
import { slicingRecords } from './slicing.js'
import { anyKept, anyPromoted, asInput, outOfRange, scalar } from './texts.js'
import { view, viewCall } from './view-record.js'

const copyOf = (b: GraphBuilder, node: GraphNode): GraphNode => b.node('copy', [node], {})

/** A size that must be known to build the op; else SymbolicShapeError, on which capture specialises it. */
export function knownSize(name: string, size: Size): number {
  if (typeof size === 'number') return size
  throw new SymbolicShapeError(`${name}: needs to know the size ${size}`, [size])
}
export const knownShape = (name: string, shape: Shape): readonly number[] => shape.map(size => knownSize(name, size))

// --- dims --------------------------------------------------------------------------------------------------------------

type UnflattenAttrs = { readonly dim: number; readonly sizes: readonly Size[] }

function unflattened(shape: Shape, { dim: asked, sizes }: UnflattenAttrs): Shape {
  if (shape.length === 0) throw new ShapeError('unflatten: a 0-d tensor has no dim to split', { fix: 'reshape it' })
  const dim = normalizeDim('unflatten', asked, shape.length)
  const own = shape[dim]!
  const what = (): string => `unflatten: dim ${dim} of ${printShape(shape)} does not split into ${printShape(sizes)}`
  const known = productOf(sizes.filter(size => size !== -1))
  const hole = sizes.includes(-1) && known !== 0 ? decideQuotient(own, known, what) : null
  if (sizes.includes(-1) && hole === null) throw new ShapeError(what())
  const filled = sizes.map(size => (size === -1 ? hole! : size))
  requireEqual(own, productOf(filled), what)
  return [...shape.slice(0, dim), ...filled, ...shape.slice(dim + 1)]
}

const unflatten = view({
  name: 'unflatten',
  summary: 'self with one dim split into several; one of the sizes may be −1.',
  signature: 'self, dim: dim, sizes: shape',
  shape: 'the shape of self with sizes in place of dim',
  errors: {
    ArgumentError: 'when sizes is empty or has more than one −1',
    ShapeError: 'when the sizes do not multiply to that of dim',
  },
  note: 'A view where the layout allows it.',
  call: ({ self, dim, sizes }) => {
    if (sizes.length === 0)
      throw new ArgumentError('unflatten: the list of sizes is empty', { fix: 'give at least one size' })
    if (sizes.filter(size => size === -1).length > 1)
      throw new ArgumentError('unflatten: more than one −1', { fix: 'leave at most one size to be found' })
    return viewCall(self, { dim, sizes })
  },
  build: (b, node, attrs: UnflattenAttrs) => reshapeTo(b, node, unflattened(shapeOf(node), attrs)),
})

type MoveAttrs = { readonly source: readonly number[]; readonly destination: readonly number[] }

/** The order of dims after moving some. */
function movedOrder(rank: number, { source, destination }: MoveAttrs): readonly number[] {
  const from = source.map(dim => normalizeDim('movedim', dim, rank))
  const to = destination.map(dim => normalizeDim('movedim', dim, rank))
  for (const [name, dims] of [
    ['source', from],
    ['destination', to],
  ] as const)
    if (new Set(dims).size !== dims.length)
      throw new ShapeError(`movedim: a ${name} dim appears twice in [${dims.join(', ')}]`, {
        fix: 'name each dim once',
      })
  const rest = Array.from({ length: rank }, (_, d) => d).filter(d => !from.includes(d))
  return Array.from({ length: rank }, (_, d) => (to.includes(d) ? from[to.indexOf(d)]! : rest.shift()!))
}

const movedim = view({
  name: 'movedim',
  summary: 'self with dims moved to other positions; the others keep their order.',
  signature: 'self, source: dims, destination: dims',
  details: { source: 'the dims that move', destination: 'where they go, one for each' },
  shape: 'the shape of self in the new order',
  errors: { ArgumentError: 'when the two lists differ in length', ShapeError: 'when a dim appears twice' },
  note: 'A view.',
  call: ({ self, source, destination }) => {
    if (source.length !== destination.length)
      throw new ArgumentError(`movedim: ${source.length} source dims and ${destination.length} destinations`, {
        fix: 'give one destination per source',
      })
    return viewCall(self, { source, destination })
  },
  build: (b, node, attrs: MoveAttrs) =>
    rankOf(node) === 0 ? node : permuteTo(b, node, movedOrder(rankOf(node), attrs)),
})

// --- rolls and rotations -------------------------------------------------------------------------------------------------

type RollAttrs = { readonly shifts: readonly Size[]; readonly dims: readonly number[] | null }

/** Moves the last `shift` slices along a dim before the others. */
function rollDim(b: GraphBuilder, node: GraphNode, dim: number, shift: Size): GraphNode {
  const size = shapeOf(node)[dim]!
  if (size === 0) return node
  if (rangeOf(size).min < 1)
    throw new SymbolicShapeError(`roll: whether dim ${dim} is empty is not known`, [size], size)
  const first = modSizes(shift, size)
  if (first === 0) return node
  const part = (start: Size, length: Size): GraphNode => {
    const attrs = wholeSlice(shapeOf(node))
    attrs.starts[dim] = start
    attrs.sizes[dim] = length
    return sliceTo(b, node, attrs)
  }
  return b.node('cat', [part(subSizes(size, first), first), part(0, subSizes(size, first))], { dim })
}

const roll = view({
  name: 'roll',
  category: 'index',
  summary: 'self shifted along the dims by shifts, wrapping around. Without dims self is flattened for the shift.',
  signature: 'self, shifts: index | indices, dims: dims | null = null',
  shape: asInput,
  details: {
    shifts: 'how far, one per dim; negative ones to the front',
    dims: 'one or several; without them the flattened tensor is rolled',
  },
  errors: { ArgumentError: 'when there is not one shift per dim' },
  call: ({ self, shifts: given, dims }) => {
    const shifts = typeof given === 'number' || given instanceof SizeExpr ? [given] : given
    if (shifts.length !== (dims?.length ?? 1))
      throw new ArgumentError(`roll: ${shifts.length} shifts for ${dims?.length ?? 'no'} dims`, {
        fix: 'give one shift per dim',
      })
    return viewCall(self, { shifts, dims })
  },
  build: (b, node, { shifts, dims }: RollAttrs) => {
    const shape = shapeOf(node)
    if (shape.length === 0) return copyOf(b, node)
    if (dims === null)
      return copyOf(b, reshapeTo(b, rollDim(b, reshapeTo(b, node, [productOf(shape)]), 0, shifts[0]!), shape))
    const rolled = dims.reduce((x, dim, i) => rollDim(b, x, normalizeDim('roll', dim, shape.length), shifts[i]!), node)
    return copyOf(b, rolled)
  },
})

type RotAttrs = { readonly k: number; readonly dims: readonly number[] }

const rot90 = view({
  name: 'rot90',
  category: 'index',
  summary: 'self rotated by k · 90° in the plane of two dims, from the first towards the second.',
  signature: 'self, k: int = 1, dims: ints = [0,1]',
  details: { k: 'how many quarters; negative ones turn back', dims: 'the plane of rotation: two dims' },
  shape: 'the shape of self, with the two sizes swapped when k is odd',
  errors: {
    ArgumentError: 'when dims are not two',
    ShapeError: 'when self has fewer than two dims, or the two are one',
  },
  call: ({ self, k, dims }) => {
    if (dims.length !== 2)
      throw new ArgumentError(`rot90: takes two dims, got [${dims.join(', ')}]`, {
        fix: 'give the plane of rotation: [0, 1]',
      })
    return viewCall(self, { k, dims })
  },
  build: (b, node, { k, dims }: RotAttrs) => {
    const rank = rankOf(node)
    if (rank < 2)
      throw new ShapeError(`rot90: needs at least two dims, got ${printShape(shapeOf(node))}`, {
        fix: 'give it two dims: x.unsqueeze(0)',
      })
    const [first, second] = dims.map(dim => normalizeDim('rot90', dim, rank)) as [number, number]
    if (first === second) throw new ShapeError(`rot90: dim ${first} is given twice`, { fix: 'give two different dims' })
    const flip = (x: GraphNode, flipped: readonly number[]): GraphNode =>
      slicingRecords.flip.build(b, [{ node: x, isNumber: false }], { dims: flipped })[0]!
    const order = Array.from({ length: rank }, (_, d) => (d === first ? second : d === second ? first : d))
    const turns = ((k % 4) + 4) % 4
    if (turns === 0) return copyOf(b, node)
    if (turns === 2) return flip(node, [first, second])
    return turns === 1 ? permuteTo(b, flip(node, [second]), order) : flip(permuteTo(b, node, order), [second])
  },
})

// --- repetition ------------------------------------------------------------------------------------------------------------

/** Adds a dim of copies before each dim and merges the two. */
function buildRepeat(b: GraphBuilder, node: GraphNode, repeats: Shape): GraphNode {
  const lead = repeats.length - rankOf(node)
  const shape: Shape = [...repeats.slice(0, lead).map(() => 1), ...shapeOf(node)]
  const spread = reshapeTo(
    b,
    node,
    shape.flatMap(size => [1, size]),
  )
  const expanded = expandTo(
    b,
    spread,
    shape.flatMap((size, d) => [repeats[d]!, size]),
  )
  return copyOf(
    b,
    reshapeTo(
      b,
      expanded,
      shape.map((size, d) => mulSizes(size, repeats[d]!)),
    ),
  )
}

const repeat = view({
  name: 'repeat',
  category: 'index',
  summary: 'self repeated repeats[d] times along each dim d; more counts than dims add leading dims.',
  signature: 'self, ...repeats: sizes',
  shape: 'the sizes of self times repeats',
  details: { repeats: 'how often along each dim; further counts in front add dims' },
  errors: { ShapeError: 'when there are fewer counts than dims' },
  build: (b, node, { repeats }) => {
    if (repeats.length < rankOf(node))
      throw new ShapeError(`repeat: ${repeats.length} counts for ${printShape(shapeOf(node))}`, {
        fix: 'give one count per dim, or use tile()',
      })
    return buildRepeat(b, node, repeats)
  },
})

const padded = (repeats: Shape, rank: number): Shape => [
  ...new Array<number>(Math.max(0, rank - repeats.length)).fill(1),
  ...repeats,
]

const tile = view({
  name: 'tile',
  category: 'index',
  summary: 'As repeat; counts for missing leading dims are 1.',
  signature: 'self, ...dims: sizes',
  shape: 'the sizes of self times dims',
  details: { dims: 'how often along each dim, aligned at the last' },
  build: (b, node, { dims }) => buildRepeat(b, node, padded(dims, rankOf(node))),
})

type InterleaveAttrs = {
  /** null: the counts are a tensor, the last input. */
  readonly repeats: Size | null
  readonly dim: number | null
  /** The resulting size of the dim, if the counts are a tensor. */
  readonly outputSize: Size | null
  /** The counts are the only input: 0, 1, 2, … are repeated. */
  readonly ofIndices: boolean
}

/** For each position of the result the index of its source slice: [length]. Found by searching in the cumulative counts. */
function interleavedIndices(b: GraphBuilder, counts: GraphNode, length: Size): GraphNode {
  const ends = b.node('scan', [castTo(b, counts, 'i64')], { fn: 'add', dim: 0, reverse: false })
  const ones = full(b, 'i64', shapeOf(ends), 1)
  const passed = b.node('scatter', [full(b, 'i64', [length], 0), ends, ones], { dim: 0, fold: 'add' })
  return b.node('scan', [passed], { fn: 'add', dim: 0, reverse: false })
}

function interleave(b: GraphBuilder, flat: GraphNode, dim: number, repeats: Size): GraphNode {
  const shape = shapeOf(flat)
  const [before, after] = [shape.slice(0, dim + 1), shape.slice(dim + 1)]
  const spread = expandTo(b, reshapeTo(b, flat, [...before, 1, ...after]), [...before, repeats, ...after])
  return copyOf(b, reshapeTo(b, spread, [...before.slice(0, -1), mulSizes(shape[dim]!, repeats), ...after]))
}

/** repeatInterleave by one number, or by a tensor with one count per element. */
function buildInterleave(
  b: GraphBuilder,
  inputs: readonly OpInput[],
  { repeats, dim: asked, outputSize, ofIndices }: InterleaveAttrs,
): GraphNode {
  const [node, counts] = ofIndices ? [null, inputs[0]!.node] : [inputs[0]!.node, inputs[1]?.node]
  const source = node ?? b.node('iota', [], { length: shapeOf(counts!)[0] ?? 1, dtype: dtypeOf(counts!) })
  const flat = asked === null || rankOf(source) === 0 ? reshapeTo(b, source, [productOf(shapeOf(source))]) : source
  const dim = normalizeDim('repeatInterleave', asked ?? 0, rankOf(flat))
  if (repeats !== null) return interleave(b, flat, dim, repeats)
  const what = (): string =>
    `repeatInterleave: repeats ${printShape(shapeOf(counts!))} for dim ${dim} of ${printShape(shapeOf(flat))}`
  const fix = 'give one count for each slice, or one for all'
  if (rankOf(counts!) !== 1) throw new ShapeError(what(), { fix })
  if (!isInteger(dtypeOf(counts!)))
    throw new DtypeError(`repeatInterleave: repeats is ${dtypeOf(counts!)}`, { fix: "cast it: repeats.to('i64')" })
  requireEqual(shapeOf(counts!)[0]!, shapeOf(flat)[dim]!, what, fix)
  const index = interleavedIndices(b, counts!, outputSize!)
  return indexingRecords.indexSelect.build(
    b,
    [
      { node: flat, isNumber: false },
      { node: index, isNumber: false },
    ],
    { dim },
  )[0]!
}

const repeatInterleave = op({
  name: 'repeatInterleave',
  category: 'index',
  summary:
    'Each element (or slice along dim) repeats times in a row; without dim self is flattened. Without repeats, self holds the counts: i is repeated self[i] times.',
  signature: 'self, repeats: size | tensor | null = null, dim: dim | null = null, *, outputSize: size | null = null',
  shape: 'the shape of self with its elements repeated at dim; 1-D without dim',
  details: {
    repeats: 'how often each; a vector [n] has one count for each element along dim. Left out, self holds the counts',
    dim: 'the dim of the slices; without it self is flattened',
    outputSize: 'how long the dim becomes where repeats is a tensor: their sum; without it they are read',
  },
  dtypes: anyKept,
  call: ({ self, repeats, dim, outputSize }) => {
    const isNumber = repeats !== null && !isTensor(repeats)
    const ofIndices = repeats === null
    if (ofIndices && dim !== null && dim !== 0 && dim !== -1)
      throw new ArgumentError(`repeatInterleave: dim ${dim} of the counts`, {
        fix: 'repeatInterleave(x, repeats, dim)',
      })
    if (!isNumber && outputSize === null)
      throw new ArgumentError('repeatInterleave: the length of the result follows from the values of repeats', {
        fix: 'say it: { outputSize }',
      })
    const attrs = { repeats: isNumber ? repeats : null, dim, outputSize: isNumber ? null : outputSize, ofIndices }
    return call(repeats === null || !isTensor(repeats) ? [self] : [self, repeats], attrs)
  },
  results: null,
  build: (b: GraphBuilder, inputs: readonly OpInput[], attrs: InterleaveAttrs) => [buildInterleave(b, inputs, attrs)],
})

// --- diagonals -------------------------------------------------------------------------------------------------------------

type DiagonalAttrs = { readonly offset: Size; readonly dim1: number; readonly dim2: number }

/** The view of a diagonal. One with a run-time offset is the main diagonal of a slice. */
function diagonalOf(b: GraphBuilder, node: GraphNode, attrs: DiagonalAttrs): GraphNode {
  const { offset } = attrs
  const shape = shapeOf(node)
  if (typeof offset === 'number' || shape.length < 2)
    return b.node('affine', [node], diagonalView(shape, { ...attrs, offset: Number(offset) }))
  const what = (): string => `diagonal: ${offset} of ${printShape(shape)}`
  const starts = signedParts(offset, what)
  const rest = wholeSlice(shape)
  for (const [i, asked] of [attrs.dim1, attrs.dim2].entries()) {
    const dim = normalizeDim('diagonal', asked, shape.length)
    const [size, start] = [shape[dim]!, starts[i]!]
    const isInside = decideAtLeast(size, start, what)
    rest.starts[dim] = isInside ? start : 0
    rest.sizes[dim] = isInside ? subSizes(size, start) : 0
  }
  const cut = sliceTo(b, node, rest)
  return b.node('affine', [cut], diagonalView(shapeOf(cut), { ...attrs, offset: 0 }))
}

/** The view's dims: the other dims, then the position along the diagonal. */
function diagonalView(shape: Shape, attrs: DiagonalAttrs & { readonly offset: number }): GraphOps['affine'] {
  if (shape.length < 2)
    throw new ShapeError(`diagonal: needs at least two dims, got ${printShape(shape)}`, {
      fix: 'diagEmbed makes a matrix of a vector',
    })
  const [row, column] = [attrs.dim1, attrs.dim2].map(dim => normalizeDim('diagonal', dim, shape.length)) as [
    number,
    number,
  ]
  if (row === column)
    throw new ShapeError(`diagonal: dim1 and dim2 are both ${row}`, { fix: 'give two different dims' })
  const [down, right] = [Math.max(0, -attrs.offset), Math.max(0, attrs.offset)]
  const length = maxSizes(0, minSizes(addSizes(shape[row]!, -down), addSizes(shape[column]!, -right)))
  const rest = shape.map((_, d) => d).filter(d => d !== row && d !== column)
  const starts = shape.map((_, d) => (length === 0 ? 0 : d === row ? down : d === column ? right : 0))
  const factors = shape.map((_, d) => [...rest.map(other => Number(other === d)), Number(d === row || d === column)])
  return { shape: [...rest.map(d => shape[d]!), length], starts, factors }
}

const diagonal = view({
  name: 'diagonal',
  summary:
    'The diagonals of the matrices in dims dim1 and dim2 as the last dim; offset > 0 is above the main diagonal, < 0 below.',
  signature: 'self, offset: index = 0, dim1: dim = 0, dim2: dim = 1',
  details: { offset: 'which diagonal: to the right of the main one, negative ones below it' },
  shape: 'the other dims, then the length of the diagonal',
  errors: { ShapeError: 'when self has fewer than two dims, or dim1 is dim2' },
  note: 'A view.',
  build: diagonalOf,
})

/** A square matrix with the vector on one diagonal. */
function placeDiagonal(x: GraphTensor, offset: Size): GraphTensor {
  const [down, right] = signedParts(offset, () => `diag: ${offset} of ${printShape(x.shape)}`)
  const size = addSizes(x.size(0), addSizes(down, right))
  const on = x.iota(size).eq(x.iota(size).unsqueeze(1).add(x.count(offset, 'i64')))
  // The vector at its columns; values beside it do not matter.
  const parts = [x.full([right], 0), x, x.full([down], 0)].filter(part => part.size(0) !== 0)
  const line = parts.length === 0 ? x : x.joined(parts, 0)
  return on.where(line.expandTo([size, size]), x.full([size, size], 0))
}

const diag = view({
  name: 'diag',
  category: 'index',
  summary: 'The diagonal of a matrix (a copy), or a matrix with a vector on its diagonal.',
  signature: 'self, diagonal: index = 0',
  details: { diagonal: 'which diagonal: to the right of the main one, negative ones below it' },
  shape: '[n] of a matrix; [n + |diagonal|, n + |diagonal|] of a vector',
  errors: { ShapeError: 'when self is neither a vector nor a matrix' },
  build: (b, node, { diagonal: offset }) => {
    if (rankOf(node) === 1) return placeDiagonal(new GraphTensor(b, node), offset).node
    if (rankOf(node) !== 2)
      throw new ShapeError(`diag: takes a vector or a matrix, got ${printShape(shapeOf(node))}`, {
        fix: 'use diagonal, which takes any number of dims, or diagEmbed',
      })
    return copyOf(b, diagonalOf(b, node, { offset, dim1: 0, dim2: 1 }))
  },
})

const trace = compose({
  name: 'trace',
  summary: 'Σ of the diagonal of a matrix; integers give i64.',
  category: 'reduction',
  signature: 'self',
  shape: scalar,
  dtypes: { takes: 'any', gives: 'summed' },
  errors: { ShapeError: 'when self is no matrix' },
  keeps: ['self'],
  body: ({ self }) => {
    if (self.rank !== 2)
      throw new ShapeError(`trace: takes a matrix, got ${printShape(self.shape)}`, {
        fix: 'sum the diagonals of a batch: x.diagonal(0, -2, -1).sum(-1)',
      })
    return self.with(diagonalOf(self.b, self.node, { offset: 0, dim1: 0, dim2: 1 })).sum()
  },
})

// --- windows ---------------------------------------------------------------------------------------------------------------

/**
 * Windows along dims from `dim` on, each of `size` elements `dilation` apart, a new one every `step`; their elements are new last dims.
 * The sizes must fit.
 */
export const windowsOf = (
  b: GraphBuilder,
  node: GraphNode,
  dim: number,
  ...windows: readonly DimWindows[]
): GraphNode => b.node('affine', [node], windowsView(shapeOf(node), dim, windows))

/** The view that `windowsOf` is, of a tensor of this shape. */
export function windowsView(shape: Shape, dim: number, windows: readonly DimWindows[]): GraphOps['affine'] {
  const along = (d: number): DimWindows | undefined => windows[d - dim]
  const counts = shape.map((length, d) => {
    const own = along(d)
    return own === undefined ? length : windowsIn(length, own)
  })
  const factors = shape.map((_, d) => [
    ...shape.map((_, o) => (o === d ? (along(d)?.step ?? 1) : 0)),
    ...windows.map((own, i) => (dim + i === d ? own.dilation : 0)),
  ])
  return { shape: [...counts, ...windows.map(({ size }) => size)], starts: shape.map(() => 0), factors }
}

const unfold = view({
  name: 'unfold',
  summary: 'Windows of size elements along a dim, a new one every step, as a new last dim; they may overlap.',
  signature: 'self, dimension: dim, size: positive, step: positive',
  details: { dimension: 'the dim', size: 'the size of a window', step: 'the distance between window starts' },
  shape: 'the shape of self with the number of windows at dimension, and size as a last dim',
  errors: { ShapeError: 'when no window fits, or self is 0-d' },
  note: 'A view. What torch.nn.functional calls unfold, windows as columns, is im2col.',
  build: (b, node, { dimension, size, step }) => {
    const shape = shapeOf(node)
    if (shape.length === 0)
      throw new ShapeError('unfold: a 0-d tensor has no dim', { fix: 'give it a dim: x.unsqueeze(0)' })
    const dim = normalizeDim('unfold', dimension, shape.length)
    const what = (): string => `unfold: windows of ${size} do not fit dim ${dim} of ${printShape(shape)}`
    if (!decideAtLeast(shape[dim]!, size, what))
      throw new ShapeError(what(), { fix: `use a size of at most ${rangeOf(shape[dim]!).max}` })
    return windowsOf(b, node, dim, { size, step, dilation: 1 })
  },
})

// --- differences and classes -----------------------------------------------------------------------------------------------

const diff = compose({
  name: 'diff',
  summary:
    'The differences of neighbours along a dim, n times, of self with prepend and append concatenated before and after it; of bool: whether they differ.',
  category: 'index',
  signature: 'self, n: count = 1, dim: dim = -1, prepend: tensor | null = null, append: tensor | null = null',
  shape: 'the joined shape, with n fewer at dim (at least 0)',
  dtypes: anyPromoted,
  details: {
    n: 'how many times',
    prepend: 'concatenated before self along dim; of its shape in the other dims',
    append: 'concatenated after self along dim; of its shape in the other dims',
  },
  errors: { ShapeError: 'when self is 0-d, or prepend or append does not fit it' },
  keeps: ['self', 'prepend', 'append'],
  body: ({ self, n, dim: asked, prepend, append }) => {
    if (n === 0) return self.copied()
    const parts = [prepend, self, append].filter(part => part !== null)
    const joined = parts.map(({ node }) => node)
    const x = parts.length === 1 ? self : self.with(buildCat(self.b, joined, asked, 'diff'))
    if (x.rank === 0) throw new ShapeError('diff: a 0-d tensor has no neighbours', { fix: 'give it a dim' })
    const dim = normalizeDim('diff', asked, x.rank)
    const length = x.size(dim)
    const what = (): string => `diff: ${n} times along dim ${dim} of ${printShape(x.shape)}`
    const steps = decideAtLeast(length, n, what) ? n : Math.min(n, knownSize('diff', length))
    let rest = x
    for (let i = 0; i < steps; i++) {
      const [left, right] = [0, 1].map(start => rest.part(dim, start, addSizes(rest.size(dim), -1))) as [
        GraphTensor,
        GraphTensor,
      ]
      rest = x.dtype === 'bool' ? right.bitwiseXor(left) : right.sub(left)
    }
    return rest
  },
})

const oneHot = compose({
  name: 'oneHot',
  summary: 'For each class index a vector (i64) with a 1 at that index; an index out of range gives zeros.',
  category: 'index',
  signature: 'tensor, numClasses: index = -1',
  shape: 'the shape of tensor, then numClasses',
  dtypes: { takes: 'integer', gives: 'i64' },
  details: {
    tensor: 'class indices, of any shape',
    numClasses: 'how many classes: how long a row is; −1: one more than the largest index, which is read',
  },
  errors: { ArgumentError: 'when numClasses is below 1' },
  note: `${outOfRange} gives zeros.`,
  keeps: ['tensor'],
  check: ({ numClasses }) => {
    if (numClasses === -1)
      throw new ArgumentError('oneHot: numClasses is not given, and the largest index is not known before it is read', {
        fix: 'oneHot(x, numClasses)',
      })
    if (rangeOf(numClasses).max < 1)
      throw new ArgumentError(`oneHot: numClasses is ${numClasses}`, { fix: 'use at least 1' })
  },
  body: ({ tensor, numClasses }) => {
    if (!isInteger(tensor.dtype))
      throw new DtypeError(`oneHot: the index is ${tensor.dtype}`, { fix: "cast it: x.to('i64')" })
    return tensor.as('i64').unsqueeze(-1).eq(tensor.iota(numClasses)).as('i64')
  },
  gradient: 'none',
})

// --- padding ---------------------------------------------------------------------------------------------------------------

export type PadMode = 'constant' | 'reflect' | 'replicate' | 'circular'
type PadAttrs = { readonly pad: readonly Size[]; readonly mode: PadMode; readonly value: number | bigint }

/** Throws ShapeError for a padding that does not fit its dims or its mode. */
function checkPad(shape: Shape, { pad, mode }: PadAttrs): void {
  if (pad.length > 2 * shape.length)
    throw new ShapeError(`pad: ${pad.length} sizes for ${printShape(shape)}`, {
      fix: 'give two per dim, from the last dim on: [left, right, top, bottom]',
    })
  for (let i = 0; i < pad.length; i += 2) {
    const dim = shape.length - 1 - i / 2
    const size = shape[dim]!
    const what = (): string => `pad: [${pad[i]}, ${pad[i + 1]}] on dim ${dim} of ${printShape(shape)}`
    const [cut, added] = sidesOf([pad[i]!, pad[i + 1]!], what)
    const left = subSizes(size, addSizes(...cut))
    const most = mode === 'reflect' ? addSizes(size, -1) : left
    for (const count of mode === 'reflect' || mode === 'circular' ? added.filter(one => one !== 0) : [])
      if (!decideAtLeast(most, count, what))
        throw new ShapeError(`${what()} is too much for mode '${mode}'`, { fix: `use at most ${most}` })
    const isWider = mode === 'replicate' && added.some(count => count !== 0)
    if (isWider && !decideAtLeast(size, 1, what) && decideAtLeast(addSizes(pad[i]!, pad[i + 1]!), 1, what))
      throw new ShapeError(`${what()}: there is nothing to repeat`, { fix: "pad it with a value: mode 'constant'" })
    if (cut.some(count => count !== 0) && !decideAtLeast(left, 0, what))
      throw new ShapeError(`${what()} takes away more than there is`, { fix: 'crop by less' })
  }
}

type Sides = readonly [before: Size, after: Size]

/** Splits padding into cropping and added elements per side. */
function sidesOf([before, after]: Sides, what: () => string): readonly [cut: Sides, added: Sides] {
  const [front, back] = [signedParts(before, what), signedParts(after, what)]
  return [
    [front[0], back[0]],
    [front[1], back[1]],
  ]
}

/** `value` around the elements: [before, after] per dim; a negative count cuts. */
export function padConstant(
  b: GraphBuilder,
  node: GraphNode,
  sides: readonly Sides[],
  value: number | bigint,
): GraphNode {
  const attrs = wholeSlice(shapeOf(node))
  const parts = sides.map(side => sidesOf(side, () => `pad: [${side}]`))
  for (const [d, [cut]] of parts.entries()) {
    attrs.starts[d] = cut[0]
    attrs.sizes[d] = subSizes(attrs.sizes[d]!, addSizes(...cut))
  }
  const cut = sliceTo(b, node, attrs)
  const [before, after] = [parts.map(([, added]) => added[0]), parts.map(([, added]) => added[1])]
  if ([...before, ...after].every(count => count === 0)) return cut
  const shape = shapeOf(cut).map((size, d) => addSizes(size, addSizes(before[d]!, after[d]!)))
  const fill = constant(b, dtypeOf(node), value)
  if (productOf(shapeOf(cut)) === 0 || fill.op !== 'constant') return expandTo(b, fill, shape)
  if (!areKnown(before) || !areKnown(after)) return framed(b, cut, fill, before, after)
  return b.node('pad', [cut], { before, after, value: fill.attrs.value })
}

const areKnown = (sizes: readonly Size[]): sizes is readonly number[] => sizes.every(size => typeof size === 'number')

/** Padding by run-time amounts, by concatenating a part on each side; the primitive `pad` needs constants. */
function framed(
  b: GraphBuilder,
  node: GraphNode,
  fill: GraphNode,
  before: readonly Size[],
  after: readonly Size[],
): GraphNode {
  return shapeOf(node).reduce((inner, _, dim) => {
    const side = (count: Size): GraphNode[] => (count === 0 ? [] : [expandTo(b, fill, shapeOf(inner).with(dim, count))])
    const parts = [...side(before[dim]!), inner, ...side(after[dim]!)]
    return parts.length === 1 ? inner : b.node('cat', parts, { dim })
  }, node)
}

/** Crops negative padding, then concatenates parts before and after along one dim. */
export function padDim(
  b: GraphBuilder,
  node: GraphNode,
  dim: number,
  asked: Sides,
  mode: PadMode,
  value: number | bigint = 0,
): GraphNode {
  if (mode === 'constant') {
    const sides = shapeOf(node).map((_, d): Sides => (d === dim ? asked : [0, 0]))
    return padConstant(b, node, sides, value)
  }
  const size = shapeOf(node)[dim]!
  const part = (start: Size, length: Size, step = 1): GraphNode => {
    const attrs = wholeSlice(shapeOf(node))
    attrs.starts[dim] = start
    attrs.steps[dim] = step
    attrs.sizes[dim] = length
    return sliceTo(b, node, attrs)
  }
  const [[cutBefore, cutAfter], [before, after]] = sidesOf(asked, () => `pad: [${asked}] on dim ${dim}`)
  const middle = part(cutBefore, subSizes(size, addSizes(cutBefore, cutAfter)))
  const edge = (count: Size, atEnd: boolean): GraphNode[] => {
    if (count === 0) return []
    const shape = shapeOf(node).map((own, d) => (d === dim ? count : own))
    if (mode === 'replicate') return [expandTo(b, part(atEnd ? addSizes(size, -1) : 0, 1), shape)]
    if (mode === 'circular') return [part(atEnd ? 0 : subSizes(size, count), count)]
    return [part(atEnd ? addSizes(size, -2) : count, count, -1)]
  }
  // Circular padding repeats the cropped tensor.
  if (mode === 'circular' && (cutBefore !== 0 || cutAfter !== 0)) return padDim(b, middle, dim, [before, after], mode)
  const parts = [...edge(before, false), middle, ...edge(after, true)]
  return parts.length === 1 ? parts[0]! : b.node('cat', parts, { dim })
}

const pad = view({
  name: 'pad',
  category: 'index',
  summary: 'self padded before and after its last dims by [left, right, top, bottom, …]; negative amounts crop.',
  signature:
    "self, pad: indices, mode: 'constant' | 'reflect' | 'replicate' | 'circular' = 'constant', value: scalar | null = null",
  shape: 'the sizes of self plus the padding before and after',
  details: {
    pad: '[before, after] per dim, from the last dim on: [left, right, top, bottom, …]; negative ones cut',
    mode: "the padding: 'constant' value, the elements mirrored without the edge ('reflect'), the edge ('replicate'), the other end ('circular')",
    value: "for mode 'constant', cast to the dtype; 0 unless given",
  },
  errors: {
    ArgumentError: 'when pad has an odd number of sizes',
    ShapeError:
      'when pad is of more dims than self has, cuts more than there is, or is more than reflect (size − 1) or circular (size) can fill',
  },
  note: "Any number of dims in every mode; PyTorch's others take the last one to three.",
  call: ({ self, pad, mode, value }) => {
    if (pad.length % 2 !== 0)
      throw new ArgumentError(`pad: takes two sizes per dim, got [${pad.join(', ')}]`, {
        fix: 'give two per dim, from the last dim on: [left, right, top, bottom]',
      })
    return viewCall(self, { pad, mode, value: typeof value === 'bigint' ? value : Number(value ?? 0) })
  },
  build: (b, node, attrs: PadAttrs) => {
    const { pad: sizes, mode, value } = attrs
    const rank = rankOf(node)
    checkPad(shapeOf(node), attrs)
    const sides = shapeOf(node).map((_, d): Sides => {
      const at = 2 * (rank - 1 - d)
      return [sizes[at] ?? 0, sizes[at + 1] ?? 0]
    })
    if (mode === 'constant') return copyOf(b, padConstant(b, node, sides, value))
    const padded = sides.reduceRight((inner, side, d) => padDim(b, inner, d, side, mode), node)
    return copyOf(b, padded)
  },
})

export const rearrangeRecords = {
  unflatten,
  movedim,
  roll,
  rot90,
  repeat,
  tile,
  repeatInterleave,
  diagonal,
  diag,
  trace,
  unfold,
  diff,
  oneHot,
  pad,
}
