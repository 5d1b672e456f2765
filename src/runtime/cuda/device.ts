/**
 * An NVIDIA GPU as a device: its facts, memory, streams, modules, launches and graphs, through the driver alone. The driver
 * is loaded when the first device is made; importing this file loads nothing. A missing device is an error, never replaced
 * by another.
 */
import { type DiskCache, defaultCache } from '../../cache/disk-cache.js'
import type { TensorMemory } from '../device.js'
import { Assembler, type AssemblerStats } from './assembler.js'
import { AssemblerPool } from './assembler-pool.js'
import { type Capture, type CapturedGraph, captureGraph } from './capture.js'
import { CudaContext } from './context.js'
import { type CudaDriver, cudaDriver } from './driver.js'
import { CudaEvent, type EventOptions } from './event.js'
import { CudaAllocator, type CudaAllocatorOptions } from './memory.js'
import { CudaModule } from './module.js'
import { PinnedPool } from './pinned.js'
import { type CudaFacts, probeCuda } from './probe.js'
import { type Dependencies, StepGraph } from './step-graph.js'
import { StepList, type StepSpec } from './steps.js'
import { type CudaStream, StreamSet } from './stream.js'
import { StreamMemory } from './stream-memory.js'
import { TimedGraph } from './timed-graph.js'
import { Transfers } from './transfer.js'
import { EventWaiter } from './wait.js'

export interface CudaDeviceOptions {
  /** Default: the cache of the environment. */
  readonly cache?: DiskCache
  /** Default: the driver of this process. */
  readonly driver?: CudaDriver
  readonly memory?: CudaAllocatorOptions
}

export class CudaDevice {
  readonly kind = 'cuda'
  readonly name: `cuda:${number}`
  readonly context: CudaContext
  readonly streams: StreamSet
  readonly allocator: CudaAllocator
  readonly pinned: PinnedPool
  readonly transfers: Transfers
  /** For tensors: on the current stream. */
  readonly memory: TensorMemory
  readonly #waiter: EventWaiter
  readonly #cache: DiskCache | undefined
  #facts: CudaFacts | null = null
  #assembler: Assembler | null = null

  /** Opens device `index`. Throws DeviceError when there is no driver, it is too old, or there is no such device. */
  constructor(index = 0, options: CudaDeviceOptions = {}) {
    this.context = new CudaContext(options.driver ?? cudaDriver(), index)
    this.name = `cuda:${index}`
    this.context.enter()
    this.streams = new StreamSet(this.context)
    this.allocator = new CudaAllocator(this.context, this.streams, options.memory)
    this.pinned = new PinnedPool(this.context)
    this.#waiter = new EventWaiter(this.context)
    this.transfers = new Transfers(this.context, this.allocator, this.pinned, this.#waiter)
    this.memory = new StreamMemory(this.streams, this.allocator, this.transfers)
    this.#cache = options.cache
  }

  /** Throws CacheError when the cache folder is not private. */
  get cache(): DiskCache {
    return this.#cache ?? defaultCache()
  }

  /** Facts for a CUDA target. */
  get facts(): CudaFacts {
    this.#facts ??= probeCuda(this.context)
    return this.#facts
  }

  /** PTX to machine code. Throws CacheError when the cache folder is not private. */
  get assembler(): Assembler {
    this.#assembler ??= new Assembler(this.context, this.cache, new AssemblerPool(this.context))
    return this.#assembler
  }

  /** The assembler's counters. */
  get assemblerStats(): AssemblerStats {
    return this.#assembler?.stats ?? { compiled: 0, loaded: 0, compileMs: 0 }
  }

  /**
   * Assembles (or looks up) PTX with any number of kernels, and loads it. Works inside a capture too. Throws DeviceError
   * when the driver is too old for it or it is for another GPU, CompilerError when the assembler refuses it.
   */
  loadModule(ptx: string): CudaModule {
    return new CudaModule(this.context, this.assembler.assemble(ptx))
  }

  /** As `loadModule`, without blocking the event loop while the assembler works. */
  async loadModuleAsync(ptx: string): Promise<CudaModule> {
    return new CudaModule(this.context, await this.assembler.assembleAsync(ptx))
  }

  stepList(specs: readonly StepSpec[]): StepList {
    return new StepList(this.context, specs)
  }

  /** The steps as a CUDA graph; set their arguments first. `dependencies`: without them the steps run in order. */
  stepGraph(list: StepList, dependencies?: Dependencies): StepGraph {
    return new StepGraph(this.context, this.allocator, list, dependencies)
  }

  /** The steps as a graph that takes the time of each; set their arguments first. */
  timedGraph(list: StepList): TimedGraph {
    return new TimedGraph(this.context, this.allocator, list)
  }

  event(options?: EventOptions): CudaEvent {
    return new CudaEvent(this.context, options)
  }

  /** Captures what `body` queues; see `captureGraph` in capture.ts. */
  captureGraph<R>(body: (capture: Capture) => R, stream?: CudaStream): { graph: CapturedGraph; result: R } {
    return captureGraph(this, body, stream)
  }

  /** Waits on this thread for all work on the device. Throws DeviceError when it failed. */
  synchronize(): void {
    this.context.synchronize()
  }

  /** Resolves when all work that is queued now is done. Rejects with DeviceError when it failed. */
  async finished(): Promise<void> {
    const events = this.streams.all.map(stream => {
      const event = new CudaEvent(this.context)
      event.record(stream)
      return event
    })
    for (const event of events) await this.#waiter.wait(event)
  }

  /** Resolves when the event's work is done. Rejects with DeviceError when it failed. */
  wait(event: CudaEvent): Promise<void> {
    return this.#waiter.wait(event)
  }
}

const devices = new Map<number, CudaDevice>()

/** The device of that index, opened at the first call. Throws DeviceError as `new CudaDevice`. */
export function cudaDevice(index = 0): CudaDevice {
  let device = devices.get(index)
  if (device === undefined) {
    device = new CudaDevice(index)
    devices.set(index, device)
  }
  return device
}

/** The devices opened so far. */
export const openCudaDevices = (): readonly CudaDevice[] => [...devices.values()]

/** How many GPUs the driver finds. Throws DeviceError when there is no driver. */
export const cudaDeviceCount = (): number => cudaDriver().deviceCount
