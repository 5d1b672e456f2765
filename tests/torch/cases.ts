/** PyTorch's answers as scripts/torch/reference.py wrote them down; the format is described there. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import type { HostTensor } from '../../src/graph/record.js'
import { itemBytes, type TensorDtype } from '../../src/types/dtype.js'
import { fromBf16, fromF16 } from '../../src/types/float16.js'
import { type StoredArray, storedArrays } from '../../src/types/memory.js'

export interface TorchCase {
  readonly op: string
  readonly from: 'opinfo' | 'error' | 'special' | 'form'
  readonly args: Readonly<Record<string, Written>>
  readonly out?: readonly Written[]
  readonly raises?: string
  readonly after?: Readonly<Record<string, Written>>
}

/** A value as it is written in the file. */
export type Written = null | boolean | number | string | readonly Written[] | WrittenObject
export type WrittenObject =
  | { readonly t: readonly [TensorDtype, readonly number[], number, number] }
  | { readonly f: 'nan' | 'inf' | '-inf' | '-0' | number }
  | { readonly i: string }
  | { readonly d: TensorDtype }

interface File {
  readonly torch: string
  readonly cases: readonly TorchCase[]
}

const whole = gunzipSync(readFileSync(fileURLToPath(new URL('./reference.bin.gz', import.meta.url))))
const length = whole.readUInt32LE(0)
const file = JSON.parse(whole.subarray(4, 4 + length).toString()) as File
const bytes = whole.subarray(4 + length)

/** The cases by op. */
export const casesOf: ReadonlyMap<string, readonly TorchCase[]> = byOp(file.cases)

function byOp(cases: readonly TorchCase[]): Map<string, TorchCase[]> {
  const found = new Map<string, TorchCase[]>()
  for (const given of cases) {
    const list = found.get(given.op)
    if (list === undefined) found.set(given.op, [given])
    else list.push(given)
  }
  return found
}

function storedValues(dtype: TensorDtype, at: number, count: number): readonly (number | bigint)[] {
  const part = bytes.subarray(at, at + count * itemBytes(dtype))
  const aligned = part.buffer.slice(part.byteOffset, part.byteOffset + part.length) as ArrayBuffer
  const stored: StoredArray = new storedArrays[dtype](aligned)
  if (dtype === 'f16') return Array.from(stored as Uint16Array, fromF16)
  if (dtype === 'bf16') return Array.from(stored as Uint16Array, fromBf16)
  return Array.from(stored as ArrayLike<number | bigint>)
}

export const isTensor = (value: Written): value is Extract<WrittenObject, { t: unknown }> =>
  typeof value === 'object' && value !== null && 't' in value

/** A written tensor's values, row by row. */
export function hostTensorOf({ t: [dtype, shape, at] }: Extract<WrittenObject, { t: unknown }>): HostTensor {
  return {
    dtype,
    shape,
    data: storedValues(
      dtype,
      at,
      shape.reduce((a, b) => a * b, 1),
    ),
  }
}

/** The value as JavaScript calls take it; tensors are made by `make`. */
export function decode(written: Written, make: (tensor: HostTensor, isContiguous: boolean) => unknown): unknown {
  if (typeof written !== 'object' || written === null) return written
  if (Array.isArray(written)) return written.map(one => decode(one, make))
  const value = written as WrittenObject
  if ('t' in value) return make(hostTensorOf(value), value.t[3] === 0)
  if ('i' in value) return BigInt(value.i)
  if ('d' in value) return value.d
  return typeof value.f === 'number' ? value.f : { nan: Number.NaN, inf: 1 / 0, '-inf': -1 / 0, '-0': -0 }[value.f]
}

/** A case as one line, for messages. */
export function describeCase({ op, args, raises }: TorchCase): string {
  const show = (value: Written): string => {
    if (typeof value !== 'object' || value === null) return JSON.stringify(value)
    if (Array.isArray(value)) return `[${value.map(show).join(', ')}]`
    const object = value as WrittenObject
    if ('t' in object) {
      const { dtype, shape, data } = hostTensorOf(object)
      const values = data.length <= 8 ? ` (${data.map(one => String(Number(one.toString()))).join(' ')})` : ''
      return `${dtype}[${shape.join(', ')}]${values}${object.t[3] === 0 ? '' : ' strided'}`
    }
    if ('f' in object) return typeof object.f === 'number' ? `${object.f}.0` : object.f
    return 'd' in object ? `'${object.d}'` : `${object.i}n`
  }
  const list = Object.entries(args).map(([name, value]) => `${name}: ${show(value)}`)
  return `${op}(${list.join(', ')})${raises === undefined ? '' : `, where PyTorch raises ${raises}`}`
}
