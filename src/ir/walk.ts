/** Walks over programs: all nodes once, uses, and the placement of floating nodes. */
import { type AnyNode, type Block, type Dialect, floats } from './node.js'

/** Every node that the block needs, each once, inputs before users, the bodies of inner blocks before their owner. */
export function nodesOf<N extends AnyNode>(block: Block<N>): readonly N[] {
  const found: N[] = []
  walk(block, new Set(), found)
  return found
}

function walk<N extends AnyNode>(block: Block<N>, seen: Set<N>, found: N[]): void {
  // An explicit stack: graphs of deep networks are deeper than the call stack. A node stays there, below its inputs,
  // until they are found; one that is met again is found or lies there already.
  const stack: N[] = []
  const open = new Set<N>()
  for (const roots of [block.params, block.body, block.results]) {
    for (const root of roots) {
      stack.push(root)
      while (stack.length > 0) {
        const top = stack.at(-1)!
        if (open.delete(top)) {
          stack.pop()
          for (const inner of top.blocks) walk(inner as Block<N>, seen, found)
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

/** What uses each node of a program without inner blocks, in order: the nodes that read it, and null for being a result. */
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

interface BlockPlace<N> {
  readonly parent: BlockPlace<N> | null
  readonly depth: number
  readonly loopDepth: number
  readonly block: Block<N>
}

/**
 * An execution order for each block: its effects in their order, with every floating node that belongs to the block
 * before its first use. A floating node goes as late as its uses allow, but out of loops as far as its inputs allow.
 * `isLoop` tells which nodes run their blocks more than once.
 */
export function placement<N extends AnyNode>(
  dialect: Dialect<N>,
  root: Block<N>,
  isLoop: (node: N) => boolean,
): Map<Block<N>, readonly N[]> {
  const places = new Map<Block<N>, BlockPlace<N>>()
  const home = new Map<N, BlockPlace<N>>()
  collectBlocks(dialect, root, isLoop, null, 0, places, home)
  const order = [...nodesOf(root)]
  placeFloating(dialect, order, places, home)
  return linearize(dialect, places, home)
}

function collectBlocks<N extends AnyNode>(
  dialect: Dialect<N>,
  block: Block<N>,
  isLoop: (node: N) => boolean,
  parent: BlockPlace<N> | null,
  loopDepth: number,
  places: Map<Block<N>, BlockPlace<N>>,
  home: Map<N, BlockPlace<N>>,
): void {
  const place = { parent, depth: parent === null ? 0 : parent.depth + 1, loopDepth, block }
  places.set(block, place)
  for (const param of block.params) home.set(param, place)
  for (const node of block.body) {
    if (!floats(dialect, node)) home.set(node, place)
    for (const inner of node.blocks) {
      collectBlocks(dialect, inner as Block<N>, isLoop, place, loopDepth + (isLoop(node) ? 1 : 0), places, home)
    }
  }
}

function commonAncestor<N>(a: BlockPlace<N>, b: BlockPlace<N>): BlockPlace<N> {
  let [x, y] = [a, b]
  while (x !== y) {
    if (x.depth >= y.depth) x = x.parent!
    else y = y.parent!
  }
  return x
}

/** Users are visited before what they use, so the latest place of a node is known when its turn comes. */
function placeFloating<N extends AnyNode>(
  dialect: Dialect<N>,
  order: readonly N[],
  places: Map<Block<N>, BlockPlace<N>>,
  home: Map<N, BlockPlace<N>>,
): void {
  const latest = new Map<N, BlockPlace<N>>()
  const use = (node: N, place: BlockPlace<N>): void => {
    const known = latest.get(node)
    latest.set(node, known === undefined ? place : commonAncestor(known, place))
  }
  for (const place of places.values()) for (const result of place.block.results) use(result, place)
  const earliest = earliestPlaces(dialect, order, places, home)
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

function earliestPlaces<N extends AnyNode>(
  dialect: Dialect<N>,
  order: readonly N[],
  places: Map<Block<N>, BlockPlace<N>>,
  home: Map<N, BlockPlace<N>>,
): Map<N, BlockPlace<N>> {
  const rootPlace = [...places.values()][0]!
  const earliest = new Map<N, BlockPlace<N>>()
  for (const node of order) {
    let place = home.get(node) ?? rootPlace
    if (!home.has(node) && floats(dialect, node)) {
      for (const input of node.inputs) {
        const inputPlace = earliest.get(input as N)!
        if (inputPlace.depth > place.depth) place = inputPlace
      }
    }
    earliest.set(node, place)
  }
  return earliest
}

function shallowest<N>(late: BlockPlace<N>, early: BlockPlace<N>): BlockPlace<N> {
  let best = late
  for (let place: BlockPlace<N> | null = late; place !== null; place = place.parent) {
    if (place.loopDepth < best.loopDepth) best = place
    if (place === early) break
  }
  return best
}

function linearize<N extends AnyNode>(
  dialect: Dialect<N>,
  places: Map<Block<N>, BlockPlace<N>>,
  home: Map<N, BlockPlace<N>>,
): Map<Block<N>, readonly N[]> {
  const lists = new Map<Block<N>, N[]>()
  for (const place of places.values()) lists.set(place.block, [])
  const done = new Set<N>()
  for (const place of places.values()) for (const param of place.block.params) done.add(param)
  // A pure node that several blocks need is forced by the effect (or the owner of the block) that first needs it.
  const force = (node: N): void => {
    const stack: [N, boolean][] = [[node, false]]
    while (stack.length > 0) {
      const [top, expanded] = stack.pop()!
      if (done.has(top) || !floats(dialect, top)) continue
      if (expanded) {
        done.add(top)
        lists.get(home.get(top)!.block)!.push(top)
        continue
      }
      stack.push([top, true])
      for (const input of top.inputs.toReversed()) stack.push([input as N, false])
    }
  }
  const run = (block: Block<N>): void => {
    for (const node of block.body) {
      for (const input of node.inputs) force(input as N)
      for (const inner of node.blocks) run(inner as Block<N>)
      if (!floats(dialect, node)) lists.get(block)!.push(node)
    }
    for (const result of block.results) force(result)
  }
  run([...places.keys()][0]!)
  return lists
}
