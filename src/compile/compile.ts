/**
 * `compile(fn)`: the first call for a set of guards captures and compiles; later calls check guards and replay, without
 * running `fn`.
 */

import { computeDevice } from '../backends/index.js'
import { flag } from '../base/env.js'
import { CaptureError, InternalError, RecompileError } from '../base/errors.js'
import { log } from '../base/log.js'
import type { SourceLocation } from '../base/source.js'
import { span, spanObserver } from '../base/spans.js'
import { evaluateSize } from '../scalar/size.js'
import { isDetectingAnomalies } from '../tensor/autograd/anomaly.js'
import { setGrad } from '../tensor/autograd/properties.js'
import { type Float32MatmulPrecision, getFloat32MatmulPrecision } from '../tensor/precision.js'
import type { Tensor } from '../tensor/tensor.js'
import { currentTracer } from '../tensor/tracer.js'
import { type Tuned, type Tuning, type TuningCase, tune, tuneAsync, tuningOf, tuningText } from './autotune.js'
import { applyChange, type LiftedArguments } from './capture/argument-state.js'
import {
  type ArgumentTree,
  type DescribedArguments,
  describeArguments,
  explainMismatch,
  slotPaths,
} from './capture/argument-tree.js'
import { scalarsOf } from './capture/boxed-numbers.js'
import {
  type Capture,
  type CaptureOptions,
  callTraced,
  captureFunction,
  guardsOf,
  type LiftedLike,
  liftArguments,
  type Outcome,
  type TensorFunction,
} from './capture/capture.js'
import { Done } from './capture/done.js'
import { ResultMap } from './capture/results.js'
import type { Segment } from './capture/segment.js'
import { Segments } from './capture/segments.js'
import type { GraphTracer } from './capture/tracer.js'
import { rebuildTree } from './capture/tree.js'
import { sameObjects } from './capture/watched-state.js'
import { recordSegment, withGradients } from './differentiable.js'
import { Entry, entryData, inputsOfLeaves, liftsOf } from './entry.js'
import type { Runner } from './execute/executable.js'
import { isInterpreted, makeRunner, makeRunnerAsync, type RunnerOptions } from './execute/runner.js'
import { explainCapture } from './explain/explain.js'
import type { Explanation } from './explain/explanation.js'
import { bucketsOf } from './guards/buckets.js'
import type { BucketOf } from './guards/layout.js'
import { type CompileOptions, checkCompileCall } from './options.js'
import { graphText } from './pipeline.js'
import { dependsOnPrecision, withPrecision } from './precision.js'
import { type Bindings, type Followed, follow, outcomeText } from './retrace/follow.js'
import { generalise, maxSamples, openSymbols } from './retrace/generalise.js'
import { matchLog, TraceMatcher, TraceMismatch, type TraceTemplate, templateOf } from './retrace/trace-match.js'
import { canShareVersion, kept, type Sample, sampleOf } from './retrace/trace-sample.js'

/** Recompile reasons that `stats()` reports. */
const maxReasons = 32

/** What a compiled function did so far. */
export interface CompileStats {
  /** Versions compiled so far. */
  readonly compiles: number
  /** Versions alive now. */
  readonly entries: number
  /** The guard that failed, for the last compilations after the first: at most 32. */
  readonly recompiles: readonly string[]
  /** Compilations after the first. */
  readonly recompileCount: number
  /** Calls so far. */
  readonly calls: number
  /** Under max-autotune: the block sizes chosen for the versions alive, and what they gain. */
  readonly tuned: readonly string[]
  /** The files of generated code of the versions alive, most recently used first. */
  readonly code: readonly string[]
}

export interface CompiledMethods<Args extends readonly unknown[]> {
  /**
   * What compiling for these arguments does: graph, fusion, kernels, guards, breaks. Runs nothing, except the code before a
   * graph break and, under max-autotune, the candidate block sizes on copies when no choice is cached yet.
   */
  explain(...args: Args): Explanation
  /**
   * Compiles for these arguments ahead of the first call, without blocking the event loop while the C compiler runs.
   * Like any first call it traces the function, twice; nothing is computed, and no argument changes. Only a function with
   * graph breaks is run, once, because what comes after a read depends on it. Throws what the first call would throw.
   */
  warmup(...args: Args): Promise<void>
  /** What was compiled so far, and why. */
  stats(): CompileStats
}

