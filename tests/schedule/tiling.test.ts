/** What tiles depend on. */
import { expect, it } from 'vitest'
import { targetForCpu } from '../../src/backends/cpu/target.js'
import { print } from '../../src/ir/print.js'
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
