/** Top-k of each row. */
import { topkBlock, topkRow } from '../../kernels/topk.js'
import { dtypeOf, type LoopNode, nodesBehind } from '../../loop/ir.js'
import type { TensorDtype } from '../../types/dtype.js'
import type { AnchorNode } from '../groups/group.js'
import { rowOf, rowsOf, rowValues, storeRowResults } from './rows.js'
import type { Template, WriteTemplate } from './template.js'

export const topk: Template<Extract<AnchorNode, { op: 'topk' }>> = {
  operands: (_, map) => [map],
  reads: () => [],
  build(program, node, map) {
    const { k, largest, dim } = node.attrs
    const input = program.value(node.inputs[0]!, map)
    return program.make(node, 'topk', [input], { k, largest, row: rowOf(program), results: program.rowResults(dim) })
  },
}

export const writeTopk: WriteTemplate<'topk'> = ({ writer }, { inputs, attrs }) => {
  const [input] = inputs as [LoopNode]
  const row = writer.axes.reduced[0]!
  const rows = rowsOf(writer, topkBlock(typeof row.size === 'number' ? row.size : null))
  writer.viewLoads(nodesBehind(inputs))
  topkRow(writer.t, {
    dtype: dtypeOf(input) as TensorDtype,
    k: attrs.k,
    largest: attrs.largest,
    length: writer.axisSize(row),
    block: rows.block,
    inOneBlock: typeof row.size === 'number' && row.size <= rows.block,
    load: start => rowValues(writer, rows, input, start, rows.block).reshape([rows.block]),
    store: (place, index) => storeRowResults(writer, rows, input, attrs.results, attrs.k, place, index),
  })
  return rows.grid
}
