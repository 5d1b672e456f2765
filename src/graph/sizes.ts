/**
 * Comparison of symbolic sizes. Two sizes are equal when they are the same polynomial or their ranges leave one value; they
 * differ when no values of their symbols make them equal. Otherwise the answer is unknown, and the op is refused: assuming
 * that two run-time sizes are equal would give silent wrong results.
 */
import { ShapeError } from '../base/errors.js'
import {
  addSizes,
  exactQuotient,
  mulSizes,
  rangeOf,
  type Size,
  SymbolicShapeError,
  sameSize,
  subSizes,
} from '../scalar/size.js'
import type { Shape } from './ir.js'

export { SymbolicShapeError }

export const printShape = (shape: Shape): string => `[${shape.join(', ')}]`

/** True when the two are equal for all values of their symbols. */
export function surelyEqual(a: Size, b: Size): boolean {
  if (sameSize(a, b)) return true
  const { min, max } = rangeOf(subSizes(a, b))
  return min === 0 && max === 0
}

/** True when the two differ for all values of their symbols. */
export function surelyDiffer(a: Size, b: Size): boolean {
  const { min, max } = rangeOf(subSizes(a, b))
  return min > 0 || max < 0
}

/** Whether the two are equal. Throws SymbolicShapeError(`what()`) where that depends on the run-time sizes. */
export function decideEqual(a: Size, b: Size, what: () => string): boolean {
  if (surelyEqual(a, b)) return true
  if (surelyDiffer(a, b)) return false
  throw new SymbolicShapeError(
    `${what()} (whether ${a} is ${b} depends on the sizes of the call)`,
    [a, b],
    subSizes(a, b),
  )
}

/** Whether `size` is at least `bound`. Throws SymbolicShapeError(`what()`) where that depends on the run-time sizes. */
export function decideAtLeast(size: Size, bound: Size, what: () => string): boolean {
  const room = subSizes(size, bound)
  const { min, max } = rangeOf(room)
  if (min >= 0) return true
  if (max < 0) return false
  // Passes 2 · room + 1, which is never 0: the sign of a size that can be 0 would become an equation instead of a bound.
  throw new SymbolicShapeError(
    `${what()} (whether ${size} is at least ${bound} depends on the sizes of the call)`,
    [size, bound].filter(one => typeof one !== 'number'),
    addSizes(mulSizes(room, 2), 1),
  )
}

/** a / b, or null if b does not divide a. Throws SymbolicShapeError(`what()`) where that depends on the run-time sizes. */
export function decideQuotient(a: Size, b: Size, what: () => string): Size | null {
  const exact = exactQuotient(a, b)
  if (exact !== null) return exact
  if (typeof a === 'number' && typeof b === 'number') return null
  const message = `${what()} (whether ${a} is a multiple of ${b} depends on the sizes of the call)`
  throw new SymbolicShapeError(message, [a, b], null, typeof b === 'number' ? { size: a, by: b } : null)
}

/** max(0, −size) and max(0, size). Throws SymbolicShapeError(`what()`) where the sign depends on the run-time sizes. */
export function signedParts(size: Size, what: () => string): readonly [below: Size, above: Size] {
  const { min, max } = rangeOf(size)
  if (min < 0 && max <= 0) return [mulSizes(size, -1), 0]
  return decideAtLeast(size, 0, what) ? [0, size] : [mulSizes(size, -1), 0]
}

/** Throws ShapeError(`what()`) when the sizes differ, SymbolicShapeError when they are not known to be equal. */
export function requireEqual(a: Size, b: Size, what: () => string, fix?: string): void {
  if (surelyEqual(a, b)) return
  if (surelyDiffer(a, b)) throw new ShapeError(`${what()} (${a} ≠ ${b})`, { fix })
  throw new SymbolicShapeError(`${what()} (${a} and ${b} are not known to be equal)`, [a, b], subSizes(a, b))
}

/** The shape that all `shapes` broadcast to. Throws ShapeError naming `op`, the shapes and the dim that does not fit. */
export function broadcastShapes(op: string, shapes: readonly Shape[]): Shape {
  const rank = Math.max(...shapes.map(shape => shape.length))
  const result: Size[] = []
  for (let d = 0; d < rank; d++) {
    let size: Size = 1
    for (const shape of shapes) {
      const other = shape[d - (rank - shape.length)] ?? 1
      const what = (): string => `${op}: shapes ${shapes.map(printShape).join(' and ')} do not broadcast in dim ${d}`
      if (surelyEqual(other, 1)) continue
      if (surelyEqual(size, 1)) size = other
      else if (surelyEqual(size, other)) size = typeof other === 'number' ? other : size
      else if (decideEqual(size, 1, what)) size = other
      else if (!decideEqual(other, 1, what)) requireEqual(size, other, what, 'sizes must be equal or 1')
    }
    result.push(size)
  }
  return result
}
