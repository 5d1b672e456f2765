/** The other names of ops, and names that stand for several ops. */
import { describe, expect, it } from 'vitest'
import { TegulaError } from '../../src/base/errors.js'
import { aliases } from '../../src/graph/ops/names.js'
import * as tegula from '../../src/index.js'
import { Tensor } from '../../src/tensor/tensor.js'
import { useReferenceExecutor } from '../support/reference-executor.js'
import { samplesFor } from '../support/samples.js'
import { bindArguments } from '../support/tensor-spec.js'
import { hostOfTensor, tensorOf } from '../support/tensors.js'

useReferenceExecutor()

type Call = (...args: readonly unknown[]) => Tensor
const functions = tegula as unknown as Readonly<Record<string, Call>>
const methods = Tensor.prototype as unknown as Readonly<Record<string, Call | undefined>>

/** The error of a call as one line. */
function errorOf(call: () => unknown): string {
  try {
    call()
  } catch (error) {
    if (error instanceof TegulaError) return error.message.replace(/ {2}at .*? {2}fix/, '  fix')
    throw error
  }
  throw new Error('nothing was thrown')
}

describe('aliases', () => {
  for (const [alias, name] of Object.entries(aliases))
    it(`${alias} is ${name}`, () => {
      const { inputs, args } = samplesFor(name).find(sample => sample.inputs.every(({ dtype }) => dtype === 'f32'))!
      const tensors = inputs.map(tensorOf)
      const given = bindArguments(args, i => tensors[i]!)
      const expected = hostOfTensor(functions[name]!(...given))
      expect(hostOfTensor(functions[alias]!(...given))).toEqual(expected)
      expect(functions[alias]!.name).toBe(alias)
      const [self, ...rest] = given
      expect(methods[alias] === undefined).toBe(methods[name] === undefined)
      if (methods[alias] !== undefined) expect(hostOfTensor(methods[alias].apply(self, rest))).toEqual(expected)
      expect(methods[`${alias}_`] === undefined).toBe(methods[`${name}_`] === undefined)
      if (self instanceof Tensor)
        expect(errorOf(() => functions[alias]!(self, ...rest, 1, 2, 3, 4))).toContain(`${alias}: `)
    })

  it('write in place as the op does', () => {
    const x = tegula.tensor([-1.5, 2])
    expect(x.absolute_()).toBe(x)
    expect(x.multiply_(2).clip_(0, 3.5).toArray()).toEqual([3, 3.5])
  })
})

describe('max, min and median', () => {
  const x = tegula.tensor([[1, 5, 3], [4, 2, 6]]) // biome-ignore format: one line
  const both = ({ values, indices }: { readonly values: Tensor; readonly indices: Tensor }): unknown => [
    values.toArray(),
    indices.toArray(),
  ]

  it('reduce the whole tensor without more arguments', () => {
    expect([x.max(), x.min(), x.median(), tegula.max(x), tegula.min({ input: x })].map(one => one.toArray())).toEqual([
      6, 1, 3, 6, 1,
    ])
  })

  it('return values and indices along a dim, by position and by name', () => {
    const expected = [[5, 6], [1, 2]] // biome-ignore format: one line
    for (const found of [x.max(1), x.max({ dim: 1 }), tegula.max(x, -1), tegula.max({ input: x, dim: 1 })])
      expect(both(found)).toEqual(expected)
    expect(both(x.min(0, true))).toEqual([[[1, 2, 3]], [[0, 1, 0]]])
    expect(both(x.median(1))).toEqual([[3, 4], [2, 0]]) // biome-ignore format: one line
    expect(both(x.nanmedian(0, { keepdim: true }))).toEqual([[[1, 2, 3]], [[0, 1, 0]]])
  })

  it('compare two tensors', () => {
    const y = tegula.tensor([3, 3, 3])
    const expected = [[3, 5, 3], [4, 3, 6]] // biome-ignore format: one line
    for (const found of [x.max(y), x.max({ other: y }), tegula.max(x, y), tegula.max({ input: x, other: y })])
      expect(found.toArray()).toEqual(expected)
    expect(x.min(y).toArray()).toEqual([[1, 3, 3], [3, 2, 3]]) // biome-ignore format: one line
  })

  it('describe their signature after a wrong call', () => {
    const max = x.max.bind(x) as (...args: readonly unknown[]) => unknown
    expect(errorOf(() => max(2.5))).toBe(
      'max: dim is 2.5, not an integer  fix: max(dim, keepdim = false); of several dims use amax(dims), of two tensors max(other)',
    )
    expect(errorOf(() => max([0, 1]))).toContain('amax(dims)')
    expect(errorOf(() => max({ axis: 1 }))).toContain("did you mean 'dim'?")
    expect(errorOf(() => max(2))).toContain('dim 2 is out of range for 2 dims')
    expect(errorOf(() => max(x, 1))).toContain('takes at most 1 argument by position, got 2')
    expect(errorOf(() => tegula.median(x, 5))).toContain('median: dim 5 is out of range')
  })
})
