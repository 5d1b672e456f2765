/**
 * The order of groups with the lower peak memory. Topological order alone computes each result in turn: in a training step all
 * gradients of activations, for the first parameter, before those of other parameters, which read activations. So a group that frees
 * at least as much as it needs runs as soon as it can; else the order stays.
 */
import { type GraphNode, typeOf } from '../../graph/ir.js'
import { evaluateSize, productOf, type Size, symbolsOf } from '../../scalar/size.js'
import { itemBytes, type TensorDtype } from '../../types/dtype.js'
import { type Group, isExclusive, readsOf } from '../groups/group.js'
import type { GroupOrder } from '../groups/order.js'
import { type Buffers, memoryOf } from './buffers.js'

/** What sizes that are known at run time only are taken to be. */
const typicalSize = 64

/** Requires: a topological order. Guarantees: another one, in which less temporary memory is live at once, or the same. */
export function inPeakOrder(order: GroupOrder, buffers: Buffers): GroupOrder {
  const liveness = new Liveness(order.groups, buffers)
  const groups = new PeakScheduler(order, liveness).run()
  return liveness.peakOf(groups) < liveness.peakOf(order.groups) ? { ...order, groups } : order
}

/** Which temporaries each group makes and reads. */
class Liveness {
  /** Temporaries with the number of groups that make or read them. */
  readonly uses = new Map<GraphNode, number>()
  readonly #made = new Map<Group, readonly GraphNode[]>()
  readonly #used = new Map<Group, ReadonlySet<GraphNode>>()
  readonly #bytes = new Map<GraphNode, number>()

  constructor(groups: readonly Group[], buffers: Buffers) {
    const { stored, outputs } = buffers
    const first = new Set<GraphNode>()
    for (const group of groups) {
      const written = group.stores.flatMap(({ node, target }) => {
        if (target.kind === 'own') return [node]
        if (target.kind === 'part') return [target.cat]
        return target.kind === 'before' || target.kind === 'update' ? [target.scatter] : []
      })
      const read = readsOf(group).map(node => memoryOf(node, stored))
      const used = new Set([...written, ...read].filter(node => stored.has(node) && !outputs.has(node)))
      this.#used.set(group, used)
      // Several groups may write one value: the first needs the memory.
      this.#made.set(
        group,
        [...used].filter(node => written.includes(node) && !first.has(node)),
      )
      for (const node of used) {
        first.add(node)
        this.uses.set(node, (this.uses.get(node) ?? 0) + 1)
      }
    }
  }

  used(group: Group): ReadonlySet<GraphNode> {
    return this.#used.get(group)!
  }

  bytes(node: GraphNode): number {
    const known = this.#bytes.get(node) ?? bytesOf(node)
    this.#bytes.set(node, known)
    return known
  }

  /** The bytes that a group makes. */
  made(group: Group): number {
    return this.#sum(this.#made.get(group)!)
  }

  /** The bytes that are live no longer after a group, with so many uses left before it. */
  freed(group: Group, left: ReadonlyMap<GraphNode, number>): number {
    return this.#sum([...this.used(group)].filter(node => left.get(node) === 1))
  }

  #sum(nodes: readonly GraphNode[]): number {
    return nodes.reduce((total, node) => total + this.bytes(node), 0)
  }

  /** The most that is live at once. */
  peakOf(groups: readonly Group[]): number {
    const left = new Map(this.uses)
    let [live, peak] = [0, 0]
    for (const group of groups) {
      live += this.made(group)
      peak = Math.max(peak, live)
      live -= this.freed(group, left)
      for (const node of this.used(group)) left.set(node, left.get(node)! - 1)
    }
    return peak
  }
}

function bytesOf(node: GraphNode): number {
  if (node.type.kind !== 'tensor') return 0
  const { dtype, shape } = typeOf(node)
  return numberOf(productOf(shape)) * itemBytes(dtype as TensorDtype)
}

const numberOf = (size: Size): number =>
  typeof size === 'number' ? size : evaluateSize(size, new Map([...symbolsOf(size)].map(name => [name, typicalSize])))

class PeakScheduler {
  readonly #left: Map<GraphNode, number>
  /** How many groups each one still waits for. */
  readonly #waits = new Map<number, number>()
  readonly #after = new Map<number, Group[]>()
  readonly #readers = new Map<GraphNode, Group[]>()
  readonly #done = new Set<Group>()
  /** Groups that may free more than they need, to be looked at again. */
  readonly #changed: Group[] = []

  constructor(
    readonly order: GroupOrder,
    readonly liveness: Liveness,
  ) {
    const { groups, before } = order
    this.#left = new Map(liveness.uses)
    const known = new Map(groups.map(group => [group.id, group]))
    for (const group of groups) {
      const first = new Set([...(before.get(group.id) ?? [])].filter(id => id !== group.id && known.has(id)))
      this.#waits.set(group.id, first.size)
      for (const id of first) this.#after.set(id, [...(this.#after.get(id) ?? []), group])
      for (const node of liveness.used(group)) this.#readers.set(node, [...(this.#readers.get(node) ?? []), group])
    }
  }

  run(): readonly Group[] {
    const found: Group[] = []
    for (const group of this.order.groups) {
      if (this.#done.has(group)) continue
      found.push(group)
      this.#finish(group)
      for (let next = this.#freeing(); next !== undefined; next = this.#freeing()) {
        found.push(next)
        this.#finish(next)
      }
    }
    return found
  }

  #finish(group: Group): void {
    this.#done.add(group)
    for (const node of this.liveness.used(group)) {
      this.#left.set(node, this.#left.get(node)! - 1)
      if (this.#left.get(node) === 1) this.#changed.push(...this.#readers.get(node)!)
    }
    for (const next of this.#after.get(group.id) ?? []) {
      this.#waits.set(next.id, this.#waits.get(next.id)! - 1)
      this.#changed.push(next)
    }
  }

  /** A group that can run, and leaves no more live than there was. Writes to arguments come last. */
  #freeing(): Group | undefined {
    for (let group = this.#changed.pop(); group !== undefined; group = this.#changed.pop()) {
      if (this.#done.has(group) || this.#waits.get(group.id) !== 0 || isExclusive(group)) continue
      if (this.liveness.made(group) <= this.liveness.freed(group, this.#left)) return group
    }
    return undefined
  }
}
