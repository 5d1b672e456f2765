/** Samples of the quantised ops: random codes and scales of every format, over sizes that divide nothing but the block. */
import type { GroupStrategy } from '../../src/graph/ir.js'
import type { GateActivation, QuantAttrs } from '../../src/graph/ops/quantised.js'
import type { Block, QuantFormatName, ScaleLayout } from '../../src/types/quant.js'
import { blockedBytes, elementFormats, quantFormat, scaleStorage } from '../../src/types/quant.js'
import { type Sample, sample } from '../support/sample-kinds.js'
import { arg, count, randomSpec, seededRandom, spec, type TensorSpec, withLayout } from '../support/tensor-spec.js'
import { onGpu } from '../support/tensors.js'
import { blockedPlace, blockedSize } from './specification.js'

export interface Case {
  readonly name: string
  readonly quant: QuantAttrs
  /** K for samples: a few blocks. */
  readonly K: number
}

function formatCase(format: QuantFormatName, K: number, block?: Block, layout: ScaleLayout = 'linear'): Case {
  const facts = quantFormat('sample', format, block === undefined ? {} : { block })
  return { name: `${format}${block === undefined ? '' : ` by ${block}`} ${layout}`, quant: { ...facts, layout }, K }
}

export const cases: readonly Case[] = [
  formatCase('nvfp4', 48),
  formatCase('nvfp4', 80, undefined, 'blocked'),
  formatCase('mxfp4', 96),
  formatCase('mxfp4', 32, undefined, 'blocked'),
  formatCase('mxfp8e4m3', 96),
  formatCase('mxfp8e5m2', 64, undefined, 'blocked'),
  formatCase('mxint8', 96),
  formatCase('mxint8', 36, 12),
  formatCase('mxint8', 64, undefined, 'blocked'),
  formatCase('fp8e4m3', 37),
  formatCase('fp8e4m3', 37, 'row'),
  formatCase('fp8e5m2', 21),
  formatCase('fp8e5m2', 21, 'row'),
  formatCase('int8', 30, 10),
  formatCase('int4', 24, 6),
  formatCase('int4', 128),
]

/** 8-bit floats without scales of blocks: two such operands are multiplied as they are where a matrix unit does. */
export const areCodes = ({ element, block }: QuantAttrs): boolean =>
  typeof block !== 'number' && (element === 'e4m3' || element === 'e5m2')

/** What a sum of such products may be off on a GPU, by the largest result (see `codeSums` of the operands). */
export function codeTolerance({ args }: Sample): number {
  const isCodes = (operand: unknown): boolean => {
    const { quant } = operand as { readonly quant?: QuantAttrs | null }
    return quant !== undefined && quant !== null && areCodes(quant)
  }
  return onGpu && args.slice(0, 2).every(isCodes) ? 2 ** -8 : 0
}

const bytes = (
  seed: number,
  shape: readonly number[],
  dtype: 'u8' | 'i8',
  allowed: (code: number) => boolean,
): TensorSpec => {
  const random = seededRandom(seed)
  const draw = (): number => {
    for (;;) {
      const code = Math.floor(random() * 256)
      if (allowed(code)) return dtype === 'i8' ? code - 128 : code
    }
  }
  return spec(dtype, shape, Array.from({ length: count(shape) }, draw))
}

