import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { ArgumentError, DeviceError, InternalError } from '../../../src/base/errors.js'
import type { CudaBlock } from '../../../src/runtime/cuda/block.js'
import type { CudaDevice } from '../../../src/runtime/cuda/device.js'
import { wordArguments } from '../../../src/types/argument-layout.js'
import { floatBytes, openFake, readFloats, skipReason, testKernels } from './support.js'

const fake = openFake()
afterAll(() => fake?.close())

const mib = 2 ** 20

describe.skipIf(fake === null)(`memory (${skipReason})`, () => {
  let device: CudaDevice

  beforeEach(() => {
    device = fake!.device()
  })

  const allocate = (bytes: number): CudaBlock => device.allocator.allocate(bytes)

  it('returns aligned blocks that do not overlap, of any size', () => {
    const blocks = [0, 1, 511, 512, 513, 100_000, mib, mib + 1, 9 * mib, 40 * mib, 0].map(allocate)
    const spans = blocks.map(({ address, byteLength }) => [address, address + Math.max(1, byteLength)] as const)
    spans.sort(([a], [b]) => a - b)
    for (const [i, [start]] of spans.entries()) {
      expect(start % 512).toBe(0)
      if (i > 0) expect(start).toBeGreaterThanOrEqual(spans[i - 1]![1])
    }
    expect(blocks.map(({ byteLength }) => byteLength)).toEqual([
      0,
      1,
      511,
      512,
      513,
      100_000,
      mib,
      mib + 1,
      9 * mib,
      40 * mib,
      0,
    ])
  })

  it.each([-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY])('rejects %d bytes', bytes => {
    expect(() => allocate(bytes)).toThrow(ArgumentError)
  })

  it('asks the driver once for many blocks, and reuses freed ones', () => {
    const blocks = Array.from({ length: 100 }, () => allocate(10_000))
    expect(fake!.get('allocations')).toBe(1)
    const address = blocks[50]!.address
    device.allocator.release(blocks[50]!)
    expect(allocate(10_000).address).toBe(address)
    for (let i = 0; i < 1000; i++) device.allocator.release(allocate(30 * mib))
    expect(fake!.get('allocations')).toBe(2)
  })

  it('rejects a block that is released twice, or used after its release', () => {
    const block = allocate(100)
    device.allocator.release(block)
    expect(() => device.allocator.release(block)).toThrow(InternalError)
    expect(() => device.allocator.use(block, device.streams.main)).toThrow(InternalError)
  })

  it('counts allocations', () => {
    const a = device.allocator.allocate(10 * mib, 'temporaries')
    const b = allocate(1000)
    expect(device.allocator.stats()).toEqual({
      allocatedBytes: 10 * mib + 1024,
      peakAllocatedBytes: 10 * mib + 1024,
      cachedBytes: 2 * mib - 1024,
      reservedBytes: 12 * mib,
      peakReservedBytes: 12 * mib,
      allocations: 2,
      byOwner: [
        { owner: 'temporaries', bytes: 10 * mib },
        { owner: 'tensors', bytes: 1024 },
      ],
    })
    device.allocator.release(a)
    device.allocator.release(b)
    expect(device.allocator.stats()).toMatchObject({ allocatedBytes: 0, cachedBytes: 12 * mib, byOwner: [] })
    expect(device.allocator.trim()).toBe(12 * mib)
    expect(device.allocator.stats()).toMatchObject({ cachedBytes: 0, reservedBytes: 0, peakReservedBytes: 12 * mib })
    expect(fake!.get('allocated')).toBe(0)
  })

  it('returns cached memory to the driver before running out', () => {
    fake!.set('memory', 100 * mib)
    for (let i = 0; i < 2; i++) device.allocator.release(allocate(40 * mib))
    const parts = [allocate(40 * mib), allocate(50 * mib)]
    for (const part of parts) device.allocator.release(part)
    const large = allocate(90 * mib)
    expect(fake!.get('frees')).toBe(2)
    expect(large.byteLength).toBe(90 * mib)
  })

  it('uses the remaining memory when a whole segment does not fit', () => {
    fake!.set('memory', 10 * mib)
    expect(allocate(9 * mib).byteLength).toBe(9 * mib)
  })

  it('collects garbage before running out, inside one synchronous loop', () => {
    fake!.set('memory', 100 * mib)
    let kept: CudaBlock | null = null
    for (let i = 0; i < 50; i++) {
      const block = allocate(20 * mib)
      if (i === 10) kept = block
    }
    expect(fake!.get('allocated')).toBeLessThanOrEqual(100 * mib)
    expect(kept!.lease.released).toBe(false)
    expect(device.allocator.stats().allocations).toBe(50)
  })

  it('collects garbage before growing far', () => {
    device = fake!.device({}, { collectAtBytes: 64 * mib })
    for (let i = 0; i < 60; i++) allocate(16 * mib)
    expect(fake!.get('allocated')).toBeLessThanOrEqual(160 * mib)
  })

  it('does not collect reachable blocks', () => {
    const kept = Array.from({ length: 20 }, () => allocate(1000))
    allocate(5 * mib)
    expect(device.allocator.collect()).toBeGreaterThanOrEqual(5 * mib)
    expect(kept.every(({ lease }) => !lease.released)).toBe(true)
    expect(new Set(kept.map(({ address }) => address)).size).toBe(20)
  })

  it('frees blocks that the garbage collector finds between turns', async () => {
    const makeGarbage = (): void => {
      for (let i = 0; i < 10; i++) allocate(mib)
    }
    makeGarbage()
    device.allocator.collect()
    await new Promise(resolve => setTimeout(resolve, 10))
    expect(device.allocator.stats().allocatedBytes).toBe(0)
  })

  it('reports the holders of memory when it runs out, and continues to work', async () => {
    fake!.set('memory', 100 * mib)
    const kept = device.allocator.allocate(60 * mib, 'weights')
    let error: unknown = null
    try {
      allocate(64 * mib)
    } catch (thrown) {
      error = thrown
    }
    expect(error).toBeInstanceOf(DeviceError)
    const { what, fix } = error as DeviceError
    expect(what).toBe(
      'cuda:0: no memory for 64.0 MiB: 60.0 MiB allocated (weights 60.0 MiB), 0 B cached (largest piece 0 B), ' +
        '40.0 MiB of 100.0 MiB free on the device, 0 B held by the driver and other processes',
    )
    expect(fix).toMatch(/^dispose of tensors/)
    const small = allocate(4)
    device.transfers.upload(small, 0, floatBytes([3]), device.streams.current)
    expect(await readFloats(device, small)).toEqual([3])
    expect(kept.lease.released).toBe(false)
  })

  it.each([2 ** 40, 2 ** 42, 2 ** 50])('rejects %d bytes, more than any device has', bytes => {
    expect(() => allocate(bytes)).toThrow(/no memory for/)
  })
})

