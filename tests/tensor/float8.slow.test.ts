/**
 * 8-bit floats as dtypes: conversion against a table that shares nothing with ours, on every device of the oracle chain;
 * what they do as tensors; what refuses them.
 */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  arange,
  cat,
  compile,
  DtypeError,
  empty,
  exportCompiled,
  f8e4m3,
  full,
  loadCompiled,
  stack,
  type Tensor,
  type TensorDtype,
  tensor,
  where,
  zeros,
} from '../../src/index.js'
import { quantize, scaledMatmul } from '../../src/quant/index.js'
import { fromBf16, fromF16 } from '../../src/types/float16.js'
import { float8s, float8Value, nearestCode } from '../types/float8-table.js'

const every = Uint8Array.from({ length: 256 }, (_, code) => code)
const codes = (x: Tensor): readonly number[] => [...(x.view('u8').dataSync() as Uint8Array)]
const all = { dtype: 'u8' } as const

/** NaN is any of a format's NaNs. */
const told = (dtype: (typeof float8s)[number], list: readonly number[]): readonly (number | string)[] =>
  list.map(code => (Number.isNaN(float8Value(dtype, code)) ? 'NaN' : code))

describe.each(float8s)('%s', dtype => {
  it('decodes all 256 codes', () => {
    const x = tensor(every, all).view(dtype)
    const expected = [...every].map(code => float8Value(dtype, code))
    expect([...(x.dataSync() as Float32Array)]).toEqual(expected)
    for (const wide of ['f32', 'f64', 'f16', 'bf16'] as const)
      expect([...(x.to(wide).dataSync() as Float32Array)], wide).toEqual(expected)
    const finite = expected.filter(Number.isFinite)
    const whole = tensor(
      [...every].filter(code => Number.isFinite(float8Value(dtype, code))),
      all,
    ).view(dtype)
    expect([...(whole.to('i32').dataSync() as Int32Array)]).toEqual(finite.map(value => Math.trunc(value) + 0))
    expect([...(whole.to('bool').dataSync() as Uint8Array)]).toEqual(finite.map(value => Number(value !== 0)))
  })

  it('encodes every f16 and bf16 value, and numbers around every boundary of f32', () => {
    const halves = Uint16Array.from({ length: 65536 }, (_, code) => code)
    for (const [name, decode] of [
      ['f16', fromF16],
      ['bf16', fromBf16],
    ] as const) {
      const values = Array.from(halves, decode)
      const got = codes(tensor(new Int16Array(halves.buffer), { dtype: 'i16' }).view(name).to(dtype))
      expect(told(dtype, got), name).toEqual(
        told(
          dtype,
          values.map(value => nearestCode(dtype, value)),
        ),
      )
    }
    const finite = [...every]
      .map(code => float8Value(dtype, code))
      .filter(Number.isFinite)
      .sort((a, b) => a - b)
    const edges = finite.flatMap((value, i) => {
      const middle = (value + (finite[i + 1] ?? value * 1.0625)) / 2
      return [value, middle, Math.fround(middle * (1 + 2 ** -23)), Math.fround(middle * (1 - 2 ** -23))]
    })
    const dense = Array.from({ length: 20000 }, (_, i) => Math.fround(Math.sin(i) * 2 ** ((i % 40) - 20)))
    const values = [...edges, ...dense, 465, 480, 61439, 61440, 1e9, -1e9, 1 / 0, -1 / 0, Number.NaN, 1e-40]
    const x = tensor(values)
    const expected = told(
      dtype,
      [...x.dataSync('f32')].map(value => nearestCode(dtype, value)),
    )
    expect(told(dtype, codes(x.to(dtype)))).toEqual(expected)
    expect(told(dtype, codes(compile((y: Tensor) => y.to(dtype))(x)))).toEqual(expected)
    expect(told(dtype, codes(tensor(values, { dtype })))).toEqual(expected)
  })

  it('is converted from every dtype as from f32', () => {
    for (const from of ['f64', 'i64', 'i32', 'i16', 'i8', 'u8', 'bool'] as const) {
      const x = tensor(
        [0, 1, 3, 17, 19, 100, 127].map(v => (from === 'bool' ? v % 2 : v)),
        { dtype: 'i64' },
      ).to(from)
      expect(codes(x.to(dtype)), from).toEqual(codes(x.to('f32').to(dtype)))
    }
    const wide = tensor([1 + 2 ** -4 + 2 ** -40, 2 ** 60], { dtype: 'f64' })
    expect(told(dtype, codes(wide.to(dtype)))).toEqual(told(dtype, codes(wide.to('f32').to(dtype))))
  })

  it('is created, printed, indexed, concatenated, copied and compared', async () => {
    const x = tensor(
      [
        [1, 2, 3],
        [4, 5, -6],
      ],
      { dtype },
    )
    expect(x.dtype).toBe(dtype)
    expect(String(x)).toContain(`dtype=${dtype}`)
    const flat = (y: Tensor, expected: readonly number[]): void => {
      expect(y.dtype).toBe(dtype)
      expect([...y.to('f32').dataSync('f32')]).toEqual(expected)
    }
    flat(x.t(), [1, 4, 2, 5, 3, -6])
    flat(x.get(1, 'all'), [4, 5, -6])
    flat(x.indexSelect(1, tensor([2, 0], { dtype: 'i64' })), [3, 1, -6, 4])
    flat(x.gather(1, tensor([[0], [2]], { dtype: 'i64' })), [1, -6])
    flat(cat([x, x], 0), [1, 2, 3, 4, 5, -6, 1, 2, 3, 4, 5, -6])
    flat(stack([x.get(0), x.get(1)], 1), [1, 4, 2, 5, 3, -6])
    flat(x.flip(1), [3, 2, 1, -6, 5, 4])
    flat(x.pad([1, 0], { value: 7 }), [7, 1, 2, 3, 7, 4, 5, -6])
    flat(x.clone(), [1, 2, 3, 4, 5, -6])
    flat(where(x.eq(2), x, zeros([], { dtype })), [0, 2, 0, 0, 0, 0])
    flat(full([2], 1.5, { dtype }), [1.5, 1.5])
    flat(arange(3, { dtype }), [0, 1, 2])
    expect(empty([2], { dtype }).dtype).toBe(dtype)
    expect(await x.eq(x.flip(1)).toArray()).toEqual([
      [false, true, false],
      [false, true, false],
    ])
    expect(await x.ne(2).toArray()).toEqual([
      [true, false, true],
      [true, true, true],
    ])
    expect(
      await tensor([Number.NaN, 0], { dtype })
        .eq(tensor([Number.NaN, -0], { dtype }))
        .toArray(),
    ).toEqual([false, true])
    const y = zeros([2, 3], { dtype })
    y.copy_(x)
    y.get(0, 'all').fill_(7)
    flat(y, [7, 7, 7, 4, 5, -6])
    y.copy_(
      tensor([
        [1.01, 2, 3],
        [4, 5, 6],
      ]),
    )
    flat(y, [1, 2, 3, 4, 5, 6])
  })

  it('is multiplied with f32 sums, also with the other 8-bit float', () => {
    const [m, n, k] = [17, 20, 70]
    const numbers = (count: number, by: number): number[] =>
      Array.from({ length: count }, (_, i) => ((i * by) % 17) - 8)
    const a = tensor(numbers(m * k, 5))
      .reshape([m, k])
      .to(dtype)
    for (const other of float8s) {
      const b = tensor(numbers(k * n, 7))
        .reshape([k, n])
        .to(other)
      const expected = [...a.to('f32').matmul(b.to('f32')).dataSync('f32')]
      for (const run of [(x: Tensor, y: Tensor) => x.matmul(y), compile((x: Tensor, y: Tensor) => x.mm(y))]) {
        const got = run(a, b)
        expect(got.dtype).toBe('f32')
        expect([...got.dataSync('f32')]).toEqual(expected)
      }
      const row = a.narrow(0, 0, 1)
      expect([...row.matmul(b).dataSync('f32')]).toEqual(expected.slice(0, n))
    }
    const batch = stack([a, a])
    expect(batch.bmm(stack([a.t(), a.t()])).shape).toEqual([2, m, m])
  })

  it('is rejected by arithmetic, promotion and mixed matmuls', () => {
    const x = tensor(
      [
        [1, 2],
        [3, 4],
      ],
      { dtype },
    )
    const calls: readonly (() => unknown)[] = [
      () => x.add(x),
      () => x.add(1),
      () => x.mul(2.5),
      () => x.neg(),
      () => x.lt(x),
      () => x.sum(),
      () => x.amax(),
      () => x.softmax(-1),
      () => x.sort(),
      () => x.add_(1),
      () => x.matmul(x.to('f16')),
      () => x.to('f32').matmul(x),
      () => cat([x, x.to('f32')]),
      () => x.eq(x.to('f32')),
      () => where(x.eq(x), x, x.to('f32')),
      () => compile((y: Tensor) => y.mul(y))(x),
    ]
    for (const call of calls) expect(call, String(call)).toThrow(DtypeError)
    expect(() => x.add(1)).toThrow(`add: not defined on ${dtype}, which is stored and multiplied as matrices only`)
    expect(() => x.add(1)).toThrow("x.to('f32')")
    expect(() => x.eq(x.to('f32'))).toThrow("cast one: x.to('f32')")
  })
})

