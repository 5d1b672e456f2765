/** Memory of a simulated block: accesses checked per thread, traffic counted per warp, async copies delayed. */
import { InternalError } from '../base/errors.js'
import { updatedBy } from '../scalar/atomic.js'
import type { ScalarOpName, Value } from '../scalar/ops.js'
import { placeLoaded } from './fragments.js'
import type { Access, Hazards } from './hazards.js'
import type { LaneNode } from './ir.js'
import type { Region } from './memory.js'
import { type Active, Register } from './register.js'
import type { Traffic } from './traffic.js'
import { evaluateValue, type Lanes, offsetBy } from './values.js'
import { warpSize } from './warp.js'

type NodeOfOp<Op extends LaneNode['op']> = Extract<LaneNode, { op: Op }>

/** Initialisation state of a block's shared memory, and the async copies into it that are in flight. */
export class Copies {
  readonly written: Uint8Array
  readonly inFlight: Uint8Array
  /** Number of wgmmas in flight that read each byte. */
  readonly reading: Uint16Array
  /** Last writer of each byte, and how many proxy fences that thread had executed. */
  readonly #writer: Uint16Array
  readonly #stamp: Uint32Array
  readonly #fences: number[] = []
  /** Per thread: its copy groups in flight, oldest first; the last one is still open. */
  readonly groups = new Map<number, (() => void)[][]>()
  constructor(sharedBytes: number) {
    this.written = new Uint8Array(sharedBytes)
    this.inFlight = new Uint8Array(sharedBytes)
    this.reading = new Uint16Array(sharedBytes)
    this.#writer = new Uint16Array(sharedBytes)
    this.#stamp = new Uint32Array(sharedBytes)
  }

  /** Records that a thread wrote these bytes. */
  wrote(thread: number, from: number, bytes: number): void {
    this.written.fill(1, from, from + bytes)
    this.#writer.fill(thread, from, from + bytes)
    this.#stamp.fill(this.#fences[thread] ?? 0, from, from + bytes)
  }

  /** Makes the thread's writes so far visible to wgmma. */
  proxyFence(thread: number): void {
    this.#fences[thread] = (this.#fences[thread] ?? 0) + 1
  }

