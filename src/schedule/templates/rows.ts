/** Templates that work along rows: the rows in memory. */
import { accessOf, type RowAccess } from '../../loop/access.js'
import { mulSizes, productOf, type Size } from '../../scalar/size.js'
import type { TileBuilder, TileOperand, TileValue, ViewValue } from '../../tile/language.js'
import { rowMajorStrides } from '../groups/affine.js'
import type { Axis } from '../tiling/axes.js'
import type { KernelWriter } from '../tiling/writer.js'
import type { StageContext } from './template.js'

/** The rows of one program instance's indices in memory: a view whose last dim is the row. */
export class RowMemory {
  constructor(
    readonly t: TileBuilder,
    readonly view: ViewValue,
    /** The indices of the row. */
    readonly at: readonly TileValue[],
  ) {}

  get length(): TileValue {
    return this.view.size(this.at.length)
  }

  /** [count] elements; 0 past the end. */
  load(start: TileOperand, count: number): TileValue {
    return this.t.load(this.view, [...this.at, start], this.#shape(count)).reshape([count])
  }

  /** Elements past the row's end, or from `end` on, are dropped. */
  store(start: TileOperand, tile: TileValue, end: TileOperand | null = null): void {
    const options = end === null ? undefined : { ends: [...this.at.map(() => null), end] }
    this.t.store(this.view, [...this.at, start], tile.reshape(this.#shape(tile.shape[0]!)), options)
  }

  gather(index: TileValue, mask?: TileValue): TileValue {
    return this.t.gather(this.view, [...this.at, index], mask === undefined ? {} : { mask })
  }

  scatter(index: TileValue, values: TileValue, mask?: TileValue): void {
    this.t.scatter(this.view, [...this.at, index], values, mask === undefined ? {} : { mask })
  }

  #shape(count: number): number[] {
    return [...this.at.map(() => 1), count]
  }
}

/** Where a program instance begins along each axis that has several blocks. */
export type Offsets = ReadonlyMap<Axis, TileValue>

/** The row of a tensor at the program's indices. */
export function rowMemory(
  writer: KernelWriter,
  { access, stride }: Pick<RowAccess, 'access' | 'stride'>,
  size: Size,
  offsets: Offsets,
): RowMemory {
  const { view, axes } = writer.view(access, { size, stride })
  const { t } = writer
  return new RowMemory(
    t,
    view,
    axes.map(axis => offsets.get(axis) ?? t.const(0n, 'i64')),
  )
}

/** Work memory of `length` elements for each row. */
export interface WorkRows {
  readonly buffer: number
  readonly dtype: 'i32' | 'i64'
  readonly length: Size
}

export function workRows(
  { buffers, axes }: StageContext,
  dtype: WorkRows['dtype'],
  length: Size,
  name: string,
): WorkRows {
  const elements = mulSizes(productOf(axes.kept.map(axis => axis.size)), length)
  return { buffer: buffers.temp(dtype, elements, name), dtype, length }
}

/** The program's row of work memory. */
export function workMemory(writer: KernelWriter, { buffer, dtype, length }: WorkRows, offsets: Offsets): RowMemory {
  const { kept } = writer.axes
  const strides = rowMajorStrides([...kept.map(axis => axis.size), length])
  // An axis is identified by its innermost coordinate.
  const terms = new Map(kept.map((axis, d): [number, Size] => [axis.coords.at(-1)!, strides[d]!]))
  return rowMemory(writer, { access: accessOf(buffer, dtype, { offset: 0, terms }), stride: 1 }, length, offsets)
}
