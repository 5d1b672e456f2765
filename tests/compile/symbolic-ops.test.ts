/**
 * Every op on sizes that stay symbolic: a version that is captured under `dynamic` at one size of a dim fits calls at other
 * sizes, and gives what the reference gives there. Where an op must know a size, the table says which, and why.
 */
import { describe, expect, it } from 'vitest'
import { type Capture, captureFunction } from '../../src/compile/capture/capture.js'
import { interpretGraph } from '../../src/graph/interpret.js'
import { type RecordName, recordNames, recordTable } from '../../src/graph/ops/index.js'
import type { OpRecord } from '../../src/graph/record.js'
import { compile, convTranspose2d, rand, type Tensor } from '../../src/index.js'
import { applyOp } from '../../src/tensor/dispatch.js'
import { difference, toleranceFor } from '../support/compare.js'
import { type Growth, growthsOf, type Place } from '../support/growing.js'
import { expectedResults, hostOf } from '../support/record-graph.js'
import { fewSamples, isQuick, quickly } from '../support/sample-choice.js'
import { type Sample, samplesFor } from '../support/samples.js'
import { bindArguments, count } from '../support/tensor-spec.js'
import { tensorOf } from '../support/tensors.js'

interface Exception {
  readonly reason: string
  /** Whether a growth of these dims, of a sample's call, may need a version of its own. */
  readonly needs: (places: readonly Place[], sample: Sample) => boolean
}

const anywhere = (): boolean => true
const ofInput =
  (input: number): Exception['needs'] =>
  places =>
    places.some(place => place.input === input)

const weight: Exception = { reason: "the weight's sizes are those of the windows", needs: ofInput(1) }

const attention: Exception = {
  reason: 'the last dims are the depth of its tiles and the scale; groups of heads divide',
  needs: (places, { inputs, args }) =>
    JSON.stringify(args, (_, value: unknown) => (typeof value === 'bigint' ? 0 : value)).includes('enableGqa') ||
    places.some(({ input, dim }) => input < 3 && dim === inputs[input]!.shape.length - 1),
}

const exceptions: Partial<Record<RecordName, Exception>> = {
  conv1d: weight,
  conv2d: weight,
  conv3d: weight,
  convTranspose1d: weight,
  convTranspose2d: weight,
  convTranspose3d: weight,
  diff: { reason: 'a dim shorter than n has as many steps as elements', needs: anywhere },
  searchsorted: { reason: 'its steps are halved: a version for each power of 2', needs: ofInput(0) },
  isin: {
    reason: 'few test elements are compared with, many are searched, in steps that are halved',
    needs: ofInput(1),
  },
  bucketize: { reason: 'its steps are halved: a version for each power of 2', needs: ofInput(1) },
  embeddingBag: { reason: 'it searches its offsets: a version for each power of 2', needs: ofInput(2) },
  scaledDotProductAttention: attention,
  attentionDropout: attention,
  attentionLse: attention,
}

/** Sequences that must be sorted do not grow by repetition. */
const sortedInputs: Partial<Record<RecordName, number>> = { searchsorted: 0, bucketize: 1, embeddingBag: 2 }

/** Enough for every way that a size enters an op; the reference is slow. */
const [maxSamples, maxElements] = [8, 400]

const keyOf = (places: readonly Place[]): string => places.map(({ input, dim }) => `${input}:${dim}`).join(' ')

/** The version that `compile` makes with every size symbolic that need not be known. */
function capturedDynamic(record: OpRecord, sample: Sample): Capture {
  const known = new Set<string>()
  const fn = (...tensors: Tensor[]): readonly Tensor[] =>
    applyOp(
      record,
      bindArguments(sample.args, i => tensors[i]),
    )
  for (;;) {
    const { capture, pinned } = captureFunction(fn as never, sample.inputs.map(tensorOf), {
      name: record.name,
      fullgraph: true,
      isDynamic: (path, dim) => !known.has(`${path}:${dim}`),
      isPinned: key => known.has(key),
      runSegment: () => [],
    })
    const before = known.size
    for (const key of pinned.keys()) known.add(key)
    if (capture !== null) return capture
    if (known.size === before) throw new Error(`${record.name}: no size left to specialise`)
  }
}

/** Why a version does not fit another call of the growth; null: it fits all, and is right. */
function refusal(record: OpRecord, { samples }: Growth): string | null {
  const capture = capturedDynamic(record, samples[0]!)
  const { graph, results } = capture.segment
  for (const sample of samples) {
    const problem = capture.guards.explain(sample.inputs.map(tensorOf))
    if (problem !== null) return problem
  }
  // Views of an input are no values of the graph, and random numbers are drawn by the runtime.
  const isComputed =
    results.every(({ from }) => from === 'output') && graph.symbols.every(({ kind }) => kind === 'size')
  for (const sample of isComputed ? samples : []) {
    const values = interpretGraph(graph, sample.inputs.map(hostOf))
    for (const [i, expected] of expectedResults(record, sample).entries())
      expect(
        difference(values[i]!, expected, toleranceFor(record.name, expected.dtype)),
        `${sample.name} at ${sample.inputs.map(({ shape }) => `[${shape}]`).join(' ')}`,
      ).toBeNull()
  }
  return null
}

describe('one version for all sizes of a dim', () => {
  for (const name of quickly(recordNames, 24)) {
    const record = recordTable[name]
    const small = samplesFor(name).filter(({ inputs }) => inputs.every(({ shape }) => count(shape) <= maxElements))
    const samples = exceptions[name] === undefined ? fewSamples(name, small, maxSamples) : small
    const growths = (sample: Sample): Growth[] => growthsOf(record, sample, sortedInputs[name])
    const some = samples.some(({ inputs }) => inputs.some(({ shape }) => shape.some(size => size > 1)))
    it.skipIf(!some)(`${name}${some ? '' : ' (no sample has a dim that can grow)'}`, () => {
      const exception = exceptions[name]
      const refused: string[] = []
      for (const sample of samples)
        for (const growth of growths(sample)) {
          const problem = refusal(record, growth)
          if (problem === null) continue
          refused.push(problem)
          const isExcepted = exception?.needs(growth.places, sample) ?? false
          expect(isExcepted ? null : problem, `${name}, ${sample.name}, dims ${keyOf(growth.places)}`).toBeNull()
        }
      // An exception that nothing needs any more has to go.
      expect(refused.length > 0).toBe(exception !== undefined)
    })
  }
})

it.skipIf(isQuick)(`a network of windows compiles once for all images${isQuick ? ' (in test:all)' : ''}`, () => {
  const [down, up] = [rand([4, 3, 3, 3]), rand([4, 2, 2, 2])]
  const network = (x: Tensor): Tensor => {
    const h = x.conv2d(down, { padding: 1, stride: 2 }).relu()
    const pooled = h.maxPool2d(2, { ceilMode: true }).add(h.avgPool2d(2, { ceilMode: true }))
    const wide = convTranspose2d(pooled, up, { stride: 2 }).interpolate({ scaleFactor: 1.5, mode: 'bilinear' })
    return wide.adaptiveAvgPool2d([2, 3]).softmax(-1)
  }
  const compiled = compile(network, { dynamic: true })
  for (const [n, height, width] of [
    [2, 19, 23],
    [3, 12, 17],
    [5, 31, 14],
  ] as const) {
    const x = rand([n, 3, height, width])
    const [expected, got] = [network(x), compiled(x)].map(one => Array.from(one.dataSync() as Float32Array))
    for (const [i, value] of got!.entries()) expect(value).toBeCloseTo(expected![i]!, 5)
  }
  expect(compiled.stats().compiles).toBe(1)
})
