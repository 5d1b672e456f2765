/**
 * Derivatives of loops over the elements of sequences. Backwards, a loop runs over the elements in the other order: it carries the
 * gradients of the carried values and the sums of those of the invariants, and reads what the forward loop has kept of each step.
 */
import { contentHash } from '../../base/canonical.js'
import { print } from '../../ir/print.js'
import { transplant } from '../../ir/transplant.js'
import { ownNodesOf } from '../../ir/walk.js'
import { denseStrides } from '../apply.js'
import { castTo, dtypeOf, map, toCompute } from '../build.js'
import {
  type Graph,
  type GraphBlock,
  type GraphBuilder,
  type GraphNode,
  graphDialect,
  type TensorType,
  typeOf,
} from '../ir.js'
import { rebuild, remake } from '../passes/pass.js'
import { isSmoothType, type Modes, type NodeOfOp, type Rule, type Slope, standIn, zerosLike } from './rule.js'
import { readBy } from './saved.js'
import { substituted } from './substitute.js'

type StepsNode = NodeOfOp<'steps'>

/** The type of what a sequence consists of. */
export const elementType = ({ dtype, shape: [, ...shape] }: TensorType): TensorType => ({
  kind: 'tensor',
  dtype,
  shape,
})

/** The `body` of a loop that is captured. */
export const nameOfBody = (block: GraphBlock): string =>
  contentHash([print<GraphNode>(graphDialect, block)]).slice(0, 16)

/** What a loop carries, gets an element of at each step, and gets at each step. */
interface Operands {
  readonly carried: readonly GraphNode[]
  readonly sequences: readonly GraphNode[]
  readonly invariants: readonly GraphNode[]
}

function operandsOf({ inputs, attrs: { carried, sequences } }: StepsNode): Operands {
  const last = carried + sequences
  return { carried: inputs.slice(0, carried), sequences: inputs.slice(carried, last), invariants: inputs.slice(last) }
}

/**
 * The results of a new `steps` node; `build` gives those of one step from the block's params. `extended`: the `body` attribute of a
 * node with the same inputs whose results are the first of these, so that the two become one.
 */
function loop(
  b: GraphBuilder,
  { carried, sequences, invariants }: Operands,
  { reverse, extended = null }: { readonly reverse: boolean; readonly extended?: string | null },
  build: (params: readonly GraphNode[]) => readonly GraphNode[],
): readonly GraphNode[] {
  const elements = sequences.map(sequence => elementType(typeOf(sequence)))
  const types = [...carried.map(typeOf), ...elements, ...invariants.map(typeOf)]
  const params = types.map(({ dtype, shape }, index) =>
    b.node('input', [], { index, name: `operand${index}`, dtype, shape, strides: denseStrides(shape) }),
  )
  // Results have memory of their own.
  const block = b.block(params, () => build(params).map((result, memory) => b.node('copy', [result], { memory })))
  const own = nameOfBody(block)
  const body = extended === null ? own : `${extended}+${own}`
  const attrs = { carried: carried.length, sequences: sequences.length, reverse, body }
  const node = b.node('steps', [...carried, ...sequences, ...invariants], attrs, [block])
  return block.results.map((_, index) => b.node('item', [node], { index }))
}

function inlined(b: GraphBuilder, block: GraphBlock, values: readonly GraphNode[]): readonly GraphNode[] {
  const own = new Map(block.params.map((param, i) => [param, values[i]!]))
  return transplant(graphDialect, b, block, node => own.get(node) ?? null)
}

const indicesOf = <T>(list: readonly T[], holds: (item: T, index: number) => boolean): readonly number[] =>
  list.flatMap((item, i) => (holds(item, i) ? [i] : []))

/** Takes the next so many items of a list at each call. */
function taking<T>(list: readonly T[]): (count: number) => readonly T[] {
  let at = 0
  return count => {
    at += count
    return list.slice(at - count, at)
  }
}

const standIns = (b: GraphBuilder, types: readonly TensorType[], first = 0): readonly GraphNode[] =>
  types.map((type, i) => standIn(b, type, first + i))

/** Which gradients a backward loop gets and gives, by the indices of the forward loop's results and params. */
class Backward {
  readonly block: GraphBlock
  /** Carried values that have gradients. */
  readonly flowing: readonly number[]
  /** Results whose gradients are given: those of the carried values, which flow from step to step, and stacked ones. */
  readonly stacked: readonly number[]
  /** Params whose gradients are asked for. */
  readonly elements: readonly number[]
  readonly invariants: readonly number[]

  constructor(
    readonly node: StepsNode,
    cotangents: readonly Slope[],
    needs: readonly boolean[],
    readonly modes: Modes,
  ) {
    const { carried, sequences } = node.attrs
    const last = carried + sequences
    this.block = node.blocks[0]!
    this.flowing = indicesOf(node.inputs, (input, i) => i < carried && isSmoothType(typeOf(input)))
    this.stacked = indicesOf(cotangents, (slope, i) => i >= carried && slope !== null)
    this.elements = indicesOf(needs, (need, i) => need && i >= carried && i < last)
    this.invariants = indicesOf(needs, (need, i) => need && i >= last)
  }

  get given(): readonly number[] {
    return [...this.flowing, ...this.stacked]
  }

