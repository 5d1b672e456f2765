/**
 * Runs lane programs in JavaScript: the reference for every emitter. It follows the engine's own placement, executes
 * each op by the scalar table's meaning, and refuses what hardware would let pass: accesses out of bounds, scratch read
 * before it is written. One `Thread` runs one program instance; `simulate` is the loop over instances.
 */
import { ArgumentError, InternalError, KernelError } from '../base/errors.js'
import { placement } from '../ir/walk.js'
import { type Value, wrapValue } from '../scalar/ops.js'
import { isGpuOnly, isLoop, type LaneBlock, type LaneNode, type LaneProgram, laneDialect, valueType } from './ir.js'
import { type PointerArgument, Region } from './memory.js'
import { bitcastValue, castLane, evaluateValue, foldLanes, type Lanes, normal } from './values.js'

/** Memory for a pointer argument; a number, bigint or boolean for a scalar one. */
export type LaneArgument = PointerArgument | number | bigint | boolean

export type Grid = readonly [x: number, y: number, z: number]

/**
 * Runs every instance of `grid`, x fastest, one after the other; pointer arguments' arrays are changed in place.
 * Throws ArgumentError when arguments do not fit the program, KernelError (with the user's line) on a bad access.
 */
export function simulate(program: LaneProgram, args: readonly LaneArgument[], grid: Grid): void {
  const code = new Code(program, bindArguments(program, args))
  for (let z = 0; z < grid[2]; z++) {
    for (let y = 0; y < grid[1]; y++) {
      for (let x = 0; x < grid[0]; x++) new Thread(code, grid, [x, y, z]).run()
    }
  }
}

type Register = Lanes | Region | Tuple
class Tuple {
  constructor(readonly items: readonly Lanes[]) {}
}

/** What all threads of a launch share. */
class Code {
  readonly order: ReadonlyMap<LaneBlock, readonly LaneNode[]>
  constructor(
    readonly program: LaneProgram,
    readonly args: readonly (Region | Lanes)[],
  ) {
    this.order = placement(laneDialect, program.body, isLoop)
  }
}

function bindArguments(program: LaneProgram, args: readonly LaneArgument[]): (Region | Lanes)[] {
  if (args.length !== program.args.length) {
    throw new ArgumentError(`${program.name}: takes ${program.args.length} arguments, got ${args.length}`, { at: null })
  }
  return program.args.map(({ name, type }, i) => {
    const given = args[i]!
    if ((typeof given === 'object') !== (type.kind === 'pointer')) {
      throw new ArgumentError(`${program.name}: argument '${name}' must be a ${type.kind}`, { at: null })
    }
    if (typeof given === 'object') return Region.ofArgument(program.name, name, type.dtype, given)
    const value = typeof given === 'boolean' ? Number(given) : given
    return [castLane(typeof value === 'bigint' ? 'i64' : 'f64', type.dtype, value)]
  })
}

/** One thread: its registers, and its place in the grid. */
class Thread {
  readonly #registers: (Register | undefined)[] = []

  constructor(
    readonly code: Code,
    readonly grid: Grid,
    readonly programId: Grid,
  ) {}

  run(): void {
    const { body } = this.code.program
    for (const param of body.params) {
      if (param.op === 'arg') this.#registers[param.id] = this.code.args[param.attrs.index]!
    }
    this.runBlock(body, [])
  }

  /** Runs a block with values for its params; gives the values of its results. */
  runBlock(block: LaneBlock, values: readonly Lanes[]): Lanes[] {
    values.forEach((value, i) => {
      this.#registers[block.params[i]!.id] = value
    })
    for (const node of this.code.order.get(block)!) this.#registers[node.id] = execute(this, node)
    return block.results.map(result => this.lanes(result))
  }

  lanes(node: LaneNode): Lanes {
    const register = this.#register(node)
    if (register instanceof Region || register instanceof Tuple) throw new InternalError(`lane: ${node.op} is no value`)
    return register
  }

