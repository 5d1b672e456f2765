/**
 * Emits lane ops for tile ops in program order: each tile in its planned layout; cheap tiles at each use; layout conversions
 * right after the definition, hence outside of loops that only read the tile.
 */
import { InternalError } from '../../base/errors.js'
import type { LaneNode } from '../../lane/ir.js'
import { type TileBlock, type TileNode, tileType } from '../../tile/ir.js'
import { dtypeOf, lanesOf } from '../shared/lanes.js'
import { blockAccess, suits } from './access.js'
import { binLayout } from './bin-layout.js'
import { emitBinOrder, emitHistogram, emitTake } from './bins.js'
import { Carried } from './carried.js'
import type { Context, Value } from './context.js'
import { type DotGroups, dotGroups } from './dot-groups.js'
import { DotEmitter } from './dots.js'
import { convert } from './exchange.js'
import { IndexTiles } from './index-tiles.js'
import { Iterations } from './iterations.js'
import { broadcastRegisters, layoutKey, registerCount, type ThreadLayout, totalBits, uniform } from './layout.js'
import { emitAtomic, emitGather, emitLoad, emitScatter, emitStore } from './memory.js'
import { Pipeline } from './pipeline.js'
import { type PipelinePlan, planPipeline } from './pipeline-plan.js'
import { loadFirst, loadNext, planPrefetch } from './prefetch.js'
import { emitReduce } from './reduce.js'
import { beforeRenaming, isRenaming, shapeOf } from './renaming.js'
import { emitReshape } from './reshape.js'
import { emitScan } from './scan.js'
import { settle } from './wgmma-dot.js'

export class Emitter {
  readonly indices: IndexTiles
  readonly #dotGroups: DotGroups
  readonly #dotEmitter: DotEmitter

  constructor(readonly context: Context) {
    const value: Value = (node, layout) => this.value(node, layout)
    this.#dotGroups = dotGroups(context.plan)
    this.#dotEmitter = new DotEmitter(context, value, node => this.scalar(node))
    this.indices = new IndexTiles(context, value)
  }

  /** The value of a tile in a layout. */
  readonly value = (node: TileNode, layout: ThreadLayout): LaneNode => {
    const known = this.context.known(node, layout)
    if (known !== undefined) return known
    const made = this.context.at(node, () => this.#make(node, layout))
    if (lanesOf(made) !== registerCount(layout))
      throw new InternalError(`simt: ${node.op} has ${lanesOf(made)} registers for ${layoutKey(layout)}`)
    this.context.set(node, layout, made)
    return made
  }

  /** The value of a one-element tile. */
  readonly scalar = (node: TileNode): LaneNode => this.value(node, uniform(shapeOf(node), this.context.warpBits))

  #make(node: TileNode, layout: ThreadLayout): LaneNode {
    if (isRenaming(node)) return this.#rename(node, layout)
    const { plan } = this.context
    if (plan.isCheap(node)) return this.#elementwise(node, layout)
    const home = plan.home(node)
    const value = this.context.known(node, home)
    if (value === undefined) throw new InternalError(`simt: ${node.op} is used before it is computed`)
    return convert(this.context, value, home, layout, node.origin.at)
  }

