/**
 * Layouts fixed by the hardware or an algorithm (accumulators of dots, scans), and of the tiles computed from them; layouts
 * that suit the memory from which a tile is loaded; and tiles so cheap that they have no layout and are recomputed at each
 * use.
 */
import { placement } from '../../ir/walk.js'
import type { SimtArch } from '../../target/simt.js'
import { isLoop, type TileBlock, type TileNode, type TileProgram, tileDialect } from '../../tile/ir.js'
import { accessLayout, blockAccess, contiguousDim, rowPerThread } from './access.js'
import { binLayout } from './bin-layout.js'
import { chainedDots } from './dot-chains.js'
import { type DotPlan, planDot } from './dot-layouts.js'
import type { Facts } from './facts.js'
import { blocked, dimOfBit, dimStarts, sliced, type ThreadLayout, totalBits, uniform } from './layout.js'
import { afterRenaming, bitBefore, isRenaming, shapeOf } from './renaming.js'
import { scanLayout } from './scan-layout.js'

/** log2 of the warps from which a CTA turns operands though it has its multiprocessor for itself. */
const warpsToTurn = 3

export class FixedLayouts {
  readonly order: ReadonlyMap<TileBlock, readonly TileNode[]>
  readonly dots = new Map<TileNode, DotPlan>()
  readonly #chained: ReadonlySet<TileNode>
  readonly #turns: boolean
  readonly #strong = new Map<TileNode, ThreadLayout | null>()
  readonly #natural = new Map<TileNode, ThreadLayout | null>()
  readonly #cheap = new Map<TileNode, boolean>()
  /** Items of tuples and the results they come from, for ranges, branches and loops. */
  readonly #slots = new Map<TileNode, TileNode[]>()
  /** Initial values of loop-carried values. */
  readonly #inits = new Map<TileNode, TileNode>()

  constructor(
    readonly program: TileProgram,
    readonly facts: Facts,
    readonly warpBits: number,
    readonly arch: SimtArch,
  ) {
    this.order = placement(tileDialect, program.body, isLoop)
    this.#chained = chainedDots(program)
    this.#turns = program.hints.stages === undefined || warpBits >= warpsToTurn
    this.#forward(program.body)
  }

  /** The fixed layout of a tile; null if it has none. */
  strong(node: TileNode): ThreadLayout | null {
    return this.#strong.get(node) ?? null
  }

  /** True for tiles that are recomputed in any layout at each use. */
  isCheap(node: TileNode): boolean {
    const known = this.#cheap.get(node)
    if (known !== undefined) return known
    const found = this.#findCheap(node)
    this.#cheap.set(node, found)
    return found
  }

