/**
 * What to keep of the values that a backward pass reads, and what to compute again from what is kept: the partition with the fewest
 * bytes, as a minimum cut (the rule of Zheng et al., arXiv:2211.04934, Torch's partitioner). Work per element, of one
 * element each, may be repeated, since it joins the kernels that read it; everything else is kept or not needed. So are small
 * copies of fewer bits of what is kept in any case, such as weights in 16 bits: another kernel would make them for the products that
 * read them. Large ones take it little time beside their products, and much memory.
 */
import { evaluateSize, productOf, type Size, symbolsOf } from '../../scalar/size.js'
import { dtypes } from '../../types/dtype.js'
import { dtypeOf } from '../build.js'
import { type GraphNode, type GraphOpName, isView } from '../ir.js'
import { isChangedQuietly } from './quiet.js'

/** Whether a value may be computed again from its inputs. */
const isRepeatable: Readonly<Record<GraphOpName, boolean>> = {
  input: false,
  scalarInput: false,
  constant: true,
  size: true,
  iota: true,
  map: true,
  cast: true,
  bitcast: true,
  copy: true,
  permute: true,
  expand: true,
  reshape: true,
  slice: true,
  affine: true,
  pad: true,
  reduce: false,
  scan: false,
  matmul: false,
  conv: false,
  convLast: false,
  convWeight: false,
  maxPool: false,
  foldWindows: false,
  groupOf: true,
  raggedMatmul: false,
  attention: false,
  attentionGradient: false,
  cat: false,
  gather: false,
  scatter: false,
  sort: false,
  topk: false,
  nth: false,
  random: false,
  launch: false,
  region: true,
  detach: true,
  fence: false,
  gradient: false,
  variable: true,
  custom: false,
  cond: false,
  loop: false,
  steps: false,
  item: false,
}

/** What a value is computed from: of a region, its formula. */
export const madeFrom = (node: GraphNode): readonly GraphNode[] =>
  node.op === 'region' ? node.inputs.slice(node.attrs.operands) : node.inputs

/** Whether it is its input as soon as there is no gradient to be taken. */
const isPassed = ({ op }: GraphNode): boolean => op === 'detach' || op === 'variable'

/** Whether a value is its inputs' elements in another arrangement: it needs no memory of its own. */
export const isArranged = (node: GraphNode): boolean => isView(node) || node.op === 'region' || isPassed(node)

/** Bytes up to which a copy of fewer bits is kept. */
const mostNarrowed = 32 << 20

/** Whether a value is its input in a dtype of fewer bits, and small. */
const isNarrowed = (node: GraphNode): boolean =>
  node.op === 'cast' &&
  dtypes[dtypeOf(node)].bits < dtypes[dtypeOf(node.inputs[0]!)].bits &&
  typicalBytes(node) <= mostNarrowed

/** What sizes that are known at run time only are taken to be. */
const typicalSize = 64

/** The bytes of a value; `typicalSize` stands for sizes that are not known. */
export function typicalBytes(node: GraphNode): number {
  if (node.type.kind !== 'tensor') return Number.POSITIVE_INFINITY
  const { dtype, shape } = node.type
  const size: Size = productOf(shape)
  const count =
    typeof size === 'number' ? size : evaluateSize(size, new Map([...symbolsOf(size)].map(name => [name, typicalSize])))
  return Math.max(1, (count * dtypes[dtype].bits) / 8)
}

/**
 * The values to keep so that all `needed` can be computed from them. `isFree`: it is kept in any case. A value that is needed may be
 * kept itself.
 */
export function keptFor(needed: Iterable<GraphNode>, isFree: (node: GraphNode) => boolean): ReadonlySet<GraphNode> {
  const network = new Network()
  const seen = new Set(needed)
  for (const node of seen) network.join(`${node.id}+`, 'sink', Number.POSITIVE_INFINITY)
  for (const node of seen) {
    const [before, after] = [`${node.id}-`, `${node.id}+`]
    const inputs = madeFrom(node)
    const isFixed =
      isFree(node) || !isRepeatable[node.op] || isChangedQuietly(node) || (isNarrowed(node) && isFree(inputs[0]!))
    network.join(
      before,
      after,
      isFree(node) ? 0 : isArranged(node) && !isFixed ? Number.POSITIVE_INFINITY : typicalBytes(node),
    )
    if (isFixed) network.join('source', before, Number.POSITIVE_INFINITY)
    else
      for (const input of inputs) {
        seen.add(input)
        network.join(`${input.id}+`, before, Number.POSITIVE_INFINITY)
      }
  }
  const reaching = network.cut()
  return new Set([...seen].filter(({ id }) => !reaching.has(`${id}-`) && reaching.has(`${id}+`)))
}

interface Pipe {
  readonly to: number
  left: number
  readonly back: number
}

/** A flow network; the maximum flow is found by Dinic's method. */
class Network {
  readonly #numbers = new Map<string, number>()
  readonly #pipes: Pipe[][] = []

  #number(name: string): number {
    const known = this.#numbers.get(name)
    if (known !== undefined) return known
    this.#numbers.set(name, this.#pipes.push([]) - 1)
    return this.#pipes.length - 1
  }

  join(from: string, to: string, capacity: number): void {
    const [a, b] = [this.#number(from), this.#number(to)]
    this.#pipes[a]!.push({ to: b, left: capacity, back: this.#pipes[b]!.length })
    this.#pipes[b]!.push({ to: a, left: 0, back: this.#pipes[a]!.length - 1 })
  }

  /** The names on the sink's side of the minimum cut that is nearest to it. */
  cut(): ReadonlySet<string> {
    const [source, sink] = [this.#number('source'), this.#number('sink')]
    for (let levels = this.#levels(source); levels[sink]! >= 0; levels = this.#levels(source))
      this.#fill(source, sink, levels)
    const reaching = new Set([sink])
    for (const at of reaching)
      for (const { to, back } of this.#pipes[at]!) if (this.#pipes[to]![back]!.left > 0) reaching.add(to)
    return new Set([...this.#numbers].flatMap(([name, number]) => (reaching.has(number) ? [name] : [])))
  }

  /** How far each place is from the source; −1: it is not reached. */
  #levels(source: number): Int32Array {
    const levels = new Int32Array(this.#pipes.length).fill(-1)
    levels[source] = 0
    const queue = [source]
    for (const at of queue)
      for (const { to, left } of this.#pipes[at]!)
        if (left > 0 && levels[to]! < 0) {
          levels[to] = levels[at]! + 1
          queue.push(to)
        }
    return levels
  }

  /** Sends flow along shortest ways until there is none. The way so far is a stack: networks are deep. */
  #fill(source: number, sink: number, levels: Int32Array): void {
    const next = new Int32Array(this.#pipes.length)
    const way: Pipe[] = []
    let at = source
    for (;;) {
      if (at === sink) {
        const amount = Math.min(...way.map(({ left }) => left))
        for (const pipe of way) {
          pipe.left -= amount
          this.#pipes[pipe.to]![pipe.back]!.left += amount
        }
        way.length = 0
        at = source
        continue
      }
      const pipe = this.#pipes[at]![next[at]!]
      if (pipe === undefined) {
        const last = way.pop()
        if (last === undefined) return
        at = way.at(-1)?.to ?? source
        next[at]!++
      } else if (pipe.left > 0 && levels[pipe.to] === levels[at]! + 1) {
        way.push(pipe)
        at = pipe.to
      } else next[at]!++
    }
  }
}
