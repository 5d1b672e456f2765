/** Kernels of samples as scheduled, lowered and expanded for a GPU: what blocks of threads leave in simulated memory. */
import { expect } from 'vitest'
import { prepare } from '../../src/codegen/ptx/prepare.js'
import { runPipeline } from '../../src/compile/pipeline.js'
import type { Graph } from '../../src/graph/ir.js'
import { type RecordName, recordTable } from '../../src/graph/ops/index.js'
import type { LaneProgram } from '../../src/lane/ir.js'
import { simulateBlocks } from '../../src/lane/simulate-block.js'
import { lowerSimt } from '../../src/lower/simt/lower.js'
import { simplify } from '../../src/tile/passes/simplify.js'
import { laneArguments, threeSizes } from '../lower/arguments.js'
import { factsOf } from '../lower/blocks.js'
import { gpu, smallLimits } from '../schedule/run.js'
import { toleranceFor } from '../support/compare.js'
import { copyOf, type Launch, launchesOf, memoryDifference } from '../support/launches.js'
import { graphOf } from '../support/record-graph.js'
import { samplesFor } from '../support/samples.js'

/** All launches of an op's samples, in blocks of usual size, or in blocks so small that all loops run. */
export function cudaLaunches(name: RecordName, small: boolean): Launch[] {
  const record = recordTable[name]
  return samplesFor(name).flatMap(sample => {
    const graph: Graph = graphOf(record, sample)
    const { plan, lanes } = runPipeline(graph, gpu, small ? { limits: smallLimits } : {})
    const label = `${name}, ${sample.name}${small ? ', small blocks' : ''}`
    return launchesOf(label, plan, lanes, sample.inputs, dtype => toleranceFor(name, dtype))
  })
}

/** The launch's kernel for what these arguments allow, with the formulas that stand for scalar functions in PTX. */
export const expandedLane = ({ program, before }: Launch): LaneProgram =>
  prepare(lowerSimt(simplify(program), gpu, factsOf(program, before)))

export function expectBlocks(launches: readonly Launch[]): void {
  for (const launch of launches) {
    const args = copyOf(launch.before)
    simulateBlocks(expandedLane(launch), laneArguments(launch.program, args), threeSizes(launch.grid))
    expect(memoryDifference(launch, args, launch.exactness !== 'exact'), launch.name).toBeNull()
  }
}
