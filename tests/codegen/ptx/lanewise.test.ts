/** Long formulas on wide vectors, which are computed lane by lane: which they are, and that each lane has its own value. */
import { describe, expect, it } from 'vitest'
import { emitPtx, ptxSymbolOf } from '../../../src/codegen/ptx/emit.js'
import { lanewiseResults } from '../../../src/codegen/ptx/lanewise.js'
import type { LaneNode, LaneProgram } from '../../../src/lane/ir.js'
import { pointer } from '../../../src/lane/ir.js'
import { Lanes } from '../../../src/lower/shared/lanes.js'
import { cudaArchs, genericCudaTarget } from '../../../src/target/cuda.js'
import { launch, parse } from './machine.js'

const lanes = 16

/** A program of one thread that stores what `make` gives, in order, of two vectors of i32. */
function program(make: (b: Lanes, x: LaneNode, y: LaneNode) => readonly LaneNode[]): {
  readonly made: LaneProgram
  readonly values: readonly LaneNode[]
} {
  const b = new Lanes()
  const args = ['x', 'y', 'out'].map(name => ({ name, type: pointer('i32') }))
  const nodes = args.map(({ name, type }, index) => b.builder.node('arg', [], { index, name, type }))
  const [x, y] = nodes.map(node => b.load(node, b.constant('i32', 0), lanes)) as [LaneNode, LaneNode]
  const values = make(b, x, y)
  for (const [i, value] of values.entries()) b.store(nodes[2]!, b.constant('i32', i * lanes), value, null)
  const body = b.builder.finish([], nodes)
  return { made: { name: 'lanewise', args, body, block: { threads: 1, sharedBytes: 0 }, comment: [] }, values }
}

/** `ops` ops that follow each other. */
function longer(b: Lanes, from: LaneNode, by: LaneNode, ops: number): LaneNode {
  let value = from
  for (let i = 0; i < ops; i++)
    value = b.map(i % 2 === 0 ? 'mul' : 'xor', value, i % 3 === 0 ? by : b.constant('i32', 2 * i + 1))
  return value
}

const same = (from: number, by: number, ops: number): number => {
  let value = from
  for (let i = 0; i < ops; i++) {
    const other = i % 3 === 0 ? by : 2 * i + 1
    value = i % 2 === 0 ? Math.imul(value, other) : value ^ other
  }
  return value
}

const xs = Int32Array.from({ length: lanes }, (_, i) => i * 7919 - 3000)
const ys = Int32Array.from({ length: lanes }, (_, i) => 2 * i + 3)

function run(made: LaneProgram, count: number): number[] {
  const out = new Int32Array(count * lanes)
  const module = emitPtx([made], genericCudaTarget(cudaArchs.sm_90a))
  launch(parse(module).get(ptxSymbolOf(made))!, [xs, ys, out], [1, 1, 1], { sharedBytes: 0 })
  return [...out]
}

describe('long formulas on wide vectors', () => {
  it('are those of a hundred ops on sixteen lanes', () => {
    for (const [ops, wanted] of [
      [99, false],
      [100, true],
    ] as const) {
      const { made, values } = program((b, x, y) => [longer(b, x, y, ops)])
      expect(lanewiseResults(made).has(values[0]!)).toBe(wanted)
      expect(run(made, 1)).toEqual([...xs].map((x, i) => same(x, ys[i]!, ops)))
    }
    const { made } = program((b, x, y) => {
      const half = (from: number): LaneNode =>
        longer(
          b,
          b.builder.node('slice', [x], { from, lanes: 8 }),
          b.builder.node('slice', [y], { from, lanes: 8 }),
          100,
        )
      return [half(0), half(8)]
    })
    expect(lanewiseResults(made).size).toBe(0)
  })

  it('take what reads a part of them along', () => {
    const { made, values } = program((b, x, y) => {
      const part = longer(b, x, y, 60)
      return [longer(b, part, x, 60), b.map('add', part, y), b.map('sub', x, y)]
    })
    const found = lanewiseResults(made)
    expect(values.map(value => found.has(value))).toEqual([true, true, false])
    const parts = [...xs].map((x, i) => same(x, ys[i]!, 60))
    const expected = [
      parts.map((part, i) => same(part, xs[i]!, 60)),
      parts.map((part, i) => (part + ys[i]!) | 0),
      [...xs].map((x, i) => x - ys[i]!),
    ]
    expect(run(made, 3)).toEqual(expected.flat())
  })

  it('take their lanes from slices, scalars and vectors put together', () => {
    const { made, values } = program((b, x, y) => {
      const upper = b.builder.node('slice', [x], { from: 8, lanes: 8 })
      const mixed = b.builder.node('concat', [upper, b.spread(b.extract(y, 5), 7), b.extract(x, 2)], {})
      return [longer(b, b.map('add', mixed, b.iota(lanes, 'i32')), y, 110)]
    })
    expect(lanewiseResults(made).has(values[0]!)).toBe(true)
    const mixed = [...xs.slice(8), ...new Array<number>(7).fill(ys[5]!), xs[2]!]
    expect(run(made, 1)).toEqual(mixed.map((value, i) => same(value + i, ys[i]!, 110)))
  })

  it('are other ones in each iteration of an unrolled loop', () => {
    const { made } = program((b, x, y) => {
      const bounds = { from: b.index(0), to: b.index(3), step: b.index(1), name: 'i', comment: '', unroll: true }
      return b.loop(bounds, [x], (counter, [sum]) => [longer(b, b.map('add', sum!, b.cast(counter, 'i32')), y, 100)])
    })
    expect(lanewiseResults(made).size).toBe(1)
    const once = (sum: number, lane: number, count: number): number => same((sum + count) | 0, ys[lane]!, 100)
    expect(run(made, 1)).toEqual([...xs].map((x, i) => [0, 1, 2].reduce((sum, count) => once(sum, i, count), x)))
  })
})
