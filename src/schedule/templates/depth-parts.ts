/** The programs of products whose K is split: one kernel computes the sums over each part, a second one adds them in order. */
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
  type TemplateNode,
} from '../../loop/ir.js'
import { productOf, type Size } from '../../scalar/size.js'
import type { Dtype } from '../../types/dtype.js'
import { type Affine, coordIndex, rowMajorStrides } from '../groups/affine.js'
import type { Buffers } from '../memory/buffers.js'
import type { SplitTemplate } from './template.js'

/** `part`: the coordinate of the parts of K, of which a program sums one; null: it sums all of K. */
type Splittable = TemplateNode<{ readonly accumulate: Dtype; readonly part: number | null }>

/** A program's products in `count` parts of K. The template of a part stores sums, over the part and all kept coordinates. */
export function inParts(
  program: LoopProgram,
  products: readonly Splittable[],
  count: Size,
  buffers: Buffers,
): SplitTemplate {
  const part = Math.max(...program.coords.keys()) + 1
  const partial = loopBuilder()
  const kept = [...program.coords].filter(([coord]) => !program.reduced.has(coord))
  const sizes = new Map([[part, count], ...kept])
  const stored = products.map(node =>
    partial.withOrigin(node.origin, () => storePart(partial, partOf(partial, node, [...sizes.keys()]), sizes, buffers)),
  )
  return {
    partial: { ...program, coords: new Map([[part, count], ...program.coords]), body: partial.finish() },
    finals: [
      {
        ...program,
        coords: new Map([...kept, [part, count]]),
        reduced: new Set([part]),
        body: summed(program, products, stored, part),
      },
    ],
  }
}

/** The template of one part, whose result runs over `coords`: the part, then the others. */
function partOf(partial: LoopBuilder, { inputs, attrs }: Splittable, coords: readonly number[]): LoopNode {
  const [[part], [result]] = [coords as [number], attrs.results]
  if (result === undefined || attrs.axes === null) throw new InternalError('schedule: a product without axes')
  return partial.node(
    'template',
    transplant<LoopNode>(loopDialect, partial, { params: [], body: [], results: inputs }, () => null),
    {
      ...attrs,
      results: [
        { dtype: attrs.params.accumulate, shape: result.shape, index: coords.map(own => indexOf(coordIndex(own))) },
      ],
      axes: [[part], ...attrs.axes],
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
function summed(
  program: LoopProgram,
  products: readonly Splittable[],
  stored: readonly Access[],
  part: number,
): LoopProgram['body'] {
  const b = loopBuilder()
  const sums = new Map(
    products.map((node, i) => [
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
