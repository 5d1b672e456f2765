/** Runs what fusion makes of a graph with the loop interpreter, on memory laid out as the inputs say. */
import { interpretNode } from '../../src/graph/interpret.js'
import { type Graph, type GraphNode, typeOf } from '../../src/graph/ir.js'
import { graphPasses } from '../../src/graph/passes/index.js'
import type { HostTensor } from '../../src/graph/record.js'
import { interpretLoops, type LoopCall, type LoopMemory } from '../../src/loop/interpret.js'
import type { LoopProgram } from '../../src/loop/ir.js'
import { verifyLoops } from '../../src/loop/verify.js'
import { bitcastValue } from '../../src/scalar/folds.js'
import { type Value, wrapValue } from '../../src/scalar/ops.js'
import { evaluateSize, type Size } from '../../src/scalar/size.js'
import type { BufferDraft } from '../../src/schedule/memory/buffers.js'
import type { SchedulePolicy } from '../../src/schedule/policy.js'
import { fuse, outputOf } from '../../src/schedule/schedule.js'
import { symbolsOf, target } from '../schedule/run.js'
import { storageOf, type TensorSpec } from '../support/tensor-spec.js'

/** The programs of a graph without kernels of people, in the order in which they run, verified. */
export function programsOf(graph: Graph): LoopProgram[] {
  return [...fuse(graph, target.policy).steps].flatMap(step => (step.kind === 'loops' ? step.programs : []))
}

export function runLoops(
  captured: Graph,
  inputs: readonly TensorSpec[],
  scalars: readonly Value[] = [],
  policy: SchedulePolicy = target.policy,
): HostTensor[] {
  const { graph, buffers, steps } = fuse(
    graphPasses.reduce((current, pass) => pass.run(current), captured),
    policy,
  )
  const values = symbolsOf(graph, inputs)
  const symbols = new Map(graph.symbols.map(({ name }, i) => [name, values[i]!]))
  const size = (value: Size): number => evaluateSize(value, symbols)
  const memory = new Map<number, LoopMemory>()
  const memoryOf = (buffer: number): LoopMemory => {
    const known = memory.get(buffer) ?? made(buffers.drafts[buffer]!, inputs, size)
    memory.set(buffer, known)
    return known
  }
  for (const step of steps) {
    if (step.kind !== 'loops') throw new Error(`a ${step.kind} is no loop program`)
    for (const program of step.programs) {
      verifyLoops(program)
      interpretLoops(program, { memory: memoryOf, scalars, symbols, runPrimitive })
    }
  }
  return graph.body.results.slice(0, graph.outputs).map((node, i) => {
    const { buffer, dtype, offset, shape, strides } = outputOf(node, buffers)
    const result = read(memoryOf(buffer), dtype, size(offset), shape.map(size), strides.map(size))
    // 8-bit floats are computed as their codes.
    return inBits(result, typeOf(captured.body.results[i]!).dtype)
  })
}

const inBits = (tensor: HostTensor, dtype: HostTensor['dtype']): HostTensor =>
  tensor.dtype === dtype
    ? tensor
    : { ...tensor, dtype, data: tensor.data.map(value => bitcastValue(tensor.dtype, dtype, value)) }

/** What nobody writes does not pass for a number. */
function made(draft: BufferDraft, inputs: readonly TensorSpec[], size: (value: Size) => number): LoopMemory {
  if (draft.kind !== 'input') return { data: new Array<Value>(size(draft.elements)).fill(Number.NaN), offset: 0 }
  const { data, offset } = storageOf(inputs[draft.input]!)
  const { dtype } = inputs[draft.input]!
  const held = (value: Value): Value =>
    dtype === draft.dtype ? wrapValue(dtype, value) : bitcastValue(dtype, draft.dtype, wrapValue(dtype, value))
  return { data: data.map(held), offset }
}

function read(
  { data, offset }: LoopMemory,
  dtype: HostTensor['dtype'],
  start: number,
  shape: readonly number[],
  strides: readonly number[],
): HostTensor {
  const values: Value[] = []
  const walk = (dim: number, at: number): void => {
    if (dim === shape.length) values.push(data[at]!)
    else for (let i = 0; i < shape[dim]!; i++) walk(dim + 1, at + i * strides[dim]!)
  }
  walk(0, offset + start)
  return { dtype, shape, data: values }
}

const runPrimitive: LoopCall['runPrimitive'] = ({ node }, operands, symbols) =>
  interpretNode(node as GraphNode, operands, symbols)
