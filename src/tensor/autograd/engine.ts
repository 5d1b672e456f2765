/** The backward pass: gradients flow from results through the nodes that made them to the leaves. */
import { describeAny } from '../../base/describe.js'
import { ArgumentError, DeviceError, DtypeError, GradientError, ShapeError } from '../../base/errors.js'
import { keepInstance } from '../../base/resident.js'
import { sameShape } from '../../scalar/size.js'
import { itemBytes } from '../../types/dtype.js'
import { TensorHandle } from '../handle.js'
import type { Tensor } from '../tensor-type.js'
import { checkGradient, unchecked } from './anomaly.js'
import {
  type Asked,
  type Edge,
  type GradNode,
  LeafNode,
  ownHistory,
  type ResultType,
  reachable,
  requiresGradNow,
  type TensorOps,
} from './history.js'
import { withRecording } from './mode.js'

export interface Pass {
  readonly roots: readonly Edge[]
  /** Of each root. */
  readonly gradients: readonly Tensor[]
  /** What to give the gradients of; null: they are added to `.grad` of all leaves. */
  readonly wanted: readonly Edge[] | null
  /** To whose `.grad` the gradients of `wanted` are added instead; null: none. */
  readonly into: readonly Tensor[] | null
  /** Keep what was saved, for another pass. */
  readonly retainGraph: boolean
  /** Record the pass itself. */
  readonly createGraph: boolean
}

/** The gradients of what is wanted; null where none flows. Throws GradientError. */
export const runBackward = (pass: Pass, ops: TensorOps): readonly (Tensor | null)[] =>
  withRecording(pass.createGraph, () => new Engine(pass, ops).run())

class Engine {
  readonly #pass: Pass
  readonly #ops: TensorOps
  /** What has flowed into each node so far. */
  readonly #arrived = new Map<GradNode, (Tensor | null)[]>()
  /** How many edges into each leaf are still to come. */
  readonly #awaited = new Map<LeafNode, number>()
  /** Nodes that lead to what is wanted; null: all do. */
  readonly #leading: Set<GradNode> | null
  /** The nodes of what is wanted. */
  readonly #ends: ReadonlySet<GradNode>
  readonly #nodes: readonly GradNode[]
  readonly #found: (Tensor | null)[]
  readonly #asked: Asked
  /** By memory, in how many places a gradient is: one that is alone in its memory becomes `.grad` without a copy. */
  readonly #holders = new Map<object, number>()

  constructor(pass: Pass, ops: TensorOps) {
    this.#pass = pass
    this.#ops = ops
    const { roots, wanted } = pass
    this.#nodes = [...reachable(roots.map(nodeOf))].sort(laterFirst)
    this.#found = wanted === null ? [] : new Array<null>(wanted.length).fill(null)
    this.#ends = wanted === null ? none : new Set(wanted.map(nodeOf))
    this.#leading = wanted === null ? null : leadingTo(this.#nodes, this.#ends)
    this.#asked = ({ node }) => this.#leading === null || this.#leading.has(node) || this.#ends.has(node)
    for (let n = 0; n < this.#nodes.length; n++) {
      const { edges } = this.#nodes[n]!
      for (let i = 0; i < edges.length; i++) this.#await(edges[i]!)
    }
    for (let i = 0; i < roots.length; i++) this.#await(roots[i]!)
  }

  run(): readonly (Tensor | null)[] {
    const { roots, gradients } = this.#pass
    for (let i = 0; i < roots.length; i++) {
      this.#hold(gradients[i]!, Number.POSITIVE_INFINITY)
      this.#send(roots[i]!, gradients[i]!)
    }
    for (let n = 0; n < this.#nodes.length; n++) {
      const node = this.#nodes[n]!
      if (!(node instanceof LeafNode)) this.#process(node)
    }
    return this.#found
  }

