/** Derivatives of functions, functions with gradients of their own, anomaly mode, printing, and the errors of wrong calls. */
import { beforeAll, describe, expect, it } from 'vitest'
import {
  ArgumentError,
  allclose,
  arange,
  compile,
  customGradient,
  DtypeError,
  detectAnomaly,
  GradientError,
  grad,
  gradients,
  inferenceMode,
  jvp,
  noGrad,
  ShapeError,
  scope,
  setDetectAnomaly,
  type Tensor,
  tensor,
  valueAndGrad,
  vjp,
  where,
  zeros,
} from '../../../src/index.js'
import { useInterpreter } from '../../support/reference-executor.js'

beforeAll(() => {
  useInterpreter()
})

const t = (data: number | number[], requiresGrad = false): Tensor => tensor(data, { dtype: 'f64', requiresGrad })

/** The line of the caller. */
const here = (): number => Number(/autograd\/functional\.test\.ts:(\d+)/.exec(new Error().stack!.split('\n')[2]!)![1])

describe('grad', () => {
  const cube = (x: Tensor): Tensor => x.pow(3).sum()

  it('gives the gradient by the first argument, and leaves .grad alone', () => {
    const x = t([2, 3], true)
    expect(grad(cube)(x).toArray()).toEqual([12, 27])
    expect(x.grad).toBeNull()
    expect(grad(cube)(t(2)).toArray()).toBe(12)
  })

  it('may be applied to itself', () => {
    const second = grad(grad(cube))
    const third = grad(second)
    expect([second(t(2)), third(t(2)), grad(third)(t(2))].map(one => one.toArray())).toEqual([12, 6, 0])
  })

  it('takes positions, and arguments that hold tensors', () => {
    const loss = (x: Tensor, w: { readonly a: Tensor; readonly rest: readonly Tensor[]; readonly n: number }): Tensor =>
      x.mul(w.a).add(w.rest[0]!).mul(w.n).sum()
    const w = { a: t([1, 2]), rest: [t([0, 0]), tensor([1], { dtype: 'i64' })], n: 3 }
    const [value, [dx, dw]] = valueAndGrad(loss, [0, 1])(t([5, 7]), w)
    expect([value.toArray(), dx.toArray(), dw.a.toArray(), dw.rest[0]!.toArray()]).toEqual([
      57,
      [3, 6],
      [15, 21],
      [3, 3],
    ])
    expect([dw.rest[1], dw.n]).toEqual([null, 3])
    expect(grad(loss, 1)(t([5, 7]), w).a.toArray()).toEqual([15, 21])
  })

  it('is part of what the caller records, and only then', () => {
    const [x, w] = [t([2, 3], true), t([1, 10], true)]
    const alone = grad(cube)(t([2, 3]))
    expect(alone.requiresGrad).toBe(false)
    const joined = grad((y: Tensor) => y.mul(y).mul(w).sum())(x)
    expect(joined.requiresGrad).toBe(true)
    joined.sum().backward()
    expect([x.grad!.toArray(), w.grad!.toArray()]).toEqual([[2, 20], [4, 6]]) // biome-ignore format: one line
    expect(noGrad(() => grad(cube)(x)).requiresGrad).toBe(false)
  })

  it('gives zeros where the value does not depend on the argument', () => {
    expect(grad((_: Tensor) => t(1))(t([1, 2])).toArray()).toEqual([0, 0])
  })

  it('checks the function and what it gives', () => {
    expect(() => grad(3 as never)).toThrow('grad: fn is the number 3, not a function')
    expect(() => grad((x: Tensor) => x.mul(2))(t([1, 2]))).toThrow(ShapeError)
    expect(() => grad(cube, 1)(t(2))).toThrow('argnums has 1, of a call with 1 arguments')
    expect(() => inferenceMode(() => grad(cube)(t(2)))).toThrow(GradientError)
  })
})

