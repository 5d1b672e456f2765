/**
 * The k first of a row without sorting it. The best element of each of many groups is found; the k-th of these bests is a
 * bound that at least k elements of the row reach, and few more do where there are several times k groups. What reaches it is
 * collected and ranked. Elements are compared as words: those of equal keys by their indices, so that no two are equal, and
 * the order in which they are collected does not matter.
 */
import type { TileBuilder, TileOperand, TileValue } from '../tile/language.js'

/** i64 tiles that are compared one after the other; what has the larger words comes first. */
export type Words = readonly TileValue[]

/** Less than any element's word. */
const none = -(2n ** 63n)
const indexMask = 2n ** 32n - 1n

/** Words per element: keys of 32 bits share one with the index, if that fits. */
export const wordCount = (keyDtype: 'i32' | 'i64', longest: number | null): 1 | 2 =>
  keyDtype === 'i32' && longest !== null && longest < 2 ** 31 ? 1 : 2

/** Words of no element. */
export const noWords = (t: TileBuilder, count: 1 | 2, shape: readonly number[]): Words =>
  Array.from({ length: count }, () => t.full(shape, none, 'i64'))

/** `keys`: larger for what comes first; `index`: i64. Elements with `inside` false have the words of no element. */
export function wordsOf(
  t: TileBuilder,
  keys: TileValue,
  index: TileValue,
  inside: TileValue,
  count: 1 | 2,
): TileValue[] {
  const wide = keys.to('i64')
  const all = count === 1 ? [wide.shl(32n).or(index.xor(indexMask))] : [wide, index.not()]
  return all.map(word => t.where(inside, word, none))
}

/** i64: the indices of elements. */
export const indicesOf = (words: Words): TileValue =>
  words.length === 1 ? words[0]!.and(indexMask).xor(indexMask) : words[1]!.not()

/** True where the words are those of an element. */
const isElement = (words: Words): TileValue => words.at(-1)!.ne(none)

/** True where `a` comes before `b`. */
function precedes([a, ...more]: Words, [b, ...others]: Words): TileValue {
  const larger = a!.gt(b!)
  return more.length === 0 ? larger : larger.or(a!.eq(b!).and(precedes(more, others)))
}

/** True for elements that are not after the bound, of scalars. */
const reaches = (words: Words, bound: Words): TileValue =>
  precedes(
    bound.map(word => word.broadcastTo(words[0]!.shape)),
    words,
  )
    .not()
    .and(isElement(words))

// --- bests -------------------------------------------------------------------------------------------------------------

interface Part {
  /** The elements [from, to): i64 scalars. */
  readonly from: TileValue
  readonly to: TileValue
  /** Elements at a time. */
  readonly tile: number
  /** How many groups: they divide the tile. */
  readonly groups: number
  readonly words: 1 | 2
  load(start: TileValue): Words
}

/** The best element of each group: words [groups]. */
export function bestOfGroups(t: TileBuilder, { from, to, tile, groups, words, load }: Part): Words {
  const start = named(noWords(t, words, [tile]))
  const best = t.range(from, to, tile, start, (at, best) => {
    const [next, old] = [load(at), valuesOf(best)]
    const isBetter = precedes(next, old)
    return named(next.map((word, w) => t.where(isBetter, word, old[w]!)))
  })
  const members = valuesOf(best).map(word => word.reshape([groups, tile / groups]))
  return bestAcross(t, members)
}

/** The best words of each line of [groups, members]. */
function bestAcross(t: TileBuilder, [word, ...more]: Words): TileValue[] {
  const best = word!.amax(1)
  if (more.length === 0) return [best]
  const isBest = word!.eq(best.expandDims(1).broadcastTo(word!.shape))
  return [
    best,
    ...bestAcross(
      t,
      more.map(other => t.where(isBest, other, none)),
    ),
  ]
}

const named = (words: Words): Record<string, TileValue> => Object.fromEntries(words.map((word, w) => [`w${w}`, word]))
const valuesOf = (carried: Record<string, TileValue>): TileValue[] => Object.values(carried)

// --- ranks -------------------------------------------------------------------------------------------------------------

interface Ranked {
  /** Words [block] of the elements to rank. */
  readonly own: Words
  /** All elements, `others` at a time. */
  readonly length: TileOperand
  readonly others: number
  load(start: TileValue): Words
}

