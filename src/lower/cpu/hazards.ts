/**
 * Memory order. A load is emitted where it is used, so nothing in between may change what it reads: a load that a later
 * effect could overwrite is pinned (read at its own position, into scratch). Two views are either the same memory or disjoint,
 * never shifted (see `mayAlias`); so a store may share a nest with a load of exactly the elements that it overwrites.
 */
import type { TileNode } from '../../tile/ir.js'
import { type IndexAnalysis, keyOf } from '../shared/index-analysis.js'
import {
  indexIn,
  isWithin,
  mayAlias,
  type ProgramPoint,
  type Scope,
  type Structure,
  shapeOf,
  writtenViews,
} from '../shared/structure.js'
import { accessRange, identityMap, isIdentity } from './axes.js'
import { coneOf } from './cones.js'
import {
  type Access,
  type AssignRoot,
  type Buffer,
  type Cone,
  comparePoints,
  memoryOf,
  type Root,
  type StoreRoot,
} from './plan.js'
import { rangeKey } from './ranges.js'
import { isComputedOp, type Storage } from './storage.js'

/** True when the blocks that two loads or stores access start at the same index in every dim of the view. */
function sameOffsets(index: IndexAnalysis, a: TileNode, b: TileNode, rank: number): boolean {
  for (let d = 1; d <= rank; d++)
    if (keyOf(index.affine(a.inputs[d]!)) !== keyOf(index.affine(b.inputs[d]!))) return false
  return true
}

/** True when at each point of the nest the load reads the very element that the store writes there, or other memory. */
export function readsOnlyOwnElement(index: IndexAnalysis, access: Access, store: TileNode): boolean {
  const view = store.inputs[0]!
  if (access.kind === 'buffer' || !mayAlias(access.node.inputs[0]!, view)) return true
  if (access.kind !== 'load' || !isIdentity(access.axes)) return false
  const rank = shapeOf(store.inputs.at(-1)!).length
  return access.axes.length === rank && sameOffsets(index, access.node, store, rank)
}

/** Merges consecutive stores over the same indices into one root each, where that is safe. */
export function mergeStores(
  roots: Map<Scope, Root[]>,
  structure: Structure,
  index: IndexAnalysis,
  buffers: Storage['buffers'],
): void {
  for (const [scope, list] of roots) {
    const merged: Root[] = []
    for (const root of list) {
      const last = merged.at(-1)
      if (root.kind === 'store' && last?.kind === 'store' && canMerge(last, root, structure, index, buffers)) {
        merged[merged.length - 1] = { ...root, nodes: [...last.nodes, ...root.nodes] }
      } else merged.push(root)
    }
    roots.set(scope, merged)
  }
}

function storeKey(index: IndexAnalysis, store: TileNode): string {
  const shape = shapeOf(store.inputs.at(-1)!)
  return accessRange(index, store, identityMap(shape.length), shape).map(rangeKey).join(';')
}

/**
 * True when two stores to the same places may share a nest, because no read between them would see the first one's values.
 */
function canMerge(
  first: StoreRoot,
  second: StoreRoot,
  structure: Structure,
  index: IndexAnalysis,
  buffers: Storage['buffers'],
): boolean {
  const [start, store] = [first.nodes[0]!, second.nodes[0]!]
  if (storeKey(index, start) !== storeKey(index, store)) return false
  const aligned = first.nodes.every(
    other => !mayAlias(other.inputs[0]!, store.inputs[0]!) || sameOffsets(index, other, store, second.space.length),
  )
  if (!aligned) return false
  const begin = structure.stands.get(start)!.index
  const between = second.point.scope.block.body.slice(begin + 1, second.point.index)
  const stale = (node: TileNode): boolean =>
    (node.op === 'load' || node.op === 'gather') &&
    first.nodes.some(other => mayAlias(other.inputs[0]!, node.inputs[0]!))
  if (between.some(stale)) return false
  const cone = coneOf({ ...second, nodes: [...first.nodes, ...second.nodes] }, buffers)
  return cone.accesses.every(access =>
    [...first.nodes, store].every(other => readsOnlyOwnElement(index, access, other)),
  )
}

/** Loads and gathers whose memory may change between their own position and the nests that would emit them. */
export function findPinned(
  roots: ReadonlyMap<Scope, readonly Root[]>,
  cones: ReadonlyMap<Root, Cone>,
  structure: Structure,
  index: IndexAnalysis,
): Set<TileNode> {
  const pinned = new Set<TileNode>()
  const written = writtenViews(structure)
  for (const list of roots.values()) {
    for (const root of list) {
      for (const access of cones.get(root)!.accesses) {
        if (access.kind !== 'buffer' && isStale(root, access, structure, index, written)) pinned.add(access.node)
      }
    }
  }
  return pinned
}

/** True when an effect between the access's place and the root's overwrites what the access reads. */
function isStale(
  root: Root,
  access: Access,
  structure: Structure,
  index: IndexAnalysis,
  written: ReadonlyMap<TileNode, ReadonlySet<TileNode>>,
): boolean {
  if (root.kind === 'keep' && root.node === access.node) return false
  const { scope, index: start } = structure.stands.get(access.node)!
  const end = Math.min(indexIn(scope, root.point), scope.block.body.length - 1)
  for (let i = start + 1; i <= end; i++) {
    const effect = scope.block.body[i]!
    const views = written.get(effect)
    if (views === undefined || ![...views].some(view => mayAlias(view, access.node.inputs[0]!))) continue
    const own = root.kind === 'store' && root.nodes.some(node => node === effect)
    if (!own || !readsOnlyOwnElement(index, access, effect)) return true
  }
  return false
}

