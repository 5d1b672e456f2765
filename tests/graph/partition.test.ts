/** What is kept for a backward pass: the fewest bytes from which all that it reads can be computed. */
import { describe, expect, it } from 'vitest'
import { applyRecord, asValue } from '../../src/graph/apply.js'
import { keptFor } from '../../src/graph/derivatives/partition.js'
import { type GraphBuilder, type GraphNode, graphBuilder } from '../../src/graph/ir.js'
import { recordTable } from '../../src/graph/ops/index.js'

const op = (
  b: GraphBuilder,
  name: keyof typeof recordTable,
  ...args: (GraphNode | number | string | object)[]
): GraphNode =>
  applyRecord(
    b,
    recordTable[name],
    args.map(arg => (typeof arg === 'object' && 'op' in arg ? asValue(arg as GraphNode) : arg)),
  )[0]!
const input = (b: GraphBuilder, index: number, shape: readonly number[]): GraphNode =>
  b.node('input', [], { index, name: `x${index}`, dtype: 'f32', shape, strides: [...shape.keys()].map(d => shape.slice(d + 1).reduce((a, c) => a * c, 1)) }) // biome-ignore format: one line
const kept = (...needed: GraphNode[]): GraphNode[] => [...keptFor(needed, node => node.op === 'input')]

describe('the values that are kept', () => {
  const b = graphBuilder()
  const [x, w] = [input(b, 0, [8, 4]), input(b, 1, [4, 16])]
  const h = op(b, 'matmul', x, w)

  it('are products, not what is computed from them element by element', () => {
    const active = op(b, 'tanh', h)
    expect(kept(active, op(b, 'exp', h), op(b, 'mul', active, 2))).toEqual([h])
  })

  it('are arguments where these suffice', () => {
    expect(kept(op(b, 'exp', op(b, 'add', x, 1)))).toEqual([x])
  })

  it('are small copies of arguments in fewer bits, which products read; large ones and wider ones are made again', () => {
    const narrow = op(b, 'to', w, 'bf16')
    expect(kept(narrow)).toEqual([narrow])
    expect(kept(op(b, 'transpose', narrow, 0, 1))).toEqual([narrow])
    expect(kept(op(b, 'to', w, 'f64'))).toEqual([w])
    const large = input(b, 2, [4096, 8192])
    expect(kept(op(b, 'to', large, 'bf16'))).toEqual([large])
    expect(kept(op(b, 'to', op(b, 'exp', h), 'bf16'))).toEqual([op(b, 'to', op(b, 'exp', h), 'bf16')])
  })

  it('are the smaller ones: a mask rather than the values that it was made of', () => {
    const mask = op(b, 'gt', h, 0)
    expect(kept(mask)).toEqual([mask])
    expect(kept(mask, op(b, 'exp', h))).toEqual([h])
  })

  it('are one sum rather than its terms, and are no views', () => {
    const [one, other] = [op(b, 'matmul', x, w), op(b, 'matmul', op(b, 'exp', x), w)]
    const sum = op(b, 'add', one, other)
    expect(kept(op(b, 'sin', sum), op(b, 'exp', sum))).toEqual([sum])
    expect(kept(op(b, 'transpose', sum, 0, 1))).toEqual([sum])
  })

  it('of several, those nearest to where they are needed', () => {
    const chain = op(b, 'exp', op(b, 'sin', h))
    expect(kept(chain)).toEqual([chain])
  })
})
