/**
 * Elementwise kernels over every layout, on one CPU thread: time per element beside a kernel of as many contiguous elements,
 * timed in turn with it.
 *
 *     npx tsx bench/cpu/layouts.ts [--filter TEXT] [--worst N] [--ms MS]
 */
import { parseArgs } from 'node:util'
import { arange, compile, type Tensor } from 'tegula'
import type { TensorDtype } from '../../src/types/dtype.js'

const { values: options } = parseArgs({
  options: {
    filter: { type: 'string', default: '' },
    worst: { type: 'string', default: '40' },
    ms: { type: 'string', default: '12' },
  },
})

interface Layout {
  readonly name: string
  readonly shape: readonly number[]
  /** The dims of the storage, outermost first, as dims of the shape. */
  readonly storage: readonly number[]
}

const total = 1 << 18
const extents = [2, 3, 4, 7, 16, 61, 64, 1000]
const dtypes: readonly TensorDtype[] = ['bool', 'f16', 'f32', 'i64']

const layout = (shape: readonly number[], storage: readonly number[]): Layout => ({
  name: `${shape.join('×')} as ${storage.map(d => shape[d]).join('×')}`,
  shape,
  storage,
})

function layouts(): Layout[] {
  const found: Layout[] = []
  for (const extent of extents) {
    const other = Math.floor(total / extent)
    found.push(layout([extent, other], [1, 0]), layout([other, extent], [1, 0]))
  }
  for (const extent of [3, 61]) {
    const rest = Math.floor(total / extent / 64)
    for (const storage of [
      [0, 2, 1],
      [2, 1, 0],
      [1, 0, 2],
      [2, 0, 1],
    ]) {
      found.push(layout([rest, extent, 64], storage))
    }
    found.push(layout([2, extent, 32, Math.floor(rest)], [0, 2, 3, 1]))
    found.push(layout([2, 32, Math.floor(rest), extent], [0, 3, 1, 2]))
  }
  return found
}

interface Op {
  readonly name: string
  readonly f: (x: Tensor, y: Tensor) => Tensor
  readonly dtypes: readonly TensorDtype[]
  /** The second operand's dims that are 1, from the last. */
  readonly y: 'row' | 'all'
}

const ops: readonly Op[] = [
  { name: 'row', f: (x, y) => (x.dtype === 'bool' ? x.logicalXor(y) : x.add(y)), dtypes, y: 'row' },
  { name: 'all', f: (x, y) => (x.dtype === 'bool' ? x.logicalXor(y) : x.add(y)), dtypes: ['f32'], y: 'all' },
  { name: 'sigmoid', f: (x, y) => x.sigmoid().mul(y), dtypes: ['f32'], y: 'row' },
  { name: 'isnan', f: x => x.isnan(), dtypes: ['f64'], y: 'row' },
]

const made = (shape: readonly number[], dtype: TensorDtype): Tensor => {
  const count = shape.reduce((a, b) => a * b, 1)
  return arange(count)
    .remainder(dtype === 'bool' ? 2 : 11)
    .to(dtype)
    .reshape(shape)
}

/** The tensor of a shape whose storage has its dims in the given order. */
function stored({ shape, storage }: Layout, dtype: TensorDtype): Tensor {
  const back = shape.map((_, d) => storage.indexOf(d))
  return made(
    storage.map(d => shape[d]!),
    dtype,
  ).permute(...back)
}

/** The smallest times of both calls, which take turns, in microseconds. */
function times(a: () => void, b: () => void, ms: number): readonly [number, number] {
  const best: [number, number] = [Infinity, Infinity]
  a()
  b()
  const started = performance.now()
  let rounds = 0
  do {
    rounds++
    ;[a, b].forEach((call, i) => {
      const from = performance.now()
      call()
      best[i] = Math.min(best[i]!, performance.now() - from)
    })
  } while (performance.now() - started < ms || rounds < 12)
  return [1000 * best[0], 1000 * best[1]]
}

interface Timed {
  readonly name: string
  readonly us: number
  readonly flat: number
}

function measure(op: Op, dtype: TensorDtype, each: Layout): Timed {
  const f = compile(op.f)
  const x = stored(each, dtype)
  const flatX = made(each.shape, dtype)
  const y = made(op.y === 'row' ? [each.shape.at(-1)!] : each.shape, dtype)
  const flatY = op.y === 'row' ? made([1], dtype) : y
  const [us, flat] = times(
    () => f(x, y).dispose(),
    () => f(flatX, flatY).dispose(),
    Number(options.ms),
  )
  return { name: `${op.name} ${dtype} ${each.name}`, us, flat }
}

const all: Timed[] = []
for (const op of ops) {
  for (const dtype of op.dtypes) {
    for (const each of layouts()) {
      if (!`${op.name} ${dtype} ${each.name}`.includes(options.filter)) continue
      all.push(measure(op, dtype, each))
    }
  }
}
all.sort((a, b) => b.us / b.flat - a.us / a.flat)
for (const { name, us, flat } of all.slice(0, Number(options.worst))) {
  console.log(
    `${(us / flat).toFixed(1).padStart(6)}  ${us.toFixed(0).padStart(7)} µs beside ${flat.toFixed(0)}  ${name}`,
  )
}
const at = (share: number): string => {
  const { us, flat } = all[Math.min(all.length - 1, Math.floor(share * all.length))]!
  return (us / flat).toFixed(1)
}
console.log(`${all.length} cases: worst ${at(0)}, one in ten ${at(0.1)}, one in four ${at(0.25)}, median ${at(0.5)}`)
