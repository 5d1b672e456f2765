/**
 * Runs an artifact: a call patches the sizes and pointers that changed in the device's packed steps, allocates the outputs
 * and runs all steps. JavaScript objects are allocated for the results only.
 */

import { type Artifact, blockArtifact } from '../../backends/artifact.js'
import type { ComputeDevice, MachineOptions } from '../../backends/device.js'
import type { Machine, PatchableSteps } from '../../backends/machine.js'
import { InternalError } from '../../base/errors.js'
import type { DeviceBlock } from '../../runtime/device.js'
import type { PlanTensor } from '../../schedule/plan/plan.js'
import type { TensorLayout } from '../../tensor/layout.js'
import { Freed, Storage } from '../../tensor/storage.js'
import { Tensor } from '../../tensor/tensor.js'
import type { Dtype } from '../../types/dtype.js'
import type { LayoutIndices, SizeTable } from '../guards/size-table.js'
import { type Binding, type BoundBuffer, bindArtifact, type Phase } from './binding.js'
import { type BlockRunner, ControlFlow, type ResultRows } from './control.js'
import { type RunObserver, runObserver } from './run-observer.js'

/** What runs a compiled graph, natively or not. */
export interface Runner {
  /** The file of its generated code; null when it has none. */
  readonly sourcePath: string | null
  /**
   * Runs once. `inputs` and `scalars` are in the order of the graph's inputs and of its types; `symbols` are the values of
   * its symbols. Returns the graph's outputs.
   */
  run(inputs: readonly Tensor[], scalars: readonly (number | bigint)[], symbols: Float64Array): readonly Tensor[]
}

/**
 * The executable of an artifact and of the blocks of its control flow, which share its code.
 * @param machine the artifact loaded on the device; default: loads it
 */
export function makeExecutable(
  artifact: Artifact,
  device: ComputeDevice,
  options: MachineOptions,
  machine: Machine = device.machine(artifact, options),
): Executable {
  const blocks: Executable[] = []
  for (const i of artifact.plan.blocks.keys()) {
    const block = blockArtifact(artifact, i)
    blocks.push(new Executable(block, device.machine(block, options), blocks))
  }
  return new Executable(artifact, machine, blocks)
}

interface BoundOutput {
  readonly buffer: number
  readonly dtype: Dtype
  /** It is the first output in its buffer, so disposing it frees the memory. */
  readonly owner: boolean
  readonly sizes: LayoutIndices
  /** At the present symbol values. */
  layout: TensorLayout
}

/** Temporaries up to this size stay allocated between calls. */
const maxKeptArenaBytes = 1 << 20
/** Minimum arena of temporaries with symbolic sizes, so that few calls outgrow the kept one. */
const minGrowingArenaBytes = 1 << 12

export class Executable implements Runner {
  readonly sourcePath: string | null
  readonly #binding: Binding
  readonly #steps: PatchableSteps
  readonly #outputs: readonly BoundOutput[]
  readonly #buffers: readonly BoundBuffer[]
  /** The address with which each buffer's pointers were last patched; -1: patch at the next call. */
  readonly #addresses: Float64Array
  /** Each buffer's address in the current call. */
  readonly #current: Float64Array
  readonly #symbols: Float64Array
  /** Every size of the plan at the present symbols. */
  readonly #sizes: Float64Array
  /** The outputs whose layouts depend on symbols. */
  readonly #symbolicOutputs: readonly BoundOutput[]
  /** The buffers with pointers whose offsets depend on symbols. */
  readonly #symbolicBuffers: readonly number[]
  /** Bytes of each slot of the arena, and its offset. */
  readonly #slotBytes: Float64Array
  readonly #slotOffsets: Float64Array
  readonly #blocks: (DeviceBlock | null)[]
  /** By buffer: storages made for the current call's results. */
  readonly #made: (Storage | null)[]
  /** By buffer: where the row of a longer result is that it is in the current call. */
  readonly #rows: Float64Array
  /** The arena of the current call's temporaries, and the one kept for the next call on the same queue. */
  #arena: DeviceBlock | null = null
  #keptArena: DeviceBlock | null = null
  #keptQueue: object | null = null
  #arenaBytes = 0

