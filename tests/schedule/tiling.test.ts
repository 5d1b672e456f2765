/** What tiles depend on. */
import { expect, it } from 'vitest'
import { targetForCpu } from '../../src/backends/cpu/target.js'
import type { SizeSymbol } from '../../src/graph/ir.js'
import { print } from '../../src/ir/print.js'
import { sizeSymbol } from '../../src/scalar/size.js'
import { type TileNode, tileDialect } from '../../src/tile/ir.js'
import { graphOn } from './build.js'
import { cpuFacts, planOf } from './run.js'

it('long reductions that are not split have equal blocks, hence equal sums, on any number of cores', () => {
  const variance = graphOn([[50_000, 5]], (op, x) => [op('var', x, 0)])
  const kernelsOn = (cores: number): readonly string[] =>
    planOf(variance, true, {}, targetForCpu({ ...cpuFacts, cores })).kernels.map(({ body }) =>
      print<TileNode>(tileDialect, body),
    )
  for (const cores of [8, 32, 192]) expect(kernelsOn(cores)).toEqual(kernelsOn(2))
})

it('views of the same symbolic size are known to be as long as each other', () => {
  const [m, n] = ['m', 'n'].map((name, dim): SizeSymbol => ({ name, input: 0, kind: 'size', dim }))
  const [rows, columns] = ['m', 'n'].map(name => sizeSymbol(name, 2))
  const product = graphOn(
    [
      { dtype: 'f32', shape: [rows!, columns!] },
      { dtype: 'f32', shape: [columns!] },
    ],
    (op, x, w) => [op('mul', x, w)],
    [m!, n!],
  )
  const [kernel] = planOf(product, true).kernels
  expect(kernel!.params.map(({ name }) => name)).toEqual(['x', 'w', 'out'])
  expect(kernel!.equalSizes).toEqual([
    [
      { param: 0, dim: 0 },
      { param: 2, dim: 0 },
    ],
    [
      { param: 0, dim: 1 },
      { param: 1, dim: 0 },
      { param: 2, dim: 1 },
    ],
  ])
})

it('a row of 65 columns is not cut into 64 and 1', () => {
  const conv = graphOn(
    [
      [1, 64, 65, 65],
      [64, 64, 3, 3],
    ],
    (op, x, w) => [op('conv2d', x, w, { padding: 6, dilation: 6 })],
  )
  const plan = planOf(conv, true)
  const stores = plan.kernels.map(({ body }) => print<TileNode>(tileDialect, body)).join('\n')
  expect(stores).toMatch(/dot\(.*f32\[65, 64\]/)
})