/**
 * Lets a loop update its carried tiles in place: a slot's result shares the slot's memory if all other readers of the old
 * value run before, and its own nest reads only the element that it replaces. Also lets a dot accumulate into a value without
 * other uses. Drops the copies that thereby become redundant.
 */
export function shareMemory(
  roots: Map<Scope, Root[]>,
  cones: Map<Root, Cone>,
  structure: Structure,
  storage: Storage,
): Map<Buffer, Buffer> {
  const aliases = new Map<Buffer, Buffer>()
  for (const [scope, list] of roots) {
    for (const root of list) {
      if (root.kind === 'assign' && root.source === null) shareAssigned(root, scope, aliases)
    }
  }
  for (const [scope, list] of roots) {
    roots.set(
      scope,
      list.filter(root => root.kind !== 'assign' || !isIdle(root, storage, aliases)),
    )
  }
  return aliases

  function shareAssigned(root: AssignRoot, scope: Scope, shared: Map<Buffer, Buffer>): void {
    const own = storage.buffers.get(root.value)
    if (own === undefined || own.base !== null || shared.has(own) || own.shape.join() !== root.buffer.shape.join())
      return
    const isLoopEnd = root.point.index === scope.block.body.length && scope.owner !== null && scope.owner.op !== 'if'
    if (isLoopEnd && mayComputeInPlace(root.value, root.buffer, scope)) shared.set(own, root.buffer)
    else if (!isLoopEnd && isAccumulatorOnly(root)) shared.set(root.buffer, own)
  }

  /** True for a dot's accumulator without other uses that is computed in the same iteration. */
  function isAccumulatorOnly(root: AssignRoot): boolean {
    const users = structure.users.get(root.value)!
    const [dot] = users
    if (users.length !== 1 || dot?.op !== 'dot' || dot.inputs[2] !== root.value) return false
    if (storage.buffers.get(dot) !== root.buffer || dot.inputs[0] === root.value || dot.inputs[1] === root.value)
      return false
    const sameIteration = storage.points.of(root.value).scope === storage.points.of(dot).scope
    return sameIteration && (root.value.op === 'dot' || storage.kept.has(root.value) || isLoopCarried(root.value, dot))
  }

  /** acc = dot(a, b, acc): the loop's own tile, in place when its slot takes the dot's result. */
  function isLoopCarried(value: TileNode, dot: TileNode): boolean {
    const param = structure.params.get(value)
    if (param === undefined || param.scope.owner === null || param.scope.owner.op === 'if') return false
    const results = param.scope.owner.blocks.at(-1)!
    if (results !== param.scope.block) return false
    const slot = param.scope.owner.op === 'range' ? param.slot - 1 : param.slot
    return results.results[slot] === dot && results.results.filter(result => result === dot).length === 1
  }

  function mayComputeInPlace(value: TileNode, buffer: Buffer, scope: Scope): boolean {
    const point = storage.points.of(value)
    // A loop's result is written before the loop ends; only for values of its own nest is it known that they are written last.
    if (point.scope !== scope || !(storage.kept.has(value) || isComputedOp(value))) return false
    // Written with the order, before its own point.
    if (value.op === 'take' && value.inputs[1]!.op === 'binOrder') return false
    const olds = scope.block.params.filter(param => storage.buffers.get(param) === buffer)
    for (const [inner, list] of roots) {
      if (!isWithin(inner, scope)) continue
      for (const reader of list) if (readsLate(reader, olds, value, point, scope)) return false
    }
    return true
  }

  function readsLate(
    reader: Root,
    olds: readonly TileNode[],
    value: TileNode,
    point: ProgramPoint,
    scope: Scope,
  ): boolean {
    const reads = cones
      .get(reader)!
      .accesses.filter(access => olds.some(old => access.node === old || reshapes(access.node, old)))
    if (reads.length === 0) return false
    const computes =
      (reader.kind === 'keep' && reader.node === value) ||
      (reader.kind === 'assign' && storage.buffers.get(value) === reader.buffer)
    if (computes) return !reads.every(access => isIdentity(access.axes) && !reshapes(access.node, olds[0]!))
    const at = reader.point.scope === scope ? reader.point : { scope, index: indexIn(scope, reader.point), order: -1 }
    return comparePoints(at, point) >= 0
  }

  function reshapes(node: TileNode, old: TileNode): boolean {
    return node.op === 'reshape' && storage.buffers.get(node)?.base === storage.buffers.get(old)
  }
}

/** True for a copy whose value is in the destination already. */
function isIdle(root: AssignRoot, storage: Storage, aliases: ReadonlyMap<Buffer, Buffer>): boolean {
  const own = root.source ?? storage.buffers.get(root.value)
  return own !== undefined && root.value.op !== 'reshape' && memoryOf(aliases, own) === memoryOf(aliases, root.buffer)
}
