import { describe, expect, it } from 'vitest'
import { accepts, castValue, evaluate, resultDtype, scalarOp, scalarOpNames, type Value } from '../../src/scalar/ops.js'
import { type InterpreterArgument, interpret, type ViewMemory } from '../../src/tile/interpret.js'
import { castFunction, mapFunction } from '../../src/tile/interpreter/elementwise.js'
import {
  allocate,
  type Cell,
  packI64Tile,
  packValue,
  type Scalar,
  unpackValue,
} from '../../src/tile/interpreter/values.js'
import { type BodyParams, buildKernel, type ParamSpecs, view } from '../../src/tile/kernel.js'
import type { TileBuilder } from '../../src/tile/language.js'
import { type Dtype, isFloat, type TensorDtype } from '../../src/types/dtype.js'
import { fromF16, toF16 } from '../../src/types/float16.js'
import type { StoredArray } from '../../src/types/memory.js'
import { quickly } from '../support/sample-choice.js'
import { floats, messageOf, viewOf } from './support.js'

function run<const P extends ParamSpecs>(
  params: P,
  args: readonly InterpreterArgument[],
  body: (t: TileBuilder, params: BodyParams<P>) => void,
  grid: readonly number[] = [1],
): void {
  interpret(buildKernel({ name: 'k', params, grid: () => grid, body: (t, values) => body(t, values) }), args, grid)
}

const edges: { readonly [D in TensorDtype]?: readonly Value[] } = {
  f64: [
    0,
    -0,
    1,
    -1,
    0.5,
    -2.5,
    3,
    1e300,
    -1e300,
    2 ** -1074,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
  ],
  f32: [
    0,
    -0,
    1,
    -1,
    0.5,
    -2.5,
    3,
    16777217,
    3e38,
    -3e38,
    2 ** -149,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
  ].map(Math.fround),
  i64: [
    0n,
    1n,
    -1n,
    2n,
    3n,
    -7n,
    31n,
    63n,
    64n,
    2n ** 31n,
    2n ** 53n - 1n,
    -(2n ** 53n),
    2n ** 62n,
    2n ** 63n - 1n,
    -(2n ** 63n),
    123456789012345n,
  ],
  i32: [0, 1, -1, 2, 3, -7, 31, 32, 40, 123456789, 2 ** 31 - 1, -(2 ** 31)],
  i16: [0, 1, -1, 3, -7, 15, 16, 32767, -32768],
  i8: [0, 1, -1, 3, -7, 7, 8, 33, 127, -128],
  u8: [0, 1, 2, 3, 7, 8, 33, 128, 255],
  bool: [0, 1],
}
const edgeDtypes = Object.keys(edges) as TensorDtype[]

/** Values as the interpreter holds them: as one tile. */
function tileOf(dtype: Dtype, values: readonly Value[]): Cell {
  if (dtype === 'i64') return packI64Tile(BigInt64Array.from(values as bigint[]))
  const tile = allocate(dtype, values.length)
  values.forEach((value, i) => {
    tile[i] = Number(value)
  })
  return tile
}

