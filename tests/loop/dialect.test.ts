/** The loop dialect itself: equal expressions are one, programs print, and what breaks the rules is refused. */
import { describe, expect, it } from 'vitest'
import { VerifyError } from '../../src/base/errors.js'
import { accessOf, indexOf } from '../../src/loop/access.js'
import { interpretLoops } from '../../src/loop/interpret.js'
import {
  type LoopBuilder,
  type LoopNode,
  type LoopProgram,
  loopBuilder,
  type TemplateAttrs,
  type TensorAt,
} from '../../src/loop/ir.js'

import { printLoops } from '../../src/loop/print.js'
import { verifyLoops } from '../../src/loop/verify.js'
import type { Value } from '../../src/scalar/ops.js'
import { sizeSymbol } from '../../src/scalar/size.js'

const rows = 0
const columns = 1
const along = (...terms: readonly [number, number][]) => ({ offset: 0, terms: new Map(terms) })
const matrix = accessOf(0, 'f32', along([rows, 3], [columns, 1]))
const vector = accessOf(1, 'f32', along([rows, 1]))

/** A program over c0 < 2 and c1 < 3, of which c1 is reduced. */
function program(build: (b: LoopBuilder) => void): LoopProgram {
  const b = loopBuilder()
  build(b)
  const coords = new Map([
    [rows, 2],
    [columns, 3],
  ])
  return { coords, reduced: new Set([columns]), body: b.finish(), alone: null, ops: ['test'], lines: [] }
}

const load = (b: LoopBuilder): LoopNode => b.node('load', [], { access: matrix })
const sum = (b: LoopBuilder, of: LoopNode): LoopNode => b.node('reduce', [of], { fn: 'add', over: [columns] })
const sums = program(b => void b.node('store', [sum(b, load(b))], { access: vector }))

describe('the loop dialect', () => {
  it('has one node for equal expressions, and two for accesses that differ in anything', () => {
    const b = loopBuilder()
    expect(load(b)).toBe(b.node('load', [], { access: accessOf(0, 'f32', along([columns, 1], [rows, 3])) }))
    const others = [
      accessOf(1, 'f32', matrix.index),
      accessOf(0, 'i32', matrix.index),
      accessOf(0, 'f32', { ...matrix.index, offset: 1 }),
      accessOf(0, 'f32', along([rows, 1], [columns, 3])),
      accessOf(0, 'f32', along([rows, 3])),
      accessOf(0, 'f32', matrix.index, new Map([[columns, { start: 1, size: 2 }]])),
      accessOf(0, 'f32', matrix.index, new Map([[columns, { start: 0, size: 2 }]])),
      accessOf(0, 'f32', { offset: sizeSymbol('n', 1), terms: matrix.index.terms }),
    ].map(access => b.node('load', [], { access }))
    expect(new Set([load(b), ...others]).size).toBe(others.length + 1)
  })

  it('prints loops, then the body', () => {
    expect(printLoops(sums)).toBe(
      [
        'test for c0 < 2, c1 < 3 reduced',
        '%0 = load() {access: <f32 buffer 0[3·c0 + c1]>} : f32[c0,c1]',
        '%1 = reduce(%0) {fn: "add", over: [1]} : f32[c0]',
        '%2 = store(%1) {access: <f32 buffer 1[c0]>} : nothing',
        '',
      ].join('\n'),
    )
  })

  it('runs', () => {
    const buffers: Value[][] = [[1, 2, 3, 10, 20, 30], Array(2)]
    interpretLoops(sums, {
      memory: buffer => ({ data: buffers[buffer]!, offset: 0 }),
      scalars: [],
      symbols: new Map(),
      runPrimitive: () => [],
    })
    expect(buffers[1]).toEqual([6, 60])
  })

  it('rejects accesses outside of memory', () => {
    const run = (): void =>
      interpretLoops(sums, {
        memory: () => ({ data: [1, 2], offset: 0 }),
        scalars: [],
        symbols: new Map(),
        runPrimitive: () => [],
      })
    expect(run).toThrow('element 2 of f32 buffer 0[3·c0 + c1]')
  })

  it.each<readonly [string, (b: LoopBuilder) => void, string]>([
    [
      'operands of two dtypes',
      b => map(b, 'add', load(b), b.node('constant', [], { dtype: 'f64', value: 1 })),
      'differ',
    ],
    ['a map on a storage format', b => map(b, 'neg', b.node('cast', [load(b)], { to: 'f16' })), 'storage format'],
    [
      'a value of another dtype than its memory',
      b => store(b, b.node('cast', [sum(b, load(b))], { to: 'i32' })),
      'cast it',
    ],
    [
      'a coordinate that is no loop',
      b => store(b, b.node('index', [], { index: indexOf(along([7, 1])), dtype: 'f32' })),
      'c7',
    ],
    [
      'a fold of what is not reduced',
      b => store(b, b.node('reduce', [load(b)], { fn: 'add', over: [rows] })),
      'not reduced',
    ],
    ['a store of what gives nothing', b => store(b, store(b, sum(b, load(b)))), 'nothing'],
    ['an operand that runs beside the product', b => matmul(b, load(b), []), 'depends on c1'],
    ['a template behind a store', b => [store(b, sum(b, load(b))), matmul(b, load(b), [columns])], 'after a store'],
    ['two templates', b => [scan(b), scan(b)], 'stands in one program with scan'],
  ])('refuses %s', (_, build, problem) => {
    const verified = (): void => verifyLoops(program(build))
    expect(verified).toThrow(VerifyError)
    expect(verified).toThrow(problem)
  })
})

const map = (b: LoopBuilder, fn: 'add' | 'neg', ...inputs: readonly LoopNode[]): LoopNode =>
  b.node('map', inputs, { fn })
const store = (b: LoopBuilder, value: LoopNode): LoopNode => b.node('store', [value], { access: vector })
const tensor = (...coords: readonly number[]): TensorAt => ({
  dtype: 'f32',
  shape: coords.map(coord => coord + 2),
  index: coords.map(coord => indexOf(along([coord, 1]))),
})
const template = (name: string, inputs: readonly LoopNode[], given: Partial<TemplateAttrs>): TemplateAttrs => ({
  primitive: { name, canonicalText: name, node: {} },
  operands: inputs.map(() => tensor(rows, columns)),
  rows: [],
  whole: [],
  results: [tensor(rows, columns)],
  row: null,
  stored: [],
  axes: null,
  work: [],
  params: {},
  ...given,
})
const scan = (b: LoopBuilder): LoopNode => b.node('template', [load(b)], template('scan', [load(b)], { row: columns }))
const matmul = (b: LoopBuilder, a: LoopNode, k: readonly number[]): LoopNode =>
  b.node('template', [a], template('matmul', [a], { operands: [tensor(rows, ...k)], results: [tensor(rows)] }))
