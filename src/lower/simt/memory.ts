/** Loads and stores of blocks, gathers, scatters and atomics. Only the first copy of a duplicated element writes. */
import type { LaneNode } from '../../lane/ir.js'
import { atomicOperands } from '../../scalar/atomic.js'
import { type TileNode, viewType } from '../../tile/ir.js'
import { dtypeInfo } from '../../types/dtype.js'
import { keyOf } from '../shared/index-analysis.js'
import { dtypeOf, lanesOf } from '../shared/lanes.js'
import { type BlockAccess, blockAccess } from './access.js'
import { BlockPlaces } from './bounds.js'
import type { Context, Scalar, Value } from './context.js'
import { exchange } from './exchange.js'
import { gatherVector } from './gather-vectors.js'
import { IndexTiles } from './index-tiles.js'
import { copyMask, groups, layoutKey, registerCount, type ThreadLayout } from './layout.js'
import type { Piece } from './vectors.js'

function noteBlock(context: Context, access: BlockAccess, layout: ThreadLayout, write: boolean): void {
  const key = accessKey(context, access, layout)
  const varies = context.plan.variesInLoop(access.offsets)
  context.shared.access({ space: 'global', view: access.view, key, varies, write })
}

const noteIndexed = (context: Context, view: TileNode, write: boolean): void =>
  context.shared.access({ space: 'global', view, key: null, varies: true, write })

/** Key of an access: equal offsets and layouts without copies mean that each thread accesses only its own elements. */
function accessKey(context: Context, { offsets, shape }: BlockAccess, layout: ThreadLayout): string | null {
  if (copyMask(layout) !== 0) return null
  return `${offsets.map(offset => keyOf(context.facts.index.affine(offset))).join(';')} ${shape.join()} ${layoutKey(layout)}`
}

/** `only`: a bool scalar that predicates the whole load. */
export function emitLoad(
  context: Context,
  node: Extract<TileNode, { op: 'load' }>,
  layout: ThreadLayout,
  scalar: Scalar,
  only: LaneNode | null = null,
): LaneNode {
  const { lanes, vectors } = context
  const access = blockAccess(node)
  noteBlock(context, access, layout, false)
  const places = new BlockPlaces(context, access, layout, access.offsets.map(scalar))
  const from = context.viewPointer(access.view)
  const pieces = new Array<Piece>(registerCount(layout))
  const padding = node.inputs[access.offsets.length + 1]
  const outside = padding === undefined ? null : scalar(padding)
  for (const { registers, index, count, all } of places.pieces(only)) {
    let loaded = lanes.load(from, index, registers.length, count)
    if (outside !== null && count !== null) {
      const inside = all ?? places.insideMask(registers)
      loaded = selectWords(context, inside, loaded, lanes.spread(outside, registers.length))
    }
    registers.forEach((register, lane) => {
      pieces[register] = { node: loaded, lane }
    })
  }
  return vectors.assemble(pieces)
}

/** mask ? a : b; narrow elements that share a mask value are selected as 32-bit words. */
function selectWords({ lanes }: Context, mask: LaneNode, a: LaneNode, b: LaneNode): LaneNode {
  const dtype = dtypeOf(a)
  const bits = lanesOf(a) * dtypeInfo(dtype).bits
  if (lanesOf(mask) > 1 || bits % 32 !== 0 || dtypeInfo(dtype).bits >= 32 || dtype === 'bool')
    return lanes.select(mask, a, b)
  const word = (node: LaneNode): LaneNode => lanes.bitcast(node, 'i32')
  return lanes.bitcast(lanes.map('where', mask, word(a), word(b)), dtype)
}

/** Emits a store of a block; where several threads hold copies of an element, the first one writes it. */
export function emitStore(
  context: Context,
  node: Extract<TileNode, { op: 'store' }>,
  layout: ThreadLayout,
  value: LaneNode,
  scalar: Scalar,
): void {
  const { lanes, vectors, threads } = context
  const access = blockAccess(node)
  noteBlock(context, access, layout, true)
  const [offsets, ends] = [access.offsets.map(scalar), access.ends?.map(scalar) ?? null]
  const places = new BlockPlaces(context, access, layout, offsets, ends)
  const to = context.viewPointer(access.view)
  const copies = copyMask(layout)
  const only = copies === 0 ? null : threads.isFirst(copies)
  for (const { registers, index, count } of places.pieces(only)) {
    lanes.store(to, index, vectors.pick(value, registers), count)
  }
}

// Access by index tiles.

type Indexed = Extract<TileNode, { op: 'gather' | 'scatter' | 'atomic' }>

interface IndexedPlaces {
  /** Per register. */
  readonly indices: LaneNode
  readonly mask: LaneNode
}

