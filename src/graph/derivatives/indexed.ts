/** Derivatives of what picks, places and orders elements by indices. */
import { productOf } from '../../scalar/size.js'
import { castTo, dtypeOf, expandTo, full, map, reshapeTo, shapeOf, toCompute } from '../build.js'
import type { GraphBuilder, GraphNode, GraphOps, Shape } from '../ir.js'
import { emitter } from '../ops/elementwise.js'
import { type ForwardCall, type ReverseCall, type Rule, type Slope, zerosLike } from './rule.js'

type ScatterAttrs = GraphOps['scatter']

const gathered = (b: GraphBuilder, source: GraphNode, index: GraphNode, dim: number): GraphNode =>
  b.node('gather', [source, index], { dim })

const scattered = (
  b: GraphBuilder,
  into: GraphNode,
  index: GraphNode,
  source: GraphNode,
  attrs: ScatterAttrs,
): GraphNode => b.node('scatter', [into, index, source], attrs)

/** Sums in the compute dtype: one element may be added to many times. */
function addedAt(b: GraphBuilder, shape: Shape, index: GraphNode, v: GraphNode, dim: number): GraphNode {
  const wide = toCompute(b, v)
  return castTo(b, scattered(b, full(b, dtypeOf(wide), shape, 0), index, wide, { dim, fold: 'add' }), dtypeOf(v))
}

/** One element per row was picked: each element of the row compares its place, so that nothing has to be scattered. */
function whereChosen(b: GraphBuilder, source: GraphNode, index: GraphNode, g: GraphNode, dim: number): GraphNode {
  const shape = shapeOf(source)
  const along = shape.map((size, d) => (d === dim ? size : 1))
  const places = reshapeTo(b, b.node('iota', [], { length: shape[dim]!, dtype: 'i64' }), along)
  const isChosen = map(b, 'eq', expandTo(b, index, shape), expandTo(b, places, shape))
  return onlyWhere(b, isChosen, expandTo(b, g, shape))
}

export const gatherRule: Rule<'gather'> = {
  reverse: ({ b, node, cotangents: [g] }) => {
    const [source, index] = node.inputs as readonly [GraphNode, GraphNode]
    if (shapeOf(index)[node.attrs.dim] === 1) return [whereChosen(b, source, index, g!, node.attrs.dim), null]
    return [addedAt(b, shapeOf(source), index, g!, node.attrs.dim), null]
  },
  forward: ({ b, node, tangents: [t] }) => [gathered(b, t!, node.inputs[1]!, node.attrs.dim)],
}

// --- rows in order -----------------------------------------------------------------------------------------------------------

/** The values go back to where the indices say that they were. */
const orderRule: Rule<'sort'> & Rule<'topk'> = {
  reverse: ({ b, node, cotangents: [g] }: ReverseCall<'sort'> | ReverseCall<'topk'>) => {
    if (!g) return [null]
    const index = b.node('item', [node], { index: 1 })
    const { dim } = node.attrs
    return [scattered(b, zerosLike(b, node.inputs[0]!), index, g, { dim, fold: 'set', distinct: true })]
  },
  forward: ({ b, node, tangents: [t] }: ForwardCall<'sort'> | ForwardCall<'topk'>) => {
    const index = b.node('item', [node], { index: 1 })
    return [gathered(b, t!, index, node.attrs.dim), null]
  },
}

export const sortRule: Rule<'sort'> = orderRule
export const topkRule: Rule<'topk'> = orderRule

/** As `orderRule`; positions may be equal, so the values go back to sums. */
export const nthRule: Rule<'nth'> = {
  reverse: ({ b, node, cotangents: [g] }) => {
    const index = b.node('item', [node], { index: 1 })
    return [g ? addedAt(b, shapeOf(node.inputs[0]!), index, g, node.attrs.dim) : null, null]
  },
  forward: ({ b, node, tangents: [t] }) => {
    const index = b.node('item', [node], { index: 1 })
    return [gathered(b, t!, index, node.attrs.dim), null]
  },
}

// --- scatter -----------------------------------------------------------------------------------------------------------------

interface Scatter {
  readonly b: GraphBuilder
  readonly node: GraphNode
  readonly self: GraphNode
  readonly index: GraphNode
  readonly source: GraphNode
  readonly attrs: ScatterAttrs
}

/** Which elements of the source stand in the result: of several for one place the last one. */
function areLast({ b, self, index, attrs: { dim, distinct } }: Scatter): GraphNode | null {
  if (distinct) return null
  const shape = shapeOf(index)
  const places = reshapeTo(b, b.node('iota', [], { length: productOf(shape), dtype: 'i64' }), shape)
  const last = scattered(b, full(b, 'i64', shapeOf(self), -1n), index, places, { dim, fold: 'set' })
  return map(b, 'eq', gathered(b, last, index, dim), places)
}

/** v where the condition holds, else 0. */
function onlyWhere(b: GraphBuilder, condition: GraphNode | null, v: GraphNode): GraphNode {
  if (condition === null) return v
  const wide = toCompute(b, v)
  return castTo(b, map(b, 'where', condition, wide, zerosLike(b, wide)), dtypeOf(v))
}

