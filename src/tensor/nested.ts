/** Nested arrays of numbers, to and from shape and flat values. */
import { ArgumentError, ShapeError } from '../base/errors.js'
import { describeAny } from './dispatch.js'

export type Scalar = number | boolean | bigint
export type NestedArray = Scalar | readonly NestedArray[]

/** Values of a nested array in row-major order. Throws ShapeError naming the place where rows differ in length. */
export function flatten(value: NestedArray): { readonly shape: readonly number[]; readonly values: readonly Scalar[] } {
  const shape: number[] = []
  for (let first: NestedArray | undefined = value; Array.isArray(first); first = first[0]) shape.push(first.length)
  const values: Scalar[] = []
  collect(value, shape, [], values)
  return { shape, values }
}

function collect(value: NestedArray, shape: readonly number[], path: number[], into: Scalar[]): void {
  const place = (): string => `[${path.join('][')}]`
  if (path.length === shape.length) {
    if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint') into.push(value)
    else if (Array.isArray(value)) throw ragged(`element ${place()} is an array where its neighbours are numbers`)
    else throw new ArgumentError(`tensor: element ${place()} is ${describeAny(value)}, not a number`)
    return
  }
  if (!Array.isArray(value)) {
    throw isScalar(value)
      ? ragged(`element ${place()} is ${String(value)} where its neighbours are arrays`)
      : new ArgumentError(`tensor: element ${place()} is ${describeAny(value)}, not an array`)
  }
  const expected = shape[path.length]!
  if (value.length !== expected) {
    throw ragged(`row ${place()} has ${value.length} elements where the first has ${expected}`)
  }
  for (let i = 0; i < expected; i++) {
    path.push(i)
    collect(value[i] as NestedArray, shape, path, into)
    path.pop()
  }
}

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

export type Nested<T> = T | Nested<T>[]
