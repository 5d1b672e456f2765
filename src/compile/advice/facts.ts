/** What advice needs to know of a captured segment, beside what an explanation shows: gradients, dtypes, and views of memory. */
import type { SourceLocation } from '../../base/source.js'
import { type GraphNode, isContraction, isView, typeOf } from '../../graph/ir.js'
import { nodesOf, usersOf } from '../../ir/walk.js'
import { evaluateSize, productOf } from '../../scalar/size.js'
import { requiresGradNow } from '../../tensor/autograd/history.js'
import type { Device } from '../../tensor/device.js'
import type { Layout } from '../../tensor/layout.js'
import { type Dtype, isFloat, itemBytes } from '../../types/dtype.js'
import type { Segment, TracedInput } from '../capture/segment.js'

/** Facts of one compiled graph. */
export interface SegmentFacts {
  /** Where it runs. */
  readonly device: Device
  /** What is recorded for a backward pass outside of the function; null: no result requires a gradient. */
  readonly recorded: RecordedGradient | null
  /** It computes gradients: a training step. */
  readonly differentiates: boolean
  /** Products of f32 weights with activations that were 16-bit before. */
  readonly widened: readonly WidenedProduct[]
  /** Inputs that start at an address that is no multiple of 16 bytes, or whose elements are nowhere next to each other. */
  readonly views: readonly AwkwardView[]
  /** Tensors that the function makes of host values, at each call if it has graph breaks. */
  readonly constants: readonly HostConstant[]
}

/** A function whose results require gradients. */
export interface RecordedGradient {
  /** The inputs that require them. */
  readonly leaves: readonly string[]
  /** Values that each call keeps for the backward pass. */
  readonly bytes: number
  /** Of an op that makes a result. */
  readonly at: SourceLocation | null
}

/** A product in f32 of what was narrower. */
export interface WidenedProduct {
  /** Of the product. */
  readonly at: SourceLocation | null
  /** The dtype of the activations before. */
  readonly from: Dtype
  /** The f32 input that they are multiplied with. */
  readonly weights: string
  /** Bytes of that input. */
  readonly bytes: number
}

/** An input that is a view on which loads are narrow. */
export interface AwkwardView {
  readonly kind: 'unaligned' | 'strided'
  readonly path: string
  /** Where it is read first. */
  readonly at: SourceLocation | null
  /** From the start of its memory. */
  readonly offsetBytes: number
  /** Elements between neighbours of the innermost dim. */
  readonly stride: number
  readonly bytes: number
}

/** A tensor made of host values. */
export interface HostConstant {
  readonly at: SourceLocation | null
  /** It has as many elements as a tensor that a part before a graph break computed: read and given back, most likely. */
  readonly isReturned: boolean
  readonly bytes: number
}

/** Smaller inputs cost nothing to load. */
const smallBytes = 4096
const alignment = 16

/** The facts of a segment at the sizes of the captured call. */
export function segmentFacts(segment: Segment): SegmentFacts {
  const uses = usersOf<GraphNode>(segment.graph.body)
  return {
    device: segment.device,
    recorded: recordedGradient(segment),
    differentiates: segment.ends.length > 0,
    widened: widenedProducts(segment),
    views: segment.inputs.flatMap((input, i) => awkwardView(input, firstUse(uses, segment.graph.body.params[i]))),
    constants: hostConstants(segment),
  }
}

function hostConstants({ inputs }: Segment): HostConstant[] {
  const before = inputs.filter(({ path }) => path.startsWith('break ')).map(({ tensor }) => extentOf(tensor).elements)
  return inputs.flatMap(({ kind, tensor, at = null }) => {
    const { elements, bytes } = extentOf(tensor)
    return kind === 'constant' ? [{ at, isReturned: elements > 1 && before.includes(elements), bytes }] : []
  })
}

function extentOf({ dtype, layout }: { readonly dtype: Dtype; readonly layout: Layout }): {
  readonly elements: number
  readonly bytes: number
} {
  const elements = layout.shape.reduce((product, size) => product * size, 1)
  return { elements, bytes: elements * itemBytes(dtype) }
}

/** The line of the first op that reads a node, through views. */
function firstUse(
  uses: ReadonlyMap<GraphNode, readonly (GraphNode | null)[]>,
  node: GraphNode | undefined,
): SourceLocation | null {
  const users = (node === undefined ? undefined : uses.get(node)) ?? []
  for (const user of users) {
    const at = user?.origin.at ?? (user === null ? null : firstUse(uses, user))
    if (at !== null) return at
  }
  return null
}

function recordedGradient({ graph, flows, inputs, symbols }: Segment): RecordedGradient | null {
  const result = graph.body.results[flows.indexOf(true)]
  if (result === undefined || !flows.includes(true)) return null
  const values = new Map(graph.symbols.map(({ name }, i) => [name, symbols[i] ?? Number.NaN]))
  const kept = graph.body.results.slice(flows.length, graph.outputs)
  const bytesOf = (node: GraphNode): number =>
    evaluateSize(productOf(typeOf(node).shape), values) * itemBytes(typeOf(node).dtype)
  return {
    leaves: inputs.flatMap(({ tensor, path }) => (requiresGradNow(tensor) ? [path] : [])),
    bytes: kept.reduce((sum, node) => sum + bytesOf(node), 0),
    at: lineBehind(result),
  }
}

/** The line of the op that made a value, through copies that have none. */
function lineBehind(node: GraphNode): SourceLocation | null {
  return node.origin.at ?? (node.inputs[0] === undefined ? null : lineBehind(node.inputs[0]))
}

function widenedProducts({ graph, inputs }: Segment): WidenedProduct[] {
  const params = graph.body.params
  return nodesOf<GraphNode>(graph.body).flatMap(node => {
    if (!isContraction(node) || node.inputs.length < 2) return []
    const [a, b] = [behindViews(node.inputs[0]!), behindViews(node.inputs[1]!)]
    const pairs = [
      [a, b],
      [b, a],
    ] as const
    return pairs.flatMap(([narrow, wide]) => {
      const from = narrowBefore(narrow)
      const input = inputs[params.indexOf(wide)]
      if (from === null || input === undefined || typeOf(wide).dtype !== 'f32') return []
      return [{ at: node.origin.at, from, weights: input.path, bytes: extentOf(input.tensor).bytes }]
    })
  })
}

const behindViews = (node: GraphNode): GraphNode => (isView(node) ? behindViews(node.inputs[0]!) : node)

/** The 16-bit dtype that an f32 value was cast from; null: it was not. */
function narrowBefore(node: GraphNode): Dtype | null {
  if (node.op !== 'cast' || node.attrs.to !== 'f32') return null
  const { dtype } = typeOf(node.inputs[0]!)
  return isFloat(dtype) && itemBytes(dtype) === 2 ? dtype : null
}

function awkwardView({ tensor, path, kind }: TracedInput, at: SourceLocation | null): AwkwardView[] {
  const { dtype, layout } = tensor
  const { bytes } = extentOf(tensor)
  if (bytes < smallBytes || kind === 'constant') return []
  const offsetBytes = layout.offset * itemBytes(dtype)
  const strides = layout.strides.filter((_, d) => layout.shape[d] !== 1)
  const view = { path, at, offsetBytes, stride: strides.at(-1) ?? 1, bytes }
  if (strides.length > 0 && !strides.some(stride => Math.abs(stride) <= 1)) return [{ kind: 'strided', ...view }]
  return offsetBytes % alignment === 0 ? [] : [{ kind: 'unaligned', ...view }]
}
