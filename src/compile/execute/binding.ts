/**
 * Binds a plan's sizes to arguments, grids and memory slots. All sizes are in one table, which is recomputed when a symbol
 * changes. Sizes that depend on no symbol are passed once.
 */

import { type Artifact, writtenBuffers } from '../../backends/artifact.js'
import type { PatchableSteps } from '../../backends/machine.js'
import { InternalError } from '../../base/errors.js'
import { groupBy } from '../../base/group-by.js'
import type { BoundSizes, Patch, Patches, StepSize } from '../../runtime/patches.js'
import { addSizes, mulSizes, type Size } from '../../scalar/size.js'
import {
  type BlockStep,
  isLaunch,
  type LaunchStep,
  launchesAmong,
  type PlanArgument,
  type PlanBuffer,
  type PlanStep,
  type PlanTensor,
} from '../../schedule/plan/plan.js'
import { argumentsOf } from '../../tile/abi.js'
import { type Dtype, itemBytes } from '../../types/dtype.js'
import { type LayoutIndices, type SizeTable, SizeTableBuilder } from '../guards/size-table.js'

/** The position of a value among the packed arguments. */
export interface ArgumentPosition {
  readonly step: number
  readonly argument: number
}

/** A buffer of the plan. All kinds have the same fields, so that property accesses stay monomorphic. */
export interface BoundBuffer {
  readonly kind: PlanBuffer['kind']
  /** Index of the input that it is; -1: none. */
  readonly input: number
  /** Slot of the arena, for a temporary; -1: none. */
  readonly slot: number
  /** Bytes from the start of the slot. */
  readonly at: number
  readonly itemBytes: number
  /** Table index of its size in bytes (of 0 for inputs, whose memory is the caller's). */
  readonly bytes: number
  readonly isWritten: boolean
  /** Offsets of some of its pointers depend on symbols. */
  readonly isSymbolic: boolean
  readonly pointers: Patches
}

export interface ScalarArgument extends ArgumentPosition {
  /** Index among the call's scalars. */
  readonly input: number
  readonly float: boolean
}

/** A size that a slot must have; `bytes`: its table index. */
export interface SlotSize {
  readonly slot: number
  readonly bytes: number
}

/** An artifact's launches, numbered in their order, with every size in a table. */
export interface Binding {
  readonly table: SizeTable
  /** Sizes that depend on no symbol, passed once. */
  readonly fixed: BoundSizes
  /** Sizes that are passed when symbols change. */
  readonly symbolic: BoundSizes
  readonly buffers: readonly BoundBuffer[]
  readonly scalars: readonly ScalarArgument[]
  /** The sizes of the temporaries that share each slot. */
  readonly slots: readonly SlotSize[]
  /** None of those depends on symbols. */
  readonly isArenaFixed: boolean
  readonly outputs: readonly LayoutIndices[]
  /** Launches and control flow in order; null: all steps are launches. */
  readonly phases: readonly Phase[] | null
}

/** A tensor that is passed to blocks, or the predicate that selects a block. */
export interface BoundTensor {
  readonly buffer: number
  readonly dtype: Dtype
  readonly sizes: LayoutIndices
}

/** A control-flow step with its tensors. */
export interface BoundControl {
  readonly kind: 'control'
  readonly step: BlockStep
  readonly operands: readonly BoundTensor[]
  readonly predicate: BoundTensor | null
}

/** A run of launches from `first` up to (not including) `end`, or control flow between such runs. */
export type Phase = { readonly kind: 'launches'; readonly first: number; readonly end: number } | BoundControl

/** The steps as phases between control flow; null: there is none, so all launches are one phase. */
function bindPhases(steps: readonly PlanStep[], table: SizeTableBuilder): readonly Phase[] | null {
  if (steps.every(isLaunch)) return null
  const phases: Phase[] = []
  let [first, end] = [0, 0]
  const close = (): void => {
    if (end > first) phases.push({ kind: 'launches', first, end })
    first = end
  }
  const bind = ({ buffer, dtype, ...view }: PlanTensor): BoundTensor => ({
    buffer,
    dtype,
    sizes: table.addLayout(view),
  })
  for (const step of steps) {
    if (isLaunch(step)) {
      end++
      continue
    }
    close()
    const predicate = step.kind === 'cond' ? bind(step.predicate) : null
    phases.push({ kind: 'control', step, operands: step.operands.map(bind), predicate })
  }
  close()
  return phases
}

interface PointerPatch extends Patch {
  readonly buffer: number
}

