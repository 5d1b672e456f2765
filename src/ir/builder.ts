/** Makes nodes: interns the pure ones, appends the others to the block under construction. One builder per program. */
import { canonical, type Plain, samePlain } from '../base/canonical.js'
import { InternalError } from '../base/errors.js'
import type { AnyNode, Block, Dialect, Origin } from './node.js'

/** A node whose type was inferred when it was made. */
class Made {
  readonly #inferred = true

  constructor(
    readonly id: number,
    readonly op: string,
    readonly inputs: readonly AnyNode[],
    readonly attrs: object,
    readonly type: unknown,
    readonly blocks: readonly Block<AnyNode>[],
    readonly origin: Origin,
  ) {}

  static is(node: object): boolean {
    return #inferred in node
  }
}

/** Whether a builder made this very node, so that its type is what its inputs give: nodes are immutable. */
export const isInferred = (node: object): boolean => Made.is(node)

const noBlocks: readonly never[] = []

interface SharedAttrs {
  /** Unique within the builder. */
  readonly number: number
  readonly attrs: object
}

export class Builder<N extends AnyNode> {
  /** Pure nodes by op, attributes and inputs. */
  readonly #interned = new Map<string, N>()
  /** Attributes of equal text become one object, which later passes then find here without the text. */
  readonly #attrs = new Map<object, SharedAttrs>()
  readonly #attrsByText = new Map<string, SharedAttrs>()
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
    blocks: readonly Block<N>[] = noBlocks,
  ): N {
    return this.#node(op, inputs, attrs, blocks, null)
  }

  /** The node on other inputs and blocks, with the present origin. Its type is inferred only if theirs are others. */
  copy(node: N, inputs: readonly N[], blocks: readonly Block<N>[] = node.blocks as readonly Block<N>[]): N {
    return this.#node(node.op as N['op'], inputs, node.attrs, blocks, node)
  }

  /** `like`: a node of the same op and attributes; null: none is known. */
  #node(op: N['op'], inputs: readonly N[], attrs: N['attrs'], blocks: readonly Block<N>[], like: N | null): N {
    const rule = this.dialect.ops[op]
    if (rule === undefined) throw new InternalError(`${this.dialect.name}: no op '${op}'`)
    if (rule.effect !== 'pure') {
      const made = this.#make(op, inputs, attrs, blocks, like)
      if (rule.effect !== 'unique') this.#bodies.at(-1)!.push(made)
      return made
    }
    const shared = this.#share(attrs)
    let key: string = `${op} ${shared.number}`
    for (let i = 0; i < inputs.length; i++) key += ` ${inputs[i]!.id}`
    const known = this.#interned.get(key)
    if (known !== undefined) return known
    const made = this.#make(op, inputs, shared.attrs, blocks, like)
    this.#interned.set(key, made)
    return made
  }

  #share(attrs: object): SharedAttrs {
    const known = this.#attrs.get(attrs)
    if (known !== undefined) return known
    const text = canonical(attrs as Plain)
    const shared = this.#attrsByText.get(text) ?? { number: this.#attrsByText.size, attrs }
    this.#attrsByText.set(text, shared)
    this.#attrs.set(attrs, shared)
    return shared
  }

  #make(op: N['op'], inputs: readonly N[], attrs: N['attrs'], blocks: readonly Block<N>[], like: N | null): N {
    const type =
      like !== null && sameTypes(inputs, like, blocks) ? like.type : this.#infer(op, inputs, attrs, blocks, like)
    // The one cast: the dialect's rule has checked what TypeScript cannot.
    return new Made(this.#nextId++, op, inputs, attrs, type, blocks, this.origin) as unknown as N
  }

  /** A type equal to `like`'s is that very object, so that the nodes behind it are not inferred again. */
  #infer(op: N['op'], inputs: readonly N[], attrs: N['attrs'], blocks: readonly Block<N>[], like: N | null): N['type'] {
    const type = this.dialect.ops[op].infer(inputs, attrs, blocks)
    return like !== null && samePlain(type as Plain, like.type as Plain) ? like.type : type
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

/** Whether a node has inputs of the very types of `like`'s, and like it no blocks. */
function sameTypes(inputs: readonly AnyNode[], like: AnyNode, blocks: readonly unknown[]): boolean {
  if (blocks.length > 0 || like.blocks.length > 0 || inputs.length !== like.inputs.length) return false
  for (let i = 0; i < inputs.length; i++) if (inputs[i]!.type !== like.inputs[i]!.type) return false
  return true
}
