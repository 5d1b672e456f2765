/**
 * Lowers convolutions to matmuls, for targets without convolution kernels: the windows of the padded input are a view (an
 * implicit im2col), multiplied with the weight as a matrix; the result is reshaped to images.
 */
import { nodesOf } from '../../ir/walk.js'
import { exactQuotient, mulSizes, productOf } from '../../scalar/size.js'
import { castTo, expandTo, map, permuteTo, reduce, reshapeTo, shapeOf, sliceTo, wholeSlice } from '../build.js'
import type { GraphBuilder, GraphNode, GraphOps, Shape } from '../ir.js'
import { padConstant } from '../ops/rearrange.js'
import { paddedWindows } from '../ops/spatial.js'
import { dilatedSize } from '../windows.js'
import { type GraphPass, rebuild, remake } from './pass.js'
import { simplify } from './simplify.js'

type ConvNode = Extract<GraphNode, { op: 'conv' }>

/** `dilation` − 1 zeros after each element along a dim, but not after the last. */
function dilated(b: GraphBuilder, node: GraphNode, dim: number, dilation: number): GraphNode {
  if (dilation === 1) return node
  const shape = shapeOf(node)
  const size = shape[dim]!
  const column = reshapeTo(b, node, shape.toSpliced(dim + 1, 0, 1))
  const sides = shapeOf(column).map((_, d) => [0, d === dim + 1 ? dilation - 1 : 0] as const)
  const flat = reshapeTo(b, padConstant(b, column, sides, 0), shape.with(dim, mulSizes(size, dilation)))
  const attrs = wholeSlice(shapeOf(flat))
  attrs.sizes[dim] = dilatedSize(size, dilation)
  return sliceTo(b, flat, attrs)
}

type Form = Pick<GraphOps['conv'], 'stride' | 'padding' | 'dilation' | 'inputDilation' | 'groups' | 'accumulate'>

/** Images with fewer positions share the columns of one matmul, so that its tiles are full and the weight is read once. */
const smallImage = 512

/**
 * weight [groups, O / groups, C / groups · K…] times [N, groups, C / groups · K…, Y…], each column a window; or, where images are
 * small, times [C · K…, N · Y…]. A depthwise convolution, of one channel per group, is a sum over windows. The result is [N, O, Y…].
 */
function asMatmul(b: GraphBuilder, x: GraphNode, weight: GraphNode, form: Form): GraphNode {
  const { inputDilation, groups, accumulate } = form
  const [outputs, ...taps] = shapeOf(weight) as [Shape[number], ...Shape]
  const kernel = taps.slice(1)
  const spread = inputDilation.reduce((inner, dilation, d) => dilated(b, inner, 2 + d, dilation), x)
  const view = paddedWindows(b, spread, { ...form, kernel }, 0)
  const [batch, , ...positions] = shapeOf(view).slice(0, 2 + kernel.length) as [Shape[number], ...Shape]
  const [y, k] = [kernel.map((_, d) => 2 + d), kernel.map((_, d) => 2 + kernel.length + d)]
  const [depth, places] = [productOf(taps), productOf(positions)]
  if (groups > 1 && outputs === groups && taps[0] === 1) {
    const factors = reshapeTo(b, castTo(b, weight, accumulate), [groups, ...y.map(() => 1), ...kernel])
    const window = castTo(b, view, accumulate)
    const product = map(b, 'mul', window, expandTo(b, factors, shapeOf(view)))
    return reduce(b, 'add', product, k)
  }
  const matmul = (left: GraphNode, right: GraphNode): GraphNode =>
    b.node('matmul', [left, right], { accumulate, to: accumulate })
  if (groups === 1 && batch !== 1 && typeof batch === 'number' && typeof places === 'number' && places < smallImage) {
    const columns = reshapeTo(b, permuteTo(b, view, [1, ...k, 0, ...y]), [depth, batch * places])
    const product = matmul(reshapeTo(b, weight, [outputs, depth]), columns)
    const images = permuteTo(b, reshapeTo(b, product, [outputs, batch, places]), [1, 0, 2])
    return reshapeTo(b, images, [batch, outputs, ...positions])
  }
  const lead: Shape = groups === 1 ? [batch] : [batch, groups]
  const columns = reshapeTo(b, permuteTo(b, view, [0, 1, ...k, ...y]), [...lead, depth, places])
  const matrix = [exactQuotient(outputs, groups)!, depth]
  const left = expandTo(b, reshapeTo(b, weight, [...lead.slice(1), ...matrix]), [...lead, ...matrix])
  return reshapeTo(b, matmul(left, columns), [batch, outputs, ...positions])
}

