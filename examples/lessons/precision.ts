/**
 * One linear layer, y = x·wᵀ, in f32, tf32, bf16, fp8, mxint8 and nvfp4: its error beside float64, its weights' bytes and its time, for one
 * token (all weights are read for little arithmetic) and for many.
 *
 *     npx tsx examples/lessons/precision.ts [--device cuda] [--quick]
 *
 * 4096 → 4096, for 1 and 4096 tokens on a GPU, 1 and 64 on a CPU. Activations are converted within the timed call: to bf16, for fp8 to e4m3.
 */
import { bf16, type Compiled, compile, f32, f64, randn, type Tensor } from 'tegula'
import { formatBytes, formatTime, type MeasurementRecord, type Sweep, sweep, Table } from 'tegula/profile'
import { type QuantizedTensor, quantize, scaledMatmul } from 'tegula/quant'
import { type LessonOptions, main, measuring, type Section } from './lesson.js'

type Layer = Compiled<(x: Tensor) => Tensor>

/** The layer in one precision. */
interface Precision {
  readonly layer: Layer
  /** Of all tensors of the weights. */
  readonly weightBytes: number
  /** The largest error that is right, relative to the largest result. */
  readonly tolerance: number
}

/** Why a row is missing, or what its arithmetic is. */
const noTf32 =
  "tf32 is left out: a CPU has no matrix units that round f32 operands, and computes `float32MatmulPrecision: 'high'` as 'highest'."

/** The lesson. `size`, `tokens`: others than usual. */
export async function precision(
  options: LessonOptions,
  write: (section: Section) => void,
  size: number = options.quick ? 256 : 4096,
  tokens: readonly number[] = options.quick ? [1, 64] : options.device === 'cpu' ? [1, 64] : [1, 4096],
): Promise<void> {
  const weight = randn([size, size], { device: options.device }).div(Math.sqrt(size))
  const precisions = precisionsOf(weight)
  const wide = weight.to(f64).t()
  const result = await sweep(
    { tokens },
    point => {
      const x = randn([point.tokens, size], { device: options.device })
      const functions = Object.fromEntries(Object.entries(precisions).map(([name, { layer }]) => [name, layer]))
      return { functions, args: [x], expected: x.to(f64).matmul(wide) }
    },
    {
      ...measuring(options),
      tolerance: Object.fromEntries(Object.entries(precisions).map(([name, { tolerance }]) => [name, tolerance])),
      peak: false,
    },
  )
  const many = randn([tokens.at(-1)!, size], { device: options.device })
  const products = new Map(Object.entries(precisions).map(([name, each]) => [name, productOf(each, many)]))
  write(summary(result, precisions, products, size))
}

/** Of dtypes that weights are kept in. */
const itemBytes: Readonly<Record<string, number>> = { f32: 4, bf16: 2, u8: 1, i8: 1, f8e4m3: 1 }

const bytesOf = (tensors: readonly (Tensor | null)[]): number =>
  tensors.reduce((sum, tensor) => sum + (tensor === null ? 0 : tensor.numel() * itemBytes[tensor.dtype]!), 0)

const quantizedBytes = ({ values, scales, tensorScale }: QuantizedTensor): number =>
  bytesOf([values, scales, tensorScale])

function precisionsOf(weight: Tensor): Readonly<Record<string, Precision>> {
  const half = weight.to(bf16)
  const inF32 = (x: Tensor): Tensor => x.matmul(weight.t())
  const plain = (layer: Layer, weights: Tensor, tolerance: number): Precision => ({
    layer,
    weightBytes: bytesOf([weights]),
    tolerance,
  })
  const tf32 = plain(compile(inF32, { float32MatmulPrecision: 'high' }), weight, 4e-3)
  const fp8 = quantize(weight, 'fp8e4m3', { block: 'row' })
  const both = (x: Tensor): Tensor => scaledMatmul(quantize(x, 'fp8e4m3', { block: 'row' }), fp8, { outDtype: 'f32' })
  return {
    f32: plain(compile(inF32), weight, 1e-5),
    ...(weight.device === 'cpu' ? {} : { tf32 }),
    bf16: plain(
      compile((x: Tensor) => x.to(bf16).matmul(half.t()).to(f32)),
      half,
      2e-2,
    ),
    fp8: { layer: compile(both), weightBytes: quantizedBytes(fp8), tolerance: 0.1 },
    mxint8: quantised(weight, 'mxint8', 2e-2),
    nvfp4: quantised(weight, 'nvfp4', 0.3),
  }
}

/** Weights in a block format, activations in bf16. */
function quantised(weight: Tensor, format: 'mxint8' | 'nvfp4', tolerance: number): Precision {
  const weights = quantize(weight, format)
  const layer = (x: Tensor): Tensor => scaledMatmul(x.to(bf16), weights, { outDtype: 'f32' })
  return { layer: compile(layer), weightBytes: quantizedBytes(weights), tolerance }
}

/** What the layer's product multiplies: from its plan. */
function productOf({ layer }: Precision, x: Tensor): string {
  const { kernels } = layer.explain(x).segments[0]!
  const decoded = kernels.flatMap(({ decoding }) => decoding)
  return [...new Set(decoded.map(({ from, to }) => (from === to ? `${from} itself` : `${from} as ${to}`)))].join(', ')
}

interface Row {
  readonly name: string
  readonly weightBytes: number
  readonly error: number
  /** By number of tokens. */
  readonly points: readonly MeasurementRecord[]
  readonly multiplied: string
}

const timeOf = ({ call, device }: MeasurementRecord): number => (device ?? call).median

function summary(
  { points }: Sweep,
  precisions: Readonly<Record<string, Precision>>,
  products: ReadonlyMap<string, string>,
  size: number,
): Section {
  const rows = Object.entries(precisions).map(([name, { weightBytes }], i): Row => {
    const measured = points.map(({ comparison }) => comparison.rows[i]!)
    const error = Math.max(...measured.map(({ error }) => error ?? Number.NaN))
    return { name, weightBytes, error, points: measured, multiplied: products.get(name)! }
  })
  const times = points.flatMap(({ parameters: { tokens } }, i) => [
    {
      head: `${tokens} token${tokens === 1 ? '' : 's'}`,
      text: ({ points }: Row) => formatTime(timeOf(points[i]!)),
      data: { name: `time_${tokens}_ns`, value: ({ points }: Row) => timeOf(points[i]!) },
    },
    { head: 'speed', text: ({ points }: Row) => `${points[i]!.speedup.toFixed(2)}×` },
  ])
  const table = new Table<Row>(
    [
      { head: '', left: true, text: ({ name }) => name, data: { name: 'precision', value: ({ name }) => name } },
      {
        head: 'weights',
        text: ({ weightBytes }) => formatBytes(weightBytes),
        data: { name: 'weight_bytes', value: ({ weightBytes }) => weightBytes },
      },
      {
        head: 'error',
        text: ({ error }) => error.toPrecision(2),
        data: { name: 'error', value: ({ error }) => error },
      },
      ...times,
      { head: 'codes are multiplied', left: true, text: ({ multiplied }) => multiplied },
    ],
    rows,
  )
  const { device, model } = points[0]!.comparison
  const notes = [
    'The error is the largest difference from the product in float64, relative to the largest result. fp8 rounds weights and activations, the others but f32 ' +
      'multiply activations in bf16.',
    ...(device === 'cpu' ? [noTf32] : []),
  ]
  return { title: `A layer of ${size} × ${size} on ${model}`, table, notes }
}

await main(import.meta.url, 'error and time of one layer by precision', precision)
