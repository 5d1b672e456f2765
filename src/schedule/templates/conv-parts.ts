/** Convolutions in parts of K, where their tiles are few: one kernel sums each part, a second one adds the parts. */
import { InternalError } from '../../base/errors.js'
import { transplant } from '../../ir/transplant.js'
import { accessOf, indexOf } from '../../loop/access.js'
import { dtypeOf, type LoopNode, type LoopProgram, loopBuilder, loopDialect, storesOf } from '../../loop/ir.js'
import { productOf } from '../../scalar/size.js'
import { type Affine, coordIndex, rowMajorStrides } from '../groups/affine.js'
import type { Buffers } from '../memory/buffers.js'
import type { ConvNode } from './conv-node.js'
import type { SplitTemplate } from './template.js'

/** The programs of a convolution in `count` parts. */
export function splitConv(program: LoopProgram, node: ConvNode, count: number, buffers: Buffers): SplitTemplate {
  const part = Math.max(...program.coords.keys()) + 1
  const kept = [...program.coords].filter(([coord]) => !program.reduced.has(coord))
  const sizes = new Map([[part, count], ...kept])
  const strides = rowMajorStrides([...sizes.values()])
  const terms = [...sizes.keys()].map((coord, i) => [coord, strides[i]!] as const)
  const index: Affine = { offset: 0, terms: new Map(terms.filter(([, stride]) => stride !== 0)) }
  const { accumulate } = node.attrs.params
  const sums = accessOf(buffers.temp(accumulate, productOf([...sizes.values()]), 'partial'), accumulate, index)
  const partial = loopBuilder()
  partial.withOrigin(node.origin, () => partial.node('store', [partOf(node, part)], { access: sums }))
  const final = loopBuilder()
  const result = final.withOrigin(node.origin, () => {
    const sum = final.node('reduce', [final.node('load', [], { access: sums })], { fn: 'add', over: [part] })
    return dtypeOf(sum) === dtypeOf(node) ? sum : final.node('cast', [sum], { to: dtypeOf(node) })
  })
  const rest = { params: [], body: storesOf(program), results: [] }
  transplant<LoopNode>(loopDialect, final, rest, each => (each === node ? result : null))
  return {
    partial: { ...program, coords: new Map([[part, count], ...program.coords]), body: partial.finish() },
    finals: [
      {
        ...program,
        coords: new Map([...kept, [part, count]]),
        reduced: new Set([part]),
        body: final.finish(),
      },
    ],
  }

  /** The template of one part. */
  function partOf({ attrs }: ConvNode, coord: number): LoopNode {
    const [result] = attrs.results
    if (result === undefined || attrs.axes === null) throw new InternalError('schedule: a convolution without axes')
    const over = [coord, ...kept.map(([own]) => own)].map(own => indexOf(coordIndex(own)))
    return partial.node('template', [], {
      ...attrs,
      results: [{ dtype: accumulate, shape: result.shape, index: over }],
      axes: [[coord], ...attrs.axes],
      params: { ...attrs.params, part: coord },
    })
  }
}
