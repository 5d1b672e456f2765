/**
 * What a function did while it was traced, call by call: ops with their arguments, in-place writes, launches, draws. The
 * graph is built from it. Later traces are compared with it, which tells whether compiled code still is the function for
 * sizes and numbers that the function reads; and it can be recorded once more, with symbols in place of what moved.
 */
import type { SourceLocation } from '../../base/source.js'
import type { OpRecord } from '../../graph/record.js'
import type { Attrs } from '../../ir/node.js'
import type { Formula } from '../../scalar/formula.js'
import type { Size, SizeExpr } from '../../scalar/size.js'
import type { Device } from '../../tensor/device.js'
import type { Generator } from '../../tensor/generator.js'
import type { PlainNumber } from '../../tensor/symbolic-number.js'
import type { Tensor } from '../../tensor/tensor.js'
import type { KernelLaunch } from '../../tensor/tracer.js'
import type { Dtype } from '../../types/dtype.js'
import type { BoxOrigin, NumberKind } from '../capture/boxed-numbers.js'
import type { SymbolicView } from '../capture/symbolic-view.js'

/** A tensor of the trace, by its number in the order in which they were made. */
export class ValueRef {
  constructor(readonly id: number) {}
}

/** A plain number that is given at each call: `index` among the log's numbers. */
export class GivenNumber {
  constructor(
    readonly index: number,
    readonly dtype: NumberDtype,
  ) {}
}

export type NumberDtype = 'bool' | 'i64' | 'f64'

export type LogOperand = ValueRef | GivenNumber | number | boolean | bigint | SizeExpr

/** An `alias` is an argument's tensor that the function closes over too: both are one value, so calls must pass it again. */
export type LiftSource = 'argument' | 'closure' | 'alias' | 'constant' | 'break'

export type NumberSource =
  | { readonly origin: BoxOrigin; readonly path: string; readonly fixed: PlainNumber | undefined }
  | { readonly computed: Formula }

export type TraceEvent =
  /** A tensor that the function was given, closes over, made of host data, or had made before a graph break. */
  | {
      readonly kind: 'lift'
      readonly source: LiftSource
      readonly tensor: Tensor
      readonly path: string
      readonly value: number
    }
  | {
      readonly kind: 'op'
      readonly record: OpRecord
      readonly operands: readonly LogOperand[]
      readonly attrs: Attrs
      readonly device: Device
      /** Its first result; the others follow. */
      readonly value: number
      readonly at: SourceLocation | null
    }
  | {
      readonly kind: 'assign'
      readonly op: string
      readonly target: number
      readonly value: number
      readonly at: SourceLocation | null
    }
  | {
      readonly kind: 'launch'
      readonly launch: KernelLaunch
      readonly operands: readonly LogOperand[]
      readonly grid: readonly Size[]
      readonly at: SourceLocation | null
    }
  /** A boxed number is met for the first time, or one that is computed of such is made an argument of an op. */
  | {
      readonly kind: 'number'
      readonly source: NumberSource
      readonly number: NumberKind
      /** In the call that was traced. */
      readonly present: PlainNumber
      /** What it is in the graph: a size, a scalar input, or a number where its value is fixed. */
      readonly formula: Formula
      /** The tensor that it is as an argument of ops; null: it is none. */
      readonly value: number | null
    }
  /** Control flow: its blocks as text, on tensors by their numbers in the log. */
  | {
      readonly kind: 'control'
      readonly name: string
      readonly blocks: readonly string[]
      readonly operands: readonly number[]
      /** Its first result; the others follow. */
      readonly value: number
      readonly at: SourceLocation | null
    }
  /** Seed and offset are its two values. */
  | {
      readonly kind: 'random'
      readonly generator: Generator
      readonly counters: Size
      readonly value: number
    }

/** What a tensor of the trace is. */
export interface LoggedValue {
  readonly dtype: Dtype
  readonly view: SymbolicView
  /** The first tensor of the memory that it lies in: itself, or one that it is a view of. */
  readonly memory: number
}

export interface TraceLog {
  readonly events: readonly TraceEvent[]
  readonly values: readonly LoggedValue[]
}

function liftText(source: LiftSource): string {
  if (source === 'constant') return 'host data'
  return source === 'alias' ? 'an argument that is closed over' : 'a tensor'
}

/** What happened, for messages: `mul at model.ts:12`. */
export function describeEvent(event: TraceEvent): string {
  const at = 'at' in event && event.at !== null ? ` at ${event.at.file}:${event.at.line}` : ''
  switch (event.kind) {
    case 'lift':
      return `${liftText(event.source)} (${event.path})`
    case 'op':
      return `${event.record.name}${at}`
    case 'assign':
      return `${event.op}${at}`
    case 'launch':
      return `a launch of ${event.launch.kernel.name}${at}`
    case 'control':
      return `${event.name}${at}`
    case 'number':
      return 'path' in event.source ? event.source.path : 'a number computed of boxed numbers'
    case 'random':
      return 'a draw of random numbers'
    default:
      return event satisfies never
  }
}
