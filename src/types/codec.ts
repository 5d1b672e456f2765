/**
 * Encoders and decoders of the floats for which JavaScript has no typed array. All memory reads and writes use this table, so
 * adding a narrow float means adding a row.
 */
import type { Dtype } from './dtype.js'
import { fromBf16, fromF16, toBf16, toF16 } from './float16.js'
import { decodeMinifloat, encodeMinifloat, type MinifloatName } from './minifloat.js'

export interface Codec {
  /** The code of the nearest value, halves to even. */
  readonly encode: (value: number) => number
  readonly decode: (code: number) => number
}

/**
 * Converts like PyTorch: rounds to f32 first; values beyond the maximum become infinity, or NaN in formats without infinity;
 * there is no saturation.
 */
function minifloat(name: MinifloatName): Codec {
  const values = Float32Array.from({ length: 256 }, (_, code) => decodeMinifloat(name, code))
  return {
    encode: value => encodeMinifloat(name, Math.fround(value), false),
    decode: code => values[code & 0xff]!,
  }
}

/** Decodes by a table of the 65,536 values, which is filled at first use. */
function half(encode: (value: number) => number, decode: (code: number) => number): Codec {
  let values: Float32Array | null = null
  return {
    encode,
    decode: code => {
      values ??= Float32Array.from({ length: 65536 }, (_, each) => decode(each))
      return values[code]!
    },
  }
}

const codecs: { readonly [D in Dtype]?: Codec } = {
  f16: half(toF16, fromF16),
  bf16: half(toBf16, fromBf16),
  f8e4m3: minifloat('e4m3'),
  f8e5m2: minifloat('e5m2'),
}

/** The codec of a dtype; null: memory holds its elements as plain numbers. */
export const codecOf = (dtype: Dtype): Codec | null => codecs[dtype] ?? null
