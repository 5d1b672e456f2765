/**
 * The values of the kernel language. A `TileValue` is a tile or scalar with one method per row of the scalar table,
 * reductions, scans and shape changes; a `ViewValue` is a view parameter. They build nodes; nothing is computed here.
 */
import { describeAny } from '../../base/describe.js'
import { KernelError } from '../../base/errors.js'
import {
  type ReductionName,
  type ScalarOpName,
  type ScanName,
  scalarOpNames,
  type scalarOps,
} from '../../scalar/ops.js'
import { ceilDivSizes } from '../../scalar/size.js'
import { dtypes, isFloat, type TensorDtype } from '../../types/dtype.js'
import { GridSize } from '../grid-size.js'
import { maxBins, minBinned, printType, type TileNode, tileType, viewType } from '../ir.js'
import { flagOf, limitArguments, optionsOf } from './arguments.js'
import type { Emitter, Scope } from './emitter.js'
import {
  applyScalarOp,
  broadcastShape,
  castTo,
  checkAxis,
  checkDtype,
  checkShape,
  expandTo,
  isLiteral,
  type Literal,
  shortText,
  widen,
} from './operands.js'

/** The operand of an elementwise op: a tile, or a literal that takes the tile's dtype. */
export type TileOperand = TileValue | Literal

type MethodOf<Arity> = Arity extends 1
  ? () => TileValue
  : Arity extends 2
    ? (other: TileOperand) => TileValue
    : (second: TileOperand, third: TileOperand) => TileValue

/**
 * One method per row of the scalar table: `x.add(y)`, `x.exp()`, `condition.where(a, b)`, `a.fma(b, c)`. Operands are
 * broadcast; f16 and bf16 are widened to f32; comparisons return bool. Each throws KernelError when dtypes or shapes do
 * not fit. `max` and `min` are elementwise; `amax` and `amin` reduce.
 */
export type ScalarMethods = { readonly [Fn in keyof typeof scalarOps]: MethodOf<(typeof scalarOps)[Fn]['arity']> }

// The methods are added to the prototype below, from the table: a new row needs no code here.
const ScalarMethodsBase = class {} as new () => ScalarMethods

/** Options of reductions. */
export interface ReduceOptions {
  /** Keep the reduced axis with size 1. Default false. */
  readonly keepdim?: boolean
}

/** Options of scans. */
export interface ScanOptions {
  /** From the last element to the first. Default false. */
  readonly reverse?: boolean
}

const noValues = 'store it into a view and read the tensor after the launch'

/**
 * A value of a kernel: a tile of elements of one dtype, with a shape known when the kernel is built; a scalar has rank 0. Its
 * methods create further tiles; their contents are known only when the kernel runs. `a.add(b)` is a + b: operands broadcast,
 * literals take the tile's dtype, dtypes do not promote (convert with `to`).
 */
export class TileValue extends ScalarMethodsBase {
  readonly #node: TileNode
  /** The block in which the value was made; it cannot be used outside. */
  readonly #scope: Scope

  constructor(
    /** For the compiler: builds the nodes; one per kernel under construction. */
    readonly emitter: Emitter,
    node: TileNode,
  ) {
    super()
    this.#node = node
    this.#scope = emitter.scope
  }

