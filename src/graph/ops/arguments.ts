/** Checks of users' arguments that plain JavaScript callers can get wrong, with the op's name in errors. */
import { describeAny } from '../../base/describe.js'
import { ArgumentError } from '../../base/errors.js'
import type { Attrs } from '../../ir/node.js'
import type { Dtype } from '../../types/dtype.js'
import type { OpCall, OperandValue } from '../record.js'

export type NoAttrs = Record<string, never>

export const call = <A extends Attrs>(inputs: readonly OperandValue[], attrs: A): OpCall<A> => ({ inputs, attrs })

/** Throws ArgumentError on a key that is not `allowed`: a misspelt option must not be ignored. */
export function checkOptions(op: string, options: object, allowed: readonly string[]): void {
  if (typeof options !== 'object' || options === null)
    throw new ArgumentError(`${op}: the options are ${describeAny(options)}, not an object`, {
      fix: `the options are ${allowed.join(', ')}`,
    })
  for (const key of Object.keys(options)) {
    if (!allowed.includes(key))
      throw new ArgumentError(`${op}: no option '${key}'`, { fix: `the options are ${allowed.join(', ')}` })
  }
}

export type ReduceAttrs = {
  readonly dims: readonly number[] | null
  readonly keepdim: boolean
  readonly dtype: Dtype | null
}
