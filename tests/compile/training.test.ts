/** Backward passes, `.grad` and updates inside compiled functions give what they give eagerly, and are guarded. */
import { describe, expect, it } from 'vitest'
import { allclose, compile, gradients, noGrad, type Tensor, tensor, where, zeros } from '../../src/index.js'
import { interpretedWhenQuick } from '../support/interpreted.js'

interpretedWhenQuick()

const leaf = (values: number[] | number[][]): Tensor => tensor(values, { dtype: 'f64' }).requiresGrad_()
const expectClose = (got: Tensor | null, want: Tensor | null): void =>
  expect(allclose(got!, want!, { rtol: 1e-13, atol: 1e-15 })).toBe(true)
const valuesOf = (x: Tensor | null): unknown => (x === null ? null : x.toArray())

/** A linear model with its data, and one step of gradient descent. */
function model() {
  const w = leaf([[0.5, -1], [2, 0.25], [1, 1]]) // biome-ignore format: a matrix
  const b = leaf([0.1, -0.2])
  const x = tensor([[1, 2, 3], [-1, 0.5, 2]], { dtype: 'f64' }) // biome-ignore format: a matrix
  const loss = (given: Tensor): Tensor => given.matmul(w).add(b).tanh().square().mean()
  const step = (given: Tensor): Tensor => {
    const l = loss(given)
    l.backward()
    noGrad(() => {
      for (const p of [w, b]) {
        p.sub_(p.grad!.mul(0.1))
        p.grad = null
      }
    })
    return l
  }
  return { w, b, x, loss, step }
}

