/**
 * Gradients of compiled graphs that are called outside of a captured training step. The graph gives, beside its results, what
 * its gradient reads, or what that is cheap to compute from again (partition.ts); with these it is an op, whose gradient the tape takes like
 * that of any other.
 */
import { contentHash } from '../base/canonical.js'
import { CaptureError } from '../base/errors.js'
import { denseStrides } from '../graph/apply.js'
import { castTo, reshapeTo, shapeOf } from '../graph/build.js'
import { expandGradients } from '../graph/derivatives/expand.js'
import { vjp } from '../graph/derivatives/modes.js'
import { type ReadValues, readBy } from '../graph/derivatives/saved.js'
import {
  type Graph,
  type GraphBlock,
  type GraphBuilder,
  type GraphNode,
  graphBuilder,
  graphDialect,
  type SizeSymbol,
  typeOf,
} from '../graph/ir.js'
import { remake } from '../graph/passes/pass.js'
import type { OpInput, OpRecord } from '../graph/record.js'
import { printShape, requireEqual } from '../graph/sizes.js'
import type { Attrs } from '../ir/node.js'
import { transplant } from '../ir/transplant.js'
import { ownNodesOf } from '../ir/walk.js'
import { addSizes, floorDivSizes, type Size } from '../scalar/size.js'
import { requiresGradNow } from '../tensor/autograd/history.js'
import { recordCall } from '../tensor/autograd/op-node.js'
import { tensorOps } from '../tensor/dispatch.js'
import type { Tensor } from '../tensor/tensor.js'
import type { Segment, Tape } from './capture/segment.js'
import { graphText, recognisedOps } from './pipeline.js'
import { Renaming } from './retrace/renaming.js'

/** A graph that gives what its gradient needs, after its own outputs. */
export interface Differentiable {
  readonly graph: Graph
  /** The graph as an op: its inputs are the graph's, its results all outputs. Its attributes: the values of `value` symbols. */
  readonly record: OpRecord
}

/**
 * The graph for calls whose results require gradients. `flows`: of its outputs, into which a gradient flows; `leaves`: the tensor
 * inputs that require one.
 */
export function differentiable(captured: Graph, flows: readonly boolean[], leaves: readonly boolean[]): Differentiable {
  // Gradients in it are differentiated as the primitives that they are.
  const graph = expandGradients.run(recognisedOps(captured).graph)
  const b = graphBuilder()
  const copies = new Map<GraphNode, GraphNode>()
  const copyOf = (node: GraphNode): GraphNode => copies.get(node)!
  for (const node of ownNodesOf(graph.body)) copies.set(node, remake(b, node, node.inputs.map(copyOf)))
  const params = graph.body.params.map(copyOf)
  const results = graph.body.results.map(copyOf)
  const outputs = results.slice(0, graph.outputs).map(original)
  const { saved, read } = savedFor(
    b,
    outputs,
    flows,
    params.filter((_, i) => leaves[i]),
    new Set(params),
  )
  for (const { input, result } of graph.writeBacks)
    if (read.has(params[input]!)) throw overwritten(graph.body.params[input]!, graph.body.results[result]!)
  const own = saved.map((node, i) => b.node('copy', [node], { memory: graph.outputs + i }))
  const all = [...results.slice(0, graph.outputs), ...own]
  const made: Graph = {
    ...graph,
    body: withoutDead(b.finish([...all, ...results.slice(graph.outputs)], params)),
    outputs: all.length,
    writeBacks: graph.writeBacks.map(each => ({ ...each, result: each.result + own.length })),
  }
  return { graph: made, record: recordOf(made, own.length) }
}

/** Without the control flow of gradients, which was built to see what it reads. */
function withoutDead(block: GraphBlock): GraphBlock {
  const live = new Set(ownNodesOf({ ...block, body: [] }))
  return { ...block, body: block.body.filter(node => live.has(node)) }
}

const overwritten = (param: GraphNode, { origin: { at } }: GraphNode): CaptureError =>
  new CaptureError(`compile: the function changes ${nameOf(param)} in place, whose old values its gradient needs`, {
    at: at ?? undefined,
    fix: 'change a clone() of it, or call backward() in the same compiled function, before the change',
  })

const nameOf = (param: GraphNode): string => (param.op === 'input' ? param.attrs.name : 'a number')

/** The value that an output is a copy of. */
const original = (output: GraphNode): GraphNode => (output.op === 'copy' ? output.inputs[0]! : output)

