/**
 * What is known of scalars at compile time: divisors, non-negativity, and whether a block is inside its view. Derived from
 * constants in the program and from what the launcher guarantees (`LaunchFacts`).
 */
import type { LaunchFacts } from '../../target/launch.js'
import { argumentsOf } from '../../tile/abi.js'
import { type TileNode, type TileProgram, tileType, viewType } from '../../tile/ir.js'
import { combine, constantForm, gcd, IndexAnalysis } from '../shared/affine.js'

/** Cap on divisors: larger ones gain nothing, as accesses are at most 16 bytes wide and tiles are smaller. */
const largest = 2 ** 20
/** The divisor of 0. */
const divisorOfZero = largest

const capped = (value: number): number => {
  const magnitude = Math.abs(value)
  return magnitude === 0 || !Number.isSafeInteger(magnitude) ? divisorOfZero : powerIn(magnitude)
}
/** The largest power of two that divides a natural number. */
function powerIn(value: number): number {
  let power = 1
  while (value % (power * 2) === 0 && power < largest) power *= 2
  return power
}

export class Facts {
  readonly index: IndexAnalysis
  readonly index32: boolean
  readonly #given = new Map<string, number>()
  readonly #divisors = new Map<TileNode, number>()
  readonly #ranges = new Map<TileNode, TileNode>()

  constructor(program: TileProgram, { divisors, indices }: LaunchFacts) {
    this.index = new IndexAnalysis(program.body)
    this.index32 = indices === 'i32'
    argumentsOf(program.params).forEach((argument, i) => {
      const detail = argument.kind === 'size' || argument.kind === 'stride' ? argument.dim : ''
      this.#given.set(`${argument.param}:${argument.kind}${detail}`, divisors[i] ?? 1)
    })
    this.#collect(program.body.body)
  }

  #collect(body: readonly TileNode[]): void {
    for (const node of body) {
      if (node.op === 'range') this.#ranges.set(node.blocks[0]!.params[0]!, node)
      for (const block of node.blocks) this.#collect(block.body)
    }
  }

  #ofArgument(view: TileNode, key: string): number {
    const { index } = (view as Extract<TileNode, { op: 'view' }>).attrs
    return this.#given.get(`${index}:${key}`) ?? 1
  }

  /** Known alignment in bytes of a view's element 0. */
  pointerBytes(view: TileNode): number {
    return this.#ofArgument(view, 'pointer')
  }

  sizeDivisor(view: TileNode, dim: number): number {
    const known = viewType(view).sizes[dim]!
    return known === null ? this.#ofArgument(view, `size${dim}`) : capped(known)
  }

  strideDivisor(view: TileNode, dim: number): number {
    const known = viewType(view).strides[dim]!
    return known === null ? this.#ofArgument(view, `stride${dim}`) : capped(known)
  }

  /** A power of two that divides an i64 scalar. */
  divisor(node: TileNode): number {
    const known = this.#divisors.get(node)
    if (known !== undefined) return known
    this.#divisors.set(node, 1)
    const found = Math.max(1, Math.min(largest, this.#divisorOf(node)))
    this.#divisors.set(node, found)
    return found
  }

  #divisorOf(node: TileNode): number {
    const range = this.#ranges.get(node)
    if (range !== undefined) return gcd(this.divisor(range.inputs[0]!), this.divisor(range.inputs[2]!))
    switch (node.op) {
      case 'const':
        return capped(Number(node.attrs.value))
      case 'size':
        return this.sizeDivisor(node.inputs[0]!, node.attrs.dim)
      case 'stride':
        return this.strideDivisor(node.inputs[0]!, node.attrs.dim)
      case 'scalar':
        return this.#given.get(`${node.attrs.index}:scalar`) ?? 1
      case 'broadcast':
      case 'reshape':
        return this.divisor(node.inputs[0]!)
      case 'map':
        return tileType(node).dtype === 'i64' ? this.#mapDivisor(node.attrs.fn, node.inputs) : 1
      default:
        return 1
    }
  }

  #mapDivisor(fn: string, inputs: readonly TileNode[]): number {
    const [a, b] = inputs
    switch (fn) {
      case 'mul':
        return this.divisor(a!) * this.divisor(b!)
      case 'add':
      case 'sub':
      case 'min':
      case 'max':
        return gcd(this.divisor(a!), this.divisor(b!))
      case 'neg':
        return this.divisor(a!)
      default:
        return 1
    }
  }

  /** True when an i64 scalar is never negative. */
  isNatural(node: TileNode): boolean {
    return this.index.interval(this.index.affine(node)).lo >= 0
  }

  /** True when `extent` elements from `offset` always end within the view's dim. */
  endsInside(view: TileNode, dim: number, offset: TileNode, extent: number): boolean {
    const end = combine(this.index.affine(offset), constantForm(extent))
    return this.index.atMost(end, this.index.size(view, dim))
  }

  /** True when a block always begins within the view's dim. */
  startsInside(view: TileNode, dim: number, offset: TileNode): boolean {
    const next = combine(this.index.affine(offset), constantForm(1))
    return this.index.atMost(next, this.index.size(view, dim))
  }

  /** True when an index is never less than the end of the view's dim. */
  reaches(end: TileNode, view: TileNode, dim: number): boolean {
    return this.index.atMost(this.index.size(view, dim), this.index.affine(end))
  }

  /** The constant that a scalar is, or null. */
  constant(node: TileNode): number | null {
    const form = this.index.affine(node)
    return form.terms.size === 0 ? form.constant : null
  }
}
