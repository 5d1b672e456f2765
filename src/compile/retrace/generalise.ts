/**
 * Unifies several traces of the same ops for different sizes and numbers. Integers that differ become formulas of the
 * varying sizes and numbers, or sizes supplied at each call; operands that differ become numbers supplied at each call.
 * The ops are then recorded again through their records, with symbols in place of sizes.
 */
import { ShapeError, VerifyError } from '../../base/errors.js'
import type { GraphNode } from '../../graph/ir.js'
import { SymbolicShapeError } from '../../graph/sizes.js'
import { nodesOf } from '../../ir/walk.js'
import { SizeExpr } from '../../scalar/size.js'
import { withTracer } from '../../tensor/tracer.js'
import type { LiftedArguments } from '../capture/argument-state.js'
import type { CaptureOptions } from '../capture/capture.js'
import { SizeAnswers } from '../capture/size-answers.js'
import { GraphTracer, type Segment } from '../capture/tracer.js'
import { Replay } from './replay.js'
import type { TraceEvent } from './trace-log.js'
import { matchLog, TraceMatcher, TraceMismatch, templateOf } from './trace-match.js'
import type { Sample } from './trace-sample.js'
import { MovedNumbers, TracesDiffer, unifyLogs } from './unify.js'

/** Number of traces that are unified at most. */
export const maxSamples = 4

/**
 * The trace of which all samples are instances, with the numbers of the last one, the current call's. `lift`: makes inputs
 * of the arguments' tensors and boxed numbers. Throws TracesDiffer when the traces record different ops, or when an op must
 * know a number that differs.
 */
export function generalise(
  samples: readonly Sample[],
  lift: (tracer: GraphTracer) => LiftedArguments,
  options: CaptureOptions,
): Segment {
  const moved = new MovedNumbers(samples)
  const newest = samples.at(-1)!
  const events = unifyLogs(samples, moved)
  const answers = new SizeAnswers()
  for (;;) {
    const tracer = new GraphTracer({ ...options, bucketOf: options.bucketOf ?? null, answers })
    try {
      return bound(
        withTracer(tracer, () => recordAgain(tracer, events, moved, lift, newest)),
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

function recordAgain(
  tracer: GraphTracer,
  events: readonly TraceEvent[],
  moved: MovedNumbers,
  lift: (tracer: GraphTracer) => LiftedArguments,
  newest: Sample,
): Segment {
  const lifted = lift(tracer)
  moved.give(tracer, lifted.leaves)
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
