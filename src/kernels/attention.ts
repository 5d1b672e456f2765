/**
 * The attention template: one block of queries against one block of keys after another, the softmax's maximum and sum
 * carried along, so that no more than a block of scores exists at a time. Operands are tiles made on demand; what
 * happens to the result afterwards is the caller's.
 */
import type { DotOptions, Operand, TileBuilder, TileValue } from '../tile/language.js'
import type { TensorDtype } from '../types/dtype.js'

/** Queries of a program instance, and keys that it takes at once. */
export interface AttentionTiles {
  readonly queries: number
  readonly keys: number
}

/** null: known only at run time. Depth and columns are the sizes of a key and of a value. */
export interface AttentionSizes {
  readonly batch: number | null
  readonly queries: number | null
  readonly keys: number | null
  readonly depth: number
  readonly columns: number
  readonly causal: boolean
}

export interface AttentionLoop {
  readonly tiles: AttentionTiles
  /** Columns of the values, as many as a tile of them has. */
  readonly columns: number
  readonly accumulate: 'f32' | 'f64'
  /** What products are taken of: weights are rounded to it. */
  readonly dtype: TensorDtype
  /** Of products of f32. */
  readonly precision?: 'f32' | 'tf32'
  readonly scale: number
  /** Weights too small to be normal numbers count as 0, as a GPU's own powers do. */
  readonly flush: boolean
  /**
   * One thread loops over a tile's elements, in vectors: its loops end where the rest is known to be 0, so that of the
   * last block only those keys take part that a query sees. Else each thread has elements of its own.
   */
  readonly isLooped: boolean
  /**
   * The sum of a row's weights is kept in so many parts, pairs of neighbours in turn, which are put together at the end:
   * what the matrix unit leaves in one thread then needs no other's. A block of keys is a multiple of twice as many.
   * null: one sum.
   */
  readonly parts: number | null
  /** Keys in all: an i64 scalar, or a number. */
  readonly length: Operand
  /** The first query's index, where a query sees the keys up to its own index only; else null. */
  readonly causalFrom: TileValue | null
  /** What a row gives whose keys are all hidden. */
  readonly unseeing: 'zero' | 'nan'
  /** [queries, depth]. */
  q(): TileValue
  /** [depth, keys] from key `start`; past the end anything. */
  k(start: TileValue): TileValue
  /** [keys, columns] from key `start`; past the end finite numbers. */
  v(start: TileValue): TileValue
  /** [queries, keys] from key `start`: bool, or of `accumulate`; past the end anything. */
  readonly mask: ((start: TileValue) => TileValue) | null
}

/** Scores as exponents of 2, which is what machines raise to powers. */
const log2e = Math.LOG2E

/** softmax(scale · q·k + mask) · v: [queries, columns] in `accumulate`. */
export function attentionLoop(t: TileBuilder, loop: AttentionLoop): TileValue {
  const { queries, keys } = loop.tiles
  const { accumulate, columns, length, causalFrom } = loop
  // Scaled once where that is as exact as scaling each score: where nothing is rounded to a narrower dtype.
  const isWide = loop.dtype === accumulate
  const q = isWide ? loop.q().mul(loop.scale * log2e) : loop.q()
  const none = t.full([queries], Number.NEGATIVE_INFINITY, accumulate)
  const state = {
    most: none,
    total: t.zeros(sumsShape(loop), accumulate),
    acc: t.zeros([queries, columns], accumulate),
  }
  const end = t.const(0n, 'i64').add(length)
  const last = causalFrom === null ? end : end.min(causalFrom.add(queries))
  // Blocks that all queries see whole need no comparison per score.
  const seen = causalFrom === null ? end : end.min(causalFrom.add(1))
  const whole = seen.floorDiv(keys).mul(keys)
  const turn = (bound: TileValue | null) => (start: TileValue, before: typeof state) =>
    step(t, loop, q, { start, end: bound }, before)
  const divides = causalFrom === null && typeof length === 'number' && length % keys === 0
  const inner = typeof length === 'number' && length < keys ? state : t.range(0, whole, keys, state, turn(null))
  const { total, acc } = divides ? inner : t.range(whole, last, keys, inner, turn(loop.isLooped ? last : end))
  return normalised(t, loop, loop.parts === null ? total : total.sum(1), acc)
}

const formOf = ({ precision = 'f32' }: AttentionLoop): DotOptions => ({ precision })

interface State {
  readonly [name: string]: TileValue
  /** Of each row: the largest score so far, the sum of powers relative to it, and the sum of values by them. */
  readonly most: TileValue
  readonly total: TileValue
  readonly acc: TileValue
}

/** A block of keys: where it starts, and where those end that any of its queries sees; null: it is seen whole. */
interface KeyBlock {
  readonly start: TileValue
  readonly end: TileValue | null
}

function step(t: TileBuilder, loop: AttentionLoop, q: TileValue, block: KeyBlock, before: State): State {
  const { tiles, accumulate, dtype, columns } = loop
  const { queries, keys } = tiles
  const shape = [queries, keys]
  const { scores, unit } = scoresAt(t, loop, q, block)
  // A score that is NaN makes its power NaN, and by that the whole row: the maximum need not tell.
  const top = scores.amax(1, { ignoreNaN: true })
  const most = before.most.fmax(unit === 1 ? top : top.mul(unit))
  // A row that has seen no key yet: −∞ less 0 stays −∞, less itself it would be NaN.
  const offset = t.where(most.eq(Number.NEGATIVE_INFINITY), t.zeros([queries], accumulate), most)
  const along = (row: TileValue, width: number): TileValue => row.reshape([queries, 1]).broadcastTo([queries, width])
  const exponents = unit === 1 ? scores.sub(along(offset, shape[1]!)) : scores.fma(unit, along(offset.neg(), shape[1]!))
  const powers = powersOf(t, loop, exponents, block)
  const factor = before.most.sub(offset).exp2()
  const { parts } = loop
  const total = before.total.fma(parts === null ? factor : along(factor, parts), sumsOf(loop, powers))
  const shrunk = before.acc.mul(along(factor, columns))
  const acc = t.dot(powers.to(dtype), valuesAt(t, loop, block), shrunk, formOf(loop))
  return { most, total, acc }
}

