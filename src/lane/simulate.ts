/**
 * Runs lane programs in JavaScript: the reference for every emitter. It follows the IR's own placement, executes each op as
 * the scalar table defines it, and rejects errors that hardware does not report: out-of-bounds accesses, and reads of scratch
 * memory before it is written. One `Thread` runs one program instance; `simulate` is the loop over instances.
 */
import { InternalError, KernelError } from '../base/errors.js'
import { updatedBy } from '../scalar/atomic.js'
import type { ScalarOpName, Value } from '../scalar/ops.js'
import { Code, type Grid, type LaneArgument } from './code.js'
import { computeOf, isComputed } from './compute.js'
import { isGpuOnly, type LaneBlock, type LaneNode, type LaneProgram } from './ir.js'
import { Region } from './memory.js'
import { evaluateValue, type Lanes, offsetBy } from './values.js'
import { runWordDot } from './word-dot.js'

/**
 * Runs every instance of `grid`, x fastest, one after the other; modifies pointer arguments' arrays in place.
 * Throws ArgumentError when arguments do not fit the program, KernelError (with the user's line) on a bad access.
 */
export function simulate(program: LaneProgram, args: readonly LaneArgument[], grid: Grid): void {
  const code = new Code(program, args)
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

/** One thread: its registers, and its position in the grid. */
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

  /** Runs a block with values for its params; returns the values of its results. */
  runBlock(block: LaneBlock, values: readonly Lanes[]): Lanes[] {
    values.forEach((value, i) => {
      this.#registers[block.params[i]!.id] = value
    })
    for (const node of this.code.order.get(block)!) this.#registers[node.id] = execute(this, node)
    return block.results.map(result => this.lanes(result))
  }

  lanes(node: LaneNode): Lanes {
    const register = this.register(node)
    if (register instanceof Region || register instanceof Tuple)
      throw new InternalError(`lane: ${node.op} is not a value`)
    return register
  }

  scalar(node: LaneNode): Value {
    return this.lanes(node)[0]!
  }

  region(node: LaneNode): Region {
    const register = this.register(node)
    if (!(register instanceof Region)) throw new InternalError(`lane: ${node.op} is not a pointer`)
    return register
  }

  item(node: LaneNode, index: number): Lanes {
    const register = this.register(node)
    if (!(register instanceof Tuple)) throw new InternalError(`lane: ${node.op} is not a tuple`)
    return register.items[index]!
  }

  register(node: LaneNode): Register {
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

/** Executes one node for one thread. */
function execute(thread: Thread, node: LaneNode): Register {
  if (isComputed(node)) {
    return computeOf(node)(node.inputs.map(input => thread.lanes(input)))
  }
  if (isGpuOnly(node)) throw new InternalError(`lane: ${node.op} (node ${node.id}) is for GPUs only`)
  switch (node.op) {
    case 'arg':
    case 'param':
      throw new InternalError(`lane: ${node.op} (node ${node.id}) outside its block`)
    case 'pick':
      return thread.register(node.inputs[1 + Number(thread.scalar(node.inputs[0]!))]!)
    case 'programId':
      return [thread.programId[node.attrs.axis]]
    case 'numPrograms':
      return [thread.grid[node.attrs.axis]]
    case 'item':
      return thread.item(node.inputs[0]!, node.attrs.index)
    case 'alloc':
      return Region.scratch(node.attrs.name, node.attrs.dtype, node.attrs.count)
    case 'prefetch':
      return none
    case 'wordDot':
      return wordDot(thread, node)
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

type NodeOfOp<Op extends LaneNode['op']> = Extract<LaneNode, { op: Op }>

/** Executes a memory access for one thread. */
function access(thread: Thread, node: NodeOfOp<'load' | 'store' | 'gather' | 'scatter' | 'atomic'>): Lanes | Tuple {
  const region = thread.region(node.inputs[0]!)
  switch (node.op) {
    case 'load': {
      const [index, count] = [thread.scalar(node.inputs[1]!), activeLanes(thread, node.inputs[2])]
      const skip = node.inputs[3] === undefined ? 0 : Number(thread.scalar(node.inputs[3]))
      return Array.from({ length: node.attrs.lanes }, (_, lane) =>
        lane >= skip && lane < count ? thread.read(node, region, offsetBy(index, lane * (node.attrs.apart ?? 1))) : 0,
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

function wordDot(thread: Thread, node: NodeOfOp<'wordDot'>): Tuple {
  const [acc, rows, panels] = node.inputs.slice(0, 3).map(input => thread.region(input)) as [Region, Region, Region]
  const memory = {
    sum: (index: number) => Number(thread.read(node, acc, index)),
    setSum: (index: number, value: number) => thread.write(node, acc, index, value),
    row: (index: number) => Number(thread.read(node, rows, index)),
    panel: (index: number) => Number(thread.read(node, panels, index)),
  }
  const [m, n, words] = node.inputs.slice(3).map(size => Number(thread.scalar(size))) as [number, number, number]
  runWordDot(node.attrs, memory, [m, n, words])
  return none
}

/** Number of lanes that a partial access covers; without a count, all. */
const activeLanes = (thread: Thread, count: LaneNode | undefined): number =>
  count === undefined ? Number.POSITIVE_INFINITY : Number(thread.scalar(count))

function atomic(thread: Thread, node: NodeOfOp<'atomic'>, region: Region): Lanes {
  const [index, ...values] = node.inputs.slice(1).map(input => thread.scalar(input)) as [Value, ...Value[]]
  const old = thread.read(node, region, index)
  const { fn } = node.attrs
  const combine = (op: ScalarOpName, a: Value, b: Value): Value => evaluateValue(op, region.dtype, [a, b])
  if (fn !== 'load') thread.write(node, region, index, updatedBy(fn, old, values, combine))
  return [old]
}

/** Executes control flow for one thread. */
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

/** Runs a counted loop; returns the carried values. */
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
