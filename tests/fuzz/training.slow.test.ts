/**
 * Random programs that take gradients: parameters, views, changes in place, backward passes inside and outside of the compiled
 * function, hooks, optimisers, modules, and what their caller does between calls. Compiled code must leave the values, gradients,
 * flags and errors that eager code leaves.
 *
 * FUZZ_SEED=<first seed> and FUZZ_CASES=<count> replay or search on.
 */
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { checkTraining, printFinding, shrunk } from './training/check.js'
import { randomTraining } from './training/generate.js'

const first = Number(process.env.FUZZ_SEED ?? 100)
const cases = Number(process.env.FUZZ_CASES ?? 24)
const minutes = 60_000

/** At most this share may be refused: otherwise little is tested. */
const refusalLimit = 0.5

beforeEach(() => {
  vi.stubEnv('TEGULA_BACKEND', 'interpreter')
  vi.spyOn(process, 'emitWarning').mockImplementation(() => {}) // small recompileLimits, steps without gradients
})
afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

it(`random training programs leave the same eagerly and compiled, from seed ${first}`, {
  timeout: 60 * minutes,
}, () => {
  let refused = 0
  for (let seed = first; seed < first + cases; seed++) {
    const report = checkTraining(seed)
    if (report.finding !== null) throw new Error(`seed ${seed}: ${printFinding(shrunk(report.finding))}`)
    if (report.refused !== null) refused++
  }
  expect(refused / cases).toBeLessThan(refusalLimit)
})

it('the programs are the same for the same seed, and take gradients', () => {
  expect(randomTraining(7)).toEqual(randomTraining(7))
  const texts = Array.from({ length: 12 }, (_, seed) => JSON.stringify(randomTraining(seed)))
  expect(texts.filter(text => /backward|gradients/.test(text)).length).toBeGreaterThan(6)
})
