/**
 * The transcendental functions of the C prelude, measured against libm in float64 over all exponents, special values,
 * random arguments and hard cases. MATH_TABLE=1 prints the largest errors found.
 */
import { afterAll, describe, expect, test } from 'vitest'
import { build, type Call, hasCompiler, type Library, randomBits, runsOlder } from './math-harness.js'

const bound = 4 // ulp

const unaryNames = [
  ...['exp', 'exp2', 'expm1', 'log', 'log2', 'log10', 'log1p', 'sin', 'cos', 'tan', 'asin', 'acos', 'atan', 'sinh'],
  ...['cosh', 'tanh', 'asinh', 'acosh', 'atanh', 'erf', 'erfc', 'sigmoid', 'sqrt', 'rsqrt'],
]
const unary: readonly Call[] = unaryNames.map(name => ({ name: `${name}_f32`, operands: ['f32'], result: 'f32' }))
const binary: readonly Call[] = ['pow', 'atan2', 'logaddexp'].map(name => ({
  name: `${name}_f32`,
  operands: ['f32', 'f32'],
  result: 'f32',
}))

const specials = [
  ...[
    0, 1.401298464324817e-45, 1.1754942106924411e-38, 1.1754943508222875e-38, 1, 2, 3, 0.5, 1.5, 2.5,
    3.4028234663852886e38,
  ],
  ...[
    Number.POSITIVE_INFINITY,
    Math.PI,
    Math.PI / 2,
    Math.E,
    2 ** 23,
    2 ** 24,
    2 ** 31,
    2 ** 40,
    2 ** 63,
    1e10,
    1e20,
    1e30,
  ],
].flatMap(x => [x, -x])
specials.push(Number.NaN)

/** Where the functions change their method, overflow, underflow or vanish. */
const edges = [
  ...[0.25, 0.5, 0.75, 0.9375, 1, 1.5, 2, 2 / 3, 4 / 3, Math.SQRT2, Math.SQRT1_2, 4, 9.02, 10, 10.0547, 3.92, 13.0],
  ...[
    Math.log(2) / 2,
    1.5 * Math.log(2),
    87.34,
    88.7228,
    89,
    89.416,
    91,
    103.28,
    103.972,
    105,
    126,
    127,
    128,
    149,
    150,
  ],
  ...[2 ** -25, 2 ** -24, 2 ** -12, 2 ** 12, 2 ** 28, 2 ** 40, 2 ** -126],
].flatMap(x => [x, -x])

/** All exponents with random mantissas, the neighbours of every edge and of multiples of π/2, and common ranges. */
function arguments32(seed: number, count: number): Float32Array {
  const values = new Float32Array(count)
  const bits = new Int32Array(values.buffer)
  const random = randomBits(seed)
  const uniform = (limit: number): number => (random() / 2 ** 31 - 1) * limit
  let at = 0
  for (const x of specials) values[at++] = x
  for (const x of edges) {
    const start = at
    for (let i = -64; i <= 64; i++) values[at++] = x
    for (let i = 0; i <= 128; i++) bits[start + i]! += i - 64
  }
  const tenth = Math.floor((count - at) / 10)
  for (let i = 0; i < tenth; i++) {
    values[at] = (1 + (random() % (i < tenth / 2 ? 1000 : 1_000_000))) * (Math.PI / 2)
    bits[at++]! += (random() % 3) - 1
  }
  for (const limit of [1, 1.5, 10, 110]) for (let i = 0; i < tenth; i++) values[at++] = uniform(limit)
  for (let i = 0; at < count; i++) bits[at++] = ((i % 512) << 23) | (random() & 0x7fffff)
  return values
}

/** Bases and exponents of ordinary size, all specials against each other, and random bit patterns. */
function pairs32(seed: number, count: number): readonly [Float32Array, Float32Array] {
  const [a, b] = [arguments32(seed, count), new Float32Array(count)]
  const random = randomBits(seed + 2)
  const special = [...specials, ...edges]
  for (let i = 0; i < count; i++) b[i] = (random() / 2 ** 31 - 1) * (i % 3 === 0 ? 1 : 40)
  for (let i = 1; i < count; i += 3) {
    a[i] = Math.exp((random() / 2 ** 31 - 1) * 10)
    if (i % 2 === 0) b[i] = Math.round(b[i]!)
  }
  const bits = new Int32Array(b.buffer)
  for (let i = 0; i < count; i += 4) bits[i] = random()
  for (let i = 0; i < special.length ** 2; i++) {
    a[i] = special[i % special.length]!
    b[i] = special[Math.floor(i / special.length)]!
  }
  return [a, b]
}

/** Index of the first element whose bits differ (NaNs are alike), or -1. */
function firstDifference(a: Float32Array, b: Float32Array): number {
  const [x, y] = [new Int32Array(a.buffer), new Int32Array(b.buffer)]
  return x.findIndex((bits, i) => bits !== y[i] && !(Number.isNaN(a[i]) && Number.isNaN(b[i])))
}

interface Machine {
  readonly march: string
  readonly vectorBytes: 16 | 32 | 64
  readonly count: number
}
const native: Machine = { march: 'native', vectorBytes: 64, count: 1 << 20 }
/** Older x86 machines, whose code paths this one can run too. */
const older: readonly Machine[] = [
  { march: 'x86-64-v3', vectorBytes: 32, count: 1 << 17 },
  { march: 'x86-64', vectorBytes: 16, count: 1 << 16 },
]
const machines = runsOlder ? [native, ...older] : [native]

const measured: Record<string, Record<string, string>> = {}
afterAll(() => {
  if (process.env.MATH_TABLE !== undefined) console.table(measured)
})

function check(library: Library, call: Call, operands: readonly Float32Array[], march: string): void {
  const [wide, other] = [new Float32Array(operands[0]!.length), new Float32Array(operands[0]!.length)]
  library.run(call, 16, operands, wide)
  const { ulp, index } = library.scan(call, operands, wide)
  measured[call.name] = { ...measured[call.name], [march]: ulp.toFixed(3) }
  const place = `at ${operands.map(x => x[index]).join(', ')}: ${wide[index]}`
  expect(ulp, `${call.name} is off by ${ulp} ulp ${place}`).toBeLessThanOrEqual(bound)
  for (const width of [1, 8]) {
    library.run(call, width, operands, other)
    const i = firstDifference(wide, other)
    expect(
      i,
      `${call.name}: width 16 gives ${wide[i]}, width ${width} ${other[i]} at ${operands.map(x => x[i]).join(', ')}`,
    ).toBe(-1)
  }
}

describe.skipIf(!hasCompiler)('f32 functions are within 4 ulp and alike at every width (needs a C compiler)', () => {
  for (const { march, vectorBytes, count } of machines) {
    describe(`-march=${march}`, () => {
      let library: Library | undefined
      const compiled = (): Library =>
        (library ??= build({ calls: [], scans: [...unary, ...binary], widths: [1, 8, 16], march, vectorBytes }))
      afterAll(() => library?.[Symbol.dispose]())
      const x = arguments32(17, count)
      const pair = pairs32(23, count)
      for (const call of unary) test(call.name, () => check(compiled(), call, [x], march))
      for (const call of binary) test(call.name, () => check(compiled(), call, pair, march))
    })
  }
})
