/**
 * Runs lane programs in JavaScript: the reference for every emitter. It follows the IR's own placement, executes each op as
 * the scalar table defines it, and rejects errors that hardware does not report: out-of-bounds accesses, and reads of scratch
 * memory before it is written. One `Thread` runs one program instance; `simulate` is the loop over instances. A node becomes a
 * closure when its block first runs.
 */
import { InternalError, KernelError } from '../base/errors.js'
import { updatedBy } from '../scalar/atomic.js'
import type { ScalarOpName, Value } from '../scalar/ops.js'
import { Code, type Grid, type LaneArgument } from './code.js'
import { type ComputedNode, computeOf, isComputed } from './compute.js'
import { isGpuOnly, type LaneBlock, type LaneNode, type LaneProgram } from './ir.js'
import { Region } from './memory.js'
import { evaluateValue, type Lanes, offsetBy } from './values.js'
import { runWordDot } from './word-dot.js'

/**
 * Runs every instance of `grid`, x fastest, one after the other; modifies pointer arguments' arrays in place.
 * Throws ArgumentError when arguments do not fit the program, KernelError (with the user's line) on a bad access.
 */
export function simulate(program: LaneProgram, args: readonly LaneArgument[], grid: Grid): void {
  const code = new ThreadCode(new Code(program, args))
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

/** What a node does in a thread: its register. */
type Step = (thread: Thread) => Register

/** A block's nodes in execution order. */
type Steps = readonly { readonly id: number; readonly step: Step }[]

/** A program's nodes as closures, shared by all threads of a launch. */
class ThreadCode {
  readonly #steps = new Map<LaneBlock, Steps>()

  constructor(readonly code: Code) {}

  steps(block: LaneBlock): Steps {
    const known = this.#steps.get(block)
    if (known !== undefined) return known
    const made = this.code.order.get(block)!.map(node => ({ id: node.id, step: stepOf(node) }))
    this.#steps.set(block, made)
    return made
  }
}

/** One thread: its registers, and its position in the grid. */
class Thread {
  readonly #registers: (Register | undefined)[] = []

  constructor(
    readonly code: ThreadCode,
    readonly grid: Grid,
    readonly programId: Grid,
  ) {}

  run(): void {
    const { program, args } = this.code.code
    for (const param of program.body.params) {
      if (param.op === 'arg') this.#registers[param.id] = args[param.attrs.index]!
    }
    this.runBlock(program.body, [])
  }

  /** Runs a block with values for its params; returns the values of its results. */
  runBlock(block: LaneBlock, values: readonly Lanes[]): Lanes[] {
    for (let i = 0; i < values.length; i++) this.#registers[block.params[i]!.id] = values[i]!
    for (const { id, step } of this.code.steps(block)) this.#registers[id] = step(this)
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
    const { name } = this.code.code.program
    throw new KernelError(`${name}: ${node.op}: ${problem} (program ${this.programId.join(', ')})`, {
      at: node.origin.at,
    })
  }
}

const none = new Tuple([])

/** The closure of a node. */
function stepOf(node: LaneNode): Step {
  if (isComputed(node)) return computed(node)
  if (isGpuOnly(node)) throw new InternalError(`lane: ${node.op} (node ${node.id}) is for GPUs only`)
  switch (node.op) {
    case 'arg':
    case 'param':
      throw new InternalError(`lane: ${node.op} (node ${node.id}) outside its block`)
    case 'pick':
      return thread => thread.register(node.inputs[1 + Number(thread.scalar(node.inputs[0]!))]!)
    case 'programId':
      return thread => [thread.programId[node.attrs.axis]]
    case 'numPrograms':
      return thread => [thread.grid[node.attrs.axis]]
    case 'item':
      return thread => thread.item(node.inputs[0]!, node.attrs.index)
    case 'alloc':
      return () => Region.scratch(node.attrs.name, node.attrs.dtype, node.attrs.count)
    case 'prefetch':
      return () => none
    case 'wordDot':
      return thread => wordDot(thread, node)
    case 'load':
      return load(node)
    case 'store':
      return store(node)
    case 'gather':
      return gather(node)
    case 'scatter':
      return scatter(node)
    case 'atomic':
      return thread => atomic(thread, node)
    case 'for':
      return thread => new Tuple(forLoop(thread, node))
    case 'if':
      return thread => new Tuple(thread.runBlock(node.blocks[thread.scalar(node.inputs[0]!) ? 0 : 1]!, []))
    case 'while':
      return thread => new Tuple(whileLoop(thread, node))
    default:
      return node satisfies never
  }
}

type NodeOfOp<Op extends LaneNode['op']> = Extract<LaneNode, { op: Op }>

/** The closure of a pure op. */
function computed(node: ComputedNode): Step {
  const compute = computeOf(node)
  const [a, b, ...more] = node.inputs
  if (a === undefined) {
    const value = compute([])
    return () => value
  }
  if (b === undefined) return thread => compute([thread.lanes(a)])
  if (more.length === 0) return thread => compute([thread.lanes(a), thread.lanes(b)])
  return thread => compute(node.inputs.map(input => thread.lanes(input)))
}

function load(node: NodeOfOp<'load'>): Step {
  const [pointer, at, active, skipped] = node.inputs as [LaneNode, LaneNode, LaneNode?, LaneNode?]
  const { lanes, apart = 1 } = node.attrs
  return thread => {
    const [region, index] = [thread.region(pointer), thread.scalar(at)]
    const end = Math.min(lanes, activeLanes(thread, active))
    const values = new Array<Value>(lanes).fill(0)
    const first = skipped === undefined ? 0 : Math.max(0, Number(thread.scalar(skipped)))
    for (let lane = first; lane < end; lane++) values[lane] = thread.read(node, region, offsetBy(index, lane * apart))
    return values
  }
}

function store(node: NodeOfOp<'store'>): Step {
  const [pointer, at, stored, active] = node.inputs as [LaneNode, LaneNode, LaneNode, LaneNode?]
  return thread => {
    const [region, index, values] = [thread.region(pointer), thread.scalar(at), thread.lanes(stored)]
    const end = Math.min(values.length, activeLanes(thread, active))
    for (let lane = 0; lane < end; lane++) thread.write(node, region, offsetBy(index, lane), values[lane]!)
    return none
  }
}

function gather(node: NodeOfOp<'gather'>): Step {
  const [pointer, indices, allowed] = node.inputs as [LaneNode, LaneNode, LaneNode?]
  return thread => {
    const region = thread.region(pointer)
    const mask = allowed && thread.lanes(allowed)
    return thread
      .lanes(indices)
      .map((index, lane) => (mask === undefined || mask[lane] ? thread.read(node, region, index) : 0))
  }
}

function scatter(node: NodeOfOp<'scatter'>): Step {
  const [pointer, indices, stored, allowed] = node.inputs as [LaneNode, LaneNode, LaneNode, LaneNode?]
  return thread => {
    const [region, values] = [thread.region(pointer), thread.lanes(stored)]
    const mask = allowed && thread.lanes(allowed)
    thread.lanes(indices).forEach((index, lane) => {
      if (mask === undefined || mask[lane]) thread.write(node, region, index, values[lane]!)
    })
    return none
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

function atomic(thread: Thread, node: NodeOfOp<'atomic'>): Lanes {
  const region = thread.region(node.inputs[0]!)
  const [index, ...values] = node.inputs.slice(1).map(input => thread.scalar(input)) as [Value, ...Value[]]
  const old = thread.read(node, region, index)
  const { fn } = node.attrs
  const combine = (op: ScalarOpName, a: Value, b: Value): Value => evaluateValue(op, region.dtype, [a, b])
  if (fn !== 'load') thread.write(node, region, index, updatedBy(fn, old, values, combine))
  return [old]
}

/** Runs a loop with a condition; returns the carried values. */
function whileLoop(thread: Thread, node: NodeOfOp<'while'>): Lanes[] {
  const [condition, body] = node.blocks as [LaneBlock, LaneBlock]
  let carried = node.inputs.map(input => thread.lanes(input))
  while (thread.runBlock(condition, carried)[0]![0]) carried = thread.runBlock(body, carried)
  return carried
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
