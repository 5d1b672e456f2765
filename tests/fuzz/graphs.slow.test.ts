/**
 * Random programs through the whole product: eagerly, compiled for their shapes, compiled for any shapes and called with
 * two, and through the interpreters; every way must give what the ops' references give, and leave the inputs the same.
 * Many programs are compiled as one function, so that a few hundred take a few calls of the C compiler.
 *
 * FUZZ_SEED=<first seed> and FUZZ_CASES=<count> replay or search on; FUZZ_EAGER=<count> is how many of them also run
 * eagerly in native code, one kernel per op, and FUZZ_BREAKS=<count> how many are compiled alone, with a graph break.
 */
import { describe, expect, it } from 'vitest'
import type { CompileOptions } from '../../src/index.js'
import { hasCompiler } from '../support/compiler.js'
import { largerCase, printWrites, type RandomCase, randomCase, withProgram } from '../support/random-case.js'
import { printProgram, shrink } from '../support/random-graph.js'
import { testDevice } from '../support/tensors.js'
import {
  byGraph,
  byReference,
  compiled,
  compiledWithBreak,
  eagerly,
  eagerlyInterpreted,
  type Outcome,
  outcomesDiffer,
} from './ways.js'

const first = Number(process.env.FUZZ_SEED ?? 1)
const cases = Number(process.env.FUZZ_CASES ?? 75)
const eagerCases = Number(process.env.FUZZ_EAGER ?? Math.min(cases, 6))
const breakCases = Number(process.env.FUZZ_BREAKS ?? Math.min(cases, 6))
const perBatch = 25

/**
 * Cases that went wrong once. 810860, 811007: results share memory; 810441, 814769: a cast that is no cast is a view;
 * 1200042: a product of operands that are both stretched along the summed dim.
 */
const regressions = [810441, 810860, 811007, 814769, 1200042]
const minutes = 60_000

/** Runs a list of cases one way; for each, how it differs from the reference, or null. Throws when it fails as a whole. */
type Way = (runs: readonly RandomCase[]) => readonly (string | null)[]

const problemOf = (run: RandomCase, outcome: Outcome | null): string | null =>
  outcome === null ? null : outcomesDiffer(run, outcome, byReference(run))

const oneByOne =
  (way: (run: RandomCase) => Outcome | null): Way =>
  runs =>
    runs.map(run => problemOf(run, way(run)))

const statically: Way = runs => {
  const [outcomes] = compiled([runs], { dynamic: false })
  return runs.map((run, i) => problemOf(run, outcomes![i]!))
}

const forManySizes =
  (options: CompileOptions): Way =>
  runs => {
    const larger = runs.map(run => largerCase(run) ?? run)
    const [outcomes, others] = compiled([runs, larger], options)
    return runs.map((run, i) => {
      const problem = problemOf(larger[i]!, others![i]!)
      return problemOf(run, outcomes![i]!) ?? (problem === null ? null : `at sizes one larger, ${problem}`)
    })
  }

function failsAlone(run: RandomCase, way: Way): string | null {
  try {
    return way([run])[0]!
  } catch (error) {
    return (error as Error).stack ?? String(error)
  }
}

/** Throws with the smallest case that still goes wrong. */
function report(run: RandomCase, way: Way, problem: string): never {
  const { seed } = run.program
  if (failsAlone(run, way) === null) throw new Error(`seed ${seed}, only in its batch: ${problem}`)
  let small = run
  for (const write of run.writes) {
    const without = { ...small, writes: small.writes.filter(other => other !== write) }
    if (failsAlone(without, way) !== null) small = without
  }
  const program = shrink(small.program, smaller => failsAlone(withProgram(small, smaller), way) !== null)
  small = withProgram(small, program)
  throw new Error(`seed ${seed}: ${failsAlone(small, way)}\n${printProgram(small.program)}\n${printWrites(small)}`)
}

function check(runs: readonly RandomCase[], way: Way): void {
  let problems: readonly (string | null)[] = []
  try {
    problems = way(runs)
  } catch (error) {
    const culprit = runs.find(run => failsAlone(run, way) !== null)
    if (culprit === undefined) throw error
    report(culprit, way, (error as Error).message)
  }
  const at = problems.findIndex(problem => problem !== null)
  if (at >= 0) report(runs[at]!, way, problems[at]!)
}

function batches(count: number): (readonly [from: number, runs: () => RandomCase[]])[] {
  return Array.from({ length: Math.ceil(count / perBatch) }, (_, batch) => {
    const from = first + batch * perBatch
    const length = Math.min(perBatch, count - batch * perBatch)
    return [from, () => Array.from({ length }, (_, i) => randomCase(from + i))] as const
  })
}

describe('random programs agree with the references of their ops', () => {
  it('in the graph interpreter', { timeout: 20 * minutes }, () => {
    for (const [, runs] of batches(cases)) check(runs(), oneByOne(byGraph))
  })

  it.skipIf(testDevice !== 'cpu')('eagerly, interpreted (on the CPU only)', { timeout: 60 * minutes }, () => {
    for (const [, runs] of batches(cases)) check(runs(), oneByOne(eagerlyInterpreted))
  })
})

describe.skipIf(!hasCompiler)('random programs agree with the references of their ops (needs a C compiler)', () => {
  it('eagerly', { timeout: 60 * minutes }, () => {
    for (const [, runs] of batches(eagerCases)) check(runs(), oneByOne(eagerly))
  })

  it('compiled, with a graph break', { timeout: 60 * minutes }, () => {
    for (const [, runs] of batches(breakCases)) check(runs(), oneByOne(compiledWithBreak))
  })

  it('that failed once, in every way', { timeout: 5 * minutes }, () => {
    const runs = regressions.map(seed => randomCase(seed))
    const ways = [oneByOne(byGraph), oneByOne(compiledWithBreak), statically, forManySizes({ dynamic: true })]
    if (testDevice === 'cpu') ways.push(oneByOne(eagerlyInterpreted))
    for (const way of ways) check(runs, way)
  })

  for (const [from, runs] of batches(cases)) {
    it(`compiled for fixed shapes, from seed ${from}`, { timeout: 5 * minutes }, () => {
      check(runs(), statically)
    })
  }

  for (const [from, runs] of batches(Math.ceil(cases / 3))) {
    it(`compiled for any shapes, from seed ${from}`, { timeout: 5 * minutes }, () => {
      check(runs(), forManySizes({ dynamic: true }))
    })
  }

  for (const [from, runs] of batches(Math.ceil(cases / 6))) {
    it(`compiled for buckets of shapes, from seed ${from}`, { timeout: 5 * minutes }, () => {
      check(runs(), forManySizes({ dynamic: true, bucket: [3, 6] }))
    })
  }
})

describe('the cases', () => {
  it('write in place, return inputs and views, and mostly allow larger sizes', () => {
    const runs = Array.from({ length: 200 }, (_, i) => randomCase(i))
    expect(runs.filter(({ writes }) => writes.length > 0).length).toBeGreaterThan(40)
    expect(runs.filter(run => largerCase(run) !== null).length).toBeGreaterThan(80)
    expect(runs.filter(({ program }) => new Set(program.outputs).size < program.outputs.length).length).toBeGreaterThan(
      5,
    )
  })
})
