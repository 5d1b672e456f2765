/** The kinds of samples that many ops share: dtypes, layouts, special values and shapes for a whole family at once. */
import { type Dtype, isFloat } from '../../src/types/dtype.js'
import {
  arg,
  type Fill,
  type Layout,
  randomSpec,
  replaceArguments,
  spec,
  type TensorSpec,
  withLayout,
} from './tensor-spec.js'

export interface Sample {
  readonly name: string
  readonly inputs: readonly TensorSpec[]
  /** The user's arguments, starting with the method's `this`; TensorArgument(i) stands for inputs[i]. */
  readonly args: readonly unknown[]
}

// --- values --------------------------------------------------------------------------------------------------------------

export const specials = [0, -0, 1, -1, 0.5, -0.5, 2.5, -2.5, 1.5, 0.1, -3, 100, -100, Number.NaN, 1 / 0, -1 / 0]
export const extremes = [
  ...specials,
  1e-40,
  -1e-40,
  1.1754943508222875e-38,
  3.4028234663852886e38,
  -3.4028234663852886e38,
  88.7,
  -104,
]
export const integerSpecials: Partial<Record<Dtype, readonly number[]>> = {
  i8: [0, 1, -1, 127, -128, 7, -7],
  u8: [0, 1, 2, 255, 128, 7],
  i16: [0, 1, -1, 32767, -32768, 7, -7],
  i32: [0, 1, -1, 2147483647, -2147483648, 7, -7],
  i64: [0, 1, -1, 2 ** 53, -(2 ** 53), 7, -7],
  bool: [0, 1],
}

export const floats: readonly Dtype[] = ['f64', 'f16', 'bf16']
export const integers: readonly Dtype[] = ['i64', 'i32', 'i16', 'i8', 'u8']

/** A call with these arguments, tensors among them as specs, also inside lists and options; one that stands twice is one input. */
export function sample(name: string, ...args: readonly unknown[]): Sample {
  const inputs: TensorSpec[] = []
  const placed = replaceArguments(args, value => {
    if (!('dtype' in value && 'shape' in value && 'data' in value)) return undefined
    const at = inputs.indexOf(value as TensorSpec)
    return arg(at < 0 ? inputs.push(value as TensorSpec) - 1 : at)
  })
  return { name, inputs, args: placed }
}

/** Unary samples with further arguments after self. */
export interface UnaryKind {
  readonly takes: 'float' | 'number' | 'any' | 'integer' | 'bits'
  readonly fill?: Fill
  /** Which special values: all, those of moderate size (if intermediate results must not overflow), or none. */
  readonly special?: 'all' | 'moderate'
  readonly more?: readonly (readonly unknown[])[]
}

export const takesDtype = (takes: UnaryKind['takes'], dtype: Dtype): boolean => {
  if (takes === 'integer') return integers.includes(dtype)
  if (takes === 'bits') return !isFloat(dtype)
  return takes !== 'number' || dtype !== 'bool'
}

export function unarySamples({ takes, fill = {}, special = 'all', more = [[]] }: UnaryKind): Sample[] {
  const list: Sample[] = []
  const main: Dtype = takesDtype(takes, 'f32') ? 'f32' : 'i32'
  const shapes: readonly (readonly number[])[] = [[], [1], [0], [2, 0, 3], [17], [3, 5], [2, 3, 4], [131]]
  for (const [i, shape] of shapes.entries())
    list.push(sample(`${main}[${shape}]`, randomSpec(i, main, shape, fill), ...more[0]!))
  const layouts: readonly Layout[] = ['transposed', 'strided', 'offset', 'reversed']
  for (const layout of layouts)
    list.push(sample(`${main} ${layout}`, withLayout(randomSpec(9, main, [3, 4, 5], fill), layout), ...more[0]!))
  for (const dtype of [...floats, ...integers, 'bool'] as const) {
    if (takesDtype(takes, dtype)) list.push(sample(`${dtype}`, randomSpec(11, dtype, [4, 9], fill), ...more[0]!))
    const edge = integerSpecials[dtype]
    if (edge !== undefined && takesDtype(takes, dtype))
      list.push(sample(`${dtype} edges`, spec(dtype, [edge.length], edge), ...more[0]!))
  }
  const values = special === 'all' ? extremes : specials
  for (const dtype of ['f32', 'f64', 'f16', 'bf16'] as const) {
    if (!takesDtype(takes, dtype)) continue
    list.push(sample(`${dtype} specials`, spec(dtype, [values.length], values), ...more[0]!))
  }
  for (const args of more.slice(1)) {
    list.push(sample(`${main} ${JSON.stringify(args)}`, randomSpec(12, main, [4, 7], fill), ...args))
    if (main === 'f32')
      list.push(sample(`specials ${JSON.stringify(args)}`, spec('f32', [specials.length], specials), ...args))
  }
  return list
}

