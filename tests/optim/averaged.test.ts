/** Averages of weights: their formulas, in steps of every kind, and what goes with them. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ArgumentError, compile, noGrad, type Tensor, tensor } from '../../src/index.js'
import { BatchNorm1d, Linear, Module, Parameter, Sequential } from '../../src/nn/index.js'
import { AveragedModel, SGD, stepLR, swaLR, updateBN } from '../../src/optim/index.js'

beforeEach(() => void vi.stubEnv('TEGULA_BACKEND', 'interpreter'))
afterEach(() => void vi.unstubAllEnvs())

class Pair extends Module {
  weight = new Parameter(tensor([1, 2], { dtype: 'f64' }))
  scale = this.registerBuffer('scale', tensor([4], { dtype: 'f64' }))
  count = this.registerBuffer('count', tensor(0, { dtype: 'i64' }))
  forward(x: Tensor): Tensor {
    return x.mul(this.weight).mul(this.scale)
  }
}

/** The weights after each of some steps. */
const weights = [
  [1, 2],
  [3, -2],
  [0.5, 7],
  [-4, 1],
] as const

type Update = (value: Tensor) => void
const ways: Readonly<Record<string, (update: Update) => Update & { stats?: () => { compiles: number } }>> = {
  eagerly: update => update,
  compiled: update => compile(update, { fullgraph: true }),
}

describe.each(Object.entries(ways))('%s', (_, way) => {
  it.each([
    ['the mean', {}, weights.reduce((sum, [a]) => sum + a, 0) / 4],
    [
      'an exponential average',
      { decay: 0.75 },
      weights.slice(1).reduce<number>((all, [a]) => 0.75 * all + 0.25 * a, 1),
    ],
  ] as const)('%s of the weights, without compiling again', (_, options, wanted) => {
    const [net, other] = [new Pair(), new Pair()]
    const averaged = new AveragedModel(net, options)
    const withBuffers = new AveragedModel(other, { ...options, useBuffers: true })
    const update = way(value => {
      for (const [model, average] of [
        [net, averaged],
        [other, withBuffers],
      ] as const) {
        noGrad(() => {
          model.weight.copy_(value)
          model.scale.copy_(value.narrow(0, 0, 1))
          model.count.add_(1)
        })
        average.update(model)
      }
    })
    for (const value of weights) update(tensor(value, { dtype: 'f64' }))
    expect((averaged.module.weight.toArray() as number[])[0]).toBeCloseTo(wanted, 14)
    expect(averaged.module.scale.toArray()).toEqual([-4])
    expect((withBuffers.module.scale.toArray() as number[])[0]).toBeCloseTo(wanted, 14)
    expect([averaged.module.count.itemSync(), withBuffers.module.count.itemSync()].map(Number)).toEqual([4, 4])
    expect(Number(averaged.nAveraged.itemSync())).toBe(4)
    expect(update.stats?.().compiles ?? 1).toBe(1)
  })
})

it('the first update copies exactly; averages are called, saved and loaded as the model', () => {
  const net = new Pair()
  const averaged = new AveragedModel(net, { decay: 0.9 })
  averaged.module.weight.detach().fill_(1e30)
  averaged.update(net)
  expect(averaged(tensor([1, 1], { dtype: 'f64' })).toArray()).toEqual([4, 8])
  expect(Object.keys(averaged.stateDict())).toEqual(['n_averaged', 'module.weight', 'module.scale', 'module.count'])
  const again = new AveragedModel(new Pair(), { decay: 0.9 })
  again.loadStateDict(averaged.stateDict())
  for (const each of [averaged, again]) {
    net.weight.detach().fill_(5)
    each.update(net)
  }
  expect(again.module.weight.toArray()).toEqual(averaged.module.weight.toArray())
  expect(net.weight.grad).toBeNull()
})

it('16-bit weights have averages in f32 if wanted', () => {
  const net = new Linear(2, 1, { bias: false, dtype: 'bf16' })
  const averaged = new AveragedModel(net, { decay: 0.999 }).to('f32')
  net.weight.detach().fill_(1)
  averaged.update(net)
  net.weight.detach().fill_(2)
  averaged.update(net)
  expect((averaged.module.weight.toArray() as number[][])[0]![0]).toBeCloseTo(1.001, 6)
})

it('says what is wrong', () => {
  expect(() => new AveragedModel(new Linear(1, 1), { decay: 2 })).toThrow(ArgumentError)
  expect(() => new AveragedModel(tensor([1]) as never)).toThrow(/the model is/)
  const averaged = new AveragedModel(new Linear(1, 1))
  expect(() => averaged.update(new Linear(2, 1))).toThrow(/are not those of the average/)
  expect(Number(averaged.nAveraged.itemSync())).toBe(0)
})

it('updateBN computes running statistics anew, as means over the batches', async () => {
  const norm = new BatchNorm1d(1)
  const net = new Sequential(norm).eval()
  norm.runningMean!.fill_(100)
  const batches = [
    { x: tensor([[1], [3]]), y: 1 },
    { x: tensor([[5], [9]]), y: 2 },
  ]
  await updateBN(batches, net)
  expect((norm.runningMean!.toArray() as number[])[0]).toBeCloseTo((2 + 7) / 2, 5)
  expect((norm.runningVar!.toArray() as number[])[0]).toBeCloseTo((2 + 8) / 2, 5)
  expect([norm.momentum, net.training, norm.training]).toEqual([0.1, false, false])
  await expect(updateBN([1], net)).rejects.toThrow(/does not begin with a tensor/)
  await updateBN([{ y: 1, x: tensor([[4], [4]]) }], net, { input: batch => batch.x })
  expect((norm.runningMean!.toArray() as number[])[0]).toBeCloseTo(4, 5)
})

describe('swaLR', () => {
  /** SWALR(optimizer, 0.05, anneal_epochs=4) in PyTorch, whose steps begin after 3 of StepLR(optimizer, 2, 0.5). */
  const rates = [0.17803300858899107, 0.125, 0.07196699141100894, 0.05, 0.05]

  it("has PyTorch's numbers, from the rate that another schedule left", () => {
    const optimizer = new SGD([tensor([1], { requiresGrad: true })], { lr: 0.4 })
    const [before, schedule] = [stepLR(optimizer, 2, { gamma: 0.5 }), swaLR(optimizer, 0.05, { annealEpochs: 4 })]
    for (let i = 0; i < 3; i++) before.step()
    expect(schedule.lastLr[0]).toBeCloseTo(0.2, 15)
    for (const rate of rates) {
      schedule.step()
      expect(schedule.lastLr[0]).toBeCloseTo(rate, 15)
    }
    const other = swaLR(optimizer, 0.05, { annealEpochs: 4 })
    other.loadStateDict({ ...schedule.stateDict(), last_epoch: 2 })
    expect(other.lastLr[0]).toBeCloseTo(rates[1]!, 15)
    expect(() => swaLR(optimizer, 0.05, { annealStrategy: 'step' as never })).toThrow(ArgumentError)
  })
})
