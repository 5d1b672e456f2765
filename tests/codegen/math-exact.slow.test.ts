/**
 * All of the C prelude that has one right answer: scalar ops of every dtype, conversions between all of them, 16-bit
 * floats (exhaustively), folds. The reference is the meaning in scalar/ops.ts.
 */

import { afterAll, describe, expect, test } from 'vitest'
import { preludeFor, preludeHas } from '../../src/codegen/c/prelude/index.js'
import { bitcast, conversion, registerElem } from '../../src/codegen/c/prelude/names.js'
import {
  accepts,
  castValue,
  evaluate,
  resultDtype,
  type ScalarOpName,
  scalarOp,
  scalarOpNames,
  type Value,
} from '../../src/scalar/ops.js'
import { type CodeDtype, codeDtypes } from '../../src/types/dtype.js'
import { fromBf16, fromF16, toBf16, toF16 } from '../../src/types/float16.js'
import { storedArrays } from '../../src/types/memory.js'
import { approximate } from '../support/approximate.js'
import { allSamples } from '../support/sample-choice.js'
import { build, type Call, hasCompiler, type Library, type Numbers, randomBits, runsOlder } from './math-harness.js'

const widths = [1, 8, 16] as const
/**
 * One element, and 8 or 16 by turns: dtypes differ in how many registers those take, and ops.slow.test.ts has all ops of all
 * dtypes with 16 in kernels. All of them with TEST_SAMPLES=all.
 */
const widthsByTurns = (turn: number): readonly number[] => (allSamples ? widths : [1, turn % 2 === 0 ? 8 : 16])
const computed = ['f64', 'f32', 'i64', 'i32', 'i16', 'i8', 'u8', 'bool'] as const satisfies readonly CodeDtype[]

/** Values in the form that memory holds: codes of 16-bit floats. */
function pack(dtype: CodeDtype, values: readonly Value[]): Numbers {
  if (dtype === 'i64') return BigInt64Array.from(values, BigInt)
  const code = dtype === 'f16' ? toF16 : dtype === 'bf16' ? toBf16 : (x: number) => x
  return new (storedArrays[dtype] as Float64ArrayConstructor)(values.map(value => code(Number(value))))
}
function unpack(dtype: CodeDtype, memory: Numbers): Value[] {
  const value = dtype === 'f16' ? fromF16 : dtype === 'bf16' ? fromBf16 : (x: number) => x
  return dtype === 'i64' ? [...(memory as BigInt64Array)] : Array.from(memory as Float64Array, value)
}

const floatEdges = [
  ...[
    0,
    0.25,
    0.5,
    1,
    1.5,
    2,
    2.5,
    3,
    7,
    0.1,
    100,
    127.5,
    128,
    255.5,
    256,
    32767.5,
    65504,
    65519.99,
    65520,
    2 ** 23 + 1,
  ],
  ...[
    2 ** 24,
    2 ** 31,
    2 ** 31 - 0.5,
    2 ** 31 + 0.5,
    2 ** 32,
    2 ** 53 + 2,
    2 ** 63,
    2 ** 64,
    1e10,
    1e30,
    3.4028234663852886e38,
  ],
  ...[5e-324, 1.4e-45, 1.17549435e-38, 2 ** -24, 2 ** -25, 6e-8, 1e-30, 1e300, Number.POSITIVE_INFINITY],
].flatMap(x => [x, -x])
floatEdges.push(Number.NaN)

const bigEdges = [
  0n,
  1n,
  2n,
  3n,
  5n,
  7n,
  8n,
  15n,
  16n,
  31n,
  32n,
  33n,
  63n,
  64n,
  100n,
  127n,
  128n,
  255n,
  256n,
  32767n,
  32768n,
]
const wideEdges = [
  65535n,
  2n ** 24n + 1n,
  2n ** 31n - 1n,
  2n ** 31n,
  2n ** 32n,
  2n ** 53n + 1n,
  2n ** 62n + 2n ** 38n + 1n,
  2n ** 63n - 1n,
]
const integerEdges = [...bigEdges, ...wideEdges].flatMap(x => [x, -x, -x - 1n])

