/**
 * Split K: where a product's tiles are fewer than the programs that run concurrently and K is long, programs share K. One
 * kernel computes the sums over each part, a second one adds them in order and does the rest.
 */
import { InternalError } from '../../base/errors.js'
import { transplant } from '../../ir/transplant.js'
import { type Access, accessOf, indexOf } from '../../loop/access.js'
import {
  dtypeOf,
  type LoopBuilder,
  type LoopNode,
  type LoopProgram,
  loopBuilder,
  loopDialect,
  storesOf,
} from '../../loop/ir.js'
import { ceilDivSizes, productOf, type Size } from '../../scalar/size.js'
import type { TileValue } from '../../tile/language.js'
import { type Affine, coordIndex, rowMajorStrides } from '../groups/affine.js'
import type { Buffers } from '../memory/buffers.js'
import type { Matmuls, SchedulePolicy } from '../policy.js'
import { type Axis, collapse } from '../tiling/axes.js'
import { matmulAxes, matmulSizes, splitAxis } from '../tiling/contraction-tiling.js'
import type { Evaluator } from '../tiling/evaluate.js'
import { type MatmulTemplate, matmulsOf } from '../tiling/matmul-template.js'
import type { Tiling } from '../tiling/tiling.js'
import type { KernelWriter } from '../tiling/writer.js'
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
  const part = Math.max(...program.coords.keys()) + 1
  const partial = loopBuilder()
  const kept = [...program.coords].filter(([coord]) => !program.reduced.has(coord))
  const sizes = new Map([[part, count], ...kept])
  const stored = matmuls.map(node =>
    partial.withOrigin(node.origin, () => storePart(partial, partOf(partial, node, part), sizes, buffers)),
  )
  return {
    partial: { ...program, coords: new Map([[part, count], ...program.coords]), body: partial.finish() },
    finals: [
      {
        ...program,
        coords: new Map([...kept, [part, count]]),
        reduced: new Set([part]),
        body: summed(program, matmuls, stored, part),
      },
    ],
  }
}

/** The template of one part. */
function partOf(partial: LoopBuilder, { inputs, attrs }: MatmulTemplate, part: number): LoopNode {
  const [result] = attrs.results
  if (result === undefined || attrs.axes === null) throw new InternalError('schedule: a matmul without axes')
  const [results, rows, ...others] = attrs.axes
  const index = [part, ...(rows ?? []), ...(others[0] ?? [])].map(coord => indexOf(coordIndex(coord)))
  return partial.node(
    'template',
    transplant<LoopNode>(loopDialect, partial, { params: [], body: [], results: inputs }, () => null),
    {
      ...attrs,
      results: [{ dtype: attrs.params.accumulate, shape: result.shape, index }],
      axes: [[part], results!, rows!, ...others],
      params: { ...attrs.params, part },
    },
  )
}

/** Stores a part's sums row by row in temporary memory. */
function storePart(b: LoopBuilder, node: LoopNode, sizes: ReadonlyMap<number, Size>, buffers: Buffers): Access {
  const strides = rowMajorStrides([...sizes.values()])
  const terms = [...sizes.keys()].map((coord, i): [number, Size] => [coord, strides[i]!])
  const index: Affine = { offset: 0, terms: new Map(terms.filter(([, stride]) => stride !== 0)) }
  const dtype = dtypeOf(node)
  const access = accessOf(buffers.temp(dtype, productOf([...sizes.values()]), 'partial'), dtype, index)
  b.node('store', [node], { access })
  return access
}

/** The body of the kernel that adds the parts and does the rest. */
function summed(program: LoopProgram, matmuls: Matmuls, stored: readonly Access[], part: number): LoopProgram['body'] {
  const b = loopBuilder()
  const sums = new Map(
    matmuls.map((node, i) => [
      node as LoopNode,
      b.withOrigin(node.origin, () => {
        const load = b.node('load', [], { access: stored[i]! })
        const sum = b.node('reduce', [load], { fn: 'add', over: [part] })
        return dtypeOf(sum) === dtypeOf(node) ? sum : b.node('cast', [sum], { to: dtypeOf(node) })
      }),
    ]),
  )
  const rest = { params: [], body: storesOf(program), results: [] }
  transplant<LoopNode>(loopDialect, b, rest, node => sums.get(node) ?? null)
  return b.finish()
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
