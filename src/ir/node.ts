/**
 * The node that all of Tegula's IRs share: an op with inputs, attributes and a type. Nodes are immutable, and pure ones are
 * interned, so equal subexpressions are one object. Control flow holds blocks: parameters, a list of effects in order, and
 * results. Pure nodes are in no list; they float, and `placement` decides where they are computed.
 */
import type { Plain } from '../base/canonical.js'
import type { SourceLocation } from '../base/source.js'

/** Where a node comes from: the user's line, and the pass that made it. */
export interface Origin {
  readonly at: SourceLocation | null
  readonly pass: string
}

export type Attrs = { readonly [name: string]: Plain }

/** A node of the dialect given by `Table` (op name → attributes) and `Type`. */
export interface NodeBase<Op extends keyof Table, Table, Type> {
  /** Unique within its builder and increasing: inputs always have smaller ids. */
  readonly id: number
  readonly op: Op
  readonly inputs: readonly NodeOf<Table, Type>[]
  readonly attrs: Table[Op]
  readonly type: Type
  readonly blocks: readonly Block<NodeOf<Table, Type>>[]
  readonly origin: Origin
}

/** A basic block: a list of effects in order. Its params are nodes that only its own body may use. */
export interface Block<N> {
  readonly params: readonly N[]
  readonly body: readonly N[]
  readonly results: readonly N[]
}

/** The union of a dialect's nodes, discriminated by `op`. */
export type NodeOf<Table, Type> = { [Op in keyof Table & string]: NodeBase<Op, Table, Type> }[keyof Table & string]

/** The fields of a node that the engine uses. */
export type AnyNode = {
  readonly id: number
  readonly op: string
  readonly inputs: readonly AnyNode[]
  readonly attrs: object
  readonly type: unknown
  readonly blocks: readonly Block<AnyNode>[]
  readonly origin: Origin
}

/**
 * How an op behaves. `pure`: depends only on its inputs; may be merged, moved and dropped. `read`: reads memory; keeps its
 * position among effects, may be dropped. `effect`: changes something, or is control flow that may; never dropped.
 * `unique`: pure but never merged (a block's parameter).
 */
export type Effect = 'pure' | 'read' | 'effect' | 'unique'

export interface OpRule<N extends AnyNode> {
  readonly effect: Effect
  /** Control flow whose only effects are those in its blocks: if they have none and it is unused, it may be dropped. */
  readonly isControl?: boolean
  /** The type of the result; throws a typed error with values when the inputs do not fit. */
  infer(inputs: readonly N[], attrs: N['attrs'], blocks: readonly Block<N>[]): N['type']
}

/** A closed set of ops: one per IR. The engine knows an IR only through this record. */
export interface Dialect<N extends AnyNode> {
  readonly name: string
  readonly ops: { readonly [Op in N['op']]: OpRule<N> }
  printType(type: N['type']): string
  /** Different text for different types; used to check that a rebuilt node keeps its type. */
  typeKey(type: N['type']): string
}

/** True when a node has no fixed position in a block's body: `placement` decides where it is computed. */
export function isFloating<N extends AnyNode>(dialect: Dialect<N>, node: N): boolean {
  const { effect } = dialect.ops[node.op as N['op']]
  return effect === 'pure' || effect === 'unique'
}
