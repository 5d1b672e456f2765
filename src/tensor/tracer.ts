/**
 * What a capture must offer so that tensor code runs on it unchanged. While a tracer is active every op goes to it, on
 * whatever tensors: ops on closed-over concrete tensors and creation are recorded too, so nothing freezes unseen.
 */
import type { GraphKernel } from '../graph/kernel.js'
import type { OpRecord } from '../graph/record.js'
import type { Attrs } from '../ir/node.js'
import type { Size, SizeExpr } from '../scalar/size.js'
import type { Device } from './device.js'
import type { Generator } from './generator.js'
import type { Layout } from './layout.js'
import type { SymbolicNumber } from './symbolic-number.js'
import type { Tensor } from './tensor-type.js'
import { currentTrace, type PlainNumber, type Trace, withTrace } from './trace.js'

/** What an op is applied to, once checked. */
export type OpArgument = Tensor | number | boolean | bigint
/** In a capture, sizes need not be known. */
export type TracedArgument = OpArgument | SizeExpr

/** A launch of a person's kernel. Its written tensors are fit for it: none overlaps another argument other than wholly. */
export interface KernelLaunch {
  readonly kernel: GraphKernel
  /** In the order of the kernel's parameters. A number of each call is a size, or a 0-d tensor that counts as a number. */
  readonly args: readonly (Tensor | number | bigint | SizeExpr)[]
  /** Which parameters are numbers with a fraction: those do not care whether a number is an integer. */
  readonly floats: readonly boolean[]
  /** Indices of the parameters that the kernel writes. */
  readonly writes: readonly number[]
  /** One to three sizes, from the sizes of the tensors, `sizeOf(i, dim)` for the one that is argument i, and its numbers. */
  grid(sizeOf: (argument: number, dim: number) => number): readonly number[]
}

/** A function that becomes a block of control flow. */
export type BlockFunction = (...operands: readonly Tensor[]) => readonly Tensor[]

/** `cond`: the branch that the predicate (a 0-d bool) chooses, on the operands. */
export interface TracedCond {
  readonly predicate: Tensor
  readonly branches: readonly [BlockFunction, BlockFunction]
  readonly operands: readonly Tensor[]
}

/** `whileLoop`: `body` on the carried values for as long as `condition` gives true (a 0-d bool). */
export interface TracedLoop {
  readonly condition: (...carried: readonly Tensor[]) => Tensor
  readonly body: BlockFunction
  readonly carried: readonly Tensor[]
}

/** Tensors of one owner lie in one memory. */
export interface TracedMemory {
  readonly owner: object
  /** In the call that is captured. */
  readonly layout: Layout
}

export interface Tracer extends Trace {
  /**
   * Records an op; gives one traced tensor per result. Inputs may be concrete: they are tensors closed over. `device`
   * is the inputs', or where an op without inputs was asked to make its tensors. Throws DeviceError when that is not
   * where the graph runs.
   */
  record(record: OpRecord, inputs: readonly TracedArgument[], attrs: Attrs, device: Device): readonly Tensor[]
  /**
   * Records an in-place write of `value` (same shape and dtype) into `target`, which may be a view or concrete. `op` is
   * the method's name, for messages.
   */
  assign(op: string, target: Tensor, value: Tensor): void
  /** Records a launch; the tensors that it writes get new values, as by `assign`. */
  launch(launch: KernelLaunch): void
  /** Records control flow: its functions run once each, on traced tensors. Throws CaptureError where one does what a block cannot. */
  cond(call: TracedCond): readonly Tensor[]
  /** As `cond`. Throws ShapeError or DtypeError when a carried value changes its type. */
  whileLoop(call: TracedLoop): readonly Tensor[]
  /** The tracer of the function around the block that this one traces; null: it traces a function. */
  readonly outer: Tracer | null
  /** How a tensor lies in memory, its own or its base's. */
  memoryOf(tensor: Tensor): TracedMemory
  /** Makes a tensor of host data into a traced constant: made anew in each call, so in-place ops on it stay inside. */
  constant(tensor: Tensor): Tensor
  /** Seed and counter offset for a random op that uses `counters` positions of its stream: 0-d i64 tensors, given anew at each call. */
  randomState(generator: Generator, counters: Size): readonly [seed: Tensor, offset: Tensor]
  /** The tensor's present values as a concrete tensor, or throws CaptureError. `reader` names the call, for messages. */
  read(tensor: Tensor, reader: string): Tensor
  /** A number as an argument of an op: a size, a plain number, or a 0-d tensor that counts as a number. */
  numberArgument(number: SymbolicNumber): PlainNumber | SizeExpr | Tensor
}

/** The innermost active tracer, or null when ops run at once. */
export const currentTracer = (): Tracer | null => currentTrace() as Tracer | null // none but `withTracer` makes one active

/** Runs `body` with `tracer` active; null suspends tracing (what runs then is eager). */
export const withTracer = <R>(tracer: Tracer | null, body: () => R): R => withTrace(tracer, body)
