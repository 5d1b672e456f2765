/**
 * wgmma in simulated blocks. Instructions compute at once. But until a wait covers their group, the simulator rejects writes to
 * the shared memory that they read, reads of their accumulators, and operands that a thread wrote without a `proxyFence`.
 */
import type { Value } from '../scalar/ops.js'
import { type Dtype, dtypeInfo, type Float8 } from '../types/dtype.js'
import { decodeMinifloat, minifloatOf } from '../types/minifloat.js'
import { truncateToTf32 } from '../types/tf32.js'
import { isShared, type ThreadBlock } from './block-memory.js'
import { placeA, placeC } from './fragments.js'
import { type LaneNode, pointerType, valueType } from './ir.js'
import type { Region } from './memory.js'
import { type Active, Register } from './register.js'
import {
  columnsOf,
  pieceOf,
  type SharedMatrix,
  swizzled,
  warpgroupForm,
  warpgroupRows,
  warpgroupThreads,
} from './shared-matrix.js'
import type { Lanes } from './values.js'
import { warpSize } from './warp.js'

type NodeOfOp<Op extends LaneNode['op']> = Extract<LaneNode, { op: Op }>
type WarpgroupNode = NodeOfOp<'wgmmaFence' | 'wgmma' | 'wgmmaCommit' | 'wgmmaWait'>

/** A group of wgmmas in flight. */
interface Group {
  done: boolean
  /** Bytes of shared memory that they read. */
  readonly pieces: number[]
}

const pieceBytes = 16
const newGroup = (): Group => ({ done: false, pieces: [] })

/** The in-flight wgmmas of a block's warpgroups. */
export class Warpgroups {
  /** Per warpgroup, oldest first; the last group is still open. */
  readonly #groups = new Map<number, Group[]>()
  /** Groups that may still write a register. */
  readonly #pending = new WeakMap<Register, readonly Group[]>()

  /** True when wgmmas in flight may still write the register. */
  isPending(register: Register): boolean {
    return this.#pending.get(register)?.some(group => !group.done) ?? false
  }

  /** Transfers pending groups: `to` consists of parts of `from`, or continues them. */
  passOn(from: readonly Register[], to: Register): void {
    const groups = from.flatMap(register => this.#pending.get(register) ?? []).filter(group => !group.done)
    if (groups.length > 0) this.#pending.set(to, groups)
  }

  /** Executes a wgmma op; null when it has no result. */
  run(block: ThreadBlock, node: WarpgroupNode, active: Active): Register | null {
    const warpgroups = wholeWarpgroups(block, node, active)
    switch (node.op) {
      case 'wgmmaFence':
        return this.#fence(block, node, active)
      case 'wgmma':
        return this.#multiply(block, node, warpgroups)
      case 'wgmmaCommit':
        for (const which of warpgroups) this.#of(which).push(newGroup())
        return null
      case 'wgmmaWait':
        return this.#wait(block, node, warpgroups)
    }
  }

  #of(warpgroup: number): Group[] {
    const groups = this.#groups.get(warpgroup) ?? [newGroup()]
    this.#groups.set(warpgroup, groups)
    return groups
  }

