/**
 * Emits lane programs as PTX: one module of text that the driver assembles, with one entry per program. See launch.ts for the
 * binary interface of an entry. The block's shared memory is the module's variable `shared`; its size, `block.sharedBytes`,
 * is given at the launch. Plain `add.f32` and `mul.f32` may be contracted to fused multiply-adds, as on the CPU.
 */
import { ArgumentError } from '../../base/errors.js'
import { nodesOf } from '../../ir/walk.js'
import type { LaneProgram } from '../../lane/ir.js'
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

/** Emits one module; see `PtxEmitter.module`. */
export const emitPtx = (programs: readonly LaneProgram[], target: CudaTarget, options: PtxOptions = {}): string =>
  new PtxEmitter(target, options).module(programs)

/** A program's entry, and what it needs of its module. */
interface Entry {
  readonly text: string
  /** PTX version. */
  readonly version: number
  /** Alignment of the shared memory; 0: it uses none. */
  readonly sharedAlignment: number
}

/** Emits each program once, however many modules hold it. */
export class PtxEmitter {
  readonly #entries = new Map<LaneProgram, Entry>()

  constructor(
    readonly target: CudaTarget,
    readonly options: PtxOptions = {},
  ) {}

  /**
   * A module of these programs. Its `.version` is the lowest PTX version that knows the target and the instructions used.
   * Throws ArgumentError when two programs share a name, or a name is not an identifier.
   */
  module(programs: readonly LaneProgram[]): string {
    checkNames(programs)
    const { arch } = this.target
    const entries = programs.map(program => this.#entryOf(program))
    const version = Math.max(arch.ptx, ...entries.map(entry => entry.version))
    const alignment = Math.max(0, ...entries.map(({ sharedAlignment }) => sharedAlignment))
    const head = [
      ...(this.options.comment ?? []).map(line => `// ${line}`),
      `.version ${Math.floor(version / 10)}.${version % 10}`,
      `.target ${arch.name}`,
      '.address_size 64',
      '',
      ...(alignment > 0 ? [`.extern .shared .align ${alignment} .b8 shared[];`, ''] : []),
    ]
    return `${head.join('\n')}\n${entries.map(({ text }) => text).join('\n')}`
  }

  #entryOf(program: LaneProgram): Entry {
    const known = this.#entries.get(program)
    if (known !== undefined) return known
    const { target, options } = this
    let version = 0
    const needs = (minVersion: number): void => {
      version = Math.max(version, minVersion)
    }
    const early = options.early === true && target.arch.capability >= earlyCapability
    const text = kernelText(prepare(program), ptxSymbolOf(program), target, needs, early)
    const entry = { text, version, sharedAlignment: sharedAlignment(program) }
    this.#entries.set(program, entry)
    return entry
  }
}

/** For wgmma 1024 bytes, the period of its swizzle. */
function sharedAlignment({ body }: LaneProgram): number {
  const ops = new Set(nodesOf(body).map(({ op }) => op))
  if (!ops.has('shared')) return 0
  return ops.has('wgmma') ? 1024 : 16
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
