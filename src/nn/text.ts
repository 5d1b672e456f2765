/** Modules as text: PyTorch's print, and the summary table. */
import { formatBytes } from '../base/units.js'
import type { Tensor } from '../tensor/tensor.js'
import { itemBytes } from '../types/dtype.js'

/** `Linear(inFeatures=2, outFeatures=3, bias=true)`; children follow on indented lines. */
export function moduleText(name: string, details: string, children: readonly (readonly [string, object])[]): string {
  if (children.length === 0) return `${name}(${details})`
  const lines = children.map(([key, child]) => `(${key}): ${String(child).replaceAll('\n', '\n  ')}`)
  return `${name}(\n${[...(details === '' ? [] : [details]), ...lines].map(line => `  ${line}\n`).join('')})`
}

export interface SummaryRow {
  /** '' of the module itself. */
  readonly path: string
  readonly type: string
  /** Its own parameters with their shapes. */
  readonly shapes: readonly string[]
  /** Elements of all parameters in it and below. */
  readonly parameters: number
}

interface SummaryTotals {
  readonly parameters: number
  readonly trainable: number
  /** Parameters and buffers. */
  readonly tensors: readonly Tensor[]
  readonly buffers: readonly Tensor[]
}

const grouped = (count: number): string => count.toLocaleString('en-US')

export function summaryText(rows: readonly SummaryRow[], totals: SummaryTotals): string {
  const cells = [
    ['module', 'type', 'own parameters', 'total'],
    ...rows.map(({ path, type, shapes, parameters }) => {
      const isBelow = (other: string): boolean => other !== path && (other === '' || path.startsWith(`${other}.`))
      const depth = rows.filter(row => isBelow(row.path)).length
      return [`${'  '.repeat(depth)}${path || '(self)'}`, type, shapes.join(', '), grouped(parameters)]
    }),
  ]
  const widths = cells[0]!.map((_, column) => Math.max(...cells.map(row => row[column]!.length)))
  const line = (row: readonly string[]): string =>
    row
      .map((cell, i) => (i === row.length - 1 ? cell.padStart(widths[i]!) : cell.padEnd(widths[i]!)))
      .join('  ')
      .trimEnd()
  const rule = '─'.repeat(widths.reduce((sum, width) => sum + width + 2, -2))
  const bytes = totals.tensors.reduce((sum, tensor) => sum + tensor.numel() * itemBytes(tensor.dtype), 0)
  const frozen = totals.parameters - totals.trainable
  return [
    line(cells[0]!),
    rule,
    ...cells.slice(1).map(line),
    rule,
    `parameters  ${grouped(totals.parameters)}${frozen === 0 ? '' : ` (${grouped(frozen)} frozen)`}`,
    `buffers     ${grouped(totals.buffers.reduce((sum, buffer) => sum + buffer.numel(), 0))}`,
    `memory      ${formatBytes(bytes)}`,
  ].join('\n')
}
