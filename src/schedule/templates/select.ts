/** Top-k of long rows: a bound that the k first reach, what reaches it, and the order of that. */
import { keyDtype, orderKeys } from '../../kernels/order.js'
import {
  bestOfGroups,
  indicesOf,
  keepFirst,
  rank,
  reaching,
  searchBound,
  type Words,
  wordCount,
  wordsOf,
} from '../../kernels/select.js'
import type { TemplateNode } from '../../loop/ir.js'
import { boundOf, ceilDivSizes, minSizes, mulSizes, type Size } from '../../scalar/size.js'
import { minBinned } from '../../tile/ir.js'
import type { TileOperand, TileValue } from '../../tile/language.js'
import type { TensorDtype } from '../../types/dtype.js'
import type { Bounding } from '../policy.js'
import type { Axis } from '../tiling/axes.js'
import { assignGrid, type Grid } from '../tiling/grid.js'
import type { KernelWriter } from '../tiling/writer.js'
import { type Offsets, type RowMemory, rowMemory, type WorkRows, workMemory, workRows } from './rows.js'
import { powerFrom } from './sort.js'
import type { Stage, StageContext } from './template.js'

type SelectNode = TemplateNode<{ readonly k: number; readonly descending: boolean }>

/** Bests that a program searches at once, and how many more than k of them may reach the bound, as a share. */
const mostAtOnce = 8192
const mostExcess = 1.125

/** Work memory of each row. */
interface Work {
  /** The best elements of groups. */
  readonly bests: readonly WorkRows[]
  /** One element, and how many reach it. */
  readonly bound: readonly WorkRows[]
  readonly count: WorkRows
  readonly found: readonly WorkRows[]
}

export class RowSelect {
  readonly #row: Axis
  readonly #dtype: TensorDtype
  readonly #k: number
  readonly #words: 1 | 2
  readonly #work: Work
  /** Elements of a row that one program finds the bests of. */
  readonly #span: Size
  readonly #groups: Size
  /** Most elements that reach the bound, and most that are ranked. */
  readonly #most: Size
  readonly #ranked: Size

