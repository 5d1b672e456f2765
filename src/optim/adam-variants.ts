/** Optimisers that change one part of Adam: the norm, the momentum, or the first steps. */
import { where } from '../tensor/functions.js'
import type { Tensor } from '../tensor/tensor.js'
import type { AdamOptions } from './adam.js'
import { type Algorithm, descent, elementwise } from './algorithm.js'
import { Group } from './group.js'
import { Optimizer, type Parameters } from './optimizer.js'
import { amount, betas, flag } from './options.js'

/** Options of `Adamax`, of all parameters or of a group: lr is 0.002 by default. */
export type AdamaxOptions = Omit<AdamOptions, 'amsgrad'>

/** Options of `RAdam`, of all parameters or of a group. */
export interface RAdamOptions extends Omit<AdamOptions, 'amsgrad'> {
  /** Weight decay shrinks the parameter, as with AdamW, and leaves the averages alone. Default false. */
  readonly decoupledWeightDecay?: boolean | undefined
}

/** Options of `NAdam`, of all parameters or of a group: lr is 0.002 by default. */
export interface NAdamOptions extends RAdamOptions {
  /** How fast the momentum grows to beta1; 0.004 by default. */
  readonly momentumDecay?: number | undefined
}

const fieldsOf = (lr: number) =>
  ({
    lr: amount('lr', lr),
    betas: betas([0.9, 0.999]),
    eps: amount('eps', 1e-8),
    weightDecay: amount('weight_decay', 0),
    maximize: flag('maximize'),
  }) as const

const correction = (beta: Tensor, steps: Tensor): Tensor => beta.pow(steps).rsub(1)

const adamax: Algorithm<AdamaxOptions> = {
  ...elementwise,
  name: 'Adamax',
  fields: fieldsOf(2e-3),
  state: () => ['exp_avg', 'exp_inf'].map(name => ({ name, initial: 0 })),
  coefficients({ number, pair, steps }) {
    const [beta1, beta2] = pair('betas')
    return [number('weightDecay'), beta1.rsub(1), beta2, number('eps'), number('lr').div(correction(beta1, steps))]
  },
  update({ param, grad, state }, [decay, fresh, kept, eps, rate], { settings }) {
    const slope = descent(grad, settings.maximize).add(param.mul(decay!))
    const average = state.exp_avg!.add(slope.sub(state.exp_avg!).mul(fresh!))
    const largest = state.exp_inf!.mul(kept!).maximum(slope.abs().add(eps!))
    return { param: param.sub(average.div(largest).mul(rate!)), state: { exp_avg: average, exp_inf: largest } }
  },
}

/** Adam by the infinity norm (Kingma and Ba 2015, section 7.1): divided by the largest decayed gradient. */
export class Adamax extends Optimizer<AdamaxOptions> {
  /** @throws ArgumentError for options out of range, and for parameters that are not float tensors or are listed twice */
  constructor(params: Parameters<AdamaxOptions>, options: AdamaxOptions = {}) {
    super(adamax.name, params, options, (list, given) => [new Group(adamax, list, given)])
  }
}

/** The gradient with weight decay, and the parameter with it: one of the two has it. */
function decayed(
  param: Tensor,
  grad: Tensor,
  [decay, shrink]: readonly [Tensor, Tensor],
  { maximize, decoupledWeightDecay }: { readonly maximize: boolean; readonly decoupledWeightDecay: boolean },
): readonly [slope: Tensor, param: Tensor] {
  const slope = descent(grad, maximize)
  return decoupledWeightDecay ? [slope, param.mul(shrink)] : [slope.add(param.mul(decay)), param]
}

/** Averages of gradients and of their squares. */
const averages = () => ['exp_avg', 'exp_avg_sq'].map(name => ({ name, initial: 0 }))

