/** From samples to a batch. */
import { describeAny } from '../base/describe.js'
import { ArgumentError } from '../base/errors.js'
import { stack } from '../tensor/functions.js'
import { type TypedArray, tensor } from '../tensor/host-data.js'
import { Tensor } from '../tensor/tensor.js'

/** What samples of a type become in a batch: numbers and arrays of numbers are tensors, objects and tuples are kept. */
export type Collated<T> = T extends Tensor | number | bigint | boolean | TypedArray
  ? Tensor
  : T extends string
    ? string[]
    : T extends readonly unknown[]
      ? { [K in keyof T]: Collated<T[K]> }
      : T extends object
        ? { [K in keyof T]: Collated<T[K]> }
        : T[]

/**
 * Makes a batch of samples that have the same form. Tensors are stacked along a new first dim; typed arrays become rows, of
 * their own dtype; numbers an f32 vector, bigints i64, booleans bool; texts a list; objects and tuples are kept, field by field.
 *
 * @param samples at least one
 * @throws ArgumentError for samples of different forms; ShapeError for tensors of different shapes
 */
export function collate<T>(samples: readonly T[]): Collated<T> {
  if (samples.length === 0) throw new ArgumentError('collate: there are no samples', { fix: 'pass at least one' })
  return batchOf(samples, 'the sample') as Collated<T> // batchOf goes by the same cases
}

function batchOf(samples: readonly unknown[], path: string): unknown {
  const [first] = samples
  if (first instanceof Tensor) return stack(allOf(samples, path, one => one instanceof Tensor))
  if (isTyped(first)) return rowsOf(allOf(samples, path, isTyped), path)
  if (typeof first === 'number') return tensor(allOf(samples, path, one => typeof one === 'number'))
  if (typeof first === 'bigint') return tensor(allOf(samples, path, one => typeof one === 'bigint'))
  if (typeof first === 'boolean') return tensor(allOf(samples, path, one => typeof one === 'boolean'))
  if (typeof first === 'string') return allOf(samples, path, one => typeof one === 'string')
  if (Array.isArray(first)) return fieldsOf(allOf(samples, path, Array.isArray), path)
  if (isPlain(first)) return Object.fromEntries(namedFieldsOf(allOf(samples, path, isPlain), path))
  throw new ArgumentError(`collate: ${path} is ${describeAny(first)}`, {
    fix: 'give numbers, typed arrays, tensors and objects of them, or pass a `collate` of your own',
  })
}

const isTyped = (value: unknown): value is TypedArray => ArrayBuffer.isView(value) && !(value instanceof DataView)

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || prototype === Object.prototype
}

function allOf<V>(samples: readonly unknown[], path: string, isKind: (value: unknown) => value is V): readonly V[] {
  const stray = samples.findIndex(value => !isKind(value))
  if (stray < 0) return samples as readonly V[]
  throw new ArgumentError(`collate: ${path} is ${describeAny(samples[0])} first, then ${describeAny(samples[stray])}`, {
    fix: 'samples of a batch need the same form',
  })
}

function fieldsOf(samples: readonly (readonly unknown[])[], path: string): unknown[] {
  const { length } = samples[0]!
  const stray = samples.find(sample => sample.length !== length)
  if (stray !== undefined)
    throw new ArgumentError(`collate: ${path} has ${length} elements first, then ${stray.length}`, {
      fix: 'an array is a tuple of fields; for rows of numbers use typed arrays of one length',
    })
  return samples[0]!.map((_, i) =>
    batchOf(
      samples.map(sample => sample[i]),
      `${path}[${i}]`,
    ),
  )
}

function namedFieldsOf(samples: readonly Readonly<Record<string, unknown>>[], path: string): [string, unknown][] {
  const names = Object.keys(samples[0]!)
  const stray = samples.find(sample => Object.keys(sample).sort().join() !== [...names].sort().join())
  if (stray !== undefined)
    throw new ArgumentError(
      `collate: ${path} has the fields ${names.join(', ')} first, then ${Object.keys(stray).join(', ')}`,
      {
        fix: 'samples of a batch need the same fields',
      },
    )
  return names.map(name => {
    const values = samples.map(sample => sample[name])
    return [name, batchOf(values, `${path}.${name}`)]
  })
}

/** Typed arrays of one kind and length as the rows of a matrix. */
function rowsOf(rows: readonly TypedArray[], path: string): Tensor {
  const [first] = rows as [TypedArray]
  const stray = rows.find(row => row.constructor !== first.constructor || row.length !== first.length)
  if (stray !== undefined)
    throw new ArgumentError(
      `collate: ${path} is a ${first.constructor.name} of ${first.length} first, then a ${stray.constructor.name} of ${stray.length}`,
      { fix: 'rows of a batch need one kind and length' },
    )
  const Rows = first.constructor as new (length: number) => TypedArray
  const all = new Rows(rows.length * first.length)
  for (const [i, row] of rows.entries()) all.set(row as never, i * first.length) // of the same kind, as checked
  return tensor(all).reshape([rows.length, first.length])
}
