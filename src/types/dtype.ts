/** The dtypes: one table of facts. A dtype is its name, so it prints, compares and serialises as itself. */
import { describeAny } from '../base/describe.js'
import { DtypeError } from '../base/errors.js'

export type DtypeKind = 'float' | 'int' | 'uint' | 'bool' | 'scale'

export interface DtypeInfo {
  readonly kind: DtypeKind
  /** Bits of one element in memory; f4e2m1 packs two to a byte. */
  readonly bits: number
  /** The dtype in which arithmetic on it is computed: narrow floats are stored packed and computed in f32. */
  readonly compute: Dtype
  /** Significand bits of a float, including the hidden bit; 0 for integers. */
  readonly digits: number
  /** Smallest and largest finite value. */
  readonly min: number
  readonly max: number
}

export const dtypes = {
  f64: { kind: 'float', bits: 64, compute: 'f64', digits: 53, min: -Number.MAX_VALUE, max: Number.MAX_VALUE },
  f32: { kind: 'float', bits: 32, compute: 'f32', digits: 24, min: -3.4028234663852886e38, max: 3.4028234663852886e38 },
  f16: { kind: 'float', bits: 16, compute: 'f32', digits: 11, min: -65504, max: 65504 },
  bf16: { kind: 'float', bits: 16, compute: 'f32', digits: 8, min: -3.3895313892515355e38, max: 3.3895313892515355e38 },
  f8e4m3: { kind: 'float', bits: 8, compute: 'f32', digits: 4, min: -448, max: 448 },
  f8e5m2: { kind: 'float', bits: 8, compute: 'f32', digits: 3, min: -57344, max: 57344 },
  f4e2m1: { kind: 'float', bits: 4, compute: 'f32', digits: 2, min: -6, max: 6 },
  e8m0: { kind: 'scale', bits: 8, compute: 'f32', digits: 0, min: 2 ** -127, max: 2 ** 127 },
  i64: { kind: 'int', bits: 64, compute: 'i64', digits: 0, min: -(2 ** 63), max: 2 ** 63 - 1 },
  i32: { kind: 'int', bits: 32, compute: 'i32', digits: 0, min: -(2 ** 31), max: 2 ** 31 - 1 },
  i16: { kind: 'int', bits: 16, compute: 'i16', digits: 0, min: -(2 ** 15), max: 2 ** 15 - 1 },
  i8: { kind: 'int', bits: 8, compute: 'i8', digits: 0, min: -128, max: 127 },
  u8: { kind: 'uint', bits: 8, compute: 'u8', digits: 0, min: 0, max: 255 },
  bool: { kind: 'bool', bits: 8, compute: 'bool', digits: 0, min: 0, max: 1 },
} as const satisfies Record<string, Omit<DtypeInfo, 'compute'> & { compute: string }>

/** Names of all dtypes, including those of quantised storage. */
export type Dtype = keyof typeof dtypes

/**
 * The 8-bit floats. Storage dtypes: they can be moved, compared, cast and used in matmuls; all other ops need a cast.
 * Below tile programs they are replaced by their codes (tile/passes/stored-floats.ts).
 */
export type Float8 = 'f8e4m3' | 'f8e5m2'
export const isFloat8 = (dtype: Dtype): dtype is Float8 => dtype === 'f8e4m3' || dtype === 'f8e5m2'

/** The dtypes that tensors can have; the others are formats of quantised storage. */
export const tensorDtypes = [
  'f64',
  'f32',
  'f16',
  'bf16',
  'f8e4m3',
  'f8e5m2',
  'i64',
  'i32',
  'i16',
  'i8',
  'u8',
  'bool',
] as const
/** Names of the dtypes of tensors. */
export type TensorDtype = (typeof tensorDtypes)[number]
/** The dtypes of the loop and lane IRs. */
export type CodeDtype = Exclude<TensorDtype, Float8>
export const codeDtypes = tensorDtypes.filter((dtype): dtype is CodeDtype => !isFloat8(dtype))
/** 64-bit floats. */
export const f64 = 'f64'
/** 32-bit floats: the default dtype of most ops. */
export const f32 = 'f32'
/** 16-bit floats (IEEE half), computed in f32. */
export const f16 = 'f16'
/** 16-bit floats with the range of f32, computed in f32. */
export const bf16 = 'bf16'
/** 8-bit floats up to 448, without infinities (PyTorch's float8_e4m3fn): for storage and matmuls; cast for other ops. */
export const f8e4m3 = 'f8e4m3'
/** 8-bit floats up to 57344, with infinities (PyTorch's float8_e5m2): for storage and matmuls; cast for other ops. */
export const f8e5m2 = 'f8e5m2'
/** 64-bit integers: indices, and sums of integers. */
export const i64 = 'i64'
/** 32-bit integers. */
export const i32 = 'i32'
/** 16-bit integers. */
export const i16 = 'i16'
/** 8-bit integers. */
export const i8 = 'i8'
/** Unsigned 8-bit integers. */
export const u8 = 'u8'
/** Truth values. */
export const bool = 'bool'

/** Kind, width, range and compute dtype of a dtype. */
export function dtypeInfo(dtype: Dtype): DtypeInfo {
  return dtypes[dtype]
}

/** Bytes of one element. Throws DtypeError for packed dtypes, whose elements are smaller than a byte. */
export function itemBytes(dtype: Dtype): number {
  const { bits } = dtypes[dtype]
  if (bits < 8) throw new DtypeError(`itemBytes: elements of ${dtype} are ${bits} bits, smaller than a byte`)
  return bits / 8
}

/** The dtype that the loop and lane IRs use for stored elements: u8 codes for 8-bit floats, any other dtype itself. */
export const codeDtypeOf = (dtype: Dtype): Dtype => (isFloat8(dtype) ? 'u8' : dtype)

/** True for a dtype of the loop and lane IRs. */
export const isCodeDtype = (dtype: string): dtype is CodeDtype => (codeDtypes as readonly string[]).includes(dtype)

export const isFloat = (dtype: Dtype): boolean => dtypes[dtype].kind === 'float'
export const isInteger = (dtype: Dtype): boolean => dtypes[dtype].kind === 'int' || dtypes[dtype].kind === 'uint'

/** The dtype in which arithmetic on `dtype` is computed. */
export function computeDtype(dtype: Dtype): Dtype {
  return dtypes[dtype].compute
}

/** Throws DtypeError with the list of names when `name` is not a tensor dtype. */
export function checkTensorDtype(name: string, context: string): TensorDtype {
  if ((tensorDtypes as readonly string[]).includes(name)) return name as TensorDtype
  throw new DtypeError(
    `${context}: ${typeof (name as unknown) === 'string' ? `'${name}'` : describeAny(name)} is no tensor dtype`,
    { fix: `use one of ${tensorDtypes.join(', ')}` },
  )
}
