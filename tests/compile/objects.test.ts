/** Objects among the arguments of compiled functions: what is guarded of them, and what functions write into them. */
import { describe, expect, it } from 'vitest'
import { CaptureError, cat, compile, Generator, guardKey, rand, type Tensor, tensor, zeros } from '../../src/index.js'
import { interpretedWhenQuick } from '../support/interpreted.js'

interpretedWhenQuick()

const values = (t: Tensor): number[] => Array.from(t.dataSync() as Float32Array)

describe('guards of objects', () => {
  it('the order of keys', () => {
    const f = compile((o: Readonly<Record<string, Tensor>>) => cat(Object.values(o)))
    expect(values(f({ a: tensor([1]), b: tensor([2]) }))).toEqual([1, 2])
    expect(values(f({ b: tensor([2]), a: tensor([1]) }))).toEqual([2, 1])
    expect(values(f({ a: tensor([3]), b: tensor([4]) }))).toEqual([3, 4])
    expect(f.stats().recompiles).toEqual(['args[0] had the keys a, b in this order, now b, a'])
  })

  it('fields of class instances, and their class', () => {
    class Layer {
      scale: number | string = 2
      constructor(public w: Tensor) {}
      forward(x: Tensor): Tensor {
        return x.mul(this.w).mul(Number(this.scale))
      }
    }
    class Other extends Layer {
      override forward(x: Tensor): Tensor {
        return x.add(this.w)
      }
    }
    const f = compile((layer: Layer, x: Tensor) => layer.forward(x))
    const layer = new Layer(tensor([3]))
    const x = tensor([5])
    expect(values(f(layer, x))).toEqual([30])
    layer.scale = 4
    expect(values(f(layer, x))).toEqual([60])
    layer.scale = '10'
    expect(values(f(layer, x))).toEqual([150])
    layer.w = tensor([1])
    expect(values(f(layer, x))).toEqual([50])
    expect(values(f(new Other(tensor([1])), x))).toEqual([6])
    expect(f.explain(layer, x).guards.join('\n')).toMatch(/args\[0\]: a Layer with the fields w, scale/)
  })

  it('entries of Maps and Sets, bytes of typed arrays, dates', () => {
    const f = compile((m: Map<string, Tensor | string>, s: Set<Tensor>, b: Float32Array, d: Date) => {
      const sum = [...s].reduce((a, t) => a.add(t))
      return (m.get('w') as Tensor)
        .mul(m.has('double') ? 2 : 1)
        .add(sum)
        .mul(b[0]!)
        .add(d.getTime())
    })
    const [m, s, b] = [
      new Map<string, Tensor | string>([['w', tensor([1])]]),
      new Set([tensor([2])]),
      new Float32Array([3]),
    ]
    expect(values(f(m, s, b, new Date(0)))).toEqual([9])
    m.set('double', 'yes')
    expect(values(f(m, s, b, new Date(0)))).toEqual([12])
    s.add(tensor([1]))
    expect(values(f(m, s, b, new Date(0)))).toEqual([15])
    b[0] = 1
    expect(values(f(m, s, b, new Date(0)))).toEqual([5])
    expect(values(f(m, s, b, new Date(7)))).toEqual([12])
    m.set('w', tensor([10]))
    expect(values(f(m, s, b, new Date(7)))).toEqual([30])
  })

  it('objects that occur twice, and cycles', () => {
    interface Node {
      w: Tensor
      next: Node | null
    }
    const f = compile((a: Node) => {
      a.w = a.w.add(1)
      return a.next!.next!.w.mul(2)
    })
    const ring: Node = { w: tensor([1]), next: null }
    ring.next = { w: tensor([5]), next: ring }
    expect(values(f(ring))).toEqual([4])
    expect(values(f(ring))).toEqual([6])
    expect(values(ring.w)).toEqual([3])
    expect(f.stats().compiles).toBe(1)
    const g = compile((a: { w: Tensor }, b: { w: Tensor }) => {
      a.w = a.w.add(1)
      return b.w
    })
    const [p, q] = [{ w: tensor([1]) }, { w: tensor([7]) }]
    expect(values(g(p, q))).toEqual([7])
    expect(values(g(p, p))).toEqual([3])
    expect(values(g(q, p))).toEqual([3])
  })

  it('frozen objects, getters of classes, and methods that use this', () => {
    class Pair {
      constructor(
        readonly a: Tensor,
        readonly b: Tensor,
      ) {}
      get sum(): Tensor {
        return this.a.add(this.b)
      }
    }
    const pair = Object.freeze(new Pair(tensor([1]), tensor([2])))
    const nested = Object.freeze({ pair, list: Object.freeze([tensor([10])]) })
    const f = compile((o: typeof nested) => o.pair.sum.add(o.list[0]!))
    for (let i = 0; i < 3; i++) expect(values(f(nested))).toEqual([13])
    expect(f.stats().compiles).toBe(1)
  })

  it('objects that cannot be guarded are rejected, with the fix', () => {
    class Secret {
      #w = tensor([1])
      get(): Tensor {
        return this.#w
      }
    }
    const f = compile((s: { get(): Tensor }, x: Tensor) => s.get().add(x))
    expect(() => f(new Secret(), tensor([1]))).toThrow(CaptureError)
    expect(() => f(new Secret(), tensor([1]))).toThrow(
      /args\[0\] is an object of class Secret, whose state cannot be seen.*guardKey/,
    )
    const withGetter = { get w() { return tensor([1]) } } // biome-ignore format: one line
    expect(() => compile((o: { w: Tensor }) => o.w.add(1))(withGetter)).toThrow(
      /args\[0\]\.w is a getter on the object itself/,
    )
    expect(() =>
      compile((p: Promise<void>, x: Tensor) => (p instanceof Promise ? x : x))(Promise.resolve(), tensor([1])),
    ).toThrow(/args\[0\] is an object of class Promise/)
    expect(() => compile((b: Uint8Array, x: Tensor) => x.add(b[0]!))(new Uint8Array(1 << 17), tensor([1]))).toThrow(
      /at most 65536 are guarded.*pass it as a tensor/,
    )
    expect(() => compile((xs: number[]) => tensor(xs))(new Array(20_000).fill(1))).toThrow(/more than 10000 values/)
  })

  it('an object that reports its state is guarded by it', () => {
    class Secret {
      #factor: number
      w: Tensor
      constructor() {
        this.#factor = 2
        this.w = tensor([3])
      }
      [guardKey](): unknown {
        return [this.#factor]
      }
      raise(): void {
        this.#factor++
      }
      apply(x: Tensor): Tensor {
        return x.mul(this.w).mul(this.#factor)
      }
    }
    const f = compile((s: Secret, x: Tensor) => s.apply(x))
    const s = new Secret()
    expect(values(f(s, tensor([1])))).toEqual([6])
    s.raise()
    expect(values(f(s, tensor([1])))).toEqual([9])
    s.w = tensor([5])
    expect(values(f(s, tensor([1])))).toEqual([15])
    expect(f.stats().compiles).toBe(2)
    const g = compile((t: Secret, x: Tensor) => {
      t.raise()
      return t.apply(x)
    })
    expect(() => g(new Secret(), tensor([1]))).toThrow(/changes what the guard method of args\[0\] returns/)
  })

  it("the library's own objects are accepted", () => {
    const f = compile((generator: Generator, x: Tensor) => rand([2], { generator }).add(x))
    const [a, b] = [new Generator(1), new Generator(1)]
    expect(values(f(a, zeros([2])))).toEqual(values(rand([2], { generator: b })))
    expect(values(f(a, zeros([2])))).toEqual(values(rand([2], { generator: b })))
  })
})

describe('writes of functions into objects', () => {
  it('tensors are assigned at every call', () => {
    const f = compile((p: { w: Tensor }, x: Tensor) => {
      p.w = p.w.add(x)
      return p.w.mul(1)
    })
    const p = { w: tensor([1]) }
    const results = [1, 1, 5].map(v => values(f(p, tensor([v])))[0])
    expect([results, values(p.w), f.stats().compiles]).toEqual([[2, 3, 8], [8], 1])
  })

  it('lazily created state, numbers and new keys', () => {
    interface State {
      m?: Tensor
      step?: number
      readonly log: Tensor[]
    }
    const f = compile((s: State, x: Tensor) => {
      s.m ??= zeros([1])
      s.step = (s.step ?? 0) + 1
      s.m = s.m.mul(0.5).add(x)
      return s.m.div(1 - 0.5 ** s.step)
    })
    const eager = (s: { m: number; step: number }, x: number): number => {
      s.step++
      s.m = s.m / 2 + x
      return s.m / (1 - 0.5 ** s.step)
    }
    const [s, t] = [{ log: [] } as State, { m: 0, step: 0 }]
    for (const x of [1, 2, 3, 4, 5, 6]) expect(values(f(s, tensor([x])))[0]).toBeCloseTo(eager(t, x), 5)
    expect([s.step, values(s.m!)[0]]).toEqual([6, t.m])
    expect(f.stats().compiles).toBeLessThanOrEqual(3)
    expect(Object.keys(s)).toEqual(['log', 'm', 'step'])
  })

  it('Maps, Sets, arrays, nested objects, deleted keys', () => {
    const f = compile(
      (o: { map: Map<string, Tensor>; set: Set<Tensor>; list: Tensor[]; old?: Tensor; made?: unknown }, x: Tensor) => {
        o.map.set('sum', o.map.get('a')!.add(x))
        o.set.add(x.mul(3))
        o.list.push(x.mul(2))
        delete o.old
        o.made = { x: x.neg(), both: [x, o.list[0]], text: 'kept' }
        return x
      },
    )
    const x = tensor([1])
    const o = {
      map: new Map([['a', tensor([10])]]),
      set: new Set<Tensor>(),
      list: [tensor([0])],
      old: x,
    } as Parameters<typeof f>[0]
    expect(f(o, x)).toBe(x)
    const list0 = o.list[0]
    expect(f(o, tensor([2])).itemSync()).toBe(2)
    expect(values(o.map.get('sum')!)).toEqual([12])
    expect([...o.set].map(values)).toEqual([[3], [6]])
    expect(o.list.map(values)).toEqual([[0], [2], [4]])
    expect('old' in o).toBe(false)
    const made = o.made as { x: Tensor; both: Tensor[]; text: string }
    expect([values(made.x), values(made.both[0]!), made.both[1] === list0, made.text]).toEqual([
      [-2],
      [2],
      true,
      'kept',
    ])
  })

  it('the objects themselves are returned as results', () => {
    const f = compile((p: { w: Tensor; v: Tensor }) => {
      p.w = p.w.add(1)
      return { p, w: p.w, v: p.v }
    })
    const p = { w: tensor([1]), v: tensor([5]) }
    const { v } = p
    for (let i = 0; i < 2; i++) {
      const result = f(p)
      expect(result.p).toBe(p)
      expect(result.w).toBe(p.w)
      expect(result.v).toBe(v)
    }
    expect(values(p.w)).toEqual([3])
  })

  it('also across graph breaks', () => {
    const f = compile((p: { w: Tensor; n?: number; v?: Tensor }, x: Tensor) => {
      p.w = p.w.add(x)
      const s = p.w.sum().itemSync()
      p.n = (p.n ?? 0) + s
      p.v = p.w.mul(s)
      return p.v.add(1)
    })
    const p: { w: Tensor; n?: number; v?: Tensor } = { w: tensor([1]) }
    expect([1, 2, 3].map(() => values(f(p, tensor([1])))[0])).toEqual([5, 10, 17])
    expect([p.n, values(p.v!), values(p.w)]).toEqual([9, [16], [4]])
  })

  it('values that cannot be recreated at each call are rejected, and nothing is changed', () => {
    class Box {
      constructor(readonly t: Tensor) {}
    }
    const p: { b?: unknown; w: Tensor } = { w: tensor([1]) }
    expect(() =>
      compile((o: typeof p) => {
        o.w = o.w.add(1)
        o.b = new Box(o.w)
      })(p),
    ).toThrow(/makes args\[0\]\.b an object of class Box, which cannot be made at each call/)
    expect([Object.keys(p), values(p.w)]).toEqual([['w'], [1]])
    expect(() =>
      compile((b: Uint8Array, x: Tensor) => {
        b[0] = 9
        return x
      })(new Uint8Array(2), tensor([1])),
    ).toThrow(/changes args\[0\] \(its bytes\)/)
  })

  it('a call that throws leaves the objects unchanged', () => {
    const p = { w: tensor([1]), list: [tensor([2])] }
    const before = [p.w, p.list[0]]
    const f = compile((o: typeof p) => {
      o.list.push(o.w.add(1))
      o.w = o.w.reshape([2, 2])
      return o.w
    })
    expect(() => f(p)).toThrow(/reshape/)
    expect([p.w === before[0], p.list[0] === before[1], p.list.length]).toEqual([true, true, 1])
  })

  it('explain and warmup change nothing', async () => {
    const p = { w: tensor([1]) }
    const { w } = p
    const f = compile((o: typeof p) => {
      o.w = o.w.add(1)
      return o.w
    })
    f.explain(p)
    await f.warmup(p)
    expect([p.w === w, values(w)]).toEqual([true, [1]])
    expect(values(f(p))).toEqual([2])
    expect(f.stats().compiles).toBe(1)
  })

  it('a tensor that occurs twice is one tensor', () => {
    const f = compile((o: { a: Tensor }, s: Set<Tensor>) => {
      s.add(o.a)
      return o.a.mul(s.size)
    })
    const [o, s] = [{ a: tensor([1]) }, new Set([tensor([5])])]
    expect([1, 2, 3].map(() => values(f(o, s))[0])).toEqual([2, 2, 2])
    expect(s.size).toBe(2)
  })

  it('an appended undefined element is an element, not a hole', () => {
    const f = compile((list: (Tensor | undefined)[]) => {
      list.push(undefined)
      return list[0]!.mul(2)
    })
    const list = [tensor([1])]
    f(list)
    f(list)
    expect(Object.keys(list)).toEqual(['0', '1', '2'])
  })

  it('are compared as eagerly: one tensor in two places is a version of its own', () => {
    const twice = (a: Tensor, b: Tensor): Tensor => (a === b ? a.mul(2) : a.mul(3))
    const distinct = (xs: readonly Tensor[]): Tensor => xs[0]!.mul(new Set(xs).size)
    const nested = (a: { x: Tensor }, b: { x: Tensor }): Tensor => (a === b ? a.x.mul(2) : a.x.mul(3))
    const [f, g, h] = [compile(twice), compile(distinct), compile(nested)]
    const [x, y] = [tensor([1, 2]), tensor([1, 2])]
    const [a, b] = [{ x }, { x }]
    const many = Array.from({ length: 40 }, () => tensor([1, 2]))
    for (const _ of [1, 2]) {
      expect([h(a, b).toArray(), h(a, a).toArray()]).toEqual([nested(a, b).toArray(), nested(a, a).toArray()])
      for (const [a, b] of [
        [x, y],
        [x, x],
        [y, x],
        [y, y],
      ] as const)
        expect(f(a, b).toArray()).toEqual(twice(a, b).toArray())
      for (const xs of [many, many.with(7, many[3]!), many.with(7, many[39]!), many])
        expect(g(xs).toArray()).toEqual(distinct(xs).toArray())
    }
    expect([f, g, h].map(each => each.stats().compiles)).toEqual([2, 3, 2])
  })
})
