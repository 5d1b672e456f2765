/**
 * The interface of a capture, on which tensor code runs unchanged. While a tracer is active, it gets every op, including
 * creation and ops on closed-over concrete tensors, so that no value is silently baked in.
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

/** A checked argument of an op. */
export type OpArgument = Tensor | number | boolean | bigint
/** In a capture, sizes may be symbolic. */
export type TracedArgument = OpArgument | SizeExpr

/** A launch of a user's kernel. Written tensors are checked: none partially overlaps another argument. */
export interface KernelLaunch {
  readonly kernel: GraphKernel
  /**
   * In the order of the kernel's parameters. A number that differs per call is a size, or a 0-d tensor that counts as a
   * number.
   */
  readonly args: readonly (Tensor | number | bigint | SizeExpr)[]
  /** Which parameters are floats, for which it does not matter whether a number is an integer. */
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

/** `scan`: `body` on the carried values and an element of each sequence, for each index along their dim 0. */
export interface TracedScan {
  /** Gives the next carried values, then elements of results. */
  readonly body: BlockFunction
  readonly carried: readonly Tensor[]
  readonly sequences: readonly Tensor[]
  /** The last index comes first. */
  readonly reverse: boolean
}

/** Tensors of one owner share one memory. */
export interface TracedMemory {
  readonly owner: object
  /** In the call that is captured. */
  readonly layout: Layout
}

/** Options of a backward pass, as `gradients` has them. */
export interface TracedPass {
  readonly createGraph: boolean
  readonly retainGraph: boolean
}

/** A call of a function with a gradient of its own. Its gradient has been called with variables, which stand for what it gets. */
export interface TracedCustom {
  readonly name: string
  readonly inputs: readonly Tensor[]
  readonly results: readonly Tensor[]
  /** What stands for the results. */
  readonly values: readonly Tensor[]
  /** What stands for their gradients. */
  readonly cotangents: readonly Tensor[]
  /** Of the inputs; null where none flows. */
  readonly gradients: readonly (Tensor | null)[]
}

/** What becomes of gradients in a capture: they are part of the graph. Tensors may be traced ones, or concrete ones from around. */
export interface TracedAutograd {
  requiresGrad(tensor: Tensor): boolean
  isLeaf(tensor: Tensor): boolean
  setRequiresGrad(tensor: Tensor, on: boolean): void
  /** The same memory, without a history. */
  detached(tensor: Tensor): Tensor
  /** The same memory, as a tensor that gradients are asked for by; they flow on to `tensor`. */
  variable(tensor: Tensor): Tensor
  /** Whether gradients of the roots flow further than to these variables. */
  leadsBeyond(roots: readonly Tensor[], variables: readonly Tensor[]): boolean
  /** No gradient will be asked for by these variables. */
  close(variables: readonly Tensor[]): void
  /** Runs the gradient of the function `name` on variables. Values cannot be read in it: it is called before they are known. */
  asGradient<R>(name: string, body: () => R): R
  /** The results of a function with a gradient of its own, from what its call and its gradient gave. */
  custom(call: TracedCustom): readonly Tensor[]
  grad(tensor: Tensor): Tensor | null
  setGrad(tensor: Tensor, grad: Tensor | null): void
  /** As `gradients` and adds them to `.grad` of the leaves; `inputs` null: of all. */
  backward(
    roots: readonly Tensor[],
    cotangents: readonly Tensor[],
    options: TracedPass & { readonly inputs: readonly Tensor[] | null },
  ): void
  /** Runs `body`, of whose values nothing is kept for gradients; `resultsOf`: the tensors in what it gives. */
  checkpoint<R>(body: () => R, resultsOf: (value: R) => readonly Tensor[]): R
  /** Null where no gradient flows. */
  gradients(
    outputs: readonly Tensor[],
    inputs: readonly Tensor[],
    cotangents: readonly Tensor[],
    options: TracedPass,
  ): readonly (Tensor | null)[]
}

export interface Tracer extends Trace {
  readonly autograd: TracedAutograd
  /**
   * Records an op; gives one traced tensor per result. Concrete inputs are closed-over tensors. `device` is the inputs', or
   * for an op without inputs the device of its results. Throws DeviceError unless the graph runs there.
   */
  record(record: OpRecord, inputs: readonly TracedArgument[], attrs: Attrs, device: Device): readonly Tensor[]
  /**
   * Records an in-place write of `value` (same shape and dtype) into `target`, which may be a view or concrete. `op` is
   * the method's name, for messages.
   */
  assign(op: string, target: Tensor, value: Tensor): void
  /** Records a launch; the tensors that it writes get new values, as by `assign`. */
  launch(launch: KernelLaunch): void
  /** Records control flow: its functions run once each, on traced tensors. Throws CaptureError for what a block cannot do. */
  cond(call: TracedCond): readonly Tensor[]
  /** As `cond`. Throws ShapeError or DtypeError when a carried value changes its type. */
  whileLoop(call: TracedLoop): readonly Tensor[]
  /** As `cond`: the last carried values, and the results along a new dim 0. */
  scan(call: TracedScan): readonly Tensor[]
  /** The tracer of the function around the block that this one traces; null: it traces a function. */
  readonly outer: Tracer | null
  /** The memory of a tensor (its own or its base's) and its layout there. */
  memoryOf(tensor: Tensor): TracedMemory
  /** Makes a traced constant of host data; it is copied in each call, so that in-place ops on it stay local. */
  constant(tensor: Tensor): Tensor
  /** Seed and counter offset for a random op that uses `counters` positions of its stream: 0-d i64 tensors, given anew at each call. */
  randomState(generator: Generator, counters: Size): readonly [seed: Tensor, offset: Tensor]
  /**
   * The tensor's current values as a concrete tensor, or throws CaptureError. `reader` names the call in messages, `instead`
   * is what to do where values cannot be read.
   */
  read(tensor: Tensor, reader: string, instead?: string): Tensor
  /** Runs code of the library, all of whose ops are the user's present line: finding it takes longer than recording an op. */
  fromHere<R>(body: () => R): R
  /** A number as an argument of an op: a size, a plain number, or a 0-d tensor that counts as a number. */
  numberArgument(number: SymbolicNumber): PlainNumber | SizeExpr | Tensor
}

/** The innermost active tracer, or null when ops run eagerly. */
export const currentTracer = (): Tracer | null => currentTrace() as Tracer | null // none but `withTracer` makes one active

/** Runs code of the library: in a capture, its ops are the user's present line. */
export function fromHere<R>(body: () => R): R {
  const tracer = currentTracer()
  return tracer === null ? body() : tracer.fromHere(body)
}

/** Runs `body` with `tracer` active; null suspends tracing (ops then run eagerly). */
export const withTracer = <R>(tracer: Tracer | null, body: () => R): R => withTrace(tracer, body)
