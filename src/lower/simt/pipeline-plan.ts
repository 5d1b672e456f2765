/**
 * Chooses which operands of a loop's dots are kept in shared memory, and the number of stages: operands prefetched by
 * cp.async, loop-invariant ones, computed ones, and the raw tiles from which those are computed, as far as shared memory allows.
 */
import { type TileNode, tileType } from '../../tile/ir.js'
import { itemBytes } from '../../types/dtype.js'
import type { AsyncPlan } from './async-copies.js'
import type { Context } from './context.js'
import { type DeferredDot, deferredDots } from './deferred-dots.js'
import { operandAlignment, operandKey } from './dot-layouts.js'
import type { Iterations } from './iterations.js'
import { type JointDots, jointDots } from './joint-dots.js'
import { noRawLoads, type RawPlan, rawBytes, rawPlans } from './raw-loads.js'
import { isRenaming } from './renaming.js'
import type { SharedLayout } from './shared-layout.js'

/** An operand of one or more dots in the loop's body. */
export interface SharedOperand {
  readonly key: string
  readonly dot: TileNode
  readonly position: 0 | 1
  readonly layout: SharedLayout
  /** Required alignment in shared memory. */
  readonly alignment: number
  readonly copy: AsyncPlan | null
  /** Elements per stage, and the operand's start within it. */
  readonly stage: { readonly size: number; readonly start: number }
}

/** A loop's shared-memory operands. */
export interface PipelinePlan {
  /** Prefetched: one stage per iteration in flight. */
  readonly staged: readonly SharedOperand[]
  /** Loop-invariant. */
  readonly resident: readonly SharedOperand[]
  /** Computed in each iteration, in `computedStages` stages, because its dots may still run during the next one. */
  readonly computed: readonly SharedOperand[]
  /** The raw tiles from which the computed operands are computed; prefetched too. */
  readonly raw: RawPlan
  readonly stages: number
  readonly deferred: readonly DeferredDot[]
  /** The deferred dots merged into one. */
  readonly joint: JointDots | null
}

/** Loops with more bytes per stage than this use one stage less, for higher occupancy. */
const largeStage = 32 * 1024
const defaultStages = 4
/** Loops with deferred wgmma prefetch one iteration less; kernels at one CTA per SM use up to this many stages. */
const maxDeferredStages = 6
/** One stage is written while wgmma may still read the other. A third would take capacity from the L1 cache. */
export const computedStages = 2

/** Which operands of a loop's dots are staged through shared memory, and in how many stages; null: none. */
export function planPipeline(context: Context, iterations: Iterations): PipelinePlan | null {
  if (context.maxStages === 0) return null
  const all = [...iterations.body]
    .filter(node => node.op === 'dot')
    .flatMap(dot => operandsOf(context, dot))
    .filter(({ dot, position }) => position === 1 || !context.plan.leftInRegisters.has(dot))
  const operands = [...new Map(all.map(operand => [operand.key, operand])).values()]
  const resident = operands.filter(({ dot, position }) => !changes(dot.inputs[position]!, iterations))
  const staged = operands.filter(
    operand => operand.copy !== null && !resident.includes(operand) && iterations.runsAhead(operand.copy.access),
  )
  const deferred = planDeferred(context, iterations, { staged, resident, computed: rest(operands, staged, resident) })
  if (deferred !== null) return deferred
  if (staged.length + resident.length === 0) return null
  const [fixed, each] = [bytesOf(resident), bytesOf(staged)]
  // The loop's other uses of shared memory need space too.
  const free = context.shared.free - ringSpace >= fixed + 2 * each ? context.shared.free - ringSpace : 0
  const usual = each > largeStage ? defaultStages - 1 : defaultStages
  // With two CTAs per SM, one computes while the warpgroups of the other wait for wgmma.
  const shared = operands.some(({ dot }) => context.plan.dots.get(dot)!.method === 'wgmma')
    ? stagesOfTwo(context, fixed, each)
    : 0
  const best = shared >= 2 ? Math.min(shared, defaultStages) : usual
  const wanted = Math.min(context.program.hints.stages ?? best, context.maxStages)
  const stages = each === 0 ? 0 : Math.min(Math.max(1, wanted), Math.floor((free - fixed) / each))
  if (shared >= 2 && stages <= shared) context.shareMultiprocessor(operands.map(({ dot }) => dot))
  const none = { computed: [], raw: noRawLoads, deferred: [], joint: null }
  if (staged.length > 0 && stages < 2)
    return resident.length > 0 && fixed < free ? { staged: [], resident, stages: 0, ...none } : null
  return fixed + stages * each <= free ? { staged, resident, stages, ...none } : null
}

