/** What a module is: called as a function, with fields found by name, state dicts, modes, moves, copies, text. */
import { describe, expect, expectTypeOf, test } from 'vitest'
import {
  AvgPool2d,
  BatchNorm2d,
  Conv2d,
  ConvTranspose2d,
  Dropout,
  Embedding,
  Hardswish,
  LeakyReLU,
  Linear,
  LSTM,
  MaxPool2d,
  Module,
  ModuleDict,
  ModuleList,
  Parameter,
  ParameterList,
  ReLU,
  Sequential,
} from '../../src/nn/index.js'
import { arange, ones, zeros } from '../../src/tensor/create.js'
import { tensor } from '../../src/tensor/host-data.js'
import { scope } from '../../src/tensor/scope.js'
import type { Tensor } from '../../src/tensor/tensor.js'
import { useReferenceExecutor } from '../support/reference-executor.js'

useReferenceExecutor()

class Net extends Module {
  conv = new Conv2d(1, 2, 3, { padding: 1 })
  norm = new BatchNorm2d(2)
  readonly layers = [new Linear(2, 3), new Linear(3, 3)]
  byName = { first: new Linear(3, 2, { bias: false }), other: new Map([['deep', new Linear(2, 2)]]) }
  inProjWeight = new Parameter(zeros([2]))
  scale = 2

  forward(x: Tensor): Tensor {
    let y = this.norm(this.conv(x)).relu().mean([2, 3])
    for (const layer of this.layers) y = layer(y)
    return this.byName.first(y).mul(this.scale)
  }
}

const keys = [
  'in_proj_weight',
  'conv.weight',
  'conv.bias',
  'norm.weight',
  'norm.bias',
  'norm.running_mean',
  'norm.running_var',
  'norm.num_batches_tracked',
  'layers.0.weight',
  'layers.0.bias',
  'layers.1.weight',
  'layers.1.bias',
  'by_name.first.weight',
  'by_name.other.deep.weight',
  'by_name.other.deep.bias',
]

describe('a module', () => {
  test('is called as a function, typed by its forward', () => {
    const net = new Net()
    expect(net(ones([2, 1, 4, 4])).shape).toEqual([2, 2])
    expectTypeOf(net).parameters.toEqualTypeOf<[x: Tensor]>()
    expectTypeOf(net).returns.toEqualTypeOf<Tensor>()
    expect(net).toBeInstanceOf(Net)
    expect(net).toBeInstanceOf(Module)
    expect(Object.keys(net)).toEqual(['training', 'conv', 'norm', 'layers', 'byName', 'inProjWeight', 'scale'])
  })

  test('finds parameters, buffers and modules in fields, arrays, objects and Maps', () => {
    const net = new Net()
    expect(Object.keys(net.stateDict())).toEqual(keys)
    expect(net.namedParameters().map(([name]) => name)).toEqual(
      keys.filter(key => !key.includes('running') && !key.includes('num_')),
    )
    expect(net.namedBuffers().map(([name]) => name)).toEqual(keys.slice(5, 8))
    expect(net.namedModules().map(([name]) => name)).toEqual([
      '',
      'conv',
      'norm',
      'layers.0',
      'layers.1',
      'by_name.first',
      'by_name.other.deep',
    ])
    expect(net.children()).toHaveLength(6)
    expect(net.parameters({ recurse: false })[0]).toBe(net.inProjWeight)
    expect(net.parameters({ recurse: false })).toHaveLength(1)
    expect(net.namedParameters({ prefix: 'net.' })[0]![0]).toBe('net.in_proj_weight')
  })

  test('names camelCase fields in snake_case, other names and chosen keys as they are', () => {
    class Names extends Module {
      weightIhL0Reverse = new Parameter(zeros([1]))
      AuxLogits = new Linear(1, 1, { bias: false })
      Conv2d_1a = new Linear(1, 1, { bias: false })
      fc1 = new ModuleDict({ someKey: new Linear(1, 1, { bias: false }) })
      selfAttnQKV = new Parameter(zeros([1]))
      forward(): void {}
    }
    expect(Object.keys(new Names().stateDict())).toEqual([
      'weight_ih_l0_reverse',
      'self_attn_qkv',
      'AuxLogits.weight',
      'Conv2d_1a.weight',
      'fc1.someKey.weight',
    ])
  })

  test('counts tied parameters once and saves them under each name', () => {
    class Tied extends Module {
      embed = new Embedding(5, 3)
      head = new Linear(3, 5, { bias: false })
      constructor() {
        super()
        this.head.weight = this.embed.weight
      }
      forward(x: Tensor): Tensor {
        return this.head(this.embed(x))
      }
    }
    const net = new Tied()
    expect(net.parameters()).toHaveLength(1)
    expect(net.numParameters()).toBe(15)
    expect(Object.keys(net.stateDict())).toEqual(['embed.weight', 'head.weight'])
    const copy = net.clone()
    expect(copy.head.weight).toBe(copy.embed.weight)
    expect(copy.embed.weight === net.embed.weight).toBe(false)
    net.to('f64')
    expect(net.head.weight).toBe(net.embed.weight)
    expect(net.head.weight.dtype).toBe('f64')
  })

  test('a module that stands in two places is visited once', () => {
    const shared = new Linear(2, 2)
    const net = new Sequential(shared, new ReLU(), shared)
    expect(net.modules()).toHaveLength(3)
    expect(net.numParameters()).toBe(6)
    expect(Object.keys(net.stateDict())).toEqual(['0.weight', '0.bias', '2.weight', '2.bias'])
    expect(net(ones([1, 2])).shape).toEqual([1, 2])
  })

  test('a module made in a scope keeps its tensors', () => {
    const net = scope(() => new Net())
    expect([...net.parameters(), ...net.buffers()].some(({ disposed }) => disposed)).toBe(false)
  })

  test('a child that knows its parent is no endless loop', () => {
    class Child extends Module {
      parent: Module | null = null
      forward(): void {}
    }
    class Parent extends Module {
      child = new Child()
      forward(): void {}
    }
    const parent = new Parent()
    parent.child.parent = parent
    expect(parent.modules()).toHaveLength(2)
    expect(parent.stateDict()).toEqual({})
    const copy = parent.clone()
    expect(copy.child.parent).toBe(copy)
  })
})