/** The elements of self that nothing was written to keep `v`; others get 0. */
const whereKept = ({ b, index, source, attrs: { dim } }: Scatter, v: GraphNode): GraphNode =>
  scattered(b, v, index, zerosLike(b, source), { dim, fold: 'set' })

/**
 * The factors of each element in its place's product: the product of all others there. Zeros are counted, so that the
 * products without them tell what the others are.
 */
function otherFactors({ b, self, index, source, node, attrs: { dim } }: Scatter) {
  const e = emitter(b)
  const at = (into: GraphNode, values: GraphNode, fold: 'add' | 'mul'): GraphNode =>
    scattered(b, into, index, values, { dim, fold })
  const [selfZero, sourceZero] = [e('eq', self, 0), e('eq', source, 0)]
  const counted = (isZero: GraphNode): GraphNode => b.node('cast', [isZero], { to: dtypeOf(self) })
  const zeros = at(counted(selfZero), counted(sourceZero), 'add')
  const products = at(e('where', selfZero, 1, self), e('where', sourceZero, 1, source), 'mul')
  const others = (isZero: GraphNode, x: GraphNode, own: (node: GraphNode) => GraphNode): GraphNode => {
    const ofZero = e('where', e('eq', own(zeros), 1), own(products), 0)
    return e('where', isZero, ofZero, e('div', own(node), e('where', isZero, 1, x)))
  }
  return {
    self: others(selfZero, self, one => one),
    source: others(sourceZero, source, one => gathered(b, one, index, dim)),
  }
}

/** Elements equal to the extreme at their place, which share its slope evenly, and how many there are. */
function extremes({ b, self, index, source, node, attrs: { dim } }: Scatter) {
  const e = emitter(b)
  const counted = (isOne: GraphNode): GraphNode => b.node('cast', [isOne], { to: dtypeOf(self) })
  const isSelf = e('eq', self, node)
  const isSource = e('eq', source, gathered(b, node, index, dim))
  const count = scattered(b, counted(isSelf), index, counted(isSource), { dim, fold: 'add' })
  return { e, isSelf, isSource, count }
}

export const scatterRule: Rule<'scatter'> = {
  reverse: ({ b, node, cotangents, needs }) => {
    const g = cotangents[0]!
    const [self, index, source] = node.inputs as readonly [GraphNode, GraphNode, GraphNode]
    const { attrs } = node
    const call: Scatter = { b, node, self, index, source, attrs }
    const picked = (v: GraphNode): GraphNode => gathered(b, v, index, attrs.dim)
    switch (attrs.fold) {
      case 'set':
        return [needs[0] ? whereKept(call, g) : null, null, needs[2] ? onlyWhere(b, areLast(call), picked(g)) : null]
      case 'add':
        return [g, null, needs[2] ? picked(g) : null]
      case 'mul':
        return wide(call, ([own, e]) => {
          const others = otherFactors(own)
          return [e('mul', toCompute(b, g), others.self), e('mul', picked(toCompute(b, g)), others.source)]
        })
      case 'min':
      case 'max':
        return wide(call, ([own]) => {
          const { e, isSelf, isSource, count } = extremes(own)
          const share = e('div', toCompute(b, g), count)
          return [e('where', isSelf, share, 0), e('where', isSource, picked(share), 0)]
        })
      default:
        return attrs.fold satisfies never
    }
  },
  forward: ({ b, node, tangents: [t, , u] }) => {
    const [self, index, source] = node.inputs as readonly [GraphNode, GraphNode, GraphNode]
    const { attrs } = node
    const call: Scatter = { b, node, self, index, source, attrs }
    const ofSelf = t ?? zerosLike(b, self)
    const ofSource = u ?? zerosLike(b, source)
    if (attrs.fold === 'set' || attrs.fold === 'add') return [scattered(b, ofSelf, index, ofSource, attrs)]
    const added = (x: GraphNode, y: GraphNode): GraphNode => scattered(b, x, index, y, { dim: attrs.dim, fold: 'add' })
    const wider = (v: GraphNode): GraphNode => toCompute(b, v)
    const [sum] = wide(call, ([own, e]) => {
      if (attrs.fold === 'mul') {
        const others = otherFactors(own)
        return [added(e('mul', wider(ofSelf), others.self), e('mul', wider(ofSource), others.source)), null]
      }
      const { isSelf, isSource, count } = extremes(own)
      return [
        e('div', added(e('where', isSelf, wider(ofSelf), 0), e('where', isSource, wider(ofSource), 0)), count),
        null,
      ]
    })
    return [sum!]
  },
}

type Emit = ReturnType<typeof emitter>

/** Computes the slopes of self and source in the compute dtype, and rounds them once. */
function wide(
  call: Scatter,
  compute: (args: readonly [Scatter, Emit]) => readonly [Slope, Slope],
): readonly [Slope, null, Slope] {
  const { b, self, source, node } = call
  const own = { ...call, self: toCompute(b, self), source: toCompute(b, source), node: toCompute(b, node) }
  const rounded = (slope: Slope): Slope => slope && castTo(b, slope, dtypeOf(self))
  const [first, second] = compute([own, emitter(b)])
  return [rounded(first), null, rounded(second)]
}
