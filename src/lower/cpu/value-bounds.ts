/**
 * Bounds of integers, also of those that are computed with floats, as the positions in a resized image are: a gather whose
 * indices are in its view needs no checks.
 */
import { type Interval, intervalOf } from '../../scalar/lattice.js'
import type { TileNode } from '../../tile/ir.js'
import { dtypeOf, type MapNode } from '../../tile/passes/patterns.js'
import { BoundsTable } from '../../tile/passes/ranges.js'
import { dtypes } from '../../types/dtype.js'

/** Ops whose results are among their operands, or whole numbers next to them: they round nothing. */
const exact: ReadonlySet<string> = new Set(['min', 'max', 'neg', 'floor', 'ceil', 'trunc'])
const rounded: ReadonlySet<string> = new Set(['add', 'sub', 'mul'])
/** More than the relative error of an op in f32 or f64, but for results that are not normal. */
const error = 1e-6
/** Floats beyond this are not followed: those within are finite, so that none is NaN. */
const limit = 2 ** 53

export class ValueBounds {
  readonly #floats = new Map<TileNode, Interval | null>()
  readonly #integers = new BoundsTable({ otherwise: node => this.#truncated(node) })

  /** The bounds of an integer; null: it may be any. */
  of(node: TileNode): Interval | null {
    return this.#integers.of(node)
  }

  #truncated(node: TileNode): Interval | null {
    if (node.op !== 'cast' || dtypes[node.attrs.to].kind === 'float') return null
    const from = this.#float(node.inputs[0]!)
    const { min, max } = dtypes[node.attrs.to]
    const whole = from && { min: Math.trunc(from.min), max: Math.trunc(from.max) }
    return whole && (node.attrs.to === 'i64' || (whole.min >= min && whole.max <= max)) ? whole : null
  }

  #float(node: TileNode): Interval | null {
    const known = this.#floats.get(node)
    if (known !== undefined) return known
    const made = this.#computed(node)
    const kept = made !== null && made.min >= -limit && made.max <= limit ? made : null
    this.#floats.set(node, kept)
    return kept
  }

  #computed(node: TileNode): Interval | null {
    if (node.type.kind !== 'tile') return null
    switch (node.op) {
      case 'const':
        return { min: Number(node.attrs.value), max: Number(node.attrs.value) }
      case 'broadcast':
      case 'reshape':
      case 'transpose':
        return this.#float(node.inputs[0]!)
      case 'cast': {
        const [input] = node.inputs as [TileNode]
        const isFloat = dtypes[dtypeOf(input)].kind === 'float'
        const from = isFloat ? this.#float(input) : this.of(input)
        return from && (dtypes[node.attrs.to].bits < 32 ? null : widened(from))
      }
      case 'map':
        return this.#map(node)
      default:
        return null
    }
  }

  #map(node: MapNode): Interval | null {
    const { fn } = node.attrs
    if (!exact.has(fn) && !rounded.has(fn)) return null
    const inputs = node.inputs.map(input => this.#float(input))
    if (!inputs.every(input => input !== null)) return null
    if (fn === 'floor' || fn === 'ceil' || fn === 'trunc')
      return { min: Math[fn](inputs[0]!.min), max: Math[fn](inputs[0]!.max) }
    const bounds = intervalOf(fn, inputs)
    return exact.has(fn) ? bounds : widened(bounds)
  }
}

/** Rounding is monotonic: results are between the rounded ends. */
function widened({ min, max }: Interval): Interval {
  const by = (end: number): number => (end === 0 ? 0 : Math.max(Math.abs(end) * error, 1e-30))
  return { min: min - by(min), max: max + by(max) }
}
