/** Runs random training programs, and tells how two runs differ: in values, in gradients, in what requires them, in errors. */
import * as tegula from '../../../src/index.js'
import * as nn from '../../../src/nn/index.js'
import * as optim from '../../../src/optim/index.js'

/** A program as text: what is made first, the function, and what its caller does. */
export interface Program {
  readonly seed: number
  readonly setup: readonly string[]
  readonly body: readonly string[]
  readonly result: readonly string[]
  readonly driver: readonly { readonly text: string; readonly defines: readonly string[] }[]
  /** Names whose values are looked at after each line of the driver. */
  readonly watched: readonly string[]
}

export type Seen =
  | number
  | string
  | boolean
  | null
  | readonly Seen[]
  | { readonly type: string; readonly values: readonly number[]; readonly flags: string; readonly grad: Seen }

export interface Outcome {
  /** After each line of the driver. */
  readonly steps: readonly Readonly<Record<string, Seen>>[]
  readonly error: { readonly line: number; readonly error: Error } | null
}

const prelude = `
const count = shape => shape.reduce((product, size) => product * size, 1)
const data = (shape, seed) => tensor(Array.from({ length: count(shape) }, (_, i) => (((i * 7 + seed * 5 + 3) % 23) - 11) / 8.3 + seed / 31), { dtype: 'f64' }).reshape(shape).clone()
const leaf = (shape, seed) => data(shape, seed).requiresGrad_()
const own = customGradient(a => a.sin(), (t, { inputs: [a] }) => t.mul(a.cos()).mul(2))
const seen = []
let [N, S, k] = [2, 50, 1]
`

export const functionText = ({ body, result }: Program, atEnd = ''): string =>
  `(x, k) => {\n${body.map(text => `  ${text}\n`).join('')}${atEnd}  return [${result.join(', ')}]\n}`

export function printProgram(program: Program, options: unknown): string {
  return [
    `// seed ${program.seed}`,
    ...program.setup,
    `const f = compile(${functionText(program)}, ${JSON.stringify(options)})`,
    ...program.driver.map(({ text }) => text),
  ].join('\n')
}

function source(program: Program, probed: readonly string[] | null): string {
  const known = [...program.watched]
  const end = probed === null ? '' : `  probe({ ${probed.join(', ')} })\n`
  const lines = program.driver.map(({ text, defines }, i) => {
    known.push(...defines.filter(name => !known.includes(name)))
    return `at(${i})\n${text}\nlook(() => ({ ${known.join(', ')} }))\n`
  })
  return `'use strict'\nconst { ${Object.keys(api).join(', ')}, compile } = api\n${prelude}at(-1)\n${program.setup.join('\n')}
const f = compile(${functionText(program, end)})\n${lines.join('')}`
}

const { compile: _compile, grad, ...own } = tegula
const api = { ...own, ...optim, grad, ...nn, F: nn.functional, linalg: tegula.linalg }
for (const name of ['functional', 'init']) delete (api as Record<string, unknown>)[name]

interface Hooks {
  readonly look: (values: () => Readonly<Record<string, unknown>>) => void
  readonly probe: (values: Readonly<Record<string, unknown>>) => void
  readonly compile: (fn: (...args: never[]) => unknown) => unknown
}

function execute(program: Program, probed: readonly string[] | null, hooks: Hooks): Outcome['error'] {
  let line = -2
  tegula.manualSeed(program.seed)
  tegula.setGradEnabled(true)
  const at = (i: number): void => {
    line = i
  }
  try {
    new Function('api', 'at', 'look', 'probe', source(program, probed))(
      { ...api, compile: hooks.compile },
      at,
      hooks.look,
      hooks.probe,
    )
    return null
  } catch (error) {
    return { line, error: error as Error }
  }
}

