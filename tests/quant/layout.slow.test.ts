/** The blocked layout of scales: every size there and back, against its definition; what stands in the padding. */
import { describe, expect, it } from 'vitest'
import { quantRecords } from '../../src/graph/ops/quantised.js'
import type { HostTensor, OpRecord } from '../../src/graph/record.js'
import { compile, type Tensor, tensor } from '../../src/index.js'
import {
  dequantize,
  dualMatmul,
  groupedMatmul,
  type QuantFormatName,
  type QuantizedTensor,
  quantFormats,
  quantize,
  scaledMatmul,
  shapeOf,
  withLayout,
} from '../../src/quant/index.js'
import { blockedBytes, blockedOffset } from '../../src/types/quant.js'
import { hasCompiler } from '../support/compiler.js'
import { allSamples } from '../support/sample-choice.js'
import { sample } from '../support/sample-kinds.js'
import { arg, randomSpec, spec, type TensorSpec } from '../support/tensor-spec.js'
import { hostOfTensor, tensorOf } from '../support/tensors.js'
import { type Expectation, expectC, expectInterpreted, expectSimulatedGpu } from './everywhere.js'
import { poisoned } from './samples.js'
import { blockedPlace, blockedSize } from './specification.js'

const range = (count: number): number[] => Array.from({ length: count }, (_, i) => i)

it('positions of scales follow the definition, for rows 1 … 300 and columns 1 … 20', () => {
  for (const rows of range(300).map(i => i + 1)) {
    const columns = 1 + ((rows * 7) % 20)
    expect(blockedBytes(rows, columns)).toBe(blockedSize(rows, columns))
    for (const row of range(rows))
      for (const column of range(columns))
        if (blockedOffset(row, column, columns) !== blockedPlace(row, column, columns))
          expect.fail(`row ${row}, column ${column} of ${rows} × ${columns}`)
  }
})

/** [lead, rows, columns] of random codes (never 0) as they must lie, zeros in the padding. */
function laidOut(scales: TensorSpec, [lead, rows, columns]: readonly [number, number, number]): HostTensor {
  const size = blockedSize(rows, columns)
  const data = new Array<number>(lead * size).fill(0)
  for (const matrix of range(lead))
    for (const row of range(rows))
      for (const column of range(columns))
        data[matrix * size + blockedPlace(row, column, columns)] = Number(
          scales.data[(matrix * rows + row) * columns + column]!,
        )
  return { dtype: 'u8', shape: [lead, size], data }
}

function bothWays(lead: number, rows: number, columns: number): { to: Expectation; from: Expectation } {
  const scales = randomSpec(rows * 31 + columns, 'u8', [lead, rows, columns], { low: 1 / 5, high: 51 })
  const blocked = laidOut(scales, [lead, rows, columns])
  const name = `[${lead}, ${rows}, ${columns}]`
  const stored = spec('u8', blocked.shape, blocked.data.map(Number))
  // Coming back, the padding is not looked at.
  const inputs = [poisoned(stored, rows, columns)]
  const { dtype, shape, data } = scales
  return {
    to: { sample: sample(name, scales), results: [blocked] },
    from: { sample: { name, inputs, args: [arg(0), { rows, columns }] }, results: [{ dtype, shape, data }] },
  }
}

const sizes: readonly (readonly [number, number])[] = [
  ...[1, 2, 31, 32, 33, 63, 64, 65, 96, 97, 127, 128, 129, 160, 255, 256, 257, 300].map(
    (rows, i) => [rows, 1 + ((i * 7) % 20)] as const,
  ),
  ...range(20).map(i => [1 + ((i * 53) % 300), i + 1] as const),
]

describe('toBlocked and fromBlocked', { timeout: 300_000 }, () => {
  const cases = sizes.map(([rows, columns], i) => bothWays(i % 4 === 0 ? 2 : 1, rows, columns))
  const few = allSamples ? cases : cases.filter((_, i) => i % 5 === 1)
  const [to, from] = [quantRecords.toBlocked as OpRecord, quantRecords.fromBlocked as OpRecord]

  it('reference and graph interpreter', () => {
    for (const each of cases) {
      expectInterpreted(to, [each.to])
      expectInterpreted(from, [each.from])
    }
  })
  it('C', () => {
    expectC(
      to,
      few.map(each => each.to),
    )
    expectC(
      from,
      few.map(each => each.from),
    )
  })
  it('blocks of GPU threads', () => {
    const small = few.filter(({ to }) => allSamples || to.results[0]!.data.length <= 8192)
    expect(small.length).toBeGreaterThan(2)
    expectSimulatedGpu(
      to,
      small.map(each => each.to),
    )
    expectSimulatedGpu(
      from,
      small.map(each => each.from),
    )
  })
})

describe.skipIf(!hasCompiler)('what stands in the padding is never read (needs a C compiler)', () => {
  const random = (seed: number, shape: readonly number[]): Tensor => tensorOf(randomSpec(seed, 'f32', shape))

  /** The same numbers, NaN in the padding. */
  function withNaN(q: QuantizedTensor): QuantizedTensor {
    const [rows, K] = shapeOf(q).slice(-2) as [number, number]
    const { shape, data } = hostOfTensor(q.scales)
    const stored = poisoned(spec('u8', shape, data.map(Number)), rows, K / (q.block as number))
    expect(stored.data.filter(code => code === 0xff).length).toBeGreaterThan(0)
    return { ...q, scales: tensor(stored.data.map(Number), { dtype: 'u8' }).reshape([...shape]) }
  }

  for (const name of ['nvfp4', 'mxfp8e4m3', 'mxint8'] as const satisfies readonly QuantFormatName[])
    it(`${name}: conversion and matmuls, eager and compiled`, () => {
      const K = 3 * Number(quantFormats[name].block)
      const row = random(4, [1, K])
      const all = (a: QuantizedTensor, w: QuantizedTensor, v: QuantizedTensor): Tensor[] => [
        dequantize(a),
        withLayout(w, 'linear').scales,
        scaledMatmul(a, w),
        scaledMatmul(row, w),
        dualMatmul(a, w, v),
        ...groupedMatmul([
          { a, b: w },
          { a, b: v },
        ]),
      ]
      const compiled = compile(all)
      const [a, w, v] = [
        quantize(random(1, [5, K]), name, { layout: 'blocked' }),
        ...[2, 3].map(seed => quantize(random(seed, [7, K]), name, { layout: 'blocked' })),
      ] as [QuantizedTensor, QuantizedTensor, QuantizedTensor]
      for (const run of [all, compiled]) {
        const clean = run(a, w, v).map(hostOfTensor)
        expect(run(withNaN(a), withNaN(w), withNaN(v)).map(hostOfTensor)).toEqual(clean)
        expect(clean.every(({ data }) => data.every(value => Number.isFinite(Number(value))))).toBe(true)
      }
    })
})