describe('modes', () => {
  test('train and eval reach all modules', () => {
    const net = new Net()
    expect(net.eval()).toBe(net)
    expect(net.modules().every(module => !module.training)).toBe(true)
    net.train()
    expect(net.modules().every(module => module.training)).toBe(true)
  })

  test('requiresGrad_ freezes, numParameters tells', () => {
    const net = new Net()
    net.norm.requiresGrad_(false)
    expect(net.numParameters() - net.numParameters({ trainable: true })).toBe(4)
  })

  test('apply visits children first', () => {
    const seen: string[] = []
    new Sequential(new Linear(1, 1), new Sequential(new ReLU())).apply(module => seen.push(module.constructor.name))
    expect(seen).toEqual(['Linear', 'ReLU', 'Sequential', 'Sequential'])
  })

  test('to casts floats only, and keeps what is a parameter and what is frozen', () => {
    const net = new Net()
    net.conv.requiresGrad_(false)
    net.to('f64')
    expect(net.norm.runningMean!.dtype).toBe('f64')
    expect(net.norm.numBatchesTracked!.dtype).toBe('i64')
    expect(net.layers[0]!.weight).toBeInstanceOf(Parameter)
    expect(net.numParameters({ trainable: true })).toBe(net.numParameters() - 20)
    expect(net.namedBuffers()).toHaveLength(3)
    expect(() => net.to('i32' as never)).toThrow('a module cannot be cast to i32')
    expect(() => net.to('gpu' as never)).toThrow(/gpu/)
  })
})