describe('fast paths', () => {
  it.each(quickly(edgeDtypes, 2))('give the results of evaluate, on edge values of %s', dtype => {
    const values = edges[dtype]!
    for (const fn of scalarOpNames) {
      if (!accepts(fn, dtype)) continue
      const { arity } = scalarOp(fn)
      const rows: Value[][] = []
      for (const a of fn === 'where' ? [0, 1] : values) {
        if (arity === 1) rows.push([a])
        else
          for (const b of values)
            if (arity === 2) rows.push([a, b])
            else for (const c of values) rows.push([a, b, c])
      }
      const dtypeOf = (i: number): Dtype => (fn === 'where' && i === 0 ? 'bool' : dtype)
      const expected = rows.map(row => evaluate(fn, dtype, row))
      const result = resultDtype(fn, dtype)
      const scalar = mapFunction(fn, dtype, null)
      rows.forEach((row, r) => {
        const packed = row.map((value, i) => packValue(unpackValue(dtypeOf(i), value)))
        expect(unpackValue(result, scalar(...packed) as Scalar), `${fn}(${row.map(String).join(', ')})`).toBe(
          expected[r],
        )
        const single = mapFunction(fn, dtype, 1)(...row.map((value, i) => tileOf(dtypeOf(i), [value]))) as Float64Array
        expect(unpackValue(result, single[0]!), `tile ${fn}(${row.map(String).join(', ')})`).toBe(expected[r])
      })
      const columns = Array.from({ length: arity }, (_, i) =>
        tileOf(
          dtypeOf(i),
          rows.map(row => row[i]!),
        ),
      )
      const tile = mapFunction(fn, dtype, rows.length)(...columns) as Float64Array
      expect(
        Array.from(tile, value => unpackValue(result, value)),
        fn,
      ).toEqual(expected)
    }
  })

  it.each(quickly(edgeDtypes, 2))('convert like castValue, from edge values of %s', from => {
    const values = edges[from]!
    for (const to of [...edgeDtypes, 'f16', 'bf16'] as TensorDtype[]) {
      const expected = values.map(value => castValue(from, to, value))
      const one = castFunction(from, to, null)
      values.forEach((value, i) => {
        expect(unpackValue(to, one(packValue(value)) as Scalar), `${from} → ${to} of ${value}`).toBe(expected[i])
      })
      const tile = castFunction(from, to, values.length)(tileOf(from, values)) as Float64Array
      expect(
        Array.from(tile, value => unpackValue(to, value)),
        `${from} → ${to}`,
      ).toEqual(expected)
    }
  })
})

