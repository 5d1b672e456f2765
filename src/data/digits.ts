/** The data set that comes with the package. */
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { describeAny } from '../base/describe.js'
import { ArgumentError } from '../base/errors.js'
import { checkOptionsObject } from '../base/options.js'
import { tensor } from '../tensor/host-data.js'
import type { Tensor } from '../tensor/tensor.js'
import { TensorDataset } from './dataset.js'

/** Options of `digits`. */
export interface DigitsOptions {
  /** 'train' (default): 1,198 digits; 'test': every third of all, 599; 'all': 1,797. */
  readonly split?: 'train' | 'test' | 'all' | undefined
}

/** Digits as tensors: images and what they show. */
export interface Digits {
  readonly [name: string]: Tensor
  /** f32 [N, 1, 8, 8], from 0 (paper) to 1 (ink). */
  readonly x: Tensor
  /** i64 [N]: 0 to 9. */
  readonly y: Tensor
}

const side = 8
const pixels = side * side
const ink = 16
/** The file has runs of 0, 1, … 9, which every third digit takes evenly. */
const isHeldOut = (row: number): boolean => row % 3 === 0
const chosen = { train: (row: number) => !isHeldOut(row), test: isHeldOut, all: () => true } as const

/**
 * 1,797 scanned handwritten digits of 8 × 8 pixels ("Optical Recognition of Handwritten Digits", E. Alpaydin and C. Kaynak, UCI
 * Machine Learning Repository), in the order of scikit-learn's `load_digits`.
 *
 * @param options `split`: 'train' (default), 'test' or 'all'
 * @returns samples { x: f32 [1, 8, 8] from 0 to 1, y: i64 }
 * @throws ArgumentError for another split
 */
export function digits(options: DigitsOptions = {}): TensorDataset<Digits> {
  checkOptionsObject('digits', options, ['split'])
  const { split = 'train' } = options
  if (!Object.keys(chosen).includes(split))
    throw new ArgumentError(`digits: split is ${describeAny(split)}`, { fix: "use 'train', 'test' or 'all'" })
  const rows = readRows().filter((_, row) => chosen[split](row))
  const images = Float32Array.from(rows.flatMap(row => row.slice(0, pixels).map(value => value / ink)))
  const labels = BigInt64Array.from(rows, row => BigInt(row[pixels]!))
  return new TensorDataset<Digits>({ x: tensor(images).reshape([rows.length, 1, side, side]), y: tensor(labels) })
}

/** Each digit's pixels and label. */
function readRows(): readonly (readonly number[])[] {
  const lines = gunzipSync(readFileSync(new URL('../../assets/digits.csv.gz', import.meta.url)))
    .toString()
    .trim()
    .split('\n')
  return lines.map(line => line.split(',').map(Number)).filter(row => row.every(Number.isFinite))
}
