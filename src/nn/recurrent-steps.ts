/**
 * The loop over the time steps of a sequence. Eager code runs it step by step. A compiled function unrolls it while the sequence is
 * short; hundreds of unrolled steps would take minutes to compile, so a longer sequence, or one of symbolic length, becomes a `scan`.
 */
import { isRecording } from '../tensor/autograd/mode.js'
import { scan } from '../tensor/control.js'
import { zeros } from '../tensor/create.js'
import { stack } from '../tensor/functions.js'
import type { Tensor } from '../tensor/tensor.js'
import { currentTracer } from '../tensor/tracer.js'
import type { TensorDtype } from '../types/dtype.js'

/** From the gates' share of the input at a step, and the states, to the next states; the first one is the output. */
export type Step = (gates: Tensor, states: readonly Tensor[]) => readonly Tensor[]

/** Longer sequences are looped over in a capture; a step's gradient is several times the step. */
const mostUnrolled = 64
const mostTrainedUnrolled = 16

/** The outputs of all steps, [T, …], and the last states. `gates`: [T, …]. */
export function overSteps(
  gates: Tensor,
  states: readonly Tensor[],
  step: Step,
): readonly [outputs: Tensor, states: readonly Tensor[]] {
  const [length] = gates.sizes
  if (length === 0) return [noOutputs(gates, states), states]
  const isTrained = isRecording() && [gates, ...states].some(tensor => tensor.requiresGrad)
  const isLong = typeof length !== 'number' || length > (isTrained ? mostTrainedUnrolled : mostUnrolled)
  if (currentTracer() === null || !isLong) return steps(gates, states, step)
  const [last, [outputs]] = scan(
    (now, [gate]) => {
      const next = step(gate!, now)
      return [next, [next[0]!]]
    },
    states,
    [gates],
  )
  return [outputs!, last]
}

/** One step after the other. */
function steps(gates: Tensor, states: readonly Tensor[], step: Step): readonly [Tensor, readonly Tensor[]] {
  let now = states
  const outputs: Tensor[] = []
  for (let t = 0; t < gates.shape[0]!; t++) {
    now = step(gates.select(0, t), now)
    outputs.push(now[0]!)
  }
  return [stack(outputs, 0), now]
}

/** The outputs of no steps. */
const noOutputs = (gates: Tensor, [h]: readonly Tensor[]): Tensor =>
  zeros([0, ...Array.from({ length: h!.ndim }, (_, d) => h!.dim(d))], {
    dtype: h!.dtype as TensorDtype,
    device: gates.device,
  })
