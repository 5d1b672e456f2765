/** What a rule puts in place computes the same: at most twice the error of what was written, and NaN, ∞ and −0 alike. */
import { describe, expect, it } from 'vitest'
import { interpretGraph } from '../../../src/graph/interpret.js'
import { type Graph, typeOf } from '../../../src/graph/ir.js'
import type { HostTensor } from '../../../src/graph/record.js'
import { wrapValue } from '../../../src/scalar/ops.js'
import { randomSpec, seededRandom, spec, type TensorSpec } from '../../support/tensor-spec.js'
import { type FloatDtype, graphOf, optimised, symbolicGraphOf, withoutPatterns } from './support.js'
import { type Write, type Written, written } from './written.js'

const allDtypes: readonly FloatDtype[] = ['f32', 'f64', 'f16', 'bf16']
const unit = { f64: 2 ** -53, f32: 2 ** -24, f16: 2 ** -11, bf16: 2 ** -8 }

const numbers = ({ data }: HostTensor): number[] => data.map(Number)
const run = (graph: Graph, inputs: readonly TensorSpec[]): number[] => numbers(interpretGraph(graph, inputs)[0]!)
const inF64 = (inputs: readonly TensorSpec[]): TensorSpec[] => inputs.map(input => ({ ...input, dtype: 'f64' }))

const randomInputs = ({ shapes = [[6, 40]], range: [low, high] = [-3, 3] }: Written, dtype: FloatDtype): TensorSpec[] =>
  shapes.map((shape, i) => randomSpec(i + 1, dtype, shape, { low, high }))

/** The largest distance from the truth. */
function errorOf(values: readonly number[], truth: readonly number[]): number {
  return values.reduce((worst, value, i) => Math.max(worst, Math.abs(value - truth[i]!)), 0)
}

describe('random values: at most twice the error of the hand-written composition', () => {
  for (const entry of written) {
    const { rule, name, write, shapes, dtypes = allDtypes } = entry
    for (const dtype of dtypes) {
      it(`${rule}: ${name}, ${dtype}`, () => {
        const inputs = randomInputs(entry, dtype)
        const truth = run(withoutPatterns(graphOf(write, 'f64', shapes)), inF64(inputs))
        const graph = graphOf(write, dtype, shapes)
        const plain = run(withoutPatterns(graph), inputs)
        const rewritten = run(optimised(graph).graph, inputs)
        const largest = Math.max(...truth.map(Math.abs))
        if (dtype === 'f64') expect(errorOf(rewritten, plain)).toBeLessThanOrEqual(32 * unit.f64 * largest)
        else
          expect(errorOf(rewritten, truth)).toBeLessThanOrEqual(
            2 * Math.max(errorOf(plain, truth), unit[dtype] * largest),
          )
      })
    }
  }

  for (const entry of written.filter(({ fixed }) => fixed !== true)) {
    const { rule, name, write, shapes, dtypes = allDtypes } = entry
    it(`${rule}: ${name}, of run-time sizes`, () => {
      const dtype = dtypes.includes('f32') ? 'f32' : dtypes[0]!
      const inputs = randomInputs(entry, dtype)
      const known = run(optimised(graphOf(write, dtype, shapes)).graph, inputs)
      expect(run(optimised(symbolicGraphOf(write, dtype, shapes)).graph, inputs)).toEqual(known)
    })
  }
})

describe('empty tensors', () => {
  it('stay empty, or give the identities of reductions', () => {
    for (const { write, shapes, fixed, rule, name } of written) {
      if (shapes !== undefined || fixed === true || /max|softmax/.test(`${rule} ${name}`)) continue
      for (const shape of [
        [0, 40],
        [6, 0],
      ]) {
        const graph = graphOf(write, 'f32', [shape])
        const inputs = [spec('f32', shape, [])]
        expect(run(optimised(graph).graph, inputs), name).toEqual(run(withoutPatterns(graph), inputs))
      }
    }
  })
})

// --- NaN, infinities, signed zeros, overflow -----------------------------------------------------------------------------

const { NaN: nan, POSITIVE_INFINITY: inf, NEGATIVE_INFINITY: minusInf } = Number
const rows: readonly (readonly number[])[] = [
  [nan, 1, -1, 0],
  [inf, 1, -2, 3],
  [minusInf, 1, -2, 3],
  [inf, minusInf, 0, 1],
  [minusInf, minusInf, minusInf, minusInf],
  [-0, 0, -0, 0],
  [100, -100, 60, -60],
  [1e-8, -1e-8, 1e-3, -1e-3],
  [1000, 999, -1000, -999],
  [1e30, -1e30, 1e-30, -1e-30],
]

