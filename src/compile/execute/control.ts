/** Control-flow steps: the host reads a predicate, which selects the block to run; each block runs as a separate call. */
import { InternalError } from '../../base/errors.js'
import { readTensor } from '../../tensor/host.js'
import { Freed, type Storage } from '../../tensor/storage.js'
import type { Tensor } from '../../tensor/tensor.js'
import type { BoundControl, BoundTensor } from './binding.js'

/** Runs a block; as `Runner` of executable.ts. */
export interface BlockRunner {
  run(inputs: readonly Tensor[], scalars: readonly (number | bigint)[], symbols: Float64Array): readonly Tensor[]
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
      default:
        return step satisfies never
    }
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
