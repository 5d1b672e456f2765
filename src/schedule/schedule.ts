/**
 * From a graph to a plan, in named pure steps:
 *
 *     normalize → regions (which kernels) → loop programs → kernels (tile programs) → memory (slots)
 *
 * Guarantees of a plan's launches: the views passed to one launch are pairwise disjoint, identical (offset, shape and
 * strides), or only read; write-backs come after every read of the value they replace.
 */

import { InternalError } from '../base/errors.js'
import { blockGraph } from '../graph/blocks.js'
import { type Graph, type GraphNode, type GroupMember, hasRole, isView, typeOf } from '../graph/ir.js'
import { ownNodesOf } from '../ir/walk.js'
import type { LoopProgram } from '../loop/ir.js'
import { addSizes, mulSizes } from '../scalar/size.js'
import { bundled } from './fusion/bundles.js'
import { denseResults, normalize } from './fusion/normalize.js'
import { findRegions, type Regions } from './fusion/regions.js'
import { affineKey } from './groups/affine.js'
import { type ControlNode, type Group, type GroupStore, isExclusive, type LaunchNode, mapsOf } from './groups/group.js'
import { isRowMajor, shapeOf } from './groups/layout.js'
import type { GroupOrder } from './groups/order.js'
import { KernelTable, StepList } from './kernels/kernels.js'
import { accessAt, loopProgram } from './kernels/program.js'
import { Buffers, type Located } from './memory/buffers.js'
import { shareLaunchMemory } from './memory/in-place.js'
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

  block(captured: Graph): PlanBlock {
    const { graph, buffers, steps: fused } = fuse(captured, this.policy)
    const list = new StepList(this.table, this.policy, buffers)
    for (const step of fused) this.#add(step, graph, list)
    // With the dtypes of the captured graph: 8-bit floats are scheduled as their codes.
    const outputs = graph.body.results
      .slice(0, graph.outputs)
      .map((node, i) => ({ ...outputOf(node, buffers), dtype: typeOf(captured.body.results[i]!).dtype }))
    const { uses, groups } = list
    const { buffers: planned, slots } = planMemory(buffers.drafts, uses, groups)
    return { buffers: planned, slots, steps: uses.map(use => use.step), groups, outputs }
  }

  #add(step: FusedStep, graph: Graph, list: StepList): void {
    switch (step.kind) {
      case 'launch':
        list.addLaunch(step.node)
        break
      case 'control': {
        const [first, second] = step.node.blocks.map(block => this.#inner(blockGraph(graph, block)))
        list.addControl(step.node, [first!, second!])
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

  /** The index of a block, whose results are row-major at offset 0 of memory of their own. */
  #inner(graph: Graph): number {
    const block = this.block(denseResults(graph))
    for (const { buffer, offset, shape, strides } of block.outputs) {
      const isOwn = block.buffers[buffer]!.kind === 'output' || block.buffers[buffer]!.kind === 'result'
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

/** Fuses a graph. */
export function fuse(captured: Graph, policy: SchedulePolicy): Fused {
  const graph = normalize(captured, policy)
  const { regions, buffers } = safeRegions(graph, policy.parallelism)
  return { graph, buffers, steps: stepsOf(groupsInMemory(regions, graph, buffers), graph, buffers) }
}

function* stepsOf(order: GroupOrder, graph: Graph, buffers: Buffers): Generator<FusedStep> {
  const programOf = (group: Group): LoopProgram => loopProgram(group, buffers, store => placeOf(store, graph, buffers))
  for (const bundle of bundled(order)) {
    const [{ step }] = bundle.groups as [Group]
    if (step !== null) yield step.op === 'launch' ? { kind: 'launch', node: step } : { kind: 'control', node: step }
    else yield { kind: 'loops', programs: bundle.groups.map(programOf), grouped: bundle.grouped }
  }
}

/** The groups that remain once values share the memory of arguments. */
const groupsInMemory = (groups: GroupOrder, graph: Graph, buffers: Buffers): GroupOrder =>
  shareLaunchMemory(shareWrittenParts(groups, graph, buffers), graph, buffers)

/** Where a group stores a value. */
function placeOf({ node, target }: GroupStore, graph: Graph, buffers: Buffers): Located {
  switch (target.kind) {
    case 'own':
      return buffers.locate(node)
    case 'part': {
      const { buffer, layout } = buffers.locate(target.cat)
      const dim = target.cat.op === 'cat' ? target.cat.attrs.dim : 0
      const offset = addSizes(layout.offset, mulSizes(target.start, layout.strides[dim]!))
      return { buffer, layout: { offset, shape: shapeOf(node), strides: layout.strides } }
    }
    case 'writeBack': {
      const { input, offset, shape, strides } = graph.writeBacks[target.index]!
      return { buffer: buffers.input(input), layout: { offset, shape, strides } }
    }
    case 'before':
    case 'update':
      return buffers.locate(target.scatter)
    case 'initial':
      return buffers.locateWritten(target.launch, target.input)
    default:
      return target satisfies never
  }
}

export function outputOf(node: GraphNode, buffers: Buffers): PlanTensor {
  const { buffer, layout } = buffers.locate(node)
  return { dtype: typeOf(node).dtype, buffer, ...layout }
}

/**
 * Forms regions in which no write-back destroys a value that is still read. A value written to an argument is first stored
 * in memory of its own if it is made from that argument other than elementwise, or from another written argument.
 */
function safeRegions(graph: Graph, parallelism: number): { regions: Regions; buffers: Buffers } {
  const forced = new Set<GraphNode>()
  for (;;) {
    const regions = findRegions(graph, parallelism, forced)
    const buffers = new Buffers(graph, regions.stored, outputNodes(graph, regions.stored))
    const unsafe = regions.groups.filter(
      group => isExclusive(group) && !isSafeWrite(group, graph, buffers, regions.stored),
    )
    if (unsafe.length === 0) return { regions, buffers }
    const before = forced.size
    for (const group of unsafe) forced.add(group.stores[0]!.node)
    if (forced.size === before) throw new InternalError('schedule: a write-back stays unsafe with memory of its own')
  }
}

/** The stored nodes that results are views of, or that are passed to blocks. */
function outputNodes({ body, outputs }: Graph, stored: ReadonlySet<GraphNode>): Set<GraphNode> {
  const operands = ownNodesOf(body).flatMap(node => (hasRole(node, 'control') ? node.inputs : []))
  return new Set([...body.results.slice(0, outputs), ...operands].map(node => memoryOf(node, stored)))
}

/** The node whose memory a node's values are stored in. */
function memoryOf(node: GraphNode, stored: ReadonlySet<GraphNode>): GraphNode {
  let base = node
  while (!stored.has(base) && isView(base)) base = base.inputs[0]!
  return base
}

function isSafeWrite(group: Group, graph: Graph, buffers: Buffers, stored: ReadonlySet<GraphNode>): boolean {
  const [store] = group.stores
  if (store === undefined || store.target.kind !== 'writeBack') return true
  const own = graph.writeBacks[store.target.index]!.input
  const written = new Set(graph.writeBacks.map(({ input }) => input))
  const place = affineKey(accessAt(placeOf(store, graph, buffers), 'bool', store.map).index)
  const reads = [...group.touched.keys()].filter(node => !group.members.has(node))
  const readsInput = (node: GraphNode): number | null => {
    const memory = memoryOf(node, stored)
    return memory.op === 'input' && written.has(memory.attrs.index) ? memory.attrs.index : null
  }
  if ([...group.memoryReads].some(node => readsInput(node) !== null)) return false
  return reads.every(node => {
    const input = readsInput(node)
    if (input === null) return true
    if (input !== own || group.anchors.length > 0 || group.folded !== null) return false
    return mapsOf(group, node).every(map => affineKey(accessAt(buffers.locate(node), 'bool', map).index) === place)
  })
}
