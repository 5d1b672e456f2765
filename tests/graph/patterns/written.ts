/** Functions as people write them out, with what each must become, and ones that look alike but must stay. */
import { type GraphNode, typeOf } from '../../../src/graph/ir.js'
import type { Size } from '../../../src/scalar/size.js'
import type { Apply } from '../../schedule/build.js'

export type Write = (op: Apply, ...inputs: readonly GraphNode[]) => GraphNode

export interface Written {
  /** The rule that must fire. */
  readonly rule: string
  /** How it is written. */
  readonly name: string
  /** Inputs' shapes; [6, 40] alone when absent. */
  readonly shapes?: readonly (readonly number[])[]
  readonly write: Write
  /** The built-in that must give the same graph. */
  readonly same?: Write
  /** Range of the random values. */
  readonly range?: readonly [low: number, high: number]
  /** It names the sizes of its inputs. */
  readonly fixed?: true
  /** dtypes for which the rule holds; f32, f64, f16, bf16 when absent. */
  readonly dtypes?: readonly ('f32' | 'f64' | 'f16' | 'bf16')[]
}

export const keep = { keepdim: true }
const root2 = Math.SQRT2
const rootTwoOverPi = Math.sqrt(2 / Math.PI)

const cube = (op: Apply, x: GraphNode): GraphNode => op('mul', op('mul', x, x), x)
const exps = (op: Apply, x: GraphNode): GraphNode => op('exp', op('sub', x, op('amax', x, -1, keep)))
const gelu: Write = (op, x) => op('gelu', x)
const geluTanh: Write = (op, x) => op('gelu', x, { approximate: 'tanh' })
const silu: Write = (op, x) => op('silu', x)
const sigmoid: Write = (op, x) => op('sigmoid', x)
const softmax: Write = (op, x) => op('softmax', x, -1)
const logSoftmax: Write = (op, x) => op('logSoftmax', x, -1)
const logsumexp: Write = (op, x) => op('logsumexp', x, -1)
const last = (x: GraphNode): Size => typeOf(x).shape.at(-1)!
const layerNorm: Write = (op, x) => op('layerNorm', x, [last(x)])
const rmsNorm: Write = (op, x) => op('rmsNorm', x, [last(x)], { eps: 1e-6 })
const centred = (op: Apply, x: GraphNode): GraphNode => op('sub', x, op('mean', x, -1, keep))
const eps = 1e-5
const scores = (op: Apply, q: GraphNode, k: GraphNode): GraphNode => op('matmul', q, op('transpose', k, -2, -1))
const heads: readonly (readonly number[])[] = [
  [2, 3, 6, 8],
  [2, 3, 7, 8],
  [2, 3, 7, 8],
]

const gates: readonly (readonly number[])[] = [
  [5, 8],
  [8, 6],
  [8, 6],
]

/** √(2/π)·(x + 0.044715·x³) */
const inner = (op: Apply, x: GraphNode, third = op('pow', x, 3)): GraphNode =>
  op('mul', op('add', x, op('mul', third, 0.044715)), rootTwoOverPi)
const gated = (op: Apply, x: GraphNode, y: GraphNode): GraphNode => op('mul', op('mul', x, 0.5), op('add', y, 1))