/** A compiled function: called as the function itself, with `explain`, `warmup` and `stats`. */
export type Compiled<F extends TensorFunction> = F & CompiledMethods<Parameters<F>>

const defaultRecompileLimit = 8
/** Each range of sizes is a version: 32 powers of two reach 2^31. */
const bucketsRecompileLimit = 32
/** Versions for other content of modules, with the same code: at most so many times the limit of versions. */
const maxSharing = 8

interface Captured {
  readonly capture: Capture
  readonly described: DescribedArguments
}

/** The trace of a version: traces of further calls are compared with it, or generalised together with it. */
interface EntryTrace {
  readonly template: TraceTemplate
  readonly outcome: Pick<Outcome, 'result' | 'changes' | 'grads' | 'watched'>
  readonly samples: readonly Sample[]
  /** Sizes and numbers that differ between the samples are symbolic in it. */
  readonly generalised: boolean
  /** Its graph as text; null: it uses no modules. */
  readonly text: string | null
}

/** A call that passes a version's guards. */
type Begun = NonNullable<ReturnType<Entry['begin']>>

/** A version that fits a call; null: none does. `reason`: how the last one tried differs. */
interface Fitting {
  readonly entry: Entry | null
  readonly reason: string | null
}

/** A capture to be compiled. `replaces`: the version whose trace it generalises; null: none. */
interface PendingVersion extends Captured {
  readonly samples: readonly Sample[]
  readonly replaces: { readonly entry: Entry; readonly generalised: boolean } | null
}

/**
 * Compiles a function of tensors, `fn`. Its arguments and result are tensors, and arrays, Maps, Sets and objects of them;
 * other arguments are guarded by `Object.is`. Sizes and numbers that it reads may change: a new value is traced, and
 * compiles nothing if it leads to the same ops (docs/compile.md). Tensors that it closes over are read at each call; other
 * values that it closes over are constants of the compiled code. What it writes into its arguments, tensors and
 * objects, is written at each call. Capture traces it twice, so it must not depend on what it leaves in other objects.
 *
 * Calling the result throws CaptureError (see `captureFunction`), RecompileError (`onRecompile: 'error'`),
 * CompilerError, and whatever the function itself throws.
 */
export function compile<F extends TensorFunction>(fn: F, options: CompileOptions = {}): Compiled<F> {
  checkCompileCall(fn, options)
  const compiled = new CompiledFunction(fn, structuredClone(options)) // the caller may change its object later
  const methods: CompiledMethods<readonly unknown[]> = {
    explain: (...args) => compiled.explain(args),
    warmup: (...args) => compiled.warmup(args),
    stats: () => compiled.stats(),
  }
  const result = Object.assign(callerOf(compiled), methods) as unknown as Compiled<F>
  functions.set(result, compiled)
  return result
}

/** Calls with more arguments allocate an array for them. */
const maxSharedArguments = 6

/**
 * The function that users call. `(...args)` would allocate an array at each call; here all calls with the same number of
 * arguments share one. It is cleared before anything else runs.
 */
function callerOf(compiled: CompiledFunction): (...args: readonly unknown[]) => unknown {
  // One per argument count: setting an array's length costs as much as checking the guards of two tensors.
  const arrays = Array.from({ length: maxSharedArguments + 1 }, (_, length) =>
    new Array<unknown>(length).fill(undefined),
  )
  return function call(a?: unknown, b?: unknown, c?: unknown, d?: unknown, e?: unknown, f?: unknown): unknown {
    // biome-ignore lint/complexity/noArguments: reading its length and items makes no array
    const { length } = arguments
    if (length > maxSharedArguments || currentTracer() !== null || isDetectingAnomalies() || spanObserver !== null) {
      const args = new Array<unknown>(length)
      // biome-ignore lint/complexity/noArguments: as above
      for (let i = 0; i < length; i++) args[i] = arguments[i]
      return compiled.call(args)
    }
    const shared = arrays[length]!
    if (length > 0) shared[0] = a
    if (length > 1) shared[1] = b
    if (length > 2) shared[2] = c
    if (length > 3) shared[3] = d
    if (length > 4) shared[4] = e
    if (length > 5) shared[5] = f
    let entry: Entry | null
    try {
      entry = compiled.find(shared)
    } finally {
      for (let i = 0; i < length; i++) shared[i] = undefined
    }
    return entry === null ? compiled.miss([a, b, c, d, e, f].slice(0, length)) : entry.run(compiled.name)
  }
}

