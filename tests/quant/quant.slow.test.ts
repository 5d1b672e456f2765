/** `tegula/quant` as people use it: every code point, compiled functions, and accuracy against float64. */
import { describe, expect, it } from 'vitest'
import { compile, manualSeed, randn, type Tensor, tensor, zeros } from '../../src/index.js'
import {
  dequantize,
  fromBlocked,
  type GroupStrategy,
  groupedMatmul,
  groupStrategies,
  type MatmulGroup,
  type QuantFormatName,
  type QuantizedTensor,
  quantFormatNames,
  quantFormats,
  quantize,
  quantizedTensor,
  scaledMatmul,
  shapeOf,
  toBlocked,
  withLayout,
} from '../../src/quant/index.js'
import { fromF16, toF16 } from '../../src/types/float16.js'
import { decodeMinifloat, encodeMinifloat, type MinifloatName, minifloats } from '../../src/types/minifloat.js'
import { noCompiler } from '../codegen/native.js'
import { testDevice } from '../support/tensors.js'

const numbers = (x: Tensor): number[] => Array.from(x.dataSync() as ArrayLike<number>)
const range = (count: number): number[] => Array.from({ length: count }, (_, i) => i)

describe.skipIf(noCompiler !== null)(`quantised tensors${noCompiler ?? ''}`, () => {
  it('numbers around every boundary between codes are encoded as the reference does', () => {
    for (const format of ['fp8e4m3', 'fp8e5m2'] as const) {
      const name: MinifloatName = quantFormats[format].element
      const { max, maxCode } = minifloats[name]
      const steps = range(maxCode + 1).map(code => decodeMinifloat(name, code))
      const next = (x: number, by: number): number => {
        const view = new Int32Array(new Float32Array([x]).buffer)
        return new Float32Array(new Int32Array([view[0]! + by]).buffer)[0]!
      }
      const middles = steps.slice(1).map((step, i) => Math.fround((step + steps[i]!) / 2))
      const around = [...steps, ...middles].flatMap(x => (x === 0 ? [0, -0] : [x, next(x, 1), next(x, -1)]))
      // The largest makes the scale of the tensor 1.
      const inputs = around.flatMap(x => [x, -x]).filter(x => Math.abs(x) <= max)
      const q = quantize(tensor(inputs), format)
      expect(numbers(q.scales)).toEqual([1])
      const expected = inputs.map(x => encodeMinifloat(name, x, true))
      expect(numbers(q.values)).toEqual(expected)
    }
  })

  it('saturation is optional: values beyond the maximum give the maximum, or NaN or infinity', () => {
    // amax 500: the scale is 2^(8 − 8), and 500 is beyond 448.
    const x = tensor([...range(31).map(i => i), 500])
    expect(numbers(quantize(x, 'mxfp8e4m3').values).at(-1)).toBe(0x7e)
    expect(numbers(quantize(x, 'mxfp8e4m3', { saturate: false }).values).at(-1)).toBe(0x7f)
    const y = tensor([...range(31).map(i => -i), -63000])
    expect(numbers(quantize(y, 'mxfp8e5m2').values).at(-1)).toBe(0xfb)
    expect(numbers(quantize(y, 'mxfp8e5m2', { saturate: false }).values).at(-1)).toBe(0xfc)
  })

  it('NaN and infinity make their block NaN, zeros stay zeros', () => {
    for (const special of [Number.NaN, Number.POSITIVE_INFINITY]) {
      const x = tensor([...range(32).map(i => (i === 5 ? special : i)), ...range(32)])
      const back = numbers(dequantize(quantize(x, 'mxfp4')))
      expect(back.slice(0, 32).every(Number.isNaN)).toBe(true)
      expect(back.slice(32).some(Number.isNaN)).toBe(false)
    }
    for (const name of quantFormatNames) {
      const back = numbers(dequantize(quantize(zeros([3, 256]), name)))
      expect(
        back.every(value => value === 0),
        name,
      ).toBe(true)
    }
  })

  it('a round trip is as accurate as the format allows', () => {
    manualSeed(5)
    const x = randn([33, 256])
    const bound: Record<QuantFormatName, number> = {
      nvfp4: 0.13,
      mxfp4: 0.17,
      mxfp8e4m3: 0.04,
      mxfp8e5m2: 0.08,
      mxint8: 0.02,
      fp8e4m3: 0.04,
      fp8e5m2: 0.08,
      int8: 0.01,
      int4: 0.15,
    }
    for (const name of quantFormatNames) {
      const q = quantize(x, name)
      expect(shapeOf(q)).toEqual([33, 256])
      const error = dequantize(q).sub(x).norm().itemSync() / x.norm().itemSync()
      expect(error, name).toBeLessThan(bound[name])
      // What is quantised already stays as it is.
      const again = quantize(dequantize(q), name, q.tensorScale === null ? {} : { tensorScale: q.tensorScale })
      if (name !== 'nvfp4') expect(dequantize(again).sub(dequantize(q)).abs().max().itemSync(), name).toBeLessThan(1e-5)
    }
  })

  it('blocked scales: round trip for every size, and equal matmuls', () => {
    for (const [rows, K] of [
      [1, 16],
      [128, 64],
      [129, 80],
      [40, 272],
    ] as const) {
      const q = quantize(randn([2, rows, K]), 'nvfp4')
      const blocked = withLayout(q, 'blocked')
      expect(numbers(fromBlocked(toBlocked(q.scales), rows, K / 16))).toEqual(numbers(q.scales))
      expect(numbers(withLayout(blocked, 'linear').scales)).toEqual(numbers(q.scales))
      const x = randn([3, K])
      // The same products; the two kernels may add them up in different orders.
      const linear = scaledMatmul(x, q)
      const error = scaledMatmul(x, blocked).sub(linear).abs().max().itemSync()
      expect(error).toBeLessThanOrEqual(linear.abs().max().itemSync() * 2 ** -18)
    }
  })

  it('compiled functions take quantised tensors, and return their parts', () => {
    const x = randn([5, 64])
    const round = compile((x: Tensor) => {
      const { values, scales, tensorScale } = quantize(x, 'nvfp4')
      return { values, scales, tensorScale: tensorScale! }
    })
    const q = quantizedTensor({ format: 'nvfp4', ...round(x) })
    expect(numbers(q.values)).toEqual(numbers(quantize(x, 'nvfp4').values))
    const product = compile((x: Tensor, w: QuantizedTensor) => scaledMatmul(x.relu(), w).add(1))
    // The relu is part of the product's kernel, whose sums then run in another order.
    const eager = numbers(scaledMatmul(x.relu(), q).add(1))
    for (const [i, value] of numbers(product(x, q)).entries()) expect(Math.abs(value - eager[i]!)).toBeLessThan(1e-4)
  })

  it('nvfp4 matmuls are within 1e-3 of the float64 result rounded to f16', () => {
    manualSeed(3)
    for (const [M, N, K] of [
      [1, 33, 128],
      [17, 40, 208],
      [65, 130, 1040],
    ] as const) {
      const [a, b] = [quantize(randn([M, K]), 'nvfp4'), quantize(randn([N, K]), 'nvfp4')]
      const [x, y] = [numbers(dequantize(a, 'f64')), numbers(dequantize(b, 'f64'))]
      const got = numbers(scaledMatmul(a, b, { outDtype: 'f16' }))
      for (const [i, value] of got.entries()) {
        const [m, n] = [Math.floor(i / N), i % N]
        let sum = 0
        for (let k = 0; k < K; k++) sum += x[m * K + k]! * y[n * K + k]!
        const expected = fromF16(toF16(sum))
        expect(Math.abs(value - expected)).toBeLessThanOrEqual(1e-3 + 1e-3 * Math.abs(expected))
      }
    }
  })

  it('non-contiguous operands', () => {
    const x = randn([64, 6]).t()
    const w = quantize(randn([10, 128]), 'mxint8')
    const sliced = { ...w, values: w.values.slice([2, 8], [32, 96]), scales: w.scales.slice([2, 8], [1, 3]) }
    const expected = x.contiguous().matmul(dequantize(w).slice([2, 8], [32, 96]).t())
    expect(scaledMatmul(x, sliced).sub(expected).abs().max().itemSync()).toBeLessThan(1e-4)
  })
})

