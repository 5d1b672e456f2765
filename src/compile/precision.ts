/** Which graphs the precision of f32 products matters to, and how it is said to the compiler: with the graph itself. */
import { computeDevice } from '../backends/index.js'
import { type Graph, type GraphNode, typeOf } from '../graph/ir.js'
import { nodesOf } from '../ir/walk.js'
import type { Device } from '../tensor/device.js'
import type { Float32MatmulPrecision } from '../tensor/precision.js'

const products: ReadonlySet<string> = new Set(['matmul', 'conv', 'raggedMatmul', 'attention'])

/** True when a graph would be compiled to other code under another precision. */
export function dependsOnPrecision(graph: Graph, device: Device): boolean {
  if (!computeDevice(device).roundsProducts) return false
  for (const node of nodesOf<GraphNode>(graph.body)) {
    if (products.has(node.op) && typeOf(node.inputs[0]!).dtype === 'f32') return true
  }
  return false
}

/** The graph with what its products of f32 may do. Its text, and with it all keys of caches, tell the two apart. */
export const withPrecision = (graph: Graph, device: Device, precision: Float32MatmulPrecision): Graph =>
  precision === 'high' && dependsOnPrecision(graph, device) ? { ...graph, float32Matmul: 'tf32' } : graph
