/** Samples of reductions and normalisations. */
import type { Dtype } from '../../src/types/dtype.js'
import {
  alongSamples,
  cube,
  emptyAlong,
  every,
  floats,
  integers,
  matrix,
  numeric,
  reduceSamples,
  rowSpecials,
  type Sample,
  sample,
} from './sample-kinds.js'
import { randomSpec, spec, withLayout } from './tensor-spec.js'

/** Rows that are not adjacent in memory, so that vectors process many at once. */
const columns = (): Sample[] => [
  sample('columns', randomSpec(1, 'f32', [20, 33]), 0),
  sample('columns in the middle', randomSpec(2, 'f32', [2, 9, 40]), 1),
  sample('columns of i32', randomSpec(3, 'i32', [5, 70]), 0),
  sample('transposed columns', withLayout(randomSpec(4, 'f32', [12, 9]), 'transposed'), 1),
]

const ties = sample('ties', spec('f32', [8], [1, 3, 3, 2, -0, 0, 3, 1]), 0)

const quantileSamples = (): Sample[] => [
  ...floats.map(dtype => sample(dtype, randomSpec(1, dtype, [3, 5]), 0.3, { dim: -1 })),
  ...(['linear', 'lower', 'higher', 'midpoint', 'nearest'] as const).map(interpolation =>
    sample(interpolation, cube, [0, 0.1, 0.5, 0.77, 1], { dim: 2, interpolation }),
  ),
  sample('all', withLayout(matrix, 'transposed'), 0.25),
  sample('all kept', cube, [0.25, 0.5], { keepdim: true }),
  sample('kept', cube, 0.5, { dim: 1, keepdim: true }),
  sample('0-d', randomSpec(1, 'f32', []), 0.5),
  sample('specials', spec('f32', [2, 3], [1, 1 / 0, 1 / 0, 0, Number.NaN, 2]), [0.75, 0.2], { dim: 1 }),
]

const areaSamples: readonly Sample[] = [
  sample('dx', randomSpec(1, 'f32', [3, 5]), { dx: 0.5 }),
  sample('dim 0', withLayout(randomSpec(1, 'f64', [4, 3]), 'transposed'), { dim: 0 }),
  sample('points', randomSpec(1, 'f32', [2, 4]), spec('f32', [4], [0, 1, 3, 3.5])),
  sample('points of all', randomSpec(1, 'f32', [2, 3]), randomSpec(2, 'f32', [2, 3]), { dim: 0 }),
  sample('shared points', randomSpec(1, 'f16', [2, 3, 2]), randomSpec(2, 'f16', [3, 1]), { dim: 1 }),
  sample('integers', randomSpec(1, 'i32', [5])),
  sample('one', randomSpec(1, 'f32', [3, 1])),
  sample('none', randomSpec(1, 'f32', [2, 0])),
]

