/** From a plan's tile programs to lane programs of a target: each is simplified and lowered, and verified before and after. */
import type { Target } from '../backends/target.js'
import { verify } from '../ir/verify.js'
import { type LaneProgram, laneDialect } from '../lane/ir.js'
import type { LaunchFacts } from '../target/launch.js'
import { argumentsOf } from '../tile/abi.js'
import { type TileProgram, tileDialect } from '../tile/ir.js'
import { simplify } from '../tile/passes/simplify.js'

/** Nothing is known of a launch. */
export const noFacts = (program: TileProgram): LaunchFacts => ({
  divisors: argumentsOf(program.params).map(() => 1),
  indices: 'i64',
})

/**
 * Requires: a verified kernel; what its launches promise, by default nothing. Guarantees: a verified lane program of the
 * same meaning.
 */
export function lowerKernel(program: TileProgram, target: Target, facts?: LaunchFacts): LaneProgram {
  verify(tileDialect, program.body)
  const simple = simplify(program)
  const lane = target.lower(simple, facts ?? noFacts(simple))
  verify(laneDialect, lane.body)
  return lane
}
