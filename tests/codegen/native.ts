/** Compiles generated C with the system's compiler and calls its kernels, for tests and measurements. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import koffi from 'koffi'
import type { StoredArray } from '../../src/types/memory.js'

const compiler = process.env.TEGULA_CC ?? 'cc'

function hasCompiler(): boolean {
  try {
    execFileSync(compiler, ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** Why native tests cannot run here, or null. */
export const noCompiler = hasCompiler() ? null : `no C compiler '${compiler}'`

/** Without contraction, so that a * b + c rounds twice as the simulator does. */
export const exactFlags = ['-ffp-contract=off'] as const
const flags = [
  '-std=gnu11',
  '-O1',
  '-fexpensive-optimizations',
  '-fno-tree-bit-ccp',
  '-march=native',
  '-fno-math-errno',
  '-fno-trapping-math',
  '-fwrapv',
  '-fno-strict-aliasing',
  '-fno-tree-slp-vectorize',
]

/** Flags for older machines of this kind whose code this one runs, with their register size; empty elsewhere than x86. */
export function olderMachines(): readonly {
  readonly name: string
  readonly vectorBytes: 16 | 32
  readonly flags: readonly string[]
}[] {
  if (noCompiler !== null || process.arch !== 'x64') return []
  const macros = execFileSync(compiler, ['-march=native', '-dM', '-E', '-x', 'c', '/dev/null'], { encoding: 'utf8' })
  const sse = { name: 'SSE2', vectorBytes: 16, flags: ['-march=x86-64'] } as const
  const avx = { name: 'AVX2', vectorBytes: 32, flags: ['-march=x86-64-v3'] } as const
  return macros.includes('__AVX2__') && macros.includes('__FMA__') ? [avx, sse] : [sse]
}

export type NativeArgument =
  | StoredArray
  | { readonly data: StoredArray; readonly offset?: number }
  | { readonly address: bigint }
  | number
  | bigint
  | boolean
export type NativeKernel = (args: readonly NativeArgument[], grid?: readonly [number, number, number]) => void

export interface NativeLibrary {
  readonly source: string
  kernel(name: string, scratchBytes?: number): NativeKernel
}

/** Throws with the compiler's messages when it warns: generated C compiles cleanly under -Wall. */
export function compileNative(source: string, extra: readonly string[] = exactFlags): NativeLibrary {
  const folder = mkdtempSync(join(tmpdir(), 'tegula-test-'))
  const [text, file] = [join(folder, 'kernels.c'), join(folder, 'kernels.so')]
  writeFileSync(text, source)
  const log = join(folder, 'log')
  try {
    execFileSync('/bin/sh', [
      '-c',
      `${compiler} ${[...flags, ...extra].join(' ')} -Wall -Werror -fPIC -shared -o ${file} ${text} -lm 2> ${log}`,
    ])
  } catch {
    throw new Error(`${text} does not compile:\n${readFileSync(log, 'utf8').slice(0, 4000)}`)
  }
  const library = koffi.load(file)
  // Loaded, it needs no file any more; what does not compile stays for people to look at.
  rmSync(folder, { recursive: true })
  return { source, kernel: (name, scratchBytes = 0) => bind(library, name, scratchBytes) }
}

function bind(library: ReturnType<typeof koffi.load>, name: string, scratchBytes: number): NativeKernel {
  const run = library.func(`void ${name}(void *args, void *grid, int64_t first, int64_t last, void *scratch)`)
  // NaN in every float dtype: what a kernel reads there before it writes is seen.
  const scratch = aligned(scratchBytes).fill(0xff)
  return (args, grid = [1, 1, 1]) => {
    const slots = new DataView(new ArrayBuffer(8 * args.length))
    args.forEach((arg, i) => {
      writeSlot(slots, i, arg)
    })
    run(new Uint8Array(slots.buffer), new BigInt64Array(grid.map(BigInt)), 0, grid[0] * grid[1] * grid[2], scratch)
  }
}

/** Floats go as f64; integers and bools as i64. A number is a float's slot: give integers as bigints. */
function writeSlot(slots: DataView, i: number, arg: NativeArgument): void {
  if (typeof arg === 'number') slots.setFloat64(8 * i, arg, true)
  else if (typeof arg === 'bigint' || typeof arg === 'boolean') slots.setBigInt64(8 * i, BigInt(arg), true)
  else if ('address' in arg) slots.setBigUint64(8 * i, arg.address, true)
  else {
    const { data, offset = 0 } = 'data' in arg ? arg : { data: arg }
    slots.setBigUint64(8 * i, addressOf(data) + BigInt(offset * data.BYTES_PER_ELEMENT), true)
  }
}

/** Asking for `buffer` first fixes the array in place: V8 keeps small ones on its heap, and moves them, until then. */
const addressOf = (data: StoredArray): bigint => koffi.address(data.buffer) + BigInt(data.byteOffset)

/** 64-byte aligned memory filled with a byte that makes uninitialised reads show. */
export function aligned(bytes: number): Uint8Array {
  const whole = new Uint8Array(bytes + 64).fill(0xa5)
  const skip = Number(-addressOf(whole) & 63n)
  return whole.subarray(skip, skip + bytes)
}
