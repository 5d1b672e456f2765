/** `tegula/profile`: benchmark, compare and sweep. Times are not asserted; their texts are, with the times masked. */
import { compile, ones, randn, type Tensor } from 'tegula'
import {
  AccuracyError,
  benchmark,
  breakEven,
  Comparison,
  type ComparisonRecord,
  compare,
  firstCalls,
  formatTime,
  Sweep,
  sweep,
  Table,
} from 'tegula/profile'
import { describe, expect, it } from 'vitest'
import { countWork } from '../../src/profile/planned-work.js'
import { hasCompiler } from '../support/compiler.js'

const quick = { samples: 5, seconds: 0.001, peak: false } as const

const timing = (median: number) => ({
  median,
  lowerQuartile: median - 10_000,
  upperQuartile: median + 20_000,
  min: median - 20_000,
  samples: 30,
})
const record: ComparisonRecord = {
  device: 'cpu',
  model: 'A processor',
  threads: 2,
  inputs: ['f32[4, 8]'],
  flushed: false,
  limits: null,
  rows: [
    {
      name: 'naive',
      call: timing(2e6),
      device: null,
      speedup: 1,
      error: null,
      work: { bytes: 4e6, flops: 1e6 },
      bytesPerSecond: 2e9,
      flopsPerSecond: 5e8,
      limit: { nanoseconds: 1e6, bound: 'memory' },
      share: 0.5,
    },
    {
      name: 'fused, by hand',
      call: timing(5e5),
      device: null,
      speedup: 4,
      error: 1.2e-7,
      work: null,
      bytesPerSecond: null,
      flopsPerSecond: null,
      limit: null,
      share: null,
    },
  ],
}

describe('the texts of a comparison', () => {
  it('as aligned text', () => {
    expect(String(new Comparison(record))).toBe(
      `A processor; 2 threads; f32[4, 8]; medians of 30 samples

                   call          quartiles  speed  error     memory   arithmetic      of the peak
naive           2.00 ms  1.99 ms … 2.02 ms  1.00×         2.00 GB/s  500 MFLOP/s  50.0 % (memory)
fused, by hand   500 µs    490 µs … 520 µs  4.00×   1e-7`,
    )
  })

  it('as Markdown, CSV and JSON', () => {
    const comparison = new Comparison(record)
    expect(comparison.toMarkdown().split('\n').slice(2, 5)).toEqual([
      '|  | call | quartiles | speed | error | memory | arithmetic | of the peak |',
      '| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |',
      '| naive | 2.00 ms | 1.99 ms … 2.02 ms | 1.00× |  | 2.00 GB/s | 500 MFLOP/s | 50.0 % (memory) |',
    ])
    expect(comparison.toCsv()).toBe(
      'name,call_ns,device_ns,speedup,error,bytes_per_s,flop_per_s,share_of_peak\n' +
        'naive,2000000,,1,,2000000000,500000000,0.5\n"fused, by hand",500000,,4,1.2e-7,,,\n',
    )
    expect(JSON.parse(JSON.stringify(comparison))).toEqual(record)
  })
})

it('a table of one’s own', () => {
  const rows = [
    { name: 'a, b', time: 1500 },
    { name: 'c', time: 2e6 },
  ]
  const table = new Table<{ name: string; time: number }>(
    [
      { head: '', left: true, text: ({ name }) => name, data: { name: 'name', value: ({ name }) => name } },
      { head: 'time', text: ({ time }) => formatTime(time), data: { name: 'time_ns', value: ({ time }) => time } },
      { head: 'nothing', text: () => '' },
    ],
    rows,
  )
  expect(String(table)).toBe('         time\na, b  1.50 µs\nc     2.00 ms')
  expect(table.toMarkdown().split('\n')[2]).toBe('| a, b | 1.50 µs |')
  expect(table.toCsv()).toBe('name,time_ns\n"a, b",1500\nc,2000000\n')
  expect(JSON.parse(JSON.stringify(table))).toEqual(rows)
})

it('break-even: the calls after which a first call has paid for itself', () => {
  expect(breakEven(1000, 10, 30)).toBe(50) // 1000 + 49 · 10 < 50 · 30 = 1500: 1490
  expect(breakEven(1000, 10, 29)).toBe(53)
  expect(breakEven(20, 10, 30)).toBe(1)
  expect(breakEven(1000, 30, 30)).toBeNull()
})

it('first calls need a URL', async () => {
  await expect(firstCalls('lesson.ts', 'prepare')).rejects.toThrow('firstCalls: the string "lesson.ts" is not a URL')
})

