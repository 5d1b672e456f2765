/**
 * Naive and fused attention: softmax(q·kᵀ / √size)·v, op by op, compiled, and as one kernel, which never stores the scores. A table of
 * all, and the profiler's table of each.
 *
 *     npx tsx examples/lessons/attention.ts [--device cuda] [--quick]
 *
 * 32 × 8 heads of 512 queries and keys of size 64, in f16 on a GPU and in f32 on a CPU.
 */
import { compile, type Dtype, randn, type Tensor, type TensorDtype } from 'tegula'
import { functional as F } from 'tegula/nn'
import {
  type Comparison,
  compare,
  formatBytes,
  formatCount,
  formatTime,
  type MeasurementRecord,
  type Profile,
  profile,
  recordFunction,
  Table,
} from 'tegula/profile'
import { type LessonOptions, main, measuring, profileTable, type Section } from './lesson.js'

type Inputs = [q: Tensor, k: Tensor, v: Tensor]

/** [batch, heads, length, size]. */
export type AttentionShape = readonly [batch: number, heads: number, length: number, size: number]

const weightsOf = (q: Tensor, k: Tensor): Tensor =>
  q
    .matmul(k.transpose(-2, -1))
    .mul(1 / Math.sqrt(q.size(-1)))
    .softmax(-1)

const naive = (q: Tensor, k: Tensor, v: Tensor): Tensor => weightsOf(q, k).matmul(v)
const fused = (q: Tensor, k: Tensor, v: Tensor): Tensor => F.scaledDotProductAttention(q, k, v)

/** A caller who wants the weights too: they must be stored, so this cannot become one kernel. */
const withWeights = (q: Tensor, k: Tensor, v: Tensor) => {
  const weights = weightsOf(q, k)
  return { out: weights.matmul(v), weights }
}

const functions = () => {
  const both = compile(withWeights)
  return {
    'naive, eager': naive,
    'naive, compiled, weights returned': (...inputs: Inputs): Tensor => both(...inputs).out,
    'naive, compiled': compile(naive),
    fused,
  }
}

const profiledCalls = 3

/** The lesson. `shape` and `dtype`: others than usual. */
export async function attention(
  options: LessonOptions,
  write: (section: Section) => void,
  shape: AttentionShape = options.quick ? [2, 2, 128, 32] : [32, 8, 512, 64],
  dtype: TensorDtype = options.device === 'cpu' ? 'f32' : 'f16',
): Promise<void> {
  const inputs = [0, 1, 2].map(() => randn(shape, { device: options.device }).to(dtype)) as Inputs
  const ways = functions()
  // Rounding the scores to 16 bits costs the naive way digits: f32 says how many.
  const expected = dtype === 'f32' ? undefined : naive(...(inputs.map(x => x.to('f32')) as Inputs))
  const compared = await compare(ways, inputs, { ...measuring(options), expected })
  const profiles: [string, Profile][] = []
  for (const [name, way] of Object.entries(ways)) profiles.push([name, await profileOf(name, way, inputs, options)])
  write(summary(compared, profiles, shape, dtype))
  for (const [name, seen] of profiles) {
    const title = `${name}: the profiler's table of ${profiledCalls} calls`
    write({ title, table: profileTable(seen, { group: 'kernel' }), notes: [] })
  }
}

function profileOf(name: string, way: (...inputs: Inputs) => Tensor, inputs: Inputs, { peak }: LessonOptions) {
  const calls = (): void => {
    for (let i = 0; i < profiledCalls; i++) recordFunction(name, () => way(...inputs)).dispose()
  }
  return profile(calls, { peak })
}

/** A way of computing attention, and what the profiler saw of it. */
interface Way {
  readonly row: MeasurementRecord
  /** Kernels of a call. */
  readonly kernels: number
  /** How many times the scores' bytes it moves beside its inputs and its result. */
  readonly passes: number
}

const timeOf = ({ call, device }: MeasurementRecord): number => (device ?? call).median

