/** Records spans and kernels while it observes: what a profiler does between start and stop. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { type SourceLocation, userLocation } from '../base/source.js'
import type { SpanKind, SpanObserver } from '../base/spans.js'
import { type PlanRun, type RunObserver, runPlan, type SingleRun } from '../compile/execute/run-observer.js'
import { modulePath } from '../nn/module-path.js'
import { cpuDevice } from '../runtime/cpu/device.js'
import type { CudaDevice } from '../runtime/cuda/device.js'
import { StepList } from '../runtime/cuda/steps.js'
import type { Device } from '../tensor/device.js'
import { TensorHandle } from '../tensor/handle.js'
import type { Tensor } from '../tensor/tensor.js'
import { CpuMemory } from './cpu-memory.js'
import { DeviceClock, type DeviceTime } from './device-clock.js'
import { gpuOfDevice } from './device-limits.js'
import { type PlannedLaunch, plannedLaunches } from './planned-work.js'
import type { DeviceSpan, MemorySample, RecordedKind, SpanRecord } from './records.js'

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
  readonly launch: PlannedLaunch | null
  onDevice: DeviceSpan | null
  /** In use at its start; once it has ended, the difference. */
  memory: number
}

export interface RecorderOptions {
  /** Record the user's line of each op; it costs some microseconds an op. */
  readonly lines: boolean
}

const none: readonly never[] = []
const nanosecondsNow = (): number => performance.now() * 1e6

export class Recorder implements SpanObserver, RunObserver {
  readonly #options: RecorderOptions
  readonly #origin = nanosecondsNow()
  readonly #drafts: Draft[] = []
  /** Index of the span that code runs in. What an async function does after an await is in the span that it was in before. */
  readonly #around = new AsyncLocalStorage<number>()
  readonly #clocks = new Map<Device, DeviceClock>()
  /** When each clock was made, on this one. */
  readonly #clockOrigins = new Map<Device, number>()
  readonly #memory: MemorySample[] = []
  readonly #cpuMemory = new CpuMemory(cpuDevice().allocator)
  readonly #launches = new WeakMap<PlanRun['artifact'], readonly PlannedLaunch[]>()
  readonly #devices = new Set<Device>()

  /** `gpus`: those in use. Waits until they have nothing to do. */
  constructor(gpus: readonly CudaDevice[], options: RecorderOptions) {
    this.#options = options
    for (const gpu of gpus) this.#clockOf(gpu)
    this.#origin = nanosecondsNow()
    for (const name of this.#clocks.keys()) this.#clockOrigins.set(name, 0)
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
    else this.#clockOf(gpu).around(run, this.#takeFor(gpu, draft))
    draft.duration = gpu === null ? this.#now() - draft.start : 0
    draft.memory = 0
    this.#sampleMemory(device as Device)
  }

  /** Keeps no more accounts. */
  end(): void {
    this.#around.disable()
    this.#cpuMemory.end()
  }

  /** Waits for the devices' work, and gives what was recorded. */
  finish(): { nanoseconds: number; spans: SpanRecord[]; memory: MemorySample[]; devices: Device[] } {
    for (const { gpu } of this.#clocks.values()) gpu.synchronize()
    const nanoseconds = this.#now()
    for (const clock of this.#clocks.values()) clock.read()
    return { nanoseconds, spans: this.#drafts.map(recordOf), memory: this.#memory, devices: [...this.#devices] }
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
    const launches = this.#launchesOf(run)
    const { machine, first, end } = run
    for (let i = first; i < end; i++) {
      const launch = launches[i]!
      const draft = this.#add('kernel', launch.name, { inputs: none, line: launch.step.lines[0] ?? null, launch })
      machine.runSome(i, i + 1)
      draft.duration = this.#now() - draft.start
    }
  }

  /** Queues launches one after another, each timed by the device. */
  #onDevice(gpu: CudaDevice, run: PlanRun, steps: StepList): void {
    const launches = this.#launchesOf(run).slice(run.first, run.end)
    const drafts = launches.map(launch =>
      this.#add('kernel', launch.name, { inputs: none, line: launch.step.lines[0] ?? null, launch }),
    )
    const clock = this.#clockOf(gpu)
    if (run.first === 0 && run.end === steps.length) {
      const takes = drafts.map(draft => this.#takeFor(gpu, draft))
      clock.runSteps(steps, times => {
        for (const [i, time] of times.entries()) takes[i]!(time)
      })
      return
    }
    for (const [i, draft] of drafts.entries()) {
      const at = run.first + i
      clock.around(() => run.machine.runSome(at, at + 1), this.#takeFor(gpu, draft))
    }
  }

  #takeFor(gpu: CudaDevice, draft: Draft): (time: DeviceTime) => void {
    const { id } = gpu.streams.current
    const origin = this.#clockOrigins.get(gpu.name) ?? 0
    return ({ start, duration }) => {
      draft.onDevice = { device: gpu.name, stream: id, start: origin + start, duration }
    }
  }

  #clockOf(gpu: CudaDevice): DeviceClock {
    let clock = this.#clocks.get(gpu.name)
    if (clock === undefined) {
      clock = new DeviceClock(gpu)
      this.#clocks.set(gpu.name, clock)
      this.#clockOrigins.set(gpu.name, this.#now())
    }
    return clock
  }

  /** The plan's launches, by number. Those of a plan with symbols are evaluated at each run. */
  #launchesOf(run: PlanRun): readonly PlannedLaunch[] {
    const whole = { ...run, first: 0, end: Number.POSITIVE_INFINITY }
    if (run.symbols.length > 0) return plannedLaunches(whole)
    const known = this.#launches.get(run.artifact) ?? plannedLaunches(whole)
    this.#launches.set(run.artifact, known)
    return known
  }

  /** Bytes of tensors and temporaries on all devices that are profiled; on the CPU garbage counts until it is released. */
  #bytesInUse(): number {
    let bytes = cpuDevice().allocator.unreleasedBytes
    for (const { gpu } of this.#clocks.values()) bytes += gpu.allocator.allocatedBytes
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
    work: launch?.work ?? null,
    onDevice,
    memory,
  }
}
