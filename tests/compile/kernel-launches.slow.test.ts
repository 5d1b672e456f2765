/**
 * Launches with what hostile callers pass: scalars and indices at the limits of their dtypes, grids that are none or too
 * large, programs that store to one element, arguments under other names. Launched, interpreted and compiled alike.
 */
import { describe, expect, it } from 'vitest'
import { TegulaError } from '../../src/base/errors.js'
import { compile, type Tensor, tensor, zeros } from '../../src/index.js'
import { cdiv, f32, i64, kernel, type TileBuilder, type TileValue, type ViewValue, view } from '../../src/kernel.js'
import type { CodeDtype } from '../../src/types/dtype.js'
import { hasCompiler } from '../support/compiler.js'

const any = (value: unknown): never => value as never

/** What `run` throws: an error of ours at a line of this file, with a fix. */
function failure(run: () => unknown): string {
  try {
    run()
  } catch (error) {
    expect(error).toBeInstanceOf(TegulaError)
    expect((error as TegulaError).at?.file).toMatch(/kernel-launches\.slow\.test\.ts$/)
    expect((error as TegulaError).fix).not.toBeNull()
    return (error as Error).message
  }
  throw new Error('nothing was thrown')
}

const ways = ['interpret', ...(hasCompiler ? (['launch', 'compile'] as const) : [])] as const
type Way = (typeof ways)[number]

/** Calls a kernel that writes `out` in a way; gives `out`. */
function call(
  k: { launch(args: never): void; interpret(args: never): void },
  args: Record<string, unknown>,
  out: Tensor,
  way: Way,
): unknown {
  if (way === 'compile') {
    compile((out: Tensor) => {
      k.launch(any({ ...args, out }))
      return out
    })(out)
  } else k[way](any({ ...args, out }))
  return out.dtype === 'i64' ? [...out.dataSync('i64')] : out.toArray()
}

const scalarOf = (dtype: CodeDtype) =>
  kernel({
    name: 'k',
    params: { s: dtype, out: view(dtype, 1) },
    grid: () => [1],
    body: (t, { s, out }) => t.store(out, [0], s),
  })

describe.each(ways)('scalars of a kernel (%s)', way => {
  it.each<[CodeDtype, readonly (number | bigint | boolean)[]]>([
    ['i8', [-128, 127]],
    ['u8', [0, 255]],
    ['i16', [-32768, 32767]],
    ['i32', [-(2 ** 31), 2 ** 31 - 1, -0]],
    ['i64', [-(2n ** 63n), 2n ** 63n - 1n, Number.MAX_SAFE_INTEGER]],
    ['f16', [65504, 2 ** -24, Number.POSITIVE_INFINITY, Number.NaN]],
    ['bf16', [3.3895313892515355e38, Number.NEGATIVE_INFINITY]],
    ['f32', [3.4028234663852886e38, 1e-45, -0, Number.NaN]],
    ['f64', [Number.MAX_VALUE, 5e-324]],
    ['bool', [true, false]],
  ])('of %s at its limits arrive as they are', (dtype, values) => {
    for (const s of values) {
      const [got] = call(scalarOf(dtype), { s }, zeros([1], { dtype }), way) as unknown[]
      const wanted = dtype === 'f32' ? Math.fround(Number(s)) : Number(s)
      if (typeof got === 'bigint') expect(got).toBe(BigInt(s))
      else expect(Number(got) + 0).toEqual(wanted + 0)
    }
  })

  it.each<[CodeDtype, unknown, RegExp]>([
    ['i8', 128, /argument 's' is 128, which i8 cannot represent.*pass -128 … 127/],
    ['i8', -129, /which i8 cannot represent/],
    ['u8', -1, /argument 's' is -1, which u8 cannot represent.*pass 0 … 255/],
    ['i16', 32768, /which i16 cannot represent/],
    ['i32', 2 ** 32 + 5, /argument 's' is 4294967301, which i32 cannot represent.*-2147483648 … 2147483647/],
    ['i32', -(2 ** 31) - 1, /which i32 cannot represent/],
    ['i32', 1.5, /argument 's' is 1\.5, not a number of dtype i32.*pass an integer/],
    ['i32', Number.NaN, /argument 's' is NaN, not a number of dtype i32/],
    ['i32', Number.POSITIVE_INFINITY, /is Infinity, not a number of dtype i32/],
    ['i32', 5n, /is 5n, not a number of dtype i32/],
    ['i32', true, /is true, not a number of dtype i32/],
    ['i64', 2n ** 63n, /is 9223372036854775808, which i64 cannot represent.*2n \*\* 63n - 1n/],
    ['i64', -(2n ** 63n) - 1n, /which i64 cannot represent/],
    ['i64', 2 ** 60, /beyond 2\^53 and not exact.*pass it as a bigint: 1152921504606846976n/],
    ['i64', 2 ** 64, /beyond 2\^53/],
    ['f16', 65520, /is 65520, which f16 cannot represent: it would be infinite/],
    ['bf16', 3.4e38, /which bf16 cannot represent/],
    ['f32', 1e39, /is 1e\+39, which f32 cannot represent: it would be infinite/],
    ['f32', 5n, /is 5n, not a number of dtype f32.*pass a number/],
    ['f32', true, /is true, not a number of dtype f32/],
    ['f32', 'two', /is two, not a number of dtype f32/],
    ['f32', null, /is null, not a number of dtype f32/],
    ['f32', undefined, /is undefined, not a number of dtype f32/],
    ['f32', [1], /is \[1\], not a number/],
    ['f32', {}, /is an empty object, not a number/],
    ['bool', 1, /is 1, not a number of dtype bool.*true or false/],
  ])('of %s refuse %s', (dtype, s, message) => {
    expect(failure(() => call(scalarOf(dtype), { s }, zeros([1], { dtype }), way))).toMatch(message)
  })
})