function summary(
  compared: Comparison,
  profiles: readonly [string, Profile][],
  shape: AttentionShape,
  dtype: TensorDtype,
): Section {
  const bytes = bytesOf(shape, dtype)
  const ways = compared.rows.map((row, i): Way => {
    const kernels = profiles[i]![1].record.spans.filter(({ kind }) => kind === 'kernel').length / profiledCalls
    return { row, kernels, passes: ((row.work?.bytes ?? 0) - bytes.least) / bytes.scores }
  })
  const { model, threads } = compared
  const table = new Table<Way>(
    [
      { head: '', left: true, text: ({ row }) => row.name, data: { name: 'name', value: ({ row }) => row.name } },
      {
        head: 'time',
        text: ({ row }) => formatTime(timeOf(row)),
        data: { name: 'time_ns', value: ({ row }) => timeOf(row) },
      },
      {
        head: 'speed',
        text: ({ row }) => `${row.speedup.toFixed(2)}×`,
        data: { name: 'speedup', value: ({ row }) => row.speedup },
      },
      {
        head: 'kernels',
        text: ({ kernels }) => String(kernels),
        data: { name: 'kernels', value: ({ kernels }) => kernels },
      },
      {
        head: 'moved',
        text: ({ row }) => formatBytes(row.work?.bytes ?? 0),
        data: { name: 'bytes', value: ({ row }) => row.work?.bytes ?? null },
      },
      {
        head: 'passes over the scores',
        text: ({ passes }) => passes.toFixed(1),
        data: { name: 'passes', value: ({ passes }) => passes },
      },
      {
        head: 'arithmetic',
        text: ({ row }) => formatCount(row.work?.flops ?? 0, 'FLOP'),
        data: { name: 'flop', value: ({ row }) => row.work?.flops ?? null },
      },
      {
        head: 'error',
        text: ({ row }) => (row.error === null ? '' : row.error.toPrecision(1)),
        data: { name: 'error', value: ({ row }) => row.error },
      },
    ],
    ways,
  )
  const title = `Attention ${shape.join('×')} ${dtype} on ${model}${threads === null ? '' : `, ${threads} threads`}`
  return { title, table, notes: why(compared, ways, profiles, bytes) }
}

const itemBytes: Readonly<Partial<Record<Dtype, number>>> = { f16: 2, bf16: 2, f32: 4, f64: 8 }

/** Bytes of the scores, and of what every way must read and write: q, k, v and the result. */
function bytesOf([batch, heads, length, size]: AttentionShape, dtype: TensorDtype) {
  const item = itemBytes[dtype as Dtype] ?? 4
  return { scores: batch * heads * length * length * item, least: 4 * batch * heads * length * size * item }
}

/** Sentences about the ratio of naive to fused: what each moves and computes, and what that costs at the measured peaks. */
function why(
  { limits }: Comparison,
  ways: readonly Way[],
  profiles: readonly [string, Profile][],
  { scores, least }: ReturnType<typeof bytesOf>,
): string[] {
  const [first, last] = [ways[0]!, ways.at(-1)!]
  const ratio = timeOf(first.row) / timeOf(last.row)
  const products = kernelTimes(profiles[0]![1])
  const moved = first.row.work?.bytes ?? 0
  const says = [
    `Naive takes ${ratio.toFixed(2)}× the time of fused. The scores are ${formatBytes(scores)}; inputs and result ${formatBytes(least)}. ` +
      `Naive passes over the scores ${first.passes.toFixed(1)} times, ${(moved / (last.row.work?.bytes ?? moved)).toFixed(1)}× the bytes of fused, ` +
      'which keeps them in registers and caches, for the same products.',
    `Of the time of naive's kernels ${percent(products.products / products.all)} is that of its two products, ` +
      `${percent(1 - products.products / products.all)} of scale and softmax, which only pass over the scores.`,
  ]
  if (limits === null) return says
  const rate = limits.copyBytesPerNanosecond
  const bounds = [first, last].map(({ row }) =>
    row.limit === null ? '' : `${row.name}: ${formatTime(row.limit.nanoseconds)} (${row.limit.bound})`,
  )
  return [
    ...says,
    `A copy on this device moves ${formatCount(rate * 1e9, 'B/s')}, so naive's bytes alone take ${formatTime(moved / rate)}, ` +
      `those of fused ${formatTime((last.row.work?.bytes ?? 0) / rate)}. The longer of the times for bytes and for arithmetic: ${bounds.join('; ')}.`,
  ]
}

const percent = (share: number): string => `${(100 * share).toFixed(0)} %`

/** Time of all kernels, and of those that multiply matrices. */
function kernelTimes(seen: Profile): { readonly all: number; readonly products: number } {
  const kernels = seen.record.spans.filter(({ kind }) => kind === 'kernel')
  const sum = (of: typeof kernels): number =>
    of.reduce((total, { duration, onDevice }) => total + (onDevice?.duration ?? duration), 0)
  return { all: sum(kernels), products: sum(kernels.filter(({ name }) => name.includes('matmul'))) }
}

await main(import.meta.url, 'naive attention against fused attention, under the profiler', attention)
