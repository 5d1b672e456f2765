/**
 * Runs a kernel three ways on copies of the same memory (tile interpreter, lane simulator, compiled C) and compares what
 * they leave. Views over the same array stay views over one copy, so that in-place kernels are tested as they run.
 */

import { expect } from 'vitest'
import { emitC, scratchBytes, symbolOf } from '../../src/codegen/c/emit.js'
import type { LaneArgument } from '../../src/lane/code.js'
import type { LaneProgram } from '../../src/lane/ir.js'
import { simulate } from '../../src/lane/simulate.js'
import { lowerTile } from '../../src/lower/lower.js'
import { type CpuTarget, cpuTarget } from '../../src/target/target.js'
import { argumentsOf } from '../../src/tile/abi.js'
import { type InterpreterArgument, interpret, type ViewMemory } from '../../src/tile/interpret.js'
import type { TileProgram } from '../../src/tile/ir.js'
import { type Dtype, isFloat } from '../../src/types/dtype.js'
import { fromBf16, fromF16 } from '../../src/types/float16.js'
import type { StoredArray } from '../../src/types/memory.js'
import { compileNative, exactFlags, type NativeArgument, noCompiler } from '../codegen/native.js'

const probe = { arch: 'x64', model: 'test', cores: 2, l1Bytes: 32768, l2Bytes: 1 << 20, l3Bytes: 8 << 20 }
export const targets: readonly CpuTarget[] = [
  cpuTarget({ ...probe, features: ['AVX512F', 'AVX512VL', 'AVX', 'FMA', 'F16C'] }),
  cpuTarget({ ...probe, features: ['AVX', 'FMA', 'F16C'] }),
  cpuTarget({ ...probe, features: [] }),
]
export const wide = targets[0]!

/** A view of `data`: contiguous unless strides are given. */
export function over(data: StoredArray, sizes: readonly number[], strides?: readonly number[], offset = 0): ViewMemory {
  const dense = new Array<number>(sizes.length).fill(1)
  for (let d = sizes.length - 2; d >= 0; d--) dense[d] = dense[d + 1]! * sizes[d + 1]!
  return { data, offset, sizes, strides: strides ?? dense }
}

/** Types of views whose sizes and strides are all part of the kernel. */
export function staticDims(view: ViewMemory) {
  return { sizes: view.sizes, strides: view.strides }
}

/** Types of views of which only the unit strides are part of the kernel, as launchers specialise them. */
export function unitDims(view: ViewMemory) {
  return { sizes: view.sizes.map(() => null), strides: view.strides.map(stride => (stride === 1 ? 1 : null)) }
}

export type Arguments = readonly InterpreterArgument[]

export function copyOf(args: Arguments): Arguments {
  const copies = new Map<StoredArray, StoredArray>()
  return args.map(arg => {
    if (typeof arg !== 'object') return arg
    if (!copies.has(arg.data)) copies.set(arg.data, arg.data.slice())
    return { ...arg, data: copies.get(arg.data)! }
  })
}

export function laneArguments(program: TileProgram, args: Arguments): LaneArgument[] {
  return argumentsOf(program.params).map((argument): LaneArgument => {
    const given = args[argument.param]!
    if (typeof given !== 'object') return given
    if (argument.kind === 'pointer') return { data: given.data, offset: given.offset }
    return argument.kind === 'size' ? given.sizes[argument.dim]! : given.strides[(argument as { dim: number }).dim]!
  })
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

export const threeSizes = (grid: readonly number[]): [number, number, number] => [grid[0]!, grid[1] ?? 1, grid[2] ?? 1]

export interface CheckOptions {
  /** Relative to the largest magnitude of the array; 0: equal bits (but for NaN payloads). */
  readonly tolerance?: number
  readonly targets?: readonly CpuTarget[]
  readonly native?: boolean
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
    runNative(lowerTile(program, wide), program, native, threeSizes(grid))
    compareAll(program, expected, native, options.tolerance ?? 0, 'compiled')
  }
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

function runNative(lowered: LaneProgram, program: TileProgram, args: Arguments, grid: [number, number, number]): void {
  const library = compileNative(emitC([lowered]), exactFlags)
  library.kernel(symbolOf(lowered), scratchBytes(lowered))(nativeArguments(program, args), grid)
}

export function compareAll(
  program: TileProgram,
  expected: Arguments,
  actual: Arguments,
  tolerance: number,
  how: string,
): void {
  program.params.forEach(({ name, type }, i) => {
    const [wanted, got] = [expected[i]!, actual[i]!]
    if (typeof wanted !== 'object' || typeof got !== 'object') return
    const problem = firstDifference(type.dtype, wanted.data, got.data, tolerance)
    expect(problem, `${program.name}: '${name}' ${how}`).toBeNull()
  })
}

const decode = (dtype: Dtype, value: number | bigint): number | bigint =>
  dtype === 'f16' ? fromF16(Number(value)) : dtype === 'bf16' ? fromBf16(Number(value)) : value

function firstDifference(dtype: Dtype, wanted: StoredArray, got: StoredArray, tolerance: number): string | null {
  let largest = 0
  for (const raw of wanted) {
    const magnitude = Math.abs(Number(decode(dtype, raw)))
    if (Number.isFinite(magnitude)) largest = Math.max(largest, magnitude)
  }
  for (let i = 0; i < wanted.length; i++) {
    const [a, b] = [decode(dtype, wanted[i]!), decode(dtype, got[i]!)]
    // A sum of nothing but zeros may come out as either zero.
    if (a === b || (Number.isNaN(a) && Number.isNaN(b))) continue
    if (isFloat(dtype) && Math.abs(Number(a) - Number(b)) <= tolerance * largest) continue
    return `element ${i} is ${b}, not ${a}`
  }
  return null
}
