/** `backward` and `gradients`: what users ask of the history of their tensors. */
import { ArgumentError, GradientError, ShapeError } from '../../base/errors.js'
import { records } from '../../graph/ops/index.js'
import type { Size } from '../../scalar/size.js'
import { type Arguments, signature, takeArguments } from '../arguments.js'
import { applyOp, requireTensor, tensorOps } from '../dispatch.js'
import type { Tensor } from '../tensor-type.js'
import { captureRefusal } from '../trace.js'
import type { TracedPass } from '../tracer.js'
import { checkGradientOf, leavesOf, runBackward } from './engine.js'
import { type Edge, type GradientHook, LeafNode } from './history.js'
import { withRecording } from './mode.js'
import { edgeOf } from './op-node.js'
import { detach, requiresGrad } from './properties.js'
import { tracedAutograd } from './traced.js'

/** Options of `backward`. */
export interface BackwardOptions {
  /** The gradient of this tensor itself: same shape and dtype. Default: 1, for a tensor of one element. */
  readonly gradient?: Tensor | null | undefined
  /** Whether what was saved is kept for another pass. Default: `createGraph`. */
  readonly retainGraph?: boolean | null | undefined
  /** Whether the pass is recorded itself, so that gradients have gradients. Default: false. */
  readonly createGraph?: boolean | undefined
  /** The only tensors whose `grad` is added to. Default: all leaves. */
  readonly inputs?: Tensor | readonly Tensor[] | null | undefined
}

export const backwardSignature = signature(
  'self, gradient: tensor | null = null, retainGraph: bool | null = null, createGraph: bool = false, inputs: tensors | tensor | null = null',
)

const listOf = <T>(one: T | readonly T[]): readonly T[] => (Array.isArray(one) ? (one as readonly T[]) : [one as T])

/** The method `backward`. */
export function backward({
  self,
  gradient,
  retainGraph,
  createGraph,
  inputs,
}: Arguments<typeof backwardSignature.text>): void {
  const root = requireTensor('backward', self, 'the tensor')
  const into = inputs === null ? null : listOf(inputs)
  if (into?.length === 0)
    throw new ArgumentError('backward: inputs is an empty list', { fix: 'leave it out for all leaves' })
  for (const [i, input] of (into ?? []).entries()) checkWanted('backward', i, input)
  const seeds = [seedOf('backward', root, gradient, createGraph)]
  const traced = tracedAutograd()
  if (traced !== null) {
    traced.backward([root], seeds, { createGraph, retainGraph: retainGraph ?? createGraph, inputs: into })
    return
  }
  backwardOnTape([root], seeds, { createGraph, retainGraph: retainGraph ?? createGraph, inputs: into })
}

/** A backward pass of tensors with memory, which adds to the gradients of `inputs`; null: of all leaves. */
export function backwardOnTape(
  outputs: readonly Tensor[],
  seeds: readonly Tensor[],
  { inputs, ...pass }: TracedPass & { readonly inputs: readonly Tensor[] | null },
): void {
  const roots = rootsOf('backward', outputs)
  const wanted = inputs?.map((input, i) => wantedEdge('backward', i, input)) ?? null
  runBackward({ roots, gradients: seeds, wanted, into: inputs, ...pass }, tensorOps)
}

/** The leaves whose `.grad` a backward pass of these tensors adds to. */
export const leavesBehind = (roots: readonly Tensor[]): readonly Tensor[] =>
  leavesOf(rootsOf('backward', roots)).map(({ tensor }) => tensor)

/** Options of `gradients`. */
export interface GradientsOptions {
  /** The gradients of the outputs. Default: 1, for outputs of one element. */
  readonly gradOutputs?: Tensor | readonly Tensor[] | null | undefined
  /** Whether what was saved is kept for another pass. Default: `createGraph`. */
  readonly retainGraph?: boolean | null | undefined
  /** Whether the pass is recorded itself, so that gradients have gradients. Default: false. */
  readonly createGraph?: boolean | undefined
  /** Give null for inputs that no output depends on, instead of throwing GradientError. Default: false. */
  readonly allowUnused?: boolean | undefined
}

const gradientsSignature = signature(
  'outputs: tensors | tensor, inputs: tensors | tensor, gradOutputs: tensors | tensor | null = null, *, retainGraph: bool | null = null, createGraph: bool = false, allowUnused: bool = false',
)

/**
 * The gradients of the inputs with respect to the sum of the outputs, each weighed by its `gradOutputs`, as
 * `torch.autograd.grad`. No `.grad` is changed.
 *
 * @param outputs tensors that require gradients
 * @param inputs what they were computed from: leaves or results
 * @param options `gradOutputs`, `retainGraph`, `createGraph`, `allowUnused`
 * @returns one tensor per input, of its shape and dtype
 * @throws GradientError for outputs that require none or do not depend on an input, for outputs of several elements without
 *   `gradOutputs`, and when what was saved is gone or was changed in place
 */
