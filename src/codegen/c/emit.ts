/**
 * Emits lane programs as C: one readable translation unit with one function per kernel and the prelude pieces they use.
 * Compile with -std=gnu11 -O1 -fwrapv (integer arithmetic wraps); -ffp-contract=fast may fuse a * b + c.
 *
 * Views of a launch may alias (out = input), so pointers are not `restrict`, except the scratch memory, which nothing else
 * points to. Explicit vector code loses little by it: loads and stores stay in program order anyway, and the compiler only
 * has to reload values after a store that it could otherwise have kept in registers.
 */
import { ArgumentError } from '../../base/errors.js'
import type { LaneProgram } from '../../lane/ir.js'
import { kernelText } from './kernel.js'
import { isMemoryPiece, memoryPieces } from './memory.js'
import { kernelSymbol } from './names.js'
import { preludeFor, preludeHas, type VectorBytes } from './prelude/index.js'
import { isWordDotPiece, wordDotPieces } from './word-dots.js'

export { scratchBytes } from './scratch.js'

export interface EmitOptions {
  /** Comment lines at the head of the text: what the code is and what it was generated from. */
  readonly comment?: readonly string[]
  /** Width of the target's vector registers in bytes; affects speed only: the text is correct on every machine. */
  readonly vectorBytes?: VectorBytes
}

/** The function's name in the translation unit: the program's name, unless C reserves it. */
export const symbolOf = (program: LaneProgram): string =>
  kernelSymbol(
    program.name,
    name => preludeHas(name) || isMemoryPiece(name) || isWordDotPiece(name) || name === 'tg_arg',
  )

/**
 * Emits the translation unit. Each kernel is `void symbolOf(program)(const tg_arg *args, const int64_t grid[3], int64_t first,
 * int64_t last, char *scratch)`: it runs the instances [first, last) of the flattened grid, with `scratchBytes(program)` bytes
 * of 64-byte aligned scratch memory. Throws ArgumentError when two programs share a name.
 */
export function emitC(programs: readonly LaneProgram[], options: EmitOptions = {}): string {
  const vectorBytes = options.vectorBytes ?? 64
  checkNames(programs)
  const kernels = programs.map(program => kernelText(program, symbolOf(program), vectorBytes)).join('\n')
  const memory = memoryPieces(kernels, vectorBytes)
  const dots = wordDotPieces(kernels)
  const used = identifiers(`${abi}\n${memory}\n${dots}\n${kernels}`).filter(preludeHas)
  const parts = [
    (options.comment ?? []).map(line => `// ${line}\n`).join(''),
    preludeFor(new Set(used), vectorBytes),
    memory,
    dots,
    abi,
    kernels,
  ]
  return `${parts
    .map(part => part.trim())
    .filter(part => part !== '')
    .join('\n\n')}\n`
}

const abi =
  '// An argument of a kernel: a pointer, an integer (or bool) or a float.\ntypedef union { void *ptr; i64 i; f64 f; } tg_arg;'

/** Identifiers in C text, except in comments. */
const identifiers = (text: string): readonly string[] => text.replaceAll(/\/\/.*/g, '').match(/[A-Za-z_]\w*/g) ?? []

function checkNames(programs: readonly LaneProgram[]): void {
  const seen = new Set<string>()
  for (const program of programs) {
    const { name } = program
    if (!/^[A-Za-z_]\w*$/.test(name)) throw new ArgumentError(`emitC: '${name}' is not a C identifier`, { at: null })
    if (seen.has(symbolOf(program))) throw new ArgumentError(`emitC: two kernels are named ${name}`, { at: null })
    seen.add(symbolOf(program))
  }
}
