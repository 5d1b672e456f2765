/**
 * Split K: where a product's tiles are fewer than the programs that run concurrently and K is long, programs share K. One
 * kernel computes the sums over each part, a second one adds them in order and does the rest.
 */
import type { LoopProgram } from '../../loop/ir.js'
import { ceilDivSizes } from '../../scalar/size.js'
import type { TileValue } from '../../tile/language.js'
import type { Buffers } from '../memory/buffers.js'
import type { Matmuls, SchedulePolicy } from '../policy.js'
import { type Axis, collapse } from '../tiling/axes.js'
import { matmulAxes, matmulSizes, splitAxis } from '../tiling/contraction-tiling.js'
import type { Evaluator } from '../tiling/evaluate.js'
import { type MatmulTemplate, matmulsOf } from '../tiling/matmul-template.js'
import type { Tiling } from '../tiling/tiling.js'
import type { KernelWriter } from '../tiling/writer.js'
import { inParts } from './depth-parts.js'
import type { SplitTemplate } from './template.js'

/** A matmul, or several that share a K loop, in parts of K; null: it does not pay. */
export function splitMatmul(
  program: LoopProgram,
  first: MatmulTemplate,
  policy: SchedulePolicy,
  buffers: Buffers,
): SplitTemplate | null {
  if (first.attrs.params.ragged !== null) return null
  const matmuls: Matmuls = [first, ...matmulsOf(program).slice(1)]
  const loops = collapse(program)
  const axes = matmulAxes(matmuls, loops, policy)
  const count = policy.matmulParts({ matmuls, axes, sizes: matmulSizes(matmuls, axes), loops })
  if (count === 1) return null
  return inParts(program, matmuls, count, buffers)
}

/** The range of K that a program sums: as many whole blocks in each part as it takes. */
export function rangeOfPart(
  writer: KernelWriter,
  k: readonly Axis[],
  { extents }: Tiling,
  part: Axis,
  evaluator: Evaluator,
): { readonly axis: Axis; readonly from: TileValue; readonly to: TileValue } {
  const axis = splitAxis(k, extents)
  const block = extents.get(axis)!
  const size = writer.size(ceilDivSizes(ceilDivSizes(axis.size, block), part.size))
  // The maximum proves that offsets are not negative.
  const blocks = typeof size === 'number' ? size : size.max(0)
  const from = evaluator.offset(part).mul(blocks).mul(block)
  const length = typeof blocks === 'number' ? blocks * block : blocks.mul(block)
  return { axis, from, to: from.add(length).min(writer.axisSize(axis)) }
}
