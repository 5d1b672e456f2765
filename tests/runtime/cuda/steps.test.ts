import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { DeviceError, InternalError } from '../../../src/base/errors.js'
import type { CudaBlock } from '../../../src/runtime/cuda/block.js'
import { type Dependencies, inOrder, reduceDependencies } from '../../../src/runtime/cuda/dependencies.js'
import type { CudaDevice } from '../../../src/runtime/cuda/device.js'
import type { CudaKernel, CudaModule } from '../../../src/runtime/cuda/module.js'
import type { StepList, StepSpec } from '../../../src/runtime/cuda/steps.js'
import { wordArguments } from '../../../src/types/argument-layout.js'
import { collectUntil, openFake, readFloats, readLongs, skipReason, testKernels } from './support.js'

const fake = openFake()
afterAll(() => fake?.close())

describe.skipIf(fake === null)(`step lists (${skipReason})`, () => {
  let device: CudaDevice
  let module: CudaModule

  beforeEach(() => {
    device = fake!.device()
    module = device.loadModule(testKernels)
  })

  const kernel = (name: string): CudaKernel => module.kernel(name)
  const run = (list: StepList): void => list.run(device.streams.current)
  const launch = (name: string, args: number, more: Partial<StepSpec> = {}): StepSpec =>
    ({ kind: 'kernel', kernel: kernel(name), args: wordArguments(args), threads: 128, ...more }) as StepSpec

  /** fill(out, n, value), then scale(out, n, factor) */
  function fillAndScale(out: { address: number }, count: number): StepList {
    const list = device.stepList([launch('fill', 3), launch('scale', 3)])
    for (const [step, value] of [2, 5].entries()) {
      list.setPointer(step, 0, out.address)
      list.setInt(step, 1, count)
      list.setFloat(step, 2, value)
    }
    return list
  }

  it('runs launches in order', async () => {
    const out = device.allocator.allocate(4 * 4)
    run(fillAndScale(out, 4))
    expect(await readFloats(device, out)).toEqual([10, 10, 10, 10])
  })

  it.each([0, 1, -1, 2 ** 31, -(2 ** 31), -(2 ** 32) - 5, 2 ** 53 - 1, -(2 ** 53) + 1])('passes integer %d', value => {
    const out = device.allocator.allocate(12 * 8)
    const list = device.stepList([launch('echo', 3, { grid: [7, 5, 3], sharedBytes: 100 * 1024 })])
    list.setPointer(0, 0, out.address)
    list.setInt(0, 1, value)
    list.setFloat(0, 2, -0.0)
    run(list)
    const [address, int, float, ...rest] = readLongs(device, out, 9)
    expect(address).toBe(BigInt(out.address))
    expect(int).toBe(BigInt(value))
    expect(float).toBe(-(2n ** 63n))
    expect(rest).toEqual([7n, 5n, 3n, 105n, 128n, 102400n])
    expect(list.argument(0, 1)).toBe(value)
  })

  it.each([-1n, 2n ** 63n - 1n, -(2n ** 63n)])('passes bigint %d', value => {
    const out = device.allocator.allocate(12 * 8)
    const list = device.stepList([launch('echo', 2)])
    list.setPointer(0, 0, out.address)
    list.setBigInt(0, 1, value)
    run(list)
    expect(readLongs(device, out, 2)[1]).toBe(value)
  })

  it('passes structures of any size at their alignment, followed by the grid', () => {
    const out = device.allocator.allocate(40 * 8)
    const map = { bytes: 128, alignment: 64 }
    const args = [...wordArguments(1), map, ...wordArguments(1), { bytes: 24, alignment: 8 }]
    const list = device.stepList([launch('echo', 0, { args, grid: [7, 5, 3] })])
    const bytes = Uint8Array.from({ length: 128 }, (_, i) => i + 1)
    list.setPointer(0, 0, out.address)
    list.setBytes(0, 1, bytes)
    list.setInt(0, 2, 42)
    list.setBytes(0, 3, bytes.subarray(0, 24))
    run(list)
    const words = readLongs(device, out, 31)
    const given = new BigInt64Array(bytes.buffer)
    // The pointer, padding up to byte 64, the structure, the integer, the second structure, the grid.
    expect(words.slice(0, 8)).toEqual([BigInt(out.address), 0n, 0n, 0n, 0n, 0n, 0n, 0n])
    expect(words.slice(8, 24)).toEqual([...given])
    expect(words.slice(24, 28)).toEqual([42n, ...given.slice(0, 3)])
    expect(words.slice(28)).toEqual([7n, 5n, 3n])
    expect(() => list.setBytes(0, 1, bytes.subarray(1))).toThrow('argument 1 of step 0 takes 128 bytes, got 127')
  })

  it('uses changes made between runs', async () => {
    const out = device.allocator.allocate(4 * 4)
    const other = device.allocator.allocate(4 * 4)
    const list = fillAndScale(out, 4)
    run(list)
    for (const step of [0, 1]) list.setPointer(step, 0, other.address)
    list.setFloat(1, 2, 0.5)
    run(list)
    expect(await readFloats(device, out)).toEqual([10, 10, 10, 10])
    expect(await readFloats(device, other)).toEqual([1, 1, 1, 1])
  })

  it('skips steps with an empty grid', async () => {
    const out = device.allocator.allocate(4 * 4)
    const list = fillAndScale(out, 4)
    list.setGrid(1, 0, 1, 1)
    run(list)
    expect(await readFloats(device, out)).toEqual([2, 2, 2, 2])
    list.setGrid(1, 3, 1, 1)
    run(list)
    expect(await readFloats(device, out)).toEqual([10, 10, 10, 10])
  })

  it('fills and copies', async () => {
    const a = device.allocator.allocate(16)
    const b = device.allocator.allocate(16)
    const list = device.stepList([
      { kind: 'fill', elementBytes: 4 },
      { kind: 'copy' },
      { kind: 'fill', elementBytes: 1 },
      { kind: 'copy' },
    ])
    const one = new Uint32Array(Float32Array.of(1).buffer)[0]!
    for (const [step, args] of [
      [a.address, one, 4],
      [b.address, a.address, 16],
      [a.address, 0, 8],
      [0, 0, 0],
    ].entries()) {
      list.setPointer(step, 0, args[0]!)
      list.setInt(step, 1, args[1]!)
      list.setInt(step, 2, args[2]!)
    }
    run(list)
    expect(await readFloats(device, a)).toEqual([0, 0, 1, 1])
    expect(await readFloats(device, b)).toEqual([1, 1, 1, 1])
    expect([0, 1, 2, 3].map(step => list.isEmpty(step))).toEqual([false, false, false, true])
  })

  it('runs on the given stream', async () => {
    const side = device.streams.next()
    const out = device.allocator.allocate(16, 'tensors', side)
    const list = fillAndScale(out, 4)
    list.run(side)
    side.synchronize()
    run(list)
    device.synchronize()
    list.run(side)
    device.synchronize()
    expect(await readFloats(device, out)).toEqual([10, 10, 10, 10])
  })

  it('rejects grids that a launch cannot have', () => {
    const list = device.stepList([launch('fill', 3)])
    expect(() => list.setGrid(0, 2 ** 16, 2 ** 16, 1)).toThrow(
      /cuda:0: kernel fill is launched with a grid of 65536 × 65536 × 1 programs; a launch can have 2147483647.*fix: use larger tiles/,
    )
    expect(() => list.setGrid(0, Number.NaN, 1, 1)).toThrow(DeviceError)
    expect(() => list.setGrid(0, -1, 1, 1)).toThrow(DeviceError)
  })

  it('rejects steps and arguments that do not exist', () => {
    const list = device.stepList([launch('fill', 3), { kind: 'copy' }])
    expect(() => list.setInt(0, 3, 1)).toThrow(InternalError)
    expect(() => list.setInt(2, 0, 1)).toThrow(InternalError)
    expect(() => list.setInt(Number.NaN, 0, 1)).toThrow(InternalError)
    expect(() => list.setGrid(1, 1, 1, 1)).toThrow(InternalError)
  })

  it('rejects more shared memory or threads than the device has', () => {
    expect(() => device.stepList([launch('fill', 3, { sharedBytes: 240 * 1024 })])).toThrow(
      /kernel fill wants 240\.0 KiB of shared memory a block, more than the device has.*fix: use smaller tiles/,
    )
    expect(() => device.stepList([launch('fill', 3, { threads: 2048 })])).toThrow(
      /kernel fill wants blocks of 2048 threads; with its 32 registers a thread 1024 fit/,
    )
  })

  it('makes one driver call per launch', () => {
    const out = device.allocator.allocate(16)
    const list = fillAndScale(out, 4)
    for (let i = 0; i < 10; i++) run(list)
    expect(fake!.get('launches')).toBe(20)
  })
})

