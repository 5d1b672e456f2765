import { describe, it } from 'vitest'
import type { InterpreterArgument, ViewMemory } from '../../src/tile/interpret.js'
import type { BodyParams } from '../../src/tile/kernel.js'
import { buildKernel, type ParamSpecs, type ViewDims, view } from '../../src/tile/kernel.js'
import type { TileBuilder, TileValue } from '../../src/tile/language.js'
import { bf16, bool, f16, f32, f64, i8, i32, i64, u8 } from '../../src/types/dtype.js'
import { toBf16, toF16 } from '../../src/types/float16.js'
import { floats, zeros } from '../tile/support.js'
import type { BlockVariant } from './blocks.js'
import { type CheckOptions, checkProgram, over, staticDims, targets, unitDims } from './support.js'

type Arguments<P> = { readonly [K in keyof P]: InterpreterArgument }

const blockVariants: readonly BlockVariant[] = [
  { warps: 4, known: true },
  { warps: 1, known: false },
  { warps: 2, known: true },
]

/** Checks a kernel with sizes known and not known, for the given launches; the optimiser works on the first alone. */
function check<P extends ParamSpecs>(
  params: P,
  args: Arguments<P>,
  grid: readonly number[],
  body: (t: TileBuilder, params: BodyParams<P>) => void,
  options: CheckOptions = {},
): void {
  const definition = { name: 'kernel', params, grid: () => grid, body }
  const views = Object.entries(args).filter((entry): entry is [string, ViewMemory] => typeof entry[1] === 'object')
  const list = Object.keys(params).map(name => args[name as keyof P])
  const dims = (of: (given: ViewMemory) => ViewDims) =>
    Object.fromEntries(views.map(([name, given]) => [name, of(given)])) as { [K in keyof P]?: ViewDims }
  for (const [i, shape] of [dims(staticDims), dims(unitDims), {}].entries()) {
    const blocks = options.blocks ?? [blockVariants[i]!]
    checkProgram(buildKernel(definition, {}, shape), list, grid, { ...options, native: natives[i]!, blocks })
  }
}

const natives = [true, 'plain', false] as const

const ints = (count: number): Int32Array => Int32Array.from(floats(count, 9), x => Math.round(x * 20))

describe('stores with explicit ends', () => {
  it('write nothing from an end on, whatever the end is', () => {
    const [rows, columns] = [37, 70]
    const cuts = over(Int32Array.from([0, 9, 9, 4, 20, 24, 30, 60, 36, -3]), [5, 2])
    check(
      { x: view(f32, 2), cuts: view(i32, 2), y: view(f32, 2), z: view(f16, 2) },
      {
        x: over(floats(rows * columns), [rows, columns]),
        cuts,
        y: over(zeros(rows * columns), [rows, columns]),
        z: over(new Uint16Array(rows * columns), [rows, columns]),
      },
      [5],
      (t, { x, cuts, y, z }) => {
        const cut = (side: number): TileValue =>
          t
            .load(cuts, [t.programId(0), side], [1, 1])
            .reshape([])
            .to('i64')
        const [place, until] = [cut(0), cut(1)]
        const tile = t.load(x, [place, 3], [16, 64])
        t.store(y, [place, 3], tile.mul(2), { ends: [until, null] })
        t.store(z, [place, 3], tile.add(1).to('f16'), { ends: [until, until] })
      },
    )
  })
})

