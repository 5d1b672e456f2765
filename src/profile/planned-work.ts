/** The work of a call as its plans state it: bytes and operations of every launch, at the call's sizes. */
import { observeRuns, type PlanRun, runPlan } from '../compile/execute/run-observer.js'
import { evaluateSize } from '../scalar/size.js'
import { type LaunchStep, launchesAmong, type Plan } from '../schedule/plan/plan.js'
import { getFloat32MatmulPrecision } from '../tensor/precision.js'
import { isFloat, itemBytes } from '../types/dtype.js'
import type { Arithmetic, Work } from './work.js'

/** One launch of a plan, whatever its sizes. */
export interface PlannedLaunch {
  /** The generated function's name. */
  readonly name: string
  readonly step: LaunchStep
}

/** The launches of a plan, in order. */
export const plannedLaunches = ({ plan, kernels }: PlanRun['artifact']): PlannedLaunch[] =>
  launchesAmong(plan.steps).map(step => ({ name: kernels[step.kernel]!.symbol, step }))

/** The work of a launch of the plan at values of its symbols. */
export function plannedWork({ plan }: PlanRun['artifact'], step: LaunchStep, symbols: Float64Array): Required<Work> {
  const values = new Map(plan.symbols.map(({ name }, i) => [name, symbols[i]!]))
  return {
    bytes: evaluateSize(step.bytes, values),
    flops: evaluateSize(step.flops, values),
    arithmetic: arithmeticOf(plan, step),
  }
}

/** The fastest units that a launch's arithmetic may use, by the narrowest floats or codes that it reads or writes. */
function arithmeticOf({ buffers }: Pick<Plan, 'buffers'>, { args }: LaunchStep): Arithmetic {
  const widths = args
    .flatMap(arg => (arg.kind === 'view' ? buffers[arg.buffer]!.dtype : []))
    .filter(dtype => isFloat(dtype) || dtype === 'u8' || dtype === 'i8')
    .map(itemBytes)
  if (widths.includes(1)) return '8-bit'
  return widths.includes(2) || getFloat32MatmulPrecision() !== 'highest' ? '16-bit' : 'f32'
}

const units: readonly Arithmetic[] = ['f32', '16-bit', '8-bit']

/** What a call runs. */
export interface CountedWork extends Required<Work> {
  /** Bytes of the launches that alone move at least `largeBytes`: they do not stay in a cache between two launches. */
  readonly streamedBytes: number
}

/**
 * The planned work of everything that `call` runs; null when it runs no plan, or a kernel of a user's or a
 * captured graph, whose work nobody states.
 * @param largeBytes from how many bytes on a launch counts as streamed
 */
export function countWork(call: () => unknown, largeBytes: number): CountedWork | null {
  let [bytes, flops, streamedBytes, fastest, known] = [0, 0, 0, 0, true]
  let launches = 0
  const stop = observeRuns({
    plan(run) {
      for (const { step } of plannedLaunches(run.artifact).slice(run.first, run.end)) {
        const work = plannedWork(run.artifact, step, run.symbols)
        launches++
        bytes += work.bytes
        flops += work.flops
        if (work.bytes >= largeBytes) streamedBytes += work.bytes
        fastest = Math.max(fastest, units.indexOf(work.arithmetic))
      }
      runPlan(run)
    },
    single(run) {
      known = false
      run.run()
    },
    replay(run) {
      known = false
      run.run()
    },
  })
  try {
    call()
  } finally {
    stop()
  }
  return known && launches > 0 ? { bytes, flops, streamedBytes, arithmetic: units[fastest]! } : null
}
