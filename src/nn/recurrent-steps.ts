/**
 * The loop over the time steps of a sequence. Eager code runs it step by step. A compiled function unrolls it while the sequence is
 * short; hundreds of unrolled steps would take minutes to compile, so a longer sequence, or one of symbolic length, becomes a `scan`.
 */
import { isRecording } from '../tensor/autograd/mode.js'
import { scan } from '../tensor/control.js'
import { zeros } from '../tensor/create.js'
import { stack, where } from '../tensor/functions.js'
import type { Tensor } from '../tensor/tensor.js'
import { currentTracer } from '../tensor/tracer.js'
import type { TensorDtype } from '../types/dtype.js'

/** From the gates' share of the input at a step, and the states, to the next states; the first one is the output. */
export type Step = (gates: Tensor, states: readonly Tensor[]) => readonly Tensor[]

/** Longer sequences are looped over in a capture; a step's gradient is several times the step. */
const mostUnrolled = 64
const mostTrainedUnrolled = 16

/**
 * The outputs of all steps, [T, …], and the last states. `gates`: [T, …]; `isInside`, if given: bool [T, N, 1], where steps change the
 * states. Elsewhere outputs are 0.
 */
export function overSteps(
  gates: Tensor,
  states: readonly Tensor[],
  step: Step,
  isInside: Tensor | null = null,
): readonly [outputs: Tensor, states: readonly Tensor[]] {
  const [length] = gates.sizes
  if (length === 0) return [noOutputs(gates, states), states]
  const isTrained = isRecording() && [gates, ...states].some(tensor => tensor.requiresGrad)
  const isLong = typeof length !== 'number' || length > (isTrained ? mostTrainedUnrolled : mostUnrolled)
  if (currentTracer() === null || !isLong) return steps(gates, states, step, isInside)
  const [last, [outputs]] = scan(
    (now, [gate, inside]) => {
      const [output, next] = masked(step(gate!, now), now, inside ?? null)
      return [next, [output]]
    },
    states,
    isInside === null ? [gates] : [gates, isInside],
  )
  return [outputs!, last]
}

/** One step after the other. */
function steps(
  gates: Tensor,
  states: readonly Tensor[],
  step: Step,
  isInside: Tensor | null,
): readonly [Tensor, readonly Tensor[]] {
  let now = states
  const outputs: Tensor[] = []
  for (let t = 0; t < gates.shape[0]!; t++) {
    const [output, next] = masked(step(gates.select(0, t), now), now, isInside?.select(0, t) ?? null)
    now = next
    outputs.push(output)
  }
  return [stack(outputs, 0), now]
}

/** The output and the states of a step: outside of a sequence 0, and the states before. */
function masked(
  next: readonly Tensor[],
  now: readonly Tensor[],
  isInside: Tensor | null,
): readonly [output: Tensor, states: readonly Tensor[]] {
  if (isInside === null) return [next[0]!, next]
  return [where(isInside, next[0]!, 0), next.map((state, i) => where(isInside, state, now[i]!))]
}

/** The outputs of no steps. */
const noOutputs = (gates: Tensor, [h]: readonly Tensor[]): Tensor =>
  zeros([0, ...Array.from({ length: h!.ndim }, (_, d) => h!.dim(d))], {
    dtype: h!.dtype as TensorDtype,
    device: gates.device,
  })
