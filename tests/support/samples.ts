/**
 * Samples of every op: inputs with layouts and the arguments a user writes. One table drives the conformance of the
 * interpreter, of eager execution and of compiled code.
 */
import type { RecordName } from '../../src/graph/ops/index.js'
import { type Dtype, isFloat } from '../../src/types/dtype.js'
import { arg, type Fill, type Layout, randomSpec, spec, type TensorSpec, withLayout } from './tensor-spec.js'

export interface Sample {
  readonly name: string
  readonly inputs: readonly TensorSpec[]
  /** The user's arguments, the method's `this` first; TensorArgument(i) stands for inputs[i]. */
  readonly args: readonly unknown[]
}

// --- values --------------------------------------------------------------------------------------------------------------

const specials = [0, -0, 1, -1, 0.5, -0.5, 2.5, -2.5, 1.5, 0.1, -3, 100, -100, Number.NaN, 1 / 0, -1 / 0]
const extremes = [
  ...specials,
  1e-40,
  -1e-40,
  1.1754943508222875e-38,
  3.4028234663852886e38,
  -3.4028234663852886e38,
  88.7,
  -104,
]
const integerSpecials: Partial<Record<Dtype, readonly number[]>> = {
  i8: [0, 1, -1, 127, -128, 7, -7],
  u8: [0, 1, 2, 255, 128, 7],
  i16: [0, 1, -1, 32767, -32768, 7, -7],
  i32: [0, 1, -1, 2147483647, -2147483648, 7, -7],
  i64: [0, 1, -1, 2 ** 53, -(2 ** 53), 7, -7],
  bool: [0, 1],
}

const floats: readonly Dtype[] = ['f64', 'f16', 'bf16']
const integers: readonly Dtype[] = ['i64', 'i32', 'i16', 'i8', 'u8']

const sample = (name: string, inputs: readonly TensorSpec[], args: readonly unknown[]): Sample => ({
  name,
  inputs,
  args,
})

/** Unary samples with further arguments after self. */
interface UnaryKind {
  readonly takes: 'float' | 'number' | 'any' | 'integer' | 'bits'
  readonly fill?: Fill
  /** Which specials: all, those of moderate size (where intermediate results must not overflow), or none. */
  readonly special?: 'all' | 'moderate'
  readonly more?: readonly (readonly unknown[])[]
}

const takesDtype = (takes: UnaryKind['takes'], dtype: Dtype): boolean => {
  if (takes === 'integer') return integers.includes(dtype)
  if (takes === 'bits') return !isFloat(dtype)
  return takes !== 'number' || dtype !== 'bool'
}

function unarySamples({ takes, fill = {}, special = 'all', more = [[]] }: UnaryKind): Sample[] {
  const list: Sample[] = []
  const main: Dtype = takesDtype(takes, 'f32') ? 'f32' : 'i32'
  const shapes: readonly (readonly number[])[] = [[], [1], [0], [2, 0, 3], [17], [3, 5], [2, 3, 4], [131]]
  for (const [i, shape] of shapes.entries())
    list.push(sample(`${main}[${shape}]`, [randomSpec(i, main, shape, fill)], [arg(0), ...more[0]!]))
  const layouts: readonly Layout[] = ['transposed', 'strided', 'offset', 'reversed']
  for (const layout of layouts)
    list.push(
      sample(`${main} ${layout}`, [withLayout(randomSpec(9, main, [3, 4, 5], fill), layout)], [arg(0), ...more[0]!]),
    )
  for (const dtype of [...floats, ...integers, 'bool'] as const) {
    if (takesDtype(takes, dtype))
      list.push(sample(`${dtype}`, [randomSpec(11, dtype, [4, 9], fill)], [arg(0), ...more[0]!]))
    const edge = integerSpecials[dtype]
    if (edge !== undefined && takesDtype(takes, dtype))
      list.push(sample(`${dtype} edges`, [spec(dtype, [edge.length], edge)], [arg(0), ...more[0]!]))
  }
  const values = special === 'all' ? extremes : specials
  for (const dtype of ['f32', 'f64', 'f16', 'bf16'] as const) {
    if (!takesDtype(takes, dtype)) continue
    list.push(sample(`${dtype} specials`, [spec(dtype, [values.length], values)], [arg(0), ...more[0]!]))
  }
  for (const args of more.slice(1)) {
    list.push(sample(`${main} ${JSON.stringify(args)}`, [randomSpec(12, main, [4, 7], fill)], [arg(0), ...args]))
    if (main === 'f32')
      list.push(
        sample(`specials ${JSON.stringify(args)}`, [spec('f32', [specials.length], specials)], [arg(0), ...args]),
      )
  }
  return list
}

interface BinaryKind extends UnaryKind {
  /** Plain numbers to try as the second operand. */
  readonly numbers?: readonly (number | bigint | boolean)[]
  /** The range of the second operand, where it differs. */
  readonly otherFill?: Fill
}

const dtypePairs: readonly (readonly [Dtype, Dtype])[] = [
  ['f32', 'f64'],
  ['f16', 'f32'],
  ['f16', 'bf16'],
  ['bf16', 'bf16'],
  ['i32', 'f32'],
  ['i64', 'f16'],
  ['u8', 'i8'],
  ['bool', 'i64'],
  ['bool', 'f32'],
  ['i16', 'u8'],
  ['i64', 'i32'],
  ['bool', 'bool'],
  ['f64', 'i8'],
]

