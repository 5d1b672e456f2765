import { describe, expect, it } from 'vitest'
import { cpuMatmulParts, cpuMatmulTiles, depthBlock } from '../../src/backends/cpu/matmul-tiles.js'
import { cudaMatmulParts, cudaMatmulTiles } from '../../src/backends/cuda/matmul-tiles.js'
import { defaultMatmulChoices, matmulLoop } from '../../src/kernels/matmul.js'
import { type RowScan, scanRow } from '../../src/kernels/scan.js'
import { interpret } from '../../src/tile/interpret.js'
import { buildKernel, view } from '../../src/tile/kernel.js'
import { cpuFacts, gpuFacts } from '../schedule/run.js'

const tilesOf = (m: number | null, n: number | null, k: number | null, batch: number | null = 1) =>
  cpuMatmulTiles(
    { batch, m, n, k, lefts: 1, rights: 1 },
    cpuFacts,
    defaultMatmulChoices,
    depthBlock(k, defaultMatmulChoices.depth),
  )

describe('cpuMatmulTiles', () => {
  const sizes = [1, 3, 17, 64, 100, 256, 500, 512, 1000, 1024, 4096]

  it('never chooses a tile larger than the problem', () => {
    for (const m of sizes) {
      for (const n of sizes) {
        const tiles = tilesOf(m, n, 300)
        expect(tiles.m).toBeLessThanOrEqual(m)
        expect(tiles.n).toBeLessThanOrEqual(n)
      }
    }
  })

  it('gives all cores equal work if sizes are large', () => {
    for (const size of [512, 1024, 2048, 4096]) {
      const { m, n } = tilesOf(size, size, size)
      const programs = Math.ceil(size / m) * Math.ceil(size / n)
      expect(programs % cpuFacts.cores, `${size}: ${m}×${n}`).toBe(0)
    }
  })

  it('cuts K into equal blocks if it has a divisor near the preferred block', () => {
    expect([tilesOf(64, 64, 1000).k, tilesOf(64, 64, 512).k, tilesOf(64, 64, 1024).k]).toEqual([250, 512, 256])
    expect(tilesOf(64, 64, 1009).k).toBe(256)
    expect(tilesOf(64, 64, 0).k).toBe(1)
  })

  it('has tiles for unknown sizes', () => {
    const { m, n, k } = tilesOf(null, null, null, null)
    expect(Math.min(m, n, k)).toBeGreaterThanOrEqual(32)
  })
})

const vectorOf = (data: Float32Array, sizes: readonly number[]) => ({
  data,
  offset: 0,
  sizes,
  strides: sizes.map((_, d) => sizes.slice(d + 1).reduce((a, b) => a * b, 1)),
})

describe('parts of K', () => {
  const gemm = (m: number | null, k: number | null, n: number) => ({ batch: 1, m, n, k, lefts: 1, rights: 1 })
  const h200 = { ...gpuFacts, multiprocessors: 132 }

  it('are made where few tiles have a long K', () => {
    for (const dtype of ['bf16', 'f32', 'f64'] as const) {
      for (const [m, k, n] of [
        [128, 65_536, 128],
        [16, 1 << 20, 16],
        [256, 16_384, 256],
      ] as const)
        expect(cudaMatmulParts(gemm(m, k, n), dtype, h200), `${dtype} ${m}×${k}×${n}`).toBeGreaterThan(3)
    }
    expect(cpuMatmulParts(gemm(64, 65_536, 64), { ...cpuFacts, cores: 16 }, defaultMatmulChoices)).toBeGreaterThan(8)
  })

  it('are not made where tiles fill the machine, K is short, or sizes are unknown', () => {
    for (const sizes of [gemm(4096, 4096, 4096), gemm(64, 128, 64), gemm(8192, 64, 8192), gemm(null, 65_536, 128)]) {
      expect(cudaMatmulParts(sizes, 'bf16', h200)).toBe(1)
      expect(cpuMatmulParts(sizes, cpuFacts, defaultMatmulChoices)).toBe(1)
    }
  })
})

