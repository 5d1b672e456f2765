/**
 * Numbers that may differ from call to call without compiling again: a tensor's size (`x.dim(0)`), a boxed number
 * (`scalar(1e-3)`), and what arithmetic makes of them. Outside of a capture they are boxed numbers. During a capture they
 * are formulas of the call's sizes and boxes; converting one to a plain number (`Number(n)`, `n > 3`) guards its value.
 */
import { describeAny } from '../base/describe.js'
import { ArgumentError } from '../base/errors.js'
import { combine, computeNumber, type Formula, type NumberOp } from '../scalar/formula.js'
import { rangeOf, SizeExpr, SymbolicShapeError } from '../scalar/size.js'
import { inspectCustom } from './inspect.js'
import {
  type BoxedNumber,
  captureRefusal,
  currentTrace,
  type PlainNumber,
  type Trace,
  type TracedNumber,
} from './trace.js'

export type { PlainNumber }

/** A plain number, or one that may differ per call. */
export type NumberLike = number | SymbolicNumber

/**
 * A number that compiled code takes anew at each call: a tensor's size, `x.dim(0)`, a boxed number, `scalar(v)`, and what
 * the methods here make of them. It is accepted wherever an op takes a size, an index, or a number as an operand; what it
 * does to dtypes is what a plain number of its value does. As a number (`Number(n)`, `+n`, `n > 3`) it can be read
 * everywhere; inside a compiled function that guards its value, and another value compiles again.
 */
export class SymbolicNumber implements BoxedNumber {
  protected current: PlainNumber

  /** `x.dim(d)` and `scalar(v)` make them. */
  constructor(
    value: PlainNumber,
    /** For the compiler. */
    readonly traced: TracedNumber | null = null,
  ) {
    this.current = value
  }

  /** Outside of a capture the value; inside, the value in the call that is captured. For the compiler. */
  get present(): PlainNumber {
    return this.current
  }

  /** The number itself. Inside a compiled function its value is then guarded. */
  valueOf(): PlainNumber {
    const tracer = currentTrace()
    requireOwn(this, tracer)
    return tracer === null ? this.present : tracer.readNumber(this)
  }

  /** this + other. */
  add(other: NumberLike): SymbolicNumber {
    return compute('add', this, other)
  }

  /** this − other. */
  sub(other: NumberLike): SymbolicNumber {
    return compute('sub', this, other)
  }

  /** this · other. */
  mul(other: NumberLike): SymbolicNumber {
    return compute('mul', this, other)
  }

  /** this / other, as JavaScript divides. For sizes use `floorDiv` or `ceilDiv`. */
  div(other: NumberLike): SymbolicNumber {
    return compute('div', this, other)
  }

  /** this to the power of other, as `**`. */
  pow(other: NumberLike): SymbolicNumber {
    return compute('pow', this, other)
  }

  /** ⌊this / other⌋. Throws ArgumentError unless other is at least 1. */
  floorDiv(other: NumberLike): SymbolicNumber {
    return compute('floorDiv', this, other)
  }

  /** ⌈this / other⌉. Throws ArgumentError unless other is at least 1. */
  ceilDiv(other: NumberLike): SymbolicNumber {
    return compute('ceilDiv', this, other)
  }

  /** What ⌊this / other⌋ leaves: from 0 to other − 1. Throws ArgumentError unless other is at least 1. */
  mod(other: NumberLike): SymbolicNumber {
    return compute('mod', this, other)
  }

  /** The smaller of this and other. */
  min(other: NumberLike): SymbolicNumber {
    return compute('min', this, other)
  }

  /** The larger of this and other. */
  max(other: NumberLike): SymbolicNumber {
    return compute('max', this, other)
  }

  /** −this. */
  neg(): SymbolicNumber {
    return compute('mul', this, -1)
  }

  /** The value as text; read as `valueOf` reads it. */
  toString(): string {
    return String(this.valueOf())
  }

  /** The value; read as `valueOf` reads it. */
  toJSON(): PlainNumber {
    return this.valueOf()
  }

  [Symbol.toPrimitive](hint: string): PlainNumber | string {
    return hint === 'string' ? this.toString() : this.valueOf()
  }

  [inspectCustom](): string {
    return `${this.constructor.name}(${this.present})`
  }
}

/** A boxed number whose value the program changes between calls: what `scalar` gives. */
export class ScalarVariable<V extends PlainNumber = PlainNumber> extends SymbolicNumber {
  /**
   * The number. Compiled code takes the value that is set when it is called. Inside a compiled function reading it guards it.
   */
  get value(): V {
    return this.valueOf() as V // it only ever holds one
  }

  set value(value: V) {
    this.set(value)
  }

