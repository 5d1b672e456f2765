/**
 * A third back end, made of what src/backends offers to all: a machine without vectors whose memory is its own and whose
 * "machine code" is the text of lane programs, which the simulator of one thread runs. It has a policy of its own, and
 * reuses `lower/cpu`, as a back end for WebAssembly would.
 */
import type { Artifact } from '../../src/backends/artifact.js'
import type { Backend } from '../../src/backends/backend.js'
import type { ComputeDevice, ExportedBinary, SingleKernel, Stopwatch } from '../../src/backends/device.js'
import type { Launchable, Machine, PatchableSteps } from '../../src/backends/machine.js'
import type { Target } from '../../src/backends/target.js'
import type { DiskCache } from '../../src/cache/disk-cache.js'
import { print } from '../../src/ir/print.js'
import type { LaneArgument } from '../../src/lane/code.js'
import { type LaneNode, type LaneProgram, laneDialect } from '../../src/lane/ir.js'
import { simulate } from '../../src/lane/simulate.js'
import { lowerTile } from '../../src/lower/cpu/lower.js'
import type { Block } from '../../src/runtime/block.js'
import { type DeviceBlock, type HostBytes, parts, type TensorMemory } from '../../src/runtime/device.js'
import type { BoundSizes, Patch, Patches, StepSize } from '../../src/runtime/patches.js'
import { launchesAmong } from '../../src/schedule/plan/plan.js'
import type { SchedulePolicy } from '../../src/schedule/policy.js'
import type { Axis } from '../../src/schedule/tiling/axes.js'
import { addExtents, blockTiling } from '../../src/schedule/tiling/contraction-tiling.js'
import { blockExtent, clamp, defaultLimits, tileOrder } from '../../src/schedule/tiling/tiling.js'
import { cpuTarget } from '../../src/target/cpu.js'
import { storedArrayType } from '../../src/types/memory.js'

const facts = cpuTarget({ arch: 'toy', model: 'toy', cores: 3, features: [], l1Bytes: 0, l2Bytes: 0, l3Bytes: 0 })
const limits = { ...defaultLimits, alignment: 4, symbolic: 8 }
const blockElements = 24

/** Blocks of a few elements, whatever the work. */
const policy: SchedulePolicy = {
  limits,
  parallelism: 3,
  partsPerSlot: 2,
  conv: null,
  folds: null,
  rows: {
    enough: 6,
    long: 1 << 16,
    columns: 1,
    storesParts: false,
    scanned: 0,
    computesTwice: false,
    readsAgain: false,
  },
  dots: {
    tf32: false,
    multiplied: new Set(['f16']),
    codes: false,
    decodesTo: 'f32',
    thin: { below: 4, decoded: false, grouped: false, streamed: new Set(), small: 2 },
    aligned: null,
    converted: null,
    depthOrder: 'all',
    decodesAlongDepth: false,
    inMemoryOrder: false,
    mergesDepth: false,
  },
  attention: {
    multiplied: new Set(),
    tiles: ({ queries, keys }) => ({ queries: clamp(queries ?? 4, 1, 4), keys: clamp(keys ?? 4, 1, 4) }),
    parts: ({ queries }) => ({ tiles: { queries: clamp(queries ?? 4, 1, 4), keys: 4 }, concurrent: 3 }),
    gradientTiles: ({ queries, keys }, wrt) => {
      const [rows, others] = wrt === 'query' ? [queries, keys] : [keys, queries]
      return { rows: clamp(rows ?? 4, 1, 4), others: clamp(others ?? 4, 1, 4) }
    },
    headExtent: size => size,
    queryExtent: size => size,
    form: () => ({ parts: null, flush: false, isLooped: true }),
  },
  batches: { bytes: 1 << 12 },
  movesBits: true,
  rates: {
    units: 3,
    flopsPerNanosecond: 1,
    bytesPerNanosecond: 1,
    launch: 10,
    node: 10,
    fork: 10,
    graph: 0,
    claiming: 1,
    persistentLaunches: 1,
    concurrent: false,
  },
  tiling: (body, axes) => {
    const order = tileOrder(body, axes)
    let left = blockElements
    const extents = new Map<Axis, number>()
    for (const axis of order.toReversed()) {
      const extent = blockExtent(axis.size, Math.max(1, left), limits)
      extents.set(axis, extent)
      left = Math.floor(left / extent)
    }
    return { order, extents }
  },
  matmulTiling: ({ axes }) => {
    const extents = new Map(axes.batch.map(axis => [axis, 1]))
    for (const [side, extent] of [
      [axes.m, 4],
      [axes.n, 8],
      [axes.k, 8],
    ] as const)
      addExtents(extents, side, extent)
    return blockTiling(axes, extents)
  },
  matmulParts: ({ sizes: { k } }) => (k !== null && k > 24 ? 2 : 1),
  groupPolicy: () => null,
  hints: () => null,
  updateTiling: (_, axes, { attrs: { along } }) => {
    const row = axes.of(along)
    const order = [...axes.all.filter(axis => axis !== row), row]
    return { kind: 'ordered', tiling: { order, extents: new Map(order.map(axis => [axis, 1])) }, parts: 2 }
  },
  scatter: { atomics: new Set(), copies: () => 1, counts: () => false, parts: () => 1 },
  scanning: (_, axes) => {
    const extents = new Map(axes.all.map(axis => [axis, axis.reduced ? 4 : 1]))
    return [
      {
        name: '',
        order: axes.all,
        extents,
        isWhole: false,
        chained: null,
        slots: 2,
        leastParts: 2,
        partBlocks: 2,
        isUsed: 1,
      },
    ]
  },
  sorting: () => ({
    ranking: { longest: 8, block: 8, others: 8 },
    block: 32,
    warps: null,
    counts: { blocks: 4, bins: 256 },
    digit: () => 8,
    narrows: false,
  }),
  findsNth: () => false,
  selection: k => (2 * k > 64 ? null : { by: 'rounds', block: 64, tile: null }),
}