describe('state dicts', () => {
  test('are taken over by name, in the dtype of the module', () => {
    const [a, b] = [new Net(), new Net().to('f64')]
    expect(b.loadStateDict(a.stateDict())).toEqual({ missingKeys: [], unexpectedKeys: [] })
    expect(b.conv.weight.dtype).toBe('f64')
    expect(b.conv.weight.toArray()).toEqual(a.conv.weight.toArray())
  })

  test('share memory with the module', () => {
    const net = new Linear(1, 1)
    net.stateDict().weight!.fill_(7)
    expect(net.weight.itemSync()).toBe(7)
  })

  test('errors list everything, and nothing is half updated', () => {
    const net = new Linear(2, 2)
    const before = net.weight.toArray()
    const wrong = { weight: zeros([2, 2]), bias: zeros([3]), extra: zeros([1]) }
    expect(() => net.loadStateDict(wrong)).toThrow(/unexpected: extra[\s\S]*bias: \[3\], the module has \[2\]/)
    expect(() => net.loadStateDict({ weight: zeros([2, 2]) })).toThrow(/missing: bias/)
    expect(net.weight.toArray()).toEqual(before)
    expect(net.loadStateDict({ weight: zeros([2, 2]), more: zeros([1]) }, { strict: false })).toEqual({
      missingKeys: ['bias'],
      unexpectedKeys: ['more'],
    })
    expect(net.weight.toArray()).toEqual([
      [0, 0],
      [0, 0],
    ])
    expect(() => net.loadStateDict({ weight: 1 } as never, { strict: false })).toThrow(/weight: .*not a tensor/)
    expect(() => net.loadStateDict(zeros([1]) as never)).toThrow('pass an object of tensors by name')
  })

  test('buffers that do not persist are left out', () => {
    class Mask extends Module {
      mask = this.registerBuffer('mask', ones([2]), { persistent: false })
      seen = this.registerBuffer('seen', zeros([]))
      plain = ones([3])
      forward(): void {}
    }
    const net = new Mask()
    expect(Object.keys(net.stateDict())).toEqual(['seen'])
    expect(net.namedBuffers().map(([name]) => name)).toEqual(['mask', 'seen'])
    expect(() => net.registerBuffer('p', new Parameter(ones([1])))).toThrow('it is a parameter')
    expect(() => net.registerBuffer('p', 3 as never)).toThrow("'p' is")
  })
})

describe('containers', () => {
  test('ModuleList is a list', () => {
    const list = new ModuleList([new Linear(1, 2), new Linear(2, 3)])
    expect(list.push(new Linear(3, 4))).toBe(3)
    list.insert(1, new Linear(2, 2))
    expect(list.map(layer => layer.outFeatures)).toEqual([2, 2, 3, 4])
    expect(list.at(-1)).toBe(list[3])
    expect(list.pop()!.outFeatures).toBe(4)
    expect([...list]).toHaveLength(3)
    expect(Object.keys(list.stateDict())[4]).toBe('2.weight')
    expect(() => list.push({} as never)).toThrow('is no module')
    expect(() => list()).toThrow('computes nothing')
  })

  test('ModuleDict has entries', () => {
    const dict = new ModuleDict<Module>({ a: new Linear(1, 1), 'b.c': new ReLU() })
    expect(dict.keys()).toEqual(['a', 'b.c'])
    expect(dict.delete('b.c')).toBe(true)
    expect([dict.size, dict.has('b.c'), dict.get('b.c'), dict.has('training')]).toEqual([1, false, undefined, false])
    expect(() => dict.set('forward', new ReLU())).toThrow("the key 'forward' is taken")
  })

  test('ParameterList makes parameters', () => {
    const list = new ParameterList([zeros([1]), new Parameter(ones([2]))])
    expect(list.parameters()).toHaveLength(2)
    expect(Object.keys(list.stateDict())).toEqual(['0', '1'])
  })

  test('Sequential by name', () => {
    const net = new Sequential({ hidden: new Linear(2, 3), act: new ReLU() })
    net.append(new Linear(3, 1), 'out')
    expect(net(ones([4, 2])).shape).toEqual([4, 1])
    expect(Object.keys(net.stateDict())).toEqual(['hidden.weight', 'hidden.bias', 'out.weight', 'out.bias'])
    expect(() => net.append(new ReLU())).toThrow('a module without a name')
    expect(() => new Sequential(new ReLU()).append(new ReLU(), 'act')).toThrow("the name 'act'")
    expect(() => new Sequential({ 1: new ReLU() })).toThrow("the name '1'")
    expect(() => new Sequential({ forward: new ReLU() })).toThrow("the name 'forward' is taken")
  })
})

