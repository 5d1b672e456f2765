/** Multi-head attention. Vaswani et al., arXiv:1706.03762. */
import { ArgumentError, DtypeError, ShapeError } from '../base/errors.js'
import { signature, takeArguments } from '../tensor/arguments.js'
import { arange, zeros } from '../tensor/create.js'
import { cat, linear, softmax, where } from '../tensor/functions.js'
import type { SizeLike } from '../tensor/parameters.js'
import { dropout, scaledDotProductAttention } from '../tensor/sampling.js'
import type { Tensor } from '../tensor/tensor.js'
import { isFloat, type TensorDtype } from '../types/dtype.js'
import { constant_, xavierNormal_, xavierUniform_ } from './init.js'
import { Layer, type LayerOptions, newParameter, placed } from './layer.js'
import { Linear } from './linear.js'
import type { Parameter } from './parameter.js'

/** Options of `MultiheadAttention`. */
export interface MultiheadAttentionOptions extends LayerOptions {
  /** The probability of 0 among the attention weights, in training. Default 0. */
  readonly dropout?: number | undefined
  /** Whether the projections have biases. Default true. */
  readonly bias?: boolean | undefined
  /** Whether a trained key and value are added. Default false. */
  readonly addBiasKv?: boolean | undefined
  /** Whether a key and value of zeros are added. Default false. */
  readonly addZeroAttn?: boolean | undefined
  /** Features of keys. Default: embedDim. */
  readonly kdim?: number | null | undefined
  /** Features of values. Default: embedDim. */
  readonly vdim?: number | null | undefined
  /** Whether the batch comes first: [N, L, E] instead of [L, N, E]. Default false. */
  readonly batchFirst?: boolean | undefined
}

/** Options of a call of `MultiheadAttention`. */
export interface AttentionCallOptions {
  /** [N, S]: keys that are ignored where true, or a float that is added to their scores. */
  readonly keyPaddingMask?: Tensor | null | undefined
  /** Whether the attention weights are given, too, which costs memory. Default true. */
  readonly needWeights?: boolean | undefined
  /** [L, S] or [N · heads, L, S]: true where attention is not allowed, or a float that is added to the scores. */
  readonly attnMask?: Tensor | null | undefined
  /** Whether the weights given are the mean over the heads. Default true. */
  readonly averageAttnWeights?: boolean | undefined
  /** Whether row i sees keys 0 … i only. Default false. */
  readonly isCausal?: boolean | undefined
}

const attentionSignature = signature(
  `embedDim: positive, numHeads: positive, *, dropout: number = 0, bias: bool = true, addBiasKv: bool = false, addZeroAttn: bool = false, kdim: int | null = null, vdim: int | null = null, batchFirst: bool = false, ${placed}`,
)

/**
 * Attention of `numHeads` heads between projections of query, key and value. Projections start Xavier-uniform with biases
 * of 0. Masks are true where attention is not allowed, as in PyTorch's layer (and other than in
 * `scaledDotProductAttention`).
 */
export class MultiheadAttention extends Layer {
  /** [3E, E]: of query, key and value; null where kdim or vdim differ from E. */
  inProjWeight: Parameter | null
  /** The projection of queries; null: `inProjWeight` has it. */
  qProjWeight: Parameter | null
  /** The projection of keys; null: `inProjWeight` has it. */
  kProjWeight: Parameter | null
  /** The projection of values; null: `inProjWeight` has it. */
  vProjWeight: Parameter | null
  /** [3E]. */
  inProjBias: Parameter | null
  /** A key that is added to the others. */
  biasK: Parameter | null
  /** A value that is added to the others. */
  biasV: Parameter | null
  /** The projection of the result. */
  readonly outProj: Linear
  /** Features of query and result. */
  readonly embedDim: number
  /** How many heads. */
  readonly numHeads: number
  /** What is dropped at random in training. */
  dropout: number
  /** Whether a key and a value of zeros are added. */
  readonly addZeroAttn: boolean
  /** Features of keys. */
  readonly kdim: number
  /** Features of values. */
  readonly vdim: number
  /** Whether the batch is the first dim. */
  readonly batchFirst: boolean

