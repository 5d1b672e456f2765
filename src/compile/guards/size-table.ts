/**
 * Computes sizes (of a plan, of guards, of results) from a call's symbols, each distinct one once. They are compiled to a
 * short program over one array, so that a call with new sizes needs no function call and no object per size.
 */
import { InternalError } from '../../base/errors.js'
import { linearSize, type Size, type SizeExpr } from '../../scalar/size.js'
import { TensorLayout } from '../../tensor/layout.js'

/** A layout whose sizes are indices into a table. */
export interface LayoutIndices {
  readonly shape: readonly number[]
  readonly strides: readonly number[]
  readonly offset: number
  /** None of them depends on symbols. */
  readonly isFixed: boolean
}

/** A layout by sizes. */
interface SizedLayout {
  readonly shape: readonly Size[]
  readonly strides: readonly Size[]
  readonly offset: Size
}

/** Assigns each distinct size an index in a table. */
export class SizeTableBuilder {
  readonly #sizes: Size[] = []
  readonly #indices = new Map<string, number>()

  /** Adds a size, if it is new; returns its index. */
  add(size: Size): number {
    const text = String(size)
    const known = this.#indices.get(text)
    if (known !== undefined) return known
    const index = this.#sizes.push(size) - 1
    this.#indices.set(text, index)
    return index
  }

  addAll(sizes: readonly Size[]): number[] {
    return sizes.map(size => this.add(size))
  }

  addLayout(layout: SizedLayout): LayoutIndices {
    const [shape, strides, offset] = [this.addAll(layout.shape), this.addAll(layout.strides), this.add(layout.offset)]
    return { shape, strides, offset, isFixed: this.areFixed([...shape, ...strides, offset]) }
  }

  /** The value at an index; null: it depends on symbols. */
  fixed(index: number): number | null {
    const size = this.#sizes[index]!
    return typeof size === 'number' ? size : null
  }

  /** Whether all values at these indices depend on no symbol. */
  areFixed(indices: readonly number[]): boolean {
    return indices.every(index => this.fixed(index) !== null)
  }

  /** @param names the symbols' */
  build(names: readonly string[]): SizeTable {
    return new SizeTable(new Program(this.#sizes, this.#indices, names))
  }
}

/** Opcodes of the program. `scaledSum`: factor · a + b. */
const ops = { scaledSum: 0, product: 1, floorDiv: 2, mod: 3, min: 4, max: 5 } as const

/** Numbers per instruction: opcode, index of the result, indices of the two operands. */
const width = 4

/** The instructions that compute sizes. Indices after those of the sizes hold common subexpressions. */
class Program {
  /** By index: constants, which need no instructions; NaN for other sizes. */
  readonly values: number[]
  /** Sizes of the form factor · symbol + rest, as nearly all are: pairs of (index, symbol) and of (factor, rest). */
  readonly linear: number[] = []
  readonly linearFactors: number[] = []
  /** Instructions for all other sizes, in order. */
  readonly code: number[] = []
  /** The factor of each instruction. */
  readonly factors: number[] = []
  readonly #indices: Map<string, number>
  readonly #written = new Set<string>()

  constructor(
    sizes: readonly Size[],
    indices: ReadonlyMap<string, number>,
    readonly names: readonly string[],
  ) {
    this.values = sizes.map(() => Number.NaN)
    this.#indices = new Map(indices)
    for (const size of sizes) this.#size(size)
  }

  /** The index of a size; its instructions are emitted before any that use it. */
  #size(size: Size): number {
    return this.#once(String(size), index => {
      if (typeof size === 'number') this.values[index] = size
      else if (isAtom(size)) this.#computeAtom(index, size, size.terms[0]!.atoms[0]!)
      else if (!this.#linear(index, size)) this.#sum(index, size)
    })
  }

  /** The index for a text; `compute` emits the instructions at the first use. */
  #once(text: string, compute: (index: number) => void): number {
    const index = this.#indices.get(text) ?? this.values.push(Number.NaN) - 1
    this.#indices.set(text, index)
    if (this.#written.has(text)) return index
    this.#written.add(text)
    compute(index)
    return index
  }

