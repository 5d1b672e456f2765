/** Times kernels with other block sizes on a GPU, to choose the defaults. */

import { DeviceTimer } from '../../bench/gpu/timing.js'
import { type BlockLimits, cudaLimits } from '../../src/backends/cuda/limits.js'
import { cudaPolicy } from '../../src/backends/cuda/policy.js'
import { computeDevice } from '../../src/backends/index.js'
import { captureFunction } from '../../src/compile/capture/capture.js'
import { makeRunner } from '../../src/compile/execute/runner.js'
import { empty, randn, type Tensor } from '../../src/index.js'
import type { CudaTarget } from '../../src/target/cuda.js'

const timer = new DeviceTimer()

/** The function for these arguments, compiled with these limits. */
function tuned(fn: (...args: Tensor[]) => Tensor, args: readonly Tensor[], limits: Partial<BlockLimits>): () => void {
  const { capture } = captureFunction(fn as never, args, {
    name: 'tuned',
    fullgraph: true,
    isDynamic: () => false,
    runSegment: () => [],
  })
  const { graph, symbols, inputs } = capture!.segment
  const cuda = { ...cudaLimits.cuda, ...limits }
  const device = computeDevice('cuda:0')
  const policy = cudaPolicy(device.target.facts as CudaTarget, { ...cudaLimits, cuda })
  const runner = makeRunner(graph, device, { policy })
  const tensors = inputs.map(({ tensor }) => tensor)
  return () => runner.run(tensors, [], symbols)[0]!.dispose()
}

const x = randn([8192, 4096], { device: 'cuda' }).to('bf16')
const [w, b] = [randn([4096], { device: 'cuda' }).to('bf16'), randn([4096], { device: 'cuda' }).to('bf16')]
const y = randn([8192, 8192], { device: 'cuda' })
const small = randn([1000, 1000], { device: 'cuda' })
const [u, v] = [empty([10_000_000], { device: 'cuda' }), randn([10_000_000], { device: 'cuda' })]

const show = (
  what: string,
  limits: Partial<BlockLimits>,
  cases: Record<string, [(...a: Tensor[]) => Tensor, Tensor[]]>,
): void => {
  const times = Object.entries(cases).map(
    ([name, [f, args]]) => `${name} ${timer.time(tuned(f, args, limits)).toFixed(2)}`,
  )
  console.log(what, JSON.stringify(limits), times.join('  '))
}

const norms: Record<string, [(...a: Tensor[]) => Tensor, Tensor[]]> = {
  softmax: [t => t!.softmax(-1), [x]],
  layer: [(t, p, q) => t!.layerNorm([4096], { weight: p!, bias: q! }), [x, w, b]],
  rms: [(t, p) => t!.rmsNorm([4096], { weight: p! }), [x, w]],
  sum: [t => t!.sum({ dim: 1 }), [y]],
}
for (const rowElements of [8, 16, 32, 64]) show('rows', { rowElements }, norms)
for (const maxReduction of [2048, 4096, 8192]) {
  for (const partsPerSlot of [1, 2, 4]) show('all', { maxReduction, partsPerSlot }, { all: [t => t!.sum(), [y]] })
}
for (const columnBytes of [256, 512, 1024]) {
  for (const partsPerSlot of [1, 2, 4])
    show('cols', { columnBytes, partsPerSlot }, { cols: [t => t!.sum({ dim: 0 }), [y]] })
}
for (const maxPointwise of [512, 1024, 2048, 4096]) {
  show('map', { maxPointwise }, { add: [(p, q) => p!.add(q!).relu().mul(2), [u, v]] })
}
for (const minPointwise of [128, 256, 512, 1024]) {
  for (const maxPointwise of [256, 512, 1024, 2048]) {
    if (minPointwise > maxPointwise) continue
    const call = tuned(t => t!.add(1).mul(2).relu(), [small], { minPointwise, maxPointwise })
    const twenty = timer.time(
      () => {
        for (let i = 0; i < 20; i++) call()
      },
      { flush: false },
    )
    console.log('small', minPointwise, maxPointwise, (twenty / 20).toFixed(2))
  }
}
