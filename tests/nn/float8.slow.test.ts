/** FP8 training: gradients of gradients, given scales, compiled steps, and what low precision costs in a training. */
import { describe, expect, it } from 'vitest'
import {
  autocast,
  compile,
  gradients,
  jvp,
  manualSeed,
  noGrad,
  randn,
  type Tensor,
  tensor,
  zeros,
} from '../../src/index.js'
import { functional as F, fp8, Linear, Sequential } from '../../src/nn/index.js'
import { AdamW, AveragedModel } from '../../src/optim/index.js'
import { expectClose, K, M, operands, product, rounded, rowsOf, small, train } from './float8-cases.js'

describe('fp8Linear', () => {
  it('tangents and gradients of gradients pass straight through too', () => {
    const { x, weight, g } = operands()
    const b = rounded(rowsOf(weight), 'e4m3')
    const t = randn([M, K])
    const [, tangent] = jvp((x: Tensor) => F.fp8Linear(x, weight.detach()), [x.detach()], [t])
    expectClose(tangent as Tensor, product(rounded(rowsOf(t), 'e5m2'), b))
    const seed = g.clone().requiresGrad_()
    const [dx] = gradients([F.fp8Linear(x, weight)], [x], { gradOutputs: [seed], createGraph: true })
    const u = randn([M, K])
    const [dg] = gradients([dx!], [seed], { gradOutputs: [u] })
    expectClose(dg!, product(rounded(rowsOf(u), 'e5m2'), b))
  })

  it('takes scales that are known, and tells the magnitude of gradients', () => {
    const { x, weight, g } = operands()
    const gradientAmax = zeros([], { requiresGrad: true })
    const scaling = { input: tensor(2 ** -7), weight: tensor(0), gradient: tensor(2 ** -27), gradientAmax }
    const y = F.fp8Linear(x, weight, { scaling })
    const own = F.fp8Linear(x, weight)
    expectClose(y, rowsOf(own), 2 ** -4)
    y.backward({ gradient: g })
    const amax = Math.max(...rowsOf(g).flat().map(Math.abs))
    expect(gradientAmax.grad!.itemSync()).toBeCloseTo(amax, 10)
  })
  it('has the dtype of autocast, and rounds master weights once', () => {
    const { x, weight } = operands()
    const y = autocast('bf16', () => F.fp8Linear(x, weight))
    expect(y.dtype).toBe('bf16')
    expectClose(y, rowsOf(F.fp8Linear(x, weight)), 2 ** -8)
    y.sum().backward()
    expect([x.grad!.dtype, weight.grad!.dtype]).toEqual(['f32', 'f32'])
  })
})

