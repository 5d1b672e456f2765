/**
 * The kernel language: `TileBuilder` is the `t` of a kernel's body. Its methods build tile IR (see ir.ts) and check for user
 * errors, which they report with the values, the line and the fix. Values are `TileValue`s; control flow takes functions
 * and carries values by name.
 */
import { describeAny } from '../base/describe.js'
import { type AtomicFn, type AtomicOrder, atomicFns, atomicOperands, atomicOrders, isAtomic } from '../scalar/atomic.js'
import { type ScalarOpName, scalarOpNames } from '../scalar/ops.js'
import { computeDtype, dtypes, isFloat, type TensorDtype } from '../types/dtype.js'
import { printType, type TileNode, tile, tileType } from './ir.js'
import {
  checkCount,
  indexedNodes,
  type MaskOptions,
  offsetNodes,
  scalarIndexNode,
  valueForView,
} from './language/access.js'
import { checkFunction, limitArguments, optionsOf } from './language/arguments.js'
import {
  type Carried,
  carriedNodes,
  conditionNode,
  otherNodes,
  type Returned,
  returnedNodes,
  returnedObject,
  type Values,
} from './language/control.js'
import { accumulatorOf, checkAccumulator, type DotOptions, dotAttrs, dotOperand } from './language/dot.js'
import { Emitter, type EmitterOptions } from './language/emitter.js'
import { castTo, checkAxis, checkDtype, checkShape, isLiteral, type Literal, literalNode } from './language/operands.js'
import { describe, operandNode, scalarOpValue, type TileOperand, TileValue, type ViewValue } from './language/value.js'

export type { MaskOptions } from './language/access.js'
export type { Carried, Returned, Values } from './language/control.js'
export type { DotOptions } from './language/dot.js'
export { Emitter, type EmitterOptions } from './language/emitter.js'
export type { Literal } from './language/operands.js'
export { cdiv, type ReduceOptions, type ScanOptions, type TileOperand, TileValue, ViewValue } from './language/value.js'

/** The atomics of one value. */
type FoldFn = Exclude<AtomicFn, 'compareExchange' | 'load'>
const foldFns: readonly AtomicFn[] = atomicFns.filter(fn => atomicOperands(fn) === 1)

/** `order`: with which of the program's other accesses an atomic is ordered, on the whole device. Default: relaxed, none. */
export interface AtomicOptions extends MaskOptions {
  readonly order?: AtomicOrder
}

/**
 * `t` of a kernel's body: program ids, constants, memory, dots and control flow. Shapes are lists of sizes known
 * when the kernel is built. Every method throws KernelError, with the user's line, when a rule of the language is broken.
 */
export class TileBuilder {
  /** For the compiler. */
  readonly emitter: Emitter

  constructor(options: EmitterOptions) {
    this.emitter = new Emitter(options)
  }

  // Program ids and constants.

  /** This instance's index along `axis` of the grid, from 0: an i64 scalar. */
  programId(axis: 0 | 1 | 2): TileValue {
    this.emitter.mark()
    return this.#value(this.emitter.emit('programId', [], { axis: this.#gridAxis('programId', axis) }))
  }

  /** The grid's size along `axis`: an i64 scalar. */
  numPrograms(axis: 0 | 1 | 2): TileValue {
    this.emitter.mark()
    return this.#value(this.emitter.emit('numPrograms', [], { axis: this.#gridAxis('numPrograms', axis) }))
  }

  /** A scalar constant: `value` as `dtype`. Throws KernelError when the dtype cannot represent it. */
  const(value: Literal, dtype: TensorDtype): TileValue {
    this.emitter.mark()
    const to = checkDtype(this.emitter, 'const', dtype)
    if (!isLiteral(value))
      this.emitter.fail(`const: the value is ${describe(value)}`, 'pass a number, a bigint, or a bool')
    return this.#value(literalNode(this.emitter, 'const', value, to))
  }

