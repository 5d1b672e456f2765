/**
 * Analyses i64 scalars as linear forms over program ids, sizes, loop counters and opaque scalars, with their bounds and
 * divisors. Equal forms have equal keys, so comparing the ranges of a load and a store is a subtraction. Wrap-around is
 * ignored: extents and offsets stay far below 2^53.
 */
import { type Affine, formKey, integerForms, knownForm } from '../../scalar/affine.js'
import { anything, exactly, gcd, type Interval, type Known, knownOf, natural } from '../../scalar/lattice.js'
import type { ScalarOpName } from '../../scalar/ops.js'
import { type TileBlock, type TileNode, type TileProgram, tileType, viewType } from '../../tile/ir.js'

/** A variable of a linear form: a scalar tile node, or a view's run-time size. One object per variable and analysis. */
export type Atom =
  | { readonly kind: 'node'; readonly key: string; readonly node: TileNode }
  | { readonly kind: 'size'; readonly key: string; readonly view: TileNode; readonly dim: number }

/** A scalar. */
export type IndexForm = Affine<Atom>

/** The elements of an i64 tile; numbers stand for axes of a loop nest. */
export type TileForm = Affine<Atom | number>

export const { combine, add: sum, scale } = integerForms
export const constantForm = (value: number): IndexForm => integerForms.constant(value)
export const zero = constantForm(0)
export const subtract = (a: IndexForm, b: IndexForm): IndexForm => combine(a, b, -1)
export const isConstant = (form: TileForm): boolean => form.terms.size === 0
export const keyOf = (form: IndexForm): string => formKey(form, atom => atom.key)

/** A loop-carried value. */
interface Carried {
  readonly first: TileNode
  readonly next: TileNode
}

/** Divisors of arguments that the launcher guarantees. */
export interface GivenDivisors {
  size(view: TileNode, dim: number): number
  stride(view: TileNode, dim: number): number
  scalar(node: Extract<TileNode, { op: 'scalar' }>): number
}

const nothingGiven: GivenDivisors = { size: () => 1, stride: () => 1, scalar: () => 1 }

/** Linear forms and value ranges of one program's i64 scalars. */
export class IndexAnalysis {
  readonly #forms = new Map<TileNode, IndexForm>()
  readonly #atoms = new Map<string, Atom>()
  readonly #known = new Map<Atom, Known>()
  readonly #counters = new Map<TileNode, TileNode>()
  readonly #carried = new Map<TileNode, Carried>()

  /** Forms that axes.ts found, by node and axis map. */
  readonly tileForms = new Map<string, TileForm | null>()

  /** The group of a view's dim that has the same size as others. */
  readonly #groups = new Map<string, number>()

  constructor(
    { body, equalSizes = [] }: Pick<TileProgram, 'body' | 'equalSizes'>,
    readonly given: GivenDivisors = nothingGiven,
  ) {
    for (const [group, dims] of equalSizes.entries())
      for (const { param, dim } of dims) this.#groups.set(`${param}.${dim}`, group)
    this.#collectLoops(body)
  }

