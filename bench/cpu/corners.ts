/**
 * Work that is not matmuls or rows, on the CPU, beside PyTorch: order, elements by index, convolutions, windows, copies.
 *
 *     npx tsx bench/cpu/corners.ts [--filter TEXT] [--peer] [--threads N]
 *
 * `--peer` runs the same cases in PyTorch (python3) with as many threads. One JSON line per case: ours and theirs in microseconds.
 */
import '../unnamed.js' // first
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import * as tg from 'tegula'
import { compile, randint, randn, type Tensor } from 'tegula'

/**
 * f: normal f32 of a shape. h: the same in f64. e: in f16. t: f32, its dims reversed in memory. i: i64 below a number.
 * n: i32 below a number. o: f32 near 1. s: sorted f32. l: positive f32. b: bool.
 */
type Input =
  | readonly ['f' | 'h' | 'e' | 't' | 'o' | 'b', ...number[]]
  | readonly ['i' | 'n', number, ...number[]]
  | readonly ['s', number]
  | readonly ['l', number]

interface Corner {
  readonly name: string
  readonly inputs: readonly Input[]
  readonly f: (a: Tensor, b: Tensor, c: Tensor) => unknown
  /** The same in Python, of a, b and c. */
  readonly torch: string
  /** Called without compiling: the result's shape depends on values. */
  readonly eager?: boolean
}

const { values: options } = parseArgs({
  options: {
    filter: { type: 'string', default: '' },
    peer: { type: 'boolean' },
    threads: { type: 'string', default: '2' },
    ms: { type: 'string', default: '150' },
    part: { type: 'string', default: '0/1' },
  },
})

const M = 1_000_000
const corner = (name: string, inputs: readonly Input[], f: Corner['f'], torch: string, eager = false): Corner => ({
  name,
  inputs,
  f,
  torch,
  eager,
})
const conv = (
  name: string,
  x: readonly number[],
  w: readonly number[],
  stride: number,
  padding: number,
  groups = 1,
): Corner => {
  const d = x.length - 2
  return corner(
    name,
    [
      ['f', ...x],
      ['f', ...w],
    ],
    (a, b) =>
      d === 1
        ? a.conv1d(b, null, stride, padding, 1, groups)
        : d === 2
          ? a.conv2d(b, null, stride, padding, 1, groups)
          : a.conv3d(b, null, stride, padding, 1, groups),
    `F.conv${d}d(a, b, None, ${stride}, ${padding}, 1, ${groups})`,
  )
}
const resnet = (batch: number): Corner[] => [
  conv(`conv7x7s2_3_64_b${batch}`, [batch, 3, 224, 224], [64, 3, 7, 7], 2, 3),
  conv(`conv3x3_64_56_b${batch}`, [batch, 64, 56, 56], [64, 64, 3, 3], 1, 1),
  conv(`conv3x3s2_64_128_b${batch}`, [batch, 64, 56, 56], [128, 64, 3, 3], 2, 1),
  conv(`conv1x1s2_64_128_b${batch}`, [batch, 64, 56, 56], [128, 64, 1, 1], 2, 0),
  conv(`conv3x3_128_28_b${batch}`, [batch, 128, 28, 28], [128, 128, 3, 3], 1, 1),
  conv(`conv3x3_256_14_b${batch}`, [batch, 256, 14, 14], [256, 256, 3, 3], 1, 1),
  conv(`conv3x3_512_7_b${batch}`, [batch, 512, 7, 7], [512, 512, 3, 3], 1, 1),
]

