import type { Tensor } from '../tensor/tensor.js'
import { type Algorithm, descent, elementwise } from './algorithm.js'
import { Group } from './group.js'
import { Optimizer, type Parameters } from './optimizer.js'
import { amount, betas, flag } from './options.js'

/** Options of `Adam` and `AdamW`, of all parameters or of a group. */
export interface AdamOptions {
  /** Learning rate; 0.001 by default. */
  readonly lr?: number | undefined
  /** How much of the averages of gradients and of their squares is kept; [0.9, 0.999] by default. */
  readonly betas?: readonly [number, number] | undefined
  /** Added to the denominator; 1e-8 by default. */
  readonly eps?: number | undefined
  /** Adam: added to the gradient times the parameter (L2), 0 by default. AdamW: shrinks the parameter, 0.01 by default. */
  readonly weightDecay?: number | undefined
  /** Divides by the largest average of squares so far. Default false. */
  readonly amsgrad?: boolean | undefined
  /** Ascends instead. Default false. */
  readonly maximize?: boolean | undefined
}

/** `decoupled`: weight decay shrinks the parameter and leaves the averages alone. */
export const adamAlgorithm = (name: string, decoupled: boolean): Algorithm<AdamOptions> => ({
  ...elementwise,
  name,
  fields: {
    lr: amount('lr', 1e-3),
    betas: betas([0.9, 0.999]),
    eps: amount('eps', 1e-8),
    weightDecay: amount('weight_decay', decoupled ? 1e-2 : 0),
    amsgrad: flag('amsgrad'),
    maximize: flag('maximize'),
  },
  state({ settings }) {
    const names = ['exp_avg', 'exp_avg_sq', ...(settings.amsgrad ? ['max_exp_avg_sq'] : [])]
    return names.map(one => ({ name: one, initial: 0 }))
  },
  coefficients({ number, pair, steps }) {
    const [beta1, beta2] = pair('betas')
    const [lr, decay] = [number('lr'), number('weightDecay')]
    const correction = (beta: Tensor): Tensor => beta.pow(steps).rsub(1)
    return [
      decoupled ? lr.mul(decay).rsub(1) : decay,
      beta1.rsub(1),
      beta2,
      beta2.rsub(1),
      correction(beta2).rsqrt(),
      number('eps'),
      lr.div(correction(beta1)),
    ]
  },
  update({ param, grad, state }, [decay, fresh, kept, freshSquare, root, eps, rate], { settings }) {
    const ascent = descent(grad, settings.maximize)
    const slope = decoupled ? ascent : ascent.add(param.mul(decay!))
    const average = state.exp_avg!.add(slope.sub(state.exp_avg!).mul(fresh!))
    const square = state.exp_avg_sq!.mul(kept!).add(slope.mul(slope).mul(freshSquare!))
    const top = settings.amsgrad ? state.max_exp_avg_sq!.maximum(square) : square
    const step = average.mul(rate!).div(top.sqrt().mul(root!).add(eps!))
    const largest = settings.amsgrad ? { max_exp_avg_sq: top } : {}
    return {
      param: (decoupled ? param.mul(decay!) : param).sub(step),
      state: { exp_avg: average, exp_avg_sq: square, ...largest },
    }
  },
})

const adam = adamAlgorithm('Adam', false)

/**
 * "Adam: A Method for Stochastic Optimization" (Kingma and Ba 2015): steps along the average gradient, divided by the root of
 * the average square. Both are corrected for starting at 0.
 *
 * @example new Adam(net.parameters(), { lr: 1e-3, betas: [0.9, 0.98] })
 */
export class Adam extends Optimizer<AdamOptions> {
  /** @throws ArgumentError for options out of range, and for parameters that are not float tensors or are listed twice */
  constructor(params: Parameters<AdamOptions>, options: AdamOptions = {}) {
    super(adam.name, params, options, (list, given) => [new Group(adam, list, given)])
  }
}

export const adamw = adamAlgorithm('AdamW', true)

/** Adam with "Decoupled Weight Decay Regularization" (Loshchilov and Hutter 2019): each step multiplies parameters by 1 − lr · weightDecay. */
export class AdamW extends Optimizer<AdamOptions> {
  /** @throws ArgumentError for options out of range, and for parameters that are not float tensors or are listed twice */
  constructor(params: Parameters<AdamOptions>, options: AdamOptions = {}) {
    super(adamw.name, params, options, (list, given) => [new Group(adamw, list, given)])
  }
}
