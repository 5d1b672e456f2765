import { describe, expect, it } from 'vitest'
import { print } from '../../src/ir/print.js'
import { interpret } from '../../src/tile/interpret.js'
import { type TileNode, tileDialect } from '../../src/tile/ir.js'
import { TileBuilder, type TileValue, ViewValue } from '../../src/tile/language.js'
import { simplify } from '../../src/tile/passes/simplify.js'
import { Choices } from '../support/choices.js'
import { isQuick } from '../support/sample-choice.js'
import { viewOf } from './support.js'

interface Inputs {
  /** An i64 and an f32 block of 4. */
  readonly n: TileValue
  readonly x: TileValue
  /** A view whose first size and both strides are known. */
  readonly view: ViewValue
}

/** The simplified text of a value of 4 elements, without the lines of params, loads and the store. */
function simplified(make: (t: TileBuilder, inputs: Inputs) => TileValue): string {
  const t = new TileBuilder({ name: 'k', checked: false })
  const types = [
    { kind: 'view', dtype: 'i64', sizes: [null], strides: [1] },
    { kind: 'view', dtype: 'f32', sizes: [null], strides: [1] },
    { kind: 'view', dtype: 'f32', sizes: [8, null], strides: [16, 1] },
  ] as const
  const views = types.map(
    (type, index) =>
      new ViewValue(t.emitter, t.emitter.emit('view', [], { index, name: `v${index}`, type }), `v${index}`),
  )
  const [n, x] = [t.load(views[0]!, [0], [4]), t.load(views[1]!, [0], [4])]
  const value = make(t, { n, x, view: views[2]! })
  const type = { kind: 'view', dtype: value.dtype, sizes: [null], strides: [1] } as const
  const out = new ViewValue(t.emitter, t.emitter.emit('view', [], { index: 3, name: 'out', type }), 'out')
  t.store(out, [0], value.broadcastTo([4]))
  const params = [...views, out].map(v => v.node)
  const program = {
    name: 'k',
    params: params.map(node => ({ name: 'v', type: node.type as never })),
    body: t.emitter.builder.finish([], params),
    hints: {},
  }
  const [stored] = simplify(program).body.body.at(-1)!.inputs.slice(-1)
  return expression(stored!)
}

/** A node as an expression: n, x and constants by name, broadcasts left out. */
function expression(node: TileNode): string {
  const attrs = node.attrs as {
    readonly value?: unknown
    readonly fn?: string
    readonly to?: string
    readonly name?: string
  }
  const inputs = node.inputs.map(input => expression(input as TileNode))
  if (node.op === 'const') return Object.is(attrs.value, -0) ? '-0' : String(attrs.value)
  if (node.op === 'load') return inputs[0]!.includes('v0') ? 'n' : 'x'
  if (node.op === 'view') return attrs.name!
  if (node.op === 'broadcast') return inputs[0]!
  return `${attrs.fn ?? (attrs.to === undefined ? node.op : attrs.to)}(${inputs.join(', ')})`
}

