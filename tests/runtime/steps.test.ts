import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DeviceError, InternalError } from '../../src/base/errors.js'
import { DiskCache } from '../../src/cache/disk-cache.js'
import { stepLayout } from '../../src/runtime/cpu/abi.js'
import { CpuDevice } from '../../src/runtime/cpu/device.js'
import type { NativeModule } from '../../src/runtime/cpu/library.js'
import { viewOf } from '../../src/runtime/native.js'
import { doubles, ints, kernelHeader, kernelSource, longs } from './support.js'

const source = [
  '#include <pthread.h>\n#include <unistd.h>',
  kernelHeader,
  kernelSource('echo', '((int64_t *)a[0].ptr)[0] = a[1].i; ((double *)a[0].ptr)[1] = a[2].f;'),
  kernelSource('grid', 'int64_t *o = a[0].ptr; o[p] = p; o[10] = g[0]; o[11] = g[1]; o[12] = g[2];'),
  kernelSource('count', '((int32_t *)a[0].ptr)[p] += 1;'),
  // Reads what the step before wrote, from the far end: wrong as soon as a step starts too early.
  kernelSource('reverse', '((int32_t *)a[1].ptr)[p] = ((int32_t *)a[0].ptr)[g[0] - 1 - p] + 1;'),
  // Fills the whole scratch, so that two threads in one block would show, then writes what it found.
  kernelSource(
    'scratch',
    `int64_t n = a[1].i / 8, *s = (int64_t *)scratch, bad = (uintptr_t)scratch % 64;
     for (int64_t i = 0; i < n; i++) s[i] = p * 1000 + i;
     for (int64_t i = 0; i < n; i++) bad += s[i] != p * 1000 + i;
     ((int64_t *)a[0].ptr)[p] = bad;`,
  ),
  // Chunks that sleep: every thread gets some, and the caller is done long before the others.
  kernelSource('thread', 'usleep(2000); ((int64_t *)a[0].ptr)[p] = (int64_t)(uintptr_t)pthread_self();'),
  kernelSource(
    'slow',
    '((int32_t *)a[1].ptr)[p] = 0; usleep(1000); ((int32_t *)a[1].ptr)[p] = ((int32_t *)a[0].ptr)[g[0] - 1 - p] + 1;',
  ),
  kernelSource('range', 'int64_t *o = a[0].ptr; o[2 * p] = first; o[2 * p + 1] = last;'),
].join('\n')

let folder = ''
let device: CpuDevice
let module: NativeModule

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tegula-test-'))
  device = new CpuDevice({ cache: DiskCache.open({ folder }), threads: 4 })
  module = device.loadModule(source)
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

const kernel = (name: string) => module.symbol(name)

/** A step's words, while its list lives. */
const wordsAt = (address: number): ArrayBuffer => viewOf(address, stepLayout.words * 8).slice(0)