/** The elements' indices in memory and their mask, for a gather, a scatter or an atomic. */
function indexedPlaces(context: Context, node: Indexed, layout: ThreadLayout, value: Value): IndexedPlaces {
  const { lanes } = context
  const [view] = node.inputs as [TileNode]
  const rank = viewType(view).sizes.length
  const count = registerCount(layout)
  const full = (made: LaneNode): LaneNode => lanes.spread(made, count)
  // If all addresses are known to fit 32 bits, the index arithmetic of unmasked elements fits 32 bits too.
  const type = context.facts.index32 ? 'i32' : 'i64'
  const typed = (made: LaneNode): LaneNode => lanes.cast(made, type)
  const tiles = new IndexTiles(context, value)
  let indices = full(lanes.constant(type, 0))
  let mask = value(node.inputs.at(-1)!, layout)
  for (let d = 0; d < rank; d++) {
    const stride = context.viewStride(view, d)
    const split = tiles.split(node.inputs[1 + d]!, layout)
    if (split !== null) {
      const inside = tiles.inside(split, view, d, layout)
      if (inside !== null) mask = lanes.and(mask, inside)
      indices = lanes.add(indices, tiles.scaled(split, stride, type, layout))
      continue
    }
    const index = value(node.inputs[1 + d]!, layout)
    const inside = lanes.and(
      lanes.map('ge', index, full(lanes.index(0))),
      lanes.map('lt', index, full(context.viewSize(view, d))),
    )
    mask = lanes.and(mask, inside)
    indices = lanes.add(indices, lanes.mul(typed(index), full(typed(stride))))
  }
  const padding = context.isInside(layout)
  return { indices, mask: padding === null ? mask : lanes.and(mask, padding) }
}

/** Emits a gather, in vectors where the elements are known to be contiguous. */
export function emitGather(
  context: Context,
  node: Extract<TileNode, { op: 'gather' }>,
  layout: ThreadLayout,
  value: Value,
): LaneNode {
  const { indices, mask } = indexedPlaces(context, node, layout, value)
  noteIndexed(context, node.inputs[0]!, false)
  const from = context.viewPointer(node.inputs[0]!)
  const vector = vectorOf(context, node, layout)
  if (vector.length === 0) return context.lanes.gather(from, indices, mask)
  const { lanes, vectors } = context
  const width = 2 ** vector.length
  const pieces = new Array<Piece>(registerCount(layout))
  for (const registers of groups(layout, vector)) {
    const [first] = registers as [number]
    const inside = vectors.slice(mask, first, 1)
    const count = lanes.map('where', inside, context.i32(width), context.i32(0))
    const loaded = lanes.load(from, vectors.slice(indices, first, 1), width, count)
    registers.forEach((register, lane) => {
      pieces[register] = { node: loaded, lane }
    })
  }
  return vectors.assemble(pieces)
}

/** Register bits along which a gather reads adjacent elements, lowest first. */
function vectorOf(context: Context, node: Extract<TileNode, { op: 'gather' }>, layout: ThreadLayout): number[] {
  const found: number[] = []
  for (const bit of gatherVector(context.facts, context.dependences, node)) {
    const place = layout.registers.indexOf(bit)
    if (place < 0) break
    found.push(place)
  }
  return found
}

function withoutCopies(context: Context, layout: ThreadLayout, mask: LaneNode): LaneNode {
  const copies = copyMask(layout)
  return copies === 0
    ? mask
    : context.lanes.and(mask, context.lanes.spread(context.threads.isFirst(copies), registerCount(layout)))
}

export function emitScatter(
  context: Context,
  node: Extract<TileNode, { op: 'scatter' }>,
  layout: ThreadLayout,
  value: Value,
): void {
  const { indices, mask } = indexedPlaces(context, node, layout, value)
  const stored = value(node.inputs.at(-2)!, layout)
  noteIndexed(context, node.inputs[0]!, true)
  context.lanes.scatter(context.viewPointer(node.inputs[0]!), indices, stored, withoutCopies(context, layout, mask))
}

/** Element by element; the old values, if `isUsed`, are sent to the threads that hold copies. */
export function emitAtomic(
  context: Context,
  node: Extract<TileNode, { op: 'atomic' }>,
  layout: ThreadLayout,
  isUsed: boolean,
  value: Value,
): LaneNode | null {
  const { lanes, vectors } = context
  const { indices, mask } = indexedPlaces(context, node, layout, value)
  const [view] = node.inputs as [TileNode]
  const { fn, order = 'relaxed' } = node.attrs
  const operands = node.inputs.slice(-1 - atomicOperands(fn), -1).map(operand => value(operand, layout))
  const to = context.viewPointer(view)
  const own = withoutCopies(context, layout, mask)
  noteIndexed(context, view, true)
  const { dtype } = viewType(view)
  // One thread orders its own accesses only: the others' come before or after it by a barrier.
  const barrier = (): void => void lanes.builder.node('barrier', [], { scope: context.warpBits > 0 ? 'block' : 'warp' })
  if (order === 'release' || order === 'acquireRelease') barrier()
  const olds = Array.from({ length: registerCount(layout) }, (_, register) => {
    const pick = (made: LaneNode): LaneNode => vectors.slice(made, register, 1)
    const [old] = lanes.branch(
      pick(own),
      'atomic',
      () => [lanes.builder.node('atomic', [to, pick(indices), ...operands.map(pick)], node.attrs)],
      () => [lanes.constant(dtype, 0)],
    )
    return old!
  })
  if (order === 'acquire' || order === 'acquireRelease') barrier()
  if (!isUsed) return null
  const gathered = vectors.concat(olds)
  if (copyMask(layout) === 0) return gathered
  return spreadFirst(context, gathered, layout, node)
}

/** Broadcasts each element's first copy to all others through shared memory, to which only the first copy writes. */
const spreadFirst = (context: Context, node: LaneNode, layout: ThreadLayout, at: TileNode): LaneNode =>
  exchange(context, node, layout, layout, at.origin.at)