  /** A tile of `shape` filled with `value`: a literal, or a scalar of `dtype`. */
  full(shape: readonly number[], value: TileOperand, dtype: TensorDtype): TileValue {
    this.emitter.mark()
    const to = checkDtype(this.emitter, 'full', dtype)
    const operand = operandNode(this.emitter, 'full', value)
    const node = isLiteral(operand) ? literalNode(this.emitter, 'full', operand, to) : operand
    if (tileType(node).dtype !== to) {
      this.emitter.fail(`full: the value is ${tileType(node).dtype}, the tile ${to}`, `convert it with .to('${to}')`)
    }
    return this.#value(node).broadcastTo(shape)
  }

  /** A tile of zeros (or false) of `shape` and `dtype`. */
  zeros(shape: readonly number[], dtype: TensorDtype): TileValue {
    return this.full(shape, dtype === 'bool' ? false : 0, dtype)
  }

  /** 0, 1, … length − 1: a tile [length] of `dtype` (default i64). Throws KernelError when the dtype cannot represent them all. */
  iota(length: number, dtype: TensorDtype = 'i64'): TileValue {
    this.emitter.mark()
    const to = checkDtype(this.emitter, 'iota', dtype)
    checkShape(this.emitter, 'iota', [length])
    const largest = isFloat(to) ? 2 ** dtypes[to].digits : dtypes[to].max
    if (length - 1 > largest) {
      this.emitter.fail(
        `iota: ${to} cannot represent all of 0 … ${length - 1}`,
        `use 'i64' and convert what you compute from it`,
      )
    }
    const wide = computeDtype(to)
    return this.#value(castTo(this.emitter, this.emitter.emit('iota', [], { length, dtype: wide }), to))
  }

  // Elementwise.

  /**
   * The elementwise op called `fn` on its `operands`, which broadcast: `t.map('add', a, b)` is `a.add(b)`. For ops on literals
   * only, and for op names that are data.
   */
  map(fn: ScalarOpName, ...operands: TileOperand[]): TileValue {
    this.emitter.mark()
    if (!(scalarOpNames as readonly unknown[]).includes(fn))
      this.emitter.fail(`map: no scalar op ${describeAny(fn)}`, 'see the table of scalar ops')
    return scalarOpValue(this.emitter, fn, operands)
  }

  /** condition ? a : b, elementwise; the three broadcast. `condition` is bool, `a` and `b` have one dtype, the result's. */
  where(condition: TileOperand, a: TileOperand, b: TileOperand): TileValue {
    return this.map('where', condition, a, b)
  }

