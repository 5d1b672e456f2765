/** Steps of control flow: the host reads a value, which says which block runs, and blocks run as calls of their own. */
import { InternalError } from '../../base/errors.js'
import { readTensor } from '../../tensor/host.js'
import { Freed, type Storage } from '../../tensor/storage.js'
import type { Tensor } from '../../tensor/tensor.js'
import type { BoundControl, BoundTensor } from './binding.js'

/** What runs a block. */
export interface BlockRunner {
  run(inputs: readonly Tensor[], scalars: readonly (number | bigint)[], symbols: Float64Array): readonly Tensor[]
}

/** A buffer of the plan, and the memory that it has from now on. */
export interface GivenMemory {
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

  /** Runs a step; gives its results' memory. Waits for the device to read what decides. */
  run({ step, operands, predicate }: BoundControl): readonly GivenMemory[] {
    const inputs = operands.map(this.tensorOf)
    switch (step.kind) {
      case 'cond': {
        const [yes, no] = step.branches
        return given(step.results, this.#block(holds(this.tensorOf(predicate!)) ? yes : no, inputs))
      }
      case 'loop':
        return given(step.results, this.#loop(step.condition, step.body, step.results.length, inputs))
      default:
        return step satisfies never
    }
  }

  #block(index: number, inputs: readonly Tensor[]): readonly Tensor[] {
    return this.blocks[index]!.run(inputs, [], this.symbols)
  }

  /** The first values are the plan's own; those of later iterations are freed as soon as they are used. */
  #loop(condition: number, body: number, count: number, inputs: readonly Tensor[]): readonly Tensor[] {
    const invariants = inputs.slice(count)
    let carried = inputs.slice(0, count)
    for (let iteration = 0; ; iteration++) {
      const all = [...carried, ...invariants]
      const [goesOn] = this.#block(condition, all)
      const isOver = !holds(goesOn!)
      free(goesOn!)
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

/** Results that nobody needs are freed. */
function given(results: readonly (number | null)[], values: readonly Tensor[]): GivenMemory[] {
  return values.flatMap((value, i) => {
    const buffer = results[i]!
    if (buffer !== null) return [{ buffer, storage: storageOf(value) }]
    free(value)
    return []
  })
}
