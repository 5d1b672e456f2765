/**
 * 8-bit floats are storage dtypes: ops that move, compare or convert elements take them, and so does matmul. All others
 * reject them, as in PyTorch: arithmetic with 3 significant bits is hardly ever intended.
 */
import { DtypeError } from '../../base/errors.js'
import { isFloat8 } from '../../types/dtype.js'
import { dtypeOf } from '../build.js'
import type { OpRecord } from '../record.js'

/** Beside views and creation ops. */
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

/** The records, changed so that those that do arithmetic reject 8-bit floats. */
export function refuseStored<R extends object>(records: R): R {
  return Object.fromEntries(Object.entries(records).map(([name, record]) => [name, refusing(record as OpRecord)])) as R
}
