/** What a function shares with the code around it: tensors that it closes over, and what it leaves there. */
import { describe, expect, it } from 'vitest'
import { CaptureError, compile, ones, type Tensor, tensor, zeros } from '../../src/index.js'
import { interpretedWhenQuick } from '../support/interpreted.js'

interpretedWhenQuick()

const values = (t: Tensor): number[] => [...(t.dataSync() as Float32Array)]
const x = tensor([1, 2, 3])

describe('a tensor that is both closed over and passed', () => {
  for (const dynamic of [false, true]) {
    it(`may be another tensor at other calls (dynamic ${dynamic})`, () => {
      const w = tensor([1, 2, 3])
      const f = compile((y: Tensor) => y.mul(10).add(w), { dynamic })
      expect(values(f(w))).toEqual([11, 22, 33])
      expect(values(f(ones([3])))).toEqual([11, 12, 13])
      expect(values(f(w))).toEqual([11, 22, 33])
      expect(f.stats()).toMatchObject({ compiles: 2 })
      expect(f.stats().recompiles[0]).toBe('args[0] was a tensor that the function closes over too')
    })
  }

  it('is written once', () => {
    const w = tensor([1, 2, 3])
    const f = compile((y: Tensor) => {
      w.add_(1)
      return y.mul(1)
    })
    expect(values(f(w))).toEqual([2, 3, 4])
    expect(values(f(x))).toEqual([1, 2, 3])
    expect(values(f(w))).toEqual([4, 5, 6])
  })

  it('is returned as the same object', () => {
    const w = tensor([1, 2, 3])
    const f = compile((y: Tensor) => [y, w, y.add(w)])
    for (const y of [w, x, w, ones([3])]) {
      const [a, b] = f(y)
      expect(a).toBe(y)
      expect(b).toBe(w)
    }
  })
})

describe('errors that the function catches', () => {
  for (const options of [{}, { dynamic: true }, { dynamic: true, bucket: 'pow2' as const }, { dynamic: false }]) {
    it(`are those for the sizes of the call (${JSON.stringify(options)})`, () => {
      const f = compile((a: Tensor, b: Tensor) => {
        try {
          return a.add(b)
        } catch {
          return a.neg()
        }
      }, options)
      const g = compile((a: Tensor) => {
        try {
          return a.reshape([2, -1]).add(1)
        } catch (error) {
          if (a.size(0) % 2 === 0) throw new TypeError('it could be reshaped', { cause: error })
          return a.neg()
        }
      }, options)
      for (const [n, m] of [
        [3, 3],
        [4, 3],
        [4, 4],
        [5, 5],
        [5, 4],
        [1, 4],
      ] as const) {
        const value = n === m || n === 1 ? 2 : -1
        expect(values(f(ones([n]), ones([m])))).toEqual(new Array(value === 2 ? m : n).fill(value))
        expect(values(g(ones([n])))).toEqual(new Array(n).fill(n % 2 === 0 ? 2 : -1))
      }
    })
  }
})

describe('results of a function', () => {
  it('are one object wherever they occur', () => {
    const f = compile((o: { kept?: object }, y: Tensor) => {
      const pair = { y: y.add(1), list: [y.neg()] }
      o.kept = pair
      return [pair, new Map([[pair, pair.list]]), pair.list] as const
    })
    const o: { kept?: object } = {}
    for (const y of [x, ones([3])]) {
      const [pair, map, list] = f(o, y)
      expect(map.get(pair)).toBe(list)
      expect(pair.list).toBe(list)
      expect(o.kept).toBe(pair)
      expect(values(list[0]!)).toEqual([...values(y)].map(value => -value))
    }
  })
})

