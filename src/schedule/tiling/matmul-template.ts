/** What the template of matmuls tells tiling. */
import type { RowAccess } from '../../loop/access.js'
import { type LoopProgram, type TemplateNode, templatesOf } from '../../loop/ir.js'
import type { Float8 } from '../../types/dtype.js'

/** Coordinates, in order. */
type Coords = readonly number[]

/**
 * Grouped GEMM over rows: the groups' ends, and the coordinate of the matrices, one per group. Or over K: the coordinate of
 * the results, one per group, each summed over its group's part of K.
 */
export type Ragged = {
  readonly along: 'rows' | 'depth'
  readonly ends: RowAccess
  /** How many leading ends end no group. */
  readonly skip: 0 | 1
  readonly group: Coords
}

/** (a over batch, m, k; b over batch, k, n): over batch, m, n. */
export type MatmulParams = {
  readonly accumulate: 'f32' | 'f64' | 'i32'
  /** The operands are codes of these 8-bit floats. */
  readonly codes: readonly [Float8, Float8] | null
  readonly precision: 'f32' | 'tf32'
  readonly m: Coords
  readonly n: Coords
  /** null: a plain matmul. */
  readonly ragged: Ragged | null
  /** The coordinate of the parts of k, of which a program sums one; null: it sums all of k. */
  readonly part: number | null
}

export type MatmulTemplate = TemplateNode<MatmulParams>

/** A program's matmuls: several share one K loop. */
export const matmulsOf = (program: LoopProgram): readonly MatmulTemplate[] =>
  templatesOf(program).filter((node): node is MatmulTemplate => 'ragged' in node.attrs.params)