const corners: readonly Corner[] = [
  corner('sort_1m', [['f', M]], a => a.sort(), 'a.sort()'),
  corner('sort_values_1m', [['f', M]], a => a.sort().values, 'a.sort()[0]'),
  corner('sort_desc_1m', [['f', M]], a => a.sort(0, true), 'a.sort(descending=True)'),
  corner('argsort_1m', [['f', M]], a => a.argsort(), 'a.argsort()'),
  corner('sort_10000x100', [['f', 10_000, 100]], a => a.sort(), 'a.sort()'),
  corner('sort_100x10000', [['f', 100, 10_000]], a => a.sort(), 'a.sort()'),
  corner('sort_dim0_10000x100', [['f', 10_000, 100]], a => a.sort(0), 'a.sort(0)'),
  corner('sort_1000', [['f', 1000]], a => a.sort(), 'a.sort()'),
  corner('sort_i64_1m', [['i', 1_000_000_000, M]], a => a.sort(), 'a.sort()'),
  corner('sort_i64_small_1m', [['i', 1000, M]], a => a.sort(), 'a.sort()'),
  corner('sort_f64_1m', [['h', M]], a => a.sort(), 'a.sort()'),
  corner('topk10_64x128256', [['f', 64, 128_256]], a => a.topk(10), 'a.topk(10)'),
  corner('topk50_64x128256', [['f', 64, 128_256]], a => a.topk(50), 'a.topk(50)'),
  corner('topk50_1x128256', [['f', 1, 128_256]], a => a.topk(50), 'a.topk(50)'),
  corner('topk10_1m', [['f', M]], a => a.topk(10), 'a.topk(10)'),
  corner('topk1000_1m', [['f', M]], a => a.topk(1000), 'a.topk(1000)'),
  corner('topk2_4096x64', [['f', 4096, 64]], a => a.topk(2), 'a.topk(2)'),
  corner('median_1m', [['f', M]], a => a.median(), 'a.median()'),
  corner('median_dim_1000x1000', [['f', 1000, 1000]], a => a.median(1), 'a.median(1)'),
  corner('quantile_1m', [['f', M]], a => a.quantile(0.9), 'a.quantile(0.9)'),
  corner('kthvalue_1m', [['f', M]], a => a.kthvalue(1000), 'a.kthvalue(1000)'),
  corner('mode_1m', [['i', 1000, M]], a => a.mode(), 'a.mode()'),
  corner(
    'searchsorted_1m',
    [
      ['s', M],
      ['f', M],
    ],
    (a, b) => tg.searchsorted(a, b),
    'torch.searchsorted(a, b)',
  ),
  corner('unique_1m', [['i', 100_000, M]], a => tg.unique(a), 'a.unique()', true),
  corner('nonzero_1m', [['i', 2, M]], a => tg.nonzero(a), 'a.nonzero()', true),
  corner('masked_select_1m', [['f', M]], a => tg.maskedSelect(a, a.gt(0)), 'a.masked_select(a > 0)', true),
  corner('bincount_10m', [['i', 1000, 10 * M]], a => tg.bincount(a), 'a.bincount()', true),
  corner('histc_1m', [['f', M]], a => a.histc(100, -3, 3), 'a.histc(100, -3, 3)'),
  corner('one_hot_10000x1000', [['i', 1000, 10_000]], a => a.oneHot(1000), 'F.one_hot(a, 1000)'),
  corner(
    'index_add_100000x64',
    [
      ['f', 10_000, 64],
      ['i', 10_000, 100_000],
      ['f', 100_000, 64],
    ],
    (a, b, c) => a.indexAdd(0, b, c),
    'a.index_add(0, b, c)',
  ),
  corner(
    'index_add_onto_one',
    [
      ['f', 1, 64],
      ['i', 1, 100_000],
      ['f', 100_000, 64],
    ],
    (a, b, c) => a.indexAdd(0, b, c),
    'a.index_add(0, b, c)',
  ),
  corner(
    'index_add_4096x4096',
    [
      ['f', 1024, 4096],
      ['i', 1024, 4096],
      ['f', 4096, 4096],
    ],
    (a, b, c) => a.indexAdd(0, b, c),
    'a.index_add(0, b, c)',
  ),
  corner(
    'scatter_add_1m',
    [
      ['f', 1000],
      ['i', 1000, M],
      ['f', M],
    ],
    (a, b, c) => a.scatterAdd(0, b, c),
    'a.scatter_add(0, b, c)',
  ),
  corner(
    'scatter_add_1m_wide',
    [
      ['f', M],
      ['i', M, M],
      ['f', M],
    ],
    (a, b, c) => a.scatterAdd(0, b, c),
    'a.scatter_add(0, b, c)',
  ),
  corner(
    'scatter_add_rows',
    [
      ['f', 1000, 1000],
      ['i', 1000, 1000, 1000],
      ['f', 1000, 1000],
    ],
    (a, b, c) => a.scatterAdd(1, b, c),
    'a.scatter_add(1, b, c)',
  ),
  corner(
    'scatter_1m',
    [
      ['f', M],
      ['i', M, M],
      ['f', M],
    ],
    (a, b, c) => a.scatter(0, b, c),
    'a.scatter(0, b, c)',
  ),
  corner(
    'scatter_reduce_amax',
    [
      ['f', 1000],
      ['i', 1000, M],
      ['f', M],
    ],
    (a, b, c) => a.scatterReduce(0, b, c, 'amax'),
    "a.scatter_reduce(0, b, c, 'amax')",
  ),
  corner(
    'index_put_acc_1m',
    [
      ['f', M],
      ['i', M, M],
      ['f', M],
    ],
    (a, b, c) => a.indexPut([b], c, true),
    'a.index_put((b,), c, True)',
  ),
  corner(
    'index_put_rows',
    [
      ['f', 100_000, 64],
      ['i', 100_000, 10_000],
      ['f', 10_000, 64],
    ],
    (a, b, c) => a.indexPut([b], c),
    'a.index_put((b,), c)',
  ),
  corner(
    'index_select_100000x64',
    [
      ['f', 10_000, 64],
      ['i', 10_000, 100_000],
    ],
    (a, b) => a.indexSelect(0, b),
    'a.index_select(0, b)',
  ),
  corner(
    'embedding_4096x512',
    [
      ['f', 30_000, 512],
      ['i', 30_000, 4096],
    ],
    (a, b) => tg.embedding(b, a),
    'F.embedding(b, a)',
  ),
  corner(
    'embedding_4096x4096',
    [
      ['f', 8000, 4096],
      ['i', 8000, 4096],
    ],
    (a, b) => tg.embedding(b, a),
    'F.embedding(b, a)',
  ),
  corner(
    'gather_rows',
    [
      ['f', 1000, 1000],
      ['i', 1000, 1000, 1000],
    ],
    (a, b) => a.gather(1, b),
    'a.gather(1, b)',
  ),
  corner(
    'gather_1m',
    [
      ['f', M],
      ['i', M, M],
    ],
    (a, b) => a.gather(0, b),
    'a.gather(0, b)',
  ),
  corner(
    'take_1m',
    [
      ['f', M],
      ['i', M, M],
    ],
    (a, b) => a.take(b),
    'a.take(b)',
  ),
  corner('cumsum_1m', [['f', M]], a => a.cumsum(0), 'a.cumsum(0)'),
  corner('cumsum_1000x1000', [['f', 1000, 1000]], a => a.cumsum(1), 'a.cumsum(1)'),
  corner('cumsum_dim0', [['f', 1000, 1000]], a => a.cumsum(0), 'a.cumsum(0)'),
  corner('argmax_64x128256', [['f', 64, 128_256]], a => a.argmax(1), 'a.argmax(1)'),
  corner('argmax_1m', [['f', M]], a => a.argmax(), 'a.argmax()'),
  corner('max_dim0', [['f', 1000, 1000]], a => a.max(0), 'a.max(0)'),
  ...resnet(1),
  ...resnet(8),
  conv('depthwise3x3_128_56', [1, 128, 56, 56], [128, 1, 3, 3], 1, 1, 128),
  conv('depthwise5x5_240_28_b8', [8, 240, 28, 28], [240, 1, 5, 5], 1, 2, 240),
  conv('grouped32_256_56', [1, 256, 56, 56], [256, 8, 3, 3], 1, 1, 32),
  conv('conv1x1_256_64_56', [1, 256, 56, 56], [64, 256, 1, 1], 1, 0),
  conv('conv1d_512_k3', [8, 512, 400], [512, 512, 3], 1, 1),
  conv('conv1d_80_384', [1, 80, 3000], [384, 80, 3], 1, 1),
  conv('conv3d_32', [1, 32, 16, 32, 32], [32, 32, 3, 3, 3], 1, 1),
  conv('patch16_768', [1, 3, 224, 224], [768, 3, 16, 16], 16, 0),
  corner(
    'conv_transpose_64_32',
    [
      ['f', 1, 64, 56, 56],
      ['f', 64, 32, 4, 4],
    ],
    (a, b) => a.convTranspose2d(b, null, 2, 1),
    'F.conv_transpose2d(a, b, None, 2, 1)',
  ),
  corner(
    'conv_transpose2x2',
    [
      ['f', 1, 256, 28, 28],
      ['f', 256, 128, 2, 2],
    ],
    (a, b) => a.convTranspose2d(b, null, 2),
    'F.conv_transpose2d(a, b, None, 2)',
  ),
  corner('max_pool3x3s2', [['f', 8, 64, 112, 112]], a => a.maxPool2d(3, 2, 1), 'F.max_pool2d(a, 3, 2, 1)'),
  corner('max_pool2x2', [['f', 8, 64, 56, 56]], a => a.maxPool2d(2), 'F.max_pool2d(a, 2)'),
  corner('avg_pool2x2', [['f', 8, 64, 56, 56]], a => a.avgPool2d(2), 'F.avg_pool2d(a, 2)'),
  corner('avg_pool3x3', [['f', 8, 64, 56, 56]], a => a.avgPool2d(3, 1, 1), 'F.avg_pool2d(a, 3, 1, 1)'),
  corner('global_pool', [['f', 8, 512, 7, 7]], a => a.mean([2, 3]), 'a.mean((2, 3))'),
  corner(
    'bilinear_2x',
    [['f', 1, 64, 56, 56]],
    a => a.interpolate(null, 2, 'bilinear'),
    "F.interpolate(a, scale_factor=2, mode='bilinear')",
  ),
  corner('nearest_2x', [['f', 1, 64, 56, 56]], a => a.interpolate(null, 2), 'F.interpolate(a, scale_factor=2)'),
  corner(
    'bicubic_2x',
    [['f', 1, 16, 56, 56]],
    a => a.interpolate(null, 2, 'bicubic'),
    "F.interpolate(a, scale_factor=2, mode='bicubic')",
  ),
  corner(
    'cat_dim1',
    [
      ['f', 1000, 500],
      ['f', 1000, 500],
    ],
    (a, b) => tg.cat([a, b], 1),
    'torch.cat([a, b], 1)',
  ),
  corner(
    'stack_last',
    [
      ['f', M],
      ['f', M],
    ],
    (a, b) => tg.stack([a, b], 1),
    'torch.stack([a, b], 1)',
  ),
  corner('pad2d', [['f', 8, 64, 56, 56]], a => a.pad([1, 1, 1, 1]), 'F.pad(a, [1, 1, 1, 1])'),
  corner(
    'pad_reflect',
    [['f', 8, 64, 56, 56]],
    a => a.pad([1, 1, 1, 1], 'reflect'),
    "F.pad(a, [1, 1, 1, 1], mode='reflect')",
  ),
  corner('roll', [['f', 1000, 1000]], a => a.roll([3], [1]), 'a.roll(3, 1)'),
  corner('flip', [['f', 1000, 1000]], a => a.flip(1), 'a.flip(1)'),
  corner('tril', [['f', 1000, 1000]], a => a.tril(), 'a.tril()'),
  corner('transpose', [['f', 1000, 1000]], a => a.transpose(0, 1).contiguous(), 'a.t().contiguous()'),
  corner(
    'permute4d',
    [['f', 8, 64, 56, 56]],
    a => a.permute(0, 2, 3, 1).contiguous(),
    'a.permute(0, 2, 3, 1).contiguous()',
  ),
  corner('repeat_interleave', [['f', 1000, 250]], a => a.repeatInterleave(4, 1), 'a.repeat_interleave(4, 1)'),
  corner(
    'batch_norm',
    [
      ['f', 8, 64, 56, 56],
      ['f', 64],
      ['l', 64],
    ],
    (a, b, c) => a.batchNorm(b, c),
    'F.batch_norm(a, b, c)',
  ),
  corner(
    'batch_norm_train',
    [['f', 8, 64, 56, 56]],
    a => a.batchNorm(null, null, null, null, true),
    'F.batch_norm(a, None, None, None, None, True)',
  ),
  corner(
    'where_1m',
    [
      ['f', M],
      ['f', M],
    ],
    (a, b) => tg.where(a.gt(0), a, b),
    'torch.where(a > 0, a, b)',
  ),
  corner(
    'add_bcast',
    [
      ['f', 1000, 1000],
      ['f', 1000],
    ],
    (a, b) => a.add(b),
    'a + b',
  ),
  corner('sum_dim0', [['f', 1000, 1000]], a => a.sum(0), 'a.sum(0)'),
  corner('sum_1m', [['f', M]], a => a.sum(), 'a.sum()'),
  corner('std_dim1', [['f', 1000, 1000]], a => a.std(1), 'a.std(1)'),
  corner(
    'cdist',
    [
      ['f', 500, 64],
      ['f', 500, 64],
    ],
    (a, b) => tg.cdist(a, b),
    'torch.cdist(a, b)',
  ),
  corner('cummax_1m', [['f', M]], a => a.cummax(0), 'a.cummax(0)'),
  corner('cummax_1000x1000', [['f', 1000, 1000]], a => a.cummax(1), 'a.cummax(1)'),
  corner('cummax_dim0', [['f', 1000, 1000]], a => a.cummax(0), 'a.cummax(0)'),
  corner('cummin_i64_1000x1000', [['i', M, 1000, 1000]], a => a.cummin(1), 'a.cummin(1)'),
  corner('cummax_100000x10', [['f', 100_000, 10]], a => a.cummax(1), 'a.cummax(1)'),
  corner('cumprod_1m', [['o', M]], a => a.cumprod(0), 'a.cumprod(0)'),
  corner('cumprod_1000x1000', [['o', 1000, 1000]], a => a.cumprod(1), 'a.cumprod(1)'),
  corner('cumprod_dim0', [['o', 1000, 1000]], a => a.cumprod(0), 'a.cumprod(0)'),
  corner('cumsum_i64_1m', [['i', 1000, M]], a => a.cumsum(0), 'a.cumsum(0)'),
  corner('cumsum_i64_1000x1000', [['i', 1000, 1000, 1000]], a => a.cumsum(1), 'a.cumsum(1)'),
  corner('cumsum_i64_dim0', [['i', 1000, 1000, 1000]], a => a.cumsum(0), 'a.cumsum(0)'),
  corner('cumsum_f64_1000x1000', [['h', 1000, 1000]], a => a.cumsum(1), 'a.cumsum(1)'),
  corner('cumsum_100000x10', [['f', 100_000, 10]], a => a.cumsum(1), 'a.cumsum(1)'),
  corner('logcumsumexp_1000x1000', [['f', 1000, 1000]], a => a.logcumsumexp(1), 'a.logcumsumexp(1)'),
  corner('randperm_1000', [], () => tg.randperm(1000), 'torch.randperm(1000)'),
  corner('randperm_1m', [], () => tg.randperm(M), 'torch.randperm(1000000)'),
  ...(['amax', 'amin', 'prod', 'mean'] as const).map(fn =>
    corner(
      `scatter_${fn}_rows`,
      [
        ['f', 1000, 1000],
        ['i', 1000, 1000, 1000],
        ['f', 1000, 1000],
      ],
      (a, b, c) => a.scatterReduce(1, b, c, fn),
      `a.scatter_reduce(1, b, c, '${fn}')`,
    ),
  ),
  ...(['amax', 'sum'] as const).map(fn =>
    corner(
      `scatter_${fn}_dim0`,
      [
        ['f', 1000, 1000],
        ['i', 1000, 1000, 1000],
        ['f', 1000, 1000],
      ],
      (a, b, c) => a.scatterReduce(0, b, c, fn),
      `a.scatter_reduce(0, b, c, '${fn}')`,
    ),
  ),
  corner(
    'scatter_add_i32_256',
    [
      ['n', 9, 256, 256],
      ['i', 256, 256, 256],
      ['n', 9, 256, 256],
    ],
    (a, b, c) => a.scatterAdd(1, b, c),
    'a.scatter_add(1, b, c)',
  ),
  corner(
    'fold_72',
    [['f', 1, 72, 1024]],
    a => a.fold([32, 32], 3, { padding: 1 }),
    'F.fold(a, (32, 32), 3, padding=1)',
  ),
  corner(
    'fold_576',
    [['f', 4, 576, 3136]],
    a => a.fold([56, 56], 3, { padding: 1 }),
    'F.fold(a, (56, 56), 3, padding=1)',
  ),
  corner(
    'index_select_dim1',
    [
      ['f', 1000, 1000],
      ['i', 1000, 1000],
    ],
    (a, b) => a.indexSelect(1, b),
    'a.index_select(1, b)',
  ),
  corner(
    'index_select_dim1_f16',
    [
      ['e', 1000, 1000],
      ['i', 1000, 1000],
    ],
    (a, b) => a.indexSelect(1, b),
    'a.index_select(1, b)',
  ),
  corner(
    'take_along_f16',
    [
      ['e', 1000, 1000],
      ['i', 1000, 1000, 1000],
    ],
    (a, b) => a.takeAlongDim(b, 1),
    'a.take_along_dim(b, 1)',
  ),
  corner(
    'isin_1m',
    [
      ['i', M, M],
      ['i', M, 1000],
    ],
    (a, b) => tg.isin(a, b),
    'torch.isin(a, b)',
  ),
  corner(
    'isin_10000_f',
    [
      ['f', 10_000],
      ['f', 10_000],
    ],
    (a, b) => tg.isin(a, b),
    'torch.isin(a, b)',
  ),
  corner(
    'cross_last',
    [
      ['f', 333_333, 3],
      ['f', 333_333, 3],
    ],
    (a, b) => a.cross(b, -1),
    'a.cross(b, -1)',
  ),
  corner(
    'cross_first',
    [
      ['f', 3, 333_333],
      ['f', 3, 333_333],
    ],
    (a, b) => a.cross(b, 0),
    'a.cross(b, 0)',
  ),
  ...(
    [
      [128, 56, 7],
      [96, 56, 7],
      [64, 56, 9],
      [64, 28, 11],
      [384, 14, 7],
      [32, 56, 13],
      [16, 56, 31],
    ] as const
  ).map(([channels, side, kernel]) =>
    conv(
      `depthwise${kernel}x${kernel}_${channels}_${side}`,
      [1, channels, side, side],
      [channels, 1, kernel, kernel],
      1,
      (kernel - 1) / 2,
      channels,
    ),
  ),
  ...(
    [
      [1009, 61],
      [1000, 1000],
      [1009, 1013],
      [4097, 17],
      [17, 4097],
      [4096, 1021],
      [3001, 2003],
    ] as const
  ).flatMap(([rows, columns]) => [
    corner(
      `sub_transposed_${rows}x${columns}`,
      [
        ['t', rows, columns],
        ['f', columns],
      ],
      (a, b) => a.sub(b),
      '(a - b).contiguous()',
    ),
    corner(
      `add_transposed_${rows}x${columns}`,
      [
        ['t', rows, columns],
        ['f', rows, columns],
      ],
      (a, b) => a.add(b),
      '(a + b)',
    ),
    corner(`add_${rows}x${columns}`, [['f', rows, columns]], a => a.add(1), 'a + 1'),
    corner(`softmax_${rows}x${columns}`, [['f', rows, columns]], a => a.softmax(-1), 'a.softmax(-1)'),
    corner(`sum_${rows}x${columns}`, [['f', rows, columns]], a => a.sum(1), 'a.sum(1)'),
  ]),
  ...(
    [
      ['fmod', 'torch.fmod(a, b)'],
      ['remainder', 'torch.remainder(a, b)'],
      ['floorDivide', 'torch.floor_divide(a, b)'],
      ['pow', 'torch.pow(a.abs(), b)'],
      ['atan2', 'torch.atan2(a, b)'],
      ['hypot', 'torch.hypot(a, b)'],
      ['xlogy', 'torch.xlogy(a, b.abs())'],
      ['logaddexp', 'torch.logaddexp(a, b)'],
    ] as const
  ).flatMap(([name, torch]) =>
    (['f', 'h'] as const).map(dtype =>
      corner(
        `${name}_${dtype}`,
        [
          [dtype, 100_000],
          [dtype, 100_000],
        ],
        (a, b) => (name === 'pow' ? a.abs().pow(b) : name === 'xlogy' ? a.xlogy(b.abs()) : a[name](b)),
        torch,
      ),
    ),
  ),
  ...(
    [
      ['exp', 'a.exp()'],
      ['expm1', 'a.expm1()'],
      ['log1p', 'a.abs().log1p()'],
      ['tan', 'a.tan()'],
      ['sin', 'a.sin()'],
      ['sinh', 'a.sinh()'],
      ['cosh', 'a.cosh()'],
      ['tanh', 'a.tanh()'],
      ['asinh', 'a.asinh()'],
      ['atan', 'a.atan()'],
      ['erf', 'a.erf()'],
      ['erfc', 'a.erfc()'],
      ['erfinv', '(a * 0.2).erfinv()'],
      ['lgamma', 'a.lgamma()'],
      ['digamma', 'a.digamma()'],
      ['i0', 'a.i0()'],
      ['logit', '(a * 0.2).logit()'],
      ['exp2', 'a.exp2()'],
      ['gelu', 'F.gelu(a)'],
      ['mish', 'F.mish(a)'],
      ['softplus', 'F.softplus(a)'],
    ] as const
  ).flatMap(([name, torch]) =>
    (['f', 'h'] as const).map(dtype =>
      corner(
        `${name}_${dtype}`,
        [[dtype, 100_000]],
        a =>
          name === 'log1p' ? a.abs().log1p() : name === 'erfinv' || name === 'logit' ? a.mul(0.2)[name]() : a[name](),
        torch,
      ),
    ),
  ),
  ...(['b', 'e', 'f'] as const).flatMap(kind => [
    corner(
      `slice_scatter_${kind}`,
      [
        [kind, 100_003, 10],
        [kind, 50_002, 10],
      ],
      (a, b) => a.sliceScatter(b, 0, 0, 50_002),
      'a.slice_scatter(b, end=50002)',
    ),
    corner(`clone_transposed_${kind}`, [[kind, 1009, 1013]], a => a.t().contiguous(), 'a.t().contiguous()'),
    corner(`repeat_${kind}`, [[kind, 512, 5120]], a => a.repeat([1, 2]), 'a.repeat(1, 2)'),
  ]),
  corner(
    'logical_or_row',
    [
      ['b', 4096, 4096],
      ['b', 4096],
    ],
    (a, b) => a.logicalOr(b),
    'a.logical_or(b)',
  ),
  corner(
    'bmm3_eager',
    [
      ['f', 4096, 3, 3],
      ['f', 4096, 3, 3],
    ],
    (a, b) => a.matmul(b),
    'a @ b',
    true,
  ),
  corner('group_norm_eager', [['f', 1, 8, 32, 32]], a => a.groupNorm(4), 'F.group_norm(a, 4)', true),
  corner('linspace_eager', [], () => tg.linspace(0, 1, 65_536), 'torch.linspace(0, 1, 65536)', true),
  corner('bincount_tiny', [['i', 10, 15]], a => tg.bincount(a), 'a.bincount()', true),
  corner('nonzero_tiny', [['i', 2, 15]], a => tg.nonzero(a), 'a.nonzero()', true),
  corner('unique_tiny', [['i', 10, 15]], a => tg.unique(a), 'a.unique()', true),
  corner('masked_select_tiny', [['f', 15]], a => tg.maskedSelect(a, a.gt(0)), 'a.masked_select(a > 0)', true),
  corner('randint_tiny', [], () => randint(0, 10, [15]), 'torch.randint(0, 10, (15,))', true),
  corner('randn_tiny', [], () => randn([15]), 'torch.randn(15)', true),
  corner('randperm_tiny', [], () => tg.randperm(15), 'torch.randperm(15)', true),
  corner('add_in_place_tiny', [['f', 15]], a => void a.add_(1), 'a.add_(1)', true),
  corner('add_tiny', [['f', 15]], a => a.add(1), 'a + 1', true),
  corner(
    'grad_embedding',
    [
      ['f', 30_000, 512],
      ['i', 30_000, 4096],
      ['f', 4096, 512],
    ],
    (a, b, c) => pulled(w => tg.embedding(b, w), c, a),
    'pulled(lambda a: F.embedding(b, a), c, a)',
  ),
  corner(
    'grad_gather_rows',
    [
      ['f', 1000, 1000],
      ['i', 1000, 1000, 1000],
      ['f', 1000, 1000],
    ],
    (a, b, c) => pulled(x => x.gather(1, b), c, a),
    'pulled(lambda a: a.gather(1, b), c, a)',
  ),
  corner(
    'grad_index_rows',
    [
      ['f', 10_000, 64],
      ['i', 10_000, 100_000],
      ['f', 100_000, 64],
    ],
    (a, b, c) => pulled(x => x.indexSelect(0, b), c, a),
    'pulled(lambda a: a.index_select(0, b), c, a)',
  ),
  corner(
    'grad_scatter_add',
    [
      ['f', 1000, 1000],
      ['i', 1000, 1000, 1000],
      ['f', 1000, 1000],
    ],
    (a, b, c) => pulled(x => a.scatterAdd(1, b, x), c, a),
    'pulled(lambda x: a.scatter_add(1, b, x), c, a)',
  ),
  ...(
    [
      [1, 64, 56, 64, 3, 1],
      [8, 64, 56, 64, 3, 1],
      [8, 128, 28, 128, 3, 1],
      [8, 512, 7, 512, 3, 1],
      [8, 3, 32, 32, 5, 1],
      [32, 1, 28, 16, 3, 1],
      [8, 96, 28, 96, 7, 96],
    ] as const
  ).map(([batch, inputs, side, outputs, kernel, groups]) =>
    corner(
      `grad_conv${kernel}_${inputs}_${outputs}_${side}_b${batch}${groups > 1 ? '_depthwise' : ''}`,
      [
        ['f', batch, inputs, side, side],
        ['f', outputs, inputs / groups, kernel, kernel],
        ['f', batch, outputs, side, side],
      ],
      (a, b, c) => pulled((x, w) => x.conv2d(w!, null, 1, (kernel - 1) / 2, 1, groups), c, a, b),
      `pulled(lambda a, b: F.conv2d(a, b, None, 1, ${(kernel - 1) / 2}, 1, ${groups}), c, a, b)`,
    ),
  ),
  corner(
    'grad_max_pool2',
    [
      ['f', 8, 64, 56, 56],
      ['f', 8, 64, 28, 28],
    ],
    (a, b) => pulled(x => x.maxPool2d(2), b, a),
    'pulled(lambda a: F.max_pool2d(a, 2), b, a)',
  ),
  corner(
    'grad_max_pool3s2',
    [
      ['f', 8, 64, 56, 56],
      ['f', 8, 64, 28, 28],
    ],
    (a, b) => pulled(x => x.maxPool2d(3, 2, 1), b, a),
    'pulled(lambda a: F.max_pool2d(a, 3, 2, 1), b, a)',
  ),
  corner(
    'grad_avg_pool2',
    [
      ['f', 8, 64, 56, 56],
      ['f', 8, 64, 28, 28],
    ],
    (a, b) => pulled(x => x.avgPool2d(2), b, a),
    'pulled(lambda a: F.avg_pool2d(a, 2), b, a)',
  ),
  corner(
    'grad_layer_norm',
    [
      ['f', 4096, 768],
      ['l', 768],
      ['f', 4096, 768],
    ],
    (a, b, c) => pulled((x, w, v) => x.layerNorm([768], w, v), c, a, b, b),
    'pulled(lambda a, w, v: F.layer_norm(a, (768,), w, v), c, a, b, b.clone())',
  ),
  corner(
    'grad_batch_norm',
    [
      ['f', 8, 64, 56, 56],
      ['l', 64],
      ['f', 8, 64, 56, 56],
    ],
    (a, b, c) => pulled((x, w, v) => x.batchNorm(null, null, w, v, true), c, a, b, b),
    'pulled(lambda a, w, v: F.batch_norm(a, None, None, w, v, True), c, a, b, b.clone())',
  ),
  corner(
    'grad_group_norm',
    [
      ['f', 8, 64, 56, 56],
      ['l', 64],
      ['f', 8, 64, 56, 56],
    ],
    (a, b, c) => pulled((x, w, v) => x.groupNorm(8, w, v), c, a, b, b),
    'pulled(lambda a, w, v: F.group_norm(a, 8, w, v), c, a, b, b.clone())',
  ),
  corner(
    'grad_softmax',
    [
      ['f', 4096, 1000],
      ['f', 4096, 1000],
    ],
    (a, b) => pulled(x => x.softmax(-1), b, a),
    'pulled(lambda a: a.softmax(-1), b, a)',
  ),
  corner(
    'grad_cross_entropy',
    [
      ['f', 1024, 10_000],
      ['i', 10_000, 1024],
      ['l', 1],
    ],
    (a, b, c) => pulled(x => x.crossEntropy(b), c.sum(), a),
    'pulled(lambda a: F.cross_entropy(a, b), c.sum(), a)',
  ),
  corner(
    'grad_linear',
    [
      ['f', 1024, 768],
      ['f', 3072, 768],
      ['f', 1024, 3072],
    ],
    (a, b, c) => pulled((x, w) => tg.linear(x, w!), c, a, b),
    'pulled(lambda a, b: F.linear(a, b), c, a, b)',
  ),
  corner(
    'grad_cumsum',
    [
      ['f', 1000, 1000],
      ['f', 1000, 1000],
    ],
    (a, b) => pulled(x => x.cumsum(1), b, a),
    'pulled(lambda a: a.cumsum(1), b, a)',
  ),
  corner(
    'grad_bilinear',
    [
      ['f', 8, 16, 32, 32],
      ['f', 8, 16, 64, 64],
    ],
    (a, b) => pulled(x => x.interpolate(null, 2, 'bilinear'), b, a),
    "pulled(lambda a: F.interpolate(a, scale_factor=2, mode='bilinear'), b, a)",
  ),
  corner(
    'grad_attention',
    [
      ['f', 2, 12, 256, 64],
      ['f', 2, 12, 256, 64],
      ['f', 2, 12, 256, 64],
    ],
    (a, b, c) => pulled((q, k, v) => tg.scaledDotProductAttention(q, k!, v!), c, a, b, c),
    'pulled(lambda q, k, v: torch.softmax(q @ k.transpose(-1, -2) / 8, -1) @ v, c, a, b, c.clone())',
  ),
]

