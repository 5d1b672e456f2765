/** Queries a GPU: the facts for its target, and its identity. */
import { NativeWords } from '../native.js'
import type { CudaContext } from './context.js'

/** Structurally a `CudaProbe` of target/cuda.ts; sizes in bytes. */
export interface CudaFacts {
  readonly name: string
  /** Compute capability: 9.0 is 90. */
  readonly capability: number
  readonly multiprocessors: number
  readonly l2Bytes: number
  readonly sharedBytesPerBlock: number
  readonly sharedBytesPerMultiprocessor: number
  readonly memoryBytes: number
  /** 13.0 is 13000. */
  readonly driverVersion: number
  /** As nvidia-smi prints it, without the prefix "GPU-". */
  readonly uuid: string
  /** By clock and bus width, both directions together; 0 if the driver does not report them. */
  readonly memoryBytesPerSecond: number
}

/** CUdevice_attribute */
const attributes = {
  multiprocessors: 16,
  memoryKilohertz: 36,
  memoryBusBits: 37,
  l2Bytes: 38,
  capabilityMajor: 75,
  capabilityMinor: 76,
  sharedBytesPerMultiprocessor: 81,
  sharedBytesPerBlockOptIn: 97,
} as const

const nameBytes = 256
/** Memory transfers data at both edges of its clock. */
const transfersPerClock = 2

/** Asks the driver for a device's properties. */
export function probeCuda(context: CudaContext): CudaFacts {
  const { device, driver, out } = context
  const call = context.enter()
  const attribute = (name: keyof typeof attributes): number => {
    context.check(call.cuDeviceGetAttribute(out.address, attributes[name], device), 'asking for facts of the device')
    return out.getInt32(0)
  }
  return {
    name: deviceName(context),
    capability: attribute('capabilityMajor') * 10 + attribute('capabilityMinor'),
    multiprocessors: attribute('multiprocessors'),
    l2Bytes: attribute('l2Bytes'),
    sharedBytesPerBlock: attribute('sharedBytesPerBlockOptIn'),
    sharedBytesPerMultiprocessor: attribute('sharedBytesPerMultiprocessor'),
    memoryBytes: context.memoryInfo().totalBytes,
    driverVersion: driver.version,
    uuid: deviceUuid(context),
    memoryBytesPerSecond: (attribute('memoryKilohertz') * 1000 * transfersPerClock * attribute('memoryBusBits')) / 8,
  }
}

function deviceName(context: CudaContext): string {
  const bytes = new Uint8Array(nameBytes)
  withAddress(context, bytes, address => context.driver.call.cuDeviceGetName(address, nameBytes, context.device))
  const end = bytes.indexOf(0)
  return Buffer.from(bytes.subarray(0, end < 0 ? nameBytes : end)).toString('latin1')
}

function deviceUuid(context: CudaContext): string {
  const bytes = new Uint8Array(16)
  withAddress(context, bytes, address => context.driver.call.cuDeviceGetUuid(address, context.device))
  const hex = Buffer.from(bytes).toString('hex')
  return [0, 8, 12, 16, 20].map((start, i, starts) => hex.slice(start, starts[i + 1])).join('-')
}

function withAddress(context: CudaContext, bytes: Uint8Array, ask: (address: number) => number): void {
  const words = new NativeWords(Math.ceil(bytes.length / 8))
  context.check(ask(words.address), 'asking for facts of the device')
  bytes.set(new Uint8Array(words.buffer, 0, bytes.length))
}
