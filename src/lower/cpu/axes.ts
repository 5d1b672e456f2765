/**
 * Maps the axes of a tile to the axes of a loop nest, through broadcasts, transposes and reshapes. From a tile's indices it
 * derives where a mask holds, and beyond which indices a value is a reduction's identity.
 */
import { integerForms } from '../../scalar/affine.js'
import type { Value } from '../../scalar/ops.js'
import { storeEnds, type TileNode, tileType, viewType } from '../../tile/ir.js'
import { dtypes } from '../../types/dtype.js'
import {
  type Atom,
  combine,
  constantForm,
  type IndexAnalysis,
  type IndexForm,
  isConstant,
  scale,
  subtract,
  sum,
  type TileForm,
  zero,
} from '../shared/index-analysis.js'
import { isSingle, shapeOf } from '../shared/structure.js'
import { type AxisRange, bounded, intersect, join, staysAbove, staysBelow, wholeSpace } from './ranges.js'

/** For each axis of a node the nest axis that indexes it, or -1 where the index is 0. */
export type AxisMap = readonly number[]

export const identityMap = (rank: number): AxisMap => Array.from({ length: rank }, (_, axis) => axis)
export const isIdentity = (axes: AxisMap): boolean => axes.every((axis, d) => axis === d)
export const mapKey = (node: TileNode, axes: AxisMap): string => `${node.id}:${axes.join(',')}`

/** The sizes except 1. */
const proper = (shape: readonly number[]): number[] => shape.filter(size => size !== 1)

/** A reshape that only adds or removes axes of size 1. */
export function isTrivialReshape(node: TileNode): boolean {
  const [from, to] = [proper(shapeOf(node.inputs[0]!)), proper(shapeOf(node))]
  return from.length === to.length && from.every((size, d) => size === to[d])
}

/** The axis map of input `i` of an elementwise or shape op whose result has the map `axes`. */
export function inputMap(node: TileNode, i: number, axes: AxisMap): AxisMap {
  const from = shapeOf(node.inputs[i]!)
  switch (node.op) {
    case 'broadcast': {
      const lead = axes.length - from.length
      const to = node.attrs.shape
      return from.map((size, d) => (size === 1 && to[lead + d] !== 1 ? -1 : axes[lead + d]!))
    }
    case 'transpose': {
      const map = from.map(() => -1)
      node.attrs.permutation.forEach((source, d) => {
        map[source] = axes[d]!
      })
      return map
    }
    case 'reshape': {
      const rest = shapeOf(node).flatMap((size, d) => (size === 1 ? [] : [axes[d]!]))
      let next = 0
      return from.map(size => (size === 1 ? -1 : rest[next++]!))
    }
    default:
      return axes
  }
}

/** True for ops whose result element depends only on the input elements at the same (mapped) indices. */
export function isElementwise(node: TileNode): boolean {
  switch (node.op) {
    case 'map':
    case 'cast':
    case 'bitcast':
    case 'broadcast':
    case 'transpose':
      return true
    case 'reshape':
      return isTrivialReshape(node)
    default:
      return false
  }
}

/** Deeper expressions are data rather than indices; analysing them recursively would overflow the call stack. */
const deepest = 100

function tileForm(index: IndexAnalysis, node: TileNode, axes: AxisMap, depth = 0): TileForm | null {
  const key = mapKey(node, axes)
  const known = index.tileForms.get(key)
  if (known !== undefined) return known
  const made = depth > deepest ? null : findTileForm(index, node, axes, depth + 1)
  index.tileForms.set(key, made)
  return made
}

function findTileForm(index: IndexAnalysis, node: TileNode, axes: AxisMap, depth: number): TileForm | null {
  if (tileType(node).dtype !== 'i64') return null
  if (isSingle(node)) return index.affine(node)
  if (node.op === 'iota') return iotaForm(axes[0]!)
  if (node.op === 'cast') return castIotaForm(node.inputs[0]!, axes)
  if (node.op === 'map') return mapForm(index, node, axes, depth)
  return isElementwise(node) ? tileForm(index, node.inputs[0]!, inputMap(node, 0, axes), depth) : null
}

