/** Runs what a pipeline's stages launch, kernels joined as they are: in the simulators, or as C. */

import { emitC, scratchBytes, symbolOf } from '../../src/codegen/c/emit.js'
import { prepare } from '../../src/codegen/ptx/prepare.js'
import type { LaunchedKernel } from '../../src/compile/execute/launches.js'
import type { Stages } from '../../src/compile/pipeline.js'
import type { HostTensor } from '../../src/graph/record.js'
import { simulate } from '../../src/lane/simulate.js'
import { simulateBlocks } from '../../src/lane/simulate-block.js'
import { interpretPlan } from '../../src/schedule/plan/interpret.js'
import { launchesAmong } from '../../src/schedule/plan/plan.js'
import type { InterpreterArgument } from '../../src/tile/interpret.js'
import type { TileProgram } from '../../src/tile/ir.js'
import { compileNative, exactFlags } from '../codegen/native.js'
import { laneArguments, threeSizes } from '../lower/arguments.js'
import { nativeArguments } from '../lower/support.js'
import { cpuFacts, memoryOf, readOutput, symbolsOf } from '../schedule/run.js'
import type { TensorSpec } from './tensor-spec.js'

export type Way = (
  kernel: LaunchedKernel,
  program: TileProgram,
  args: readonly InterpreterArgument[],
  grid: readonly number[],
) => void

export const simulated: Way = ({ lane }, program, args, grid) =>
  simulate(lane, laneArguments(program, args), threeSizes(grid))
export const inBlocks: Way = ({ lane }, program, args, grid) =>
  void simulateBlocks(prepare(lane), laneArguments(program, args), threeSizes(grid))

export function inC({ launches }: Stages): Way {
  const lanes = launches.kernels.map(({ lane }) => lane)
  const library = compileNative(emitC(lanes, { vectorBytes: cpuFacts.vectorBytes }), exactFlags)
  return ({ lane }, program, args, grid) =>
    library.kernel(symbolOf(lane), scratchBytes(lane))(nativeArguments(program, args), threeSizes(grid))
}

/** The results, and what the inputs' memory holds afterwards. */
export function runLaunched(
  { launches }: Stages,
  inputs: readonly TensorSpec[],
  way: Way,
): { readonly results: HostTensor[]; readonly memory: readonly (readonly unknown[])[] } {
  const { plan, kernels } = launches
  // Launches are run by the way alone: all that is asked of a kernel is what it takes.
  const programs = kernels.map(({ params, lane: { name } }) => ({ name, params }) as unknown as TileProgram)
  const whole = { ...plan, kernels: programs }
  const memories = inputs.map(memoryOf)
  const call = { inputs: memories, scalars: [], symbols: symbolsOf(whole, inputs) }
  const results = interpretPlan(whole, call, (program, args, grid) =>
    way(kernels[programs.indexOf(program)]!, program, args, grid),
  )
  return {
    results: results.map((result, i) => readOutput(result, plan.outputs[i]!.dtype)),
    memory: memories.map(({ data }) => [...(data as Iterable<unknown>)]),
  }
}

/** The kernels that are launched, in order. */
export const launchedNames = ({ launches: { plan, kernels } }: Stages): string[] =>
  launchesAmong(plan.steps).map(({ kernel }) => kernels[kernel]!.lane.name)