describe.skipIf(fake === null)(`step graphs (${skipReason})`, () => {
  let device: CudaDevice
  let module: CudaModule

  beforeEach(() => {
    device = fake!.device()
    module = device.loadModule(testKernels)
  })

  const fill = (): StepSpec => ({ kind: 'kernel', kernel: module.kernel('fill'), args: wordArguments(3), threads: 128 })
  const add = (): StepSpec => ({ kind: 'kernel', kernel: module.kernel('add'), args: wordArguments(4), threads: 128 })

  /** a = 1, b = 2, c = a + b, d = c + b: steps 0 and 1 are independent. */
  function diamond(): { list: StepList; blocks: ReturnType<CudaDevice['allocator']['allocate']>[] } {
    const blocks = [0, 1, 2, 3].map(() => device.allocator.allocate(64 * 4))
    const [a, b, c, d] = blocks.map(({ address }) => address) as [number, number, number, number]
    const list = device.stepList([fill(), fill(), add(), add()])
    for (const [step, target] of [a, b].entries()) {
      list.setPointer(step, 0, target)
      list.setInt(step, 1, 64)
      list.setFloat(step, 2, step + 1)
    }
    for (const [i, args] of [
      [a, b, c],
      [c, b, d],
    ].entries()) {
      for (const [arg, address] of args.entries()) list.setPointer(i + 2, arg, address)
      list.setInt(i + 2, 3, 64)
    }
    return { list, blocks }
  }
  const dependencies = [[], [], [0, 1], [2, 1]]

  it.each([1, 2, 3, 4, 5])('keeps the order that dependencies require (seed %d)', async seed => {
    fake!.set('seed', seed)
    const { list, blocks } = diamond()
    const graph = device.stepGraph(list, dependencies)
    graph.launch(device.streams.current)
    expect((await readFloats(device, blocks[3]!)).every(value => value === 5)).toBe(true)
    expect(graph.nodes).toBe(4)
  })

  it('without dependencies keeps the order of the steps', async () => {
    const { list, blocks } = diamond()
    device.stepGraph(list).launch(device.streams.current)
    expect(await readFloats(device, blocks[3]!, 1)).toEqual([5])
  })

  it('shows a wrong dependency as a wrong number: the stand-in driver really reorders', async () => {
    const seen = new Set<number>()
    for (let seed = 1; seed <= 20; seed++) {
      fake!.set('seed', seed)
      const { list, blocks } = diamond()
      device.stepGraph(list, [[], [], [], []]).launch(device.streams.current)
      seen.add((await readFloats(device, blocks[3]!, 1))[0]!)
    }
    expect(seen.size).toBeGreaterThan(1)
  })

  it('a timed graph runs the steps in order, with events between them, and follows changes', async () => {
    fake!.set('seed', 3)
    const { list, blocks } = diamond()
    const timed = device.timedGraph(list)
    timed.launch(device.streams.current)
    expect(await readFloats(device, blocks[3]!, 1)).toEqual([5])
    list.setFloat(0, 2, 10)
    timed.launch(device.streams.current)
    expect(fake!.get('node_updates')).toBe(1)
    expect(await readFloats(device, blocks[3]!, 1)).toEqual([14])
    list.setGrid(0, 0, 1, 1)
    device.transfers.fill(blocks[0]!, 0, 256, 0, device.streams.current)
    timed.launch(device.streams.current)
    expect(await readFloats(device, blocks[3]!, 1)).toEqual([4])
    timed.synchronize()
    expect(timed.events.slice(1).map((event, i) => event.millisecondsSince(timed.events[i]!))).toEqual([
      1.5, 1.5, 1.5, 1.5,
    ])
  })

  it('updates the nodes that changed, and only those', async () => {
    const { list, blocks } = diamond()
    const graph = device.stepGraph(list, dependencies)
    graph.launch(device.streams.current)
    expect(fake!.get('node_updates')).toBe(0)
    list.setFloat(0, 2, 10)
    list.setFloat(1, 2, 2) // as before
    expect(graph.changed).toBe(1)
    graph.launch(device.streams.current)
    expect(fake!.get('node_updates')).toBe(1)
    expect(await readFloats(device, blocks[3]!, 1)).toEqual([14])
    const fresh = device.allocator.allocate(64 * 4)
    list.setPointer(3, 2, fresh.address)
    graph.launch(device.streams.current)
    expect(fake!.get('node_updates')).toBe(2)
    expect(await readFloats(device, fresh, 1)).toEqual([14])
    expect(fake!.get('execs')).toBe(1)
  })

  it('a queued launch keeps its arguments when the next one changes them', async () => {
    const { list, blocks } = diamond()
    const graph = device.stepGraph(list, dependencies)
    graph.launch(device.streams.current)
    const fresh = device.allocator.allocate(64 * 4)
    list.setPointer(3, 2, fresh.address)
    list.setFloat(0, 2, 100)
    graph.launch(device.streams.current)
    expect(await readFloats(device, blocks[3]!, 1)).toEqual([5])
    expect(await readFloats(device, fresh, 1)).toEqual([104])
  })

  it('disables empty steps, and enables them again', async () => {
    const { list, blocks } = diamond()
    list.setGrid(0, 0, 1, 1)
    const graph = device.stepGraph(list, dependencies)
    device.transfers.fill(blocks[0]!, 0, 256, 0, device.streams.current)
    graph.launch(device.streams.current)
    expect(await readFloats(device, blocks[3]!, 1)).toEqual([4])
    list.setGrid(0, 1, 1, 1)
    graph.launch(device.streams.current)
    expect(await readFloats(device, blocks[3]!, 1)).toEqual([5])
    expect(fake!.get('node_switches')).toBe(2)
  })

  it('fills and copies, empty ones too', async () => {
    const a = device.allocator.allocate(16)
    const b = device.allocator.allocate(16)
    const list = device.stepList([{ kind: 'fill', elementBytes: 4 }, { kind: 'copy' }])
    const graph = device.stepGraph(list)
    graph.launch(device.streams.current)
    list.setPointer(0, 0, a.address)
    list.setInt(0, 1, new Uint32Array(Float32Array.of(3).buffer)[0]!)
    list.setInt(0, 2, 4)
    list.setPointer(1, 0, b.address)
    list.setPointer(1, 1, a.address)
    list.setInt(1, 2, 16)
    graph.launch(device.streams.current)
    expect(await readFloats(device, b)).toEqual([3, 3, 3, 3])
    list.setInt(1, 2, 0)
    list.setInt(0, 1, 0)
    graph.launch(device.streams.current)
    expect(await readFloats(device, a)).toEqual([0, 0, 0, 0])
    expect(await readFloats(device, b)).toEqual([3, 3, 3, 3])
  })

  it('reports its memory and frees it', () => {
    const { list } = diamond()
    const before = device.allocator.stats()
    const graph = device.stepGraph(list, dependencies)
    expect(graph.bytes).toBe(4 * 1024)
    expect(device.allocator.stats().byOwner).toContainEqual({ owner: 'graphs', bytes: 4 * 1024 })
    graph.launch(device.streams.current)
    graph.destroy()
    graph.destroy()
    expect(device.allocator.stats()).toMatchObject({ allocatedBytes: before.allocatedBytes, byOwner: before.byOwner })
    expect([fake!.get('graphs'), fake!.get('execs')]).toEqual([0, 0])
    expect(() => graph.launch(device.streams.current)).toThrow(InternalError)
    device.synchronize()
  })

  it('is destroyed when it becomes unreachable', async () => {
    const make = (): void => device.stepGraph(diamond().list, dependencies).launch(device.streams.current)
    for (let i = 0; i < 3; i++) make()
    await collectUntil(device, () => fake!.get('execs') === 0)
    expect([fake!.get('graphs'), fake!.get('execs')]).toEqual([0, 0])
    expect(device.allocator.stats().allocatedBytes).toBe(0)
    device.synchronize()
  })

  it('reports when there is no memory for it', () => {
    const { list } = diamond()
    fake!.set('fail_graphs', 1)
    expect(() => device.stepGraph(list, dependencies)).toThrow(
      /the memory is used up \(CUDA_ERROR_OUT_OF_MEMORY\) while instantiating a graph.*fix: dispose/,
    )
  })

  it('rejects a dependency on itself or a later step', () => {
    const { list } = diamond()
    expect(() => device.stepGraph(list, [[], [1], [], []])).toThrow(InternalError)
  })
})

