/**
 * Checks of input values: indices out of range, integers divided by zero. They cost a pass over the values, and on a GPU a
 * synchronisation, so only eager ops on a CPU are checked, as in PyTorch. Elsewhere such values never fault: an index out
 * of range reads 0 and writes nothing, a class out of range makes a loss NaN, an integer divided by zero is −1 (its
 * remainder: the dividend).
 */
import type { Attrs } from '../../ir/node.js'
import { type Dtype, isFloat, isInteger } from '../../types/dtype.js'
import { unpooledSizes } from './folding.js'

/** A tensor argument as the checks see it; null for a plain number. */
export type Checked = { readonly dtype: Dtype; readonly shape: readonly number[] } | null

export interface ValueCheck {
  /** Which input. */
  readonly input: number
  /** It accepts all values from the first to the second, both included, or all but 0; absent: each must be looked at. */
  readonly accepts?: readonly [least: number, most: number] | 'all but 0'
  /** Whether the op accepts a value. */
  readonly takes: (value: number) => boolean
  readonly what: (value: number) => string
  readonly fix: string
}

interface Range {
  readonly input: number
  readonly size: number
  readonly range: string
  /** Negative indices count from the end. */
  readonly fromEnd?: boolean
  /** A value with a special meaning, which is allowed. */
  readonly except?: number | undefined
}

const within = (name: string, { input, size, range, fromEnd = false, except }: Range): ValueCheck[] => {
  const min = fromEnd ? -size : 0
  return [
    {
      input,
      accepts: [min, size - 1],
      takes: value => (value >= min && value < size) || value === except,
      what: value => `${name}: index ${value} is out of range for ${range} of size ${size}`,
      fix: size === 0 ? 'there is nothing to index' : `indices go from ${min} to ${size - 1}`,
    },
  ]
}

/** The size of a dim counted from either end; a 0-d tensor is one element. */
const sizeAt = (tensor: Checked, dim: number): number => tensor?.shape.at(dim) ?? 1
const elementsOf = (tensor: Checked): number => (tensor?.shape ?? []).reduce((a, b) => a * b, 1)

/** For an index along attribute `dim` of the first input. */
const along =
  (fromEnd: boolean) =>
  (name: string, [self]: readonly Checked[], { dim }: Attrs): readonly ValueCheck[] => {
    if (typeof dim !== 'number')
      return within(name, { input: 1, size: elementsOf(self!), range: 'the tensor', fromEnd })
    return within(name, { input: 1, size: sizeAt(self!, dim), range: `dim ${dim}`, fromEnd })
  }

const classes = (name: string, [self, target]: readonly Checked[], { ignoreIndex }: Attrs): readonly ValueCheck[] => {
  if (target == null || !isInteger(target.dtype)) return []
  const dim = self!.shape.length === 1 ? 0 : 1
  const except = typeof ignoreIndex === 'number' ? ignoreIndex : undefined
  return within(name, { input: 1, size: sizeAt(self!, dim), range: 'the classes', except })
}

/** For integer divisors; a plain 0 is rejected by the record itself. */
const divisor = (name: string, [self, other]: readonly Checked[], attrs: Attrs): readonly ValueCheck[] => {
  if (other == null || isFloat(other.dtype) || (self !== null && isFloat(self!.dtype))) return []
  if (name === 'div' && (attrs.roundingMode ?? null) === null) return []
  return [
    {
      input: 1,
      accepts: 'all but 0',
      takes: value => value !== 0,
      what: () => `${name}: integers (${other.dtype}) divided by zero`,
      fix: "divide floats: x.to('f32')",
    },
  ]
}

const counts = (name: string, _: readonly Checked[], { present }: Attrs): readonly ValueCheck[] =>
  (present as readonly string[] | undefined)?.includes('fweights')
    ? [
        {
          input: 1,
          takes: value => value >= 0,
          what: value => `${name}: fweights holds ${value}`,
          fix: 'an observation counts 0 times or more',
        },
      ]
    : []

/** The indices of a max pooling must be within the spatial size of its input. */
const unpooled =
  (count: number) =>
  (name: string, [self]: readonly Checked[], attrs: Attrs): readonly ValueCheck[] => {
    const sizes = unpooledSizes(name, self!.shape.slice(-count), attrs as never).map(Number)
    return within(name, { input: 1, size: sizes.reduce((a, b) => a * b, 1), range: 'the result' })
  }

type Checks = (name: string, inputs: readonly Checked[], attrs: Attrs) => readonly ValueCheck[]

const table: Readonly<Record<string, Checks>> = {
  gather: along(false),
  indexSelect: along(false),
  scatter: along(false),
  scatterAdd: along(false),
  scatterReduce: along(false),
  indexAdd: along(false),
  indexCopy: along(false),
  indexFill: along(true),
  takeAlongDim: along(true),
  take: along(true),
  // The record itself rejects more indices than dims.
  indexPut: (name, [self, ...given]) =>
    self!.shape
      .slice(0, given.length - 1)
      .flatMap((size, d) => within(name, { input: d + 1, size, range: `dim ${d}`, fromEnd: true })),
  embeddingBag: (name, [, weight]) => within(name, { input: 0, size: sizeAt(weight!, 0), range: 'the entries' }),
  multilabelMarginLoss: (name, [self]) => {
    const size = sizeAt(self!, -1)
    return [
      {
        input: 1,
        takes: value => value < size,
        what: value => `${name}: index ${value} is out of range for the classes of size ${size}`,
        fix: `indices go from 0 to ${size - 1}; negative ones end the list`,
      },
    ]
  },
  embedding: (name, [, weight]) => within(name, { input: 0, size: sizeAt(weight!, 0), range: 'the entries' }),
  oneHot: (name, _, { numClasses }) =>
    typeof numClasses === 'number' ? within(name, { input: 0, size: numClasses, range: 'the classes' }) : [],
  cov: counts,
  nllLoss: classes,
  crossEntropy: classes,
  multiMarginLoss: classes,
  maxUnpool1d: unpooled(1),
  maxUnpool2d: unpooled(2),
  maxUnpool3d: unpooled(3),
  div: divisor,
  floorDivide: divisor,
  remainder: divisor,
  fmod: divisor,
}

/** The checks of these inputs' values before the op runs eagerly. */
export const valueChecks = (name: string, inputs: readonly Checked[], attrs: Attrs): readonly ValueCheck[] =>
  table[name]?.(name, inputs, attrs) ?? []

/** Whether an op has value checks; most have none, and then nothing is done per call. */
export const hasValueChecks = (name: string): boolean => Object.hasOwn(table, name)
