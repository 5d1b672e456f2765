/** What compiling a function did and why, as an object and as text for people. */
import type { SourceLocation } from '../base/source.js'
import { graphDialect } from '../graph/ir.js'
import { print } from '../ir/print.js'
import { cpuDevice } from '../runtime/cpu/device.js'
import type { Size } from '../scalar/size.js'
import type { Capture, GraphBreak } from './capture.js'
import type { CompileStats } from './compile.js'
import { runPipeline, targetOf } from './pipeline.js'

export interface KernelExplanation {
  readonly name: string
  /** The ops fused into it, in order, and the user's lines behind them. */
  readonly ops: readonly string[]
  readonly lines: readonly SourceLocation[]
  /** Bytes read and written at least, and floating-point operations; symbolic for dynamic shapes. */
  readonly bytes: Size
  readonly flops: Size
}

export interface Explanation {
  readonly name: string
  /** The graph as captured, and after the graph passes. */
  readonly graph: string
  readonly optimised: string
  /** Ops that the function calls, views left out: each is a kernel of its own when run eagerly. */
  readonly opCount: number
  readonly kernels: readonly KernelExplanation[]
  readonly guards: readonly string[]
  readonly breaks: readonly GraphBreak[]
  readonly recompiles: readonly string[]
  /** The generated translation unit. */
  readonly code: string
  /** Where the values that the function reads come from: arguments, closures, constants. */
  readonly inputs: readonly string[]
  toString(): string
}

export function explainCapture(name: string, capture: Capture, stats: CompileStats): Explanation {
  const { segment, guards, breaks } = capture
  const stages = runPipeline(segment.graph, targetOf(cpuDevice()))
  const explanation = {
    name,
    graph: print(graphDialect, stages.captured.body, { origins: true }),
    optimised: print(graphDialect, stages.optimised.body),
    opCount: segment.ops,
    kernels: stages.plan.steps.map(({ kernel, ops, lines, bytes, flops }) => ({
      name: stages.plan.kernels[kernel]!.name,
      ops,
      lines,
      bytes,
      flops,
    })),
    guards: guards.describe(),
    breaks,
    recompiles: stats.recompiles,
    code: stages.source,
    inputs: segment.inputs.map(({ kind, path, tensor }) => `${path}: ${kind}, ${tensor.describe()}`),
  }
  return { ...explanation, toString: () => printExplanation(explanation) }
}

const place = (at: SourceLocation | null): string => (at === null ? '(no line)' : `${at.file}:${at.line}`)

function printExplanation(e: Omit<Explanation, 'toString'>): string {
  const section = (title: string, lines: readonly string[]): string[] =>
    lines.length === 0 ? [] : ['', `${title}:`, ...lines.map(line => `  ${line}`)]
  const kernels = e.kernels.flatMap(({ name, ops, lines, bytes, flops }) => [
    `${name}: ${ops.join(', ')}`,
    `  ${bytes} bytes, ${flops} flops${lines.length === 0 ? '' : `, from ${lines.map(place).join(', ')}`}`,
  ])
  return [
    `${e.name}: ${e.opCount} ops in ${e.kernels.length} ${e.kernels.length === 1 ? 'kernel' : 'kernels'}`,
    ...section('inputs', e.inputs),
    ...section('guards', e.guards),
    ...section('kernels', kernels),
    ...section(
      'graph breaks',
      e.breaks.map(({ reader, at }) => `${reader} at ${place(at)}`),
    ),
    ...section('recompiles', e.recompiles),
    ...section('graph', e.graph.trimEnd().split('\n')),
    '',
  ].join('\n')
}