const functions = new WeakMap<object, CompiledFunction>()

/** The name and the compiled versions of what `compile` returned; null for anything else. */
export function versionsOf(compiled: unknown): CompiledVersions | null {
  return typeof compiled === 'function' ? (functions.get(compiled)?.versions() ?? null) : null
}

export interface CompiledVersions {
  readonly name: string
  readonly entries: readonly Entry[]
  /** It has graph breaks, so the function itself runs at each call. */
  readonly breaks: boolean
}

class CompiledFunction {
  readonly name: string
  /** Most recently used first. */
  readonly #entries: Entry[] = []
  readonly #segments: Segments
  readonly #recompiles: string[] = []
  #recompileCount = 0
  /** By `path:dim`: sizes as first seen, sizes seen to change, sizes that the function reads as numbers (and where). */
  readonly #seen = new Map<string, number>()
  readonly #changed = new Set<string>()
  readonly #reads = new Map<string, SourceLocation | null>()
  /** Those among them that ops had to know. A function with graph breaks is traced at each call, and reads the others then. */
  readonly #needed = new Set<string>()
  readonly #bucketOf: BucketOf | null
  #breaks = false
  #compiles = 0
  #calls = 0
  #warnedLimit = false
  /** The last warm-up. They run one after another, so that two for the same version compile once. */
  #warming: Promise<unknown> = Promise.resolve()
  /** TEGULA_RECHECK at the time of `compile`: reading the environment costs more than a small call. */
  readonly #recheck = flag('recheck')
  readonly #traces = new WeakMap<Entry, EntryTrace>()
  /** What max-autotune chose, as text. */
  readonly #choices = new WeakMap<Runner, string>()

