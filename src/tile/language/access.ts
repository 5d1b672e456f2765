/** Operands of memory accesses, checked and converted to the form of the IR: i64 indices, values of the view's dtype. */
import { dtypes } from '../../types/dtype.js'
import { printType, type TileNode, tileType, viewType } from '../ir.js'
import { optionsOf } from './arguments.js'
import type { Emitter } from './emitter.js'
import { broadcastShape, castTo, expandTo, isLiteral, literalNode } from './operands.js'
import { describe, operandNode, type TileOperand, ViewValue } from './value.js'

export interface MaskOptions {
  /** Elements where it is false are not accessed (and read as 0). */
  readonly mask?: TileOperand
}

function viewNode(emitter: Emitter, op: string, view: ViewValue): TileNode {
  if (!(view instanceof ViewValue))
    emitter.fail(
      `${op}: expected a view parameter, got ${describe(view)}`,
      'pass a parameter declared with view(dtype, rank)',
    )
  if (view.emitter !== emitter) emitter.fail(`${op}: ${view} belongs to another kernel`, 'declare it in params')
  return view.node
}

/** An integer operand as an i64 node. */
function indexNode(emitter: Emitter, op: string, operand: TileOperand): TileNode {
  const node = operandNode(emitter, op, operand)
  if (isLiteral(node)) return literalNode(emitter, op, node, 'i64')
  const { dtype } = tileType(node)
  if (dtypes[dtype].kind !== 'int' && dtypes[dtype].kind !== 'uint') {
    emitter.fail(`${op}: an index is ${printType(node.type)}`, `indices are integers: convert with .to('i64')`)
  }
  return castTo(emitter, node, 'i64')
}

export function scalarIndexNode(emitter: Emitter, op: string, operand: TileOperand): TileNode {
  const node = indexNode(emitter, op, operand)
  if (tileType(node).shape.length > 0) {
    emitter.fail(
      `${op}: an offset is a tile, ${printType(node.type)}`,
      'offsets are scalars; use t.gather or t.scatter for tiles of indices',
    )
  }
  return node
}

/** Throws KernelError when `given` is not a list with one entry per dim of the view. */
export function checkCount(
  emitter: Emitter,
  op: string,
  view: ViewValue,
  what: string,
  given: readonly (TileOperand | null)[],
): void {
  viewNode(emitter, op, view)
  if (!Array.isArray(given) || given.length !== view.rank) {
    const got = Array.isArray(given) ? String(given.length) : describe(given)
    emitter.fail(`${op}: ${got} ${what} for ${view}`, `give a list with one of them per dim: ${view.rank}`)
  }
}

export function offsetNodes(
  emitter: Emitter,
  op: string,
  view: ViewValue,
  offsets: readonly TileOperand[],
  what: 'offsets' | 'ends' = 'offsets',
): TileNode[] {
  checkCount(emitter, op, view, what, offsets)
  return Array.from(offsets, offset => {
    const node = scalarIndexNode(emitter, op, offset)
    return emitter.bounds?.clamp(emitter, node) ?? node
  })
}

/** A value to be combined with a view: of its dtype, and of `shape` unless that is null. */
export function valueForView(
  emitter: Emitter,
  op: string,
  view: ViewValue,
  value: TileOperand,
  shape: readonly number[] | null,
): TileNode {
  const operand = operandNode(emitter, op, value)
  const { dtype } = viewType(view.node)
  const node = isLiteral(operand) ? literalNode(emitter, op, operand, dtype) : operand
  if (tileType(node).dtype !== dtype) {
    emitter.fail(
      `${op}: the value is ${tileType(node).dtype}, the view '${view.name}' holds ${dtype}`,
      `convert it with .to('${dtype}')`,
    )
  }
  if (shape !== null && tileType(node).shape.length !== shape.length) {
    emitter.fail(`${op}: the value is ${printType(node.type)}, not a scalar`, 'pass a scalar')
  }
  return node
}

/** The indices, then the value if there is one, then the mask, all of one shape. */
export function indexedNodes(
  emitter: Emitter,
  op: string,
  view: ViewValue,
  indices: readonly TileOperand[],
  options: MaskOptions | undefined,
  given: readonly TileOperand[],
): TileNode[] {
  checkCount(emitter, op, view, 'indices', indices)
  const at = Array.from(indices, index => {
    const node = indexNode(emitter, op, index)
    return emitter.bounds?.opaque(emitter, node) ?? node
  })
  const values = given.map(value => valueForView(emitter, op, view, value, null))
  const mask = operandNode(emitter, op, optionsOf(emitter, op, options, ['mask']).mask ?? true)
  const maskNode = isLiteral(mask) ? literalNode(emitter, op, mask, 'bool') : mask
  if (tileType(maskNode).dtype !== 'bool') {
    emitter.fail(
      `${op}: the mask is ${printType(maskNode.type)}, not bool`,
      'compare first, for example index.lt(size)',
    )
  }
  const all = [...at, ...values, maskNode]
  const shape = broadcastShape(emitter, op, all.map(tileType))
  return all.map(node => expandTo(emitter, node, shape))
}
