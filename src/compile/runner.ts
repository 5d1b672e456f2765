/** Makes a graph runnable: natively, or, when that was asked for, with the interpreter. Never one for the other. */

import { env } from '../base/env.js'
import { ArgumentError } from '../base/errors.js'
import type { Graph } from '../graph/ir.js'
import type { CpuDevice } from '../runtime/cpu/device.js'
import { type ScheduleOptions, scheduleGraph } from '../schedule/schedule.js'
import { Executable, type Runner } from './executable.js'
import { InterpretedPlan } from './interpreted.js'
import { compileGraph, compileGraphAsync, optimise, targetOf } from './pipeline.js'

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

export function makeRunner(graph: Graph, device: CpuDevice, options: ScheduleOptions = {}): Runner {
  if (backend() === 'interpreter') return interpreted(graph, device)
  const artifact = compileGraph(graph, device, options)
  return new Executable(artifact, device, artifact.source === '' ? null : device.loadModule(artifact.source))
}

/** As `makeRunner`: the event loop turns while the C compiler runs, and between the compiler's own passes. */
export async function makeRunnerAsync(graph: Graph, device: CpuDevice, options: ScheduleOptions = {}): Promise<Runner> {
  if (backend() === 'interpreter') return interpreted(graph, device)
  await device.warmup()
  const artifact = await compileGraphAsync(graph, device, options)
  const library = artifact.source === '' ? null : await device.loadModuleAsync(artifact.source)
  return new Executable(artifact, device, library)
}

const interpreted = (graph: Graph, device: CpuDevice): Runner =>
  new InterpretedPlan(scheduleGraph(optimise(graph).graph, targetOf(device)), device)
