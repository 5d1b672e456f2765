/**
 * Layout assignment. Dots fix the layout of their accumulators, and tiles computed from them follow (forward). Other tiles take
 * the layouts that their users request, in reverse program order (backward): stores request wide coalesced accesses,
 * elementwise ops pass requests on, reductions take their operand's layout and keep the result in place. Cheap tiles
 * (constants, indices, and what is computed from them) have no layout: they are recomputed at each use. Reshapes, transposes
 * and broadcasts only rename index bits and pass requests through. Where a request cannot be met, the emitter converts.
 */
import type { SimtArch } from '../../target/simt.js'
import type { TileBlock, TileNode, TileProgram } from '../../tile/ir.js'
import { accessLayout, blockAccess, isSmall, rowPerThread, suits } from './access.js'
import { type AsyncPlan, planCopy } from './async-copies.js'
import { binLayout } from './bin-layout.js'
import { asRead, depthInFragments, inOrder } from './decoded-left.js'
import { leftFragments } from './dot-layouts.js'
import type { Facts } from './facts.js'
import { FixedLayouts } from './fixed-layouts.js'
import { blocked, layoutKey, staysInThread, type ThreadLayout, totalBits, uniform } from './layout.js'
import { axesOf, foldedLayout, type ReduceChain, ReduceChains } from './reduce-chains.js'
import { beforeRenaming, isRenaming, shapeOf } from './renaming.js'
import { Writes } from './writes.js'

/** Maximum number of elementwise ops that the search for a request looks through. */
const lookBack = 4

const isTile = (node: TileNode): boolean => node.type.kind === 'tile'

export class LayoutPlan extends FixedLayouts {
  /** For each dot, how its operands are copied to shared memory; null: through registers. */
  readonly copies = new Map<TileNode, readonly (AsyncPlan | null)[]>()
  readonly writes: Writes
  readonly reduces: ReduceChains
  /** Dots whose left operand stays in registers, and its layout there. */
  readonly leftInRegisters = new Map<TileNode, ThreadLayout>()
  /** Loads whose users request that each thread reads contiguous pieces of rows. */
  readonly #inPieces = new Set<TileNode>()
  readonly #homes = new Map<TileNode, ThreadLayout>()
  readonly #operands = new Map<TileNode, ThreadLayout>()
  readonly #demands = new Map<TileNode, ThreadLayout[]>()

  constructor(program: TileProgram, facts: Facts, warpBits: number, arch: SimtArch) {
    super(program, facts, warpBits, arch)
    this.writes = new Writes(this.order)
    this.reduces = new ReduceChains(program)
    this.#backward(program.body)
  }

  /** The layout in which a tile is computed; defined for all but cheap tiles and renamings. */
  home(node: TileNode): ThreadLayout {
    return this.#homes.get(node) ?? this.defaultOf(node)
  }

  /** The layout in which a node takes its operand, where it differs from the node's own: reductions, dots, reshapes. */
  operandLayout(node: TileNode, position = 0): ThreadLayout {
    return this.layoutAsOperand(node.inputs[position]!)
  }
  layoutAsOperand(operand: TileNode): ThreadLayout {
    return this.#operands.get(operand) ?? this.home(operand)
  }

