/** Images looked up at any places: between their elements, and beyond their edges. */
import { DtypeError, ShapeError } from '../../base/errors.js'
import { productOf, type Size } from '../../scalar/size.js'
import { computeDtype } from '../../types/dtype.js'
import {
  castTo,
  countOf,
  dtypeOf,
  expandTo,
  full,
  map,
  requireFloat,
  reshapeTo,
  shapeOf,
  sliceTo,
  wholeSlice,
} from '../build.js'
import type { GraphBuilder, GraphNode, Shape } from '../ir.js'
import { type OpInput, op } from '../record.js'
import type { AttrsOf } from '../signature.js'
import { printShape, requireEqual } from '../sizes.js'
import { floatKept } from './texts.js'

const signature =
  "self, grid, mode: 'bilinear' | 'nearest' | 'bicubic' = 'bilinear', paddingMode: 'zeros' | 'border' | 'reflection' = 'zeros', alignCorners: bool = false"
type Attrs = AttrsOf<typeof signature>

function checkGrid(input: Shape, grid: Shape, { mode }: Attrs): void {
  const what = (): string => `gridSample: the grid ${printShape(grid)} does not fit the input ${printShape(input)}`
  const fix = 'give an input [N, C, H, W] with a grid [N, h, w, 2], or [N, C, D, H, W] with [N, d, h, w, 3]'
  const spatial = input.length - 2
  if ((spatial !== 2 && spatial !== 3) || grid.length !== input.length) throw new ShapeError(what(), { fix })
  requireEqual(grid.at(-1)!, spatial, what, fix)
  requireEqual(grid[0]!, input[0]!, what, fix)
  if (mode === 'bicubic' && spatial !== 2)
    throw new ShapeError(`gridSample: mode 'bicubic' is for images, not for ${printShape(input)}`, {
      fix: "use mode 'bilinear'",
    })
}

// --- one dim ---------------------------------------------------------------------------------------------------------------

/** Arithmetic of one dim's places, all of one shape and dtype. */
class Line {
  constructor(
    readonly b: GraphBuilder,
    readonly shape: Shape,
    readonly dtype: 'f32' | 'f64',
    /** Of the input along this dim. */
    readonly size: Size,
  ) {}

  number(value: number): GraphNode {
    return full(this.b, this.dtype, this.shape, value)
  }

  /** factor · size + offset. */
  ofSize(factor: number, offset: number): GraphNode {
    const size = expandTo(this.b, countOf(this.b, this.size, this.dtype), this.shape)
    return this.add(this.mul(size, this.number(factor)), this.number(offset))
  }

  readonly add = (a: GraphNode, c: GraphNode): GraphNode => map(this.b, 'add', a, c)
  readonly sub = (a: GraphNode, c: GraphNode): GraphNode => map(this.b, 'sub', a, c)
  readonly mul = (a: GraphNode, c: GraphNode): GraphNode => map(this.b, 'mul', a, c)

  /** From −1 … 1 to places: of the elements' centres with alignCorners, else of their edges. */
  place(x: GraphNode, alignCorners: boolean): GraphNode {
    const scale = alignCorners ? this.ofSize(0.5, -0.5) : this.ofSize(0.5, 0)
    const grown = this.mul(this.add(x, this.number(1)), scale)
    return alignCorners ? grown : this.sub(grown, this.number(0.5))
  }

  within(x: GraphNode): GraphNode {
    return map(this.b, 'min', map(this.b, 'max', x, this.number(0)), this.ofSize(1, -1))
  }

  /** Mirrored at the edges until it lies between them. */
  reflected(x: GraphNode, alignCorners: boolean): GraphNode {
    const { b } = this
    const [low, span] = alignCorners ? [0, this.ofSize(1, -1)] : [-0.5, this.ofSize(1, 0)]
    const away = map(b, 'abs', this.sub(x, this.number(low)))
    const turns = map(b, 'floor', map(b, 'div', away, span))
    const rest = this.sub(away, this.mul(turns, span))
    const half = this.mul(turns, this.number(0.5))
    const isEven = map(b, 'eq', map(b, 'floor', half), half)
    const found = this.add(map(b, 'where', isEven, rest, this.sub(span, rest)), this.number(low))
    // One element has no span between its centres.
    const isPoint = map(b, 'eq', span, this.number(0))
    return this.within(map(b, 'where', isPoint, this.number(0), found))
  }

  padded(x: GraphNode, { paddingMode, alignCorners }: Attrs): GraphNode {
    if (paddingMode === 'zeros') return x
    return paddingMode === 'border' ? this.within(x) : this.reflected(x, alignCorners)
  }
}

interface Tap {
  readonly place: GraphNode
  /** null: 1. */
  readonly share: GraphNode | null
}

/** Keys' cubic with slope −0.75 at 1, of `x` between `from` and `from` + 1 away: a polynomial by Horner's rule. */
function cubicShare(line: Line, x: GraphNode, from: 0 | 1): GraphNode {
  const factors = from === 0 ? [1.25, -2.25, 0, 1] : [-0.75, 3.75, -6, 3]
  return factors
    .slice(1)
    .reduce((sum, factor) => line.add(line.mul(sum, x), line.number(factor)), line.number(factors[0]!))
}

