/**
 * A block access per thread: where its elements are, and which of them are inside the view. Bounds are compared in the block's
 * own coordinates, clamped to its extent, so they are 32-bit whatever the view's sizes. Bounds proved at compile time are not
 * checked, and a block that is inside or outside as a whole is checked once.
 */
import type { LaneNode } from '../../lane/ir.js'
import { viewType } from '../../tile/ir.js'
import { type BlockAccess, contiguousDim, vectorRegisters } from './access.js'
import type { Context } from './context.js'
import { groups, isPowerOfTwo, type ThreadLayout } from './layout.js'

/** One access of a thread: registers that are adjacent in memory, in memory order. */
export interface Piece {
  readonly registers: readonly number[]
  readonly index: LaneNode
  /** i32: how many of the elements are inside; null: all, always. */
  readonly count: LaneNode | null
  /** Bool: true if all elements are inside, false if none is; null: all are, or `count` tells. */
  readonly all: LaneNode | null
}

/** The bounds check of one dim of a block. */
interface DimBounds {
  /** Bool for the whole block; null: always inside, or elements differ. */
  readonly whole: LaneNode | null
  /** i32: elements from here on are outside. */
  readonly high: LaneNode | null
  /** i32: elements before this are outside. */
  readonly low: LaneNode | null
  /** `high` is a multiple of the vector's width. */
  readonly even: boolean
}

export class BlockPlaces {
  readonly #bounds: readonly DimBounds[]
  readonly #base: LaneNode
  readonly #strides: readonly LaneNode[]
  readonly #threads: readonly LaneNode[]
  readonly #coordinates: readonly (readonly number[])[]
  readonly #type: 'i32' | 'i64'
  /** Register bits of one vector, lowest element first. */
  readonly vector: readonly number[]
  readonly #contiguous: number | null

  /** `offsets`, `ends`: lane values of the access' offsets and ends. */
  constructor(
    readonly context: Context,
    readonly access: BlockAccess,
    readonly layout: ThreadLayout,
    offsets: readonly LaneNode[],
    ends: readonly LaneNode[] | null = null,
  ) {
    const { lanes, facts } = context
    const { view, shape } = access
    this.#contiguous = contiguousDim(access)
    this.vector = vectorRegisters(facts, access, layout)
    this.#type = facts.index32 && access.offsets.every(offset => facts.isNatural(offset)) ? 'i32' : 'i64'
    this.#bounds = shape.map((_, d) => this.#boundsOf(d, offsets[d]!, ends?.[d] ?? null))
    this.#strides = shape.map((_, d) => context.viewStride(view, d))
    const whole = offsets.map((offset, d) => lanes.mul(offset, this.#strides[d]!))
    this.#base = lanes.cast(
      whole.reduce((sum, part) => lanes.add(sum, part), lanes.index(0)),
      this.#type,
    )
    this.#threads = shape.map((_, d) => context.threadCoordinate(layout, d))
    this.#coordinates = shape.map((_, d) => context.registerCoordinates(layout, d))
  }

  /** What must be checked along one dim: nothing, the whole block at once, or each element. */
  #boundsOf(dim: number, offset: LaneNode, ownEnd: LaneNode | null): DimBounds {
    const { context, access } = this
    const { facts, lanes } = context
    const tileOffset = access.offsets[dim]!
    const extent = access.shape[dim]!
    const natural = facts.isNatural(tileOffset)
    const end = ownEnd === null || facts.reaches(access.ends![dim]!, access.view, dim) ? null : ownEnd
    const inside = end === null && natural && facts.endsInside(access.view, dim, tileOffset, extent)
    const pads = !isPowerOfTwo(extent)
    const width = dim === this.#contiguous ? 2 ** this.vector.length : 1
    if (inside) {
      const high = pads ? context.i32(extent) : null
      return { whole: null, high, low: null, even: extent % width === 0 }
    }
    const viewSize = context.viewSize(access.view, dim)
    const size = end === null ? viewSize : lanes.min(end, viewSize)
    const isWhole =
      end === null &&
      !pads &&
      facts.divisor(tileOffset) % extent === 0 &&
      facts.sizeDivisor(access.view, dim) % extent === 0
    if (isWhole && natural && facts.startsInside(access.view, dim, tileOffset))
      return { whole: null, high: null, low: null, even: true }
    if (isWhole) {
      const below = lanes.map('lt', offset, size)
      const whole = natural ? below : lanes.and(below, lanes.map('ge', offset, lanes.index(0)))
      return { whole, high: null, low: null, even: true }
    }
    const clamp = (node: LaneNode): LaneNode =>
      lanes.cast(lanes.max(lanes.index(0), lanes.min(node, lanes.index(extent))), 'i32')
    return {
      whole: null,
      high: clamp(lanes.sub(size, offset)),
      low: natural ? null : clamp(lanes.sub(lanes.index(0), offset)),
      even: end === null && facts.sizeDivisor(access.view, dim) % width === 0 && extent % width === 0,
    }
  }

