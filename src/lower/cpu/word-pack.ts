/**
 * Packs a dot's operand in words of several elements along K (lane/word-dot.ts). Vectors are read in the direction in which
 * memory is contiguous: along K, where a vector of elements is a vector of words already, or across it, where words are put
 * together from one vector for each of their elements. Where that is not the direction in which words are stored, squares of
 * vectors are transposed in registers.
 */
import type { LaneNode } from '../../lane/ir.js'
import { type WordDtype, wordGroup, wordStep } from '../../lane/word-dot.js'
import type { TileNode } from '../../tile/ir.js'
import { Frame } from './frame.js'
import { NestFacts } from './nest-facts.js'
import { type Nest, strideAlong } from './nests.js'
import type { LoweringPlan, PackRoot } from './plan.js'
import { isMultiple } from './ranges.js'
import type { State } from './state.js'

/** Words per vector. */
const wide = wordStep

export function emitWordPack(state: State, nest: Nest, root: PackRoot, words: WordDtype): void {
  new WordPack(state, nest, root, words).write()
}

/** A place along an axis of the operand; `end`: set where the vectors from here on may reach past it. */
interface Place {
  readonly at: LaneNode
  readonly end: LaneNode | null
}

class WordPack {
  readonly #facts: NestFacts
  readonly #nest: Nest
  readonly #group: number
  /** The axes of K, and of rows or columns. */
  readonly #depth: 0 | 1
  readonly #other: 0 | 1
  /** Whether vectors are read along K. */
  readonly #along: boolean

  constructor(
    readonly state: State,
    nest: Nest,
    readonly root: PackRoot,
    readonly dtype: WordDtype,
  ) {
    this.#group = wordGroup[dtype]
    this.#depth = root.side === 'panels' ? 0 : 1
    this.#other = root.side === 'panels' ? 1 : 0
    this.#along = isAlong(state.plan, root, this.#depth, this.#other)
    const vectorAxis = this.#along ? this.#depth : this.#other
    const lanes = this.#along ? wide * this.#group : wide
    this.#nest = { ...nest, vectorAxis, innerAxis: -1, lanes, unroll: 1, padded: false }
    this.#facts = new NestFacts(state, this.#nest)
  }

  /** Memory is read in order: the axis of the vectors is the inner loop. */
  write(): void {
    const isTransposed = this.#along === (this.root.side === 'panels')
    const deep = this.#along || isTransposed ? wide * this.#group : this.#group
    const broad = this.#along && !isTransposed ? 1 : wide
    const depth = (outer: Place | null, body: (k: Place) => void): void =>
      this.#split(this.#depth, 'k', deep, outer, body)
    const other = (outer: Place | null, body: (row: Place) => void): void =>
      this.#split(this.#other, 'i', broad, outer, body)
    const store = (k: Place, row: Place): void => {
      const read = this.#along ? this.#alongWords(k, row, broad) : this.#acrossWords(k, row, deep / this.#group)
      const stored = isTransposed ? this.state.lanes.transpose(read) : read
      this.#store(k.at, row.at, stored)
    }
    if (this.#along) other(null, row => depth(row, k => store(k, row)))
    else depth(null, k => other(k, row => store(k, row)))
  }

  /**
   * A loop over an axis in whole steps without checks, then over the rest. Inside the rest of an outer loop all is checked:
   * one more copy of the code would gain little.
   */
  #split(axis: 0 | 1, name: string, step: number, outer: Place | null, body: (place: Place) => void): void {
    const { state } = this
    const { lanes } = state
    const range = this.#nest.ranges[axis]!
    const end = state.rangeEnd(range)
    const free = axis === this.#nest.vectorAxis ? this.#uncheckedEnd(end) : end
    const isWhole = free === end && isMultiple(state.plan.index, range, step)
    const isRest = outer !== null && outer.end !== null
    const cut = isWhole ? end : isRest ? lanes.index(0) : state.roundDown(lanes.max(lanes.index(0), free), step)
    const loop = (from: LaneNode, to: LaneNode, limit: LaneNode | null): void => {
      const bounds = { from, to, step: lanes.index(step), name, comment: 'pack words' }
      lanes.loop(bounds, [], at => {
        body({ at, end: limit })
        return []
      })
    }
    if (isWhole || !isRest) loop(lanes.index(0), cut, null)
    if (!isWhole) loop(cut, end, end)
  }

