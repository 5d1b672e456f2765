/** Errors name the function that the user called, not an op that it is made of. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { compile, dstack, hstack, linalg, randn, type Tensor, tensor, vstack } from '../../src/index.js'
import { functional as F, utils } from '../../src/nn/index.js'

beforeEach(() => void vi.stubEnv('TEGULA_BACKEND', 'interpreter'))
afterEach(() => void vi.unstubAllEnvs())

const x = (...shape: readonly number[]): Tensor => randn(shape)
const classes = (...values: readonly number[]): Tensor => tensor(values, { dtype: 'i64' })

const wrong: Readonly<Record<string, () => unknown>> = {
  viewAs: () => x(3, 4).viewAs(x(5)),
  reshapeAs: () => x(3, 4).reshapeAs(x(5)),
  expandAs: () => x(3, 4).expandAs(x(5)),
  typeAs: () => x(3).typeAs('f32' as never),
  add_: () => x(2).add_(x(3)),
  swapaxes: () => x(2).swapaxes(0, 3),
  max: () => x(2).max(4),
  hstack: () => hstack([x(2, 3), x(3, 3)]),
  vstack: () => vstack([x(2, 3), x(2, 4)]),
  dstack: () => dstack([x(2, 3), x(2, 4)]),
  multiDot: () => linalg.multiDot([x(3, 2), x(3, 2)]),
  padSequence: () => utils.padSequence([x(3, 2), x(2, 3)]),
  parametersToVector: () => utils.parametersToVector([x(2), 3 as never]),
  ctcLoss: () => F.ctcLoss(x(4, 1, 3).logSoftmax(-1), classes(1, 9).unsqueeze(0), [4], [2]),
}

describe('an error names the function that was called', () => {
  it.each(Object.entries(wrong))('%s', (name, call) => {
    let thrown: unknown = null
    try {
      call()
    } catch (error) {
      thrown = error
    }
    expect(thrown).toMatchObject({ message: expect.stringMatching(`^${name}: `) })
    expect((thrown as Error).stack).toContain((thrown as Error).message)
  })

  it('in a compiled function too', () => {
    expect(() => compile((a: Tensor, b: Tensor) => hstack([a, b]))(x(2, 3), x(3, 3))).toThrow(/^hstack: tensor 0/)
  })
})