  /** True when a tile is cheaper to compute again, in any layout, than to exchange between threads. */
  #findCheap(node: TileNode): boolean {
    switch (node.op) {
      case 'const':
      case 'scalar':
      case 'size':
      case 'stride':
      case 'programId':
      case 'numPrograms':
      case 'iota':
        return true
      case 'broadcast':
      case 'transpose':
      case 'map':
      case 'cast':
      case 'bitcast':
        return node.inputs.every(input => this.isCheap(input))
      case 'reshape':
        return isRenaming(node) && this.isCheap(node.inputs[0]!)
      default:
        return false
    }
  }

  defaultOf(node: TileNode): ThreadLayout {
    return this.plain(shapeOf(node))
  }

  /** A layout with neighbouring elements along the last dim. */
  plain(shape: readonly number[]): ThreadLayout {
    if (totalBits(shape) === 0) return uniform(shape, this.warpBits)
    const order = shape
      .map((_, d) => shape.length - 1 - d)
      .sort((a, b) => Number(shape[a] === 1) - Number(shape[b] === 1))
    return blocked(shape, order, 2, this.warpBits)
  }

  #forward(block: TileBlock): void {
    for (const node of this.order.get(block)!) {
      if (node.op === 'range') this.#forwardLoop(node, node.blocks[0]!.params.slice(1), node.inputs.slice(3))
      else if (node.op === 'while') this.#forwardWhile(node)
      else if (node.op === 'if') {
        for (const inner of node.blocks) this.#forward(inner)
        this.#slots.set(node, [...node.blocks[0]!.results])
      } else if (node.type.kind === 'tile') this.#strong.set(node, this.#strongOf(node))
    }
  }

  /** Passes layouts through a loop twice, because a carried tile's layout may come from the body's result. */
  #forwardLoop(node: TileNode, params: readonly TileNode[], inits: readonly TileNode[]): void {
    const body = node.blocks.at(-1)!
    params.forEach((param, i) => {
      this.#inits.set(param, inits[i]!)
      this.#strong.set(param, this.#strong.get(inits[i]!) ?? null)
    })
    this.#forward(body)
    const before = params.map(param => this.#strong.get(param) ?? null)
    params.forEach((param, i) => {
      this.#strong.set(param, this.#strong.get(body.results[i]!) ?? before[i]!)
    })
    // Only now is it known what the body computes from a carried tile.
    this.#forward(body)
    this.#slots.set(node, [...body.results])
  }

  #forwardWhile(node: TileNode): void {
    const [test, turn] = node.blocks as [TileBlock, TileBlock]
    this.#forwardLoop(node, turn.params, node.inputs)
    test.params.forEach((param, i) => {
      this.#strong.set(param, this.#strong.get(turn.params[i]!) ?? null)
    })
    this.#forward(test)
  }

  /** The layout that a tile must have because a dot determines it; null: it is free. */
  #strongOf(node: TileNode): ThreadLayout | null {
    const of = (input: TileNode): ThreadLayout | null => this.#strong.get(input) ?? null
    switch (node.op) {
      case 'dot': {
        const plan =
          this.dots.get(node) ??
          planDot(node, this.arch, this.warpBits, operand => this.#innerDim(operand), {
            rowsOnly: this.#chained.has(node),
            turns: this.#turns && !this.#chained.has(node),
          })
        this.dots.set(node, plan)
        return plan.acc
      }
      case 'map':
      case 'cast':
      case 'bitcast':
        return node.inputs.map(of).find(layout => layout !== null) ?? null
      case 'broadcast':
      case 'transpose':
      case 'reshape': {
        const inner = of(node.inputs[0]!)
        return inner === null || !isRenaming(node) ? null : afterRenaming(node, inner)
      }
      case 'reduce': {
        const inner = of(node.inputs[0]!)
        return inner === null ? null : sliced(rowPerThread(inner, node.attrs.axis) ?? inner, node.attrs.axis)
      }
      case 'scan': {
        return scanLayout(shapeOf(node), node.attrs.axis, this.warpBits)
      }
      case 'binOrder':
        return binLayout(shapeOf(node), this.warpBits)
      case 'take':
        return of(node.inputs[1]!)
      case 'item': {
        const result = this.#slots.get(node.inputs[0]!)?.[node.attrs.index]
        return result === undefined ? null : of(result)
      }
      default:
        return null
    }
  }

  /** The dim of a dot's operand that is contiguous in memory: its load's contiguous dim, traced through renamings. */
  #innerDim(operand: TileNode): 0 | 1 {
    let names = Array.from({ length: totalBits(shapeOf(operand)) }, (_, bit): number | null => bit)
    let node = operand
    while (node.op !== 'load') {
      if (isRenaming(node)) {
        const renaming = node
        names = names.map(bit => (bit === null ? null : bitBefore(renaming, bit)))
        node = node.inputs[0]!
      } else if (node.op === 'map' || node.op === 'cast' || node.op === 'bitcast') {
        const next = node.inputs.find(input => !this.isCheap(input))
        if (next === undefined) return 1
        node = next
      } else return 1
    }
    const dim = contiguousDim(blockAccess(node))
    const bit = dim === null ? -1 : names.indexOf(dimStarts(shapeOf(node))[dim]!)
    return bit < 0 ? 1 : (dimOfBit(shapeOf(operand), bit).dim as 0 | 1)
  }

  /** The layout that suits the memory from which a tile is loaded; null: it is not loaded. */
  natural(node: TileNode): ThreadLayout | null {
    const known = this.#natural.get(node)
    if (known !== undefined) return known
    this.#natural.set(node, null)
    const found = this.#naturalOf(node)
    this.#natural.set(node, found)
    return found
  }

  /** The layout in which a tile would be cheapest to compute; null: any. */
  #naturalOf(node: TileNode): ThreadLayout | null {
    switch (node.op) {
      case 'load':
        return accessLayout(this.facts, blockAccess(node), this.warpBits)
      case 'map':
      case 'cast':
      case 'bitcast':
        return (
          this.#strong.get(node) ??
          node.inputs.map(input => this.natural(input)).find(layout => layout !== null) ??
          null
        )
      case 'broadcast':
      case 'transpose':
      case 'reshape': {
        const inner = isRenaming(node) ? this.natural(node.inputs[0]!) : null
        return inner === null ? null : afterRenaming(node, inner)
      }
      case 'reduce': {
        const inner = this.#strong.get(node.inputs[0]!) ?? this.natural(node.inputs[0]!)
        return inner === null ? null : sliced(inner, node.attrs.axis)
      }
      case 'item': {
        const result = this.#slots.get(node.inputs[0]!)?.[node.attrs.index]
        return result === undefined ? null : this.natural(result)
      }
      case 'param': {
        const init = this.#inits.get(node)
        return this.#strong.get(node) ?? (init === undefined ? null : this.natural(init))
      }
      default:
        return this.#strong.get(node) ?? null
    }
  }
}
