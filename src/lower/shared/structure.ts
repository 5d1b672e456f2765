/**
 * Structure of a tile program: the live nodes, their users, the scopes (blocks and their position in the enclosing block),
 * the views that effects write, and the earliest point at which a value can be computed.
 */
import { isFloating } from '../../ir/node.js'
import {
  isLoop,
  type TileBlock,
  type TileNode,
  type TileProgram,
  tileDialect,
  tileType,
  viewType,
} from '../../tile/ir.js'

/** A block and its position. */
export interface Scope {
  readonly block: TileBlock
  /** The control node that owns it; null for the program's body. */
  readonly owner: TileNode | null
  readonly parent: Scope | null
  /** The owner's index in the parent's body. */
  readonly at: number
  readonly depth: number
  readonly loopDepth: number
}

/**
 * A program point in a scope: after the effect at `index` (-1: at the start); at equal `index`, smaller `order` comes first.
 * Effects and reads have order -1 at their own index; a value computed at a point has its node's id as order.
 */
export interface ProgramPoint {
  readonly scope: Scope
  readonly index: number
  readonly order: number
}

export interface Structure {
  readonly program: TileProgram
  readonly root: Scope
  readonly scopes: ReadonlyMap<TileBlock, Scope>
  /** Every node that an effect needs, inputs before users. */
  readonly nodes: readonly TileNode[]
  readonly users: ReadonlyMap<TileNode, readonly TileNode[]>
  /** The scope and body index of effects and reads. */
  readonly stands: ReadonlyMap<TileNode, ProgramPoint>
  /** The scope and slot of a block's parameter: slot 0 of a range is its counter. */
  readonly params: ReadonlyMap<TileNode, { readonly scope: Scope; readonly slot: number }>
}

export const elementCount = (shape: readonly number[]): number => shape.reduce((a, b) => a * b, 1)
/** True for values that fit one register: tiles with a single element. */
export const isSingle = (node: TileNode): boolean => node.type.kind === 'tile' && elementCount(node.type.shape) === 1
export const shapeOf = (node: TileNode): readonly number[] => tileType(node).shape

/** Scopes, users and program points of all nodes that the program needs. */
export function analyseStructure(program: TileProgram): Structure {
  const scopes = new Map<TileBlock, Scope>()
  const stands = new Map<TileNode, ProgramPoint>()
  const params = new Map<TileNode, { scope: Scope; slot: number }>()
  const enter = (block: TileBlock, owner: TileNode | null, parent: Scope | null, at: number): Scope => {
    const loops = (parent?.loopDepth ?? 0) + (owner !== null && isLoop(owner) ? 1 : 0)
    const scope: Scope = { block, owner, parent, at, depth: parent === null ? 0 : parent.depth + 1, loopDepth: loops }
    scopes.set(block, scope)
    block.params.forEach((param, slot) => void params.set(param, { scope, slot }))
    block.body.forEach((node, index) => {
      stands.set(node, { scope, index, order: -1 })
      for (const inner of node.blocks) enter(inner, node, scope, index)
    })
    return scope
  }
  const root = enter(program.body, null, null, 0)
  const nodes = neededNodes(program.body)
  return { program, root, scopes, nodes, users: usersOf(nodes), stands, params }
}

/** The nodes that an effect or a result depends on, in order of their ids. */
function neededNodes(body: TileBlock): TileNode[] {
  const needed = new Set<TileNode>()
  const stack: TileNode[] = []
  const needBlock = (block: TileBlock): void => {
    for (const node of block.body) if (tileDialect.ops[node.op].effect === 'effect') stack.push(node)
    stack.push(...block.results)
  }
  needBlock(body)
  while (stack.length > 0) {
    const node = stack.pop()!
    if (needed.has(node)) continue
    needed.add(node)
    stack.push(...node.inputs)
    node.blocks.forEach(needBlock)
  }
  return [...needed].sort((a, b) => a.id - b.id)
}

