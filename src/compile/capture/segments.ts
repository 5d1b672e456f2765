/**
 * The compiled segments of functions with graph breaks. Such a function runs at each call, and its segments are looked up by
 * structure. Where sizes and numbers that it has read move what a segment does, several traces of the segment become one
 * version, as traces of whole functions do.
 */
import { canonical } from '../../base/canonical.js'
import { RecentMap } from '../../base/recent.js'
import type { Runner } from '../execute/executable.js'
import type { Guards } from '../guards/guards.js'
import { graphText } from '../pipeline.js'
import { generalise, type Inputs, maxSamples } from '../retrace/generalise.js'
import { matchLog, TraceMatcher, TraceMismatch, type TraceTemplate, templateOf } from '../retrace/trace-match.js'
import { canShareVersion, type Sample, sampleOf } from '../retrace/trace-sample.js'
import { type CaptureOptions, guardsOf } from './capture.js'
import type { Segment } from './tracer.js'

/** A segment that is ready to run, with the current call's numbers and sizes. */
export interface ReadySegment {
  readonly segment: Segment
  readonly runner: Runner
}

/** A segment made of several traces. */
interface General extends ReadySegment {
  readonly guards: Guards
  readonly template: TraceTemplate
}

/** Segments with the same ops on inputs of the same types; newest first. */
interface Family {
  samples: readonly Sample[]
  general: readonly General[]
}

/** A bound on cached segments: a function that reads ever new values may have ever new segments. */
const maxSegments = 64
/** A bound on what is kept of one family: its versions may be for several ranges of sizes. */
const maxOfFamily = 32

export class Segments {
  readonly #ready = new RecentMap<Runner>(maxSegments)
  readonly #families = new RecentMap<Family>(maxSegments)

  /**
   * @param fixed whether each shape has a version of its own
   * @param make compiles a segment
   */
  constructor(
    readonly fixed: boolean,
    readonly make: (segment: Segment) => Runner,
  ) {}

  get runners(): readonly Runner[] {
    const general = [...this.#families.values()].flatMap(family => family.general.map(({ runner }) => runner))
    return [...new Set([...this.#ready.values(), ...general])]
  }

  find(segment: Segment, options: CaptureOptions): ReadySegment {
    const text = graphText(segment.graph)
    const known = this.#ready.get(text)
    if (known !== undefined) return { segment, runner: known }
    // Boxed numbers are inputs already; only numbers that were read are generalised.
    const isPlain = segment.boxed.inputs.length + segment.boxed.scalars.length === 0
    const general = isPlain ? this.#general(segment, options) : null
    if (general !== null) return general
    const runner = this.make(segment)
    this.#ready.set(text, runner)
    return { segment, runner }
  }

  /** A version of several traces, this one among them; null: there is none. */
  #general(segment: Segment, options: CaptureOptions): ReadySegment | null {
    const key = familyOf(segment)
    const family = this.#families.get(key) ?? { samples: [], general: [] }
    this.#families.set(key, family)
    const sample = sampleOf(segment, null)
    for (const general of family.general) {
      const bound = bind(general, segment, sample)
      if (bound !== null) return bound
    }
    const alike = family.samples.filter(other => canShareVersion(other, sample, this.fixed)).slice(0, maxSamples - 1)
    family.samples = [sample, ...family.samples].slice(0, maxOfFamily)
    const unified = alike.length === 0 ? null : generalise([...alike.reverse(), sample], inputsOf(segment), options)
    if (unified === null) return null
    const { float32Matmul } = segment.graph
    const made = {
      ...unified,
      graph: float32Matmul === undefined ? unified.graph : { ...unified.graph, float32Matmul },
    }
    const text = graphText(made.graph)
    const runner = this.#ready.get(text) ?? this.make(made)
    this.#ready.set(text, runner)
    const general = { segment: made, runner, guards: guardsOf(made), template: templateOf(made) }
    family.general = [general, ...family.general].slice(0, maxOfFamily)
    return { segment: made, runner }
  }
}

/** The key of a family: ops in order, the inputs' dtypes and ranks, and the precision of matmuls. */
const familyOf = ({ log, inputs, graph }: Segment): string =>
  canonical([
    graph.float32Matmul ?? null,
    log.events.map(event => (event.kind === 'op' ? event.record.name : event.kind)),
    inputs.map(({ tensor }) => [tensor.dtype, tensor.ndim]),
  ])

/** Inputs are lifted where the trace first uses them, but numbers may be computed of their sizes earlier. */
const inputsOf = ({ inputs }: Segment): Inputs => ({
  paths: inputs.map(({ path }) => path),
  lift: () => ({ leaves: [], boxes: [] }),
  sizes: tracer => inputs.map(({ tensor, path }, i) => tracer.sizesOf(tensor, i, path)),
})

/** The general segment with the inputs and numbers of a specific one; null: that is no instance of it. */
function bind(
  { segment: general, runner, guards, template }: General,
  segment: Segment,
  sample: Sample,
): ReadySegment | null {
  const { inputs } = segment
  if (!guards.match(inputs.map(({ tensor }) => tensor))) return null
  const matcher = new TraceMatcher(template, guards.symbols.slice())
  try {
    matchLog(matcher, sample.log, sample.outputs)
  } catch (error) {
    if (!(error instanceof TraceMismatch)) throw error
    return null
  }
  const { symbols, numbers } = matcher
  return guards.holds(symbols) ? { segment: { ...general, inputs, symbols, numbers }, runner } : null
}
