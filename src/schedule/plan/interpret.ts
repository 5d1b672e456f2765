/**
 * Runs a plan with the tile interpreter on host memory: the oracle for compiled plans, and the backend for machines
 * without a compiler.
 */
import { DeviceError, InternalError } from '../../base/errors.js'
import { evaluateSize, type Size } from '../../scalar/size.js'
import { type InterpreterArgument, interpret, type ViewMemory } from '../../tile/interpret.js'
import type { TileProgram } from '../../tile/ir.js'
import type { Dtype } from '../../types/dtype.js'
import { type StoredArray, storedArrayType } from '../../types/memory.js'
import type {
  BlockStep,
  LaunchStep,
  LoopStep,
  Plan,
  PlanArgument,
  PlanBlock,
  PlanBuffer,
  PlanStep,
  PlanTensor,
  StepsStep,
} from './plan.js'

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

/** Runs one kernel on memory: the tile interpreter, or what does the same. */
export type LaunchKernel = typeof interpret

/**
 * Runs every step of a plan. Temporaries share memory exactly as the plan says. `launch` runs one kernel: tests observe it,
 * or run it in other ways as well.
 */
export function interpretPlan(plan: Plan, call: HostCall, launch: LaunchKernel = interpret): HostOutput[] {
  const names = new Map(plan.symbols.map(({ name }, i) => [name, call.symbols[i]!]))
  return new PlanRun(plan, value => evaluateSize(value, names), launch).block(plan, call)
}

type BlockCall = Omit<HostCall, 'symbols'>

class PlanRun {
  constructor(
    readonly plan: Plan,
    readonly size: (value: Size) => number,
    readonly launch: LaunchKernel,
  ) {}

  block(block: PlanBlock, call: BlockCall): HostOutput[] {
    const { size } = this
    const memory = allocateBuffers(block, call, size)
    for (const step of block.steps) this.#step(step, memory, call)
    return block.outputs.map(({ buffer, offset, shape, strides }) => ({
      data: memory[buffer]!.data,
      offset: memory[buffer]!.offset + size(offset),
      shape: shape.map(size),
      strides: strides.map(size),
    }))
  }

  /** Runs one step of the plan. */
  #step(step: PlanStep, memory: HostInput[], call: BlockCall): void {
    const { size } = this
    const inputOf = ({ buffer, offset }: PlanTensor): HostInput => {
      const { data, offset: start } = memory[buffer]!
      return { data, offset: start + size(offset) }
    }
    switch (step.kind) {
      case 'launch': {
        const kernel = this.plan.kernels[step.kernel]!
        runLaunch(step, kernel, arg => argumentOf(arg, memory, call, size), size, this.launch)
        break
      }
      case 'cond': {
        const [yes, no] = step.branches
        give(step, memory, this.#inner(holds(inputOf(step.predicate)) ? yes : no, step.operands.map(inputOf)))
        break
      }
      case 'loop':
        give(step, memory, this.#loop(step, step.operands.map(inputOf)))
        break
      case 'steps':
        give(step, memory, this.#each(step, step.operands.map(inputOf)))
        break
      default:
        step satisfies never
    }
  }

  #inner(block: number, inputs: readonly HostInput[]): HostOutput[] {
    return this.block(this.plan.blocks[block]!, { inputs, scalars: [] })
  }

  #loop({ condition, body, results }: LoopStep, operands: readonly HostInput[]): readonly HostInput[] {
    const invariants = operands.slice(results.length)
    let carried = operands.slice(0, results.length)
    while (holds(this.#inner(condition, [...carried, ...invariants])[0]!)) {
      carried = this.#inner(body, [...carried, ...invariants])
    }
    return carried
  }

  #each(step: StepsStep, operands: readonly HostInput[]): readonly HostInput[] {
    const { carried: count, sequences, reverse, body } = step
    const whole = step.operands.slice(count, count + sequences)
    const [length] = whole[0]!.shape.map(this.size) as [number]
    const rows = whole.map(({ shape }) =>
      shape.slice(1).reduce<number>((product, size) => product * this.size(size), 1),
    )
    const invariants = operands.slice(count + sequences)
    let carried = operands.slice(0, count)
    const parts: HostOutput[][] = Array.from({ length }, () => [])
    for (let n = 0; n < length; n++) {
      const t = reverse ? length - 1 - n : n
      const elements = rows.map((row, i) => {
        const { data, offset } = operands[count + i]!
        return { data, offset: offset + t * row }
      })
      const results = this.#inner(body, [...carried, ...elements, ...invariants])
      carried = results.slice(0, count)
      parts[t] = results.slice(count)
    }
    const { outputs, buffers } = this.plan.blocks[body]!
    const stacked = outputs.slice(count).map(({ buffer, shape }, i) => {
      const row = shape.reduce<number>((product, size) => product * this.size(size), 1)
      const data = new (storedArrayType(buffers[buffer]!.dtype))(length * row)
      for (const [t, part] of parts.entries()) {
        const { data: from, offset } = part[i]!
        for (let at = 0; at < row; at++) data[t * row + at] = from[offset + at]!
      }
      return { data, offset: 0 }
    })
    return [...carried, ...stacked]
  }
}