describe('a backward pass in a compiled function', () => {
  it('leaves gradients as the eager one does', () => {
    const [eager, compiled] = [model(), model()]
    eager.loss(eager.x).backward()
    const f = compile((x: Tensor) => {
      const l = compiled.loss(x)
      l.backward()
      return l
    })
    expect(f(compiled.x).itemSync()).toBeCloseTo(eager.loss(eager.x).itemSync() as number, 14)
    expectClose(compiled.w.grad, eager.w.grad)
    expectClose(compiled.b.grad, eager.b.grad)
  })

  it('does not compare gradients that it drops before it looks', () => {
    const { w, b, x, loss } = model()
    const f = compile(
      (given: Tensor) => {
        for (const p of [w, b]) p.grad = null
        loss(given).backward()
        return w.grad!.sum()
      },
      { onRecompile: 'error' },
    )
    const sum = f(x).itemSync()
    const [first, values] = [w.grad!, valuesOf(w.grad)]
    w.grad = tensor([[9, 9], [9, 9], [9, 9]], { dtype: 'f64' }) // biome-ignore format: a matrix
    expect(f(x).itemSync()).toBe(sum)
    expect(valuesOf(w.grad)).toEqual(values)
    expect(valuesOf(first)).toEqual(values)
    w.grad = null
    expect(f(x).itemSync()).toBe(sum)
    const drop = compile((given: Tensor) => {
      w.grad = null
      const size = given.sum().itemSync() as number
      return given.mul(w.grad === null ? size : 0)
    })
    for (let i = 0; i < 2; i++) {
      w.grad = zeros([3, 2], { dtype: 'f64' })
      expect(valuesOf(drop(x))).toEqual(valuesOf(x.mul(7.5)))
      expect(w.grad).toBe(null)
    }
  })

  it('compiles once for all losses that it reads on its way, with the gradients of each', () => {
    const [eager, compiled] = [model(), model()]
    const scaled = ({ w, loss }: typeof eager, x: Tensor): Tensor => {
      const l = loss(x)
      const scale = l.itemSync() as number
      return l.mul(scale).add(w.mul(scale + 1).sum())
    }
    const f = compile((x: Tensor) => scaled(compiled, x))
    const dropping = compile((x: Tensor) => {
      const l = compiled.loss(x)
      const value = l.itemSync() as number
      l.backward()
      compiled.w.grad = null
      return x.mul(value)
    })
    for (let i = 1; i <= 5; i++) {
      const x = eager.x.mul(i)
      scaled(eager, x).backward()
      f(x).backward()
      expectClose(compiled.w.grad, eager.w.grad)
      expectClose(dropping(x), x.mul(eager.loss(x).detach()))
      expect(compiled.w.grad).toBe(null)
      for (const one of [eager, compiled]) one.w.grad = one.b.grad = null
    }
    expect(f.stats().compiles).toBe(3)
    expect(dropping.stats().compiles).toBe(4)
  })

  it('adds to gradients that are there, in their memory: a second version, and no third', () => {
    const { w, x, loss } = model()
    const f = compile((given: Tensor) => loss(given).backward())
    f(x)
    const first = w.grad!
    const once = first.clone()
    for (let i = 2; i <= 4; i++) {
      f(x)
      expect(w.grad).toBe(first)
      expect(valuesOf(w.grad)).toEqual(valuesOf(once.mul(i)))
    }
    w.grad = zeros([3, 2], { dtype: 'f64' })
    f(x)
    expect(valuesOf(w.grad)).toEqual(valuesOf(once))
    expect(f.stats().compiles).toBe(2)
  })

  it('is one graph with the update of the parameters', () => {
    const [eager, compiled] = [model(), model()]
    const step = compile(compiled.step, { fullgraph: true })
    for (let i = 0; i < 5; i++)
      expect(step(compiled.x).itemSync()).toBeCloseTo(eager.step(eager.x).itemSync() as number, 13)
    expect(step.stats().compiles).toBe(1)
    expect(compiled.w.grad).toBe(null)
    for (const name of ['w', 'b'] as const) {
      const [got, want] = [compiled[name].dataSync('f64'), eager[name].dataSync('f64')]
      for (const [i, value] of got.entries()) expect(value).toBeCloseTo(want[i]!, 13)
    }
  })

  it('of sizes that the function reads: its result is a constant for all of them', () => {
    const { step } = model()
    const rows = tensor([[1, 2, 3], [-1, 0.5, 2], [0, 1, 0], [2, 2, -1]], { dtype: 'f64' }) // biome-ignore format: a matrix
    const f = compile((given: Tensor) => step(given.mul(given.shape[0]!)), { fullgraph: true })
    const same = model().step
    for (const count of [2, 3, 4, 3]) {
      const given = rows.slice([0, count])
      const found = f(given)
      expect(found.requiresGrad).toBe(false)
      expectClose(found, same(given.mul(count)))
    }
    expect(f.stats().compiles).toBe(2)
  })

  it('several steps in one function', () => {
    const [eager, compiled] = [model(), model()]
    const step = compile((x: Tensor) => [compiled.step(x), compiled.step(x)])
    for (let i = 0; i < 2; i++) {
      const losses = step(compiled.x).map(loss => loss.itemSync() as number)
      for (const loss of losses) expect(loss).toBeCloseTo(eager.step(eager.x).itemSync() as number, 13)
    }
  })
})

/** A function of parameters and data, and the gradients that it leaves on each way. */
function bothWays(fn: (x: Tensor, params: readonly Tensor[]) => Tensor, params: () => readonly Tensor[], x: Tensor) {
  const [eager, compiled] = [params(), params()]
  const f = compile((given: Tensor) => fn(given, compiled))
  for (let i = 0; i < 2; i++) {
    for (const p of [...eager, ...compiled]) p.grad = null
    fn(x, eager).square().sum().backward()
    f(x).square().sum().backward()
    for (const [at, p] of eager.entries()) expectClose(compiled[at]!.grad, p.grad)
  }
  return f.stats()
}