  /** For the compiler. Throws KernelError when the block in which the value was made is closed. */
  get node(): TileNode {
    return this.emitter.use(this.#node, this.#scope, this.toString())
  }

  /** The dtype of its elements. */
  get dtype(): TensorDtype {
    return tileType(this.#node).dtype as TensorDtype
  }

  /** Sizes, known when the kernel is built; [] for a scalar. */
  get shape(): readonly number[] {
    return tileType(this.#node).shape
  }

  /** Number of axes; 0 for a scalar. */
  get rank(): number {
    return this.shape.length
  }

  /**
   * Each element converted to `dtype`; the shape stays. Float to integer truncates; integers wrap; anything to bool is `!= 0`.
   * Throws KernelError for an unknown dtype.
   */
  to(dtype: TensorDtype): TileValue {
    this.emitter.mark()
    return this.#with(castTo(this.emitter, this.node, checkDtype(this.emitter, 'to', dtype)))
  }

  /** The same bits as another `dtype` of the same width; the shape stays. Throws KernelError when the widths differ. */
  bitcast(dtype: TensorDtype): TileValue {
    this.emitter.mark()
    const to = checkDtype(this.emitter, 'bitcast', dtype)
    if (dtypes[to].bits !== dtypes[this.dtype].bits) {
      this.emitter.fail(
        `bitcast: ${this.dtype} has ${dtypes[this.dtype].bits} bits, ${to} has ${dtypes[to].bits}`,
        `use a dtype of ${dtypes[this.dtype].bits} bits, or .to('${to}') to convert the values`,
      )
    }
    if (to === this.dtype) return this
    if (to === 'bool') this.emitter.fail(`bitcast: bits of ${this.dtype} are not a bool`, 'use .ne(0)')
    return this.#with(this.emitter.emit('bitcast', [this.node], { to }))
  }

  /** min(max(this, low), high), elementwise; `low` and `high` broadcast. NaN stays NaN. */
  clamp(low: TileOperand, high: TileOperand): TileValue {
    return this.max(low).min(high)
  }

  /**
   * The sum along `axis`, or over all elements. i8, u8 and i16 are summed in i32, and bool is counted in i64, which is the
   * result's dtype; f16 and bf16 are summed in f32. Returns the shape without the axis (with `keepdim`: size 1), or a scalar.
   * Throws KernelError for an axis out of range.
   */
  sum(axis?: number, options?: ReduceOptions): TileValue {
    return this.#wideIntegers().#reduce('sum', 'add', axis, options)
  }

  /** The product along `axis`, or over all elements; dtypes and shapes as in `sum`. */
  prod(axis?: number, options?: ReduceOptions): TileValue {
    return this.#wideIntegers().#reduce('prod', 'mul', axis, options)
  }

  /**
   * The maximum along `axis`, or over all elements; shapes as in `sum`, the dtype of this (f32 for narrow floats). NaN wins; with
   * `ignoreNaN` (default false, floats only) NaN is ignored, and −∞ results where all are NaN. `max` is elementwise.
   */
  amax(axis?: number, options?: ReduceOptions & { readonly ignoreNaN?: boolean }): TileValue {
    const { ignoreNaN, keepdim } = optionsOf(this.emitter, 'amax', options, ['keepdim', 'ignoreNaN'])
    const fn = flagOf(this.emitter, 'amax', 'ignoreNaN', ignoreNaN) ? 'fmax' : 'max'
    return this.#reduce('amax', fn, axis, keepdim === undefined ? {} : { keepdim })
  }

  /** The minimum along `axis`, or over all elements; shapes and dtypes as in `amax`. NaN wins. `min` is elementwise. */
  amin(axis?: number, options?: ReduceOptions): TileValue {
    return this.#reduce('amin', 'min', axis, options)
  }

  /** The i64 index of the first maximum along `axis`, or in the flattened tile; the first NaN wins. Shapes as in `sum`. */
  argmax(axis?: number, options?: ReduceOptions): TileValue {
    return (axis === undefined ? this.#flat() : this).#reduce('argmax', 'argmax', axis, options)
  }

  /** The i64 index of the first minimum along `axis`, or in the flattened tile; the first NaN wins. Shapes as in `sum`. */
  argmin(axis?: number, options?: ReduceOptions): TileValue {
    return (axis === undefined ? this.#flat() : this).#reduce('argmin', 'argmin', axis, options)
  }

  /** True where any element along `axis` (or of all) is not zero: bool; shapes as in `sum`. */
  any(axis?: number, options?: ReduceOptions): TileValue {
    return this.to('bool').#reduce('any', 'or', axis, options)
  }

  /** True where every element along `axis` (or of all) is not zero: bool; shapes as in `sum`. */
  all(axis?: number, options?: ReduceOptions): TileValue {
    return this.to('bool').#reduce('all', 'and', axis, options)
  }

  /** The running sum along `axis`, inclusive; with `reverse` from the end. The shape of this; widens integers as `sum` does. */
  cumsum(axis: number, options?: ScanOptions): TileValue {
    return this.#wideIntegers().#scan('cumsum', 'add', axis, options)
  }

  /** The running product along `axis`, inclusive; with `reverse` from the end. The shape of this; widens as `prod` does. */
  cumprod(axis: number, options?: ScanOptions): TileValue {
    return this.#wideIntegers().#scan('cumprod', 'mul', axis, options)
  }

  /** The running maximum along `axis`, inclusive; with `reverse` from the end. The shape of this. */
  cummax(axis: number, options?: ScanOptions): TileValue {
    return this.#scan('cummax', 'max', axis, options)
  }

  /** The running minimum along `axis`, inclusive; with `reverse` from the end. The shape of this. */
  cummin(axis: number, options?: ScanOptions): TileValue {
    return this.#scan('cummin', 'min', axis, options)
  }

  /** The same elements in another `shape`; one size may be -1 (inferred). Throws KernelError for another number of elements. */
  reshape(shape: readonly number[]): TileValue {
    this.emitter.mark()
    const count = this.shape.reduce((a, b) => a * b, 1)
    const isFree = Array.isArray(shape) && shape.filter(size => size === -1).length === 1
    // The free size counts as 1 here, so that all others are checked before they are multiplied.
    const given = checkShape(this.emitter, 'reshape', isFree ? shape.map(size => (size === -1 ? 1 : size)) : shape)
    const known = given.reduce((a, b) => a * b, 1)
    const to = isFree && count % known === 0 ? given.map((size, d) => (shape[d] === -1 ? count / known : size)) : given
    if (to.reduce((a, b) => a * b, 1) !== count) {
      this.emitter.fail(
        `reshape: ${printType(this.node.type)} has ${count} elements, [${shape.join(', ')}] has ${known}`,
        'the shapes must have equally many elements',
      )
    }
    return this.#reshaped(to)
  }

  /** The axes in the order of `permutation` (each once); without it, reversed. Throws KernelError if it is not a permutation. */
  transpose(permutation?: readonly number[]): TileValue {
    this.emitter.mark()
    const { rank } = this
    const axes = permutation ?? this.shape.map((_, d) => rank - 1 - d)
    if (!Array.isArray(axes))
      this.emitter.fail(`transpose: the permutation is ${describeAny(axes)}`, 'pass a list of axes, or nothing')
    const order = Array.from(axes, d => checkAxis(this.emitter, 'transpose', d, rank))
    if (new Set(order).size !== rank || order.length !== rank) {
      this.emitter.fail(`transpose: [${order.join(', ')}] is not a permutation of ${rank} axes`, 'name each axis once')
    }
    if (order.every((axis, d) => axis === d)) return this
    return this.#with(this.emitter.emit('transpose', [this.node], { permutation: order }))
  }

  /** Inserts an axis of size 1 before `axis` (at the end for -1). Throws KernelError when it is out of range. */
  expandDims(axis: number): TileValue {
    this.emitter.mark()
    const at = checkAxis(this.emitter, 'expandDims', axis, this.rank + 1)
    return this.#reshaped(this.shape.toSpliced(at, 0, 1))
  }

  /** Removes `axis`, which must have size 1. Throws KernelError for another size. */
  squeeze(axis: number): TileValue {
    this.emitter.mark()
    const at = checkAxis(this.emitter, 'squeeze', axis, this.rank)
    if (this.shape[at] !== 1) {
      this.emitter.fail(
        `squeeze: axis ${axis} of ${printType(this.node.type)} has size ${this.shape[at]}`,
        'only axes of size 1 can be removed',
      )
    }
    return this.#reshaped(this.shape.toSpliced(at, 1))
  }

  /** Axes of size 1 expanded to `shape`, and leading axes added. Throws KernelError when another size would change. */
  broadcastTo(shape: readonly number[]): TileValue {
    this.emitter.mark()
    const to = checkShape(this.emitter, 'broadcastTo', shape)
    const both = broadcastShape(this.emitter, 'broadcastTo', [
      tileType(this.node),
      { kind: 'tile', dtype: this.dtype, shape: to },
    ])
    if (both.length !== to.length || both.some((size, d) => size !== to[d])) {
      this.emitter.fail(
        `broadcastTo: ${printType(this.node.type)} does not broadcast to [${to.join(', ')}]`,
        'only axes of size 1 expand',
      )
    }
    return this.#with(expandTo(this.emitter, this.node, to))
  }

  /** For messages: the dtype and shape. */
  override toString(): string {
    return `tile ${printType(this.#node.type)}`
  }

  /** A tile in `a + b` or `if (a < b)` is a mistake that JavaScript would hide: the tile's value is not known yet. */
  [Symbol.toPrimitive](hint: string): string {
    if (hint === 'string') return this.toString()
    return this.emitter.fail(
      'a tile is used as a number, but its value is only known when the kernel runs',
      'use its methods: a.add(b) for a + b, a.lt(b) for a < b, t.if(condition, …) for if',
    )
  }

  /** A tile has neither a text nor elements that JavaScript could iterate over. */
  toJSON(): never {
    return this.emitter.fail(
      'a tile is converted to JSON, but its values are only known when the kernel runs',
      noValues,
    )
  }

  [Symbol.iterator](): never {
    return this.emitter.fail(
      'a tile is iterated over or destructured, but its values are only known when the kernel runs',
      noValues,
    )
  }

  #with(node: TileNode): TileValue {
    return new TileValue(this.emitter, node)
  }

  /**
   * How many elements have each of the values 0 … bins − 1; others are not counted.
   *
   * @param bins a power of two from 2 to 2048. The tile is [B] of integers, B ≥ 32
   * @returns [bins] of i32
   * @throws KernelError for another shape, dtype or number of bins
   */
  histogram(bins: number): TileValue {
    return this.#with(this.emitter.emit('histogram', [this.#bins('histogram', bins)], { bins }))
  }

  /**
   * The indices of the elements in the order of their values, equal values in the order of their indices: a stable sort by
   * bins. `x.take(x.to('i32').binOrder(bins))` is sorted. Values below 0 count as 0, those from `bins` on as bins − 1.
   *
   * @param bins a power of two from 2 to 2048. The tile is [B] of integers, B ≥ 32
   * @returns [B] of i32
   * @throws KernelError for another shape, dtype or number of bins
   */
  binOrder(bins: number): TileValue {
    return this.#with(this.emitter.emit('binOrder', [this.#bins('binOrder', bins)], { bins }))
  }

  /**
   * This tile's elements at `indices`; 0 where an index is outside.
   *
   * @param indices [B] of i32, B ≥ 2. This tile is [N], N ≥ 2
   * @returns [B] of this tile's dtype
   * @throws KernelError for other shapes or dtypes
   */
  take(indices: TileValue): TileValue {
    this.emitter.mark()
    const index =
      indices instanceof TileValue
        ? indices.node
        : this.emitter.fail('take: the indices are no tile', 'pass an i32 tile')
    for (const { shape } of [tileType(this.node), tileType(index)]) {
      if (shape.length !== 1 || shape[0] === 1)
        this.emitter.fail(
          `take: ${printType(this.node.type)} at ${printType(index.type)}`,
          'both have one axis, of at least 2 elements',
        )
    }
    if (tileType(index).dtype !== 'i32')
      this.emitter.fail(`take: the indices are ${tileType(index).dtype}`, `convert them with .to('i32')`)
    return this.#with(this.emitter.emit('take', [this.node, index], {}))
  }

  #bins(name: string, bins: number): TileNode {
    this.emitter.mark()
    const { dtype, shape } = tileType(this.node)
    if (dtype !== 'i32') this.emitter.fail(`${name}: the bins are ${dtype}`, `convert them with .to('i32')`)
    if (shape.length !== 1 || shape[0]! < minBinned)
      this.emitter.fail(
        `${name}: ${printType(this.node.type)}`,
        `the tile has one axis, of at least ${minBinned} elements`,
      )
    if (!Number.isInteger(Math.log2(bins)) || bins < 2 || bins > maxBins)
      this.emitter.fail(`${name}: ${bins} bins`, `give a power of two from 2 to ${maxBins}`)
    return this.node
  }

  /** This tile in another shape with as many elements. */
  #reshaped(shape: readonly number[]): TileValue {
    if (shape.length === this.rank && shape.every((size, d) => size === this.shape[d])) return this
    return this.#with(this.emitter.emit('reshape', [this.node], { shape }))
  }

  /** All elements along one axis. */
  #flat(): TileValue {
    this.emitter.mark()
    return this.#reshaped([this.shape.reduce((a, b) => a * b, 1)])
  }

  /** Narrow integers are summed and multiplied as i32, bool as i64, so that sums of many do not overflow. */
  #wideIntegers(): TileValue {
    this.emitter.mark()
    if (this.dtype === 'bool') return this.#with(castTo(this.emitter, this.node, 'i64'))
    return isFloat(this.dtype) || dtypes[this.dtype].bits >= 32
      ? this
      : this.#with(castTo(this.emitter, this.node, 'i32'))
  }

