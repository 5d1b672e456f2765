/** Matrix products as tile programs, for the tests of dots: every orientation, sizes that divide nothing, prologues. */
import { buildKernel, view } from '../../../src/tile/kernel.js'
import type { TileBuilder, TileValue, ViewValue } from '../../../src/tile/language.js'
import type { Float8, TensorDtype } from '../../../src/types/dtype.js'
import { toBf16, toF16 } from '../../../src/types/float16.js'
import { type StoredArray, storedArrayType } from '../../../src/types/memory.js'
import { encodeMinifloat, minifloatOf } from '../../../src/types/minifloat.js'
import { floats } from '../../tile/support.js'
import { over, staticDims, unitDims } from '../support.js'

export const stored = (dtype: TensorDtype, count: number, seed: number): StoredArray => {
  const values = floats(count, seed)
  switch (dtype) {
    case 'f16':
      return Uint16Array.from(values, toF16)
    case 'bf16':
      return Uint16Array.from(values, toBf16)
    case 'i8':
      return Int8Array.from(values, x => Math.round(x * 40))
    case 'f32':
      return Float32Array.from(values)
    case 'f64':
      return Float64Array.from(values)
    default:
      return Uint8Array.from(values, x => Math.round(Math.abs(x) * 40))
  }
}

export interface Case {
  readonly dtype: TensorDtype
  /** Sizes of the matrices and of the tiles. */
  readonly size: readonly [m: number, n: number, k: number]
  readonly tile: readonly [m: number, n: number, k: number]
  readonly turnA?: boolean
  readonly turnB?: boolean
  readonly prologue?: (t: TileBuilder, tile: TileValue) => TileValue
  readonly open?: boolean
  /** The operands are these, instead of `dtype`. */
  readonly codes?: readonly [Float8, Float8]
  readonly precision?: 'tf32'
}

const codesOf = (float: Float8, count: number, seed: number): Uint8Array =>
  Uint8Array.from(floats(count, seed), x => encodeMinifloat(minifloatOf(float), x, true))

export function matmul({ dtype, size, tile, turnA = false, turnB = false, prologue, open, codes, precision }: Case) {
  const [m, n, k] = size
  const [bm, bn, bk] = tile
  const isInteger = codes === undefined && (dtype === 'i8' || dtype === 'u8')
  const wide = isInteger ? 'i32' : dtype === 'f64' ? 'f64' : 'f32'
  const args = {
    a: over(codes ? codesOf(codes[0], m * k, 1) : stored(dtype, m * k, 1), turnA ? [k, m] : [m, k]),
    b: over(codes ? codesOf(codes[1], k * n, 2) : stored(dtype, k * n, 2), turnB ? [n, k] : [k, n]),
    c: over(new (storedArrayType(wide))(m * n), [m, n]),
  }
  const grid = [Math.ceil(m / bm), Math.ceil(n / bn)]
  const block = (
    t: TileBuilder,
    of: ViewValue,
    at: [TileValue, TileValue],
    shape: [number, number],
    turned: boolean,
  ) => {
    const loaded = turned ? t.load(of, [at[1], at[0]], [shape[1], shape[0]]).transpose() : t.load(of, at, shape)
    if (codes !== undefined) return loaded
    return prologue === undefined ? loaded.to(wide) : prologue(t, loaded)
  }
  const definition = {
    name: 'matmul',
    params: { a: view(codes?.[0] ?? dtype, 2), b: view(codes?.[1] ?? dtype, 2), c: view(wide, 2) },
    grid: () => grid,
    body(t: TileBuilder, { a, b, c }: { a: ViewValue; b: ViewValue; c: ViewValue }) {
      const [row, column] = [t.programId(0).mul(bm), t.programId(1).mul(bn)]
      const { acc } = t.range(0, a.size(turnA ? 0 : 1), bk, { acc: t.zeros([bm, bn], wide) }, (step, { acc }) => ({
        acc: t.dot(block(t, a, [row, step], [bm, bk], turnA), block(t, b, [step, column], [bk, bn], turnB), acc, {
          ...(precision && { precision }),
        }),
      }))
      t.store(c, [row, column], acc)
    },
  }
  const dims = open ? unitDims : staticDims
  const program = buildKernel(definition, {}, { a: dims(args.a), b: dims(args.b), c: dims(args.c) })
  return { program, args: [args.a, args.b, args.c], grid }
}

export interface AttentionCase {
  readonly queries: number
  readonly keys: number
  readonly depth: number
  /** Queries and keys of a tile. */
  readonly rows: number
  readonly columns: number
  readonly open?: boolean
}

/** Two products, the first one's results the left operand of the second, by an online softmax. */
export function attention({ queries, keys, depth, rows, columns, open }: AttentionCase) {
  const grid = [Math.ceil(queries / rows)]
  const matrix = (rows: number, seed: number) => over(stored('bf16', rows * depth, seed), [rows, depth])
  const args = {
    q: matrix(queries, 1),
    k: matrix(keys, 2),
    v: matrix(keys, 3),
    out: over(new Float32Array(queries * depth), [queries, depth]),
  }
  const definition = {
    name: 'attention',
    params: { q: view('bf16', 2), k: view('bf16', 2), v: view('bf16', 2), out: view('f32', 2) },
    grid: () => grid,
    body(t: TileBuilder, { q, k, v, out }: { q: ViewValue; k: ViewValue; v: ViewValue; out: ViewValue }) {
      const row = t.programId(0).mul(rows)
      const wanted = t.load(q, [row, 0], [rows, depth]).to('f32')
      const start = {
        acc: t.zeros([rows, depth], 'f32'),
        top: t.full([rows, 1], Number.NEGATIVE_INFINITY, 'f32'),
        sum: t.zeros([rows, 1], 'f32'),
      }
      const { acc, sum } = t.range(0, keys, columns, start, (step, { acc, top, sum }) => {
        const raw = t.dot(wanted, t.load(k, [step, 0], [columns, depth]).to('f32').transpose())
        const inside = t.iota(columns).add(step).lt(keys).broadcastTo([rows, columns])
        const scores = inside.where(raw, Number.NEGATIVE_INFINITY)
        const next = top.max(scores.amax(1, { keepdim: true }))
        const weights = scores.sub(next).exp()
        const shrink = top.sub(next).exp()
        const values = t.load(v, [step, 0], [columns, depth]).to('f32')
        return {
          acc: t.dot(weights.to('bf16').to('f32'), values, acc.mul(shrink)),
          top: next,
          sum: sum.mul(shrink).add(weights.sum(1, { keepdim: true })),
        }
      })
      t.store(out, [row, 0], acc.div(sum))
    },
  }
  const dims = open ? unitDims : staticDims
  const shapes = { q: dims(args.q), k: dims(args.k), v: dims(args.v), out: dims(args.out) }
  return { program: buildKernel(definition, {}, shapes), args: [args.q, args.k, args.v, args.out], grid }
}

/** Which of a product's operands lie the other way in memory: turnA, turnB. */
export const orientations = [
  [false, false],
  [true, false],
  [false, true],
  [true, true],
] as const
