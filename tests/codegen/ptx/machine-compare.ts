/** Runs a lane program in a simulator and its PTX in the machine, and compares the memory that both leave. */
import { ptxSymbolOf } from '../../../src/codegen/ptx/emit.js'
import type { LaneArgument } from '../../../src/lane/code.js'
import type { LaneProgram } from '../../../src/lane/ir.js'
import { simulate } from '../../../src/lane/simulate.js'
import { simulateBlocks } from '../../../src/lane/simulate-block.js'
import { codecOf } from '../../../src/types/codec.js'
import type { Dtype } from '../../../src/types/dtype.js'
import type { StoredArray } from '../../../src/types/memory.js'
import type { TestArgument } from '../compare.js'
import { type LaunchOptions, launch, parse } from './machine.js'

type Stored = number | bigint

function same(dtype: Dtype, a: Stored, b: Stored, tolerance: number): boolean {
  if (Object.is(a, b)) return true
  const [x, y] = [a, b].map(value => codecOf(dtype)?.decode(Number(value)) ?? value) as [Stored, Stored]
  if (Number.isNaN(x) && Number.isNaN(y)) return true
  return tolerance > 0 && Math.abs(Number(x) - Number(y)) <= tolerance * Math.abs(Number(x))
}

/** What differs, in words. `tolerance` is relative. */
export function machineDifferences(
  program: LaneProgram,
  module: string,
  args: readonly TestArgument[],
  grid: readonly [number, number, number],
  options: LaunchOptions = {},
  tolerance = 0,
): string[] {
  const copies = (): TestArgument[] => args.map(arg => (typeof arg === 'object' ? arg.slice() : arg))
  const [expected, actual] = [copies(), copies()]
  const forSimulator = expected.map((arg): LaneArgument => (typeof arg === 'object' ? { data: arg } : arg))
  if (program.block === undefined) simulate(program, forSimulator, grid)
  else simulateBlocks(program, forSimulator, grid)
  const entry = parse(module).get(ptxSymbolOf(program))!
  launch(entry, actual, grid, { sharedBytes: program.block?.sharedBytes ?? 0, ...options })
  return expected.flatMap((array, i): string[] => {
    const { name, type } = program.args[i]!
    if (typeof array !== 'object' || type.kind === 'opaque') return []
    const got = actual[i] as StoredArray
    return [...array].flatMap((want, at) =>
      same(type.dtype, want, got[at]!, tolerance) ? [] : [`${name}[${at}]: ${want} simulated, ${got[at]} in PTX`],
    )
  })
}
