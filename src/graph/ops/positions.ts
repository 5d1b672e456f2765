/** Where a mask is true, as one op of a fixed size: what functions whose results' sizes depend on values are made of. */
import { subSizes } from '../../scalar/size.js'
import { castTo, constant, expandTo, full, map, reshapeTo, shapeOf, sliceTo } from '../build.js'
import type { GraphBuilder, GraphNode } from '../ir.js'
import type { OperandValue } from '../record.js'
import { type HostTensor, type OpInput, type OpRecord, op } from '../record.js'

/**
 * (mask [n], n at least 1) → positions: i64 [n], those of the true elements in ascending order, then zeros; count: i64 [], how
 * many there are.
 */
export const positions: OpRecord = op({
  name: 'positions',
  summary: 'The positions of the true elements of a vector, and how many there are.',
  category: 'index',
  results: ['positions', 'count'],
  call: (mask: OperandValue) => ({ inputs: [mask], attrs: {} }),
  build: (b: GraphBuilder, [mask]: readonly OpInput[]) => build(b, mask!.node),
  reference: ([mask]: readonly HostTensor[]) => {
    const found = [...mask!.data].flatMap((value, i) => (Number(value) === 0 ? [] : [BigInt(i)]))
    const zeros = new Array<bigint>(mask!.data.length - found.length).fill(0n)
    return [
      { dtype: 'i64', shape: mask!.shape, data: [...found, ...zeros] },
      { dtype: 'i64', shape: [], data: [BigInt(found.length)] },
    ]
  },
  gradient: 'none',
})

function build(b: GraphBuilder, mask: GraphNode): readonly GraphNode[] {
  const shape = shapeOf(mask)
  const [length] = shape as [(typeof shape)[number]]
  const number = (value: number): GraphNode => expandTo(b, constant(b, 'i64', value), shape)
  const found = b.node('scan', [castTo(b, mask, 'i64')], { fn: 'add', dim: 0, reverse: false })
  const last = sliceTo(b, found, { starts: [subSizes(length, 1)], steps: [1], sizes: [1] })
  const place = map(b, 'where', mask, map(b, 'sub', found, number(1)), number(-1))
  const source = b.node('iota', [], { length, dtype: 'i64' })
  const put = { dim: 0, fold: 'set', distinct: true } as const
  return [b.node('scatter', [full(b, 'i64', shape, 0), place, source], put), reshapeTo(b, last, [])]
}
