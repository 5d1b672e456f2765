/** What is written out compiles to the kernels of the built-in op, and explain says so. */
import { afterEach, describe, expect, it } from 'vitest'
import { compile, randn, type Tensor } from '../../src/index.js'
import { hasCompiler } from '../support/compiler.js'

const keep = { keepdim: true }
const softmax = (x: Tensor): Tensor => {
  const powers = x.exp()
  return powers.div(powers.sum(-1, keep))
}
const layerNorm = (x: Tensor, weight: Tensor, bias: Tensor): Tensor => {
  const centred = x.sub(x.mean(-1, keep))
  const variance = centred.pow(2).mean(-1, keep)
  return centred.div(variance.add(1e-5).sqrt()).mul(weight).add(bias)
}
const gelu = (x: Tensor): Tensor => x.mul(0.5).mul(x.div(Math.SQRT2).erf().add(1))

/** Generated code without the lines of this file that it names. */
const withoutLines = (code: string): string => code.replaceAll(/^ *\/\/ patterns\.test\.ts.*\n/gm, '')

const kernelsOf = (fn: (x: Tensor, w: Tensor, b: Tensor) => Tensor, ...args: [Tensor, Tensor, Tensor]): string[] =>
  compile(fn)
    .explain(...args)
    .kernels.map(({ name }) => name)

afterEach(() => void delete process.env.TEGULA_PATTERNS)

describe('hand-written and built-in ops', () => {
  const x = randn([64, 96])
  const [weight, bias] = [randn([96]), randn([96])]
  const pairs: readonly [name: string, written: (x: Tensor) => Tensor, builtIn: (x: Tensor) => Tensor][] = [
    ['softmax', softmax, x => x.softmax(-1)],
    ['gelu', gelu, x => x.gelu()],
    ['layer norm', x => layerNorm(x, weight, bias), x => x.layerNorm([96], { weight, bias })],
    ['silu', x => x.div(x.neg().exp().add(1)), x => x.silu()],
  ]
  for (const [name, written, builtIn] of pairs) {
    it(`${name}: the same code`, () => {
      const [mine, theirs] = [written, builtIn].map(fn => compile(fn, { name: 'f' }).explain(x))
      expect(withoutLines(mine!.code)).toBe(withoutLines(theirs!.code))
      expect(mine!.kernels.length).toBe(1)
      expect(theirs!.segments[0]!.recognised).toEqual([])
    })

    it.skipIf(!hasCompiler)(`${name}: the same values compiled, as eagerly (needs a C compiler)`, () => {
      const [mine, theirs, eager] = [compile(written)(x), compile(builtIn)(x), written(x)].map(y =>
        [...y.dataSync()].map(Number),
      )
      expect(mine).toEqual(theirs)
      const largest = Math.max(...eager!.map(Math.abs))
      for (const [i, value] of eager!.entries())
        expect(Math.abs(mine![i]! - value)).toBeLessThanOrEqual(2 ** -20 * largest)
    })
  }
})

describe('linear layers become one kernel', () => {
  const [x, batch] = [randn([64, 32]), randn([4, 16, 32])]
  const [w, wt, b] = [randn([48, 32]), randn([32, 48]), randn([48])]
  it('however weight, bias and shapes are written', () => {
    expect(kernelsOf((x, w, b) => x.matmul(w).add(b).relu(), x, wt, b)).toHaveLength(1)
    expect(kernelsOf((x, w, b) => gelu(x.matmul(w.t()).add(b)), batch, w, b)).toEqual(['matmul_add_gelu'])
    const flat = (x: Tensor, w: Tensor): Tensor => x.reshape([-1, 32]).matmul(w.t())
    expect(kernelsOf((x, w, b) => flat(x, w).reshape([4, 16, 48]).add(b).silu(), batch, w, b)).toHaveLength(1)
    expect(kernelsOf((x, w, b) => flat(x, w).add(b).reshape([4, 16, 48]).silu(), batch, w, b)).toHaveLength(1)
    expect(kernelsOf((x, w, b) => b.addmm(x, w).relu(), x, wt, b)).toHaveLength(1)
    expect(kernelsOf((x, w, b) => w.matmul(x.t()).t().add(b).relu(), x, w, b)).toHaveLength(1)
    expect(
      kernelsOf(
        (x, w, b) =>
          x
            .bmm(w.expand([4, 32, 48]))
            .add(b)
            .relu(),
        batch,
        wt,
        b,
      ),
    ).toHaveLength(1)
  })
})

describe('explain', () => {
  it('says which rules fired, where, and how often', () => {
    const explanation = compile((x: Tensor) => gelu(softmax(gelu(x))), { name: 'f' }).explain(randn([8, 16]))
    const { recognised } = explanation.segments[0]!
    expect(recognised.map(({ rule, count }) => [rule, count])).toEqual([
      ['gelu', 2],
      ['softmax (without maximum)', 1],
    ])
    const [line] = recognised[0]!.lines
    expect(line!.file).toMatch(/patterns\.test\.ts$/)
    expect(String(explanation)).toMatch(
      /recognised:\n {2}gelu, 2 times, from .*patterns\.test\.ts:\d+ \(the same formula/,
    )
  })

  it('shows the graph as written under TEGULA_PATTERNS=0', () => {
    process.env.TEGULA_PATTERNS = '0'
    const { segments, kernels } = compile(softmax).explain(randn([8, 16]))
    expect(segments[0]!.recognised).toEqual([])
    expect(kernels.flatMap(({ ops }) => ops)).toContain('exp')
  })

  it('keeps compositions whose intermediates have other uses', () => {
    const f = compile((x: Tensor) => {
      const powers = x.exp()
      return [powers.div(powers.sum(-1, keep)), powers]
    })
    expect(f.explain(randn([8, 16])).segments[0]!.recognised).toEqual([])
  })
})
