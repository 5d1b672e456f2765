/** Kernels of samples and random programs, run by tile interpreter, lane simulator and C: all must agree. */

import { expect } from 'vitest'
import { runPipeline, type Stages } from '../../src/compile/pipeline.js'
import type { Graph } from '../../src/graph/ir.js'
import { type RecordName, recordTable } from '../../src/graph/ops/index.js'
import { SymbolicShapeError } from '../../src/graph/sizes.js'
import type { SchedulePolicy } from '../../src/schedule/policy.js'
import { small as smallOn, target } from '../schedule/run.js'
import { type Tolerance, toleranceFor } from '../support/compare.js'
import { type Launch, launchesOf, nativeDifferences, simulatedDifference } from '../support/launches.js'
import { programGraph, programTolerance, randomProgram } from '../support/random-graph.js'
import { graphOf, symbolicGraphOf } from '../support/record-graph.js'
import { allSamples, fewSamples, tellingSamples } from '../support/sample-choice.js'
import { type Sample, samplesFor } from '../support/samples.js'
import { specialSamples } from '../support/specials.js'
import type { TensorSpec } from '../support/tensor-spec.js'

type Tolerances = Launch['tolerance']

function launches(
  name: string,
  graph: Graph,
  inputs: readonly TensorSpec[],
  tolerance: Tolerances,
  policy?: SchedulePolicy,
): Launch[] {
  const { plan, lanes } = runPipeline(graph, target, policy === undefined ? {} : { policy })
  return launchesOf(name, plan, lanes, inputs, tolerance)
}

/**
 * Launches of an op's telling samples (TEST_SAMPLES=all: of all) as compiled for their shapes, and of a few of them for any
 * shapes, and in blocks so small that all loops run.
 */
export function opLaunches(name: RecordName): { readonly usual: Launch[]; readonly small: Launch[] } {
  const [usual, small]: [Launch[], Launch[]] = [[], []]
  const record = recordTable[name]
  const tolerance: Tolerances = dtype => toleranceFor(name, dtype)
  const chosen = tellingSamples(name, samplesFor(name))
  const inSmallBlocks = fewSamples(name, chosen, 2)
  const ofAnySize = fewSamples(name, samplesFor(name).filter(hasOwnSizes), 2)
  for (const sample of samplesFor(name)) {
    const graph = graphOf(record, sample)
    const say = (how: string): string => `${name}, ${sample.name}${how}`
    if (chosen.includes(sample)) usual.push(...launches(say(''), graph, sample.inputs, tolerance))
    if (inSmallBlocks.includes(sample)) {
      small.push(...launches(say(', small blocks'), graph, sample.inputs, tolerance, smallOn(target).policy))
    }
    if (!ofAnySize.includes(sample)) continue
    const symbolic = symbolicOrNull(() => symbolicGraphOf(record, sample))
    if (symbolic !== null) usual.push(...launches(say(', any sizes'), symbolic, sample.inputs, tolerance))
  }
  // The same kernels as above, so that they cost no compilation of their own.
  const plans = new Map<Sample, Stages>()
  for (const { sample, base } of specialSamples(name, allSamples ? undefined : 1)) {
    const stages = plans.get(base) ?? runPipeline(graphOf(record, base), target)
    plans.set(base, stages)
    usual.push(...launchesOf(`${name}, ${sample.name}`, stages.plan, stages.lanes, sample.inputs, tolerance))
  }
  return { usual, small }
}

/** One dtype stands for all: the rest differs as with fixed sizes. */
const hasOwnSizes = ({ inputs }: Sample): boolean =>
  inputs.length > 0 && inputs.every(({ dtype, strides }) => dtype === 'f32' && strides === undefined)

function symbolicOrNull(make: () => Graph): Graph | null {
  try {
    return make()
  } catch (error) {
    if (error instanceof SymbolicShapeError) return null
    throw error
  }
}

export function randomLaunches(seed: number): Launch[] {
  const program = randomProgram(seed)
  const tolerance = (dtype: Launch['program']['params'][number]['type']['dtype']): Tolerance =>
    programTolerance(program, { dtype, shape: [], data: [] })
  return launches(
    `random program ${seed}`,
    programGraph(program),
    program.inputs.map(({ spec }) => spec),
    tolerance,
  )
}

export function expectSimulated(all: readonly Launch[]): void {
  for (const launch of all) expect(simulatedDifference(launch), `${launch.name}, simulated`).toBeNull()
}

export function expectNative(all: readonly Launch[]): void {
  if (all.length === 0) return
  for (const [launch, problem] of nativeDifferences(all)) expect(problem, `${launch.name}, compiled`).toBeNull()
}