describe('memory', () => {
  it('pads loads outside the view and drops stores, on every side', () => {
    const x = Float32Array.from([1, 2, 3])
    const out = new Float32Array(3).fill(9)
    run({ x: view('f32', 1), out: view('f32', 1) }, [viewOf(x, [3]), viewOf(out, [3])], (t, p) => {
      t.store(p.out, [-1], t.load(p.x, [-2], [4], { padding: 7 }))
    })
    // The block reads [7, 7, 1, 2] and lies at -1: its first element falls outside.
    expect([...out]).toEqual([7, 1, 2])
  })

  it('follows offsets and strides, negative and zero ones too', () => {
    const data = Float32Array.from({ length: 12 }, (_, i) => i)
    const reversed: ViewMemory = { data, offset: 11, sizes: [3, 2], strides: [-4, -1] }
    const repeated: ViewMemory = { data, offset: 5, sizes: [3, 2], strides: [0, 1] }
    const out = new Float32Array(6)
    run(
      { a: view('f32', 2), b: view('f32', 2), out: view('f32', 2) },
      [reversed, repeated, viewOf(out, [3, 2])],
      (t, p) => {
        t.store(
          p.out,
          [0, 0],
          t
            .load(p.a, [0, 0], [4, 4])
            .mul(100)
            .add(t.load(p.b, [0, 0], [4, 4])),
        )
      },
    )
    expect([...out]).toEqual([1105, 1006, 705, 606, 305, 206])
  })

  it.each(['f64', 'f32', 'i32', 'i16', 'i8', 'u8'] as const)('carries %s through', dtype => {
    const type = {
      f64: Float64Array,
      f32: Float32Array,
      i32: Int32Array,
      i16: Int16Array,
      i8: Int8Array,
      u8: Uint8Array,
    }[dtype]
    const [x, out] = [type.from([1, 2, 250, 3]), new type(4)]
    run({ x: view(dtype, 1), out: view(dtype, 1) }, [viewOf(x, [4]), viewOf(out, [4])], (t, p) =>
      t.store(p.out, [0], t.load(p.x, [0], [8])),
    )
    expect(out).toEqual(x)
  })

  it('decodes and rounds f16 and bf16', () => {
    const x = Uint16Array.from([1.5, -0.1, 65504, Number.NaN].map(toF16))
    const out = new Uint16Array(4)
    run({ x: view('f16', 1), out: view('f16', 1) }, [viewOf(x, [4]), viewOf(out, [4])], (t, p) => {
      t.store(p.out, [0], t.load(p.x, [0], [4]).mul(2).to('f16'))
    })
    expect([...out].map(fromF16)).toEqual([3, fromF16(toF16(-0.1)) * 2, Number.POSITIVE_INFINITY, Number.NaN])
  })

  it('keeps every bit of i64', () => {
    const x = BigInt64Array.from([5n, 2n ** 62n, -(2n ** 63n), 2n ** 53n + 1n])
    const out = new BigInt64Array(4)
    run({ x: view('i64', 1), out: view('i64', 1) }, [viewOf(x, [4]), viewOf(out, [4])], (t, p) => {
      t.store(p.out, [0], t.load(p.x, [0], [4]).mul(3).add(1))
    })
    expect(out).toEqual(x.map(value => BigInt.asIntN(64, value * 3n + 1n)))
  })

  it('reads any nonzero byte as true', () => {
    const out = new Int32Array(3)
    run(
      { x: view('bool', 1), out: view('i32', 1) },
      [viewOf(Uint8Array.of(0, 1, 255), [3]), viewOf(out, [3])],
      (t, p) => {
        t.store(p.out, [0], t.load(p.x, [0], [4]).to('i32'))
      },
    )
    expect([...out]).toEqual([0, 1, 1])
  })

  it('gathers and scatters with masks and bounds', () => {
    const x = Float32Array.from([10, 11, 12, 13])
    const ids = Int32Array.from([3, -1, 4, 0])
    const [out, spread] = [new Float32Array(4).fill(-1), new Float32Array(4).fill(-1)]
    const params = { x: view('f32', 1), ids: view('i32', 1), out: view('f32', 1), spread: view('f32', 1) }
    run(params, [viewOf(x, [4]), viewOf(ids, [4]), viewOf(out, [4]), viewOf(spread, [4])], (t, p) => {
      const at = t.load(p.ids, [0], [4])
      t.store(p.out, [0], t.gather(p.x, [at], { mask: t.iota(4).ne(3) }))
      t.scatter(p.spread, [at], t.load(p.x, [0], [4]), { mask: t.iota(4).lt(3) })
    })
    expect([...out]).toEqual([13, 0, 0, 0])
    expect([...spread]).toEqual([-1, -1, -1, 10])
  })

  it('counts with atomics, and returns the old values', () => {
    const ids = Int32Array.from([0, 1, 0, 0, 5])
    const [counts, old, extremes, swapped] = [
      new Int32Array(2),
      new Int32Array(5),
      Int32Array.of(3, 3),
      Int32Array.of(1, 2),
    ]
    const params = {
      ids: view('i32', 1),
      counts: view('i32', 1),
      old: view('i32', 1),
      extremes: view('i32', 1),
      swapped: view('i32', 1),
    }
    const args = [viewOf(ids, [5]), viewOf(counts, [2]), viewOf(old, [5]), viewOf(extremes, [2]), viewOf(swapped, [2])]
    run(params, args, (t, p) => {
      const at = t.load(p.ids, [0], [5])
      t.store(p.old, [0], t.atomicAdd(p.counts, [at], 1))
      t.atomicMax(p.extremes, [0], 8)
      t.atomicMin(p.extremes, [1], -8)
      const before = t.atomicExchange(p.swapped, [0], 7)
      t.scatter(p.swapped, [1], before)
    })
    expect([...counts]).toEqual([3, 1])
    expect([...old]).toEqual([0, 0, 1, 2, 0])
    expect([...extremes]).toEqual([8, -8])
    expect([...swapped]).toEqual([7, 1])
  })

  it('accesses 0-d and empty views', () => {
    const [x, out] = [Float32Array.of(5), new Float32Array(1)]
    const scalarView = (data: StoredArray): ViewMemory => ({ data, offset: 0, sizes: [], strides: [] })
    run(
      { x: view('f32', 0), none: view('f32', 1), out: view('f32', 0) },
      [scalarView(x), viewOf(new Float32Array(0), [0]), scalarView(out)],
      (t, p) => {
        t.store(p.none, [0], t.zeros([4], 'f32'))
        t.store(
          p.out,
          [],
          t
            .load(p.x, [], [])
            .add(t.load(p.none, [0], [4]).sum())
            .add(1),
        )
      },
    )
    expect(out[0]).toBe(6)
  })

  it('executes stores in program order: a load before a store reads the old value', () => {
    const x = Float32Array.of(1, 2, 3, 4)
    run({ x: view('f32', 1) }, [viewOf(x, [4])], (t, { x }) => {
      const before = t.load(x, [0], [4])
      t.store(x, [1], before)
      t.store(x, [0], before.add(t.load(x, [0], [4])))
    })
    expect([...x]).toEqual([2, 3, 5, 7])
  })
})

