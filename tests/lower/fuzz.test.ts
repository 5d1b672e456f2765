/** Random tile programs: the interpreter, the simulator of the lowered program and the compiled C leave the same memory. */
import { describe, expect, it } from 'vitest'
import { emitC, scratchBytes, symbolOf } from '../../src/codegen/c/emit.js'
import { lowerTile } from '../../src/lower/cpu/lower.js'
import type { CpuTarget } from '../../src/target/cpu.js'
import { interpret } from '../../src/tile/interpret.js'
import { compileNative, exactFlags, noCompiler } from '../codegen/native.js'
import {
  copyArgs,
  describe as describeTile,
  differences,
  type RandomTile,
  randomTileProgram,
  shrinkTile,
} from '../support/random-tile.js'
import { isQuick } from '../support/sample-choice.js'
import { nativeArguments, simulateLowered, targets, threeSizes, wide } from './support.js'

/** What the lowered program does differently on a target, or null. */
function problemOf(run: RandomTile, target: CpuTarget): string | null {
  const want = copyArgs(run.args)
  interpret(run.program, want, run.grid)
  const got = copyArgs(run.args)
  simulateLowered(lowerTile(run.program, target), run.program, got, run.grid)
  return differences(run, want, got)
}

/** Throws with the smallest program that fails the same way. */
function report(run: RandomTile, target: CpuTarget, problem: string): never {
  const small = shrinkTile(run, candidate => problemOf(candidate, target) !== null)
  let how = problem
  try {
    how = problemOf(small, target) ?? problem
  } catch (error) {
    how = String(error)
  }
  throw new Error(`seed ${run.seed} on ${target.vectorBytes} bytes: ${how}\n${describeTile(small)}`)
}

const first = Number(process.env.TEGULA_FUZZ_SEED ?? 1)
const count = Number(process.env.TEGULA_FUZZ_COUNT ?? (isQuick ? 18 : 100))
const seeds = Array.from({ length: count }, (_, i) => first + i)

describe(`random tile programs, seeds ${first} to ${first + count - 1}`, () => {
  it('give the same results in the simulator and the interpreter', () => {
    for (const seed of seeds) {
      const run = randomTileProgram(seed, { size: 4 + (seed % 20) })
      const target = targets[seed % targets.length]!
      let problem: string | null
      try {
        problem = problemOf(run, target)
      } catch (error) {
        problem = String(error)
      }
      if (problem !== null) report(run, target, problem)
    }
  })

  it.skipIf(noCompiler !== null)(`compile as they interpret${noCompiler === null ? '' : ` (${noCompiler})`}`, () => {
    const runs = seeds.filter(seed => seed % 3 === 0).map(seed => randomTileProgram(seed, { size: 4 + (seed % 20) }))
    const lowered = runs.map((run, i) => lowerTile({ ...run.program, name: `random${i}` }, wide))
    const library = compileNative(emitC(lowered), [...exactFlags, '-O1'])
    runs.forEach((run, i) => {
      const [want, got] = [copyArgs(run.args), copyArgs(run.args)]
      interpret(run.program, want, run.grid)
      const program = lowered[i]!
      library.kernel(symbolOf(program), scratchBytes(program))(nativeArguments(run.program, got), threeSizes(run.grid))
      expect(differences(run, want, got), `seed ${run.seed}\n${describeTile(run)}`).toBeNull()
    })
  })
})