type Operands = Pick<PipelinePlan, 'staged' | 'resident' | 'computed'>

const rest = (all: readonly SharedOperand[], ...taken: readonly (readonly SharedOperand[])[]): SharedOperand[] =>
  all.filter(operand => !taken.some(list => list.includes(operand)))

const bytesOf = (operands: readonly SharedOperand[]): number =>
  operands.reduce(
    (sum, { dot, layout, alignment }) => sum + layout.size * itemBytes(tileType(dot.inputs[0]!).dtype) + alignment,
    0,
  )

/** Stages of `each` bytes, besides `fixed` bytes, that fit when two CTAs share an SM. */
const stagesOfTwo = ({ target: { arch } }: Context, fixed: number, each: number): number =>
  Math.floor((arch.sharedBytesPerMultiprocessor / 2 - ringSpace - fixed) / each)

/** Null: wgmma must finish within its iteration, because the body reads the accumulators or shared memory is short. */
function planDeferred(context: Context, iterations: Iterations, operands: Operands): PipelinePlan | null {
  const deferred = deferredDots(context.plan, iterations.range)
  if (deferred.length === 0) return null
  const { staged, resident } = operands
  const joint = jointDots(context.plan, deferred)
  const computed = joint === null ? operands.computed : mergedOperands(operands.computed, joint)
  const fixed = bytesOf(resident) + computedStages * bytesOf(computed)
  const each = bytesOf(staged)
  for (const raw of rawPlans(context, iterations, deferred)) {
    const bytes = fixed + rawBytes(raw)
    const stages = each === 0 ? 0 : deferredStages(context, bytes, each)
    const fits = bytes + stages * each + ringSpace <= context.shared.free
    if (fits && (each === 0 || stages >= 3)) return { staged, resident, computed, raw, stages, deferred, joint }
  }
  return null
}

/** Right operands at their positions within the merged one. */
function mergedOperands(
  computed: readonly SharedOperand[],
  { dots, plan, parts }: JointDots,
): readonly SharedOperand[] {
  return computed.map(operand => {
    const part = operand.position === 1 ? parts[dots.findIndex(({ dot }) => dot === operand.dot)] : undefined
    if (part === undefined) return operand
    return { ...operand, layout: part.layout, stage: { size: plan.sharedB.size, start: part.start } }
  })
}

/** Stages of `each` bytes, besides `fixed` bytes, for loops with deferred wgmma. */
function deferredStages(context: Context, fixed: number, each: number): number {
  // Two CTAs per SM, unless that leaves too few stages to hide memory latency.
  const shared = stagesOfTwo(context, fixed, each)
  const wanted =
    context.program.hints.stages ?? Math.min(maxDeferredStages, shared >= defaultStages ? shared : Infinity)
  const most = Math.floor((context.shared.free - ringSpace - fixed) / each)
  return Math.min(wanted, context.maxStages, most)
}

const ringSpace = 8 * 1024

function operandsOf(context: Context, dot: TileNode): SharedOperand[] {
  const plan = context.plan.dots.get(dot)!
  const copies = context.plan.copies.get(dot)!
  return ([0, 1] as const).map(position => {
    const layout = position === 0 ? plan.sharedA : plan.sharedB
    const stage = { size: layout.size, start: 0 }
    const key = operandKey(plan, position)
    return { key, dot, position, layout, alignment: operandAlignment(plan), copy: copies[position]!, stage }
  })
}

/** True when a tile differs between iterations: it, or the tile that it renames, is computed in the loop. */
function changes(node: TileNode, iterations: Iterations): boolean {
  return isRenaming(node) ? changes(node.inputs[0]!, iterations) : iterations.varies(node)
}
