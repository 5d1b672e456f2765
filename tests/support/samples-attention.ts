/**
 * Samples of attention: every flag, dtype and kind of mask, sizes that do not fill a block, and layouts of heads; and large
 * ones with several blocks of queries and keys.
 */
import { floats, type Sample, sample } from './sample-kinds.js'
import { randomSpec, spec, type TensorSpec, withLayout } from './tensor-spec.js'

const operands = (
  q: readonly number[],
  k: readonly number[],
  v: readonly number[],
  dtype: TensorSpec['dtype'] = 'f32',
): TensorSpec[] => [q, k, v].map((shape, i) => randomSpec(i + 1, dtype, shape))

const small = operands([2, 3, 4], [2, 5, 4], [2, 5, 6])

/** Row 1 is fully masked. */
const seen = spec('bool', [3, 5], [1, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0])
const added = spec('f32', [3, 5], [0, 1, -1, 0.5, -1 / 0, -1 / 0, -1 / 0, -1 / 0, -1 / 0, -1 / 0, 0, -30, 2, 0, 0])

export const attentionSamples = {
  scaledDotProductAttention: (): Sample[] => [
    sample('plain', ...small),
    sample('causal', ...operands([2, 7, 4], [2, 7, 4], [2, 7, 3]), { isCausal: true }),
    sample('causal, more queries', ...operands([7, 4], [5, 4], [5, 3]), { isCausal: true }),
    sample('causal, more keys', ...operands([3, 4], [9, 4], [9, 3]), { isCausal: true }),
    sample('bool mask', ...small, { attnMask: seen }),
    sample('added mask', ...small, { attnMask: added }),
    sample('mask per row', ...small, { attnMask: spec('bool', [2, 3, 1], [1, 1, 0, 0, 1, 1]) }),
    sample('mask per key', ...small, { attnMask: randomSpec(4, 'f32', [5]) }),
    sample('scale', ...small, { scale: 0.3 }),
    sample('negative scale', ...small, { scale: -2 }),
    sample('large scores', ...operands([2, 3, 4], [2, 5, 4], [2, 5, 6]), { scale: 60 }),
    sample('grouped', ...operands([2, 6, 3, 4], [2, 2, 5, 4], [2, 2, 5, 3]), { enableGqa: true }),
    sample('grouped, causal', ...operands([4, 7, 4], [2, 7, 4], [2, 7, 4]), { enableGqa: true, isCausal: true }),
    sample('grouped, mask', ...operands([4, 3, 4], [2, 5, 4], [2, 5, 4]), {
      enableGqa: true,
      attnMask: randomSpec(4, 'bool', [4, 1, 5]),
    }),
    sample('grouped, one mask', ...operands([4, 3, 4], [2, 5, 4], [2, 5, 4]), { enableGqa: true, attnMask: seen }),
    sample('broadcast batches', ...operands([2, 1, 3, 4], [3, 5, 4], [2, 3, 5, 4])),
    sample('matrices', ...operands([3, 4], [5, 4], [5, 2])),
    sample('one query', ...operands([2, 1, 4], [2, 9, 4], [2, 9, 4])),
    sample('one key', ...operands([2, 3, 4], [2, 1, 4], [2, 1, 4])),
    sample('one of each', ...operands([1, 1], [1, 1], [1, 1])),
    sample('depth of one', ...operands([4, 5, 1], [4, 3, 1], [4, 3, 1]), { isCausal: true }),
    sample('no keys', ...operands([3, 4], [0, 4], [0, 2])),
    sample('no queries', ...operands([0, 4], [3, 4], [3, 2])),
    sample('no depth', ...operands([3, 0], [5, 0], [5, 2])),
    sample('odd sizes', ...operands([2, 19, 7], [2, 23, 7], [2, 23, 9])),
    sample(
      'heads inside',
      ...(
        [
          [2, 3],
          [2, 5],
          [2, 5],
        ] as const
      ).map(([n, l], i) => withLayout(randomSpec(i + 1, 'f32', [n, 2, l, 4]), 'transposed')),
    ),
    sample('wide heads', ...operands([3, 260], [5, 260], [5, 3]), { isCausal: true }),
    sample('wide heads, mask', ...operands([3, 3], [5, 3], [5, 260]), { attnMask: seen }),
    ...floats.map(dtype => sample(dtype, ...operands([2, 5, 8], [2, 6, 8], [2, 6, 8], dtype))),
    ...floats.map(dtype =>
      sample(`${dtype} causal`, ...operands([2, 6, 8], [2, 6, 8], [2, 6, 4], dtype), { isCausal: true }),
    ),
    sample('f16, f32 mask', ...operands([3, 4], [5, 4], [5, 4], 'f16'), { attnMask: added }),
    sample('bf16, bf16 mask', ...operands([3, 4], [5, 4], [5, 4], 'bf16'), { attnMask: randomSpec(4, 'bf16', [3, 5]) }),
  ],
  attentionDropout: (): Sample[] => [
    sample('plain', 7n, 0n, ...small, null, 0.3),
    sample('causal', 7n, 5n, ...operands([2, 7, 4], [2, 7, 4], [2, 7, 3]), null, 0.5, true),
    sample('bool mask', 1n, 0n, ...small, seen, 0.4),
    sample('grouped', 3n, 4n, ...operands([2, 6, 3, 4], [2, 2, 5, 4], [2, 2, 5, 3]), {
      enableGqa: true,
      dropoutP: 0.3,
      scale: 0.2,
    }),
    sample('depth of one', 7n, 0n, ...operands([4, 5, 1], [4, 3, 1], [4, 3, 1]), null, 0.3, true),
    sample('all', 7n, 0n, ...small, { dropoutP: 1 }),
    sample('none', 7n, 0n, ...small, { dropoutP: 0 }),
    sample('broadcast batches', 9n, 1n, ...operands([2, 1, 3, 4], [3, 5, 4], [2, 3, 5, 4]), null, 0.5),
    sample('one query', 9n, 2n, ...operands([2, 1, 4], [2, 9, 4], [2, 9, 4]), null, 0.5),
    sample('no keys', 9n, 2n, ...operands([3, 4], [0, 4], [0, 2]), null, 0.5),
    sample('odd sizes', 9n, 2n ** 40n, ...operands([2, 19, 7], [2, 23, 7], [2, 23, 9]), null, 0.1),
    sample('wide heads', 9n, 2n, ...operands([3, 260], [5, 260], [5, 3]), null, 0.5),
    ...floats.map(dtype => sample(dtype, 2n, 0n, ...operands([2, 5, 8], [2, 6, 8], [2, 6, 8], dtype), null, 0.2)),
  ],
  attentionLse: (): Sample[] => [
    sample('plain', 0n, 0n, ...small),
    sample('causal', 0n, 0n, ...operands([2, 7, 4], [2, 7, 4], [2, 7, 3]), null, 0, true),
    sample('bool mask', 0n, 0n, ...small, { attnMask: seen }),
    sample('added mask', 0n, 0n, ...small, { attnMask: added }),
    sample('large scores', 0n, 0n, ...small, { scale: 60 }),
    sample('negative scale', 0n, 0n, ...small, { scale: -2 }),
    sample('grouped', 0n, 0n, ...operands([2, 6, 3, 4], [2, 2, 5, 4], [2, 2, 5, 3]), { enableGqa: true }),
    sample('dropout', 7n, 5n, ...small, null, 0.3),
    sample('grouped, causal, dropout', 7n, 5n, ...operands([4, 7, 4], [2, 7, 4], [2, 7, 4]), {
      dropoutP: 0.3,
      isCausal: true,
      enableGqa: true,
    }),
    sample('one query', 0n, 0n, ...operands([2, 1, 4], [2, 9, 4], [2, 9, 4])),
    sample('one of each', 0n, 0n, ...operands([1, 1], [1, 1], [1, 1])),
    sample('depth of one', 7n, 0n, ...operands([4, 5, 1], [4, 3, 1], [4, 3, 1]), null, 0.3, true),
    sample('no keys', 0n, 0n, ...operands([3, 4], [0, 4], [0, 2])),
    sample('no queries', 0n, 0n, ...operands([0, 4], [3, 4], [3, 2])),
    sample('odd sizes', 0n, 0n, ...operands([2, 19, 7], [2, 23, 7], [2, 23, 9])),
    sample('wide heads, mask', 0n, 0n, ...operands([3, 3], [5, 3], [5, 260]), { attnMask: seen }),
    sample('wide heads, no keys', 0n, 0n, ...operands([3, 260], [0, 260], [0, 2])),
    ...floats.map(dtype => sample(dtype, 0n, 0n, ...operands([2, 5, 8], [2, 6, 8], [2, 6, 8], dtype))),
  ],
} satisfies Record<string, () => readonly Sample[]>

