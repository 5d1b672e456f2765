import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ArgumentError, DeviceError, InternalError } from '../../src/base/errors.js'
import type { Block } from '../../src/runtime/block.js'
import { Allocator } from '../../src/runtime/cpu/memory.js'
import { addressOf, adviseHuge } from '../../src/runtime/native.js'

const make = (cacheLimitBytes?: number) =>
  new Allocator({ addressOf, ...(cacheLimitBytes === undefined ? {} : { cacheLimitBytes }) })
const bytesOf = (block: Block) => new Uint8Array(block.buffer, block.byteOffset, block.byteLength)

const sizes = [0, 1, 7, 8, 63, 64, 65, 100, 1000, 4095, 4096, 4097, 5000, 65_536, 100_001, 1 << 20, (1 << 22) + 1]

describe('blocks', () => {
  it.each(sizes)('of %d bytes are aligned, complete, and at their address', bytes => {
    const allocator = make()
    for (let i = 0; i < 3; i++) {
      const block = allocator.allocate(bytes)
      expect(block.address % 64).toBe(0)
      expect(block.byteLength).toBe(bytes)
      expect(bytesOf(block).length).toBe(bytes)
      expect(addressOf(block.buffer) + block.byteOffset).toBe(block.address)
    }
  })

  it('never overlap', () => {
    const allocator = make()
    const blocks = Array.from({ length: 3000 }, (_, i) => allocator.allocate(sizes[i % 14]!))
    const ranges = blocks.map(block => [block.address, block.address + block.byteLength] as const)
    ranges.sort((a, b) => a[0] - b[0])
    for (let i = 1; i < ranges.length; i++) expect(ranges[i]![0]).toBeGreaterThanOrEqual(ranges[i - 1]![1])
    expect(new Set(blocks.map(block => block.address)).size).toBe(blocks.length)
  })

  it.each([-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])('of %d bytes are rejected', bytes => {
    expect(() => make().allocate(bytes)).toThrow(ArgumentError)
  })

  it('that exceed memory are an error with numbers and a fix, and the allocator stays usable', () => {
    const allocator = make()
    expect(() => allocator.allocate(2 ** 52)).toThrow(DeviceError)
    expect(() => allocator.allocate(2 ** 52)).toThrow(/no memory for \d+ bytes .*fix: dispose/s)
    expect(allocator.allocate(100).byteLength).toBe(100)
  })
})

it.skipIf(!existsSync('/sys/kernel/mm/transparent_hugepage'))(
  'large blocks ask for huge pages, small ones do not',
  () => {
    const allocator = new Allocator({ addressOf, adviseHuge })
    const flags = (address: number) => {
      for (const area of readFileSync('/proc/self/smaps', 'utf8').split(/^(?=[0-9a-f]+-[0-9a-f]+ )/m)) {
        const [, from = '', to = ''] = /^([0-9a-f]+)-([0-9a-f]+) /.exec(area) ?? []
        if (Number.parseInt(from, 16) <= address && address < Number.parseInt(to, 16))
          return /VmFlags:(.*)/.exec(area)?.[1]
      }
      return undefined
    }
    const large = allocator.allocate(64 << 20)
    expect(flags(large.address + (32 << 20))).toMatch(/ hg /)
    expect(flags(allocator.allocate(1000).address)).not.toMatch(/ hg /)
  },
)

describe('release', () => {
  it('lets the next block of about the same size reuse the memory', () => {
    const allocator = make()
    const first = allocator.allocate(1_000_000)
    allocator.release(first)
    expect(allocator.stats().cachedBytes).toBeGreaterThanOrEqual(1_000_000)
    const second = allocator.allocate(999_000)
    expect(second.address).toBe(first.address)
    expect(second.byteLength).toBe(999_000)
    expect(allocator.stats().cachedBytes).toBe(0)
    expect(allocator.allocate(1_000_000).address).not.toBe(first.address)
  })

  it('twice is rejected, also after the memory was reused', () => {
    const allocator = make()
    const block = allocator.allocate(100_000)
    allocator.release(block)
    allocator.allocate(100_000)
    expect(() => allocator.release(block)).toThrow(InternalError)
  })

  it('keeps at most the limit, and drops the oldest blocks', () => {
    const allocator = make(1 << 20)
    const blocks = [400_000, 400_001, 500_000].map(bytes => allocator.allocate(bytes))
    for (const block of blocks) allocator.release(block)
    expect(allocator.stats().cachedBytes).toBeLessThanOrEqual(1 << 20)
    expect(allocator.stats().cachedBytes).toBeGreaterThan(400_000)
    expect(allocator.allocate(500_000).address).toBe(blocks[2]!.address)
    allocator.release(allocator.allocate(3 << 20))
    expect(allocator.stats().cachedBytes).toBeLessThanOrEqual(1 << 20)
    allocator.trim()
    expect(allocator.stats().cachedBytes).toBe(0)
  })

  it('counts', () => {
    const allocator = make()
    allocator.release(allocator.allocate(10_000))
    allocator.allocate(100)
    expect(allocator.stats()).toMatchObject({ allocatedBytes: 10_100, allocatedBlocks: 2, releasedBytes: 10_000 })
    expect(allocator.stats().peakBytes).toBeGreaterThanOrEqual(allocator.stats().cachedBytes)
  })
})

describe('one synchronous loop', () => {
  it('of 100,000 released blocks does not grow', () => {
    const allocator = make()
    allocator.release(allocator.allocate(200_000))
    const before = allocator.stats().heldBytes
    for (let i = 0; i < 100_000; i++) allocator.release(allocator.allocate(200_000))
    expect(allocator.stats().heldBytes - before).toBeLessThan(1 << 20)
  })

  it('of 300,000 blocks that are not released is garbage-collected while it runs', () => {
    const allocator = make()
    const before = allocator.stats().heldBytes
    for (let i = 0; i < 300_000; i++) bytesOf(allocator.allocate(i % 3 === 0 ? 100_000 : i % 2000))[0] = 1
    expect(allocator.stats().allocatedBytes).toBeGreaterThan(10e9)
    expect(allocator.stats().peakBytes - before).toBeLessThan(1e9)
  })
})