describe('cudaMatmulTiles', () => {
  it('ranks different tiles, and returns the last ones for ranks beyond', () => {
    const sizes = { batch: 1, m: 256, n: 512, k: 512, lefts: 1, rights: 1 }
    const ranked = [0, 1, 2, 3, 4].map(rank => JSON.stringify(cudaMatmulTiles([sizes], 'bf16', gpuFacts, rank)))
    expect(new Set(ranked).size).toBe(5)
    expect(ranked[0]).toBe(JSON.stringify(cudaMatmulTiles([sizes], 'bf16', gpuFacts)))
    expect(cudaMatmulTiles([sizes], 'bf16', gpuFacts, 99)).toEqual(cudaMatmulTiles([sizes], 'bf16', gpuFacts, 98))
  })

  it('gives GEMMs that share an operand the tiles of a single GEMM', () => {
    const one = { batch: 1, m: 512, n: 8192, k: 7168, lefts: 1, rights: 1 }
    const single = cudaMatmulTiles([one], 'bf16', gpuFacts)
    expect(cudaMatmulTiles([{ ...one, n: 4096, rights: 2 }], 'bf16', gpuFacts)).toEqual({ ...single, n: single.n / 2 })
    const many = cudaMatmulTiles([{ ...one, m: 4096, lefts: 3 }], 'bf16', gpuFacts)
    expect(3 * many.m * many.n).toBeLessThanOrEqual(256 * 128)
  })
})

describe('matmulLoop', () => {
  for (const [m, n, k] of [
    [3, 5, 7],
    [1, 4, 9],
    [4, 1, 2],
    [2, 2, 0],
  ] as const) {
    it(`${m} × ${k} × ${n}, in blocks of 4 along k`, () => {
      const kernel = buildKernel({
        name: 'gemm',
        params: { a: view('f32', 2), b: view('f32', 2), c: view('f32', 2) },
        grid: () => [1],
        body: (t, { a, b, c }) => {
          const [acc] = matmulLoop(t, {
            m,
            n,
            depth: [{ length: a.size(1), block: 4 }],
            accumulate: 'f32',
            products: 1,
            factors: ([start]) => [[t.load(a, [0, start!], [m, 4]), t.load(b, [start!, 0], [4, n])]],
          })
          t.store(c, [0, 0], acc!)
        },
      })
      const a = Float32Array.from({ length: m * k }, (_, i) => (i % 5) - 2)
      const b = Float32Array.from({ length: k * n }, (_, i) => (i % 7) - 3)
      const c = new Float32Array(m * n).fill(99)
      interpret(kernel, [vectorOf(a, [m, k]), vectorOf(b, [k, n]), vectorOf(c, [m, n])], [1])
      const expected = Array.from({ length: m * n }, (_, at) => {
        let sum = 0
        for (let i = 0; i < k; i++) sum += a[Math.floor(at / n) * k + i]! * b[i * n + (at % n)]!
        return sum
      })
      expect([...c]).toEqual(expected)
    })
  }
})

describe('scanRow', () => {
  const scan = (block: number, length: number | null, reverse: boolean) =>
    buildKernel({
      name: 'scan',
      params: { x: view('f32', 1), out: view('f32', 1) },
      grid: () => [1],
      body: (t, { x, out }) => {
        const row: RowScan = {
          dtype: 'f32',
          fn: 'add',
          reverse,
          shape: [block],
          axis: 0,
          blocks: length === block ? null : { first: t.const(0n, 'i64'), count: t.cdiv(x.size(0), block) },
          length: length ?? x.size(0),
          load: start => t.load(x, [start], [block]),
        }
        scanRow(t, row, null, (start, folds) => t.store(out, [start], folds))
      },
    })

  for (const reverse of [false, true]) {
    for (const [block, length] of [
      [7, 7],
      [3, null],
      [16, null],
    ] as const) {
      it(`sums ${reverse ? 'backwards' : 'forwards'} in blocks of ${block}`, () => {
        const x = Float32Array.of(1, 2, 3, 4, 5, 6, 7)
        const out = new Float32Array(7)
        interpret(scan(block, length, reverse), [vectorOf(x, [7]), vectorOf(out, [7])], [1])
        expect([...out]).toEqual(reverse ? [28, 27, 25, 22, 18, 13, 7] : [1, 3, 6, 10, 15, 21, 28])
      })
    }
    it(`sums adjacent columns ${reverse ? 'backwards' : 'forwards'}`, () => {
      const columns = buildKernel({
        name: 'scan',
        params: { x: view('f32', 2), out: view('f32', 2) },
        grid: () => [1],
        body: (t, { x, out }) => {
          const row: RowScan = {
            dtype: 'f32',
            fn: 'add',
            reverse,
            shape: [2, 4],
            axis: 0,
            blocks: { first: t.const(0n, 'i64'), count: t.cdiv(x.size(0), 2) },
            length: x.size(0),
            load: start => t.load(x, [start, 0], [2, 4]),
          }
          scanRow(t, row, null, (start, folds) => t.store(out, [start, 0], folds))
        },
      })
      const out = new Float32Array(9)
      interpret(columns, [vectorOf(Float32Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9), [3, 3]), vectorOf(out, [3, 3])], [1])
      expect([...out]).toEqual(reverse ? [12, 15, 18, 11, 13, 15, 7, 8, 9] : [1, 2, 3, 5, 7, 9, 12, 15, 18])
    })
  }
})
