/**
 * A list of kernel launches in native memory: built once per plan, patched with new addresses, sizes and scalars at
 * each call, and run by one call into C. Nothing is allocated in JavaScript after construction.
 */
import { DeviceError, InternalError } from '../../base/errors.js'
import type { Block } from '../block.js'
import type { Patch, Patches, StepSize } from '../patches.js'
import { stepLayout } from './abi.js'
import type { NativeSymbol } from './library.js'
import type { Allocator } from './memory.js'
import type { NativeRuntime } from './native-runtime.js'

export interface StepSpec {
  /** A `tg_kernel`; its library stays loaded as long as the list lives. */
  readonly kernel: NativeSymbol
  /** Number of arguments, all 0 until set. */
  readonly args: number
  /** Program instances along x, y, z; default [1, 1, 1]. An empty grid runs nothing. */
  readonly grid?: readonly [number, number, number]
  /** Scratch bytes that each thread gets, 64-byte aligned; default 0. */
  readonly scratchBytes?: number
  /** A chunk handed to a thread holds at least so many program instances; default 0: the caller's thread runs all. */
  readonly minChunk?: number
}

const twoTo32 = 2 ** 32

/** Program numbers are below 2^31 along each axis. */
const mostAlongAxis = 2 ** 31 - 1

/**
 * Arguments are addressed by (step, index). Blocks whose addresses were set must stay reachable until `run` returns:
 * the list holds addresses, not blocks. Setters throw InternalError for a step or argument that is not there.
 */
export class StepList {
  readonly length: number
  readonly #runtime: NativeRuntime
  readonly #specs: readonly StepSpec[]
  /** The memory holding the structures; kept reachable here. */
  readonly #block: Block
  readonly #words: Uint32Array
  readonly #floats: Float64Array
  readonly #longs: BigInt64Array
  /** Per step: the word (of 8 bytes) of its first argument; one more entry ends the last. */
  readonly #firstArg: Int32Array

  constructor(runtime: NativeRuntime, allocator: Allocator, specs: readonly StepSpec[]) {
    this.length = specs.length
    this.#runtime = runtime
    this.#specs = specs
    this.#firstArg = argumentOffsets(specs)
    const words = this.#firstArg[specs.length]!
    this.#block = allocator.allocate(words * 8)
    this.#words = new Uint32Array(this.#block.buffer, this.#block.byteOffset, words * 2).fill(0)
    this.#floats = new Float64Array(this.#block.buffer, this.#block.byteOffset, words)
    this.#longs = new BigInt64Array(this.#block.buffer, this.#block.byteOffset, words)
    for (const [step, spec] of specs.entries()) this.#writeStep(step, spec)
  }

  /** The address of the steps, for C code that runs them itself. */
  get address(): number {
    return this.#block.address
  }

  /** Passes a pointer: an address of device memory. */
  setPointer(step: number, arg: number, address: number): void {
    this.#writeInteger(this.#argument(step, arg), address)
  }

