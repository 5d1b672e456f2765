/** Vectors whose lanes are all compile-time constants: reading and building them. */
import type { Builder } from '../../ir/builder.js'
import type { LaneNode } from '../../lane/ir.js'
import { type Value, wrapValue } from '../../scalar/ops.js'
import type { Dtype } from '../../types/dtype.js'

/** Dtypes that code computes with: their constants are the numbers themselves, not codes. */
export const isComputed = (dtype: Dtype): boolean => !dtype.startsWith('f8') && dtype !== 'f4e2m1' && dtype !== 'e8m0'

/** The constant value of each lane; null when a lane is not constant. */
export function knownLanes(node: LaneNode): readonly Value[] | null {
  if (node.type.kind !== 'value' || !isComputed(node.type.dtype)) return null
  const { dtype, lanes } = node.type
  switch (node.op) {
    case 'const':
      return new Array<Value>(lanes).fill(node.attrs.value)
    case 'iota':
      return Array.from({ length: lanes }, (_, lane) => wrapValue(dtype, lane))
    case 'splat': {
      const scalar = knownLanes(node.inputs[0]!)
      return scalar && new Array<Value>(lanes).fill(scalar[0]!)
    }
    case 'extract':
      return knownLanes(node.inputs[0]!)?.slice(node.attrs.lane, node.attrs.lane + 1) ?? null
    case 'slice':
      return knownLanes(node.inputs[0]!)?.slice(node.attrs.from, node.attrs.from + lanes) ?? null
    case 'concat': {
      const all: Value[] = []
      for (const input of node.inputs) {
        const part = knownLanes(input)
        if (part === null) return null
        all.push(...part)
      }
      return all
    }
    default:
      return null
  }
}

/** A vector of the given lane values. */
export function makeLanes(b: Builder<LaneNode>, dtype: Dtype, values: readonly Value[]): LaneNode {
  const constant = (value: Value, lanes: number): LaneNode =>
    b.node('const', [], { dtype, value: dtype === 'i64' ? BigInt(value) : Number(value), lanes })
  if (values.every(value => Object.is(value, values[0]))) return constant(values[0]!, values.length)
  return b.node(
    'concat',
    values.map(value => constant(value, 1)),
    {},
  )
}

/** The value that all lanes share; null when lanes differ or are not constant. */
export function knownValue(node: LaneNode): Value | null {
  const lanes = knownLanes(node) ?? []
  const [first] = lanes
  return first !== undefined && lanes.every(value => Object.is(value, first)) ? first : null
}
