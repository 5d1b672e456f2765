/**
 * `max-autotune`: compiles a graph with several choices of block sizes, measures each on copies of the call's own tensors,
 * and keeps the fastest. The choice is remembered on disk, so the next process measures nothing. Every candidate's numbers
 * are compared with the usual choice's before it may win.
 */
import { contentHash } from '../base/canonical.js'
import type { CpuDevice } from '../runtime/cpu/device.js'
import { defaultLimits, type TilingLimits } from '../schedule/tiling.js'
import { Storage } from '../tensor/storage.js'
import { Tensor } from '../tensor/tensor.js'
import { isFloat } from '../types/dtype.js'
import type { Runner } from './executable.js'
import { codeFingerprint } from './fingerprint.js'
import { compileGraph, graphText, targetOf } from './pipeline.js'
import { makeRunner, makeRunnerAsync } from './runner.js'
import type { Segment } from './tracer.js'

interface Candidate {
  readonly name: string
  readonly limits: TilingLimits
}

const { matmul } = defaultLimits

/** The usual choice first. */
const candidates: readonly Candidate[] = [
  { name: 'usual blocks', limits: defaultLimits },
  { name: 'small blocks', limits: { ...defaultLimits, maxProgram: 4096, minProgram: 1024, maxColumns: 256 } },
  { name: 'large blocks', limits: { ...defaultLimits, maxProgram: 65536, minProgram: 8192, maxRow: 65536 } },
  { name: 'shallow products', limits: { ...defaultLimits, matmul: { ...matmul, depth: 128 } } },
  { name: 'deep products', limits: { ...defaultLimits, matmul: { ...matmul, depth: 512 } } },
  {
    name: 'small product tiles',
    limits: { ...defaultLimits, matmul: { ...matmul, rows: [32, 64, 96], columns: [64, 128, 192] } },
  },
]

/** Milliseconds of measuring per graph, after one run of each candidate. */
const budgetMs = 300
const maxRounds = 50
/** A sample lasts at least so long, by repeating the call. */
const leastSampleMs = 0.1
/** Another choice must be this much faster than the usual one, or it may only have been lucky. */
const worthwhile = 0.97
/** Relative to the largest value: block sizes change the order of sums, no more. */
const tolerance = 1e-3

/** One choice of block sizes, and what became of it. */
export interface MeasuredChoice {
  readonly name: string
  /** Of its fastest call; null: not measured, for the reason that `outcome` says. */
  readonly nanoseconds: number | null
  /** 'same code': as a choice before it gives. 'other numbers': left out, with a warning. */
  readonly outcome: 'chosen' | 'not faster' | 'same code' | 'other numbers'
}

/** What measuring the choices of block sizes for a graph gave, at the sizes of one call. */
export interface Tuning {
  /** The name of the choice that runs. */
  readonly chosen: string
  /** The usual choice's fastest call over the chosen one's; null when there was nothing to choose. */
  readonly gain: number | null
  /** All choices, the usual one first. */
  readonly choices: readonly MeasuredChoice[]
}

export interface Tuned {
  readonly runner: Runner
  readonly tuning: Tuning
}

/** The fastest runner of a segment. Compiles and measures for seconds where nothing is remembered. */
export function tune(segment: Segment, device: CpuDevice): Tuned {
  const tuning = tuningOf(segment, device)
  return { runner: makeRunner(segment.graph, device, { limits: limitsOf(tuning) }), tuning }
}

/** What is chosen for a segment: remembered, or measured now, on copies of its tensors. */
export function tuningOf(segment: Segment, device: CpuDevice): Tuning {
  const { cache } = device.toolchain
  const key = tuningKey(segment, device)
  const known = cache.get(key)
  if (known !== null) return JSON.parse(Buffer.from(known).toString()) as Tuning
  const tuning = measure(segment, device)
  cache.put(key, Buffer.from(JSON.stringify(tuning)))
  return tuning
}

/** The block sizes of the choice that runs. */
export const limitsOf = ({ chosen }: Tuning): TilingLimits =>
  candidates.find(({ name }) => name === chosen)?.limits ?? defaultLimits

/** In one line: which block sizes were chosen, and what they gain. */
export function tuningText({ chosen, gain, choices }: Tuning): string {
  if (gain === null) return `${chosen}: all choices give the same code`
  const measured = choices.filter(({ nanoseconds }) => nanoseconds !== null).length
  return `${chosen}: ${gain.toFixed(2)}× the usual speed, best of ${measured}`
}

/** As `tune`; the event loop turns while the C compiler runs, and is held only for measuring. */
export async function tuneAsync(segment: Segment, device: CpuDevice): Promise<Tuned> {
  await device.warmup()
  if (device.toolchain.cache.get(tuningKey(segment, device)) === null) {
    for (const { limits } of candidates) await makeRunnerAsync(segment.graph, device, { limits })
  }
  return tune(segment, device)
}

