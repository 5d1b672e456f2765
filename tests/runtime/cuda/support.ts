/** What the tests of the CUDA runtime share: a stand-in for libcuda, compiled once, and devices on it. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { DiskCache } from '../../../src/cache/disk-cache.js'
import type { CudaBlock } from '../../../src/runtime/cuda/block.js'
import { CudaDevice } from '../../../src/runtime/cuda/device.js'
import { CudaDriver } from '../../../src/runtime/cuda/driver.js'
import type { CudaAllocatorOptions } from '../../../src/runtime/cuda/memory.js'
import { koffi } from '../../../src/runtime/native.js'
import { builtLibrary } from '../../support/built.js'

const contextDestroyed = 709

/** Switches and counters of fake-libcuda.c. */
export class Fake {
  /** Of the stand-in, which a process loads once. */
  readonly path: string
  readonly folder = mkdtempSync(join(tmpdir(), 'tegula-cuda-'))
  readonly #set: (name: string, value: number) => number
  readonly #get: (name: string) => number
  readonly #reset: () => void
  #last: CudaDevice | null = null

  constructor() {
    this.path = builtLibrary(fileURLToPath(new URL('fake-libcuda.c', import.meta.url)), ['-lpthread'])
    const library = koffi().load(this.path)
    this.#set = library.func('double fake_set(str name, double value)')
    this.#get = library.func('double fake_get(str name)')
    this.#reset = library.func('void fake_reset()')
  }

  set(name: string, value: number): void {
    this.#set(name, value)
  }

  get(name: string): number {
    return this.#get(name)
  }

  /** A clean driver with these switches; devices of before must not be used again. */
  driver(switches: Readonly<Record<string, number>> = {}): CudaDriver {
    this.#last?.context.error(contextDestroyed, 'starting anew') // its finalizers must not touch what comes now
    this.#last = null
    this.#reset()
    for (const [name, value] of Object.entries(switches)) this.set(name, value)
    return new CudaDriver(this.path)
  }

  device(switches: Readonly<Record<string, number>> = {}, memory: CudaAllocatorOptions = {}): CudaDevice {
    const device = new CudaDevice(0, { driver: this.driver(switches), cache: this.cache(), memory })
    this.#last = device
    return device
  }

  cache(): DiskCache {
    return DiskCache.open({ folder: join(this.folder, 'cache') })
  }

  close(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }
}

/** The stand-in, or null where there is no C compiler or its system is not Linux. */
export function openFake(): Fake | null {
  if (process.platform !== 'linux') return null
  try {
    execFileSync('cc', ['--version'], { stdio: 'ignore' })
  } catch {
    return null
  }
  return new Fake()
}

export const skipReason = 'the stand-in for libcuda needs Linux and a C compiler'

/** PTX for the stand-in: it looks at the header and the names only. */
export function ptx(names: readonly string[], { version = '8.0', target = 'sm_80', extra = '' } = {}): string {
  const entries = names.map(name => `.visible .entry ${name}(.param .u64 a) { ret; }`)
  return [`.version ${version}`, `.target ${target}`, '.address_size 64', extra, ...entries].join('\n')
}

export const testKernels = ptx(['fill', 'add', 'scale', 'echo', 'other'])

export async function readFloats(
  device: CudaDevice,
  block: CudaBlock,
  count = block.byteLength / 4,
): Promise<number[]> {
  const bytes = await device.transfers.download(block, 0, count * 4, device.streams.current)
  return [...new Float32Array(bytes.buffer)]
}

export function readLongs(device: CudaDevice, block: CudaBlock, count = block.byteLength / 8): bigint[] {
  const bytes = device.transfers.downloadSync(block, 0, count * 8, device.streams.current)
  return [...new BigInt64Array(bytes.buffer)]
}

export const floatBytes = (values: readonly number[]): Uint8Array => new Uint8Array(Float32Array.from(values).buffer)

/** Collects garbage until `done`, for a second at most: V8 promises no moment. */
export async function collectUntil(device: CudaDevice, done: () => boolean): Promise<void> {
  for (let i = 0; i < 20 && !done(); i++) {
    device.allocator.collect()
    await new Promise(resolve => setTimeout(resolve, 50))
  }
}
