/** Weights in a file: the safetensors format, for tensors of f32. */
import { readFileSync, writeFileSync } from 'node:fs'
import { type Tensor, tensor } from 'tegula'

/** Writes tensors by name. */
export function saveWeights(file: string, weights: Readonly<Record<string, Tensor>>): void {
  let end = 0
  const entries = Object.entries(weights).map(([name, weight]) => {
    const start = end
    end += 4 * weight.numel()
    return [name, { dtype: 'F32', shape: weight.shape, data_offsets: [start, end] }] as const
  })
  const header = Buffer.from(JSON.stringify(Object.fromEntries(entries)))
  const padding = Buffer.alloc(-header.length & 7, ' ')
  const length = Buffer.alloc(8)
  length.writeBigUInt64LE(BigInt(header.length + padding.length))
  const values = Object.values(weights).map(weight => Buffer.from(weight.dataSync('f32').slice().buffer))
  writeFileSync(file, Buffer.concat([length, header, padding, ...values]))
}

/** Reads what `saveWeights` wrote. */
export function loadWeights(file: string): Record<string, Tensor> {
  const bytes = readFileSync(file)
  const start = 8 + Number(bytes.readBigUInt64LE(0))
  const header = JSON.parse(bytes.subarray(8, start).toString()) as Readonly<
    Record<string, { readonly shape: readonly number[]; readonly data_offsets: readonly [number, number] }>
  >
  const entries = Object.entries(header).map(
    ([
      name,
      {
        shape,
        data_offsets: [from, to],
      },
    ]) => {
      const part = new Uint8Array(bytes.subarray(start + from, start + to)) // a copy, which is aligned
      return [name, tensor(new Float32Array(part.buffer)).reshape(shape)] as const
    },
  )
  return Object.fromEntries(entries)
}
