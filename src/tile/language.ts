/**
 * The kernel language: `TileBuilder` is the `t` of a kernel's body. Its methods make tile IR (see ir.ts) and check what
 * a person may get wrong, with the values, the line and the fix. Values are `TileValue`s; control flow takes functions
 * and carries values by name.
 */
import { accepts, type ScalarOpName, scalarOp } from '../scalar/ops.js'
import { type Dtype, dtypes, isFloat, type TensorDtype } from '../types/dtype.js'
import { printType, type TileBlock, type TileNode, type TileType, tile, tileType, viewType } from './ir.js'
import { Emitter, type EmitterOptions } from './language/emitter.js'
import {
  broadcastShape,
  castTo,
  checkAxis,
  checkDtype,
  checkShape,
  isLiteral,
  type Literal,
  literalNode,
  stretch,
} from './language/operands.js'
import { describe, type Operand, operandNode, scalarOpValue, TileValue, ViewValue } from './language/value.js'

export { Emitter, type EmitterOptions } from './language/emitter.js'
export type { Literal } from './language/operands.js'
export { cdiv, type Operand, type ReduceOptions, type ScanOptions, TileValue, ViewValue } from './language/value.js'

/** Values that control flow carries or gives, by name. */
export type Carried = { readonly [name: string]: TileValue }
/** What a body returns for carried values: literals take the carried value's dtype. */
export type Returned<C extends Carried> = { readonly [K in keyof C]: Operand }
export type Values<C extends { readonly [name: string]: Operand }> = { readonly [K in keyof C]: TileValue }

type AtomicFn = 'add' | 'min' | 'max' | 'exchange'

export interface MaskOptions {
  /** Elements where it is false are not touched (and read as 0). */
  readonly mask?: Operand
}

export class TileBuilder {
  readonly emitter: Emitter

  constructor(options: EmitterOptions) {
    this.emitter = new Emitter(options)
  }

  // Places and constants.

  /** This instance's place along an axis of the grid: an i64 scalar. */
  programId(axis: 0 | 1 | 2): TileValue {
    this.emitter.mark()
    return this.#value(this.emitter.emit('programId', [], { axis: this.#gridAxis('programId', axis) }))
  }

  /** The grid's size along an axis: an i64 scalar. */
  numPrograms(axis: 0 | 1 | 2): TileValue {
    this.emitter.mark()
    return this.#value(this.emitter.emit('numPrograms', [], { axis: this.#gridAxis('numPrograms', axis) }))
  }

  /** A scalar constant. Throws KernelError when the dtype cannot hold the value. */
  const(value: Literal, dtype: TensorDtype): TileValue {
    this.emitter.mark()
    return this.#value(literalNode(this.emitter, 'const', value, checkDtype(this.emitter, 'const', dtype)))
  }

  /** A tile that holds one value everywhere. */
  full(shape: readonly number[], value: Operand, dtype: TensorDtype): TileValue {
    this.emitter.mark()
    const to = checkDtype(this.emitter, 'full', dtype)
    const operand = operandNode(this.emitter, 'full', value)
    const node = isLiteral(operand) ? literalNode(this.emitter, 'full', operand, to) : operand
    if (tileType(node).dtype !== to) {
      this.emitter.fail(`full: the value is ${tileType(node).dtype}, the tile ${to}`, `convert it with .to('${to}')`)
    }
    return this.#value(node).broadcastTo(shape)
  }

  zeros(shape: readonly number[], dtype: TensorDtype): TileValue {
    return this.full(shape, dtype === 'bool' ? false : 0, dtype)
  }

  /** 0, 1, … length − 1, as a tile of rank 1. */
  iota(length: number, dtype: TensorDtype = 'i64'): TileValue {
    this.emitter.mark()
    const to = checkDtype(this.emitter, 'iota', dtype)
    checkShape(this.emitter, 'iota', [length])
    const largest = { f64: 2 ** 53, f32: 2 ** 24, f16: 2 ** 11, bf16: 2 ** 8 }[to as string] ?? dtypes[to].max
    if (length - 1 > largest) {
      this.emitter.fail(
        `iota: ${to} does not hold all of 0 … ${length - 1}`,
        `use 'i64' and convert what you compute from it`,
      )
    }
    const wide = isFloat(to) && dtypes[to].bits === 16 ? 'f32' : to
    return this.#value(castTo(this.emitter, this.emitter.emit('iota', [], { length, dtype: wide }), to))
  }

