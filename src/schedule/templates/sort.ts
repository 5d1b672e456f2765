/** Sorting of rows: by ranks where they are short, else by radix, in one program or by several kernels. */
import { keyDtype, radixBits, radixKeys, valuesOfRadix } from '../../kernels/order.js'
import {
  type Block,
  binsOfDigits,
  countBlock,
  countOf,
  type Digits,
  digitsUpTo,
  placeBlock,
  placeDtype,
  scanCounts,
  sortBlock,
} from '../../kernels/radix-sort.js'
import { rankRow } from '../../kernels/rank-sort.js'
import type { RowsAt, TemplateNode } from '../../loop/ir.js'
import {
  boundOf,
  ceilDivSizes,
  floorDivSizes,
  maxSizes,
  minSizes,
  mulSizes,
  type Size,
  subSizes,
} from '../../scalar/size.js'
import { minBinned } from '../../tile/ir.js'
import type { TileBuilder, TileValue } from '../../tile/language.js'
import { isFloat, type TensorDtype } from '../../types/dtype.js'
import type { AnchorNode } from '../groups/group.js'
import type { Ranking, Sorting } from '../policy.js'
import type { Axis } from '../tiling/axes.js'
import { assignGrid, type Grid } from '../tiling/grid.js'
import type { KernelWriter } from '../tiling/writer.js'
import { type Offsets, type RowMemory, rowMemory, type WorkRows, workMemory, workRows } from './rows.js'
import type { Stage, StageContext, Template } from './template.js'

export type SortParams = { readonly descending: boolean }
type SortNode = TemplateNode<SortParams>

export const sort: Template<Extract<AnchorNode, { op: 'sort' }>, SortParams> = {
  operands: () => [],
  reads: ({ inputs }) => inputs,
  build(program, node) {
    const { dim, descending } = node.attrs
    const stored = program.storedRows(dim)
    const rows = [{ input: 0, dim }]
    return program.template(node, {
      inputs: [],
      operands: [],
      rows,

      stored,
      params: { descending },
    })
  },
  stages: (kernel, node) => new RowSort(kernel, node).stages(),
}

/** The row that one program works on, and the elements of it. */
interface Place {
  readonly input: RowMemory
  readonly length: TileValue
  readonly start: TileValue
  readonly offsets: Offsets
}

/** A pass of a radix sort over rows of several blocks. */
interface Pass {
  readonly number: number
  /** Keys and indices in the order of the previous pass; null: of the input. */
  readonly from: Carried | null
  /** null: the results. */
  readonly to: Carried | null
  readonly tables: Tables
}

interface Carried {
  readonly keys: WorkRows
  /** null: values are known from their keys, and no indices are wanted. */
  readonly index: WorkRows | null
}

/** Counts by block and bin, their sums over earlier blocks, and the sums over all. */
interface Tables {
  readonly own: WorkRows
  readonly before: WorkRows
  readonly all: WorkRows
}

export class RowSort {
  readonly #row: Axis
  readonly #rows: RowsAt
  readonly #dtype: TensorDtype
  readonly #descending: boolean
  readonly #ranking: Ranking
  /** Rows that are ranked have no more elements than each is compared with at once. */
  readonly #ranksAtOnce: boolean
  readonly #block: number
  readonly #counts: Sorting['counts']
  readonly #warps: Sorting['warps']
  readonly #sorting: Sorting
  /** The passes over rows of several blocks. */
  readonly #digits: Digits
  /** The longest that a row can be; null: any length. */
  readonly #longest: number | null

  constructor(
    readonly kernel: StageContext,
    readonly node: SortNode,
    /** How many elements of each sorted row are kept. */
    readonly kept: Size = kernel.axes.reduced[0]!.size,
  ) {
    const { axes, policy } = kernel
    const { params, rows } = node.attrs
    this.#row = axes.reduced[0]!
    this.#rows = rows[0]!
    this.#dtype = rows[0]!.dtype as TensorDtype
    this.#descending = params.descending
    this.#longest = boundOf(this.#row.size)
    this.#sorting = policy.sorting(axes)
    const { ranking, block, warps, counts, digit } = this.#sorting
    const most = this.#longest === null ? ranking.longest : powerFrom(2, this.#longest)
    const tight = { block: Math.min(ranking.block, most), others: Math.min(ranking.others, most) }
    this.#ranking = { ...ranking, ...tight }
    this.#ranksAtOnce = ranking.longest <= ranking.others
    this.#counts = counts
    this.#warps = warps
    this.#digits = digitsUpTo(this.#dtype, digit(block))
    this.#block = this.#longest === null ? block : Math.min(block, powerFrom(minBinned, this.#longest))
  }

