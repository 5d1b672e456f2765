/** A draw is a function of seed and position: the same bits eagerly, compiled, and inside a larger kernel. */
import { describe, expect, it } from 'vitest'
import {
  bernoulli,
  compile,
  dropout,
  full,
  Generator,
  manualSeed,
  ones,
  rand,
  randint,
  randn,
  randperm,
  type Tensor,
  type TensorDtype,
} from '../../src/index.js'

const floats: readonly TensorDtype[] = ['f32', 'f64', 'f16', 'bf16']
const draws: Readonly<Record<string, (n: number) => Tensor>> = {
  ...Object.fromEntries(floats.map(dtype => [`rand ${dtype}`, (n: number) => rand([n], { dtype })])),
  ...Object.fromEntries(floats.map(dtype => [`randn ${dtype}`, (n: number) => randn([n], { dtype })])),
  randint: n => randint(-5, 1000, [n]),
  'randint f32': n => randint(0, 7, [n], { dtype: 'f32' }),
  bernoulli: n => bernoulli(full([n], 0.3)),
  'bernoulli bf16': n => bernoulli(full([n], 0.3, { dtype: 'bf16' })),
  dropout: n => dropout(ones([n]), { p: 0.4 }),
  randperm: n => randperm(n),
}

/** The values of `run` after seeding. */
function seeded(run: () => Tensor): readonly (number | bigint)[] {
  manualSeed(11)
  return Array.from(run().dataSync() as ArrayLike<number | bigint>)
}

describe('bitwise equal random numbers', () => {
  for (const [name, draw] of Object.entries(draws)) {
    // Below and above what is made on the host, and no multiple of a vector.
    it.each([37, 5_003])(`${name} of %i`, n => {
      const eager = seeded(() => draw(n))
      expect(seeded(compile(() => draw(n)))).toEqual(eager)
      // In a kernel that goes on with the values: what it returns beside is the draw itself.
      const fused = compile(() => {
        const drawn = draw(n)
        return { sum: drawn.mul(2).add(1).sum(), scaled: drawn.mul(3).sub(0.5), again: draw(n), drawn }
      })
      expect(seeded(() => fused().drawn)).toEqual(eager)
      if (name.startsWith('rand') && name !== 'randperm') {
        // An addition may not fuse with the last product of a draw: (x + 64) − 64 drops the same bits of the same x.
        const shifted = (x: Tensor): Tensor => x.add(64).sub(64)
        const stored = seeded(() => shifted(draw(n)))
        expect(seeded(compile(() => shifted(draw(n))))).toEqual(stored)
      }
    })
  }

  it('after seeding inside the compiled function, at each call', () => {
    const program = (): readonly Tensor[] => {
      const before = rand([3])
      manualSeed(4)
      const after = randn([3])
      const own = new Generator(9)
      return [before, after, rand([2], { generator: own })]
    }
    const run = (call: () => readonly Tensor[]): unknown => {
      manualSeed(1)
      return [call(), call(), call()].map(results => results.map(result => result.toArray()))
    }
    const compiled = compile(program)
    const eager = run(program)
    expect(run(compiled)).toEqual(eager)
    expect(run(compiled)).toEqual(eager)
    expect(() => compile(program, { fullgraph: true })()).toThrow(/manualSeed/)
  })

  it('of run-time sizes', () => {
    const like = compile((x: Tensor) => randn(x.shape).add(x), { dynamic: true })
    for (const n of [3, 50, 6_000]) {
      expect(seeded(() => like(full([n], 0)))).toEqual(seeded(() => randn([n])))
    }
  })
})
