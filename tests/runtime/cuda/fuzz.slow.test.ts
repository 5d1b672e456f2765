/**
 * Random programs on several streams, with captured graphs, released and forgotten memory, against plain numbers. The
 * stand-in runs work late and in an order of its choice, so that whatever is not ordered gives a wrong number.
 */
import { afterAll, describe, expect, it } from 'vitest'
import type { CudaBlock } from '../../../src/runtime/cuda/block.js'
import type { CapturedGraph } from '../../../src/runtime/cuda/capture.js'
import type { CudaDevice } from '../../../src/runtime/cuda/device.js'
import type { CudaModule } from '../../../src/runtime/cuda/module.js'
import type { CudaStream } from '../../../src/runtime/cuda/stream.js'
import { wordArguments } from '../../../src/types/argument-layout.js'
import { collectUntil, floatBytes, openFake, skipReason, testKernels } from './support.js'

const fake = openFake()
afterAll(() => fake?.close())

const count = 32
const mib = 2 ** 20
const sizes = [count * 4, count * 4, 3 * mib, 14 * mib]
const steps = 150

/** Memory whose first elements all hold `value`; NaN: nobody has written it yet. */
interface Cell {
  block: CudaBlock
  value: number
}
interface Graph {
  readonly graph: CapturedGraph
  /** What each replay does. */
  readonly effects: readonly (() => void)[]
}

class Program {
  readonly device: CudaDevice
  readonly module: CudaModule
  readonly streams: readonly CudaStream[]
  cells: Cell[] = []
  graphs: Graph[] = []
  /** While a capture goes on: what its work will do. */
  #effects: (() => void)[] | null = null
  #state: number

  constructor(seed: number) {
    this.device = fake!.device({ seed, memory: 400 * mib })
    this.module = this.device.loadModule(testKernels)
    this.streams = [this.device.streams.main, this.device.streams.next(), this.device.streams.next()]
    this.#state = seed * 7919 + 1
  }

