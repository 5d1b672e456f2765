/**
 * Dots with wgmma: tensor cores read the right operand, and usually the left one, directly from shared memory. A warpgroup
 * issues m64 × n instructions for each step of K without waiting; accumulators are valid after `settle`.
 */
import type { LaneNode } from '../../lane/ir.js'
import { type SharedMatrix, warpgroupForm } from '../../lane/shared-matrix.js'
import { itemBytes } from '../../types/dtype.js'
import { lanesOf } from '../shared/lanes.js'
import { placeAt, type ThreadPart, threadPart } from './addresses.js'
import type { Context } from './context.js'
import type { DotPlan } from './dot-layouts.js'
import { bitsOf, bitsOfDim, copy, laneBits } from './layout.js'
import { type MmaOperands, separateDepth } from './mma-dot.js'
import { offsetOfIndex } from './shared-layout.js'
import type { Staged } from './shared-memory.js'
import { sharedMatrixOf } from './wgmma-layouts.js'

/** Issues wgmmas and waits for them. */
export function emitWgmma(context: Context, products: readonly MmaOperands[]): LaneNode[] {
  if (products[0]!.plan.codes !== undefined) return emitSeparately(context, products)
  const sums = startWgmma(context, products)
  return products.map(({ plan }, i) => settle(context, plan, sums[i]!))
}

/**
 * Issues the wgmmas of dots as one group. Operands are in shared memory, fenced, or in registers that must stay unchanged
 * until the wait.
 */
export function startWgmma(context: Context, products: readonly MmaOperands[]): LaneNode[] {
  const sums = products.map(product => new WgmmaDot(context, product).start(product.acc))
  context.lanes.builder.node('wgmmaCommit', [], {})
  return sums
}

/**
 * Dots of 8-bit floats: tensor cores accumulate with less precision than f32, so partial sums over `separateDepth` elements of
 * K are computed separately and added to the accumulator in f32.
 */
function emitSeparately(context: Context, products: readonly MmaOperands[]): LaneNode[] {
  const { lanes } = context
  const dots = products.map(product => new WgmmaDot(context, product))
  const { steps, depth } = dots[0]!
  let sums = products.map(({ acc }) => acc)
  for (let first = 0; first < steps; first += separateDepth / depth) {
    const parts = dots.map(dot => dot.start(null, first, Math.min(steps, first + separateDepth / depth)))
    lanes.builder.node('wgmmaCommit', [], {})
    sums = sums.map((sum, i) => lanes.map('add', sum, settle(context, products[i]!.plan, parts[i]!)))
  }
  return sums
}

/** Waits for all groups: the accumulators become valid. */
export function settle(context: Context, plan: DotPlan, acc: LaneNode): LaneNode {
  const { lanes, vectors } = context
  const each = sumsOfTile(plan)
  const tiles = lanesOf(acc) / each
  const wait = (tile: number): LaneNode =>
    lanes.builder.node('wgmmaWait', [vectors.slice(acc, tile * each, each)], { pending: 0 })
  return vectors.concat(Array.from({ length: tiles }, (_, tile) => wait(tile)))
}

/** log2 of an instruction's accumulator registers beyond those of m16n8, which determines its columns. */
function columnRegisters({ acc, m, n }: DotPlan): number {
  const columns = bitsOfDim([m, n], 1)
  const first = acc.registers.findIndex((bit, k) => k >= 2 && !columns.includes(bit))
  const all = (first < 0 ? acc.registers.length : first) - 2
  return Math.min(all, maxColumnRegisters)
}
/** log2 of the registers of 256 columns. */
const maxColumnRegisters = 5

/** Accumulator registers of one instruction. */
export const sumsOfTile = (plan: DotPlan): number => 4 * 2 ** columnRegisters(plan)

/** An operand in shared memory, and the offset of a warpgroup's part. */
interface Source {
  readonly staged: Staged
  readonly matrix: SharedMatrix
  readonly part: ThreadPart
}

class WgmmaDot {
  readonly #depthBits: number
  readonly #rows: readonly number[]
  readonly #columns: readonly number[]
  /** Index bits of the accumulator's registers beyond those of one instruction. */
  readonly #tiles: readonly number[]

  constructor(
    readonly context: Context,
    readonly product: MmaOperands,
  ) {
    const { plan } = product
    this.#depthBits = bitsOf(warpgroupForm(plan.codes?.[0] ?? plan.operand)!.depth)
    this.#rows = bitsOfDim([plan.m, plan.n], 0)
    this.#columns = bitsOfDim([plan.m, plan.n], 1)
    this.#tiles = plan.acc.registers.slice(2 + columnRegisters(plan))
  }

