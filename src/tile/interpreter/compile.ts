/**
 * A tile program as a list of closures. Shapes and dtypes are static, so each node is analysed once; running an instance
 * of the grid only calls the closures, in the order of `placement`, over an array with one slot per node.
 */
import { InternalError, KernelError } from '../../base/errors.js'
import { placement } from '../../ir/walk.js'
import { isLoop, type TileBlock, type TileNode, type TileProgram, tileDialect, tileType, viewType } from '../ir.js'
import { writtenViews } from '../written.js'
import { binOrderFunction, histogramFunction, takeFunction } from './bins.js'
import { bitcastFunction, castFunction, type Elementwise, mapFunction } from './elementwise.js'
import { atomicElements, cutAt, gatherElements, loadBlock, scatterElements, storeBlock } from './memory.js'
import { type Claims, conflictError, type Owner } from './owners.js'
import {
  broadcastFunction,
  dotFunction,
  reduceFunction,
  reshapeFunction,
  scanFunction,
  transposeFunction,
} from './shapes.js'
import { allocate, asCell, type Cell, packI64, packValue, type Scalar, type ViewMemory } from './values.js'

/** The state of one instance. */
export interface Frame {
  readonly cells: Cell[]
  /** By parameter index; undefined for scalars. */
  readonly views: readonly (ViewMemory | undefined)[]
  readonly scalars: readonly (Scalar | undefined)[]
  readonly programId: readonly number[]
  readonly numPrograms: readonly number[]
  /** By parameter index; undefined for views that are not written, and when there is only one program. */
  readonly claims: readonly (Claims | undefined)[]
}

export type Step = (frame: Frame) => void

export interface CompiledProgram {
  readonly slots: number
  /** Indices of the views that it stores to. */
  readonly written: readonly number[]
  run(frame: Frame): void
}

/** Compiles a program to closures, one per node, which run it once per program instance. */
export function compileProgram(program: TileProgram): CompiledProgram {
  const compiler = new Compiler(program, placement(tileDialect, program.body, isLoop))
  const steps = [...program.body.params.map(param => compiler.step(param)), ...compiler.block(program.body)]
  return {
    slots: compiler.slots,
    written: writtenViews(program),
    run: frame => {
      for (const step of steps) step(frame)
    },
  }
}

const shapeOf = (node: TileNode): readonly number[] => tileType(node).shape
const dtypeOf = (node: TileNode) => tileType(node).dtype
const countOf = (shape: readonly number[]): number => shape.reduce((a, b) => a * b, 1)
/** Elements of a tile; null for a scalar. */
const countOrNull = (node: TileNode): number | null => (shapeOf(node).length === 0 ? null : countOf(shapeOf(node)))

class Compiler {
  readonly #slots = new Map<TileNode, number>()

  constructor(
    readonly program: TileProgram,
    readonly order: ReadonlyMap<TileBlock, readonly TileNode[]>,
  ) {}

  get slots(): number {
    return this.#slots.size
  }

  slot(node: TileNode): number {
    const known = this.#slots.get(node)
    if (known !== undefined) return known
    this.#slots.set(node, this.#slots.size)
    return this.#slots.size - 1
  }

  block(block: TileBlock): Step[] {
    const nodes = this.order.get(block)
    if (nodes === undefined) throw new InternalError('interpreter: a block without an order')
    return nodes.map(node => this.step(node))
  }

  /** The closure that executes one node. */
  step(node: TileNode): Step {
    const out = this.slot(node)
    switch (node.op) {
      case 'view':
        return () => {}
      case 'param':
        throw new InternalError('interpreter: a block parameter stands in a body')
      case 'scalar': {
        const { index } = node.attrs
        return frame => {
          frame.cells[out] = frame.scalars[index]!
        }
      }
      case 'const': {
        const value = packValue(node.attrs.value)
        return frame => {
          frame.cells[out] = value
        }
      }
      case 'size':
      case 'stride':
        return this.#extent(node, out)
      case 'programId': {
        const { axis } = node.attrs
        return frame => {
          frame.cells[out] = frame.programId[axis]!
        }
      }
      case 'numPrograms': {
        const { axis } = node.attrs
        return frame => {
          frame.cells[out] = frame.numPrograms[axis]!
        }
      }
      case 'iota': {
        const values = allocate(node.attrs.dtype, node.attrs.length).map((_, i) => i)
        return frame => {
          frame.cells[out] = values
        }
      }
      case 'load':
      case 'store':
      case 'gather':
      case 'scatter':
      case 'atomic':
        return this.#memory(node, out)
      case 'range':
        return this.#range(node, out)
      case 'if':
        return this.#if(node, out)
      case 'while':
        return this.#while(node, out)
      case 'item': {
        const [tuple] = this.#inputs(node) as [number]
        const { index } = node.attrs
        return frame => {
          frame.cells[out] = (frame.cells[tuple] as readonly Cell[])[index]!
        }
      }
      default:
        return this.#apply(pureFunction(node), this.#inputs(node), out)
    }
  }

