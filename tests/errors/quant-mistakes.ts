/** Mistakes with quantised tensors, as mistakes.ts has those with others. */
import { ones, type Tensor, tensor, zeros } from '../../src/index.js'
import {
  dequantize,
  dualMatmul,
  fromBlocked,
  groupedMatmul,
  type QuantizedTensor,
  quantize,
  quantizedTensor,
  raggedDualMatmul,
  raggedMatmul,
  scaledMatmul,
  toBlocked,
  withLayout,
} from '../../src/quant/index.js'
import type { Mistake } from './mistakes.js'

const any = (value: unknown): never => value as never
const u8 = (shape: readonly number[]): Tensor => zeros(shape, { dtype: 'u8' })

/** [4, 32], made where it is used. */
const weights = (): QuantizedTensor => ({
  format: 'nvfp4',
  block: 16,
  scale: 'e4m3',
  values: u8([4, 16]),
  scales: u8([4, 2]),
  tensorScale: ones([]),
  layout: 'linear',
})
const rowScaled = (): QuantizedTensor =>
  quantizedTensor({ format: 'fp8e4m3', block: 'row', values: u8([4, 32]), scales: zeros([4]) })
const x = (): Tensor => zeros([3, 32])
const experts = (): Tensor => zeros([2, 4, 32])
const ends = (count: number): Tensor => zeros([count], { dtype: 'i32' })

