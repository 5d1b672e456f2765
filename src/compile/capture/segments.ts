/**
 * The compiled segments of functions with graph breaks. Such a function runs at each call, and its segments are looked up by
 * structure. Where sizes and numbers that it has read move what a segment does, several traces of the segment become one
 * version, as traces of whole functions do.
 */
import { canonical } from '../../base/canonical.js'
import { RecentMap } from '../../base/recent.js'
import { SymbolicNumber } from '../../tensor/symbolic-number.js'
import { withGradients } from '../differentiable.js'
import type { Runner } from '../execute/executable.js'
import type { Guards } from '../guards/guards.js'
import { graphText } from '../pipeline.js'
import { generalise, type Inputs, maxSamples } from '../retrace/generalise.js'
import { withoutPassed } from '../retrace/trace-log.js'
import { matchLog, TraceMatcher, TraceMismatch, type TraceTemplate, templateOf } from '../retrace/trace-match.js'
import { boxEvents, canShareVersion, kept, type Sample, sampleOf } from '../retrace/trace-sample.js'
import { BoxedNumbers } from './boxed-numbers.js'
import { type CaptureOptions, guardsOf } from './capture.js'
import type { Segment } from './segment.js'

/** A segment that is ready to run, with the current call's numbers and sizes. */
export interface ReadySegment {
  readonly segment: Segment
  readonly runner: Runner
}

/** Segments with the same ops on inputs of the same types: the last that were compiled, and versions, newest first. */
interface Family {
  samples: readonly Sample[]
  general: readonly General[]
}

/** A bound on cached segments: a function that reads ever new values may have ever new segments. */
const maxSegments = 64
/** A bound on the versions of one family, which may be for several ranges of sizes. */
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

  /** `recorded`: without its gradient; what is found has it. */
  find(recorded: Segment, options: CaptureOptions): ReadySegment {
    const segment = withGradients(recorded)
    const text = graphText(segment.graph)
    const known = this.#ready.get(text)
    if (known !== undefined) return { segment, runner: known }
    const general = this.#general(recorded, options)
    if (general !== null) return general
    const runner = this.make(segment)
    this.#ready.set(text, runner)
    return { segment, runner }
  }

  /** A version of several traces, this one among them; null: there is none. */
  #general(segment: Segment, options: CaptureOptions): ReadySegment | null {
    const key = familyOf(segment, this.fixed)
    const family = this.#families.get(key) ?? { samples: [], general: [] }
    this.#families.set(key, family)
    const sample = sampleOf(segment, null)
    for (const general of family.general) {
      const bound = general.bind(segment, sample)
      if (bound !== null) return bound
    }
    const samples = [...family.samples.filter(other => canShareVersion(other, sample, this.fixed)), sample]
    family.samples = [...family.samples, kept(sample)].slice(1 - maxSamples)
    const isRight = (made: Segment): boolean => samples.every(({ sizes }) => guardsOf(made).allowsSizes(sizes))
    const unified = samples.length === 1 ? null : generalise(samples, inputsOf(segment), options, isRight)
    if (unified === null) return null
    const { float32Matmul, deterministic } = segment.graph
    const graph = {
      ...unified.graph,
      ...(float32Matmul !== undefined && { float32Matmul }),
      ...(deterministic !== undefined && { deterministic }),
    }
    const made = withGradients({ ...unified, graph })
    const text = graphText(made.graph)
    const runner = this.#ready.get(text) ?? this.make(made)
    this.#ready.set(text, runner)
    family.general = [new General(made, runner), ...family.general].slice(0, maxOfFamily)
    return { segment: made, runner }
  }
}

/** The key of a family: ops in order, the inputs' dtypes and ranks (`fixed`: shapes), where gradients flow, the precision of matmuls. */
const familyOf = ({ log, inputs, graph, flows }: Segment, fixed: boolean): string =>
  canonical([
    graph.float32Matmul ?? null,
    flows,
    log.events.map(event => (event.kind === 'op' ? event.record.name : event.kind)),
    inputs.map(({ tensor }) => [tensor.dtype, fixed ? tensor.shape : tensor.ndim]),
  ])

/** Tensors are lifted where the trace first uses them, but numbers may be computed of their sizes earlier. */
const inputsOf = (segment: Segment): Inputs => ({
  paths: segment.inputs.map(({ path }) => path),
  lift: tracer => ({
    leaves: [],
    boxes: boxEvents(segment).map(({ present, source: { path } }, leaf) => {
      return new SymbolicNumber(present, { tracer, kind: 'argument', leaf, path })
    }),
  }),
  sizes: tracer => segment.inputs.map(({ tensor, path }, i) => tracer.sizesOf(tensor, i, path)),
})

/** A segment made of several traces. */
class General {
  readonly segment: Segment
  readonly #guards: Guards
  readonly #template: TraceTemplate
  readonly #scalars: (number | bigint)[]
  readonly #boxes: BoxedNumbers

  constructor(
    segment: Segment,
    readonly runner: Runner,
  ) {
    // Calls bind their own inputs: it keeps no memory of this one's.
    this.segment = { ...segment, inputs: [], log: withoutPassed(segment.log) }
    const { supplied, boxed, graph } = segment
    this.#guards = guardsOf(segment)
    this.#template = templateOf(segment)
    this.#scalars = supplied.map(() => Number.NaN)
    const names = graph.symbols.map(({ name }) => name)
    this.#boxes = new BoxedNumbers(boxed.inputs, boxed.scalars, this.#scalars, names)
  }

  /** It with the inputs and numbers of a specific segment; null: that is no instance of it. */
  bind(specific: Segment, sample: Sample): ReadySegment | null {
    const { inputs } = specific
    this.#scalars.fill(Number.NaN)
    const boxes = boxEvents(specific).map(({ present }) => new SymbolicNumber(present, null))
    const meets =
      this.#boxes.read(boxes) &&
      this.#guards.match(
        inputs.map(({ tensor }) => tensor),
        this.#boxes,
      )
    const matcher = meets ? this.#matched(sample) : null
    if (matcher === null) return null
    const { symbols, numbers } = matcher
    for (const [i, number] of numbers.entries()) this.#scalars[i] = number
    if (!this.#boxes.derive(symbols) || !this.#guards.holds(symbols)) return null
    const scalars = this.segment.boxed.scalars.map(boxed => ({ ...boxed, value: this.#scalars[boxed.scalar]! }))
    const boxed = { ...this.segment.boxed, scalars }
    return { segment: { ...this.segment, inputs, boxed, symbols, numbers }, runner: this.runner }
  }

  #matched({ log, outputs }: Sample): TraceMatcher | null {
    const matcher = new TraceMatcher(this.#template, this.#guards.symbols.slice())
    try {
      matchLog(matcher, log, outputs)
    } catch (error) {
      if (!(error instanceof TraceMismatch)) throw error
      return null
    }
    return matcher
  }
}
