/**
 * The loop over the steps of a sequence. Step by step in eager code, and in a capture while the sequence is short; a graph of
 * hundreds of steps would compile for minutes, so a longer sequence, or one whose length is symbolic, becomes a `whileLoop`
 * of blocks of steps. Loops have no gradient: what is trained is unrolled at any length.
 */
import { isRecording } from '../tensor/autograd/mode.js'
import { whileLoop } from '../tensor/control.js'
import { arange, zeros } from '../tensor/create.js'
import { stack } from '../tensor/functions.js'
import type { SymbolicNumber } from '../tensor/symbolic-number.js'
import type { Tensor } from '../tensor/tensor.js'
import { currentTracer } from '../tensor/tracer.js'
import type { TensorDtype } from '../types/dtype.js'

/** From the gates' share of the input at a step, and the states, to the next states; the first one is the output. */
export type Step = (gates: Tensor, states: readonly Tensor[]) => readonly Tensor[]

/** Longer sequences are looped over in a capture. */
const mostUnrolled = 64
/** Steps per iteration: outputs are copied once per iteration. */
const block = 8

/** The outputs of all steps, [T, …], and the last states. `gates`: [T, …]. */
export function overSteps(
  gates: Tensor,
  states: readonly Tensor[],
  step: Step,
): readonly [outputs: Tensor, states: readonly Tensor[]] {
  const isTrained = isRecording() && [gates, ...states].some(tensor => tensor.requiresGrad)
  const [length] = gates.sizes
  const isLong = typeof length !== 'number' || length > mostUnrolled
  if (currentTracer() !== null && isLong && !isTrained) return looped(gates, states, step)
  return steps(gates, gates.shape[0]!, states, step)
}

/** `count` steps, one after the other. */
function steps(
  gates: Tensor,
  count: number,
  states: readonly Tensor[],
  step: Step,
): readonly [Tensor, readonly Tensor[]] {
  let now = states
  const outputs: Tensor[] = []
  for (let t = 0; t < count; t++) {
    now = step(gates.select(0, t), now)
    outputs.push(now[0]!)
  }
  return [outputs.length === 0 ? outputsFor(gates, states) : stack(outputs, 0), now]
}

/** Room for the outputs of all steps. */
const outputsFor = (gates: Tensor, [h]: readonly Tensor[]): Tensor =>
  zeros([gates.dim(0), ...Array.from({ length: h!.ndim }, (_, d) => h!.dim(d))], {
    dtype: h!.dtype as TensorDtype,
    device: h!.device,
  })

/** Blocks of steps for as long as one fits, then single steps. */
function looped(gates: Tensor, states: readonly Tensor[], step: Step): readonly [Tensor, readonly Tensor[]] {
  const length = gates.dim(0)
  const start = zeros([], { dtype: 'i64', device: gates.device })
  const carried = [start, outputsFor(gates, states), ...states]
  const [, outputs, ...last] = blocks(gates, blocks(gates, carried, length, block, step), length, 1, step)
  return [outputs!, last]
}

/** `carried`: the step, the outputs, the states. */
const blocks = (
  gates: Tensor,
  carried: readonly Tensor[],
  length: SymbolicNumber,
  count: number,
  step: Step,
): readonly Tensor[] =>
  whileLoop(
    t => t!.add(count).le(length),
    (t, outputs, ...now) => {
      const places = arange(count, { dtype: 'i64', device: gates.device }).add(t!)
      const [passed, next] = steps(gates.indexSelect(0, places), count, now, step)
      return [t!.add(count), outputs!.indexCopy(0, places, passed), ...next]
    },
    carried,
  )
