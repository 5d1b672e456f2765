/** A recorded stretch of a function: its graph, and what binds that to a call. */
import type { SourceLocation } from '../../base/source.js'
import type { Graph } from '../../graph/ir.js'
import type { OpRecord } from '../../graph/record.js'
import type { Size } from '../../scalar/size.js'
import type { Device } from '../../tensor/device.js'
import type { Generator } from '../../tensor/generator.js'
import type { Tensor } from '../../tensor/tensor.js'
import type { SizeCondition } from '../guards/guards.js'
import type { NumberDtype, TraceLog } from '../retrace/trace-log.js'
import type { Boxed } from './boxed-numbers.js'
import type { ResultSource } from './results.js'

/** A tensor that the function uses, and where it comes from, for guards and `explain()`. */
export interface TracedInput {
  readonly tensor: Tensor
  /** `grad`: what `.grad` of another input holds. */
  readonly kind: 'argument' | 'closure' | 'constant' | 'grad'
  readonly path: string
  /** Of a constant: where it was made. Else absent. */
  readonly at?: SourceLocation | null
}

/** Numbers drawn per call: the generator's next `elements` positions, passed as two scalars (seed, offset). */
export interface RandomDraw {
  readonly generator: Generator
  readonly elements: Size
  /** The seed's index among the scalars; the offset follows. */
  readonly scalar: number
}

/** A number that is supplied at each call: the scalar input with the same index as in the list of these. */
export interface SuppliedScalar {
  readonly dtype: NumberDtype
  /** The index of its symbol, if it is a size; null: it is an operand. */
  readonly symbol: number | null
}

/** A graph whose results require gradients outside. */
export interface Tape {
  /** The graph as an op whose gradient the tape takes (differentiable.ts). */
  readonly record: OpRecord
  /** Which of its results a gradient flows from: not from those whose backward pass was inside. */
  readonly flows: readonly boolean[]
}

/** One recorded stretch of a function: the whole of it, or up to a graph break. */
export interface Segment {
  readonly graph: Graph
  /** Where it runs. */
  readonly device: Device
  readonly inputs: readonly TracedInput[]
  /** The inputs at which its backward passes end. */
  readonly ends: readonly number[]
  readonly draws: readonly RandomDraw[]
  /** Numbers that are supplied at each call, which are the first scalars, and their values in the captured call. */
  readonly supplied: readonly SuppliedScalar[]
  readonly numbers: readonly (number | bigint)[]
  readonly boxed: Boxed
  readonly results: readonly ResultSource[]
  /** Of the graph's outputs: a gradient flows into it. */
  readonly flows: readonly boolean[]
  /** Null: no gradient flows through it. */
  readonly tape: Tape | null
  /** The symbols' values in the captured call. */
  readonly symbols: Float64Array
  /** Equalities that were decided by those values, beyond the symbols' ranges. */
  readonly conditions: readonly SizeCondition[]
  /** Sizes that the graph takes to be at least 0. */
  readonly facts: readonly Size[]
  /** Number of ops that the function called, without views: eagerly each would be a separate kernel. */
  readonly ops: number
  readonly log: TraceLog
  /** The results, by their numbers in the log. */
  readonly outputs: readonly number[]
}
