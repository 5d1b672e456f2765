/** Transformers. Vaswani et al., arXiv:1706.03762. */
import { ArgumentError } from '../base/errors.js'
import { signature, takeArguments } from '../tensor/arguments.js'
import { arange } from '../tensor/create.js'
import { gelu, relu, where } from '../tensor/functions.js'
import type { Tensor } from '../tensor/tensor.js'
import { MultiheadAttention } from './attention.js'
import { ModuleList } from './containers.js'
import { Dropout } from './dropout.js'
import { xavierUniform_ } from './init.js'
import type { LayerOptions } from './layer.js'
import { placed, placement } from './layer.js'
import { Linear } from './linear.js'
import { Module } from './module.js'
import { LayerNorm } from './norm.js'

/** Options of `TransformerEncoderLayer` and `TransformerDecoderLayer`. */
export interface TransformerLayerOptions extends LayerOptions {
  /** Features between the two linear layers. Default 2048. */
  readonly dimFeedforward?: number | undefined
  /** Default 0.1. */
  readonly dropout?: number | undefined
  /** Between the two linear layers. Default 'relu'. */
  readonly activation?: 'relu' | 'gelu' | ((x: Tensor) => Tensor) | undefined
  /** Default 1e-5. */
  readonly layerNormEps?: number | undefined
  /** Whether the batch comes first: [N, L, E] instead of [L, N, E]. Default false. */
  readonly batchFirst?: boolean | undefined
  /** Whether norms come before attention and feed-forward instead of after. Default false. */
  readonly normFirst?: boolean | undefined
  /** Whether linear layers and norms have biases. Default true. */
  readonly bias?: boolean | undefined
}

/** Options of an encoder's call. */
export interface EncoderCallOptions {
  /** [L, L] or [N · heads, L, L]: true where attention is not allowed, or a float that is added to the scores. */
  readonly srcMask?: Tensor | null | undefined
  /** [N, L]: true where keys are ignored, or a float that is added to their scores. */
  readonly srcKeyPaddingMask?: Tensor | null | undefined
  /** Whether row i sees keys 0 … i only. Default false. */
  readonly isCausal?: boolean | undefined
}

/** Options of a decoder's call. */
export interface DecoderCallOptions {
  /** As `srcMask`, for attention within the target. */
  readonly tgtMask?: Tensor | null | undefined
  /** [L, S] or [N · heads, L, S], for attention to the memory. */
  readonly memoryMask?: Tensor | null | undefined
  /** [N, L]. */
  readonly tgtKeyPaddingMask?: Tensor | null | undefined
  /** [N, S]. */
  readonly memoryKeyPaddingMask?: Tensor | null | undefined
  /** Whether row i of the target sees its keys 0 … i only. Default false. */
  readonly tgtIsCausal?: boolean | undefined
  /** Whether row i sees the memory's keys 0 … i only. Default false. */
  readonly memoryIsCausal?: boolean | undefined
}

const settings =
  "dimFeedforward: positive = 2048, dropout: number = 0.1, activation: 'relu' | 'gelu' | value = 'relu', layerNormEps: number = 1e-5, batchFirst: bool = false, normFirst: bool = false, bias: bool = true"
const layerSignature = signature(`dModel: positive, nhead: positive, *, ${settings}, ${placed}` as const)

type Activation = (x: Tensor) => Tensor

function activationOf(name: string, activation: unknown): Activation {
  if (activation === 'relu') return relu
  if (activation === 'gelu') return x => gelu(x)
  if (typeof activation === 'function') return activation as Activation
  throw new ArgumentError(`${name}: activation is ${String(activation)}`, {
    fix: "use 'relu', 'gelu' or a function of a tensor",
  })
}

/** Self-attention and two linear layers, each with a residual connection and a norm. */
export class TransformerEncoderLayer extends Module {
  /** Attention within the sequence. */
  readonly selfAttn: MultiheadAttention
  /** The first linear layer. */
  readonly linear1: Linear
  /** What is dropped at random in training. */
  readonly dropout: Dropout
  /** The second linear layer. */
  readonly linear2: Linear
  /** The norm of self-attention. */
  readonly norm1: LayerNorm
  /** The second norm. */
  readonly norm2: LayerNorm
  /** What is dropped of self-attention. */
  readonly dropout1: Dropout
  /** What is dropped of the second part. */
  readonly dropout2: Dropout
  /** Whether norms come before the parts. */
  readonly normFirst: boolean
  /** The function between the linear layers. */
  readonly activation: Activation

