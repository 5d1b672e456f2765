/**
 * Runs a function once on symbolic tensors and turns what it did into data: the structure of its arguments and result,
 * the graph in between, and the guards under which that graph is the function.
 */
import { CaptureError, InternalError, ShapeError } from '../base/errors.js'
import type { SourceLocation } from '../base/source.js'
import { requireSynchronous } from '../base/synchronous.js'
import { SymbolicShapeError } from '../graph/sizes.js'
import type { Tensor } from '../tensor/tensor.js'
import { withTracer } from '../tensor/tracer.js'
import { Guards } from './guards.js'
import type { BucketOf } from './layout.js'
import { SizeAnswers } from './size-answers.js'
import { GraphTracer, type Segment } from './tracer.js'
import { describeResult, describeTree, rebuildTree, type Tree } from './tree.js'

export type TensorFunction = (...args: never[]) => unknown

/** A read of values inside the function: what was called, and where. */
export interface GraphBreak {
  readonly reader: string
  readonly at: SourceLocation | null
}

export interface Capture {
  readonly args: Tree
  readonly result: Tree
  /** The function from its start, or from its last graph break. Its arguments' leaves are the first inputs. */
  readonly segment: Segment
  readonly guards: Guards
  readonly breaks: readonly GraphBreak[]
}

export interface CaptureOutcome {
  /** null: an op had to know a symbolic size, which is among `pinned`. */
  readonly capture: Capture | null
  /** `path:dim` of the symbolic input sizes that the function or an op needs as numbers: to be specialised. */
  readonly pinned: ReadonlySet<string>
}

export interface CaptureOptions {
  readonly name: string
  readonly fullgraph: boolean
  readonly isDynamic: (path: string, dim: number) => boolean
  /** Which sizes share a symbolic size's version; default: all. */
  readonly bucketOf?: BucketOf | null
  /** Runs the segment that a graph break ends and returns its outputs. */
  readonly runSegment: (segment: Segment) => readonly Tensor[]
}

/**
 * Captures `fn` for these arguments. Throws CaptureError when a value is read under `fullgraph`, when the result is no
 * tree of tensors, or when `fn` is asynchronous; whatever `fn` throws passes through.
 */
export function captureFunction(fn: TensorFunction, args: readonly unknown[], options: CaptureOptions): CaptureOutcome {
  const call: TracedCall = { fn, args, answers: new SizeAnswers(), ran: [] }
  for (;;) {
    try {
      const outcome = trace(call, options)
      if (outcome !== null) return outcome
    } catch (error) {
      return traceWithNumbers(error, call, options)
    }
  }
}

/** A call while it is captured, in one or more traces. */
interface TracedCall {
  readonly fn: TensorFunction
  readonly args: readonly unknown[]
  readonly answers: SizeAnswers
  /** What the segments gave that graph breaks ended, in order: they run once, however often the call is traced. */
  readonly ran: (readonly Tensor[])[]
}

/**
 * An op refused what it was given. With the sizes as numbers it either says so in the caller's numbers, or it was no more
 * than an unknown size that it minded: then the graph is for these sizes alone.
 */
function traceWithNumbers(error: unknown, call: TracedCall, options: CaptureOptions): CaptureOutcome {
  if (!(error instanceof ShapeError) || !error.message.match(symbolName)) throw error
  const outcome = trace(call, { ...options, isDynamic: () => false })
  if (outcome === null) throw new InternalError(`compile: ${options.name}: a known size is not known`)
  return outcome
}

/** As the symbol table names them, in a message. */
const symbolName = /\b[st]\d+\b/

/** Runs the function on symbolic tensors. Null: it has to be traced again, with what was answered of its sizes. */
function trace({ fn, args, answers, ran }: TracedCall, options: CaptureOptions): CaptureOutcome | null {
  const breaks: GraphBreak[] = []
  const tracer = new GraphTracer({
    name: options.name,
    isDynamic: options.isDynamic,
    bucketOf: options.bucketOf ?? null,
    answers,
    runSegment: (segment, reader, at) => {
      if (options.fullgraph) throw fullgraphError(options.name, reader, at)
      breaks.push({ reader, at })
      const known = ran[breaks.length - 1]
      const outputs = known ?? options.runSegment(segment)
      if (known === undefined) ran.push(outputs)
      return outputs
    },
  })
  const leaves: Tensor[] = []
  const tree = describeTree(args, leaves, 'args')
  const paths = leafPaths(tree)
  const lifted = leaves.map((leaf, i) => tracer.lift(leaf, 'argument', paths[i]!))
  const symbolicArgs = rebuildTree(tree, lifted) as readonly never[]
  let value: unknown
  try {
    value = withTracer(tracer, () => fn(...symbolicArgs))
  } catch (error) {
    if (!(error instanceof SymbolicShapeError)) throw error
    if (error.signOf !== null && tracer.answer(error.signOf)) return null
    if (!tracer.pinSizes(error.sizes)) throw error
    return { capture: null, pinned: tracer.pinned }
  }
  requireSynchronous(value, what => asynchronousError(options.name, what))
  const results: Tensor[] = []
  const result = describeResult(value, results)
  const segment = tracer.finish(results)
  return { capture: { args: tree, result, segment, guards: guardsOf(segment), breaks }, pinned: tracer.pinned }
}

const asynchronousError = (name: string, what: string): CaptureError =>
  new CaptureError(`compile: ${name} returned ${what}`, {
    fix: 'compile the synchronous part of the function; await before or after it',
  })

function fullgraphError(name: string, reader: string, at: SourceLocation | null): CaptureError {
  return new CaptureError(`${reader}: values are read while ${name} is captured, and fullgraph is asked for`, {
    at,
    fix: 'return the tensor and read it outside, use where() in place of a branch, or drop fullgraph: true',
  })
}

/** The path of each tensor of a tree, by its index. */
export function leafPaths(tree: Tree, paths: string[] = []): string[] {
  if (tree.kind === 'tensor') paths[tree.index] = tree.path
  else if (tree.kind !== 'value') for (const item of tree.items) leafPaths(item, paths)
  return paths
}

function guardsOf({ graph, inputs, conditions }: Segment): Guards {
  const guards = inputs.map(({ tensor, path }, i) => {
    const node = graph.body.params[i]!
    const { shape, strides } = node.op === 'input' ? node.attrs : { shape: [], strides: [] }
    return { path, dtype: tensor.dtype, device: tensor.device, shape, strides }
  })
  return new Guards(guards, graph.symbols, conditions)
}