  #inputs(node: TileNode): number[] {
    return node.inputs.map(input => this.slot(input))
  }

  /** A closure that applies a function to one to three cells. */
  #apply(apply: Elementwise, inputs: readonly number[], out: number): Step {
    const [a = 0, b = 0, c = 0] = inputs
    if (inputs.length === 1)
      return ({ cells }) => {
        cells[out] = apply(cells[a]!)
      }
    if (inputs.length === 2)
      return ({ cells }) => {
        cells[out] = apply(cells[a]!, cells[b]!)
      }
    return ({ cells }) => {
      cells[out] = apply(cells[a]!, cells[b]!, cells[c]!)
    }
  }

  #extent(node: Extract<TileNode, { op: 'size' | 'stride' }>, out: number): Step {
    const index = viewIndex(node.inputs[0]!)
    const { dim } = node.attrs
    if (node.op === 'size')
      return frame => {
        frame.cells[out] = frame.views[index]!.sizes[dim]!
      }
    return frame => {
      frame.cells[out] = frame.views[index]!.strides[dim]!
    }
  }

  /** The closure of a memory access. */
  #memory(node: Extract<TileNode, { op: 'load' | 'store' | 'gather' | 'scatter' | 'atomic' }>, out: number): Step {
    const view = node.inputs[0]!
    const index = viewIndex(view)
    const { dtype, sizes } = viewType(view)
    const rank = sizes.length
    const slots = this.#inputs(node).slice(1)
    const at = slots.slice(0, rank)
    const rest = slots.slice(rank)
    const pick = (cells: readonly Cell[]): Cell[] => at.map(slot => cells[slot]!)
    switch (node.op) {
      case 'load': {
        const { shape } = node.attrs
        const [padding] = rest
        return ({ cells, views }) => {
          const outside = padding === undefined ? 0 : (cells[padding] as Scalar)
          cells[out] = asCell(
            loadBlock(dtype, views[index]!, pick(cells) as Scalar[], shape, outside),
            shape.length === 0,
          )
        }
      }
      case 'store': {
        const shape = shapeOf(node.inputs.at(-1)!)
        const [ends, value] = [rest.slice(0, -1), rest.at(-1)!]
        return frame => {
          const { cells, views } = frame
          const view = cutAt(
            views[index]!,
            ends.map(slot => Number(cells[slot])),
          )
          storeBlock(dtype, view, pick(cells) as Scalar[], shape, cells[value]!, this.#owner(frame, index, node))
        }
      }
      case 'gather': {
        const shape = shapeOf(node)
        return ({ cells, views }) => {
          const tile = gatherElements(dtype, views[index]!, pick(cells), cells[rest[0]!]!, countOf(shape))
          cells[out] = asCell(tile, shape.length === 0)
        }
      }
      case 'scatter':
        return frame => {
          const { cells, views } = frame
          const owner = this.#owner(frame, index, node)
          scatterElements(dtype, views[index]!, pick(cells), cells[rest[0]!]!, cells[rest[1]!]!, owner)
        }
      case 'atomic': {
        const isScalar = shapeOf(node).length === 0
        const { fn } = node.attrs
        return ({ cells, views }) => {
          const operands = rest.map(slot => cells[slot]!)
          const mask = operands.pop()!
          const old = atomicElements(fn, dtype, views[index]!, pick(cells), operands, mask)
          cells[out] = asCell(old, isScalar)
        }
      }
      default:
        throw new InternalError(`interpreter: ${(node as TileNode).op} is not an access` satisfies string)
    }
  }

  /** Identifies the running instance as the writer of a store. */
  #owner({ claims, views, programId, numPrograms }: Frame, index: number, node: TileNode): Owner | undefined {
    const known = claims[index]
    if (known === undefined) return undefined
    const [x, y] = numPrograms as [number, number]
    const program = programId[0]! + x * (programId[1]! + y * programId[2]!)
    const conflict = (at: number, other: number): never => {
      throw conflictError({
        kernel: this.program.name,
        view: this.program.params[index]!.name,
        memory: views[index]!,
        at,
        programs: [other, program],
        grid: numPrograms,
        line: node.origin.at,
      })
    }
    return { claims: known, mark: program + 1, conflict }
  }

  /** Copies results to params. Reads all before writing any, because a result may be another slot's param. */
  #carry(results: readonly number[], params: readonly number[]): Step {
    return ({ cells }) => {
      const values = results.map(slot => cells[slot]!)
      for (let i = 0; i < params.length; i++) cells[params[i]!] = values[i]!
    }
  }

  /** The closure of a counted loop. */
  #range(node: TileNode, out: number): Step {
    const [from, to, step, ...initial] = this.#inputs(node) as [number, number, number, ...number[]]
    const [block] = node.blocks as [TileBlock]
    const [counter, ...params] = block.params.map(param => this.slot(param)) as [number, ...number[]]
    const steps = this.block(block)
    const carry = this.#carry(
      block.results.map(result => this.slot(result)),
      params,
    )
    const enter = this.#carry(initial, params)
    const turn = (frame: Frame, i: Scalar): void => {
      frame.cells[counter] = i
      for (const inner of steps) inner(frame)
      carry(frame)
    }
    return frame => {
      const { cells } = frame
      const [start, end, stride] = [cells[from], cells[to], cells[step]] as [Scalar, Scalar, Scalar]
      if (!(stride > 0))
        throw new KernelError(`${this.program.name}: range: the step is ${stride}`, {
          at: node.origin.at,
          fix: 'the step is positive',
        })
      enter(frame)
      const isSmall =
        typeof start === 'number' && typeof stride === 'number' && Number.isSafeInteger(Number(end) + stride)
      if (isSmall) for (let i = start; i < end; i += stride) turn(frame, i)
      else for (let i = BigInt(start); i < BigInt(end); i += BigInt(stride)) turn(frame, packI64(i))
      cells[out] = params.map(param => cells[param]!)
    }
  }

  /** The closure of a branch. */
  #if(node: TileNode, out: number): Step {
    const [condition] = this.#inputs(node) as [number]
    const branches = node.blocks.map(block => {
      const steps = this.block(block as TileBlock)
      const results = (block as TileBlock).results.map(result => this.slot(result))
      return { steps, results }
    })
    return frame => {
      const { steps, results } = branches[frame.cells[condition] ? 0 : 1]!
      for (const inner of steps) inner(frame)
      frame.cells[out] = results.map(result => frame.cells[result]!)
    }
  }

  /** The closure of a while loop. */
  #while(node: TileNode, out: number): Step {
    const initial = this.#inputs(node)
    const [test, turn] = node.blocks as [TileBlock, TileBlock]
    const testSteps = this.block(test)
    const bodySteps = this.block(turn)
    const condition = this.slot(test.results[0]!)
    const [testParams, bodyParams] = [test, turn].map(block => block.params.map(param => this.slot(param))) as [
      number[],
      number[],
    ]
    const enter = this.#carry(initial, testParams)
    const pass = this.#carry(testParams, bodyParams)
    const back = this.#carry(
      turn.results.map(result => this.slot(result)),
      testParams,
    )
    return frame => {
      enter(frame)
      for (;;) {
        for (const inner of testSteps) inner(frame)
        if (!frame.cells[condition]) break
        pass(frame)
        for (const inner of bodySteps) inner(frame)
        back(frame)
      }
      frame.cells[out] = testParams.map(param => frame.cells[param]!)
    }
  }
}

