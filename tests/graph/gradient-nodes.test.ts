/** Gradients as nodes of a graph, and backward passes as ops. */
import { describe, expect, it } from 'vitest'
import { GradientError } from '../../src/base/errors.js'
import { applyRecord, asValue, buildGraph } from '../../src/graph/apply.js'
import { expandGradients, holdsGradients } from '../../src/graph/derivatives/expand.js'
import { flows, vjp } from '../../src/graph/derivatives/modes.js'
import { gradientRecord, savedBy, vjpRecord } from '../../src/graph/derivatives/records.js'
import { nameOfBody } from '../../src/graph/derivatives/steps.js'
import { interpretGraph } from '../../src/graph/interpret.js'
import { type Graph, type GraphBuilder, type GraphNode, graphDialect } from '../../src/graph/ir.js'
import { recordTable } from '../../src/graph/ops/index.js'
import type { HostTensor, OpRecord } from '../../src/graph/record.js'
import { verify } from '../../src/ir/verify.js'
import { ownNodesOf } from '../../src/ir/walk.js'
import { Differentiated, problemWith, total } from '../support/derivatives.js'
import { randomSpec, type TensorSpec } from '../support/tensor-spec.js'

const vector = (...data: number[]): HostTensor => ({ dtype: 'f64', shape: [data.length], data })
const numbers = ({ data }: HostTensor): number[] => data.map(Number)
const op = (b: GraphBuilder, name: keyof typeof recordTable, ...args: (GraphNode | number)[]): GraphNode =>
  applyRecord(
    b,
    recordTable[name],
    args.map(arg => (typeof arg === 'number' ? arg : asValue(arg))),
  )[0]!
const apply = (b: GraphBuilder, record: OpRecord, nodes: readonly GraphNode[]): readonly GraphNode[] =>
  record.build(
    b,
    nodes.map(node => ({ node, isNumber: false })),
    {},
  )

const spec = { dtype: 'f64', shape: [3] } as const
const run = (graph: Graph, ...inputs: readonly HostTensor[]): number[][] => interpretGraph(graph, inputs).map(numbers)

describe('gradient nodes', () => {
  /** The gradient of Σ seed · x³, and the gradient of its sum. */
  const cubes = buildGraph([spec, spec], [], (b, [x, seed]) => {
    const y = op(b, 'mul', op(b, 'mul', x!, x!), x!)
    const [first] = apply(b, gradientRecord(1, 1), [y, seed!, x!])
    const ones = op(b, 'add', op(b, 'mul', x!, 0), 1)
    const [second] = apply(b, gradientRecord(1, 1), [first!, ones, x!])
    return [first!, second!]
  })

  it('hold gradients of gradients', () => {
    const results = run(cubes, vector(1, 2, 3), vector(1, 10, 100))
    expect(results).toEqual([
      [3, 120, 2700],
      [6, 120, 1800],
    ])
  })

  it('are gone once expanded', () => {
    const expanded = expandGradients.run(cubes)
    expect(holdsGradients(cubes)).toBe(true)
    expect(holdsGradients(expanded)).toBe(false)
    verify(graphDialect, expanded.body)
    expect(run(expanded, vector(1, 2, 3), vector(1, 10, 100))[1]).toEqual([6, 120, 1800])
  })

  it('give zeros where nothing flows, and whole derivatives of values behind each other', () => {
    const graph = buildGraph([spec, spec, spec], [], (b, [x, seed, other]) => {
      const y = op(b, 'exp', x!)
      const z = op(b, 'mul', y, b.node('detach', [x!], {}))
      return apply(b, gradientRecord(1, 3), [z, seed!, x!, y, other!])
    })
    const [ofX, ofY, ofOther] = run(graph, vector(0, 1, 2), vector(1, 1, 1), vector(5, 5, 5))
    const expected = [0, 1, 2].map(x => x * Math.exp(x))
    expect(ofX!.map((x, i) => x - expected[i]!).every(x => Math.abs(x) < 1e-12)).toBe(true)
    expect(ofY).toEqual([0, 1, 2])
    expect(ofOther).toEqual([0, 0, 0])
  })

  it('know what flows without building it', () => {
    buildGraph([spec, spec, spec], [], (b, [x, y, z]) => {
      const sign = op(b, 'sign', x!)
      const isLess = op(b, 'lt', y!, 0)
      const result = op(b, 'where', isLess, sign, b.node('detach', [z!], {}))
      expect(flows([result], [x!, y!, z!])).toEqual([true, false, false])
      expect(vjp(b, { outputs: [result], cotangents: [x!], inputs: [y!, z!] })).toEqual([null, null])
      return [result]
    })
  })

  it('compute an attention and its log-sum-exp once', () => {
    const tensor = { dtype: 'f64', shape: [1, 4, 8] } as const
    const graph = buildGraph([tensor, tensor, tensor, tensor], [], (b, [q, k, v, seed]) => {
      const y = op(b, 'scaledDotProductAttention', q!, k!, v!)
      return [y, ...apply(b, gradientRecord(1, 3), [y, seed!, q!, k!, v!])]
    })
    const nodes = ownNodesOf(expandGradients.run(graph).body)
    expect(nodes.filter(node => node.op === 'attention')).toHaveLength(1)
  })
})

