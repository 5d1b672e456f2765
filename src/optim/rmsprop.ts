import { type Algorithm, descent, elementwise } from './algorithm.js'
import { Group } from './group.js'
import { Optimizer, type Parameters } from './optimizer.js'
import { amount, flag } from './options.js'

/** Options of `RMSprop`, of all parameters or of a group. */
export interface RMSpropOptions {
  /** Learning rate; 0.01 by default. */
  readonly lr?: number | undefined
  /** How much of the average of squares is kept; 0.99 by default. */
  readonly alpha?: number | undefined
  /** Added to the denominator; 1e-8 by default. */
  readonly eps?: number | undefined
  /** Added to the gradient times the parameter (L2); 0 by default. */
  readonly weightDecay?: number | undefined
  /** How much of the last update is kept; 0 by default, then nothing is kept for it. */
  readonly momentum?: number | undefined
  /** Divides by the root of the variance instead of the average square. Default false. */
  readonly centered?: boolean | undefined
  /** Ascends instead. Default false. */
  readonly maximize?: boolean | undefined
}

const rmsprop: Algorithm<RMSpropOptions> = {
  ...elementwise,
  name: 'RMSprop',
  fields: {
    lr: amount('lr', 1e-2),
    alpha: amount('alpha', 0.99),
    eps: amount('eps', 1e-8),
    weightDecay: amount('weight_decay', 0),
    momentum: amount('momentum', 0),
    centered: flag('centered'),
    maximize: flag('maximize'),
  },
  features: ({ momentum }) => (momentum === 0 ? [] : ['momentum']),
  state({ settings, features }) {
    const others = [
      ...(features.includes('momentum') ? ['momentum_buffer'] : []),
      ...(settings.centered ? ['grad_avg'] : []),
    ]
    return ['square_avg', ...others].map(name => ({ name, initial: 0 }))
  },
  coefficients({ number }) {
    const alpha = number('alpha')
    return [number('lr'), alpha, alpha.rsub(1), number('eps'), number('weightDecay'), number('momentum')]
  },
  update({ param, grad, state }, [lr, kept, fresh, eps, decay, momentum], { settings, features }) {
    const slope = descent(grad, settings.maximize).add(param.mul(decay!))
    const square = state.square_avg!.mul(kept!).add(slope.mul(slope).mul(fresh!))
    const mean = settings.centered ? state.grad_avg!.mul(kept!).add(slope.mul(fresh!)) : null
    const spread = mean === null ? square : square.sub(mean.mul(mean))
    const step = slope.div(spread.sqrt().add(eps!))
    const averages = { square_avg: square, ...(mean === null ? {} : { grad_avg: mean }) }
    if (!features.includes('momentum')) return { param: param.sub(step.mul(lr!)), state: averages }
    const buffer = state.momentum_buffer!.mul(momentum!).add(step)
    return { param: param.sub(buffer.mul(lr!)), state: { ...averages, momentum_buffer: buffer } }
  },
}

/** RMSprop (Hinton's lecture 6e, 2012; centered: Graves 2013): gradients divided by the root of the average of their squares. */
export class RMSprop extends Optimizer<RMSpropOptions> {
  /** @throws ArgumentError for options out of range, and for parameters that are not float tensors or are listed twice */
  constructor(params: Parameters<RMSpropOptions>, options: RMSpropOptions = {}) {
    super(rmsprop.name, params, options, (list, given) => [new Group(rmsprop, list, given)])
  }
}
