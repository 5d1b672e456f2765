/** What the numbers that `maxPool` gives mean: which element of the image each is, and the other way round. */
import { ceilDivSizes, mulSizes, productOf, rangeOf, type Size } from '../../scalar/size.js'
import {
  castTo,
  countOf,
  dtypeOf,
  expandTo,
  full,
  reshapeTo,
  shapeOf,
  sliceTo,
  toCompute,
  wholeSlice,
} from '../build.js'
import type { GraphBuilder, GraphNode, Shape } from '../ir.js'
import type { Windows } from '../windows.js'
import { type Emit, emitter } from './elementwise.js'
import { padConstant } from './rearrange.js'

const product = (sizes: readonly number[]): number => sizes.reduce((a, c) => a * c, 1)

/** 0, 1, … along a dim of `shape`. */
function indexAlong(b: GraphBuilder, shape: Shape, dim: number, dtype: 'i32' | 'i64'): GraphNode {
  const index = b.node('iota', [], { length: shape[dim]!, dtype })
  const along = shape.map((size, d) => (d === dim ? size : 1))
  return expandTo(b, reshapeTo(b, index, along), shape)
}

/**
 * The elements of windows [N, C, Y…] with these numbers, as indices into the flattened spatial dims of an image of `sizes`:
 * i64 [N, C, Y…].
 */
export function elementsAt(b: GraphBuilder, places: GraphNode, windows: Windows, sizes: Shape): GraphNode {
  const e = emitter(b)
  const { kernel, stride, padding, dilation } = windows
  const shape = shapeOf(places)
  const dtype = rangeOf(productOf(sizes)).max < 2 ** 31 ? 'i32' : 'i64'
  const numbers = castTo(b, places, dtype)
  const terms = sizes.map((_, d) => {
    const inner = product(kernel.slice(d + 1))
    const rest = d === 0 ? numbers : e('mod', numbers, product(kernel.slice(d)))
    const tap = inner === 1 ? rest : e('truncDiv', rest, inner)
    const start = e('sub', e('mul', indexAlong(b, shape, 2 + d, dtype), stride[d]!), padding[d]![0])
    const index = e('add', start, e('mul', tap, dilation[d]!))
    return e('mul', index, expandTo(b, countOf(b, productOf(sizes.slice(d + 1)), dtype), shape))
  })
  return castTo(
    b,
    terms.reduce((sum, term) => e('add', sum, term)),
    'i64',
  )
}

/** More windows than this that may cover an element are not all looked at: elements are added where the windows' numbers say. */
const mostCovering = 64
/** A number that no element of a window has. */
const noNumber = 1 << 24

/**
 * What stands at each window of `g` [N, C, Y…] put back to the element with its number, [N, C, `sizes`…]; where windows share
 * an element, the sum. Element i of a dim is i′ · stride + r: the windows i′ + m may cover it, each as the number that r and
 * m say.
 */
export function putAtPlaces(
  b: GraphBuilder,
  g: GraphNode,
  places: GraphNode,
  windows: Windows,
  sizes: Shape,
): GraphNode {
  const wide = toCompute(b, g)
  const dims = sizes.map((size, d) => coveringOf(windows, d, size, shapeOf(g)[2 + d]!))
  const many = product(dims.map(({ covering }) => covering.length)) > mostCovering
  const image = many ? scatteredTo(b, wide, places, windows, sizes) : gatheredFrom(b, wide, places, windows, dims)
  const { starts, steps } = wholeSlice(shapeOf(image))
  const whole = sliceTo(b, image, { starts, steps, sizes: [...shapeOf(g).slice(0, 2), ...sizes] })
  return castTo(b, whole, dtypeOf(g))
}

/** The windows that may cover the elements of a dim. */
interface Covering {
  /** How many i′ there are, and at most how many more than windows. */
  readonly blocks: Size
  readonly more: number
  readonly stride: number
  readonly covering: readonly Covered[]
}

/** How window i′ + m sees the elements i′ · stride + r: they are `first` + r behind its start. */
interface Covered {
  readonly m: number
  readonly first: number
}

function coveringOf(windows: Windows, d: number, size: Size, places: Size): Covering {
  const { kernel, stride, padding, dilation } = windows
  const [taps, step, apart, [before, after]] = [kernel[d]!, stride[d]!, dilation[d]!, padding[d]!]
  const reach = (taps - 1) * apart
  const blocks = ceilDivSizes(size, step)
  const [least, most] = [Math.ceil((before - reach) / step), Math.floor((step - 1 + before) / step)]
  const covering = Array.from({ length: most - least + 1 }, (_, i): Covered => {
    return { m: least + i, first: before - (least + i) * step }
  })
    .filter(({ first }) => Array.from({ length: step }, (_, r) => first + r).some(ahead => isTap(ahead, taps, apart)))
    .filter(({ m }) => typeof places !== 'number' || m < places)
    .filter(({ m }) => typeof blocks !== 'number' || m + blocks > 0)
  const more =
    typeof blocks === 'number' && typeof places === 'number'
      ? blocks - places
      : Math.floor((2 * step - 1 + reach - before - after) / step) - 1
  return { blocks, more, stride: step, covering }
}

