/** The workloads of examples/workloads as cases: each variant as a CUDA graph, beside the peer's figures for the same work. */
import { type AnyBenchCase, compile, manualSeed, scope } from 'tegula'
import * as attention from '../../examples/workloads/attention.js'
import * as dual from '../../examples/workloads/dual.js'
import * as experts from '../../examples/workloads/experts.js'
import * as fp8 from '../../examples/workloads/fp8.js'
import * as grouped from '../../examples/workloads/grouped.js'
import * as mxint8 from '../../examples/workloads/mxint8.js'
import { requireExpected } from '../../src/profile/agreement.js'
import type { Bars, GpuCase, Measured } from './case.js'
import type { TimingOptions } from './timing.js'

type Call = (...args: readonly never[]) => unknown

interface Settings {
  readonly timing: TimingOptions
  bars(variant: string): Bars
}

/** Every variant, compiled with `reduce-overhead`, checked on the workload's sample, then timed. */
export function workloadCase(name: string, each: AnyBenchCase, { timing, bars }: Settings): GpuCase {
  const { bytes, flops } = each.work ?? {}
  return {
    name,
    run(timer) {
      manualSeed(0)
      const inputs = each.inputs() as readonly never[]
      const expected = each.expected === undefined ? null : { numbers: (each.expected as Call)(...inputs) }
      return Object.entries(each.variants).map(([variant, fn]): Measured => {
        const compiled = compile(fn as Call, { mode: 'reduce-overhead' }) as Call
        scope(() => {
          const result = compiled(...inputs)
          const part = each.sample === undefined ? result : each.sample(result as never)
          if (expected !== null) requireExpected(`${name}, ${variant}`, part, expected.numbers, each.tolerance ?? null)
        })
        const us = timer.time(() => void compiled(...inputs), timing)
        return {
          case: name,
          variant,
          us,
          ...(flops === undefined ? {} : { flops }),
          ...(bytes === undefined ? {} : { bytes }),
          ...bars(variant),
        }
      })
    },
  }
}

/** Without an L2 flush, as the peer measures it: the weights of a group fill the cache anyway. */
const warm: TimingOptions = { flush: false }

function groupCase(each: AnyBenchCase, name: string, bar: number): GpuCase {
  const peer = { case: name, variants: ['dequant_'] }
  return workloadCase(name, each, { timing: warm, bars: () => ({ peer, bar }) })
}

const groupBars = [
  ['group8_n4096_k7168', 2.5],
  ['group8_n7168_k2048', 6],
  ['group2_n3072_k4096', 4],
  ['group2_n4096_k1536', 3.5],
] as const

const dualNames = ['dual_256x4096x7168', 'dual_512x4096x7168', 'dual_256x3072x4096', 'dual_512x3072x7168']

const fp8Names = ['gemm_fp8_4096', 'gemm_fp8_rowwise_4096', 'gemm_fp8_8192', 'gemm_fp8_rowwise_8192']

const attentionNames = ['bf16_d64', 'causal_bf16_d64', 'bf16_d128', 'causal_bf16_d128']

function attentionCase(each: AnyBenchCase, name: string): GpuCase {
  const flash: Bars = { peer: { case: `attention_${name}` }, ...(name.startsWith('causal') ? {} : { bar: 0.8 }) }
  const naive: Bars = { peer: { case: `attention_written_out_${name}` }, ...(name === 'bf16_d128' ? { bar: 3 } : {}) }
  const bars = (variant: string): Bars => (variant === 'written out' ? naive : flash)
  return workloadCase(`attention_${name}`, each, { timing: warm, bars })
}

/** Created while the default device is a GPU, which determines the sizes. */
export function workloadCases(): readonly GpuCase[] {
  const sizes = { quick: false }
  const groups: readonly AnyBenchCase[] = grouped.cases(sizes)
  const duals: readonly AnyBenchCase[] = dual.cases(sizes)
  const products: readonly AnyBenchCase[] = fp8.cases(sizes)
  const heads: readonly AnyBenchCase[] = attention.cases(sizes)
  const mixture: AnyBenchCase = experts.cases(sizes)[0]!
  const decoding: AnyBenchCase = mxint8.cases(sizes)[0]!
  return [
    ...groupBars.map(([name, bar], i) => groupCase(groups[i]!, name, bar)),
    ...dualNames.map((name, i) => groupCase(duals[i]!, name, 1.2)),
    workloadCase('mxint8_dequant_58M', decoding, {
      timing: {},
      bars: () => ({ bar: 1.4, share: 0.8, peer: { case: 'mxint8_dequant_58M' } }),
    }),
    ...fp8Names.map((name, i) => workloadCase(name, products[i]!, { timing: warm, bars: () => ({}) })),
    workloadCase('experts_nvfp4', mixture, { timing: warm, bars: () => ({}) }),
    ...attentionNames.map((name, i) => attentionCase(heads[i]!, name)),
  ]
}
