/** Shorthands for tests of tile programs. */

import type { ViewMemory } from '../../src/tile/interpret.js'
import type { StoredArray } from '../../src/types/memory.js'

/** A contiguous view over an array. */
export function viewOf(data: StoredArray, sizes: readonly number[]): ViewMemory {
  const strides = new Array<number>(sizes.length)
  let stride = 1
  for (let d = sizes.length - 1; d >= 0; d--) {
    strides[d] = stride
    stride *= sizes[d]!
  }
  return { data, offset: 0, sizes, strides }
}

/** `count` floats that are not round, always the same. */
export function floats(count: number, seed = 1): Float32Array {
  let state = seed >>> 0
  return Float32Array.from({ length: count }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 31 - 1
  })
}

export const zeros = (count: number): Float32Array => new Float32Array(count)

/** The message of what `run` throws; fails when it throws nothing. */
export function messageOf(run: () => unknown): string {
  try {
    run()
  } catch (error) {
    return (error as Error).message
  }
  throw new Error('nothing was thrown')
}
