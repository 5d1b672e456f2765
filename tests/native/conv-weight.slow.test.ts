/**
 * Gradients of convolutions' weights on a GPU: channels around the widths of tiles, images and places around blocks of K.
 * The plan as interpreted, and simulated blocks of threads, give the reference.
 */
import { describe, expect, it } from 'vitest'
import { targetForCuda } from '../../src/backends/cuda/target.js'
import { runPipeline } from '../../src/compile/pipeline.js'
import { buildGraph } from '../../src/graph/apply.js'
import { interpretGraph } from '../../src/graph/interpret.js'
import { cudaArchs, genericCudaTarget } from '../../src/target/cuda.js'
import { runPlan } from '../schedule/run.js'
import { difference, toleranceFor } from '../support/compare.js'
import { launchesOf } from '../support/launches.js'
import { randomSpec } from '../support/tensor-spec.js'
import { expectBlocks } from './agreement-cuda.js'

interface Case {
  readonly dtype: 'f16' | 'bf16' | 'f32'
  readonly images: number
  readonly channels: number
  readonly outputs: number
  readonly size: readonly number[]
  readonly taps: number
  readonly stride?: number
}

const cases: readonly Case[] = [
  { dtype: 'bf16', images: 3, channels: 16, outputs: 16, size: [4, 6], taps: 3 },
  { dtype: 'f16', images: 17, channels: 24, outputs: 72, size: [3, 5], taps: 3 },
  { dtype: 'bf16', images: 2, channels: 40, outputs: 64, size: [8, 8], taps: 3, stride: 2 },
  { dtype: 'bf16', images: 65, channels: 32, outputs: 136, size: [2, 2], taps: 1 },
  { dtype: 'f32', images: 3, channels: 20, outputs: 36, size: [5, 6], taps: 3 },
  { dtype: 'f32', images: 2, channels: 64, outputs: 68, size: [6, 6], taps: 2, stride: 2 },
]

/** x and gradients with the channels last in memory, seen as the convolution that gives the gradient sees them. */
function graphOf({ dtype, images, channels, outputs, size, taps, stride = 1 }: Case) {
  const before = Math.floor((taps - 1) / 2)
  const after = taps - 1 - before
  const places = size.map(length => Math.floor((length + before + after - taps) / stride) + 1)
  const x = randomSpec(1, dtype, [images, ...size, channels])
  const g = randomSpec(2, dtype, [images, ...places, outputs])
  const rest = size.map(length => (length + before + after - taps) % stride)
  const graph = buildGraph([x, g], [], (b, [image, gradient]) => {
    const [left, right] = [image!, gradient!].map(node => b.node('permute', [node], { dims: [3, 0, 1, 2] }))
    return [
      b.node('conv', [left!, right!], {
        stride: [1, 1],
        padding: rest.map(more => [before, after - more] as const),
        dilation: [stride, stride],
        inputDilation: [1, 1],
        groups: 1,
        accumulate: 'f32',
        to: dtype,
      }),
    ]
  })
  return { graph, inputs: [x, g] }
}

describe.each(['sm_80', 'sm_90a'] as const)('gradients of weights on %s', arch => {
  it.each(cases)('%j', { timeout: 600_000 }, each => {
    const facts = { ...genericCudaTarget(cudaArchs[arch]), multiprocessors: 4 }
    const { graph, inputs } = graphOf(each)
    const { plan, lanes } = runPipeline(graph, targetForCuda(facts))
    const [expected] = interpretGraph(graph, inputs)
    const tolerance = toleranceFor('conv2d', each.dtype)
    expect(difference(runPlan(plan, inputs)[0]!, expected!, tolerance)).toBeNull()
    expect(plan.kernels.some(({ name }) => name.startsWith('conv_weight'))).toBe(true)
    expectBlocks(
      launchesOf(JSON.stringify(each), plan, lanes, inputs, dtype => toleranceFor('conv2d', dtype)),
      facts,
    )
  })
})