function binarySamples({
  takes,
  fill = {},
  otherFill = fill,
  special = 'all',
  numbers = [],
  more = [[]],
}: BinaryKind): Sample[] {
  const list: Sample[] = []
  const main: Dtype = takesDtype(takes, 'f32') ? 'f32' : 'i32'
  const shapes: readonly (readonly [readonly number[], readonly number[]])[] = [
    [[], []],
    [[3], []],
    [[], [3]],
    [
      [3, 1],
      [1, 4],
    ],
    [[2, 3, 4], [4]],
    [[4], [2, 3, 4]],
    [[0], [1]],
    [
      [2, 0],
      [1, 1],
    ],
    [
      [5, 7],
      [5, 7],
    ],
    [[1], [131]],
  ]
  const both = [arg(0), arg(1)]
  for (const [i, [a, c]] of shapes.entries())
    list.push(
      sample(
        `[${a}] and [${c}]`,
        [randomSpec(i, main, a, fill), randomSpec(i + 50, main, c, otherFill)],
        [...both, ...more[0]!],
      ),
    )
  const [left, right] = [randomSpec(1, main, [3, 4], fill), randomSpec(2, main, [3, 4], otherFill)]
  list.push(sample('layouts', [withLayout(left, 'transposed'), withLayout(right, 'strided')], [...both, ...more[0]!]))
  list.push(sample('with itself', [left], [arg(0), arg(0), ...more[0]!]))
  for (const [a, c] of dtypePairs) {
    if (!takesDtype(takes, a) || !takesDtype(takes, c)) continue
    list.push(
      sample(
        `${a} and ${c}`,
        [randomSpec(3, a, [2, 5], fill), randomSpec(4, c, [5], otherFill)],
        [...both, ...more[0]!],
      ),
    )
    list.push(
      sample(
        `${a} and 0-d ${c}`,
        [randomSpec(5, a, [4], fill), randomSpec(6, c, [], otherFill)],
        [...both, ...more[0]!],
      ),
    )
  }
  for (const dtype of [main, ...floats, ...integers].filter(d => takesDtype(takes, d))) {
    const values = isFloat(dtype) ? (special === 'all' ? extremes : specials) : integerSpecials[dtype]!
    const n = values.length
    const across = spec(dtype, [n, 1], values)
    list.push(sample(`${dtype} specials`, [across, spec(dtype, [n], values)], [...both, ...more[0]!]))
  }
  for (const number of numbers) {
    for (const dtype of ['f32', 'f64', 'f16', 'i32', 'u8', 'bool'] as const) {
      if (!takesDtype(takes, dtype) || (takes === 'number' && typeof number === 'boolean' && dtype === 'bool')) continue
      if (takes !== 'any' && takes !== 'float' && takes !== 'number' && !Number.isInteger(Number(number))) continue
      list.push(
        sample(
          `${dtype} and ${typeof number} ${number}`,
          [randomSpec(7, dtype, [6], fill)],
          [arg(0), number, ...more[0]!],
        ),
      )
    }
  }
  for (const args of more.slice(1)) list.push(sample(JSON.stringify(args), [left, right], [...both, ...args]))
  return list
}

// --- reductions ------------------------------------------------------------------------------------------------------------

interface ReduceKind {
  readonly dtypes: readonly Dtype[]
  /** Whether a dim without elements has a result. */
  readonly empty: boolean
  /** 'many': null, one or several dims · 'one': null or one · 'none': no argument at all. */
  readonly dims: 'many' | 'one' | 'none'
  readonly fill?: Fill
  readonly more?: readonly object[]
}

function reduceSamples({ dtypes, empty, dims, fill = {}, more = [] }: ReduceKind): Sample[] {
  const list: Sample[] = []
  const main = dtypes[0]!
  for (const shape of [[], [1], [7], [3, 5], [2, 3, 4], [33, 9]])
    list.push(sample(`all of [${shape}]`, [randomSpec(1, main, shape, fill)], [arg(0)]))
  if (empty) list.push(sample('all of nothing', [randomSpec(1, main, [0, 3], fill)], [arg(0)]))
  for (const dtype of dtypes) {
    list.push(sample(`${dtype}`, [randomSpec(2, dtype, [4, 6], fill)], dims === 'none' ? [arg(0)] : [arg(0), -1]))
    const edge = integerSpecials[dtype] ?? specials
    list.push(sample(`${dtype} specials`, [spec(dtype, [edge.length], edge)], [arg(0)]))
  }
  const finite = specials.filter(Number.isFinite)
  list.push(sample('without NaN', [spec(main, [2, finite.length / 2], finite)], [arg(0)]))
  if (dims === 'none') return list
  const cube = randomSpec(3, main, [2, 3, 4], fill)
  for (const dim of [0, 1, 2, -1]) list.push(sample(`dim ${dim}`, [cube], [arg(0), dim]))
  list.push(sample('0-d, dim 0', [randomSpec(4, main, [], fill)], [arg(0), 0]))
  list.push(sample('keepdim', [withLayout(cube, 'transposed')], [arg(0), { dim: 1, keepdim: true }]))
  list.push(sample('empty rest', [randomSpec(5, main, [0, 3], fill)], [arg(0), 1]))
  if (empty) list.push(sample('empty dim', [randomSpec(5, main, [0, 3], fill)], [arg(0), 0]))
  if (dims === 'many') {
    list.push(sample('two dims', [cube], [arg(0), [0, 2]]))
    list.push(sample('two dims kept', [withLayout(cube, 'strided')], [arg(0), [2, 0], { keepdim: true }]))
    list.push(sample('all kept', [cube], [arg(0), { keepdim: true }]))
  }
  for (const options of more) list.push(sample(JSON.stringify(options), [cube], [arg(0), options]))
  return list
}