  #demandAsIs(node: TileNode, layout = this.#settled(node)): void {
    this.#operands.set(node, layout)
    this.#demand(node, layout)
  }

  /** The layout in which a reduction takes its operand: short rows in memory, one per thread, so that no lanes are folded. */
  #reducedLayout(chain: ReduceChain): ThreadLayout {
    const { source } = chain
    const [axis, ...more] = axesOf(chain) as [number]
    const isFree = more.length === 0 && this.strong(source) === null && this.wanted(source).length === 0
    return (isFree ? rowPerThread(this.natural(source), axis) : null) ?? this.#settled(source)
  }

  /** Every layout that a user requested. */
  wanted(node: TileNode): readonly ThreadLayout[] {
    return this.#demands.get(node) ?? []
  }

  /** True when an offset may change between iterations: it depends on a loop counter or carried value. */
  variesInLoop(offsets: readonly TileNode[]): boolean {
    return offsets.some(offset => this.#varies(offset))
  }

  readonly #varying = new Map<TileNode, boolean>()
  /** True when an index depends on more than constants, sizes and program ids. */
  #varies(node: TileNode): boolean {
    const known = this.#varying.get(node)
    if (known !== undefined) return known
    const found = !this.isCheap(node) || node.inputs.some(input => isTile(input) && this.#varies(input))
    this.#varying.set(node, found)
    return found
  }

  // Backward: users' requests.

  /** Notes that a user needs a tile in this layout. */
  #demand(node: TileNode, layout: ThreadLayout): void {
    if (!isTile(node) || this.isCheap(node)) return
    const list = this.#demands.get(node) ?? []
    this.#demands.set(node, list)
    const key = layoutKey(layout)
    if (!list.some(known => layoutKey(known) === key)) list.push(layout)
  }

  /** The layout that a tile will have, given the requests so far. */
  #settled(node: TileNode): ThreadLayout {
    const known = this.#homes.get(node) ?? this.strong(node) ?? this.#demands.get(node)?.[0]
    return known ?? this.#leaning(node, lookBack) ?? this.natural(node) ?? this.defaultOf(node)
  }

  /** The layout requested for an elementwise op's operands, which the op can adopt at no cost. */
  #leaning(node: TileNode, depth: number): ThreadLayout | null {
    if (depth === 0 || (node.op !== 'map' && node.op !== 'cast' && node.op !== 'bitcast')) return null
    for (const input of node.inputs) {
      if (this.isCheap(input) || isRenaming(input)) continue
      const known = this.#homes.get(input) ?? this.#demands.get(input)?.[0] ?? this.#leaning(input, depth - 1)
      if (known !== null) return known
    }
    return null
  }

  /** Asks the block's nodes from the last to the first, so that all requests to a node are known when it is asked. */
  #backward(block: TileBlock): void {
    for (const node of this.order.get(block)!.toReversed()) this.#ask(node)
  }

  /**
   * Visits users before inputs: chooses the layout a tile is computed in, and asks its inputs for the layouts that it
   * needs.
   */
  #ask(node: TileNode): void {
    if (node.op === 'store') this.#askStore(node)
    else if (node.op === 'range' || node.op === 'while' || node.op === 'if') this.#askControl(node)
    else if (node.op === 'scatter')
      this.#askIndexed(node, this.#indexedLayout(node, this.plain(shapeOf(node.inputs.at(-1)!))))
    if (!isTile(node) || this.isCheap(node) || node.op === 'item' || node.op === 'param') return
    if (isRenaming(node)) {
      // If a tile is defined outside of the loop that uses it, it is computed in the layout of its use.
      const [first] = this.wanted(node)
      if (first !== undefined) this.#homes.set(node, first)
      for (const layout of this.wanted(node)) this.#demand(node.inputs[0]!, beforeRenaming(node, layout))
      return
    }
    const home = this.#homeOf(node)
    this.#homes.set(node, home)
    switch (node.op) {
      case 'map':
      case 'cast':
      case 'bitcast':
      case 'scan':
        for (const input of node.inputs) this.#demand(input, home)
        return
      case 'histogram':
      case 'binOrder':
        this.#demand(node.inputs[0]!, binLayout(shapeOf(node.inputs[0]!), this.warpBits))
        return
      case 'take':
        this.#demandAsIs(node.inputs[0]!)
        this.#demand(node.inputs[1]!, home)
        return
      case 'dot':
        this.#demand(node.inputs[2]!, home)
        this.#askOperands(node)
        return
      case 'reduce':
        if (!this.reduces.isAbsorbed(node)) {
          const chain = this.reduces.of(node)
          this.#demandAsIs(chain.source, this.#reducedLayout(chain))
        }
        return
      case 'gather':
      case 'atomic':
        this.#askIndexed(node, home)
        return
      case 'reshape':
        this.#demandAsIs(node.inputs[0]!)
    }
  }

  /** Operands copied by cp.async request no layout. */
  #askOperands(dot: TileNode): void {
    const { sharedA, sharedB } = this.dots.get(dot)!
    const [left, right] = dot.inputs as [TileNode, TileNode]
    const copies = [sharedA, sharedB].map((shared, i) =>
      planCopy(this.facts, dot, dot.inputs[i]!, shared, this.writes, this.warpBits),
    ) as [AsyncPlan | null, AsyncPlan | null]
    if (this.#staysInRegisters(dot)) copies[0] = null
    else if (copies[0] === null && !(copies[1] === null && this.#decodesInRegisters(dot))) this.#demandAsIs(left)
    if (copies[1] === null && !this.#operands.has(right)) this.#demandAsIs(right)
    this.copies.set(dot, copies)
  }

  /**
   * True when a dot's left operand, computed in each iteration like its right one, is passed to wgmma in the registers in which
   * it is computed. Both operands then use an order of K in which each thread's reads are contiguous.
   */
  #decodesInRegisters(dot: TileNode): boolean {
    const plan = this.dots.get(dot)!
    const [left, right] = dot.inputs as [TileNode, TileNode]
    if (plan.method !== 'wgmma' || plan.codes !== undefined) return false
    const depth = depthInFragments(plan)
    if (depth === null) return false
    const ordered = inOrder(plan, depth)
    const fragments = leftFragments(ordered)
    if (fragments === null) return false
    this.dots.set(dot, ordered)
    this.leftInRegisters.set(dot, fragments)
    this.#demand(left, asRead(fragments, depth))
    for (const load of depth.loads) this.#inPieces.add(load)
    if (depth.right !== null) {
      this.#operands.set(right, depth.right)
      this.#demand(right, depth.right)
    }
    return true
  }

  /** True when a dot's left operand already is in its fragment layout: it was another dot's accumulator. */
  #staysInRegisters(dot: TileNode): boolean {
    const plan = this.dots.get(dot)!
    const [operand] = dot.inputs as [TileNode]
    const made = this.strong(operand)
    const fragments = plan.method === 'fma' ? null : leftFragments(plan)
    if (made === null || fragments === null || !staysInThread(made, fragments)) return false
    this.leftInRegisters.set(dot, fragments)
    this.#demand(operand, fragments)
    return true
  }

  /** The layout in which a tile is computed. */
  #homeOf(node: TileNode): ThreadLayout {
    const wish = this.#settled(node)
    if (totalBits(wish.shape) === 0) return uniform(wish.shape, this.warpBits)
    switch (node.op) {
      case 'load': {
        const access = blockAccess(node)
        return this.#inPieces.has(node) || suits(access, wish) ? wish : accessLayout(this.facts, access, this.warpBits)
      }
      case 'reduce': {
        const chain = this.reduces.of(node)
        return foldedLayout(chain, this.#reducedLayout(chain))
      }
      case 'dot':
        return this.dots.get(node)!.acc
      case 'atomic':
        // Each instruction changes one element per thread: those of adjacent threads should share sectors.
        return this.#indexedLayout(node, blocked(wish.shape, [...wish.shape.keys()].toReversed(), 0, this.warpBits))
      default:
        return wish
    }
  }

  #askStore(node: Extract<TileNode, { op: 'store' }>): void {
    const access = blockAccess(node)
    const value = node.inputs.at(-1)!
    const own = accessLayout(this.facts, access, this.warpBits)
    const made = this.strong(value) ?? (isSmall(access) ? this.natural(value) : null)
    const wish = this.isCheap(value) ? own : (made ?? own)
    const layout =
      totalBits(access.shape) === 0 ? uniform(access.shape, this.warpBits) : suits(access, wish) ? wish : own
    this.#homes.set(node, layout)
    this.#demand(value, layout)
  }

  #indexedLayout(node: TileNode, usual: ThreadLayout): ThreadLayout {
    const operands = node.inputs.slice(1).filter(input => !this.isCheap(input))
    const strong = operands.map(operand => this.strong(operand)).find(layout => layout !== null)
    return strong ?? usual
  }

  #askIndexed(node: TileNode, wish: ThreadLayout): void {
    this.#homes.set(node, wish)
    for (const input of node.inputs.slice(1)) this.#demand(input, wish)
  }

  /** Items, params and results of one slot share a layout. */
  #askControl(node: TileNode): void {
    const results = node.blocks.at(-1)!.results
    const inits = node.op === 'range' ? node.inputs.slice(3) : node.op === 'while' ? node.inputs : []
    const items = this.itemsOf(node)
    results.forEach((result, i) => {
      const wishes = items
        .filter(item => item.op === 'item' && item.attrs.index === i)
        .flatMap(item => this.wanted(item))
      const init = inits[i]
      const layout =
        this.strong(result) ??
        (init === undefined ? this.strong(node.blocks[0]!.results[i]!) : null) ??
        wishes[0] ??
        this.natural(result) ??
        (init === undefined ? null : this.natural(init)) ??
        this.defaultOf(result)
      for (const block of node.blocks) {
        const param = node.op === 'range' ? block.params[i + 1] : block.params[i]
        if (param !== undefined && node.op !== 'if') this.#homes.set(param, layout)
        if (node.op !== 'while' || block === node.blocks.at(-1)) this.#demand(block.results[i]!, layout)
      }
      for (const item of items) if (item.op === 'item' && item.attrs.index === i) this.#homes.set(item, layout)
      this.#slotLayouts(node)[i] = layout
      if (init !== undefined) this.#demand(init, layout)
    })
    for (const block of node.blocks.toReversed()) this.#backward(block)
  }

  readonly #layouts = new Map<TileNode, ThreadLayout[]>()
  #slotLayouts(node: TileNode): ThreadLayout[] {
    const list = this.#layouts.get(node) ?? []
    this.#layouts.set(node, list)
    return list
  }

  /** The layouts of a control node's carried values or results. */
  slotLayouts(node: TileNode): readonly ThreadLayout[] {
    return this.#slotLayouts(node)
  }

  #itemLists: Map<TileNode, TileNode[]> | null = null
  /** The items of a control node that are used. */
  itemsOf(owner: TileNode): readonly TileNode[] {
    if (this.#itemLists === null) {
      this.#itemLists = new Map()
      for (const nodes of this.order.values()) {
        for (const node of nodes) {
          if (node.op !== 'item') continue
          const list = this.#itemLists.get(node.inputs[0]!) ?? []
          this.#itemLists.set(node.inputs[0]!, list)
          list.push(node)
        }
      }
    }
    return this.#itemLists.get(owner) ?? []
  }
}
