/**
 * Tile ops as lane ops, in the order of the program: every tile in the layout that the plan gives it, cheap ones where
 * they are wanted, and conversions where a user asks for another layout (made with the tile, so outside of loops that
 * only use it).
 */
import { InternalError } from '../../base/errors.js'
import type { LaneNode } from '../../lane/ir.js'
import { type TileBlock, type TileNode, tileType } from '../../tile/ir.js'
import { lanesOf } from '../lanes.js'
import { blockAccess, suits } from './access.js'
import type { Context } from './context.js'
import { type DotGroups, dotGroups } from './dot-groups.js'
import { operandAlignment, operandKey } from './dot-layouts.js'
import { convert } from './exchange.js'
import { emitFma } from './fma-dot.js'
import { IndexTiles } from './index-tiles.js'
import { broadcastRegisters, type Layout, layoutKey, registerCount, totalBits, uniform } from './layout.js'
import { emitAtomic, emitGather, emitLoad, emitScatter, emitStore } from './memory.js'
import { emitMma } from './mma-dot.js'
import { type Staged, startCopies, storeOperand, zeroBeyond } from './operands.js'
import { Pipeline, planPipeline } from './pipeline.js'
import { loadFirst, loadNext, planPrefetch } from './prefetch.js'
import { emitReduce } from './reduce.js'
import { beforeRenaming, isRenaming, shapeOf } from './renaming.js'
import { emitReshape } from './reshape.js'
import { Rounds } from './rounds.js'
import { emitScan } from './scan.js'
import { emitWgmma, settle, startWgmma } from './wgmma-dot.js'

export class Emitter {
  readonly indices: IndexTiles
  readonly #dotGroups: DotGroups

  constructor(readonly context: Context) {
    this.#dotGroups = dotGroups(context.plan)
    this.indices = new IndexTiles(context, (node, layout) => this.value(node, layout))
  }

  /** The value of a tile in a layout. */
  readonly value = (node: TileNode, layout: Layout): LaneNode => {
    const known = this.context.known(node, layout)
    if (known !== undefined) return known
    const made = this.context.at(node, () => this.#make(node, layout))
    if (lanesOf(made) !== registerCount(layout))
      throw new InternalError(`simt: ${node.op} has ${lanesOf(made)} registers for ${layoutKey(layout)}`)
    this.context.set(node, layout, made)
    return made
  }

  /** A tile of one element. */
  readonly scalar = (node: TileNode): LaneNode => this.value(node, uniform(shapeOf(node), this.context.warpBits))

  #make(node: TileNode, layout: Layout): LaneNode {
    if (isRenaming(node)) return this.#rename(node, layout)
    const { plan } = this.context
    if (plan.isCheap(node)) return this.#elementwise(node, layout)
    const home = plan.home(node)
    const value = this.context.known(node, home)
    if (value === undefined) throw new InternalError(`simt: ${node.op} is used before it is computed`)
    return convert(this.context, value, home, layout, node.origin.at)
  }

