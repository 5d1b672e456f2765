/** Loss scaling, for gradients that f16 would round to 0. */
import { describeAny } from '../base/describe.js'
import { ArgumentError, CaptureError } from '../base/errors.js'
import { checkOptionsObject } from '../base/options.js'
import { compile } from '../compile/compile.js'
import { noGrad } from '../tensor/autograd/mode.js'
import { zeros } from '../tensor/create.js'
import type { DeviceName } from '../tensor/device.js'
import { stack, where } from '../tensor/functions.js'
import { tensor } from '../tensor/host-data.js'
import { lasting } from '../tensor/lasting.js'
import type { Tensor } from '../tensor/tensor.js'
import { currentTracer, type Tracer } from '../tensor/tracer.js'
import { chunksOf, flat, recompileLimit } from './chunks.js'
import type { Optimizer } from './optimizer.js'
import { refuseCapture } from './options.js'
import { requireCount, requireNumber } from './schedule.js'

/** Options of `GradScaler`. */
export interface GradScalerOptions {
  /** The scale to begin with; 65,536 by default. */
  readonly initScale?: number | undefined
  /** What the scale is multiplied by after `growthInterval` steps without infinite gradients; 2 by default. */
  readonly growthFactor?: number | undefined
  /** What it is multiplied by when there was one; 0.5 by default. */
  readonly backoffFactor?: number | undefined
  /** Steps between growths; 2,000 by default. */
  readonly growthInterval?: number | undefined
  /** false: everything is as without a scaler. Default true. */
  readonly enabled?: boolean | undefined
  /** Where losses and gradients are. Default: the default device. */
  readonly device?: DeviceName | undefined
}

/** What `stateDict` of a `GradScaler` gives, under PyTorch's names. */
export interface GradScalerState {
  /** The scale. */
  readonly scale: number
  /** The options. */
  readonly growth_factor: number
  /** The options. */
  readonly backoff_factor: number
  /** The options. */
  readonly growth_interval: number
  /** Steps without infinite gradients since the scale changed. */
  readonly _growth_tracker: number
}

const names: readonly (keyof GradScalerOptions)[] = [
  ...(['initScale', 'growthFactor', 'backoffFactor', 'growthInterval', 'enabled', 'device'] as const),
]

type AnyOptimizer = Optimizer<object, unknown>

/** What the scaler last did with an optimiser's gradients, and in which capture; `tracer` null: in eager code. */
interface Stage {
  readonly name: 'unscaled' | 'stepped'
  readonly tracer: Tracer | null
}

/**
 * Multiplies losses by a scale, so that gradients in f16 do not vanish, and divides the gradients by it before they are used. A step
 * with infinite gradients is left out, and the scale then falls. All of it is decided on the device, by tensors that are changed in
 * place: nothing is read, and in a compiled function it is part of the graph.
 *
 * @example scaler.scale(loss).backward(); scaler.step(optimizer); scaler.update()
 */
export class GradScaler {
  readonly #enabled: boolean
  readonly #factors: { growth: number; backoff: number; interval: number }
  readonly #scale: Tensor
  /** Steps without infinite gradients since the scale changed; f32. */
  readonly #tracker: Tensor
  /** f32: above 0 if there were infinite gradients since the last update. */
  readonly #found: Tensor
  /** The same by optimiser, of its last gradients. */
  readonly #foundBy = new WeakMap<AnyOptimizer, Tensor>()
  /** How far each optimiser is since the last update. */
  #stages = new WeakMap<AnyOptimizer, Stage>()

