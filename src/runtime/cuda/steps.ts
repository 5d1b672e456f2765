/**
 * A list of launches, fills and copies, built once per plan and patched with new addresses, sizes and scalars at each call.
 * Its arguments are packed in native memory: running it takes one driver call per step and no allocation, or one driver call
 * in all as a CUDA graph (`step-graph.ts`).
 *
 * A kernel's arguments are packed by their layouts, followed by its grid x, y and z in 8 bytes each; it is launched as a
 * one-dimensional grid.
 */

import { DeviceError, InternalError } from '../../base/errors.js'
import type { SourceLocation } from '../../base/source.js'
import { type ArgumentLayout, packArguments, wordArguments, wordBytes } from '../../types/argument-layout.js'
import { NativeWords } from '../native.js'
import type { BoundSizes, Patch, Patches, StepSize } from '../patches.js'
import type { CudaContext } from './context.js'
import type { KernelLabel, Launcher } from './launch-log.js'
import { launchConfig, launchExtra, startEarly } from './layouts.js'
import type { CudaKernel } from './module.js'
import type { CudaStream } from './stream.js'

export type StepSpec = KernelStep | FillStep | CopyStep

export interface KernelStep {
  readonly kind: 'kernel'
  /** Its module stays loaded as long as the list lives. */
  readonly kernel: CudaKernel
  /** Its arguments, all 0 until set; the grid is not among them. */
  readonly args: readonly ArgumentLayout[]
  /** Program instances along x, y, z; default [1, 1, 1]. An empty grid runs nothing. */
  readonly grid?: readonly [number, number, number]
  /** Threads of a block. */
  readonly threads: number
  /** Dynamic shared memory of a block; default 0. */
  readonly sharedBytes?: number
  /** The user's lines behind it, for errors. */
  readonly lines?: readonly SourceLocation[]
}

/** Arguments: 0 the target's address, 1 the value (as an unsigned integer), 2 the number of elements. */
export interface FillStep {
  readonly kind: 'fill'
  readonly elementBytes: 1 | 4
}

/** Arguments: 0 the target's address, 1 the source's, 2 the number of bytes. */
export interface CopyStep {
  readonly kind: 'copy'
}

/** The grid follows a kernel's arguments. */
const gridArguments = wordArguments(3)
/** Of fills and copies. */
const memoryArguments = wordArguments(3)
const maxBlocks = 2 ** 31 - 1

/** Offsets of a step's structures, in words. */
interface Place {
  /** Of each argument; a kernel's grid follows. */
  readonly args: readonly number[]
  /** From the first argument to the end of the last. */
  readonly argumentWords: number
  readonly config: number
  readonly extra: number
}

/**
 * Arguments are addressed by (step, index). Blocks whose addresses were set must stay allocated until the work is done:
 * the list holds addresses, not blocks. Setters throw InternalError for a step or argument that is not there.
 */
export class StepList implements Launcher {
  readonly length: number
  readonly kernels: readonly KernelLabel[]
  /** Incremented at each change of a step, so that a graph knows which of its nodes are stale. */
  readonly versions: Uint32Array
  readonly words: NativeWords
  readonly #context: CudaContext
  /** Of each step. */
  readonly labels: readonly KernelLabel[]
  readonly #places: readonly Place[]
  /** Blocks that each kernel step launches; 0: the step is skipped. */
  readonly #blocks: Float64Array
  readonly #configs: Float64Array
  readonly #extras: Float64Array
  /** The streams that the steps' launches name. */
  readonly #streams: Float64Array

  constructor(
    context: CudaContext,
    readonly specs: readonly StepSpec[],
  ) {
    this.length = specs.length
    this.#context = context
    this.labels = specs.map(spec => ({
      kernel: spec.kind === 'kernel' ? spec.kernel.name : spec.kind,
      lines: spec.kind === 'kernel' ? (spec.lines ?? []) : [],
    }))
    this.kernels = this.labels.filter((_, step) => specs[step]!.kind === 'kernel')
    this.versions = new Uint32Array(specs.length).fill(1)
    this.#blocks = new Float64Array(specs.length)
    this.#streams = new Float64Array(specs.length)
    const { places, words } = layOut(specs)
    this.#places = places
    this.words = new NativeWords(words)
    this.#configs = Float64Array.from(places, place => this.words.addressOf(place.config))
    this.#extras = Float64Array.from(places, place => this.words.addressOf(place.extra))
    this.words.set(0, startEarly.id)
    this.words.set(1, startEarly.value)
    for (const [step, spec] of specs.entries()) if (spec.kind === 'kernel') this.#writeKernel(step, spec)
  }

