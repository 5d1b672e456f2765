import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { CaptureError, DeviceError } from '../../../src/base/errors.js'
import type { CudaDevice } from '../../../src/runtime/cuda/device.js'
import { wordArguments } from '../../../src/types/argument-layout.js'
import { floatBytes, openFake, readFloats, skipReason, testKernels } from './support.js'

const fake = openFake()
afterAll(() => fake?.close())

const mib = 2 ** 20

describe.skipIf(fake === null)(`copies (${skipReason})`, () => {
  let device: CudaDevice

  beforeEach(() => {
    device = fake!.device()
  })

  const pattern = (bytes: number): Uint8Array => {
    const data = new Uint8Array(bytes)
    for (let i = 0; i < bytes; i++) data[i] = (i * 31) ^ (i >> 12)
    return data
  }
  const same = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0

  it.each([0, 1, 7, 4096, 4 * mib - 1, 4 * mib, 4 * mib + 1, 21 * mib + 5])('%d bytes, round trip', async bytes => {
    const data = pattern(bytes)
    const block = device.allocator.allocate(bytes + 3)
    const { main } = device.streams
    device.transfers.upload(block, 3, data, main)
    expect(same(await device.transfers.download(block, 3, bytes, main), data)).toBe(true)
    expect(same(device.transfers.downloadSync(block, 3, bytes, main), data)).toBe(true)
  })

  it('data may change as soon as upload returns', async () => {
    const block = device.allocator.allocate(10 * mib)
    const data = pattern(10 * mib)
    const copy = data.slice()
    device.transfers.upload(block, 0, data, device.streams.main)
    data.fill(0)
    expect(same(await device.transfers.download(block, 0, data.length, device.streams.main), copy)).toBe(true)
  })

  it('many uploads do not overtake each other in their host buffers', async () => {
    const blocks = Array.from({ length: 50 }, () => device.allocator.allocate(4))
    for (const [i, block] of blocks.entries()) device.transfers.upload(block, 0, floatBytes([i]), device.streams.main)
    for (const [i, block] of blocks.entries()) expect(await readFloats(device, block)).toEqual([i])
  })

  it('uploads without waiting on this thread', async () => {
    const block = device.allocator.allocate(30 * mib)
    const data = pattern(30 * mib)
    await device.transfers.uploadAsync(block, 0, data, device.streams.main)
    expect(same(await device.transfers.download(block, 0, data.length, device.streams.main), data)).toBe(true)
  })

  it.each([4, 20])('a read of %d MiB returns the contents at the time of the request', async size => {
    const block = device.allocator.allocate(size * mib)
    const data = pattern(size * mib)
    const { main } = device.streams
    device.transfers.upload(block, 0, data, main)
    const read = device.transfers.download(block, 0, data.length, main)
    device.transfers.fill(block, 0, data.length, 0, main)
    expect(same(await read, data)).toBe(true)
    expect(device.allocator.stats().byOwner).toEqual([{ owner: 'tensors', bytes: size * mib }])
  })

  it('a large read waits on this thread when the device has no free memory', async () => {
    const block = device.allocator.allocate(20 * mib)
    const data = pattern(20 * mib)
    device.transfers.upload(block, 0, data, device.streams.main)
    fake!.set('memory', 21 * mib)
    const read = device.transfers.download(block, 0, data.length, device.streams.main)
    device.transfers.fill(block, 0, data.length, 0, device.streams.main)
    expect(same(await read, data)).toBe(true)
  })

  it('pins little memory, however much is copied', async () => {
    const block = device.allocator.allocate(64 * mib)
    device.transfers.upload(block, 0, pattern(64 * mib), device.streams.main)
    await device.transfers.download(block, 0, 64 * mib, device.streams.main)
    expect(device.pinned.heldBytes).toBeLessThanOrEqual(32 * mib)
    expect(device.pinned.heldBytes).toBe(fake!.get('host_allocated'))
  })

  it('a read neither blocks the event loop nor spins while the device works', async () => {
    fake!.set('hold', 1)
    fake!.set('wait_ms', 100)
    const block = device.allocator.allocate(4)
    let ticks = 0
    const timer = setInterval(() => ticks++, 1)
    const cpu = process.cpuUsage()
    const start = performance.now()
    await device.transfers.download(block, 0, 4, device.streams.main)
    const used = process.cpuUsage(cpu)
    clearInterval(timer)
    expect(performance.now() - start).toBeGreaterThanOrEqual(99)
    expect(ticks).toBeGreaterThanOrEqual(5)
    expect((used.user + used.system) / 1000).toBeLessThan(60)
    expect(fake!.get('worker_waits')).toBe(1)
  })

  it('many simultaneous reads leave threads of the pool to others', async () => {
    fake!.set('hold', 1)
    fake!.set('wait_ms', 30)
    const block = device.allocator.allocate(4)
    const { main } = device.streams
    const reads = Promise.all(Array.from({ length: 10 }, () => device.transfers.download(block, 0, 4, main)))
    for (let i = 0; i < 100 && fake!.get('worker_waits') < 2; i++) await new Promise(resolve => setTimeout(resolve, 10))
    await new Promise(resolve => setTimeout(resolve, 20))
    expect(fake!.get('worker_waits')).toBe(2)
    fake!.set('hold', 0)
    await reads
    expect(fake!.get('worker_waits')).toBeLessThanOrEqual(3)
  })

  it('polls where a thread without a context must not wait', async () => {
    fake!.set('wait_needs_context', 1)
    fake!.set('hold', 1)
    setTimeout(() => fake!.set('hold', 0), 30)
    const block = device.allocator.allocate(4)
    device.transfers.fill(block, 0, 4, 0, device.streams.main)
    expect(await readFloats(device, block)).toEqual([0])
    expect(await readFloats(device, block)).toEqual([0])
    expect(fake!.get('worker_waits')).toBe(0)
  })

  it('rejects when earlier work failed, and frees nothing too early', async () => {
    const kernel = device.loadModule(testKernels).kernel('fill')
    const list = device.stepList([{ kind: 'kernel', kernel, args: wordArguments(3), threads: 32 }])
    const block = device.allocator.allocate(4)
    list.setPointer(0, 0, 64)
    list.setInt(0, 1, 1)
    list.run(device.streams.main)
    await expect(device.transfers.download(block, 0, 4, device.streams.main)).rejects.toThrow(DeviceError)
  })

  it('copies and fills within the device', async () => {
    const [a, b] = [device.allocator.allocate(16), device.allocator.allocate(16)]
    const { main } = device.streams
    device.transfers.upload(a, 0, floatBytes([1, 2, 3, 4]), main)
    device.transfers.fill(b, 0, 16, 0, main)
    device.transfers.copy(b, 4, a, 8, 8, main)
    device.transfers.copy(b, 0, a, 0, 0, main)
    device.transfers.fill(b, 0, 0, 1, main)
    expect(await readFloats(device, b)).toEqual([0, 3, 4, 0])
  })

  it('rejects a read inside a capture', () => {
    const block = device.allocator.allocate(4)
    const read = () => device.transfers.downloadSync(block, 0, 4, device.streams.current)
    expect(() => device.captureGraph(read)).toThrow(CaptureError)
    expect(() => device.captureGraph(read)).toThrow(
      /reading a tensor is not possible in a capture.*fix: return the tensor/,
    )
    device.transfers.fill(block, 0, 4, 0, device.streams.main)
    expect(device.transfers.downloadSync(block, 0, 4, device.streams.main)).toEqual(new Uint8Array(4))
  })

  it('finished() resolves when all streams are done', async () => {
    const block = device.allocator.allocate(16 * mib)
    const side = device.streams.next()
    const other = device.allocator.allocate(16 * mib, 'tensors', side)
    device.transfers.fill(block, 0, 16 * mib, 1, device.streams.main)
    device.transfers.fill(other, 0, 16 * mib, 1, side)
    await device.finished()
    expect([device.streams.main.idle, side.idle]).toEqual([true, true])
  })
})
