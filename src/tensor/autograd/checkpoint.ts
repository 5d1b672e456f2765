/** Functions whose values are computed again for gradients instead of being kept. */
import { describeAny } from '../../base/describe.js'
import { ArgumentError } from '../../base/errors.js'
import { requireSynchronous } from '../../base/synchronous.js'
import { autocast, autocastDtype } from '../autocast.js'
import { tensorOps } from '../dispatch.js'
import { TensorHandle } from '../handle.js'
import { tensorsIn } from '../scope.js'
import type { Tensor } from '../tensor-type.js'
import { isRecording, withRecording } from './mode.js'
import { edgeOf } from './op-node.js'
import { RecomputedPart } from './recomputation.js'
import { SavedTensor } from './saved.js'
import { tracedAutograd } from './traced.js'

/**
 * `fn` with less memory for its gradient: of what it computes nothing is kept, and the backward pass computes it again from the
 * arguments, with the same random numbers and in the same modes (`autocast`). As `torch.utils.checkpoint.checkpoint`.
 *
 * @param fn any function: modules, too. Its arguments and results may be tensors, or arrays and objects of tensors. It may use
 *   tensors from around, which get their gradients. In the backward pass it runs once more, so it must do the same again; what it
 *   changes in place outside is changed once. In a compiled function its graph is repeated, and it does not run again.
 * @returns a function of the same arguments and results
 * @throws ArgumentError for what is no function, or gives a promise; in the backward pass GradientError when what it read was changed in place since,
 *   or when it does something else than before
 * @example const y = checkpoint(block)(x)
 */
export function checkpoint<A extends readonly unknown[], R>(fn: (...args: A) => R): (...args: A) => R {
  if (typeof (fn as unknown) !== 'function')
    throw new ArgumentError(`checkpoint: fn is ${describeAny(fn)}, not a function`, {
      fix: 'checkpoint(x => block(x))(x)',
    })
  const name = fn.name === '' ? 'the function' : fn.name
  const run = (args: A): R =>
    requireSynchronous(
      fn(...args),
      what =>
        new ArgumentError(`checkpoint: ${name} returned ${what}`, { fix: 'give checkpoint a synchronous function' }),
    )
  return (...args) => {
    if (!isRecording()) return run(args)
    const traced = tracedAutograd()
    return traced === null
      ? recomputed(name, run, args)
      : traced.checkpoint(
          () => run(args),
          value => tensorsIn(value) as Tensor[],
        )
  }
}

function recomputed<A extends readonly unknown[], R>(name: string, run: (args: A) => R, args: A): R {
  const saved = new Map<unknown, SavedTensor>()
  const kept = mapTree(args, value => {
    if (!(value instanceof TensorHandle)) return value
    const tensor = value as Tensor
    const known = saved.get(tensor) ?? new SavedTensor(name, tensor, edgeOf(tensor, tensorOps))
    saved.set(tensor, known)
    return known
  })
  const dtype = autocastDtype()
  const prepare = (): (() => void) => {
    const given = mapTree(kept, value => (value instanceof SavedTensor ? value.unpack(name) : value)) as A
    return () => void withRecording(true, () => autocast(dtype, () => run(given)))
  }
  const part = new RecomputedPart(name, prepare, () => [...saved.values()].flatMap(each => each.kept))
  return part.run(() => run(args))
}

/** A tree of arrays and plain objects with its leaves replaced. */
function mapTree(value: unknown, replace: (leaf: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map(each => mapTree(each, replace))
  const isPlain = typeof value === 'object' && value !== null && isPlainPrototype(Object.getPrototypeOf(value))
  if (!isPlain) return replace(value)
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, mapTree(each, replace)]))
}

const isPlainPrototype = (prototype: unknown): boolean => prototype === Object.prototype || prototype === null
