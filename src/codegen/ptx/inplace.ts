/**
 * In-place accumulators. When one chain of operations computes a loop-carried value's (or a part's) next value from the old
 * one, the operations write to the carried registers directly. That saves a second set of registers, and the moves at the end
 * of the iteration. It requires that the old value is not read after the first operation of the chain.
 */
import { type LaneNode, valueType } from '../../lane/ir.js'
import type { Liveness } from '../../lane/live.js'
import type { ScalarOpName } from '../../scalar/ops.js'

export interface CarriedValue {
  readonly param: LaneNode
  /** One register per lane. */
  readonly registers: readonly string[]
  readonly result: LaneNode
}

/** The users of each node, unordered. */
export type Users = ReadonlyMap<LaneNode, readonly LaneNode[]>

export function usersOf(nodes: Iterable<LaneNode>): Users {
  const users = new Map<LaneNode, LaneNode[]>()
  for (const node of nodes) {
    for (const input of node.inputs) {
      const known = users.get(input)
      if (known === undefined) users.set(input, [node])
      else known.push(node)
    }
  }
  return users
}

/** Destination registers for operations of a loop's body with the nodes `list`, in order; all others get fresh registers. */
export function inPlace(
  list: readonly LaneNode[],
  carried: readonly CarriedValue[],
  users: Users,
  live: Liveness,
): Map<LaneNode, readonly string[]> {
  const place = new Map(list.map((node, at) => [node, at]))
  const destinations = new Map<LaneNode, readonly string[]>()
  for (const { param, registers, result } of carried) {
    if (live.uses.get(result) !== 1) continue
    const parts = result.op === 'concat' ? result.inputs : [result]
    let from = 0
    for (const part of parts) {
      const { lanes } = valueType(part)
      const own = registers.slice(from, from + lanes)
      const reader = readerOf(param, from, lanes, users)
      if (reader !== null) for (const node of chain(part, reader, place, live)) destinations.set(node, own)
      from += lanes
    }
  }
  return destinations
}

/** The readers of lanes [from, from + lanes) of a carried value: the value itself or a slice, when no other read overlaps. */
function readerOf(param: LaneNode, from: number, lanes: number, users: Users): LaneNode | null {
  const readers = users.get(param) ?? []
  if (valueType(param).lanes === lanes) return readers.every(node => node.op !== 'slice') ? param : null
  const overlapping = readers.filter(node => {
    if (node.op !== 'slice') return true
    return node.attrs.from < from + lanes && from < node.attrs.from + node.attrs.lanes
  })
  const [slice] = overlapping
  if (overlapping.length !== 1 || slice?.op !== 'slice') return null
  return slice.attrs.from === from && slice.attrs.lanes === lanes ? slice : null
}

/** The chain of operations, from the last to the one that reads the old value: all in this block, each used only by the next. */
function chain(
  last: LaneNode,
  old: LaneNode,
  place: ReadonlyMap<LaneNode, number>,
  live: Liveness,
): readonly LaneNode[] {
  const nodes: LaneNode[] = []
  for (let node = last; ; ) {
    if (!place.has(node) || live.uses.get(node) !== 1) return []
    nodes.push(node)
    const inner = accumulator(node, old)
    if (inner === null) return []
    if (inner === old) return live.uses.get(old) === 1 ? nodes : []
    node = inner
  }
}

const binary = new Set<ScalarOpName>(['add', 'sub', 'mul', 'min', 'max', 'and', 'or'])

/** The operand that an operation may overwrite: the instructions of a lane read all operands before they write. */
function accumulator(node: LaneNode, old: LaneNode): LaneNode | null {
  if (node.op === 'mma') return node.inputs[2]!
  if (node.op === 'wgmma' || (node.op === 'wgmmaFence' && !node.attrs.fresh)) return node.inputs[0]!
  if (node.op === 'wgmmaWait' && node.inputs.length > 0) return node.inputs[0]!
  if (node.op !== 'map') return null
  if (node.attrs.fn === 'fma') return node.inputs[2]!
  return binary.has(node.attrs.fn) && node.inputs.includes(old) ? old : null
}
