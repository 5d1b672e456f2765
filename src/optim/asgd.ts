import { where } from '../tensor/functions.js'
import { type Algorithm, descent, elementwise } from './algorithm.js'
import { Group } from './group.js'
import { Optimizer, type Parameters } from './optimizer.js'
import { amount, flag } from './options.js'

/** Options of `ASGD`, of all parameters or of a group. */
export interface ASGDOptions {
  /** Learning rate; 0.01 by default. */
  readonly lr?: number | undefined
  /** How fast parameters and the learning rate decay; 1e-4 by default. */
  readonly lambd?: number | undefined
  /** The power by which the learning rate decays; 0.75 by default. */
  readonly alpha?: number | undefined
  /** Steps before the averaging starts; 1e6 by default. */
  readonly t0?: number | undefined
  /** Added to the gradient times the parameter (L2); 0 by default. */
  readonly weightDecay?: number | undefined
  /** Ascends instead. Default false. */
  readonly maximize?: boolean | undefined
}

const asgd: Algorithm<ASGDOptions> = {
  ...elementwise,
  name: 'ASGD',
  fields: {
    lr: amount('lr', 1e-2),
    lambd: amount('lambd', 1e-4),
    alpha: amount('alpha', 0.75),
    t0: amount('t0', 1e6),
    weightDecay: amount('weight_decay', 0),
    maximize: flag('maximize'),
  },
  state: () => [
    { name: 'eta', initial: 0, isScalar: true },
    { name: 'mu', initial: 1, isScalar: true },
    { name: 'ax', initial: 0 },
  ],
  coefficients({ number, steps }) {
    const [lr, lambd] = [number('lr'), number('lambd')]
    const next = lr.div(steps.mul(lambd).mul(lr).add(1).pow(number('alpha')))
    const weight = steps.sub(number('t0')).clamp({ min: 1 }).reciprocal()
    return [where(steps.eq(1), lr, 0), next, weight, lambd, number('weightDecay')]
  },
  update({ param, grad, state }, [start, next, weight, lambd, decay], { settings }) {
    const slope = descent(grad, settings.maximize).add(param.mul(decay!))
    const rate = state.eta!.add(start!)
    const moved = param.mul(rate.mul(lambd!).rsub(1)).sub(slope.mul(rate))
    const average = where(state.mu!.eq(1), moved, state.ax!.add(moved.sub(state.ax!).mul(state.mu!)))
    return { param: moved, state: { eta: next!, mu: weight!, ax: average } }
  },
}

/**
 * "Acceleration of stochastic approximation by averaging" (Polyak and Juditsky 1992): SGD whose parameters are also averaged, in
 * the state `ax`, from step t0 on.
 */
export class ASGD extends Optimizer<ASGDOptions> {
  /** @throws ArgumentError for options out of range, and for parameters that are not float tensors or are listed twice */
  constructor(params: Parameters<ASGDOptions>, options: ASGDOptions = {}) {
    super(asgd.name, params, options, (list, given) => [new Group(asgd, list, given)])
  }
}
