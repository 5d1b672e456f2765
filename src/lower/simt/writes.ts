/** Which views an op writes, with all that stands in its blocks; and so whether a load may be done later, or earlier. */
import type { TileBlock, TileNode } from '../../tile/ir.js'
import { mayAlias } from '../structure.js'

export class Writes {
  readonly #views = new Map<TileNode, readonly TileNode[]>()

  constructor(readonly order: ReadonlyMap<TileBlock, readonly TileNode[]>) {}

  /** The views that `node` writes. */
  of(node: TileNode): readonly TileNode[] {
    const known = this.#views.get(node)
    if (known !== undefined) return known
    const own = node.op === 'store' || node.op === 'scatter' || node.op === 'atomic' ? [node.inputs[0]!] : []
    const inner = node.blocks.flatMap(block => block.body.flatMap(each => this.of(each)))
    const found = [...new Set([...own, ...inner])]
    this.#views.set(node, found)
    return found
  }

  /** True when `node` may change what `load` reads. */
  #changes(node: TileNode, load: TileNode): boolean {
    return this.of(node).some(view => mayAlias(view, load.inputs[0]!))
  }

  /** True when what the load reads is still there at `user`: both stand in one block, or nothing ever writes it. */
  lasts(load: TileNode, user: TileNode): boolean {
    let isWritten = false
    for (const nodes of this.order.values()) {
      isWritten ||= nodes.some(node => this.#changes(node, load))
      const [start, end] = [nodes.indexOf(load), nodes.indexOf(user)]
      if (start >= 0 && end >= 0) return !nodes.slice(start, end).some(node => this.#changes(node, load))
    }
    return !isWritten
  }

  /** True when nothing in a block changes what the load reads. */
  keeps(block: TileBlock, load: TileNode): boolean {
    return !block.body.some(node => this.#changes(node, load))
  }
}
