/** Makes graphs executable, and counts the device memory that this takes. */
import type { CudaContext } from './context.js'
import type { CudaAllocator } from './memory.js'

/** Instantiates a graph; the memory is accounted to 'graphs'. Throws DeviceError when it ends. */
export function instantiate(
  context: CudaContext,
  allocator: CudaAllocator,
  graph: number,
): { exec: number; bytes: number } {
  const before = context.memoryInfo().freeBytes
  const { out } = context
  context.check(context.enter().cuGraphInstantiateWithFlags(out.address, graph, 0), 'instantiating a graph')
  const exec = out.get(0)
  // Other processes may allocate meanwhile: an estimate, but never a negative one.
  const bytes = Math.max(0, before - context.memoryInfo().freeBytes)
  allocator.account('graphs', bytes)
  return { exec, bytes }
}
