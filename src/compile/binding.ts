/**
 * Where a plan's sizes go: into arguments, grids and memory slots. All of them stand in one table, which is computed anew
 * when a symbol changes. What depends on no symbol is passed once.
 */

import type { Artifact } from '../backends/artifact.js'
import { InternalError } from '../base/errors.js'
import { mulSizes, type Size } from '../scalar/size.js'
import type { PlanArgument, PlanBuffer, PlanOutput } from '../schedule/plan.js'
import { argumentsOf } from '../tile/abi.js'
import { itemBytes } from '../types/dtype.js'
import { type SizeTable, SizeTableBuilder } from './size-table.js'

/** Where in the packed arguments a value goes. */
export interface ArgumentPlace {
  readonly step: number
  readonly argument: number
}

export interface PointerArgument extends ArgumentPlace {
  readonly buffer: number
  /** Bytes from the buffer's first element: its place in the table, as all sizes here. */
  readonly byteOffset: number
}

export interface SizeArgument extends ArgumentPlace {
  readonly value: number
}

export interface ScalarArgument extends ArgumentPlace {
  /** Index among the call's scalars. */
  readonly input: number
  readonly float: boolean
}

/** A step's grid, and the work that it is. */
export interface StepSize {
  readonly step: number
  readonly x: number
  readonly y: number
  readonly z: number
  readonly bytes: number
  readonly flops: number
}

export interface SlotSize {
  readonly slot: number
  readonly bytes: number
}

/** Passed once where it depends on no symbol, else when symbols change. */
export interface Sizes {
  readonly args: readonly SizeArgument[]
  readonly steps: readonly StepSize[]
}

export interface OutputSizes {
  readonly shape: readonly number[]
  readonly strides: readonly number[]
  readonly offset: number
  /** None of that depends on symbols. */
  readonly isFixed: boolean
}

/** An artifact's steps with every size in a table. */
export interface Binding {
  readonly table: SizeTable
  readonly fixed: Sizes
  readonly symbolic: Sizes
  readonly pointers: readonly PointerArgument[]
  /** Buffers some of whose pointers have offsets that depend on symbols. */
  readonly movingBuffers: readonly number[]
  readonly scalars: readonly ScalarArgument[]
  /** Bytes of each buffer (0 for inputs, whose memory is the caller's). */
  readonly bufferBytes: readonly number[]
  /** What temporaries need of the slots that they share. */
  readonly slots: readonly SlotSize[]
  /** None of that depends on symbols. */
  readonly isArenaFixed: boolean
  readonly outputs: readonly OutputSizes[]
}

export function bindArtifact({ plan, kernels }: Artifact): Binding {
  const table = new SizeTableBuilder()
  const pointers: PointerArgument[] = []
  const sizes: SizeArgument[] = []
  const scalars: ScalarArgument[] = []
  for (const [step, { kernel, args }] of plan.steps.entries()) {
    for (const [index, argument] of argumentsOf(kernels[kernel]!.params).entries()) {
      const place = { step, argument: index }
      const given = args[argument.param]!
      if (argument.kind === 'pointer') pointers.push(bindPointer(place, given, plan.buffers, table))
      else if (argument.kind === 'scalar') bindScalar(place, given, table, sizes, scalars)
      else sizes.push({ ...place, value: table.add(viewDim(given, argument.kind, argument.dim)) })
    }
  }
  const steps = plan.steps.map(({ grid: [x, y, z], bytes, flops }, step) => {
    const grid = { x: table.add(x), y: table.add(y), z: table.add(z) }
    return { step, ...grid, bytes: table.add(bytes), flops: table.add(flops) }
  })
  const bufferBytes = plan.buffers.map(buffer => table.add(buffer.kind === 'input' ? 0 : bytesOf(buffer)))
  const slots = plan.buffers.flatMap((buffer, i) =>
    buffer.kind === 'temp' ? [{ slot: buffer.slot, bytes: bufferBytes[i]! }] : [],
  )
  const moving = pointers.filter(({ byteOffset }) => !table.areFixed([byteOffset]))
  const outputs = plan.outputs.map(output => bindOutput(output, table))
  const isFixedArg = ({ value }: SizeArgument): boolean => table.areFixed([value])
  return {
    fixed: { args: sizes.filter(isFixedArg), steps: steps.filter(step => isFixedStep(step, table)) },
    symbolic: {
      args: sizes.filter(arg => !isFixedArg(arg)),
      steps: steps.filter(step => !isFixedStep(step, table)),
    },
    pointers,
    movingBuffers: [...new Set(moving.map(({ buffer }) => buffer))],
    scalars,
    bufferBytes,
    slots,
    isArenaFixed: table.areFixed(slots.map(({ bytes }) => bytes)),
    outputs,
    table: table.build(plan.symbols.map(symbol => symbol.name)),
  }
}

/** Whether a step is the same for all symbols: the work of a single program does not matter. */
function isFixedStep({ x, y, z, bytes, flops }: StepSize, table: SizeTableBuilder): boolean {
  const grid = [x, y, z].map(size => table.fixed(size))
  if (grid.includes(null)) return false
  return grid.every(size => size === 0 || size === 1) || table.areFixed([bytes, flops])
}

function bindOutput({ shape, strides, offset }: PlanOutput, table: SizeTableBuilder): OutputSizes {
  const sizes = {
    shape: shape.map(size => table.add(size)),
    strides: strides.map(size => table.add(size)),
    offset: table.add(offset),
  }
  return { ...sizes, isFixed: table.areFixed([...sizes.shape, ...sizes.strides, sizes.offset]) }
}

const bytesOf = ({ elements, dtype }: Exclude<PlanBuffer, { kind: 'input' }>): Size =>
  mulSizes(elements, itemBytes(dtype))

function bindPointer(
  place: ArgumentPlace,
  given: PlanArgument,
  buffers: readonly PlanBuffer[],
  table: SizeTableBuilder,
): PointerArgument {
  const { buffer, offset } = asView(given)
  return { ...place, buffer, byteOffset: table.add(mulSizes(offset, itemBytes(buffers[buffer]!.dtype))) }
}

function bindScalar(
  place: ArgumentPlace,
  given: PlanArgument,
  table: SizeTableBuilder,
  sizes: SizeArgument[],
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
