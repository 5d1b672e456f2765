/** `tegula/profile`: what a profiler records, and the texts of its tables with times of a made-up record. */
import { compile, ones, randn, setLogs, type Tensor } from 'tegula'
import { functional as F, Linear, Module } from 'tegula/nn'
import { Profile, type ProfileRecord, profile, profiler, recordFunction, type SpanRecord } from 'tegula/profile'
import { describe, expect, it } from 'vitest'
import { spanObserver } from '../../src/base/spans.js'
import { kernel, view } from '../../src/kernel.js'
import { f32 } from '../../src/types/dtype.js'
import { hasCompiler } from '../support/compiler.js'

const quiet = { peak: false } as const

class Net extends Module {
  readonly layers = [new Linear(4, 8), new Linear(8, 2)] as const
  forward(x: Tensor): Tensor {
    return this.layers[1](this.layers[0](x).relu())
  }
}

/** `kind name` of each span, indented by its depth. */
function outline({ spans }: ProfileRecord, kinds: readonly string[]): string[] {
  const depth = (parent: number): number =>
    parent < 0 ? 0 : depth(spans[parent]!.parent) + (kinds.includes(spans[parent]!.kind) ? 1 : 0)
  return spans
    .filter(({ kind }) => kinds.includes(kind))
    .map(({ kind, name, parent }) => `${'  '.repeat(depth(parent))}${kind} ${name}`)
}