  // Elementwise.

  /** Any row of the scalar table by name: `t.map('add', a, b)`. */
  map(fn: ScalarOpName, ...operands: Operand[]): TileValue {
    this.emitter.mark()
    if (scalarOp(fn) === undefined) this.emitter.fail(`map: no scalar op '${fn}'`, 'see the table of scalar ops')
    return scalarOpValue(this.emitter, fn, operands)
  }

  /** condition ? a : b, elementwise. */
  where(condition: Operand, a: Operand, b: Operand): TileValue {
    return this.map('where', condition, a, b)
  }

  /** Division of integers rounding up, for a positive divisor. */
  cdiv(a: TileValue, b: Operand): TileValue {
    const divisor = operandNode(this.emitter, 'cdiv', b)
    const less = isLiteral(divisor) ? BigInt(divisor) - 1n : this.#value(divisor).sub(1)
    return a.add(less).floorDiv(b)
  }

  // Memory.

  /**
   * The block of `shape` that starts at `offsets` (one per dim; integers). Elements outside the view are `padding`
   * (default 0). Throws KernelError when offsets or shape do not have the view's rank.
   */
  load(
    view: ViewValue,
    offsets: readonly Operand[],
    shape: readonly number[],
    options: { readonly padding?: Operand } = {},
  ): TileValue {
    this.emitter.mark()
    const at = this.#offsets('load', view, offsets)
    const block = checkShape(this.emitter, 'load', shape)
    if (block.length !== view.rank) {
      this.emitter.fail(
        `load: a block of rank ${block.length}, [${block.join(', ')}], from ${view}`,
        'give one size per dim, 1 where a single index is meant, and .reshape what you get',
      )
    }
    const padding = options.padding === undefined ? [] : [this.#ofView('load: padding', view, options.padding, [])]
    return this.#value(this.emitter.emit('load', [view.node, ...at, ...padding], { shape: block }))
  }

  /**
   * Writes a block at `offsets`; elements outside the view are dropped. The value has the view's dtype and rank; a
   * scalar is a block of ones. Throws KernelError otherwise.
   */
  store(view: ViewValue, offsets: readonly Operand[], value: Operand): void {
    this.emitter.mark()
    const at = this.#offsets('store', view, offsets)
    let node = this.#ofView('store', view, value, null)
    const { shape } = tileType(node)
    if (shape.length === 0 && view.rank > 0) {
      node = this.emitter.emit('reshape', [node], { shape: new Array<number>(view.rank).fill(1) })
    } else if (shape.length !== view.rank) {
      this.emitter.fail(
        `store: a tile of rank ${shape.length}, ${printType(node.type)}, into ${view}`,
        'add the missing axes with .expandDims(axis), so that the tile has one axis per dim of the view',
      )
    }
    this.emitter.emit('store', [view.node, ...at, node], {})
  }

  /** Elements at `indices` (one integer tile per dim, broadcast together); masked out or out of bounds: 0. */
  gather(view: ViewValue, indices: readonly Operand[], options: MaskOptions = {}): TileValue {
    this.emitter.mark()
    const { nodes } = this.#indexed('gather', view, indices, options)
    return this.#value(this.emitter.emit('gather', [view.node, ...nodes], {}))
  }

  /** Writes elements at `indices`; masked out or out of bounds: dropped. If two indices are equal, which one wins is open. */
  scatter(view: ViewValue, indices: readonly Operand[], value: Operand, options: MaskOptions = {}): void {
    this.emitter.mark()
    const { nodes } = this.#indexed('scatter', view, indices, options, value)
    this.emitter.emit('scatter', [view.node, ...nodes], {})
  }

  /** view[indices] += value, indivisibly; gives the old values (0 where masked out or out of bounds). */
  atomicAdd(view: ViewValue, indices: readonly Operand[], value: Operand, options?: MaskOptions): TileValue {
    return this.#atomic('atomicAdd', 'add', view, indices, value, options)
  }

  /** view[indices] = min(view[indices], value), indivisibly; gives the old values. */
  atomicMin(view: ViewValue, indices: readonly Operand[], value: Operand, options?: MaskOptions): TileValue {
    return this.#atomic('atomicMin', 'min', view, indices, value, options)
  }

  /** view[indices] = max(view[indices], value), indivisibly; gives the old values. */
  atomicMax(view: ViewValue, indices: readonly Operand[], value: Operand, options?: MaskOptions): TileValue {
    return this.#atomic('atomicMax', 'max', view, indices, value, options)
  }

  /** Swaps view[indices] with value, indivisibly; gives the old values. */
  atomicExchange(view: ViewValue, indices: readonly Operand[], value: Operand, options?: MaskOptions): TileValue {
    return this.#atomic('atomicExchange', 'exchange', view, indices, value, options)
  }

  /**
   * a·b + acc for a [M, K] and b [K, N] of one dtype. Accumulates in `acc`'s dtype; without acc, in f32 (f64 for f64,
   * i32 for integers). Throws KernelError when dtypes or shapes do not fit.
   */
  dot(a: TileValue, b: TileValue, acc?: TileValue): TileValue {
    this.emitter.mark()
    const [x, y] = [a, b].map(operand => this.#tile('dot', operand)) as [TileNode, TileNode]
    const [left, right] = [tileType(x), tileType(y)]
    if (left.dtype !== right.dtype) {
      this.emitter.fail(
        `dot: operands are ${left.dtype} and ${right.dtype}`,
        `convert one, for example .to('${left.dtype}')`,
      )
    }
    if (left.shape.length !== 2 || right.shape.length !== 2 || left.shape[1] !== right.shape[0]) {
      this.emitter.fail(
        `dot: ${printType(left)} · ${printType(right)}`,
        'needs [M, K] · [K, N]; .transpose() swaps the axes of a tile, .expandDims(axis) makes a vector a matrix',
      )
    }
    const shape = [left.shape[0]!, right.shape[1]!]
    const sum = acc === undefined ? this.zeros(shape, accumulatorOf(left.dtype)).node : this.#tile('dot', acc)
    this.#checkAccumulator(left, tileType(sum), shape)
    return this.#value(this.emitter.emit('dot', [x, y, sum], {}))
  }

  // Control flow.

  /**
   * Runs `body` with a counter from `from` up to (without) `to` by `step` (positive). Carried values enter as given,
   * leave the body under the same names with the same dtype and shape, and come back as they are after the last turn.
   */
  range(from: Operand, to: Operand, step: Operand, body: (index: TileValue) => void): void
  range<C extends Carried>(
    from: Operand,
    to: Operand,
    step: Operand,
    carried: C,
    body: (index: TileValue, carried: Values<C>) => Returned<C>,
  ): Values<C>
  range<C extends Carried>(
    from: Operand,
    to: Operand,
    step: Operand,
    carriedOrBody: C | ((index: TileValue) => void),
    body?: (index: TileValue, carried: Values<C>) => Returned<C>,
  ): Values<C> | undefined {
    this.emitter.mark()
    if (typeof carriedOrBody === 'function') {
      const inner = (index: TileValue): Returned<Carried> => carriedOrBody(index) ?? {}
      this.#range([from, to, step], {}, inner)
      return undefined
    }
    if (typeof body !== 'function') this.emitter.fail('range: no body', 'pass a function as the last argument')
    return this.#range([from, to, step], carriedOrBody, body as never) as Values<C>
  }

  /** Runs `body` while `condition` holds of the carried values; gives the last ones. */
  while<C extends Carried>(
    carried: C,
    condition: (carried: Values<C>) => Operand,
    body: (carried: Values<C>) => Returned<C>,
  ): Values<C> {
    this.emitter.mark()
    const initial = this.#carriedNodes('while', carried)
    const enter = (): { params: TileNode[]; values: Values<C> } => {
      const params = initial.map(node => this.emitter.param(tileType(node)))
      return { params, values: this.#named(carried, params) }
    }
    const test = this.emitter.block('while', () => {
      const { params, values } = enter()
      return { params, results: [this.#condition('while', condition(values))] }
    })
    const turn = this.emitter.block('while', () => {
      const { params, values } = enter()
      return { params, results: this.#returned('while', carried, body(values)) }
    })
    return this.#items(carried, this.emitter.emit('while', initial, {}, [test, turn]))
  }

  /**
   * Runs `then` or `otherwise`. Both give values under the same names with the same dtypes and shapes, or both give
   * nothing.
   */
  if<C extends Carried>(condition: Operand, then: () => C, otherwise: () => Returned<C>): Values<C>
  if(condition: Operand, then: () => void, otherwise?: () => void): void
  if<C extends Carried>(condition: Operand, then: () => unknown, otherwise?: () => unknown): Values<C> | undefined {
    this.emitter.mark()
    const test = this.#condition('if', condition)
    let values: C | undefined
    const taken = this.emitter.block('branch', () => {
      values = (then() as C | undefined) ?? undefined
      return { params: [], results: values === undefined ? [] : this.#carriedNodes('if', values) }
    })
    const other = this.emitter.block('branch', () => {
      const returned = (otherwise?.() as Returned<C> | undefined) ?? undefined
      return { params: [], results: this.#otherResults(values, returned) }
    })
    const node = this.emitter.emit('if', [test], {}, [taken, other])
    return values === undefined ? undefined : this.#items(values, node)
  }

  // What the methods above share.

  #value(node: TileNode): TileValue {
    return new TileValue(this.emitter, node)
  }

  #gridAxis(op: string, axis: 0 | 1 | 2): 0 | 1 | 2 {
    return checkAxis(this.emitter, op, axis, 3) as 0 | 1 | 2
  }

  #tile(op: string, operand: Operand): TileNode {
    const node = operandNode(this.emitter, op, operand)
    return isLiteral(node) ? this.emitter.fail(`${op}: ${String(node)} is a literal, not a tile`, 'pass a tile') : node
  }

  #view(op: string, view: ViewValue): TileNode {
    if (!(view instanceof ViewValue))
      this.emitter.fail(
        `${op}: expected a view parameter, got ${describe(view)}`,
        'pass a parameter declared with view(dtype, rank)',
      )
    if (view.emitter !== this.emitter)
      this.emitter.fail(`${op}: ${view} belongs to another kernel`, 'declare it in params')
    return view.node
  }

  /** An integer operand as an i64 node. */
  #index(op: string, operand: Operand): TileNode {
    const node = operandNode(this.emitter, op, operand)
    if (isLiteral(node)) return literalNode(this.emitter, op, node, 'i64')
    const { dtype } = tileType(node)
    if (dtypes[dtype].kind !== 'int' && dtypes[dtype].kind !== 'uint') {
      this.emitter.fail(`${op}: an index is ${printType(node.type)}`, `indices are integers: convert with .to('i64')`)
    }
    return castTo(this.emitter, node, 'i64')
  }

  #scalarIndex(op: string, operand: Operand): TileNode {
    const node = this.#index(op, operand)
    if (tileType(node).shape.length > 0) {
      this.emitter.fail(
        `${op}: an offset is a tile, ${printType(node.type)}`,
        'offsets are scalars; use t.gather or t.scatter for tiles of indices',
      )
    }
    return node
  }

  #checkCount(op: string, view: ViewValue, what: string, given: readonly Operand[]): void {
    this.#view(op, view)
    if (!Array.isArray(given) || given.length !== view.rank) {
      const got = Array.isArray(given) ? String(given.length) : describe(given)
      this.emitter.fail(`${op}: ${got} ${what} for ${view}`, `give a list with one of them per dim: ${view.rank}`)
    }
  }

  #offsets(op: string, view: ViewValue, offsets: readonly Operand[]): TileNode[] {
    this.#checkCount(op, view, 'offsets', offsets)
    return offsets.map(offset => this.#scalarIndex(op, offset))
  }

  /** A value to go with a view: of its dtype, and of `shape` unless that is null. */
  #ofView(op: string, view: ViewValue, value: Operand, shape: readonly number[] | null): TileNode {
    const operand = operandNode(this.emitter, op, value)
    const { dtype } = viewType(view.node)
    const node = isLiteral(operand) ? literalNode(this.emitter, op, operand, dtype) : operand
    if (tileType(node).dtype !== dtype) {
      this.emitter.fail(
        `${op}: the value is ${tileType(node).dtype}, the view '${view.name}' holds ${dtype}`,
        `convert it with .to('${dtype}')`,
      )
    }
    if (shape !== null && tileType(node).shape.length !== shape.length) {
      this.emitter.fail(`${op}: the value is ${printType(node.type)}, not a scalar`, 'pass a scalar')
    }
    return node
  }