  constructor(dModel: number, nhead: number, options?: TransformerLayerOptions)
  constructor(...args: readonly unknown[]) {
    super()
    const given = takeArguments('TransformerEncoderLayer', layerSignature, args)
    const { dModel, nhead, dimFeedforward, dropout, batchFirst, bias, layerNormEps: eps } = given
    const made = { ...placement(given), bias }
    this.selfAttn = new MultiheadAttention(dModel, nhead, { ...made, dropout, batchFirst })
    this.linear1 = new Linear(dModel, dimFeedforward, made)
    this.dropout = new Dropout(dropout)
    this.linear2 = new Linear(dimFeedforward, dModel, made)
    this.norm1 = new LayerNorm(dModel, { ...made, eps })
    this.norm2 = new LayerNorm(dModel, { ...made, eps })
    this.dropout1 = new Dropout(dropout)
    this.dropout2 = new Dropout(dropout)
    this.normFirst = given.normFirst
    this.activation = activationOf('TransformerEncoderLayer', given.activation)
  }

  /** From `src`, [L, N, dModel] (with batchFirst [N, L, dModel]) or [L, dModel], to the same shape; `options`: masks. */
  forward(src: Tensor, options: EncoderCallOptions = {}): Tensor {
    const { srcMask: attnMask, srcKeyPaddingMask: keyPaddingMask, isCausal } = options
    const attend = (x: Tensor): Tensor =>
      this.dropout1(this.selfAttn(x, x, x, { attnMask, keyPaddingMask, isCausal, needWeights: false })[0])
    const feed = (x: Tensor): Tensor => this.dropout2(this.linear2(this.dropout(this.activation(this.linear1(x)))))
    if (this.normFirst) {
      const x = src.add(attend(this.norm1(src)))
      return x.add(feed(this.norm2(x)))
    }
    const x = this.norm1(src.add(attend(src)))
    return this.norm2(x.add(feed(x)))
  }
}

/** Self-attention, attention to a memory, and two linear layers, each with a residual connection and a norm. */
export class TransformerDecoderLayer extends Module {
  /** Attention within the sequence. */
  readonly selfAttn: MultiheadAttention
  /** Attention to the memory. */
  readonly multiheadAttn: MultiheadAttention
  /** The first linear layer. */
  readonly linear1: Linear
  /** What is dropped at random in training. */
  readonly dropout: Dropout
  /** The second linear layer. */
  readonly linear2: Linear
  /** The norm of self-attention. */
  readonly norm1: LayerNorm
  /** The second norm. */
  readonly norm2: LayerNorm
  /** The third norm. */
  readonly norm3: LayerNorm
  /** What is dropped of self-attention. */
  readonly dropout1: Dropout
  /** What is dropped of the second part. */
  readonly dropout2: Dropout
  /** What is dropped of the third part. */
  readonly dropout3: Dropout
  /** Whether norms come before the parts. */
  readonly normFirst: boolean
  /** The function between the linear layers. */
  readonly activation: Activation

  constructor(dModel: number, nhead: number, options?: TransformerLayerOptions)
  constructor(...args: readonly unknown[]) {
    super()
    const given = takeArguments('TransformerDecoderLayer', layerSignature, args)
    const { dModel, nhead, dimFeedforward, dropout, batchFirst, bias, layerNormEps: eps } = given
    const made = { ...placement(given), bias }
    this.selfAttn = new MultiheadAttention(dModel, nhead, { ...made, dropout, batchFirst })
    this.multiheadAttn = new MultiheadAttention(dModel, nhead, { ...made, dropout, batchFirst })
    this.linear1 = new Linear(dModel, dimFeedforward, made)
    this.dropout = new Dropout(dropout)
    this.linear2 = new Linear(dimFeedforward, dModel, made)
    this.norm1 = new LayerNorm(dModel, { ...made, eps })
    this.norm2 = new LayerNorm(dModel, { ...made, eps })
    this.norm3 = new LayerNorm(dModel, { ...made, eps })
    this.dropout1 = new Dropout(dropout)
    this.dropout2 = new Dropout(dropout)
    this.dropout3 = new Dropout(dropout)
    this.normFirst = given.normFirst
    this.activation = activationOf('TransformerDecoderLayer', given.activation)
  }

  /** From `tgt` [L, N, dModel] and `memory` [S, N, dModel] (with batchFirst the batch first) to the shape of `tgt`. */
  forward(tgt: Tensor, memory: Tensor, options: DecoderCallOptions = {}): Tensor {
    const within = {
      attnMask: options.tgtMask,
      keyPaddingMask: options.tgtKeyPaddingMask,
      isCausal: options.tgtIsCausal,
      needWeights: false,
    }
    const across = {
      attnMask: options.memoryMask,
      keyPaddingMask: options.memoryKeyPaddingMask,
      isCausal: options.memoryIsCausal,
      needWeights: false,
    }
    const attend = (x: Tensor): Tensor => this.dropout1(this.selfAttn(x, x, x, within)[0])
    const look = (x: Tensor): Tensor => this.dropout2(this.multiheadAttn(x, memory, memory, across)[0])
    const feed = (x: Tensor): Tensor => this.dropout3(this.linear2(this.dropout(this.activation(this.linear1(x)))))
    if (this.normFirst) {
      const x = tgt.add(attend(this.norm1(tgt)))
      const y = x.add(look(this.norm2(x)))
      return y.add(feed(this.norm3(y)))
    }
    const x = this.norm1(tgt.add(attend(tgt)))
    const y = this.norm2(x.add(look(x)))
    return this.norm3(y.add(feed(y)))
  }
}

