/**
 * Assembles every kernel of the suite's samples, for GPUs, with `ptxas`; reports errors and register spills.
 *
 *     npx tsx scripts/gpu/assemble.ts [--only PART_OF_NAME] [--arch sm_80,sm_90a] [--every N]
 *
 * Exit code 1 if a kernel is rejected.
 */

import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { targetForCuda } from '../../src/backends/cuda/target.js'
import { emitPtx } from '../../src/codegen/ptx/emit.js'
import { runPipeline } from '../../src/compile/pipeline.js'
import type { LaneProgram } from '../../src/lane/ir.js'
import { lowerSimt } from '../../src/lower/simt/lower.js'
import { type CudaArch, type CudaTarget, cudaArchs, genericCudaTarget } from '../../src/target/cuda.js'
import type { LaunchFacts } from '../../src/target/launch.js'
import { argumentsOf } from '../../src/tile/abi.js'
import type { TileProgram } from '../../src/tile/ir.js'
import { simplify } from '../../src/tile/passes/simplify.js'
import { corpus } from '../../tests/support/kernel-corpus.js'

/** Kernels per module: the assembler's start-up costs more than most kernels. */
const perModule = 40

export interface Assembled {
  readonly kernels: number
  /** The kernel's graph and the assembler's message. */
  readonly refused: readonly string[]
  readonly spilled: readonly { readonly kernel: string; readonly bytes: number }[]
}

/** The usual facts of a launch: aligned memory, small sizes without known divisors. */
const usualFacts = (program: TileProgram): LaunchFacts => ({
  divisors: argumentsOf(program.params).map(({ kind }) => (kind === 'pointer' ? 16 : 1)),
  indices: 'i32',
})

interface Kernel {
  readonly graph: string
  readonly program: LaneProgram
}

/** The kernels of every `every`-th graph of the corpus, each text once. */
function* kernels(target: CudaTarget, only: string, every: number): Generator<Kernel> {
  const seen = new Set<string>()
  let at = 0
  for (const { name, graph } of corpus(only)) {
    if (at++ % every !== 0) continue
    for (const tile of runPipeline(graph, targetForCuda(target)).plan.kernels) {
      const program = lowerSimt(simplify(tile), target, usualFacts(tile))
      const text = emitPtx([{ ...program, comment: [] }], target)
      if (seen.has(text)) continue
      seen.add(text)
      yield { graph: name, program: { ...program, name: `k${seen.size}_${program.name}` } }
    }
  }
}

function runAssembler(text: string, arch: CudaArch): { readonly ok: boolean; readonly messages: string } {
  const folder = mkdtempSync(join(tmpdir(), 'assemble-'))
  try {
    const file = join(folder, 'module.ptx')
    writeFileSync(file, text)
    const output = join(folder, 'module.cubin')
    const { status, stdout, stderr } = spawnSync('ptxas', ['-arch', arch.name, '-v', file, '-o', output], {
      encoding: 'utf8',
    })
    return { ok: status === 0, messages: `${stdout}${stderr}` }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const spills = /Compiling entry function '(\w+)'[\s\S]*?(\d+) bytes spill stores/g

/** Assembles the corpus's kernels for one architecture. */
export function assembleCorpus(arch: CudaArch, only = '', every = 1): Assembled {
  const target = genericCudaTarget(arch)
  const refused: string[] = []
  const spilled: { kernel: string; bytes: number }[] = []
  let count = 0
  let batch: Kernel[] = []
  const flush = (): void => {
    const module = (some: readonly Kernel[]): string =>
      emitPtx(
        some.map(({ program }) => program),
        target,
      )
    const { ok, messages } = runAssembler(module(batch), arch)
    for (const [, name, bytes] of messages.matchAll(spills)) {
      const kernel = batch.find(({ program }) => program.name === name)
      if (Number(bytes) > 0) spilled.push({ kernel: `${kernel?.graph}: ${name}`, bytes: Number(bytes) })
    }
    if (!ok) {
      for (const kernel of batch) {
        const alone = runAssembler(module([kernel]), arch)
        if (!alone.ok) refused.push(`${kernel.graph}: ${alone.messages.split('\n')[0]}`)
      }
    }
    batch = []
  }
  for (const kernel of kernels(target, only, every)) {
    count++
    batch.push(kernel)
    if (batch.length === perModule) flush()
  }
  if (batch.length > 0) flush()
  return { kernels: count, refused, spilled }
}

function main(): void {
  const { values } = parseArgs({
    options: {
      only: { type: 'string', default: '' },
      arch: { type: 'string', default: 'sm_80,sm_90a' },
      every: { type: 'string', default: '1' },
    },
  })
  for (const name of values.arch.split(',')) {
    const arch: CudaArch | undefined = (cudaArchs as Record<string, CudaArch>)[name]
    if (arch === undefined) throw new Error(`no architecture '${name}': one of ${Object.keys(cudaArchs).join(', ')}`)
    const { kernels: count, refused, spilled } = assembleCorpus(arch, values.only, Number(values.every))
    console.log(`${name}: ${count} kernels, ${refused.length} refused, ${spilled.length} spill`)
    for (const line of refused) console.log(`  ${line}`)
    for (const { kernel, bytes } of spilled) console.log(`  ${kernel} spills ${bytes} bytes`)
    if (refused.length > 0) process.exitCode = 1
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main()
