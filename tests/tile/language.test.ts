import { describe, expect, it } from 'vitest'
import { KernelError } from '../../src/base/errors.js'
import { print } from '../../src/ir/print.js'
import { scalarOpNames } from '../../src/scalar/ops.js'
import { tileDialect } from '../../src/tile/ir.js'
import { buildKernel, constantsOf, view } from '../../src/tile/kernel.js'
import { cdiv, TileBuilder, type TileValue, type ViewValue } from '../../src/tile/language.js'
import { rows } from '../support/rows.js'
import { addReluMul, gemm, softmaxRow } from './kernels.js'
import { messageOf } from './support.js'

interface Params {
  x: ViewValue
  y: ViewValue
  half: ViewValue
  ids: ViewValue
  s: TileValue
}

/** Builds a kernel with two f32 views of rank 2, an f16 and an i32 view of rank 1, and a scalar. */
function build(body: (t: TileBuilder, params: Params) => void) {
  return buildKernel({
    name: 'k',
    params: { x: view('f32', 2), y: view('f32', 2), half: view('f16', 1), ids: view('i32', 1), s: 'f32' },
    grid: () => [1],
    body: (t, params) => {
      body(t, params)
      t.store(params.y, [0, 0], 1)
    },
  })
}

/** The type of a value made in a kernel. */
function typeOf(make: (t: TileBuilder, params: Params) => TileValue): string {
  let type = ''
  build((t, params) => {
    type = String(make(t, params))
  })
  return type.replace('tile ', '')
}

describe('types of values', () => {
  it.each<[string, (t: TileBuilder, p: Params) => TileValue, string]>([
    ['a literal takes the tile dtype', t => t.zeros([4], 'i32').add(1), 'i32[4]'],
    ['comparisons give bool', t => t.zeros([4], 'f64').lt(1), 'bool[4]'],
    ['tiles broadcast', t => t.zeros([4, 1], 'f32').add(t.zeros([8], 'f32')), 'f32[4, 8]'],
    ['scalars broadcast', (t, p) => t.zeros([4], 'f32').mul(p.s), 'f32[4]'],
    ['f16 is widened', (t, p) => t.load(p.half, [0], [8]).add(1), 'f32[8]'],
    ['f16 meets f32', (t, p) => t.load(p.half, [0], [8]).mul(p.s), 'f32[8]'],
    ['f16 is widened by reductions', (t, p) => t.load(p.half, [0], [8]).amax(), 'f32'],
    [
      'where',
      t =>
        t
          .iota(4)
          .lt(2)
          .where(t.zeros([4], 'f32'), 1),
      'f32[4]',
    ],
    ['sum of one axis', t => t.zeros([4, 8], 'f32').sum(-1), 'f32[4]'],
    ['sum of all', t => t.zeros([4, 8], 'f32').sum(), 'f32'],
    ['sum that keeps the axis', t => t.zeros([4, 8], 'f32').sum(0, { keepdim: true }), 'f32[1, 8]'],
    ['sum of bytes', t => t.zeros([4], 'i8').sum(), 'i32'],
    ['sum of bool', t => t.zeros([4], 'bool').sum(), 'i64'],
    ['argmax', t => t.zeros([4, 8], 'f32').argmax(1), 'i64[4]'],
    ['argmax of all', t => t.zeros([4, 8], 'f32').argmax(), 'i64'],
    ['any', t => t.zeros([4, 8], 'f32').any(1), 'bool[4]'],
    ['cumsum', t => t.zeros([4, 8], 'f32').cumsum(1, { reverse: true }), 'f32[4, 8]'],
    ['reshape', t => t.zeros([4, 8], 'f32').reshape([-1, 2]), 'f32[16, 2]'],
    ['transpose', t => t.zeros([4, 8, 2], 'f32').transpose([2, 0, 1]), 'f32[2, 4, 8]'],
    ['expandDims', t => t.zeros([4], 'f32').expandDims(-1), 'f32[4, 1]'],
    ['squeeze', t => t.zeros([4, 1], 'f32').squeeze(1), 'f32[4]'],
    ['broadcastTo', t => t.zeros([4, 1], 'f32').broadcastTo([2, 4, 3]), 'f32[2, 4, 3]'],
    ['bitcast', t => t.zeros([4], 'f32').bitcast('i32'), 'i32[4]'],
    ['dot of f16', t => t.dot(t.zeros([4, 8], 'f16'), t.zeros([8, 2], 'f16')), 'f32[4, 2]'],
    ['dot of i8', t => t.dot(t.zeros([4, 8], 'i8'), t.zeros([8, 2], 'i8')), 'i32[4, 2]'],
    ['gather', (t, p) => t.gather(p.x, [t.iota(4), 0]), 'f32[4]'],
    ['gather of a scalar', (t, p) => t.gather(p.ids, [t.programId(0)]), 'i32'],
    ['atomicAdd', (t, p) => t.atomicAdd(p.x, [t.iota(4), 0], 1, { mask: t.iota(4).lt(2) }), 'f32[4]'],
    ['iota', t => t.iota(4, 'f16'), 'f16[4]'],
    ['cdiv', t => t.cdiv(t.programId(0), 8), 'i64'],
    ['clamp', (t, p) => p.s.clamp(t.const(0, 'f32'), 1), 'f32'],
  ])('%s', (_, make, type) => {
    expect(typeOf(make)).toBe(type)
  })

  it('has a method for every row of the scalar table', () => {
    build((t, { s }) => {
      for (const name of scalarOpNames) expect(typeof s[name], name).toBe('function')
      expect(() => t.map('fma', s, 2, 3)).not.toThrow()
    })
  })

  it('folds static sizes', () => {
    const program = buildKernel(addReluMul, {}, { out: { sizes: [64], strides: [1] } })
    expect(print(tileDialect, program.body)).toContain('view<f32>[64:1]')
  })
})

