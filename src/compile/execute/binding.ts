/**
 * Where a plan's sizes go: into arguments, grids and memory slots. All of them stand in one table, which is computed anew
 * when a symbol changes. What depends on no symbol is passed once.
 */

import { type Artifact, writtenBuffers } from '../../backends/artifact.js'
import type { PatchableSteps } from '../../backends/machine.js'
import { InternalError } from '../../base/errors.js'
import type { BoundSizes, Patch, Patches, StepSize } from '../../runtime/patches.js'
import { mulSizes, type Size } from '../../scalar/size.js'
import {
  type CondStep,
  isLaunch,
  type LaunchStep,
  type LoopStep,
  launchesAmong,
  type PlanArgument,
  type PlanBuffer,
  type PlanStep,
  type PlanTensor,
} from '../../schedule/plan/plan.js'
import { argumentsOf } from '../../tile/abi.js'
import { type Dtype, itemBytes } from '../../types/dtype.js'
import { type LayoutPlaces, type SizeTable, SizeTableBuilder } from '../guards/size-table.js'

/** Where in the packed arguments a value goes. */
export interface ArgumentPlace {
  readonly step: number
  readonly argument: number
}

/** A buffer of the plan: all have the same fields, so that calls meet one kind of object. */
export interface BoundBuffer {
  readonly kind: PlanBuffer['kind']
  /** The input that it is; -1: it is none. */
  readonly input: number
  /** Where it lies among the temporaries; -1: it is none. */
  readonly slot: number
  readonly itemBytes: number
  /** Place of its bytes in the table (0 for inputs, whose memory is the caller's). */
  readonly bytes: number
  readonly isWritten: boolean
  /** Some of its pointers have offsets that depend on symbols. */
  readonly isMoving: boolean
  readonly pointers: Patches
}

export interface ScalarArgument extends ArgumentPlace {
  /** Index among the call's scalars. */
  readonly input: number
  readonly float: boolean
}

export interface SlotSize {
  readonly slot: number
  readonly bytes: number
}

/** An artifact's launches, numbered in their order, with every size in a table. */
export interface Binding {
  readonly table: SizeTable
  /** What depends on no symbol: passed once. */
  readonly fixed: BoundSizes
  /** Passed when symbols change. */
  readonly symbolic: BoundSizes
  readonly buffers: readonly BoundBuffer[]
  readonly scalars: readonly ScalarArgument[]
  /** What temporaries need of the slots that they share. */
  readonly slots: readonly SlotSize[]
  /** None of that depends on symbols. */
  readonly isArenaFixed: boolean
  readonly outputs: readonly LayoutPlaces[]
  /** null: all steps are launches. */
  readonly stretches: readonly Stretch[] | null
}

/** A tensor that blocks get, or that says which block runs. */
export interface BoundTensor {
  readonly buffer: number
  readonly dtype: Dtype
  readonly sizes: LayoutPlaces
}

/** Control flow: what blocks get, and the step. */
export interface BoundControl {
  readonly kind: 'control'
  readonly step: CondStep | LoopStep
  readonly operands: readonly BoundTensor[]
  readonly predicate: BoundTensor | null
}

/** Launches from `first` up to `end`, or control flow between them. */
export type Stretch = { readonly kind: 'launches'; readonly first: number; readonly end: number } | BoundControl

function bindStretches(steps: readonly PlanStep[], table: SizeTableBuilder): readonly Stretch[] | null {
  if (steps.every(isLaunch)) return null
  const stretches: Stretch[] = []
  let [first, end] = [0, 0]
  const close = (): void => {
    if (end > first) stretches.push({ kind: 'launches', first, end })
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
    stretches.push({ kind: 'control', step, operands: step.operands.map(bind), predicate })
  }
  close()
  return stretches
}

interface PointerPatch extends Patch {
  readonly buffer: number
}

/** `packed`: the artifact's steps. */
export function bindArtifact(artifact: Artifact, packed: PatchableSteps): Binding {
  const { plan, kernels } = artifact
  const table = new SizeTableBuilder()
  const pointers: PointerPatch[] = []
  const sizes: Patch[] = []
  const scalars: ScalarArgument[] = []
  const launches = launchesAmong(plan.steps)
  for (const [step, { kernel, args }] of launches.entries()) {
    for (const [index, argument] of argumentsOf(kernels[kernel]!.params).entries()) {
      const place = { step, argument: index }
      const given = args[argument.param]!
      if (argument.kind === 'pointer') pointers.push(bindPointer(place, given, plan.buffers, table))
      else if (argument.kind === 'scalar') bindScalar(place, given, table, sizes, scalars)
      else sizes.push({ ...place, value: table.add(viewDim(given, argument.kind, argument.dim)) })
    }
  }
  const steps = launches.map((step, i) => bindStep(step, i, table))
  const written = writtenBuffers(artifact)
  const buffers = plan.buffers.map((buffer, i) => {
    const own = pointers.filter(pointer => pointer.buffer === i)
    return bindBuffer(buffer, written.has(i), own, table, packed)
  })
  const slots = slotsOf(buffers)
  const outputs = plan.outputs.map(output => table.addLayout(output))
  const stretches = bindStretches(plan.steps, table)
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
    stretches,
    table: built,
  }
}

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
    itemBytes: itemBytes(buffer.dtype),
    bytes: table.add(buffer.kind === 'input' ? 0 : mulSizes(buffer.elements, itemBytes(buffer.dtype))),
    isWritten,
    isMoving: !table.areFixed(pointers.map(({ value }) => value)),
    pointers: packed.patches(pointers),
  }
}

/** Each size that a slot must hold, once. */
function slotsOf(buffers: readonly BoundBuffer[]): SlotSize[] {
  const temporaries = buffers.filter(({ slot }) => slot >= 0)
  const isFirst = ({ slot, bytes }: SlotSize, i: number): boolean =>
    temporaries.findIndex(other => other.slot === slot && other.bytes === bytes) === i
  return temporaries.filter(isFirst).map(({ slot, bytes }) => ({ slot, bytes }))
}

/** The work of a step of one program at most does not matter. */
function bindStep({ grid, bytes, flops }: LaunchStep, step: number, table: SizeTableBuilder): StepSize {
  const isSmall = grid.every(size => size === 0 || size === 1)
  const [x, y, z] = grid
  const work = { bytes: table.add(isSmall ? 0 : bytes), flops: table.add(isSmall ? 0 : flops) }
  return { step, x: table.add(x), y: table.add(y), z: table.add(z), ...work }
}

const isFixedStep = ({ x, y, z, bytes, flops }: StepSize, table: SizeTableBuilder): boolean =>
  table.areFixed([x, y, z, bytes, flops])

function bindPointer(
  place: ArgumentPlace,
  given: PlanArgument,
  buffers: readonly PlanBuffer[],
  table: SizeTableBuilder,
): PointerPatch {
  const { buffer, offset } = asView(given)
  return { ...place, buffer, value: table.add(mulSizes(offset, itemBytes(buffers[buffer]!.dtype))) }
}

function bindScalar(
  place: ArgumentPlace,
  given: PlanArgument,
  table: SizeTableBuilder,
  sizes: Patch[],
  scalars: ScalarArgument[],
): void {
  if (given.kind === 'size') sizes.push({ ...place, value: table.add(given.value) })
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
