/**
 * Computes what a plan needs at each call from the call's inputs: symbol values, and from them every size, stride, grid
 * and memory slot. For a plan without symbols all of it is known once; otherwise it is redone when a symbol changes.
 */
import { InternalError } from '../base/errors.js'
import { compileSize, type Size, type SizeFunction } from '../scalar/size.js'
import type { PlanArgument, PlanBuffer } from '../schedule/plan.js'
import { argumentsOf } from '../tile/abi.js'
import { itemBytes } from '../types/dtype.js'
import type { Artifact } from './artifact.js'

/** Where in the packed arguments a value goes. */
export interface ArgumentPlace {
  readonly step: number
  readonly argument: number
}

export interface PointerArgument extends ArgumentPlace {
  readonly buffer: number
  /** Bytes from the buffer's first element. */
  readonly byteOffset: SizeFunction
}

export interface SizeArgument extends ArgumentPlace {
  readonly value: SizeFunction
}

export interface ScalarArgument extends ArgumentPlace {
  /** Index among the call's scalars. */
  readonly input: number
  readonly float: boolean
}

/** An artifact's steps with every size turned into a function of the symbol values. */
export interface Binding {
  readonly pointers: readonly PointerArgument[]
  readonly sizes: readonly SizeArgument[]
  readonly scalars: readonly ScalarArgument[]
  /** Packed arguments per step. */
  readonly argumentCounts: readonly number[]
  readonly grids: readonly (readonly [SizeFunction, SizeFunction, SizeFunction])[]
  /** Bytes of each buffer (0 for inputs, whose memory is the caller's). */
  readonly bufferBytes: readonly SizeFunction[]
  readonly work: readonly { readonly bytes: SizeFunction; readonly flops: SizeFunction }[]
}

export function bindArtifact(artifact: Artifact): Binding {
  const names = artifact.plan.symbols.map(symbol => symbol.name)
  const compile = (size: Size): SizeFunction => compileSize(size, name => symbolReader(names.indexOf(name)))
  const pointers: PointerArgument[] = []
  const sizes: SizeArgument[] = []
  const scalars: ScalarArgument[] = []
  const argumentCounts = artifact.plan.steps.map((step, stepIndex) => {
    const { params } = artifact.kernels[step.kernel]!
    const list = argumentsOf(params)
    for (const [index, argument] of list.entries()) {
      const place = { step: stepIndex, argument: index }
      const given = step.args[argument.param]!
      if (argument.kind === 'pointer') pointers.push(bindPointer(place, given, artifact.plan.buffers, compile))
      else if (argument.kind === 'scalar') bindScalar(place, given, compile, sizes, scalars)
      else sizes.push({ ...place, value: compile(viewDim(given, argument.kind, argument.dim)) })
    }
    return list.length
  })
  return {
    pointers,
    sizes,
    scalars,
    argumentCounts,
    grids: artifact.plan.steps.map(({ grid: [x, y, z] }) => [compile(x), compile(y), compile(z)] as const),
    bufferBytes: artifact.plan.buffers.map(buffer => (buffer.kind === 'input' ? () => 0 : bytesOf(buffer, compile))),
    work: artifact.plan.steps.map(step => ({ bytes: compile(step.bytes), flops: compile(step.flops) })),
  }
}

const symbolReader =
  (index: number): SizeFunction =>
  symbols =>
    symbols[index]!

function bytesOf(buffer: Exclude<PlanBuffer, { kind: 'input' }>, compile: (size: Size) => SizeFunction): SizeFunction {
  const elements = compile(buffer.elements)
  const bytes = itemBytes(buffer.dtype)
  return symbols => elements(symbols) * bytes
}

function bindPointer(
  place: ArgumentPlace,
  given: PlanArgument,
  buffers: readonly PlanBuffer[],
  compile: (size: Size) => SizeFunction,
): PointerArgument {
  const view = asView(given)
  const offset = compile(view.offset)
  const bytes = itemBytes(buffers[view.buffer]!.dtype)
  return { ...place, buffer: view.buffer, byteOffset: symbols => offset(symbols) * bytes }
}

function bindScalar(
  place: ArgumentPlace,
  given: PlanArgument,
  compile: (size: Size) => SizeFunction,
  sizes: SizeArgument[],
  scalars: ScalarArgument[],
): void {
  if (given.kind === 'size') sizes.push({ ...place, value: compile(given.value) })
  else if (given.kind === 'scalarInput') {
    scalars.push({ ...place, input: given.input, float: given.dtype === 'f64' || given.dtype === 'f32' })
  } else throw new InternalError('bind: a view is passed where the kernel takes a scalar')
}

function viewDim(given: PlanArgument, kind: 'size' | 'stride', dim: number): Size {
  const view = asView(given)
  return (kind === 'size' ? view.shape : view.strides)[dim]!
}

function asView(given: PlanArgument): Extract<PlanArgument, { kind: 'view' }> {
  if (given.kind === 'view') return given
  throw new InternalError(`bind: a ${given.kind} is passed where the kernel takes a view`)
}
