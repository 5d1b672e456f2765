/**
 * Makes one trace of several that do the same calls with other sizes and numbers: integers that moved become formulas of
 * the sizes and numbers that vary, or sizes given at each call; operands that moved become numbers given at each call.
 * The calls are then recorded once more through their records, with symbols in place of sizes.
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
import { MovedNumbers, NotAlike, unifyLogs } from './unify.js'

/** Traces that are looked at together. */
export const mostSamples = 4

/**
 * The trace that all samples are instances of, with the numbers of the last one, which is of the call at hand. `lift`: makes
 * the tensors among the arguments inputs, and traces the boxed numbers. Throws NotAlike when they do different things, or when an op must know what moved.
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
      // What an op asks about the sizes is answered for the call at hand, and guarded.
      if (error instanceof SymbolicShapeError && isAnswered(tracer, error)) continue
      if (error instanceof TraceMismatch) throw new NotAlike(error.message)
      // Shapes that held in each trace hold for all sizes, or the formulas are too little to tell.
      if (error instanceof ShapeError || error instanceof VerifyError) throw new NotAlike(error.what)
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
  if (tracer.pinned.size > 0) throw new NotAlike('a launch must know sizes that move')
  for (const node of nodesOf(segment.graph.body)) requireNumbers(node)
  return segment
}

/** With the numbers that the newest trace gives; that it is an instance of the segment is seen on the way. */
function bound(segment: Segment, { log, outputs }: Sample): Segment {
  const matcher = new TraceMatcher(templateOf(segment), openSymbols(segment))
  matchLog(matcher, log, outputs)
  return { ...segment, symbols: matcher.symbols, numbers: matcher.numbers }
}

const isAnswered = (tracer: GraphTracer, { signOf, multiple, sizes }: SymbolicShapeError): boolean =>
  (signOf !== null && tracer.answer(signOf)) ||
  (multiple !== null && tracer.answerMultiple(multiple)) ||
  tracer.answerNumbers(sizes)

/** The symbols' values, but for those that a trace supplies. */
export const openSymbols = ({ symbols, given }: Segment): Float64Array =>
  symbols.map((value, i) => (given.some(({ symbol }) => symbol === i) ? Number.NaN : value))

/** Attributes of primitives that hold run-time sizes; the others are part of kernels. */
const sizeAttributes: ReadonlySet<string> = new Set(['shape', 'strides', 'sizes', 'size', 'length', 'grid'])

/** Throws NotAlike when what moves is a number that a kernel is made for: how many the largest are, a padding. */
function requireNumbers({ op, attrs }: GraphNode): void {
  for (const [key, value] of Object.entries(attrs)) {
    if (sizeAttributes.has(key) || (op === 'slice' && key === 'starts')) continue
    if (holdsSize(value)) throw new NotAlike(`${op}: ${key} moves`)
  }
}

const holdsSize = (value: unknown): boolean =>
  value instanceof SizeExpr || (Array.isArray(value) && value.some(holdsSize))
