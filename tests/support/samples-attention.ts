/**
 * Samples of attention: every flag, dtype and kind of mask, sizes that do not fill a block, and layouts of heads; and large
 * ones with several blocks of queries and keys.
 */
import { floats, type Sample, sample } from './sample-kinds.js'
import { arg, randomSpec, spec, type TensorSpec, withLayout } from './tensor-spec.js'

const operands = (
  q: readonly number[],
  k: readonly number[],
  v: readonly number[],
  dtype: TensorSpec['dtype'] = 'f32',
): TensorSpec[] => [q, k, v].map((shape, i) => randomSpec(i + 1, dtype, shape))

const all = [arg(0), arg(1), arg(2)]
const masked = [...all, { attnMask: arg(3) }]
const small = operands([2, 3, 4], [2, 5, 4], [2, 5, 6])

/** Row 1 is fully masked. */
const seen = spec('bool', [3, 5], [1, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0])
const added = spec('f32', [3, 5], [0, 1, -1, 0.5, -1 / 0, -1 / 0, -1 / 0, -1 / 0, -1 / 0, -1 / 0, 0, -30, 2, 0, 0])

export const attentionSamples = {
  scaledDotProductAttention: (): Sample[] => [
    sample('plain', small, all),
    sample('causal', operands([2, 7, 4], [2, 7, 4], [2, 7, 3]), [...all, { isCausal: true }]),
    sample('causal, more queries', operands([7, 4], [5, 4], [5, 3]), [...all, { isCausal: true }]),
    sample('causal, more keys', operands([3, 4], [9, 4], [9, 3]), [...all, { isCausal: true }]),
    sample('bool mask', [...small, seen], masked),
    sample('added mask', [...small, added], masked),
    sample('mask per row', [...small, spec('bool', [2, 3, 1], [1, 1, 0, 0, 1, 1])], masked),
    sample('mask per key', [...small, randomSpec(4, 'f32', [5])], masked),
    sample('scale', small, [...all, { scale: 0.3 }]),
    sample('negative scale', small, [...all, { scale: -2 }]),
    sample('large scores', operands([2, 3, 4], [2, 5, 4], [2, 5, 6]), [...all, { scale: 60 }]),
    sample('grouped', operands([2, 6, 3, 4], [2, 2, 5, 4], [2, 2, 5, 3]), [...all, { enableGqa: true }]),
    sample('grouped, causal', operands([4, 7, 4], [2, 7, 4], [2, 7, 4]), [...all, { enableGqa: true, isCausal: true }]),
    sample(
      'grouped, mask',
      [...operands([4, 3, 4], [2, 5, 4], [2, 5, 4]), randomSpec(4, 'bool', [4, 1, 5])],
      [...all, { enableGqa: true, attnMask: arg(3) }],
    ),
    sample(
      'grouped, one mask',
      [...operands([4, 3, 4], [2, 5, 4], [2, 5, 4]), seen],
      [...all, { enableGqa: true, attnMask: arg(3) }],
    ),
    sample('broadcast batches', operands([2, 1, 3, 4], [3, 5, 4], [2, 3, 5, 4]), all),
    sample('matrices', operands([3, 4], [5, 4], [5, 2]), all),
    sample('one query', operands([2, 1, 4], [2, 9, 4], [2, 9, 4]), all),
    sample('one key', operands([2, 3, 4], [2, 1, 4], [2, 1, 4]), all),
    sample('one of each', operands([1, 1], [1, 1], [1, 1]), all),
    sample('depth of one', operands([4, 5, 1], [4, 3, 1], [4, 3, 1]), [...all, { isCausal: true }]),
    sample('no keys', operands([3, 4], [0, 4], [0, 2]), all),
    sample('no queries', operands([0, 4], [3, 4], [3, 2]), all),
    sample('no depth', operands([3, 0], [5, 0], [5, 2]), all),
    sample('odd sizes', operands([2, 19, 7], [2, 23, 7], [2, 23, 9]), all),
    sample(
      'heads inside',
      (
        [
          [2, 3],
          [2, 5],
          [2, 5],
        ] as const
      ).map(([n, l], i) => withLayout(randomSpec(i + 1, 'f32', [n, 2, l, 4]), 'transposed')),
      all,
    ),
    sample('wide heads', operands([3, 260], [5, 260], [5, 3]), [...all, { isCausal: true }]),
    sample('wide heads, mask', [...operands([3, 3], [5, 3], [5, 260]), seen], masked),
    ...floats.map(dtype => sample(dtype, operands([2, 5, 8], [2, 6, 8], [2, 6, 8], dtype), all)),
    ...floats.map(dtype =>
      sample(`${dtype} causal`, operands([2, 6, 8], [2, 6, 8], [2, 6, 4], dtype), [...all, { isCausal: true }]),
    ),
    sample('f16, f32 mask', [...operands([3, 4], [5, 4], [5, 4], 'f16'), added], masked),
    sample('bf16, bf16 mask', [...operands([3, 4], [5, 4], [5, 4], 'bf16'), randomSpec(4, 'bf16', [3, 5])], masked),
  ],
  attentionDropout: (): Sample[] => [
    sample('plain', small, [7n, 0n, ...all, null, 0.3]),
    sample('causal', operands([2, 7, 4], [2, 7, 4], [2, 7, 3]), [7n, 5n, ...all, null, 0.5, true]),
    sample('bool mask', [...small, seen], [1n, 0n, ...all, arg(3), 0.4]),
    sample('grouped', operands([2, 6, 3, 4], [2, 2, 5, 4], [2, 2, 5, 3]), [
      3n,
      4n,
      ...all,
      { enableGqa: true, dropoutP: 0.3, scale: 0.2 },
    ]),
    sample('depth of one', operands([4, 5, 1], [4, 3, 1], [4, 3, 1]), [7n, 0n, ...all, null, 0.3, true]),
    sample('all', small, [7n, 0n, ...all, { dropoutP: 1 }]),
    sample('none', small, [7n, 0n, ...all, { dropoutP: 0 }]),
    sample('broadcast batches', operands([2, 1, 3, 4], [3, 5, 4], [2, 3, 5, 4]), [9n, 1n, ...all, null, 0.5]),
    sample('one query', operands([2, 1, 4], [2, 9, 4], [2, 9, 4]), [9n, 2n, ...all, null, 0.5]),
    sample('no keys', operands([3, 4], [0, 4], [0, 2]), [9n, 2n, ...all, null, 0.5]),
    sample('odd sizes', operands([2, 19, 7], [2, 23, 7], [2, 23, 9]), [9n, 2n ** 40n, ...all, null, 0.1]),
    sample('wide heads', operands([3, 260], [5, 260], [5, 3]), [9n, 2n, ...all, null, 0.5]),
    ...floats.map(dtype =>
      sample(dtype, operands([2, 5, 8], [2, 6, 8], [2, 6, 8], dtype), [2n, 0n, ...all, null, 0.2]),
    ),
  ],
  attentionLse: (): Sample[] => [
    sample('plain', small, [0n, 0n, ...all]),
    sample('causal', operands([2, 7, 4], [2, 7, 4], [2, 7, 3]), [0n, 0n, ...all, null, 0, true]),
    sample('bool mask', [...small, seen], [0n, 0n, ...masked]),
    sample('added mask', [...small, added], [0n, 0n, ...masked]),
    sample('large scores', small, [0n, 0n, ...all, { scale: 60 }]),
    sample('negative scale', small, [0n, 0n, ...all, { scale: -2 }]),
    sample('grouped', operands([2, 6, 3, 4], [2, 2, 5, 4], [2, 2, 5, 3]), [0n, 0n, ...all, { enableGqa: true }]),
    sample('dropout', small, [7n, 5n, ...all, null, 0.3]),
    sample('grouped, causal, dropout', operands([4, 7, 4], [2, 7, 4], [2, 7, 4]), [
      7n,
      5n,
      ...all,
      { dropoutP: 0.3, isCausal: true, enableGqa: true },
    ]),
    sample('one query', operands([2, 1, 4], [2, 9, 4], [2, 9, 4]), [0n, 0n, ...all]),
    sample('one of each', operands([1, 1], [1, 1], [1, 1]), [0n, 0n, ...all]),
    sample('depth of one', operands([4, 5, 1], [4, 3, 1], [4, 3, 1]), [7n, 0n, ...all, null, 0.3, true]),
    sample('no keys', operands([3, 4], [0, 4], [0, 2]), [0n, 0n, ...all]),
    sample('no queries', operands([0, 4], [3, 4], [3, 2]), [0n, 0n, ...all]),
    sample('odd sizes', operands([2, 19, 7], [2, 23, 7], [2, 23, 9]), [0n, 0n, ...all]),
    sample('wide heads, mask', [...operands([3, 3], [5, 3], [5, 260]), seen], [0n, 0n, ...masked]),
    sample('wide heads, no keys', operands([3, 260], [0, 260], [0, 2]), [0n, 0n, ...all]),
    ...floats.map(dtype => sample(dtype, operands([2, 5, 8], [2, 6, 8], [2, 6, 8], dtype), [0n, 0n, ...all])),
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
        ...(mask === null ? {} : { attnMask: arg(3) }),
      }
      const inputs = [...operands(...shapes, dtype), ...(mask === null ? [] : [mask])]
      return sample(`${dtype} ${shapes.join(', ')}, ${form}`, inputs, [...all, options])
    }),
  )
