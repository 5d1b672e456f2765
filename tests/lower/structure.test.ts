/** What the lowered code must not contain: masks where bounds are known, copies where a loop can work in place. */
import { describe, expect, it } from 'vitest'
import { nodesOf } from '../../src/ir/walk.js'
import type { LaneNode, LaneProgram } from '../../src/lane/ir.js'
import { lowerTile } from '../../src/lower/cpu/lower.js'
import type { BodyParams } from '../../src/tile/kernel.js'
import { buildKernel, type ParamSpecs, type ViewDims, view } from '../../src/tile/kernel.js'
import type { TileBuilder } from '../../src/tile/language.js'
import { f32, i64 } from '../../src/types/dtype.js'
import { addReluMul, gemm } from '../tile/kernels.js'
import { wide } from './support.js'

const dense = (...sizes: number[]): ViewDims => ({
  sizes,
  strides: sizes.map((_, d) => sizes.slice(d + 1).reduce((a, b) => a * b, 1)),
})

function lower<P extends ParamSpecs>(
  params: P,
  dims: { readonly [K in keyof P]?: ViewDims },
  body: (t: TileBuilder, params: BodyParams<P>) => void,
): LaneProgram {
  return lowerTile(buildKernel({ name: 'kernel', params, grid: () => [1], body }, {}, dims), wide)
}

const nodes = (program: LaneProgram): LaneNode[] => [...nodesOf(program.body)]
const having = (program: LaneProgram, ...ops: LaneNode['op'][]): LaneNode[] =>
  nodes(program).filter(node => ops.includes(node.op))
/** Loads and stores with a count, gathers, scatters and selections. */
const masked = (program: LaneProgram): LaneNode[] =>
  nodes(program).filter(
    node =>
      (node.op === 'load' && node.inputs.length > 2) ||
      (node.op === 'store' && node.inputs.length > 3) ||
      node.op === 'gather' ||
      node.op === 'scatter' ||
      (node.op === 'map' && node.attrs.fn === 'where'),
  )
const comments = (program: LaneProgram): string[] =>
  having(program, 'for').map(node => (node as Extract<LaneNode, { op: 'for' }>).attrs.comment)

describe('bounds', () => {
  it('need no masks if sizes divide', () => {
    const size = dense(1 << 20)
    const program = lowerTile(buildKernel(addReluMul, { BLOCK: 1024 }, { x: size, bias: size, out: size }), wide)
    expect(masked(program)).toEqual([])
    expect(having(program, 'for')).toHaveLength(1)
  })

  it('of gathers need no masks if their indices are clamped, also as floats', () => {
    const conditions = (clamps: boolean): number => {
      const program = lower(
        { x: view(f32, 1), out: view(f32, 1) },
        { x: dense(100), out: dense(64) },
        (t, { x, out }) => {
          const exact = t.iota(64).to('f64').mul(2.25).add(-0.75)
          const index = (clamps ? exact.max(0).min(99) : exact).floor().to('i64')
          t.store(out, [0], t.gather(x, [index]))
        },
      )
      return having(program, 'gather').filter(({ inputs }) => inputs.length > 2).length
    }
    expect(conditions(true)).toBe(0)
    expect(conditions(false)).toBeGreaterThan(0)
  })

  it('need one edge if views are equally long', () => {
    const size = dense(1000)
    const program = lowerTile(buildKernel(addReluMul, { BLOCK: 1024 }, { x: size, bias: size, out: size }), wide)
    // Full vectors in one loop; a store and its two loads in the other.
    expect(masked(program)).toHaveLength(3)
    expect(having(program, 'for')).toHaveLength(2)
  })

  it('turn a mask before a fold into a loop end', () => {
    const program = lower(
      { x: view(f32, 2), out: view(f32, 1) },
      { x: dense(64, 4096), out: dense(64) },
      (t, { x, out }) => {
        const row = t.programId(0)
        const total = t.range(0, 4096, 1024, { sum: t.const(0, 'f32') }, (start, { sum }) => {
          const inside = t.iota(1024).add(start).lt(4096)
          return { sum: sum.add(inside.where(t.load(x, [row, start], [1, 1024]).reshape([1024]).exp(), 0).sum()) }
        })
        t.store(out, [row], total.sum.reshape([1]))
      },
    )
    const compares = nodes(program).filter(
      node => node.op === 'map' && node.attrs.fn === 'lt' && node.type.kind === 'value' && node.type.lanes > 1,
    )
    // The row itself may be out of the view: that edge compares a count, not the mask's indices.
    expect(compares.every(node => node.inputs[0]!.type.kind === 'value' && node.inputs[0]!.type.dtype === 'i32')).toBe(
      true,
    )
  })

  it('restrict a fold to a size known at run time', () => {
    const program = lower(
      { x: view(f32, 1), out: view(f32, 1), n: i64 },
      { x: dense(1024), out: dense(1) },
      (t, { x, out, n }) => {
        t.store(
          out,
          [0],
          t
            .iota(1024)
            .lt(n)
            .where(t.load(x, [0], [1024]), 0)
            .sum(),
        )
      },
    )
    // The only selection left cuts the last vector.
    expect(nodes(program).filter(node => node.op === 'map' && node.attrs.fn === 'where')).toHaveLength(1)
  })
})

