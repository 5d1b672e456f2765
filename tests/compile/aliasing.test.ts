import { describe, expect, it } from 'vitest'
import { arange, compile, full, linear, type Tensor, tensor, zeros } from '../../src/index.js'
import { interpretedWhenQuick } from '../support/interpreted.js'

interpretedWhenQuick()

const values = (t: Tensor): unknown => t.toArray()

describe('memory of results', () => {
  it.each<[string, (x: Tensor) => readonly [Tensor, Tensor]]>([
    ['the same op twice', x => [x.add(1), x.add(1)]],
    ['a value and its clone', x => cloned(x.add(1))],
    ['a value and its double clone', x => [x.add(1), x.add(1).clone().clone()]],
    ['a value and what it was copied into', x => copied(x.add(1), x.mul(3))],
    ['a value and what adds nothing to it', x => cloned(x.add(1).add(0))],
  ])('%s: two tensors', (_, fn) => {
    const f = compile(fn)
    const [a, b] = f(tensor([1, 2]))
    const before = values(b)
    a.mul_(100)
    expect(values(b)).toEqual(before)
    b.zero_()
    expect(values(a)).toEqual([200, 300])
  })

  it.each<[string, (x: Tensor) => Tensor]>([
    ['a linear layer', x => linear(x, x)],
    ['a reshape of it', x => linear(x, x).reshape([4])],
  ])('%s and a product that the scheduler makes the same sum of: two tensors', (_, other) => {
    const f = compile((x: Tensor) => [other(x), x.matmul(x.t())] as const)
    const [a, b] = f(tensor([[1], [2]], { dtype: 'f16' }))
    b.fill_(9)
    expect(values(a.flatten())).toEqual([1, 2, 2, 4])
    a.zero_()
    expect(values(b.flatten())).toEqual([9, 9, 9, 9])
  })

  it('a view and its base are one memory', () => {
    const f = compile((x: Tensor) => {
      const y = x.add(1)
      return [y, y.get(0)] as const
    })
    const [y, first] = f(tensor([1, 2]))
    y.mul_(10)
    expect(first.itemSync()).toBe(20)
  })

  it.each<[string, (x: Tensor) => Tensor[]]>([
    ['views of a value that was filled', x => filled(x.neg())],
    ['a view that was written to, and its neighbours', x => written(x.mul(2))],
    ['a view that was written to, and its base', x => added(x.mul(2))],
    ['a number in every element, twice', () => [full([2, 2], 3), full([2, 2], 3)]],
    ['views of a number in every element', () => rows(full([2, 2], 3))],
  ])('%s: as eager', (_, fn) => {
    const make = (): Tensor[] => {
      const x = arange(4).to('f32').reshape([2, 2])
      return [x, ...fn(x)]
    }
    const f = compile(fn)
    const compiled = (): Tensor[] => {
      const x = arange(4).to('f32').reshape([2, 2])
      return [x, ...f(x)]
    }
    const count = make().length
    for (let overwritten = 0; overwritten < count; overwritten++) {
      const [wanted, actual] = [make(), compiled()]
      expect(actual.map(values)).toEqual(wanted.map(values))
      wanted[overwritten]!.fill_(9)
      actual[overwritten]!.fill_(9)
      expect(actual.map(values)).toEqual(wanted.map(values))
    }
  })

  it('a constant is a new tensor at each call', () => {
    const f = compile(() => tensor([1, 2]))
    f().mul_(5)
    expect(values(f())).toEqual([1, 2])
  })

  it('an in-place op returns the tensor that it changed', () => {
    for (const dynamic of [false, true]) {
      const f = compile((x: Tensor) => ({ self: x.add_(1), row: x.get(0), sum: x.sum() }), { dynamic })
      const x = zeros([2, 3])
      const { self, row, sum } = f(x)
      expect(self).toBe(x)
      expect(sum.itemSync()).toBe(6)
      row.add_(4)
      expect(values(x)).toEqual([
        [5, 5, 5],
        [1, 1, 1],
      ])
    }
  })

  it('a function may return nothing', () => {
    const f = compile((x: Tensor) => void x.add_(1))
    const x = zeros([2])
    expect(f(x)).toBeUndefined()
    f(x)
    expect(values(x)).toEqual([2, 2])
  })
})

