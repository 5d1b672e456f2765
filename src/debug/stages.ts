/** The stages of a compilation, each of which can be run: passes on the graph interpreter, the plan on that of tiles, … */
import type { ComputeDevice } from '../backends/device.js'
import { computeDevice } from '../backends/index.js'
import type { Target } from '../backends/target.js'
import { makeExecutable, type Runner } from '../compile/execute/executable.js'
import { InterpretedPlan } from '../compile/execute/interpreted.js'
import { isInterpreted } from '../compile/execute/runner.js'
import { VersionedRunner } from '../compile/execute/versions.js'
import { artifactOf, graphSteps, type PipelineParts, runPipeline, type Stages } from '../compile/pipeline.js'
import type { HostTensor } from '../graph/record.js'
import { simulate } from '../lane/simulate.js'
import { laneArguments } from '../lower/shared/arguments.js'
import { evaluateSize, type Size } from '../scalar/size.js'
import { launchesAmong } from '../schedule/plan/plan.js'
import { makeLayout } from '../tensor/layout.js'
import { Tensor } from '../tensor/tensor.js'
import { type Case, hostOf, interpreted, tensorOf } from './case.js'

/** The compiler that is bisected, in parts. */
export interface CompilerParts extends PipelineParts {
  /** Default: that of the function's device. */
  readonly target?: Target
}

export interface Stage {
  /** pass: over the graph. fusion: from graph to kernels. lowering: from a kernel's tiles to code. code: emitted, compiled and run. */
  readonly kind: 'pass' | 'fusion' | 'lowering' | 'code'
  readonly name: string
  /** The rules of a pass, in order. */
  readonly rules?: readonly string[]
  /** What a case gives after it. `count`: with so many of its rules. */
  run(given: Case, count?: number): readonly HostTensor[]
}

/** The stages for a device, in order. Each is run after all before it. */
export function stagesOf(device: ComputeDevice, parts: CompilerParts): readonly Stage[] {
  const { steps = graphSteps, target = device.target } = parts
  const passes = steps.map(
    (step, i): Stage => ({
      kind: 'pass',
      name: step.name,
      ...(step.rules === undefined ? {} : { rules: step.rules }),
      run: (given, count) => {
        const before = steps.slice(0, i).reduce((graph, earlier) => earlier.run(graph).graph, given.graph)
        return interpreted({ ...given, graph: step.run(before, count).graph })
      },
    }),
  )
  const compiled = new WeakMap<Case, Stages>()
  const stagesFor = (given: Case): Stages => {
    const known = compiled.get(given) ?? runPipeline(given.graph, target, parts)
    compiled.set(given, known)
    return known
  }
  const host = computeDevice('cpu')
  const fusion: Stage = {
    kind: 'fusion',
    name: 'fusion and tiling',
    run: given => runOn(host, given, new InterpretedPlan(stagesFor(given).plan, host)),
  }
  const lowering: Stage = {
    kind: 'lowering',
    name: 'lowering',
    run: given => runOn(host, given, simulated(stagesFor(given), host)),
  }
  const code: Stage = {
    kind: 'code',
    name: `generated code on ${device.name}`,
    run: given => runOn(device, given, native(given, stagesFor(given), device, parts)),
  }
  return [...passes, fusion, ...(isInterpreted(device) ? [] : [...(device.isHost ? [lowering] : []), code])]
}

/** The names of the kernels that a case launches, with the ops fused into each. */
export const kernelsOf = ({ graph }: Case, { target, ...parts }: CompilerParts, device: ComputeDevice): string[] => {
  const { plan } = runPipeline(graph, target ?? device.target, parts)
  return launchesAmong(plan.steps).map(({ kernel, ops }) => `${plan.kernels[kernel]!.name} (${ops.join(', ')})`)
}

/** A plan whose kernels the simulator of threads runs. */
const simulated = ({ plan, lanes }: Stages, host: ComputeDevice): Runner =>
  new InterpretedPlan(plan, host, (program, args, [x, y = 1, z = 1]) =>
    simulate(lanes[plan.kernels.indexOf(program)]!, laneArguments(program, args), [x!, y, z]),
  )

function native({ graph }: Case, stages: Stages, device: ComputeDevice, parts: CompilerParts): Runner {
  const { target } = stages
  if (!target.specialises) return makeExecutable(artifactOf(stages), device, {})
  return new VersionedRunner(device, {}, variant => artifactOf(runPipeline(graph, target, { ...parts, variant })))
}

/** Runs a case: its outputs, then what its write-backs left in the inputs' memory. */
function runOn(
  device: ComputeDevice,
  { graph, inputs, scalars, symbols }: Case,
  runner: Runner,
): readonly HostTensor[] {
  const tensors = inputs.map(input => tensorOf(input, device.name))
  const results: Tensor[] = [...runner.run(tensors, scalars, symbols)]
  const values = new Map(graph.symbols.map(({ name }, i) => [name, symbols[i]!]))
  const size = (given: Size): number => evaluateSize(given, values)
  for (const { input, result, offset, shape, strides } of graph.writeBacks) {
    const { source, dtype, layout } = tensors[input]!
    const written = makeLayout(shape.map(size), strides.map(size), layout.offset + size(offset))
    results[result] = new Tensor(source, dtype, written, false)
  }
  return results.map(hostOf)
}