/** What has been "compiled" in this process, by its text. */
const compiled = new Map<string, ReadonlyMap<string, LaneProgram>>()

const textOf = (lane: LaneProgram): string => `${lane.name}:\n${print<LaneNode>(laneDialect, lane.body)}`

const toyTarget: Target = {
  name: 'toy',
  facts,
  policy,
  choices: [{ name: 'usual blocks', policy }],
  specialises: false,
  persistent: {
    maxArguments: 16,
    claims: null,
    member: program => ({ program, target: toyTarget }),
    inBatch: program => program,
    instances: tiles => tiles,
  },
  lower: program => lowerTile(program, facts),
  emitter: () => ({
    alone: () => null,
    unit: lanes => {
      const text = lanes.map(textOf).join('\n')
      compiled.set(text, new Map(lanes.map(lane => [lane.name, lane])))
      return text
    },
  }),
  symbolOf: lane => lane.name,
  resourcesOf: () => ({ scratchBytes: 0, threads: 1, warps: 0, sharedBytes: 0 }),
}

// --- memory ----------------------------------------------------------------------------------------------------------

interface ToyBlock extends DeviceBlock {
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** Blocks far from each other, at addresses of its own. */
class ToyMemory implements TensorMemory {
  readonly #blocks = new Map<number, ToyBlock>()
  #next = 0

  allocate(bytes: number): ToyBlock {
    this.#next += 2 ** 32
    const block = { address: this.#next, byteLength: bytes, bytes: new Uint8Array(Math.ceil(bytes / 64) * 64 + 64) }
    this.#blocks.set(block.address / 2 ** 32, block)
    return block
  }

  release(block: DeviceBlock): void {
    this.#blocks.delete(block.address / 2 ** 32)
  }

  /** JavaScript does not see it. */
  shared(): Block | null {
    return null
  }

  read(block: DeviceBlock, from: number, bytes: number): Uint8Array {
    return (block as ToyBlock).bytes.slice(from, from + bytes)
  }

  async readAsync(block: DeviceBlock, from: number, bytes: number): Promise<Uint8Array> {
    return this.read(block, from, bytes)
  }

  write(block: DeviceBlock, at: number, data: HostBytes): void {
    for (const { from, bytes } of parts(data)) (block as ToyBlock).bytes.set(bytes, at + from)
  }

  lasting<R>(body: () => R): R {
    return body()
  }

  /** The block that an address lies in. Throws for one that lies in none. */
  find(address: number): ToyBlock {
    const block = this.#blocks.get(Math.floor(address / 2 ** 32))
    if (block === undefined) throw new Error(`address ${address} of no block`)
    return block
  }
}

// --- steps -----------------------------------------------------------------------------------------------------------

interface ToyStep {
  readonly program: LaneProgram
  readonly args: (number | bigint)[]
  grid: [number, number, number]
}

class ToySteps implements PatchableSteps {
  readonly #steps: readonly ToyStep[]

  constructor(
    programs: readonly LaneProgram[],
    readonly memory: ToyMemory,
  ) {
    this.#steps = programs.map(program => ({ program, args: program.args.map(() => 0), grid: [1, 1, 1] }))
  }

  get length(): number {
    return this.#steps.length
  }

  setInt(step: number, argument: number, value: number): void {
    this.#steps[step]!.args[argument] = value
  }

