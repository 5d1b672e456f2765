/**
 * Who hears of each run of launches: the profiler and the harness, to count planned work and to time kernels one by one. Without
 * one, a run costs one comparison more.
 */
import type { Artifact } from '../../backends/artifact.js'
import type { Machine } from '../../backends/machine.js'
import type { SourceLocation } from '../../base/source.js'

/** Some consecutive launches of a plan, about to run with the arguments set. */
export interface PlanRun {
  readonly artifact: Artifact
  readonly machine: Machine
  /** Values of the plan's symbols. */
  readonly symbols: Float64Array
  /** The launches from `first` up to `end`, as `launchesAmong` numbers them. */
  readonly first: number
  readonly end: number
}

/** A kernel of a user's that is launched by itself. */
export interface SingleRun {
  readonly name: string
  readonly device: string
  /** Queues or runs it. */
  run(): void
}

/** A captured graph that is replayed. */
export interface ReplayRun {
  /** Its kernels, in the order of their capture. */
  readonly kernels: readonly { readonly kernel: string; readonly lines: readonly SourceLocation[] }[]
  readonly device: string
  /** Queues it. */
  run(): void
}

export interface RunObserver {
  /** Runs the launches: `runPlan`, or one after another. */
  plan(run: PlanRun): void
  /** Runs the kernel. */
  single(run: SingleRun): void
  /** Runs the graph. */
  replay(run: ReplayRun): void
}

/** Set by `observeRuns` alone; null: nobody listens. Executables compare it with null at each call. */
export let runObserver: RunObserver | null = null

/** The last one listens. */
const observers: RunObserver[] = []

/** Has `observer` run what runs from now on. Returns what ends it; the one that observed before then goes on. */
export function observeRuns(observer: RunObserver): () => void {
  observers.push(observer)
  runObserver = observer
  return () => {
    if (observers.includes(observer)) observers.splice(observers.indexOf(observer), 1)
    runObserver = observers.at(-1) ?? null
  }
}

/** Runs launches as they run unobserved. */
export function runPlan({ artifact: { plan }, machine, first, end }: PlanRun): void {
  if (plan.blocks.length === 0 && first === 0 && end === machine.steps.length) machine.run()
  else machine.runSome(first, end)
}
