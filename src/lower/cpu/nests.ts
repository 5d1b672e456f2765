/** Groups roots that visit the same indices into loop nests, and chooses each nest's vector axis. */
import { isAdjacent, shortDistance } from '../../lane/ir.js'
import { isArgReduction } from '../../scalar/ops.js'
import type { CpuTarget } from '../../target/cpu.js'
import { type TileNode, tileType, viewType } from '../../tile/ir.js'
import { computeDtype, type Dtype, itemBytes } from '../../types/dtype.js'
import { mayAlias, type Scope } from '../shared/structure.js'
import { isIdentity } from './axes.js'
import { readsOnlyOwnElement } from './hazards.js'
import { type Access, type Buffer, type Cone, type LoweringPlan, memoryOf, type Root } from './plan.js'
import { type AxisRange, constantExtent, isMultiple, rangeKey } from './ranges.js'

/** Roots that run as one loop nest over `space`. */
export interface Nest {
  readonly roots: readonly Root[]
  readonly space: readonly number[]
  readonly ranges: readonly AxisRange[]
  readonly cones: readonly Cone[]
  /** Stored values that the nest itself computes: inside it they are passed in registers. */
  readonly own: ReadonlySet<TileNode>
  /** The vector axis; -1: scalar code. */
  readonly vectorAxis: number
  /** The axis looped inside the vector axis' blocks; -1: none. */
  readonly innerAxis: number
  readonly lanes: number
  /** Vectors per step of the vector axis. */
  readonly unroll: number
  /** Whole vectors are written, with zeros past the end of the range. */
  readonly padded: boolean
}

export type Step = { readonly kind: 'nest'; readonly nest: Nest } | { readonly kind: 'root'; readonly root: Root }

/** The steps of each scope. */
export function planSteps(plan: LoweringPlan, target: CpuTarget): Map<Scope, readonly Step[]> {
  return new Map([...plan.roots].map(([scope, roots]) => [scope, stepsOf(plan, roots, target)]))
}

/** The scratch buffers that the steps read or write. */
export function buffersOf(plan: LoweringPlan, steps: Iterable<readonly Step[]>): Set<Buffer> {
  const used = new Set<Buffer>()
  for (const step of [...steps].flat()) {
    const roots = step.kind === 'nest' ? step.nest.roots : [step.root]
    for (const root of roots) for (const buffer of namedBuffers(root)) used.add(buffer)
    for (const cone of step.kind === 'nest' ? step.nest.cones : []) {
      for (const { kind, node } of cone.accesses) {
        if (kind === 'buffer' && !(step.kind === 'nest' && step.nest.own.has(node))) used.add(plan.buffers.get(node)!)
      }
    }
  }
  return used
}

/** The buffers that a root itself names, except those that its expressions read. */
export function namedBuffers(root: Root): Buffer[] {
  const named = 'buffer' in root && root.buffer !== null ? [root.buffer] : []
  if (root.kind === 'assign' && root.source !== null) named.push(root.source)
  if (root.kind === 'dot') named.push(root.rows, root.panels)
  if (root.kind === 'thinDot') named.push(root.small)
  if (root.kind === 'bins') named.push(...root.inputs, ...root.placed.flatMap(({ table, buffer }) => [table, buffer]))
  if (root.kind === 'bins' && root.counters !== null) named.push(root.counters)
  return named
}

/** The steps of a scope, in order. */
function stepsOf(plan: LoweringPlan, roots: readonly Root[], target: CpuTarget): Step[] {
  const steps: Step[] = []
  let group: Root[] = []
  const close = (): void => {
    if (group.length > 0) steps.push({ kind: 'nest', nest: planNest(plan, group, target) })
    group = []
  }
  for (const root of roots) {
    if (root.kind !== 'control' && !plan.ranges.has(root)) continue
    if (root.kind === 'single' && mayRunBefore(root, group)) steps.push({ kind: 'root', root })
    else if (isLooped(root)) {
      if (!canJoin(plan, group, root)) close()
      group.push(root)
    } else {
      close()
      steps.push({ kind: 'root', root })
    }
  }
  close()
  return steps
}

