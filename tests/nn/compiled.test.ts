/** What a compiled function sees of modules: everything that changes is seen at the next call, closed over or passed. */
import { describe, expect, test } from 'vitest'
import { allclose, compile, noGrad, type Tensor, tensor, zeros } from '../../src/index.js'
import { BatchNorm1d, Dropout, Linear, Module, ModuleList, Parameter, ReLU, Sequential } from '../../src/nn/index.js'
import { interpretedWhenQuick } from '../support/interpreted.js'
import { isQuick } from '../support/sample-choice.js'

interpretedWhenQuick()

/** Multiplies by what it holds. */
class Scale extends Module {
  weight: Parameter
  scale = 1
  constructor(value: number) {
    super()
    this.weight = new Parameter(tensor([value, value]))
  }
  forward(x: Tensor): Tensor {
    return x.mul(this.weight).mul(this.scale)
  }
}

class Net extends Module {
  layers: Scale[] = [new Scale(2), new Scale(3)]
  byName: Record<string, Scale> = { last: new Scale(1) }
  list = new ModuleList([new Scale(1)])
  drop = new Dropout(0.5)
  forward(x: Tensor): Tensor {
    let y = x
    for (const layer of this.layers) y = layer(y)
    for (const layer of Object.values(this.byName)) y = layer(y)
    for (const layer of this.list) y = layer(y)
    return this.training ? y.add(1000) : this.drop(y)
  }
}

const x = tensor([1, 10])
const close = (a: Tensor, b: Tensor): boolean => allclose(a, b, { rtol: 1e-5, atol: 1e-6 })

/** Both ways to use a module: closed over, and passed. */
const uses: readonly (readonly [string, (net: Net) => (x: Tensor) => Tensor])[] = [
  ['closed over', net => compile((x: Tensor) => net(x))],
  [
    'passed',
    net => {
      const f = compile((module: Net, x: Tensor) => module(x))
      return x => f(net, x)
    },
  ],
  [
    'inside an object',
    net => {
      const f = compile(({ module, x }: { module: Net; x: Tensor }) => module(x))
      return x => f({ module: net, x })
    },
  ],
]

describe.each(isQuick ? uses.slice(0, 1) : uses)('a module, %s', (_, use) => {
  test('every change is seen at the next call', () => {
    const net = new Net().eval()
    const f = use(net)
    const expectSame = (): void => expect(f(x).toArray()).toEqual(net(x).toArray())
    expect(f(x).toArray()).toEqual([6, 60])
    const changes: (() => void)[] = [
      () => noGrad(() => net.layers[0]!.weight.fill_(5)),
      () => (net.layers[0]!.weight = new Parameter(tensor([7, 8]))),
      () => (net.layers[1]!.scale = 4),
      () => net.layers.push(new Scale(10)),
      () => net.layers.reverse(),
      () => (net.layers[0] = new Scale(-1)),
      () => (net.byName.more = new Scale(0.5)),
      () => delete net.byName.last,
      () => net.list.push(new Scale(3)),
      () => (net.list[0]!.weight = new Parameter(tensor([1, 2, 1, 2]).slice([0, 2]))),
      () => (net.layers = [new Scale(9)]),
      () => net.train(),
      () => net.eval(),
      () => (net.byName = {}),
      () => net.loadStateDict(new Net().stateDict(), { strict: false }),
      () => (net.forward = (x: Tensor) => x.add(1)),
    ]
    for (const change of changes) {
      change()
      expectSame()
    }
  })

  test('train and eval are two versions, both cached', () => {
    const net = new Net()
    const f = compile((x: Tensor) => net(x))
    for (let i = 0; i < 3; i++) {
      expect(net.train() && f(x).toArray()).toEqual([1006, 1060])
      expect(net.eval() && f(x).toArray()).toEqual([6, 60])
    }
    expect(f.stats()).toMatchObject({ compiles: 2, entries: 2 })
  })
})