  setBigInt(step: number, argument: number, value: bigint): void {
    this.#steps[step]!.args[argument] = value
  }

  setFloat(step: number, argument: number, value: number): void {
    this.#steps[step]!.args[argument] = value
  }

  setPointer(step: number, argument: number, address: number): void {
    this.#steps[step]!.args[argument] = address
  }

  patches(list: readonly Patch[]): Patches {
    return Int32Array.from(list.flatMap(({ step, argument, value }) => [step, argument, value]))
  }

  bindSizes(args: readonly Patch[], grids: readonly StepSize[], values: Float64Array): BoundSizes {
    return {
      pass: () => {
        for (const { step, argument, value } of args) this.setInt(step, argument, values[value]!)
        for (const { step, x, y, z } of grids) this.setGrid(step, values[x]!, values[y]!, values[z]!)
      },
    }
  }

  setPointers(patches: Patches, addresses: Float64Array, index: number, values: Float64Array): void {
    for (let i = 0; i < patches.length; i += 3) {
      this.setPointer(patches[i]!, patches[i + 1]!, addresses[index]! + values[patches[i + 2]!]!)
    }
  }

  setGrid(step: number, x: number, y: number, z: number): void {
    this.#steps[step]!.grid = [x, y, z]
  }

  run(): void {
    this.runSome(0, this.length)
  }

  runSome(first: number, end: number): void {
    for (const { program, args, grid } of this.#steps.slice(first, end)) {
      simulate(
        program,
        program.args.map(({ type }, i) => this.#argument(type, args[i]!)),
        grid,
      )
    }
  }

  #argument(type: LaneProgram['args'][number]['type'], given: number | bigint): LaneArgument {
    if (type.kind !== 'pointer') return given
    const { address, bytes } = this.memory.find(Number(given))
    const array = storedArrayType(type.dtype)
    const data = new array(bytes.buffer, 0, bytes.byteLength / array.BYTES_PER_ELEMENT)
    return { data, offset: (Number(given) - address) / array.BYTES_PER_ELEMENT }
  }
}

// --- the device ------------------------------------------------------------------------------------------------------

/** Its tensors go by the name of the CPU, as only that and GPUs have names; their memory is the toy's. */
class ToyDevice implements ComputeDevice {
  readonly name = 'cpu'
  readonly model = 'toy'
  readonly threads = 1
  readonly memory = new ToyMemory()
  readonly isHost = false
  readonly roundsMatmuls = false
  readonly isCapturing = false
  readonly target = toyTarget
  readonly compilerStats = { compiled: 0, loaded: 0, compileMs: 0 }
  readonly requirements = { needs: {}, files: [] }

  constructor(readonly cache: DiskCache) {}

  async warmup(): Promise<void> {}

  compileAhead(): null {
    return null
  }

  machine({ plan, kernels, source }: Artifact): Machine {
    const programs = launchesAmong(plan.steps).map(({ kernel }) => compiled.get(source)!.get(kernels[kernel]!.symbol)!)
    const steps = new ToySteps(programs, this.memory)
    return {
      device: this.name,
      memory: this.memory,
      sourcePath: null,
      alignment: 64,
      queue: this,
      steps,
      uses: () => undefined,
      run: () => steps.run(),
      runSome: (first, end) => steps.runSome(first, end),
    }
  }

  async machineAsync(artifact: Artifact): Promise<Machine> {
    return this.machine(artifact)
  }

  launch({ source, symbol }: SingleKernel): Launchable {
    const steps = new ToySteps([compiled.get(source)!.get(symbol)!], this.memory)
    return { steps, uses: () => undefined, run: () => steps.run() }
  }

  stopwatch(): Stopwatch {
    return call => {
      for (const result of call()) result.dispose()
      return 1
    }
  }

  kernelUses(): null {
    return null
  }

  isTooLarge(): boolean {
    return false
  }

  exportCode(source: string): ExportedBinary {
    return { files: [new TextEncoder().encode(source)], log: '' }
  }

  /** Code that this process has not made means nothing to it. */
  adoptCode(source: string, { files: [file] }: ExportedBinary): void {
    if (new TextDecoder().decode(file) !== source || !compiled.has(source)) throw new Error('no code of this toy')
  }

  synchronize(): void {}

  trim(): number {
    return 0
  }
}

/** What `backends/index.ts` would list. It owns no name, as the names of devices are the CPU's and GPUs'. */
export function toyBackend(cache: DiskCache): Backend {
  const device = new ToyDevice(cache)
  return {
    name: 'toy',
    owns: () => false,
    device: () => device,
    opened: () => [device],
    shown: { toy: () => toyTarget },
    deviceForExport: () => device,
  }
}