/** Random parts of a quantised matrix [… , rows, K]; `finite`: without codes of NaN and infinity. */
export function partsOf(seed: number, quant: QuantAttrs, shape: readonly number[], finite = true): TensorSpec[] {
  const { perByte, storage } = elementFormats[quant.element]
  const [lead, rows, K] = [shape.slice(0, -2), shape.at(-2) ?? 1, shape.at(-1)!]
  const limit = quant.element === 'e4m3' ? 0x7f : quant.element === 'e5m2' ? 0x7c : 256
  const values = bytes(seed, [...shape.slice(0, -1), K / perByte], storage, code => !finite || (code & 127) < limit)
  const scaleShape =
    quant.block === 'tensor'
      ? []
      : quant.block === 'row'
        ? shape.slice(0, -1)
        : quant.layout === 'blocked'
          ? [...lead, blockedBytes(rows, K / quant.block)]
          : [...shape.slice(0, -1), K / quant.block]
  const tensorScale = quant.tensorScale ? [spec('f32', [], [0.0375])] : []
  const stored = scaleStorage(quant.scale)
  if (stored !== 'u8') return [values, randomSpec(seed + 1, stored, scaleShape, { low: 0.1, high: 2 }), ...tensorScale]
  // e8m0 near 1, so that sums of products of different scales mean something.
  const allowed = (code: number): boolean =>
    !finite || (quant.scale === 'e4m3' ? (code & 127) !== 127 : code > 120 && code < 132)
  const scales = bytes(seed + 2, scaleShape, 'u8', allowed)
  const isBlocked = quant.layout === 'blocked' && typeof quant.block === 'number'
  return [values, isBlocked ? poisoned(scales, rows, K / (quant.block as number)) : scales, ...tensorScale]
}

/** Blocked scales with NaN in their padding, which nothing may read. */
export function poisoned(scales: TensorSpec, rows: number, blocks: number): TensorSpec {
  const own = new Set(
    Array.from({ length: rows * blocks }, (_, i) => blockedPlace(Math.floor(i / blocks), i % blocks, blocks)),
  )
  const size = blockedSize(rows, blocks)
  return { ...scales, data: scales.data.map((code, i) => (own.has(i % size) ? code : 0xff)) }
}

const all = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => arg(from + i))
const plain = { bias: null, outDtype: null }

export function dequantizeSamples(): Sample[] {
  return cases.flatMap(({ name, quant, K }, i) =>
    (['f32', 'f16', 'bf16'] as const).map((dtype, d) => {
      const shape = d === 0 ? [2, 3, K] : d === 1 ? [7, K] : [131, K]
      const parts = partsOf(i * 10 + d, quant, shape, false)
      // Both methods of mxint8 by turns.
      const method = quant.element === 'mxint8' && (i + d) % 2 === 0 ? 'bits' : 'arithmetic'
      return {
        name: `${name} to ${dtype}, ${method}`,
        inputs: parts,
        args: [all(0, parts.length), { ...quant, dtype, method }],
      }
    }),
  )
}

export function quantizeSamples(): Sample[] {
  return cases.flatMap(({ name, quant: { layout: _, ...format }, K }, i) =>
    (['f32', 'f16', 'bf16'] as const).map((dtype, d) => {
      const shape = d === 0 ? [3, K] : d === 1 ? [2, 3, K] : [5, K]
      const input = randomSpec(i + d, dtype, shape, { low: -9, high: 9 })
      const laid = d === 0 ? withLayout(input, 'transposed') : input
      return sample(`${name} of ${dtype}`, laid, { ...format, saturate: d !== 2 })
    }),
  )
}

export function layoutSamples(): { to: Sample[]; from: Sample[] } {
  const shapes = [
    [1, 1],
    [128, 4],
    [129, 5],
    [5, 3],
    [2, 40, 6],
    [300, 9],
  ]
  return {
    to: shapes.map((shape, i) => sample(`[${shape}]`, randomSpec(i, 'u8', shape, { low: 0, high: 50 }))),
    from: shapes.map((shape, i) => {
      const [rows, columns] = shape.slice(-2) as [number, number]
      const stored = randomSpec(i, 'u8', [...shape.slice(0, -2), blockedBytes(rows, columns)], { low: 0, high: 50 })
      return sample(`[${shape}]`, stored, { rows, columns })
    }),
  }
}

const operand = (quant: QuantAttrs | null, from: number, parts: readonly TensorSpec[]) => ({
  quant,
  tensors: all(from, from + parts.length),
})