  /** ⌈a / b⌉ for integers, elementwise, with positive `b`; the dtype of `a`. */
  cdiv(a: TileValue, b: TileOperand): TileValue {
    this.emitter.mark()
    const dividend = this.#value(this.#tile('cdiv', a))
    const divisor = operandNode(this.emitter, 'cdiv', b)
    if (isLiteral(divisor)) {
      if (
        typeof divisor === 'boolean' ||
        !(divisor > 0) ||
        (typeof divisor === 'number' && !Number.isSafeInteger(divisor))
      )
        this.emitter.fail(`cdiv: the divisor is ${divisor}`, 'divide by a positive integer')
      return dividend.add(BigInt(divisor) - 1n).floorDiv(b)
    }
    return dividend.add(this.#value(divisor).sub(1)).floorDiv(b)
  }

  // Memory.

  /**
   * The block of `shape` of a view that starts at `offsets`: a tile of the view's dtype. Memory outside the view is not
   * read.
   *
   * @param view a tensor parameter of n dims
   * @param offsets n integer scalars or numbers: the block's start, in elements
   * @param shape n sizes; 1 for a single index
   * @param options `padding`: the value of elements outside the view, a scalar of its dtype; 0 by default
   * @returns a tile of `shape`
   * @throws KernelError when offsets or shape are not n, or an offset is a tile (use `gather`)
   */
  load(
    view: ViewValue,
    offsets: readonly TileOperand[],
    shape: readonly number[],
    options?: { readonly padding?: TileOperand },
  ): TileValue {
    this.emitter.mark()
    const { padding: outside } = optionsOf(this.emitter, 'load', options, ['padding'])
    const at = offsetNodes(this.emitter, 'load', view, offsets)
    const block = checkShape(this.emitter, 'load', shape)
    if (block.length !== view.rank) {
      this.emitter.fail(
        `load: a block of rank ${block.length}, [${block.join(', ')}], from ${view}`,
        'give one size per dim, 1 where a single index is meant, and .reshape what you get',
      )
    }
    const padding = outside === undefined ? [] : [valueForView(this.emitter, 'load: padding', view, outside, [])]
    return this.#value(this.emitter.emit('load', [view.node, ...at, ...padding], { shape: block }))
  }

  /**
   * Writes a block into a view; elements outside the view are dropped. No two programs may write the same element.
   *
   * @param view a tensor parameter of n dims
   * @param offsets n integer scalars or numbers: the block's start, in elements
   * @param value a tile of n axes and the view's dtype; a scalar is a block of one element
   * @param options `ends`: n end indices, from which on nothing is written; null, the default, is the view's size
   * @throws KernelError for another dtype or rank
   */
  store(
    view: ViewValue,
    offsets: readonly TileOperand[],
    value: TileOperand,
    options?: { readonly ends?: readonly (TileOperand | null)[] },
  ): void {
    this.emitter.mark()
    const at = offsetNodes(this.emitter, 'store', view, offsets)
    const { ends: given } = optionsOf(this.emitter, 'store', options, ['ends'])
    if (given !== undefined) checkCount(this.emitter, 'store', view, 'ends', given)
    const ends = given?.map((end, d) => end ?? view.size(d))
    const until = ends === undefined ? [] : offsetNodes(this.emitter, 'store', view, ends, 'ends')
    let node = valueForView(this.emitter, 'store', view, value, null)
    const { shape } = tileType(node)
    if (shape.length === 0 && view.rank > 0) {
      node = this.emitter.emit('reshape', [node], { shape: new Array<number>(view.rank).fill(1) })
    } else if (shape.length !== view.rank) {
      this.emitter.fail(
        `store: a tile of rank ${shape.length}, ${printType(node.type)}, into ${view}`,
        'add the missing axes with .expandDims(axis), so that the tile has one axis per dim of the view',
      )
    }
    this.emitter.emit('store', [view.node, ...at, ...until, node], {})
  }

  /**
   * Gathers elements of a view at arbitrary indices.
   *
   * @param view a tensor parameter of n dims
   * @param indices n integer tiles, which broadcast together
   * @param options `mask`: bool, broadcasts with the indices; false elements are not read. Default: all true
   * @returns a tile of the broadcast shape and the view's dtype; 0 where masked out or out of bounds
   * @throws KernelError when the indices are not n integers, or do not broadcast
   */
  gather(view: ViewValue, indices: readonly TileOperand[], options?: MaskOptions): TileValue {
    this.emitter.mark()
    const nodes = indexedNodes(this.emitter, 'gather', view, indices, options, [])
    return this.#value(this.emitter.emit('gather', [view.node, ...nodes], {}))
  }

  /**
   * Scatters elements to arbitrary indices of a view. If two indices are equal, it is undefined which value wins.
   *
   * @param view a tensor parameter of n dims
   * @param indices n integer tiles
   * @param value of the view's dtype; broadcasts with the indices
   * @param options `mask`: bool; false and out-of-bounds elements are not written. Default: all true
   * @throws KernelError when the indices are not n integers, or the value has another dtype
   */
  scatter(view: ViewValue, indices: readonly TileOperand[], value: TileOperand, options?: MaskOptions): void {
    this.emitter.mark()
    const nodes = indexedNodes(this.emitter, 'scatter', view, indices, options, [value])
    this.emitter.emit('scatter', [view.node, ...nodes], {})
  }

  /**
   * Atomically view[indices] += value; returns the old values, 0 where masked out or out of bounds. Operands as in `scatter`;
   * indices may be equal. Views of f64, f32, i64, i32, f16 or bf16. The order of programs is undefined, so the last bits of
   * float sums are too. `order`: with which of the program's other accesses it is ordered; relaxed, with none.
   */
  atomicAdd(view: ViewValue, indices: readonly TileOperand[], value: TileOperand, options?: AtomicOptions): TileValue {
    return this.#atomic('atomicAdd', 'add', view, indices, [value], options)
  }

  /** Atomically view[indices] *= value; returns the old values. Operands, dtypes and rounding as `atomicAdd`. */
  atomicMul(view: ViewValue, indices: readonly TileOperand[], value: TileOperand, options?: AtomicOptions): TileValue {
    return this.#atomic('atomicMul', 'mul', view, indices, [value], options)
  }

  /** Atomically view[indices] = min(view[indices], value); returns the old values. Operands and dtypes as `atomicAdd`. */
  atomicMin(view: ViewValue, indices: readonly TileOperand[], value: TileOperand, options?: AtomicOptions): TileValue {
    return this.#atomic('atomicMin', 'min', view, indices, [value], options)
  }

  /** Atomically view[indices] = max(view[indices], value); returns the old values. Operands and dtypes as `atomicAdd`. */
  atomicMax(view: ViewValue, indices: readonly TileOperand[], value: TileOperand, options?: AtomicOptions): TileValue {
    return this.#atomic('atomicMax', 'max', view, indices, [value], options)
  }

  /**
   * Atomically view[indices] = fn(view[indices], value), for names that are data: `t.atomic('add', …)` is `t.atomicAdd(…)`.
   *
   * @param fn 'add', 'mul', 'min', 'max' or 'exchange'
   * @param view a tensor parameter of n dims: f64, f32, i64 or i32
   * @param indices n integer tiles, which broadcast together; equal ones are folded in any order
   * @param value of the view's dtype; broadcasts with the indices
   * @param options `mask`: bool; false and out-of-bounds elements are not written. Default: all true
   * @returns the old values; 0 where masked out or out of bounds
   * @throws KernelError for another fn, when the indices are not n integers, or when the value has another dtype
   */
  atomic(
    fn: FoldFn,
    view: ViewValue,
    indices: readonly TileOperand[],
    value: TileOperand,
    options?: AtomicOptions,
  ): TileValue {
    this.emitter.mark()
    if (!foldFns.includes(fn)) this.emitter.fail(`atomic: fn is ${describeAny(fn)}`, `use one of ${foldFns.join(', ')}`)
    return this.#atomic('atomic', fn, view, indices, [value], options)
  }

  /** Atomically swaps view[indices] with value; returns the old values. Operands and dtypes as `atomicAdd`. */
  atomicExchange(
    view: ViewValue,
    indices: readonly TileOperand[],
    value: TileOperand,
    options?: AtomicOptions,
  ): TileValue {
    return this.#atomic('atomicExchange', 'exchange', view, indices, [value], options)
  }

  /**
   * Atomically puts `value` at view[indices] where `expected` is found there; returns the old values: where they are the
   * expected ones, the value was put. Operands as in `scatter`. Views of i64 or i32.
   */
  atomicCompareExchange(
    view: ViewValue,
    indices: readonly TileOperand[],
    expected: TileOperand,
    value: TileOperand,
    options?: AtomicOptions,
  ): TileValue {
    return this.#atomic('atomicCompareExchange', 'compareExchange', view, indices, [expected, value], options)
  }

  /**
   * The elements at view[indices] as other programs' atomics have left them, 0 where masked out or out of bounds: in
   * `t.while`, waits for another program. Programs start in any order and some only when others have ended, so one may
   * wait only for those that have surely started: that took a smaller number from a counter by `atomicAdd`. Indices as in
   * `gather`. Views of f64, f32, i64 or i32.
   *
   * @throws KernelError when the order is 'release' or 'acquireRelease': a load writes nothing to release
   */
  atomicLoad(view: ViewValue, indices: readonly TileOperand[], options?: AtomicOptions): TileValue {
    return this.#atomic('atomicLoad', 'load', view, indices, [], options)
  }

  /**
   * The matrix product a · b + acc; uses tensor cores where shapes and dtypes allow it.
   *
   * @param a [M, K]
   * @param b [K, N], of the dtype of `a`
   * @param acc [M, N] of the accumulator's dtype: f32 or f64 for floats, f64 for f64, i32 for integers of at most 32 bits.
   *   Default: zeros
   * @param options `codes`: a and b are u8, the codes of these 8-bit floats, and sums are f32. `precision`: 'tf32' allows f32
   *   operands to be rounded for a GPU's tensor cores; default 'f32': exact products
   * @returns [M, N]; the dtype of `acc`
   * @throws KernelError when dtypes or shapes do not fit
   */
  dot(a: TileValue, b: TileValue, acc?: TileValue, options?: DotOptions): TileValue {
    this.emitter.mark()
    const [x, y] = [a, b].map(operand => this.#tile('dot', operand)) as [TileNode, TileNode]
    const [left, right] = [tileType(x), tileType(y)]
    const attrs = dotAttrs(this.emitter, options, [left.dtype, right.dtype])
    if (left.shape.length !== 2 || right.shape.length !== 2 || left.shape[1] !== right.shape[0]) {
      this.emitter.fail(
        `dot: ${printType(left)} · ${printType(right)}`,
        'needs [M, K] · [K, N]; .transpose() swaps the axes of a tile, .expandDims(axis) makes a vector a matrix',
      )
    }
    const shape = [left.shape[0]!, right.shape[1]!]
    const sum = acc === undefined ? this.zeros(shape, accumulatorOf(left.dtype, attrs)).node : this.#tile('dot', acc)
    checkAccumulator(this.emitter, left, tileType(sum), shape, attrs)
    const operands = [x, y].map(operand => dotOperand(this.emitter, operand))
    return this.#value(this.emitter.emit('dot', [...operands, sum], attrs))
  }

  // Control flow.

  /**
   * Runs `body` with a counter, an i64 scalar, from `from` (inclusive) to `to` (exclusive) by `step` (positive). Values that
   * change between iterations are `carried`: an object of tiles. Each iteration returns their next values under the same names,
   * with the same dtypes and shapes; `range` returns the values after the last iteration (the initial ones if there is none).
   *
   * @param from an integer scalar or number
   * @param to an integer scalar or number
   * @param step an integer scalar or number, positive
   * @param carried tiles by name; without it the body returns nothing
   * @param body takes the counter and the carried values, and returns the next ones
   * @returns the carried values after the last iteration
   * @throws KernelError when the body returns other names, dtypes or shapes
   */
  range(from: TileOperand, to: TileOperand, step: TileOperand, body: (index: TileValue) => void): void
  range<C extends Carried>(
    from: TileOperand,
    to: TileOperand,
    step: TileOperand,
    carried: C,
    body: (index: TileValue, carried: Values<C>) => Returned<C>,
  ): Values<C>
  range<C extends Carried>(
    from: TileOperand,
    to: TileOperand,
    step: TileOperand,
    carriedOrBody: C | ((index: TileValue) => void),
    body?: (index: TileValue, carried: Values<C>) => Returned<C>,
  ): Values<C> | undefined {
    this.emitter.mark()
    if (typeof carriedOrBody === 'function') {
      checkFunction(this.emitter, 'range', 'the body', carriedOrBody)
      const inner = (index: TileValue): Returned<Carried> =>
        returnedObject(this.emitter, 'range', carriedOrBody(index)) ?? {}
      this.#range([from, to, step], {}, inner)
      return undefined
    }
    checkFunction(this.emitter, 'range', 'the body', body)
    return this.#range([from, to, step], carriedOrBody, body as never) as Values<C>
  }

  /**
   * Runs `body` while `condition` holds for the carried values.
   *
   * @param carried tiles by name
   * @param condition takes the carried values, and returns a bool scalar
   * @param body takes the carried values, and returns the next ones, with the same names, dtypes and shapes
   * @returns the carried values for which the condition was false
   * @throws KernelError when the body returns other names, dtypes or shapes, or the condition is not a scalar
   */
  while<C extends Carried>(
    carried: C,
    condition: (carried: Values<C>) => TileOperand,
    body: (carried: Values<C>) => Returned<C>,
  ): Values<C> {
    this.emitter.mark()
    const initial = carriedNodes(this.emitter, 'while', carried)
    checkFunction(this.emitter, 'while', 'the condition', condition)
    checkFunction(this.emitter, 'while', 'the body', body)
    const enter = (): { params: TileNode[]; values: Values<C> } => {
      const params = initial.map(node => this.emitter.param(tileType(node)))
      return { params, values: this.#named(carried, params) }
    }
    const test = this.emitter.block('condition of a loop', () => {
      const { params, values } = enter()
      return { params, results: [conditionNode(this.emitter, 'while', condition(values))], result: null }
    })
    const iteration = this.emitter.block('loop', () => {
      const { params, values } = enter()
      return { params, results: returnedNodes(this.emitter, 'while', carried, body(values)), result: null }
    })
    return this.#items(carried, this.emitter.emit('while', initial, {}, [test.block, iteration.block]))
  }

  /**
   * Runs `then` or `otherwise`, by a `condition` that is a bool scalar (for tiles: `where`). Returns their values; both return
   * values with the same names, dtypes and shapes, or both return nothing.
   *
   * @throws KernelError when the condition is a tile, or the branches give other names, dtypes or shapes
   */
  if<C extends Carried>(condition: TileOperand, then: () => C, otherwise: () => Returned<C>): Values<C>
  if(condition: TileOperand, then: () => void, otherwise?: () => void): void
  if<C extends Carried>(condition: TileOperand, then: () => unknown, otherwise?: () => unknown): Values<C> | undefined {
    this.emitter.mark()
    const test = conditionNode(this.emitter, 'if', condition)
    checkFunction(this.emitter, 'if', 'the first branch', then)
    if (otherwise !== undefined) checkFunction(this.emitter, 'if', 'the other branch', otherwise)
    const taken = this.emitter.block('branch', () => {
      const values = returnedObject(this.emitter, 'if', then()) as C | undefined
      const results = values === undefined ? [] : carriedNodes(this.emitter, 'if', values)
      return { params: [], results, result: values }
    })
    const { result: values } = taken
    const other = this.emitter.block('branch', () => {
      const returned = returnedObject(this.emitter, 'if', otherwise?.()) as Returned<C> | undefined
      return { params: [], results: otherNodes(this.emitter, values, returned), result: null }
    })
    const node = this.emitter.emit('if', [test], {}, [taken.block, other.block])
    return values === undefined ? undefined : this.#items(values, node)
  }

  // Helpers of the methods above.

  #value(node: TileNode): TileValue {
    return new TileValue(this.emitter, node)
  }

  #gridAxis(op: string, axis: 0 | 1 | 2): 0 | 1 | 2 {
    return checkAxis(this.emitter, op, axis, 3) as 0 | 1 | 2
  }

  #tile(op: string, operand: TileOperand): TileNode {
    const node = operandNode(this.emitter, op, operand)
    return isLiteral(node) ? this.emitter.fail(`${op}: ${String(node)} is a literal, not a tile`, 'pass a tile') : node
  }

