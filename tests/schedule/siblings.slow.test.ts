/** Products that share an operand, in random forms: what the plan gives, and every lowering of it, is what the graph means. */
import { describe, expect, it } from 'vitest'
import { runPipeline } from '../../src/compile/pipeline.js'
import { interpretGraph } from '../../src/graph/interpret.js'
import type { GraphNode } from '../../src/graph/ir.js'
import { nodesOf } from '../../src/ir/walk.js'
import type { TileNode } from '../../src/tile/ir.js'
import { expectBlocks } from '../native/agreement-cuda.js'
import { difference, type Tolerance } from '../support/compare.js'
import { launchesOf, simulatedDifference } from '../support/launches.js'
import { randomSpec, seededRandom, type TensorSpec } from '../support/tensor-spec.js'
import { type Apply, graphOn } from './build.js'
import { gpu, runPlan, small, target } from './run.js'

interface Form {
  readonly text: string
  readonly inputs: readonly TensorSpec[]
  readonly build: (op: Apply, ...inputs: GraphNode[]) => readonly GraphNode[]
}

/** One to four products of a common operand, each operand perhaps turned, mapped or sliced, and how they meet. */
function randomForm(seed: number): Form {
  const random = seededRandom(seed)
  const below = (count: number): number => Math.floor(random() * count)
  const chance = (share: number): boolean => random() < share
  const [m, n, k] = [1 + below(20), 1 + below(20), 1 + below(24)]
  const batch = chance(0.3) ? [2] : []
  const dtype = (['f32', 'f32', 'f16', 'f64'] as const)[below(4)]!
  const count = 2 + below(3)
  const isLeft = chance(0.7)
  const [common, own] = isLeft ? [[m, k] as const, [k, n] as const] : [[k, n] as const, [m, k] as const]
  const shapes = [common, ...Array.from({ length: count }, () => own)].map(([rows, columns]) => {
    const isTurned = chance(0.4)
    return { shape: [...batch, ...(isTurned ? [columns, rows] : [rows, columns])], isTurned, map: below(4) }
  })
  const inputs = shapes.map(({ shape }, i) => randomSpec(seed * 10 + i, dtype, shape, { low: -1, high: 1 }))
  const meets = Array.from({ length: count }, () => below(4))
  const isShown = chance(0.2)
  const build = (op: Apply, ...nodes: GraphNode[]): GraphNode[] => {
    const operands = nodes.map((node, i) => {
      const { isTurned, map } = shapes[i]!
      const turned = isTurned ? op('transpose', node, -1, -2) : node
      return map === 0 ? op('relu', turned) : map === 1 ? op('mul', turned, 0.5) : turned
    })
    const [shared, ...others] = operands as [GraphNode, ...GraphNode[]]
    const products = others.map(other => (isLeft ? op('matmul', shared, other) : op('matmul', other, shared)))
    const result = products.reduce((sum, product, i) => {
      const how = meets[i]!
      if (how === 0) return op('add', sum, product)
      if (how === 1) return op('mul', op('silu', sum), product)
      return how === 2 ? op('sub', op('tanh', product), sum) : op('maximum', sum, op('mul', product, 2))
    })
    return isShown ? [result, products[0]!] : [result]
  }
  const text = `${dtype} ${m}×${n}×${k}${batch.length > 0 ? ', batch' : ''}, ${count} of one ${isLeft ? 'left' : 'right'}`
  return { text, inputs, build }
}

const units: Partial<Record<string, number>> = { f64: 2 ** -40, f32: 2 ** -16, f16: 2 ** -6 }

describe('matmuls that share an operand', () => {
  const count = Number(process.env.TEGULA_TEST_SEEDS ?? 20)
  let merged = 0
  for (let first = 0; first < count; first += 20)
    it(`seeds ${first} to ${first + 19}`, () => {
      for (let seed = first; seed < first + 20; seed++) merged += check(seed)
    })

  it('mostly become one kernel', () => expect(merged).toBeGreaterThan(count * 1.5))

  /** How many of the three plans have several products in a kernel. */
  function check(seed: number): number {
    const { text, inputs, build } = randomForm(seed)
    const graph = graphOn(
      inputs.map(({ dtype, shape }) => ({ dtype, shape })),
      build,
    )
    const expected = interpretGraph(graph, inputs)
    const unit = units[inputs[0]!.dtype]!
    const tolerance: Tolerance = { relative: unit, absolute: 8 * unit, anyZero: true }
    let severally = 0
    for (const [on, options] of [
      [target, {}],
      [target, small(target)],
      [gpu, {}],
    ] as const) {
      const { plan, lanes } = runPipeline(graph, on, options)
      const label = `seed ${seed}: ${text}, ${on.name}${'policy' in options ? ', small blocks' : ''}`
      for (const [i, result] of runPlan(plan, inputs).entries())
        expect(difference(result, expected[i]!, tolerance), label).toBeNull()
      const dots = plan.kernels.map(({ body }) => [...nodesOf<TileNode>(body)].filter(({ op }) => op === 'dot').length)
      if (Math.max(...dots) > 1) severally++
      if (seed % 3 !== 0) continue
      const launches = launchesOf(label, plan, lanes, inputs, () => tolerance)
      if (on === gpu) expectBlocks(launches)
      else for (const launch of launches) expect(simulatedDifference(launch), launch.name).toBeNull()
    }
    return severally
  }
})