describe('a module that is not called', () => {
  test('reads of its fields are guarded too', () => {
    const net = new Net().eval()
    const f = compile((x: Tensor) => x.mul(net.layers[0]!.weight).mul(net.parameters().length))
    expect(f(x).toArray()).toEqual([8, 80])
    net.layers[0]!.weight = new Parameter(tensor([1, 1]))
    expect(f(x).toArray()).toEqual([4, 40])
    net.layers.push(new Scale(1))
    expect(f(x).toArray()).toEqual([5, 50])
  })

  test('a module that joins the tree is guarded', () => {
    const net = new Sequential(new ReLU())
    const f = compile((x: Tensor) => net(x))
    f(x)
    const added = new Scale(3)
    net.append(added)
    expect(f(x).toArray()).toEqual([3, 30])
    added.scale = 2
    expect(f(x).toArray()).toEqual([6, 60])
  })

  test('one module of several', () => {
    const [a, b] = [new Scale(2), new Scale(3)]
    const f = compile((x: Tensor, first: boolean) => (first ? a : b)(x))
    expect([f(x, true).toArray(), f(x, false).toArray()]).toEqual([
      [2, 20],
      [3, 30],
    ])
    b.scale = 5
    expect([f(x, true).toArray(), f(x, false).toArray()]).toEqual([
      [2, 20],
      [15, 150],
    ])
    expect(f.stats().compiles).toBe(2)
  })
})

describe('writes into modules', () => {
  class Counter extends Module {
    count = 0
    last: Tensor | null = null
    seen: Tensor[] = []
    total = this.registerBuffer('total', zeros([2]))
    forward(x: Tensor): Tensor {
      this.count++
      this.last = x.mul(2)
      this.total.add_(x)
      return x.add(this.count)
    }
  }

  test('happen at each call, as in eager code', () => {
    const [compiled, eager] = [new Counter(), new Counter()]
    const f = compile((x: Tensor) => compiled(x))
    for (let i = 1; i < 4; i++) {
      expect(f(x).toArray()).toEqual(eager(x).toArray())
      expect(compiled.count).toBe(i)
      expect(compiled.last!.toArray()).toEqual([2, 20])
      expect(compiled.total.toArray()).toEqual(eager.total.toArray())
    }
  })

  test('a function that leaves a mode as it was writes nothing', () => {
    const net = new Net()
    const f = compile((x: Tensor) => {
      net.eval()
      const y = net(x)
      net.train()
      return y
    })
    expect([f(x).toArray(), f(x).toArray()]).toEqual([
      [6, 60],
      [6, 60],
    ])
    expect(net.training).toBe(true)
    expect(f.stats().compiles).toBe(1)
  })

  test('a mode that it changes stays changed', () => {
    const net = new Net()
    const f = compile((x: Tensor) => net.eval()(x))
    expect(f(x).toArray()).toEqual([6, 60])
    expect(net.modules().some(module => module.training)).toBe(false)
    net.train()
    expect(f(x).toArray()).toEqual([6, 60])
    expect(net.training).toBe(false)
  })

  test('a function that throws leaves modules as they were', () => {
    const net = new Counter()
    const f = compile((x: Tensor) => {
      net(x)
      throw new Error('stop')
    })
    expect(() => f(x)).toThrow('stop')
    expect([net.count, net.last]).toEqual([0, null])
  })

  test.skipIf(isQuick)('running statistics', () => {
    const [compiled, eager] = [new BatchNorm1d(2), new BatchNorm1d(2)]
    const cumulative = [new BatchNorm1d(2, { momentum: null }), new BatchNorm1d(2, { momentum: null })] as const
    const f = compile((x: Tensor) => compiled(x))
    const g = compile((x: Tensor) => cumulative[0](x))
    for (let i = 0; i < 3; i++) {
      const batch = tensor([
        [1, i],
        [4, 2],
        [0, 5],
      ])
      const expected = eager(batch)
      expect(close(f(batch), expected)).toBe(true)
      expect(close(g(batch), cumulative[1](batch))).toBe(true)
    }
    for (const [a, b] of [[compiled, eager], cumulative] as const) {
      expect(a.numBatchesTracked!.itemSync()).toBe(3)
      expect(close(a.runningMean!, b.runningMean!)).toBe(true)
      expect(close(a.runningVar!, b.runningVar!)).toBe(true)
    }
    expect(f.stats().compiles + g.stats().compiles).toBe(2)
  })
})

test('batch sizes do not compile one by one', () => {
  const net = new Sequential(new Linear(3, 4), new ReLU(), new Linear(4, 2))
  const f = compile((x: Tensor) => net(x))
  for (const n of [3, 4, 5, 9, 17]) expect(f(zeros([n, 3])).shape).toEqual([n, 2])
  expect(f.stats().compiles).toBe(2)
})

test('explain tells what changed', () => {
  const net = new Net()
  const f = compile((x: Tensor) => net(x))
  f(x)
  net.layers[1]!.scale = 7
  f(x)
  net.eval()
  f(x)
  expect(f.stats().recompiles).toEqual(['Net.layers[1].scale was 1, now 7', 'Net.training was true, now false'])
})