function tuningKey({ graph, symbols }: Segment, device: CpuDevice): string {
  const machine = JSON.stringify([targetOf(device), device.runtime.threads])
  return contentHash([
    'tuned',
    graphText(graph),
    symbols.join(),
    machine,
    JSON.stringify(candidates),
    codeFingerprint(),
  ])
}

interface Contestant {
  readonly name: string
  /** Runs on copies of the inputs: all contestants' same, unless other ones are given. */
  readonly run: (inputs?: readonly Tensor[]) => readonly Tensor[]
  /** Nanoseconds of the fastest call so far. */
  best: number
}

function measure(segment: Segment, device: CpuDevice): Tuning {
  const all = contestants(segment, device)
  const [usual, ...others] = [...all.values()]
  if (others.length === 0) return report(all, [], usual!)
  const outcome = ({ run }: Contestant): readonly Tensor[] => {
    const inputs = copies(segment, device)
    return [...run(inputs), ...inputs]
  }
  const expected = outcome(usual!)
  const sound = [usual!, ...others.filter(other => agrees(other.name, expected, outcome(other)))]
  const end = performance.now() + budgetMs
  for (let round = 0; round < maxRounds && performance.now() < end; round++) {
    for (const contestant of sound) contestant.best = Math.min(contestant.best, timeOf(contestant))
  }
  const fastest = sound.reduce((best, next) => (next.best < best.best ? next : best))
  return report(all, sound, fastest.best < usual!.best * worthwhile ? fastest : usual!)
}

/** Nanoseconds per call: of so many calls that the clock's own grain does not show. */
function timeOf({ run }: Contestant): number {
  let calls = 0
  const started = performance.now()
  for (;;) {
    for (const result of run()) result.dispose()
    calls++
    const passed = performance.now() - started
    if (passed > leastSampleMs) return (passed * 1e6) / calls
  }
}

/** @param sound those of `all` whose numbers agree, the usual one first; none when there was nothing to measure */
function report(all: ReadonlyMap<string, Contestant>, sound: readonly Contestant[], chosen: Contestant): Tuning {
  const choices = candidates.map(({ name }): MeasuredChoice => {
    const contestant = all.get(name)
    if (contestant === undefined) return { name, nanoseconds: null, outcome: 'same code' }
    if (contestant === chosen)
      return { name, nanoseconds: sound.length === 0 ? null : contestant.best, outcome: 'chosen' }
    if (!sound.includes(contestant)) return { name, nanoseconds: null, outcome: 'other numbers' }
    return { name, nanoseconds: contestant.best, outcome: 'not faster' }
  })
  const gain = sound.length === 0 ? null : sound[0]!.best / chosen.best
  return { chosen: chosen.name, gain, choices }
}

/** One per distinct plan, by name: small graphs come out the same whatever the limits. */
function contestants(segment: Segment, device: CpuDevice): Map<string, Contestant> {
  const seen = new Set<string>()
  const shared = copies(segment, device)
  const scalars = segment.draws.flatMap(() => [0n, 0n])
  const made = new Map<string, Contestant>()
  for (const { name, limits } of candidates) {
    const { source, plan } = compileGraph(segment.graph, device, { limits })
    const text = `${source}${JSON.stringify(plan.steps.map(({ grid }) => grid.map(String)))}`
    if (seen.has(text)) continue
    seen.add(text)
    const runner = makeRunner(segment.graph, device, { limits })
    const run = (inputs: readonly Tensor[] = shared): readonly Tensor[] => runner.run(inputs, scalars, segment.symbols)
    made.set(name, { name, run, best: Number.POSITIVE_INFINITY })
  }
  return made
}

/** Copies of the inputs, so that write-backs change nothing of the caller's. */
function copies({ inputs }: Segment, { allocator }: CpuDevice): Tensor[] {
  const made = new Map<unknown, Storage>()
  return inputs.map(({ tensor }) => {
    const source = tensor.storage('max-autotune')
    const known = made.get(source)
    const storage = known ?? new Storage(allocator.allocate(source.bytes), source.bytes, 'cpu', allocator)
    if (known === undefined) {
      allocator.write(storage.block, 0, source.memory.read(source.block, 0, source.bytes))
      made.set(source, storage)
    }
    return new Tensor(storage, tensor.dtype, tensor.layout, false)
  })
}

/** A candidate that computes something else is left out, with a warning: it would be a bug of Tegula. */
function agrees(name: string, expected: readonly Tensor[], results: readonly Tensor[]): boolean {
  const differs = expected.findIndex((tensor, i) => !close(tensor, results[i]!))
  if (differs < 0) return true
  process.emitWarning(`max-autotune: '${name}' changes result ${differs}; it is not used`, 'TegulaWarning')
  return false
}

function close(a: Tensor, b: Tensor): boolean {
  const [left, right] = [Array.from(a.dataSync(), Number), Array.from(b.dataSync(), Number)]
  const scale = left.reduce((max, value) => (Number.isFinite(value) ? Math.max(max, Math.abs(value)) : max), 0)
  const bound = isFloat(a.dtype) ? tolerance * scale : 0
  return left.every((value, i) => Object.is(value, right[i]) || Math.abs(value - right[i]!) <= bound)
}