  /** The end of the part of the vector axis where loads need no checks; 0 when a load needs checks of another kind. */
  #uncheckedEnd(end: LaneNode): LaneNode {
    const { lanes } = this.state
    let free = end
    for (const { accesses } of this.#nest.cones) {
      for (const access of accesses) {
        if (access.kind !== 'load') continue
        for (const check of this.#facts.checksOf(access.node, access.axes)) {
          if (check.axis !== this.#nest.vectorAxis || check.lo !== null) return lanes.index(0)
          free = lanes.min(free, this.state.form(check.hi!))
        }
      }
    }
    return free
  }

  /** Vectors of words along K, one for each of `count` rows. */
  #alongWords(k: Place, row: Place, count: number): LaneNode[] {
    const { lanes } = this.state
    return Array.from({ length: count }, (_, i) => {
      const at = lanes.add(row.at, lanes.index(i))
      return lanes.bitcast(this.#vector(k, { at, end: row.end }), 'i32')
    })
  }

  /** Vectors of words, each of one word for each of several rows; `count` of them along K. */
  #acrossWords(k: Place, row: Place, count: number): LaneNode[] {
    const { lanes } = this.state
    const bits = 32 / this.#group
    const mask = lanes.constant('i32', 2 ** bits - 1, wide)
    return Array.from({ length: count }, (_, word) => {
      const parts = Array.from({ length: this.#group }, (_, part) => {
        const at = lanes.add(k.at, lanes.index(word * this.#group + part))
        const codes = lanes.cast(
          lanes.bitcast(this.#vector({ at, end: k.end }, row), bits === 16 ? 'i16' : 'i8'),
          'i32',
        )
        // The last element's sign bits are shifted out.
        const own = part === this.#group - 1 ? codes : lanes.map('and', codes, mask)
        return part === 0 ? own : lanes.map('shl', own, lanes.constant('i32', part * bits, wide))
      })
      return parts.reduce((sum, part) => lanes.map('or', sum, part))
    })
  }

  /** A vector of the operand, with zeros past the ends. */
  #vector(k: Place, row: Place): LaneNode {
    const { lanes } = this.state
    const [vector, other] = this.#along ? [k, row] : [row, k]
    const all = lanes.index(this.#nest.lanes)
    let count = vector.end === null ? null : lanes.min(all, lanes.sub(vector.end, vector.at))
    if (other.end !== null)
      count = lanes.map('where', lanes.map('lt', other.at, other.end), count ?? all, lanes.index(0))
    const { node, axes } = this.root.value
    const at = this.#depth === 0 ? [k.at, row.at] : [row.at, k.at]
    const frame = new Frame(this.#facts, { at, count, checked: count !== null, block: null, unit: 0 }, null)
    const value = frame.vector(node, axes)
    return isLoaded(node) ? value : frame.orOutside(value, lanes.constant(this.dtype, 0))
  }

  /** Stores vectors as rows of words, or as rows of a panel. */
  #store(k: LaneNode, row: LaneNode, vectors: readonly LaneNode[]): void {
    const { lanes } = this.state
    const { strides, panel } = this.root.buffer
    const pointer = this.state.bufferPointer(this.root.buffer)
    const word = lanes.map('shr', k, lanes.index(Math.log2(this.#group)))
    const pitch = strides[0]!
    if (panel === null) {
      const start = lanes.add(lanes.mul(row, lanes.index(pitch)), word)
      vectors.forEach((each, i) => void lanes.store(pointer, lanes.add(start, lanes.index(i * pitch)), each))
      return
    }
    const first = lanes.map('shr', row, lanes.index(Math.log2(panel.width)))
    const within = lanes.sub(row, lanes.mul(first, lanes.index(panel.width)))
    const start = lanes.add(
      lanes.mul(first, lanes.index(panel.stride)),
      lanes.add(lanes.mul(word, lanes.index(pitch)), within),
    )
    vectors.forEach((each, i) => void lanes.store(pointer, lanes.add(start, lanes.index(i * pitch)), each))
  }
}

/** True when memory is contiguous along K and not across it. */
function isAlong(plan: LoweringPlan, root: PackRoot, depth: number, other: number): boolean {
  const reads = plan.cones.get(root)!.accesses.filter(access => access.kind !== 'gather')
  const isContiguous = (axis: number): boolean => reads.some(access => strideAlong(plan, access, axis) === 1)
  return isContiguous(depth) && !isContiguous(other)
}

/** True for values that are loaded as they are, with zeros outside: lanes that are not loaded are 0. */
function isLoaded(node: TileNode): boolean {
  if (node.op === 'load') return node.inputs.length === 1 + node.attrs.shape.length
  return (node.op === 'transpose' || node.op === 'reshape') && isLoaded(node.inputs[0]!)
}