describe('graph breaks and in-place ops', () => {
  it.each<[string, (x: Tensor) => Tensor]>([
    [
      'the argument before and after',
      x => {
        x.add_(1)
        x.sum().itemSync()
        x.add_(1)
        return x.mul(1)
      },
    ],
    [
      'a view from before',
      x => {
        const row = x.get(0)
        x.add_(1)
        x.sum().itemSync()
        row.add_(1)
        return x.mul(1)
      },
    ],
    [
      'a view of a value made inside',
      x => {
        const y = x.mul(2)
        const column = y.t().get(1)
        y.sum().itemSync()
        column.zero_()
        return y.add(0)
      },
    ],
  ])('%s', (_, fn) => {
    const make = (): Tensor =>
      tensor([
        [1, 2],
        [3, 4],
      ])
    const [eager, compiled] = [make(), make()]
    const f = compile(fn)
    for (let call = 0; call < 2; call++) {
      expect(values(f(compiled))).toEqual(values(fn(eager)))
      expect(values(compiled)).toEqual(values(eager))
    }
  })
})

it('a compiled function inside another is part of it', () => {
  const inner = compile((x: Tensor) => x.mul(2))
  const outer = compile((x: Tensor) => inner(x).add(1))
  expect(values(inner(tensor([1])))).toEqual([2])
  expect(values(outer(tensor([1, 2])))).toEqual([3, 5])
  expect(inner.stats().compiles).toBe(1)
})

function filled(y: Tensor): Tensor[] {
  y.t().fill_(2)
  return [y.narrow(1, 1, 1).reshape([1, 2]), y.get(0), y]
}

function written(y: Tensor): Tensor[] {
  const corner = y.get(0).get(0)
  corner.copy_(corner)
  return [corner, y.get(0), y.t()]
}

function added(y: Tensor): Tensor[] {
  const row = y.get(1)
  row.add_(1)
  return [row, y]
}

const rows = (y: Tensor): Tensor[] => [y.get(0), y.get(1), y.get(0)]

function cloned(y: Tensor): readonly [Tensor, Tensor] {
  return [y, y.clone()]
}

function copied(y: Tensor, z: Tensor): readonly [Tensor, Tensor] {
  z.copy_(y)
  return [y, z]
}

describe('results that were written through views', () => {
  const cases: readonly [string, (x: Tensor) => Tensor[]][] = [
    ['a row of a transposed view', x => { const v = x.sum(1); const t = v.permute([1, 0]); t.select(0, 0).mul_(2); return [v, t] }],
    ['a column of one', x => { const v = x.sum(0); const t = v.t(); t.narrow(-1, 0, 1).fill_(3); return [v.reshape([-1]), v] }],
    ['steps of one', x => { const v = x.mul(2); const t = v.permute([2, 0, 1]); t.slice([0, null, 2]).neg_(); return [t, v, v.flatten()] }],
  ] // biome-ignore format: one line each
  it.each(cases)('%s', (_, f) => {
    const x = arange(12).to('f32').reshape([2, 2, 3])
    const [got, expected] = [compile(f)(x), f(x)]
    expect(got.map(t => t.toArray())).toEqual(expected.map(t => t.toArray()))
    got[1]!.add_(100)
    expected[1]!.add_(100)
    expect(got.map(t => t.toArray())).toEqual(expected.map(t => t.toArray()))
  })

  it('parts of expanded tensors are rejected, with the fix', () => {
    const f = compile((x: Tensor) => {
      x.expand([2, -1]).select(0, 0).fill_(3)
      return x.sign()
    })
    const x = arange(3).to('f32')
    expect(() => f(x)).toThrow(
      /fill_: a write into a part of a tensor that was expanded cannot be captured.*before it is expanded/,
    )
    expect(x.toArray()).toEqual([0, 1, 2])
    const g = compile((y: Tensor) => {
      y.select(0, 0).fill_(3)
      return y.sign()
    })
    expect(() => g(arange(3).to('f32').expand([2, 3]))).toThrow(/a part of a tensor that was expanded/)
  })
})
