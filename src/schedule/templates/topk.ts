/**
 * Top-k of each row, in rounds: a program finds the k first of each block, and the next round works on what was found. Many
 * results of a row are a part of the sorted row.
 */
import { keyDtype, orderKeys, radixKeys } from '../../kernels/order.js'
import { type Block, countOf, digitsUpTo, sortBlock } from '../../kernels/radix-sort.js'
import { type First, insertRow, nowhere } from '../../kernels/topk.js'
import type { TemplateNode } from '../../loop/ir.js'
import { boundOf, ceilDivSizes, mulSizes, type Size } from '../../scalar/size.js'
import { minBinned } from '../../tile/ir.js'
import type { TileValue } from '../../tile/language.js'
import type { TensorDtype } from '../../types/dtype.js'
import type { AnchorNode } from '../groups/group.js'
import type { Rounds } from '../policy.js'
import type { Axis } from '../tiling/axes.js'
import { assignGrid, type Grid } from '../tiling/grid.js'
import type { KernelWriter } from '../tiling/writer.js'
import { type Offsets, type RowMemory, rowMemory, type WorkRows, workMemory, workRows } from './rows.js'
import { RowSelect } from './select.js'
import { inSmallestBlock, isMoreThan, powerFrom, RowSort } from './sort.js'
import type { Stage, StageContext, Template } from './template.js'

type TopkParams = { readonly k: number; readonly descending: boolean }
type TopkNode = TemplateNode<TopkParams>

export const topk: Template<Extract<AnchorNode, { op: 'topk' }>, TopkParams> = {
  operands: () => [],
  reads: ({ inputs }) => inputs,
  build(program, node) {
    const { k, largest, dim } = node.attrs
    const params = { k, descending: largest }
    const rows = [{ input: 0, dim }]
    return program.template(node, {
      inputs: [],
      operands: [],
      rows,
      stored: program.storedRows(dim),
      params,
    })
  },
  stages(kernel, node) {
    const { k } = node.attrs.params
    if (k === 0) return [] // nothing is stored
    const selection = kernel.policy.selection(k, kernel.axes)
    if (selection === null) return new RowSort(kernel, node, k).stages()
    if (selection.by === 'bound') return new RowSelect(kernel, node, selection).stages()
    return new RowTopk(kernel, node, selection).stages()
  },
}

/** More elements than any row has. */
const longestRow = 2 ** 38

/** What one round works on. */
interface Round {
  readonly number: number
  /** Elements per row, and the loop over them. */
  readonly size: Size
  readonly axis: Axis
  /** Elements that one program works on. */
  readonly block: number
  /** What the round before found; null: the input. */
  readonly from: Found | null
  /** Where more than one block of a row leaves what it finds; null: a row is one block. */
  readonly to: Found | null
  /** 1 where the round is needed, else 0. */
  readonly isNeeded: Size
}

/** Keys and i64 indices of each row's candidates, in the order of their blocks. */
interface Found {
  readonly keys: WorkRows
  readonly index: WorkRows
}

/** One program's block of a row's candidates. */
interface Place {
  readonly input: RowMemory
  readonly length: TileValue
  readonly start: TileValue
  readonly offsets: Offsets
}

class RowTopk {
  readonly #row: Axis
  readonly #dtype: TensorDtype
  readonly #k: number
  readonly #descending: boolean
  readonly #block: number
  readonly #longest: number | null

  constructor(
    readonly kernel: StageContext,
    readonly node: TopkNode,
    readonly selection: Rounds,
  ) {
    const { params, rows } = node.attrs
    this.#row = kernel.axes.reduced[0]!
    this.#dtype = rows[0]!.dtype as TensorDtype
    this.#k = params.k
    this.#descending = params.descending
    this.#longest = boundOf(this.#row.size)
    const { block } = selection
    const whole = this.#longest === null ? block : powerFrom(minBinned, Math.max(this.#k, this.#longest))
    this.#block = Math.min(block, whole)
  }

