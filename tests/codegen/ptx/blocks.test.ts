/** Random tile programs lowered for blocks of threads: their PTX leaves what the tile interpreter leaves. */
import { describe, expect, it } from 'vitest'
import { emitPtx, ptxSymbolOf } from '../../../src/codegen/ptx/emit.js'
import { lowerSimt } from '../../../src/lower/simt/lower.js'
import { argumentsOf } from '../../../src/tile/abi.js'
import { interpret } from '../../../src/tile/interpret.js'
import { isFloat } from '../../../src/types/dtype.js'
import { laneArguments, threeSizes } from '../../lower/arguments.js'
import { factsOf, noFacts, target, withWarps } from '../../lower/blocks.js'
import { copyArgs, differences, type RandomTile, randomTileProgram } from '../../support/random-tile.js'
import { launch, type MachineArgument, parse } from './machine.js'

function problemOf(run: RandomTile, warps: number, known: boolean): string | null {
  const [want, got] = [copyArgs(run.args), copyArgs(run.args)]
  interpret(run.program, want, run.grid)
  const facts = known ? factsOf(run.program, run.args) : noFacts(run.program)
  const lowered = lowerSimt(withWarps(run.program, warps), target, facts)
  const text = emitPtx([lowered], target)
  const kinds = argumentsOf(run.program.params)
  const args = laneArguments(run.program, got).map((arg, i): MachineArgument => {
    const kind = kinds[i]!
    if (typeof arg === 'object') return arg
    return kind.kind === 'scalar' && isFloat(kind.dtype) ? Number(arg) : BigInt(arg)
  })
  try {
    launch(parse(text).get(ptxSymbolOf(lowered))!, args, threeSizes(run.grid), {
      sharedBytes: lowered.block!.sharedBytes,
    })
  } catch (error) {
    return `${(error as Error).message}\n${text}`
  }
  const found = differences(run, want, got)
  return found === null ? null : `${found}\n${text}`
}

const first = Number(process.env.TEGULA_FUZZ_SEED ?? 1)
const count = Number(process.env.TEGULA_FUZZ_COUNT ?? 30)

describe(`PTX of random tile programs, seeds ${first} to ${first + count - 1}`, () => {
  it("gives the interpreter's results", { timeout: 600_000 }, () => {
    for (let seed = first; seed < first + count; seed++) {
      const run = randomTileProgram(seed, { size: 4 + (seed % 20) })
      expect(problemOf(run, [1, 2, 4, 8][seed % 4]!, seed % 3 > 0), `seed ${seed}`).toBeNull()
    }
  })
})
