/** Runs a program one way, and tells how two ways differ. */
import * as tegula from '../../../src/index.js'
import { accumulate, evens, scale } from '../../support/kernels.js'
import { plain, Unfit } from '../plain/index.js'
import { type Comparing, difference, Observer, overwrite, type Seen } from './observe.js'
import { printStatements, type Script, scriptSource } from './script.js'

export interface Way {
  readonly name: string
  /** null: the function runs as it is. */
  readonly options: tegula.CompileOptions | null
  /** Under TEGULA_RECHECK=1. */
  readonly recheck?: boolean
}

export interface Outcome {
  /** What the variables hold after each line; then after every tensor was overwritten in turn. */
  readonly steps: readonly Seen[]
  /** What ended the program. */
  readonly error: { readonly line: number; readonly error: Error } | null
  /** Versions compiled. */
  readonly compiles: number
}

interface Hooks {
  readonly at: (line: number) => void
  readonly look: (values: () => Readonly<Record<string, unknown>>) => void
  readonly probe: (values: Readonly<Record<string, unknown>>) => void
}

const execute = (source: string, api: object, hooks: Hooks): void => {
  new Function('api', 'at', 'look', 'probe', source)(api, hooks.at, hooks.look, hooks.probe)
}

/** What the function's locals held at the end of each call, by the plain evaluator. Throws what the program throws. */
export function probe(script: Script, names: readonly string[]): Readonly<Record<string, unknown>>[] {
  const calls: Readonly<Record<string, unknown>>[] = []
  const before = Unfit.count
  execute(scriptSource(script, names), plain, { at() {}, look() {}, probe: values => void calls.push(values) })
  if (Unfit.count > before) throw new Unfit('the program caught what says that it is unfit')
  return calls
}

/** Runs a script, looking at everything after each line. */
function watch(script: Script, api: object): Omit<Outcome, 'compiles'> {
  const steps: Seen[] = []
  let [line, last]: [number, () => object] = [0, () => ({})]
  try {
    execute(scriptSource(script), api, {
      at: i => {
        line = i
      },
      look: values => {
        last = values
        steps.push(new Observer().see(values()))
      },
      probe() {},
    })
  } catch (thrown) {
    return { steps, error: { line, error: thrown as Error } }
  }
  const observer = new Observer()
  observer.see(last())
  for (const [i, tensor] of observer.tensors.entries()) overwrite(tensor, i + 1)
  steps.push(new Observer().see(last()))
  return { steps, error: null }
}

export const byPlain = (script: Script): Outcome => ({ ...watch(script, plain), compiles: 0 })

export function byTegula(script: Script, way: Way): Outcome {
  const made: { stats(): tegula.CompileStats }[] = []
  const compile = (fn: (...args: never[]) => unknown): unknown => {
    if (way.options === null) return fn
    const compiled = tegula.compile(fn, way.options)
    made.push(compiled)
    return compiled
  }
  tegula.manualSeed(script.seed)
  const api = { ...tegula, accumulate, evens, scale, compile }
  const before = process.env.TEGULA_RECHECK
  if (way.recheck) process.env.TEGULA_RECHECK = '1'
  try {
    const outcome = watch(script, api)
    return { ...outcome, compiles: made.reduce((sum, f) => sum + f.stats().compiles, 0) }
  } finally {
    if (before === undefined) delete process.env.TEGULA_RECHECK
    else process.env.TEGULA_RECHECK = before
  }
}

interface Refusal {
  readonly name: string
  readonly message: RegExp
  /** Its class; CaptureError when absent. */
  readonly error?: string
  /** Whether it may come at all. */
  readonly when: (script: Script, way: Way) => boolean
}