describe('fp8', () => {
  it.each(['current', 'block', 'delayed'] as const)(
    'a compiled step is one graph that is traced twice at most: %s',
    scaling => {
      const [net, other] = [small(), small()].map(each => fp8(each, { scaling, historyLength: 3 }))
      const eager = train(net!, 'eager', 4).losses
      const { losses, compiled } = train(other!, 'compiled', 4)
      for (const [i, loss] of losses.entries()) expect(loss).toBeCloseTo(eager[i]!, 4)
      expect(compiled.stats().compiles).toBeLessThanOrEqual(2)
      expect(losses[3]).toBeLessThan(losses[0]!)
    },
  )

  it('evaluation leaves the histories alone; copies have their own', () => {
    const net = fp8(small(), { scaling: 'delayed', historyLength: 2 })
    train(net, 'eager', 1)
    const histories = (): unknown =>
      Object.entries(net.stateDict()).flatMap(([name, value]) => (name.endsWith('amax') ? [value.toArray()] : []))
    const before = histories()
    net.eval()
    noGrad(() => net(randn([4, 6]).mul(100)))
    expect(histories()).toEqual(before)
    train(net.clone().train(), 'eager', 2)
    expect(histories()).toEqual(before)
  })

  it('delayed scaling remembers what the last calls saw, and resumes from a state dict', () => {
    const net = fp8(small(), { scaling: 'delayed', historyLength: 3 })
    const { optimizer } = train(net, 'eager', 2, new AdamW(net.parameters(), { lr: 0.01 }))
    const state = Object.fromEntries(Object.entries(net.stateDict()).map(([name, value]) => [name, value.clone()]))
    expect(Object.keys(state).filter(name => name.startsWith('0.'))).toEqual([
      ...['0.weight', '0.bias', '0.input_amax', '0.weight_amax', '0.gradient_amax'],
    ])
    const seen = state['0.input_amax']!.toArray() as number[]
    expect(seen[0]).toBeGreaterThan(0)
    expect([seen[1], seen[2]]).toEqual([seen[0], 0])
    expect((state['0.gradient_amax']!.toArray() as number[]).map(amax => amax > 0)).toEqual([true, true, false])
    const again = fp8(small(), { scaling: 'delayed', historyLength: 3 })
    again.loadStateDict(state)
    const resumed = new AdamW(again.parameters(), { lr: 0.01 })
    resumed.loadStateDict(optimizer.stateDict())
    expect(train(again, 'eager', 3, resumed).losses).toEqual(train(net, 'eager', 3, optimizer).losses)
    expect(small().loadStateDict(state, { strict: false }).unexpectedKeys.length).toBe(6)
  })

  it('a step with infinite gradients is seen, and not remembered', () => {
    const net = fp8(new Sequential(new Linear(2, 2)), { scaling: 'delayed', historyLength: 2 })
    const x = tensor([[1, Number.POSITIVE_INFINITY]])
    const y = net(x) as Tensor
    expect(y.isnan().all().itemSync()).toBe(1)
    y.sum().backward()
    const [[, inputs]] = net.namedBuffers() as [[string, Tensor]]
    expect(inputs.toArray()).toEqual([1, 0])
  })

  it.each(['delayed', 'block'] as const)('batches of all sizes, with an average of the weights: %s', scaling => {
    const sizes = [4, 4, 7, 130, 1, 200]
    const run = (way: 'eager' | 'compiled'): { losses: number[]; compiles: number } => {
      const net = fp8(small(), { scaling })
      const [optimizer, averaged] = [new AdamW(net.parameters(), { lr: 0.01 }), new AveragedModel(net, { decay: 0.9 })]
      const step = (x: Tensor): Tensor => {
        optimizer.zeroGrad()
        const loss = (autocast('bf16', () => net(x)) as Tensor).to('f32').square().mean()
        loss.backward()
        optimizer.step()
        averaged.update(net)
        return loss.detach()
      }
      const compiled = compile(step)
      manualSeed(5)
      const losses = sizes.map(size => (way === 'eager' ? step : compiled)(randn([size, 6])).itemSync())
      return {
        losses: [...losses, averaged.module.parameters()[0]!.norm().itemSync()],
        compiles: compiled.stats().compiles,
      }
    }
    const [eager, { losses, compiles }] = [run('eager'), run('compiled')]
    for (const [i, loss] of losses.entries()) expect(loss).toBeCloseTo(eager.losses[i]!, 4)
    expect(compiles).toBeLessThanOrEqual(4)
  })

  it('works in a compiled model outside of a compiled step, and in bf16', () => {
    const slopes = (way: 'eager' | 'compiled', dtype: 'f32' | 'bf16'): number[] => {
      const net = fp8(small(), { scaling: 'delayed' }).to(dtype)
      const run = way === 'eager' ? net : compile((x: Tensor) => net(x))
      manualSeed(6)
      for (let i = 0; i < 2; i++) (run(randn([5, 6]).to(dtype)) as Tensor).square().sum().backward()
      return [...net.parameters().map(({ grad }) => grad!), ...net.buffers()].map(each => each.norm().itemSync())
    }
    for (const dtype of ['f32', 'bf16'] as const) {
      const eager = slopes('eager', dtype)
      expect(eager.every(norm => norm > 0)).toBe(true)
      for (const [i, norm] of slopes('compiled', dtype).entries())
        expect(Math.abs(norm / eager[i]! - 1)).toBeLessThan(dtype === 'f32' ? 1e-4 : 2 ** -6)
    }
  })
})