describe('a compiled function outside of a captured backward pass', () => {
  const x = tensor([[1, 2, 3], [-1, 0.5, 2]], { dtype: 'f64' }) // biome-ignore format: a matrix
  const params = () => [leaf([[0.5, -1], [2, 0.25], [1, 1]]), leaf([0.1, -0.2]), leaf([[1, -2], [0.5, 3]])] // biome-ignore format: matrices

  it('has forward and backward code of its own', () => {
    const model = (given: Tensor, [w, b, v]: readonly Tensor[]): Tensor =>
      given.matmul(w!).add(b!).gelu().matmul(v!).softmax(-1)
    expect(bothWays(model, params, x).compiles).toBe(1)
  })

  it('also for arguments, whose own history goes on', () => {
    const scale = (): readonly Tensor[] => [leaf([[2, 1, 0.5]])]
    const ways = scale().flatMap(() => [scale()[0]!, scale()[0]!])
    const f = compile((given: Tensor) => given.exp().sum(1))
    f(x.mul(ways[0]!)).prod().backward()
    x.mul(ways[1]!).exp().sum(1).prod().backward()
    expectClose(ways[0]!.grad, ways[1]!.grad)
  })

  it('with a graph break inside', () => {
    const model = (given: Tensor, [w, b, v]: readonly Tensor[]): Tensor => {
      const hidden = given.matmul(w!).add(b!)
      return (hidden.sum().itemSync() as number) > 0 ? hidden.tanh().matmul(v!) : hidden
    }
    bothWays(model, params, x)
  })

  it('twice: gradients of gradients', () => {
    const w = leaf([0.3, -0.7])
    const cube = (p: Tensor): Tensor => p.pow(3).add(p.exp()).sum()
    const second = (f: (p: Tensor) => Tensor): Tensor => {
      const [first] = gradients(f(w), w, { createGraph: true })
      return gradients(first!.mul(first!).sum(), w)[0]!
    }
    expectClose(second(compile(cube)), second(cube))
    expectClose(compile(() => second(cube))(), second(cube))
  })

  it('leaves what no gradient flows to without one', () => {
    const model = (given: Tensor, [w, b]: readonly Tensor[]): Tensor =>
      where(given.matmul(w!).gt(0), b!.mul(2), b!.exp())
    const [w, b] = params()
    compile((given: Tensor) => model(given, [w!, b!]))(x)
      .sum()
      .backward()
    expect([w!.grad, b!.grad === null]).toEqual([null, false])
  })

  it('of a penalty on gradients', () => {
    const model = (given: Tensor, [w, b]: readonly Tensor[]): Tensor => {
      const loss = given.matmul(w!).add(b!).tanh().square().mean()
      const [slope] = gradients(loss, w!, { createGraph: true })
      return loss.add(slope!.square().sum())
    }
    bothWays(model, () => params().slice(0, 2), x)
  })

  it('gives results without history under noGrad, by another version', () => {
    const [w] = params()
    const f = compile((given: Tensor) => given.matmul(w!))
    expect(f(x).requiresGrad).toBe(true)
    expect(noGrad(() => f(x)).requiresGrad).toBe(false)
    w!.requiresGrad_(false)
    expect(f(x).requiresGrad).toBe(false)
    expect(f.stats().compiles).toBe(3)
  })
})

/** Values and gradients of a function that changes something in place, eagerly and compiled. */
function bothInPlace(fn: (w: Tensor) => Tensor): void {
  const [w, v] = [leaf([[0.3, -0.7], [1, 2]]), leaf([[0.3, -0.7], [1, 2]])] // biome-ignore format: matrices
  const [want, got] = [fn(w), compile(() => fn(v))()]
  expectClose(got, want)
  expectClose(v, w)
  expectClose(v.grad, w.grad)
}

