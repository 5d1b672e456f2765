/** Merges nested reductions by the same function into one over several axes: registers, then lanes, then warps, once each. */
import { useCounts } from '../../ir/walk.js'
import { isArgReduction } from '../../scalar/ops.js'
import type { TileNode, TileProgram } from '../../tile/ir.js'
import { sliced, type ThreadLayout } from './layout.js'

type Reduce = Extract<TileNode, { op: 'reduce' }>

export interface ReduceChain {
  /** The tile that is reduced. */
  readonly source: TileNode
  /** The reductions, innermost first; the last is the node that the chain stands for. */
  readonly folds: readonly Reduce[]
}

export class ReduceChains {
  readonly #uses: ReadonlyMap<TileNode, number>
  readonly #absorbed = new Set<TileNode>()
  readonly #chains = new Map<Reduce, ReduceChain>()

  constructor(program: TileProgram) {
    this.#uses = useCounts(program.body)
    for (const node of this.#uses.keys()) if (node.op === 'reduce') this.#absorb(node)
  }

  /** Records that a reduction's operand is computed as part of it. */
  #absorb(node: Reduce): void {
    const [input] = node.inputs as [TileNode]
    const joins =
      input.op === 'reduce' &&
      input.attrs.fn === node.attrs.fn &&
      !isArgReduction(node.attrs.fn) &&
      this.#uses.get(input) === 1
    if (joins) this.#absorbed.add(input)
  }

  /** True for reductions that the next one includes. */
  isAbsorbed(node: TileNode): boolean {
    return this.#absorbed.has(node)
  }

  /** The chain of reductions that ends at `node` and is computed as one, innermost first. */
  of(node: Reduce): ReduceChain {
    const known = this.#chains.get(node)
    if (known !== undefined) return known
    const folds = [node]
    let source = node.inputs[0]!
    while (source.op === 'reduce' && this.#absorbed.has(source)) {
      folds.unshift(source)
      source = source.inputs[0]!
    }
    const chain = { source, folds }
    this.#chains.set(node, chain)
    return chain
  }
}

/** The reduced axes, as dims of the source. */
export function axesOf({ source, folds }: ReduceChain): number[] {
  const dims = (source.type as { shape: readonly number[] }).shape.map((_, d) => d)
  return folds.map(({ attrs }) => dims.splice(attrs.axis, 1)[0]!)
}

/** The result's layout when the source has `layout`. */
export const foldedLayout = ({ folds }: ReduceChain, layout: ThreadLayout): ThreadLayout =>
  folds.reduce((left, { attrs }) => sliced(left, attrs.axis), layout)
