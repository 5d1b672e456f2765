/** A small dialect to test the engine with: numbers, memory cells, loops. */
import { Builder } from '../../src/ir/builder.js'
import type { Block, Dialect, NodeOf } from '../../src/ir/node.js'

interface ToyOps {
  num: { readonly value: number }
  add: Record<string, never>
  param: Record<string, never>
  load: { readonly cell: string }
  store: { readonly cell: string }
  /** (count): one block (index) → nothing. */
  loop: Record<string, never>
}

export type ToyNode = NodeOf<ToyOps, string>
export type ToyBlock = Block<ToyNode>

export const toy: Dialect<ToyNode> = {
  name: 'toy',
  printType: type => type,
  typeKey: type => type,
  ops: {
    num: { effect: 'pure', infer: () => 'int' },
    add: { effect: 'pure', infer: () => 'int' },
    param: { effect: 'unique', infer: () => 'int' },
    load: { effect: 'read', infer: () => 'int' },
    store: { effect: 'effect', infer: () => 'nothing' },
    loop: { effect: 'effect', isControl: true, infer: () => 'nothing' },
  },
}

export const toyBuilder = (): Builder<ToyNode> => new Builder(toy)
export const isLoop = (node: ToyNode): boolean => node.op === 'loop'

/** A loop whose body `build` makes from the index. */
export function loop(b: Builder<ToyNode>, count: ToyNode, build: (index: ToyNode) => void): ToyNode {
  const index = b.node('param', [], {})
  const body = b.block([index], () => {
    build(index)
    return []
  })
  return b.node('loop', [count], {}, [body])
}