  /** @throws ArgumentError for options out of range; DeviceError for a device that is not there */
  constructor(options: GradScalerOptions = {}) {
    checkOptionsObject('GradScaler', options, names)
    refuseCapture('new GradScaler')
    const { initScale = 2 ** 16, growthFactor = 2, backoffFactor = 0.5, growthInterval = 2000 } = options
    const { enabled = true, device } = options
    requireNumber('GradScaler', 'initScale', initScale, Number.MIN_VALUE)
    requireNumber('GradScaler', 'growthFactor', growthFactor, 1)
    requireNumber('GradScaler', 'backoffFactor', backoffFactor, 0, 1)
    requireCount('GradScaler', 'growthInterval', growthInterval)
    if (typeof (enabled as unknown) !== 'boolean')
      throw new ArgumentError(`GradScaler: enabled is ${describeAny(enabled)}`, { fix: 'give true or false' })
    this.#enabled = enabled
    this.#factors = { growth: growthFactor, backoff: backoffFactor, interval: growthInterval }
    this.#scale = tensor(initScale, { device })
    this.#tracker = zeros([], { device })
    this.#found = zeros([], { device })
  }

  /** The loss times the scale: what to call `backward()` of. */
  scale(loss: Tensor): Tensor {
    return this.#enabled ? loss.mul(this.#scale) : loss
  }

  /** The scale as it is, which is read from the device. In a compiled function a graph break. */
  getScale(): number {
    return this.#enabled ? this.#scale.itemSync() : 1
  }

