/**
 * What a capture must offer so that tensor code runs on it unchanged. While a tracer is active every op goes to it, on
 * whatever tensors: ops on closed-over concrete tensors and creation are recorded too, so nothing freezes unseen.
 */
import type { SourceLocation } from '../base/source.js'
import type { GraphKernel } from '../graph/kernel.js'
import type { OpRecord } from '../graph/record.js'
import type { Attrs } from '../ir/node.js'
import type { Formula } from '../scalar/formula.js'
import type { Size, SizeExpr } from '../scalar/size.js'
import type { Device } from './device.js'
import type { Generator } from './generator.js'
import type { TensorHandle } from './handle.js'
import type { Layout } from './layout.js'
import type { Freed } from './storage.js'
import type { PlainNumber, SymbolicNumber } from './symbolic-number.js'
import type { Tensor } from './tensor.js'

/** What an op is applied to, once checked. */
export type OpArgument = Tensor | number | boolean | bigint
/** In a capture, sizes need not be known. */
export type TracedArgument = OpArgument | SizeExpr

/** Stands in a tensor for memory during a capture. */
export interface Traced {
  readonly kind: 'traced'
  readonly tracer: Tracer
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

export interface Tracer {
  /** The function's name, for messages. */
  readonly name: string
  /** Where the traced tensors will be: a graph runs on one device. */
  readonly device: Device
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
  /** An op threw this. */
  refused(error: unknown): void
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
  /**
   * Ends what was recorded so far and runs it: what follows may look at memory and change it. Traced tensors then have
   * values, which `read` gives. Throws CaptureError where that is not allowed. `reader` names who needs it.
   */
  flush(reader: string): void
  /** The user read this size as a number: answers for the present call and guards it. Called for symbolic dims only. */
  sizeRead(tensor: TensorHandle, dim: number): number
  /** Names the stretch that is being recorded: formulas are of its symbols. */
  readonly segment: object
  /** A size of a tensor as a number that stays symbolic. */
  sizeNumber(tensor: TensorHandle, dim: number): SymbolicNumber
  /** What a number is, of the sizes and boxed numbers of the call: a size where it is an integer. */
  formulaOf(number: SymbolicNumber): Formula
  /** A number as an argument of an op: a size, a plain number, or a 0-d tensor that counts as a number. */
  numberArgument(number: SymbolicNumber): PlainNumber | SizeExpr | Tensor
  /** The user read a number: its value in the present call, which is guarded. */
  readNumber(number: SymbolicNumber): PlainNumber
  /** Whether the tensor is row-major without gaps: inputs as in the present call (guarded), results always. */
  isContiguous(tensor: TensorHandle): boolean
  /** As `sizeRead` for all strides. */
  stridesRead(tensor: TensorHandle): readonly number[]
}

const active: (Tracer | null)[] = []

/** The innermost active tracer, or null when ops run at once. */
export const currentTracer = (): Tracer | null => active.at(-1) ?? null

/** Whether what belongs to `tracer` may be used now: in its function, and in the blocks of its control flow. */
export function isOpen(tracer: Tracer): boolean {
  for (let open = currentTracer(); open !== null; open = open.outer) if (open === tracer) return true
  return false
}

/** Runs `body` with `tracer` active; null suspends tracing (what runs then is eager). */
export function withTracer<R>(tracer: Tracer | null, body: () => R): R {
  active.push(tracer)
  try {
    return body()
  } finally {
    active.pop()
  }
}
