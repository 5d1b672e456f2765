/**
 * What all native devices share: koffi, loaded at the first use so that importing Tegula opens no native library, and memory
 * that native code reads. Addresses are plain numbers: user-space addresses stay far below 2^53.
 */
import { createRequire } from 'node:module'

export type Koffi = typeof import('koffi')

/**
 * koffi runs native code on stacks of its own, which are smaller than ordinary threads' stacks, on which assemblers and
 * drivers rely.
 */
export const stackSizes = { sync_stack_size: 8 << 20, async_stack_size: 1 << 20 } as const

let koffiModule: Koffi | null = null

/** The bindings. `require` because loading must be possible inside synchronous calls. */
export function koffi(): Koffi {
  if (koffiModule === null) {
    koffiModule = createRequire(import.meta.url)('koffi') as Koffi
    try {
      koffiModule.config(stackSizes)
    } catch {
      // the program itself uses koffi and has loaded a library: its sizes stay
    }
  }
  return koffiModule
}

/** The address of an ArrayBuffer's first byte. V8 never moves it. */
export function addressOf(buffer: ArrayBuffer): number {
  return Number(koffi().address(buffer))
}

/** A copy of native memory. */
export function bytesAt(address: number, bytes: number): Uint8Array {
  return koffi().decode(BigInt(address), 'uint8_t', bytes) as Uint8Array
}

/** Native memory as an ArrayBuffer. It must not be accessed once the memory is freed: pass copies on only. */
export function viewOf(address: number, bytes: number): ArrayBuffer {
  return koffi().view(BigInt(address), bytes)
}

const pageBytes = 4096
/** MADV_HUGEPAGE of Linux, the same on all architectures. */
const madviseHugePage = 14

type Madvise = (address: number, bytes: number, advice: number) => number
let madvise: Madvise | null = null

/**
 * Asks Linux for huge pages inside a range: a first touch then faults once per 2 MB instead of once per 4 KB, and
 * streaming over large tensors runs up to twice as fast. A refusal costs speed only. Elsewhere it does nothing.
 */
export function adviseHuge(address: number, bytes: number): void {
  if (process.platform !== 'linux') return
  madvise ??= koffi().load(null).func('int madvise(uintptr_t address, size_t bytes, int advice)') as Madvise
  const start = Math.ceil(address / pageBytes) * pageBytes
  const end = Math.floor((address + bytes) / pageBytes) * pageBytes
  madvise(start, end - start, madviseHugePage)
}

const twoTo32 = 2 ** 32

/**
 * Structures for native code, in words of 8 bytes. Integers are written in two halves, since a BigInt per write would be
 * garbage at each call.
 */
export class NativeWords {
  readonly address: number
  readonly buffer: ArrayBuffer
  /** Two per word, the low half first. */
  readonly halves: Uint32Array
  readonly floats: Float64Array

  constructor(readonly words: number) {
    // An empty buffer has no address.
    this.buffer = new ArrayBuffer(Math.max(1, words) * 8)
    this.address = addressOf(this.buffer)
    this.halves = new Uint32Array(this.buffer)
    this.floats = new Float64Array(this.buffer)
  }

  addressOf(word: number): number {
    return this.address + word * 8
  }

  /** A 64-bit integer that a number holds. */
  get(word: number): number {
    return this.halves[word * 2]! + (this.halves[word * 2 + 1]! | 0) * twoTo32
  }

  /** The low half as a signed integer. */
  getInt32(word: number): number {
    return this.halves[word * 2]! | 0
  }

  /** Writes two's complement of a safe integer. Returns whether the word changed. */
  set(word: number, value: number): boolean {
    return this.setHalves(word, value >>> 0, Math.floor(value / twoTo32) >>> 0)
  }

  setHalves(word: number, low: number, high: number): boolean {
    const { halves } = this
    const at = word * 2
    if (halves[at] === low && halves[at + 1] === high) return false
    halves[at] = low
    halves[at + 1] = high
    return true
  }
}

/** The text at an address, up to its terminating zero. */
export function textAt(address: number): string {
  return address === 0 ? '' : String(koffi().decode.string(BigInt(address)))
}
