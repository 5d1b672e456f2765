/**
 * Wrong JavaScript arguments to every call of the kernel language, in every place: each call works, or fails with an
 * error of a kind of its own at the user's line that says what was given. Launched, interpreted and compiled alike.
 */
import { describe, expect, it } from 'vitest'
import { InternalError, TegulaError, VerifyError } from '../../src/base/errors.js'
import { compile, type Tensor, tensor, zeros } from '../../src/index.js'
import { f32, i64, kernel, type TileBuilder, type TileValue, type ViewValue, view } from '../../src/kernel.js'
import { hasCompiler } from '../support/compiler.js'
import { quickly } from '../support/sample-choice.js'

interface Params {
  readonly x: ViewValue
  readonly out: ViewValue
  readonly n: TileValue
}
type Make = (t: TileBuilder, p: Params) => readonly unknown[]
type Call = (t: TileBuilder, p: Params) => unknown
/** A method by a name that only this table knows. */
type Methods = Readonly<Record<string, (...args: unknown[]) => unknown>>

const block: Make = (t, p) => [p.out, [t.iota(4)], 1, { mask: true }]

/** Right arguments for each call of `t`; each is then replaced by wrong ones, and one too many is added. */
const builderCalls: Readonly<Record<string, Make>> = {
  programId: () => [0],
  numPrograms: () => [0],
  const: () => [1, 'f32'],
  full: () => [[4], 1, 'f32'],
  zeros: () => [[4], 'f32'],
  iota: () => [4, 'i64'],
  map: t => ['add', t.zeros([4], 'f32'), 1],
  where: t => [t.zeros([4], 'bool'), t.zeros([4], 'f32'), 1],
  cdiv: t => [t.programId(0), 4],
  load: (_, p) => [p.x, [0], [4], { padding: 1 }],
  store: (t, p) => [p.out, [0], t.zeros([4], 'f32'), { ends: [4] }],
  gather: (t, p) => [p.x, [t.iota(4)], { mask: true }],
  scatter: block,
  atomicAdd: block,
  atomicMin: block,
  atomicMax: block,
  atomicExchange: block,
  dot: t => [t.zeros([4, 4], 'f32'), t.zeros([4, 4], 'f32'), t.zeros([4, 4], 'f32'), { precision: 'f32' }],
  range: t => [0, 4, 1, { a: t.const(0, 'f32') }, (_: TileValue, { a }: { a: TileValue }) => ({ a })],
  while: t => [
    { a: t.const(0, 'f32') },
    (carried: Readonly<Record<string, TileValue>>) => carried.a?.lt(0) ?? false,
    ({ a }: { a: TileValue }) => ({ a }),
  ],
  if: t => [t.programId(0).lt(3), () => ({ a: t.const(1, 'f32') }), () => ({ a: 2 })],
}

const reduced: Make = () => [0, { keepdim: true }]
const scanned: Make = () => [0, { reverse: true }]

/** The same for methods of tiles. */
const tileCalls: Readonly<Record<string, Make>> = {
  to: () => ['f64'],
  bitcast: () => ['i32'],
  clamp: () => [0, 1],
  sum: reduced,
  prod: reduced,
  amax: reduced,
  amin: reduced,
  argmax: reduced,
  argmin: reduced,
  any: reduced,
  all: reduced,
  cumsum: scanned,
  cumprod: scanned,
  cummax: scanned,
  cummin: scanned,
  reshape: () => [[2, 2]],
  transpose: () => [[0]],
  expandDims: () => [0],
  squeeze: () => [0],
  broadcastTo: () => [[4]],
  add: () => [1],
  floorDiv: () => [2],
  and: () => [1],
  lt: () => [1],
  where: () => [1, 2],
  fma: () => [1, 2],
  exp: () => [],
}

const viewCalls: Readonly<Record<string, Make>> = { size: () => [0], stride: () => [0] }

/** What people pass by mistake, and what nobody should. */
const wrong = (t: TileBuilder, p: Params): readonly unknown[] => [
  undefined,
  null,
  'x',
  '',
  0,
  -1,
  3,
  1.5,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  2 ** 70,
  5n,
  2n ** 70n,
  true,
  Symbol('s'),
  {},
  { a: 1 },
  { a: null },
  Object.create(null),
  [],
  [1, 2],
  [null],
  [[4]],
  new Array(3),
  [Number.NaN],
  ['4'],
  [4n],
  new Float32Array(2),
  new Date(0),
  new Map(),
  () => {},
  () => 5,
  () => null,
  () => ({ b: 1 }),
  () => t.const(1, 'f32'),
  async () => {},
  class {},
  tensor([1, 2]),
  p.x,
  p.out,
  p.n,
  t,
  t.zeros([4], 'f32'),
  t.zeros([4, 4], 'f32'),
  t.zeros([4], 'bool'),
  t.iota(4),
  t.const(1, 'i8'),
  t.const(true, 'bool'),
  [t.iota(4)],
  [p.n],
  [p.x],
  [t.zeros([4], 'f32')],
  { mask: 5 },
  { mask: t.iota(4) },
  { padding: 'x' },
  { padding: t.iota(4) },
  { ends: 5 },
  { ends: [null, null] },
  { ends: ['a'] },
  { keepdim: 'no' },
  { reverse: 7 },
  { precision: 5 },
  { unknown: 1 },
]
const wrongCount = 63

const make = (call: Call) =>
  kernel({
    name: 'k',
    params: { x: view(f32, 1), out: view(f32, 1), n: i64 },
    grid: () => [1],
    body: (t, p) => {
      call(t, p)
      t.store(p.out, [0], 1)
    },
  })

type Way = 'interpret' | 'launch' | 'compile'

