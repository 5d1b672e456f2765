/**
 * `compile(fn)`: the first call for a set of guards captures and compiles; later calls check guards and replay, without
 * running `fn`.
 */
import { env } from '../base/env.js'
import { InternalError, RecompileError } from '../base/errors.js'
import { type Float32MatmulPrecision, getFloat32MatmulPrecision } from '../tensor/precision.js'
import type { Tensor } from '../tensor/tensor.js'
import { currentTracer } from '../tensor/tracer.js'
import { type Tuned, type Tuning, type TuningCase, tune, tuneAsync, tuningOf, tuningText } from './autotune.js'
import { bucketsOf } from './buckets.js'
import { type Capture, captureFunction, leafPaths, type TensorFunction } from './capture.js'
import { computeDevice } from './devices.js'
import { Entry, entryData } from './entry.js'
import type { Runner } from './executable.js'
import { type Explanation, explainCapture } from './explain.js'
import type { BucketOf } from './layout.js'
import { type CompileOptions, checkCompileCall } from './options.js'
import { graphText } from './pipeline.js'
import { dependsOnPrecision, withPrecision } from './precision.js'
import { TraceRecord } from './recheck.js'
import { ResultMap } from './results.js'
import { backend, makeRunner, makeRunnerAsync, type RunnerOptions } from './runner.js'
import type { Segment } from './tracer.js'
import { describeTree, rebuildTree } from './tree.js'

export interface CompileStats {
  /** Versions compiled so far, and those alive now. */
  readonly compiles: number
  readonly entries: number
  /** The guard that failed, for each compilation after the first. */
  readonly recompiles: readonly string[]
  readonly calls: number
  /** Under max-autotune: the block sizes chosen for the versions alive, and what they gain. */
  readonly tuned: readonly string[]
  /** The files of generated code of the versions alive, most recently used first. */
  readonly code: readonly string[]
}

export interface CompiledMethods<Args extends readonly unknown[]> {
  /**
   * What compiling for these arguments does: graph, fusion, kernels, guards, breaks. Runs nothing, but for what stands
   * before a graph break, and under max-autotune the choices of block sizes, on copies, where none is remembered yet.
   */
  explain(...args: Args): Explanation
  /**
   * Compiles for these arguments ahead of the first call, without blocking the event loop while the C compiler runs.
   * Like any first call it traces the function once; nothing is computed, and no argument changes. Only a function with
   * graph breaks is run, once, because what comes after a read depends on it. Throws what the first call would throw.
   */
  warmup(...args: Args): Promise<void>
  stats(): CompileStats
}

export type Compiled<F extends TensorFunction> = F & CompiledMethods<Parameters<F>>

const defaultRecompileLimit = 8

interface Captured {
  readonly capture: Capture
  readonly leaves: readonly Tensor[]
}

/**
 * Compiles a function of tensors: its arguments and result are tensors, or arrays and plain objects of tensors; other
 * arguments are guarded by identity. Tensors that it closes over are read at each call; other values that it closes
 * over are constants of the compiled code. In-place changes to arguments take effect.
 *
 * Calling the result throws CaptureError (see `captureFunction`), RecompileError (`onRecompile: 'error'`),
 * CompilerError, and whatever the function itself throws.
 */
export function compile<F extends TensorFunction>(fn: F, options: CompileOptions = {}): Compiled<F> {
  checkCompileCall(fn, options)
  const compiled = new CompiledFunction(fn, structuredClone(options)) // what the caller does to the object comes too late
  const methods: CompiledMethods<readonly unknown[]> = {
    explain: (...args) => compiled.explain(args),
    warmup: (...args) => compiled.warmup(args),
    stats: () => compiled.stats(),
  }
  const result = Object.assign(callerOf(compiled), methods) as unknown as Compiled<F>
  functions.set(result, compiled)
  return result
}

/** Calls with more arguments make an array of them. */
const fewArguments = 6

/**
 * What people call. `(...args)` would make an array at each call; here one array serves all calls of few arguments.
 * It is empty again before anything else runs.
 */
