/** The samples of every op of `tegula/quant`, and large ones, of several tiles and blocks of K on a GPU. */
import { type GroupStrategy, groupStrategies } from '../../src/graph/ir.js'
import { float8Records } from '../../src/graph/ops/float8.js'
import { quantRecords } from '../../src/graph/ops/quantised.js'
import { raggedRecords } from '../../src/graph/ops/ragged.js'
import type { OpRecord } from '../../src/graph/record.js'
import type { Sample } from '../support/sample-kinds.js'
import { linearSamples, magnitudeSamples, scaleSamples } from './float8-samples.js'
import { argumentOf } from './operands.js'
import { duals, largeDuals, largeGroups, largePairs, pairs } from './product-cases.js'
import * as ragged from './ragged-samples.js'
import {
  dequantizeSamples,
  dualSamples,
  groupedSamples,
  layoutSamples,
  productSamples,
  quantizeSamples,
} from './samples.js'

export const quantTable = { ...quantRecords, ...raggedRecords, ...float8Records } as unknown as Readonly<
  Record<QuantName, OpRecord>
>
export type QuantName = keyof typeof quantRecords | keyof typeof raggedRecords | keyof typeof float8Records

/** An op without samples fails the type checker. */
export const quantSamples: Readonly<Record<QuantName, () => readonly Sample[]>> = {
  groupedMatmul: () => groupedSamples(groupStrategies),
  quantize: quantizeSamples,
  fakeQuantize: quantizeSamples,
  dequantize: dequantizeSamples,
  toBlocked: () => layoutSamples().to,
  fromBlocked: () => layoutSamples().from,
  scaledMatmul: productSamples,
  dualMatmul: dualSamples,
  raggedMatmul: () => [...ragged.endSamples(), ...ragged.formatSamples(), ...ragged.largeSamples()],
  raggedDualMatmul: ragged.dualSamples,
  groupedDepthMatmul: ragged.depthSamples,
  fp8Linear: linearSamples,
  largestMagnitude: magnitudeSamples,
  float8Scale: scaleSamples,
}

/** Where more is to be seen of an op than its own suite's samples show: each pair of operands, and whole tiles of them. */
export const moreQuantSamples: Readonly<Partial<Record<QuantName, () => readonly Sample[]>>> = {
  scaledMatmul: () => [...pairs, ...largePairs()].map(each => each.sample),
  dualMatmul: () => [...duals, ...largeDuals()].map(each => each.sample),
  groupedMatmul: () => groupStrategies.map(largeGroupedSample),
  raggedMatmul: ragged.tiledSamples,
}

function largeGroupedSample(strategy: GroupStrategy): Sample {
  const inputs: Sample['inputs'][number][] = []
  const groups = largeGroups().map(([a, b]) => {
    const [left, right] = [a, b].map(side => argumentOf(side, inputs.push(...side.parts) - side.parts.length))
    return { a: left, b: right, outDtype: 'f16' }
  })
  return { name: `${strategy}, many kinds`, inputs, args: [groups, strategy] }
}
