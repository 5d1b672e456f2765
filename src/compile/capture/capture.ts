/**
 * Runs a function once on symbolic tensors and turns what it did into data: the structure of its arguments and result, the
 * graph between them, what it wrote into objects among its arguments, and the guards under which all this is valid.
 */
import { CaptureError, InternalError, ShapeError } from '../../base/errors.js'
import type { SourceLocation } from '../../base/source.js'
import { requireSynchronous } from '../../base/synchronous.js'
import { SymbolicShapeError } from '../../graph/sizes.js'
import { requiresGradNow } from '../../tensor/autograd/history.js'
import { ScalarVariable, SymbolicNumber } from '../../tensor/symbolic-number.js'
import type { Tensor } from '../../tensor/tensor.js'
import { captureRefusal } from '../../tensor/trace.js'
import { type Tracer, withTracer } from '../../tensor/tracer.js'
import { Guards } from '../guards/guards.js'
import type { BucketOf } from '../guards/layout.js'
import { ArgumentState, type Change, type LiftedArguments } from './argument-state.js'
import { type ArgumentTree, type DescribedArguments, describeArguments, slotPaths } from './argument-tree.js'
import { Done } from './done.js'
import type { CapturedGradients, GradientTracer, LeafGradient } from './gradients.js'
import type { Segment } from './segment.js'
import { SizeAnswers } from './size-answers.js'
import { GraphTracer, ResultsAlike, symbolName } from './tracer.js'
import { describeTree, describeValue, MadeObjects, type Tree, type TreeContext } from './tree.js'
import type { WatchedContent, WatchedState } from './watched-state.js'

export type TensorFunction = (...args: never[]) => unknown

/** A read of values inside the function: what was called, and where. */
export interface GraphBreak {
  readonly reader: string
  readonly at: SourceLocation | null
}

/** What a function returned, and what it wrote into the objects among its arguments. */
export interface Outcome {
  readonly result: Tree
  readonly changes: readonly Change[]
  /** The plain values (neither tensors nor objects) that it wrote. */
  readonly assigned: readonly unknown[]
  /** The gradients of tensors from outside that it asked for or changed. */
  readonly grads: readonly LeafGradient[]
  /** The watched objects that it used, as they were before. */
  readonly watched: WatchedContent
}

export interface Capture extends Outcome {
  readonly args: ArgumentTree
  /** The function from its start, or from its last graph break. The arguments' tensors are the first inputs. */
  readonly segment: Segment
  readonly guards: Guards
  readonly breaks: readonly GraphBreak[]
}

/** `path:dim` of input sizes that had to be known as numbers, and the line that needed them. */
export type PinnedSizes = ReadonlyMap<string, SourceLocation | null>

export interface CaptureOutcome {
  /** null: an op had to know a symbolic size. */
  readonly capture: Capture | null
  /** What the function read, or, without a capture, what the op had to know. */
  readonly pinned: PinnedSizes
}

export interface CaptureOptions {
  readonly name: string
  readonly fullgraph: boolean
  readonly isDynamic: (path: string, dim: number) => boolean
  /** Called with each tensor that crosses a graph break, before its sizes are chosen. Default: nothing is called. */
  readonly resumes?: (path: string, tensor: Tensor) => void
  /** Whether an earlier capture of the function pinned this key. Default: no. */
  readonly isPinned?: (key: string) => boolean
  /** The range of sizes that share a version with a size; default: all sizes. */
  readonly bucketOf?: BucketOf | null
  /** What earlier captures of this call did; this capture adds to it. Default: nothing. */
  readonly done?: Done
  /** The version that the trace is to be compared with. Default: none. */
  readonly like?: LiftedLike
  /** Runs the segment that a graph break ends and returns its outputs. */
  readonly runSegment: (segment: Segment) => readonly Tensor[]
}

/** Which tensors of a call were inputs of their own in a version, even if this call passes one tensor for several of them. */
export interface LiftedLike {
  readonly described: DescribedArguments
  /** The input of each tensor among the arguments. */
  readonly inputOfLeaf: readonly number[]
  /** Tensors that the function closed over, which were no arguments. */
  readonly closures: ReadonlySet<Tensor>
}

/**
 * Captures `fn` for these arguments. Throws CaptureError when a value is read under `fullgraph`, when an argument cannot
 * be guarded, when the result is no tree of tensors, when the function changes what cannot be changed at each call, or
 * when `fn` is asynchronous; whatever `fn` throws passes through.
 */
export function captureFunction(fn: TensorFunction, args: readonly unknown[], options: CaptureOptions): CaptureOutcome {
  const start = { answers: new SizeAnswers(), done: options.done ?? new Done(), pinned: new Map(), isDistinct: false }
  const call: TracedCall = { fn, args, ...start }
  for (;;) {
    try {
      const outcome = trace(call, options)
      if (outcome !== null) return outcome
    } catch (error) {
      return traceWithNumbers(error, call, options)
    }
  }
}