const gridOf = (grid: unknown) =>
  kernel({
    name: 'k',
    params: { out: view(f32, 1) },
    grid: () => any(grid),
    body: (t, { out }) => t.store(out, [t.programId(0)], 1),
  })

describe.each(ways)('grids (%s)', way => {
  it.each([
    [-1],
    [1.5],
    [Number.NaN],
    [Number.POSITIVE_INFINITY],
    ['4'],
    [4n],
    [null],
    [{}],
    [Symbol('s')],
    new Array(2),
    [],
    [1, 1, 1, 1],
    4,
    null,
    undefined,
    'abc',
    { 0: 1, length: 1 },
    new Int32Array(1),
  ])('that are none: %#', grid => {
    expect(failure(() => call(gridOf(grid), {}, zeros([4]), way))).toMatch(
      /kernel 'k': the grid is .*one to three integers/,
    )
  })

  it.each([
    [[2 ** 31]],
    [[2 ** 53 - 1]],
    [[2 ** 31 - 1, 2 ** 31 - 1]],
    [[2 ** 31 - 1, 2 ** 31 - 1, 2 ** 31 - 1]],
    [[2 ** 22, 2 ** 22, 2 ** 20]],
  ])('that are too large: %j', grid => {
    const message = failure(() => call(gridOf(grid), {}, zeros([4]), way))
    expect(message).toMatch(/below 2\^31|more than 2\^53 programs|2147483647 along an axis and 2\^53 in all/)
  })

  it.each([[[0]], [[0, 5]], [[2 ** 31 - 1, 2 ** 31 - 1, 0]]])('without programs run nothing: %j', grid => {
    expect(call(gridOf(grid), {}, zeros([4]), way)).toEqual([0, 0, 0, 0])
  })
})

/** Kernels whose programs store to one element, with the element that they meet at. */
const overlapping = {
  'no program id': [
    /programs \[0\] and \[1\] both store to out\[0\]/,
    (t: TileBuilder, out: ViewValue) => t.store(out, [0], 1),
  ],
  'blocks larger than the step': [
    /programs \[0\] and \[1\] both store to out\[3\]/,
    (t: TileBuilder, out: ViewValue) => t.store(out, [t.programId(0).mul(3)], t.zeros([4], 'f32')),
  ],
  'ids modulo something': [
    /programs \[0\] and \[1\] both store to out\[0\]/,
    (t: TileBuilder, out: ViewValue) => t.store(out, [t.programId(0).floorDiv(2)], 1),
  ],
} as const

/** Only a run tells. */
const overlappingInBlocks = {
  'inside of a loop': (t: TileBuilder, out: ViewValue) => t.range(0, 2, 1, i => t.store(out, [i], 1)),
  'inside of a branch': (t: TileBuilder, out: ViewValue) => t.if(t.programId(0).ge(0), () => t.store(out, [2], 1)),
  'by scatter': (t: TileBuilder, out: ViewValue) => t.scatter(out, [t.iota(4)], 1),
  'further apart': (t: TileBuilder, out: ViewValue) => t.store(out, [t.programId(0).mod(2)], 1),
} as const

