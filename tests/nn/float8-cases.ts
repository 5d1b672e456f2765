/** What tests of FP8 training share. */
import { expect } from 'vitest'
import { compile, manualSeed, randn, type Tensor } from '../../src/index.js'
import { functional as F, Linear, type Module, ReLU, Sequential } from '../../src/nn/index.js'
import { type AdamW, SGD } from '../../src/optim/index.js'
import { decodeMinifloat, encodeMinifloat } from '../../src/types/minifloat.js'
import { onGpu } from '../support/tensors.js'

type Row = readonly number[]
type Matrix = readonly Row[]
export const rowsOf = (x: Tensor): Matrix => x.detach().to('f32').toArray() as number[][]
export const transposed = (m: Matrix): Matrix => m[0]!.map((_, j) => m.map(row => row[j]!))

/** What a matrix is in 8 bits: one scale, a power of two. */
export function rounded(m: Matrix, name: 'e4m3' | 'e5m2'): Matrix {
  const amax = Math.max(...m.flat().map(Math.abs))
  const scale = 2 ** Math.ceil(Math.log2(amax / (name === 'e4m3' ? 448 : 57344)))
  return m.map(row => row.map(value => decodeMinifloat(name, encodeMinifloat(name, value / scale, true)) * scale))
}

export const product = (a: Matrix, b: Matrix): Matrix =>
  a.map(row => b.map(other => row.reduce((sum, value, k) => sum + value * other[k]!, 0)))

/** Relative to the largest result: what sums in f32 lose, or tensor cores, which keep 14 bits of sums of 8-bit floats. */
const lostBySums = onGpu ? 2 ** -11 : 1e-5

export function expectClose(got: Tensor | null, wanted: Matrix, relative = lostBySums): void {
  const most = Math.max(...wanted.flat().map(Math.abs))
  for (const [i, row] of rowsOf(got!).entries())
    for (const [j, value] of row.entries()) expect(Math.abs(value - wanted[i]![j]!)).toBeLessThan(relative * most)
}

export const [M, N, K] = [3, 5, 7] as const
export function operands() {
  manualSeed(1)
  return {
    x: randn([M, K]).requiresGrad_(),
    weight: randn([N, K]).mul(0.1).detach().requiresGrad_(),
    g: randn([M, N]).mul(1e-4),
  }
}

export const small = (): Sequential => {
  manualSeed(3)
  return new Sequential(new Linear(6, 5), new ReLU(), new Linear(5, 3))
}

/** `steps` steps of training; the losses. */
export function train(
  net: Module,
  way: 'eager' | 'compiled',
  steps: number,
  optimizer: SGD | AdamW = new SGD(net.parameters(), { lr: 0.1 }),
) {
  manualSeed(4)
  const [x, y] = [randn([4, 6]), randn([4, 3])]
  const step = (x: Tensor, y: Tensor): Tensor => {
    optimizer.zeroGrad()
    const loss = F.mseLoss((net as Sequential)(x) as Tensor, y)
    loss.backward()
    optimizer.step()
    return loss.detach()
  }
  const compiled = compile(step, { fullgraph: true })
  const run = way === 'eager' ? step : compiled
  const losses = Array.from({ length: steps }, () => run(x, y).itemSync())
  return { losses, compiled, optimizer }
}
