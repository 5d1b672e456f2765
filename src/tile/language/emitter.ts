/**
 * Builds tile nodes for the kernel language; records the user's line, the block in which each value was made, and the ops
 * that each block emitted. JavaScript runs a kernel's body once, while the kernel runs it many times; so only a block's
 * results may leave it. Two checks enforce that, both with the user's line in the error:
 *
 * - A value may be used only while the block in which it was made is open.
 * - With `checked`, every block is run a second time, without its inner blocks, and must emit the same ops again. Otherwise
 *   JavaScript state (a counter, a list, a number assigned in a branch) leaked from one run, or one block, to another.
 */
import { canonical, type Plain } from '../../base/canonical.js'
import { KernelError, TegulaError, VerifyError } from '../../base/errors.js'
import { locationInStack, type SourceLocation, userLocation } from '../../base/source.js'
import { Builder } from '../../ir/builder.js'
import { printType, type TileBlock, type TileNode, type TileOps, tileDialect } from '../ir.js'
import { IndexBounds, type LaunchRange } from './index-bounds.js'

export interface EmitterOptions {
  /** The kernel's name, for errors. */
  readonly name: string
  /**
  /**
   * Set for kernels written by users: each node gets the user's line (a stack trace per call, about 10 µs), and each block is
   * run twice. Not set for generated kernels, whose builder sets `builder.origin`.
   */
  readonly checked: boolean
  /** The guarantees of a checked kernel's launches; 'usual' by default. */
  readonly launches?: LaunchRange
}

/** A block under construction, or a closed one: values made in it may be used only while it is open. */
export interface Scope {
  readonly what: string
  readonly at: SourceLocation | null
  open: boolean
}

/** What a block emitted, in order: nodes and inner blocks. */
type Emission =
  | {
      readonly op: TileNode['op']
      readonly inputs: readonly TileNode[]
      readonly attrs: object
      readonly node: TileNode
    }
  | { readonly op: 'block'; readonly made: MadeBlock<unknown> }

/** A block, and a result for the code that built it. */
export interface MadeBlock<T> {
  readonly block: TileBlock
  readonly result: T
}

/** The result of building a block: its params and results, and `result` for the caller. */
export interface BlockParts<T> {
  readonly params: readonly TileNode[]
  readonly results: readonly TileNode[]
  readonly result: T
}

/** One execution of a block's callback; callbacks run twice, to find code that behaves differently the second time. */
interface Run {
  readonly scope: Scope
  readonly emissions: Emission[]
  /** In the second run, which must emit the same: how many emissions it has matched; null in the first run. */
  replayed: number | null
}

export class Emitter {
  readonly builder = new Builder<TileNode>(tileDialect)
  /** Bounds of indices; null: the kernel's builder guarantees that indices do not wrap. */
  readonly bounds: IndexBounds | null
  /** The first value and the step of loops' counters. */
  readonly counters = new Map<TileNode, readonly TileNode[]>()
  /** The runs of open blocks, innermost last. */
  readonly #runs: Run[]
  /** True after the kernel's body has returned: ops emitted from now on would be lost. */
  #isDone = false

  constructor(readonly options: EmitterOptions) {
    this.bounds = options.checked ? new IndexBounds(options.launches ?? 'usual') : null
    const scope: Scope = { what: 'kernel', at: null, open: true }
    this.#runs = [{ scope, emissions: [], replayed: null }]
  }

  /** The innermost open block, to which a new value belongs. */
  get scope(): Scope {
    return this.#run.scope
  }