describe('reductions', () => {
  it('sums columns and rows of a block', () => {
    const [rows, columns] = [37, 70]
    const x = over(floats(rows * columns), [rows, columns])
    check(
      { x: view(f32, 2), down: view(f32, 1), along: view(f32, 1) },
      { x, down: over(zeros(columns), [columns]), along: over(zeros(rows), [rows]) },
      [3],
      (t, { x, down, along }) => {
        const start = t.programId(0).mul(32)
        const tile = t.load(x, [0, start], [64, 32])
        t.store(down, [start], tile.sum(0))
        t.if(t.programId(0).eq(0), () => {
          t.store(along, [0], t.load(x, [0, 0], [64, 128]).sum(1))
        })
      },
      { tolerance: 1e-6 },
    )
  })

  it("restricts masked sums to the mask's range and keeps padded ones", () => {
    const n = 77
    const x = over(floats(n), [n])
    check(
      { x: view(f32, 1), out: view(f32, 1), n: i64 },
      { x, out: over(zeros(8), [8]), n: 50 },
      [1],
      (t, { x, out, n }) => {
        const tile = t.load(x, [0], [128])
        const inside = t.iota(128).lt(n)
        t.store(out, [0], inside.where(tile.exp(), 0).sum())
        t.store(out, [1], tile.exp().sum())
        t.store(out, [2], inside.where(tile, Number.NEGATIVE_INFINITY).amax())
        t.store(out, [3], t.load(x, [-5], [128]).sum())
        t.store(out, [4], t.load(x, [-5], [128], { padding: 2 }).prod())
        t.store(out, [5], t.load(x, [60], [128]).amin())
        t.store(out, [6], t.iota(128).ge(20).where(tile, 0).sum())
        t.store(out, [7], tile.mul(tile).sum())
      },
      { tolerance: 1e-5 },
    )
  })

  it('finds the first maximum and minimum, NaN first', () => {
    const [rows, columns] = [9, 50]
    const data = Float32Array.from(floats(rows * columns), x => Math.round(x * 8))
    data[2 * columns + 33] = Number.NaN
    data[2 * columns + 44] = Number.NaN
    data.fill(Number.NEGATIVE_INFINITY, 3 * columns, 4 * columns)
    const x = over(data, [rows, columns])
    const out = (count: number): ViewMemory => over(new BigInt64Array(count), [count])
    check(
      { x: view(f32, 2), a: view(i64, 1), b: view(i64, 1), c: view(i64, 1), d: view(i64, 1) },
      { x, a: out(rows), b: out(rows), c: out(columns), d: out(columns) },
      [1],
      (t, { x, a, b, c, d }) => {
        const inside = t.iota(64).lt(columns).broadcastTo([16, 64])
        const tile = t.load(x, [0, 0], [16, 64])
        t.store(a, [0], inside.where(tile, Number.NEGATIVE_INFINITY).argmax(1))
        t.store(b, [0], tile.argmin(1))
        t.store(c, [0], tile.argmax(0))
        t.store(d, [0], tile.argmin(0))
      },
    )
  })

  it('takes the maximum of the numbers, ignoring NaN, −∞ if there is none', () => {
    const [rows, columns] = [8, 80]
    const data = floats(rows * columns)
    data.set([Number.NaN, Number.NEGATIVE_INFINITY], 3)
    data.fill(Number.NaN, columns, 3 * columns)
    data[2 * columns + 40] = -3
    data[3 * columns + 69] = Number.POSITIVE_INFINITY
    const x = over(data, [rows, columns])
    const [along, down] = [over(zeros(8), [8]), over(zeros(columns), [columns])]
    check({ x: view(f32, 2), along: view(f32, 1), down: view(f32, 1) }, { x, along, down }, [1], (t, views) => {
      const tile = t.load(views.x, [0, 0], [8, 80])
      t.store(views.along, [0], tile.amax(1, { ignoreNaN: true }))
      t.store(views.down, [0], tile.amax(0, { ignoreNaN: true }).fmax(tile.fmin(0).amin(0)))
    })
  })

  it('folds integers, bools and several outputs at once', () => {
    const n = 100
    const x = over(ints(n), [n])
    const out = over(new Int32Array(8), [8])
    const flags = over(new Uint8Array(4), [4])
    check(
      { x: view(i32, 1), out: view(i32, 1), flags: view(bool, 1) },
      { x, out, flags },
      [1],
      (t, { x, out, flags }) => {
        const tile = t.load(x, [0], [128])
        t.store(out, [0], tile.sum())
        t.store(out, [1], tile.amax())
        t.store(out, [2], tile.amin())
        t.store(out, [3], tile.to('i32').mul(3).prod())
        t.store(flags, [0], tile.gt(15).any())
        t.store(flags, [1], tile.gt(-100).all())
        t.store(flags, [2], t.iota(128).lt(100).and(tile.ge(0)).any())
        t.store(flags, [3], tile.gt(100).any())
      },
    )
  })

  it('normalises rows of a block in three nests', () => {
    const [rows, columns] = [10, 40]
    const x = over(floats(rows * columns), [rows, columns])
    const out = over(zeros(rows * columns), [rows, columns])
    check(
      { x: view(f32, 2), out: view(f32, 2) },
      { x, out },
      [3],
      (t, { x, out }) => {
        const start = t.programId(0).mul(4)
        const tile = t.load(x, [start, 0], [4, 64])
        const inside = t.iota(64).lt(x.size(1)).broadcastTo([4, 64])
        const centred = tile.sub(inside.where(tile, Number.NEGATIVE_INFINITY).amax(1, { keepdim: true }))
        const e = centred.exp()
        const sum = inside.where(e, 0).sum(1, { keepdim: true })
        t.store(out, [start, 0], e.div(sum))
      },
      { tolerance: 1e-6 },
    )
  })
})

