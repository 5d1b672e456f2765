/** A graph as a picture that can be zoomed, moved and searched (by the page's script; without it, it scrolls). */
import { type Html, html } from './html.js'
import { type Edge, layoutOf, type Placed } from './layout.js'

export interface GraphNode {
  /** Two lines of text. */
  readonly name: string
  readonly detail: string
  /** Shown on top of it, and searched. */
  readonly title: string
  /** The address that it links to, `#kernel-3`; null: none. */
  readonly href: string | null
  /** Its looks: products, reductions, control flow, and others. */
  readonly look: 'product' | 'reduction' | 'other'
}

/** Edges lead from earlier nodes to later ones. */
export interface GraphPicture {
  /** Unique in the page. */
  readonly id: string
  /** For readers who do not see it. */
  readonly label: string
  readonly nodes: readonly GraphNode[]
  readonly edges: readonly Edge[]
}

const height = 40
const [charWidth, padding, narrowest, widest] = [7.2, 20, 70, 220]
const longest = Math.floor((widest - padding) / charWidth)
const shortened = (text: string): string => (text.length <= longest ? text : `${text.slice(0, longest - 1)}…`)

/** The picture, with its search and its buttons. */
export function graphHtml({ id, label, nodes, edges }: GraphPicture): Html {
  const sizes = nodes.map(({ name, detail }) => {
    const chars = Math.max(shortened(name).length, shortened(detail).length)
    return { height, width: Math.min(widest, Math.max(narrowest, chars * charWidth + padding)) }
  })
  const layout = layoutOf(sizes, edges)
  const lines = edges.map(([from, to], i) => {
    const points = layout.edges[i]
    const [a, b] = [layout.nodes[from]!, layout.nodes[to]!]
    return points == null
      ? html`<path class="far" d="${farPath(a, b)}"/>`
      : html`<path d="${smoothPath(points)}" marker-end="url(#${id}-arrow)"/>`
  })
  return html`<div class="graph" id="${id}">
<div class="tools">
<input type="search" placeholder="Search ${nodes.length} nodes" aria-label="Search the graph: ${label}">
<output></output>
<span class="buttons"><button type="button" data-zoom="in" aria-label="Zoom in">+</button><button type="button" data-zoom="out" aria-label="Zoom out">−</button><button type="button" data-zoom="fit">Fit</button></span>
</div>
<div class="canvas" tabindex="0" role="group" aria-label="${label}. Arrow keys move it, plus and minus zoom, 0 fits it.">
<svg xmlns="http://www.w3.org/2000/svg" width="${round(layout.width)}" height="${round(layout.height)}" viewBox="0 0 ${round(layout.width)} ${round(layout.height)}">
<defs><marker id="${id}-arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z"/></marker></defs>
<g class="edges">${lines}</g>
${nodes.map((node, i) => nodeHtml(node, layout.nodes[i]!, sizes[i]!.width))}
</svg></div></div>`
}

function nodeHtml({ name, detail, title, href, look }: GraphNode, { x, y }: Placed, width: number): Html {
  const shape = html`<title>${title}</title><rect x="${round(-width / 2)}" y="${-height / 2}" width="${round(width)}" height="${height}" rx="6"/><text y="-3">${shortened(name)}</text><text y="12" class="detail">${shortened(detail)}</text>`
  const place = html`class="node ${look}" transform="translate(${round(x)} ${round(y)})"`
  return href === null
    ? html`<g ${place}>${shape}</g>\n`
    : html`<a href="${href}" tabindex="-1" ${place}>${shape}</a>\n`
}

const round = (value: number): number => Math.round(value * 10) / 10
const pointText = ({ x, y }: Placed): string => `${round(x)} ${round(y)}`

/** Through the middles between the points, with the points as control points. */
function smoothPath(points: readonly Placed[]): string {
  const [first, ...rest] = points
  if (first === undefined) return ''
  const last = rest.pop()
  const curves = rest.map((point, i) => {
    const next = rest[i + 1]
    return next === undefined ? `Q${pointText(point)}` : `Q${pointText(point)} ${pointText(middle(point, next))}`
  })
  if (last === undefined) return ''
  return `M${pointText(first)}${rest.length === 0 ? 'L' : ''}${curves.join('')} ${pointText(last)}`
}

const middle = (a: Placed, b: Placed): Placed => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 })

function farPath(from: Placed, to: Placed): string {
  const bend = (to.y - from.y) / 3
  return `M${round(from.x)} ${round(from.y + height / 2)}C${round(from.x)} ${round(from.y + bend)} ${round(to.x)} ${round(to.y - bend)} ${round(to.x)} ${round(to.y - height / 2)}`
}