  /** Records each loop's counter and carried values, in inner blocks too. */
  #collectLoops(block: TileBlock): void {
    for (const node of block.body) {
      if (node.op === 'range') this.#counters.set(node.blocks[0]!.params[0]!, node)
      if (node.op === 'range' || node.op === 'while') {
        const body = node.blocks.at(-1)!
        const lead = node.op === 'range' ? { inputs: 3, params: 1 } : { inputs: 0, params: 0 }
        body.results.forEach((next, i) => {
          this.#carried.set(body.params[lead.params + i]!, { first: node.inputs[lead.inputs + i]!, next })
        })
      }
      for (const inner of node.blocks) this.#collectLoops(inner)
    }
  }

  /** The linear form of an i64 tile with one element. */
  affine(node: TileNode): IndexForm {
    const known = this.#forms.get(node)
    if (known !== undefined) return known
    const found = this.#linear(node) ?? this.#atomForm({ kind: 'node', key: `n${node.id}`, node })
    // Analysing a loop-carried value may have analysed this node meanwhile: a node keeps its first form.
    const made = this.#forms.get(node) ?? found
    this.#forms.set(node, made)
    return made
  }

  /** The size of a view's dim. */
  size(view: TileNode, dim: number): IndexForm {
    const known = viewType(view).sizes[dim]!
    if (known !== null) return constantForm(known)
    const group = view.op === 'view' ? this.#groups.get(`${view.attrs.index}.${dim}`) : undefined
    const key = group === undefined ? `s${view.id}.${dim}` : `g${group}`
    return this.#atomForm({ kind: 'size', key, view, dim })
  }

  #atomForm(atom: Atom): IndexForm {
    const known = this.#atoms.get(atom.key)
    if (known === undefined) this.#atoms.set(atom.key, atom)
    return integerForms.atom(known ?? atom)
  }

  /** The linear form of a node with known ops; null: it becomes an atom of its own. */
  #linear(node: TileNode): IndexForm | null {
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

  #linearMap(fn: ScalarOpName, inputs: readonly TileNode[]): IndexForm | null {
    if (!linearOps.has(fn)) return null
    const made = linearOf(
      fn,
      inputs.map(input => this.affine(input)),
      form => this.interval(form),
    )
    const safe =
      made !== null && Number.isSafeInteger(made.offset) && [...made.terms.values()].every(Number.isSafeInteger)
    return safe ? made : null
  }

  /** True when a ≤ b for every value of the atoms. */
  atMost(a: IndexForm, b: IndexForm): boolean {
    return this.interval(subtract(b, a)).min >= 0
  }

  interval(form: IndexForm): Interval {
    return this.known(form).range
  }

  /** A number that divides every value of the form; 0 when it is always 0. */
  divisor(form: IndexForm): number {
    return this.known(form).divisor
  }

  known(form: IndexForm): Known {
    return knownForm(form, atom => this.#knownAtom(atom))
  }

  #knownAtom(atom: Atom): Known {
    const known = this.#known.get(atom)
    if (known !== undefined) return known
    const made =
      atom.kind === 'size'
        ? { range: natural, divisor: this.given.size(atom.view, atom.dim) }
        : this.#knownNode(atom.node)
    this.#known.set(atom, made)
    return made
  }

  /** Range and divisor of a node that has no linear form. */
  #knownNode(node: TileNode): Known {
    switch (node.op) {
      case 'const':
        return node.attrs.dtype === 'i64' ? largeConstant(BigInt(node.attrs.value)) : unknown
      case 'programId':
        return { range: natural, divisor: 1 }
      case 'numPrograms':
        return { range: { min: 1, max: Number.POSITIVE_INFINITY }, divisor: 1 }
      case 'stride':
        return { range: anything, divisor: this.given.stride(node.inputs[0]!, node.attrs.dim) }
      case 'scalar':
        return { range: anything, divisor: this.given.scalar(node) }
      case 'param':
        return this.#knownCounter(node) ?? this.#knownCarried(node) ?? unknown
      case 'map':
        return this.#knownMap(node.attrs.fn, node.inputs)
      default:
        return unknown
    }
  }

  #knownCounter(param: TileNode): Known | null {
    const inputs = this.#counters.get(param)?.inputs.slice(0, 3)
    const [from, to, step] = inputs?.map(input => this.known(this.affine(input))) ?? []
    if (from === undefined || to === undefined || step === undefined) return null
    return { range: counterRange(from.range, to.range, step.range), divisor: gcd(from.divisor, step.divisor) }
  }

  /** A scalar that is increased in each iteration: `offset += 64`. */
  #knownCarried(param: TileNode): Known | null {
    const carried = this.#carried.get(param)
    if (carried === undefined) return null
    const own = this.affine(param)
    // The increment may itself depend on the scalar: while it is analysed, the scalar is unknown.
    for (const atom of own.terms.keys()) this.#known.set(atom, unknown)
    const added = subtract(this.affine(carried.next), own)
    if ([...own.terms.keys()].some(atom => added.terms.has(atom))) return null
    const [first, step] = [this.known(this.affine(carried.first)), this.known(added)]
    const grows = step.range.min >= 0 && step.range.max <= longestStep
    return {
      range: grows ? { min: first.range.min, max: anything.max } : anything,
      divisor: gcd(first.divisor, step.divisor),
    }
  }

  /** Range and divisor of a scalar op's result, from those of its operands. */
  #knownMap(fn: ScalarOpName, inputs: readonly TileNode[]): Known {
    const isIndex = (input: TileNode): boolean => tileType(input).dtype === 'i64'
    const made = knownOf(
      fn,
      inputs.map(input => (isIndex(input) ? this.known(this.affine(input)) : unknown)),
    )
    const [a, b] = inputs
    const by = b !== undefined && isIndex(b) ? quotientBy(fn, this.affine(b)) : null
    if (a === undefined || by === null) return made
    // ⌊(m·by + r) / by⌋ is m + ⌊r / by⌋: the remainder drops out.
    const { offset, terms } = this.affine(a)
    const whole = this.divisor({ offset: 0, terms })
    return whole % by === 0 ? { ...made, divisor: gcd(whole / by, Math.floor(offset / by)) } : made
  }
}

