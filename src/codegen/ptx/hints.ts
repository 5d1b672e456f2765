/** Names for values, after what they are. */
import type { LaneNode } from '../../lane/ir.js'
import { memoryName } from './warp.js'

const hints: { readonly [fn: string]: string } = {
  add: 'sum',
  sub: 'difference',
  mul: 'product',
  div: 'quotient',
  fma: 'sum',
  where: 'chosen',
  neg: 'negated',
  max: 'larger',
  min: 'smaller',
  lt: 'is_less',
  le: 'is_at_most',
  gt: 'is_more',
  ge: 'is_at_least',
  eq: 'is_equal',
  ne: 'differs',
  and: 'both',
  or: 'either',
  not: 'opposite',
}

export function hintOf(node: LaneNode): string {
  switch (node.op) {
    case 'map':
      return hints[node.attrs.fn] ?? node.attrs.fn
    case 'load':
    case 'gather':
    case 'loadMatrix':
      return `${memoryName(node.inputs[0]!)}_v`
    case 'cast':
      return `${node.attrs.to}`
    case 'fold':
      return 'folded'
    case 'shuffle':
      return 'shuffled'
    case 'mma':
      return 'acc'
    case 'approximate':
      return node.attrs.fn
    default:
      return node.op
  }
}