  /** Indices, then the value if there is one, then the mask, all of one shape. */
  #indexed(
    op: string,
    view: ViewValue,
    indices: readonly Operand[],
    options: MaskOptions,
    value?: Operand,
  ): { nodes: TileNode[] } {
    this.#checkCount(op, view, 'indices', indices)
    const at = indices.map(index => this.#index(op, index))
    const values = value === undefined ? [] : [this.#ofView(op, view, value, null)]
    const mask = operandNode(this.emitter, op, options.mask ?? true)
    const maskNode = isLiteral(mask) ? literalNode(this.emitter, op, mask, 'bool') : mask
    if (tileType(maskNode).dtype !== 'bool') {
      this.emitter.fail(
        `${op}: the mask is ${printType(maskNode.type)}, not bool`,
        'compare first, for example index.lt(size)',
      )
    }
    const all = [...at, ...values, maskNode]
    const shape = broadcastShape(this.emitter, op, all.map(tileType))
    return { nodes: all.map(node => stretch(this.emitter, node, shape)) }
  }

  #atomic(
    op: string,
    fn: AtomicFn,
    view: ViewValue,
    indices: readonly Operand[],
    value: Operand,
    options: MaskOptions = {},
  ): TileValue {
    this.emitter.mark()
    const { nodes } = this.#indexed(op, view, indices, options, value)
    const { dtype } = view
    if (!atomicDtypes.includes(dtype) || (fn !== 'exchange' && !accepts(fn, dtype))) {
      this.emitter.fail(`${op}: not defined on views of ${dtype}`, `use a view of ${atomicDtypes.join(', ')}`)
    }
    return this.#value(this.emitter.emit('atomic', [view.node, ...nodes], { fn }))
  }

  #checkAccumulator(operand: TileType, acc: TileType, shape: readonly number[]): void {
    const allowed = accumulatorsOf(operand.dtype)
    if (!allowed.includes(acc.dtype)) {
      this.emitter.fail(
        `dot: operands of ${operand.dtype} accumulate in ${allowed.join(' or ') || 'nothing'}, not ${acc.dtype}`,
        allowed.length === 0
          ? 'convert the operands first'
          : `start from t.zeros([${shape.join(', ')}], '${allowed[0]}')`,
      )
    }
    if (acc.shape.length !== 2 || acc.shape.some((size, d) => size !== shape[d])) {
      this.emitter.fail(
        `dot: the product is [${shape.join(', ')}], acc is ${printType(acc)}`,
        `start from t.zeros([${shape.join(', ')}], '${acc.dtype}')`,
      )
    }
  }

  #range(
    bounds: readonly [Operand, Operand, Operand],
    carried: Carried,
    body: (index: TileValue, carried: Carried) => Returned<Carried>,
  ): Carried {
    const [, , step] = bounds
    if (isLiteral(step) && !(Number(step) > 0))
      this.emitter.fail(`range: the step is ${step}`, 'the step is positive; count up and subtract')
    const scalars = bounds.map(bound => this.#scalarIndex('range', bound))
    const initial = this.#carriedNodes('range', carried)
    const block: TileBlock = this.emitter.block('loop', () => {
      const counter = this.emitter.param(tile('i64'))
      const params = initial.map(node => this.emitter.param(tileType(node)))
      const returned = body(this.#value(counter), this.#named(carried, params))
      return { params: [counter, ...params], results: this.#returned('range', carried, returned) }
    })
    return this.#items(carried, this.emitter.emit('range', [...scalars, ...initial], {}, [block]))
  }

  #carriedNodes(op: string, carried: Carried): TileNode[] {
    if (typeof carried !== 'object' || carried === null || Array.isArray(carried) || carried instanceof TileValue) {
      this.emitter.fail(
        `${op}: carried values are ${describe(carried)}`,
        'give them names: { acc: t.zeros(shape, dtype) }',
      )
    }
    return Object.entries(carried).map(([name, value]) => {
      const node = operandNode(this.emitter, `${op}: '${name}'`, value)
      if (!isLiteral(node)) return node
      return this.emitter.fail(
        `${op}: '${name}' is the literal ${node}, which has no dtype`,
        `write t.const(${node}, 'f32')`,
      )
    })
  }

  /** What a body gave for each carried value, checked against its type. */
  #returned<C extends Carried>(op: string, carried: C, returned: Returned<C>): TileNode[] {
    const names = Object.keys(carried)
    const given = Object.keys(returned ?? {})
    const extra = given.find(name => !names.includes(name))
    if (extra !== undefined) {
      this.emitter.fail(
        `${op}: the body gives '${extra}', which is not carried`,
        `carry ${names.length === 0 ? 'it' : `it too, or give only ${names.join(', ')}`}`,
      )
    }
    return names.map(name => {
      const value = (returned as Returned<Carried> | undefined)?.[name]
      if (value === undefined)
        this.emitter.fail(`${op}: the body does not give '${name}'`, `return { ${names.join(', ')} }`)
      return this.#sameType(op, name, tileType(carried[name]!.node), value!)
    })
  }

  #sameType(op: string, name: string, type: TileType, value: Operand): TileNode {
    const operand = operandNode(this.emitter, `${op}: '${name}'`, value)
    const node = isLiteral(operand) ? literalNode(this.emitter, `${op}: '${name}'`, operand, type.dtype) : operand
    if (printType(node.type) !== printType(type)) {
      const fix =
        tileType(node).dtype === type.dtype
          ? 'keep its shape, for example with .reshape or .broadcastTo'
          : `convert it with .to('${type.dtype}')`
      this.emitter.fail(`${op}: '${name}' is ${printType(type)} and becomes ${printType(node.type)}`, fix)
    }
    return node
  }

  #otherResults<C extends Carried>(values: C | undefined, returned: Returned<C> | undefined): TileNode[] {
    if (values !== undefined && returned === undefined) {
      this.emitter.fail(
        `if: only one branch gives values (${Object.keys(values).join(', ')})`,
        'give the same names from both, or from none',
      )
    }
    if (values === undefined) {
      if (returned !== undefined)
        this.emitter.fail(
          `if: only the other branch gives values (${Object.keys(returned).join(', ')})`,
          'give the same names from both, or from none',
        )
      return []
    }
    return this.#returned('if', values, returned!)
  }

  #condition(op: string, condition: Operand): TileNode {
    const operand = operandNode(this.emitter, op, condition)
    const node = isLiteral(operand) ? literalNode(this.emitter, op, operand, 'bool') : operand
    if (printType(node.type) !== 'bool') {
      const fix =
        tileType(node).shape.length > 0
          ? 'reduce it with .any() or .all(), or use t.where for a choice per element'
          : 'compare, for example .ne(0)'
      this.emitter.fail(`${op}: the condition is ${printType(node.type)}, not a bool scalar`, fix)
    }
    return node
  }

  #named<C extends Carried>(carried: C, nodes: readonly TileNode[]): Values<C> {
    return Object.fromEntries(Object.keys(carried).map((name, i) => [name, this.#value(nodes[i]!)])) as Values<C>
  }

  #items<C extends Carried>(carried: C, node: TileNode): Values<C> {
    const items = Object.keys(carried).map((_, index) => this.emitter.emit('item', [node], { index }))
    return this.#named(carried, items)
  }
}

const atomicDtypes: readonly TensorDtype[] = ['f64', 'f32', 'i64', 'i32']

/** What products of a dtype may be added in; the first is the default. */
function accumulatorsOf(dtype: Dtype): readonly Dtype[] {
  if (dtype === 'f64') return ['f64']
  if (isFloat(dtype)) return ['f32', 'f64']
  return dtype === 'i64' || dtype === 'bool' ? [] : ['i32']
}

const accumulatorOf = (dtype: Dtype): TensorDtype => (accumulatorsOf(dtype)[0] ?? 'i32') as TensorDtype