describe('text', () => {
  test('print', () => {
    const net = new Sequential(new Linear(2, 3, { bias: false }), new Sequential(new Dropout(0.1), new ReLU()))
    expect(String(net)).toBe(
      `Sequential(
  (0): Linear(inFeatures=2, outFeatures=3, bias=false)
  (1): Sequential(
    (0): Dropout(p=0.1)
    (1): ReLU()
  )
)`,
    )
  })

  test('summary', () => {
    const net = new Net()
    net.conv.requiresGrad_(false)
    expect(net.summary()).toMatchInlineSnapshot(`
      "module                type         own parameters                 total
      ───────────────────────────────────────────────────────────────────────
      (self)                Net          in_proj_weight [2]                59
        conv                Conv2d       weight [2, 1, 3, 3], bias [2]     20
        norm                BatchNorm2d  weight [2], bias [2]               4
        layers.0            Linear       weight [3, 2], bias [3]            9
        layers.1            Linear       weight [3, 3], bias [3]           12
        by_name.first       Linear       weight [2, 3]                      6
        by_name.other.deep  Linear       weight [2, 2], bias [2]            6
      ───────────────────────────────────────────────────────────────────────
      parameters  59 (20 frozen)
      buffers     5
      memory      260 B"
    `)
  })
})

describe('what PyTorch code passes by position', () => {
  test('strides and paddings, numbers of layers', () => {
    const conv = new Conv2d(3, 4, 3, 2, 1, { bias: false })
    expect([conv.stride, conv.padding, conv.bias]).toEqual([[2, 2], [1, 1], null])
    expect(new Conv2d(3, 4, 3, 1, 'same').padding).toBe('same')
    expect(new ConvTranspose2d(3, 4, 2, 2, { outputPadding: 1 }).outputPadding).toEqual([1, 1])
    expect(new MaxPool2d(3, 2, 1)(ones([1, 1, 5, 5])).shape).toEqual([1, 1, 3, 3])
    expect(new AvgPool2d(2, 2)(ones([1, 1, 4, 4])).shape).toEqual([1, 1, 2, 2])
    const { numLayers, batchFirst } = new LSTM(2, 3, 2, { batchFirst: true })
    expect([numLayers, batchFirst]).toEqual([2, true])
  })

  test('inplace', () => {
    const net = new Sequential(
      new Linear(2, 3),
      new ReLU(true),
      new LeakyReLU(0.1, true),
      new Hardswish({ inplace: true }),
    )
    const twin = new Sequential(new Linear(2, 3), new ReLU(), new LeakyReLU(0.1), new Hardswish())
    twin.loadStateDict(net.stateDict())
    expect(String(net)).toContain('ReLU(inplace=true)')
    expect(String(twin)).toContain('ReLU()')
    const x = tensor([[1, -2], [0.5, 3]]) // biome-ignore format: a matrix
    for (const each of [net, twin]) each(x).square().sum().backward()
    const gradients = [net, twin].map(each => each.parameters().map(p => p.grad!.toArray()))
    expect(gradients[0]).toEqual(gradients[1])
    const hidden = tensor([-1, 2])
    expect(new ReLU(true)(hidden)).toBe(hidden)
    expect(hidden.toArray()).toEqual([0, 2])
    expect(new Dropout(1, true)(hidden)).toBe(hidden)
    expect(hidden.toArray()).toEqual([0, 0])
  })
})

describe('wrong calls', () => {
  test.each([
    // @ts-expect-error: too few
    [() => new Linear(2), 'outFeatures is missing'],
    [() => new Linear(2, -1), 'outFeatures is -1'],
    [() => new Conv2d(1, 1, 3, { pad: 1 } as never), "no parameter 'pad'"],
    [() => new Conv2d(1, 1, [3, 3, 3]), 'kernelSize has 3 numbers'],
    [() => new Conv2d(3, 4, 3, { groups: 2 }), '2 groups do not divide 3 and 4'],
    [() => new Dropout(2), 'p is 2'],
    [() => new Embedding(3, 2, { paddingIdx: 3 }), 'paddingIdx 3 of 3 entries'],
    [() => new ReLU(1 as never), 'inplace is 1'],
    [() => new Conv2d(3, 4, 3, 1, 1, 1 as never), 'dilation is given by name'],
    [() => new Parameter(arange(3).to('i64')), 'has no gradients'],
    [() => new BatchNorm2d(2)(ones([2, 2])), 'pass [N, C, H, W]'],
    [() => new Linear(2, 2)(tensor([1])), /linear/],
  ])('%s', (call, message) => {
    expect(call).toThrow(message)
  })
})