  /** K of an instruction; `steps`: instructions along K. */
  get depth(): number {
    return 2 ** this.#depthBits
  }
  get steps(): number {
    return Math.ceil(this.product.plan.k / this.depth)
  }

  /** Issues steps `first` to `end`, added to an accumulator or to zero. */
  start(acc: LaneNode | null, first = 0, end = this.steps): LaneNode {
    const { context } = this
    const { plan, a, b: columns } = this.product
    const { vectors, lanes } = context
    const isZero = acc === null || (acc.op === 'const' && Number(acc.attrs.value) === 0)
    const each = sumsOfTile(plan)
    const count = 2 ** this.#tiles.length
    const fragments = 'buffer' in a ? [] : [a]
    const codes = plan.codes === undefined ? {} : { codes: plan.codes }
    const dtype = plan.accumulator as 'f32' | 'i32'
    const sums = Array.from({ length: count }, (_, tile) => {
      const own = isZero ? [] : [vectors.slice(acc, tile * each, each)]
      return lanes.builder.node('wgmmaFence', [...own, ...fragments], { dtype, lanes: each, fresh: isZero })
    })
    const [left, right] = [this.#left(), this.#source(columns, 1)]
    for (let step = first; step < end; step++) {
      for (let tile = 0; tile < count; tile++) {
        const b = this.#at(right, this.#indexB(tile, step))
        const { inputs, matrix } = left(tile, step)
        const attrs = { a: matrix, b: right.matrix, add: !isZero || step > first, ...codes }
        sums[tile] = lanes.builder.node('wgmma', [sums[tile]!, ...b, ...inputs], attrs)
      }
    }
    return vectors.concat(sums)
  }

  /** The left operand of an instruction. */
  #left(): (tile: number, step: number) => { inputs: readonly LaneNode[]; matrix: SharedMatrix | null } {
    const { context } = this
    const { plan, a } = this.product
    if ('buffer' in a) {
      const from = this.#source(a, 0)
      return (tile, step) => ({ inputs: this.#at(from, this.#indexA(tile, step)), matrix: from.matrix })
    }
    // One fragment per step; those of a row of tiles are consecutive.
    const each = 16 / itemBytes(plan.operand)
    const stepBits = bitsOf(plan.k) - this.#depthBits
    const rows = this.#tiles.flatMap((bit, k) => (this.#rows.includes(bit) ? [k] : []))
    return (tile, step) => {
      const row = rows.reduce((index, k, i) => index | (((tile >> k) & 1) << i), 0)
      return { inputs: [context.vectors.slice(a, ((row << stepBits) | step) * each, each)], matrix: null }
    }
  }

  /** An operand in shared memory as wgmma reads it: its matrix descriptor's parts, and the warp's offset. */
  #source(staged: Staged, position: 0 | 1): Source {
    const { context } = this
    const { plan } = this.product
    const { layout } = staged
    const [inner, k, own] =
      position === 0 ? ([plan.innerA, 1, this.#rows] as const) : ([plan.innerB, 0, this.#columns] as const)
    const bits = bitsOfDim(layout.shape, 1 - k)
    const warps = plan.acc.warps.slice(2).map(bit => (own.includes(bit) ? bits[own.indexOf(bit)]! : copy))
    const thread = [...new Array<number>(laneBits + 2).fill(copy), ...warps]
    return {
      staged,
      matrix: sharedMatrixOf(layout, inner, k, itemBytes(plan.operand)),
      part: threadPart(context, thread, layout.offsets, layout.combine),
    }
  }

  /** Pointer and index of an instruction's operand whose first element has index `index`. */
  #at({ staged, part }: Source, index: number): readonly LaneNode[] {
    const { layout, buffer, start } = staged
    return [this.context.sharedPointer(buffer), placeAt(this.context, part, offsetOfIndex(layout, index), start)]
  }

  /** Index in a's shape of a tile's first element at a step. */
  #indexA(tile: number, step: number): number {
    const rowStart = bitsOf(this.product.plan.k)
    return this.#tiles.reduce(
      (index, bit, k) =>
        this.#rows.includes(bit) && (tile >> k) & 1 ? index | (1 << (bit - this.#rows[0]! + rowStart)) : index,
      step << this.#depthBits,
    )
  }

  /** The same in b's shape. */
  #indexB(tile: number, step: number): number {
    const { depth, n } = this.product.plan
    const first = depth
      .slice(this.#depthBits)
      .reduce((index, bit, k) => ((step >> k) & 1 ? index | (1 << (bit + bitsOf(n))) : index), 0)
    return this.#tiles.reduce(
      (index, bit, k) => (this.#columns.includes(bit) && (tile >> k) & 1 ? index | (1 << bit) : index),
      first,
    )
  }
}