describe('nests', () => {
  it('are shared by folds of one tile', () => {
    const program = lower(
      { x: view(f32, 1), out: view(f32, 1) },
      { x: dense(4096), out: dense(2) },
      (t, { x, out }) => {
        const tile = t.load(x, [0], [4096])
        const [largest, total] = [tile.amax(), tile.sum()]
        t.store(out, [0], largest)
        t.store(out, [1], total)
      },
    )
    expect(comments(program)).toEqual(['max; sum'])
  })

  it('are shared by stores over the same indices', () => {
    const size = dense(4096)
    const program = lower(
      { x: view(f32, 1), a: view(f32, 1), b: view(f32, 1) },
      { x: size, a: size, b: size },
      (t, { x, a, b }) => {
        const tile = t.load(x, [0], [4096]).exp()
        t.store(a, [0], tile)
        t.store(b, [0], tile.mul(2))
      },
    )
    expect(comments(program)).toEqual(['store a, b'])
    expect(having(program, 'alloc')).toEqual([])
    expect(nodes(program).filter(node => node.op === 'map' && node.attrs.fn === 'exp')).toHaveLength(1)
  })

  it('store expensive values that are used twice', () => {
    const program = lower(
      { x: view(f32, 1), out: view(f32, 1) },
      { x: dense(4096), out: dense(4096) },
      (t, { x, out }) => {
        const e = t.load(x, [0], [4096]).exp()
        t.store(out, [0], e.div(e.sum()))
      },
    )
    expect(comments(program)).toEqual(['keep exp; sum', 'store out'])
    expect(having(program, 'alloc')).toHaveLength(1)
  })

  it('recompute cheap values', () => {
    const program = lower(
      { x: view(f32, 1), out: view(f32, 1) },
      { x: dense(4096), out: dense(4096) },
      (t, { x, out }) => {
        const doubled = t.load(x, [0], [4096]).mul(2)
        t.store(out, [0], doubled.sub(doubled.sum()))
      },
    )
    expect(having(program, 'alloc')).toEqual([])
  })
})