  /** i32: a register's coordinate along a dim. */
  #at(dim: number, register: number): LaneNode {
    return this.context.lanes.add(this.#threads[dim]!, this.context.i32(this.#coordinates[dim]![register]!))
  }

  /** Bool: the register's coordinate along the dim is inside; null: always. */
  #isInside(dim: number, register: number): LaneNode | null {
    const { lanes } = this.context
    const { whole, high, low } = this.#bounds[dim]!
    const tests: LaneNode[] = whole === null ? [] : [whole]
    if (high !== null) tests.push(lanes.map('lt', this.#at(dim, register), high))
    if (low !== null) tests.push(lanes.map('ge', this.#at(dim, register), low))
    return this.#all(tests)
  }

  #all(tests: readonly (LaneNode | null)[]): LaneNode | null {
    const some = tests.filter(test => test !== null)
    return some.length === 0 ? null : some.reduce((a, b) => this.context.lanes.and(a, b))
  }

  /** Bool for each of the registers: inside the view. Padding of the tile counts as outside. */
  insideMask(registers: readonly number[]): LaneNode {
    const { lanes, vectors } = this.context
    const masks = this.layout.shape.map((_, dim): LaneNode | null => {
      const parts = registers.map(register => this.#isInside(dim, register))
      return parts[0] === null ? null : vectors.concat(parts as LaneNode[])
    })
    const some = masks.filter(mask => mask !== null)
    return some.reduce((a, b) => lanes.and(a, b), lanes.constant('bool', 1, registers.length))
  }

  /** The element index of a register: the thread's part plus constants. */
  #index(register: number): LaneNode {
    const { lanes } = this.context
    const typed = (node: LaneNode): LaneNode => lanes.cast(node, this.#type)
    let index = this.#base
    let constant = 0
    for (let dim = 0; dim < this.layout.shape.length; dim++) {
      const stride = typed(this.#strides[dim]!)
      index = lanes.add(index, lanes.mul(typed(this.#threads[dim]!), stride))
    }
    for (let dim = 0; dim < this.layout.shape.length; dim++) {
      const at = this.#coordinates[dim]![register]!
      const known = viewType(this.access.view).strides[dim]!
      if (known !== null) constant += at * known
      else if (at !== 0) index = lanes.add(index, lanes.mul(typed(this.#strides[dim]!), lanes.constant(this.#type, at)))
    }
    return lanes.add(index, lanes.constant(this.#type, constant))
  }

  /** The elements of the vector at a register that are inside. */
  #extent(register: number, only: LaneNode | null): Pick<Piece, 'count' | 'all'> {
    const { context } = this
    const { lanes } = context
    const width = 2 ** this.vector.length
    const along = this.#contiguous
    const others = this.layout.shape.map((_, dim) => (dim === along ? null : this.#isInside(dim, register)))
    const partial = along !== null && width > 1 && !this.#bounds[along]!.even && this.#bounds[along]!.high !== null
    if (!partial) {
      const all = this.#all([only, ...others, along === null ? null : this.#isInside(along, register)])
      return { all, count: all === null ? null : lanes.map('where', all, context.i32(width), context.i32(0)) }
    }
    const { high, low } = this.#bounds[along]!
    const rest = lanes.sub(high!, this.#at(along, register))
    const test = this.#all([only, ...others, low === null ? null : lanes.map('ge', this.#at(along, register), low)])
    return { all: null, count: test === null ? rest : lanes.map('where', test, rest, context.i32(0)) }
  }

  /** The accesses of a thread. `only`: a bool that predicates them. */
  pieces(only: LaneNode | null = null): Piece[] {
    return groups(this.layout, this.vector).map(registers => {
      const [base] = registers as [number]
      return { registers, index: this.#index(base), ...this.#extent(base, only) }
    })
  }
}
