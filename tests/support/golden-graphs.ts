/** The graphs whose generated code is kept in golden files, and the target for which it is generated. */
import { targetForCpu } from '../../src/backends/cpu/target.js'
import { applyRecord, asValue, buildGraph, type InputSpec } from '../../src/graph/apply.js'
import type { Graph, GraphBuilder, GraphNode } from '../../src/graph/ir.js'
import { type RecordName, recordTable } from '../../src/graph/ops/index.js'
import { cpuTarget } from '../../src/target/cpu.js'

const facts = cpuTarget({
  arch: 'x64',
  model: 'golden',
  cores: 2,
  features: ['AVX', 'AVX2', 'FMA', 'F16C', 'AVX512F', 'AVX512VL', 'AVX512DQ', 'AVX512BW'],
  l1Bytes: 48 * 1024,
  l2Bytes: 1024 * 1024,
  l3Bytes: 32 * 1024 * 1024,
})
export const goldenTarget = targetForCpu(facts)

type Op = (name: RecordName, self: GraphNode, ...args: readonly unknown[]) => GraphNode

/** Ops by name on nodes; further tensors are passed as nodes too. */
const opsOf =
  (b: GraphBuilder): Op =>
  (name, self, ...args) => {
    const operands = args.map(value =>
      typeof value === 'object' && value !== null && 'id' in value ? asValue(value as GraphNode) : value,
    )
    return applyRecord(b, recordTable[name], [asValue(self), ...operands])[0]!
  }

interface Case {
  readonly inputs: readonly InputSpec[]
  readonly build: (op: Op, inputs: readonly GraphNode[]) => GraphNode
}

const f32 = (...shape: number[]): InputSpec => ({ dtype: 'f32', shape })

const cases: Readonly<Record<string, Case>> = {
  add_relu_mul: {
    inputs: [f32(1000, 1000), f32(1000)],
    build: (op, [x, b]) => op('mul', op('relu', op('add', x!, b!)), 2),
  },
  softmax: { inputs: [f32(64, 1000)], build: (op, [x]) => op('softmax', x!, -1) },
  column_sum: { inputs: [f32(500, 300)], build: (op, [x]) => op('sum', x!, 0) },
  linear_gelu: {
    inputs: [f32(64, 128), f32(256, 128), f32(256)],
    build: (op, [x, w, b]) => op('gelu', op('add', op('matmul', x!, op('t', w!)), b!)),
  },
  bf16_residual: {
    inputs: [
      { dtype: 'bf16', shape: [33, 65] },
      { dtype: 'bf16', shape: [33, 65] },
    ],
    build: (op, [x, y]) => op('add', op('silu', x!), y!),
  },
}

/** By the golden file's name. */
export const goldenGraphs = (): [name: string, graph: Graph][] =>
  Object.entries(cases).map(([name, { inputs, build }]) => [
    name,
    buildGraph(inputs, [], (b, nodes) => [build(opsOf(b), nodes)]),
  ])