/**
 * Results along a dim of which the input is dilated by s: those at first, first + s, first + 2s, … read the same taps, of
 * elements that are next to each other in the input. `places`: so many phases from `first` on read one tap each, of the same element.
 */
interface Phase {
  readonly first: number
  readonly places: number
  /** Taps tap, tap + step, …; for further places the tap is `perPlace` further. */
  readonly tap: number
  readonly step: number
  readonly taps: number
  readonly perPlace: number
  /** The element that the first tap of the first result reads; what lies outside the input is 0. */
  readonly from: number
  readonly dilation: number
}

/** The phases of a dim: of `before` zeros in front of the dilated input, and a kernel of `size` taps. */
function phasesOf(inputDilation: number, dilation: number, before: number, size: number): readonly Phase[] {
  const taps = Array.from({ length: size }, (_, tap) => tap)
  const found: Phase[] = []
  for (let first = 0; first < inputDilation; first++) {
    const own = taps.filter(tap => (first - before + tap * dilation) % inputDilation === 0)
    const [tap = 0, next = tap + inputDilation] = own
    const from = (first - before + tap * dilation) / inputDilation
    const last = found.at(-1)
    const perPlace = last === undefined ? 0 : (tap - last.tap) / last.places
    const joins = last?.taps === 1 && own.length === 1 && last.from === from
    if (joins && (last.places === 1 || last.perPlace === perPlace)) {
      found[found.length - 1] = { ...last, places: last.places + 1, perPlace }
      continue
    }
    const step = next - tap
    const spacing = (step * dilation) / inputDilation
    found.push({ first, places: 1, tap, step, taps: own.length, perPlace: 1, from, dilation: spacing })
  }
  return found
}

/**
 * A transposed convolution (a dilated input, windows at every place) as convolutions of the input itself, one for each phase of its
 * results: nothing multiplies the zeros between the elements. Null: sizes or padding do not suit.
 */
function byPhases(b: GraphBuilder, x: GraphNode, weight: GraphNode, form: Form, shape: Shape): GraphNode | null {
  const { inputDilation, dilation, padding, stride, groups } = form
  const [sizes, results, kernel] = [shapeOf(x).slice(2), shape.slice(2), shapeOf(weight).slice(2)]
  const pads = padding.flat()
  const isKnown = (size: Shape[number]): size is number => typeof size === 'number'
  if (!sizes.every(isKnown) || !results.every(isKnown) || !kernel.every(isKnown) || !pads.every(isKnown)) return null
  if (groups > 1 || stride.some(step => step > 1)) return null
  const counts = results.map((size, d) => Math.ceil(size / inputDilation[d]!))
  const phases = kernel.map((size, d) => phasesOf(inputDilation[d]!, dilation[d]!, pads[2 * d]!, size))
  const sidesOf = (phase: Phase, d: number): readonly [number, number] => {
    const reach = (phase.taps - 1) * phase.dilation
    return [-phase.from, counts[d]! + phase.from + reach - sizes[d]!]
  }
  const cuts = (sides: readonly number[]): number => sides.reduce((sum, side) => sum + Math.min(side, 0), 0)
  const suits = (phase: Phase, d: number): boolean => phase.taps > 0 && sizes[d]! + cuts(sidesOf(phase, d)) > 0
  if (!phases.every((list, d) => list.every(phase => suits(phase, d)))) return null
  // Padded once, for all phases: each crops what is too much for it.
  const most = phases.map((list, d) => {
    const sides = list.map(phase => sidesOf(phase, d))
    return [Math.max(...sides.map(([before]) => before)), Math.max(...sides.map(([, after]) => after))] as const
  })
  const padded = padConstant(b, x, [[0, 0], [0, 0], ...most], 0)
  const interleaved = (d: number, chosen: readonly Phase[]): GraphNode => {
    if (d === kernel.length) return phaseOf(chosen)
    const parts = phases[d]!.map(phase => interleaved(d + 1, [...chosen, phase]))
    return parts.length === 1 ? parts[0]! : b.node('cat', parts, { dim: 3 + 2 * d })
  }
  /** [N, O, results, places, …]: the results of one phase per dim. */
  const phaseOf = (chosen: readonly Phase[]): GraphNode => {
    const places = chosen.map(phase => phase.places)
    const product = asMatmul(b, padded, tapsOf(b, weight, chosen), {
      ...form,
      padding: chosen.map((phase, d) => {
        const [before, after] = sidesOf(phase, d)
        return [before - most[d]![0], after - most[d]![1]] as const
      }),
      dilation: chosen.map(phase => phase.dilation),
      inputDilation: chosen.map(() => 1),
    })
    const [batch, outputs] = [shape[0]!, shape[1]!]
    const split = reshapeTo(b, product, [batch, ...places, outputs, ...counts])
    const rank = kernel.length
    return permuteTo(b, split, [0, 1 + rank, ...kernel.flatMap((_, d) => [2 + rank + d, 1 + d])])
  }
  const all = interleaved(0, [])
  const attrs = wholeSlice([shape[0]!, shape[1]!, ...counts.map((count, d) => count * inputDilation[d]!)])
  for (const [d, size] of results.entries()) attrs.sizes[2 + d] = size
  const merged = reshapeTo(b, all, [shape[0]!, shape[1]!, ...counts.map((count, d) => count * inputDilation[d]!)])
  return sliceTo(b, merged, attrs)
}

