/**
 * Simulates lane programs for thread blocks in JavaScript, so that GPU programs can be tested without a GPU. All threads of a
 * block execute each node together, masked by the set of threads that control flow left active; uniform values are computed
 * once. It rejects errors that hardware does not report: races, out-of-bounds or misaligned accesses, reads of uninitialised
 * shared memory, use of async copies before they are complete, barriers that not all threads reach.
 */
import { InternalError, KernelError } from '../base/errors.js'
import { evaluate, type Value } from '../scalar/ops.js'
import { Copies, memoryAccess, type ThreadBlock } from './block-memory.js'
import { Code, type Grid, type LaneArgument } from './code.js'
import { type Compute, type ComputedNode, computeOf, isComputed } from './compute.js'
import { type Access, Hazards } from './hazards.js'
import { type LaneBlock, type LaneNode, type LaneProgram, valueType } from './ir.js'
import { Region } from './memory.js'
import { type Active, Register } from './register.js'
import { Warpgroups } from './simulate-warpgroup.js'
import { Traffic } from './traffic.js'
import { evaluateValue, type Lanes } from './values.js'
import { matched, multiplied, shuffled, warpSize } from './warp.js'

export interface BlockOptions {
  /** false: no race detection, which takes most of the simulation's time. Default true. */
  readonly races?: boolean
  /**
   * Blocks run in turns, changing at atomics, so that they see each other's results in many orders. As on hardware, only some
   * run at once: others start, in any order, when one has ended. Default: one block after another.
   */
  readonly turns?: Turns
}

export interface Turns {
  /** 0 ≤ pick(n) < n: which of n blocks is next. */
  pick(count: number): number
  /** Blocks that run at once. */
  readonly atOnce: number
  /** Turns after which blocks that have not ended are taken to wait for each other. */
  readonly most: number
}

/**
 * Runs every block of `grid`, x fastest; pointer arguments' arrays are modified in place. Returns the launch's memory traffic.
 * Throws ArgumentError when arguments do not fit, KernelError (with the user's line) on a bad access.
 */
export function simulateBlocks(
  program: LaneProgram,
  args: readonly LaneArgument[],
  grid: Grid,
  { races = true, turns }: BlockOptions = {},
): Traffic {
  const { block } = program
  if (block === undefined) throw new InternalError(`${program.name}: not a program for blocks of threads`)
  const launch: Launch = {
    code: new Code(program, args),
    grid,
    threads: block.threads,
    sharedBytes: block.sharedBytes,
    hazards: races ? new Hazards() : null,
    traffic: new Traffic(),
  }
  if (turns === undefined) for (const ids of programIds(grid)) for (const _ of new BlockRun(launch, ids).run());
  else takeTurns(launch, turns)
  return launch.traffic
}

function* programIds([x, y, z]: Grid): Generator<readonly [index: number, ids: Grid]> {
  for (let index = 0; index < x * y * z; index++)
    yield [index, [index % x, Math.floor(index / x) % y, Math.floor(index / (x * y))]]
}

function takeTurns(launch: Launch, { pick, atOnce, most }: Turns): void {
  const waiting = [...programIds(launch.grid)]
  const running: Generator<void>[] = []
  for (let turn = 0; waiting.length + running.length > 0; turn++) {
    if (turn > most)
      throw new KernelError(`${launch.code.program.name}: blocks still wait for each other after ${most} turns`)
    while (running.length < atOnce && waiting.length > 0)
      running.push(new BlockRun(launch, waiting.splice(pick(waiting.length), 1)[0]!).run())
    const next = pick(running.length)
    if (running[next]!.next().done === true) running.splice(next, 1)
  }
}

interface Launch {
  readonly code: Code
  readonly grid: Grid
  readonly threads: number
  readonly sharedBytes: number
  readonly hazards: Hazards | null
  readonly traffic: Traffic
}

class Tuple {
  constructor(readonly items: readonly Register[]) {}
}
const nothing = new Tuple([])

type NodeOfOp<Op extends LaneNode['op']> = Extract<LaneNode, { op: Op }>

