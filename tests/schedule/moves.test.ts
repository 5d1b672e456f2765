/** Narrow elements that are only moved are moved as integers, bit for bit; what is computed with keeps its dtype. */
import { describe, expect, it } from 'vitest'
import { type RecordName, recordTable } from '../../src/graph/ops/index.js'
import type { OpRecord } from '../../src/graph/record.js'
import type { TensorDtype } from '../../src/types/dtype.js'
import { difference } from '../support/compare.js'
import { expectedResults, graphOf } from '../support/record-graph.js'
import { type Sample, sample } from '../support/sample-kinds.js'
import { count, seededRandom, type TensorSpec, withLayout } from '../support/tensor-spec.js'
import { planOf, runPlan } from './run.js'

const exact = { relative: 0, absolute: 0, anyZero: false }
const floats = [Number.NaN, -0, 0, -1.5, 2, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, 0.25, 300]

function some(dtype: TensorDtype, ...shape: number[]): TensorSpec {
  const random = seededRandom(count(shape) + shape.length)
  const choices = dtype === 'bool' ? [0, 1] : floats
  return {
    dtype,
    shape,
    data: Array.from({ length: count(shape) }, () => choices[Math.floor(random() * choices.length)]!),
  }
}

const index = (...data: bigint[]): TensorSpec => ({ dtype: 'i64', shape: [data.length], data })
const [narrow, bits] = [['bool', 'f16', 'bf16'] as const, { bool: 'u8', f16: 'i16', bf16: 'i16' } as const]

function check(name: RecordName, each: Sample, dtypes: readonly string[]): void {
  const record = recordTable[name] as OpRecord
  const plan = planOf(graphOf(record, each), true)
  const views = plan.kernels.flatMap(({ params }) => params.filter(({ type }) => type.kind === 'view'))
  expect([...new Set(views.map(({ type }) => type.dtype))].sort(), each.name).toEqual([...dtypes].sort())
  const expected = expectedResults(record, each)
  for (const [i, result] of runPlan(plan, each.inputs).entries())
    expect(difference(result, expected[i]!, exact), `${name} ${each.name}`).toBeNull()
}

describe.each(narrow)('%s', dtype => {
  const matrix = some(dtype, 5, 37)

  it('moves as integers: copies, parts, choices, elements at indices', () => {
    const only = [bits[dtype]]
    check('clone', sample(dtype, withLayout(matrix, 'transposed')), only)
    check('cat', sample(dtype, [matrix, some(dtype, 5, 3)], 1), only)
    check('flip', sample(dtype, matrix, [0, 1]), only)
    check('pad', sample(dtype, matrix, [2, 1, 0, 3], { value: 1 }), only)
    check('tril', sample(dtype, matrix), only)
    check('maskedFill', sample(dtype, matrix, some('bool', 37), 1), dtype === 'bool' ? ['bool', 'u8'] : ['bool', 'i16'])
    check('where', sample(dtype, some('bool', 5, 1), matrix, some(dtype, 37)), ['bool', bits[dtype]])
    check('indexSelect', sample(dtype, matrix, 0, index(4n, 0n, 4n, 9n)), ['i64', bits[dtype]])
    check('scatter', sample(dtype, some(dtype, 9), 0, index(3n, 0n, 12n), some(dtype, 3)), ['i64', bits[dtype]])
  })

  it('is not a move where it is computed with', () => {
    check('add', sample(dtype, matrix, some(dtype, 37)), [dtype])
    check('to', sample('f32', matrix, 'f32'), [dtype, 'f32'])
    check('sort', sample(dtype, matrix), [dtype, 'i64'])
    // One of the values chosen from is what the choice depends on.
    if (dtype !== 'bool') check('threshold', sample(dtype, matrix, 0.5, 2), [dtype])
  })
})

describe('truth values', () => {
  it('are combined as bits, unless some are computed', () => {
    const [a, b] = [some('bool', 6, 40), some('bool', 40)]
    for (const name of ['logicalAnd', 'logicalOr', 'logicalXor'] as const) check(name, sample('two', a, b), ['u8'])
    check('logicalNot', sample('one', a), ['u8'])
    check('logicalOr', sample('of floats', some('f32', 40), b), ['bool', 'f32'])
    check('where', sample('read twice', a, a, b), ['bool'])
  })
})
