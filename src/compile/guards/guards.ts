/**
 * What a compiled entry assumes of its tensors, and the check of a call. A dim is either fixed, or symbolic: its value is
 * read into the symbol, all dims of one symbol must agree, and symbols are at least 2 (sizes 0 and 1 are specialised, as
 * empty tensors and broadcasting depend on them). Checking allocates nothing.
 */
import { type SizeSymbol, symbolValue } from '../../graph/ir.js'
import type { Size } from '../../scalar/size.js'
import { requiresGradNow } from '../../tensor/autograd/history.js'
import type { Tensor } from '../../tensor/tensor.js'
import type { Dtype } from '../../types/dtype.js'
import type { BoxedNumbers } from '../capture/boxed-numbers.js'
import { type SizeTable, SizeTableBuilder } from './size-table.js'

/** The minimum value of a symbolic size. */
export const symbolMin = 2

/** What an entry expects of a tensor. Sizes and strides are numbers or formulas of symbols. */
export interface TensorGuard {
  readonly path: string
  readonly dtype: Dtype
  readonly device: string
  readonly requiresGrad: boolean
  readonly shape: readonly Size[]
  readonly strides: readonly Size[]
}

/** Two sizes or strides that an entry assumes to be equal, or to be different. */
export interface SizeCondition {
  readonly a: Size
  readonly b: Size
  readonly equal: boolean
}

/** A condition with the table indices of its sizes. */
interface ConditionCheck {
  readonly condition: SizeCondition
  readonly a: number
  readonly b: number
}

interface TensorCheck {
  readonly guard: TensorGuard
  readonly dtype: Dtype
  readonly device: string
  readonly requiresGrad: boolean
  readonly shape: readonly number[]
  readonly strides: readonly number[]
}

/** Where a symbol's value is read, and its inclusive range. */
interface SymbolReader {
  readonly symbol: SizeSymbol
  readonly kind: SizeSymbol['kind']
  readonly input: number
  readonly dim: number
  readonly min: number
  readonly max: number
}

/** The guards of one entry, compiled to checks over its tensors. */
export class Guards {
  /** The symbols' values at the last call that matched. */
  readonly symbols: Float64Array
  readonly #readers: readonly SymbolReader[]
  /** All sizes that are compared. */
  readonly #table: SizeTable
  readonly #checks: readonly TensorCheck[]
  readonly #conditions: readonly ConditionCheck[]
  readonly #facts: readonly number[]

