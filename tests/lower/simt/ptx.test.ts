/** Random tile programs become PTX that the assembler takes. */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { emitPtx } from '../../../src/codegen/ptx/emit.js'
import { lowerSimt } from '../../../src/lower/simt/lower.js'
import { cudaArchs, genericCudaTarget } from '../../../src/target/cuda.js'
import { randomTileProgram } from '../../support/random-tile.js'
import { factsOf, noFacts, withWarps } from '../blocks.js'

const hasPtxas = spawnSync('ptxas', ['--version']).status === 0

/** The assembler's complaint, or null. */
function assemble(text: string, arch: string): string | null {
  const folder = mkdtempSync(join(tmpdir(), 'tegula-ptx-'))
  try {
    const file = join(folder, 'kernels.ptx')
    writeFileSync(file, text)
    execFileSync('ptxas', ['-arch', arch, file, '-o', join(folder, 'kernels.cubin')], { stdio: 'pipe' })
    return null
  } catch (error) {
    return String((error as { stderr?: unknown }).stderr ?? error)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const first = Number(process.env.TEGULA_FUZZ_SEED ?? 1)
const count = Number(process.env.TEGULA_FUZZ_COUNT ?? 24)

describe(`PTX of random tile programs, seeds ${first} to ${first + count - 1}`, () => {
  it.skipIf(!hasPtxas)('assembles (needs ptxas)', { timeout: 600_000 }, () => {
    for (const arch of [cudaArchs.sm_80, cudaArchs.sm_90a]) {
      const target = genericCudaTarget(arch)
      const lowered = Array.from({ length: count }, (_, i) => {
        const run = randomTileProgram(first + i, { size: 4 + (i % 20) })
        const facts = i % 2 === 0 ? factsOf(run.program, run.args) : noFacts(run.program)
        const program = withWarps({ ...run.program, name: `random${first + i}` }, [1, 2, 4, 8][i % 4]!)
        return lowerSimt(program, target, facts)
      })
      expect(assemble(emitPtx(lowered, target), arch.name)).toBeNull()
    }
  })
})