describe('vjp and jvp', () => {
  const f = (x: Tensor, w: Tensor): Tensor[] => [x.mul(w), x.exp().sum()]

  it('multiply with the Jacobian from either side', () => {
    const [x, w] = [t([1, 2]), t([3, 5])]
    const [outputs, pullback] = vjp(f, x, w)
    expect(outputs[0]!.toArray()).toEqual([3, 10])
    expect(outputs[1]!.itemSync()).toBeCloseTo(Math.E + Math.E ** 2, 12)
    const [dx, dw] = pullback([t([1, 10]), t(2)])
    expect(dw!.toArray()).toEqual([1, 20])
    expect(
      dx!
        .sub(t([3 + 2 * Math.E, 50 + 2 * Math.E ** 2]))
        .abs()
        .max()
        .itemSync(),
    ).toBeLessThan(1e-12)
    expect(pullback([t([1, 0]), t(0)])[0]!.toArray()).toEqual([3, 0])
    const [values, [product, sum]] = jvp(f, [x, w], [t([1, 10]), t([0, 1])])
    expect(values[0]!.toArray()).toEqual([3, 10])
    expect(product!.toArray()).toEqual([3, 52])
    expect(sum!.itemSync()).toBeCloseTo(Math.E + 10 * Math.E ** 2, 12)
  })

  it('agree: a tangent weighed by a cotangent is a gradient weighed by a direction', () => {
    const g = (x: Tensor): Tensor => x.outer(x).softmax(-1).log().cumsum(0)
    const [x, direction] = [t([0.3, -1.2, 0.7]), t([0.5, 2, -1])]
    const weights = arange(9, { dtype: 'f64' }).reshape([3, 3]).sin()
    const forward = jvp(g, [x], [direction])[1].mul(weights).sum().itemSync()
    expect(vjp(g, x)[1](weights)[0]!.mul(direction).sum().itemSync()).toBeCloseTo(forward, 12)
  })

  it('give derivatives of derivatives', () => {
    const square = (x: Tensor): Tensor => x.mul(x).mul(x)
    const slope = (x: Tensor): Tensor => jvp(square, [x], [t([1, 1])])[1]
    expect(jvp(slope, [t([2, 3])], [t([1, 1])])[1].toArray()).toEqual([12, 18])
    expect(grad((x: Tensor) => slope(x).sum())(t([2, 3])).toArray()).toEqual([12, 18])
  })

  it('check what they are given', () => {
    expect(() => jvp(f as never, [t(1)], [])).toThrow('jvp: 0 tangents for 1 primals')
    expect(() => jvp((x: Tensor) => x, [t([1, 2])], [t([1])])).toThrow(ShapeError)
    expect(() => vjp((x: Tensor) => x, tensor([1], { dtype: 'i64' }))).toThrow(DtypeError)
    expect(() => vjp((x: Tensor) => x.mul(1), t([1, 2]))[1](t([1]))).toThrow(ShapeError)
  })
})

describe('customGradient', () => {
  it('replaces the gradient of the ops in it', () => {
    const calls: string[] = []
    const round = customGradient(
      (x: Tensor, scale: number) => {
        calls.push('forward')
        return x.mul(scale).round()
      },
      (gradient, { inputs: [x, scale], output }) => {
        calls.push(`backward of ${x.describe()} to ${output.describe()}`)
        return gradient.mul(scale)
      },
    )
    const x = t([1.2, 2.7], true)
    const y = round(x, 2)
    expect([y.toArray(), y.requiresGrad, y.isLeaf]).toEqual([[2, 5], true, false])
    y.mul(y).sum().backward()
    expect(x.grad!.toArray()).toEqual([8, 20])
    expect(calls).toEqual(['forward', 'backward of f64[2] to f64[2]'])
    expect(round(t([1.2]), 2).requiresGrad).toBe(false)
  })

  it('has several inputs and results, and gradients of gradients', () => {
    const divide = customGradient(
      (x: Tensor, y: Tensor) => [x.div(y), y.mul(1)],
      ([g, h], { inputs: [x, y] }) => [g!.div(y), h!.sub(g!.mul(x).div(y.mul(y)))],
    )
    const plain = (x: Tensor, y: Tensor): Tensor[] => [x.div(y), y.mul(1)]
    const loss = (f: typeof divide) => (x: Tensor, y: Tensor) => {
      const [a, b] = f(x, y)
      return a!.mul(a!).mul(b!).sum()
    }
    const second = (f: typeof divide): Tensor[] =>
      grad((x: Tensor, y: Tensor) => grad(loss(f), 1)(x, y).mul(x).sum(), [0, 1])(t([2, 3]), t([4, 5]))
    const [own, derived] = [second(divide), second(plain)]
    for (const [i, each] of own.entries()) expect(each.sub(derived[i]!).abs().max().itemSync()).toBeLessThan(1e-14)
  })

  it('copies what it returns of its inputs', () => {
    const same = customGradient(
      (x: Tensor) => x,
      g => g.mul(3),
    )
    const x = t([1, 2], true)
    const y = same(x)
    y.mul_(2)
    y.sum().backward()
    expect([x.toArray(), x.grad!.toArray()]).toEqual([[1, 2], [6, 6]]) // biome-ignore format: one line
  })

  it('names itself in errors', () => {
    const x = t([1, 2], true)
    const wrong = (gradient: unknown) =>
      customGradient(
        function halve(y: Tensor) {
          return y.mul(0.5)
        },
        () => gradient as Tensor,
      )(x).sum()
    expect(() => wrong(t([1])).backward()).toThrow('halve: the gradient of input 0 is f64[1], of a tensor f64[2]')
    expect(() => wrong(t([1])).backward()).toThrow(ShapeError)
    expect(() => wrong(3).backward()).toThrow(ArgumentError)
    expect(() => wrong([null, null]).backward()).toThrow('halve: 2 gradients for 1 tensors')
    expect(() => customGradient((y: Tensor) => y.gt(0), g => g)(x)).toThrow(DtypeError) // biome-ignore format: one line
    expect(() => customGradient(1 as never, (g: Tensor) => g)).toThrow('forward is the number 1')
    expect(x.grad).toBeNull()
  })
})