describe('backward ops', () => {
  const known = { dtype: 'f64', shape: [3] } as const
  const both = { needs: [true, true], given: [true] }

  it('of attention read its result and log-sum-exp, and run no attention, whatever heads share', () => {
    const record = recordTable.attentionLse
    for (const enableGqa of [false, true]) {
      const attrs = { isCausal: true, scale: null, enableGqa, dropoutP: null }
      const [query, key] = [4, enableGqa ? 2 : 4].map(heads => ({ dtype: 'f32', shape: [1, heads, 6, 8] }) as const)
      const inputs = [query!, key!, key!]
      const backward = { needs: [true, true, true], given: [true, false] }
      const all = [true, true, true]
      expect(savedBy(record, inputs, attrs, backward)).toEqual({
        inputs: all,
        outputs: [true, true],
        flows: all,
        from: [true, false],
      })
      const lse = { dtype: 'f32', shape: [1, 4, 6] } as const
      const graph = buildGraph([...inputs, query!, lse, query!], [], (b, nodes) => {
        const operands = nodes.map(node => ({ node, isNumber: false }))
        return vjpRecord(record, backward).build(b, operands, attrs)
      })
      const ops = new Set(ownNodesOf(graph.body).map(node => node.op))
      expect([ops.has('attentionGradient'), ops.has('attention')]).toEqual([true, false])
    }
  })

  it('save what they read and nothing else', () => {
    expect(savedBy(recordTable.mul, [known, known], {})).toEqual({
      inputs: [true, true],
      outputs: [false],
      flows: [true, true],
      from: [true],
    })
    expect(savedBy(recordTable.mul, [known, known], {}, { needs: [true, false], given: [true] }).inputs).toEqual([
      false,
      true,
    ])
    expect(savedBy(recordTable.add, [known, known], {}).inputs).toEqual([false, false])
    expect(savedBy(recordTable.exp, [known], {})).toEqual({
      inputs: [false],
      outputs: [true],
      flows: [true],
      from: [true],
    })
    expect(savedBy(recordTable.mul, [known, 2], {})).toEqual({
      inputs: [false, true],
      outputs: [false],
      flows: [true, false],
      from: [true],
    })
    expect(savedBy(recordTable.lt, [known, known], {}).flows).toEqual([false, false])
    expect(savedBy(recordTable.relu, [known], {}).outputs).toEqual([true])
  })

  it('give the gradients from what was saved, whatever stands in for the rest', () => {
    const backward = vjpRecord(recordTable.exp, { needs: [true], given: [true] })
    expect(vjpRecord(recordTable.exp, { needs: [true], given: [true] })).toBe(backward)
    const graph = buildGraph([spec, spec, spec], [], (b, nodes) => apply(b, backward, nodes))
    expect(run(graph, vector(9, 9, 9), vector(1, 2, 3), vector(1, 1, 2))).toEqual([[1, 2, 6]])
  })

  it('are differentiated like other ops', () => {
    const backward = vjpRecord(recordTable.mul, both)
    // (x, y, xy, g) ↦ (gy, gx), whose gradients for cotangents (u, v) are: x: gv, y: gu, g: uy + vx.
    const twice = vjpRecord(backward, { needs: [true, true, false, true], given: [true, true] })
    const inputs = [vector(2), vector(3), vector(0), vector(5), vector(0), vector(0), vector(7), vector(11)]
    const graph = buildGraph(
      inputs.map(({ dtype, shape }) => ({ dtype, shape })),
      [],
      (b, nodes) => apply(b, twice, nodes),
    )
    expect(run(graph, ...inputs)).toEqual([[55], [35], [43]])
  })
})

