/**
 * Dots with mma.sync: both operands are in shared memory in swizzled rows; a warp loads fragments with ldmatrix
 * (`loadMatrix`, transposing where the operand's rows run across K) and multiplies m16n8 blocks.
 */
import type { LaneNode } from '../../lane/ir.js'
import { type Dtype, itemBytes } from '../../types/dtype.js'
import { placeAt, threadPart } from './addresses.js'
import type { Context } from './context.js'
import type { DotPlan } from './dot-layouts.js'
import { bitsOf, bitsOfDim, copy, laneBits } from './layout.js'
import { offsetOfIndex } from './shared-layout.js'
import type { Staged } from './shared-memory.js'

export interface MmaOperands {
  readonly plan: DotPlan
  /** In shared memory, or a register vector in the layout `leftFragments`. */
  readonly a: Staged | LaneNode
  readonly b: Staged
  readonly acc: LaneNode
}

/** Advances the accumulators of dots of one shape step by step along K: a fragment that several dots need is loaded once. */
export function emitMma(context: Context, products: readonly MmaOperands[]): LaneNode[] {
  const dots = products.map(product => new MmaDot(context, product))
  const { steps, depth } = dots[0]!
  for (let first = 0; first < steps; first += depth) {
    const fragments = Array.from({ length: Math.min(depth, steps - first) }, (): Loaded => new Map())
    for (const dot of dots) dot.advance(first, fragments)
  }
  return dots.map(dot => dot.result)
}

/** Fragments loaded so far for a step, by operand and index of the first element. */
type Loaded = Map<Staged | LaneNode, Map<number, LaneNode>>

/**
 * K per partial sum of 8-bit floats: tensor cores accumulate their products with less precision than f32, so after this many
 * elements a partial sum is added to the accumulator in f32.
 */
export const separateDepth = 128
/** Limit on accumulator tiles with partial sums in flight, which need additional registers. */
const separateTiles = 8

/** An operand's fragments: the index bits that a lane's address, the warps and the register tiles stand for. */
interface Fragments {
  readonly staged: Staged
  readonly transpose: boolean
  /** For each bit of the thread number, the operand's index bit (or `copy`). */
  readonly thread: readonly number[]
  readonly count: 2 | 4
  /** The element type under which the instruction reads the fragments. */
  readonly dtype: Dtype
}

class MmaDot {
  /** log2 of an instruction's K, and of the elements of a 16-byte row piece. */
  readonly #depthBits: number
  readonly #pieceBits: number
  /** Index bits of the accumulator's registers beyond the four of one instruction. */
  readonly #tiles: readonly number[]
  /** Single column: each pair of columns of the instruction holds it twice, and a thread keeps the first. */
  readonly #isColumn: boolean
  readonly #columns: ReadonlySet<number>
  readonly #pair: number | undefined
  readonly plan: DotPlan
  readonly a: Staged | LaneNode
  readonly b: Staged
  readonly #sums: LaneNode[]
  readonly #left: (tile: number, step: number) => LaneNode
  readonly #fromB: Fragments

  constructor(
    readonly context: Context,
    { plan, a, b, acc }: MmaOperands,
  ) {
    this.plan = plan
    this.a = a
    this.b = b
    const bytes = itemBytes(plan.operand)
    this.#depthBits = bitsOf(32 / bytes)
    this.#pieceBits = bitsOf(16 / bytes)
    this.#isColumn = bitsOf(plan.n) === 0
    this.#tiles = plan.acc.registers.slice(this.#isColumn ? 1 : 2)
    this.#columns = new Set(bitsOfDim([plan.m, plan.n], 1))
    this.#pair = this.#tiles.find(bit => this.#columns.has(bit))
    this.#fromB = this.#fragmentsOfB()
    this.#left = this.#leftOperand()
    const count = 2 ** this.#tiles.length
    this.#sums = Array.from({ length: count }, (_, tile) => this.#sumsOf(acc, tile))
  }