/** Every format as weights of f32, f16 and bf16 activations, and as both sides. */
export function productSamples(): Sample[] {
  const weights = cases.flatMap(({ name, quant, K }, i) =>
    (['f32', 'f16', 'bf16'] as const).map((dtype, d) => {
      const [M, N] = [
        [1, 19],
        [7, 33],
        [18, 5],
      ][d]!
      const x = randomSpec(i, dtype, [M!, K])
      const parts = partsOf(i * 7 + d, quant, [N!, K])
      const bias = d === 1 ? [randomSpec(3, 'f32', [N!])] : []
      const inputs = [d === 2 ? withLayout(x, 'transposed') : x, ...parts, ...bias]
      const options = { bias: d === 1 ? arg(inputs.length - 1) : null, outDtype: d === 2 ? 'f32' : null }
      return { name: `${dtype} × ${name}`, inputs, args: [operand(null, 0, [x]), operand(quant, 1, parts), options] }
    }),
  )
  const both = cases.map(({ name, quant, K }, i) => {
    const [a, b] = [partsOf(i, quant, [9, K]), partsOf(i + 50, quant, [6, K])]
    const args = [operand(quant, 0, a), operand(quant, a.length, b), { bias: null, outDtype: 'f32' }]
    return { name: `both ${name}`, inputs: [...a, ...b], args }
  })
  const [nv, mx] = [cases[0]!.quant, cases[2]!.quant]
  const mixed = [partsOf(1, nv, [4, 96]), partsOf(2, mx, [11, 96])] as const
  const [e4m3, e5m2] = ['fp8e4m3', 'fp8e5m2'].map(
    format => cases.find(({ quant, name }) => name.startsWith(format) && quant.block === 'row')!.quant,
  ) as [QuantAttrs, QuantAttrs]
  const floats = [partsOf(5, e4m3, [2, 20, 64]), partsOf(6, e5m2, [2, 33, 64])] as const
  const batch = [randomSpec(1, 'f32', [3, 5, 48]), ...partsOf(4, nv, [3, 7, 48])]
  const blocked = cases[1]!.quant
  const batchBlocked = [randomSpec(1, 'f32', [2, 5, 80]), ...partsOf(4, blocked, [2, 7, 80])]
  return [
    ...weights,
    ...both,
    { name: 'nvfp4 × mxfp4', inputs: mixed.flat(), args: [operand(nv, 0, mixed[0]), operand(mx, 3, mixed[1]), plain] },
    {
      name: 'fp8e4m3 × fp8e5m2, batch',
      inputs: floats.flat(),
      args: [operand(e4m3, 0, floats[0]), operand(e5m2, 2, floats[1]), plain],
    },
    {
      name: 'batch',
      inputs: batch,
      args: [operand(null, 0, batch.slice(0, 1)), operand(nv, 1, batch.slice(1)), plain],
    },
    {
      name: 'batch, blocked',
      inputs: batchBlocked,
      args: [operand(null, 0, batchBlocked.slice(0, 1)), operand(blocked, 1, batchBlocked.slice(1)), plain],
    },
    {
      name: 'rows of a batch',
      inputs: [randomSpec(1, 'f16', [2, 3, 48]), ...partsOf(4, nv, [7, 48])],
      args: [operand(null, 0, [batch[0]!]), operand(nv, 1, batch.slice(1)), plain],
    },
    {
      name: 'plain',
      inputs: [randomSpec(1, 'f16', [5, 30]), randomSpec(2, 'f16', [9, 30])],
      args: [operand(null, 0, [batch[0]!]), operand(null, 1, [batch[0]!]), plain],
    },
  ]
}

