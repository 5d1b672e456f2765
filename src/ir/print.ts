/** The one printer. Values are numbered in execution order; a node prints as `%3 = add(%1, %2) {attrs} : type`. */
import { canonical, type Plain } from '../base/canonical.js'
import { type AnyNode, type Block, type Dialect, floats } from './node.js'

export interface PrintOptions {
  /** Append the user's line and the pass to each node. */
  readonly origins?: boolean
}

/**
 * The program as text. A pure node prints before its first use; one that a later block uses too prints there again,
 * under its one name, since the text of an inner block ends with it.
 */
export function print<N extends AnyNode>(dialect: Dialect<N>, root: Block<N>, options: PrintOptions = {}): string {
  const printer = new Printer(dialect, options)
  printer.program(root)
  return `${printer.lines.join('\n')}\n`
}

class Printer<N extends AnyNode> {
  readonly lines: string[] = []
  readonly #names = new Map<N, string>()
  /** What stands in the text so far and can be referred to. */
  readonly #visible = new Set<N>()

  constructor(
    readonly dialect: Dialect<N>,
    readonly options: PrintOptions,
  ) {}

  program(root: Block<N>): void {
    for (const param of root.params) this.#line(param, '')
    this.#body(root, '')
  }

  #name(node: N): string {
    const known = this.#names.get(node)
    if (known !== undefined) return known
    const fresh = `%${this.#names.size}`
    this.#names.set(node, fresh)
    return fresh
  }

  #line(node: N, indent: string): void {
    const inputs = node.inputs.map(input => this.#name(input as N)).join(', ')
    const type = this.dialect.printType(node.type as N['type'])
    const { at, pass } = node.origin
    const origin = this.options.origins && at ? `  # ${at.file}:${at.line} (${pass})` : ''
    this.lines.push(`${indent}${this.#name(node)} = ${node.op}(${inputs})${printAttrs(node.attrs)} : ${type}${origin}`)
    this.#visible.add(node)
    for (const block of node.blocks) this.#inner(block as Block<N>, `${indent}  `)
  }

  #inner(block: Block<N>, indent: string): void {
    const outside = new Set(this.#visible)
    const params = block.params.map(p => `${this.#name(p)}: ${this.dialect.printType(p.type as N['type'])}`)
    this.lines.push(`${indent}(${params.join(', ')})`)
    for (const param of block.params) this.#visible.add(param)
    this.#body(block, indent)
    for (const node of this.#visible) if (!outside.has(node)) this.#visible.delete(node)
  }

  #body(block: Block<N>, indent: string): void {
    for (const node of block.body) {
      for (const input of node.inputs) this.#floating(input as N, indent)
      if (!this.#visible.has(node)) this.#line(node, indent)
    }
    for (const result of block.results) this.#floating(result, indent)
    if (block.results.length > 0) this.lines.push(`${indent}-> ${block.results.map(r => this.#name(r)).join(', ')}`)
  }

  /** Prints the pure nodes that `node` needs, inputs first. */
  #floating(node: N, indent: string): void {
    const stack: [N, boolean][] = [[node, false]]
    while (stack.length > 0) {
      const [top, expanded] = stack.pop()!
      if (this.#visible.has(top) || !floats(this.dialect, top)) continue
      if (expanded) {
        this.#line(top, indent)
        continue
      }
      stack.push([top, true])
      for (const input of top.inputs.toReversed()) stack.push([input as N, false])
    }
  }
}

function printAttrs(attrs: object): string {
  const fields = Object.entries(attrs as Record<string, Plain>)
  if (fields.length === 0) return ''
  return ` {${fields.map(([key, value]) => `${key}: ${canonical(value)}`).join(', ')}}`
}
