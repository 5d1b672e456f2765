/**
 * A step list as a CUDA graph, built node by node with the steps' true dependencies. Before a launch, nodes whose steps
 * changed are updated in the instantiated graph: nothing is captured again and no input is copied.
 */
import { InternalError } from '../../base/errors.js'
import { NativeWords } from '../native.js'
import type { CudaBlock } from './block.js'
import type { CudaContext } from './context.js'
import { ExecutableGraph } from './executable-graph.js'
import { kernelNode, memcpyNode, memsetNode } from './layouts.js'
import type { CudaAllocator } from './memory.js'
import type { FillStep, KernelStep, StepList } from './steps.js'
import type { CudaStream } from './stream.js'

const spareBytes = 512

/** For each step, the earlier steps that must be done before it. */
export type Dependencies = readonly (readonly number[])[]

/** Graphs that nobody reaches any more are destroyed. */
const unreachable = new FinalizationRegistry<ExecutableGraph>(exec => exec.context.letGo(() => exec.destroy()))

export class StepGraph {
  readonly nodes: number
  readonly #context: CudaContext
  readonly #allocator: CudaAllocator
  readonly #list: StepList
  readonly #nodes: Float64Array
  readonly #params: readonly NativeWords[]
  /** The nodes that a node waits for, while it is added. A field: the driver's view of it must not be collected. */
  readonly #before: NativeWords
  readonly #applied: Uint32Array
  readonly #enabled: Uint8Array
  #spareBlock: CudaBlock | null = null
  readonly #exec: ExecutableGraph

