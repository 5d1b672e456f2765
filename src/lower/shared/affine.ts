/**
 * Index arithmetic that can be compared: i64 scalars as linear forms over atoms (program ids, sizes, loop counters and
 * whatever is not linear), with ranges and divisors of the atoms. Equal forms have equal keys, so "this load lies within
 * what that store writes" is a subtraction. Wrap-around is left out: extents and offsets stay far below 2^53.
 */
import { type TileBlock, type TileNode, tileType, viewType } from '../../tile/ir.js'

/** What a linear form counts: a scalar tile node, or a view's run-time size. */
export type Atom =
  | { readonly kind: 'node'; readonly node: TileNode }
  | { readonly kind: 'size'; readonly view: TileNode; readonly dim: number }

export interface Affine {
  /** Equal for equal forms. */
  readonly key: string
  /** Coefficients by atom key, none of them 0. */
  readonly terms: ReadonlyMap<string, number>
  readonly constant: number
}

/** An i64 tile as a linear form of the axes of a loop nest, plus a scalar. */
export interface TileForm {
  readonly axes: ReadonlyMap<number, number>
  readonly base: Affine
}

export interface Interval {
  readonly lo: number
  readonly hi: number
}

const unknown: Interval = { lo: Number.NEGATIVE_INFINITY, hi: Number.POSITIVE_INFINITY }
const natural: Interval = { lo: 0, hi: Number.POSITIVE_INFINITY }

function form(terms: ReadonlyMap<string, number>, constant: number): Affine {
  const parts = [...terms].sort(([a], [b]) => (a < b ? -1 : 1)).map(([atom, coefficient]) => `${coefficient}*${atom}`)
  return { key: [...parts, String(constant)].join('+'), terms, constant }
}

export const constantForm = (value: number): Affine => form(new Map(), value)
export const zero = constantForm(0)
export const isConstant = (a: Affine): boolean => a.terms.size === 0

/** a + factor·b. */
export function combine(a: Affine, b: Affine, factor = 1): Affine {
  if (factor === 0) return a
  const terms = new Map(a.terms)
  for (const [atom, coefficient] of b.terms) {
    const sum = (terms.get(atom) ?? 0) + factor * coefficient
    if (sum === 0) terms.delete(atom)
    else terms.set(atom, sum)
  }
  return form(terms, a.constant + factor * b.constant)
}

export const subtract = (a: Affine, b: Affine): Affine => combine(a, b, -1)
export const scale = (a: Affine, factor: number): Affine => combine(zero, a, factor)

export function gcd(a: number, b: number): number {
  let [x, y] = [Math.abs(a), Math.abs(b)]
  while (y !== 0) [x, y] = [y, x % y]
  return x
}

/** Answers questions about the i64 scalars of one program. */
export class IndexAnalysis {
  readonly #forms = new Map<TileNode, Affine>()
  readonly #atoms = new Map<string, Atom>()
  readonly #intervals = new Map<TileNode, Interval>()
  readonly #divisors = new Map<TileNode, number>()
  readonly #counters = new Map<TileNode, TileNode>()

  /** What axes.ts found out about tiles, by node and axis map. */
  readonly tileForms = new Map<string, TileForm | null>()

  constructor(root: TileBlock) {
    this.#collectCounters(root)
  }

