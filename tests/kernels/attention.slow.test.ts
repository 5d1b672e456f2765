/** Blocks of attention: they fit every device, registers included where there is an assembler to ask. */

import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { cpuAttentionTiles } from '../../src/backends/cpu/attention-tiles.js'
import { cudaPolicy } from '../../src/backends/cuda/policy.js'
import { emitPtx } from '../../src/codegen/ptx/emit.js'
import { applyRecord, asValue, buildGraph } from '../../src/graph/apply.js'
import { expandGradients } from '../../src/graph/derivatives/expand.js'
import type { GraphBuilder, GraphNode } from '../../src/graph/ir.js'
import { recordTable } from '../../src/graph/ops/index.js'
import { inlineRegions } from '../../src/graph/passes/inline-regions.js'
import type { AttentionSizes } from '../../src/kernels/attention.js'
import type { LaneProgram } from '../../src/lane/ir.js'
import { lowerSimt } from '../../src/lower/simt/lower.js'
import { evaluateSize, type Size, sizeSymbol } from '../../src/scalar/size.js'
import { launchesAmong, type Plan } from '../../src/schedule/plan/plan.js'
import { scheduleGraph } from '../../src/schedule/schedule.js'
import { type CudaTarget, cudaArchs, genericCudaTarget } from '../../src/target/cuda.js'
import { argumentsOf } from '../../src/tile/abi.js'
import type { Dtype } from '../../src/types/dtype.js'
import { cpuFacts } from '../schedule/run.js'
import { type GradientCase, gradientGraph } from '../support/attention-gradient.js'

const lowered = (dtype: Dtype, head: number, isCausal: boolean, on: CudaTarget): LaneProgram =>
  kernelsOf(planned(dtype, [4, 16, 4096, head], [4, 16, 4096, head], isCausal, on), on)[0]!

type Shape = readonly [batch: Size, heads: number, length: Size, size: number]

/** `keys`: of keys and values; a symbolic length is `n`. */
function planned(dtype: Dtype, queries: Shape, keys: Shape, isCausal: boolean, on: CudaTarget): Plan {
  const specs = [queries, keys, keys].map(shape => ({ dtype, shape }))
  const symbols = typeof keys[2] === 'number' ? [] : [{ name: 'n', input: 1, kind: 'size' as const, dim: 2 }]
  const build = (b: GraphBuilder, inputs: readonly GraphNode[]) => {
    const [q, k, v] = inputs.map(asValue)
    const options = { isCausal, enableGqa: queries[1] !== keys[1] }
    return applyRecord(b, recordTable.scaledDotProductAttention, [q, k, v, options])
  }
  return scheduleGraph(buildGraph(specs, [], build, symbols), cudaPolicy(on))
}

/** The kernels of an attention's gradients. */
function gradientKernels(dtype: Dtype, head: number, mask: 'causal' | undefined, on: CudaTarget): LaneProgram[] {
  const each = { name: '', dtype, heads: 8, group: 1, queries: 4096, keys: 4096, depth: head, columns: head, mask }
  const inputs = [1, 2, 3, 4].map(() => ({ dtype, shape: [2, 8, 4096, head], data: [] }))
  const graph = inlineRegions.run(expandGradients.run(gradientGraph(each as GradientCase, inputs)))
  const plan = scheduleGraph(graph, cudaPolicy(on))
  const kernels = plan.kernels.filter(({ name }) => name.startsWith('attention_gradient'))
  return kernelsOf({ ...plan, kernels }, on)
}

const kernelsOf = ({ kernels }: Plan, on: CudaTarget): LaneProgram[] =>
  kernels.map(program => {
    const facts = { divisors: argumentsOf(program.params).map(() => 16), indices: 'i32' as const }
    return lowerSimt(program, on, facts)
  })

interface Assembled {
  readonly status: number | null
  readonly stderr: string
}

function assembled(kernels: readonly LaneProgram[], on: CudaTarget): Assembled {
  const folder = mkdtempSync(join(tmpdir(), 'tegula-attention-'))
  try {
    const file = join(folder, 'kernels.ptx')
    const named = kernels.map((kernel, i) => ({ ...kernel, name: `attention_${i}` }))
    writeFileSync(file, emitPtx(named, on))
    const options = ['-v', '-arch', on.arch.name, file, '-o', join(folder, 'kernels.cubin')]
    return spawnSync('ptxas', options, { encoding: 'utf8' })
  } finally {
    rmSync(folder, { recursive: true })
  }
}

