/**
 * `max-autotune`: compiles a graph with several choices of block sizes, measures each on the call's own tensors (copies of
 * those that it writes), and keeps the fastest. The choice is cached on disk, so the next process measures nothing. A
 * candidate's results are compared with the usual choice's before it is measured.
 */

import { type Artifact, writtenBuffers } from '../backends/artifact.js'
import type { ComputeDevice } from '../backends/device.js'
import type { TuningChoice } from '../backends/target.js'
import { contentHash } from '../base/canonical.js'
import { everyLaunch } from '../schedule/plan/plan.js'
import type { SchedulePolicy } from '../schedule/policy.js'
import { copyBytes } from '../tensor/host.js'
import { Storage } from '../tensor/storage.js'
import { Tensor } from '../tensor/tensor.js'
import { isFloat } from '../types/dtype.js'
import { scalarsOf } from './capture/boxed-numbers.js'
import type { Segment } from './capture/segment.js'
import type { Runner } from './execute/executable.js'
import { makeRunner, makeRunnerAsync, type RunnerOptions } from './execute/runner.js'
import { dotTiles } from './explain/dot-tiles.js'
import { codeFingerprint } from './fingerprint.js'
import { compileGraph, graphText, runPipeline } from './pipeline.js'

/** Milliseconds of measuring per graph, after one run of each candidate. */
const budgetMs = 300
const maxRepetitions = 50
/** Another choice must take at most this share of the usual one's time, as smaller gains may be noise. */
const maxRelativeTime = 0.97
/** Allowed error relative to the largest value: block sizes only change the order of sums. */
const tolerance = 1e-3

/** One choice of block sizes, and its outcome. */
export interface MeasuredChoice {
  readonly name: string
  /** Time of its fastest call; null: not measured, for the reason in `outcome`. */
  readonly nanoseconds: number | null
  /**
   * 'same code': as an earlier choice. 'does not fit': needs more shared memory or registers than a block has. 'other
   * numbers': results differ, rejected with a warning.
   */
  readonly outcome: 'chosen' | 'not faster' | 'same code' | 'does not fit' | 'other numbers'
  /** Tiles of its matmuls if it was measured: `matmul 128×128×64, 8 warps`. */
  readonly tiles?: readonly string[]
}