/** [O, C, kernel…] as [places… · O, C, taps…]: the taps that the places of one phase per dim read. */
function tapsOf(b: GraphBuilder, weight: GraphNode, chosen: readonly Phase[]): GraphNode {
  const [outputs, channels] = shapeOf(weight) as [Shape[number], Shape[number]]
  const attrs = wholeSlice(shapeOf(weight))
  for (const [d, { places, tap, step, taps, perPlace }] of chosen.entries()) {
    attrs.starts[2 + d] = tap
    attrs.steps[2 + d] = places > 1 ? perPlace : step
    attrs.sizes[2 + d] = places > 1 ? places : taps
  }
  const picked = sliceTo(b, weight, attrs)
  const split = reshapeTo(b, picked, [outputs, channels, ...chosen.flatMap(({ places, taps }) => [places, taps])])
  const order = [...chosen.map((_, d) => 2 + 2 * d), 0, 1, ...chosen.map((_, d) => 3 + 2 * d)]
  const rows = productOf([...chosen.map(({ places }) => places), outputs])
  return reshapeTo(b, permuteTo(b, split, order), [rows, channels, ...chosen.map(({ taps }) => taps)])
}

function expandedConv(b: GraphBuilder, node: ConvNode, inputs: readonly GraphNode[]): GraphNode {
  const [x, weight, bias] = inputs as [GraphNode, GraphNode, GraphNode?]
  const shape = shapeOf(node)
  const isDilated = node.attrs.inputDilation.some(dilation => dilation > 1)
  const phases = isDilated ? byPhases(b, x, weight, node.attrs, shape) : null
  const product = phases ?? asMatmul(b, x, weight, node.attrs)
  const flat = reshapeTo(b, product, [shape[0]!, shape[1]!, productOf(shape.slice(2))])
  const sum =
    bias === undefined ? flat : map(b, 'add', flat, expandTo(b, reshapeTo(b, bias, [shape[1]!, 1]), shapeOf(flat)))
  return reshapeTo(b, castTo(b, sum, node.attrs.to), shape)
}

export const expandConvolutions: GraphPass = {
  name: 'convolutions as matmuls',
  requires: 'a verified graph',
  guarantees: 'no conv: windows of the input, as a view, times the weight; the ops that replace it are simplified',
  run: graph => {
    if (!nodesOf(graph.body).some(({ op }) => op === 'conv')) return graph
    const expanded = rebuild(graph, 'convolutions as matmuls', (b, node, inputs) =>
      node.op === 'conv' ? b.withOrigin(node.origin, () => expandedConv(b, node, inputs)) : remake(b, node, inputs),
    )
    return simplify.run(expanded)
  },
}
