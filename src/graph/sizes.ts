/**
 * Sizes that meet. Two sizes are equal when they are the same polynomial or their ranges leave one value; they differ
 * when no values of their symbols make them equal. Between the two lies "not known", and that is refused: taking two
 * run-time sizes as equal because they might be is how silent wrong numbers start.
 */
import { ShapeError } from '../base/errors.js'
import { rangeOf, type Size, sameSize, subSizes } from '../scalar/size.js'
import type { Shape } from './ir.js'

/**
 * An op needs to know something about run-time sizes that is not known. Capture may answer by specialising the symbols
 * in `sizes` to the values of the call and tracing again.
 */
export class SymbolicShapeError extends ShapeError {
  constructor(
    what: string,
    readonly sizes: readonly Size[],
  ) {
    super(what, { fix: 'let both come from one size, or compile this function with { dynamic: false }' })
  }
}

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

/** Throws ShapeError(`what()`) when the sizes differ, SymbolicShapeError when they are not known to be equal. */
export function requireEqual(a: Size, b: Size, what: () => string, fix?: string): void {
  if (surelyEqual(a, b)) return
  if (surelyDiffer(a, b)) throw new ShapeError(`${what()} (${a} ≠ ${b})`, { fix })
  throw new SymbolicShapeError(`${what()} (${a} and ${b} are not known to be equal)`, [a, b])
}

/** The shape that all `shapes` stretch to. Throws ShapeError naming `op`, the shapes and the dim that does not fit. */
export function broadcastShapes(op: string, shapes: readonly Shape[]): Shape {
  const rank = Math.max(...shapes.map(shape => shape.length))
  const result: Size[] = []
  for (let d = 0; d < rank; d++) {
    let size: Size = 1
    for (const shape of shapes) {
      const other = shape[d - (rank - shape.length)] ?? 1
      if (other === 1) continue
      if (size === 1) size = other
      else if (typeof other === 'number' && surelyEqual(size, other)) size = other
      else {
        const what = (): string => `${op}: shapes ${shapes.map(printShape).join(' and ')} do not broadcast in dim ${d}`
        requireEqual(size, other, what, 'sizes must be equal or 1')
      }
    }
    result.push(size)
  }
  return result
}
