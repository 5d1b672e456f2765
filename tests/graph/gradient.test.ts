import { describe, expect, it } from 'vitest'
import { applyRecord, asValue, buildGraph, callRecord } from '../../src/graph/apply.js'
import { inputGradients } from '../../src/graph/gradient.js'
import { interpretGraph } from '../../src/graph/interpret.js'
import { findRecord, recordNames, recordTable } from '../../src/graph/ops/index.js'
import type { HostTensor, OpRecord } from '../../src/graph/record.js'
import { isFloat } from '../../src/types/dtype.js'
import { hostOf } from '../support/record-graph.js'
import { type Sample, samplesFor } from '../support/samples.js'
import { bindArguments, randomSpec } from '../support/tensor-spec.js'

/** The samples in f64, where a difference quotient is accurate; those with special values or of large size are left out. */
function smoothSamples(samples: readonly Sample[]): readonly Sample[] {
  const usable = ({ inputs }: Sample): boolean =>
    inputs.length > 0 &&
    inputs.every(({ data }) => data.length <= 64) &&
    inputs.some(({ dtype }) => isFloat(dtype)) &&
    inputs.every(({ dtype, data }) => !isFloat(dtype) || data.every(x => Number.isFinite(x) && !Number.isInteger(x)))
  return samples.filter(usable).map(sample => ({
    ...sample,
    inputs: sample.inputs.map(input => (isFloat(input.dtype) ? { ...input, dtype: 'f64' as const } : input)),
  }))
}

/** Σ weights · op(inputs) over all float results, and its gradients by the record. */
function lossAndGradients(record: OpRecord, sample: Sample) {
  const inputs = sample.inputs.map(hostOf)
  const weightsOf = (results: readonly HostTensor[]): readonly HostTensor[] =>
    results.map((result, i) => hostOf(randomSpec(90 + i, 'f64', result.shape)))
  const forward = buildGraph(sample.inputs, [], (b, nodes) =>
    applyRecord(
      b,
      record,
      bindArguments(sample.args, i => asValue(nodes[i]!)),
    ),
  )
  const weights = weightsOf(interpretGraph(forward, inputs))
  const backward = buildGraph([...sample.inputs, ...weights], [], (b, nodes) => {
    const call = callRecord(
      record,
      bindArguments(sample.args, i => asValue(nodes[i]!)),
    )
    const outputs = applyRecord(
      b,
      record,
      bindArguments(sample.args, i => asValue(nodes[i]!)),
    )
    const outputGradients = nodes.slice(inputs.length)
    const gradients = inputGradients(b, record, findRecord, { ...call, outputs, outputGradients })
    // One input may be several operands: its gradients add up. Results in the order of the sample's inputs.
    return nodes.slice(0, inputs.length).map(node => {
      const parts = call.inputs.flatMap((operand, i) =>
        operand === asValue(node) && gradients[i] ? [gradients[i]] : [],
      )
      const [first, ...more] = parts
      if (first === undefined)
        return b.node('expand', [b.node('constant', [], { dtype: 'f64', value: 0 })], { shape: [0] })
      return more.reduce((sum, part) => b.node('map', [sum, part], { fn: 'add' }), first)
    })
  })
  const loss = (values: readonly HostTensor[]): number =>
    interpretGraph(forward, values).reduce(
      (sum, result, r) =>
        sum + result.data.reduce<number>((s, x, i) => s + Number(x) * Number(weights[r]!.data[i]!), 0),
      0,
    )
  return { inputs, loss, gradients: interpretGraph(backward, [...inputs, ...weights]) }
}

const step = 1e-6

const givesFloats = (record: OpRecord, sample: Sample): boolean =>
  buildGraph(sample.inputs, [], (b, nodes) =>
    applyRecord(
      b,
      record,
      bindArguments(sample.args, i => asValue(nodes[i]!)),
    ),
  ).body.results.some(({ type }) => type.kind === 'tensor' && isFloat(type.dtype))

describe('gradients agree with difference quotients', () => {
  for (const name of recordNames) {
    const record = recordTable[name]
    if (typeof record.gradient !== 'function') continue
    const samples = smoothSamples(samplesFor(name)).filter(sample => givesFloats(record, sample))
    it(name, () => {
      let checked = 0
      for (const sample of samples) {
        const { inputs, loss, gradients } = lossAndGradients(record, sample)
        const value = loss(inputs)
        if (!Number.isFinite(value)) continue
        for (const [i, gradient] of gradients.entries()) {
          if (!isFloat(inputs[i]!.dtype) || gradient.shape.includes(0)) continue
          for (let at = 0; at < gradient.data.length; at += 3) {
            const moved = (by: number): readonly HostTensor[] =>
              inputs.map((input, j) =>
                j === i ? { ...input, data: input.data.with(at, Number(input.data[at]!) + by) } : input,
              )
            const slope = (loss(moved(step)) - loss(moved(-step))) / (2 * step)
            const difference = Math.abs(slope - Number(gradient.data[at]!))
            expect(
              difference,
              `${sample.name}, input ${i}, element ${at}: ${gradient.data[at]} and ${slope}`,
            ).toBeLessThan(1e-5 * Math.max(1, Math.abs(slope)) + (1e-14 * Math.abs(value)) / step)
            checked++
          }
        }
      }
      expect(checked).toBeGreaterThan(0)
    })
  }
})