  #fence(block: ThreadBlock, node: NodeOfOp<'wgmmaFence'>, active: Active): Register {
    const { fresh, lanes } = node.attrs
    if (fresh) return Register.uniform(new Array<number>(lanes).fill(Number.NaN))
    const from = block.register(node.inputs[0]!)
    const to = Register.each(copyOf(block, node.inputs[0]!, active))
    this.passOn([from], to)
    return to
  }

  /** Completes all but the latest `pending` groups, and gives the accumulator back to the program. */
  #wait(block: ThreadBlock, node: NodeOfOp<'wgmmaWait'>, warpgroups: readonly number[]): Register | null {
    for (const which of warpgroups) {
      const groups = this.#of(which)
      // The open group is not in flight yet.
      while (groups.length - 1 > node.attrs.pending) finish(block, which, node, groups.shift()!)
    }
    const [acc] = node.inputs
    if (acc === undefined) return null
    const threads = warpgroups.flatMap(which => threadsOf(which))
    if (this.isPending(block.register(acc))) block.fail(node, 'matrix instructions of no group still add to it')
    return Register.each(copyOf(block, acc, threads))
  }

  /** Starts matrix instructions; the result is pending until its group is waited for. */
  #multiply(block: ThreadBlock, node: NodeOfOp<'wgmma'>, warpgroups: readonly number[]): Register {
    const [acc, bPointer, bIndex, ...left] = node.inputs as [LaneNode, LaneNode, LaneNode, ...LaneNode[]]
    const { a, b, add, codes } = node.attrs
    const columns = columnsOf(valueType(acc).lanes)
    const { depth } = warpgroupForm(codes?.[1] ?? pointerType(bPointer).dtype)!
    const each: (Lanes | undefined)[] = []
    const flights: Group[] = []
    for (const which of warpgroups) {
      const group = this.#of(which).at(-1)!
      flights.push(group)
      const read = (pointer: LaneNode, index: LaneNode, matrix: SharedMatrix, side: 0 | 1): Float64Array => {
        const size = side === 0 ? warpgroupRows : columns
        return readMatrix(block, node, which, group, { pointer, index, matrix, size, depth, codes: codes?.[side] })
      }
      const right = read(bPointer, bIndex, b, 1)
      const rows = a === null ? fragments(block, left[0]!, which, depth) : read(left[0]!, left[1]!, a, 0)
      multiply(block, acc, which, { rows, right, depth, add }, each)
    }
    const result = Register.each(each)
    this.#pending.set(result, [...(this.#pending.get(block.register(acc)) ?? []), ...flights])
    return result
  }
}

const threadsOf = (warpgroup: number): number[] =>
  Array.from({ length: warpgroupThreads }, (_, i) => warpgroup * warpgroupThreads + i)

/** A node's current values, one entry per active thread. */
function copyOf(block: ThreadBlock, node: LaneNode, active: Active): Lanes[] {
  const each: Lanes[] = []
  for (const thread of active) each[thread] = block.lanes(node, thread)
  return each
}

/** The active warpgroups. Fails for one of which only some threads are active. */
function wholeWarpgroups(block: ThreadBlock, node: LaneNode, active: Active): number[] {
  const counts = new Map<number, number>()
  for (const thread of active) {
    const which = Math.floor(thread / warpgroupThreads)
    counts.set(which, (counts.get(which) ?? 0) + 1)
  }
  for (const [which, count] of counts) {
    if (count !== warpgroupThreads)
      block.fail(node, `reached by ${count} of the ${warpgroupThreads} threads of warpgroup ${which}`)
  }
  return [...counts.keys()]
}

/** Two threads of different warps stand for all readers: a conflicting access by any other thread conflicts with one of them. */
const readers = (warpgroup: number): readonly number[] => [
  warpgroup * warpgroupThreads,
  (warpgroup + 1) * warpgroupThreads - 1,
]

/** Completes a group: other threads may overwrite its memory after the next barrier. */
function finish(block: ThreadBlock, warpgroup: number, node: LaneNode, group: Group): void {
  group.done = true
  for (const at of group.pieces) {
    for (let byte = at; byte < at + pieceBytes; byte++) block.copies.reading[byte]!--
    noteRead(block, node, warpgroup, at)
  }
}

function noteRead(block: ThreadBlock, node: LaneNode, warpgroup: number, at: number): void {
  for (const thread of readers(warpgroup)) {
    const race = block.launch.hazards?.read(block.shared, at, pieceBytes, block.access(thread))
    if (race) block.fail(node, `reads byte ${at} of shared memory, ${race}`, thread)
  }
}

interface MatrixOperand {
  readonly pointer: LaneNode
  readonly index: LaneNode
  readonly matrix: SharedMatrix
  /** M or N. */
  readonly size: number
  readonly depth: number
  readonly codes: Float8 | undefined
}

/** The operand's elements in row-major order, with rows along dim m or n. */
function readMatrix(
  block: ThreadBlock,
  node: NodeOfOp<'wgmma'>,
  warpgroup: number,
  group: Group,
  { pointer, index, matrix, size, depth, codes }: MatrixOperand,
): Float64Array {
  const region = block.region(pointer)
  if (!isShared(block, region)) block.fail(node, `'${region.name}' is not in shared memory`)
  const start = startOf(block, node, region, index, warpgroup)
  const value = decoderOf(pointerType(pointer).dtype, codes)
  const pieces = new Set<number>()
  const elements = new Float64Array(size * depth)
  for (let at = 0; at < size; at++) {
    for (let k = 0; k < depth; k++) {
      const { offset, element } = pieceOf(matrix, region.elementBytes, at, k)
      const place = swizzled(start + offset, matrix)
      if (!pieces.has(place)) checkPiece(block, node, region, place)
      pieces.add(place)
      elements[at * depth + k] = value(region.read((place - region.byteAt(0)) / region.elementBytes + element))
    }
  }
  for (const place of pieces) {
    noteRead(block, node, warpgroup, place)
    group.pieces.push(place)
    for (let byte = place; byte < place + pieceBytes; byte++) block.copies.reading[byte]!++
  }
  return elements
}