/** Ops along one required dim. */
function alongSamples(dtypes: readonly Dtype[], after: readonly unknown[] = [], fill: Fill = {}): Sample[] {
  const main = dtypes[0]!
  const cube = randomSpec(1, main, [2, 3, 4], fill)
  return [
    ...[0, 1, -1].map(dim => sample(`dim ${dim}`, [cube], [arg(0), dim, ...after])),
    ...(['transposed', 'strided', 'reversed'] as const).map(layout =>
      sample(layout, [withLayout(cube, layout)], [arg(0), 1, ...after]),
    ),
    ...dtypes.map(dtype => sample(dtype, [randomSpec(2, dtype, [3, 5], fill)], [arg(0), 1, ...after])),
    sample('0-d', [randomSpec(3, main, [], fill)], [arg(0), 0, ...after]),
    sample('one', [randomSpec(3, main, [4, 1], fill)], [arg(0), 1, ...after]),
    sample('long', [randomSpec(4, main, [2, 67], fill)], [arg(0), -1, ...after]),
  ]
}

const emptyAlong = (after: readonly unknown[] = []): Sample[] => [
  sample('empty', [randomSpec(3, 'f32', [0, 3])], [arg(0), 0, ...after]),
  sample('empty rest', [randomSpec(3, 'f32', [0, 3])], [arg(0), 1, ...after]),
]

const rowSpecials = (...after: readonly unknown[]): Sample[] => [
  sample(
    'infinities',
    [spec('f32', [3, 3], [0, 1 / 0, 1, -1 / 0, -1 / 0, -1 / 0, -1 / 0, 2, 3])],
    [arg(0), 1, ...after],
  ),
  sample('NaN', [spec('f32', [2, 3], [0, Number.NaN, 1, 1, 2, 3])], [arg(0), 1, ...after]),
  sample('large', [spec('f32', [2, 3], [1000, 1001, 999, -1000, -1001, -999])], [arg(0), 1, ...after]),
]

// --- one by one --------------------------------------------------------------------------------------------------------------

const numeric: readonly Dtype[] = ['f32', ...floats, ...integers]
const every: readonly Dtype[] = [...numeric, 'bool']
const cube = randomSpec(1, 'f32', [2, 3, 4])
const matrix = randomSpec(2, 'f32', [3, 5])

/** A view of tensors of several shapes, layouts and dtypes. */
const viewSamples = (
  cases: readonly (readonly [shape: readonly number[], ...args: readonly unknown[]])[],
): Sample[] => [
  ...cases.map(([shape, ...args]) =>
    sample(`[${shape}] ${JSON.stringify(args)}`, [randomSpec(1, 'f32', shape)], [arg(0), ...args]),
  ),
  ...(['transposed', 'strided', 'offset', 'reversed'] as const).map(layout => {
    const [shape, ...args] = cases[0]!
    return sample(layout, [withLayout(randomSpec(2, 'f32', shape), layout)], [arg(0), ...args])
  }),
  ...(['i64', 'bool', 'f16'] as const).map(dtype => {
    const [shape, ...args] = cases[0]!
    return sample(dtype, [randomSpec(3, dtype, shape)], [arg(0), ...args])
  }),
]

const product = (
  a: readonly number[],
  c: readonly number[],
  dtype: Dtype = 'f32',
  ...args: readonly unknown[]
): Sample =>
  sample(`${dtype} [${a}] @ [${c}]`, [randomSpec(1, dtype, a), randomSpec(2, dtype, c)], [arg(0), arg(1), ...args])

const matrixDtypes: readonly Dtype[] = ['f64', 'f16', 'bf16', 'i64', 'i32', 'i8', 'u8']

const sortSamples = (...after: readonly unknown[]): Sample[] => [
  ...[[], [1], [9], [3, 7], [2, 3, 4], [70]].map(shape =>
    sample(`[${shape}]`, [randomSpec(1, 'f32', shape)], [arg(0), ...after]),
  ),
  ...every.map(dtype => sample(dtype, [randomSpec(2, dtype, [3, 11])], [arg(0), ...after])),
  sample('specials', [spec('f32', [specials.length], specials)], [arg(0), ...after]),
  sample('ties', [spec('f32', [2, 6], [1, 0, 1, 0, 1, 0, -0, 0, -0, 2, 2, 2])], [arg(0), ...after]),
  sample('transposed', [withLayout(randomSpec(3, 'f32', [4, 5]), 'transposed')], [arg(0), ...after]),
]

const activation = (...more: readonly object[]): Sample[] =>
  unarySamples({
    takes: 'float',
    special: 'moderate',
    fill: { low: -4, high: 4 },
    more: [[], ...more.map(options => [options])],
  })

const float = (fill?: Fill): Sample[] => unarySamples({ takes: 'float', ...(fill && { fill }) })
const positive: Fill = { low: 0.1, high: 4 }
const inside: Fill = { low: -0.95, high: 0.95 }

