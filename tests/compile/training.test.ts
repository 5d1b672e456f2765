/** Backward passes, `.grad` and updates inside compiled functions give what they give eagerly, and are guarded. */
import { describe, expect, it } from 'vitest'
import { compile, noGrad, type Tensor, tensor, zeros } from '../../src/index.js'

const leaf = (values: number[] | number[][]): Tensor => tensor(values, { dtype: 'f64' }).requiresGrad_()
const valuesOf = (x: Tensor | null): unknown => (x === null ? null : x.toArray())

/** A linear model with its data, and one step of gradient descent. */
function model() {
  const w = leaf([[0.5, -1], [2, 0.25], [1, 1]]) // biome-ignore format: a matrix
  const b = leaf([0.1, -0.2])
  const x = tensor([[1, 2, 3], [-1, 0.5, 2]], { dtype: 'f64' }) // biome-ignore format: a matrix
  const loss = (given: Tensor): Tensor => given.matmul(w).add(b).tanh().square().mean()
  const step = (given: Tensor): Tensor => {
    const l = loss(given)
    l.backward()
    noGrad(() => {
      for (const p of [w, b]) {
        p.sub_(p.grad!.mul(0.1))
        p.grad = null
      }
    })
    return l
  }
  return { w, b, x, loss, step }
}

describe('a backward pass in a compiled function', () => {
  it('leaves gradients as the eager one does', () => {
    const [eager, compiled] = [model(), model()]
    eager.loss(eager.x).backward()
    const f = compile((x: Tensor) => {
      const l = compiled.loss(x)
      l.backward()
      return l
    })
    expect(f(compiled.x).itemSync()).toBeCloseTo(eager.loss(eager.x).itemSync() as number, 14)
    expect(valuesOf(compiled.w.grad)).toEqual(valuesOf(eager.w.grad))
    expect(valuesOf(compiled.b.grad)).toEqual(valuesOf(eager.b.grad))
  })

  it('adds to gradients that are there, in their memory: a second version, and no third', () => {
    const { w, x, loss } = model()
    const f = compile((given: Tensor) => loss(given).backward())
    f(x)
    const first = w.grad!
    const once = first.clone()
    for (let i = 2; i <= 4; i++) {
      f(x)
      expect(w.grad).toBe(first)
      expect(valuesOf(w.grad)).toEqual(valuesOf(once.mul(i)))
    }
    w.grad = zeros([3, 2], { dtype: 'f64' })
    f(x)
    expect(valuesOf(w.grad)).toEqual(valuesOf(once))
    expect(f.stats().compiles).toBe(2)
  })

  it('is one graph with the update of the parameters', () => {
    const [eager, compiled] = [model(), model()]
    const step = compile(compiled.step, { fullgraph: true })
    for (let i = 0; i < 5; i++)
      expect(step(compiled.x).itemSync()).toBeCloseTo(eager.step(eager.x).itemSync() as number, 13)
    expect(step.stats().compiles).toBe(1)
    expect(compiled.w.grad).toBe(null)
    for (const name of ['w', 'b'] as const) {
      const [got, want] = [compiled[name].dataSync('f64'), eager[name].dataSync('f64')]
      for (const [i, value] of got.entries()) expect(value).toBeCloseTo(want[i]!, 13)
    }
  })

  it('several steps in one function', () => {
    const [eager, compiled] = [model(), model()]
    const step = compile((x: Tensor) => [compiled.step(x), compiled.step(x)])
    for (let i = 0; i < 2; i++) {
      const losses = step(compiled.x).map(loss => loss.itemSync() as number)
      for (const loss of losses) expect(loss).toBeCloseTo(eager.step(eager.x).itemSync() as number, 13)
    }
  })
})
