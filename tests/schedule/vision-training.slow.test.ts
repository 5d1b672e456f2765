/** Training steps of convolutional networks on a GPU: gradients keep channels last, and few channels are reduced by many programs. */
import { describe, expect, it } from 'vitest'
import { targetForCuda } from '../../src/backends/cuda/target.js'
import { captureFunction } from '../../src/compile/capture/capture.js'
import { optimise } from '../../src/compile/pipeline.js'
import { interpretGraph } from '../../src/graph/interpret.js'
import type { Graph } from '../../src/graph/ir.js'
import { conv2d, empty, gradients, type Tensor } from '../../src/index.js'
import { productOf } from '../../src/scalar/size.js'
import { launchesAmong, type Plan } from '../../src/schedule/plan/plan.js'
import { randomSpec } from '../support/tensor-spec.js'
import { gpu, gpuFacts, planOf, runPlan, small } from './run.js'

/** Gradients of a convolution, its batch norm, relu and pooling, and a convolution after them. */
function block(x: Tensor, first: Tensor, scale: Tensor, shift: Tensor, second: Tensor): Tensor[] {
  const own = conv2d(x, first, { padding: 1 }).batchNorm(null, null, scale, shift, true)
  const out = conv2d(own.relu().maxPool2d(3, { stride: 2, padding: 1 }), second, { padding: 1 })
  return gradients(out.mul(out).sum(), [x, first, scale, shift, second]).map(gradient => gradient!)
}

const shapesOf = (images: number, size: number, channels: number): number[][] => [
  [images, channels, size, size],
  [channels, channels, 3, 3],
  [channels],
  [channels],
  [channels, channels, 3, 3],
]

function graphOf(shapes: readonly (readonly number[])[], dtype: 'f32' | 'bf16' = 'f32'): Graph {
  const inputs = shapes.map(shape => empty([...shape], { dtype, requiresGrad: true }))
  const options = { name: 'block', fullgraph: true, isDynamic: () => false, runSegment: () => [] }
  const { capture } = captureFunction(block as never, inputs, options)
  return capture!.segment.graph
}

const h200 = targetForCuda({ ...gpuFacts, multiprocessors: 132 })
const large = (): Plan => planOf(optimise(graphOf(shapesOf(32, 56, 64))).graph, false, {}, h200)

describe('training of a convolutional block', () => {
  it.each([
    ['f32', 1e-4],
    ['bf16', 0.03],
  ] as const)('equals the interpreter, %s', (dtype, tolerance) => {
    const shapes = shapesOf(2, 6, 8)
    const graph = optimise(graphOf(shapes, dtype)).graph
    const inputs = shapes.map((shape, i) => randomSpec(i + 1, dtype, shape))
    const expected = interpretGraph(graph, inputs)
    for (const options of [{}, small(gpu)])
      for (const [i, { data }] of runPlan(planOf(graph, false, options, gpu), inputs).entries()) {
        const wanted = expected[i]!.data.map(Number)
        const scale = Math.max(...wanted.map(Math.abs))
        const error = Math.max(...wanted.map((each, at) => Math.abs(Number(data[at]) - each)))
        expect(error, `gradient ${i}`).toBeLessThan(tolerance * scale)
      }
  })

  it('fills the machine wherever it moves whole images', () => {
    const plan = large()
    for (const { kernel, grid, bytes } of launchesAmong(plan.steps))
      if (Number(bytes) > 20e6)
        expect(Number(productOf(grid)), plan.kernels[kernel]!.name).toBeGreaterThanOrEqual(h200.policy.parallelism / 3)
  })

  it('stores no windows of the pooled images, and few images', () => {
    const plan = large()
    const image = 32 * 64 * 56 * 56
    const sizes = plan.buffers.flatMap(buffer => (buffer.kind === 'temp' ? [Number(buffer.elements)] : []))
    expect(Math.max(...sizes)).toBeLessThan(1.2 * image)
  })
})
