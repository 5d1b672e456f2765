import { describe, expect, it } from 'vitest'
import { interpretGraph } from '../../src/graph/interpret.js'
import type { Graph, GraphNode } from '../../src/graph/ir.js'
import { nodesOf } from '../../src/ir/walk.js'
import { sizeSymbol } from '../../src/scalar/size.js'
import { launchesAmong, type Plan } from '../../src/schedule/plan/plan.js'
import { printPlan } from '../../src/schedule/plan/print.js'
import { type TileNode, tileType } from '../../src/tile/ir.js'
import { difference } from '../support/compare.js'
import { randomSpec } from '../support/tensor-spec.js'
import { type Apply, graphOn } from './build.js'
import { launches, planOf, runPlan } from './run.js'

const kernels = (graph: Graph): string[] => launches(planOf(graph, true))

interface Case {
  readonly what: string
  readonly inputs: readonly (readonly number[])[]
  readonly build: (op: Apply, ...inputs: GraphNode[]) => readonly GraphNode[]
  readonly kernels: readonly string[]
}

const squares = (op: Apply, x: GraphNode, keepdim: boolean): GraphNode => op('sum', op('mul', x, x), 1, { keepdim })

const cases: readonly Case[] = [
  {
    what: 'a pointwise chain is one kernel',
    inputs: [[64, 1000], [1000]],
    build: (op, x, b) => [op('mul', op('relu', op('add', x!, b!)), 2)],
    kernels: ['add_relu_mul'],
  },
  {
    what: 'softmax over rows is one kernel',
    inputs: [[64, 100]],
    build: (op, x) => [op('softmax', x!, -1)],
    kernels: ['softmax_rows'],
  },
  {
    what: 'softmax over columns is one kernel',
    inputs: [[64, 100]],
    build: (op, x) => [op('softmax', x!, 0)],
    kernels: ['softmax_columns'],
  },
  {
    what: 'softmax with work before and after it is one kernel',
    inputs: [[64, 100], [100]],
    build: (op, x, b) => [op('mul', op('softmax', op('add', x!, b!), -1), 3)],
    kernels: ['add_softmax_mul_rows'],
  },
  {
    what: 'layer norm with scale and shift is one kernel',
    inputs: [[64, 100], [100], [100]],
    build: (op, x, weight, bias) => [op('layerNorm', x!, [100], { weight, bias })],
    kernels: ['layer_norm_rows'],
  },
  {
    what: 'variance is one kernel',
    inputs: [[64, 100]],
    build: (op, x) => [op('var', x!, -1)],
    kernels: ['var_rows'],
  },
  {
    what: 'several reductions of one tensor are one kernel',
    inputs: [[64, 100]],
    build: (op, x) => [op('mean', x!, -1), op('var', x!, -1), op('amax', x!, -1)],
    kernels: ['mean_var_amax_rows'],
  },
  {
    what: 'outputs that share a dear value are one kernel',
    inputs: [[32, 64]],
    build: (op, x) => {
      const shared = op('tanh', x!)
      return [op('relu', shared), op('exp', shared), op('sum', shared, -1)]
    },
    kernels: ['tanh_relu_exp_sum_rows'],
  },
  {
    what: 'a layer is a matmul with its epilogue',
    inputs: [[32, 64], [128, 64], [128]],
    build: (op, x, w, bias) => [op('gelu', op('linear', x!, w!, { bias }))],
    kernels: ['linear_gelu'],
  },
  {
    what: 'a gated layer is one kernel with two products',
    inputs: [
      [32, 64],
      [128, 64],
      [64, 128],
    ],
    build: (op, x, gate, up) => [op('mul', op('silu', op('linear', x!, gate!)), op('matmul', x!, up!))],
    kernels: ['matmul_linear_silu_mul'],
  },
  {
    what: 'products with one right operand share a loop as well, and each may be a result',
    inputs: [
      [32, 64],
      [32, 64],
      [64, 48],
    ],
    build: (op, w, v, x) => {
      const gate = op('matmul', w!, x!)
      return [gate, op('mul', op('sigmoid', gate), op('matmul', v!, x!))]
    },
    kernels: ['matmul_sigmoid_mul'],
  },
  {
    what: 'products of different matrices are kernels of their own',
    inputs: [
      [32, 64],
      [32, 64],
      [64, 48],
      [64, 48],
    ],
    build: (op, x, y, w, v) => [op('mul', op('silu', op('matmul', x!, w!)), op('matmul', y!, v!))],
    kernels: ['matmul', 'matmul_silu_mul'],
  },
  {
    what: 'what a product is multiplied with elsewhere is not its sibling',
    inputs: [
      [32, 32],
      [32, 32],
      [32, 32],
    ],
    build: (op, x, w, v) => [op('mul', op('t', op('matmul', x!, w!)), op('matmul', x!, v!))],
    kernels: ['matmul', 'matmul_mul'],
  },
  {
    what: 'a product that makes another one an operand is a kernel before it',
    inputs: [
      [32, 32],
      [32, 32],
    ],
    build: (op, x, w) => {
      const first = op('matmul', x!, w!)
      return [op('add', first, op('matmul', x!, op('relu', first)))]
    },
    kernels: ['matmul_relu', 'matmul_add'],
  },
  {
    what: 'a layer on a batch of sequences is one matmul too',
    inputs: [[2, 32, 64], [64, 64], [64]],
    build: (op, x, w, bias) => [op('gelu', op('linear', x!, w!, { bias }))],
    kernels: ['linear_gelu'],
  },
  {
    what: 'an MLP with softmax',
    inputs: [[32, 64], [128, 64], [128], [10, 128], [10]],
    build: (op, x, w, bias, w2, bias2) => {
      const hidden = op('relu', op('linear', x!, w!, { bias }))
      return [op('softmax', op('linear', hidden, w2!, { bias: bias2 }), -1)]
    },
    kernels: ['linear_relu', 'linear', 'linear_softmax_rows'],
  },
  {
    what: 'attention with dropout and its log-sum-exp is one kernel: no draw is stored',
    inputs: [
      [2, 64, 32],
      [2, 64, 32],
      [2, 64, 32],
    ],
    build: (op, q, k, v) => [op('attentionLse', 7n, 0n, q!, k!, v!, null, 0.1)],
    kernels: ['attention_lse'],
  },
  {
    what: 'attention written out is two matmuls around a softmax',
    inputs: [
      [2, 4, 32, 16],
      [2, 4, 32, 16],
      [2, 4, 32, 16],
    ],
    build: (op, q, k, v) => {
      const scores = op('div', op('matmul', q!, op('transpose', k!, -1, -2)), 4)
      return [op('matmul', op('softmax', scores, -1), v!)]
    },
    kernels: ['matmul', 'mul_softmax_rows', 'matmul_2'],
  },
  {
    what: 'distances |a|² + |b|² − 2ab are the epilogue of the matmul',
    inputs: [
      [600, 64],
      [1200, 64],
    ],
    build: (op, a, b) => {
      const norms = op('add', squares(op, a!, true), squares(op, b!, false))
      const distances = op('sub', norms, op('mul', op('matmul', a!, op('t', b!)), 2))
      return [op('topk', distances, 5, { dim: 1, largest: false })]
    },
    kernels: ['mul_sum_rows', 'mul_sum_rows_2', 'matmul_mul_add_sub', 'topk'],
  },
  {
    what: 'a residual block: the sum and the norm after the matmul are one kernel',
    inputs: [[32, 64], [64, 64], [64]],
    build: (op, x, w, bias) => [op('layerNorm', op('add', x!, op('linear', x!, w!, { bias })), [64])],
    kernels: ['linear', 'linear_add_layer_norm_rows'],
  },
  {
    what: 'parts of a concatenation are written in place',
    inputs: [
      [4, 8],
      [4, 8],
    ],
    build: (op, a, b) => [op('cat', [op('relu', a!), op('add', a!, b!), b!], 1)],
    kernels: ['add_relu'],
  },
  {
    what: 'a gather is an indexed load of the kernel around it',
    inputs: [[50, 8]],
    build: (op, x) => [op('exp', op('embedding', op('to', op('amax', op('mul', x!, 3), -1), 'i64'), op('neg', x!)))],
    kernels: ['mul_amax_neg_rows', 'embedding_exp'],
  },
  {
    what: 'a long vector of sums is a matmul, a short one a fused multiply and sum',
    inputs: [
      [1, 512],
      [1000, 512],
      [100, 512],
    ],
    build: (op, x, w, short) => [op('relu', op('linear', x!, w!)), op('relu', op('linear', x!, short!))],
    kernels: ['linear_relu', 'linear_relu_rows'],
  },
  {
    what: 'a large sum is done in parts',
    inputs: [[1000, 1000]],
    build: (op, x) => [op('sqrt', op('sum', op('mul', x!, x!)))],
    kernels: ['mul_sum_sqrt_partial', 'mul_sum_sqrt_final'],
  },
  {
    what: 'a view needs no kernel',
    inputs: [[8, 6]],
    build: (op, x) => [op('transpose', op('narrow', x!, 0, 2, 3), 0, 1)],
    kernels: [],
  },
]

