/**
 * Many tensors in a few compiled calls: chunks of alike tensors, flattened, whose sizes are symbolic, so that a handful of
 * compiled versions serves all models.
 */
import type { Tensor } from '../tensor/tensor.js'

/** Tensors per compiled call: the rest goes by powers of two. */
const chunkSize = 16

/** Versions: powers of two of tensors, of one or of more elements, in several dtypes. */
export const recompileLimit = 64

/** A tensor of one dim on the same memory where it can be. */
export const flat = (x: Tensor): Tensor => (x.ndim === 1 ? x : x.reshape([-1]))

/** Numbers of tensors that one call takes. */
export interface Chunk {
  readonly indices: readonly number[]
  readonly isFlat: boolean
}

/**
 * Chunks of tensors that are alike, those without elements left out. `isWhole`: keep each as it is, in a chunk of its own;
 * `kind`: what must be equal besides dtypes.
 */
export function chunksOf(
  tensors: readonly Tensor[],
  indices: readonly number[],
  isWhole: boolean,
  kind: (index: number) => string,
): readonly Chunk[] {
  const alike = new Map<string, number[]>()
  for (const i of indices) {
    const tensor = tensors[i]!
    if (tensor.numel() === 0) continue
    const isFlat = !isWhole && tensor.isContiguous()
    // A size of 1 is never symbolic.
    const key = [tensor.dtype, kind(i), isFlat ? 'flat' : `whole ${i}`, tensor.numel() === 1].join()
    const list = alike.get(key) ?? []
    list.push(i)
    alike.set(key, list)
  }
  return [...alike].flatMap(([key, list]) =>
    pieces(list).map(piece => ({ indices: piece, isFlat: key.includes('flat') })),
  )
}

/** Pieces of `chunkSize`, then of smaller powers of two. */
function pieces(list: readonly number[]): readonly (readonly number[])[] {
  const found: (readonly number[])[] = []
  let size = chunkSize
  for (let at = 0; at < list.length; at += size) {
    while (at + size > list.length) size /= 2
    found.push(list.slice(at, at + size))
  }
  return found
}
