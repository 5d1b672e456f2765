/** Values that break things, by dtype, and arrays of them. */

import type { TensorDtype } from '../../src/types/dtype.js'
import { toBf16, toF16 } from '../../src/types/float16.js'
import type { StoredArray } from '../../src/types/memory.js'

const floats = [
  0,
  -0,
  1,
  -1,
  0.5,
  -0.5,
  1.5,
  2.5,
  -2.5,
  3,
  -7,
  1e-3,
  1e10,
  -1e10,
  3.4e38,
  1e-40,
  -1e-45,
  Number.NaN,
  Infinity,
  -Infinity,
  2147483647,
  2147483648,
  -2147483648,
  4294967296,
  9.3e18,
  255,
  256,
  -129,
  65520,
  0.1,
]
const integers = [0, 1, -1, 2, -2, 3, 5, 7, -7, 8, 15, 16, 31, 32, 33, 63, 64, 100, -100, 127, -128]

const limits: { readonly [D in TensorDtype]?: readonly bigint[] } = {
  i64: [2n ** 63n - 1n, -(2n ** 63n), 2n ** 53n + 1n, -(2n ** 53n) - 1n, 2n ** 31n],
  i32: [2n ** 31n - 1n, -(2n ** 31n), 65536n, 46341n],
  i16: [2n ** 15n - 1n, -(2n ** 15n), 181n],
  i8: [],
  u8: [],
}

/** Distinct values of a dtype, each once. */
export function specials(dtype: TensorDtype): StoredArray {
  switch (dtype) {
    case 'f64':
      return new Float64Array([...floats, 1e300, -1e-320, 2 ** 53 + 2])
    case 'f32':
      return new Float32Array(floats)
    case 'f16':
      return new Uint16Array([...floats.map(toF16), 1, 0x3ff, 0x400, 0x7bff])
    case 'bf16':
      return new Uint16Array([...floats.map(toBf16), 1, 0x7f, 0x80, 0x7f7f])
    case 'f8e4m3':
    case 'f8e5m2':
      return Uint8Array.from({ length: 256 }, (_, code) => code)
    case 'i64':
      return new BigInt64Array([...integers.map(BigInt), ...limits.i64!])
    case 'i32':
      return new Int32Array([...integers, ...limits.i32!.map(Number)])
    case 'i16':
      return new Int16Array([...integers, ...limits.i16!.map(Number)])
    case 'i8':
      return new Int8Array(integers)
    case 'u8':
      return new Uint8Array(integers.map(n => n & 255))
    case 'bool':
      return new Uint8Array([0, 1])
  }
}

/** `count` values picked from the specials so that `stride`s that are coprime give all combinations of operands. */
export function spread(dtype: TensorDtype, count: number, seed: number): StoredArray {
  const from = specials(dtype)
  const make = from.constructor as { new (count: number): StoredArray }
  const out = new make(count)
  let state = seed * 2654435761 + 12345
  for (let i = 0; i < count; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    out[i] = from[(state >>> 8) % from.length]!
  }
  return out
}

export function zeros(dtype: TensorDtype, count: number): StoredArray {
  const make = specials(dtype).constructor as { new (count: number): StoredArray }
  return new make(count)
}
