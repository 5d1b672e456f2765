/**
 * A decoder of the GPT-2 kind (Radford et al. 2019): learned positions, pre-norm blocks, tied embeddings, GELU by tanh.
 * `{ vocabulary: 50257, context: 1024, layers: 12, heads: 12, width: 768 }` is GPT-2 itself, of 124 M parameters.
 */
import { arange, type Tensor } from 'tegula'
import { Dropout, Embedding, functional as F, init, LayerNorm, Linear, Module, ModuleList } from 'tegula/nn'

export interface GptConfig {
  /** How many tokens there are. */
  readonly vocabulary: number
  /** The longest sequence. */
  readonly context: number
  readonly layers: number
  readonly heads: number
  /** Features of a token, a multiple of `heads`. */
  readonly width: number
  readonly dropout: number
}

class Attention extends Module {
  cAttn: Linear
  cProj: Linear
  residDropout: Dropout

  constructor(readonly config: GptConfig) {
    super()
    this.cAttn = new Linear(config.width, 3 * config.width)
    this.cProj = new Linear(config.width, config.width)
    this.residDropout = new Dropout(config.dropout)
  }

  forward(x: Tensor): Tensor {
    const [batch, time, width] = x.shape as [number, number, number]
    const heads = (part: Tensor): Tensor => part.view([batch, time, this.config.heads, -1]).transpose(1, 2)
    const [q, k, v] = this.cAttn(x).split(width, 2).map(heads) as [Tensor, Tensor, Tensor]
    const dropoutP = this.training ? this.config.dropout : 0
    const y = F.scaledDotProductAttention(q, k, v, { isCausal: true, dropoutP })
    return this.residDropout(this.cProj(y.transpose(1, 2).reshape([batch, time, width])))
  }
}

class Mlp extends Module {
  cFc: Linear
  cProj: Linear
  dropout: Dropout

  constructor({ width, dropout }: GptConfig) {
    super()
    this.cFc = new Linear(width, 4 * width)
    this.cProj = new Linear(4 * width, width)
    this.dropout = new Dropout(dropout)
  }

  forward(x: Tensor): Tensor {
    return this.dropout(this.cProj(F.gelu(this.cFc(x), { approximate: 'tanh' })))
  }
}

export class Block extends Module {
  ln_1: LayerNorm
  attn: Attention
  ln_2: LayerNorm
  mlp: Mlp

  constructor(config: GptConfig) {
    super()
    this.ln_1 = new LayerNorm(config.width)
    this.attn = new Attention(config)
    this.ln_2 = new LayerNorm(config.width)
    this.mlp = new Mlp(config)
  }

  forward(x: Tensor): Tensor {
    const attended = x.add(this.attn(this.ln_1(x)))
    return attended.add(this.mlp(this.ln_2(attended)))
  }
}

/** Scores [batch, time, vocabulary] of the tokens that follow each of `tokens` i64 [batch, time]. */
export class Gpt extends Module {
  wte: Embedding
  wpe: Embedding
  drop: Dropout
  h: ModuleList<Block>
  lnF: LayerNorm

  constructor(readonly config: GptConfig) {
    super()
    this.wte = new Embedding(config.vocabulary, config.width)
    this.wpe = new Embedding(config.context, config.width)
    this.drop = new Dropout(config.dropout)
    this.h = new ModuleList(Array.from({ length: config.layers }, () => new Block(config)))
    this.lnF = new LayerNorm(config.width)
    this.initialise()
  }

  forward(tokens: Tensor): Tensor {
    const places = arange(tokens.shape[1]!, { dtype: 'i64', device: tokens.device })
    let x = this.drop(this.wte(tokens).add(this.wpe(places)))
    for (const block of this.h) x = block(x)
    return F.linear(this.lnF(x), this.wte.weight)
  }

  /** GPT-2's: normal of 0.02, what is added to the residual stream smaller by the root of the number of additions. */
  private initialise(): void {
    for (const [name, parameter] of this.namedParameters()) {
      if (name.endsWith('bias')) init.zeros_(parameter)
      else if (name.endsWith('c_proj.weight')) init.normal_(parameter, 0, 0.02 / Math.sqrt(2 * this.config.layers))
      else if (parameter.ndim === 2) init.normal_(parameter, 0, 0.02)
    }
  }
}
