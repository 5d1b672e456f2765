/** Every op that users can call. Tensor methods, free functions, docs and the conformance suite derive from this table. */
import type { OpRecord } from '../record.js'

export type { SliceRange } from '../record.js'

import { activationRecords } from './activation.js'
import { arithmeticRecords } from './arithmetic.js'
import { attentionRecords } from './attention.js'
import { chainRecords } from './chains.js'
import { channelNormRecords } from './channel-norm.js'
import { channelRecords } from './channels.js'
import { choiceRecords } from './choice.js'
import { contractionRecords } from './contractions.js'
import { conversionRecords } from './conversion.js'
import { convolutionRecords } from './convolution.js'
import { covarianceRecords } from './covariance.js'
import { creationRecords } from './creation.js'
import { curveRecords } from './curves.js'
import { distanceRecords } from './distances.js'
import { embeddingBagRecords } from './embedding-bag.js'
import { foldingRecords } from './folding.js'
import { gridSampleRecords } from './grid-sample.js'
import { indexingRecords } from './indexing.js'
import { interpolationRecords } from './interpolation.js'
import { lossRecords } from './losses.js'
import { marginLossRecords } from './margin-losses.js'
import { mathRecords } from './math.js'
import { matmulRecords } from './matmul.js'
import { normalisationRecords } from './normalisation.js'
import { numericRecords } from './numeric.js'
import { orderStatisticsRecords } from './order-statistics.js'
import { partRecords } from './parts.js'
import { poolingRecords } from './pooling.js'
import { quantRecords } from './quantised.js'
import { rearrangeRecords } from './rearrange.js'
import { reductionRecords } from './reduction.js'
import { runningRecords } from './running.js'
import { samplingRecords } from './sampling.js'
import { scatteringRecords } from './scattering.js'
import { searchingRecords } from './searching.js'
import { shortFormRecords } from './short-forms.js'
import { sortingRecords } from './sorting.js'
import { specialRecords } from './special.js'
import { statisticsRecords } from './statistics.js'
import { refuseStored } from './stored.js'
import { transposedConvolutionRecords } from './transposed-convolution.js'
import { viewRecords } from './view.js'

export { countersUsed } from './creation.js'

export const records = refuseStored({
  ...arithmeticRecords,
  ...mathRecords,
  ...numericRecords,
  ...specialRecords,
  ...activationRecords,
  ...reductionRecords,
  ...statisticsRecords,
  ...covarianceRecords,
  ...curveRecords,
  ...runningRecords,
  ...orderStatisticsRecords,
  ...normalisationRecords,
  ...channelNormRecords,
  ...lossRecords,
  ...marginLossRecords,
  ...distanceRecords,
  ...viewRecords,
  ...rearrangeRecords,
  ...shortFormRecords,
  ...choiceRecords,
  ...indexingRecords,
  ...scatteringRecords,
  ...partRecords,
  ...embeddingBagRecords,
  ...sortingRecords,
  ...searchingRecords,
  ...matmulRecords,
  ...contractionRecords,
  ...chainRecords,
  ...attentionRecords,
  ...convolutionRecords,
  ...transposedConvolutionRecords,
  ...poolingRecords,
  ...foldingRecords,
  ...channelRecords,
  ...interpolationRecords,
  ...gridSampleRecords,
  ...conversionRecords,
  ...creationRecords,
  ...samplingRecords,
} as const)

export type Records = typeof records
export type RecordName = keyof Records

/** The table without the precise types: for code that treats all ops alike. */
export const recordTable: Readonly<Record<RecordName, OpRecord>> = records
export const recordNames = Object.keys(records) as readonly RecordName[]

/** Ops with a public name: the table's, and those of `tegula/quant`. */
export type OpName = RecordName | keyof typeof quantRecords
export const isOpName = (name: string): name is OpName =>
  Object.hasOwn(recordTable, name) || Object.hasOwn(quantRecords, name)

/** The record of an op by its name, or undefined. */
export const findRecord = (name: string): OpRecord | undefined =>
  Object.hasOwn(recordTable, name) ? recordTable[name as RecordName] : undefined
