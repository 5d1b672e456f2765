import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { ArgumentError, CaptureError, InternalError } from '../../../src/base/errors.js'
import type { CudaBlock } from '../../../src/runtime/cuda/block.js'
import type { CudaDevice } from '../../../src/runtime/cuda/device.js'
import type { StepSpec } from '../../../src/runtime/cuda/steps.js'
import type { CudaStream } from '../../../src/runtime/cuda/stream.js'
import { wordArguments } from '../../../src/types/argument-layout.js'
import { collectUntil, floatBytes, openFake, ptx, readFloats, skipReason, testKernels } from './support.js'

const fake = openFake()
afterAll(() => fake?.close())

const mib = 2 ** 20

describe.skipIf(fake === null)(`captured graphs (${skipReason})`, () => {
  let device: CudaDevice
  let allocate: (bytes: number) => CudaBlock

  beforeEach(() => {
    device = fake!.device()
    allocate = bytes => device.allocator.allocate(bytes)
  })

  function launch(name: string, blocks: readonly CudaBlock[], numbers: readonly number[], text = testKernels): void {
    const { current } = device.streams
    const spec: StepSpec = {
      kind: 'kernel',
      kernel: device.loadModule(text).kernel(name),
      args: wordArguments(blocks.length + numbers.length),
      threads: 32,
    }
    const list = device.stepList([spec])
    for (const [i, block] of blocks.entries()) {
      device.allocator.use(block, current, i === blocks.length - 1)
      list.setPointer(0, i, block.address)
    }
    const [count, value] = numbers
    list.setInt(0, blocks.length, count!)
    if (value !== undefined) list.setFloat(0, blocks.length + 1, value)
    list.run(current)
  }
  const fill = (block: CudaBlock, value: number): void => launch('fill', [block], [block.byteLength / 4, value])
  const add = (a: CudaBlock, b: CudaBlock): CudaBlock => {
    const out = allocate(a.byteLength)
    launch('add', [a, b, out], [a.byteLength / 4])
    return out
  }
  const set = (block: CudaBlock, values: readonly number[]): void =>
    device.transfers.upload(block, 0, floatBytes(values), device.streams.current)

  it('runs nothing before it is launched, then each time with the current contents of its inputs', async () => {
    const [a, b] = [allocate(8), allocate(8)]
    set(a, [1, 2])
    set(b, [10, 20])
    const { graph, result } = device.captureGraph(() => add(add(a, b), b))
    expect(fake!.get('kernels_run')).toBe(0)
    expect(graph.nodes).toBe(2)
    graph.launch()
    expect(await readFloats(device, result)).toEqual([21, 42])
    set(a, [5, 6])
    graph.launch()
    expect(await readFloats(device, result)).toEqual([25, 46])
  })

  it('keeps its memory while others allocate and free', async () => {
    const a = allocate(4)
    set(a, [1])
    const { graph, result } = device.captureGraph(() => {
      const once = add(a, a)
      const twice = add(once, once)
      device.allocator.release(once)
      return twice
    })
    for (let i = 0; i < 10; i++) fill(allocate(4), 99)
    graph.launch()
    const others = Array.from({ length: 10 }, () => allocate(4))
    for (const other of others) fill(other, 77)
    expect(await readFloats(device, result)).toEqual([4])
    graph.launch()
    for (const other of others) expect(await readFloats(device, other)).toEqual([77])
    expect(device.allocator.stats().byOwner.some(({ owner }) => owner === 'graphs')).toBe(true)
  })

  it('keeps released or unreachable inputs until it is destroyed', async () => {
    let a: CudaBlock | null = allocate(4)
    const b = allocate(4)
    set(a, [1])
    set(b, [2])
    const { graph, result } = device.captureGraph(() => add(a!, b))
    const address = a.address
    a = null
    device.allocator.release(b)
    device.allocator.collect()
    const others = Array.from({ length: 100 }, () => allocate(4))
    for (const other of others) fill(other, 50)
    expect(others.map(other => other.address)).not.toContain(address)
    graph.launch()
    expect(await readFloats(device, result)).toEqual([3])
    const before = device.allocator.stats().allocatedBytes
    graph.destroy()
    expect(device.allocator.stats().allocatedBytes).toBe(before - 2 * 512 - graph.nodes * 1024)
    const reused = [allocate(4), allocate(4)].map(block => block.address)
    expect(reused).toContain(address)
  })

  it('frees its memory when it is destroyed, except blocks that are still held', async () => {
    const a = allocate(4)
    set(a, [1])
    const { graph, result } = device.captureGraph(() => add(add(a, a), a))
    graph.launch()
    graph.destroy()
    graph.destroy()
    expect(() => graph.launch()).toThrow(InternalError)
    expect(await readFloats(device, result)).toEqual([3])
    device.allocator.release(result)
    device.allocator.release(a)
    device.allocator.collect()
    device.synchronize()
    device.allocator.trim()
    expect(device.allocator.stats()).toMatchObject({ allocatedBytes: 0, reservedBytes: 0 })
    expect([fake!.get('graphs'), fake!.get('execs'), fake!.get('allocated')]).toEqual([0, 0, 0])
  })

  it('allocates, loads modules and uploads inside', async () => {
    const { graph, result } = device.captureGraph(() => {
      const large = allocate(50 * mib)
      launch('fill', [large], [2, 4], ptx(['fill'], { extra: '// only here' }))
      const constants = allocate(8)
      set(constants, [1, 2])
      const out = allocate(8)
      launch('add', [large, constants, out], [2])
      return out
    })
    graph.launch()
    expect(await readFloats(device, result)).toEqual([5, 6])
    for (let i = 0; i < 20; i++) set(allocate(8), [i, i]) // takes other host buffers
    graph.launch()
    expect(await readFloats(device, result)).toEqual([5, 6])
    const { cachedBytes } = device.pinned
    graph.destroy()
    expect(device.pinned.cachedBytes).toBe(cachedBytes + 64 * 1024)
  })

  it.each([1, 2, 3, 4])('includes the streams over which its work is spread (seed %d)', async seed => {
    fake!.set('seed', seed)
    const sides = [device.streams.next(), device.streams.next()] as [CudaStream, CudaStream]
    const a = allocate(4)
    set(a, [1])
    const { graph, result } = device.captureGraph(() => {
      const base = add(a, a)
      const [left, right] = sides.map(side => device.streams.run(side, () => add(base, base)))
      return add(left!, right!)
    })
    expect(graph.nodes).toBe(4)
    expect(fake!.get('kernels_run')).toBe(0)
    graph.launch()
    expect(await readFloats(device, result)).toEqual([8])
    const [side] = sides
    const later = device.streams.run(side, () => add(result, a))
    expect(await readFloats(device, later)).toEqual([9])
  })

  it('captures work on a side stream that nothing in it waits for', async () => {
    const side = device.streams.next()
    const out = allocate(4)
    set(out, [0])
    const { graph } = device.captureGraph(() => device.streams.run(side, () => fill(out, 3)))
    expect(await readFloats(device, out)).toEqual([0])
    graph.launch()
    expect(await readFloats(device, out)).toEqual([3])
  })

  it.each([1, 2, 3, 4])('replays on any stream, ordered with reads on others (seed %d)', async seed => {
    fake!.set('seed', seed)
    const streams = [device.streams.main, device.streams.next(), device.streams.next()]
    const a = allocate(4)
    const { graph, result } = device.captureGraph(() => add(a, a))
    for (let i = 0; i < 9; i++) {
      const [writer, replayer, reader] = [0, 1, 2].map(k => streams[(i + k) % 3]!) as [
        CudaStream,
        CudaStream,
        CudaStream,
      ]
      device.streams.run(writer, () => set(a, [i]))
      graph.launch(replayer)
      const bytes = await device.transfers.download(result, 0, 4, reader)
      expect(new Float32Array(bytes.buffer)[0]).toBe(2 * i)
    }
  })

  it.each([1, 2, 3, 4])('orders replays with work on outside memory that they write (seed %d)', async seed => {
    fake!.set('seed', seed)
    const [, ...sides] = [device.streams.main, device.streams.next(), device.streams.next()]
    const weight = allocate(400)
    fill(weight, 1)
    const { graph } = device.captureGraph(() => launch('scale', [weight], [100, 2]))
    for (const [i, side] of [...sides, device.streams.main, ...sides].entries()) {
      graph.launch(side)
      const reader = sides[i % 2]!
      const bytes = await device.transfers.download(weight, 0, 400, i % 3 === 0 ? device.streams.main : reader)
      expect(new Set(new Float32Array(bytes.buffer))).toEqual(new Set([2 ** (i + 1)]))
    }
  })

  it.each([1, 2, 3, 4])('later writes wait for replays that read (seed %d)', async seed => {
    fake!.set('seed', seed)
    const side = device.streams.next()
    const a = allocate(400)
    fill(a, 1)
    const { graph, result } = device.captureGraph(() => add(a, a))
    device.synchronize()
    graph.launch(side)
    fill(a, 50)
    const bytes = await device.transfers.download(result, 0, 400, side)
    expect(new Set(new Float32Array(bytes.buffer))).toEqual(new Set([2]))
  })

  it('a capture does not change the recorded uses of memory before it', () => {
    const [a, b] = [allocate(400), allocate(400)]
    fill(a, 1)
    const before = { ...a.lease, pins: 1 }
    device.captureGraph(() => {
      device.transfers.copy(b, 0, a, 0, 400, device.streams.current)
      device.transfers.copy(a, 0, b, 0, 400, device.streams.current)
    })
    expect(a.lease).toEqual(before)
  })

  it('a body that throws leaves the device unchanged', async () => {
    const a = allocate(4)
    set(a, [1])
    const side = device.streams.next()
    const body = (): never => {
      add(a, a)
      device.streams.run(side, () => add(a, a))
      throw new Error('mine')
    }
    expect(() => device.captureGraph(body)).toThrow('mine')
    expect(device.streams.capture).toBeNull()
    expect(device.streams.current).toBe(device.streams.main)
    expect(fake!.get('graphs')).toBe(0)
    expect(await readFloats(device, add(a, a))).toEqual([2])
    const { graph, result } = device.captureGraph(() => add(a, a))
    graph.launch()
    expect(await readFloats(device, result)).toEqual([2])
  })

  it('rejects a capture inside a capture, and waiting inside one', async () => {
    const body: readonly (() => unknown)[] = [
      () => device.captureGraph(() => {}),
      () => device.streams.current.synchronize(),
      () => device.streams.current.idle,
      () => device.synchronize(),
    ]
    for (const refused of body) expect(() => device.captureGraph(refused)).toThrow(CaptureError)
    const a = allocate(4)
    set(a, [2])
    expect(await readFloats(device, a)).toEqual([2])
  })

  it('rejects work that waits for work queued outside meanwhile', () => {
    const side = device.streams.next()
    const a = allocate(4)
    set(a, [1])
    const body = (): void => {
      const { current } = device.streams
      const outside = device.allocator.allocate(4, 'tensors', side)
      device.transfers.upload(outside, 0, floatBytes([1]), side)
      device.allocator.use(outside, current)
    }
    expect(() => device.captureGraph(body)).toThrow(/captured work would wait for work that was queued outside/)
  })

  it('rejects an asynchronous body', () => {
    expect(() => device.captureGraph(async () => {})).toThrow(ArgumentError)
    expect(() => device.streams.run(device.streams.next(), async () => {})).toThrow(/fix: use a synchronous function/)
  })

  it('is destroyed when it becomes unreachable', async () => {
    const a = allocate(4)
    const make = (): void => device.captureGraph(() => add(a, a)).graph.launch()
    for (let i = 0; i < 3; i++) make()
    await collectUntil(device, () => fake!.get('execs') === 0)
    expect([fake!.get('graphs'), fake!.get('execs')]).toEqual([0, 0])
    expect(a.lease.pins).toBe(0)
  })

  it.each(['fail_graphs', 'memory'])('that does not fit (%s) leaves the device as it was', async limit => {
    const a = allocate(4)
    set(a, [1])
    device.synchronize()
    fake!.set(limit, 1)
    expect(() => device.captureGraph(() => add(add(a, a), allocate(50 * mib)))).toThrow(/memory/)
    fake!.set('fail_graphs', 0)
    fake!.set('memory', 2 ** 30)
    const { graph, result } = device.captureGraph(() => add(a, a))
    graph.launch()
    expect(await readFloats(device, result)).toEqual([2])
  })

  it('uses bounded memory over many captures', () => {
    const a = allocate(4)
    set(a, [1])
    for (let i = 0; i < 50; i++) {
      const { graph, result } = device.captureGraph(() => add(a, a))
      graph.launch()
      graph.destroy()
      device.allocator.release(result)
    }
    expect(device.allocator.stats().reservedBytes).toBeLessThanOrEqual(16 * mib)
  })
})
