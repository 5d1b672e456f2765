/** The reads of a root: its expressions, followed through elementwise ops to memory and single-element values. */
import { isArgReduction, scalarOp } from '../../scalar/ops.js'
import type { TileNode } from '../../tile/ir.js'
import { isSingle, shapeOf } from '../shared/structure.js'
import { type AxisMap, identityMap, inputMap, mapKey } from './axes.js'
import type { Access, Buffer, Cone, Root, Value } from './plan.js'
import { isComputedOp } from './storage.js'

/** The expressions that a root's nest evaluates at each of its points. */
export function valuesOf(root: Root): readonly Value[] {
  const plain = (node: TileNode): Value => ({ node, axes: identityMap(shapeOf(node).length) })
  switch (root.kind) {
    case 'store':
      return root.nodes.map(store => plain(store.inputs.at(-1)!))
    case 'keep':
      return [plain(root.node)]
    case 'assign':
      return root.source === null ? [plain(root.value)] : []
    case 'pack':
      return [root.value]
    case 'reduce':
    case 'scan':
      return [plain(root.node.inputs[0]!)]
    case 'thinDot':
      return [root.large]
    case 'indexed':
      return root.node.inputs.slice(1).map(plain)
    case 'bins':
      return [...root.node.inputs, ...root.placed.map(({ node }) => node.inputs[0]!)].map(plain)
    case 'single':
    case 'dot':
    case 'control':
      return []
  }
}

/** The node that the root itself computes in its nest: traversed, not read from memory. */
export const ownNode = (root: Root): TileNode | null => (root.kind === 'keep' ? root.node : null)

/** Everything that a root computes inside its own nest: the memory it reads, the single values it needs, and its cost. */
export function coneOf(root: Root, buffers: ReadonlyMap<TileNode, Buffer>): Cone {
  const accesses: Access[] = []
  const singles = new Set<TileNode>()
  const seen = new Set<string>()
  const own = ownNode(root)
  let cost = 0
  const followSingle = (start: TileNode): void => {
    const stack = [start]
    while (stack.length > 0) {
      const node = stack.pop()!
      if (seen.has(`${node.id}`)) continue
      seen.add(`${node.id}`)
      if (isComputedOp(node) || node.op === 'load' || node.op === 'gather' || node.op === 'atomic') singles.add(node)
      else stack.push(...node.inputs.filter(isSingle))
    }
  }
  const follow = (start: Value): void => {
    const stack = [start]
    while (stack.length > 0) {
      const { node, axes } = stack.pop()!
      const key = mapKey(node, axes)
      if (isSingle(node)) followSingle(node)
      else if (!seen.has(key)) {
        seen.add(key)
        stack.push(...step(node, axes))
      }
    }
  }
  /** Records what the node itself reads and costs; returns its inputs. */
  const step = (node: TileNode, axes: AxisMap): Value[] => {
    if (buffers.has(node) && node !== own) accesses.push({ kind: 'buffer', node, axes })
    else if (node.op === 'load') {
      accesses.push({ kind: 'load', node, axes })
      node.inputs.slice(1).forEach(followSingle)
    } else if (node.op === 'gather') {
      accesses.push({ kind: 'gather', node, axes })
      return node.inputs.slice(1).map(input => ({ node: input, axes }))
    } else {
      cost += node.op === 'map' ? scalarOp(node.attrs.fn).cost : 1
      return node.inputs.map((input, i) => ({ node: input, axes: inputMap(node, i, axes) }))
    }
    return []
  }
  valuesOf(root).forEach(follow)
  if (root.kind === 'reduce') cost += isArgReduction(root.node.attrs.fn) ? 4 : scalarOp(root.node.attrs.fn).cost
  if (root.kind === 'store')
    for (const store of root.nodes) for (const input of store.inputs.slice(1, -1)) followSingle(input)
  return { accesses, singles, cost }
}
