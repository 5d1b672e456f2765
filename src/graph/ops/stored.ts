/**
 * 8-bit floats are dtypes for storage: ops that move, compare or convert elements take them, and so do matrix products. All
 * others refuse them, as PyTorch's do: arithmetic in 3 bits is hardly ever what was meant.
 */
import { DtypeError } from '../../base/errors.js'
import { isFloat8 } from '../../types/dtype.js'
import { dtypeOf } from '../build.js'
import type { OpRecord } from '../record.js'

/** Besides views, and ops that make tensors of nothing. */
const takers: ReadonlySet<string> = new Set([
  ...['to', 'clone', 'contiguous', 'eq', 'ne', 'where', 'maskedFill'],
  ...['cat', 'stack', 'flip', 'roll', 'rot90', 'repeat', 'tile', 'repeatInterleave', 'pad'],
  ...['gather', 'indexSelect', 'take', 'takeAlongDim', 'embedding'],
  ...['scatter', 'indexCopy', 'indexFill', 'maskedScatter', 'selectScatter', 'sliceScatter'],
  ...['matmul', 'mm', 'bmm'],
])

export const takesStored = ({ name, category }: Pick<OpRecord, 'name' | 'category'>): boolean =>
  category === 'view' || category === 'creation' || takers.has(name)

function refusing(record: OpRecord): OpRecord {
  if (takesStored(record)) return record
  const build: OpRecord['build'] = (b, inputs, attrs) => {
    const dtype = inputs.map(({ node }) => dtypeOf(node)).find(isFloat8)
    if (dtype === undefined) return record.build(b, inputs, attrs)
    throw new DtypeError(`${record.name}: not defined on ${dtype}, which is stored and multiplied as matrices only`, {
      fix: "cast it first: x.to('f32')",
    })
  }
  return { ...record, build }
}

/** The records, of which those that do arithmetic refuse 8-bit floats. */
export function refuseStored<R extends object>(records: R): R {
  return Object.fromEntries(Object.entries(records).map(([name, record]) => [name, refusing(record as OpRecord)])) as R
}
