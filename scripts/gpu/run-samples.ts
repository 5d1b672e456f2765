/**
 * Runs all samples of a share of the ops, including `tegula/quant`, compiled on the GPU; samples of one op are compiled as one
 * function. Also captures grouped matmuls in a CUDA graph, and launches some user kernels. Checks that results can be read.
 * Run under compute-sanitizer by `test.ts`.
 * Arguments: the file for the outcome, the share, the number of shares, seconds, the tool.
 */

import { writeFileSync } from 'node:fs'
import { versionsOf } from '../../src/compile/compile.js'
import { VersionedRunner } from '../../src/compile/execute/versions.js'
import { type RecordName, recordNames, recordTable } from '../../src/graph/ops/index.js'
import type { OpRecord } from '../../src/graph/record.js'
import {
  captureGraph,
  compile,
  setDefaultDevice,
  synchronize,
  type Tensor,
  tensor,
  zerosLike,
} from '../../src/index.js'
import { cudaDevice } from '../../src/runtime/cuda/device.js'
import { applyOp } from '../../src/tensor/dispatch.js'
import { moreQuantSamples, type QuantName, quantSamples, quantTable } from '../../tests/quant/all-samples.js'
import { accumulate, evens, scale } from '../../tests/support/kernels.js'
import { type Sample, samplesFor } from '../../tests/support/samples.js'
import { largeAttentionSamples } from '../../tests/support/samples-attention.js'
import { bindArguments } from '../../tests/support/tensor-spec.js'
import { tensorOn } from '../../tests/support/tensors.js'
import type { ShareOutcome } from './sanitize.js'

const [file, share, shares, seconds, tool] = process.argv.slice(2) as [string, string, string, string, string]
const end = Date.now() + Number(seconds) * 1000
setDefaultDevice('cuda')

/** Samples of an op that are compiled together. */
interface Batch {
  readonly record: OpRecord
  /** Creates the samples lazily, because most belong to other shares. */
  readonly samples: () => readonly Sample[]
}

/** Ops whose threads exchange data through shared memory: racecheck needs them first. */
const exchanging = new Set(['reduction', 'matmul', 'normalisation', 'sorting', 'index'])
const isLate = ({ record: { category } }: Batch): boolean => tool === 'racecheck' && !exchanging.has(category)

const isPlaced = ({ inputs }: Sample): boolean =>
  inputs.every(({ strides }) => strides?.every(each => each >= 0) ?? true)
const samplesOf = (name: RecordName): readonly Sample[] => samplesFor(name).filter(isPlaced)

const batchSize = 8

/** Splits a list into batches: matmuls take long, so that they are spread over several processes. */
const batchesOf = (record: OpRecord, all: readonly Sample[]): Batch[] =>
  Array.from({ length: Math.ceil(all.length / batchSize) }, (_, i) => ({
    record,
    samples: () => all.slice(i * batchSize, (i + 1) * batchSize),
  }))

const batches: readonly Batch[] = [
  ...(Object.keys(quantSamples) as QuantName[]).flatMap(name =>
    batchesOf(quantTable[name], [...quantSamples[name](), ...(moreQuantSamples[name]?.() ?? [])]),
  ),
  ...batchesOf(recordTable.scaledDotProductAttention, largeAttentionSamples()),
  ...recordNames.map(name => ({ record: recordTable[name], samples: () => samplesOf(name) })),
]

const outcome = { samples: 0, kernels: 0, left: 0, errors: [] as string[] }

function attempt(what: string, run: () => void): void {
  try {
    run()
    synchronize()
  } catch (error) {
    outcome.errors.push(`${what}: ${error instanceof Error ? error.stack : error}`.slice(0, 2000))
  }
}

function runBatch(record: OpRecord, samples: readonly Sample[]): void {
  const inputs = samples.map(sample => sample.inputs.map(spec => tensorOn('cuda', spec)))
  const call = (sample: Sample, given: readonly Tensor[]): readonly Tensor[] =>
    applyOp(
      record,
      bindArguments(sample.args, i => given[i]),
    )
  const all = compile((given: Tensor[][]) => samples.map((sample, i) => call(sample, given[i]!)))
  const read = (results: readonly (readonly Tensor[])[]): void => {
    for (const each of results) for (const result of each) result.dataSync()
  }
  read(all(inputs))
  // The branches of a graph, and a tile counter that each replay resets.
  if (record === quantTable.groupedMatmul) {
    const graph = captureGraph(() => all(inputs))
    for (let round = 0; round < 2; round++) read(graph.replay())
  }
  const [entry] = versionsOf(all)?.entries ?? []
  if (entry?.runner instanceof VersionedRunner) outcome.kernels += entry.runner.artifact.kernels.length
}

const own = batches
  .filter((_, i) => i % Number(shares) === Number(share))
  .sort((a, b) => Number(isLate(a)) - Number(isLate(b)))
for (const { record, samples: make } of own) {
  const samples = make()
  if (Date.now() > end || cudaDevice().context.lost !== null) {
    outcome.left += samples.length
    continue
  }
  attempt(record.name, () => runBatch(record, samples))
  outcome.samples += samples.length
}
if (share === '0') {
  attempt('kernels of people', () => {
    const x = tensor(Array.from({ length: 1000 }, (_, i) => i))
    const out = zerosLike(x)
    scale.launch({ x, out, factor: 2 })
    accumulate.launch({ x, acc: out })
    evens.launch({ x, out })
    out.dataSync()
  })
}
writeFileSync(file, JSON.stringify(outcome satisfies ShareOutcome))
