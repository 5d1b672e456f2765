/** The section of a page with the graph before and after fusion. */
import { basename } from 'node:path'
import { formatBytes, formatCount, plural } from '../../base/units.js'
import { type GraphNode, graphHtml } from '../../report/graph.js'
import { type Html, html } from '../../report/html.js'
import type { Edge } from '../../report/layout.js'
import type { Section } from '../../report/page.js'
import { shownLocation } from '../../report/source.js'
import type { KernelExplanation } from './explain-kernel.js'
import type { OpExplanation } from './explain-ops.js'
import type { Explanation, SegmentExplanation } from './explanation.js'
import { partHeading } from './html-parts.js'

export function graphSection({ segments }: Explanation): Section {
  let first = 0
  const parts = segments.map((segment, i) => {
    const part = segmentGraphs(segment, i, first)
    first += segment.kernels.length
    return html`${partHeading(i, segments.length)}${part}`
  })
  return {
    id: 'graph',
    title: 'Graph',
    body: html`<p class="note">Drag to move, pinch or Ctrl and wheel to zoom. A node leads to its kernel. Faint curves are values that are read much later, as by a backward pass; tensors that a call reads are left out.</p>${parts}`,
  }
}

/** Two pictures, of which one is shown. `first`: the number of the segment's first kernel in the page. */
function segmentGraphs({ ops, kernels }: SegmentExplanation, i: number, first: number): Html {
  const pictures = [
    { id: `after-${i}`, title: `After fusion: ${plural(kernels.length, 'kernel')}`, ...kernelGraph(kernels, first) },
    {
      id: `before-${i}`,
      title: `Before fusion: ${plural(ops.length, 'op')} and views`,
      ...opGraph(ops, kernels, first),
    },
  ]
  return html`<div class="tabs" role="tablist" aria-label="Graph">${pictures.map(
    ({ id, title }, k) =>
      html`<button type="button" role="tab" id="tab-${id}" aria-controls="panel-${id}" aria-selected="${String(k === 0)}"${k === 0 ? null : html` tabindex="-1"`}>${title}</button>`,
  )}</div>
${pictures.map(
  ({ id, title, nodes, edges }, k) =>
    html`<div role="tabpanel" id="panel-${id}" aria-labelledby="tab-${id}"${k === 0 ? null : html` hidden`}>${graphHtml({ id, label: title, nodes, edges })}</div>`,
)}`
}

interface Picture {
  readonly nodes: readonly GraphNode[]
  readonly edges: readonly Edge[]
}

/** A launch reads what the last launches before it wrote. */
function kernelGraph(kernels: readonly KernelExplanation[], first: number): Picture {
  const writers = new Map<string, number>()
  const edges = kernels.flatMap(({ reads, writes, within }, i) => {
    const key = (buffer: string): string => `${within ?? ''} ${buffer}`
    const from = new Set(reads.flatMap(buffer => writers.get(key(buffer)) ?? []))
    for (const buffer of writes) writers.set(key(buffer), i)
    return [...from].map(writer => [writer, i] as const)
  })
  const nodes = kernels.map((kernel, i): GraphNode => {
    const { name, ops, bytes, flops, lines } = kernel
    const where = lines.map(shownLocation).join(', ')
    return {
      name,
      detail: `${formatBytes(bytes)}${flops === 0 ? '' : `, ${formatCount(flops, 'FLOP')}`}`,
      title: `${name}\n${ops.join(', ')}\n${where}${moduleText(lines)}`,
      href: `#kernel-${first + i}`,
      look: lookOfKernel(kernel),
    }
  })
  return { nodes, edges }
}

function lookOfKernel({ tiles, ops }: KernelExplanation): GraphNode['look'] {
  if (tiles.dots.length > 0) return 'product'
  return ops.some(op => reductions.test(op)) ? 'reduction' : 'other'
}

const reductions = /sum|mean|amax|amin|softmax|norm|var|std|max$|min$|reduce/i
const products = new Set(['matmul', 'conv', 'attention'])

/** Ops lead to the first kernel that has their name and line. */
function opGraph(ops: readonly OpExplanation[], kernels: readonly KernelExplanation[], first: number): Picture {
  const places = kernels.map(kernel => new Set(kernel.lines.map(placeOf)))
  const nodes = ops.map(({ name, type, at, primitives }): GraphNode => {
    const place = at === null ? null : placeOf(at)
    const found =
      place === null ? -1 : kernels.findIndex((kernel, i) => kernel.ops.includes(name) && places[i]!.has(place))
    const steps = primitives.length > 12 ? `${primitives.slice(0, 12).join(', ')}, …` : primitives.join(', ')
    return {
      name,
      detail: at === null ? type : `${basename(at.file)}:${at.line}`,
      title: `${name}: ${type}\n${steps}${at === null ? '' : `\n${shownLocation(at)}${moduleText([at])}`}`,
      href: found < 0 ? null : `#kernel-${first + found}`,
      look: lookOfOp(primitives),
    }
  })
  return { nodes, edges: ops.flatMap(({ inputs }, i) => inputs.map(input => [input, i] as const)) }
}

function lookOfOp(primitives: readonly string[]): GraphNode['look'] {
  if (primitives.some(op => products.has(op))) return 'product'
  return primitives.includes('reduce') ? 'reduction' : 'other'
}

const placeOf = ({ file, line, column, module = '' }: KernelExplanation['lines'][number]): string =>
  `${file}:${line}:${column} ${module}`

function moduleText(lines: KernelExplanation['lines']): string {
  const modules = [...new Set(lines.flatMap(({ module }) => module ?? []))]
  return modules.length === 0 ? '' : `\nin ${modules.join(', ')}`
}
