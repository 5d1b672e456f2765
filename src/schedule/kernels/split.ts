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
import type { PartMaker } from '../tiling/loops.js'
import type { Tiling } from '../tiling/tiling.js'

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
  { extents }: Tiling,
  { parallelism, partsPerSlot, limits: { minSplit } }: SchedulePolicy,
): number | null {
  if (!isSplittable(program)) return null
  const results = productOf(axes.kept.map(axis => axis.size))
  const total = mulSizes(results, productOf(axes.reduced.map(axis => axis.size)))
  if (typeof results !== 'number' || results === 0) return null
  const wanted = parallelism * partsPerSlot
  const most = boundOf(total)
  if (most === null) return results <= fewResults ? wanted : null
  const programs = axes.kept.reduce((count, axis) => count * Math.ceil((axis.size as number) / extents.get(axis)!), 1)
  if (programs >= parallelism || most < minSplit || most / programs < Math.min(leastWork, minSplit)) return null
  const parts = Math.ceil(Math.min(wanted, (most / minSplit) * leastParts) / programs)
  // Of several axes one is divided.
  const usable = axes.reduced.length > 1 ? Math.min(parts, blocksOf(dividedAxis(axes, extents), extents)) : parts
  return usable > 1 ? usable : null
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

/** The range of a reduced axis that each part reduces. */
export function partMaker(axes: Axes, tiling: Tiling, parts: number): PartMaker {
  const axis = dividedAxis(axes, tiling.extents)
  const extent = tiling.extents.get(axis)!
  return (writer, offsets) => {
    const part = axes.of(parts)
    const span = mulSizes(ceilDivSizes(ceilDivSizes(axis.size, extent), part.size), extent)
    const length = writer.size(span)
    const from = offsets.get(part)!.mul(length)
    return { axis, from, to: from.add(length).min(writer.axisSize(axis)) }
  }
}

/** The reduced axis of the most blocks. */
const dividedAxis = ({ reduced }: Axes, extents: Tiling['extents']): Axis =>
  reduced.reduce((best, axis) => (blocksOf(axis, extents) > blocksOf(best, extents) ? axis : best))

/** An unknown size counts as long. */
const blocksOf = (axis: Axis, extents: Tiling['extents']): number =>
  typeof axis.size === 'number' ? Math.ceil(axis.size / extents.get(axis)!) : Number.POSITIVE_INFINITY