const storing = (body: (t: TileBuilder, out: ViewValue) => unknown) =>
  kernel({ name: 'k', params: { out: view(f32, 1) }, grid: () => [3], body: (t, { out }) => void body(t, out) })

describe('two programs that store to the same element', () => {
  it.each(Object.entries(overlapping))('are rejected: %s', (_, [message, body]) => {
    expect(failure(() => storing(body).interpret({ out: zeros([12]) }))).toMatch(message)
    if (hasCompiler) expect(failure(() => storing(body).launch({ out: zeros([12]) }))).toMatch(message)
  })

  it.each(Object.entries(overlappingInBlocks))('are found by interpret: %s', (_, body) => {
    expect(failure(() => storing(body).interpret({ out: zeros([12]) }))).toMatch(
      /k: the programs \[\d\] and \[\d\] both store to out\[\d\] .*fix: .*atomicAdd/,
    )
  })

  it('along a grid axis that the offsets do not use, on views with any strides', () => {
    const k = kernel({
      name: 'k',
      params: { out: view(f32, 2) },
      grid: () => [2, 3],
      body: (t, { out }) => t.store(out, [t.programId(1), 1], 1),
    })
    const out = zeros([4, 6]).t()
    expect(failure(() => k.interpret({ out }))).toMatch(/programs \[0, 0\] and \[1, 0\] both store to out\[0, 1\]/)
    if (hasCompiler)
      expect(failure(() => k.launch({ out }))).toMatch(/programs \[0, 0\] and \[1, 0\] both store to out\[0, 1\]/)
  })

  it.skipIf(!hasCompiler)('are checked at each launch that differs', () => {
    const k = kernel({
      name: 'k',
      params: { step: i64, out: view(f32, 1) },
      grid: ({ out }) => [cdiv(out.size(0), 4)],
      body: (t, { step, out }) => t.store(out, [t.programId(0).mul(step)], t.zeros([4], 'f32').add(1)),
    })
    const out = zeros([8])
    k.launch({ step: 4, out })
    expect(out.toArray()).toEqual([1, 1, 1, 1, 1, 1, 1, 1])
    expect(failure(() => k.launch({ step: 3, out }))).toMatch(/both store to out\[3\]/)
    k.launch({ step: 4, out })
    k.launch({ step: 3, out: zeros([3]) }) // one program
  })

  it('atomics do not conflict, nor does one program that stores twice', () => {
    const out = zeros([2])
    storing((t, out) => t.atomicAdd(out, [0], 1)).interpret({ out })
    storing((t, out) => {
      t.store(out, [t.programId(0)], 1)
      t.store(out, [t.programId(0)], 2)
    }).interpret({ out: zeros([3]) })
    expect(out.toArray()).toEqual([3, 0])
  })
})

interface Memory {
  readonly x: ViewValue
  readonly ids: ViewValue
  readonly out: ViewValue
  readonly o: TileValue
  readonly n: TileValue
}

