/** Merges two groups that run over the same loops into one kernel with several outputs. */
import type { GraphNode } from '../../graph/ir.js'
import { exactQuotient, sameShape, sameSize } from '../../scalar/size.js'
import { type Digit, digitsOf, type IndexMap, mapKey } from '../groups/affine.js'
import { countOf, type Group, isKeptOrAll } from '../groups/group.js'
import { shapeOf } from '../groups/layout.js'
import { hasParallelRows } from './join.js'

/** Kernels with more outputs or inputs than this gain nothing from further merging. */
const maxStores = 12
const maxTouched = 400

/** A cheap test of whether two groups could merge over `node`. */
export function mayMerge(host: Group, guest: Group, node: GraphNode): boolean {
  if (host.anchor !== null || guest.anchor !== null || host.exclusive || guest.exclusive) return false
  if (host.stores.length + guest.stores.length > maxStores) return false
  if (host.touched.size + guest.touched.size > maxTouched) return false
  return runsOver(host, node) && runsOver(guest, node)
}

function runsOver(group: Group, node: GraphNode): boolean {
  const map = group.onlyMap(node)
  const covered = map === null ? null : group.covered(map, shapeOf(node))
  return covered !== null && isKeptOrAll(group, covered)
}

/**
 * Merges `guest` into `host` when both run over the loops of `node`, which both need (`mayMerge`); neither may depend on the
 * other. Returns false, with both unchanged in meaning, when their loops differ.
 */
export function mergeGroups(host: Group, guest: Group, node: GraphNode, parallelism: number): boolean {
  const pairs = pairCoords(host, guest, node)
  if (pairs === null || !reductionsAgree(host, guest, pairs, parallelism)) return false
  if (!wholesAgree(host, guest, pairs)) return false
  absorb(host, guest, pairs)
  return true
}

/** Maps guest's coordinates to host's; null when the loops differ. */
type Pairs = Map<number, number>

function pairCoords(host: Group, guest: Group, node: GraphNode): Pairs | null {
  const shape = shapeOf(node)
  for (;;) {
    const [ours, theirs] = [host.onlyMap(node), guest.onlyMap(node)]
    if (ours === null || theirs === null) return null
    const outcome = pairDigits(host, guest, ours, theirs, shape)
    if (outcome === 'retry') continue
    return outcome === null ? null : pairRest(host, guest, outcome)
  }
}

function pairDigits(
  host: Group,
  guest: Group,
  ours: IndexMap,
  theirs: IndexMap,
  shape: readonly unknown[],
): Pairs | null | 'retry' {
  const pairs: Pairs = new Map()
  for (let d = 0; d < shape.length; d++) {
    if (shape[d] === 1) continue
    const a = digitsOf(ours[d]!, shape[d] as never, host.sizeOf)
    const b = digitsOf(theirs[d]!, shape[d] as never, guest.sizeOf)
    if (a === null || b === null) return null
    const outcome = pairList(host, guest, a, b, pairs)
    if (outcome !== 'done') return outcome
  }
  return new Set(pairs.values()).size === pairs.size ? pairs : null
}

/** Pairs digits from the innermost out; where one is a multiple of the other, the longer is split and matching restarts. */
function pairList(host: Group, guest: Group, a: Digit[], b: Digit[], pairs: Pairs): 'done' | 'retry' | null {
  for (let i = 1; i <= Math.max(a.length, b.length); i++) {
    const [x, y] = [a.at(-i), b.at(-i)]
    if (x === undefined || y === undefined) return null
    if (sameSize(x.size, y.size)) {
      if (pairs.has(y.coord)) return null
      pairs.set(y.coord, x.coord)
    } else if (exactQuotient(x.size, y.size) !== null) {
      return host.refine({ coord: x.coord, inner: y.size }) ? 'retry' : null
    } else if (exactQuotient(y.size, x.size) !== null) {
      return guest.refine({ coord: y.coord, inner: x.size }) ? 'retry' : null
    } else return null
  }
  return 'done'
}

/** The loops that `node` does not cover must be the reduced ones, and the same in both groups if both have any. */
function pairRest(host: Group, guest: Group, pairs: Pairs): Pairs | null {
  const paired = new Set(pairs.values())
  const ours = [...host.coords.keys()].filter(coord => !paired.has(coord))
  const theirs = [...guest.coords.keys()].filter(coord => !pairs.has(coord))
  const [hostReduced, guestReduced] = [host.reducedCoords, guest.reducedCoords]
  const allReduced = (rest: readonly number[], reduced: ReadonlySet<number>): boolean =>
    rest.length === 0 || (rest.length === reduced.size && rest.every(coord => reduced.has(coord)))
  if (!allReduced(ours, hostReduced) || !allReduced(theirs, guestReduced)) return null
  if (ours.length === 0 || theirs.length === 0) return pairs
  if (ours.length !== theirs.length) return null
  for (const [i, coord] of theirs.entries()) {
    if (!sameSize(host.sizeOf(ours[i]!), guest.sizeOf(coord))) return null
    pairs.set(coord, ours[i]!)
  }
  return pairs
}

function reductionsAgree(host: Group, guest: Group, pairs: Pairs, parallelism: number): boolean {
  if (host.reduction !== null && guest.reduction !== null) {
    if (!sameShape(host.reduction.sizes, guest.reduction.sizes)) return false
    return mapKey(host.reduction.indices) === mapKey(guest.reduction.indices.map(index => renamed(index, pairs)))
  }
  const reducing = host.reduction !== null ? host : guest.reduction !== null ? guest : null
  if (reducing === null) return true
  // Elementwise work would then run row by row.
  const rowsOnly = reducing === host ? pairs.size < host.coords.size : pairs.size < guest.coords.size
  return (
    rowsOnly ||
    hasParallelRows(countOf(reducing, reducing.keptCoords), countOf(reducing, reducing.reducedCoords), parallelism)
  )
}

function renamed(index: IndexMap[number], pairs: Pairs): IndexMap[number] {
  return {
    offset: index.offset,
    terms: new Map([...index.terms].map(([coord, factor]) => [pairs.get(coord) ?? coord, factor])),
  }
}

/** A coordinate that must stay whole in one group must not have been cut in the other: both are bare, so it was not. */
const wholesAgree = (host: Group, guest: Group, pairs: Pairs): boolean =>
  [...guest.whole].every(coord => !pairs.has(coord) || host.coords.has(pairs.get(coord)!))

function absorb(host: Group, guest: Group, pairs: Pairs): void {
  const move = (map: IndexMap): IndexMap => map.map(index => renamed(index, pairs))
  for (const [coord, size] of guest.coords) if (!pairs.has(coord)) host.coords.set(coord, size)
  for (const [node, touch] of guest.touched) {
    for (const map of touch.maps.values()) for (const role of touch.roles) host.touch(node, move(map), role)
  }
  for (const store of guest.stores) host.stores.push({ ...store, map: move(store.map) })
  for (const member of guest.members) host.members.add(member)
  for (const producer of guest.producers) host.producers.add(producer)
  for (const node of guest.memoryReads) host.memoryReads.add(node)
  for (const coord of guest.whole) host.whole.add(pairs.get(coord) ?? coord)
  if (host.reduction === null && guest.reduction !== null) {
    host.reduction = { indices: move(guest.reduction.indices), sizes: guest.reduction.sizes }
  }
  guest.mergedInto = host
}