describe('attention tiles for the CPU', () => {
  const sizes: AttentionSizes = { batch: 256, queries: 512, keys: 512, depth: 64, columns: 64, causal: false }

  it('divide the lengths evenly', () => {
    expect(cpuAttentionTiles(sizes, cpuFacts)).toEqual({ queries: 512, keys: 256 })
    expect(cpuAttentionTiles(sizes, { ...cpuFacts, l2Bytes: 512 * 1024 })).toEqual({ queries: 256, keys: 256 })
    expect(cpuAttentionTiles({ ...sizes, keys: 600 }, cpuFacts).keys).toBe(208)
    expect(cpuAttentionTiles({ ...sizes, queries: 3, keys: 5 }, cpuFacts)).toEqual({ queries: 3, keys: 5 })
  })

  it('give every core work, with little wasted on a causal diagonal', () => {
    expect(cpuAttentionTiles({ ...sizes, batch: 1, queries: 100 }, cpuFacts).queries).toBeLessThanOrEqual(32)
    expect(cpuAttentionTiles({ ...sizes, causal: true }, cpuFacts)).toEqual({ queries: 64, keys: 256 })
    expect(cpuAttentionTiles({ ...sizes, keys: 0, causal: true }, cpuFacts)).toEqual({ queries: 16, keys: 1 })
    const long = { ...sizes, queries: 2048, keys: 2048, causal: true }
    expect(cpuAttentionTiles(long, cpuFacts)).toEqual({ queries: 128, keys: 256 })
  })

  it('exist for unknown lengths', () => {
    expect(cpuAttentionTiles({ ...sizes, batch: null, queries: null, keys: null }, cpuFacts)).toEqual({
      queries: 128,
      keys: 256,
    })
  })
})

describe('attention tiles for blocks of threads', () => {
  for (const arch of Object.values(cudaArchs)) {
    it(`fit the shared memory of ${arch.name}`, () => {
      for (const dtype of ['bf16', 'f32', 'f64'] as const) {
        for (const head of [16, 64, 80, 128, 256]) {
          const { block } = lowered(dtype, head, false, genericCudaTarget(arch))
          expect(block!.sharedBytes, `${dtype}, heads of ${head}`).toBeLessThanOrEqual(arch.sharedBytesPerBlock)
        }
      }
    })
  }

  const hasPtxas = spawnSync('ptxas', ['--version']).status === 0
  it.skipIf(!hasPtxas)('keep everything in registers (needs ptxas)', { timeout: 120_000 }, () => {
    const on = genericCudaTarget(cudaArchs.sm_90a)
    const kernels = (['bf16', 'f32'] as const).flatMap(dtype =>
      [64, 128].flatMap(head => [false, true].map(causal => lowered(dtype, head, causal, on))),
    )
    const { status, stderr } = assembled(kernels, on)
    expect(status, stderr).toBe(0)
    // Two blocks of 256 threads share the 65536 registers of a multiprocessor.
    expect(kernels.slice(0, 4).map(({ block }) => block!.perMultiprocessor)).toEqual([2, 2, 2, 2])
    expect(stderr.match(/(\d+) bytes spill stores/g)).toEqual(kernels.map(() => '0 bytes spill stores'))
  })

  for (const arch of Object.values(cudaArchs)) {
    it(`of gradients fit the shared memory of ${arch.name}`, { timeout: 120_000 }, () => {
      const on = genericCudaTarget(arch)
      for (const dtype of ['bf16', 'f32', 'f64'] as const)
        for (const head of [16, 80, 256])
          for (const { name, block } of gradientKernels(dtype, head, undefined, on))
            expect(block!.sharedBytes, `${name}, ${dtype}, ${head}`).toBeLessThanOrEqual(arch.sharedBytesPerBlock)
    })

    it.skipIf(!hasPtxas)(
      `of gradients stay in the registers of ${arch.name} (needs ptxas)`,
      { timeout: 120_000 },
      () => {
        const on = genericCudaTarget(arch)
        const kernels = [64, 128, 256].flatMap(head => gradientKernels('bf16', head, 'causal', on))
        expect(kernels.length).toBe(6)
        const { status, stderr } = assembled(kernels, on)
        expect(status, stderr).toBe(0)
        expect(stderr.match(/(\d+) bytes spill stores/g)).toEqual(kernels.map(() => '0 bytes spill stores'))
        // An operand in shared memory is prefetched: what does not fit would be loaded where it is needed.
        expect(stderr).not.toContain('serializ')
      },
    )
  }

  it.skipIf(!hasPtxas)('keep heads of 256 in registers (needs ptxas)', { timeout: 120_000 }, () => {
    const on = genericCudaTarget(cudaArchs.sm_90a)
    const kernels = [false, true].map(causal => lowered('bf16', 256, causal, on))
    const { status, stderr } = assembled(kernels, on)
    expect(status, stderr).toBe(0)
    expect(stderr.match(/(\d+) bytes spill stores/g)).toEqual(kernels.map(() => '0 bytes spill stores'))
  })
})