describe('simplify', () => {
  it.each<[string, (t: TileBuilder, i: Inputs) => TileValue, string]>([
    ['n + 0', (_, { n }) => n.add(0), 'n'],
    ['0 + n', (t, { n }) => t.const(0, 'i64').add(n), 'n'],
    ['n · 1', (_, { n }) => n.mul(1), 'n'],
    ['n · 0', (_, { n }) => n.mul(0), '0'],
    ['n − n', (_, { n }) => n.sub(n), '0'],
    ['(n + 3) − 5', (_, { n }) => n.add(3).sub(5), 'add(n, -2)'],
    ['(n · 3) · 5', (_, { n }) => n.mul(3).mul(5), 'mul(n, 15)'],
    ['(n + p) − n', (t, { n }) => t.programId(0).add(n).sub(n), 'programId()'],
    ['n / 1', (_, { n }) => n.floorDiv(1), 'n'],
    ['n mod 1', (_, { n }) => n.mod(1), '0'],
    ['n / 4 / 8', (_, { n }) => n.floorDiv(4).floorDiv(8), 'floorDiv(n, 32)'],
    ['n mod 12 mod 4', (_, { n }) => n.mod(12).mod(4), 'mod(n, 4)'],
    ['8p / 4', t => t.programId(0).mul(8).floorDiv(4), 'mul(programId(), 2)'],
    ['(8p + i) / 8 for i < 8', t => t.programId(0).mul(8).add(t.iota(4)).floorDiv(8), 'programId()'],
    ['(8p + i) mod 8 for i < 8', t => t.programId(0).mul(8).add(t.iota(4)).mod(8), 'iota()'],
    ['(8p + q) mod 8', t => t.programId(0).mul(8).add(t.programId(1)).mod(8), 'mod(programId(), 8)'],
    ['8n / 4 may wrap', (_, { n }) => n.mul(8).floorDiv(4), 'floorDiv(mul(n, 8), 4)'],
    ['i / 8 for i < 8', t => t.iota(4).floorDiv(8), '0'],
    ['i mod 8 for i < 8', t => t.iota(4).mod(8), 'iota()'],
    ['n mod 0 is 0', (_, { n }) => n.mod(0), 'mod(n, 0)'],
    ['i < 4', t => t.iota(4).lt(4), '1'],
    ['i ≥ 4', t => t.iota(4).ge(4), '0'],
    ['p ≥ 0', t => t.programId(0).ge(0), '1'],
    ['n = n', (_, { n }) => n.eq(n), '1'],
    ['x = x may be NaN', (_, { x }) => x.eq(x), 'eq(x, x)'],
    ['min(i, 9)', t => t.iota(4).min(9), 'iota()'],
    ['max(i, −1)', t => t.iota(4).max(-1), 'iota()'],
    ['a known size', (_, { view }) => view.size(0).add(view.stride(0)), '24'],
    ['not not', (_, { n }) => n.lt(3).not().not(), 'lt(n, 3)'],
    ['not <', (_, { n }) => n.lt(3).not(), 'ge(n, 3)'],
    ['not < on floats', (_, { x }) => x.lt(3).not(), 'not(lt(x, 3))'],
    ['where true', (t, { x }) => t.where(true, x, 0), 'x'],
    ['where not', (t, { n, x }) => t.where(n.lt(3).xor(true), x, 0), 'where(ge(n, 3), x, 0)'],
    ['where of equals', (t, { n, x }) => t.where(n.lt(3), x, x), 'x'],
    ['and true', (_, { n }) => n.lt(3).and(true), 'lt(n, 3)'],
    ['or true', (_, { n }) => n.lt(3).or(true), '1'],
    ['n and −1', (_, { n }) => n.and(-1), 'n'],
    ['x + 0 keeps −0 apart', (_, { x }) => x.add(0), 'add(x, 0)'],
    ['x + −0', (_, { x }) => x.add(-0), 'x'],
    ['x − 0', (_, { x }) => x.sub(0), 'x'],
    ['x · 0 may be NaN', (_, { x }) => x.mul(0), 'mul(x, 0)'],
    ['x − x may be NaN', (_, { x }) => x.sub(x), 'sub(x, x)'],
    ['x · 1', (_, { x }) => x.mul(1), 'x'],
    ['x · −1', (_, { x }) => x.mul(-1), 'neg(x)'],
    ['x / 4', (_, { x }) => x.div(4), 'mul(x, 0.25)'],
    ['x / 3', (_, { x }) => x.div(3), 'div(x, 3)'],
    ['x / 2^127 has a subnormal reciprocal', (_, { x }) => x.div(2 ** 127), `div(x, ${2 ** 127})`],
    ['x²', (_, { x }) => x.pow(2), 'mul(x, x)'],
    ['max(x, −∞)', (_, { x }) => x.max(Number.NEGATIVE_INFINITY), 'x'],
    ['− − x', (_, { x }) => x.neg().neg(), 'x'],
    ['|−x|', (_, { x }) => x.neg().abs(), 'abs(x)'],
    ['constants', t => t.const(3, 'f32').mul(4).sqrt(), String(Math.fround(Math.sqrt(12)))],
    ['f32 → f64 → f32', (_, { x }) => x.to('f64').to('f32'), 'x'],
    ['f32 → f16 → f32 rounds', (_, { x }) => x.to('f16').to('f32'), 'f32(f16(x))'],
    ['i64 → i32 → i64 wraps', (_, { n }) => n.to('i32').to('i64'), 'i64(i32(n))'],
    ['bool → i32 → f32', (_, { n }) => n.lt(3).to('i32').to('f32'), 'f32(lt(n, 3))'],
    ['cast of a constant', (t, { x }) => x.add(t.const(7, 'i64').to('f32')), 'add(x, 7)'],
    ['transpose twice', (_, { x }) => x.reshape([2, 2]).transpose().transpose().reshape([4]), 'x'],
    ['reshape twice', (_, { x }) => x.reshape([2, 2]).reshape([1, 4]).reshape([4]), 'x'],
    ['sum of one axis of size 1 (integers)', (_, { n }) => n.expandDims(0).sum(0), 'n'],
    ['float sum of one turns −0 into 0', (_, { x }) => x.expandDims(0).sum(0), 'add(reshape(x))'],
    ['scan of one', (_, { x }) => x.expandDims(0).cumsum(0).reshape([4]), 'x'],
    [
      'a value carried unchanged',
      (t, { x }) => t.range(0, 4, 1, { x, y: x }, (_, { x, y }) => ({ x, y: y.add(1) })).x,
      'x',
    ],
    [
      'equal branches',
      (t, { x }) =>
        t.if(
          t.programId(0).eq(0),
          () => ({ x: x.exp() }),
          () => ({ x: x.exp() }),
        ).x,
      'exp(x)',
    ],
  ])('%s', (_, make, expected) => {
    expect(simplified(make)).toBe(expected)
  })

  it('drops unused loads and loops, and keeps those that store', () => {
    const t = new TileBuilder({ name: 'k', checked: false })
    const type = { kind: 'view', dtype: 'f32', sizes: [null], strides: [1] } as const
    const x = new ViewValue(t.emitter, t.emitter.emit('view', [], { index: 0, name: 'x', type }), 'x')
    t.load(x, [0], [4])
    t.range(0, 4, 1, { a: t.const(0, 'f32') }, (i, { a }) => ({ a: a.add(t.load(x, [i], [4]).sum()) }))
    t.range(0, 4, 1, i => {
      t.load(x, [i], [2])
      t.store(x, [i], t.load(x, [i], [4]).add(1))
    })
    const program = {
      name: 'k',
      params: [{ name: 'x', type }],
      body: t.emitter.builder.finish([], [x.node]),
      hints: {},
    }
    expect(print(tileDialect, simplify(program).body)).toMatchInlineSnapshot(`
      "%0 = view() {index: 0, name: "x"} : view<f32>[?:1]
      %1 = const() {dtype: "i64", value: 0n} : i64
      %2 = const() {dtype: "i64", value: 4n} : i64
      %3 = const() {dtype: "i64", value: 1n} : i64
      %4 = range(%1, %2, %3) : ()
        (%5: i64)
        %6 = load(%0, %5) {shape: [4]} : f32[4]
        %7 = const() {dtype: "f32", value: 1} : f32
        %8 = broadcast(%7) {shape: [4]} : f32[4]
        %9 = map(%6, %8) {fn: "add"} : f32[4]
        %10 = store(%0, %5, %9) : nothing
      "
    `)
  })

  it('preserves the value of random index arithmetic', () => {
    for (let seed = 0; seed < (isQuick ? 100 : 300); seed++) {
      const choices = new Choices(seed)
      const t = new TileBuilder({ name: 'k', checked: false })
      const type = { kind: 'view', dtype: 'i64', sizes: [null], strides: [1] } as const
      const out = new ViewValue(t.emitter, t.emitter.emit('view', [], { index: 0, name: 'out', type }), 'out')
      const build = (depth: number): TileValue => {
        const leaf = choices.below(4)
        if (depth === 0)
          return leaf === 0 ? t.programId(0) : leaf === 1 ? t.iota(16) : leaf === 2 ? out.size(0) : t.numPrograms(0)
        const constant = choices.of([2, 4, 8, 3, 1, 16, 12, 0, -4])
        const a = build(depth - 1)
        switch (choices.below(8)) {
          case 0:
          case 1:
            return a.mul(constant).add(build(depth - 1))
          case 2:
          case 3:
            return a.floorDiv(constant)
          case 4:
          case 5:
            return a.mod(constant)
          case 6:
            return a.lt(constant).where(a.add(constant), a.min(build(depth - 1)))
          default:
            return a.sub(build(depth - 1)).max(constant)
        }
      }
      t.store(out, [t.programId(0).mul(16)], build(4).broadcastTo([16]))
      const program = {
        name: 'k',
        params: [{ name: 'out', type }],
        body: t.emitter.builder.finish([], [out.node]),
        hints: {},
      }
      const [want, got] = [new BigInt64Array(48), new BigInt64Array(48)]
      interpret(program, [viewOf(want, [48])], [3])
      interpret(simplify(program), [viewOf(got, [48])], [3])
      expect(got, `seed ${seed}\n${print(tileDialect, program.body)}`).toEqual(want)
    }
  })
})
