/** Elements at a few positions of each row's order, found without sorting it: one program per row. */
import { NthSearch } from '../../kernels/nth.js'
import { keyDtype, orderKeys } from '../../kernels/order.js'
import { placeDtype } from '../../kernels/radix-sort.js'
import type { TemplateNode } from '../../loop/ir.js'
import { boundOf } from '../../scalar/size.js'
import { minBinned } from '../../tile/ir.js'
import type { TensorDtype } from '../../types/dtype.js'
import type { AnchorNode } from '../groups/group.js'
import { assignGrid, type Grid } from '../tiling/grid.js'
import type { KernelWriter } from '../tiling/writer.js'
import { rowMemory, workMemory, workRows } from './rows.js'
import { powerFrom } from './sort.js'
import type { StageContext, Template } from './template.js'

type NthParams = { readonly positions: number }
type NthNode = TemplateNode<NthParams>

/** Elements of a row at a time, of a row of known length and of another. */
const [mostAtOnce, atOnce] = [4096, 1024]

export const nth: Template<Extract<AnchorNode, { op: 'nth' }>, NthParams> = {
  operands: () => [],
  reads: ({ inputs }) => inputs,
  build(program, node) {
    const { dim, positions } = node.attrs
    const rows = [
      { input: 0, dim },
      { input: 1, dim },
    ]
    return program.template(node, {
      inputs: [],
      operands: [],
      rows,
      stored: program.storedRows(dim),
      params: { positions },
    })
  },
  stages: (kernel, node) => [{ suffix: '', write: writer => found(kernel, node, writer) }],
}

function found(kernel: StageContext, { attrs }: NthNode, writer: KernelWriter): Grid {
  const { t, axes } = writer
  const row = kernel.axes.reduced[0]!
  const { params, stored } = attrs
  const [from, wanted] = attrs.rows as readonly [(typeof attrs.rows)[number], (typeof attrs.rows)[number]]
  const { grid, offsets } = assignGrid(writer, axes.kept.toReversed(), new Map(axes.kept.map(axis => [axis, 1])))
  const dtype = from.dtype as TensorDtype
  const longest = boundOf(row.size)
  const input = rowMemory(writer, from, row.size, offsets)
  const positions = rowMemory(writer, wanted, params.positions, offsets)
  const keys = workMemory(writer, workRows(kernel, keyDtype(dtype), row.size, 'keys'), offsets)
  const order = workMemory(writer, workRows(kernel, placeDtype(longest), row.size, 'order'), offsets)
  const tile = typeof row.size !== 'number' ? atOnce : Math.min(mostAtOnce, powerFrom(minBinned, row.size))
  const search = new NthSearch(t, {
    row: {
      count: input.length,
      dtype: keyDtype(dtype),
      tile,
      keys: start => orderKeys(t, input.load(start, tile), dtype, true),
    },
    keep(places, values, index, isIn) {
      keys.scatter(places, values, isIn)
      order.scatter(places, index.to(placeDtype(longest)), isIn)
    },
    kept: start => ({
      keys: keys.load(t.const(0n, 'i64').add(start), tile),
      index: order.load(t.const(0n, 'i64').add(start), tile).to('i64'),
    }),
    indexOf: place => order.gather(place).to('i64'),
  })
  t.range(0, params.positions, 1, i => {
    const last = input.length.sub(1)
    const index = search.at(positions.gather(i).max(0).min(last))
    for (const rows of stored) {
      const result = rowMemory(writer, rows, params.positions, offsets)
      result.scatter(i, rows.item === 1 ? index : input.gather(index))
    }
  })
  return grid
}
