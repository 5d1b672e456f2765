/**
 * Compares a trace with a log, event by event: the same ops on the same values, with sizes equal to the log's formulas.
 * Numbers and sizes that the log leaves open are bound to the trace's values.
 */
import { isCanonicalText } from '../../base/canonical.js'
import type { SizeSymbol } from '../../graph/ir.js'
import type { OpRecord } from '../../graph/record.js'
import type { Attrs } from '../../ir/node.js'
import type { Formula } from '../../scalar/formula.js'
import {
  compileSize,
  type Size,
  SizeExpr,
  type SizeFunction,
  sameSize,
  substituteSize,
  symbolsOf,
} from '../../scalar/size.js'
import type { Device } from '../../tensor/device.js'
import type { Generator } from '../../tensor/generator.js'
import type { PlainNumber } from '../../tensor/symbolic-number.js'
import type { Tensor } from '../../tensor/tensor.js'
import { type KernelLaunch, withTracer } from '../../tensor/tracer.js'
import { numberDtype } from '../../types/promotion.js'
import { type BoxOrigin, type NumberKind, numberKind } from '../capture/boxed-numbers.js'
import type { Segment, SuppliedScalar } from '../capture/tracer.js'
import { Renaming } from './renaming.js'
import {
  describeEvent,
  type LiftEvent,
  type LiftSource,
  type LogOperand,
  type NumberDtype,
  presentTensor,
  SuppliedNumber,
  type TraceEvent,
  type TraceLog,
  ValueRef,
  withoutPassed,
} from './trace-log.js'

/** A log to compare traces with, and the symbols of its formulas. */
export class TraceTemplate {
  readonly #functions = new Map<string, SizeFunction>()

  constructor(
    readonly log: TraceLog,
    readonly symbols: readonly SizeSymbol[],
    readonly supplied: readonly SuppliedScalar[],
    /** The tensors that the function returned and assigned, by their numbers in the log. */
    readonly outputs: readonly number[],
    /** By supplied number: the formula that it must be equal to, if the log has that in its place; else null. */
    readonly equal: readonly (SizeExpr | null)[],
  ) {}

  /** The value of a size for these values of the symbols. */
  evaluate(size: Size, symbols: Float64Array): number {
    if (typeof size === 'number') return size
    let compiled = this.#functions.get(size.canonicalText)
    if (compiled === undefined) {
      compiled = compileSize(size, name => {
        const index = this.symbols.findIndex(symbol => symbol.name === name)
        return values => values[index]!
      })
      this.#functions.set(size.canonicalText, compiled)
    }
    return compiled(symbols)
  }

  /** The index of the symbol, if the size is a single symbol whose value a trace supplies; else −1. */
  suppliedSymbol(size: SizeExpr): number {
    const index = this.symbols.findIndex(({ name }) => name === size.canonicalText)
    return index >= 0 && this.symbols[index]!.kind === 'value' && !this.#isBox(index) ? index : -1
  }

  /** The size with these values for all symbols except boxed numbers. */
  partly(size: Size, symbols: Float64Array): Size {
    return substituteSize(size, name => {
      const index = this.symbols.findIndex(symbol => symbol.name === name)
      return this.#isBox(index) ? null : symbols[index]!
    })
  }

  /** Whether a size depends on boxed numbers. */
  holdsBox(size: Size): boolean {
    const names = symbolsOf(size)
    return this.symbols.some(({ name }, index) => names.has(name) && this.#isBox(index))
  }

  #isBox(symbol: number): boolean {
    const { kind, input } = this.symbols[symbol]!
    return kind === 'value' && input >= this.supplied.length
  }
}

export function templateOf({ log, graph, supplied, outputs, conditions }: Segment): TraceTemplate {
  const equal = supplied.map(({ symbol }) => {
    const name = symbol === null ? null : graph.symbols[symbol]!.name
    const size = conditions.find(({ a, equal }) => equal && String(a) === name)?.b
    return size instanceof SizeExpr ? size : null
  })
  return new TraceTemplate(withoutPassed(log), graph.symbols, supplied, outputs, equal)
}