/** The state of a call that is captured, over one or more traces. */
interface TracedCall {
  readonly fn: TensorFunction
  readonly args: readonly unknown[]
  readonly answers: SizeAnswers
  /** What any of its traces read as numbers. */
  readonly pinned: Map<string, SourceLocation | null>
  readonly done: Done
  /** It asks for gradients of what it computes itself (TracerOptions). */
  isDistinct: boolean
}

/**
 * After an op threw an error about symbolic sizes: traces again with all sizes as numbers. Either the op throws again, with
 * the user's numbers in the message, or only the symbols were the problem, and the graph is for these sizes alone.
 */
function traceWithNumbers(error: unknown, call: TracedCall, options: CaptureOptions): CaptureOutcome {
  if (!(error instanceof ShapeError) || !error.message.match(symbolName)) throw error
  const outcome = trace(call, { ...options, isDynamic: () => false, isPinned: () => true })
  if (outcome === null) throw new InternalError(`compile: ${options.name}: a known size is not known`)
  return outcome
}

/** Runs the function on symbolic tensors. Null: trace again, as a question about sizes has been answered. */
function trace(call: TracedCall, options: CaptureOptions): CaptureOutcome | null {
  const { fn, args, answers, done, pinned } = call
  done.rewind()
  const breaks: GraphBreak[] = []
  const tracer = new GraphTracer({
    name: options.name,
    isDynamic: options.isDynamic,
    resumes: options.resumes,
    isPinned: options.isPinned,
    closures: options.like?.closures,
    bucketOf: options.bucketOf ?? null,
    answers,
    pinned,
    isDistinct: call.isDistinct,
    done,
    runSegment: (segment, reader, at, instead) => {
      if (options.fullgraph) throw fullgraphError(tracer, reader, at, instead)
      breaks.push({ reader, at })
      const known = done.segments[breaks.length - 1]
      const outputs = known ?? options.runSegment(segment)
      if (known === undefined) done.segments.push(outputs)
      return outputs
    },
  })
  const described = options.like?.described ?? describeArguments(args)
  const lifted = liftArguments(tracer, described, options.like?.inputOfLeaf)
  try {
    const results: Tensor[] = []
    const outcome = runTraced(fn, described, lifted, tracer, results)
    if (tracer.doubt !== null) throw tracer.doubt
    const segment = tracer.finish(results)
    return {
      capture: { args: described.tree, segment, guards: guardsOf(segment), breaks, ...outcome },
      pinned: tracer.pinned,
    }
  } catch (thrown) {
    // If the function caught that error, what it did afterwards may be wrong for the real sizes.
    const error = tracer.doubt ?? thrown
    if (error instanceof ResultsAlike) {
      pinned.clear()
      call.isDistinct = true
      return null
    }
    if (!(error instanceof SymbolicShapeError)) throw error
    if (error.signOf !== null && tracer.answer(error.signOf)) return null
    if (error.multiple !== null && tracer.answerMultiple(error.multiple)) return null
    if (tracer.answerNumbers(error.sizes)) return null
    pinned.clear() // what the function read it reads again
    if (!tracer.pinSizes(error.sizes)) throw error
    return { capture: null, pinned: tracer.pinned }
  }
}

/**
 * The tensors among the arguments as symbolic ones, which become the first inputs of the graph, and the boxed numbers.
 *
 * @param places what stands for one input, by tensor; default: the same tensor in two places is one, as Sets and === expect
 */
export function liftArguments(
  tracer: GraphTracer,
  described: DescribedArguments,
  places: readonly unknown[] = described.slots.leaves,
): LiftedArguments {
  const { tree, slots } = described
  const paths = slotPaths(tree, 'tensor')
  const lifted = new Map<unknown, Tensor>()
  const leaves = slots.leaves.map((leaf, i) => {
    const made = lifted.get(places[i]) ?? tracer.lift(leaf, 'argument', paths[i]!)
    lifted.set(places[i], made)
    return made
  })
  return { leaves, boxes: liftBoxes(tracer, described) }
}

/** The boxed numbers that the function sees while it is traced. The same box in two places stays one. */
export function liftBoxes(tracer: Tracer, { tree, slots }: DescribedArguments): readonly SymbolicNumber[] {
  const { boxes } = slots
  const paths = slotPaths(tree, 'box')
  const lifted = boxes.map((box, leaf) => {
    const Class = box instanceof ScalarVariable ? ScalarVariable : SymbolicNumber
    return new Class(box.present, { tracer, kind: 'argument', leaf, path: paths[leaf]! })
  })
  return boxes.map(box => lifted[boxes.indexOf(box)]!)
}