describe.skipIf(fake === null)(`memory on several streams (${skipReason})`, () => {
  let device: CudaDevice

  beforeEach(() => {
    device = fake!.device()
  })

  /** Queues filling a block on a stream, `times` launches long. */
  function fill(block: CudaBlock, value: number, stream: CudaDevice['streams']['main'], times = 1): void {
    const kernel = device.loadModule(testKernels).kernel('fill')
    const list = device.stepList(
      Array.from({ length: times }, () => ({ kind: 'kernel', kernel, args: wordArguments(3), threads: 32 }) as const),
    )
    for (let step = 0; step < times; step++) {
      list.setPointer(step, 0, block.address)
      list.setInt(step, 1, block.byteLength / 4)
      list.setFloat(step, 2, value)
    }
    device.allocator.use(block, stream, true)
    list.run(stream)
  }

  it.each([1, 2, 3, 4, 5, 6])('orders a read after a write on another stream (seed %d)', async seed => {
    fake!.set('seed', seed)
    const [writer, reader] = [device.streams.next(), device.streams.next()]
    const block = device.allocator.allocate(400, 'tensors', writer)
    fill(block, 7, writer, 20)
    const bytes = await device.transfers.download(block, 0, 400, reader)
    expect(new Set(new Float32Array(bytes.buffer))).toEqual(new Set([7]))
  })

  it.each([1, 2, 3, 4, 5, 6])('orders a write after reads on other streams (seed %d)', seed => {
    fake!.set('seed', seed)
    const [a, b] = [device.streams.next(), device.streams.next()]
    const source = device.allocator.allocate(400)
    const copy = device.allocator.allocate(400, 'tensors', a)
    fill(source, 1, device.streams.main)
    for (let i = 0; i < 10; i++) device.transfers.copy(copy, 0, source, 0, 400, a)
    fill(source, 2, b)
    const bytes = device.transfers.downloadSync(copy, 0, 400, a)
    expect(new Set(new Float32Array(bytes.buffer))).toEqual(new Set([1]))
  })

  it('lets two streams read the same block at the same time', () => {
    const [a, b] = [device.streams.next(), device.streams.next()]
    const block = device.allocator.allocate(400)
    fill(block, 1, device.streams.main)
    device.allocator.use(block, a)
    const waits = fake!.get('waits')
    device.allocator.use(block, b)
    expect(fake!.get('waits')).toBe(waits + 1) // for the writer, not for the other reader
    device.allocator.use(block, b)
    device.allocator.use(block, device.streams.main)
    expect(fake!.get('waits')).toBe(waits + 1)
  })

  it.each([1, 2, 3, 4, 5, 6])('a block that another stream still reads is not reused (seed %d)', seed => {
    fake!.set('seed', seed)
    const side = device.streams.next()
    const source = device.allocator.allocate(4 * mib)
    const target = device.allocator.allocate(4 * mib, 'tensors', side)
    fill(source, 1, device.streams.main)
    device.transfers.copy(target, 0, source, 0, 4 * mib, side)
    device.allocator.release(source)
    const next = device.allocator.allocate(4 * mib)
    fill(next, 2, device.streams.main)
    const bytes = device.transfers.downloadSync(target, 0, 4 * mib, side)
    expect(new Set(new Float32Array(bytes.buffer))).toEqual(new Set([1]))
  })

  it('reuses it when that stream is done', () => {
    const side = device.streams.next()
    const block = device.allocator.allocate(4 * mib)
    device.allocator.use(block, side)
    device.allocator.release(block)
    expect(device.allocator.stats().allocatedBytes).toBe(0)
    device.synchronize()
    expect(device.allocator.allocate(4 * mib).address).toBe(block.address)
  })

  it.each([1, 2])(
    "when memory runs out, one stream takes part of another stream's memory, in order (seed %d)",
    seed => {
      fake!.set('seed', seed)
      fake!.set('memory', 33 * mib)
      const side = device.streams.next()
      const [kept, first] = [device.allocator.allocate(5 * mib), device.allocator.allocate(5 * mib)]
      const copy = device.allocator.allocate(5 * mib)
      fill(first, 1, device.streams.main)
      device.synchronize()
      device.transfers.copy(copy, 0, first, 0, 5 * mib, device.streams.main)
      device.allocator.release(first)
      const second = device.allocator.allocate(5 * mib, 'tensors', side)
      expect(second.address).toBe(first.address)
      fill(second, 2, side)
      const read = (block: CudaBlock): number =>
        new Float32Array(device.transfers.downloadSync(block, 0, 4, device.streams.main).buffer)[0]!
      expect([read(copy), read(second)]).toEqual([1, 2])
      device.allocator.release(second)
      device.allocator.release(kept)
    },
  )

  it.each([1, 2, 3])('one stream reuses memory that another has freed, in order (seed %d)', seed => {
    fake!.set('seed', seed)
    const side = device.streams.next()
    const first = device.allocator.allocate(40 * mib)
    const copy = device.allocator.allocate(40 * mib, 'tensors', device.streams.main)
    fill(first, 1, device.streams.main)
    device.synchronize()
    device.transfers.copy(copy, 0, first, 0, 40 * mib, device.streams.main)
    device.allocator.release(first)
    const second = device.allocator.allocate(40 * mib, 'tensors', side)
    expect(second.address).toBe(first.address)
    fill(second, 2, side)
    const bytes = device.transfers.downloadSync(copy, 0, 40 * mib, device.streams.main)
    expect(new Float32Array(bytes.buffer).every(value => value === 1)).toBe(true)
  })
})