type NumberEvent = Extract<TraceEvent, { kind: 'number' }>
type ControlEvent = Extract<TraceEvent, { kind: 'control' }>

/** The trace differs from the log. */
export class TraceMismatch extends Error {}

export class TraceMatcher {
  readonly numbers: (number | bigint)[]
  /** By supplied number: whether the trace has bound it. */
  readonly #bound: boolean[]
  /** Tensors of host data whose values differ from the log's, by their numbers in the log. */
  readonly constants = new Map<number, Tensor>()
  #next = 0

  /** @param symbols values of the symbols; NaN for those that the trace supplies */
  constructor(
    readonly template: TraceTemplate,
    readonly symbols: Float64Array,
  ) {
    this.numbers = template.supplied.map(() => 0)
    this.#bound = template.supplied.map(() => false)
  }

  /** Matches an op; returns its first result's number in the log. */
  op(record: OpRecord, operands: readonly LogOperand[], attrs: Attrs, device: Device, isDetached: boolean): number {
    const event = this.#take('op', () => record.name)
    if (event.record !== record || event.device !== device) this.#fail(event, record.name)
    this.#recording(event, isDetached)
    this.#operands(event, operands)
    this.#attrs(event, event.attrs, attrs)
    return event.value
  }

  assign(op: string, target: number, value: number, isDetached: boolean): void {
    const event = this.#take('assign', () => op)
    if (event.op !== op || event.target !== target || event.value !== value) this.#fail(event, op)
    this.#recording(event, isDetached)
  }

  /** Matches the beginning of a checkpoint (null) or its end. */
  checkpoint(results: readonly number[] | null): void {
    const event = this.#take('checkpoint', () => 'a checkpoint')
    if (String(event.results) !== String(results)) this.#fail(event, 'a checkpoint')
  }

