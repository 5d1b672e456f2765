/** Schedules: PyTorch's numbers, as written into the optimiser's tensors; nothing compiles again. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ArgumentError, CaptureError, compile, tensor, zeros } from '../../src/index.js'
import * as optim from '../../src/optim/index.js'
import { Adam, AdamW, type Schedule, type Scheduled, SGD } from '../../src/optim/index.js'
import { reference } from './reference.js'

beforeEach(() => void vi.stubEnv('TEGULA_BACKEND', 'interpreter'))
afterEach(() => void vi.unstubAllEnvs())

const optimiser = (): SGD => new SGD([zeros([1])], { lr: 0.4, momentum: 0.9 })

/** Stands for an optimiser: schedules only set its groups' numbers. */
const numbersOnly = (): Scheduled => ({ paramGroups: [{ lr: 0.4, momentum: 0.9 }] })

const makers = optim as unknown as Readonly<Record<string, (...args: readonly unknown[]) => Schedule>> // by the file's names

function make(name: string, args: readonly unknown[], options: object, target: Scheduled): Schedule {
  if (name === 'multiplicative') return optim.multiplicative(target, t => 0.95 - 0.01 * t)
  if (name === 'lambda') return optim.lambda(target, t => 0.95 ** t / (1 + t))
  if (name === 'sequential')
    return optim.sequential(
      target,
      [optim.linear(target, { startFactor: 0.1, totalIters: 5 }), optim.cosine(target, 20)],
      [5],
    )
  return Object.keys(options).length === 0 ? makers[name]!(target, ...args) : makers[name]!(target, ...args, options)
}

describe.each(reference.schedules.map(one => [one.name, one] as const))('%s', (_, one) => {
  const steps = one.schedule === 'oneCycle' ? one.values.length - 1 : one.values.length

  it("has PyTorch's learning rates and momenta", () => {
    const target = numbersOnly()
    const schedule = make(one.schedule, one.args, one.options, target)
    for (let t = 0; t < steps; t++) {
      const [group] = target.paramGroups
      expect(Math.abs(group!.lr - one.values[t]!), `learning rate of step ${t}`).toBeLessThan(1e-14)
      if (one.momenta !== undefined)
        expect(Math.abs(group!.momentum! - one.momenta[t]!), `momentum of step ${t}`).toBeLessThan(1e-14)
      schedule.step()
    }
  })

  it('continues from its state', () => {
    const [first, second] = [numbersOnly(), numbersOnly()]
    const schedule = make(one.schedule, one.args, one.options, first)
    for (let t = 0; t < 7; t++) schedule.step()
    second.paramGroups[0]!.lr = 9
    const resumed = make(one.schedule, one.args, one.options, second)
    resumed.loadStateDict(JSON.parse(JSON.stringify(schedule.stateDict())))
    expect(second.paramGroups).toEqual(first.paramGroups)
    schedule.step()
    resumed.step()
    expect(second.paramGroups).toEqual(first.paramGroups)
  })
})

describe.each(reference.plateaus.map(one => [JSON.stringify(one.options), one] as const))('plateau %s', (_, one) => {
  it("has PyTorch's learning rates, across a saved state", () => {
    const target: Scheduled = { paramGroups: [{ lr: 0.4 }] }
    let schedule = new optim.ReduceLROnPlateau(target, one.options)
    for (const [i, metric] of one.metrics.entries()) {
      schedule.step(metric)
      expect(schedule.lastLr[0]).toBeCloseTo(one.values[i]!, 14)
      const resumed = new optim.ReduceLROnPlateau(target, one.options)
      resumed.loadStateDict(schedule.stateDict())
      schedule = resumed
    }
  })
})

it('a plateau reads a tensor of one element', () => {
  const target: Scheduled = { paramGroups: [{ lr: 1 }] }
  const schedule = new optim.ReduceLROnPlateau(target, { patience: 0 })
  schedule.step(tensor([0.5]))
  schedule.step(tensor([0.6]))
  expect(schedule.lastLr).toEqual([0.1])
})

