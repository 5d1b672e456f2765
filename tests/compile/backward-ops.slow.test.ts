/** The backward op of every op, run eagerly on the device as the tape runs it, against the interpreter. */
import { describe, expect, it } from 'vitest'
import '../../src/index.js'
import { applyRecord, asValue, buildGraph, callRecord, operandInput } from '../../src/graph/apply.js'
import { type KnownInput, savedBy, vjpRecord } from '../../src/graph/derivatives/records.js'
import { interpretGraph } from '../../src/graph/interpret.js'
import { recordNames, recordTable } from '../../src/graph/ops/index.js'
import type { HostTensor, OpInput, OpRecord } from '../../src/graph/record.js'
import type { Attrs } from '../../src/ir/node.js'
import { dispatch } from '../../src/tensor/dispatch.js'
import { type Dtype, isFloat, isFloat8 } from '../../src/types/dtype.js'
import { elementsOf } from '../support/derivatives.js'
import { hostOf } from '../support/record-graph.js'
import { allSamples } from '../support/sample-choice.js'
import { type Sample, samplesFor } from '../support/samples.js'
import { bindArguments, randomSpec, type TensorSpec } from '../support/tensor-spec.js'
import { hostOfTensor, tensorOf } from '../support/tensors.js'

type PlainNumber = number | boolean | bigint
type Operand = TensorSpec | PlainNumber

/** A sampled call: its operands, results and attributes. */
interface Recorded {
  readonly operands: readonly Operand[]
  readonly results: readonly HostTensor[]
  readonly attrs: Attrs
}

function recorded(record: OpRecord, { inputs, args }: Sample): Recorded {
  const stands = inputs.map(() => new (class Stand {})())
  const call = callRecord(
    record,
    bindArguments(args, i => stands[i]!),
  )
  const operands = call.inputs.map((input): Operand => {
    const at = stands.indexOf(input as object)
    return at < 0 ? (input as PlainNumber) : inputs[at]!
  })
  const graph = buildGraph(inputs, [], (b, nodes) =>
    applyRecord(
      b,
      record,
      bindArguments(args, i => asValue(nodes[i]!)),
    ),
  )
  return { operands, results: interpretGraph(graph, inputs.map(hostOf)), attrs: call.attrs }
}

const isTensor = (operand: Operand): operand is TensorSpec => typeof operand === 'object'

/** The same type, none of whose values may be read. */
function standIn({ dtype, shape }: TensorSpec): TensorSpec {
  const data = new Array(shape.reduce((a, b) => a * b, 1)).fill(dtype === 'i64' ? 77n : dtype === 'bool' ? 1 : 77)
  return { dtype, shape, data, strides: shape.map(() => 0) }
}

const tolerances: Partial<Record<Dtype, number>> = { f64: 1e-9, f32: 2e-4, f16: 4e-3, bf16: 3e-2 }

function check(record: OpRecord, sample: Sample): boolean {
  const { operands, results, attrs } = recorded(record, sample)
  const known: readonly KnownInput[] = operands
  const { flows } = savedBy(record, known, attrs)
  const given = results.map(({ dtype }) => isFloat(dtype))
  if (!flows.includes(true) || !given.includes(true)) return false
  const backward = { needs: flows, given }
  const saved = savedBy(record, known, attrs, backward)
  const cotangents = results.flatMap(({ dtype, shape }, i) => (given[i] ? [randomSpec(60 + i, dtype, shape)] : []))
  const all = [...operands, ...results, ...cotangents]
  const isRead = [...saved.inputs, ...saved.outputs, ...cotangents.map(() => true)]
  const backwardOp = vjpRecord(record, backward)
  const tensors = all.map((one, i) => (isTensor(one) ? tensorOf(isRead[i] ? one : standIn(one)) : one))
  const found = dispatch(backwardOp, tensors, attrs).map(hostOfTensor)
  const specs = all.filter(isTensor)
  const graph = buildGraph(specs, [], (b, nodes) => {
    let next = 0
    const inputs = all.map((one): OpInput => {
      if (isTensor(one)) return { node: nodes[next++]!, isNumber: false }
      return operandInput(b, one as PlainNumber)
    })
    return backwardOp.build(b, inputs, attrs)
  })
  const expected = interpretGraph(graph, specs.map(hostOf))
  for (const [i, { dtype, shape, data }] of found.entries()) {
    const wanted = expected[i]!
    expect([dtype, shape], sample.name).toEqual([wanted.dtype, wanted.shape])
    const largest = wanted.data.reduce<number>(
      (most, x) => (Number.isFinite(Number(x)) ? Math.max(most, Math.abs(Number(x))) : most),
      1,
    )
    for (const [k, x] of data.entries()) {
      const y = Number(wanted.data[k])
      if (Number.isNaN(y) || !Number.isFinite(y) || Math.abs(y) > 3e38) continue
      const off = Math.abs(Number(x) - y)
      expect(off, `${sample.name}, gradient ${i}, element ${k}: ${x} for ${y}`).toBeLessThanOrEqual(
        tolerances[dtype]! * largest,
      )
    }
  }
  return true
}

const isUsable = ({ inputs }: Sample): boolean =>
  inputs.some(({ dtype }) => isFloat(dtype)) &&
  inputs.every(
    ({ dtype, data }) =>
      !isFloat8(dtype) && (!isFloat(dtype) || data.every(x => Number.isFinite(Number(x)) && Math.abs(Number(x)) < 1e4)),
  )

const perOp = allSamples ? Number.POSITIVE_INFINITY : 2

describe('backward ops on the device', () => {
  for (const name of recordNames) {
    const record = recordTable[name]
    if (record.gradient === 'none' || record.category === 'random') continue
    it(name, () => {
      let checked = 0
      const samples = samplesFor(name)
        .filter(isUsable)
        .filter(sample => elementsOf(sample) < 4000)
      for (const sample of [...samples].sort((a, b) => elementsOf(b) - elementsOf(a))) {
        if (checked === perOp) break
        if (check(record, sample)) checked++
      }
      expect(checked).toBeGreaterThan(0)
    })
  }
})
