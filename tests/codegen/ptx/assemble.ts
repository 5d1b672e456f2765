/** Assembles PTX with `ptxas` where it is installed. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type CudaArch, cudaArchs } from '../../../src/target/cuda.js'

/** Why nothing can be assembled here, or null. */
export const noAssembler: string | null = spawnSync('ptxas', ['--version']).status === 0 ? null : 'no ptxas on the PATH'

export const archs: readonly CudaArch[] = Object.values(cudaArchs)

/** The assembler's messages (`-v`: registers and spills of each kernel). Throws with them and the text when it fails. */
export function assemble(text: string, arch: CudaArch): string {
  const folder = mkdtempSync(join(tmpdir(), 'ptx-'))
  try {
    const file = join(folder, 'module.ptx')
    writeFileSync(file, text)
    const run = spawnSync('ptxas', ['-arch', arch.name, '-v', file, '-o', join(folder, 'module.cubin')], {
      encoding: 'utf8',
    })
    const messages = `${run.stdout}${run.stderr}`
    if (run.status !== 0) throw new Error(`${messages}\n${numbered(text, messages)}`)
    return messages
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** The lines around each error. */
function numbered(text: string, messages: string): string {
  const lines = text.split('\n')
  const errors = [...messages.matchAll(/line (\d+)/g)].map(match => Number(match[1]) - 1)
  return [...new Set(errors)]
    .slice(0, 10)
    .map(at => `${at + 1}: ${lines[at]}`)
    .join('\n')
}
