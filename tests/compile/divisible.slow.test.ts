/** Sizes that must divide: one version for all sizes of one rest, where the op asks for no more than that. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { cat, compile, rand, type Tensor, tensorSplit } from '../../src/index.js'
import { functional as F } from '../../src/nn/index.js'

beforeEach(() => void vi.stubEnv('TEGULA_BACKEND', 'interpreter'))
afterEach(() => void vi.unstubAllEnvs())

const values = (x: Tensor | readonly Tensor[]): number[] =>
  [x].flat().flatMap(one => Array.from((one as Tensor).dataSync('f32')))

interface Case {
  readonly fn: (x: Tensor) => Tensor | Tensor[]
  readonly shape: (n: number) => readonly number[]
  readonly sizes: readonly number[]
  readonly compiles?: number
}

const counts = Array.from({ length: 12 }, (_, i) => i + 2)
const times = (k: number): number[] => counts.map(n => n * k)

const cases: Readonly<Record<string, Case>> = {
  view: { fn: x => x.view([-1, 8]).sum(0), shape: n => [n], sizes: times(8) },
  'view of a product': { fn: x => x.view([-1, 4, 8]).mul(2), shape: n => [n, 16], sizes: times(2) },
  'reshape and back': { fn: x => x.reshape([-1, 6]).softmax(-1).reshape([-1]), shape: n => [n], sizes: times(6) },
  'view twice': { fn: x => x.view([-1, 4]).view([-1, 2, 4]).sum(1), shape: n => [n], sizes: times(8) },
  unflatten: { fn: x => x.unflatten(1, [4, -1]).sum(1), shape: n => [3, n], sizes: times(4) },
  'unflatten what was joined': {
    fn: x =>
      cat([x, rand([4]).mul(0)])
        .unflatten(0, [-1, 8])
        .mul(2),
    shape: n => [n],
    sizes: counts.map(n => 8 * n + 4),
  },
  glu: { fn: x => F.glu(x), shape: n => [2, n], sizes: times(2) },
  'glu written out': {
    fn: x => {
      const [a, b] = x.chunk(2, -1)
      return a!.mul(b!.sigmoid())
    },
    shape: n => [2, n],
    sizes: times(2),
  },
  groupNorm: { fn: x => F.groupNorm(x, 4), shape: n => [2, n, 3], sizes: times(4) },
  pixelShuffle: { fn: x => F.pixelShuffle(x, 2), shape: n => [n, 2, 3], sizes: times(4) },
  pixelUnshuffle: { fn: x => F.pixelUnshuffle(x, 2), shape: n => [2, n, n], sizes: times(2) },
  'chunks of any size': { fn: x => x.chunk(2), shape: n => [n], sizes: counts, compiles: 2 },
  'three chunks': { fn: x => x.chunk(3), shape: n => [n], sizes: times(3), compiles: 2 },
  'sections of any size': {
    fn: x => tensorSplit(x, 3),
    shape: n => [n],
    sizes: counts.map(n => n + 6),
    compiles: 3,
  },
  'splits of a size': { fn: x => x.split(4)[0]!.mul(2), shape: n => [n], sizes: counts.map(n => n + 4), compiles: 4 },
  'sizes that are joined to it': {
    fn: x => x.view([-1, 8]).add(x.view([-1, 8]).sum(1, true)),
    shape: n => [n],
    sizes: times(8),
  },
}

describe('under dynamic', () => {
  for (const [name, { fn, shape, sizes, compiles = 1 }] of Object.entries(cases))
    it(name, () => {
      const compiled = compile(fn as (x: Tensor) => Tensor, { dynamic: true })
      for (const n of sizes) {
        const x = rand(shape(n))
        const [wanted, got] = [values(fn(x)), values(compiled(x))]
        expect(got).toHaveLength(wanted.length)
        for (const [i, value] of got.entries()) expect(value, `at ${n}`).toBeCloseTo(wanted[i]!, 4)
      }
      expect(compiled.stats().compiles).toBeLessThanOrEqual(compiles)
    })
})