  #reduce(name: string, fn: ReductionName, axis: number | undefined, options?: ReduceOptions): TileValue {
    this.emitter.mark()
    const { keepdim } = optionsOf(this.emitter, name, options, ['keepdim'])
    const keeps = flagOf(this.emitter, name, 'keepdim', keepdim)
    const axes =
      axis === undefined ? this.shape.map((_, d) => d).reverse() : [checkAxis(this.emitter, name, axis, this.rank)]
    let node = widen(this.emitter, this.node)
    for (const at of axes) node = this.emitter.emit('reduce', [node], { fn, axis: at })
    const reduced = this.#with(node)
    return keeps ? reduced.#reshaped(this.shape.map((size, d) => (axes.includes(d) ? 1 : size))) : reduced
  }

  #scan(name: string, fn: ScanName, axis: number, options?: ScanOptions): TileValue {
    this.emitter.mark()
    const reverse = flagOf(this.emitter, name, 'reverse', optionsOf(this.emitter, name, options, ['reverse']).reverse)
    const at = checkAxis(this.emitter, name, axis, this.rank)
    return this.#with(this.emitter.emit('scan', [widen(this.emitter, this.node)], { fn, axis: at, reverse }))
  }
}

for (const fn of scalarOpNames) {
  Object.defineProperty(TileValue.prototype, fn, {
    value: function (this: TileValue, ...others: TileOperand[]): TileValue {
      this.emitter.mark()
      return scalarOpValue(this.emitter, fn, [this, ...others])
    },
  })
}

