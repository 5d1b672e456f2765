/**
 * Sequences of several lengths in one batch. A packed sequence is the padded tensor with the lengths, so that sizes do not depend on
 * values: recurrent layers hold the states of a sequence that has ended.
 */
import { ArgumentError, ShapeError } from '../base/errors.js'
import { signature, takeArguments } from '../tensor/arguments.js'
import { arange } from '../tensor/create.js'
import { stack, where } from '../tensor/functions.js'
import { tensor } from '../tensor/host-data.js'
import type { Tensor } from '../tensor/tensor.js'
import { type Lengths, lengthsTensor } from './ctc.js'

/** What `packPaddedSequence` gives, and recurrent layers take and give. */
export class PackedSequence {
  /**
   * @param padded [T, N, *]
   * @param lengths i64 [N]
   */
  constructor(
    readonly padded: Tensor,
    readonly lengths: Tensor,
  ) {}

  /** Which steps are inside of their sequences: bool [T, N]. */
  get mask(): Tensor {
    const { padded, lengths } = this
    return arange(padded.dim(0), { dtype: 'i64', device: padded.device }).unsqueeze(1).lt(lengths)
  }
}

/** Where the batch is. */
export interface BatchFirst {
  /** Whether sequences are [N, T, *] instead of [T, N, *]. Default false. */
  readonly batchFirst?: boolean | undefined
}

const packSignature = signature('input, lengths: value, batchFirst: bool = false, enforceSorted: bool = true')

/**
 * A batch of padded sequences with their lengths, for recurrent layers.
 *
 * @param input [T, N, *], with batchFirst [N, T, *]
 * @param lengths of the sequences: [N], integers or numbers, in any order
 * @param options `batchFirst`; `enforceSorted` is PyTorch's, and changes nothing: sequences need not be sorted
 * @throws ShapeError for other numbers of lengths, or lengths beyond T
 */
export function packPaddedSequence(
  input: Tensor,
  lengths: Lengths,
  options?: BatchFirst & { readonly enforceSorted?: boolean | undefined },
): PackedSequence
export function packPaddedSequence(...args: readonly unknown[]): PackedSequence {
  const { input, lengths, batchFirst } = takeArguments('packPaddedSequence', packSignature, args)
  if (input.ndim < 2)
    throw new ShapeError(`packPaddedSequence: ${input.describe()} is no batch of sequences`, { fix: 'pass [T, N, *]' })
  const padded = batchFirst ? input.transpose(0, 1) : input
  if (Array.isArray(lengths)) {
    const wrong = (lengths as readonly number[]).find(each => !(each > 0 && each <= padded.shape[0]!))
    if (wrong !== undefined)
      throw new ShapeError(`packPaddedSequence: a length is ${wrong}, of ${padded.shape[0]} steps`, {
        fix: 'lengths are from 1 to the number of steps',
      })
  }
  const counts = lengthsTensor(lengths as Lengths, input)
  if (counts.shape[0] !== padded.shape[1])
    throw new ShapeError(`packPaddedSequence: ${counts.shape[0]} lengths for ${padded.shape[1]} sequences`, {
      fix: batchFirst ? 'batchFirst says that the batch is the first dim' : 'pass batchFirst: true for [N, T, *]',
    })
  return new PackedSequence(padded, counts)
}

const unpackSignature = signature(
  'packed: value, batchFirst: bool = false, paddingValue: number = 0, totalLength: int | null = null',
)

/** Options of `padPackedSequence`. */
export interface PadPackedOptions extends BatchFirst {
  /** What is behind the end of each sequence. Default 0. */
  readonly paddingValue?: number | undefined
  /** The number of steps of the result, at least as many as were packed. Default: as many. */
  readonly totalLength?: number | null | undefined
}

/**
 * The padded sequences, and their lengths.
 *
 * @returns [T, N, *], with batchFirst [N, T, *], of as many steps as were packed (PyTorch: as the longest has); and i64 [N]
 * @throws ArgumentError for fewer steps than were packed
 */
export function padPackedSequence(packed: PackedSequence, options?: PadPackedOptions): [output: Tensor, lengths: Tensor]
export function padPackedSequence(...args: readonly unknown[]): [Tensor, Tensor] {
  const given = takeArguments('padPackedSequence', unpackSignature, args)
  const { batchFirst, paddingValue, totalLength } = given
  const packed = given.packed as PackedSequence
  const { padded, lengths, mask } = packed
  const inside = mask.reshape([...mask.sizes, ...padded.sizes.slice(2).map(() => 1)] as number[])
  const filled = where(inside, padded, paddingValue)
  const missing = totalLength === null ? 0 : totalLength - padded.shape[0]!
  if (missing < 0)
    throw new ArgumentError(`padPackedSequence: totalLength is ${totalLength}, of ${padded.shape[0]} steps`, {
      fix: 'give at least as many steps as were packed',
    })
  const all = missing === 0 ? filled : lengthened(filled, missing, paddingValue)
  return [batchFirst ? all.transpose(0, 1) : all, lengths]
}

/** More steps at the end of [T, *]. */
const lengthened = (x: Tensor, steps: number, value: number): Tensor =>
  x.pad([...Array.from({ length: 2 * (x.ndim - 1) }, () => 0), 0, steps], { value })

const padSignature = signature('...sequences: tensors, batchFirst: bool = false, paddingValue: number = 0')

/**
 * Sequences [Tᵢ, *] of several lengths in one tensor, as long as the longest.
 *
 * @param sequences at least one
 * @param options `batchFirst`; `paddingValue`: what is behind the end of each, 0 by default
 * @returns [T, N, *], with batchFirst [N, T, *]
 * @throws ArgumentError for an empty list; ShapeError when other dims differ
 */
export function padSequence(
  sequences: readonly Tensor[],
  options?: BatchFirst & { readonly paddingValue?: number | undefined },
): Tensor
export function padSequence(...args: readonly unknown[]): Tensor {
  const { sequences, batchFirst, paddingValue } = takeArguments('padSequence', padSignature, args)
  if (sequences.length === 0)
    throw new ArgumentError('padSequence: there are no sequences', { fix: 'give at least one' })
  const longest = Math.max(...sequences.map(each => each.shape[0]!))
  const rows = sequences.map(each =>
    each.shape[0] === longest ? each : lengthened(each, longest - each.shape[0]!, paddingValue),
  )
  return stack(rows, batchFirst ? 0 : 1)
}

/** Sequences [Tᵢ, *] of several lengths, packed: `packPaddedSequence` of `padSequence`. */
export function packSequence(
  sequences: readonly Tensor[],
  _options?: { readonly enforceSorted?: boolean | undefined },
): PackedSequence {
  const padded = padSequence(sequences)
  const lengths = tensor(
    sequences.map(each => each.shape[0]!),
    { dtype: 'i64', device: padded.device },
  )
  return new PackedSequence(padded, lengths)
}
