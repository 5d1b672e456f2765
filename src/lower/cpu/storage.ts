/**
 * Decides which tiles are stored in scratch memory. Reductions, scans, dots, ops on bins and carried tiles always are. An elementwise value
 * is stored when several nests need it and recomputation costs more than reloading, when an inner loop would recompute it, and
 * before a reshape that mixes axes; otherwise it is recomputed at its uses.
 */
import { scalarOp } from '../../scalar/ops.js'
import type { CpuTarget } from '../../target/cpu.js'
import { isLoop, type TileNode, tileType, viewType } from '../../tile/ir.js'
import { type Dtype, dtypes, itemBytes } from '../../types/dtype.js'
import { EarliestPoints, elementCount, isSingle, type Structure, shapeOf } from '../shared/structure.js'
import { isElementwise, isTrivialReshape } from './axes.js'
import { type Buffer, denseBuffer } from './plan.js'
import { ValueBounds } from './value-bounds.js'

/** Up to this much arithmetic per element, recomputation is cheaper than a store and loads. */
const cheap = 6
/** The same limit for values that an inner loop would recompute at each step. */
const cheapInLoop = 3

/** Pure nodes that are always computed in a loop nest of their own, and stored. */
export const isComputedOp = (node: TileNode): boolean =>
  node.op === 'reduce' || (node.op === 'scan' && !isSingle(node)) || node.op === 'dot' || takesWholeTiles(node)

/** Ops that index their inputs by values: the inputs are stored as a whole. */
export const takesWholeTiles = (node: TileNode): boolean =>
  node.op === 'histogram' || node.op === 'binOrder' || node.op === 'take'

export interface Storage {
  /** Elementwise values, loads and gathers written to scratch. */
  readonly kept: ReadonlySet<TileNode>
  readonly points: EarliestPoints
  readonly buffers: ReadonlyMap<TileNode, Buffer>
  /** The buffers of each control node's results, null for those in registers. */
  readonly slots: ReadonlyMap<TileNode, readonly (Buffer | null)[]>
}

/** Decides which values are stored. `pinned`: loads that must be read before their memory changes. */
export function decideStorage(structure: Structure, pinned: ReadonlySet<TileNode>, target: CpuTarget): Storage {
  const kept = keptValues(structure, pinned)
  const points = new EarliestPoints(structure, node => isComputedOp(node) || kept.has(node))
  return { kept, points, ...assignBuffers(structure, kept, target) }
}

/** The values that are written to scratch, because computing them again for each use would cost more. */
function keptValues(structure: Structure, pinned: ReadonlySet<TileNode>): Set<TileNode> {
  const kept = new Set(pinned)
  const points = new EarliestPoints(structure, isComputedOp)
  const consumers = consumersOf(structure)
  const costs = new Map<TileNode, number>()
  const keep = (node: TileNode): void => {
    if (isSingle(node) || hasOwnMemory(node)) return
    kept.add(node)
    costs.set(node, 1)
  }
  for (const node of structure.nodes) {
    if (node.type.kind !== 'tile') continue
    costs.set(node, kept.has(node) ? 1 : cost(node, costs))
    forInputs(node, costs, keep)
    const users = structure.users.get(node) ?? []
    const depth = points.of(node).scope.loopDepth
    const deeper = users.some(user => !isPackedOperand(node, user) && depthOf(structure, points, node, user) > depth)
    const joins = users.length > 1 && consumers.get(node)!.length > 1
    if (joins && costs.get(node)! > cheap) keep(node)
    else if (deeper && costs.get(node)! > cheapInLoop) keep(smallest(node))
  }
  for (const node of loopResults(structure, points)) keep(node)
  return kept
}

/** The value to store: a broadcast's input rather than its result. */
function smallest(node: TileNode): TileNode {
  const [input] = node.inputs
  const grows = node.op === 'broadcast' && elementCount(shapeOf(node)) > elementCount(shapeOf(input!))
  return grows && !isSingle(input!) ? input! : node
}

