/** How a device multiplies formats that it has no unit for: every product says what its codes become on their way. */

import { describe, expect, it } from 'vitest'
import { targetForCuda } from '../../src/backends/cuda/target.js'
import type { Target } from '../../src/backends/target.js'
import { type Decoding, explainKernels } from '../../src/compile/explain/explain-kernel.js'
import { runPipeline } from '../../src/compile/pipeline.js'
import { type QuantAttrs, quantRecords } from '../../src/graph/ops/quantised.js'
import type { OpRecord } from '../../src/graph/record.js'
import { compile, randn, type Tensor } from '../../src/index.js'
import { quantize, scaledMatmul } from '../../src/quant/index.js'
import { cudaArchs, genericCudaTarget } from '../../src/target/cuda.js'
import { type QuantFormatName, quantFormat } from '../../src/types/quant.js'
import { gpu, target } from '../schedule/run.js'
import { hasCompiler } from '../support/compiler.js'
import { graphOf } from '../support/record-graph.js'
import { argumentOf, type Kind, operandOf } from './operands.js'

const quant = (name: QuantFormatName): QuantAttrs => ({ ...quantFormat('test', name), layout: 'linear' })

/** What the kernels of a [64, 64] by b [64, 64] decode. */
function decoding(on: Target, left: Kind, right: Kind): readonly Decoding[] {
  const [a, b] = [operandOf(left, 1, [64, 64]), operandOf(right, 2, [64, 64])]
  const args = [argumentOf(a, 0), argumentOf(b, a.parts.length), { bias: null, outDtype: 'f32' }]
  const graph = graphOf(quantRecords.scaledMatmul as OpRecord, {
    name: 'explained',
    inputs: [...a.parts, ...b.parts],
    args,
  })
  return explainKernels(runPipeline(graph, on).plan, [], new Map()).flatMap(kernel => kernel.decoding)
}

const half: Kind = { name: 'f16', dtype: 'f16' }
const [nvfp4, mxint8, fp8] = (['nvfp4', 'mxint8', 'fp8e4m3'] as const).map(
  (format): Kind => ({ name: format, format, quant: quant(format) }),
) as [Kind, Kind, Kind]

describe('matmuls report what their codes are decoded to', () => {
  it('floats that tensor cores or the CPU multiply', () => {
    expect(decoding(gpu, half, nvfp4)).toEqual([{ from: 'u8', to: 'f16' }])
    expect(decoding(gpu, nvfp4, nvfp4)).toEqual([{ from: 'u8', to: 'f16' }])
    expect(decoding(gpu, { name: 'bf16', dtype: 'bf16' }, mxint8)).toContainEqual({ from: 'i8', to: 'bf16' })
    expect(decoding(target, half, nvfp4)).toEqual([{ from: 'u8', to: 'f32' }])
    expect(decoding(gpu, half, half)).toEqual([])
  })

  it('nothing, if tensor cores multiply the codes', () => {
    const ampere = targetForCuda(genericCudaTarget(cudaArchs.sm_80))
    expect(decoding(gpu, fp8, fp8)).toEqual([{ from: 'f8e4m3', to: 'f8e4m3' }])
    expect(decoding(ampere, fp8, fp8)).toEqual([{ from: 'u8', to: 'f16' }])
  })

  it.skipIf(!hasCompiler)('in explain (needs a C compiler)', () => {
    const w = quantize(randn([64, 64]), 'nvfp4')
    const text = compile((x: Tensor) => scaledMatmul(x, w))
      .explain(randn([32, 64]))
      .toString()
    expect(text).toMatch(/u8 codes are dequantised to f32 before they are multiplied/)
  })
})
