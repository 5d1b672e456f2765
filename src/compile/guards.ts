/**
 * What a compiled entry assumes of its tensors, and the check that a call meets it. A dim is either fixed, or symbolic:
 * its value is written to the symbol's slot, equal sizes of one symbol must agree, and symbols are at least 2 (sizes 0
 * and 1 broadcast and vanish, so they are compiled on their own). Checking allocates nothing.
 */
import type { SizeSymbol } from '../graph/ir.js'
import { compileSize, type Size, type SizeFunction } from '../scalar/size.js'
import type { Tensor } from '../tensor/tensor.js'
import type { Dtype } from '../types/dtype.js'
import type { BoxedNumbers } from './boxed-numbers.js'

/** The least value of a symbolic size. */
export const symbolMin = 2

/** A tensor as an entry expects it. Sizes and strides are numbers, single symbols, or (strides) products of them. */
export interface TensorGuard {
  readonly path: string
  readonly dtype: Dtype
  readonly device: string
  readonly shape: readonly Size[]
  readonly strides: readonly Size[]
}

/** Two sizes or strides that an entry takes for equal, or for different. */
export interface SizeCondition {
  readonly a: Size
  readonly b: Size
  readonly equal: boolean
}

interface ConditionCheck {
  readonly condition: SizeCondition
  readonly a: SizeFunction
  readonly b: SizeFunction
}

interface DimCheck {
  readonly dim: number
  readonly expected: SizeFunction
}

interface TensorCheck {
  readonly guard: TensorGuard
  readonly sizes: readonly DimCheck[]
  readonly strides: readonly DimCheck[]
}

/** The guards of one entry, compiled to checks over its tensors. */
export class Guards {
  /** The symbols' values at the last call that matched. */
  readonly symbols: Float64Array
  readonly #readers: readonly SizeSymbol[]
  readonly #checks: readonly TensorCheck[]
  readonly #conditions: readonly ConditionCheck[]
  readonly #facts: readonly SizeFunction[]

