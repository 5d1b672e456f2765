/** Work that is not matmuls or rows: order, sums by index, one-token attention, scans. Each is checked against the CPU. */
import { arange, compile, randint, randn, scaledDotProductAttention, type Tensor, zeros } from 'tegula'
import { check, type GpuCase } from './case.js'

const device = 'cuda'

interface Corner {
  readonly name: string
  readonly inputs: () => readonly Tensor[]
  readonly f: (...inputs: Tensor[]) => Tensor
  /** Relative to the largest value. Default 0. */
  readonly tolerance?: number
  /** Bytes that must be read and written. */
  readonly bytes: number
}

const cornerCase = ({ name, inputs, f, tolerance = 0, bytes }: Corner): GpuCase => ({
  name,
  run(timer) {
    const given = inputs()
    const compiled = compile(f, { mode: 'reduce-overhead' })
    check(name, compiled(...given), f(...given.map(x => x.to('cpu'))), tolerance)
    return [{ case: name, variant: 'graph', us: timer.time(() => compiled(...given).dispose()), bytes }]
  },
})

const bf16 = (...shape: readonly number[]): Tensor => randn(shape, { device }).to('bf16')

/** One query of 32 heads on `keys` keys of 8 heads of 128 elements. */
const decoding = (batch: number, keys: number): Corner => ({
  name: `decode_${batch}x${keys}`,
  inputs: () => [bf16(batch, 32, 1, 128), bf16(batch, 8, keys, 128), bf16(batch, 8, keys, 128)],
  f: (q, k, v) => scaledDotProductAttention(q!, k!, v!, { enableGqa: true }),
  tolerance: 2e-2,
  bytes: 2 * batch * 8 * keys * 128 * 2,
})

/** Running sums along `dim`. */
const cumsum = (name: string, shape: readonly number[], dim: number): Corner => ({
  name: `cumsum_${name}`,
  inputs: () => [randn(shape, { device })],
  f: x => x!.cumsum(dim),
  tolerance: 1e-4,
  bytes: 8 * shape.reduce((all, size) => all * size, 1),
})

const corners: readonly Corner[] = [
  { name: 'sort_1m', inputs: () => [randn([1e6], { device })], f: x => x!.sort().values, bytes: 8e6 },
  {
    name: 'topk50_64x128256',
    inputs: () => [randn([64, 128_256], { device })],
    f: x => x!.topk(50).values,
    bytes: 64 * 128_256 * 4,
  },
  {
    name: 'argmax_64x128256',
    inputs: () => [randn([64, 128_256], { device })],
    f: x => x!.argmax(1),
    bytes: 64 * 128_256 * 4,
  },
  {
    name: 'topk1000_1m',
    inputs: () => [randn([1e6], { device })],
    f: x => x!.topk(1000).values,
    bytes: 4e6,
  },
  { name: 'argmax_1mx7', inputs: () => [randn([1e6, 7], { device })], f: x => x!.argmax(1), bytes: 36e6 },
  { name: 'argmax_8x1m_columns', inputs: () => [randn([8, 1e6], { device })], f: x => x!.argmax(0), bytes: 40e6 },
  {
    name: 'isin_1m_10k',
    inputs: () => [randint(0, 1e6, [1e6], { device }), randint(0, 1e6, [10_000], { device })],
    f: (x, tests) => x!.isin(tests!),
    bytes: 9e6,
  },
  {
    name: 'cumsum_1m',
    inputs: () => [randint(0, 3, [1e6], { device, dtype: 'i32' })],
    f: x => x!.cumsum(0),
    bytes: 12e6,
  },
  cumsum('10m', [1e7], 0),
  cumsum('64x128256', [64, 128_256], 1),
  cumsum('1000000x16', [1e6, 16], 1),
  cumsum('4096x4096_columns', [4096, 4096], 0),
  {
    name: 'index_add_262144x128',
    inputs: () => [randint(0, 10_000, [262_144], { device }), randn([262_144, 128], { device })],
    f: (index, source) => zeros([10_000, 128], { device: source!.device }).indexAdd(0, index!, source!),
    tolerance: 1e-5,
    bytes: 262_144 * 128 * 4,
  },
  {
    name: 'bincount_10m',
    inputs: () => [randint(0, 1000, [1e7], { device })],
    f: x =>
      zeros([1000], { device: x!.device, dtype: 'i64' }).scatterAdd(
        0,
        x!,
        arange(1, { device: x!.device }).add(1).expand([1e7]),
      ),
    bytes: 8e7,
  },
  {
    name: 'embedding_4096x4096',
    inputs: () => [randint(0, 128_000, [4096], { device }), bf16(128_000, 4096)],
    f: (index, weight) => weight!.indexSelect(0, index!),
    bytes: 2 * 4096 * 4096 * 2,
  },
  decoding(1, 32_768),
  decoding(16, 8192),
  decoding(1, 4096),
]

export const cornerCases: readonly GpuCase[] = corners.map(cornerCase)
