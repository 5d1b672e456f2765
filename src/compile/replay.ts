/** Records the events of a log once more, with symbols and given numbers in place of what moved. */
import type { Attrs } from '../ir/node.js'
import type { Tensor } from '../tensor/tensor.js'
import type { OpArgument } from '../tensor/tracer.js'
import { type GivenNumber, type LogOperand, type TraceEvent, ValueRef } from './trace-log.js'
import { deepMap } from './trace-sample.js'
import type { GraphTracer } from './tracer.js'
import { Moved, type MovedNumbers, NotAlike } from './unify.js'

/** Records events once more. */
export class Replay {
  readonly #values: Tensor[] = []
  #arguments: number

  constructor(
    readonly tracer: GraphTracer,
    readonly moved: MovedNumbers,
    /** The arguments' tensors; they have been lifted. */
    readonly lifted: readonly Tensor[],
  ) {
    this.#arguments = 0
  }

  /** The tensors, by their numbers in the log. */
  run(events: readonly TraceEvent[]): readonly Tensor[] {
    for (const event of events) this.#record(event)
    return this.#values
  }

  #record(event: TraceEvent): void {
    switch (event.kind) {
      case 'lift':
        this.#values[event.value] = this.#lifted(event)
        return
      case 'op': {
        const { record, at, device, value } = event
        const operands = event.operands.map(operand => this.#operand(operand))
        const attrs = deepMap(event.attrs, item =>
          item instanceof Moved ? this.moved.size(item.values) : item,
        ) as Attrs
        const results = this.tracer.from(at, () => this.tracer.record(record, operands, attrs, device))
        for (const [i, result] of results.entries()) this.#values[value + i] = result
        return
      }
      case 'assign':
        this.tracer.from(event.at, () =>
          this.tracer.assign(event.op, this.#values[event.target]!, this.#values[event.value]!),
        )
        return
      case 'launch': {
        const args = event.operands.map(operand => this.#operand(operand) as Tensor | number | bigint)
        this.tracer.from(event.at, () => this.tracer.launch({ ...event.launch, args }))
        return
      }
      case 'random': {
        const { counters } = event
        const size = counters instanceof Moved ? this.moved.size(counters.values) : counters
        const [seed, offset] = this.tracer.randomState(event.generator, size)
        this.#values[event.value] = seed
        this.#values[event.value + 1] = offset
        return
      }
      default:
        event satisfies never
    }
  }

  #lifted({ source, tensor, path }: Extract<TraceEvent, { kind: 'lift' }>): Tensor {
    switch (source) {
      case 'argument': {
        // One for each tensor: the same tensor in two places was lifted once.
        const distinct = [...new Set(this.lifted.map(({ source }) => source))]
        const own = distinct[this.#arguments++]
        if (own === undefined) return this.tracer.lift(tensor, 'argument', path)
        return this.lifted.find(({ source }) => source === own)!
      }
      case 'closure':
        return tensor
      case 'alias':
        return this.tracer.lift(tensor, 'closure', path)
      case 'break':
        return this.tracer.lift(tensor, 'closure', path)
      case 'constant':
        return this.tracer.constant(tensor)
      default:
        return source satisfies never
    }
  }

  #operand(operand: LogOperand): OpArgument | GivenNumber {
    if (operand instanceof ValueRef) {
      const value = this.#values[operand.id]
      if (value === undefined) throw new NotAlike('a view from before a graph break')
      return value
    }
    if ((operand as unknown) instanceof Moved) {
      return this.moved.operand((operand as unknown as Moved).values as readonly number[])
    }
    return operand as OpArgument | GivenNumber
  }
}