/** Roots that a loop nest computes. */
const isLooped = ({ kind }: Root): boolean =>
  kind !== 'control' && kind !== 'single' && kind !== 'dot' && kind !== 'bins'
const isShareable = (root: Root): boolean =>
  root.kind === 'store' || root.kind === 'keep' || root.kind === 'assign' || root.kind === 'reduce'

function mayRunBefore(root: Extract<Root, { kind: 'single' }>, group: readonly Root[]): boolean {
  const computed = new Set(group.flatMap(other => ('node' in other ? [other.node as TileNode] : [])))
  const view = root.node.inputs[0]!
  const overwritten = group.some(
    other =>
      (other.kind === 'store' && other.nodes.some(store => mayAlias(store.inputs[0]!, view))) ||
      (other.kind === 'indexed' && mayAlias(other.node.inputs[0]!, view)),
  )
  return !overwritten && !dependsOn(root.node, computed)
}

/** True when the indices of a single-element access use a value of `computed`. */
function dependsOn(node: TileNode, computed: ReadonlySet<TileNode>): boolean {
  if (computed.size === 0) return false
  const seen = new Set<TileNode>()
  const stack = [...node.inputs]
  while (stack.length > 0) {
    const top = stack.pop()!
    if (computed.has(top)) return true
    if (seen.has(top)) continue
    seen.add(top)
    if (top.op !== 'item') stack.push(...top.inputs)
  }
  return false
}

/** The buffer that a root writes. */
function writtenBuffer(root: Root): Buffer | null {
  return 'buffer' in root ? root.buffer : null
}

function canJoin(plan: LoweringPlan, group: readonly Root[], root: Root): boolean {
  const [first] = group
  if (first === undefined) return true
  if (!isShareable(root) || !group.every(isShareable)) return false
  if (first.space.join() !== root.space.join()) return false
  const [a, b] = [plan.ranges.get(first)!, plan.ranges.get(root)!]
  if (a.some((range, axis) => rangeKey(range) !== rangeKey(b[axis]!))) return false
  return group.every(
    other => sameFoldAxis(other, root) && areIndependent(plan, other, root) && keepsMemoryOrder(plan, other, root),
  )
}

const sameFoldAxis = (a: Root, b: Root): boolean =>
  a.kind !== 'reduce' || b.kind !== 'reduce' || a.node.attrs.axis === b.node.attrs.axis

/** True when `root` reads nothing that only `other`'s complete nest provides, and neither overwrites what the other reads. */
function areIndependent(plan: LoweringPlan, other: Root, root: Root): boolean {
  const { cones, aliases, buffers } = plan
  const node = 'node' in other ? (other.node as TileNode) : null
  if (node !== null && cones.get(root)!.singles.has(node)) return false
  const memory = (buffer: Buffer | null): Buffer | null => (buffer === null ? null : memoryOf(aliases, buffer))
  const [otherWrites, writes] = [memory(writtenBuffer(other)), memory(writtenBuffer(root))]
  if (writes !== null && writes === otherWrites) return false
  const sources = [root, other].flatMap(r => (r.kind === 'assign' && r.source !== null ? [memory(r.source)] : []))
  if (sources.length > 0 && sources.some(source => source === writes || source === otherWrites)) return false
  const reads = (cone: Cone, target: Buffer | null, allowed: (access: Access) => boolean): boolean =>
    target !== null &&
    cone.accesses.some(
      access => access.kind === 'buffer' && memory(buffers.get(access.node)!) === target && !allowed(access),
    )
  const forwarded = (access: Access): boolean =>
    other.kind === 'keep' && access.node === other.node && isIdentity(access.axes)
  if (reads(cones.get(root)!, otherWrites, forwarded)) return false
  return !reads(cones.get(other)!, writes, access => access.node.op !== 'reshape' && isIdentity(access.axes))
}