describe('compare', () => {
  it('refuses functions whose results differ, before anything is timed', async () => {
    const functions = { doubled: (x: Tensor) => x.mul(2), tripled: (x: Tensor) => x.mul(3) }
    await expect(compare(functions, [ones([4])], quick)).rejects.toThrow(AccuracyError)
    await expect(compare(functions, [ones([4])], quick)).rejects.toThrow(
      'tripled: result: its results are not those of the first function: an error of 0.50',
    )
  })

  it('compares what functions write into their arguments, on copies', async () => {
    const x = ones([4])
    const functions = { a: (t: Tensor) => t.mul_(1), b: (t: Tensor) => t.add_(1) }
    await expect(compare(functions, [x], quick)).rejects.toThrow('b')
    expect([...x.dataSync()]).toEqual([1, 1, 1, 1])
  })

  it('compares all functions with expected results, each within its own tolerance', async () => {
    const x = ones([4])
    const functions = { exact: (t: Tensor) => t.mul(2), rounded: (t: Tensor) => t.mul(2.02) }
    const expected = x.to('f64').mul(2)
    const { rows } = await compare(functions, [x], { ...quick, expected, tolerance: { rounded: 0.02 } })
    expect(rows.map(({ error }) => error!.toFixed(3))).toEqual(['0.000', '0.010'])
    const strict = compare(functions, [x], { ...quick, expected, tolerance: { exact: 0.02 } })
    await expect(strict).rejects.toThrow('rounded: result: not the expected numbers: an error of 0.010')
    const wrong = compare(functions, [x], { ...quick, expected: x.mul(3), tolerance: { rounded: 0.5 } })
    await expect(wrong).rejects.toThrow('exact: result: not the expected numbers')
    const unknown = compare(functions, [x], { ...quick, tolerance: { rouded: 1 } })
    await expect(unknown).rejects.toThrow("tolerance of 'rouded', which is no function")
    const negative = compare(functions, [x], { ...quick, tolerance: { exact: -1 } })
    await expect(negative).rejects.toThrow('tolerance of exact is the number -1')
  })

  it('names what is wrong with its arguments', async () => {
    await expect(compare({}, [], quick)).rejects.toThrow('is not a function by name')
    await expect(compare({ f: 1 as never }, [], quick)).rejects.toThrow('f, the number 1, is not a function by name')
    await expect(compare({ f: () => 1 }, [], { runs: 3 } as never)).rejects.toThrow("no option 'runs'")
    await expect(benchmark(async (x: Tensor) => x, [ones([1])], quick)).rejects.toThrow('async')
    const failing = async (): Promise<never> => Promise.reject(new Error('nobody listens'))
    await expect(benchmark(failing, [], quick)).rejects.toThrow('async')
    await new Promise(resolve => setImmediate(resolve)) // an unhandled rejection fails the run
    const wrong: readonly [object, string][] = [
      [{ samples: -1 }, 'samples is the number -1'],
      [{ flush: 'yes' }, 'flush is the string "yes"'],
      [{ work: 5 }, 'work: the options are the number 5'],
      [{ work: { bytes: -5 } }, 'work: bytes is the number -5'],
      [{ work: { flops: 5, arithmetic: 'f7' } }, 'give one of f32, 16-bit, 8-bit'],
    ]
    for (const [options, message] of wrong)
      await expect(benchmark(() => 1, [], { ...quick, ...options })).rejects.toThrow(message)
  })
})

describe.skipIf(!hasCompiler)('work and peaks (need a C compiler)', () => {
  it('counts the bytes and operations of the plans that a call runs, compiled or eager', async () => {
    const x = randn([64, 64])
    const f = (t: Tensor) => t.add(1).relu()
    const compiled = compile(f)
    const { rows } = await compare({ eager: f, compiled }, [x], quick)
    const bytes = 2 * 64 * 64 * 4
    expect(rows.map(({ work }) => [work?.bytes, work?.flops])).toEqual([
      [2 * bytes, 2 * 64 * 64 + 1], // the eager kernel converts its scalar
      [bytes, 2 * 64 * 64],
    ])
    expect(rows[1]!.bytesPerSecond).toBeCloseTo((bytes / rows[1]!.call.median) * 1e9)
    expect(countWork(() => compiled(x), bytes)).toMatchObject({ streamedBytes: bytes, arithmetic: 'f32' })
    expect(countWork(() => compiled(x), bytes + 1)).toMatchObject({ streamedBytes: 0 })
    expect(countWork(() => 1, 0)).toBeNull()
  })
})

describe('sweep', () => {
  it('is a table with a line per point, and a plot with a series per function and other parameter', () => {
    const points = [4, 16, 64].flatMap(n => [1, 2].map(by => ({ parameters: { n, by }, comparison: record })))
    const result = new Sweep(points)
    expect(result.toText().split('\n').slice(0, 3)).toEqual([
      ' n  by    naive  fused, by hand',
      ' 4   1  2.00 ms          500 µs',
      ' 4   2  2.00 ms          500 µs',
    ])
    expect(result.toText('share').split('\n')[1]).toBe(' 4   1  50.0 %')
    expect(result.toText('call').split('\n')[1]).toBe(' 4   1  2.00 ms          500 µs')
    expect(result.toCsv().split('\n')[0]).toBe(
      'n,by,name,call_ns,device_ns,speedup,error,bytes_per_s,flop_per_s,share_of_peak',
    )
    expect(result.toCsv().trim().split('\n')).toHaveLength(1 + 6 * 2)
    const svg = result.toSvg({ title: 'a < b' })
    expect(svg).toContain('<title>a &lt; b</title>')
    expect(svg.match(/<circle/g)).toHaveLength(12)
    expect([...svg.matchAll(/>([a-z, ]+ by=\d)</g)].map(([, name]) => name)).toEqual([
      'naive by=1',
      'fused, by hand by=1',
      'naive by=2',
      'fused, by hand by=2',
    ])
    expect(() => result.toSvg({ x: 'm' })).toThrow('x is the string "m"')
    expect(() => result.toSvg({ y: 'speed' as never })).toThrow('give one of time, bytesPerSecond')
    expect(() => result.toText('speed' as never)).toThrow('quantity is the string "speed"')
  })

  it('refuses a grid without points', async () => {
    await expect(sweep({ n: [1] }, (async () => ({})) as never)).rejects.toThrow('an object of class Promise')
    await expect(sweep({ n: [] }, () => ({ functions: {}, args: [] }))).rejects.toThrow(
      'the values of n are [], not a list of some',
    )
  })
})