describe.skipIf(fake === null)(`kernels that start early (${skipReason})`, () => {
  let device: CudaDevice
  let module: CudaModule
  const waiting = testKernels.replaceAll('{ ret; }', '{ griddepcontrol.wait; ret; }')

  beforeEach(() => {
    device = fake!.device()
    module = device.loadModule(waiting)
  })

  /** x = 1, then x *= 2 so many times. */
  function chain(scales: number, from = module): { list: StepList; out: CudaBlock } {
    const step = (name: string): StepSpec => ({
      kind: 'kernel',
      kernel: from.kernel(name),
      args: wordArguments(3),
      threads: 32,
    })
    const list = device.stepList([step('fill'), ...Array.from({ length: scales }, () => step('scale'))])
    const out = device.allocator.allocate(16)
    for (let i = 0; i <= scales; i++) {
      list.setPointer(i, 0, out.address)
      list.setInt(i, 1, 4)
      list.setFloat(i, 2, i === 0 ? 1 : 2)
    }
    return { list, out }
  }

  it('are launched with the early attribute', async () => {
    const { list, out } = chain(3)
    list.run(device.streams.main)
    expect(await readFloats(device, out)).toEqual([8, 8, 8, 8])
    expect(fake!.get('early_launches')).toBe(4)
    chain(3, device.loadModule(testKernels)).list.run(device.streams.main)
    expect(fake!.get('early_launches')).toBe(4)
  })

  it('are connected to their only predecessor by a programmatic edge', async () => {
    const { list, out } = chain(3)
    const graph = device.stepGraph(list)
    expect([graph.early, fake!.get('early_edges'), fake!.get('edges')]).toEqual([true, 3, 0])
    graph.launch(device.streams.main)
    expect(await readFloats(device, out)).toEqual([8, 8, 8, 8])
    list.setFloat(0, 2, 3)
    graph.launch(device.streams.main)
    expect(await readFloats(device, out)).toEqual([24, 24, 24, 24])
  })

  it('are connected normally to several predecessors', () => {
    const graph = device.stepGraph(chain(3).list, [[], [], [0, 1], [2]])
    expect([graph.early, fake!.get('early_edges'), fake!.get('edges')]).toEqual([true, 1, 2])
  })

  it('are connected normally once a step is empty', async () => {
    const { list, out } = chain(3)
    const graph = device.stepGraph(list)
    list.setGrid(2, 0, 1, 1)
    list.setFloat(0, 2, 5)
    graph.launch(device.streams.main)
    expect(graph.early).toBe(false)
    expect(await readFloats(device, out)).toEqual([20, 20, 20, 20])
    expect([fake!.get('graphs'), fake!.get('execs')]).toEqual([1, 1])
    list.setGrid(2, 1, 1, 1)
    graph.launch(device.streams.main)
    expect(await readFloats(device, out)).toEqual([40, 40, 40, 40])
    expect(device.stepGraph(list).early).toBe(true)
  })

  it('are connected normally if the driver has no programmatic edges', async () => {
    fake!.set('no_edge_data', 1)
    const { list, out } = chain(3)
    const graph = device.stepGraph(list)
    graph.launch(device.streams.main)
    expect(graph.early).toBe(false)
    expect(await readFloats(device, out)).toEqual([8, 8, 8, 8])
    expect([fake!.get('graphs'), fake!.get('execs')]).toEqual([1, 1])
  })
})