/** One block: its registers, shared memory and position in the grid. */
class BlockRun implements ThreadBlock {
  readonly shared: ArrayBuffer
  readonly copies: Copies
  readonly warpgroups = new Warpgroups()
  readonly #values: (Register | Region | Tuple | undefined)[] = []
  readonly #all: Active
  /** Barriers so far; a block's first epoch is later than all epochs of earlier blocks. */
  #epoch: number
  readonly #warpEpochs: number[]
  readonly index: number
  readonly programId: Grid

  constructor(
    readonly launch: Launch,
    [index, programId]: readonly [number, Grid],
  ) {
    this.index = index
    this.programId = programId
    this.shared = new ArrayBuffer(launch.sharedBytes)
    this.copies = new Copies(launch.sharedBytes)
    this.#all = Array.from({ length: launch.threads }, (_, thread) => thread)
    this.#epoch = 0
    this.#warpEpochs = new Array<number>(Math.ceil(launch.threads / warpSize)).fill(0)
  }

  /** Runs it; other blocks may run at each `yield`. */
  *run(): Generator<void> {
    const { program, args } = this.launch.code
    for (const param of program.body.params) {
      if (param.op !== 'arg') continue
      const given = args[param.attrs.index]!
      this.#values[param.id] = given instanceof Region ? given : Register.uniform(given)
    }
    yield* this.#runBlock(program.body, this.#all, [])
  }

  access(thread: number): Access {
    return { block: this.index, thread, epoch: this.#epoch, warpEpoch: this.#warpEpochs[thread >> 5]! }
  }

  register(node: LaneNode): Register {
    const value = this.#values[node.id]
    if (!(value instanceof Register)) throw new InternalError(`lane: ${node.op} (node ${node.id}) has no value yet`)
    return value
  }

  region(node: LaneNode): Region {
    const value = this.#values[node.id]
    if (!(value instanceof Region)) throw new InternalError(`lane: ${node.op} (node ${node.id}) is not a pointer`)
    return value
  }

  lanes(node: LaneNode, thread: number): Lanes {
    const value = this.register(node).of(thread)
    if (value === undefined) return this.fail(node, 'is used by a thread that did not compute it', thread)
    return value
  }

  scalar(node: LaneNode, thread: number): Value {
    return this.lanes(node, thread)[0]!
  }

  fail(node: LaneNode, problem: string, thread?: number): never {
    const where = `block ${this.programId.join(', ')}${thread === undefined ? '' : `, thread ${thread}`}`
    throw new KernelError(`${this.launch.code.program.name}: ${node.op}: ${problem} (${where})`, { at: node.origin.at })
  }

  *#runBlock(block: LaneBlock, active: Active, values: readonly Register[]): Generator<void, Register[]> {
    for (const [i, value] of values.entries()) this.#values[block.params[i]!.id] = value
    for (const node of this.launch.code.order.get(block)!) {
      if (node.op === 'for') this.#values[node.id] = yield* this.#for(node, active)
      else if (node.op === 'if') this.#values[node.id] = yield* this.#if(node, active)
      else if (node.op === 'while') this.#values[node.id] = yield* this.#while(node, active)
      else this.#values[node.id] = this.#execute(node, active)
      if (node.op === 'atomic') yield
    }
    return block.results.map(result => this.register(result))
  }

  #execute(node: LaneNode, active: Active): Register | Region | Tuple {
    if (isComputed(node)) return this.#compute(node, active)
    if (mayRead(node)) this.#checkSettled(node)
    switch (node.op) {
      case 'pick':
        return this.#pick(node, active)
      case 'programId':
        return Register.uniform([this.programId[node.attrs.axis]])
      case 'numPrograms':
        return Register.uniform([this.launch.grid[node.attrs.axis]])
      case 'threadId':
        return Register.each(this.#all.map(thread => [thread]))
      case 'item':
        return (this.#values[node.inputs[0]!.id] as Tuple).items[node.attrs.index]!
      case 'shared':
        return this.#shared(node)
      case 'barrier':
        return this.#barrier(node, active)
      case 'fence':
        this.launch.hazards?.fence(this.index)
        return nothing
      case 'shuffle':
      case 'match':
      case 'mma':
        return this.#warps(node, active)
      case 'wgmmaHold':
        return this.register(node.inputs[0]!)
      case 'wgmmaFence':
      case 'wgmma':
      case 'wgmmaCommit':
      case 'wgmmaWait':
        return this.warpgroups.run(this, node, active) ?? nothing
      case 'alloc':
        throw new InternalError('lane: scratch of single threads is not simulated in blocks')
      case 'arg':
      case 'param':
        throw new InternalError(`lane: ${node.op} (node ${node.id}) outside its block`)
      default:
        return memoryAccess(this, node, active) ?? nothing
    }
  }

  #compute(node: ComputedNode, active: Active): Register {
    // Parts of accumulators may be sliced and concatenated while wgmma is in flight.
    const isRenaming = node.op === 'slice' || node.op === 'concat'
    if (!isRenaming) this.#checkSettled(node)
    const made = this.#forEach(node, active, computeOf(node))
    if (isRenaming) {
      const inputs = node.inputs.map(input => this.register(input))
      this.warpgroups.passOn(inputs, made)
    }
    return made
  }