function tapsOf(line: Line, coordinate: GraphNode, attrs: Attrs): readonly Tap[] {
  const { b } = line
  const raw = line.place(coordinate, attrs.alignCorners)
  if (attrs.mode === 'nearest') return [{ place: map(b, 'round', line.padded(raw, attrs)), share: null }]
  const exact = attrs.mode === 'bicubic' ? raw : line.padded(raw, attrs)
  const low = map(b, 'floor', exact)
  const after = line.sub(exact, low)
  const before = line.sub(line.number(1), after)
  const high = line.add(low, line.number(1))
  if (attrs.mode === 'bilinear')
    return [
      { place: low, share: before },
      { place: high, share: after },
    ]
  const at = (offset: number): GraphNode => line.padded(line.add(low, line.number(offset)), attrs)
  return [
    { place: at(-1), share: cubicShare(line, line.add(after, line.number(1)), 1) },
    { place: at(0), share: cubicShare(line, after, 0) },
    { place: at(1), share: cubicShare(line, before, 0) },
    { place: at(2), share: cubicShare(line, line.add(before, line.number(1)), 1) },
  ]
}

// --- all dims --------------------------------------------------------------------------------------------------------------

const combined = <T>(lists: readonly (readonly T[])[]): readonly (readonly T[])[] =>
  lists.reduce<readonly (readonly T[])[]>((all, list) => all.flatMap(head => list.map(tap => [...head, tap])), [[]])

/** The elements at one tap of each dim, times their shares: [N, C, places]. */
function sampled(b: GraphBuilder, image: GraphNode, taps: readonly Tap[], lines: readonly Line[]): GraphNode {
  const [n, c] = shapeOf(image) as [Size, Size]
  const count = lines[0]!.shape[1]!
  let flat = castTo(b, lines[0]!.number(0), 'i64')
  let inside = full(b, 'bool', lines[0]!.shape, true)
  for (const [d, { place }] of taps.entries()) {
    const line = lines[d]!
    const isIn = map(b, 'and', map(b, 'ge', place, line.number(0)), map(b, 'le', place, line.ofSize(1, -1)))
    inside = map(b, 'and', inside, isIn)
    const width = expandTo(b, countOf(b, line.size, 'i64'), line.shape)
    flat = map(b, 'add', map(b, 'mul', flat, width), castTo(b, line.within(place), 'i64'))
  }
  // What lies outside is 0, as an index that is out of range gives.
  const index = map(b, 'where', inside, flat, full(b, 'i64', shapeOf(flat), -1))
  const wide = (node: GraphNode): GraphNode => expandTo(b, reshapeTo(b, node, [n, 1, count]), [n, c, count])
  const elements = b.node('gather', [image, wide(index)], { dim: 2 })
  const shares = taps.flatMap(({ share }) => (share === null ? [] : [share]))
  if (shares.length === 0) return elements
  return map(b, 'mul', elements, wide(shares.reduce((x, y) => map(b, 'mul', x, y))))
}

function buildSample(b: GraphBuilder, input: GraphNode, grid: GraphNode, attrs: Attrs): GraphNode {
  const [size, places] = [shapeOf(input), shapeOf(grid)]
  checkGrid(size, places, attrs)
  requireFloat('gridSample', dtypeOf(input), "cast first: x.to('f32')")
  if (dtypeOf(grid) !== dtypeOf(input))
    throw new DtypeError(`gridSample: the input is ${dtypeOf(input)}, the grid ${dtypeOf(grid)}`, {
      fix: `cast one: grid.to('${dtypeOf(input)}')`,
    })
  const dtype = computeDtype(dtypeOf(input)) as 'f32' | 'f64'
  const [n, c, ...spatial] = size as [Size, Size, ...Size[]]
  const sizes = places.slice(1, -1)
  const count = productOf(sizes)
  const table = reshapeTo(b, castTo(b, grid, dtype), [n, count, spatial.length])
  const lines = spatial.map(own => new Line(b, [n, count], dtype, own))
  const taps = lines.map((line, d) => {
    const part = wholeSlice(shapeOf(table))
    // The grid says x first, which is the last dim.
    part.starts[2] = spatial.length - 1 - d
    part.sizes[2] = 1
    return tapsOf(line, reshapeTo(b, sliceTo(b, table, part), [n, count]), attrs)
  })
  const image = reshapeTo(b, castTo(b, input, dtype), [n, c, productOf(spatial)])
  const parts = combined(taps).map(each => sampled(b, image, each, lines))
  const sum = parts.reduce((x, y) => map(b, 'add', x, y))
  return castTo(b, reshapeTo(b, sum, [n, c, ...sizes]), dtypeOf(input))
}

const gridSample = op({
  name: 'gridSample',
  summary:
    "[N, C, …] sampled at the points of a grid [N, …, 2 or 3], whose last dim holds x, y (and z) from −1 to 1: by mode 'bilinear', 'nearest' or 'bicubic'.",
  category: 'index',
  signature,
  details: {
    grid: 'the places, of the dtype of the input: x first, −1 and 1 at the edges',
    mode: 'what lies between the elements',
    paddingMode: 'what lies outside: 0, the element at the edge, or the mirrored image',
    alignCorners: "−1 and 1 are the corners' centres instead of their edges",
  },
  shape: '[N, C, …the spatial sizes of grid]',
  dtypes: floatKept,
  results: null,
  build: (b: GraphBuilder, [input, grid]: readonly OpInput[], attrs: Attrs) => [
    buildSample(b, input!.node, grid!.node, attrs),
  ],
  gradient: 'later',
})

export const gridSampleRecords = { gridSample }
