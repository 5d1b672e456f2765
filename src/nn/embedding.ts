/** Tables that are looked up by integers. */
import { ArgumentError } from '../base/errors.js'
import { signature, takeArguments } from '../tensor/arguments.js'
import { embedding, embeddingBag } from '../tensor/functions.js'
import type { Tensor } from '../tensor/tensor.js'
import { constant_, normal_ } from './init.js'
import { Layer, type LayerOptions, newParameter, placed } from './layer.js'
import { Parameter } from './parameter.js'

/** Options of `Embedding`. */
export interface EmbeddingOptions extends LayerOptions {
  /** An entry that is not trained, 0 at first; negative ones count from the end. Default: none. */
  readonly paddingIdx?: number | null | undefined
  /** Rows that are looked up and are longer are first scaled to this length, in the weight. Default: none. */
  readonly maxNorm?: number | null | undefined
  /** The power of the norm that maxNorm bounds. Default 2. */
  readonly normType?: number | undefined
}

/** Options of `EmbeddingBag`. */
export interface EmbeddingBagOptions extends EmbeddingOptions {
  /** What is made of a bag's rows. Default 'mean'. */
  readonly mode?: 'mean' | 'sum' | 'max' | undefined
  /** Whether the offsets end with the number of indices. Default false. */
  readonly includeLastOffset?: boolean | undefined
}

const table =
  'numEmbeddings: positive, embeddingDim: positive, *, paddingIdx: int | null = null, maxNorm: number | null = null, normType: number = 2'
const embeddingSignature = signature(`${table}, ${placed}` as const)
const bagSignature = signature(
  `${table}, mode: 'mean' | 'sum' | 'max' = 'mean', includeLastOffset: bool = false, ${placed}` as const,
)

function rowOf(layer: string, paddingIdx: number | null, rows: number): number | null {
  if (paddingIdx === null) return null
  const row = paddingIdx < 0 ? paddingIdx + rows : paddingIdx
  if (row >= 0 && row < rows) return row
  throw new ArgumentError(`${layer}: paddingIdx ${paddingIdx} of ${rows} entries`, {
    fix: `use one from ${-rows} to ${rows - 1}`,
  })
}

abstract class Table extends Layer {
  /** What inputs are multiplied by. */
  weight: Parameter
  /** How many rows. */
  readonly numEmbeddings: number
  /** The length of a row. */
  readonly embeddingDim: number
  /** The row that is not trained. */
  readonly paddingIdx: number | null
  /** The largest norm that rows may have. */
  maxNorm: number | null
  /** The power of the norm. */
  normType: number

  constructor(
    name: string,
    given: {
      readonly numEmbeddings: number
      readonly embeddingDim: number
      readonly paddingIdx: number | null
      readonly maxNorm: number | null
      readonly normType: number
    } & Parameters<typeof newParameter>[1],
  ) {
    super()
    const { numEmbeddings, embeddingDim } = given
    this.numEmbeddings = numEmbeddings
    this.embeddingDim = embeddingDim
    this.paddingIdx = rowOf(name, given.paddingIdx, numEmbeddings)
    this.maxNorm = given.maxNorm
    this.normType = given.normType
    this.weight = newParameter([numEmbeddings, embeddingDim], given)
    this.resetParameters()
  }

  /** New initial values: normal, the padding entry 0. */
  resetParameters(): void {
    normal_(this.weight)
    if (this.paddingIdx !== null) constant_(this.weight.select(0, this.paddingIdx), 0)
  }

  protected override hidden(): readonly string[] {
    return this.maxNorm === null ? ['normType'] : []
  }
}

/** The rows of a weight [numEmbeddings, embeddingDim] at integers: [*] → [*, embeddingDim]. Normal at first. */
export class Embedding extends Table {
  constructor(numEmbeddings: number, embeddingDim: number, options?: EmbeddingOptions)
  constructor(...args: readonly unknown[]) {
    super('Embedding', takeArguments('Embedding', embeddingSignature, args))
  }

  /**
   * A layer with these rows. `freeze` (default true): they are not trained.
   *
   * @throws ShapeError when `weight` is no matrix
   */
  static fromPretrained(
    weight: Tensor,
    { freeze = true, ...options }: EmbeddingOptions & { readonly freeze?: boolean | undefined } = {},
  ): Embedding {
    const layer = new Embedding(weight.size(0), weight.size(1), options)
    layer.weight = new Parameter(weight, { requiresGrad: !freeze })
    return layer
  }

  forward(input: Tensor): Tensor {
    return embedding(input, this.weight, this.paddingIdx, this.maxNorm, this.normType)
  }
}

/** The mean, sum or maximum of rows of a weight [numEmbeddings, embeddingDim], for each bag of indices. */
export class EmbeddingBag extends Table {
  /** How it works: see the options. */
  readonly mode: 'mean' | 'sum' | 'max'
  /** Whether offsets end with the number of indices. */
  readonly includeLastOffset: boolean

  constructor(numEmbeddings: number, embeddingDim: number, options?: EmbeddingBagOptions)
  constructor(...args: readonly unknown[]) {
    const given = takeArguments('EmbeddingBag', bagSignature, args)
    super('EmbeddingBag', given)
    this.mode = given.mode
    this.includeLastOffset = given.includeLastOffset
  }

  /**
   * @param input indices: [B, N] with a bag per row, or [N] with `offsets`, where each bag starts
   * @param perSampleWeights a factor per index, with mode 'sum'
   * @returns [B, embeddingDim]
   */
  forward(input: Tensor, offsets: Tensor | null = null, perSampleWeights: Tensor | null = null): Tensor {
    const { weight, maxNorm, normType, mode, includeLastOffset, paddingIdx } = this
    const options = { perSampleWeights, includeLastOffset, paddingIdx }
    return embeddingBag(input, weight, offsets, maxNorm, normType, mode, options)
  }
}