/** The users of each node; a control node uses its blocks' results. */
function usersOf(nodes: readonly TileNode[]): Map<TileNode, TileNode[]> {
  const users = new Map<TileNode, TileNode[]>()
  const use = (node: TileNode, user: TileNode): void => {
    const list = users.get(node)
    if (list === undefined) users.set(node, [user])
    else list.push(user)
  }
  for (const node of nodes) {
    for (const input of node.inputs) use(input, node)
    for (const block of node.blocks) for (const result of block.results) use(result, node)
  }
  return users
}

/** The later of two points whose scopes are nested. */
export function later(a: ProgramPoint, b: ProgramPoint): ProgramPoint {
  if (a.scope.depth !== b.scope.depth) return a.scope.depth > b.scope.depth ? a : b
  if (a.index !== b.index) return a.index > b.index ? a : b
  return a.order >= b.order ? a : b
}

/** A point's index as seen from an enclosing scope: the index of the control node that contains it. */
export function indexIn(scope: Scope, point: ProgramPoint): number {
  let [inner, index] = [point.scope, point.index]
  while (inner !== scope) {
    index = inner.at
    inner = inner.parent!
  }
  return index
}

/** True when `scope` is `outer` or nested in it. */
export function isWithin(scope: Scope, outer: Scope): boolean {
  let walk: Scope | null = scope
  while (walk !== null && walk.depth > outer.depth) walk = walk.parent
  return walk === outer
}

/**
 * Earliest points. `computed` selects the pure nodes that are computed once, by a loop nest at a point of their own, rather than
 * at each use.
 */
export class EarliestPoints {
  readonly #known = new Map<TileNode, ProgramPoint>()
  readonly #start: ProgramPoint

  constructor(
    readonly structure: Structure,
    readonly computed: (node: TileNode) => boolean,
  ) {
    this.#start = { scope: structure.root, index: -1, order: -1 }
    for (const node of structure.nodes) this.#known.set(node, this.#find(node))
  }

  of(node: TileNode): ProgramPoint {
    return this.#known.get(node) ?? this.#start
  }

  #find(node: TileNode): ProgramPoint {
    const { stands, params } = this.structure
    if (!isFloating(tileDialect, node)) return stands.get(node)!
    const param = params.get(node)
    if (param !== undefined) return { scope: param.scope, index: -1, order: -1 }
    const point = node.inputs.reduce((latest, input) => later(latest, this.of(input)), this.#start)
    return this.computed(node) ? { ...point, order: node.id } : point
  }
}

/** The views that each effect may write, its blocks included. */
export function writtenViews(structure: Structure): Map<TileNode, ReadonlySet<TileNode>> {
  const written = new Map<TileNode, ReadonlySet<TileNode>>()
  const visit = (block: TileBlock): Set<TileNode> => {
    const all = new Set<TileNode>()
    for (const node of block.body) {
      const own = new Set<TileNode>()
      if (node.op === 'store' || node.op === 'scatter' || node.op === 'atomic') own.add(node.inputs[0]!)
      for (const inner of node.blocks) for (const view of visit(inner)) own.add(view)
      if (own.size > 0) written.set(node, own)
      for (const view of own) all.add(view)
    }
    return all
  }
  visit(structure.program.body)
  return written
}

/**
 * Whether two views of a launch may be the same memory. The launch contract: if the kernel writes at least one of two views,
 * their memory is either disjoint or exactly the same (pointer, dtype, sizes and strides).
 */
export function mayAlias(a: TileNode, b: TileNode): boolean {
  if (a === b) return true
  const [x, y] = [viewType(a), viewType(b)]
  const fits = (m: readonly (number | null)[], n: readonly (number | null)[]): boolean =>
    m.every((dim, d) => dim === null || n[d] === null || dim === n[d])
  return (
    x.dtype === y.dtype && x.sizes.length === y.sizes.length && fits(x.sizes, y.sizes) && fits(x.strides, y.strides)
  )
}
