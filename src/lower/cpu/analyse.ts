/** From a tile program to a plan: runs the analyses in the order of their dependences. Pure. */

import type { CpuTarget } from '../../target/cpu.js'
import type { TileNode, TileProgram } from '../../tile/ir.js'
import { IndexAnalysis } from '../shared/index-analysis.js'
import { analyseStructure, type Scope, type Structure } from '../shared/structure.js'
import { coneOf } from './cones.js'
import { findRanges } from './demand.js'
import { findPinned, mergeStores, shareMemory } from './hazards.js'
import { namedBuffers } from './nests.js'
import { type Buffer, type Cone, type Facts, type LoweringPlan, memoryOf, type Root } from './plan.js'
import { listRoots } from './roots.js'
import { decideStorage, type Storage } from './storage.js'

/** All decisions of the CPU lowering that are made before code is emitted: storage, loop nests' roots, buffers, ranges. */
export function analyse(program: TileProgram, target: CpuTarget): LoweringPlan {
  const structure = analyseStructure(program)
  const index = new IndexAnalysis(program)
  const { storage, roots, cones } = orderMemory(structure, index, target)
  const aliases = shareMemory(roots, cones, structure, storage)
  const facts: Facts = { structure, index, points: storage.points, buffers: storage.buffers }
  const ranges = findRanges(facts, roots, cones, aliases, storage.slots)
  return {
    ...facts,
    aliases,
    slots: storage.slots,
    roots,
    cones,
    ranges,
    touching: findTouching(facts, roots, cones, aliases, ranges),
  }
}

/** The roots that read or write each buffer, with aliased buffers counted as one memory. */
function findTouching(
  facts: Facts,
  roots: ReadonlyMap<Scope, readonly Root[]>,
  cones: ReadonlyMap<Root, Cone>,
  aliases: ReadonlyMap<Buffer, Buffer>,
  ranges: LoweringPlan['ranges'],
): Map<Buffer, Root[]> {
  const touching = new Map<Buffer, Root[]>()
  for (const root of [...roots.values()].flat()) {
    if (!ranges.has(root)) continue
    for (const buffer of touchedBuffers(root, cones.get(root)!, facts)) {
      const memory = memoryOf(aliases, buffer)
      touching.set(memory, [...(touching.get(memory) ?? []), root])
    }
  }
  return touching
}

function touchedBuffers(root: Root, cone: Cone, facts: Facts): Set<Buffer> {
  const read = cone.accesses.flatMap(access => (access.kind === 'buffer' ? [facts.buffers.get(access.node)!] : []))
  return new Set([...read, ...namedBuffers(root)])
}

interface Ordered {
  readonly storage: Storage
  readonly roots: Map<Scope, Root[]>
  readonly cones: Map<Root, Cone>
}

/** Pins stale loads until there are no more: a pinned load becomes a root, which changes what other roots read. */
function orderMemory(structure: Structure, index: IndexAnalysis, target: CpuTarget): Ordered {
  const pinned = new Set<TileNode>()
  for (;;) {
    const storage = decideStorage(structure, pinned, target)
    const roots = listRoots(structure, storage, target)
    mergeStores(roots, structure, index, storage.buffers)
    const cones = new Map<Root, Cone>()
    for (const list of roots.values()) for (const root of list) cones.set(root, coneOf(root, storage.buffers))
    const stale = [...findPinned(roots, cones, structure, index)].filter(node => !pinned.has(node))
    if (stale.length === 0) return { storage, roots, cones }
    for (const node of stale) pinned.add(node)
  }
}