describe.skipIf(noCompiler !== null)('groups of products', () => {
  const group = (M: number, N: number, K: number, format: QuantFormatName = 'nvfp4') => ({
    a: quantize(randn([M, K]), format),
    b: quantize(randn([N, K]), format),
    out: zeros([M, N], { dtype: 'f16' }),
  })

  it('each with its own size and format, in place; M may be 0; batches', () => {
    manualSeed(8)
    const groups = [group(3, 17, 48), group(0, 5, 32), group(19, 4, 128, 'mxfp4')]
    const results = groupedMatmul(groups)
    for (const [i, { a, b, out }] of groups.entries()) {
      expect(results[i]).toBe(out)
      const expected = scaledMatmul(a, b, { outDtype: 'f16' })
      expect(numbers(out)).toEqual(numbers(expected))
    }
    // [M, K, L] with L last, as kernels of batched groups have it: views with L first.
    const a = quantize(randn([2, 5, 64]), 'nvfp4')
    const b = quantize(randn([2, 7, 64]), 'nvfp4')
    const last = zeros([5, 7, 2], { dtype: 'f16' })
    groupedMatmul([{ a, b, out: last.permute([2, 0, 1]) }], { strategy: 'sequential' })
    expect(numbers(last.permute([2, 0, 1]))).toEqual(numbers(scaledMatmul(a, b, { outDtype: 'f16' })))
  })

  it('columns of one matrix do not overlap', () => {
    const all = zeros([4, 10])
    const x = randn([4, 32])
    const [first, second] = [quantize(randn([6, 32]), 'mxint8'), quantize(randn([4, 32]), 'mxint8')]
    groupedMatmul([
      { a: x, b: first, out: all.slice(null, [0, 6]) },
      { a: x, b: second, out: all.slice(null, [6, 10]) },
    ])
    expect(numbers(all.slice(null, [6, 10]))).toEqual(numbers(scaledMatmul(x, second)))
    expect(numbers(all.slice(null, [0, 6]))).toEqual(numbers(scaledMatmul(x, first)))
  })

  it('all strategies are bitwise equal; explain reports tiles, waves, work and the choice', () => {
    const groups = [group(3, 24, 64), group(40, 24, 64), group(7, 9, 32)]
    const all = (strategy: GroupStrategy) =>
      compile((given: typeof groups) => groupedMatmul(given, { strategy }), { name: 'experts' })
    const results = groupStrategies.map(strategy => {
      const fresh = groups.map(each => ({ ...each, out: each.out.clone() }))
      all(strategy)(fresh)
      return fresh.map(({ out }) => numbers(out))
    })
    for (const result of results) expect(result).toEqual(results[0])
    const explanation = all('auto').explain(groups)
    const limits = { flopsPerNanosecond: 100, copyBytesPerNanosecond: 10, readBytesPerNanosecond: 10 }
    const [told] = explanation.segments[0]!.groups
    expect(told).toMatchObject({ asked: 'auto', products: 3, inOrder: false, byteNanoseconds: null })
    expect(told!.flops).toBeGreaterThanOrEqual(2 * (43 * 24 * 64 + 7 * 9 * 32))
    expect(explanation.against(limits).toText()).toMatch(
      /grouped matmuls:\n {2}3 matmuls: \w+, chosen for 'auto'\n {4}\d+ tiles, [\d.]+ waves, .* at the limit .* for the bytes, .* for the arithmetic\n {4}expected: sequential/,
    )
    const requested = testDevice === 'cpu' ? 'streams, as requested; a CPU has no streams' : 'streams, as requested'
    expect(all('streams').explain(groups).toText()).toContain(requested)
  })

  it("results that are used right away, and one group whose operand is another's result", () => {
    const [first, second] = [group(4, 32, 64), group(4, 32, 64)]
    const next = quantize(randn([8, 32]), 'nvfp4')
    const bare = ({ a, b }: MatmulGroup): MatmulGroup => ({ a, b })
    const f = (x: MatmulGroup, y: MatmulGroup): Tensor => {
      const [p, q] = groupedMatmul([x, y], { strategy: 'persistent' }) as [Tensor, Tensor]
      const [r] = groupedMatmul([{ a: p.add(q).relu(), b: next }, x]) as [Tensor]
      return r
    }
    const args = [bare(first), bare(second)] as const
    const compiled = compile(f)(...args)
    expect(
      compiled
        .sub(f(...args))
        .abs()
        .max()
        .itemSync(),
    ).toBeLessThan(1e-4)
  })

  it('one compiled version serves groups of other heights', () => {
    const [b, c] = [quantize(randn([24, 64]), 'nvfp4'), quantize(randn([24, 64]), 'nvfp4')]
    const both = (x: Tensor, y: Tensor): MatmulGroup[] => [
      { a: x, b },
      { a: y, b: c },
    ]
    const f = compile((x: Tensor, y: Tensor) => groupedMatmul(both(x, y), { strategy: 'persistent' }), {
      dynamic: true,
    })
    for (const [first, second] of [
      [3, 5],
      [40, 2],
      [7, 300],
    ] as const) {
      const [x, y] = [randn([first, 64]), randn([second, 64])]
      const results = f(x, y)
      for (const [i, expected] of [scaledMatmul(x, b), scaledMatmul(y, c)].entries())
        expect(results[i]!.sub(expected).abs().max().itemSync()).toBeLessThan(1e-4)
    }
    expect(f.stats().compiles).toBe(1)
  })

  it('one invalid group: nothing is written', () => {
    const [good, other] = [group(3, 4, 32), group(5, 6, 32)]
    const refused = (bad: object, message: string): void => {
      expect(() => groupedMatmul([good, { ...other, ...bad }])).toThrow(message)
      expect(numbers(good.out).every(value => value === 0)).toBe(true)
    }
    refused({ out: zeros([5, 5]) }, 'group 1: out is [5, 5], the product [5, 6]')
    refused({ b: quantize(randn([6, 48]), 'nvfp4') }, 'groupedMatmul: group 1: K differs, a [5, 32] and b [6, 48]')
    refused({ b: { ...other.b, scales: zeros([6, 3], { dtype: 'u8' }) } }, 'must be [6, 2]')
    refused({ out: zeros([5, 6], { dtype: 'i32' }) }, 'out is i32, not a float')
    refused({ c: 1 }, "no option 'c'")
    refused({ ...good }, 'outs 0 and 1 share memory')
    const a = randn([4, 4])
    expect(() => groupedMatmul([{ a, b: randn([4, 4]), out: a }])).toThrow('out 0 shares memory with an operand')
    const twice = compile((one: typeof good, out: Tensor) => groupedMatmul([one, { ...one, out: out.narrow(0, 0, 3) }]))
    expect(() => twice(good, good.out)).toThrow('outs 0 and 1 share memory')
    expect(() => groupedMatmul([])).toThrow('no groups')
    expect(() => groupedMatmul([good], { strategy: 'fast' as never })).toThrow('strategy is "fast"')
  })
})