const iotaForm = (axis: number): TileForm => (axis < 0 ? zero : integerForms.atom(axis))

/** An iota of another integer dtype, possibly broadcast, that its dtype holds without wrapping. */
function castIotaForm(node: TileNode, axes: AxisMap): TileForm | null {
  if (node.op === 'iota') {
    const { kind, max } = dtypes[node.attrs.dtype]
    return (kind === 'int' || kind === 'uint') && node.attrs.length - 1 <= max ? iotaForm(axes[0]!) : null
  }
  if (node.op === 'map' || !isElementwise(node) || node.op === 'cast' || node.op === 'bitcast') return null
  return castIotaForm(node.inputs[0]!, inputMap(node, 0, axes))
}

/** The index form (affine in the loop indices) of an add, sub, or mul by a constant; null for any other op. */
function mapForm(
  index: IndexAnalysis,
  node: Extract<TileNode, { op: 'map' }>,
  axes: AxisMap,
  depth: number,
): TileForm | null {
  const { fn } = node.attrs
  if (fn !== 'add' && fn !== 'sub' && fn !== 'mul') return null
  const [a, b] = node.inputs.map(input => tileForm(index, input, axes, depth)) as [TileForm | null, TileForm | null]
  if (a === null || b === null) return null
  if (fn !== 'mul') return combine(a, b, fn === 'add' ? 1 : -1)
  return isConstant(b) ? scale(a, b.offset) : isConstant(a) ? scale(b, a.offset) : null
}

/** Splits a form into the axes' terms and the remainder. */
function partsOf({ offset, terms }: TileForm): {
  readonly axes: ReadonlyMap<number, number>
  readonly base: IndexForm
} {
  const [axes, rest] = [new Map<number, number>(), new Map<Atom, number>()]
  for (const [atom, coefficient] of terms) {
    if (typeof atom === 'number') axes.set(atom, coefficient)
    else rest.set(atom, coefficient)
  }
  return { axes, base: { offset, terms: rest } }
}

/** index ≥ lo, or index < hi, on one axis. */
export interface Constraint {
  readonly axis: number
  readonly lo: IndexForm | null
  readonly hi: IndexForm | null
}

export interface Condition {
  /** All constraints hold wherever the condition does. */
  readonly constraints: readonly Constraint[]
  /** The constraints together imply the condition. */
  readonly exact: boolean
}

/** The constraints that a bool tile implies on the nest's indices. */
export function conditionOf(index: IndexAnalysis, node: TileNode, axes: AxisMap): Condition {
  const vague: Condition = { constraints: [], exact: false }
  if (node.op === 'const') return { constraints: [], exact: Number(node.attrs.value) !== 0 }
  if (node.op === 'map' && node.attrs.fn === 'and') {
    const [a, b] = node.inputs.map(input => conditionOf(index, input, axes)) as [Condition, Condition]
    return { constraints: [...a.constraints, ...b.constraints], exact: a.exact && b.exact }
  }
  if (node.op === 'map') return comparison(index, node, axes) ?? vague
  if (isElementwise(node) && node.op !== 'cast' && node.op !== 'bitcast') {
    return conditionOf(index, node.inputs[0]!, inputMap(node, 0, axes))
  }
  return vague
}

