/** im2col and its inverse, and unpooling. */
import { DtypeError, ShapeError } from '../../base/errors.js'
import { addSizes, mulSizes, productOf, type Size } from '../../scalar/size.js'
import { sliceTo } from '../build.js'
import { putBack } from '../derivatives/views.js'
import type { Shape } from '../ir.js'
import { decideQuotient, printShape, requireEqual } from '../sizes.js'
import type { Windows } from '../windows.js'
import { compose } from './compose.js'
import { batched, poolDetails } from './pooling.js'
import { knownSize, windowsView } from './rearrange.js'
import { dimWindows, type PerDim, perDim, spatialDetails, windowCount, windowView, withBatch } from './spatial.js'
import { anyKept, outOfRange } from './texts.js'

const product = (sizes: readonly number[]): number => sizes.reduce((a, c) => a * c, 1)

// --- columns -----------------------------------------------------------------------------------------------------------

const columnParams = 'kernelSize: int | ints, dilation: int | ints = 1, padding: int | ints = 0, stride: int | ints = 1'
interface ColumnArgs {
  readonly kernelSize: PerDim
  readonly dilation: PerDim
  readonly padding: PerDim
  readonly stride: PerDim
}

const columnsOf = (name: string, { kernelSize, dilation, padding, stride }: ColumnArgs): Windows => ({
  kernel: perDim(name, 'kernelSize', kernelSize, 2, 1),
  stride: perDim(name, 'stride', stride, 2, 1),
  padding: perDim(name, 'padding', padding, 2, 0).map(size => [size, size] as const),
  dilation: perDim(name, 'dilation', dilation, 2, 1),
})

const im2col = compose({
  name: 'im2col',
  summary: 'The windows of [N, C, H, W] as columns, [N, C · kernel, windows]: torch.nn.functional.unfold.',
  category: 'index',
  signature: `self, ${columnParams}`,
  shape: '[N, C · kernel height · kernel width, windows], or without N',
  dtypes: anyKept,
  details: { self: '[N, C, H, W], or without N', ...spatialDetails },
  errors: { ShapeError: 'when the number of dims is another, or no window fits' },
  keeps: ['self'],
  body: ({ self, ...args }) => {
    const windows = columnsOf('im2col', args)
    return batched('im2col', 2, self, x => {
      const view = x.with(windowView(x.b, 'im2col', x.node, windows, 0))
      const [batch, channels, ...rest] = view.shape
      const [depth, count] = [mulSizes(channels!, product(windows.kernel)), productOf(rest.slice(0, 2))]
      return view.permute([0, 1, 4, 5, 2, 3]).shaped([batch!, depth, count])
    })
  },
})

/** The numbers of windows along both dims, and the channels. Throws ShapeError unless they are the columns of the input. */
function foldWindows(shape: Shape, windows: Windows, output: readonly number[]) {
  const counts = output.map((size, d) => windowCount('fold', size, windows, d))
  const [depth, length] = shape.slice(-2) as [Size, Size]
  const taps = product(windows.kernel)
  const uneven = `fold: the input ${printShape(shape)} has ${depth} rows, no multiple of the kernel's ${taps}`
  const channels = decideQuotient(depth, taps, () => uneven)
  if (channels === null)
    throw new ShapeError(uneven, {
      fix: 'its rows are channels · kernel height · kernel width: use the kernelSize that made the columns',
    })
  if (knownSize('fold', length) !== product(counts))
    throw new ShapeError(
      `fold: the input ${printShape(shape)} has ${length} columns, the output ${printShape(output)} has ${product(counts)} windows`,
      { fix: 'use the outputSize, stride, padding and dilation that made the columns' },
    )
  return { counts, channels }
}