describe('changes in place that are not recorded', () => {
  const ends = (y: Tensor): Tensor => {
    const loss = y.mul(y.detach()).sum()
    loss.backward()
    return loss
  }

  it('leave the history of what a function computes', () => {
    bothInPlace(w => {
      const hidden = w.mul(3)
      noGrad(() => hidden.mul_(2))
      return ends(hidden)
    })
    bothInPlace(w => {
      const hidden = w.sin()
      const row = hidden.select(0, 0)
      noGrad(() => row.copy_(w.select(0, 1)))
      return ends(hidden).add(row.sum().detach())
    })
  })

  it('leave views of leaves views', () =>
    bothInPlace(w => {
      const row = w.select(0, 1)
      noGrad(() => row.mul_(0.5))
      return ends(row)
    }))

  it('of leaves come before what is computed of them, also where gradients go on outside', () => {
    const [w, v] = [leaf([0.3, -0.7]), leaf([0.3, -0.7])]
    const model = (p: Tensor): Tensor => {
      noGrad(() => p.narrow(0, 0, 1).sin_())
      return p.mul(p).sum()
    }
    model(w).backward()
    compile(() => model(v))().backward()
    expectClose(v, w)
    expectClose(v.grad, w.grad)
  })

  it('of leaves that were used before make the pass an error', () => {
    const w = leaf([3, 4])
    for (const inputs of [null, w]) {
      const f = compile(() => {
        const y = w.mul(2)
        noGrad(() => w.mul_(2))
        y.sum().backward(null, { inputs })
      })
      expect(() => f()).toThrow(/was changed in place after it was used/)
    }
    expect([w.grad, valuesOf(w)]).toEqual([null, [3, 4]])
  })

  it('are those through detach(), which may change leaves', () => {
    bothInPlace(w => {
      w.detach().mul_(0.5)
      return ends(w.sin())
    })
    bothInPlace(w => {
      const hidden = w.mul(2)
      hidden.detach().t().select(0, 0).fill_(5)
      return ends(hidden)
    })
  })

  it('are those of values with a history through detach(), whose history they are', () => {
    bothInPlace(w => {
      const target = leaf([[5, 6], [7, 8]]) // biome-ignore format: matrix
      const hidden = w.mul(target)
      hidden.detach().mul_(0.5).add_(w.sin())
      return ends(hidden)
    })
    bothInPlace(w => {
      const held = w.mul(2).detach()
      held.copy_(w.sin())
      return ends(held.t().mul(3))
    })
  })

  it.each<[string, (held: Tensor, w: Tensor) => Tensor]>([
    ['after a further change', held => noGrad(() => held.mul_(2)).mul(3)],
    ['by a view from before', (held, w) => held.t().add(held.copy_(w.sin()))],
    ['over a graph break', held => held.mul(held.sum().itemSync())],
    ['as a result', held => held],
  ])('a detach() with a history is refused %s', (_, use) => {
    const w = leaf([3, 4])
    const f = compile(() => {
      const held = w.mul(2).detach()
      held.copy_(w.sin())
      return use(held, w)
    })
    expect(() => f()).toThrow(/a detach\(\) is used, or returned, after a value that requires a gradient/)
  })
})

describe('leaves whose requiresGrad is off for a while', () => {
  it('get no gradient of what is computed meanwhile', () => {
    const step = (w: Tensor, v: Tensor): Tensor => {
      w.requiresGrad_(false)
      noGrad(() => w.mul_(2))
      const scaled = w.reshape([2]).mul(v).mul(w).sum()
      const loss = scaled.add(w.mul(v.sin()).sum())
      loss.backward()
      w.requiresGrad = true
      w.square().mul(v.detach()).sum().backward()
      return loss
    }
    const [eager, compiled] = [0, 1].map(() => [leaf([0.3, -0.7]), leaf([1, 2])] as const)
    const f = compile(step)
    for (let i = 0; i < 2; i++) expectClose(f(...compiled!), step(...eager!))
    for (const k of [0, 1] as const) {
      expectClose(compiled![k], eager![k])
      expectClose(compiled![k].grad, eager![k].grad)
      expect(compiled![k].requiresGrad).toBe(true)
    }
  })

  it('get none from backward passes meanwhile, whatever was computed before', () => {
    const step = (w: Tensor, v: Tensor): Tensor => {
      const loss = w.mul(v).sum()
      w.requiresGrad_(false)
      loss.backward()
      w.requiresGrad_(true)
      return loss
    }
    const [eager, compiled] = [0, 1].map(() => [leaf([3, 4]), leaf([5, 6])] as const)
    step(...eager!)
    compile(step)(...compiled!)
    expect([eager![0].grad, compiled![0].grad]).toEqual([null, null])
    expectClose(compiled![1].grad, eager![1].grad)
  })

  it('and stays off are refused, as are tensors that were computed outside', () => {
    const w = leaf([3, 4])
    expect(() => compile(() => w.requiresGrad_(false).mul(2))()).toThrow(/leaves it off for .*set it on again/)
    const y = w.mul(2)
    expect(() => compile((x: Tensor) => x.requiresGrad_(false).mul(2))(y)).toThrow(/requiresGrad: it is changed while/)
    expect(w.requiresGrad).toBe(true)
  })
})