export interface BinaryKind extends UnaryKind {
  /** Plain numbers to try as the second operand. */
  readonly numbers?: readonly (number | bigint | boolean)[]
  /** The range of the second operand, if it differs. */
  readonly otherFill?: Fill
}

export const dtypePairs: readonly (readonly [Dtype, Dtype])[] = [
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

export function binarySamples({
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
  for (const [i, [a, c]] of shapes.entries())
    list.push(
      sample(`[${a}] and [${c}]`, randomSpec(i, main, a, fill), randomSpec(i + 50, main, c, otherFill), ...more[0]!),
    )
  const [left, right] = [randomSpec(1, main, [3, 4], fill), randomSpec(2, main, [3, 4], otherFill)]
  list.push(sample('layouts', withLayout(left, 'transposed'), withLayout(right, 'strided'), ...more[0]!))
  list.push(sample('with itself', left, left, ...more[0]!))
  for (const [a, c] of dtypePairs) {
    if (!takesDtype(takes, a) || !takesDtype(takes, c)) continue
    list.push(sample(`${a} and ${c}`, randomSpec(3, a, [2, 5], fill), randomSpec(4, c, [5], otherFill), ...more[0]!))
    list.push(sample(`${a} and 0-d ${c}`, randomSpec(5, a, [4], fill), randomSpec(6, c, [], otherFill), ...more[0]!))
  }
  for (const dtype of [main, ...floats, ...integers].filter(d => takesDtype(takes, d))) {
    const values = isFloat(dtype) ? (special === 'all' ? extremes : specials) : integerSpecials[dtype]!
    const n = values.length
    const across = spec(dtype, [n, 1], values)
    list.push(sample(`${dtype} specials`, across, spec(dtype, [n], values), ...more[0]!))
  }
  for (const number of numbers) {
    for (const dtype of ['f32', 'f64', 'f16', 'i32', 'u8', 'bool'] as const) {
      if (!takesDtype(takes, dtype) || (takes === 'number' && typeof number === 'boolean' && dtype === 'bool')) continue
      if (takes !== 'any' && takes !== 'float' && takes !== 'number' && !Number.isInteger(Number(number))) continue
      list.push(sample(`${dtype} and ${typeof number} ${number}`, randomSpec(7, dtype, [6], fill), number, ...more[0]!))
    }
  }
  for (const args of more.slice(1)) list.push(sample(JSON.stringify(args), left, right, ...args))
  return list
}

// --- reductions ------------------------------------------------------------------------------------------------------------

export interface ReduceKind {
  readonly dtypes: readonly Dtype[]
  /** Whether a dim without elements has a result. */
  readonly empty: boolean
  /** 'many': null, one or several dims · 'one': null or one · 'none': no argument at all. */
  readonly dims: 'many' | 'one' | 'none'
  readonly fill?: Fill
  readonly more?: readonly object[]
}

export function reduceSamples({ dtypes, empty, dims, fill = {}, more = [] }: ReduceKind): Sample[] {
  const list: Sample[] = []
  const main = dtypes[0]!
  for (const shape of [[], [1], [7], [3, 5], [2, 3, 4], [33, 9]])
    list.push(sample(`all of [${shape}]`, randomSpec(1, main, shape, fill)))
  if (empty) list.push(sample('all of nothing', randomSpec(1, main, [0, 3], fill)))
  for (const dtype of dtypes) {
    list.push(sample(`${dtype}`, randomSpec(2, dtype, [4, 6], fill), ...(dims === 'none' ? [] : [-1])))
    const edge = integerSpecials[dtype] ?? specials
    list.push(sample(`${dtype} specials`, spec(dtype, [edge.length], edge)))
  }
  const finite = [...specials.filter(Number.isFinite), 1]
  const rows = finite.length % 2 === 0 ? 2 : 1
  list.push(sample('without NaN', spec(main, [rows, finite.length / rows], finite)))
  if (dims === 'none') return list
  const cube = randomSpec(3, main, [2, 3, 4], fill)
  for (const dim of [0, 1, 2, -1]) list.push(sample(`dim ${dim}`, cube, dim))
  list.push(sample('0-d, dim 0', randomSpec(4, main, [], fill), 0))
  list.push(sample('keepdim', withLayout(cube, 'transposed'), { dim: 1, keepdim: true }))
  list.push(sample('empty rest', randomSpec(5, main, [0, 3], fill), 1))
  if (empty) list.push(sample('empty dim', randomSpec(5, main, [0, 3], fill), 0))
  if (dims === 'many') {
    list.push(sample('two dims', cube, [0, 2]))
    list.push(sample('two dims kept', withLayout(cube, 'strided'), [2, 0], { keepdim: true }))
    list.push(sample('all kept', cube, { keepdim: true }))
  }
  for (const options of more) list.push(sample(JSON.stringify(options), cube, options))
  return list
}

/** Ops along one required dim. */
export function alongSamples(dtypes: readonly Dtype[], after: readonly unknown[] = [], fill: Fill = {}): Sample[] {
  const main = dtypes[0]!
  const cube = randomSpec(1, main, [2, 3, 4], fill)
  return [
    ...[0, 1, -1].map(dim => sample(`dim ${dim}`, cube, dim, ...after)),
    ...(['transposed', 'strided', 'reversed'] as const).map(layout =>
      sample(layout, withLayout(cube, layout), 1, ...after),
    ),
    ...dtypes.map(dtype => sample(dtype, randomSpec(2, dtype, [3, 5], fill), 1, ...after)),
    sample('0-d', randomSpec(3, main, [], fill), 0, ...after),
    sample('one', randomSpec(3, main, [4, 1], fill), 1, ...after),
    sample('long', randomSpec(4, main, [2, 67], fill), -1, ...after),
  ]
}

export const emptyAlong = (after: readonly unknown[] = []): Sample[] => [
  sample('empty', randomSpec(3, 'f32', [0, 3]), 0, ...after),
  sample('empty rest', randomSpec(3, 'f32', [0, 3]), 1, ...after),
]

export const rowSpecials = (...after: readonly unknown[]): Sample[] => [
  sample('infinities', spec('f32', [3, 3], [0, 1 / 0, 1, -1 / 0, -1 / 0, -1 / 0, -1 / 0, 2, 3]), 1, ...after),
  sample('NaN', spec('f32', [2, 3], [0, Number.NaN, 1, 1, 2, 3]), 1, ...after),
  sample('large', spec('f32', [2, 3], [1000, 1001, 999, -1000, -1001, -999]), 1, ...after),
]

// --- views, products, order --------------------------------------------------------------------------------------------------------------

export const numeric: readonly Dtype[] = ['f32', ...floats, ...integers]
export const every: readonly Dtype[] = [...numeric, 'bool']
export const cube = randomSpec(1, 'f32', [2, 3, 4])
export const matrix = randomSpec(2, 'f32', [3, 5])

/** A view of tensors of several shapes, layouts and dtypes. */
export const viewSamples = (
  cases: readonly (readonly [shape: readonly number[], ...args: readonly unknown[]])[],
): Sample[] => [
  ...cases.map(([shape, ...args]) =>
    sample(`[${shape}] ${JSON.stringify(args)}`, randomSpec(1, 'f32', shape), ...args),
  ),
  ...(['transposed', 'strided', 'offset', 'reversed'] as const).map(layout => {
    const [shape, ...args] = cases[0]!
    return sample(layout, withLayout(randomSpec(2, 'f32', shape), layout), ...args)
  }),
  ...(['i64', 'bool', 'f16'] as const).map(dtype => {
    const [shape, ...args] = cases[0]!
    return sample(dtype, randomSpec(3, dtype, shape), ...args)
  }),
]

export const product = (
  a: readonly number[],
  c: readonly number[],
  dtype: Dtype = 'f32',
  ...args: readonly unknown[]
): Sample => sample(`${dtype} [${a}] @ [${c}]`, randomSpec(1, dtype, a), randomSpec(2, dtype, c), ...args)

export const matrixDtypes: readonly Dtype[] = ['f64', 'f16', 'bf16', 'i64', 'i32', 'i8', 'u8']

export const sortSamples = (...after: readonly unknown[]): Sample[] => [
  ...[[], [1], [9], [3, 7], [2, 3, 4], [70]].map(shape => sample(`[${shape}]`, randomSpec(1, 'f32', shape), ...after)),
  ...every.map(dtype => sample(dtype, randomSpec(2, dtype, [3, 11]), ...after)),
  sample('specials', spec('f32', [specials.length], specials), ...after),
  sample('ties', spec('f32', [2, 6], [1, 0, 1, 0, 1, 0, -0, 0, -0, 2, 2, 2]), ...after),
  sample('transposed', withLayout(randomSpec(3, 'f32', [4, 5]), 'transposed'), ...after),
]

export const activation = (...more: readonly object[]): Sample[] =>
  unarySamples({
    takes: 'float',
    special: 'moderate',
    fill: { low: -4, high: 4 },
    more: [[], ...more.map(options => [options])],
  })

export const float = (fill?: Fill): Sample[] => unarySamples({ takes: 'float', ...(fill && { fill }) })
export const positive: Fill = { low: 0.1, high: 4 }
export const inside: Fill = { low: -0.95, high: 0.95 }
