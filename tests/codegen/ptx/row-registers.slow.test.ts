/** Kernels of rows of many widths are PTX that `ptxas` takes, without a spill but in the widest. */
import { describe, expect, it } from 'vitest'
import { targetForCuda } from '../../../src/backends/cuda/target.js'
import { emitPtx } from '../../../src/codegen/ptx/emit.js'
import { lowerSimt } from '../../../src/lower/simt/lower.js'
import { type CudaArch, cudaArchs, genericCudaTarget } from '../../../src/target/cuda.js'
import { argumentsOf } from '../../../src/tile/abi.js'
import { simplify } from '../../../src/tile/passes/simplify.js'
import { graphOn } from '../../schedule/build.js'
import { planOf } from '../../schedule/run.js'
import { assemble, noAssembler } from './assemble.js'

type Float = 'f32' | 'bf16'

const rows = 2000
const widths = [257, 1000, 5120, 5121, 12_288, 16_384, 32_000, 50_257, 128_256]

const graphs = {
  softmax: (columns: number, dtype: Float) =>
    graphOn([{ dtype, shape: [rows, columns] }], (op, x) => [op('softmax', x, -1)]),
  layerNorm: (columns: number, dtype: Float) =>
    graphOn(
      [[rows, columns], [columns], [columns]].map(shape => ({ dtype, shape })),
      (op, x, w, b) => [op('layerNorm', x, [columns], w, b)],
    ),
  crossEntropy: (columns: number, dtype: Float) =>
    graphOn(
      [
        { dtype, shape: [rows, columns] },
        { dtype: 'i64', shape: [rows] },
      ],
      (op, x, target) => [op('crossEntropy', x, target)],
    ),
}

/** The bytes that each kernel spills, for aligned memory. */
function spillsOf(name: keyof typeof graphs, columns: number, dtype: Float, arch: CudaArch): number[] {
  const target = { ...genericCudaTarget(arch), multiprocessors: 132 }
  return planOf(graphs[name](columns, dtype), true, {}, targetForCuda(target)).kernels.map(kernel => {
    const divisors = argumentsOf(kernel.params).map(({ kind }) => (kind === 'pointer' ? 16 : 1))
    const lane = lowerSimt(simplify(kernel), target, { divisors, indices: 'i32' })
    const [, bytes] = /(\d+) bytes spill stores/.exec(assemble(emitPtx([lane], target), arch))!
    return Number(bytes)
  })
}

describe.skipIf(noAssembler !== null)('rows of many widths (needs ptxas)', () => {
  for (const arch of [cudaArchs.sm_80, cudaArchs.sm_90a]) {
    for (const name of ['softmax', 'layerNorm', 'crossEntropy'] as const) {
      it(`${name} for ${arch.name}`, { timeout: 300_000 }, () => {
        for (const columns of widths)
          for (const dtype of ['f32', 'bf16'] as const) {
            // Up to ten registers of the 64 that each of 1,024 threads has: cheaper than to read so many elements again.
            const isWide = name === 'layerNorm' && columns >= 12_288
            const most = Math.max(...spillsOf(name, columns, dtype, arch))
            expect(most, `${columns} ${dtype}`).toBeLessThanOrEqual(isWide ? 40 : 0)
          }
      })
    }
  }
})
