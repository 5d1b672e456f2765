/**
 * What a loop over products keeps in shared memory: operands that are copied rounds ahead, those that stay the same, those
 * that each round computes, and what these are computed of; in how many stages, as far as memory goes.
 */
import { type TileNode, tileType } from '../../tile/ir.js'
import { itemBytes } from '../../types/dtype.js'
import type { AsyncPlan } from './async-copies.js'
import type { Context } from './context.js'
import { type DeferredDot, deferredDots } from './deferred-dots.js'
import { operandAlignment, operandKey } from './dot-layouts.js'
import { type JointDots, jointDots } from './joint-dots.js'
import { noRawLoads, type RawPlan, rawBytes, rawPlans } from './raw-loads.js'
import { isRenaming } from './renaming.js'
import type { Rounds } from './rounds.js'
import type { SharedLayout } from './shared-layout.js'

/** An operand of a dot, or of several, in the loop's body. */
export interface Operand {
  readonly key: string
  readonly dot: TileNode
  readonly position: 0 | 1
  readonly layout: SharedLayout
  /** Of its place in shared memory. */
  readonly alignment: number
  readonly copy: AsyncPlan | null
  /** The elements of a stage, and where in it the operand lies. */
  readonly stage: { readonly size: number; readonly start: number }
}

/** What a loop keeps in shared memory. */
export interface PipelinePlan {
  /** Loaded ahead, a stage per round. */
  readonly staged: readonly Operand[]
  /** The same in every round. */
  readonly resident: readonly Operand[]
  /** Computed in each round, whose products may still run in the next one: in `computedStages` stages. */
  readonly computed: readonly Operand[]
  /** What the computed operands are computed of, brought rounds ahead too. */
  readonly raw: RawPlan
  readonly stages: number
  readonly deferred: readonly DeferredDot[]
  /** The deferred products as one. */
  readonly joint: JointDots | null
}

/** Loops with so many bytes per stage have one stage less: blocks should share a multiprocessor. */
const largeStage = 32 * 1024
const defaultStages = 4
/** Of loops whose products run on: a round less is ahead. Blocks that are alone ask for more. */
const mostDeferredStages = 6
/** One is written while the products of the round before may run. A third would take room from the first cache. */
export const computedStages = 2

export function planPipeline(context: Context, rounds: Rounds): PipelinePlan | null {
  if (context.maxStages === 0) return null
  const all = [...rounds.body]
    .filter(node => node.op === 'dot')
    .flatMap(dot => operandsOf(context, dot))
    .filter(({ dot, position }) => position === 1 || !context.plan.leftInRegisters.has(dot))
  const operands = [...new Map(all.map(operand => [operand.key, operand])).values()]
  const resident = operands.filter(({ dot, position }) => !changes(dot.inputs[position]!, rounds))
  const staged = operands.filter(
    operand => operand.copy !== null && !resident.includes(operand) && rounds.runsAhead(operand.copy.access),
  )
  const deferred = planDeferred(context, rounds, { staged, resident, computed: rest(operands, staged, resident) })
  if (deferred !== null) return deferred
  if (staged.length + resident.length === 0) return null
  const [fixed, each] = [bytesOf(resident), bytesOf(staged)]
  // What else the loop does in shared memory needs room too.
  const free = context.shared.free / 2 > fixed + each ? context.shared.free - ringSpace : 0
  const usual = each > largeStage ? defaultStages - 1 : defaultStages
  // While the warpgroups of one block wait for their products, those of another compute.
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

const rest = (all: readonly Operand[], ...taken: readonly (readonly Operand[])[]): Operand[] =>
  all.filter(operand => !taken.some(list => list.includes(operand)))

const bytesOf = (operands: readonly Operand[]): number =>
  operands.reduce(
    (sum, { dot, layout, alignment }) => sum + layout.size * itemBytes(tileType(dot.inputs[0]!).dtype) + alignment,
    0,
  )

/** Stages of `each` bytes, besides `fixed` ones, of each of two blocks that share a multiprocessor. */
const stagesOfTwo = ({ target: { arch } }: Context, fixed: number, each: number): number =>
  Math.floor((arch.sharedBytesPerMultiprocessor / 2 - ringSpace - fixed) / each)

/** Null: the loop's products end in their round, since something looks at them or memory is short. */
function planDeferred(context: Context, rounds: Rounds, operands: Operands): PipelinePlan | null {
  const deferred = deferredDots(context.plan, rounds.range)
  if (deferred.length === 0) return null
  const { staged, resident } = operands
  const joint = jointDots(context.plan, deferred)
  const computed = joint === null ? operands.computed : sideBySide(operands.computed, joint)
  const fixed = bytesOf(resident) + computedStages * bytesOf(computed)
  const each = bytesOf(staged)
  for (const raw of rawPlans(context, rounds, deferred)) {
    const bytes = fixed + rawBytes(raw)
    const stages = each === 0 ? 0 : deferredStages(context, bytes, each)
    const fits = bytes + stages * each + ringSpace <= context.shared.free
    if (fits && (each === 0 || stages >= 3)) return { staged, resident, computed, raw, stages, deferred, joint }
  }
  return null
}

/** Right operands in the places that they have as parts of one. */
function sideBySide(computed: readonly Operand[], { dots, plan, parts }: JointDots): readonly Operand[] {
  return computed.map(operand => {
    const part = operand.position === 1 ? parts[dots.findIndex(({ dot }) => dot === operand.dot)] : undefined
    if (part === undefined) return operand
    return { ...operand, layout: part.layout, stage: { size: plan.sharedB.size, start: part.start } }
  })
}

/** Stages of `each` bytes besides `fixed` ones, of loops whose products run on. */
function deferredStages(context: Context, fixed: number, each: number): number {
  // Two blocks share a multiprocessor, unless that leaves too few stages to hide how long memory takes.
  const shared = stagesOfTwo(context, fixed, each)
  const wanted =
    context.program.hints.stages ?? Math.min(mostDeferredStages, shared >= defaultStages ? shared : Infinity)
  const most = Math.floor((context.shared.free - ringSpace - fixed) / each)
  return Math.min(wanted, context.maxStages, most)
}

const ringSpace = 8 * 1024

function operandsOf(context: Context, dot: TileNode): Operand[] {
  const plan = context.plan.dots.get(dot)!
  const copies = context.plan.copies.get(dot)!
  return ([0, 1] as const).map(position => {
    const layout = position === 0 ? plan.sharedA : plan.sharedB
    const stage = { size: layout.size, start: 0 }
    const key = operandKey(plan, position)
    return { key, dot, position, layout, alignment: operandAlignment(plan), copy: copies[position]!, stage }
  })
}

/** True when a tile is made anew in each round: it, or what it renames, is computed in the loop. */
function changes(node: TileNode, rounds: Rounds): boolean {
  return isRenaming(node) ? changes(node.inputs[0]!, rounds) : rounds.varies(node)
}