export function look(value: unknown, depth = 0): Seen {
  if (value instanceof tegula.Tensor) {
    const values = Array.from(value.detach().dataSync() as ArrayLike<number | bigint>, Number)
    const flags = `${value.requiresGrad ? 'requires a gradient' : 'constant'}, ${value.isLeaf ? 'a leaf' : 'computed'}`
    return {
      type: `${value.dtype}[${value.shape.join(', ')}]`,
      values,
      flags,
      grad: depth > 2 ? null : look(value.grad, depth + 1),
    }
  }
  if (Array.isArray(value)) return value.map(each => look(each, depth))
  if (value instanceof optim.Optimizer)
    return Object.values(value.stateDict().state).map(state => Object.values(state as object).map(each => look(each)))
  if (typeof value === 'function' && value instanceof nn.Module) {
    const model: nn.Module = value
    return [...model.parameters(), ...model.buffers()].map(each => look(each))
  }
  if (value === null || value === undefined) return null
  return typeof value === 'number' || typeof value === 'boolean' ? value : String(value)
}

/** `options` null: the function runs as it is. */
export function run(program: Program, options: tegula.CompileOptions | null): Outcome {
  const steps: Readonly<Record<string, Seen>>[] = []
  const lookAt = (values: () => Readonly<Record<string, unknown>>): void => {
    const now: Record<string, Seen> = {}
    for (const [name, value] of Object.entries(values())) now[name] = look(value)
    steps.push(now)
    last = values
  }
  let last: () => Readonly<Record<string, unknown>> = () => ({})
  const error = execute(program, null, {
    look: lookAt,
    probe() {},
    compile: fn => (options === null ? fn : tegula.compile(fn, options)),
  })
  // What an error leaves behind counts too.
  if (error !== null) lookAt(last)
  return { steps, error }
}

/** The locals of each call. Throws what the program throws. */
export function probe(program: Program, names: readonly string[]): Readonly<Record<string, unknown>>[] {
  const calls: Readonly<Record<string, unknown>>[] = []
  const failed = execute(program, names, { look() {}, probe: values => void calls.push(values), compile: fn => fn })
  if (failed !== null) throw failed.error
  return calls
}

/** The values of names after the last line. Throws what the program throws. */
export function valuesAfter(program: Program): Readonly<Record<string, unknown>> {
  let last: Readonly<Record<string, unknown>> = {}
  const failed = execute(program, null, {
    look: values => {
      last = values()
    },
    probe() {},
    compile: fn => fn,
  })
  if (failed !== null) throw failed.error
  return last
}

const tolerances: Readonly<Record<string, number>> = { f64: 1e-9, f32: 1e-4, bf16: 5e-2, f16: 1e-2 }

interface Slack {
  readonly tolerance: number
  /** Backward passes inside may have used up what made a tensor. */
  readonly usedUp: boolean
}

export function difference(expected: Seen, actual: Seen, path: string, slack: Slack): string | null {
  const told = (seen: Seen): string => JSON.stringify(seen)?.slice(0, 300)
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual) || actual.length !== expected.length)
      return `${path}: expected ${told(expected)}, got ${told(actual)}`
    for (const [i, each] of expected.entries()) {
      const found = difference(each, actual[i], `${path}[${i}]`, slack)
      if (found !== null) return found
    }
    return null
  }
  // Of a gradient of a gradient it is not known which inputs it reaches.
  const isZeros = typeof actual === 'object' && actual !== null && 'grad' in actual && actual.values.every(x => x === 0)
  if (expected === null && path.endsWith('.grad') && slack.usedUp && isZeros) return null
  if (
    typeof expected !== 'object' ||
    expected === null ||
    typeof actual !== 'object' ||
    actual === null ||
    Array.isArray(actual)
  )
    return Object.is(expected, actual) ? null : `${path}: expected ${told(expected)}, got ${told(actual)}`
  const [want, got] = [
    expected as Exclude<typeof expected, readonly Seen[]>,
    actual as Exclude<typeof actual, readonly Seen[]>,
  ]
  // A backward pass inside may have used up what made a result: it is a constant then, where the tape would refuse later.
  const isUsedUp = want.flags.startsWith('requires') && got.flags === 'constant, a leaf' && slack.usedUp
  if (want.type !== got.type || (want.flags !== got.flags && !isUsedUp))
    return `${path}: expected ${want.type}, ${want.flags}; got ${got.type}, ${got.flags}`
  const scale = want.values.reduce((max, x) => Math.max(max, Math.abs(x)), 1)
  const tolerance = Math.max(tolerances[want.type.split('[')[0]!] ?? 0, slack.tolerance) * scale
  const near = (a: number, b: number): boolean => Object.is(a, b) || Math.abs(a - b) <= tolerance
  if (!want.values.every((x, i) => near(x, got.values[i]!)))
    return `${path}: expected ${want.type} ${want.values.slice(0, 12)}; got ${got.values.slice(0, 12)}`
  return difference(want.grad, got.grad, `${path}.grad`, slack)
}