describe('arguments', () => {
  it.each([0, 1, -1, 2 ** 31, -(2 ** 31), 2 ** 32, -(2 ** 32) - 5, 2 ** 53 - 1, -(2 ** 53) + 1])('int %d', value => {
    const out = device.allocator.allocate(16)
    const steps = device.stepList([{ kernel: kernel('echo'), args: 3 }])
    steps.setPointer(0, 0, out.address)
    steps.setInt(0, 1, value)
    steps.run()
    expect(longs(out)[0]).toBe(BigInt(value))
  })

  it.each([0n, -1n, 2n ** 63n - 1n, -(2n ** 63n)])('bigint %d', value => {
    const out = device.allocator.allocate(16)
    const steps = device.stepList([{ kernel: kernel('echo'), args: 3 }])
    steps.setPointer(0, 0, out.address)
    steps.setBigInt(0, 1, value)
    steps.run()
    expect(longs(out)[0]).toBe(value)
  })

  it.each([0, -0, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 5e-324])('float %d', value => {
    const out = device.allocator.allocate(16)
    const steps = device.stepList([{ kernel: kernel('echo'), args: 3 }])
    steps.setPointer(0, 0, out.address)
    steps.setFloat(0, 2, value)
    steps.run()
    expect(doubles(out)[1]).toBe(value)
  })

  it('are patched between runs, each step separately', () => {
    const outs = [device.allocator.allocate(16), device.allocator.allocate(16)]
    const steps = device.stepList(outs.map(() => ({ kernel: kernel('echo'), args: 3 })))
    for (let round = 0; round < 3; round++) {
      outs.forEach((out, step) => {
        steps.setPointer(step, 0, out.address)
        steps.setInt(step, 1, round * 10 + step)
      })
      steps.run()
      expect(outs.map(out => longs(out)[0])).toEqual([BigInt(round * 10), BigInt(round * 10 + 1)])
    }
  })

  it('that do not exist are rejected', () => {
    const steps = device.stepList([
      { kernel: kernel('echo'), args: 3 },
      { kernel: kernel('count'), args: 1 },
    ])
    for (const [step, arg] of [
      [0, 3],
      [0, -1],
      [1, 1],
      [2, 0],
      [-1, 0],
      [0.5, 0],
    ] as const) {
      expect(() => steps.setPointer(step, arg, 0), `${step}, ${arg}`).toThrow(InternalError)
    }
    expect(() => steps.setGrid(2, 1, 1, 1)).toThrow(InternalError)
  })
})

describe('grids', () => {
  it('are flattened and passed on', () => {
    const out = device.allocator.allocate(13 * 8)
    const steps = device.stepList([{ kernel: kernel('grid'), args: 1, grid: [2, 1, 5] }])
    steps.setPointer(0, 0, out.address)
    steps.run()
    expect([...longs(out)].map(Number)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 2, 1, 5])
  })

  it.each([
    [0, 1, 1],
    [5, 0, 1],
    [5, 1, 0],
    [-1, -1, 1],
  ] as const)('without instances run nothing (%d, %d, %d)', (x, y, z) => {
    const steps = device.stepList([{ kernel: kernel('count'), args: 1, minChunk: 1 }])
    steps.setPointer(0, 0, 8) // would crash if it ran
    steps.setGrid(0, x, y, z)
    steps.run()
  })

  it('an empty list runs nothing', () => {
    device.stepList([]).run()
  })

  it.each([
    [1000, 0, 1], // never split
    [1000, 1000, 1], // no larger than a chunk
    [1000, 300, 4],
    [1000, 1, 16], // threads times chunks per thread
    [3, 1, 3],
    [30, 1, 30], // few: one by one, so that shares are even
  ])('of %d with chunks of at least %d make %d chunks', (n, minChunk, chunks) => {
    const out = device.allocator.allocate(n * 16)
    const steps = device.stepList([{ kernel: kernel('range'), args: 1, grid: [n, 1, 1], minChunk }])
    steps.setPointer(0, 0, out.address)
    steps.run()
    const ranges = new Set<string>()
    longs(out).forEach((first, index, all) => {
      if (index % 2 === 0) ranges.add(`${first}-${all[index + 1]}`)
    })
    expect(ranges.size).toBe(chunks)
  })
})

