/** The targets for which the report of changed kernels (scripts/kernels.ts) generates code. Their facts are fixed: any machine gives the same text. */

import { targetForCpu } from '../src/backends/cpu/target.js'
import { targetForCuda } from '../src/backends/cuda/target.js'
import type { Target } from '../src/backends/target.js'
import { symbolOf } from '../src/codegen/c/emit.js'
import { runPipeline } from '../src/compile/pipeline.js'
import type { Graph } from '../src/graph/ir.js'
import type { Plan } from '../src/schedule/plan/plan.js'
import { cpuTarget } from '../src/target/cpu.js'
import { cudaArchs, genericCudaTarget } from '../src/target/cuda.js'

export interface KernelTexts {
  readonly plan: Plan
  /** The generated code of each kernel of the plan, without shared text. */
  readonly code: readonly string[]
  /** Text that kernels share: helpers, type definitions. */
  readonly shared: readonly string[]
}

export interface ReportTarget {
  /** The target's folder. */
  readonly name: string
  texts(graph: Graph): KernelTexts
}

const probe = { arch: 'x64', model: 'report', cores: 2, l1Bytes: 48 << 10, l2Bytes: 1 << 20, l3Bytes: 32 << 20 }

const cTarget = (name: string, target: Target): ReportTarget => ({
  name,
  texts(graph) {
    const { plan, lanes } = runPipeline(graph, target)
    const units = lanes.map(lane => splitUnit(target.emitter().unit([lane]), symbolOf(lane)))
    return { plan, code: units.map(({ kernel }) => kernel), shared: units.flatMap(({ pieces }) => pieces) }
  },
})

/** A translation unit's kernel, with the comments above it, and the paragraphs before those. */
function splitUnit(source: string, symbol: string): { kernel: string; pieces: string[] } {
  const lines = source.split('\n')
  let start = lines.findIndex(line => line.startsWith(`void ${symbol}(`))
  while (lines[start - 1]?.startsWith('//')) start--
  return { kernel: lines.slice(start).join('\n'), pieces: lines.slice(0, start).join('\n').split('\n\n') }
}

/** Code for the best launches; modules share no text but their head. */
const ptxTarget = (name: string, target: Target): ReportTarget => ({
  name,
  texts(graph) {
    const { plan, lanes } = runPipeline(graph, target)
    return { plan, code: lanes.map(lane => target.emitter().unit([lane])), shared: [] }
  },
})

const avx512 = ['AVX', 'AVX2', 'FMA', 'F16C', 'AVX512F', 'AVX512VL', 'AVX512DQ', 'AVX512BW']

export const reportTargets: readonly ReportTarget[] = [
  cTarget('c-avx512', targetForCpu(cpuTarget({ ...probe, features: avx512 }))),
  cTarget('c-avx2', targetForCpu(cpuTarget({ ...probe, features: ['AVX', 'AVX2', 'FMA', 'F16C'] }))),
  ptxTarget('ptx-sm80', targetForCuda(genericCudaTarget(cudaArchs.sm_80))),
  ptxTarget('ptx-sm90a', targetForCuda(genericCudaTarget(cudaArchs.sm_90a))),
]
