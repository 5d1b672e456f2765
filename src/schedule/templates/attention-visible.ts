/**
 * The keys that a mask computed from indices can show to a tile of queries: from a first one on, up to an end. So a sliding
 * window, the length of a cache or of each sequence, and causal order from any position cost no more than the keys they
 * show: the loop does not visit the others. The mask still decides in the blocks that are visited.
 */
import { dtypeOf, type LoopNode, type LoopNodeOf } from '../../loop/ir.js'
import type { TileBuilder, TileValue } from '../../tile/language.js'
import { type Affine, addAffine, scaleAffine, zeroIndex } from '../groups/affine.js'
import type { Evaluator } from '../tiling/evaluate.js'

/** i64 scalars: keys before `from` and from `end` on are masked for all queries of a tile. null: no such bound is known. */
export interface Visible {
  readonly from: TileValue | null
  readonly end: TileValue | null
}

const everything: Visible = { from: null, end: null }

/** A key's index is compared with `sign` · (index + value), where `value` may be null: 0. */
interface Bound {
  readonly index: Affine
  readonly value: { readonly node: LoopNode; readonly factor: 1 | -1 } | null
}

/** factor · key + the rest. */
interface KeyForm extends Bound {
  readonly factor: number
}

type Comparison = 'lt' | 'le' | 'gt' | 'ge' | 'eq'
const opposites = { lt: 'ge', le: 'gt', gt: 'le', ge: 'lt' } as const
const mirrored = { lt: 'gt', le: 'ge', gt: 'lt', ge: 'le', eq: 'eq' } as const
const isComparison = (fn: string): fn is Comparison => Object.hasOwn(mirrored, fn)

/** Limits values of the user's so that sums with indices cannot overflow; no index is as large. */
const largest = 2n ** 40n

/**
 * What `mask` can show, at the evaluator's offsets.
 *
 * @param mask bool, or added to the scores (−∞ masks)
 * @param key the coordinate of the keys
 */
export function visibleKeys(evaluator: Evaluator, mask: LoopNode, key: number): Visible {
  return dtypeOf(mask) === 'bool' ? shown(evaluator, mask, key, true) : added(evaluator, mask, key)
}

/** Of a mask that is added: only a selection of −∞ says which keys it masks. */
function added(evaluator: Evaluator, mask: LoopNode, key: number): Visible {
  if (mask.op === 'cast') return added(evaluator, mask.inputs[0]!, key)
  if (mask.op !== 'map' || mask.attrs.fn !== 'where') return everything
  const [condition, yes, no] = mask.inputs as readonly [LoopNode, LoopNode, LoopNode]
  if (isHidden(no)) return intersection(shown(evaluator, condition, key, true), added(evaluator, yes, key))
  if (isHidden(yes)) return intersection(shown(evaluator, condition, key, false), added(evaluator, no, key))
  return everything
}

const isHidden = (node: LoopNode): boolean =>
  node.op === 'cast' ? isHidden(node.inputs[0]!) : node.op === 'constant' && node.attrs.value === -Infinity

/** Where a condition is `value`. */
function shown(evaluator: Evaluator, condition: LoopNode, key: number, value: boolean): Visible {
  if (condition.op !== 'map') return everything
  const { fn } = condition.attrs
  const [a, b] = condition.inputs as readonly [LoopNode, LoopNode]
  if (fn === 'not') return shown(evaluator, a, key, !value)
  if (fn === 'and' || fn === 'or') {
    if (dtypeOf(condition) !== 'bool') return everything
    const sides = [shown(evaluator, a, key, value), shown(evaluator, b, key, value)] as const
    return (fn === 'and') === value ? intersection(...sides) : union(...sides)
  }
  if (!isComparison(fn)) return everything
  if (value) return compared(evaluator, fn, a, b, key)
  return fn === 'eq' ? everything : compared(evaluator, opposites[fn], a, b, key)
}

const both = (a: TileValue | null, b: TileValue | null, fold: 'max' | 'min'): TileValue | null =>
  a === null ? b : b === null ? a : a[fold](b)

const intersection = (a: Visible, b: Visible): Visible => ({
  from: both(a.from, b.from, 'max'),
  end: both(a.end, b.end, 'min'),
})

const union = (a: Visible, b: Visible): Visible => ({
  from: a.from === null || b.from === null ? null : a.from.min(b.from),
  end: a.end === null || b.end === null ? null : a.end.max(b.end),
})

