/**
 * The CUDA driver API: one table of the functions that we call, bound with koffi. Handles, addresses and sizes are numbers;
 * outputs are returned through our own memory. Results are not checked here: see `context.ts`.
 */
import { env } from '../../base/env.js'
import { DeviceError } from '../../base/errors.js'
import { koffi, NativeWords } from '../native.js'
import { explainResult, resultName, results } from './results.js'

/** The oldest driver that has all functions below: CUDA 12.0, driver 525. */
export const oldestDriver = 12000

/** C types of arguments: p an address, handle or size_t; u and i 32-bit integers; b a byte; s a string. */
type Code = 'p' | 'u' | 'i' | 'b' | 's'

/** Every function: the version suffix of its symbol ('' for none), then its arguments. All return a CUresult. */
const functions = {
  cuInit: ['', 'u'],
  cuDriverGetVersion: ['', 'p'],
  cuDeviceGetCount: ['', 'p'],
  cuDeviceGet: ['', 'p', 'i'],
  cuDeviceGetName: ['', 'p', 'i', 'i'],
  cuDeviceGetUuid: ['_v2', 'p', 'i'],
  cuDeviceTotalMem: ['_v2', 'p', 'i'],
  cuDeviceGetAttribute: ['', 'p', 'i', 'i'],
  cuDevicePrimaryCtxRetain: ['', 'p', 'i'],
  cuDevicePrimaryCtxRelease: ['_v2', 'i'],
  cuCtxSetCurrent: ['', 'p'],
  cuCtxSynchronize: [''],
  cuMemAlloc: ['_v2', 'p', 'p'],
  cuMemFree: ['_v2', 'p'],
  cuMemGetInfo: ['_v2', 'p', 'p'],
  cuMemHostAlloc: ['', 'p', 'p', 'u'],
  cuMemFreeHost: ['', 'p'],
  cuMemcpyHtoDAsync: ['_v2', 'p', 'p', 'p', 'p'],
  cuMemcpyDtoHAsync: ['_v2', 'p', 'p', 'p', 'p'],
  cuMemcpyDtoDAsync: ['_v2', 'p', 'p', 'p', 'p'],
  cuMemcpyPeerAsync: ['', 'p', 'p', 'p', 'p', 'p', 'p'],
  cuMemsetD8Async: ['', 'p', 'b', 'p', 'p'],
  cuMemsetD32Async: ['', 'p', 'u', 'p', 'p'],
  cuStreamCreate: ['', 'p', 'u'],
  cuStreamDestroy: ['_v2', 'p'],
  cuStreamSynchronize: ['', 'p'],
  cuStreamQuery: ['', 'p'],
  cuStreamWaitEvent: ['', 'p', 'p', 'u'],
  cuStreamBeginCapture: ['_v2', 'p', 'i'],
  cuStreamEndCapture: ['', 'p', 'p'],
  cuStreamIsCapturing: ['', 'p', 'p'],
  cuThreadExchangeStreamCaptureMode: ['', 'p'],
  cuEventCreate: ['', 'p', 'u'],
  cuEventDestroy: ['_v2', 'p'],
  cuEventRecord: ['', 'p', 'p'],
  cuEventQuery: ['', 'p'],
  cuEventSynchronize: ['', 'p'],
  cuEventElapsedTime: ['', 'p', 'p', 'p'],
  cuLinkCreate: ['_v2', 'u', 'p', 'p', 'p'],
  cuLinkAddData: ['_v2', 'p', 'i', 'p', 'p', 's', 'u', 'p', 'p'],
  cuLinkComplete: ['', 'p', 'p', 'p'],
  cuLinkDestroy: ['', 'p'],
  cuModuleLoadDataEx: ['', 'p', 'p', 'u', 'p', 'p'],
  cuModuleUnload: ['', 'p'],
  cuModuleGetFunction: ['', 'p', 'p', 's'],
  cuFuncGetAttribute: ['', 'p', 'i', 'p'],
  cuFuncSetAttribute: ['', 'p', 'i', 'i'],
  cuOccupancyMaxActiveBlocksPerMultiprocessor: ['', 'p', 'p', 'i', 'p'],
  cuLaunchKernelEx: ['', 'p', 'p', 'p', 'p'],
  cuGraphCreate: ['', 'p', 'u'],
  cuGraphDestroy: ['', 'p'],
  cuGraphAddKernelNode: ['_v2', 'p', 'p', 'p', 'p', 'p'],
  cuGraphAddMemcpyNode: ['', 'p', 'p', 'p', 'p', 'p', 'p'],
  cuGraphAddMemsetNode: ['', 'p', 'p', 'p', 'p', 'p', 'p'],
  cuGraphAddEventRecordNode: ['', 'p', 'p', 'p', 'p', 'p'],
  /** Since CUDA 12.3. */
  cuGraphAddDependencies: ['_v2', 'p', 'p', 'p', 'p', 'p'],
  cuGraphGetNodes: ['', 'p', 'p', 'p'],
  cuGraphInstantiateWithFlags: ['', 'p', 'p', 'p'],
  cuGraphExecKernelNodeSetParams: ['_v2', 'p', 'p', 'p'],
  cuGraphExecMemcpyNodeSetParams: ['', 'p', 'p', 'p', 'p'],
  cuGraphExecMemsetNodeSetParams: ['', 'p', 'p', 'p', 'p'],
  cuGraphNodeSetEnabled: ['', 'p', 'p', 'u'],
  cuGraphUpload: ['', 'p', 'p'],
  cuGraphLaunch: ['', 'p', 'p'],
  cuGraphExecDestroy: ['', 'p'],
} as const satisfies Record<string, readonly [string, ...Code[]]>

