/**
 * Every op record, compiled to C: all samples of an op in one compiled function (one call of the C compiler), and the
 * first few eagerly, op by op. Values must agree with the record's reference.
 */
import { describe, expect, it } from 'vitest'
import { type RecordName, recordNames, recordTable } from '../../src/graph/ops/index.js'
import { compile, type Tensor } from '../../src/index.js'
import { applyOp } from '../../src/tensor/dispatch.js'
import { difference, toleranceFor } from '../support/compare.js'
import { hasCompiler } from '../support/compiler.js'
import { expectedResults } from '../support/record-graph.js'
import { type Sample, samplesFor } from '../support/samples.js'
import { bindArguments } from '../support/tensor-spec.js'
import { hostOfTensor, tensorOf } from '../support/tensors.js'

/** Tensors never have negative strides: `flip` copies. */
const representable = ({ inputs }: Sample): boolean =>
  inputs.every(({ strides }) => strides === undefined || strides.every(stride => stride >= 0))

const samplesOf = (name: RecordName): readonly Sample[] => samplesFor(name).filter(representable)

const call = (name: RecordName, sample: Sample, inputs: readonly Tensor[]): readonly Tensor[] =>
  applyOp(
    recordTable[name],
    bindArguments(sample.args, i => inputs[i]),
  )

function check(name: RecordName, sample: Sample, results: readonly Tensor[], how: string): void {
  const expected = expectedResults(recordTable[name], sample)
  expect(results.length, `${name}, ${sample.name}`).toBe(expected.length)
  for (const [i, result] of results.entries()) {
    const problem = difference(hostOfTensor(result), expected[i]!, toleranceFor(name, result.dtype))
    expect(problem, `${name}, ${sample.name}, ${how}, result ${i}`).toBeNull()
  }
}

describe.skipIf(!hasCompiler)('compiled code agrees with the reference of every op (needs a C compiler)', () => {
  for (const name of recordNames) {
    it(name, () => {
      const samples = samplesOf(name)
      const inputs = samples.map(sample => sample.inputs.map(tensorOf))
      const all = compile((inputs: Tensor[][]) => samples.map((sample, i) => call(name, sample, inputs[i]!)))
      for (const [i, results] of all(inputs).entries())
        check(name, samples[i]!, results as readonly Tensor[], 'compiled')
    })
  }
})

describe.skipIf(!hasCompiler)('eager ops agree with the reference (needs a C compiler)', () => {
  const eagerSamples = 4
  for (const name of recordNames) {
    it(name, () => {
      for (const sample of samplesOf(name).slice(0, eagerSamples)) {
        check(name, sample, call(name, sample, sample.inputs.map(tensorOf)), 'eager')
      }
    })
  }
})