limitArguments(TileValue.prototype, {
  to: 1,
  bitcast: 1,
  clamp: 2,
  sum: 2,
  prod: 2,
  amax: 2,
  amin: 2,
  argmax: 2,
  argmin: 2,
  any: 2,
  all: 2,
  cumsum: 2,
  cumprod: 2,
  cummax: 2,
  cummin: 2,
  histogram: 1,
  binOrder: 1,
  take: 1,
  reshape: 1,
  transpose: 1,
  expandDims: 1,
  squeeze: 1,
  broadcastTo: 1,
})

/** A row of the scalar table on operands. Throws KernelError. */
export function scalarOpValue(emitter: Emitter, fn: ScalarOpName, operands: readonly TileOperand[]): TileValue {
  const inputs = operands.map(operand => operandNode(emitter, fn, operand))
  return new TileValue(emitter, applyScalarOp(emitter, fn, inputs))
}

/** The node of a tile, or the literal itself. Throws KernelError for anything else. */
export function operandNode(emitter: Emitter, op: string, operand: TileOperand): TileNode | Literal {
  if (isLiteral(operand)) return operand
  if (!(operand instanceof TileValue)) {
    const fix =
      (operand as unknown) instanceof ViewValue
        ? 'load a block of the view first: t.load(view, offsets, shape)'
        : 'pass a tile or a number'
    return emitter.fail(`${op}: an operand is ${describe(operand)}, not a tile`, fix)
  }
  if (operand.emitter !== emitter) emitter.fail(`${op}: an operand belongs to another kernel`, 'make it in this kernel')
  return operand.node
}