describe('folds', () => {
  const collect = (
    dtype: TensorDtype,
    count: number,
    make: (t: TileBuilder) => ReturnType<TileBuilder['zeros']>,
  ): StoredArray => {
    const out = isFloat(dtype)
      ? new Float32Array(count)
      : dtype === 'i64'
        ? new BigInt64Array(count)
        : new Int32Array(count)
    run({ out: view(dtype, 1) }, [viewOf(out, [count])], (t, p) => t.store(p.out, [0], make(t)))
    return out
  }

  it('reduce along each axis', () => {
    const grid = (t: TileBuilder) => t.iota(6).reshape([2, 3])
    expect([...collect('i64', 3, t => grid(t).sum(0))]).toEqual([3n, 5n, 7n])
    expect([...collect('i64', 2, t => grid(t).prod(1))]).toEqual([0n, 60n])
    expect([...collect('i64', 2, t => grid(t).amax(1))]).toEqual([2n, 5n])
    expect([...collect('i64', 3, t => grid(t).amin(0))]).toEqual([0n, 1n, 2n])
    expect([...collect('i64', 1, t => grid(t).sum().reshape([1]))]).toEqual([15n])
  })

  it('find the first extreme, and NaN before all others', () => {
    const x = Float32Array.of(1, 5, 5, Number.NaN, 2, Number.NaN)
    const out = new BigInt64Array(4)
    run({ x: view('f32', 1), out: view('i64', 1) }, [viewOf(x, [6]), viewOf(out, [4])], (t, p) => {
      const clean = t.load(p.x, [0], [3])
      const all = t.load(p.x, [0], [6])
      const results = [clean.argmax(), clean.argmin(), all.argmax(), all.argmin()]
      for (const [i, value] of results.entries()) t.store(p.out, [i], value)
    })
    expect([...out]).toEqual([1n, 0n, 3n, 3n])
  })

  it('scan both ways, exactly for i64', () => {
    expect([...collect('i64', 4, t => t.iota(4).cumsum(0))]).toEqual([0n, 1n, 3n, 6n])
    expect([...collect('i64', 4, t => t.iota(4).cumsum(0, { reverse: true }))]).toEqual([6n, 6n, 5n, 3n])
    expect([...collect('i64', 3, t => t.full([3], 2n ** 40n, 'i64').cumprod(0))]).toEqual([2n ** 40n, 0n, 0n])
    expect([...collect('i32', 3, t => t.iota(3, 'i32').sub(1).mul(-1).cummin(0))]).toEqual([1, 0, -1])
  })

  it('add in f64 and round once', () => {
    // 2^24 + 1 + 1 + … in f32 would stay 2^24.
    const x = new Float32Array(65).fill(1)
    x[0] = 2 ** 24
    const out = new Float32Array(1)
    run({ x: view('f32', 1), out: view('f32', 1) }, [viewOf(x, [65]), viewOf(out, [1])], (t, p) =>
      t.store(p.out, [0], t.load(p.x, [0], [65]).sum()),
    )
    expect(out[0]).toBe(2 ** 24 + 64)
  })

  it('wrap integer sums, and keep i64 sums beyond 2^53', () => {
    expect([
      ...collect('i32', 1, t =>
        t
          .full([3], 2 ** 30, 'i32')
          .sum()
          .reshape([1]),
      ),
    ]).toEqual([-(2 ** 30)])
    expect([
      ...collect('i64', 1, t =>
        t
          .full([3], 2n ** 53n - 1n, 'i64')
          .sum()
          .reshape([1]),
      ),
    ]).toEqual([3n * (2n ** 53n - 1n)])
    expect([...collect('i32', 1, t => t.full([300], 1, 'i8').sum().reshape([1]))]).toEqual([300])
  })

  it('multiply integer tiles', () => {
    expect([
      ...collect('i32', 4, t => t.dot(t.iota(4, 'i8').reshape([2, 2]), t.full([2, 2], -128, 'i8')).reshape([4])),
    ]).toEqual([-128, -128, -640, -640])
  })
})

