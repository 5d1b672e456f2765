/**
 * Tensors and plain values in one file, as `torch.save`: the safetensors format, with what is no tensor as JSON among its metadata.
 * A file appears whole or not at all.
 */
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { fromBuffer, Tensor, type TensorDtype } from 'tegula'

/** The format's names of dtypes. */
const names: Readonly<Record<TensorDtype, string>> = {
  f64: 'F64',
  f32: 'F32',
  f16: 'F16',
  bf16: 'BF16',
  f8e4m3: 'F8_E4M3',
  f8e5m2: 'F8_E5M2',
  i64: 'I64',
  i32: 'I32',
  i16: 'I16',
  i8: 'I8',
  u8: 'U8',
  bool: 'BOOL',
}
const dtypes = new Map(Object.entries(names).map(([dtype, name]) => [name, dtype as TensorDtype]))
/** Integers of the same width hold the codes of narrow floats. */
const codes: Partial<Readonly<Record<TensorDtype, TensorDtype>>> = {
  f16: 'i16',
  bf16: 'i16',
  f8e4m3: 'u8',
  f8e5m2: 'u8',
}

interface Entry {
  readonly dtype: string
  readonly shape: readonly number[]
  readonly data_offsets: readonly [start: number, end: number]
}

/** What stands in the JSON for what JSON has not. */
type Marked = { readonly $tensor: string } | { readonly $number: string } | { readonly $bigint: string }

/**
 * Writes a tree of tensors, numbers, bigints, texts, flags and null: `save('net.safetensors', net.stateDict())`, or
 * `save('run.safetensors', { model: net.stateDict(), optimizer: optimizer.stateDict() })`. Tensors are named by their path.
 */
export function save(file: string, value: object): void {
  const tensors = new Map<string, Tensor>()
  const json = JSON.stringify(unfolded(value, '', tensors))
  const header: Record<string, Entry | Readonly<Record<string, string>>> = { __metadata__: { value: json } }
  const parts: Uint8Array[] = []
  let end = 0
  for (const [name, tensor] of tensors) {
    const bytes = bytesOf(tensor)
    header[name] = { dtype: names[tensor.dtype], shape: tensor.shape, data_offsets: [end, end + bytes.length] }
    end += bytes.length
    parts.push(bytes)
  }
  const text = Buffer.from(JSON.stringify(header))
  const padding = Buffer.alloc(-text.length & 7, ' ')
  const length = Buffer.alloc(8)
  length.writeBigUInt64LE(BigInt(text.length + padding.length))
  writeWhole(file, [length, text, padding, ...parts])
}

/** Reads what `save` wrote; of a file of another program, tensors by name. */
export function load(file: string): unknown {
  const bytes = readFileSync(file)
  const start = 8 + Number(bytes.readBigUInt64LE(0))
  const { __metadata__: metadata, ...entries } = JSON.parse(bytes.subarray(8, start).toString()) as Readonly<
    Record<string, Entry>
  > & { readonly __metadata__?: { readonly value?: string } }
  const tensorOf = (name: string): Tensor => {
    const { dtype, shape, data_offsets: [from, to] } = entries[name]! // biome-ignore format: one line
    return fromBuffer(bytes.subarray(start + from, start + to), { dtype: dtypes.get(dtype)!, shape })
  }
  if (metadata?.value !== undefined) return folded(JSON.parse(metadata.value), tensorOf)
  return Object.fromEntries(Object.keys(entries).map(name => [name, tensorOf(name)]))
}

function bytesOf(tensor: Tensor): Uint8Array {
  const code = codes[tensor.dtype]
  const { buffer, byteOffset, byteLength } = (code === undefined ? tensor : tensor.detach().view(code)).dataSync()
  return new Uint8Array(buffer, byteOffset, byteLength)
}

/** As JSON can have it; `tensors` gets the tensors. */
function unfolded(value: unknown, path: string, tensors: Map<string, Tensor>): unknown {
  if (value instanceof Tensor) {
    tensors.set(path, value)
    return { $tensor: path } satisfies Marked
  }
  if (typeof value === 'bigint') return { $bigint: String(value) } satisfies Marked
  if (typeof value === 'number' && !Number.isFinite(value)) return { $number: String(value) } satisfies Marked
  const below = (key: string | number): string => (path === '' ? String(key) : `${path}.${key}`)
  if (Array.isArray(value)) return value.map((one, i) => unfolded(one, below(i), tensors))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, unfolded(one, below(key), tensors)]))
}

function folded(value: unknown, tensorOf: (name: string) => Tensor): unknown {
  if (Array.isArray(value)) return value.map(one => folded(one, tensorOf))
  if (typeof value !== 'object' || value === null) return value
  if ('$tensor' in value) return tensorOf(String(value.$tensor))
  if ('$bigint' in value) return BigInt(String(value.$bigint))
  if ('$number' in value) return Number(value.$number)
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, folded(one, tensorOf)]))
}

/** A process that is killed leaves the old file, or the new one. */
function writeWhole(file: string, parts: readonly Uint8Array[]): void {
  const draft = `${file}.${process.pid}.part`
  const descriptor = openSync(draft, 'w')
  for (const part of parts)
    for (let written = 0; written < part.length; ) written += writeSync(descriptor, part, written)
  fsyncSync(descriptor)
  closeSync(descriptor)
  renameSync(draft, file)
}
