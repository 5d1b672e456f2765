/** Slopes of slopes of running products, in all pairs of modes, where elements are 0. */
import { expect, it } from 'vitest'
import { buildGraph } from '../../src/graph/apply.js'
import { jvp, vjp } from '../../src/graph/derivatives/modes.js'
import { interpretGraph } from '../../src/graph/interpret.js'
import type { GraphBuilder, GraphNode } from '../../src/graph/ir.js'

const rows: readonly (readonly number[])[] = [
  [2, 3, -1, 0.5],
  [2, 0, -1, 0.5],
  [0, 3, 0, 0.5],
  [0, 0, 0, 2],
  [1, 2, 3, 0],
]
const length = 4
/** Gradients of the running products, and tangents of the elements. */
const [g, t] = [
  [1, -2, 3, 4],
  [5, 1, -3, 2],
]

/** Σ g[j] · the second derivative of product j along t and along element l. */
function expectedAt(x: readonly number[], l: number, isReverse: boolean): number {
  let sum = 0
  for (let j = 0; j < length; j++) {
    const factors = [...x.keys()].filter(k => (isReverse ? k >= j : k <= j))
    for (const i of factors)
      if (factors.includes(l) && i !== l)
        sum += g[j]! * t[i]! * factors.reduce((all, k) => (k === i || k === l ? all : all * x[k]!), 1)
  }
  return sum
}

type Second = (b: GraphBuilder, x: GraphNode, y: GraphNode, g: GraphNode, t: GraphNode) => GraphNode
const gradient = (b: GraphBuilder, x: GraphNode, y: GraphNode, by: GraphNode): GraphNode =>
  vjp(b, { outputs: [y], cotangents: [by], inputs: [x] })[0]!
const tangent = (b: GraphBuilder, x: GraphNode, y: GraphNode, along: GraphNode): GraphNode =>
  jvp(b, { outputs: [y], inputs: [x], tangents: [along] })[0]!

const ways: Readonly<Record<string, Second>> = {
  'reverse over reverse': (b, x, y, g, t) => gradient(b, x, gradient(b, x, y, g), t),
  'forward over reverse': (b, x, y, g, t) => tangent(b, x, gradient(b, x, y, g), t),
  'reverse over forward': (b, x, y, g, t) => gradient(b, x, tangent(b, x, y, t), g),
}

const repeated = (row: readonly number[]): number[] => rows.flatMap(() => row)

it.each(Object.entries(ways))('%s', (_, second) => {
  for (const reverse of [false, true]) {
    const type = { dtype: 'f64', shape: [rows.length, length] } as const
    const graph = buildGraph([type, type, type], [], (b, [x, by, along]) => {
      const y = b.node('scan', [x!], { fn: 'mul', dim: 1, reverse })
      return [second(b, x!, y, by!, along!)]
    })
    const [found] = interpretGraph(
      graph,
      [rows.flat(), repeated(g), repeated(t)].map(data => ({ ...type, data })),
    )
    const expected = rows.flatMap(x => x.map((_, l) => expectedAt(x, l, reverse)))
    expect(found!.data.map(each => Number(each) + 0)).toEqual(expected.map(each => each + 0))
  }
})

it('of slopes that depend on the elements themselves', () => {
  // y² / 2 has the gradient J' y, whose derivative along t is H(t) y + J' J t.
  const x = rows[2]!
  const type = { dtype: 'f64', shape: [length] } as const
  const graph = buildGraph([type, type], [], (b, [node, along]) => {
    const y = b.node('scan', [node!], { fn: 'mul', dim: 0, reverse: false })
    const first = gradient(b, node!, y, y)
    return [gradient(b, node!, first, along!), tangent(b, node!, first, along!)]
  })
  const found = interpretGraph(
    graph,
    [x, t].map(data => ({ ...type, data })),
  )
  // y = [0, 0, 0, 0]: what is left is J' J t, with J = ∂y / ∂x of rows [1], [3, 0], [0…], [0…].
  const expected = [t[0]! + 9 * t[0]!, 0, 0, 0]
  for (const { data } of found) expect(data.map(each => Number(each) + 0)).toEqual(expected)
})
