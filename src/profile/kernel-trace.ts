/**
 * Start and end of each kernel on the GPU, also inside CUDA graphs, from the activity records of CUPTI, NVIDIA's profiling library (in
 * the CUDA toolkit and in PyTorch). The profiled program runs unmodified.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { env } from '../base/env.js'
import { ArgumentError, CompilerError } from '../base/errors.js'
import { cpuDevice } from '../runtime/cpu/device.js'
import type { NativeFunction, NativeModule } from '../runtime/cpu/library.js'
import { NativeWords } from '../runtime/native.js'
import { kernelTraceSource, recordWords } from './kernel-trace-source.js'

/** A kernel that ran. */
export interface TracedKernel {
  /** Nanoseconds since the trace's start. */
  readonly start: number
  readonly end: number
  /** Of the call that launched it: later calls have larger ones, all kernels of a graph's launch the same. */
  readonly correlation: number
  /** Number of the GPU. */
  readonly device: number
  /** `hashOf` its name. */
  readonly name: number
}

/** FNV-1a hash of a kernel's name, as `hash` in the C shim computes it. */
export function hashOf(name: string): number {
  let value = 2166136261
  for (const byte of new TextEncoder().encode(name)) value = Math.imul(value ^ byte, 16777619) >>> 0
  return value
}

const kernelsAtOnce = 4096
/** Of TEGULA_LIBCUPTI: no CUPTI. */
const off = '0'

export class KernelTrace {
  readonly #start: NativeFunction
  readonly #stop: NativeFunction
  readonly #take: NativeFunction

  private constructor(module: NativeModule) {
    this.#start = module.function('int tg_trace_start(void)')
    this.#stop = module.function('int tg_trace_stop(void)')
    this.#take = module.function('double tg_trace_take(double address, double most)')
  }

  /**
   * Null if CUPTI is not found or does not work here, if TEGULA_LIBCUPTI is 0, or without a C compiler for the shim. Throws
   * ArgumentError when TEGULA_LIBCUPTI names a library that cannot be used.
   */
  static open(): KernelTrace | null {
    try {
      const module = cpuDevice().loadModule(kernelTraceSource, { flags: ['-pthread', '-ldl', '-Wl,-z,nodelete'] })
      const open = module.function<[path: string]>('int tg_trace_open(const char *path)')
      if (libraries().some(path => open(path) === 0)) return new KernelTrace(module)
    } catch (error) {
      if (!(error instanceof CompilerError)) throw error
    }
    const given = env('libcupti')
    if (given === undefined || given === off) return null
    throw new ArgumentError(`TEGULA_LIBCUPTI is ${JSON.stringify(given)}, which cannot be used as CUPTI`, {
      fix: 'give the path of libcupti.so, unset it to search for it, or set it to 0 to profile without CUPTI',
      at: null,
    })
  }

  /** Returns whether kernels are recorded from now on. */
  start(): boolean {
    return this.#start() === 0
  }

  /** Ends the recording; the devices must have nothing to do. The kernels, in order of the calls that launched them, then of their start. */
  stop(): TracedKernel[] {
    this.#stop()
    const words = new NativeWords(kernelsAtOnce * recordWords)
    const found: TracedKernel[] = []
    for (;;) {
      const count = this.#take(words.address, kernelsAtOnce)
      if (count === 0) break
      for (let at = 0; at < count * recordWords; at += recordWords) {
        const [start, end, correlation, device, name] = words.floats.subarray(at, at + recordWords)
        found.push({ start: start!, end: end!, correlation: correlation!, device: device!, name: name! })
      }
    }
    return found.sort((a, b) => a.correlation - b.correlation || a.start - b.start)
  }
}

let opened: KernelTrace | null | undefined

/** The one of this process: CUPTI allows a single subscriber. Null and errors: see `open`. */
export function kernelTrace(): KernelTrace | null {
  if (opened === undefined) opened = KernelTrace.open()
  return opened
}

/** Where to look for CUPTI: TEGULA_LIBCUPTI alone if it is set, else the loader's path and the CUDA toolkit. */
function libraries(): string[] {
  const given = env('libcupti')
  if (given !== undefined) return given === off ? [] : [given]
  const names = ['libcupti.so', 'libcupti.so.13', 'libcupti.so.12']
  const folders = ['/usr/local/cuda/extras/CUPTI/lib64', '/usr/local/cuda/lib64']
  return [
    ...names,
    ...folders.flatMap(folder => names.map(name => join(folder, name))).filter(path => existsSync(path)),
  ]
}