describe('views of bits', () => {
  const pairs: readonly (readonly [TensorDtype, TensorDtype])[] = [
    ['f8e4m3', 'u8'],
    ['f8e5m2', 'i8'],
    ['f8e4m3', 'f8e5m2'],
    ['f16', 'i16'],
    ['bf16', 'f16'],
    ['f32', 'i32'],
    ['f64', 'i64'],
  ]
  it.each(pairs)('%s as %s and back share memory, whatever the layout', (from, to) => {
    const x = tensor([1, 2, 3, 4, 5, 6], { dtype: 'f32' }).to(from).reshape([2, 3])
    const y = x.t().view(to)
    expect([y.dtype, y.shape, y.strides]).toEqual([to, [3, 2], [1, 3]])
    expect([...y.view(from).to('f32').dataSync('f32')]).toEqual([1, 4, 2, 5, 3, 6])
    y.select(0, 0).fill_(0)
    expect([...x.to('f32').dataSync('f32')]).toEqual([0, 2, 3, 0, 5, 6])
  })

  it('write through in compiled functions as outside', () => {
    const f = (x: Tensor): readonly Tensor[] => {
      const bits = x.view('u8')
      bits.narrow(0, 1, 2).fill_(0x38)
      return [bits, x.narrow(0, 0, 2)]
    }
    const made = (): Tensor => tensor([2, 2, 2, 2], { dtype: f8e4m3 })
    const [plain, traced] = [made(), made()]
    const [expected, got] = [f(plain), compile(f)(traced)]
    expect([...traced.dataSync('f8e4m3')]).toEqual([2, 1, 1, 2])
    expect([...plain.dataSync('f8e4m3')]).toEqual([2, 1, 1, 2])
    got.forEach((tensor, i) => {
      expect([tensor.dtype, String(tensor)]).toEqual([expected[i]!.dtype, String(expected[i])])
    })
    // Both show the argument's memory.
    traced.fill_(0)
    expect([...got[0]!.dataSync('u8')]).toEqual([0, 0, 0, 0])
    expect([...got[1]!.dataSync('f8e4m3')]).toEqual([0, 0])
  })

  it('are views of results created inside', () => {
    const [x, bits] = compile((y: Tensor) => {
      const made = y.to('f8e5m2')
      return [made, made.view('u8')] as const
    })(tensor([1, 2, 3]))
    expect([...bits.dataSync('u8')]).toEqual([0x3c, 0x40, 0x42])
    bits.fill_(0x3c)
    expect([...x.dataSync('f8e5m2')]).toEqual([1, 1, 1])
  })

  it('of another width, and of bool, are rejected', () => {
    expect(() => tensor([1]).view('i16')).toThrow('view: f32 as i16: 32 bits are not 16')
    expect(() => tensor([true]).view('u8')).toThrow('the bits of bool are its own')
    expect(() => tensor([1]).view('f9' as 'f8e4m3')).toThrow(/dtype/)
  })
})

