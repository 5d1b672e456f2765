/** Nested arrays of numbers, to and from shape and flat values. */
import { describeAny } from '../base/describe.js'
import { ArgumentError, ShapeError } from '../base/errors.js'

/** A plain number: a number, boolean or bigint. */
export type Scalar = number | boolean | bigint
/** A number, or arrays of numbers nested as deep as a tensor has dims, rows of one dim equally long. */
export type NestedArray = Scalar | readonly NestedArray[]

/** Deeper than any tensor: such an array contains itself. */
const deepest = 64

/** Values of a nested array in row-major order. Throws ShapeError naming the index where rows differ in length. */
export function flatten(value: NestedArray): { readonly shape: readonly number[]; readonly values: readonly Scalar[] } {
  const shape: number[] = []
  for (let first: NestedArray | undefined = value; Array.isArray(first); first = first[0]) {
    shape.push(first.length)
    if (shape.length > deepest)
      throw new ArgumentError(`tensor: the arrays are nested more than ${deepest} deep`, {
        fix: 'does an array hold itself?',
      })
  }
  const values: Scalar[] = []
  if (shape.length === 0) values.push(requireScalar(value, []))
  else collect(value, shape, [], values)
  return { shape, values }
}

/** Appends the values of the row at `path`, which is one of `shape[path.length]` elements. */
function collect(row: NestedArray, shape: readonly number[], path: readonly number[], into: Scalar[]): void {
  const expected = shape[path.length]!
  if (!Array.isArray(row)) {
    throw isScalar(row)
      ? ragged(`element ${place(path)} is ${String(row)} where its neighbours are arrays`)
      : new ArgumentError(`tensor: element ${place(path)} is ${describeAny(row)}, not an array`, {
          fix: 'every row needs as many elements as the first',
        })
  }
  if (row.length !== expected) {
    throw ragged(`row ${place(path)} has ${row.length} elements where the first has ${expected}`)
  }
  const items: readonly NestedArray[] = row
  const isLast = path.length === shape.length - 1
  for (let i = 0; i < expected; i++) {
    const item = items[i]!
    if (!isLast) collect(item, shape, [...path, i], into)
    else into.push(isScalar(item) ? item : requireScalar(item, [...path, i]))
  }
}

function requireScalar(value: NestedArray, path: readonly number[]): Scalar {
  if (isScalar(value)) return value
  if (Array.isArray(value)) throw ragged(`element ${place(path)} is an array where its neighbours are numbers`)
  throw new ArgumentError(`tensor: element ${place(path)} is ${describeAny(value)}, not a number`, {
    fix: 'elements are numbers, booleans or bigints',
  })
}

const place = (path: readonly number[]): string => `[${path.join('][')}]`

const isScalar = (value: unknown): value is Scalar =>
  typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint'

const ragged = (problem: string): ShapeError =>
  new ShapeError(`tensor: the nested arrays are ragged: ${problem}`, { fix: 'make all rows of a dim equally long' })

/** The nested array of a shape over flat values; a 0-d shape gives the value itself. */
export function nest<T>(shape: readonly number[], values: readonly T[]): Nested<T> {
  const build = (dim: number, start: number, inner: number): Nested<T> => {
    if (dim === shape.length) return values[start]!
    const step = shape[dim]! === 0 ? 0 : inner / shape[dim]!
    return Array.from({ length: shape[dim]! }, (_, i) => build(dim + 1, start + i * step, step))
  }
  return build(0, 0, values.length)
}

/** What `toArray` gives: a value, or arrays of values nested as deep as the tensor has dims. */
export type Nested<T> = T | Nested<T>[]