describe('fusion', () => {
  for (const { what, inputs, build, kernels: expected } of cases) {
    it(what, () => expect(kernels(graphOn(inputs, build))).toEqual(expected))
  }

  it('streams the matrix of a thin dot: a few long runs of its rows at a time', () => {
    const productShape = (k: number): readonly number[] => {
      const { kernels } = planOf(
        graphOn(
          [
            [1, k],
            [k, 4096],
          ],
          (op, x, w) => [op('matmul', x!, w!)],
        ),
      )
      const dot = kernels.flatMap(({ body }) => [...nodesOf<TileNode>(body)]).find(node => node.op === 'dot')
      return dot === undefined ? [] : tileType(dot.inputs[1]!).shape
    }
    expect(productShape(512)).toEqual([4, 2048])
    // No short depth divides 509: the ordinary tiles.
    expect(productShape(509)[0]).toBe(509)
  })

  it('collapses the loops of a contiguous kernel into one, whatever its rank', () => {
    const plan = planOf(graphOn([[4, 5, 6, 7]], (op, x) => [op('neg', x)]))
    expect(launchesAmong(plan.steps)[0]!.args.map(arg => arg.kind === 'view' && arg.shape)).toEqual([[840], [840]])
  })

  it('absorbs views of its inputs: a transposed and flipped read is strides', () => {
    const plan = planOf(graphOn([[4, 6]], (op, x) => [op('neg', op('flip', op('transpose', x, 0, 1), 0))]))
    expect(printPlan(plan)).toMatchInlineSnapshot(`
      "b0 = input 0: f32
      b1 = output: f32 × 24
      launch flip_neg[1](b0+5[6:-1, 4:6], b1[6:4, 4:1])  # flip, neg; 192 bytes, 24 flops
      return f32 b1[6:4, 4:1]
      "
    `)
  })

  it('returns outputs that are views of one buffer as views', () => {
    const plan = planOf(
      graphOn([[4, 6]], (op, x) => {
        const y = op('exp', x)
        return [y, op('transpose', y, 0, 1), op('reshape', y, [24])]
      }),
    )
    expect(launches(plan)).toEqual(['exp'])
    expect(plan.outputs.map(({ buffer, strides }) => [buffer, strides])).toEqual([
      [1, [6, 1]],
      [1, [1, 6]],
      [1, [1]],
    ])
  })

  it('stores what is cast to more bits before the cast, whoever reads it', () => {
    const stored = (build: (op: Apply, ...inputs: GraphNode[]) => readonly GraphNode[]): readonly string[] =>
      planOf(graphOn([[64, 64]], build)).buffers.flatMap(buffer =>
        buffer.kind === 'temp' && buffer.elements === 64 * 64 ? [buffer.dtype] : [],
      )
    const half = (op: Apply, x: GraphNode): GraphNode => op('to', op('to', x, 'bf16'), 'f32')
    // By one product, by two, by a product and a sum of columns.
    expect(stored((op, x) => [op('matmul', half(op, op('matmul', x!, x!)), x!)])).toEqual(['bf16'])
    expect(
      stored((op, x) => {
        const y = half(op, op('matmul', x!, x!))
        return [op('matmul', y, x!), op('matmul', x!, y)]
      }),
    ).toEqual(['bf16'])
    expect(
      stored((op, x) => {
        const y = half(op, op('matmul', x!, x!))
        return [op('matmul', y, x!), op('sum', y, 0)]
      }),
    ).toEqual(['bf16'])
    expect(stored((op, x) => [op('matrixPower', op('to', x!, 'f16'), 3)])).toEqual(['f16'])
  })

  it('computes a variance over everything by rows that fit a program, else in two split steps', () => {
    const variance = (shape: readonly number[]): string[] => kernels(graphOn([shape], (op, x) => [op('var', x)]))
    expect(variance([512, 512])).toEqual(['var_rows', 'var_mul'])
    expect(variance([2048, 129])).toEqual(['var_partial', 'var_final', 'var_partial_2', 'var_final_2'])
  })

  it('pads at the read of the padded tensor, as one masked read', () => {
    const padded = (op: Apply, x: GraphNode, value = 0): GraphNode => op('pad', x, [1, 2, 3, 0], { value })
    const one = (build: (op: Apply, x: GraphNode) => GraphNode): string[] =>
      kernels(graphOn([[5, 6, 7]], (op, x) => [build(op, x!)]))
    expect(one(padded)).toEqual(['pad'])
    expect(one((op, x) => op('relu', padded(op, op('exp', x), 2)))).toEqual(['exp_pad_relu'])
    expect(one((op, x) => op('sum', padded(op, x), -1))).toEqual(['pad_sum_rows'])
    expect(one((op, x) => op('add', padded(op, x), padded(op, op('neg', x), 3)))).toEqual(['neg_pad_add'])
    // A pad of a pad by another value reads what is not there, in the middle: it has memory between.
    expect(one((op, x) => padded(op, padded(op, x), 1))).toEqual(['pad', 'pad_2'])
  })

  it('reduces everything under a pad: the loops of a reduction are not those of the padded dim', () => {
    const shape = [5, 7]
    const graph = graphOn([shape, shape], (op, x, y) => {
      const sum = op('reshape', op('sum', op('mul', x!, y!)), [1])
      return [op('mul', op('pad', sum, [2, 4]), y!)]
    })
    expect(kernels(graph).length).toBe(1)
    const specs = [1, 2].map(seed => randomSpec(seed, 'f32', shape))
    const [[result], [expected]] = [runPlan(planOf(graph), specs), interpretGraph(graph, specs)]
    expect(difference(result!, expected!, { relative: 1e-5, absolute: 0, anyZero: true })).toBeNull()
  })

  it('multiplies windows without materialising them, whatever their stride and padding', () => {
    const conv = (options: object, weight: readonly number[] = [8, 4, 3, 3]): string[] =>
      kernels(
        graphOn([[2, 4, 9, 10], weight, [8]], (op, x, w, bias) => [
          op('relu', op('conv2d', x, w, { bias, ...options })),
        ]),
      )
    expect(conv({})).toEqual(['conv2d_relu'])
    expect(conv({ padding: 1 })).toEqual(['conv2d', 'conv2d_relu'])
    expect(conv({ padding: 1, stride: 2, dilation: 2 })).toEqual(['conv2d', 'conv2d_relu'])
    expect(conv({ groups: 2 }, [8, 2, 3, 3])).toEqual(['conv2d_relu'])
  })

  it('never makes a cycle of kernels', () => {
    // The quotient needs the sum of everything, so it cannot stand in a kernel with what the sum is taken of.
    const graph = graphOn([[512, 512]], (op, x) => {
      const y = op('tanh', x)
      return [op('div', y, op('sum', y))]
    })
    expect(kernels(graph)).toEqual(['tanh', 'sum_partial', 'sum_final', 'div'])
  })

  it('works on run-time sizes', () => {
    const [m, n] = [sizeSymbol('m', 2), sizeSymbol('n', 2)]
    const symbols = [
      { name: 'm', input: 0, kind: 'size' as const, dim: 0 },
      { name: 'n', input: 0, kind: 'size' as const, dim: 1 },
    ]
    const graph = graphOn([{ dtype: 'f32', shape: [m, n] }], (op, x) => [op('softmax', op('mul', x, 2), -1)], symbols)
    expect(printPlan(planOf(graph, true))).toMatchInlineSnapshot(`
      "symbol m = size 0 of input 0
      symbol n = size 1 of input 0
      b0 = input 0: f32
      b1 = output: f32 × m*n
      launch mul_softmax_rows[m](b0[m:n, n:1], b1[m:n, n:1])  # mul, softmax; 8*m*n bytes, 22*m*n flops
      return f32 b1[m:n, n:1]
      "
    `)
  })
})

