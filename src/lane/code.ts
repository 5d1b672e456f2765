/** A lane program prepared for simulation: arguments bound to memory, nodes in execution order. */
import { ArgumentError } from '../base/errors.js'
import { placement } from '../ir/walk.js'
import { isLoop, type LaneBlock, type LaneNode, type LaneProgram, laneDialect } from './ir.js'
import { type PointerArgument, Region } from './memory.js'
import { printType } from './types.js'
import { castFunction, type Lanes } from './values.js'

/** A pointer argument's memory, an opaque argument's bytes, or a scalar as a number, bigint or boolean. */
export type LaneArgument = PointerArgument | number | bigint | boolean

export type Grid = readonly [x: number, y: number, z: number]

/** State shared by all threads of a launch. Throws ArgumentError when the arguments do not fit the program. */
export class Code {
  readonly order: ReadonlyMap<LaneBlock, readonly LaneNode[]>
  readonly args: readonly (Region | Lanes)[]

  constructor(
    readonly program: LaneProgram,
    args: readonly LaneArgument[],
  ) {
    this.order = placement(laneDialect, program.body, isLoop)
    this.args = bindArguments(program, args)
  }
}

/** Checks a launch's arguments against the program's. */
function bindArguments(program: LaneProgram, args: readonly LaneArgument[]): (Region | Lanes)[] {
  if (args.length !== program.args.length) {
    throw new ArgumentError(`${program.name}: takes ${program.args.length} arguments, got ${args.length}`, { at: null })
  }
  return program.args.map(({ name, type }, i) => {
    const given = args[i]!
    if (typeof given === 'object' && type.kind === 'pointer') {
      return Region.ofArgument(program.name, name, type.dtype, given)
    }
    if (typeof given === 'object' && type.kind === 'opaque' && given.data.byteLength === type.layout.bytes) {
      return Region.ofArgument(program.name, name, 'u8', given)
    }
    if (typeof given === 'object' || type.kind !== 'value') {
      throw new ArgumentError(
        `${program.name}: argument '${name}' must be ${type.kind === 'opaque' ? printType(type) : `a ${type.kind}`}`,
        { at: null },
      )
    }
    const value = typeof given === 'boolean' ? Number(given) : given
    return [castFunction(typeof value === 'bigint' ? 'i64' : 'f64', type.dtype)(value)]
  })
}