  constructor(
    readonly tensors: readonly TensorGuard[],
    symbols: readonly SizeSymbol[],
    readonly conditions: readonly SizeCondition[] = [],
    /** Sizes that are assumed to be at least 0. */
    readonly facts: readonly Size[] = [],
  ) {
    this.symbols = new Float64Array(symbols.length)
    this.#readers = symbols.map(readerOf)
    const table = new SizeTableBuilder()
    this.#facts = table.addAll(facts)
    this.#checks = tensors.map(guard => ({
      guard,
      dtype: guard.dtype,
      device: guard.device,
      requiresGrad: guard.requiresGrad,
      shape: table.addAll(guard.shape),
      strides: table.addAll(guard.strides),
    }))
    this.#conditions = conditions.map(condition => ({
      condition,
      a: table.add(condition.a),
      b: table.add(condition.b),
    }))
    this.#table = table.build(symbols.map(({ name }) => name))
  }

  /** True when the tensors pass every guard; `symbols` then has the symbols' values. */
  match(tensors: readonly Tensor[], boxes: BoxedNumbers | null = null): boolean {
    this.#readSymbols(tensors, boxes)
    for (let i = 0; i < this.#checks.length; i++) {
      if (!this.#matchTensor(this.#checks[i]!, tensors[i]!)) return false
    }
    for (let i = 0; i < this.#readers.length; i++) {
      const { min, max } = this.#readers[i]!
      if (this.symbols[i]! < min || this.symbols[i]! > max) return false
    }
    const { values } = this.#table
    for (let i = 0; i < this.#conditions.length; i++) if (!isMet(this.#conditions[i]!, values)) return false
    for (let i = 0; i < this.#facts.length; i++) if (values[this.#facts[i]!]! < 0) return false
    return boxes === null || boxes.derive(this.symbols)
  }

  /**
   * Whether all assumptions on sizes hold, including those on sizes that a trace supplies: before the trace these are NaN,
   * and `match` skips conditions on them.
   */
  holds(symbols: Float64Array): boolean {
    for (const [i, { symbol, min, max }] of this.#readers.entries()) {
      const isBounded = symbol.kind === 'value' && symbol.bucket !== undefined
      if (isBounded && !(symbols[i]! >= min && symbols[i]! <= max)) return false
    }
    this.#table.update(symbols)
    const { values } = this.#table
    return this.#conditions.every(check => isMet(check, values)) && this.#facts.every(fact => values[fact]! >= 0)
  }

  #readSymbols(tensors: readonly Tensor[], boxes: BoxedNumbers | null): void {
    for (let i = 0; i < this.#readers.length; i++) {
      const { symbol, input, kind, dim } = this.#readers[i]!
      if (kind === 'value') {
        // Sizes that are not boxed numbers stay NaN until a trace supplies them.
        this.symbols[i] = boxes?.symbol(input, this.symbols) ?? Number.NaN
        continue
      }
      const { layout } = tensors[input]!
      this.symbols[i] = kind === 'size' ? symbolValue(symbol, layout.size(dim)) : layout.stride(dim)
    }
    this.#table.update(this.symbols)
  }

  #matchTensor({ dtype, device, requiresGrad, shape, strides }: TensorCheck, tensor: Tensor): boolean {
    const { layout } = tensor
    if (requiresGradNow(tensor) !== requiresGrad) return false
    if (tensor.dtype !== dtype || tensor.device !== device || layout.rank !== shape.length) return false
    const { values } = this.#table
    let empty = false
    for (let d = 0; d < shape.length; d++) {
      const size = layout.size(d)
      if (size !== values[shape[d]!]) return false
      if (size === 0) empty = true
    }
    for (let d = 0; d < strides.length; d++) {
      // The stride of a dim of size 1, or of an empty tensor, addresses nothing.
      if (empty || layout.size(d) === 1) continue
      if (layout.stride(d) !== values[strides[d]!]) return false
    }
    return true
  }

  /** Whether tensors of these sizes, by input, can pass the guards. */
  allowsSizes(sizes: readonly (readonly number[])[]): boolean {
    for (const [i, { symbol, kind, input, dim, min, max }] of this.#readers.entries()) {
      const size = kind === 'size' ? sizes[input]?.[dim] : undefined
      const value = size === undefined ? Number.NaN : symbolValue(symbol, size)
      this.symbols[i] = value
      if (value < min || value > max) return false
    }
    this.#table.update(this.symbols)
    const { values } = this.#table
    return sizes.every((given, input) => {
      const { shape } = this.#checks[input]!
      return given.length === shape.length && shape.every((index, d) => values[index] === given[d])
    })
  }

  /** The first guard that the tensors fail, as text; null when they pass all. */
  explain(tensors: readonly Tensor[], boxes: BoxedNumbers | null = null): string | null {
    this.#readSymbols(tensors, boxes)
    for (const [i, check] of this.#checks.entries()) {
      const problem = this.#explainTensor(check, tensors[i]!)
      if (problem !== null) return `${check.guard.path}: ${problem}`
    }
    for (const [i, { symbol }] of this.#readers.entries()) {
      const { name, kind, bucket, input, dim } = symbol
      if (bucket !== undefined && (this.symbols[i]! < bucket.min || this.symbols[i]! > bucket.max)) {
        if (kind === 'value') return `a boxed number is ${this.symbols[i]}, this version is for ${printBucket(bucket)}`
        return `${this.tensors[input]!.path}: size of dim ${dim} is ${this.symbols[i]}, this version is for ${printBucket(bucket)}`
      }
      if (kind === 'size' && this.symbols[i]! < symbolMin) return `${name} is ${this.symbols[i]}, below ${symbolMin}`
    }
    const { values } = this.#table
    const failed = this.#conditions.find(check => !isMet(check, values))
    if (failed !== undefined) return `now ${printCondition({ ...failed.condition, equal: !failed.condition.equal })}`
    const fact = this.#facts.findIndex(index => values[index]! < 0)
    return fact < 0 ? null : `${this.facts[fact]} was at least 0, now ${values[this.#facts[fact]!]}`
  }

  #explainTensor({ guard, shape, strides }: TensorCheck, tensor: Tensor): string | null {
    const { values } = this.#table
    if (tensor.dtype !== guard.dtype) return `dtype was ${guard.dtype}, now ${tensor.dtype}`
    if (requiresGradNow(tensor) !== guard.requiresGrad)
      return `requiresGrad was ${guard.requiresGrad}, now ${!guard.requiresGrad}`
    if (tensor.device !== guard.device) return `device was ${guard.device}, now ${tensor.device}`
    if (tensor.ndim !== shape.length) return `rank was ${shape.length}, now ${tensor.ndim}`
    for (const [dim, index] of shape.entries()) {
      const now = tensor.shape[dim]!
      if (now !== values[index]) return `size of dim ${dim} was ${guard.shape[dim]}, now ${now}`
    }
    if (tensor.shape.includes(0)) return null
    for (const [dim, index] of strides.entries()) {
      const now = tensor.strides[dim]!
      if (tensor.shape[dim] !== 1 && now !== values[index]) {
        return `stride of dim ${dim} was ${guard.strides[dim]}, now ${now}`
      }
    }
    return null
  }

  /** The guards as text for `explain()`: a line per tensor, per symbol with a range, and per condition. */
  describe(): string[] {
    const tensors = this.tensors.map(
      ({ path, dtype, device, shape, strides }) =>
        `${path}: ${dtype}[${shape.join(', ')}] strides [${strides.join(', ')}] on ${device}`,
    )
    const buckets = this.#readers.flatMap(({ symbol: { name, bucket } }) =>
      bucket === undefined ? [] : [`${name} from ${printBucket(bucket)}`],
    )
    const facts = this.facts.map(fact => `${fact} ≥ 0`)
    return [...tensors, ...buckets, ...this.conditions.map(printCondition), ...facts]
  }
}

function readerOf(symbol: SizeSymbol): SymbolReader {
  const { kind, input, dim, bucket } = symbol
  const min = Math.max(bucket?.min ?? Number.NEGATIVE_INFINITY, kind === 'size' ? symbolMin : Number.NEGATIVE_INFINITY)
  return { symbol, kind, input, dim, min, max: bucket?.max ?? Number.POSITIVE_INFINITY }
}

/** NaN: the size depends on what a trace has yet to supply, so the condition cannot be checked. */
function isMet({ condition, a, b }: ConditionCheck, values: Float64Array): boolean {
  const x = values[a]!
  const y = values[b]!
  return Number.isNaN(x) || Number.isNaN(y) || (x === y) === condition.equal
}

const printCondition = ({ a, b, equal }: SizeCondition): string => `${a} ${equal ? '=' : '≠'} ${b}`

const printBucket = ({ min, max }: { readonly min: number; readonly max: number }): string =>
  max === Number.MAX_SAFE_INTEGER ? `${min} up` : min === Number.MIN_SAFE_INTEGER ? 'negative' : `${min} to ${max}`
