/** Derivatives of control flow: of a condition, those of the block that runs, under the same predicate. */
import { GradientError } from '../../base/errors.js'
import { transplant } from '../../ir/transplant.js'
import { denseStrides } from '../apply.js'
import { type GraphBlock, type GraphBuilder, type GraphNode, graphDialect, typeOf } from '../ir.js'
import { isSmooth, type NodeOfOp, type Rule, type Slope, zerosLike } from './rule.js'

/** A closed block on more operands: `build` gets the results of the old block, and all params. */
function blockOn(
  b: GraphBuilder,
  block: GraphBlock,
  operands: readonly GraphNode[],
  build: (results: readonly GraphNode[], params: readonly GraphNode[]) => readonly GraphNode[],
): GraphBlock {
  const params = operands.map((node, index) => {
    const { dtype, shape } = typeOf(node)
    return b.node('input', [], { index, name: `operand${index}`, dtype, shape, strides: denseStrides(shape) })
  })
  const own = new Map(block.params.map((param, i) => [param, params[i]!]))
  return b.block(params, () => {
    const results = build(
      transplant(graphDialect, b, block, node => own.get(node) ?? null),
      params,
    )
    // Results have memory of their own.
    return results.map((result, memory) => b.node('copy', [result], { memory }))
  })
}

/** The indices at which there is something, and what it is. */
const present = (slopes: readonly Slope[]): readonly { readonly at: number; readonly slope: GraphNode }[] =>
  slopes.flatMap((slope, at) => (slope === null ? [] : [{ at, slope }]))

/** A condition on the operands and `more`, with two other blocks; its results. */
function condOn(
  b: GraphBuilder,
  { inputs: [predicate, ...operands], blocks }: NodeOfOp<'cond'>,
  more: readonly GraphNode[],
  build: (
    results: readonly GraphNode[],
    params: readonly GraphNode[],
    extra: readonly GraphNode[],
  ) => readonly GraphNode[],
): readonly GraphNode[] {
  const all = [...operands, ...more]
  const changed = blocks.map(block =>
    blockOn(b, block, all, (results, params) =>
      build(results, params.slice(0, operands.length), params.slice(operands.length)),
    ),
  )
  const node = b.node('cond', [predicate!, ...all], {}, changed)
  return changed[0]!.results.map((_, index) => b.node('item', [node], { index }))
}

export const condRule: Rule<'cond'> = {
  reverse: ({ b, node, cotangents, needs, modes }) => {
    const given = present(cotangents)
    const wanted = node.inputs.flatMap((_, i) => (needs[i] ? [i] : []))
    const gradients = condOn(
      b,
      node,
      given.map(({ slope }) => slope),
      (results, operands, extra) => {
        const inputs = wanted.map(i => operands[i - 1]!)
        const found = modes.vjp(b, { outputs: given.map(({ at }) => results[at]!), cotangents: extra, inputs })
        return found.map((gradient, i) => gradient ?? zerosLike(b, inputs[i]!))
      },
    )
    return node.inputs.map((_, i) => (needs[i] ? gradients[wanted.indexOf(i)]! : null))
  },
  forward: ({ b, node, tangents, modes }) => {
    const given = present(tangents)
    const isCounted = node.blocks[0]!.results.map(result => isSmooth(typeOf(result).dtype))
    const results = condOn(
      b,
      node,
      given.map(({ slope }) => slope),
      (values, operands, extra) => {
        const outputs = values.filter((_, i) => isCounted[i])
        const found = modes.jvp(b, { outputs, inputs: given.map(({ at }) => operands[at - 1]!), tangents: extra })
        return found.map((tangent, i) => tangent ?? zerosLike(b, outputs[i]!))
      },
    )
    let next = 0
    return isCounted.map(counts => (counts ? results[next++]! : null))
  },
}

const refuse =
  (what: string, fix: string) =>
  (node: GraphNode): never => {
    throw new GradientError(what, { at: node.origin.at ?? undefined, fix })
  }

const refuseLoop = refuse(
  'whileLoop: no gradient flows through a loop whose number of steps is found out at run time',
  'use scan(fn, states, sequences), whose number of steps is known; or detach() its operands',
)

export const loopRule: Rule<'loop'> = {
  reverse: ({ node }) => refuseLoop(node),
  forward: ({ node }) => refuseLoop(node),
}

export const launchRule: Rule<'launch'> = {
  reverse: ({ node }) => refuseLaunch(node),
  forward: ({ node }) => refuseLaunch(node),
}

function refuseLaunch(node: NodeOfOp<'launch'>): never {
  throw new GradientError(`${node.attrs.kernel.name}: this kernel has no gradient`, {
    at: node.origin.at ?? undefined,
    fix: 'give it one: kernel({ …, gradient }); or detach() its inputs',
  })
}
