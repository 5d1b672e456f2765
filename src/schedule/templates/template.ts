/**
 * Templates: computations that are more than a loop's expressions, and anchor their kernel. Each has a file, which defines
 * how a group gets its loops, which inputs are computed in the kernel (prologue), its op in the loop dialect, and how that
 * becomes a tile program.
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
  /** The rows of an input along `dim`. */
  rowsOf(node: GraphNode, map: IndexMap, dim: number): RowAccess
  /** The rows of the group's only result. */
  rowsOfResult(map: IndexMap, dim: number): RowAccess
  /** The rows of its several results. */
  rowResults(dim: number): readonly RowResult[]
  value(node: GraphNode, map: IndexMap): LoopNode
  /** Loads the node from memory. */
  load(node: GraphNode, map: IndexMap): LoopNode
  make<Op extends LoopOpName>(node: GraphNode, op: Op, inputs: readonly LoopNode[], attrs: LoopOps[Op]): LoopNode
}

/** A graph primitive that anchors a kernel. */
export interface Template<Node extends AnchorNode> {
  /** The indices at which the kernel computes the first inputs, from the result's indices and the group's reduced ones. */
  operands(node: Node, map: IndexMap, reduced: readonly Affine[]): readonly IndexMap[]
  /** The inputs that it reads from memory directly. */
  reads(node: Node): readonly GraphNode[]
  build(program: ProgramContext, node: Node, map: IndexMap): LoopNode
}

/** A contraction may join a group of elementwise work on its result. */
export interface ContractionTemplate<Node extends AnchorNode> extends Template<Node> {
  /** A group that covers the result at `map` with the contraction's loops; null if it cannot have them. */
  join(group: Group, node: Node, map: IndexMap, inMemory: (node: GraphNode) => boolean): Group | null
}

/** A kernel under construction. */
export interface KernelContext {
  readonly program: LoopProgram
  readonly writer: KernelWriter
  readonly policy: SchedulePolicy
  readonly buffers: Buffers
}

/** Writes the tile program of a template of the loop dialect. */
export type WriteTemplate<Op extends TemplateOp> = (kernel: KernelContext, node: LoopNodeOf<Op>) => Grid
