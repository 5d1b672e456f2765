/**
 * Split reductions: where few results leave most programs idle, the reduced dims are split into parts whose partial results
 * a second, small kernel reduces before it does the rest. What is stored per element is stored by the parts.
 */
import { transplant } from '../../ir/transplant.js'
import { nodesOf } from '../../ir/walk.js'
import { type Access, accessOf } from '../../loop/access.js'
import { isPerElement, isSplittable } from '../../loop/analysis.js'
import {
  dtypeOf,
  type LoopBuilder,
  type LoopNode,
  type LoopNodeOf,
  type LoopProgram,
  loopBuilder,
  loopDialect,
} from '../../loop/ir.js'
import { isArgReduction } from '../../scalar/ops.js'
import { boundOf, ceilDivSizes, mulSizes, productOf, type Size } from '../../scalar/size.js'
import { type Affine, rowMajorStrides } from '../groups/affine.js'
import type { Buffers } from '../memory/buffers.js'
import type { SchedulePolicy } from '../policy.js'
import type { Axes, Axis } from '../tiling/axes.js'
import type { Part, PartMaker } from '../tiling/loops.js'
import { isOneBlock, type Tiling } from '../tiling/tiling.js'

export interface SplitReduction {
  readonly partial: LoopProgram
  /** The coordinate of the parts in `partial`. */
  readonly parts: number
  readonly final: LoopProgram
}

/** The least that is split is worth so many parts. */
const leastParts = 16

/** A program with fewer elements than this ends before a second kernel would begin. */
const leastWork = 1 << 14

/** With symbolic sizes: up to this many results count as few. */
const fewResults = 16

/**
 * The number of parts to split a program into; null: it is not split. Splitting pays where few program instances would do
 * much work each.
 */
export function partsOf(
  program: LoopProgram,
  axes: Axes,
  tiling: Tiling,
  { parallelism, partsPerSlot, limits: { minSplit } }: SchedulePolicy,
): number | null {
  if (!isSplittable(program)) return null
  const results = productOf(axes.kept.map(axis => axis.size))
  const total = mulSizes(results, productOf(axes.reduced.map(axis => axis.size)))
  if (typeof results !== 'number' || results === 0) return null
  const wanted = parallelism * partsPerSlot
  const most = boundOf(total)
  if (most === null) return results <= fewResults ? wanted : null
  const programs = axes.kept.reduce(
    (count, axis) => count * Math.ceil((axis.size as number) / tiling.extents.get(axis)!),
    1,
  )
  if (programs >= parallelism || most < minSplit || most / programs < Math.min(leastWork, minSplit)) return null
  const parts = Math.ceil(Math.min(wanted, (most / minSplit) * leastParts) / programs)
  const count = [...divisionOf(axes, tiling, parts).values()].reduce((all, each) => all * each, 1)
  return count > 1 ? count : null
}

/** Splits a program into `count` parts. What it stores per element, its partial program stores. */
export function splitProgram(program: LoopProgram, count: number, buffers: Buffers): SplitReduction {
  const parts = Math.max(...program.coords.keys()) + 1
  const kept = [...program.coords].filter(([coord]) => !program.reduced.has(coord))
  const reduced = [...program.coords].filter(([coord]) => program.reduced.has(coord))
  const loops: readonly [number, Size][] = [[parts, count], ...kept]
  const strides = rowMajorStrides(loops.map(([, size]) => size))
  const terms = loops.map(([coord], d): [number, Size] => [coord, strides[d]!])
  const index: Affine = { offset: 0, terms: new Map(terms.filter(([, stride]) => stride !== 0)) }
  const elements = productOf(loops.map(([, size]) => size))
  const partial = loopBuilder()
  const store = (value: LoopNode): Access => {
    const dtype = dtypeOf(value)
    const access = accessOf(buffers.temp(dtype, elements, 'partial'), dtype, index)
    partial.node('store', [value], { access })
    return access
  }
  const ofParts = { parts, count, store }
  const folded = foldParts(program, partial, ofParts)
  return {
    parts,
    partial: { ...program, coords: new Map([...loops, ...reduced]), body: partial.finish(), alone: parts },
    final: { ...program, coords: new Map([...kept, [parts, count]]), reduced: new Set([parts]), body: folded },
  }
}

interface Parts {
  /** Their coordinate, and their number. */
  readonly parts: number
  readonly count: number
  /** Stores a part's partial result. */
  store(value: LoopNode): Access
}

