/** Calls that are recognised by their arguments as they were given: what makes two alike, what does not, and what is passed on. */
import { beforeEach, describe, expect, it } from 'vitest'
import { ArgumentError, DisposedError } from '../../src/base/errors.js'
import { callRecord } from '../../src/graph/apply.js'
import { type RecordName, recordNames, recordTable } from '../../src/graph/ops/index.js'
import { arange, cat, oneHot, type Tensor, tensor } from '../../src/index.js'
import { RecentArguments } from '../../src/tensor/recent-arguments.js'
import type { OpArgument } from '../../src/tensor/tracer.js'

/** `toEqual` would iterate over tensors. */
const areThese = (inputs: readonly unknown[] | undefined, wanted: readonly unknown[]): boolean =>
  inputs?.length === wanted.length && inputs.every((input, i) => Object.is(input, wanted[i]))
const matrix = (): Tensor => arange(12, { dtype: 'f32' }).reshape([3, 4])

describe('recent arguments', () => {
  let calls: RecentArguments<string>
  beforeEach(() => {
    calls = new RecentArguments()
  })
  const add = (name: RecordName, args: readonly unknown[], inputs: readonly OpArgument[], value = 'known'): void =>
    calls.add({ record: recordTable[name], args, device: undefined }, inputs, value)
  const find = (name: RecordName, ...args: readonly unknown[]) => calls.find(recordTable[name], args, undefined)

  it('are alike for other tensors of the same dtype, sizes and strides; the inputs are the new ones', () => {
    const [a, b] = [matrix(), matrix().t()]
    add('sub', [a, b], [a, b])
    const again = [matrix(), matrix().t()] as const
    expect(find('sub', ...again)?.value).toBe('known')
    expect(areThese(find('sub', ...again)?.inputs, again)).toBe(true)
    for (const other of [matrix(), matrix().t().to('f64'), 2, null, [matrix().t()]])
      expect(find('sub', matrix(), other)).toBeNull()
    expect(find('sub', matrix())).toBeNull()
    expect(find('sub', ...again, {})).toBeNull()
    expect(find('mul', ...again)).toBeNull()
  })

  it('of one tensor twice are none of two tensors, and the other way round keeps both', () => {
    const a = matrix()
    add('sub', [a, a], [a, a], 'one')
    expect(find('sub', matrix(), matrix())).toBeNull()
    const [b, c] = [matrix(), matrix()]
    expect(find('sub', b, b)?.value).toBe('one')
    expect(areThese(find('sub', b, b)?.inputs, [b, b])).toBe(true)
    add('sub', [b, c], [b, c], 'two')
    expect(areThese(find('sub', c, b)?.inputs, [c, b])).toBe(true)
  })

  it('hold for every number of a dtype only where the record passes operands as they are', () => {
    const x = matrix()
    add('mul', [x, 3], [x, 3])
    expect(areThese(find('mul', x, 4)?.inputs, [x, 4])).toBe(true)
    for (const other of [0.5, -0, 2 ** 70, true]) expect(find('mul', x, other)).toBeNull()
    add('remainder', [x, 3], [x, 3])
    expect(areThese(find('remainder', x, 3)?.inputs, [x, 3])).toBe(true)
    expect(find('remainder', x, 4)).toBeNull()
  })

  it('compare options and lists, and keep what was given when the caller changes it', () => {
    const x = matrix()
    const dim = [1]
    add('sum', [x, dim, { keepdim: true }], [x])
    dim[0] = 0
    expect(find('sum', x, [1], { keepdim: true })?.value).toBe('known')
    for (const rest of [
      [[0], { keepdim: true }],
      [[1], { keepdim: false }],
      [[1]],
      [[1], {}],
      [[1, 0], { keepdim: true }],
    ])
      expect(find('sum', x, ...rest)).toBeNull()
    const [a, b] = [matrix(), matrix()]
    add('cat', [[a, b]], [a, b])
    expect(find('cat', [b, a])?.inputs[0]).toBe(b)
    expect(find('cat', [a])).toBeNull()
  })

  it('of tensors that were freed, and of what is compared by identity, are none', () => {
    const x = matrix()
    add('neg', [x], [x])
    const freed = matrix()
    freed.dispose()
    expect(find('neg', freed)).toBeNull()
    add('sum', [x, new Map()], [x])
    expect(find('sum', x, new Map())).toBeNull()
  })

  it('without a tensor are of one device', () => {
    calls.add({ record: recordTable.rand, args: [1, 2, [3]], device: 'cpu' }, [1, 2], 'known')
    expect(calls.find(recordTable.rand, [5, 6, [3]], 'cpu')).toEqual({ inputs: [5, 6], value: 'known' })
    expect(calls.find(recordTable.rand, [5, 6, [3]], 'cuda:0')).toBeNull()
    expect(calls.find(recordTable.rand, [5, 6, [4]], 'cpu')).toBeNull()
  })

  it('are the last eight of each op', () => {
    const x = matrix()
    for (let dim = 0; dim < 9; dim++) add('sum', [x, dim], [x], `${dim}`)
    const found = Array.from({ length: 9 }, (_, dim) => find('sum', x, dim)?.value)
    expect(found).toEqual([undefined, '1', '2', '3', '4', '5', '6', '7', '8'])
  })
})

