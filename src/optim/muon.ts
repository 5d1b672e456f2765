import { describeAny } from '../base/describe.js'
import { ArgumentError } from '../base/errors.js'
import { checkOptionsObject } from '../base/options.js'
import type { Tensor } from '../tensor/tensor.js'
import { type AdamOptions, adamw } from './adam.js'
import type { Algorithm } from './algorithm.js'
import { type AnyGroup, Group } from './group.js'
import { Optimizer, type Parameters } from './optimizer.js'
import { amount, type Field, type Fields, flag } from './options.js'

/** Options of `Muon` for matrices. */
export interface MuonMatrixOptions {
  /** Learning rate; 0.001 by default. */
  readonly lr?: number | undefined
  /** Shrinks parameters by 1 − lr · weightDecay; 0.1 by default. */
  readonly weightDecay?: number | undefined
  /** How much of the average of gradients is kept; 0.95 by default. */
  readonly momentum?: number | undefined
  /** Looks ahead along the average. Default true. */
  readonly nesterov?: boolean | undefined
  /** Iterations of Newton-Schulz; 5 by default. */
  readonly nsSteps?: number | undefined
  /** a, b, c of an iteration X ← aX + (bA + cA²)X, A = XXᵀ; [3.4445, −4.775, 2.0315] by default. */
  readonly nsCoefficients?: readonly [number, number, number] | undefined
  /** The least norm that a matrix is divided by; 1e-7 by default. */
  readonly eps?: number | undefined
  /**
   * How lr depends on a matrix of A rows and B columns: 'original' (default) times √max(1, A/B); 'matchRmsAdamw' times
   * 0.2 √max(A, B), so that learning rates and weight decay for AdamW fit.
   */
  readonly adjustLrFn?: 'original' | 'matchRmsAdamw' | undefined
  /** What the iterations compute in; null (default): bf16, and f64 for parameters of f64. */
  readonly nsDtype?: 'bf16' | 'f32' | 'f64' | null | undefined
}

/** Options of `Muon`, of all parameters or of a group. */
export interface MuonOptions extends MuonMatrixOptions {
  /** Options of AdamW, which updates the other parameters; lr and weightDecay are by default those above. */
  readonly adamw?: AdamOptions | undefined
  /** Of a group: false leaves it to AdamW, as embeddings and the last layer should be. By default matrices are Muon's. */
  readonly useMuon?: boolean | undefined
}

const oneOf = <T>(torch: string, initial: T, choices: readonly T[]): Field<T> => ({
  torch,
  initial,
  accepts: value => (choices as readonly unknown[]).includes(value),
  wanted: `one of ${choices.join(', ')}`,
  varies: false,
})

const isFiniteNumber = (value: unknown): boolean => Number.isFinite(value)
const fixed = { varies: false } as const

const fields: Fields<MuonMatrixOptions> = {
  lr: amount('lr', 1e-3),
  weightDecay: amount('weight_decay', 0.1),
  momentum: amount('momentum', 0.95),
  nesterov: { ...flag('nesterov'), initial: true },
  nsSteps: {
    ...fixed,
    torch: 'ns_steps',
    initial: 5,
    accepts: value => Number.isInteger(value) && (value as number) >= 1 && (value as number) < 100,
    wanted: 'an integer from 1 to 99',
  },
  nsCoefficients: {
    ...fixed,
    torch: 'ns_coefficients',
    initial: [3.4445, -4.775, 2.0315],
    accepts: value => Array.isArray(value) && value.length === 3 && value.every(isFiniteNumber),
    wanted: 'three numbers',
  },
  eps: amount('eps', 1e-7),
  adjustLrFn: oneOf<'original' | 'matchRmsAdamw'>('adjust_lr_fn', 'original', ['original', 'matchRmsAdamw']),
  nsDtype: oneOf<'bf16' | 'f32' | 'f64' | null>('ns_dtype', null, ['bf16', 'f32', 'f64', null]),
}

const ratioOf = {
  original: (a: number, b: number) => Math.sqrt(Math.max(1, a / b)),
  matchRmsAdamw: (a: number, b: number) => 0.2 * Math.sqrt(Math.max(a, b)),
} as const

