/** Runs a graph through the scheduler and its plan through the interpreter, on memory laid out as the inputs say. */

import type { CpuLimits } from '../../src/backends/cpu/limits.js'
import { cpuPolicy } from '../../src/backends/cpu/policy.js'
import { targetForCpu } from '../../src/backends/cpu/target.js'
import type { CudaLimits } from '../../src/backends/cuda/limits.js'
import { cudaPolicy } from '../../src/backends/cuda/policy.js'
import { targetForCuda } from '../../src/backends/cuda/target.js'
import type { Target } from '../../src/backends/target.js'
import type { Graph } from '../../src/graph/ir.js'
import { graphPasses } from '../../src/graph/passes/index.js'
import { inlineRegions } from '../../src/graph/passes/inline-regions.js'
import type { HostTensor } from '../../src/graph/record.js'
import { verify } from '../../src/ir/verify.js'
import type { Value } from '../../src/scalar/ops.js'
import { type HostOutput, interpretPlan } from '../../src/schedule/plan/interpret.js'
import { launchesAmong, type Plan } from '../../src/schedule/plan/plan.js'
import type { SchedulePolicy } from '../../src/schedule/policy.js'
import { scheduleGraph } from '../../src/schedule/schedule.js'
import { type CpuTarget, cpuTarget } from '../../src/target/cpu.js'
import { type CudaTarget, cudaArchs, genericCudaTarget } from '../../src/target/cuda.js'
import { type TileNode, tileDialect } from '../../src/tile/ir.js'
import { codecOf } from '../../src/types/codec.js'
import type { Dtype } from '../../src/types/dtype.js'
import { type StoredArray, storedArrayType } from '../../src/types/memory.js'
import { storageOf, type TensorSpec } from '../support/tensor-spec.js'

export const cpuFacts: CpuTarget = cpuTarget({
  arch: 'x64',
  model: 'test',
  cores: 2,
  features: ['AVX512F', 'AVX512VL', 'FMA', 'F16C'],
  l1Bytes: 48 * 1024,
  l2Bytes: 2 * 1024 * 1024,
  l3Bytes: 32 * 1024 * 1024,
})
export const target: Target = targetForCpu(cpuFacts)

const encode = (dtype: Dtype, value: Value): Value => codecOf(dtype)?.encode(Number(value)) ?? value
const decode = (dtype: Dtype, value: Value): Value => codecOf(dtype)?.decode(Number(value)) ?? value

/** The memory of a tensor and where its first element lies. */
export function memoryOf(spec: TensorSpec): { data: StoredArray; offset: number } {
  const { data, offset } = storageOf(spec)
  const array = new (storedArrayType(spec.dtype))(data.length)
  data.forEach((value, i) => {
    array[i] = encode(spec.dtype, value) as never
  })
  return { data: array, offset }
}

/** The elements of a strided tensor in row-major order. */
export function readOutput({ data, offset, shape, strides }: HostOutput, dtype: Dtype): HostTensor {
  const values: Value[] = []
  const walk = (dim: number, at: number): void => {
    if (dim === shape.length) values.push(decode(dtype, data[at]!))
    else for (let i = 0; i < shape[dim]!; i++) walk(dim + 1, at + i * strides[dim]!)
  }
  walk(0, offset)
  return { dtype, shape, data: values }
}

/** Limits that make a few dozen elements take several blocks, passes and parts. */
export const smallLimits: CpuLimits & CudaLimits = {
  maxProgram: 24,
  minProgram: 4,
  maxRow: 6,
  maxColumns: 4,
  symbolic: 4,
  alignment: 2,
  transposeSide: 3,
  maxScan: 3,
  maxRanked: 6,
  sortBlock: 32,
  maxInserted: 8,
  conv: { outputs: 2, work: 0 },
  minSplit: 8,
  minAttention: 8,
  smallProduct: 1,
  matmul: { rows: [2, 3], columns: [2, 4], depth: 3 },
  attention: { queries: 2, keys: 3 },
  cuda: {
    maxReduction: 32,
    maxPointwise: 16,
    minPointwise: 4,
    maxRow: 8,
    minBlocks: 5,
    rowThreads: [1, 4],
    transposeSide: 4,
    selectTile: 32,
    rankBlock: 16,
    rowElements: 6,
    columnBytes: 32,
    longColumns: 512,
    columnWarps: 1,
    minChained: 16,
    partsPerSlot: 2,
    matmul: { m: 4, n: 2, k: 4 },
    matmulRank: 0,
  },
}

/** A GPU of few multiprocessors, so that small tensors are split among all of them. */
export const gpuFacts: CudaTarget = { ...genericCudaTarget(cudaArchs.sm_90a), multiprocessors: 2 }
export const gpu: Target = targetForCuda(gpuFacts)

/** Small blocks for either of the two. */
export const small = (on: Target): { readonly policy: SchedulePolicy } => ({
  policy: on === target ? cpuPolicy(cpuFacts, smallLimits) : cudaPolicy(gpuFacts, smallLimits),
})

/** A plan whose kernels have been verified. */
export function planOf(
  graph: Graph,
  optimise = false,
  { policy }: { readonly policy?: SchedulePolicy } = {},
  on: Target = target,
): Plan {
  const passes = optimise ? graphPasses : [inlineRegions]
  const optimised = passes.reduce((current, pass) => pass.run(current), graph)
  const plan = scheduleGraph(optimised, policy ?? on.policy)
  for (const kernel of plan.kernels) verify<TileNode>(tileDialect, kernel.body)
  return plan
}

export function symbolsOf(plan: Pick<Plan, 'symbols'>, inputs: readonly TensorSpec[]): number[] {
  return plan.symbols.map(({ input, kind, dim }) =>
    kind === 'size' ? inputs[input]!.shape[dim]! : storageOf(inputs[input]!).strides[dim]!,
  )
}

export function runPlan(plan: Plan, inputs: readonly TensorSpec[], scalars: readonly Value[] = []): HostTensor[] {
  const results = interpretPlan(plan, { inputs: inputs.map(memoryOf), scalars, symbols: symbolsOf(plan, inputs) })
  return results.map((result, i) => readOutput(result, plan.outputs[i]!.dtype))
}

/** The names of the kernels launched, in order. */
export const launches = (plan: Plan): string[] => launchesAmong(plan.steps).map(step => plan.kernels[step.kernel]!.name)
