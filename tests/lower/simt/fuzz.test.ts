/** Random tile programs: the interpreter and the simulated block of threads leave the same memory. */
import { describe, it } from 'vitest'
import { lowerSimt } from '../../../src/lower/simt/lower.js'
import { interpret } from '../../../src/tile/interpret.js'
import {
  copyArgs,
  describe as describeTile,
  differences,
  type RandomTile,
  randomTileProgram,
  shrinkTile,
} from '../../support/random-tile.js'
import { isQuick } from '../../support/sample-choice.js'
import { factsOf, noFacts, simulateProgram, target, withWarps } from '../blocks.js'

/** What the lowered program does differently, or null. */
function problemOf(run: RandomTile, warps: number, known: boolean): string | null {
  const want = copyArgs(run.args)
  interpret(run.program, want, run.grid)
  const got = copyArgs(run.args)
  const facts = known ? factsOf(run.program, run.args) : noFacts(run.program)
  simulateProgram(lowerSimt(withWarps(run.program, warps), target, facts), run.program, got, run.grid)
  return differences(run, want, got)
}

/** Throws with the smallest program that fails the same way. */
function report(run: RandomTile, warps: number, known: boolean, problem: string): never {
  const small = shrinkTile(run, candidate => problemOf(candidate, warps, known) !== null)
  let how = problem
  try {
    how = problemOf(small, warps, known) ?? problem
  } catch (error) {
    how = String(error)
  }
  throw new Error(`seed ${run.seed}, ${warps} warps, ${known ? '' : 'no '}facts: ${how}\n${describeTile(small)}`)
}

const first = Number(process.env.TEGULA_FUZZ_SEED ?? 1)
const count = Number(process.env.TEGULA_FUZZ_COUNT ?? (isQuick ? 20 : 60))
const seeds = Array.from({ length: count }, (_, i) => first + i)

describe(`random tile programs on blocks of threads, seeds ${first} to ${first + count - 1}`, () => {
  it('give the same results in the simulator and the interpreter', { timeout: 600_000 }, () => {
    for (const seed of seeds) {
      const run = randomTileProgram(seed, { size: 4 + (seed % 20) })
      const warps = [1, 2, 4, 8][seed % 4]!
      const known = seed % 3 > 0
      let problem: string | null
      try {
        problem = problemOf(run, warps, known)
      } catch (error) {
        problem = String(error)
      }
      if (problem !== null) report(run, warps, known, problem)
    }
  })
})
