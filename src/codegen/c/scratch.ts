/**
 * Scratch memory allocation: constant, 64-byte aligned offsets for a program's `alloc`s; allocs with disjoint lifetimes share
 * memory. An alloc is live from its statement to the end of the last statement in its block that uses it. So an alloc inside
 * a loop is live for at most one iteration, and an alloc before a loop that uses it is live through the whole loop.
 */
import type { LaneBlock, LaneNode, LaneProgram } from '../../lane/ir.js'
import { itemBytes } from '../../types/dtype.js'

type Alloc = Extract<LaneNode, { op: 'alloc' }>

export interface ScratchLayout {
  /** Byte offset of each alloc. */
  readonly offsets: ReadonlyMap<LaneNode, number>
  /** Total size, a multiple of 64. */
  readonly bytes: number
}

const alignment = 64
const align = (bytes: number): number => Math.ceil(bytes / alignment) * alignment

/** Bytes of scratch memory per thread of the emitted function. */
export const scratchBytes = (program: LaneProgram): number => scratchLayout(program).bytes

/** The offset of each scratch buffer; buffers that are not live at the same time share memory (first fit). */
export function scratchLayout(program: LaneProgram): ScratchLayout {
  const offsets = new Map<LaneNode, number>()
  const placed: { from: number; to: number; offset: number; end: number }[] = []
  let total = 0
  for (const { node, from, to } of lifetimes(program.body)) {
    const size = align(node.attrs.count * itemBytes(node.attrs.dtype))
    const neighbours = placed.filter(other => other.from <= to && from <= other.to).sort((a, b) => a.offset - b.offset)
    let offset = 0
    for (const other of neighbours) {
      if (other.offset >= offset + size) break
      offset = Math.max(offset, other.end)
    }
    offsets.set(node, offset)
    placed.push({ from, to, offset, end: offset + size })
    total = Math.max(total, offset + size)
  }
  return { offsets, bytes: total }
}

interface Lifetime {
  readonly node: Alloc
  readonly from: number
  to: number
}

/** Lifetimes as positions in a walk that numbers every statement; inner blocks end before the statement that owns them. */
function lifetimes(root: LaneBlock): Lifetime[] {
  const found = new Map<LaneNode, Lifetime>()
  let step = 0
  /** Numbers the block's statements; returns the allocs of outer blocks that it uses. */
  const walk = (block: LaneBlock): Set<LaneNode> => {
    const outer = new Set<LaneNode>()
    const own = new Set<LaneNode>()
    for (const node of block.body) {
      const used = new Set<LaneNode>(node.inputs.filter(input => input.op === 'alloc'))
      const start = step++
      for (const inner of node.blocks) for (const alloc of walk(inner)) used.add(alloc)
      const end = step++
      if (node.op === 'alloc') {
        found.set(node, { node, from: start, to: end })
        own.add(node)
      }
      for (const alloc of used) {
        if (own.has(alloc)) found.get(alloc)!.to = end
        else outer.add(alloc)
      }
    }
    return outer
  }
  walk(root)
  return [...found.values()]
}