test('a module with private fields is refused', () => {
  class Hidden extends Module {
    #factor = 2
    forward(x: Tensor): Tensor {
      return x.mul(this.#factor)
    }
    twice(): void {
      this.#factor *= 2
    }
  }
  const net = new Hidden()
  expect(net(x).toArray()).toEqual([2, 20])
  expect(() => compile((x: Tensor) => net(x))(x)).toThrow('Hidden is of a class with private fields')
})

test('a plain tensor does not take the place of a parameter', () => {
  const net = new Net()
  const layer = net.layers[0]!
  const before = layer.weight
  const message = 'weight: f32[2], which is no parameter, in place of one'
  expect(() => Object.assign(layer, { weight: zeros([2]) })).toThrow(message)
  expect(() => compile((x: Tensor) => Object.assign(layer, { weight: x.mul(2) }).scale)(x)).toThrow('in place of one')
  expect(layer.weight).toBe(before)
  Reflect.deleteProperty(layer, 'weight')
  Object.assign(layer, { weight: zeros([2]) })
  expect(layer.parameters()).toEqual([])
})

test('private methods are no hidden state', () => {
  class Doubling extends Module {
    factor = 2
    forward(x: Tensor): Tensor {
      return this.#scaled(x)
    }
    #scaled(x: Tensor): Tensor {
      return x.mul(this.factor)
    }
    static async *#none(): AsyncGenerator<void> {}
    get #one(): unknown {
      return Doubling.#none
    }
    unused(): unknown {
      return this.#one
    }
  }
  const net = new Doubling()
  const f = compile((x: Tensor) => net(x))
  expect(f(x).toArray()).toEqual([2, 20])
  net.factor = 3
  expect(f(x).toArray()).toEqual([3, 30])
})

test.each([
  [
    'a field used like a function',
    'return class extends Base { #f = () => 2; forward(x) { return x.mul(this.#f()) } }',
  ],
  ['a field without a value', 'return class extends Base { #f\n forward(x) { return x.mul(this.#f ?? 1) } }'],
  [
    'a field of an outer class',
    'class A { #f = 2; static b = class extends Base { forward(x) { return x.mul(A.a.#f) } }; static a = new A() } return A.b',
  ],
])('%s is hidden state', (_, source) => {
  const Hidden = new Function('Base', source)(Module) as new () => Module & { forward(x: Tensor): Tensor }
  const net = new Hidden()
  expect(() => compile((x: Tensor) => net(x))(x)).toThrow('of a class with private fields')
})

describe('other tensors in the same places', () => {
  test('cost a trace, no compilation', () => {
    const net = new Net().eval()
    const f = compile((x: Tensor) => net(x), { onRecompile: 'error' })
    f(x)
    for (let value = 1; value < (isQuick ? 5 : 20); value++) {
      net.layers[0]!.weight = new Parameter(tensor([value, value]))
      expect(f(x).toArray()).toEqual([3 * value, 30 * value])
    }
    net.layers[1] = new Scale(5)
    expect(close(f(x), net(x))).toBe(true)
    expect(f.stats()).toMatchObject({ compiles: 1, recompileCount: 0 })
  })

  test('one function for all blocks compiles once', () => {
    const blocks = Array.from({ length: 12 }, (_, i) => new Scale(i))
    const run = compile((block: Scale, x: Tensor) => block(x), { onRecompile: 'error' })
    for (let pass = 0; pass < 2; pass++) {
      for (const [i, block] of blocks.entries()) expect(run(block, x).toArray()).toEqual([i, 10 * i])
    }
    expect(run.stats()).toMatchObject({ compiles: 1, entries: 12 })
  })

  test('a tensor that is also an argument, or stands in two places, is not mixed up', () => {
    class Two extends Module {
      a = new Parameter(tensor([1, 1]))
      b = this.a
      forward(x: Tensor): Tensor {
        return x.mul(this.a).add(this.b)
      }
    }
    const net = new Two()
    const f = compile((x: Tensor) => net(x))
    expect(f(x).toArray()).toEqual([2, 11])
    net.b = new Parameter(tensor([5, 5]))
    expect(f(x).toArray()).toEqual([6, 15])
    net.a = net.b
    expect(f(x).toArray()).toEqual([10, 55])
    expect(f(net.a).toArray()).toEqual([30, 30])
    net.a = new Parameter(tensor([1, 1]))
    expect(f(net.b).toArray()).toEqual([10, 10])
  })
})

test('null is a result: what a call does not give', () => {
  const f = compile((x: Tensor) => ({ y: x.add(1), weights: null }))
  for (let i = 0; i < 2; i++) expect(f(x).weights).toBe(null)
  expect(f(x).y.toArray()).toEqual([2, 11])
})
