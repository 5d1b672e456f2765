/**
 * Runs a kernel four ways on copies of the same memory (tile interpreter, lane simulator, compiled C, a simulated block of
 * GPU threads) and compares what they leave. Views over the same array stay views over one copy, so that in-place kernels are tested as they run.
 */

import { emitC, scratchBytes, symbolOf } from '../../src/codegen/c/emit.js'
import type { LaneProgram } from '../../src/lane/ir.js'
import { simulate } from '../../src/lane/simulate.js'
import { lowerTile } from '../../src/lower/cpu/lower.js'
import { type CpuTarget, cpuTarget } from '../../src/target/cpu.js'
import { argumentsOf } from '../../src/tile/abi.js'
import { interpret, type ViewMemory } from '../../src/tile/interpret.js'
import type { TileProgram } from '../../src/tile/ir.js'
import { isFloat } from '../../src/types/dtype.js'
import { compileNative, exactFlags, type NativeArgument, noCompiler } from '../codegen/native.js'
import { type Arguments, compareAll, copyOf, laneArguments, threeSizes } from './arguments.js'
import { type BlockVariant, checkBlocks } from './blocks.js'

const probe = { arch: 'x64', model: 'test', cores: 2, l1Bytes: 32768, l2Bytes: 1 << 20, l3Bytes: 8 << 20 }
export const targets: readonly CpuTarget[] = [
  cpuTarget({ ...probe, features: ['AVX512F', 'AVX512VL', 'AVX', 'FMA', 'F16C'] }),
  cpuTarget({ ...probe, features: ['AVX', 'FMA', 'F16C'] }),
  cpuTarget({ ...probe, features: [] }),
]
export const wide = targets[0]!

/** Types of views whose sizes and strides are all part of the kernel. */
export function staticDims(view: ViewMemory) {
  return { sizes: view.sizes, strides: view.strides }
}

/** Types of views of which only the unit strides are part of the kernel, as launchers specialise them. */
export function unitDims(view: ViewMemory) {
  return { sizes: view.sizes.map(() => null), strides: view.strides.map(stride => (stride === 1 ? 1 : null)) }
}

/** Sizes and strides travel as integers, which a slot of the binary interface tells from floats. */
export function nativeArguments(program: TileProgram, args: Arguments): NativeArgument[] {
  const lanes = laneArguments(program, args)
  return argumentsOf(program.params).map((argument, i): NativeArgument => {
    const given = lanes[i]!
    if (typeof given === 'object') return given
    return argument.kind === 'scalar' && isFloat(argument.dtype) ? Number(given) : BigInt(given)
  })
}

export interface CheckOptions {
  /** Relative to the largest magnitude of the array; 0: equal bits (but for NaN payloads). */
  readonly tolerance?: number
  readonly targets?: readonly CpuTarget[]
  /** Whether C is compiled and run too; 'plain': without the optimiser, in half the time. Default true. */
  readonly native?: boolean | 'plain'
  /** How to run it on blocks of GPU threads; none for programs whose result depends on the order of threads. */
  readonly blocks?: readonly BlockVariant[]
}

/** Fails when the three ways differ; gives the interpreter's memory (the arrays of `args` are left alone). */
export function checkProgram(
  program: TileProgram,
  args: Arguments,
  grid: readonly number[],
  options: CheckOptions = {},
): Arguments {
  const expected = copyOf(args)
  interpret(program, expected, grid)
  for (const target of options.targets ?? targets) {
    const lowered = lowerTile(program, target)
    const simulated = copyOf(args)
    simulateLowered(lowered, program, simulated, grid)
    compareAll(program, expected, simulated, options.tolerance ?? 0, `simulated, ${target.vectorBytes} bytes`)
  }
  if (noCompiler === null && options.native !== false) {
    const native = copyOf(args)
    const level = options.native === 'plain' ? ['-O0'] : []
    runNative(lowerTile(program, wide), program, native, threeSizes(grid), level)
    compareAll(program, expected, native, options.tolerance ?? 0, 'compiled')
  }
  const { blocks = [{ warps: 4, known: true }] } = options
  if (blocks.length > 0) checkBlocks(program, args, grid, { tolerance: options.tolerance ?? 0, variants: blocks })
  return expected
}

/** Runs the lowered program of `program` on its arguments' memory. */
export function simulateLowered(
  lowered: LaneProgram,
  program: TileProgram,
  args: Arguments,
  grid: readonly number[],
): void {
  simulate(lowered, laneArguments(program, args), threeSizes(grid))
}

function runNative(
  lowered: LaneProgram,
  program: TileProgram,
  args: Arguments,
  grid: [number, number, number],
  level: readonly string[],
): void {
  const library = compileNative(emitC([lowered]), [...exactFlags, ...level])
  library.kernel(symbolOf(lowered), scratchBytes(lowered))(nativeArguments(program, args), grid)
}

export { compareAll, copyOf, laneArguments, over, threeSizes } from './arguments.js'
