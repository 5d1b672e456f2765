import { type Algorithm, descent, elementwise } from './algorithm.js'
import { Group } from './group.js'
import { Optimizer, type Parameters } from './optimizer.js'
import { amount, flag } from './options.js'

/** Options of `Adadelta`, of all parameters or of a group. */
export interface AdadeltaOptions {
  /** What steps are multiplied by; 1 by default. */
  readonly lr?: number | undefined
  /** How much of the averages of squares is kept; 0.9 by default. */
  readonly rho?: number | undefined
  /** Added to both averages before their roots are taken; 1e-6 by default. */
  readonly eps?: number | undefined
  /** Added to the gradient times the parameter (L2); 0 by default. */
  readonly weightDecay?: number | undefined
  /** Ascends instead. Default false. */
  readonly maximize?: boolean | undefined
}

const adadelta: Algorithm<AdadeltaOptions> = {
  ...elementwise,
  name: 'Adadelta',
  fields: {
    lr: amount('lr', 1),
    rho: amount('rho', 0.9),
    eps: amount('eps', 1e-6),
    weightDecay: amount('weight_decay', 0),
    maximize: flag('maximize'),
  },
  state: () => ['square_avg', 'acc_delta'].map(name => ({ name, initial: 0 })),
  coefficients({ number }) {
    const rho = number('rho')
    return [number('lr'), rho, rho.rsub(1), number('eps'), number('weightDecay')]
  },
  update({ param, grad, state }, [rate, kept, fresh, eps, decay], { settings }) {
    const slope = descent(grad, settings.maximize).add(param.mul(decay!))
    const square = state.square_avg!.mul(kept!).add(slope.mul(slope).mul(fresh!))
    const step = state.acc_delta!.add(eps!).sqrt().div(square.add(eps!).sqrt()).mul(slope)
    const steps = state.acc_delta!.mul(kept!).add(step.mul(step).mul(fresh!))
    return { param: param.sub(step.mul(rate!)), state: { square_avg: square, acc_delta: steps } }
  },
}

/**
 * "ADADELTA: An Adaptive Learning Rate Method" (Zeiler 2012): gradients divided by the root of the average of their squares, times
 * that of the last steps.
 */
export class Adadelta extends Optimizer<AdadeltaOptions> {
  /** @throws ArgumentError for options out of range, and for parameters that are not float tensors or are listed twice */
  constructor(params: Parameters<AdadeltaOptions>, options: AdadeltaOptions = {}) {
    super(adadelta.name, params, options, (list, given) => [new Group(adadelta, list, given)])
  }
}
