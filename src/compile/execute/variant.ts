/**
 * Variants of a GPU plan's code. Kernels that may assume aligned pointers, sizes in multiples of 16 and offsets within
 * 32 bits use vector accesses and 32-bit index arithmetic. Nearly all calls allow that; others get code that assumes less.
 * In a plan without symbols, most of it is known beforehand.
 */
import { addSizes, compileSize, mulSizes, type Size, type SizeFunction, sizeDivisor } from '../../scalar/size.js'
import {
  type BlockStep,
  blocksOf,
  isLaunch,
  type LaunchStep,
  type Plan,
  type PlanArgument,
  type PlanBlock,
  type PlanBuffer,
  type PlanTensor,
  type PlanView,
  viewsOf,
} from '../../schedule/plan/plan.js'
import type { LaunchFacts } from '../../target/launch.js'
import { type Argument, argumentsOf } from '../../tile/abi.js'
import { itemBytes } from '../../types/dtype.js'

export interface Variant {
  /** Memory of all inputs starts at multiples of 16 bytes. */
  readonly aligned: boolean
  /** All symbols are multiples of 16. */
  readonly divisible: boolean
  /** All offsets within views are below 2^31. */
  readonly index32: boolean
}

/** Assumes everything: nearly all calls allow it. */
export const bestVariant: Variant = { aligned: true, divisible: true, index32: true }
/** Assumes nothing: any call may run it. */
export const weakestVariant: Variant = { aligned: false, divisible: false, index32: false }

export const variantKey = ({ aligned, divisible, index32 }: Variant): string => `${aligned} ${divisible} ${index32}`

const maxDivisor = 16
const index32Limit = 2 ** 31

/** What each kernel of the plan may assume: what holds for all of its launches. */
export function launchFacts(plan: Plan, variant: Variant): LaunchFacts[] {
  const facts = plan.kernels.map(({ params }) => ({
    list: argumentsOf(params),
    divisors: argumentsOf(params).map(() => maxDivisor),
  }))
  const visit = (block: PlanBlock, inputs: readonly number[] | null, rows = false): void => {
    const starts = block.buffers.map((buffer, i) => {
      if (buffer.kind !== 'input') return rows && buffer.kind === 'output' ? rowDivisor(block, i, variant) : maxDivisor
      return inputs?.[buffer.input] ?? (variant.aligned ? maxDivisor : itemBytes(buffer.dtype))
    })
    for (const step of block.steps) {
      if (isLaunch(step)) visitLaunch(step, block, starts)
      else {
        const divisors = step.operands.map((operand, i) =>
          Math.min(
            pointerDivisor(operand, block, starts, variant),
            isSequence(step, i) ? stride(operand, variant) : maxDivisor,
          ),
        )
        for (const inner of blocksOf(step)) visit(plan.blocks[inner]!, divisors, step.kind === 'steps')
      }
    }
  }
  const visitLaunch = (step: LaunchStep, block: PlanBlock, starts: readonly number[]): void => {
    const { list, divisors } = facts[step.kernel]!
    for (const [i, argument] of list.entries()) {
      const divisor = divisorOf(argument, step.args[argument.param]!, block, starts, variant)
      divisors[i] = Math.min(divisors[i]!, divisor)
    }
  }
  visit(plan, null)
  return facts.map(({ divisors }) => ({ divisors, indices: variant.index32 ? 'i32' : 'i64' }))
}

/** A number that divides an argument's address, size or stride at every call of the variant. */
function divisorOf(
  argument: Argument,
  given: PlanArgument,
  block: PlanBlock,
  starts: readonly number[],
  variant: Variant,
): number {
  const symbols = variant.divisible ? maxDivisor : 1
  if (argument.kind === 'scalar' || given.kind !== 'view') return 1
  if (argument.kind !== 'pointer') {
    const size = (argument.kind === 'size' ? given.shape : given.strides)[argument.dim]!
    return sizeDivisor(size, symbols, maxDivisor)
  }
  return pointerDivisor(given, block, starts, variant)
}

/** What divides the view's address; `starts`: what divides the addresses of the block's buffers. */
function pointerDivisor(
  { buffer, offset }: PlanView,
  { buffers }: PlanBlock,
  starts: readonly number[],
  { divisible }: Variant,
): number {
  const bytes = mulSizes(offset, itemBytes(buffers[buffer]!.dtype))
  return Math.min(starts[buffer]!, sizeDivisor(bytes, divisible ? maxDivisor : 1, maxDivisor))
}

/** Whether a block gets an element of the operand at a time. */
const isSequence = (step: BlockStep, operand: number): boolean =>
  step.kind === 'steps' && operand >= step.carried && operand < step.carried + step.sequences

/** What divides the distance between the elements of a sequence, in bytes. */
const stride = ({ dtype, strides }: PlanTensor, { divisible }: Variant): number =>
  sizeDivisor(mulSizes(strides[0]!, itemBytes(dtype)), divisible ? maxDivisor : 1, maxDivisor)

/** What divides the address of a block's result, which becomes an element of a longer one. */
function rowDivisor({ buffers }: PlanBlock, buffer: number, { divisible }: Variant): number {
  const { dtype, elements } = buffers[buffer] as Extract<PlanBuffer, { kind: 'output' }>
  return sizeDivisor(mulSizes(elements, itemBytes(dtype)), divisible ? maxDivisor : 1, maxDivisor)
}

/** Decides which variant a call may run. */
export class VariantReader {
  /** Extents in elements that depend on symbols, each once. */
  readonly #extents: readonly SizeFunction[]
  readonly #index32: boolean

  constructor(plan: Omit<Plan, 'kernels'>) {
    const names = plan.symbols.map(({ name }) => name)
    const steps = [plan, ...plan.blocks].flatMap(block => block.steps)
    const extents = steps.flatMap(step => viewsOf(step).flatMap(extentsOf))
    this.#index32 = extents.every(extent => typeof extent !== 'number' || extent < index32Limit)
    this.#extents = [...new Set(extents.filter(extent => typeof extent !== 'number').map(String))].map(text => {
      const extent = extents.find(each => String(each) === text)!
      return compileSize(extent, name => {
        const index = names.indexOf(name)
        return symbols => symbols[index]!
      })
    })
  }

  divisible(symbols: Float64Array): boolean {
    for (let i = 0; i < symbols.length; i++) if (symbols[i]! % maxDivisor !== 0) return false
    return true
  }

  index32(symbols: Float64Array): boolean {
    if (!this.#index32) return false
    for (let i = 0; i < this.#extents.length; i++) if (this.#extents[i]!(symbols) >= index32Limit) return false
    return true
  }
}

/** Upper bounds of index arithmetic in a view: its sizes, and the sum of size · |stride|. */
function extentsOf({ shape, strides }: PlanView): Size[] {
  const extent = shape.reduce<Size>((sum, size, d) => addSizes(sum, mulSizes(size, absolute(strides[d]!))), 0)
  return [extent, ...shape]
}

const absolute = (stride: Size): Size => (typeof stride === 'number' ? Math.abs(stride) : stride)