/** Tells apart what rounding cannot turn into each other. */
const kindOf = (value: number): string =>
  Number.isNaN(value)
    ? 'NaN'
    : Number.isFinite(value)
      ? value === 0
        ? Object.is(value, -0)
          ? '-0'
          : '0'
        : 'number'
      : `${value}`

interface Change {
  readonly row: number
  readonly from: string
  readonly to: string
}

/**
 * Where the kind of a value changes. On finite inputs it may become what it is in float64, as written or by the built-in
 * op: an overflow that is gone. Elsewhere it must stay.
 */
function changes({ write, same }: Written): Change[] {
  const shape = [rows.length, 4]
  const inputs = [spec('f32', shape, rows.flat())]
  const exactly = (of: Write): string[] =>
    run(withoutPatterns(graphOf(of, 'f64', [shape])), inF64(inputs)).map(value =>
      kindOf(Number(wrapValue('f32', value))),
    )
  const graph = graphOf(write, 'f32', [shape])
  const plain = run(withoutPatterns(graph), inputs).map(kindOf)
  const [written64, same64] = [exactly(write), exactly(same ?? write)]
  const after = run(optimised(graph).graph, inputs).map(kindOf)
  const width = after.length / rows.length
  return after.flatMap((to, i) => {
    const row = Math.floor(i / width)
    const exact = rows[row]!.every(Number.isFinite) && (to === written64[i] || to === same64[i])
    return to === plain[i] || exact ? [] : [{ row, from: plain[i]!, to }]
  })
}

const hasInfinity = (row: number): boolean => rows[row]!.includes(inf)
const isAllMinusInfinity = (row: number): boolean => rows[row]!.every(value => value === minusInf)

/** What the notes of the rules say: which values of inputs that are not finite are others than before. */
const noted: Readonly<Record<string, (change: Change) => boolean>> = {
  sigmoid: ({ row, from, to }) => from === 'NaN' && to === 'number' && hasInfinity(row),
  'softmax (without maximum)': ({ row, to }) => to === 'NaN' && hasInfinity(row),
  logSoftmax: ({ row, to }) => to === 'NaN' && hasInfinity(row),
  logsumexp: ({ row, from, to }) =>
    from === 'NaN' && ((to === 'Infinity' && hasInfinity(row)) || (to === '-Infinity' && isAllMinusInfinity(row))),
}

describe('NaN, infinities and zeros are preserved, or the rule notes the difference', () => {
  for (const entry of written.filter(
    ({ shapes, fixed, name, dtypes = allDtypes }) =>
      shapes === undefined && fixed !== true && dtypes.includes('f32') && !name.includes('first dim'),
  )) {
    it(`${entry.rule}: ${entry.name}`, () => {
      const may = noted[entry.rule] ?? (() => false)
      expect(changes(entry).filter(change => !may(change))).toEqual([])
    })
  }
})

// --- several at once -----------------------------------------------------------------------------------------------------

describe('functions of several written-out ops', () => {
  const single = written.filter(({ shapes, name }) => shapes === undefined && !name.includes('first dim'))
  /** Keeps values where all functions are smooth and of moderate size. */
  const tame: Write = (op, x) => op('add', op('mul', op('tanh', x), 0.7), 1.2)

  for (let seed = 1; seed <= 60; seed++) {
    const random = seededRandom(seed)
    const chosen = Array.from({ length: 2 + Math.floor(random() * 4) }, () => ({
      next: single[Math.floor(random() * single.length)]!,
      isResidual: random() < 0.3,
    }))
    it(`seed ${seed}: ${chosen.map(({ next }) => next.name).join('; ')}`, () => {
      const write: Write = (op, x) =>
        chosen.reduce((value, { next, isResidual }) => {
          const made = next.write(op, tame(op, value))
          if (typeOf(made).shape.length === 2) return isResidual ? op('add', made, value) : made
          return op('add', op('reshape', made, [6, 1]), value)
        }, x)
      const inputs = [randomSpec(seed, 'f32', [6, 40])]
      const graph = graphOf(write, 'f32')
      const { graph: rewritten, fired } = optimised(graph)
      const truth = run(withoutPatterns(graphOf(write, 'f64')), inF64(inputs))
      const plain = errorOf(run(withoutPatterns(graph), inputs), truth)
      const largest = Math.max(...truth.map(Math.abs))
      expect(fired.length).toBeGreaterThan(0)
      // The bound of one op, doubled: errors of a chain meet by chance.
      expect(errorOf(run(rewritten, inputs), truth)).toBeLessThanOrEqual(4 * Math.max(plain, 8 * unit.f32 * largest))
    })
  }
})