  constructor(embedDim: number, numHeads: number, options?: MultiheadAttentionOptions)
  constructor(...args: readonly unknown[]) {
    super()
    const given = takeArguments('MultiheadAttention', attentionSignature, args)
    const { embedDim, numHeads, bias, addBiasKv } = given
    if (embedDim % numHeads !== 0) {
      throw new ArgumentError(`MultiheadAttention: ${numHeads} heads do not divide embedDim ${embedDim}`, {
        fix: 'use a divisor',
      })
    }
    this.embedDim = embedDim
    this.numHeads = numHeads
    this.dropout = given.dropout
    this.addZeroAttn = given.addZeroAttn
    this.kdim = given.kdim ?? embedDim
    this.vdim = given.vdim ?? embedDim
    this.batchFirst = given.batchFirst
    const isOne = this.kdim === embedDim && this.vdim === embedDim
    this.inProjWeight = isOne ? newParameter([3 * embedDim, embedDim], given) : null
    this.qProjWeight = isOne ? null : newParameter([embedDim, embedDim], given)
    this.kProjWeight = isOne ? null : newParameter([embedDim, this.kdim], given)
    this.vProjWeight = isOne ? null : newParameter([embedDim, this.vdim], given)
    this.inProjBias = bias ? newParameter([3 * embedDim], given) : null
    this.biasK = addBiasKv ? newParameter([1, 1, embedDim], given) : null
    this.biasV = addBiasKv ? newParameter([1, 1, embedDim], given) : null
    const { dtype, device } = this.inProjWeight ?? this.qProjWeight!
    this.outProj = new Linear(embedDim, embedDim, { bias, dtype, device })
    this.resetParameters()
  }

  /** New initial values. */
  resetParameters(): void {
    for (const weight of [this.inProjWeight, this.qProjWeight, this.kProjWeight, this.vProjWeight]) {
      if (weight !== null) xavierUniform_(weight)
    }
    this.outProj.resetParameters()
    for (const bias of [this.inProjBias, this.outProj.bias]) if (bias !== null) constant_(bias, 0)
    for (const bias of [this.biasK, this.biasV]) if (bias !== null) xavierNormal_(bias)
  }

  /**
   * @param query [L, N, E] (with batchFirst [N, L, E]), or [L, E]
   * @param key [S, N, kdim], as `query`
   * @param value [S, N, vdim], as `query`
   * @returns [as `query`, the weights: [N, L, S], or [N, heads, L, S] with `averageAttnWeights: false`; null without
   *   `needWeights`]
   * @throws ShapeError, DtypeError
   */
  forward(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    options: AttentionCallOptions = {},
  ): [output: Tensor, weights: Tensor | null] {
    const { needWeights = true, averageAttnWeights = true } = options
    if (query.ndim !== key.ndim || query.ndim !== value.ndim || (query.ndim !== 2 && query.ndim !== 3)) {
      throw new ShapeError(
        `MultiheadAttention: query ${query.describe()}, key ${key.describe()}, value ${value.describe()}`,
        { fix: 'pass all with three dims (with a batch), or all with two' },
      )
    }
    const isBatched = query.ndim === 3
    const arrange = (x: Tensor): Tensor => (!isBatched ? x.unsqueeze(0) : this.batchFirst ? x : x.transpose(0, 1))
    const [q, k, v] = this.projected(query, key, value, arrange)
    const masks = this.masks(options, k, isBatched)
    const [output, weights] = needWeights ? this.weighted(q, k, v, masks) : [this.fused(q, k, v, masks), null]
    const result = this.outProj(output.transpose(1, 2).flatten(2))
    const shown = weights === null || !averageAttnWeights ? weights : weights.mean(1)
    if (!isBatched) return [result.squeeze(0), shown?.squeeze(0) ?? null]
    return [this.batchFirst ? result : result.transpose(0, 1), shown]
  }

  /** Query, key and value after their projections, [N, heads, L or S, E / heads]. */
  private projected(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    arrange: (x: Tensor) => Tensor,
  ): readonly [Tensor, Tensor, Tensor] {
    const heads = (x: Tensor): Tensor => x.unflatten(-1, [this.numHeads, -1]).transpose(1, 2)
    const [q, k, v] = this.linears(query, key, value)
    const longK = this.extended(arrange(k), this.biasK)
    const longV = this.extended(arrange(v), this.biasV)
    return [heads(arrange(q)), heads(longK), heads(longV)]
  }

  /** Self-attention is one product with the whole weight. */
  private linears(query: Tensor, key: Tensor, value: Tensor): readonly [Tensor, Tensor, Tensor] {
    const { inProjWeight, inProjBias } = this
    if (inProjWeight !== null && query === key && key === value) {
      return linear(query, inProjWeight, inProjBias).chunk(3, -1) as [Tensor, Tensor, Tensor]
    }
    const weights = inProjWeight?.chunk(3, 0) ?? [this.qProjWeight!, this.kProjWeight!, this.vProjWeight!]
    const biases = inProjBias?.chunk(3, 0) ?? null
    const project = (x: Tensor, i: number): Tensor => linear(x, weights[i]!, biases?.[i] ?? null)
    return [project(query, 0), project(key, 1), project(value, 2)]
  }

