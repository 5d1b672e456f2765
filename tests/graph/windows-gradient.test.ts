/** What windows read of a tensor, put back: the sum over all windows that an element is in. */
import { expect, it } from 'vitest'
import { buildGraph } from '../../src/graph/apply.js'
import { expandTo, reshapeTo, shapeOf } from '../../src/graph/build.js'
import { vjp } from '../../src/graph/derivatives/modes.js'
import { interpretGraph } from '../../src/graph/interpret.js'
import type { GraphNode } from '../../src/graph/ir.js'
import { windowsOf } from '../../src/graph/ops/rearrange.js'
import { type DimWindows, windowSpan, windowsIn } from '../../src/graph/windows.js'
import { ownNodesOf } from '../../src/ir/walk.js'

/** Where the windows of a dim read, by window and tap. */
const reads = (length: number, { step, size, dilation }: DimWindows): number[][] =>
  Array.from({ length: Number(windowsIn(length, { step, size, dilation })) }, (_, w) =>
    Array.from({ length: Number(size) }, (_, t) => w * step + t * dilation),
  )

/** The gradient of windows on [rows, columns], of which column windows may be missing, and the sum of the test's own. */
function check(lengths: readonly [number, number], rows: DimWindows, columns: DimWindows | null): number {
  const [down, across] = [reads(lengths[0], rows), columns === null ? null : reads(lengths[1], columns)]
  const windows = columns === null ? [rows] : [rows, columns]
  const shape = [down.length, across?.length ?? lengths[1], ...windows.map(({ size }) => Number(size))]
  const data = Array.from({ length: shape.reduce((all, size) => all * size, 1) }, (_, i) => ((i * 7919) % 1013) + 1)
  const expected = new Array<number>(lengths[0] * lengths[1]).fill(0)
  let at = 0
  for (const row of down)
    for (let w = 0; w < shape[1]!; w++)
      for (const y of row) for (const x of across?.[w] ?? [w]) expected[y * lengths[1] + x]! += data[at++]!
  const type = (size: readonly number[]) => ({ dtype: 'f64', shape: size }) as const
  const graph = buildGraph([type(lengths), type(shape)], [], (b, [x, g]) => {
    const view = windowsOf(b, x!, 0, ...windows)
    expect(shapeOf(view)).toEqual(shape)
    return [vjp(b, { outputs: [view], cotangents: [g!], inputs: [x!] })[0] as GraphNode]
  })
  const given = (size: readonly number[], values: readonly number[]) => ({ ...type(size), data: values })
  const [found] = interpretGraph(graph, [
    given(
      lengths,
      expected.map(() => 0),
    ),
    given(shape, data),
  ])
  expect(found!.data.map(Number), JSON.stringify({ lengths, windows })).toEqual(expected)
  return [...ownNodesOf<GraphNode>(graph.body)].filter(({ op }) => op === 'map').length
}

const fits = (length: number, windows: DimWindows): boolean => Number(windowSpan(windows)) <= length

it('of any size, step and dilation', () => {
  let count = 0
  for (const length of [1, 2, 6, 7, 8, 9])
    for (const size of [1, 2, 3, 5])
      for (const step of [1, 2, 3, 4])
        for (const dilation of [1, 2, 3]) {
          const windows = { size, step, dilation }
          if (!fits(length, windows)) continue
          check([length, 2], windows, null)
          count++
        }
  expect(count).toBeGreaterThan(100)
})

it('along two dims', () => {
  const three = { size: 3, step: 2, dilation: 1 }
  check([7, 9], three, three)
  check([8, 6], three, { size: 2, step: 2, dilation: 1 })
  check([8, 7], { size: 2, step: 1, dilation: 3 }, three)
  check([9, 8], { size: 2, step: 3, dilation: 2 }, { size: 4, step: 4, dilation: 1 })
})

it('adds as few parts as overlap', () => {
  const every = (size: number, step: number): DimWindows => ({ size, step, dilation: 1 })
  expect(check([8, 8], every(2, 2), every(2, 2))).toBe(0)
  expect(check([9, 9], every(3, 2), every(3, 2))).toBe(3)
  expect(check([8, 8], every(3, 1), every(3, 1))).toBe(8)
})

it('of one value per window, as windows of these values', () => {
  for (const [length, size, dilation] of [
    [7, 3, 1],
    [9, 2, 3],
    [5, 1, 1],
    [4, 4, 1],
  ] as const) {
    const windows = { size, step: 1, dilation }
    const read = reads(length, windows)
    const [places, rows] = [read.length, 2]
    const data = Array.from({ length: rows * places }, (_, i) => ((i * 7919) % 1013) + 1)
    const expected = new Array<number>(rows * length).fill(0)
    data.forEach((value, i) => {
      for (const x of read[i % places]!) expected[Math.floor(i / places) * length + x]! += value
    })
    const type = (shape: readonly number[]) => ({ dtype: 'f64', shape }) as const
    const graph = buildGraph([type([rows, length]), type([rows, places])], [], (b, [x, g]) => {
      const view = windowsOf(b, x!, 1, windows)
      const repeated = expandTo(b, reshapeTo(b, g!, [rows, places, 1]), shapeOf(view))
      return [vjp(b, { outputs: [view], cotangents: [repeated], inputs: [x!] })[0] as GraphNode]
    })
    const [found] = interpretGraph(graph, [
      { ...type([rows, length]), data: expected },
      { ...type([rows, places]), data },
    ])
    expect(found!.data.map(Number), `${length} by ${size}`).toEqual(expected)
    const ops = [...ownNodesOf<GraphNode>(graph.body)].map(({ op }) => op)
    if (size > 1) expect(ops.filter(op => op === 'pad' || op === 'reduce')).toEqual(['pad', 'reduce'])
  }
})
