/**
 * Control-flow steps: the host reads a predicate, which selects the block to run, or counts the steps; each block runs as a
 * separate call.
 */
import { InternalError } from '../../base/errors.js'
import type { StepsStep } from '../../schedule/plan/plan.js'
import { readTensor } from '../../tensor/host.js'
import { TensorLayout } from '../../tensor/layout.js'
import { Freed, type Storage } from '../../tensor/storage.js'
import { Tensor } from '../../tensor/tensor.js'
import type { BoundControl, BoundTensor } from './binding.js'

/** Runs a block; as `Runner` of executable.ts. */
export interface BlockRunner {
  run(
    inputs: readonly Tensor[],
    scalars: readonly (number | bigint)[],
    symbols: Float64Array,
    into?: ResultRows,
  ): readonly Tensor[]
  /** Bytes of a result. */
  resultBytes(index: number, symbols: Float64Array): number
}

/** Where results go that are elements of longer ones; null: memory of their own. */
export interface ResultRows {
  readonly memory: readonly (Storage | null)[]
  readonly index: number
}

/** A block's result: the memory that a buffer of the plan has from now on. */
export interface ResultMemory {
  readonly buffer: number
  readonly storage: Storage
}

/** One call's control flow. */
export class ControlFlow {
  constructor(
    readonly blocks: readonly BlockRunner[],
    readonly symbols: Float64Array,
    readonly tensorOf: (place: BoundTensor) => Tensor,
    readonly allocate: (bytes: number) => Storage,
  ) {}

  /** Runs a step; returns its results' memory. Waits for the device to read the predicate. */
  run({ step, operands, predicate }: BoundControl): readonly ResultMemory[] {
    const inputs = operands.map(this.tensorOf)
    switch (step.kind) {
      case 'cond': {
        const [yes, no] = step.branches
        return resultMemory(step.results, this.#block(holds(this.tensorOf(predicate!)) ? yes : no, inputs))
      }
      case 'loop':
        return resultMemory(step.results, this.#loop(step.condition, step.body, step.results.length, inputs))
      case 'steps':
        return this.#steps(step, inputs)
      default:
        return step satisfies never
    }
  }

  /** Elements are views of their sequences; elements of results are written where they belong. */
  #steps(step: StepsStep, inputs: readonly Tensor[]): readonly ResultMemory[] {
    const { carried: count, sequences, reverse, body } = step
    const block = this.blocks[body]!
    const elements = inputs.slice(count, count + sequences).map(elementsOf)
    const invariants = inputs.slice(count + sequences)
    const [length] = inputs[count]!.layout.shape as [number]
    const memory = step.results.map((buffer, i) =>
      i < count || buffer === null ? null : this.allocate(length * block.resultBytes(i, this.symbols)),
    )
    let carried = inputs.slice(0, count)
    for (let n = 0; n < length; n++) {
      const index = reverse ? length - 1 - n : n
      const all = [...carried, ...elements.map(at => at(index)), ...invariants]
      const results = block.run(all, [], this.symbols, { memory, index })
      if (n > 0) carried.forEach(free)
      for (let i = count; i < results.length; i++) if (memory[i] === null) free(results[i]!)
      carried = results.slice(0, count)
    }
    const stacked = memory.flatMap((storage, i) => (storage === null ? [] : [{ buffer: step.results[i]!, storage }]))
    return [...resultMemory(step.results.slice(0, count), carried), ...stacked]
  }

  #block(index: number, inputs: readonly Tensor[]): readonly Tensor[] {
    return this.blocks[index]!.run(inputs, [], this.symbols)
  }

  /** Carried values of an iteration are freed after the next; the initial ones belong to the plan and are not. */
  #loop(condition: number, body: number, count: number, inputs: readonly Tensor[]): readonly Tensor[] {
    const invariants = inputs.slice(count)
    let carried = inputs.slice(0, count)
    for (let iteration = 0; ; iteration++) {
      const all = [...carried, ...invariants]
      const [predicate] = this.#block(condition, all)
      const isOver = !holds(predicate!)
      free(predicate!)
      if (isOver) return carried
      const next = this.#block(body, all)
      if (iteration > 0) carried.forEach(free)
      carried = [...next]
    }
  }
}

/** The element of a row-major tensor at an index along dim 0. */
function elementsOf({ source, dtype, layout: { shape, strides, offset } }: Tensor): (index: number) => Tensor {
  const first = new TensorLayout(shape.slice(1), strides.slice(1), offset)
  return index => new Tensor(source, dtype, first.startingAt(offset + index * strides[0]!), false)
}

const storageOf = ({ source }: Tensor): Storage => {
  if (source.kind === 'storage') return source
  throw new InternalError('control flow: a value without memory')
}

const holds = (predicate: Tensor): boolean => Boolean(readTensor(storageOf(predicate), 'bool', predicate.layout)[0])

const free = (tensor: Tensor): void => storageOf(tensor).free(new Freed('freed after its iteration'))

/** Pairs results with their buffers; unused results are freed. */
function resultMemory(results: readonly (number | null)[], values: readonly Tensor[]): ResultMemory[] {
  return values.flatMap((value, i) => {
    const buffer = results[i]!
    if (buffer !== null) return [{ buffer, storage: storageOf(value) }]
    free(value)
    return []
  })
}
