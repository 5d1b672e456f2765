/** The one printer. Values are numbered in execution order; a node prints as `%3 = add(%1, %2) {attrs} : type`. */
import { canonical, type Plain } from '../base/canonical.js'
import { type AnyNode, type Block, type Dialect, floats } from './node.js'

export interface PrintOptions {
  /** Append the user's line and the pass to each node. */
  readonly origins?: boolean
}

export function print<N extends AnyNode>(dialect: Dialect<N>, root: Block<N>, options: PrintOptions = {}): string {
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
    const attrs = printAttrs(node.attrs)
    const origin =
      options.origins && node.origin.at ? `  # ${node.origin.at.file}:${node.origin.at.line} (${node.origin.pass})` : ''
    lines.push(`${indent}${name(node)} = ${node.op}(${inputs})${attrs} : ${dialect.printType(node.type)}${origin}`)
    for (const block of node.blocks) printBlock(block as Block<N>, `${indent}  `)
  }
  const floating = (node: N, indent: string): void => {
    if (names.has(node) || !floats(dialect, node)) return
    for (const input of node.inputs) floating(input as N, indent)
    if (!names.has(node)) line(node, indent)
  }
  const printBlock = (block: Block<N>, indent: string): void => {
    if (block.params.length > 0)
      lines.push(`${indent}(${block.params.map(p => `${name(p)}: ${dialect.printType(p.type)}`).join(', ')})`)
    for (const node of block.body) {
      for (const input of node.inputs) floating(input as N, indent)
      if (!names.has(node)) line(node, indent)
    }
    for (const result of block.results) floating(result, indent)
    if (block.results.length > 0) lines.push(`${indent}-> ${block.results.map(name).join(', ')}`)
  }
  for (const param of root.params) line(param, '')
  printBlock({ ...root, params: [] }, '')
  return `${lines.join('\n')}\n`
}

function printAttrs(attrs: object): string {
  const fields = Object.entries(attrs as Record<string, Plain>)
  if (fields.length === 0) return ''
  return ` {${fields.map(([key, value]) => `${key}: ${canonical(value)}`).join(', ')}}`
}
