/** How much memory a call of a plan takes at given sizes. */
import { evaluateSize } from '../../scalar/size.js'
import { isLaunch, type Plan, type PlanBuffer, viewsOf } from '../../schedule/plan/plan.js'
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
  /** For each launch outside of control flow: the temporaries that hold values then. */
  readonly live: readonly number[]
}

/** @param values the plan's symbols */
export function planMemoryUse(
  plan: Plan,
  inputs: readonly { readonly tensor: Tensor }[],
  values: ReadonlyMap<string, number>,
): MemoryExplanation {
  const slots = new Array<number>(plan.slots).fill(0)
  const bytesOf = (buffer: PlanBuffer): number =>
    buffer.kind === 'input' ? 0 : evaluateSize(buffer.elements, values) * itemBytes(buffer.dtype)
  let [outputs, temporaries] = [0, 0]
  for (const buffer of plan.buffers) {
    if (buffer.kind === 'input') continue
    const bytes = bytesOf(buffer)
    if (buffer.kind !== 'temp') outputs += bytes
    else {
      temporaries += bytes
      slots[buffer.slot] = Math.max(slots[buffer.slot] ?? 0, buffer.at + bytes)
    }
  }
  const inputBytes = sum(inputs.map(({ tensor }) => tensor.numel() * itemBytes(tensor.dtype)))
  const peak = inputBytes + outputs + sum(slots)
  return { inputs: inputBytes, outputs, slots, temporaries, peak, live: liveBytes(plan, bytesOf) }
}

/** Per launch, the bytes of temporaries between the first and the last step that has them. */
function liveBytes({ steps, buffers }: Plan, bytesOf: (buffer: PlanBuffer) => number): number[] {
  const spans = new Map<number, { readonly first: number; last: number }>()
  for (const [i, step] of steps.entries()) {
    const results = isLaunch(step) ? [] : step.results.filter(buffer => buffer !== null)
    for (const buffer of [...viewsOf(step).map(view => view.buffer), ...results]) {
      const known = spans.get(buffer)
      if (known === undefined) spans.set(buffer, { first: i, last: i })
      else known.last = i
    }
  }
  const changes = new Array<number>(steps.length + 1).fill(0)
  for (const [buffer, { first, last }] of spans) {
    if (buffers[buffer]!.kind !== 'temp') continue
    changes[first]! += bytesOf(buffers[buffer]!)
    changes[last + 1]! -= bytesOf(buffers[buffer]!)
  }
  let now = 0
  return steps.flatMap((step, i) => {
    now += changes[i]!
    return isLaunch(step) ? [now] : []
  })
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