/** `saved`: the values to be stored for the gradient of the outputs; `read`: what it reads of outputs and inputs. */
function savedFor(
  b: GraphBuilder,
  outputs: readonly GraphNode[],
  flows: readonly boolean[],
  leaves: readonly GraphNode[],
  params: ReadonlySet<GraphNode>,
): ReadValues {
  const cotangents = outputs.map((output, i) => {
    const { dtype, shape } = typeOf(output)
    const attrs = { index: params.size + i, name: `gradient ${i}`, dtype, shape, strides: denseStrides(shape) }
    return flows[i] ? b.node('input', [], attrs) : null
  })
  const gradients = vjp(b, { outputs, cotangents, inputs: leaves }).filter(gradient => gradient !== null)
  const sources = new Set(cotangents.filter(node => node !== null))
  return readBy(gradients, sources, new Set([...outputs, ...params]))
}

function recordOf(graph: Graph, hidden: number): OpRecord {
  const { body, symbols, outputs } = graph
  const results = Array.from({ length: outputs }, (_, i) => `${i}`)
  return {
    name: `compiled ${contentHash([graphText(graph)]).slice(0, 16)}`,
    summary: 'A compiled graph.',
    category: 'reduction',
    call: (...inputs: readonly never[]) => ({ inputs, attrs: {} }),
    results: results.length === 1 ? null : results,
    hidden,
    build: (b, inputs, attrs) => {
      const sizes = symbolSizes(symbols, inputs, attrs)
      const renaming = new Renaming(name => sizes.get(name) ?? null)
      const given = new Map(body.params.map((param, i) => [param, passed(b, inputs[i]!.node, param, renaming)]))
      const inner = { ...body, results: body.results.slice(0, outputs).map(original) }
      return transplant(
        graphDialect,
        b,
        inner,
        node => given.get(node) ?? null,
        attrs => renaming.deep(attrs) as Attrs,
      )
    },
  }
}

/** What is passed for a param, in the param's spelling. Throws SymbolicShapeError where sizes are not known to be equal. */
function passed(b: GraphBuilder, node: GraphNode, param: GraphNode, renaming: Renaming): GraphNode {
  const { dtype, shape } = typeOf(param)
  const wanted = shape.map(size => renaming.size(size))
  const what = (): string => `${nameOf(param)}: ${printShape(shapeOf(node))} for ${printShape(wanted)}`
  for (const [d, size] of shapeOf(node).entries()) requireEqual(size, wanted[d]!, what)
  return castTo(b, reshapeTo(b, node, wanted), dtype)
}

/** What the graph's symbols are for these inputs. */
function symbolSizes(
  symbols: readonly SizeSymbol[],
  inputs: readonly OpInput[],
  { values }: Attrs,
): ReadonlyMap<string, Size> {
  let next = 0
  return new Map(
    symbols.map(({ name, kind, input, dim, unit }): [string, Size] => {
      if (kind === 'value') return [name, (values as readonly number[])[next++]!]
      const { node } = inputs[input]!
      const { shape } = typeOf(node)
      const size =
        kind === 'size' ? shape[dim]! : (node.op === 'input' ? node.attrs.strides : denseStrides(shape))[dim]!
      return [name, unit === undefined ? size : floorDivSizes(addSizes(size, -unit.rest), unit.divisor)]
    }),
  )
}

/** The segment as calls run it: with what its gradient needs among its outputs, if a gradient flows into its results. */
export function withGradients<S extends Segment>(segment: S): S {
  const { graph, flows, inputs } = segment
  if (!flows.includes(true)) return segment
  const leaves = inputs.map(({ tensor }) => requiresGradNow(tensor))
  const made = differentiable(graph, flows, leaves)
  return { ...segment, graph: made.graph, tape: { record: made.record, flows } }
}

/** Gives the outputs of a call of a segment with a `tape` their history. */
export function recordSegment(
  { record, flows }: Tape,
  symbols: readonly SizeSymbol[],
  call: {
    readonly inputs: readonly Tensor[]
    readonly scalars: readonly (number | bigint)[]
    readonly symbols: Float64Array
    readonly outputs: readonly Tensor[]
  },
): void {
  const values = symbols.flatMap(({ kind }, i) => (kind === 'value' ? [call.symbols[i]!] : []))
  recordCall(record, [...call.inputs, ...call.scalars], { values }, call.outputs, tensorOps, flows)
}