const muon: Algorithm<MuonMatrixOptions> = {
  name: 'Muon',
  fields,
  features: () => [],
  savesSteps: false,
  isMatrixwise: true,
  state: () => [{ name: 'momentum_buffer', initial: 0 }],
  coefficients({ number }) {
    const [lr, momentum] = [number('lr'), number('momentum')]
    return [lr, lr.mul(number('weightDecay')).rsub(1), momentum, momentum.rsub(1), number('eps')]
  },
  update({ param, grad, state }, [lr, decay, kept, fresh, eps], { settings }) {
    const buffer = state.momentum_buffer!.mul(kept!).add(grad.mul(fresh!))
    const ahead = settings.nesterov ? grad.mul(fresh!).add(buffer.mul(kept!)) : buffer
    const dtype = settings.nsDtype ?? (param.dtype === 'f64' ? 'f64' : 'bf16')
    const [rows, columns] = param.shape as [number, number]
    const flat = rows > columns ? ahead.to(dtype).t() : ahead.to(dtype)
    const found = orthogonal(flat, eps!, settings.nsCoefficients, settings.nsSteps)
    const step = (rows > columns ? found.t() : found).to(param.dtype)
    const ratio = ratioOf[settings.adjustLrFn](rows, columns)
    return { param: param.mul(decay!).sub(step.mul(lr!.mul(ratio))), state: { momentum_buffer: buffer } }
  },
}

/** The nearest matrix with singular values of about 1, by Newton-Schulz iterations; at most as many rows as columns. */
function orthogonal(matrix: Tensor, eps: Tensor, [a, b, c]: readonly [number, number, number], steps: number): Tensor {
  let x = matrix.div(matrix.square().sum().sqrt().maximum(eps.to(matrix.dtype)))
  for (let i = 0; i < steps; i++) {
    const gram = x.matmul(x.t())
    const update = gram.mul(b).add(gram.matmul(gram).mul(c))
    x = x.mul(a).add(update.matmul(x))
  }
  return x
}

/** Muon's group for matrices and AdamW's for the rest. */
function groupsOf(params: readonly Tensor[], given: MuonOptions): readonly AnyGroup[] {
  const { adamw: others, useMuon, ...options } = given
  if (useMuon !== undefined && typeof useMuon !== 'boolean')
    throw new ArgumentError(`Muon: useMuon is ${describeAny(useMuon)}`, { fix: 'give true or false' })
  if (others !== undefined) checkOptionsObject('Muon: adamw', others, Object.keys(adamw.fields))
  checkOptionsObject('Muon', options, Object.keys(fields))
  const { lr, weightDecay = fields.weightDecay.initial } = options
  const rest = { lr, weightDecay, ...others }
  const isMatrix = ({ ndim }: Tensor): boolean => ndim === 2
  const wrong = useMuon === true ? params.find(param => !isMatrix(param)) : undefined
  if (wrong !== undefined)
    throw new ArgumentError(`Muon: useMuon of ${wrong.describe()}, which is no matrix`, {
      fix: 'leave useMuon out: AdamW then updates what is no matrix',
    })
  const [matrices, remaining] =
    useMuon === false ? [[], params] : [params.filter(isMatrix), params.filter(param => !isMatrix(param))]
  return [
    ...(matrices.length > 0 ? [new Group(muon, matrices, options)] : []),
    ...(remaining.length > 0 ? [new Group(adamw, remaining, rest)] : []),
  ]
}

/**
 * "Muon: An optimizer for hidden layers in neural networks" (Jordan et al. 2024), as torch.optim.Muon: the average of a matrix's
 * gradients, orthogonalised. Parameters that are no matrices get AdamW, in a group of their own that comes after; put embeddings
 * and the last layer there too, with `useMuon: false`.
 *
 * @example new Muon([{ params: hidden }, { params: [...embedding, ...head], useMuon: false }], { lr: 0.02, adamw: { lr: 3e-4 } })
 */
export class Muon extends Optimizer<MuonOptions, MuonMatrixOptions | AdamOptions> {
  /** @throws ArgumentError for options out of range, and for parameters that are not float tensors or are listed twice */
  constructor(params: Parameters<MuonOptions>, options: MuonOptions = {}) {
    super('Muon', params, options, groupsOf)
  }
}