/** True when fusing the roots into one nest keeps the order of a store and the reads of the same memory. */
function keepsMemoryOrder(plan: LoweringPlan, other: Root, root: Root): boolean {
  if (other.kind === 'store') {
    if (root.kind === 'store') return false
    return plan.cones
      .get(root)!
      .accesses.every(
        access =>
          access.kind === 'buffer' || other.nodes.every(store => !mayAlias(store.inputs[0]!, access.node.inputs[0]!)),
      )
  }
  if (root.kind !== 'store') return true
  return plan.cones
    .get(other)!
    .accesses.every(access => root.nodes.every(store => readsOnlyOwnElement(plan.index, access, store)))
}

/** Drops stored values that only their own nest reads: they are passed in registers. */
function withoutUnread(plan: LoweringPlan, group: readonly Root[]): readonly Root[] {
  if (group.length === 1) return group
  const members = new Set(group)
  return group.filter(root => root.kind !== 'keep' || isReadElsewhere(plan, root.buffer, members))
}

function isReadElsewhere(plan: LoweringPlan, buffer: Buffer, group: ReadonlySet<Root>): boolean {
  return plan.touching.get(memoryOf(plan.aliases, buffer))!.some(root => !group.has(root))
}

/** The nest of a group of roots: its vector axis, lanes per vector, and inner axis. */
function planNest(plan: LoweringPlan, group: readonly Root[], target: CpuTarget): Nest {
  const [first] = group as [Root]
  const roots = withoutUnread(plan, group)
  const own = new Set(group.flatMap(root => (root.kind === 'keep' ? [root.node] : [])))
  const cones = group.map(root => plan.cones.get(root)!)
  const ranges = plan.ranges.get(first)!
  const { space } = first
  const widest = Math.max(1, ...group.map(root => widestBytes(plan, root)))
  const most = Math.min(32, target.vectorBytes / widest)
  const lanesFor = (axis: number): number =>
    Math.min(most, powerAtLeast(constantExtent(ranges[axis]!)?.hi ?? space[axis]!))
  const vectorAxis = chooseVectorAxis(plan, roots, cones, ranges, lanesFor)
  const lanes = vectorAxis < 0 ? 1 : lanesFor(vectorAxis)
  const foldAxis = foldAxisOf(roots)
  const base = { roots, space, ranges, cones, own, vectorAxis, lanes }
  if (first.kind === 'pack' && first.side === 'panels') {
    const width = first.buffer.panel!.width
    // Contiguous rows are read whole: the hardware prefetches along a row, not from a part of one row to the next row's part.
    const isWhole =
      isMultiple(plan.index, ranges[1]!, width) &&
      cones.every(cone => cone.accesses.every(access => strideAlong(plan, access, 1) === 1))
    const lanes = Math.min(most, width)
    return { ...base, lanes, innerAxis: isWhole ? -1 : 0, unroll: width / lanes, padded: true }
  }
  const innerAxis = foldAxis === vectorAxis ? -1 : foldAxis
  const blocked = innerAxis >= 0 && !isWrittenOut(ranges[innerAxis]!)
  const isSerial = first.kind === 'scan' && innerAxis < 0
  const unroll = vectorAxis < 0 || foldAxis < 0 || isSerial ? 1 : chooseUnroll(base, blocked, target)
  return { ...base, innerAxis, unroll, padded: false }
}

/** The price of a reversed load, a load and a permutation, in loads. */
const reversed = 2

/** Inner loops of at most this many steps are unrolled, so that their loads overlap. */
const maxWrittenOut = 12

/** True for a range with a known, small number of steps. */
export function isWrittenOut(range: AxisRange): boolean {
  const extent = constantExtent(range)
  return extent !== null && extent.hi - extent.lo <= maxWrittenOut
}

const powerAtLeast = (size: number): number => 2 ** Math.max(0, Math.ceil(Math.log2(Math.max(1, size))))