/** The gradients of f at some tensors, for the gradient of its result. */
const pulled = (f: (...x: Tensor[]) => Tensor, gradient: Tensor, ...at: Tensor[]): readonly Tensor[] =>
  tg.gradients(f(...at), at, { gradOutputs: gradient }) as readonly Tensor[]

function made(input: Input): Tensor {
  const [kind, first, ...rest] = input
  if (kind === 'i') return randint(0, first!, rest)
  if (kind === 's') return randn([first!]).sort().values.contiguous()
  if (kind === 'l') return randn([first!]).abs().add(0.5)
  if (kind === 'n') return randint(0, first!, rest, { dtype: 'i32' })
  if (kind === 't')
    return randn([first!, ...rest].toReversed()).permute(...[first!, ...rest].map((_, d) => rest.length - d))
  const x = randn([first!, ...rest])
  if (kind === 'o') return x.mul(0.001).add(1)
  return kind === 'h' ? x.to('f64') : kind === 'e' ? x.to('f16') : kind === 'b' ? x.gt(0) : x
}

const dispose = (value: unknown): void => {
  if (value instanceof tg.Tensor) value.dispose()
  else if (Array.isArray(value)) value.forEach(dispose)
  else if (value !== null && typeof value === 'object') Object.values(value).forEach(dispose)
}

