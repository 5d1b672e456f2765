/**
 * Products as people call them, against float64: eager and compiled in every mode, with views as operands and outs; the
 * same tests run on the GPU that TEGULA_TEST_DEVICE names.
 */
import { describe, expect, it } from 'vitest'
import { compileModes } from '../../src/compile/options.js'
import { groupStrategies } from '../../src/graph/ir.js'
import { compile, type Tensor, zeros } from '../../src/index.js'
import { groupedMatmul, type MatmulGroup, type QuantizedTensor } from '../../src/quant/index.js'
import { hasCompiler } from '../support/compiler.js'
import { allSamples } from '../support/sample-choice.js'
import type { Layout } from '../support/tensor-spec.js'
import { hostOfTensor, onGpu, tensorOf, testDevice } from '../support/tensors.js'
import {
  type Bounded,
  kinds,
  type Operand,
  operandOf,
  outOfBound,
  outOfHalf,
  productOf,
  tensorsOf,
} from './operands.js'
import {
  type Case,
  callOf,
  duals,
  type Given,
  givenOf,
  largeDuals,
  largeGroups,
  largePairs,
  pairs,
} from './product-cases.js'

/** Every kind on each side once, and some duals. */
const chosen: readonly Case[] = allSamples
  ? [...pairs, ...duals]
  : [...kinds.map((_, i) => pairs[i * kinds.length + ((i * 4 + 7) % kinds.length)]!), ...duals.slice(3, 9)]

function check(each: Case, result: Tensor, how: string): void {
  const got = hostOfTensor(result)
  expect(outOfBound(got, each.want), `${each.sample.name}, ${how}`).toBeNull()
  if (each.isHalf) expect(outOfHalf(got, each.want), `${each.sample.name}, ${how}`).toBeNull()
}

describe.skipIf(!hasCompiler)('products as they are called (needs a C compiler)', { timeout: 600_000 }, () => {
  it('take every kind of operand on both sides', () => {
    for (const side of [0, 1])
      expect(new Set(chosen.map(({ sides }) => sides[side]!.kind.name)).size).toBe(kinds.length)
  })

  it('eager', () => {
    for (const each of allSamples ? chosen : chosen.filter((_, i) => i % 2 === 0))
      check(each, callOf(each, givenOf(each, tensorOf)), 'eager')
  })

  it.each(compileModes)('compiled: %s', mode => {
    const cases = mode === 'max-autotune' && !allSamples ? chosen.slice(3, 5) : chosen
    const all = compile((given: readonly Given[]) => cases.map((each, i) => callOf(each, given[i]!)), { mode })
    const given = cases.map(each => givenOf(each, tensorOf))
    for (const round of [1, 2])
      for (const [i, result] of all(given).entries()) check(cases[i]!, result, `${mode}, call ${round}`)
  })
})

/** On a GPU these are other kernels: matrix units of warpgroups, several blocks of K under way. On a CPU they are not. */
const hasLargeKernels = onGpu || (allSamples && hasCompiler)

describe.skipIf(!hasLargeKernels)('products of several tiles (needs a GPU)', { timeout: 600_000 }, () => {
  it('one after another', () => {
    const cases = [...largePairs(), ...largeDuals()]
    const all = compile((given: readonly Given[]) => cases.map((each, i) => callOf(each, given[i]!)))
    const given = cases.map(each => givenOf(each, tensorOf))
    for (const [i, result] of all(given).entries()) check(cases[i]!, result, 'compiled')
  })

  it.each(groupStrategies)('of all kinds at once: %s', strategy => {
    const groups = largeGroups()
    const run = compile((list: readonly MatmulGroup[]) => groupedMatmul(list, { strategy, outDtype: 'f32' }), {
      mode: 'reduce-overhead',
    })
    const results = run(groups.map(([a, b]) => ({ a: tensorsOf(a), b: tensorsOf(b) })))
    for (const [i, [a, b]] of groups.entries())
      expect(outOfBound(hostOfTensor(results[i]!), productOf(a, b, 'f32')), `group ${i}`).toBeNull()
  })
})

interface Group {
  readonly a: Operand
  readonly b: Operand
  readonly want: Bounded
}

