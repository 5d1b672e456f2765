/** Top-k of each row. */
import { topkBlock, topkRow } from '../../kernels/topk.js'
import { dtypeOf, type LoopNode, nodesBehind, type TemplateNode } from '../../loop/ir.js'
import type { TensorDtype } from '../../types/dtype.js'
import type { AnchorNode } from '../groups/group.js'
import type { Grid } from '../tiling/grid.js'
import { rowOf, rowsOf, rowValues, storeRowResults } from './rows.js'
import { alone, type KernelContext, type Template } from './template.js'

type TopkParams = { readonly k: number; readonly largest: boolean }

export const topk: Template<Extract<AnchorNode, { op: 'topk' }>, TopkParams> = {
  operands: (_, map) => [map],
  reads: () => [],
  build(program, node, map) {
    const { k, largest, dim } = node.attrs
    const inputs = [program.value(node.inputs[0]!, map)]
    const stored = program.storedRows(dim)
    return program.template(node, { inputs, operands: [map], row: rowOf(program), stored, params: { k, largest } })
  },
  stages: alone(writeTopk),
}

function writeTopk({ writer }: KernelContext, { inputs, attrs }: TemplateNode<TopkParams>): Grid {
  const { k, largest } = attrs.params
  const [input] = inputs as [LoopNode]
  const row = writer.axes.reduced[0]!
  const rows = rowsOf(writer, topkBlock(typeof row.size === 'number' ? row.size : null))
  writer.viewLoads(nodesBehind(inputs))
  topkRow(writer.t, {
    dtype: dtypeOf(input) as TensorDtype,
    k,
    largest,
    length: writer.axisSize(row),
    block: rows.block,
    inOneBlock: typeof row.size === 'number' && row.size <= rows.block,
    load: start => rowValues(writer, rows, input, start, rows.block).reshape([rows.block]),
    store: (place, index) => storeRowResults(writer, rows, input, attrs.stored, k, place, index),
  })
  return rows.grid
}