  /** The four accumulator registers of an instruction, for one tile. */
  #sumsOf(acc: LaneNode, tile: number): LaneNode {
    const { vectors } = this.context
    return this.#isColumn
      ? vectors.pick(vectors.slice(acc, tile * 2, 2), [0, 0, 1, 1])
      : vectors.slice(acc, tile * 4, 4)
  }

  /** Number of instructions along K. */
  get steps(): number {
    return Math.ceil(this.plan.k / 2 ** this.#depthBits)
  }

  get result(): LaneNode {
    const { vectors } = this.context
    return vectors.concat(this.#isColumn ? this.#sums.map(sum => vectors.pick(sum, [0, 2])) : this.#sums)
  }

  /** Steps of K per partial sum. */
  get depth(): number {
    return this.#isApart ? separateDepth >> this.#depthBits : 1
  }

  /** True when partial sums over some steps are held in separate registers. */
  get #isApart(): boolean {
    return this.plan.codes !== undefined
  }

  /** Advances by one step per entry of `fragments`, starting at step `first`. */
  advance(first: number, fragments: readonly Loaded[]): void {
    const { lanes } = this.context
    const together = this.#isApart ? separateTiles : this.#sums.length
    for (let from = 0; from < this.#sums.length; from += together) {
      const own = this.#sums.slice(from, from + together)
      let parts = this.#isApart ? own.map(() => lanes.constant(this.plan.accumulator, 0, 4)) : own
      fragments.forEach((loaded, i) => {
        parts = parts.map((sum, tile) => this.#multiply(from + tile, first + i, loaded, sum))
      })
      parts.forEach((part, tile) => {
        this.#sums[from + tile] = this.#isApart ? lanes.map('add', own[tile]!, part) : part
      })
    }
  }

  /** Issues one mma; fragments that an earlier one loaded are reused. */
  #multiply(tile: number, step: number, loaded: Loaded, sum: LaneNode): LaneNode {
    const of = (operand: Staged | LaneNode): Map<number, LaneNode> => {
      const known = loaded.get(operand) ?? new Map<number, LaneNode>()
      loaded.set(operand, known)
      return known
    }
    const [rows, columns] = [of(this.a), of(this.b)]
    const [row, column] = [this.#indexA(tile, step), this.#indexB(tile, step)]
    let a = rows.get(row)
    if (a === undefined) {
      a = this.#left(tile, step)
      rows.set(row, a)
    }
    let b = columns.get(column.index)
    if (b === undefined) {
      b = this.#load(this.#fromB, column.index)
      columns.set(column.index, b)
    }
    const isPaired = this.#fromB.count === 4
    const half = isPaired ? this.context.vectors.slice(b, column.second ? this.#halfOfB : 0, this.#halfOfB) : b
    return this.context.lanes.builder.node('mma', [a, half, sum], {})
  }

  /** The left operand's fragments for a tile's rows at a step. */
  #leftOperand(): (tile: number, step: number) => LaneNode {
    const { a } = this
    if ('buffer' in a) {
      const from = this.#fragmentsOfA(a)
      return (tile, step) => this.#load(from, this.#indexA(tile, step))
    }
    // Eight registers per step; the steps of a row are consecutive.
    const stepBits = bitsOf(this.plan.k) - this.#depthBits
    const rows = this.#tiles.map((bit, k) => ({ bit, k })).filter(({ bit }) => !this.#columns.has(bit))
    return (tile, step) => {
      const row = rows.reduce((index, { k }, i) => index | (((tile >> k) & 1) << i), 0)
      return this.context.vectors.slice(a, ((row << stepBits) | step) * 8, 8)
    }
  }

  /** Elements per thread of one instruction's right operand. */
  get #halfOfB(): number {
    return 8 / itemBytes(this.plan.operand)
  }

  /** Index in a's shape of the tile's first element. */
  #indexA(tile: number, step: number): number {
    const [rowStart, depthStart] = [bitsOfDim([this.plan.m, this.plan.n], 0)[0]!, bitsOf(this.plan.k)]
    let index = step << this.#depthBits
    this.#tiles.forEach((bit, k) => {
      if (!this.#columns.has(bit) && (tile >> k) & 1) index |= 1 << (bit - rowStart + depthStart)
    })
    return index
  }

  /** Index in b's shape of the tile's first element; for a pair of tiles that one load covers, that of the first. */
  #indexB(tile: number, step: number): { readonly index: number; readonly second: boolean } {
    let index = step << (this.#depthBits + bitsOf(this.plan.n))
    let second = false
    this.#tiles.forEach((bit, k) => {
      if (!this.#columns.has(bit) || ((tile >> k) & 1) === 0) return
      if (bit === this.#pair) second = true
      else index |= 1 << bit
    })
    return { index, second }
  }

  #fragmentsOfA(staged: Staged): Fragments {
    const { plan } = this
    const shape = [plan.m, plan.k]
    const [rows, depth] = [bitsOfDim(shape, 0), bitsOfDim(shape, 1)]
    const accRows = bitsOfDim([plan.m, plan.n], 0)
    const inner = plan.innerA === 1 ? rows : depth
    const warps = plan.acc.warps.map(bit => (accRows.includes(bit) ? rows[accRows.indexOf(bit)]! : copy))
    const lanes = Array.from({ length: 3 }, (_, i) => inner[i] ?? copy)
    const thread = [...lanes, rows[3]!, depth[this.#pieceBits]!, ...warps]
    return { staged, transpose: plan.innerA === 0, thread, count: 4, dtype: plan.codes?.[0] ?? plan.operand }
  }

  /** How ldmatrix loads the right operand: which thread supplies which row's address. */
  #fragmentsOfB(): Fragments {
    const { plan } = this
    const shape = [plan.k, plan.n]
    const [depth, columns] = [bitsOfDim(shape, 0), bitsOfDim(shape, 1)]
    const inner = plan.innerB === 0 ? columns : depth
    const warps = plan.acc.warps.map(bit => (this.#columns.has(bit) ? bit : copy))
    // With fewer than 8 columns, several lanes read the same column.
    const lanes = Array.from({ length: 3 }, (_, i) => inner[i] ?? copy)
    const thread = [...lanes, depth[this.#pieceBits]!, this.#pair ?? copy, ...warps]
    const dtype = plan.codes?.[1] ?? plan.operand
    return { staged: this.b, transpose: plan.innerB === 1, thread, count: this.#pair === undefined ? 2 : 4, dtype }
  }

  /** One `loadMatrix`, at the element whose index is `index`. */
  #load(from: Fragments, index: number): LaneNode {
    const { staged, transpose, thread, count, dtype } = from
    const { lanes } = this.context
    const { layout, buffer, start } = staged
    // ldmatrix moves 16-bit units.
    const unit = 2 / itemBytes(this.plan.operand)
    if (unit < 1 && (transpose || unit < 1 / 2)) return this.#loadElements(from, index)
    const offsets = layout.offsets.map(offset => offset / unit)
    const part = threadPart(this.context, thread, offsets, layout.combine)
    const one = this.context.i32(1)
    const stage = start === null || unit === 1 ? start : lanes.map(unit > 1 ? 'shr' : 'shl', start, one)
    const at = placeAt(this.context, part, offsetOfIndex(layout, index) / unit, stage)
    const units = unit === 1 ? buffer : { ...buffer, dtype: 'i16' as const, count: buffer.count / unit }
    const loaded = lanes.builder.node('loadMatrix', [this.context.sharedPointer(units), at], { count, transpose })
    return lanes.bitcast(loaded, dtype)
  }

  /** f32 fragments stored across K, and f64 ones, are loaded by element, because ldmatrix transposes 16-bit units only. */
  #loadElements({ staged, thread, count }: Fragments, index: number): LaneNode {
    const { lanes, vectors } = this.context
    const { layout, buffer, start } = staged
    const isA = staged === this.a
    const shape = isA ? [this.plan.m, this.plan.k] : [this.plan.k, this.plan.n]
    const [own, depth] = [bitsOfDim(shape, isA ? 0 : 1), bitsOfDim(shape, isA ? 1 : 0)]
    const lane = [depth[0]!, depth[1]!, ...[0, 1, 2].map(i => own[i] ?? copy)]
    const part = threadPart(this.context, [...lane, ...thread.slice(laneBits)], layout.offsets, layout.combine)
    // The instruction's register order: for a, rows, then K; for b, K, for both tiles of a pair.
    const deep = this.#depthBits > 2 ? [depth[2]!] : []
    const steps = isA ? [own[3]!, ...deep] : [...deep, ...(count === 4 ? [this.#pair!] : [])]
    const elements = Array.from({ length: 2 ** steps.length }, (_, register) => {
      const at = steps.reduce((bits, bit, i) => ((register >> i) & 1 ? bits | (1 << bit) : bits), index)
      const place = placeAt(this.context, part, offsetOfIndex(layout, at), start)
      return lanes.load(this.context.sharedPointer(buffer), place, 1)
    })
    return vectors.concat(elements)
  }
}