describe('errors', () => {
  const refused: Readonly<Record<string, (t: TileBuilder, p: Params) => void>> = {
    'shapes that do not broadcast ⇒ add: shapes [4, 8] and [4] do not broadcast (axis 1: 8 ≠ 4) ⇒ expandDims': t =>
      t.zeros([4, 8], 'f32').add(t.zeros([4], 'f32')),
    "mixed dtypes ⇒ add: operands are i32[4] and f32 ⇒ .to('f32')": (t, p) => t.zeros([4], 'i32').add(p.s),
    "mixed widths ⇒ add: operands are i64[4] and i32[4] ⇒ .to('i64')": t => t.iota(4).add(t.zeros([4], 'i32')),
    "a fraction meets integers ⇒ add: the literal 0.5 meets a tile of i64 ⇒ .to('f32')": t => t.iota(4).add(0.5),
    'a literal too large ⇒ add: 300 does not fit i8 ⇒ wider dtype': t => t.zeros([4], 'i8').add(300),
    'an inexact integer ⇒ is not exact as an integer ⇒ 1152921504606846976n': t => t.iota(4).add(2 ** 60),
    'no dtype ⇒ where: all operands are literals ⇒ t.const': t => t.where(true, 1, 2),
    'division of integers ⇒ div: not defined on i64 ⇒ floorDiv': t => t.iota(4).div(2),
    "sqrt of integers ⇒ sqrt: not defined on i64 ⇒ .to('f32')": t => t.iota(4).sqrt(),
    'bits of floats ⇒ and: not defined on f32 ⇒ integer': (_, p) => p.s.and(p.s),
    "negated bool ⇒ neg: not defined on bool ⇒ .to('i32')": t => t.zeros([4], 'bool').neg(),
    'where on numbers ⇒ where: the condition is i64[4], not bool ⇒ .ne(0)': t => t.iota(4).where(1, t.iota(4)),
    "a view as operand ⇒ add: an operand is view 'x' of f32 with rank 2 ⇒ t.load": (_, p) => p.s.add(p.x as never),
    'an undefined operand ⇒ add: an operand is undefined ⇒ pass a tile': (_, p) => p.s.add(undefined as never),
    'JavaScript arithmetic ⇒ a tile is used as a number ⇒ a.add(b)': (_, p) => void ((p.s as never as number) + 1),
    'unknown dtype ⇒ to: float is not a dtype ⇒ f32': (_, p) => p.s.to('float' as never),
    "bitcast of another width ⇒ bitcast: f32 has 32 bits, f64 has 64 ⇒ .to('f64')": (_, p) => p.s.bitcast('f64'),
    'a run-time size as a shape ⇒ the shape [ ⇒ constants': (t, p) => t.zeros([p.x.size(0) as never], 'f32'),
    'a shape with zero ⇒ the shape [0] holds 0 ⇒ positive': t => t.zeros([0], 'f32'),
    'reshape to another count ⇒ reshape: f32[4] has 4 elements, [3] has 3 ⇒ equally many': t =>
      t.zeros([4], 'f32').reshape([3]),
    'no such axis ⇒ sum: axis 1 of a tile of rank 1 ⇒ [-1, 0]': t => t.zeros([4], 'f32').sum(1),
    'squeeze of a long axis ⇒ squeeze: axis 0 of f32[4] has size 4 ⇒ size 1': t => t.zeros([4], 'f32').squeeze(0),
    'no permutation ⇒ transpose: [0, 0] is not a permutation ⇒ once': t => t.zeros([4, 2], 'f32').transpose([0, 0]),
    'broadcastTo smaller ⇒ broadcastTo: f32[4] does not broadcast to [1] ⇒ size 1': t =>
      t.zeros([4], 'f32').broadcastTo([1]),
    "iota that wraps ⇒ iota: i8 cannot represent all of 0 … 199 ⇒ 'i64'": t => t.iota(200, 'i8'),
    "offsets of another rank ⇒ load: 1 offsets for view 'x' of f32 with rank 2 ⇒ 2": (t, p) => t.load(p.x, [0], [4, 4]),
    'a block of another rank ⇒ load: a block of rank 1, [4] ⇒ .reshape': (t, p) => t.load(p.x, [0, 0], [4]),
    "a float offset ⇒ load: an index is f32 ⇒ .to('i64')": (t, p) => t.load(p.x, [p.s, 0], [4, 4]),
    'a tile offset ⇒ load: an offset is a tile, i64[4] ⇒ t.gather': (t, p) => t.load(p.x, [t.iota(4), 0], [4, 4]),
    "a padding of another dtype ⇒ load: padding: the value is i32 ⇒ .to('f32')": (t, p) =>
      t.load(p.x, [0, 0], [4, 4], { padding: t.const(0, 'i32') }),
    'a load from a tile ⇒ load: expected a view parameter, got tile f32 ⇒ view(dtype, rank)': (t, p) =>
      t.load(p.s as never, [], []),
    "a store of another dtype ⇒ store: the value is f32, the view 'half' holds f16 ⇒ .to('f16')": (t, p) =>
      t.store(p.half, [0], t.zeros([4], 'f32')),
    'a store of another rank ⇒ store: a tile of rank 1, f32[4] ⇒ .expandDims': (t, p) =>
      t.store(p.x, [0, 0], t.zeros([4], 'f32')),
    'a store with too few ends ⇒ store: 0 ends for ⇒ one of them per dim': (t, p) =>
      t.store(p.x, [0, 0], t.zeros([4, 4], 'f32'), { ends: [] }),
    'a mask of numbers ⇒ gather: the mask is i64[4], not bool ⇒ .lt(': (t, p) =>
      t.gather(p.ids, [t.iota(4)], { mask: t.iota(4) }),
    'another atomic ⇒ atomic: fn is the string "sub" ⇒ use one of add, mul, min, max, exchange': (t, p) =>
      t.atomic('sub' as 'add', p.x, [0, 0], 1),
    'another order ⇒ atomicAdd: the order is the string "aquire" ⇒ use one of relaxed, acquire, release': (t, p) =>
      t.atomicAdd(p.x, [0, 0], 1, { order: 'aquire' as 'acquire' }),
    "a load that releases ⇒ atomicLoad: the order is 'release' ⇒ use 'acquire' or 'relaxed'": (t, p) =>
      t.atomicLoad(p.x, [0, 0], { order: 'release' }),
    'maxima of f16 ⇒ atomicMax: not defined on views of f16 ⇒ f32': (t, p) => t.atomicMax(p.half, [0], 1),
    'dot of other sizes ⇒ dot: f32[4, 8] · f32[4, 8] ⇒ .transpose()': t =>
      t.dot(t.zeros([4, 8], 'f32'), t.zeros([4, 8], 'f32')),
    "dot of mixed dtypes ⇒ dot: operands are f16 and f32 ⇒ .to('f16')": t =>
      t.dot(t.zeros([4, 8], 'f16'), t.zeros([8, 4], 'f32')),
    "dot into f16 ⇒ dot: operands of f16 accumulate in f32 or f64, not f16 ⇒ t.zeros([4, 4], 'f32')": t =>
      t.dot(t.zeros([4, 8], 'f16'), t.zeros([8, 4], 'f16'), t.zeros([4, 4], 'f16')),
    "dot of 8-bit floats and others ⇒ dot: operands are f8e4m3 and f16 ⇒ .to('f16')": t =>
      t.dot(t.zeros([4, 8], 'f8e4m3'), t.zeros([8, 4], 'f16')),
    "dot of 8-bit floats into f64 ⇒ dot: operands of f8e4m3 accumulate in f32, not f64 ⇒ t.zeros([4, 4], 'f32')": t =>
      t.dot(t.zeros([4, 8], 'f8e4m3'), t.zeros([8, 4], 'f8e5m2'), t.zeros([4, 4], 'f64')),
    'dot in tf32 of f16 ⇒ dot: tf32 is a precision of f32, the operands are f16 ⇒ leave it out': t =>
      t.dot(t.zeros([4, 8], 'f16'), t.zeros([8, 4], 'f16'), undefined, { precision: 'tf32' }),
    "dot with a precision that there is not ⇒ dot: precision bf16 ⇒ 'f32' or 'tf32'": t =>
      t.dot(t.zeros([4, 8], 'f32'), t.zeros([8, 4], 'f32'), undefined, { precision: 'bf16' as 'tf32' }),
    'dot into another shape ⇒ dot: the product is [4, 4], acc is f32[4, 8] ⇒ t.zeros': t =>
      t.dot(t.zeros([4, 8], 'f32'), t.zeros([8, 4], 'f32'), t.zeros([4, 8], 'f32')),
    'a step that is not positive ⇒ range: the step is 0 ⇒ positive': t => t.range(0, 8, 0, () => {}),
    "a carried dtype that changes ⇒ range: 'a' is f32[4] and becomes f16[4] ⇒ .to('f32')": t =>
      t.range(0, 8, 1, { a: t.zeros([4], 'f32') }, (_, { a }) => ({ a: a.to('f16') })),
    "a carried shape that changes ⇒ range: 'a' is f32[4] and becomes f32 ⇒ .broadcastTo": t =>
      t.range(0, 8, 1, { a: t.zeros([4], 'f32') }, (_, { a }) => ({ a: a.sum() })),
    "a carried value forgotten ⇒ range: the body does not give 'a' ⇒ return { a }": t =>
      t.range(0, 8, 1, { a: t.const(0, 'f32') }, () => ({}) as never),
    "a value that is not carried ⇒ range: the body gives 'b', which is not carried ⇒ carry it too": t =>
      t.range(0, 8, 1, { a: t.const(0, 'f32') }, (_, { a }) => ({ a, b: a }) as never),
    "a carried literal ⇒ range: 'a' is the literal 0, which has no dtype ⇒ t.const(0": t =>
      t.range(0, 8, 1, { a: 0 as never }, (_, { a }) => ({ a })),
    "branches that differ ⇒ if: 'a' is f32 and becomes f64 ⇒ .to('f32')": (t, p) =>
      t.if(
        p.s.gt(0),
        () => ({ a: p.s }),
        () => ({ a: p.s.to('f64') }),
      ),
    'a branch without values ⇒ if: only one branch gives values (a) ⇒ both': (t, p) =>
      t.if(p.s.gt(0), () => ({ a: p.s }), (() => {}) as never),
    'a tile as condition ⇒ if: the condition is bool[4], not a bool scalar ⇒ .any()': t =>
      t.if(t.iota(4).lt(2), () => {}),
    'a number as condition ⇒ if: the condition is f32, not a bool scalar ⇒ .ne(0)': (t, p) => t.if(p.s, () => {}),
    "no such dim ⇒ size: dim 2 of view 'x' ⇒ [-2, 1]": (_, p) => p.x.size(2),
    'no such grid axis ⇒ programId: axis 3 ⇒ [-3, 2]': t => t.programId(3 as never),
  }
  it.each(rows(refused))('%s', (_, body, what, fix) => {
    const message = messageOf(() => build((t, params) => void body(t, params)))
    expect(message).toContain(`k: `)
    expect(message).toContain(what)
    expect(message).toMatch(/ {2}at .*language\.test\.ts:\d+/)
    expect(message.split('  fix: ')[1]).toContain(fix)
  })

  it('are KernelErrors, and leave the builder usable', () => {
    build((t, { y }) => {
      expect(() => t.range(0, 8, 1, () => t.iota(4).sqrt())).toThrow(KernelError)
      t.store(y, [0, 0], 1)
    })
  })

  it('of definitions', () => {
    const body = (): void => {}
    const grid = (): number[] => [1]
    expect(messageOf(() => buildKernel({ name: 'a b', params: {}, grid, body }))).toContain(
      'the name is not an identifier',
    )
    expect(messageOf(() => buildKernel({ name: 'k', params: { x: 3 as never }, grid, body }))).toContain(
      "'x' is neither view nor dtype",
    )
    expect(messageOf(() => buildKernel({ name: 'k', params: {}, constants: { warps: 4 }, grid, body }))).toContain(
      "'warps' is a hint",
    )
    expect(messageOf(() => buildKernel({ name: 'k', params: {}, grid, body: (async () => {}) as never }))).toContain(
      'the body returned a promise',
    )
    expect(messageOf(() => buildKernel(gemm, { BX: 4 } as never))).toContain("no constant 'BX'")
    expect(messageOf(() => buildKernel(gemm, { BM: '4' as never }))).toContain('\'BM\' is the string "4"')
    expect(messageOf(() => buildKernel(gemm, {}, { a: { sizes: [1], strides: [1] } }))).toContain(
      "'a' is declared with rank 2",
    )
    expect(messageOf(() => view('f32', -1))).toContain('view: rank -1')
    expect(messageOf(() => cdiv(4, 0))).toContain('cdiv: the divisor is 0')
  })
})

