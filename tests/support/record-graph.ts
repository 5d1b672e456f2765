/** Samples run through records: the graph of a sample's call, its result by the interpreter, and by the reference. */
import { applyRecord, asValue, buildGraph, callRecord } from '../../src/graph/apply.js'
import { interpretGraph } from '../../src/graph/interpret.js'
import type { Graph, GraphNode, SizeSymbol } from '../../src/graph/ir.js'
import { valueChecks } from '../../src/graph/ops/value-checks.js'
import type { HostTensor, Operand, OpRecord, Value } from '../../src/graph/record.js'
import { referenceOf } from '../../src/graph/reference.js'
import { type Size, type SizeExpr, sizeSymbol } from '../../src/scalar/size.js'
import { numberDtype } from '../../src/types/promotion.js'
import type { Sample } from './samples.js'
import { bindArguments, type TensorSpec } from './tensor-spec.js'

export const hostOf = ({ dtype, shape, data }: TensorSpec): HostTensor => ({ dtype, shape, data })

/** What `reference` takes for an operand: the tensor, or the plain number as a 0-d tensor marked as one. */
function referenceInput(operand: Operand): HostTensor {
  if (typeof operand === 'object') return operand as unknown as HostTensor
  const dtype = numberDtype(operand, 'f64')
  const value = dtype === 'i64' ? BigInt(operand) : Number(operand)
  return { dtype, shape: [], data: [value], isNumber: true }
}

/** What a sample's call is to its record: the inputs as host tensors, and the attributes. */
export function recordCall(record: OpRecord, sample: Sample) {
  const args = bindArguments(sample.args, i => hostValueOf(hostOf(sample.inputs[i]!)))
  const { inputs, attrs } = callRecord(record, args)
  return { inputs: inputs.map(referenceInput), attrs }
}

/** The results that the op must have, by its reference. */
export function expectedResults(record: OpRecord, sample: Sample): readonly HostTensor[] {
  const { inputs, attrs } = recordCall(record, sample)
  return referenceOf(record, inputs, attrs)
}

// Options are recognised as plain objects; a tensor must not look like one.
class HostTensorValue implements HostTensor {
  constructor(
    readonly dtype: HostTensor['dtype'],
    readonly shape: readonly number[],
    readonly data: HostTensor['data'],
  ) {}
}
const hostValueOf = ({ dtype, shape, data }: HostTensor): HostTensor => new HostTensorValue(dtype, shape, data)

/** Whether the op runs at once on these values: eagerly, indices out of range and integers divided by zero are errors. */
export function runsEagerly(record: OpRecord, sample: Sample): boolean {
  const args = bindArguments(sample.args, i => hostValueOf(hostOf(sample.inputs[i]!)))
  const { inputs, attrs } = callRecord(record, args)
  const hosts = inputs.map(input => (typeof input === 'object' ? (input as unknown as HostTensor) : null))
  return valueChecks(record.name, hosts, attrs).every(({ input, takes }) =>
    (hosts[input]?.data ?? []).every(value => takes(Number(value))),
  )
}

/** The graph of a sample's call, on static shapes. */
export function graphOf(record: OpRecord, sample: Sample): Graph {
  return buildGraph(sample.inputs, [], (b, inputs) => applyTo(b, record, sample, inputs))
}

function applyTo(
  b: Parameters<typeof applyRecord>[0],
  record: OpRecord,
  sample: Pick<Sample, 'args'>,
  inputs: readonly GraphNode[],
): readonly GraphNode[] {
  const args = bindArguments(sample.args, i => asValue(inputs[i]!) as Value)
  return applyRecord(b, record, args)
}

/**
 * The same graph with every size from `least` on made a run-time size of at least that: equal sizes share a symbol, as
 * capture's guards see to.
 */
export function symbolicGraphOf(record: OpRecord, sample: Sample, least = 2): Graph {
  const known = new Map<number, SizeExpr>()
  const symbols: SizeSymbol[] = []
  const symbolic = (size: number, input: number, dim: number): Size => {
    if (size < least) return size
    const symbol = known.get(size) ?? sizeSymbol(`n${size}`, least)
    if (!known.has(size)) symbols.push({ name: `n${size}`, input, kind: 'size', dim })
    known.set(size, symbol)
    return symbol
  }
  const specs = sample.inputs.map(({ dtype, shape }, i) => ({
    dtype,
    shape: shape.map((size, d) => symbolic(size, i, d)),
  }))
  // In a capture, a shape argument that was read from a tensor is made of the same symbols.
  const args = takesShape.has(record.name)
    ? sample.args.map(given => (isNumbers(given) ? given.map(size => known.get(size) ?? size) : given))
    : sample.args
  return buildGraph(specs, [], (b, inputs) => applyTo(b, record, { args }, inputs), symbols)
}

const takesShape = new Set(['layerNorm', 'rmsNorm', 'reshape', 'view', 'expand'])
const isNumbers = (value: unknown): value is number[] =>
  Array.isArray(value) && value.every(one => typeof one === 'number')

export const interpretSample = (graph: Graph, sample: Sample): readonly HostTensor[] =>
  interpretGraph(graph, sample.inputs.map(hostOf))