  constructor(
    readonly kernel: StageContext,
    readonly node: SelectNode,
    readonly bounding: Bounding,
  ) {
    const { params, rows } = node.attrs
    const { parts, groups, tile, ranked } = bounding
    this.#row = kernel.axes.reduced[0]!
    this.#dtype = rows[0]!.dtype as TensorDtype
    this.#k = params.k
    const { size } = this.#row
    this.#words = wordCount(keyDtype(this.#dtype), boundOf(size))
    const steps = ceilDivSizes(size, parts * tile)
    this.#span = mulSizes(steps, tile)
    this.#groups = mulSizes(this.#parts, groups)
    // The groups whose bests reach the bound contain all that reach it.
    this.#most = minSizes(size, mulSizes(steps, (this.#reaching * tile) / groups))
    this.#ranked = minSizes(this.#most, ranked)
    const words = (length: Size, name: string): WorkRows[] =>
      Array.from({ length: this.#words }, () => workRows(kernel, 'i64', length, name))
    this.#work = {
      bests: words(this.#groups, 'bests'),
      bound: words(1, 'bound'),
      count: workRows(kernel, 'i64', 1, 'count'),
      found: words(this.#most, 'found'),
    }
  }

  stages(): readonly Stage[] {
    const most = boundOf(this.#most)
    const isRanked = most !== null && most <= this.bounding.ranked
    return [
      { suffix: 'bests', write: writer => this.#bests(writer) },
      { suffix: 'bound', write: writer => this.#bound(writer) },
      { suffix: 'filter', write: writer => this.#filter(writer) },
      ...(isRanked ? [] : [{ suffix: 'narrow', write: (writer: KernelWriter) => this.#narrow(writer) }]),
      { suffix: '', write: writer => this.#rank(writer) },
    ]
  }

  /** How many bests may reach the bound. */
  get #reaching(): number {
    return Math.floor(this.#k * mostExcess)
  }

  get #parts(): Size {
    const { size } = this.#row
    return typeof size === 'number' ? ceilDivSizes(size, this.#span) : this.bounding.parts
  }

  // --- kernels -----------------------------------------------------------------------------------------------------------

  #bests(writer: KernelWriter): Grid {
    const { t } = writer
    const { groups, tile } = this.bounding
    const { grid, offsets, start: part } = this.#blocks(writer, this.#parts, 1)
    const input = this.#input(writer, offsets)
    const from = part.mul(writer.size(this.#span))
    const to = from.add(writer.size(this.#span)).min(input.length)
    const best = bestOfGroups(t, {
      from,
      to,
      tile,
      groups,
      words: this.#words,
      load: at => this.#load(writer, input, at, tile),
    })
    const bests = this.#memory(writer, this.#work.bests, offsets)
    bests.forEach((memory, w) => void memory.store(part.mul(groups), best[w]!))
    return grid
  }

  /** A bound that at least k of the bests reach, and few more; where there are fewer, everything reaches it. */
  #bound(writer: KernelWriter): Grid {
    const { t } = writer
    const { grid, offsets } = this.#blocks(writer, 1, 1)
    const bests = this.#memory(writer, this.#work.bests, offsets)
    const count = writer.size(this.#groups)
    const tile = typeof count === 'number' ? Math.min(mostAtOnce, powerFrom(minBinned, count)) : mostAtOnce
    const bound = searchBound(t, {
      words: this.#words,
      count,
      tile,
      k: this.#k,
      most: this.#reaching,
      load: start => bests.map(memory => memory.load(start, tile)),
    })
    this.#memory(writer, this.#work.bound, offsets).forEach((memory, w) => void memory.store(0, bound[w]!.reshape([1])))
    workMemory(writer, this.#work.count, offsets).store(0, t.zeros([1], 'i64'))
    return grid
  }

  #filter(writer: KernelWriter): Grid {
    const { t } = writer
    const { filtered } = this.bounding
    const { grid, offsets, start } = this.#blocks(writer, this.#row.size, filtered)
    const words = this.#load(writer, this.#input(writer, offsets), start, filtered)
    const bound = this.#memory(writer, this.#work.bound, offsets).map(memory => memory.load(0, 1).reshape([]))
    const { isIn, places, count } = reaching(words, bound)
    t.if(count.gt(0), () => {
      const { view, at } = workMemory(writer, this.#work.count, offsets)
      const first = t.atomicAdd(view, [...at, 0], count)
      const found = this.#memory(writer, this.#work.found, offsets)
      found.forEach((memory, w) => void memory.scatter(places.add(first), words[w]!, isIn))
    })
    return grid
  }

  /** Where much more than k reaches the bound, keeps the k first. */
  #narrow(writer: KernelWriter): Grid {
    const { t } = writer
    const { filtered: tile, ranked } = this.bounding
    const { grid, offsets } = this.#blocks(writer, 1, 1)
    const counted = workMemory(writer, this.#work.count, offsets)
    const count = counted.load(0, 1).reshape([])
    t.if(count.gt(ranked), () => {
      const found = this.#memory(writer, this.#work.found, offsets)
      const load = (start: TileOperand): Words => found.map(memory => memory.load(start, tile))
      keepFirst(t, { k: this.#k, words: this.#words, count, tile, load }, (places, words, isIn) =>
        found.forEach((memory, w) => void memory.scatter(places, words[w]!, isIn)),
      )
      counted.store(0, t.full([1], BigInt(this.#k), 'i64'))
    })
    return grid
  }

  #rank(writer: KernelWriter): Grid {
    const { t } = writer
    const { grid, offsets, start } = this.#blocks(writer, this.#ranked, this.bounding.block)
    const count = workMemory(writer, this.#work.count, offsets).load(0, 1).reshape([])
    const input = this.#input(writer, offsets)
    t.if(start.lt(count), () => {
      const found = this.#memory(writer, this.#work.found, offsets)
      const { block, others } = this.bounding
      const load = (from: TileValue, size: number): Words => found.map(memory => memory.load(from, size))
      const own = load(start, block)
      const before = rank(t, { own, length: count, others, load: from => load(from, others) })
      const inside = t.iota(block).add(start).lt(count)
      const [place, index] = [before.to('i64'), indicesOf(own)]
      const isFirst = inside.and(place.lt(this.#k))
      for (const stored of this.node.attrs.stored) {
        const values = stored.item === 1 ? index : input.gather(index, isFirst)
        rowMemory(writer, stored, this.#k, offsets).scatter(place, values, isFirst)
      }
    })
    return grid
  }

  // --- places ----------------------------------------------------------------------------------------------------------

  /** A grid over the rows and the blocks of `size` elements of each. */
  #blocks(writer: KernelWriter, size: Size, block: number) {
    const { t, axes } = writer
    const along: Axis = { id: axes.all.length, size, reduced: false, coords: [] }
    const extents = new Map<Axis, number>([...axes.kept.map((axis): [Axis, number] => [axis, 1]), [along, block]])
    const { grid, offsets } = assignGrid(writer, [along, ...axes.kept.toReversed()], extents)
    return { grid, offsets, start: offsets.get(along) ?? t.const(0n, 'i64') }
  }

  #input(writer: KernelWriter, offsets: Offsets): RowMemory {
    return rowMemory(writer, this.node.attrs.rows[0]!, this.#row.size, offsets)
  }

  #load({ t }: KernelWriter, input: RowMemory, start: TileValue, count: number): TileValue[] {
    const keys = orderKeys(t, input.load(start, count), this.#dtype, this.node.attrs.params.descending)
    const index = t.iota(count).add(start)
    return wordsOf(t, keys, index, index.lt(input.length), this.#words)
  }

  #memory(writer: KernelWriter, rows: readonly WorkRows[], offsets: Offsets): RowMemory[] {
    return rows.map(row => workMemory(writer, row, offsets))
  }
}
