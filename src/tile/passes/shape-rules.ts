/** Rules on shapes, on sizes that are constants of the kernel, and on values that control flow passes on unchanged. */
import type { Rule } from '../../ir/rewrite.js'
import { isArgReduction } from '../../scalar/ops.js'
import { isFloat } from '../../types/dtype.js'
import { type TileBlock, type TileNode, viewType } from '../ir.js'
import { dtypeOf, reshape, sameShape, shapeOf, splat, splatValue } from './patterns.js'

/** broadcast, reshape and transpose that do nothing, compose with another, or apply to a constant. */
const move: Rule<TileNode> = {
  name: 'shape of shape',
  ops: ['broadcast', 'reshape', 'transpose'],
  apply(node, build) {
    const [inner] = node.inputs as [TileNode]
    const shape = shapeOf(node)
    const value = splatValue(node)
    if (value !== undefined) {
      const plain = splat(build, dtypeOf(node), value, shape)
      return plain === node ? null : plain
    }
    if (node.op === 'transpose') {
      const { permutation } = node.attrs
      if (permutation.every((axis, d) => axis === d)) return inner
      if (inner.op !== 'transpose') return null
      const both = permutation.map(d => inner.attrs.permutation[d]!)
      return build.node('transpose', inner.inputs, { permutation: both })
    }
    if (sameShape(shapeOf(inner), shape)) return inner
    if (inner.op !== node.op) return null
    return node.op === 'broadcast'
      ? build.node('broadcast', inner.inputs, { shape })
      : build.node('reshape', inner.inputs, { shape })
  },
}

const iota: Rule<TileNode> = {
  name: 'iota of one',
  ops: ['iota'],
  apply(node, build) {
    if (node.op !== 'iota' || node.attrs.length !== 1) return null
    return splat(build, node.attrs.dtype, node.attrs.dtype === 'i64' ? 0n : 0, [1])
  },
}

const extent: Rule<TileNode> = {
  name: 'known size',
  ops: ['size', 'stride'],
  apply(node, build) {
    if (node.op !== 'size' && node.op !== 'stride') return null
    const type = viewType(node.inputs[0]!)
    const known = (node.op === 'size' ? type.sizes : type.strides)[node.attrs.dim]
    return typeof known === 'number' ? splat(build, 'i64', BigInt(known), []) : null
  },
}

/** Reduction of an axis of size 1. A float sum starts from 0 and turns −0 into 0, so it stays unless it follows another sum. */
const reduceOne: Rule<TileNode> = {
  name: 'reduce of one',
  ops: ['reduce'],
  apply(node, build) {
    if (node.op !== 'reduce') return null
    const [inner] = node.inputs as [TileNode]
    const { fn, axis } = node.attrs
    if (shapeOf(inner)[axis] !== 1) return null
    if (isArgReduction(fn)) return splat(build, 'i64', 0n, shapeOf(node))
    if (fn === 'add' && isFloat(dtypeOf(inner)) && !isSum(inner)) return null
    return reshape(build, inner, shapeOf(node))
  },
}

const isSum = (node: TileNode): boolean =>
  node.op === 'reshape' ? isSum(node.inputs[0]!) : node.op === 'reduce' && node.attrs.fn === 'add'

const scanOne: Rule<TileNode> = {
  name: 'scan of one',
  ops: ['scan'],
  apply(node) {
    return node.op === 'scan' && shapeOf(node)[node.attrs.axis] === 1 ? node.inputs[0]! : null
  },
}

/** Replaces a value that a loop carries unchanged by its initial value. */
const unchanged: Rule<TileNode> = {
  name: 'unchanged carried value',
  ops: ['item'],
  apply(node) {
    if (node.op !== 'item') return null
    const [owner] = node.inputs as [TileNode]
    const { index } = node.attrs
    if (owner.op === 'range') {
      const [block] = owner.blocks as [TileBlock]
      return block.results[index] === block.params[index + 1] ? owner.inputs[index + 3]! : null
    }
    if (owner.op === 'while') {
      const block = owner.blocks[1] as TileBlock
      return block.results[index] === block.params[index] ? owner.inputs[index]! : null
    }
    // A result that both branches return is visible in both, so it was computed before them, or floats.
    if (owner.op !== 'if') return null
    const [then, otherwise] = owner.blocks as [TileBlock, TileBlock]
    return then.results[index] === otherwise.results[index] ? then.results[index]! : null
  },
}

export const shapeRules: readonly Rule<TileNode>[] = [move, iota, extent, reduceOne, scanOne, unchanged]
