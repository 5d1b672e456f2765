/** Users' arguments taken apart: what plain JavaScript callers can get wrong is checked here, with the op's name. */
import { ArgumentError } from '../../base/errors.js'
import type { Attrs } from '../../ir/node.js'
import { type Size, SizeExpr } from '../../scalar/size.js'
import { type Dtype, type TensorDtype, tensorDtypes } from '../../types/dtype.js'
import { requireInteger } from '../build.js'
import type { OpCall, Operand } from '../record.js'

/** One dim or several. */
export type Dims = number | readonly number[]

export type NoAttrs = Record<string, never>
export const noAttrs: NoAttrs = {}

/** A call without attributes. */
export const data = (...inputs: readonly Operand[]): OpCall<NoAttrs> => ({ inputs, attrs: noAttrs })
export const call = <A extends Attrs>(inputs: readonly Operand[], attrs: A): OpCall<A> => ({ inputs, attrs })

/** True for an object of options: `{ … }` as written in a call, neither a tensor nor a list. */
export function isOptions<T extends object>(value: unknown): value is T {
  return (
    typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype && !('op' in value)
  )
}

/** Throws ArgumentError on a key that is not `allowed`: a misspelt option must not be ignored. */
export function checkOptions(op: string, options: object, allowed: readonly string[]): void {
  if (typeof options !== 'object' || options === null)
    throw new ArgumentError(`${op}: the options are ${String(options)}, not an object`, {
      fix: `the options are ${allowed.join(', ')}`,
    })
  for (const key of Object.keys(options)) {
    if (!allowed.includes(key))
      throw new ArgumentError(`${op}: no option '${key}'`, { fix: `the options are ${allowed.join(', ')}` })
  }
}

export function parseDims(op: string, dim: Dims | null | undefined): readonly number[] | null {
  if (dim === null || dim === undefined) return null
  const dims: readonly unknown[] = Array.isArray(dim) ? dim : [dim]
  return dims.map(one => {
    requireInteger(op, 'dim', one)
    return one
  })
}

export function parseDtype(op: string, dtype: TensorDtype | undefined): Dtype | null {
  if (dtype === undefined) return null
  if ((tensorDtypes as readonly string[]).includes(dtype)) return dtype
  throw new ArgumentError(`${op}: '${String(dtype)}' is no tensor dtype`, {
    fix: `use one of ${tensorDtypes.join(', ')}`,
  })
}

export function parseShape(
  op: string,
  shape: readonly Size[],
  allowed: { readonly minusOne: boolean },
): readonly Size[] {
  if (!Array.isArray(shape))
    throw new ArgumentError(`${op}: the shape is ${String(shape)}, not a list of sizes`, { fix: 'pass a list: [2, 3]' })
  for (const size of shape as readonly unknown[]) {
    if (size instanceof SizeExpr) continue
    requireInteger(op, `a size of [${shape.join(', ')}]`, size)
    if (size < 0 && !(size === -1 && allowed.minusOne))
      throw new ArgumentError(`${op}: size ${size} in [${shape.join(', ')}] is negative`, {
        fix: 'sizes are 0 or more; only reshape, view and expand take one -1, for a size that follows from the others',
      })
  }
  return shape
}

export interface ReduceOptions {
  readonly dim?: Dims | null
  readonly keepdim?: boolean
}
export interface TypedReduceOptions extends ReduceOptions {
  /** The input is cast to it first, and the result has it. */
  readonly dtype?: TensorDtype
}

export type ReduceAttrs = {
  readonly dims: readonly number[] | null
  readonly keepdim: boolean
  readonly dtype: Dtype | null
}

const reduceKeys = ['dim', 'keepdim']

/** `sum()`, `sum(1)`, `sum([0, 1], { keepdim: true })`, `sum({ dim: 1, keepdim: true, dtype: 'f64' })`. */
export function parseReduce(
  op: string,
  dim: Dims | null | TypedReduceOptions | undefined,
  options: TypedReduceOptions | undefined,
  takesDtype = false,
): ReduceAttrs {
  const given: TypedReduceOptions = isOptions<TypedReduceOptions>(dim) ? dim : (options ?? {})
  const position = isOptions(dim) ? undefined : (dim as Dims | null | undefined)
  checkOptions(op, given, takesDtype ? [...reduceKeys, 'dtype'] : reduceKeys)
  if (position !== undefined && given.dim !== undefined)
    throw new ArgumentError(`${op}: dim is given twice`, { fix: 'give it by position or as an option' })
  return {
    dims: parseDims(op, position ?? given.dim),
    keepdim: given.keepdim ?? false,
    dtype: parseDtype(op, given.dtype),
  }
}

/** As parseReduce, for ops that take one dim or none. */
export function parseReduceOne(
  op: string,
  dim: number | null | { readonly dim?: number | null; readonly keepdim?: boolean } | undefined,
  options: { readonly keepdim?: boolean } | undefined,
): ReduceAttrs {
  const parsed = parseReduce(op, dim, options)
  if (parsed.dims !== null && parsed.dims.length !== 1)
    throw new ArgumentError(`${op}: takes one dim, got [${parsed.dims.join(', ')}]`, {
      fix: 'flatten the dims into one first, or reduce one after the other',
    })
  return parsed
}