/** What compiling may refuse though it works eagerly: documented limits, each with what to do. */
const refusals: readonly Refusal[] = [
  {
    name: 'a read under fullgraph',
    message: /fullgraph is set/,
    when: (_, way) => way.options?.fullgraph === true,
  },
  {
    name: 'a write through a diagonal or window',
    message: /a write through a diagonal or a window cannot be captured/,
    when: ({ features }) => features.has('inPlace') || features.has('kernels'),
  },
  {
    name: 'a write into shared memory',
    message: /which shares memory with/,
    when: ({ features }) => features.has('inPlace') || features.has('kernels'),
  },
  {
    name: 'an object whose state cannot be seen',
    message: /whose state cannot be seen/,
    when: ({ features }) => features.has('privateFields'),
  },
  {
    name: 'a write into a part of an expanded tensor',
    message: /a part of a tensor that was expanded/,
    when: ({ features }) => features.has('inPlace') || features.has('kernels'),
  },
  {
    name: 'a disposed argument, used or not',
    message: /, was disposed at/,
    error: 'DisposedError',
    when: ({ features }) => features.has('dispose'),
  },
  { name: 'a result that is no tensor', message: /, not a tensor/, when: () => true },
  {
    name: 'a value left outside of the arguments',
    message: /which left it outside when it was traced|when it is traced a second time/,
    when: ({ features }) => features.has('outerState'),
  },
  {
    name: 'another trace under TEGULA_RECHECK',
    message: /records something else than what was compiled/,
    when: ({ features }, way) => way.recheck === true && features.has('reassigned'),
  },
]

export type Verdict =
  | { readonly kind: 'same' }
  | { readonly kind: 'refused'; readonly name: string }
  /** `group`: equal for the same mistake, as far as one can tell. */
  | { readonly kind: 'different'; readonly group: string; readonly text: string }

/** How an outcome differs from the expected one. */
export function judge(expected: Outcome, actual: Outcome, script: Script, way: Way): Verdict {
  const comparing: Comparing = { identity: script.features.has('identity'), rounded: script.features.has('random') }
  const steps = Math.min(expected.steps.length, actual.steps.length)
  for (let i = 0; i < steps; i++) {
    const isLast = expected.error === null && i === expected.steps.length - 1
    const place = isLast ? 'after all were overwritten in turn' : `after line ${i}`
    const found = difference(expected.steps[i]!, actual.steps[i]!, '', comparing)
    if (found !== null) {
      const group = isLast ? 'aliasing' : found.replace(/expected (\S+).*/, '$1').replaceAll(/\d+/g, 'N')
      return { kind: 'different', group, text: `${place} ${found}` }
    }
  }
  const verdict = judgeErrors(expected, actual, script, way)
  return verdict.kind === 'same' ? judgeCount(actual, script, way) : verdict
}

/** The first shape's version, one with run-time sizes, and one more. */
const steadyCompiles = 3

/** Of each stretch: a seed that the function sets ends one, and steady functions have no other graph breaks. */
function judgeCount({ compiles }: Outcome, { steady, body }: Script, { options }: Way): Verdict {
  const isCounted = steady && options !== null && options.dynamic !== false && options.bucket === undefined
  const stretches = printStatements(body).split('manualSeed(').length
  if (!isCounted || compiles <= steadyCompiles * stretches) return { kind: 'same' }
  return { kind: 'different', group: 'compiles', text: `compiled ${compiles} times, where only sizes change` }
}

function judgeErrors({ error: expected }: Outcome, { error: actual }: Outcome, script: Script, way: Way): Verdict {
  if (actual === null && expected === null) return { kind: 'same' }
  if (actual === null) {
    const text = `expected ${expected!.error.name} (${expected!.error.message}) at line ${expected!.line}, and none came`
    return { kind: 'different', group: `no ${expected!.error.name}`, text }
  }
  const { name, message } = actual.error
  const refusal = refusals.find(refusal => refusal.message.test(message) && refusal.when(script, way))
  if (
    refusal !== undefined &&
    way.options !== null &&
    name === (refusal.error ?? 'CaptureError') &&
    / fix: /.test(message)
  )
    return { kind: 'refused', name: refusal.name }
  if (expected !== null && expected.line === actual.line && expected.error.name === name) return { kind: 'same' }
  const wanted = expected === null ? 'no error' : expected.error.name
  const short = message
    .replaceAll(/ {2}at \S+/g, '')
    .replaceAll(/\d+/g, 'N')
    .slice(0, 90)
  const stack = (actual.error.stack ?? '')
    .split('\n')
    .filter(row => row.includes('/src/'))
    .slice(0, 4)
    .join('\n')
  return {
    kind: 'different',
    group: `${name}: ${short}`,
    text: `expected ${wanted}, got ${name} at line ${actual.line}: ${message}\n${stack}`,
  }
}
