/**
 * Runs a tile program as a block of GPU threads in the simulator, which refuses races and bad accesses, and compares what
 * it leaves in memory with the tile interpreter.
 */
import type { LaneProgram } from '../../src/lane/ir.js'
import { simulateBlocks } from '../../src/lane/simulate-block.js'
import { lowerSimt } from '../../src/lower/simt/lower.js'
import { type CudaTarget, cudaArchs, genericCudaTarget } from '../../src/target/cuda.js'
import type { LaunchFacts } from '../../src/target/launch.js'
import { argumentsOf } from '../../src/tile/abi.js'
import { interpret } from '../../src/tile/interpret.js'
import type { TileProgram } from '../../src/tile/ir.js'
import { itemBytes } from '../../src/types/dtype.js'
import { type Arguments, compareAll, copyOf, laneArguments, threeSizes } from './arguments.js'

export const target: CudaTarget = genericCudaTarget(cudaArchs.sm_80)
/** With matrix instructions of warpgroups. */
export const hopper: CudaTarget = genericCudaTarget(cudaArchs.sm_90a)

const powerIn = (value: number): number => {
  let power = 1
  while (power < 16 && value % (power * 2) === 0) power *= 2
  return value === 0 ? 16 : power
}

/** What a launcher finds out about these arguments; arrays begin at aligned addresses. */
export function factsOf(program: TileProgram, args: Arguments): LaunchFacts {
  const given = laneArguments(program, args)
  const divisors = argumentsOf(program.params).map((argument, i): number => {
    const value = given[i]!
    if (argument.kind === 'scalar') return 1
    if (typeof value !== 'object') return powerIn(Math.abs(Number(value)))
    return powerIn((value.offset ?? 0) * itemBytes((argument as { dtype: 'f32' }).dtype))
  })
  return { divisors, indices: 'i32' }
}

/** Nothing is known: 64-bit indices, no alignment. */
export const noFacts = (program: TileProgram): LaunchFacts => ({
  divisors: argumentsOf(program.params).map(argument => (argument.kind === 'pointer' ? itemBytes(argument.dtype) : 1)),
  indices: 'i64',
})

export const withWarps = (program: TileProgram, warps: number): TileProgram => ({
  ...program,
  hints: { ...program.hints, warps },
})

/** One way to lower a program: so many warps, with what a launcher would find out or with nothing known. */
export interface BlockVariant {
  readonly warps: number
  readonly known: boolean
}

export interface BlockCheck {
  readonly tolerance?: number
  readonly variants?: readonly BlockVariant[]
  /** sm_80 by default. */
  readonly on?: CudaTarget
}

const variantsByDefault: readonly BlockVariant[] = [
  { warps: 1, known: true },
  { warps: 4, known: true },
  { warps: 2, known: false },
]

export function simulateProgram(
  lowered: LaneProgram,
  program: TileProgram,
  args: Arguments,
  grid: readonly number[],
): void {
  simulateBlocks(lowered, laneArguments(program, args), threeSizes(grid))
}

/** Fails when the block of threads leaves something else than the interpreter. */
export function checkBlocks(
  program: TileProgram,
  args: Arguments,
  grid: readonly number[],
  { tolerance = 0, variants = variantsByDefault, on = target }: BlockCheck = {},
): void {
  const expected = copyOf(args)
  interpret(program, expected, grid)
  for (const { warps, known } of variants) {
    const facts = known ? factsOf(program, args) : noFacts(program)
    const lowered = lowerSimt(withWarps(program, warps), on, facts)
    const simulated = copyOf(args)
    simulateProgram(lowered, program, simulated, grid)
    compareAll(program, expected, simulated, tolerance, `${warps} warps, ${known ? '' : 'no '}facts`)
  }
}
