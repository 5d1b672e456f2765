/** Images sampled at arbitrary positions: between their elements, and beyond their edges. */
import { DtypeError, ShapeError } from '../../base/errors.js'
import { productOf, type Size } from '../../scalar/size.js'
import type { Shape } from '../ir.js'
import type { BoundAs } from '../signature.js'
import { printShape, requireEqual } from '../sizes.js'
import { compose } from './compose.js'
import type { GraphTensor } from './graph-tensor.js'
import { floatKept } from './texts.js'

const signature =
  "self, grid, mode: 'bilinear' | 'nearest' | 'bicubic' = 'bilinear', paddingMode: 'zeros' | 'border' | 'reflection' = 'zeros', alignCorners: bool = false"
type Attrs = Omit<BoundAs<typeof signature, GraphTensor>, 'self' | 'grid'>

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

/** factor · size + offset, as an operand for positions. */
const ofSize = (x: GraphTensor, size: Size, factor: number, offset: number): GraphTensor =>
  x.count(size).expandTo(x.shape).mul(factor).add(offset)

/**
 * Maps −1 … 1 to element positions: between the centres of the outer elements with alignCorners, else between their edges.
 */
function unnormalized(x: GraphTensor, size: Size, alignCorners: boolean): GraphTensor {
  const grown = x.add(1).mul(ofSize(x, size, 0.5, alignCorners ? -0.5 : 0))
  return alignCorners ? grown : grown.sub(0.5)
}

const within = (x: GraphTensor, size: Size): GraphTensor => x.maximum(0).minimum(ofSize(x, size, 1, -1))

/** Reflected at the edges until it is in range. */
function reflected(x: GraphTensor, size: Size, alignCorners: boolean): GraphTensor {
  const [low, span] = alignCorners ? [0, ofSize(x, size, 1, -1)] : [-0.5, ofSize(x, size, 1, 0)]
  const away = x.sub(low).abs()
  const turns = away.div(span).floor()
  const rest = away.sub(turns.mul(span))
  const half = turns.mul(0.5)
  const found = half.floor().eq(half).where(rest, span.sub(rest)).add(low)
  // One element has no span between its centres.
  return within(span.eq(0).where(0, found), size)
}

function padded(x: GraphTensor, size: Size, { paddingMode, alignCorners }: Attrs): GraphTensor {
  if (paddingMode === 'zeros') return x
  return paddingMode === 'border' ? within(x, size) : reflected(x, size, alignCorners)
}

/** One term of the interpolation along a dim: an element's position, and its weight. */
interface Tap {
  readonly position: GraphTensor
  /** null: 1. */
  readonly weight: GraphTensor | null
}

/** Keys' cubic with slope −0.75 at 1, of `x` between `from` and `from` + 1 away: a polynomial by Horner's rule. */
function cubicWeight(x: GraphTensor, from: 0 | 1): GraphTensor {
  const [first, ...factors] = from === 0 ? [1.25, -2.25, 0, 1] : [-0.75, 3.75, -6, 3]
  return factors.reduce<GraphTensor>((sum, factor) => sum.mul(x).add(factor), x.like(first!))
}

/** The taps along one dim for the given coordinates. */
function tapsOf(coordinate: GraphTensor, size: Size, attrs: Attrs): readonly Tap[] {
  const raw = unnormalized(coordinate, size, attrs.alignCorners)
  if (attrs.mode === 'nearest') return [{ position: padded(raw, size, attrs).round(), weight: null }]
  const exact = attrs.mode === 'bicubic' ? raw : padded(raw, size, attrs)
  const low = exact.floor()
  const after = exact.sub(low)
  const before = after.number(1).sub(after)
  if (attrs.mode === 'bilinear')
    return [
      { position: low, weight: before },
      { position: low.add(1), weight: after },
    ]
  const at = (offset: number): GraphTensor => padded(low.add(offset), size, attrs)
  return [
    { position: at(-1), weight: cubicWeight(after.add(1), 1) },
    { position: at(0), weight: cubicWeight(after, 0) },
    { position: at(1), weight: cubicWeight(before, 0) },
    { position: at(2), weight: cubicWeight(before.add(1), 1) },
  ]
}

// --- all dims --------------------------------------------------------------------------------------------------------------

const combined = <T>(lists: readonly (readonly T[])[]): readonly (readonly T[])[] =>
  lists.reduce<readonly (readonly T[])[]>((all, list) => all.flatMap(head => list.map(tap => [...head, tap])), [[]])

/** The elements of [N, C, image elements] at one tap of each dim, times their weights: [N, C, positions]. */
function sampled(image: GraphTensor, taps: readonly Tap[], spatial: Shape): GraphTensor {
  const [n, c] = image.shape as [Size, Size]
  const { shape } = taps[0]!.position
  const count = shape[1]!
  let flat = image.full(shape, 0, 'i64')
  let inside = image.full(shape, 1, 'bool')
  for (const [d, { position }] of taps.entries()) {
    const size = spatial[d]!
    inside = inside.logicalAnd(position.ge(0).logicalAnd(position.le(ofSize(position, size, 1, -1))))
    flat = flat.mul(flat.count(size)).add(within(position, size).as('i64'))
  }
  // Outside elements are 0: `gather` gives 0 for an index out of range.
  const wide = (x: GraphTensor): GraphTensor => x.shaped([n, 1, count]).expandTo([n, c, count])
  const elements = image.at(2, wide(inside.where(flat, -1)))
  const weights = taps.flatMap(({ weight }) => (weight === null ? [] : [weight]))
  return weights.length === 0 ? elements : elements.mul(wide(weights.reduce((x, y) => x.mul(y))))
}

const gridSample = compose({
  name: 'gridSample',
  summary:
    "[N, C, …] sampled at the points of a grid [N, …, 2 or 3], whose last dim holds x, y (and z) from −1 to 1: by mode 'bilinear', 'nearest' or 'bicubic'.",
  category: 'index',
  signature,
  details: {
    grid: 'the positions, of the dtype of the input: x first, −1 and 1 at the edges',
    mode: 'how values between the elements are interpolated',
    paddingMode: 'values outside of the image: 0, the element at the edge, or the mirrored image',
    alignCorners: "−1 and 1 are the corners' centres instead of their edges",
  },
  shape: '[N, C, …the spatial sizes of grid]',
  dtypes: floatKept,
  body: ({ self, grid, ...attrs }) => {
    checkGrid(self.shape, grid.shape, attrs)
    if (grid.given !== self.given)
      throw new DtypeError(`gridSample: the input is ${self.given}, the grid ${grid.given}`, {
        fix: `cast one: grid.to('${self.given}')`,
      })
    const [n, c, ...spatial] = self.shape as [Size, Size, ...Size[]]
    const sizes = grid.shape.slice(1, -1)
    const count = productOf(sizes)
    const table = grid.shaped([n, count, spatial.length])
    // The grid has x first, which is the last dim.
    const taps = spatial.map((size, d) =>
      tapsOf(table.part(2, spatial.length - 1 - d, 1).shaped([n, count]), size, attrs),
    )
    const image = self.shaped([n, c, productOf(spatial)])
    const parts = combined(taps).map(each => sampled(image, each, spatial))
    return parts.reduce((x, y) => x.add(y)).shaped([n, c, ...sizes])
  },
})

export const gridSampleRecords = { gridSample }
