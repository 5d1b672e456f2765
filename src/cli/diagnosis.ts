/** Runs a function eagerly and compiled, to say what costs it time: the advice that `tegula doctor FILE` prints. */
import { CaptureError, CompilerError } from '../base/errors.js'
import { userLocation } from '../base/source.js'
import { observeSpans } from '../base/spans.js'
import type { Advice } from '../compile/advice/advice.js'
import { observedAdvice, type RunFacts, refusedAdvice, type TrainingModule } from '../compile/advice/observed.js'
import type { TensorFunction } from '../compile/capture/capture.js'
import { describeTree } from '../compile/capture/tree.js'
import { type Compiled, compile } from '../compile/compile.js'
import { backend } from '../compile/execute/runner.js'
import { synchronize } from '../compile/execute/streams.js'
import type { Explanation } from '../compile/explain/explanation.js'
import type { CompileOptions } from '../compile/options.js'
import { Module } from '../nn/module.js'
import { compareCalls } from '../profile/call-times.js'
import { deviceOf, gpuOfDevice, knownLimits } from '../profile/device-limits.js'
import { nanoseconds } from '../profile/timing.js'
import { scope } from '../tensor/scope.js'
import { Tensor } from '../tensor/tensor.js'

type Arguments = readonly never[]
type Call = (...args: Arguments) => unknown

/** The function to diagnose, with the arguments to call it with. */
export interface Patient {
  readonly name: string
  readonly fn: TensorFunction
  /** Arguments of the first call and of the timed calls. */
  readonly inputs: Arguments
  /** Arguments of further calls, to see which of them recompile. */
  readonly moreInputs: readonly Arguments[]
  readonly options: CompileOptions
}

export interface DiagnosisOptions {
  /** Measure the machine and the calls. */
  readonly limits: boolean
  /** Calls that the program makes, to tell whether compiling pays. */
  readonly calls: number
}

/** What costs the function time, problems first. Throws CompilerError, and errors of the function. */
export async function diagnose(
  patient: Patient,
  { limits, calls }: DiagnosisOptions,
  progress: (text: string) => void,
): Promise<Advice[]> {
  const { fn, inputs, name, moreInputs } = patient
  progress(`running ${name}`)
  const training = modulesInTraining(() => fn(...inputs))
  const compiled = compile(fn, patient.options)
  try {
    const first = timed(() => (compiled as Call)(...inputs))
    const recompiles = furtherCalls(compiled, inputs, moreInputs)
    const explanation = limited((compiled as Explaining).explain(...inputs), inputs, limits)
    const times = limits ? await callTimes(patient, compiled as Call, progress) : null
    const facts: RunFacts = {
      explanation,
      recompiles,
      differentiated: tensorsOf(inputs).some(({ requiresGrad, grad }) => requiresGrad && grad !== null),
      training,
      times: times === null ? null : { ...times, first, planned: calls },
      interpreted: backend() === 'interpreter',
    }
    return observedAdvice(facts)
  } catch (error) {
    if (error instanceof CaptureError) return [refusedAdvice(error)]
    throw error
  }
}

interface Explaining {
  explain(...args: Arguments): Explanation
}

const timed = (call: () => unknown): number =>
  scope(() => ({
    time: nanoseconds(() => {
      call()
      synchronize()
    }),
  })).time

/** Calls with the module's other inputs: which of them compiled, and why. */
function furtherCalls(
  compiled: Compiled<TensorFunction>,
  inputs: Arguments,
  more: readonly Arguments[],
): RunFacts['recompiles'] {
  const [reasons, times] = [[] as string[], [] as number[]]
  let before = inputs
  for (const args of more) {
    const { compiles, recompileCount } = compiled.stats()
    const time = timed(() => (compiled as Call)(...args))
    const after = compiled.stats()
    if (after.compiles > compiles) {
      times.push(time)
      const said = after.recompileCount > recompileCount ? after.recompiles.at(-1) : undefined
      reasons.push(said ?? difference(before, args))
    }
    before = args
  }
  return { reasons, nanoseconds: times.reduce((sum, time) => sum + time, 0) / Math.max(1, times.length) }
}

/** How two calls differ: functions with graph breaks compile again without a reason of their own. */
function difference(before: Arguments, after: Arguments): string {
  for (const [i, value] of (after as readonly unknown[]).entries()) {
    const was: unknown = before[i]
    if (value instanceof Tensor && was instanceof Tensor) {
      const dim = value.shape.findIndex((size, d) => size !== was.shape[d])
      if (dim >= 0) return `args[${i}]: size of dim ${dim} was ${was.shape[dim]}, now ${value.shape[dim]}`
    } else if (typeof value !== 'object' && !Object.is(was, value))
      return `args[${i}] was ${String(was)}, now ${String(value)}`
  }
  return 'its arguments differ'
}

function limited(explanation: Explanation, inputs: Arguments, measure: boolean): Explanation {
  if (!measure || backend() === 'interpreter') return explanation
  const limits = knownLimits(deviceOf(tensorsOf(inputs)))
  return limits === null ? explanation : explanation.against(limits)
}

async function callTimes({ fn, inputs, name }: Patient, compiled: Call, progress: (text: string) => void) {
  progress(`measuring calls of ${name}`)
  const gpu = gpuOfDevice(deviceOf(tensorsOf(inputs)))
  const contenders = [
    { name: 'eager', call: () => fn(...inputs) },
    { name: 'compiled', call: () => compiled(...inputs) },
  ]
  try {
    const [eager, later] = await compareCalls(contenders, { samples: 10, seconds: 1, gpu, flush: false })
    return { eager: eager!.call.median, compiled: later!.call.median }
  } catch (error) {
    if (error instanceof CompilerError) return null
    throw error
  }
}

function tensorsOf(inputs: Arguments): Tensor[] {
  const leaves: Tensor[] = []
  describeTree(inputs, leaves, 'inputs')
  return leaves
}

/** Runs a call op by op; the modules in it that are in training mode and care about it. */
function modulesInTraining(call: () => unknown): TrainingModule[] {
  const found = new Map<Module, TrainingModule>()
  const end = observeSpans({
    run(kind, path, body, subject) {
      if (kind === 'module' && subject instanceof Module && caresAboutMode(subject) && !found.has(subject))
        found.set(subject, { path, name: subject.constructor.name, at: userLocation() })
      return body()
    },
  })
  try {
    scope(() => void call())
  } finally {
    end()
  }
  return [...found.values()]
}

/** Whether eval() would change its results: dropout with p > 0, or a norm with running statistics. */
function caresAboutMode(module: Module): boolean {
  if (!module.training) return false
  const { p, runningMean } = module as { readonly p?: unknown; readonly runningMean?: unknown }
  const drops = /dropout/i.test(module.constructor.name) && typeof p === 'number' && p > 0
  return drops || runningMean instanceof Tensor
}