function viewIndex(node: TileNode): number {
  if (node.op === 'view') return node.attrs.index
  throw new InternalError(`interpreter: ${node.op} stands for a view`)
}

/** The function by which a node without effects computes its result from its operands. */
function pureFunction(node: TileNode): Elementwise {
  const [first] = node.inputs as [TileNode]
  switch (node.op) {
    case 'map':
      return mapFunction(node.attrs.fn, dtypeOf(node.inputs.at(-1)!), countOrNull(node))
    case 'cast':
      return castFunction(dtypeOf(first), node.attrs.to, countOrNull(node))
    case 'bitcast':
      return bitcastFunction(dtypeOf(first), node.attrs.to, countOrNull(node))
    case 'broadcast':
      return broadcastFunction(dtypeOf(first), shapeOf(first), node.attrs.shape) as Elementwise
    case 'reshape':
      return reshapeFunction(dtypeOf(first), shapeOf(first), node.attrs.shape) as Elementwise
    case 'transpose':
      return transposeFunction(dtypeOf(first), shapeOf(first), node.attrs.permutation) as Elementwise
    case 'reduce':
      return reduceFunction(node.attrs.fn, dtypeOf(first), shapeOf(first), node.attrs.axis) as Elementwise
    case 'scan':
      return scanFunction(
        node.attrs.fn,
        dtypeOf(first),
        shapeOf(first),
        node.attrs.axis,
        node.attrs.reverse,
      ) as Elementwise
    case 'histogram':
      return histogramFunction(node.attrs.bins) as Elementwise
    case 'binOrder':
      return binOrderFunction(node.attrs.bins) as Elementwise
    case 'take':
      return takeFunction(dtypeOf(first)) as Elementwise
    case 'dot': {
      const [m, k] = shapeOf(first) as [number, number]
      return dotFunction(dtypeOf(node), m, k, shapeOf(node)[1]!, node.attrs) as Elementwise
    }
    default:
      throw new InternalError(`interpreter: ${node.op} is not pure`)
  }
}