/** What compiling may refuse though it works eagerly: each is documented, and says what to do. */
const refusals: readonly RegExp[] = [
  /a write through a diagonal or a window cannot be captured/,
  /shares memory with/,
  /a part of a tensor that was expanded/,
  /in place, whose old values its gradient needs/,
  /requiresGrad: it is changed while/,
  /(registerHook|retainGrad): .* is inside a compiled function/,
  /fullgraph is set/,
  /while another result of the same call/,
  /while another result of the same call/,
  /backward: gradients flow to what .* computes itself/,
  /was changed in place after it was used/,
  // A compiled function's results have one node.
  /backward of compiled \w+: what it needs was freed by the backward pass before/,
  /as it was when compiled \w+ ran, but it was changed in place/,
  /a detach\(\) is used, or returned, after a value that requires a gradient was written into it/,
  /writes a value that requires a gradient into/,
  /which was computed outside and requires a gradient, is changed in place/,
]

export interface Verdict {
  readonly kind: 'same' | 'refused' | 'different'
  /** Equal for the same mistake, as far as one can tell. */
  readonly group: string
  readonly text: string
}

export function judge(expected: Outcome, actual: Outcome, program: Program): Verdict {
  const text = program.driver.map(line => line.text).join('\n') + program.body.join('\n')
  const usedUp = /backward|gradients|grad\(/.test(program.body.join(' '))
  const slack = { tolerance: text.includes('autocast') ? 5e-2 : text.includes('f32') ? 1e-5 : 0, usedUp }
  const [wanted, got] = [expected.error, actual.error]
  const isUsedUp =
    got !== null && /does not require a gradient/.test(got.error.message) && /backward|gradients/.test(text)
  if (isUsedUp) return { kind: 'refused', group: 'a result whose backward pass was inside', text: '' }
  if (got !== null && refusals.some(known => known.test(got.error.message)))
    return { kind: 'refused', group: got.error.message.slice(0, 40), text: '' }
  // Graphs are functions: what is overwritten later is not overwritten for the gradient.
  if (wanted !== null && /changed in place/.test(wanted.error.message)) return { kind: 'same', group: '', text: '' }
  // What a backward pass inside used up is computed again where a result is differentiated outside.
  if (got === null && wanted !== null && usedUp && /freed by the backward pass before/.test(wanted.error.message))
    return { kind: 'same', group: '', text: '' }
  const steps = Math.min(expected.steps.length, actual.steps.length)
  for (let i = 0; i < steps; i++) {
    // What failed half way is looked at again.
    if (i === steps - 1 && (wanted?.line ?? -9) !== (got?.line ?? -9)) break
    for (const [name, seen] of Object.entries(expected.steps[i]!)) {
      const found = difference(seen, actual.steps[i]![name] ?? null, name, slack)
      if (found === null) continue
      const group = `${found.replace(/:.*/s, '').replaceAll(/\d+/g, 'N')}${/requires|constant/.test(found) ? ' flags' : ''}`
      return { kind: 'different', group, text: `after line ${i} (${program.driver[i]?.text}), ${found}` }
    }
  }
  if (wanted?.line === got?.line && wanted?.error.name === got?.error.name) return { kind: 'same', group: '', text: '' }
  const said = (each: Outcome['error']): string =>
    each === null
      ? 'no error'
      : `${each.error.name} at line ${each.line}: ${each.error.message}\n${
          each === wanted
            ? ''
            : (each.error.stack ?? '')
                .split('\n')
                .filter(row => row.includes('/src/'))
                .slice(0, 5)
                .join('\n')
        }`
  const group =
    got === null
      ? `no ${wanted!.error.name}`
      : `${got.error.name}: ${got.error.message.replaceAll(/\d+|f\d+\[.*?\]/g, 'N').slice(0, 60)}`
  return { kind: 'different', group, text: `expected ${said(wanted)}; got ${said(got)}` }
}
