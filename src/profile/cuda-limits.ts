/**
 * A GPU's peak rates, measured in the same run that reports ratios to them: by the driver's copy and by kernels in our kernel
 * language, timed on the device by events.
 */
import { computeDevice } from '../backends/index.js'
import { InternalError } from '../base/errors.js'
import { kernel } from '../compile/kernels/kernel.js'
import { prepareLaunch } from '../compile/kernels/kernel-launch.js'
import type { MachineLimits } from '../compile/limits.js'
import type { CudaBlock } from '../runtime/cuda/block.js'
import type { CudaDevice } from '../runtime/cuda/device.js'
import { StepList } from '../runtime/cuda/steps.js'
import { empty, ones, zeros } from '../tensor/create.js'
import { scope } from '../tensor/scope.js'
import { argumentsOf } from '../tile/abi.js'
import { buildKernel, type KernelDefinition, view } from '../tile/kernel.js'
import { bf16, f32, i32 } from '../types/dtype.js'
import { EventTimer } from './event-timer.js'
import { median } from './timing.js'

export interface CudaLimits extends MachineLimits {
  /** bf16 operations per nanosecond of mma.sync with operands in registers: GFLOP/s. */
  readonly matrixFlopsPerNanosecond: number
  /** Time that the calling thread needs to queue a kernel. */
  readonly launchNanoseconds: number
  /** Time per kernel in a CUDA graph of 1,000 dependent small kernels. */
  readonly graphNodeNanoseconds: number
}

const readBlock = 4096
const read = kernel({
  name: 'limit_read',
  params: { x: view(f32, 1), out: view(f32, 1) },
  grid: ({ out }) => [out.size(0)],
  body(t, { x, out }) {
    const program = t.programId(0)
    t.store(out, [program], t.load(x, [program.mul(readBlock)], [readBlock]).sum(0, { keepdim: true }))
  },
})

const fmaTile = 4096
const fma = kernel({
  name: 'limit_fma',
  params: { out: view(f32, 1), iterations: i32 },
  grid: ({ out }) => [out.size(0)],
  body(t, { out, iterations }) {
    const start = t.iota(fmaTile).to(f32)
    const { value } = t.range(0, iterations, 1, { value: start }, (_, { value }) => ({ value: value.fma(0.5, 1e-9) }))
    t.store(out, [t.programId(0)], value.sum(0, { keepdim: true }))
  },
})

const tile = { m: 128, n: 128, k: 32 }
const matrix = kernel({
  name: 'limit_matrix',
  params: { a: view(bf16, 2), b: view(bf16, 2), out: view(f32, 1), iterations: i32 },
  grid: ({ out }) => [out.size(0)],
  body(t, { a, b, out, iterations }) {
    const [left, right] = [t.load(a, [0, 0], [tile.m, tile.k]), t.load(b, [0, 0], [tile.k, tile.n])]
    const { acc } = t.range(0, iterations, 1, { acc: t.zeros([tile.m, tile.n], f32) }, (_, { acc }) => ({
      acc: t.dot(left, right, acc),
    }))
    t.store(out, [t.programId(0)], acc.sum(1).sum(0, { keepdim: true }))
  },
})

const small = {
  name: 'limit_launch',
  params: { out: view(f32, 1) },
  grid: () => [1],
  body(t, { out }) {
    t.store(out, [0], t.load(out, [0], [32]).add(1))
  },
} satisfies KernelDefinition<{ out: ReturnType<typeof view<'f32'>> }, Record<never, never>>

/** Nanoseconds on the device: the minimum of `runs` after a warm-up run. */
function deviceTime(gpu: CudaDevice, body: () => void, runs: number): number {
  const timer = new EventTimer(gpu)
  body()
  return Math.min(...Array.from({ length: runs }, () => timer.sample(body, null)))
}

/** Maximum number of bytes copied: far more than the L2 cache holds. */
const maxBytes = 2 ** 30
/** Programs per SM. */
const programs = 8

