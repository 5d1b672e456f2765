/** The primitive conv: what it computes, that expanding it changes no bit, and what it refuses. */
import { describe, expect, it } from 'vitest'
import { buildGraph } from '../../src/graph/apply.js'
import { interpretGraph } from '../../src/graph/interpret.js'
import { type Graph, type GraphNode, type GraphOps, graphDialect, typeOf } from '../../src/graph/ir.js'
import { expandConvolutions } from '../../src/graph/passes/convolutions.js'
import { graphPasses } from '../../src/graph/passes/index.js'
import { verify } from '../../src/ir/verify.js'
import { nodesOf } from '../../src/ir/walk.js'
import { addSizes, mulSizes, type Size, sizeSymbol } from '../../src/scalar/size.js'
import type { Dtype } from '../../src/types/dtype.js'
import { Choices } from '../support/choices.js'
import { isQuick } from '../support/sample-choice.js'
import { count, randomSpec, type TensorSpec } from '../support/tensor-spec.js'

type Attrs = GraphOps['conv']
/** Padding as numbers. */
type Form = Omit<Attrs, 'padding'> & { readonly padding: readonly (readonly [number, number])[] }

interface Case {
  readonly inputs: readonly TensorSpec[]
  readonly attrs: Form
}

const plain = { accumulate: 'f32', to: 'f32', groups: 1 } as const
const form = (dims: number, attrs: Partial<Form> = {}): Form => ({
  ...plain,
  stride: new Array<number>(dims).fill(1),
  padding: new Array<[number, number]>(dims).fill([0, 0]),
  dilation: new Array<number>(dims).fill(1),
  inputDilation: new Array<number>(dims).fill(1),
  ...attrs,
})

const graphOf = (inputs: readonly Pick<TensorSpec, 'dtype' | 'shape'>[], attrs: Attrs): Graph =>
  buildGraph(inputs, [], (b, nodes) => [b.node('conv', nodes, attrs)])

function expanded(graph: Graph, passes = [expandConvolutions]): Graph {
  const result = passes.reduce((current, pass) => pass.run(current), graph)
  verify<GraphNode>(graphDialect, result.body)
  expect(nodesOf<GraphNode>(result.body).map(({ op }) => op)).not.toContain('conv')
  return result
}

// --- an independent convolution -------------------------------------------------------------------------------------------

/** Where windows start, found by trying. */
function starts(length: number, span: number, stride: number): number[] {
  const found: number[] = []
  for (let start = 0; start + span <= length; start += stride) found.push(start)
  return found
}

function* indices(shape: readonly number[]): Generator<readonly number[]> {
  for (let flat = 0; flat < count(shape); flat++) {
    let rest = flat
    const index = shape.map(() => 0)
    for (let d = shape.length - 1; d >= 0; d--) {
      index[d] = rest % shape[d]!
      rest = Math.floor(rest / shape[d]!)
    }
    yield index
  }
}

const place = (shape: readonly number[], index: readonly number[]): number =>
  index.reduce((at, i, d) => at * shape[d]! + i, 0)

/** Each element of x is added to all results that see it: the transposed way round, in whole numbers. */
function directly([x, weight, bias]: readonly TensorSpec[], attrs: Form): { shape: number[]; data: number[] } {
  const { stride, padding, dilation, inputDilation, groups } = attrs
  const [batch, , ...sizes] = x!.shape as [number, number, ...number[]]
  const [outputs, inner, ...kernel] = weight!.shape as [number, number, ...number[]]
  const windows = sizes.map((size, d) => {
    const length = size + (size - 1) * (inputDilation[d]! - 1) + padding[d]![0] + padding[d]![1]
    return starts(length, kernel[d]! + (kernel[d]! - 1) * (dilation[d]! - 1), stride[d]!)
  })
  const shape = [batch, outputs, ...windows.map(({ length }) => length)]
  const data = [...indices(shape)].map(([, o]) => Number(bias?.data[o!] ?? 0))
  for (const [n, channel, ...from] of indices(x!.shape))
    for (const [o, c, ...tap] of indices(weight!.shape)) {
      if (Math.floor(o! / (outputs / groups)) * inner + c! !== channel) continue
      const to = from.map((i, d) =>
        windows[d]!.indexOf(i * inputDilation[d]! + padding[d]![0] - tap[d]! * dilation[d]!),
      )
      if (to.some(i => i < 0)) continue
      const value = Number(x!.data[place(x!.shape, [n!, channel!, ...from])])
      data[place(shape, [n!, o!, ...to])]! += value * Number(weight!.data[place(weight!.shape, [o!, c!, ...tap])])
    }
  return { shape, data }
}

// --- random cases ---------------------------------------------------------------------------------------------------------

/** Whole numbers, of which sums are exact. */
const whole = (seed: number, dtype: Dtype, shape: readonly number[]): TensorSpec => {
  const { data } = randomSpec(seed, 'f32', shape)
  return { dtype, shape, data: data.map(value => Math.round(Number(value) * 4) + 0) }
}

