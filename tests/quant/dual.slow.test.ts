/** Gated products are one kernel with two products: called as `dualMatmul`, and written in plain ops. */

import { describe, expect, it } from 'vitest'
import { cudaLimits } from '../../src/backends/cuda/limits.js'
import { cudaPolicy } from '../../src/backends/cuda/policy.js'
import { targetForCuda } from '../../src/backends/cuda/target.js'
import { emitPtx } from '../../src/codegen/ptx/emit.js'
import { lowerKernel } from '../../src/compile/generate.js'
import { runPipeline } from '../../src/compile/pipeline.js'
import { quantRecords } from '../../src/graph/ops/quantised.js'
import type { OpRecord } from '../../src/graph/record.js'
import { compile, randn, type Tensor } from '../../src/index.js'
import { nodesOf } from '../../src/ir/walk.js'
import type { MatmulTiles } from '../../src/kernels/matmul.js'
import { type LaneNode, valueType } from '../../src/lane/ir.js'
import { functional as F } from '../../src/nn/index.js'
import { dequantize, dualMatmul, type QuantizedTensor, quantize } from '../../src/quant/index.js'
import { readAssemblerLog } from '../../src/runtime/cuda/assembler-log.js'
import { cudaArchs, genericCudaTarget } from '../../src/target/cuda.js'
import { argumentsOf } from '../../src/tile/abi.js'
import type { TileNode } from '../../src/tile/ir.js'
import { quantFormat } from '../../src/types/quant.js'
import { archs, assemble, noAssembler } from '../codegen/ptx/assemble.js'
import { expectBlocks } from '../native/agreement-cuda.js'
import { gpu, target } from '../schedule/run.js'
import { hasCompiler } from '../support/compiler.js'
import { launchesOf } from '../support/launches.js'
import { graphOf } from '../support/record-graph.js'
import { arg, randomSpec, type TensorSpec } from '../support/tensor-spec.js'
import { type Case, cases, dualSamples, partsOf } from './samples.js'

type WgmmaNode = Extract<LaneNode, { op: 'wgmma' }>
type Quant = Case['quant']

const silu = (x: number): number => x / (1 + Math.exp(-x))
const numbers = (x: Tensor): number[] => [...x.to('f32').dataSync()].map(Number)