describe('dependencies', () => {
  it('that follow from others are omitted', () => {
    const reduced = reduceDependencies([[], [0], [0, 1], [], [1, 0, 3, 2], [4, 4, 0]])
    expect(reduced).toEqual([[], [0], [1], [], [2, 3], [4]])
  })

  it('of long chains', () => {
    const chain = Array.from({ length: 1000 }, (_, i) => Array.from({ length: Math.min(i, 40) }, (_, k) => i - 1 - k))
    expect(reduceDependencies(chain)).toEqual(inOrder(1000))
  })

  it("keep the order: a step's predecessors still precede it", () => {
    let state = 3
    const random = (below: number): number => {
      state = (state * 1103515245 + 12345) % 2 ** 31
      return Math.floor((state / 2 ** 31) * below)
    }
    const before = Array.from({ length: 60 }, (_, i) =>
      Array.from({ length: i === 0 ? 0 : random(4) }, () => random(i)),
    )
    const reach = (all: Dependencies): number[][] => {
      const sets: Set<number>[] = []
      for (const list of all) sets.push(new Set(list.flatMap(other => [other, ...sets[other]!])))
      return sets.map(set => [...set].sort((a, b) => a - b))
    }
    const after = reduceDependencies(before)
    expect(reach(after)).toEqual(reach(before))
    expect(after.flat().length).toBeLessThan(before.flat().length)
  })

  it('must be on earlier steps', () => {
    for (const wrong of [[[0]], [[], [1]], [[], [-1]], [[], [Number.NaN]]]) {
      expect(() => reduceDependencies(wrong)).toThrow(InternalError)
    }
  })
})