/** Indices that come from the launch, from memory, from the text, added to and multiplied. */
const accesses: Readonly<Record<string, (t: TileBuilder, p: Memory, v: bigint) => void>> = {
  load: (t, { x, out, o }) => t.store(out, [0], t.load(x, [o], [8], { padding: 7 })),
  'load of a constant place': (t, { x, out }, v) => t.store(out, [0], t.load(x, [v], [8], { padding: 7 })),
  'load of a sum': (t, { x, out, o }) => t.store(out, [0], t.load(x, [o.add(3).mul(5)], [8], { padding: 7 })),
  'load of a loaded place': (t, { x, ids, out }) =>
    t.store(out, [0], t.load(x, [t.load(ids, [0], [1]).reshape([]).add(5)], [8], { padding: 7 })),
  store: (t, { x, out, o }) => t.store(out, [o], t.load(x, [0], [8])),
  ends: (t, { x, out, o }) => t.store(out, [1], t.load(x, [0], [8]), { ends: [o] }),
  gather: (t, { x, out, o }) => t.store(out, [0], t.gather(x, [t.iota(8).add(o)])),
  'gather of loaded places': (t, { x, ids, out }) =>
    t.store(out, [0], t.gather(x, [t.load(ids, [0], [1]).mul(4).add(t.iota(8))])),
  scatter: (t, { x, out, o }) => t.scatter(out, [t.iota(8).add(o)], t.load(x, [0], [8])),
  atomic: (t, { x, out, o }) => void t.atomicAdd(out, [t.iota(8).add(o)], t.load(x, [0], [8])),
  mask: (t, { x, out, o, n }) =>
    t.store(
      out,
      [0],
      t
        .iota(8)
        .add(o)
        .lt(n)
        .where(t.load(x, [0], [8]), 0),
    ),
  'sum under a mask': (t, { x, out, o, n }) =>
    t.store(
      out,
      [0],
      t
        .iota(8)
        .add(o)
        .lt(n)
        .where(t.load(x, [0], [8]), 0)
        .sum(),
    ),
  'mask of loaded places': (t, { x, ids, out, n }) =>
    t.store(
      out,
      [0],
      t
        .load(ids, [0], [1])
        .add(t.iota(8))
        .ge(n)
        .where(t.load(x, [0], [8]), 0)
        .sum(),
    ),
  loop: (t, { x, out, o }) => t.range(o, o.add(3), 1, i => t.store(out, [0], t.load(x, [i], [8], { padding: 7 }))),
  'loop by 2 to the end': (t, { out, o }) => {
    const { n } = t.range(o.sub(5), o, 2, { n: t.const(0, 'f32') }, (_, { n }) => ({ n: n.add(1) }))
    t.store(out, [0], n)
  },
  'loop by that step': (t, { out, o }) => {
    const { n } = t.range(0, 100, o.max(1), { n: t.const(0, 'f32') }, (_, { n }) => ({ n: n.add(1) }))
    t.store(out, [0], n)
  },
  'carried place': (t, { x, out, o }) =>
    void t.range(0, 2, 1, { k: o }, (_, { k }) => {
      t.store(out, [0], t.load(x, [k], [8], { padding: 7 }))
      return { k: k.add(o) }
    }),
}

const [lowest, highest] = [-(2n ** 63n), 2n ** 63n - 1n]
const places = [0n, 1n, 3n, 7n, 8n, 9n].flatMap(n => [highest - n, lowest + n, n, -n])
const powers = [31n, 32n, 52n, 53n, 60n, 61n, 62n].flatMap(n => [2n ** n, -(2n ** n), 2n ** n - 1n])

describe.skipIf(!hasCompiler)('indices near the limits of i64 mean the same launched and interpreted', () => {
  const run = (access: string, v: bigint, way: 'launch' | 'interpret'): unknown => {
    const k = kernel({
      name: 'k',
      params: { x: view(f32, 1), ids: view(i64, 1), out: view(f32, 1), o: i64, n: i64 },
      grid: () => [1],
      body: (t, p) => accesses[access]!(t, p, v),
    })
    const [x, ids, out] = [tensor([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]), tensor([v], { dtype: 'i64' }), zeros([8])]
    k[way]({ x, ids, out, o: v, n: 5n })
    return out.toArray()
  }
  // A new body for each constant is a new kernel to compile: a few tell.
  it.each(Object.keys(accesses))('%s', access => {
    const all = access.includes('constant') ? [highest, lowest, lowest + 7n, 2n ** 62n, -3n] : [...places, ...powers]
    for (const v of all) expect([v, run(access, v, 'launch')]).toEqual([v, run(access, v, 'interpret')])
  })

  it('a loop with a step that is not positive ends', () => {
    const k = kernel({
      name: 'k',
      params: { step: i64, out: view(f32, 1) },
      grid: () => [1],
      body: (t, { step, out }) => t.range(0, 8, step, i => t.store(out, [i], 1)),
    })
    const out = zeros([8])
    for (const step of [0, -1, lowest]) k.launch({ step, out })
    expect(out.toArray()).toEqual([0, 0, 0, 0, 0, 0, 0, 0])
    expect(failure(() => k.interpret({ step: 0, out }))).toMatch(/k: range: the step is 0/)
  })
})

const scale = kernel({
  name: 'scale',
  params: { x: view(f32, 1), out: view(f32, 1), factor: f32 },
  constants: { BLOCK: 4, MODE: 'fast', EXACT: false },
  grid: ({ out }, { BLOCK }) => [cdiv(out.size(0), BLOCK)],
  body(t, { x, out, factor }, { BLOCK, MODE }) {
    const start = t.programId(0).mul(BLOCK)
    t.store(out, [start], t.load(x, [start], [BLOCK]).mul(MODE === 'fast' ? factor : 1))
  },
})

