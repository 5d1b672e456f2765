/** `profile(fn)`, `profiler()` and `recordFunction`: where time goes. */
import { computeDevice } from '../backends/index.js'
import { describeAny } from '../base/describe.js'
import { ArgumentError } from '../base/errors.js'
import { observeSpans, span, spanObserver } from '../base/spans.js'
import { observeRuns } from '../compile/execute/run-observer.js'
import { isInterpreted } from '../compile/execute/runner.js'
import type { MachineLimits } from '../compile/limits.js'
import { openCudaDevices } from '../runtime/cuda/device.js'
import type { Device } from '../tensor/device.js'
import { knownLimits } from './device-limits.js'
import { checkOptions, flag } from './options.js'
import { Profile } from './profile.js'
import { Recorder } from './recorder.js'
import { compilationsOf } from './rows.js'

/** Options of a profiler. */
export interface ProfilerOptions {
  /** Record the user's line of each op and call, for tables by line; kernels have theirs in any case. Default false. */
  readonly lines?: boolean
  /** Measure the devices' peak rates (once per process, in about a second, after the profile), to compare kernels with. Default true. */
  readonly peak?: boolean
}

/**
 * Profiles what `body` does: each function, op, module, label and kernel, with its time on the host's clock and on the GPU, memory, and
 * compilations. Kernels on a GPU are timed by CUPTI where it is found: what runs is what runs without a profiler. Without CUPTI, and on the
 * CPU, kernels of compiled functions run one by one while a profiler runs.
 *
 * @param body a function without arguments; it may be async
 * @param options `lines`, `peak`
 * @throws ArgumentError when a profiler runs already, and what `body` throws
 *
 * @example
 * const p = await profile(() => step(x, y)); console.log(p.table({ group: 'kernel' })); p.toTrace('trace.json')
 */
export async function profile(body: () => unknown, options: ProfilerOptions = {}): Promise<Profile> {
  if (typeof (body as unknown) !== 'function')
    throw new ArgumentError(`profile: ${describeAny(body)} is not a function`, { fix: 'profile(() => step(x, y))' })
  const running = profiler(options)
  try {
    await span('label', 'profile', body)
    return running.stop()
  } finally {
    running[Symbol.dispose]()
  }
}

/**
 * Starts a profiler, for code that is not one function: `using p = profiler()` ends with its block, `p.stop()` gives what it saw.
 *
 * @param options `lines`, `peak`
 * @throws ArgumentError when a profiler runs already
 *
 * @example
 * using p = profiler()
 * step(x, y)
 * console.log(p.stop())
 */
export function profiler(options: ProfilerOptions = {}): Profiler {
  return new Profiler(options).start()
}

/**
 * Runs `body` as a row of its own in profiles.
 *
 * @param label the row's name
 * @param body a function without arguments; if it is async, the row ends when its promise settles
 * @returns what `body` gives
 */
export function recordFunction<R>(label: string, body: () => R): R {
  if (typeof (label as unknown) !== 'string' || typeof (body as unknown) !== 'function')
    throw new ArgumentError(`recordFunction: ${describeAny(label)} and ${describeAny(body)}`, {
      fix: "recordFunction('forward', () => net(x))",
    })
  return span('label', label, body)
}

/** Records where time goes between `start` and `stop`. */
export class Profiler {
  readonly #options: ProfilerOptions
  #running: { readonly recorder: Recorder; readonly end: () => void } | null = null

  /**
   * @param options `lines`, `peak`
   * @throws ArgumentError for unknown options, and other values than true and false
   */
  constructor(options: ProfilerOptions = {}) {
    checkOptions('profiler', options, { lines: flag, peak: flag })
    this.#options = options
  }

  /**
   * Begins a profile. Waits until GPUs in use have nothing to do.
   * @throws ArgumentError when a profiler runs already
   */
  start(): this {
    if (this.#running !== null || spanObserver instanceof Recorder)
      throw new ArgumentError('profiler: another one runs already', { fix: 'stop it before the next one starts' })
    const gpus = openCudaDevices().filter(({ context }) => context.lost === null)
    const recorder = new Recorder(gpus, { lines: this.#options.lines ?? false })
    const ends = [observeSpans(recorder), observeRuns(recorder)]
    this.#running = {
      recorder,
      end: () => {
        for (const end of ends) end()
      },
    }
    return this
  }

  /**
   * Ends the profile: waits for the work of the GPUs, and gives what was recorded.
   * @throws ArgumentError when it does not run
   */
  stop(): Profile {
    if (this.#running === null)
      throw new ArgumentError('Profiler.stop: it does not run', { fix: 'start() it, and stop it once' })
    const { recorder, end } = this.#running
    end()
    this.#running = null
    const { nanoseconds, spans, memory, devices, untraced } = finished(recorder)
    return new Profile({
      nanoseconds,
      devices: devices.map(name => ({ name, model: computeDevice(name).model })),
      spans,
      memory,
      compilations: compilationsOf(spans),
      untraced,
      limits: (this.#options.peak ?? true) ? limitsOf(devices) : null,
    })
  }

  /** Ends the profile if it still runs; what was recorded is lost. */
  [Symbol.dispose](): void {
    this.#running?.end()
    this.#running?.recorder.end()
    this.#running = null
  }
}

function finished(recorder: Recorder): ReturnType<Recorder['finish']> {
  try {
    return recorder.finish()
  } finally {
    recorder.end()
  }
}

function limitsOf(devices: readonly Device[]): Partial<Record<Device, MachineLimits>> {
  const found = devices.flatMap(name => {
    const limits = isInterpreted(computeDevice(name)) ? null : knownLimits(name)
    return limits === null ? [] : [[name, limits] as const]
  })
  return Object.fromEntries(found)
}
