/** Records spans and kernels while it observes: what a profiler does between start and stop. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { type SourceLocation, userLocation } from '../base/source.js'
import type { SpanKind, SpanObserver } from '../base/spans.js'
import {
  type PlanRun,
  type ReplayRun,
  type RunObserver,
  runPlan,
  type SingleRun,
} from '../compile/execute/run-observer.js'
import { modulePath } from '../nn/module-path.js'
import { cpuDevice } from '../runtime/cpu/device.js'
import type { CudaDevice } from '../runtime/cuda/device.js'
import { StepList } from '../runtime/cuda/steps.js'
import type { Device } from '../tensor/device.js'
import { TensorHandle } from '../tensor/handle.js'
import type { Tensor } from '../tensor/tensor.js'
import { CpuMemory } from './cpu-memory.js'
import { gpuOfDevice } from './device-limits.js'
import { EventClock } from './event-clock.js'
import type { KernelClock, TakeTime } from './kernel-clock.js'
import { kernelTrace } from './kernel-trace.js'
import { type PlannedLaunch, plannedLaunches, plannedWork } from './planned-work.js'
import type { DeviceSpan, MemorySample, ProfileRecord, RecordedKind, SpanRecord } from './records.js'
import { TraceClock } from './trace-clock.js'

/** A span whose texts are made when recording has ended. */
interface Draft {
  readonly kind: RecordedKind
  readonly name: string
  readonly start: number
  duration: number
  readonly parent: number
  readonly inputs: readonly Pick<Tensor, 'dtype' | 'shape'>[]
  readonly module: string
  readonly line: SourceLocation | null
  readonly launch: Launch | null
  onDevice: DeviceSpan | null
  /** In use at its start; once it has ended, the difference. */
  memory: number
}

/** A kernel launch with the symbolic sizes of its call: bytes and FLOP are evaluated after recording, off the hot path. */
interface Launch extends PlannedLaunch {
  readonly artifact: PlanRun['artifact']
  readonly symbols: Float64Array
}

export interface RecorderOptions {
  /** Record the user's line of each op; it costs some microseconds an op. */
  readonly lines: boolean
}

const none: readonly never[] = []
const nanosecondsNow = (): number => performance.now() * 1e6

export class Recorder implements SpanObserver, RunObserver {
  readonly #options: RecorderOptions
  readonly #origin: number
  readonly #drafts: Draft[] = []
  /** Index of the span that code runs in. What an async function does after an await is in the span that it was in before. */
  readonly #around = new AsyncLocalStorage<number>()
  /** By GPU; all share the one of CUPTI. */
  readonly #clocks = new Map<CudaDevice, KernelClock>()
  /** When each clock began, by the host's clock. */
  readonly #clockOrigins = new Map<KernelClock, number>()
  readonly #memory: MemorySample[] = []
  readonly #cpuMemory = new CpuMemory(cpuDevice().allocator)
  readonly #launches = new WeakMap<PlanRun['artifact'], readonly PlannedLaunch[]>()
  readonly #devices = new Set<Device>()
  /** GPU kernels for which no clock gave a time. */
  #untimed = 0

  /** `gpus`: those in use. Waits until they have nothing to do. */
  constructor(gpus: readonly CudaDevice[], options: RecorderOptions) {
    this.#options = options
    try {
      for (const gpu of gpus) this.#clockOf(gpu)
    } catch (error) {
      this.end()
      throw error
    }
    this.#origin = nanosecondsNow() // opening the clocks is no part of what is profiled
  }