  #atomic(
    op: string,
    fn: AtomicFn,
    view: ViewValue,
    indices: readonly TileOperand[],
    values: readonly TileOperand[],
    given: AtomicOptions | undefined,
  ): TileValue {
    this.emitter.mark()
    const { order = 'relaxed', mask } = optionsOf(this.emitter, op, given, ['mask', 'order'])
    if (!atomicOrders.includes(order))
      this.emitter.fail(`${op}: the order is ${describeAny(order)}`, `use one of ${atomicOrders.join(', ')}`)
    if (fn === 'load' && (order === 'release' || order === 'acquireRelease'))
      this.emitter.fail(
        `${op}: the order is '${order}', but a load writes nothing to release`,
        "use 'acquire' or 'relaxed'",
      )
    const nodes = indexedNodes(this.emitter, op, view, indices, mask === undefined ? {} : { mask }, values)
    const { dtype } = view
    if (!isAtomic(fn, dtype)) {
      const known = Object.keys(dtypes).filter(each => isAtomic(fn, each as TensorDtype))
      this.emitter.fail(`${op}: not defined on views of ${dtype}`, `use a view of ${known.join(', ')}`)
    }
    return this.#value(this.emitter.emit('atomic', [view.node, ...nodes], order === 'relaxed' ? { fn } : { fn, order }))
  }

  #range(
    bounds: readonly [TileOperand, TileOperand, TileOperand],
    carried: Carried,
    body: (index: TileValue, carried: Carried) => Returned<Carried>,
  ): Carried {
    const [, , step] = bounds
    if (isLiteral(step) && !(Number(step) > 0))
      this.emitter.fail(`range: the step is ${step}`, 'the step is positive; count up and subtract')
    const scalars = bounds.map(bound => scalarIndexNode(this.emitter, 'range', bound)) as [TileNode, TileNode, TileNode]
    const initial = carriedNodes(this.emitter, 'range', carried)
    const index = this.#indexBounds(scalars)
    const { block } = this.emitter.block('loop', () => {
      const counter = this.emitter.param(tile('i64'))
      const params = initial.map(node => this.emitter.param(tileType(node)))
      const returned = body(this.#value(index.of(counter)), this.#named(carried, params))
      const results = returnedNodes(this.emitter, 'range', carried, returned)
      return { params: [counter, ...params], results, result: null }
    })
    return this.#items(carried, this.emitter.emit('range', [...index.scalars, ...initial], {}, [block]))
  }

  /**
   * The bounds of a loop, and the function from its counter to its index. If the index could reach the limits of i64, where it
   * would wrap and the loop never end, the loop counts iterations from 0 instead.
   */
  #indexBounds([from, to, step]: [TileNode, TileNode, TileNode]): {
    readonly scalars: readonly TileNode[]
    readonly of: (counter: TileNode) => TileNode
  } {
    const { bounds } = this.emitter
    if (bounds === null) {
      const of = (counter: TileNode): TileNode => {
        this.emitter.counters.set(counter, [from, step])
        return counter
      }
      return { scalars: [from, to, step], of }
    }
    const [start, end, stride] = [from, to, step].map(node => this.#value(node)) as [TileValue, TileValue, TileValue]
    if (bounds.staysWithin(from, to, step)) {
      // A step that is not positive would loop forever: run no iteration instead.
      const until = bounds.isPositive(step) ? to : this.where(stride.gt(0), end, start).node
      const of = (counter: TileNode): TileNode => {
        bounds.count(counter, from, to)
        return counter
      }
      return { scalars: [from, until, step], of }
    }
    // Positive if there is an iteration at all; a distance that overflows i64 counts as the largest.
    const distance = end.sub(start)
    const least = this.where(distance.gt(0), distance, 2n ** 63n - 1n)
    const iterations = this.where(start.lt(end), least.sub(1).floorDiv(stride.max(1)).add(1), 0)
    const isStep = stride.gt(0)
    return {
      // The interpreter reports steps that are not positive.
      scalars: [this.const(0, 'i64'), this.where(isStep, iterations, 0), this.where(isStep, 1, stride)].map(
        ({ node }) => node,
      ),
      of: counter => start.add(this.#value(counter).mul(stride)).node,
    }
  }

  #named<C extends Carried>(carried: C, nodes: readonly TileNode[]): Values<C> {
    return Object.fromEntries(Object.keys(carried).map((name, i) => [name, this.#value(nodes[i]!)])) as Values<C>
  }

  #items<C extends Carried>(carried: C, node: TileNode): Values<C> {
    const items = Object.keys(carried).map((_, index) => this.emitter.emit('item', [node], { index }))
    return this.#named(carried, items)
  }
}

limitArguments(TileBuilder.prototype, {
  programId: 1,
  numPrograms: 1,
  const: 2,
  full: 3,
  zeros: 2,
  iota: 2,
  where: 3,
  cdiv: 2,
  load: 4,
  store: 4,
  gather: 3,
  scatter: 4,
  atomic: 5,
  atomicAdd: 4,
  atomicMul: 4,
  atomicMin: 4,
  atomicMax: 4,
  atomicExchange: 4,
  atomicCompareExchange: 5,
  atomicLoad: 3,
  dot: 4,
  range: 5,
  while: 3,
  if: 3,
})