describe('memory', () => {
  it('reads and writes in place, at equal and at other positions', () => {
    const n = 60
    const x = over(floats(n), [n])
    const alias = { ...x }
    check({ x: view(f32, 1), out: view(f32, 1) }, { x, out: alias }, [2], (t, { x, out }) => {
      const start = t.programId(0).mul(32)
      t.store(out, [start], t.load(x, [start], [32]).mul(2))
    })
    // One program that reads everything before it writes shifted and reversed positions of the same memory.
    check(
      { x: view(f32, 1), out: view(f32, 1) },
      { x, out: alias },
      [1],
      (t, { x, out }) => {
        const before = t.load(x, [3], [64])
        const again = t.load(x, [0], [64])
        t.store(out, [0], before.add(1))
        t.store(out, [1], again)
        t.store(out, [2], t.load(x, [0], [16]).mul(again.reshape([4, 16]).sum(0)))
      },
      { tolerance: 1e-6 },
    )
    const square = over(floats(64), [8, 8])
    check({ x: view(f32, 2), out: view(f32, 2) }, { x: square, out: { ...square } }, [1], (t, { x, out }) => {
      t.store(out, [0, 0], t.load(x, [0, 0], [8, 8]).transpose())
    })
  })

  it('keeps the order of stores and loads', () => {
    const n = 40
    const params = { x: view(f32, 1), a: view(f32, 1), b: view(f32, 1) }
    const same = over(floats(n), [n])
    for (const args of [
      { x: same, a: { ...same }, b: { ...same } },
      { x: same, a: over(zeros(n), [n]), b: over(zeros(n), [n]) },
    ]) {
      check(params, args, [1], (t, { x, a, b }) => {
        const first = t.load(x, [0], [48])
        t.store(a, [0], first.mul(2))
        t.store(b, [0], first.add(1))
        const second = t.load(a, [0], [48])
        t.store(b, [4], second.sub(first))
        const third = t.load(b, [0], [48])
        t.store(x, [0], third.add(t.load(x, [0], [48])))
      })
    }
  })

  it('follows strides, offsets and negative strides', () => {
    const data = floats(400)
    const every = over(data, [30, 5], [10, 2], 7)
    const backward = over(data, [30, 5], [-10, -1], 350)
    const turned = over(data, [30, 5], [1, 40], 2)
    const one = over(data, [30, 5], [0, 1], 3)
    for (const x of [every, backward, turned, one]) {
      check({ x: view(f32, 2), out: view(f32, 2) }, { x, out: over(zeros(150), [30, 5]) }, [2], (t, { x, out }) => {
        const start = t.programId(0).mul(16)
        t.store(out, [start, 0], t.load(x, [start, 0], [16, 8]).add(t.load(x, [start, 1], [16, 8], { padding: 3 })))
      })
      check(
        { x: view(f32, 2), out: view(f32, 2) },
        { x, out: over(zeros(400), [30, 5], [1, 33], 4) },
        [1],
        (t, { x, out }) => {
          t.store(out, [-2, 0], t.load(x, [0, -1], [32, 8]))
        },
      )
    }
  })

  it('loads transposed', () => {
    const x = over(floats(23 * 41), [23, 41])
    check(
      { x: view(f32, 2), out: view(f32, 2) },
      { x, out: over(zeros(23 * 41), [41, 23]) },
      [2, 2],
      (t, { x, out }) => {
        const [i, j] = [t.programId(0).mul(16), t.programId(1).mul(32)]
        t.store(out, [j, i], t.load(x, [i, j], [16, 32]).transpose().mul(2))
      },
    )
  })

  it('packs half floats', () => {
    const values = floats(75)
    const x = over(Uint16Array.from(values, toF16), [75])
    const y = over(Uint16Array.from(values, toBf16), [75])
    const outs = {
      h: over(new Uint16Array(75), [75]),
      b: over(new Uint16Array(75), [75]),
      p: over(new Uint16Array(24), [24]),
    }
    check(
      { x: view(f16, 1), y: view(bf16, 1), h: view(f16, 1), b: view(bf16, 1), p: view(f16, 1) },
      { x, y, ...outs },
      [3],
      (t, { x, y, h, b, p }) => {
        const start = t.programId(0).mul(32)
        const [u, v] = [t.load(x, [start], [32], { padding: 1.5 }), t.load(y, [start], [32])]
        t.store(h, [start], u.mul(v).to('f16'))
        t.store(b, [start], u.add(u.sum()).sub(v).to('bf16'))
        t.store(p, [t.programId(0).mul(8)], t.load(x, [70], [8], { padding: 2.25 }))
      },
      { tolerance: 2 ** -8, blocks: [] },
    )
  })

  it('gathers and scatters', () => {
    const n = 50
    const table = over(floats(12 * 7), [12, 7])
    const rows = over(
      BigInt64Array.from(ints(n), x => BigInt(x)),
      [n],
    )
    const params = { table: view(f32, 2), rows: view(i64, 1), out: view(f32, 2), back: view(f32, 1) }
    check(
      params,
      { table, rows, out: over(zeros(n * 7), [n, 7]), back: over(zeros(128), [128]) },
      [2],
      (t, { table, rows, out, back }) => {
        const start = t.programId(0).mul(32)
        const index = t.load(rows, [start], [32])
        const wide = index.expandDims(1).broadcastTo([32, 8])
        const columns = t.iota(8).broadcastTo([32, 8])
        t.store(out, [start, 0], t.gather(table, [wide, columns], { mask: wide.ne(3) }))
        const place = index.add(t.programId(0).mul(64)) // each program has elements of its own
        t.scatter(back, [place], t.iota(32).add(start).to('f32'), { mask: t.iota(32).add(start).lt(n) })
      },
      // Rows meet in one place: only one thread does them in order.
      { blocks: [] },
    )
  })

  it('updates atomically', () => {
    const n = 70
    const x = over(ints(n), [n])
    const params = { x: view(i32, 1), counts: view(i32, 1), old: view(i32, 1), total: view(i32, 1) }
    check(
      params,
      {
        x,
        counts: over(new Int32Array(8), [8]),
        old: over(new Int32Array(n), [n]),
        total: over(new Int32Array(2), [2]),
      },
      [3],
      (t, { x, counts, old, total }) => {
        const start = t.programId(0).mul(32)
        const tile = t.load(x, [start], [32])
        const inside = t.iota(32).add(start).lt(n)
        t.store(old, [start], t.atomicAdd(counts, [tile.mod(8).to('i64')], 1, { mask: inside }))
        t.atomicMax(total, [0], tile.sum())
        t.atomicAdd(total, [1], tile.sum())
      },
    )
  })
})

