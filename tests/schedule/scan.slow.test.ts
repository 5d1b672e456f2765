/** Scans of any length and shape: whole rows, several rows or columns at once, and rows in parts. */

import { describe, expect, it } from 'vitest'
import { cpuLimits } from '../../src/backends/cpu/limits.js'
import { cpuPolicy } from '../../src/backends/cpu/policy.js'
import { cudaLimits } from '../../src/backends/cuda/limits.js'
import { cudaPolicy } from '../../src/backends/cuda/policy.js'
import { targetForCuda } from '../../src/backends/cuda/target.js'
import { emitPtx } from '../../src/codegen/ptx/emit.js'
import { runPipeline } from '../../src/compile/pipeline.js'
import { buildGraph } from '../../src/graph/apply.js'
import type { Graph } from '../../src/graph/ir.js'
import { recordTable } from '../../src/graph/ops/index.js'
import type { OpRecord } from '../../src/graph/record.js'
import { cudaArchs, genericCudaTarget } from '../../src/target/cuda.js'
import type { TensorDtype } from '../../src/types/dtype.js'
import { assemble, noAssembler } from '../codegen/ptx/assemble.js'
import { expectBlocks } from '../native/agreement-cuda.js'
import { difference } from '../support/compare.js'
import { launchesOf } from '../support/launches.js'
import { expectedResults, graphOf, symbolicGraphOf } from '../support/record-graph.js'
import { type Sample, sample } from '../support/sample-kinds.js'
import { count, seededRandom, spec } from '../support/tensor-spec.js'
import { cpuFacts, gpu, gpuFacts, planOf, runPlan, target } from './run.js'

const record = (op: string): OpRecord => recordTable[op as keyof typeof recordTable] as OpRecord
const exact = { relative: 0, absolute: 0, anyZero: true }
const withinOf = (op: string): typeof exact => (op === 'logcumsumexp' ? { ...exact, absolute: 1e-5 } : exact)

/** Small whole numbers: sums in any order are exact. */
function values(dtype: TensorDtype, shape: readonly number[], dim: number, special: readonly number[] = []): Sample {
  const random = seededRandom(count(shape) * 31 + dim)
  const draw = (): number => {
    const one = Math.floor(random() * 5) - (dtype === 'u8' || dtype === 'bool' ? 0 : 2)
    const which = Math.floor(random() * 40)
    return special[which] ?? (dtype === 'bool' ? one & 1 : one)
  }
  return sample(`${dtype} [${shape}] ${dim}`, spec(dtype, shape, Array.from({ length: count(shape) }, draw)), dim)
}

/** Blocks of 8 elements, so that 17 elements are two parts and 257 several blocks of each. */
const blocks = { maxScan: 8, minSplit: 64 }
const policies = [
  ['few of a CPU', target, cpuPolicy(cpuFacts, { ...cpuLimits, ...blocks, symbolic: 8, alignment: 4 })],
  ['all of a CPU', target, cpuPolicy(cpuFacts)],
  ['few of a GPU, in parts', gpu, cudaPolicy(gpuFacts, { ...cudaLimits, ...blocks })],
  [
    'few of a GPU, in one pass',
    gpu,
    cudaPolicy(gpuFacts, { ...cudaLimits, ...blocks, cuda: { ...cudaLimits.cuda, minChained: 16 } }),
  ],
  ['all of a GPU', gpu, cudaPolicy(gpuFacts)],
] as const

const lengths = [1, 2, 7, 8, 9, 15, 16, 17, 31, 32, 33, 255, 256, 257, 600]
const nan = Number.NaN
const cases: readonly (readonly [op: string, each: Sample])[] = [
  ...lengths.map(length => ['cumsum', values('i32', [length], 0)] as const),
  ...lengths.map(length => ['cumsum', values('f32', [3, length], 1)] as const),
  ...lengths.map(length => ['cumsum', values('i64', [length, 3], 0)] as const),
  ...[1, 2, 4, 5, 8, 31, 33].map(width => ['cumsum', values('f32', [40, width], 0)] as const),
  ['cumsum', values('f16', [2, 20, 9], 1)],
  ['cumsum', values('bool', [300], 0)],
  ['cumsum', values('u8', [70, 2], 1)],
  ['cumprod', values('i64', [41], 0)],
  ['cummax', values('f32', [300], 0, [nan, Infinity, -Infinity])],
  ['cummin', values('f32', [4, 100], 1, [nan])],
  ['cummax', values('i64', [90, 2], 0)],
  ['cummin', values('bool', [40], 0)],
  ...[9, 33, 257].map(length => ['logcumsumexp', values('f32', [length], 0, [-Infinity])] as const),
  ['logcumsumexp', values('f32', [300], 0, [nan, Infinity, -Infinity])],
  ['logcumsumexp', values('f64', [40, 33], 0, [-Infinity, -1000, 1000])],
  ['logcumsumexp', values('f32', [3, 100], 1, [nan, -1000, 1000])],
]

