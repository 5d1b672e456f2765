/** Two values in a byte, read at half the counter: accesses stay as wide as those at the counter itself. */
import { describe, expect, it } from 'vitest'
import { nodesOf } from '../../src/ir/walk.js'
import { type LaneProgram, valueType } from '../../src/lane/ir.js'
import { lowerTile } from '../../src/lower/cpu/lower.js'
import { lowerSimt } from '../../src/lower/simt/lower.js'
import { argumentsOf } from '../../src/tile/abi.js'
import type { TileProgram } from '../../src/tile/ir.js'
import { buildKernel, type ViewDims, view } from '../../src/tile/kernel.js'
import type { TileBuilder, TileValue, ViewValue } from '../../src/tile/language.js'
import { f32, u8 } from '../../src/types/dtype.js'
import { floats, zeros } from '../tile/support.js'
import { target } from './blocks.js'
import { checkProgram, over, staticDims, unitDims, wide } from './support.js'

const [rows, columns, BLOCK, ROWS] = [32, 1024, 256, 16]

/** Sums of rows of nibbles, `at` the place in the bytes of the values from `k`. */
const packed = (at: (k: TileValue) => TileValue) => ({
  name: 'packed',
  params: { w: view(u8, 2), x: view(f32, 1), out: view(f32, 1) },
  grid: () => [rows / ROWS],
  body(t: TileBuilder, { w, x, out }: { w: ViewValue; x: ViewValue; out: ViewValue }) {
    const row = t.programId(0).mul(ROWS)
    const { acc } = t.range(0, x.size(0), BLOCK, { acc: t.zeros([ROWS], f32) }, (k, { acc }) => {
      const bytes = t.load(w, [row, at(k)], [ROWS, BLOCK / 2])
      const sums = t
        .load(x, [k], [BLOCK])
        .reshape([BLOCK / 2, 2])
        .sum(1)
      return { acc: acc.add(bytes.and(15).add(bytes.shr(4)).to('f32').mul(sums).sum(1)) }
    })
    t.store(out, [row], acc)
  },
})

const args = {
  w: over(
    Uint8Array.from({ length: (rows * columns) / 2 }, (_, i) => (i * 37) % 251),
    [rows, columns / 2],
  ),
  x: over(floats(columns, 1), [columns]),
  out: over(zeros(rows), [rows]),
}

function program(at: (k: TileValue) => TileValue, dims: (view: (typeof args)['w' | 'x']) => ViewDims): TileProgram {
  return buildKernel(packed(at), {}, { w: dims(args.w), x: dims(args.x), out: dims(args.out) })
}

/** Bytes that accesses to global memory read at once, by the element's. */
const widths = ({ body }: LaneProgram): Set<string> =>
  new Set(
    [...nodesOf(body)].flatMap(node => {
      if (node.op !== 'load' && node.op !== 'gather') return []
      const { dtype, lanes } = valueType(node)
      return dtype === 'u8' ? [`${node.op} ${lanes}`] : []
    }),
  )

const places: Readonly<Record<string, (k: TileValue) => TileValue>> = {
  'k.floorDiv(2)': k => k.floorDiv(2),
  'k.shr(1)': k => k.shr(1),
  'k.add(256).floorDiv(2) less as much': k => k.add(256).floorDiv(2).sub(128),
  'the counter by blocks': k => k.floorDiv(256).mul(128),
  'k.mod(512).floorDiv(2)': k => k.mod(512).floorDiv(2),
  'low bits off': k => k.and(-128).floorDiv(2),
}

describe('packed nibbles', () => {
  for (const [name, at] of Object.entries(places)) {
    describe(`at ${name}`, () => {
      it('are read in whole vectors on a CPU', () => {
        expect(widths(lowerTile(program(at, staticDims), wide))).toEqual(new Set(['load 16']))
      })

      it('are read eight at a time by each thread', () => {
        const made = program(at, unitDims)
        for (const each of [made, program(at, staticDims)]) {
          const divisors = argumentsOf(each.params).map(() => 16)
          expect(widths(lowerSimt(each, target, { divisors, indices: 'i32' }))).toEqual(new Set(['load 8']))
        }
      })

      it('give the same sums', () => {
        for (const dims of [staticDims, unitDims])
          checkProgram(program(at, dims), [args.w, args.x, args.out], [rows / ROWS], { tolerance: 1e-5 })
      })
    })
  }

  describe('at a loop-carried offset', () => {
    const stepping = (dims: (view: (typeof args)['w' | 'x']) => ViewDims): TileProgram =>
      buildKernel(
        {
          ...packed(k => k),
          body(t: TileBuilder, { w, x, out }: { w: ViewValue; x: ViewValue; out: ViewValue }) {
            const row = t.programId(0).mul(ROWS)
            const start = { acc: t.zeros([ROWS], f32), at: t.const(0, 'i64') }
            const { acc } = t.range(0, x.size(0), BLOCK, start, (k, { acc, at }) => {
              const bytes = t.load(w, [row, at], [ROWS, BLOCK / 2])
              const sums = t
                .load(x, [k], [BLOCK])
                .reshape([BLOCK / 2, 2])
                .sum(1)
              const values = bytes.and(15).add(bytes.shr(4)).to('f32')
              return { acc: acc.add(values.mul(sums).sum(1)), at: at.add(BLOCK / 2) }
            })
            t.store(out, [row], acc)
          },
        },
        {},
        { w: dims(args.w), x: dims(args.x), out: dims(args.out) },
      )

    it('are read eight at a time by each thread', () => {
      const made = stepping(unitDims)
      const divisors = argumentsOf(made.params).map(() => 16)
      expect(widths(lowerSimt(made, target, { divisors, indices: 'i32' }))).toEqual(new Set(['load 8']))
    })

    it('give the same sums', () => {
      checkProgram(stepping(unitDims), [args.w, args.x, args.out], [rows / ROWS], { tolerance: 1e-5 })
    })
  })
})
