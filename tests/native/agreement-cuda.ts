/** Kernels of samples as scheduled, lowered and expanded for a GPU: what blocks of threads leave in simulated memory. */
import { expect } from 'vitest'
import { prepare } from '../../src/codegen/ptx/prepare.js'
import { runPipeline } from '../../src/compile/pipeline.js'
import type { Graph } from '../../src/graph/ir.js'
import { type RecordName, recordTable } from '../../src/graph/ops/index.js'
import { nodesOf } from '../../src/ir/walk.js'
import type { LaneProgram } from '../../src/lane/ir.js'
import { type BlockOptions, simulateBlocks } from '../../src/lane/simulate-block.js'
import { lowerSimt } from '../../src/lower/simt/lower.js'
import type { CudaTarget } from '../../src/target/cuda.js'
import { simplify } from '../../src/tile/passes/simplify.js'
import { laneArguments, threeSizes } from '../lower/arguments.js'
import { factsOf } from '../lower/blocks.js'
import { gpu, gpuFacts, small as smallOn } from '../schedule/run.js'
import { toleranceFor } from '../support/compare.js'
import { copyOf, type Launch, launchesOf, memoryDifference } from '../support/launches.js'
import { graphOf } from '../support/record-graph.js'
import { allSamples, fewSamples, tellingSamples } from '../support/sample-choice.js'
import { samplesFor } from '../support/samples.js'

/** Launches of an op's telling samples in blocks of usual size, or of a few in blocks so small that all loops run. */
export function cudaLaunches(name: RecordName, small: boolean): Launch[] {
  const record = recordTable[name]
  const telling = tellingSamples(name, samplesFor(name))
  return fewSamples(name, telling, small ? 2 : 4).flatMap(sample => {
    const graph: Graph = graphOf(record, sample)
    const { plan, lanes } = runPipeline(graph, gpu, small ? smallOn(gpu) : {})
    const label = `${name}, ${sample.name}${small ? ', small blocks' : ''}`
    return launchesOf(label, plan, lanes, sample.inputs, dtype => toleranceFor(name, dtype))
  })
}

/** The launch's kernel for what these arguments allow, with the formulas that stand for scalar functions in PTX. */
export const expandedLane = ({ program, before }: Launch, on: CudaTarget = gpuFacts): LaneProgram =>
  prepare(lowerSimt(simplify(program), on, factsOf(program, before)))

/** Launches that take at least this many steps of threads (nodes once each, loops not counted) are left to TEST_SAMPLES=all. */
const mostSteps = 20e6
const leastSteps = ({ body, block }: LaneProgram, grid: readonly number[]): number =>
  grid.reduce((product, size) => product * size, block?.threads ?? 1) * [...nodesOf(body)].length

/** Gives the names of the launches that it left out. */
export function expectBlocks(
  launches: readonly Launch[],
  on: CudaTarget = gpuFacts,
  options: BlockOptions = {},
): string[] {
  const left: string[] = []
  for (const launch of launches) {
    const lane = expandedLane(launch, on)
    if (!allSamples && leastSteps(lane, launch.grid) > mostSteps) {
      left.push(launch.name)
      continue
    }
    const args = copyOf(launch.before)
    simulateBlocks(lane, laneArguments(launch.program, args), threeSizes(launch.grid), options)
    expect(memoryDifference(launch, args, launch.exactness !== 'exact'), launch.name).toBeNull()
  }
  return left
}
