/**
 * Kernels as the GPU ran them, each with its times, also inside of CUDA graphs: from CUPTI, which the CUDA toolkit and PyTorch bring
 * along. What runs need not be changed to be seen.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { env } from '../base/env.js'
import { CompilerError } from '../base/errors.js'
import { cpuDevice } from '../runtime/cpu/device.js'
import type { NativeFunction } from '../runtime/cpu/library.js'
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

/** What the C function makes of a kernel's name. */
export function hashOf(name: string): number {
  let value = 2166136261
  for (const byte of new TextEncoder().encode(name)) value = Math.imul(value ^ byte, 16777619) >>> 0
  return value
}

const kernelsAtOnce = 4096

export class KernelTrace {
  readonly #start: NativeFunction
  readonly #stop: NativeFunction
  readonly #take: NativeFunction

  private constructor(module: ReturnType<ReturnType<typeof cpuDevice>['loadModule']>) {
    this.#start = module.function('int tg_trace_start(void)')
    this.#stop = module.function('int tg_trace_stop(void)')
    this.#take = module.function('double tg_trace_take(double address, double most)')
  }

  /** Null: there is no CUPTI, it fits no CUDA driver here, or there is no C compiler for what lies between it and us. */
  static open(): KernelTrace | null {
    try {
      const module = cpuDevice().loadModule(kernelTraceSource, { flags: ['-pthread', '-ldl', '-Wl,-z,nodelete'] })
      const open = module.function('int tg_trace_open(double path)')
      const isOpen = libraries().some(path => open(textAddress(path)) === 0)
      return isOpen ? new KernelTrace(module) : null
    } catch (error) {
      if (error instanceof CompilerError) return null
      throw error
    }
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

/** That of this process, which CUPTI allows one; null: see `open`. */
export function kernelTrace(): KernelTrace | null {
  if (opened === undefined) opened = KernelTrace.open()
  return opened
}

/** Where CUPTI may be: what TEGULA_LIBCUPTI says, or where the loader and CUDA's toolkit have it. */
function libraries(): string[] {
  const given = env('libcupti')
  if (given !== undefined) return [given]
  const names = ['libcupti.so', 'libcupti.so.13', 'libcupti.so.12']
  const folders = ['/usr/local/cuda/extras/CUPTI/lib64', '/usr/local/cuda/lib64']
  return [
    ...names,
    ...folders.flatMap(folder => names.map(name => join(folder, name))).filter(path => existsSync(path)),
  ]
}

/** The address of a text that native code reads at once. */
function textAddress(text: string): number {
  const bytes = new TextEncoder().encode(`${text}\0`)
  const words = new NativeWords(Math.ceil(bytes.length / 8))
  new Uint8Array(words.buffer).set(bytes)
  return words.address
}