/** A case in which some window fits, or null. */
function randomCase(seed: number): Case | null {
  const choices = new Choices(seed)
  const dims = 1 + choices.below(3)
  const list = (below: number): number[] => Array.from({ length: dims }, () => 1 + choices.below(below))
  const [groups, inner] = [1 + choices.below(3), 1 + choices.below(2)]
  const [sizes, kernel] = [list(dims === 3 ? 4 : 6), list(3)]
  const attrs = form(dims, {
    groups,
    stride: list(3),
    dilation: list(3),
    inputDilation: choices.oneIn(2) ? list(3) : new Array<number>(dims).fill(1),
    padding: Array.from({ length: dims }, () => [choices.below(5) - 1, choices.below(5) - 1] as const),
  })
  const outputs = groups * (1 + choices.below(2))
  const shapes = [[1 + choices.below(2), inner * groups, ...sizes], [outputs, inner, ...kernel], [outputs]]
  const inputs = shapes.slice(0, choices.oneIn(2) ? 3 : 2).map((shape, i) => whole(seed + i, 'f32', shape))
  const isCut = attrs.padding.some((sides, d) => {
    const spread = (sizes[d]! - 1) * attrs.inputDilation[d]! + 1
    return spread + Math.min(sides[0], 0) + Math.min(sides[1], 0) < 1
  })
  return isCut || directly(inputs, attrs).data.length === 0 ? null : { inputs, attrs }
}

const drawn = isQuick ? 60 : 160
const cases = Array.from({ length: drawn }, (_, seed) => randomCase(seed)).filter(each => each !== null)

describe('conv', () => {
  it("equals the test's own convolution, and so do the matmuls that it is lowered to", () => {
    expect(cases.length).toBeGreaterThan(drawn / 2)
    for (const { inputs, attrs } of cases) {
      const expected = directly(inputs, attrs)
      const graph = graphOf(inputs, attrs)
      for (const each of [graph, expanded(graph), expanded(graph, [expandConvolutions, ...graphPasses])]) {
        const [result] = interpretGraph(each, inputs)
        expect({ shape: result!.shape, data: result!.data }, JSON.stringify(attrs)).toEqual(expected)
      }
    }
  })

  it('takes batch and spatial sizes that are known at the call', () => {
    for (const { inputs, attrs } of cases.slice(0, 60)) {
      const [x] = inputs as [TensorSpec]
      const dims = [0, ...x.shape.keys()].filter(d => d !== 1 && x.shape[d]! > 1).slice(1)
      const names = new Map(dims.map(d => [d, sizeSymbol(`s${d}`)] as const))
      const shape = x.shape.map((size, d): Size => names.get(d) ?? size)
      const graph = buildGraph(
        [{ ...x, shape }, ...inputs.slice(1)],
        [],
        (b, nodes) => [b.node('conv', nodes, attrs)],
        dims.map(dim => ({ name: `s${dim}`, input: 0, kind: 'size', dim })),
      )
      for (const each of [graph, expanded(graph)])
        expect(interpretGraph(each, inputs)[0]!.data, JSON.stringify(attrs)).toEqual(directly(inputs, attrs).data)
    }
  })

  it('takes padding and kernel sizes that are known at the call, as in gradients', () => {
    const [x, weight] = [whole(1, 'f32', [2, 3, 7]), whole(2, 'f32', [4, 3, 5])]
    const [n, k] = [sizeSymbol('n'), sizeSymbol('k', 1)]
    const attrs = { ...form(1, { stride: [2] }), padding: [[addSizes(k, -1), mulSizes(n, -1)] as const] }
    const graph = buildGraph(
      [
        { ...x, shape: [2, 3, addSizes(mulSizes(n, 2), 1)] },
        { ...weight, shape: [4, 3, k] },
      ],
      [],
      (b, nodes) => [b.node('conv', nodes, attrs)],
      [
        { name: 'n', input: 0, kind: 'size', dim: 2, unit: { divisor: 2, rest: 1 } },
        { name: 'k', input: 1, kind: 'size', dim: 2 },
      ],
    )
    const expected = directly([x, weight], form(1, { stride: [2], padding: [[4, -3]] }))
    for (const each of [graph, expanded(graph)])
      expect(interpretGraph(each, [x, weight])[0]!.data).toEqual(expected.data)
  })

  it('rounds 16-bit floats once, after the bias', () => {
    for (const [seed, { inputs, attrs }] of cases.slice(0, 40).entries())
      for (const dtype of ['f16', 'bf16', 'f64'] as const) {
        const wide = dtype === 'f64' ? 'f64' : 'f32'
        const drawn = inputs.map(({ shape }, i) => randomSpec(seed + i, i === 2 ? wide : dtype, shape))
        const graph = graphOf(drawn, { ...attrs, accumulate: wide, to: dtype })
        const [result] = interpretGraph(graph, drawn)
        expect(result!.dtype).toBe(dtype)
        expect(interpretGraph(expanded(graph), drawn)[0]).toEqual(result)
        expect(interpretGraph(expanded(graph), drawn, [], new Map(), 'sequential')[0]).toEqual(
          interpretGraph(graph, drawn, [], new Map(), 'sequential')[0],
        )
      }
  })

  it('multiplies by the zeros of the padding', () => {
    const x = whole(1, 'f32', [1, 1, 3])
    const weight: TensorSpec = { dtype: 'f32', shape: [1, 1, 2], data: [Number.POSITIVE_INFINITY, 1] }
    const ones = { ...x, data: [1, 1, 1] }
    const graph = graphOf([x, weight], form(1, { padding: [[1, 0]] }))
    for (const each of [graph, expanded(graph)])
      expect(interpretGraph(each, [ones, weight])[0]!.data).toEqual([
        Number.NaN,
        Number.POSITIVE_INFINITY,
        Number.POSITIVE_INFINITY,
      ])
  })

  it('is one node for equal convolutions', () => {
    buildGraph([whole(1, 'f32', [1, 2, 5]), whole(2, 'f32', [3, 2, 3])], [], (b, nodes) => {
      const [one, other] = [b.node('conv', nodes, form(1)), b.node('conv', nodes, form(1))]
      expect(other).toBe(one)
      expect(b.node('conv', nodes, form(1, { padding: [[0, 1]] }))).not.toBe(one)
      return [one]
    })
  })
})

