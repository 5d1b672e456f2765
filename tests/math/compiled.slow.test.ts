/** What the C compiler makes of the formulas of f32 gives, in every bit, what the lane simulator gives. */
import { describe, expect, test } from 'vitest'
import { hasFormula } from '../../src/math/functions.js'
import { type ScalarOpName, scalarOp, scalarOpNames } from '../../src/scalar/ops.js'
import { build, type Call, hasCompiler, runsAvx512, runsOlder } from '../codegen/math-harness.js'
import { expanded, run, samples, type Target } from './formulas.js'

const names = scalarOpNames.filter(fn => hasFormula(fn, 'f32') && scalarOp(fn).result === 'same' && fn !== 'div')
const width = 16

/** For these the library's own function serves, and JavaScript's is another. */
const isRare = (fn: ScalarOpName, x: number): boolean => ['sin', 'cos', 'tan'].includes(fn) && Math.abs(x) >= 2 ** 40

const callOf = (fn: ScalarOpName): Call => ({
  name: `${fn}_f32`,
  operands: Array.from({ length: scalarOp(fn).arity }, () => 'f32' as const),
  result: 'f32',
})

const machines = [
  { march: 'x86-64-v4', vectorBytes: 64, target: 'c with AVX-512' },
  { march: 'x86-64-v3', vectorBytes: 32, target: 'c' },
  { march: 'x86-64', vectorBytes: 16, target: 'c' },
] as const satisfies readonly { march: string; vectorBytes: number; target: Target }[]

const runs = (march: string): boolean => hasCompiler && runsOlder && (march !== 'x86-64-v4' || runsAvx512)

describe.each(machines)('-march=$march', ({ march, vectorBytes, target }) => {
  test.skipIf(!runs(march))('compiled functions equal the simulator (needs a C compiler and such a machine)', () => {
    using library = build({ calls: names.map(callOf), widths: [width], march, vectorBytes })
    const different = names.flatMap(fn => {
      const x = samples('f32', 1, 900, -20, 20).filter(value => !isRare(fn, value))
      while (x.length % width !== 0) x.push(0)
      const operands = [x, x.toReversed()].slice(0, scalarOp(fn).arity)
      const [want, got] = [run(expanded(fn, 'f32', target), 'f32', operands), new Float32Array(x.length)]
      library.run(
        callOf(fn),
        width,
        operands.map(values => Float32Array.from(values)),
        got,
      )
      const at = got.findIndex((value, i) => !Object.is(value, want[i]))
      return at < 0 ? [] : [`${fn} of ${operands.map(values => values[at])}: ${got[at]}, simulated ${want[at]}`]
    })
    expect(different).toEqual([])
  })
})