describe('shapes', () => {
  it('reshapes, broadcasts and counts', () => {
    const x = over(floats(96), [96])
    check(
      { x: view(f32, 1), out: view(f32, 2), flat: view(f32, 1) },
      { x, out: over(zeros(96), [8, 12]), flat: over(zeros(96), [96]) },
      [1],
      (t, { x, out, flat }) => {
        const tile = t.load(x, [0], [96])
        const square = tile.reshape([8, 12])
        t.store(out, [0, 0], square.add(square.sum(1, { keepdim: true })).mul(t.iota(12, 'f32')))
        t.store(flat, [0], square.transpose().reshape([96]).add(t.iota(96, 'i32').to('f32')))
      },
      { tolerance: 1e-6 },
    )
  })

  it('scans forward and back, along any axis', () => {
    const x = over(floats(9 * 21), [9, 21])
    const out = () => over(zeros(9 * 21), [9, 21])
    check(
      { x: view(f32, 2), a: view(f32, 2), b: view(f32, 2), c: view(f32, 2) },
      { x, a: out(), b: out(), c: out() },
      [1],
      (t, { x, a, b, c }) => {
        const tile = t.load(x, [0, 0], [16, 32])
        t.store(a, [0, 0], tile.cumsum(0))
        t.store(b, [0, 0], tile.cummax(1, { reverse: true }))
        t.store(c, [0, 0], tile.cumsum(1).add(tile.cumsum(0, { reverse: true })))
      },
      { tolerance: 1e-6 },
    )
    for (const length of [1, 15, 16, 17, 31, 32, 33, 64]) {
      const line = (): InterpreterArgument => over(zeros(length), [length])
      check(
        { x: view(f32, 1), up: view(f32, 1), down: view(f32, 1), late: view(f32, 1) },
        { x: over(floats(length), [length]), up: line(), down: line(), late: line() },
        [1],
        (t, { x, up, down, late }) => {
          const tile = t.load(x, [0], [64])
          t.store(up, [0], tile.cummin(0))
          t.store(down, [0], tile.cumsum(0, { reverse: true }))
          // Starts before the row.
          t.store(late, [-5], t.load(x, [-5], [64]).cumsum(0, { reverse: true }))
        },
        { tolerance: 1e-6 },
      )
    }
  })

  it('converts between dtypes of all widths', () => {
    const n = 45
    const x = over(
      Float64Array.from(floats(n), v => v * 300),
      [n],
    )
    const params = {
      x: view(f64, 1),
      a: view(i8, 1),
      b: view(u8, 1),
      c: view(i64, 1),
      d: view(bool, 1),
      e: view(f32, 1),
    }
    const outs = {
      a: over(new Int8Array(n), [n]),
      b: over(new Uint8Array(n), [n]),
      c: over(new BigInt64Array(n), [n]),
      d: over(new Uint8Array(n), [n]),
      e: over(zeros(n), [n]),
    }
    check(params, { x, ...outs }, [2], (t, { x, a, b, c, d, e }) => {
      const start = t.programId(0).mul(32)
      const tile = t.load(x, [start], [32])
      t.store(a, [start], tile.to('i8'))
      t.store(b, [start], tile.to('i32').to('u8'))
      t.store(c, [start], tile.to('i64').mul(3))
      t.store(d, [start], tile.gt(0))
      t.store(e, [start], tile.to('f32').mul(t.load(d, [start], [32]).to('f32')))
    })
  })
})

