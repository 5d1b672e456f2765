/** What a cost model expects of a group's strategies, and what it chooses. */

import { describe, expect, it } from 'vitest'
import { cudaPolicy } from '../../src/backends/cuda/policy.js'
import { sizeSymbol } from '../../src/scalar/size.js'
import { bestStrategy, estimateGroup } from '../../src/schedule/kernels/group-cost.js'
import type { LaunchStep } from '../../src/schedule/plan/plan.js'
import { cudaArchs, genericCudaTarget } from '../../src/target/cuda.js'
import { target } from './run.js'

const step = (tiles: LaunchStep['grid'][0], flops: number): LaunchStep => ({
  kind: 'launch',
  device: 0,
  kernel: 0,
  args: [],
  grid: [tiles, 1, 1],
  bytes: flops / 100,
  flops,
  ops: [],
  lines: [],
})

describe('estimateGroup', () => {
  const gpu = cudaPolicy(genericCudaTarget(cudaArchs.sm_90a)).rates
  // Each leaves most multiprocessors idle: together they fill them.
  const few = Array.from({ length: 8 }, () => step(32, 8e9))

  it('matmuls that leave a GPU idle one by one run concurrently', () => {
    const estimates = estimateGroup(few, gpu)!
    expect(estimates.sequential).toBeGreaterThan(2 * estimates.graph)
    expect(estimates.streams).toBeGreaterThan(estimates.graph)
    expect(estimates.persistent).toBeGreaterThan(estimates.graph)
    expect(bestStrategy(estimates, few.length)).toBe('graph')
  })

  it('many small matmuls are one kernel', () => {
    const many = Array.from({ length: 64 }, () => step(4, 1e8))
    const estimates = estimateGroup(many, gpu)!
    expect(estimates.graph).toBeGreaterThan(estimates.persistent)
    expect(bestStrategy(estimates, many.length)).toBe('persistent')
  })

  it('a single matmul is launched alone', () => {
    expect(bestStrategy(estimateGroup(few.slice(0, 1), gpu), 1)).toBe('sequential')
  })

  it('a CPU runs streams and graphs in order', () => {
    const { sequential, streams, graph } = estimateGroup(few, target.policy.rates)!
    expect([streams, graph]).toEqual([sequential, sequential])
  })

  it('predicts nothing for sizes known only at the launch', () => {
    const open = [step(sizeSymbol('n', 1), 1e9), step(4, 1e9)]
    expect(estimateGroup(open, gpu)).toBeNull()
    expect(bestStrategy(null, 2)).toBe('persistent')
  })
})