const quantMistake: Readonly<Record<string, Omit<Mistake, 'inside'>>> = {
  'K that is no whole number of blocks': {
    kind: 'ShapeError',
    what: /^quantize: 30 elements along K .* blocks of 16/,
    fix: /pad K/,
    make: () => quantize(zeros([4, 30]), 'nvfp4').values, // mistake: K that is no whole number of blocks
  },
  'a format that there is not': {
    kind: 'ArgumentError',
    what: /^quantize: no format 'fp4'/,
    fix: /nvfp4, mxfp4/,
    make: () => quantize(x(), any('fp4')).values, // mistake: a format that there is not
  },
  'a block that a format has not': {
    kind: 'ArgumentError',
    what: /^quantize: nvfp4 with a scale for every 32/,
    fix: /every 16/,
    make: () => quantize(x(), 'nvfp4', { block: 32 }).values, // mistake: a block that a format has not
  },
  'integers to quantise': {
    kind: 'DtypeError',
    what: /^quantize: .*i32/,
    fix: /cast/,
    make: () => quantize(zeros([2, 32], { dtype: 'i32' }), 'mxfp4').values, // mistake: integers to quantise
  },
  'a layout that there is not': {
    kind: 'ArgumentError',
    what: /^quantize: no layout 'swizzled'/,
    fix: /'blocked'/,
    make: () => quantize(x(), 'nvfp4', { layout: any('swizzled') }).values, // mistake: a layout that there is not
  },
  'one scale in the blocked layout': {
    kind: 'ArgumentError',
    what: /^quantize: fp8e4m3 with one scale for each tensor has no blocks/,
    fix: /linear/,
    make: () => quantize(x(), 'fp8e4m3', { layout: 'blocked' }).values, // mistake: one scale in the blocked layout
  },
  'a factor that is several numbers': {
    kind: 'ShapeError',
    what: /^quantize: the tensor scale \[2\] is not one number/,
    fix: /0-d/,
    make: () => quantize(x(), 'nvfp4', { tensorScale: ones([2]) }).values, // mistake: a factor that is several numbers
  },
  'a factor of integers': {
    kind: 'DtypeError',
    what: /^quantize: the tensor scale is i64/,
    fix: /f32/,
    make: () => quantize(x(), 'nvfp4', { tensorScale: tensor(1n) }).values, // mistake: a factor of integers
  },
  'a factor where there is none': {
    kind: 'ArgumentError',
    what: /^quantize: mxfp4 has no tensor scale/,
    fix: /leave/,
    make: () => quantize(x(), 'mxfp4', { tensorScale: ones([]) }).values, // mistake: a factor where there is none
  },
  'options that are null': {
    kind: 'ArgumentError',
    what: /^quantize: the options are null/,
    fix: /saturate/,
    make: () => quantize(x(), 'mxfp4', any(null)).values, // mistake: options that are null
  },
  'a tensor that is not quantised': {
    kind: 'ArgumentError',
    what: /^dequantize: an object of class Tensor is no quantised tensor/,
    fix: /quantize/,
    make: () => dequantize(any(x())), // mistake: a tensor that is not quantised
  },
  'dequantised to integers': {
    kind: 'ArgumentError',
    what: /^dequantize: i32 is no float/,
    fix: /bf16/,
    make: () => dequantize(weights(), 'i32'), // mistake: dequantised to integers
  },
  'bits of a format that has none': {
    kind: 'ArgumentError',
    what: /^dequantize: nvfp4 is not assembled/,
    fix: /method/,
    make: () => dequantize(weights(), 'f32', { method: 'bits' }), // mistake: bits of a format that has none
  },
  'scales of another shape': {
    kind: 'ShapeError',
    what: /^scaledMatmul: linear scales \[4, 3\] of values \[4, 16\] must be \[4, 2\]/,
    fix: /every 16/,
    make: () => scaledMatmul(x(), { ...weights(), scales: u8([4, 3]) }), // mistake: scales of another shape
  },
  'linear scales said to be blocked': {
    kind: 'ShapeError',
    what: /^scaledMatmul: blocked scales \[4, 2\] .* must be \[512\]/,
    fix: /toBlocked/,
    make: () => scaledMatmul(x(), { ...weights(), layout: 'blocked' }), // mistake: linear scales said to be blocked
  },
  'blocked scales without the batch': {
    kind: 'ShapeError',
    what: /^dequantize: blocked scales \[512\] of values \[2, 4, 16\] must be \[2, 512\]/,
    fix: /toBlocked/,
    make: () => dequantize({ ...weights(), values: u8([2, 4, 16]), scales: u8([512]), layout: 'blocked' }), // mistake: blocked scales without the batch
  },
  'scales of another dtype': {
    kind: 'DtypeError',
    what: /^scaledMatmul: e4m3 scales are f32, not u8/,
    fix: /u8/,
    make: () => scaledMatmul(x(), { ...weights(), scales: zeros([4, 2]) }), // mistake: scales of another dtype
  },
  'codes of another dtype': {
    kind: 'DtypeError',
    what: /^scaledMatmul: values of e2m1 are i32, not u8/,
    fix: /u8/,
    make: () => scaledMatmul(x(), { ...weights(), values: zeros([4, 16], { dtype: 'i32' }) }), // mistake: codes of another dtype
  },
  'a missing factor': {
    kind: 'ArgumentError',
    what: /^scaledMatmul: b \(nvfp4\) has no tensor scale/,
    fix: /factor/,
    make: () => scaledMatmul(x(), { ...weights(), tensorScale: null }), // mistake: a missing factor
  },
  'parts that do not fit': {
    kind: 'ShapeError',
    what: /^quantizedTensor: linear scales \[3, 3\] .* must be \[4, 1\]/,
    fix: /every 32/,
    make: () => quantizedTensor({ format: 'mxfp4', values: u8([4, 16]), scales: u8([3, 3]) }).values, // mistake: parts that do not fit
  },
  'a K that differs': {
    kind: 'ShapeError',
    what: /^scaledMatmul: K differs, a \[3, 48\] and b \[4, 32\]/,
    fix: /last dim/,
    make: () => scaledMatmul(zeros([3, 48]), weights()), // mistake: a K that differs
  },
  'a product of 64-bit floats': {
    kind: 'DtypeError',
    what: /^scaledMatmul: .*f64/,
    fix: /cast/,
    make: () => scaledMatmul(zeros([3, 32], { dtype: 'f64' }), weights()), // mistake: a product of 64-bit floats
  },
  'a bias of another size': {
    kind: 'ShapeError',
    what: /^scaledMatmul: the bias \[5\] does not fit 4 columns/,
    fix: /\[N\]/,
    make: () => scaledMatmul(x(), weights(), { bias: zeros([5]) }), // mistake: a bias of another size
  },
  'weights of a gate that differ in size': {
    kind: 'ShapeError',
    what: /^dualMatmul: b1 and b2 give 4 and 5 columns/,
    fix: /rows/,
    make: () => dualMatmul(x(), weights(), zeros([5, 32])), // mistake: weights of a gate that differ in size
  },
  'an activation that there is not': {
    kind: 'ArgumentError',
    what: /^dualMatmul: activation 'tanh'/,
    fix: /silu/,
    make: () => dualMatmul(x(), weights(), weights(), { activation: any('tanh') }), // mistake: an activation that there is not
  },
  'offsets that are not as many as groups': {
    kind: 'ShapeError',
    what: /^raggedMatmul: offsets \[4\] for 2 groups/,
    fix: /\[G \+ 1\]/,
    make: () => raggedMatmul(x(), experts(), ends(4)), // mistake: offsets that are not as many as groups
  },
  'offsets of floats': {
    kind: 'DtypeError',
    what: /^raggedMatmul: offsets are f32/,
    fix: /to\('i32'\)/,
    make: () => raggedMatmul(x(), experts(), zeros([2])), // mistake: offsets of floats
  },
  'experts that are not stacked': {
    kind: 'ShapeError',
    what: /^raggedMatmul: a \[3, 32\] and b \[4, 32\] are no \[T, K\] and \[G, N, K\]/,
    fix: /stacked/,
    make: () => raggedMatmul(x(), weights(), ends(2)), // mistake: experts that are not stacked
  },
  'a bias that all experts share': {
    kind: 'ShapeError',
    what: /^raggedMatmul: the bias \[4\] must be \[2, 4\]/,
    fix: /\[G, N\]/,
    make: () => raggedMatmul(x(), experts(), ends(2), { bias: zeros([4]) }), // mistake: a bias that all experts share
  },
  'gated experts of different numbers': {
    kind: 'ShapeError',
    what: /^raggedDualMatmul: b1 and b2 have different numbers of groups/,
    fix: /each group/,
    make: () => raggedDualMatmul(x(), experts(), zeros([3, 4, 32]), ends(2)), // mistake: gated experts of different numbers
  },
  'an operand that is neither': {
    kind: 'ArgumentError',
    what: /^scaledMatmul: b is the number 3/,
    fix: /quantize/,
    make: () => scaledMatmul(x(), any(3)), // mistake: an operand that is neither
  },
  'rows of scales laid out': {
    kind: 'ArgumentError',
    what: /^withLayout: fp8e4m3 with one scale for each row/,
    fix: /linear/,
    make: () => withLayout(rowScaled(), 'blocked').values, // mistake: rows of scales laid out
  },
  'blocked bytes that are too few': {
    kind: 'ShapeError',
    what: /^fromBlocked: blocked scales \[100\] of 3 rows and 2 blocks have 512 bytes/,
    fix: /tiles/,
    make: () => fromBlocked(u8([100]), 3, 2), // mistake: blocked bytes that are too few
  },
  'a fraction of a row': {
    kind: 'ArgumentError',
    what: /^fromBlocked: rows is 1.5/,
    fix: /how many/,
    make: () => fromBlocked(u8([512]), 1.5, 2), // mistake: a fraction of a row
  },
  'scales that are no matrix': {
    kind: 'ShapeError',
    what: /^toBlocked: scales \[5\] are no matrix/,
    fix: /row/,
    make: () => toBlocked(u8([5])), // mistake: scales that are no matrix
  },
  'no groups': {
    kind: 'ArgumentError',
    what: /^groupedMatmul: no groups/,
    fix: /a list/,
    make: () => groupedMatmul([]), // mistake: no groups
  },
  'a group that does not fit': {
    kind: 'ShapeError',
    what: /^groupedMatmul: group 1: K differs, a \[2, 48\] and b \[4, 32\]/,
    fix: /last dim/,
    make: () => {
      const groups = [x(), zeros([2, 48])].map(a => ({ a, b: weights() }))
      return groupedMatmul(groups) // mistake: a group that does not fit
    },
  },
  'a strategy that there is not': {
    kind: 'ArgumentError',
    what: /^groupedMatmul: strategy 'fast'/,
    fix: /sequential/,
    make: () => groupedMatmul([{ a: x(), b: weights() }], { strategy: any('fast') }), // mistake: a strategy that there is not
  },
}

