/** A thread's registers as one vector: slicing, concatenation, and constants that differ per lane. */
import type { LaneNode } from '../../lane/ir.js'
import type { Value } from '../../scalar/ops.js'
import type { Dtype } from '../../types/dtype.js'
import { type Lanes, lanesOf } from '../shared/lanes.js'

/** One lane of a vector. */
export interface Piece {
  readonly node: LaneNode
  readonly lane: number
}

export class Vectors {
  constructor(readonly lanes: Lanes) {}

  /** `count` consecutive lanes. */
  slice(node: LaneNode, from: number, count: number): LaneNode {
    const { builder } = this.lanes
    if (count === lanesOf(node)) return node
    if (node.op === 'const') return builder.node('const', [], { ...node.attrs, lanes: count })
    if (node.op === 'splat') return this.lanes.spread(node.inputs[0]!, count)
    if (node.op === 'slice') return this.slice(node.inputs[0]!, node.attrs.from + from, count)
    if (node.op === 'concat') {
      const part = this.#partOf(node, from, count)
      if (part !== null) return part
    }
    if (count === 1) return builder.node('extract', [node], { lane: from })
    return builder.node('slice', [node], { from, lanes: count })
  }

  /** The slice of a concat, when it is within one of its inputs. */
  #partOf(node: LaneNode, from: number, count: number): LaneNode | null {
    let start = 0
    for (const input of node.inputs) {
      const length = lanesOf(input)
      if (from >= start && from + count <= start + length) return this.slice(input, from - start, count)
      start += length
    }
    return null
  }

  /** Concatenation; consecutive slices of one vector merge. */
  concat(parts: readonly LaneNode[]): LaneNode {
    if (parts.length === 1) return parts[0]!
    const whole = wholeOf(parts)
    if (whole !== null) return whole
    const [first] = parts as [LaneNode]
    if (parts.every(part => part === first) && lanesOf(first) === 1) return this.lanes.spread(first, parts.length)
    return this.lanes.builder.node('concat', parts, {})
  }

  /** A vector of arbitrary lanes; runs of lanes from one vector become slices. */
  assemble(pieces: readonly Piece[]): LaneNode {
    const parts: LaneNode[] = []
    // Repeated elements do not extend a run.
    const repeats = (i: number): boolean => {
      const [before, own] = [pieces[i - 1], pieces[i]!]
      return before !== undefined && before.node === own.node && before.lane === own.lane
    }
    for (let i = 0; i < pieces.length; ) {
      const { node, lane } = pieces[i]!
      let length = 1
      while (i + length < pieces.length) {
        const next = pieces[i + length]!
        if (next.node !== node || next.lane !== lane + length || repeats(i)) break
        length++
      }
      parts.push(this.slice(node, lane, length))
      i += length
    }
    return this.concat(parts)
  }

  /** The lanes `order` of one vector. */
  pick(node: LaneNode, order: readonly number[]): LaneNode {
    if (order.length === lanesOf(node) && order.every((lane, i) => lane === i)) return node
    if (node.op === 'const' || node.op === 'splat') return this.slice(node, 0, order.length)
    return this.assemble(order.map(lane => ({ node, lane })))
  }

  constants(dtype: Dtype, values: readonly Value[]): LaneNode {
    const { lanes } = this
    if (values.every(value => value === values[0])) return lanes.constant(dtype, values[0]!, values.length)
    if (values.every((value, i) => value === i)) return lanes.iota(values.length, dtype)
    return this.concat(values.map(value => lanes.constant(dtype, value)))
  }
}

/** The vector that the parts, consecutive slices of it, cover; null if there is none. */
function wholeOf(parts: readonly LaneNode[]): LaneNode | null {
  const [first] = parts as [LaneNode]
  if (first.op !== 'slice') return null
  const [whole] = first.inputs as [LaneNode]
  let at = 0
  for (const part of parts) {
    if (part.op !== 'slice' || part.inputs[0] !== whole || part.attrs.from !== at) return null
    at += part.attrs.lanes
  }
  return at === lanesOf(whole) ? whole : null
}