  #rename(node: TileNode, layout: ThreadLayout): LaneNode {
    const [input] = node.inputs as [TileNode]
    const value = this.value(input, beforeRenaming(node, layout))
    if (node.op !== 'broadcast') return value
    return this.context.vectors.pick(value, broadcastRegisters(layout, shapeOf(input)))
  }

  /** Cheap tiles and elementwise ops. */
  #elementwise(node: TileNode, layout: ThreadLayout): LaneNode {
    const { context } = this
    const { lanes } = context
    const full = (value: LaneNode): LaneNode => lanes.spread(value, registerCount(layout))
    const input = (i: number): LaneNode => this.value(node.inputs[i]!, layout)
    switch (node.op) {
      case 'const':
        return full(lanes.constant(node.attrs.dtype, node.attrs.value))
      case 'scalar':
        return full(context.scalarArgument(node.attrs.index))
      case 'size':
        return full(context.viewSize(node.inputs[0]!, node.attrs.dim))
      case 'stride':
        return full(context.viewStride(node.inputs[0]!, node.attrs.dim))
      case 'programId':
        return full(lanes.builder.node('programId', [], node.attrs))
      case 'numPrograms':
        return full(lanes.builder.node('numPrograms', [], node.attrs))
      case 'iota':
        return lanes.cast(context.coordinates(layout, 0), node.attrs.dtype)
      case 'map':
        return (
          this.indices.compare(node, layout) ??
          lanes.map(node.attrs.fn, ...node.inputs.map(each => this.value(each, layout)))
        )
      case 'cast':
        return lanes.cast(input(0), node.attrs.to)
      case 'bitcast':
        return lanes.bitcast(input(0), node.attrs.to)
      default:
        throw new InternalError(`simt: ${node.op} is not elementwise`)
    }
  }

  block(block: TileBlock): void {
    for (const node of this.context.plan.order.get(block)!) this.context.at(node, () => this.#step(node))
  }

  /** Emits a node at its position in the program: effects, and tiles with a planned layout. */
  #step(node: TileNode): void {
    const { context } = this
    const { plan } = context
    switch (node.op) {
      case 'store': {
        const layout = plan.home(node)
        emitStore(context, node, layout, this.value(node.inputs.at(-1)!, layout), this.scalar)
        return
      }
      case 'scatter':
        emitScatter(context, node, plan.home(node), this.value)
        return
      case 'atomic':
        this.#atomic(node)
        return
      case 'range':
        this.#range(node)
        return
      case 'while':
        this.#while(node)
        return
      case 'if':
        this.#if(node)
        return
      case 'view':
      case 'item':
      case 'param':
        return
      default:
        if (plan.isCheap(node) || isRenaming(node) || plan.reduces.isAbsorbed(node)) return
        if (node.op === 'dot') this.#dots(this.#dotGroups.get(node)!, node)
        else this.#compute(node)
    }
  }

  #compute(node: TileNode): void {
    const { plan } = this.context
    // Single elements also serve as offsets and conditions: all users take their only layout.
    if (plan.wanted(node).length === 0 && totalBits(shapeOf(node)) > 0) return
    const home = plan.home(node)
    // Prefetched in an earlier iteration.
    if (this.context.known(node, home) !== undefined) return
    this.context.set(node, home, this.#fresh(node, home))
    this.#convertAll(node)
  }

  /** Converts a tile to the other layouts that users request, at its definition: users may be inside loops. */
  #convertAll(node: TileNode): void {
    for (const layout of this.context.plan.wanted(node)) {
      if (this.context.known(node, layout) !== undefined) continue
      if (node.op === 'load' && suits(blockAccess(node), layout))
        this.context.set(node, layout, this.#fresh(node, layout))
      else this.value(node, layout)
    }
  }

  /** Emits a tile's computation in the given layout. */
  #fresh(node: TileNode, layout: ThreadLayout): LaneNode {
    const { context } = this
    const { plan } = context
    const operand = (): LaneNode => this.value(node.inputs[0]!, plan.operandLayout(node))
    switch (node.op) {
      case 'map':
      case 'cast':
      case 'bitcast':
        return this.#elementwise(node, layout)
      case 'load':
        return emitLoad(context, node, layout, this.scalar)
      case 'gather':
        return emitGather(context, node, layout, this.value)
      case 'reduce': {
        const chain = plan.reduces.of(node)
        const from = plan.layoutAsOperand(chain.source)
        return emitReduce(context, chain, this.value(chain.source, from), from)
      }
      case 'scan':
        return emitScan(context, node, this.value(node.inputs[0]!, layout), layout)
      case 'histogram':
        return emitHistogram(context, node, this.#binsOf(node), layout)
      case 'binOrder':
        return emitBinOrder(context, node, this.#binsOf(node), layout)
      case 'take': {
        const from = plan.operandLayout(node)
        return emitTake(context, node, operand(), from, this.value(node.inputs[1]!, layout))
      }
      case 'reshape':
        return emitReshape(context, node, operand(), plan.operandLayout(node), layout)
      default:
        throw new InternalError(`simt: ${node.op} has no emission`)
    }
  }

  #binsOf(node: TileNode): LaneNode {
    const [digits] = node.inputs as [TileNode]
    return this.value(digits, binLayout(shapeOf(digits), this.context.warpBits))
  }

  #atomic(node: Extract<TileNode, { op: 'atomic' }>): void {
    const { context } = this
    const wanted = context.plan.wanted(node)
    const home = context.plan.home(node)
    const old = emitAtomic(context, node, home, wanted.length > 0, this.value)
    if (old === null) return
    context.set(node, home, old)
    this.#convertAll(node)
  }

  // Dots.

  /** Emits a group of dots at the position of its last one. */
  #dots(group: readonly TileNode[], node: TileNode): void {
    const { context } = this
    const dots = group.filter(dot => context.plan.wanted(dot).length > 0 || totalBits(shapeOf(dot)) === 0)
    if (node !== group.at(-1) || dots.length === 0 || context.deferred.has(node)) return
    const sums = this.#dotEmitter.sums(dots)
    dots.forEach((dot, i) => {
      context.set(dot, context.plan.home(dot), sums[i]!)
      this.#convertAll(dot)
    })
  }

  /** Issues the dots of an iteration; they run during the next one. */
  #startDeferred(pipeline: Pipeline): void {
    const { context } = this
    const dots = pipeline.plan.deferred.map(({ dot }) => dot)
    const sums = this.#dotEmitter.started(dots, pipeline.lefts, pipeline.plan.joint)
    dots.forEach((dot, i) => {
      context.set(dot, context.plan.home(dot), sums[i]!)
    })
  }

  // Control flow.

  /** Binds a block's params to `values` while `body` runs; returns the block's results. `end` is emitted last. */
  #inBlock(
    block: TileBlock,
    layouts: readonly ThreadLayout[],
    values: readonly LaneNode[],
    params: readonly TileNode[],
    end?: () => void,
  ): LaneNode[] {
    params.forEach((param, i) => {
      this.context.set(param, layouts[i]!, values[i]!)
      this.#convertAll(param)
    })
    this.block(block)
    end?.()
    return block.results.map((result, i) => this.value(result, this.#resultLayout(result, layouts, i)))
  }

  /** A loop's condition is a scalar; other results have their slots' layouts. */
  #resultLayout(result: TileNode, layouts: readonly ThreadLayout[], i: number): ThreadLayout {
    return layouts[i] ?? uniform(shapeOf(result), this.context.warpBits)
  }

  #params(types: readonly TileNode[], layouts: readonly ThreadLayout[], name: string): LaneNode[] {
    return types.map((node, i) => this.context.lanes.param(tileType(node).dtype, registerCount(layouts[i]!), name))
  }

  /** Binds the items of a control node to these values. */
  #setItems(node: TileNode, layouts: readonly ThreadLayout[], values: readonly LaneNode[]): void {
    for (const item of this.context.plan.itemsOf(node)) {
      if (item.op !== 'item') continue
      const { index } = item.attrs
      this.context.set(item, layouts[index]!, values[index]!)
      this.#convertAll(item)
    }
  }

  #itemsOf(made: LaneNode, layouts: readonly ThreadLayout[]): LaneNode[] {
    return layouts.map((_, i) => this.context.lanes.item(made, i))
  }

  /** A loop's carried values, after waiting for deferred dots. */
  #settled(items: readonly LaneNode[], plan: PipelinePlan | null): readonly LaneNode[] {
    const { context } = this
    const joint = plan?.joint ?? null
    if (joint !== null) return items.with(-1, settle(context, joint.plan, items.at(-1)!))
    return items.map((item, slot) => {
      const deferred = plan?.deferred.find(each => each.slot === slot)
      return deferred === undefined ? item : settle(context, context.plan.dots.get(deferred.dot)!, item)
    })
  }

  /** Emits a loop: carried tiles in registers, operands of its dots pipelined through shared memory, loads prefetched. */
  #range(node: TileNode): void {
    const { context } = this
    const { lanes, plan } = context
    const layouts = plan.slotLayouts(node)
    const [from, to, step] = node.inputs.slice(0, 3).map(this.scalar) as [LaneNode, LaneNode, LaneNode]
    const inits = node.inputs.slice(3).map((init, i) => this.value(init, layouts[i]!))
    const [block] = node.blocks as [TileBlock]
    const counter = lanes.param('i64', 1, 'i')
    const iterations = new Iterations(context, node)
    const pipelinePlan = planPipeline(context, iterations)
    const carried = new Carried(context.vectors, pipelinePlan?.joint ?? null)
    const firstCarried = carried.join(inits)
    const params = firstCarried.map(init => lanes.param(dtypeOf(init), lanesOf(init), 'carried'))
    const pipeline = pipelinePlan && new Pipeline(context, pipelinePlan, iterations, this.scalar, this.value)
    const staged = pipelinePlan?.raw.loads.map(({ load }) => load) ?? []
    const prefetch = planPrefetch(context, iterations, staged)
    const { loads } = prefetch
    const first = loadFirst(context, iterations, prefetch, [from, to, step], this.scalar)
    const homes = loads.map(load => plan.home(load))
    const ahead = Array.from({ length: prefetch.iterations }, () => this.#params(loads, homes, 'ahead')).flat()
    pipeline?.enter(from, to, step)
    const firstRaw = pipeline?.rawNext ?? []
    const raw = this.#params(
      staged,
      staged.map(load => plan.home(load)),
      'raw',
    )
    for (const { dot } of pipeline?.plan.deferred ?? []) context.deferred.add(dot)
    const stages = (pipeline?.rings ?? []).map(() => lanes.param('i32', 1, 'stage'))
    const none = uniform([], context.warpBits)
    const iteration = (): LaneNode[] => {
      context.set(block.params[0]!, none, counter)
      const isDeferred = pipeline?.isDeferred ?? false
      staged.forEach((load, i) => {
        context.set(load, plan.home(load), raw[i]!)
      })
      let next: LaneNode[] = []
      if (pipeline?.isStaged && !isDeferred) {
        pipeline.prepare(stages)
        next = pipeline.ahead(counter, to, step, stages)
        pipeline.place(stages)
      }
      const later = loadNext(context, iterations, prefetch, [counter, to, step], this.scalar)
      loads.forEach((load, i) => {
        context.set(load, homes[i]!, ahead[i]!)
      })
      const results = this.#inBlock(block, layouts, carried.split(params), block.params.slice(1), () => {
        if (!isDeferred) return
        pipeline!.prepare(stages)
        pipeline!.place(stages)
        this.#startDeferred(pipeline!)
        next = pipeline!.ahead(counter, to, step, stages)
      })
      context.shared.closeLoop()
      return [...carried.join(results), ...ahead.slice(loads.length), ...later, ...(pipeline?.rawNext ?? []), ...next]
    }
    const made = context.shared.loop(() =>
      lanes.builder.block([counter, ...params, ...ahead, ...raw, ...stages], () => context.scope(iteration)),
    )
    pipeline?.leave()
    const inputs = [from, to, step, ...firstCarried, ...first, ...firstRaw, ...stages.map(() => context.i32(0))]
    const loop = lanes.builder.node('for', inputs, { unroll: false, comment: 'range' }, [made])
    pipeline?.end()
    const items = params.map((_, i) => lanes.item(loop, i))
    this.#setItems(node, layouts, carried.split(this.#settled(items, pipelinePlan)))
  }

  /** Emits a while loop; the condition and the body each get the carried tiles as block parameters. */
  #while(node: TileNode): void {
    const { context } = this
    const { lanes, plan } = context
    const layouts = plan.slotLayouts(node)
    const inits = node.inputs.map((init, i) => this.value(init, layouts[i]!))
    const [test, turn] = node.blocks as [TileBlock, TileBlock]
    const none = [uniform([], context.warpBits)]
    const made: ReturnType<typeof lanes.builder.block>[] = []
    context.shared.loop(() => {
      const testParams = this.#params(test.params, layouts, 'carried')
      made.push(
        lanes.builder.block(testParams, () =>
          context.scope(() => {
            test.params.forEach((param, i) => {
              context.set(param, layouts[i]!, testParams[i]!)
            })
            for (const param of test.params) this.#convertAll(param)
            this.block(test)
            return [this.value(test.results[0]!, none[0]!)]
          }),
        ),
      )
      const bodyParams = this.#params(turn.params, layouts, 'carried')
      made.push(
        lanes.builder.block(bodyParams, () =>
          context.scope(() => {
            const results = this.#inBlock(turn, layouts, bodyParams, turn.params)
            context.shared.closeLoop()
            return results
          }),
        ),
      )
    })
    const loop = lanes.builder.node('while', inits, { comment: 'while' }, made)
    this.#setItems(node, layouts, this.#itemsOf(loop, layouts))
  }

  /** Emits a branch; both blocks return their tiles in the same layouts. */
  #if(node: TileNode): void {
    const { context } = this
    const { lanes, plan } = context
    const layouts = plan.slotLayouts(node)
    const condition = this.scalar(node.inputs[0]!)
    const made: ReturnType<typeof lanes.builder.block>[] = []
    context.shared.branches(
      node.blocks.map(block => () => {
        made.push(
          lanes.builder.block([], () => context.scope(() => this.#inBlock(block as TileBlock, layouts, [], []))),
        )
      }),
    )
    const branch = lanes.builder.node('if', [condition], { comment: 'if' }, made)
    this.#setItems(node, layouts, this.#itemsOf(branch, layouts))
  }
}