/**
 * Runs the function on traced tensors in place of those among its arguments. The tensors that it returns and assigns are
 * appended to `results`; afterwards the arguments and what it used of modules (`watched`) are restored.
 */
export function runTraced(
  fn: TensorFunction,
  described: DescribedArguments,
  lifted: LiftedArguments,
  tracer: Tracer & GradientTracer & { readonly autograd: CapturedGradients; readonly watchedState: WatchedState },
  results: Tensor[],
): Outcome {
  const { name, watchedState: watched } = tracer
  const state = new ArgumentState(described)
  watched.start(described.slots.objects)
  let outcome: Outcome
  try {
    const args = state.substitute(lifted)
    const value = withTracer(tracer, () => callTraced(fn, name, args))
    requireSynchronous(value, what => asynchronousError(name, what))
    const assigned: unknown[] = []
    const made = new MadeObjects()
    const known = (item: object, path: string): Tree | null => {
      const leaf = (lifted.leaves as readonly object[]).indexOf(item)
      if (leaf >= 0) return { kind: 'argument', index: leaf, path }
      const object = state.known(item) ?? watched.indexOf(item)
      return object === null ? null : { kind: 'object', index: object, path }
    }
    const result =
      value === undefined ? noResult : describeTree(value, results, 'result', { made, known, other: plainResult })
    const context = { made, known, other: assignable(assigned, name) }
    const changes = [...state.changes(results, context), ...watched.changes(results, context)]
    outcome = { result, changes, assigned, grads: tracer.autograd.outcome(results), watched: watched.content }
    for (const tensor of results) tensor.requireAlive(name, 'what it returns')
  } finally {
    watched.restore()
    state.restore()
  }
  state.checkGuardStates(name)
  return outcome
}

/** Calls it without `this`: as `this` is no argument, it could not be guarded. */
export function callTraced(fn: TensorFunction, name: string, args: readonly never[]): unknown {
  const refuse = (_: object, key: string | symbol): never => {
    throw captureRefusal(`compile: ${name} uses this.${String(key)}, and compiled functions have no this`, {
      fix: 'pass the object as an argument, compile((self, x) => …), or close over it: compile(x => model.forward(x))',
    })
  }
  return Reflect.apply(fn, new Proxy({}, { get: refuse, set: refuse, has: refuse }), args)
}

const noResult: Tree = { kind: 'value', value: undefined, path: 'result' }

/** Null stands for what a call does not give, such as weights that were not asked for; other plain values are refused. */
function plainResult(value: unknown, path: string): Tree {
  if (value === null) return { kind: 'value', value, path }
  if (value instanceof SymbolicNumber) {
    throw new CaptureError(`compile: ${path} is a size or a boxed number, not a tensor`, {
      fix: 'return it as a tensor: full([], n)',
    })
  }
  throw new CaptureError(`compile: ${path} is ${describeValue(value)}, not a tensor`, {
    fix: 'return a tensor, or arrays and plain objects of tensors and nulls; compute other values outside the compiled function',
  })
}

/** How assigned values without tensors are recorded: primitives as they are; throws CaptureError for other objects. */
function assignable(assigned: unknown[], name: string): TreeContext['other'] {
  return (value, path) => {
    if ((typeof value !== 'object' && typeof value !== 'function') || value === null) {
      return { kind: 'assigned', index: assigned.push(value) - 1, path }
    }
    throw new CaptureError(
      `compile: ${name} makes ${path} ${describeValue(value)}, which cannot be made at each call`,
      {
        fix: 'assign tensors, numbers, texts, flags, and arrays, Maps, Sets and plain objects of them; do the rest outside',
      },
    )
  }
}

const asynchronousError = (name: string, what: string): CaptureError =>
  new CaptureError(`compile: ${name} returned ${what}`, {
    fix: 'compile the synchronous part of the function; await before or after it',
  })

function fullgraphError(
  trace: Tracer,
  reader: string,
  at: SourceLocation | null,
  instead = 'return the tensor and read it outside, use where() in place of a branch',
): CaptureError {
  return captureRefusal(`${reader}: values are read while ${trace.name} is captured, and fullgraph is set`, {
    at,
    trace,
    fix: `${instead}, or drop fullgraph: true`,
  })
}

export function guardsOf({ graph, inputs, conditions, facts }: Segment): Guards {
  const guards = inputs.map(({ tensor, path }, i) => {
    const node = graph.body.params[i]!
    const { shape, strides } = node.op === 'input' ? node.attrs : { shape: [], strides: [] }
    const { dtype, device } = tensor
    return { path, dtype, device, requiresGrad: requiresGradNow(tensor), shape, strides }
  })
  return new Guards(guards, graph.symbols, conditions, facts)
}
