/** Times of kernels as CUPTI traced them: what runs is what runs without a profiler, CUDA graphs, branches and early starts included. */
import { groupBy } from '../base/group-by.js'
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
 * Assigns traced kernels to launches by name: the index of the kernel of each name of a launch, or none if some of them were not traced.
 * `kernels` are in order of the driver calls that launched them, those of one call (a CUDA graph) by start time. Kernels that belong to no
 * launch are skipped.
 */
export function matchLaunches(
  launches: readonly (readonly number[])[],
  kernels: readonly Pick<TracedKernel, 'correlation' | 'name'>[],
): number[][] {
  const byName = groupBy(kernels.keys(), at => kernels[at]!.name)
  /** Of each name: how many of its kernels come before `from`. */
  const passed = new Map<number, number>()
  let from = 0
  const matchOne = (names: readonly number[]): number[] | null => {
    const taken = new Map<number, number>()
    const found: number[] = []
    for (const name of names) {
      const all = byName.get(name) ?? []
      let next = taken.get(name) ?? passed.get(name) ?? 0
      while (next < all.length && all[next]! < from) next++
      if (!taken.has(name)) passed.set(name, next)
      if (next === all.length) return null
      found.push(all[next]!)
      taken.set(name, next + 1)
    }
    return found
  }
  return launches.map(names => {
    const found = matchOne(names)
    if (found === null) return []
    if (found.length > 0) from = endOfCall(kernels, Math.max(...found))
    return found
  })
}

function endOfCall(kernels: readonly Pick<TracedKernel, 'correlation'>[], at: number): number {
  let end = at + 1
  while (end < kernels.length && kernels[end]!.correlation === kernels[at]!.correlation) end++
  return end
}