function callerOf(compiled: CompiledFunction): (...args: readonly unknown[]) => unknown {
  const shared: unknown[] = []
  return function call(a?: unknown, b?: unknown, c?: unknown, d?: unknown, e?: unknown, f?: unknown): unknown {
    // biome-ignore lint/complexity/noArguments: reading its length and items makes no array
    const { length } = arguments
    if (length > fewArguments || currentTracer() !== null) {
      const args = new Array<unknown>(length)
      // biome-ignore lint/complexity/noArguments: as above
      for (let i = 0; i < length; i++) args[i] = arguments[i]
      return compiled.call(args)
    }
    if (length > 0) shared[0] = a
    if (length > 1) shared[1] = b
    if (length > 2) shared[2] = c
    if (length > 3) shared[3] = d
    if (length > 4) shared[4] = e
    if (length > 5) shared[5] = f
    shared.length = length
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
  /** The function reads values, so it runs at each call. */
  readonly breaks: boolean
}

class CompiledFunction {
  readonly name: string
  /** Most recently used first. */
  readonly #entries: Entry[] = []
  /** Runners of functions with graph breaks, whose segments are found by structure. */
  readonly #segments = new Map<string, Runner>()
  readonly #recompiles: string[] = []
  /** Sizes by `path:dim` as first seen; those seen to change; those that the function read as numbers. */
  readonly #seen = new Map<string, number>()
  readonly #changed = new Set<string>()
  readonly #pinned = new Set<string>()
  readonly #bucketOf: BucketOf | null
  #breaks = false
  #compiles = 0
  #calls = 0
  #warnedLimit = false
  /** The last warm-up; they run one after another, so that equal ones compile once. */
  #warming: Promise<unknown> = Promise.resolve()
  /** TEGULA_RECHECK, as it was when the function was compiled: a look at the environment costs more than a small call. */
  readonly #recheck = env('recheck') === '1'
  readonly #traces = new WeakMap<Entry, TraceRecord>()
  /** What max-autotune chose. */
  readonly #choices = new WeakMap<Runner, string>()

  constructor(
    readonly fn: TensorFunction,
    readonly options: CompileOptions,
  ) {
    this.name = options.name ?? (fn.name || 'compiled function')
    this.#bucketOf = bucketsOf(options.bucket)
  }

  call(args: readonly unknown[]): unknown {
    if (currentTracer() !== null) return this.fn(...(args as readonly never[])) // part of another capture
    const entry = this.find(args)
    return entry === null ? this.miss(args) : entry.run(this.name)
  }

  /** The version whose guards the call meets, ready to run; null: there is none. Keeps nothing of `args`. */
  find(args: readonly unknown[]): Entry | null {
    this.#calls++
    const entries = this.#entries
    for (let i = 0; i < entries.length; i++) {
      const entry = entries[i]!
      if ((entry.precision !== null && entry.precision !== this.#precision) || !entry.match(args)) continue
      if (i > 0) entries.copyWithin(1, 0, i)[0] = entry
      if (this.#recheck) this.#compareTrace(entry, args)
      return entry
    }
    return null
  }

  warmup(args: readonly unknown[]): Promise<void> {
    const turn = this.#warming.then(() => this.#warm(args))
    this.#warming = turn.catch(() => {}) // whoever asked for it is told
    return turn
  }

  versions(): CompiledVersions {
    return { name: this.name, entries: [...this.#entries], breaks: this.#breaks }
  }

  stats(): CompileStats {
    const runners = [...this.#entries.map(({ runner }) => runner), ...this.#segments.values()]
    return {
      compiles: this.#compiles,
      entries: this.#entries.length,
      recompiles: [...this.#recompiles],
      calls: this.#calls,
      tuned: runners.flatMap(runner => this.#choices.get(runner) ?? []),
      code: runners.flatMap(({ sourcePath }) => (sourcePath === null ? [] : [sourcePath])),
    }
  }

  explain(args: readonly unknown[]): Explanation {
    const ended: Segment[] = []
    const { capture } = this.#capture(args, segment => void ended.push(segment))
    const { length } = capture.breaks
    const segments = [...(length === 0 ? [] : ended.slice(-length)), capture.segment]
    const tuningFor = (segment: Segment): Tuning | null => {
      const tuned = this.#tuningCase(segment)
      return tuned === null ? null : tuningOf(tuned)
    }
    return explainCapture(this.name, capture, this.stats(), segments, tuningFor)
  }

  /** Captures, compiles and runs a call that no version fits. */
  miss(args: readonly unknown[]): unknown {
    if (this.#compiles > 0 && !this.#breaks) this.#noteRecompile(args)
    this.#learnSizes(args)
    const { capture, leaves } = this.#capture(args)
    if (capture.breaks.length > 0) {
      this.#breaks = true
      return rebuildTree(capture.result, this.#runSegment(capture.segment))
    }
    const entry = this.#add({ capture, leaves }, this.#makeRunner(capture.segment))
    if (!entry.match(args))
      throw new InternalError(`compile: ${this.name} misses its own guards: ${entry.explain(args)}`)
    return entry.run(this.name)
  }

  async #warm(args: readonly unknown[]): Promise<void> {
    const isWarm = (): boolean => this.#entries.some(entry => this.#mismatch(entry, args) === null)
    if (isWarm()) return
    this.#learnSizes(args)
    const captured = this.#capture(args)
    const { breaks, segment } = captured.capture
    if (breaks.length > 0) {
      this.#breaks = true
      this.#runSegment(segment)
      return
    }
    const tuned = this.#tuningCase(segment)
    const runner =
      tuned === null
        ? await makeRunnerAsync(segment.graph, computeDevice(segment.device), this.#runnerOptions)
        : this.#noteChoice(await tuneAsync(tuned))
    if (!isWarm()) this.#add(captured, runner) // a call may have come in between
  }

  #add({ capture, leaves }: Captured, runner: Runner): Entry {
    const { graph, device } = capture.segment
    const precision = dependsOnPrecision(graph, device) ? this.#precision : null
    const entry = new Entry(entryData(capture, leaves), runner, precision)
    if (this.#recheck) this.#traces.set(entry, new TraceRecord(capture, leaves))
    this.#compiles++
    this.#keep(entry)
    return entry
  }

  #compareTrace(entry: Entry, args: readonly unknown[]): void {
    try {
      this.#traces.get(entry)?.compare(this.fn, args, this.name)
    } catch (error) {
      entry.release()
      throw error
    }
  }

  /**
   * Captures; sizes that turn out to be needed as numbers are specialised and the function is captured again. `ended`
   * sees each segment that a graph break ends, those of captures that are then repeated too.
   */
  #capture(args: readonly unknown[], ended: (segment: Segment) => void = () => {}): Captured {
    const leaves: Tensor[] = []
    describeTree(args, leaves, 'args')
    for (;;) {
      const { capture, pinned } = captureFunction(this.fn, args, {
        name: this.name,
        fullgraph: this.options.fullgraph ?? false,
        isDynamic: (path, dim) => this.#isDynamic(`${path}:${dim}`, path),
        bucketOf: this.#bucketOf,
        runSegment: recorded => {
          const segment = this.#precise(recorded)
          ended(segment)
          return this.#runSegment(segment)
        },
      })
      const added = [...pinned].filter(key => !this.#pinned.has(key))
      for (const key of added) this.#pinned.add(key)
      if (capture !== null && (added.length === 0 || capture.breaks.length > 0))
        return { capture: { ...capture, segment: this.#precise(capture.segment) }, leaves }
      if (added.length === 0) throw new InternalError(`compile: ${this.name}: no size left to specialise`)
    }
  }

  get #precision(): Float32MatmulPrecision {
    return this.options.float32MatmulPrecision ?? getFloat32MatmulPrecision()
  }

  /** Why a call cannot use a version; null: it can. */
  #mismatch(entry: Entry, args: readonly unknown[]): string | null {
    const { precision } = entry
    if (precision === null || precision === this.#precision) return entry.explain(args)
    return `float32MatmulPrecision was ${precision}, now ${this.#precision}`
  }

  #precise<S extends Segment>(segment: S): S {
    return { ...segment, graph: withPrecision(segment.graph, segment.device, this.#precision) }
  }

  #isDynamic(key: string, path: string): boolean {
    const { dynamic = 'auto' } = this.options
    if (this.#pinned.has(key) || !path.startsWith('args')) return false
    return dynamic === 'auto' ? this.#changed.has(key) : dynamic
  }

  /** Remembers the sizes of a call that compiles; a dim seen with a second size becomes symbolic under 'auto'. */
  #learnSizes(args: readonly unknown[]): void {
    const leaves: Tensor[] = []
    const paths = leafPaths(describeTree(args, leaves, 'args'))
    for (const [i, { shape }] of leaves.entries()) {
      for (const [dim, size] of shape.entries()) {
        const key = `${paths[i]}:${dim}`
        const seen = this.#seen.get(key)
        if (seen === undefined) this.#seen.set(key, size)
        else if (seen !== size) this.#changed.add(key)
      }
    }
  }

  #runSegment(segment: Segment): readonly Tensor[] {
    const scalars = segment.draws.flatMap(({ generator, elements }) => {
      const { seed, offset } = generator.take(elements)
      return [seed, offset]
    })
    const inputs = segment.inputs.map(({ tensor }) => tensor)
    const outputs = this.#segmentRunner(segment).run(inputs, scalars, segment.symbols)
    const names = segment.graph.symbols.map(({ name }) => name)
    return new ResultMap(segment.results, names).pick(inputs, outputs, segment.symbols)
  }

  /** Null where no candidates are measured. */
  #tuningCase(segment: Segment): TuningCase | null {
    if (this.options.mode !== 'max-autotune') return null
    const device = computeDevice(segment.device)
    const isNative = device.kind === 'cuda' || backend() === 'native'
    return isNative ? { segment, device, options: this.#runnerOptions } : null
  }

  /** On a GPU every mode but the default saves the launches' cost. */
  get #runnerOptions(): RunnerOptions {
    return { graphs: this.options.mode !== undefined && this.options.mode !== 'default' }
  }

  #makeRunner(segment: Segment): Runner {
    const tuned = this.#tuningCase(segment)
    if (tuned !== null) return this.#noteChoice(tune(tuned))
    return makeRunner(segment.graph, computeDevice(segment.device), this.#runnerOptions)
  }

  #noteChoice({ runner, tuning }: Tuned): Runner {
    this.#choices.set(runner, tuningText(tuning))
    return runner
  }

  #segmentRunner(segment: Segment): Runner {
    const key = graphText(segment.graph)
    const known = this.#segments.get(key)
    if (known !== undefined) return known
    const runner = this.#makeRunner(segment)
    this.#compiles++
    this.#segments.set(key, runner)
    return runner
  }

  #keep(entry: Entry): void {
    this.#entries.unshift(entry)
    const limit = this.options.recompileLimit ?? defaultRecompileLimit
    if (this.#entries.length <= limit) return
    this.#entries.pop()
    if (this.#warnedLimit) return
    this.#warnedLimit = true
    warn(
      `compile: ${this.name} has more than ${limit} compiled versions; the least recently used one is dropped. ` +
        `Last guard that failed: ${this.#recompiles.at(-1)}. fix: dynamic: true, fewer distinct values of arguments, or a larger recompileLimit`,
    )
  }

  #noteRecompile(args: readonly unknown[]): void {
    const [last] = this.#entries
    const reason = (last === undefined ? null : this.#mismatch(last, args)) ?? 'no version left'
    this.#recompiles.push(reason)
    const message = `compile: ${this.name} compiles again: ${reason}`
    if (this.options.onRecompile === 'warn') warn(message)
    if (this.options.onRecompile === 'error') {
      throw new RecompileError(message, { fix: "warm up every shape first, or use onRecompile: 'warn'" })
    }
  }
}

function warn(message: string): void {
  process.emitWarning(message, 'TegulaWarning')
}
