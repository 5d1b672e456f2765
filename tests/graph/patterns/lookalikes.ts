/** Functions that a rule must leave alone: one constant, axis, use or sign away from what it recognises. */
import type { GraphNode } from '../../../src/graph/ir.js'
import type { Apply } from '../../schedule/build.js'
import { keep, type Write, type Written } from './written.js'

export interface Lookalike {
  /** The rules that must not fire. */
  readonly not: readonly string[]
  readonly name: string
  readonly shapes?: Written['shapes']
  readonly write: Write
}

const norms = ['layerNorm', 'layerNorm with weight', 'layerNorm with bias']
const rms = ['rmsNorm', 'rmsNorm with weight', 'rmsNorm with bias']
const allNorms = [...norms, ...rms]
const softmaxes = ['softmax', 'softmax (without maximum)', 'logSoftmax']
const gated = (op: Apply, x: GraphNode, y: GraphNode): GraphNode => op('mul', op('mul', x, 0.5), op('add', y, 1))
const centred = (op: Apply, x: GraphNode, dim = -1): GraphNode => op('sub', x, op('mean', x, dim, keep))
const scale = (op: Apply, c: GraphNode, dim: number, eps = 1e-5): GraphNode =>
  op('rsqrt', op('add', op('mean', op('mul', c, c), dim, keep), eps))

const attentions = ['attention', 'attention (keys seen)', 'attention (keys hidden)']
const scores = (op: Apply, q: GraphNode, k: GraphNode): GraphNode => op('matmul', q, op('transpose', k, -2, -1))
const duals = ['dual matmul', 'dual matmul (of columns)']
const gates: readonly (readonly number[])[] = [
  [5, 8],
  [8, 6],
  [8, 6],
]
const images: readonly (readonly number[])[] = [
  [2, 4, 9],
  [6, 4, 3],
  [6, 4, 3],
]
const heads: readonly (readonly number[])[] = [
  [2, 3, 6, 8],
  [2, 3, 6, 8],
  [2, 3, 6, 8],
]

