/**
 * A Plan is data: what a compiled graph does at each call, as a list of steps and a memory map. Running, printing,
 * profiling, caching and explaining read the same list. Sizes may be symbolic; symbols are read from the inputs.
 *
 * Steps and buffers name their device by its index among the plan's devices: the code does not depend on which devices
 * these are, and the executable binds the indices. All plans span one device so far.
 */
import type { SourceLocation } from '../../base/source.js'
import type { GroupStrategy, SizeSymbol } from '../../graph/ir.js'
import type { Size } from '../../scalar/size.js'
import type { TileProgram } from '../../tile/ir.js'
import type { Dtype } from '../../types/dtype.js'

/** The device of graphs that are scheduled for one. */
export const onlyDevice = 0

/** What buffers and steps have in common. */
interface OnDevice {
  /** Index among the plan's devices. */
  readonly device: number
}

/**
 * A piece of memory. input: the memory of the call's argument `input` (its first element at offset 0). output: allocated at
 * each call, returned to the caller or passed to blocks. temp: live within a call, in the allocation number `slot`, `at` bytes from its
 * start; temps that are not live at the same time may overlap. result: what a block returns; the control-flow step says which.
 */
export type PlanBuffer = OnDevice & { readonly dtype: Dtype } & (
    | { readonly kind: 'input'; readonly input: number }
    | { readonly kind: 'output' | 'result'; readonly elements: Size }
    | { readonly kind: 'temp'; readonly elements: Size; readonly slot: number; readonly at: number }
  )

/** A strided view of a plan's buffer; offset and strides in elements. */
export interface PlanView {
  readonly buffer: number
  readonly offset: Size
  readonly shape: readonly Size[]
  readonly strides: readonly Size[]
}

export type PlanArgument =
  | ({ readonly kind: 'view' } & PlanView)
  | { readonly kind: 'size'; readonly value: Size }
  | { readonly kind: 'scalarInput'; readonly input: number; readonly dtype: Dtype }

/** Runs a kernel over a grid (x fastest). Arguments match the kernel's params one by one. */
export interface LaunchStep extends OnDevice {
  readonly kind: 'launch'
  /** Index into the plan's kernels. */
  readonly kernel: number
  readonly args: readonly PlanArgument[]
  readonly grid: readonly [Size, Size, Size]
  /** Minimum of bytes read and written, and arithmetic; for reports, and to decide whether to use threads. */
  readonly bytes: Size
  readonly flops: Size
  /** The graph ops behind this kernel in order, and the user's lines behind those. */
  readonly ops: readonly string[]
  readonly lines: readonly SourceLocation[]
}

/** A tensor in a plan's memory: a result of the function, or an operand of a block. */
export type PlanTensor = { readonly dtype: Dtype } & PlanView

/** Runs blocks of the plan; the host reads a value to choose which. */
interface ControlStep extends OnDevice {
  /** The inputs of the blocks, row-major. */
  readonly operands: readonly PlanTensor[]
  /** The buffers that the last block's results become; null: unused. */
  readonly results: readonly (number | null)[]
  /** The user's lines behind it. */
  readonly lines: readonly SourceLocation[]
}

/** Runs one of two blocks on the operands. */
export interface CondStep extends ControlStep {
  readonly kind: 'cond'
  /** 0-d bool. */
  readonly predicate: PlanTensor
  /** Indices into the plan's blocks: for true and for false. */
  readonly branches: readonly [number, number]
}

/** While block `condition` returns true, block `body` replaces the first operands (one per result). */
export interface LoopStep extends ControlStep {
  readonly kind: 'loop'
  readonly condition: number
  readonly body: number
}

/**
 * Runs block `body` for each index along dim 0 of the operands from `carried` on, so many (`sequences`): on the carried values,
 * which its first results replace, on the elements at the index, and on the other operands. Its further results are elements of
 * this step's.
 */
export interface StepsStep extends ControlStep {
  readonly kind: 'steps'
  readonly body: number
  readonly carried: number
  readonly sequences: number
  /** The last index comes first. */
  readonly reverse: boolean
}

/** A step that runs blocks. */
export type BlockStep = CondStep | LoopStep | StepsStep

/** Discriminated by `kind`; each reader is exhaustive, so the type checker names those that lack a new kind. */
export type PlanStep = LaunchStep | BlockStep

/** The launches among steps, in order: machines use this numbering. */
export const launchesAmong = (steps: readonly PlanStep[]): readonly LaunchStep[] => steps.filter(isLaunch)

export function isLaunch(step: PlanStep): step is LaunchStep {
  return step.kind === 'launch'
}

/** The blocks that a control-flow step runs. */
export function blocksOf(step: BlockStep): readonly number[] {
  if (step.kind === 'cond') return step.branches
  return step.kind === 'loop' ? [step.condition, step.body] : [step.body]
}

/** The views that a step takes. */
export function viewsOf(step: PlanStep): readonly PlanView[] {
  switch (step.kind) {
    case 'launch':
      return step.args.filter(arg => arg.kind === 'view')
    case 'cond':
      return [step.predicate, ...step.operands]
    case 'loop':
    case 'steps':
      return step.operands
    default:
      return step satisfies never
  }
}

export type ChosenStrategy = Exclude<GroupStrategy, 'auto'>
/** Nanoseconds. */
export type GroupEstimates = Readonly<Record<ChosenStrategy, number>>

/** Consecutive steps of a grouped launch: none needs another's result, or shares memory with it. */
export interface PlanGroup {
  readonly first: number
  readonly count: number
  /** As requested, and as chosen. */
  readonly asked: GroupStrategy
  readonly strategy: ChosenStrategy
  /** The costs that decided; null: sizes are known only at the launch. */
  readonly estimates: GroupEstimates | null
}

/** Consecutive launches of little work: none needs another's result, or shares memory with it, so they may run as one. */
export interface PlanBatch {
  readonly first: number
  readonly count: number
}

/** Steps with their memory map: of a call, or of a control-flow block, whose inputs are the step's operands. */
export interface PlanBlock {
  readonly buffers: readonly PlanBuffer[]
  /** Number of memory slots of the temps; a slot reaches to the end of its temps at the call's sizes. */
  readonly slots: number
  readonly steps: readonly PlanStep[]
  /** In the order of their steps. */
  readonly groups: readonly PlanGroup[]
  readonly batches: readonly PlanBatch[]
  /** An output may be in an input's buffer, if the function returns (a view of) its argument. */
  readonly outputs: readonly PlanTensor[]
}

export interface Plan extends PlanBlock {
  readonly symbols: readonly SizeSymbol[]
  /** Number of devices that the plan spans. */
  readonly devices: number
  /** Of all steps, including those of blocks. */
  readonly kernels: readonly TileProgram[]
  /** Control-flow blocks, each run by one step; inner blocks come before outer ones. */
  readonly blocks: readonly PlanBlock[]
}

/** The launches of a plan: its own, then each block's. */
export const everyLaunch = ({ steps, blocks }: Pick<Plan, 'steps' | 'blocks'>): readonly LaunchStep[] =>
  [steps, ...blocks.map(block => block.steps)].flatMap(launchesAmong)
