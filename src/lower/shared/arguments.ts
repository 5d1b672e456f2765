/** The arguments of a tile program as lane nodes: pointers, sizes, strides and scalars, in the order of the ABI. */
import type { LaneArgument } from '../../lane/code.js'
import type { LaneNode, LaneProgram } from '../../lane/ir.js'
import { pointer, value } from '../../lane/ir.js'
import { argumentsOf } from '../../tile/abi.js'
import type { InterpreterArgument } from '../../tile/interpret.js'
import { type TileNode, type TileProgram, viewType } from '../../tile/ir.js'
import { Lanes } from './lanes.js'

/** What the simulator of threads gets for the arguments that the tile interpreter gets. */
export function laneArguments(program: TileProgram, args: readonly InterpreterArgument[]): LaneArgument[] {
  return argumentsOf(program.params).map((argument): LaneArgument => {
    const given = args[argument.param]!
    if (typeof given !== 'object') return given
    if (argument.kind === 'pointer') return { data: given.data, offset: given.offset }
    return argument.kind === 'size' ? given.sizes[argument.dim]! : given.strides[(argument as { dim: number }).dim]!
  })
}

/** Common start of the lowering of a program, for any target. */
export class Arguments {
  readonly lanes = new Lanes()
  readonly args: readonly LaneNode[]
  readonly #byName = new Map<string, LaneNode>()

  constructor(params: TileProgram['params']) {
    this.args = argumentsOf(params).map((argument, index) => {
      const type =
        argument.kind === 'pointer'
          ? pointer(argument.dtype)
          : value(argument.kind === 'scalar' ? argument.dtype : 'i64')
      const node = this.lanes.builder.node('arg', [], { index, name: argument.name, type })
      const detail = argument.kind === 'size' || argument.kind === 'stride' ? argument.dim : ''
      this.#byName.set(`${argument.param}:${argument.kind}${detail}`, node)
      return node
    })
  }

  signature(): LaneProgram['args'] {
    return this.args.map(node => {
      const { name, type } = (node as Extract<LaneNode, { op: 'arg' }>).attrs
      return { name, type }
    })
  }

  /** Runs `make`; the nodes that it makes get the source location of a tile node. */
  at<R>(node: TileNode, make: () => R): R {
    return this.lanes.builder.withOrigin({ at: node.origin.at, pass: 'lower' }, make)
  }

  #argument(view: TileNode, key: string): LaneNode {
    const { index } = (view as Extract<TileNode, { op: 'view' }>).attrs
    return this.#byName.get(`${index}:${key}`)!
  }

  scalarArgument(index: number): LaneNode {
    return this.#byName.get(`${index}:scalar`)!
  }

  viewPointer(view: TileNode): LaneNode {
    return this.#argument(view, 'pointer')
  }

  viewSize(view: TileNode, dim: number): LaneNode {
    const known = viewType(view).sizes[dim]!
    return known === null ? this.#argument(view, `size${dim}`) : this.lanes.index(known)
  }

  viewStride(view: TileNode, dim: number): LaneNode {
    const known = viewType(view).strides[dim]!
    return known === null ? this.#argument(view, `stride${dim}`) : this.lanes.index(known)
  }
}
