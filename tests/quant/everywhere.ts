/**
 * A quantised op run every way there is, against numbers that the test worked out: the record's reference, the graph
 * interpreter, the plan's kernels interpreted, C, simulated blocks of GPU threads, and the device of the suites.
 */

import { expect } from 'vitest'
import type { Target } from '../../src/backends/target.js'
import { runPipeline } from '../../src/compile/pipeline.js'
import type { HostTensor, OpRecord } from '../../src/graph/record.js'
import { compile, type Tensor } from '../../src/index.js'
import { applyOp } from '../../src/tensor/dispatch.js'
import { noCompiler } from '../codegen/native.js'
import { expectBlocks } from '../native/agreement-cuda.js'
import { gpu, runPlan, target } from '../schedule/run.js'
import { difference, type Tolerance } from '../support/compare.js'
import { type Launch, launchesOf, nativeDifferences } from '../support/launches.js'
import { expectedResults, graphOf, interpretSample } from '../support/record-graph.js'
import type { Sample } from '../support/samples.js'
import { bindArguments } from '../support/tensor-spec.js'
import { hostOfTensor, tensorOf, testDevice } from '../support/tensors.js'

export interface Expectation {
  readonly sample: Sample
  /** Results that are not known here are null. */
  readonly results: readonly (HostTensor | null)[]
}

export const exact: Tolerance = { relative: 0, absolute: 0, anyZero: false }
export type ToleranceOf = (expected: HostTensor, sample: Sample) => Tolerance

function check(each: Expectation, got: readonly HostTensor[], how: string, toleranceOf: ToleranceOf): void {
  for (const [i, expected] of each.results.entries()) {
    if (expected === null) continue
    const problem = difference(got[i]!, expected, toleranceOf(expected, each.sample))
    expect(problem, `${each.sample.name}, ${how}, result ${i}`).toBeNull()
  }
}

/** By the reference, unless it rounds otherwise, and by the graph interpreter. */
export function expectInterpreted(
  record: OpRecord,
  all: readonly Expectation[],
  toleranceOf: ToleranceOf = () => exact,
  { reference = true } = {},
): void {
  for (const each of all) {
    if (reference) check(each, expectedResults(record, each.sample), 'reference', toleranceOf)
    check(each, interpretSample(graphOf(record, each.sample), each.sample), 'graph interpreter', toleranceOf)
  }
}

/** The plan's kernels interpreted give the numbers; their launches, for the ways that must leave the same memory. */
function launches(record: OpRecord, each: Expectation, on: Target, toleranceOf: ToleranceOf): Launch[] {
  const { plan, lanes } = runPipeline(graphOf(record, each.sample), on)
  check(each, runPlan(plan, each.sample.inputs), `kernels for ${on.name}`, toleranceOf)
  const largest = each.results.find(result => result !== null)!
  return launchesOf(each.sample.name, plan, lanes, each.sample.inputs, dtype =>
    dtype === largest.dtype ? toleranceOf(largest, each.sample) : { relative: 2 ** -8, absolute: 1e-3, anyZero: true },
  )
}

/** As kernels for the CPU: interpreted, and as C where there is a compiler. */
export function expectC(record: OpRecord, all: readonly Expectation[], toleranceOf: ToleranceOf = () => exact): void {
  const list = all.flatMap(each => launches(record, each, target, toleranceOf))
  if (noCompiler !== null) return
  for (const [launch, problem] of nativeDifferences(list)) expect(problem, `${launch.name}, C`).toBeNull()
}

/** As kernels for a GPU: interpreted, and by simulated blocks of threads. Gives the names of those that are too large. */
export function expectSimulatedGpu(
  record: OpRecord,
  all: readonly Expectation[],
  toleranceOf: ToleranceOf = () => exact,
): string[] {
  return expectBlocks(all.flatMap(each => launches(record, each, gpu, toleranceOf)))
}

/** Compiled as people compile it, all as one function, on the device of the suites. */
export function expectCompiled(
  record: OpRecord,
  all: readonly Expectation[],
  toleranceOf: ToleranceOf = () => exact,
): void {
  const inputs = all.map(({ sample }) => sample.inputs.map(tensorOf))
  const run = compile((inputs: Tensor[][]) =>
    all.map(({ sample }, i) =>
      applyOp(
        record,
        bindArguments(sample.args, at => inputs[i]![at]),
      ),
    ),
  )
  for (const [i, results] of run(inputs).entries())
    check(all[i]!, results.map(hostOfTensor), `compiled for ${testDevice}`, toleranceOf)
}
