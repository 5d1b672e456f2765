/** Elementwise kernels whose accesses are contiguous along different axes, at sizes around those of squares of vectors. */
import { describe, expect, it } from 'vitest'
import { emitC } from '../../src/codegen/c/emit.js'
import { lowerTile } from '../../src/lower/cpu/lower.js'
import type { ViewMemory } from '../../src/tile/interpret.js'
import type { TileProgram } from '../../src/tile/ir.js'
import { buildKernel, view } from '../../src/tile/kernel.js'
import { bool, f16, f32, f64, i8, i32, i64 } from '../../src/types/dtype.js'
import { checkProgram, over, staticDims, wide } from './support.js'

type Dtype = Parameters<typeof view>[0]

/** Integers that all dtypes hold; of bools 0 and 1, of halves the bits of small numbers. */
function elements(dtype: Dtype, count: number): ViewMemory['data'] {
  const below = dtype === bool ? 2 : dtype === f16 ? 0x3c00 : 11
  const values = Array.from({ length: count }, (_, i) => (i * 37 + (i >> 3)) % below)
  switch (dtype) {
    case f32:
      return Float32Array.from(values)
    case f64:
      return Float64Array.from(values)
    case i32:
      return Int32Array.from(values)
    case i64:
      return BigInt64Array.from(values, BigInt)
    case i8:
      return Int8Array.from(values)
    default:
      return dtype === f16 ? Uint16Array.from(values) : Uint8Array.from(values)
  }
}

interface Kernel {
  readonly program: TileProgram
  readonly args: readonly ViewMemory[]
}

/** out[i, j] = x[j, i] + row[j] + column[i], of bools xor; `far`: an expensive function of x instead. */
function makeKernel(dtype: Dtype, [rows, columns]: readonly [number, number], far = false): Kernel {
  const args = {
    x: over(elements(dtype, rows * columns), [columns, rows]),
    row: over(elements(dtype, columns), [columns]),
    column: over(elements(dtype, rows), [rows]),
    out: over(elements(dtype, rows * columns), [rows, columns]),
  }
  const params = { x: view(dtype, 2), row: view(dtype, 1), column: view(dtype, 1), out: view(dtype, 2) }
  const dims = Object.fromEntries(Object.entries(args).map(([name, given]) => [name, staticDims(given)]))
  const program = buildKernel(
    {
      name: 'kernel',
      params,
      grid: () => [1],
      body: (t, { x, row, column, out }) => {
        const turned = t.load(x, [0, 0], [columns, rows]).transpose()
        const along = t.load(row, [0], [columns]).reshape([1, columns])
        const down = t.load(column, [0], [rows]).reshape([rows, 1])
        const once = far ? turned.cosh().mul(turned.sinh()).sigmoid().add(along) : null
        const mixed = once ?? (dtype === bool ? turned.xor(along).xor(down) : turned.add(along).add(down))
        t.store(out, [0, 0], mixed.to(dtype))
      },
    },
    {},
    dims,
  )
  return { program, args: Object.values(args) }
}

/** Lanes of the widest vectors; halves are computed in f32. */
const widths: readonly (readonly [Dtype, number])[] = [
  [f32, 16],
  [f64, 8],
  [i32, 16],
  [i64, 8],
  [i8, 32],
  [f16, 16],
  [bool, 32],
]

const around = (lanes: number): readonly (readonly [number, number])[] => [
  [lanes, lanes],
  [lanes - 1, lanes + 1],
  [lanes + 1, lanes - 1],
  [2 * lanes + 3, 7],
  [7, 2 * lanes + 3],
  [3, 2 * lanes],
  [2 * lanes, 3],
  [4, 2 * lanes + 1],
  [2 * lanes + 1, 4],
  [2 * lanes - 1, 2],
]

describe('transposed elementwise kernels', () => {
  for (const [dtype, lanes] of widths) {
    it(`give the same as the interpreter around squares of ${dtype}`, () => {
      for (const [i, sizes] of around(lanes).entries()) {
        const { program, args } = makeKernel(dtype, sizes)
        checkProgram(program, args, [1], { native: i === 0 || (i < 8 && 'plain'), blocks: [] })
      }
    })
  }

  it('loop over the rows of costly squares', () => {
    const { program, args } = makeKernel(f32, [35, 50], true)
    expect(emitC([lowerTile(program, wide)])).toMatch(/store_f32x16\(&square/)
    checkProgram(program, args, [1], { native: 'plain', blocks: [], tolerance: 1e-6 })
  })

  it('store whole vectors instead of scattering lanes', () => {
    for (const sizes of [
      [16, 256],
      [61, 100],
      [200, 61],
      [200, 4],
      [200, 2],
    ] as const) {
      const text = emitC([lowerTile(makeKernel(f32, sizes).program, wide)])
      expect(text).not.toMatch(/scatter|gather/)
      expect(text).toMatch(/interleave/)
    }
  })
})