  #await(edge: Edge | null): void {
    if (edge?.node instanceof LeafNode) this.#awaited.set(edge.node, (this.#awaited.get(edge.node) ?? 0) + 1)
  }

  /** Adds a gradient to what flows into a node. A leaf goes on at once when all has arrived. */
  #send({ node, output }: Edge, gradient: Tensor | null): void {
    if (gradient !== null) {
      let arrived = this.#arrived.get(node)
      if (arrived === undefined) {
        arrived = new Array<null>(node.results.length).fill(null)
        this.#arrived.set(node, arrived)
      }
      const before = arrived[output] ?? null
      arrived[output] = before === null ? gradient : this.#ops.add(before, gradient)
      if (before !== null) this.#hold(before, -1)
      this.#hold(arrived[output]!, 1)
    }
    if (!(node instanceof LeafNode)) return
    const awaited = this.#awaited.get(node)! - 1
    this.#awaited.set(node, awaited)
    if (awaited === 0) this.#process(node)
  }

  #hold(gradient: Tensor, count: number): void {
    this.#holders.set(gradient.source, (this.#holders.get(gradient.source) ?? 0) + count)
  }

  #process(node: GradNode): void {
    const arrived = this.#arrived.get(node)
    this.#arrived.delete(node)
    const flowing = arrived === undefined ? null : this.#applied(node, arrived)
    if (arrived !== undefined)
      for (let i = 0; i < arrived.length; i++) if (arrived[i] !== null) this.#hold(arrived[i]!, -1)
    const { edges } = node
    for (let i = 0; i < edges.length; i++) {
      const edge = edges[i]!
      // Leaves wait for every edge, other nodes for their turn.
      if (edge !== null && (flowing !== null || edge.node instanceof LeafNode)) this.#send(edge, flowing?.[i] ?? null)
    }
  }

  /** What flows on from a node; null: nothing. */
  #applied(node: GradNode, arrived: (Tensor | null)[]): readonly (Tensor | null)[] | null {
    const isEnd = this.#ends.has(node)
    if (isEnd || node.hooks !== null || node.retained !== null) this.#requireWhole(node, arrived)
    if (node.hooks !== null) this.#callHooks(node, arrived)
    if (isEnd) this.#find(node, arrived)
    if (node.retained !== null)
      for (const [output, tensor] of node.retained) this.#accumulate(tensor, arrived[output] ?? null, true)
    if (node instanceof LeafNode) {
      const isOpen = this.#pass.wanted === null && requiresGradNow(node.tensor) // it may have been switched off since
      if (isOpen) this.#accumulate(node.tensor, arrived[0]!, node.hooks !== null)
      return null
    }
    if (this.#leading !== null && !this.#leading.has(node)) return null
    const flowing = unchecked(() => node.apply(arrived, this.#ops, this.#asked))
    checkGradient(node, arrived, flowing)
    if (!this.#pass.retainGraph) node.release()
    if (node.isForeign) for (const each of flowing) if (each !== null) this.#hold(each, Number.POSITIVE_INFINITY)
    return flowing
  }

  /** Throws GradientError where someone asks for a gradient that a compiled call does not tell. */
  #requireWhole(node: GradNode, arrived: readonly (Tensor | null)[]): void {
    const seen = [...(node.hooks ?? []).map(({ output }) => output), ...(node.retained?.keys() ?? [])]
    for (const edge of this.#pass.wanted ?? []) if (edge.node === node) seen.push(edge.output)
    if (!seen.some(output => node.isPartial(output, arrived))) return
    throw new GradientError(
      'backward: the gradient of a result of a compiled function is asked for, while another result of the same call, which was computed of it, is differentiated',
      { fix: 'take that gradient inside the compiled function, or compile the two parts apart' },
    )
  }

  #find(node: GradNode, arrived: readonly (Tensor | null)[]): void {
    const { wanted, into } = this.#pass
    if (wanted === null) return
    for (let i = 0; i < wanted.length; i++) {
      const edge = wanted[i]!
      if (edge.node !== node) continue
      const gradient = arrived[edge.output] ?? null
      if (into === null) this.#found[i] = gradient
      else this.#accumulate(into[i]!, gradient, true)
    }
  }

  #callHooks(node: GradNode, arrived: (Tensor | null)[]): void {
    for (const { output, hook } of [...node.hooks!]) {
      const gradient = arrived[output] ?? null
      if (gradient === null) continue
      const replaced = hook(gradient)
      this.#hold(gradient, Number.POSITIVE_INFINITY)
      if (replaced === undefined || replaced === null) continue
      arrived[output] = checkGradientOf('the gradient that a hook gave', replaced, node.results[output]!)
      this.#hold(replaced, Number.POSITIVE_INFINITY)
    }
  }

  /** Adds to `.grad`: in place, unless the pass is recorded. `isShared`: someone else may have the gradient too. */
  #accumulate(tensor: Tensor, gradient: Tensor | null, isShared: boolean): void {
    if (gradient === null) return
    const history = ownHistory(tensor)
    const { grad } = history
    if (grad === null) {
      const isOwn = !isShared && this.#holders.get(gradient.source) === 1 && gradient.isContiguous() && fills(gradient)
      history.grad = isOwn ? gradient : this.#ops.copy(gradient)
      if (history.grad.source.kind === 'storage') history.grad.source.outlivesScopes = true
    } else if (this.#pass.createGraph) history.grad = this.#ops.add(grad, gradient)
    else this.#ops.assign('backward', grad, this.#ops.add(grad, gradient))
  }
}

