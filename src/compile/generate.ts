/** Lowers tile programs to lane programs of a target: simplifies each, and verifies it before and after. */
import type { Target } from '../backends/target.js'
import { verify } from '../ir/verify.js'
import { type LaneProgram, laneDialect } from '../lane/ir.js'
import type { LaunchFacts } from '../target/launch.js'
import { argumentsOf } from '../tile/abi.js'
import { type TileProgram, tileDialect } from '../tile/ir.js'
import { simplify } from '../tile/passes/simplify.js'

/** The facts when nothing is known about launches. */
export const noFacts = (program: TileProgram): LaunchFacts => ({
  divisors: argumentsOf(program.params).map(() => 1),
  indices: 'i64',
})

/**
 * Requires: a kernel; `facts` that hold for its launches, by default none. Guarantees: a verified lane program of the same
 * meaning.
 */
export function lowerKernel(program: TileProgram, target: Target, facts?: LaunchFacts): LaneProgram {
  verify(tileDialect, program.body)
  const simple = simplify(program)
  const lane = target.lower(simple, facts ?? noFacts(simple))
  verify(laneDialect, lane.body)
  return lane
}
