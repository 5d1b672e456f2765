/**
 * Lowers tile programs to lane programs for a CPU: one program instance's work on tiles becomes loops over vectors in one
 * thread. The passes, in order:
 *
 *   structure.ts  scopes, users, earliest points        storage.ts  which tiles are stored in scratch
 *   roots.ts      the points that loop nests compute    cones.ts    what each of them reads
 *   hazards.ts    memory order, in-place loops          demand.ts   which indices each must visit
 *   nests.ts      roots that share a nest, vector axis  loops.ts, frame.ts, folds.ts, blocked-dot.ts, prefetch.ts,
 *                                                       scopes.ts  the code
 *
 * Fusing loads into stores is legal by the launch contract: if the kernel writes at least one of two views, their memory is
 * either disjoint or the same (pointer, dtype, sizes and strides). The launcher checks this for user kernels, the scheduler
 * guarantees it for its own kernels. So every program instance behaves as its tile program says: a load reads all elements
 * before any later store.
 */
import { verify } from '../../ir/verify.js'
import { type LaneProgram, laneDialect } from '../../lane/ir.js'
import type { CpuTarget } from '../../target/cpu.js'
import { printType, type TileProgram } from '../../tile/ir.js'
import { decodeCodes } from '../../tile/passes/decode-codes.js'
import { analyse } from './analyse.js'
import { buffersOf, planSteps } from './nests.js'
import { emitScope } from './scopes.js'
import { State } from './state.js'

export { type DotBlock, dotBlock } from './dots.js'

/** The lane program of a tile program. Throws VerifyError (a bug in the lowering) when the result breaks the dialect's rules. */
export function lowerTile(program: TileProgram, target: CpuTarget): LaneProgram {
  const plan = analyse(
    decodeCodes(program, 'f32', () => false),
    target,
  )
  const steps = planSteps(plan, target)
  const state = new State(plan, steps, target)
  state.reserve(buffersOf(plan, steps.values()))
  emitScope(state, plan.structure.root)
  const body = state.lanes.builder.finish([], state.args)
  verify(laneDialect, body)
  return { name: program.name, args: state.signature(), body, comment: commentOf(program) }
}

function commentOf(program: TileProgram): string[] {
  return [
    `${program.name}(${program.params.map(({ name, type }) => `${name}: ${type.kind === 'scalar' ? type.dtype : printType(type)}`).join(', ')})`,
  ]
}