/** A comparison of linear forms in one axis as bounds of that axis; null when it has no such form. */
function comparison(index: IndexAnalysis, node: Extract<TileNode, { op: 'map' }>, axes: AxisMap): Condition | null {
  const { fn } = node.attrs
  if (fn !== 'lt' && fn !== 'le' && fn !== 'gt' && fn !== 'ge') return null
  const [a, b] = node.inputs.map(input => tileForm(index, input, axes)) as [TileForm | null, TileForm | null]
  if (a === null || b === null) return null
  // All four become `gap > 0`.
  const { base, axes: found } = partsOf(fn === 'lt' || fn === 'le' ? combine(b, a, -1) : combine(a, b, -1))
  const gap = fn === 'le' || fn === 'ge' ? sum(base, constantForm(1)) : base
  const [entry, ...others] = found
  if (entry === undefined || others.length > 0) return null
  const [axis, coefficient] = entry
  // -i + gap > 0: i < gap.   i + gap > 0: i ≥ 1 - gap.
  if (coefficient === -1) return { constraints: [{ axis, lo: null, hi: gap }], exact: true }
  if (coefficient === 1) return { constraints: [{ axis, lo: subtract(constantForm(1), gap), hi: null }], exact: true }
  return null
}

function constrain(index: IndexAnalysis, space: readonly AxisRange[], constraints: readonly Constraint[]): AxisRange[] {
  return space.map((range, axis) =>
    constraints
      .filter(constraint => constraint.axis === axis)
      .reduce((all, { lo, hi }) => intersect(all, bounded(index, range.size, lo, hi)), range),
  )
}

/** The bounds of a block access on the nest's axes: the view's bounds, and a store's explicit ends. */
export function accessRange(
  index: IndexAnalysis,
  node: TileNode,
  axes: AxisMap,
  space: readonly number[],
): AxisRange[] {
  const view = node.inputs[0]!
  const rank = viewType(view).sizes.length
  const ends = storeEnds(node)
  const constraints = Array.from({ length: rank }, (_, d): Constraint[] => {
    const offset = index.affine(node.inputs[1 + d]!)
    const until = (end: IndexForm): Constraint => ({ axis: axes[d]!, lo: null, hi: subtract(end, offset) })
    const inside = { ...until(index.size(view, d)), lo: scale(offset, -1) }
    return ends === null ? [inside] : [inside, until(index.affine(ends[d]!))]
  }).flat()
  return constrain(index, wholeSpace(space), constraints)
}

/** The constant that all elements of the tile equal, or undefined. */
export function uniformValue(node: TileNode): Value | undefined {
  if (node.op === 'const') return node.attrs.value
  if (node.op === 'broadcast' || node.op === 'reshape' || node.op === 'transpose') return uniformValue(node.inputs[0]!)
  return undefined
}

const zeroPreserving = new Set<string>([
  'neg',
  'abs',
  'sign',
  'floor',
  'ceil',
  'trunc',
  'round',
  'sqrt',
  'sin',
  'tan',
  'tanh',
  'asin',
  'atan',
  'sinh',
  'asinh',
  'atanh',
  'erf',
  'expm1',
  'log1p',
])

/**
 * A range outside of which the tile equals `identity` (0 and -0 count as equal). Restricting a fold to this range does not
 * change the result.
 */
export function identityRange(
  index: IndexAnalysis,
  node: TileNode,
  axes: AxisMap,
  identity: Value,
  space: readonly number[],
): AxisRange[] {
  const known = new Map<string, AxisRange[]>()
  let depth = 0
  const of = (input: TileNode, map: AxisMap): AxisRange[] => {
    const key = mapKey(input, map)
    const before = known.get(key)
    if (before !== undefined) return before
    if (depth > deepest) return wholeSpace(space)
    depth++
    const made = findIdentityRange(index, input, map, identity, space, of)
    depth--
    known.set(key, made)
    return made
  }
  return of(node, axes)
}

type Recurse = (input: TileNode, map: AxisMap) => AxisRange[]

