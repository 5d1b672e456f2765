import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DeviceError } from '../../../src/base/errors.js'
import type { SourceLocation } from '../../../src/base/source.js'
import type { CudaDevice } from '../../../src/runtime/cuda/device.js'
import { explainResult, resultName } from '../../../src/runtime/cuda/results.js'
import type { StepList } from '../../../src/runtime/cuda/steps.js'
import { wordArguments } from '../../../src/types/argument-layout.js'
import { openFake, skipReason, testKernels } from './support.js'

const fake = openFake()
afterAll(() => fake?.close())

const line = (file: string, number: number): SourceLocation => ({ file, line: number, column: 1 })

describe.skipIf(fake === null)(`failing kernels (${skipReason})`, () => {
  let device: CudaDevice

  beforeEach(() => {
    device = fake!.device()
  })
  afterEach(() => {
    delete process.env.TEGULA_CUDA_SYNC
  })

  function kernels(...named: [string, SourceLocation[]][]): StepList {
    const module = device.loadModule(testKernels)
    return device.stepList(
      named.map(
        ([name, lines]) =>
          ({ kind: 'kernel', kernel: module.kernel(name), args: wordArguments(3), threads: 32, lines }) as const,
      ),
    )
  }
  function thrown(body: () => void): DeviceError {
    try {
      body()
    } catch (error) {
      expect(error).toBeInstanceOf(DeviceError)
      return error as DeviceError
    }
    throw new Error('nothing was thrown')
  }

  it('names the kernel and its lines when only one was launched', () => {
    fake!.set('illegal_at', 1)
    kernels(['fill', [line('/home/me/model.ts', 41), line('/home/me/model.ts', 50)]]).run(device.streams.main)
    const error = thrown(() => device.synchronize())
    expect(error.what).toBe(
      'cuda:0: a kernel touched memory that is not allocated (CUDA_ERROR_ILLEGAL_ADDRESS); it is kernel fill ' +
        '(model.ts:41, model.ts:50). CUDA gives the context up: no CUDA work is possible in this process any more ' +
        '(CPU tensors still are)',
    )
    expect(error.at).toEqual(line('/home/me/model.ts', 41))
    expect(error.fix).toMatch(/TEGULA_CUDA_SYNC=1/)
  })

  it('names all kernels launched since the last wait, and none before', () => {
    kernels(['other', [line('a.ts', 1)]]).run(device.streams.main)
    device.synchronize()
    fake!.set('illegal_at', 3)
    kernels(['fill', [line('a.ts', 2)]], ['add', [line('b.ts', 3)]]).run(device.streams.main)
    const { what } = thrown(() => device.synchronize())
    expect(what).toContain('one of the kernels launched last: fill (a.ts:2), add (b.ts:3).')
    expect(what).not.toContain('other')
  })

  it('waiting for one stream clears that stream only', () => {
    const side = device.streams.next()
    kernels(['other', [line('a.ts', 1)]]).run(side)
    kernels(['echo', [line('a.ts', 2)]]).run(device.streams.main)
    const first = kernels(['fill', []])
    first.setPointer(0, 0, 64)
    first.setInt(0, 1, 1)
    const event = device.event()
    event.record(side)
    event.synchronize()
    first.run(device.streams.main)
    const { what } = thrown(() => device.synchronize())
    expect(what).toContain('echo (a.ts:2), fill.')
    expect(what).not.toContain('other')
  })

  it('every later call reports that the device is lost, and why', () => {
    fake!.set('illegal_at', 1)
    kernels(['fill', []]).run(device.streams.main)
    thrown(() => device.synchronize())
    const later = [
      () => device.synchronize(),
      () => device.event(),
      () => device.loadModule(testKernels),
      () => void device.allocator.allocate(10 ** 8),
      () => device.transfers.downloadSync(device.allocator.allocate(4), 0, 4, device.streams.main),
    ]
    for (const call of later) {
      const error = thrown(call)
      expect(error.what).toMatch(/^cuda:0: unusable since an earlier error: cuda:0: a kernel touched memory/)
      expect(error.cause).toBe(device.context.lost)
    }
  })

  it('releasing and destroying still work after that', () => {
    const block = device.allocator.allocate(100)
    const list = kernels(['fill', []])
    const graph = device.stepGraph(list)
    fake!.set('illegal_at', 1)
    list.run(device.streams.main)
    thrown(() => device.synchronize())
    device.allocator.release(block)
    graph.destroy()
    expect(device.allocator.collect()).toBe(0)
  })

  it('TEGULA_CUDA_SYNC=1 names exactly the kernel', () => {
    process.env.TEGULA_CUDA_SYNC = '1'
    device = fake!.device()
    fake!.set('illegal_at', 2)
    const list = kernels(['fill', [line('a.ts', 1)]], ['fill', [line('a.ts', 2)]], ['add', [line('b.ts', 3)]])
    const error = thrown(() => list.run(device.streams.main))
    expect(error.what).toContain('it is kernel fill (a.ts:2).')
    expect(error.at).toEqual(line('a.ts', 2))
  })

  it('names the kernels of a graph that is replayed', () => {
    const { graph } = device.captureGraph(() => kernels(['fill', [line('a.ts', 7)]]).run(device.streams.current))
    fake!.set('illegal_at', 1)
    graph.launch()
    expect(thrown(() => device.synchronize()).what).toContain('it is kernel fill (a.ts:7).')
  })

  it('many kernels: names the last ones and how many more', () => {
    fake!.set('illegal_at', 20)
    kernels(...Array.from({ length: 20 }, (_, i): [string, SourceLocation[]] => ['fill', [line('a.ts', i)]])).run(
      device.streams.main,
    )
    expect(thrown(() => device.synchronize()).what).toMatch(
      /fill \(a\.ts:12\), .*fill \(a\.ts:19\) or 12 launched before/,
    )
  })
})

describe('results', () => {
  it('every known one has a name, a meaning and a fix; others keep their number', () => {
    for (const code of [1, 2, 100, 201, 222, 700, 719, 999]) {
      expect(resultName(code)).toMatch(/^CUDA_ERROR_[A-Z_]+$/)
      expect(explainResult(code).fix.length).toBeGreaterThan(5)
    }
    expect(resultName(12345)).toBe('CUresult 12345')
    expect(explainResult(12345).meaning).toBe('the driver failed')
  })
})
