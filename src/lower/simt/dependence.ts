/**
 * How a tile's elements depend on each bit of their index: linearly (a constant per bit, as in `iota` plus a scalar), in
 * some other way, or not at all. Tells where an access through index tiles is contiguous.
 */
import { gcd } from '../../scalar/lattice.js'
import { type TileNode, tileType } from '../../tile/ir.js'
import type { Facts } from './facts.js'
import { totalBits } from './layout.js'
import { bitBefore, isRenaming, shapeOf } from './renaming.js'

export interface Dependence {
  /** Bits that add a constant when set. */
  readonly linear: ReadonlyMap<number, number>
  /** Bits on which the value depends in another way. */
  readonly other: ReadonlySet<number>
  /** A power of two that divides the index-independent part. */
  readonly divisor: number
}

const allBits = (node: TileNode): number[] => Array.from({ length: totalBits(shapeOf(node)) }, (_, bit) => bit)

export class Dependences {
  readonly #known = new Map<TileNode, Dependence>()

  constructor(readonly facts: Facts) {}

  of(node: TileNode): Dependence {
    const known = this.#known.get(node)
    if (known !== undefined) return known
    const found = this.#find(node)
    this.#known.set(node, found)
    return found
  }

  /** How a tile's values depend on the bits of their index. */
  #find(node: TileNode): Dependence {
    const nothing = { linear: new Map(), other: new Set<number>() }
    if (node.op === 'const') return { ...nothing, divisor: this.#scalarDivisor(node) }
    if (totalBits(shapeOf(node)) === 0) return { ...nothing, divisor: this.#scalarDivisor(node) }
    if (isRenaming(node)) return this.#renamed(node)
    if (node.op === 'iota')
      return { ...nothing, linear: new Map(allBits(node).map(bit => [bit, 2 ** bit])), divisor: 2 ** 20 }
    if (node.op === 'map') return this.#mapped(node.attrs.fn, node)
    const passes = node.op === 'cast' || node.op === 'bitcast'
    const other = passes ? this.#bits(this.of(node.inputs[0]!)) : allBits(node)
    return { linear: new Map(), other: new Set(other), divisor: 1 }
  }

  #scalarDivisor(node: TileNode): number {
    return tileType(node).dtype === 'i64' ? this.facts.divisor(node) : 1
  }

  #bits({ linear, other }: Dependence): number[] {
    return [...linear.keys(), ...other]
  }

  #mapped(fn: string, node: TileNode): Dependence {
    const inputs = node.inputs.map(input => this.of(input))
    if (tileType(node).dtype === 'i64' && (fn === 'add' || fn === 'sub')) {
      const [a, b] = inputs as [Dependence, Dependence]
      const linear = new Map(a.linear)
      for (const [bit, value] of b.linear) linear.set(bit, (linear.get(bit) ?? 0) + (fn === 'add' ? value : -value))
      return { linear, other: new Set([...a.other, ...b.other]), divisor: gcd(a.divisor, b.divisor) }
    }
    return { linear: new Map(), other: new Set(inputs.flatMap(input => this.#bits(input))), divisor: 1 }
  }

  /** The input's dependence, by the bits of the result. */
  #renamed(node: TileNode): Dependence {
    const inner = this.of(node.inputs[0]!)
    const linear = new Map<number, number>()
    const other = new Set<number>()
    for (const bit of allBits(node)) {
      const from = bitBefore(node, bit)
      if (from === null) continue
      const value = inner.linear.get(from)
      if (value !== undefined) linear.set(bit, value)
      if (inner.other.has(from)) other.add(bit)
    }
    return { linear, other, divisor: inner.divisor }
  }
}