const fold = compose({
  name: 'fold',
  summary:
    'Columns [N, C · kernel, windows] summed into [N, C, H, W] where im2col would read them: torch.nn.functional.fold.',
  category: 'index',
  signature: `self, outputSize: int | ints, ${columnParams}`,
  shape: '[N, C, outputSize…], or without N',
  dtypes: anyKept,
  details: {
    ...spatialDetails,
    self: '[N, C · kernel height · kernel width, windows], or without N',
    outputSize: 'the sizes [H, W] of the result',
  },
  errors: { ShapeError: 'when the rows are no multiple of the kernel, or the columns not the windows of outputSize' },
  body: ({ self, outputSize, ...args }) => {
    const windows = columnsOf('fold', args)
    const output = perDim('fold', 'outputSize', outputSize, 2, 1)
    if (self.rank !== 2 && self.rank !== 3)
      throw new ShapeError(`fold: the input ${printShape(self.shape)} is neither [N, C · kernel, L] nor without N`, {
        fix: 'give the columns that im2col makes',
      })
    const { counts, channels } = foldWindows(self.shape, windows, output)
    const batch = self.rank === 3 ? self.size(0) : 1
    const padded = [batch, channels, ...output.map((size, d) => size + windows.padding[d]![0] + windows.padding[d]![1])]
    const columns = self.shaped([batch, channels, ...windows.kernel, ...counts]).permute([0, 1, 4, 5, 2, 3])
    const whole = putBack(self.b, columns.node, padded, windowsView(padded, 2, dimWindows(windows)))
    const starts = [0, 0, ...windows.padding.map(([before]) => before)]
    const attrs = { starts, steps: [1, 1, 1, 1], sizes: [batch, channels, ...output] }
    const image = self.with(sliceTo(self.b, whole, attrs))
    return self.rank === 3 ? image : image.shaped(image.shape.slice(1))
  },
})

// --- unpooling -----------------------------------------------------------------------------------------------------------

interface UnpoolArgs {
  readonly kernelSize: PerDim
  readonly stride: PerDim | null
  readonly padding: PerDim
  readonly outputSize: readonly number[] | null
}

/** The spatial sizes of the input of a max pooling with these output sizes. Throws ArgumentError. */
export function unpooledSizes(name: string, sizes: Shape, args: UnpoolArgs): Shape {
  const count = sizes.length
  const kernel = perDim(name, 'kernelSize', args.kernelSize, count, 1)
  const stride = perDim(name, 'stride', args.stride ?? kernel, count, 1)
  const pads = perDim(name, 'padding', args.padding, count, 0)
  if (args.outputSize !== null) return perDim(name, 'outputSize', args.outputSize, count, 1)
  return sizes.map((size, d) => addSizes(mulSizes(size, stride[d]!), kernel[d]! - stride[d]! - 2 * pads[d]!))
}

const maxUnpool = (count: 1 | 2 | 3) => {
  const name = `maxUnpool${count}d`
  return compose({
    name,
    summary: 'The values of a max pooling (self) written back at its indices; 0 elsewhere.',
    category: 'index',
    signature:
      'self, indices, kernelSize: int | ints, stride: int | ints | null = null, padding: int | ints = 0, outputSize: ints | null = null',
    shape: '[N, C, outputSize…], or without N',
    dtypes: anyKept,
    details: {
      ...poolDetails,
      indices: 'what the pooling gave with these values: i64, of the shape of self',
      padding: 'that of the pooling',
      outputSize: 'the spatial sizes; by default (size − 1) · stride − 2 padding + kernelSize',
    },
    errors: { DtypeError: 'when indices are not i64', ShapeError: 'when the indices have another shape' },
    note: `${outOfRange} writes nothing. Of equal indices the last one's value is written; on a GPU any one's, unless compiled with deterministic: true.`,
    keeps: ['self', 'indices'],
    body: ({ self, indices, ...args }) => {
      if (indices.dtype !== 'i64')
        throw new DtypeError(`${name}: the indices are ${indices.dtype}`, { fix: "cast them: indices.to('i64')" })
      return batched(name, count, self, x => {
        const at = x.with(withBatch(x.b, name, indices.node, count))
        const [batch, channels, ...sizes] = x.shape
        const what = (): string => `${name}: the indices ${printShape(at.shape)} do not fit ${printShape(x.shape)}`
        for (const [d, size] of x.shape.entries())
          requireEqual(at.size(d), size, what, 'use the indices that the pooling gave with these values')
        const output = unpooledSizes(name, sizes, args)
        const wide = [batch!, channels!, productOf(sizes)]
        const zeros = x.full([batch!, channels!, productOf(output)], 0)
        const attrs = { dim: 2, fold: 'set', distinct: 'assumed' } as const
        const image = x.b.node('scatter', [zeros.node, at.shaped(wide).node, x.shaped(wide).node], attrs)
        return x.with(image).shaped([batch!, channels!, ...output])
      })
    },
  })
}

export const foldingRecords = {
  im2col,
  fold,
  maxUnpool1d: maxUnpool(1),
  maxUnpool2d: maxUnpool(2),
  maxUnpool3d: maxUnpool(3),
}
