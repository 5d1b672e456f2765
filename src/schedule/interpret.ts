/**
 * Runs a plan with the tile interpreter on host memory: the oracle for compiled plans, and the backend for machines
 * without a compiler.
 */
import { DeviceError, InternalError } from '../base/errors.js'
import { evaluateSize, type Size } from '../scalar/size.js'
import { type InterpreterArgument, interpret } from '../tile/interpret.js'
import type { TileProgram } from '../tile/ir.js'
import { type StoredArray, storedArrayType } from '../types/memory.js'
import type { LaunchStep, Plan, PlanArgument, PlanBuffer } from './plan.js'

/** An argument of the plan in memory: element 0 of the graph's input is `data[offset]`. */
export interface HostInput {
  readonly data: StoredArray
  readonly offset: number
}

/** A result: element (i, j, …) is data[offset + i·strides[0] + j·strides[1] + …]. */
export interface HostOutput {
  readonly data: StoredArray
  readonly offset: number
  readonly shape: readonly number[]
  readonly strides: readonly number[]
}

export interface HostCall {
  /** In order of the graph's inputs. Write-backs change them. */
  readonly inputs: readonly HostInput[]
  /** The values of scalar inputs. */
  readonly scalars: readonly (number | bigint)[]
  /** The values of the plan's symbols, in their order. */
  readonly symbols: ArrayLike<number>
}

/**
 * Runs every step of a plan. Temporaries share memory exactly as the plan says. `launch` runs one kernel: a test may
 * watch, or run it in other ways beside.
 */
export function interpretPlan(plan: Plan, call: HostCall, launch: typeof interpret = interpret): HostOutput[] {
  const names = new Map(plan.symbols.map(({ name }, i) => [name, call.symbols[i]!]))
  const size = (value: Size): number => evaluateSize(value, names)
  const memory = allocateBuffers(plan, call, size)
  for (const step of plan.steps) {
    switch (step.kind) {
      case 'launch':
        runLaunch(step, plan.kernels[step.kernel]!, arg => argumentOf(arg, memory, call, size), size, launch)
        break
      default:
        step.kind satisfies never
    }
  }
  return plan.outputs.map(({ buffer, offset, shape, strides }) => ({
    data: memory[buffer]!.data,
    offset: memory[buffer]!.offset + size(offset),
    shape: shape.map(size),
    strides: strides.map(size),
  }))
}

function runLaunch(
  { grid, args }: LaunchStep,
  kernel: TileProgram,
  argument: (arg: PlanArgument) => InterpreterArgument,
  size: (value: Size) => number,
  launch: typeof interpret,
): void {
  const programs = grid.map(size)
  if (programs.includes(0)) return
  const values = args.map((arg, i) => {
    const value = argument(arg)
    const { type } = kernel.params[i]!
    // Scalars of a call are numbers, of a kernel what their dtype takes.
    return type.kind === 'scalar' && type.dtype === 'bool' ? Boolean(value) : value
  })
  launch(kernel, values, programs)
}

function allocateBuffers(plan: Plan, call: HostCall, size: (value: Size) => number): HostInput[] {
  const slots = slotMemory(plan, size)
  return plan.buffers.map((buffer): HostInput => {
    if (buffer.kind === 'input') {
      const input = call.inputs[buffer.input]
      if (input === undefined) throw new InternalError(`plan: no argument ${buffer.input}`)
      return input
    }
    const Type = storedArrayType(buffer.dtype)
    const elements = size(buffer.elements)
    return {
      data:
        buffer.kind === 'output'
          ? new Type(heapOf(elements * Type.BYTES_PER_ELEMENT))
          : new Type(slots[buffer.slot]!, 0, elements),
      offset: 0,
    }
  })
}

type TempBuffer = Extract<PlanBuffer, { kind: 'temp' }>

/** A slot is as large as its largest tenant. Filled with ones, so that what nobody wrote does not pass for zero. */
/** Throws DeviceError for more bytes than JavaScript has. */
function heapOf(bytes: number): ArrayBuffer {
  try {
    return new ArrayBuffer(bytes)
  } catch (cause) {
    throw new DeviceError(`out of memory: ${bytes} bytes in the interpreter`, { cause, fix: 'use smaller tensors' })
  }
}

function slotMemory(plan: Plan, size: (value: Size) => number): ArrayBuffer[] {
  const bytes = new Array<number>(plan.slots).fill(0)
  const temps = plan.buffers.filter((buffer): buffer is TempBuffer => buffer.kind === 'temp')
  for (const { dtype, elements, slot } of temps) {
    bytes[slot] = Math.max(bytes[slot]!, size(elements) * storedArrayType(dtype).BYTES_PER_ELEMENT)
  }
  return bytes.map(count => {
    const buffer = heapOf(Math.ceil(count / 8) * 8)
    new Uint8Array(buffer).fill(0xff)
    return buffer
  })
}

function argumentOf(
  arg: PlanArgument,
  memory: readonly HostInput[],
  call: HostCall,
  size: (value: Size) => number,
): InterpreterArgument {
  switch (arg.kind) {
    case 'view': {
      const { data, offset } = memory[arg.buffer]!
      return { data, offset: offset + size(arg.offset), sizes: arg.shape.map(size), strides: arg.strides.map(size) }
    }
    case 'size':
      return size(arg.value)
    case 'scalarInput': {
      const value = call.scalars[arg.input]
      if (value === undefined) throw new InternalError(`plan: no scalar argument ${arg.input}`)
      return value
    }
    default:
      return arg satisfies never
  }
}