  /** Keys or values [N, S, E], with the trained one and the one of zeros. */
  private extended(x: Tensor, bias: Tensor | null): Tensor {
    const one = [x.dim(0), 1, this.embedDim]
    const added = [
      ...(bias === null ? [] : [bias.expand(one)]),
      ...(this.addZeroAttn ? [zeros(one, { dtype: x.dtype, device: x.device })] : []),
    ]
    return added.length === 0 ? x : cat([x, ...added], 1)
  }

  /** The masks, of shapes that broadcast to the scores. */
  private masks(options: AttentionCallOptions, k: Tensor, isBatched: boolean): Masks {
    const { attnMask = null, keyPaddingMask = null, isCausal = false } = options
    const added = (this.biasK === null ? 0 : 1) + (this.addZeroAttn ? 1 : 0)
    const longer = (mask: Tensor): Tensor =>
      added === 0
        ? mask
        : cat([mask, zeros([...sizesOf(mask).slice(0, -1), added], { dtype: mask.dtype, device: mask.device })], -1)
    const given: Tensor[] = []
    if (attnMask !== null) given.push(longer(perHead(checked('attnMask', attnMask, [2, 3]), this.numHeads)))
    if (keyPaddingMask !== null) {
      const padding = checked('keyPaddingMask', keyPaddingMask, isBatched ? [2] : [1])
      given.push(longer(isBatched ? padding.unsqueeze(1).unsqueeze(1) : padding))
    }
    return { given, isCausal, dtype: k.dtype as TensorDtype }
  }

  private fused(q: Tensor, k: Tensor, v: Tensor, masks: Masks): Tensor {
    const dropoutP = this.training ? this.dropout : 0
    if (masks.given.length === 0) return scaledDotProductAttention(q, k, v, { isCausal: masks.isCausal, dropoutP })
    const all = allMasks(masks, q, k)
    const areBool = all.every(mask => mask.dtype === 'bool')
    const attnMask = areBool ? all.reduce((a, b) => a.logicalOr(b)).logicalNot() : sumOf(all, masks.dtype)
    return scaledDotProductAttention(q, k, v, { attnMask, dropoutP })
  }

  /** By scores and weights that are kept. */
  private weighted(q: Tensor, k: Tensor, v: Tensor, masks: Masks): readonly [Tensor, Tensor] {
    const scores = q.mul(Math.sqrt(this.numHeads / this.embedDim)).matmul(k.transpose(-2, -1))
    const all = allMasks(masks, q, k)
    const weights = softmax(all.length === 0 ? scores : scores.add(sumOf(all, masks.dtype)), -1)
    const kept = this.training && this.dropout > 0 ? dropout(weights, this.dropout) : weights
    return [kept.matmul(v), kept]
  }

  protected override hidden(): readonly string[] {
    return [
      ...(this.dropout === 0 ? ['dropout'] : []),
      ...(this.addZeroAttn ? [] : ['addZeroAttn']),
      ...(this.kdim === this.embedDim ? ['kdim'] : []),
      ...(this.vdim === this.embedDim ? ['vdim'] : []),
      ...(this.batchFirst ? [] : ['batchFirst']),
    ]
  }
}

interface Masks {
  /** Bool, true where attention is not allowed, or floats. */
  readonly given: readonly Tensor[]
  readonly isCausal: boolean
  readonly dtype: TensorDtype
}

const sizesOf = (tensor: Tensor): readonly SizeLike[] => Array.from({ length: tensor.ndim }, (_, d) => tensor.dim(d))

function checked(name: string, mask: Tensor, ranks: readonly number[]): Tensor {
  if (mask.dtype !== 'bool' && !isFloat(mask.dtype)) {
    throw new DtypeError(`MultiheadAttention: ${name} is ${mask.describe()}`, {
      fix: 'use bool (true: not allowed) or floats',
    })
  }
  if (ranks.includes(mask.ndim)) return mask
  throw new ShapeError(`MultiheadAttention: ${name} is ${mask.describe()}`, {
    fix: `it has ${ranks.join(' or ')} dims here`,
  })
}

/** [L, S] as it is, [N · heads, L, S] as [N, heads, L, S]. */
const perHead = (mask: Tensor, heads: number): Tensor => (mask.ndim === 2 ? mask : mask.unflatten(0, [-1, heads]))

function allMasks({ given, isCausal }: Masks, q: Tensor, k: Tensor): readonly Tensor[] {
  if (!isCausal) return given
  const [rows, columns] = [arange(q.dim(2), { device: q.device }), arange(k.dim(2), { device: q.device })]
  return [...given, columns.gt(rows.unsqueeze(1))]
}

/** The masks as what is added to scores. */
const sumOf = (masks: readonly Tensor[], dtype: TensorDtype): Tensor =>
  masks
    .map(mask =>
      mask.dtype === 'bool' ? where(mask, Number.NEGATIVE_INFINITY, zeros([], { dtype, device: mask.device })) : mask,
    )
    .reduce((a, b) => a.add(b))