it('writes learning rate and momentum for a compiled step, which is compiled once', () => {
  const param = tensor([1], { dtype: 'f64' })
  const optimizer = new SGD([param], { lr: 0.5 })
  const schedule = optim.multiStep(optimizer, [1, 2], { gamma: 0.5 })
  const step = compile((grad: typeof param) => {
    param.grad = grad
    optimizer.step()
    param.grad = null
  })
  for (const wanted of [0.5, 0.25, 0.125]) {
    step(tensor([1], { dtype: 'f64' }))
    schedule.step()
    expect(param.toArray()).toEqual([wanted])
  }
  expect(step.stats().compiles).toBe(1)
})

it('cycles the first of the betas of Adam', () => {
  const optimizer = new Adam([zeros([2])], { betas: [0.5, 0.9] })
  const schedule = optim.oneCycle(optimizer, 0.1, { totalSteps: 10, pctStart: 0.4 })
  expect(optimizer.paramGroups[0]!.betas).toEqual([0.95, 0.9])
  for (let t = 0; t < 3; t++) schedule.step()
  expect(optimizer.paramGroups[0]!.betas[0]).toBeCloseTo(0.85, 14)
  expect(optimizer.paramGroups[0]!.lr).toBeCloseTo(0.1, 14)
})

it('treats groups by their own learning rates, and one that is added later', () => {
  const optimizer = new SGD([{ params: [zeros([1])] }, { params: [zeros([1])], lr: 2 }], { lr: 1 })
  const schedule = optim.exponential(optimizer, 0.5)
  schedule.step()
  expect(schedule.lastLr).toEqual([0.5, 1])
  optimizer.addParamGroup({ params: zeros([1]), lr: 8 })
  schedule.step()
  expect(schedule.lastLr).toEqual([0.25, 0.5, 2])
})

it('a schedule made beside another starts from the same learning rates', () => {
  const optimizer = optimiser()
  optim.linear(optimizer, { startFactor: 0.5 })
  expect(optim.constant(optimizer, { factor: 0.25 }).lastLr).toEqual([0.1])
})

describe('wrong calls', () => {
  const wrong: readonly (readonly [string, () => unknown, RegExp])[] = [
    ['no steps', () => optim.stepLR(optimiser(), 0), /stepLR: stepSize is the number 0.*at least 1/s],
    ['gamma', () => optim.exponential(optimiser(), -1), /exponential: gamma is the number -1/],
    ['an option that is none', () => optim.cosine(optimiser(), 5, { min: 1 } as object), /cosine: no option 'min'/],
    ['restarts', () => optim.cosineRestarts(optimiser(), 5, { tMult: 1.5 }), /tMult is the number 1.5/],
    ['one cycle of unknown length', () => optim.oneCycle(optimiser(), 1), /epochs \(or totalSteps\) is undefined/],
    ['cycled momentum', () => optim.oneCycle({ paramGroups: [{ lr: 1 }] }, 1, { totalSteps: 3 }), /neither momentum/],
    ['milestones', () => optim.sequential(optimiser(), [], [3]), /0 schedules and 1 milestones/],
    ['functions', () => optim.lambda(optimiser(), [() => 1, () => 1]), /2 functions for 1 groups/],
    ['a rate below 0', () => optim.lambda(optimiser(), () => -1), /learning rate of step 0 is -0.4/],
    ['plateau', () => new optim.ReduceLROnPlateau(optimiser(), { factor: 1 }), /factor is 1/],
    ['metric', () => new optim.ReduceLROnPlateau(optimiser()).step('low' as never), /metric is the string/],
    ['state', () => optim.exponential(optimiser(), 1).loadStateDict({ last_epoch: 1, base_lrs: [] }), /of 1 groups/],
  ]
  it.each(wrong)('%s', (_, call, message) => {
    expect(call).toThrow(ArgumentError)
    expect(call).toThrow(message)
  })

  it('steps beyond the end of a cycle', () => {
    const schedule = optim.oneCycle(optimiser(), 1, { totalSteps: 2 })
    schedule.step()
    schedule.step()
    expect(() => schedule.step()).toThrow(/oneCycle: step 3 of 2/)
  })

  it('within a compiled function', () => {
    const optimizer = new AdamW([zeros([1])])
    const schedule = optim.exponential(optimizer, 0.5)
    const inside = compile((x: ReturnType<typeof zeros>) => {
      schedule.step()
      return x.add(1)
    })
    expect(() => inside(zeros([1]))).toThrow(CaptureError)
    expect(schedule.steps).toBe(0)
    expect(schedule.lastLr).toEqual([0.001])
  })
})