  #linear(index: number, size: SizeExpr): boolean {
    const linear = linearSize(size)
    if (linear === null) return false
    this.#scaled(index, linear.name, linear.factor, linear.rest)
    return true
  }

  #scaled(index: number, name: string, factor: number, rest: number): void {
    this.linear.push(index, this.#symbol(name))
    this.linearFactors.push(factor, rest)
  }

  #symbol(name: string): number {
    const symbol = this.names.indexOf(name)
    if (symbol < 0) throw new InternalError(`a size depends on ${name}, which is no symbol of its graph`)
    return symbol
  }

  #sum(index: number, size: SizeExpr): void {
    const terms = size.terms.filter(({ atoms }) => atoms.length > 0)
    let sum = this.#size(size.terms.find(({ atoms }) => atoms.length === 0)?.coefficient ?? 0)
    for (const [i, { coefficient, atoms }] of terms.entries()) {
      const product = this.#product(size, atoms)
      const to = i === terms.length - 1 ? index : this.values.push(Number.NaN) - 1
      this.#write('scaledSum', to, product, sum, coefficient)
      sum = to
    }
  }

  #product(size: SizeExpr, atoms: readonly string[]): number {
    const last = atoms.at(-1)!
    if (atoms.length === 1) return this.#once(last, index => this.#computeAtom(index, size, last))
    return this.#once(atoms.join(' '), index => {
      // The key differs from every size's text: a size that is such a product is a sum with one term.
      this.#write('product', index, this.#product(size, atoms.slice(0, -1)), this.#product(size, [last]))
    })
  }

  #computeAtom(index: number, { atoms }: SizeExpr, text: string): void {
    const atom = atoms.get(text)!
    if (atom.kind !== 'symbol') this.#write(atom.kind, index, this.#size(atom.a), this.#size(atom.b))
    else this.#scaled(index, atom.name, 1, 0)
  }

  #write(op: keyof typeof ops, to: number, a: number, b: number, factor = 1): void {
    this.code.push(ops[op], to, a, b)
    this.factors.push(factor)
  }
}

/** Whether a size is a single atom: a symbol, a quotient, … */
const isAtom = ({ terms: [first, ...more] }: SizeExpr): boolean =>
  more.length === 0 && first!.coefficient === 1 && first!.atoms.length === 1

export class SizeTable {
  /** Values for the symbols last passed to `update`; before that, only constants are set. */
  readonly values: Float64Array
  readonly #linear: Int32Array
  readonly #linearFactors: Float64Array
  readonly #code: Int32Array
  readonly #factors: Float64Array

  constructor({ values, linear, linearFactors, code, factors }: Program) {
    this.values = Float64Array.from(values)
    this.#linear = Int32Array.from(linear)
    this.#linearFactors = Float64Array.from(linearFactors)
    this.#code = Int32Array.from(code)
    this.#factors = Float64Array.from(factors)
  }

  layout({ shape, strides, offset }: LayoutIndices): TensorLayout {
    return new TensorLayout(this.#numbers(shape), this.#numbers(strides), this.values[offset]!)
  }

  #numbers(indices: readonly number[]): number[] {
    const numbers = new Array<number>(indices.length)
    for (let i = 0; i < indices.length; i++) numbers[i] = this.values[indices[i]!]!
    return numbers
  }

  /** Computes all values. Allocates nothing. */
  update(symbols: Float64Array): void {
    const values = this.values
    const linear = this.#linear
    const linearFactors = this.#linearFactors
    for (let i = 0; i < linear.length; i += 2) {
      values[linear[i]!] = linearFactors[i]! * symbols[linear[i + 1]!]! + linearFactors[i + 1]!
    }
    const code = this.#code
    for (let i = 0; i < code.length; i += width) {
      const a = values[code[i + 2]!]!
      const b = values[code[i + 3]!]!
      values[code[i + 1]!] = evaluate(code[i]!, a, b, this.#factors[i / width]!)
    }
  }
}

function evaluate(op: number, a: number, b: number, factor: number): number {
  switch (op) {
    case ops.scaledSum:
      return factor * a + b
    case ops.product:
      return a * b
    case ops.floorDiv:
      return Math.floor(a / b)
    case ops.mod:
      return a - Math.floor(a / b) * b
    case ops.min:
      return Math.min(a, b)
    default:
      return Math.max(a, b)
  }
}