describe('control flow', () => {
  it('swaps carried values in parallel', () => {
    const out = new Float32Array(2)
    run({ out: view('f32', 1) }, [viewOf(out, [2])], (t, p) => {
      const { a, b } = t.range(0, 3, 1, { a: t.const(1, 'f32'), b: t.const(2, 'f32') }, (_, { a, b }) => ({
        a: b,
        b: a,
      }))
      t.store(p.out, [0], a)
      t.store(p.out, [1], b)
    })
    expect([...out]).toEqual([2, 1])
  })

  it('loops with bounds and step known only at run time', () => {
    const out = new BigInt64Array(1)
    run({ from: 'i64', to: 'i64', step: 'i32', out: view('i64', 1) }, [3, 20n, 5, viewOf(out, [1])], (t, p) => {
      const { sum } = t.range(p.from, p.to, p.step, { sum: t.const(0, 'i64') }, (i, { sum }) => ({
        sum: sum.mul(100).add(i),
      }))
      t.store(p.out, [0], sum)
    })
    expect(out[0]).toBe(3081318n)
  })

  it('runs a loop without iterations', () => {
    const out = new Float32Array(1)
    run({ out: view('f32', 1) }, [viewOf(out, [1])], (t, p) => {
      t.store(p.out, [0], t.range(5, 5, 1, { a: t.const(3, 'f32') }, () => ({ a: 4 })).a)
    })
    expect(out[0]).toBe(3)
  })

  it('rejects a step that is not positive at run time', () => {
    const one = new Float32Array(1)
    expect(() =>
      run({ step: 'i64', out: view('f32', 1) }, [0, viewOf(one, [1])], (t, p) => {
        t.range(0, 5, p.step, i => void t.iota(4).add(i))
        t.store(p.out, [0], 1)
      }),
    ).not.toThrow()
    const out = new Float32Array(1)
    const message = messageOf(() =>
      run({ step: 'i64', out: view('f32', 1) }, [0, viewOf(out, [1])], (t, p) =>
        t.range(0, 5, p.step, () => t.store(p.out, [0], 1)),
      ),
    )
    expect(message).toContain('range: the step is 0')
    expect(message).toContain('interpret.test.ts')
  })

  it('takes one branch, and returns its values', () => {
    const out = new Float32Array(4)
    const body = (t: TileBuilder, p: BodyParams<{ out: ReturnType<typeof view>; s: 'f32' }>): void => {
      const { value } = t.if(
        p.s.gt(0),
        () => ({ value: p.s.mul(2) }),
        () => ({ value: 7 }),
      )
      t.store(p.out, [0], value)
      t.if(p.s.gt(0), () => t.store(p.out, [1], 1))
    }
    for (const s of [3, -3]) {
      out.fill(0)
      run({ out: view('f32', 1), s: 'f32' }, [viewOf(out, [4]), s], body as never)
      expect([...out.subarray(0, 2)]).toEqual(s > 0 ? [6, 1] : [7, 0])
    }
  })

  it('runs while a condition on loaded data holds', () => {
    // Collatz: steps until 1.
    const out = new BigInt64Array(1)
    run({ out: view('i64', 1) }, [viewOf(out, [1])], (t, p) => {
      const { steps } = t.while(
        { n: t.const(27, 'i64'), steps: t.const(0, 'i64') },
        ({ n }) => n.ne(1),
        ({ n, steps }) => ({ n: n.mod(2).eq(0).where(n.floorDiv(2), n.mul(3).add(1)), steps: steps.add(1) }),
      )
      t.store(p.out, [0], steps)
    })
    expect(out[0]).toBe(111n)
  })

  it('nests, and runs every instance of a grid of three axes in order', () => {
    const out = new BigInt64Array(24)
    const order = new BigInt64Array(1)
    run(
      { out: view('i64', 3), order: view('i64', 1) },
      [viewOf(out, [2, 3, 4]), viewOf(order, [1])],
      (t, p) => {
        const at = [t.programId(2), t.programId(1), t.programId(0)]
        t.store(p.out, at, t.atomicAdd(p.order, [0], 1).mul(t.numPrograms(0)).reshape([1, 1, 1]))
      },
      [4, 3, 2],
    )
    expect([...out]).toEqual(Array.from({ length: 24 }, (_, i) => BigInt(i * 4)))
  })
})

