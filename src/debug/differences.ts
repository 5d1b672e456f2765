/** Whether results are those of the graph interpreter, within what rounding explains. */
import type { HostTensor } from '../graph/record.js'
import type { Value } from '../scalar/ops.js'
import { type Dtype, isFloat } from '../types/dtype.js'
import { type Case, interpreted, tensorNodes, valuesOf } from './case.js'

/**
 * Allowed error of a result as a share of its largest value, in units of the narrowest float in the graph: what the
 * conformance tests allow compositions and sums. Integers must be equal.
 */
const allowedUnits: Partial<Record<Dtype, number>> = {
  f64: 512 * 2 ** -52,
  f32: 512 * 2 ** -23,
  f16: 2 * 2 ** -10,
  bf16: 2 * 2 ** -7,
}
const tf32Units = 2 * 2 ** -10

/** Says how results differ from a case's: in one line, or null where they agree. */
export type Judge = (results: readonly HostTensor[]) => string | null

/**
 * The judge of a case. Ill-conditioned sums are allowed twice the error of a plain evaluation in their dtype too, and what
 * cancels, two units of the largest value on the way.
 */
export function judgeOf(given: Case): Judge {
  const values = valuesOf(given)
  const expected = given.graph.body.results.map(node => values.get(node)!)
  const plain = interpreted(given, 'sequential')
  const floats = [...values.values()].filter(({ dtype }) => isFloat(dtype))
  const wide = floats.every(({ dtype }) => dtype === 'f64')
  const cancelled = (wide ? 2 ** -51 : 2 ** -22) * Math.max(0, ...floats.map(({ data }) => largest(data.map(Number))))
  const share = allowedShare(given)
  return results => {
    for (const [i, wanted] of expected.entries()) {
      const found = differenceOf(results[i]!, wanted, plain[i]!, { share, cancelled })
      if (found !== null) return `result ${i}, ${found}`
    }
    return null
  }
}

function allowedShare(given: Case): number {
  const dtypes = tensorNodes(given).map(node => (node.type.kind === 'tensor' ? node.type.dtype : 'bool'))
  const units = [...new Set(dtypes)].filter(isFloat).map(dtype => allowedUnits[dtype] ?? 2 ** -2) // 8-bit floats
  return Math.max(0, ...units, given.graph.float32Matmul === 'tf32' ? tf32Units : 0)
}

interface Allowance {
  /** Of the result's largest value. */
  readonly share: number
  readonly cancelled: number
}

function differenceOf(
  got: HostTensor,
  wanted: HostTensor,
  plain: HostTensor,
  { share, cancelled }: Allowance,
): string | null {
  const types = [got, wanted].map(({ dtype, shape }) => `${dtype}[${shape.join(', ')}]`)
  if (types[0] !== types[1]) return `is ${types[0]}, not ${types[1]}`
  const { dtype, data } = wanted
  let allowed = 0
  if (isFloat(dtype)) {
    const [scale, noise] = [largest(data.map(Number)), largest(data.map((x, i) => Number(x) - Number(plain.data[i]!)))]
    allowed = share * scale + 2 * noise + cancelled
  }
  const wrong = data.flatMap((value, i) => (isClose(got.data[i]!, value, allowed) ? [] : [i]))
  if (wrong.length === 0) return null
  const [first] = wrong as [number]
  return `${types[1]}: element ${first} is ${got.data[first]}, expected ${data[first]} (${wrong.length} of ${data.length} differ)`
}

/** The largest magnitude among the finite ones. */
const largest = (values: readonly number[]): number =>
  values.reduce((most, value) => (Number.isFinite(value) ? Math.max(most, Math.abs(value)) : most), 0)

function isClose(got: Value, wanted: Value, allowed: number): boolean {
  if (got === wanted || (Number.isNaN(got) && Number.isNaN(wanted))) return true
  return Math.abs(Number(got) - Number(wanted)) <= allowed && Number.isFinite(wanted)
}
