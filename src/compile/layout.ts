/**
 * Turns the concrete shape and strides of an input into sizes of a graph: numbers where the entry is specialised,
 * symbols where it is dynamic. Dims of equal size share a symbol, so that shapes that agree today are known to agree;
 * strides of packed tensors (contiguous in any order of dims) become products of sizes and need no symbols of their own.
 */
import type { SizeSymbol } from '../graph/ir.js'
import { mulSizes, type Size, sizeSymbol } from '../scalar/size.js'
import { symbolMin } from './guards.js'

export interface ConcreteLayout {
  readonly shape: readonly number[]
  readonly strides: readonly number[]
}

export interface SymbolicLayout {
  readonly shape: readonly Size[]
  readonly strides: readonly Size[]
}

/** The sizes that are compiled for together with `size`: from `min` to `max`, both included. */
export type BucketOf = (size: number) => { readonly min: number; readonly max: number }

/** Hands out the symbols of one graph. */
export class SymbolTable {
  readonly symbols: SizeSymbol[] = []
  /** The values of this capture's example, by symbol name. */
  readonly values = new Map<string, number>()
  readonly #sizes = new Map<number, Size>()

  /** `bucketOf`: null where a graph is for all sizes. */
  constructor(readonly bucketOf: BucketOf | null = null) {}

  /** The symbol of all dynamic dims of this size. */
  size(value: number, input: number, dim: number): Size {
    const known = this.#sizes.get(value)
    if (known !== undefined) return known
    const bucket = this.bucketOf?.(value)
    const made = this.#make(value, { input, kind: 'size', dim, ...(bucket === undefined ? {} : { bucket }) })
    this.#sizes.set(value, made)
    return made
  }

  stride(value: number, input: number, dim: number): Size {
    return this.#make(value, { input, kind: 'stride', dim })
  }

  /** The size given by scalar input `input`; its value is unknown while compiling. */
  value(input: number): Size {
    return this.#make(Number.NaN, { input, kind: 'value', dim: 0 })
  }

  /** What the size that a symbol stands for can be. */
  rangeOf(name: string): { readonly min: number; readonly max: number } {
    const symbol = this.symbols.find(candidate => candidate.name === name)
    return symbol?.bucket ?? { min: symbolMin, max: Number.MAX_SAFE_INTEGER }
  }

  #make(value: number, source: Omit<SizeSymbol, 'name'>): Size {
    const name = `${{ size: 's', stride: 't', value: 'n' }[source.kind]}${this.symbols.length}`
    this.symbols.push({ name, ...source })
    this.values.set(name, value)
    const { min, max } = source.bucket ?? { min: source.kind === 'size' ? symbolMin : 0 }
    return sizeSymbol(name, min, max)
  }
}

/** The layout of input number `input`, with the dims that `isDynamic` names as symbols. */
export function symbolicLayout(
  { shape, strides }: ConcreteLayout,
  input: number,
  table: SymbolTable,
  isDynamic: (dim: number) => boolean,
): SymbolicLayout {
  const symbolic = shape.map((size, dim) => (size >= symbolMin && isDynamic(dim) ? table.size(size, input, dim) : size))
  if (shape.includes(0) || symbolic.every(size => typeof size === 'number'))
    return { shape: symbolic, strides: normalStrides(shape, strides) }
  const packed = packedStrides(shape, strides, symbolic)
  if (packed !== null) return { shape: symbolic, strides: packed }
  const loose = normalStrides(shape, strides).map((stride, dim): Size => {
    return stride === 0 || stride === 1 ? stride : table.stride(stride, input, dim)
  })
  return { shape: symbolic, strides: loose }
}

/**
 * Strides with those that address nothing made equal: 0 for dims of size 1; 1 for an empty tensor, so that every dim stays
 * a dim of the kernels' views and no kernel takes it for one element that is broadcast.
 */
export function normalStrides(shape: readonly number[], strides: readonly number[]): number[] {
  if (shape.includes(0)) return strides.map(() => 1)
  return strides.map((stride, dim) => (shape[dim] === 1 ? 0 : stride))
}

/** Strides as products of sizes, when the tensor fills its memory without gaps in some order of its dims; else null. */
function packedStrides(
  shape: readonly number[],
  strides: readonly number[],
  symbolic: readonly Size[],
): readonly Size[] | null {
  const result: Size[] = shape.map(() => 0)
  const order = [...shape.keys()].filter(dim => shape[dim] !== 1).sort((a, b) => strides[a]! - strides[b]! || b - a)
  let [concrete, product]: [number, Size] = [1, 1]
  for (const dim of order) {
    if (strides[dim] !== concrete) return null
    result[dim] = product
    concrete *= shape[dim]!
    product = mulSizes(product, symbolic[dim]!)
  }
  return result
}