describe('sizes from a table', () => {
  const [x, y, z, bytes, flops] = [1, 2, 3, 4, 5]
  const grid = { step: 0, x, y, z, bytes, flops }

  it('are passed with their current values when the steps run', () => {
    const out = device.allocator.allocate(16)
    const values = Float64Array.of(0, 1, 1, 1, 0, 0)
    const steps = device.stepList([{ kernel: kernel('echo'), args: 3, grid: [0, 1, 1] }])
    steps.setPointer(0, 0, out.address)
    const sizes = steps.bindSizes([{ step: 0, argument: 1, value: 0 }], [grid], values)
    for (const value of [5, -7, 2 ** 40, -(2 ** 53) + 1]) {
      sizes.pass()
      values[0] = value
      steps.run()
      expect(longs(out)[0]).toBe(BigInt(value))
    }
    values[0] = 3
    steps.run() // nothing was passed
    expect(longs(out)[0]).toBe(BigInt(-(2 ** 53) + 1))
  })

  it('are passed in turn if some were not passed yet', () => {
    const out = device.allocator.allocate(16)
    const values = Float64Array.of(8, 1, 1, 1, 0, 0)
    const steps = device.stepList([{ kernel: kernel('echo'), args: 3 }])
    steps.setPointer(0, 0, out.address)
    const once = steps.bindSizes([{ step: 0, argument: 1, value: 0 }], [], values)
    const again = steps.bindSizes([], [grid], values)
    once.pass()
    again.pass()
    steps.run()
    expect(longs(out)[0]).toBe(8n)
  })

  it('of an argument that does not exist are rejected', () => {
    const steps = device.stepList([{ kernel: kernel('echo'), args: 3 }])
    expect(() => steps.bindSizes([{ step: 0, argument: 3, value: 0 }], [], new Float64Array(1))).toThrow(InternalError)
  })

  // A chunk is 8000 ns of work: 12 bytes or 25 operations take one.
  it.each([
    [1, 1, 1, 2 ** 40, 0, 0], // one program is never split
    [8, 1, 1, 16_000 * 12 - 1, 0, 0],
    [2, 4, 1, 16_000 * 12, 0, 4],
    [8, 1, 1, 0, 32_000 * 25, 2],
    [8, 1, 1, 32_000 * 12, 24_000 * 25, 2],
    [3, 1, 1, 0, 24_000 * 25 + 1, 1],
    [8, 1, 1, 2 ** 40, 2 ** 40, 1],
  ])('split %d × %d × %d programs of %d bytes and %d operations by %d', (...row) => {
    const [nx, ny, nz, nbytes, nflops, chunk] = row
    const steps = device.stepList([{ kernel: kernel('count'), args: 1 }])
    const out = device.allocator.allocate(4 * nx * ny * nz)
    steps.setPointer(0, 0, out.address)
    steps.bindSizes([], [grid], Float64Array.of(0, nx, ny, nz, nbytes, nflops)).pass()
    steps.run()
    const words = new BigInt64Array(wordsAt(steps.address))
    expect([...words.slice(stepLayout.grid, stepLayout.grid + 3)]).toEqual([nx, ny, nz].map(BigInt))
    expect(words[stepLayout.minChunk]).toBe(BigInt(chunk))
  })

  it('reject a grid of too many programs, until it changes', () => {
    const values = Float64Array.of(0, 2 ** 31, 1, 1, 0, 0)
    const steps = device.stepList([{ kernel: kernel('count'), args: 1 }])
    const sizes = steps.bindSizes([], [grid], values)
    sizes.pass()
    for (let i = 0; i < 2; i++) expect(() => steps.run()).toThrow(/count is launched with a grid of 2147483648 × 1 × 1/)
    values.set([2 ** 30, 2 ** 30], 1)
    expect(() => steps.run()).toThrow(DeviceError)
    values.set([0, 1], 1)
    steps.run()
  })
})

