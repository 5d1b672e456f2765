/** `tegula devices`: the devices of this machine, with measured limits. */
import { CompilerError, DeviceError } from '../base/errors.js'
import { formatBytes, formatTime, threeDigits } from '../base/units.js'
import { installExecutors } from '../compile/executors.js'
import type { MachineLimits } from '../compile/limits.js'
import { type CudaLimits, measureCudaLimits } from '../profile/cuda-limits.js'
import { fmaRate, measureLimits, uncachedFloats } from '../profile/limits.js'
import { alignedText } from '../profile/table.js'
import { cpuDevice } from '../runtime/cpu/device.js'
import { threadCount } from '../runtime/cpu/native-runtime.js'
import { cudaDevice, cudaDeviceCount } from '../runtime/cuda/device.js'
import { cudaVersion } from '../runtime/cuda/driver.js'
import { cpuTarget } from '../target/cpu.js'
import { archOf } from '../target/cuda.js'
import type { Progress, Report } from './output.js'

export interface CpuReport {
  readonly device: 'cpu'
  readonly model: string
  readonly arch: string
  readonly cores: number
  /** Threads of the pool that runs kernels. */
  readonly threads: number
  readonly vectorBits: number
  readonly vectorRegisters: number
  readonly fma: boolean
  readonly features: readonly string[]
  /** Bytes; null when unknown. l1 and l2 are per core. */
  readonly caches: { readonly l1: number | null; readonly l2: number | null; readonly l3: number | null }
  readonly compiler: { readonly program: string; readonly version: string } | null
  /** GFLOP/s and GB/s; null when not measured. */
  readonly measured: (MachineLimits & { readonly flopsPerNanosecondOneThread: number }) | null
  /** The reason why there is no C compiler. */
  readonly problem: string | null
}

interface GpuReport {
  readonly device: string
  readonly model: string
  readonly multiprocessors: number
  readonly memory: { readonly total: number; readonly free: number; readonly l2: number }
  /** Per block, in bytes. */
  readonly sharedMemory: number
  /** '9.0' */
  readonly computeCapability: string
  /** Architecture of the generated PTX: 'sm_90a'; null: the GPU is too old. */
  readonly architecture: string | null
  /** The CUDA version that the driver supports: '13.0'. */
  readonly driver: string
  readonly uuid: string
  /** GFLOP/s, GB/s and nanoseconds; null when not measured. */
  readonly measured: CudaLimits | null
  /** The reason why the GPU cannot be used. */
  readonly problem: string | null
}

/** Throws CacheError when the cache cannot be used. */
export function devices(measure: boolean, progress: Progress): Report {
  const cpu = describeCpu(measure, progress)
  const { gpus, problem } = findGpus(measure, progress)
  const texts = [
    printCpu(cpu),
    ...gpus.map(gpu => ('model' in gpu ? printGpu(gpu) : alignedText([[gpu.device, gpu.problem]]))),
  ]
  if (problem !== null) texts.push(alignedText([['cuda', problem]]))
  return { data: { devices: [cpu, ...gpus], cuda: { problem } }, text: texts.join('\n\n') }
}

interface BrokenGpu {
  readonly device: string
  readonly problem: string
}

/** The GPUs; `problem`: the reason why there are none. */
export function findGpus(
  measure: boolean,
  progress: Progress,
): { readonly gpus: readonly (GpuReport | BrokenGpu)[]; readonly problem: string | null } {
  let count: number
  try {
    count = cudaDeviceCount()
  } catch (error) {
    if (error instanceof DeviceError) return { gpus: [], problem: error.what }
    throw error
  }
  const gpus = Array.from({ length: count }, (_, index): GpuReport | BrokenGpu => {
    try {
      return describeGpu(index, measure, progress)
    } catch (error) {
      if (error instanceof DeviceError) return { device: `cuda:${index}`, problem: error.what }
      throw error
    }
  })
  return { gpus, problem: null }
}

/** Properties of a GPU, with measured limits if `measure`. */
function describeGpu(index: number, measure: boolean, progress: Progress): GpuReport {
  const gpu = cudaDevice(index)
  const { facts, context, name } = gpu
  const arch = archOf(facts.capability)
  const problem = arch === null ? 'it is too old: Tegula generates code for compute capability 8.0 and later' : null
  if (measure && arch !== null) {
    progress(`measuring ${name}`)
    installExecutors()
  }
  return {
    device: name,
    model: facts.name,
    multiprocessors: facts.multiprocessors,
    memory: { total: facts.memoryBytes, free: context.memoryInfo().freeBytes, l2: facts.l2Bytes },
    sharedMemory: facts.sharedBytesPerBlock,
    computeCapability: (facts.capability / 10).toFixed(1),
    architecture: arch?.name ?? null,
    driver: cudaVersion(facts.driverVersion),
    uuid: facts.uuid,
    measured: measure && arch !== null ? measureCudaLimits(gpu) : null,
    problem,
  }
}