describe('gradients of parts', () => {
  const part = (b: GraphBuilder, x: GraphNode, start: number, length: number): GraphNode =>
    b.node('slice', [x], { starts: [start], steps: [1], sizes: [length] })

  it.each([
    ['all of a tensor', [0, 2, 4], 1],
    ['some of it', [1, 3, 5], 1],
    ['parts that overlap', [0, 1, 4], 0],
  ] as const)('%s', (_, starts, joined) => {
    const call = new Differentiated([randomSpec(8, 'f64', [7])], (b, [x]) =>
      starts.map((start, i) => op(b, 'mul', part(b, x!, start, 2), part(b, x!, starts[(i + 1) % 3]!, 2))),
    )
    expect(problemWith(call, 2)).toEqual({ problem: null, isMeasured: true })
    const graph = buildGraph(
      [{ dtype: 'f64', shape: [7] }, ...starts.map(() => ({ dtype: 'f64', shape: [2] }) as const)],
      [],
      (b, [x, ...seeds]) => {
        const outputs = starts.map(start => op(b, 'exp', part(b, x!, start, 2)))
        return vjp(b, { outputs, cotangents: seeds, inputs: [x!] }) as GraphNode[]
      },
    )
    expect(ownNodesOf(graph.body).filter(node => node.op === 'cat')).toHaveLength(joined)
  })
})

const small = { low: -1, high: 1 }