  stages(): readonly Stage[] {
    const isUpTo = (length: number): boolean => this.#longest !== null && this.#longest <= length
    if (isUpTo(this.#ranking.longest)) return [{ suffix: 'ranked', write: writer => this.#ranked(writer) }]
    if (isUpTo(this.#block)) {
      const sortRow = (writer: KernelWriter, at: Place): void =>
        this.#isKnown ? this.#whole(writer, at, this.#block) : this.#short(writer, at)
      return [{ suffix: 'block', write: writer => this.#inBlocks(writer, at => sortRow(writer, at)) }]
    }
    const passes = this.#passes()
    return passes.flatMap(pass => [
      { suffix: 'count', write: writer => this.#counting(writer, pass) },
      { suffix: 'sum', write: writer => this.#whenLong(this.#sum(writer, pass)) },
      { suffix: 'place', write: writer => this.#inManyBlocks(writer, at => this.#place(writer, at, pass)) },
    ])
  }

  // --- rows of one block -----------------------------------------------------------------------------------------------

  #ranked(writer: KernelWriter): Grid {
    const { grid, offsets } = this.#grid(writer, this.#ranking.block)
    this.#rank(writer, this.#at(writer, offsets))
    return grid
  }

  /** Ranks the elements of a row from `start` on that one program ranks. */
  #rank(writer: KernelWriter, { input, length, start, offsets }: Place): void {
    rankRow(writer.t, {
      dtype: this.#dtype,
      descending: this.#descending,
      length,
      block: this.#ranking.block,
      start,
      others: this.#ranking.others,
      isShort: this.#ranksAtOnce,
      values: (from, count) => input.load(from, count),
      store: (values, index, place, inside) => {
        for (const { item, memory } of this.#results(writer, offsets))
          memory.scatter(place, item === 0 ? values : index, inside)
      },
    })
  }

  /** Sorts a row of unknown length that turns out to be short: in a block of at most four times its length. */
  #short(writer: KernelWriter, at: Place): void {
    const { t } = writer
    const steps = Math.max(0, Math.floor(Math.log2(this.#block / Math.max(minBinned, this.#ranking.longest)) / 2))
    const sizes = Array.from({ length: steps + 1 }, (_, step) => this.#block / 4 ** (steps - step))
    const upTo = ([size, ...larger]: readonly number[]): void => {
      if (size === undefined) return
      if (larger.length === 0) this.#whole(writer, at, size)
      else
        t.if(
          at.length.le(size),
          () => this.#whole(writer, at, size),
          () => upTo(larger),
        )
    }
    const rank = (): void => t.range(0, at.length, this.#ranking.block, start => this.#rank(writer, { ...at, start }))
    t.if(at.length.le(this.#ranking.longest), rank, () => upTo(sizes))
  }

  /** Sorts a row that is one block. */
  #whole(writer: KernelWriter, at: Place, size: number): void {
    const { t } = writer
    const block = this.#inputBlock(t, at, size)
    const { digit, narrows } = this.#sorting
    const { keys, index } = sortBlock(t, block, digitsUpTo(this.#dtype, digit(size)), narrows && this.#isWideInteger)
    const inside = t.iota(block.size, 'i32').lt(block.count)
    const { values, isOpen } = valuesOfRadix(keys, this.#dtype, this.#descending)
    for (const { item, memory } of this.#results(writer, at.offsets)) {
      if (item === 1) memory.store(0, index.to('i64'))
      else memory.store(0, isOpen === null ? values : this.#closed(t, at.input, values, index, isOpen.and(inside)))
    }
  }

  /** The values, those that their keys leave open read from the row. */
  #closed(t: TileBuilder, input: RowMemory, values: TileValue, index: TileValue, isOpen: TileValue): TileValue {
    return t.where(isOpen, input.gather(index.to('i64'), isOpen), values).to(this.#dtype)
  }

  // --- rows of several blocks ------------------------------------------------------------------------------------------

  #passes(): readonly Pass[] {
    const { kernel } = this
    const places = placeDtype(this.#longest)
    const size = mulSizes(this.#row.size, this.#isLong)
    const counts = mulSizes(this.#blocks, mulSizes(this.#bins, this.#isLong))
    const count = this.#digits.passes
    const carried = Array.from(
      { length: Math.min(2, count - 1) },
      (): Carried => ({
        keys: workRows(kernel, keyDtype(this.#dtype), size, 'keys'),
        index: this.#needsIndex ? workRows(kernel, places, size, 'order') : null,
      }),
    )
    const tables: Tables = {
      own: workRows(kernel, 'i32', counts, 'counts'),
      before: workRows(kernel, places, counts, 'before'),
      all: workRows(kernel, places, mulSizes(this.#bins, this.#isLong), 'totals'),
    }
    return Array.from(
      { length: count },
      (_, number): Pass => ({
        number,
        from: number === 0 ? null : carried[(number + 1) % 2]!,
        to: number === count - 1 ? null : carried[number % 2]!,
        tables,
      }),
    )
  }

  /** Counts the blocks' bins. The first kernel sorts rows of unknown length that turn out to be one block. */
  #counting(writer: KernelWriter, pass: Pass): Grid {
    const { t } = writer
    const count = (at: Place): void => {
      const counts = countBlock(t, this.#loaded(writer, at, pass), this.#digits, pass.number)
      workMemory(writer, pass.tables.own, at.offsets).store(this.#tableStart(at), counts)
    }
    if (this.#isKnown || pass.number > 0) return this.#inManyBlocks(writer, count)
    return this.#inBlocks(writer, at =>
      t.if(
        at.length.gt(this.#block),
        () => count(at),
        () => this.#short(writer, at),
      ),
    )
  }

  #sum(writer: KernelWriter, { tables }: Pass): Grid {
    const { t, axes } = writer
    const counts = this.#counts
    const bins: Axis = { id: axes.all.length, size: this.#bins, reduced: false, coords: [] }
    const extents = new Map<Axis, number>([...axes.kept.map((axis): [Axis, number] => [axis, 1]), [bins, counts.bins]])
    const { grid, offsets } = assignGrid(writer, [bins, ...axes.kept.toReversed()], extents)
    const [own, before, all] = [tables.own, tables.before, tables.all].map(table =>
      workMemory(writer, table, offsets),
    ) as [RowMemory, RowMemory, RowMemory]
    const first = offsets.get(bins) ?? t.const(0n, 'i64')
    const blocks = boundOf(this.#blocks)
    const step = blocks === null ? counts.blocks : Math.min(counts.blocks, powerFrom(2, blocks))
    const places = (block: TileValue): TileValue =>
      t.iota(step).add(block).mul(this.#bins).expandDims(1).add(t.iota(counts.bins).add(first).expandDims(0))
    const sums = scanCounts(t, {
      blocks: writer.size(this.#blocks),
      step,
      bins: counts.bins,
      dtype: tables.before.dtype,
      load: block => own.gather(places(block)),
      store: (block, values) => before.scatter(places(block), values),
    })
    all.store(first, sums)
    return grid
  }

  #place(writer: KernelWriter, at: Place, pass: Pass): void {
    const place = (): void => this.#placeByBins(writer, at, pass)
    if (!this.#isWideInteger) place()
    else {
      const all = workMemory(writer, pass.tables.all, at.offsets).load(0, this.#bins)
      const isOneBin = all.amax(0).eq(at.length.to(all.dtype))
      writer.t.if(isOneBin, () => this.#copyBlock(writer, at, pass), place)
    }
  }

  /** All elements of the row are in one bin. */
  #copyBlock(writer: KernelWriter, at: Place, pass: Pass): void {
    const { keys } = this.#loaded(writer, at, pass)
    const index = this.#needsIndex ? this.#indexOf(writer, at, pass) : null
    this.#write(writer, at, pass, { keys, index }, (memory, tile) => memory.store(at.start, tile))
  }

  #placeByBins(writer: KernelWriter, at: Place, pass: Pass): void {
    const { t } = writer
    const table = (rows: WorkRows, start: TileValue): TileValue =>
      workMemory(writer, rows, at.offsets).load(start, this.#bins)
    const block = this.#loaded(writer, at, pass)
    const { own, before, all } = pass.tables
    const start = this.#tableStart(at)
    const { order, keys, places, inside } = placeBlock(t, block, this.#digits, pass.number, {
      own: table(own, start).to(before.dtype),
      before: table(before, start),
      all: table(all, t.const(0n, 'i64')),
    })
    const index = this.#needsIndex ? this.#indexOf(writer, at, pass).take(order) : null
    this.#write(writer, at, pass, { keys, index }, (memory, tile) => memory.scatter(places, tile, inside))
  }

  /** Leaves a block's elements, as keys and indices for the next pass or as results. */
  #write(
    writer: KernelWriter,
    at: Place,
    pass: Pass,
    { keys, index }: { readonly keys: TileValue; readonly index: TileValue | null },
    put: (memory: RowMemory, tile: TileValue) => void,
  ): void {
    const { t } = writer
    if (pass.to !== null) {
      put(workMemory(writer, pass.to.keys, at.offsets), keys)
      if (index !== null) put(workMemory(writer, pass.to.index!, at.offsets), index)
      return
    }
    const { values, isOpen } = valuesOfRadix(keys, this.#dtype, this.#descending)
    const inside = t.iota(this.#block, 'i32').lt(countOf(at.length, at.start, this.#block))
    for (const { item, memory } of this.#results(writer, at.offsets)) {
      if (item === 1) put(memory, index!.to('i64'))
      else put(memory, isOpen === null ? values : this.#closed(t, at.input, values, index!, isOpen.and(inside)))
    }
  }

  /** A block's elements in the order of the previous pass. */
  #loaded(writer: KernelWriter, at: Place, { from }: Pass): Block {
    if (from === null) return this.#inputBlock(writer.t, at, this.#block)
    const keys = workMemory(writer, from.keys, at.offsets).load(at.start, this.#block)
    return { keys, size: this.#block, count: countOf(at.length, at.start, this.#block) }
  }

  #inputBlock(t: TileBuilder, { input, length, start }: Place, size: number): Block {
    const keys = radixKeys(t, input.load(start, size), this.#dtype, this.#descending)
    return { keys, size, count: countOf(length, start, size) }
  }

  #indexOf(writer: KernelWriter, at: Place, { from, tables }: Pass): TileValue {
    if (from !== null) return workMemory(writer, from.index!, at.offsets).load(at.start, this.#block)
    return writer.t.iota(this.#block).add(at.start).to(tables.before.dtype)
  }

  // --- places ----------------------------------------------------------------------------------------------------------

  /** The grid of a kernel that rows of one block do not need: it is empty for them. */
  #whenLong([x, y, z]: Grid): Grid {
    return [mulSizes(x, this.#isLong), y, z]
  }

  /** 1 for rows of several blocks, else 0. */
  get #isLong(): Size {
    return this.#isKnown ? 1 : isMoreThan(this.#row.size, this.#block)
  }

  /** For the blocks of rows that have several. */
  #inManyBlocks(writer: KernelWriter, work: (at: Place) => void): Grid {
    if (this.#warps !== null) writer.hints = { warps: this.#warps }
    return this.#whenLong(this.#inBlocks(writer, work))
  }

  #inBlocks(writer: KernelWriter, work: (at: Place) => void): Grid {
    const { grid, offsets } = this.#grid(writer, this.#block)
    work(this.#at(writer, offsets))
    return grid
  }

  #grid(writer: KernelWriter, block: number): { readonly grid: Grid; readonly offsets: Offsets } {
    const { axes } = writer
    const extents = new Map<Axis, number>([...axes.kept.map((axis): [Axis, number] => [axis, 1]), [this.#row, block]])
    return assignGrid(writer, [this.#row, ...axes.kept.toReversed()], extents)
  }

  #at(writer: KernelWriter, offsets: Offsets): Place {
    const input = rowMemory(writer, this.#rows, this.#row.size, offsets)
    const start = offsets.get(this.#row) ?? writer.t.const(0n, 'i64')
    return { input, length: input.length, start, offsets }
  }

  #results(writer: KernelWriter, offsets: Offsets): { readonly item: number; readonly memory: RowMemory }[] {
    return this.node.attrs.stored.map(rows => ({
      item: rows.item,
      memory: rowMemory(writer, rows, this.kept, offsets),
    }))
  }

  /** Where a block's counts begin. */
  #tableStart({ start }: Place): TileValue {
    return start.floorDiv(this.#block).mul(this.#bins)
  }

  /** Indices are a result, or say which of several values with one key comes where. */
  get #needsIndex(): boolean {
    return isFloat(this.#dtype) || this.node.attrs.stored.some(({ item }) => item === 1)
  }

  /** The high bits of integers are often equal in a row: passes over them only copy it, or are left out. */
  get #isWideInteger(): boolean {
    return !isFloat(this.#dtype) && radixBits(this.#dtype) >= 32
  }

  get #bins(): number {
    return binsOfDigits(this.#digits)
  }

  get #blocks(): Size {
    return ceilDivSizes(this.#row.size, this.#block)
  }

  /** The length of a row is known. */
  get #isKnown(): boolean {
    return typeof this.#row.size === 'number'
  }
}

/** The smallest power of two that is at least both. */
export const powerFrom = (least: number, length: number): number =>
  Math.max(least, 2 ** Math.ceil(Math.log2(Math.max(1, length))))

/** 1 where a size exceeds a number, else 0. */
export const isMoreThan = (size: Size, than: number): Size =>
  maxSizes(0, minSizes(1, floorDivSizes(subSizes(size, 1), than)))

/** Works on a row of at most `largest` elements in a block of fewer than four times its length. */
export function inSmallestBlock(
  t: TileBuilder,
  length: TileValue,
  largest: number,
  work: (size: number) => void,
): void {
  const smaller = largest / 4
  if (smaller < 4 * minBinned) work(largest)
  else
    t.if(
      length.gt(smaller),
      () => work(largest),
      () => inSmallestBlock(t, length, smaller, work),
    )
}