describe('objects that cannot be guarded are rejected', () => {
  const f = compile((y: object) => (y instanceof Map ? ones([1]) : ones([2])))

  it('fields beside items and entries', () => {
    class Named extends Map {
      name = 'a'
    }
    expect(() => f(Object.assign([x], { scale: 2 }))).toThrow(
      /with a field of its own, scale .* fix: keep both in a plain/,
    )
    expect(() => f(new Named())).toThrow(/args\[0\] is an object of class Named with a field of its own, name/)
    class Open extends Map {}
    expect(values(f(new Open()))).toEqual([1])
    expect(() => f(Object.assign(new Open(), { name: 1 }))).toThrow(/with a field of its own/)
  })

  it('generators and iterators', () => {
    expect(() => f([x].values())).toThrow(/whose state cannot be seen/)
    expect(() =>
      f(
        (function* () {
          yield x
        })(),
      ),
    ).toThrow(/whose state cannot be seen/)
  })

  it('this', () => {
    const model = {
      w: x,
      forward: compile(function forward(this: { w: Tensor }, y: Tensor) {
        return y.add(this.w)
      }),
    }
    expect(() => model.forward(x)).toThrow(/forward uses this.w, .* fix: pass the object as an argument/)
    expect(() => compile((y: Tensor) => model.forward(y))(x)).toThrow(/forward uses this.w/)
  })
})

describe('traced values that a function stores outside', () => {
  it('and uses in later calls are rejected at the first call', () => {
    let mean = zeros([3])
    const average = compile(
      (y: Tensor) => {
        mean = mean.mul(0.5).add(y)
        return mean.neg()
      },
      { name: 'average' },
    )
    expect(() => average(x)).toThrow(CaptureError)
    mean = zeros([3])
    expect(() => average(x)).toThrow(
      /mul: f32\[3\] stands for a value of average, at .*outside-state.test.ts:\d+, which left it outside .* fix: return it from average, or keep it in an object that is passed as an argument/,
    )
    expect(average.stats().compiles).toBe(0)
  })

  it('also lazily created ones, and a counter in arithmetic', () => {
    const cache: { w?: Tensor } = {}
    const lazy = compile((y: Tensor) => {
      cache.w ??= y.mul(2)
      return cache.w.add(y)
    })
    expect(() => lazy(x)).toThrow(/which left it outside/)
    let calls = 0
    const counted = compile((y: Tensor) => y.add(++calls), { name: 'counted' })
    expect(() => counted(x)).toThrow(
      /counted records something else when it is traced a second time: add at .* with 1 was compiled, now with 2 .* fix: pass what changes/,
    )
  })

  it('and does not need give an error where they are used', () => {
    const kept: Tensor[] = []
    const f = compile(
      (y: Tensor) => {
        kept.push(y.sum())
        return y.add(1)
      },
      { name: 'f' },
    )
    const g = compile((y: Tensor, z: Tensor) => y.add(z))
    expect(values(f(x))).toEqual([2, 3, 4])
    const [left] = kept
    const said = /f32\[\] stands for a value of f, at .*outside-state.test.ts:\d+, which left it outside/
    expect(() => left!.add(1)).toThrow(said)
    expect(() => left!.itemSync()).toThrow(said)
    expect(() => g(x, left!)).toThrow(said)
    expect(() => compile(() => left!)()).toThrow(said)
    expect(() => compile(() => left!.add(1))()).toThrow(said)
    const push = compile((list: Tensor[]) => {
      list.push(left!)
    })
    expect(() => push([])).toThrow(said)
    expect(values(f(x))).toEqual([2, 3, 4])
  })

  it('and that were read meanwhile give the same error, at the next trace and outside', () => {
    const state = { v: tensor([1, 2, 3]) }
    const goesOn = compile(
      () => {
        state.v = state.v.reshape([state.v.size(0), -1])
        state.v.amax().itemSync()
        return state.v
      },
      { dynamic: true, name: 'goesOn' },
    )
    expect(() => goesOn()).toThrow(/reshape: f32\[3, 1\] stands for a value of goesOn.* which left it outside/)
    const leaves = compile(
      (y: Tensor) => {
        state.v = y.chunk(2)[0]!
        return y.add(y.sum().itemSync())
      },
      { dynamic: true, name: 'leaves' },
    )
    expect(values(leaves(tensor([1, 2, 3, 4, 5])))).toEqual([16, 17, 18, 19, 20])
    expect(state.v.shape).toEqual([3])
    expect(() => state.v.toArray()).toThrow(/f32\[3\] stands for a value of leaves.* which left it outside/)
  })

  it('are detected by warmup too', async () => {
    let sum = zeros([3])
    const f = compile((y: Tensor) => {
      sum = sum.add(y)
      return sum.mul(1)
    })
    await expect(f.warmup(x)).rejects.toThrow(/which left it outside/)
  })
})
