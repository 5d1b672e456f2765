/** Makes a graph runnable: natively, or, when that was asked for, with the interpreter. Never one for the other. */

import { env } from '../base/env.js'
import { ArgumentError } from '../base/errors.js'
import type { Graph } from '../graph/ir.js'
import type { CpuDevice } from '../runtime/cpu/device.js'
import { scheduleGraph } from '../schedule/schedule.js'
import { CpuMachine } from './cpu-machine.js'
import { CudaRunner } from './cuda-runner.js'
import type { ComputeDevice } from './devices.js'
import { Executable, type Runner } from './executable.js'
import { InterpretedPlan } from './interpreted.js'
import { compileGraph, compileGraphAsync, optimise, type PipelineOptions, targetOf } from './pipeline.js'
import { bestVariant, type Variant } from './variant.js'

export type Backend = 'native' | 'interpreter'

/** The backend of this process. Throws ArgumentError when TEGULA_BACKEND is neither. */
export function backend(): Backend {
  const name = env('backend') ?? 'native'
  if (name === 'native' || name === 'interpreter') return name
  throw new ArgumentError(`TEGULA_BACKEND is '${name}'`, {
    fix: "set it to 'native' or 'interpreter', or unset it",
    at: null,
  })
}

export interface RunnerOptions extends PipelineOptions {
  /** On a GPU, run the plan as one graph. Default false. */
  readonly graphs?: boolean
}

export function makeRunner(graph: Graph, device: ComputeDevice, options: RunnerOptions = {}): Runner {
  const { graphs = false, ...pipeline } = options
  if (device.kind === 'cuda') return new CudaRunner(device, graphs, compilerOf(graph, device, pipeline))
  if (backend() === 'interpreter') return interpreted(graph, device)
  const artifact = compileGraph(graph, device, pipeline)
  const library = artifact.source === '' ? null : device.loadModule(artifact.source)
  return new Executable(artifact, new CpuMachine(artifact, device, library))
}

const compilerOf = (graph: Graph, device: ComputeDevice, options: PipelineOptions) => (variant: Variant) =>
  compileGraph(graph, device, { ...options, variant })

/** As `makeRunner`: the event loop turns while the C compiler runs, and between the compiler's own passes. */
export async function makeRunnerAsync(
  graph: Graph,
  device: ComputeDevice,
  options: RunnerOptions = {},
): Promise<Runner> {
  const { graphs = false, ...pipeline } = options
  if (device.kind === 'cuda') {
    const first = await compileGraphAsync(graph, device, { ...pipeline, variant: bestVariant })
    if (first.source !== '') await device.assembler.assembleAsync(first.source)
    return new CudaRunner(device, graphs, compilerOf(graph, device, pipeline), first)
  }
  if (backend() === 'interpreter') return interpreted(graph, device)
  await device.warmup()
  const artifact = await compileGraphAsync(graph, device, pipeline)
  const library = artifact.source === '' ? null : await device.loadModuleAsync(artifact.source)
  return new Executable(artifact, new CpuMachine(artifact, device, library))
}

const interpreted = (graph: Graph, device: CpuDevice): Runner =>
  new InterpretedPlan(scheduleGraph(optimise(graph).graph, targetOf(device)), device)
