/**
 * Small-M GEMMs: a tensor-core instruction has 16 rows but 8 columns, so `a · b` with fewer than 16 rows is computed as
 * `(bᵀ · aᵀ)ᵀ` (swap A/B). Transposes only rename index bits, so no data moves.
 */
import type { Builder } from '../../ir/builder.js'
import { type Rule, rewrite } from '../../ir/rewrite.js'
import { type DotAttrs, type TileNode, type TileProgram, tileDialect, tileType } from '../../tile/ir.js'
import { mmaRows, onMatrixUnit } from './dot-layouts.js'
import { bitsOf } from './layout.js'

const transposed = (node: TileNode, builder: Builder<TileNode>): TileNode =>
  node.op === 'transpose' && node.attrs.permutation[0] === 1
    ? node.inputs[0]!
    : builder.node('transpose', [node], { permutation: [1, 0] })

const transposedAttrs = ({ codes, ...attrs }: DotAttrs): DotAttrs =>
  codes === undefined ? attrs : { ...attrs, codes: [codes[1], codes[0]] }

const swapOperands: Rule<TileNode> = {
  name: 'transpose small M',
  ops: ['dot'],
  apply(node, builder) {
    if (node.op !== 'dot') return null
    const [a, b, acc] = node.inputs as [TileNode, TileNode, TileNode]
    const [rows, columns] = tileType(node).shape as [number, number]
    const isFew = bitsOf(rows) < bitsOf(mmaRows) && bitsOf(columns) >= bitsOf(mmaRows)
    if (!isFew || !onMatrixUnit(node)) return null
    const inputs = [transposed(b, builder), transposed(a, builder), transposed(acc, builder)]
    return transposed(builder.node('dot', inputs, transposedAttrs(node.attrs)), builder)
  },
}

/** Swaps the operands of dots with few rows (computes the transposed product), because mma needs 16 rows but 8 columns. */
export function transposeSmallM(program: TileProgram): TileProgram {
  const { root } = rewrite(tileDialect, program.body, [swapOperands], 'small M')
  return { ...program, body: root }
}