/** Options of `TransformerEncoder` and `TransformerDecoder`. */
export interface StackOptions {
  /** A norm after the last layer. Default: none. */
  readonly norm?: LayerNorm | null | undefined
}

/** `numLayers` copies of a layer, one after the other. */
export class TransformerEncoder extends Module {
  /** The layers, in order. */
  readonly layers: ModuleList<TransformerEncoderLayer>
  /** What comes after the last layer. */
  readonly norm: LayerNorm | null

  constructor(encoderLayer: TransformerEncoderLayer, numLayers: number, { norm = null }: StackOptions = {}) {
    super()
    this.layers = copies('TransformerEncoder', encoderLayer, numLayers)
    this.norm = norm
  }

  /** As `TransformerEncoderLayer`: from `src` to its shape. */
  forward(src: Tensor, options: EncoderCallOptions = {}): Tensor {
    let x = src
    for (const layer of this.layers) x = layer(x, options)
    return this.norm === null ? x : this.norm(x)
  }
}

/** `numLayers` copies of a layer, one after the other, all with the same memory. */
export class TransformerDecoder extends Module {
  /** The layers, in order. */
  readonly layers: ModuleList<TransformerDecoderLayer>
  /** What comes after the last layer. */
  readonly norm: LayerNorm | null

  constructor(decoderLayer: TransformerDecoderLayer, numLayers: number, { norm = null }: StackOptions = {}) {
    super()
    this.layers = copies('TransformerDecoder', decoderLayer, numLayers)
    this.norm = norm
  }

  /** As `TransformerDecoderLayer`: from `tgt` and `memory` to the shape of `tgt`. */
  forward(tgt: Tensor, memory: Tensor, options: DecoderCallOptions = {}): Tensor {
    let x = tgt
    for (const layer of this.layers) x = layer(x, memory, options)
    return this.norm === null ? x : this.norm(x)
  }
}

/** Copies with the same values, in memory of their own, as in PyTorch. */
function copies<M extends Module>(name: string, layer: M, count: number): ModuleList<M> {
  if (!Number.isInteger(count) || count < 1) {
    throw new ArgumentError(`${name}: numLayers is ${count}`, { fix: 'use an integer of at least 1' })
  }
  return new ModuleList(Array.from({ length: count }, () => layer.clone()))
}

/** Options of `Transformer`. */
export interface TransformerOptions extends TransformerLayerOptions {
  /** Features. Default 512. */
  readonly dModel?: number | undefined
  /** Default 8. */
  readonly nhead?: number | undefined
  /** Default 6. */
  readonly numEncoderLayers?: number | undefined
  /** Default 6. */
  readonly numDecoderLayers?: number | undefined
}

/** An encoder and a decoder with norms at their ends. Matrices start Xavier-uniform. */
export class Transformer extends Module {
  /** What reads the source. */
  readonly encoder: TransformerEncoder
  /** What makes the target. */
  readonly decoder: TransformerDecoder

  constructor({
    dModel = 512,
    nhead = 8,
    numEncoderLayers = 6,
    numDecoderLayers = 6,
    ...options
  }: TransformerOptions = {}) {
    super()
    const norm = (): LayerNorm =>
      new LayerNorm(dModel, {
        eps: options.layerNormEps,
        bias: options.bias,
        dtype: options.dtype,
        device: options.device,
      })
    const encoderLayer = new TransformerEncoderLayer(dModel, nhead, options)
    this.encoder = new TransformerEncoder(encoderLayer, numEncoderLayers, { norm: norm() })
    const decoderLayer = new TransformerDecoderLayer(dModel, nhead, options)
    this.decoder = new TransformerDecoder(decoderLayer, numDecoderLayers, { norm: norm() })
    for (const parameter of this.parameters()) if (parameter.ndim > 1) xavierUniform_(parameter)
  }

  /** From `src` [S, N, dModel] and `tgt` [L, N, dModel] (with batchFirst the batch first) to the shape of `tgt`. */
  forward(
    src: Tensor,
    tgt: Tensor,
    { srcMask, srcKeyPaddingMask, isCausal, ...options }: EncoderCallOptions & DecoderCallOptions = {},
  ): Tensor {
    return this.decoder(tgt, this.encoder(src, { srcMask, srcKeyPaddingMask, isCausal }), options)
  }

  /** [size, size] of floats: −∞ above the diagonal, 0 elsewhere. */
  static generateSquareSubsequentMask(size: number): Tensor {
    const places = arange(size)
    return where(places.gt(places.unsqueeze(1)), Number.NEGATIVE_INFINITY, 0)
  }
}
