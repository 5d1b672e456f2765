/**
 * Tensors of more bytes than one typed array shows. Their memory is never touched but where a test writes: pages that
 * nobody touches take no memory.
 */
import { describe, expect, it } from 'vitest'
import { ArgumentError } from '../../src/base/errors.js'
import { empty, fromBuffer, type Tensor } from '../../src/index.js'
import { cpuDevice } from '../../src/runtime/cpu/device.js'
import { copyBytes, readTensor } from '../../src/tensor/host.js'
import { Storage } from '../../src/tensor/storage.js'

const GiB = 2 ** 30

/** Sets elements of a tensor at flat places, straight in memory. */
function put(x: Tensor, values: Readonly<Record<number, number>>): void {
  const { block, memory } = x.storage('test')
  for (const [place, value] of Object.entries(values)) {
    const bytes = new Uint8Array(x.dtype === 'f32' ? new Float32Array([value]).buffer : [value])
    memory.write(block, Number(place) * bytes.length, bytes)
  }
}

const bytes = empty([5 * GiB], { dtype: 'u8' })
put(bytes, { 0: 1, 7: 2, [5 * GiB - 1]: 9, [5 * GiB - 3]: 8 })
const floats = empty([3, GiB / 2], { dtype: 'f32' }) // 6 GiB
put(floats, { 0: 1.5, [GiB]: 2.5, [1.5 * GiB - 1]: 3.5 })

describe('a tensor of more than 4 GiB', () => {
  it('returns values at its start and at its end', () => {
    expect(bytes.get(7).itemSync()).toBe(2)
    expect(bytes.get(-1).itemSync()).toBe(9)
    expect(bytes.narrow(0, 5 * GiB - 4, 4).toArray()).toEqual([0, 8, 0, 9])
    expect(floats.get(2, 0).itemSync()).toBe(2.5)
    expect(
      floats
        .select(0, 2)
        .narrow(0, GiB / 2 - 2, 2)
        .dataSync(),
    ).toEqual(new Float32Array([0, 3.5]))
  })

  it('is read asynchronously too', async () => {
    expect(await bytes.get(-1).item()).toBe(9)
    expect([...(await bytes.narrow(0, 5 * GiB - 2, 2).data())]).toEqual([0, 9])
  })

  it('is read through views that span it', () => {
    const ends = bytes.slice([null, null, 5 * GiB - 1])
    expect([ends.toArray(), [...ends.dataSync('u8')]]).toEqual([
      [1, 9],
      [1, 9],
    ])
    const square = bytes.reshape([5, GiB])
    expect(
      square
        .slice(null, [GiB - 3, null])
        .t()
        .toArray(),
    ).toEqual([
      [0, 0, 0, 0, 8],
      [0, 0, 0, 0, 0],
      [0, 0, 0, 0, 9],
    ])
    expect(square.narrow(1, 7, 1).t().dataSync()).toEqual(new Uint8Array([2, 0, 0, 0, 0]))
  })

  it('prints its corners', () => {
    expect(String(bytes)).toBe('tensor([1, 0, 0,  ..., 8, 0, 9], dtype=u8)')
    expect(String(floats).split('\n')[0]).toBe('tensor([[1.5000, 0.0000, 0.0000,  ..., 0.0000, 0.0000, 0.0000],')
    expect(String(floats)).toContain('0.0000, 3.5000]])')
  })

  it('can be computed with through views', () => {
    const [head, tail] = [bytes.narrow(0, 0, 8), bytes.narrow(0, 5 * GiB - 8, 8)]
    expect(head.add(tail).toArray()).toEqual([1, 0, 0, 0, 0, 8, 0, 11])
    tail.narrow(0, 2, 1).fill_(4)
    expect(bytes.get(5 * GiB - 6).itemSync()).toBe(4)
    tail.narrow(0, 2, 1).fill_(0)
  })

  it('with more elements than a typed array allows is read in parts, and says so', () => {
    expect(() => bytes.dataSync()).toThrow(ArgumentError)
    expect(() => bytes.dataSync()).toThrow(/5368709120 elements of u8 are more .*fix: read them in parts: x\.narrow/)
  })
})

describe('memory of more than 4 GiB', () => {
  it('is written from JavaScript memory of any length', () => {
    // The parts are copied: a small length stands for a large one.
    const source = new ArrayBuffer(4096)
    new Uint8Array(source)[4095] = 7
    expect(fromBuffer(source, { dtype: 'u8' }).get(-1).itemSync()).toBe(7)
    expect(fromBuffer(new Uint8Array(source, 4000), { dtype: 'u8' }).get(-1).itemSync()).toBe(7)
    const { memory, block } = empty([8], { dtype: 'u8' }).storage('test')
    const large = new ArrayBuffer(4 * GiB + 8)
    new Uint8Array(large, 4 * GiB)[3] = 5
    memory.write(block, 0, { buffer: large, byteOffset: 4 * GiB, byteLength: 8 })
    expect([...memory.read(block, 0, 8)]).toEqual([0, 0, 0, 5, 0, 0, 0, 0])
  })

  it('is copied from one storage to another', () => {
    const { allocator } = cpuDevice()
    const to = new Storage(allocator.allocate(16), 16, 'cpu', allocator)
    copyBytes(bytes.storage('test'), 5 * GiB - 16, to, 16)
    expect([...allocator.read(to.block, 0, 16)].slice(-3)).toEqual([8, 0, 9])
  })

  it('on a device is read in smaller ranges, which are assembled in order', async () => {
    // A device whose memory JavaScript does not see, and refuses to give more than 2 GiB at a time.
    const { allocator } = cpuDevice()
    const base = bytes.storage('test')
    const asked: number[] = []
    const read = (block: typeof base.block, from: number, count: number): Uint8Array => {
      asked.push(count)
      if (count > 2 * GiB) throw new Error(`asked for ${count} bytes`)
      // Pages that hold nothing are not read: 2 GiB of zeros would have to be written.
      const result = new Uint8Array(count)
      for (const place of [0, 7, 5 * GiB - 3, 5 * GiB - 1]) {
        if (place >= from && place < from + count) result[place - from] = allocator.read(block, place, 1)[0]!
      }
      return result
    }
    const memory = {
      ...methods(allocator),
      shared: () => null,
      read,
      readAsync: async (...args: Parameters<typeof read>) => read(...args),
    }
    const apart = new Storage(base.block, base.bytes, 'cpu', memory)
    const layout = { shape: [5, 2], strides: [GiB, 7], offset: 0 }
    expect([...readTensor(apart, 'u8', layout)]).toEqual([1, 2, 0, 0, 0, 0, 0, 0, 0, 0])
    const backwards = { shape: [2, 5], strides: [7, GiB], offset: GiB - 8 }
    expect([...readTensor(apart, 'u8', backwards)]).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 9])
    expect(Math.max(...asked)).toBeLessThanOrEqual(2 * GiB)
  })
})

const methods = (allocator: ReturnType<typeof cpuDevice>['allocator']) => ({
  allocate: (count: number) => allocator.allocate(count),
  release: () => {},
  write: () => {},
  lasting: <R>(body: () => R): R => body(),
})
