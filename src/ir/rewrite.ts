/** The one rewriter: rebuilds a program bottom-up, offering every rebuilt node to the rules of its op. */
import { InternalError } from '../base/errors.js'
import { Builder } from './builder.js'
import { type AnyNode, type Block, type Dialect, floats } from './node.js'

export interface Rule<N extends AnyNode> {
  readonly name: string
  /** The ops it looks at. */
  readonly ops: readonly N['op'][]
  /** The replacement, made with `builder`; null when the rule does not apply. */
  apply(node: N, builder: Builder<N>): N | null
}

export interface RewriteStats {
  /** How often each rule fired, by name. */
  readonly fired: ReadonlyMap<string, number>
}

/** A rule may feed another; this many rounds on one node mean that two rules undo each other. */
const maxRounds = 100

/**
 * Rewrites a program with `rules` until none applies to any node, in one pass from the inputs up. Effects that a rule
 * replaces are replaced in place; reads and pure nodes that nothing uses any more are dropped.
 */
export function rewrite<N extends AnyNode>(
  dialect: Dialect<N>,
  root: Block<N>,
  rules: readonly Rule<N>[],
  pass: string,
): { readonly root: Block<N>; readonly stats: RewriteStats } {
  const builder = new Builder<N>(dialect)
  const byOp = new Map<string, Rule<N>[]>()
  for (const rule of rules) for (const op of rule.ops) byOp.set(op, [...(byOp.get(op) ?? []), rule])
  const fired = new Map<string, number>()
  const renamed = new Map<N, N>()

  const apply = (node: N): N => {
    let current = node
    for (let round = 0; round < maxRounds; round++) {
      const next = firstMatch(current)
      if (next === null) return current
      current = next
    }
    throw new InternalError(`${pass}: rules do not settle on ${node.op}`)
  }
  const firstMatch = (node: N): N | null => {
    for (const rule of byOp.get(node.op) ?? []) {
      const next = rule.apply(node, builder)
      if (next === null || next === node) continue
      fired.set(rule.name, (fired.get(rule.name) ?? 0) + 1)
      return next
    }
    return null
  }
  const visit = (node: N): N => {
    const known = renamed.get(node)
    if (known !== undefined) return known
    for (const input of inputsFirst(node)) {
      if (!renamed.has(input)) renamed.set(input, build(input))
    }
    return renamed.get(node)!
  }
  /** Floating nodes that `node` needs and that are not built yet, inputs first, without recursion. */
  const inputsFirst = (node: N): N[] => {
    const list: N[] = []
    const stack: [N, boolean][] = [[node, false]]
    const seen = new Set<N>()
    while (stack.length > 0) {
      const [top, expanded] = stack.pop()!
      if (expanded) list.push(top)
      else if (!seen.has(top) && !renamed.has(top)) {
        seen.add(top)
        stack.push([top, true])
        for (const input of top.inputs) stack.push([input as N, false])
      }
    }
    return list
  }
  const build = (node: N): N =>
    builder.withOrigin({ at: node.origin.at, pass: node.origin.pass }, () => {
      const inputs = node.inputs.map(input => renamed.get(input as N)!)
      const blocks = node.blocks.map(block => visitBlock(block as Block<N>))
      const rebuilt = builder.node(node.op as N['op'], inputs, node.attrs as never, blocks)
      return builder.withOrigin({ at: node.origin.at, pass }, () => apply(rebuilt))
    })
  const visitBlock = (block: Block<N>): Block<N> => {
    const params = block.params.map(visit)
    return builder.block(params, () => {
      for (const node of block.body) if (!floats(dialect, node)) visit(node)
      return block.results.map(visit)
    })
  }
  const params = root.params.map(visit)
  for (const node of root.body) if (!floats(dialect, node)) visit(node)
  const results = root.results.map(visit)
  return { root: sweep(dialect, builder.finish(results, params)), stats: { fired } }
}

/** Drops effects-free statements (reads, and effects a rule replaced by something pure) that nothing uses. */
export function sweep<N extends AnyNode>(dialect: Dialect<N>, root: Block<N>): Block<N> {
  const needed = new Set<N>()
  const need = (node: N): void => {
    const stack = [node]
    while (stack.length > 0) {
      const top = stack.pop()!
      if (needed.has(top)) continue
      needed.add(top)
      stack.push(...(top.inputs as readonly N[]))
      for (const block of top.blocks) mark(block as Block<N>)
    }
  }
  const mark = (block: Block<N>): void => {
    for (const node of block.body) if (dialect.ops[node.op as N['op']].effect === 'effect') need(node)
    block.results.forEach(need)
  }
  mark(root)
  const keep = (block: Block<N>): Block<N> => ({
    params: block.params,
    body: block.body.filter(node => needed.has(node)),
    results: block.results,
  })
  // Inner blocks keep unused reads: their owner node is immutable, and a read costs nothing once nothing uses it.
  return keep(root)
}
