/** Rows of one operand met with rows of another, by blocks of pairs. */

import { describe, expect, it } from 'vitest'
import { cudaLimits } from '../../src/backends/cuda/limits.js'
import { cudaPolicy } from '../../src/backends/cuda/policy.js'
import { targetForCuda } from '../../src/backends/cuda/target.js'
import { emitPtx } from '../../src/codegen/ptx/emit.js'
import { runPipeline } from '../../src/compile/pipeline.js'
import { recordTable } from '../../src/graph/ops/index.js'
import type { OpRecord } from '../../src/graph/record.js'
import { nodesOf } from '../../src/ir/walk.js'
import { cudaArchs, genericCudaTarget } from '../../src/target/cuda.js'
import { type TileNode, tileType } from '../../src/tile/ir.js'
import type { TensorDtype } from '../../src/types/dtype.js'
import { assemble, noAssembler } from '../codegen/ptx/assemble.js'
import { expectBlocks } from '../native/agreement-cuda.js'
import { difference } from '../support/compare.js'
import { launchesOf } from '../support/launches.js'
import { expectedResults, graphOf, symbolicGraphOf } from '../support/record-graph.js'
import type { Sample } from '../support/sample-kinds.js'
import { arg, count, seededRandom, spec, type TensorSpec } from '../support/tensor-spec.js'
import { gpu, gpuFacts, planOf, runPlan } from './run.js'

const record: OpRecord = recordTable.cdist as OpRecord
/** A machine that two blocks keep busy. */
const facts = { ...gpuFacts, multiprocessors: 1 }
const policy = cudaPolicy(facts, cudaLimits)

function rows(dtype: TensorDtype, shape: readonly number[], special: readonly number[]): TensorSpec {
  const random = seededRandom(count(shape) + 7)
  return spec(
    dtype,
    shape,
    Array.from({ length: count(shape) }, () => special[Math.floor(random() * 60)] ?? Math.round(random() * 16 - 8) / 4),
  )
}

function distances(
  dtype: TensorDtype,
  [left, right]: readonly [readonly number[], readonly number[]],
  p: number,
  special: readonly number[] = [],
): Sample {
  const inputs = [rows(dtype, left, special), rows(dtype, right, special)]
  return { name: `${dtype} [${left}] [${right}] p ${p}`, inputs, args: [arg(0), arg(1), p] }
}

/** The most elements in a row of a tile that a kernel stores: the block's side. */
const sideOf = (each: Sample): number =>
  Math.max(
    ...planOf(graphOf(record, each), true, { policy }, gpu).kernels.flatMap(({ body }) =>
      nodesOf<TileNode>(body).flatMap(node =>
        node.op === 'store' ? [tileType(node.inputs.at(-1)!).shape.at(-2) ?? 1] : [],
      ),
    ),
  )

const special = [Number.NaN, Infinity, -Infinity, -0]
const cases: readonly Sample[] = [
  ...([15, 16, 17, 31, 32, 33] as const).map(size =>
    distances(
      'f32',
      [
        [size, 5],
        [16, 5],
      ],
      2,
    ),
  ),
  ...([63, 64, 65] as const).map(size =>
    distances(
      'f64',
      [
        [size, 3],
        [66, 3],
      ],
      2,
    ),
  ),
  ...([1, 2, 3, 4, 5, 8, 9, 17] as const).map(length =>
    distances(
      'f64',
      [
        [33, length],
        [34, length],
      ],
      2,
    ),
  ),
  ...([0, 1, 3, Infinity] as const).map(p =>
    distances(
      'f32',
      [
        [40, 6],
        [41, 6],
      ],
      p,
      special,
    ),
  ),
  distances(
    'bf16',
    [
      [70, 9],
      [30, 9],
    ],
    2,
  ),
  distances(
    'f32',
    [
      [3, 20, 7],
      [3, 21, 7],
    ],
    2,
    special,
  ),
]
const within = { relative: 1e-5, absolute: 1e-5, anyZero: true }

describe('distances of all pairs', () => {
  it('are computed in blocks of the largest side of which there are enough', () => {
    expect(
      sideOf(
        distances(
          'f32',
          [
            [65, 5],
            [64, 5],
          ],
          2,
        ),
      ),
    ).toBe(64)
    expect(
      sideOf(
        distances(
          'f32',
          [
            [64, 5],
            [64, 5],
          ],
          2,
        ),
      ),
    ).toBe(32)
    expect(
      sideOf(
        distances(
          'f32',
          [
            [33, 5],
            [32, 5],
          ],
          2,
        ),
      ),
    ).toBe(32)
    expect(
      sideOf(
        distances(
          'f32',
          [
            [32, 5],
            [32, 5],
          ],
          2,
        ),
      ),
    ).toBe(16)
  })
  it('are those of the reference, with sizes known and not known', () => {
    for (const each of cases) {
      const expected = expectedResults(record, each)
      for (const graph of [graphOf(record, each), symbolicGraphOf(record, each, 1)]) {
        const [result] = runPlan(planOf(graph, true, { policy }, gpu), each.inputs)
        const bound = each.name.startsWith('bf16') ? { ...within, relative: 1e-2 } : within
        expect(difference(result!, expected[0]!, bound), `${each.name}, ${graph.symbols.length}`).toBeNull()
      }
    }
  })
  for (const each of [
    distances(
      'f64',
      [
        [33, 5],
        [20, 5],
      ],
      2,
    ),
    distances(
      'f32',
      [
        [2, 17, 3],
        [2, 18, 3],
      ],
      1,
      special,
    ),
  ])
    it(`leave no race: ${each.name}`, () => {
      const { plan, lanes } = runPipeline(graphOf(record, each), { ...gpu, policy })
      expectBlocks(launchesOf(each.name, plan, lanes, each.inputs, () => within))
    })
})

describe.skipIf(noAssembler !== null)('kernels of pairs (needs ptxas)', () => {
  for (const arch of [cudaArchs.sm_80, cudaArchs.sm_90a])
    it(`assemble for ${arch.name}`, () => {
      const machine = genericCudaTarget(arch)
      for (const each of [
        distances(
          'f64',
          [
            [129, 17],
            [129, 17],
          ],
          2,
        ),
        distances(
          'f32',
          [
            [129, 8],
            [130, 8],
          ],
          1,
        ),
      ]) {
        const { lanes } = runPipeline(graphOf(record, each), { ...targetForCuda(machine), policy })
        assemble(emitPtx(lanes, machine), arch)
      }
    })
})