/** Measures a GPU's bandwidths, FLOP rates and launch costs: the minimum of `runs` each. Takes a second. Throws DeviceError. */
export function measureCudaLimits(gpu: CudaDevice, runs = 5): CudaLimits {
  return scope(() => {
    const device = gpu.name
    const bytes = Math.min(maxBytes, 2 ** Math.floor(Math.log2(gpu.context.memoryInfo().freeBytes / 8)))
    const x = ones([bytes / 4], { device })
    const y = empty([bytes / 4], { device })
    const [from, to] = [x, y].map(each => each.storage('measure').block as CudaBlock) as [CudaBlock, CudaBlock]
    const copy = deviceTime(gpu, () => gpu.transfers.copy(to, 0, from, 0, bytes, gpu.streams.current), runs)
    const sums = empty([bytes / 4 / readBlock], { device })
    const reading = deviceTime(gpu, () => read.launch({ x, out: sums }), runs)
    const count = gpu.facts.multiprocessors * programs
    const out = empty([count], { device })
    const [fmaIterations, matrixIterations] = [20_000, 4_000]
    const adding = deviceTime(gpu, () => fma.launch({ out, iterations: fmaIterations }), runs)
    const a = zeros([tile.m, tile.k], { dtype: 'bf16', device })
    const b = zeros([tile.k, tile.n], { dtype: 'bf16', device })
    const multiplying = deviceTime(gpu, () => matrix.launch({ a, b, out, iterations: matrixIterations }), runs)
    return {
      copyBytesPerNanosecond: (2 * bytes) / copy,
      readBytesPerNanosecond: bytes / reading,
      flopsPerNanosecond: (2 * fmaTile * fmaIterations * count) / adding,
      matrixFlopsPerNanosecond: (2 * tile.m * tile.n * tile.k * matrixIterations * count) / multiplying,
      ...measureLaunches(gpu, runs),
    }
  })
}

const launches = 1000

/** What `body` returns for a list of one small launch and one of `count`, one after another in the same memory. */
function withSmallSteps<R>(gpu: CudaDevice, count: number, body: (one: StepList, many: StepList) => R): R {
  const program = buildKernel(small)
  const facts = { divisors: argumentsOf(program.params).map(() => 1), indices: 'i32' as const }
  const { steps } = prepareLaunch(program, computeDevice(gpu.name), facts)
  if (!(steps instanceof StepList)) throw new InternalError('a launch for a GPU without its steps')
  const block = gpu.allocator.allocate(1024)
  try {
    const [step] = steps.specs
    const many = gpu.stepList(Array.from({ length: count }, () => step!))
    for (const list of [steps, many]) {
      for (let i = 0; i < list.length; i++) {
        list.setPointer(i, 0, block.address)
        list.setInt(i, 1, 32)
        list.setInt(i, 2, 1)
      }
    }
    return body(steps, many)
  } finally {
    gpu.allocator.release(block)
  }
}

/** Nanoseconds of a launch, and of a node in a CUDA graph. */
function measureLaunches(
  gpu: CudaDevice,
  runs: number,
): Pick<CudaLimits, 'launchNanoseconds' | 'graphNodeNanoseconds'> {
  const { current } = gpu.streams
  return withSmallSteps(gpu, launches, (one, many) => {
    // A stream's queue holds about a thousand launches; when it is full, queueing waits, which must not be measured.
    const queueing = median(() => {
      for (let i = 0; i < launches / 4; i++) one.run(current)
    }, runs)
    gpu.synchronize()
    using graph = gpu.stepGraph(many)
    const nodes = deviceTime(gpu, () => graph.launch(current), runs)
    return { launchNanoseconds: queueing / (launches / 4), graphNodeNanoseconds: nodes / launches }
  })
}

const timedLaunches = 100

/** Nanoseconds that a kernel in a timed graph (runtime/cuda/timed-graph.ts) seems to take longer than in a graph without events. */
export function measureEventCost(gpu: CudaDevice, runs = 5): number {
  const { current } = gpu.streams
  return withSmallSteps(gpu, timedLaunches, (_, many) => {
    using graph = gpu.stepGraph(many)
    const timed = gpu.timedGraph(many)
    const plain = deviceTime(gpu, () => graph.launch(current), runs)
    const withEvents = deviceTime(gpu, () => timed.launch(current), runs)
    return Math.max(0, (withEvents - plain) / timedLaunches)
  })
}