  stages(): readonly Stage[] {
    return this.#rounds().map(round => ({
      suffix: round.to === null ? '' : `part${round.number}`,
      write: writer => this.#write(writer, round),
    }))
  }

  #rounds(): readonly Round[] {
    const { kernel } = this
    const rounds: Round[] = []
    // A later round's block is what so many blocks before it left, so that sizes of the row say how many blocks there are.
    const group = Math.floor(this.#block / this.#k)
    let [from, span]: [Found | null, number] = [null, this.#block]
    for (;;) {
      const number = rounds.length
      const before = number === 0 ? 1 : ceilDivSizes(this.#row.size, span / group)
      const size = number === 0 ? this.#row.size : mulSizes(before, this.#k)
      const axis = number === 0 ? this.#row : { id: kernel.axes.all.length, size, reduced: false, coords: [] }
      const block = number === 0 ? this.#block : group * this.#k
      const isNeeded = number === 0 ? 1 : this.#isMoreThan(span / group)
      const round = { number, size, axis, block, from, isNeeded }
      if (span >= (this.#longest ?? longestRow)) return [...rounds, { ...round, to: null }]
      const found = mulSizes(mulSizes(ceilDivSizes(this.#row.size, span), this.#k), this.#isMoreThan(span))
      const to: Found = {
        keys: workRows(kernel, keyDtype(this.#dtype), found, 'keys'),
        index: workRows(kernel, 'i64', found, 'found'),
      }
      rounds.push({ ...round, to })
      ;[from, span] = [to, span * group]
    }
  }

  /** 1 for rows that may be longer, else 0. */
  #isMoreThan(length: number): Size {
    return typeof this.#row.size === 'number' ? 1 : isMoreThan(this.#row.size, length)
  }

  #write(writer: KernelWriter, round: Round): Grid {
    const { t, axes } = writer
    const extents = new Map<Axis, number>([
      ...axes.kept.map((axis): [Axis, number] => [axis, 1]),
      [round.axis, round.block],
    ])
    const { grid, offsets } = assignGrid(writer, [round.axis, ...axes.kept.toReversed()], extents)
    const input = rowMemory(writer, this.node.attrs.rows[0]!, this.#row.size, offsets)
    const length = round.from === null ? input.length : t.const(0n, 'i64').add(writer.size(round.size))
    const at: Place = { input, length, start: offsets.get(round.axis) ?? t.const(0n, 'i64'), offsets }
    const work = (size: number): void => this.#select(writer, at, round, size)
    if (typeof round.size === 'number') work(this.#block)
    else if (round.to === null) this.#inBlock(writer, at, work)
    else
      t.if(
        length.gt(round.block),
        () => work(this.#block),
        () => this.#inBlock(writer, at, size => this.#select(writer, at, { ...round, to: null }, size)),
      )
    const [x, y, z] = grid
    return [mulSizes(x, round.isNeeded), y, z]
  }

  #inBlock({ t }: KernelWriter, { length }: Place, work: (size: number) => void): void {
    if (this.selection.tile === null) inSmallestBlock(t, length, this.#block, work)
    else work(this.#block)
  }

  /** Finds the first of a block of `size` elements. */
  #select(writer: KernelWriter, at: Place, round: Round, size: number): void {
    const { tile } = this.selection
    if (tile === null) this.#sorted(writer, at, round, size)
    else this.#inserted(writer, at, round, Math.min(tile, size))
  }

  // --- by sorting the block ----------------------------------------------------------------------------------------------

  #sorted(writer: KernelWriter, at: Place, round: Round, size: number): void {
    const { t } = writer
    const { from } = round
    const found = from && this.#found(writer, from, at)
    const loaded =
      found === null ? this.#radixKeys(writer, at.input.load(at.start, size)) : found.keys.load(at.start, size)
    const block: Block = { keys: loaded, size, count: countOf(at.length, at.start, Math.min(size, round.block)) }
    const { digit } = this.kernel.policy.sorting(this.kernel.axes)
    const { keys, index } = sortBlock(t, block, digitsUpTo(this.#dtype, digit(size)), false)
    const place = index.to('i64').add(at.start)
    const isFound = t.iota(size, 'i32').lt(block.count)
    const indices = found === null ? place : found.index.gather(place, isFound)
    // What is missing comes last, whatever the next round's keys are.
    this.#leave(writer, at, round, { keys: t.where(isFound, keys, -1), index: t.where(isFound, indices, nowhere) })
  }

  #radixKeys({ t }: KernelWriter, values: TileValue): TileValue {
    return radixKeys(t, values, this.#dtype, this.#descending)
  }

  // --- by insertion ------------------------------------------------------------------------------------------------------

  #inserted(writer: KernelWriter, at: Place, round: Round, tile: number): void {
    const { t } = writer
    const { from } = round
    const found = from && this.#found(writer, from, at)
    const first = insertRow(t, {
      dtype: this.#dtype,
      k: this.#k,
      from: at.start,
      to: at.start.add(round.block).min(at.length),
      tile,
      keys: start =>
        found === null
          ? orderKeys(t, at.input.load(start, tile), this.#dtype, this.#descending)
          : found.keys.load(start, tile),
    })
    const index = found === null ? first.index : found.index.gather(first.index, first.index.ne(nowhere))
    this.#leave(writer, at, round, { keys: first.keys, index })
  }

  // --- results -----------------------------------------------------------------------------------------------------------

  /** Stores the first k of a block, for the next round or as the results. */
  #leave(writer: KernelWriter, at: Place, { to, block }: Round, { keys, index }: First): void {
    const { t } = writer
    if (to !== null) {
      const { keys: keyRow, index: indexRow } = this.#found(writer, to, at)
      const start = at.start.floorDiv(block).mul(this.#k)
      keyRow.store(start, keys, start.add(this.#k))
      indexRow.store(start, index, start.add(this.#k))
      return
    }
    for (const stored of this.node.attrs.stored) {
      const row = rowMemory(writer, stored, this.#k, at.offsets)
      row.store(0, stored.item === 1 ? index : this.#values(writer, at, index), t.const(this.#k, 'i64'))
    }
  }

  #values(writer: KernelWriter, { input }: Place, index: TileValue): TileValue {
    const size = index.shape[0]!
    return input.gather(index, writer.t.iota(size, 'i32').lt(this.#k))
  }

  #found(writer: KernelWriter, { keys, index }: Found, { offsets }: Place): { keys: RowMemory; index: RowMemory } {
    return { keys: workMemory(writer, keys, offsets), index: workMemory(writer, index, offsets) }
  }
}
