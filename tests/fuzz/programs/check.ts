/** One random program in several ways: what the fuzzer, its campaigns and the search for a smaller program share. */
import type { CompileOptions } from '../../../src/index.js'
import { Choices } from '../../support/choices.js'
import { chosenFeatures, type Feature } from './features.js'
import { randomScript } from './generate.js'
import { byPlain, byTegula, judge, type Outcome, type Verdict, type Way } from './run.js'
import { printScript, type Script, smaller } from './script.js'

const eager: Way = { name: 'eager', options: null }

/** What a function may be compiled with. */
const compiledWays: readonly CompileOptions[] = [
  {},
  { dynamic: true },
  { dynamic: false },
  { bucket: 'pow2' },
  { dynamic: true, bucket: 'pow2' },
  { dynamic: true, bucket: [3, 6] },
  { fullgraph: true },
  { fullgraph: true, dynamic: true },
  { mode: 'reduce-overhead' },
  { deterministic: true },
  { recompileLimit: 2 },
]

/** The ways that a program is run: FUZZ_WAYS=all for every one, or `eager`, `compiled`, `recheck`. */
export function waysOf({ seed, features }: Script, wanted = process.env.FUZZ_WAYS ?? 'some'): Way[] {
  const choices = new Choices(seed + 5)
  const named = compiledWays.map((options): Way => ({ name: `compiled ${JSON.stringify(options)}`, options }))
  const recheck: Way = { name: 'compiled under TEGULA_RECHECK', options: {}, recheck: true }
  // What is assigned from outside between calls, compiled code does not see; only rechecking does.
  if (features.has('reassigned')) return [eager, recheck]
  switch (wanted) {
    case 'all':
      return [eager, ...named, recheck]
    case 'eager':
      return [eager]
    case 'compiled':
      return [choices.of(named)]
    case 'recheck':
      return [recheck]
    default:
      return [eager, choices.of(named), choices.of(named), ...(choices.oneIn(3) ? [recheck] : [])]
  }
}

/** A way in which a program goes wrong. */
export interface Finding {
  readonly script: Script
  readonly way: Way
  readonly group: string
  readonly text: string
}

export interface Report {
  readonly findings: readonly Finding[]
  /** The names of what compiling refused. */
  readonly refusals: readonly string[]
  readonly runs: number
  readonly features: ReadonlySet<Feature>
}

/** Nobody can foretell random numbers, so programs with them are compared with their eager run. */
function expectedOf(script: Script): Outcome {
  return script.features.has('random') ? byTegula(script, eager) : byPlain(script)
}

export function verdict(script: Script, way: Way): Verdict {
  return judge(expectedOf(script), byTegula(script, way), script, way)
}

export function checkSeed(seed: number, features = chosenFeatures()): Report {
  const script = randomScript(seed, features)
  const expected = expectedOf(script)
  const findings: Finding[] = []
  const refusals: string[] = []
  const ways = waysOf(script)
  for (const way of ways) {
    const found = judge(expected, byTegula(script, way), script, way)
    if (found.kind === 'refused') refusals.push(found.name)
    if (found.kind === 'different') findings.push({ script, way, group: found.group, text: found.text })
    if (found.kind === 'different' && way === eager) break // compiled code then differs too
  }
  return { findings, refusals, runs: ways.length, features: script.features }
}

/** The finding with the smallest program found that goes wrong alike. */
export function shrunk(finding: Finding, budget = 400): Finding {
  let best = finding
  let left = budget
  const attempt = (script: Script): boolean => {
    // Fewer calls, or other sizes in them, would be another matter.
    if (finding.group === 'compiles' && script.driver !== finding.script.driver) return false
    left--
    const expected = expectedOf(script)
    if (expected.error !== null && finding.script !== script && byPlain(finding.script).error === null) return false
    const found = judge(expected, byTegula(script, best.way), script, best.way)
    if (found.kind !== 'different' || found.group !== finding.group) return false
    best = { ...best, script, text: found.text }
    return true
  }
  for (let improved = true; improved && left > 0; ) {
    improved = false
    for (const candidate of smaller(best.script)) {
      if (left <= 0) break
      if (attempt(candidate)) {
        improved = true
        break
      }
    }
  }
  return best
}

export const printFinding = ({ script, way, text }: Finding): string =>
  `${way.name}: ${text}\n\n${printScript(script, way.options ?? {})}\n`