describe('dots', () => {
  it('accumulate in place over a loop', () => {
    const square = dense(1024, 1024)
    const program = lowerTile(
      buildKernel(gemm, { BM: 128, BN: 256, BK: 256 }, { a: square, b: square, c: square }),
      wide,
    )
    expect(
      having(program, 'alloc')
        .map(node => (node as Extract<LaneNode, { op: 'alloc' }>).attrs.name)
        .sort(),
    ).toEqual(['carried', 'panels', 'rows'])
    expect(having(program, 'gather', 'scatter')).toEqual([])
  })

  it('transpose an operand in registers', () => {
    const square = dense(1024, 1024)
    const program = lower(
      { a: view(f32, 2), b: view(f32, 2), c: view(f32, 2) },
      { a: square, b: square, c: square },
      (t, { a, b, c }) => {
        t.store(c, [0, 0], t.dot(t.load(a, [0, 0], [64, 64]), t.load(b, [0, 0], [64, 64]).transpose()))
      },
    )
    expect(having(program, 'interleave')).toHaveLength(64)
    expect(having(program, 'gather')).toEqual([])
  })

  it('prefetch the block that is packed next while a dot computes, if it is small', () => {
    const fetched = (size: number): LaneNode[] => {
      const program = lower(
        { a: view(f32, 2), b: view(f32, 2), out: view(f32, 2) },
        { a: dense(size, 4 * size), b: dense(4 * size, size), out: dense(size, size) },
        (t, { a, b, out }) => {
          const { sum } = t.range(0, 4 * size, size, { sum: t.zeros([size, size], 'f32') }, (k, { sum }) => ({
            sum: t.dot(t.load(a, [0, k], [size, size]), t.load(b, [k, 0], [size, size]), sum),
          }))
          t.store(out, [0, 0], sum)
        },
      )
      return having(program, 'prefetch')
    }
    // Of both operands the four lines of a row, in the code of whole register blocks and in that of the rest of the rows.
    expect(fetched(64)).toHaveLength(2 * 8)
    expect(fetched(256)).toEqual([])
  })

  it('read the large operand of a thin dot in place', () => {
    const program = lower(
      { a: view(f32, 2), b: view(f32, 2), c: view(f32, 2) },
      { a: dense(1, 512), b: dense(512, 4096), c: dense(1, 4096) },
      (t, { a, b, c }) => {
        const n = t.programId(0).mul(256)
        t.store(c, [0, n], t.dot(t.load(a, [0, 0], [1, 512]), t.load(b, [0, n], [512, 256])))
      },
    )
    const sizes = having(program, 'alloc').map(node => (node as Extract<LaneNode, { op: 'alloc' }>).attrs.count)
    expect(Math.max(...sizes)).toBeLessThanOrEqual(512)
  })

  it('unroll the few rows of a thin dot, without bounds checks', () => {
    const program = lower(
      { a: view(f32, 2), b: view(f32, 2), c: view(f32, 2) },
      { a: dense(1, 512), b: dense(512, 4096), c: dense(1, 4096) },
      (t, { a, b, c }) => {
        const product = t.range(0, 512, 4, { acc: t.zeros([1, 2048], 'f32') }, (k, { acc }) => ({
          acc: t.dot(t.load(a, [0, k], [1, 4]), t.load(b, [k, 0], [4, 2048]), acc),
        })).acc
        t.store(c, [0, 0], product)
      },
    )
    const unrolled = having(program, 'for').filter(node => (node as Extract<LaneNode, { op: 'for' }>).attrs.unroll)
    expect(unrolled.map(node => node.inputs.slice(0, 2).map(bound => bound.op))).toEqual([['const', 'const']])
    expect(masked(program)).toEqual([])
  })
})

it('lowers chains of thousands of operations', () => {
  const program = lower({ x: view(f32, 1), out: view(f32, 1) }, { x: dense(64), out: dense(64) }, (t, { x, out }) => {
    const first = t.load(x, [0], [64])
    let value = first
    for (let i = 0; i < 3000; i++) value = value.mul(0.5).add(first)
    t.store(out, [0], value)
  })
  expect(nodes(program).length).toBeGreaterThan(6000)
})

describe('folds down short rows', () => {
  it('unroll and jam the loops around them, and read shared operands once', () => {
    const program = lower(
      { x: view(f32, 4), row: view(f32, 2), out: view(f32, 3) },
      { x: dense(4, 2, 100, 8), row: dense(100, 8), out: dense(4, 2, 8) },
      (t, { x, row, out }) => {
        const shared = t.load(row, [0, 0], [100, 8]).reshape([1, 1, 100, 8])
        const product = t.load(x, [0, 0, 0, 0], [4, 2, 100, 8]).mul(shared.broadcastTo([4, 2, 100, 8]))
        t.store(out, [0, 0, 0], product.sum(2))
      },
    )
    const fold = having(program, 'for').find(node => node.blocks[0]!.params.length > 1)!
    // The counter and eight sums; eight rows of x and what all of them share.
    expect(fold.blocks[0]!.params).toHaveLength(9)
    expect(fold.blocks[0]!.body.filter(node => node.op === 'load')).toHaveLength(9)
  })
})
