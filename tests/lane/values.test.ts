/** The simulators' arithmetic on plain numbers against the scalar table itself, on values at the edges of each dtype. */
import { describe, expect, it } from 'vitest'
import { castFunction, laneFunction, normal } from '../../src/lane/values.js'
import { accepts, castValue, evaluate, scalarOp, scalarOpNames, type Value } from '../../src/scalar/ops.js'
import { type Dtype, dtypes } from '../../src/types/dtype.js'

const computed = ['f64', 'f32', 'f16', 'bf16', 'i64', 'i32', 'i16', 'i8', 'u8', 'bool'] as const
const floats = [0, -0, 1, -1, 0.5, -2.5, 7, 1e-30, 65504, -3.4e38, 2 ** 24 + 1, Number.POSITIVE_INFINITY, Number.NaN]
const integers = [0n, 1n, -1n, 3n, -7n, 31n, 64n, 127n, -128n, 255n, -32768n, 2n ** 31n - 1n, -(2n ** 31n), 2n ** 53n]
const wide = [2n ** 53n - 1n, -(2n ** 53n) - 1n, 2n ** 62n + 1n, -(2n ** 63n)]

/** As the table takes them: bigints of i64. */
function edgesOf(dtype: Dtype): Value[] {
  const from = dtypes[dtype].kind === 'float' ? floats : dtype === 'i64' ? [...integers, ...wide] : integers
  return [...new Set(from.map(value => castValue(typeof value === 'bigint' ? 'i64' : 'f64', dtype, value)))]
}

describe.each(computed)('%s', dtype => {
  const edges = edgesOf(dtype)

  it("every op gives the scalar table's result", () => {
    let count = 0
    for (const fn of scalarOpNames.filter(name => accepts(name, dtype))) {
      const { arity } = scalarOp(fn)
      const apply = laneFunction(fn, dtype)
      for (const a of fn === 'where' ? [0, 1] : edges) {
        for (const b of arity > 1 ? edges : [0]) {
          for (const c of arity > 2 ? edges.slice(0, 9) : [0]) {
            const values = [a, b, c].slice(0, arity) as Value[]
            const got = apply(...(values.map(normal) as [Value]))
            const wanted = normal(evaluate(fn, dtype, values))
            if (!Object.is(got, wanted)) expect.soft(got, `${fn}(${values.join(', ')})`).toBe(wanted)
            count++
          }
        }
      }
    }
    expect(count).toBeGreaterThan(50)
  })

  it.each(computed)('casts to %s', to => {
    const cast = castFunction(dtype, to)
    for (const value of edges) {
      expect.soft(cast(normal(value)), `${value}`).toBe(normal(castValue(dtype, to, value)))
    }
  })
})
