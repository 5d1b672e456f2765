/** Readable names: of the ops behind a kernel, and of kernels. */

import type { SourceLocation } from '../../base/source.js'
import { type GraphNode, isScalarSource, isView } from '../../graph/ir.js'
import { isOpName } from '../../graph/ops/index.js'

const reductionNames: { readonly [fn: string]: string } = {
  add: 'sum',
  mul: 'prod',
  and: 'all',
  or: 'any',
}

/** The op that the user called, if the node's origin names it; else the node's own op. */
function labelOf(node: GraphNode): string {
  const { pass } = node.origin
  if (isOpName(pass)) return pass
  if (node.op === 'launch') return node.attrs.kernel.name
  if (node.op === 'map') return node.attrs.fn
  if (node.op === 'reduce') return reductionNames[node.attrs.fn] ?? node.attrs.fn
  return node.op
}

/** The ops behind nodes in order, without repetitions next to each other. */
export function opsBehind(nodes: readonly GraphNode[]): string[] {
  const computing = nodes.filter(node => !isScalarSource(node) && node.op !== 'input' && !isView(node))
  const shown = computing.length > 0 ? computing : nodes.filter(node => node.op !== 'input')
  const labels = shown.map(labelOf)
  return labels.filter((label, i) => label !== labels[i - 1])
}

/** The user's lines behind nodes, each once. */
export function linesBehind(nodes: readonly GraphNode[]): SourceLocation[] {
  const lines = new Map<string, SourceLocation>()
  for (const { origin } of nodes) if (origin.at !== null) lines.set(`${origin.at.file}:${origin.at.line}`, origin.at)
  return [...lines.values()]
}

const maxParts = 5
const snake = (label: string): string => label.replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase()

/** A kernel's name from its ops: `add_relu_mul`, `softmax_rows`. Casts are left out where there is anything else. */
export function kernelName(ops: readonly string[], suffix: string): string {
  const telling = ops.filter(op => op !== 'cast' && op !== 'to')
  const unique = [...new Set(telling.length > 0 ? telling : ops)].map(snake)
  const parts = unique.length > maxParts ? [...unique.slice(0, maxParts - 1), 'etc'] : unique
  return [...(parts.length > 0 ? parts : ['copy']), suffix].filter(part => part !== '').join('_')
}

/** Makes names unique. */
export class UniqueNames {
  readonly #taken = new Set<string>()

  take(wanted: string): string {
    let name = wanted
    for (let i = 2; this.#taken.has(name); i++) name = `${wanted}_${i}`
    this.#taken.add(name)
    return name
  }
}
