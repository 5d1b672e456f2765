/**
 * Conversions of operands before an op: literals take the other operand's dtype, f16 and bf16 are widened to f32, shapes
 * broadcast. Any other difference is an error that says how to fix it.
 */
import { describeAny } from '../../base/describe.js'
import { accepts, type ScalarOpName, scalarOp, type Value, wrapValue } from '../../scalar/ops.js'
import {
  checkTensorDtype,
  computeDtype,
  type Dtype,
  dtypes,
  isFloat,
  isInteger,
  type TensorDtype,
  tensorDtypes,
} from '../../types/dtype.js'
import { printType, type TileNode, type TileType, tileType } from '../ir.js'
import type { Emitter } from './emitter.js'

/** A number in the source of a kernel. */
export type Literal = number | bigint | boolean

export const isLiteral = (value: unknown): value is Literal =>
  typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean'

const isNode = (operand: Literal | TileNode): operand is TileNode => !isLiteral(operand)

/** Checks a dtype that a user wrote. Throws KernelError. */
export function checkDtype(emitter: Emitter, op: string, dtype: unknown): TensorDtype {
  try {
    return checkTensorDtype(dtype as string, op)
  } catch {
    return emitter.fail(
      `${op}: ${typeof dtype === 'string' ? dtype : describeAny(dtype)} is not a dtype of a tile`,
      `use one of ${tensorDtypes.join(', ')}`,
    )
  }
}

/** Larger tiles indicate a mistake in the shape: no target can hold them, nor can the interpreter's arrays. */
const maxElements = 2 ** 26

/** A value inside a list, for messages. */
export const shortText = (value: unknown): string =>
  typeof value === 'number' || isTileLike(value) ? String(value) : describeAny(value)

/** Tiles describe themselves; other objects are described by their class only. */
const isTileLike = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'emitter' in value && 'node' in value

/** Checks the shape of a tile: a list of positive integers. Throws KernelError. */
export function checkShape(emitter: Emitter, op: string, shape: readonly number[]): readonly number[] {
  if (!Array.isArray(shape))
    emitter.fail(`${op}: the shape is ${describeAny(shape)}, not a list`, 'pass a list of sizes such as [64, 64]')
  const sizes = Array.from(shape as readonly unknown[]) // holes count as undefined
  for (const size of sizes) {
    if (typeof size !== 'number' || !Number.isSafeInteger(size) || size < 1) {
      emitter.fail(
        `${op}: the shape [${sizes.map(shortText).join(', ')}] holds ${shortText(size)}`,
        'tile sizes are positive integers known when the kernel is built: use constants, not sizes of views',
      )
    }
  }
  const count = sizes.reduce<number>((product, size) => product * (size as number), 1)
  if (count > maxElements) {
    emitter.fail(
      `${op}: a tile of shape [${sizes.join(', ')}] has ${count} elements, more than ${maxElements}`,
      'use smaller tiles, and more programs or a loop with t.range',
    )
  }
  return sizes as number[]
}

/** An axis, counted from the end if negative. Throws KernelError when it does not exist. */
export function checkAxis(emitter: Emitter, op: string, axis: number, rank: number): number {
  const given: unknown = axis
  if (typeof given === 'number' && Number.isInteger(given)) {
    const fixed = given < 0 ? given + rank : given
    if (fixed >= 0 && fixed < rank) return fixed
  }
  return emitter.fail(
    `${op}: axis ${shortText(given)} of a tile of rank ${rank}`,
    rank === 0 ? 'a scalar has no axes' : `use an axis in [${-rank}, ${rank - 1}]`,
  )
}

/** The value of a literal in `dtype`. Throws KernelError when the dtype cannot represent it. */
export function literalValue(emitter: Emitter, op: string, literal: Literal, dtype: Dtype): Value {
  if (isFloat(dtype)) {
    const value = wrapValue(dtype, Number(literal))
    const isExtreme = typeof literal === 'bigint' || Number.isFinite(literal)
    if (isExtreme && !Number.isFinite(Number(value))) {
      emitter.fail(`${op}: ${literal} does not fit ${dtype}: it would be infinite`, 'write Infinity if that is meant')
    }
    return value
  }
  const exact = typeof literal === 'boolean' ? BigInt(literal) : exactInteger(emitter, op, literal, dtype)
  const wrapped = wrapValue(dtype, exact)
  if (BigInt(wrapped) !== exact) {
    emitter.fail(
      `${op}: ${literal} does not fit ${dtype}`,
      `convert the tile to a wider dtype first, for example .to('i64')`,
    )
  }
  return wrapped
}

function exactInteger(emitter: Emitter, op: string, literal: number | bigint, dtype: Dtype): bigint {
  if (typeof literal === 'bigint') return literal
  if (!Number.isInteger(literal)) {
    const fix =
      dtype === 'bool' ? 'compare, so that both are bool' : `convert the tile first with .to('f32'), or use an integer`
    emitter.fail(`${op}: the literal ${literal} meets a tile of ${dtype}`, fix)
  }
  if (!Number.isSafeInteger(literal)) {
    emitter.fail(`${op}: the number ${literal} is not exact as an integer`, `write it as a bigint: ${BigInt(literal)}n`)
  }
  return BigInt(literal)
}

/** A literal as a scalar node. */
export function literalNode(emitter: Emitter, op: string, literal: Literal, dtype: Dtype): TileNode {
  return emitter.emit('const', [], { dtype, value: literalValue(emitter, op, literal, dtype) })
}

