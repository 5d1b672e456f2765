/**
 * How far results lie from float64, in units of the largest value's spacing: compiled, and by a plain evaluation that
 * rounds after each op, term by term in sums.
 */
import { callRecord } from '../../src/graph/apply.js'
import { interpretGraph } from '../../src/graph/interpret.js'
import { type RecordName, recordTable } from '../../src/graph/ops/index.js'
import type { HostTensor } from '../../src/graph/record.js'
import { referenceOf } from '../../src/graph/reference.js'
import { compile, type Tensor } from '../../src/index.js'
import { wrapValue } from '../../src/scalar/ops.js'
import { applyOp } from '../../src/tensor/dispatch.js'
import { type Dtype, isFloat } from '../../src/types/dtype.js'
import { graphOf, hostOf } from '../support/record-graph.js'
import type { Sample } from '../support/samples.js'
import { bindArguments, type TensorSpec } from '../support/tensor-spec.js'
import { hostOfTensor, tensorOf } from '../support/tensors.js'

export interface Case {
  readonly name: RecordName
  readonly sample: Sample
}

/** The spacing of numbers just above 1. */
export const spacing = { f32: 2 ** -23, f16: 2 ** -10, bf16: 2 ** -7 } as const
export type Narrow = keyof typeof spacing

/** The sample with its float inputs in another dtype, rounded to it. */
export const inDtype = ({ name, inputs, args }: Sample, dtype: Narrow): Sample => ({
  name,
  args,
  inputs: inputs.map(input => (isFloat(input.dtype) ? rounded(input, dtype) : input)),
})

const rounded = (input: TensorSpec, dtype: Narrow): TensorSpec => ({
  ...input,
  dtype,
  data: input.data.map(value => wrapValue(dtype, value)),
})

/** The op's reference on the very same numbers, not rounded. */
function exactResults({ name, sample }: Case): readonly HostTensor[] {
  const record = recordTable[name]
  const wide = sample.inputs.map(input => new Host(isFloat(input.dtype) ? 'f64' : input.dtype, input.shape, input.data))
  const { inputs, attrs } = callRecord(
    record,
    bindArguments(sample.args, i => wide[i]),
  )
  const operands = inputs.map(input =>
    typeof input === 'object'
      ? (input as unknown as HostTensor)
      : { dtype: 'f64' as const, shape: [], data: [Number(input)], isNumber: true as const },
  )
  return referenceOf(record, operands, attrs)
}

// Options are recognised as plain objects; a tensor must not look like one.
class Host implements HostTensor {
  constructor(
    readonly dtype: Dtype,
    readonly shape: readonly number[],
    readonly data: HostTensor['data'],
  ) {}
}

/** Results of all cases, compiled as one function: one call of the C compiler. */
export function compiledResults(cases: readonly Case[]): HostTensor[][] {
  const inputs = cases.map(({ sample }) => sample.inputs.map(tensorOf))
  const all = compile((inputs: Tensor[][]) =>
    cases.map(({ name, sample }, i) => [
      ...applyOp(
        recordTable[name],
        bindArguments(sample.args, j => inputs[i]![j]),
      ),
    ]),
  )
  return all(inputs).map(results => results.map(hostOfTensor))
}

export function plainResults({ name, sample }: Case): HostTensor[] {
  return interpretGraph(graphOf(recordTable[name], sample), sample.inputs.map(hostOf), [], new Map(), 'sequential')
}

/** The largest errors of the results of one case; null: no result is a float, or not of `dtype`. */
export function errorsOf(
  each: Case,
  dtype: Narrow,
  compiled: readonly HostTensor[],
): { readonly compiled: number; readonly plain: number } | null {
  const exact = exactResults(each)
  const plain = plainResults(each)
  let found: { compiled: number; plain: number } | null = null
  for (const [i, wanted] of exact.entries()) {
    if (compiled[i]!.dtype !== dtype || wanted.dtype !== 'f64') continue
    const unit = spacing[dtype] * largest(wanted)
    found ??= { compiled: 0, plain: 0 }
    found.compiled = Math.max(found.compiled, distance(compiled[i]!, wanted) / unit)
    found.plain = Math.max(found.plain, distance(plain[i]!, wanted) / unit)
  }
  return found
}

const largest = ({ data }: HostTensor): number =>
  data.reduce<number>((max, value) => Math.max(max, Math.abs(Number(value))), 2 ** -100)

const distance = (a: HostTensor, b: HostTensor): number =>
  a.data.reduce<number>((max, value, i) => Math.max(max, apart(Number(value), Number(b.data[i]!))), 0)

function apart(a: number, b: number): number {
  if (Object.is(a, b) || a === b) return 0
  const difference = Math.abs(a - b)
  return Number.isNaN(difference) ? Number.POSITIVE_INFINITY : difference
}
