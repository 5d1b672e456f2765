import { describe, expect, it } from 'vitest'
import { buildGraph, type InputSpec } from '../../src/graph/apply.js'
import { interpretGraph, symbolValues } from '../../src/graph/interpret.js'
import type { GraphBuilder, GraphNode } from '../../src/graph/ir.js'
import type { HostTensor } from '../../src/graph/record.js'
import { philoxUniform } from '../../src/scalar/philox.js'
import { sizeSymbol } from '../../src/scalar/size.js'

const f32 = (shape: readonly number[], ...data: readonly number[]): HostTensor => ({ dtype: 'f32', shape, data })

/** The results of primitives on host tensors. */
function run(
  inputs: readonly HostTensor[],
  build: (b: GraphBuilder, ...x: readonly GraphNode[]) => GraphNode,
): HostTensor {
  const graph = buildGraph(inputs, [], (b, nodes) => [build(b, ...nodes)])
  return interpretGraph(graph, inputs)[0]!
}

describe('the graph interpreter', () => {
  it('takes scalars and run-time sizes at each call', () => {
    const n = sizeSymbol('n')
    const input: InputSpec = { dtype: 'f32', shape: [n] }
    const graph = buildGraph(
      [input],
      ['f32', 'i64'],
      (b, [x], [factor, count]) => {
        const stretched = b.node('expand', [factor!], { shape: [n] })
        return [b.node('map', [x!, stretched], { fn: 'mul' }), b.node('size', [], { size: n }), count!]
      },
      [{ name: 'n', input: 0, kind: 'size', dim: 0 }],
    )
    const call = (data: readonly number[]): readonly HostTensor[] =>
      interpretGraph(graph, [f32([data.length], ...data)], [2, 7n])
    expect(call([1, 2, 3]).map(({ data }) => data)).toEqual([[2, 4, 6], [3n], [7n]])
    expect(call([5]).map(({ data }) => data)).toEqual([[10], [1n], [7n]])
    expect(symbolValues(graph, [f32([4], 0, 0, 0, 0)])).toEqual(new Map([['n', 4]]))
  })

  it('rejects an input of another shape or dtype', () => {
    const graph = buildGraph([{ dtype: 'f32', shape: [2] }], [], (_, [x]) => [x!])
    expect(() => interpretGraph(graph, [f32([3], 1, 2, 3)])).toThrow(/input 0 is f32\[3\], the graph takes f32\[2\]/)
    expect(() => interpretGraph(graph, [{ dtype: 'i32', shape: [2], data: [1, 2] }])).toThrow(/is i32\[2\]/)
    expect(() => interpretGraph(graph, [])).toThrow(/input 0 is nothing/)
  })

  it('rejects a reshape or slice that does not fit at run time', () => {
    const n = sizeSymbol('n')
    const m = sizeSymbol('m')
    const symbols = [
      { name: 'n', input: 0, kind: 'size', dim: 0 },
      { name: 'm', input: 1, kind: 'size', dim: 0 },
    ] as const
    const specs: readonly InputSpec[] = [
      { dtype: 'f32', shape: [n] },
      { dtype: 'f32', shape: [m] },
    ]
    const two = [f32([2], 1, 2), f32([3], 1, 2, 3)]
    const reshape = buildGraph(specs, [], (b, [x]) => [b.node('reshape', [x!], { shape: [m] })], symbols)
    expect(() => interpretGraph(reshape, two)).toThrow(/reshape: \[2\] does not fit \[3\]/)
    const slice = buildGraph(
      specs,
      [],
      (b, [x]) => [b.node('slice', [x!], { starts: [0], steps: [1], sizes: [m] })],
      symbols,
    )
    expect(() => interpretGraph(slice, two)).toThrow(/reaches outside \[2\]/)
  })

  it('rounds each map to its dtype', () => {
    const x = f32([1], 16777216)
    expect(run([x], (b, a) => b.node('map', [a!, b.node('map', [a!, a!], { fn: 'div' })], { fn: 'add' })).data).toEqual(
      [16777216],
    )
  })

  it('sums in float64 and rounds once', () => {
    const x = f32([3], 16777216, 1, 1)
    expect(run([x], (b, a) => b.node('reduce', [a!], { fn: 'add', dims: [0] })).data).toEqual([16777218])
  })

  it('reinterprets bits', () => {
    const bits = (from: HostTensor, to: 'i32' | 'f32' | 'i16' | 'f16' | 'i64' | 'f64'): HostTensor =>
      run([from], (b, a) => b.node('bitcast', [a!], { to }))
    expect(bits(f32([3], 1, -0, -2), 'i32').data).toEqual([0x3f800000, -0x80000000, -0x40000000])
    expect(bits({ dtype: 'i32', shape: [1], data: [0x40490fdb] }, 'f32').data).toEqual([Math.fround(Math.PI)])
    expect(bits({ dtype: 'f16', shape: [1], data: [1] }, 'i16').data).toEqual([0x3c00])
    expect(bits({ dtype: 'i16', shape: [1], data: [-0x4400] }, 'f16').data).toEqual([-1])
    expect(bits({ dtype: 'f64', shape: [1], data: [1] }, 'i64').data).toEqual([0x3ff0000000000000n])
    expect(bits({ dtype: 'i64', shape: [1], data: [-0x8000000000000000n] }, 'f64').data).toEqual([-0])
  })

  it('scans both ways', () => {
    const x = f32([2, 3], 1, 2, 3, 4, 5, 6)
    const scan = (fn: 'add' | 'max', dim: number, reverse: boolean): readonly unknown[] =>
      run([x], (b, a) => b.node('scan', [a!], { fn, dim, reverse })).data
    expect(scan('add', 1, false)).toEqual([1, 3, 6, 4, 9, 15])
    expect(scan('add', 1, true)).toEqual([6, 5, 3, 15, 11, 6])
    expect(scan('add', 0, true)).toEqual([5, 7, 9, 4, 5, 6])
    expect(scan('max', 1, true)).toEqual([3, 3, 3, 6, 6, 6])
  })

  it('slices backwards', () => {
    const x = f32([2, 3], 1, 2, 3, 4, 5, 6)
    expect(run([x], (b, a) => b.node('slice', [a!], { starts: [1, 2], steps: [-1, -2], sizes: [2, 2] })).data).toEqual([
      6, 4, 3, 1,
    ])
  })

  it('accumulates dots in the given dtype', () => {
    const x: HostTensor = { dtype: 'i8', shape: [1, 2], data: [100, 100] }
    const y: HostTensor = { dtype: 'i8', shape: [2, 1], data: [100, 100] }
    const product = (to: 'i8' | 'i32'): readonly unknown[] =>
      run([x, y], (b, a, c) => b.node('matmul', [a!, c!], { accumulate: 'i32', to })).data
    expect(product('i32')).toEqual([20000])
    expect(product('i8')).toEqual([32])
  })

  it('finds the first extreme, and NaN before all others', () => {
    const x = f32([2, 4], 1, 3, 3, 0, 2, Number.NaN, 9, Number.NaN)
    const find = (fn: 'argmax' | 'argmin' | 'max' | 'min'): readonly unknown[] =>
      run([x], (b, a) => b.node('reduce', [a!], { fn, dims: [1] })).data
    expect(find('argmax')).toEqual([1n, 1n])
    expect(find('argmin')).toEqual([3n, 1n])
    expect(find('max')).toEqual([3, Number.NaN])
    expect(find('min')).toEqual([0, Number.NaN])
  })

  it('sorts stably in both directions, NaN largest', () => {
    const x = f32([5], 1, Number.NaN, 0, 1, -0)
    const sorted = (descending: boolean): readonly (readonly unknown[])[] => {
      const graph = buildGraph([x], [], (b, [a]) => {
        const both = b.node('sort', [a!], { dim: 0, descending })
        return [b.node('item', [both], { index: 0 }), b.node('item', [both], { index: 1 })]
      })
      return interpretGraph(graph, [x]).map(({ data }) => data)
    }
    expect(sorted(false)).toEqual([
      [0, -0, 1, 1, Number.NaN],
      [2n, 4n, 0n, 3n, 1n],
    ])
    expect(sorted(true)).toEqual([
      [Number.NaN, 1, 1, 0, -0],
      [1n, 0n, 3n, 2n, 4n],
    ])
  })

  it('draws by counter, so a draw can be computed in pieces', () => {
    const graph = (size: number): ReturnType<typeof buildGraph> =>
      buildGraph([], ['i64', 'i64'], (b, _, seeds) => [b.node('random', seeds, { shape: [size], dtype: 'f32' })])
    const [whole] = interpretGraph(graph(10), [], [9n, 100n])
    const [rest] = interpretGraph(graph(2), [], [9n, 102n])
    expect(rest!.data).toEqual(whole!.data.slice(8))
    expect(whole!.data[5]).toBe(philoxUniform('f32', 9n, 100n, 5))
  })
})
