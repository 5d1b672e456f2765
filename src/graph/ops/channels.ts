/** Ops across channels: gates, shuffles, and the response norm. */
import { ShapeError } from '../../base/errors.js'
import { mulSizes, productOf, type Size } from '../../scalar/size.js'
import { normalizeDim, permuteTo, reshapeTo, shapeOf } from '../build.js'
import type { GraphBuilder, GraphNode, Shape } from '../ir.js'
import { decideQuotient, printShape } from '../sizes.js'
import { compose } from './compose.js'
import { rearrangeRecords, windowsOf } from './rearrange.js'
import { asInput, floatKept } from './texts.js'
import { view } from './view-record.js'

/** A size divided by a number. Throws ShapeError where there is a rest, SymbolicShapeError where it is not known. */
function divided(size: Size, by: number, problem: () => string): Size {
  const quotient = decideQuotient(size, by, problem)
  if (quotient === null) throw new ShapeError(problem())
  return quotient
}

// --- gates -------------------------------------------------------------------------------------------------------------

const glu = compose({
  name: 'glu',
  summary: 'The first half of self along a dim · sigmoid of the second.',
  category: 'reduction',
  signature: 'self, dim: dim = -1',
  shape: 'the shape of self with half the size at dim',
  dtypes: floatKept,
  errors: { ShapeError: 'when the size at dim is odd, or self is 0-d' },
  note: 'Dauphin et al., arXiv:1612.08083.',
  body: ({ self, dim: asked }) => {
    const { shape } = self
    if (shape.length === 0)
      throw new ShapeError('glu: a 0-d tensor has no halves', { fix: 'give it a dim of even size' })
    const dim = normalizeDim('glu', asked, shape.length)
    const half = divided(shape[dim]!, 2, () => `glu: dim ${dim} of ${printShape(shape)} does not divide into halves`)
    return self.part(dim, 0, half).mul(self.part(dim, half, half).sigmoid())
  },
})

// --- shuffles ------------------------------------------------------------------------------------------------------------

/** The dims before the last three, and those. */
function image(name: string, shape: Shape): { readonly lead: Shape; readonly own: readonly [Size, Size, Size] } {
  if (shape.length < 3)
    throw new ShapeError(`${name}: the input ${printShape(shape)} is not […, C, H, W]`, {
      fix: 'give it at least three dims: channels, height, width',
    })
  const [c, h, w] = shape.slice(-3) as [Size, Size, Size]
  return { lead: shape.slice(0, -3), own: [c, h, w] }
}

const copied = (b: GraphBuilder, node: GraphNode): GraphNode => b.node('copy', [node], {})

/** The dims of `lead`, then others counted from behind them. */
const after = (lead: Shape, ...dims: readonly number[]): readonly number[] => [
  ...lead.keys(),
  ...dims.map(d => lead.length + d),
]

const pixelShuffle = view({
  name: 'pixelShuffle',
  summary: '[…, C · r², H, W] as […, C, H · r, W · r].',
  category: 'index',
  signature: 'self, upscaleFactor: positive',
  shape: '[*, C / r², H · r, W · r] of [*, C, H, W]',
  details: { upscaleFactor: 'r: how many rows and columns become of one' },
  errors: { ShapeError: 'when self has fewer than three dims, or r² does not divide C' },
  note: 'Shi et al., arXiv:1609.05158.',
  build: (b, node, { upscaleFactor: r }) => {
    const { lead, own } = image('pixelShuffle', shapeOf(node))
    const [c, h, w] = own
    const what = (): string => `pixelShuffle: ${c} channels do not divide by ${r}²`
    const outputs = divided(c, r * r, what)
    const split = permuteTo(b, reshapeTo(b, node, [...lead, outputs, r, r, h, w]), after(lead, 0, 3, 1, 4, 2))
    return copied(b, reshapeTo(b, split, [...lead, outputs, mulSizes(h, r), mulSizes(w, r)]))
  },
})

