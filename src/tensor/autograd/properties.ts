/** What tensors tell and take about gradients: `requiresGrad`, `isLeaf`, `grad`, `detach` and their like. */
import { describeAny } from '../../base/describe.js'
import { ArgumentError, DeviceError, DtypeError, GradientError, ShapeError } from '../../base/errors.js'
import { sameShape } from '../../scalar/size.js'
import { isFloat } from '../../types/dtype.js'
import { TensorHandle } from '../handle.js'
import type { Tensor } from '../tensor-type.js'
import { historyOf, isStale, LeafNode, ownHistory } from './history.js'
import { isInference } from './mode.js'
import { tracedAutograd } from './traced.js'

export function requiresGrad(tensor: Tensor): boolean {
  const traced = tracedAutograd()
  if (traced !== null) return traced.requiresGrad(tensor)
  return requiresGradNow(tensor)
}

/** Of a tensor with memory. A view requires a gradient as soon as its base does. */
export function requiresGradNow(tensor: TensorHandle): boolean {
  const history = historyOf(tensor)
  if (history === null) return false
  const { node, origin } = history
  return node !== null || (origin !== null && isStale(tensor, origin) && requiresGradNow(origin.base))
}

/** Whether the user made it, or no gradient flows through what made it. */
export const isLeaf = (tensor: Tensor): boolean => {
  const history = historyOf(tensor)
  return history === null || history.node instanceof LeafNode || !requiresGradNow(tensor)
}

/** Throws DtypeError for integers, GradientError for a tensor that is no leaf or was made in inference mode. */
export function setRequiresGrad(callee: string, tensor: Tensor, on: unknown): void {
  if (typeof on !== 'boolean')
    throw new ArgumentError(`${callee}: ${describeAny(on)} is not true or false`, { fix: 'x.requiresGrad_(true)' })
  if (on && !isFloat(tensor.dtype))
    throw new DtypeError(`${callee}: ${tensor.describe()} cannot require a gradient: it is no float`, {
      fix: "cast it first: x.to('f32').requiresGrad_()",
    })
  const traced = tracedAutograd()
  if (traced !== null) traced.setRequiresGrad(tensor, on)
  else if (on !== requiresGradNow(tensor)) changeRequiresGrad(callee, tensor, on)
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
  if (grad !== null) checkGrad(tensor, grad)
  const traced = tracedAutograd()
  if (traced !== null) traced.setGrad(tensor, grad)
  else if (grad !== null || historyOf(tensor) !== null) ownHistory(tensor).grad = grad
}

function checkGrad(tensor: Tensor, grad: unknown): asserts grad is Tensor {
  if (!(grad instanceof TensorHandle))
    throw new ArgumentError(`grad: ${describeAny(grad)} is no tensor`, { fix: 'assign a tensor or null' })
  const both = `grad: ${grad.describe()} as the gradient of ${tensor.describe()}`
  if (grad === tensor) throw new ArgumentError(`grad: a tensor as its own gradient`, { fix: 'assign a clone()' })
  if (!sameShape(grad.sizes, tensor.sizes)) throw new ShapeError(both, { fix: 'assign one of the same shape' })
  if (grad.dtype !== tensor.dtype) throw new DtypeError(both, { fix: `cast it: g.to('${tensor.dtype}')` })
  if (grad.device !== tensor.device)
    throw new DeviceError(`${both}, which are on ${grad.device} and ${tensor.device}`, {
      fix: `move it: g.to('${tensor.device}')`,
    })
}

export function detach(tensor: Tensor): Tensor {
  const traced = tracedAutograd()
  return traced === null ? tensor.withLayout(tensor.layout) : traced.detached(tensor)
}
