/**
 * Runs a function once on symbolic tensors and turns what it did into data: the structure of its arguments and result,
 * the graph in between, and the guards under which that graph is the function.
 */
import { CaptureError } from '../base/errors.js'
import type { SourceLocation } from '../base/source.js'
import { SymbolicShapeError } from '../graph/sizes.js'
import type { Tensor } from '../tensor/tensor.js'
import { withTracer } from '../tensor/tracer.js'
import { Guards } from './guards.js'
import type { BucketOf } from './layout.js'
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
  const breaks: GraphBreak[] = []
  const tracer = new GraphTracer({
    name: options.name,
    isDynamic: options.isDynamic,
    bucketOf: options.bucketOf ?? null,
    runSegment: (segment, reader, at) => {
      if (options.fullgraph) throw fullgraphError(options.name, reader, at)
      breaks.push({ reader, at })
      return options.runSegment(segment)
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
    if (!(error instanceof SymbolicShapeError) || !tracer.pinSizes(error.sizes)) throw error
    return { capture: null, pinned: tracer.pinned }
  }
  if (value instanceof Promise) {
    throw new CaptureError(`compile: ${options.name} returned a promise`, {
      fix: 'compile the synchronous part of the function; await before or after it',
    })
  }
  const results: Tensor[] = []
  const result = describeResult(value, results)
  const segment = tracer.finish(results)
  return { capture: { args: tree, result, segment, guards: guardsOf(segment), breaks }, pinned: tracer.pinned }
}

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

function guardsOf({ graph, inputs }: Segment): Guards {
  const guards = inputs.map(({ tensor, path }, i) => {
    const node = graph.body.params[i]!
    const { shape, strides } = node.op === 'input' ? node.attrs : { shape: [], strides: [] }
    return { path, dtype: tensor.dtype, device: tensor.device, shape, strides }
  })
  return new Guards(guards, graph.symbols)
}