/** The uncached part of `identityRange`: outside of the ranges, the node's elements equal the reduction's identity. */
function findIdentityRange(
  index: IndexAnalysis,
  node: TileNode,
  axes: AxisMap,
  identity: Value,
  space: readonly number[],
  of: Recurse,
): AxisRange[] {
  const whole = wholeSpace(space)
  const uniform = uniformValue(node)
  if (uniform !== undefined) return Number(uniform) === Number(identity) ? whole.map(range => empty(range)) : whole
  switch (node.op) {
    case 'load': {
      const rank = viewType(node.inputs[0]!).sizes.length
      const padding = node.inputs[1 + rank]
      const padded = padding === undefined ? 0 : uniformValue(padding)
      return padded !== undefined && Number(padded) === Number(identity) ? accessRange(index, node, axes, space) : whole
    }
    case 'cast': {
      const from = tileType(node.inputs[0]!).dtype
      const keeps = Number(identity) === 0 || (dtypes[from].kind === 'float' && dtypes[node.attrs.to].kind === 'float')
      return keeps && node.attrs.to !== 'bool' && from !== 'bool' ? of(node.inputs[0]!, axes) : whole
    }
    case 'broadcast':
    case 'transpose':
    case 'reshape':
      return isElementwise(node) ? of(node.inputs[0]!, inputMap(node, 0, axes)) : whole
    case 'map':
      return mapIdentity(index, node, axes, identity, space, of)
    default:
      return whole
  }
}

const empty = (range: AxisRange): AxisRange => ({ size: range.size, lo: [], hi: [[{ affine: zero, align: 1 }]] })

/** `findIdentityRange` for an elementwise op, such as a `where` whose other branch is the identity. */
function mapIdentity(
  index: IndexAnalysis,
  node: Extract<TileNode, { op: 'map' }>,
  axes: AxisMap,
  identity: Value,
  space: readonly number[],
  of: Recurse,
): AxisRange[] {
  const { fn } = node.attrs
  const { inputs } = node
  const whole = wholeSpace(space)
  const zeroIdentity = Number(identity) === 0
  const masked = (condition: TileNode, kept: TileNode): AxisRange[] =>
    constrain(index, of(kept, axes), conditionOf(index, condition, axes).constraints)
  if (fn === 'where') {
    const other = uniformValue(inputs[2]!)
    return other !== undefined && Number(other) === Number(identity) ? masked(inputs[0]!, inputs[1]!) : whole
  }
  if (!zeroIdentity) return whole
  if (fn === 'and' && tileType(node).dtype === 'bool')
    return constrain(index, whole, conditionOf(index, node, axes).constraints)
  if (zeroPreserving.has(fn)) return of(inputs[0]!, axes)
  if (fn === 'add' || fn === 'sub' || fn === 'max' || fn === 'min' || fn === 'or') {
    const [a, b] = inputs.map(input => of(input, axes)) as [AxisRange[], AxisRange[]]
    return a.map((range, axis) => coverBoth(a, b, axis, range))
  }
  // Outside the range both factors must be 0: for floats one zero is not enough, since 0·∞ is NaN.
  if (fn === 'mul') {
    const [a, b] = inputs.map(input => of(input, axes)) as [AxisRange[], AxisRange[]]
    return a.map((range, axis) => coverBoth(a, b, axis, range))
  }
  return whole
}

const isZero = (form: IndexForm): boolean => isConstant(form) && form.offset === 0

/** A tile that is the identity everywhere has an empty range on every axis and does not restrict the other tile's range. */
function coverBoth(a: readonly AxisRange[], b: readonly AxisRange[], axis: number, range: AxisRange): AxisRange {
  const isEmpty = (space: readonly AxisRange[]): boolean =>
    space.every(r => r.hi.every(terms => terms.some(t => isZero(t.affine))))
  if (isEmpty(a)) return b[axis]!
  return isEmpty(b) ? range : join(range, b[axis]!)
}

/** True when the condition holds at every index of the space. */
export function alwaysHolds(index: IndexAnalysis, node: TileNode, axes: AxisMap, space: readonly AxisRange[]): boolean {
  const { constraints, exact } = conditionOf(index, node, axes)
  return (
    exact &&
    constraints.every(({ axis, lo, hi }) => {
      const range = space[axis]!
      return (lo === null || staysAbove(index, range, lo)) && (hi === null || staysBelow(index, range, hi))
    })
  )
}
