/** Argument binding by signature for functions and methods that are not ops; `applyOp` does it for ops. */
import { bindArguments, type Callee } from '../graph/bind.js'
import type { IsTensor } from '../graph/kinds.js'
import { type Bound, publicName, Signature } from '../graph/signature.js'
import type { Value } from '../graph/value.js'
import { isTensor, requireTensor, withNumbers } from './dispatch.js'
import { TensorHandle } from './handle.js'
import type { Tensor } from './tensor-type.js'

/** A bound argument as a function receives it: Tensor instead of Value. */
type Given<T> = T extends Value ? Tensor : T extends readonly (infer Item)[] ? readonly Given<Item>[] : T

/** A call's arguments by parameter, checked, with defaults filled in. */
export type Arguments<Text extends string> = { readonly [Name in keyof Bound<Text>]: Given<Bound<Text>[Name]> }

export const signature = <const Text extends string>(text: Text): Signature<Text> => new Signature(text)

/**
 * The arguments of a call by parameter. Throws ArgumentError as ops do, for tensors of another capture too, and
 * DisposedError for those that are gone. `takesAsTensor`: what else is accepted as a tensor here.
 */
export function takeArguments<Text extends string>(
  callee: string | Callee,
  signature: Signature<Text>,
  args: readonly unknown[],
  takesAsTensor: IsTensor = isTensor,
): Arguments<Text> {
  const call = typeof callee === 'string' ? { name: callee, isMethod: false } : callee
  // A symbolic number that is no size becomes a tensor, which only operand parameters accept.
  const bound = withNumbers(
    args,
    given => bindArguments(call, signature, given, takesAsTensor),
    () => true,
  )
  const { params } = signature
  for (let p = 0; p < params.length; p++) {
    const { name } = params[p]!
    const value = (bound as Readonly<Record<string, unknown>>)[name]
    // A method checks its own receiver, with a more specific message.
    if (typeof value !== 'object' || value === null || (call.isMethod && name === 'self')) continue
    if (value instanceof TensorHandle) requireTensor(call.name, value, publicName(name))
    else if (Array.isArray(value))
      for (let i = 0; i < value.length; i++)
        if (value[i] instanceof TensorHandle) requireTensor(call.name, value[i], `${name}[${i}]`)
  }
  return bound as Arguments<Text>
}
