/**
 * A gather of few elements of an elementwise value becomes that value of few gathered elements: the value need not be stored
 * only to be read at a few places. The loss of a class is thus computed from one logit, the row's maximum and its sum.
 */

import { dtypes } from '../../types/dtype.js'
import { countOf, dtypeOf, expandTo, full, map, shapeOf } from '../build.js'
import { type GraphBuilder, type GraphNode, isContraction, isPointwise, isView } from '../ir.js'
import { type GraphPass, rebuild, remake } from './pass.js'

/** A gather moves where it reads at most this share of the source's elements. */
const fewShare = 8
/** And where the value has at most this many ops. */
const maxOps = 16

type Gather = Extract<GraphNode, { op: 'gather' }>

/** True when far fewer elements are gathered than there are. */
function isFew({ inputs: [source, index], attrs: { dim } }: Gather): boolean {
  const [all, picked] = [shapeOf(source!)[dim]!, shapeOf(index!)[dim]!]
  return typeof picked === 'number' && (typeof all === 'number' ? picked * fewShare <= all : picked === 1)
}

/** What is in memory anyway, whether or not it is gathered. A contraction's result is there rounded, if it is rounded. */
function isStored(node: GraphNode): boolean {
  let inner = node
  while (isView(inner)) inner = inner.inputs[0]!
  return inner.op === 'input' || isContraction(inner) || isRounding(inner)
}

function isRounding(node: GraphNode): boolean {
  const [source] = node.inputs
  if (node.op !== 'cast' || dtypes[node.attrs.to].bits >= dtypes[dtypeOf(source!)].bits) return false
  let inner = source!
  while (isView(inner)) inner = inner.inputs[0]!
  return isContraction(inner)
}

/** Writes the value of nodes at gathered places. Null from `at`: it cannot, or it would take too many ops. */
class Picked {
  #left = maxOps

  constructor(
    readonly b: GraphBuilder,
    readonly index: GraphNode,
    readonly dim: number,
  ) {}

  at(node: GraphNode): GraphNode | null {
    const { b, index, dim } = this
    const shape = shapeOf(index)
    if (node.op === 'expand') {
      const [source] = node.inputs as [GraphNode]
      const own = dim - (shapeOf(node).length - shapeOf(source).length)
      if (own < 0 || shapeOf(source)[own] === 1) return expandTo(b, source, shape)
    }
    if (isPointwise(node) && !isStored(node)) {
      if (--this.#left < 0) return null
      const inputs = node.inputs.map(input => this.at(input))
      return inputs.every(input => input !== null) ? remake(b, node, inputs) : null
    }
    return isStored(node) ? b.node('gather', [node, index], { dim }) : null
  }
}

/** A gather is 0 outside, whatever the value of 0 is. */
function moved(b: GraphBuilder, { inputs: [source, index], attrs: { dim } }: Gather): GraphNode | null {
  if (!isPointwise(source!) || isStored(source!)) return null
  const value = new Picked(b, index!, dim).at(source!)
  if (value === null) return null
  const shape = shapeOf(index!)
  const size = expandTo(b, countOf(b, shapeOf(source!)[dim]!, 'i64'), shape)
  const inside = map(b, 'and', map(b, 'ge', index!, full(b, 'i64', shape, 0n)), map(b, 'lt', index!, size))
  const dtype = dtypeOf(source!)
  return map(b, 'where', inside, value, full(b, dtype, shape, dtype === 'i64' ? 0n : 0))
}

export const moveGathers: GraphPass = {
  name: 'move gathers',
  requires: 'regions are inlined',
  guarantees: 'a gather of few elements reads what is in memory, where elementwise ops lie between',
  run: graph =>
    rebuild(graph, 'move gathers', (b, node, inputs) => {
      const made = remake(b, node, inputs)
      return made.op === 'gather' && isFew(made) ? (moved(b, made) ?? made) : made
    }),
}