/** Sizes, formats, layouts, batches and dtypes that differ from group to group; one without rows. */
function groupsOf(seed: number): Group[] {
  const sizes: readonly (readonly number[])[] = [[3], [0], [2, 5], [17], [1], [2, 9]]
  return sizes.map((rows, i) => {
    const at = seed + i * 4
    const [one, other] = [kinds[at % kinds.length]!, kinds[(at * 3 + 1) % kinds.length]!]
    const [N, K] = [[19, 5, 33][i % 3]!, 32 * (1 + (i % 3))]
    const layout = (['dense', 'transposed', 'offset', 'strided'] as const satisfies readonly Layout[])[i % 4]!
    const a = operandOf(one, at, [...rows, K], rows.includes(0) ? 'dense' : layout)
    const b = operandOf(other, at + 100, [...(i === 2 ? [2] : []), N, K])
    return { a, b, want: productOf(a, b, i % 2 === 0 ? 'f16' : 'f32') }
  })
}

type Side = Tensor | QuantizedTensor
const asGroup = ({ a, b }: Group): { a: Side; b: Side } => ({ a: tensorsOf(a), b: tensorsOf(b) })

/** Where a product goes: a tensor of its own, columns of a wider one, or [M, N, L] with the batches last. */
function outFor({ want: { shape, dtype } }: Group, index: number): Tensor {
  const [M, N] = shape.slice(-2) as [number, number]
  const on = { dtype, device: testDevice }
  if (shape.length === 3) return zeros([M, N, shape[0]!], on).permute([2, 0, 1])
  return index % 2 === 0 ? zeros([M, N + 6], on).slice(null, [3, 3 + N]) : zeros([M, N], on)
}

describe.skipIf(!hasCompiler)('groups as they are called (needs a C compiler)', { timeout: 600_000 }, () => {
  const groups = groupsOf(3)
  const expectAll = (results: readonly Tensor[], how: string): void => {
    for (const [i, result] of results.entries())
      expect(outOfBound(hostOfTensor(result), groups[i]!.want), `group ${i}, ${how}`).toBeNull()
  }

  it('eager, into views', () => {
    const outs = groups.map(outFor)
    const results = groupedMatmul(groups.map((group, i) => ({ ...asGroup(group), out: outs[i]! })))
    expect(results.every((result, i) => result === outs[i])).toBe(true)
    expectAll(outs, 'eager')
  })

  it("elements of an out's base that are outside the view stay unchanged", () => {
    const all = zeros([3, 25], { dtype: 'f16', device: testDevice }).add(7)
    groupedMatmul([{ ...asGroup(groups[0]!), out: all.slice(null, [3, 22]) }])
    for (const rest of [all.slice(null, [0, 3]), all.slice(null, [22, 25])])
      expect(hostOfTensor(rest.contiguous()).data.every(value => Number(value) === 7)).toBe(true)
  })

  it.each(groupStrategies)('a group that does not fit: nothing is written, eager and compiled (%s)', strategy => {
    const out = zeros([3, 19], { device: testDevice })
    const list = [
      { ...asGroup(groups[0]!), out },
      { ...asGroup(groups[1]!), a: zeros([4, 13], { device: testDevice }) },
    ]
    const run = (list: readonly MatmulGroup[]): Tensor[] => groupedMatmul(list, { strategy })
    for (const call of [run, compile(run)]) {
      expect(() => call(list)).toThrow(/^groupedMatmul: group 1: K differs/)
      expect(hostOfTensor(out).data.every(value => value === 0)).toBe(true)
    }
  })

  it.each(compileModes.slice(0, 2))('compiled, into views: %s', mode => {
    const run = compile(
      (list: readonly MatmulGroup[]) => {
        groupedMatmul(list)
        return list.map(({ out }) => out!.mul(1))
      },
      { mode },
    )
    const list = groups.map((group, i) => ({ ...asGroup(group), out: outFor(group, i) }))
    for (const round of [1, 2]) {
      expectAll(run(list), `${mode}, call ${round}, results`)
      expectAll(
        list.map(({ out }) => out),
        `${mode}, call ${round}, outs`,
      )
    }
  })
})