describe('of several results', () => {
  it('those without a gradient require none, and only what a gradient reaches gets one', () => {
    const [w, v] = [leaf([3, 4]), leaf([5, 6])]
    const f = compile((x: Tensor) => [w.mul(x), v.exp().detach(), noGrad(() => w.mul(2)), v.mul(x)])
    const results = f(tensor([1, 2], { dtype: 'f64' }))
    expect(results.map(each => each.requiresGrad)).toEqual([true, false, false, true])
    results[3]!.sum().backward()
    expect([w.grad, valuesOf(v.grad)]).toEqual([null, [1, 2]])
  })

  it('those whose backward pass was inside are constants', () => {
    const w = leaf([3, 4])
    const step = compile(() => {
      const loss = w.square().sum()
      loss.backward()
      noGrad(() => w.sub_(w.grad!))
      return [loss, w.exp()]
    })
    const [loss, y] = step() as [Tensor, Tensor]
    expect([loss.requiresGrad, y.requiresGrad]).toEqual([false, true])
    w.grad = null
    y.sum().backward()
    expectClose(w.grad, w.exp())
  })

  it('one that was computed of another is no way to the gradient of that', () => {
    const w = leaf([3, 4])
    const f = compile(() => {
      const a = w.exp()
      return [a, a.sin()]
    })
    const [a, b] = f() as [Tensor, Tensor]
    expect(() => gradients(b.sum(), a, { allowUnused: true })).toThrow(/another result of the same call/)
    expect(gradients(a.sum(), b, { allowUnused: true, retainGraph: true })).toEqual([null])
    a.retainGrad()
    expect(() => b.sum().backward()).toThrow(/another result of the same call/)
    expect(w.grad).toBe(null)
    a.sum().backward()
    expectClose(a.grad, zeros([2], { dtype: 'f64' }).add(1))
  })

  it('a backward pass minds only what it ends at: other arguments may have been computed', () => {
    const [w, v] = [leaf([3, 4]), leaf([5, 6])]
    const f = compile((x: Tensor) => {
      const [slope] = gradients(w.square().sum(), w)
      return x.mul(slope!)
    })
    f(v.detach())
    f(v.exp()).sum().backward()
    expectClose(v.grad, v.exp().mul(w.mul(2)).detach())
  })
})

