/**
 * Simulated memory: typed arrays with checked accesses. As on every device, narrow floats are stored as codes and bools as
 * bytes; reads and writes use numbers (i64 as in values.ts).
 */
import { ArgumentError } from '../base/errors.js'
import type { Value } from '../scalar/ops.js'
import { codecOf } from '../types/codec.js'
import type { Dtype } from '../types/dtype.js'
import { type StoredArray, storedArrayType } from '../types/memory.js'
import { normal } from './values.js'

/** The memory of a pointer argument: the pointer points to element `offset` of `data`; negative indices may stay within the array. */
export interface PointerArgument {
  readonly data: StoredArray
  readonly offset?: number
}

/** The memory of a pointer register: a typed array, an offset, and (for scratch) which elements have been written. */
export class Region {
  readonly #decode: (stored: number | bigint) => Value
  readonly #encode: (value: Value) => number | bigint

  private constructor(
    readonly name: string,
    readonly dtype: Dtype,
    readonly data: StoredArray,
    readonly offset: number,
    readonly written: Uint8Array | null,
  ) {
    this.#decode = decoder(dtype)
    this.#encode = encoder(dtype)
  }

  /** Throws ArgumentError when the array's type does not hold `dtype`. */
  static ofArgument(kernel: string, name: string, dtype: Dtype, argument: PointerArgument): Region {
    const type = storedArrayType(dtype)
    if (!(argument.data instanceof type)) {
      const problem = `${kernel}: argument '${name}' is a ${argument.data.constructor.name}, ${dtype} needs a ${type.name}`
      throw new ArgumentError(problem, { at: null })
    }
    return new Region(name, dtype, argument.data, argument.offset ?? 0, null)
  }

  static scratch(name: string, dtype: Dtype, count: number): Region {
    return new Region(name, dtype, new (storedArrayType(dtype))(count), 0, new Uint8Array(count))
  }

  /** Elements of a block's shared memory, from byte `offset` on. */
  static shared(name: string, dtype: Dtype, memory: ArrayBuffer, offset: number, count: number): Region {
    return new Region(name, dtype, new (storedArrayType(dtype))(memory, offset, count), 0, null)
  }

  /** Bytes of one element and of `count` elements. */
  static sharedSize(dtype: Dtype, count: number): { readonly elementBytes: number; readonly bytes: number } {
    const elementBytes = storedArrayType(dtype).BYTES_PER_ELEMENT
    return { elementBytes, bytes: elementBytes * count }
  }

  /** Size of one element. */
  get elementBytes(): number {
    return this.data.BYTES_PER_ELEMENT
  }

  /** Byte offset of element `index` in the memory's `buffer`. */
  byteAt(index: Value): number {
    return this.data.byteOffset + this.#position(index) * this.data.BYTES_PER_ELEMENT
  }

  /** The reason why element `index` (relative to the pointer) must not be accessed, or null. */
  problem(index: Value, reads: boolean): string | null {
    const at = this.#position(index)
    if (!(at >= 0 && at < this.data.length)) {
      return `index ${index} of '${this.name}' is out of bounds: [${-this.offset}, ${this.data.length - this.offset})`
    }
    return reads && this.written?.[at] === 0 ? `index ${index} of '${this.name}' is read before it is written` : null
  }

  read(index: Value): Value {
    return this.#decode(this.data[this.#position(index)]!)
  }

  write(index: Value, value: Value): void {
    const at = this.#position(index)
    this.data[at] = this.#encode(value)
    if (this.written !== null) this.written[at] = 1
  }

  #position(index: Value): number {
    // A bigint index is beyond 2^53, so it is outside every array, also after conversion to a number.
    return this.offset + Number(index)
  }
}

function decoder(dtype: Dtype): (stored: number | bigint) => Value {
  const codec = codecOf(dtype)
  if (codec !== null) return code => codec.decode(Number(code))
  if (dtype === 'bool') return byte => (Number(byte) === 0 ? 0 : 1)
  return normal
}

function encoder(dtype: Dtype): (value: Value) => number | bigint {
  const codec = codecOf(dtype)
  if (codec !== null) return value => codec.encode(Number(value))
  return dtype === 'i64' ? BigInt : Number
}