  #recording(event: Extract<TraceEvent, { kind: 'op' | 'assign' | 'control' }>, isDetached: boolean): void {
    if (event.isDetached !== isDetached) this.#fail(event, isDetached ? 'in noGrad' : 'with gradients')
  }

  /** Compares a kernel launch with the next event. */
  launch(
    launch: KernelLaunch,
    operands: readonly LogOperand[],
    sizeOf: (argument: number, dim: number) => number,
  ): void {
    const event = this.#take('launch', () => `a launch of ${launch.kernel.name}`)
    const same =
      event.launch.kernel === launch.kernel || event.launch.kernel.canonicalText === launch.kernel.canonicalText
    if (!same || launch.writes.join() !== event.launch.writes.join()) this.#fail(event, launch.kernel.name)
    this.#operands(event, operands, launch.floats)
    const grid = launch.grid(sizeOf)
    const isGrid =
      grid.length === event.grid.length && event.grid.every((size, i) => this.#size(size) === Number(grid[i]))
    if (!isGrid) this.#fail(event, `${launch.kernel.name} on another grid`)
  }

  control({ name, blocks, operands, isDetached }: ControlEvent): void {
    const event = this.#take('control', () => name)
    const isSame =
      event.name === name && event.operands.join() === operands.join() && event.blocks.join() === blocks.join()
    if (!isSame) this.#fail(event, `${name} of other functions`)
    this.#recording(event, isDetached)
  }

  /** What the function was told of gradients. */
  flow(roots: readonly number[], variables: readonly number[]): boolean {
    const event = this.#take('flow', () => 'a derivative')
    const isSame = event.roots.join() === roots.join() && event.variables.join() === variables.join()
    if (!isSame) this.#fail(event, 'a derivative of other tensors')
    return event.leadsBeyond
  }

  /** A backward pass that used up what it went through. */
  used(roots: readonly number[], inputs: readonly number[] | null): void {
    const event = this.#take('used', () => 'a backward pass')
    const isSame = event.roots.join() === roots.join() && event.inputs?.join() === inputs?.join()
    if (!isSame) this.#fail(event, 'a backward pass from or to other tensors')
  }

  /** Matches the first use of a boxed number; returns the log's event. */
  box(isSame: (origin: BoxOrigin) => boolean, present: PlainNumber): NumberEvent {
    const event = this.#take('number', () => 'a boxed number')
    const { source, number } = event
    if (!('origin' in source) || !isSame(source.origin)) this.#fail(event, 'another boxed number')
    const isFixed = source.fixed !== undefined
    if (isFixed ? !Object.is(source.fixed, present) : numberKind(present) !== number) {
      this.#fail(event, `it is ${present}`)
    }
    return event
  }

  /** Matches a number that is computed from boxed numbers; returns the log's event. */
  computed(formula: Formula, kind: NumberKind): NumberEvent {
    const event = this.#take('number', () => 'a number computed of boxed numbers')
    const { source, number } = event
    const isSame = 'computed' in source && number === kind && this.#sameFormulas(source.computed, formula)
    if (!isSame) this.#fail(event, 'another number is computed')
    return event
  }

  /** True when two numbers are computed alike. */
  #sameFormulas(expected: Formula, now: Formula): boolean {
    if (typeof expected === 'number' || expected instanceof SizeExpr) {
      const isSize = typeof now === 'number' || now instanceof SizeExpr
      return isSize && (Object.is(expected, now) || this.#sameSizes(expected, now))
    }
    if (expected.kind === 'scalar' && expected.index < this.template.supplied.length) {
      return typeof now === 'number' && this.#bindNumber(new SuppliedNumber(expected.index, 'f64'), now, 'f64')
    }
    if (typeof now === 'number' || now instanceof SizeExpr || now.kind !== expected.kind) return false
    if (expected.kind === 'scalar') return now.kind === 'scalar' && now.index === expected.index
    return (
      now.kind === 'op' &&
      now.fn === expected.fn &&
      this.#sameFormulas(expected.a, now.a) &&
      this.#sameFormulas(expected.b, now.b)
    )
  }

  /** Matches a random draw; returns the seed's number in the log; the offset's follows. */
  random(generator: Generator, counters: Size): number {
    const event = this.#take('random', () => 'a draw of random numbers')
    if (event.generator !== generator) this.#fail(event, 'a draw from another generator')
    this.#attrs(event, event.counters, counters)
    return event.value
  }

  /** Matches an input (an argument, a closed-over tensor, host data); returns its number in the log. */
  lift(source: LiftSource, tensor: Tensor, leaf?: number): number {
    const event = this.#take('lift', () => (source === 'constant' ? 'host data' : 'a tensor of the surrounding code'))
    if (event.source !== source || event.leaf !== leaf) this.#fail(event, 'another tensor')
    if ((source === 'closure' || source === 'alias') && event.tensor !== tensor) {
      throw new TraceMismatch(`${event.path} is another tensor: an outer variable was assigned`)
    }
    if (source === 'constant') this.#constant(event, tensor)
    return event.value
  }

  /** Whether the log's next event lifts this closed-over tensor, and as what; null: it does not. */
  closing(tensor: Tensor): 'closure' | 'alias' | null {
    const event = this.template.log.events[this.#next]
    if (event?.kind !== 'lift' || event.tensor !== tensor) return null
    return event.source === 'closure' || event.source === 'alias' ? event.source : null
  }

  /** The log's next event; undefined: there is none. */
  get next(): TraceEvent | undefined {
    return this.template.log.events[this.#next]
  }

  /** Throws TraceMismatch unless all events were matched. */
  finish(outputs: readonly number[]): void {
    const { events } = this.template.log
    if (this.#next < events.length) throw new TraceMismatch(`${describeEvent(events[this.#next]!)} is missing now`)
    const { outputs: expected } = this.template
    if (outputs.length !== expected.length || outputs.some((id, i) => id !== expected[i])) {
      throw new TraceMismatch('it returns other tensors')
    }
    for (const [index, size] of this.template.equal.entries()) {
      if (size !== null && !this.#bound[index]) this.#bindSize(this.template.supplied[index]!.symbol!, this.#size(size))
    }
    if (this.#bound.includes(false)) throw new TraceMismatch('a number that calls supply was not used')
  }

  #take<K extends TraceEvent['kind']>(kind: K, what: () => string): Extract<TraceEvent, { kind: K }> {
    const event = this.template.log.events[this.#next++]
    if (event === undefined) throw new TraceMismatch(`${what()} is added`)
    if (event.kind !== kind) this.#fail(event, what())
    return event as Extract<TraceEvent, { kind: K }>
  }

  #fail(event: TraceEvent, now: string): never {
    throw new TraceMismatch(`${describeEvent(event)} was compiled, now ${now}`)
  }

  #operands(
    event: Extract<TraceEvent, { kind: 'op' | 'launch' }>,
    operands: readonly LogOperand[],
    floats: readonly boolean[] = [],
  ): void {
    if (operands.length !== event.operands.length) this.#fail(event, `${operands.length} inputs`)
    for (let i = 0; i < operands.length; i++) this.#operand(event, event.operands[i]!, operands[i]!, floats[i])
  }

  /** Compares one operand with the recorded one. */
  #operand(event: TraceEvent, expected: LogOperand, now: LogOperand, isFloat = false): void {
    if (expected instanceof ValueRef) {
      if (!(now instanceof ValueRef) || now.id !== expected.id) this.#fail(event, 'on other tensors')
    } else if (expected instanceof SuppliedNumber) {
      const number = now instanceof SizeExpr ? this.template.evaluate(now, this.symbols) : now
      const isBound =
        typeof number !== 'object' && this.#bindNumber(expected, number, isFloat ? 'f64' : operandDtype(number))
      if (!isBound) this.#fail(event, `with ${printOperand(now)}`)
    } else if (expected instanceof SizeExpr || now instanceof SizeExpr) {
      if (!this.#sameSizes(expected, now)) this.#fail(event, `with ${printOperand(now)}`)
    } else if (!Object.is(expected, now)) {
      throw new TraceMismatch(
        `${describeEvent(event)} with ${printOperand(expected)} was compiled, now with ${printOperand(now)}`,
      )
    }
  }

  /** Binds a number that the log leaves open: it must have the same kind, and the same value wherever it is used. */
  #bindNumber({ index, dtype }: SuppliedNumber, now: number | boolean | bigint, kind: NumberDtype): boolean {
    if (kind !== dtype) return false
    const value = dtype === 'i64' ? BigInt(now) : Number(now)
    if (this.#bound[index] && !Object.is(this.numbers[index], value)) return false
    this.#bind(index, value)
    return true
  }

  #sameSizes(expected: unknown, now: unknown): boolean {
    if (expected instanceof SizeExpr && now instanceof SizeExpr && sameSize(expected, now)) return true
    const sizes = [expected, now].filter(size => size instanceof SizeExpr)
    // Boxed numbers differ at each call, so sizes that depend on them must be equal as formulas.
    if (sizes.some(size => this.template.holdsBox(size))) {
      const [a, b] = [expected, now].map(size => this.template.partly(size as Size, this.symbols))
      return (typeof a === 'number' || a instanceof SizeExpr) && sameSize(a, b!)
    }
    const value = now instanceof SizeExpr ? this.template.evaluate(now, this.symbols) : now
    if (typeof value !== 'number' || !Number.isSafeInteger(value)) return false
    return this.#size(expected as Size, value) === value
  }

  /** The value of a log's size; a symbol that the trace supplies is bound to `now`. */
  #size(size: Size, now = Number.NaN): number {
    if (typeof size === 'number') return size
    const supplied = this.template.suppliedSymbol(size)
    if (supplied >= 0 && Number.isNaN(this.symbols[supplied]!)) {
      if (Number.isNaN(now)) return now
      this.#bindSize(supplied, now)
    }
    return this.template.evaluate(size, this.symbols)
  }

  #bindSize(symbol: number, value: number): void {
    this.symbols[symbol] = value
    this.#bind(this.template.symbols[symbol]!.input, BigInt(value))
  }

  #bind(index: number, value: number | bigint): void {
    this.numbers[index] = value
    this.#bound[index] = true
  }

  #attrs(event: TraceEvent, expected: unknown, now: unknown): void {
    if (Object.is(expected, now)) return
    if (expected instanceof SizeExpr || now instanceof SizeExpr) {
      if (!this.#sameSizes(expected, now)) this.#fail(event, `with ${now} in place of ${expected}`)
      return
    }
    const isSame = typeof expected === 'object' && expected !== null && typeof now === 'object' && now !== null
    if (!isSame) this.#fail(event, `with ${String(now)} in place of ${String(expected)}`)
    this.#objects(event, expected as object, now as object)
  }

  /** Compares two objects among the attributes, field by field. */
  #objects(event: TraceEvent, expected: object, now: object): void {
    if (isCanonicalText(expected) || isCanonicalText(now)) {
      const text = (value: object): string | null => (isCanonicalText(value) ? value.canonicalText : null)
      if (text(expected) !== text(now)) this.#fail(event, 'with another part')
      return
    }
    const [old, fresh] = [Object.keys(expected), Object.keys(now)]
    if (old.length !== fresh.length || Array.isArray(expected) !== Array.isArray(now)) {
      this.#fail(event, 'with other options')
    }
    for (const key of old) {
      this.#attrs(event, (expected as Record<string, unknown>)[key], (now as Record<string, unknown>)[key])
    }
  }

  #constant(event: LiftEvent, tensor: Tensor): void {
    const known = presentTensor(event)
    const isSame = known.dtype === tensor.dtype && known.shape.join() === tensor.shape.join()
    if (!isSame) this.#fail(event, `host data ${tensor.describe()}`)
    if (!sameValues(known, tensor)) this.constants.set(event.value, tensor)
  }
}