export const reductionSamples = {
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
    sample('integers as f32', randomSpec(3, 'i32', [4, 5]), 0, { dtype: 'f32' }),
  ],
  var: () =>
    reduceSamples({
      dtypes: ['f32', ...floats],
      empty: true,
      dims: 'many',
      more: [{ correction: 0 }, { dim: 0, correction: 5 }],
    }),
  std: () => reduceSamples({ dtypes: ['f32', ...floats], empty: true, dims: 'many', more: [{ correction: 0 }] }),
  varMean: () => reduceSamples({ dtypes: ['f32', ...floats], empty: true, dims: 'many', more: [{ correction: 0 }] }),
  stdMean: () => reduceSamples({ dtypes: ['f32', ...floats], empty: true, dims: 'many' }),
  aminmax: () => [
    ...every.map(dtype => sample(dtype, randomSpec(1, dtype, [3, 5]))),
    sample('dim', cube, { dim: 1 }),
    sample('kept', cube, { dim: -1, keepdim: true }),
    sample('NaN', spec('f32', [3], [1, Number.NaN, 2])),
  ],
  norm: () => [
    sample('all', cube),
    ...[1, 2, 3, 0, 0.5, 1 / 0, -1 / 0, 'fro'].map(p => sample(`p ${p}`, cube, p, 1)),
    sample('two dims kept', withLayout(cube, 'transposed'), 2, [0, 2], { keepdim: true }),
    ...floats.map(dtype => sample(dtype, randomSpec(1, dtype, [3, 9]), 2, -1)),
    sample('0-d', randomSpec(1, 'f32', [])),
    sample('empty', randomSpec(1, 'f32', [0, 3]), 2, 0),
    sample('dtype', randomSpec(1, 'f16', [3, 9]), 2, -1, false, 'f32'),
  ],
  vectorNorm: () => [
    sample('all', cube),
    ...[1, 3, 0, 1 / 0, -1 / 0].map(p => sample(`ord ${p}`, cube, p, 1)),
    sample('two dims kept', cube, 2, [0, 2], true),
    sample('of single numbers', randomSpec(1, 'f32', [3, 1]), 2, 1),
    sample('dtype', randomSpec(1, 'f16', [3, 9]), 2, -1, { dtype: 'f32' }),
  ],
  countNonzero: () => [
    ...every.map(dtype => sample(dtype, randomSpec(1, dtype, [3, 5]))),
    sample('dim', spec('f32', [2, 3], [0, -0, Number.NaN, 1, 0, 2]), 1),
    sample('dims', cube, [0, 2]),
  ],
  nansum: () => [
    ...reduceSamples({ dtypes: ['f32', ...floats, 'i32'], empty: true, dims: 'many', more: [{ dtype: 'f64' }] }),
    sample('some', spec('f32', [2, 3], [0, 1, Number.NaN, Number.NaN, Number.NaN, Number.NaN]), 1),
  ],
  nanmean: () => [
    ...reduceSamples({ dtypes: ['f32', ...floats], empty: true, dims: 'many' }),
    sample('some', spec('f32', [2, 3], [0, 1, Number.NaN, Number.NaN, Number.NaN, Number.NaN]), 1),
  ],
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
  cumsum: () => [
    ...columns(),
    sample('of single numbers', randomSpec(1, 'f32', [3, 1]), 1),
    ...alongSamples(every),
    ...emptyAlong(),
    ...alongSamples(['f32'], [{ dtype: 'f64' }]),
  ],
  cumprod: () => [
    sample('of single numbers', randomSpec(1, 'f32', [3, 1]), 1),
    ...columns(),
    ...alongSamples(every),
    ...emptyAlong(),
  ],
  logsumexp: () => [
    ...alongSamples(['f32', ...floats]),
    ...rowSpecials(),
    sample('two dims', cube, [0, 2], { keepdim: true }),
  ],

  cummax: () => [...columns(), ...alongSamples(every), ...emptyAlong(), ...rowSpecials(), ties],
  cummin: () => [...columns(), ...alongSamples(every), ...emptyAlong(), ...rowSpecials(), ties],
  logcumsumexp: () => [...alongSamples(['f32', ...floats]), ...emptyAlong(), ...rowSpecials()],
  median: () => reduceSamples({ dtypes: numeric, empty: false, dims: 'none' }),
  nanmedian: () => reduceSamples({ dtypes: numeric, empty: false, dims: 'none' }),
  medianWithIndices: () => [...alongSamples(numeric), ...alongSamples(['f32'], [{ keepdim: true }]), ...rowSpecials()],
  nanmedianWithIndices: () => [
    ...alongSamples(numeric),
    ...rowSpecials(),
    sample('all NaN', spec('f32', [2, 2], [Number.NaN, Number.NaN, 1, Number.NaN]), 1),
  ],
  kthvalue: () => [
    ...numeric.map(dtype => sample(dtype, randomSpec(1, dtype, [3, 5]), 2)),
    sample('dim', withLayout(cube, 'transposed'), 3, { dim: 1 }),
    sample('kept', cube, 1, { dim: 0, keepdim: true }),
    sample('0-d', randomSpec(1, 'f32', []), 1),
    sample('NaN', spec('f32', [3], [Number.NaN, 2, -1]), 3),
  ],
  mode: () => [
    ...numeric.map(dtype => sample(dtype, randomSpec(1, dtype, [3, 5]))),
    sample('runs', spec('i32', [2, 6], [3, 1, 3, 1, 2, 0, 5, 5, 4, 4, 4, 5])),
    sample('dim', spec('f32', [4, 2], [1, 2, 0, 2, 1, -0, 0, 0]), { dim: 0, keepdim: true }),
    sample('0-d', randomSpec(1, 'f32', [])),
    sample('long', randomSpec(1, 'i8', [70])),
    sample('NaN', spec('f32', [4], [Number.NaN, 2, Number.NaN, 2])),
  ],
  quantile: () => quantileSamples(),
  nanquantile: () => [
    ...quantileSamples(),
    sample('all NaN', spec('f32', [2, 2], [Number.NaN, Number.NaN, 1, Number.NaN]), 0.5, { dim: 1 }),
  ],
  histc: () => [
    ...['f32', ...floats].map(dtype => sample(dtype, randomSpec(1, dtype as Dtype, [40]), { bins: 8 })),
    sample('range', cube, { bins: 5, min: -1, max: 1 }),
    sample('default', cube),
    sample('one value', spec('f32', [3], [2, 2, 2]), { bins: 4 }),
    sample('nothing', spec('f32', [0], []), { bins: 4 }),
    sample('NaN', spec('f32', [4], [Number.NaN, 0, 0.5, 1 / 0]), { bins: 2, min: 0, max: 1 }),
  ],

  softmax: () => [
    ...alongSamples(['f32', ...floats]),
    ...emptyAlong(),
    ...rowSpecials(),
    sample('of integers', randomSpec(1, 'i32', [3, 4]), 1, { dtype: 'f32' }),
  ],
  softmin: () => [...alongSamples(['f32', ...floats]), ...emptyAlong(), ...rowSpecials()],
  logSoftmax: () => [...alongSamples(['f32', ...floats]), ...emptyAlong(), ...rowSpecials()],
  layerNorm: () => [
    sample('plain', matrix, [5]),
    sample('affine', matrix, [5], { weight: randomSpec(3, 'f32', [5]), bias: randomSpec(4, 'f32', [5]) }),
    sample('bias only', matrix, [5], { bias: randomSpec(4, 'f32', [5]), eps: 0.1 }),
    sample('two dims', withLayout(cube, 'transposed'), [3, 4], { weight: randomSpec(4, 'f32', [3, 4]) }),
    sample('large mean', spec('f32', [2, 4], [1e4, 1e4 + 1, 1e4 + 2, 1e4 + 3, -1, 0, 1, 2]), [4]),
    sample('long rows', randomSpec(5, 'f32', [3, 67]), [67]),
    sample('no rows', randomSpec(5, 'f32', [0, 4]), [4]),
    sample('constant', spec('f32', [1, 3], [2, 2, 2]), [3]),
    ...floats.map(dtype => sample(dtype, randomSpec(6, dtype, [3, 8]), [8], { weight: randomSpec(7, dtype, [8]) })),
  ],
  rmsNorm: () => [
    sample('plain', matrix, [5]),
    sample('weight', matrix, [5], { weight: randomSpec(3, 'f32', [5]), eps: 1e-5 }),
    sample('two dims', cube, [3, 4]),
    ...floats.map(dtype => sample(dtype, randomSpec(6, dtype, [3, 8]), [8], { weight: randomSpec(7, dtype, [8]) })),
  ],
  cov: () => [
    sample('rows', randomSpec(1, 'f32', [3, 7])),
    sample('a vector', randomSpec(1, 'f64', [9]), { correction: 0 }),
    sample('one row', randomSpec(1, 'f32', [1, 5]), { correction: 2 }),
    sample('0-d', randomSpec(1, 'f32', []), { correction: 0 }),
    sample('weighted', randomSpec(1, 'f32', [2, 5]), {
      fweights: spec('i64', [5], [1, 3, 0, 2, 1]),
      aweights: spec('f32', [5], [0.5, 1, 2, 0.25, 1]),
    }),
    sample('counted', withLayout(randomSpec(1, 'f16', [3, 4]), 'transposed'), {
      fweights: spec('i32', [4], [2, 1, 1, 3]),
      correction: 0,
    }),
    sample('weighed', randomSpec(1, 'i32', [2, 3]), { aweights: spec('f64', [3], [1, 0.5, 0.25]) }),
    sample('far from 0', spec('f32', [2, 4], [4e6, 4e6 + 1, 4e6 + 2, 4e6 + 3, 3, 1, 2, 0])),
    sample('too few', spec('f32', [2, 1], [1, 2])),
  ],
  corrcoef: () => [
    sample('rows', randomSpec(1, 'f32', [3, 7])),
    sample('a vector', randomSpec(1, 'f64', [9])),
    sample('bf16', randomSpec(1, 'bf16', [2, 6])),
    sample('integers', randomSpec(1, 'i64', [3, 4])),
    sample('constant row', spec('f32', [2, 3], [1, 1, 1, 1, 2, 4])),
  ],
  trapezoid: () => areaSamples,
  cumulativeTrapezoid: () => areaSamples,
} satisfies Record<string, () => readonly Sample[]>