/** Stores inputs that an op needs in memory: under a reshape that mixes axes, and expensive ones under a broadcast. */
function forInputs(node: TileNode, costs: ReadonlyMap<TileNode, number>, keep: (node: TileNode) => void): void {
  const [input] = node.inputs
  if (isAlias(node)) keep(input!)
  if (takesWholeTiles(node)) node.inputs.forEach(keep)
  if (node.op !== 'broadcast' || isSingle(input!)) return
  const grows = elementCount(shapeOf(node)) > elementCount(shapeOf(input!))
  if (grows && costs.get(input!)! > cheap) keep(input!)
}

/** A dot packs its operands where they are computed, so its uses do not recompute them. */
const isPackedOperand = (node: TileNode, user: TileNode): boolean => user.op === 'dot' && user.inputs[2] !== node

function depthOf(structure: Structure, points: EarliestPoints, node: TileNode, user: TileNode): number {
  const owned = user.blocks.some(block => block.results.includes(node))
  const depth = points.of(user).scope.loopDepth
  return owned && isLoop(user) && !user.inputs.includes(node) ? structure.scopes.get(user.blocks[0]!)!.loopDepth : depth
}

/**
 * Tiles that a loop's body computes for the next iteration: stored at their own point, so that the copy at the end is simple.
 */
function loopResults(structure: Structure, points: EarliestPoints): TileNode[] {
  return structure.nodes.filter(isLoop).flatMap(loop => {
    const body = loop.blocks.at(-1)!
    return body.results.filter(result => !structure.params.has(result) && points.of(result).scope.block === body)
  })
}

/** True for a reshape that mixes axes: its result is an alias of its input's memory. */
export const isAlias = (node: TileNode): boolean => node.op === 'reshape' && !isSingle(node) && !isTrivialReshape(node)

/** True for tiles that are stored anyway, whatever `keptValues` decides. */
const hasOwnMemory = (node: TileNode): boolean =>
  isAlias(node) || isComputedOp(node) || node.op === 'param' || node.op === 'item' || node.op === 'atomic'

/** The consumers of each node, by name, at most two. A value used only by elementwise values has their consumers. */
function consumersOf(structure: Structure): Map<TileNode, readonly string[]> {
  const found = new Map<TileNode, string[]>()
  for (let i = structure.nodes.length - 1; i >= 0; i--) {
    const node = structure.nodes[i]!
    const all = new Set<string>()
    for (const user of structure.users.get(node) ?? []) {
      for (const name of isElementwise(user) || user.op === 'gather'
        ? (found.get(user) ?? [])
        : [consumer(node, user)]) {
        if (all.size < 2) all.add(name)
      }
    }
    found.set(node, [...all])
  }
  return found
}

const consumer = (node: TileNode, user: TileNode): string =>
  isPackedOperand(node, user) ? `pack${node.id}` : `root${user.id}`

/** The cost of computing one element, given the stored values. */
function cost(node: TileNode, costs: ReadonlyMap<TileNode, number>): number {
  if (isSingle(node) || node.op === 'iota') return isSingle(node) ? 0 : 1
  if (hasOwnMemory(node)) return 1
  const inputs = node.inputs.reduce((sum, input) => sum + (costs.get(input) ?? 0), 0)
  switch (node.op) {
    case 'load':
      return viewType(node.inputs[0]!).strides.some(stride => stride === 1 || stride === 0) ? 1 : 4
    case 'gather':
      return 4 + inputs
    case 'map':
      return Math.min(1000, scalarOp(node.attrs.fn).cost + inputs)
    case 'cast':
      return Math.min(1000, (isFloatOf(node) === isFloatOf(node.inputs[0]!) ? 1 : 2) + inputs)
    default:
      return Math.min(1000, inputs)
  }
}

const isFloatOf = (node: TileNode): boolean => dtypes[tileType(node).dtype].kind === 'float'

/** The dim from which on elements are rows of `length`; null: no dim is. */
function rowDim(shape: readonly number[], length: number): number | null {
  let [count, dim] = [1, shape.length]
  while (count < length && dim > 0) count *= shape[--dim]!
  return count === length ? dim : null
}

/**
 * The rows of a value that is kept as a dot's operand, if they are no whole vectors: they begin at whole vectors, so that no
 * load of a row's vectors crosses a cache line more than it must. Null for others.
 */