function edgesOf(dtype: CodeDtype): Value[] {
  if (dtype === 'bool') return [0, 1]
  const values = registerElem(dtype).startsWith('f') ? floatEdges : integerEdges
  return [
    ...new Set(
      unpack(
        dtype,
        pack(
          dtype,
          values.map(x => castValue(typeof x === 'bigint' ? 'i64' : 'f64', dtype, x)),
        ),
      ),
    ),
  ]
}

function randomOf(dtype: CodeDtype, random: () => number): Value {
  const small = random() % 3 === 0
  if (dtype === 'bool') return random() & 1
  if (dtype === 'i64') return BigInt.asIntN(small ? 8 : 64, (BigInt(random()) << 32n) | BigInt(random()))
  if (!registerElem(dtype).startsWith('f'))
    return castValue('i64', dtype, BigInt(small ? (random() % 21) - 10 : random()))
  const spread = small
    ? Math.round((random() / 2 ** 31 - 1) * 20)
    : (random() / 2 ** 31 - 1) * 2 ** ((random() % 80) - 40)
  return castValue('f64', dtype, spread)
}

/** Every edge against every other, then random values, to a multiple of 16. */
function operandsOf(dtypes: readonly CodeDtype[], seed: number, count = 1536): Value[][] {
  const random = randomBits(seed)
  const [first, second] = [edgesOf(dtypes.at(-1)!), dtypes.length > 1 ? edgesOf(dtypes.at(-2)!) : [0]]
  const crossed = Math.min(first.length * second.length, count)
  const picked = dtypes.map(dtype => Array.from({ length: count }, () => randomOf(dtype, random)))
  for (let i = 0; i < crossed; i++) {
    // A large cross product is sampled evenly: a step that shares no factor with its size visits all of it.
    const at = (i * 7919) % (first.length * second.length)
    picked.at(-1)![i] = first[at % first.length]!
    if (dtypes.length > 1) picked.at(-2)![i] = second[Math.floor(at / first.length)]!
  }
  return picked
}

const same = (a: Value, b: Value): boolean => Object.is(a, b)

function expectEqual(
  what: string,
  operands: readonly ArrayLike<Value>[],
  got: ArrayLike<Value>,
  want: ArrayLike<Value>,
  close = same,
): void {
  let i = 0
  while (i < want.length && close(got[i]!, want[i]!)) i++
  if (i < want.length)
    expect.fail(`${what}(${operands.map(x => String(x[i])).join(', ')}) is ${got[i]}, not ${want[i]}`)
}

function checkCall(
  library: Library,
  call: Call,
  operands: readonly (readonly Value[])[],
  want: readonly Value[],
  { close = same, widths }: { close?: typeof same; widths: readonly number[] },
): void {
  const memory = operands.map((values, i) => pack(call.operands[i]!, values))
  for (const width of widths) {
    const out = pack(call.result, new Array<Value>(want.length).fill(0))
    library.run(call, width, memory, out)
    expectEqual(`${call.name} at width ${width}`, operands, unpack(call.result, out), want, close)
  }
}

/** Their zeros are elsewhere than 0, and terms cancel near them: the error is measured in units of at least 1. */
const vanishing = new Set<ScalarOpName>(['lgamma', 'digamma'])

/** One rounding (ours) against two (the reference's): equal up to the second. */
const relative = (op: ScalarOpName, bits: number) => (a: Value, b: Value) =>
  Object.is(a, b) ||
  Math.abs(Number(a) - Number(b)) <= Math.max(Math.abs(Number(b)), vanishing.has(op) ? 1 : 0) * 2 ** -bits ||
  Math.abs(Number(a) - Number(b)) < 1e-306

/**
 * Bits that libm and the reference share, where the latter is the worse: it rounds twice in fma, takes erfc as 1 - erf, and has
 * Lanczos' sum for ln Γ.
 */
const agreement: Readonly<Partial<Record<ScalarOpName, number>>> = { fma: 20, erfc: 44, lgamma: 46, digamma: 46 }

