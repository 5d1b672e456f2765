/** A graph of known sizes with the values of its inputs: what a bisection runs and cuts. */
import { InternalError } from '../base/errors.js'
import { scalarsOf } from '../compile/capture/boxed-numbers.js'
import { captureFunction, type TensorFunction } from '../compile/capture/capture.js'
import { withGradients } from '../compile/differentiable.js'
import { withPrecision } from '../compile/precision.js'
import { elementCount } from '../graph/host.js'
import { interpretGraph } from '../graph/interpret.js'
import type { Graph, GraphNode } from '../graph/ir.js'
import type { HostTensor } from '../graph/record.js'
import { ownNodesOf } from '../ir/walk.js'
import type { Value } from '../scalar/ops.js'
import { evaluateSize } from '../scalar/size.js'
import type { Device } from '../tensor/device.js'
import { fillStorage, readTensor, writeValues } from '../tensor/host.js'
import { allocate } from '../tensor/host-data.js'
import { forEachRun, makeLayout } from '../tensor/layout.js'
import { getFloat32MatmulPrecision } from '../tensor/precision.js'
import type { Tensor } from '../tensor/tensor.js'
import { checkTensorDtype } from '../types/dtype.js'

export interface CaseInput extends HostTensor {
  /** In elements, of a tensor whose memory is its own. */
  readonly strides: readonly number[]
  /** Its values are those of `seededValues`; absent: they are its own. */
  readonly seed?: number
}

export interface Case {
  readonly graph: Graph
  readonly device: Device
  /** In the order of the graph's inputs. */
  readonly inputs: readonly CaseInput[]
  readonly scalars: readonly Value[]
  /** The values of the graph's symbols: numbers that the caller boxed. */
  readonly symbols: Float64Array
}

/**
 * A call of a function, captured for its sizes. Throws CaptureError as `compile` with `fullgraph`, and what the function
 * throws.
 */
export function caseOf(name: string, fn: TensorFunction, args: readonly unknown[]): Case {
  const { capture } = captureFunction(fn, args, {
    name,
    fullgraph: true,
    isDynamic: () => false,
    runSegment: () => {
      throw new InternalError(`bisect: ${name}: a graph break in a full graph`)
    },
  })
  if (capture === null) throw new InternalError(`bisect: ${name}: a known size is not known`)
  const segment = withGradients(capture.segment)
  const { graph, device, symbols, inputs } = segment
  const sizes = symbolsOf(graph, symbols)
  return {
    graph: withPrecision(graph, device, getFloat32MatmulPrecision()),
    device,
    inputs: inputs.map(({ tensor }) => ({ ...hostOf(tensor), strides: [...tensor.layout.strides] })),
    scalars: scalarsOf(segment, ({ generator, elements }) => generator.take(evaluateSize(elements, sizes))),
    symbols,
  }
}

const symbolsOf = ({ symbols }: Graph, values: Float64Array): Map<string, number> =>
  new Map(symbols.map(({ name }, i) => [name, values[i]!]))

/** What the graph interpreter computes: outputs, then the values of write-backs. `sums`: as `interpretGraph`. */
export const interpreted = ({ graph, inputs, scalars, symbols }: Case, sums?: 'float64' | 'sequential'): HostTensor[] =>
  interpretGraph(graph, inputs, scalars, symbolsOf(graph, symbols), sums)

/** The nodes that have one tensor as their value, in order. */
export const tensorNodes = ({ graph }: Case): GraphNode[] =>
  ownNodesOf<GraphNode>(graph.body).filter(({ type }) => type.kind === 'tensor')

/** The values of all of them, by the graph interpreter. */
export function valuesOf(given: Case): ReadonlyMap<GraphNode, HostTensor> {
  const nodes = tensorNodes(given)
  const { graph } = given
  const values = interpreted({ ...given, graph: { ...graph, body: { ...graph.body, results: nodes } } })
  return new Map(nodes.map((node, i) => [node, values[i]!]))
}

/** An input in memory of its own, with its strides. */
export function tensorOf({ dtype: name, shape, strides, data }: CaseInput, device: Device): Tensor {
  const dtype = checkTensorDtype(name, 'bisect')
  const reach = shape.map((size, d) => (size - 1) * strides[d]!)
  const first = -reach.reduce((sum, far) => sum + Math.min(0, far), 0)
  const layout = makeLayout(shape, strides, first)
  const last = reach.reduce((sum, far) => sum + Math.max(0, far), first)
  const memory = allocate([elementCount(shape) === 0 ? 0 : last + 1], dtype, device, 'bisect')
  fillStorage(memory.storage('bisect'), dtype, stored => {
    let at = 0
    forEachRun(layout, (start, stride, count) => {
      for (let i = 0; i < count; i++) writeValues(stored.subarray(start + i * stride), dtype, [data[at++]!])
    })
  })
  return memory.withLayout(layout)
}

export function hostOf(tensor: Tensor): HostTensor {
  const { dtype, shape, layout } = tensor
  const data = readTensor(tensor.storage('bisect'), checkTensorDtype(dtype, 'bisect'), layout)
  return { dtype, shape: [...shape], data: Array.from<number | bigint>(data as ArrayLike<number>) }
}
