/**
 * A device that runs code of its back end: memory, what code for it may use, and what loads, runs and times that code.
 * Nothing that uses a device asks which one it is. Making one opens no compiler and loads no library.
 */
import type { SourceLocation } from '../base/source.js'
import type { DiskCache } from '../cache/disk-cache.js'
import type { TensorMemory } from '../runtime/device.js'
import type { Device } from '../tensor/device.js'
import type { Tensor } from '../tensor/tensor.js'
import type { Artifact } from './artifact.js'
import type { Launchable, Machine } from './machine.js'
import type { KernelResources, Target } from './target.js'

export interface ComputeDevice {
  readonly name: Device
  /** As its maker calls it. */
  readonly model: string
  /** Threads of the pool that runs kernels; null: the device has its own. */
  readonly threads: number | null
  readonly memory: TensorMemory
  /** Throws CacheError when the cache folder is not private. */
  readonly cache: DiskCache
  /** Its memory is JavaScript's own: the interpreter can work in it. */
  readonly isHost: boolean
  /**
   * Products of f32 are rounded to tf32 where the user allows it; else precision makes no difference. Told without
   * `target`, which may have to ask a compiler what it knows.
   */
  readonly roundsProducts: boolean
  /** Its work is being captured: nothing can be measured. */
  readonly isCapturing: boolean
  /** What code for it may use. Throws DeviceError for a device older than all that code is generated for. */
  readonly target: Target
  readonly compilerStats: CompilerStats
  /** Prepares what all code needs, without blocking the event loop. Throws CompilerError. */
  warmup(): Promise<void>
  /** Compiles (or looks up) and loads a plan's code. Throws CompilerError or DeviceError as the device's compiler does. */
  machine(artifact: Artifact, options?: MachineOptions): Machine
  /** As `machine`; the event loop turns while code is compiled. */
  machineAsync(artifact: Artifact, options?: MachineOptions): Promise<Machine>
  /** As `machine`, for one kernel; its steps hold one. */
  launch(kernel: SingleKernel): Launchable
  /** Makes what takes times of calls. */
  stopwatch(): Stopwatch
  /** What the compiler says that kernels of `source` take of the device, by their names there; null: it does not tell. */
  kernelUses(source: string, kernels: readonly NamedKernel[]): readonly KernelResourceUse[] | null
  /** Whether an error says that code asks for more than the device has, as lowering, compiler or driver find out. */
  isTooLarge(error: unknown): boolean
  /** The compiled code of a translation unit, for other processes on devices of this kind. */
  exportCode(source: string): ExportedBinary
  /** Keeps code that was exported, so that `machine` compiles nothing. */
  adoptCode(source: string, binary: ExportedBinary): void
  /** What exported code needs of the device that runs it. */
  readonly requirements: ExportRequirements
  /** Waits on this thread for all work on the device. Throws DeviceError when it failed. */
  synchronize(): void
  /** Gives cached memory back to the system, after waiting for its work. Returns the bytes given back. */
  trim(): number
}

export interface MachineOptions {
  /** Run the plan as one graph, where the device has such. Default false. */
  readonly graphs?: boolean
}

export interface NamedKernel {
  readonly symbol: string
  readonly resources: KernelResources
}

export interface SingleKernel extends NamedKernel {
  readonly source: string
  /** Number of arguments of the binary interface. */
  readonly args: number
  /** The user's, for errors of the device. */
  readonly lines: readonly SourceLocation[]
}

/** What compilers did in this process. */
export interface CompilerStats {
  /** Libraries that the C compiler, and modules that GPUs' assemblers made in this process. */
  readonly compiled: number
  /** Those found in the disk cache. */
  readonly loaded: number
  /** Milliseconds spent in them. */
  readonly compileMs: number
}

/** Nanoseconds per call, of so many calls that the clock's own grain does not show. */
export type Stopwatch = (call: () => readonly Tensor[]) => number

/** As the driver's assembler tells. */
export interface KernelResourceUse {
  readonly threads: number
  /** Of a thread. */
  readonly registers: number
  /** Bytes of a thread that did not fit into registers. */
  readonly spilledBytes: number
  /** Shared memory of a block. */
  readonly sharedBytes: number
  /** What else it said: matrix instructions that run one after the other. */
  readonly note: string | null
}

/** Compiled code in files. */
export interface ExportedBinary {
  readonly files: readonly Uint8Array[]
  /** The compiler's messages. */
  readonly log: string
}

/** What exported code needs: plain data that its back end checks, and files that all of it uses. */
export interface ExportRequirements {
  readonly needs: Readonly<Record<string, string | number>>
  readonly files: readonly Uint8Array[]
}
