/** Transfers of tiles between registers and shared memory, and layout conversions. */
import type { SourceLocation } from '../../base/source.js'
import type { LaneNode } from '../../lane/ir.js'
import { itemBytes } from '../../types/dtype.js'
import { dtypeOf } from '../shared/lanes.js'
import { placeAt, threadPart } from './addresses.js'
import type { Context } from './context.js'
import {
  copy,
  copyMask,
  groups,
  registerCount,
  registerIndex,
  reorderedRegisters,
  sameLayout,
  staysInThread,
  type ThreadLayout,
  threadBits,
} from './layout.js'
import { exchangeLayout, offsetOfIndex, type SharedLayout, vectorBits } from './shared-layout.js'
import type { SharedBuffer } from './shared-memory.js'
import type { Piece } from './vectors.js'

/** A thread's vector accesses: for each, its registers in memory order and the offset. */
interface Chunk {
  readonly registers: readonly number[]
  readonly offset: number
}

function chunksOf(layout: ThreadLayout, shared: SharedLayout, bytes: number): Chunk[] {
  return groups(layout, vectorBits(layout, shared, bytes)).map(registers => ({
    registers,
    offset: offsetOfIndex(shared, registerIndex(layout, registers[0]!)),
  }))
}

/** Stores a tile; only the first copy of each element writes. `start`: element offset in the buffer. The caller records it. */
export function storeShared(
  context: Context,
  node: LaneNode,
  layout: ThreadLayout,
  shared: SharedLayout,
  buffer: SharedBuffer,
  start: LaneNode | null = null,
): void {
  const { lanes, vectors, threads } = context
  const to = context.sharedPointer(buffer)
  const part = threadPart(context, threadBits(layout), shared.offsets, shared.combine)
  const copies = copyMask(layout)
  const first = copies === 0 ? null : threads.isFirst(copies)
  for (const { registers, offset } of chunksOf(layout, shared, itemBytes(buffer.dtype))) {
    const count = first === null ? null : lanes.map('where', first, context.i32(registers.length), context.i32(0))
    lanes.store(to, placeAt(context, part, offset, start), vectors.pick(node, registers), count)
  }
}

/** Loads a tile. The caller records the access. */
export function loadShared(
  context: Context,
  layout: ThreadLayout,
  shared: SharedLayout,
  buffer: SharedBuffer,
  start: LaneNode | null = null,
): LaneNode {
  const { lanes, vectors } = context
  const from = context.sharedPointer(buffer)
  const part = threadPart(context, threadBits(layout), shared.offsets, shared.combine)
  const pieces = new Array<Piece>(registerCount(layout))
  for (const { registers, offset } of chunksOf(layout, shared, itemBytes(buffer.dtype))) {
    const node = lanes.load(from, placeAt(context, part, offset, start), registers.length)
    registers.forEach((register, lane) => {
      pieces[register] = { node, lane }
    })
  }
  return vectors.assemble(pieces)
}

/** For each thread bit that is a copy in `from` but an index bit in `to`, the register bit that it selects; null: impossible. */
function choices(
  from: ThreadLayout,
  to: ThreadLayout,
): { readonly thread: number; readonly register: number }[] | null {
  const [before, after] = [threadBits(from), threadBits(to)]
  const found: { thread: number; register: number }[] = []
  for (let k = 0; k < before.length; k++) {
    if (before[k] === after[k]) continue
    if (before[k] !== copy) return null
    found.push({ thread: k, register: from.registers.indexOf(after[k]!) })
  }
  return found
}

/** Converts a tile's layout: by renaming registers, else by selecting among them, else through shared memory. */
export function convert(
  context: Context,
  node: LaneNode,
  from: ThreadLayout,
  to: ThreadLayout,
  at: SourceLocation | null,
): LaneNode {
  if (sameLayout(from, to)) return node
  if (staysInThread(from, to)) return context.vectors.pick(node, reorderedRegisters(from, to))
  const picks = choices(from, to)
  if (picks !== null) return choose(context, node, from, to, picks)
  return exchange(context, node, from, to, at)
}

/** Converts through shared memory; only the first copy of each element writes. */
export function exchange(
  context: Context,
  node: LaneNode,
  from: ThreadLayout,
  to: ThreadLayout,
  at: SourceLocation | null,
): LaneNode {
  const shared = exchangeLayout(from, to, itemBytes(dtypeOf(node)))
  const buffer = context.shared.scratch(dtypeOf(node), shared.size, 'exchange', at)
  context.shared.write(buffer)
  storeShared(context, node, from, shared, buffer)
  context.shared.read(buffer)
  return loadShared(context, to, shared, buffer)
}

/** All copies hold the same registers; each thread keeps the half that its thread bit selects. */
function choose(
  context: Context,
  node: LaneNode,
  from: ThreadLayout,
  to: ThreadLayout,
  picks: readonly { readonly thread: number; readonly register: number }[],
): LaneNode {
  const { lanes, vectors, threads } = context
  let [result, layout] = [node, from]
  for (const { thread } of picks) {
    const bit = threadBits(to)[thread]!
    const register = layout.registers.indexOf(bit)
    const all = Array.from({ length: registerCount(layout) }, (_, r) => r)
    const low = vectors.pick(
      result,
      all.filter(r => ((r >> register) & 1) === 0),
    )
    const high = vectors.pick(
      result,
      all.filter(r => (r >> register) & 1),
    )
    result = lanes.select(threads.bit(thread), high, low)
    const place = (bits: readonly number[], offset: number): number[] =>
      bits.map((known, k) => (k + offset === thread ? bit : known))
    layout = {
      ...layout,
      registers: layout.registers.filter(known => known !== bit),
      lanes: place(layout.lanes, 0),
      warps: place(layout.warps, layout.lanes.length),
    }
  }
  return vectors.pick(result, reorderedRegisters(layout, to))
}