  get #run(): Run {
    return this.#runs.at(-1) as Run
  }

  /** Called by every operation of the public API: new nodes get the caller's line. */
  mark(): void {
    const isFirst = this.#run.replayed === null
    if (this.options.checked && isFirst) this.builder.origin = { at: userLocation(), pass: this.builder.origin.pass }
  }

  /** Throws a KernelError at the user's line. */
  fail(what: string, fix?: string): never {
    const at = this.options.checked ? undefined : (this.builder.origin.at ?? undefined)
    throw new KernelError(`${this.options.name}: ${what}`, { at, fix })
  }

  /** The node of a value that was made in `scope`. Throws KernelError when that block is closed. */
  use(node: TileNode, scope: Scope, what: string): TileNode {
    if (scope.open || !this.options.checked) return node
    const made = node.origin.at === null ? '' : ` made at line ${node.origin.at.line}`
    if (scope.what === 'kernel')
      this.fail(`${what}${made} is used after its kernel was built`, 'make it in this body: nothing is left of another')
    const place = scope.at === null ? '' : ` at line ${scope.at.line}`
    return this.fail(
      `${what}${made} belongs to the ${scope.what}${place}, and is used outside it`,
      scope.what === 'branch'
        ? 'return it from both branches and use what t.if gives: const { x } = t.if(c, () => ({ x: … }), () => ({ x }))'
        : 'carry it: give the loop a first value under a name, return the next one from the body, and use what the loop gives',
    )
  }

  /** The node `op(inputs)`. Throws KernelError when the op does not accept its inputs. */
  emit<Op extends TileNode['op']>(
    op: Op,
    inputs: readonly TileNode[],
    attrs: TileOps[Op],
    blocks: readonly TileBlock[] = [],
  ): TileNode {
    if (this.#isDone) this.fail(`${op} after the body has returned`, 'finish before it returns: kernels are not async')
    const { emissions, replayed } = this.#run
    if (replayed !== null) return this.#replay(op, inputs, attrs)
    const node = this.#checked(() => this.builder.node(op, inputs, attrs as never, blocks))
    if (this.options.checked) emissions.push({ op, inputs, attrs, node })
    return node
  }

  /** Creates a block's parameter; call it inside `block`'s `build`, which determines the block. */
  param(type: TileOps['param']['type']): TileNode {
    return this.emit('param', [], { type })
  }

  /** Builds a block: `build` creates the params (with `param`) and the effects, and returns params and results. */
  block<T>(what: string, build: () => BlockParts<T>): MadeBlock<T> {
    const outer = this.#run
    if (outer.replayed !== null) return this.#replayBlock(outer, what) as MadeBlock<T>
    const at = this.builder.origin.at
    const run = (emissions: Emission[], replayed: number | null): BlockParts<T> =>
      this.#inside({ scope: { what, at, open: true }, emissions, replayed }, build)
    const emissions: Emission[] = []
    let parts: BlockParts<T> | undefined
    const block = this.builder.block([], () => {
      parts = run(emissions, null)
      return parts.results
    })
    const { params, result } = parts as unknown as BlockParts<T>
    if (this.options.checked) this.#compareResults(block.results, run(emissions, 0).results)
    const made: MadeBlock<T> = { block: { ...block, params }, result }
    outer.emissions.push({ op: 'block', made })
    return made
  }

  /** Builds the body of the kernel, as `block` does for other blocks. Its values cannot be used afterwards. */
  body(build: () => void): void {
    const scope = (): Scope => ({ what: 'kernel', at: null, open: true })
    const emissions: Emission[] = []
    this.#inside({ scope: scope(), emissions, replayed: null }, build)
    if (this.options.checked) this.#inside({ scope: scope(), emissions, replayed: 0 }, build)
    this.#isDone = true
  }

  /** Runs a block's callback. In a second run, throws KernelError where it differs from the first. */
  #inside<R>(run: Run, build: () => R): R {
    this.#runs.push(run)
    try {
      const made = build()
      const { emissions, replayed } = run
      if (replayed !== null && replayed < emissions.length) this.#differs(emissions[replayed], 'nothing')
      return made
    } catch (error) {
      // The first run succeeded, so the error comes from a value that only an inner block, left out here, assigns.
      if (run.replayed === null || error instanceof TegulaError) throw error
      return this.#differs(run.emissions[run.replayed], `an error (${String(error)})`, error)
    } finally {
      this.#runs.pop()
      run.scope.open = false
    }
  }

  /** In a second run: the node that the first run made at this position. */
  #replay(op: TileNode['op'], inputs: readonly TileNode[], attrs: object): TileNode {
    const run = this.#run
    const at = run.replayed as number
    const before = run.emissions[at]
    const isSame =
      before !== undefined &&
      before.op !== 'block' &&
      before.op === op &&
      before.inputs.length === inputs.length &&
      before.inputs.every((input, i) => input === inputs[i]) &&
      canonical(before.attrs as Plain) === canonical(attrs as Plain)
    if (!isSame) this.#differs(before, `${op}${attrText(attrs)}`)
    run.replayed = at + 1
    return (before as Extract<Emission, { node: TileNode }>).node
  }

  /** In a second run: the block that the first run made at this position. */
  #replayBlock(run: Run, what: string): MadeBlock<unknown> {
    const before = run.emissions[run.replayed as number]
    if (before?.op !== 'block') return this.#differs(before, `a ${what}`)
    run.replayed = (run.replayed as number) + 1
    return before.made
  }

  #compareResults(first: readonly TileNode[], second: readonly TileNode[]): void {
    const at = first.findIndex((node, i) => node !== second[i])
    const node = first[at]
    if (node !== undefined)
      this.#differs({ op: node.op, inputs: node.inputs, attrs: node.attrs, node }, 'another value')
  }

  #differs(before: Emission | undefined, now: string, cause?: unknown): never {
    const { name } = this.options
    throw new KernelError(
      `${name}: the ${this.#run.scope.what} does something else when it is run again: ${now} where it was ${textOf(before)}`,
      {
        at: cause instanceof Error ? locationInStack(cause.stack ?? '') : undefined,
        cause,
        fix:
          'JavaScript runs it once, the kernel many times, so that a variable it changes keeps its first value: ' +
          'carry what changes through t.range, t.while or t.if, and make what stays the same outside',
      },
    )
  }

  /** The language checks first; a VerifyError here is an IR rule that it does not check, reported as the user's error. */
  #checked(make: () => TileNode): TileNode {
    try {
      return make()
    } catch (error) {
      if (error instanceof VerifyError) this.fail(error.what.replace(/^tile: /, ''))
      throw error
    }
  }
}

function textOf(emission: Emission | undefined): string {
  if (emission === undefined) return 'nothing'
  if (emission.op === 'block') return 'a block'
  const { op, attrs, node } = emission
  const line = node.origin.at === null ? '' : ` at line ${node.origin.at.line}`
  return `${op}${attrText(attrs)}${node.type.kind === 'tile' ? ` (${printType(node.type)})` : ''}${line}`
}

/** Attributes that distinguish two nodes of one op, if they are short. */
function attrText(attrs: object): string {
  const { value, fn } = attrs as { readonly value?: unknown; readonly fn?: unknown }
  return value !== undefined ? ` ${String(value)}` : fn !== undefined ? ` ${String(fn)}` : ''
}
