/**
 * A device that runs code of its back end: its memory, its target, and loading, running and timing of code. Callers never
 * ask which device it is. Constructing one opens no compiler and loads no library.
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
  /** The vendor's model name. */
  readonly model: string
  /** Threads of the pool that runs kernels; null: the device schedules its own. */
  readonly threads: number | null
  readonly memory: TensorMemory
  /** Throws CacheError when the cache folder is not private. */
  readonly cache: DiskCache
  /** JavaScript can access its memory, so the interpreter can run on it. */
  readonly isHost: boolean
  /**
   * f32 matmuls are rounded to tf32 where the user allows it; otherwise the precision setting makes no difference. Kept
   * apart from `target`, which may have to query a compiler.
   */
  readonly roundsMatmuls: boolean
  /** A capture is in progress: nothing can be measured. */
  readonly isCapturing: boolean
  /** The code generation target. Throws DeviceError for a device older than all supported ones. */
  readonly target: Target
  readonly compilerStats: CompilerStats
  /** Prepares shared resources without blocking the event loop. Throws CompilerError. */
  warmup(): Promise<void>
  /**
   * For one plan: takes kernels of its source as they are emitted, each a translation unit of its own, and compiles them in the
   * background; `machine` then waits for the results. Null: the device compiles sources only as a whole.
   */
  compileAhead(): ((source: string) => void) | null
  /** Compiles (or looks up) and loads a plan's code. Throws CompilerError or DeviceError as the device's compiler does. */
  machine(artifact: Artifact, options?: MachineOptions): Machine
  /** Like `machine`, but compiles without blocking the event loop. */
  machineAsync(artifact: Artifact, options?: MachineOptions): Promise<Machine>
  /** Like `machine`, for one kernel; its steps hold one. */
  launch(kernel: SingleKernel): Launchable
  /** Creates a timer of calls. */
  stopwatch(): Stopwatch
  /** Resources that the compiler reports for kernels of `source`, by name; null: it reports none. */
  kernelUses(source: string, kernels: readonly NamedKernel[]): readonly KernelResourceUse[] | null
  /** Whether an error from lowering, compiler or driver says that code needs more resources than the device has. */
  isTooLarge(error: unknown): boolean
  /** The compiled code of a translation unit, for other processes on devices of this kind. */
  exportCode(source: string): ExportedBinary
  /** Stores exported code, so that `machine` compiles nothing. */
  adoptCode(source: string, binary: ExportedBinary): void
  /** What exported code requires of the device that runs it. */
  readonly requirements: ExportRequirements
  /** Blocks this thread until all work on the device is done. Throws DeviceError when it failed. */
  synchronize(): void
  /** Returns cached memory to the system, after waiting for work that uses it. Returns the number of bytes. */
  trim(): number
}

export interface MachineOptions {
  /** Run the plan as one device graph, where supported. Default false. */
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
  /** User's source lines, for device errors. */
  readonly lines: readonly SourceLocation[]
}

/** Compiler activity in this process. */
export interface CompilerStats {
  /** Libraries made by the C compiler and modules made by GPU assemblers. */
  readonly compiled: number
  /** Those loaded from the disk cache. */
  readonly loaded: number
  /** Milliseconds spent on both. */
  readonly compileMs: number
}

/** Nanoseconds per call, averaged over enough calls to exceed the clock's resolution. */
export type Stopwatch = (call: () => readonly Tensor[]) => number

/** As reported by the driver's assembler. */
export interface KernelResourceUse {
  readonly threads: number
  /** Per thread. */
  readonly registers: number
  /** Bytes of a thread that did not fit into registers. */
  readonly spilledBytes: number
  /** Shared memory of a block. */
  readonly sharedBytes: number
  /** The assembler's warning, if any: that wgmma instructions were serialised. */
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
