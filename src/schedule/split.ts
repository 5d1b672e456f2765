/**
 * Large reductions to few results: one program would do all the work, so the reduced dims are cut into parts that each
 * reduce to partial results, and a second, small kernel folds those and does whatever comes after.
 */
import { isArgReduction } from '../scalar/ops.js'
import { boundOf, ceilDivSizes, mulSizes, productOf, type Size } from '../scalar/size.js'
import { type Affine, rowMajorStrides } from './affine.js'
import type { Axes, Axis } from './axes.js'
import {
  type Access,
  type Body,
  type BodyStore,
  type Expr,
  ExprBuilder,
  exprsOf,
  isPlainReduction,
  rootsOf,
} from './body.js'
import type { Buffers } from './buffers.js'
import type { ReduceExpr } from './evaluate.js'
import type { PartMaker } from './loops.js'
import type { SchedulePolicy } from './policy.js'
import type { Tiling } from './tiling.js'

export interface Split {
  readonly partial: Body
  /** The coordinate of the parts in `partial`. */
  readonly parts: number
  readonly final: Body
}

/** With sizes that are not known: up to this many results count as few. */
const fewResults = 16

/**
 * Into how many parts a body should be split; null: not at all. It is worth it where few program instances would have
 * much work, and nothing is stored per element.
 */
export function partsOf(
  body: Body,
  axes: Axes,
  { extents }: Tiling,
  { parallelism, partsPerSlot, limits: { minSplit } }: SchedulePolicy,
): number | null {
  if (!isPlainReduction(body)) return null
  const results = productOf(axes.kept.map(axis => axis.size))
  const total = mulSizes(results, productOf(axes.reduced.map(axis => axis.size)))
  if (typeof results !== 'number' || results === 0) return null
  const wanted = parallelism * partsPerSlot
  const most = boundOf(total)
  if (most === null) return results <= fewResults ? wanted : null
  const programs = axes.kept.reduce((count, axis) => count * Math.ceil((axis.size as number) / extents.get(axis)!), 1)
  return programs < parallelism && most >= minSplit ? Math.ceil(wanted / programs) : null
}

/** Cuts a body into `count` parts. */
export function splitBody(body: Body, count: number, buffers: Buffers): Split {
  const exprs = new ExprBuilder()
  const parts = Math.max(...body.coords.keys()) + 1
  const kept = [...body.coords].filter(([coord]) => !body.reduced.has(coord))
  const strides = rowMajorStrides([count, ...kept.map(([, size]) => size)])
  const terms = [parts, ...kept.map(([coord]) => coord)].map((coord, d): [number, Size] => [coord, strides[d]!])
  const index: Affine = { offset: 0, terms: new Map(terms.filter(([, stride]) => stride !== 0)) }
  const elements = productOf([count, ...kept.map(([, size]) => size)])
  const stores: BodyStore[] = []
  const replaced = new Map<Expr, Expr>()
  const partial = (expr: ReduceExpr): Expr => {
    const access: Access = { buffer: buffers.temp(expr.dtype, elements, 'partial'), dtype: expr.dtype, index }
    stores.push({ expr, access })
    return exprs.make({ kind: 'load', access }, expr.dtype, [], index.terms.keys(), expr.origin)
  }
  for (const expr of exprsOf(rootsOf(body)))
    replaced.set(expr, replace(exprs, expr, replaced, partial, parts, index, count))
  const coords = (last: readonly [number, Size][]): Map<number, Size> => new Map([...kept, ...last])
  const reducedCoords = [...body.coords].filter(([coord]) => body.reduced.has(coord))
  return {
    parts,
    partial: { ...body, coords: new Map([[parts, count], ...kept, ...reducedCoords]), stores, alone: parts },
    final: {
      ...body,
      coords: coords([[parts, count]]),
      reduced: new Set([parts]),
      stores: body.stores.map(store => ({ ...store, expr: replaced.get(store.expr)! })),
    },
  }
}

/** The expression in the final kernel: a reduction folds its partial results. */
function replace(
  exprs: ExprBuilder,
  expr: Expr,
  replaced: ReadonlyMap<Expr, Expr>,
  partial: (expr: ReduceExpr) => Expr,
  parts: number,
  index: Affine,
  count: number,
): Expr {
  const keptCoords = [...index.terms.keys()].filter(coord => coord !== parts)
  if (expr.kind !== 'reduce') {
    const inputs = expr.inputs.map(input => replaced.get(input)!)
    return exprs.make(expr, expr.dtype, inputs, expr.coords, expr.origin)
  }
  if (!isArgReduction(expr.fn)) {
    return exprs.make({ kind: 'reduce', fn: expr.fn }, expr.dtype, [partial(expr)], keptCoords, expr.origin)
  }
  // The part with the best value, then that part's index: parts are in order, so first occurrences stay first.
  const best = expr.fn === 'argmax' ? 'max' : 'min'
  const input = expr.inputs[0]!
  const value = exprs.make({ kind: 'reduce', fn: best }, input.dtype, [input], expr.coords, expr.origin)
  const values = partial(value as ReduceExpr)
  const part = exprs.make({ kind: 'reduce', fn: expr.fn }, 'i64', [values], keptCoords, expr.origin)
  const indices = partial(expr)
  if (indices.kind !== 'load') return indices
  const terms = new Map([...index.terms].filter(([coord]) => coord !== parts))
  const access: Access = { ...indices.access, index: { offset: 0, terms } }
  const stride = index.terms.get(parts)!
  return exprs.make({ kind: 'gather', access, stride, size: count }, 'i64', [part], keptCoords, expr.origin)
}

/** Which indices of the longest reduced axis each part takes. */
export function partMaker(axes: Axes, tiling: Tiling, parts: number): PartMaker {
  const axis = longest(axes.reduced)
  const extent = tiling.extents.get(axis)!
  return (writer, offsets) => {
    const part = axes.of(parts)
    const span = mulSizes(ceilDivSizes(ceilDivSizes(axis.size, extent), part.size), extent)
    const length = writer.size(span)
    const from = offsets.get(part)!.mul(length)
    return { axis, from, to: from.add(length).min(writer.axisSize(axis)) }
  }
}

/** A size that is not known counts as long. */
function longest(axes: readonly Axis[]): Axis {
  const length = ({ size }: Axis): number => (typeof size === 'number' ? size : Number.POSITIVE_INFINITY)
  return axes.reduce((best, axis) => (length(axis) > length(best) ? axis : best))
}
