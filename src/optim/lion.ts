import { type Algorithm, descent, elementwise } from './algorithm.js'
import { Group } from './group.js'
import { Optimizer, type Parameters } from './optimizer.js'
import { amount, betas, flag } from './options.js'

/** Options of `Lion`, of all parameters or of a group. */
export interface LionOptions {
  /** Learning rate; 0.0001 by default: each step moves every element by it. */
  readonly lr?: number | undefined
  /** How much of the average is in the direction, and is kept; [0.9, 0.99] by default. */
  readonly betas?: readonly [number, number] | undefined
  /** Shrinks parameters by 1 − lr · weightDecay; 0 by default. */
  readonly weightDecay?: number | undefined
  /** Ascends instead. Default false. */
  readonly maximize?: boolean | undefined
}

const lion: Algorithm<LionOptions> = {
  ...elementwise,
  name: 'Lion',
  savesSteps: false,
  fields: {
    lr: amount('lr', 1e-4),
    betas: betas([0.9, 0.99]),
    weightDecay: amount('weight_decay', 0),
    maximize: flag('maximize'),
  },
  state: () => [{ name: 'exp_avg', initial: 0 }],
  coefficients({ number, pair }) {
    const [beta1, beta2] = pair('betas')
    const lr = number('lr')
    return [lr, lr.mul(number('weightDecay')).rsub(1), beta1, beta1.rsub(1), beta2, beta2.rsub(1)]
  },
  update({ param, grad, state }, [lr, decay, old, fresh, kept, added], { settings }) {
    const slope = descent(grad, settings.maximize)
    const average = state.exp_avg!
    const direction = average.mul(old!).add(slope.mul(fresh!)).sign()
    return {
      param: param.mul(decay!).sub(direction.mul(lr!)),
      state: { exp_avg: average.mul(kept!).add(slope.mul(added!)) },
    }
  },
}

/**
 * "Symbolic Discovery of Optimization Algorithms" (Chen et al. 2023, algorithm 2): every element moves by lr, in the direction of
 * the sign of an average of gradients. Use a third to a tenth of AdamW's learning rate, and as many times its weight decay.
 */
export class Lion extends Optimizer<LionOptions> {
  /** @throws ArgumentError for options out of range, and for parameters that are not float tensors or are listed twice */
  constructor(params: Parameters<LionOptions>, options: LionOptions = {}) {
    super(lion.name, params, options, (list, given) => [new Group(lion, list, given)])
  }
}
