/**
 * `benchmark` and `compare`: functions measured against each other on the same arguments, on the timing core that the command line and
 * the survey use (call-times.ts). Numbers are compared before anything is timed.
 */
import { computeDevice } from '../backends/index.js'
import { describeAny } from '../base/describe.js'
import { ArgumentError, MeasurementError } from '../base/errors.js'
import { formatCount, formatTime, threeDigits } from '../base/units.js'
import { describeTree } from '../compile/capture/tree.js'
import { versionsOf } from '../compile/compile.js'
import { isInterpreted } from '../compile/execute/runner.js'
import type { MachineLimits } from '../compile/limits.js'
import type { Device } from '../tensor/device.js'
import { scope } from '../tensor/scope.js'
import type { Tensor } from '../tensor/tensor.js'
import { firstFunction, requireExpected } from './agreement.js'
import { cacheBytes } from './cache-flusher.js'
import { type CallTimes, compareCalls } from './call-times.js'
import { type CheckOptions, checkContenders } from './check-contenders.js'
import { Comparison, SingleBenchmark } from './comparison.js'
import { deviceOf, gpuOfDevice, knownLimits } from './device-limits.js'
import { amount, anything, checkOptions, count, flag, type OptionRule, oneOf, positive } from './options.js'
import { type CountedWork, countWork } from './planned-work.js'
import type { MeasurementRecord } from './records.js'
import type { Timing } from './timing.js'
import { arithmetics, limitOfWork, type Work } from './work.js'

/** Options of `benchmark` and `compare`. */
export interface BenchmarkOptions {
  /** Samples of each function; fewer, but at least 5, when the time budget does not allow them. Default 30. */
  readonly samples?: number
  /** Time budget in seconds for all functions together. Default 5. */
  readonly seconds?: number
  /**
   * Overwrite the caches before each call. Default: on a GPU true, for the times on its own clock; on the CPU false. With `true`
   * on the CPU each sample is one call.
   */
  readonly flush?: boolean
  /** Allowed error of the results, relative to a tensor's largest value: of all functions, or by name. Default: by dtype. */
  readonly tolerance?: number | Readonly<Record<string, number>>
  /**
   * The right results, computed apart (in float64, by a formula), in the functions' structure. With them *error* is the difference from
   * these, of the first function too. Default: the others are compared with the first.
   */
  readonly expected?: unknown
  /** The work of a call. Default: counted from the plans that the call runs. */
  readonly work?: Work
  /** Measure the device's peak rates (once per process, in about a second) and give the share of them. Default true. */
  readonly peak?: boolean
}

const optionRules: Readonly<Record<keyof BenchmarkOptions, OptionRule>> = {
  samples: count,
  seconds: positive,
  flush: flag,
  tolerance: anything, // checkTolerance
  expected: anything,
  work: anything,
  peak: flag,
}
const workRules: Readonly<Record<keyof Work, OptionRule>> = {
  bytes: amount,
  flops: amount,
  arithmetic: oneOf(arithmetics),
}

/** A function that can be measured. */
export type BenchmarkFunction<A extends readonly unknown[]> = (...args: A) => unknown

/**
 * Measures calls of one function: warm-up until the time is steady, then the median and quartiles of many samples, on the host's clock
 * and on the GPU's, with the rates in bytes and operations and their share of the device's measured peak.
 *
 * @param fn a function of tensors, compiled or not; it must not be async
 * @param args the arguments of each call. What the function writes into them, it writes at each call
 * @param options `samples`, `seconds`, `flush`, `tolerance`, `expected`, `work`, `peak`
 * @throws ArgumentError for wrong options, AccuracyError when the result is not the expected one, MeasurementError when the measured rate
 *   is above the device's peak
 *
 * @example
 * const { call, bytesPerSecond } = await benchmark(compile(x => x.softmax(-1)), [randn([4096, 1024])])
 */
export async function benchmark<const A extends readonly unknown[]>(
  fn: BenchmarkFunction<A>,
  args: A,
  options: BenchmarkOptions = {},
): Promise<SingleBenchmark> {
  if (typeof (fn as unknown) !== 'function')
    throw new ArgumentError(`benchmark: ${describeAny(fn)} is not a function`, { fix: 'benchmark(f, [x])' })
  const { record } = await measured(
    'benchmark',
    { [versionsOf(fn)?.name ?? (fn.name || 'function')]: fn },
    args,
    options,
  )
  return new SingleBenchmark(record)
}

