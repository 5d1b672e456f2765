/** Short spellings for building lane programs by hand in tests. */
import { Builder } from '../../src/ir/builder.js'
import { verify } from '../../src/ir/verify.js'
import {
  type ArgumentType,
  type LaneNode,
  type LaneOps,
  type LaneProgram,
  laneDialect,
  pointer,
  type ValueType,
  value,
} from '../../src/lane/ir.js'
import type { ScalarOpName } from '../../src/scalar/ops.js'
import type { Dtype } from '../../src/types/dtype.js'

export class LaneBuilder {
  readonly builder = new Builder<LaneNode>(laneDialect)

  const(dtype: Dtype, constant: number | bigint, lanes = 1): LaneNode {
    return this.builder.node('const', [], { dtype, value: dtype === 'i64' ? BigInt(constant) : constant, lanes })
  }
  index(constant: number | bigint): LaneNode {
    return this.const('i64', constant)
  }
  map(fn: ScalarOpName, ...inputs: LaneNode[]): LaneNode {
    return this.builder.node('map', inputs, { fn })
  }
  cast(to: Dtype, input: LaneNode): LaneNode {
    return this.builder.node('cast', [input], { to })
  }
  bitcast(to: Dtype, input: LaneNode): LaneNode {
    return this.builder.node('bitcast', [input], { to })
  }
  splat(input: LaneNode, lanes: number): LaneNode {
    return this.builder.node('splat', [input], { lanes })
  }
  iota(dtype: Dtype, lanes: number): LaneNode {
    return this.builder.node('iota', [], { dtype, lanes })
  }
  extract(input: LaneNode, lane: number): LaneNode {
    return this.builder.node('extract', [input], { lane })
  }
  fold(fn: LaneOps['fold']['fn'], input: LaneNode): LaneNode {
    return this.builder.node('fold', [input], { fn })
  }
  prefix(fn: LaneOps['prefix']['fn'], input: LaneNode, reverse = false): LaneNode {
    return this.builder.node('prefix', [input], { fn, reverse })
  }
  interleave(half: 'low' | 'high', a: LaneNode, b: LaneNode): LaneNode {
    return this.builder.node('interleave', [a, b], { half })
  }
  programId(axis: 0 | 1 | 2 = 0): LaneNode {
    return this.builder.node('programId', [], { axis })
  }
  alloc(dtype: Dtype, count: number, name = 'buffer'): LaneNode {
    return this.builder.node('alloc', [], { dtype, count, name })
  }
  load(pointerNode: LaneNode, index: LaneNode, lanes = 1, count?: LaneNode): LaneNode {
    return this.builder.node('load', count === undefined ? [pointerNode, index] : [pointerNode, index, count], {
      lanes,
    })
  }
  store(pointerNode: LaneNode, index: LaneNode, stored: LaneNode, count?: LaneNode): LaneNode {
    const inputs = [pointerNode, index, stored]
    return this.builder.node('store', count === undefined ? inputs : [...inputs, count], {})
  }
  prefetch(pointerNode: LaneNode, index: LaneNode): LaneNode {
    return this.builder.node('prefetch', [pointerNode, index], {})
  }
  gather(pointerNode: LaneNode, indices: LaneNode, mask?: LaneNode): LaneNode {
    return this.builder.node('gather', mask === undefined ? [pointerNode, indices] : [pointerNode, indices, mask], {})
  }
  scatter(pointerNode: LaneNode, indices: LaneNode, stored: LaneNode, mask?: LaneNode): LaneNode {
    const inputs = [pointerNode, indices, stored]
    return this.builder.node('scatter', mask === undefined ? inputs : [...inputs, mask], {})
  }
  atomic(fn: LaneOps['atomic']['fn'], pointerNode: LaneNode, index: LaneNode, operand: LaneNode): LaneNode {
    return this.builder.node('atomic', [pointerNode, index, operand], { fn })
  }

  #param(type: ValueType, name: string): LaneNode {
    return this.builder.node('param', [], { type, name })
  }
  #params(inits: readonly LaneNode[], names: readonly string[]): LaneNode[] {
    return inits.map((init, i) => this.#param(init.type as ValueType, names[i] ?? ''))
  }
  #items(node: LaneNode, count: number): LaneNode[] {
    return Array.from({ length: count }, (_, index) => this.builder.node('item', [node], { index }))
  }

  for(
    [from, to, step]: readonly [LaneNode | number, LaneNode | number, LaneNode | number],
    inits: readonly LaneNode[],
    body: (counter: LaneNode, carried: LaneNode[]) => readonly LaneNode[],
    options: { comment?: string; unroll?: boolean; names?: readonly string[] } = {},
  ): LaneNode[] {
    const bounds = [from, to, step].map(bound => (typeof bound === 'number' ? this.index(bound) : bound))
    const counter = this.#param(bounds[0]!.type as ValueType, '')
    const params = this.#params(inits, options.names ?? [])
    const block = this.builder.block([counter, ...params], () => body(counter, params))
    const attrs = { unroll: options.unroll ?? false, comment: options.comment ?? '' }
    return this.#items(this.builder.node('for', [...bounds, ...inits], attrs, [block]), inits.length)
  }
  if(condition: LaneNode, then: () => readonly LaneNode[], otherwise: () => readonly LaneNode[]): LaneNode[] {
    const blocks = [this.builder.block([], then), this.builder.block([], otherwise)]
    return this.#items(this.builder.node('if', [condition], { comment: '' }, blocks), blocks[0]!.results.length)
  }
  while(
    inits: readonly LaneNode[],
    condition: (carried: LaneNode[]) => LaneNode,
    body: (carried: LaneNode[]) => readonly LaneNode[],
  ): LaneNode[] {
    const before = this.#params(inits, [])
    const test = this.builder.block(before, () => [condition(before)])
    const inside = this.#params(inits, [])
    const block = this.builder.block(inside, () => body(inside))
    return this.#items(this.builder.node('while', inits, { comment: '' }, [test, block]), inits.length)
  }
}

export type ArgTypes = Readonly<Record<string, ArgumentType>>

/** A program with these arguments; `build` gets them by name. The result is verified. */
export function laneProgram<A extends ArgTypes>(
  name: string,
  types: A,
  build: (b: LaneBuilder, args: { readonly [Name in keyof A]: LaneNode }) => void,
): LaneProgram {
  const b = new LaneBuilder()
  const args = Object.entries(types).map(([argName, type]) => ({ name: argName, type }))
  const nodes = args.map((arg, index) => b.builder.node('arg', [], { index, ...arg }))
  const byName = Object.fromEntries(nodes.map((node, i) => [args[i]!.name, node])) as {
    readonly [Name in keyof A]: LaneNode
  }
  build(b, byName)
  const body = b.builder.finish([], nodes)
  verify(laneDialect, body)
  return { name, args, body, comment: [] }
}

export { pointer, value }
