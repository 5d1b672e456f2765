/** Arguments that are updated from each other's old and new values: one kernel in place where that is elementwise. */
import { describe, expect, it } from 'vitest'
import { compile, type Tensor, tensor } from '../../src/index.js'

const numbers = (from: number, count = 37): Tensor => tensor(Array.from({ length: count }, (_, i) => from + i))
const square = (from: number): Tensor =>
  tensor(Array.from({ length: 25 }, (_, i) => from + i))
    .reshape([5, 5])
    .clone()

interface Case {
  readonly update: (p: Tensor, m: Tensor, g: Tensor) => void
  /** Kernels that change something. */
  readonly kernels: number
  readonly made?: (from: number) => Tensor
}

const cases: Readonly<Record<string, Case>> = {
  'the new value of one is used for the other': {
    update(p, m, g) {
      m.mul_(0.5).add_(g)
      p.sub_(m.mul(0.25))
    },
    kernels: 1,
  },
  'the old value of one is used for the other': {
    update(p, m, g) {
      const old = m.mul(1)
      m.mul_(0.5).add_(g)
      p.sub_(old.mul(0.25).add(g))
    },
    kernels: 1,
  },
  'two are exchanged': {
    update(p, m, g) {
      const [first, second] = [p.add(g), m.add(g)]
      p.copy_(second)
      m.copy_(first)
    },
    kernels: 1,
  },
  'one becomes what the other was': {
    update(p, m, g) {
      const old = p.mul(2)
      p.copy_(m.mul(3))
      m.copy_(old)
      m.add_(g.mul(0))
    },
    // No value is used by both, so they stay apart, and neither may destroy what the other reads.
    kernels: 4,
  },
  'the other is transposed, which is elementwise too': {
    update(p, m, g) {
      m.add_(g)
      p.sub_(m.t())
    },
    kernels: 1,
    made: square,
  },
  'the other is read backwards': {
    update(p, m, g) {
      m.add_(g)
      p.sub_(m.flip([0]).add(m))
    },
    kernels: 3,
  },
  'the other is reduced': {
    update(p, m, g) {
      m.add_(g)
      p.sub_(m.sum())
    },
    kernels: 3,
  },
  'a matmul is what both are updated by': {
    update(p, m, g) {
      const slope = g.matmul(g)
      m.mul_(0.5).add_(slope)
      p.sub_(m.mul(0.25))
    },
    kernels: 2,
    made: square,
  },
}

describe.each(Object.entries(cases))('%s', (_, { update, kernels, made = numbers }) => {
  it('as eager code does it', () => {
    const [p, m, g] = [made(1), made(100), made(7)]
    const eager = [p.clone(), m.clone()] as const
    const step = compile(update)
    for (let i = 0; i < 3; i++) {
      step(p, m, g)
      update(...eager, g)
    }
    expect([...p.dataSync()]).toEqual([...eager[0].dataSync()])
    expect([...m.dataSync()]).toEqual([...eager[1].dataSync()])
    expect(step.explain(p, m, g).kernels).toHaveLength(kernels)
  })
})
