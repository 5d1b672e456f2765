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
import type { Graph, GraphNode, GroupMember } from '../graph/ir.js'
import { typeOf } from '../graph/ir.js'
import { ownNodesOf } from '../ir/walk.js'
import type { LoopProgram } from '../loop/ir.js'
import { addSizes, mulSizes } from '../scalar/size.js'
import { affineKey } from './affine.js'
import { Buffers, type Located } from './buffers.js'
import type { ControlNode, Group, LaunchNode, Store } from './group.js'
import { shareLaunchMemory } from './in-place.js'
import { KernelTable, StepList } from './kernels.js'
import { isRowMajor, shapeOf } from './layout.js'
import { planMemory } from './memory.js'
import { denseResults, normalize } from './normalize.js'
import { onlyDevice, type Plan, type PlanBlock, type PlanTensor } from './plan.js'
import type { SchedulePolicy } from './policy.js'
import { accessAt, loopProgram } from './program.js'
import { findRegions, type Regions } from './regions.js'
import { hasRole, isView } from './roles.js'
import { bundled } from './together.js'
import { shareWrittenParts } from './written-parts.js'

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
    // Of the dtypes that were asked for: what is computed of some is their codes.
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
        if (step.together === null) for (const program of step.programs) list.add(program)
        else list.addTogether(step.programs, step.together.strategy)
        break
      default:
        step satisfies never
    }
  }

  /** The number of a block, whose results lie row-major from the beginning of memory of their own. */
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
  /** One program, or several that do not need each other and were asked for `together`. */
  | { readonly kind: 'loops'; readonly programs: readonly LoopProgram[]; readonly together: GroupMember | null }
  /** A person's kernel. */
  | { readonly kind: 'launch'; readonly node: LaunchNode }
  | { readonly kind: 'control'; readonly node: ControlNode }

export interface Fused {
  /** As fusion works on it. */
  readonly graph: Graph
  readonly buffers: Buffers
  /** In an order in which they can run. Made one by one: each numbers the buffers that it needs first. */
  readonly steps: Iterable<FusedStep>
}

/** What fusion makes of a graph. */
export function fuse(captured: Graph, policy: SchedulePolicy): Fused {
  const graph = normalize(captured, policy.products)
  const { regions, buffers } = safeRegions(graph, policy.parallelism)
  return { graph, buffers, steps: stepsOf(groupsInMemory(regions.groups, graph, buffers), graph, buffers) }
}

function* stepsOf(groups: readonly Group[], graph: Graph, buffers: Buffers): Generator<FusedStep> {
  const programOf = (group: Group): LoopProgram => loopProgram(group, buffers, store => placeOf(store, graph, buffers))
  for (const bundle of bundled(groups)) {
    const [{ launch, control }] = bundle.groups as [Group]
    if (launch !== null) yield { kind: 'launch', node: launch }
    else if (control !== null) yield { kind: 'control', node: control }
    else yield { kind: 'loops', programs: bundle.groups.map(programOf), together: bundle.together }
  }
}

/** The groups that are left where values lie in the memory of arguments. */
const groupsInMemory = (groups: readonly Group[], graph: Graph, buffers: Buffers): readonly Group[] =>
  shareLaunchMemory(shareWrittenParts(groups, graph, buffers), graph, buffers)

/** Where a group stores a value. */
function placeOf({ node, target }: Store, graph: Graph, buffers: Buffers): Located {
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
 * Regions in which no write-back destroys what is still read: a value that is written to an argument's memory, but made
 * from that memory other than element by element, or from another written argument, first gets memory of its own.
 */
function safeRegions(graph: Graph, parallelism: number): { regions: Regions; buffers: Buffers } {
  const forced = new Set<GraphNode>()
  for (;;) {
    const regions = findRegions(graph, parallelism, forced)
    const buffers = new Buffers(graph, regions.stored, outputNodes(graph, regions.stored))
    const unsafe = regions.groups.filter(
      group => group.exclusive && !isSafeWrite(group, graph, buffers, regions.stored),
    )
    if (unsafe.length === 0) return { regions, buffers }
    const before = forced.size
    for (const group of unsafe) forced.add(group.stores[0]!.node)
    if (forced.size === before) throw new InternalError('schedule: a write-back stays unsafe with memory of its own')
  }
}

/** The stored nodes that results show, or that blocks get. */
function outputNodes({ body, outputs }: Graph, stored: ReadonlySet<GraphNode>): Set<GraphNode> {
  const operands = ownNodesOf(body).flatMap(node => (hasRole(node, 'control') ? node.inputs : []))
  return new Set([...body.results.slice(0, outputs), ...operands].map(node => memoryOf(node, stored)))
}

/** The node whose memory shows a node's values. */
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
    if (input !== own || group.anchor !== null || group.reduction !== null) return false
    return group.mapsOf(node).every(map => affineKey(accessAt(buffers.locate(node), 'bool', map).index) === place)
  })
}
