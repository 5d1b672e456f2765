/** Machine code on the device: a module of one or more kernels, and the assembler's log for each. */
import { formatBytes } from '../../base/units.js'
import { NativeWords } from '../native.js'
import type { Assembled, TextKernel } from './assembler.js'
import { type AssembledKernel, type AssemblerReport, readAssemblerLog } from './assembler-log.js'
import { relaxed } from './capture-mode.js'
import { type CudaContext, OutOfResources } from './context.js'
import { explainResult, results } from './results.js'

/** CUfunction_attribute */
const attributes = { maxThreads: 0, sharedBytes: 1, localBytes: 3, registers: 4, maxDynamicShared: 8 } as const

/** Returns the CUmodule. */
function load(context: CudaContext, cubin: Uint8Array): number {
  const image = new NativeWords(Math.ceil(cubin.length / 8))
  new Uint8Array(image.buffer).set(cubin)
  const result = context.enter().cuModuleLoadDataEx(context.out.address, image.address, 0, 0, 0)
  context.check(result, `loading a module of ${formatBytes(cubin.length)}`)
  return context.out.get(0)
}

/** A kernel on the device. */
export interface CudaKernel {
  readonly module: CudaModule
  readonly name: string
  /** CUfunction */
  readonly handle: number
  /** Per thread. */
  readonly registers: number
  /** Memory of each thread for what registers do not hold: arrays, spills. */
  readonly localBytes: number
  /** Static shared memory of a block. */
  readonly sharedBytes: number
  /** Largest block that its registers allow. */
  readonly maxThreads: number
  /**
   * Programmatic dependent launch: the kernel waits for its predecessor itself (`griddepcontrol.wait`, in all threads before
   * they access memory), so the device may start it while the predecessor ends.
   */
  readonly waits: boolean
  /** The assembler's log; null if it does not name the kernel. */
  readonly assembled: AssembledKernel | null
}

/** Dynamic shared memory up to this needs no opt-in. */
const freeSharedBytes = 48 * 1024

/** Unreachable modules are unloaded once their kernels are done. */
const unreachable = new FinalizationRegistry<{ context: CudaContext; handles: readonly number[] }>(
  ({ context, handles }) => {
    context.letGo(() => {
      context.synchronize()
      const call = context.enter()
      for (const handle of handles) call.cuModuleUnload(handle)
    })
  },
)

export class CudaModule {
  readonly report: AssemblerReport
  readonly log: string
  readonly #context: CudaContext
  readonly #handles: readonly number[]
  readonly #texts: readonly TextKernel[]
  readonly #kernels = new Map<string, CudaKernel>()
  readonly #dynamicShared = new Map<string, number>()

  constructor(context: CudaContext, { cubins, log, kernels }: Assembled) {
    this.#texts = kernels
    this.#context = context
    this.log = log
    this.report = readAssemblerLog(log)
    this.#handles = relaxed(context, () => cubins.map(cubin => load(context, cubin)))
    unreachable.register(this, { context, handles: this.#handles })
  }

  /** The kernel of that name. Throws DeviceError when the module has none. */
  kernel(name: string): CudaKernel {
    let kernel = this.#kernels.get(name)
    if (kernel === undefined) {
      // The driver loads a kernel lazily, on the first query; that may be in a capture.
      kernel = relaxed(this.#context, () => this.#find(name))
      this.#kernels.set(name, kernel)
    }
    return kernel
  }

  /** Looks a kernel up in the module's parts, and reads its attributes. */
  #find(name: string): CudaKernel {
    const context = this.#context
    const call = context.enter()
    const { out } = context
    const index = this.#texts.findIndex(text => text.name === name)
    const likely = this.#handles[index] ?? this.#handles[0]!
    let result: number = results.notFound
    for (const module of new Set([likely, ...this.#handles])) {
      if (result === results.notFound) result = call.cuModuleGetFunction(out.address, module, name)
    }
    context.check(result, `looking up kernel ${name}`)
    const handle = out.get(0)
    const attribute = (code: number): number => {
      context.check(call.cuFuncGetAttribute(out.address, code, handle), `asking for facts of kernel ${name}`)
      return out.getInt32(0)
    }
    return {
      module: this,
      name,
      handle,
      registers: attribute(attributes.registers),
      localBytes: attribute(attributes.localBytes),
      sharedBytes: attribute(attributes.sharedBytes),
      maxThreads: attribute(attributes.maxThreads),
      waits: this.#texts[index]?.waits ?? false,
      assembled: this.report.kernels.find(entry => entry.name === name) ?? null,
    }
  }

  /**
   * Makes sure that blocks of so many threads with so much dynamic shared memory can be launched. Throws DeviceError
   * when the device has less.
   */
  prepare(kernel: CudaKernel, threads: number, sharedBytes: number): void {
    if (threads > kernel.maxThreads) {
      throw new OutOfResources(
        `${this.#context.name}: kernel ${kernel.name} wants blocks of ${threads} threads; with its ` +
          `${kernel.registers} registers a thread ${kernel.maxThreads} fit`,
        { fix: explainResult(results.launchOutOfResources).fix },
      )
    }
    if (sharedBytes <= Math.max(freeSharedBytes, this.#dynamicShared.get(kernel.name) ?? 0)) return
    const call = this.#context.enter()
    const result = relaxed(this.#context, () =>
      call.cuFuncSetAttribute(kernel.handle, attributes.maxDynamicShared, sharedBytes),
    )
    if (result === results.invalidValue) {
      throw new OutOfResources(
        `${this.#context.name}: kernel ${kernel.name} wants ${formatBytes(sharedBytes)} of shared memory a block, ` +
          'more than the device has',
        { fix: explainResult(results.launchOutOfResources).fix },
      )
    }
    this.#context.check(result, `giving kernel ${kernel.name} ${formatBytes(sharedBytes)} of shared memory`)
    this.#dynamicShared.set(kernel.name, sharedBytes)
  }

  /** Largest number of blocks that run on one multiprocessor at a time. */
  blocksPerMultiprocessor(kernel: CudaKernel, threads: number, sharedBytes: number): number {
    const { out } = this.#context
    const call = this.#context.enter()
    const result = call.cuOccupancyMaxActiveBlocksPerMultiprocessor(out.address, kernel.handle, threads, sharedBytes)
    this.#context.check(result, `asking for the occupancy of kernel ${kernel.name}`)
    return out.getInt32(0)
  }
}
