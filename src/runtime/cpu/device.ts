/**
 * The CPU as a device: its facts, memory, toolchain and C runtime, each created at the first use. Importing this file, or
 * making a device, spawns nothing and loads no native library.
 */
import { existsSync } from 'node:fs'
import { CompilerError } from '../../base/errors.js'
import { type DiskCache, defaultCache } from '../../cache/disk-cache.js'
import { addressOf, adviseHuge } from '../native.js'
import { NativeModule } from './library.js'
import { Allocator } from './memory.js'
import { NativeRuntime, runtimeFlags, runtimeSource } from './native-runtime.js'
import { type CpuFacts, cpuIdentity, probeCpu } from './probe.js'
import { StepList, type StepSpec } from './steps.js'
import { type CompiledFile, type CompileOptions, Toolchain } from './toolchain.js'

export interface CpuDeviceOptions {
  /** Default: the cache of the environment. */
  readonly cache?: DiskCache
  /** Threads of the pool, the caller included; default `TEGULA_THREADS`, else all cores. */
  readonly threads?: number
}

export class CpuDevice {
  readonly kind = 'cpu'
  readonly name = 'cpu'
  readonly #options: CpuDeviceOptions
  #allocator: Allocator | null = null
  #toolchain: Toolchain | null = null
  #runtime: NativeRuntime | null = null
  #facts: CpuFacts | null = null

  constructor(options: CpuDeviceOptions = {}) {
    this.#options = options
  }

  /** Works without a compiler. */
  get allocator(): Allocator {
    this.#allocator ??= new Allocator({ addressOf, adviseHuge })
    return this.#allocator
  }

  get memory(): Allocator {
    return this.allocator
  }

  /** Throws CacheError when the cache folder is not private. */
  get cache(): DiskCache {
    return this.toolchain.cache
  }

  /** Throws CacheError when the cache folder is not private. */
  get toolchain(): Toolchain {
    this.#toolchain ??= new Toolchain(this.#options.cache ?? defaultCache())
    return this.#toolchain
  }

  /** The C runtime, compiled or looked up at the first use. Throws CompilerError. */
  get runtime(): NativeRuntime {
    this.#runtime ??= new NativeRuntime(this.loadModule(runtimeSource, { flags: runtimeFlags }), this.#options.threads)
    return this.#runtime
  }

  /** Facts for `cpuTarget`: with a compiler, the instruction sets that it may use; without, those that the CPU has. */
  get facts(): CpuFacts {
    this.#facts ??= probeCpu(this.#features())
    return this.#facts
  }

  /** Compiles (or looks up) a C translation unit and loads it. Throws CompilerError. */
  loadModule(source: string, options: CompileOptions = {}): NativeModule {
    const file = this.toolchain.compile(source, options)
    return this.#load(file, source) ?? this.#loadMade(this.toolchain.compile(source, options), source)
  }

  /** As `loadModule`, without blocking the event loop while a compiler runs. */
  async loadModuleAsync(source: string, options: CompileOptions = {}): Promise<NativeModule> {
    const file = await this.toolchain.compileAsync(source, options)
    return this.#load(file, source) ?? this.#loadMade(await this.toolchain.compileAsync(source, options), source)
  }

  /**
   * The loaded module. Null when it must be recompiled: another process removed it since the lookup, or the cached file does
   * not load any more (a library that it needs is gone, or the system has changed).
   */
  #load(file: CompiledFile, source: string): NativeModule | null {
    if (!file.cached) return existsSync(file.path) ? this.#loadMade(file, source) : null
    try {
      return new NativeModule(file)
    } catch (error) {
      if (!(error instanceof CompilerError)) throw error
      this.toolchain.discard(file)
      return null
    }
  }

  /** Loads what was just compiled. An unusable file is not cached. */
  #loadMade(file: CompiledFile, source: string): NativeModule {
    try {
      const module = new NativeModule(file)
      module.requireExports(source)
      return module
    } catch (error) {
      this.toolchain.discard(file)
      throw error
    }
  }

  /** Prepares the C runtime without blocking the event loop. Throws CompilerError. */
  async warmup(): Promise<void> {
    if (this.#runtime !== null) return
    const module = await this.loadModuleAsync(runtimeSource, { flags: runtimeFlags })
    this.#runtime ??= new NativeRuntime(module, this.#options.threads)
  }

  /** Uses this build of the C runtime (`runtimeSource` with `runtimeFlags`) unless one is in use already. */
  adoptRuntime(module: NativeModule): void {
    this.#runtime ??= new NativeRuntime(module, this.#options.threads)
  }

  stepList(specs: readonly StepSpec[]): StepList {
    return new StepList(this.runtime, this.allocator, specs)
  }

  #features(): readonly string[] {
    try {
      return this.toolchain.compiler().features
    } catch (error) {
      if (!(error instanceof CompilerError)) throw error
      return featuresFromFlags(cpuIdentity().flags)
    }
  }
}

/** The system's names of instruction sets ('avx512f') as the compiler names them ('AVX512F'). */
function featuresFromFlags(flags: string): string[] {
  return flags.split(' ').map(flag => flag.toUpperCase().replaceAll('_', ''))
}

let device: CpuDevice | null = null

/** The CPU device of this process, made at the first call. */
export function cpuDevice(): CpuDevice {
  device ??= new CpuDevice()
  return device
}