/** Whether a window has an element so far behind its start. */
const isTap = (ahead: number, taps: number, apart: number): boolean =>
  ahead >= 0 && ahead % apart === 0 && ahead / apart < taps

/** [N, C, i′ · stride + r…], maybe with elements behind the last ones. */
function gatheredFrom(
  b: GraphBuilder,
  g: GraphNode,
  places: GraphNode,
  windows: Windows,
  dims: readonly Covering[],
): GraphNode {
  const e = emitter(b)
  const lead = shapeOf(g).slice(0, 2)
  const whole = [...lead, ...dims.flatMap(({ blocks, stride }) => [blocks, stride])]
  const none = [0, 0] as const
  /** The windows i′ + m, for all r; 0 where there is none. */
  const seen = (node: GraphNode, at: readonly Covered[]): GraphNode => {
    const sides = at.map(({ m }, d) => [-m, dims[d]!.more + m] as const)
    // Windows that are not needed are cut off first; how many there are may not be known.
    const areKnown = shapeOf(node).every(size => typeof size === 'number')
    const [cut, added] = [sides, sides.map(side => side.map(size => Math.max(0, size)) as [number, number])]
    const padded = padConstant(b, node, [none, none, ...(areKnown ? cut : added)], 0)
    const { starts, steps } = wholeSlice(shapeOf(padded))
    if (!areKnown) for (const [d, { m }] of at.entries()) starts[2 + d] = Math.max(0, m)
    const part = sliceTo(b, padded, { starts, steps, sizes: [...lead, ...dims.map(({ blocks }) => blocks)] })
    return expandTo(b, reshapeTo(b, part, [...lead, ...dims.flatMap(({ blocks }) => [blocks, 1])]), whole)
  }
  const zeros = full(b, dtypeOf(g), whole, 0)
  const terms = choices(dims.map(({ covering }) => covering)).map(at => {
    const number = numbersOf(b, e, windows, at, whole)
    return e('where', e('eq', castTo(b, seen(places, at), 'i32'), number), seen(g, at), zeros)
  })
  const sum = terms.length === 0 ? zeros : terms.reduce((all, term) => e('add', all, term))
  return reshapeTo(b, sum, [...lead, ...dims.map(({ blocks, stride }) => mulSizes(blocks, stride))])
}

const choices = <T>(lists: readonly (readonly T[])[]): readonly (readonly T[])[] =>
  lists.reduce<readonly (readonly T[])[]>((all, list) => all.flatMap(one => list.map(each => [...one, each])), [[]])

/** The numbers that the elements of all r have in windows i′ + m, [N, C, i′, r…]; `noNumber` or more: they are not in them. */
function numbersOf(
  b: GraphBuilder,
  e: Emit,
  { kernel, dilation }: Windows,
  at: readonly Covered[],
  shape: Shape,
): GraphNode {
  let known = 0
  const terms = at.flatMap(({ first }, d) => {
    const [inner, apart, dim] = [product(kernel.slice(d + 1)), dilation[d]!, 3 + 2 * d]
    const step = shape[dim] as number
    if (step === 1) {
      known += (first / apart) * inner
      return []
    }
    const ahead = e('add', indexAlong(b, [step], 0, 'i32'), first)
    const tests = [
      ...(first < 0 ? [e('ge', ahead, 0)] : []),
      ...(first + step > kernel[d]! * apart ? [e('lt', ahead, kernel[d]! * apart)] : []),
      ...(apart === 1 ? [] : [e('eq', e('mod', ahead, apart), 0)]),
    ]
    const number = e('mul', apart === 1 ? ahead : e('floorDiv', ahead, apart), inner)
    const own =
      tests.length === 0
        ? number
        : e(
            'where',
            tests.reduce((all, test) => e('and', all, test)),
            number,
            noNumber,
          )
    const along = shape.map((size, o) => (o === dim ? size : 1))
    return [expandTo(b, reshapeTo(b, own, along), shape)]
  })
  const constant = full(b, 'i32', shape, known)
  return terms.reduce((sum, term) => e('add', sum, term), constant)
}

function scatteredTo(b: GraphBuilder, g: GraphNode, places: GraphNode, windows: Windows, sizes: Shape): GraphNode {
  const [batch, channels, ...counts] = shapeOf(g) as [Size, Size, ...Size[]]
  const flat = [batch, channels, productOf(counts)]
  const index = reshapeTo(b, elementsAt(b, places, windows, sizes), flat)
  const zeros = full(b, dtypeOf(g), [batch, channels, productOf(sizes)], 0)
  const image = b.node('scatter', [zeros, index, reshapeTo(b, g, flat)], { dim: 2, fold: 'add' })
  return reshapeTo(b, image, [batch, channels, ...sizes])
}
