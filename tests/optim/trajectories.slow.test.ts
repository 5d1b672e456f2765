/** Twelve steps in f64 give PyTorch's weights: every option of every optimiser, also where gradients are missing. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { optimisers, reference, type Trajectory } from './reference.js'
import { followCompiled, followEagerly } from './train.js'

beforeEach(() => void vi.stubEnv('TEGULA_BACKEND', 'interpreter'))
afterEach(() => void vi.unstubAllEnvs())

const titles = reference.trajectories.map((one): [string, Trajectory] => [`${one.optimiser}: ${one.name}`, one])

it('has trajectories of all optimisers', () => {
  expect(new Set(reference.trajectories.map(({ optimiser }) => optimiser)).size).toBe(Object.keys(optimisers).length)
})

describe.each(titles)('%s', (_, one) => {
  it('eagerly', () => followEagerly(one))
  // Which gradients are missing is known when the function is traced.
  it.skipIf(one.missing.length > 0)('within a compiled function', () => followCompiled(one))
})
