/** Values that control flow carries and returns, by name, checked against the initial types. */
import { KernelError } from '../../base/errors.js'
import { requireSynchronous } from '../../base/synchronous.js'
import { printType, type TileNode, type TileType, tileType } from '../ir.js'
import type { Emitter } from './emitter.js'
import { isLiteral, literalNode } from './operands.js'
import { describe, operandNode, type TileOperand, TileValue, ViewValue } from './value.js'

/** Values that control flow carries or returns, by name. */
export type Carried = { readonly [name: string]: TileValue }
/** A body's next values for carried values: literals take the carried value's dtype. */
export type Returned<C extends Carried> = { readonly [K in keyof C]: TileOperand }
export type Values<C extends { readonly [name: string]: TileOperand }> = { readonly [K in keyof C]: TileValue }

export function carriedNodes(emitter: Emitter, op: string, carried: Carried): TileNode[] {
  if (typeof carried !== 'object' || carried === null || Array.isArray(carried) || carried instanceof TileValue) {
    emitter.fail(`${op}: carried values are ${describe(carried)}`, 'give them names: { acc: t.zeros(shape, dtype) }')
  }
  return Object.entries(carried).map(([name, value]) => {
    const node = operandNode(emitter, `${op}: '${name}'`, value)
    if (!isLiteral(node)) return node
    return emitter.fail(`${op}: '${name}' is the literal ${node}, which has no dtype`, `write t.const(${node}, 'f32')`)
  })
}

/**
 * The object of named values that a control-flow callback returned; undefined if it returned nothing of use. Throws
 * KernelError for a tile without a name, and for a promise.
 */
export function returnedObject(emitter: Emitter, op: string, returned: unknown): Returned<Carried> | undefined {
  const { name } = emitter.options
  requireSynchronous(
    returned,
    what => new KernelError(`${name}: ${op}: the function returned ${what}`, { fix: 'make it a plain function' }),
  )
  if (returned instanceof TileValue)
    emitter.fail(`${op}: the function returns ${returned} without a name`, 'return an object: { value }')
  // An arrow function may return something by accident, such as the new length of a list that it pushed to.
  return typeof returned === 'object' && returned !== null && !(returned instanceof ViewValue)
    ? (returned as Returned<Carried>)
    : undefined
}

/** The values that a body returned for carried values, checked against their types. */
export function returnedNodes<C extends Carried>(
  emitter: Emitter,
  op: string,
  carried: C,
  returned: Returned<C>,
): TileNode[] {
  const names = Object.keys(carried)
  const object = returnedObject(emitter, op, returned)
  const given = Object.keys(object ?? {})
  const extra = given.find(name => !names.includes(name))
  if (extra !== undefined) {
    emitter.fail(
      `${op}: the body gives '${extra}', which is not carried`,
      `carry ${names.length === 0 ? 'it' : `it too, or give only ${names.join(', ')}`}`,
    )
  }
  return names.map(name => {
    const value = object?.[name]
    if (value === undefined) emitter.fail(`${op}: the body does not give '${name}'`, `return { ${names.join(', ')} }`)
    return sameTypeNode(
      emitter,
      op,
      name,
      { kind: 'tile', dtype: carried[name]!.dtype, shape: carried[name]!.shape },
      value!,
    )
  })
}

function sameTypeNode(emitter: Emitter, op: string, name: string, type: TileType, value: TileOperand): TileNode {
  const operand = operandNode(emitter, `${op}: '${name}'`, value)
  const node = isLiteral(operand) ? literalNode(emitter, `${op}: '${name}'`, operand, type.dtype) : operand
  if (printType(node.type) !== printType(type)) {
    const fix =
      tileType(node).dtype === type.dtype
        ? 'keep its shape, for example with .reshape or .broadcastTo'
        : `convert it with .to('${type.dtype}')`
    emitter.fail(`${op}: '${name}' is ${printType(type)} and becomes ${printType(node.type)}`, fix)
  }
  return node
}

export function otherNodes<C extends Carried>(
  emitter: Emitter,
  values: C | undefined,
  returned: Returned<C> | undefined,
): TileNode[] {
  if (values !== undefined && returned === undefined) {
    emitter.fail(
      `if: only one branch gives values (${Object.keys(values).join(', ')})`,
      'give the same names from both, or from none',
    )
  }
  if (values === undefined) {
    if (returned !== undefined)
      emitter.fail(
        `if: only the other branch gives values (${Object.keys(returned).join(', ')})`,
        'give the same names from both, or from none',
      )
    return []
  }
  return returnedNodes(emitter, 'if', values, returned!)
}

export function conditionNode(emitter: Emitter, op: string, condition: TileOperand): TileNode {
  const operand = operandNode(emitter, op, condition)
  const node = isLiteral(operand) ? literalNode(emitter, op, operand, 'bool') : operand
  if (printType(node.type) !== 'bool') {
    const fix =
      tileType(node).shape.length > 0
        ? 'reduce it with .any() or .all(), or use t.where for a choice per element'
        : 'compare, for example .ne(0)'
    emitter.fail(`${op}: the condition is ${printType(node.type)}, not a bool scalar`, fix)
  }
  return node
}