  constructor(
    readonly fn: TensorFunction,
    readonly options: CompileOptions,
  ) {
    this.name = options.name ?? (fn.name || 'compiled function')
    this.#bucketOf = bucketsOf(options.bucket)
    this.#segments = new Segments(options.dynamic === false, segment => {
      this.#compiles++
      return this.#makeRunner(this.#precise(segment))
    })
  }

  call(args: readonly unknown[]): unknown {
    // As part of another capture; or op by op, so that the first wrong one can be named.
    if (currentTracer() !== null || isDetectingAnomalies())
      return callTraced(this.fn, this.name, args as readonly never[])
    return span(
      'call',
      this.name,
      () => {
        const entry = this.find(args)
        return entry === null ? this.miss(args) : entry.run(this.name)
      },
      args,
    )
  }

  /** The version whose guards the call passes, ready to run; null: none. Keeps no reference to `args`. */
  find(args: readonly unknown[]): Entry | null {
    this.#calls++
    const entries = this.#entries
    for (let i = 0; i < entries.length; i++) {
      const entry = entries[i]!
      if (!this.#isPrecise(entry) || !entry.match(args)) continue
      if (i > 0) entries.copyWithin(1, 0, i)[0] = entry
      if (this.#recheck) this.#recheckTrace(entry, args)
      return entry
    }
    return null
  }

  warmup(args: readonly unknown[]): Promise<void> {
    const turn = this.#warming.then(() => this.#warm(args))
    this.#warming = turn.catch(() => {}) // the caller gets the error through `turn`
    return turn
  }

  versions(): CompiledVersions {
    return { name: this.name, entries: [...this.#entries], breaks: this.#breaks }
  }

  stats(): CompileStats {
    const runners = [...this.#entries.map(({ runner }) => runner), ...this.#segments.runners]
    return {
      compiles: this.#compiles,
      entries: this.#entries.length,
      recompiles: [...this.#recompiles],
      recompileCount: this.#recompileCount,
      calls: this.#calls,
      tuned: runners.flatMap(runner => this.#choices.get(runner) ?? []),
      code: runners.flatMap(({ sourcePath }) => (sourcePath === null ? [] : [sourcePath])),
    }
  }

  /** Explains what a call with these arguments would run, without running it. */
  explain(args: readonly unknown[]): Explanation {
    const ended: Segment[] = []
    const { capture } = this.#pending(this.#capture(args, describeArguments(args), segment => void ended.push(segment)))
    const { length } = capture.breaks
    const segments = [...(length === 0 ? [] : ended.slice(-length)), capture.segment]
    const tuningFor = (segment: Segment): Tuning | null => {
      const tuned = this.#tuningCase(segment)
      return tuned === null ? null : tuningOf(tuned)
    }
    return explainCapture(this.name, capture, this.stats().recompiles, segments, this.#reads, tuningFor)
  }

  /** Handles a call that `find` has no version for: traces it, compiles where no version fits, and runs it. */
  miss(args: readonly unknown[]): unknown {
    const made = span('compile', this.name, () => this.#versionFor(args))
    return made instanceof Entry ? this.#runFitting(made, args) : made.finish()
  }

  /** A version for the call. With graph breaks there is none: what finishes the call, whose first segments have run. */
  #versionFor(args: readonly unknown[]): Entry | { readonly finish: () => unknown } {
    const { entry: followed, reason } = span('phase', 'capture', () => this.#follow(args))
    if (followed !== null) return followed
    const described = describeArguments(args)
    this.#learnSizes(described)
    const captured = span('phase', 'capture', () => this.#capture(args, described, () => this.#noteBreak(args, reason)))
    for (const { reader, at } of captured.capture.breaks)
      log('recompiles', this.name, () => `graph break: ${reader}`, at)
    if (captured.capture.breaks.length > 0) return { finish: () => this.#finishBroken(captured, described) }
    const known = this.#matching(captured, args)
    if (known !== null) return known
    const pending = span('phase', 'gradients', () => this.#pending(captured))
    const made = this.#runnerOf(pending)
    if (made === null && this.#compiles > 0 && !this.#breaks) this.#noteRecompile(args, reason)
    const runner = made ?? this.#makeRunner(pending.capture.segment)
    return span('phase', 'check of the trace', () => this.#add(pending, args, runner, made === null))
  }

  /** Before a segment runs: the function has graph breaks, from this call on or from an earlier one. */
  #noteBreak(args: readonly unknown[], reason: string | null): void {
    if (this.#compiles > 0 && !this.#breaks) this.#noteRecompile(args, reason)
    this.#breaks = true
  }

  #runFitting(entry: Entry, args: readonly unknown[]): unknown {
    if (!entry.match(args))
      throw new InternalError(
        `compile: ${this.name} fails the guards of the version just compiled: ${entry.explain(args)}`,
      )
    return entry.run(this.name)
  }

  /** After capture, a function with graph breaks has run up to the last one: runs the rest and applies its assignments. */
  #finishBroken({ capture }: Captured, { slots }: DescribedArguments): unknown {
    const watched = capture.watched.objects.map(({ object }) => object)
    const results = this.#runSegment(capture.segment)
    const parts = { ...slots, watched, results, assigned: capture.assigned, made: [] }
    const value = rebuildTree(capture.result, parts)
    for (const change of capture.changes) applyChange(change, parts)
    leaveGrads(capture, parts.results)
    return value
  }

  /**
   * A version that fits although the function reads new sizes or numbers: the guards pass, and a trace records the ops that
   * were compiled. `reason`: how the trace differs from the last version tried.
   */
  #follow(args: readonly unknown[]): Fitting {
    return this.#fitting(args, (trace, entry, { described, symbols }) =>
      follow({ ...trace, ...this.#followed(entry) }, described, symbols),
    )
  }

  /** As `#follow`, by a full trace: it knows the call's sizes, where following may have to know more of them than it can. */
  #matching(captured: Captured, args: readonly unknown[]): Entry | null {
    return this.#fitting(args, (trace, _, { symbols }) => matchCapture(trace, captured, symbols)).entry
  }

  /** The first version whose trace `compare` accepts, and the reason why the last one was refused. */
  #fitting(
    args: readonly unknown[],
    compare: (trace: EntryTrace, entry: Entry, begun: Begun) => Bindings | string,
  ): Fitting {
    let reason: string | null = null
    for (const entry of this.#entries) {
      const trace = this.#traces.get(entry)
      const begun = trace === undefined || !this.#isPrecise(entry) ? null : entry.begin(args)
      if (trace === undefined || begun === null) continue
      let found: Bindings | string
      try {
        found = compare(trace, entry, begun)
      } finally {
        entry.release()
      }
      if (typeof found === 'string' || !entry.guards.holds(found.symbols) || !entry.accepts(found)) {
        reason = typeof found === 'string' ? found : 'its sizes are outside of what the version was compiled for'
        continue
      }
      entry.learn(args, found)
      return { entry, reason: null }
    }
    return { entry: null, reason }
  }

  /** Compiles what a call with these arguments needs, without running it. */
  async #warm(args: readonly unknown[]): Promise<void> {
    const isWarm = (): boolean => this.#entries.some(entry => this.#mismatch(entry, args) === null)
    if (isWarm() || this.#follow(args).entry !== null) return
    const described = describeArguments(args)
    this.#learnSizes(described)
    const captured = this.#capture(args, described)
    if (captured.capture.breaks.length > 0) {
      this.#breaks = true
      this.#runSegment(captured.capture.segment)
      return
    }
    if (this.#matching(captured, args) !== null) return
    const pending = this.#pending(captured)
    const { segment } = pending.capture
    const made = this.#runnerOf(pending)
    const tuned = made === null ? this.#tuningCase(segment) : null
    const runner =
      tuned === null
        ? (made ?? (await makeRunnerAsync(segment.graph, computeDevice(segment.device), this.#runnerOptions)))
        : this.#noteChoice(await tuneAsync(tuned))
    if (!isWarm()) this.#add(pending, args, runner, made === null) // a call may have come in between
  }

  /**
   * The code of a version with the same graph, where the versions differ in what modules hold (another tensor in a field,
   * another layer of the same sizes); null: there is none.
   */
  #runnerOf({ capture: { segment, watched } }: PendingVersion): Runner | null {
    if (watched.objects.length === 0) return null
    const text = graphText(segment.graph)
    return this.#entries.find(entry => this.#traces.get(entry)?.text === text)?.runner ?? null
  }

  /** Adds a version, with what later traces are compared with. `isNew`: its code was compiled for it. */
  #add(pending: PendingVersion, args: readonly unknown[], runner: Runner, isNew: boolean): Entry {
    const { capture, described, samples, replaces } = pending
    const { segment, result, changes, grads, watched } = capture
    const precision = dependsOnPrecision(segment.graph, segment.device) ? this.#precision : null
    const generalised = replaces !== null
    const entry = new Entry(entryData(capture, described.slots, generalised), runner, precision)
    const { numbers, symbols } = segment
    entry.learn(args, { numbers, symbols, assigned: capture.assigned, constants: new Map() })
    this.#traces.set(entry, {
      template: templateOf(segment),
      outcome: { result, changes, grads, watched },
      samples: samples.map(kept),
      generalised,
      text: watched.objects.length === 0 ? null : graphText(segment.graph),
    })
    // The comparison reads constants' values, which a device cannot do while its work is captured.
    if (!computeDevice(segment.device).isCapturing) this.#compareTrace(entry, args, 'when it is traced a second time')
    for (const guard of capture.guards.describe()) log('guards', this.name, () => guard)
    if (isNew) this.#compiles++
    // The old version stays if the new one covers only part of its sizes (a size condition narrowed it).
    const isCovered = samples.every(({ sizes }) => entry.allowsSizes(sizes))
    if (replaces?.generalised && isCovered) this.#entries.splice(this.#entries.indexOf(replaces.entry), 1)
    this.#keep(entry)
    return entry
  }

  #followed({ data: { inputOfLeaf } }: Entry): Pick<Followed, 'fn' | 'name' | 'inputOfLeaf'> {
    return { fn: this.fn, name: this.name, inputOfLeaf }
  }

  #recheckTrace(entry: Entry, args: readonly unknown[]): void {
    entry.release()
    this.#compareTrace(entry, args, 'than what was compiled')
    if (!entry.match(args)) throw new InternalError(`compile: ${this.name}: a trace changed what is guarded`)
  }

  /**
   * Traces a call again: compiled code must not depend on state that the function changes in the surrounding code.
   * Throws CaptureError when the traces differ; `when` completes its message.
   */
  #compareTrace(entry: Entry, args: readonly unknown[], when: string): void {
    const trace = this.#traces.get(entry)
    const begun = entry.begin(args)
    if (trace === undefined || begun === null) return
    let difference: string | null
    try {
      const followed = follow({ ...trace, ...this.#followed(entry) }, begun.described, begun.symbols)
      const found = typeof followed === 'string' ? this.#traceAgain(trace, entry, args, begun) : followed
      const differs = typeof followed === 'string' && typeof found === 'string'
      difference = differs ? followed : entry.contradicts(found as Bindings)
    } finally {
      entry.release()
    }
    if (difference === null) return
    throw new CaptureError(`compile: ${this.name} records something else ${when}: ${difference}`, {
      fix: 'pass what changes as an argument: numbers and flags are guarded, tensors are read at each call',
    })
  }

  /** As `follow`, with a full trace: a function may catch errors of ops, and ops that throw are in no log. */
  #traceAgain(trace: EntryTrace, { data }: Entry, args: readonly unknown[], begun: Begun): Bindings | string {
    const closures = new Set(data.inputs.flatMap(({ tensor }) => tensor ?? []))
    const like = { described: begun.described, inputOfLeaf: data.inputOfLeaf, closures }
    return matchCapture(
      trace,
      this.#capture(args, begun.described, () => {}, like),
      begun.symbols,
    )
  }

  /**
   * Captures. Sizes that turn out to be needed as numbers are specialised, and the function is captured again. `ended` is
   * called with each segment that a graph break ends, also in captures that are then repeated. `like`: the version that the
   * capture is compared with; absent: none.
   */
  #capture(
    args: readonly unknown[],
    described: DescribedArguments,
    ended: (segment: Segment) => void = () => {},
    like?: LiftedLike,
  ): Captured {
    const done = new Done()
    let fixed: Pick<ReadonlySet<string>, 'has'> = this.#breaks ? this.#needed : this.#reads
    for (;;) {
      const { capture, pinned } = captureFunction(this.fn, args, {
        done,
        resumes: this.#learnShape,
        ...(like === undefined ? {} : { like }),
        ...this.#captureOptions((path, dim) => !fixed.has(`${path}:${dim}`) && this.#isDynamic(path, dim)),
        runSegment: recorded => {
          const segment = this.#precise(recorded)
          ended(segment)
          return this.#runSegment(segment)
        },
      })
      const added = [...pinned].filter(([key]) => !fixed.has(key))
      for (const [key, at] of pinned) if (!this.#reads.has(key)) this.#reads.set(key, at)
      if (capture === null) for (const [key] of added) this.#needed.add(key)
      if (capture !== null && (added.length === 0 || capture.breaks.length > 0))
        return { capture: { ...capture, segment: this.#precise(capture.segment) }, described }
      if (added.length === 0) throw new InternalError(`compile: ${this.name}: no size left to specialise`)
      if (capture !== null) fixed = this.#reads
    }
  }

  #captureOptions(isDynamic: CaptureOptions['isDynamic']): CaptureOptions {
    return {
      name: this.name,
      fullgraph: this.options.fullgraph ?? false,
      isDynamic,
      isPinned: key => this.#reads.has(key),
      bucketOf: this.#bucketOf,
      runSegment: () => {
        throw new InternalError(`compile: ${this.name}: a read where there was none`)
      },
    }
  }

  #pending(captured: Captured): PendingVersion {
    const pending = this.#generalised(captured)
    const { capture } = pending
    return { ...pending, capture: { ...capture, segment: withGradients(capture.segment) } }
  }

  /** Generalises the capture with earlier ones that record the same ops for other sizes and numbers; else as it is. */
  #generalised(captured: Captured): PendingVersion {
    const { capture, described } = captured
    const newest = sampleOf(capture.segment, described.slots)
    const alone: PendingVersion = { capture, described, samples: [newest], replaces: null }
    // Without reads of sizes and numbers there is nothing to generalise.
    const isRead = this.#reads.size > 0 || described.slots.numbers.length > 0
    if (capture.breaks.length > 0 || !isRead) return alone
    for (const entry of this.#entries) {
      const trace = this.#traces.get(entry)
      if (trace === undefined || !sameStructure(entry.data.args, described)) continue
      const alike = trace.samples.filter(sample => canShareVersion(sample, newest, this.options.dynamic === false))
      const samples = [...alike.slice(1 - maxSamples), newest]
      if (samples.length < 2) continue
      const segment = this.#unified(samples, captured)
      if (segment === null) continue
      const general = { ...capture, segment, guards: guardsOf(segment) }
      return { capture: general, described, samples, replaces: { entry, generalised: trace.generalised } }
    }
    return alone
  }

  /** One trace for several samples; null: they record different ops. */
  #unified(samples: readonly Sample[], { capture, described }: Captured): Segment | null {
    const options = this.#captureOptions((path, dim) => this.options.dynamic === true && this.#isDynamic(path, dim))
    const inputs = {
      paths: slotPaths(described.tree, 'tensor'),
      lift: (tracer: GraphTracer) => liftArguments(tracer, described),
      sizes: (_: GraphTracer, { leaves }: LiftedArguments) => leaves.map(leaf => leaf.sizes),
    }
    const segment = generalise(samples, inputs, options, made => this.#isFollowed(made, capture, described))
    return segment === null ? null : this.#precise(segment)
  }

  /** Whether `follow` succeeds although sizes that were the same in all samples are symbolic. */
  #isFollowed(segment: Segment, outcome: Outcome, described: DescribedArguments): boolean {
    const inputOfLeaf = inputsOfLeaves(segment, described.slots)
    const followed = { template: templateOf(segment), outcome, inputOfLeaf, fn: this.fn, name: this.name }
    return typeof follow(followed, described, openSymbols(segment)) !== 'string'
  }

  get #precision(): Float32MatmulPrecision {
    return this.options.float32MatmulPrecision ?? getFloat32MatmulPrecision()
  }

  /** Why a call cannot use a version; null: it can. */
  #mismatch(entry: Entry, args: readonly unknown[]): string | null {
    if (this.#isPrecise(entry)) return entry.explain(args)
    return `float32MatmulPrecision was ${entry.precision}, now ${this.#precision}`
  }

  #precise<S extends Segment>(segment: S): S {
    const graph = withPrecision(segment.graph, segment.device, this.#precision)
    return { ...segment, graph: this.options.deterministic ? { ...graph, deterministic: true } : graph }
  }

  #isPrecise({ precision }: Entry): boolean {
    return precision === null || precision === this.#precision
  }

  readonly #isDynamic = (path: string, dim: number): boolean => {
    const { dynamic = 'auto' } = this.options
    if (!path.startsWith('args') && !path.startsWith('break')) return false
    return dynamic === 'auto' ? this.#changed.has(`${path}:${dim}`) : dynamic
  }

  /** Records the sizes of a call that compiles; under 'auto' a dim seen with a second size becomes symbolic. */
  #learnSizes({ tree, slots }: DescribedArguments): void {
    const paths = slotPaths(tree, 'tensor')
    for (const [i, leaf] of slots.leaves.entries()) this.#learnShape(paths[i]!, leaf)
  }

  readonly #learnShape = (path: string, { shape }: Tensor): void => {
    for (const [dim, size] of shape.entries()) {
      const key = `${path}:${dim}`
      const seen = this.#seen.get(key)
      if (seen === undefined) this.#seen.set(key, size)
      else if (seen !== size) this.#changed.add(key)
    }
  }

  #runSegment(recorded: Segment): readonly Tensor[] {
    const { segment, runner } = this.#segments.find(recorded, this.#captureOptions(this.#isDynamic))
    const names = segment.graph.symbols.map(({ name }) => name)
    const values = new Map(names.map((name, i) => [name, segment.symbols[i]!]))
    const scalars = scalarsOf(segment, ({ generator, elements }) => generator.take(evaluateSize(elements, values)))
    const inputs = segment.inputs.map(({ tensor }) => tensor)
    const outputs = runner.run(inputs, scalars, segment.symbols)
    const { tape, symbols, graph } = segment
    for (const { input } of graph.writeBacks) inputs[input]!.storage(this.name).changed()
    if (tape !== null) recordSegment(tape, graph.symbols, { inputs, scalars, symbols, outputs })
    return new ResultMap(segment.results, names).pick(inputs, outputs, segment.symbols)
  }

  /** Null: no candidates are measured. */
  #tuningCase(segment: Segment): TuningCase | null {
    if (this.options.mode !== 'max-autotune') return null
    const device = computeDevice(segment.device)
    return isInterpreted(device) ? null : { segment, device, options: this.#runnerOptions }
  }

  /** On a GPU every mode but 'default' uses CUDA graphs, which save launch overhead. */
  get #runnerOptions(): RunnerOptions {
    return { name: this.name, graphs: this.options.mode !== undefined && this.options.mode !== 'default' }
  }

  #makeRunner(segment: Segment): Runner {
    const tuned = this.#tuningCase(segment)
    if (tuned !== null) return this.#noteChoice(tune(tuned))
    return makeRunner(segment.graph, computeDevice(segment.device), this.#runnerOptions)
  }

  #noteChoice({ runner, tuning }: Tuned): Runner {
    const text = tuningText(tuning)
    log('tune', this.name, () => text)
    this.#choices.set(runner, text)
    return runner
  }

  /** Puts a version first; drops the least recently used one beyond the limit, with one warning. */
  #keep(entry: Entry): void {
    this.#entries.unshift(entry)
    const usual = this.#bucketOf === null ? defaultRecompileLimit : bucketsRecompileLimit
    const limit = this.options.recompileLimit ?? usual
    const codes = new Set(this.#entries.map(({ runner }) => runner)).size
    if (codes <= limit) {
      if (this.#entries.length > maxSharing * limit) this.#entries.pop()
      return
    }
    this.#entries.pop()
    if (this.#warnedLimit) return
    this.#warnedLimit = true
    warn(
      `compile: ${this.name} has more than ${limit} compiled versions; the least recently used one is dropped. ` +
        `Last guard that failed: ${this.#recompiles.at(-1)}. fix: make what changes a tensor or scalar(v), or give a larger recompileLimit`,
    )
  }

  /** `traced`: how a trace of the call differs from a version whose guards it passes. */
  #noteRecompile(args: readonly unknown[], traced: string | null): void {
    const [last] = this.#entries
    const guard = (last === undefined ? null : this.#mismatch(last, args)) ?? 'no version left'
    const reason = traced === null ? guard : `${guard} (${traced})`
    this.#recompileCount++
    if (this.#recompiles.push(reason) > maxReasons) this.#recompiles.shift()
    log('recompiles', this.name, () => `compiles again: ${reason}`)
    const message = `compile: ${this.name} compiles again: ${reason}`
    if (this.options.onRecompile === 'warn') warn(message)
    if (this.options.onRecompile === 'error') {
      throw new RecompileError(message, { fix: "warm up every shape first, or use onRecompile: 'warn'" })
    }
  }
}

/** After a function with graph breaks: its gradients, where it left others than it found. */
function leaveGrads({ grads, segment }: Capture, results: readonly Tensor[]): void {
  const { inputOf } = liftsOf(segment)
  for (const { leaf, result } of grads) {
    if (result === undefined) continue
    const { tensor } = segment.inputs[inputOf.get(leaf)!]!
    setGrad(tensor, result === null ? null : results[result]!)
  }
}

/** Compares a capture with a version's trace. A text: how they differ. */
function matchCapture(
  { template, outcome }: EntryTrace,
  { capture, described }: Captured,
  symbols: Float64Array,
): Bindings | string {
  if (capture.breaks.length > 0) return 'it reads values now'
  if (!sameObjects(outcome.watched, capture.watched)) return 'it uses other modules'
  if (outcomeText(outcome) !== outcomeText(capture)) return 'it returns or assigns something else'
  const { log, outputs } = sampleOf(capture.segment, described.slots)
  const matcher = new TraceMatcher(template, symbols.slice())
  try {
    matchLog(matcher, log, outputs)
  } catch (error) {
    if (!(error instanceof TraceMismatch)) throw error
    return error.message
  }
  const { numbers, constants } = matcher
  return { numbers, symbols: matcher.symbols, assigned: capture.assigned, constants }
}

/** Whether the arguments have the same structure; values of numbers may differ. */
const sameStructure = (tree: ArgumentTree, { slots }: DescribedArguments): boolean =>
  explainMismatch(tree, slots.objects[0]) === null

function warn(message: string): void {
  process.emitWarning(message, 'TegulaWarning')
}
