/**
 * The part of the active capture's interface that tensors, boxed numbers and generators use. The full interface, for ops,
 * is `Tracer` (tracer.ts).
 */
import { CaptureError, type ErrorDetails } from '../base/errors.js'
import type { SourceLocation } from '../base/source.js'
import type { Formula } from '../scalar/formula.js'
import type { Size } from '../scalar/size.js'
import type { Device } from './device.js'
import type { Freed } from './storage.js'

/** A number, boolean or bigint. */
export type PlainNumber = number | boolean | bigint

/** A number's symbolic value in a capture. */
export type TracedNumber =
  | { readonly tracer: Trace; readonly kind: 'argument'; readonly leaf: number; readonly path: string }
  /** In the symbols of `segment`; invalid after a graph break. */
  | { readonly tracer: Trace; readonly kind: 'formula'; readonly formula: Formula; readonly segment: object }

/** A number in a box (symbolic-number.ts). */
export interface BoxedNumber {
  /** Its value in the captured call. */
  readonly present: PlainNumber
  /** Null: it belongs to no capture. */
  readonly traced: TracedNumber | null
}

/** Takes the place of a tensor's memory during a capture. */
export interface Traced {
  readonly kind: 'traced'
  readonly tracer: Trace
  /** The tracer's. */
  readonly device: Device
  readonly sizes: readonly Size[]
  /** The line that made it; null: it represents a tensor from outside. */
  readonly madeAt: SourceLocation | null
  /** It represents a tensor from outside, not a view of one. */
  readonly isGiven: boolean
  /** How the tensor and its views were freed; null while it is alive. */
  readonly freed: Freed | null
  /** Its tensor was disposed: one that is no view ends its views too. */
  free(freed: Freed): void
}

/** A tensor (handle.ts), whose source the capture knows. */
interface TracedTensor {
  readonly sizes: readonly Size[]
}

export interface Trace {
  /** The function's name, for messages. */
  readonly name: string
  /** The device of the traced tensors: a graph runs on one. */
  readonly device: Device
  /** The trace of the enclosing function, if this one traces a block of control flow; else null. */
  readonly outer: Trace | null
  /** Identifies the graph being recorded, whose symbols formulas use; a graph break starts another. */
  readonly segment: object
  /** The user read this size as a number: gives its value in this call and guards it. Called for symbolic dims only. */
  sizeRead(tensor: TracedTensor, dim: number): number
  /** As `sizeRead` for all strides. */
  stridesRead(tensor: TracedTensor): readonly number[]
  /** Whether the tensor is row-major without gaps: inputs as in the present call (guarded), results always. */
  isContiguous(tensor: TracedTensor): boolean
  /** A size of a tensor as a number that stays symbolic. */
  sizeNumber(tensor: TracedTensor, dim: number): BoxedNumber
  /** A number as a formula of the call's sizes and boxed numbers; a size if it is an integer. */
  formulaOf(number: BoxedNumber): Formula
  /** The user read a number: its value in the present call, which is guarded. */
  readNumber(number: BoxedNumber): PlainNumber
  /**
   * Graph break: ends and runs the graph recorded so far, so that the following code may read and change memory. Traced
   * tensors then have values, which `read` gives. Throws CaptureError where that is not allowed. `reader` names the cause.
   */
  flush(reader: string): void
  /** The function uses or changes an object whose changes are counted (watched.ts). Called before it does. */
  watched(object: object): void
  /** An op threw this. The function may catch it. */
  refused(error: unknown): void
}

const active: (Trace | null)[] = []

/** The innermost active capture, or null when ops run eagerly. */
export const currentTrace = (): Trace | null => active.at(-1) ?? null

/** For `withTracer` (tracer.ts) alone. */
export function withTrace<R>(trace: Trace | null, body: () => R): R {
  active.push(trace)
  try {
    return body()
  } finally {
    active.pop()
  }
}

/**
 * The error for what a capture cannot do. As it works outside of a capture, a function that catches the error would behave
 * differently there. So the error is also reported to the capture, which then fails with it whatever the function does.
 */
export function captureRefusal(
  what: string,
  { trace = currentTrace(), ...options }: ErrorDetails & { readonly trace?: Trace | null },
): CaptureError {
  const error = new CaptureError(what, options)
  trace?.refused(error)
  return error
}

/** Whether values of `tracer` may be used now: in its function, and in the blocks of its control flow. */
export function isOpen(tracer: Trace): boolean {
  for (let open = currentTrace(); open !== null; open = open.outer) if (open === tracer) return true
  return false
}
