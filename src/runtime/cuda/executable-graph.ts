/** A CUDA graph and its executable form, with the device memory that the driver takes for it. */
import type { CudaContext } from './context.js'
import type { CudaAllocator } from './memory.js'
import { results } from './results.js'

export class ExecutableGraph {
  /** Device memory that instantiating it took. */
  readonly bytes: number
  readonly #allocator: CudaAllocator
  readonly #graph: number
  #exec: number

  /** Takes ownership of the graph. Throws DeviceError when out of memory. */
  constructor(
    readonly context: CudaContext,
    allocator: CudaAllocator,
    graph: number,
  ) {
    this.#allocator = allocator
    this.#graph = graph
    const before = context.memoryInfo().freeBytes
    const { out } = context
    const instantiate = (): number => context.enter().cuGraphInstantiateWithFlags(out.address, graph, 0)
    let result = instantiate()
    if (result === results.outOfMemory && allocator.trim() > 0) result = instantiate()
    this.#exec = result === 0 ? out.get(0) : 0
    if (result !== 0) context.enter().cuGraphDestroy(graph)
    context.check(result, 'instantiating a graph')
    // Other processes may allocate meanwhile: an estimate, but never a negative one.
    this.bytes = Math.max(0, before - context.memoryInfo().freeBytes)
    allocator.account('graphs', this.bytes)
  }

  /** CUgraphExec; 0 once destroyed. */
  get handle(): number {
    return this.#exec
  }

  /** Releases the memory; queued work still runs. Idempotent, and does nothing on a lost device. */
  destroy(): void {
    if (this.#exec === 0 || this.context.lost !== null) return
    const call = this.context.enter()
    this.context.check(call.cuGraphExecDestroy(this.#exec), 'destroying a graph')
    this.#exec = 0
    this.context.check(call.cuGraphDestroy(this.#graph), 'destroying a graph')
    this.#allocator.account('graphs', -this.bytes)
  }
}