/** The smallest of several samples of the mean of calls, in microseconds. */
function time(call: () => void, ms: number): number {
  call()
  const samples: number[] = []
  const started = performance.now()
  do {
    const from = performance.now()
    call()
    samples.push(performance.now() - from)
  } while (performance.now() - started < ms || samples.length < 3)
  samples.sort((x, y) => x - y)
  return 1000 * samples[0]!
}

const peer = (cases: readonly Corner[]): string => `
import sys, json, time, torch
import torch.nn.functional as F
torch.set_num_threads(${options.threads})
torch.manual_seed(0)
def made(i):
    k = i[0]
    if k == 'i': return torch.randint(0, i[1], i[2:])
    if k == 's': return torch.randn(i[1]).sort()[0]
    if k == 'n': return torch.randint(0, i[1], i[2:], dtype=torch.int32)
    if k == 't': return torch.randn(i[1:][::-1]).permute(*range(len(i) - 2, -1, -1))
    if k == 'l': return torch.randn(i[1]).abs() + 0.5
    x = torch.randn(i[1:])
    if k == 'o': return x * 0.001 + 1
    return x.double() if k == 'h' else x.half() if k == 'e' else x > 0 if k == 'b' else x
class Pulled:
    """The gradients of f: the forward pass runs once."""
    def __init__(self):
        self.known = {}
    def __call__(self, f, g, *at):
        if not self.known:
            with torch.enable_grad():
                self.at = [x.detach().requires_grad_() for x in at]
                self.known['y'] = f(*self.at)
        return torch.autograd.grad(self.known['y'], self.at, g, retain_graph=True)
def timed(call):
    call(); call()
    samples = []; started = time.perf_counter()
    while time.perf_counter() - started < ${Number(options.ms) / 1000} or len(samples) < 3:
        t = time.perf_counter(); call(); samples.append(time.perf_counter() - t)
    samples.sort()
    return 1e6 * samples[0]
with torch.no_grad():
${cases
  .map(
    each => `  try:
    a, b, c = ([made(i) for i in ${JSON.stringify(each.inputs)}] + [None, None, None])[:3]
    pulled = Pulled()
    print(json.dumps({'case': ${JSON.stringify(each.name)}, 'us': timed(lambda: ${each.torch})}), flush=True)
  except Exception as e: print('# ${each.name}', e, flush=True)`,
  )
  .join('\n')}
`

