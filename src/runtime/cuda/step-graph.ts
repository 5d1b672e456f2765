/**
 * A step list as a CUDA graph, built node by node with the steps' dependences. Before a launch, nodes of changed steps are
 * updated in the instantiated graph, so nothing is recaptured and no input is copied.
 *
 * Kernels that wait for their predecessor themselves are connected to it by a programmatic edge, so that the device starts
 * them while the predecessor ends. Nodes of such a graph cannot be disabled (a successor of a disabled node would not wait
 * for that node's predecessors), so it is rebuilt without these edges when a step becomes empty.
 */
import { DeviceError, InternalError } from '../../base/errors.js'
import { NativeWords } from '../native.js'
import type { CudaContext } from './context.js'
import { type Dependencies, inOrder, reduceDependencies } from './dependencies.js'
import { ExecutableGraph } from './executable-graph.js'
import { earlyEdge } from './layouts.js'
import type { CudaAllocator } from './memory.js'
import { StepNodes } from './step-nodes.js'
import type { StepList } from './steps.js'
import type { CudaStream } from './stream.js'

export type { Dependencies }

/** The current instantiated graph; separate from its owner, so that it can be released when that is garbage. */
interface Form {
  exec: ExecutableGraph | null
}

const unreachable = new FinalizationRegistry<Form>(({ exec }) => exec?.context.letGo(() => exec.destroy()))

export class StepGraph {
  readonly nodes: number
  readonly #context: CudaContext
  readonly #allocator: CudaAllocator
  readonly #list: StepList
  readonly #dependencies: Dependencies
  readonly #stepNodes: StepNodes
  readonly #form: Form = { exec: null }
  /** CUgraphNode of each step. */
  readonly #nodes: Float64Array
  /** Lists of nodes for the driver. Fields, so that they are not collected while the driver reads them. */
  readonly #before: NativeWords
  readonly #edge = new NativeWords(3)
  /** The versions of the steps that the graph was built with. */
  readonly #applied: Uint32Array
  readonly #enabled: Uint8Array
  #early = false

  /** `dependencies`: without them each step waits for the one before it. Throws DeviceError when out of memory. */
  constructor(context: CudaContext, allocator: CudaAllocator, list: StepList, dependencies?: Dependencies) {
    this.#context = context
    this.#allocator = allocator
    this.#list = list
    this.nodes = list.length
    this.#dependencies = reduceDependencies(dependencies ?? inOrder(list.length))
    this.#stepNodes = new StepNodes(context, allocator, list)
    this.#nodes = new Float64Array(list.length)
    this.#before = new NativeWords(this.#dependencies.reduce((most, { length }) => Math.max(most, length), 1))
    this.#applied = new Uint32Array(list.length)
    this.#enabled = new Uint8Array(list.length)
    unreachable.register(this, this.#form)
    if (!(this.#mayStartEarly() && this.#tryEarly())) this.#build(false)
  }

  /** Device memory that the driver took to instantiate it. */
  get bytes(): number {
    return this.#form.exec?.bytes ?? 0
  }

  /** Whether it has programmatic edges. */
  get early(): boolean {
    return this.#early
  }

  /** How many nodes are out of date. */
  get changed(): number {
    let count = 0
    for (let step = 0; step < this.nodes; step++) if (this.#applied[step] !== this.#list.versions[step]) count++
    return count
  }

  /** Updates what changed and queues the graph on `stream`. Throws DeviceError as `StepList.run`. */
  launch(stream: CudaStream): void {
    if (this.#form.exec === null) throw new InternalError('a step graph was launched after its end')
    if (this.#context.synchronous) {
      this.#list.run(stream) // one by one, so that an error names its kernel
      return
    }
    this.#update()
    this.#context.check(this.#context.enter().cuGraphLaunch(this.#form.exec.handle, stream.handle), 'launching a graph')
    stream.queued(this.#list)
  }

  /** Releases its memory; queued work still runs. Idempotent. */
  destroy(): void {
    this.#form.exec?.destroy()
    this.#form.exec = null
    this.#stepNodes.release()
  }

  [Symbol.dispose](): void {
    this.destroy()
  }

  /** Updates the nodes of the graph whose steps have changed since the last launch. */
  #update(): void {
    const { versions } = this.#list
    for (let step = 0; step < this.nodes; step++) {
      if (this.#applied[step] === versions[step]) continue
      if (this.#early && this.#list.isEmpty(step)) {
        this.#build(false) // with all that changed
        return
      }
      this.#stepNodes.update(this.#form.exec!.handle, this.#nodes[step]!, step)
      this.#applied[step] = versions[step]!
      this.#enable(step)
    }
  }

  #mayStartEarly(): boolean {
    const steps = this.#list.specs.keys()
    return [...steps].some(step => this.#startsEarly(step)) && !this.#list.specs.some((_, i) => this.#list.isEmpty(i))
  }

  /** Older drivers have no programmatic edges. */
  #tryEarly(): boolean {
    try {
      this.#build(true)
      return true
    } catch (error) {
      if (!(error instanceof DeviceError) || this.#context.lost !== null) throw error
      return false
    }
  }

  /** Builds the graph anew. `early`: with programmatic dependent launch, where all steps do something. */
  #build(early: boolean): void {
    const context = this.#context
    context.check(context.enter().cuGraphCreate(context.out.address, 0), 'making a graph')
    const graph = context.out.get(0)
    try {
      for (let step = 0; step < this.nodes; step++) this.#add(graph, step, early && this.#startsEarly(step))
    } catch (error) {
      context.driver.call.cuGraphDestroy(graph)
      throw error
    }
    const exec = new ExecutableGraph(context, this.#allocator, graph)
    this.#form.exec?.destroy()
    this.#form.exec = exec
    this.#early = early
    this.#applied.set(this.#list.versions)
    this.#enabled.fill(1)
    for (let step = 0; step < this.nodes; step++) this.#enable(step)
  }

  #startsEarly(step: number): boolean {
    const spec = this.#list.specs[step]!
    const [before, ...others] = this.#dependencies[step]!
    if (spec.kind !== 'kernel' || !spec.kernel.waits || before === undefined || others.length > 0) return false
    return this.#list.specs[before]!.kind === 'kernel'
  }

  /** Adds a step's node; an early one depends on its predecessor by a programmatic edge. */
  #add(graph: number, step: number, early: boolean): void {
    const dependencies = this.#dependencies[step]!
    for (const [i, other] of dependencies.entries()) this.#before.set(i, this.#nodes[other]!)
    const node = this.#stepNodes.add(graph, step, this.#before, early ? 0 : dependencies.length)
    this.#nodes[step] = node
    if (!early) return
    const context = this.#context
    const edge = this.#edge
    edge.set(0, this.#before.get(0))
    edge.set(1, node)
    edge.set(2, earlyEdge)
    const [from, to, data] = [edge.address, edge.addressOf(1), edge.addressOf(2)]
    const result = context.enter().cuGraphAddDependencies(graph, from, to, data, 1)
    context.check(result, `joining ${this.#stepNodes.describe(step)} to the kernel before it`)
  }

  /** Nodes of empty steps stay in the graph, disabled. */
  #enable(step: number): void {
    const enabled = this.#list.isEmpty(step) ? 0 : 1
    if (this.#enabled[step] === enabled) return
    const { handle } = this.#form.exec!
    const result = this.#context.enter().cuGraphNodeSetEnabled(handle, this.#nodes[step]!, enabled)
    this.#context.check(result, `switching ${this.#stepNodes.describe(step)} of a graph`)
    this.#enabled[step] = enabled
  }
}