describe.skipIf(!hasCompiler)('what is recorded (needs a C compiler)', () => {
  it('eager: labels, modules by path, ops with the shapes of their inputs, kernels', async () => {
    const net = new Net()
    const run = () => recordFunction('loss', () => net(ones([3, 4])).sum())
    run()
    const { record } = await profile(run, quiet)
    expect(outline(record, ['label', 'module', 'op'])).toEqual([
      'label profile',
      '  label loss',
      '    op full',
      '    module Net',
      '      module Net.layers.0',
      '        op linear',
      '      op relu',
      '      module Net.layers.1',
      '        op linear',
      '    op sum',
    ])
    const linear = record.spans.find(({ kind, name }) => kind === 'op' && name === 'linear')!
    expect(linear.shapes).toEqual(['f32[3, 4]', 'f32[8, 4]', 'f32[8]'])
    expect(linear.module).toBe('Net.layers.0')
    expect(linear.memory).toBe(3 * 8 * 4)
    const kernels = record.spans.filter(({ kind }) => kind === 'kernel')
    expect(kernels.length).toBeGreaterThanOrEqual(4)
    expect(record.spans[kernels[0]!.parent]!.kind).toBe('op')
    expect(record.devices.map(({ name }) => name)).toEqual(['cpu'])
  })

  it('a backward pass: its ops too', async () => {
    const x = randn([4]).requiresGrad_()
    const { record } = await profile(() => x.mul(2).sum().backward(), quiet)
    expect(outline(record, ['op']).some(line => line.includes('mulBackward'))).toBe(true)
  })

  it('compiled: each kernel of a replayed plan by itself, with its line, ops and work; results are the same', async () => {
    const chain = compile(
      (x: Tensor) =>
        x
          .add(1)
          .sum(-1)
          .matmul(ones([64, 8])),
      { name: 'chain' },
    )
    const x = randn([16, 64, 32])
    const expected = chain(x)
    const { record } = await profile(() => chain(x), quiet)
    const again = await profile(() => expect([...chain(x).dataSync()]).toEqual([...expected.dataSync()]), quiet)
    expect(again.record.compilations).toEqual([])
    expect(outline(record, ['call', 'op', 'compile'])).toEqual(['call chain'])
    const kernels = record.spans.filter(({ kind }) => kind === 'kernel')
    const { kernels: planned } = chain.explain(x)
    expect(kernels.map(({ name, ops, work }) => [name, ops, work?.bytes, work?.flops])).toEqual(
      planned.map(({ name, ops, bytes, flops }) => [name, ops, bytes, flops]),
    )
    expect(kernels[0]!.line!.file).toContain('profiler.test.ts')
  })

  it('compiled: kernels of modules, and of their backward passes, by the module that they come from', async () => {
    const net = new Net()
    const step = compile((x: Tensor) => {
      const loss = net(x).square().mean()
      loss.backward()
      return loss
    })
    const x = ones([3, 4])
    step(x)
    const p = await profile(() => step(x), quiet)
    const names = p.rows({ group: 'module' }).map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['Net.layers.0', 'Net.layers.1']))
    expect(step.explain(x).kernels.flatMap(({ lines }) => lines.map(({ module }) => module))).toContain('Net.layers.1')
  })

  it("users' kernels that are launched by themselves", async () => {
    const double = kernel({
      name: 'double_it',
      params: { x: view(f32, 1) },
      grid: () => [1],
      body: (t, { x }) => t.store(x, [0], t.load(x, [0], [16]).mul(2)),
    })
    const x = ones([16])
    const { record } = await profile(() => double.launch({ x }), quiet)
    expect(record.spans.filter(({ kind }) => kind === 'kernel').map(({ name }) => name)).toEqual(['double_it'])
    expect(x.sum().itemSync()).toBe(32)
  })

  it('compilations, with their phases; a first call costs them, further ones do not', async () => {
    const fresh = compile((x: Tensor) => F.gelu(x).mul(3.25).sub(0.125), { name: 'fresh' })
    const { record, ...rest } = await profile(() => fresh(ones([7])), quiet)
    const [only, ...others] = record.compilations.filter(({ name }) => name === 'fresh')
    expect(others).toEqual([])
    const phases = only!.phases.map(({ name }) => name)
    expect(phases).toEqual(expect.arrayContaining(['capture', 'cache', 'C compiler', 'check of the trace', 'other']))
    expect(phases.includes('scheduling')).toBe(!only!.cached)
    const sum = only!.phases.reduce((all, { nanoseconds }) => all + nanoseconds, 0)
    expect(sum).toBeGreaterThan(0.99 * only!.duration)
    expect(sum).toBeLessThanOrEqual(1.01 * only!.duration)
    expect(Object.keys(rest)).toEqual([])
  })

  it('memory over time, and the net bytes of a span', async () => {
    const kept: Tensor[] = []
    const keep = () => recordFunction('keep', () => kept.push(ones([1000, 100]).add(1)))
    keep() // what is compiled keeps memory of its own
    const p = await profile(keep, quiet)
    expect(p.rows().find(({ name }) => name === 'keep')!.memory).toBe(2 * 1000 * 100 * 4)
    const { allocatedBytes, byOwner } = p.record.memory.at(-1)!
    const owned = Object.fromEntries(byOwner.map(({ owner, bytes }) => [owner, bytes]))
    expect(owned.tensors).toBeGreaterThanOrEqual(2 * 1000 * 100 * 4)
    expect(owned['from before the profile']).toBeGreaterThan(0)
    expect(byOwner.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(allocatedBytes)
  })

  it('memory of temporaries apart, and less of it after a release', async () => {
    const x = ones([300, 300])
    const f = compile((t: Tensor) => t.matmul(t).relu().matmul(t).sum())
    const { record } = await profile(() => {
      f(x)
      const made = ones([500, 500])
      made.dispose()
      f(x)
    }, quiet)
    const of = (owner: string) => record.memory.map(({ byOwner }) => byOwner.find(each => each.owner === owner)?.bytes)
    expect(of('temporaries')[0]).toBeGreaterThanOrEqual(300 * 300 * 4)
    const [before, most, after] = of('tensors')
    expect(most! - before!).toBe(500 * 500 * 4)
    expect(after! - before!).toBeLessThan(1000)
  })

  it('what a warmup compiles, beside what runs in the meantime', async () => {
    const x = randn([7, 5])
    const fresh = Math.random() // in no cache
    const f = compile(function warmed(t: Tensor) {
      return t.exp().add(fresh).cumsum(0)
    })
    const p = await profile(async () => {
      await Promise.all([recordFunction('warm', () => f.warmup(x)), recordFunction('busy', () => x.sum())])
    }, quiet)
    const made = p.record.compilations.find(({ name }) => name === 'warmed')
    expect(made!.phases.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['capture', 'cache', 'scheduling', 'lowering', 'emission', 'C compiler']),
    )
  })

  it('the lines of ops, if asked for', async () => {
    const p = await profile(() => ones([4]).add(1), { ...quiet, lines: true })
    const names = p.rows({ group: 'line' }).map(({ name }) => name)
    expect(names.some(name => name.startsWith('profiler.test.ts:'))).toBe(true)
  })
})

