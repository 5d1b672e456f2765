/**
 * Dots of packed matrices on a CPU: the operands of instructions that multiply groups of narrow elements along K and add the
 * products to one wide sum. A word is an i32 that holds such a group, the first element in its low bits. The rows are
 * [m, words], row-major; the panels hold `panelColumns` columns each, as [words, panelColumns]. Unused columns of the last
 * panel, rows up to a multiple of `rowStep` and words up to a multiple of `wordStep` exist: padding words are 0, padding
 * columns and rows may hold anything.
 */
import { isIndex, need, nothing, type PointerType, pointerType, type Typed, valueType } from './types.js'
import { bitcastLanes } from './values.js'

export type WordDtype = 'bf16' | 'i8'

/** Elements per word. */
export const wordGroup: Readonly<Record<WordDtype, number>> = { bf16: 2, i8: 4 }
export const wordSum = { bf16: 'f32', i8: 'i32' } as const

export const panelColumns = 32
export const rowStep = 32
export const wordStep = 16

/** Pitches in elements: of the sums' rows, of the packed rows, and from panel to panel. */
export interface WordDotAttrs {
  readonly of: WordDtype
  /** Sums start from 0 instead of the accumulator's values. */
  readonly fresh: boolean
  readonly pitch: number
  readonly rowPitch: number
  readonly panelPitch: number
}

export function inferWordDot(inputs: readonly Typed[], { of }: WordDotAttrs): typeof nothing {
  const [acc, rows, panels] = inputs.slice(0, 3).map(pointerType) as [PointerType, PointerType, PointerType]
  need(acc.dtype === wordSum[of], () => `wordDot: ${of} sums in ${wordSum[of]}, not ${acc.dtype}`)
  need(rows.dtype === 'i32' && panels.dtype === 'i32', () => `wordDot: words in ${rows.dtype} and ${panels.dtype}`)
  need(
    inputs.slice(3).every(size => isIndex(valueType(size))),
    () => 'wordDot: a size is not an index',
  )
  return nothing
}

/** Accesses to the three matrices' memory, by index. */
export interface WordDotMemory {
  sum(index: number): number
  setSum(index: number, value: number): void
  row(index: number): number
  panel(index: number): number
}

/** The sums of a dot, each rounded once. */
export function runWordDot(
  { of, fresh, pitch, rowPitch, panelPitch }: WordDotAttrs,
  memory: WordDotMemory,
  [m, n, words]: readonly [number, number, number],
): void {
  const decode = (word: number): readonly number[] => bitcastLanes('i32', of, [word]).map(Number)
  const read = (at: (word: number) => number): number[] => Array.from({ length: words }, (_, w) => decode(at(w))).flat()
  const rows = Array.from({ length: m }, (_, i) => read(w => memory.row(i * rowPitch + w)))
  for (let j = 0; j < n; j++) {
    const start = Math.floor(j / panelColumns) * panelPitch + (j % panelColumns)
    const column = read(w => memory.panel(start + w * panelColumns))
    rows.forEach((row, i) => {
      const product = row.reduce((sum, x, k) => sum + x * column[k]!, 0)
      const at = i * pitch + j
      const sum = (fresh ? 0 : memory.sum(at)) + product
      memory.setSum(at, of === 'i8' ? sum | 0 : Math.fround(sum))
    })
  }
}
