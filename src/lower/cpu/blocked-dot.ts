/**
 * The blocked dot: panels of b times rows of a, with a register block of accumulators that is kept over all of K. Both
 * operands are in scratch: a row-major, or in panels if its columns are contiguous; b in panels as wide as the register
 * block, or in place if it was row-major already.
 */
import type { LaneNode } from '../../lane/ir.js'
import { type WordDtype, wordGroup } from '../../lane/word-dot.js'
import { itemBytes } from '../../types/dtype.js'
import type { Scope } from '../shared/structure.js'
import { multiplyAdd } from './folds.js'
import type { DotRoot } from './plan.js'
import { prefetchOf } from './prefetch.js'
import type { AxisRange } from './ranges.js'
import type { State } from './state.js'

/** A strip of register blocks along one axis: whole blocks, or the remainder at the tile's edge. */
interface Strip {
  readonly from: number
  readonly to: LaneNode
  readonly width: number
}

/** Emits a dot on packed panels: loops over strips of columns, then of rows, around a register-blocked micro-kernel. */
export function emitBlockedDot(state: State, scope: Scope, root: DotRoot, ranges: readonly AxisRange[]): void {
  const [rows, columns, inner] = ranges as [AxisRange, AxisRange, AxisRange]
  const depth = state.rangeEnd(inner)
  if (root.words !== null) {
    emitWordDot(state, root, root.words, [state.rangeEnd(rows), state.rangeEnd(columns), depth])
    return
  }
  const { block } = root
  const [high, wide] = [Math.ceil(rows.size / block.rows), Math.ceil(columns.size / block.columns)]
  const ahead = prefetchOf(state, scope, root, high * wide)
  for (const strip of stripsOf(state, columns, root.block.columns)) {
    loopStrip(state, strip, root.block.columns, 'j', 'columns', column => {
      for (const rowStrip of stripsOf(state, rows, root.block.rows)) {
        loopStrip(state, rowStrip, rowStrip.width, 'i', 'rows', row => {
          ahead(blockNumber(state, root, row, column, high))
          microKernel(state, root, row, column, rowStrip.width, strip.width, depth)
        })
      }
    })
  }
}

/** Emits a dot of packed words: the target's own kernel does all of it. */
function emitWordDot(
  state: State,
  { buffer, rows, panels, start }: DotRoot,
  words: WordDtype,
  [m, n, k]: readonly [LaneNode, LaneNode, LaneNode],
): void {
  const { lanes } = state
  const group = wordGroup[words]
  const count = lanes.map('shr', lanes.add(k, lanes.index(group - 1)), lanes.index(Math.log2(group)))
  const pointers = [buffer, rows, panels].map(each => state.bufferPointer(each))
  const pitches = { pitch: buffer.strides[0]!, rowPitch: rows.strides[0]!, panelPitch: panels.panel!.stride }
  lanes.builder.node('wordDot', [...pointers, m, n, count], { of: words, fresh: start !== null, ...pitches })
}

/** The number of the register block at a row and column, in column-major order with `high` blocks per column. */
function blockNumber(state: State, { block }: DotRoot, row: LaneNode, column: LaneNode, high: number): LaneNode {
  const { lanes } = state
  const [i, j] = [
    lanes.map('floorDiv', row, lanes.index(block.rows)),
    lanes.map('floorDiv', column, lanes.index(block.columns)),
  ]
  return lanes.add(lanes.mul(j, lanes.index(high)), i)
}

function stripsOf(state: State, range: AxisRange, block: number): Strip[] {
  const full = Math.floor(range.size / block) * block
  const end = state.rangeEnd(range)
  const strips: Strip[] = []
  if (full > 0) strips.push({ from: 0, to: state.lanes.min(end, state.lanes.index(full)), width: block })
  if (full < range.size) strips.push({ from: full, to: end, width: range.size - full })
  return strips
}

/** A loop over a strip in steps of `step`. */
function loopStrip(
  state: State,
  strip: Strip,
  step: number,
  name: string,
  comment: string,
  body: (start: LaneNode) => void,
): void {
  const { lanes } = state
  lanes.loop(
    { from: lanes.index(strip.from), to: strip.to, step: lanes.index(step), name, comment: `dot ${comment}` },
    [],
    start => {
      body(start)
      return []
    },
  )
}

/** Emits the loop over K that accumulates `height` rows by `width` columns of the result in registers. */
function microKernel(
  state: State,
  root: DotRoot,
  row: LaneNode,
  column: LaneNode,
  height: number,
  width: number,
  depth: LaneNode,
): void {
  const { lanes } = state
  const { buffer, rows, panels, isAcross, start, block } = root
  const lanesPerVector = Math.min(block.columns, state.target.vectorBytes / itemBytes(buffer.dtype))
  const vectors = Math.ceil(width / lanesPerVector)
  const counts = Array.from({ length: vectors }, (_, v) => Math.min(lanesPerVector, width - v * lanesPerVector))
  const count = (v: number): LaneNode | null => (counts[v] === lanesPerVector ? null : lanes.index(counts[v]!))
  const [acc, a, b] = [buffer, rows, panels].map(each => state.bufferPointer(each)) as [LaneNode, LaneNode, LaneNode]
  const pitch = buffer.strides[0]!
  const corner = lanes.add(lanes.mul(row, lanes.index(pitch)), column)
  const address = (m: number, v: number): LaneNode => lanes.add(corner, lanes.index(m * pitch + v * lanesPerVector))
  const cells = Array.from({ length: height * vectors }, (_, cell) => ({
    m: Math.floor(cell / vectors),
    v: cell % vectors,
  }))
  const begin = cells.map(({ m, v }) =>
    start === null
      ? lanes.load(acc, address(m, v), lanesPerVector, count(v))
      : lanes.constant(buffer.dtype, start, lanesPerVector),
  )
  // b is packed in panels, or read row-major in place.
  const { panel: cut } = panels
  const panel = cut === null ? column : lanes.mul(column, lanes.index(cut.stride / cut.width))
  const pitchB = cut === null ? panels.strides[0]! : block.columns
  // a is row-major, or across, or in panels as high as the register block.
  const isPanel = rows.panel !== null
  const [pitchA, stepA] = isPanel ? [1, rows.panel.width] : isAcross ? [1, rows.strides[0]!] : [rows.strides[0]!, 1]
  const rowStart = lanes.mul(row, lanes.index(isPanel ? rows.panel.stride / rows.panel.width : pitchA))
  const bounds = { from: lanes.index(0), to: depth, step: lanes.index(1), name: 'k', comment: 'dot' }
  const sums = lanes.loop(bounds, begin, (k, carried) => {
    const line = lanes.add(panel, lanes.mul(k, lanes.index(pitchB)))
    const right = counts.map((_, v) => {
      const at = lanes.add(line, lanes.index(v * lanesPerVector))
      return lanes.load(b, at, lanesPerVector, cut === null ? count(v) : null)
    })
    const from = lanes.add(rowStart, lanes.mul(k, lanes.index(stepA)))
    const left = Array.from({ length: height }, (_, m) => lanes.load(a, lanes.add(from, lanes.index(m * pitchA)), 1))
    return cells.map(({ m, v }, cell) => multiplyAdd(state, left[m]!, right[v]!, carried[cell]!))
  })
  cells.forEach(({ m, v }, cell) => void lanes.store(acc, address(m, v), sums[cell]!, count(v)))
}