export const describe = (value: unknown): string =>
  value instanceof ViewValue || value instanceof TileValue ? value.toString() : describeAny(value)

/**
 * A tensor parameter in a kernel's body. `t.load`, `t.store`, `t.gather`, `t.scatter` and the atomic ops access its
 * elements; every access is checked against its sizes.
 */
export class ViewValue {
  constructor(
    /** For the compiler. */
    readonly emitter: Emitter,
    /** For the compiler. */
    readonly node: TileNode,
    /** The parameter's name. */
    readonly name: string,
  ) {}

  /** The dtype of its elements. */
  get dtype(): TensorDtype {
    return viewType(this.node).dtype as TensorDtype
  }

  /** Number of dims. */
  get rank(): number {
    return viewType(this.node).sizes.length
  }

  /** The view's size along `dim` (negative dims count from the end): an i64 scalar. Throws KernelError when out of range. */
  size(dim: number): TileValue {
    return this.#extent('size', dim)
  }

  /** The view's stride along `dim` in elements: an i64 scalar. Throws KernelError when out of range. */
  stride(dim: number): TileValue {
    return this.#extent('stride', dim)
  }

  /** For messages: the name, dtype and rank. */
  toString(): string {
    return `view '${this.name}' of ${this.dtype} with rank ${this.rank}`
  }