  /**
   * Divides the gradients of `optimizer` by the scale, in place, as clipping needs them; `step` then leaves that out. Call both in
   * one compiled function, or both outside.
   *
   * @throws ArgumentError between `step` and `update`
   */
  unscale_(optimizer: AnyOptimizer): void {
    if (this.#enabled) this.#unscale('unscale_', optimizer)
  }

  #unscale(method: string, optimizer: AnyOptimizer): void {
    if (this.#stageOf(method, optimizer) === 'unscaled') return
    const grads = optimizer.paramGroups.flatMap(group =>
      (group as { readonly params: readonly Tensor[] }).params.flatMap(({ grad }) =>
        (grad?.numel() ?? 0) > 0 ? grad! : [],
      ),
    )
    for (const grad of grads) grad.requireAlive(`GradScaler.${method}`, 'a gradient')
    this.#stages.set(optimizer, { name: 'unscaled', tracer: currentTracer() })
    const own = this.#foundOf(optimizer)
    noGrad(() => {
      own.copy_(unscaled(grads, this.#scale))
      this.#found.copy_(this.#found.maximum(own))
    })
  }

  /**
   * Divides gradients by the scale, unless `unscale_` did, and steps, unless one of them is infinite or not a number.
   *
   * @param optimizer the one whose parameters the scaled loss had gradients for
   * @throws ArgumentError when it was called since the last `update`; ArgumentError or CaptureError when `unscale_` was called in
   *   a compiled function, and this is called outside, or the other way round
   */
  step(optimizer: AnyOptimizer): void {
    if (!this.#enabled) {
      optimizer.step()
      return
    }
    this.#unscale('step', optimizer)
    this.#stages.set(optimizer, { name: 'stepped', tracer: currentTracer() })
    optimizer.stepWith({ skip: noGrad(() => this.#foundOf(optimizer).gt(0)) })
  }

  /** After the steps of all optimisers: lowers the scale if there were infinite gradients, or raises it from time to time. */
  update(): void {
    if (!this.#enabled) return
    this.#stages = new WeakMap()
    const run = currentTracer() === null ? compiledUpdate : updateScale
    noGrad(() => run(this.#scale, this.#tracker, this.#found, this.#factors))
  }

  /** Scale and options as plain numbers. */
  stateDict(): GradScalerState {
    const { growth, backoff, interval } = this.#factors
    return {
      scale: this.#scale.itemSync(),
      growth_factor: growth,
      backoff_factor: backoff,
      growth_interval: interval,
      _growth_tracker: this.#tracker.itemSync(),
    }
  }

  /** Takes over a `state` that `stateDict` gave, here or in PyTorch. Throws ArgumentError when it is none. */
  loadStateDict(state: GradScalerState): void {
    refuseCapture('GradScaler.loadStateDict')
    const {
      scale,
      growth_factor: growth,
      backoff_factor: backoff,
      growth_interval: interval,
      _growth_tracker: tracker,
    } = state
    if (![scale, growth, backoff, interval, tracker].every(value => typeof value === 'number'))
      throw new ArgumentError(`GradScaler: the state is ${describeAny(state)}`, { fix: 'pass what stateDict() gave' })
    Object.assign(this.#factors, { growth, backoff, interval })
    this.#scale.fill_(scale)
    this.#tracker.fill_(tracker)
  }

  /**
   * How far an optimiser is. Compiled functions are traced again at any time, and what they do does not come here, so stages
   * hold within one trace, or outside; that a division has been traced elsewhere is an error.
   */
  #stageOf(method: string, optimizer: AnyOptimizer): Stage['name'] | null {
    const stage = this.#stages.get(optimizer)
    const tracer = currentTracer()
    if (stage === undefined) return null
    if (stage.tracer === tracer) {
      if (stage.name === 'unscaled') return stage.name
      throw new ArgumentError(`GradScaler.${method}: this optimiser has made its step since the last update()`, {
        fix: 'call update() once after the steps of all optimisers, before the next gradients',
      })
    }
    const isMixed = stage.name === 'unscaled' && (stage.tracer === null || tracer === null)
    if (!isMixed) return null
    const fix = 'call unscale_ and step in the same compiled function, or both outside'
    if (tracer === null)
      throw new ArgumentError(`GradScaler.${method}: unscale_ of this optimiser is part of a compiled function`, {
        fix,
      })
    throw new CaptureError(
      `GradScaler.${method}: unscale_ of this optimiser was called outside of the compiled function`,
      {
        fix,
      },
    )
  }

  #foundOf(optimizer: AnyOptimizer): Tensor {
    const known = this.#foundBy.get(optimizer)
    if (known !== undefined) return known
    const made = lasting(() => zeros([], { device: this.#scale.device }))
    this.#foundBy.set(optimizer, made)
    return made
  }
}

/** Divides gradients by the scale, in place. f32 0-d: 1 if one of them is infinite or not a number. */
function unscaled(grads: readonly Tensor[], scale: Tensor): Tensor {
  if (grads.length === 0) return zeros([], { device: scale.device })
  if (currentTracer() !== null) return unscaleAll(grads, scale)
  const found = chunksOf(grads, [...grads.keys()], false, () => '').map(({ indices, isFlat }) =>
    compiledUnscale(
      indices.map(i => (isFlat ? flat(grads[i]!) : grads[i]!)),
      scale,
    ),
  )
  return stack(found).amax(0)
}

function unscaleAll(grads: readonly Tensor[], scale: Tensor): Tensor {
  const factor = scale.to('f64').reciprocal()
  const finite = grads.map(grad => {
    const value = grad.mul(factor)
    grad.copy_(value)
    return value.isfinite().all()
  })
  return stack(finite).all().logicalNot().to('f32')
}

interface Factors {
  readonly growth: number
  readonly backoff: number
  readonly interval: number
}

function updateScale(scale: Tensor, tracker: Tensor, found: Tensor, { growth, backoff, interval }: Factors): void {
  const overflow = found.gt(0)
  const larger = scale.mul(growth)
  const steps = tracker.add(1)
  const grows = steps.ge(interval)
  const raised = where(grows.logicalAnd(larger.isfinite()), larger, scale)
  scale.copy_(where(overflow, scale.mul(backoff), raised))
  tracker.copy_(where(overflow.logicalOr(grows), 0, steps))
  found.zero_()
}

const compiledUnscale = compile(unscaleAll, { dynamic: true, recompileLimit, name: 'GradScaler.unscale' })
const compiledUpdate = compile(updateScale, { recompileLimit, name: 'GradScaler.update' })