describe('definitions', () => {
  it('take constants and hints', () => {
    const { constants, hints } = constantsOf(gemm, { BM: 32, warps: 8 })
    expect(constants).toEqual({ BM: 32, BN: 16, BK: 8 })
    expect(hints).toEqual({ warps: 8 })
  })

  it('determine types', () => {
    const sizes: number = addReluMul.grid({ out: { dtype: 'f32', rank: 1, size: () => 5 } } as never, { BLOCK: 2 })[0]!
    expect(sizes).toBe(3)
    // Never called: these are checks of the types.
    const misuse = (t: TileBuilder, params: Parameters<typeof addReluMul.body>[1]): void => {
      // @ts-expect-error a scalar has no size
      params.scale.size(0)
      // @ts-expect-error a view is no tile
      params.x.add(1)
      // @ts-expect-error no such parameter
      addReluMul.body(t, { x: params.x }, { BLOCK: 1 })
      // @ts-expect-error no such constant
      buildKernel(addReluMul, { BLOK: 1 })
      // @ts-expect-error the body does not give what it carries
      t.range(0, 1, 1, { a: params.scale }, () => ({}))
    }
    expect(misuse).toBeDefined()
  })
})

describe('provenance', () => {
  it("gives each node the user's line, unless turned off", () => {
    const program = build((t, { y }) => t.store(y, [0, 0], t.zeros([1, 4], 'f32')))
    expect(program.body.body[0]!.origin.at?.file).toContain('language.test.ts')
    const t = new TileBuilder({ name: 'generated', checked: false })
    expect(t.programId(0).node.origin.at).toBeNull()
  })
})

