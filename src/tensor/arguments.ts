/** Calls by signature for functions and methods that are no ops: what ops get from `applyOp`. */
import { bindArguments, type Callee } from '../graph/bind.js'
import type { IsTensor } from '../graph/kinds.js'
import { type Bound, publicName, Signature } from '../graph/signature.js'
import type { Value } from '../graph/value.js'
import { isTensor, requireTensor, withNumbers } from './dispatch.js'
import { TensorHandle } from './handle.js'
import type { Tensor } from './tensor-type.js'

/** What a signature's parameter gives a function: Tensor for Value. */
type Given<T> = T extends Value ? Tensor : T extends readonly (infer Item)[] ? readonly Given<Item>[] : T

/** A call's arguments by parameter, checked, with defaults filled in. */
export type Arguments<Text extends string> = { readonly [Name in keyof Bound<Text>]: Given<Bound<Text>[Name]> }

export const signature = <const Text extends string>(text: Text): Signature<Text> => new Signature(text)

/**
 * The arguments of a call by parameter. Throws ArgumentError as ops do, for tensors of another capture too, and DisposedError
 * for those that are gone. `takesAsTensor`: what else stands for a tensor here.
 */
export function takeArguments<Text extends string>(
  callee: string | Callee,
  signature: Signature<Text>,
  args: readonly unknown[],
  takesAsTensor: IsTensor = isTensor,
): Arguments<Text> {
  const call = typeof callee === 'string' ? { name: callee, isMethod: false } : callee
  // A number that is no size stands for a tensor, which no parameter but an operand takes.
  const bound = withNumbers(
    args,
    given => bindArguments(call, signature, given, takesAsTensor),
    () => true,
  )
  for (const [name, value] of Object.entries(bound)) {
    // What a method does with its own tensor looks at it by itself, and says what it wants of it.
    if (call.isMethod && name === 'self') continue
    const isList = Array.isArray(value)
    for (const [i, each] of (isList ? (value as readonly unknown[]) : [value]).entries())
      if (each instanceof TensorHandle) requireTensor(call.name, each, isList ? `${name}[${i}]` : publicName(name))
  }
  return bound as Arguments<Text>
}
