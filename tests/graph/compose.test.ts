import { describe, expect, it } from 'vitest'
import { DtypeError, ShapeError } from '../../src/base/errors.js'
import { buildGraph, callRecord } from '../../src/graph/apply.js'
import { interpretGraph } from '../../src/graph/interpret.js'
import { graphDialect } from '../../src/graph/ir.js'
import { compose } from '../../src/graph/ops/compose.js'
import type { HostTensor, OpRecord } from '../../src/graph/record.js'
import { graphOfCall, referenceOf } from '../../src/graph/reference.js'
import type { Attrs } from '../../src/ir/node.js'
import { print } from '../../src/ir/print.js'

const host = (dtype: HostTensor['dtype'], shape: readonly number[], data: HostTensor['data']): HostTensor => ({
  dtype,
  shape,
  data,
})

const excess = compose({
  name: 'excess',
  summary: '(self + 1 − other) · scale.',
  category: 'pointwise',
  signature: 'self, other, weight: tensor | null = null, last: tensor | null = null, *, scale: number = 1',
  dtypes: { takes: 'float', gives: 'promoted' },
  broadcasts: true,
  body: ({ self, other, weight, last, scale }) => {
    const result = self.add(1).sub(other).mul(scale)
    const weighted = weight === null ? result : result.mul(weight)
    return last === null ? weighted : weighted.add(last)
  },
})

/** Gives two results, and a counter its new value. */
const counted = compose({
  name: 'counted',
  summary: 'self + 1, where it was positive, and seen + 1.',
  category: 'pointwise',
  signature: 'self, seen',
  dtypes: { takes: 'float', gives: { values: 'same', positive: 'bool' } },
  keeps: ['seen'],
  results: ['values', 'positive'],
  changes: () => [1],
  body: ({ self, seen }) => [self.add(1), self.gt(0), seen.add(1)],
})

/** The record's results and what they must be. */
function both(record: OpRecord, inputs: readonly HostTensor[], attrs: Attrs) {
  const graph = graphOfCall(record, inputs, attrs)
  return { got: interpretGraph(graph, inputs)[0]!, wanted: referenceOf(record, inputs, attrs)[0]! }
}

describe('a composed op', () => {
  it('computes 16-bit floats in f32 and rounds once', () => {
    // 2048 + 1 is no f16: rounded after every op the result would be 0.
    const x = host('f16', [1], [2048])
    const { got, wanted } = both(excess, [x, x], { scale: 1 })
    expect(got).toEqual(host('f16', [1], [1]))
    expect(wanted).toEqual(got)
    const text = print(graphDialect, graphOfCall(excess, [x, x], { scale: 1 }).body)
    // Both inputs, and the result.
    expect(text.match(/cast/g)).toHaveLength(3)
  })

  it("must give its formula's results in float64", () => {
    const x = host('f32', [1], [2 ** 24])
    // In f32 the sum 2^24 + 1 is rounded.
    const { got, wanted } = both(excess, [x, x], { scale: 1 })
    expect(got.data).toEqual([0])
    expect(wanted).toEqual(host('f32', [1], [1]))
  })

  it('knows which optional tensors are present', () => {
    const inputs = [host('f32', [2], [5, 6]), host('f32', [1], [1]), host('f32', [2], [10, 20])]
    const nodes = (args: readonly unknown[]) => {
      const { attrs } = callRecord(excess, args)
      return both(excess, inputs, attrs).got.data
    }
    const [a, b, c] = inputs.map(tensor => Object.assign(Object.create({}), tensor) as object)
    expect(nodes([a, b, c])).toEqual([50, 120])
    expect(nodes([a, b, { last: c }])).toEqual([15, 26])
  })

  it('rounds each result to its own dtype, and keeps the dtype of what it changes in place', () => {
    const [x, seen] = [host('f16', [2], [2048, -1]), host('f32', [1], [16777215])]
    const results = interpretGraph(graphOfCall(counted, [x, seen], {}), [x, seen])
    // 2049 is no f16.
    expect(results).toEqual([host('f16', [2], [2048, 0]), host('bool', [2], [1, 0]), host('f32', [1], [16777216])])
    expect(counted.changes?.({})).toEqual([1])
  })

  it('reports errors under its own name', () => {
    const build = (x: HostTensor, y: HostTensor) => () =>
      buildGraph([x, y], [], (b, [first, second]) =>
        excess.build(
          b,
          [
            { node: first!, isNumber: false },
            { node: second!, isNumber: false },
          ],
          { scale: 1 },
        ),
      )
    expect(build(host('i32', [1], [1]), host('i32', [1], [1]))).toThrow(DtypeError)
    expect(build(host('i32', [1], [1]), host('i32', [1], [1]))).toThrow(/^excess: needs floats, got i32/)
    expect(build(host('f32', [2], [1, 2]), host('f32', [3], [1, 2, 3]))).toThrow(ShapeError)
    expect(build(host('f32', [2], [1, 2]), host('f32', [3], [1, 2, 3]))).toThrow(/^excess: shapes \[2\] and \[3\]/)
  })
})