  #checkSettled(node: LaneNode): void {
    for (const input of node.inputs) {
      const value = this.#values[input.id]
      if (value instanceof Register && this.warpgroups.isPending(value))
        this.fail(node, 'reads an accumulator to which matrix instructions may still add')
    }
  }

  /** Computes once when all operands are uniform, else per active thread. */
  #forEach(node: ComputedNode, active: Active, computeOne: Compute): Register {
    const operands = node.inputs.map(input => this.register(input))
    if (operands.every(operand => operand.uniform !== null)) {
      return Register.uniform(computeOne(operands.map(operand => operand.uniform!)))
    }
    const each: Lanes[] = []
    for (const thread of active) {
      each[thread] = computeOne(operands.map((operand, i) => operand.of(thread) ?? this.lanes(node.inputs[i]!, thread)))
    }
    return Register.each(each)
  }

  /** Selects a pointer; the index must be uniform. */
  #pick(node: NodeOfOp<'pick'>, active: Active): Region {
    const [which, ...options] = node.inputs as readonly [LaneNode, ...LaneNode[]]
    const [first, ...others] = active.map(thread => Number(this.scalar(which, thread)))
    if (others.some(other => other !== first)) this.fail(node, 'threads of a block pick differently')
    return this.region(options[first!]!)
  }

  #shared(node: NodeOfOp<'shared'>): Region {
    const { name, dtype, count, offset } = node.attrs
    const region = Region.sharedSize(dtype, count)
    if (offset % region.elementBytes !== 0 || offset + region.bytes > this.shared.byteLength) {
      this.fail(node, `'${name}' takes bytes ${offset} to ${offset + region.bytes} of ${this.shared.byteLength}`)
    }
    return Region.shared(name, dtype, this.shared, offset, count)
  }

  #barrier(node: NodeOfOp<'barrier'>, active: Active): Tuple {
    this.launch.traffic.barriers++
    if (node.attrs.scope === 'warp') {
      for (const warp of this.wholeWarps(node, active)) this.#warpEpochs[warp]!++
    } else {
      if (active.length !== this.#all.length) {
        this.fail(node, `reached by ${active.length} of ${this.#all.length} threads: it would never return`)
      }
      this.#epoch++
    }
    return nothing
  }

  wholeWarps(node: LaneNode, active: Active): number[] {
    const counts = new Map<number, number>()
    for (const thread of active) counts.set(thread >> 5, (counts.get(thread >> 5) ?? 0) + 1)
    for (const [warp, count] of counts) {
      if (count !== warpSize) this.fail(node, `reached by ${count} of the 32 threads of warp ${warp}`)
    }
    return [...counts.keys()]
  }

  #warps(node: NodeOfOp<'shuffle' | 'match' | 'mma'>, active: Active): Register {
    const each: Lanes[] = []
    for (const warp of this.wholeWarps(node, active)) {
      const first = warp * warpSize
      const operands = node.inputs.map(input =>
        Array.from({ length: warpSize }, (_, lane) => this.lanes(input, first + lane)),
      )
      const results = acrossWarp(node, operands)
      for (const [lane, result] of results.entries()) each[first + lane] = result
    }
    return Register.each(each)
  }

  *#if(node: NodeOfOp<'if'>, active: Active): Generator<void, Tuple> {
    const [condition] = node.inputs as [LaneNode]
    const [then, otherwise] = node.blocks as [LaneBlock, LaneBlock]
    const taken = active.filter(thread => this.scalar(condition, thread))
    if (taken.length === active.length) return new Tuple(yield* this.#runBlock(then, active, []))
    if (taken.length === 0) return new Tuple(yield* this.#runBlock(otherwise, active, []))
    const others = active.filter(thread => !this.scalar(condition, thread))
    const first = yield* this.#runBlock(then, taken, [])
    const second = yield* this.#runBlock(otherwise, others, [])
    return new Tuple(first.map((value, i) => merge(value, taken, second[i]!, others)))
  }

  *#while(node: NodeOfOp<'while'>, active: Active): Generator<void, Tuple> {
    const [condition, body] = node.blocks as [LaneBlock, LaneBlock]
    let carried = node.inputs.map(input => this.register(input))
    let going = active
    for (;;) {
      const [goes] = (yield* this.#runBlock(condition, going, carried)) as [Register]
      const next = going.filter(thread => goes.of(thread)![0])
      if (next.length === 0) return new Tuple(carried)
      carried = mergeAll(yield* this.#runBlock(body, next, carried), next, carried, active)
      going = next
    }
  }

  *#for(node: NodeOfOp<'for'>, active: Active): Generator<void, Tuple> {
    const [from, to, step, ...inits] = node.inputs as [LaneNode, LaneNode, LaneNode, ...LaneNode[]]
    const [body] = node.blocks as [LaneBlock]
    const { dtype } = valueType(from)
    let counter = this.register(from)
    let carried = inits.map(init => this.register(init))
    let going = active
    for (;;) {
      const next = going.filter(thread => {
        const by = this.scalar(step, thread)
        if (by === 0) this.fail(node, 'the step is 0', thread)
        const [at, end] = [counter.of(thread)![0]!, this.scalar(to, thread)]
        return evaluate(by > 0 ? 'lt' : 'gt', dtype, [at, end])
      })
      if (next.length === 0) return new Tuple(carried)
      carried = mergeAll(yield* this.#runBlock(body, next, [counter, ...carried]), next, carried, active)
      counter = this.#advance(counter, step, next)
      going = next
    }
  }

  #advance(counter: Register, step: LaneNode, active: Active): Register {
    const { dtype } = valueType(step)
    const by = this.register(step)
    const add = (a: Lanes, b: Lanes): Lanes => [evaluateValue('add', dtype, [a[0]!, b[0]!])]
    if (counter.uniform !== null && by.uniform !== null) return Register.uniform(add(counter.uniform, by.uniform))
    const each: Lanes[] = []
    for (const thread of active) each[thread] = add(counter.of(thread)!, by.of(thread)!)
    return Register.each(each)
  }
}

