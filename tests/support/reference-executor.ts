/**
 * Executors for tests of the tensor layer: they build an op's graph (for the checks and the errors), then compute with
 * the record's reference, or interpret the graph. They use neither kernels nor a compiler.
 */
import { DeviceError } from '../../src/base/errors.js'
import { interpretGraph } from '../../src/graph/interpret.js'
import { type Graph, typeOf } from '../../src/graph/ir.js'
import type { HostTensor, OpRecord } from '../../src/graph/record.js'
import { graphOfCall, referenceOf } from '../../src/graph/reference.js'
import type { Attrs } from '../../src/ir/node.js'
import type { Block } from '../../src/runtime/block.js'
import { Allocator } from '../../src/runtime/cpu/memory.js'
import { type Executor, setExecutors } from '../../src/tensor/dispatch.js'
import { elementsInPlace, fillStorage, readTensor, writeValues } from '../../src/tensor/host.js'
import { allocate } from '../../src/tensor/host-data.js'
import { forEachRun } from '../../src/tensor/layout.js'
import type { Tensor } from '../../src/tensor/tensor.js'
import type { OpArgument } from '../../src/tensor/tracer.js'
import type { TensorDtype } from '../../src/types/dtype.js'
import { numberDtype } from '../../src/types/promotion.js'
import { onGpu } from './tensors.js'

/** Memory that records its allocations and releases. */
export class CountingMemory extends Allocator {
  allocated = 0
  released = 0

  constructor() {
    super({ addressOf: () => 0 })
  }

  override allocate(bytes: number): Block {
    this.allocated++
    return super.allocate(bytes)
  }

  override release(block: Block): void {
    this.released++
    super.release(block)
  }
}

export function toHost(value: OpArgument): HostTensor {
  if (typeof value !== 'object') {
    const dtype = numberDtype(value, 'f64')
    return { dtype, shape: [], data: [dtype === 'i64' ? BigInt(value) : Number(value)], isNumber: true }
  }
  const { layout } = value
  const values = readTensor(value.storage('test'), value.dtype as TensorDtype, layout)
  return { dtype: value.dtype, shape: layout.shape, data: Array.from(values as ArrayLike<number | bigint>) }
}

type Compute = (record: OpRecord, hosts: readonly HostTensor[], attrs: Attrs, graph: Graph) => readonly HostTensor[]

/** Installs an executor that computes with the records' references; returns its memory, and the ops that ran. */
export const installReferenceExecutor = () => install((record, hosts, attrs) => referenceOf(record, hosts, attrs))

/** For suites about what ops mean, whatever runs them: on another device than the CPU its own executor does. */
export function useReferenceExecutor(): void {
  if (!onGpu) installReferenceExecutor()
}

/** The same with the graph interpreter. */
export function useInterpreter(): void {
  if (onGpu) return
  install((_record, hosts, _attrs, graph) =>
    interpretGraph(
      graph,
      hosts.filter(host => !host.isNumber),
    ),
  )
}

function install(compute: Compute): { readonly memory: CountingMemory; readonly ran: string[] } {
  const memory = new CountingMemory()
  const ran: string[] = []
  const reference: Executor = {
    memory,
    recall: () => null,
    run(record: OpRecord, inputs: readonly OpArgument[], attrs: Attrs): Tensor[] {
      ran.push(record.name)
      const hosts = inputs.map(toHost)
      const graph = graphOfCall(record, hosts, attrs)
      return compute(record, hosts, attrs, graph).map((result, i) => {
        const { shape, dtype } = typeOf(graph.body.results[i]!)
        const made = allocate(shape as readonly number[], dtype as TensorDtype, 'cpu', record.name)
        fillStorage(made.storage('test'), dtype as TensorDtype, stored => {
          writeValues(stored, dtype as TensorDtype, result.data)
        })
        return made
      })
    },
    runInto(record, inputs, attrs, targets) {
      const results = reference.run(record, inputs, attrs)
      for (const [i, target] of targets.entries()) if (target !== null) reference.assign(target, results[i]!)
      return results.map((result, i) => targets[i] ?? result)
    },
    assign(target: Tensor, value: Tensor): void {
      const { data } = toHost(value)
      const dtype = target.dtype as TensorDtype
      const stored = elementsInPlace(target.storage('test'), dtype)!
      let at = 0
      forEachRun(target.layout, (start, stride, count) => {
        for (let i = 0; i < count; i++) {
          const position = start + i * stride
          writeValues(stored.subarray(position, position + 1), dtype, [data[at++]!])
        }
      })
    },
  }
  setExecutors(device => {
    if (device === 'cpu') return reference
    throw new DeviceError(`no device '${device}' in this test`)
  })
  return { memory, ran }
}