  /** A step for these params, the gradients of what flows, of invariants and of elements, and what they read of the step. */
  step(b: GraphBuilder, params: readonly GraphNode[], cotangents: readonly GraphNode[]) {
    const results = inlined(b, this.block, params)
    const inputs = [...this.flowing, ...this.invariants, ...this.elements].map(i => params[i]!)
    const outputs = this.given.map(i => results[i]!)
    const found = this.modes.vjp(b, { outputs, cotangents, inputs })
    const gradients = found.map((gradient, i) => gradient ?? zerosLike(b, inputs[i]!))
    const { saved, read } = readBy(gradients, new Set(cotangents), new Set(params))
    const carried = params.slice(0, this.node.attrs.carried)
    return { results, gradients, saved: [...saved, ...carried.filter(param => read.has(param))] }
  }
}

export const stepsRule: Rule<'steps'> = {
  reverse: ({ b, node, cotangents, needs, modes }) => {
    const { carried, sequences, invariants } = operandsOf(node)
    const { reverse, body } = node.attrs
    const backward = new Backward(node, cotangents, needs, modes)
    const { block, flowing, stacked, elements, invariants: summed } = backward
    const seeds = backward.given.map(i => typeOf(block.results[i]!))
    const kept = loop(b, operandsOf(node), { reverse, extended: body }, params => {
      const { results, saved } = backward.step(b, params, standIns(b, seeds))
      return [...results, ...saved]
    }).slice(block.results.length)
    const sums = summed.map(i => toCompute(b, zerosLike(b, node.inputs[i]!)))
    const ends = flowing.map(i => cotangents[i] ?? zerosLike(b, carried[i]!))
    const slopes = stacked.map(i => cotangents[i]!)
    const operands = { carried: [...ends, ...sums], sequences: [...kept, ...sequences, ...slopes], invariants }
    const found = loop(b, operands, { reverse: !reverse }, params => {
      const take = taking(params)
      const [flow, sum, saved, given] = [flowing, sums, kept, sequences].map(({ length }) => take(length))
      const [slope, fixed] = [slopes, invariants].map(({ length }) => take(length))
      const own = standIns(b, carried.map(typeOf), seeds.length)
      const step = backward.step(b, [...own, ...given!, ...fixed!], [...flow!, ...slope!])
      const gradients = substituted(b, step.gradients, new Map(step.saved.map((each, i) => [each, saved![i]!])))
      return gradients.map((gradient, i) => {
        const at = i - flowing.length
        return at >= 0 && at < sum!.length ? map(b, 'add', sum![at]!, toCompute(b, gradient)) : gradient
      })
    })
    const order = [...flowing, ...summed, ...elements]
    return node.inputs.map((input, i) => {
      const gradient = found[order.indexOf(i)]
      return gradient === undefined || !needs[i] ? null : castTo(b, gradient, dtypeOf(input))
    })
  },
  forward: ({ b, node, tangents, modes }) => {
    const { carried, sequences, invariants } = operandsOf(node)
    const [block] = node.blocks as readonly [GraphBlock]
    const [first, last] = [carried.length, carried.length + sequences.length]
    const flowing = indicesOf(node.inputs, (input, i) => i < first && isSmoothType(typeOf(input)))
    const elements = indicesOf(tangents, (slope, i) => slope !== null && i >= first && i < last)
    const fixed = indicesOf(tangents, (slope, i) => slope !== null && i >= last)
    const outputs = indicesOf(block.results, result => isSmoothType(typeOf(result)))
    const operands = {
      carried: [...carried, ...flowing.map(i => tangents[i] ?? zerosLike(b, carried[i]!))],
      sequences: [...sequences, ...elements.map(i => tangents[i]!)],
      invariants: [...invariants, ...fixed.map(i => tangents[i]!)],
    }
    const found = loop(b, operands, { reverse: node.attrs.reverse }, params => {
      const take = taking(params)
      const [states, flow, given, slope] = [carried, flowing, sequences, elements].map(({ length }) => take(length))
      const [others, direction] = [invariants, fixed].map(({ length }) => take(length))
      const own = [...states!, ...given!, ...others!]
      const results = inlined(b, block, own)
      const pushed = modes.jvp(b, {
        outputs: outputs.map(i => results[i]!),
        inputs: [...flowing, ...elements, ...fixed].map(i => own[i]!),
        tangents: [...flow!, ...slope!, ...direction!],
      })
      const found = pushed.map((tangent, i) => tangent ?? zerosLike(b, results[outputs[i]!]!))
      return [...results.slice(0, first), ...found.slice(0, flowing.length), ...results.slice(first), ...found.slice(flowing.length)] // biome-ignore format: one line
    })
    return block.results.map((_, i) => {
      const at = outputs.indexOf(i)
      if (at < 0) return null
      return at < flowing.length ? found[first + at]! : found[block.results.length + at]!
    })
  },
}

/** Loops that give the same, and some of them more, become one. */
export function oneLoop(graph: Graph): Graph {
  const loops = ownNodesOf(graph.body).filter(node => node.op === 'steps')
  if (loops.length < 2) return graph
  const keyOf = ({ inputs, attrs }: StepsNode): string => `${inputs.map(({ id }) => id).join()}${attrs.reverse}`
  const isMore = (one: StepsNode, other: StepsNode): boolean =>
    keyOf(one) === keyOf(other) && `${one.attrs.body}+`.startsWith(`${other.attrs.body}+`)
  const most = new Map<GraphNode, StepsNode>(
    loops.map(node => [node, loops.reduce((best, other) => (isMore(other, best) ? other : best), node)]),
  )
  const made = new Map<StepsNode, GraphNode>()
  return rebuild(graph, 'loops', (b, node, inputs) => {
    const best = most.get(node)
    if (best === undefined) return remake(b, node, inputs)
    const known = made.get(best) ?? remake(b, best, inputs)
    made.set(best, known)
    return known
  })
}
