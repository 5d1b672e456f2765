/** Recurrent layers in compiled functions: long sequences are loops, short ones are unrolled. */
import { expect, test } from 'vitest'
import { allclose, compile, manualSeed, noGrad, randn, type Tensor, zeros } from '../../src/index.js'
import { GRU, LSTM, RNN } from '../../src/nn/index.js'

const close = (a: Tensor, b: Tensor): boolean => allclose(a, b, { rtol: 1e-5, atol: 1e-6 })

test.each([
  ['RNN', new RNN(3, 4)],
  ['GRU', new GRU(3, 4, { bidirectional: true })],
  ['LSTM', new LSTM(3, 4, { numLayers: 2, projSize: 2 })],
] as const)('%s over long sequences of any length is one version', (_, layer) => {
  const run = (x: Tensor): Tensor => noGrad(() => layer(x)[0])
  const f = compile(run, { dynamic: true })
  for (const length of [65, 80, 200, 16, 5]) {
    const x = randn([length, 2, 3])
    expect(close(f(x), run(x)), `${length} steps`).toBe(true)
  }
  expect(f.stats().compiles).toBe(1)
})

test('a known length of hundreds of steps is a loop too', () => {
  const layer = new LSTM(3, 4)
  const run = (x: Tensor): Tensor[] => noGrad(() => layer(x)).flat()
  const f = compile(run)
  const x = randn([301, 2, 3])
  const expected = run(x)
  for (const [i, result] of f(x).entries()) expect(close(result, expected[i]!)).toBe(true)
  expect(String(f.explain(x))).toContain('scan body')
})

test('what is trained has the gradients of eager code', () => {
  manualSeed(3)
  const eager = new LSTM(3, 4)
  const compiled = eager.clone()
  const step = (layer: LSTM) => (x: Tensor) => {
    const loss = layer(x)[0].pow(2).mean()
    loss.backward()
    return loss
  }
  const f = compile(step(compiled))
  const x = randn([70, 2, 3])
  expect(close(f(x), step(eager)(x))).toBe(true)
  for (const [i, parameter] of compiled.parameters().entries()) {
    expect(close(parameter.grad!, eager.parameters()[i]!.grad!)).toBe(true)
  }
})

test.each([
  ['RNN', new RNN(3, 4, { nonlinearity: 'relu' })],
  ['GRU', new GRU(3, 4, { bidirectional: true })],
  ['LSTM', new LSTM(3, 4, { numLayers: 2, projSize: 2 })],
] as const)('%s over long sequences is trained by a loop', (_, layer) => {
  const step = (x: Tensor): Tensor => {
    const [output, states] = layer(x)
    const loss = [output, states].flat().reduce((sum, each) => sum.add(each.square().sum()), zeros([]))
    loss.backward()
    return loss.detach()
  }
  const compiled = compile(step, { fullgraph: true })
  const x = randn([40, 2, 3])
  for (const length of [40, 23]) {
    const part = x.slice([0, length])
    const run = (fn: (given: Tensor) => Tensor): Tensor[] => {
      for (const p of layer.parameters()) p.grad = null
      return [fn(part), ...[...layer.parameters()].map(p => p.grad!)]
    }
    const want = run(step)
    for (const [i, each] of run(compiled).entries()) expect(close(each, want[i]!)).toBe(true)
  }
  expect(String(compiled.explain(x))).toContain('scan body')
})