const [part, parts] = options.part.split('/').map(Number) as [number, number]
const chosen = corners
  .filter(({ name }) => options.filter.split(',').some(each => name.includes(each)))
  .filter((_, index) => index % parts === part)
const ours = new Map<string, { us: number; first: number }>()
for (const { name, inputs, f, eager } of chosen) {
  try {
    const given = inputs.map(made) as [Tensor, Tensor, Tensor]
    if (name.startsWith('grad_')) for (const x of given) if (x.dtype.startsWith('f')) x.requiresGrad = true
    const compiled = (eager ? f : compile(f as (...x: Tensor[]) => Tensor)) as (...x: Tensor[]) => unknown
    const started = performance.now()
    dispose(compiled(...given))
    const first = performance.now() - started
    const us = time(() => dispose(compiled(...given)), Number(options.ms))
    ours.set(name, { us, first })
    given.forEach(dispose)
    if (!options.peer) console.log(`${name.padEnd(24)} ${us.toFixed(0).padStart(9)} us  first ${first.toFixed(0)} ms`)
  } catch (error) {
    console.log(`# ${name}: ${error}`)
  }
}
if (options.peer) {
  const { stdout, stderr } = spawnSync(process.env.PEER ?? 'python3', ['-'], {
    input: peer(chosen),
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  })
  if (stderr) console.log(stderr.slice(0, 2000))
  const ratios: number[] = []
  const lines: [number, string][] = []
  for (const line of stdout.trim().split('\n')) {
    if (line.startsWith('#')) {
      console.log(line)
      continue
    }
    const { case: name, us } = JSON.parse(line) as { case: string; us: number }
    const own = ours.get(name)
    if (own === undefined) continue
    ratios.push(us / own.us)
    lines.push([
      us / own.us,
      `${name.padEnd(24)} ${own.us.toFixed(0).padStart(9)} us  torch ${us.toFixed(0).padStart(9)}  ratio ${(us / own.us).toFixed(2)}  first ${own.first.toFixed(0)} ms`,
    ])
  }
  for (const [, line] of lines.sort(([x], [y]) => x - y)) console.log(line)
  ratios.sort((x, y) => x - y)
  const at = (share: number): string => ratios[Math.floor(share * ratios.length)]!.toFixed(2)
  console.log(
    `${options.threads} threads, ${ratios.length} cases: lowest ${at(0)}, one in ten ${at(0.1)}, median ${at(0.5)}`,
  )
}
