/** The ways of running a random case: each gives the results, then what the inputs hold afterwards, or how it failed. */
import { EagerExecutor } from '../../src/compile/eager.js'
import { interpretGraph } from '../../src/graph/interpret.js'
import { recordTable } from '../../src/graph/ops/index.js'
import type { HostTensor } from '../../src/graph/record.js'
import { compile, type Tensor } from '../../src/index.js'
import { cpuDevice } from '../../src/runtime/cpu/device.js'
import { setExecutor } from '../../src/tensor/dispatch.js'
import { difference } from '../support/compare.js'
import { type RandomCase, runCase } from '../support/random-case.js'
import { programGraph, programInputs, programTolerance } from '../support/random-graph.js'
import { useReferenceExecutor } from '../support/reference-executor.js'
import { hostOfTensor, tensorOf } from '../support/tensors.js'

/** Results, then inputs. */
export type Outcome = readonly HostTensor[]

export const inputsOf = ({ program }: RandomCase): Tensor[] => program.inputs.map(({ spec }) => tensorOf(spec))

const outcomeOf = (results: readonly Tensor[], inputs: readonly Tensor[]): Outcome =>
  [...results, ...inputs].map(hostOfTensor)

function runWith(executor: () => void, run: RandomCase): Outcome {
  executor()
  try {
    const inputs = inputsOf(run)
    return outcomeOf(runCase(run, inputs), inputs)
  } finally {
    setExecutor(eager)
  }
}

const eager = new EagerExecutor(cpuDevice())
/** Its kernels are interpreted: whatever it compiles, it compiles under that switch. */
const eagerInterpreted = new EagerExecutor(cpuDevice())

/** Each op by its record's plain JavaScript reference, on memory as tensors have it: the oracle. */
export const byReference = (run: RandomCase): Outcome => runWith(useReferenceExecutor, run)

export const eagerly = (run: RandomCase): Outcome => runWith(() => setExecutor(eager), run)

export function eagerlyInterpreted(run: RandomCase): Outcome {
  const before = process.env.TEGULA_BACKEND
  process.env.TEGULA_BACKEND = 'interpreter'
  try {
    return runWith(() => setExecutor(eagerInterpreted), run)
  } finally {
    if (before === undefined) delete process.env.TEGULA_BACKEND
    else process.env.TEGULA_BACKEND = before
  }
}

/** The graph interpreter on the whole graph; null for a case with writes, which a graph of pure ops does not have. */
export function byGraph({ program, writes }: RandomCase): Outcome | null {
  if (writes.length > 0) return null
  const inputs = programInputs(program)
  return [...interpretGraph(programGraph(program), inputs), ...inputs]
}

/** Compiled functions cannot write into views yet: they say so (see footguns). */
const writesIntoViews = ({ program, writes }: RandomCase): boolean =>
  writes.some(({ target, view }) => {
    const made = program.ops.find(({ id }) => id === target)
    return view !== 'whole' || (made !== undefined && recordTable[made.name].category === 'view')
  })

/**
 * All cases in one compiled function (one call of the C compiler), called with each of the lists of cases; null for
 * those that a compiled function cannot take.
 */
export function compiled(lists: readonly (readonly RandomCase[])[], dynamic: boolean): (Outcome | null)[][] {
  const [first] = lists as readonly [readonly RandomCase[]]
  const taken = first.map(run => !writesIntoViews(run))
  const all = compile((inputs: Tensor[][]) => first.map((run, i) => (taken[i]! ? runCase(run, inputs[i]!) : [])), {
    dynamic,
  })
  return lists.map(list => {
    const inputs = list.map(inputsOf)
    const results = all(inputs)
    return results.map((result, i) => (taken[i]! ? outcomeOf(result, inputs[i]!) : null))
  })
}

/** The first difference between two outcomes, or null. */
export function outcomesDiffer(run: RandomCase, actual: Outcome, expected: Outcome): string | null {
  if (actual.length !== expected.length) return `${actual.length} results, expected ${expected.length}`
  const results = run.program.outputs.length
  for (const [i, tensor] of expected.entries()) {
    const problem = difference(actual[i]!, tensor, programTolerance(run.program, tensor))
    if (problem !== null) return `${i < results ? `result ${i}` : `input ${i - results} afterwards`} ${problem}`
  }
  return null
}
