/**
 * A step list as a CUDA graph that takes the time of each step: the steps run one after another, with an event recorded before each and
 * after the last. The device takes the times itself, so that launches by the host cost none of them.
 */
import { NativeWords } from '../native.js'
import type { CudaContext } from './context.js'
import { CudaEvent } from './event.js'
import { ExecutableGraph } from './executable-graph.js'
import type { CudaAllocator } from './memory.js'
import { StepNodes } from './step-nodes.js'
import type { StepList } from './steps.js'
import type { CudaStream } from './stream.js'

const unreachable = new FinalizationRegistry<ExecutableGraph>(exec => exec.context.letGo(() => exec.destroy()))

export class TimedGraph {
  /** Recorded before each step and after the last, by every launch. */
  readonly events: readonly CudaEvent[]
  readonly #context: CudaContext
  readonly #list: StepList
  readonly #stepNodes: StepNodes
  /** CUgraphNode of each step. */
  readonly #nodes: number[] = []
  readonly #exec: ExecutableGraph
  readonly #applied: Uint32Array
  readonly #enabled: Uint8Array
  readonly #done: CudaEvent

  /** Throws DeviceError when out of memory. */
  constructor(context: CudaContext, allocator: CudaAllocator, list: StepList) {
    this.#context = context
    this.#list = list
    this.#stepNodes = new StepNodes(context, allocator, list)
    this.events = Array.from({ length: list.length + 1 }, () => new CudaEvent(context, { timing: true }))
    this.#done = new CudaEvent(context)
    context.check(context.enter().cuGraphCreate(context.out.address, 0), 'making a graph')
    const graph = context.out.get(0)
    try {
      this.#build(graph)
    } catch (error) {
      context.driver.call.cuGraphDestroy(graph)
      throw error
    }
    this.#exec = new ExecutableGraph(context, allocator, graph)
    this.#applied = Uint32Array.from(list.versions)
    this.#enabled = new Uint8Array(list.length).fill(1)
    for (let step = 0; step < list.length; step++) this.#enable(step)
    unreachable.register(this, this.#exec)
  }

  /**
   * Launches the graph on `stream`, with the arguments that the step list has now. The launch before must be done (`synchronize`), since
   * both record the same events. Throws DeviceError as `StepList.run`.
   */
  launch(stream: CudaStream): void {
    const context = this.#context
    const { handle } = this.#exec
    for (let step = 0; step < this.#list.length; step++) {
      if (this.#applied[step] === this.#list.versions[step]) continue
      this.#stepNodes.update(handle, this.#nodes[step]!, step)
      this.#applied[step] = this.#list.versions[step]!
      this.#enable(step)
    }
    context.check(context.enter().cuGraphLaunch(handle, stream.handle), 'launching a graph')
    stream.queued(this.#list)
    this.#done.record(stream)
  }

  /** Waits until the last launch is done. Throws DeviceError when it failed. */
  synchronize(): void {
    this.#done.synchronize()
  }

  /** A chain: event, step, event, step, …, event. */
  #build(graph: number): void {
    const before = new NativeWords(1)
    for (let step = 0; step < this.#list.length; step++) {
      before.set(0, this.#addEvent(graph, step, before))
      this.#nodes.push(this.#stepNodes.add(graph, step, before, 1))
      before.set(0, this.#nodes[step]!)
    }
    this.#addEvent(graph, this.#list.length, before)
  }

  /** Adds the node that records an event, after the node in `before` unless it is the first. */
  #addEvent(graph: number, index: number, before: NativeWords): number {
    const context = this.#context
    const { handle } = this.events[index]!
    const count = index === 0 ? 0 : 1
    const result = context.enter().cuGraphAddEventRecordNode(context.out.address, graph, before.address, count, handle)
    context.check(result, 'adding an event to a graph')
    return context.out.get(0)
  }

  /** Nodes of empty steps stay in the graph, disabled. */
  #enable(step: number): void {
    const enabled = this.#list.isEmpty(step) ? 0 : 1
    if (this.#enabled[step] === enabled) return
    const result = this.#context.enter().cuGraphNodeSetEnabled(this.#exec.handle, this.#nodes[step]!, enabled)
    this.#context.check(result, `switching ${this.#stepNodes.describe(step)} of a graph`)
    this.#enabled[step] = enabled
  }
}
