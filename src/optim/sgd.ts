import { ArgumentError } from '../base/errors.js'
import { where } from '../tensor/functions.js'
import { type Algorithm, descent, elementwise } from './algorithm.js'
import { Group } from './group.js'
import { Optimizer, type Parameters } from './optimizer.js'
import { amount, finite, flag } from './options.js'

/** Options of `SGD`, of all parameters or of a group. */
export interface SGDOptions {
  /** Learning rate; 0.001 by default. */
  readonly lr?: number | undefined
  /** How much of the last update is kept; 0 by default, then no state is kept. */
  readonly momentum?: number | undefined
  /** How much of the gradient momentum leaves out; 0 by default. */
  readonly dampening?: number | undefined
  /** Added to the gradient times the parameter (L2); 0 by default. */
  readonly weightDecay?: number | undefined
  /** Nesterov's momentum. Needs momentum, and no dampening. Default false. */
  readonly nesterov?: boolean | undefined
  /** Ascends instead. Default false. */
  readonly maximize?: boolean | undefined
}

const sgd: Algorithm<SGDOptions> = {
  ...elementwise,
  name: 'SGD',
  savesSteps: false,
  fields: {
    lr: amount('lr', 1e-3),
    momentum: amount('momentum', 0),
    dampening: finite('dampening', 0),
    weightDecay: amount('weight_decay', 0),
    nesterov: flag('nesterov'),
    maximize: flag('maximize'),
  },
  features({ momentum, dampening, nesterov }) {
    if (nesterov && (momentum === 0 || dampening !== 0))
      throw new ArgumentError(`SGD: nesterov with momentum ${momentum} and dampening ${dampening}`, {
        fix: 'give it momentum, and no dampening',
      })
    return momentum === 0 ? [] : ['momentum']
  },
  state: ({ features }) => (features.includes('momentum') ? [{ name: 'momentum_buffer', initial: 0 }] : []),
  coefficients({ number, steps }) {
    // The first step takes the whole gradient, whatever the dampening.
    const kept = where(steps.eq(1), 1, number('dampening').rsub(1))
    return [number('lr'), number('weightDecay'), number('momentum'), kept]
  },
  update({ param, grad, state }, [lr, decay, momentum, kept], { settings, features }) {
    const slope = descent(grad, settings.maximize).add(param.mul(decay!))
    if (!features.includes('momentum')) return { param: param.sub(slope.mul(lr!)), state: {} }
    const buffer = state.momentum_buffer!.mul(momentum!).add(slope.mul(kept!))
    const step = settings.nesterov ? slope.add(buffer.mul(momentum!)) : buffer
    return { param: param.sub(step.mul(lr!)), state: { momentum_buffer: buffer } }
  },
}

/**
 * Stochastic gradient descent, with momentum as PyTorch has it: buffer ← momentum · buffer + (1 − dampening) · gradient,
 * parameter ← parameter − lr · buffer.
 *
 * @example new SGD(net.parameters(), { lr: 0.1, momentum: 0.9, weightDecay: 5e-4 })
 */
export class SGD extends Optimizer<SGDOptions> {
  /** @throws ArgumentError for options out of range, and for parameters that are not float tensors or are listed twice */
  constructor(params: Parameters<SGDOptions>, options: SGDOptions = {}) {
    super(sgd.name, params, options, (list, given) => [new Group(sgd, list, given)])
  }
}