export const lookalikes: readonly Lookalike[] = [
  {
    not: attentions,
    name: 'a softmax over the queries',
    shapes: heads,
    write: (op, q, k, v) => op('matmul', op('softmax', scores(op, q, k!), -2), v!),
  },
  {
    not: attentions,
    name: 'weights that are used elsewhere too',
    shapes: heads,
    write: (op, q, k, v) => {
      const weights = op('softmax', scores(op, q, k!), -1)
      return op('add', op('matmul', weights, v!), op('amax', weights, -1, keep))
    },
  },
  {
    not: attentions,
    name: 'a mask filled with a number',
    shapes: heads,
    write: (op, q, k, v) => {
      const all = scores(op, q, k!)
      return op('matmul', op('softmax', op('maskedFill', all, op('gt', all, 0), -1e4), -1), v!)
    },
  },
  {
    not: attentions,
    name: 'of wide heads',
    shapes: [
      [3, 5, 300],
      [3, 5, 300],
      [3, 5, 300],
    ],
    write: (op, q, k, v) => op('matmul', op('softmax', scores(op, q, k!), -1), v!),
  },
  {
    not: attentions,
    name: 'powers that no sum divides',
    shapes: heads,
    write: (op, q, k, v) => op('matmul', op('exp', scores(op, q, k!)), v!),
  },
  {
    not: ['sigmoid', 'silu'],
    name: '1 / (1 + exp(x))',
    write: (op, x) => op('reciprocal', op('add', op('exp', x), 1)),
  },
  {
    not: ['sigmoid'],
    name: '1 / (1 + exp(-2x))',
    write: (op, x) => op('reciprocal', op('add', op('exp', op('mul', x, -2)), 1)),
  },
  {
    not: ['sigmoid'],
    name: '2 / (1 + exp(-x))',
    write: (op, x) => op('mul', op('reciprocal', op('add', op('exp', op('neg', x)), 2)), 1),
  },
  {
    not: ['sigmoid'],
    name: 'exp(x) / (1 + exp(y))',
    shapes: [
      [6, 40],
      [6, 40],
    ],
    write: (op, x, y) => op('div', op('exp', x), op('add', op('exp', y!), 1)),
  },
  { not: ['silu'], name: 'x · sigmoid(1.702 x)', write: (op, x) => op('mul', x, op('sigmoid', op('mul', x, 1.702))) },
  {
    not: ['silu'],
    name: 'x · sigmoid(y)',
    shapes: [
      [6, 40],
      [6, 40],
    ],
    write: (op, x, y) => op('mul', x, op('sigmoid', y!)),
  },
  {
    not: ['silu'],
    name: 'x · sigmoid(x) of the transposed x',
    shapes: [[6, 6]],
    write: (op, x) => op('mul', x, op('sigmoid', op('t', x))),
  },
  { not: ['gelu'], name: 'erf(x) without √2', write: (op, x) => gated(op, x, op('erf', x)) },
  { not: ['gelu'], name: '0.75 for √½', write: (op, x) => gated(op, x, op('erf', op('mul', x, 0.75))) },
  {
    not: ['gelu'],
    name: '1 - erf',
    write: (op, x) => op('mul', op('mul', x, 0.5), op('sub', 1, op('erf', op('mul', x, Math.SQRT1_2)))),
  },
  {
    not: ['gelu'],
    name: 'erfc, which is more exact',
    write: (op, x) => op('mul', op('mul', x, 0.5), op('erfc', op('mul', x, -Math.SQRT1_2))),
  },
  {
    not: ['gelu'],
    name: 'gated by another tensor',
    shapes: [
      [6, 40],
      [6, 40],
    ],
    write: (op, x, y) => gated(op, x, op('erf', op('mul', y!, Math.SQRT1_2))),
  },
  {
    not: ['gelu (tanh)'],
    name: '0.0447',
    write: (op, x) =>
      gated(op, x, op('tanh', op('mul', op('add', x, op('mul', op('pow', x, 3), 0.0447)), Math.sqrt(2 / Math.PI)))),
  },
  {
    not: ['gelu (tanh)'],
    name: 'x² for x³',
    write: (op, x) =>
      gated(op, x, op('tanh', op('mul', op('add', x, op('mul', op('pow', x, 2), 0.044715)), Math.sqrt(2 / Math.PI)))),
  },
  { not: ['logSigmoid'], name: 'log2(sigmoid(x))', write: (op, x) => op('log2', op('sigmoid', x)) },
  { not: ['logSigmoid'], name: 'log(1 - sigmoid(x))', write: (op, x) => op('log', op('sub', 1, op('sigmoid', x))) },
  { not: ['softplus', 'log1p'], name: 'log(2 + exp(x))', write: (op, x) => op('log', op('add', op('exp', x), 2)) },
  { not: ['softplus'], name: 'log(1 + exp2(x))', write: (op, x) => op('log', op('add', op('exp2', x), 1)) },
  { not: ['softplus'], name: 'log1p(exp(-|x|)) as records build it', write: (op, x) => op('logSigmoid', x) },
  {
    not: ['choice within the same choice'],
    name: 'another condition',
    write: (op, x) => op('where', op('gt', x, 1), x, op('where', op('gt', x, 2), x, op('exp', x))),
  },
  { not: ['log1p'], name: 'log(x + 1.5)', write: (op, x) => op('log', op('add', x, 1.5)) },
  { not: ['expm1'], name: '1 - exp(x)', write: (op, x) => op('mul', op('sub', op('exp', x), 2), 1) },
  { not: ['expm1'], name: 'exp2(x) - 1', write: (op, x) => op('sub', op('exp2', x), 1) },
  {
    not: ['cube', 'reciprocal'],
    name: 'x ** 4, x ** 2.5, x ** -2',
    write: (op, x) => op('add', op('pow', x, 4), op('mul', op('pow', x, 2.5), op('pow', x, -2))),
  },
  {
    not: ['cube'],
    name: 'x ** y',
    shapes: [
      [6, 40],
      [6, 40],
    ],
    write: (op, x, y) => op('pow', x, y!),
  },
  { not: ['rsqrt'], name: '2 / sqrt(x)', write: (op, x) => op('div', op('full', [6, 40], 2), op('sqrt', x)) },
  // softmax
  {
    not: softmaxes,
    name: 'sum over another dim than the maximum is broadcast along',
    shapes: [[6, 6]],
    write: (op, x) => op('div', op('exp', x), op('sum', op('exp', op('mul', x, 2)), 0, keep)),
  },
  {
    not: softmaxes,
    name: 'the sum lies along the wrong axis',
    shapes: [[6, 6]],
    write: (op, x) => op('div', op('exp', x), op('sum', op('exp', x), -1)),
  },
  {
    not: softmaxes,
    name: 'exp(x) / sum(exp(y))',
    shapes: [
      [6, 40],
      [6, 40],
    ],
    write: (op, x, y) => op('div', op('exp', x), op('sum', op('exp', y!), -1, keep)),
  },
  {
    not: ['softmax (without maximum)'],
    name: 'the sum is used elsewhere too',
    write: (op, x) => {
      const e = op('exp', x)
      const s = op('sum', e, -1, keep)
      return op('mul', op('div', e, s), op('sqrt', s))
    },
  },
  {
    not: softmaxes,
    name: 'eps in the denominator',
    write: (op, x) => {
      const e = op('exp', x)
      return op('div', e, op('add', op('sum', e, -1, keep), 1e-6))
    },
  },
  {
    not: softmaxes,
    name: 'over two dims',
    shapes: [[3, 4, 5]],
    write: (op, x) => {
      const e = op('exp', x)
      return op('div', e, op('sum', e, [1, 2], keep))
    },
  },
  {
    not: ['logSoftmax', 'logsumexp'],
    name: 'x - log2(sum(exp(x)))',
    write: (op, x) => op('sub', x, op('log2', op('sum', op('exp', x), -1, keep))),
  },
  {
    not: ['logSoftmax'],
    name: 'log(sum(exp(x))) - x',
    write: (op, x) => op('sub', op('log', op('sum', op('exp', x), -1, keep)), x),
  },
  { not: ['logsumexp'], name: 'log(mean(exp(x)))', write: (op, x) => op('log', op('mean', op('exp', x), -1)) },
  {
    not: ['logsumexp', 'softmax (without maximum)'],
    name: 'log of the sum, and what is divided by it',
    write: (op, x) => {
      const e = op('exp', x)
      const s = op('sum', e, -1, keep)
      return op('add', op('div', e, s), op('log', s))
    },
  },
  // norms
  {
    not: allNorms,
    name: 'the trace of x² for the sum of squares',
    shapes: [[6, 6]],
    write: (op, x) => op('mul', x, op('rsqrt', op('add', op('mean', op('mul', x, op('t', x)), [0, 1], keep), 20))),
  },
  {
    not: allNorms,
    name: 'a variance in one pass that is used elsewhere too',
    write: (op, x) => {
      const m = op('mean', x, -1, keep)
      const v = op('sub', op('mean', op('mul', x, x), -1, keep), op('mul', m, m))
      return op('add', op('mul', op('sub', x, m), op('rsqrt', op('add', v, 1e-5))), op('sqrt', v))
    },
  },
  {
    not: allNorms,
    name: 'eps added after the root',
    write: (op, x) => {
      const c = centred(op, x)
      return op('div', c, op('add', op('std', x, -1, keep), 1e-5))
    },
  },
  {
    not: allNorms,
    name: 'the unbiased variance',
    write: (op, x) => op('div', centred(op, x), op('sqrt', op('add', op('var', x, -1, keep), 1e-5))),
  },
  {
    not: allNorms,
    name: 'no eps',
    write: (op, x) => {
      const c = centred(op, x)
      return op('div', c, op('sqrt', op('mean', op('mul', c, c), -1, keep)))
    },
  },
  {
    not: allNorms,
    name: 'mean and variance over different dims',
    shapes: [[6, 6]],
    write: (op, x) => {
      const c = centred(op, x, 0)
      return op('mul', c, scale(op, centred(op, x, 1), 1))
    },
  },
  {
    not: allNorms,
    name: 'the scale lies along the wrong axis',
    shapes: [[6, 6]],
    write: (op, x) => op('mul', x, op('t', scale(op, x, -1))),
  },
  {
    not: allNorms,
    name: 'the variance of another tensor',
    shapes: [
      [6, 40],
      [6, 40],
    ],
    write: (op, x, y) => op('mul', x, scale(op, y!, -1)),
  },
  {
    not: allNorms,
    name: 'products of pairs along the reduced axis',
    shapes: [[6, 6]],
    write: (op, x) => {
      const pairs = op('mul', op('unsqueeze', x, 2), op('unsqueeze', x, 1))
      return op('mul', x, op('rsqrt', op('add', op('mean', pairs, 1), 1e-5)))
    },
  },
  {
    not: ['layerNorm with weight', 'rmsNorm with weight'],
    name: 'a factor per row',
    shapes: [
      [6, 40],
      [6, 1],
    ],
    write: (op, x, w) => op('mul', op('layerNorm', x, [40]), w!),
  },
  {
    not: ['layerNorm with bias', 'rmsNorm with bias'],
    name: 'a residual',
    write: (op, x) => op('add', op('mul', x, scale(op, x, -1)), x),
  },
  { not: ['mean'], name: 'sum / (n - 1)', write: (op, x) => op('div', op('sum', x, -1), 39) },
  { not: ['mean'], name: 'largest / n', write: (op, x) => op('div', op('amax', x, -1), 40) },
  // linear
  {
    not: ['one matrix for a batch'],
    name: 'a matrix per batch',
    shapes: [
      [3, 5, 8],
      [3, 8, 4],
    ],
    write: (op, x, w) => op('matmul', x, w!),
  },
  {
    not: ['one matrix for a batch'],
    name: 'half of the batch dims shared',
    shapes: [
      [2, 3, 5, 8],
      [3, 8, 4],
    ],
    write: (op, x, w) => op('matmul', x, w!),
  },
  {
    not: ['transposed matmul'],
    name: 'a transposed matmul of straight matrices',
    shapes: [
      [5, 8],
      [8, 4],
    ],
    write: (op, x, w) => op('t', op('matmul', x, w!)),
  },
  {
    not: ['linear'],
    name: 'a residual, not a bias',
    shapes: [
      [5, 8],
      [8, 4],
      [5, 4],
    ],
    write: (op, x, w, r) => op('add', op('matmul', x, w!), r!),
  },
  {
    not: ['linear'],
    name: 'the product is used elsewhere too',
    shapes: [[5, 8], [8, 4], [4]],
    write: (op, x, w, b) => {
      const p = op('matmul', x, w!)
      return op('mul', op('add', p, b!), p)
    },
  },
  {
    not: duals,
    name: 'a gate of one matrix, times a product of another',
    shapes: [
      [5, 8],
      [8, 6],
      [5, 8],
      [8, 6],
    ],
    write: (op, x, w, y, v) => op('mul', op('silu', op('matmul', x, w!)), op('matmul', y!, v!)),
  },
  {
    not: duals,
    name: 'the same matrix, turned',
    shapes: [
      [8, 8],
      [8, 8],
      [8, 8],
    ],
    write: (op, x, w, v) => op('mul', op('silu', op('matmul', x, w!)), op('matmul', op('t', x), v!)),
  },
  {
    not: duals,
    name: 'a gate that is used elsewhere too',
    shapes: gates,
    write: (op, x, w, v) => {
      const gate = op('silu', op('matmul', x, w!))
      return op('add', op('mul', gate, op('matmul', x, v!)), op('amax', gate, -1, keep))
    },
  },
  {
    not: duals,
    name: 'a product that also makes the bias of the other',
    shapes: gates,
    write: (op, x, w, v) => {
      const first = op('matmul', x, w!)
      return op('mul', op('silu', first), op('add', op('matmul', x, v!), op('exp', first)))
    },
  },
  {
    not: duals,
    name: 'a gate that the products are added to',
    shapes: gates,
    write: (op, x, w, v) => op('add', op('silu', op('matmul', x, w!)), op('matmul', x, v!)),
  },
  {
    not: ['dual conv'],
    name: 'convolutions of other windows',
    shapes: images,
    write: (op, x, w, v) =>
      op(
        'mul',
        op('silu', op('conv1d', x, w!, { padding: 'same' })),
        op('conv1d', x, v!, { padding: 'same', dilation: 2 }),
      ),
  },
  {
    not: ['dual conv'],
    name: 'convolutions in groups',
    shapes: [
      [2, 8, 9],
      [6, 4, 3],
      [6, 4, 3],
    ],
    write: (op, x, w, v) =>
      op('mul', op('silu', op('conv1d', x, w!, { groups: 2 })), op('conv1d', x, v!, { groups: 2 })),
  },
  {
    not: ['dual conv'],
    name: 'convolutions of two images',
    shapes: images,
    write: (op, x, w, v) => op('mul', op('silu', op('conv1d', x, w!)), op('conv1d', op('neg', x), v!)),
  },
  {
    not: ['dual conv'],
    name: 'a convolution that is used elsewhere too',
    shapes: images,
    write: (op, x, w, v) => {
      const gate = op('conv1d', x, w!)
      return op('add', op('mul', op('silu', gate), op('conv1d', x, v!)), op('amax', gate, -1, keep))
    },
  },
]