  /** `dependencies`: without them each step waits for the one before it. Throws DeviceError when memory ends. */
  constructor(context: CudaContext, allocator: CudaAllocator, list: StepList, dependencies?: Dependencies) {
    this.#context = context
    this.#allocator = allocator
    this.#list = list
    this.nodes = list.length
    this.#nodes = new Float64Array(list.length)
    this.#applied = list.versions.slice()
    this.#enabled = new Uint8Array(list.length).fill(1)
    this.#params = list.specs.map(({ kind }) => new NativeWords(nodeWords(kind)))
    this.#before = new NativeWords(Math.max(1, ...(dependencies ?? []).map(list => list.length)))
    const { out } = context
    context.check(context.enter().cuGraphCreate(out.address, 0), 'making a graph')
    const graph = out.get(0)
    try {
      for (let step = 0; step < list.length; step++) {
        this.#add(graph, step, dependencies?.[step] ?? (step === 0 ? [] : [step - 1]))
      }
    } catch (error) {
      context.driver.call.cuGraphDestroy(graph)
      throw error
    }
    this.#exec = new ExecutableGraph(context, allocator, graph)
    unreachable.register(this, this.#exec)
    for (let step = 0; step < list.length; step++) this.#enable(step)
  }

  /** Device memory that the driver took to instantiate it. */
  get bytes(): number {
    return this.#exec.bytes
  }

  /** How many nodes are out of date. */
  get changed(): number {
    let count = 0
    for (let step = 0; step < this.nodes; step++) if (this.#applied[step] !== this.#list.versions[step]) count++
    return count
  }

  /** Updates what changed and queues the graph on `stream`. Throws DeviceError as `StepList.run`. */
  launch(stream: CudaStream): void {
    if (this.#exec.handle === 0) throw new InternalError('a step graph was launched after its end')
    if (this.#context.synchronous) {
      this.#list.run(stream) // one by one, so that an error names its kernel
      return
    }
    const { versions } = this.#list
    for (let step = 0; step < this.nodes; step++) {
      if (this.#applied[step] === versions[step]) continue
      this.#update(step)
      this.#applied[step] = versions[step]!
    }
    this.#context.check(this.#context.enter().cuGraphLaunch(this.#exec.handle, stream.handle), 'launching a graph')
    stream.queued(this.#list)
  }

  /** Gives its memory back; work that is queued still runs. Twice does nothing. */
  destroy(): void {
    this.#exec.destroy()
    if (this.#spareBlock !== null) this.#allocator.release(this.#spareBlock)
    this.#spareBlock = null
  }

  [Symbol.dispose](): void {
    this.destroy()
  }

  #add(graph: number, step: number, dependencies: readonly number[]): void {
    if (dependencies.some(other => !(other >= 0 && other < step))) {
      throw new InternalError(`step ${step} depends on steps ${dependencies.join(', ')}`)
    }
    const context = this.#context
    const call = context.enter()
    const before = this.#before
    for (const [i, other] of dependencies.entries()) before.set(i, this.#nodes[other]!)
    const [out, list] = [context.out.address, before.address]
    const params = this.#writeParams(step)
    const { kind } = this.#list.specs[step]!
    const count = dependencies.length
    const result =
      kind === 'kernel'
        ? call.cuGraphAddKernelNode(out, graph, list, count, params)
        : kind === 'fill'
          ? call.cuGraphAddMemsetNode(out, graph, list, count, params, context.handle)
          : call.cuGraphAddMemcpyNode(out, graph, list, count, params, context.handle)
    context.check(result, `adding ${this.#describe(step)} to a graph`)
    this.#nodes[step] = context.out.get(0)
  }

  #update(step: number): void {
    const context = this.#context
    const call = context.enter()
    const params = this.#writeParams(step)
    const node = this.#nodes[step]!
    const { kind } = this.#list.specs[step]!
    const result =
      kind === 'kernel'
        ? call.cuGraphExecKernelNodeSetParams(this.#exec.handle, node, params)
        : kind === 'fill'
          ? call.cuGraphExecMemsetNodeSetParams(this.#exec.handle, node, params, context.handle)
          : call.cuGraphExecMemcpyNodeSetParams(this.#exec.handle, node, params, context.handle)
    context.check(result, `updating ${this.#describe(step)} in a graph`)
    this.#enable(step)
  }

  /** Nodes of empty steps stay in the graph, switched off. */
  #enable(step: number): void {
    const enabled = this.#list.isEmpty(step) ? 0 : 1
    if (this.#enabled[step] === enabled) return
    const result = this.#context.enter().cuGraphNodeSetEnabled(this.#exec.handle, this.#nodes[step]!, enabled)
    this.#context.check(result, `switching ${this.#describe(step)} of a graph`)
    this.#enabled[step] = enabled
  }

  /** Writes the node's parameters, valid even for an empty step, and returns their address. */
  #writeParams(step: number): number {
    const spec = this.#list.specs[step]!
    const params = this.#params[step]!
    if (spec.kind === 'kernel') this.#writeKernel(step, spec, params)
    else if (spec.kind === 'fill') this.#writeFill(step, spec, params)
    else this.#writeCopy(step, params)
    return params.address
  }

  #writeKernel(step: number, { kernel, threads, sharedBytes = 0 }: KernelStep, params: NativeWords): void {
    params.set(kernelNode.kernel, kernel.handle)
    const halves = [Math.max(1, this.#list.blocks(step)), 1, 1, threads, 1, 1, sharedBytes]
    for (let i = 0; i < halves.length; i++) params.halves[kernelNode.gridX + i] = halves[i]!
    params.set(kernelNode.extra, this.#list.extraAddress(step))
  }

  #writeFill(step: number, { elementBytes }: FillStep, params: NativeWords): void {
    const empty = this.#list.isEmpty(step)
    params.set(memsetNode.target, empty ? this.#spare() : this.#list.argument(step, 0))
    params.halves[memsetNode.value] = this.#list.argument(step, 1)
    params.halves[memsetNode.elementBytes] = elementBytes
    params.set(memsetNode.width, empty ? 1 : this.#list.argument(step, 2))
    params.set(memsetNode.height, 1)
  }

  #writeCopy(step: number, params: NativeWords): void {
    const empty = this.#list.isEmpty(step)
    params.set(memcpyNode.sourceKind, memcpyNode.device)
    params.set(memcpyNode.source, empty ? this.#spare() + spareBytes / 2 : this.#list.argument(step, 1))
    params.set(memcpyNode.targetKind, memcpyNode.device)
    params.set(memcpyNode.target, empty ? this.#spare() : this.#list.argument(step, 0))
    params.set(memcpyNode.width, empty ? 1 : this.#list.argument(step, 2))
    params.set(memcpyNode.height, 1)
    params.set(memcpyNode.depth, 1)
  }

  /** Memory for nodes of empty steps to name: the driver checks addresses even of nodes that are switched off. */
  #spare(): number {
    this.#spareBlock ??= this.#allocator.allocate(spareBytes, 'graphs')
    return this.#spareBlock.address
  }

  #describe(step: number): string {
    const spec = this.#list.specs[step]!
    return spec.kind === 'kernel' ? `kernel ${spec.kernel.name}` : `a ${spec.kind}`
  }
}

function nodeWords(kind: 'kernel' | 'fill' | 'copy'): number {
  return { kernel: kernelNode, fill: memsetNode, copy: memcpyNode }[kind].words
}
