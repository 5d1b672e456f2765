/**
 * Samples of every op: inputs with layouts and the arguments that a user writes. The conformance tests of the interpreter,
 * of eager execution and of compiled code use this table.
 */
import type { RecordName } from '../../src/graph/ops/index.js'
import type { Sample } from './sample-kinds.js'
import { attentionSamples } from './samples-attention.js'
import { nnSamples } from './samples-nn.js'
import { otherSamples } from './samples-other.js'
import { pointwiseSamples } from './samples-pointwise.js'
import { productSamples } from './samples-products.js'
import { reductionSamples } from './samples-reduction.js'
import { spatialSamples } from './samples-spatial.js'
import { viewAndIndexSamples } from './samples-view.js'

export type { Sample } from './sample-kinds.js'

const table: Record<RecordName, () => readonly Sample[]> = {
  ...pointwiseSamples,
  ...reductionSamples,
  ...viewAndIndexSamples,
  ...otherSamples,
  ...productSamples,
  ...attentionSamples,
  ...spatialSamples,
  ...nnSamples,
}

/** The samples of an op. A record without samples fails the type checker. */
export const samplesFor = (name: RecordName): readonly Sample[] => table[name]()