  #rename(node: TileNode, layout: Layout): LaneNode {
    const [input] = node.inputs as [TileNode]
    const value = this.value(input, beforeRenaming(node, layout))
    if (node.op !== 'broadcast') return value
    return this.context.vectors.pick(value, broadcastRegisters(layout, shapeOf(input)))
  }

  /** Cheap tiles and pointwise ops. */
  #elementwise(node: TileNode, layout: Layout): LaneNode {
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

  /** What stands in a block: effects, and tiles with a layout of their own. */
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
    // Single elements are offsets and conditions as well: they have one layout, which nobody asks for.
    if (plan.wanted(node).length === 0 && totalBits(shapeOf(node)) > 0) return
    const home = plan.home(node)
    // Loaded a round ahead.
    if (this.context.known(node, home) !== undefined) return
    this.context.set(node, home, this.#fresh(node, home))
    this.#convertAll(node)
  }

  /** Other layouts that users want, made where the tile is: they may stand in loops. */
  #convertAll(node: TileNode): void {
    for (const layout of this.context.plan.wanted(node)) {
      if (this.context.known(node, layout) !== undefined) continue
      if (node.op === 'load' && suits(blockAccess(node), layout))
        this.context.set(node, layout, this.#fresh(node, layout))
      else this.value(node, layout)
    }
  }

  #fresh(node: TileNode, layout: Layout): LaneNode {
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
      case 'reshape':
        return emitReshape(context, node, operand(), plan.operandLayout(node), layout)
      default:
        throw new InternalError(`simt: ${node.op} has no emission`)
    }
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

  // Products.

  /** A group of dots, at the place of its last one. */
  #dots(group: readonly TileNode[], node: TileNode): void {
    const { context } = this
    const { plan } = context
    const dots = group.filter(dot => plan.wanted(dot).length > 0 || totalBits(shapeOf(dot)) === 0)
    if (node !== group.at(-1) || dots.length === 0 || context.deferred.has(node)) return
    const sums = dots.map(dot => this.value(dot.inputs[2]!, plan.dots.get(dot)!.acc))
    const [first] = dots as [TileNode]
    const fragments = plan.leftInRegisters.get(first)
    const left = fragments && zeroBeyond(context, this.value(first.inputs[0]!, fragments), fragments, 1)
    const staged = this.#stageOperands(dots)
    const operand = (dot: TileNode, position: 0 | 1): Staged => staged.get(operandKey(plan.dots.get(dot)!, position))!
    for (const { buffer } of new Set(staged.values())) context.shared.read(buffer)
    const product = <A>(dot: TileNode, i: number, a: A) => {
      return { plan: plan.dots.get(dot)!, a, b: operand(dot, 1), acc: sums[i]! }
    }
    const { method } = plan.dots.get(first)!
    const emitOnUnit = method === 'wgmma' ? emitWgmma : emitMma
    const made =
      method === 'fma'
        ? emitFma(
            context,
            dots.map((dot, i) => product(dot, i, operand(dot, 0))),
          )
        : emitOnUnit(
            context,
            dots.map((dot, i) => product(dot, i, left ?? operand(dot, 0))),
          )
    dots.forEach((dot, i) => {
      context.set(dot, plan.home(dot), made[i]!)
      this.#convertAll(dot)
    })
  }

  /** The products of a round, which run on in the next one. */
  #startDeferred(pipeline: Pipeline): void {
    const { context } = this
    const { plan } = context
    const dots = pipeline.plan.deferred.map(({ dot }) => dot)
    const operand = (dot: TileNode, position: 0 | 1): Staged =>
      context.staged.get(operandKey(plan.dots.get(dot)!, position))!
    const buffers = new Set(dots.flatMap(dot => [operand(dot, 0).buffer, operand(dot, 1).buffer]))
    for (const { offset, bytes } of buffers)
      context.shared.note({ space: 'shared', from: offset, to: offset + bytes, write: false })
    const sums = startWgmma(
      context,
      dots.map(dot => {
        const dotPlan = plan.dots.get(dot)!
        return { plan: dotPlan, a: operand(dot, 0), b: operand(dot, 1), acc: this.value(dot.inputs[2]!, dotPlan.acc) }
      }),
    )
    dots.forEach((dot, i) => {
      context.set(dot, plan.home(dot), sums[i]!)
    })
  }

  /** The operands of dots in shared memory: where the loop around has put them, or brought there now. */
  #stageOperands(dots: readonly TileNode[]): ReadonlyMap<string, Staged> {
    const { context } = this
    const { plan } = context
    const operands = new Map<string, { readonly dot: TileNode; readonly position: 0 | 1 }>()
    for (const dot of dots) {
      for (const position of plan.leftInRegisters.has(dot) ? ([1] as const) : ([0, 1] as const))
        operands.set(operandKey(plan.dots.get(dot)!, position), { dot, position })
    }
    const missing = [...operands].filter(([key]) => !context.staged.has(key))
    // All that is computed comes first: it may use shared memory itself.
    const values = missing.map(([, { dot, position }]) =>
      plan.copies.get(dot)![position] === null
        ? this.value(dot.inputs[position]!, plan.operandLayout(dot, position))
        : null,
    )
    const layouts = missing.map(([, { dot, position }]) => {
      const { sharedA, sharedB } = plan.dots.get(dot)!
      return position === 0 ? sharedA : sharedB
    })
    const buffers = context.shared.together(
      missing.map(([, { dot, position }], i) => ({
        dtype: plan.dots.get(dot)!.operand,
        count: layouts[i]!.size,
        name: position === 0 ? 'a' : 'b',
        alignment: operandAlignment(plan.dots.get(dot)!),
      })),
      dots[0]!.origin.at,
    )
    const made = new Map(
      missing.map(([key], i): [string, Staged] => [key, { buffer: buffers[i]!, layout: layouts[i]!, start: null }]),
    )
    missing.forEach(([key, { dot, position }], i) => {
      const [staged, value] = [made.get(key)!, values[i]!]
      context.shared.write(staged.buffer)
      if (value === null) startCopies(context, plan.copies.get(dot)![position]!, staged.buffer, null, this.scalar)
      else storeOperand(context, staged, position === 0 ? 1 : 0, plan.operandLayout(dot, position), value)
    })
    if (values.includes(null)) {
      context.lanes.builder.node('asyncCommit', [], {})
      context.lanes.builder.node('asyncWait', [], { pending: 0 })
    }
    if (missing.length > 0 && plan.dots.get(dots[0]!)!.method === 'wgmma')
      context.lanes.builder.node('proxyFence', [], {})
    return new Map([...operands.keys()].map(key => [key, made.get(key) ?? context.staged.get(key)!]))
  }

  // Control flow.

  /** Params of a block stand for `values` while `body` runs; gives the block's results. `end`: what comes last. */
  #inBlock(
    block: TileBlock,
    layouts: readonly Layout[],
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
  #resultLayout(result: TileNode, layouts: readonly Layout[], i: number): Layout {
    return layouts[i] ?? uniform(shapeOf(result), this.context.warpBits)
  }

  #params(types: readonly TileNode[], layouts: readonly Layout[], name: string): LaneNode[] {
    return types.map((node, i) => this.context.lanes.param(tileType(node).dtype, registerCount(layouts[i]!), name))
  }

  /** `settled`: what stands for an item, if not the item itself. */
  #setItems(
    node: TileNode,
    made: LaneNode,
    layouts: readonly Layout[],
    settled: ReadonlyMap<number, LaneNode> = new Map(),
  ): void {
    const { context } = this
    for (const item of context.plan.itemsOf(node)) {
      if (item.op !== 'item') continue
      const { index } = item.attrs
      context.set(item, layouts[index]!, settled.get(index) ?? context.lanes.item(made, index))
      this.#convertAll(item)
    }
  }

  #range(node: TileNode): void {
    const { context } = this
    const { lanes, plan } = context
    const layouts = plan.slotLayouts(node)
    const [from, to, step] = node.inputs.slice(0, 3).map(this.scalar) as [LaneNode, LaneNode, LaneNode]
    const inits = node.inputs.slice(3).map((init, i) => this.value(init, layouts[i]!))
    const [block] = node.blocks as [TileBlock]
    const counter = lanes.param('i64', 1, 'i')
    const params = this.#params(block.params.slice(1), layouts, 'carried')
    const rounds = new Rounds(context, node)
    const pipelinePlan = planPipeline(context, rounds)
    const pipeline = pipelinePlan && new Pipeline(context, pipelinePlan, rounds, this.scalar, this.value)
    const brought = pipelinePlan?.raw.map(({ load }) => load) ?? []
    const prefetch = planPrefetch(context, rounds, brought)
    const { loads } = prefetch
    const first = loadFirst(context, rounds, prefetch, [from, to, step], this.scalar)
    const homes = loads.map(load => plan.home(load))
    const ahead = Array.from({ length: prefetch.rounds }, () => this.#params(loads, homes, 'ahead')).flat()
    pipeline?.enter(from, to, step)
    for (const { dot } of pipeline?.plan.deferred ?? []) context.deferred.add(dot)
    const stages = (pipeline?.rings ?? []).map(() => lanes.param('i32', 1, 'stage'))
    const none = uniform([], context.warpBits)
    const turn = (): LaneNode[] => {
      context.set(block.params[0]!, none, counter)
      const isDeferred = pipeline?.isDeferred ?? false
      pipeline?.begin(stages)
      let next = pipeline?.isStaged && !isDeferred ? pipeline.turn(counter, to, step, stages) : []
      const later = loadNext(context, rounds, prefetch, [counter, to, step], this.scalar)
      loads.forEach((load, i) => {
        context.set(load, homes[i]!, ahead[i]!)
      })
      const results = this.#inBlock(block, layouts, params, block.params.slice(1), () => {
        if (!isDeferred) return
        next = pipeline!.turn(counter, to, step, stages)
        this.#startDeferred(pipeline!)
      })
      context.shared.closeLoop()
      return [...results, ...ahead.slice(loads.length), ...later, ...next]
    }
    const made = context.shared.loop(() =>
      lanes.builder.block([counter, ...params, ...ahead, ...stages], () => context.scope(turn)),
    )
    pipeline?.leave()
    const inputs = [from, to, step, ...inits, ...first, ...stages.map(() => context.i32(0))]
    const loop = lanes.builder.node('for', inputs, { unroll: false, comment: 'range' }, [made])
    pipeline?.end()
    const settled = new Map<number, LaneNode>()
    for (const { dot, slot } of pipeline?.plan.deferred ?? [])
      settled.set(slot, settle(context, plan.dots.get(dot)!, lanes.item(loop, slot)))
    this.#setItems(node, loop, layouts, settled)
  }

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
      const turnParams = this.#params(turn.params, layouts, 'carried')
      made.push(
        lanes.builder.block(turnParams, () =>
          context.scope(() => {
            const results = this.#inBlock(turn, layouts, turnParams, turn.params)
            context.shared.closeLoop()
            return results
          }),
        ),
      )
    })
    const loop = lanes.builder.node('while', inits, { comment: 'while' }, made)
    this.#setItems(node, loop, layouts)
  }

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
    this.#setItems(node, branch, layouts)
  }
}
