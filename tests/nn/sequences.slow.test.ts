/** Sequences of several lengths: in recurrent layers each is what it is alone, and the CTC loss is a sum over all paths. */
import { describe, expect, it } from 'vitest'
import { allclose, type Tensor, tensor } from '../../src/index.js'
import { CTCLoss, functional as F, GRU, LSTM } from '../../src/nn/index.js'

const wave = (shape: number[], phase = 0): Tensor => {
  const count = shape.reduce((a, b) => a * b, 1)
  return tensor(Float64Array.from({ length: count }, (_, i) => Math.sin(1.3 * i + phase))).reshape(shape)
}
const expectClose = (found: Tensor, wanted: Tensor): void =>
  expect(allclose(found, wanted, { rtol: 1e-12, atol: 1e-13 })).toBe(true)

describe('lengths of sequences', () => {
  const lengths = [2, 4, 1]

  it.each([
    new GRU(2, 3, 2, { bidirectional: true, dtype: 'f64' }),
    new LSTM(2, 3, { batchFirst: true, projSize: 2, dtype: 'f64' }),
  ])('make each what it is alone: %s', layer => {
    const { batchFirst } = layer
    const x = wave(batchFirst ? [3, 4, 2] : [4, 3, 2]).requiresGrad_()
    const [batch, time] = batchFirst ? [0, 1] : [1, 0]
    const [output, hidden] = layer(x, null, { lengths })
    const [states] = [hidden].flat() as Tensor[]
    for (const [i, length] of lengths.entries()) {
      const [wanted, state] = layer(x.narrow(batch, i, 1).narrow(time, 0, length))
      const found = output.narrow(batch, i, 1)
      expectClose(found.narrow(time, 0, length), wanted)
      expect(
        found
          .narrow(time, length, 4 - length)
          .eq(0)
          .all()
          .itemSync(),
      ).toBe(1)
      expectClose(states!.narrow(1, i, 1), ([state].flat() as Tensor[])[0]!)
    }
    output.sum().backward()
    const behind = x.grad!.narrow(batch, 2, 1).narrow(time, 1, 3)
    expect(behind.abs().amax().itemSync()).toBe(0)
  })

  it('that do not fit are refused', () => {
    const layer = new GRU(2, 3, { dtype: 'f64' })
    expect(() => layer(wave([4, 3, 2]), null, { lengths: [1, 2] })).toThrow('2 lengths for 3 sequences')
    expect(() => layer(wave([4, 3, 2]), null, { lengths: [1, 5, 2] })).toThrow('the number 5, not a length from 0 to 4')
  })
})

/** −ln of the sum over all paths that spell the labels. */
function lossOfPaths(probabilities: readonly (readonly number[])[], labels: readonly number[]): number {
  const walk = (t: number, path: readonly number[]): number => {
    if (t < probabilities.length) return probabilities[t]!.reduce((sum, p, k) => sum + p * walk(t + 1, [...path, k]), 0)
    const spelled = path.filter((label, i) => label !== 0 && label !== path[i - 1])
    return spelled.join() === labels.join() ? 1 : 0
  }
  return -Math.log(walk(0, []))
}

describe('ctcLoss', () => {
  const logProbs = wave([5, 4, 3]).logSoftmax(-1)
  const labels = [[1, 2, 1], [2, 2, 0], [1, 0, 0], [0, 0, 0]] // biome-ignore format: a matrix
  const [steps, counts] = [[5, 4, 2, 3], [3, 2, 1, 0]] // biome-ignore format: two lists
  const probabilities = logProbs.exp().toArray() as number[][][]
  const wanted = labels.map((row, n) =>
    lossOfPaths(
      probabilities.slice(0, steps![n]).map(step => step[n]!),
      row.slice(0, counts![n]),
    ),
  )

  it('is a sum over all paths', () => {
    const targets = tensor(labels, { dtype: 'i64' })
    const each = F.ctcLoss(logProbs, targets, steps!, counts!, { reduction: 'none' })
    expectClose(each, tensor(wanted, { dtype: 'f64' }))
    const flat = tensor([1, 2, 1, 2, 2, 1], { dtype: 'i64' })
    const padded = labels.map((row, n) => row.map((label, i) => (i < counts![n]! ? label : -1)))
    expectClose(F.ctcLoss(logProbs, tensor(padded, { dtype: 'i64' }), steps!, counts!, { reduction: 'none' }), each)
    const mean = wanted.reduce((sum, loss, n) => sum + loss / Math.max(1, counts![n]!), 0) / 4
    expectClose(
      new CTCLoss()(logProbs, flat, steps!, tensor(counts!, { dtype: 'i64' })),
      tensor(mean, { dtype: 'f64' }),
    )
    expectClose(
      F.ctcLoss(logProbs.get('all', 0), targets.get(0), [5], [3], { reduction: 'sum' }),
      tensor(wanted[0]!, { dtype: 'f64' }),
    )
  })

  it('is infinite, or 0, where there is no path', () => {
    const x = logProbs.detach().requiresGrad_()
    const targets = tensor(labels, { dtype: 'i64' })
    const each = F.ctcLoss(x, targets, [5, 2, 2, 3], counts!, { reduction: 'none' }).toArray() as number[]
    expect(each[1]).toBe(Infinity)
    F.ctcLoss(x, targets, [5, 2, 2, 3], counts!, { zeroInfinity: true }).backward()
    expect(x.grad!.isfinite().all().itemSync()).toBe(1)
    expect(x.grad!.get('all', 1).abs().amax().itemSync()).toBe(0)
  })

  it('refuses other shapes', () => {
    expect(() => F.ctcLoss(wave([4]), tensor([1n]), [1], [1])).toThrow('pass [T, N, C], or [T, C]')
    expect(() => F.ctcLoss(tensor([[1n]]), tensor([1n]), [1], [1])).toThrow('not floats')
    expect(() => F.ctcLoss(wave([4, 2, 3]), tensor([1n, 2n, 1n]), [4, 4], [2, 2])).toThrow(
      'ask for 4 labels, targets has 3',
    )
  })
})
