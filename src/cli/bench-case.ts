/** One case of `tegula bench`: runs its variants eagerly and compiled in each mode, checks the results, then times them. */

import { describeTree } from '../compile/capture/tree.js'
import { compile } from '../compile/compile.js'
import { compileModes } from '../compile/options.js'
import { requireExpected } from '../profile/agreement.js'
import { type CallTimes, compareCalls } from '../profile/call-times.js'
import { checkContenders } from '../profile/check-contenders.js'
import { deviceOf, gpuOfDevice } from '../profile/device-limits.js'
import { breakEven } from '../profile/first-calls.js'
import type { FirstCalls } from '../profile/records.js'
import type { Timing } from '../profile/timing.js'
import type { Work, WorkLimit } from '../profile/work.js'
import type { Device } from '../tensor/device.js'
import { manualSeed } from '../tensor/generator.js'
import type { Tensor } from '../tensor/tensor.js'
import type { Way } from './first-call.js'
import type { UserCase } from './user-case.js'
import type { UserModule } from './user-module.js'

export interface WayReport extends CallTimes {
  /** '' if the module exports a function instead of cases. */
  readonly variant: string
  readonly way: Way
  /** The first row's time per call divided by this row's, on the host's clock. */
  readonly speedup: number
  /** Error against the expected numbers, else against the first row; null for the first row. */
  readonly error: number | null
  /** The roofline time divided by the measured time, on the GPU's clock if there is a GPU. */
  readonly share: number | null
  readonly firstCall: FirstCalls | null
  /**
   * Number of calls after which the first call's compile time pays off, compared with warm eager calls; null: never, or not
   * measured.
   */
  readonly breakEven: { readonly cold: number | null; readonly warm: number | null } | null
}

export interface CaseReport {
  readonly file: string
  readonly name: string
  readonly device: Device
  readonly inputs: readonly string[]
  readonly work: Work | null
  readonly limit: WorkLimit | null
  /** True if results were compared with expected numbers; otherwise they were compared only with the first row. */
  readonly expected: boolean
  readonly ways: readonly WayReport[]
}

export interface CaseOptions {
  readonly ways: readonly Way[]
  readonly samples: number
  readonly seconds: number
  /** Allowed error relative to a tensor's largest value; null: by dtype. */
  readonly tolerance: number | null
}

/** Services that the command provides to a case. */
export interface CaseTools {
  progress(step: string): void
  limitOf(work: Work, device: Device): WorkLimit | null
  /** Null: not requested. */
  readonly firstCalls: ((variant: number, way: Way) => Promise<FirstCalls>) | null
}

type Call = (...args: readonly never[]) => unknown

interface Contender {
  readonly name: string
  readonly variant: number
  readonly way: Way
  readonly run: Call
}

/** Throws AccuracyError, CompilerError, and errors of the functions. */
export async function runCase(
  module: UserModule,
  each: UserCase,
  options: CaseOptions,
  tools: CaseTools,
): Promise<CaseReport> {
  manualSeed(0)
  const inputs = await each.inputs()
  const leaves: Tensor[] = []
  describeTree(inputs, leaves, 'inputs')
  const device = deviceOf(leaves)
  const contenders = contendersOf(module, each, options.ways)
  tools.progress(`${each.name}: checking that all ways agree`)
  const errors = checkNumbers(each, inputs, contenders, options.tolerance)
  tools.progress(`${each.name}: timing ${contenders.map(({ name }) => name).join(', ')}`)
  const calls = contenders.map(({ name, run }) => ({ name, call: () => run(...inputs) }))
  const times = await compareCalls(calls, { ...options, gpu: gpuOfDevice(device) })
  const limit = each.work === undefined ? null : tools.limitOf(each.work, device)
  const ways: WayReport[] = []
  for (const [i, contender] of contenders.entries()) {
    ways.push(await reportOf(contender, i, { each, times, errors, limit, contenders }, tools))
  }
  const described = leaves.map(leaf => leaf.describe())
  return {
    file: module.file,
    name: each.name,
    device,
    inputs: described,
    work: each.work ?? null,
    limit,
    expected: each.expected !== undefined,
    ways,
  }
}

interface Found {
  readonly each: UserCase
  readonly times: readonly CallTimes[]
  readonly errors: readonly (number | null)[]
  readonly limit: WorkLimit | null
  readonly contenders: readonly Contender[]
}

/** The report of one contender: its times, its error, and its share of the limit. */
async function reportOf(
  { name, variant, way }: Contender,
  index: number,
  { each, times, errors, limit, contenders }: Found,
  { progress, firstCalls }: CaseTools,
): Promise<WayReport> {
  const { call, device } = times[index]!
  if (firstCalls !== null) progress(`${each.name}: first call, ${name}: cold and warm, each in a new process`)
  const firstCall = firstCalls === null ? null : await firstCalls(variant, way)
  const eager = contenders.findIndex(other => other.variant === variant && other.way === 'eager')
  const isJudged = way !== 'eager' && eager >= 0 && firstCall !== null
  return {
    variant: each.variants[variant]!.name,
    way,
    call,
    device,
    speedup: times[0]!.call.median / call.median,
    error: errors[index] ?? null,
    share: limit === null ? null : limit.nanoseconds / (device ?? call).median,
    firstCall,
    breakEven: isJudged ? breakEvens(firstCall, call, times[eager]!.call) : null,
  }
}

function contendersOf(module: UserModule, { name: caseName, variants }: UserCase, ways: readonly Way[]): Contender[] {
  return variants.flatMap(({ name, fn }, variant) =>
    ways.map(way => {
      const mode = compileModes.find(each => each === way)
      const run: Call = mode === undefined ? fn : compile(fn, { ...module.options(name || caseName), mode })
      return { name: name === '' ? way : `${name} ${way}`, variant, way, run }
    }),
  )
}

/** The error of each contender: of its sample against the expected numbers, else of its results against the first one's. */
function checkNumbers(
  { expected, sample, tolerance: caseTolerance }: UserCase,
  inputs: readonly never[],
  contenders: readonly Contender[],
  tolerance: number | null,
): (number | null)[] {
  const wanted = expected === undefined ? null : { numbers: (expected as Call)(...inputs) }
  const part = (result: unknown): unknown => (sample === undefined ? result : sample(result as never))
  return checkContenders(contenders, inputs, {
    toleranceOf: () => tolerance,
    againstExpected: (name, result) =>
      wanted === null ? null : requireExpected(name, part(result), wanted.numbers, tolerance ?? caseTolerance ?? null),
  })
}

const breakEvens = ({ cold, warm }: FirstCalls, { median: call }: Timing, { median: eager }: Timing) => ({
  cold: breakEven(cold.nanoseconds, call, eager),
  warm: breakEven(warm.nanoseconds, call, eager),
})
