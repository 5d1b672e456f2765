import { describe, expect, it } from 'vitest'
import type { Graph, WriteBack } from '../../src/graph/ir.js'
import { interpretPlan } from '../../src/schedule/plan/interpret.js'
import { spec, type TensorSpec } from '../support/tensor-spec.js'
import { graphOn, writing } from './build.js'
import { launches, memoryOf, planOf, readOutput } from './run.js'

const vector = (...values: number[]): TensorSpec => spec('f32', [values.length], values)
const whole = (input: number, size: number): Omit<WriteBack, 'result'> => ({
  input,
  offset: 0,
  shape: [size],
  strides: [1],
})

/** Runs a graph; gives its outputs and what its inputs hold afterwards. */
function run(graph: Graph, inputs: readonly TensorSpec[]): { outputs: number[][]; inputs: number[][] } {
  const plan = planOf(graph)
  const memory = inputs.map(memoryOf)
  const results = interpretPlan(plan, { inputs: memory, scalars: [], symbols: [] })
  return {
    outputs: results.map((result, i) => readOutput(result, plan.outputs[i]!.dtype).data.map(Number)),
    inputs: memory.map(({ data }) => [...data].map(Number)),
  }
}

describe('write-backs', () => {
  it('of an elementwise update are written directly to the input', () => {
    const graph = writing(
      graphOn([[3], [3]], (op, x, y) => [op('add', x, y)]),
      [whole(0, 3)],
    )
    expect(planOf(graph).buffers.filter(buffer => buffer.kind !== 'input')).toEqual([])
    expect(run(graph, [vector(1, 2, 3), vector(10, 20, 30)]).inputs[0]).toEqual([11, 22, 33])
  })

  it('of values that read other elements of the input get temporary memory first', () => {
    const graph = writing(
      graphOn([[4]], (op, x) => [op('add', op('flip', x, 0), x)]),
      [whole(0, 4)],
    )
    expect(launches(planOf(graph)).length).toBe(2)
    expect(run(graph, [vector(1, 2, 3, 10)]).inputs[0]).toEqual([11, 5, 5, 11])
  })

  it('of two inputs that swap', () => {
    const graph = writing(
      graphOn([[2], [2]], (op, x, y) => [op('mul', y, 1), op('mul', x, 1)]),
      [whole(0, 2), whole(1, 2)],
    )
    expect(run(graph, [vector(1, 2), vector(3, 4)]).inputs).toEqual([
      [3, 4],
      [1, 2],
    ])
  })

  it('of two inputs that are updated from one value are one kernel, which reads both before it writes', () => {
    const graph = writing(
      graphOn([[3], [3], [3]], (op, x, y, slope) => {
        const next = op('add', op('mul', x, 0.5), slope)
        return [next, op('sub', op('sub', y, next), x)]
      }),
      [whole(0, 3), whole(1, 3)],
    )
    expect(launches(planOf(graph)).length).toBe(1)
    expect(planOf(graph).buffers.filter(buffer => buffer.kind !== 'input')).toEqual([])
    expect(run(graph, [vector(2, 4, 6), vector(10, 20, 30), vector(1, 2, 3)]).inputs.slice(0, 2)).toEqual([
      [2, 4, 6],
      [6, 12, 18],
    ])
  })

  it('come after every other read of the old value', () => {
    const graph = writing(
      graphOn([[2]], (op, x) => [op('sum', x), op('mul', x, 5)]),
      [whole(0, 2)],
    )
    expect(run(graph, [vector(1, 2)])).toEqual({ outputs: [[3]], inputs: [[5, 10]] })
  })

  it('do not change a result that is a view of the old value', () => {
    const graph = writing(
      graphOn([[2]], (op, x) => [op('reshape', x, [2, 1]), op('mul', x, 5)]),
      [whole(0, 2)],
    )
    expect(run(graph, [vector(1, 2)])).toEqual({ outputs: [[1, 2]], inputs: [[5, 10]] })
  })

  it('of swapped arguments: each then holds the other', () => {
    const graph = writing(
      graphOn([[2], [2]], (_, x, y) => [y, x]),
      [whole(0, 2), whole(1, 2)],
    )
    expect(run(graph, [vector(1, 2), vector(3, 4)]).inputs).toEqual([
      [3, 4],
      [1, 2],
    ])
  })

  it('do not change a result that is the argument itself', () => {
    const graph = writing(
      graphOn([[2]], (op, x) => [x, op('mul', x, 5)]),
      [whole(0, 2)],
    )
    expect(run(graph, [vector(1, 2)])).toEqual({ outputs: [[1, 2]], inputs: [[5, 10]] })
  })

  it('of a part of the input', () => {
    const part = { input: 0, offset: 1, shape: [2], strides: [2] }
    const graph = writing(
      graphOn([[4], [2]], (op, _, y) => [op('neg', y)]),
      [part],
    )
    expect(run(graph, [vector(1, 2, 3, 4), vector(7, 8)]).inputs[0]).toEqual([1, -7, 3, -8])
  })

  it('of a result that is returned too', () => {
    const graph = writing(
      graphOn([[2]], (op, x) => {
        const y = op('mul', x, 5)
        return [y, y]
      }),
      [whole(0, 2)],
    )
    expect(run(graph, [vector(1, 2)])).toEqual({ outputs: [[5, 10]], inputs: [[5, 10]] })
  })

  it('of a reduction of the input broadcast back', () => {
    const graph = writing(
      graphOn([[4]], (op, x) => [op('sub', x, op('sum', x))]),
      [whole(0, 4)],
    )
    expect(run(graph, [vector(1, 2, 3, 4)]).inputs[0]).toEqual([-9, -8, -7, -6])
  })
})
