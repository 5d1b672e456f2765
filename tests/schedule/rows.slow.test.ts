/** Rows that are reduced and used again: kept in registers as blocks, or read block by block, with sums of exponentials in one pass. */

import { describe, expect, it } from 'vitest'
import { cudaLimits } from '../../src/backends/cuda/limits.js'
import { cudaPolicy } from '../../src/backends/cuda/policy.js'
import { runPipeline } from '../../src/compile/pipeline.js'
import { type RecordName, recordTable } from '../../src/graph/ops/index.js'
import type { OpRecord } from '../../src/graph/record.js'
import { nodesOf } from '../../src/ir/walk.js'
import type { SchedulePolicy } from '../../src/schedule/policy.js'
import type { TileNode } from '../../src/tile/ir.js'
import { expectBlocks } from '../native/agreement-cuda.js'
import { difference, toleranceFor } from '../support/compare.js'
import { launchesOf } from '../support/launches.js'
import { expectedResults, graphOf, symbolicGraphOf } from '../support/record-graph.js'
import { type Sample, sample } from '../support/sample-kinds.js'
import { seededRandom, spec, type TensorSpec, withLayout } from '../support/tensor-spec.js'
import { gpu, gpuFacts, planOf, runPlan, smallLimits } from './run.js'

type Float = 'f32' | 'bf16' | 'f16'

/** Rows of 16 elements are kept by 1 or 2 threads, longer ones are not. */
const small = cudaPolicy(gpuFacts, { ...smallLimits, cuda: { ...smallLimits.cuda, rowThreads: [1, 2] } })
/** Blocks of the usual sizes, of which a row of 2,000 has many. */
const usual = cudaPolicy(gpuFacts, { ...cudaLimits, cuda: { ...cudaLimits.cuda, rowThreads: [32, 64] } })

/** Values up to ±8, and what `special` says of a row. */
function tensor(dtype: Float, [rows, columns]: readonly [number, number], special: readonly string[]): TensorSpec {
  const random = seededRandom(rows * 977 + columns)
  const values = Array.from({ length: rows * columns }, (): number => Math.round((random() - 0.5) * 64) / 4)
  special.forEach((what, row) => {
    const at = row * columns
    if (what === 'masked') values.fill(Number.NEGATIVE_INFINITY, at, at + columns)
    if (what === 'half masked') values.fill(Number.NEGATIVE_INFINITY, at, at + (columns >> 1))
    if (what === 'NaN') values[at + columns - 1] = Number.NaN
    if (what === 'infinite') values[at + (columns >> 1)] = Number.POSITIVE_INFINITY
    if (what === 'low') for (let c = 0; c < columns; c++) values[at + c] = values[at + c]! - 1000
  })
  return spec(dtype, [rows, columns], values)
}

const specials = ['usual', 'masked', 'half masked', 'NaN', 'infinite', 'low']

/** Calls of ops of rows, on rows of this shape. */
function calls(dtype: Float, shape: readonly [number, number]): readonly (readonly [RecordName, Sample])[] {
  const [rows, columns] = shape
  const x = tensor(dtype, shape, [])
  const odd = tensor(dtype, [specials.length, columns], specials)
  const weight = spec(
    dtype,
    [columns],
    Array.from({ length: columns }, (_, i) => (i % 7) / 4),
  )
  const target = spec(
    'i64',
    [rows],
    Array.from({ length: rows }, (_, i) => (i * 5) % columns),
  )
  const named = (what: string): string => `${dtype} [${shape}] ${what}`
  return [
    ['softmax', sample(named('plain'), x, -1)],
    ['softmax', sample(named('specials'), odd, -1)],
    ['logsumexp', sample(named('specials'), odd, -1)],
    ['logSoftmax', sample(named('specials'), odd, -1)],
    ['layerNorm', sample(named('affine'), x, [columns], weight, weight)],
    ['rmsNorm', sample(named('weighted'), x, [columns], weight)],
    ['var', sample(named(''), x, -1)],
    ['argmax', sample(named(''), x, -1)],
    ['sum', sample(named('all'), x)],
    ['amax', sample(named('all'), odd)],
    ['sum', sample(named('all, 16 rows'), tensor(dtype, [16, columns], []))],
    ['crossEntropy', sample(named(''), x, target)],
    ['crossEntropy', sample(named('smoothed'), x, target, weight, 0, 'sum', 0.25)],
  ]
}