export const written: readonly Written[] = [
  // sigmoid
  {
    rule: 'sigmoid',
    name: '1 / (1 + exp(-x))',
    fixed: true,
    same: sigmoid,
    write: (op, x) => op('div', op('full', [6, 40], 1), op('add', op('exp', op('neg', x)), 1)),
    dtypes: ['f32'],
  },
  {
    rule: 'sigmoid',
    name: '(1 + exp(-x)).reciprocal()',
    same: sigmoid,
    write: (op, x) => op('reciprocal', op('add', op('exp', op('neg', x)), 1)),
  },
  {
    rule: 'sigmoid',
    name: '(1 + exp(x · -1)) ** -1',
    same: sigmoid,
    write: (op, x) => op('pow', op('add', op('exp', op('mul', x, -1)), 1), -1),
  },
  {
    rule: 'sigmoid',
    name: 'exp(x) / (1 + exp(x))',
    same: sigmoid,
    write: (op, x) => op('div', op('exp', x), op('add', op('exp', x), 1)),
  },
  // silu
  { rule: 'silu', name: 'x · sigmoid(x)', same: silu, write: (op, x) => op('mul', x, op('sigmoid', x)) },
  { rule: 'silu', name: 'sigmoid(x) · x', same: silu, write: (op, x) => op('mul', op('sigmoid', x), x) },
  {
    rule: 'silu',
    name: 'x / (1 + exp(-x))',
    same: silu,
    write: (op, x) => op('div', x, op('add', op('exp', op('neg', x)), 1)),
  },
  {
    rule: 'silu',
    name: 'x · (1 / (1 + exp(-x)))',
    same: silu,
    write: (op, x) => op('mul', x, op('reciprocal', op('add', op('exp', op('neg', x)), 1))),
  },
  // gelu
  {
    rule: 'gelu',
    name: '0.5·x·(1 + erf(x / √2))',
    same: gelu,
    write: (op, x) => gated(op, x, op('erf', op('div', x, root2))),
  },
  {
    rule: 'gelu',
    name: '(x·(erf(x·√½) + 1))·0.5',
    same: gelu,
    write: (op, x) => op('mul', op('mul', x, op('add', op('erf', op('mul', x, Math.SQRT1_2)), 1)), 0.5),
  },
  {
    rule: 'gelu',
    name: 'x·((1 + erf(x / √2)) / 2)',
    same: gelu,
    write: (op, x) => op('mul', x, op('div', op('add', op('erf', op('div', x, root2)), 1), 2)),
  },
  {
    rule: 'gelu',
    name: 'x·(0.5 + 0.5·erf(x / √2))',
    same: gelu,
    write: (op, x) => op('mul', x, op('add', op('mul', op('erf', op('div', x, root2)), 0.5), 0.5)),
  },
  {
    rule: 'gelu',
    name: 'of a product',
    same: (op, x) => op('gelu', op('mul', x, x)),
    write: (op, x) => {
      const y = op('mul', x, x)
      return gated(op, y, op('erf', op('div', y, root2)))
    },
  },
  {
    rule: 'gelu',
    name: 'of a doubled value',
    same: (op, x) => op('gelu', op('mul', x, 3)),
    write: (op, x) => {
      const y = op('mul', x, 3)
      return gated(op, y, op('erf', op('div', y, root2)))
    },
  },
  { rule: 'gelu (tanh)', name: 'with pow', same: geluTanh, write: (op, x) => gated(op, x, op('tanh', inner(op, x))) },
  {
    rule: 'gelu (tanh)',
    name: 'with x·x·x',
    same: geluTanh,
    write: (op, x) => gated(op, x, op('tanh', inner(op, x, cube(op, x)))),
  },
  {
    rule: 'gelu (tanh)',
    name: 'with x·(1 + 0.044715·x²)',
    same: geluTanh,
    write: (op, x) =>
      gated(
        op,
        x,
        op('tanh', op('mul', op('mul', x, rootTwoOverPi), op('add', op('mul', op('mul', x, 0.044715), x), 1))),
      ),
  },
  {
    rule: 'gelu (tanh)',
    name: 'with constants to ten digits',
    same: geluTanh,
    dtypes: ['f32', 'f16', 'bf16'],
    write: (op, x) =>
      gated(op, x, op('tanh', op('mul', op('add', x, op('mul', op('pow', x, 3), 0.044715)), 0.7978845608))),
  },
  // other activations
  {
    rule: 'logSigmoid',
    name: 'log(sigmoid(x))',
    same: (op, x) => op('logSigmoid', x),
    write: (op, x) => op('log', op('sigmoid', x)),
    range: [-30, 30],
  },
  {
    rule: 'softplus',
    name: 'log(1 + exp(x))',
    same: (op, x) => op('softplus', x),
    write: (op, x) => op('log', op('add', op('exp', x), 1)),
    dtypes: ['f32', 'f16', 'bf16'],
  },
  {
    rule: 'softplus',
    name: 'log1p(exp(x))',
    same: (op, x) => op('softplus', x),
    write: (op, x) => op('log1p', op('exp', x)),
    dtypes: ['f32', 'f16', 'bf16'],
    range: [-30, 30],
  },
  {
    rule: 'log1p',
    name: 'log(1 + x)',
    same: (op, x) => op('log1p', x),
    write: (op, x) => op('log', op('add', x, 1)),
    range: [-0.9, 3],
  },
  { rule: 'expm1', name: 'exp(x) - 1', same: (op, x) => op('expm1', x), write: (op, x) => op('sub', op('exp', x), 1) },
  { rule: 'cube', name: 'x ** 3', same: cube, write: (op, x) => op('pow', x, 3), dtypes: ['f32', 'f64'] },
  { rule: 'reciprocal', name: 'x ** -1', same: (op, x) => op('reciprocal', x), write: (op, x) => op('pow', x, -1) },
  {
    rule: 'rsqrt',
    name: '1 / sqrt(x)',
    same: (op, x) => op('rsqrt', x),
    write: (op, x) => op('reciprocal', op('sqrt', x)),
    range: [0.1, 9],
  },
  // softmax
  {
    rule: 'softmax',
    name: 'exp(x - max) / sum',
    same: softmax,
    write: (op, x) => op('div', exps(op, x), op('sum', exps(op, x), -1, keep)),
  },
  {
    rule: 'softmax',
    name: 'sum and maximum with unsqueeze',
    same: softmax,
    write: (op, x) => {
      const e = op('exp', op('sub', x, op('unsqueeze', op('amax', x, -1), -1)))
      return op('div', e, op('unsqueeze', op('sum', e, -1), 1))
    },
  },
  {
    rule: 'softmax',
    name: 'times the inverse sum',
    same: softmax,
    write: (op, x) => {
      const e = exps(op, x)
      return op('mul', e, op('reciprocal', op('sum', e, -1, keep)))
    },
  },
  {
    rule: 'softmax (without maximum)',
    name: 'exp(x) / sum',
    same: softmax,
    write: (op, x) => {
      const e = op('exp', x)
      return op('div', e, op('sum', e, -1, keep))
    },
  },
  {
    rule: 'softmax (without maximum)',
    name: 'over the first dim',
    same: (op, x) => op('softmax', x, 0),
    write: (op, x) => {
      const e = op('exp', x)
      return op('div', e, op('sum', e, 0))
    },
  },
  {
    rule: 'softmax (without maximum)',
    name: 'of scores, with a mask',
    shapes: [
      [2, 3, 6, 6],
      [6, 6],
    ],
    same: (op, x, m) => op('softmax', op('add', op('mul', x, 0.125), m!), -1),
    write: (op, x, m) => {
      const e = op('exp', op('add', op('mul', x, 0.125), m!))
      return op('div', e, op('sum', e, 3, keep))
    },
  },
  {
    rule: 'logSoftmax',
    name: 'x - max - log(sum)',
    same: logSoftmax,
    write: (op, x) => {
      const s = op('sub', x, op('amax', x, -1, keep))
      return op('sub', s, op('log', op('sum', op('exp', s), -1, keep)))
    },
  },
  { rule: 'logSoftmax', name: 'log(softmax(x))', same: logSoftmax, write: (op, x) => op('log', op('softmax', x, -1)) },
  {
    rule: 'logSoftmax',
    name: 'log(exp(x) / sum)',
    same: logSoftmax,
    write: (op, x) => {
      const e = op('exp', x)
      return op('log', op('div', e, op('sum', e, -1, keep)))
    },
  },
  {
    rule: 'logSoftmax',
    name: 'x - logsumexp(x)',
    same: logSoftmax,
    write: (op, x) => op('sub', x, op('logsumexp', x, -1, keep)),
  },
  {
    rule: 'logSoftmax',
    name: 'x - log(sum(exp(x)))',
    same: logSoftmax,
    write: (op, x) => op('sub', x, op('log', op('sum', op('exp', x), -1, keep))),
  },
  {
    rule: 'logsumexp',
    name: 'log(sum(exp(x)))',
    same: logsumexp,
    write: (op, x) => op('log', op('sum', op('exp', x), -1)),
  },
  {
    rule: 'logsumexp',
    name: 'of the first dim',
    same: (op, x) => op('logsumexp', x, 0, keep),
    write: (op, x) => op('log', op('sum', op('exp', x), 0, keep)),
  },
  {
    rule: 'logsumexp',
    name: 'max + log(sum(exp(x - max)))',
    same: logsumexp,
    write: (op, x) => op('add', op('log', op('sum', exps(op, x), -1)), op('amax', x, -1)),
  },
  // norms
  {
    rule: 'layerNorm',
    name: '(x - mean) · rsqrt(mean of squares + eps)',
    same: layerNorm,
    write: (op, x) => {
      const c = centred(op, x)
      return op('mul', c, op('rsqrt', op('add', op('mean', op('mul', c, c), -1, keep), eps)))
    },
  },
  {
    rule: 'layerNorm',
    name: '(x - mean) / sqrt(var + eps)',
    same: layerNorm,
    write: (op, x) =>
      op('div', centred(op, x), op('sqrt', op('add', op('var', x, -1, { keepdim: true, correction: 0 }), eps))),
  },
  {
    rule: 'layerNorm',
    name: 'with pow and unsqueeze',
    same: layerNorm,
    write: (op, x) => {
      const c = op('sub', x, op('unsqueeze', op('mean', x, 1), 1))
      return op('div', c, op('sqrt', op('add', op('unsqueeze', op('mean', op('pow', c, 2), 1), 1), eps)))
    },
  },
  {
    rule: 'layerNorm',
    name: '(var + eps) ** -0.5',
    same: layerNorm,
    write: (op, x) => {
      const c = centred(op, x)
      return op('mul', op('pow', op('add', op('mean', op('square', c), -1, keep), eps), -0.5), c)
    },
  },
  {
    rule: 'layerNorm',
    name: 'mean of squares less square of mean',
    same: layerNorm,
    write: (op, x) => {
      const m = op('mean', x, -1, keep)
      const v = op('sub', op('mean', op('mul', x, x), -1, keep), op('mul', m, m))
      return op('mul', op('sub', x, m), op('rsqrt', op('add', v, eps)))
    },
  },
  {
    rule: 'layerNorm',
    name: 'sum · (1/n)',
    fixed: true,
    same: layerNorm,
    write: (op, x) => {
      const m = op('mul', op('sum', x, -1, keep), 1 / 40)
      const c = op('sub', x, m)
      return op('div', c, op('sqrt', op('add', op('div', op('sum', op('mul', c, c), -1, keep), 40), eps)))
    },
  },
  {
    rule: 'layerNorm',
    name: 'over two dims',
    fixed: true,
    shapes: [[3, 4, 5]],
    same: (op, x) => op('layerNorm', x, [4, 5]),
    write: (op, x) => {
      const c = op('sub', x, op('mean', x, [1, 2], keep))
      return op('mul', c, op('rsqrt', op('add', op('mean', op('mul', c, c), [1, 2], keep), eps)))
    },
  },
  {
    rule: 'rmsNorm',
    name: 'x · rsqrt(mean of squares + eps)',
    same: rmsNorm,
    write: (op, x) => op('mul', x, op('rsqrt', op('add', op('mean', op('pow', x, 2), -1, keep), 1e-6))),
  },
  {
    rule: 'rmsNorm',
    name: 'x / sqrt(mean of squares + eps)',
    same: rmsNorm,
    write: (op, x) => op('div', x, op('sqrt', op('add', op('mean', op('mul', x, x), -1, keep), 1e-6))),
  },
  {
    rule: 'rmsNorm with weight',
    name: 'x · r · w',
    fixed: true,
    shapes: [[6, 40], [40]],
    same: (op, x, w) => op('rmsNorm', x, [40], { eps: 1e-6, weight: w }),
    write: (op, x, w) =>
      op('mul', op('mul', x, op('rsqrt', op('add', op('mean', op('mul', x, x), -1, keep), 1e-6))), w!),
  },
  {
    rule: 'mean',
    name: 'sum · (1/n)',
    fixed: true,
    same: (op, x) => op('mean', x, -1),
    write: (op, x) => op('mul', op('sum', x, -1), 1 / 40),
  },
  {
    rule: 'mean',
    name: 'sum / n',
    fixed: true,
    same: (op, x) => op('mean', x, 0, keep),
    write: (op, x) => op('div', op('sum', x, 0, keep), 6),
    dtypes: ['f16', 'bf16'],
  },
  {
    rule: 'rmsNorm with weight',
    name: 'weight · x · r',
    fixed: true,
    shapes: [[6, 40], [40]],
    same: (op, x, w) => op('rmsNorm', x, [40], { eps: 1e-6, weight: w }),
    write: (op, x, w) =>
      op('mul', w!, op('div', x, op('sqrt', op('add', op('mean', op('mul', x, x), -1, keep), 1e-6)))),
  },
  {
    rule: 'layerNorm with weight',
    name: '(x - mean)·(rsqrt(var + eps)·w)',
    fixed: true,
    shapes: [[6, 40], [40]],
    same: (op, x, weight) => op('layerNorm', x, [40], { weight }),
    write: (op, x, w) =>
      op(
        'mul',
        centred(op, x),
        op('mul', op('rsqrt', op('add', op('var', x, -1, { keepdim: true, correction: 0 }), eps)), w!),
      ),
  },
  {
    rule: 'layerNorm with bias',
    name: 'with weight and bias',
    fixed: true,
    shapes: [[2, 3, 40], [40], [40]],
    same: (op, x, weight, bias) => op('layerNorm', x, [40], { weight, bias }),
    write: (op, x, w, b) =>
      op(
        'add',
        op(
          'mul',
          op('div', centred(op, x), op('sqrt', op('add', op('var', x, -1, { keepdim: true, correction: 0 }), eps))),
          w!,
        ),
        b!,
      ),
  },
  {
    rule: 'layerNorm',
    name: 'over the channels of images',
    shapes: [[2, 8, 3, 3]],
    write: (op, x) => {
      const c = op('sub', x, op('mean', x, 1, keep))
      return op('div', c, op('sqrt', op('add', op('mean', op('pow', c, 2), 1, keep), eps)))
    },
  },
  {
    rule: 'rmsNorm with bias',
    name: 'x·r·w + b',
    shapes: [[6, 40], [40], [40]],
    write: (op, x, w, b) =>
      op('add', op('mul', op('div', x, op('sqrt', op('add', op('mean', op('mul', x, x), -1, keep), 1e-6))), w!), b!),
  },
  {
    rule: 'rmsNorm with bias',
    name: 'x·r + b',
    shapes: [[6, 40], [40]],
    write: (op, x, b) =>
      op('add', op('div', x, op('sqrt', op('add', op('mean', op('mul', x, x), -1, keep), 1e-6))), b!),
  },
  {
    rule: 'choice within the same choice',
    name: 'where(x > 20, x, log(1 + exp(x)))',
    dtypes: ['f32'],
    range: [-30, 30],
    same: (op, x) => op('softplus', x),
    write: (op, x) => op('where', op('gt', x, 20), x, op('log', op('add', op('exp', x), 1))),
  },
  // attention
  {
    rule: 'attention',
    name: 'softmax(q @ kᵀ / √d) @ v',
    fixed: true,
    shapes: heads,
    write: (op, q, k, v) => op('matmul', op('softmax', op('div', scores(op, q, k!), Math.sqrt(8)), -1), v!),
  },
  {
    rule: 'attention',
    name: 'without a scale, of matrices',
    fixed: true,
    shapes: [
      [6, 8],
      [7, 8],
      [7, 5],
    ],
    write: (op, q, k, v) => op('matmul', op('softmax', scores(op, q, k!), -1), v!),
  },
  {
    rule: 'attention',
    name: 'the query scaled, the softmax written out, heads inside',
    fixed: true,
    shapes: [
      [2, 6, 3, 8],
      [2, 7, 3, 8],
      [2, 7, 3, 8],
    ],
    write: (op, q, k, v) => {
      const [x, y, z] = [q, k!, v!].map(each => op('transpose', each, 1, 2)) as [GraphNode, GraphNode, GraphNode]
      const powers = exps(op, scores(op, op('mul', x, 0.3), y))
      const result = op('matmul', op('div', powers, op('sum', powers, -1, keep)), z)
      return op('reshape', op('transpose', result, 1, 2), [2, 6, 24])
    },
  },
  {
    rule: 'attention',
    name: 'heads cut from rows',
    fixed: true,
    shapes: [
      [2, 6, 24],
      [2, 7, 24],
      [2, 7, 24],
    ],
    write: (op, q, k, v) => {
      const [x, y, z] = [q, k!, v!].map(each => {
        const [batch, length] = typeOf(each).shape as readonly [Size, Size]
        return op('transpose', op('reshape', each, [batch, length, 3, 8]), 1, 2)
      }) as [GraphNode, GraphNode, GraphNode]
      const result = op('matmul', op('softmax', op('mul', scores(op, x, y), 0.35), -1), z)
      return op('reshape', op('transpose', result, 1, 2), [2, 6, 24])
    },
  },
  {
    rule: 'attention',
    name: 'with an added mask',
    fixed: true,
    shapes: [...heads, [6, 7]],
    write: (op, q, k, v, mask) =>
      op('matmul', op('softmax', op('add', op('mul', scores(op, q, k!), 0.125), mask!), -1), v!),
  },
  {
    rule: 'attention (keys hidden)',
    name: 'a mask filled with -∞',
    fixed: true,
    shapes: [...heads, [6, 7]],
    write: (op, q, k, v, mask) => {
      const hidden = op(
        'maskedFill',
        op('mul', scores(op, q, k!), 0.125),
        op('gt', mask!, 0.5),
        Number.NEGATIVE_INFINITY,
      )
      return op('matmul', op('softmax', hidden, -1), v!)
    },
  },
  {
    rule: 'attention (keys seen)',
    name: 'where(mask, scores, -∞)',
    fixed: true,
    shapes: [...heads, [6, 7]],
    write: (op, q, k, v, mask) => {
      const seen = op('where', op('gt', mask!, -0.5), scores(op, q, k!), Number.NEGATIVE_INFINITY)
      return op('matmul', op('softmax', seen, -1), v!)
    },
  },
  // linear
  {
    rule: 'one matrix for a batch',
    name: 'bmm with an expanded weight',
    fixed: true,
    shapes: [
      [3, 5, 8],
      [8, 4],
    ],
    same: (op, x, w) => op('matmul', x, w!),
    write: (op, x, w) => op('bmm', x, op('expand', w!, [3, 8, 4])),
  },
  {
    rule: 'one matrix for a batch',
    name: 'an expanded weight, transposed',
    fixed: true,
    shapes: [
      [3, 5, 8],
      [4, 8],
    ],
    same: (op, x, w) => op('matmul', x, op('t', w!)),
    write: (op, x, w) => op('matmul', x, op('transpose', op('expand', w!, [3, 4, 8]), 1, 2)),
  },
  {
    rule: 'transposed matmul',
    name: '(w·xᵀ)ᵀ',
    shapes: [
      [5, 8],
      [4, 8],
    ],
    same: (op, x, w) => op('matmul', x, op('t', w!)),
    write: (op, x, w) => op('t', op('matmul', w!, op('t', x))),
  },
  {
    rule: 'linear',
    name: 'x @ wᵀ + b in f16',
    shapes: [[5, 8], [4, 8], [4]],
    dtypes: ['f16', 'bf16'],
    same: (op, x, w, b) => op('linear', x, w!, { bias: b }),
    write: (op, x, w, b) => op('add', op('matmul', x, op('t', w!)), b!),
  },
  {
    rule: 'linear',
    name: 'of a 3-d input in f16',
    shapes: [[2, 5, 8], [4, 8], [4]],
    dtypes: ['f16', 'bf16'],
    same: (op, x, w, b) => op('linear', x, w!, { bias: b }),
    write: (op, x, w, b) => op('add', b!, op('matmul', x, op('t', w!))),
  },
  // gated layers
  {
    rule: 'dual matmul',
    name: 'silu(x @ w) · (x @ v)',
    shapes: gates,
    write: (op, x, w, v) => op('mul', op('silu', op('matmul', x, w!)), op('matmul', x, v!)),
  },
  {
    rule: 'dual matmul',
    name: 'the gate last, its silu written out',
    shapes: gates,
    range: [-1, 1],
    write: (op, x, w, v) => {
      const gate = op('matmul', x, w!)
      const sigmoid = op('reciprocal', op('add', op('exp', op('neg', gate)), 1))
      return op('mul', op('matmul', x, v!), op('mul', gate, sigmoid))
    },
  },
  {
    rule: 'dual matmul',
    name: 'gelu of a layer, times a layer, of sequences',
    shapes: [[2, 5, 8], [6, 8], [6, 8], [6], [6]],
    write: (op, x, w, v, b, c) =>
      op('mul', op('gelu', op('linear', x, w!, { bias: b! })), op('linear', x, v!, { bias: c! })),
  },
  {
    rule: 'dual matmul',
    name: 'gelu by tanh',
    shapes: gates,
    write: (op, x, w, v) => op('mul', op('gelu', op('matmul', x, w!), { approximate: 'tanh' }), op('matmul', x, v!)),
  },
  {
    rule: 'dual matmul',
    name: 'relu of one product of a batch, with scales',
    shapes: [[3, 5, 8], [3, 8, 6], [3, 8, 6], [6]],
    write: (op, x, w, v, s) =>
      op('mul', op('relu', op('mul', op('matmul', x, w!), s!)), op('mul', s!, op('matmul', x, v!))),
  },
  {
    rule: 'dual matmul (of columns)',
    name: 'silu(w @ x) · (v @ x)',
    shapes: [
      [6, 8],
      [8, 5],
      [6, 8],
    ],
    write: (op, w, x, v) => op('mul', op('silu', op('matmul', w, x!)), op('matmul', v!, x!)),
  },
  {
    rule: 'dual conv',
    name: 'silu(conv(x, w)) · conv(x, v)',
    shapes: [
      [2, 4, 6, 5],
      [6, 4, 3, 3],
      [6, 4, 3, 3],
    ],
    fixed: true,
    dtypes: ['f16', 'bf16'],
    write: (op, x, w, v) => {
      const windows = { padding: 1, stride: 2 }
      return op('mul', op('silu', op('conv2d', x, w!, windows)), op('conv2d', x, v!, windows))
    },
  },
  {
    rule: 'dual conv',
    name: 'the gate last, of lines, with biases',
    shapes: [[2, 4, 9], [6, 4, 3], [6, 4, 3], [6], [6]],
    fixed: true,
    dtypes: ['f16', 'bf16'],
    write: (op, x, w, v, b, c) => {
      const gate = op('conv1d', x, w!, { bias: b! })
      return op('mul', op('conv1d', x, v!, { bias: c! }), op('gelu', gate))
    },
  },
]
