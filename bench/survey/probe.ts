/** Some elements of results, to compare them with another way's and with the peer's without moving whole tensors. */
import { type Tensor, tensor } from 'tegula'
import type { TensorDtype } from '../../src/types/dtype.js'
import { elementsOf } from './case.js'

export interface Probe {
  readonly dtype?: TensorDtype
  readonly shape: readonly number[]
  /** NaN and infinities as text: JSON has none. */
  readonly values: readonly (number | string)[]
}

const probes = 24

/** Relative to the largest of the values compared, or to `leastScale`: where all of them cancel, none is exact. */
const tolerances: Partial<Record<TensorDtype, number>> = { f64: 1e-8, f32: 2e-4, f16: 2e-2, bf16: 1e-1 }
const leastScale = 0.05

export const probeOf = (results: readonly Tensor[]): readonly Probe[] =>
  results.map(result => {
    const n = elementsOf(result.shape)
    const at = Array.from({ length: Math.min(probes, n) }, (_, i) => Math.floor(((2 * i + 1) * n) / (2 * probes)))
    const values = n === 0 ? [] : result.reshape(-1).indexSelect(0, tensor(at, { dtype: 'i64', device: result.device }))
    return {
      dtype: result.dtype,
      shape: [...result.shape],
      values: Array.isArray(values) ? [] : Array.from(values.dataSync() as Iterable<number | bigint>, writtenNumber),
    }
  })

function writtenNumber(value: number | bigint | boolean): number | string {
  const number = Number(value)
  return Number.isFinite(number) ? Number(number.toPrecision(10)) : number > 0 ? 'inf' : number < 0 ? '-inf' : 'nan'
}

/** How the probes differ from those of a reference; null: they agree. */
export function compareProbes(got: readonly Probe[], expected: readonly Probe[]): string | null {
  for (const [i, { shape, values: right }] of expected.entries()) {
    const { dtype = 'f32', values: left, shape: own } = got[i] ?? { shape: [], values: [] }
    if (own.join() !== shape.join()) return `result ${i} is [${own}] instead of [${shape}]`
    const scale = Math.max(leastScale, ...right.filter(value => typeof value === 'number').map(Math.abs))
    const allowed = (tolerances[dtype] ?? 0) * scale
    const at = right.findIndex((value, j) => !isClose(left[j]!, value, allowed))
    if (at >= 0) return `result ${i}, probe ${at} is ${left[at]} instead of ${right[at]}`
  }
  return null
}

const isClose = (a: number | string, b: number | string, allowed: number): boolean =>
  typeof a === 'number' && typeof b === 'number' ? Math.abs(a - b) <= allowed : a === b