describe('primitives that no op shows', () => {
  it('pad by a constant and cast to other floats', () => {
    const call = new Differentiated([randomSpec(1, 'f64', [2, 3], small)], (b, [x]) => [
      b.node('pad', [b.node('map', [x!, x!], { fn: 'mul' })], { before: [1, 0], after: [0, 2], value: 7 }),
    ])
    expect(problemWith(call, 2)).toEqual({ problem: null, isMeasured: true })
    const rounded = buildGraph([spec, spec], [], (b, [x, g]) => {
      const y = b.node('cast', [b.node('cast', [x!], { to: 'bf16' })], { to: 'f64' })
      return vjp(b, { outputs: [y], cotangents: [g!], inputs: [x!] }) as GraphNode[]
    })
    // The gradient of a bf16 is a bf16.
    expect(run(rounded, vector(1, 2, 3), vector(1, 1.01, 3))).toEqual([[1, 1.0078125, 3]])
    const integers = buildGraph([spec], [], (b, [x]) => {
      const y = b.node('cast', [b.node('cast', [x!], { to: 'i64' })], { to: 'f64' })
      expect(flows([y], [x!])).toEqual([false])
      return [y]
    })
    expect(run(integers, vector(1, 2, 3))).toEqual([[1, 2, 3]])
  })

  it.each([0, 1] as const)('grouped products of rows and of depth, with %s leading ends', skip => {
    const ends = skip === 0 ? [2n, 2n, 5n] : [0n, 2n, 2n, 5n]
    const group = [0n, 0n, 2n, 2n, 2n, 3n]
    const product = (along?: 'depth') => (b: GraphBuilder, nodes: readonly GraphNode[]) => {
      const [x, y, given, number] = nodes as [GraphNode, GraphNode, GraphNode, GraphNode]
      const groups = b.node('groupOf', [given, number], { skip })
      const attrs = { accumulate: 'f32', to: 'f32', ...(along && { along }) } as const
      const f32 = (node: GraphNode): GraphNode => b.node('cast', [node], { to: 'f32' })
      return [b.node('cast', [b.node('raggedMatmul', [f32(x), f32(y), groups], attrs)], { to: 'f64' })]
    }
    const indices = [
      { dtype: 'i64', shape: [ends.length], data: ends },
      { dtype: 'i64', shape: [6], data: group },
    ] as const
    const operands = (...shapes: readonly number[][]): TensorSpec[] => [
      ...shapes.map((shape, i) => randomSpec(20 + i, 'f64', shape, small)),
      ...indices,
    ]
    const calls = [new Differentiated(operands([6, 4], [3, 4, 2]), product())]
    if (skip === 0) calls.push(new Differentiated(operands([4, 6], [6, 2]), product('depth')))
    for (const call of calls) {
      const tangents = call.tangents(5)
      const difference = total(call.reverse(), tangents) - call.forwardSlope(tangents)
      expect(Math.abs(difference)).toBeLessThan(1e-5)
      const along = call.tangents(6)
      expect(Number.isFinite(total(call.second(along), tangents))).toBe(true)
    }
  })

  const bool: TensorSpec = { dtype: 'bool', shape: [], data: [1] }

  /** y = predicate ? x · e^x : 3 x, of an operand that only one of the blocks uses too. */
  function branches(b: GraphBuilder, [predicate, x, other]: readonly GraphNode[]): readonly GraphNode[] {
    const block = (build: (x: GraphNode, other: GraphNode) => GraphNode) => {
      const params = [x!, other!].map((_, index) =>
        b.node('input', [], { index, name: `p${index}`, dtype: 'f64', shape: [3], strides: [1] }),
      )
      return b.block(params, () => [build(params[0]!, params[1]!)])
    }
    const node = b.node('cond', [predicate!, x!, other!], {}, [
      block((y, z) => op(b, 'mul', op(b, 'mul', y, op(b, 'exp', y)), z)),
      block(y => op(b, 'mul', y, 3)),
    ])
    return [b.node('item', [node], { index: 0 })]
  }

  it.each([1, 0])('conditions: the block that runs, where the predicate is %s', predicate => {
    const inputs = [{ ...bool, data: [predicate] }, randomSpec(3, 'f64', [3]), randomSpec(4, 'f64', [3])]
    expect(problemWith(new Differentiated(inputs, branches), 2)).toEqual({ problem: null, isMeasured: true })
  })

  /** c ← tanh(c · w + s), which gives c · s, for each row s of a sequence. */
  const recurrence =
    (reverse: boolean) =>
    (b: GraphBuilder, [carried, sequence, factor]: readonly GraphNode[]): readonly GraphNode[] => {
      const params = ['c', 's', 'w'].map((name, index) =>
        b.node('input', [], { index, name, dtype: 'f64', shape: [3], strides: [1] }),
      )
      const block = b.block(params, () => {
        const [c, s, w] = params as [GraphNode, GraphNode, GraphNode]
        const next = op(b, 'tanh', op(b, 'add', op(b, 'mul', c, w), s))
        return [next, op(b, 'mul', next, s)]
      })
      const attrs = { carried: 1, sequences: 1, reverse, body: nameOfBody(block) }
      const node = b.node('steps', [carried!, sequence!, factor!], attrs, [block])
      return [0, 1].map(index => b.node('item', [node], { index }))
    }

  it.each([false, true])('loops over the elements of sequences; the last one first: %s', reverse => {
    const inputs = [[3], [4, 3], [3]].map((shape, i) => randomSpec(30 + i, 'f64', shape, small))
    expect(problemWith(new Differentiated(inputs, recurrence(reverse)), 2)).toEqual({ problem: null, isMeasured: true })
  })

  it('loops of unknown length refuse, unless nothing flows through them', () => {
    const loop = (b: GraphBuilder, x: GraphNode): GraphNode => {
      const param = (): GraphNode =>
        b.node('input', [], { index: 0, name: 'p', dtype: 'f64', shape: [3], strides: [1] })
      const [first, second] = [param(), param()]
      const no = b.node('constant', [], { dtype: 'bool', value: 0 })
      const blocks = [b.block([first], () => [no]), b.block([second], () => [op(b, 'exp', second)])]
      return b.node('item', [b.node('loop', [x], { carried: 1 }, blocks)], { index: 0 })
    }
    buildGraph([spec, spec], [], (b, [x, g]) => {
      const y = loop(b, x!)
      expect(() => vjp(b, { outputs: [y], cotangents: [g!], inputs: [x!] })).toThrow(GradientError)
      expect(() => vjp(b, { outputs: [y], cotangents: [g!], inputs: [x!] })).toThrow(/whileLoop: no gradient/)
      const detached = loop(b, b.node('detach', [x!], {}))
      expect(vjp(b, { outputs: [detached], cotangents: [g!], inputs: [x!] })).toEqual([null])
      return [x!]
    })
  })
})