  /**
   * Sets the value, and gives this. Throws ArgumentError for what is no number, and CaptureError inside a compiled function.
   */
  set(value: V): this {
    if (currentTrace() !== null) {
      throw captureRefusal(`scalar: the value of a boxed number is set inside a compiled function`, {
        fix: 'set it before or after the call; inside, use arithmetic: t.add(1)',
      })
    }
    this.current = requirePlain(value)
    return this
  }
}

/**
 * A number in a box, for what changes from call to call: a learning rate, a step, a position. As an argument of a compiled
 * function (also in arrays and objects) or closed over it is read at each call: another value compiles nothing. Use it
 * like a number in ops, and, when it is an integer, as a size or an index: `x.mul(lr)`, `cache.narrow(0, 0, pos)`.
 * Change it with `lr.value = 0.1`. Whether the value is an integer, a fraction, a boolean or a bigint is guarded, since
 * dtypes depend on it. Throws ArgumentError when `value` is none of them.
 */
export const scalar = <V extends PlainNumber>(value: V): ScalarVariable<Widened<V>> =>
  new ScalarVariable<Widened<V>>(requirePlain(value))

type Widened<V> = V extends number ? number : V extends boolean ? boolean : V extends bigint ? bigint : never

function requirePlain(value: unknown): PlainNumber {
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint') return value
  throw new ArgumentError(`scalar: ${describeAny(value)} is no number`, { fix: 'pass a number, a boolean or a bigint' })
}

/** Throws ArgumentError for a number of a capture that has ended or is suspended. */
export function requireOwn({ traced }: SymbolicNumber, tracer: Trace | null): void {
  for (let open = tracer; open !== null; open = open.outer) if (traced?.tracer === open) return
  if (traced === null) return
  throw new ArgumentError("a size of a function's capture is used outside of it", {
    fix: 'take sizes anew where they are needed: x.dim(0); or return them as tensors: full([], n)',
  })
}

const dividing: ReadonlySet<NumberOp> = new Set(['floorDiv', 'ceilDiv', 'mod'])

/** A number computed from two others: at once, and in a capture also as a formula. */
function compute(fn: NumberOp, a: SymbolicNumber, b: NumberLike): SymbolicNumber {
  const tracer = currentTrace()
  const [x, y] = [plainOf(fn, a), plainOf(fn, b)]
  if (dividing.has(fn) && !(y > 0))
    throw new ArgumentError(`${fn}: ${x} is divided by ${y}`, { fix: 'use a divisor of at least 1' })
  const value = computeNumber(fn, x, y)
  if (tracer === null) return new SymbolicNumber(value)
  const [left, right] = [formulaOf(a, tracer), formulaOf(b, tracer)]
  if (dividing.has(fn) && right instanceof SizeExpr && rangeOf(right).min < 1)
    throw new SymbolicShapeError(`${fn}: ${right} is not known to be at least 1`, [right])
  const formula = combine(fn, left, right)
  if (typeof formula === 'number') return new SymbolicNumber(formula)
  return new SymbolicNumber(value, { tracer, kind: 'formula', formula, segment: tracer.segment })
}

function plainOf(fn: NumberOp, value: unknown): number {
  if (value instanceof SymbolicNumber) {
    requireOwn(value, currentTrace())
    return plainOf(fn, value.present)
  }
  if (typeof value === 'number') return value
  if (typeof value === 'boolean') return Number(value)
  if (typeof value === 'bigint' && Number.isSafeInteger(Number(value))) return Number(value)
  throw new ArgumentError(`${fn}: ${describeAny(value)} is no number to compute with`, {
    fix: 'use numbers and what dim() and scalar() give; bigints beyond 2^53 can only be operands of ops',
  })
}

const formulaOf = (value: NumberLike, tracer: Trace): Formula =>
  value instanceof SymbolicNumber ? tracer.formulaOf(value) : value

/** Whether an op's arguments contain a symbolic number: directly, in lists, or in options. */
export function holdsNumbers(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (value instanceof SymbolicNumber) return true
  if (Array.isArray(value)) return value.some(holdsNumbers)
  if (Object.getPrototypeOf(value) !== Object.prototype) return false
  for (const key in value) if (holdsNumbers((value as Readonly<Record<string, unknown>>)[key])) return true
  return false
}

/** An op's arguments with every symbolic number replaced by what `resolve` gives for it. */
export function resolveNumbers(value: unknown, resolve: (number: SymbolicNumber) => unknown): unknown {
  if (value instanceof SymbolicNumber) return resolve(value)
  if (Array.isArray(value)) return value.map(item => resolveNumbers(item, resolve))
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, resolveNumbers(item, resolve)]))
}
