/**
 * Where the nodes of a graph stand: layers from top to bottom (Sugiyama), by dagre, when the page is made. Edges over many layers (what a backward
 * pass reads of the forward pass) are left out of the layout, which they would fill with bends and make several times wider, and drawn as
 * curves behind the nodes.
 */
import { createRequire } from 'node:module'

/** A node's size in pixels. */
export interface Size {
  readonly width: number
  readonly height: number
}

export interface Placed {
  /** Of the centre. */
  readonly x: number
  readonly y: number
}

export type Edge = readonly [from: number, to: number]

export interface Layout extends Size {
  readonly nodes: readonly Placed[]
  /** Through these points, in the order of the edges; null: left out. */
  readonly edges: readonly (readonly Placed[] | null)[]
}

const [nodeGap, layerGap] = [18, 34]
/** Layers that an edge may span and still count. */
const longestSpan = 4

/** Loaded by the first layout: nothing else needs it. */
type Dagre = typeof import('@dagrejs/dagre')
let loaded: Dagre | null = null
function dagre(): Dagre {
  loaded ??= createRequire(import.meta.url)('@dagrejs/dagre') as Dagre
  return loaded
}

/** @param edges from earlier nodes to later ones */
export function layoutOf(sizes: readonly Size[], edges: readonly Edge[]): Layout {
  const kept = keptEdges(sizes.length, edges)
  const graph = new (dagre().Graph)({ multigraph: true })
  graph.setGraph({ ranker: 'tight-tree', nodesep: nodeGap, ranksep: layerGap, marginx: 16, marginy: 16 })
  const connected = new Set(edges.flatMap((edge, i) => (kept[i] ? edge : [])))
  for (const i of connected) graph.setNode(String(i), { ...sizes[i]! })
  for (const [i, [from, to]] of edges.entries()) if (kept[i]) graph.setEdge(String(from), String(to), {}, String(i))
  if (connected.size > 0) dagre().layout(graph)
  const { width = 0, height = 0 } = graph.graph()
  const alone = shelf(sizes, connected, { width: Math.max(width, alonePerRow * 200), height })
  return {
    width: Math.max(width, alone.width),
    height: alone.height,
    nodes: sizes.map((_, i) => {
      if (!connected.has(i)) return alone.at.get(i)!
      const { x = 0, y = 0 } = graph.node(String(i))
      return { x, y }
    }),
    edges: edges.map(([from, to], i) =>
      kept[i] ? (graph.edge(String(from), String(to), String(i)).points ?? []) : null,
    ),
  }
}

const alonePerRow = 4

/** Edges over few layers, and of a node that has no such edge the shortest. */
function keptEdges(count: number, edges: readonly Edge[]): boolean[] {
  const layer = new Int32Array(count)
  for (const [from, to] of edges.toSorted((a, b) => a[1] - b[1])) layer[to] = Math.max(layer[to]!, layer[from]! + 1)
  const span = ([from, to]: Edge): number => layer[to]! - layer[from]!
  const kept = edges.map(edge => span(edge) <= longestSpan)
  const connected = new Set(edges.flatMap((edge, i) => (kept[i] ? edge : [])))
  for (const [i, edge] of [...edges.entries()].sort(([, a], [, b]) => span(a) - span(b))) {
    if (kept[i] || edge.every(node => connected.has(node))) continue
    kept[i] = true
    for (const node of edge) connected.add(node)
  }
  return kept
}

/** Nodes without edges, in rows below the others. */
function shelf(sizes: readonly Size[], connected: ReadonlySet<number>, { width, height }: Size) {
  const at = new Map<number, Placed>()
  let [x, y, widest, low] = [16, height, 0, 0]
  for (const [i, size] of sizes.entries()) {
    if (connected.has(i)) continue
    if (x + size.width > width && x > 16) [x, y] = [16, y + size.height + nodeGap]
    at.set(i, { x: x + size.width / 2, y: y + size.height / 2 })
    x += size.width + nodeGap
    widest = Math.max(widest, x)
    low = y + size.height + 16
  }
  return { at, width: widest, height: Math.max(height, low) }
}
