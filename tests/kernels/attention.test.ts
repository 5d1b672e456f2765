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
import { recordTable } from '../../src/graph/ops/index.js'
import type { AttentionSizes } from '../../src/kernels/attention.js'
import type { LaneProgram } from '../../src/lane/ir.js'
import { lowerSimt } from '../../src/lower/simt/lower.js'
import { scheduleGraph } from '../../src/schedule/schedule.js'
import { type CudaTarget, cudaArchs, genericCudaTarget } from '../../src/target/cuda.js'
import { argumentsOf } from '../../src/tile/abi.js'
import type { Dtype } from '../../src/types/dtype.js'
import { cpuFacts } from '../schedule/run.js'

function lowered(dtype: Dtype, head: number, isCausal: boolean, on: CudaTarget): LaneProgram {
  const spec = { dtype, shape: [4, 16, 4096, head] }
  const graph = buildGraph([spec, spec, spec], [], (b, inputs) => {
    const [q, k, v] = inputs.map(asValue)
    return applyRecord(b, recordTable.scaledDotProductAttention, [q, k, v, { isCausal }])
  })
  const [program] = scheduleGraph(graph, cudaPolicy(on)).kernels
  const facts = { divisors: argumentsOf(program!.params).map(() => 16), indices: 'i32' as const }
  return lowerSimt(program!, on, facts)
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
    const folder = mkdtempSync(join(tmpdir(), 'tegula-attention-'))
    try {
      const file = join(folder, 'kernels.ptx')
      writeFileSync(
        file,
        emitPtx(
          kernels.map((kernel, i) => ({ ...kernel, name: `attention_${i}` })),
          on,
        ),
      )
      const options = ['-v', '-arch', on.arch.name, file, '-o', join(folder, 'kernels.cubin')]
      const { status, stderr } = spawnSync('ptxas', options, { encoding: 'utf8' })
      expect(status, stderr).toBe(0)
      // Two blocks of 256 threads share the 65536 registers of a multiprocessor.
      expect(kernels.slice(0, 4).map(({ block }) => block!.perMultiprocessor)).toEqual([2, 2, 2, 2])
      expect(stderr.match(/(\d+) bytes spill stores/g)).toEqual(kernels.map(() => '0 bytes spill stores'))
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