function operandDtypes(op: ScalarOpName, dtype: CodeDtype): CodeDtype[] {
  const operands = new Array<CodeDtype>(scalarOp(op).arity).fill(dtype)
  return op === 'where' ? ['bool', ...operands.slice(1)] : operands
}

const opCases = computed.flatMap(dtype =>
  scalarOpNames
    .filter(op => accepts(op, dtype))
    .map(op => {
      const call: Call = {
        name: `${op}_${registerElem(dtype)}`,
        operands: operandDtypes(op, dtype),
        result: resultDtype(op, dtype) as CodeDtype,
      }
      return { op, dtype, call }
    }),
)
const measuredElsewhere = ({ op, dtype }: { op: ScalarOpName; dtype: CodeDtype }): boolean =>
  dtype === 'f32' && approximate.has(op)

test('every scalar op has a piece for every dtype that it accepts, at every width', () => {
  const missing = opCases
    .flatMap(({ call }) => ['', 'x2', 'x4', 'x8', 'x16', 'x32', 'x64'].map(w => call.name + w))
    .filter(name => !preludeHas(name))
  expect(missing).toEqual([])
})

test('the text contains the requested pieces and their dependences, once each, and nothing else', () => {
  const text = preludeFor(['sigmoid_f32x16', 'exp_f32x16'])
  expect(text.match(/ exp_f32x16\(f32x16 x/g)).toHaveLength(1)
  expect(text.indexOf(' exp_f32x16(')).toBeLessThan(text.indexOf(' sigmoid_f32x16('))
  expect(text).not.toMatch(/sin_f32|f64x8 exp|log_f32/)
  expect(preludeFor(['exp_f32x16', 'sigmoid_f32x16', 'exp_f32x16']).length).toBe(text.length)
  expect(() => preludeFor(['frobnicate_f32x16'])).toThrow('no piece is named frobnicate_f32x16')
  expect(() => preludeFor(['exp_f32x3'])).toThrow('no piece is named exp_f32x3')
})

describe.skipIf(!hasCompiler)('exact functions equal their meaning (needs a C compiler)', () => {
  let library: Library | undefined
  afterAll(() => library?.[Symbol.dispose]())
  const tested = opCases
    .filter(c => !measuredElsewhere(c))
    .map(({ op, dtype, call }) => {
      const turn = scalarOpNames.indexOf(op) + computed.indexOf(dtype)
      return { op, dtype, call: { ...call, widths: widthsByTurns(turn) } }
    })
  const compiled = (): Library => (library ??= build({ calls: tested.map(c => c.call), widths }))

  for (const { op, dtype, call } of tested) {
    test(`${op} ${dtype}`, () => {
      const operands = operandsOf(call.operands, op.length * 131 + dtype.length)
      const want = operands[0]!.map((_, i) =>
        evaluate(
          op,
          dtype,
          operands.map(values => values[i]!),
        ),
      )
      const loose = dtype === 'f64' && (approximate.has(op) || op === 'fma')
      const close = loose ? relative(op, agreement[op] ?? 49) : same
      checkCall(compiled(), call, operands, want, { close, widths: call.widths })
    })
  }
})

describe.skipIf(!hasCompiler)('conversions and bitcasts (needs a C compiler)', () => {
  const cases = codeDtypes.flatMap((from, i) =>
    codeDtypes.map((to, j) => {
      const steps = conversion(from, to, 1)
      const call = {
        name: `convert_${from}_to_${to}`,
        operands: [from],
        result: to,
        steps,
        widths: widthsByTurns(i + j),
      }
      return { from, to, call }
    }),
  )
  const casts = (
    [
      ['f32', 'i32'],
      ['i32', 'f32'],
      ['f64', 'i64'],
      ['i64', 'f64'],
      ['i8', 'u8'],
      ['u8', 'i8'],
      ['f16', 'i16'],
      ['i16', 'f16'],
      ['bf16', 'i16'],
      ['i16', 'bf16'],
    ] as const
  ).map(([from, to]): Call => ({ name: bitcast(from, to, 1)!, operands: [from], result: to }))
  let library: Library | undefined
  afterAll(() => library?.[Symbol.dispose]())
  const compiled = (): Library => (library ??= build({ calls: [...cases.map(c => c.call), ...casts], widths }))

  for (const { from, to, call } of cases) {
    test(`${from} to ${to}`, () => {
      const operands = operandsOf([from], 7)
      const want = operands[0]!.map(x => castValue(from, to, x))
      checkCall(compiled(), call, operands, want, { widths: call.widths })
    })
  }
  for (const call of casts) {
    test(call.name, () => {
      const [from] = call.operands as [CodeDtype]
      const memory = pack(from, operandsOf([from], 11)[0]!)
      const want = new (storedArrays[call.result] as Uint8ArrayConstructor)(memory.buffer as ArrayBuffer)
      for (const width of widths) {
        const out = pack(call.result, new Array<Value>(want.length).fill(0))
        compiled().run(call, width, [memory], out)
        // Signalling NaNs become quiet ones in a 16-bit float's trip through f32, so values are compared.
        expectEqual(call.name, [[]], unpack(call.result, out), unpack(call.result, want))
      }
    })
  }
})

describe.skipIf(!hasCompiler)('16-bit floats, all codes (needs a C compiler)', () => {
  const machines = [
    { march: 'native', vectorBytes: 64 },
    { march: runsOlder ? 'x86-64' : 'native', vectorBytes: 16 },
  ] as const
  for (const { march, vectorBytes } of machines) {
    for (const half of ['f16', 'bf16'] as const) {
      const [decode, encode] = half === 'f16' ? [fromF16, toF16] : [fromBf16, toBf16]
      test(`${half}: every code, every midpoint and its neighbours; -march=${march}, ${vectorBytes}-byte vectors`, () => {
        const widen: Call = { name: `widen_${half}`, operands: [half], result: 'f32', steps: [] }
        const narrow: Call = { name: `f32_to_${half}`, operands: ['f32'], result: half }
        const narrow64: Call = { name: `f64_to_${half}`, operands: ['f64'], result: half }
        using library = build({ calls: [widen, narrow, narrow64], widths, march, vectorBytes })
        const sameCode = (a: Value, b: Value): boolean =>
          a === b || (Number.isNaN(decode(Number(a))) && Number.isNaN(decode(Number(b))))
        const codes = Uint16Array.from({ length: 65536 }, (_, i) => i)
        const values = Float64Array.from(codes, decode)
        const near = nearMidpoints(values)
        const f32s = Float32Array.from(near)
        const [want32, want64] = [f32s, near].map(xs => Uint16Array.from(xs, encode)) as [Uint16Array, Uint16Array]
        for (const width of widths) {
          const wide = new Float32Array(65536)
          library.run(widen, width, [codes], wide)
          expectEqual(`load_${half}`, [codes], wide, values)
          const out = new Uint16Array(near.length)
          library.run(narrow, width, [f32s], out)
          expectEqual(`f32_to_${half}`, [f32s], out, want32, sameCode)
          library.run(narrow64, width, [near], out)
          expectEqual(`f64_to_${half}`, [near], out, want64, sameCode)
        }
      })
    }
  }
})

/** Between neighbouring codes: the midpoint, a little to either side of it by f32's and by f64's measure, and the values. */
function nearMidpoints(values: Float64Array): Float64Array {
  const near: number[] = []
  for (let i = 0; i < values.length - 1; i++) {
    const [low, high] = [values[i]!, values[i + 1]!]
    const middle = Number.isFinite(high) ? (low + high) / 2 : low + (low - values[Math.max(i - 1, 0)]!) / 2
    near.push(low, middle)
    for (const step of [2 ** -23, 2 ** -52]) near.push(middle * (1 + step), middle * (1 - step))
  }
  while (near.length % 16 !== 0) near.push(0)
  return Float64Array.from(near)
}

describe.skipIf(!hasCompiler)('folds go pairwise, lane i with lane i + W/2 (needs a C compiler)', () => {
  const folds = (['add', 'mul', 'min', 'max', 'fmax', 'and', 'or'] as const).flatMap(op =>
    computed
      .filter(dtype => accepts(op, dtype) && preludeHas(`fold_${op}_${registerElem(dtype)}x8`))
      .map(dtype => ({
        op,
        dtype,
        call: { name: `fold_${op}_${registerElem(dtype)}`, operands: [dtype], result: dtype } as Call,
      })),
  )
  // A fold gives a scalar: it is splat, so that the harness can store it like any other result.
  const wrapped = folds.map(f => ({
    ...f,
    call: { ...f.call, name: `splat_${f.call.name}`, steps: [f.call.name, `splat_${registerElem(f.dtype)}`] },
  }))
  let library: Library | undefined
  afterAll(() => library?.[Symbol.dispose]())
  const compiled = (): Library => (library ??= build({ calls: wrapped.map(f => f.call), widths: [2, 8, 16, 64] }))

  const pairwise = (op: ScalarOpName, dtype: CodeDtype, lanes: readonly Value[]): Value => {
    if (lanes.length === 1) return lanes[0]!
    const half = lanes.length / 2
    return pairwise(
      op,
      dtype,
      lanes.slice(0, half).map((lane, i) => evaluate(op, dtype, [lane, lanes[i + half]!])),
    )
  }
  for (const { op, dtype, call } of wrapped) {
    test(`${op} ${dtype}`, () => {
      for (const width of [2, 8, 16, 64]) {
        const values = operandsOf([dtype], 29)[0]!
        const out = pack(dtype, new Array<Value>(values.length).fill(0))
        compiled().run(call, width, [pack(dtype, values)], out)
        const want = values.map((_, i) => pairwise(op, dtype, values.slice(i - (i % width), i - (i % width) + width)))
        expectEqual(`${call.name} at width ${width}`, [values], unpack(dtype, out), want)
      }
    })
  }
})

describe.skipIf(!hasCompiler)('all widths on all register sizes (needs a C compiler)', () => {
  const every = [1, 2, 4, 32, 64]
  const names = [
    'exp_f32',
    'sin_f32',
    'pow_f32',
    'floorDiv_f32',
    'mod_f64',
    'max_f64',
    'truncDiv_i32',
    'floorDiv_i8',
    'pow_i16',
  ]
  const calls: readonly Call[] = [...names, 'shl_u8', 'min_i64', 'lt_f64', 'where_i8', 'where_f64'].map(name => {
    const dtype = name.split('_')[1] as CodeDtype
    const op = name.split('_')[0] as ScalarOpName
    return { name, operands: operandDtypes(op, dtype), result: resultDtype(op, dtype) as CodeDtype }
  })
  const machines = [64, 32, 16] as const
  for (const vectorBytes of machines) {
    test(`${vectorBytes}-byte registers`, () => {
      using library = build({ calls, widths: every, vectorBytes })
      for (const call of calls) {
        const operands = operandsOf(call.operands, 3, 512)
        const memory = operands.map((values, i) => pack(call.operands[i]!, values))
        const results = every.map(width => {
          const out = pack(call.result, new Array<Value>(512).fill(0))
          library.run(call, width, memory, out)
          return unpack(call.result, out)
        })
        for (const [i, result] of results.entries())
          expectEqual(`${call.name} at width ${every[i]}`, operands, result, results[0]!)
      }
    })
  }
})

test.skipIf(!hasCompiler)('bools in memory: any byte but 0 is true, and 0 or 1 is written (needs a C compiler)', () => {
  const call: Call = { name: 'copy_bool', operands: ['bool'], result: 'bool', steps: [] }
  using library = build({ calls: [call], widths })
  const bytes = Uint8Array.from({ length: 256 }, (_, i) => i)
  for (const width of widths) {
    const out = new Uint8Array(256)
    library.run(call, width, [bytes], out)
    expect([...out]).toEqual([0, ...new Array<number>(255).fill(1)])
  }
})