describe('errors', () => {
  it('name the line that overwrote what a gradient needs', () => {
    const x = t([1, 2], true)
    const y = x.mul(2)
    const loss = y.mul(y).sum()
    const line = here()
    y.add_(1)
    expect(() => loss.backward()).toThrow(
      new RegExp(
        `backward of mul: it needs f64\\[2\\] as it was when mul ran, but it was changed in place at .*functional.test.ts:${line + 1}`,
      ),
    )
    expect(x.grad).toBeNull()
  })

  it('say how to go on', () => {
    const x = t([1, 2], true)
    expect(() => x.mul(2).backward()).toThrow(/f64\[2\] has several elements.*x\.sum\(\)\.backward\(\)/)
    expect(() => t([1]).backward()).toThrow(/does not require a gradient/)
    expect(() =>
      x
        .mul(2)
        .sum()
        .backward({ gradient: t([1]) }),
    ).toThrow(/is f64\[1\], of a tensor f64\[\]/)
    expect(() => x.mul(2).sum().backward(tensor(1))).toThrow(DtypeError)
    expect(() => x.mul_(2)).toThrow(/mul_: f64\[2\] is a leaf that requires a gradient.*noGrad/)
    expect(() => gradients(x.sum(), [t([1])])).toThrow(/inputs\[0\], f64\[1\], does not require a gradient/)
    expect(() => gradients([x.sum()], [x], { gradOutputs: [] })).toThrow('0 gradOutputs for 1 outputs')
    expect(() => x.sum().backward({ inputs: [] })).toThrow('inputs is an empty list')
    expect(() => x.registerHook(3 as never)).toThrow('registerHook: hook is the number 3, not a function')
    x.registerHook(() => t([1]))
    expect(() => x.sum().backward()).toThrow('the gradient that a hook gave is f64[1], of a tensor f64[2]')
    expect(x.grad).toBeNull()
  })
})

describe('anomaly mode', () => {
  it('names the first op that gave NaN or an infinity, and its line', () => {
    const x = t([1, 0])
    let line = 0
    const run = (): Tensor => {
      line = here()
      const y = x.log()
      return y.mul(0)
    }
    expect(() => detectAnomaly(run)).toThrow(/log gave Infinity in f64\[2\] of inputs that have none/)
    expect(() => detectAnomaly(run)).toThrow(new RegExp(`functional.test.ts:${line + 1}`))
    expect(run().toArray()).toEqual([0, Number.NaN])
    expect(detectAnomaly(() => x.maskedFill(x.eq(0), Number.NEGATIVE_INFINITY)).toArray()).toEqual([1, -Infinity])
  })

  it('runs compiled functions op by op', () => {
    const x = t([4, 0], true)
    const step = compile(() => x.log().sum().backward())
    expect(() => detectAnomaly(step)).toThrow(/log gave Infinity in f64\[2\] of inputs that have none/)
    expect(step.stats().compiles).toBe(0)
    expect(x.grad).toBe(null)
  })

  it('names the op whose gradient is NaN', () => {
    const x = t([4, 0], true)
    let line = 0
    const run = (): void => {
      line = here()
      const y = x.sqrt()
      where(x.gt(0), y, 0).sum().backward()
    }
    expect(() => detectAnomaly(run)).toThrow(/backward of sqrt gave NaN in f64\[2\]/)
    expect(() => detectAnomaly(run)).toThrow(new RegExp(`functional.test.ts:${line + 1}`))
    expect(x.grad).toBeNull()
    setDetectAnomaly(true)
    expect(run).toThrow(GradientError)
    setDetectAnomaly(false)
    run()
    expect(x.grad!.toArray()).toEqual([0.25, Number.NaN])
  })
})

describe('printing', () => {
  it('tells what requires a gradient, and the op that made it', () => {
    const x = tensor([1, 2], { requiresGrad: true })
    expect([x, x.mul(2), x.get(0), x.detach(), noGrad(() => x.mul(2))].map(String)).toEqual([
      'tensor([1., 2.], requiresGrad=true)',
      'tensor([2., 4.], gradFn=<mul>)',
      'tensor(1., gradFn=<slice>)',
      'tensor([1., 2.])',
      'tensor([2., 4.])',
    ])
    expect(String(t([1], true))).toBe('tensor([1.], dtype=f64, requiresGrad=true)')
  })
})

describe('scopes', () => {
  it('keep the gradients of tensors from outside', () => {
    const x = t([1, 2], true)
    for (let i = 0; i < 2; i++) scope(() => x.mul(x).sum().backward())
    expect(x.grad!.toArray()).toEqual([4, 8])
  })

  it('keep what the gradients of their results need, and nothing else', () => {
    const x = t([1, 2], true)
    let lost: Tensor | undefined
    const y = scope(() => {
      lost = x.mul(5)
      return x.mul(x).exp().sum()
    })
    y.backward()
    expect(lost!.disposed).toBe(true)
    expect(allclose(x.grad!, t([2 * Math.E, 4 * Math.exp(4)]), { rtol: 1e-14 })).toBe(true)
    expect(zeros([2]).disposed).toBe(false)
  })
})
