/**
 * Makes tile nodes for the kernel language: keeps the user's line, and which block each value belongs to, so that a
 * value used outside its loop is an error at the line that uses it and not a puzzle later.
 */
import { KernelError, VerifyError } from '../../base/errors.js'
import { type SourceLocation, userLocation } from '../../base/source.js'
import { Builder } from '../../ir/builder.js'
import { floats } from '../../ir/node.js'
import { type TileBlock, type TileNode, type TileOps, tileDialect } from '../ir.js'

export interface EmitterOptions {
  /** The kernel's name, for errors. */
  readonly name: string
  /**
   * Give each node the user's line. It costs a stack trace per call (about 10 µs): on for kernels that people write,
   * off for generated ones, whose maker sets `builder.origin`.
   */
  readonly trackLines: boolean
}

/** A block that is open, or was: values made in it live only as long. */
interface Scope {
  readonly what: string
  readonly at: SourceLocation | null
  readonly depth: number
  open: boolean
}

export class Emitter {
  readonly builder = new Builder<TileNode>(tileDialect)
  readonly #scopes: Scope[] = []
  /** Where a value lives; values without an entry live in the kernel's outermost block. */
  readonly #homes = new Map<TileNode, Scope>()

  constructor(readonly options: EmitterOptions) {}

  /** Called by every operation that a person may call: nodes made from here on come from the caller's line. */
  mark(): void {
    if (this.options.trackLines) this.builder.origin = { at: userLocation(), pass: this.builder.origin.pass }
  }

  /** Throws a KernelError at the user's line. */
  fail(what: string, fix?: string): never {
    const at = this.options.trackLines ? undefined : (this.builder.origin.at ?? undefined)
    throw new KernelError(`${this.options.name}: ${what}`, { at, fix })
  }

  /** The node `op(inputs)`. Throws KernelError when an input is no longer in scope or the op does not take its inputs. */
  emit<Op extends TileNode['op']>(
    op: Op,
    inputs: readonly TileNode[],
    attrs: TileOps[Op],
    blocks: readonly TileBlock[] = [],
  ): TileNode {
    const node = this.#checked(() => this.builder.node(op, inputs, attrs as never, blocks))
    const home = this.#innermost(op, inputs)
    const scope = floats(tileDialect, node) ? home : this.#scopes.at(-1)
    if (scope !== undefined) this.#homes.set(node, scope)
    return node
  }

  /** A block's parameter; `block` says which block it belongs to by making it inside. */
  param(type: TileOps['param']['type']): TileNode {
    const node = this.builder.node('param', [], { type })
    const scope = this.#scopes.at(-1)
    if (scope !== undefined) this.#homes.set(node, scope)
    return node
  }

  /** Builds a block: `build` makes the params (with `param`), the effects, and returns params and results. */
  block(what: string, build: () => { params: readonly TileNode[]; results: readonly TileNode[] }): TileBlock {
    const scope: Scope = { what, at: this.builder.origin.at, depth: this.#scopes.length, open: true }
    this.#scopes.push(scope)
    let params: readonly TileNode[] = []
    try {
      const block = this.builder.block([], () => {
        const built = build()
        params = built.params
        for (const result of built.results) this.#checkOpen('the result of a block', result)
        return built.results
      })
      return { ...block, params }
    } finally {
      this.#scopes.pop()
      scope.open = false
    }
  }

  #innermost(op: string, inputs: readonly TileNode[]): Scope | undefined {
    let home: Scope | undefined
    for (const input of inputs) {
      const scope = this.#checkOpen(op, input)
      if (scope !== undefined && (home === undefined || scope.depth > home.depth)) home = scope
    }
    return home
  }

  #checkOpen(op: string, input: TileNode): Scope | undefined {
    const scope = this.#homes.get(input)
    if (scope === undefined || scope.open) return scope
    const where = scope.at === null ? '' : ` at line ${scope.at.line}`
    return this.fail(
      `${op}: uses a value of the ${scope.what}${where} outside it`,
      'carry the value: give it to the loop as carried, return it from the body, and use what the loop returns',
    )
  }

  /** The language checks first; a VerifyError here is a rule of the IR that it does not know, told as the user's error. */
  #checked(make: () => TileNode): TileNode {
    try {
      return make()
    } catch (error) {
      if (error instanceof VerifyError) this.fail(error.what.replace(/^tile: /, ''))
      throw error
    }
  }
}
