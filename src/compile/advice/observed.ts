/** Advice that only shows when a program runs: compilations per call, times, what nobody differentiates. One rule each, on plain data. */
import type { SourceLocation } from '../../base/source.js'
import { formatBytes, formatTime, plural, threeDigits } from '../../base/units.js'
import type { Explanation } from '../explain/explanation.js'
import { type Advice, advise, ranked } from './advice.js'
import { recompileAdvice } from './explained.js'

/** What running a function showed. */
export interface RunFacts {
  readonly explanation: Explanation
  /** Of the calls after the first that compiled again: why, and how long they took on average. */
  readonly recompiles: { readonly reasons: readonly string[]; readonly nanoseconds: number }
  /** A gradient reached a tensor that requires one while the program ran. */
  readonly differentiated: boolean
  /** Modules that were called in training mode and do something else after `eval()`. */
  readonly training: readonly TrainingModule[]
  /** Null: not measured. */
  readonly times: CallTimes | null
  /** Kernels are interpreted: there is no compiler. */
  readonly interpreted: boolean
}

/** A module in training mode. */
export interface TrainingModule {
  /** `Net.layers.1` */
  readonly path: string
  /** Its class. */
  readonly name: string
  /** The user's line in whose call it lies. */
  readonly at: SourceLocation | null
}

/** Nanoseconds of calls, and how many the program makes. */
export interface CallTimes {
  /** Of the first one, which compiles. */
  readonly first: number
  /** Of later compiled calls. */
  readonly compiled: number
  /** Of calls without compile. */
  readonly eager: number
  /** Calls that the program makes in its life, as far as it is known. */
  readonly planned: number
}

type Rule = (facts: RunFacts) => readonly Advice[]

const rules: readonly Rule[] = [recompiles, noGrad, evalForgotten, fallback, fewCalls, eager, launchBound]

/** All advice for a function that was explained and run, problems first, the most costly ones before the others. */
export function observedAdvice(facts: RunFacts): Advice[] {
  const found = rules.flatMap(rule => rule(facts))
  const kinds = new Set(found.map(({ kind }) => kind))
  const isReplaced = ({ kind, severity }: Advice): boolean =>
    kinds.has(kind) || (severity === 'fact' && kind.endsWith('-bound') && kinds.has('launch-bound'))
  return ranked([...found, ...facts.explanation.advice.filter(each => !isReplaced(each))])
}

function recompiles({ explanation, recompiles: { reasons, nanoseconds } }: RunFacts): Advice[] {
  return reasons.length === 0
    ? []
    : [recompileAdvice(explanation.name, reasons, { at: firstLine(explanation), nanoseconds })]
}

/** The line of the function's first op. */
function firstLine({ kernels }: Explanation): SourceLocation | null {
  const lines = kernels.flatMap(kernel => kernel.lines)
  return lines.length === 0 ? null : lines.reduce((a, b) => (b.file === a.file && b.line < a.line ? b : a))
}

function noGrad({ explanation: { segments, limits }, differentiated }: RunFacts): Advice[] {
  const recorded = segments.flatMap(({ facts }) => facts.recorded ?? []).at(-1)
  if (recorded === undefined || differentiated) return []
  const { leaves, bytes, at } = recorded
  return [
    advise({
      kind: 'no-grad',
      message: `the result requires gradients (because of ${plural(leaves.length, 'input')}), and nothing differentiates it`,
      at,
      fix: 'wrap the call in noGrad(() => …); for training, export the step with its backward()',
      evidence: [{ name: 'kept for a backward pass', value: bytes, unit: 'bytes' }],
      nanoseconds: limits === null || bytes === 0 ? null : (2 * bytes) / limits.copyBytesPerNanosecond,
    }),
  ]
}

function evalForgotten({ explanation: { segments }, differentiated, training }: RunFacts): Advice[] {
  const [first] = training
  if (first === undefined || differentiated || segments.some(({ facts }) => facts.differentiates)) return []
  const others = training.length === 1 ? '' : ` and ${plural(training.length - 1, 'other')}`
  return [
    advise({
      kind: 'eval',
      message: `${first.path} (${first.name})${others} run in training mode, and nothing is trained`,
      at: first.at,
      fix: 'call net.eval() before inference: results are random or depend on the batch until then',
      evidence: [{ name: 'modules in training mode', value: training.length, unit: 'count' }],
    }),
  ]
}

