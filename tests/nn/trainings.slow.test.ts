/** Twelve steps of small models in float64: losses and final weights are PyTorch's, eagerly and as one compiled graph. */
import { describe, expect, it } from 'vitest'
import { compile, type Tensor } from '../../src/index.js'
import { clipGradNorm } from '../../src/optim/index.js'
import { inputsOf, lossOf, references, stateOf, tensorOf, trainings } from './trainings.js'

const ways: Readonly<Record<string, (step: (x: Tensor, y: Tensor) => Tensor) => typeof step>> = {
  eagerly: step => step,
  compiled: step => compile(step, { fullgraph: true }),
}

describe.each(Object.keys(ways))('%s', way => {
  it.each(Object.keys(trainings))('%s', { timeout: 120_000 }, name => {
    const [make, optimiser] = trainings[name]!
    const wanted = references[name]!
    const net = make().to('f64')
    net.loadStateDict(stateOf(wanted.start))
    const opt = optimiser(net)
    const step = ways[way]!((x, y) => {
      const loss = lossOf(net, x, y)
      loss.backward()
      clipGradNorm(net.parameters(), 0.5)
      opt.step()
      opt.zeroGrad()
      return loss
    })
    const [x, y] = [inputsOf(name, wanted), tensorOf(wanted.targets, 'i64')]
    const losses = wanted.losses.map(() => step(x, y).itemSync() as number)
    for (const [i, loss] of losses.entries()) expect(Math.abs(loss - wanted.losses[i]!), `step ${i}`).toBeLessThan(1e-9)
    const state = net.stateDict()
    for (const [key, want] of Object.entries(stateOf(wanted.end))) {
      const difference = state[key]!.to('f64').sub(want.to('f64')).abs().max().itemSync() as number
      expect(difference, key).toBeLessThan(1e-9)
    }
  })
})
