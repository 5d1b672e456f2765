/**
 * Random programs as people write them, with everything around a graph: objects, classes, Maps, sizes read as numbers,
 * values read, state, closures, and sequences of calls between which results and arguments are written to. The plain
 * evaluator of `plain/` says what they mean; eager and compiled code in random options must agree with it.
 *
 * FUZZ_SEED=<first seed> and FUZZ_CASES=<count> replay or search on; FUZZ_WAYS and FUZZ_FEATURES choose (programs/check.ts,
 * programs/features.ts). `npm run fuzz` runs campaigns.
 */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { isQuick } from '../support/sample-choice.js'
import { checkSeed, printFinding, shrunk } from './programs/check.js'
import { allFeatures, type Feature } from './programs/features.js'
import { randomScript } from './programs/generate.js'

const first = Number(process.env.FUZZ_SEED ?? 1)
const cases = Number(process.env.FUZZ_CASES ?? (isQuick ? 5 : 25))
const minutes = 60_000

/** At most this share of the compiled runs may be refused: otherwise little is tested. */
const refusalLimit = 0.15

describe('random programs give the same results eagerly and compiled', () => {
  beforeEach(() => {
    // A few of the campaigns' programs in a few seconds: kernels are interpreted unless a campaign asks for native ones.
    if (process.env.FUZZ_CASES === undefined) vi.stubEnv('TEGULA_BACKEND', 'interpreter')
    vi.spyOn(process, 'emitWarning').mockImplementation(() => {}) // small recompileLimits are among the options
  })
  afterEach(() => {
    vi.unstubAllEnvs()
    vi.restoreAllMocks()
  })

  it(`from seed ${first}`, { timeout: 60 * minutes }, () => {
    let [refused, runs] = [0, 0]
    for (let seed = first; seed < first + cases; seed++) {
      const report = checkSeed(seed)
      const [finding] = report.findings
      if (finding !== undefined) throw new Error(`seed ${seed}: ${printFinding(shrunk(finding))}`)
      refused += report.refusals.length
      runs += report.runs
    }
    expect(refused / runs).toBeLessThan(refusalLimit)
  })
})

describe('the programs', () => {
  it.skipIf(isQuick)('use every feature', () => {
    const used = new Set<Feature>()
    const chosen = new Set(allFeatures)
    for (let seed = 1; seed <= 240 && used.size < chosen.size; seed++)
      for (const feature of randomScript(seed, chosen).features) used.add(feature)
    expect([...chosen].filter(feature => !used.has(feature))).toEqual([])
  })

  it('are the same for the same seed', () => {
    expect(randomScript(7, new Set(allFeatures))).toEqual(randomScript(7, new Set(allFeatures)))
  })
})