/** The measured choices of block sizes for a graph, at the sizes of one call. */
export interface Tuning {
  /** The name of the choice in use. */
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

/** A segment to tune on a device. */
export interface TuningCase {
  readonly segment: Segment
  readonly device: ComputeDevice
  readonly options: Pick<RunnerOptions, 'graphs' | 'name'>
}

/** The fastest runner of a segment. Compiles and measures for seconds when no choice is cached. */
export function tune(tuned: TuningCase): Tuned {
  const tuning = tuningOf(tuned)
  return { runner: runnerWith(tuned, policyOf(tuning, tuned.device)), tuning }
}

const runnerWith = ({ segment, device, options }: TuningCase, policy: SchedulePolicy): Runner =>
  makeRunner(segment.graph, device, { ...options, policy })

/**
 * The choice for a segment: cached, or measured now. During a stream capture nothing can be measured, so this version gets
 * the usual choice.
 */
export function tuningOf(tuned: TuningCase): Tuning {
  const { cache } = tuned.device
  const key = tuningKey(tuned)
  const known = cache.get(key)
  if (known !== null) return JSON.parse(Buffer.from(known).toString()) as Tuning
  if (tuned.device.isCapturing) return unmeasured(tuned.device)
  const tuning = withTiles(measure(tuned), tuned)
  cache.put(key, Buffer.from(JSON.stringify(tuning)))
  return tuning
}

function withTiles(tuning: Tuning, { segment, device: { target } }: TuningCase): Tuning {
  const tilesOf = (name: string): readonly string[] => {
    const { policy } = target.choices.find(choice => choice.name === name)!
    return dotTiles(runPipeline(segment.graph, target, { policy }))
  }
  return {
    ...tuning,
    choices: tuning.choices.map(each => (each.nanoseconds === null ? each : { ...each, tiles: tilesOf(each.name) })),
  }
}

function unmeasured({ target }: ComputeDevice): Tuning {
  const { name } = target.choices[0]!
  return { chosen: name, gain: null, choices: [{ name, nanoseconds: null, outcome: 'chosen' }] }
}

/** The policy of the choice in use; the usual one for unknown names, which another build may have cached. */
export const policyOf = ({ chosen }: Tuning, { target }: ComputeDevice): SchedulePolicy =>
  target.choices.find(({ name }) => name === chosen)?.policy ?? target.policy

/** A choice by its matmuls' tiles, where it has any, and its name: `matmul 128×128×64, 8 warps (usual blocks)`. */
export const choiceText = ({ name, tiles = [] }: Pick<MeasuredChoice, 'name' | 'tiles'>): string =>
  tiles.length === 0 ? name : `${tiles.join('; ')} (${name})`

/** In one line: which block sizes were chosen, and what they gain. */
export function tuningText({ chosen, gain, choices }: Tuning): string {
  if (choices.length === 1) return `${chosen}: nothing is measured inside a capture`
  if (gain === null) return `${chosen}: all choices give the same code`
  const measured = choices.filter(({ nanoseconds }) => nanoseconds !== null).length
  const { tiles = [] } = choices.find(({ name }) => name === chosen)!
  return `${choiceText({ name: chosen, tiles })}: ${gain.toFixed(2)}× the usual speed, best of ${measured}`
}

/** As `tune`, but the event loop runs while code is compiled. It is blocked while choices are measured and described. */
export async function tuneAsync(tuned: TuningCase): Promise<Tuned> {
  const { segment, device, options } = tuned
  await device.warmup()
  if (device.cache.get(tuningKey(tuned)) === null) {
    for (const { policy } of device.target.choices) {
      await makeRunnerAsync(segment.graph, device, { ...options, policy }).catch(error => whenTooLarge(error, device))
    }
  }
  return tune(tuned)
}

/** Null for code that needs more resources than the device has; rethrows other errors. */
function whenTooLarge(error: unknown, device: ComputeDevice): null {
  if (device.isTooLarge(error)) return null
  throw error
}

function tuningKey({ segment: { graph, symbols }, device, options }: TuningCase): string {
  const { target, threads, model } = device
  const choices = target.choices.map(({ name, policy }) => [name, policy.limits])
  return contentHash([
    'tuned',
    graphText(graph),
    symbols.join(),
    JSON.stringify([target.facts, threads ?? model, { graphs: options.graphs }]),
    JSON.stringify(choices),
    codeFingerprint(),
  ])
}

interface Candidate {
  readonly name: string
  readonly run: (inputs: readonly Tensor[]) => readonly Tensor[]
  /** Nanoseconds of the fastest call so far. */
  best: number
}

/** The compiled candidates: one per distinct code, by name, and the choices whose code does not fit. */
interface Candidates {
  readonly candidates: ReadonlyMap<string, Candidate>
  /** Grows while candidates run, since code for the call's sizes and alignments is compiled then. */
  readonly tooLarge: Set<string>
  /** The inputs that are written, by their index. */
  readonly written: ReadonlySet<number>
}

/** Compiles the candidates, drops those whose results differ from the usual choice's, and measures the others. */
function measure(tuned: TuningCase): Tuning {
  const { segment, device } = tuned
  const compiled = compileCandidates(tuned)
  const [usual, ...others] = [...compiled.candidates.values()]
  if (others.length === 0) return report(device, compiled, [], usual!)
  const outcome = ({ run }: Candidate): readonly Tensor[] => {
    const inputs = withCopies(segment, device, compiled.written)
    return [...run(inputs), ...inputs.filter((_, i) => compiled.written.has(i))]
  }
  const expected = outcome(usual!)
  const isSound = (other: Candidate): boolean => {
    try {
      return agrees(other.name, expected, outcome(other))
    } catch (error) {
      whenTooLarge(error, device)
      compiled.tooLarge.add(other.name)
      return false
    }
  }
  const sound = [usual!, ...others.filter(isSound)]
  const inputs = withCopies(segment, device, compiled.written)
  const stopwatch = device.stopwatch()
  const end = performance.now() + budgetMs
  for (let repetition = 0; repetition < maxRepetitions && performance.now() < end; repetition++) {
    for (const candidate of sound) {
      const time = stopwatch(() => candidate.run(inputs))
      candidate.best = Math.min(candidate.best, time)
    }
  }
  const fastest = sound.reduce((best, next) => (next.best < best.best ? next : best))
  return report(device, compiled, sound, fastest.best < usual!.best * maxRelativeTime ? fastest : usual!)
}

/** @param sound candidates whose results agree, the usual one first; empty when there was nothing to measure */
function report(
  device: ComputeDevice,
  { candidates, tooLarge }: Candidates,
  sound: readonly Candidate[],
  chosen: Candidate,
): Tuning {
  const choices = device.target.choices.map(({ name }): MeasuredChoice => {
    const candidate = candidates.get(name)
    if (tooLarge.has(name)) return { name, nanoseconds: null, outcome: 'does not fit' }
    if (candidate === undefined) return { name, nanoseconds: null, outcome: 'same code' }
    if (candidate === chosen)
      return { name, nanoseconds: sound.length === 0 ? null : candidate.best, outcome: 'chosen' }
    if (!sound.includes(candidate)) return { name, nanoseconds: null, outcome: 'other numbers' }
    return { name, nanoseconds: candidate.best, outcome: 'not faster' }
  })
  const gain = sound.length === 0 ? null : sound[0]!.best / chosen.best
  return { chosen: chosen.name, gain, choices }
}

/** Compiles one candidate per distinct code; for small graphs many choices give the same. */
function compileCandidates(tuned: TuningCase): Candidates {
  const { segment, device } = tuned
  const seen = new Set<string>()
  const scalars = scalarsOf(segment, () => ({ seed: 0n, offset: 0n }))
  const candidates = new Map<string, Candidate>()
  const tooLarge = new Set<string>()
  const written = new Set<number>()
  const addCandidate = ({ name, policy }: TuningChoice): void => {
    const artifact = compileGraph(segment.graph, device, { policy })
    const text = `${artifact.source}${JSON.stringify(everyLaunch(artifact.plan).map(({ grid }) => grid.map(String)))}`
    if (seen.has(text)) return
    const runner = runnerWith(tuned, policy)
    seen.add(text)
    for (const input of writtenInputs(artifact)) written.add(input)
    const run = (inputs: readonly Tensor[]): readonly Tensor[] => runner.run(inputs, scalars, segment.symbols)
    candidates.set(name, { name, run, best: Number.POSITIVE_INFINITY })
  }
  const [usual, ...others] = device.target.choices
  addCandidate(usual!) // its errors are for the user
  for (const choice of others) {
    try {
      addCandidate(choice)
    } catch (error) {
      whenTooLarge(error, device)
      tooLarge.add(choice.name)
    }
  }
  return { candidates, tooLarge, written }
}

function* writtenInputs(artifact: Artifact): Iterable<number> {
  for (const buffer of writtenBuffers(artifact)) {
    const { [buffer]: known } = artifact.plan.buffers
    if (known?.kind === 'input') yield known.input
  }
}

/** The inputs, with copies of all memory that is written, so that measuring does not change the caller's tensors. */
function withCopies({ inputs }: Segment, { memory, name }: ComputeDevice, written: ReadonlySet<number>): Tensor[] {
  const sources = inputs.map(({ tensor }) => tensor.storage('max-autotune'))
  const copies = new Map<Storage, Storage>()
  for (const index of written) {
    const source = sources[index]!
    if (copies.has(source)) continue
    const copy = new Storage(memory.allocate(source.bytes), source.bytes, name, memory)
    copyBytes(source, 0, copy, source.bytes)
    copies.set(source, copy)
  }
  return inputs.map(({ tensor }, i) => {
    const copy = copies.get(sources[i]!)
    return copy === undefined ? tensor : new Tensor(copy, tensor.dtype, tensor.layout, false)
  })
}

/** False, with a warning, when a candidate's results differ, which would be a bug of Tegula. */
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