/** `passesOperands` says that a record's call gives its operands unchanged, in order, and that nothing else depends on them. */
it('records that pass operands do', () => {
  const passing = recordNames.filter(
    name => recordTable[name].passesOperands && recordTable[name].signature !== undefined,
  )
  expect(passing).toEqual(expect.arrayContaining(['mul', 'rand', 'randint', 'dropout', 'randperm']))
  const other: Record<string, unknown> = {
    dtype: 'f32',
    bool: true,
    int: 1,
    count: 3,
    positive: 1,
    dim: 0,
    size: 2,
    index: 1,
    position: 0,
    number: 0.5,
    scalar: 2,
    string: 'sum',
    sizes: [2],
    shape: [2],
    dims: [0],
    ints: [1],
    indices: [1],
    numbers: [1],
    range: 1,
  }
  let operands = 0
  for (const name of passing) {
    const { params } = recordTable[name].signature!
    if (!params.some(({ kinds }) => kinds.includes('operand'))) continue
    const numbersFrom = (first: number): unknown[] => {
      let next = first
      return params.flatMap(({ kinds, fallback, isNamedOnly, isInput }) => {
        if (isNamedOnly) return []
        if (kinds.includes('operand')) return [next++]
        if (isInput) return [fallback === null ? null : { op: 'stands for a tensor', at: next++ }]
        if (fallback !== undefined) return [fallback]
        const word = kinds[0]!.startsWith("'") ? kinds[0]!.slice(1, -1) : other[kinds[0]!]
        return [name === 'randint' && kinds[0] === 'int' ? next++ : word]
      })
    }
    const given = [0, 100].map(numbersFrom)
    const isInput = params.filter(({ isNamedOnly }) => !isNamedOnly).map(param => param.isInput)
    const parsed = given.map(args => callRecord(recordTable[name], args))
    for (const [i, { inputs }] of parsed.entries())
      expect([name, inputs]).toEqual([name, given[i]!.filter((value, at) => isInput[at] && value !== null)])
    if (name !== 'randint') expect([name, parsed[0]!.attrs]).toEqual([name, parsed[1]!.attrs])
    operands++
  }
  expect(operands).toBeGreaterThan(20)
})

describe('repeated calls', () => {
  it('check values again', () => {
    const x = matrix()
    const at = (i: number): Tensor => x.indexSelect(0, tensor([i], { dtype: 'i64' }))
    expect([0, 2, 1].map(i => at(i).toArray())).toEqual([[[0, 1, 2, 3]], [[8, 9, 10, 11]], [[4, 5, 6, 7]]])
    expect(() => at(3)).toThrow(ArgumentError)
    const ints = tensor([7], { dtype: 'i64' })
    for (const by of [2, 2]) expect(ints.remainder(by).toArray()).toEqual([1])
    expect(() => ints.remainder(0)).toThrow(ArgumentError)
  })

  it('read again what follows from values', () => {
    const of = (...values: number[]): Tensor => tensor(values, { dtype: 'i64' })
    expect([of(0, 1), of(2, 0)].map(x => oneHot(x).shape)).toEqual([
      [2, 2],
      [2, 3],
    ])
    expect([of(1, 2), of(3, 1)].map(n => of(5, 6).repeatInterleave(n).toArray())).toEqual([
      [5, 6, 6],
      [5, 5, 5, 6],
    ])
    expect(() => of(5, 6).repeatInterleave(of(1, 2), { outputSize: 3 })).not.toThrow()
    expect(() => of(5, 6).repeatInterleave(of(2, 2), { outputSize: 3 })).toThrow(ArgumentError)
    expect([0, 1].map(i => matrix().select(0, of(i).reshape([])).toArray())).toEqual([
      [0, 1, 2, 3],
      [4, 5, 6, 7],
    ])
  })

  it('give views of the new tensors, at their offsets, and errors of freed ones', () => {
    const x = arange(24, { dtype: 'f32' })
    const rows = [0, 12].map(start => x.narrow(0, start, 12).reshape([3, 4]))
    expect(rows.map(row => row.t().select(0, 1).toArray())).toEqual([
      [1, 5, 9],
      [13, 17, 21],
    ])
    expect(rows[1]!.t().source).toBe(x.source)
    const [a, b] = [matrix(), matrix()]
    for (let i = 0; i < 2; i++) expect(cat([a, b]).shape).toEqual([6, 4])
    b.dispose()
    expect(() => cat([a, b])).toThrow(DisposedError)
    expect(() => b.t()).toThrow(DisposedError)
  })
})
