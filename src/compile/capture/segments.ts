/**
 * The compiled segments of functions with graph breaks. Such a function runs at each call, and its segments are looked up by
 * structure. Numbers that it has read and computes with become parameters of the code, so that new values compile nothing.
 */
import { canonical } from '../../base/canonical.js'
import { RecentMap } from '../../base/recent.js'
import { symbolValue } from '../../graph/ir.js'
import type { Runner } from '../execute/executable.js'
import { graphText } from '../pipeline.js'
import { generalise, maxSamples } from '../retrace/generalise.js'
import { matchLog, TraceMatcher, TraceMismatch, type TraceTemplate, templateOf } from '../retrace/trace-match.js'
import type { Sample } from '../retrace/trace-sample.js'
import { TracesDiffer } from '../retrace/unify.js'
import { type CaptureOptions, guardsOf } from './capture.js'
import type { Segment } from './tracer.js'

/** A segment that is ready to run, with the current call's numbers and sizes. */
export interface ReadySegment {
  readonly segment: Segment
  readonly runner: Runner
}

/** Segments with the same ops on inputs of the same type. `general`: one that covers all samples; null: none yet. */
interface Family {
  samples: readonly Sample[]
  general: (ReadySegment & { readonly template: TraceTemplate }) | null
}

/** A bound on cached segments: a function that reads ever new values may have ever new segments. */
const maxSegments = 64

export class Segments {
  readonly #ready = new RecentMap<Runner>(maxSegments)
  readonly #families = new RecentMap<Family>(maxSegments)

  /** @param make compiles a segment */
  constructor(readonly make: (segment: Segment) => Runner) {}

  get runners(): readonly Runner[] {
    const general = [...this.#families.values()].flatMap(family => family.general?.runner ?? [])
    return [...this.#ready.values(), ...general]
  }

  find(segment: Segment, options: CaptureOptions): ReadySegment {
    const text = graphText(segment.graph)
    const known = this.#ready.get(text)
    if (known !== undefined) return { segment, runner: known }
    const key = familyOf(segment)
    const sample = { log: segment.log, outputs: segment.outputs, sizes: [], numbers: [] }
    const family = this.#families.get(key)
    if (family === undefined) this.#families.set(key, { samples: [sample], general: null })
    // Boxed numbers are inputs already; only numbers that were read are generalised.
    const isPlain = segment.boxed.inputs.length + segment.boxed.scalars.length === 0
    const general = family === undefined || !isPlain ? null : this.#general(family, segment, sample, options)
    if (general !== null) return general
    const runner = this.make(segment)
    this.#ready.set(text, runner)
    return { segment, runner }
  }

  #general(family: Family, segment: Segment, sample: Sample, options: CaptureOptions): ReadySegment | null {
    const known = family.general === null ? null : bind(family.general, segment)
    if (known !== null) return known
    const samples = [...family.samples.slice(1 - maxSamples), sample]
    try {
      const made = generalise(samples, () => ({ leaves: [], boxes: [] }), options)
      const runner = this.make(made)
      family.samples = samples
      family.general = { segment: made, runner, template: templateOf(made) }
      return { segment: { ...made, inputs: segment.inputs }, runner }
    } catch (error) {
      if (!(error instanceof TracesDiffer)) throw error
      return null
    }
  }
}

/** The key of a family: ops in order, the inputs' dtypes and layouts, and the ranges of symbolic sizes, which logs depend on. */
const familyOf = ({ log, graph }: Segment): string =>
  canonical([
    log.events.map(event => (event.kind === 'op' ? event.record.name : event.kind)),
    graph.body.params.map(({ attrs }) => attrs),
    graph.symbols.map(({ name, bucket, unit }) => [name, bucket ?? null, unit ?? null]),
  ])

/** The general segment with the numbers of a specific one; null: that is no instance of it. */
function bind(
  { segment: general, template, runner }: NonNullable<Family['general']>,
  segment: Segment,
): ReadySegment | null {
  const symbols = Float64Array.from(general.graph.symbols, symbol => {
    const { kind, input, dim } = symbol
    if (kind === 'value') return Number.NaN // the matcher supplies it
    const { shape, strides } = segment.inputs[input]!.tensor
    return kind === 'size' ? symbolValue(symbol, shape[dim]!) : strides[dim]!
  })
  const matcher = new TraceMatcher(template, symbols)
  try {
    matchLog(matcher, segment.log, segment.outputs)
  } catch (error) {
    if (!(error instanceof TraceMismatch)) throw error
    return null
  }
  if (!guardsOf(general).holds(symbols)) return null
  const { inputs, draws } = segment
  const drawn = general.draws.map((draw, i) => ({ ...draw, generator: draws[i]!.generator }))
  return { segment: { ...general, inputs, draws: drawn, symbols, numbers: matcher.numbers }, runner }
}
