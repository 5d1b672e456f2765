/** Max pooling with the places of the maxima, and its gradient: on both targets, beside loops over the windows. */
import { expect, it } from 'vitest'
import { buildGraph } from '../../src/graph/apply.js'
import { dtypeOf, shapeOf } from '../../src/graph/build.js'
import { vjp } from '../../src/graph/derivatives/modes.js'
import { forEachIndex, rowMajorStrides } from '../../src/graph/host.js'
import type { GraphNode } from '../../src/graph/ir.js'
import { elementsAt } from '../../src/graph/ops/max-windows.js'
import type { HostTensor } from '../../src/graph/record.js'
import type { Windows } from '../../src/graph/windows.js'
import type { Dtype } from '../../src/types/dtype.js'
import { gpu, planOf, runPlan, small, target } from './run.js'

interface Case extends Windows {
  readonly sizes: readonly number[]
  readonly dtype: Dtype
}

const windows = (
  sizes: readonly number[],
  kernel: readonly number[],
  more: Partial<Windows> & { readonly dtype?: Dtype } = {},
): Case => ({
  sizes,
  kernel,
  stride: more.stride ?? kernel,
  padding: more.padding ?? kernel.map(() => [0, 0] as const),
  dilation: more.dilation ?? kernel.map(() => 1),
  dtype: more.dtype ?? 'f32',
})
const both = (size: number): Windows['padding'] => [
  [size, size],
  [size, size],
]

const cases: readonly Case[] = [
  windows([8], [2]),
  windows([9], [3], { stride: [2], padding: [[1, 1]] }),
  windows([7], [1], { stride: [3] }),
  windows([8, 10], [3, 3], { stride: [2, 2], padding: both(1) }),
  windows([8, 10], [3, 3], { stride: [2, 2], padding: both(1), dtype: 'bf16' }),
  windows([7, 9], [3, 2], {
    stride: [2, 3],
    padding: [
      [1, 2],
      [1, 0],
    ],
  }),
  windows([9, 8], [2, 3], {
    stride: [3, 1],
    dilation: [3, 2],
    padding: [
      [1, 1],
      [1, 1],
    ],
  }),
  windows([9, 8], [3, 3], { stride: [1, 1], padding: both(1), dtype: 'i32' }),
  windows([9, 8], [3, 3], { stride: [4, 2], padding: both(1), dtype: 'f64' }),
  windows([4, 6, 6], [3, 2, 3], {
    stride: [2, 2, 2],
    padding: [
      [1, 1],
      [1, 1],
      [1, 1],
    ],
  }),
  // More elements than a byte numbers, and more windows over an element than are looked at one by one.
  windows([270], [260], { stride: [1], padding: [[2, 3]] }),
]

const lead = [1, 2]

/** Few different values, so that many are equal; NaN and −∞ among floats. */
function image({ sizes, dtype }: Case): HostTensor {
  const shape = [...lead, ...sizes]
  const count = shape.reduce((a, b) => a * b, 1)
  const value = (i: number): number => {
    const one = (i * 7919) % 101
    if (dtype !== 'i32' && one > 90) return one > 98 ? Number.NaN : Number.NEGATIVE_INFINITY
    return (one % 7) - 3
  }
  // A channel of nothing but −∞: padding must not be chosen.
  const isEmpty = (i: number): boolean => dtype !== 'i32' && i < count / 2
  return {
    dtype,
    shape,
    data: Array.from({ length: count }, (_, i) => (isEmpty(i) ? Number.NEGATIVE_INFINITY : value(i))),
  }
}

const typeIn = ({ dtype, shape }: HostTensor) => ({ dtype, shape }) as const

/** The maxima, their indices among the spatial elements, and the gradient. */
function expectedOf({ kernel, stride, padding, dilation, sizes }: Case, x: HostTensor, g: HostTensor): number[][] {
  const [values, indices]: [number[], number[]] = [[], []]
  const gradient = new Array<number>(x.data.length).fill(0)
  const [own, strides] = [rowMajorStrides(x.shape), rowMajorStrides(sizes)]
  forEachIndex(g.shape, (at, flat) => {
    let [best, place, spatial] = [Number.NaN, -1, -1]
    forEachIndex(kernel, tap => {
      const here = tap.map((t, d) => at[2 + d]! * stride[d]! - padding[d]![0] + t * dilation[d]!)
      if (here.some((i, d) => i < 0 || i >= sizes[d]!)) return
      const element = [at[0]!, at[1]!, ...here].reduce((sum, i, d) => sum + i * own[d]!, 0)
      const value = Number(x.data[element])
      if (place >= 0 && !(value > best || (Number.isNaN(value) && !Number.isNaN(best)))) return
      ;[best, place, spatial] = [value, element, here.reduce((sum, i, d) => sum + i * strides[d]!, 0)]
    })
    values.push(best)
    indices.push(spatial)
    gradient[place]! += Number(g.data[flat])
  })
  return [values, indices, gradient]
}

it.each(cases.map(one => [JSON.stringify(one), one] as const))('%s', (_, one) => {
  const x = image(one)
  const { kernel, stride, padding, dilation, sizes } = one
  const attrs = { kernel, stride, padding, dilation }
  const isFloat = one.dtype !== 'i32'
  const shape = [
    ...lead,
    ...sizes.map((size, d) => {
      const [before, after] = padding[d]!
      return Math.floor((size + before + after - (kernel[d]! - 1) * dilation[d]! - 1) / stride[d]!) + 1
    }),
  ]
  const g: HostTensor = {
    dtype: one.dtype,
    shape,
    data: Array.from({ length: shape.reduce((a, b) => a * b, 1) }, (_, i) => ((i * 31) % 17) - 8),
  }
  const graph = buildGraph([typeIn(x), typeIn(g)], [], (b, [image, cotangent]) => {
    const pool = b.node('maxPool', [image!], attrs)
    const [values, places] = [0, 1].map(index => b.node('item', [pool], { index })) as [GraphNode, GraphNode]
    expect(shapeOf(values)).toEqual(shape)
    expect(dtypeOf(places)).toBe(kernel[0] === 260 ? 'i32' : 'u8')
    const indices = elementsAt(b, places, attrs, sizes)
    if (!isFloat) return [values, indices]
    const [gradient] = vjp(b, { outputs: [values], cotangents: [cotangent!], inputs: [image!] })
    return [values, indices, gradient!]
  })
  const expected = expectedOf(one, x, g).slice(0, isFloat ? 3 : 2)
  for (const on of [target, gpu])
    for (const options of on === gpu ? [{}, small(on)] : [{}]) {
      const results = runPlan(planOf(graph, true, options, on), [x, g])
      for (const [i, { data }] of results.entries())
        expect(data.map(Number), `result ${i}, ${on.name}`).toEqual(expected[i])
    }
})
