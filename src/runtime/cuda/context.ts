/**
 * One device's primary context: makes it current, turns results into errors, and remembers when it was lost. CUDA
 * reports a failed kernel at a later call, whichever that is, so every check goes through here.
 */
import { flag } from '../../base/env.js'
import { CaptureError, DeviceError } from '../../base/errors.js'
import { plural } from '../../base/units.js'
import { NativeWords } from '../native.js'
import type { CudaDriver } from './driver.js'
import { blame, LaunchLog } from './launch-log.js'
import { explainResult, resultName, results } from './results.js'

/** A kernel whose block needs more registers or shared memory than the device has. */
export class OutOfResources extends DeviceError {
  override name = 'DeviceError'
}

export class CudaContext {
  /** 'cuda:0' */
  readonly name: string
  /** CUdevice */
  readonly device: number
  /** CUcontext */
  readonly handle: number
  readonly launches = new LaunchLog()
  /** Output parameters of calls. */
  readonly out = new NativeWords(4)
  /** Synchronise after each kernel, so that an error is reported at its launch. */
  readonly synchronous = flag('cudaSync')
  /** True while a stream of this device is captured: then nothing may be waited for. */
  capturing = false
  #lost: DeviceError | null = null

  /** Retains the primary context of device `index`. Throws DeviceError when there is no such device. */
  constructor(
    readonly driver: CudaDriver,
    readonly index: number,
  ) {
    this.name = `cuda:${index}`
    if (!(Number.isInteger(index) && index >= 0 && index < driver.deviceCount)) throw this.#noSuchDevice()
    const { call } = driver
    this.check(call.cuDeviceGet(this.out.address, index), 'opening the device')
    this.device = this.out.getInt32(0)
    this.check(call.cuDevicePrimaryCtxRetain(this.out.address, this.device), 'opening the device')
    this.handle = this.out.get(0)
  }

  /** Makes this device the current one. Throws DeviceError when its context was lost. */
  enter(): CudaDriver['call'] {
    if (this.#lost !== null) throw this.#afterLoss(this.#lost)
    const { call } = this.driver
    // Always, since other libraries of this process may have set theirs. It costs 50 ns.
    this.check(call.cuCtxSetCurrent(this.handle), 'entering the device')
    return call
  }

  /** Why the context can no longer be used, or null. */
  get lost(): DeviceError | null {
    return this.#lost
  }

  /** Throws DeviceError unless `result` is success. `doing` completes "while …". */
  check(result: number, doing: string): void {
    if (result !== results.success) throw this.error(result, doing)
  }

  error(result: number, doing: string): DeviceError {
    const { meaning, fix, lost } = explainResult(result)
    if (lost) return this.#loss(result)
    const Kind = result === results.launchOutOfResources ? OutOfResources : DeviceError
    return new Kind(`${this.name}: ${meaning} (${resultName(result)}) while ${doing}`, { fix })
  }

  /** Frees something in a finalizer: a failure must not end the process; the next call reports it. */
  letGo(free: () => void): void {
    if (this.#lost !== null) return
    try {
      free()
    } catch (error) {
      if (this.#lost === null) throw error
    }
  }

  /** Waits for all work on the device. Blocks. */
  synchronize(): void {
    this.refuseInCapture('waiting for the device')
    const { mark } = this.launches
    this.check(this.enter().cuCtxSynchronize(), 'waiting for the device')
    this.launches.done(mark)
  }

  /** Throws CaptureError while a stream of this device is captured. */
  refuseInCapture(doing: string): void {
    if (!this.capturing) return
    throw new CaptureError(`captureGraph: ${doing} is not possible in a capture: nothing has run yet`, {
      fix: 'do it after captureGraph has returned',
    })
  }

  /** Free and total bytes on the device, for all processes. */
  memoryInfo(): { freeBytes: number; totalBytes: number } {
    this.check(this.enter().cuMemGetInfo(this.out.address, this.out.addressOf(1)), 'asking for free memory')
    return { freeBytes: this.out.get(0), totalBytes: this.out.get(1) }
  }

  /** The error after which the context is unusable, naming the kernels that may have caused it. */
  #loss(result: number): DeviceError {
    const { meaning, fix } = explainResult(result)
    const kernels = this.launches.pending()
    const guilty = blame(kernels)
    const who = guilty === null ? '' : `; it is ${guilty}`
    const only = kernels.length === 1 ? kernels[0] : undefined
    this.#lost ??= new DeviceError(
      `${this.name}: ${meaning} (${resultName(result)})${who}. CUDA gives the context up: ` +
        'no CUDA work is possible in this process any more (CPU tensors still are)',
      { fix, at: only?.lines[0] },
    )
    return this.#lost
  }

  #afterLoss(cause: DeviceError): DeviceError {
    return new DeviceError(`${this.name}: unusable since an earlier error: ${cause.what}`, {
      fix: cause.fix ?? undefined,
      cause,
    })
  }

  #noSuchDevice(): DeviceError {
    const { deviceCount } = this.driver
    const last = deviceCount === 1 ? "'cuda:0'" : `'cuda:0' to 'cuda:${deviceCount - 1}'`
    return new DeviceError(`no device '${this.name}': the driver finds ${plural(deviceCount, 'GPU')}`, {
      fix: `use ${last} (CUDA_VISIBLE_DEVICES hides devices)`,
    })
  }
}