  /** Throws KernelError, as for a tile: the contents are known only when the kernel runs. */
  [Symbol.toPrimitive](hint: string): string {
    if (hint === 'string') return this.toString()
    return this.emitter.fail(`${this} is used as a number`, 'load a block of it: t.load(view, offsets, shape)')
  }

  /** Throws KernelError: the contents are known only when the kernel runs. */
  toJSON(): never {
    return this.emitter.fail(`${this} is converted to JSON`, 'read the tensor after the launch')
  }

  /** Throws KernelError, as `toJSON`. */
  [Symbol.iterator](): never {
    return this.emitter.fail(
      `${this} is iterated over or destructured`,
      'load a block of it: t.load(view, offsets, shape)',
    )
  }

  #extent(what: 'size' | 'stride', dim: number): TileValue {
    this.emitter.mark()
    const fixed = typeof dim === 'number' && dim < 0 ? dim + this.rank : dim
    if (!Number.isInteger(dim) || fixed < 0 || fixed >= this.rank) {
      this.emitter.fail(
        `${what}: dim ${shortText(dim)} of ${this}`,
        this.rank === 0 ? 'a view of rank 0 has no dims' : `use a dim in [${-this.rank}, ${this.rank - 1}]`,
      )
    }
    const known = viewType(this.node)[what === 'size' ? 'sizes' : 'strides'][fixed]
    const node =
      typeof known === 'number'
        ? this.emitter.emit('const', [], { dtype: 'i64', value: BigInt(known) })
        : this.emitter.emit(what, [this.node], { dim: fixed })
    return new TileValue(this.emitter, node)
  }
}

limitArguments(ViewValue.prototype, { size: 1, stride: 1 })

/**
 * ⌈a / b⌉ of numbers, for grids: `cdiv(x.size(0), BLOCK)`. In a body use `t.cdiv`.
 *
 * @param a the size
 * @param b the divisor, positive
 * @throws KernelError when an argument is not a number, or b is not positive
 */
export function cdiv(a: number | bigint, b: number | bigint): number {
  const [dividend, divisor]: readonly unknown[] = [a, b]
  if (!isCount(divisor) || !(divisor > 0))
    throw new KernelError(`cdiv: the divisor is ${shortText(divisor)}`, { fix: 'divide by a positive number' })
  if (dividend instanceof GridSize && Number.isInteger(b)) {
    const quotient = new GridSize(
      ceilDivSizes(dividend.size, Number(b)),
      Math.ceil(dividend.value / Number(b)),
      dividend.noteUse,
    )
    return quotient as unknown as number // as `a` was
  }
  if (!(dividend instanceof GridSize) && !isCount(dividend))
    throw new KernelError(`cdiv: the dividend is ${shortText(dividend)}`, { fix: 'divide a number or a size' })
  return Math.ceil(Number(a) / Number(b))
}

const isCount = (value: unknown): value is number | bigint => typeof value === 'number' || typeof value === 'bigint'
