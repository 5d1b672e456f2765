/** Builder of lane code: folds constants, splats scalars used with vectors, and inlines loops of one iteration. */
import { Builder } from '../../ir/builder.js'
import { type Apart, type LaneNode, laneDialect, pointerType, value, valueType } from '../../lane/ir.js'
import { accepts, evaluate, type ScalarOpName, type ScanName, type Value, wrapValue } from '../../scalar/ops.js'
import { type Dtype, dtypes } from '../../types/dtype.js'

export type Fold = 'add' | 'mul' | 'min' | 'max' | 'fmax' | 'and' | 'or' | 'logaddexp'

export const lanesOf = (node: LaneNode): number => valueType(node).lanes
export const dtypeOf = (node: LaneNode): Dtype => valueType(node).dtype

export class Lanes {
  readonly builder = new Builder<LaneNode>(laneDialect)

  constant(dtype: Dtype, constant: Value, lanes = 1): LaneNode {
    return this.builder.node('const', [], { dtype, value: wrapValue(dtype, constant), lanes })
  }

  index(constant: number): LaneNode {
    return this.constant('i64', BigInt(constant))
  }

  /** The value of a scalar i64 constant, or null. */
  known(node: LaneNode): number | null {
    return node.op === 'const' && node.attrs.lanes === 1 && node.attrs.dtype === 'i64' ? Number(node.attrs.value) : null
  }

  /** The scalar splat to `lanes` lanes; vectors are returned as they are. */
  spread(node: LaneNode, lanes: number): LaneNode {
    if (lanesOf(node) === lanes) return node
    if (node.op === 'const') return this.builder.node('const', [], { ...node.attrs, lanes })
    return this.builder.node('splat', [node], { lanes })
  }

  /** A scalar op, folded or simplified where possible; operands of one lane are spread to the others' lanes. */
  map(fn: ScalarOpName, ...operands: LaneNode[]): LaneNode {
    const lanes = Math.max(...operands.map(lanesOf))
    const folded = lanes === 1 ? this.#fold(fn, operands) : null
    if (folded !== null) return folded
    const simple = simplify(fn, operands)
    if (simple !== null) return this.spread(simple, lanes)
    return this.builder.node(
      'map',
      operands.map(operand => this.spread(operand, lanes)),
      { fn },
    )
  }