export const sameOrigin = (a: BoxOrigin, b: BoxOrigin): boolean =>
  'leaf' in a ? 'leaf' in b && a.leaf === b.leaf : 'box' in b && a.box === b.box

/** Matches a whole log, whose sizes are numbers except where they depend on boxed numbers; throws TraceMismatch. */
export function matchLog(matcher: TraceMatcher, log: TraceLog, outputs: readonly number[]): void {
  const renamed = new Renaming()
  for (const event of log.events) {
    switch (event.kind) {
      case 'lift':
        matcher.lift(event.source, presentTensor(event), event.leaf)
        break
      case 'op': {
        const { record, operands, attrs, device, isDetached } = event
        matcher.op(record, operands.map(renamed.within), renamed.deep(attrs) as Attrs, device, isDetached)
        break
      }
      case 'assign':
        matcher.assign(event.op, event.target, event.value, event.isDetached)
        break
      case 'launch': {
        const { launch } = event
        const operands = event.operands.map(renamed.within)
        matcher.launch(launch, operands, (argument, dim) => {
          const operand = operands[argument]
          if (operand instanceof ValueRef) return Number(log.values[operand.id]!.view.shape[dim])
          return matcher.template.evaluate(operand as Size, matcher.symbols)
        })
        break
      }
      case 'number': {
        const { source, number, present } = event
        const met =
          'origin' in source
            ? matcher.box(origin => sameOrigin(origin, source.origin), present)
            : matcher.computed(renamed.formula(source.computed), number)
        renamed.add(event.formula, met.formula)
        break
      }
      case 'control':
        matcher.control(event)
        break
      case 'checkpoint':
        matcher.checkpoint(event.results)
        break
      case 'flow':
        if (matcher.flow(event.roots, event.variables) !== event.leadsBeyond)
          throw new TraceMismatch('a gradient flows elsewhere')
        break
      case 'used':
        matcher.used(event.roots, event.inputs)
        break
      case 'random':
        matcher.random(event.generator, renamed.size(event.counters))
        break
      default:
        event satisfies never
    }
  }
  matcher.finish(outputs)
}

export function operandDtype(value: number | boolean | bigint): NumberDtype {
  return numberDtype(value, 'f64') as NumberDtype
}

const printOperand = (operand: LogOperand): string => {
  if (operand instanceof ValueRef) return 'a tensor'
  if (operand instanceof SuppliedNumber) return 'a number'
  return Object.is(operand, -0) ? '-0' : String(operand)
}

/** Compares two tensors of host data of one shape, whatever is being traced. */
export function sameValues(a: Tensor, b: Tensor): boolean {
  if (a === b) return true
  const [left, right] = withTracer(null, () => [a.dataSync(), b.dataSync()] as const)
  return left.length === right.length && left.every((value, i) => Object.is(value, right[i]))
}