export function gradients(
  outputs: Tensor | readonly Tensor[],
  inputs: Tensor | readonly Tensor[],
  options?: GradientsOptions & { readonly allowUnused?: false | undefined },
): Tensor[]
export function gradients(
  outputs: Tensor | readonly Tensor[],
  inputs: Tensor | readonly Tensor[],
  options: GradientsOptions,
): (Tensor | null)[]
export function gradients(...args: readonly unknown[]): (Tensor | null)[] {
  const given = takeArguments('gradients', gradientsSignature, args)
  const [outputs, inputs] = [listOf(given.outputs), listOf(given.inputs)]
  const { createGraph, allowUnused } = given
  const retainGraph = given.retainGraph ?? createGraph
  for (let i = 0; i < inputs.length; i++) checkWanted('gradients', i, inputs[i]!)
  const seeds = seedsOf(outputs, given.gradOutputs === null ? null : listOf(given.gradOutputs), createGraph)
  const traced = tracedAutograd()
  const found =
    traced !== null
      ? traced.gradients(outputs, inputs, seeds, { createGraph, retainGraph })
      : gradientsOnTape(outputs, inputs, seeds, { createGraph, retainGraph })
  const unused = found.indexOf(null)
  if (unused >= 0 && !allowUnused)
    throw new GradientError(
      `gradients: the outputs do not depend on inputs[${unused}], ${inputs[unused]!.describe()}`,
      {
        fix: 'pass { allowUnused: true } to get null for it',
      },
    )
  return [...found]
}

/** The gradients of tensors with memory; null where none flows. */
export function gradientsOnTape(
  outputs: readonly Tensor[],
  inputs: readonly Tensor[],
  seeds: readonly Tensor[],
  pass: TracedPass,
): readonly (Tensor | null)[] {
  const roots = rootsOf('gradients', outputs)
  const wanted = inputs.map((input, i) => wantedEdge('gradients', i, input))
  return runBackward({ roots, gradients: seeds, wanted, into: null, ...pass }, tensorOps)
}

function seedsOf(outputs: readonly Tensor[], given: readonly Tensor[] | null, createGraph: boolean): readonly Tensor[] {
  if (outputs.length === 0) throw new ArgumentError('gradients: there are no outputs', { fix: 'give one' })
  if (given !== null && given.length !== outputs.length)
    throw new ArgumentError(`gradients: ${given.length} gradOutputs for ${outputs.length} outputs`, {
      fix: 'give one per output',
    })
  return outputs.map((output, i) => seedOf('gradients', output, given?.[i] ?? null, createGraph))
}

/** The gradient that a pass starts with. */
function seedOf(callee: string, root: Tensor, given: Tensor | null, createGraph: boolean): Tensor {
  if (!requiresGrad(root)) throw requiresNone(callee, root)
  if (given !== null) {
    checkGradientOf(`${callee}: the gradient`, given, root)
    return createGraph ? given : detach(given)
  }
  if (root.sizes.some((size: Size) => size !== 1))
    throw new ShapeError(`${callee}: ${root.describe()} has several elements, so its own gradient must be given`, {
      fix: `reduce it first: x.sum().${callee === 'backward' ? 'backward()' : '…'}; or give the gradient of its shape`,
    })
  return applyOp(records.full, [root.sizes, 1, { dtype: root.dtype }], root.device)[0]!
}

const requiresNone = (callee: string, tensor: Tensor): GradientError =>
  new GradientError(`${callee}: ${tensor.describe()} does not require a gradient, and no op on one that does made it`, {
    fix: 'set requiresGrad on what it is computed from, and compute it outside of noGrad; integers and comparisons have no gradients',
  })

const rootsOf = (callee: string, outputs: readonly Tensor[]): readonly Edge[] =>
  outputs.map(output => {
    const edge = edgeOf(output, tensorOps)
    if (edge === null) throw requiresNone(callee, output)
    return edge
  })

function wantedEdge(callee: string, index: number, input: Tensor): Edge {
  const edge = edgeOf(input, tensorOps)
  if (edge === null) throw unwanted(callee, index, input)
  return edge
}

function checkWanted(callee: string, index: number, input: Tensor): void {
  if (!requiresGrad(input)) throw unwanted(callee, index, input)
}

const unwanted = (callee: string, index: number, input: Tensor): GradientError =>
  new GradientError(`${callee}: inputs[${index}], ${input.describe()}, does not require a gradient`, {
    fix: 'set requiresGrad before it is used',
  })

/** The method `registerHook`: gives a function that removes it. */
export function registerHook(tensor: Tensor, hook: GradientHook): () => void {
  const { node, output } = hookedEdge('registerHook', tensor)
  const entry = { output, hook }
  node.hooks = [...(node.hooks ?? []), entry]
  return () => {
    node.hooks = node.hooks?.filter(each => each !== entry) ?? null
  }
}

/** The method `retainGrad`. */
export function retainGrad(tensor: Tensor): void {
  const { node, output } = hookedEdge('retainGrad', tensor)
  if (node instanceof LeafNode) return
  node.retained ??= new Map()
  node.retained.set(output, tensor)
}

function hookedEdge(callee: string, tensor: Tensor): Edge {
  if (tracedAutograd() !== null)
    throw captureRefusal(`${callee}: ${tensor.describe()} is inside a compiled function`, {
      fix: `call ${callee} outside of it`,
    })
  const edge = withRecording(true, () => edgeOf(requireTensor(callee, tensor, 'the tensor'), tensorOps))
  if (edge !== null) return edge
  throw new GradientError(`${callee}: ${tensor.describe()} does not require a gradient`, {
    fix: 'set requiresGrad before it is used',
  })
}

/** How a printed tensor says that it requires a gradient; null: it requires none. */
export function gradientText(tensor: Tensor): string | null {
  const edge = tracedAutograd() === null ? edgeOf(tensor, tensorOps) : null
  if (edge === null) return null
  return edge.node instanceof LeafNode ? 'requiresGrad=true' : `gradFn=<${edge.node.name}>`
}