describe('bitcast', () => {
  it('keeps the bits', () => {
    const out = new Int32Array(3)
    run({ out: view('i32', 1) }, [viewOf(out, [3])], (t, p) => {
      t.store(p.out, [0], t.iota(3, 'f32').sub(1).bitcast('i32'))
    })
    expect([...out]).toEqual([-1082130432, 0, 1065353216])
  })
})

describe('arguments', () => {
  const x = new Float32Array(4)
  const params = { x: view('f32', 1), n: 'i8' } as const
  const program = () =>
    buildKernel(
      { name: 'k', params, grid: () => [1], body: (t, { x }) => t.store(x, [0], 1) },
      {},
      { x: { sizes: [4], strides: [1] } },
    )
  it.each<[string, readonly InterpreterArgument[], string]>([
    ['too few', [viewOf(x, [4])], 'k: 1 arguments  at'],
    ['another array', [viewOf(new Float64Array(4), [4]), 1], "'x' holds f32, its data is a Float64Array"],
    ['another rank', [viewOf(x, [2, 2]), 1], "'x' has rank 1, got sizes [2, 2]"],
    ['another static size', [viewOf(x, [3]), 1], "'x' was built for size 4 in dim 0, got 3"],
    [
      'another static stride',
      [{ data: new Float32Array(8), offset: 0, sizes: [4], strides: [2] }, 1],
      'built for stride 1 in dim 0, got 2',
    ],
    [
      'out of the data',
      [{ data: x, offset: 1, sizes: [4], strides: [1] }, 1],
      "'x' reaches from element 1 to 4 of data with 4",
    ],
    ['a number for a view', [1, 1], "'x' is 1, a number"],
    ['a view for a number', [viewOf(x, [4]), viewOf(x, [4])], "'n' is a scalar of i8, got a view"],
    ['a fraction', [viewOf(x, [4]), 1.5], "'n' is 1.5, not a number of dtype"],
    ['out of range', [viewOf(x, [4]), 200], "'n' is 200, which i8 cannot represent"],
  ])('%s', (_, args, message) => {
    expect(messageOf(() => interpret(program(), args, [1]))).toContain(message)
  })

  it('and grids are checked', () => {
    expect(messageOf(() => interpret(program(), [viewOf(x, [4]), 1], [1, 1, 1, 1]))).toContain(
      'the grid is [1, 1, 1, 1]',
    )
    expect(() => interpret(program(), [viewOf(x, [4]), 1], [0])).not.toThrow()
  })

  it('rounds a scalar to its dtype', () => {
    const out = new Float64Array(1)
    run({ s: 'f32', out: view('f64', 1) }, [0.1, viewOf(out, [1])], (t, p) => t.store(p.out, [0], p.s.to('f64')))
    expect(out[0]).toBe(Math.fround(0.1))
  })

  it('runs many programs of large tiles', () => {
    const n = 1 << 16
    const [x, out] = [floats(n), new Float32Array(n)]
    run(
      { x: view('f32', 1), out: view('f32', 1) },
      [viewOf(x, [n]), viewOf(out, [n])],
      (t, p) => {
        const at = t.programId(0).mul(4096)
        t.store(p.out, [at], t.load(p.x, [at], [4096]).mul(2).add(1).max(0))
      },
      [16],
    )
    expect(out).toEqual(x.map(value => Math.max(Math.fround(Math.fround(value * 2) + 1), 0)))
  })
})
