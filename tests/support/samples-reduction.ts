/** Samples of reductions and normalisations. */
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
import { arg, randomSpec, spec, withLayout } from './tensor-spec.js'

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
} satisfies Record<string, () => readonly Sample[]>
