/**
 * From a graph to a plan, in named pure steps:
 *
 *     convolutions → normalize → regions (which kernels) → shared memory → order → bundles → loop programs → kernels (tile programs) → batches → slots
 *
 * Guarantees of a plan's launches: the views passed to one launch are pairwise disjoint, identical (offset, shape and
 * strides), or only read; write-backs come after every read of the value they replace.
 */

import { InternalError } from '../base/errors.js'
import { blockGraph } from '../graph/blocks.js'
import { type Graph, type GraphNode, type GroupMember, typeOf } from '../graph/ir.js'
import type { LoopProgram } from '../loop/ir.js'
import { type Bundle, bundled, withCopiesFirst } from './fusion/bundles.js'
import { lowerConvolutions } from './fusion/channels-last.js'
import { denseResults, normalize } from './fusion/normalize.js'
import { safeRegions } from './fusion/safe-regions.js'
import type { ControlNode, Group, LaunchNode } from './groups/group.js'
import { isRowMajor } from './groups/layout.js'
import { batched } from './kernels/batches.js'
import { KernelTable, StepList } from './kernels/kernels.js'
import { loopProgram } from './kernels/program.js'
import type { Buffers } from './memory/buffers.js'
import { shareLaunchMemory } from './memory/in-place.js'
import { inPeakOrder } from './memory/peak-order.js'
import { shareScatterMemory } from './memory/scatters.js'
import { planMemory } from './memory/slots.js'
import { shareWrittenParts } from './memory/written-parts.js'
import { onlyDevice, type Plan, type PlanBlock, type PlanTensor } from './plan/plan.js'
import type { SchedulePolicy } from './policy.js'

/** Requires: a verified graph. Guarantees: a plan with the same meaning whose kernels are valid tile programs. */
export function scheduleGraph(graph: Graph, policy: SchedulePolicy): Plan {
  const scheduler = new Scheduler(policy)
  const main = scheduler.block(graph)
  const { table, blocks } = scheduler
  return { symbols: graph.symbols, devices: onlyDevice + 1, ...main, kernels: table.kernels, blocks }
}

class Scheduler {
  readonly table = new KernelTable()
  readonly blocks: PlanBlock[] = []

  constructor(readonly policy: SchedulePolicy) {}

  /** Schedules a graph, or a block of control flow in one: fusion, then a kernel per group, then memory. */
  block(captured: Graph): PlanBlock {
    const { graph, buffers, steps: fused } = fuse(captured, this.policy)
    const list = new StepList(this.table, this.policy, buffers)
    for (const step of fused) this.#add(step, graph, list)
    // With the dtypes of the captured graph: 8-bit floats are scheduled as their codes.
    const outputs = graph.body.results
      .slice(0, graph.outputs)
      .map((node, i) => ({ ...outputOf(node, buffers), dtype: typeOf(captured.body.results[i]!).dtype }))
    const { uses, groups, batches } = batched(list.uses, list.groups, buffers.drafts, this.policy.batches)
    const { buffers: planned, slots } = planMemory(buffers.drafts, uses, [...groups, ...batches])
    return { buffers: planned, slots, steps: uses.map(use => use.step), groups, batches, outputs }
  }

  /** Adds one fused step to the list of launches. */
  #add(step: FusedStep, graph: Graph, list: StepList): void {
    switch (step.kind) {
      case 'launch':
        list.addLaunch(step.node)
        break
      case 'control': {
        const { node } = step
        const rows = node.op === 'steps' ? node.attrs.carried : Number.POSITIVE_INFINITY
        const blocks = node.blocks.map(block => this.#inner(blockGraph(graph, block), rows))
        list.addControl(step.node, blocks)
        break
      }
      case 'loops':
        if (step.grouped === null) for (const program of step.programs) list.add(program)
        else list.addGroup(step.programs, step.grouped.strategy)
        break
      default:
        step satisfies never
    }
  }

  /** The index of a block, whose results are row-major at offset 0 of memory of their own; those from `rows` on are written by kernels. */
  #inner(graph: Graph, rows: number): number {
    const block = this.block(denseResults(graph, rows))
    for (const [i, { buffer, offset, shape, strides }] of block.outputs.entries()) {
      const { kind } = block.buffers[buffer]!
      const isOwn = kind === 'output' || (kind === 'result' && i < rows)
      if (!isOwn || offset !== 0 || !isRowMajor({ shape, strides }))
        throw new InternalError('schedule: a result of a block has no row-major memory of its own')
    }
    return this.blocks.push(block) - 1
  }
}

export type FusedStep =
  /** One program, or the independent programs of a grouped launch. */
  | { readonly kind: 'loops'; readonly programs: readonly LoopProgram[]; readonly grouped: GroupMember | null }
  /** A user's kernel. */
  | { readonly kind: 'launch'; readonly node: LaunchNode }
  | { readonly kind: 'control'; readonly node: ControlNode }

export interface Fused {
  /** After `normalize`. */
  readonly graph: Graph
  readonly buffers: Buffers
  /** In topological order. Lazy, since buffers are numbered when a step first needs them. */
  readonly steps: Iterable<FusedStep>
}

/** Fuses a graph: every pass by name, in order. */
export function fuse(captured: Graph, policy: SchedulePolicy): Fused {
  const graph = normalize(lowerConvolutions(captured, policy), policy)
  const { regions, buffers } = safeRegions(graph, policy.rows)
  const scattered = shareScatterMemory(regions, graph, buffers)
  const written = shareWrittenParts(scattered, graph, buffers)
  const shared = inPeakOrder(shareLaunchMemory(written, graph, buffers), buffers)
  const bundles = !policy.conv?.kernels ? bundled(shared) : withCopiesFirst(bundled(shared), graph)
  return { graph, buffers, steps: stepsOf(bundles, graph, buffers) }
}

function* stepsOf(bundles: readonly Bundle[], graph: Graph, buffers: Buffers): Generator<FusedStep> {
  for (const { groups, grouped } of bundles) {
    const [{ step }] = groups as [Group]
    if (step === null)
      yield { kind: 'loops', programs: groups.map(group => loopProgram(group, graph, buffers)), grouped }
    else yield step.op === 'launch' ? { kind: 'launch', node: step } : { kind: 'control', node: step }
  }
}

export function outputOf(node: GraphNode, buffers: Buffers): PlanTensor {
  const { buffer, layout } = buffers.locate(node)
  return { dtype: typeOf(node).dtype, buffer, ...layout }
}
