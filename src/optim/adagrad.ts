import { type Algorithm, descent, elementwise } from './algorithm.js'
import { Group } from './group.js'
import { Optimizer, type Parameters } from './optimizer.js'
import { amount, flag } from './options.js'

/** Options of `Adagrad`, of all parameters or of a group. */
export interface AdagradOptions {
  /** Learning rate; 0.01 by default. */
  readonly lr?: number | undefined
  /** Step t uses lr / (1 + (t − 1) · lrDecay); 0 by default. */
  readonly lrDecay?: number | undefined
  /** Added to the gradient times the parameter (L2); 0 by default. */
  readonly weightDecay?: number | undefined
  /** What the sums of squares start from; 0 by default. Cannot change. */
  readonly initialAccumulatorValue?: number | undefined
  /** Added to the denominator; 1e-10 by default. */
  readonly eps?: number | undefined
  /** Ascends instead. Default false. */
  readonly maximize?: boolean | undefined
}

const adagrad: Algorithm<AdagradOptions> = {
  ...elementwise,
  name: 'Adagrad',
  fields: {
    lr: amount('lr', 1e-2),
    lrDecay: amount('lr_decay', 0),
    weightDecay: amount('weight_decay', 0),
    initialAccumulatorValue: { ...amount('initial_accumulator_value', 0), varies: false },
    eps: amount('eps', 1e-10),
    maximize: flag('maximize'),
  },
  state: ({ settings }) => [{ name: 'sum', initial: settings.initialAccumulatorValue }],
  coefficients({ number, steps }) {
    const rate = number('lr').div(steps.sub(1).mul(number('lrDecay')).add(1))
    return [rate, number('weightDecay'), number('eps')]
  },
  update({ param, grad, state }, [rate, decay, eps], { settings }) {
    const slope = descent(grad, settings.maximize).add(param.mul(decay!))
    const sum = state.sum!.add(slope.mul(slope))
    return { param: param.sub(slope.mul(rate!).div(sum.sqrt().add(eps!))), state: { sum } }
  },
}

/**
 * "Adaptive Subgradient Methods for Online Learning and Stochastic Optimization" (Duchi et al. 2011): gradients divided by
 * the root of the sum of all their squares so far.
 */
export class Adagrad extends Optimizer<AdagradOptions> {
  /** @throws ArgumentError for options out of range, and for parameters that are not float tensors or are listed twice */
  constructor(params: Parameters<AdagradOptions>, options: AdagradOptions = {}) {
    super(adagrad.name, params, options, (list, given) => [new Group(adagrad, list, given)])
  }
}
