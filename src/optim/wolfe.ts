/** The line search of L-BFGS: how far to go along a direction ("Numerical Optimization", Nocedal and Wright 2006, section 3.5). */
import type { Tensor } from '../tensor/tensor.js'

/** A loss and its gradient. */
export interface Point {
  readonly loss: number
  readonly gradient: Tensor
}

/** At a length along the direction. */
interface Trial extends Point {
  readonly length: number
  /** The derivative of the loss by the length. */
  readonly slope: number
}

/** Of the first condition: which part of the decrease that the slope promises is enough. */
const enough = 1e-4
/** Of the second: how much less steep it has to be. */
const flatter = 0.9
const mostTrials = 25

/** The minimum of the cubic through two points with their slopes, within limits. */
function cubicMinimum(a: Trial, b: Trial, limits?: readonly [number, number]): number {
  const [left, right] = a.length <= b.length ? [a, b] : [b, a]
  const [low, high] = limits ?? [left.length, right.length]
  const d1 = a.slope + b.slope - (3 * (a.loss - b.loss)) / (a.length - b.length)
  const square = d1 ** 2 - a.slope * b.slope
  if (!(square >= 0)) return (low + high) / 2
  const d2 = Math.sqrt(square)
  const from = (right.slope + d2 - d1) / (right.slope - left.slope + 2 * d2)
  return Math.min(Math.max(right.length - (right.length - left.length) * from, low), high)
}

/** How trials are made, and what is asked of them. */
interface Search {
  readonly trial: (length: number) => Trial
  readonly isTooHigh: (one: Trial) => boolean
  readonly isFlat: (one: Trial) => boolean
  /** Whether there were 25 trials after the first one, or two lengths are as good as one. */
  readonly isOver: (a: Trial, b: Trial) => boolean
}

/**
 * A length that meets the strong Wolfe conditions, or the best one of 26 trials.
 *
 * @param at the point at a length
 * @param start the point at length 0, and the slope there
 * @param first the length that is tried first
 * @param tolerance the search ends where no parameter would move by more
 */
export function wolfeSearch(
  at: (length: number) => Point,
  start: Point & { readonly slope: number },
  direction: Tensor,
  first: number,
  tolerance: number,
): { readonly point: Point; readonly length: number; readonly calls: number } {
  let calls = 0
  const size = direction.abs().amax().itemSync()
  const search: Search = {
    trial(length) {
      calls++
      const point = at(length)
      return { ...point, length, slope: point.gradient.dot(direction).itemSync() }
    },
    isTooHigh: ({ loss, length }) => loss > start.loss + enough * length * start.slope,
    isFlat: ({ slope }) => Math.abs(slope) <= -flatter * start.slope,
    isOver: (a, b) => calls > mostTrials || Math.abs(a.length - b.length) * size < tolerance,
  }
  const found = bracket(search, { ...start, length: 0 }, search.trial(first))
  const best = 'loss' in found ? found : zoom(search, found)
  return { point: best, length: best.length, calls }
}

/** Two points with one that meets the conditions between them, or such a point itself. */
function bracket({ trial, isTooHigh, isFlat }: Search, origin: Trial, first: Trial): readonly [Trial, Trial] | Trial {
  let [before, now] = [origin, first]
  for (let i = 0; i < mostTrials; i++) {
    if (isTooHigh(now) || (i > 1 && now.loss >= before.loss)) return [before, now]
    if (isFlat(now)) return now
    if (now.slope >= 0) return [before, now]
    const next = cubicMinimum(before, now, [now.length + 0.01 * (now.length - before.length), now.length * 10])
    ;[before, now] = [now, trial(next)]
  }
  return [origin, now]
}

/** A point between two that meets the conditions, or the lowest that was found. */
function zoom({ trial, isTooHigh, isFlat, isOver }: Search, [a, b]: readonly [Trial, Trial]): Trial {
  let [low, high] = a.loss <= b.loss ? [a, b] : [b, a]
  let isSlow = false
  while (!isOver(low, high)) {
    const next = awayFromEnds(cubicMinimum(low, high), low, high, isSlow)
    isSlow = next.isSlow
    const tried = trial(next.length)
    if (isTooHigh(tried) || tried.loss >= low.loss) {
      ;[low, high] = low.loss <= tried.loss ? [low, tried] : [tried, low]
      continue
    }
    if (isFlat(tried)) return tried
    if (tried.slope * (high.length - low.length) >= 0) high = low
    low = tried
  }
  return low
}

/** A trial near an end of the interval is moved inwards when the last one was near an end too, or it is no inner point. */
function awayFromEnds(
  length: number,
  low: Trial,
  high: Trial,
  wasSlow: boolean,
): { readonly length: number; readonly isSlow: boolean } {
  const [from, to] = [Math.min(low.length, high.length), Math.max(low.length, high.length)]
  const margin = 0.1 * (to - from)
  if (Math.min(to - length, length - from) >= margin) return { length, isSlow: false }
  if (!wasSlow && length < to && length > from) return { length, isSlow: true }
  return { length: Math.abs(length - to) < Math.abs(length - from) ? to - margin : from + margin, isSlow: false }
}
