/**
 * What tensors, boxed numbers and generators ask of the capture that is going on. All that it offers to ops, which know
 * tensors, is `Tracer` (tracer.ts).
 */
import { CaptureError, type ErrorDetails } from '../base/errors.js'
import type { SourceLocation } from '../base/source.js'
import type { Formula } from '../scalar/formula.js'
import type { Size } from '../scalar/size.js'
import type { Device } from './device.js'
import type { Freed } from './storage.js'

/** A number, boolean or bigint. */
export type PlainNumber = number | boolean | bigint

/** What a number stands for in a capture. */
export type TracedNumber =
  | { readonly tracer: Trace; readonly kind: 'argument'; readonly leaf: number; readonly path: string }
  /** Of the symbols of the stretch that `segment` names: after a graph break they mean nothing. */
  | { readonly tracer: Trace; readonly kind: 'formula'; readonly formula: Formula; readonly segment: object }

/** A number in a box (symbolic-number.ts). */
export interface BoxedNumber {
  /** In the call that is captured. */
  readonly present: PlainNumber
  /** Null: it is no capture's. */
  readonly traced: TracedNumber | null
}

/** Stands in a tensor for memory during a capture. */
export interface Traced {
  readonly kind: 'traced'
  readonly tracer: Trace
  readonly sizes: readonly Size[]
  /** The line that made it; null: it stands for a tensor from outside. */
  readonly madeAt: SourceLocation | null
  /** It stands for a tensor from outside, not for a view of one. */
  readonly isGiven: boolean
  /** How the tensor behind it ended, with all its views; null while it lives. */
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
  /** Where the traced tensors will be: a graph runs on one device. */
  readonly device: Device
  /** What traces the function around the block that this one traces; null: it traces a function. */
  readonly outer: Trace | null
  /** Names the stretch that is being recorded: formulas are of its symbols. */
  readonly segment: object
  /** The user read this size as a number: answers for the present call and guards it. Called for symbolic dims only. */
  sizeRead(tensor: TracedTensor, dim: number): number
  /** As `sizeRead` for all strides. */
  stridesRead(tensor: TracedTensor): readonly number[]
  /** Whether the tensor is row-major without gaps: inputs as in the present call (guarded), results always. */
  isContiguous(tensor: TracedTensor): boolean
  /** A size of a tensor as a number that stays symbolic. */
  sizeNumber(tensor: TracedTensor, dim: number): BoxedNumber
  /** What a number is, of the sizes and boxed numbers of the call: a size where it is an integer. */
  formulaOf(number: BoxedNumber): Formula
  /** The user read a number: its value in the present call, which is guarded. */
  readNumber(number: BoxedNumber): PlainNumber
  /**
   * Ends what was recorded so far and runs it: what follows may look at memory and change it. Traced tensors then have
   * values, which `read` gives. Throws CaptureError where that is not allowed. `reader` names who needs it.
   */
  flush(reader: string): void
  /** An op threw this. The function may catch it. */
  refused(error: unknown): void
}

const active: (Trace | null)[] = []

/** The innermost capture that is active, or null when ops run at once. */
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
 * The error for what a capture cannot do. Outside of one it works, so a function that catches it would do something else
 * there: the capture is told, and then fails with it whatever the function does.
 */
export function captureRefusal(
  what: string,
  { trace = currentTrace(), ...options }: ErrorDetails & { readonly trace?: Trace | null },
): CaptureError {
  const error = new CaptureError(what, options)
  trace?.refused(error)
  return error
}

/** Whether what belongs to `tracer` may be used now: in its function, and in the blocks of its control flow. */
export function isOpen(tracer: Trace): boolean {
  for (let open = currentTrace(); open !== null; open = open.outer) if (open === tracer) return true
  return false
}