function compared(evaluator: Evaluator, fn: Comparison, a: LoopNode, b: LoopNode, key: number): Visible {
  const [left, right] = [formOf(a, key), formOf(b, key)]
  if (left === null || right === null) return everything
  const form = difference(left, right)
  if (form === null || Math.abs(form.factor) !== 1) return everything
  // key + rest ⋈ 0 is key ⋈ −rest, and −key + rest ⋈ 0 is key mirrored(⋈) rest.
  const isPositive = form.factor === 1
  const relation = isPositive ? fn : mirrored[fn]
  const limit = (fold: 'amin' | 'amax'): TileValue => extremeOf(evaluator, isPositive ? negated(form) : form, fold)
  return {
    from: relation === 'gt' ? limit('amin').add(1) : relation === 'ge' || relation === 'eq' ? limit('amin') : null,
    end: relation === 'lt' ? limit('amax') : relation === 'le' || relation === 'eq' ? limit('amax').add(1) : null,
  }
}

/** A number as factor · key + an index without it + a value; null: it depends on the key in another way. */
function formOf(node: LoopNode, key: number): KeyForm | null {
  const { kind } = node.type
  if (kind !== 'value' || (dtypeOf(node) !== 'i64' && dtypeOf(node) !== 'i32')) return null
  if (node.op === 'index') return indexForm(node, key)
  if (!node.type.coords.has(key)) return { factor: 0, index: zeroIndex, value: { node, factor: 1 } }
  if (node.op === 'cast') return formOf(node.inputs[0]!, key)
  // In 64 bits: narrower sums may wrap.
  if (node.op !== 'map' || dtypeOf(node) !== 'i64') return null
  const [left, right] = node.inputs.map(input => formOf(input, key))
  if (left == null) return null
  if (node.attrs.fn === 'neg') return negated(left)
  if (right == null) return null
  if (node.attrs.fn === 'sub') return difference(left, right)
  return node.attrs.fn === 'add' ? difference(left, negated(right)) : null
}

function indexForm({ attrs }: LoopNodeOf<'index'>, key: number): KeyForm | null {
  const { offset, terms } = attrs.index
  const factor = terms.get(key) ?? 0
  if (typeof factor !== 'number') return null
  return { factor, index: { offset, terms: new Map([...terms].filter(([coord]) => coord !== key)) }, value: null }
}

const negated = ({ factor, index, value }: KeyForm): KeyForm => ({
  factor: -factor,
  index: scaleAffine(index, -1),
  value: value === null ? null : { node: value.node, factor: value.factor === 1 ? -1 : 1 },
})

/** null: two values of the user's, whose sum may be anything. */
function difference(a: KeyForm, b: KeyForm): KeyForm | null {
  if (a.value !== null && b.value !== null) return null
  const { factor, index, value } = negated(b)
  return { factor: a.factor + factor, index: addAffine(a.index, index), value: a.value ?? value }
}

/** The least or largest value of a bound in a tile. Queries past the last one count too, which only widens what is shown. */
function extremeOf(evaluator: Evaluator, { index, value }: Bound, fold: 'amin' | 'amax'): TileValue {
  const { t } = evaluator.writer
  const extreme = (tile: TileValue): TileValue => tile.shape.reduce(all => all[fold](0), tile)
  const from = extreme(evaluator.indexTile(index).tile)
  if (value === null) return from
  const limited = evaluator.value(value.node).tile.to('i64').clamp(t.const(-largest, 'i64'), t.const(largest, 'i64'))
  return from.add(extreme(value.factor === 1 ? limited : limited.neg()))
}

/** The range of a loop over blocks of `keys` that hold what is shown: from a multiple of `keys`, up to one or the length. */
export function rangeOfVisible(
  t: TileBuilder,
  { from, end }: Visible,
  keys: number,
  length: TileValue,
): { readonly from: TileValue; readonly to: TileValue } {
  const whole = (index: TileValue): TileValue => index.floorDiv(keys).mul(keys)
  return {
    from: from === null ? t.const(0n, 'i64') : whole(from.max(0).min(length)),
    to:
      end === null
        ? length
        : whole(
            end
              .max(0)
              .min(length)
              .add(keys - 1),
          ).min(length),
  }
}