  /** `blocks`: a runner for each block of the plan; see `makeExecutable`. */
  constructor(
    readonly artifact: Artifact,
    readonly machine: Machine,
    readonly blocks: readonly BlockRunner[],
  ) {
    const { plan } = artifact
    if (plan.devices !== 1) throw new InternalError(`run: a plan for ${plan.devices} devices on one machine`)
    this.sourcePath = machine.sourcePath
    this.#steps = machine.steps
    this.#binding = bindArtifact(artifact, machine.steps)
    this.#buffers = this.#binding.buffers
    this.#symbolicBuffers = this.#buffers.flatMap(({ isSymbolic }, i) => (isSymbolic ? [i] : []))
    const { table, outputs } = this.#binding
    this.#sizes = table.values
    const owned = new Set<number>()
    this.#outputs = plan.outputs.map((output, i) => {
      const owner = !owned.has(output.buffer)
      owned.add(output.buffer)
      return bindOutput(output, owner, outputs[i]!, table)
    })
    this.#symbolicOutputs = this.#outputs.filter(({ sizes }) => !sizes.isFixed)
    this.#addresses = new Float64Array(plan.buffers.length).fill(-1)
    this.#current = new Float64Array(plan.buffers.length)
    this.#symbols = new Float64Array(plan.symbols.length).fill(Number.NaN)
    this.#slotBytes = new Float64Array(plan.slots)
    this.#slotOffsets = new Float64Array(plan.slots)
    this.#blocks = plan.buffers.map(() => null)
    this.#made = plan.buffers.map(() => null)
    this.#rows = new Float64Array(plan.buffers.length)
    this.#binding.fixed.pass()
    if (this.#binding.isArenaFixed) this.#layOutArena()
  }

  resultBytes(index: number, symbols: Float64Array): number {
    this.#updateSymbols(symbols)
    return this.#sizes[this.#buffers[this.#outputs[index]!.buffer]!.bytes]!
  }

  run(
    inputs: readonly Tensor[],
    scalars: readonly (number | bigint)[],
    symbols: Float64Array,
    into?: ResultRows,
  ): readonly Tensor[] {
    this.#updateSymbols(symbols)
    if (into !== undefined) this.#place(into)
    this.#bindBuffers(inputs)
    this.#passScalars(scalars)
    const { phases } = this.#binding
    if (phases !== null) return this.#runPhases(phases, inputs)
    if (runObserver === null) this.machine.run()
    else this.#observed(runObserver, 0, this.#steps.length)
    this.#releaseArena()
    return this.#results(inputs)
  }

  #observed(observer: RunObserver, first: number, end: number): void {
    observer.plan({ artifact: this.artifact, machine: this.machine, symbols: this.#symbols, first, end })
  }

  /** Has outputs of the next run written into rows of longer results. */
  #place({ memory, index }: ResultRows): void {
    for (const [i, storage] of memory.entries()) {
      if (storage === null) continue
      const { buffer } = this.#outputs[i]!
      this.#made[buffer] = storage
      this.#rows[buffer] = storage.block.address + index * this.#sizes[this.#buffers[buffer]!.bytes]!
      this.machine.uses(storage.block, true)
    }
  }

  /** As `run`, with control flow between launches. Buffers that are no outputs are freed at the end. */
  #runPhases(phases: readonly Phase[], inputs: readonly Tensor[]): readonly Tensor[] {
    const { device, memory } = this.machine
    const control = new ControlFlow(
      this.blocks,
      this.#symbols,
      ({ buffer, dtype, sizes }) => this.#tensorAt(buffer, dtype, this.#binding.table.layout(sizes), inputs, false),
      bytes => new Storage(memory.allocate(bytes), bytes, device, memory),
    )
    const returned = new Set<Storage | null>()
    try {
      for (const phase of phases) {
        if (phase.kind === 'launches') {
          if (runObserver === null) this.machine.runSome(phase.first, phase.end)
          else this.#observed(runObserver, phase.first, phase.end)
        } else for (const { buffer, storage } of control.run(phase)) this.#adopt(buffer, storage)
      }
      this.#releaseArena()
      for (const { buffer } of this.#outputs)
        returned.add(this.#buffers[buffer]!.kind === 'input' ? null : this.#storageOf(buffer))
      const made = [...this.#made]
      const results = this.#results(inputs)
      for (const storage of made)
        if (storage !== null && !returned.has(storage)) storage.free(new Freed('freed after its call'))
      return results
    } finally {
      this.#made.fill(null)
    }
  }

  /** Makes a block's result the memory of a buffer. */
  #adopt(index: number, storage: Storage): void {
    this.machine.uses(storage.block, false)
    this.#made[index] = storage
    this.#current[index] = storage.block.address
    this.#steps.setPointers(this.#buffers[index]!.pointers, this.#current, index, this.#sizes)
  }

  #passScalars(scalars: readonly (number | bigint)[]): void {
    const { scalars: positions } = this.#binding
    for (let i = 0; i < positions.length; i++) {
      const { step, argument, input, float } = positions[i]!
      const value = scalars[input]!
      if (typeof value === 'bigint') this.#steps.setBigInt(step, argument, value)
      else if (float) this.#steps.setFloat(step, argument, value)
      else this.#steps.setInt(step, argument, value)
    }
  }

  #updateSymbols(symbols: Float64Array): void {
    let changed = false
    for (let i = 0; i < this.#symbols.length; i++) {
      if (this.#symbols[i] === symbols[i]) continue
      this.#symbols[i] = symbols[i]!
      changed = true
    }
    if (changed) this.#resize()
  }

  /** Recomputes everything that depends only on symbols. */
  #resize(): void {
    const { table, symbolic, isArenaFixed } = this.#binding
    table.update(this.#symbols)
    symbolic.pass()
    if (!isArenaFixed) this.#layOutArena()
    for (let i = 0; i < this.#symbolicBuffers.length; i++) this.#addresses[this.#symbolicBuffers[i]!] = -1
    for (let i = 0; i < this.#symbolicOutputs.length; i++) {
      const output = this.#symbolicOutputs[i]!
      output.layout = table.layout(output.sizes)
    }
  }

  /**
   * Gives each slot the bytes of its temporaries. While the arena is small enough to be kept, slots only grow, so that
   * offsets stay the same when sizes go up and down.
   */
  #layOutArena(): void {
    if (this.#arenaBytes <= maxKeptArenaBytes && this.#slotsSuffice()) return
    this.#growSlots()
    if (this.#arenaBytes <= maxKeptArenaBytes) return
    this.#slotBytes.fill(0)
    this.#growSlots()
  }

  #slotsSuffice(): boolean {
    const { slots } = this.#binding
    for (let i = 0; i < slots.length; i++) {
      const { slot, bytes } = slots[i]!
      if (this.#sizes[bytes]! > this.#slotBytes[slot]!) return false
    }
    return true
  }

  /** Grows the slots of temporary buffers to this call's sizes, and places them in one arena. */
  #growSlots(): void {
    const slotBytes = this.#slotBytes
    const { alignment } = this.machine
    for (const { slot, bytes } of this.#binding.slots) {
      const needed = Math.ceil(this.#sizes[bytes]! / alignment) * alignment
      if (needed > slotBytes[slot]!) slotBytes[slot] = needed
    }
    let total = 0
    for (let slot = 0; slot < slotBytes.length; slot++) {
      this.#slotOffsets[slot] = total
      total += slotBytes[slot]!
    }
    this.#arenaBytes = total
  }

  /** Finds or allocates the memory of every buffer and patches the pointers of those whose address changed. */
  #bindBuffers(inputs: readonly Tensor[]): void {
    if (this.#arenaBytes > 0) this.#takeArena()
    const current = this.#current
    for (let i = 0; i < this.#buffers.length; i++) {
      const buffer = this.#buffers[i]!
      this.#resolveAddress(i, buffer, inputs)
      if (current[i] === this.#addresses[i]) continue
      this.#addresses[i] = current[i]!
      this.#steps.setPointers(buffer.pointers, current, i, this.#sizes)
    }
  }

  /** Puts the address of a buffer's first element into `#current`. */
  #resolveAddress(index: number, buffer: BoundBuffer, inputs: readonly Tensor[]): void {
    switch (buffer.kind) {
      case 'input': {
        const { source, layout } = inputs[buffer.input]!
        if (source.kind !== 'storage') throw new InternalError(`run: input ${buffer.input} has no memory`)
        this.machine.uses(source.block, buffer.isWritten)
        this.#current[index] = source.block.address + layout.offset * buffer.itemBytes
        return
      }
      case 'output': {
        if (this.#made[index] !== null) {
          this.#current[index] = this.#rows[index]!
          return
        }
        const block = this.machine.memory.allocate(this.#sizes[buffer.bytes]!)
        this.#blocks[index] = block
        this.#current[index] = block.address
        return
      }
      case 'result':
        this.#current[index] = this.#addresses[index]! // patched when its step has run
        return
      case 'temp':
        this.#current[index] =
          this.#arena === null ? 0 : this.#arena.address + this.#slotOffsets[buffer.slot]! + buffer.at
        return
      default:
        buffer.kind satisfies never
    }
  }

  /** Memory for the temporary buffers: that of the last call if it suffices and is ordered on this queue. */
  #takeArena(): void {
    const { queue, memory } = this.machine
    const bytes = this.#arenaBytes
    const kept = this.#keptArena
    if (kept !== null && this.#keptQueue === queue && kept.byteLength >= bytes && bytes <= maxKeptArenaBytes) {
      this.#arena = kept
      return
    }
    if (queue === null || bytes > maxKeptArenaBytes) {
      this.#arena = memory.allocate(bytes, 'temporaries')
      return
    }
    this.#arena = memory.allocate(this.#binding.isArenaFixed ? bytes : roomFor(bytes), 'temporaries')
    if (kept !== null) memory.release(kept)
    this.#keptArena = this.#arena
    this.#keptQueue = queue
  }

  #releaseArena(): void {
    if (this.#arena !== null && this.#arena !== this.#keptArena) this.machine.memory.release(this.#arena)
    this.#arena = null
  }

  #results(inputs: readonly Tensor[]): readonly Tensor[] {
    const count = this.#outputs.length
    if (count === 0) return noResults
    const results = new Array<Tensor>(count)
    for (let i = 0; i < count; i++) results[i] = this.#result(this.#outputs[i]!, inputs)
    for (let i = 0; i < count; i++) this.#made[this.#outputs[i]!.buffer] = null
    return results
  }

  #result({ buffer, dtype, owner, layout }: BoundOutput, inputs: readonly Tensor[]): Tensor {
    return this.#tensorAt(buffer, dtype, layout, inputs, owner)
  }

  #tensorAt(buffer: number, dtype: Dtype, layout: TensorLayout, inputs: readonly Tensor[], owner: boolean): Tensor {
    const made = this.#buffers[buffer]!
    if (made.kind === 'input') {
      const base = inputs[made.input]!
      return new Tensor(base.source, dtype, layout.startingAt(base.layout.offset + layout.offset), false)
    }
    return new Tensor(this.#storageOf(buffer), dtype, layout, owner)
  }

  /** The storage of a buffer, one per call: results may share it. */
  #storageOf(buffer: number): Storage {
    const known = this.#made[buffer]!
    if (known !== null) return known
    const { device, memory } = this.machine
    const block = this.#blocks[buffer]!
    const storage = new Storage(block, this.#sizes[this.#buffers[buffer]!.bytes]!, device, memory)
    this.#blocks[buffer] = null
    this.#made[buffer] = storage
    return storage
  }
}

const noResults: readonly Tensor[] = []

/** Rounds up to a power of two. */
const roomFor = (bytes: number): number => Math.max(minGrowingArenaBytes, 2 ** Math.ceil(Math.log2(bytes)))

/** How an output becomes a tensor. */
const bindOutput = (
  { buffer, dtype }: PlanTensor,
  owner: boolean,
  sizes: LayoutIndices,
  table: SizeTable,
): BoundOutput => ({
  buffer,
  dtype,
  owner,
  sizes,
  layout: table.layout(sizes),
})
