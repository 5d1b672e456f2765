/**
 * Bounds of integer nodes by interval arithmetic. A bound is kept only while every intermediate is within a limit, by
 * default the safe integers, so that nothing in it can have wrapped; a node without bounds may have any value of its dtype.
 */
import { anything, exactly, type Interval, intervalOf } from '../../scalar/lattice.js'
import { type Dtype, dtypes } from '../../types/dtype.js'
import { type TileNode, type ViewDim, viewType } from '../ir.js'
import { dtypeOf, integerSplat, type MapNode } from './patterns.js'

/** The maximum size of a grid axis: the largest that all targets can launch. */
const maxGrid = 2 ** 31 - 1
/** No memory holds more elements along a dim, and products with small factors stay exact in doubles. */
const maxSize = 2 ** 47

export interface BoundsOptions {
  /** Bounds beyond this are dropped; by default, integers that doubles hold exactly. */
  readonly limit?: number
  /** The maximum run-time size of a view. */
  readonly maxSize?: number
  /** Bounds of a node that interval arithmetic does not cover. */
  readonly otherwise?: (node: TileNode) => Interval | null
}

/** Bounds of nodes, memoised: one table per run of the pass. */
export class BoundsTable {
  readonly #known = new Map<TileNode, Interval | null>()
  readonly #limit: number
  readonly #maxSize: number
  readonly #otherwise: (node: TileNode) => Interval | null

  constructor({ limit = Number.MAX_SAFE_INTEGER, maxSize: largest = maxSize, otherwise }: BoundsOptions = {}) {
    this.#limit = limit
    this.#maxSize = largest
    this.#otherwise = otherwise ?? (() => null)
  }

  /** Bounds of an integer or bool node, or null. */
  of(node: TileNode): Interval | null {
    const known = this.#known.get(node)
    if (known !== undefined) return known
    const bounds = this.#compute(node)
    const isKnown = bounds !== null && this.#isSafe(bounds) && fits(bounds, dtypeOf(node))
    const kept = isKnown ? bounds : this.#otherwise(node)
    this.#known.set(node, kept)
    return kept
  }

  #compute(node: TileNode): Interval | null {
    if (node.type.kind !== 'tile' || dtypes[node.type.dtype].kind === 'float') return null
    switch (node.op) {
      case 'const':
        return exactly(Number(integerSplat(node)))
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

  /** False for NaN, which infinities may produce. */
  #isSafe({ min, max }: Interval): boolean {
    return min >= -this.#limit && max <= this.#limit
  }

  #map(node: MapNode): Interval {
    if (dtypeOf(node) === 'bool') return { min: 0, max: 1 }
    const isInteger = (input: TileNode): boolean => dtypes[dtypeOf(input)].kind !== 'float'
    return intervalOf(
      node.attrs.fn,
      node.inputs.map(input => (isInteger(input) ? this.of(input) : null) ?? anything),
    )
  }
}

const sizeBounds = (size: ViewDim, largest: number): Interval =>
  size === null ? { min: 0, max: largest } : exactly(size)

/** i64 holds every safe integer; narrower results outside their dtype have wrapped. */
function fits({ min, max }: Interval, dtype: Dtype): boolean {
  return dtype === 'i64' || (min >= dtypes[dtype].min && max <= dtypes[dtype].max)
}
