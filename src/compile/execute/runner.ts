/** Makes a graph runnable: as native code, or by the interpreter if TEGULA_BACKEND says so. Neither falls back to the other. */
import type { Artifact } from '../../backends/artifact.js'
import type { ComputeDevice, MachineOptions } from '../../backends/device.js'
import { env } from '../../base/env.js'
import { ArgumentError } from '../../base/errors.js'
import { isLogged, log } from '../../base/log.js'
import type { SourceLocation } from '../../base/source.js'
import type { Graph } from '../../graph/ir.js'
import { isLaunch } from '../../schedule/plan/plan.js'
import { scheduleGraph } from '../../schedule/schedule.js'
import { compileGraph, compileGraphAsync, optimise, type PipelineOptions } from '../pipeline.js'
import { type Executable, makeExecutable, type Runner } from './executable.js'
import { InterpretedPlan } from './interpreted.js'
import { bestVariant, type Variant } from './variant.js'
import { VersionedRunner } from './versions.js'

export type Execution = 'native' | 'interpreter'

/** How this process runs graphs on the host. Throws ArgumentError when TEGULA_BACKEND is neither. */
export function backend(): Execution {
  const name = env('backend') ?? 'native'
  if (name === 'native' || name === 'interpreter') return name
  throw new ArgumentError(`TEGULA_BACKEND is '${name}'`, {
    fix: "set it to 'native' or 'interpreter', or unset it",
    at: null,
  })
}

/** Whether the interpreter runs graphs on this device: TEGULA_BACKEND says so, and the device's memory is the host's. */
export const isInterpreted = ({ isHost }: ComputeDevice): boolean => isHost && backend() === 'interpreter'

export interface RunnerOptions extends PipelineOptions, MachineOptions {}

export function makeRunner(graph: Graph, device: ComputeDevice, options: RunnerOptions = {}): Runner {
  if (isInterpreted(device)) return interpreted(graph, device)
  const { graphs = false, ...pipeline } = options
  if (device.target.specialises)
    return logged(new VersionedRunner(device, { graphs }, compilerOf(graph, device, pipeline)), options)
  const artifact = compileGraph(graph, device, pipeline)
  return logged(makeExecutable(artifact, device, { graphs }), options)
}

/** The runner; logs what was fused into its kernels, and where their code is. */
function logged<R extends Executable | VersionedRunner>(runner: R, { name = 'a graph' }: RunnerOptions): R {
  if (!isLogged('fusion') && !isLogged('code')) return runner
  const { plan, kernels, source } = runner.artifact
  for (const step of [plan, ...plan.blocks].flatMap(({ steps }) => steps)) {
    if (!isLaunch(step)) continue
    const what = (): string => `${kernels[step.kernel]!.symbol} is ${step.ops.join(', ')}${otherLines(step.lines)}`
    log('fusion', name, what, step.lines[0])
  }
  const where = (): string => runner.sourcePath ?? 'nowhere: no kernel'
  log('code', name, () => `${kernels.length} kernels, ${source.length} characters, in ${where()}`)
  return runner
}

const otherLines = ([, ...lines]: readonly SourceLocation[]): string =>
  lines.length === 0 ? '' : `, also of ${lines.map(({ file, line }) => `${file}:${line}`).join(', ')}`

const compilerOf =
  (graph: Graph, device: ComputeDevice, options: PipelineOptions) =>
  (variant: Variant): Artifact =>
    compileGraph(graph, device, { ...options, variant })

/** As `makeRunner`, but the event loop runs between our passes and while the device's compiler works. */
export async function makeRunnerAsync(
  graph: Graph,
  device: ComputeDevice,
  options: RunnerOptions = {},
): Promise<Runner> {
  if (isInterpreted(device)) return interpreted(graph, device)
  const { graphs = false, ...pipeline } = options
  await device.warmup()
  const { specialises } = device.target
  const first = await compileGraphAsync(graph, device, specialises ? { ...pipeline, variant: bestVariant } : pipeline)
  const executable = makeExecutable(first, device, { graphs }, await device.machineAsync(first, { graphs }))
  if (!specialises) return logged(executable, options)
  return logged(new VersionedRunner(device, { graphs }, compilerOf(graph, device, pipeline), executable), options)
}

function interpreted(graph: Graph, device: ComputeDevice): Runner {
  const { policy, interpreted = policy } = device.target
  return new InterpretedPlan(scheduleGraph(optimise(graph).graph, interpreted), device)
}
