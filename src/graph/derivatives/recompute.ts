/**
 * Cheap values that a backward pass reads are computed again in it, from what is kept anyway (partition.ts). The copies read fences
 * of what is kept, which wait for the gradient that is there when the first of them is needed.
 */
import { addSizes, mulSizes, productOf, type Size } from '../../scalar/size.js'
import { itemBytes, type TensorDtype } from '../../types/dtype.js'
import type { GraphBuilder, GraphNode } from '../ir.js'
import { isArranged, keptFor, madeFrom } from './partition.js'
import type { Slope } from './rule.js'

/** What a backward pass costs in memory, in bytes. */
export interface BackwardMemory {
  /** Of the values that are kept for it, but for arguments. */
  readonly kept: Size
  /** Of the values that it reads and computes again. */
  readonly recomputed: Size
}

export const noMemory: BackwardMemory = { kept: 0, recomputed: 0 }

export const sumOfMemory = (one: BackwardMemory, other: BackwardMemory): BackwardMemory => ({
  kept: addSizes(one.kept, other.kept),
  recomputed: addSizes(one.recomputed, other.recomputed),
})

/** The nodes that gradients are computed with. */
interface BackwardNodes {
  /** Those that depend on the seeds, inputs first. */
  readonly late: readonly GraphNode[]
  /** The values that these read of the others. */
  readonly needed: readonly GraphNode[]
}

/** `seeds`: the gradients that all start from, which nothing else uses. */
export function backwardNodes(gradients: readonly Slope[], seeds: ReadonlySet<GraphNode>): BackwardNodes {
  const oldest = Math.min(...[...seeds].map(({ id }) => id))
  const reached = new Set(gradients.filter(node => node !== null && node.id > oldest) as GraphNode[])
  for (const node of reached) for (const input of node.inputs) if (input.id > oldest) reached.add(input)
  const isLate = new Set(seeds)
  const late = [...reached]
    .sort((one, other) => one.id - other.id)
    .filter(node => {
      const depends = !seeds.has(node) && node.inputs.some(input => isLate.has(input))
      if (depends) isLate.add(node)
      return depends
    })
  const read = new Set([...gradients.filter(node => node !== null), ...late.flatMap(({ inputs }) => inputs)])
  return { late, needed: [...read].filter(node => !isLate.has(node) && node.type.kind === 'tensor') }
}

/** Gradients that keep less. `seeds`: see `backwardNodes`. */
export function withRecomputation(
  b: GraphBuilder,
  gradients: readonly Slope[],
  seeds: ReadonlySet<GraphNode>,
): { readonly gradients: readonly Slope[]; readonly memory: BackwardMemory } {
  const { late, needed } = backwardNodes(gradients, seeds)
  const kept = keptFor(needed, ({ op }) => op === 'input')
  const again = new Set(needed.filter(node => isComputed(node, kept)))
  const copier = new Copier(b, kept)
  for (const node of late) copier.remake(node, again, seeds)
  const memory = {
    kept: bytesOf([...kept].filter(({ op, inputs }) => op !== 'input' && inputs.length > 0)),
    recomputed: bytesOf([...again].filter(node => !isArranged(node))),
  }
  return { gradients: gradients.map(node => node && copier.now(node)), memory }
}

/** Whether a value is computed from what is kept, rather than kept itself or an arrangement of it. */
function isComputed(node: GraphNode, kept: ReadonlySet<GraphNode>): boolean {
  const open = [node]
  for (const each of open) {
    if (kept.has(each) || each.inputs.length === 0) continue
    if (!isArranged(each)) return true
    open.push(...madeFrom(each))
  }
  return false
}

class Copier {
  /** What stands now for a node of the backward pass. */
  readonly #now = new Map<GraphNode, GraphNode>()
  /** The copies of values, and the fences of those that are kept. */
  readonly #copies = new Map<GraphNode, GraphNode>()

  constructor(
    readonly b: GraphBuilder,
    readonly kept: ReadonlySet<GraphNode>,
  ) {}

  now(node: GraphNode): GraphNode {
    return this.#now.get(node) ?? node
  }

  /** Makes a node of the backward pass on copies of the values in `again`. */
  remake(node: GraphNode, again: ReadonlySet<GraphNode>, seeds: ReadonlySet<GraphNode>): void {
    const { b } = this
    const gradient = node.inputs.find(input => seeds.has(input) || this.#now.has(input))!
    const inputs = node.inputs.map(input =>
      again.has(input) ? this.#copy(input, this.now(gradient)) : this.now(input),
    )
    const isSame = inputs.every((input, i) => input === node.inputs[i])
    const make = (): GraphNode => b.copy(node, inputs)
    this.#now.set(node, isSame ? node : b.withOrigin(node.origin, make))
  }

  #copy(node: GraphNode, after: GraphNode): GraphNode {
    const stack = [node]
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const isEnd = this.kept.has(top) || top.inputs.length === 0
      const missing = isEnd || this.#copies.has(top) ? [] : madeFrom(top).filter(input => !this.#copies.has(input))
      if (missing.length > 0) {
        stack.push(...missing)
        continue
      }
      stack.pop()
      if (!this.#copies.has(top)) this.#copies.set(top, this.#made(top, after, isEnd))
    }
    return this.#copies.get(node)!
  }

  #made(node: GraphNode, after: GraphNode, isEnd: boolean): GraphNode {
    const { b } = this
    if (isEnd) return this.kept.has(node) && node.op !== 'scalarInput' ? b.node('fence', [node, after], {}) : node
    // Gradients may be taken of the gradients too: operands of a region are read by its own gradient only.
    const inputs = node.inputs.map(input => this.#copies.get(input) ?? input)
    return b.withOrigin(node.origin, () => b.copy(node, inputs))
  }
}

const bytesOf = (nodes: readonly GraphNode[]): Size =>
  nodes.reduce<Size>((sum, { type }) => {
    if (type.kind !== 'tensor') return sum
    return addSizes(sum, mulSizes(productOf(type.shape), itemBytes(type.dtype as TensorDtype)))
  }, 0)