it('exported functions return views of bits, and low-precision matmuls return 8-bit floats', async () => {
  const f = compile((y: Tensor) => {
    const made = y.to('f8e5m2')
    return { made, bits: made.view('u8'), own: y.view('i32') }
  })
  const x = tensor([1, 2, 3])
  f(x)
  const file = join(mkdtempSync(join(tmpdir(), 'tegula-f8-')), 'f')
  await exportCompiled(f, file)
  const loaded = (await loadCompiled(file)) as unknown as typeof f
  const { made, bits, own } = loaded(x)
  expect([made.dtype, bits.dtype, own.dtype]).toEqual(['f8e5m2', 'u8', 'i32'])
  expect([...made.dataSync('f8e5m2')]).toEqual([1, 2, 3])
  expect([...bits.dataSync('u8')]).toEqual([0x3c, 0x40, 0x42])
  expect([...own.dataSync('i32')]).toEqual([0x3f800000, 0x40000000, 0x40400000])
  const q = quantize(tensor([1, -1, 0.5, 2]).reshape([1, 4]), 'fp8e4m3', { block: 'row' })
  const y = scaledMatmul(tensor([1, 1, 1, 1]).reshape([1, 4]), q, { outDtype: 'f8e4m3' })
  expect([y.dtype, ...y.dataSync('f8e4m3')]).toEqual(['f8e4m3', 2.5])
})
