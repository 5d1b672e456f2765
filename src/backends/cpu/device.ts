/** The CPU as a compute device: libraries made by the system's C compiler, run by the thread pool. */
import { readFileSync } from 'node:fs'
import { contentHash } from '../../base/canonical.js'
import type { DiskCache } from '../../cache/disk-cache.js'
import type { CpuDevice } from '../../runtime/cpu/device.js'
import { NativeModule } from '../../runtime/cpu/library.js'
import { runtimeFlags, runtimeSource, threadCount } from '../../runtime/cpu/native-runtime.js'
import { cpuIdentity } from '../../runtime/cpu/probe.js'
import type { TensorMemory } from '../../runtime/device.js'
import { cpuTarget } from '../../target/cpu.js'
import type { Artifact } from '../artifact.js'
import type {
  CompilerStats,
  ComputeDevice,
  ExportedBinary,
  ExportRequirements,
  SingleKernel,
  Stopwatch,
} from '../device.js'
import type { Launchable, Machine } from '../machine.js'
import type { Target } from '../target.js'
import { CpuMachine } from './machine.js'
import { targetForCpu } from './target.js'

/** Minimum duration of a timing sample; the call is repeated to reach it. */
const leastSampleMs = 0.1

export class CpuComputeDevice implements ComputeDevice {
  readonly name = 'cpu'
  readonly isHost = true
  readonly roundsMatmuls = false
  readonly isCapturing = false
  /** Libraries exported elsewhere, by source. */
  readonly #adopted = new Map<string, NativeModule>()
  #target: Target | null = null

  constructor(readonly cpu: CpuDevice) {}

  get model(): string {
    return this.cpu.facts.model
  }

  get threads(): number {
    return threadCount()
  }

  get memory(): TensorMemory {
    return this.cpu.allocator
  }

  get cache(): DiskCache {
    return this.cpu.cache
  }

  get target(): Target {
    this.#target ??= targetForCpu(cpuTarget(this.cpu.facts))
    return this.#target
  }

  get compilerStats(): CompilerStats {
    return this.cpu.toolchain.stats
  }

  compileAhead(): null {
    return null
  }

  warmup(): Promise<void> {
    return this.cpu.warmup()
  }

  machine(artifact: Artifact): Machine {
    const { source } = artifact
    const library = source === '' ? null : (this.#adopted.get(source) ?? this.cpu.loadModule(source))
    return new CpuMachine(artifact, this.cpu, library)
  }

  async machineAsync(artifact: Artifact): Promise<Machine> {
    const { source } = artifact
    const library = source === '' ? null : (this.#adopted.get(source) ?? (await this.cpu.loadModuleAsync(source)))
    return new CpuMachine(artifact, this.cpu, library)
  }

  launch({ source, symbol, args, resources: { scratchBytes } }: SingleKernel): Launchable {
    const steps = this.cpu.stepList([{ kernel: this.cpu.loadModule(source).symbol(symbol), args, scratchBytes }])
    steps.setMinChunk(0, 1)
    // Calls run one after another: there is nothing to synchronise.
    return { steps, uses: () => undefined, run: () => steps.run() }
  }

  stopwatch(): Stopwatch {
    return onThisThread
  }

  kernelUses(): null {
    return null
  }

  isTooLarge(): boolean {
    return false
  }

  exportCode(source: string): ExportedBinary {
    return { files: [this.#libraryOf(source, [])], log: '' }
  }

  adoptCode(source: string, { files: [library] }: ExportedBinary): void {
    if (!this.#adopted.has(source)) this.#adopted.set(source, this.#load(library!, source))
  }

  get requirements(): ExportRequirements {
    return { needs: { ...cpuNeeds() }, files: [this.#libraryOf(runtimeSource, runtimeFlags)] }
  }

  /** Uses the C runtime that exported code was built with, unless one is loaded already. */
  adoptRuntime(library: Uint8Array): void {
    this.cpu.adoptRuntime(this.#load(library, runtimeSource))
  }

  /** Nothing is asynchronous on a CPU. */
  synchronize(): void {}

  trim(): number {
    return 0
  }

  /** Read from the cache, unless it has been cleared meanwhile. */
  #libraryOf(source: string, flags: readonly string[]): Uint8Array {
    return readFileSync(this.cpu.toolchain.compile(source, { flags }).path)
  }

  /** Loads a library from the cache, stored under its content's hash: the system's loader opens files only. */
  #load(bytes: Uint8Array, source: string): NativeModule {
    const key = contentHash(['loaded library', bytes])
    const extension = process.platform === 'darwin' ? 'dylib' : 'so'
    const path = this.cache.getFile(key) ?? this.cache.putFile(key, extension, bytes, { c: source })
    return new NativeModule({ path, sourcePath: `${path.slice(0, -extension.length)}c`, key, cached: true })
  }
}

/** What compiled code requires of the machine that runs it. */
export interface CpuNeeds {
  /** Hash of the C runtime's source: the contract that generated code is compiled against. */
  readonly runtime: string
  readonly platform: string
  readonly arch: string
  readonly model: string
  /** The system's list of instruction sets. */
  readonly flags: string
}

/** Requirements of code compiled on this machine. */
export const cpuNeeds = (): CpuNeeds => ({
  runtime: contentHash([runtimeSource, ...runtimeFlags]),
  platform: process.platform,
  arch: process.arch,
  ...cpuIdentity(),
})

const onThisThread: Stopwatch = call => {
  let calls = 0
  const started = performance.now()
  for (;;) {
    for (const result of call()) result.dispose()
    calls++
    const passed = performance.now() - started
    if (passed > leastSampleMs) return (passed * 1e6) / calls
  }
}