/** Bytes of memory for f32 temporaries. */
const endOfTemps = ({ buffers }: Plan): number =>
  Math.max(...buffers.map(buffer => (buffer.kind === 'temp' ? buffer.at + 4 * Number(buffer.elements) : 0)))

describe('memory', () => {
  it('reuses the memory of dead temporaries', () => {
    const plan = planOf(
      graphOn(
        [
          [64, 64],
          [64, 64],
        ],
        (op, x, w) => {
          let y = x
          for (let i = 0; i < 5; i++) y = op('matmul', y, w)
          return [y]
        },
      ),
    )
    expect(plan.steps.length).toBe(5)
    expect(endOfTemps(plan)).toBe(2 * 64 * 64 * 4)
  })

  it('stores nothing of the size of a tensor less its mean that two kernels need', () => {
    const sizes = [
      [64, 100],
      [64, 100],
    ]
    const graph = graphOn(sizes, (op, x, g) => {
      const scaled = op(
        'mul',
        op('sub', x, op('mean', x, -1, { keepdim: true })),
        op('rsqrt', op('var', x, -1, { keepdim: true })),
      )
      const product = op('mul', scaled, g)
      return [op('sum', product, 0), op('sub', g, op('mul', scaled, op('mean', product, -1, { keepdim: true })))]
    })
    const { buffers } = planOf(graph)
    expect(buffers.flatMap(buffer => (buffer.kind === 'temp' ? [buffer.elements] : []))).toEqual([64, 64])
  })

  it('writes a temporary over a dead input of equal layout', () => {
    const plan = planOf(
      graphOn([[64, 64]], (op, x) => {
        return [op('cumsum', op('exp', op('cumsum', x, 1)), 1)]
      }),
    )
    expect(launches(plan)).toEqual(['cumsum', 'exp', 'cumsum'])
    expect(plan.buffers.filter(buffer => buffer.kind === 'temp').length).toBe(2)
    expect(endOfTemps(plan)).toBe(64 * 64 * 4)
  })

  it('never shares memory of outputs', () => {
    const plan = planOf(graphOn([[8, 8]], (op, x) => [op('matmul', x, x), op('matmul', op('neg', x), x)]))
    const outputs = plan.outputs.map(({ buffer }) => buffer)
    expect(new Set(outputs).size).toBe(2)
    for (const buffer of outputs) expect(plan.buffers[buffer]!.kind).toBe('output')
  })
})