/** Increments up to this size would take years to overflow i64. */
const longestStep = 2 ** 16

const unknown: Known = { range: anything, divisor: 1 }

/** A constant beyond exact doubles, rounded outwards as the limits of an index are. */
const largeConstant = (value: bigint): Known => ({
  range: BigInt(Number(value)) === value ? exactly(Number(value)) : anything,
  divisor: Number(value & -value),
})

/** The range of a loop's counter. */
function counterRange(from: Interval, to: Interval, step: Interval): Interval {
  const exact = from.min === from.max && step.min === step.max
  // With known start and step, the counter's last value is a whole number of steps after the start.
  const last = exact ? from.min + Math.floor((to.max - 1 - from.min) / step.min) * step.min : to.max - 1
  if (step.min > 0) return { min: from.min, max: Math.max(from.min, last) }
  return step.max < 0 ? { min: Math.min(from.max, to.min + 1), max: from.max } : anything
}

const linearOps: ReadonlySet<ScalarOpName> = new Set(['add', 'sub', 'mul', 'neg', 'shl', 'floorDiv', 'shr', 'mod'])

/** The op on linear forms, if the result is linear. */
function linearOf(
  fn: ScalarOpName,
  [a, b = zero]: readonly IndexForm[],
  rangeOf: (form: IndexForm) => Interval,
): IndexForm | null {
  if (a === undefined) return null
  if (fn === 'neg') return scale(a, -1)
  if (fn === 'add') return sum(a, b)
  if (fn === 'sub') return subtract(a, b)
  if (fn === 'mul') return isConstant(b) ? scale(a, b.offset) : isConstant(a) ? scale(b, a.offset) : null
  if (fn === 'shl') return isShift(b) ? scale(a, 2 ** b.offset) : null
  const by = quotientBy(fn === 'mod' ? 'floorDiv' : fn, b)
  if (by === null) return null
  const { quotient, rest } = integerForms.divide(a, by)
  const { min, max } = rangeOf(rest)
  if (min < 0 || max >= by) return null
  return fn === 'mod' ? rest : quotient
}

const isShift = (by: IndexForm): boolean => isConstant(by) && by.offset >= 0 && by.offset < 53

/** The divisor of an op that rounds down; null for any other op. */
function quotientBy(fn: ScalarOpName, by: IndexForm): number | null {
  if (fn === 'shr') return isShift(by) ? 2 ** by.offset : null
  return fn === 'floorDiv' && isConstant(by) && by.offset > 0 ? by.offset : null
}