describe('profilers', () => {
  it('start and stop by themselves, or with a block; only one runs', () => {
    {
      using p = profiler(quiet)
      recordFunction('a', () => 1)
      expect(() => profiler()).toThrow('another one runs already')
      expect(p.stop().record.spans.map(({ name }) => name)).toEqual(['a'])
      expect(() => p.stop()).toThrow('it does not run')
      p.start()
    }
    const next = profiler(quiet)
    next[Symbol.dispose]()
    expect(recordFunction('b', () => 2)).toBe(2)
  })

  it('spans of async functions last until their promise settles; errors end spans, and the profile', async () => {
    const wait = () => new Promise(resolve => setTimeout(resolve, 5))
    const p = await profile(async () => {
      await recordFunction('outer', async () => {
        await wait()
        await recordFunction('inner', wait)
      })
    }, quiet)
    const [, outer, inner] = p.record.spans
    expect([outer!.name, inner!.name, inner!.parent]).toEqual(['outer', 'inner', 1])
    expect(outer!.duration).toBeGreaterThan(inner!.duration)
    const fails = profile(() => recordFunction('x', () => expect.unreachable('thrown')), quiet)
    await expect(fails).rejects.toThrow('thrown')
    expect((await profile(() => 1, quiet)).record.spans).toHaveLength(1)
  })

  it('async functions side by side: each span in its own, and no time is counted twice', async () => {
    const wait = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))
    const part = (name: string, ms: number) =>
      recordFunction(name, async () => {
        await wait(ms)
        recordFunction(`within ${name}`, () => 1)
      })
    const p = await profile(() => Promise.all([part('a', 5), part('b', 15)]), quiet)
    const { spans } = p.record
    const parentOf = (name: string) => spans[spans.find(each => each.name === name)!.parent]!.name
    expect(['a', 'b', 'within a', 'within b'].map(parentOf)).toEqual(['profile', 'profile', 'a', 'b'])
    const rows = p.rows()
    for (const { selfCpu, name } of rows) expect(selfCpu, name).toBeGreaterThanOrEqual(0)
    expect(rows.reduce((sum, { selfCpu }) => sum + selfCpu, 0)).toBeLessThanOrEqual(p.nanoseconds)
  })

  it('observers end in any order', () => {
    setLogs({ launch: true }, () => {})
    using p = profiler(quiet)
    setLogs({})
    recordFunction('a', () => 1)
    expect(p.stop().record.spans.map(({ name }) => name)).toEqual(['a'])
    expect(spanObserver).toBeNull()
  })

  it('errors name what is wrong', async () => {
    await expect(profile(1 as never)).rejects.toThrow('profile: the number 1 is not a function')
    expect(() => profiler({ line: true } as never)).toThrow("no option 'line'")
    expect(() => profiler({ lines: 1 } as never)).toThrow('lines is the number 1')
    expect(() => recordFunction((() => 1) as never, 'x' as never)).toThrow('recordFunction')
  })
})

const span = (given: Partial<SpanRecord>): SpanRecord => ({
  kind: 'op',
  name: '',
  start: 0,
  duration: 0,
  parent: -1,
  shapes: [],
  module: '',
  line: null,
  ops: [],
  work: null,
  onDevice: null,
  memory: 0,
  ...given,
})
const onDevice = (start: number, duration: number, alone = duration) => ({
  device: 'cuda:0' as const,
  stream: 0,
  start,
  duration,
  alone,
})
const work = { bytes: 1e6, flops: 2e6, arithmetic: 'f32' } as const

/** A label around a call with two kernels on a GPU, and an op that calls itself. */
const made: ProfileRecord = {
  nanoseconds: 10e6,
  devices: [{ name: 'cuda:0', model: 'A GPU' }],
  spans: [
    span({ kind: 'label', name: 'step', duration: 9e6, memory: 4096 }),
    span({ kind: 'call', name: 'f', start: 1e6, duration: 2e6, parent: 0, shapes: ['f32[8]'], module: 'Net' }),
    span({ kind: 'kernel', name: 'add', start: 1.5e6, parent: 1, onDevice: onDevice(2e6, 1e6), work, module: 'Net' }),
    span({ kind: 'kernel', name: 'add', start: 1.6e6, parent: 1, onDevice: onDevice(3e6, 3e6), work, module: 'Net' }),
    span({ name: 'add', start: 4e6, duration: 3e6, parent: 0 }),
    span({ name: 'add', start: 5e6, duration: 1e6, parent: 4 }),
  ],
  memory: [{ time: 2e6, device: 'cuda:0', allocatedBytes: 300, byOwner: [{ owner: 'tensors', bytes: 300 }] }],
  compilations: [
    { name: 'f', start: 0, duration: 3e6, phases: [{ name: 'C compiler', nanoseconds: 3e6 }], cached: true },
    {
      name: 'g',
      start: 0,
      duration: 5e6,
      phases: [
        { name: 'scheduling', nanoseconds: 4e6 },
        { name: 'capture', nanoseconds: 1e6 },
      ],
      cached: false,
    },
  ],
  untraced: 0,
  limits: { 'cuda:0': { flopsPerNanosecond: 1000, copyBytesPerNanosecond: 1, readBytesPerNanosecond: 1 } },
}