/**
 * Measures functions that do the same against each other: first their results are compared, on copies of the arguments, then samples of
 * all are taken in turn, so that drift of the machine's speed affects all alike. The first function is the one that others are
 * compared with. Printed, the result is a table.
 *
 * @param functions by name
 * @param args the arguments of each call
 * @param options `samples`, `seconds`, `flush`, `tolerance`, `expected`, `work`, `peak`
 * @throws ArgumentError for wrong options, AccuracyError when results differ from the first or expected ones by more than the tolerance, MeasurementError when a
 *   rate is above the device's peak
 *
 * @example
 * console.log(await compare({ naive, fused }, [q, k, v]))
 */
export async function compare<const A extends readonly unknown[]>(
  functions: Readonly<Record<string, BenchmarkFunction<A>>>,
  args: A,
  options: BenchmarkOptions = {},
): Promise<Comparison> {
  return measured('compare', functions, args, options)
}

async function measured<A extends readonly unknown[]>(
  caller: string,
  functions: Readonly<Record<string, BenchmarkFunction<A>>>,
  args: A,
  options: BenchmarkOptions,
): Promise<Comparison> {
  checkCall(caller, functions, args, options)
  const { samples = 30, seconds = 5, work, peak = true } = options
  const leaves: Tensor[] = []
  describeTree(args, leaves, 'args')
  const device = deviceOf(leaves)
  const gpu = gpuOfDevice(device)
  const flush = options.flush ?? gpu !== null
  const contenders = Object.entries(functions).map(([name, fn]) => ({
    name,
    run: (...given: readonly never[]) => synchronous(caller, name, fn(...(given as unknown as A))),
    call: () => fn(...args),
  }))
  const errors = checkContenders(contenders, args, checksOf(options))
  const counted = contenders.map(({ call }) => workOf(call, device, work))
  const times = await compareCalls(contenders, { samples, seconds, gpu, flush })
  const limits = peak && !isInterpreted(computeDevice(device)) ? knownLimits(device) : null
  const { model, threads } = computeDevice(device)
  const rows = contenders.map(({ name }, i) =>
    rowOf({ name, error: errors[i]!, counted: counted[i]!, times, i, limits }),
  )
  for (const [i, row] of rows.entries()) requirePlausible(caller, row, counted[i]!, limits)
  return new Comparison({
    device,
    model,
    threads,
    inputs: leaves.map(leaf => leaf.describe()),
    flushed: flush,
    limits,
    rows,
  })
}

/** How results are judged: against the first function's and, where they are given, the expected ones. */
function checksOf({ tolerance, expected }: BenchmarkOptions): CheckOptions {
  const toleranceOf = (name: string): number | null =>
    (typeof tolerance === 'object' ? tolerance[name] : tolerance) ?? null
  return {
    toleranceOf,
    judge: firstFunction,
    againstExpected: (name, result) =>
      expected === undefined ? null : requireExpected(name, result, expected, toleranceOf(name)),
  }
}

function checkCall(caller: string, functions: unknown, args: unknown, options: BenchmarkOptions): void {
  checkOptions(caller, options, optionRules)
  if (options.work !== undefined) checkOptions(`${caller}: work`, options.work, workRules)
  const isRecord = typeof functions === 'object' && functions !== null && Object.keys(functions).length > 0
  const wrong = isRecord ? Object.entries(functions).find(([, fn]) => typeof fn !== 'function') : undefined
  if (!isRecord || wrong !== undefined) {
    const what = wrong === undefined ? describeAny(functions) : `${wrong[0]}, ${describeAny(wrong[1])},`
    throw new ArgumentError(`${caller}: ${what} is not a function by name`, { fix: `${caller}({ naive, fused }, [x])` })
  }
  if (!Array.isArray(args))
    throw new ArgumentError(`${caller}: the arguments are ${describeAny(args)}, not an array`, {
      fix: `${caller}(…, [x, y])`,
    })
  checkTolerance(caller, Object.keys(functions as object), options.tolerance)
}

