/** The one verifier: definitions before uses, parameters inside their blocks, types as the dialect's rules give them. */
import { VerifyError } from '../base/errors.js'
import { type AnyNode, type Block, type Dialect, floats } from './node.js'

/** Throws VerifyError naming the node when the program breaks a rule of the engine or of its dialect. */
export function verify<N extends AnyNode>(dialect: Dialect<N>, root: Block<N>): void {
  const visible = new Set<N>(root.params)
  const checked = new Set<N>()
  /** What each open block made visible, innermost last. */
  const scopes: N[][] = [[]]
  const reveal = (node: N): void => {
    visible.add(node)
    scopes.at(-1)!.push(node)
  }
  const fail = (node: N, problem: string): never => {
    throw new VerifyError(`${dialect.name}: ${node.op} (node ${node.id}): ${problem}`, { at: node.origin.at })
  }
  const checkNode = (node: N): void => {
    const rule = dialect.ops[node.op as N['op']]
    if (rule === undefined) fail(node, 'unknown op')
    for (const input of node.inputs) {
      if (input.id >= node.id) fail(node, `uses node ${input.id}, which is made after it`)
    }
    const type = rule.infer(node.inputs as readonly N[], node.attrs as N['attrs'], node.blocks as readonly Block<N>[])
    if (dialect.typeKey(type) !== dialect.typeKey(node.type as N['type'])) {
      fail(node, `has type ${dialect.printType(node.type as N['type'])}, its inputs give ${dialect.printType(type)}`)
    }
  }
  const see = (node: N, user: N | null): void => {
    if (visible.has(node)) return
    const rule = dialect.ops[node.op as N['op']]
    if (rule === undefined || !floats(dialect, node))
      fail(user ?? node, `uses ${node.op} (node ${node.id}) before it runs, or outside its block`)
    if (rule.effect === 'unique') fail(user ?? node, `uses the block parameter ${node.id} outside its block`)
    for (const input of node.inputs) see(input as N, node)
    if (!checked.has(node)) checkNode(node)
    checked.add(node)
    reveal(node)
  }
  const checkBlock = (block: Block<N>): void => {
    scopes.push([])
    block.params.forEach(reveal)
    for (const node of block.body) {
      if (floats(dialect, node)) fail(node, 'is pure and stands in a body')
      for (const input of node.inputs) see(input as N, node)
      checkNode(node)
      for (const inner of node.blocks) checkBlock(inner as Block<N>)
      reveal(node)
    }
    for (const result of block.results) see(result, null)
    for (const node of scopes.pop()!) visible.delete(node)
  }
  for (const param of root.params) checkNode(param)
  checkBlock(root)
}