const graphs = (op: string, each: Sample): Graph[] => [graphOf(record(op), each), symbolicGraphOf(record(op), each, 1)]

describe('the reference is given', () => {
  for (const [name, on, policy] of policies) {
    it(`by ${name}, with sizes known and not known`, () => {
      for (const [op, each] of cases) {
        const expected = expectedResults(record(op), each)
        for (const graph of graphs(op, each)) {
          const results = runPlan(planOf(graph, true, { policy }, on), each.inputs)
          for (const [i, result] of results.entries())
            expect(
              difference(result, expected[i]!, withinOf(op)),
              `${op} ${each.name}, ${i}, ${graph.symbols.length}`,
            ).toBeNull()
        }
      }
    })
  }
})

/** Scans from the end, of values computed on the way, whose results are used: [3, length]. */
const reversed = (length: number): Graph =>
  buildGraph([{ name: 'x', dtype: 'i32', shape: [3, length] }], [], (b, [x]) => {
    const doubled = b.node('map', [x!, x!], { fn: 'add' })
    const sums = b.node('scan', [doubled], { fn: 'add', dim: 1, reverse: true })
    return [b.node('map', [sums, x!], { fn: 'sub' })]
  })

describe('scans from the end', () => {
  for (const [name, on, policy] of policies) {
    it(`by ${name}`, () => {
      for (const length of [1, 7, 9, 17, 40, 150]) {
        const { inputs } = values('i32', [3, length], 1)
        const rows = Array.from({ length: 3 }, (_, i) =>
          [...inputs[0]!.data].slice(i * length, (i + 1) * length).map(Number),
        )
        const expected = rows.flatMap(row => row.map((x, i) => 2 * row.slice(i).reduce((a, b) => a + b, 0) - x))
        const [result] = runPlan(planOf(reversed(length), true, { policy }, on), inputs)
        expect([...result!.data].map(Number), `${length}`).toEqual(expected)
      }
    })
  }
})

describe.skipIf(noAssembler !== null)('kernels of very long rows (needs ptxas)', () => {
  for (const arch of [cudaArchs.sm_80, cudaArchs.sm_90a]) {
    it(`assemble for ${arch.name}`, () => {
      const facts = genericCudaTarget(arch)
      for (const [op, each] of [
        ['cumsum', values('f32', [1 << 14], 0)],
        ['cumsum', values('i64', [2, 1 << 13], 1)],
        ['logcumsumexp', values('f32', [1 << 14], 0)],
        ['logcumsumexp', values('f64', [1 << 14], 0)],
      ] as const) {
        const policy = cudaPolicy(facts, {
          ...cudaLimits,
          maxScan: 1024,
          cuda: { ...cudaLimits.cuda, minChained: 4096 },
        })
        const { lanes } = runPipeline(graphOf(record(op), each), { ...targetForCuda(facts), policy })
        const text = emitPtx(lanes, facts)
        expect(text).toContain('ld.relaxed.gpu.global.b64')
        assemble(text, arch)
      }
    })
  }
})

describe('blocks of threads leave what the interpreter leaves', () => {
  const inParts = policies[2][2]
  for (const [op, each] of [
    ['cumsum', values('i32', [150], 0)],
    ['cumsum', values('i64', [3, 70], 1)],
    ['cumsum', values('f32', [70, 5], 0)],
    ['cummax', values('f32', [2, 40], 1, [nan])],
    ['logcumsumexp', values('f32', [2, 40], 1, [nan, -Infinity])],
  ] as const) {
    for (const graph of graphs(op, each)) {
      it(`${op} ${each.name}, ${graph.symbols.length} sizes open`, () => {
        const { plan, lanes } = runPipeline(graph, { ...gpu, policy: inParts })
        expectBlocks(launchesOf(each.name, plan, lanes, each.inputs, () => withinOf(op)))
      })
    }
  }
})

describe('blocks that wait for those before them leave what the interpreter leaves', () => {
  const inOnePass = cudaPolicy(gpuFacts, {
    ...cudaLimits,
    maxScan: 2,
    cuda: { ...cudaLimits.cuda, minChained: 16 },
  })
  for (const [op, each] of [
    ['cumsum', values('i32', [150], 0)],
    ['cumsum', values('f64', [141], 0)],
    ['cumsum', values('i64', [3, 70], 1)],
    ['cummax', values('f32', [2, 80], 1, [nan])],
  ] as const) {
    const graph = graphOf(record(op), each)
    for (const seed of [1, 2, 3]) {
      it(`${op} ${each.name}, in order ${seed}`, () => {
        const random = seededRandom(seed)
        const turns = { atOnce: 1 + 7 * seed, most: 1e5, pick: (n: number) => Math.floor(random() * n) }
        const { plan, lanes } = runPipeline(graph, { ...gpu, policy: inOnePass })
        expect(plan.kernels.map(({ name }) => name).join()).toContain('chained')
        expectBlocks(
          launchesOf(each.name, plan, lanes, each.inputs, () => withinOf(op)),
          gpuFacts,
          { turns },
        )
      })
    }
  }
})
