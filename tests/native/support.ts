/** Samples of op records on real tensors, checked against the record's reference. */
import { expect } from 'vitest'
import { callRecord } from '../../src/graph/apply.js'
import { type RecordName, recordTable } from '../../src/graph/ops/index.js'
import type { OpRecord } from '../../src/graph/record.js'
import { compile, type Tensor } from '../../src/index.js'
import { applyOp } from '../../src/tensor/dispatch.js'
import { difference, toleranceFor } from '../support/compare.js'
import { expectedResults, runsEagerly } from '../support/record-graph.js'
import { fewSamples, tellingSamples } from '../support/sample-choice.js'
import { type Sample, samplesFor } from '../support/samples.js'
import { bindArguments } from '../support/tensor-spec.js'
import { hostOfTensor, tensorOf } from '../support/tensors.js'

/** Tensors never have negative strides: `flip` copies. */
const representable = ({ inputs }: Sample): boolean =>
  inputs.every(({ strides }) => strides === undefined || strides.every(stride => stride >= 0))

const samplesOf = (name: RecordName): readonly Sample[] => samplesFor(name).filter(representable)

/** The results, then the inputs that the op changes. */
function call(name: RecordName, sample: Sample, inputs: readonly Tensor[]): readonly Tensor[] {
  const record: OpRecord = recordTable[name]
  const args = bindArguments(sample.args, i => inputs[i])
  if (record.changes === undefined) return applyOp(record, args)
  const { inputs: taken, attrs } = callRecord(record, args)
  const changed = record.changes(attrs).map(at => taken[at] as unknown as Tensor)
  return [...applyOp(record, args), ...changed]
}

function check(name: RecordName, sample: Sample, results: readonly Tensor[], how: string): void {
  const expected = expectedResults(recordTable[name], sample)
  expect(results.length, `${name}, ${sample.name}`).toBe(expected.length)
  for (const [i, result] of results.entries()) {
    const problem = difference(hostOfTensor(result), expected[i]!, toleranceFor(name, result.dtype))
    expect(problem, `${name}, ${sample.name}, ${how}, result ${i}`).toBeNull()
  }
}

/**
 * Some samples of an op in one compiled function: one call of the C compiler. A few of the telling ones: the
 * agreement suites compile the kernels of all of those, without the optimiser; here it is the optimiser's work and all that
 * is around a kernel, from call to result.
 */
export function checkCompiled(name: RecordName): void {
  const samples = fewSamples(name, tellingSamples(name, samplesOf(name)), 2)
  const inputs = samples.map(sample => sample.inputs.map(tensorOf))
  const all = compile((inputs: Tensor[][]) => samples.map((sample, i) => call(name, sample, inputs[i]!)))
  for (const [i, results] of all(inputs).entries()) check(name, samples[i]!, results as readonly Tensor[], 'compiled')
}

/** A few samples of an op, each by itself: a kernel for any sizes, so that sizes make no difference. */
export function checkEager(name: RecordName): void {
  const samples = samplesOf(name).filter(sample => runsEagerly(recordTable[name], sample))
  for (const sample of fewSamples(name, samples.slice(0, 4), 1)) {
    check(name, sample, call(name, sample, sample.inputs.map(tensorOf)), 'eager')
  }
}
