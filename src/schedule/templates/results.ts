/** Results of templates. */
import { dtypeOf, type LoopNode } from '../../loop/ir.js'
import type { TileValue } from '../../tile/language.js'
import type { TensorDtype } from '../../types/dtype.js'
import type { Axis } from '../tiling/axes.js'
import type { Evaluator } from '../tiling/evaluate.js'

/** Binds the templates' results for the expressions of the epilogue. */
export function bindResults(
  evaluator: Evaluator,
  nodes: readonly LoopNode[],
  results: readonly TileValue[],
  axes: readonly Axis[],
): void {
  for (const [i, node] of nodes.entries()) {
    const result = results[i]!.to(dtypeOf(node) as TensorDtype)
    evaluator.bind(node, { tile: result.reshape(evaluator.shape(axes)), axes })
  }
}