/** The body of the final kernel: its reductions reduce the partial results, which `partial` computes. */
function foldParts(program: LoopProgram, partial: LoopBuilder, ofParts: Parts): LoopProgram['body'] {
  const { body } = program
  const reduces = nodesOf<LoopNode>(body).filter(node => node.op === 'reduce')
  const isStoredByParts = (node: LoopNode): boolean => node.op === 'store' && isPerElement(node, program)
  const ofElements = body.body.filter(isStoredByParts)
  const rest = body.body.filter(node => !isStoredByParts(node))
  const copies = transplant<LoopNode>(
    loopDialect,
    partial,
    { params: [], body: ofElements, results: reduces },
    () => null,
  )
  const final = loopBuilder()
  const folds = new Map(
    reduces.map((node, i) => [
      node as LoopNode,
      final.withOrigin(node.origin, () => foldOf(final, partial, copies[i] as LoopNodeOf<'reduce'>, ofParts)),
    ]),
  )
  transplant<LoopNode>(loopDialect, final, { ...body, body: rest }, node => folds.get(node) ?? null)
  return final.finish()
}

/** The reduction of partial results. */
function foldOf(
  final: LoopBuilder,
  partial: LoopBuilder,
  node: LoopNodeOf<'reduce'>,
  { parts, count, store }: Parts,
): LoopNode {
  const { fn, over } = node.attrs
  const fold = (value: LoopNode): LoopNode =>
    final.node('reduce', [final.node('load', [], { access: store(value) })], { fn, over: [parts] })
  if (!isArgReduction(fn)) return fold(node)
  // The part with the best value, then that part's index: parts are in order, so the first occurrence wins.
  const best = fn === 'argmax' ? 'max' : 'min'
  const part = fold(partial.withOrigin(node.origin, () => partial.node('reduce', node.inputs, { fn: best, over })))
  const { buffer, dtype, index } = store(node)
  const terms = new Map([...index.terms].filter(([coord]) => coord !== parts))
  const access = accessOf(buffer, dtype, { offset: 0, terms })
  return final.node('gather', [part], { access, stride: index.terms.get(parts)!, size: count })
}

/** The ranges of the reduced axes that each part reduces. */
export function partMaker(axes: Axes, tiling: Tiling, parts: number): PartMaker {
  const part = axes.of(parts)
  // The first one takes what is left of a part's number. The program of the parts may have longer iterations than the one that
  // they were counted for: then the last parts begin behind the axis' end.
  const divided = [...divisionOf(axes, tiling, part.size as number)].filter(([, count], i) => i === 0 || count > 1)
  return (writer, offsets) => {
    let rest = offsets.get(part)!
    const ranges = divided.toReversed().map(([axis, count], i): Part => {
      const isLast = i === divided.length - 1
      const index = isLast ? rest : rest.mod(count)
      if (!isLast) rest = rest.floorDiv(count)
      const step = stepOf(axis, tiling)
      const length = writer.size(mulSizes(ceilDivSizes(ceilDivSizes(axis.size, step), count), step))
      const from = index.mul(length)
      return { axis, from, to: from.add(length).min(writer.axisSize(axis)) }
    })
    return new Map(ranges.map(range => [range.axis, range]))
  }
}

/**
 * Into how many parts each reduced axis is divided: `wanted` in all, unless there are fewer iterations. The axis of the most
 * iterations comes first; others are divided where it is too short.
 */
function divisionOf({ reduced }: Axes, tiling: Tiling, wanted: number): ReadonlyMap<Axis, number> {
  let left = wanted
  const longestFirst = reduced.toSorted((a, b) => stepsOf(b, tiling) - stepsOf(a, tiling))
  return new Map(
    longestFirst.map(axis => {
      const steps = stepsOf(axis, tiling)
      // No part is empty.
      const count = Number.isFinite(steps) ? Math.ceil(steps / Math.ceil(steps / left)) : left
      left = Math.max(1, Math.floor(left / count))
      return [axis, count]
    }),
  )
}

/** What one iteration covers of a reduced axis: of the innermost one of several blocks, as many blocks as are unrolled. */
function stepOf(axis: Axis, { order, extents, unroll = 1 }: Tiling): number {
  const looped = order.filter(each => each.reduced && !isOneBlock(each, extents.get(each)!))
  return extents.get(axis)! * (axis === looped.at(-1) ? unroll : 1)
}

/** An unknown size counts as long. */
const stepsOf = (axis: Axis, tiling: Tiling): number =>
  typeof axis.size === 'number' ? Math.ceil(axis.size / stepOf(axis, tiling)) : Number.POSITIVE_INFINITY
