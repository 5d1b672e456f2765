import { describe, expect, it } from 'vitest'
import { applyRecord, asValue, buildGraph, type InputSpec } from '../../src/graph/apply.js'
import { interpretGraph } from '../../src/graph/interpret.js'
import { type Graph, type GraphBuilder, type GraphNode, graphDialect } from '../../src/graph/ir.js'
import { findRecord, recordNames, recordTable } from '../../src/graph/ops/index.js'
import { graphPasses } from '../../src/graph/passes/index.js'
import { verify } from '../../src/ir/verify.js'
import { nodesOf } from '../../src/ir/walk.js'
import { sizeSymbol } from '../../src/scalar/size.js'
import { difference, toleranceFor } from '../support/compare.js'
import { graphOf, interpretSample } from '../support/record-graph.js'
import { quickly } from '../support/sample-choice.js'
import { samplesFor } from '../support/samples.js'
import { randomSpec } from '../support/tensor-spec.js'

function optimise(graph: Graph): Graph {
  let current = graph
  for (const pass of graphPasses) {
    current = pass.run(current)
    verify(graphDialect, current.body)
  }
  return current
}

type Apply = (name: string, ...args: readonly unknown[]) => GraphNode

/** The optimised graph of a function written with ops. */
function optimised(
  inputs: readonly InputSpec[],
  write: (op: Apply, ...x: readonly GraphNode[]) => readonly GraphNode[],
): Graph {
  const graph = buildGraph(inputs, [], (b, nodes) => write(applier(b), ...nodes))
  return optimise(graph)
}
const applier =
  (b: GraphBuilder): Apply =>
  (name, ...args) =>
    applyRecord(
      b,
      findRecord(name)!,
      args.map(arg => (isNode(arg) ? asValue(arg) : arg)),
    )[0]!
const isNode = (value: unknown): value is GraphNode => typeof value === 'object' && value !== null && 'op' in value

const ops = (graph: Graph): string[] =>
  [...nodesOf(graph.body)].map(node => (node.op === 'map' ? node.attrs.fn : node.op)).filter(op => op !== 'input')

const f32 = (...shape: number[]): InputSpec => ({ dtype: 'f32', shape })

describe('the passes preserve all values', () => {
  for (const name of quickly(recordNames, 8)) {
    it(name, () => {
      for (const sample of samplesFor(name)) {
        const graph = graphOf(recordTable[name], sample)
        const after = interpretSample(optimise(graph), sample)
        for (const [i, before] of interpretSample(graph, sample).entries()) {
          // x ** 2 is a library call here and a product after: they may differ by one rounding.
          const exact = { relative: 0, absolute: 0, anyZero: false }
          const tolerance = name === 'pow' ? toleranceFor(name, before.dtype) : exact
          expect(difference(after[i]!, before, tolerance), `${name}, ${sample.name}, result ${i}`).toBeNull()
        }
      }
    })
  }
})

describe('simplify', () => {
  it('drops identities that are exact, and only those', () => {
    const kept = (write: (op: Apply, x: GraphNode) => GraphNode): string[] =>
      ops(optimised([f32(4)], (op, x) => [write(op, x!)]))
    expect(kept((op, x) => op('mul', x, 1))).toEqual([])
    expect(kept((op, x) => op('div', x, 1))).toEqual([])
    expect(kept((op, x) => op('sub', x, 0))).toEqual([])
    expect(kept((op, x) => op('add', x, -0))).toEqual([])
    expect(kept((op, x) => op('neg', op('neg', x)))).toEqual([])
    expect(kept((op, x) => op('pow', x, 2))).toEqual(['mul'])
    expect(kept((op, x) => op('div', x, 8))).toEqual(['constant', 'expand', 'mul'])
    expect(kept((op, x) => op('maximum', x, x))).toEqual([])
    // −0 + 0 is 0, NaN · 0 is NaN, ∞ − ∞ is NaN, x / 3 is not x · ⅓.
    expect(kept((op, x) => op('add', x, 0))).toContain('add')
    expect(kept((op, x) => op('mul', x, 0))).toContain('mul')
    expect(kept((op, x) => op('sub', x, x))).toContain('sub')
    expect(kept((op, x) => op('div', x, 3))).toContain('div')
  })

  it('folds arithmetic on constants', () => {
    const graph = optimised([f32(4)], op => [op('mul', op('add', op('full', [2, 3], 1.5), 2), 2)])
    expect(ops(graph)).toEqual(['constant', 'expand'])
    expect(interpretGraph(graph, [randomSpec(1, 'f32', [4])])[0]!.data).toEqual([7, 7, 7, 7, 7, 7])
  })

  it('reduces nothing to the identity, and orders or scans no single elements', () => {
    const kept = (shape: readonly number[], write: (op: Apply, x: GraphNode) => GraphNode): string[] =>
      ops(optimised([f32(...shape)], (op, x) => [write(op, x!)]))
    expect(kept([5, 0], (op, x) => op('sum', x, 1))).toEqual(['constant', 'expand'])
    expect(kept([5, 0], (op, x) => op('prod', x, 1))).toEqual(['constant', 'expand'])
    expect(kept([5, 1], (op, x) => op('sort', x))).toEqual([])
    expect(kept([1, 5], (op, x) => op('topk', x, 1, 0))).toEqual([])
    expect(kept([5, 1], (op, x) => op('argsort', x))).toEqual(['constant', 'expand'])
    expect(kept([5, 1], (op, x) => op('cumprod', x, 1))).toEqual([])
    expect(kept([5, 1], (op, x) => op('cumsum', x, 1))).not.toContain('scan')
    expect(kept([5, 1], (op, x) => op('kthvalue', x, 1))).toEqual(['reshape'])
    expect(kept([5, 2], (op, x) => op('cumsum', x, 1))).toEqual(['scan'])
  })

  it('scans a single −0 to what a longer row begins with', () => {
    for (const dtype of ['f32', 'f16'] as const) {
      const graph = optimised([{ dtype, shape: [2, 1] }], (op, x) => [op('cumsum', x!, 1), op('cumprod', x!, 1)])
      const results = interpretGraph(graph, [{ dtype, shape: [2, 1], data: [-0, Number.NEGATIVE_INFINITY] }])
      expect(results.map(({ data }) => data)).toEqual([
        [0, Number.NEGATIVE_INFINITY],
        [-0, Number.NEGATIVE_INFINITY],
      ])
    }
  })

  it('merges views and casts', () => {
    const seen = (write: (op: Apply, x: GraphNode) => GraphNode): string[] =>
      ops(optimised([f32(2, 3, 4)], (op, x) => [write(op, x!)]))
    expect(seen((op, x) => op('permute', op('permute', x, [1, 2, 0]), [2, 0, 1]))).toEqual([])
    expect(seen((op, x) => op('reshape', op('reshape', x, [6, 4]), [2, 12]))).toEqual(['reshape'])
    expect(seen((op, x) => op('slice', op('slice', x, null, [1, 3]), null, [1, 2]))).toEqual(['slice'])
    expect(seen((op, x) => op('pad', op('pad', x, [1, 0]), [2, 3, 1, 0]))).toEqual(['pad'])
    expect(seen((op, x) => op('pad', op('pad', x, [1, 0], { value: 1 }), [2, 3]))).toEqual(['pad', 'pad'])
    expect(seen((op, x) => op('to', op('to', op('to', x, 'f64'), 'f32'), 'f16'))).toEqual(['cast'])
    expect(seen((op, x) => op('to', op('to', x, 'f16'), 'f32'))).toEqual(['cast', 'cast'])
  })
})