describe('control', () => {
  it('carries tiles and scalars', () => {
    const [rows, columns] = [20, 50]
    const x = over(floats(rows * columns), [rows, columns])
    check(
      { x: view(f32, 2), out: view(f32, 1), last: view(f32, 1), swapped: view(f32, 1) },
      { x, out: over(zeros(columns), [columns]), last: over(zeros(1), [1]), swapped: over(zeros(64), [64]) },
      [1],
      (t, { x, out, last, swapped }) => {
        const done = t.range(
          0,
          x.size(0),
          1,
          { sum: t.zeros([64], 'f32'), best: t.const(0, 'f32'), a: t.zeros([64], 'f32'), b: t.full([64], 1, 'f32') },
          (i, { sum, best, a, b }) => {
            const row = t.load(x, [i, 0], [1, 64]).reshape([64])
            return { sum: sum.add(row), best: best.max(row.amax()), a: b, b: a.add(row) }
          },
        )
        t.store(out, [0], done.sum)
        t.store(last, [0], done.best)
        t.store(swapped, [0], done.a.sub(done.b))
      },
      { tolerance: 1e-6 },
    )
  })

  it('carries tiles that it reads at other positions', () => {
    const x = over(floats(64), [8, 8])
    check(
      { x: view(f32, 2), out: view(f32, 2) },
      { x, out: over(zeros(64), [8, 8]) },
      [1],
      (t, { x, out }) => {
        const { tile } = t.range(0, 3, 1, { tile: t.load(x, [0, 0], [8, 8]) }, (_, { tile }) => ({
          tile: tile
            .transpose()
            .add(tile.sum(0, { keepdim: true }))
            .mul(0.5),
        }))
        t.store(out, [0, 0], tile)
      },
      { tolerance: 1e-6 },
    )
  })

  it('loops while a condition on tiles holds', () => {
    const x = over(
      Float32Array.from(floats(24), v => Math.abs(v)),
      [24],
    )
    check(
      { x: view(f32, 1), out: view(f32, 1), steps: view(i64, 1) },
      { x, out: over(zeros(24), [24]), steps: over(new BigInt64Array(1), [1]) },
      [1],
      (t, { x, out, steps }) => {
        const { tile, count } = t.while(
          { tile: t.load(x, [0], [32]), count: t.const(0n, 'i64') },
          ({ tile, count }) => tile.amax().lt(10).and(count.lt(50)),
          ({ tile, count }) => ({ tile: tile.mul(1.5), count: count.add(1) }),
        )
        t.store(out, [0], tile)
        t.store(steps, [0], count)
      },
    )
  })

  it('branches on tiles and scalars', () => {
    const x = over(floats(48), [48])
    check(
      { x: view(f32, 1), out: view(f32, 1) },
      { x, out: over(zeros(48), [48]) },
      [3],
      (t, { x, out }) => {
        const start = t.programId(0).mul(16)
        const tile = t.load(x, [start], [16])
        const chosen = t.if(
          tile.sum().gt(0),
          () => ({ tile: tile.mul(2), n: t.const(1, 'f32') }),
          () => ({ tile: tile.sub(1), n: tile.amax() }),
        )
        t.store(out, [start], chosen.tile.add(chosen.n))
      },
      { tolerance: 1e-6 },
    )
  })

  it('stores inside loops what it loaded outside', () => {
    const x = over(floats(32), [32])
    check({ x: view(f32, 1), out: view(f32, 1) }, { x, out: { ...x } }, [1], (t, { x, out }) => {
      const tile = t.load(x, [0], [16])
      t.range(0, 2, 1, i => {
        t.store(out, [i.mul(16)], tile.add(t.load(x, [16], [16])))
      })
    })
  })
})

