/** Helpers of the `simplify` rules: queries of constants, splats and dtypes, and node constructors. */
import type { Builder } from '../../ir/builder.js'
import { type ScalarOpName, type Value, wrapValue } from '../../scalar/ops.js'
import { type Dtype, dtypes } from '../../types/dtype.js'
import { type TileNode, tileType } from '../ir.js'

export type TileBuild = Builder<TileNode>
export type MapNode = Extract<TileNode, { op: 'map' }>

export const shapeOf = (node: TileNode): readonly number[] => tileType(node).shape
export const dtypeOf = (node: TileNode): Dtype => tileType(node).dtype
export const isInt = (dtype: Dtype): boolean => dtypes[dtype].kind === 'int' || dtypes[dtype].kind === 'uint'

export const sameShape = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((size, d) => size === b[d])

/** The value of every element of the node, if it is a constant. */
export function splatValue(node: TileNode): Value | undefined {
  let top = node
  while (top.op === 'broadcast' || top.op === 'reshape' || top.op === 'transpose') top = top.inputs[0]!
  return top.op === 'const' ? top.attrs.value : undefined
}

/** splatValue of an integer or bool node, as a bigint. */
export function integerSplat(node: TileNode): bigint | undefined {
  const value = splatValue(node)
  return value === undefined || dtypes[dtypeOf(node)].kind === 'float' ? undefined : BigInt(value)
}

/** A tile of `shape` filled with one value. */
export function splat(build: TileBuild, dtype: Dtype, value: Value, shape: readonly number[]): TileNode {
  const scalar = build.node('const', [], { dtype, value })
  return shape.length === 0 ? scalar : build.node('broadcast', [scalar], { shape })
}

/** A tile of integers like `node`, wrapped to its dtype. */
export const integerLike = (build: TileBuild, node: TileNode, value: bigint): TileNode =>
  splat(build, dtypeOf(node), wrapValue(dtypeOf(node), value), shapeOf(node))

/** A scalar op on nodes of one type. */
export const map = (build: TileBuild, fn: ScalarOpName, ...inputs: readonly TileNode[]): TileNode =>
  build.node('map', inputs, { fn })

/** True when `node` is the map `fn`. */
export const isMap = (node: TileNode, fn: ScalarOpName): node is MapNode => node.op === 'map' && node.attrs.fn === fn

export const reshape = (build: TileBuild, node: TileNode, shape: readonly number[]): TileNode =>
  sameShape(shapeOf(node), shape) ? node : build.node('reshape', [node], { shape })
