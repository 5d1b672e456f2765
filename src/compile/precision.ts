/** Which graphs depend on the precision of f32 matmuls. The precision is part of the graph, and so of all cache keys. */
import { computeDevice } from '../backends/index.js'
import { type Graph, type GraphNode, isContraction, typeOf } from '../graph/ir.js'
import { nodesOf } from '../ir/walk.js'
import type { Device } from '../tensor/device.js'
import type { Float32MatmulPrecision } from '../tensor/precision.js'

/** True when a graph would be compiled to other code under another precision. */
export function dependsOnPrecision(graph: Graph, device: Device): boolean {
  if (!computeDevice(device).roundsMatmuls) return false
  for (const node of nodesOf<GraphNode>(graph.body)) {
    if ((isContraction(node) || node.op === 'conv') && typeOf(node.inputs[0]!).dtype === 'f32') return true
  }
  return false
}

/** The graph, marked where its f32 matmuls may round operands to tf32. */
export const withPrecision = (graph: Graph, device: Device, precision: Float32MatmulPrecision): Graph =>
  precision === 'high' && dependsOnPrecision(graph, device) ? { ...graph, float32Matmul: 'tf32' } : graph
