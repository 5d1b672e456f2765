/**
 * Programs that differ only in the memory that they work on, such as those of equal layers and of parameters of equal shapes,
 * have the same kernels: they are written once.
 */
import { print } from '../../ir/print.js'
import { type LoopNode, type LoopProgram, loopDialect } from '../../loop/ir.js'
import type { BufferDraft, Buffers } from '../memory/buffers.js'
import type { StepUse } from '../memory/slots.js'
import type { PlanArgument, PlanStep } from '../plan/plan.js'

/** A program with its buffers numbered as they come. */
export interface ProgramForm {
  readonly text: string
  /** By these numbers. */
  readonly buffers: readonly number[]
}

/** The launches of the first program of a form. */
export interface FormLaunches {
  readonly uses: readonly StepUse[]
  /** The program's buffers, in the order in which its form numbers them. */
  readonly buffers: readonly number[]
  /** The temporaries that were made for its launches, numbered from `first`. */
  readonly first: number
  readonly made: readonly BufferDraft[]
}

export function formOf({ body, coords, reduced, alone }: LoopProgram): ProgramForm {
  const numbers = new Map<string, number>()
  const numbered = (_: string, buffer: string): string => {
    const number = numbers.get(buffer) ?? numbers.size
    numbers.set(buffer, number)
    return ` buffer ${number}[`
  }
  const text = print<LoopNode>(loopDialect, body).replaceAll(/ buffer (\d+)\[/g, numbered)
  const loops = [...coords].map(([coord, size]) => `c${coord} < ${size}`)
  return { text: `${text}${loops} | ${[...reduced]} | ${alone}`, buffers: [...numbers.keys()].map(Number) }
}

/** The same launches for another program of the form. */
export function repeated(
  { uses, buffers, first, made }: FormLaunches,
  { ops, lines }: LoopProgram,
  form: ProgramForm,
  table: Buffers,
): StepUse[] {
  const fresh = made.map(draft => table.again(draft))
  const places = new Map([
    ...buffers.map((buffer, i) => [buffer, form.buffers[i]!] as const),
    ...fresh.map((buffer, i) => [first + i, buffer] as const),
  ])
  const placed = (arg: PlanArgument): PlanArgument =>
    arg.kind === 'view' ? { ...arg, buffer: places.get(arg.buffer)! } : arg
  const stepFor = (step: PlanStep): PlanStep =>
    step.kind === 'launch' ? { ...step, args: step.args.map(placed), ops, lines } : step
  return uses.map(({ step, writes, ...use }) => ({
    ...use,
    step: stepFor(step),
    writes: new Set([...writes].map(buffer => places.get(buffer)!)),
  }))
}