export type DriverFunction = keyof typeof functions
type Value<C> = C extends 's' ? string : number
type Values<A extends readonly unknown[]> = A extends readonly [string, ...infer Codes]
  ? { -readonly [K in keyof Codes]: Value<Codes[K]> }
  : never
/** Each function of the driver, returning its CUresult. */
export type DriverCalls = { readonly [F in DriverFunction]: (...values: Values<(typeof functions)[F]>) => number }

const cTypes: { readonly [C in Code]: string } = { p: 'uintptr_t', u: 'uint32_t', i: 'int32_t', b: 'uint8_t', s: 'str' }

interface NativeCall {
  (...values: (number | string)[]): number
  async(...values: (number | string | ((error: unknown, result: number) => void))[]): void
}

/** The driver, loaded and initialised. */
export class CudaDriver {
  readonly path: string
  /** The CUDA version that it supports: 13.0 is 13000. */
  readonly version: number
  readonly deviceCount: number
  readonly call: DriverCalls
  readonly #wait: NativeCall

  /**
   * Loads libcuda (`TEGULA_LIBCUDA` names another file). Throws DeviceError when there is none, when it is older than
   * CUDA 12.0, or when it finds no device.
   */
  constructor(path = env('libcuda')) {
    const [library, found] = loadLibrary(path)
    const bind = (name: DriverFunction): NativeCall => {
      const [suffix, ...codes] = functions[name]
      return library.func(
        `${name}${suffix}`,
        'int',
        codes.map(code => cTypes[code]),
      ) as NativeCall
    }
    this.path = found
    const out = new NativeWords(1)
    requireSuccess(bind('cuInit')(0), found)
    requireSuccess(bind('cuDriverGetVersion')(out.address), found)
    this.version = out.getInt32(0)
    if (this.version < oldestDriver) throw tooOld(this.version)
    requireSuccess(bind('cuDeviceGetCount')(out.address), found)
    this.deviceCount = out.getInt32(0)
    if (this.deviceCount === 0) requireSuccess(noDevice, found)
    const names = Object.keys(functions) as DriverFunction[]
    const functionsFound = names.map(name => [name, bindIfThere(() => bind(name))])
    this.call = Object.fromEntries(functionsFound) as unknown as DriverCalls
    this.#wait = bind('cuEventSynchronize')
  }

  /** Waits for an event on a worker thread, then calls `done` with the CUresult. */
  waitForEvent(event: number, done: (result: number) => void): void {
    this.#wait.async(event, (error, result) => done(error === null || error === undefined ? result : unknownError))
  }
}

/** A function that this driver lacks throws when it is called. */
function bindIfThere(bind: () => NativeCall): NativeCall | (() => number) {
  try {
    return bind()
  } catch {
    return () => results.requiresNewerDriver
  }
}

const noDevice = 100
const unknownError = 999

/** 12040 → '12.4'. */
export const cudaVersion = (version: number): string =>
  `${Math.floor(version / 1000)}.${Math.floor((version % 1000) / 10)}`

type Library = ReturnType<ReturnType<typeof koffi>['load']>

/** Loads the first library that exists. Throws DeviceError when none does. */
function loadLibrary(path: string | undefined): [Library, string] {
  const names = path === undefined ? libraryNames() : [path]
  let reason = ''
  for (const name of names) {
    try {
      return [koffi().load(name), name]
    } catch (error) {
      reason ||= error instanceof Error ? error.message : String(error)
    }
  }
  throw new DeviceError(`cuda: ${names.join(' or ')} cannot be loaded (${reason}): there is no NVIDIA driver here`, {
    fix: "install the NVIDIA driver (525 or newer; in a container, start it with the GPU), or use device 'cpu'",
  })
}

function libraryNames(): string[] {
  if (process.platform === 'win32') return ['nvcuda.dll']
  if (process.platform === 'linux') return ['libcuda.so.1', '/usr/lib/wsl/lib/libcuda.so.1']
  throw new DeviceError(`cuda: there is no NVIDIA driver for ${process.platform}`, { fix: "use device 'cpu'" })
}

const tooOld = (version: number): DeviceError =>
  new DeviceError(
    `cuda: the driver supports CUDA ${cudaVersion(version)}; Tegula needs CUDA ${cudaVersion(oldestDriver)} or newer`,
    { fix: "update the NVIDIA driver to 525 or newer, or use device 'cpu'" },
  )

function requireSuccess(result: number, path: string): void {
  if (result === 0) return
  const { meaning, fix } = explainResult(result)
  throw new DeviceError(`cuda: ${path} was loaded, but ${meaning} (${resultName(result)})`, { fix })
}

let driver: CudaDriver | null = null

/** The driver of this process, loaded at the first call. Throws DeviceError as `CudaDriver`; then each call tries again. */
export function cudaDriver(): CudaDriver {
  driver ??= new CudaDriver()
  return driver
}