/** Groups of products whose rows, sizes, formats and dtypes differ, one of them empty; the same under each strategy. */
export function groupedSamples(strategies: readonly GroupStrategy[]): Sample[] {
  const [nv, mx] = [cases[0]!.quant, cases[2]!.quant]
  return strategies.map(strategy => {
    const products = [
      { quants: [null, nv], inputs: [randomSpec(11, 'f16', [7, 48]), ...partsOf(1, nv, [19, 48])] },
      { quants: [nv, nv], inputs: [...partsOf(2, nv, [20, 48]), ...partsOf(3, nv, [19, 48])] },
      { quants: [nv, nv], inputs: [...partsOf(4, nv, [0, 48]), ...partsOf(3, nv, [19, 48])] },
      { quants: [mx, null], inputs: [...partsOf(5, mx, [2, 3, 64]), randomSpec(6, 'bf16', [2, 9, 64])] },
      { quants: [nv, nv], inputs: [...partsOf(7, nv, [5, 48]), ...partsOf(8, nv, [19, 48])] },
    ] as const
    const inputs = products.flatMap(product => product.inputs)
    let at = 0
    const groups = products.map(({ quants: [a, b], inputs: own }) => {
      const left = operand(a, at, own.slice(0, a === null ? 1 : a.tensorScale ? 3 : 2))
      const right = operand(b, at + left.tensors.length, own.slice(left.tensors.length))
      at += own.length
      return { a: left, b: right, outDtype: a === null ? null : 'f16' }
    })
    return { name: strategy, inputs, args: [groups, strategy] }
  })
}

export function dualSamples(): Sample[] {
  const [nv, mx, mxint8] = [cases[0]!.quant, cases[2]!.quant, cases[6]!.quant]
  const activations = (['silu', 'gelu', 'relu'] as const).flatMap((activation, i) => [
    dual(`${activation} nvfp4`, [randomSpec(i, 'f32', [5, 48])], [nv, [7, 48]], [nv, [7, 48]], { activation }),
    dual(`${activation} f16, biases`, [randomSpec(i, 'f16', [4, 48])], [null, [6, 48]], [null, [6, 48]], {
      activation,
      bias: true,
      outDtype: 'f32',
    }),
  ])
  return [
    ...activations,
    dual('one row', [randomSpec(1, 'f32', [1, 48])], [nv, [19, 48]], [nv, [19, 48]], { bias: true }),
    dual('rows of a batch', [randomSpec(1, 'f16', [2, 3, 48])], [nv, [7, 48]], [nv, [7, 48]], {}),
    dual('batch', [randomSpec(1, 'bf16', [2, 5, 96])], [mx, [2, 7, 96]], [mx, [2, 7, 96]], { bias: true }),
    dual('weights of two formats', [randomSpec(1, 'f16', [6, 96])], [nv, [18, 96]], [mxint8, [18, 96]], {}),
    dual('weights and a matrix', [randomSpec(1, 'f16', [17, 48])], [nv, [9, 48]], [null, [9, 48]], { bias: true }),
  ]
}

type Weights = readonly [quant: QuantAttrs | null, shape: readonly number[]]
interface DualOptions {
  readonly activation?: GateActivation
  readonly bias?: boolean
  readonly outDtype?: 'f32'
}

/** A gated product of a tensor with two matrices, which are tensors of f16 where they have no format. */
function dual(name: string, [x]: readonly [TensorSpec], b1: Weights, b2: Weights, options: DualOptions): Sample {
  const { activation = 'silu', bias = false, outDtype = null } = options
  const inputs = [x]
  const weights = [b1, b2].map(([quant, shape], i) => {
    const parts = quant === null ? [randomSpec(i + 3, 'f16', shape)] : partsOf(i * 8 + 1, quant, shape)
    return operand(quant, inputs.push(...parts) - parts.length, parts)
  })
  const [bias1, bias2] = [7, 8].map(seed =>
    bias ? arg(inputs.push(randomSpec(seed, 'f16', [b1[1].at(-2)!])) - 1) : null,
  )
  return { name, inputs, args: [operand(null, 0, [x]), ...weights, { bias1, bias2, activation, outDtype }] }
}
