/**
 * Advanced indexing, `x.get(…)` with tensors among the indices, as in PyTorch: integers gather along a dim, a mask selects
 * where it is true.
 */
import { DtypeError, ShapeError } from '../base/errors.js'
import { surelyDiffer, surelyEqual } from '../graph/sizes.js'
import type { Size } from '../scalar/size.js'
import { isInteger } from '../types/dtype.js'
import { type Apply, indicesOf } from './counted.js'
import type { SymbolicNumber } from './symbolic-number.js'
import type { Tensor } from './tensor-type.js'
import { currentTracer } from './tracer.js'

/** Integer tensors by the dim that each indexes. */
type Picks = ReadonlyMap<number, Tensor>

const dimsOf = (x: Tensor): SymbolicNumber[] => Array.from({ length: x.ndim }, (_, d) => x.dim(d))

/**
 * The tensors of `indices` by the dim that they index, null for whole dims. A mask becomes one integer tensor per masked
 * dim. Throws DtypeError for floats, ShapeError for a mask of another shape.
 */
export function indexPicks(apply: Apply, x: Tensor, indices: readonly (Tensor | null)[]): Picks {
  const picks = new Map<number, Tensor>()
  let dim = 0
  for (const index of indices) {
    if (index === null) dim++
    else if (index.dtype === 'bool')
      for (const column of maskColumns(apply, 'get', x, dim, index)) picks.set(dim++, column)
    else picks.set(dim, wholeIndex(x, dim++, index))
  }
  return picks
}

/** A mask over the dims from `dim` on as integer indices: for each of these dims the coordinates where it is true. */
export function maskColumns(apply: Apply, name: string, x: Tensor, dim: number, mask: Tensor): readonly Tensor[] {
  // What symbols do not tell is read of the call.
  const isSame = (size: Size, d: number): boolean =>
    surelyEqual(size, x.sizes[dim + d]!) ||
    (!surelyDiffer(size, x.sizes[dim + d]!) && mask.shape[d] === x.shape[dim + d])
  const covered = x.sizes.slice(dim, dim + mask.ndim)
  if (mask.ndim === 0 || mask.ndim !== covered.length || mask.sizes.some((size, d) => !isSame(size, d)))
    throw new ShapeError(
      `${name}: the mask ${mask.describe()} does not cover dims of ${x.describe()} from dim ${dim}`,
      {
        fix: 'a mask has the sizes of the dims that it picks from: x.get(x.gt(0))',
      },
    )
  const found = indicesOf(apply, mask, { reader: name, instead: 'keep the shape: where(mask, x, 0)' })
  return Array.from({ length: mask.ndim }, (_, d) => found.select(1, d))
}

/** The index with negative values wrapped. Outside of compiled functions the values are checked. */
function wholeIndex(x: Tensor, dim: number, index: Tensor): Tensor {
  if (!isInteger(index.dtype))
    throw new DtypeError(`get: an index is ${index.describe()}, neither integers nor bool`, {
      fix: "cast it: index.to('i64')",
    })
  if (dim >= x.ndim)
    throw new ShapeError(`get: an index for dim ${dim} of ${x.describe()}`, { fix: 'give at most one index per dim' })
  const size = x.dim(dim)
  const position = index.to('i64')
  if (currentTracer() === null) {
    const wrong = position.ge(size).logicalOr(position.lt(size.neg()))
    if (wrong.any().itemSync() !== 0) {
      const value = position
        .reshape([-1])
        .get(wrong.reshape([-1]))
        .get(0)
        .itemSync()
      throw new ShapeError(`get: index ${value} is out of range for dim ${dim} of size ${x.shape[dim]}`, {
        fix: `use indices from ${-x.shape[dim]!} to ${x.shape[dim]! - 1}`,
      })
    }
  }
  return position.add(size).where(position.lt(0), position)
}

/** The elements at the picks. Their dims replace the picked dims if those are adjacent, else they come first. */
export function pick(x: Tensor, picks: Picks): Tensor {
  const single = [...picks].filter(([, index]) => index.ndim === 0)
  if (single.length > 0 && picks.size > 0) {
    const [dim, index] = single.at(-1)!
    const rest = [...picks].filter(([other]) => other !== dim)
    const moved = rest.map(([other, each]): [number, Tensor] => [other > dim ? other - 1 : other, each])
    return pick(x.indexSelect(dim, index.reshape([1])).squeeze(dim), new Map(moved))
  }
  if (picks.size === 0) return x
  const dims = [...picks.keys()].sort((a, b) => a - b)
  const others = Array.from({ length: x.ndim }, (_, d) => d).filter(d => !dims.includes(d))
  const sizes = dimsOf(x)
  const [first, ...more] = dims.map(dim => picks.get(dim)!)
  let flat = first!
  for (const [i, index] of more.entries()) flat = flat.mul(sizes[dims[i + 1]!]!).add(index)
  const lined = x.permute([...dims, ...others]).flatten(0, dims.length - 1)
  const found = lined.indexSelect(0, flat.reshape([-1])).reshape([...dimsOf(flat), ...others.map(dim => sizes[dim]!)])
  const areNeighbours = dims.at(-1)! - dims[0]! === dims.length - 1
  if (!areNeighbours || dims[0] === 0) return found
  const before = others.filter(dim => dim < dims[0]!).length
  const order = Array.from({ length: found.ndim }, (_, d) => d)
  const [own, rest] = [order.slice(0, flat.ndim), order.slice(flat.ndim)]
  return found.permute([...rest.slice(0, before), ...own, ...rest.slice(before)])
}