const dtypes = ['f32', 'f16', 'bf16'] as const
const forms = ['plain', 'causal', 'bool', 'added'] as const

/** Queries, keys, depth, columns of values, heads, heads that share keys: several blocks of keys, and partial blocks. */
export const attentionSizes: readonly (readonly [number, number, number, number, number, number])[] = [
  [70, 300, 64, 64, 2, 1],
  [130, 130, 128, 128, 1, 1],
  [33, 200, 256, 256, 1, 1],
  [65, 190, 40, 24, 4, 2],
  [1, 500, 96, 96, 6, 3],
]

/** Each size in each dtype, with the masks in rotation. */
export const largeAttentionSamples = (): Sample[] =>
  attentionSizes.flatMap(([queries, keys, depth, columns, heads, group], i) =>
    dtypes.map((dtype, d) => {
      const form = forms[(i + d) % forms.length]!
      const shapes = [
        [1, heads, queries, depth],
        [1, heads / group, keys, depth],
        [1, heads / group, keys, columns],
      ] as const
      const mask =
        form === 'bool' || form === 'added' ? randomSpec(4, form === 'bool' ? form : dtype, [queries, keys]) : null
      const options = {
        ...(form === 'causal' ? { isCausal: true } : {}),
        ...(group > 1 ? { enableGqa: true } : {}),
        ...(mask === null ? {} : { attnMask: mask }),
      }
      return sample(`${dtype} ${shapes.join(', ')}, ${form}`, ...operands(...shapes, dtype), options)
    }),
  )
