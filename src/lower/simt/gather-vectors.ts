/** Vectorised gathers: where neighbouring indices address neighbouring memory (rows selected by index), accesses are wide. */
import { type TileNode, viewType } from '../../tile/ir.js'
import { itemBytes } from '../../types/dtype.js'
import type { Dependences } from './dependence.js'
import type { Facts } from './facts.js'
import { dimOfBit } from './layout.js'
import { shapeOf } from './renaming.js'

/**
 * Bits of the gather's index, lowest first, along which elements are contiguous in memory and share one predicate (bounds
 * and mask); limited to one aligned 16-byte access.
 */
export function gatherVector(
  facts: Facts,
  dependences: Dependences,
  node: Extract<TileNode, { op: 'gather' }>,
): readonly number[] {
  const [view] = node.inputs as [TileNode]
  const { dtype, sizes, strides } = viewType(view)
  const along = strides.findIndex((stride, d) => stride === 1 && sizes[d] !== 1)
  if (along < 0) return []
  const index = dependences.of(node.inputs[1 + along]!)
  const others = node.inputs.slice(1).filter((_, d) => d !== along)
  const repeats = (bit: number): boolean =>
    !index.other.has(bit) &&
    others.every(other => !dependences.of(other).other.has(bit) && !dependences.of(other).linear.get(bit))
  const bits: number[] = []
  for (let width = 1; width * 2 * itemBytes(dtype) <= 16; width *= 2) {
    const bit = [...index.linear].find(([each, value]) => value === width && repeats(each))?.[0]
    if (bit === undefined || !isAligned(facts, dependences, node, along, [...bits, bit])) break
    bits.push(bit)
  }
  return bits
}

/** True when the gathered elements of aligned groups of bits are contiguous and aligned in memory. */
function isAligned(
  facts: Facts,
  dependences: Dependences,
  node: TileNode,
  along: number,
  bits: readonly number[],
): boolean {
  const [view] = node.inputs as [TileNode]
  const { dtype, sizes } = viewType(view)
  const width = 2 ** bits.length
  const index = dependences.of(node.inputs[1 + along]!)
  const rest = [...index.linear].filter(([bit]) => !bits.includes(bit))
  const shape = shapeOf(node)
  return (
    index.other.size === 0 &&
    index.divisor % width === 0 &&
    rest.every(([, value]) => value % width === 0) &&
    facts.pointerBytes(view) % (width * itemBytes(dtype)) === 0 &&
    facts.sizeDivisor(view, along) % width === 0 &&
    sizes.every((_, d) => d === along || facts.strideDivisor(view, d) % width === 0) &&
    bits.every(bit => shape[dimOfBit(shape, bit).dim]! % width === 0)
  )
}
