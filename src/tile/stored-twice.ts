/**
 * Detects before a launch that two programs certainly store to the same element: for stores that every program executes
 * (outside of loops and branches) at offsets made of program ids, sizes and integers. Null: no such pair was found.
 */
import type { KernelError } from '../base/errors.js'
import { castValue, evaluate } from '../scalar/ops.js'
import { isInteger } from '../types/dtype.js'
import { idOf, storedTwice } from './interpreter/owners.js'
import { type Parameter, storeEnds, type TileNode, type TileProgram, tileType } from './ir.js'

export interface LaunchFacts {
  /** By parameter: a view's sizes and strides, or a scalar. */
  readonly args: readonly (
    | { readonly shape: readonly number[]; readonly strides: readonly number[] }
    | number
    | bigint
    | boolean
  )[]
  /** Three sizes. */
  readonly grid: readonly number[]
}

/** The error for two neighbours in the grid that store to one element; null if none is found. */
export function provenConflict({ name, params, body }: TileProgram, facts: LaunchFacts): KernelError | null {
  for (const node of body.body) {
    if (node.op !== 'store' || storeEnds(node) !== null) continue
    const first = boxOf(node, [0, 0, 0], facts)
    if (first === null) continue
    for (const axis of [0, 1, 2]) {
      if ((facts.grid[axis] ?? 1) <= 1) continue
      const id = [0, 0, 0].with(axis, 1)
      const common = intersection(first, boxOf(node, id, facts))
      if (common === null) continue
      const program = axis === 0 ? 1 : axis === 1 ? facts.grid[0]! : facts.grid[0]! * facts.grid[1]!
      const element = `${paramOf(node, params).name}[${common.join(', ')}]`
      return storedTwice(name, element, [idOf(0, facts.grid), idOf(program, facts.grid)], node.origin.at)
    }
  }
  return null
}

type Box = readonly (readonly [low: bigint, high: bigint])[]

const paramOf = (store: TileNode, params: readonly Parameter[]): Parameter =>
  params[(store.inputs[0] as Extract<TileNode, { op: 'view' }>).attrs.index]!

/** The elements of its view that a program stores to; null: not known. */
function boxOf(store: TileNode, id: readonly number[], facts: LaunchFacts): Box | null {
  const { index } = (store.inputs[0] as Extract<TileNode, { op: 'view' }>).attrs
  const view = facts.args[index]
  if (typeof view !== 'object') return null
  const { shape } = tileType(store.inputs.at(-1)!)
  const box: (readonly [bigint, bigint])[] = []
  for (const [d, size] of view.shape.entries()) {
    const offset = integerOf(store.inputs[1 + d]!, id, facts)
    if (offset === null) return null
    const end = offset + BigInt(shape[d]!)
    box.push([offset > 0n ? offset : 0n, end < BigInt(size) ? end : BigInt(size)])
  }
  return box
}

/** The first element that is in both boxes. */
function intersection(a: Box, b: Box | null): bigint[] | null {
  if (b === null) return null
  const common: bigint[] = []
  for (const [d, [low, high]] of a.entries()) {
    const [otherLow, otherHigh] = b[d]!
    const from = low > otherLow ? low : otherLow
    if (from >= (high < otherHigh ? high : otherHigh)) return null
    common.push(from)
  }
  return common
}

/** The value of an integer scalar in program `id`; null: it depends on more than the launch. */
function integerOf(node: TileNode, id: readonly number[], facts: LaunchFacts): bigint | null {
  if (node.type.kind !== 'tile' || node.type.shape.length > 0 || !isInteger(node.type.dtype)) return null
  switch (node.op) {
    case 'const':
      return BigInt(node.attrs.value)
    case 'programId':
      return BigInt(id[node.attrs.axis]!)
    case 'numPrograms':
      return BigInt(facts.grid[node.attrs.axis] ?? 1)
    case 'scalar':
      return BigInt(facts.args[node.attrs.index] as number | bigint)
    case 'size':
    case 'stride': {
      const view = node.inputs[0]!
      const arg = view.op === 'view' ? facts.args[view.attrs.index] : undefined
      if (typeof arg !== 'object') return null
      return BigInt((node.op === 'size' ? arg.shape : arg.strides)[node.attrs.dim]!)
    }
    case 'cast': {
      const value = integerOf(node.inputs[0]!, id, facts)
      return value === null ? null : BigInt(castValue('i64', node.attrs.to, value))
    }
    case 'map': {
      const { dtype } = node.type
      const operands: (bigint | number)[] = []
      for (const input of node.inputs) {
        const value = tileType(input).dtype === dtype ? integerOf(input, id, facts) : null
        if (value === null) return null
        operands.push(dtype === 'i64' ? value : Number(value))
      }
      return BigInt(evaluate(node.attrs.fn, dtype, operands))
    }
    default:
      return null
  }
}
