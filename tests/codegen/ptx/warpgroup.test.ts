/** Matrix instructions of warpgroups: the simulator multiplies, the machine agrees, the assembler pipelines them. */
import { describe, expect, it } from 'vitest'
import { emitPtx } from '../../../src/codegen/ptx/emit.js'
import { simulateBlocks } from '../../../src/lane/simulate-block.js'
import { readAssemblerLog } from '../../../src/runtime/cuda/assembler-log.js'
import { cudaArchs, genericCudaTarget } from '../../../src/target/cuda.js'
import { assemble, noAssembler } from './assemble.js'
import { machineDifferences } from './machine-compare.js'
import { expected, type Product, productProgram } from './warpgroup-programs.js'

const target = genericCudaTarget(cudaArchs.sm_90a)
const along = (swizzle: 32 | 64 | 128) => ({ swizzle, major: 'k' as const })
const across = (swizzle: 32 | 64 | 128) => ({ swizzle, major: 'mn' as const })

const products: readonly Product[] = [
  { dtype: 'f16', n: 8, k: 16, a: along(32), b: along(32) },
  { dtype: 'bf16', n: 32, k: 32, a: along(64), b: along(64) },
  { dtype: 'bf16', n: 64, k: 64, a: along(128), b: along(128), warpgroups: 2 },
  { dtype: 'bf16', n: 64, k: 128, a: along(128), b: along(128) },
  { dtype: 'f16', n: 128, k: 16, a: along(32), b: across(128) },
  { dtype: 'bf16', n: 128, k: 32, a: across(128), b: across(128) },
  { dtype: 'bf16', n: 32, k: 32, a: across(64), b: across(64), warpgroups: 2 },
  { dtype: 'f16', n: 16, k: 48, a: across(32), b: across(32) },
  { dtype: 'bf16', n: 64, k: 64, a: along(128), b: across(128), looped: true },
  { dtype: 'bf16', n: 256, k: 16, a: 'registers', b: across(128) },
  { dtype: 'f16', n: 32, k: 64, a: 'registers', b: along(128), warpgroups: 2 },
  { dtype: 'i8', n: 32, k: 64, a: along(64), b: along(64) },
  { dtype: 'u8', n: 16, k: 128, a: along(128), b: along(128), looped: true },
  { dtype: 'i8', n: 24, k: 32, a: 'registers', b: along(32) },
]

describe('warpgroups', () => {
  it('multiply in every layout', () => {
    for (const product of products) {
      const { program, args } = productProgram(product)
      const memory = args.map(arg => (typeof arg === 'object' ? arg.slice() : arg))
      simulateBlocks(
        program,
        memory.map(data => ({ data }) as never),
        [1, 1, 1],
      )
      expect([...(memory[2] as Float32Array)], program.name).toEqual(expected(product))
    }
  })

  it('the machine agrees with the simulator', () => {
    for (const product of products) {
      const { program, args } = productProgram(product)
      const module = emitPtx([program], target)
      expect(machineDifferences(program, module, args, [1, 1, 1]).slice(0, 3), program.name).toEqual([])
    }
  })

  it.skipIf(noAssembler !== null)('assemble without being serialised or spilled', { timeout: 120_000 }, () => {
    const made = products.map(product => productProgram(product).program)
    const log = assemble(emitPtx(made, target), cudaArchs.sm_90a)
    const { kernels, warnings } = readAssemblerLog(log)
    expect(warnings).toEqual([])
    expect(kernels).toHaveLength(made.length)
    for (const kernel of kernels) expect(kernel).toMatchObject({ serialized: null, spillStoreBytes: 0 })
    const early = productProgram({ ...products[2]!, fault: 'early read' }).program
    const [waiting] = readAssemblerLog(assemble(emitPtx([early], target), cudaArchs.sm_90a)).kernels
    expect(waiting!.serialized).toContain('injected')
  })

  it('reject invalid operands', () => {
    const product: Product = { dtype: 'bf16', n: 32, k: 64, a: along(128), b: along(128) }
    const refused = {
      'no fence': 'without a fence for matrix instructions',
      'no barrier': 'no barrier',
      'early read': 'may still add',
      'early write': 'may still read',
      'no commit': 'of no group',
    } as const
    for (const [fault, problem] of Object.entries(refused) as [keyof typeof refused, string][]) {
      const { program, args } = productProgram({ ...product, fault })
      const run = (): unknown =>
        simulateBlocks(
          program,
          args.map(data => ({ data }) as never),
          [1, 1, 1],
        )
      expect(run, fault).toThrow(problem)
    }
  })
})
