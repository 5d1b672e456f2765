/** Twelve steps in f64 give PyTorch's weights, stepped eagerly and within a compiled function: one case of each optimiser. */
import { afterEach, beforeEach, describe, it, vi } from 'vitest'
import { interpretedWhenQuick } from '../support/interpreted.js'
import { reference, type Trajectory } from './reference.js'
import { followCompiled, followEagerly } from './train.js'

interpretedWhenQuick()

beforeEach(() => void vi.stubEnv('TEGULA_BACKEND', 'interpreter'))
afterEach(() => void vi.unstubAllEnvs())

const chosen = ['SGD: nesterov', 'Adam: amsgrad', 'AdamW: defaults', 'Adagrad: everything']
const others = [
  'RMSprop: centered with momentum',
  'Lion: weight decay',
  'Muon: defaults',
  'NAdam: everything',
  'RAdam: defaults',
  'Rprop: everything',
  'ASGD: everything',
  'SGD: learning rates',
  'AdamW: groups',
]
const titles = reference.trajectories.map((one): [string, Trajectory] => [`${one.optimiser}: ${one.name}`, one])

describe.each(titles.filter(([title]) => [...chosen, ...others].includes(title)))('%s', (_, one) => {
  it('eagerly', () => followEagerly(one))
  it('within a compiled function', () => followCompiled(one))
})
