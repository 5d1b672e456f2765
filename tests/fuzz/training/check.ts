/** One random training program in several ways, and the smallest program that goes wrong alike. */
import type { CompileOptions } from '../../../src/index.js'
import { Choices } from '../../support/choices.js'
import { randomTraining } from './generate.js'
import { judge, type Outcome, type Program, printProgram, run, type Verdict } from './run.js'

const ways: readonly CompileOptions[] = [
  {},
  {},
  { dynamic: true },
  { dynamic: false },
  { mode: 'reduce-overhead' },
  { recompileLimit: 2 },
  { deterministic: true },
]

export interface Finding {
  readonly program: Program
  readonly options: CompileOptions
  readonly verdict: Verdict
}

export interface Report {
  readonly program: Program
  readonly expected: Outcome
  readonly finding: Finding | null
  readonly refused: string | null
}

export function checkTraining(seed: number): Report {
  const program = randomTraining(seed)
  const options = new Choices(seed + 11).of(ways)
  const expected = run(program, null)
  const verdict = judge(expected, run(program, options), program)
  const finding = verdict.kind === 'different' ? { program, options, verdict } : null
  return { program, expected, finding, refused: verdict.kind === 'refused' ? verdict.group : null }
}

function* smaller(program: Program): Generator<Program> {
  const { driver, body, result, setup } = program
  for (let size = driver.length >> 1; size >= 1; size >>= 1)
    for (let i = driver.length - size; i >= 0; i -= size) yield { ...program, driver: driver.toSpliced(i, size) }
  for (let i = body.length - 1; i >= 0; i--) yield { ...program, body: body.toSpliced(i, 1) }
  for (let i = 0; i < result.length; i++) yield { ...program, result: result.toSpliced(i, 1) }
  for (const [i, text] of setup.entries()) {
    const [, name] = /(\w+) =/.exec(text)!
    yield { ...program, setup: setup.toSpliced(i, 1), watched: program.watched.filter(each => each !== name) }
  }
}

export function shrunk({ program, options, verdict }: Finding, budget = 300): Finding {
  let best: Finding = { program, options, verdict }
  let left = budget
  const isUnfit = ({ error }: Outcome): boolean =>
    error !== null && ['ReferenceError', 'SyntaxError', 'TypeError'].includes(error.error.name)
  const attempt = (smallerProgram: Program, tried: CompileOptions): boolean => {
    left--
    const expected = run(smallerProgram, null)
    if (isUnfit(expected)) return false
    const found = judge(expected, run(smallerProgram, tried), smallerProgram)
    if (found.kind !== 'different' || found.group !== verdict.group) return false
    best = { program: smallerProgram, options: tried, verdict: found }
    return true
  }
  if (Object.keys(options).length > 0) attempt(program, {})
  for (let improved = true; improved && left > 0; ) {
    improved = false
    for (const candidate of smaller(best.program)) {
      if (left <= 0) break
      if (attempt(candidate, best.options)) {
        improved = true
        break
      }
    }
  }
  return best
}

export const printFinding = ({ program, options, verdict }: Finding): string =>
  `${verdict.text}\n\n${printProgram(program, options)}\n`
