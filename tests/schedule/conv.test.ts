/** Convolutions on a target with kernels for channels that are last: plans equal the primitive, in whole numbers. */
import { describe, expect, it } from 'vitest'
import { buildGraph } from '../../src/graph/apply.js'
import { castTo, constant, expandTo, map, reduce, shapeOf } from '../../src/graph/build.js'
import { interpretGraph } from '../../src/graph/interpret.js'
import type { GraphBuilder, GraphNode, GraphOps } from '../../src/graph/ir.js'
import { paddedWindows } from '../../src/graph/ops/spatial.js'
import { type Size, sizeSymbol } from '../../src/scalar/size.js'
import type { Dtype } from '../../src/types/dtype.js'
import { runLoops } from '../loop/run.js'
import { Choices } from '../support/choices.js'
import { isQuick } from '../support/sample-choice.js'
import { randomSpec, type TensorSpec } from '../support/tensor-spec.js'
import { target as cpu, gpu, launches, planOf, runPlan, small } from './run.js'

type Attrs = GraphOps['conv']

/** Whole numbers, of which sums are exact. */
const whole = (seed: number, dtype: Dtype, shape: readonly number[]): TensorSpec => {
  const { data } = randomSpec(seed, 'f32', shape)
  return { dtype, shape, data: data.map(value => Math.round(Number(value) * 2) + 0) }
}

const attrsOf = (dims: number, attrs: Partial<Attrs> = {}): Attrs => ({
  accumulate: 'f32',
  to: 'f32',
  groups: 1,
  stride: new Array<number>(dims).fill(1),
  padding: new Array<readonly [number, number]>(dims).fill([0, 0]),
  dilation: new Array<number>(dims).fill(1),
  inputDilation: new Array<number>(dims).fill(1),
  ...attrs,
})

type Sides = readonly (readonly [number, number])[]
const sides = (...list: Sides): Sides => list

type Build = (b: GraphBuilder, nodes: readonly GraphNode[]) => GraphNode

function check(inputs: readonly TensorSpec[], build: Build, what: string, on: typeof gpu | typeof cpu = gpu): string[] {
  const graph = buildGraph(inputs, [], (b, nodes) => [build(b, nodes)])
  const [expected] = interpretGraph(graph, inputs)
  const [looped] = runLoops(graph, inputs, [], on.policy)
  expect(
    looped!.data.map(each => Number(each) + 0),
    what,
  ).toEqual(expected!.data.map(each => Number(each) + 0))
  let names: string[] = []
  for (const options of [{}, small(on)]) {
    const plan = planOf(graph, true, options, on)
    const [result] = runPlan(plan, inputs)
    // A single product may be −0, to which the primitive adds 0.
    const [got, wanted] = [result!, expected!].map(({ shape, data }) => ({
      shape,
      data: data.map(each => Number(each) + 0),
    }))
    expect(got, what).toEqual(wanted)
    names = launches(plan)
  }
  return names
}

interface Case {
  readonly x: readonly number[]
  readonly weight: readonly number[]
  readonly attrs: Attrs
  readonly bias: boolean
}

function randomCase(seed: number): Case | null {
  const choices = new Choices(seed)
  const dims = 1 + choices.below(3)
  const list = (below: number): number[] => Array.from({ length: dims }, () => 1 + choices.below(below))
  const groups = choices.oneIn(3) ? 1 + choices.below(3) : 1
  const inner = [1, 2, 3, 4, 5, 8, 17][choices.below(7)]!
  const [sizes, kernel] = [list(dims === 3 ? 4 : 9), list(4)]
  const attrs = attrsOf(dims, {
    groups,
    stride: choices.oneIn(2) ? list(3) : new Array<number>(dims).fill(1),
    dilation: choices.oneIn(3) ? list(3) : new Array<number>(dims).fill(1),
    inputDilation: choices.oneIn(5) ? list(2) : new Array<number>(dims).fill(1),
    padding: Array.from({ length: dims }, () => [choices.below(5) - 1, choices.below(5) - 1] as const),
  })
  const fits = sizes.every((size, d) => {
    const [before, after] = attrs.padding[d]! as readonly [number, number]
    const spread = (size - 1) * attrs.inputDilation[d]! + 1
    const isCut = spread + Math.min(before, 0) + Math.min(after, 0) < 1
    return !isCut && spread + before + after >= (kernel[d]! - 1) * attrs.dilation[d]! + 1
  })
  if (!fits) return null
  const outputs = groups * (1 + choices.below(9))
  return {
    x: [1 + choices.below(3), inner * groups, ...sizes],
    weight: [outputs, inner, ...kernel],
    attrs,
    bias: choices.oneIn(2),
  }
}

