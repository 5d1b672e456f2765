/** The steps of a list as graph nodes: their parameters for the driver, and updates. */
import { NativeWords } from '../native.js'
import type { CudaBlock } from './block.js'
import type { CudaContext } from './context.js'
import { kernelNode, memcpyNode, memsetNode } from './layouts.js'
import type { CudaAllocator } from './memory.js'
import type { FillStep, KernelStep, StepList } from './steps.js'

const spareBytes = 512

export class StepNodes {
  readonly #context: CudaContext
  readonly #allocator: CudaAllocator
  readonly #list: StepList
  readonly #params: readonly NativeWords[]
  #spareBlock: CudaBlock | null = null

  constructor(context: CudaContext, allocator: CudaAllocator, list: StepList) {
    this.#context = context
    this.#allocator = allocator
    this.#list = list
    this.#params = list.specs.map(({ kind }) => new NativeWords(nodeWords(kind)))
  }

  /** Adds a step to a graph, after `count` nodes whose handles are stored in `before`. Returns the CUgraphNode. */
  add(graph: number, step: number, before: NativeWords, count: number): number {
    const context = this.#context
    const call = context.enter()
    const [out, list] = [context.out.address, before.address]
    const params = this.#write(step)
    const { kind } = this.#list.specs[step]!
    const result =
      kind === 'kernel'
        ? call.cuGraphAddKernelNode(out, graph, list, count, params)
        : kind === 'fill'
          ? call.cuGraphAddMemsetNode(out, graph, list, count, params, context.handle)
          : call.cuGraphAddMemcpyNode(out, graph, list, count, params, context.handle)
    context.check(result, `adding ${this.describe(step)} to a graph`)
    return context.out.get(0)
  }

  /** Updates the step's arguments in an instantiated graph. */
  update(exec: number, node: number, step: number): void {
    const context = this.#context
    const call = context.enter()
    const params = this.#write(step)
    const { kind } = this.#list.specs[step]!
    const result =
      kind === 'kernel'
        ? call.cuGraphExecKernelNodeSetParams(exec, node, params)
        : kind === 'fill'
          ? call.cuGraphExecMemsetNodeSetParams(exec, node, params, context.handle)
          : call.cuGraphExecMemcpyNodeSetParams(exec, node, params, context.handle)
    context.check(result, `updating ${this.describe(step)} in a graph`)
  }

  describe(step: number): string {
    const spec = this.#list.specs[step]!
    return spec.kind === 'kernel' ? `kernel ${spec.kernel.name}` : `a ${spec.kind}`
  }

  /** Frees what it allocated. */
  release(): void {
    if (this.#spareBlock !== null) this.#allocator.release(this.#spareBlock)
    this.#spareBlock = null
  }

  /** Writes the node's parameters, valid even for an empty step, and returns their address. */
  #write(step: number): number {
    const spec = this.#list.specs[step]!
    const params = this.#params[step]!
    if (spec.kind === 'kernel') this.#writeKernel(step, spec, params)
    else if (spec.kind === 'fill') this.#writeFill(step, spec, params)
    else this.#writeCopy(step, params)
    return params.address
  }

  /** Writes the parameters of a kernel node. */
  #writeKernel(step: number, { kernel, threads, sharedBytes = 0 }: KernelStep, params: NativeWords): void {
    params.set(kernelNode.kernel, kernel.handle)
    const { halves } = params
    halves[kernelNode.gridX] = Math.max(1, this.#list.blocks(step))
    halves[kernelNode.gridX + 1] = 1
    halves[kernelNode.gridX + 2] = 1
    halves[kernelNode.blockX] = threads
    halves[kernelNode.blockX + 1] = 1
    halves[kernelNode.blockX + 2] = 1
    halves[kernelNode.sharedBytes] = sharedBytes
    params.set(kernelNode.extra, this.#list.extraAddress(step))
  }

  /** Writes the parameters of a memset node; an empty step sets one spare element. */
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

  /** Memory that nodes of empty steps refer to: the driver checks addresses even of disabled nodes. */
  #spare(): number {
    this.#spareBlock ??= this.#allocator.allocate(spareBytes, 'graphs')
    return this.#spareBlock.address
  }
}

function nodeWords(kind: 'kernel' | 'fill' | 'copy'): number {
  return { kernel: kernelNode, fill: memsetNode, copy: memcpyNode }[kind].words
}
