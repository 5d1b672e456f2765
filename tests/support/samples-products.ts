/** Samples of tensor products other than matmuls of two matrices. */
import { floats, matrixDtypes, product, type Sample, sample } from './sample-kinds.js'
import { randomSpec, spec } from './tensor-spec.js'

const random = (...shapes: readonly (readonly number[])[]) => shapes.map((shape, i) => randomSpec(i + 1, 'f32', shape))

const addSamples = (input: readonly number[], a: readonly number[], c: readonly number[]): Sample[] => [
  sample('plain', ...random(input, a, c)),
  sample('factors', ...random(input, a, c), { beta: 0.5, alpha: -2 }),
  sample('NaN ignored', spec('f32', [1], [Number.NaN]), ...random(a, c), { beta: 0 }),
  ...([...floats, 'i32', 'i64'] as const).map(dtype =>
    sample(dtype, ...[input, a, c].map((shape, i) => randomSpec(i + 1, dtype, shape)), { alpha: 3 }),
  ),
]

const equation = (text: string, ...shapes: readonly (readonly number[])[]): Sample =>
  sample(text, text, ...random(...shapes))

export const productSamples = {
  addmm: () => [...addSamples([3, 5], [3, 4], [4, 5]), sample('bias', ...random([5], [3, 4], [4, 5]))],
  baddbmm: () => addSamples([2, 3, 5], [2, 3, 4], [2, 4, 5]),
  addbmm: () => addSamples([3, 5], [2, 3, 4], [2, 4, 5]),
  addmv: () => addSamples([3], [3, 4], [4]),
  einsum: () => [
    equation('ij,jk->ik', [3, 4], [4, 5]),
    equation('bij,bjk->bik', [2, 3, 4], [2, 4, 5]),
    equation('bhid,bhjd->bhij', [2, 2, 3, 4], [2, 2, 5, 4]),
    equation('ij->ji', [3, 4]),
    equation('ij->', [3, 4]),
    equation('ii->i', [4, 4]),
    equation('ii', [4, 4]),
    equation('i,j', [3], [4]),
    equation('ij,jk,kl->il', [2, 3], [3, 4], [4, 5]),
    equation('...ij,...jk->...ik', [2, 3, 4], [4, 5]),
    equation('...i,...i->...', [2, 1, 4], [3, 4]),
    equation('ij,kj->ikj', [2, 4], [3, 4]),
    equation('ij,ij->i', [3, 4], [3, 4]),
    equation('ij,k->i', [3, 4], [5]),
    equation('ij,jk->ik', [3, 0], [0, 5]),
    ...matrixDtypes.map(dtype =>
      sample(dtype, 'ij,jk->ik', randomSpec(1, dtype, [3, 4]), randomSpec(2, dtype, [4, 2])),
    ),
  ],
  outer: () => [product([3], [4]), product([1], [5]), product([3], [4], 'i32'), product([3], [4], 'f16')],
  inner: () => [product([4], [4]), product([2, 4], [3, 4]), product([], [3]), product([2, 4], [4], 'i64')],
  tensordot: () => [
    product([2, 3, 4], [3, 4, 5]),
    product([2, 3], [4], 'f32', 0),
    product([2, 3, 4], [4, 5], 'f32', 1),
    product([2, 3, 4], [4, 2, 5], 'f32', [
      [0, -1],
      [1, 0],
    ]),
    product([2, 3], [3, 2], 'bf16', 1),
  ],
  kron: () => [
    product([2, 3], [4, 5]),
    product([3], [2]),
    product([2, 3], [4]),
    product([], [3]),
    product([2], [3], 'i8'),
    product([2], [3], 'f16'),
  ],
  multiDot: () => [
    sample('three', [...random([2, 3], [3, 5], [5, 4])]),
    sample('four', [...random([9, 1], [1, 8], [8, 2], [2, 7])]),
    sample('vectors', [...random([3], [3, 5], [5])]),
    sample('vector last', [...random([2, 3], [3])]),
    sample('i64', [
      ...[
        [2, 3],
        [3, 2],
        [2, 2],
      ].map((shape, i) => randomSpec(i, 'i64', shape)),
    ]),
    sample('f16', [
      ...[
        [2, 3],
        [3, 2],
        [2, 2],
      ].map((shape, i) => randomSpec(i, 'f16', shape)),
    ]),
  ],
  matrixPower: () => [
    ...[0, 1, 2, 3, 6].map(n => sample(`${n}`, ...random([4, 4]), n)),
    sample('batch', ...random([2, 3, 3]), 3),
    sample('i32', randomSpec(1, 'i32', [3, 3]), 4),
    sample('bf16', randomSpec(1, 'bf16', [3, 3]), 2),
  ],
  vecdot: () => [
    product([4], [4]),
    product([2, 3, 4], [3, 4]),
    sample('dim', ...random([2, 3, 4], [2, 3, 1]), { dim: 1 }),
    product([3, 7], [7], 'i32'),
    product([3, 7], [7], 'f16'),
  ],
  cross: () => [
    product([3], [3]),
    product([2, 3], [2, 3]),
    product([4, 3], [3], 'f16'),
    sample('dim', ...random([3, 3, 2], [3, 3, 2]), { dim: 1 }),
    product([5, 3], [5, 3], 'i8'),
  ],
  addr: () => [
    sample('plain', ...random([3, 4], [3], [4])),
    sample('factors', ...random([4], [3], [4]), { beta: 0.5, alpha: -2 }),
    sample('NaN ignored', spec('f32', [], [Number.NaN]), ...random([3], [4]), { beta: 0 }),
    ...(['f16', 'i32'] as const).map(dtype =>
      sample(dtype, ...[[3, 4], [3], [4]].map((shape, i) => randomSpec(i, dtype, shape)), { alpha: 3 }),
    ),
  ],
  bilinear: () => [
    sample('vectors', ...random([3], [4], [5, 3, 4])),
    sample('rows', ...random([2, 3], [2, 4], [5, 3, 4]), { bias: randomSpec(4, 'f32', [5]) }),
    sample('two dims', ...random([2, 6, 3], [2, 6, 4], [1, 3, 4])),
    ...floats.map(dtype =>
      sample(
        dtype,
        ...[
          [2, 3],
          [2, 4],
          [5, 3, 4],
        ].map((shape, i) => randomSpec(i, dtype, shape)),
      ),
    ),
  ],
  vander: () => [
    sample('square', randomSpec(1, 'f32', [4])),
    sample('wide', randomSpec(1, 'f64', [3]), 6),
    sample('increasing', randomSpec(1, 'f32', [5]), 3, true),
    sample('integers', spec('i32', [3], [1, -2, 3])),
    sample('no powers', randomSpec(1, 'f32', [3]), 0),
    sample('bf16', randomSpec(1, 'bf16', [3]), 3),
  ],
} satisfies Record<string, () => readonly Sample[]>