/** True for nodes that read their operands' values: all except those that only pass accumulators on. */
const mayRead = ({ op }: LaneNode): boolean =>
  op !== 'wgmmaFence' && op !== 'wgmma' && op !== 'wgmmaWait' && op !== 'for' && op !== 'while'

/** New values for the threads that ran, old values for the others. */
const mergeAll = (now: readonly Register[], ran: Active, before: readonly Register[], active: Active): Register[] =>
  ran.length === active.length ? [...now] : now.map((value, i) => merge(value, ran, before[i]!, active))

function merge(first: Register, firstThreads: Active, second: Register, secondThreads: Active): Register {
  const each: (Lanes | undefined)[] = []
  for (const thread of secondThreads) each[thread] = second.of(thread)
  for (const thread of firstThreads) each[thread] = first.of(thread)
  return Register.each(each)
}

/** What the lanes of a warp receive. `operands`: for each, the values of all lanes. */
function acrossWarp(node: NodeOfOp<'shuffle' | 'match' | 'mma'>, operands: readonly (readonly Lanes[])[]): Lanes[] {
  const [a, b, c] = operands as [Lanes[], Lanes[], Lanes[]]
  const first = (values: readonly Lanes[]): number[] => values.map(([value]) => Number(value))
  switch (node.op) {
    case 'shuffle':
      return shuffled(node.attrs.mode, a, first(b))
    case 'match':
      return matched(first(a))
    case 'mma':
      return multiplied(valueType(node.inputs[0]!).dtype, a, b, c)
  }
}