const pixelUnshuffle = view({
  name: 'pixelUnshuffle',
  summary: '[…, C, H · r, W · r] as […, C · r², H, W].',
  category: 'index',
  signature: 'self, downscaleFactor: positive',
  shape: '[*, C · r², H / r, W / r] of [*, C, H, W]',
  details: { downscaleFactor: 'r: how many rows and columns become one' },
  errors: { ShapeError: 'when self has fewer than three dims, or r does not divide H and W' },
  build: (b, node, { downscaleFactor: r }) => {
    const { lead, own } = image('pixelUnshuffle', shapeOf(node))
    const [c] = own
    const [h, w] = own.slice(1).map(size => {
      const what = (): string => `pixelUnshuffle: spatial sizes ${own[1]}, ${own[2]} do not divide by ${r}`
      return divided(size, r, what)
    }) as [Size, Size]
    const split = permuteTo(b, reshapeTo(b, node, [...lead, c, h, r, w, r]), after(lead, 0, 2, 4, 1, 3))
    return copied(b, reshapeTo(b, split, [...lead, mulSizes(c, r * r), h, w]))
  },
})

const channelShuffle = view({
  name: 'channelShuffle',
  summary:
    '[N, C, …] with its channels interleaved over the groups: the first of each group, then the second of each, and so on.',
  category: 'index',
  signature: 'self, groups: positive',
  shape: asInput,
  details: { self: '[N, C, …]', groups: 'into how many groups the channels divide' },
  errors: { ShapeError: 'when groups does not divide C, or self has fewer than two dims' },
  build: (b, node, { groups }) => {
    const shape = shapeOf(node)
    if (shape.length < 2)
      throw new ShapeError(`channelShuffle: the input ${printShape(shape)} is not [N, C, …]`, {
        fix: 'give it at least two dims, the channels second: x.unsqueeze(0)',
      })
    const what = (): string => `channelShuffle: ${shape[1]} channels do not divide into ${groups} groups`
    const each = divided(shape[1]!, groups, what)
    const rest = productOf(shape.slice(2))
    const split = permuteTo(b, reshapeTo(b, node, [shape[0]!, groups, each, rest]), [0, 2, 1, 3])
    return copied(b, reshapeTo(b, split, shape))
  },
})

// --- response norm -------------------------------------------------------------------------------------------------------

const localResponseNorm = compose({
  name: 'localResponseNorm',
  summary: 'self / (k + alpha · mean of self² over size neighbouring channels)^beta, for self [N, C, …].',
  category: 'normalisation',
  signature: 'self, size: positive, alpha: number = 1e-4, beta: number = 0.75, k: number = 1',
  shape: asInput,
  dtypes: floatKept,
  details: {
    self: '[N, C, …]',
    size: 'how many channels count',
    alpha: 'the factor of the mean',
    beta: 'the power',
    k: 'what is added to the mean',
  },
  errors: { ShapeError: 'when self has fewer than three dims' },
  body: ({ self, size, alpha, beta, k }) => {
    if (self.rank < 3)
      throw new ShapeError(`localResponseNorm: ${printShape(self.shape)} is not [N, C, …]`, {
        fix: 'give it at least three dims, the channels second',
      })
    const before = Math.floor(size / 2)
    const sides = [...self.shape.slice(2).flatMap(() => [0, 0]), before, size - 1 - before]
    const squares = self.mul(self).apply(rearrangeRecords.pad, sides)
    const sum = self.with(windowsOf(self.b, squares.node, 1, { size, step: 1, dilation: 1 })).summed([self.rank])
    const scale = sum.mul(alpha / size).add(k)
    // The usual power in two roots, which cost a fraction of a power.
    const root = scale.sqrt()
    return self.div(beta === 0.75 ? root.mul(root.sqrt()) : scale.pow(beta))
  },
})

export const channelRecords = { glu, pixelShuffle, pixelUnshuffle, channelShuffle, localResponseNorm }