/** The axis along which the roots fold; −1: none does. */
function foldAxisOf(roots: readonly Root[]): number {
  for (const root of roots) {
    if (root.kind === 'reduce' || root.kind === 'scan') return root.node.attrs.axis
    if (root.kind === 'thinDot') return root.axis
  }
  return -1
}

/** Bytes of the widest element that is loaded, stored or folded; index arithmetic does not count. */
function widestBytes(plan: LoweringPlan, root: Root): number {
  const bytes = (dtype: Dtype): number => itemBytes(computeDtype(dtype))
  const reads = plan.cones
    .get(root)!
    .accesses.map(({ kind, node }) => bytes(kind === 'buffer' ? plan.buffers.get(node)!.dtype : tileType(node).dtype))
  const writes = root.kind === 'store' ? root.nodes.map(store => bytes(viewType(store.inputs[0]!).dtype)) : []
  const folded = root.kind === 'reduce' ? [bytes(tileType(root.node.inputs[0]!).dtype)] : []
  const own = root.kind !== 'reduce' && 'buffer' in root && root.buffer !== null ? [bytes(root.buffer.dtype)] : []
  return Math.max(1, ...reads, ...writes, ...folded, ...own)
}

/** The stride of an access along an axis of its nest; null if it is known only at run time. */
export function strideAlong(plan: LoweringPlan, access: Access, axis: number): number | null {
  const strides =
    access.kind === 'buffer' ? plan.buffers.get(access.node)!.strides : viewType(access.node.inputs[0]!).strides
  let sum: number | null = 0
  access.axes.forEach((mapped, d) => {
    if (mapped !== axis) return
    const stride = strides[d]!
    sum = sum === null || stride === null ? null : sum + stride
  })
  return sum
}

/** The axis to vectorise: the cheapest by strides, gathers and arithmetic; −1: none. */
function chooseVectorAxis(
  plan: LoweringPlan,
  roots: readonly Root[],
  cones: readonly Cone[],
  ranges: readonly AxisRange[],
  lanesFor: (axis: number) => number,
): number {
  const [first] = roots as [Root]
  const { space } = first
  const candidates = space.map((_, axis) => axis).filter(axis => space[axis]! > 1)
  if (first.kind === 'pack' && first.side === 'panels') return 1
  if (first.kind === 'indexed') return first.node.op === 'atomic' ? -1 : (candidates.at(-1) ?? -1)
  const accesses = cones.flatMap(cone => cone.accesses.filter(access => access.kind !== 'gather'))
  const compute = cones.reduce((sum, cone) => sum + cone.cost, 1)
  const writes = roots.flatMap(root => writeStrides(root))
  const isPlain = roots.every(isElementwiseRoot)
  const writesBytes =
    isPlain &&
    roots.some(
      root => root.kind === 'store' && root.nodes.some(store => itemBytes(viewType(store.inputs[0]!).dtype) === 1),
    )
  const price = (axis: number): number => {
    const lanes = lanesFor(axis)
    const each = (stride: number | null, apart: number): number => (stride === 1 ? 1 : stride === 0 ? 0.25 : apart)
    const reads = accesses.reduce((sum, access) => {
      const stride = strideAlong(plan, access, axis)
      if (inSquares(access, axis)) return sum + 2 + Math.log2(lanes)
      if (isNarrow(access, axis)) return sum + 2 * lanes
      return sum + (shortDistance(stride) ?? (stride === -1 ? reversed : each(stride, lanes)))
    }, 0)
    // A scatter writes a cache line for each lane.
    const isInterleaved = lanes >= 4 && interleavedAxis(roots, ranges, axis) >= 0
    const scattered = isPlain ? 2 * lanes : lanes
    const extent = constantExtent(ranges[axis]!)?.hi ?? space[axis]!
    // Short vectors that are cut off are stored byte by byte.
    const whole = writesBytes && 2 * extent <= lanes ? scattered : 1
    const written = writes.reduce(
      (sum, strides) => sum + (strides[axis] === 1 ? whole : each(strides[axis]!, isInterleaved ? 3 : scattered)),
      0,
    )
    const used = extent / (Math.ceil(extent / lanes) * lanes)
    // Across its lanes, a running value takes a step for each doubling, and the last lane is spread.
    const steps = first.kind === 'scan' && axis === first.node.attrs.axis ? 2 * Math.log2(lanes) + 2 : 0
    return (compute + steps + reads + written) / (lanes * Math.max(used, 1e-3))
  }
  // Loads along another axis, which are transposed in registers.
  function inSquares(access: Access, axis: number): boolean {
    const stride = strideAlong(plan, access, axis)
    if (!isPlain || stride === 0 || isAdjacent(stride) || shortDistance(stride) !== null) return false
    return candidates.some(other => isAdjacent(strideAlong(plan, access, other)) && 4 * space[other]! > lanesFor(axis))
  }
  // CPUs have no gather of bytes: they are loaded and inserted one by one.
  function isNarrow(access: Access, axis: number): boolean {
    const stride = strideAlong(plan, access, axis)
    return !isAdjacent(stride) && stride !== 0 && itemBytes(tileType(access.node).dtype) === 1
  }
  let best = -1
  for (const axis of candidates) if (best < 0 || price(axis) <= price(best)) best = axis
  return best
}

