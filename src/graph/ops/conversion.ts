/** The same values in another dtype or in other memory. */
import { DtypeError } from '../../base/errors.js'
import { bitcastValue } from '../../scalar/folds.js'
import { type Dtype, dtypes } from '../../types/dtype.js'
import { bitcastTo, castTo, dtypeOf } from '../build.js'
import { hostCast } from '../host.js'
import type { GraphBuilder } from '../ir.js'
import { type HostTensor, type OpInput, op } from '../record.js'
import type { NoAttrs } from './arguments.js'
import { anyKept, asInput } from './texts.js'
import { view } from './view-record.js'

type ToAttrs = { readonly dtype: Dtype }

const copying = (name: 'clone' | 'contiguous', summary: string) =>
  op({
    name,
    summary,
    category: 'pointwise',
    signature: 'self',
    shape: asInput,
    dtypes: anyKept,
    results: null,
    build: (b: GraphBuilder, [input]: readonly OpInput[]) => [b.node('copy', [input!.node], {} as NoAttrs)],
    reference: ([input]: readonly HostTensor[]) => [input!],
  })

/** Reinterprets the bits of every element as another dtype of the same width. */
const bitcast = view({
  name: 'bitcast',
  summary: 'The same bits as another dtype of the same width; x.view(dtype) calls it.',
  signature: 'self, dtype: dtype',
  shape: asInput,
  details: { dtype: 'the dtype of the result' },
  dtypes: { takes: 'any', gives: { words: 'dtype' } },
  errors: { DtypeError: 'when the dtypes differ in width, or one is bool' },
  note: 'A view.',
  build: (b, node, { dtype }) => {
    requireOneWidth(dtypeOf(node), dtype)
    return bitcastTo(b, node, dtype)
  },
  reference: (input, { dtype }) => ({
    ...input,
    dtype,
    data: input.data.map(value => bitcastValue(input.dtype, dtype, value)),
  }),
  gradient: 'none',
})

/** Throws DtypeError unless the two dtypes have one width. */
function requireOneWidth(from: Dtype, to: Dtype): void {
  const what = `view: ${from} as ${to}`
  if (from === to) return
  if (from === 'bool' || to === 'bool')
    throw new DtypeError(`${what}: the bits of bool are its own`, { fix: `convert it: x.to('${to}')` })
  const [own, asked] = [from, to].map(dtype => dtypes[dtype].bits)
  if (own !== asked)
    throw new DtypeError(`${what}: ${own} bits are not ${asked}`, {
      fix: `use a dtype of ${own} bits, or x.to('${to}')`,
    })
}

export const conversionRecords = {
  bitcast,
  to: op({
    name: 'to',
    summary:
      'self converted to dtype: to a narrower float rounded to nearest, to integers truncated; to bool anything but 0 is true.',
    category: 'pointwise',
    signature: 'self, dtype: dtype',
    shape: asInput,
    dtypes: { takes: 'any', gives: { words: 'dtype' } },
    results: null,
    build: (b: GraphBuilder, [input]: readonly OpInput[], { dtype }: ToAttrs) => [castTo(b, input!.node, dtype)],
    reference: ([input]: readonly HostTensor[], { dtype }: ToAttrs) => [hostCast(input!, dtype)],
  }),
  clone: copying('clone', 'A copy of self in its own contiguous memory (row-major).'),
  contiguous: copying(
    'contiguous',
    'self in contiguous (row-major) memory; a tensor that is contiguous already is returned as it is.',
  ),
}
