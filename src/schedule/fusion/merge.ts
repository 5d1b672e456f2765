/** Merges two groups that run over the same loops into one kernel with several outputs. */
import type { GraphNode } from '../../graph/ir.js'
import { exactQuotient, sameShape, sameSize } from '../../scalar/size.js'
import { type Affine, type Digit, digitsOf, mapKey } from '../groups/affine.js'
import {
  coveredCoords,
  foldedCoords,
  type Group,
  isExclusive,
  isKeptOrAll,
  nextCoord,
  onlyMap,
  scatterOf,
  sizesIn,
  splitCoord,
  touch,
  withIndices,
} from '../groups/group.js'

import { shapeOf } from '../groups/layout.js'
import type { RowPolicy } from '../policy.js'
import { isSplitGroup, reducesInParallel } from './join.js'

/** Kernels with more outputs or inputs than this gain nothing from further merging. */
const maxStores = 12
const maxTouched = 400

/** A cheap test of whether two groups that run over one node's loops could merge. */
export function mayMerge(host: Group, guest: Group): boolean {
  if (isExclusive(host) !== isExclusive(guest)) return false
  if (host.stores.length + guest.stores.length > maxStores) return false
  return host.touched.size + guest.touched.size <= maxTouched
}

/** Whether a group could merge with another one over `node`. */
export function runsOver(group: Group, node: GraphNode): boolean {
  if (group.anchors.length > 0 || scatterOf(group) !== null) return false
  const covered = coveredCoords(group, onlyMap(group, node), shapeOf(node))
  return covered !== null && isKeptOrAll(group, covered)
}

/**
 * The union of two groups that run over the loops of `node`, which both run over (`runsOver`), in the place of `host`; neither
 * may depend on the other. Null when their loops differ.
 */
export function mergeGroups(host: Group, guest: Group, node: GraphNode, policy: RowPolicy): Group | null {
  const paired = pairLoops({ host, guest, pairs: new Map() }, node)
  return paired !== null && foldsAgree(paired, policy) ? unionOf(paired) : null
}

/** Two groups with the coordinates of `guest` that are those of `host`. */
interface Pair {
  readonly host: Group
  readonly guest: Group
  readonly pairs: ReadonlyMap<number, number>
}

/** Pairs the loops over `node`, then the rest, after splitting coordinates where one group's are finer; null when they differ. */
function pairLoops({ host, guest }: Pair, node: GraphNode): Pair | null {
  const [ours, theirs] = [onlyMap(host, node), onlyMap(guest, node)]
  if (ours === null || theirs === null) return null
  const pairs = new Map<number, number>()
  for (const [d, size] of shapeOf(node).entries()) {
    if (size === 1) continue
    const a = digitsOf(ours[d]!, size, sizesIn(host))
    const b = digitsOf(theirs[d]!, size, sizesIn(guest))
    if (a === null || b === null) return null
    const finer = pairDigits({ host, guest, pairs }, a, b, pairs)
    if (finer !== 'paired') return finer && pairLoops(finer, node)
  }
  return new Set(pairs.values()).size === pairs.size ? pairRest({ host, guest, pairs }) : null
}

/** Pairs digits from the innermost out; where one is a multiple of the other, gives the groups with the longer one split. */
function pairDigits(
  pair: Pair,
  a: readonly Digit[],
  b: readonly Digit[],
  pairs: Map<number, number>,
): 'paired' | Pair | null {
  for (let i = 1; i <= Math.max(a.length, b.length); i++) {
    const [x, y] = [a.at(-i), b.at(-i)]
    if (x === undefined || y === undefined) return null
    if (!sameSize(x.size, y.size)) return splitLonger(pair, x, y)
    if (pairs.has(y.coord)) return null
    pairs.set(y.coord, x.coord)
  }
  return 'paired'
}

function splitLonger({ host, guest, pairs }: Pair, ours: Digit, theirs: Digit): Pair | null {
  const isOurs = exactQuotient(ours.size, theirs.size) !== null
  const split = isOurs
    ? splitCoord(host, { coord: ours.coord, inner: theirs.size })
    : splitCoord(guest, { coord: theirs.coord, inner: ours.size })
  return split && (isOurs ? { host: split, guest, pairs } : { host, guest: split, pairs })
}

/** The loops that `node` does not cover must be the reduced ones, and the same in both groups if both have any. */
function pairRest({ host, guest, pairs }: Pair): Pair | null {
  const paired = new Set(pairs.values())
  const ours = [...host.coords.keys()].filter(coord => !paired.has(coord))
  const theirs = [...guest.coords.keys()].filter(coord => !pairs.has(coord))
  const allFolded = (rest: readonly number[], folded: ReadonlySet<number>): boolean =>
    rest.length === 0 || (rest.length === folded.size && rest.every(coord => folded.has(coord)))
  if (!allFolded(ours, foldedCoords(host)) || !allFolded(theirs, foldedCoords(guest))) return null
  if (ours.length === 0 || theirs.length === 0) return { host, guest, pairs }
  const isSame = (coord: number, i: number): boolean => sameSize(sizesIn(host)(ours[i]!), sizesIn(guest)(coord))
  if (ours.length !== theirs.length || !theirs.every(isSame)) return null
  return { host, guest, pairs: new Map([...pairs, ...theirs.map((coord, i) => [coord, ours[i]!] as const)]) }
}

/** True when both groups reduce the same coordinates; if only one reduces, when its rows alone fill the machine. */
function foldsAgree({ host, guest, pairs }: Pair, policy: RowPolicy): boolean {
  if (host.folded !== null && guest.folded !== null) {
    if (!sameShape(host.folded.sizes, guest.folded.sizes)) return false
    // A coordinate of the guest's own equals none of the host's.
    const nameOf = (coord: number): number => pairs.get(coord) ?? -1 - coord
    return mapKey(host.folded.indices) === mapKey(guest.folded.indices.map(index => renamed(index, nameOf)))
  }
  const folding = host.folded !== null ? host : guest.folded !== null ? guest : null
  if (folding === null) return true
  // Elementwise work would then run row by row.
  const rowsOnly = pairs.size < folding.coords.size
  return rowsOnly || isSplitGroup(folding, policy) || reducesInParallel(folding, policy)
}

const renamed = ({ offset, terms }: Affine, nameOf: (coord: number) => number): Affine => ({
  offset,
  terms: new Map([...terms].map(([coord, factor]) => [nameOf(coord), factor])),
})

/** The group that does the work of both: `pairs` maps the guest's coordinates to equal ones of the host. */
function unionOf({ host, guest, pairs }: Pair): Group {
  const own = [...guest.coords].filter(([coord]) => !pairs.has(coord))
  const first = nextCoord(host)
  const names = new Map([...pairs, ...own.map(([coord], i) => [coord, first + i] as const)])
  const nameOf = (coord: number): number => names.get(coord)!
  const moved = withIndices(guest, index => renamed(index, nameOf))
  const needs = [...moved.touched].flatMap(([node, { maps }]) => [...maps.values()].map(map => ({ node, map })))
  return {
    ...touch(host, needs),
    coords: new Map([...host.coords, ...own.map(([coord, size]) => [nameOf(coord), size] as const)]),
    stores: [...host.stores, ...moved.stores],
    members: new Set([...host.members, ...guest.members]),
    memoryReads: new Set([...host.memoryReads, ...guest.memoryReads]),
    whole: new Set([...host.whole, ...[...guest.whole].map(nameOf)]),
    folded: host.folded ?? moved.folded,
  }
}
