import { where } from '../tensor/functions.js'
import { type Algorithm, descent, elementwise } from './algorithm.js'
import { Group } from './group.js'
import { Optimizer, type Parameters } from './optimizer.js'
import { amount, type Field, flag } from './options.js'

/** Options of `Rprop`, of all parameters or of a group. */
export interface RpropOptions {
  /** The first step of each element; 0.01 by default. */
  readonly lr?: number | undefined
  /** What a step is multiplied by where the gradient changes its sign, and where it keeps it; [0.5, 1.2] by default. */
  readonly etas?: readonly [number, number] | undefined
  /** The shortest and the longest step; [1e-6, 50] by default. */
  readonly stepSizes?: readonly [number, number] | undefined
  /** Ascends instead. Default false. */
  readonly maximize?: boolean | undefined
}

const pair = (
  torch: string,
  initial: readonly [number, number],
  wanted: string,
  accepts: (low: number, high: number) => boolean,
): Field<readonly [number, number]> => ({
  torch,
  initial,
  accepts: value =>
    Array.isArray(value) && value.length === 2 && value.every(Number.isFinite) && accepts(value[0], value[1]),
  wanted,
  varies: true,
})

const rprop: Algorithm<RpropOptions> = {
  ...elementwise,
  name: 'Rprop',
  fields: {
    lr: amount('lr', 1e-2),
    etas: pair('etas', [0.5, 1.2], 'two numbers, 0 < first < 1 < second', (a, b) => 0 < a && a < 1 && 1 < b),
    stepSizes: pair('step_sizes', [1e-6, 50], 'two numbers, 0 ≤ shortest ≤ longest', (a, b) => 0 <= a && a <= b),
    maximize: flag('maximize'),
  },
  state: () => ['prev', 'step_size'].map(name => ({ name, initial: 0 })),
  coefficients({ number, pair: both, steps }) {
    return [where(steps.eq(1), number('lr'), 0), ...both('etas'), ...both('stepSizes')]
  },
  update({ param, grad, state }, [start, shrink, grow, shortest, longest], { settings }) {
    const slope = descent(grad, settings.maximize)
    const turn = slope.mul(state.prev!)
    const factor = where(turn.gt(0), grow!, where(turn.lt(0), shrink!, 1))
    const size = state.step_size!.add(start!).mul(factor).maximum(shortest!).minimum(longest!)
    const kept = where(turn.lt(0), 0, slope)
    return { param: param.sub(kept.sign().mul(size)), state: { prev: kept, step_size: size } }
  },
}

/**
 * "A direct adaptive method for faster backpropagation learning: the RPROP algorithm" (Riedmiller and Braun 1993): each element has
 * a step of its own, which grows while the gradient keeps its sign; how large the gradient is does not matter. For full batches.
 */
export class Rprop extends Optimizer<RpropOptions> {
  /** @throws ArgumentError for options out of range, and for parameters that are not float tensors or are listed twice */
  constructor(params: Parameters<RpropOptions>, options: RpropOptions = {}) {
    super(rprop.name, params, options, (list, given) => [new Group(rprop, list, given)])
  }
}