describe('tables', () => {
  const p = new Profile(made)

  it('by op: self and total times, each stretch once', () => {
    expect(p.table()).toBe(
      `name        self CPU %  self CPU  CPU total  CPU average  self device  device total  calls   memory  GB/s  GFLOP/s  roofline  input shapes
kernel add                                                    4.00 ms       4.00 ms      2           0.50     1.00    50.0 %
step            44.4 %   4.00 ms    9.00 ms      9.00 ms                    4.00 ms      1  4.0 KiB
add             33.3 %   3.00 ms    3.00 ms      3.00 ms                                 1
f               22.2 %   2.00 ms    2.00 ms      2.00 ms                    4.00 ms      1                                    f32[8]

self CPU 9.00 ms, self device 4.00 ms of 10.0 ms; 2 kernels, 4.00 MFLOP`,
    )
  })

  it('of kernels that overlap: each moment once, and from start to end', () => {
    const kernel = (name: string, start: number, duration: number, alone: number) =>
      span({ kind: 'kernel', name, onDevice: onDevice(start, duration, alone) })
    const spans = [kernel('add', 0, 4e6, 4e6), kernel('sum', 1e6, 5e6, 2e6)]
    const overlapped = new Profile({ ...made, spans, untraced: 3 })
    expect(overlapped.table({ group: 'kernel' })).toBe(
      `name  self device  overlapping  device total  calls
add       4.00 ms                    4.00 ms      1
sum       2.00 ms      5.00 ms       2.00 ms      1

self CPU 0.00 ns, self device 6.00 ms of 10.0 ms; 2 kernels; of 3 kernels no time was seen`,
    )
    const events = JSON.parse(overlapped.toTrace()).traceEvents as { ph: string; tid: number; name: string }[]
    expect(events.filter(({ ph }) => ph === 'X').map(({ tid }) => tid)).toEqual([0, 1000])
  })

  it('by kernel, module and line; sorted, limited, as Markdown and CSV', () => {
    expect(p.table({ group: 'kernel', format: 'csv' }).split('\n')[1]).toBe(
      'add,0,0,0,4000000,4000000,4000000,2,0,2000000,4000000,0.5',
    )
    expect(p.table({ group: 'module', sort: 'name', format: 'markdown' }).split('\n').slice(2, 4)).toEqual([
      '| (no module) | 77.8 % | 7.00 ms | 9.00 ms |  | 4.00 ms | 4.0 KiB |  |  |  |',
      '| Net | 22.2 % | 2.00 ms | 2.00 ms | 4.00 ms | 4.00 ms |  | 0.50 | 1.00 | 50.0 % |',
    ])
    expect(p.table({ group: 'line' })).toContain('(no line)')
    expect(p.table({ limit: 1 })).toContain('… and 3 rows more')
    expect(() => p.table({ limit: 0 })).toThrow('limit is the number 0')
    expect(() => p.table({ group: 'ops' as never })).toThrow('give one of op, kernel, module, line')
  })

  it('of compilations, the longest first, by phase', () => {
    expect(p.compileTable()).toBe(
      `compiled     time    from  capture  scheduling  C compiler
g         5.00 ms  source  1.00 ms     4.00 ms
f         3.00 ms   cache                          3.00 ms`,
    )
  })

  it('a trace that Perfetto reads: kernels on their stream, memory by owner', () => {
    const { traceEvents } = JSON.parse(p.toTrace()) as {
      traceEvents: { ph: string; name: string; [key: string]: unknown }[]
    }
    expect(traceEvents.filter(({ ph }) => ph === 'X')).toHaveLength(6)
    expect(traceEvents.find(({ cat }) => cat === 'kernel')).toEqual({
      ph: 'X',
      pid: 2,
      tid: 0,
      name: 'add',
      cat: 'kernel',
      ts: 2000,
      dur: 1000,
      args: { module: 'Net', bytes: 1e6, flops: 2e6 },
    })
    expect(traceEvents.find(({ ph }) => ph === 'C')).toMatchObject({ name: 'memory of cuda:0', args: { tensors: 300 } })
  })
})