describe('dualMatmul is one kernel', () => {
  const formats = cases.filter(({ name }) => name.includes('linear'))

  /** A call with activations of a dtype, or of the weights' format. */
  function call({ quant, K }: Case, x: 'f16' | 'f32' | 'same', M: number) {
    const inputs: TensorSpec[] = []
    const operand = (of: Case['quant'] | null, parts: readonly TensorSpec[]) => {
      const from = inputs.push(...parts) - parts.length
      return { quant: of, tensors: parts.map((_, i) => arg(from + i)) }
    }
    const a = x === 'same' ? operand(quant, partsOf(1, quant, [M, K])) : operand(null, [randomSpec(1, x, [M, K])])
    const [b1, b2] = [2, 3].map(seed => operand(quant, partsOf(seed, quant, [19, K])))
    const bias1 = arg(inputs.push(randomSpec(4, 'f32', [19])) - 1)
    return { name: 'dual', inputs, args: [a, b1, b2, { bias1, bias2: null, activation: 'gelu', outDtype: 'f16' }] }
  }

  for (const on of [target, gpu]) {
    it(`of every format, with both dots and nothing decoded in global memory: ${on.name}`, () => {
      for (const [i, each] of formats.entries()) {
        const x = (i % 2 === 0) === (on === gpu) ? 'f16' : 'same'
        const { plan } = runPipeline(graphOf(quantRecords.dualMatmul as OpRecord, call(each, x, 7)), on)
        const dots = plan.kernels.flatMap(({ body }) => [...nodesOf<TileNode>(body)].filter(({ op }) => op === 'dot'))
        const found = { steps: plan.steps.length, dots: dots.length }
        expect(found, `${each.name} of ${x}`).toEqual({ steps: 1, dots: 2 })
        expect(plan.buffers.filter(({ kind }) => kind === 'temp')).toEqual([])
      }
    })
  }

  it('of a batched left operand, and of weights in two formats', () => {
    for (const name of ['batch', 'rows of a batch', 'weights of two formats', 'weights and a matrix']) {
      const found = dualSamples().find(each => each.name === name)!
      for (const on of [target, gpu]) {
        const { plan } = runPipeline(graphOf(quantRecords.dualMatmul as OpRecord, found), on)
        expect(plan.steps.length, `${name}, ${on.name}`).toBe(1)
      }
    }
  })

  /** The instructions of warpgroups in tiles of a size, after a run in the simulator. */
  function checkedProducts(
    rows: readonly number[],
    K: number,
    matmul: MatmulTiles,
    quants: readonly Quant[] = rows.map(() => formats[0]!.quant),
  ): WgmmaNode[] {
    const sides = rows.map((each, i) => partsOf(i + 1, quants[i]!, [each, K]))
    let count = 0
    const operands = sides.map((parts, i) => ({ quant: quants[i]!, tensors: parts.map(() => arg(count++)) }))
    const options = { bias1: null, bias2: null, activation: 'silu', outDtype: 'f16' }
    const inputs = sides.flat()
    const graph = graphOf(quantRecords.dualMatmul as OpRecord, { name: 'dual', inputs, args: [...operands, options] })
    const cuda = { ...cudaLimits.cuda, matmul }
    const facts = genericCudaTarget(cudaArchs.sm_90a)
    const { plan, lanes } = runPipeline(graph, targetForCuda(facts), {
      policy: cudaPolicy(facts, { ...cudaLimits, cuda }),
    })
    expectBlocks(launchesOf('dual', plan, lanes, inputs, () => ({ relative: 2 ** -10, absolute: 1e-3, anyZero: true })))
    return lanes.flatMap(({ body }) => [...nodesOf<LaneNode>(body)].filter(node => node.op === 'wgmma'))
  }

  it('with wgmma: operands are decoded on the way, the left one in registers', () => {
    const products = checkedProducts([66, 40, 40], 144, { m: 64, n: 32, k: 64 })
    // Four steps of 16 along k, for each of the two.
    expect(products.length).toBe(8)
    expect(products.every(({ attrs }) => attrs.a === null)).toBe(true)
  })

  it('of pairs of formats whose decoded elements are ordered differently in memory', () => {
    const of = (name: string): Quant => ({ ...quantFormat('test', name, {}), layout: 'linear' })
    for (const [x, gate, up] of [
      ['nvfp4', 'mxint8', 'mxint8'],
      ['mxfp4', 'nvfp4', 'mxint8'],
      ['mxint8', 'mxfp4', 'mxfp4'],
    ] as const) {
      const products = checkedProducts([64, 40, 40], 384, { m: 64, n: 64, k: 128 }, [of(x), of(gate), of(up)])
      expect(products.length, x).toBeGreaterThan(0)
      expect(products.every(({ attrs }) => attrs.a === null)).toBe(true)
    }
  })

  it('one wgmma multiplies by both weights if their tiles are adjacent', () => {
    const products = checkedProducts([64, 72, 72], 272, { m: 64, n: 64, k: 128 })
    expect(products.length).toBe(8)
    // Of m64 by 64 and 64 columns.
    for (const product of products) expect(valueType(product).lanes).toBe(64)
  })

  it.skipIf(noAssembler !== null)('whose sums stay in registers at large sizes (needs ptxas)', () => {
    const nv = formats[0]!
    const empty = ({ dtype, shape }: TensorSpec, rows: number): TensorSpec => ({
      ...randomSpec(1, 'f32', []),
      dtype,
      shape: shape.length === 0 ? shape : [rows, shape[1]! * 64],
      data: [],
    })
    const { inputs, args } = call(nv, 'same', 7)
    const rows = [512, 512, 512, 4096, 4096, 4096, 4096, 4096, 4096]
    const large = [...inputs.slice(0, 9).map((input, i) => empty(input, rows[i]!))]
    for (const arch of archs) {
      const facts = genericCudaTarget(arch)
      const on = targetForCuda(facts)
      const options = { bias1: null, bias2: null, activation: 'silu', outDtype: 'f16' }
      const { plan } = runPipeline(
        graphOf(quantRecords.dualMatmul as OpRecord, {
          name: 'large',
          inputs: large,
          args: [...args.slice(0, 3), options],
        }),
        on,
      )
      const lanes = plan.kernels.map(kernel =>
        lowerKernel(kernel, on, { divisors: argumentsOf(kernel.params).map(() => 16), indices: 'i32' }),
      )
      const { kernels } = readAssemblerLog(assemble(emitPtx(lanes, facts), arch))
      expect(kernels.length, arch.name).toBe(1)
      expect(kernels[0], arch.name).toMatchObject({ serialized: null, spillStoreBytes: 0 })
    }
  })

  it('with one row, where the two sums are computed in one loop: cpu', () => {
    const { plan } = runPipeline(graphOf(quantRecords.dualMatmul as OpRecord, call(formats[0]!, 'f32', 1)), target)
    // The row is first laid out as the halves of bytes meet it.
    expect(plan.steps.length).toBe(2)
  })
})

