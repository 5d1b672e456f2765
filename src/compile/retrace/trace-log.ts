/**
 * What a function did while it was traced, event by event: ops with their arguments, in-place writes, launches, random
 * draws. Later traces are compared with it, to check that compiled code is still right for new sizes and numbers that the
 * function reads; and it can be recorded again, with symbols in place of numbers that differ between traces.
 */
import { InternalError } from '../../base/errors.js'
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

/** A plain number that is supplied at each call; `index`: among the log's numbers. */
export class SuppliedNumber {
  constructor(
    readonly index: number,
    readonly dtype: NumberDtype,
  ) {}
}

export type NumberDtype = 'bool' | 'i64' | 'f64'

export type LogOperand = ValueRef | SuppliedNumber | number | boolean | bigint | SizeExpr

/**
 * `alias`: an argument that the function closes over too. Both are one value, so calls must pass the same tensor. `grad`: what
 * another input's `.grad` holds.
 */
export type LiftSource = 'argument' | 'closure' | 'alias' | 'constant' | 'break' | 'grad'

export type NumberSource =
  | { readonly origin: BoxOrigin; readonly path: string; readonly fixed: PlainNumber | undefined }
  | { readonly computed: Formula }

/** What is known of a lifted tensor without its memory. */
export interface LiftedType {
  readonly dtype: Dtype
  readonly shape: readonly number[]
  readonly device: Device
}

export type LiftEvent = Extract<TraceEvent, { kind: 'lift' }>

export type TraceEvent =
  /** A tensor that is an argument, closed over, made from host data, or made before a graph break. */
  | {
      readonly kind: 'lift'
      readonly source: LiftSource
      readonly type: LiftedType
      /** null: it is passed at each call, which has ended. */
      readonly tensor: Tensor | null
      readonly path: string
      readonly value: number
      /** Of a gradient: the input whose gradient it is, by its number in the log. */
      readonly leaf?: number
    }
  | {
      readonly kind: 'op'
      readonly record: OpRecord
      readonly operands: readonly LogOperand[]
      readonly attrs: Attrs
      readonly device: Device
      /** It was called where gradients are not recorded. */
      readonly isDetached: boolean
      /** Its first result; the others follow. */
      readonly value: number
      readonly at: SourceLocation | null
    }
  | {
      readonly kind: 'assign'
      readonly op: string
      readonly target: number
      readonly value: number
      readonly isDetached: boolean
      readonly at: SourceLocation | null
    }
  | {
      readonly kind: 'launch'
      readonly launch: KernelLaunch
      readonly operands: readonly LogOperand[]
      readonly grid: readonly Size[]
      readonly at: SourceLocation | null
    }
  /** The first use of a boxed number, or of a number computed from boxed numbers as an argument of an op. */
  | {
      readonly kind: 'number'
      readonly source: NumberSource
      readonly number: NumberKind
      /** Its value in the traced call. */
      readonly present: PlainNumber
      /** Its formula in the graph: a size, a scalar input, or a number if its value is guarded. */
      readonly formula: Formula
      /** The number in the log of the tensor that ops get for it; null: none. */
      readonly value: number | null
    }
  /** Control flow: its blocks as text, and its operands by their numbers in the log. */
  | {
      readonly kind: 'control'
      readonly name: string
      readonly blocks: readonly string[]
      readonly operands: readonly number[]
      readonly isDetached: boolean
      /** Its first result; the others follow. */
      readonly value: number
      readonly at: SourceLocation | null
    }
  /** What the function was told of gradients: whether those of `roots` flow further than to `variables`. */
  | {
      readonly kind: 'flow'
      readonly roots: readonly number[]
      readonly variables: readonly number[]
      readonly leadsBeyond: boolean
    }
  /** A backward pass without `retainGraph`, from `roots` to `inputs` (null: to all leaves). It frees its graph: a second one is an error. */
  | { readonly kind: 'used'; readonly roots: readonly number[]; readonly inputs: readonly number[] | null }
  /** A part whose values are computed again for gradients begins (null), or ends with these results. */
  | { readonly kind: 'checkpoint'; readonly results: readonly number[] | null }
  /** A random draw; its two values are seed and offset. */
  | {
      readonly kind: 'random'
      readonly generator: Generator
      readonly counters: Size
      readonly value: number
    }

/** A tensor of the trace. */
export interface LoggedValue {
  readonly dtype: Dtype
  readonly view: SymbolicView
  /** The tensor that owns its memory: itself, or the one that it is a view of. */
  readonly memory: number
  /** A gradient flows into it. */
  readonly requiresGrad: boolean
}

export interface TraceLog {
  readonly events: readonly TraceEvent[]
  readonly values: readonly LoggedValue[]
}

/** The log without the tensors that each call passes, so that what keeps it does not keep a call's memory. */
export const withoutPassed = ({ events, values }: TraceLog): TraceLog => ({
  events: events.map(event => (isPassed(event) ? { ...event, tensor: null } : event)),
  values,
})

const isPassed = (event: TraceEvent): event is LiftEvent =>
  event.kind === 'lift' && (event.source === 'argument' || event.source === 'break' || event.source === 'grad')

/** The tensor of a call that has not ended. Throws InternalError after it. */
export function presentTensor({ tensor, path }: LiftEvent): Tensor {
  if (tensor === null) throw new InternalError(`trace: ${path} is read after its call`)
  return tensor
}

function liftText(source: LiftSource): string {
  if (source === 'constant') return 'host data'
  if (source === 'grad') return 'a gradient'
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
    case 'flow':
      return 'a derivative'
    case 'used':
      return 'a backward pass'
    case 'checkpoint':
      return event.results === null ? 'a checkpoint' : 'the end of a checkpoint'
    case 'random':
      return 'a draw of random numbers'
    default:
      return event satisfies never
  }
}

/** Whether it takes gradients of what it computes itself: the last inputs of a backward pass are what is differentiated for. */
export function differentiatesResults(events: readonly TraceEvent[]): boolean {
  const lifted = new Set(events.flatMap(event => (event.kind === 'lift' ? [event.value] : [])))
  return events.some(event => {
    if (event.kind !== 'op' || event.record.name !== 'gradients') return false
    const wanted = event.operands.slice(-(event.record.results?.length ?? 1))
    return wanted.some(operand => operand instanceof ValueRef && !lifted.has(operand.id))
  })
}
