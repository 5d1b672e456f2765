/** Minimising Rosenbrock's function: PyTorch's losses, weights and numbers of calls. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { cat, compile, type Tensor, tensor } from '../../src/index.js'
import { LBFGS } from '../../src/optim/index.js'
import { reference } from './reference.js'
import { distance, weightsOf } from './train.js'

beforeEach(() => void vi.stubEnv('TEGULA_BACKEND', 'interpreter'))
afterEach(() => void vi.unstubAllEnvs())

function start(): [Tensor, Tensor] {
  const x = tensor([[-1.2, 1], [0.5, -0.3]], { dtype: 'f64' }).requiresGrad_() // biome-ignore format: a matrix
  return [x, tensor([0.7], { dtype: 'f64' }).requiresGrad_()]
}

const lossOf = (x: Tensor, y: Tensor): Tensor => {
  const z = cat([x.reshape([-1]), y])
  const [first, rest] = [z.slice([null, -1]), z.slice([1, null])]
  return rest.sub(first.square()).square().mul(10).add(first.rsub(1).square()).sum()
}

describe('L-BFGS', () => {
  it.each(reference.lbfgs)('with $options', ({ options, losses, weights, calls }) => {
    const params = start()
    const optimizer = new LBFGS(params, options)
    let count = 0
    const found = losses.map(() =>
      optimizer
        .step(() => {
          count++
          optimizer.zeroGrad()
          const loss = lossOf(...params)
          loss.backward()
          return loss
        })
        .itemSync(),
    )
    expect(count).toBe(calls)
    expect(distance([found], [losses])).toBeLessThan(1e-9)
    expect(distance(weightsOf(params), weights)).toBeLessThan(1e-7)
  })

  it('goes on from a saved state as it would have gone on itself', () => {
    const { options, losses } = reference.lbfgs[2]!
    const step = (optimizer: LBFGS, params: [Tensor, Tensor]): number => {
      const closure = (): Tensor => {
        optimizer.zeroGrad()
        const loss = lossOf(...params)
        loss.backward()
        return loss
      }
      return optimizer.step(closure).itemSync()
    }
    const params = start()
    const first = new LBFGS(params, options)
    expect(first.stateDict().state).toEqual({})
    const found = [step(first, params)]
    const saved = first.stateDict()
    expect(saved.param_groups[0]).toMatchObject({ max_iter: 20, line_search_fn: 'strongWolfe', params: [0, 1] })
    const second = new LBFGS(params) // options come with the state
    second.loadStateDict(saved)
    found.push(step(second, params), step(second, params))
    expect(distance([found], [losses])).toBeLessThan(1e-9)
    expect(() => new LBFGS([params[0]], options).loadStateDict(saved)).toThrow(
      /a state of 1 group and 2 parameters, for 1 parameter of 4 elements/,
    )
    const state = saved.state[0]!
    const third = new LBFGS(params)
    const load = (other: object): void => third.loadStateDict({ ...saved, state: { 0: { ...state, ...other } } })
    expect(() => third.loadStateDict({} as never)).toThrow(/is no state dict/)
    expect(() => load({ ro: [] })).toThrow(/old_dirs, old_stps and ro have \d+, \d+ and 0 entries/)
    expect(() => load({ d: undefined })).toThrow(/undefined among its vectors/)
    expect(() => load({ d: tensor([1]) })).toThrow(/f32\[1\] among its vectors/)
    expect(() => load({ t: 'far' })).toThrow(/"far" among its numbers/)
    expect(third.stateDict().state).toEqual({})
    third.loadStateDict(saved)
    third.loadStateDict({ ...saved, state: {} })
    expect(third.stateDict().state).toEqual({})
  })

  it('takes compiled closures, and refuses to be compiled', () => {
    const params = start()
    const optimizer = new LBFGS(params, { lineSearchFn: 'strongWolfe' })
    const closure = compile(() => {
      optimizer.zeroGrad()
      const loss = lossOf(...params)
      loss.backward()
      return loss
    })
    const { losses } = reference.lbfgs.find(({ options }) => 'lineSearchFn' in options)!
    expect(distance([losses.map(() => optimizer.step(closure).itemSync())], [losses])).toBeLessThan(1e-9)
    expect(() => compile(() => optimizer.step(closure))()).toThrow(/LBFGS.step inside of/)
  })

  it('refuses what it cannot do', () => {
    expect(() => new LBFGS([])).toThrow(/not a list of tensors/)
    expect(() => new LBFGS(start(), { momentum: 1 } as object)).toThrow(/momentum/)
    expect(() => new LBFGS(start(), { lineSearchFn: 'armijo' } as object)).toThrow(/'armijo'/)
    expect(() => new LBFGS(start(), { lr: -1 })).toThrow(/lr is the number -1/)
    expect(() => new LBFGS(start(), { maxIter: 1.5 })).toThrow(/maxIter is the number 1.5/)
    expect(() => new LBFGS(start()).step(undefined as never)).toThrow(/LBFGS.step: the closure is undefined/)
    expect(() => new LBFGS(start()).step((() => 3) as never)).toThrow(/LBFGS.step: the closure gave the number 3/)
  })
})