/** What matrix instructions take an element of shared memory for. */
function decoderOf(dtype: Dtype, codes: Float8 | undefined): (element: Value) => number {
  if (codes !== undefined) return code => decodeMinifloat(minifloatOf(codes), Number(code))
  return dtype === 'f32' ? element => truncateToTf32(Number(element)) : Number
}

/** The byte at which the matrix starts, the same for the whole warpgroup. */
function startOf(block: ThreadBlock, node: LaneNode, region: Region, index: LaneNode, warpgroup: number): number {
  const [first, ...others] = threadsOf(warpgroup).map(thread => block.scalar(index, thread))
  const other = others.find(one => one !== first)
  if (other !== undefined) block.fail(node, `threads of warpgroup ${warpgroup} give indices ${first} and ${other}`)
  const start = region.byteAt(first!)
  if (start % pieceBytes !== 0) block.fail(node, `index ${first} of '${region.name}' is not aligned to 16 bytes`)
  return start
}

/** Checks that a piece of an operand is in bounds, written, and visible to matrix instructions. */
function checkPiece(block: ThreadBlock, node: LaneNode, region: Region, place: number): void {
  const index = (place - region.byteAt(0)) / region.elementBytes
  const last = index + pieceBytes / region.elementBytes - 1
  const problem = region.problem(index, true) ?? region.problem(last, true)
  if (problem !== null) block.fail(node, problem)
  const { copies } = block
  for (let byte = place; byte < place + pieceBytes; byte++) {
    if (copies.inFlight[byte] !== 0)
      block.fail(node, `byte ${byte} of '${region.name}' is the target of an async copy in flight`)
    if (copies.written[byte] === 0) block.fail(node, `byte ${byte} of '${region.name}' is read before it is written`)
    if (!copies.isSeen(byte))
      block.fail(node, `byte ${byte} of '${region.name}' was written without a fence for matrix instructions`)
  }
}

/** The rows of a left operand that is in registers. */
function fragments(block: ThreadBlock, left: LaneNode, warpgroup: number, depth: number): Float64Array {
  const bytes = dtypeInfo(valueType(left).dtype).bits / 8
  const elements = new Float64Array(warpgroupRows * depth)
  for (const thread of threadsOf(warpgroup)) {
    const inGroup = thread % warpgroupThreads
    for (const [lane, value] of block.lanes(left, thread).entries()) {
      const { row, column } = placeA(bytes, inGroup % warpSize, lane)
      elements[(16 * Math.floor(inGroup / warpSize) + row) * depth + column] = Number(value)
    }
  }
  return elements
}

interface Factors {
  readonly rows: Float64Array
  /** In column-major order. */
  readonly right: Float64Array
  readonly depth: number
  readonly add: boolean
}

/** a·b + c, accumulated in double precision and rounded once, as warp.ts does. */
function multiply(
  block: ThreadBlock,
  acc: LaneNode,
  warpgroup: number,
  { rows, right, depth, add }: Factors,
  each: (Lanes | undefined)[],
): void {
  const isFloat = valueType(acc).dtype === 'f32'
  for (const thread of threadsOf(warpgroup)) {
    const inGroup = thread % warpgroupThreads
    each[thread] = block.lanes(acc, thread).map((sum, lane) => {
      const place = placeC(inGroup % warpSize, lane % 4)
      const row = (16 * Math.floor(inGroup / warpSize) + place.row) * depth
      const column = (8 * Math.floor(lane / 4) + place.column) * depth
      let total = add ? Number(sum) : 0
      for (let k = 0; k < depth; k++) total += rows[row + k]! * right[column + k]!
      return isFloat ? Math.fround(total) : total | 0
    })
  }
}
