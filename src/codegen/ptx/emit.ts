/**
 * Emits lane programs as PTX: one module of text that the driver assembles, with one entry per program. See launch.ts for the
 * binary interface of an entry. The block's shared memory is the module's variable `shared`; its size, `block.sharedBytes`,
 * is given at the launch. Plain `add.f32` and `mul.f32` may be contracted to fused multiply-adds, as on the CPU.
 */
import { ArgumentError } from '../../base/errors.js'
import { nodesOf } from '../../ir/walk.js'
import type { LaneNode, LaneProgram } from '../../lane/ir.js'
import type { CudaTarget } from '../../target/cuda.js'
import { kernelText } from './kernel.js'
import { prepare } from './prepare.js'

export interface PtxOptions {
  /** Comment lines at the head of the text: what the code is and what it was generated from. */
  readonly comment?: readonly string[]
  /**
   * Programmatic dependent launch, where supported: a kernel lets the next one start as soon as all its own blocks have started,
   * and waits for its predecessor before it accesses memory, so that launches overlap with the end of the previous kernel.
   */
  readonly early?: boolean
}

/** The lowest compute capability with programmatic dependent launch. */
const earlyCapability = 90

/** The name of the program's entry in the module: the program's name, unless PTX reserves it. */
export const ptxSymbolOf = (program: LaneProgram): string =>
  reserved.has(program.name) ? `${program.name}_kernel` : program.name

const reserved = new Set(['WARP_SZ', 'shared'])

/**
 * Emits the module. Its `.version` is the lowest PTX version that knows the target and the instructions used. Throws
 * ArgumentError when two programs share a name, or a name is not an identifier.
 */
export function emitPtx(programs: readonly LaneProgram[], target: CudaTarget, options: PtxOptions = {}): string {
  checkNames(programs)
  let version: number = target.arch.ptx
  const needs = (minVersion: number): void => {
    version = Math.max(version, minVersion)
  }
  const early = options.early === true && target.arch.capability >= earlyCapability
  const kernels = programs.map(program => kernelText(prepare(program), ptxSymbolOf(program), target, needs, early))
  const head = [
    ...(options.comment ?? []).map(line => `// ${line}`),
    `.version ${Math.floor(version / 10)}.${version % 10}`,
    `.target ${target.arch.name}`,
    '.address_size 64',
    '',
    ...(programs.some(program => uses(program, 'shared')) ? [sharedMemory(programs), ''] : []),
  ]
  return `${head.join('\n')}\n${kernels.join('\n')}`
}

/** Shared memory is aligned to 1024 bytes: the period of wgmma's swizzle. */
const sharedMemory = (programs: readonly LaneProgram[]): string =>
  `.extern .shared .align ${programs.some(program => uses(program, 'wgmma')) ? 1024 : 16} .b8 shared[];`

function uses(program: LaneProgram, op: LaneNode['op']): boolean {
  for (const node of nodesOf(program.body)) if (node.op === op) return true
  return false
}

function checkNames(programs: readonly LaneProgram[]): void {
  const seen = new Set<string>()
  for (const program of programs) {
    const { name } = program
    if (!/^[A-Za-z]\w*$/.test(name)) throw new ArgumentError(`emitPtx: '${name}' is not a PTX identifier`, { at: null })
    if (seen.has(ptxSymbolOf(program))) throw new ArgumentError(`emitPtx: two kernels are named ${name}`, { at: null })
    seen.add(ptxSymbolOf(program))
  }
}