const table: Record<RecordName, () => readonly Sample[]> = {
  add: () => [
    ...binarySamples({ takes: 'any', numbers: [2, 0.1, -1, 3n, true, Number.NaN, 1e300] }),
    sample('alpha', [cube, randomSpec(5, 'f32', [4])], [arg(0), arg(1), { alpha: 2.5 }]),
    sample('integer alpha', [randomSpec(5, 'i32', [4]), randomSpec(6, 'i32', [4])], [arg(0), arg(1), { alpha: 3 }]),
  ],
  sub: () => [
    ...binarySamples({ takes: 'number', numbers: [2, 0.1, -1, 3n] }),
    sample('alpha', [cube, randomSpec(5, 'f32', [4])], [arg(0), arg(1), { alpha: 2.5 }]),
  ],
  mul: () => binarySamples({ takes: 'any', numbers: [2, 0.1, -1, 3n, false] }),
  div: () => [
    ...binarySamples({ takes: 'float', numbers: [2, 0.1, 3n] }),
    ...binarySamples({ takes: 'number', more: [[{ roundingMode: 'floor' }]], special: 'moderate' }),
    ...binarySamples({ takes: 'number', more: [[{ roundingMode: 'trunc' }]], special: 'moderate' }),
  ],
  floorDivide: () => binarySamples({ takes: 'number', numbers: [2, 0.5, -3], special: 'moderate' }),
  remainder: () => binarySamples({ takes: 'number', numbers: [2, 0.5, -3], special: 'moderate' }),
  fmod: () => binarySamples({ takes: 'number', numbers: [2, 0.5, -3], special: 'moderate' }),
  pow: () => binarySamples({ takes: 'number', fill: positive, otherFill: { low: 0, high: 3 }, numbers: [2, 0.5, 3] }),
  neg: () => unarySamples({ takes: 'number' }),
  abs: () => unarySamples({ takes: 'number' }),
  sign: () => unarySamples({ takes: 'number' }),
  reciprocal: () => float(positive),
  square: () => unarySamples({ takes: 'number' }),
  maximum: () => binarySamples({ takes: 'any', numbers: [0, 0.1] }),
  minimum: () => binarySamples({ takes: 'any', numbers: [0, 0.1] }),
  clamp: () => [
    ...unarySamples({ takes: 'number', more: [[-1, 1], [{ min: 0 }], [{ max: 0.5 }], [null, 0], [2, -2]] }),
    sample(
      'limits as tensors',
      [cube, randomSpec(3, 'f32', [4]), randomSpec(4, 'f32', [3, 1])],
      [arg(0), arg(1), arg(2)],
    ),
    sample('i32 by a fraction', [randomSpec(3, 'i32', [6])], [arg(0), 0.5]),
  ],
  eq: () => binarySamples({ takes: 'any', numbers: [0, 0.1, true] }),
  ne: () => binarySamples({ takes: 'any', numbers: [0, 0.1] }),
  lt: () => binarySamples({ takes: 'any', numbers: [0, 0.1] }),
  le: () => binarySamples({ takes: 'any', numbers: [0, 0.1] }),
  gt: () => binarySamples({ takes: 'any', numbers: [0, 0.1] }),
  ge: () => binarySamples({ takes: 'any', numbers: [0, 0.1] }),
  logicalAnd: () => binarySamples({ takes: 'any', numbers: [0, true] }),
  logicalOr: () => binarySamples({ takes: 'any', numbers: [0, true] }),
  logicalXor: () => binarySamples({ takes: 'any', numbers: [0, true] }),
  logicalNot: () => unarySamples({ takes: 'any' }),
  bitwiseAnd: () => binarySamples({ takes: 'bits', numbers: [6, 3n] }),
  bitwiseOr: () => binarySamples({ takes: 'bits', numbers: [6] }),
  bitwiseXor: () => binarySamples({ takes: 'bits', numbers: [6] }),
  bitwiseNot: () => unarySamples({ takes: 'bits' }),
  bitwiseLeftShift: () => binarySamples({ takes: 'integer', otherFill: { low: 0, high: 1 }, numbers: [3] }),
  bitwiseRightShift: () => binarySamples({ takes: 'integer', otherFill: { low: 0, high: 1 }, numbers: [3] }),
  isnan: () => unarySamples({ takes: 'any' }),
  isinf: () => unarySamples({ takes: 'any' }),
  isfinite: () => unarySamples({ takes: 'any' }),

  sqrt: () => float(positive),
  rsqrt: () => float(positive),
  exp: () => float(),
  exp2: () => float(),
  expm1: () => float(),
  log: () => float(positive),
  log2: () => float(positive),
  log10: () => float(positive),
  log1p: () => float({ low: -0.9, high: 4 }),
  sin: () => float(),
  cos: () => float(),
  tan: () => float({ low: -1.4, high: 1.4 }),
  asin: () => float(inside),
  acos: () => float(inside),
  atan: () => float(),
  atan2: () => binarySamples({ takes: 'float', numbers: [1, -0.5] }),
  sinh: () => float(),
  cosh: () => float(),
  tanh: () => float(),
  asinh: () => float(),
  acosh: () => float({ low: 1.1, high: 4 }),
  atanh: () => float(inside),
  erf: () => float(),
  erfc: () => float(),
  floor: () => unarySamples({ takes: 'number', fill: { low: -9, high: 9 } }),
  ceil: () => unarySamples({ takes: 'number', fill: { low: -9, high: 9 } }),
  trunc: () => unarySamples({ takes: 'number', fill: { low: -9, high: 9 } }),
  round: () => unarySamples({ takes: 'number', fill: { low: -9, high: 9 } }),
  lerp: () => [
    sample('number', [cube, randomSpec(5, 'f32', [4])], [arg(0), arg(1), 0.3]),
    sample('tensors', [matrix, randomSpec(5, 'f32', [5]), randomSpec(6, 'f32', [3, 1])], [arg(0), arg(1), arg(2)]),
    sample('f16', [randomSpec(1, 'f16', [7]), randomSpec(2, 'f16', [7])], [arg(0), arg(1), 0.5]),
  ],

  relu: () => unarySamples({ takes: 'number' }),
  relu6: () => unarySamples({ takes: 'number', fill: { low: -4, high: 9 } }),
  sigmoid: () => float(),
  logSigmoid: () => activation(),
  gelu: () => activation({ approximate: 'tanh' }, { approximate: 'none' }),
  silu: () => activation(),
  mish: () => activation(),
  softplus: () => activation({ beta: 2 }, { threshold: 1 }),
  leakyRelu: () => activation({ negativeSlope: 0.2 }),
  elu: () => activation({ alpha: 0.5 }),
  selu: () => activation(),
  celu: () => activation({ alpha: 0.5 }),
  hardtanh: () => activation({ minVal: -2, maxVal: 0.5 }),
  hardsigmoid: () => activation(),
  hardswish: () => activation(),
  softsign: () => activation(),

  sum: () =>
    reduceSamples({
      dtypes: ['f32', ...floats, ...integers, 'bool'],
      empty: true,
      dims: 'many',
      more: [{ dtype: 'f64' }, { dim: 1, dtype: 'i32' }],
    }),
  prod: () => reduceSamples({ dtypes: ['f32', ...floats, ...integers, 'bool'], empty: true, dims: 'many' }),
  mean: () => [
    ...reduceSamples({ dtypes: ['f32', ...floats], empty: true, dims: 'many', more: [{ dtype: 'f64' }] }),
    sample('integers as f32', [randomSpec(3, 'i32', [4, 5])], [arg(0), 0, { dtype: 'f32' }]),
  ],
  var: () =>
    reduceSamples({
      dtypes: ['f32', ...floats],
      empty: true,
      dims: 'many',
      more: [{ correction: 0 }, { dim: 0, correction: 5 }],
    }),
  std: () => reduceSamples({ dtypes: ['f32', ...floats], empty: true, dims: 'many', more: [{ correction: 0 }] }),
  amax: () => reduceSamples({ dtypes: every, empty: false, dims: 'many' }),
  amin: () => reduceSamples({ dtypes: every, empty: false, dims: 'many' }),
  max: () => reduceSamples({ dtypes: every, empty: false, dims: 'none' }),
  min: () => reduceSamples({ dtypes: every, empty: false, dims: 'none' }),
  maxWithIndices: () => [...alongSamples(every), ...alongSamples(['f32'], [{ keepdim: true }]), ...rowSpecials()],
  minWithIndices: () => [...alongSamples(every), ...alongSamples(['f32'], [{ keepdim: true }]), ...rowSpecials()],
  argmax: () => reduceSamples({ dtypes: every, empty: false, dims: 'one' }),
  argmin: () => reduceSamples({ dtypes: every, empty: false, dims: 'one' }),
  any: () => reduceSamples({ dtypes: ['bool', ...numeric], empty: true, dims: 'many' }),
  all: () => reduceSamples({ dtypes: ['bool', ...numeric], empty: true, dims: 'many' }),
  cumsum: () => [...alongSamples(every), ...emptyAlong(), ...alongSamples(['f32'], [{ dtype: 'f64' }])],
  cumprod: () => [...alongSamples(every), ...emptyAlong()],
  logsumexp: () => [
    ...alongSamples(['f32', ...floats]),
    ...rowSpecials(),
    sample('two dims', [cube], [arg(0), [0, 2], { keepdim: true }]),
  ],

  softmax: () => [
    ...alongSamples(['f32', ...floats]),
    ...emptyAlong(),
    ...rowSpecials(),
    sample('of integers', [randomSpec(1, 'i32', [3, 4])], [arg(0), 1, { dtype: 'f32' }]),
  ],
  logSoftmax: () => [...alongSamples(['f32', ...floats]), ...emptyAlong(), ...rowSpecials()],
  layerNorm: () => [
    sample('plain', [matrix], [arg(0), [5]]),
    sample(
      'affine',
      [matrix, randomSpec(3, 'f32', [5]), randomSpec(4, 'f32', [5])],
      [arg(0), [5], { weight: arg(1), bias: arg(2) }],
    ),
    sample('bias only', [matrix, randomSpec(4, 'f32', [5])], [arg(0), [5], { bias: arg(1), eps: 0.1 }]),
    sample(
      'two dims',
      [withLayout(cube, 'transposed'), randomSpec(4, 'f32', [3, 4])],
      [arg(0), [3, 4], { weight: arg(1) }],
    ),
    sample('large mean', [spec('f32', [2, 4], [1e4, 1e4 + 1, 1e4 + 2, 1e4 + 3, -1, 0, 1, 2])], [arg(0), [4]]),
    sample('long rows', [randomSpec(5, 'f32', [3, 67])], [arg(0), [67]]),
    sample('no rows', [randomSpec(5, 'f32', [0, 4])], [arg(0), [4]]),
    sample('constant', [spec('f32', [1, 3], [2, 2, 2])], [arg(0), [3]]),
    ...floats.map(dtype =>
      sample(dtype, [randomSpec(6, dtype, [3, 8]), randomSpec(7, dtype, [8])], [arg(0), [8], { weight: arg(1) }]),
    ),
  ],
  rmsNorm: () => [
    sample('plain', [matrix], [arg(0), [5]]),
    sample('weight', [matrix, randomSpec(3, 'f32', [5])], [arg(0), [5], { weight: arg(1), eps: 1e-5 }]),
    sample('two dims', [cube], [arg(0), [3, 4]]),
    ...floats.map(dtype =>
      sample(dtype, [randomSpec(6, dtype, [3, 8]), randomSpec(7, dtype, [8])], [arg(0), [8], { weight: arg(1) }]),
    ),
  ],

  reshape: () =>
    viewSamples([
      [
        [2, 3, 4],
        [6, 4],
      ],
      [[2, 3, 4], [-1]],
      [
        [2, 3, 4],
        [4, -1, 2],
      ],
      [[], [1, 1]],
      [[1], []],
      [
        [0, 3],
        [3, 0],
      ],
      [
        [0, 3],
        [-1, 3],
      ],
    ]),
  view: () =>
    viewSamples([
      [
        [2, 3, 4],
        [6, 4],
      ],
      [[12], [3, -1]],
      [
        [2, 3, 4],
        [2, -1],
      ],
    ]).filter(s => s.inputs[0]!.strides === undefined),
  expand: () =>
    viewSamples([
      [
        [3, 1],
        [3, 4],
      ],
      [
        [3, 1],
        [2, 3, 4],
      ],
      [
        [3, 1],
        [-1, 4],
      ],
      [[], [2, 2]],
      [[1], [0]],
      [[3], [3]],
    ]),
  flatten: () => viewSamples([[[2, 3, 4]], [[2, 3, 4], 1], [[2, 3, 4], 0, 1], [[]], [[2, 0]]]),
  squeeze: () =>
    viewSamples([
      [[2, 1, 3, 1]],
      [[2, 1, 3, 1], 1],
      [[2, 1, 3], 0],
      [
        [2, 1, 3, 1],
        [1, 3],
      ],
      [[1, 1]],
      [[]],
    ]),
  unsqueeze: () =>
    viewSamples([
      [[2, 3], 1],
      [[2, 3], 0],
      [[2, 3], -1],
      [[], 0],
    ]),
  permute: () =>
    viewSamples([
      [
        [2, 3, 4],
        [2, 0, 1],
      ],
      [
        [2, 3, 4],
        [0, -1, 1],
      ],
      [[], []],
      [
        [0, 3],
        [1, 0],
      ],
    ]),
  transpose: () =>
    viewSamples([
      [[2, 3, 4], 0, 2],
      [[2, 3, 4], -1, 1],
      [[5], 0, 0],
      [[], 0, -1],
    ]),
  t: () => viewSamples([[[3, 5]], [[4]], [[]], [[0, 2]]]),
  slice: () =>
    viewSamples([
      [[4, 5, 6], [1, 3], null, -1],
      [
        [4, 5],
        [0, null, 2],
      ],
      [[4, 5], 'all', [-3, -1]],
      [[4], [2, 100]],
      [[4], [3, 1]],
      [[4, 5], 0, 0],
      [[7], [1, null, 3]],
      [
        [0, 3],
        [0, 2],
      ],
    ]),
  narrow: () =>
    viewSamples([
      [[4, 5], 1, 1, 3],
      [[4, 5], 0, -2, 2],
      [[4], 0, 4, 0],
    ]),
  select: () =>
    viewSamples([
      [[4, 5], 1, 2],
      [[4, 5], 0, -1],
      [[3], 0, 1],
    ]),
  flip: () =>
    viewSamples([
      [
        [4, 5],
        [0, 1],
      ],
      [[4, 5], -1],
      [[1], 0],
      [[], []],
      [[0, 2], 0],
    ]),

  where: () => [
    sample('tensors', [randomSpec(1, 'bool', [3, 1]), matrix, randomSpec(3, 'f32', [5])], [arg(0), arg(1), arg(2)]),
    sample('numbers', [randomSpec(1, 'bool', [7])], [arg(0), 1, 0]),
    sample('fractions', [randomSpec(1, 'bool', [7])], [arg(0), 0.5, 0]),
    sample(
      'promotion',
      [randomSpec(1, 'bool', [7]), randomSpec(2, 'i32', [7]), randomSpec(3, 'f16', [7])],
      [arg(0), arg(1), arg(2)],
    ),
    sample('f16 and number', [randomSpec(1, 'bool', [7]), randomSpec(3, 'f16', [7])], [arg(0), arg(1), 0.1]),
    sample(
      'specials',
      [spec('bool', [1, 2], [0, 1]), spec('f32', [specials.length, 1], specials)],
      [arg(0), arg(1), -0],
    ),
    sample('empty', [randomSpec(1, 'bool', [0]), randomSpec(2, 'i64', [1])], [arg(0), arg(1), 3n]),
    sample('0-d', [randomSpec(1, 'bool', []), randomSpec(2, 'f64', [])], [arg(0), arg(1), 1]),
  ],
  maskedFill: () => [
    sample('number', [matrix, randomSpec(1, 'bool', [5])], [arg(0), arg(1), -1 / 0]),
    sample(
      '0-d',
      [randomSpec(2, 'i32', [4]), randomSpec(1, 'bool', [4]), spec('f32', [], [7])],
      [arg(0), arg(1), arg(2)],
    ),
    sample('f16', [randomSpec(2, 'f16', [4]), randomSpec(1, 'bool', [4])], [arg(0), arg(1), 0.1]),
    sample('grows', [randomSpec(2, 'f32', [4]), randomSpec(1, 'bool', [3, 1])], [arg(0), arg(1), 0]),
  ],
  tril: () => viewSamples([[[4, 5]], [[4, 5], 1], [[4, 5], -2], [[2, 3, 3]], [[0, 3]]]),
  triu: () => viewSamples([[[4, 5]], [[4, 5], 1], [[4, 5], -2], [[2, 3, 3]], [[0, 3]]]),
  cat: () => [
    sample('two', [matrix, randomSpec(3, 'f32', [2, 5])], [[arg(0), arg(1)]]),
    sample(
      'dim 1',
      [matrix, randomSpec(3, 'f32', [3, 1]), randomSpec(4, 'f32', [3, 4])],
      [[arg(0), arg(1), arg(2)], 1],
    ),
    sample(
      'negative dim, layouts',
      [withLayout(matrix, 'transposed'), withLayout(matrix, 'strided')],
      [[arg(0), arg(1)], -1],
    ),
    sample('itself', [matrix], [[arg(0), arg(0)]]),
    sample('one', [matrix], [[arg(0)]]),
    sample('promotion', [randomSpec(1, 'i32', [3]), randomSpec(2, 'f16', [4])], [[arg(0), arg(1)]]),
    sample('with nothing', [randomSpec(1, 'f32', [0, 5]), matrix], [[arg(0), arg(1)]]),
    sample('all nothing', [randomSpec(1, 'bool', [0, 5])], [[arg(0), arg(0)], 1]),
  ],
  stack: () => [
    sample('two', [matrix, randomSpec(3, 'f32', [3, 5])], [[arg(0), arg(1)]]),
    sample('last', [matrix, withLayout(randomSpec(3, 'f32', [3, 5]), 'transposed')], [[arg(0), arg(1)], -1]),
    sample('0-d', [randomSpec(1, 'i64', []), randomSpec(2, 'i64', [])], [[arg(0), arg(1)]]),
    sample('promotion', [randomSpec(1, 'bool', [2]), randomSpec(2, 'f64', [2])], [[arg(0), arg(1)], 1]),
  ],
  gather: () => [
    sample('rows', [matrix, spec('i64', [3, 2], [0, 4, 1, 1, 3, 2])], [arg(0), 1, arg(1)]),
    sample(
      'columns',
      [
        matrix,
        spec(
          'i64',
          [4, 5],
          Array.from({ length: 20 }, (_, i) => i % 3),
        ),
      ],
      [arg(0), 0, arg(1)],
    ),
    sample('smaller', [matrix, spec('i32', [2, 3], [0, 4, 1, 1, 3, 2])], [arg(0), 1, arg(1)]),
    sample('outside', [matrix, spec('i64', [3, 2], [-1, 5, 0, 0, 0, 0])], [arg(0), 1, arg(1)]),
    sample('0-d', [randomSpec(1, 'f64', []), spec('i64', [], [0])], [arg(0), 0, arg(1)]),
    sample('empty', [matrix, spec('i64', [3, 0], [])], [arg(0), -1, arg(1)]),
    sample(
      'transposed',
      [withLayout(matrix, 'transposed'), withLayout(spec('i64', [3, 2], [0, 4, 1, 1, 3, 2]), 'transposed')],
      [arg(0), 1, arg(1)],
    ),
    sample('i64 values', [randomSpec(2, 'i64', [4]), spec('u8', [3], [3, 0, 1])], [arg(0), 0, arg(1)]),
  ],
  indexSelect: () => [
    sample('rows', [matrix, spec('i64', [4], [2, 0, 0, 1])], [arg(0), 0, arg(1)]),
    sample('columns', [withLayout(matrix, 'strided'), spec('i32', [2], [4, 1])], [arg(0), -1, arg(1)]),
    sample('none', [matrix, spec('i64', [0], [])], [arg(0), 0, arg(1)]),
    sample('middle', [cube, spec('i64', [2], [2, 0])], [arg(0), 1, arg(1)]),
  ],
  embedding: () => [
    sample('rows', [spec('i64', [2, 3], [2, 0, 0, 1, 1, 2]), matrix], [arg(0), arg(1)]),
    sample('0-d', [spec('i64', [], [1]), matrix], [arg(0), arg(1)]),
    sample('none', [spec('i64', [0], []), matrix], [arg(0), arg(1)]),
    sample('f16', [spec('i32', [4], [2, 0, 0, 1]), randomSpec(3, 'f16', [3, 4])], [arg(0), arg(1)]),
  ],

  sort: () => [
    ...sortSamples(),
    ...sortSamples({ descending: true }),
    sample('dim 0', [cube], [arg(0), { dim: 0 }]),
    sample('empty', [randomSpec(1, 'f32', [0])], [arg(0)]),
  ],
  argsort: () => [...sortSamples(), sample('dim 1, descending', [cube], [arg(0), { dim: 1, descending: true }])],
  topk: () => [
    ...sortSamples(1),
    ...sortSamples(1, { largest: false }),
    sample('k 3, dim 0', [randomSpec(1, 'f32', [6, 4])], [arg(0), 3, { dim: 0 }]),
    sample('all of them', [matrix], [arg(0), 5]),
    sample('k 0', [matrix], [arg(0), 0]),
    sample('k 40', [randomSpec(2, 'f32', [2, 70])], [arg(0), 40]),
    sample('specials', [spec('f32', [specials.length], specials)], [arg(0), 6]),
    sample('smallest specials', [spec('f32', [specials.length], specials)], [arg(0), 6, { largest: false }]),
  ],

  mm: () => [
    product([3, 4], [4, 5]),
    product([1, 7], [7, 1]),
    product([0, 3], [3, 2]),
    product([2, 0], [0, 3]),
    product([33, 17], [17, 29]),
    ...matrixDtypes.map(d => product([3, 4], [4, 2], d)),
  ],
  bmm: () => [product([2, 3, 4], [2, 4, 5]), product([0, 3, 4], [0, 4, 5]), product([2, 3, 4], [2, 4, 5], 'f16')],
  mv: () => [product([3, 4], [4]), product([3, 0], [0]), product([3, 4], [4], 'i64')],
  dot: () => [product([4], [4]), product([0], [0]), product([9], [9], 'f16'), product([4], [4], 'i8')],
  matmul: () => [
    ...(
      [
        [[4], [4]],
        [[4], [4, 3]],
        [[2, 4], [4]],
        [
          [2, 4],
          [4, 3],
        ],
        [
          [5, 2, 4],
          [4, 3],
        ],
        [
          [2, 4],
          [5, 4, 3],
        ],
        [[5, 2, 4], [4]],
        [[4], [5, 4, 3]],
        [
          [5, 1, 2, 4],
          [3, 4, 2],
        ],
        [
          [2, 1, 3],
          [1, 3, 2],
        ],
        [
          [19, 70],
          [70, 37],
        ],
        [
          [1, 65],
          [65, 31],
        ],
        [
          [5, 0, 4],
          [4, 3],
        ],
      ] as const
    ).map(([a, c]) => product(a, c)),
    ...matrixDtypes.map(dtype => product([2, 3, 4], [4, 2], dtype)),
    sample(
      'transposed',
      [withLayout(randomSpec(1, 'f32', [6, 7]), 'transposed'), withLayout(randomSpec(2, 'f32', [7, 5]), 'transposed')],
      [arg(0), arg(1)],
    ),
    sample(
      'strided batch',
      [withLayout(randomSpec(1, 'f32', [2, 3, 4]), 'strided'), randomSpec(2, 'f32', [2, 4, 3])],
      [arg(0), arg(1)],
    ),
    sample(
      'NaN and infinity',
      [spec('f32', [2, 2], [Number.NaN, 1, 1 / 0, 0]), spec('f32', [2, 2], [1, 2, 3, 0])],
      [arg(0), arg(1)],
    ),
  ],
  linear: () => [
    product([3, 4], [5, 4]),
    product([4], [5, 4]),
    product([2, 3, 4], [5, 4]),
    product([0, 4], [5, 4]),
    product([3, 4], [5, 4], 'i32'),
    ...(['f32', ...floats] as const).map(dtype =>
      sample(
        `bias ${dtype}`,
        [randomSpec(1, dtype, [2, 3, 4]), randomSpec(2, dtype, [5, 4]), randomSpec(3, dtype, [5])],
        [arg(0), arg(1), { bias: arg(2) }],
      ),
    ),
    sample(
      'bias of a vector',
      [randomSpec(1, 'f32', [4]), randomSpec(2, 'f32', [5, 4]), randomSpec(3, 'f32', [5])],
      [arg(0), arg(1), { bias: arg(2) }],
    ),
  ],

  to: () => [
    ...every.flatMap(from =>
      every.map(to =>
        sample(
          `${from} to ${to}`,
          [
            isFloat(from)
              ? spec(from, [specials.length], specials)
              : spec(from, [integerSpecials[from]!.length], integerSpecials[from]!),
          ],
          [arg(0), to],
        ),
      ),
    ),
    sample('transposed', [withLayout(matrix, 'transposed')], [arg(0), 'i32']),
    sample('to f64', [matrix], [arg(0), 'f64']),
  ],
  clone: () => viewSamples([[[2, 3, 4]], [[]], [[0, 2]]]),
  contiguous: () => viewSamples([[[2, 3, 4]], [[]], [[0, 2]]]),

  full: () =>
    [
      [[2, 3], 1.5],
      [[], 7],
      [[0, 2], 1],
      [[3], true],
      [[3], 9n],
      [[3], 300, { dtype: 'u8' }],
      [[2], 0.1, { dtype: 'f16' }],
      [[2], Number.NaN],
    ].map(args => sample(String(args), [], args)),
  arange: () =>
    [[5], [2, 7], [0, 1, 0.1], [5, 0, -2], [0], [3, { dtype: 'f32' }], [0, 1, 0.25, { dtype: 'f16' }], [7, 3]].map(
      args => sample(JSON.stringify(args), [], args),
    ),
  linspace: () =>
    [
      [0, 1, 5],
      [-3, 3, 8],
      [2, 2, 1],
      [0, 1, 0],
      [0, 10, 4, { dtype: 'i32' }],
      [0, 1, 3, { dtype: 'f64' }],
    ].map(args => sample(JSON.stringify(args), [], args)),
  eye: () => [[3], [2, 4], [4, 2], [0], [3, { dtype: 'i64' }]].map(args => sample(JSON.stringify(args), [], args)),
  rand: () =>
    [
      [1n, 0n, [7]],
      [42n, 1000n, [2, 3]],
      [42n, (1n << 33n) + 5n, [4]],
      [3n, 0n, []],
      [3n, 0n, [0]],
      [3n, 9n, [5], { dtype: 'f64' }],
      [3n, 9n, [50], { dtype: 'f16' }],
      [-1n, 9n, [5], { dtype: 'bf16' }],
    ].map(args => sample(String(args), [], args)),
  randn: () =>
    [
      [1n, 0n, [7]],
      [42n, 1000n, [2, 3]],
      [3n, 0n, []],
      [3n, 0n, [0]],
      [3n, 9n, [5], { dtype: 'f64' }],
      [3n, 9n, [5], { dtype: 'f16' }],
    ].map(args => sample(String(args), [], args)),
  randint: () =>
    [
      [1n, 0n, 0, 10, [20]],
      [1n, 5n, -3, 3, [2, 4]],
      [1n, 5n, 0, 2, [9], { dtype: 'bool' }],
      [1n, 0n, 0, 256, [9], { dtype: 'u8' }],
      [1n, 0n, 0, 2 ** 40, [3]],
    ].map(args => sample(String(args), [], args)),
}

/** The samples of an op. A record without samples fails the type checker. */
export const samplesFor = (name: RecordName): readonly Sample[] => table[name]()
