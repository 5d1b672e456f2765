/** `tegula bench FILE`: a module's function run eagerly and compiled in each mode, side by side. */
import { loadavg } from 'node:os'
import { digits, formatTime, plural } from '../base/units.js'
import { compile } from '../compile/compile.js'
import { computeDevice } from '../compile/devices.js'
import { compileModes } from '../compile/options.js'
import { describeTree, rebuildTree } from '../compile/tree.js'
import { requireAgreement } from '../profile/agreement.js'
import { type Contender, compareCalls } from '../profile/compare.js'
import { deviceOf } from '../profile/device-limits.js'
import type { Timing } from '../profile/timing.js'
import { threadCount } from '../runtime/cpu/native-runtime.js'
import type { Device } from '../tensor/device.js'
import { manualSeed } from '../tensor/generator.js'
import type { Tensor } from '../tensor/tensor.js'
import { type FirstCall, type FirstCalls, measureFirstCalls, type Way, ways } from './first-call.js'
import { type Progress, type Report, table } from './output.js'
import { loadUserModule, type UserModule } from './user-module.js'

export interface BenchOptions {
  readonly samples: number
  readonly seconds: number
  /** Allowed error relative to a tensor's largest value; null: by dtype. */
  readonly tolerance: number | null
  /** Measure first calls in processes of their own. */
  readonly compileTimes: boolean
}

interface WayReport {
  readonly way: Way
  readonly call: Timing
  /** Eager time over this time. */
  readonly speedup: number
  /** Against eager; null for eager itself. */
  readonly error: number | null
  readonly firstCall: FirstCalls | null
  /**
   * Calls after which what the first call cost more is won back from eager calls whose kernels are there; null: never,
   * or not measured.
   */
  readonly breakEven: { readonly cold: number | null; readonly warm: number | null } | null
}

interface BenchReport {
  readonly file: string
  readonly name: string
  readonly inputs: readonly string[]
  /** `model`: of the device that the function runs on. `threads`: of the CPU's pool; null on a GPU. */
  readonly machine: { readonly model: string; readonly threads: number | null; readonly loadAverage: number }
  readonly ways: readonly WayReport[]
}

/**
 * @param entry the script of this command line, for child processes
 * Throws UsageError (see `loadUserModule`), AccuracyError, CompilerError, and what the function throws.
 */
export async function bench(entry: string, path: string, options: BenchOptions, progress: Progress): Promise<Report> {
  const module = await loadUserModule(path)
  const contenders = contendersOf(module)
  progress('checking that all ways agree')
  const errors = checkAgreement(module, contenders, options.tolerance)
  progress(`timing ${contenders.map(({ name }) => name).join(', ')}`)
  const timings = await compareCalls(contenders, options)
  const firstCalls: (FirstCalls | null)[] = []
  for (const way of ways) {
    if (options.compileTimes) progress(`first call, ${way}: cold and warm, each in a new process`)
    firstCalls.push(options.compileTimes ? await measureFirstCalls(entry, module.file, way) : null)
  }
  const eager = timings[0]!.median
  const leaves: Tensor[] = []
  describeTree(module.inputs, leaves, 'inputs')
  const report: BenchReport = {
    file: module.file,
    name: module.name,
    inputs: leaves.map(leaf => leaf.describe()),
    machine: describeMachine(deviceOf(leaves)),
    ways: ways.map((way, i) => {
      const call = timings[i]!
      const firstCall = firstCalls[i] ?? null
      return {
        way,
        call,
        speedup: eager / call.median,
        error: errors[i] ?? null,
        firstCall,
        breakEven: way === 'eager' || firstCall === null ? null : breakEvens(firstCall, call.median, eager),
      }
    }),
  }
  return { data: report, text: printBench(report) }
}

function describeMachine(device: Device): BenchReport['machine'] {
  const { facts } = computeDevice(device)
  const model = 'model' in facts ? facts.model : facts.name
  return { model, threads: device === 'cpu' ? threadCount() : null, loadAverage: loadavg()[0] ?? Number.NaN }
}

function contendersOf({
  fn,
  options,
  inputs,
}: UserModule): (Contender & { run: (args: readonly never[]) => unknown })[] {
  return ways.map(way => {
    const mode = compileModes.find(each => each === way)
    const called: (...args: readonly never[]) => unknown = mode === undefined ? fn : compile(fn, { ...options, mode })
    return { name: way, call: () => called(...inputs), run: args => called(...args) }
  })
}

/** The error of each way against the first (eager), on copies of the inputs, whose final values are compared too. */
function checkAgreement(
  { inputs }: UserModule,
  contenders: readonly { readonly name: string; readonly run: (args: readonly never[]) => unknown }[],
  tolerance: number | null,
): (number | null)[] {
  const results = contenders.map(({ run }) => {
    manualSeed(0)
    const args = copyTensors(inputs)
    return { result: run(args), args }
  })
  return results.map(({ result, args }, i) => {
    if (i === 0) return null
    const { name } = contenders[i]!
    const expected = results[0]!
    const outputs = requireAgreement(name, result, expected.result, tolerance)
    return Math.max(outputs, requireAgreement(`${name}, arguments after the call`, args, expected.args, tolerance))
  })
}

/** The arguments with each tensor copied once, however often it appears. */
function copyTensors(args: readonly never[]): readonly never[] {
  const leaves: Tensor[] = []
  const tree = describeTree(args, leaves, 'inputs')
  const copies = new Map<Tensor, Tensor>()
  const copied = leaves.map(leaf => {
    const copy = copies.get(leaf) ?? leaf.clone()
    copies.set(leaf, copy)
    return copy
  })
  return rebuildTree(tree, copied) as readonly never[]
}

function breakEvens({ cold, warm }: FirstCalls, call: number, eager: number): WayReport['breakEven'] {
  const after = (first: FirstCall): number | null =>
    eager <= call ? null : Math.max(1, Math.ceil((first.nanoseconds - call) / (eager - call)))
  return { cold: after(cold), warm: after(warm) }
}

function printBench({ name, inputs, machine, ways: reports }: BenchReport): string {
  const heads = ['', 'call', 'quartiles', 'speed', 'error', 'first call cold', 'warm', 'break-even cold', 'warm']
  const rows = reports.map(({ way, call, speedup, error, firstCall, breakEven }) => [
    way,
    formatTime(call.median),
    `${formatTime(call.lowerQuartile)} … ${formatTime(call.upperQuartile)}`,
    `${digits(speedup)}×`,
    error === null ? '' : error.toPrecision(1),
    ...(firstCall === null ? [] : [printFirst(firstCall.cold), printFirst(firstCall.warm)]),
    ...(breakEven === null ? [] : [printCalls(breakEven.cold), printCalls(breakEven.warm)]),
  ])
  const measured = reports.some(({ firstCall }) => firstCall !== null)
  return [
    `${name}(${inputs.join(', ')})`,
    `${machine.model}, ${machine.threads === null ? '' : `${plural(machine.threads, 'thread')}, `}load ${digits(machine.loadAverage)}, medians of ${reports[0]!.call.samples} samples`,
    '',
    table([measured ? heads : heads.slice(0, 5), ...rows]),
  ].join('\n')
}

const printFirst = ({ nanoseconds, compiled }: FirstCall): string => `${formatTime(nanoseconds)} (${compiled} compiled)`

const printCalls = (calls: number | null): string => (calls === null ? 'never' : plural(calls, 'call'))
