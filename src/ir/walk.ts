/** Walks over programs: all nodes once, uses, and the placement of floating nodes. */
import { type AnyNode, type Block, type Dialect, isFloating } from './node.js'

/** Every node that the block needs, once each: inputs before users, inner bodies before the node that owns them. */
export function nodesOf<N extends AnyNode>(block: Block<N>): readonly N[] {
  const found: N[] = []
  walk(block, new Set(), found, true)
  return found
}

/** As `nodesOf`, except nodes that only inner blocks need: an IR with closed inner blocks walks those separately. */
export function ownNodesOf<N extends AnyNode>(block: Block<N>): readonly N[] {
  const found: N[] = []
  walk(block, new Set(), found, false)
  return found
}

/** Appends the unseen nodes that `block` needs to `found`, in post-order; `isDeep`: also those of inner blocks. */
function walk<N extends AnyNode>(block: Block<N>, seen: Set<N>, found: N[], isDeep: boolean): void {
  // An explicit stack, because deep networks would overflow the call stack. A node stays below its inputs until they are
  // done; a node that is met again is done or already on the stack.
  const stack: N[] = []
  const open = new Set<N>()
  for (const roots of [block.params, block.body, block.results]) {
    for (const root of roots) {
      stack.push(root)
      while (stack.length > 0) {
        const top = stack.at(-1)!
        if (open.delete(top)) {
          stack.pop()
          if (isDeep) for (const inner of top.blocks) walk(inner as Block<N>, seen, found, isDeep)
          found.push(top)
        } else if (seen.has(top)) stack.pop()
        else {
          seen.add(top)
          open.add(top)
          const { inputs } = top
          for (let i = inputs.length - 1; i >= 0; i--) if (!seen.has(inputs[i] as N)) stack.push(inputs[i] as N)
        }
      }
    }
  }
}

/** How often each node is used as an input or a block's result. */
export function useCounts<N extends AnyNode>(root: Block<N>): Map<N, number> {
  const counts = new Map<N, number>()
  const count = (node: N): void => void counts.set(node, (counts.get(node) ?? 0) + 1)
  const countResults = (block: Block<N>): void => block.results.forEach(count)
  countResults(root)
  for (const node of nodesOf(root)) {
    for (const input of node.inputs) count(input as N)
    for (const block of node.blocks) countResults(block as Block<N>)
  }
  return counts
}

/** The users of each node of a program without inner blocks, in order: the nodes that read it, and null for a result. */
export function usersOf<N extends AnyNode>(root: Block<N>): Map<N, (N | null)[]> {
  const users = new Map<N, (N | null)[]>()
  const use = (node: N, user: N | null): void => {
    const list = users.get(node)
    if (list === undefined) users.set(node, [user])
    else list.push(user)
  }
  for (const node of nodesOf(root)) for (const input of node.inputs) use(input as N, node)
  for (const result of root.results) use(result, null)
  return users
}

/** A block's place in the nesting: `depth` counts the enclosing blocks, `loopDepth` those that are loop bodies. */
interface Scope<N> {
  readonly parent: Scope<N> | null
  readonly depth: number
  readonly loopDepth: number
  readonly block: Block<N>
}

/**
 * An execution order for each block: its effects in their order, and every floating node of the block before its first use.
 * A floating node is placed as late as its uses allow, but hoisted out of loops as far as its inputs allow.
 * `isLoop` tells which nodes run their blocks more than once.
 */
export function placement<N extends AnyNode>(
  dialect: Dialect<N>,
  root: Block<N>,
  isLoop: (node: N) => boolean,
): Map<Block<N>, readonly N[]> {
  const scopes = new Map<Block<N>, Scope<N>>()
  const home = new Map<N, Scope<N>>()
  collectBlocks(dialect, root, isLoop, null, 0, scopes, home)
  // With one block there is one place.
  if (scopes.size > 1) assignFloating(dialect, nodesOf(root), scopes, home)
  return linearize(dialect, scopes, home)
}

/** Fills `scopes` with the scope of every block, and `home` with the scope of every node that has a fixed position. */
function collectBlocks<N extends AnyNode>(
  dialect: Dialect<N>,
  block: Block<N>,
  isLoop: (node: N) => boolean,
  parent: Scope<N> | null,
  loopDepth: number,
  scopes: Map<Block<N>, Scope<N>>,
  home: Map<N, Scope<N>>,
): void {
  const scope = { parent, depth: parent === null ? 0 : parent.depth + 1, loopDepth, block }
  scopes.set(block, scope)
  for (const param of block.params) home.set(param, scope)
  for (const node of block.body) {
    if (!isFloating(dialect, node)) home.set(node, scope)
    for (const inner of node.blocks) {
      collectBlocks(dialect, inner as Block<N>, isLoop, scope, loopDepth + (isLoop(node) ? 1 : 0), scopes, home)
    }
  }
}

