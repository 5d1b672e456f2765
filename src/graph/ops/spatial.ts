/** Shared by ops over windows: sizes per spatial dim, padding, and the windows as views of the padded input. */
import { ArgumentError, ShapeError } from '../../base/errors.js'
import { addSizes, type Size } from '../../scalar/size.js'
import { rankOf, reshapeTo, shapeOf } from '../build.js'
import type { GraphBuilder, GraphNode, GraphOps, Shape } from '../ir.js'
import { decideAtLeast, printShape } from '../sizes.js'
import type { DimWindows, Windows } from '../windows.js'
import { padConstant, windowsOf } from './rearrange.js'

/** One number for all spatial dims, or one for each. */
export type PerDim = number | readonly number[]

/** The spatial sizes of inputs and kernels in 1, 2 and 3 dims, as texts name them. */
export const spatialNames = ['L', 'H, W', 'D, H, W'] as const
export const outputNames = ['L′', 'H′, W′', 'D′, H′, W′'] as const
export const kernelNames = ['kL', 'kH, kW', 'kD, kH, kW'] as const

/** What parameters of ops over windows mean: one number for all spatial dims, or one for each. */
export const spatialDetails = {
  kernelSize: 'the size of a window, for all spatial dims or for each',
  stride: 'the distance between window starts, for all spatial dims or for each',
  padding: 'how many zeros are added on each side, for all spatial dims or for each',
  dilation: "the spacing between a window's elements, for all spatial dims or for each",
}

/** Throws ArgumentError unless `value`, of integers, is one or `count` of them, all at least `min`. */
export function perDim(op: string, name: string, value: PerDim, count: number, min: number): readonly number[] {
  const list = typeof value === 'number' ? new Array<number>(count).fill(value) : value
  if (list.length !== count)
    throw new ArgumentError(`${op}: ${name} has ${list.length} numbers, not ${count}`, {
      fix: `give one number or ${count}`,
    })
  for (const one of list)
    if (one < min) throw new ArgumentError(`${op}: ${name} ${one}`, { fix: `use an integer of at least ${min}` })
  return list
}

/** How many elements a window along a dim spans. */
export const reachOf = ({ kernel, dilation }: Pick<Windows, 'kernel' | 'dilation'>, d: number): number =>
  (kernel[d]! - 1) * dilation[d]! + 1

/** Throws ShapeError when no window fits dim `d`. */
export function requireWindow(op: string, length: Size, windows: Windows, d: number): void {
  const [before, after] = windows.padding[d]!
  const [reach, padded] = [reachOf(windows, d), addSizes(length, before + after)]
  const what = (): string =>
    `${op}: a window of ${reach} does not fit spatial dim ${d} of ${length} padded to ${padded}`
  if (!decideAtLeast(padded, reach, what))
    throw new ShapeError(what(), { fix: 'use a smaller kernel or dilation, or more padding' })
}

/** How many windows fit dim `d`; throws ShapeError when none does. */
export function windowCount(op: string, length: number, windows: Windows, d: number): number {
  requireWindow(op, length, windows, d)
  const [before, after] = windows.padding[d]!
  return Math.floor((length + before + after - reachOf(windows, d)) / windows.stride[d]!) + 1
}

/** The input with a batch dim; throws ShapeError unless it has `count` spatial dims behind [N, C] or [C]. */
export function withBatch(b: GraphBuilder, op: string, node: GraphNode, count: number): GraphNode {
  const rank = rankOf(node)
  if (rank === count + 2) return node
  if (rank === count + 1) return reshapeTo(b, node, [1, ...shapeOf(node)])
  const names = spatialNames[count - 1]
  throw new ShapeError(`${op}: the input ${printShape(shapeOf(node))} is neither [N, C, ${names}] nor [C, ${names}]`, {
    fix: `give it ${count + 2} dims, or ${count + 1} without the batch`,
  })
}

/** [N, C, spatial…] as [N, C, windows…, kernel…], padded with `value`. Throws ShapeError when no window fits. */
export function windowView(
  b: GraphBuilder,
  op: string,
  node: GraphNode,
  windows: Windows,
  value: number | bigint,
): GraphNode {
  for (const d of windows.kernel.keys()) requireWindow(op, shapeOf(node)[2 + d]!, windows, d)
  return paddedWindows(b, node, windows, value)
}

/** The windows along each spatial dim. */
export const dimWindows = ({
  kernel,
  stride,
  dilation,
}: { readonly kernel: Shape } & Pick<Windows, 'stride' | 'dilation'>): readonly DimWindows[] =>
  kernel.map((size, d) => ({ size, step: stride[d]!, dilation: dilation[d]! }))

/** As `windowView`, for windows that are known to fit; sizes may be symbolic. */
export function paddedWindows(
  b: GraphBuilder,
  node: GraphNode,
  {
    kernel,
    stride,
    padding,
    dilation,
  }: { readonly kernel: Shape } & Pick<GraphOps['conv'], 'stride' | 'padding' | 'dilation'>,
  value: number | bigint,
): GraphNode {
  const none = [0, 0] as const
  const padded = padConstant(b, node, [none, none, ...padding], value)
  return windowsOf(b, padded, 2, ...dimWindows({ kernel, stride, dilation }))
}