/** `node` as a tile of `shape`; the shapes must be known to fit. */
export function expandTo(emitter: Emitter, node: TileNode, shape: readonly number[]): TileNode {
  const from = tileType(node).shape
  if (from.length === shape.length && from.every((size, d) => size === shape[d])) return node
  return emitter.emit('broadcast', [node], { shape })
}

export function castTo(emitter: Emitter, node: TileNode, to: Dtype): TileNode {
  return tileType(node).dtype === to ? node : emitter.emit('cast', [node], { to })
}

/** Narrow floats are storage formats: they are computed as f32. */
export const widen = (emitter: Emitter, node: TileNode): TileNode =>
  castTo(emitter, node, computeDtype(tileType(node).dtype))

/** The shape that all operands broadcast to, by numpy's rules. Throws KernelError. */
export function broadcastShape(emitter: Emitter, op: string, types: readonly TileType[]): readonly number[] {
  const rank = Math.max(0, ...types.map(type => type.shape.length))
  const shape = new Array<number>(rank).fill(1)
  for (const type of types) {
    for (const [d, size] of type.shape.entries()) {
      const at = rank - type.shape.length + d
      if (shape[at] === 1) shape[at] = size
      else if (size !== 1 && size !== shape[at]) {
        emitter.fail(
          `${op}: shapes ${types.map(t => `[${t.shape.join(', ')}]`).join(' and ')} do not broadcast (axis ${at}: ${shape[at]} ≠ ${size})`,
          'sizes must be equal or 1; .expandDims(axis) adds an axis of size 1 where you mean it',
        )
      }
    }
  }
  return shape
}

/** Operands (literals and nodes) as nodes of one dtype and shape. Throws KernelError when that is impossible. */
export function unify(emitter: Emitter, op: string, operands: readonly (Literal | TileNode)[]): TileNode[] {
  const nodes = sameDtype(emitter, op, operands)
  const shape = broadcastShape(emitter, op, nodes.map(tileType))
  return nodes.map(node => expandTo(emitter, node, shape))
}

function sameDtype(emitter: Emitter, op: string, operands: readonly (Literal | TileNode)[]): TileNode[] {
  const widened = operands.map(operand => (isLiteral(operand) ? operand : widen(emitter, operand)))
  const tiles = widened.filter(isNode)
  const [first] = tiles
  if (first === undefined) {
    return emitter.fail(
      `${op}: all operands are literals, so no dtype is known`,
      `write t.const(value, 'f32') for one of them`,
    )
  }
  const { dtype } = tileType(first)
  for (const tile of tiles) {
    if (tileType(tile).dtype !== dtype) {
      const original = operands.filter(isNode).map(operand => printType(operand.type))
      emitter.fail(`${op}: operands are ${original.join(' and ')}`, mixingFix(dtype, tileType(tile).dtype))
    }
  }
  return widened.map(operand => (isLiteral(operand) ? literalNode(emitter, op, operand, dtype) : operand))
}

function mixingFix(a: Dtype, b: Dtype): string {
  const wider = dtypes[a].bits >= dtypes[b].bits ? a : b
  const to = isFloat(a) ? (isFloat(b) ? wider : a) : isFloat(b) ? b : a === 'bool' ? b : b === 'bool' ? a : wider
  return `kernels do not convert silently: bring both to one dtype, for example with .to('${to}')`
}

/** Applies a row of the scalar table to operands, with all conversions above. Throws KernelError. */
export function applyScalarOp(emitter: Emitter, fn: ScalarOpName, operands: readonly (Literal | TileNode)[]): TileNode {
  const { arity } = scalarOp(fn)
  if (operands.length !== arity)
    emitter.fail(
      `${fn}: ${operands.length} operand${operands.length === 1 ? '' : 's'}`,
      `it takes ${arity}${arity > 1 ? ', the tile itself among them' : ': the tile itself'}`,
    )
  if (fn === 'where') return emitWhere(emitter, operands)
  const nodes = unify(emitter, fn, operands)
  const { dtype } = tileType(nodes[0]!)
  if (!accepts(fn, dtype)) emitter.fail(`${fn}: not defined on ${dtype}`, domainFix(fn, dtype))
  const { bounds } = emitter
  const isOrder = fn === 'lt' || fn === 'le' || fn === 'gt' || fn === 'ge'
  return emitter.emit('map', isOrder && bounds ? nodes.map(node => bounds.opaque(emitter, node)) : nodes, { fn })
}

function domainFix(fn: ScalarOpName, dtype: Dtype): string {
  if (fn === 'div' && isInteger(dtype)) return `use floorDiv or truncDiv, or convert with .to('f32') first`
  const { domain } = scalarOp(fn)
  if (domain === 'float') return `convert with .to('f32') first`
  if (domain === 'number') return `convert with .to('i32') first`
  return domain === 'integer' && dtype === 'bool'
    ? `convert with .to('i32') first`
    : 'compare first, or convert to an integer'
}

function emitWhere(emitter: Emitter, [condition, a, b]: readonly (Literal | TileNode)[]): TileNode {
  const test = isLiteral(condition) ? literalNode(emitter, 'where', condition, 'bool') : condition!
  if (tileType(test).dtype !== 'bool') {
    emitter.fail(`where: the condition is ${printType(test.type)}, not bool`, 'compare first, for example .ne(0)')
  }
  const branches = sameDtype(emitter, 'where', [a!, b!])
  const all = [test, ...branches]
  const shape = broadcastShape(emitter, 'where', all.map(tileType))
  return emitter.emit(
    'map',
    all.map(node => expandTo(emitter, node, shape)),
    { fn: 'where' },
  )
}
