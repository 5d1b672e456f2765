/** Runs samples through records: the graph of a sample's call, its result by the interpreter, and by the reference. */
import { applyRecord, asValue, buildGraph, callRecord } from '../../src/graph/apply.js'
import { interpretGraph } from '../../src/graph/interpret.js'
import type { Graph, GraphNode, SizeSymbol } from '../../src/graph/ir.js'
import { valueChecks } from '../../src/graph/ops/value-checks.js'
import type { HostTensor, OperandValue, OpRecord, Value } from '../../src/graph/record.js'
import { referenceOf } from '../../src/graph/reference.js'
import { type Size, type SizeExpr, sizeSymbol } from '../../src/scalar/size.js'
import { numberDtype } from '../../src/types/promotion.js'
import type { Sample } from './samples.js'
import { bindArguments, type TensorSpec } from './tensor-spec.js'

export const hostOf = ({ dtype, shape, data }: TensorSpec): HostTensor => ({ dtype, shape, data })

/** An operand as `reference` takes it: the tensor, or a plain number as a 0-d tensor marked as a number. */
function referenceInput(operand: OperandValue): HostTensor {
  if (typeof operand === 'object') return operand as unknown as HostTensor
  const dtype = numberDtype(operand, 'f64')
  const value = dtype === 'i64' ? BigInt(operand) : Number(operand)
  return { dtype, shape: [], data: [value], isNumber: true }
}

/** A sample's call in its record's form: the inputs as host tensors, and the attributes. */
export function recordCall(record: OpRecord, sample: Sample) {
  const args = bindArguments(sample.args, i => hostValueOf(hostOf(sample.inputs[i]!)))
  const { inputs, attrs } = callRecord(record, args)
  return { inputs: inputs.map(referenceInput), attrs }
}

/** The expected results of the op, by its reference. */
export function expectedResults(record: OpRecord, sample: Sample): readonly HostTensor[] {
  const { inputs, attrs } = recordCall(record, sample)
  return referenceOf(record, inputs, attrs)
}

// Options are recognised as plain objects, so a tensor must not look like one.
class HostTensorValue implements HostTensor {
  constructor(
    readonly dtype: HostTensor['dtype'],
    readonly shape: readonly number[],
    readonly data: HostTensor['data'],
  ) {}
}
const hostValueOf = ({ dtype, shape, data }: HostTensor): HostTensor => new HostTensorValue(dtype, shape, data)

/** True if the op can run eagerly on these values; indices out of range and integer division by zero are errors then. */
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
  // In a capture, a shape argument read from a tensor consists of the same symbols.
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
