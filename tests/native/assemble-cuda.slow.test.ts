/** Kernels of the suite's samples are PTX that `ptxas` takes, with hardly a spill; scripts/gpu/assemble.ts takes them all. */
import { describe, expect, it } from 'vitest'
import { assembleCorpus } from '../../scripts/gpu/assemble.js'
import { cudaArchs } from '../../src/target/cuda.js'
import { noAssembler } from '../codegen/ptx/assemble.js'

const every = Number(process.env.TEGULA_ASSEMBLE_EVERY ?? 90)

/** Random draws, softmax and a product of depth 1 in one kernel of rows: more live values than registers (204 bytes). */
const known = /^ops\/attentionDropout\/depth of one, any sizes/

describe.skipIf(noAssembler !== null)(`kernels of every ${every}th sample (needs ptxas)`, () => {
  for (const arch of [cudaArchs.sm_80, cudaArchs.sm_90a]) {
    it(`assemble for ${arch.name}`, { timeout: 600_000 }, () => {
      const { kernels, refused, spilled } = assembleCorpus(arch, '', every)
      expect(kernels).toBeGreaterThan(0)
      expect(refused).toEqual([])
      // Two of 7,300 kernels, which take sizes at run time, spill a register or two.
      const beyond = spilled.filter(({ bytes }) => bytes > 16)
      expect(beyond.filter(({ kernel }) => !known.test(kernel))).toEqual([])
    })
  }
})
