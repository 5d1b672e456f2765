/**
 * Cases of products for tests: every pair of what a side may be, over sizes, layouts, batches and options by turns; and
 * large ones, of several tiles and blocks of K on a GPU.
 */
import { dualMatmul, type QuantizedTensor, scaledMatmul } from '../../src/quant/index.js'
import type { Tensor } from '../../src/tensor/tensor.js'
import type { TensorDtype } from '../../src/types/dtype.js'
import type { Sample } from '../support/sample-kinds.js'
import { arg, type Layout, randomSpec, type TensorSpec } from '../support/tensor-spec.js'
import {
  argumentOf,
  type Bounded,
  gatedOf,
  kinds,
  type Operand,
  operandOf,
  productOf,
  resultDtype,
  tensorsOf,
} from './operands.js'

/** A product by the ops' arguments, and its operands to call it as people do. */
export interface Case {
  readonly sides: readonly Operand[]
  readonly biases: readonly (TensorSpec | null)[]
  readonly outDtype: TensorDtype | null
  readonly activation?: 'silu' | 'gelu' | 'relu'
  readonly sample: Sample
  /** Worked out when it is first asked for. */
  readonly want: Bounded
  /** Both sides nvfp4, the result f16. */
  readonly isHalf: boolean
}

const layouts: readonly Layout[] = ['dense', 'offset', 'strided', 'transposed']
const pick = <T>(list: readonly T[], turn: number): T => list[turn % list.length]!

/** An object whose `want` is worked out when it is first asked for. */
function withWant<T extends object>(each: T, work: () => Bounded): T & { readonly want: Bounded } {
  let known: Bounded | null = null
  return Object.defineProperty(each, 'want', {
    get: () => {
      known ??= work()
      return known
    },
    enumerable: true,
  }) as T & { readonly want: Bounded }
}

type Sizes = readonly [M: number, N: number, K: number]

/** Sizes unless they are given, layouts, batches and the result's dtype go round by turns. */
function productCase(left: number, right: number, sizes?: Sizes): Case {
  const [one, other] = [kinds[left]!, kinds[right]!]
  const turn = left * 7 + right * 3
  const [M, N, K] = sizes ?? [
    pick([3, 1, 17, 7], turn),
    pick([5, 19, 1, 9, 33], turn + left),
    32 * pick([1, 3, 2], turn + right),
  ]
  const lead = turn % 5 === 2 ? [2] : []
  const lay = (more: number): Layout => (sizes === undefined ? pick(layouts, turn + more) : 'dense')
  const a = operandOf(one, left * 50 + right, [...lead, M, K], lay(0))
  const b = operandOf(other, right * 50 + left + 1, [...(turn % 2 === 0 ? lead : []), N, K], lay(1))
  const bias = turn % 3 === 0 ? randomSpec(turn, 'f16', [N]) : null
  const isHalf = one.name.startsWith('nvfp4') && other.name.startsWith('nvfp4')
  const outDtype = isHalf ? 'f16' : turn % 4 === 1 ? pick(['f16', 'bf16', 'f32'] as const, left) : null
  const inputs = [...a.parts, ...b.parts, ...(bias === null ? [] : [bias])]
  const options = { bias: bias === null ? null : arg(inputs.length - 1), outDtype }
  const name = `${one.name} [${a.shape}] × ${other.name} [${b.shape}]${outDtype === null ? '' : ` → ${outDtype}`}`
  const own = { name, inputs, args: [argumentOf(a, 0), argumentOf(b, a.parts.length), options] }
  return withWant({ sides: [a, b], biases: [bias], outDtype, sample: own, isHalf }, () =>
    productOf(a, b, outDtype ?? resultDtype(a, b), bias === null ? null : bias.data.map(Number)),
  )
}

export const pairs: readonly Case[] = kinds.flatMap((_, left) => kinds.map((_, right) => productCase(left, right)))

const [tiled, blocked]: readonly [Sizes, Sizes] = [
  [70, 72, 320],
  [150, 136, 256],
]

/** Every kind times itself, and as weights of f16 or bf16: sizes of several tiles and more blocks of K than are under way. */
export const largePairs = (): Case[] =>
  kinds.flatMap((_, i) => [i, 1 + (i % 2)].map((left, j) => productCase(left, i, (i + j) % 2 === 0 ? tiled : blocked)))

