/** The rewriter of all IRs: rebuilds a program bottom-up and applies the rules of each node's op until none matches. */
import { InternalError } from '../base/errors.js'
import { Builder } from './builder.js'
import { type AnyNode, type Block, type Dialect, isFloating } from './node.js'

export interface Rule<N extends AnyNode> {
  readonly name: string
  /** The ops it looks at. */
  readonly ops: readonly N['op'][]
  /**
   * The replacement, made with `builder`; null when the rule does not apply. Intermediate nodes that the rule makes are
   * themselves offered to the rules, so it may build a simple form and leave simplification to others.
   */
  apply(node: N, builder: Builder<N>): N | null
}

export interface RewriteStats {
  /** How often each rule fired, by name. */
  readonly fired: ReadonlyMap<string, number>
}

/** One rule's result may match another rule. More rewrites of one node than this mean that two rules undo each other. */
const maxRewrites = 100

/**
 * Rewrites a program with `rules` until none applies to any node, in one pass from the inputs up. An effect that a rule
 * replaces is replaced in place; reads and pure nodes that nothing uses any more are dropped, in inner blocks too.
 */
export function rewrite<N extends AnyNode>(
  dialect: Dialect<N>,
  root: Block<N>,
  rules: readonly Rule<N>[],
  pass: string,
): { readonly root: Block<N>; readonly stats: RewriteStats } {
  const run = new Rewriting(dialect, rules, pass)
  return { root: run.program(root), stats: { fired: run.fired } }
}

class Rewriting<N extends AnyNode> {
  readonly fired = new Map<string, number>()
  readonly #builder: Builder<N>
  readonly #byOp = new Map<string, Rule<N>[]>()
  /** Nodes of the old program to nodes of the new. */
  readonly #renamed = new Map<N, N>()
  /** Nodes of the new program to their rewritten form; finished nodes map to themselves. */
  readonly #settled = new Map<N, N>()
  /** Effects that a rule has replaced; they stay in the body until its block is swept. */
  readonly #replaced = new Set<N>()

  constructor(
    readonly dialect: Dialect<N>,
    rules: readonly Rule<N>[],
    readonly pass: string,
  ) {
    this.#builder = new Builder<N>(dialect)
    for (const rule of rules) for (const op of rule.ops) this.#byOp.set(op, [...(this.#byOp.get(op) ?? []), rule])
  }

  program(root: Block<N>): Block<N> {
    const params = root.params.map(param => this.#visit(param))
    this.#effects(root)
    const results = root.results.map(result => this.#visit(result))
    return sweep(this.dialect, this.#builder.finish(results, params), this.#replaced)
  }

  #block(block: Block<N>): Block<N> {
    const params = block.params.map(param => this.#visit(param))
    const rebuilt = this.#builder.block(params, () => {
      this.#effects(block)
      return block.results.map(result => this.#visit(result))
    })
    return sweep(this.dialect, rebuilt, this.#replaced)
  }

  /** Rebuilds the block's effects in order, and what they need. */
  #effects(block: Block<N>): void {
    for (const node of block.body) if (!isFloating(this.dialect, node)) this.#visit(node)
  }

  /** The new program's form of a node, rebuilt if that is not done yet. */
  #visit(node: N): N {
    for (const input of this.#inputsFirst(node)) {
      if (!this.#renamed.has(input)) this.#renamed.set(input, this.#rebuild(input))
    }
    return this.#renamed.get(node)!
  }

  /** Nodes that `node` needs and that are not built yet, inputs first. Iterative, because graphs are deep. */
  #inputsFirst(node: N): N[] {
    const list: N[] = []
    const stack: [N, boolean][] = [[node, false]]
    const seen = new Set<N>()
    while (stack.length > 0) {
      const [top, expanded] = stack.pop()!
      if (expanded) list.push(top)
      else if (!seen.has(top) && !this.#renamed.has(top)) {
        seen.add(top)
        stack.push([top, true])
        for (const input of top.inputs) stack.push([input as N, false])
      }
    }
    return list
  }

  /** The node of the new program for `node`: rebuilt on new inputs and blocks, then rewritten by the rules. */
  #rebuild(node: N): N {
    return this.#builder.withOrigin(node.origin, () => {
      const inputs = node.inputs.map(input => this.#renamed.get(input as N)!)
      const blocks = node.blocks.map(block => this.#block(block as Block<N>))
      const rebuilt = this.#builder.copy(node, inputs, blocks)
      return this.#builder.withOrigin({ at: node.origin.at, pass: this.pass }, () => this.#settle(rebuilt, 0))
    })
  }

  /** Rewrites a node of the new program until no rule applies; its inputs may be new results of a rule. */
  #settle(node: N, rewrites: number): N {
    const known = this.#settled.get(node)
    if (known !== undefined) return known
    if (rewrites > maxRewrites)
      throw new InternalError(`${this.pass}: rewriting ${node.op} did not reach a fixed point in ${maxRewrites} steps`)
    const tidy = this.#settleInputs(node, rewrites)
    const next = tidy === node ? this.#firstMatch(node) : tidy
    const result = next === null ? node : this.#settle(next, rewrites + 1)
    if (result !== node && !isFloating(this.dialect, node)) this.#replaced.add(node)
    this.#settled.set(node, result)
    if (result !== node) this.#settled.set(result, result)
    return result
  }

  #settleInputs(node: N, rewrites: number): N {
    const inputs = node.inputs.map(input => this.#settle(input as N, rewrites + 1))
    if (inputs.every((input, i) => input === node.inputs[i])) return node
    return this.#builder.copy(node, inputs)
  }

  #firstMatch(node: N): N | null {
    for (const rule of this.#byOp.get(node.op) ?? []) {
      const next = rule.apply(node, this.#builder)
      if (next === null || next === node) continue
      this.fired.set(rule.name, (this.fired.get(rule.name) ?? 0) + 1)
      return next
    }
    return null
  }
}

const nothing: ReadonlySet<never> = new Set<never>()

/**
 * Dead-code elimination of a block's own body: drops unused reads, unused control flow without effects, and the
 * `replaced` effects. Inner blocks are swept when they are rebuilt, because their owners are immutable.
 */
export function sweep<N extends AnyNode>(
  dialect: Dialect<N>,
  root: Block<N>,
  replaced: ReadonlySet<N> = nothing,
): Block<N> {
  // A pure node older than the first statement cannot use any statement: the walk ends here.
  const oldest = root.body.reduce((id, node) => Math.min(id, node.id), Number.POSITIVE_INFINITY)
  const needed = new Set<N>()
  const stack: N[] = []
  const need = (nodes: readonly N[]): void => {
    for (const node of nodes) if (node.id >= oldest && !needed.has(node)) stack.push(node)
  }
  need(root.results)
  need(root.body.filter(node => !replaced.has(node) && hasEffect(dialect, node)))
  while (stack.length > 0) {
    const top = stack.pop()!
    if (needed.has(top)) continue
    needed.add(top)
    need(top.inputs as readonly N[])
    for (const block of top.blocks) {
      need(block.body as readonly N[])
      need(block.results as readonly N[])
    }
  }
  return { params: root.params, body: root.body.filter(node => needed.has(node)), results: root.results }
}

/** False for nodes that may be dropped when unused. */
function hasEffect<N extends AnyNode>(dialect: Dialect<N>, node: N): boolean {
  const rule = dialect.ops[node.op as N['op']]
  if (rule.effect !== 'effect') return false
  if (rule.isControl !== true) return true
  return node.blocks.some(block => block.body.some(inner => hasEffect(dialect, inner as N)))
}