describe('attention of few queries on blocks of threads', () => {
  const big = (arch: keyof typeof cudaArchs): CudaTarget => ({
    ...genericCudaTarget(cudaArchs[arch]),
    multiprocessors: 132,
  })
  const namesOf = ({ kernels }: Plan): string[] => kernels.map(({ name }) => name)
  const keys: Shape = [1, 8, 32768, 128]

  it('splits keys into as many parts as run at once', () => {
    const plan = planned('bf16', [1, 32, 1, 128], keys, false, big('sm_90a'))
    expect(namesOf(plan)).toEqual(['attention_partial', 'attention_final'])
    const [first] = launchesAmong(plan.steps)
    expect(first!.grid).toEqual([8, 64, 1])
  })

  it('reads shared keys once where no parts are needed, and stays as it is with few keys or many queries', () => {
    const on = big('sm_90a')
    const many = planned('bf16', [64, 32, 1, 128], [64, 8, 2048, 128], false, on)
    expect(launchesAmong(many.steps).map(({ grid }) => grid)).toEqual([[512, 1, 1]])
    expect(namesOf(planned('bf16', [1, 32, 1, 128], [1, 8, 256, 128], false, on))).toEqual(['attention'])
    expect(namesOf(planned('bf16', [1, 32, 2048, 128], [1, 8, 2048, 128], false, on))).toEqual(['attention'])
    // One query sees one key.
    expect(namesOf(planned('bf16', [1, 32, 1, 128], keys, true, on))).toEqual(['attention'])
  })

  it('has a number of parts for each length of a growing cache', () => {
    const length = sizeSymbol('n', 1)
    const plan = planned('bf16', [1, 32, 1, 128], [1, 8, length, 128], false, big('sm_90a'))
    const [first] = launchesAmong(plan.steps)
    const parts = (n: number): number => evaluateSize(first!.grid[1], new Map([['n', n]]))
    expect([1, 255, 256, 4096, 32768].map(parts)).toEqual([1, 1, 2, 32, 66])
  })

  const hasPtxas = spawnSync('ptxas', ['--version']).status === 0
  for (const arch of ['sm_80', 'sm_90a'] as const) {
    it.skipIf(!hasPtxas)(`keeps everything in registers on ${arch} (needs ptxas)`, { timeout: 120_000 }, () => {
      const on = big(arch)
      const lengths: readonly Size[] = [32768, 32767, sizeSymbol('n', 1)]
      const plans = lengths.flatMap(length =>
        [16, 80, 128, 256].flatMap(head =>
          [1, 4].map(queries => planned('bf16', [1, 32, queries, head], [1, 8, length, head], false, on)),
        ),
      )
      const kernels = plans.flatMap(plan => kernelsOf(plan, on))
      expect(kernels.length).toBe(2 * plans.length)
      const { status, stderr } = assembled(kernels, on)
      expect(status, stderr).toBe(0)
      expect(stderr.match(/(\d+) bytes spill stores/g)).toEqual(kernels.map(() => '0 bytes spill stores'))
    })
  }
})