/** Whose memory only eager tensors have. */
const aboutMemory: Readonly<Record<string, Mistake>> = {
  'an out of another shape': {
    kind: 'ShapeError',
    what: /^groupedMatmul: group 0: out is \[4, 4\], the product \[3, 4\]/,
    fix: /./,
    make: () => groupedMatmul([{ a: x(), b: weights(), out: zeros([4, 4]) }]), // mistake: an out of another shape
  },
  'an out of integers': {
    kind: 'DtypeError',
    what: /^groupedMatmul: group 0: out is i32/,
    fix: /./,
    make: () => groupedMatmul([{ a: x(), b: weights(), out: zeros([3, 4], { dtype: 'i32' }) }]), // mistake: an out of integers
  },
  'outs that overlap': {
    kind: 'ArgumentError',
    what: /^groupedMatmul: outs 0 and 1 share memory/,
    fix: /its own/,
    make: () => overlapping(zeros([5, 4])),
  },
  'an out that its group reads': {
    kind: 'ArgumentError',
    what: /^groupedMatmul: out 0 shares memory with an operand/,
    fix: /its own/,
    make: () => readWhileWritten(zeros([3, 4])),
  },
  'an out whose elements overlap': {
    kind: 'ArgumentError',
    what: /^groupedMatmul: elements of out 0 share memory/,
    fix: /./,
    make: () => groupedMatmul([{ a: x(), b: weights(), out: zeros([1, 4]).expand([3, 4]) }]), // mistake: an out whose elements overlap
  },
}

function overlapping(all: Tensor): unknown {
  const groups = [0, 2].map(from => ({ a: x(), b: weights(), out: all.narrow(0, from, 3) }))
  return groupedMatmul(groups) // mistake: outs that overlap
}

/** The factor of the tensor lies in what is written. */
function readWhileWritten(out: Tensor): unknown {
  const b = { ...weights(), tensorScale: out.select(0, 1).select(0, 1) }
  return groupedMatmul([{ a: x(), b, out }]) // mistake: an out that its group reads
}

export const quantMistakes: Readonly<Record<string, Mistake>> = {
  ...Object.fromEntries(Object.entries(quantMistake).map(([name, each]) => [name, { ...each, inside: true }])),
  ...aboutMemory,
}
