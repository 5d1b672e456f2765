/**
 * Every error Tegula throws. An error says what happened (with the values), where (the user's own line) and how to
 * fix it. One class per kind of mistake, so that programs can distinguish them.
 */
import { type SourceLocation, userLocation } from './source.js'

export interface ErrorDetails {
  /** What the user can do about it; one sentence, imperative. */
  readonly fix?: string | undefined
  /** The user's line; taken from the current stack when absent. `null`: no line applies. */
  readonly at?: SourceLocation | null | undefined
  readonly cause?: unknown
}

/** Base of every error that Tegula throws on purpose. */
export class TegulaError extends Error {
  /** The message without location and fix. */
  readonly what: string
  /** The user's line, or null where no line applies. */
  readonly at: SourceLocation | null
  /** What to do about it, or null. */
  readonly fix: string | null

  constructor(what: string, details: ErrorDetails = {}) {
    const at = details.at === undefined ? userLocation() : details.at
    const place = at === null ? '' : `  at ${at.file}:${at.line}`
    const fix = details.fix === undefined ? '' : `  fix: ${details.fix}`
    super(`${what}${place}${fix}`, details.cause === undefined ? undefined : { cause: details.cause })
    this.name = new.target.name
    this.what = what
    this.at = at
    this.fix = details.fix ?? null
  }
}

/** Runs `body`, ops that the function `callee` is made of: what they refuse is reported as an error of the function that the user called. */
export function inCall<R>(callee: string, body: () => R): R {
  try {
    return body()
  } catch (error) {
    throw calledAs(callee, error)
  }
}

/** The same error, which names `callee` in place of the op that threw it. */
export function calledAs(callee: string, error: unknown): unknown {
  if (!(error instanceof TegulaError)) return error
  const op = /^\w+(?=: )/.exec(error.what)?.[0]
  if (op === undefined || op === callee) return error
  const renamed = (text: string): string => text.replace(`${op}: `, `${callee}: `)
  const { what, message, stack } = error
  return Object.assign(error, { what: renamed(what), message: renamed(message), stack: renamed(stack ?? '') })
}

/** Sizes that do not fit together, or an index or dim out of range. */
export class ShapeError extends TegulaError {}
/** A dtype that an operation does not take. */
export class DtypeError extends TegulaError {}
/** Tensors on different devices, or a device that does not exist. */
export class DeviceError extends TegulaError {}
/** An argument of the wrong kind or value. */
export class ArgumentError extends TegulaError {}
/** A tensor used after `dispose()`, or outside its `scope`. */
export class DisposedError extends TegulaError {}
/** A function that cannot be captured (a read under `fullgraph`, a result that is not a tree of tensors, …). */
export class CaptureError extends TegulaError {}
/** More recompiles than allowed, or any under `onRecompile: 'error'`. */
export class RecompileError extends TegulaError {}
/** A kernel written against the rules of the kernel language. */
export class KernelError extends TegulaError {}
/** The system's compiler is missing or failed. */
export class CompilerError extends TegulaError {}
/** A damaged file of compiled code, or one that was made by another version or for another machine. */
export class ArtifactError extends TegulaError {}
/** The disk cache cannot be used as configured. */
export class CacheError extends TegulaError {}
/** A command line, or a module given to it, that lacks what the command needs. */
export class UsageError extends TegulaError {}
/** Two ways to compute the same thing gave different numbers. */
export class AccuracyError extends TegulaError {}
/** A measurement that cannot be right, such as a rate above the device's peak. */
export class MeasurementError extends TegulaError {}
/** A program in one of the IRs breaks its rules: a bug in Tegula, not in the caller's code. */
export class VerifyError extends TegulaError {}
/** A gradient that does not exist, or cannot be computed: what it needs was not recorded, freed or overwritten. */
export class GradientError extends TegulaError {}
/** Something that cannot happen did: a bug in Tegula. */
export class InternalError extends TegulaError {}

/** Closes a `switch` over a closed union: a forgotten case fails the type checker. */
export function unreachable(value: never, context: string): never {
  throw new InternalError(`${context}: unexpected ${String(value)}`)
}