describe('text', () => {
  it('of add-relu-multiply', () => {
    expect(print(tileDialect, buildKernel(addReluMul).body)).toMatchInlineSnapshot(`
      "%0 = view() {index: 0, name: "x"} : view<f32>[?:?]
      %1 = view() {index: 1, name: "bias"} : view<f32>[?:?]
      %2 = view() {index: 2, name: "out"} : view<f32>[?:?]
      %3 = scalar() {index: 3, name: "scale", dtype: "f32"} : f32
      %4 = programId() {axis: 0} : i64
      %5 = const() {dtype: "i64", value: 1024n} : i64
      %6 = map(%4, %5) {fn: "mul"} : i64
      %7 = load(%0, %6) {shape: [1024]} : f32[1024]
      %8 = load(%1, %6) {shape: [1024]} : f32[1024]
      %9 = map(%7, %8) {fn: "add"} : f32[1024]
      %10 = const() {dtype: "f32", value: 0} : f32
      %11 = broadcast(%10) {shape: [1024]} : f32[1024]
      %12 = map(%9, %11) {fn: "max"} : f32[1024]
      %13 = broadcast(%3) {shape: [1024]} : f32[1024]
      %14 = map(%12, %13) {fn: "mul"} : f32[1024]
      %15 = store(%2, %6, %14) : nothing
      "
    `)
  })

  it('of softmax', () => {
    expect(print(tileDialect, buildKernel(softmaxRow).body)).toMatchInlineSnapshot(`
      "%0 = view() {index: 0, name: "x"} : view<f32>[?:?, ?:?]
      %1 = view() {index: 1, name: "out"} : view<f32>[?:?, ?:?]
      %2 = programId() {axis: 0} : i64
      %3 = const() {dtype: "i64", value: 0n} : i64
      %4 = const() {dtype: "f32", value: -Infinity} : f32
      %5 = load(%0, %2, %3, %4) {shape: [1,128]} : f32[1, 128]
      %6 = reduce(%5) {fn: "max", axis: 1} : f32[1]
      %7 = reshape(%6) {shape: [1,1]} : f32[1, 1]
      %8 = broadcast(%7) {shape: [1,128]} : f32[1, 128]
      %9 = map(%5, %8) {fn: "sub"} : f32[1, 128]
      %10 = map(%9) {fn: "exp"} : f32[1, 128]
      %11 = reduce(%10) {fn: "add", axis: 1} : f32[1]
      %12 = reshape(%11) {shape: [1,1]} : f32[1, 1]
      %13 = broadcast(%12) {shape: [1,128]} : f32[1, 128]
      %14 = map(%10, %13) {fn: "div"} : f32[1, 128]
      %15 = store(%1, %2, %3, %14) : nothing
      "
    `)
  })

  it('of a matmul', () => {
    expect(print(tileDialect, buildKernel(gemm).body)).toMatchInlineSnapshot(`
      "%0 = view() {index: 0, name: "a"} : view<f32>[?:?, ?:?]
      %1 = view() {index: 1, name: "b"} : view<f32>[?:?, ?:?]
      %2 = view() {index: 2, name: "c"} : view<f32>[?:?, ?:?]
      %3 = const() {dtype: "i64", value: 0n} : i64
      %4 = size(%0) {dim: 1} : i64
      %5 = const() {dtype: "i64", value: 8n} : i64
      %6 = const() {dtype: "f32", value: 0} : f32
      %7 = broadcast(%6) {shape: [16,16]} : f32[16, 16]
      %8 = programId() {axis: 0} : i64
      %9 = const() {dtype: "i64", value: 16n} : i64
      %10 = map(%8, %9) {fn: "mul"} : i64
      %11 = programId() {axis: 1} : i64
      %12 = map(%11, %9) {fn: "mul"} : i64
      %13 = range(%3, %4, %5, %7) : (f32[16, 16])
        (%14: i64, %15: f32[16, 16])
        %16 = load(%0, %10, %14) {shape: [16,8]} : f32[16, 8]
        %17 = load(%1, %14, %12) {shape: [8,16]} : f32[8, 16]
        %18 = dot(%16, %17, %15) : f32[16, 16]
        -> %18
      %19 = item(%13) {index: 0} : f32[16, 16]
      %20 = store(%2, %10, %12, %19) : nothing
      "
    `)
  })
})
