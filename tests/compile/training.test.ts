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

  it('gradients go on through what was computed outside', () => {
    const [w, v] = [leaf([3, 4]), leaf([3, 4])]
    const f = compile((y: Tensor) => double(y).backward())
    f(leaf([0, 0])) // a leaf first: the version must not be taken for what was computed
    f(w.exp())
    double(v.exp()).backward()
    expectClose(w.grad, v.grad)
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