describe('written in plain ops it is one kernel too', () => {
  const [M, K, N] = [9, 64, 21]
  const x = randn([M, K])
  const [gate, up, bias] = [randn([N, K]), randn([N, K]), randn([N])]
  const [gateCodes, upCodes] = [quantize(gate, 'nvfp4'), quantize(up, 'nvfp4')]

  /** silu(x · aᵀ + biasA) · (x · bᵀ + biasB) in float64. */
  function gated(a: Tensor, b: Tensor, biasA: readonly number[], biasB: readonly number[]): number[] {
    const [rows, one, other] = [numbers(x), numbers(a), numbers(b)]
    const sum = (w: readonly number[], m: number, n: number): number =>
      Array.from({ length: K }, (_, k) => rows[m * K + k]! * w[n * K + k]!).reduce((total, each) => total + each, 0)
    return Array.from({ length: M * N }, (_, i) => {
      const [m, n] = [Math.floor(i / N), i % N]
      return silu(sum(one, m, n) + biasA[n]!) * (sum(other, m, n) + biasB[n]!)
    })
  }

  const none = Array.from({ length: N }, () => 0)
  const weights = (q: QuantizedTensor): Tensor => dequantize(q, 'f32')
  const forms: readonly [name: string, run: (x: Tensor) => Tensor, want: () => number[]][] = [
    ['weights [K, N]', v => v.matmul(gate.t()).silu().mul(v.matmul(up.t())), () => gated(gate, up, none, none)],
    [
      'biases, the gate last',
      v => v.matmul(up.t()).add(bias).mul(v.matmul(gate.t()).silu()),
      () => gated(gate, up, none, numbers(bias)),
    ],
    [
      'linear layers on a batch',
      v => {
        const batch = v.reshape([3, 3, K])
        return F.silu(F.linear(batch, gate))
          .mul(F.linear(batch, up, { bias }))
          .reshape([M, N])
      },
      () => gated(gate, up, none, numbers(bias)),
    ],
    [
      'decoded weights',
      v =>
        v
          .matmul(weights(gateCodes).t())
          .silu()
          .mul(v.matmul(weights(upCodes).t())),
      () => gated(weights(gateCodes), weights(upCodes), none, none),
    ],
    [
      'silu by hand',
      v => {
        const first = v.matmul(gate.t())
        return first.div(first.neg().exp().add(1)).mul(v.matmul(up.t()))
      },
      () => gated(gate, up, none, none),
    ],
  ]
  for (const [name, run, want] of forms) {
    it(`${name}: explain shows both matmuls in it`, () => {
      const explanation = compile(run).explain(x)
      const { kernels, segments } = explanation
      expect(kernels.map(({ tiles }) => tiles.dots.length)).toEqual([2])
      expect(String(explanation)).toContain('matmuls of 2 × 9×21×64 (M×N×K)')
      expect(kernels[0]!.name).toContain('dual_matmul')
      expect(segments[0]!.recognised.map(({ rule }) => rule)).toContain('dual matmul')
    })

    it.skipIf(!hasCompiler)(`${name}: its numbers (needs a C compiler)`, () => {
      const [got, wanted] = [numbers(compile(run)(x)), want()]
      const largest = Math.max(...wanted.map(Math.abs))
      for (const [i, value] of wanted.entries()) expect(Math.abs(got[i]! - value)).toBeLessThanOrEqual(1e-5 * largest)
    })
  }

  it.skipIf(!hasCompiler)('in f16 it gives what dualMatmul gives (needs a C compiler)', () => {
    const [v, w1, w2] = [x, gate, up].map(tensor => tensor.to('f16')) as [Tensor, Tensor, Tensor]
    const written = compile((rows: Tensor) => rows.matmul(w1.t()).silu().mul(rows.matmul(w2.t())))
    expect(numbers(written(v))).toEqual(numbers(dualMatmul(v, w1, w2)))
  })

  it('a matmul of other rows, or one that is a result, stays separate', () => {
    const other = randn([M, K])
    const apart = compile((v: Tensor) => v.matmul(gate.t()).silu().mul(other.matmul(up.t()))).explain(x)
    expect(apart.kernels.map(({ tiles }) => tiles.dots.length)).toEqual([1, 1])
    const shown = compile((v: Tensor) => {
      const first = v.to('f16').matmul(gate.to('f16').t())
      return [first, first.silu().mul(v.to('f16').matmul(up.to('f16').t()))]
    }).explain(x)
    expect(shown.segments[0]!.recognised).toEqual([])
  })
})