  #collectCounters(block: TileBlock): void {
    for (const node of block.body) {
      if (node.op === 'range') this.#counters.set(node.blocks[0]!.params[0]!, node)
      for (const inner of node.blocks) this.#collectCounters(inner)
    }
  }

  atom(key: string): Atom {
    return this.#atoms.get(key)!
  }

  /** The linear form of an i64 tile with one element. */
  affine(node: TileNode): Affine {
    const known = this.#forms.get(node)
    if (known !== undefined) return known
    const made = this.#linear(node) ?? this.#atomForm({ kind: 'node', node })
    this.#forms.set(node, made)
    return made
  }

  /** The size of a view's dim. */
  size(view: TileNode, dim: number): Affine {
    const known = viewType(view).sizes[dim]!
    return known === null ? this.#atomForm({ kind: 'size', view, dim }) : constantForm(known)
  }

  #atomForm(atom: Atom): Affine {
    const key = atom.kind === 'node' ? `n${atom.node.id}` : `s${atom.view.id}.${atom.dim}`
    this.#atoms.set(key, atom)
    return form(new Map([[key, 1]]), 0)
  }

  #linear(node: TileNode): Affine | null {
    switch (node.op) {
      case 'const': {
        const value = Number(node.attrs.value)
        return node.attrs.dtype === 'i64' && Number.isSafeInteger(value) ? constantForm(value) : null
      }
      case 'size':
        return this.size(node.inputs[0]!, node.attrs.dim)
      case 'stride': {
        const known = viewType(node.inputs[0]!).strides[node.attrs.dim]!
        return known === null ? null : constantForm(known)
      }
      case 'broadcast':
      case 'reshape':
      case 'transpose':
        return this.affine(node.inputs[0]!)
      case 'iota':
        return node.attrs.length === 1 ? zero : null
      case 'map':
        return tileType(node).dtype === 'i64' ? this.#linearMap(node.attrs.fn, node.inputs) : null
      default:
        return null
    }
  }

  #linearMap(fn: string, inputs: readonly TileNode[]): Affine | null {
    if (fn !== 'add' && fn !== 'sub' && fn !== 'mul' && fn !== 'neg') return null
    const [a, b] = inputs.map(input => this.affine(input)) as [Affine, Affine]
    const made =
      fn === 'neg'
        ? scale(a, -1)
        : fn === 'add'
          ? combine(a, b)
          : fn === 'sub'
            ? subtract(a, b)
            : isConstant(b)
              ? scale(a, b.constant)
              : isConstant(a)
                ? scale(b, a.constant)
                : null
    if (made === null) return null
    const safe = Number.isSafeInteger(made.constant) && [...made.terms.values()].every(Number.isSafeInteger)
    return safe ? made : null
  }

  /** True when a ≤ b for every value of the atoms. */
  atMost(a: Affine, b: Affine): boolean {
    return this.interval(subtract(b, a)).lo >= 0
  }

  interval(a: Affine): Interval {
    let [lo, hi] = [a.constant, a.constant]
    for (const [key, coefficient] of a.terms) {
      const range = this.#atomInterval(this.atom(key))
      const [low, high] = coefficient > 0 ? [range.lo, range.hi] : [range.hi, range.lo]
      lo += coefficient * low
      hi += coefficient * high
    }
    return { lo, hi }
  }

  #atomInterval(atom: Atom): Interval {
    if (atom.kind === 'size') return natural
    const known = this.#intervals.get(atom.node)
    if (known !== undefined) return known
    const made = this.#nodeInterval(atom.node)
    this.#intervals.set(atom.node, made)
    return made
  }

  #nodeInterval(node: TileNode): Interval {
    switch (node.op) {
      case 'programId':
        return natural
      case 'numPrograms':
        return { lo: 1, hi: Number.POSITIVE_INFINITY }
      case 'param':
        return this.#counterInterval(node)
      case 'map':
        return this.#mapInterval(node.attrs.fn, node.inputs)
      default:
        return unknown
    }
  }

  #counterInterval(param: TileNode): Interval {
    const range = this.#counters.get(param)
    if (range === undefined) return unknown
    const [from, to, step] = range.inputs.slice(0, 3).map(input => this.interval(this.affine(input))) as [
      Interval,
      Interval,
      Interval,
    ]
    const exact = from.lo === from.hi && step.lo === step.hi
    // A counter that starts and steps by known amounts takes its last value a whole number of steps on.
    const last = exact ? from.lo + Math.floor((to.hi - 1 - from.lo) / step.lo) * step.lo : to.hi - 1
    if (step.lo > 0) return { lo: from.lo, hi: Math.max(from.lo, last) }
    return step.hi < 0 ? { lo: Math.min(from.hi, to.lo + 1), hi: from.hi } : unknown
  }

  #mapInterval(fn: string, inputs: readonly TileNode[]): Interval {
    if (inputs.some(input => tileType(input).dtype !== 'i64')) return unknown
    const [a, b] = inputs.map(input => this.interval(this.affine(input))) as [Interval, Interval]
    switch (fn) {
      case 'min':
        return { lo: Math.min(a.lo, b.lo), hi: Math.min(a.hi, b.hi) }
      case 'max':
        return { lo: Math.max(a.lo, b.lo), hi: Math.max(a.hi, b.hi) }
      case 'mul':
        return a.lo >= 0 && b.lo >= 0 ? { lo: a.lo * b.lo, hi: Number.POSITIVE_INFINITY } : unknown
      case 'floorDiv':
        return b.lo > 0 && a.lo >= 0 ? { lo: 0, hi: Math.floor(a.hi / b.lo) } : unknown
      case 'mod':
        return b.lo > 0 ? { lo: 0, hi: b.hi - 1 } : unknown
      default:
        return unknown
    }
  }

  /** A number that divides every value of the form; 0 when it is always 0. */
  divisor(a: Affine): number {
    let result = Math.abs(a.constant)
    for (const [key, coefficient] of a.terms) {
      const atom = this.atom(key)
      result = gcd(result, coefficient * (atom.kind === 'size' ? 1 : this.#nodeDivisor(atom.node)))
    }
    return result
  }

  #nodeDivisor(node: TileNode): number {
    const known = this.#divisors.get(node)
    if (known !== undefined) return known
    const range = this.#counters.get(node)
    const of = (input: TileNode): number => this.divisor(this.affine(input))
    let made = 1
    if (range !== undefined) made = gcd(of(range.inputs[0]!), of(range.inputs[2]!))
    else if (node.op === 'map' && tileType(node).dtype === 'i64') {
      if (node.attrs.fn === 'mul') made = of(node.inputs[0]!) * of(node.inputs[1]!)
      else if (node.attrs.fn === 'min' || node.attrs.fn === 'max') made = gcd(of(node.inputs[0]!), of(node.inputs[1]!))
    }
    this.#divisors.set(node, made)
    return made
  }
}
