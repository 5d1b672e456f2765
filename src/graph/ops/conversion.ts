/** The same values in another dtype or in other memory. */
import type { Dtype } from '../../types/dtype.js'
import { castTo } from '../build.js'
import { hostCast } from '../host.js'
import type { GraphBuilder } from '../ir.js'
import { type HostTensor, type OpInput, op } from '../record.js'
import type { NoAttrs } from './arguments.js'
import { anyKept, asInput } from './texts.js'

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
    gradient: ({ outputGradients: [g] }) => [g!],
  })

export const conversionRecords = {
  to: op({
    name: 'to',
    summary: 'self in another dtype: floats are rounded, fractions cut off, anything but 0 is true.',
    category: 'pointwise',
    signature: 'self, dtype: dtype',
    shape: asInput,
    dtypes: { takes: 'any', gives: { words: 'dtype' } },
    results: null,
    build: (b: GraphBuilder, [input]: readonly OpInput[], { dtype }: ToAttrs) => [castTo(b, input!.node, dtype)],
    reference: ([input]: readonly HostTensor[], { dtype }: ToAttrs) => [hostCast(input!, dtype)],
    gradient: ({ outputGradients: [g] }) => [g!],
  }),
  clone: copying('clone', 'A copy of self in memory of its own, row by row.'),
  contiguous: copying('contiguous', 'self laid out row by row; a tensor that already is so needs no op.'),
}