function commonAncestor<N>(a: Scope<N>, b: Scope<N>): Scope<N> {
  let [x, y] = [a, b]
  while (x !== y) {
    if (x.depth >= y.depth) x = x.parent!
    else y = y.parent!
  }
  return x
}

/**
 * Adds each floating node's scope to `home`. Visits users before their inputs, so that a node's latest possible scope (the
 * common ancestor of its users) is known when it is visited.
 */
function assignFloating<N extends AnyNode>(
  dialect: Dialect<N>,
  order: readonly N[],
  scopes: Map<Block<N>, Scope<N>>,
  home: Map<N, Scope<N>>,
): void {
  const latest = new Map<N, Scope<N>>()
  const use = (node: N, scope: Scope<N>): void => {
    const known = latest.get(node)
    latest.set(node, known === undefined ? scope : commonAncestor(known, scope))
  }
  for (const scope of scopes.values()) for (const result of scope.block.results) use(result, scope)
  const earliest = earliestScopes(dialect, order, scopes, home)
  for (let i = order.length - 1; i >= 0; i--) {
    const node = order[i]!
    if (!home.has(node)) {
      const late = latest.get(node)
      if (late === undefined) continue
      home.set(node, shallowest(late, earliest.get(node)!))
    }
    for (const input of node.inputs) use(input as N, home.get(node)!)
  }
}

/** The outermost scope in which all inputs of a node are available. */
function earliestScopes<N extends AnyNode>(
  dialect: Dialect<N>,
  order: readonly N[],
  scopes: Map<Block<N>, Scope<N>>,
  home: Map<N, Scope<N>>,
): Map<N, Scope<N>> {
  const rootScope = [...scopes.values()][0]!
  const earliest = new Map<N, Scope<N>>()
  for (const node of order) {
    let scope = home.get(node) ?? rootScope
    if (!home.has(node) && isFloating(dialect, node)) {
      for (const input of node.inputs) {
        const inputScope = earliest.get(input as N)!
        if (inputScope.depth > scope.depth) scope = inputScope
      }
    }
    earliest.set(node, scope)
  }
  return earliest
}

/** The scope inside the fewest loops between `late` and its ancestor `early`; of equal ones the innermost. */
function shallowest<N>(late: Scope<N>, early: Scope<N>): Scope<N> {
  let best = late
  for (let scope: Scope<N> | null = late; scope !== null; scope = scope.parent) {
    if (scope.loopDepth < best.loopDepth) best = scope
    if (scope === early) break
  }
  return best
}

/** The nodes of each block in execution order, given the scope (`home`) of every node. */
function linearize<N extends AnyNode>(
  dialect: Dialect<N>,
  scopes: Map<Block<N>, Scope<N>>,
  home: Map<N, Scope<N>>,
): Map<Block<N>, readonly N[]> {
  const lists = new Map<Block<N>, N[]>()
  for (const scope of scopes.values()) lists.set(scope.block, [])
  const [rootBlock] = scopes.keys()
  const done = new Set<N>()
  for (const scope of scopes.values()) for (const param of scope.block.params) done.add(param)
  // A pure node that several blocks need is emitted before the effect (or the owner of the block) that first needs it.
  const force = (node: N): void => {
    const stack: [N, boolean][] = [[node, false]]
    while (stack.length > 0) {
      const [top, expanded] = stack.pop()!
      if (done.has(top) || !isFloating(dialect, top)) continue
      if (expanded) {
        done.add(top)
        lists.get(home.get(top)?.block ?? rootBlock!)!.push(top)
        continue
      }
      stack.push([top, true])
      for (let i = top.inputs.length - 1; i >= 0; i--) stack.push([top.inputs[i] as N, false])
    }
  }
  const run = (block: Block<N>): void => {
    for (const node of block.body) {
      for (const input of node.inputs) force(input as N)
      for (const inner of node.blocks) run(inner as Block<N>)
      if (!isFloating(dialect, node)) lists.get(block)!.push(node)
    }
    for (const result of block.results) force(result)
  }
  run(rootBlock!)
  return lists
}
