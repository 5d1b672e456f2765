/**
 * The printer of all IRs. Values are numbered in the order of the text; a node prints as `%3 = add(%1, %2) {attrs} : type`.
 * Pure nodes, which are in no list, print before their first use, in the innermost block that contains all uses.
 */
import { canonical, type Plain } from '../base/canonical.js'
import type { AnyNode, Block, Dialect } from './node.js'
import { placement } from './walk.js'

export interface PrintOptions {
  /** Append the user's line and the pass to each node. */
  readonly origins?: boolean
}

export function print<N extends AnyNode>(dialect: Dialect<N>, root: Block<N>, options: PrintOptions = {}): string {
  const order = placement(dialect, root, () => false)
  const names = new Map<N, string>()
  const lines: string[] = []
  const name = (node: N): string => {
    const known = names.get(node)
    if (known !== undefined) return known
    const fresh = `%${names.size}`
    names.set(node, fresh)
    return fresh
  }
  const line = (node: N, indent: string): void => {
    const inputs = node.inputs.map(input => name(input as N)).join(', ')
    const { at, pass } = node.origin
    const origin = options.origins && at ? `  # ${at.file}:${at.line} (${pass})` : ''
    const type = dialect.printType(node.type as N['type'])
    lines.push(`${indent}${name(node)} = ${node.op}(${inputs})${printAttrs(node)} : ${type}${origin}`)
    for (const block of node.blocks) inner(block as Block<N>, `${indent}  `)
  }
  const inner = (block: Block<N>, indent: string): void => {
    const params = block.params.map(p => `${name(p)}: ${dialect.printType(p.type as N['type'])}`)
    lines.push(`${indent}(${params.join(', ')})`)
    body(block, indent)
  }
  const body = (block: Block<N>, indent: string): void => {
    for (const node of order.get(block) ?? []) line(node, indent)
    if (block.results.length > 0) lines.push(`${indent}-> ${block.results.map(name).join(', ')}`)
  }
  for (const param of root.params) line(param, '')
  body(root, '')
  return `${lines.join('\n')}\n`
}

/** The attributes except one that repeats the node's type, which is printed at the end of the line. */
function printAttrs(node: AnyNode): string {
  const fields = Object.entries(node.attrs as Record<string, Plain>).filter(([, value]) => value !== node.type)
  if (fields.length === 0) return ''
  return ` {${fields.map(([key, value]) => `${key}: ${canonical(value)}`).join(', ')}}`
}
