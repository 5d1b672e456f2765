/** Where temporaries are in memory: those that are live together never overlap, and gaps are used. */
import { describe, expect, it } from 'vitest'
import type { BufferDraft } from '../../src/schedule/memory/buffers.js'
import { planMemory, type StepUse } from '../../src/schedule/memory/slots.js'
import type { PlanBuffer } from '../../src/schedule/plan/plan.js'
import { seededRandom } from '../support/tensor-spec.js'

/** A launch that reads and writes whole buffers. */
function launch(reads: readonly number[], writes: readonly number[], elements: readonly number[]): StepUse {
  const args = [...reads, ...writes].map(
    buffer => ({ kind: 'view', buffer, offset: 0, shape: [elements[buffer]!], strides: [1] }) as const,
  )
  const common = {
    kind: 'launch',
    device: 0,
    kernel: 0,
    grid: [1, 1, 1],
    bytes: 0,
    flops: 0,
    ops: [],
    lines: [],
  } as const
  return { step: { ...common, args }, elementwise: reads.length === 1, writes: new Set(writes), joins: false }
}

const draftsOf = (elements: readonly number[]): readonly BufferDraft[] =>
  elements.map(count => ({ kind: 'temp', device: 0, dtype: 'f32', name: '', elements: count }))

const rangeOf = (buffer: PlanBuffer): readonly [number, number] => {
  if (buffer.kind !== 'temp') throw new Error('not a temporary')
  return [buffer.at, buffer.at + 4 * (buffer.elements as number)]
}
const endOf = (buffers: readonly PlanBuffer[]): number => Math.max(...buffers.map(buffer => rangeOf(buffer)[1]))

describe('memory of temporaries', () => {
  it('is disjoint for those that are live together, but where one is written over another of the same place: random plans', () => {
    for (let seed = 1; seed <= 60; seed++) {
      const random = seededRandom(seed)
      const below = (count: number): number => Math.floor(random() * count)
      const elements = Array.from({ length: 30 }, () => 1 + below(below(4) === 0 ? 10_000 : 300))
      // Buffer i is made by step i and read by a few later ones.
      const readers = elements.map((_, i) => new Set(Array.from({ length: 1 + below(2) }, () => i + 1 + below(8))))
      const uses = elements.map((_, step) =>
        launch(
          [...readers.keys()].filter(i => i < step && readers[i]!.has(step)),
          [step],
          elements,
        ),
      )
      const { buffers, slots } = planMemory(draftsOf(elements), uses)
      expect(slots).toBe(1)
      const last = readers.map((steps, i) => Math.max(i, ...[...steps].filter(step => step < elements.length)))
      for (const [i, one] of buffers.entries()) {
        expect(rangeOf(one)[0] % 512).toBe(0)
        for (const [j, other] of buffers.entries()) {
          if (i >= j || last[i]! < j) continue
          const [[from, to], [start, end]] = [rangeOf(one), rangeOf(other)]
          const isOver = last[i] === j && elements[i] === elements[j] && from === start && uses[j]!.elementwise
          expect(to <= start || end <= from || isOver, `seed ${seed}: ${i} and ${j}`).toBe(true)
        }
      }
    }
  })

  it('takes no more than what is live at once where small ones follow a large one', () => {
    const elements = [4096, 1024, 1024, 1024, 1024, 1]
    const uses = [
      launch([], [0], elements),
      launch([0], [1], elements),
      launch([], [2], elements),
      launch([], [3], elements),
      launch([], [4], elements),
      launch([1, 2, 3, 4], [5], elements),
    ]
    const { buffers } = planMemory(draftsOf(elements), uses)
    // The first and the second are live together; the others fit into the place of the first.
    expect(endOf(buffers)).toBe(4 * (4096 + 1024))
  })
})
