/**
 * What people write out, on operands of every kind of shape and with views between its ops: a rule must see where each part
 * stands, or leave it. Operands have sizes of 1 and fewer dims, parts are turned, stretched and reshaped on the way.
 */
import { expect, it } from 'vitest'
import { interpretGraph } from '../../../src/graph/interpret.js'
import { type Graph, type GraphNode, typeOf } from '../../../src/graph/ir.js'
import type { HostTensor } from '../../../src/graph/record.js'
import type { Apply } from '../../schedule/build.js'
import { randomSpec, seededRandom, type TensorSpec } from '../../support/tensor-spec.js'
import { type FloatDtype, graphOf, optimised, symbolicGraphOf, withoutPatterns } from './support.js'
import { type Write, written } from './written.js'

type Random = () => number

const unit = { f64: 2 ** -53, f32: 2 ** -24, f16: 2 ** -11, bf16: 2 ** -8 }
const variants = 12

const pick = <T>(random: Random, items: readonly T[]): T => items[Math.floor(random() * items.length)]!

/** The same rank or less, with some sizes 1. */
function smaller(random: Random, shape: readonly number[]): readonly number[] {
  const dropped = random() < 0.3 ? Math.floor(random() * shape.length) : 0
  return shape.slice(dropped).map(size => (random() < 0.3 ? 1 : size))
}

/** Views by which a part may reach the next op. Each gives the rank of what follows from the shapes alone. */
const views: readonly ((op: Apply, x: GraphNode) => GraphNode)[] = [
  (op, x) => (typeOf(x).shape.length < 2 ? x : op('transpose', x, -1, -2)),
  (op, x) => (typeOf(x).shape.length < 3 ? x : op('transpose', x, 0, 1)),
  (op, x) => op('expand', x, [3, ...typeOf(x).shape.map(() => -1)]),
  (op, x) => op('unsqueeze', x, 0),
  (op, x) => (typeOf(x).shape.length === 0 ? x : op('unsqueeze', x, -1)),
  (op, x) => op('reshape', op('flatten', x), [...typeOf(x).shape]),
  (op, x) => op('squeeze', x),
]

/** `write` with a view after every few ops. */
const withViews =
  (write: Write, seed: number): Write =>
  (op, ...inputs) => {
    const random = seededRandom(seed)
    const viewed = (name: string, ...args: readonly unknown[]): GraphNode => {
      const made = (op as (name: string, ...args: readonly unknown[]) => GraphNode)(name, ...args)
      return random() < 0.15 ? pick(random, views)(op, made) : made
    }
    return write(viewed as Apply, ...inputs)
  }

const numbers = (graph: Graph, inputs: readonly TensorSpec[]): number[] =>
  interpretGraph(graph, inputs)[0]!.data.map(Number)
const inF64 = (inputs: readonly HostTensor[]): TensorSpec[] =>
  inputs.map(input => ({ ...input, dtype: 'f64' })) as TensorSpec[]

/** Null where these shapes do not fit together. */
function tryGraph(make: () => Graph): Graph | null {
  try {
    return make()
  } catch (error) {
    if (error instanceof Error && /(Shape|Argument|Verify|Dtype)Error/.test(error.name)) return null
    throw error
  }
}

function errorOf(values: readonly number[], truth: readonly number[]): number {
  return values.reduce((worst, value, i) => Math.max(worst, Math.abs(value - truth[i]!)), 0)
}

/** Whether the graphs of this shape could be compared. */
function compare(write: Write, dtype: FloatDtype, shapes: readonly (readonly number[])[], what: string): boolean {
  const exact = tryGraph(() => withoutPatterns(graphOf(write, 'f64', shapes)))
  const graph = tryGraph(() => graphOf(write, dtype, shapes))
  if (exact === null || graph === null) return false
  const inputs = shapes.map((shape, i) => randomSpec(i + 1, dtype, shape, { low: 0.1, high: 2 }))
  const truth = numbers(exact, inF64(inputs))
  const plain = numbers(withoutPatterns(graph), inputs)
  const rewritten = numbers(optimised(graph).graph, inputs)
  expect(rewritten.length, what).toBe(plain.length)
  if (![...truth, ...plain].every(Number.isFinite)) return false
  const largest = Math.max(0, ...truth.map(Math.abs))
  const allowed = 4 * Math.max(errorOf(plain, truth), unit[dtype] * largest)
  expect(errorOf(rewritten, truth), what).toBeLessThanOrEqual(allowed)
  if (shapes.flat().some(size => size < 2)) return true // is never a run-time size
  const symbolic = tryGraph(() => symbolicGraphOf(write, dtype, shapes))
  if (symbolic !== null)
    expect(errorOf(numbers(optimised(symbolic).graph, inputs), truth), what).toBeLessThanOrEqual(allowed)
  return true
}

/** In all: most shapes fit, or the test is of nothing. */
let compared = 0

for (const [index, { rule, name, write, shapes = [[4, 4]], dtypes = ['f32', 'bf16'] as const }] of written.entries()) {
  it(`${rule}: ${name}`, () => {
    for (let variant = 0; variant < variants; variant++) {
      const seed = 1000 * index + variant
      const random = seededRandom(seed)
      const square = random() < 0.5
      const own = shapes.map(shape => shape.map((size, d) => (square && d >= shape.length - 2 ? 4 : size)))
      const fitted = own.map(shape => (variant % 3 === 0 ? shape : smaller(random, shape)))
      const dtype = pick(random, dtypes)
      const changed = variant % 2 === 1 ? withViews(write, seed) : write
      if (compare(changed, dtype, fitted, `seed ${seed}: ${dtype} of ${JSON.stringify(fitted)}`)) compared++
    }
  })
}

it('compared most of them', () => {
  expect(compared).toBeGreaterThan((written.length * variants) / 3)
})
