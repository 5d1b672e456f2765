/** Products whose operands' rows do not begin at whole accesses: copied to rows that do. */

import { describe, expect, it } from 'vitest'
import { cudaPolicy } from '../../src/backends/cuda/policy.js'
import { targetForCuda } from '../../src/backends/cuda/target.js'
import { emitPtx } from '../../src/codegen/ptx/emit.js'
import { runPipeline } from '../../src/compile/pipeline.js'
import { buildGraph } from '../../src/graph/apply.js'
import type { Graph } from '../../src/graph/ir.js'
import { type RecordName, recordTable } from '../../src/graph/ops/index.js'
import type { OpRecord } from '../../src/graph/record.js'
import type { SchedulePolicy } from '../../src/schedule/policy.js'
import { cudaArchs, genericCudaTarget } from '../../src/target/cuda.js'
import { assemble, noAssembler } from '../codegen/ptx/assemble.js'
import { expectBlocks } from '../native/agreement-cuda.js'
import { difference } from '../support/compare.js'
import { launchesOf } from '../support/launches.js'
import { expectedResults, graphOf } from '../support/record-graph.js'
import type { Sample } from '../support/sample-kinds.js'
import { arg, count, seededRandom, spec, type TensorSpec, withLayout } from '../support/tensor-spec.js'
import { gpu, gpuFacts, planOf, runPlan } from './run.js'

const always = { bytes: 16, leastUses: 1, leastWork: 1 }
const withAligned = (usual: SchedulePolicy, aligned: typeof always | null = always): SchedulePolicy => ({
  ...usual,
  dots: { ...usual.dots, aligned },
})
const policy = withAligned(cudaPolicy(gpuFacts))

function matrix(
  shape: readonly number[],
  dtype: 'f16' | 'bf16' | 'f32' = 'f16',
  special: number | null = null,
): TensorSpec {
  const random = seededRandom(count(shape) + 3)
  const data = Array.from({ length: count(shape) }, () => Math.floor(random() * 9) - 4)
  if (special !== null) data[data.length - 1] = special
  return spec(dtype, shape, data)
}

const product = (x: TensorSpec, y: TensorSpec, name = ''): Sample => ({ name, inputs: [x, y], args: [arg(0), arg(1)] })
const copiesIn = (graph: Graph, own = policy): number =>
  planOf(graph, true, { policy: own }, gpu).kernels.filter(({ name }) => name.startsWith('pad_copy')).length
const record = (name: RecordName): OpRecord => recordTable[name] as OpRecord
const copiesOf = (each: Sample, own = policy): number => copiesIn(graphOf(record('matmul'), each), own)

const cases: readonly Sample[] = [
  ...[15, 16, 17, 23, 24, 25].map(k => product(matrix([20, k]), matrix([k, 19]), `k ${k}`)),
  ...[16, 17, 24].map(n => product(matrix([17, 24], 'bf16'), matrix([24, n], 'bf16'), `n ${n}`)),
  product(matrix([2, 18, 21]), matrix([2, 21, 22]), 'of a batch'),
  product(matrix([18, 21], 'f16', Number.NaN), matrix([21, 22], 'f16', Infinity), 'with NaN and ∞'),
  product(withLayout(matrix([18, 21]), 'transposed'), withLayout(matrix([21, 23]), 'transposed'), 'transposed'),
  product(withLayout(matrix([18, 21]), 'transposed'), matrix([21, 24]), 'one of them'),
]
const exact = { relative: 0, absolute: 0, anyZero: true }

describe('products of rows that do not begin at whole accesses', () => {
  it('are of copies, where the product is large enough', () => {
    const odd = product(matrix([20, 17]), matrix([17, 19]))
    expect(copiesOf(odd)).toBe(2)
    expect(copiesOf(product(matrix([20, 24]), matrix([24, 19])))).toBe(1)
    expect(copiesOf(product(matrix([20, 24]), matrix([24, 16])))).toBe(0)
    expect(copiesOf(product(matrix([20, 17], 'f32'), matrix([17, 19], 'f32')))).toBe(0)
    expect(copiesOf(odd, withAligned(policy, { ...always, leastUses: 19 }))).toBe(2)
    expect(copiesOf(odd, withAligned(policy, { ...always, leastUses: 20 }))).toBe(0)
    expect(copiesOf(odd, withAligned(policy, { ...always, leastWork: 20 * 17 * 19 }))).toBe(2)
    expect(copiesOf(odd, withAligned(policy, { ...always, leastWork: 20 * 17 * 19 + 1 }))).toBe(0)
    expect(copiesOf(odd, withAligned(policy, null))).toBe(0)
  })
  it('do not copy what repeats', () => {
    const repeated = buildGraph(
      [
        { name: 'x', dtype: 'f16', shape: [17, 23] },
        { name: 'y', dtype: 'f16', shape: [4, 23, 24] },
      ],
      [],
      (b, [x, y]) => [
        b.node('matmul', [b.node('expand', [x!], { shape: [4, 17, 23] }), y!], { accumulate: 'f32', to: 'f16' }),
      ],
    )
    expect(copiesIn(repeated)).toBe(0)
  })
  it('are those of the reference', () => {
    for (const each of cases) {
      const [expected] = expectedResults(record('matmul'), each)
      const [result] = runPlan(planOf(graphOf(record('matmul'), each), true, { policy }, gpu), each.inputs)
      expect(difference(result!, expected!, exact), each.name).toBeNull()
    }
  })
  for (const each of [cases[0]!, cases[2]!, cases.at(-2)!])
    it(`leave no race: ${each.name}`, () => {
      const { plan, lanes } = runPipeline(graphOf(record('matmul'), each), { ...gpu, policy })
      expectBlocks(launchesOf(each.name, plan, lanes, each.inputs, () => exact))
    })
})

describe.skipIf(noAssembler !== null)('kernels of copied operands (needs ptxas)', () => {
  for (const arch of [cudaArchs.sm_80, cudaArchs.sm_90a])
    it(`assemble for ${arch.name}`, () => {
      const machine = genericCudaTarget(arch)
      const each = product(matrix([129, 131]), matrix([131, 133]))
      const target = targetForCuda(machine)
      const { lanes } = runPipeline(graphOf(record('matmul'), each), { ...target, policy: withAligned(target.policy) })
      const text = emitPtx(lanes, machine)
      expect(text).toContain('cp.async')
      assemble(text, arch)
    })
})