/** A root that writes each element of its space by itself. */
export const isElementwiseRoot = ({ kind }: Root): boolean => kind === 'store' || kind === 'keep' || kind === 'assign'

/** The axis along which vectors down `axis` are interleaved to give consecutive elements of the roots' only store; −1: none. */
export function interleavedAxis(roots: readonly Root[], ranges: readonly AxisRange[], axis: number): number {
  const [root, ...others] = roots
  if (root === undefined || others.length > 0 || root.kind !== 'store' || root.nodes.length > 1) return -1
  const { strides } = viewType(root.nodes[0]!.inputs[0]!)
  const columns = strides[axis]
  if (columns !== 2 && columns !== 4) return -1
  return strides.findIndex((stride, d) => {
    const extent = constantExtent(ranges[d]!)
    return stride === 1 && d !== axis && extent !== null && extent.lo === 0 && extent.hi === columns
  })
}

/** The strides, by nest axis, of the memory that a root writes. */
function writeStrides(root: Root): (readonly (number | null)[])[] {
  switch (root.kind) {
    case 'store':
      return root.nodes.map(store => viewType(store.inputs[0]!).strides)
    case 'keep':
    case 'assign':
    case 'scan':
      return [root.buffer.strides]
    case 'pack':
      return [root.buffer.strides]
    default:
      return []
  }
}

/** Vectors per step of a fold: enough independent chains to hide latency, few enough to fit the registers. */
function chooseUnroll(
  nest: Pick<Nest, 'roots' | 'cones' | 'lanes' | 'vectorAxis' | 'space' | 'ranges'>,
  blocked: boolean,
  target: CpuTarget,
): number {
  const chains = nest.roots.reduce((sum, root) => sum + accumulatorsOf(root), 0)
  const cost = nest.cones.reduce((sum, cone) => sum + cone.cost, 0)
  const registers = target.vectorRegisters / 2
  let unroll = cost <= 8 ? (blocked && target.vectorRegisters > 16 ? 8 : 4) : cost <= 24 ? 2 : 1
  const extent = constantExtent(nest.ranges[nest.vectorAxis]!)?.hi ?? nest.space[nest.vectorAxis]!
  while (unroll > 1 && (unroll * chains > registers || unroll * nest.lanes > extent)) unroll /= 2
  return unroll
}

function accumulatorsOf(root: Root): number {
  if (root.kind === 'thinDot') return root.small.shape[0]!
  // The values and their indices.
  if (root.kind === 'reduce') return isArgReduction(root.node.attrs.fn) ? 2 : 1
  return root.kind === 'scan' ? 1 : 0
}
