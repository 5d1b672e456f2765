/** Records the events of a log again, with symbols and inputs in place of numbers that differ between traces. */
import type { Attrs } from '../../ir/node.js'
import { combine, type Formula } from '../../scalar/formula.js'
import { type Size, SizeExpr } from '../../scalar/size.js'
import { withRecording } from '../../tensor/autograd/mode.js'
import { SymbolicNumber } from '../../tensor/symbolic-number.js'
import { Tensor } from '../../tensor/tensor.js'
import type { OpArgument, TracedArgument } from '../../tensor/tracer.js'
import type { LiftedArguments } from '../capture/argument-state.js'
import type { RecordedLaunch } from '../capture/launch-nodes.js'
import type { Checkpoint, GraphTracer } from '../capture/tracer.js'
import { deepMap, Renaming } from './renaming.js'
import {
  type LiftEvent,
  type LogOperand,
  presentTensor,
  type SuppliedNumber,
  type TraceEvent,
  ValueRef,
} from './trace-log.js'
import { Moved, type MovedNumbers, TracesDiffer } from './unify.js'

export class Replay {
  readonly #values: Tensor[] = []
  readonly #renamed = new Renaming()
  readonly #checkpoints: Checkpoint[] = []
  #arguments: number

  constructor(
    readonly tracer: GraphTracer,
    readonly moved: MovedNumbers,
    /** The arguments' tensors and boxed numbers, already lifted. */
    readonly lifted: LiftedArguments,
  ) {
    this.#arguments = 0
  }

  /** Records the events; returns the tensors by their numbers in the log. */
  run(events: readonly TraceEvent[]): readonly Tensor[] {
    for (const event of events) this.#record(event)
    return this.#values
  }

  /** Records one event of the log. */
  #record(event: TraceEvent): void {
    switch (event.kind) {
      case 'lift':
        this.#values[event.value] = this.#lifted(event)
        return
      case 'op': {
        const { record, device, value } = event
        const operands = event.operands.map(operand => this.#operand(operand))
        const attrs = deepMap(event.attrs, item =>
          item instanceof Moved || item instanceof SizeExpr ? this.#size(item) : item,
        ) as Attrs
        const results = this.#from(event, () => this.tracer.record(record, operands, attrs, device))
        for (const [i, result] of results.entries()) this.#values[value + i] = result
        return
      }
      case 'assign':
        this.#from(event, () => this.tracer.assign(event.op, this.#values[event.target]!, this.#values[event.value]!))
        return
      case 'launch': {
        const args = event.operands.map(operand => this.#operand(operand) as RecordedLaunch['args'][number])
        this.tracer.from(event.at, () => this.tracer.launch({ ...event.launch, args }, event.launch.args))
        return
      }
      case 'random': {
        const [seed, offset] = this.tracer.randomState(event.generator, this.#size(event.counters))
        this.#values[event.value] = seed
        this.#values[event.value + 1] = offset
        return
      }
      case 'number':
        this.#number(event)
        return
      case 'checkpoint':
        if (event.results === null) this.#checkpoints.push(this.tracer.beginCheckpoint())
        else this.tracer.endCheckpoint(this.#checkpoints.pop()!, event.results.map(id => this.#values[id]!)) // biome-ignore format: one line
        return
      case 'flow': {
        const [roots, variables] = [event.roots, event.variables].map(ids => ids.map(id => this.#values[id]!))
        if (this.tracer.leadsBeyond(roots!, variables!) !== event.leadsBeyond) throw new TracesDiffer('a derivative')
        return
      }
      case 'used': {
        const [roots, inputs] = [event.roots, event.inputs].map(ids => ids?.map(id => this.#values[id]!) ?? null)
        this.tracer.used(roots!, inputs!)
        return
      }
      case 'control':
        throw new TracesDiffer(`${event.name} is not recorded again`)
      default:
        event satisfies never
    }
  }

  /** Runs `body` as it ran then: for the user's line, with or without recording gradients. */
  #from<R>({ at, isDetached }: Extract<TraceEvent, { kind: 'op' | 'assign' }>, body: () => R): R {
    return this.tracer.from(at, () => withRecording(!isDetached, body))
  }

  #size(size: Size | Moved): Size {
    return this.#renamed.size(size instanceof Moved ? this.moved.size(size) : size)
  }

  /** Maps a boxed number, or one computed from boxed numbers, to its formula in this trace. */
  #number({ source, number, present, formula, value }: Extract<TraceEvent, { kind: 'number' }>): void {
    const { tracer } = this
    if ('origin' in source) {
      const { origin } = source
      const box = 'box' in origin ? origin.box : this.lifted.boxes[origin.leaf]!
      const made = tracer.formulaOf(box)
      this.#renamed.add(formula, made)
      if (value !== null) this.#values[value] = tracer.numberArgument(box) as Tensor
      return
    }
    const computed = this.#formula(source.computed)
    // Boxed symbols are evaluated before the trace supplies its numbers, so they must not depend on those.
    if (number === 'integer' && tracer.dependsOnSupplied(computed))
      throw new TracesDiffer('an integer is computed of a number that moves')
    const traced = { tracer, kind: 'formula', formula: computed, segment: tracer.segment } as const
    const argument = tracer.numberArgument(new SymbolicNumber(present, traced))
    if (argument instanceof Tensor) {
      if (value === null) throw new TracesDiffer('a number computed of boxed numbers')
      this.#values[value] = argument
    }
    if (argument instanceof SizeExpr) this.#renamed.add(formula, argument)
  }

  #formula(formula: Formula | Moved): Formula {
    if (formula instanceof Moved) {
      if (formula.dtype === null) return this.#size(formula)
      return { kind: 'scalar', index: this.moved.operand(formula).index }
    }
    if (typeof formula !== 'object' || formula instanceof SizeExpr || formula.kind !== 'op') {
      return this.#renamed.formula(formula)
    }
    return combine(formula.fn, this.#formula(formula.a), this.#formula(formula.b))
  }

  /** The traced tensor for a lifted one. */
  #lifted(event: LiftEvent): Tensor {
    const { source, path } = event
    const tensor = presentTensor(event)
    switch (source) {
      case 'argument': {
        // One event per distinct tensor: a tensor in two places of the arguments was lifted once.
        const { leaves } = this.lifted
        const distinct = [...new Set(leaves.map(({ source }) => source))]
        const next = distinct[this.#arguments++]
        if (next === undefined) return this.tracer.lift(tensor, 'argument', path)
        return leaves.find(({ source }) => source === next)!
      }
      case 'closure':
        this.tracer.lift(tensor, 'closure', path) // here, even if no op uses it: the function may only assign its `.grad`
        return tensor
      case 'alias':
      case 'break':
        return this.tracer.lift(tensor, 'closure', path)
      case 'grad':
        return this.tracer.liftGrad(this.#values[event.leaf!]!, tensor)
      case 'constant':
        return this.tracer.constant(tensor)
      default:
        return source satisfies never
    }
  }

  #operand(operand: LogOperand): TracedArgument | SuppliedNumber {
    if (operand instanceof ValueRef) {
      const value = this.#values[operand.id]
      if (value === undefined) throw new TracesDiffer('a view from before a graph break')
      return value
    }
    const moved: unknown = operand
    if (moved instanceof Moved) return moved.dtype === null ? this.#size(moved) : this.moved.operand(moved)
    return this.#renamed.within(operand as OpArgument | SuppliedNumber | SizeExpr)
  }
}