  /** The op's result as a constant if all operands are integer constants, else null. */
  #fold(fn: ScalarOpName, operands: readonly LaneNode[]): LaneNode | null {
    const constants = operands.map(operand =>
      operand.op === 'const' && integral(operand.attrs.dtype) ? operand.attrs : null,
    )
    if (constants.some(constant => constant === null)) return null
    const { dtype } = constants.at(-1)!
    if (!accepts(fn, dtype) && fn !== 'where') return null
    const result = evaluate(
      fn,
      dtype,
      constants.map(constant => constant!.value),
    )
    const boolean = ['eq', 'ne', 'lt', 'le', 'gt', 'ge'].includes(fn)
    return this.constant(boolean ? 'bool' : dtype, result)
  }

  add(a: LaneNode, b: LaneNode): LaneNode {
    return this.map('add', a, b)
  }
  sub(a: LaneNode, b: LaneNode): LaneNode {
    return this.map('sub', a, b)
  }
  mul(a: LaneNode, b: LaneNode): LaneNode {
    return this.map('mul', a, b)
  }
  min(a: LaneNode, b: LaneNode): LaneNode {
    return a === b ? a : this.map('min', a, b)
  }
  max(a: LaneNode, b: LaneNode): LaneNode {
    return a === b ? a : this.map('max', a, b)
  }
  and(a: LaneNode, b: LaneNode): LaneNode {
    return a === b ? a : this.map('and', a, b)
  }

  cast(node: LaneNode, to: Dtype): LaneNode {
    if (dtypeOf(node) === to) return node
    if (node.op === 'const' && integral(node.attrs.dtype) && to !== 'bool')
      return this.constant(to, BigInt(node.attrs.value), node.attrs.lanes)
    return this.#narrowCounter(node, to) ?? this.builder.node('cast', [node], { to })
  }

  /**
   * Consecutive i64 indices cast to a narrower integer are computed in that integer, of which more fit a register. Both wrap
   * alike.
   */
  #narrowCounter(node: LaneNode, to: Dtype): LaneNode | null {
    if (dtypeOf(node) !== 'i64' || !integral(to) || to === 'bool') return null
    const lanes = lanesOf(node)
    if (node.op === 'iota') return this.iota(lanes, to)
    if (node.op !== 'map' || node.attrs.fn !== 'add') return null
    const [start, count] = node.inputs as [LaneNode, LaneNode]
    if (start.op !== 'splat' || count.op !== 'iota') return null
    return this.map('add', this.spread(this.cast(start.inputs[0]!, to), lanes), this.iota(lanes, to))
  }

  bitcast(node: LaneNode, to: Dtype): LaneNode {
    return dtypeOf(node) === to ? node : this.builder.node('bitcast', [node], { to })
  }

  iota(lanes: number, dtype: Dtype = 'i64'): LaneNode {
    return this.builder.node('iota', [], { dtype, lanes })
  }

  /** mask ? a : b for every dtype; storage formats are selected as bits. */
  select(mask: LaneNode, a: LaneNode, b: LaneNode): LaneNode {
    if (a === b || (mask.op === 'const' && Number(mask.attrs.value) !== 0)) return a
    const dtype = dtypeOf(a)
    if (dtypes[dtype].compute === dtype) return this.map('where', mask, a, b)
    const bits = dtypes[dtype].bits === 16 ? 'i16' : 'i8'
    return this.bitcast(this.map('where', mask, this.bitcast(a, bits), this.bitcast(b, bits)), dtype)
  }

  /** Transposes a square of vectors by interleaving halves. */
  transpose(rows: readonly LaneNode[]): readonly LaneNode[] {
    let mixed = rows
    for (let stride = 1; stride < rows.length; stride *= 2) {
      const before = mixed
      mixed = before.slice(0, rows.length / 2).flatMap((row, i) => {
        const pair = [row, before[i + rows.length / 2]!]
        return (['low', 'high'] as const).map(half => this.builder.node('interleave', pair, { half }))
      })
    }
    return mixed
  }

  fold(node: LaneNode, fn: Fold): LaneNode {
    return lanesOf(node) === 1 ? node : this.builder.node('fold', [node], { fn })
  }

  extract(node: LaneNode, lane: number): LaneNode {
    return this.builder.node('extract', [node], { lane })
  }

  /** Each lane combined with all before it; `reverse`: behind it. */
  prefix(node: LaneNode, fn: ScanName, reverse: boolean): LaneNode {
    return lanesOf(node) === 1 ? node : this.builder.node('prefix', [node], { fn, reverse })
  }

  load(from: LaneNode, at: LaneNode, lanes: number, count: LaneNode | null = null, apart: 1 | Apart = 1): LaneNode {
    const attrs = apart === 1 ? { lanes } : { lanes, apart }
    return this.builder.node('load', count === null ? [from, at] : [from, at, count], attrs)
  }

  /** The lanes from `skip` on and below `count`; the others are 0. */
  loadSpan(from: LaneNode, at: LaneNode, lanes: number, skip: LaneNode, count: LaneNode): LaneNode {
    return this.builder.node('load', [from, at, count, skip], { lanes })
  }

  prefetch(from: LaneNode, at: LaneNode): void {
    this.builder.node('prefetch', [from, at], {})
  }

  store(
    to: LaneNode,
    at: LaneNode,
    stored: LaneNode,
    count: LaneNode | null = null,
    attrs: { readonly streamedFrom?: number } = {},
  ): void {
    this.builder.node('store', count === null ? [to, at, stored] : [to, at, stored, count], attrs)
  }

  gather(from: LaneNode, indices: LaneNode, mask: LaneNode | null): LaneNode {
    return this.builder.node('gather', mask === null ? [from, indices] : [from, indices, mask], {})
  }

  scatter(to: LaneNode, indices: LaneNode, stored: LaneNode, mask: LaneNode | null): void {
    this.builder.node('scatter', mask === null ? [to, indices, stored] : [to, indices, stored, mask], {})
  }

  alloc(dtype: Dtype, count: number, name: string): LaneNode {
    return this.builder.node('alloc', [], { dtype, count, name })
  }

  /** Final carried values of a loop that runs `body` for counter = from, from + step, … while counter < to (step > 0). */
  loop(
    bounds: {
      readonly from: LaneNode
      readonly to: LaneNode
      readonly step: LaneNode
      readonly name: string
      readonly comment: string
      /** Unroll fully, when the bounds are constants. */
      readonly unroll?: boolean
    },
    carried: readonly LaneNode[],
    body: (counter: LaneNode, carried: readonly LaneNode[]) => readonly LaneNode[],
  ): readonly LaneNode[] {
    const [from, to, step] = [bounds.from, bounds.to, bounds.step].map(bound => this.known(bound))
    if (from !== null && to !== null && step !== null && step! > 0) {
      if (from! >= to!) return carried
      if (from! + step! >= to!) return body(bounds.from, carried)
    }
    const params = [
      this.param('i64', 1, bounds.name),
      ...carried.map(node => this.param(dtypeOf(node), lanesOf(node), 'acc')),
    ]
    const block = this.builder.block(params, () => body(params[0]!, params.slice(1)))
    const inputs = [bounds.from, bounds.to, bounds.step, ...carried]
    const node = this.builder.node('for', inputs, { unroll: bounds.unroll ?? false, comment: bounds.comment }, [block])
    return carried.map((_, index) => this.item(node, index))
  }

  branch(
    condition: LaneNode,
    comment: string,
    then: () => readonly LaneNode[],
    otherwise: () => readonly LaneNode[],
  ): readonly LaneNode[] {
    const blocks = [this.builder.block([], then), this.builder.block([], otherwise)]
    const node = this.builder.node('if', [condition], { comment }, blocks)
    return blocks[0]!.results.map((_, index) => this.item(node, index))
  }

  param(dtype: Dtype, lanes: number, name: string): LaneNode {
    return this.builder.node('param', [], { type: value(dtype, lanes), name })
  }

  item(node: LaneNode, index: number): LaneNode {
    return this.builder.node('item', [node], { index })
  }

  /** The dtype that a pointer points to. */
  pointee(node: LaneNode): Dtype {
    return pointerType(node).dtype
  }
}

const integral = (dtype: Dtype): boolean => dtypes[dtype].kind !== 'float'

const isInteger = (node: LaneNode, constant: number): boolean =>
  node.op === 'const' && integral(node.attrs.dtype) && Number(node.attrs.value) === constant

/** x + 0, x · 1 and the like, on integers only. */
function simplify(fn: ScalarOpName, [a, b, c]: readonly LaneNode[]): LaneNode | null {
  switch (fn) {
    case 'add':
      return isInteger(a!, 0) ? b! : isInteger(b!, 0) ? a! : null
    case 'sub':
      return isInteger(b!, 0) ? a! : null
    case 'mul':
      if (isInteger(a!, 0) || isInteger(b!, 1)) return a!
      return isInteger(b!, 0) || isInteger(a!, 1) ? b! : null
    case 'and':
      if (dtypeOf(a!) !== 'bool') return null
      return isInteger(a!, 1) ? b! : isInteger(b!, 1) ? a! : null
    case 'where':
      return isInteger(a!, 1) ? b! : isInteger(a!, 0) ? c! : null
    default:
      return null
  }
}
