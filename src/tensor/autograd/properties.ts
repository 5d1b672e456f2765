/** What tensors tell and take about gradients: `requiresGrad`, `isLeaf`, `grad`, `detach` and their like. */
import { describeAny } from '../../base/describe.js'
import { ArgumentError, DtypeError, GradientError } from '../../base/errors.js'
import { isSmooth } from '../../graph/derivatives/rule.js'
import type { Tensor } from '../tensor-type.js'
import { checkGradientOf } from './engine.js'
import { historyOf, LeafNode, ownHistory, requiresGradNow } from './history.js'
import { isInference } from './mode.js'
import { tracedAutograd } from './traced.js'

export function requiresGrad(tensor: Tensor): boolean {
  const traced = tracedAutograd()
  if (traced !== null) return traced.requiresGrad(tensor)
  return requiresGradNow(tensor)
}

/** Whether the user made it, or no gradient flows through what made it. */
export const isLeaf = (tensor: Tensor): boolean => {
  const traced = tracedAutograd()
  if (traced !== null) return traced.isLeaf(tensor)
  const history = historyOf(tensor)
  return history === null || history.node instanceof LeafNode || !requiresGradNow(tensor)
}

/** Throws DtypeError for integers, GradientError for a tensor that is no leaf or was made in inference mode. */
export function setRequiresGrad(callee: string, tensor: Tensor, on: unknown): void {
  if (typeof on !== 'boolean')
    throw new ArgumentError(`${callee}: ${describeAny(on)} is not true or false`, { fix: 'x.requiresGrad_(true)' })
  if (on) requireSmooth(callee, tensor)
  const traced = tracedAutograd()
  if (traced !== null) traced.setRequiresGrad(tensor, on)
  else if (on !== requiresGradNow(tensor)) changeRequiresGrad(callee, tensor, on)
}

/** Throws DtypeError for a tensor whose dtype has no derivatives. */
export function requireSmooth(callee: string, tensor: Tensor): void {
  if (isSmooth(tensor.dtype)) return
  throw new DtypeError(
    `${callee}: ${tensor.describe()} cannot require a gradient: ${tensor.dtype} has no derivatives`,
    {
      fix: "cast it first: x.to('f32').requiresGrad_()",
    },
  )
}

function changeRequiresGrad(callee: string, tensor: Tensor, on: boolean): void {
  if (!isLeaf(tensor))
    throw new GradientError(
      `${callee}: ${tensor.describe()} is the result of an op on tensors that require gradients`,
      {
        fix: 'x.detach() is the same without a gradient',
      },
    )
  if (on && !isInference() && tensor.source.kind === 'storage' && tensor.source.isInference)
    throw new GradientError(`${callee}: ${tensor.describe()} was made in inference mode`, {
      fix: 'take a clone() of it',
    })
  ownHistory(tensor).node = on ? new LeafNode(tensor) : null
}

/** `tensor`, which the caller made. Throws DtypeError for integers. */
export function withRequiresGrad(callee: string, tensor: Tensor, on: boolean): Tensor {
  if (on) setRequiresGrad(callee, tensor, true)
  return tensor
}

export function getGrad(tensor: Tensor): Tensor | null {
  const traced = tracedAutograd()
  return traced === null ? (historyOf(tensor)?.grad ?? null) : traced.grad(tensor)
}

/** Throws ArgumentError, ShapeError, DtypeError or DeviceError when `grad` is no gradient of `tensor`. */
export function setGrad(tensor: Tensor, grad: unknown): void {
  if (grad === tensor) throw new ArgumentError('grad: a tensor as its own gradient', { fix: 'assign a clone()' })
  const checked = grad === null ? null : checkGradientOf('the assigned gradient', grad, tensor)
  const traced = tracedAutograd()
  if (traced !== null) traced.setGrad(tensor, checked)
  else if (checked !== null || historyOf(tensor) !== null) ownHistory(tensor).grad = checked
}

export function detach(tensor: Tensor): Tensor {
  const traced = tracedAutograd()
  return traced === null ? tensor.withLayout(tensor.layout) : traced.detached(tensor)
}

/** Throws GradientError for a view, which shares its history with its base. */
export function detachInPlace(tensor: Tensor): void {
  const traced = tracedAutograd()
  if (traced !== null) {
    traced.setRequiresGrad(tensor, false)
    return
  }
  const history = historyOf(tensor)
  if (history === null) return
  if (history.view !== null) throw new GradientError(`detach_: ${tensor.describe()} is a view`, { fix: 'use detach()' })
  history.node = null
  history.output = 0
}