  constructor(
    readonly tensors: readonly TensorGuard[],
    symbols: readonly SizeSymbol[],
    readonly conditions: readonly SizeCondition[] = [],
    /** Sizes that are at least 0. */
    readonly facts: readonly Size[] = [],
  ) {
    this.symbols = new Float64Array(symbols.length)
    this.#readers = symbols
    const names = symbols.map(symbol => symbol.name)
    const compile = (size: Size): SizeFunction =>
      compileSize(size, name => {
        const index = names.indexOf(name)
        return values => values[index]!
      })
    this.#facts = facts.map(compile)
    this.#checks = tensors.map(guard => ({
      guard,
      sizes: guard.shape.map((size, dim) => ({ dim, expected: compile(size) })),
      strides: guard.strides.map((stride, dim) => ({ dim, expected: compile(stride) })),
    }))
    this.#conditions = conditions.map(condition => ({
      condition,
      a: compile(condition.a),
      b: compile(condition.b),
    }))
  }

  /** True when the tensors meet every guard; the symbols' values then stand in `symbols`. */
  match(tensors: readonly Tensor[], boxes: BoxedNumbers | null = null): boolean {
    this.#readSymbols(tensors, boxes)
    for (let i = 0; i < this.#checks.length; i++) {
      if (!this.#matchTensor(this.#checks[i]!, tensors[i]!)) return false
    }
    for (let i = 0; i < this.symbols.length; i++) {
      const { kind, bucket } = this.#readers[i]!
      if (kind === 'size' && this.symbols[i]! < symbolMin) return false
      if (bucket !== undefined && (this.symbols[i]! < bucket.min || this.symbols[i]! > bucket.max)) return false
    }
    for (let i = 0; i < this.#conditions.length; i++) if (!isMet(this.#conditions[i]!, this.symbols)) return false
    for (let i = 0; i < this.#facts.length; i++) if (this.#facts[i]!(this.symbols) < 0) return false
    return boxes === null || boxes.derive(this.symbols)
  }

  /**
   * Whether all that is assumed of sizes holds, once a trace has supplied those that calls give: before it, they are NaN, and
   * what depends on them is left open.
   */
  holds(symbols: Float64Array): boolean {
    for (const [i, { kind, bucket }] of this.#readers.entries()) {
      const value = symbols[i]!
      if (kind === 'value' && bucket !== undefined && !(value >= bucket.min && value <= bucket.max)) return false
    }
    return this.#conditions.every(check => isMet(check, symbols)) && this.#facts.every(value => value(symbols) >= 0)
  }

  #readSymbols(tensors: readonly Tensor[], boxes: BoxedNumbers | null): void {
    for (let i = 0; i < this.#readers.length; i++) {
      const { input, kind, dim } = this.#readers[i]!
      if (kind === 'value') {
        // Sizes that calls give are told by what the function does with what it reads.
        this.symbols[i] = boxes?.symbol(input, this.symbols) ?? Number.NaN
        continue
      }
      const tensor = tensors[input]!
      this.symbols[i] = (kind === 'size' ? tensor.shape : tensor.strides)[dim] ?? Number.NaN
    }
  }

  #matchTensor(check: TensorCheck, tensor: Tensor): boolean {
    const { guard, sizes, strides } = check
    const { shape } = tensor
    if (tensor.dtype !== guard.dtype || tensor.device !== guard.device || shape.length !== sizes.length) return false
    let empty = false
    for (let d = 0; d < sizes.length; d++) {
      const size = shape[d]!
      if (size !== sizes[d]!.expected(this.symbols)) return false
      if (size === 0) empty = true
    }
    for (let d = 0; d < strides.length; d++) {
      // The stride of a dim of size 1, or of an empty tensor, addresses nothing.
      if (shape[d] === 1 || empty) continue
      if (tensor.strides[d] !== strides[d]!.expected(this.symbols)) return false
    }
    return true
  }

  /** Whether tensors of these sizes, by input, can meet the guards. */
  allowsSizes(sizes: readonly (readonly number[])[]): boolean {
    for (const [i, { kind, input, dim, bucket }] of this.#readers.entries()) {
      const size = kind === 'size' ? sizes[input]?.[dim] : undefined
      this.symbols[i] = size ?? Number.NaN
      const { min, max } = bucket ?? { min: symbolMin, max: Number.MAX_SAFE_INTEGER }
      if (size !== undefined && (size < min || size > max)) return false
    }
    return sizes.every((shape, input) => {
      const expected = this.#checks[input]!.sizes
      return shape.length === expected.length && expected.every((check, d) => check.expected(this.symbols) === shape[d])
    })
  }

  /** The first guard that the tensors fail, in words; null when they meet all. */
  explain(tensors: readonly Tensor[], boxes: BoxedNumbers | null = null): string | null {
    this.#readSymbols(tensors, boxes)
    for (const [i, check] of this.#checks.entries()) {
      const problem = this.#explainTensor(check, tensors[i]!)
      if (problem !== null) return `${check.guard.path}: ${problem}`
    }
    for (const [i, { name, kind, bucket, input, dim }] of this.#readers.entries()) {
      if (bucket !== undefined && (this.symbols[i]! < bucket.min || this.symbols[i]! > bucket.max)) {
        if (kind === 'value') return `a boxed number is ${this.symbols[i]}, this version is for ${printBucket(bucket)}`
        return `${this.tensors[input]!.path}: size of dim ${dim} is ${this.symbols[i]}, this version is for ${printBucket(bucket)}`
      }
      if (kind === 'size' && this.symbols[i]! < symbolMin) return `${name} is ${this.symbols[i]}, below ${symbolMin}`
    }
    const failed = this.#conditions.find(check => !isMet(check, this.symbols))
    if (failed !== undefined) return `now ${printCondition({ ...failed.condition, equal: !failed.condition.equal })}`
    const fact = this.#facts.findIndex(value => value(this.symbols) < 0)
    return fact < 0 ? null : `${this.facts[fact]} was at least 0, now ${this.#facts[fact]!(this.symbols)}`
  }

  #explainTensor({ guard, sizes, strides }: TensorCheck, tensor: Tensor): string | null {
    if (tensor.dtype !== guard.dtype) return `dtype was ${guard.dtype}, now ${tensor.dtype}`
    if (tensor.device !== guard.device) return `device was ${guard.device}, now ${tensor.device}`
    if (tensor.shape.length !== sizes.length) return `rank was ${sizes.length}, now ${tensor.shape.length}`
    for (const { dim, expected } of sizes) {
      const now = tensor.shape[dim]!
      if (now !== expected(this.symbols)) return `size of dim ${dim} was ${guard.shape[dim]}, now ${now}`
    }
    if (tensor.shape.includes(0)) return null
    for (const { dim, expected } of strides) {
      const now = tensor.strides[dim]!
      if (tensor.shape[dim] !== 1 && now !== expected(this.symbols)) {
        return `stride of dim ${dim} was ${guard.strides[dim]}, now ${now}`
      }
    }
    return null
  }

  /** One line per tensor: what is assumed, and per symbol with a bucket, for `explain()`. */
  describe(): string[] {
    const tensors = this.tensors.map(
      ({ path, dtype, device, shape, strides }) =>
        `${path}: ${dtype}[${shape.join(', ')}] strides [${strides.join(', ')}] on ${device}`,
    )
    const buckets = this.#readers.flatMap(({ name, bucket }) =>
      bucket === undefined ? [] : [`${name} from ${printBucket(bucket)}`],
    )
    const facts = this.facts.map(fact => `${fact} ≥ 0`)
    return [...tensors, ...buckets, ...this.conditions.map(printCondition), ...facts]
  }
}

/** NaN: it depends on what a trace is yet to supply. */
function isMet({ condition, a, b }: ConditionCheck, symbols: Float64Array): boolean {
  const [x, y] = [a(symbols), b(symbols)]
  return Number.isNaN(x) || Number.isNaN(y) || (x === y) === condition.equal
}

const printCondition = ({ a, b, equal }: SizeCondition): string => `${a} ${equal ? '=' : '≠'} ${b}`

const printBucket = ({ min, max }: { readonly min: number; readonly max: number }): string =>
  max === Number.MAX_SAFE_INTEGER ? `${min} up` : min === Number.MIN_SAFE_INTEGER ? 'negative' : `${min} to ${max}`
