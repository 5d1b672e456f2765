/**
 * Templates: what takes more than a loop's expressions, and is the centre of its kernel. Each has a file, which says how a
 * group gets its loops, what of its inputs is computed in the kernel, what it is in the loop dialect, and how that becomes
 * a tile program.
 */
import type { GraphNode } from '../../graph/ir.js'
import type { RowAccess, RowResult } from '../../loop/access.js'
import type { LoopNode, LoopNodeOf, LoopOpName, LoopOps, LoopProgram, TemplateOp } from '../../loop/ir.js'
import type { Affine, IndexMap } from '../groups/affine.js'
import type { AnchorNode, Group } from '../groups/group.js'
import type { Buffers } from '../memory/buffers.js'
import type { SchedulePolicy } from '../policy.js'
import type { Grid } from '../tiling/grid.js'
import type { KernelWriter } from '../tiling/writer.js'

/** A loop program under construction. */
export interface ProgramContext {
  readonly group: Group
  /** Where the inputs' rows lie, along `dim`. */
  rowsOf(node: GraphNode, map: IndexMap, dim: number): RowAccess
  /** Where the rows of the group's only result go. */
  rowsOfResult(map: IndexMap, dim: number): RowAccess
  /** Where those of several go. */
  rowResults(dim: number): readonly RowResult[]
  value(node: GraphNode, map: IndexMap): LoopNode
  /** As it is in memory. */
  load(node: GraphNode, map: IndexMap): LoopNode
  make<Op extends LoopOpName>(node: GraphNode, op: Op, inputs: readonly LoopNode[], attrs: LoopOps[Op]): LoopNode
}

/** A graph primitive as the centre of a kernel. */
export interface Template<Node extends AnchorNode> {
  /** The indices of the first inputs, which the kernel computes, from the result's and the group's reduced ones. */
  operands(node: Node, map: IndexMap, reduced: readonly Affine[]): readonly IndexMap[]
  /** What it reads as it lies in memory. */
  reads(node: Node): readonly GraphNode[]
  build(program: ProgramContext, node: Node, map: IndexMap): LoopNode
}

/** A product may join the group of elementwise work on its result. */
export interface ContractionTemplate<Node extends AnchorNode> extends Template<Node> {
  /** Gives a group that runs over the result at `map` the product's loops; false: it cannot have them. */
  join(group: Group, node: Node, map: IndexMap, inMemory: (node: GraphNode) => boolean): boolean
}

/** A kernel under construction. */
export interface KernelContext {
  readonly program: LoopProgram
  readonly writer: KernelWriter
  readonly policy: SchedulePolicy
  readonly buffers: Buffers
}

/** The tile program of a template of the loop dialect. */
export type WriteTemplate<Op extends TemplateOp> = (kernel: KernelContext, node: LoopNodeOf<Op>) => Grid
