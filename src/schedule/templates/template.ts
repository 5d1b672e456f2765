/**
 * Templates: computations that are more than a loop's expressions, and anchor their kernel. Each has a file with one record:
 * how a group gets its loops, which inputs are computed in the kernel (prologue), what it is in the loop dialect, and how
 * that becomes a tile program.
 */
import type { GraphNode } from '../../graph/ir.js'
import type { Attrs } from '../../ir/node.js'
import type { LoopNode, LoopProgram, StoredRows, TemplateAttrs, TemplateNode } from '../../loop/ir.js'
import type { Affine, IndexMap } from '../groups/affine.js'
import type { AnchorNode, ContractionNode, Group } from '../groups/group.js'
import type { ProgramContext } from '../groups/values.js'
import type { Buffers } from '../memory/buffers.js'
import type { SchedulePolicy } from '../policy.js'
import type { Axes } from '../tiling/axes.js'
import type { Grid } from '../tiling/grid.js'
import type { KernelWriter } from '../tiling/writer.js'

/** What a template says of itself to the loop dialect; by default it stores nothing itself. */
export interface TemplateParts<Params extends Attrs = Attrs>
  extends Partial<Pick<TemplateAttrs, 'stored' | 'axes' | 'work'>> {
  /** The values of the node's first inputs, at `operands`; then values derived from them. */
  readonly inputs: readonly LoopNode[]
  readonly operands: readonly IndexMap[]
  /** Further inputs of the node, which are read in memory, by rows along `dim`. */
  readonly rows?: readonly { readonly input: number; readonly dim: number }[]
  /** Further inputs of the node, which are read in memory at any index. */
  readonly whole?: readonly number[]
  readonly params: Params
}

/** A loop program of templates under construction. */
export interface TemplateContext extends ProgramContext {
  /** The rows of the group's results along `dim`. */
  storedRows(dim: number): readonly StoredRows[]
  template(node: AnchorNode, parts: TemplateParts): LoopNode
}

/** A graph primitive that anchors a kernel. `Params`: what `build` tells `write`. */
export interface Template<Node extends AnchorNode = AnchorNode, Params extends Attrs = Attrs> {
  /** The indices at which the kernel computes the first inputs, from the result's indices and the group's reduced ones. */
  operands(node: Node, map: IndexMap, reduced: readonly Affine[]): readonly IndexMap[]
  /** The inputs that it reads from memory directly. */
  reads(node: Node): readonly GraphNode[]
  build(program: TemplateContext, node: Node, map: IndexMap): LoopNode
  /** The kernels that compute it, in order. */
  stages(kernel: StageContext, node: TemplateNode<Params>): readonly Stage[]
  /** Other programs that are faster; null: there are none. */
  split?(
    program: LoopProgram,
    node: TemplateNode<Params>,
    policy: SchedulePolicy,
    buffers: Buffers,
  ): SplitTemplate | null
}

/** A program with a template that computes parts of the result, and programs of loops that combine them; none: a whole. */
export interface SplitTemplate {
  readonly partial: LoopProgram
  readonly finals: readonly LoopProgram[]
}

/** One of a template's kernels. */
export interface Stage {
  /** Of the kernel's name. */
  readonly suffix: string
  write(writer: KernelWriter): Grid
}

/** A template whose kernels are to be chosen. */
export interface StageContext extends Omit<KernelContext, 'writer'> {
  readonly axes: Axes
}

/** A contraction may join a group of elementwise work on its result. */
export interface ContractionTemplate<Node extends ContractionNode = ContractionNode, Params extends Attrs = Attrs>
  extends Template<Node, Params> {
  /** The indices of its results; absent: of all, the first ones of the first result's. */
  results?(node: Node, map: IndexMap, reduced: readonly Affine[]): readonly IndexMap[]
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

/** A single kernel. */
export const alone =
  <Params extends Attrs>(
    write: (kernel: KernelContext, node: TemplateNode<Params>) => Grid,
  ): Template<AnchorNode, Params>['stages'] =>
  (kernel, node) => [{ suffix: '', write: writer => write({ ...kernel, writer }, node) }]
