/** What hover texts and docs/ops.md say of ops is there, and true of what the records build. */
import { describe, expect, it } from 'vitest'
import { givenDtype, meaningOf, operandsOf, type Signed, shapeText } from '../../scripts/op-texts.js'
import { DtypeError } from '../../src/base/errors.js'
import { dtypeOf, shapeOf } from '../../src/graph/build.js'
import { hostBroadcast, hostPromoted } from '../../src/graph/ops/elementwise.js'
import { recordNames, recordTable } from '../../src/graph/ops/index.js'
import { asBroadcast, asInput, scalar, withoutDim, withoutDims } from '../../src/graph/ops/texts.js'
import type { DtypeRule, HostTensor, ResultDtype } from '../../src/graph/record.js'
import type { Attrs } from '../../src/ir/node.js'
import { type Dtype, dtypes, isFloat } from '../../src/types/dtype.js'
import { graphOf, recordCall } from '../support/record-graph.js'
import { type Sample, samplesFor } from '../support/samples.js'

const signed = recordNames.map(name => recordTable[name] as Signed)
const resultNames = ({ results }: Signed): readonly (string | null)[] => results ?? [null]

// --- there ---------------------------------------------------------------------------------------------------------------

/** What the hover text of an op would lack. */
function missing(record: Signed): readonly string[] {
  const { signature, dtypes } = record
  return [
    ...(/\.$/.test(record.summary) ? [] : ['a summary that is a sentence']),
    ...(dtypes === undefined ? ['dtypes'] : []),
    ...resultNames(record).flatMap(name => [
      ...(shapeText(record, name) === undefined ? [`the shape of ${name ?? 'the result'}`] : []),
      ...(dtypes === undefined || givenDtype(dtypes, name) ? [] : [`the dtype of ${name ?? 'the result'}`]),
    ]),
    ...signature.params
      .filter(param => meaningOf(param, record) === undefined)
      .map(({ name }) => `details.${name}: what the parameter means`),
  ]
}

describe('the hover text of every op describes its parameters, and the shape and dtype of its results', () => {
  for (const record of signed)
    it(record.name, () => {
      expect(missing(record), `${record.name} lacks (src/graph/record.ts, OpTexts)`).toEqual([])
    })
})

/** The others fail above. */
const documented = signed.filter(record => missing(record).length === 0)

// --- true ----------------------------------------------------------------------------------------------------------------

/** Calls that ask for a dtype are left out: the rules are of those that do not. */
const asksNothing = ({ args }: Sample): boolean =>
  !args.some(
    arg => (typeof arg === 'string' && arg in dtypes) || (typeof arg === 'object' && arg !== null && 'dtype' in arg),
  )

/** What the sample's call gives the record; the tensor called self, where there is one, first. */
function callOf(record: Signed, sample: Sample) {
  const { inputs, attrs } = recordCall(record, sample)
  const at = operandsOf(record).findIndex(({ name }) => name === 'self')
  return { inputs: at > 0 ? inputs.slice(at) : inputs, attrs }
}

/** The dtype by a rule; null where it is in words. */
function dtypeBy(gives: ResultDtype, inputs: readonly HostTensor[]): Dtype | null {
  if (typeof gives === 'object') return null
  const promoted = (): Dtype => hostPromoted(inputs)
  switch (gives) {
    case 'same':
      return inputs[0]!.dtype
    case 'promoted':
      return promoted()
    case 'floated':
      return isFloat(promoted()) ? promoted() : 'f32'
    case 'summed':
      return isFloat(promoted()) ? promoted() : 'i64'
    case 'counted':
      return promoted() === 'bool' ? 'i64' : promoted()
    default:
      return gives
  }
}

/** The shape by a text that many ops share; null where the text is the op's own. */
function shapeBy(text: string, inputs: readonly HostTensor[], attrs: Attrs): readonly number[] | null {
  switch (text) {
    case asInput:
      return inputs[0]!.shape
    case asBroadcast:
      return hostBroadcast(inputs)
    case scalar:
      return []
    case withoutDim:
    case withoutDims:
      return reducedShape(inputs[0]!.shape, attrs)
    default:
      return null
  }
}

function reducedShape(shape: readonly number[], { dims, dim, keepdim, name }: Attrs): readonly number[] {
  const asked = (dims ?? dim ?? null) as readonly number[] | number | null
  const list = asked === null ? [...shape.keys()] : [asked].flat().map(d => (d < 0 ? d + shape.length : d))
  const reduced = list.length === 0 && name !== 'any' ? [...shape.keys()] : list
  return shape.flatMap((size, d) => (reduced.includes(d) ? (keepdim === true ? [1] : []) : [size]))
}

describe('the shapes and dtypes in the texts are those that records build', () => {
  for (const record of documented)
    it(record.name, () => {
      for (const sample of samplesFor(record.name as (typeof recordNames)[number]).filter(asksNothing)) {
        const { inputs, attrs } = callOf(record, sample)
        const built = graphOf(record, sample).body.results
        for (const [i, name] of resultNames(record).entries()) {
          const what = `${record.name}, ${sample.name}, ${name ?? 'result'}`
          const dtype = dtypeBy(givenDtype(record.dtypes!, name)!, inputs)
          if (dtype !== null) expect(dtypeOf(built[i]!), what).toBe(dtype)
          const text = typeof record.shape === 'object' ? record.shape[name!]! : record.shape!
          const isAll =
            (record.name === 'any' || record.name === 'all') && (attrs.dims as unknown[] | null)?.length === 0
          const shape = isAll ? inputs[0]!.shape : shapeBy(text, inputs, attrs)
          if (shape !== null) expect(shapeOf(built[i]!), what).toEqual(shape)
        }
      }
    })
})

/** One dtype that each rule refuses. */
const refusedBy: Readonly<Record<DtypeRule['takes'], Dtype | null>> = {
  any: null,
  number: 'bool',
  float: 'i32',
  cast: 'i32',
  integer: 'f32',
  bits: 'f32',
}

/** The sample with `dtype` for the first tensor's, and for all that have it too. */
function recast(sample: Sample, dtype: Dtype): Sample {
  const from = sample.inputs[0]!.dtype
  const inputs = sample.inputs.map(input =>
    input.dtype === from ? { ...input, dtype, data: input.data.map(() => 1) } : input,
  )
  return { ...sample, inputs }
}

describe('ops reject what their texts say they reject, and accept the other dtypes', () => {
  for (const record of documented) {
    const { takes } = record.dtypes!
    const sample = samplesFor(record.name as (typeof recordNames)[number]).find(
      one =>
        one.inputs[0]?.dtype === (takes === 'integer' || takes === 'bits' ? 'i32' : 'f32') &&
        asksNothing(one) &&
        recordCall(record, one).inputs.every(input => input.isNumber === undefined),
    )
    const own = record.errors?.DtypeError !== undefined
    it.skipIf(sample === undefined)(`${record.name}${sample === undefined ? ' (no sample of that dtype)' : ''}`, () => {
      const refused = refusedBy[takes]
      if (refused !== null) expect(() => graphOf(record, recast(sample!, refused)), refused).toThrow(DtypeError)
      else if (!own)
        for (const dtype of ['f16', 'i32', 'bool'] as const)
          expect(() => graphOf(record, recast(sample!, dtype)), dtype).not.toThrow(DtypeError)
    })
  }
})