/** How many elements come before each: i32 [block]. */
export function rank(t: TileBuilder, { own, length, others, load }: Ranked): TileValue {
  const [block] = own[0]!.shape as [number]
  const shape = [block, others]
  const mine = own.map(word => word.expandDims(1).broadcastTo(shape))
  const { before } = t.range(0, length, others, { before: t.zeros(shape, 'i32') }, (start, { before }) => {
    const inside = t.iota(others).add(start).lt(length)
    const theirs = load(start).map(word => t.where(inside, word, none).expandDims(0).broadcastTo(shape))
    return { before: before.add(precedes(theirs, mine).to('i32')) }
  })
  return before.sum(1)
}

// --- what reaches a bound ------------------------------------------------------------------------------------------------

/** Which elements reach the bound, and the place of each among these (i64); `count`: how many, an i64 scalar. */
export function reaching(
  words: Words,
  bound: Words,
): { readonly isIn: TileValue; readonly places: TileValue; readonly count: TileValue } {
  const isIn = reaches(words, bound)
  const ones = isIn.to('i32')
  return { isIn, places: ones.cumsum(0).sub(ones).to('i64'), count: ones.sum(0).to('i64') }
}

interface Sought {
  readonly words: 1 | 2
  /** Elements that may reach the bound: i64 scalars, or numbers. */
  readonly count: TileOperand
  readonly tile: number
  /** At least so many reach the bound, and at most `most` where keys allow it. */
  readonly k: number
  readonly most: number
  load(start: TileOperand): Words
}

/** Words of elements from `start` on; past the end those of no element. */
function loaded(t: TileBuilder, { count, tile, load }: Sought, start: TileOperand): TileValue[] {
  const inside = t.iota(tile).add(start).lt(count)
  return load(start).map(word => t.where(inside, word, none))
}

/** How many elements reach a bound, as a function that keeps them in registers if they are one tile. */
function counter(t: TileBuilder, sought: Sought): (bound: Words) => TileValue {
  const { count, tile } = sought
  if (typeof count === 'number' && count <= tile) {
    const elements = loaded(t, sought, 0)
    return bound => reaches(elements, bound).to('i32').sum(0)
  }
  return bound => {
    const { sum } = t.range(0, count, tile, { sum: t.zeros([tile], 'i32') }, (start, { sum }) => ({
      sum: sum.add(reaches(loaded(t, sought, start), bound).to('i32')),
    }))
    return sum.sum(0)
  }
}

/**
 * The largest bound that k elements reach, found bit by bit, or the first that at most `most` reach; what all elements reach
 * if there are fewer than k.
 */
export function searchBound(t: TileBuilder, sought: Sought): Words {
  const { words, k, most } = sought
  const reached = counter(t, sought)
  let bound: Words = noWords(t, words, [])
  let many = t.const(true, 'bool')
  for (let w = 0; w < words; w++) {
    const start = { ...named(bound), step: t.const(63n, 'i64'), many }
    const found = t.while(
      start,
      ({ step, many }) => step.ge(0).and(many),
      ({ step, many, ...carried }) => {
        const low = valuesOf(carried)
        const bit = t.const(1n, 'i64').shl(step)
        const high = low.map((word, i) => (i === w ? word.xor(bit) : word))
        const count = reached(high)
        const fits = count.ge(k)
        return {
          ...named(high.map((word, i) => t.where(fits, word, low[i]!))),
          step: step.sub(1),
          many: t.where(fits, count.gt(most), many),
        }
      },
    )
    bound = bound.map((_, i) => found[`w${i}` as keyof typeof found] as TileValue)
    many = found.many
  }
  return bound
}

/** Keeps the k first of what was collected, at the front. Reads all of it once per bit of the bound. */
export function keepFirst(
  t: TileBuilder,
  collected: Omit<Sought, 'most'>,
  store: (places: TileValue, words: Words, isIn: TileValue) => void,
): void {
  const { k, count, tile } = collected
  const sought: Sought = { ...collected, most: k }
  const bound = searchBound(t, sought)
  t.range(0, count, tile, { kept: t.const(0n, 'i64') }, (start, { kept }) => {
    const elements = loaded(t, sought, start)
    const { isIn, places, count: more } = reaching(elements, bound)
    store(places.add(kept), elements, isIn)
    return { kept: kept.add(more) }
  })
}
