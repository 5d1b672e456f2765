/**
 * Bounds of integer nodes by interval arithmetic. A bound is kept only while every intermediate is within a limit, by
 * default the safe integers, so that nothing it covers can have wrapped; a node without bounds may be any value of its dtype.
 */
import { type Dtype, dtypes } from '../../types/dtype.js'
import { type TileNode, type ViewDim, viewType } from '../ir.js'
import { dtypeOf, integerSplat, type MapNode } from './patterns.js'

export interface Bounds {
  readonly min: number
  readonly max: number
}

/** Largest grid axis: what every target can launch. */
const maxGrid = 2 ** 31 - 1
/** No memory holds more elements along a dim, and products with small factors stay exact in doubles. */
const maxSize = 2 ** 47

export interface BoundsOptions {
  /** Bounds beyond this are dropped; by default, integers that doubles hold exactly. */
  readonly limit?: number
  /** The largest run-time size of a view. */
  readonly maxSize?: number
  /** Bounds of a node that interval arithmetic does not cover. */
  readonly otherwise?: (node: TileNode) => Bounds | null
}

/** Bounds of nodes, memoised: one table per run of the pass. */
export class BoundsTable {
  readonly #known = new Map<TileNode, Bounds | null>()
  readonly #limit: number
  readonly #maxSize: number
  readonly #otherwise: (node: TileNode) => Bounds | null

  constructor({ limit = Number.MAX_SAFE_INTEGER, maxSize: largest = maxSize, otherwise }: BoundsOptions = {}) {
    this.#limit = limit
    this.#maxSize = largest
    this.#otherwise = otherwise ?? (() => null)
  }

  /** Bounds of an integer or bool node, or null. */
  of(node: TileNode): Bounds | null {
    const known = this.#known.get(node)
    if (known !== undefined) return known
    const bounds = this.#compute(node)
    const isKnown = bounds !== null && this.#isSafe(bounds) && fits(bounds, dtypeOf(node))
    const kept = isKnown ? bounds : this.#otherwise(node)
    this.#known.set(node, kept)
    return kept
  }

  #compute(node: TileNode): Bounds | null {
    if (node.type.kind !== 'tile' || dtypes[node.type.dtype].kind === 'float') return null
    switch (node.op) {
      case 'const': {
        const value = Number(integerSplat(node))
        return { min: value, max: value }
      }
      case 'iota':
        return { min: 0, max: node.attrs.length - 1 }
      case 'programId':
        return { min: 0, max: maxGrid - 1 }
      case 'numPrograms':
        return { min: 1, max: maxGrid }
      case 'size':
        return sizeBounds(viewType(node.inputs[0]!).sizes[node.attrs.dim]!, this.#maxSize)
      case 'broadcast':
      case 'reshape':
      case 'transpose':
        return this.of(node.inputs[0]!)
      case 'cast':
        return dtypes[dtypeOf(node.inputs[0]!)].kind === 'float' ? null : this.of(node.inputs[0]!)
      case 'map':
        return this.#map(node)
      default:
        return null
    }
  }

  /** Not so for NaN, which infinities may produce. */
  #isSafe({ min, max }: Bounds): boolean {
    return min >= -this.#limit && max <= this.#limit
  }

  #map(node: MapNode): Bounds | null {
    if (dtypeOf(node) === 'bool') return { min: 0, max: 1 }
    const all = node.inputs.map(input => (dtypes[dtypeOf(input)].kind === 'float' ? null : this.of(input)))
    const [a, b, c] = all
    switch (node.attrs.fn) {
      case 'mod':
        return b && b.min > 0 ? { min: 0, max: a && a.min >= 0 ? Math.min(a.max, b.max - 1) : b.max - 1 } : null
      case 'where':
        return b && c ? { min: Math.min(b.min, c.min), max: Math.max(b.max, c.max) } : null
      case 'neg':
        return a ? { min: -a.max, max: -a.min } : null
      default:
        return a && b ? binary(node.attrs.fn, a, b) : null
    }
  }
}

function binary(fn: MapNode['attrs']['fn'], a: Bounds, b: Bounds): Bounds | null {
  switch (fn) {
    case 'add':
      return { min: a.min + b.min, max: a.max + b.max }
    case 'sub':
      return { min: a.min - b.max, max: a.max - b.min }
    case 'mul':
      return corners([a.min * b.min, a.min * b.max, a.max * b.min, a.max * b.max])
    case 'floorDiv': {
      if (b.min <= 0) return null
      return corners([a.min / b.min, a.min / b.max, a.max / b.min, a.max / b.max].map(Math.floor))
    }
    case 'min':
      return { min: Math.min(a.min, b.min), max: Math.min(a.max, b.max) }
    case 'max':
      return { min: Math.max(a.min, b.min), max: Math.max(a.max, b.max) }
    default:
      return null
  }
}

const corners = (values: readonly number[]): Bounds => ({ min: Math.min(...values), max: Math.max(...values) })
const sizeBounds = (size: ViewDim, largest: number): Bounds =>
  size === null ? { min: 0, max: largest } : { min: size, max: size }

/** i64 holds every safe integer; narrower results outside their dtype have wrapped. */
function fits({ min, max }: Bounds, dtype: Dtype): boolean {
  return dtype === 'i64' || (min >= dtypes[dtype].min && max <= dtypes[dtype].max)
}