function expectReference(name: RecordName, each: Sample, policy: SchedulePolicy): void {
  const record = recordTable[name] as OpRecord
  const expected = expectedResults(record, each)
  const results = runPlan(planOf(graphOf(record, each), true, { policy }, gpu), each.inputs)
  for (const [i, result] of results.entries())
    expect(difference(result, expected[i]!, toleranceFor(name, result.dtype)), `${name} of ${each.name}`).toBeNull()
}

describe('rows of every kind of length', () => {
  // Around whole blocks, the most that is kept, and whole iterations of a loop.
  for (const columns of [4, 5, 6, 7, 8, 9, 15, 16, 17, 24, 25, 31, 32, 33, 40, 48, 49, 65]) {
    it(`${columns}, in small blocks`, () => {
      for (const [name, each] of calls(columns % 2 === 0 ? 'f32' : 'bf16', [3, columns]))
        expectReference(name, each, small)
    })
  }
  for (const columns of [199, 200, 257, 768, 1023, 2056, 2057]) {
    it(`${columns}, in blocks of the usual size`, () => {
      for (const [name, each] of calls('f16', [2, columns])) expectReference(name, each, usual)
    })
  }
})

it('rows that do not follow each other in memory', () => {
  for (const layout of ['offset', 'strided', 'reversed', 'transposed'] as const) {
    for (const columns of [13, 40]) {
      for (const [name, each] of calls('bf16', [4, columns])) {
        const [x, ...others] = each.inputs
        const strided = { ...each, inputs: [withLayout(x!, layout), ...others] }
        expectReference(name, { ...strided, name: `${each.name} ${layout}` }, small)
      }
    }
  }
})

it('a symbolic number of rows, and of columns', () => {
  for (const [name, each] of calls('f32', [3, 37])) {
    if (name === 'crossEntropy' || name === 'layerNorm' || name === 'rmsNorm') continue
    const record = recordTable[name] as OpRecord
    const results = runPlan(planOf(symbolicGraphOf(record, each), true, { policy: small }, gpu), each.inputs)
    const [expected] = expectedResults(record, each)
    expect(difference(results[0]!, expected!, toleranceFor(name, expected!.dtype)), each.name).toBeNull()
  }
})

describe('blocks of threads leave what the interpreter leaves', () => {
  for (const [columns, policy] of [
    [13, small],
    [45, small],
    [257, usual],
    [1032, usual],
  ] as const) {
    it(`rows of ${columns}`, () => {
      for (const [name, each] of calls('bf16', [2, columns])) {
        const { plan, lanes } = runPipeline(graphOf(recordTable[name] as OpRecord, each), { ...gpu, policy })
        expectBlocks(launchesOf(`${name} ${each.name}`, plan, lanes, each.inputs, dtype => toleranceFor(name, dtype)))
      }
    })
  }
})

describe('what is read and stored', () => {
  const planFor = (name: RecordName, columns: number) => {
    const [, each] = calls('f32', [3, columns]).find(([other]) => other === name)!
    return planOf(graphOf(recordTable[name] as OpRecord, each), true, { policy: small }, gpu)
  }
  /** The loads of rows in the code, and the loops that they are in. */
  const readsOf = (name: RecordName, columns: number): readonly [loads: number, loops: number] => {
    const nodes = planFor(name, columns).kernels.flatMap(({ body }) => [...nodesOf<TileNode>(body)])
    const isRow = (node: TileNode): boolean => node.op === 'load' && node.attrs.shape.length === 2
    return [nodes.filter(isRow).length, nodes.filter(({ op }) => op === 'range').length]
  }

  it('a row of 12 is loaded once, as 3 blocks', () => expect(readsOf('softmax', 12)).toEqual([3, 0]))
  it('a row of 64 is loaded for the maximum and the sum together, then for the results', () =>
    expect(readsOf('softmax', 64)).toEqual([2, 2]))
  it('the loss of classes reads long rows once, and stores nothing per class', () => {
    expect(readsOf('crossEntropy', 64)).toEqual([2, 1])
    const elements = planFor('crossEntropy', 64).buffers.map(buffer => ('elements' in buffer ? buffer.elements : 0))
    expect(Math.max(...elements.map(Number))).toBeLessThan(64)
  })
})
