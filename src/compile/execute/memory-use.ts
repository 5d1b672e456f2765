/** How much memory a call of a plan takes at given sizes. */
import { evaluateSize } from '../../scalar/size.js'
import type { Plan } from '../../schedule/plan/plan.js'
import type { Tensor } from '../../tensor/tensor.js'
import { itemBytes } from '../../types/dtype.js'

/** Bytes, for the arguments of `explain()`. */
export interface MemoryExplanation {
  /** Elements of the tensors that the plan reads, each tensor once. */
  readonly inputs: number
  /** Results of the call, and values passed to blocks of control flow, whose own memory is not counted. */
  readonly outputs: number
  /** The slots of memory that temporaries share. */
  readonly slots: readonly number[]
  /** All temporaries, if they shared no memory. */
  readonly temporaries: number
  /** Inputs, outputs and slots: the peak memory of a call. */
  readonly peak: number
}

/** @param values the plan's symbols */
export function planMemoryUse(
  plan: Plan,
  inputs: readonly { readonly tensor: Tensor }[],
  values: ReadonlyMap<string, number>,
): MemoryExplanation {
  const slots = new Array<number>(plan.slots).fill(0)
  let [outputs, temporaries] = [0, 0]
  for (const buffer of plan.buffers) {
    if (buffer.kind === 'input') continue
    const bytes = evaluateSize(buffer.elements, values) * itemBytes(buffer.dtype)
    if (buffer.kind !== 'temp') outputs += bytes
    else {
      temporaries += bytes
      slots[buffer.slot] = Math.max(slots[buffer.slot] ?? 0, buffer.at + bytes)
    }
  }
  const inputBytes = sum(inputs.map(({ tensor }) => tensor.numel() * itemBytes(tensor.dtype)))
  return { inputs: inputBytes, outputs, slots, temporaries, peak: inputBytes + outputs + sum(slots) }
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