  run<R>(kind: SpanKind, name: string, body: () => R, subject?: unknown): R {
    const { lines } = this.#options
    const draft = this.#add(kind, name, {
      inputs: Array.isArray(subject) ? tensorsAmong(subject) : none,
      line: lines && (kind === 'op' || kind === 'call' || kind === 'label') ? userLocation() : null,
    })
    const end = (): void => {
      draft.duration = this.#now() - draft.start
      draft.memory = this.#bytesInUse() - draft.memory
    }
    let result: R | undefined
    try {
      result = this.#around.run(this.#drafts.length - 1, body)
    } finally {
      if (!(result instanceof Promise)) end()
    }
    return result instanceof Promise ? (result.finally(end) as R) : result
  }

  plan(run: PlanRun): void {
    const gpu = gpuOfDevice(run.machine.device)
    const { steps } = run.machine
    this.#devices.add(run.machine.device)
    if (gpu === null || !(steps instanceof StepList)) this.#stepByStep(run)
    else if (gpu.streams.current.capture !== null) runPlan(run)
    else this.#onDevice(gpu, run, steps)
    this.#sampleMemory(run.machine.device)
  }

  single({ name, device, run }: SingleRun): void {
    const gpu = gpuOfDevice(device as Device)
    this.#devices.add(device as Device)
    const draft = this.#add('kernel', name, { inputs: none })
    if (gpu === null) run()
    else if (gpu.streams.current.capture !== null) run()
    else this.#clockOf(gpu).kernels(gpu, [name], run, [this.#takeFor(gpu, draft)])
    draft.duration = gpu === null ? this.#now() - draft.start : 0
    draft.memory = 0
    this.#sampleMemory(device as Device)
  }

  replay({ kernels, device, run }: ReplayRun): void {
    const gpu = gpuOfDevice(device as Device)
    this.#devices.add(device as Device)
    if (gpu === null || gpu.streams.current.capture !== null) run()
    else this.#replayOn(gpu, kernels, run)
    this.#sampleMemory(device as Device)
  }

  #replayOn(gpu: CudaDevice, kernels: ReplayRun['kernels'], run: () => void): void {
    const clock = this.#clockOf(gpu)
    const shown = clock.dividesGraphs ? kernels : [{ kernel: 'captured graph', lines: none }]
    const drafts = shown.map(({ kernel, lines }) =>
      this.#add('kernel', kernel, { inputs: none, line: lines[0] ?? null }),
    )
    clock.kernels(
      gpu,
      shown.map(({ kernel }) => kernel),
      run,
      drafts.map(draft => this.#takeFor(gpu, draft)),
    )
  }

  /** Records no more; what was recorded and not finished is lost. */
  end(): void {
    this.#around.disable()
    this.#cpuMemory.end()
    for (const clock of new Set(this.#clocks.values())) clock.end()
  }

  /** Waits for the devices' work, and gives what was recorded. */
  finish(): Pick<ProfileRecord, 'nanoseconds' | 'spans' | 'memory' | 'untraced'> & { readonly devices: Device[] } {
    for (const gpu of this.#clocks.keys()) gpu.synchronize()
    const nanoseconds = this.#now()
    for (const clock of new Set(this.#clocks.values())) this.#untimed += clock.read()
    const spans = this.#drafts.map(recordOf)
    return { nanoseconds, spans, memory: this.#memory, devices: [...this.#devices], untraced: this.#untimed }
  }

  #now(): number {
    return nanosecondsNow() - this.#origin
  }

  #add(
    kind: RecordedKind,
    name: string,
    { inputs, line = null, launch = null }: Pick<Draft, 'inputs'> & Partial<Pick<Draft, 'line' | 'launch'>>,
  ): Draft {
    const draft: Draft = {
      kind,
      name,
      start: this.#now(),
      duration: 0,
      parent: this.#around.getStore() ?? -1,
      inputs,
      module: launch?.step.lines[0]?.module ?? modulePath(),
      line,
      launch,
      onDevice: null,
      memory: kind === 'kernel' ? 0 : this.#bytesInUse(),
    }
    this.#drafts.push(draft)
    return draft
  }

  /** Runs launches one after another, each a kernel on the host's clock. */
  #stepByStep(run: PlanRun): void {
    const { machine, first } = run
    for (const [i, launch] of this.#launchesOf(run).entries()) {
      const draft = this.#addLaunch(launch)
      machine.runSome(first + i, first + i + 1)
      draft.duration = this.#now() - draft.start
    }
  }

  /** Runs launches, each timed by the device. */
  #onDevice(gpu: CudaDevice, run: PlanRun, steps: StepList): void {
    const takes = this.#launchesOf(run).map(launch => this.#takeFor(gpu, this.#addLaunch(launch)))
    this.#clockOf(gpu).plan(gpu, run, steps, takes)
  }

  #addLaunch(launch: Launch): Draft {
    return this.#add('kernel', launch.name, { inputs: none, line: launch.step.lines[0] ?? null, launch })
  }

  #takeFor(gpu: CudaDevice, draft: Draft): TakeTime {
    const { id } = gpu.streams.current
    const origin = this.#clockOrigins.get(this.#clockOf(gpu))! - this.#origin
    return ({ start, duration, alone }) => {
      draft.onDevice = { device: gpu.name, stream: id, start: origin + start, duration, alone }
    }
  }

  #clockOf(gpu: CudaDevice): KernelClock {
    const known = this.#clocks.get(gpu)
    if (known !== undefined) return known
    const clock = [...this.#clocks.values()].find(each => each instanceof TraceClock) ?? this.#newClock(gpu)
    this.#clocks.set(gpu, clock)
    return clock
  }

  /** Waits until the GPU has nothing to do. */
  #newClock(gpu: CudaDevice): KernelClock {
    gpu.synchronize()
    const trace = kernelTrace()
    const clock = trace?.start() === true ? new TraceClock(trace) : new EventClock(gpu)
    this.#clockOrigins.set(clock, nanosecondsNow())
    return clock
  }

  /** The launches of a run. */
  #launchesOf({ artifact, symbols, first, end }: PlanRun): Launch[] {
    const known = this.#launches.get(artifact) ?? plannedLaunches(artifact)
    this.#launches.set(artifact, known)
    const values = symbols.slice() // the next call changes them
    return known.slice(first, end).map(({ name, step }) => ({ name, step, artifact, symbols: values }))
  }

  /** Bytes of tensors and temporaries on all devices that are profiled; on the CPU garbage counts until it is released. */
  #bytesInUse(): number {
    let bytes = cpuDevice().allocator.unreleasedBytes
    for (const gpu of this.#clocks.keys()) bytes += gpu.allocator.allocatedBytes
    return bytes
  }

  #sampleMemory(device: Device): void {
    const { allocatedBytes, byOwner } = gpuOfDevice(device)?.allocator.stats() ?? this.#cpuMemory.now()
    this.#memory.push({ time: this.#now(), device, allocatedBytes, byOwner })
  }
}

/** Tensors among a call's arguments, and in lists of them. Keeps their shapes only. */
function tensorsAmong(values: readonly unknown[]): Draft['inputs'] {
  const found: { dtype: Tensor['dtype']; shape: readonly number[] }[] = []
  for (const value of values) {
    if (value instanceof TensorHandle) {
      const { dtype, layout } = value as Tensor
      found.push({ dtype, shape: layout.shape })
    } else if (Array.isArray(value)) found.push(...(tensorsAmong(value) as typeof found))
  }
  return found
}

function recordOf({
  kind,
  name,
  start,
  duration,
  parent,
  inputs,
  module,
  line,
  launch,
  onDevice,
  memory,
}: Draft): SpanRecord {
  return {
    kind,
    name,
    start,
    duration,
    parent,
    shapes: inputs.map(({ dtype, shape }) => `${dtype}[${shape.join(', ')}]`),
    module,
    line,
    ops: launch?.step.ops ?? [],
    work: launch === null ? null : plannedWork(launch.artifact, launch.step, launch.symbols),
    onDevice,
    memory,
  }
}
