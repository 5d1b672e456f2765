/**
 * Unifies several traces of the same ops for different sizes and numbers. Integers that differ become formulas of the
 * varying sizes and numbers, or sizes supplied at each call; operands that differ become numbers supplied at each call.
 * The ops are then recorded again through their records, with symbols in place of sizes.
 */
import { ShapeError, VerifyError } from '../../base/errors.js'
import type { GraphNode } from '../../graph/ir.js'
import { SymbolicShapeError } from '../../graph/sizes.js'
import { nodesOf } from '../../ir/walk.js'
import { type Size, SizeExpr } from '../../scalar/size.js'
import { withTracer } from '../../tensor/tracer.js'
import type { LiftedArguments } from '../capture/argument-state.js'
import type { CaptureOptions } from '../capture/capture.js'
import type { Segment } from '../capture/segment.js'
import { SizeAnswers } from '../capture/size-answers.js'
import { GraphTracer } from '../capture/tracer.js'
import { Replay } from './replay.js'
import { differentiatesResults, type TraceEvent } from './trace-log.js'
import { matchLog, TraceMatcher, TraceMismatch, templateOf } from './trace-match.js'
import { type Sample, varyingSizes } from './trace-sample.js'
import { MovedNumbers, TracesDiffer, unifyLogs } from './unify.js'

/** Number of traces that are unified at most. */
export const maxSamples = 4

/** What traces to be generalised start with. */
export interface Inputs {
  /** Of the tensors whose sizes the samples have. */
  readonly paths: readonly string[]
  /** Makes inputs of the arguments' tensors and boxed numbers. */
  readonly lift: (tracer: GraphTracer) => LiftedArguments
  /** The sizes of those tensors. */
  readonly sizes: (tracer: GraphTracer, lifted: LiftedArguments) => readonly (readonly Size[])[]
}

/**
 * The trace of which all samples are instances, with as many symbolic sizes as possible and the numbers of the last sample,
 * the current call's. `isRight` is asked of a trace with symbolic sizes that are the same in all samples. Null: the samples
 * record different ops, or an op must know a number that differs.
 */
export function generalise(
  samples: readonly Sample[],
  inputs: Inputs,
  options: CaptureOptions,
  isRight: (segment: Segment) => boolean = () => true,
): Segment | null {
  const varying = varyingSizes(samples, inputs.paths)
  const varies = (path: string, dim: number): boolean => varying.has(`${path}:${dim}`)
  const mayVary = (path: string, dim: number): boolean => varies(path, dim) || options.isDynamic(path, dim)
  const { sizes } = samples.at(-1)!
  const isWider = inputs.paths.some((path, i) => sizes[i]!.some((_, dim) => mayVary(path, dim) && !varies(path, dim)))
  // First with all dynamic sizes symbolic; if an op cannot work for all sizes (does 3 divide n·m?), only the varying ones.
  for (const isDynamic of isWider ? [mayVary, varies] : [varies]) {
    try {
      const segment = unified(samples, inputs, { ...options, isDynamic })
      if (isDynamic === varies || isRight(segment)) return segment
    } catch (error) {
      if (!(error instanceof TracesDiffer)) throw error
    }
  }
  return null
}

/** Throws TracesDiffer when there is none. */
function unified(samples: readonly Sample[], inputs: Inputs, options: CaptureOptions): Segment {
  const moved = new MovedNumbers(samples)
  const newest = samples.at(-1)!
  const events = unifyLogs(samples, moved)
  const answers = new SizeAnswers()
  const isDistinct = differentiatesResults(newest.log.events)
  for (;;) {
    const tracer = new GraphTracer({ ...options, bucketOf: options.bucketOf ?? null, answers, isDistinct })
    try {
      return bound(
        withTracer(tracer, () => recordAgain(tracer, events, moved, inputs, newest)),
        newest,
      )
    } catch (error) {
      // The current call answers an op's question about sizes; the answer is guarded.
      if (error instanceof SymbolicShapeError && isAnswered(tracer, error)) continue
      if (error instanceof TraceMismatch) throw new TracesDiffer(error.message)
      // The shapes fit in each trace, but not provably for all sizes: the formulas are wrong or too weak.
      if (error instanceof ShapeError || error instanceof VerifyError) throw new TracesDiffer(error.what)
      throw error
    }
  }
}

/** Records the events once more, with the numbers that differ between samples as run-time numbers. */
function recordAgain(
  tracer: GraphTracer,
  events: readonly TraceEvent[],
  moved: MovedNumbers,
  { lift, sizes }: Inputs,
  newest: Sample,
): Segment {
  const lifted = lift(tracer)
  moved.give(tracer, sizes(tracer, lifted))
  const values = new Replay(tracer, moved, lifted).run(events)
  const segment = tracer.finish(newest.outputs.map(id => values[id]!))
  if (tracer.pinned.size > 0) throw new TracesDiffer('a launch must know sizes that move')
  for (const node of nodesOf(segment.graph.body)) requireNumbers(node)
  return segment
}

/** Binds the newest trace's numbers; throws TraceMismatch if that trace is no instance of the segment. */
function bound(segment: Segment, { log, outputs }: Sample): Segment {
  const matcher = new TraceMatcher(templateOf(segment), openSymbols(segment))
  matchLog(matcher, log, outputs)
  return { ...segment, symbols: matcher.symbols, numbers: matcher.numbers }
}

const isAnswered = (tracer: GraphTracer, { signOf, multiple, sizes }: SymbolicShapeError): boolean =>
  (signOf !== null && tracer.answer(signOf)) ||
  (multiple !== null && tracer.answerMultiple(multiple)) ||
  tracer.answerNumbers(sizes)

/** The symbols' values; NaN for those that a trace supplies. */
export const openSymbols = ({ symbols, supplied }: Segment): Float64Array =>
  symbols.map((value, i) => (supplied.some(({ symbol }) => symbol === i) ? Number.NaN : value))

/** Attributes of primitives that may be run-time sizes; all others are compiled into kernels. */
const sizeAttributes: ReadonlySet<string> = new Set(['shape', 'strides', 'sizes', 'size', 'length', 'grid'])

/** Throws TracesDiffer when a symbolic size is in an attribute that kernels are compiled for: the k of top-k, a padding. */
function requireNumbers({ op, attrs }: GraphNode): void {
  for (const [key, value] of Object.entries(attrs)) {
    if (sizeAttributes.has(key) || (op === 'slice' && key === 'starts')) continue
    if (holdsSize(value)) throw new TracesDiffer(`${op}: ${key} moves`)
  }
}

const holdsSize = (value: unknown): boolean =>
  value instanceof SizeExpr || (Array.isArray(value) && value.some(holdsSize))
