/** Convolutions on a target with kernels for channels that are last: plans equal the primitive, in whole numbers. */
import { describe, expect, it } from 'vitest'
import { buildGraph } from '../../src/graph/apply.js'
import { interpretGraph } from '../../src/graph/interpret.js'
import type { GraphBuilder, GraphNode, GraphOps } from '../../src/graph/ir.js'
import type { Dtype } from '../../src/types/dtype.js'
import { Choices } from '../support/choices.js'
import { randomSpec, type TensorSpec } from '../support/tensor-spec.js'
import { gpu, launches, planOf, runPlan, small } from './run.js'

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

type Build = (b: GraphBuilder, nodes: readonly GraphNode[]) => GraphNode

function check(inputs: readonly TensorSpec[], build: Build, what: string): string[] {
  const graph = buildGraph(inputs, [], (b, nodes) => [build(b, nodes)])
  const [expected] = interpretGraph(graph, inputs)
  let names: string[] = []
  for (const options of [{}, small(gpu)]) {
    const plan = planOf(graph, true, options, gpu)
    const [result] = runPlan(plan, inputs)
    expect({ shape: result!.shape, data: result!.data }, what).toEqual({ shape: expected!.shape, data: expected!.data })
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
  return { x: [1 + choices.below(3), inner * groups, ...sizes], weight: [outputs, inner, ...kernel], attrs, bias: choices.oneIn(2) }
}

describe('convolutions with channels last', () => {
  it('equal the primitive', () => {
    const cases = Array.from({ length: 60 }, (_, seed) => randomCase(seed)).filter(each => each !== null)
    expect(cases.length).toBeGreaterThan(20)
    for (const [i, { x, weight, attrs, bias }] of cases.entries()) {
      const dtype = i % 3 === 0 ? 'f16' : 'f32'
      const inputs = [whole(i, dtype, x), whole(i + 1, dtype, weight), ...(bias ? [whole(i, 'f32', [weight[0]!])] : [])]
      const to = { ...attrs, to: dtype as Dtype }
      check(inputs, (b, nodes) => b.node('conv', nodes, to), JSON.stringify({ i, x, weight, attrs }))
    }
  })
})