const nadam: Algorithm<NAdamOptions> = {
  ...elementwise,
  name: 'NAdam',
  fields: {
    ...fieldsOf(2e-3),
    momentumDecay: amount('momentum_decay', 4e-3),
    decoupledWeightDecay: flag('decoupled_weight_decay'),
  },
  state: () => [{ name: 'mu_product', initial: 1, isScalar: true }, ...averages()],
  coefficients({ number, pair, steps }) {
    const [beta1, beta2] = pair('betas')
    const [lr, decay] = [number('lr'), number('weightDecay')]
    const momentum = (at: Tensor): Tensor =>
      at.mul(number('momentumDecay')).mul(Math.log(0.96)).exp().mul(-0.5).add(1).mul(beta1)
    return [
      decay,
      lr.mul(decay).rsub(1),
      beta1.rsub(1),
      beta2,
      beta2.rsub(1),
      correction(beta2, steps).rsqrt(),
      number('eps'),
      lr,
      momentum(steps),
      momentum(steps.add(1)),
    ]
  },
  update({ param, grad, state }, [decay, shrink, fresh, kept, freshSquare, root, eps, rate, now, next], { settings }) {
    const [slope, start] = decayed(param, grad, [decay!, shrink!], settings)
    const average = state.exp_avg!.add(slope.sub(state.exp_avg!).mul(fresh!))
    const square = state.exp_avg_sq!.mul(kept!).add(slope.mul(slope).mul(freshSquare!))
    const product = state.mu_product!.mul(now!)
    const fromSlope = slope.mul(now!.rsub(1).mul(rate!).div(product.rsub(1)))
    const fromAverage = average.mul(next!.mul(rate!).div(product.mul(next!).rsub(1)))
    const step = fromSlope.add(fromAverage).div(square.sqrt().mul(root!).add(eps!))
    return { param: start.sub(step), state: { mu_product: product, exp_avg: average, exp_avg_sq: square } }
  },
}

/** "Incorporating Nesterov Momentum into Adam" (Dozat 2016). */
export class NAdam extends Optimizer<NAdamOptions> {
  /** @throws ArgumentError for options out of range, and for parameters that are not float tensors or are listed twice */
  constructor(params: Parameters<NAdamOptions>, options: NAdamOptions = {}) {
    super(nadam.name, params, options, (list, given) => [new Group(nadam, list, given)])
  }
}

const radam: Algorithm<RAdamOptions> = {
  ...elementwise,
  name: 'RAdam',
  fields: { ...fieldsOf(1e-3), decoupledWeightDecay: flag('decoupled_weight_decay') },
  state: averages,
  coefficients({ number, pair, steps }) {
    const [beta1, beta2] = pair('betas')
    const [lr, decay] = [number('lr'), number('weightDecay')]
    const longest = beta2.rsub(1).reciprocal().mul(2).sub(1)
    const corrected = correction(beta2, steps)
    const length = longest.sub(steps.mul(2).mul(corrected.rsub(1)).div(corrected))
    const ratio = length.sub(4).mul(length.sub(2)).mul(longest)
    const variance = ratio.div(longest.sub(4).mul(longest.sub(2)).mul(length))
    return [
      decay,
      lr.mul(decay).rsub(1),
      beta1.rsub(1),
      beta2,
      beta2.rsub(1),
      number('eps'),
      lr.div(correction(beta1, steps)),
      // 0: the variance is not known well enough yet.
      where(length.gt(5), variance.mul(corrected).clamp({ min: 0 }).sqrt(), 0),
    ]
  },
  update({ param, grad, state }, [decay, shrink, fresh, kept, freshSquare, eps, rate, rectified], { settings }) {
    const [slope, start] = decayed(param, grad, [decay!, shrink!], settings)
    const average = state.exp_avg!.add(slope.sub(state.exp_avg!).mul(fresh!))
    const square = state.exp_avg_sq!.mul(kept!).add(slope.mul(slope).mul(freshSquare!))
    const adaptive = square.sqrt().add(eps!).reciprocal().mul(rectified!)
    const step = average.mul(rate!).mul(where(rectified!.gt(0), adaptive, 1))
    return { param: start.sub(step), state: { exp_avg: average, exp_avg_sq: square } }
  },
}

/**
 * "On the Variance of the Adaptive Learning Rate and Beyond" (Liu et al. 2020): Adam whose first steps are along the average gradient
 * as it is, until the average of squares can be relied on.
 */
export class RAdam extends Optimizer<RAdamOptions> {
  /** @throws ArgumentError for options out of range, and for parameters that are not float tensors or are listed twice */
  constructor(params: Parameters<RAdamOptions>, options: RAdamOptions = {}) {
    super(radam.name, params, options, (list, given) => [new Group(radam, list, given)])
  }
}