  scalar(node: LaneNode): Value {
    return this.lanes(node)[0]!
  }

  region(node: LaneNode): Region {
    const register = this.#register(node)
    if (!(register instanceof Region)) throw new InternalError(`lane: ${node.op} is no pointer`)
    return register
  }

  item(node: LaneNode, index: number): Lanes {
    const register = this.#register(node)
    if (!(register instanceof Tuple)) throw new InternalError(`lane: ${node.op} is no tuple`)
    return register.items[index]!
  }

  #register(node: LaneNode): Register {
    const register = this.#registers[node.id]
    if (register === undefined) throw new InternalError(`lane: ${node.op} (node ${node.id}) is used before it runs`)
    return register
  }

  read(node: LaneNode, region: Region, index: Value): Value {
    this.#check(node, region.problem(index, true))
    return region.read(index)
  }

  write(node: LaneNode, region: Region, index: Value, value: Value): void {
    this.#check(node, region.problem(index, false))
    region.write(index, value)
  }

  #check(node: LaneNode, problem: string | null): void {
    if (problem !== null) this.fail(node, problem)
  }

  fail(node: LaneNode, problem: string): never {
    const { name } = this.code.program
    throw new KernelError(`${name}: ${node.op}: ${problem} (program ${this.programId.join(', ')})`, {
      at: node.origin.at,
    })
  }
}

const none = new Tuple([])

function execute(thread: Thread, node: LaneNode): Register {
  if (isGpuOnly(node)) throw new InternalError(`lane: ${node.op} (node ${node.id}) is for GPUs`)
  switch (node.op) {
    case 'arg':
    case 'param':
      throw new InternalError(`lane: ${node.op} (node ${node.id}) outside its block`)
    case 'const':
      return filled(node.attrs.lanes, normal(wrapValue(node.attrs.dtype, node.attrs.value)))
    case 'programId':
      return [thread.programId[node.attrs.axis]]
    case 'numPrograms':
      return [thread.grid[node.attrs.axis]]
    case 'splat':
      return filled(node.attrs.lanes, thread.scalar(node.inputs[0]!))
    case 'iota':
      return Array.from({ length: node.attrs.lanes }, (_, lane) => normal(wrapValue(node.attrs.dtype, lane)))
    case 'extract':
      return [thread.lanes(node.inputs[0]!)[node.attrs.lane]!]
    case 'item':
      return thread.item(node.inputs[0]!, node.attrs.index)
    case 'alloc':
      return Region.scratch(node.attrs.name, node.attrs.dtype, node.attrs.count)
    case 'map':
    case 'cast':
    case 'bitcast':
    case 'fold':
    case 'interleave':
      return compute(thread, node)
    case 'load':
    case 'gather':
    case 'store':
    case 'scatter':
    case 'atomic':
      return access(thread, node)
    case 'for':
    case 'if':
    case 'while':
      return control(thread, node)
    default:
      return node satisfies never
  }
}

const filled = (lanes: number, value: Value): Lanes => new Array<Value>(lanes).fill(value)

type NodeOfOp<Op extends LaneNode['op']> = Extract<LaneNode, { op: Op }>

function compute(thread: Thread, node: NodeOfOp<'map' | 'cast' | 'bitcast' | 'fold' | 'interleave'>): Lanes {
  const operands = node.inputs.map(input => thread.lanes(input))
  const from = valueType(node.inputs.at(-1)!).dtype
  switch (node.op) {
    case 'map':
      return operands[0]!.map((_, lane) =>
        evaluateValue(
          node.attrs.fn,
          from,
          operands.map(operand => operand[lane]!),
        ),
      )
    case 'cast':
      return operands[0]!.map(value => castLane(from, node.attrs.to, value))
    case 'bitcast':
      return operands[0]!.map(value => bitcastValue(from, node.attrs.to, value))
    case 'fold':
      return [foldLanes(node.attrs.fn, from, operands[0]!)]
    case 'interleave': {
      const start = node.attrs.half === 'low' ? 0 : operands[0]!.length / 2
      return operands[0]!.map((_, lane) => operands[lane % 2]![start + (lane >> 1)]!)
    }
  }
}

