/**
 * Emission of groups of dots (dot-groups.ts): stages their operands in shared memory, where the loop's pipeline has not
 * done so already, and multiplies by the planned method: mma.sync, wgmma, or multiply-adds.
 */
import type { LaneNode } from '../../lane/ir.js'
import type { TileNode } from '../../tile/ir.js'
import { lanesOf } from '../shared/lanes.js'
import type { Context, Scalar, Value } from './context.js'
import { type DotPlan, operandAlignment, operandKey } from './dot-layouts.js'
import { emitFma } from './fma-dot.js'
import type { JointDots } from './joint-dots.js'
import { emitMma, type MmaOperands } from './mma-dot.js'
import { startCopies, storeOperand, zeroBeyond } from './operands.js'
import type { Staged } from './shared-memory.js'
import { emitWgmma, startWgmma } from './wgmma-dot.js'

/** An operand of one or more dots. */
interface DotOperand {
  readonly key: string
  readonly dot: TileNode
  readonly position: 0 | 1
}

export class DotEmitter {
  constructor(
    readonly context: Context,
    readonly value: Value,
    readonly scalar: Scalar,
  ) {}

  #planOf(dot: TileNode): DotPlan {
    return this.context.plan.dots.get(dot)!
  }

  /** The results of a group's dots. */
  sums(dots: readonly TileNode[]): LaneNode[] {
    const { context } = this
    const sums = dots.map(dot => this.value(dot.inputs[2]!, this.#planOf(dot).acc))
    const [first] = dots as [TileNode]
    const fragments = context.plan.leftInRegisters.get(first)
    const left = fragments && zeroBeyond(context, this.value(first.inputs[0]!, fragments), fragments, 1)
    const staged = this.#stage(dots)
    for (const { buffer } of new Set(staged.values())) context.shared.read(buffer)
    const operand = (dot: TileNode, position: 0 | 1): Staged => staged.get(operandKey(this.#planOf(dot), position))!
    const products = dots.map((dot, i) => ({ plan: this.#planOf(dot), b: operand(dot, 1), acc: sums[i]! }))
    const { method } = this.#planOf(first)
    if (method === 'fma')
      return emitFma(
        context,
        products.map((product, i) => ({ ...product, a: operand(dots[i]!, 0) })),
      )
    const onUnit = products.map((product, i) => ({ ...product, a: left ?? operand(dots[i]!, 0) }))
    return method === 'wgmma' ? emitWgmma(context, onUnit) : emitMma(context, onUnit)
  }

  /**
   * Issues deferred dots. Their operands are in shared memory already, or are the fragments `lefts`. The results are not valid
   * until `settle`. `joint`: the dots are issued as one.
   */
  started(dots: readonly TileNode[], lefts: ReadonlyMap<TileNode, LaneNode>, joint: JointDots | null): LaneNode[] {
    const { context } = this
    const operand = (dot: TileNode, position: 0 | 1): Staged =>
      context.staged.get(operandKey(this.#planOf(dot), position))!
    const held = new Map<LaneNode, LaneNode>()
    for (const left of lefts.values())
      if (!held.has(left)) held.set(left, context.lanes.builder.node('wgmmaHold', [left], {}))
    const products = dots.map(dot => {
      const plan = this.#planOf(dot)
      const left = lefts.get(dot)
      const a = left === undefined ? operand(dot, 0) : held.get(left)!
      return { plan, a, b: operand(dot, 1), acc: this.value(dot.inputs[2]!, plan.acc) }
    })
    const read = products.flatMap(({ a, b }) => ('buffer' in a ? [a.buffer, b.buffer] : [b.buffer]))
    for (const { offset, bytes } of new Set(read))
      context.shared.note({ space: 'shared', from: offset, to: offset + bytes, write: false })
    return joint === null ? startWgmma(context, products) : this.#startJoint(joint, products)
  }

  #startJoint({ plan }: JointDots, products: readonly MmaOperands[]): LaneNode[] {
    const { vectors } = this.context
    const [{ a, b, acc }] = products as [MmaOperands]
    const accs = vectors.concat(products.map(product => product.acc))
    // The merged operand starts where the first one does.
    const [sums] = startWgmma(this.context, [{ plan, a, b: { ...b, layout: plan.sharedB }, acc: accs }])
    return products.map((_, i) => vectors.slice(sums!, i * lanesOf(acc), lanesOf(acc)))
  }

  /** The dots' shared-memory operands by key: where the loop's pipeline put them, or staged now. */
  #stage(dots: readonly TileNode[]): ReadonlyMap<string, Staged> {
    const { context } = this
    const operands = this.#operandsOf(dots)
    const missing = operands.filter(({ key }) => !context.staged.has(key))
    const made = this.#bring(missing, dots[0]!)
    if (missing.length > 0 && this.#planOf(dots[0]!).method === 'wgmma')
      context.lanes.builder.node('proxyFence', [], {})
    return new Map(operands.map(({ key }) => [key, made.get(key) ?? context.staged.get(key)!]))
  }

  /** Each operand once, except those that stay in registers. */
  #operandsOf(dots: readonly TileNode[]): readonly DotOperand[] {
    const found = new Map<string, DotOperand>()
    for (const dot of dots) {
      for (const position of this.context.plan.leftInRegisters.has(dot) ? ([1] as const) : ([0, 1] as const)) {
        const key = operandKey(this.#planOf(dot), position)
        found.set(key, { key, dot, position })
      }
    }
    return [...found.values()]
  }

  /** Brings operands to shared memory, by asynchronous copies or through registers. */
  #bring(operands: readonly DotOperand[], first: TileNode): ReadonlyMap<string, Staged> {
    const { context } = this
    const { plan } = context
    // Computes all values before storing any, because computing may itself use shared memory.
    const values = operands.map(({ dot, position }) =>
      plan.copies.get(dot)![position] === null
        ? this.value(dot.inputs[position]!, plan.operandLayout(dot, position))
        : null,
    )
    const made = this.#reserve(operands, first)
    operands.forEach(({ dot, position }, i) => {
      const [staged, value] = [made[i]!, values[i]!]
      context.shared.write(staged.buffer)
      if (value === null) startCopies(context, plan.copies.get(dot)![position]!, staged.buffer, null, this.scalar)
      else storeOperand(context, staged, position === 0 ? 1 : 0, plan.operandLayout(dot, position), value)
    })
    if (values.includes(null)) {
      context.lanes.builder.node('asyncCommit', [], {})
      context.lanes.builder.node('asyncWait', [], { pending: 0 })
    }
    return new Map(operands.map(({ key }, i) => [key, made[i]!]))
  }

  /** Reserves one buffer per operand, all live at the same time. */
  #reserve(operands: readonly DotOperand[], first: TileNode): readonly Staged[] {
    const layouts = operands.map(({ dot, position }) => {
      const { sharedA, sharedB } = this.#planOf(dot)
      return position === 0 ? sharedA : sharedB
    })
    const wanted = operands.map(({ dot, position }, i) => ({
      dtype: this.#planOf(dot).operand,
      count: layouts[i]!.size,
      name: position === 0 ? 'a' : 'b',
      alignment: operandAlignment(this.#planOf(dot)),
    }))
    const buffers = this.context.shared.together(wanted, first.origin.at)
    return layouts.map((layout, i) => ({ buffer: buffers[i]!, layout, start: null }))
  }
}
