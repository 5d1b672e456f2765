/**
 * What launching costs: a chain of n products of 16 × 16 matrices, each of which waits for the one before it and computes next to nothing.
 *
 *     npx tsx examples/lessons/graphs.ts [--device cuda] [--quick]
 *
 * On a GPU eagerly, compiled, compiled with `mode: 'reduce-overhead'` and as a captured CUDA graph. A CPU has no graphs: there the lesson
 * shows what a call costs that replays a plan of n kernels, beside n eager calls.
 */
import { captureGraph, compile, randn, type Tensor } from 'tegula'
import { formatTime, type Sweep, sweep, Table } from 'tegula/profile'
import { type LessonOptions, main, measuring, type Section } from './lesson.js'

const size = 16

/** The lesson. `counts`: other numbers of kernels than usual. */
export async function graphs(
  options: LessonOptions,
  write: (section: Section) => void,
  counts: readonly number[] = options.quick ? [1, 4, 16] : [1, 2, 4, 8, 16, 32, 64, 128, 256],
): Promise<void> {
  const { device } = options
  const weight = randn([size, size], { device }).div(Math.sqrt(size))
  const start = randn([size, size], { device })
  const result = await sweep(
    { kernels: counts },
    ({ kernels }) => ({ functions: waysOf(chainOf(kernels, weight), start), args: [start] }),
    // The norm of a product of n random matrices swings, and with it the rounding.
    { ...measuring(options), seconds: options.quick ? 0.2 : 4, tolerance: 1e-2, peak: false },
  )
  const onCpu = device === 'cpu'
  const calls = { ...only(result, 'call') }
  write({ title: 'Time of a call, on the host', table: calls, notes: onCpu ? [noGraphs] : [] })
  if (!onCpu) write({ title: 'Time of a call, on the GPU', table: only(result, 'time'), notes: [] })
  write(slopes(result, counts))
}

const noGraphs =
  'Only CUDA has graphs. On a CPU a compiled call replays its plan: guards, changed pointers and one native call that runs all kernels ' +
  'in order. An eager call goes through all of that once per kernel.'

const chainOf =
  (kernels: number, weight: Tensor) =>
  (x: Tensor): Tensor => {
    let y = x
    for (let i = 0; i < kernels; i++) y = y.matmul(weight)
    return y
  }

function waysOf(chain: (x: Tensor) => Tensor, start: Tensor): Readonly<Record<string, (x: Tensor) => Tensor>> {
  const ways = { eager: chain, compiled: compile(chain) }
  if (start.device === 'cpu') return ways
  // Replays copy x into the graph's memory and the result out of it.
  const captured = captureGraph(({ x }) => chain(x), { inputs: { x: start } })
  return {
    ...ways,
    'reduce-overhead': compile(chain, { mode: 'reduce-overhead' }),
    'captured graph': x => captured.replay({ x }),
  }
}

/** One quantity of a sweep. */
const only = (result: Sweep, quantity: 'call' | 'time') => ({
  toText: () => result.toText(quantity),
  toMarkdown: () => result.toMarkdown(quantity),
  toCsv: () => result.toCsv(),
  toJSON: () => result.toJSON(),
})

interface Slope {
  readonly way: string
  /** Nanoseconds on the host's clock. */
  readonly one: number
  /** From the shortest chain to the longest, for each kernel more. */
  readonly each: number
}

/** What the first kernel costs, and every further one. */
function slopes({ points }: Sweep, counts: readonly number[]): Section {
  const [first, last] = [points[0]!.comparison.rows, points.at(-1)!.comparison.rows]
  const more = counts.at(-1)! - counts[0]!
  const rows = first.map(({ name, call }, i): Slope => {
    const [one, all] = [call.median, last[i]!.call.median]
    return { way: name, one, each: (all - one) / more }
  })
  const table = new Table<Slope>(
    [
      { head: '', left: true, text: ({ way }) => way, data: { name: 'way', value: ({ way }) => way } },
      {
        head: counts[0] === 1 ? 'one kernel' : `${counts[0]} kernels`,
        text: ({ one }) => formatTime(one),
        data: { name: 'one_ns', value: ({ one }) => one },
      },
      {
        head: 'each further one',
        text: ({ each }) => formatTime(each),
        data: { name: 'each_ns', value: ({ each }) => each },
      },
    ],
    rows,
  )
  const [eager, best] = [rows[0]!, rows.toSorted((a, b) => a.each - b.each)[0]!]
  const note =
    `The arithmetic of a kernel is ${2 * size ** 3} operations: nearly all of this is overhead. A further kernel costs ` +
    `${(eager.each / best.each).toFixed(1)}× less ${best.way} than eager.`
  return { title: 'What a kernel costs', table, notes: [note] }
}

await main(import.meta.url, 'launch overhead by kernel count: eager, compiled, captured graph', graphs)
