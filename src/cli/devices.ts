/** `tegula devices`: what was found, with measured limits. */
import { CompilerError } from '../base/errors.js'
import { digits, formatBytes } from '../base/units.js'
import type { MachineLimits } from '../compile/limits.js'
import { fmaRate, measureLimits, uncachedFloats } from '../profile/limits.js'
import { cpuDevice } from '../runtime/cpu/device.js'
import { threadCount } from '../runtime/cpu/native-runtime.js'
import { cpuTarget } from '../target/target.js'
import { type Progress, type Report, table } from './output.js'

interface CpuReport {
  readonly device: 'cpu'
  readonly model: string
  readonly arch: string
  readonly cores: number
  /** Of the pool that runs kernels. */
  readonly threads: number
  readonly vectorBits: number
  readonly vectorRegisters: number
  readonly fma: boolean
  readonly features: readonly string[]
  /** Bytes; null when the system does not tell. l1 and l2 are per core. */
  readonly caches: { readonly l1: number | null; readonly l2: number | null; readonly l3: number | null }
  readonly compiler: { readonly program: string; readonly version: string } | null
  /** GFLOP/s and GB/s; null when not measured. */
  readonly measured: (MachineLimits & { readonly flopsPerNanosecondOneThread: number }) | null
  /** Why there is no compiler. */
  readonly problem: string | null
}

/** Throws CacheError when the cache cannot be used. */
export function devices(measure: boolean, progress: Progress): Report {
  const cpu = describeCpu(measure, progress)
  return { data: { devices: [cpu] }, text: printCpu(cpu) }
}

function describeCpu(measure: boolean, progress: Progress): CpuReport {
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
    rows.push(
      ['f32 FMA', `${digits(flopsPerNanosecond)} GFLOP/s, ${digits(flopsPerNanosecondOneThread)} on one thread`],
      ['memory', `copy ${digits(copyBytesPerNanosecond)} GB/s, read ${digits(readBytesPerNanosecond)} GB/s`],
      ['', `(arrays of ${formatBytes(uncachedFloats() * 4)}, bytes read plus bytes written)`],
    )
  }
  return table(rows)
}
