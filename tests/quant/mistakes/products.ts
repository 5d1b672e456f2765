/** Mistakes of products of two operands, and of groups of them. */
import { gone, type Mistake, type Tools, table } from './table.js'

/** [4, 32], but for some parts. */
const nvfp4 = (t: Tools, changes: object): object => ({ ...t.pack([4, 32], 'nvfp4'), ...changes })

export const products: readonly Mistake[] = [
  ...(['scaledMatmul', 'dualMatmul'] as const).flatMap(op => {
    const isDual = op === 'dualMatmul'
    const more = (t: Tools, b: unknown = t.w): unknown[] => (isDual ? [b] : [])
    const [bias, b, added] = isDual ? ['bias2', 'b1', 'bias2'] : ['bias', 'b', 'the bias']
    return table(op, [
      [
        'scales',
        t => [t.x, nvfp4(t, { scales: t.zeros([4, 3], 'u8') }), ...more(t)],
        'ShapeError',
        'linear scales [4, 3] of values [4, 16] must be [4, 2]',
        'every 16',
      ],
      [
        'scales said to be blocked',
        t => [t.x, nvfp4(t, { layout: 'blocked' }), ...more(t)],
        'ShapeError',
        'blocked scales [4, 2] of values [4, 16] must be [512]',
        'toBlocked',
      ],
      [
        'scales of floats',
        t => [t.x, nvfp4(t, { scales: t.zeros([4, 2]) }), ...more(t)],
        'DtypeError',
        'e4m3 scales are f32, not u8',
        'u8',
      ],
      [
        'codes of i32',
        t => [t.x, nvfp4(t, { values: t.zeros([4, 16], 'i32') }), ...more(t)],
        'DtypeError',
        'values of e2m1 are i32, not u8',
        'u8',
      ],
      [
        'no factor',
        t => [t.x, nvfp4(t, { tensorScale: null }), ...more(t)],
        'ArgumentError',
        `${b} (nvfp4) has no tensor scale`,
        'factor',
      ],
      ['b number', t => [t.x, 3, ...more(t)], 'ArgumentError', `${b} is the number 3, neither`, 'quantize'],
      ['undefined', () => [], 'ArgumentError', 'a is missing'],
      [
        'K',
        t => [t.zeros([3, 64]), t.w, ...more(t)],
        'ShapeError',
        'K differs, a [3, 64] and b [4, 32] (b is [N, K]) (64 ≠ 32)',
        'last dim',
      ],
      ['0-d', t => [t.zeros([]), t.w, ...more(t)], 'ShapeError', 'a [] and b [4, 32] are no [… , M, K] and [… , N, K]'],
      [
        'b 1-d',
        t => [t.x, t.zeros([32]), ...more(t)],
        'ShapeError',
        'a [3, 32] and b [32] are no [… , M, K] and [… , N, K]',
      ],
      [
        'b string',
        t => [t.x, 'w', ...more(t)],
        'ArgumentError',
        `${b} is the string "w", neither a tensor nor a quantised tensor`,
      ],
      [
        'b null',
        t => [t.x, null, ...more(t)],
        'ArgumentError',
        `${b} is null, neither a tensor nor a quantised tensor`,
      ],
      ['b {}', t => [t.x, {}, ...more(t)], 'ArgumentError', isDual ? 'b1 is an empty object, neither' : 'b is missing'],
      [
        'batch',
        t => [t.zeros([2, 3, 32]), t.zeros([3, 4, 32]), ...more(t, t.zeros([3, 4, 32]))],
        'ShapeError',
        'shapes [2] and [3] do not broadcast in dim 0 (2 ≠ 3)',
      ],
      [
        'i32',
        t => [t.zeros([3, 32], 'i32'), t.w, ...more(t)],
        'DtypeError',
        'multiplies f32, f16, bf16 and quantised tensors, got i32',
      ],
      [
        'f64',
        t => [t.zeros([3, 32], 'f64'), t.w, ...more(t)],
        'DtypeError',
        'multiplies f32, f16, bf16 and quantised tensors, got f64',
        'cast',
      ],
      [
        'bias',
        t => [t.x, t.w, ...more(t), { [bias]: t.zeros([5]) }],
        'ShapeError',
        'the bias [5] does not fit 4 columns (5 ≠ 4)',
        '[N]',
      ],
      [
        'bias 2-d',
        t => [t.x, t.w, ...more(t), { [bias]: t.zeros([1, 4]) }],
        'ShapeError',
        'the bias [1, 4] does not fit 4 columns',
      ],
      [
        'bias i32',
        t => [t.x, t.w, ...more(t), { [bias]: t.zeros([4], 'i32') }],
        'DtypeError',
        'the bias is i32, not a float',
      ],
      [
        'bias number',
        t => [t.x, t.w, ...more(t), { [bias]: 3 }],
        'ArgumentError',
        `${added} is the number 3, not a tensor`,
      ],
      [
        'bias array',
        t => [t.x, t.w, ...more(t), { [bias]: [1, 2, 3, 4] }],
        'ArgumentError',
        `${added} is [1, 2, 3, 4], not a tensor`,
      ],
      ['bias disposed', t => [t.x, t.w, ...more(t), { [bias]: gone(t.zeros([4])) }], 'DisposedError', 'was disposed'],
      ['outDtype', t => [t.x, t.w, ...more(t), { outDtype: 'i32' }], 'ArgumentError', 'outDtype i32 is not a float'],
      [
        'outDtype foo',
        t => [t.x, t.w, ...more(t), { outDtype: 'foo' }],
        'ArgumentError',
        'outDtype is "foo", not one of',
      ],
      ['option', t => [t.x, t.w, ...more(t), { out: t.x }], 'ArgumentError', "no parameter 'out'"],
      ['options null', t => [t.x, t.w, ...more(t), null], 'ArgumentError', 'takes at most '],
      ['disposed', t => [gone(t.x), t.w, ...more(t)], 'DisposedError', 'was disposed'],
      [
        'disposed scales',
        t => [t.x, { ...t.w, scales: gone(t.w.scales) }, ...more(t, t.pack([4, 32]))],
        'DisposedError',
        'was disposed',
      ],
    ])
  }),
  ...table('dualMatmul', [
    ['b2 N', t => [t.x, t.w, t.pack([5, 32])], 'ShapeError', 'b1 and b2 give 4 and 5 columns (4 ≠ 5)', 'rows'],
    ['b2 missing', t => [t.x, t.w], 'ArgumentError', 'b2 is missing'],
    ['activation', t => [t.x, t.w, t.w, { activation: 'tanh' }], 'ArgumentError', 'activation is "tanh", not ', 'silu'],
    ['activation null', t => [t.x, t.w, t.w, { activation: null }], 'ArgumentError', 'activation is null, not '],
  ]),
  ...table('groupedMatmul', [
    ['undefined', () => [], 'ArgumentError', 'groups is missing'],
    ['object', t => [{ a: t.x, b: t.w }], 'ArgumentError', "no parameter 'a'", 'groups'],
    ['[]', () => [[]], 'ArgumentError', 'no groups', 'a list'],
    ['[null]', () => [[null]], 'ArgumentError', 'group 0 is not an object'],
    ['[undefined]', () => [[undefined]], 'ArgumentError', 'group 0 is not an object'],
    ['[tensor]', t => [[t.x]], 'ArgumentError', "group 0: no option 'dtype'"],
    ['no a', t => [[{ b: t.w }]], 'ArgumentError', 'group 0: a is undefined, neither a tensor nor a quantised tensor'],
    ['no b', t => [[{ a: t.x }]], 'ArgumentError', 'group 0: b is undefined, neither a tensor nor a quantised tensor'],
    [
      'a null',
      t => [[{ a: null, b: t.w }]],
      'ArgumentError',
      'group 0: a is null, neither a tensor nor a quantised tensor',
    ],
    ['out null', t => [[{ a: t.x, b: t.w, out: null }]], 'ArgumentError', 'group 0: out is null, not a tensor'],
    ['out array', t => [[{ a: t.x, b: t.w, out: [1] }]], 'ArgumentError', 'group 0: out is [1], not a tensor'],
    [
      'out quantised',
      t => [[{ a: t.x, b: t.w, out: t.w }]],
      'ArgumentError',
      'group 0: out is a quantised tensor, not a tensor',
    ],
    [
      'out i32',
      t => [[{ a: t.x, b: t.w, out: t.zeros([3, 4], 'i32') }]],
      'DtypeError',
      'group 0: out is i32, not a float',
      'f16',
    ],
    [
      'out shape',
      t => [[{ a: t.x, b: t.w, out: t.zeros([4, 4]) }]],
      'ShapeError',
      'group 0: out is [4, 4], the product [3, 4] (4 ≠ 3)',
      'make it',
    ],
    [
      'out dims',
      t => [[{ a: t.x, b: t.w, out: t.zeros([1, 3, 4]) }]],
      'ShapeError',
      'group 0: out is [1, 3, 4], the product [3, 4]',
    ],
    ['out disposed', t => [[{ a: t.x, b: t.w, out: gone(t.zeros([3, 4])) }]], 'DisposedError', 'was disposed'],
    [
      'out expanded',
      t => [[{ a: t.x, b: t.w, out: t.zeros([1, 4]).expand([3, 4]) }]],
      'ArgumentError',
      'elements of out 0 share memory',
      'its own',
    ],
    [
      'out is a',
      t => {
        const a = t.zeros([4, 32])
        return [[{ a, b: t.pack([32, 32]), out: a }]]
      },
      'ArgumentError',
      'out 0 shares memory with an operand',
      'its own',
    ],
    [
      'out in bias scale',
      t => {
        const s = t.zeros([4, 32])
        return [
          [
            {
              a: t.x,
              b: { ...t.pack([4, 32], 'fp8e4m3'), scales: s.select(0, 0).select(0, 0) },
              out: s.slice([0, 3], [0, 4]),
            },
          ],
        ]
      },
      'ArgumentError',
      'out 0 shares memory with an operand',
    ],
    [
      'out twice',
      t => {
        const out = t.zeros([3, 4])
        return [
          [
            { a: t.x, b: t.w, out },
            { a: t.x, b: t.w, out },
          ],
        ]
      },
      'ArgumentError',
      'outs 0 and 1 share memory',
    ],
    [
      'outs overlap',
      t => {
        const out = t.zeros([5, 4])
        return [
          [
            { a: t.x, b: t.w, out: out.slice([0, 3]) },
            { a: t.x, b: t.w, out: out.slice([2, 5]) },
          ],
        ]
      },
      'ArgumentError',
      'outs 0 and 1 share memory',
      'its own',
    ],
    [
      'out is other group operand',
      t => {
        const a = t.zeros([3, 32])
        return [
          [
            { a, b: t.w },
            { a: t.zeros([3, 32]), b: t.pack([32, 32]), out: a },
          ],
        ]
      },
      'ArgumentError',
      'out 1 shares memory with an operand',
    ],
    [
      'K',
      t => [
        [
          { a: t.x, b: t.w, out: t.zeros([3, 4]) },
          { a: t.zeros([3, 64]), b: t.w },
        ],
      ],
      'ShapeError',
      'group 1: K differs, a [3, 64] and b [4, 32] (b is [N, K]) (64 ≠ 32)',
      'last dim',
    ],
    [
      'b 1-d',
      t => [
        [
          { a: t.x, b: t.w, out: t.zeros([3, 4]) },
          { a: t.x, b: t.zeros([32]) },
        ],
      ],
      'ShapeError',
      'group 1: a [3, 32] and b [32] are no [… , M, K] and [… , N, K]',
    ],
    [
      'a i32',
      t => [
        [
          { a: t.x, b: t.w, out: t.zeros([3, 4]) },
          { a: t.zeros([3, 32], 'i32'), b: t.w },
        ],
      ],
      'DtypeError',
      'group 1: multiplies f32, f16, bf16 and quantised tensors, got i32',
    ],
    [
      'scales',
      t => [
        [
          { a: t.x, b: t.w, out: t.zeros([3, 4]) },
          { a: t.x, b: { ...t.w, scales: t.zeros([4, 3], 'u8') } },
        ],
      ],
      'ShapeError',
      'group 1: linear scales [4, 3] of values [4, 32] must be [4, 1] (3 ≠ 1)',
    ],
    [
      'batches',
      t => [
        [
          { a: t.x, b: t.w, out: t.zeros([3, 4]) },
          { a: t.zeros([2, 3, 32]), b: t.zeros([3, 4, 32]) },
        ],
      ],
      'ShapeError',
      'group 1: shapes [2] and [3] do not broadcast in dim 0 (2 ≠ 3)',
    ],
    [
      'disposed later',
      t => [
        [
          { a: t.x, b: t.w, out: t.zeros([3, 4]) },
          { a: gone(t.zeros([3, 32])), b: t.w },
        ],
      ],
      'DisposedError',
      'was disposed',
    ],
    [
      'strategy',
      t => [[{ a: t.x, b: t.w }], { strategy: 'fast' }],
      'ArgumentError',
      "strategy is \"fast\", not 'auto', 'sequential'",
    ],
    ['strategy null', t => [[{ a: t.x, b: t.w }], { strategy: null }], 'ArgumentError', 'strategy is null, not '],
    ['outDtype', t => [[{ a: t.x, b: t.w }], { outDtype: 'i8' }], 'ArgumentError', 'outDtype i8 is not a float'],
    ['option', t => [[{ a: t.x, b: t.w }], { bias: 1 }], 'ArgumentError', "no parameter 'bias'"],
    ['key', t => [[{ a: t.x, b: t.w, bias: 1 }]], 'ArgumentError', "group 0: no option 'bias'"],
  ]),
]
