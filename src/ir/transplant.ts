/** Copies a program into another one under construction. */
import type { Builder } from './builder.js'
import { type AnyNode, type Attrs, type Block, type Dialect, isFloating } from './node.js'

/**
 * Inlines a copy of a block at the builder's current position; returns the results. `replace`: the substitute for a node, or
 * null to copy it; `change`: the attributes of a copy, as they are by default. The block's params must be replaced, or be unused.
 */
export function transplant<N extends AnyNode>(
  dialect: Dialect<N>,
  builder: Builder<N>,
  block: Block<N>,
  replace: (node: N) => N | null,
  change: (attrs: Attrs) => Attrs = attrs => attrs,
): N[] {
  const copies = new Map<N, N>()
  const copyOf = (node: N): N => {
    for (const each of inputsFirst(node, copies)) copies.set(each, replace(each) ?? rebuilt(each))
    return copies.get(node)!
  }
  const rebuilt = (node: N): N =>
    builder.withOrigin(node.origin, () => {
      const blocks = node.blocks.map(inner => {
        const { params, body, results } = inner as Block<N>
        const own = params.map(copyOf)
        return builder.block(own, () => contents(body, results))
      })
      const inputs = node.inputs.map(input => copies.get(input as N)!)
      return builder.node(node.op as N['op'], inputs, change(node.attrs as Attrs) as never, blocks)
    })
  const contents = (body: readonly N[], results: readonly N[]): N[] => {
    for (const node of body) if (!isFloating(dialect, node)) copyOf(node)
    return results.map(copyOf)
  }
  return contents(block.body, block.results)
}

/** The nodes that a node depends on and that are not copied yet, inputs first. */
function inputsFirst<N extends AnyNode>(node: N, known: ReadonlyMap<N, N>): N[] {
  const order: N[] = []
  const seen = new Set<N>()
  const stack: [N, boolean][] = [[node, false]]
  while (stack.length > 0) {
    const [top, ready] = stack.pop()!
    if (ready) order.push(top)
    else if (!known.has(top) && !seen.has(top)) {
      seen.add(top)
      stack.push([top, true])
      for (const input of top.inputs) stack.push([input as N, false])
    }
  }
  return order
}