function printGpu(gpu: GpuReport): string {
  const { measured, memory } = gpu
  const rows = [
    [gpu.device, gpu.model],
    [
      'compute',
      `capability ${gpu.computeCapability}, code for ${gpu.architecture ?? 'none'}, ${gpu.multiprocessors} SMs, ` +
        `${formatBytes(gpu.sharedMemory)} of shared memory a block`,
    ],
    ['memory', `${formatBytes(memory.total)}, ${formatBytes(memory.free)} free, L2 ${formatBytes(memory.l2)}`],
    ['driver', `CUDA ${gpu.driver}`],
  ]
  if (gpu.problem !== null) rows.push(['problem', gpu.problem])
  if (measured !== null) {
    rows.push(
      [
        'bandwidth',
        `copy ${threeDigits(measured.copyBytesPerNanosecond)} GB/s (bytes read plus bytes written), read ` +
          `${threeDigits(measured.readBytesPerNanosecond)} GB/s`,
      ],
      [
        'arithmetic',
        `f32 FMA ${threeDigits(measured.flopsPerNanosecond / 1000)} TFLOP/s, bf16 matrix instructions (mma.sync) ` +
          `${threeDigits(measured.matrixFlopsPerNanosecond / 1000)} TFLOP/s`,
      ],
      [
        'launches',
        `${formatTime(measured.launchNanoseconds)} each, ${formatTime(measured.graphNodeNanoseconds)} each in a graph`,
      ],
    )
  }
  return alignedText(rows)
}

/** Properties of the CPU, with measured limits if `measure`. */
export function describeCpu(measure: boolean, progress: Progress): CpuReport {
  const device = cpuDevice()
  const { compiler, problem } = findCompiler()
  const { facts } = device
  const target = cpuTarget(facts)
  return {
    device: 'cpu',
    model: facts.model,
    arch: facts.arch,
    cores: facts.cores,
    threads: threadCount(),
    vectorBits: target.vectorBytes * 8,
    vectorRegisters: target.vectorRegisters,
    fma: target.fma,
    features: facts.features,
    caches: { l1: facts.l1Bytes || null, l2: facts.l2Bytes || null, l3: facts.l3Bytes || null },
    compiler,
    measured: measure && compiler !== null ? measureCpu(progress) : null,
    problem,
  }
}

function findCompiler(): Pick<CpuReport, 'compiler' | 'problem'> {
  try {
    const { program, version } = cpuDevice().toolchain.compiler()
    return { compiler: { program: [program.file, ...program.args].join(' '), version }, problem: null }
  } catch (error) {
    if (error instanceof CompilerError) return { compiler: null, problem: error.message }
    throw error
  }
}

function measureCpu(progress: Progress): CpuReport['measured'] {
  progress('measuring the CPU')
  return { ...measureLimits(), flopsPerNanosecondOneThread: fmaRate(1, 5) }
}

function printCpu(cpu: CpuReport): string {
  const { caches, compiler, measured, problem } = cpu
  const size = (bytes: number | null): string => (bytes === null ? 'unknown' : formatBytes(bytes))
  const rows = [
    ['cpu', cpu.model],
    [
      'architecture',
      `${cpu.arch}, ${cpu.vectorBits}-bit vectors, ${cpu.vectorRegisters} registers${cpu.fma ? ', FMA' : ''}`,
    ],
    ['cores', `${cpu.cores}, used with ${cpu.threads} ${cpu.threads === 1 ? 'thread' : 'threads'}`],
    ['caches', `L1 ${size(caches.l1)} and L2 ${size(caches.l2)} per core, L3 ${size(caches.l3)}`],
    ['compiler', compiler === null ? (problem ?? 'none') : `${compiler.program} (${compiler.version})`],
  ]
  if (measured !== null) {
    const { flopsPerNanosecond, flopsPerNanosecondOneThread, copyBytesPerNanosecond, readBytesPerNanosecond } = measured
    const { matrixFlopsPerNanosecond: dots } = measured
    rows.push(
      [
        'f32 FMA',
        `${threeDigits(flopsPerNanosecond)} GFLOP/s, ${threeDigits(flopsPerNanosecondOneThread)} on one thread`,
      ],
      ...(dots === undefined ? [] : [['bf16 dots', `${threeDigits(dots)} GFLOP/s`]]),
      ['memory', `copy ${threeDigits(copyBytesPerNanosecond)} GB/s, read ${threeDigits(readBytesPerNanosecond)} GB/s`],
      ['', `(arrays of ${formatBytes(uncachedFloats() * 4)}, bytes read plus bytes written)`],
    )
  }
  return alignedText(rows)
}