describe('dot', () => {
  const sizes = [
    [1, 33, 20],
    [5, 64, 17],
    [17, 33, 65],
    [40, 3, 20],
    [33, 1, 9],
    [30, 70, 40],
    [1, 1, 50],
    [64, 64, 64],
  ] as const
  it('multiplies tiles of any shape', () => {
    for (const [i, [m, n, k]] of sizes.entries()) {
      const [a, b] = [over(floats(m * k, 3), [m, k]), over(floats(k * n, 4), [k, n])]
      check(
        { a: view(f32, 2), b: view(f32, 2), c: view(f32, 2) },
        { a, b, c: over(zeros(m * n), [m, n]) },
        [1],
        (t, { a, b, c }) => {
          t.store(c, [0, 0], t.dot(t.load(a, [0, 0], [m, k]), t.load(b, [0, 0], [k, n])))
        },
        {
          tolerance: 1e-6,
          native: m === 17,
          // A simulated multiply-add is dear: targets take turns, and larger blocks stand in simt/.
          ...(m * n * k > 15_000 ? { blocks: [], targets: [targets[i % targets.length]!] } : {}),
        },
      )
    }
  })

  it('multiplies operands that are in scratch already, in another shape', () => {
    // Windows of a row: element [tap, place] is x[tap + place]. Rows of the matrix are no whole vectors.
    for (const [m, taps, channels, places] of [
      [17, 3, 4, 21],
      [9, 2, 2, 40],
      [12, 5, 3, 64],
    ] as const) {
      const [k, long] = [channels * taps, places + taps - 1]
      const a = over(floats(m * k, 3), [m, k])
      const x = { ...over(floats(channels * long, 4), [channels, taps, places]), strides: [long, 1, 1] }
      check(
        { a: view(f32, 2), x: view(f32, 3), c: view(f32, 2) },
        { a, x, c: over(zeros(m * places), [m, places]) },
        [1],
        (t, { a, x, c }) => {
          const windows = t.load(x, [0, 0, 0], [channels, taps, places]).reshape([k, places])
          t.store(c, [0, 0], t.dot(t.load(a, [0, 0], [m, k]), windows))
        },
        { tolerance: 1e-6 },
      )
    }
  })

  it('takes transposed, scaled and narrow operands', () => {
    const [m, n, k] = [20, 30, 40]
    const [a, b] = [
      over(Uint16Array.from(floats(m * k, 3), toF16), [m, k]),
      over(Uint16Array.from(floats(n * k, 4), toF16), [n, k]),
    ]
    check(
      { a: view(f16, 2), b: view(f16, 2), c: view(f32, 2), s: f32 },
      { a, b, c: over(floats(m * n), [m, n]), s: 0.5 },
      [2, 1],
      (t, { a, b, c, s }) => {
        const row = t.programId(0).mul(16)
        const { acc } = t.range(0, a.size(1), 16, { acc: t.load(c, [row, 0], [16, 32]) }, (step, { acc }) => ({
          acc: t.dot(
            t.load(a, [row, step], [16, 16]).to('f32').mul(s),
            t.load(b, [0, step], [32, 16]).to('f32').transpose(),
            acc,
          ),
        }))
        t.store(c, [row, 0], acc.max(0))
      },
      { tolerance: 1e-5 },
    )
  })

  it('accumulates in i32 and f64', () => {
    const [m, n, k] = [18, 35, 30]
    const bytes = (count: number): Int8Array => Int8Array.from(ints(count))
    check(
      { a: view(i8, 2), b: view(i8, 2), c: view(i32, 2) },
      { a: over(bytes(m * k), [m, k]), b: over(bytes(k * n), [k, n]), c: over(new Int32Array(m * n), [m, n]) },
      [1],
      (t, { a, b, c }) => {
        t.store(c, [0, 0], t.dot(t.load(a, [0, 0], [32, 32]), t.load(b, [0, 0], [32, 64]), t.zeros([32, 64], 'i32')))
      },
    )
    check(
      { a: view(f64, 2), b: view(f64, 2), c: view(f64, 2) },
      {
        a: over(Float64Array.from(floats(m * k)), [m, k]),
        b: over(Float64Array.from(floats(k * n)), [k, n]),
        c: over(new Float64Array(m * n), [m, n]),
      },
      [1],
      (t, { a, b, c }) => {
        t.store(c, [0, 0], t.dot(t.load(a, [0, 0], [32, 32]), t.load(b, [0, 0], [32, 64]), t.zeros([32, 64], 'f64')))
      },
      { tolerance: 1e-14 },
    )
  })

  it('chains dots, as attention does', () => {
    const [q, keys, d] = [20, 50, 24]
    const matrix = (rows: number, seed: number): ViewMemory => over(floats(rows * d, seed), [rows, d])
    check(
      { q: view(f32, 2), k: view(f32, 2), v: view(f32, 2), out: view(f32, 2) },
      { q: matrix(q, 1), k: matrix(keys, 2), v: matrix(keys, 3), out: over(zeros(q * d), [q, d]) },
      [2],
      (t, { q, k, v, out }) => {
        const row = t.programId(0).mul(16)
        const queries = t.load(q, [row, 0], [16, 32])
        const start = {
          acc: t.zeros([16, 32], 'f32'),
          top: t.full([16, 1], Number.NEGATIVE_INFINITY, 'f32'),
          sum: t.zeros([16, 1], 'f32'),
        }
        const { acc, sum } = t.range(0, keys, 16, start, (step, { acc, top, sum }) => {
          const raw = t.dot(queries, t.load(k, [step, 0], [16, 32]).transpose())
          const inside = t.iota(16).add(step).lt(k.size(0)).broadcastTo([16, 16])
          const scores = inside.where(raw, Number.NEGATIVE_INFINITY)
          const next = top.max(scores.amax(1, { keepdim: true }))
          const weights = scores.sub(next).exp()
          const shrink = top.sub(next).exp()
          return {
            acc: t.dot(weights, t.load(v, [step, 0], [16, 32]), acc.mul(shrink)),
            top: next,
            sum: sum.mul(shrink).add(weights.sum(1, { keepdim: true })),
          }
        })
        t.store(out, [row, 0], acc.div(sum))
      },
      { tolerance: 1e-5 },
    )
  })
})
