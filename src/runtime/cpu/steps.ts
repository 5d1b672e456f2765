/**
 * A list of kernel launches in native memory: built once per plan, patched with new addresses, sizes and scalars at
 * each call, and run by one call into C. Nothing is allocated in JavaScript after construction.
 */
import { DeviceError, InternalError } from '../../base/errors.js'
import type { Block } from '../block.js'
import { addressOf, NativeWords } from '../native.js'
import type { BoundSizes, Patch, Patches, StepSize } from '../patches.js'
import { maxGridExtent, sizesLayout, stepLayout } from './abi.js'
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
  /** Minimum number of program instances per chunk of a thread; default 0: all run on the caller's thread. */
  readonly minChunk?: number
}

const twoTo32 = 2 ** 32

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
  /** Values that the next run passes before it starts. */
  #passed: PackedSizes | null = null
  /** Per step: the word (of 8 bytes) of its first argument; one more entry ends the last. */
  readonly #firstArg: Int32Array

  constructor(runtime: NativeRuntime, allocator: Allocator, specs: readonly StepSpec[]) {
    this.length = specs.length
    this.#runtime = runtime
    this.#specs = specs
    this.#firstArg = argumentOffsets(specs)
    const words = this.#firstArg[specs.length]!
    this.#block = allocator.allocate(words * 8, 'plans')
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

  /** Two numbers each: the index in the table, and the argument's first half word. */
  patches(list: readonly Patch[]): Patches {
    return Int32Array.from(list.flatMap(({ step, argument, value }) => [value, this.#argument(step, argument) * 2]))
  }

  /**
   * Passes the pointers `addresses[index]` plus `values[…]` bytes. Addresses exceed 32 bits: read from a typed array they
   * need no heap object, which as a parameter they might.
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

  /**
   * Binds integers and grids to `values`. The next run passes them, in its one native call; if others are bound before it,
   * they are passed by a call of their own.
   */
  bindSizes(args: readonly Patch[], grids: readonly StepSize[], values: Float64Array): BoundSizes {
    const words = args.map(({ step, argument }) => this.#argument(step, argument))
    const sizes = new PackedSizes(args, words, grids, values)
    return { pass: () => this.#pass(sizes) }
  }

  #pass(sizes: PackedSizes): void {
    if (this.#passed !== null && this.#passed !== sizes) this.runSome(0, 0)
    this.#passed = sizes
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
    const fits = x <= maxGridExtent && y <= maxGridExtent && z <= maxGridExtent
    if (!fits || x * y * z > Number.MAX_SAFE_INTEGER) this.#refuseGrid(step, x, y, z)
    const word = this.#stepWord(step) + stepLayout.grid
    this.#writeInteger(word, x)
    this.#writeInteger(word + 1, y)
    this.#writeInteger(word + 2, z)
  }

  /** Sets the minimum number of program instances in a chunk; 0: the caller's thread runs all. */
  setMinChunk(step: number, programs: number): void {
    this.#writeInteger(this.#stepWord(step) + stepLayout.minChunk, programs)
  }

  /** Runs the steps in order, each after the one before it. Throws DeviceError when out of memory. */
  run(): void {
    this.runSome(0, this.length)
  }

  /** As `run`, for the steps from `first` up to `end`. */
  runSome(first: number, end: number): void {
    if (first > 0 && this.#passed !== null) this.runSome(0, 0) // sizes are packed by their distance from the first step
    const sizes = this.#passed
    const address = this.#block.address + first * stepLayout.words * 8
    const status = this.#runtime.run(address, end - first, sizes === null ? 0 : sizes.address)
    if (status < 0) this.#refuseGrid(...sizes!.gridOf(-status - 1))
    if (status > 0) this.#fail(first + status - 1)
    this.#passed = null
  }

  #refuseGrid(step: number, x: number, y: number, z: number): never {
    const { name } = this.#specs[step]!.kernel
    throw new DeviceError(
      `cpu: kernel ${name} is launched with a grid of ${x} × ${y} × ${z} programs; ` +
        `a launch can have ${maxGridExtent} along an axis and 2^53 in all`,
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

/** Bound sizes as a C structure (`sizesAbi`). */
class PackedSizes {
  readonly #words: NativeWords
  readonly #grids: readonly StepSize[]
  readonly #values: Float64Array

  /** `words`: the offsets of the arguments among the steps' words. */
  constructor(args: readonly Patch[], words: readonly number[], grids: readonly StepSize[], values: Float64Array) {
    this.#grids = grids
    this.#values = values
    const halves = [
      args.length,
      grids.length,
      ...args.flatMap(({ value }, i) => [value, words[i]!]),
      ...grids.flatMap(({ step, x, y, z, bytes, flops }) => [step, x, y, z, bytes, flops]),
    ]
    this.#words = new NativeWords(sizesLayout.counts + halves.length / 2)
    this.#words.set(sizesLayout.values, addressOf(values.buffer as ArrayBuffer) + values.byteOffset)
    this.#words.halves.set(halves, sizesLayout.counts * 2)
  }

  get address(): number {
    return this.#words.address
  }

  /** A step and its grid, as stored in the table. */
  gridOf(index: number): [step: number, x: number, y: number, z: number] {
    const { step, x, y, z } = this.#grids[index]!
    return [step, this.#values[x]!, this.#values[y]!, this.#values[z]!]
  }
}

/** Lays out the steps, then all arguments, step by step; returns where each step's arguments start, in words. */
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
