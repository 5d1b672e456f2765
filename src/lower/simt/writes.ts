/** The views that an op writes, including the ops in its blocks; hence whether a load may be moved. */
import type { TileBlock, TileNode } from '../../tile/ir.js'
import { mayAlias } from '../shared/structure.js'

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

  /**
   * True when the memory that the load reads is unchanged at `user`: nothing writes it in between, if they are in one block or
   * the user is nested in a block there; otherwise, nothing ever writes it.
   */
  lasts(load: TileNode, user: TileNode): boolean {
    let isWritten = false
    for (const nodes of this.order.values()) {
      isWritten ||= nodes.some(node => this.#changes(node, load))
      const [start, end] = [nodes.indexOf(load), nodes.findIndex(node => node === user || this.#holds(node, user))]
      if (start < 0 || end < 0) continue
      // A loop around the user may reach it again after everything else in the loop.
      const until = nodes[end] === user ? end : end + 1
      return !nodes.slice(start, until).some(node => this.#changes(node, load))
    }
    return !isWritten
  }

  /** True when `user` is nested in a block of `node`. */
  #holds(node: TileNode, user: TileNode): boolean {
    return node.blocks.some(block => this.order.get(block)!.some(inner => inner === user || this.#holds(inner, user)))
  }

  /** True when nothing in a block changes what the load reads. */
  keeps(block: TileBlock, load: TileNode): boolean {
    return !block.body.some(node => this.#changes(node, load))
  }
}