describe('conv rejects', () => {
  const f32 = (...shape: Size[]) => ({ dtype: 'f32' as const, shape })
  const [x, weight] = [f32(2, 4, 9, 9), f32(6, 4, 3, 3)]
  const refused: readonly [string, readonly { dtype: Dtype; shape: readonly Size[] }[], Attrs, RegExp][] = [
    ['no spatial dims', [f32(2, 4), f32(6, 4)], form(0), /0 spatial dims, not 1 to 3/],
    ['four spatial dims', [f32(1, 1, 2, 2, 2, 2), f32(1, 1, 1, 1, 1, 1)], form(4), /4 spatial dims, not 1 to 3/],
    ['an input of other dims', [f32(4, 9, 9), weight], form(2), /f32\[4, 9, 9\], .*: not of 2 spatial dims/],
    ['a weight of other dims', [x, f32(6, 4, 3)], form(2), /not of 2 spatial dims/],
    ['a stride of 0', [x, weight], form(2, { stride: [1, 0] }), /strides or dilations \[1, 0\]/],
    ['too few dilations', [x, weight], form(2, { dilation: [2] }), /strides or dilations \[2\]/],
    ['half an input dilation', [x, weight], form(2, { inputDilation: [1, 0.5] }), /strides or dilations \[1, 0.5\]/],
    ['too little padding', [x, weight], form(2, { padding: [[1, 1]] }), /padding \[\[1, 1\]\]/],
    [
      'padding of either sign',
      [x, weight],
      { ...form(2), padding: [[addSizes(sizeSymbol('n'), -9), 0] as const, [0, 0] as const] },
      /padding \[\[n-9, 0\]/,
    ],
    ['no groups', [x, weight], form(2, { groups: 0 }), /0 groups/],
    ['other channels', [x, f32(6, 3, 3, 3)], form(2), /4 channels for 3 · 1 groups/],
    ['outputs that do not divide', [x, f32(5, 2, 3, 3)], form(2, { groups: 2 }), /5 output channels in 2 groups/],
    ['two dtypes', [x, { dtype: 'bf16', shape: weight.shape }], form(2), /dtypes, with sums in f32/],
    ['integers', [x, weight].map(({ shape }) => ({ dtype: 'i32', shape })), form(2), /dtypes, with sums in f32/],
    ['other sums', [x, weight], form(2, { accumulate: 'f64' }), /dtypes, with sums in f64/],
    ['a bias of other channels', [x, weight, f32(4)], form(2), /the bias/],
    ['a narrow bias', [x, weight, { dtype: 'f16', shape: [6] }], form(2), /the bias/],
    ['no window', [x, f32(6, 4, 3, 3)], form(2, { dilation: [5, 1] }), /no window fits spatial dim 0/],
  ]
  it.each(refused)('%s', (_, inputs, attrs, message) => {
    expect(() => buildGraph(inputs, [], (b, nodes) => [b.node('conv', nodes, attrs)])).toThrow(message)
  })

  it('nothing about unknown sizes', () => {
    const [n, h] = [sizeSymbol('n'), sizeSymbol('h')]
    buildGraph([f32(n, 4, h, 9), weight], [], (b, nodes) => {
      const node = b.node(
        'conv',
        nodes,
        form(2, {
          padding: [
            [1, 0],
            [0, 0],
          ],
          stride: [2, 1],
        }),
      )
      expect(typeOf(node).shape.map(String)).toEqual(['n', '6', 'floorDiv(h,2)', '7'])
      return [node]
    })
  })
})