/** `packed`: the artifact's steps on the device. */
export function bindArtifact(artifact: Artifact, packed: PatchableSteps): Binding {
  const { plan, kernels } = artifact
  const table = new SizeTableBuilder()
  const pointers: PointerPatch[] = []
  const sizes: Patch[] = []
  const scalars: ScalarArgument[] = []
  const launches = launchesAmong(plan.steps)
  for (const [step, { kernel, args }] of launches.entries()) {
    for (const [index, argument] of argumentsOf(kernels[kernel]!.params).entries()) {
      const position = { step, argument: index }
      const given = args[argument.param]!
      if (argument.kind === 'pointer') pointers.push(bindPointer(position, given, plan.buffers, table))
      else if (argument.kind === 'scalar') bindScalar(position, given, table, sizes, scalars)
      else sizes.push({ ...position, value: table.add(viewDim(given, argument.kind, argument.dim)) })
    }
  }
  const steps = launches.map((step, i) => bindStep(step, i, table))
  const written = writtenBuffers(artifact)
  const pointersTo = groupBy(pointers, pointer => pointer.buffer)
  const buffers = plan.buffers.map((buffer, i) =>
    bindBuffer(buffer, written.has(i), pointersTo.get(i) ?? [], table, packed),
  )
  const slots = slotsOf(plan.buffers, table)
  const outputs = plan.outputs.map(output => table.addLayout(output))
  const phases = bindPhases(plan.steps, table)
  const built = table.build(plan.symbols.map(symbol => symbol.name))
  const bind = (fixed: boolean): BoundSizes =>
    packed.bindSizes(
      sizes.filter(({ value }) => (table.fixed(value) !== null) === fixed),
      steps.filter(step => isFixedStep(step, table) === fixed),
      built.values,
    )
  return {
    fixed: bind(true),
    symbolic: bind(false),
    buffers,
    scalars,
    slots,
    isArenaFixed: table.areFixed(slots.map(({ bytes }) => bytes)),
    outputs,
    phases,
    table: built,
  }
}

/** How a buffer of the plan gets its memory at each call. */
function bindBuffer(
  buffer: PlanBuffer,
  isWritten: boolean,
  pointers: readonly Patch[],
  table: SizeTableBuilder,
  packed: PatchableSteps,
): BoundBuffer {
  return {
    kind: buffer.kind,
    input: buffer.kind === 'input' ? buffer.input : -1,
    slot: buffer.kind === 'temp' ? buffer.slot : -1,
    at: buffer.kind === 'temp' ? buffer.at : 0,
    itemBytes: itemBytes(buffer.dtype),
    bytes: table.add(buffer.kind === 'input' ? 0 : mulSizes(buffer.elements, itemBytes(buffer.dtype))),
    isWritten,
    isSymbolic: !table.areFixed(pointers.map(({ value }) => value)),
    pointers: packed.patches(pointers),
  }
}

/** The distinct ends of the temporaries in each slot. */
function slotsOf(buffers: readonly PlanBuffer[], table: SizeTableBuilder): SlotSize[] {
  const ends = buffers.flatMap((buffer): SlotSize[] => {
    if (buffer.kind !== 'temp') return []
    const bytes = table.add(addSizes(buffer.at, mulSizes(buffer.elements, itemBytes(buffer.dtype))))
    return [{ slot: buffer.slot, bytes }]
  })
  return [...new Map(ends.map(end => [`${end.slot} ${end.bytes}`, end])).values()]
}

/** `bytes` and `flops` decide how many programs a thread claims at once, so a launch of one program needs none. */
function bindStep({ grid, bytes, flops }: LaunchStep, step: number, table: SizeTableBuilder): StepSize {
  const isSmall = grid.every(size => size === 0 || size === 1)
  const [x, y, z] = grid
  const work = { bytes: table.add(isSmall ? 0 : bytes), flops: table.add(isSmall ? 0 : flops) }
  return { step, x: table.add(x), y: table.add(y), z: table.add(z), ...work }
}

const isFixedStep = ({ x, y, z, bytes, flops }: StepSize, table: SizeTableBuilder): boolean =>
  table.areFixed([x, y, z, bytes, flops])

function bindPointer(
  position: ArgumentPosition,
  given: PlanArgument,
  buffers: readonly PlanBuffer[],
  table: SizeTableBuilder,
): PointerPatch {
  const { buffer, offset } = asView(given)
  return { ...position, buffer, value: table.add(mulSizes(offset, itemBytes(buffers[buffer]!.dtype))) }
}

function bindScalar(
  position: ArgumentPosition,
  given: PlanArgument,
  table: SizeTableBuilder,
  sizes: Patch[],
  scalars: ScalarArgument[],
): void {
  if (given.kind === 'size') sizes.push({ ...position, value: table.add(given.value) })
  else if (given.kind === 'scalarInput') {
    scalars.push({ ...position, input: given.input, float: given.dtype === 'f64' || given.dtype === 'f32' })
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