  /** Passes a pointer: an address of device memory. */
  setPointer(step: number, arg: number, address: number): void {
    if (this.words.set(this.#argument(step, arg), address)) this.versions[step]!++
  }

  /** Three numbers each: the index in the table, the argument's word, and its step. */
  patches(list: readonly Patch[]): Patches {
    return Int32Array.from(list.flatMap(({ step, argument, value }) => [value, this.#argument(step, argument), step]))
  }

  /** Passes the pointers `addresses[index]` plus `values[…]` bytes. */
  setPointers(patches: Patches, addresses: Float64Array, index: number, values: Float64Array): void {
    for (let i = 0; i < patches.length; i += 3) {
      const address = addresses[index]! + values[patches[i]!]!
      if (this.words.set(patches[i + 1]!, address)) this.versions[patches[i + 2]!]!++
    }
  }

  /** Binds integers and grids to `values`; what is passed is written at once. */
  bindSizes(args: readonly Patch[], grids: readonly StepSize[], values: Float64Array): BoundSizes {
    const patches = this.patches(args)
    return { pass: () => this.#passSizes(patches, grids, values) }
  }

  /** Passes sizes to integer arguments and grids. `patches`: triples of value, argument word and step. */
  #passSizes(patches: Patches, grids: readonly StepSize[], values: Float64Array): void {
    for (let i = 0; i < patches.length; i += 3) {
      if (this.words.set(patches[i + 1]!, values[patches[i]!]!)) this.versions[patches[i + 2]!]!++
    }
    for (let i = 0; i < grids.length; i++) {
      const { step, x, y, z } = grids[i]!
      this.setGrid(step, values[x]!, values[y]!, values[z]!)
    }
  }

  /** Passes an int64; `value` must be a safe integer. */
  setInt(step: number, arg: number, value: number): void {
    if (this.words.set(this.#argument(step, arg), value)) this.versions[step]!++
  }

  /** Passes an int64 of the full range. */
  setBigInt(step: number, arg: number, value: bigint): void {
    const low = Number(BigInt.asUintN(32, value))
    const high = Number(BigInt.asUintN(32, value >> 32n))
    if (this.words.setHalves(this.#argument(step, arg), low, high)) this.versions[step]!++
  }

  /** Passes a double. */
  setFloat(step: number, arg: number, value: number): void {
    const word = this.#argument(step, arg)
    if (Object.is(this.words.floats[word], value)) return
    this.words.floats[word] = value
    this.versions[step]!++
  }

  /** Passes a structure as it is; `bytes` are as many as its layout has. */
  setBytes(step: number, arg: number, bytes: Uint8Array): void {
    const word = this.#argument(step, arg)
    const expected = this.#layouts(step)[arg]!.bytes
    if (bytes.length !== expected) {
      throw new InternalError(`argument ${arg} of step ${step} takes ${expected} bytes, got ${bytes.length}`)
    }
    new Uint8Array(this.words.buffer, word * wordBytes, expected).set(bytes)
    this.versions[step]!++
  }

  /** Throws DeviceError when the grid has more blocks than a launch can have. */
  setGrid(step: number, x: number, y: number, z: number): void {
    const spec = this.specs[step]
    if (spec?.kind !== 'kernel') throw new InternalError(`setGrid: step ${step} launches nothing`)
    const blocks = x * y * z
    if (!(blocks >= 0 && blocks <= maxBlocks)) {
      throw new DeviceError(
        `${this.#context.name}: kernel ${spec.kernel.name} is launched with a grid of ${x} × ${y} × ${z} programs; ` +
          `a launch can have ${maxBlocks}`,
        { fix: 'use larger tiles, so that fewer programs cover the data' },
      )
    }
    const { words } = this
    const { args, config } = this.#places[step]!
    const word = args[spec.args.length]!
    const changed = [words.set(word, x), words.set(word + 1, y), words.set(word + 2, z)]
    if (changed.includes(true)) this.versions[step]!++
    this.#blocks[step] = blocks
    words.halves[config * 2 + launchConfig.gridX] = Math.max(1, blocks)
  }

  /** Queues all steps on `stream`, in order. Throws DeviceError when the driver refuses one, or reports an earlier failure. */
  run(stream: CudaStream): void {
    this.runSome(stream, 0, this.length, this)
  }

  /** As `run`, for the steps from `first` up to `end`. `launcher`: their launcher, for the log of launches. */
  runSome(stream: CudaStream, first: number, end: number, launcher: Launcher): void {
    const { specs } = this
    const call = this.#context.enter()
    const { cuLaunchKernelEx } = call
    for (let step = first; step < end; step++) {
      const spec = specs[step]!
      if (spec.kind !== 'kernel') this.#runMemory(step, spec, stream)
      else if (this.#blocks[step]! > 0) {
        if (this.#streams[step] !== stream.handle) this.#moveTo(step, stream)
        const result = cuLaunchKernelEx(this.#configs[step]!, spec.kernel.handle, 0, this.#extras[step]!)
        if (result !== 0) this.#fail(result, step, stream)
        if (this.#context.synchronous) this.#waitFor(step, stream)
      }
    }
    stream.queued(launcher)
  }

  /** Whether the step does anything: an empty grid, fill or copy does not. */
  isEmpty(step: number): boolean {
    return this.specs[step]!.kind === 'kernel' ? this.#blocks[step] === 0 : this.argument(step, 2) === 0
  }

  blocks(step: number): number {
    return this.#blocks[step]!
  }

  /** The value of an integer argument or pointer. */
  argument(step: number, arg: number): number {
    return this.words.get(this.#argument(step, arg))
  }

  /** The address of a kernel step's packed arguments, as a launch takes them. */
  extraAddress(step: number): number {
    return this.#extras[step]!
  }

  /** Runs a fill or a copy. */
  #runMemory(step: number, spec: FillStep | CopyStep, stream: CudaStream): void {
    const count = this.argument(step, 2)
    if (count === 0) return
    const call = this.#context.enter()
    const target = this.argument(step, 0)
    const value = this.argument(step, 1)
    const result =
      spec.kind === 'copy'
        ? call.cuMemcpyDtoDAsync(target, value, count, stream.handle)
        : spec.elementBytes === 1
          ? call.cuMemsetD8Async(target, value, count, stream.handle)
          : call.cuMemsetD32Async(target, value, count, stream.handle)
    this.#context.check(result, spec.kind === 'copy' ? 'copying memory' : 'filling memory')
  }

  /** Under TEGULA_CUDA_SYNC the log holds this kernel alone, so that an error names it. */
  #waitFor(step: number, stream: CudaStream): void {
    if (stream.capture !== null) return
    stream.queued({ kernels: [this.labels[step]!] })
  }

  #fail(result: number, step: number, stream: CudaStream): never {
    this.#context.launches.record({ kernels: [this.labels[step]!] }, stream.id)
    throw this.#context.error(result, `launching kernel ${this.labels[step]!.kernel}`)
  }

  #moveTo(step: number, stream: CudaStream): void {
    this.#streams[step] = stream.handle
    this.words.set(this.#places[step]!.config + launchConfig.stream, stream.handle)
  }

  /** Writes the launch configuration of a kernel step to native memory. */
  #writeKernel(step: number, spec: KernelStep): void {
    const { words } = this
    const { args, argumentWords, config, extra } = this.#places[step]!
    const { kernel, threads, sharedBytes = 0 } = spec
    kernel.module.prepare(kernel, threads, sharedBytes)
    const halves = [1, 1, 1, threads, 1, 1, sharedBytes]
    halves.forEach((value, i) => {
      words.halves[config * 2 + i] = value
    })
    words.set(config + launchConfig.attributes, kernel.waits ? words.address : 0)
    words.set(config + launchConfig.attributeCount, kernel.waits ? 1 : 0)
    const sizeWord = extra + launchExtra.words - 1
    const packed = [
      launchExtra.bufferPointer,
      words.addressOf(args[0]!),
      launchExtra.bufferSize,
      words.addressOf(sizeWord),
    ]
    ;[...packed, launchExtra.end, argumentWords * wordBytes].forEach((value, i) => {
      words.set(extra + i, value)
    })
    const [x, y, z] = spec.grid ?? [1, 1, 1]
    this.setGrid(step, x, y, z)
  }

  #argument(step: number, arg: number): number {
    const count = this.#layouts(step).length
    if (!(arg >= 0 && arg < count)) {
      throw new InternalError(`argument ${arg} of step ${step}: there are ${this.length} steps, this one has ${count}`)
    }
    return this.#places[step]!.args[arg]!
  }

  #layouts(step: number): readonly ArgumentLayout[] {
    const spec = this.specs[step]
    if (spec === undefined) return []
    return spec.kind === 'kernel' ? spec.args : memoryArguments
  }
}

/** Some consecutive steps of a list. */
export class StepRange implements Launcher {
  readonly kernels: readonly KernelLabel[]

  constructor(
    readonly list: StepList,
    readonly first: number,
    readonly end: number,
  ) {
    this.kernels = list.labels.slice(first, end).filter((_, i) => list.specs[first + i]!.kind === 'kernel')
  }

  /** Queues them on `stream`, in order. Throws DeviceError as `StepList.run`. */
  run(stream: CudaStream): void {
    this.list.runSome(stream, this.first, this.end, this)
  }
}

/** The place of each step's arguments and configuration in one block of native memory. */
function layOut(specs: readonly StepSpec[]): { places: Place[]; words: number } {
  let word: number = startEarly.words // the attribute of early launches comes first
  const reserve = (count: number): number => {
    word += count
    return word - count
  }
  const reserveArguments = (layouts: readonly ArgumentLayout[]): Pick<Place, 'args' | 'argumentWords'> => {
    const { offsets: at, words } = packArguments(layouts)
    const first = reserve(words)
    return { args: at.map(offset => first + offset), argumentWords: words }
  }
  const places = specs.map((spec): Place => {
    if (spec.kind !== 'kernel') return { ...reserveArguments(memoryArguments), config: 0, extra: 0 }
    return {
      ...reserveArguments([...spec.args, ...gridArguments]),
      config: reserve(launchConfig.words),
      extra: reserve(launchExtra.words),
    }
  })
  return { places, words: word }
}
