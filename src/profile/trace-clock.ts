/** Times of kernels as CUPTI traced them: what runs is what runs without a profiler, CUDA graphs, branches and early starts included. */
import { type PlanRun, runPlan } from '../compile/execute/run-observer.js'
import type { CudaDevice } from '../runtime/cuda/device.js'
import type { StepList } from '../runtime/cuda/steps.js'
import { type KernelClock, type TakeTime, timesAlone } from './kernel-clock.js'
import { hashOf, type KernelTrace, type TracedKernel } from './kernel-trace.js'

/** Kernels launched one after another or as one graph, and who wants to know their times. */
interface Launched {
  readonly names: readonly number[]
  readonly takes: readonly TakeTime[]
}

export class TraceClock implements KernelClock {
  readonly dividesGraphs = true
  readonly #launched: Launched[] = []
  readonly #gpus = new Set<CudaDevice>()
  readonly #hashes = new Map<string, number>()
  #runs = true

  /** `trace`: that has started. */
  constructor(readonly trace: KernelTrace) {}

  plan(gpu: CudaDevice, run: PlanRun, steps: StepList, takes: readonly TakeTime[]): void {
    const launched = takes.flatMap((take, i) =>
      steps.isEmpty(run.first + i) ? [] : [{ take, name: steps.labels[run.first + i]!.kernel }],
    )
    this.#add(
      gpu,
      launched.map(({ name }) => name),
      launched.map(({ take }) => take),
    )
    runPlan(run)
  }

  kernels(gpu: CudaDevice, names: readonly string[], run: () => void, takes: readonly TakeTime[]): void {
    this.#add(gpu, names, takes)
    run()
  }

  read(): number {
    for (const gpu of this.#gpus) gpu.synchronize()
    const kernels = this.#stop()
    const alone = aloneOnEach(kernels)
    const found = matchLaunches(
      this.#launched.map(({ names }) => names),
      kernels.map(({ correlation, name }) => ({ correlation, name })),
    )
    for (const [i, { takes }] of this.#launched.entries()) {
      for (const [k, at] of found[i]!.entries()) {
        const { start, end } = kernels[at]!
        takes[k]!({ start, duration: end - start, alone: alone[at]! })
      }
    }
    return this.#launched.reduce((sum, { names }, i) => sum + names.length - found[i]!.length, 0)
  }

  end(): void {
    if (!this.#runs) return
    for (const gpu of this.#gpus) if (gpu.context.lost === null) gpu.synchronize()
    this.#stop()
  }

  #stop(): TracedKernel[] {
    this.#runs = false
    return this.trace.stop()
  }

  #add(gpu: CudaDevice, names: readonly string[], takes: readonly TakeTime[]): void {
    this.#gpus.add(gpu)
    this.#launched.push({ names: names.map(name => this.#hash(name)), takes })
  }

  #hash(name: string): number {
    const hash = this.#hashes.get(name) ?? hashOf(name)
    this.#hashes.set(name, hash)
    return hash
  }
}

/** By kernel. */
function aloneOnEach(kernels: readonly TracedKernel[]): Float64Array {
  const alone = new Float64Array(kernels.length)
  for (const device of new Set(kernels.map(kernel => kernel.device))) {
    const indices = [...kernels.keys()].filter(i => kernels[i]!.device === device)
    const times = timesAlone(indices.map(i => kernels[i]!))
    for (const [k, i] of indices.entries()) alone[i] = times[k]!
  }
  return alone
}

/**
 * Finds the kernels of each launch, by name, among those of the next calls: the index of each kernel, or none if some were not traced.
 * `kernels` are ordered by call, those of one call (a graph's) by their start. Calls of others are skipped.
 */
export function matchLaunches(
  launches: readonly (readonly number[])[],
  kernels: readonly Pick<TracedKernel, 'correlation' | 'name'>[],
): number[][] {
  let from = 0
  return launches.map(names => {
    const found = matchOne(names, kernels, from)
    if (found === null) return []
    from = found.length === 0 ? from : endOfCall(kernels, Math.max(...found))
    return found
  })
}

function matchOne(
  names: readonly number[],
  kernels: readonly Pick<TracedKernel, 'correlation' | 'name'>[],
  from: number,
): number[] | null {
  const found = new Array<number>(names.length).fill(-1)
  let left = names.length
  let first = 0 // most run in the order of their launch
  for (let at = from; left > 0 && at < kernels.length; at++) {
    const { name } = kernels[at]!
    const index = names.findIndex((each, i) => i >= first && each === name && found[i] === -1)
    if (index === -1) continue
    found[index] = at
    left--
    while (found[first]! >= 0) first++
  }
  return left === 0 ? found : null
}

function endOfCall(kernels: readonly Pick<TracedKernel, 'correlation'>[], at: number): number {
  let end = at + 1
  while (end < kernels.length && kernels[end]!.correlation === kernels[at]!.correlation) end++
  return end
}
