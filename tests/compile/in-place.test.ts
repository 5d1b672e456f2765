import { describe, expect, it } from 'vitest'
import { arange, CaptureError, compile, type Tensor, tensor, zeros } from '../../src/index.js'
import { quickly } from '../support/sample-choice.js'

const grid = (): Tensor => arange(24).to('f32').reshape([4, 6]).clone()
const shown = (value: unknown): unknown =>
  Array.isArray(value) ? value.map(shown) : value === undefined ? 'nothing' : (value as Tensor).toArray()

const cases: { readonly [name: string]: (x: Tensor) => unknown } = {
  'a row': x => {
    x.get(1).add_(100)
    return x.mul(1)
  },
  'a column': x => {
    x.get('all', 2).add_(100)
    return x.sum()
  },
  'a block': x => {
    x.slice([1, 3], [2, 5]).mul_(2)
    return x.sum(0)
  },
  'every second row and third column': x => {
    x.slice([0, null, 2], [1, null, 3]).mul_(-1)
    return x.sum(0)
  },
  'a row of the transpose': x => {
    x.t().get(2).add_(5)
    return x.t().contiguous()
  },
  'a range of a flat view': x => {
    x.reshape([24]).slice([3, 9]).zero_()
    return x.mul(1)
  },
  'a reshape that is a copy': x => {
    const copy = x.t().reshape([24])
    x.add_(1)
    copy.mul_(2)
    return [copy.mul(1), x.mul(1)]
  },
  'a view that was taken before': x => {
    const row = x.get(2)
    x.add_(1)
    row.mul_(2)
    return [row.mul(1), x.sum()]
  },
  'rows that read each other': x => {
    x.get(0).add_(1)
    x.get(3).sub_(x.get(0))
    return x.sum()
  },
  'rows exchanged': x => {
    const first = x.get(0).clone()
    x.get(0).copy_(x.get(1))
    x.get(1).copy_(first)
    return x.sum()
  },
  'rows moved down': x => {
    x.slice([1, 4]).copy_(x.slice([0, 3]))
    return x.sum()
  },
  'one element through an added dim': x => {
    x.unsqueeze(0).get(0, 1, 1).add_(1)
    return x.sum()
  },
  'a row of a value made inside': x => {
    const y = x.mul(2)
    y.get(1).zero_()
    return y
  },
  'a diagonal block, twice': x => {
    x.slice([0, 2], [0, 2]).add_(1)
    x.slice([0, 2], [0, 2]).mul_(3)
    return x.mean()
  },
  'a half-precision column by steps': x => {
    const half = x.to('f16')
    half.slice(null, [0, null, 2]).add_(1)
    return half.to('f32')
  },
  'integers by steps': x => {
    const whole = x.to('i64')
    whole.get('all', [1, null, 2]).mul_(2n)
    return whole
  },
  'strides and contiguity of views': x => (x.t().isContiguous() ? x.add(1) : x.sub(x.t().strides[1]!)),
}

describe('in-place ops on views inside a capture', () => {
  it.each(quickly(Object.entries(cases), 4))('%s: as eager, twice', (_, fn) => {
    for (const dynamic of [false, true]) {
      const [eager, compiled] = [grid(), grid()]
      const f = compile(fn as (x: Tensor) => Tensor, { dynamic })
      for (let call = 0; call < 2; call++) {
        expect(shown(f(compiled))).toEqual(shown(fn(eager)))
        expect(shown(compiled)).toEqual(shown(eager))
      }
      expect(f.stats().compiles).toBe(1)
    }
  })

  it('writes only the part of the argument that changed', () => {
    const f = compile((x: Tensor) => x.get(1).mul_(2).sum())
    const bytes = f.explain(grid()).segments.flatMap(({ kernels }) => kernels.map(kernel => Number(kernel.bytes)))
    expect(bytes.length).toBeGreaterThan(0)
    expect(Math.max(...bytes)).toBeLessThan(24 * 4) // the whole argument
    const [first, second] = [grid(), grid()]
    const both = grid()
    const g = compile((a: Tensor, b: Tensor) => {
      a.add_(1)
      return b.mul(2)
    })
    expect(g(both.get(0), both.get(1)).toArray()).toEqual(first.get(1).mul(2).toArray())
    expect(both.get(0).toArray()).toEqual(second.get(0).add(1).toArray())
  })

  it('arguments that share memory are an error that names both if one is written', () => {
    const f = compile(
      (a: Tensor, b: Tensor) => {
        a.add_(1)
        return b.mul(2)
      },
      { name: 'step' },
    )
    const x = grid()
    expect(() => f(x, x.get(1))).toThrow(CaptureError)
    expect(() => f(x, x.get(1))).toThrow(/step writes into args\[0\] in place.*shares memory with args\[1\].*fix: pass/)
    expect(f(x.get(0), x.get(1)).shape).toEqual([6])
    expect(() => f(x, x.get(1))).toThrow(/shares memory/)
    expect(x.get(0).toArray()).toEqual([1, 2, 3, 4, 5, 6])
  })

  it('a write into an expanded view is an error, as in eager', () => {
    const f = compile((x: Tensor) => x.get(0).unsqueeze(0).expand([3, 6]).add_(1))
    expect(() => f(grid())).toThrow(
      /add_: several elements of f32\[3, 6\] share memory.*in-place\.test\.ts.*fix: write into/,
    )
    const g = compile((x: Tensor) => x.add_(1))
    expect(() => g(tensor([1]).expand([4]))).toThrow(/add_: several elements of f32\[4\] share memory/)
  })

  it.each([{}, { dynamic: true }, { dynamic: false }, { dynamic: true, bucket: [3, 6] }])(
    'what was expanded to nothing is written nothing, and to size 1 its one (%o)',
    options => {
      const step = (x: Tensor, times: number): Tensor => {
        const part = x.mul(2)
        const many = part.expand([times, -1, -1])
        many.select(1, 0).neg_()
        many.slice(null, [0, null, 2]).add_(3)
        many.unsqueeze(0).permute([3, 2, 1, 0]).clamp_(-2, 2)
        return part
      }
      const sizes: ((other: Tensor) => number)[] = [other => other.numel() % 3, other => other.size(0) - 3]
      for (const timesOf of sizes) {
        const fn = (x: Tensor, other: Tensor): Tensor => step(x, timesOf(other))
        const f = compile(fn, options)
        for (const length of [3, 4, 3, 4]) {
          const other = zeros([length])
          expect(f(grid(), other).toArray()).toEqual(fn(grid(), other).toArray())
        }
        expect(() => f(grid(), zeros([5]))).toThrow(/neg_: several elements of f32\[2, 6\] share memory/)
        expect(f(grid(), zeros([3])).toArray()).toEqual(grid().mul(2).toArray())
      }
    },
  )

  it('a write to an empty diagonal writes nothing', () => {
    const fn = (x: Tensor): Tensor => {
      x.narrow(0, 2, 0).diagonal().fill_(7)
      return x.mul(1)
    }
    expect(compile(fn)(grid()).toArray()).toEqual(grid().toArray())
  })

  it('a write through a diagonal names the method', () => {
    const f = compile((x: Tensor) => x.diagonal().fill_(0))
    expect(() => f(zeros([3, 3]))).toThrow(/fill_: a write through a diagonal or a window.*fix: compute the whole/)
    expect(() => compile((x: Tensor) => x.diagonal().zero_())(zeros([3, 3]))).toThrow(/zero_: a write through/)
  })
})
