/** The option `bucket`: which run-time sizes share a compiled version. */
import { symbolMin } from './guards.js'
import type { BucketOf } from './layout.js'

/** 'pow2': up to 2, 4, 8, …; a list: up to each of these sizes, and one bucket for all above the last. */
export type Buckets = 'pow2' | readonly number[]

export const isBuckets = (value: unknown): value is Buckets =>
  value === 'pow2' ||
  (Array.isArray(value) &&
    value.length > 0 &&
    value.every((size, i) => Number.isSafeInteger(size) && size >= symbolMin && (i === 0 || size > value[i - 1])))

/** Null: no buckets. */
export function bucketsOf(buckets: Buckets | undefined): BucketOf | null {
  if (buckets === undefined) return null
  return size => {
    const max = buckets === 'pow2' ? powerAbove(size) : buckets.find(limit => size <= limit)
    const below = buckets === 'pow2' ? powerAbove(size) / 2 : buckets.findLast(limit => limit < size)
    const min = Math.max(symbolMin, below === undefined ? 0 : below + 1)
    return { min, max: max ?? Number.MAX_SAFE_INTEGER }
  }
}

/** The smallest power of two that is at least `size`. */
function powerAbove(size: number): number {
  let power = 1
  while (power < size) power *= 2
  return power
}
