/** `tegula doctor FILE`: runs a module's function, and says what costs it time and what to change. */
import { relative } from 'node:path'
import { CaptureError, CompilerError } from '../base/errors.js'
import { userLocation } from '../base/source.js'
import { observeSpans } from '../base/spans.js'
import { formatTime, plural } from '../base/units.js'
import { type Advice, evidenceText } from '../compile/advice/advice.js'
import { observedAdvice, type RunFacts, refusedAdvice, type TrainingModule } from '../compile/advice/observed.js'
import type { TensorFunction } from '../compile/capture/capture.js'
import { describeTree } from '../compile/capture/tree.js'
import { type Compiled, compile } from '../compile/compile.js'
import { backend } from '../compile/execute/runner.js'
import { synchronize } from '../compile/execute/streams.js'
import type { Explanation } from '../compile/explain/explanation.js'
import { Module } from '../nn/module.js'
import { compareCalls } from '../profile/call-times.js'
import { deviceOf, gpuOfDevice, knownLimits } from '../profile/device-limits.js'
import { nanoseconds } from '../profile/timing.js'
import { scope } from '../tensor/scope.js'
import { Tensor } from '../tensor/tensor.js'
import type { Progress, Report } from './output.js'
import { loadUserModule, type UserModule, withNames } from './user-module.js'

export interface DoctorOptions {
  /** Measure the machine and the calls. */
  readonly limits: boolean
  /** Calls that the program makes, to tell whether compiling pays. */
  readonly calls: number
  readonly device?: string
  readonly case: string
  readonly variant: string
}

type Arguments = readonly never[]
type Call = (...args: Arguments) => unknown

/** Throws UsageError (see `loadUserModule`), CompilerError, and errors of the function. */
export async function doctor(path: string, options: DoctorOptions, progress: Progress): Promise<Report> {
  const module = await loadUserModule(path, { device: options.device })
  const chosen = withNames(module.cases, options.case, 'case')[0]!
  const variant = withNames(chosen.variants, options.variant, 'variant')[0]!
  const name = variant.name || chosen.name
  const inputs = await chosen.inputs()
  const advice = await adviceFor({ name, fn: variant.fn, inputs, module }, options, progress)
  return { data: { file: module.file, name, advice }, text: textOf(name, module.file, advice) }
}

interface Patient {
  readonly name: string
  readonly fn: TensorFunction
  readonly inputs: Arguments
  readonly module: UserModule
}

async function adviceFor(patient: Patient, options: DoctorOptions, progress: Progress): Promise<Advice[]> {
  const { fn, inputs, name, module } = patient
  progress(`running ${name}`)
  const training = modulesInTraining(() => fn(...inputs))
  const compiled = compile(fn, module.options(name))
  try {
    const first = timed(() => (compiled as Call)(...inputs))
    const recompiles = furtherCalls(compiled, inputs, module.moreInputs)
    const explanation = limited((compiled as Explaining).explain(...inputs), inputs, options.limits)
    const times = options.limits ? await callTimes(patient, compiled as Call, progress) : null
    const facts: RunFacts = {
      explanation,
      recompiles,
      differentiated: tensorsOf(inputs).some(({ requiresGrad, grad }) => requiresGrad && grad !== null),
      training,
      times: times === null ? null : { ...times, first, planned: options.calls },
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

async function callTimes({ fn, inputs, name }: Patient, compiled: Call, progress: Progress) {
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

/** A dropout that drops something, or a norm with statistics of its own. */
function caresAboutMode(module: Module): boolean {
  if (!module.training) return false
  const { p, runningMean } = module as { readonly p?: unknown; readonly runningMean?: unknown }
  const drops = /dropout/i.test(module.constructor.name) && typeof p === 'number' && p > 0
  return drops || runningMean instanceof Tensor
}

function textOf(name: string, file: string, advice: readonly Advice[]): string {
  const problems = advice.filter(({ severity }) => severity === 'problem')
  const facts = advice.filter(({ severity }) => severity === 'fact')
  const title =
    problems.length === 0 ? `${name}: no problem found` : `${plural(problems.length, 'problem')} in ${name}, ${file}`
  return [
    title,
    ...problems.flatMap((each, i) => entryLines(each, `${i + 1}. `)),
    ...(facts.length === 0 ? [] : ['', 'worth knowing:', ...facts.flatMap(each => entryLines(each, '- '))]),
  ].join('\n')
}

/** Three lines: what and where; what was seen; what to change. The numbers behind facts stand with them. */
function entryLines({ kind, message, at, fix, nanoseconds: cost, evidence, severity }: Advice, mark: string): string[] {
  const place = at === null ? '' : `  ${relative(process.cwd(), at.file)}:${at.line}`
  const costs = cost === null ? '' : `  about ${formatTime(cost)} a call`
  const numbers = severity === 'fact' && evidence.length > 0 ? ` (${evidence.map(evidenceText).join(', ')})` : ''
  return [`${mark}${kind}${place}${costs}`, `   ${message}${numbers}`, ...(fix === null ? [] : [`   fix: ${fix}`])]
}