describe('views', () => {
  it('sink below elementwise ops that are used only through them', () => {
    const graph = optimised([f32(3, 4), f32(3, 4)], (op, x, y) => [op('relu', op('t', op('exp', op('add', x, y))))])
    expect(ops(graph)).toEqual(['permute', 'permute', 'add', 'exp', 'constant', 'expand', 'max'])
  })

  it('stay if a value is also used without them', () => {
    const graph = optimised([f32(3, 4)], (op, x) => {
      const y = op('exp', x)
      return [y, op('relu', op('t', y))]
    })
    expect(ops(graph)).toEqual(['exp', 'permute', 'constant', 'expand', 'max'])
  })

  it('let the ops after a batched matmul run in the shape of the product', () => {
    const graph = optimised([f32(2, 5, 8), f32(8, 6), f32(6), f32(2, 5, 6)], (op, x, w, bias, y) => [
      op('add', op('gelu', op('add', op('matmul', x, w), bias)), y),
    ])
    const body = ops(graph)
    expect(body.filter(name => name === 'matmul')).toHaveLength(1)
    expect(body.at(-1)).toBe('reshape')
    expect(body.slice(body.indexOf('matmul') + 1, -1)).toEqual(expect.arrayContaining(['add', 'erf', 'mul']))
    expect(body.slice(body.indexOf('matmul') + 1, -1).filter(name => name === 'reshape')).toHaveLength(1) // y's
  })

  it('do not separate two linear layers', () => {
    const graph = optimised([f32(2, 5, 8), f32(6, 8), f32(6), f32(3, 6)], (op, x, w, bias, w2) => [
      op('linear', op('gelu', op('linear', x, w, { bias: asValue(bias!) })), w2),
    ])
    expect(ops(graph).filter(name => name === 'reshape')).toHaveLength(2)
  })

  it('merge over run-time sizes too', () => {
    const n = sizeSymbol('n', 1)
    const graph = buildGraph([{ dtype: 'f32', shape: [n, 4] }], [], (b, [x]) => {
      const op = applier(b)
      return [op('reshape', op('exp', op('reshape', x!, [-1])), [n, 4])]
    })
    expect(ops(optimise(graph))).toEqual(['exp'])
  })
})

describe('copies', () => {
  const copies = (write: (op: Apply, x: GraphNode) => readonly GraphNode[]): number =>
    ops(optimised([f32(3, 4)], (op, x) => write(op, x!))).filter(name => name === 'copy').length

  it('stay if a result would otherwise share memory with an input or another result', () => {
    expect(copies((op, x) => [op('clone', x)])).toBe(1)
    expect(copies((op, x) => [op('t', op('clone', op('clone', x)))])).toBe(1)
    expect(
      copies((op, x) => {
        const y = op('exp', x)
        return [y, op('clone', y)]
      }),
    ).toBe(1)
  })

  it('stay if only simplification shows that a result is an input, or that two results are one value', () => {
    expect(copies((op, x) => [op('clone', op('maximum', x, x))])).toBe(1)
    expect(copies((op, x) => [op('clone', op('neg', op('clone', op('neg', x))))])).toBe(1)
    const results = optimised([f32(3, 4)], (op, x) => [
      op('clone', op('exp', op('maximum', x!, x!))),
      op('clone', op('exp', x!)),
    ]).body.results
    expect(results[0]).not.toBe(results[1])
  })

  it('are removed everywhere else', () => {
    expect(copies((op, x) => [op('exp', op('clone', x))])).toBe(0)
    expect(copies((op, x) => [op('clone', op('exp', x))])).toBe(0)
    expect(copies((op, x) => [op('t', op('contiguous', op('exp', x)))])).toBe(0)
  })
})