/** What a call throws; null when it works. */
function errorOf(call: Call, way: Way): unknown {
  const k = make(call)
  const [x, out] = [zeros([8]), zeros([8])]
  try {
    if (way !== 'compile') k[way]({ x, out, n: 3 })
    else
      compile((x: Tensor) => {
        const out = zeros([8])
        k.launch({ x, out, n: 3 })
        return out
      })(x)
  } catch (error) {
    return error
  }
  return null
}

/** What is wrong with an error; null: nothing. */
function problem(error: unknown): string | null {
  if (!(error instanceof TegulaError) || error instanceof InternalError || error instanceof VerifyError)
    return String((error as Error)?.stack)
  if (!error.at?.file.endsWith('kernel-arguments.test.ts')) return `no line of the user: ${error.message}`
  if (error.fix === null) return `no fix: ${error.message}`
  return /\[object|\bundefined undefined\b/.test(error.message) ? `unreadable: ${error.message}` : null
}

/** Every call with one argument replaced by a wrong one, dropped with those after it, or too many. */
function mistakesOf(receiver: (t: TileBuilder, p: Params) => unknown, name: string, right: Make): readonly Call[] {
  const call = (t: TileBuilder, p: Params, args: readonly unknown[]): unknown =>
    (receiver(t, p) as Methods)[name]?.(...args)
  const probe: { count: number } = { count: 0 }
  errorOf((t, p) => (probe.count = right(t, p).length), 'interpret')
  const replaced = Array.from(
    { length: (probe.count + 1) * wrongCount },
    (_, i): Call =>
      (t, p) => {
        const args = [...right(t, p)]
        args[Math.floor(i / wrongCount)] = wrong(t, p)[i % wrongCount]
        return call(t, p, args)
      },
  )
  const dropped = Array.from(
    { length: probe.count },
    (_, i): Call =>
      (t, p) =>
        call(t, p, right(t, p).slice(0, i)),
  )
  return [...replaced, ...dropped]
}

const suites = [
  ...Object.entries(builderCalls).map(([name, right]) => [`t.${name}`, mistakesOf(t => t, name, right)] as const),
  ...Object.entries(tileCalls).map(
    ([name, right]) => [`tile.${name}`, mistakesOf(t => t.zeros([4], 'f32'), name, right)] as const,
  ),
  ...Object.entries(viewCalls).map(
    ([name, right]) => [`view.${name}`, mistakesOf((_, p) => p.x, name, right)] as const,
  ),
]

describe('wrong JavaScript arguments', () => {
  it('are all counted', () => {
    let count = 0
    errorOf((t, p) => (count = wrong(t, p).length), 'interpret')
    expect(count).toBe(wrongCount)
  })

  it.each(quickly(suites, 20))('to %s give errors that say what, where and how to fix it', (_, mistakes) => {
    const found: string[] = []
    let failed = 0
    for (const [i, call] of mistakes.entries()) {
      const error = errorOf(call, 'interpret')
      if (error === null) continue
      failed++
      const said = problem(error)
      if (said !== null) found.push(`${i}: ${said}`)
    }
    expect(found).toEqual([])
    expect(failed).toBeGreaterThan(0)
  })

  // Bodies are built the same way for all: a few of each call tell.
  it.skipIf(!hasCompiler).each(quickly(suites, 20))(
    'to %s give the same errors launched and compiled',
    (_, mistakes) => {
      const failing = mistakes.filter(call => errorOf(call, 'interpret') !== null)
      for (const call of failing.filter((_, i) => i % 29 === 0)) {
        const { message } = errorOf(call, 'interpret') as Error
        expect((errorOf(call, 'launch') as Error | null)?.message).toBe(message)
        expect((errorOf(call, 'compile') as Error | null)?.message).toBe(message)
      }
    },
  )

  it('an extra argument is named', () => {
    const message = (call: Call): string => (errorOf(call, 'interpret') as Error).message
    expect(
      message((t, { x }) => (t as unknown as { load: (...args: unknown[]) => unknown }).load(x, [0], [4], {}, 7)),
    ).toMatch(/k: load: 5 arguments, the last of them the number 7 .*fix: it takes at most 4/)
    expect(
      message(t => (t.zeros([4], 'f32') as unknown as { sum: (...args: unknown[]) => unknown }).sum(0, {}, 1)),
    ).toMatch(/k: sum: 3 arguments.*at most 2/)
  })
})

describe('JavaScript operators on tiles', () => {
  const any = (value: unknown): never => value as never
  it.each<[string, Call]>([
    ['tile + 1', t => any(t.programId(0)) + 1],
    ['tile < 3', t => any(t.programId(0)) < 3],
    // biome-ignore lint/suspicious/noDoubleEquals: it is the mistake
    ['tile == 0', t => any(t.programId(0)) == 0],
    ['-tile', t => -any(t.programId(0))],
    ['Math.max', t => Math.max(any(t.programId(0)), 1)],
    ['JSON.stringify', t => JSON.stringify(t.programId(0))],
    ['spreading', t => [...any(t.iota(4))]],
    [
      'destructuring',
      t => {
        const [first] = any(t.iota(4)) as unknown[]
        return first
      },
    ],
    ['view + 1', (_, { x }) => any(x) + 1],
    ['view < 3', (_, { x }) => any(x) < 3],
    ['JSON of a view', (_, { x }) => JSON.stringify(x)],
    ['spreading a view', (_, { x }) => [...any(x)]],
  ])('%s', (_, call) => {
    const error = errorOf(call, 'interpret')
    expect(problem(error)).toBeNull()
    expect((error as Error).message).toMatch(/is (used as a number|converted to JSON|iterated over or destructured)/)
  })
})