function checkTolerance(caller: string, names: readonly string[], tolerance: BenchmarkOptions['tolerance']): void {
  if (typeof tolerance !== 'object' || tolerance === null) {
    checkOptions(caller, { tolerance }, { tolerance: amount })
    return
  }
  const unknown = Object.keys(tolerance).find(name => !names.includes(name))
  if (unknown !== undefined)
    throw new ArgumentError(`${caller}: tolerance of '${unknown}', which is no function`, {
      fix: `the functions are ${names.join(', ')}`,
    })
  checkOptions(`${caller}: tolerance`, tolerance, Object.fromEntries(names.map(name => [name, amount])))
}

/** The result of a call. Throws ArgumentError if it is a promise, whose own error has no other listener then. */
function synchronous(caller: string, name: string, result: unknown): unknown {
  const { then } = (result ?? {}) as { readonly then?: unknown }
  if (typeof then !== 'function') return result
  Promise.resolve(result).catch(() => undefined)
  throw new ArgumentError(`${caller}: ${name} is async: a promise says nothing about when its work is done`, {
    fix: 'measure the function of tensors inside it, without await',
  })
}

/** A launch that moves so many times the cache's size leaves nothing of what came before it. */
const largerThanCache = 2

/** As given, all of it streamed; else as its plans say. */
function workOf(call: () => unknown, device: Device, given: Work | undefined): CountedWork | null {
  const large = largerThanCache * cacheBytes(gpuOfDevice(device))
  if (given === undefined) return scope(() => ({ counted: countWork(call, large) })).counted
  const { bytes = 0, flops = 0, arithmetic = 'f32' } = given
  return { bytes, flops, arithmetic, streamedBytes: bytes >= large ? bytes : 0 }
}

interface Found {
  readonly name: string
  readonly error: number | null
  readonly counted: CountedWork | null
  readonly times: readonly CallTimes[]
  readonly i: number
  readonly limits: MachineLimits | null
}

const usedTime = ({ call, device }: Pick<MeasurementRecord, 'call' | 'device'>): Timing => device ?? call

function rowOf({ name, error, counted, times, i, limits }: Found): MeasurementRecord {
  const { call, device } = times[i]!
  const { median } = usedTime(times[i]!)
  const perSecond = (amount: number): number | null => (amount === 0 ? null : (amount / median) * 1e9)
  const limit = counted === null || limits === null ? null : limitOfWork(counted, limits)
  const isCached = limit?.bound === 'memory' && counted !== null && counted.streamedBytes < counted.bytes
  const share = limit === null ? null : limit.nanoseconds / median
  const { streamedBytes: _, ...work } = counted ?? { streamedBytes: 0 }
  return {
    name,
    call,
    device,
    speedup: usedTime(times[0]!).median / median,
    error,
    work: counted === null ? null : work,
    bytesPerSecond: counted === null ? null : perSecond(counted.bytes),
    flopsPerSecond: counted === null ? null : perSecond(counted.flops),
    limit,
    share: share !== null && share > 1 && isCached ? null : share,
  }
}

/** The peak rates are measured themselves: further above them than this is no noise. */
const highestShare = 1.1

/** Throws MeasurementError when the work cannot have been done in the measured time. */
function requirePlausible(
  caller: string,
  row: MeasurementRecord,
  counted: CountedWork | null,
  limits: MachineLimits | null,
): void {
  if (counted === null || limits === null) return
  const { median } = usedTime(row)
  const { copyBytesPerNanosecond: copy, readBytesPerNanosecond: read } = limits
  const memory = counted.streamedBytes / Math.max(copy, read)
  const arithmetic = limitOfWork({ flops: counted.flops, arithmetic: counted.arithmetic }, limits)?.nanoseconds ?? 0
  const share = Math.max(memory, arithmetic) / median
  if (share <= highestShare) return
  const amount =
    memory > arithmetic
      ? formatCount(counted.streamedBytes, 'B')
      : formatCount(counted.flops, `FLOP (${counted.arithmetic})`)
  throw new MeasurementError(
    `${caller}: ${row.name} takes ${formatTime(median)} for ${amount}, ${threeDigits(share * 100)} % of the device's measured peak, ` +
      `which needs ${formatTime(median * share)}`,
    {
      at: null,
      fix:
        'state the work of what is really computed in { work }, and its arithmetic; if it is not given, the function may have been ' +
        'compiled to less work for constant arguments, or the peak was measured while the machine was busy: measure again',
    },
  )
}