describe.each(ways)('arguments of a launch (%s)', way => {
  const x = tensor([1, 2, 3])
  it.each<[string, unknown, RegExp]>([
    ['under another name', { x, factr: 2 }, /no parameter 'factr'.*it has x, out, factor/],
    ['under an inherited name', { x, factor: 2, toString: 1 }, /no parameter 'toString'/],
    ['missing', { x }, /argument 'factor' is undefined/],
    ['missing tensors', { factor: 2 }, /argument 'x' is undefined, no tensor/],
    ['plain arrays', { x: [1, 2], factor: 2 }, /argument 'x' is \[1, 2\], no tensor/],
  ])('%s', (_, args, message) => {
    expect(failure(() => call(scale, args as Record<string, unknown>, zeros([3]), way))).toMatch(message)
  })

  it('from getters and instances are read', () => {
    class Arguments {
      readonly x = x
      get factor(): number {
        return 3
      }
    }
    const args = new Arguments()
    const given = way === 'compile' ? { x, factor: args.factor } : { x: args.x, factor: args.factor }
    expect(call(scale, given, zeros([3]), way)).toEqual([3, 6, 9])
  })
})

describe('launches with other objects', () => {
  const [x, out] = [tensor([1, 2, 3]), zeros([3])]
  it.each([null, undefined, 5, 'x', [x, out, 2], x, () => {}])('arguments: %#', args => {
    expect(failure(() => scale.interpret(any(args)))).toMatch(/the arguments are .*by name: \{ x, out, factor \}/)
  })

  it.each<[unknown, RegExp]>([
    [null, /the options are null/],
    [5, /the options are the number 5/],
    [[4], /the options are \[4\]/],
    [{ BLOK: 4 }, /no constant 'BLOK'.*it has BLOCK, MODE, EXACT, warps, stages/],
    [{ toString: 4 }, /no constant 'toString'/],
    [{ BLOCK: '4' }, /'BLOCK' is the string "4".*give a number/],
    [{ BLOCK: null }, /'BLOCK' is null/],
    [{ MODE: 3 }, /'MODE' is the number 3.*give a string/],
    [{ BLOCK: 0 }, /holds 0|the divisor is 0/],
    [{ BLOCK: 1.5 }, /1\.5 meets a tile of i64/],
    [{ BLOCK: 2 ** 40 }, /more than 67108864/],
    [{ warps: 0 }, /warps is the number 0.*1 to 32/],
    [{ warps: 'x' }, /warps is the string "x"/],
    [{ warps: 1.5 }, /warps is the number 1\.5/],
    [{ warps: 64 }, /warps is the number 64/],
    [{ stages: -1 }, /stages is the number -1/],
  ])('options: %j', (options, message) => {
    expect(failure(() => scale.interpret({ x, out, factor: 2 }, any(options)))).toMatch(message)
  })

  it('constants take other strings, and undefined options are ignored', () => {
    scale.interpret({ x, out, factor: 2 }, { MODE: 'slow', BLOCK: any(undefined) })
    expect(out.toArray()).toEqual([1, 2, 3])
  })

  it.each<[unknown, RegExp]>([
    [undefined, /the definition is undefined/],
    [{ name: 'k' }, /the params are undefined/],
    [{ name: 5, params: {} }, /the name is not an identifier: the number 5/],
    [{ name: 'k', params: { x: null } }, /'x' is neither view nor dtype/],
    [{ name: 'k', params: {}, constants: { A: null } }, /the constant 'A' is null/],
    [{ name: 'k', params: {}, constants: { A: [1] } }, /the constant 'A' is \[1\]/],
    [{ name: 'k', params: {}, hints: { warp: 1 } }, /no hint 'warp'/],
    [{ name: 'k', params: {}, hint: { warps: 1 } }, /a definition has no 'hint'/],
    [{ name: 'k', params: {}, body: () => {} }, /no grid/],
  ])('definitions: %#', (definition, message) => {
    expect(failure(() => kernel(any(definition)))).toMatch(message)
  })

  it('a kernel without a store', () => {
    const k = kernel({
      name: 'k',
      params: { x: view(f32, 1) },
      grid: () => [1],
      body: (t, { x }) => void t.load(x, [0], [4]).add(1),
    })
    expect(failure(() => k.interpret({ x }))).toMatch(/kernel 'k': the body stores nothing/)
  })
})