const sumsShape = ({ tiles, parts }: AttentionLoop): number[] =>
  parts === null ? [tiles.queries] : [tiles.queries, parts]

/** The sums of a block's weights. */
function sumsOf({ tiles, parts }: AttentionLoop, powers: TileValue): TileValue {
  if (parts === null) return powers.sum(1)
  const pairs = powers.reshape([tiles.queries, tiles.keys / (2 * parts), parts, 2])
  return pairs.sum(1).sum(2)
}

/** The least exponent of a normal f32. */
const leastExponent = -126

function powersOf(t: TileBuilder, loop: AttentionLoop, exponents: TileValue, block: KeyBlock): TileValue {
  const powers = exponents.exp2()
  const zeros = t.zeros(exponents.shape, exponents.dtype)
  if (loop.flush) return t.where(exponents.lt(leastExponent), zeros, powers)
  return loop.isLooped && block.end !== null
    ? t.where(existing(t, loop, block.start, block.end), powers, zeros)
    : powers
}

function valuesAt(t: TileBuilder, loop: AttentionLoop, { start, end }: KeyBlock): TileValue {
  const v = loop.v(start)
  if (!loop.isLooped || end === null) return v
  const exists = comesBefore(t, loop, start, end).reshape([loop.tiles.keys, 1]).broadcastTo(v.shape)
  return t.where(exists, v, t.zeros(v.shape, v.dtype))
}

/** [keys]: which keys of a block come before the end. */
const comesBefore = (t: TileBuilder, { tiles }: AttentionLoop, start: TileValue, end: TileValue): TileValue =>
  t.iota(tiles.keys).add(start).lt(end)

/** The same, [queries, keys]. */
const existing = (t: TileBuilder, loop: AttentionLoop, start: TileValue, end: TileValue): TileValue =>
  comesBefore(t, loop, start, end).reshape([1, loop.tiles.keys]).broadcastTo([loop.tiles.queries, loop.tiles.keys])

interface Scores {
  readonly scores: TileValue
  /** What a score counts as a power of 2: above 0, so that the largest stays the largest. */
  readonly unit: number
}

/** The scores of a block; −∞ where the key is hidden or there is none. */
function scoresAt(t: TileBuilder, loop: AttentionLoop, q: TileValue, { start, end }: KeyBlock): Scores {
  const { tiles, accumulate, dtype, scale, causalFrom, mask } = loop
  const { queries, keys } = tiles
  const shape = [queries, keys]
  const products = t.dot(q, loop.k(start), t.zeros(shape, accumulate), formOf(loop))
  const hint = mask?.(start)
  // Scaled as they are raised: one operation for both.
  const isRaw = dtype !== accumulate && scale > 0 && (hint === undefined || hint.dtype === 'bool')
  const unit = isRaw ? scale * log2e : 1
  let scores = isRaw || dtype === accumulate ? products : products.mul(scale * log2e)
  const hidden = t.full(shape, Number.NEGATIVE_INFINITY, accumulate)
  if (hint !== undefined) scores = hint.dtype === 'bool' ? t.where(hint, scores, hidden) : hint.fma(log2e, scores)
  if (end === null) return { scores, unit }
  const exists = existing(t, loop, start, end)
  if (causalFrom === null) return { scores: t.where(exists, scores, hidden), unit }
  const isSeen = seenBy(t, loop, start, causalFrom)
  if (!loop.isLooped) return { scores: t.where(isSeen.and(exists), scores, hidden), unit }
  return { scores: t.where(exists, t.where(isSeen, scores, hidden), hidden), unit }
}

/** [queries, keys]: which keys of a block each query sees. */
function seenBy(
  t: TileBuilder,
  { tiles, isLooped }: AttentionLoop,
  start: TileValue,
  causalFrom: TileValue,
): TileValue {
  const { queries, keys } = tiles
  // Counted from the block's start 32 bits hold both, and a vector compares twice as many at once.
  const [key, row] = isLooped
    ? [t.iota(keys, 'i32'), t.iota(queries, 'i32').add(causalFrom.sub(start).to('i32'))]
    : [t.iota(keys).add(start), t.iota(queries).add(causalFrom)]
  const shape = [queries, keys]
  return key
    .reshape([1, keys])
    .broadcastTo(shape)
    .le(row.reshape([queries, 1]).broadcastTo(shape))
}

function normalised(t: TileBuilder, loop: AttentionLoop, total: TileValue, acc: TileValue): TileValue {
  const { queries } = loop.tiles
  const shape = [queries, loop.columns]
  const along = (row: TileValue): TileValue => row.reshape([queries, 1]).broadcastTo(shape)
  // Of a row that sees a key the sum is at least 1.
  const divisor = loop.unseeing === 'nan' ? total : t.where(total.eq(0), t.full([queries], 1, loop.accumulate), total)
  return acc.div(along(divisor))
}