/** Whether it is all of its memory. */
const fills = ({ source, layout, dtype }: Tensor): boolean =>
  source.kind === 'storage' && layout.offset === 0 && source.bytes === layout.elements * itemBytes(dtype)

/** The leaves that the roots lead to. */
export const leavesOf = (roots: readonly Edge[]): LeafNode[] =>
  [...reachable(roots.map(({ node }) => node))].filter(node => node instanceof LeafNode)

const none: ReadonlySet<GradNode> = new Set()
const nodeOf = ({ node }: Edge): GradNode => node
const laterFirst = (a: GradNode, b: GradNode): number => b.sequence - a.sequence

/** Those of the nodes, in descending order, from which one of `ends` is reached, beside themselves. */
function leadingTo(nodes: readonly GradNode[], ends: ReadonlySet<GradNode>): Set<GradNode> {
  const leading = new Set<GradNode>()
  for (let n = nodes.length - 1; n >= 0; n--) {
    const node = nodes[n]!
    const { edges } = node
    for (let i = 0; i < edges.length; i++) {
      const edge = edges[i]!
      if (edge !== null && (ends.has(edge.node) || leading.has(edge.node))) leading.add(node)
    }
  }
  return leading
}

/** Throws ArgumentError, ShapeError, DtypeError or DeviceError when `given` is no gradient of a result of that type. */
export function checkGradientOf(what: string, given: unknown, type: ResultType | Tensor): Tensor {
  const { dtype, device } = type
  const sizes = type instanceof TensorHandle ? type.sizes : type.layout.shape
  if (!(given instanceof TensorHandle))
    throw new ArgumentError(`${what} is ${describeAny(given)}, not a tensor`, { fix: 'give a tensor' })
  const both = (): string => `${what} is ${given.describe()}, of a tensor ${dtype}[${sizes.join(', ')}]`
  if (!sameShape(given.sizes, sizes)) throw new ShapeError(both(), { fix: 'give it the same shape' })
  if (given.dtype !== dtype) throw new DtypeError(both(), { fix: `cast it: g.to('${dtype}')` })
  if (given.device !== device)
    throw new DeviceError(`${both()}, on ${given.device} instead of ${device}`, { fix: `move it: g.to('${device}')` })
  return given as Tensor
}

keepInstance(
  new Engine(
    { roots: [], gradients: [], wanted: [], into: null, retainGraph: false, createGraph: false },
    null as never,
  ),
)