  random(below: number): number {
    this.#state = (this.#state * 1103515245 + 12345) % 2 ** 31
    return Math.floor((this.#state / 2 ** 31) * below)
  }
  pick<T>(list: readonly T[]): T {
    return list[this.random(list.length)]!
  }

  launch(name: string, blocks: readonly CudaBlock[], value?: number): void {
    const stream = this.device.streams.current
    const args = wordArguments(blocks.length + (value === undefined ? 1 : 2))
    const list = this.device.stepList([{ kind: 'kernel', kernel: this.module.kernel(name), args, threads: 32 }])
    for (const [i, block] of blocks.entries()) {
      this.device.allocator.use(block, stream, i === blocks.length - 1)
      list.setPointer(0, i, block.address)
    }
    list.setInt(0, blocks.length, count)
    if (value !== undefined) list.setFloat(0, blocks.length + 1, value)
    list.run(stream)
  }

  #did(effect: () => void): void {
    if (this.#effects === null) effect()
    else this.#effects.push(effect)
  }

  /** A new cell: filled, uploaded, or the sum of two others. */
  make(): Cell {
    const cell: Cell = { block: this.device.allocator.allocate(this.pick(sizes)), value: Number.NaN }
    const known = this.cells.filter(({ value }) => this.#effects !== null || !Number.isNaN(value))
    const kind = this.random(known.length > 0 ? 4 : 2)
    const value = 1 + this.random(50)
    if (kind === 0) this.launch('fill', [cell.block], value)
    else if (kind === 1) {
      const data = floatBytes(new Array<number>(count).fill(value))
      this.device.transfers.upload(cell.block, 0, data, this.device.streams.current)
    } else {
      const [a, b] = [this.pick(known), this.pick(known)]
      this.launch('add', [a.block, b.block, cell.block])
      this.#did(() => {
        cell.value = Math.fround(a.value + b.value)
      })
    }
    if (kind < 2) {
      this.#did(() => {
        cell.value = value
      })
    }
    this.cells.push(cell)
    return cell
  }

  scale(): void {
    if (this.cells.length === 0) return
    const cell = this.pick(this.cells)
    const factor = this.pick([-1, 0.5, 2])
    this.launch('scale', [cell.block], factor) // its memory comes last, so that it counts as written
    this.#did(() => {
      cell.value = Math.fround(cell.value * factor)
    })
  }

  copy(): void {
    if (this.cells.length === 0) return
    const [from, to] = [this.pick(this.cells), this.pick(this.cells)]
    if (from === to) return
    this.device.transfers.copy(to.block, 0, from.block, 0, count * 4, this.device.streams.current)
    this.#did(() => {
      to.value = from.value
    })
  }

  drop(): void {
    if (this.cells.length === 0) return
    const [cell] = this.cells.splice(this.random(this.cells.length), 1) as [Cell]
    if (this.random(3) > 0) this.device.allocator.release(cell.block)
  }

  read(): void {
    const known = this.cells.filter(({ value }) => !Number.isNaN(value))
    if (known.length > 0) this.check(this.pick(known))
  }

  check({ block, value }: Cell): void {
    const bytes = this.device.transfers.downloadSync(block, 0, count * 4, this.pick(this.streams))
    expect(new Set(new Float32Array(bytes.buffer))).toEqual(new Set([value]))
  }

  work(): void {
    const kind = this.random(9)
    if (kind < 4) this.make()
    else if (kind < 6) this.scale()
    else if (kind < 7) this.copy()
    else this.drop()
  }

  onAnyStream(body: () => void): void {
    this.device.streams.run(this.pick(this.streams), body)
  }

  capture(): void {
    const effects: (() => void)[] = []
    this.#effects = effects
    try {
      const { graph } = this.device.captureGraph(() => {
        for (let i = this.random(6); i >= 0; i--) {
          if (this.random(2) === 0) this.work()
          else this.onAnyStream(() => this.work())
        }
      })
      this.graphs.push({ graph, effects })
    } finally {
      this.#effects = null
    }
  }

  replay(): void {
    if (this.graphs.length === 0) return
    const { graph, effects } = this.pick(this.graphs)
    graph.launch(this.pick(this.streams))
    for (const effect of effects) effect()
  }

  destroy(): void {
    if (this.graphs.length === 0) return
    const [{ graph }] = this.graphs.splice(this.random(this.graphs.length), 1) as [Graph]
    graph.destroy()
  }

  step(): void {
    const kind = this.random(20)
    if (kind < 11) this.onAnyStream(() => this.work())
    else if (kind < 13) this.capture()
    else if (kind < 16) this.replay()
    else if (kind < 17) this.destroy()
    else if (kind < 18 && this.random(4) === 0) this.device.allocator.collect()
    else this.read()
    while (this.cells.length > 7) this.drop()
    while (this.graphs.length > 3) this.destroy()
  }

  /** Checks and frees everything. A function of its own: variables of one that awaits would keep what they held last. */
  end(): void {
    for (const cell of this.cells) if (!Number.isNaN(cell.value)) this.check(cell)
    for (const { graph } of this.graphs) graph.destroy()
    for (const { block } of this.cells) this.device.allocator.release(block)
    this.cells = []
    this.graphs = []
    this.device.synchronize()
  }
}

describe.skipIf(fake === null)(`random programs (${skipReason})`, () => {
  it.each(Array.from({ length: 24 }, (_, i) => i + 1))('leave the right numbers (seed %d)', async seed => {
    const program = new Program(seed)
    for (let i = 0; i < steps; i++) program.step()
    program.end()
    await collectUntil(program.device, () => program.device.allocator.stats().allocatedBytes === 0)
    program.device.allocator.trim()
    expect(program.device.allocator.stats()).toMatchObject({ allocatedBytes: 0, byOwner: [] })
    expect([fake!.get('graphs'), fake!.get('execs'), fake!.get('allocated')]).toEqual([0, 0, 0])
  })
})
