/** The graph nodes of a kernel's launch: one for the launch, and one per tensor that it writes. */
import { full } from '../graph/build.js'
import { type GraphBuilder, type GraphNode, typeOf } from '../graph/ir.js'
import type { LaunchArgument } from '../graph/kernel.js'
import { sameShape } from '../scalar/size.js'
import type { Layout } from '../tensor/layout.js'
import type { KernelLaunch } from '../tensor/tracer.js'

/** What a view argument stands for: views of one cell with one layout are the very same view. */
interface ViewSource {
  readonly node: GraphNode
  readonly cell: object
  readonly layout: Layout
}

/** @param sources what the launch's tensors stand for; null for its numbers */
export function launchNodes<Source extends ViewSource>(
  b: GraphBuilder,
  { kernel, args, writes, overwrites, grid }: KernelLaunch,
  sources: readonly (Source | null)[],
): { readonly views: readonly Source[]; readonly results: readonly GraphNode[] } {
  const views: Source[] = []
  const launchArgs = args.map((arg, i): LaunchArgument => {
    const source = sources[i]
    if (source === null || source === undefined) return { scalar: arg as number | bigint }
    const known = views.findIndex(view => isSameView(view, source))
    return { input: known >= 0 ? known : views.push(source) - 1 }
  })
  const inputOf = (param: number): number => (launchArgs[param] as { input: number }).input
  const written = [...new Set(writes.map(inputOf))].sort((x, y) => x - y)
  const others = new Set(launchArgs.flatMap((arg, i) => ('input' in arg && !overwrites.includes(i) ? [arg.input] : [])))
  const overwritten = written.filter(input => !others.has(input))
  const inputs = views.map(({ node }, input) => {
    if (!overwritten.includes(input)) return node
    const { dtype, shape } = typeOf(node)
    return full(b, dtype, shape, 0)
  })
  const launch = b.node('launch', inputs, { kernel, args: launchArgs, writes: written, overwritten, grid })
  return {
    views: written.map(input => views[input]!),
    results: written.map((_, index) => b.node('item', [launch], { index })),
  }
}

const isSameView = (a: ViewSource, b: ViewSource): boolean =>
  a.cell === b.cell &&
  a.layout.offset === b.layout.offset &&
  sameShape(a.layout.shape, b.layout.shape) &&
  sameShape(a.layout.strides, b.layout.strides)