function fallback({ interpreted }: RunFacts): Advice[] {
  if (!interpreted) return []
  return [
    advise({
      kind: 'fallback',
      message: 'kernels are interpreted, which is slower by orders of magnitude',
      at: null,
      fix: 'unset TEGULA_BACKEND, and install a C compiler (tegula doctor says what is missing)',
    }),
  ]
}

/** Whether compiling pays, and after how many calls. */
function fewCalls({ times, explanation: { kernels, opCount } }: RunFacts): Advice[] {
  if (times === null) return []
  const { first, compiled, eager: alone, planned } = times
  const saved = alone - compiled
  const evidence = [
    { name: 'first call', value: first, unit: 'ns' },
    { name: 'compiled', value: compiled, unit: 'ns' },
    { name: 'eager', value: alone, unit: 'ns' },
  ] as const
  if (saved <= 0) {
    const why = kernels.length >= opCount ? 'nothing was fused' : 'its kernels take the time'
    const message = `compiled calls take ${formatTime(compiled)}, eager ones ${formatTime(alone)}: compiling does not pay, ${why}`
    return [
      advise({ kind: 'few-calls', message, at: null, fix: 'call it without compile()', evidence, severity: 'fact' }),
    ]
  }
  const calls = Math.ceil(first / saved)
  const severity = calls > planned ? 'problem' : 'fact'
  return [
    advise({
      kind: 'few-calls',
      severity,
      message: `compiling took ${formatTime(first)} and saves ${formatTime(saved)} a call: it pays after ${plural(calls, 'call')}`,
      at: null,
      fix: severity === 'fact' ? null : `for ${plural(planned, 'call')} leave compile() out, or keep the disk cache`,
      evidence,
    }),
  ]
}

const worthCompiling = 1.2

function eager({ times, explanation: { opCount, kernels } }: RunFacts): Advice[] {
  if (times === null || opCount <= kernels.length || times.eager < worthCompiling * times.compiled) return []
  return [
    advise({
      kind: 'eager',
      severity: 'fact',
      message: `compiled it is ${threeDigits(times.eager / times.compiled)}× as fast: eagerly ${plural(opCount, 'op')} run one by one`,
      at: null,
      fix: 'where it is called in a loop, call compile(fn)',
    }),
  ]
}

/** Kernels that need less than this share of a call leave the rest to launches and guards. */
const launchShare = 0.25
/** Longer kernels are slow, not short. */
const launchNanoseconds = 20_000

function launchBound({ times, explanation: { kernels, limits } }: RunFacts): Advice[] {
  if (times === null || limits === null || kernels.length === 0) return []
  const needed = kernels.reduce((sum, { limitNanoseconds }) => sum + (limitNanoseconds ?? 0), 0)
  if (needed > launchShare * times.compiled || times.compiled > launchNanoseconds * kernels.length) return []
  const bytes = kernels.reduce((sum, kernel) => sum + kernel.bytes, 0)
  return [
    advise({
      kind: 'launch-bound',
      severity: 'fact',
      message: `launch-bound: a call takes ${formatTime(times.compiled)}, its ${plural(kernels.length, 'kernel')} ${formatTime(needed)} at the machine's limits (${formatBytes(bytes)})`,
      at: kernels[0]!.lines[0] ?? null,
      fix: 'give each call more work: a larger batch, or several steps in one compiled function',
      evidence: [
        { name: 'call', value: times.compiled, unit: 'ns' },
        { name: 'at the limits', value: needed, unit: 'ns' },
      ],
    }),
  ]
}

/** What a function that cannot be compiled is told. */
export function refusedAdvice(error: {
  readonly what: string
  readonly at: SourceLocation | null
  readonly fix: string | null
}): Advice {
  const isMove = / moves from \S+ to \S+ inside a compiled function/.test(error.what)
  return advise({ kind: isMove ? 'round-trip' : 'refused', message: error.what, at: error.at, fix: error.fix })
}
