/**
 * Runs plans on a GPU: launches queued on the current stream or, to save launch overhead, one CUDA graph whose nodes are
 * patched. In a capture the launches become part of the captured graph.
 */
import { InternalError } from '../../base/errors.js'
import type { CudaBlock } from '../../runtime/cuda/block.js'
import type { CudaDevice } from '../../runtime/cuda/device.js'
import type { CudaModule } from '../../runtime/cuda/module.js'
import type { Dependencies, StepGraph } from '../../runtime/cuda/step-graph.js'
import { type StepList, StepRange } from '../../runtime/cuda/steps.js'
import type { DeviceBlock, TensorMemory } from '../../runtime/device.js'
import { launchesAmong, type PlanBuffer, type PlanGroup } from '../../schedule/plan/plan.js'
import type { Device } from '../../tensor/device.js'
import { argumentsOf } from '../../tile/abi.js'
import { wordArguments } from '../../types/argument-layout.js'
import { itemBytes } from '../../types/dtype.js'
import type { Artifact } from '../artifact.js'
import type { Machine } from '../machine.js'
import { ForkedSteps } from './forks.js'

export class CudaMachine implements Machine {
  readonly device: Device
  /** Alignment for the widest access and of the allocator's blocks. */
  readonly alignment = 512
  readonly memory: TensorMemory
  readonly sourcePath = null
  readonly steps: StepList
  readonly #cuda: CudaDevice
  readonly #dependencies: Dependencies
  readonly #graphs: boolean
  readonly #concurrentGroups: readonly PlanGroup[]
  readonly #forks: ForkedSteps | null
  #graph: StepGraph | null = null

  /** `module`: null when the plan runs no kernel. `graphs`: run as a CUDA graph, even if no group of the plan needs it. */
  constructor(artifact: Artifact, device: CudaDevice, module: CudaModule | null, graphs: boolean) {
    const { plan, kernels } = artifact
    this.#cuda = device
    this.device = device.name
    this.memory = device.memory
    this.#dependencies = dependenciesOf(artifact)
    this.steps = device.stepList(
      launchesAmong(plan.steps).map(({ kernel, lines }) => {
        const { symbol, params, resources } = kernels[kernel]!
        if (module === null) throw new InternalError(`${symbol}: a kernel without a module`)
        const { threads, sharedBytes } = resources
        return {
          kind: 'kernel',
          kernel: module.kernel(symbol),
          args: wordArguments(argumentsOf(params).length),
          threads,
          sharedBytes,
          lines,
        }
      }),
    )
    const concurrent = groupsOfLaunches(plan).filter(({ strategy, count }) => strategy !== 'sequential' && count > 1)
    // A device graph cannot wait for decisions of the host, so launches around control flow are queued one by one.
    this.#graphs = plan.blocks.length === 0 && (graphs || concurrent.some(({ strategy }) => strategy === 'graph'))
    this.#concurrentGroups = concurrent
    this.#forks = concurrent.length === 0 ? null : new ForkedSteps(device.streams, this.steps, concurrent)
  }

  /** Temporaries of a captured call belong to its graph. */
  get queue(): object | null {
    const { current } = this.#cuda.streams
    return current.capture === null ? current : null
  }

  uses(block: DeviceBlock, writes: boolean): void {
    this.#cuda.allocator.use(block as CudaBlock, this.#cuda.streams.current, writes)
  }

  run(): void {
    const stream = this.#cuda.streams.current
    if (!this.#graphs || this.steps.length < 2 || stream.capture !== null) {
      if (this.#forks === null) this.steps.run(stream)
      else this.#forks.run()
      return
    }
    this.#graph ??= this.#cuda.stepGraph(this.steps, this.#dependencies)
    this.#graph.launch(stream)
  }

  runSome(first: number, end: number): void {
    const { streams } = this.#cuda
    if (this.#forks === null) new StepRange(this.steps, first, end).run(streams.current)
    else new ForkedSteps(streams, this.steps, this.#concurrentGroups, first, end).run()
  }
}

/** The plan's groups with `first` as the index of a launch instead of a step. */
const groupsOfLaunches = ({ steps, groups }: Artifact['plan']): readonly PlanGroup[] =>
  groups.map(group => ({ ...group, first: launchesAmong(steps.slice(0, group.first)).length }))

/**
 * The earlier steps that each step must wait for: the last writer of the memory that it uses and, for memory that it writes, all
 * readers since. Inputs that are written share memory with no other input (entry.ts).
 */
function dependenciesOf({ plan, kernels }: Artifact): Dependencies {
  const cells = new MemoryCells(plan.buffers)
  const writers: (number | undefined)[] = []
  const readers: number[][] = []
  return launchesAmong(plan.steps).map(({ kernel, args }, step) => {
    const { writes } = kernels[kernel]!
    const before = new Set<number>()
    const touched = args.map(arg => (arg.kind === 'view' ? cells.of(arg.buffer) : null))
    const each = (ranges: Iterable<Cells | null>, run: (cell: number) => void): void => {
      for (const range of new Set(ranges)) {
        if (range !== null) for (let cell = range.first; cell < range.end; cell++) run(cell)
      }
    }
    each(touched, cell => {
      const writer = writers[cell]
      if (writer !== undefined) before.add(writer)
    })
    const written = new Set<number>()
    each(
      writes.map(param => touched[param]!),
      cell => {
        written.add(cell)
        for (const reader of readers[cell] ?? []) before.add(reader)
        writers[cell] = step
        readers[cell] = []
      },
    )
    each(touched, cell => {
      if (!written.has(cell) && readers[cell]?.at(-1) !== step) readers[cell] = [...(readers[cell] ?? []), step]
    })
    before.delete(step)
    return [...before].sort((a, b) => a - b)
  })
}

/** A run of cells, of those of a plan's memory. */
interface Cells {
  readonly first: number
  readonly end: number
}

/** A plan's memory in cells, so that buffers that overlap have cells in common: temporaries are cut where any of their slot begins or ends. */
class MemoryCells {
  readonly #of: readonly Cells[]

  constructor(buffers: readonly PlanBuffer[]) {
    const cuts = new Map<number, Set<number>>()
    const endOf = ({ at, elements, dtype }: Temporary): number =>
      typeof elements === 'number' ? at + Math.max(1, elements * itemBytes(dtype)) : Number.POSITIVE_INFINITY
    const temporaries = buffers.filter((buffer): buffer is Temporary => buffer.kind === 'temp')
    for (const buffer of temporaries) {
      const known = cuts.get(buffer.slot) ?? new Set()
      cuts.set(buffer.slot, known.add(buffer.at).add(endOf(buffer)))
    }
    let count = 0
    const cellAt = new Map<number, ReadonlyMap<number, number>>()
    for (const [slot, places] of cuts) {
      cellAt.set(slot, new Map([...places].sort((a, b) => a - b).map(place => [place, count++])))
    }
    this.#of = buffers.map((buffer): Cells => {
      if (buffer.kind !== 'temp') return { first: count, end: ++count }
      const cells = cellAt.get(buffer.slot)!
      return { first: cells.get(buffer.at)!, end: cells.get(endOf(buffer))! }
    })
  }

  of(buffer: number): Cells {
    return this.#of[buffer]!
  }
}

type Temporary = Extract<PlanBuffer, { kind: 'temp' }>
