/** Loss scaling: steps without infinite gradients are as without it, others are left out; all on the device. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ArgumentError, compile, type Tensor, tensor } from '../../src/index.js'
import { Adam, clipGradNorm, GradScaler, SGD } from '../../src/optim/index.js'

beforeEach(() => void vi.stubEnv('TEGULA_BACKEND', 'interpreter'))
afterEach(() => void vi.unstubAllEnvs())

const options = { initScale: 8, growthInterval: 2 } as const

type Step = (slope: Tensor) => void
const ways: Readonly<Record<string, (step: Step) => Step>> = { eagerly: step => step, compiled: step => compile(step) }

describe.each(Object.entries(ways))('%s', (_, way) => {
  it('steps as without it, grows, and leaves out steps with infinite gradients', () => {
    const [param, plain] = [tensor([1, 2], { requiresGrad: true }), tensor([1, 2], { requiresGrad: true })]
    const [optimizer, other] = [new Adam([param], { lr: 0.5 }), new Adam([plain], { lr: 0.5 })]
    const scaler = new GradScaler(options)
    const step = way(slope => {
      scaler.scale(param.mul(slope).sum()).backward()
      scaler.step(optimizer)
      scaler.update()
      optimizer.zeroGrad()
    })
    const scales: number[] = []
    for (const slope of [0.5, -0.25, Infinity, 1, 0.75, 1]) {
      step(tensor([slope, 1]))
      scales.push(scaler.getScale())
      if (slope === Infinity) continue
      plain.grad = tensor([slope, 1])
      other.step()
    }
    expect(scales).toEqual([8, 16, 8, 8, 16, 16])
    expect(param.toArray()).toEqual(plain.toArray())
    expect(param.detach().isfinite().all().itemSync()).toBe(1)
    const [mine, theirs] = [optimizer.stateDict().state[0]!, other.stateDict().state[0]!]
    expect((mine.step as Tensor).itemSync()).toBe(5)
    expect((mine.exp_avg as Tensor).toArray()).toEqual((theirs.exp_avg as Tensor).toArray())
  })

  it('gradients can be clipped once they are divided by the scale', () => {
    const param = tensor([0, 0], { requiresGrad: true })
    const optimizer = new SGD([param], { lr: 1 })
    const scaler = new GradScaler(options)
    const step = way(slope => {
      scaler.scale(param.mul(slope).sum()).backward()
      scaler.unscale_(optimizer)
      clipGradNorm([param], 1)
      scaler.step(optimizer)
      scaler.update()
      optimizer.zeroGrad()
    })
    step(tensor([3, 4]))
    for (const [i, value] of (param.toArray() as number[]).entries()) expect(value).toBeCloseTo([-0.6, -0.8][i]!, 5)
  })
})

it('a compiled step is compiled once, whatever the gradients', () => {
  const param = tensor([1], { requiresGrad: true })
  const optimizer = new SGD([param], { lr: 1 })
  const scaler = new GradScaler(options)
  const step = compile(
    (slope: Tensor) => {
      scaler.scale(param.mul(slope).sum()).backward()
      scaler.step(optimizer)
      scaler.update()
      optimizer.zeroGrad()
    },
    { fullgraph: true },
  )
  for (const slope of [1, Number.NaN, 1, 1]) step(tensor([slope]))
  expect(param.toArray()).toEqual([-2])
  expect(step.stats().compiles).toBe(1)
})

it('one of two optimisers is stepped when only the other has infinite gradients', () => {
  const params = [tensor([1], { requiresGrad: true }), tensor([1], { requiresGrad: true })]
  const optimizers = params.map(param => new SGD([param], { lr: 1 }))
  const scaler = new GradScaler(options)
  params[0]!.grad = tensor([8])
  params[1]!.grad = tensor([Infinity])
  for (const optimizer of optimizers) scaler.step(optimizer)
  scaler.update()
  expect(params.map(param => param.toArray())).toEqual([[0], [1]])
  expect(scaler.getScale()).toBe(4)
})

it('saves its state, and does nothing if it is not enabled', () => {
  const scaler = new GradScaler(options)
  scaler.update()
  const other = new GradScaler()
  other.loadStateDict(scaler.stateDict())
  other.update()
  expect(other.stateDict()).toEqual({
    scale: 16,
    growth_factor: 2,
    backoff_factor: 0.5,
    growth_interval: 2,
    _growth_tracker: 0,
  })
  const off = new GradScaler({ enabled: false })
  const [param, loss] = [tensor([1], { requiresGrad: true }), tensor([3])]
  const optimizer = new SGD([param], { lr: 1 })
  expect(off.scale(loss)).toBe(loss)
  param.grad = tensor([2])
  off.step(optimizer)
  off.update()
  expect([param.toArray(), off.getScale()]).toEqual([[-1], 1])
})

it.each([
  [() => new GradScaler({ initScale: 0 }), /initScale is the number 0/],
  [() => new GradScaler({ growthFactor: 0.5 }), /growthFactor is the number 0.5/],
  [() => new GradScaler({ growthInterval: 1.5 }), /growthInterval is the number 1.5/],
  [() => new GradScaler().loadStateDict({} as never), /the state is an empty object/],
])('wrong calls: %s', (call, message) => {
  expect(call).toThrow(ArgumentError)
  expect(call).toThrow(message)
})

describe('the order of calls', () => {
  const setting = () => {
    const param = tensor([1], { requiresGrad: true })
    const [optimizer, scaler] = [new SGD([param], { lr: 1 }), new GradScaler({ initScale: 4 })]
    const backward = (): void => scaler.scale(param.mul(2).sum()).backward()
    return { param, optimizer, scaler, backward }
  }

  it('a second step needs an update, else gradients would be divided twice', () => {
    const { param, optimizer, scaler, backward } = setting()
    backward()
    scaler.step(optimizer)
    expect(() => scaler.step(optimizer)).toThrow(/has made its step since the last update/)
    expect(() => scaler.unscale_(optimizer)).toThrow(ArgumentError)
    expect(param.toArray()).toEqual([-1])
    scaler.update()
    optimizer.zeroGrad()
    backward()
    scaler.step(optimizer)
    expect(param.toArray()).toEqual([-3])
  })

  it('unscale_ and step are in one compiled function, or both outside', () => {
    const one = setting()
    const divide = compile(() => one.scaler.unscale_(one.optimizer))
    one.backward()
    divide()
    expect(() => one.scaler.step(one.optimizer)).toThrow(/unscale_ of this optimiser is part of a compiled function/)
    const other = setting()
    const step = compile(() => {
      other.scaler.step(other.optimizer)
      other.scaler.update()
    })
    other.backward()
    other.scaler.unscale_(other.optimizer)
    expect(step).toThrow(/unscale_ of this optimiser was called outside of the compiled function/)
  })

  it('groups without gradients are left as they are', () => {
    const { param, optimizer, scaler, backward } = setting()
    const idle = tensor([5], { requiresGrad: true })
    optimizer.addParamGroup({ params: [idle], lr: 0.5, weightDecay: 1 })
    backward()
    scaler.unscale_(optimizer)
    scaler.step(optimizer)
    scaler.update()
    expect([param.itemSync(), idle.itemSync(), scaler.getScale()]).toEqual([-1, 5, 4])
  })
})
