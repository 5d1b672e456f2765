/**
 * Gradients of random programs: by reverse mode against forward mode and difference quotients in float64, each also once more
 * (gradients of gradients); then the tape's, and compiled ones, against those of the graph interpreter.
 *
 * FUZZ_SEED=<first seed> and FUZZ_CASES=<count> replay or search on; a third of the cases are compiled.
 */
import { describe, expect, it } from 'vitest'
import { recordNames } from '../../src/graph/ops/index.js'
import type { HostTensor } from '../../src/graph/record.js'
import { type CompileOptions, compile, gradients, type Tensor } from '../../src/index.js'
import { type Dtype, isFloat } from '../../src/types/dtype.js'
import { difference } from '../support/compare.js'
import { hasCompiler } from '../support/compiler.js'
import { Differentiated, problemWith } from '../support/derivatives.js'
import { largerCase, runCase } from '../support/random-case.js'
import {
  buildProgram,
  printProgram,
  programTolerance,
  type RandomOptions,
  type RandomProgram,
  randomProgram,
  shrink,
} from '../support/random-graph.js'
import { hostOfTensor, tensorOf } from '../support/tensors.js'

const first = Number(process.env.FUZZ_SEED ?? 1)
const cases = Number(process.env.FUZZ_CASES ?? 60)
const compiledCases = Math.ceil(cases / 3)
const perBatch = 10
const minutes = 60_000

/** Smooth but at kinks, and in float64, where slopes can be measured: casts round. */
const measurable: RandomOptions = {
  floats: ['f64'],
  only: new Set(recordNames.filter(name => name !== 'to')),
}
const usual: RandomOptions = { floats: ['f32', 'f32', 'f64'] }

function differentiated(program: RandomProgram, counts: (dtype: Dtype) => boolean = isFloat): Differentiated {
  const specs = program.inputs.map(({ spec }) => spec)
  return new Differentiated(specs, (b, nodes) => buildProgram(program, b, nodes), counts)
}

/** The programs of the seeds that have gradients. */
function programs(from: number, count: number, options: RandomOptions): RandomProgram[] {
  const all = Array.from({ length: count }, (_, i) => randomProgram(from + i, options))
  return all.filter(program => differentiated(program).isSmooth)
}

/** Throws with the smallest program that goes wrong. */
function report(program: RandomProgram, problemOf: (program: RandomProgram) => string | null): never {
  const attempt = (smaller: RandomProgram): string | null => {
    try {
      return differentiated(smaller).isSmooth ? problemOf(smaller) : null
    } catch (error) {
      return (error as Error).stack ?? String(error)
    }
  }
  const small = attempt(program) === null ? program : shrink(program, smaller => attempt(smaller) !== null)
  throw new Error(`seed ${program.seed}: ${attempt(small) ?? 'only beside others'}\n${printProgram(small)}`)
}

function slopeProblem(program: RandomProgram): { readonly problem: string | null; readonly isMeasured: boolean } {
  return problemWith(
    differentiated(program, dtype => dtype === 'f64'),
    program.seed % 3 === 0 ? 2 : 1,
  )
}

/** The gradients of a program's weighed results, by its own tensors. */
function gradientsOf(program: RandomProgram, inputs: readonly Tensor[], weights: readonly Tensor[]): readonly Tensor[] {
  const { counted, wanted } = differentiated(program)
  const results = runCase({ program, writes: [] }, inputs)
  return gradients(
    counted.map(i => results[i]!),
    wanted.map(i => inputs[i]!),
    { gradOutputs: weights },
  )
}

const tensorsOf = (program: RandomProgram): { inputs: Tensor[]; weights: Tensor[] } => ({
  inputs: program.inputs.map(({ spec }) => (isFloat(spec.dtype) ? tensorOf(spec).requiresGrad_() : tensorOf(spec))),
  weights: differentiated(program).weights.map(({ dtype, shape, data }) => tensorOf({ dtype, shape, data })),
})

/** How gradients differ from those of the graph interpreter: relative to the largest of them. */
function differ(program: RandomProgram, got: readonly Tensor[]): string | null {
  const expected = differentiated(program).reverse()
  const largest: HostTensor = { dtype: 'f64', shape: [], data: expected.flatMap(({ data }) => [...data]) }
  const { absolute } = programTolerance(program, largest)
  for (const [i, wanted] of expected.entries()) {
    const problem = difference(hostOfTensor(got[i]!), wanted, { relative: 0, absolute, anyZero: true })
    if (problem !== null) return `gradient ${i} ${problem}`
  }
  return null
}

/** All programs in one compiled function, called for each of the lists. */
function compiledProblems(lists: readonly (readonly RandomProgram[])[], options: CompileOptions): (string | null)[] {
  const all = compile(
    (given: { inputs: Tensor[]; weights: Tensor[] }[]) =>
      lists[0]!.map((program, i) => gradientsOf(program, given[i]!.inputs, given[i]!.weights)),
    options,
  )
  const found = lists.map(list => {
    const got = all(list.map(tensorsOf))
    return list.map((program, i) => differ(program, got[i]!))
  })
  return lists[0]!.map((_, i) => found.map(each => each[i]!).find(problem => problem !== null) ?? null)
}

function checkCompiled(list: readonly RandomProgram[], options: CompileOptions, larger: boolean): void {
  const problemsOf = (those: readonly RandomProgram[]): (string | null)[] => {
    const others = those.map(program => largerCase({ program, writes: [] })?.program ?? program)
    return compiledProblems(larger ? [those, others] : [those], options)
  }
  const alone = (program: RandomProgram): string | null => problemsOf([program])[0]!
  let problems: (string | null)[]
  try {
    problems = problemsOf(list)
  } catch {
    problems = list.map(program => {
      try {
        return alone(program)
      } catch (error) {
        return String(error)
      }
    })
  }
  const at = problems.findIndex(problem => problem !== null)
  if (at >= 0) report(list[at]!, alone)
}

describe('gradients of random programs', () => {
  it('are slopes, by reverse and by forward mode, and so are their own', { timeout: 20 * minutes }, () => {
    let measured = 0
    for (const program of programs(first, cases, measurable)) {
      const { problem, isMeasured } = slopeProblem(program)
      if (problem !== null) report(program, smaller => slopeProblem(smaller).problem)
      if (isMeasured) measured++
    }
    expect(measured).toBeGreaterThan(cases / 2)
  })

  it('are those of the graph, op by op', { timeout: 20 * minutes }, () => {
    const problemOf = (program: RandomProgram): string | null => {
      const { inputs, weights } = tensorsOf(program)
      return differ(program, gradientsOf(program, inputs, weights))
    }
    for (const program of programs(first, Math.ceil(cases / 6), usual))
      if (problemOf(program) !== null) report(program, problemOf)
  })

  for (let from = first; from < first + compiledCases; from += perBatch)
    it.skipIf(!hasCompiler)(`compiled, from seed ${from} (needs a C compiler)`, { timeout: 20 * minutes }, () => {
      const list = programs(from, perBatch, usual)
      checkCompiled(list, { dynamic: false }, false)
      checkCompiled(list.slice(0, perBatch / 2), { dynamic: true }, true)
    })
})
