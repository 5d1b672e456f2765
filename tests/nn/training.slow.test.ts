/** Compiled training steps with modules: the same numbers as eager ones, modes, tied weights, versions. */
import { expect, test } from 'vitest'
import { allclose, compile, noGrad, type Tensor, tensor } from '../../src/index.js'
import { BatchNorm1d, Embedding, functional as F, Linear, Module, ReLU, Sequential } from '../../src/nn/index.js'
import { SGD } from '../../src/optim/index.js'

const close = (a: Tensor, b: Tensor): boolean => allclose(a, b, { rtol: 1e-4, atol: 1e-5 })

class Tied extends Module {
  embed = new Embedding(5, 3)
  body = new Sequential(new Linear(3, 3), new BatchNorm1d(3), new ReLU())
  head = new Linear(3, 5, { bias: false })
  constructor() {
    super()
    this.head.weight = this.embed.weight
  }
  forward(x: Tensor): Tensor {
    return this.head(this.body(this.embed(x)))
  }
}

const x = tensor([0, 1, 2, 3, 4, 1], { dtype: 'i64' })
const y = tensor([1, 2, 3, 4, 0, 2], { dtype: 'i64' })

function stepOf(net: Tied): () => Tensor {
  const optimizer = new SGD(net.parameters(), { lr: 0.1, momentum: 0.9 })
  return () => {
    const loss = F.crossEntropy(net(x), y)
    loss.backward()
    optimizer.step()
    optimizer.zeroGrad()
    return loss
  }
}

test('a compiled step trains a module as an eager one does', () => {
  const eager = new Tied()
  const compiled = eager.clone()
  const [a, b] = [stepOf(eager), compile(stepOf(compiled))]
  const evaluate = compile(() => noGrad(() => compiled.eval()(x)))
  for (let i = 0; i < 4; i++) {
    expect(close(a(), b())).toBe(true)
    expect(
      close(
        evaluate(),
        noGrad(() => eager.eval()(x)),
      ),
    ).toBe(true)
    eager.train()
    compiled.train()
  }
  const [expected, found] = [eager.stateDict(), compiled.stateDict()]
  expect(Object.keys(found)).toEqual(Object.keys(expected))
  for (const [name, value] of Object.entries(found))
    expect(close(value.to('f32'), expected[name]!.to('f32')), name).toBe(true)
  expect(compiled.head.weight).toBe(compiled.embed.weight)
  expect(compiled.body.buffers().some(buffer => buffer.requiresGrad)).toBe(false)
  expect(b.stats().compiles).toBeLessThanOrEqual(2)
})

test('freezing is seen at the next call', () => {
  const net = new Tied()
  const f = compile(() => F.crossEntropy(net(x), y).backward())
  f()
  expect(net.parameters().every(({ grad }) => grad !== null)).toBe(true)
  net.zeroGrad()
  net.body.requiresGrad_(false)
  f()
  expect(net.body.parameters().every(({ grad }) => grad === null)).toBe(true)
  expect(net.embed.weight.grad).not.toBe(null)
})
