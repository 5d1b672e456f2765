/**
 * Reference results for the workloads, computed independently of the library: quantised tensors decoded by the formats'
 * definitions, matmuls and attention summed in float64, in plain JavaScript. Slow: for samples of rows and columns.
 */
import { f64, type Tensor, tensor } from 'tegula'
import type { QuantizedTensor } from 'tegula/quant'

export interface Matrix {
  readonly rows: number
  readonly columns: number
  /** In row-major order. */
  readonly data: Float64Array
}

/** A range of rows or columns: [first, end). */
export type Range = readonly [number, number]

/** The middle `count` of `size`, or all of them. */
export function middle(size: number, count: number): Range {
  const first = Math.max(0, Math.floor((size - count) / 2))
  return [first, Math.min(size, first + count)]
}

/** Rows of a tensor [rows, columns]. */
export function rowsOf(t: Tensor, [first, end]: Range): Matrix {
  const data = Float64Array.from(t.narrow(0, first, end - first).dataSync() as ArrayLike<number>)
  return { rows: end - first, columns: t.size(1), data }
}

const toTensor = ({ rows, columns, data }: Matrix): Tensor => tensor(data, { dtype: f64 }).reshape([rows, columns])

/** a · bᵀ. */
export function times(a: Matrix, b: Matrix): Matrix {
  const data = new Float64Array(a.rows * b.rows)
  for (let i = 0; i < a.rows; i++) {
    for (let j = 0; j < b.rows; j++) {
      let sum = 0
      for (let k = 0; k < a.columns; k++) sum += a.data[i * a.columns + k]! * b.data[j * b.columns + k]!
      data[i * b.rows + j] = sum
    }
  }
  return { rows: a.rows, columns: b.rows, data }
}

/** Elementwise. */
export const zip = (a: Matrix, b: Matrix, f: (x: number, y: number) => number): Matrix => ({
  ...a,
  data: a.data.map((x, i) => f(x, b.data[i]!)),
})

export const toNumbers = (matrix: Matrix): Tensor => toTensor(matrix)

// --- formats ---------------------------------------------------------------------------------------------------------------

const e2m1 = [0, 0.5, 1, 1.5, 2, 3, 4, 6]

/** e4m3: sign, four bits of exponent, three of fraction; 0x7F and 0xFF are NaN. */
function e4m3(code: number): number {
  const [sign, exponent, fraction] = [code & 0x80 ? -1 : 1, (code >> 3) & 15, code & 7]
  if (exponent === 15 && fraction === 7) return Number.NaN
  return sign * (exponent === 0 ? (fraction / 8) * 2 ** -6 : (1 + fraction / 8) * 2 ** (exponent - 7))
}

const element: Readonly<Partial<Record<QuantizedTensor['format'], (code: number) => number>>> = {
  nvfp4: code => (code & 8 ? -1 : 1) * e2m1[code & 7]!,
  mxint8: code => ((code << 24) >> 24) / 64,
  fp8e4m3: e4m3,
}

/** Decoded rows of a quantised tensor [rows, columns] with linear scales; formats: nvfp4, mxint8, fp8e4m3. */
export function decodedRows(q: QuantizedTensor, range: Range): Matrix {
  const decode = element[q.format]
  if (decode === undefined || q.layout !== 'linear') throw new Error(`no reference for ${q.format}, ${q.layout}`)
  const packed = q.format === 'nvfp4'
  const codes = rowsOf(q.values, range)
  const columns = codes.columns * (packed ? 2 : 1)
  const scale = scaleOf(q, range)
  const data = Float64Array.from({ length: codes.rows * columns }, (_, at) => {
    const [row, column] = [Math.floor(at / columns), at % columns]
    const code = packed ? codes.data[at >> 1]! >> (4 * (at & 1)) : codes.data[at]!
    return decode(code) * scale(row, column)
  })
  return { rows: codes.rows, columns, data }
}

function scaleOf(q: QuantizedTensor, range: Range): (row: number, column: number) => number {
  const { block, scales, tensorScale } = q
  if (block === 'tensor') {
    const [one] = scales.dataSync() as ArrayLike<number> as [number]
    return () => one
  }
  const stored = rowsOf(block === 'row' ? scales.reshape([-1, 1]) : scales, range)
  const whole = tensorScale === null ? 1 : Number(tensorScale.itemSync())
  const value = (code: number): number =>
    q.format === 'nvfp4' ? e4m3(code) : block === 'row' ? code : 2 ** (code - 127)
  return (row, column) =>
    whole * value(stored.data[row * stored.columns + (block === 'row' ? 0 : Math.floor(column / block))]!)
}

// --- attention -------------------------------------------------------------------------------------------------------------

/** softmax(q · kᵀ / √size) · v for some rows of one head; `last`: the number of keys that the row sees. */
export function attend(q: Matrix, k: Matrix, v: Matrix, seen: (row: number) => number): Matrix {
  const scores = times(q, k)
  const data = new Float64Array(q.rows * v.columns)
  for (let row = 0; row < q.rows; row++) {
    const own = scores.data.subarray(row * k.rows, row * k.rows + seen(row)).map(x => x / Math.sqrt(q.columns))
    const largest = own.reduce((a, b) => Math.max(a, b))
    const weights = own.map(x => Math.exp(x - largest))
    const sum = weights.reduce((a, b) => a + b)
    for (const [key, weight] of weights.entries()) {
      for (let column = 0; column < v.columns; column++) {
        data[row * v.columns + column]! += (weight / sum) * v.data[key * v.columns + column]!
      }
    }
  }
  return { rows: q.rows, columns: v.columns, data }
}
