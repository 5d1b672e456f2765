/** Evaluates scalars for another iteration of a loop: offsets that depend only on the counter can be computed ahead. */
import { InternalError } from '../../base/errors.js'
import type { LaneNode } from '../../lane/ir.js'
import type { TileBlock, TileNode } from '../../tile/ir.js'
import type { BlockAccess } from './access.js'
import type { Context, Scalar } from './context.js'
import { isRenaming, shapeOf } from './renaming.js'

const isArithmetic = (node: TileNode): boolean =>
  node.op === 'map' || node.op === 'cast' || (isRenaming(node) && shapeOf(node).every(size => size === 1))

export class Iterations {
  readonly block: TileBlock
  readonly #body: ReadonlySet<TileNode>

  constructor(
    readonly context: Context,
    readonly range: TileNode,
  ) {
    this.block = range.blocks[0]!
    this.#body = new Set(context.plan.order.get(this.block)!)
  }

  /** Nodes directly in the loop's body. */
  get body(): Iterable<TileNode> {
    return this.#body
  }

  /** True for nodes that are recomputed in each iteration. */
  varies(node: TileNode): boolean {
    return this.#body.has(node) || this.block.params.includes(node)
  }

  /** True when a load can be prefetched: its offsets depend only on the counter, and the loop does not write what it reads. */
  runsAhead({ node, offsets }: BlockAccess): boolean {
    const counter = this.block.params[0]!
    const known = (scalar: TileNode): boolean =>
      scalar === counter || !this.varies(scalar) || (isArithmetic(scalar) && scalar.inputs.every(known))
    return this.#body.has(node) && offsets.every(known) && this.context.plan.writes.keeps(this.block, node)
  }

  /** The scalar's value at the given counter. */
  scalarAt(node: TileNode, counter: LaneNode, scalar: Scalar): LaneNode {
    if (node === this.block.params[0]) return counter
    if (!this.#body.has(node)) return scalar(node)
    const { lanes } = this.context
    const inputs = node.inputs.map(input => this.scalarAt(input, counter, scalar))
    if (node.op === 'map') return lanes.map(node.attrs.fn, ...inputs)
    if (node.op === 'cast') return lanes.cast(inputs[0]!, node.attrs.to)
    if (isRenaming(node)) return inputs[0]!
    throw new InternalError(`simt: an offset by ${node.op} cannot run ahead`)
  }
}