/** The value of a 0-d bool. */
const holds = ({ data, offset }: HostInput): boolean => Boolean(data[offset])

/** A block's results become the memory of a step's results. */
function give({ results }: BlockStep, memory: HostInput[], given: readonly HostInput[]): void {
  for (const [i, buffer] of results.entries()) if (buffer !== null) memory[buffer] = given[i]!
}

/** Runs a launch on the tile interpreter; an empty grid does nothing. */
function runLaunch(
  { grid, args }: LaunchStep,
  kernel: TileProgram,
  argument: (arg: PlanArgument) => InterpreterArgument,
  size: (value: Size) => number,
  launch: LaunchKernel,
): void {
  const programs = grid.map(size)
  if (programs.includes(0)) return
  const values = args.map((arg, i) => {
    const value = argument(arg)
    const { type } = kernel.params[i]!
    // The scalars of a call are numbers; a kernel takes booleans for bool.
    if (type.kind === 'scalar') return type.dtype === 'bool' ? Boolean(value) : value
    return { ...(value as ViewMemory), data: storedAs((value as ViewMemory).data, type.dtype) }
  })
  launch(kernel, values, programs)
}

/** The same memory as another dtype of the same width: kernels move narrow elements as integers. */
function storedAs(data: StoredArray, dtype: Dtype): StoredArray {
  const Type = storedArrayType(dtype)
  return data instanceof Type ? data : new Type(data.buffer as ArrayBuffer, data.byteOffset, data.length)
}

/** The memory of each buffer of the plan, by index. */
function allocateBuffers(plan: PlanBlock, call: BlockCall, size: (value: Size) => number): HostInput[] {
  const slots = slotMemory(plan, size)
  return plan.buffers.map((buffer): HostInput => {
    if (buffer.kind === 'input') {
      const input = call.inputs[buffer.input]
      if (input === undefined) throw new InternalError(`plan: no argument ${buffer.input}`)
      return input
    }
    const Type = storedArrayType(buffer.dtype)
    if (buffer.kind === 'result') return { data: new Type(0), offset: 0 } // until its step has run
    const elements = size(buffer.elements)
    const isTemp = buffer.kind === 'temp'
    const memory = isTemp ? slots[buffer.slot]! : heapOf(elements * Type.BYTES_PER_ELEMENT)
    return { data: isTemp ? new Type(memory, buffer.at, elements) : new Type(memory), offset: 0 }
  })
}

type TempBuffer = Extract<PlanBuffer, { kind: 'temp' }>

/** Throws DeviceError for more bytes than JavaScript can allocate. */
function heapOf(bytes: number): ArrayBuffer {
  try {
    return new ArrayBuffer(bytes)
  } catch (cause) {
    throw new DeviceError(`out of memory: ${bytes} bytes in the interpreter`, { cause, fix: 'use smaller tensors' })
  }
}

/** A slot reaches to the end of its buffers. Filled with ones, so that unwritten memory does not read as zero. */
function slotMemory(plan: PlanBlock, size: (value: Size) => number): ArrayBuffer[] {
  const bytes = new Array<number>(plan.slots).fill(0)
  const temps = plan.buffers.filter((buffer): buffer is TempBuffer => buffer.kind === 'temp')
  for (const { dtype, elements, slot, at } of temps) {
    bytes[slot] = Math.max(bytes[slot]!, at + size(elements) * storedArrayType(dtype).BYTES_PER_ELEMENT)
  }
  return bytes.map(count => {
    const buffer = heapOf(Math.ceil(count / 8) * 8)
    new Uint8Array(buffer).fill(0xff)
    return buffer
  })
}

/** The value of a kernel argument. */
function argumentOf(
  arg: PlanArgument,
  memory: readonly HostInput[],
  call: BlockCall,
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