  /** Two numbers each: the place in the table, and the argument's first half word. Those of one value follow each other. */
  patches(list: readonly Patch[]): Patches {
    const sorted = [...list].sort((a, b) => a.value - b.value)
    return Int32Array.from(sorted.flatMap(({ step, argument, value }) => [value, this.#argument(step, argument) * 2]))
  }

  /**
   * Passes the pointers that are `values[place]` bytes beyond `addresses[index]`. Addresses need more than 32 bits: as an
   * element of an array, one is never an object of its own on the heap, which it might be as an argument.
   */
  setPointers(patches: Patches, addresses: Float64Array, index: number, values: Float64Array): void {
    const words = this.#words
    const base = addresses[index]!
    for (let i = 0; i < patches.length; i += 2) {
      const address = base + values[patches[i]!]!
      const half = patches[i + 1]!
      words[half] = address >>> 0
      words[half + 1] = (address / twoTo32) >>> 0
    }
  }

  /** Passes `values[place]`, safe integers, as int64s. Most sizes are passed several times: each is split once. */
  setInts(patches: Patches, values: Float64Array): void {
    const words = this.#words
    let split = -1
    let low = 0
    let high = 0
    for (let i = 0; i < patches.length; i += 2) {
      const place = patches[i]!
      if (place !== split) {
        const value = values[place]!
        low = value | 0
        high = low === value ? low >> 31 : Math.floor(value / twoTo32) >>> 0
        split = place
      }
      const half = patches[i + 1]!
      words[half] = low
      words[half + 1] = high
    }
  }

  /** Passes an int64; `value` must be a safe integer. */
  setInt(step: number, arg: number, value: number): void {
    this.#writeInteger(this.#argument(step, arg), value)
  }

  /** Passes an int64 of the full range. */
  setBigInt(step: number, arg: number, value: bigint): void {
    this.#longs[this.#argument(step, arg)] = value
  }

  /** Passes a double. */
  setFloat(step: number, arg: number, value: number): void {
    this.#floats[this.#argument(step, arg)] = value
  }

  /** Throws DeviceError when there are more programs than kernels count: 2^31 - 1 along an axis, 2^53 in all. */
  setGrid(step: number, x: number, y: number, z: number): void {
    if (!isGrid(x, y, z)) this.#refuseGrid(step, x, y, z)
    const word = this.#stepWord(step) + stepLayout.grid
    this.#writeInteger(word, x)
    this.#writeInteger(word + 1, y)
    this.#writeInteger(word + 2, z)
  }

  /** As `setGrid` of many: written out, as calls with new sizes spend much of their time here. */
  setGrids(sizes: readonly StepSize[], values: Float64Array): void {
    const words = this.#words
    for (let i = 0; i < sizes.length; i++) {
      const size = sizes[i]!
      const x = values[size.x]!
      const y = values[size.y]!
      const z = values[size.z]!
      if (!isGrid(x, y, z)) this.#refuseGrid(size.step, x, y, z)
      const half = (size.step * stepLayout.words + stepLayout.grid) * 2
      words[half] = x
      words[half + 1] = (x | 0) >> 31
      words[half + 2] = y
      words[half + 3] = (y | 0) >> 31
      words[half + 4] = z
      words[half + 5] = (z | 0) >> 31
    }
  }

  /** Sets the minimum number of program instances in a chunk; 0: the caller's thread runs all. */
  setMinChunk(step: number, programs: number): void {
    this.#writeInteger(this.#stepWord(step) + stepLayout.minChunk, programs)
  }

  /** Runs the steps in order; each starts when the one before it is done. Throws DeviceError when memory ends. */
  run(): void {
    const status = this.#runtime.run(this.#block.address, this.length)
    if (status !== 0) this.#fail(status - 1)
  }

  #refuseGrid(step: number, x: number, y: number, z: number): never {
    const { name } = this.#specs[step]!.kernel
    throw new DeviceError(
      `cpu: kernel ${name} is launched with a grid of ${x} × ${y} × ${z} programs; ` +
        `a launch can have ${mostAlongAxis} along an axis and 2^53 in all`,
      { fix: 'use larger tiles, so that fewer programs cover the data' },
    )
  }

  #fail(step: number): never {
    const { kernel, scratchBytes } = this.#specs[step]!
    throw new DeviceError(`cpu: no memory for ${scratchBytes} bytes of scratch in kernel ${kernel.name}`, {
      fix: 'free memory, or use fewer threads (TEGULA_THREADS)',
    })
  }

  #writeStep(step: number, spec: StepSpec): void {
    const word = this.#stepWord(step)
    const [x, y, z] = spec.grid ?? [1, 1, 1]
    this.#writeInteger(word + stepLayout.fn, spec.kernel.address)
    this.#writeInteger(word + stepLayout.args, this.#block.address + this.#firstArg[step]! * 8)
    this.setGrid(step, x, y, z)
    this.#writeInteger(word + stepLayout.scratchBytes, spec.scratchBytes ?? 0)
    this.#writeInteger(word + stepLayout.minChunk, spec.minChunk ?? 0)
  }

  #stepWord(step: number): number {
    if (!(step >= 0 && step < this.length)) throw new InternalError(`step ${step} of ${this.length} steps`)
    return step * stepLayout.words
  }

  #argument(step: number, arg: number): number {
    const word = this.#firstArg[step]! + arg
    // Written so that NaN, from a step that is not there, fails too.
    if (!(arg >= 0 && step < this.length && word < this.#firstArg[step + 1]!)) {
      throw new InternalError(`argument ${arg} of step ${step}: there are ${this.length} steps`)
    }
    return word
  }

  /** Two's complement in two halves: a BigInt per write would be garbage at each call. */
  #writeInteger(word: number, value: number): void {
    const low = value | 0
    this.#words[word * 2] = low
    this.#words[word * 2 + 1] = low === value ? low >> 31 : Math.floor(value / twoTo32) >>> 0
  }
}

const isGrid = (x: number, y: number, z: number): boolean =>
  x <= mostAlongAxis && y <= mostAlongAxis && z <= mostAlongAxis && x * y * z <= Number.MAX_SAFE_INTEGER

/** The steps come first, then all arguments, step by step; returns where each step's arguments start, in words. */
function argumentOffsets(specs: readonly StepSpec[]): Int32Array {
  const offsets = new Int32Array(specs.length + 1)
  let word = specs.length * stepLayout.words
  specs.forEach((spec, step) => {
    offsets[step] = word
    word += spec.args
  })
  offsets[specs.length] = word
  return offsets
}