describe('the pool', () => {
  it('runs every instance of many steps of all sizes exactly once', () => {
    const sizes = [1, 2, 3, 7, 16, 17, 63, 64, 100, 1000, 4097, 100_000]
    const out = device.allocator.allocate(100_000 * 4)
    for (const minChunk of [1, 5, 64]) {
      const parallel = device.stepList(
        sizes.map(n => ({ kernel: kernel('count'), args: 1, grid: [n, 1, 1], minChunk })),
      )
      sizes.forEach((_, step) => {
        parallel.setPointer(step, 0, out.address)
      })
      ints(out).fill(0)
      const rounds = 200
      for (let round = 0; round < rounds; round++) parallel.run()
      const expected = (p: number) => sizes.filter(n => n > p).length * rounds
      expect(ints(out).findIndex((count, p) => count !== expected(p))).toBe(-1)
    }
  })

  it('distributes a step over all its threads, also after they slept', () => {
    const out = device.allocator.allocate(40 * 8)
    const steps = device.stepList([{ kernel: kernel('thread'), args: 1, grid: [40, 1, 1], minChunk: 1 }])
    steps.setPointer(0, 0, out.address)
    for (let round = 0; round < 3; round++) {
      longs(out).fill(0n)
      steps.run()
      expect(new Set(longs(out)).size).toBe(device.runtime.threads)
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20) // long enough for every worker to sleep
    }
  })

  it.each([
    ['reverse', 3001, 20],
    ['slow', 16, 1],
  ])('finishes each step before it starts the next (%s)', (name, n, rounds) => {
    const buffers = [device.allocator.allocate(n * 4), device.allocator.allocate(n * 4)]
    const length = 50
    const steps = device.stepList(
      Array.from({ length }, () => ({ kernel: kernel(name), args: 2, grid: [n, 1, 1] as const, minChunk: 1 })),
    )
    for (let step = 0; step < length; step++) {
      steps.setPointer(step, 0, buffers[step % 2]!.address)
      steps.setPointer(step, 1, buffers[(step + 1) % 2]!.address)
    }
    for (let round = 0; round < rounds; round++) {
      ints(buffers[0]!).forEach((_, i, all) => {
        all[i] = i
      })
      steps.run()
      expect(ints(buffers[0]!).findIndex((value, i) => value !== i + length)).toBe(-1)
    }
  })

  it.each([8, 64, 1000, 100_000])('gives each thread its own aligned scratch memory (%d bytes)', bytes => {
    const n = 500
    const out = device.allocator.allocate(n * 8)
    longs(out).fill(-1n)
    const steps = device.stepList([
      { kernel: kernel('scratch'), args: 2, grid: [n, 1, 1], minChunk: 1, scratchBytes: bytes },
    ])
    steps.setPointer(0, 0, out.address)
    steps.setInt(0, 1, bytes)
    steps.run()
    expect(longs(out).every(bad => bad === 0n)).toBe(true)
  })

  it('reports scratch memory that cannot be allocated, and stays usable', () => {
    const steps = device.stepList([
      { kernel: kernel('scratch'), args: 2, grid: [100, 1, 1], minChunk: 1, scratchBytes: 2 ** 50 },
    ])
    expect(() => steps.run()).toThrow(/1125899906842624 bytes of scratch in kernel scratch/)
    const out = device.allocator.allocate(400)
    ints(out).fill(0)
    const after = device.stepList([{ kernel: kernel('count'), args: 1, grid: [100, 1, 1], minChunk: 1 }])
    after.setPointer(0, 0, out.address)
    after.run()
    expect(ints(out).every(count => count === 1)).toBe(true)
  })

  it('serves a child of fork(), which has no workers', () => {
    const forker = device.loadModule(
      `#include <stdint.h>
       #include <sys/wait.h>
       #include <unistd.h>
       double run_in_child(double run, double steps, double count) {
         pid_t child = fork();
         if (child == 0) {
           alarm(20); /* a hang ends as a failure */
           _exit(((int (*)(double, double, double))(uintptr_t)run)(steps, count, 0));
         }
         int status = -1;
         waitpid(child, &status, 0);
         return status;
       }`,
    )
    const out = device.allocator.allocate(4000)
    const steps = device.stepList([{ kernel: kernel('count'), args: 1, grid: [1000, 1, 1], minChunk: 1 }])
    steps.setPointer(0, 0, out.address)
    steps.run() // workers live now
    const runInChild = forker.function('double run_in_child(double run, double steps, double count)')
    expect(runInChild(device.runtime.module.address('tg_run'), steps.address, 1)).toBe(0)
    steps.run()
  })
})