describe('what the tape has to do', () => {
  const x = tensor([1, -2], { dtype: 'f64' })
  const double = (w: Tensor): Tensor => w.mul(x).square().sum()

  it('hooks of leaves are called, also those that come after the first call', () => {
    const w = leaf([3, 4])
    const f = compile(() => double(w).backward())
    f()
    const plain = w.grad!.clone()
    w.grad = null
    const remove = w.registerHook(gradient => gradient.mul(10))
    f()
    expectClose(w.grad, plain.mul(10))
    w.grad = null
    remove()
    f()
    expectClose(w.grad, plain)
  })

  it('gradients of what a function computes are not its matter', () => {
    const w = leaf([3, 4])
    w.registerHook(() => expect.fail('no gradient of the leaf is asked for'))
    const slopes = compile((y: Tensor) => {
      const hidden = w.mul(y)
      return gradients(hidden.square().sum(), hidden)
    })
    expect(slopes(x.exp()).map(valuesOf)).toEqual([valuesOf(x.exp().mul(w).mul(2).detach())])
    const both = compile(() => {
      const hidden = w.mul(x)
      return gradients(hidden.square().sum(), [hidden, w])
    })
    expect(() => both()).toThrow(
      /gradients flow to what .* computes itself, .* while closure 0 was computed or has hooks/,
    )
  })

  it('are not mixed with those of equal results', () => {
    const w = leaf([3, 4])
    const slopes = (p: Tensor): readonly (Tensor | null)[] => {
      const [a, b, s] = [p.mul(2), p.mul(2), p.sigmoid()]
      const loss = a.mul(b).add(p.silu()).add(s).sum()
      return gradients(loss, [a, b, s, p.reshape([2])], { allowUnused: true })
    }
    const f = compile((k: number) => slopes(w.mul(k)).slice(0, 3))
    for (const k of [1, 2, 3])
      expect(f(k).map(valuesOf)).toEqual(
        slopes(w.mul(k))
          .slice(0, 3)
          .map(each => valuesOf(each)),
      )
    expect(compile(() => slopes(w))().map(valuesOf)).toEqual(slopes(w).map(valuesOf))
    const frozen = leaf([1, 2]).requiresGrad_(false)
    expect(() => compile(() => frozen.backward(w.detach()))()).toThrow(/does not require a gradient/)
    expect(() => compile(() => gradients(w.sum(), frozen, { allowUnused: true }))()).toThrow(/does not require/)
  })

  it('gradients go on through what was computed outside', () => {
    const [w, v] = [leaf([3, 4]), leaf([3, 4])]
    const f = compile((y: Tensor) => double(y).backward())
    f(leaf([0, 0])) // a leaf first: the version must not be taken for what was computed
    f(w.exp())
    double(v.exp()).backward()
    expectClose(w.grad, v.grad)
  })

  it('what was detached before a graph break stays so', () => {
    const [w, v] = [leaf([3, 4]), leaf([3, 4])]
    const model = (p: Tensor): Tensor => {
      const hidden = p.mul(x)
      const [target, quiet] = [hidden.detach(), noGrad(() => hidden.reshape([2, 1]))]
      const scale = (hidden.sum().itemSync() as number) > 0 ? 2 : 3
      return hidden.sub(target.mul(0.5)).mul(quiet.squeeze(1)).mul(scale).sum()
    }
    model(v).backward()
    compile(() => {
      const loss = model(w)
      loss.backward()
      return loss.detach()
    })()
    expectClose(w.grad, v.grad)
  })

  it('what was done before a graph break is done once, however often the function is traced', () => {
    for (const isHooked of [false, true]) {
      const [w, v] = [leaf([3, 4]), leaf([3, 4])]
      const seen: unknown[] = []
      if (isHooked) for (const each of [w, v]) each.registerHook(gradient => void seen.push(valuesOf(gradient)))
      const model = (p: Tensor): Tensor => {
        p.square().sum().backward()
        const scale = (p.sum().itemSync() as number) > 0 ? 2 : 3
        const hidden = p.mul(scale)
        const [slope] = gradients(hidden.square().sum(), hidden) // traces again
        p.mul(slope!).sum().backward()
        return slope!
      }
      const f = compile(() => model(w))
      for (let i = 0; i < 2; i++) expect(valuesOf(f())).toEqual(valuesOf(model(v)))
      expect(valuesOf(w.grad)).toEqual(valuesOf(v.grad))
      expect(seen.length).toBe(isHooked ? 8 : 0)
    }
  })

  it('a backward pass after a graph break has the gradients of all leaves', () => {
    const [w, v] = [leaf([3, 4]), leaf([5, 6])]
    const f = compile(() => {
      const hidden = w.mul(x)
      const loss = hidden
        .mul((hidden.sum().itemSync() as number) > 0 ? 2 : 3)
        .mul(v)
        .sum()
      loss.backward()
      return loss
    })
    f()
    expect([w.grad, v.grad].map(valuesOf)).toEqual([
      [15, -36],
      [9, -24],
    ])
  })

  it('changes of leaves where gradients are recorded are refused, and lost histories', () => {
    const w = leaf([3, 4])
    expect(() => compile(() => w.add_(1))()).toThrow(/add_: f64\[2\] is a leaf that requires a gradient/)
    expect(() => compile(() => w.slice([0, 1]).add_(1))()).toThrow(/a view of a leaf/)
    expect(() => compile((y: Tensor) => y.zero_())(w.exp())).toThrow(/args\[0\], which was computed outside/)
    expect(() => compile((y: Tensor) => y.mul_(w))(x.clone())).toThrow(/writes a value that requires a gradient/)
    expect(valuesOf(w)).toEqual([3, 4])
  })

  it('knows leaves', () => {
    const w = leaf([3, 4])
    const seen = compile(() =>
      [w.isLeaf, w.mul(2).isLeaf, noGrad(() => w.mul(2)).isLeaf].map(is => zeros([is ? 1 : 2])),
    )
    expect(seen().map(each => each.shape)).toEqual([[1], [2], [1]])
  })
})
