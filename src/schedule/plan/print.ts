/** Prints a plan: its steps in order, their memory, and optionally the kernels. */
import { print } from '../../ir/print.js'
import type { Size } from '../../scalar/size.js'
import { type TileNode, tileDialect } from '../../tile/ir.js'
import type { BlockStep, LaunchStep, Plan, PlanArgument, PlanBlock, PlanBuffer, PlanStep, PlanView } from './plan.js'

export interface PrintPlanOptions {
  /** Print the kernels' tile programs too. */
  readonly kernels?: boolean
}

/** The plan as text: symbols, buffers and steps, and with `options.kernels` the tile programs. */
export function printPlan(plan: Plan, options: PrintPlanOptions = {}): string {
  const lines = [
    ...plan.symbols.map(
      ({ name, kind, input, dim, unit }) =>
        `symbol ${name} = ${kind} ${dim} of input ${input}${unit === undefined ? '' : `, less ${unit.rest}, / ${unit.divisor}`}`,
    ),
    ...printBlock(plan, plan),
    ...plan.blocks.flatMap((block, i) => ['', `block ${i}`, ...printBlock(block, plan)]),
  ]
  if (options.kernels)
    for (const { name, body } of plan.kernels) lines.push('', `kernel ${name}`, print<TileNode>(tileDialect, body))
  return `${lines.join('\n')}\n`
}

const printBlock = ({ buffers, steps, outputs }: PlanBlock, plan: Plan): string[] => [
  ...buffers.map((buffer, i) => `b${i} = ${printBuffer(buffer)}${printDevice(buffer, plan)}`),
  ...steps.map(step => `${printStep(step, plan)}${printDevice(step, plan)}`),
  ...outputs.map(output => `return ${output.dtype} ${printView(output)}`),
]

/** Only where the plan has several devices. */
const printDevice = ({ device }: PlanBuffer | PlanStep, { devices }: Plan): string =>
  devices > 1 ? ` on device ${device}` : ''

function printBuffer(buffer: PlanBuffer): string {
  switch (buffer.kind) {
    case 'input':
      return `input ${buffer.input}: ${buffer.dtype}`
    case 'output':
    case 'result':
      return `${buffer.kind}: ${buffer.dtype} × ${buffer.elements}`
    case 'temp':
      return `temp in slot ${buffer.slot}${buffer.at === 0 ? '' : ` at ${buffer.at}`}: ${buffer.dtype} × ${buffer.elements}`
    default:
      return buffer satisfies never
  }
}

function printStep(step: PlanStep, plan: Plan): string {
  switch (step.kind) {
    case 'launch':
      return printLaunch(step, plan)
    case 'cond':
      return `${printResults(step)}if ${printView(step.predicate)} block ${step.branches[0]} else block ${step.branches[1]}${printOperands(step)}`
    case 'loop':
      return `${printResults(step)}while block ${step.condition} do block ${step.body}${printOperands(step)}`
    case 'steps': {
      const { body, carried, sequences, reverse } = step
      const order = reverse ? 'last first' : 'first first'
      return `${printResults(step)}for each of operands ${carried} to ${carried + sequences - 1}, ${order}, block ${body}${printOperands(step)}`
    }
    default:
      return step satisfies never
  }
}

const printResults = ({ results }: BlockStep): string =>
  `${results.map(buffer => (buffer === null ? '_' : `b${buffer}`)).join(', ')} = `
const printOperands = ({ operands, lines }: BlockStep): string =>
  `(${operands.map(printView).join(', ')})${lines.length === 0 ? '' : `  # at ${printLocations(lines)}`}`
const printLocations = (lines: LaunchStep['lines']): string =>
  lines.map(({ file, line }) => `${file.split('/').at(-1)}:${line}`).join(', ')

function printLaunch({ kernel, grid, args, bytes, flops, ops, lines }: LaunchStep, plan: Plan): string {
  const locations = printLocations(lines)
  const behind = `  # ${ops.join(', ')}${locations === '' ? '' : ` at ${locations}`}; ${bytes} bytes, ${flops} flops`
  return `launch ${plan.kernels[kernel]!.name}[${trimmed(grid).join(', ')}](${args.map(printArgument).join(', ')})${behind}`
}

/** The grid without trailing ones. */
function trimmed(grid: readonly Size[]): readonly Size[] {
  const used = grid.findLastIndex(size => size !== 1)
  return grid.slice(0, Math.max(1, used + 1))
}

function printArgument(arg: PlanArgument): string {
  switch (arg.kind) {
    case 'view':
      return printView(arg)
    case 'size':
      return `size ${arg.value}`
    case 'scalarInput':
      return `scalar ${arg.input}`
    default:
      return arg satisfies never
  }
}

function printView({ buffer, offset, shape, strides }: PlanView): string {
  const at = offset === 0 ? '' : `+${offset}`
  return `b${buffer}${at}[${shape.map((size, d) => `${size}:${strides[d]}`).join(', ')}]`
}
