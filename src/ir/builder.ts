/** Makes nodes: interns the pure ones, appends the others to the block under construction. One builder per program. */
import { canonical, type Plain } from '../base/canonical.js'
import { InternalError } from '../base/errors.js'
import type { AnyNode, Block, Dialect, Origin } from './node.js'

const texts = new WeakMap<object, string>()

/** Cached per object: attributes are immutable, and passes reuse them from node to node. */
function textOf(attrs: object): string {
  const known = texts.get(attrs)
  if (known !== undefined) return known
  const text = canonical(attrs as Plain)
  texts.set(attrs, text)
  return text
}

export class Builder<N extends AnyNode> {
  readonly #interned = new Map<string, N>()
  readonly #bodies: N[][] = [[]]
  #nextId = 0
  /** Provenance of the nodes created from now on; set by passes and frontends. */
  origin: Origin = { at: null, pass: 'build' }

  constructor(readonly dialect: Dialect<N>) {}

  /** The id of the next new node: those of the nodes so far are smaller. */
  get nextId(): number {
    return this.#nextId
  }

  /**
   * The node `op(inputs)`. If an equal pure node exists, it is returned (and keeps its first origin).
   * Throws what the op's rule throws when the inputs do not fit.
   */
  node<Op extends N['op']>(
    op: Op,
    inputs: readonly N[],
    attrs: Extract<N, { op: Op }>['attrs'],
    blocks: readonly Block<N>[] = [],
  ): N {
    const rule = this.dialect.ops[op]
    if (rule === undefined) throw new InternalError(`${this.dialect.name}: no op '${op}'`)
    if (rule.effect !== 'pure') return this.#make(op, inputs, attrs, blocks, rule.effect !== 'unique')
    const key = `${op}(${inputs.map(input => input.id).join(',')})${textOf(attrs)}`
    const known = this.#interned.get(key)
    if (known !== undefined) return known
    const made = this.#make(op, inputs, attrs, blocks, false)
    this.#interned.set(key, made)
    return made
  }

  #make(op: N['op'], inputs: readonly N[], attrs: N['attrs'], blocks: readonly Block<N>[], append: boolean): N {
    const type = this.dialect.ops[op].infer(inputs, attrs, blocks)
    // The one cast: the dialect's rule has checked what TypeScript cannot.
    const node = { id: this.#nextId++, op, inputs, attrs, type, blocks, origin: this.origin } as unknown as N
    if (append) this.#bodies.at(-1)!.push(node)
    return node
  }

  /** Opens a block and runs `build`; effects created meanwhile become the block's body, the returned nodes its results. */
  block(params: readonly N[], build: () => readonly N[]): Block<N> {
    const body: N[] = []
    this.#bodies.push(body)
    try {
      const results = build()
      return { params, body, results }
    } finally {
      this.#bodies.pop()
    }
  }

  /** Runs `make` with another provenance. */
  withOrigin<R>(origin: Origin, make: () => R): R {
    const before = this.origin
    this.origin = origin
    try {
      return make()
    } finally {
      this.origin = before
    }
  }

  /** Closes the outermost block, with the effects created outside of inner blocks as its body. */
  finish(results: readonly N[] = [], params: readonly N[] = []): Block<N> {
    if (this.#bodies.length !== 1) throw new InternalError(`${this.dialect.name}: finish inside an open block`)
    return { params, body: [...this.#bodies[0]!], results }
  }
}