const zeros = (b: GraphBuilder, like: GraphNode): GraphNode => expandTo(b, constant(b, 'f32', 0), shapeOf(like))

const drawn = isQuick ? 20 : 120
const few = isQuick ? 5 : 30

describe('convolutions with channels last', () => {
  it('equal the primitive', () => {
    const cases = Array.from({ length: drawn }, (_, seed) => randomCase(seed)).filter(each => each !== null)
    expect(cases.length).toBeGreaterThan(drawn / 3)
    for (const [i, { x, weight, attrs, bias }] of cases.entries()) {
      const dtype = i % 3 === 0 ? 'f16' : 'f32'
      const inputs = [whole(i, dtype, x), whole(i + 1, dtype, weight), ...(bias ? [whole(i, 'f32', [weight[0]!])] : [])]
      const to = { ...attrs, to: dtype as Dtype }
      check(inputs, (b, nodes) => b.node('conv', nodes, to), JSON.stringify({ i, x, weight, attrs }))
    }
  })

  it('take batch and spatial sizes that are known at the call', () => {
    for (const [groups, stride] of [
      [1, 1],
      [1, 2],
      [4, 2],
      [2, 1],
    ] as const) {
      const attrs = attrsOf(2, {
        groups,
        stride: [stride, 1],
        padding: [
          [1, 1],
          [1, 0],
        ],
      })
      const [x, weight] = [
        whole(groups, 'f32', [3, 4, 7, 6]),
        whole(stride, 'f32', [8 / (groups === 4 ? 2 : 1), 4 / groups, 3, 3]),
      ]
      const names = ['n', 'h', 'w'] as const
      const dims = [0, 2, 3]
      const shape = x.shape.map((size, d): Size => (dims.includes(d) ? sizeSymbol(names[dims.indexOf(d)]!) : size))
      const symbols = dims.map((dim, i) => ({ name: names[i]!, input: 0, kind: 'size' as const, dim }))
      const graph = buildGraph(
        [{ dtype: 'f32', shape }, weight],
        [],
        (b, nodes) => [b.node('conv', nodes, attrs)],
        symbols,
      )
      const [expected] = interpretGraph(graph, [x, weight])
      for (const options of [{}, small(gpu)]) {
        const [result] = runPlan(planOf(graph, true, options, gpu), [x, weight])
        expect({ shape: result!.shape, data: result!.data.map(each => Number(each) + 0) }).toEqual({
          shape: expected!.shape,
          data: expected!.data,
        })
      }
    }
  })

  it('of inputs with zeros between their elements take the places of each residue together', () => {
    for (let seed = 0; seed < 12; seed++) {
      const choices = new Choices(3000 + seed)
      const dims = 1 + choices.below(2)
      const list = (least: number, below: number): number[] =>
        Array.from({ length: dims }, () => least + choices.below(below))
      const [steps, kernel, sizes] = [list(1, 3), list(3, 3), list(3, 4)]
      // As many zeros on each side as give a multiple of the dilation.
      const padding = steps.map((step, d): readonly [number, number] => {
        const before = choices.below(kernel[d]!)
        const places = (sizes[d]! - 1) * step + 1 + before - kernel[d]! + 1
        return [before, (((-places % step) + step) % step) + (places < 1 ? step * 3 : 0)]
      })
      const attrs = attrsOf(dims, { inputDilation: steps, padding })
      const inputs = [
        whole(seed, 'f32', [2, 3, ...sizes]),
        whole(seed + 1, 'f32', [5, 3, ...kernel]),
        whole(seed, 'f32', [5]),
      ]
      const names = check(
        inputs,
        (b, nodes) => b.node('conv', nodes, attrs),
        JSON.stringify({ seed, kernel, sizes, attrs }),
      )
      if (steps.some(step => step > 1)) expect(names.join()).not.toContain('pad_matmul')
    }
    const apart = attrsOf(2, { inputDilation: [2, 3], padding: sides([0, 1], [0, 2]) })
    const inputs = [whole(1, 'f32', [2, 4, 3, 4]), whole(2, 'f32', [5, 4, 1, 1])]
    expect(check(inputs, (b, nodes) => b.node('conv', nodes, apart), 'single taps')).toContain('matmul')
  })

  it('with fewer windows than taps are gradients of weights, read with the channels last', () => {
    const cases: readonly (readonly [
      dtype: 'f16' | 'f32',
      x: readonly number[],
      g: readonly number[],
      attrs: Partial<Attrs>,
    ])[] = [
      ['f16', [24, 5, 6, 4], [16, 5, 6, 4], { padding: sides([1, 1], [1, 1]) }],
      ['f32', [20, 3, 5, 7], [16, 3, 5, 7], { padding: sides([1, 1], [1, 0]) }],
      // Of a convolution every two elements, whose taps are two apart, one of whose dims has an odd size.
      ['f16', [16, 3, 8, 9], [24, 3, 4, 4], { dilation: [2, 2], padding: sides([1, 0], [1, 0]) }],
      ['f32', [16, 2, 9, 8], [16, 2, 5, 6], { stride: [2, 2], padding: sides([1, 0], [-1, 1]) }],
      ['f32', [16, 3 * 2, 12], [2 * 16, 3, 11], { groups: 2, padding: sides([1, 1]) }],
      ['f16', [16, 2, 2, 4, 4], [16, 2, 2, 4, 4], { padding: sides([1, 1], [0, 0], [1, 1]) }],
    ]
    for (const [i, [dtype, x, g, attrs]] of (isQuick ? cases.slice(0, 2) : cases).entries()) {
      const own = attrsOf(x.length - 2, { ...attrs, to: dtype })
      const inputs = [whole(i, dtype, x), whole(i + 1, dtype, g)]
      const names = check(inputs, (b, nodes) => b.node('conv', nodes, own), JSON.stringify({ x, g, own }))
      expect(names.some(name => name.startsWith('conv_weight'))).toBe(true)
    }
  })

  it('fold windows of single channels tap by tap', () => {
    for (let seed = 0; seed < few; seed++) {
      const choices = new Choices(1000 + seed)
      const list = (below: number): number[] => [1 + choices.below(below), 1 + choices.below(below)]
      const attrs = attrsOf(2, {
        groups: 5,
        stride: list(3),
        dilation: list(2),
        padding: [0, 1].map(() => [choices.below(4) - 1, choices.below(3)] as const),
      })
      const [x, weight] = [
        [2, 5, 7 + choices.below(4), 8],
        [5, 1, ...list(3)],
      ]
      const inputs = [whole(seed, 'f32', x!), whole(seed + 1, 'f32', weight!)]
      const names = check(
        inputs,
        (b, nodes) => b.node('conv', nodes, attrs),
        JSON.stringify({ seed, x, weight, attrs }),
      )
      expect(names.some(name => name.startsWith('fold_windows'))).toBe(true)
    }
  })

  it('fold windows on a CPU: with padding in memory, masked in long rows, and with taps that are looped over', () => {
    const depthwise = (x: readonly number[], kernel: readonly number[], options: Partial<Attrs>): void => {
      const attrs = attrsOf(2, { groups: x[1]!, ...options })
      const inputs = [whole(1, 'f32', x), whole(2, 'f32', [x[1]!, 1, ...kernel]), whole(3, 'f32', [x[1]!])]
      const names = check(inputs, (b, nodes) => b.node('conv', nodes, attrs), JSON.stringify({ x, kernel, attrs }), cpu)
      expect(names.some(name => name.includes('fold_windows'))).toBe(true)
    }
    const same = [
      [1, 1],
      [1, 1],
    ] as const
    depthwise([1, 2, 3, 97], [3, 3], { padding: same })
    depthwise([2, 3, 5, 20], [3, 3], { padding: same, stride: [2, 2] })
    depthwise([1, 2, 7, 7], [7, 5], {
      padding: [
        [3, 3],
        [2, 2],
      ],
    })
    depthwise([1, 2, 9, 21], [2, 4], {
      padding: [
        [0, 2],
        [3, -1],
      ],
      dilation: [3, 2],
    })
    const windows = { kernel: [3, 3], stride: [2, 2], dilation: [1, 1], padding: same }
    for (const size of [13, 100])
      check(
        [whole(4, 'f32', [1, 2, 6, size])],
        (b, [x]) => reduce(b, 'max', paddedWindows(b, x!, windows, Number.NEGATIVE_INFINITY), [4, 5]),
        `pool ${size}`,
        cpu,
      )
  })

  it('pool in any order of dims', () => {
    for (let seed = 0; seed < few; seed++) {
      const choices = new Choices(2000 + seed)
      const list = (below: number): number[] => [1 + choices.below(below), 1 + choices.below(below)]
      const x = [1 + choices.below(2), 1 + choices.below(5), 6 + choices.below(5), 6 + choices.below(4)]
      const padding = [0, 1].map((): readonly [number, number] => [choices.below(2), choices.below(3)])
      const windows = { kernel: list(4), stride: list(3), dilation: list(2), padding }
      const [fn, value] = choices.oneIn(2) ? (['max', Number.NEGATIVE_INFINITY] as const) : (['add', 0] as const)
      const isLast = choices.oneIn(2)
      const dtype = choices.oneIn(2) ? 'f16' : 'f32'
      const build: Build = (b, [node, weight]) => {
        const from = isLast ? b.node('conv', [node!, weight!], attrsOf(2, { to: dtype })) : node!
        return reduce(b, fn, paddedWindows(b, castTo(b, from, 'f32'), windows, value), [4, 5])
      }
      const names = check(
        [whole(seed, dtype, x), whole(seed, dtype, [3, x[1]!, 1, 1])],
        build,
        JSON.stringify({ seed, x, windows, isLast }),
      )
      expect(
        names.some(name => name.includes('fold_windows')),
        names.join(),
      ).toBe(true)
    }
  })

  it('follow each other without a change of order, and take what follows them into their kernels', () => {
    for (const dtype of ['f32', 'f16'] as const) {
      const attrs = attrsOf(2, {
        to: dtype,
        padding: [
          [1, 1],
          [1, 1],
        ],
      })
      const relu = (b: GraphBuilder, x: GraphNode): GraphNode =>
        castTo(b, map(b, 'max', castTo(b, x, 'f32'), zeros(b, x)), dtype)
      const inputs = [
        whole(1, dtype, [2, 8, 6, 6]),
        whole(2, dtype, [16, 8, 3, 3]),
        whole(3, dtype, [16, 16, 3, 3]),
        whole(4, dtype, [16, 16, 3, 3]),
      ]
      const names = check(
        inputs,
        (b, [x, first, second, third]) => {
          const start = relu(b, b.node('conv', [x!, first!], attrs))
          const middle = relu(b, b.node('conv', [start, second!], attrs))
          const after = b.node('conv', [middle, third!], attrs)
          const sum = map(b, 'add', castTo(b, after, 'f32'), castTo(b, start, 'f32'))
          return reduce(b, 'add', sum, [2, 3])
        },
        dtype,
      )
      // The image and the weights are copied; the small policy splits K, so that each convolution is two kernels.
      expect(names.filter(name => name.startsWith('copy')).length).toBeLessThanOrEqual(4)
    }
  })
})
