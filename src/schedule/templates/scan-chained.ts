/**
 * Scans of very long rows in one pass over memory: each program scans a block and waits for what comes before it
 * (kernels/chained-scan.ts). Programs take their blocks' numbers in the order in which they start, so that all that they wait
 * for have started.
 */
import { type ChainedDtype, valueBefore, wordsOf } from '../../kernels/chained-scan.js'
import { foldTile, identityOf, scanRow } from '../../kernels/scan.js'
import { accessOf } from '../../loop/access.js'
import { addSizes, ceilDivSizes, mulSizes, productOf, type Size } from '../../scalar/size.js'
import type { TileValue, ViewValue } from '../../tile/language.js'
import type { Axis } from '../tiling/axes.js'
import { Evaluator } from '../tiling/evaluate.js'
import type { Grid } from '../tiling/grid.js'
import type { Chaining } from '../tiling/scan-tiling.js'
import type { KernelWriter } from '../tiling/writer.js'
import type { ScanBlocks } from './scan-blocks.js'
import type { Stage } from './template.js'

/** Words that a program clears. */
const clearBlock = 1024

export class ChainedScan {
  readonly #dtype: ChainedDtype
  readonly #buffer: number
  /** Words of memory: a counter of programs, then those of each block of each row. */
  readonly #words: Size
  readonly #programs: Size

  constructor(
    readonly blocks: ScanBlocks,
    readonly chaining: Chaining,
  ) {
    const { kernel, count, tiling } = blocks
    this.#dtype = blocks.dtype as ChainedDtype
    this.#programs = mulSizes(count, productOf(kernel.axes.kept.map(axis => axis.size)))
    this.#words = addSizes(1, mulSizes(this.#programs, wordsOf(this.#dtype)))
    this.#buffer = kernel.buffers.temp('i64', mulSizes(this.#words, tiling.isUsed), 'chain')
  }

  stages(): readonly Stage[] {
    return [
      { suffix: 'clear', write: writer => this.#clear(writer) },
      { suffix: 'chained', write: writer => this.#write(writer) },
    ]
  }

  #clear(writer: KernelWriter): Grid {
    const { t } = writer
    t.store(this.#view(writer), [t.programId(0).mul(clearBlock)], t.zeros([clearBlock], 'i64'))
    return this.blocks.whereUsed([ceilDivSizes(this.#words, clearBlock), 1, 1])
  }

  #write(writer: KernelWriter): Grid {
    const { t } = writer
    const { tiling, scan, axis } = this.blocks
    const { fn, reverse } = scan.attrs.params
    if (tiling.warps !== undefined) writer.hints = { warps: tiling.warps }
    const words = this.#view(writer)
    const ticket = t.atomicAdd(words, [0], 1)
    const count = writer.size(this.blocks.count)
    const number = ticket.mod(count)
    const offsets = this.#rowOf(writer, ticket.floorDiv(count))
    const evaluator = new Evaluator(writer, tiling, offsets)
    const first = reverse ? t.const(0n, 'i64').add(count).sub(1).sub(number) : number
    const row = this.blocks.rowScan(writer, evaluator, { first, count: 1 })
    const start = ticket.sub(number).mul(wordsOf(this.#dtype)).add(1)
    const chain = {
      ...{ words, start, number, dtype: this.#dtype, group: this.chaining.group },
      join: (a: TileValue, b: TileValue) => t.map(fn, a, b),
      fold: (values: TileValue) => foldTile(t, { fn, axis: 0 }, values),
      identity: identityOf(t, row, []),
    }
    const before = (values: TileValue): TileValue => valueBefore(t, chain, foldTile(t, { fn, axis }, values))
    scanRow(t, row, before, (at, folds) => this.blocks.store(evaluator, at, folds))
    return this.blocks.whereUsed([this.#programs, 1, 1])
  }

  /** The offsets of a row, by its number. */
  #rowOf(writer: KernelWriter, number: TileValue): Map<Axis, TileValue> {
    const offsets = new Map<Axis, TileValue>()
    let rest = number
    for (const [i, axis] of writer.axes.kept.toReversed().entries()) {
      if (axis.size === 1) continue
      const isLast = i === writer.axes.kept.length - 1
      const size = writer.size(axis.size)
      offsets.set(axis, isLast ? rest : rest.mod(size))
      rest = rest.floorDiv(size)
    }
    return offsets
  }

  #view(writer: KernelWriter): ViewValue {
    const access = accessOf(this.#buffer, 'i64', { offset: 0, terms: new Map() })
    return writer.view(access, { size: this.#words, stride: 1 }).view
  }
}
