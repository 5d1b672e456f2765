/**
 * The verifier of all IRs: definitions before uses, parameters inside their blocks, types as the op rules infer them (a builder has
 * inferred those of the nodes that it made).
 */
import { VerifyError } from '../base/errors.js'
import { isInferred } from './builder.js'
import { type AnyNode, type Block, type Dialect, isFloating } from './node.js'

/** Throws VerifyError naming the node when the program breaks a rule of the engine or of its dialect. */
export function verify<N extends AnyNode>(dialect: Dialect<N>, root: Block<N>): void {
  new Verifier(dialect).program(root)
}

class Verifier<N extends AnyNode> {
  readonly #visible = new Set<N>()
  readonly #checked = new Set<N>()
  /** Statements seen so far: each may be in one body only. */
  readonly #statements = new Set<N>()
  /** The nodes visible in each open block, innermost last. */
  readonly #scopes: N[][] = [[]]

  constructor(readonly dialect: Dialect<N>) {}

  program(root: Block<N>): void {
    for (const param of root.params) this.#node(param)
    this.#block(root)
  }

  #fail(node: N, problem: string): never {
    throw new VerifyError(`${this.dialect.name}: ${node.op} (node ${node.id}): ${problem}`, { at: node.origin.at })
  }

  /** Makes a node visible to the rest of the current block, and to blocks inside it. */
  #reveal(node: N): void {
    this.#visible.add(node)
    this.#scopes.at(-1)!.push(node)
  }

  /** Checks one node by itself: a known op, inputs made before it, and the type that its inputs give. */
  #node(node: N): void {
    const rule = this.dialect.ops[node.op as N['op']]
    if (rule === undefined) this.#fail(node, 'unknown op')
    for (const input of node.inputs) {
      if (input.id >= node.id) this.#fail(node, `uses node ${input.id}, which is made after it`)
    }
    if (isInferred(node)) return
    const type = rule.infer(node.inputs as readonly N[], node.attrs as N['attrs'], node.blocks as readonly Block<N>[])
    if (this.dialect.typeKey(type) === this.dialect.typeKey(node.type as N['type'])) return
    const [has, gives] = [this.dialect.printType(node.type as N['type']), this.dialect.printType(type)]
    this.#fail(node, `has type ${has}, its inputs give ${gives}`)
  }

  /** Checks that `node`, and the pure nodes it needs, can be used here. Iterative, because graphs are deep. */
  #use(node: N, user: N | null): void {
    const stack: { node: N; user: N | null; expanded: boolean }[] = [{ node, user, expanded: false }]
    while (stack.length > 0) {
      const top = stack.pop()!
      if (this.#visible.has(top.node)) continue
      if (top.expanded) {
        if (!this.#checked.has(top.node)) this.#node(top.node)
        this.#checked.add(top.node)
        this.#reveal(top.node)
        continue
      }
      this.#requireFloating(top.node, top.user ?? top.node)
      stack.push({ ...top, expanded: true })
      for (const input of top.node.inputs) stack.push({ node: input as N, user: top.node, expanded: false })
    }
  }

  /** An input that is not visible to `user` must be a floating node, which is computed before `user`. */
  #requireFloating(node: N, user: N): void {
    const rule = this.dialect.ops[node.op as N['op']]
    if (rule === undefined) this.#fail(node, 'unknown op')
    if (!isFloating(this.dialect, node)) {
      this.#fail(user, `uses ${node.op} (node ${node.id}) before it runs, or outside its block`)
    }
    if (rule.effect === 'unique') this.#fail(user, `uses the block parameter ${node.id} outside its block`)
  }

  #block(block: Block<N>): void {
    this.#scopes.push([])
    for (const param of block.params) this.#reveal(param)
    for (const node of block.body) {
      if (isFloating(this.dialect, node)) this.#fail(node, 'is pure, so it must not be in the body of a block')
      if (this.#statements.has(node)) this.#fail(node, 'is in the body of a block twice')
      this.#statements.add(node)
      for (const input of node.inputs) this.#use(input as N, node)
      this.#node(node)
      for (const inner of node.blocks) this.#block(inner as Block<N>)
      this.#reveal(node)
    }
    for (const result of block.results) this.#use(result, null)
    for (const node of this.#scopes.pop()!) this.#visible.delete(node)
  }
}
