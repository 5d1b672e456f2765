/** The graph nodes of a kernel launch: one for the launch, and one per tensor that it writes. */
import { InternalError } from '../../base/errors.js'
import { full } from '../../graph/build.js'
import { type GraphBuilder, type GraphNode, typeOf } from '../../graph/ir.js'
import type { LaunchArgument } from '../../graph/kernel.js'
import { type Size, SizeExpr, sameShape } from '../../scalar/size.js'
import type { Layout } from '../../tensor/layout.js'
import type { KernelLaunch } from '../../tensor/tracer.js'
import { SuppliedNumber } from '../retrace/trace-log.js'

/** What a view argument stands for: views of the same cell with equal layouts are the same view. */
interface ViewSource {
  readonly node: GraphNode
  readonly cell: object
  readonly layout: Layout
}

/** A launch whose arguments may include numbers that are supplied at each call. */
export interface RecordedLaunch extends Omit<KernelLaunch, 'args'> {
  readonly args: readonly (KernelLaunch['args'][number] | SuppliedNumber)[]
}

/** @param sources what the launch's tensors stand for; null for its numbers */
export function launchNodes<Source extends ViewSource>(
  b: GraphBuilder,
  { kernel, args, writes }: RecordedLaunch,
  sources: readonly (Source | null)[],
  [x = 1, y = 1, z = 1]: readonly Size[],
): { readonly views: readonly Source[]; readonly results: readonly GraphNode[] } {
  const views: Source[] = []
  const launchArgs = args.map((arg, i): LaunchArgument => {
    const source = sources[i]
    if (source === null || source === undefined) return scalarArgument(arg)
    const known = views.findIndex(view => isSameView(view, source))
    return { input: known >= 0 ? known : views.push(source) - 1 }
  })
  const inputOf = (param: number): number => (launchArgs[param] as { input: number }).input
  const written = [...new Set(writes.map(inputOf))].sort((x, y) => x - y)
  const grid = [x, y, z] as const
  const shapes = sources.map(source => (source ? typeOf(source.node).shape : null))
  const needed = launchArgs.flatMap((arg, param) => {
    const isInput = 'input' in arg && !(writes.includes(param) && kernel.overwrites(param, shapes, grid))
    return isInput ? [arg.input] : []
  })
  const overwritten = written.filter(input => !needed.includes(input))
  const inputs = views.map(({ node }, input) => (overwritten.includes(input) ? anyValue(b, node) : node))
  const attrs = { kernel, args: launchArgs, writes: written, overwritten, grid }
  const launch = b.node('launch', inputs, attrs)
  return {
    views: written.map(input => views[input]!),
    results: written.map((_, index) => b.node('item', [launch], { index })),
  }
}

function scalarArgument(arg: RecordedLaunch['args'][number]): LaunchArgument {
  if (arg instanceof SizeExpr) return { size: arg }
  if (arg instanceof SuppliedNumber) return { scalarInput: arg.index }
  if (typeof arg !== 'object') return { scalar: arg }
  throw new InternalError('launch: a tensor in place of a number')
}

/** Replaces a value that the kernel overwrites entirely, so that it is not computed. */
function anyValue(b: GraphBuilder, node: GraphNode): GraphNode {
  const { dtype, shape } = typeOf(node)
  return full(b, dtype, shape, 0)
}

/**
 * Pairs of views of one cell that are the same view, or of which one is written and which must be disjoint. That was decided
 * with the captured call's sizes, so those sizes must be specialised.
 */
export function relatedViews<Source extends ViewSource>(
  { writes }: Pick<KernelLaunch, 'writes'>,
  sources: readonly (Source | null)[],
): (readonly [Source, Source])[] {
  const pairs: (readonly [Source, Source])[] = []
  for (const [i, view] of sources.entries()) {
    for (const [j, other] of sources.slice(0, i).entries()) {
      if (view === null || other === null || view.cell !== other.cell || view.node === other.node) continue
      if (writes.includes(i) || writes.includes(j) || isSameView(view, other)) pairs.push([view, other])
    }
  }
  return pairs
}

const isSameView = (a: ViewSource, b: ViewSource): boolean =>
  a.cell === b.cell &&
  a.layout.offset === b.layout.offset &&
  sameShape(a.layout.shape, b.layout.shape) &&
  sameShape(a.layout.strides, b.layout.strides)