/** Sizes unless they are given, operands, biases and the result's dtype go round by turns. */
function dualCase(i: number, sizes?: Sizes): Case {
  const activation = pick(['silu', 'gelu', 'relu'] as const, i)
  const [one, two, three] = [pick(kinds, i), pick(kinds, i * 4 + 3), pick(kinds, i % 2 === 0 ? i * 4 + 3 : i * 2 + 1)]
  const [M, N, K] = sizes ?? [pick([3, 1, 17], i), pick([19, 5, 33], i), 32 * pick([3, 1, 2], i)]
  const lead = i % 4 === 1 ? [2] : []
  const lay = (turn: number): Layout => (sizes === undefined ? pick(layouts, turn) : 'dense')
  const a = operandOf(one, i, [...lead, M, K], lay(i))
  const [b1, b2] = [two, three].map((kind, j) => operandOf(kind, 100 + 2 * i + j, [N, K], lay(i + j)))
  const biases = [i % 3 === 0, i % 2 === 0].map((has, j) => (has ? randomSpec(i + j, 'f32', [N]) : null))
  const outDtype = pick([null, 'f16', 'f32', 'bf16'] as const, i)
  const sides = [a, b1!, b2!]
  const inputs: TensorSpec[] = [...sides.flatMap(({ parts }) => parts)]
  const [bias1, bias2] = biases.map(bias => (bias === null ? null : arg(inputs.push(bias) - 1)))
  const starts = [0, a.parts.length, a.parts.length + b1!.parts.length]
  const operands = sides.map((side, j) => argumentOf(side, starts[j]!))
  const dtype = outDtype ?? ('dtype' in a.kind ? a.kind.dtype : 'f32')
  const product = (b: typeof a, j: number) => productOf(a, b, 'f32', biases[j]?.data.map(Number) ?? null)
  const options = { bias1: bias1 ?? null, bias2: bias2 ?? null, activation, outDtype }
  const names = sides.map(({ kind, shape }) => (sizes === undefined ? kind.name : `${kind.name} [${shape}]`))
  const own = { name: `${activation}: ${names.join(', ')}`, inputs, args: [...operands, options] }
  return withWant({ sides, biases, outDtype, activation, sample: own, isHalf: false }, () =>
    gatedOf(activation, product(b1!, 0), product(b2!, 1), dtype),
  )
}
export const duals: readonly Case[] = Array.from({ length: 2 * kinds.length }, (_, i) => dualCase(i))

/** As `largePairs`: every kind on the left once, with weights of other kinds. */
export const largeDuals = (): Case[] => kinds.map((_, i) => dualCase(i, i % 2 === 0 ? tiled : blocked))

/** Products of many sizes for one call: each kind once, M from none to more than a tile. */
export const largeGroups = (): readonly (readonly [a: Operand, b: Operand])[] =>
  kinds.map((kind, i) => {
    const [M, N, K] = [pick([80, 0, 150, 1, 40], i), pick([72, 136], i), 32 * pick([3, 10], i + (i >> 1))]
    return [operandOf(pick(kinds, i * 5 + 3), i, [M, K]), operandOf(kind, i + 40, [N, K])]
  })

/** What a call is given: the operands as people have them, and its biases. */
export interface Given {
  readonly operands: readonly (Tensor | QuantizedTensor)[]
  readonly biases: readonly (Tensor | null)[]
}

export const givenOf = ({ sides, biases }: Case, make: (spec: TensorSpec) => Tensor): Given => ({
  operands: sides.map(side => tensorsOf(side, make)),
  biases: biases.map(bias => (bias === null ? null : make(bias))),
})

/** The call as people write it. */
export function callOf({ outDtype, activation }: Case, { operands, biases }: Given): Tensor {
  const [a, b, c] = operands as [Given['operands'][0], Given['operands'][0], Given['operands'][0]]
  const [first = null, second = null] = biases
  const options = outDtype === null ? {} : { outDtype }
  if (activation === undefined) return scaledMatmul(a, b, { bias: first, ...options })
  return dualMatmul(a, b, c, { bias1: first, bias2: second, activation, ...options })
}