function access(thread: Thread, node: NodeOfOp<'load' | 'store' | 'gather' | 'scatter' | 'atomic'>): Lanes | Tuple {
  const region = thread.region(node.inputs[0]!)
  switch (node.op) {
    case 'load': {
      const [index, count] = [thread.scalar(node.inputs[1]!), activeLanes(thread, node.inputs[2])]
      return Array.from({ length: node.attrs.lanes }, (_, lane) =>
        lane < count ? thread.read(node, region, offsetBy(index, lane)) : 0,
      )
    }
    case 'store': {
      const [index, count] = [thread.scalar(node.inputs[1]!), activeLanes(thread, node.inputs[3])]
      thread.lanes(node.inputs[2]!).forEach((value, lane) => {
        if (lane < count) thread.write(node, region, offsetBy(index, lane), value)
      })
      return none
    }
    case 'gather': {
      const mask = node.inputs[2] && thread.lanes(node.inputs[2])
      return thread
        .lanes(node.inputs[1]!)
        .map((index, lane) => (mask === undefined || mask[lane] ? thread.read(node, region, index) : 0))
    }
    case 'scatter': {
      const mask = node.inputs[3] && thread.lanes(node.inputs[3])
      const values = thread.lanes(node.inputs[2]!)
      thread.lanes(node.inputs[1]!).forEach((index, lane) => {
        if (mask === undefined || mask[lane]) thread.write(node, region, index, values[lane]!)
      })
      return none
    }
    case 'atomic':
      return atomic(thread, node, region)
  }
}

/** How many lanes a partial access covers: all without a count. */
const activeLanes = (thread: Thread, count: LaneNode | undefined): number =>
  count === undefined ? Number.POSITIVE_INFINITY : Number(thread.scalar(count))

const offsetBy = (index: Value, lane: number): Value => evaluateValue('add', 'i64', [index, lane])

function atomic(thread: Thread, node: NodeOfOp<'atomic'>, region: Region): Lanes {
  const [index, operand] = [thread.scalar(node.inputs[1]!), thread.scalar(node.inputs[2]!)]
  const old = thread.read(node, region, index)
  const { fn } = node.attrs
  thread.write(node, region, index, fn === 'exchange' ? operand : evaluateValue(fn, region.dtype, [old, operand]))
  return [old]
}

function control(thread: Thread, node: NodeOfOp<'for' | 'if' | 'while'>): Tuple {
  switch (node.op) {
    case 'for':
      return new Tuple(forLoop(thread, node))
    case 'if':
      return new Tuple(thread.runBlock(node.blocks[thread.scalar(node.inputs[0]!) ? 0 : 1]!, []))
    case 'while': {
      let carried = node.inputs.map(input => thread.lanes(input))
      while (thread.runBlock(node.blocks[0]!, carried)[0]![0]) carried = thread.runBlock(node.blocks[1]!, carried)
      return new Tuple(carried)
    }
  }
}

function forLoop(thread: Thread, node: NodeOfOp<'for'>): Lanes[] {
  const [from, to, step] = node.inputs.slice(0, 3).map(bound => thread.scalar(bound)) as [Value, Value, Value]
  if (step === 0) thread.fail(node, 'the step is 0')
  let carried = node.inputs.slice(3).map(input => thread.lanes(input))
  for (
    let counter = from;
    step > 0 ? counter < to : counter > to;
    counter = evaluateValue('add', 'i64', [counter, step])
  ) {
    carried = thread.runBlock(node.blocks[0]!, [[counter], ...carried])
  }
  return carried
}