function operandRow(structure: Structure, node: TileNode, lanes: number): Buffer['row'] {
  const aliases = [node]
  let length: number | null = null
  for (const shown of aliases)
    for (const user of structure.users.get(shown) ?? []) {
      if (user.blocks.length > 0 || takesWholeTiles(user)) return null
      if (isAlias(user)) aliases.push(user)
      else if (user.op === 'dot') length = shapeOf(shown).at(-1)!
    }
  if (length === null || length < lanes || length % lanes === 0) return null
  if (aliases.some(shown => rowDim(shapeOf(shown), length) === null)) return null
  return { length, pitch: Math.ceil(length / lanes) * lanes }
}

/** The buffer with rows at a pitch. */
function withPitch(dense: Buffer, row: Buffer['row']): Buffer {
  if (row === null) return dense
  const first = rowDim(dense.shape, row.length)!
  const apart = (count: number): number => (count / row.length) * row.pitch
  const strides = dense.strides.map((stride, d) => (d < first ? apart(stride) : stride))
  return { ...dense, row, strides, count: apart(dense.count) }
}

/** Indices that fit 32 bits are stored as such: vectors of them have as many lanes as the elements that they select. */
function keptDtype({ users }: Structure, bounds: ValueBounds, node: TileNode): Dtype {
  const { dtype } = tileType(node)
  const isRead = (user: TileNode): boolean => isElementwise(user) || user.op === 'gather'
  if (dtype !== 'i64' || !users.get(node)?.every(isRead)) return dtype
  const range = bounds.of(node)
  return range !== null && range.min >= dtypes.i32.min && range.max <= dtypes.i32.max ? 'i32' : dtype
}

/** A buffer for each stored node, and for each carried tile of a control node. */
function assignBuffers(
  structure: Structure,
  kept: ReadonlySet<TileNode>,
  target: CpuTarget,
): Pick<Storage, 'buffers' | 'slots'> {
  const buffers = new Map<TileNode, Buffer>()
  const slots = new Map<TileNode, (Buffer | null)[]>()
  const bounds = new ValueBounds()
  const fresh = (node: TileNode, name: string): Buffer => denseBuffer(name, tileType(node).dtype, shapeOf(node))
  const slotsOf = (owner: TileNode): (Buffer | null)[] => {
    const known = slots.get(owner)
    if (known !== undefined) return known
    const { items } = owner.type as Extract<TileNode['type'], { kind: 'tuple' }>
    const made = items.map(({ dtype, shape }) =>
      elementCount(shape) === 1 ? null : denseBuffer('carried', dtype, shape),
    )
    slots.set(owner, made)
    return made
  }
  const make = (node: TileNode): Buffer | null => {
    if (node.op === 'dot') return fresh(node, 'acc')
    if (isSingle(node)) return null
    if (node.op === 'item') return slotsOf(node.inputs[0]!)[node.attrs.index]!
    if (node.op === 'param') {
      const { scope, slot } = structure.params.get(node)!
      return slotsOf(scope.owner!)[scope.owner!.op === 'range' ? slot - 1 : slot]!
    }
    if (node.op === 'reduce') return fresh(node, `${node.attrs.fn}s`)
    if (node.op === 'scan') return fresh(node, 'running')
    if (takesWholeTiles(node)) return fresh(node, node.op)
    if (node.op === 'atomic') return structure.users.has(node) ? fresh(node, 'old') : null
    if (kept.has(node)) {
      const dense = denseBuffer(
        node.op === 'map' ? node.attrs.fn : node.op,
        keptDtype(structure, bounds, node),
        shapeOf(node),
      )
      return withPitch(dense, operandRow(structure, node, target.vectorBytes / itemBytes(dense.dtype)))
    }
    return null
  }
  for (const node of structure.nodes) {
    if (node.type.kind !== 'tile') {
      if (node.type.kind === 'tuple') slotsOf(node)
      continue
    }
    const buffer = make(node)
    if (buffer !== null) buffers.set(node, buffer)
    else if (isAlias(node)) {
      const shown = buffers.get(node.inputs[0]!)!
      const base = shown.base ?? shown
      const alias = { ...denseBuffer(base.name, base.dtype, shapeOf(node)), base }
      buffers.set(node, withPitch(alias, base.row))
    }
  }
  return { buffers, slots }
}