  isSeen(at: number): boolean {
    return (this.#fences[this.#writer[at]!] ?? 0) > this.#stamp[at]!
  }
}

/** The interface of the simulated block that memory accesses use. */
export interface ThreadBlock {
  readonly index: number
  readonly shared: ArrayBuffer
  readonly copies: Copies
  readonly launch: { readonly hazards: Hazards | null; readonly traffic: Traffic }
  /** The accessing thread and time. */
  access(thread: number): Access
  register(node: LaneNode): Register
  region(node: LaneNode): Region
  lanes(node: LaneNode, thread: number): Lanes
  scalar(node: LaneNode, thread: number): Value
  /** The active warps; throws when a warp is only partly active. */
  wholeWarps(node: LaneNode, active: Active): number[]
  fail(node: LaneNode, problem: string, thread?: number): never
}

/** Executes an access for all active threads; returns null if the op has no result. */
export function memoryAccess(block: ThreadBlock, node: LaneNode, active: Active): Register | null {
  switch (node.op) {
    case 'load':
      return loadAll(block, node, active)
    case 'store':
      return storeAll(block, node, active)
    case 'gather':
      return gatherAll(block, node, active)
    case 'scatter':
      return scatterAll(block, node, active)
    case 'atomic':
      return atomicAll(block, node, active)
    case 'loadMatrix':
      return loadMatrices(block, node, active)
    case 'asyncCopy':
    case 'asyncCommit':
    case 'asyncWait':
      return copyAll(block, node, active)
    case 'proxyFence':
      for (const thread of active) block.copies.proxyFence(thread)
      return null
    default:
      throw new InternalError(`lane: ${node.op} is not an access`)
  }
}

export const isShared = (block: ThreadBlock, region: Region): boolean => region.data.buffer === block.shared

/** Checks an access of one element: in bounds, and not the target of a copy in flight. Returns its byte offset. */
function checkElement(
  block: ThreadBlock,
  node: LaneNode,
  region: Region,
  index: Value,
  thread: number,
  reads: boolean,
): number {
  const problem = region.problem(index, reads)
  if (problem !== null) block.fail(node, problem, thread)
  const at = region.byteAt(index)
  if (isShared(block, region)) {
    const { written, inFlight, reading } = block.copies
    if (inFlight[at] !== 0)
      block.fail(node, `index ${index} of '${region.name}' is the target of an async copy in flight`, thread)
    if (!reads && reading[at] !== 0)
      block.fail(node, `writes index ${index} of '${region.name}', which a matrix instruction may still read`, thread)
    if (reads && written[at] === 0)
      block.fail(node, `index ${index} of '${region.name}' is read before it is written`, thread)
  }
  return at
}

function readElement(block: ThreadBlock, node: LaneNode, region: Region, index: Value, thread: number): Value {
  const at = checkElement(block, node, region, index, thread, true)
  const race = block.launch.hazards?.read(region.data.buffer, at, region.elementBytes, block.access(thread))
  if (race) block.fail(node, `reads index ${index} of '${region.name}', ${race}`, thread)
  return region.read(index)
}

/** Writes one element, after checks for races and copies in flight. */
function writeElement(
  block: ThreadBlock,
  node: LaneNode,
  region: Region,
  index: Value,
  value: Value,
  thread: number,
  atomic = false,
): void {
  const at = checkElement(block, node, region, index, thread, false)
  const race = block.launch.hazards?.write(region.data.buffer, at, region.elementBytes, block.access(thread), atomic)
  if (race) block.fail(node, `writes index ${index} of '${region.name}', ${race}`, thread)
  region.write(index, value)
  if (isShared(block, region)) block.copies.wrote(thread, at, region.elementBytes)
}

/** The first element of a vector access must be aligned to the vector's size, up to 16 bytes. */
function checkAlignment(
  block: ThreadBlock,
  node: LaneNode,
  region: Region,
  index: Value,
  lanes: number,
  thread: number,
): void {
  const bytes = lanes * region.elementBytes
  const needed = Math.min(16, bytes & -bytes)
  if (region.byteAt(index) % needed === 0) return
  block.fail(node, `${bytes} bytes at index ${index} of '${region.name}' are not aligned to ${needed}`, thread)
}

/** Counts one instruction's memory transactions, per warp. */
function count(block: ThreadBlock, region: Region, at: ReadonlyMap<number, Value>, lanes: number): void {
  const { traffic } = block.launch
  const byWarp = new Map<number, number[]>()
  for (const [thread, index] of at) {
    const addresses = byWarp.get(thread >> 5) ?? []
    byWarp.set(thread >> 5, addresses)
    addresses.push(region.byteAt(index))
  }
  const bytes = lanes * region.elementBytes
  for (const addresses of byWarp.values()) {
    for (let part = 0; part < bytes; part += 16) {
      const access = { addresses: addresses.map(address => address + part), bytes: Math.min(16, bytes - part) }
      if (isShared(block, region)) traffic.countShared(access)
      else traffic.countGlobal(access)
    }
  }
}

/** Number of lanes that a partial access covers. */
const covered = (block: ThreadBlock, countNode: LaneNode | undefined, lanes: number, thread: number): number =>
  countNode === undefined ? lanes : Math.min(lanes, Number(block.scalar(countNode, thread)))

/** A load by all active threads; counts the memory transactions. */
function loadAll(block: ThreadBlock, node: NodeOfOp<'load'>, active: Active): Register {
  const region = block.region(node.inputs[0]!)
  const { lanes } = node.attrs
  const [each, at]: [Lanes[], Map<number, Value>] = [[], new Map()]
  for (const thread of active) {
    const index = block.scalar(node.inputs[1]!, thread)
    const valid = covered(block, node.inputs[2], lanes, thread)
    if (valid === lanes) checkAlignment(block, node, region, index, lanes, thread)
    if (valid > 0) at.set(thread, index)
    each[thread] = Array.from({ length: lanes }, (_, lane) =>
      lane < valid ? readElement(block, node, region, offsetBy(index, lane), thread) : 0,
    )
  }
  count(block, region, at, lanes)
  return Register.each(each)
}

/** A store by all active threads. */
function storeAll(block: ThreadBlock, node: NodeOfOp<'store'>, active: Active): null {
  const region = block.region(node.inputs[0]!)
  const at = new Map<number, Value>()
  let lanes = 1
  for (const thread of active) {
    const index = block.scalar(node.inputs[1]!, thread)
    const values = block.lanes(node.inputs[2]!, thread)
    lanes = values.length
    const valid = covered(block, node.inputs[3], lanes, thread)
    if (valid === lanes) checkAlignment(block, node, region, index, lanes, thread)
    if (valid > 0) at.set(thread, index)
    for (const [lane, value] of values.entries()) {
      if (lane < valid) writeElement(block, node, region, offsetBy(index, lane), value, thread)
    }
  }
  count(block, region, at, lanes)
  return null
}

/** A gather by all active threads. */
function gatherAll(block: ThreadBlock, node: NodeOfOp<'gather'>, active: Active): Register {
  const region = block.region(node.inputs[0]!)
  const each: Lanes[] = []
  const accesses: Map<number, Value>[] = []
  for (const thread of active) {
    const mask = node.inputs[2] && block.lanes(node.inputs[2], thread)
    each[thread] = block.lanes(node.inputs[1]!, thread).map((index, lane) => {
      if (mask !== undefined && !mask[lane]) return 0
      accesses[lane] = (accesses[lane] ?? new Map<number, Value>()).set(thread, index)
      return readElement(block, node, region, index, thread)
    })
  }
  for (const at of accesses) if (at !== undefined) count(block, region, at, 1)
  return Register.each(each)
}

/** A scatter by all active threads. */
function scatterAll(block: ThreadBlock, node: NodeOfOp<'scatter'>, active: Active): null {
  const region = block.region(node.inputs[0]!)
  const accesses: Map<number, Value>[] = []
  for (const thread of active) {
    const mask = node.inputs[3] && block.lanes(node.inputs[3], thread)
    const values = block.lanes(node.inputs[2]!, thread)
    for (const [lane, index] of block.lanes(node.inputs[1]!, thread).entries()) {
      if (mask !== undefined && !mask[lane]) continue
      accesses[lane] = (accesses[lane] ?? new Map<number, Value>()).set(thread, index)
      writeElement(block, node, region, index, values[lane]!, thread)
    }
  }
  for (const at of accesses) if (at !== undefined) count(block, region, at, 1)
  return null
}

/** An atomic by all active threads, one after another. */
function atomicAll(block: ThreadBlock, node: NodeOfOp<'atomic'>, active: Active): Register {
  const region = block.region(node.inputs[0]!)
  const { fn, order } = node.attrs
  const each: Lanes[] = []
  if (order === 'release' || order === 'acquireRelease') block.launch.hazards?.fence(block.index)
  block.launch.hazards?.atomic(block.index)
  const combine = (op: ScalarOpName, a: Value, b: Value): Value => evaluateValue(op, region.dtype, [a, b])
  for (const thread of active) {
    const [index, ...values] = node.inputs.slice(1).map(input => block.scalar(input, thread)) as [Value, ...Value[]]
    checkElement(block, node, region, index, thread, true)
    const old = region.read(index)
    writeElement(block, node, region, index, updatedBy(fn, old, values, combine), thread, true)
    each[thread] = [old]
  }
  return Register.each(each)
}

/** ldmatrix: each warp's threads give the rows' addresses, 8 per matrix. */
function loadMatrices(block: ThreadBlock, node: NodeOfOp<'loadMatrix'>, active: Active): Register {
  const region = block.region(node.inputs[0]!)
  const { count: matrices, transpose } = node.attrs
  const each: Lanes[] = []
  for (const warp of block.wholeWarps(node, active)) {
    const first = warp * warpSize
    const rows = Array.from({ length: matrices * 8 }, (_, i) => block.scalar(node.inputs[1]!, first + i))
    for (const [i, index] of rows.entries()) checkAlignment(block, node, region, index, 8, first + i)
    for (let matrix = 0; matrix < matrices; matrix++) {
      const addresses = rows.slice(matrix * 8, matrix * 8 + 8).map(index => region.byteAt(index))
      block.launch.traffic.countShared({ addresses, bytes: 16 })
    }
    for (let lane = 0; lane < warpSize; lane++) {
      each[first + lane] = Array.from({ length: 2 * matrices }, (_, i) => {
        const { row, column } = placeLoaded(lane, i % 2, transpose)
        return readElement(block, node, region, offsetBy(rows[(i >> 1) * 8 + row]!, column), first + lane)
      })
    }
  }
  return Register.each(each)
}

/** cp.async and its groups: copies land only when a thread waits for them. */
function copyAll(block: ThreadBlock, node: NodeOfOp<'asyncCopy' | 'asyncCommit' | 'asyncWait'>, active: Active): null {
  const { groups } = block.copies
  if (node.op === 'asyncCopy') startCopies(block, node, active)
  for (const thread of active) {
    const own = groups.get(thread) ?? [[]]
    groups.set(thread, own)
    if (node.op === 'asyncCommit') own.push([])
    // The open group is not in flight yet.
    if (node.op === 'asyncWait') while (own.length - 1 > node.attrs.pending) for (const land of own.shift()!) land()
  }
  return null
}

/** Starts asynchronous copies: values are read now, and land at the wait; reads in between are errors. */
function startCopies(block: ThreadBlock, node: NodeOfOp<'asyncCopy'>, active: Active): void {
  const [to, from] = [block.region(node.inputs[0]!), block.region(node.inputs[2]!)]
  const { lanes } = node.attrs
  const state = block.copies
  const [read, written] = [new Map<number, Value>(), new Map<number, Value>()]
  for (const thread of active) {
    const [target, source] = [block.scalar(node.inputs[1]!, thread), block.scalar(node.inputs[3]!, thread)]
    const valid = covered(block, node.inputs[4], lanes, thread)
    checkAlignment(block, node, to, target, lanes, thread)
    if (valid > 0) {
      checkAlignment(block, node, from, source, lanes, thread)
      read.set(thread, source)
    }
    written.set(thread, target)
    const values = Array.from({ length: lanes }, (_, lane) =>
      lane < valid ? readElement(block, node, from, offsetBy(source, lane), thread) : 0,
    )
    for (let lane = 0; lane < lanes; lane++) writeElement(block, node, to, offsetBy(target, lane), 0, thread)
    const [at, bytes] = [to.byteAt(target), lanes * to.elementBytes]
    state.inFlight.fill(1, at, at + bytes)
    const own = state.groups.get(thread) ?? [[]]
    state.groups.set(thread, own)
    own.at(-1)!.push(() => {
      state.inFlight.fill(0, at, at + bytes)
      for (const [lane, value] of values.entries()) writeElement(block, node, to, offsetBy(target, lane), value, thread)
    })
  }
  count(block, from, read, lanes)
  count(block, to, written, lanes)
}
