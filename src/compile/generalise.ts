/**
 * Makes one trace of several that do the same calls with other sizes and numbers: integers that moved become formulas of
 * the sizes and numbers that vary, or sizes given at each call; operands that moved become numbers given at each call.
 * The calls are then recorded once more through their records, with symbols in place of sizes.
 */
import { isCanonicalText } from '../base/canonical.js'
import { ShapeError } from '../base/errors.js'
import { SymbolicShapeError } from '../graph/sizes.js'
import type { Attrs } from '../ir/node.js'
import { evaluateSize, type Size, SizeExpr } from '../scalar/size.js'
import type { Tensor } from '../tensor/tensor.js'
import { type OpArgument, withTracer } from '../tensor/tracer.js'
import { type DescribedArguments, slotPaths } from './argument-tree.js'
import { type Capture, type CaptureOptions, guardsOf, liftArguments, type Outcome } from './capture.js'
import { fitSize, type Varying } from './fit-sizes.js'
import { symbolMin } from './guards.js'
import { SizeAnswers } from './size-answers.js'
import {
  describeEvent,
  type GivenNumber,
  type LogOperand,
  type TraceEvent,
  type TraceLog,
  ValueRef,
} from './trace-log.js'
import { matchLog, operandDtype, TraceMatcher, TraceMismatch, templateOf } from './trace-match.js'
import { GraphTracer, type Segment } from './tracer.js'

/** One trace, all of it in numbers. */
export interface Sample {
  readonly log: TraceLog
  readonly outputs: readonly number[]
  /** Sizes of the tensors among the arguments, and the numbers among them. */
  readonly sizes: readonly (readonly number[])[]
  readonly numbers: readonly number[]
}

/** Traces that are looked at together. */
export const mostSamples = 4

export function sampleOf({ log, outputs, graph, symbols }: Segment, { slots }: DescribedArguments): Sample {
  const values = new Map(graph.symbols.map(({ name }, i) => [name, symbols[i]!]))
  return {
    log: {
      values: log.values.map(value => {
        const shape = value.place.shape.map(size => evaluateSize(size, values))
        return { ...value, place: { ...value.place, shape } }
      }),
      events: log.events.map(event => concrete(event, values)),
    },
    outputs,
    sizes: slots.leaves.map(({ shape }) => shape),
    numbers: [...slots.numbers],
  }
}

function concrete(event: TraceEvent, values: ReadonlyMap<string, number>): TraceEvent {
  const number = <T>(size: T): T | number => (size instanceof SizeExpr ? evaluateSize(size, values) : size)
  switch (event.kind) {
    case 'op':
      return {
        ...event,
        operands: event.operands.map(number),
        attrs: deepMap(event.attrs, number) as Attrs,
      }
    case 'launch':
      return { ...event, operands: event.operands.map(number), grid: event.grid.map(number) }
    case 'random':
      return { ...event, counters: number(event.counters) }
    default:
      return event
  }
}

function deepMap(value: unknown, change: (value: unknown) => unknown): unknown {
  const changed = change(value)
  if (typeof changed !== 'object' || changed === null || changed instanceof SizeExpr || isCanonicalText(changed)) {
    return changed
  }
  if (Array.isArray(changed)) return changed.map(item => deepMap(item, change))
  return Object.fromEntries(Object.entries(changed).map(([key, item]) => [key, deepMap(item, change)]))
}

/** Whether two traces can be of one version: sizes of 0 and 1 are compiled on their own, `fixed` sizes all. */
export function isAlike(a: Sample, b: Sample, fixed: boolean): boolean {
  const sameSize = (x: number, y: number): boolean => x === y || (!fixed && x >= symbolMin && y >= symbolMin)
  return (
    a.numbers.length === b.numbers.length &&
    a.sizes.length === b.sizes.length &&
    a.sizes.every((shape, leaf) => {
      const other = b.sizes[leaf]!
      return shape.length === other.length && shape.every((size, dim) => sameSize(size, other[dim]!))
    })
  )
}

/** `path:dim` of the sizes that differ between traces. */
export function varyingSizes(samples: readonly Sample[], { tree }: DescribedArguments): ReadonlySet<string> {
  const paths = slotPaths(tree, 'tensor')
  const varying = new Set<string>()
  for (const [leaf, shape] of samples[0]!.sizes.entries()) {
    for (const [dim, size] of shape.entries()) {
      if (samples.some(({ sizes }) => sizes[leaf]![dim] !== size)) varying.add(`${paths[leaf]}:${dim}`)
    }
  }
  return varying
}

/** The traces cannot become one. */
export class NotAlike extends Error {}

/**
 * The trace that all samples are instances of; the last one is of `described`, the call at hand. Throws NotAlike when they do
 * different things, or when an op must know what moved.
 */
export function generalise(
  samples: readonly Sample[],
  described: DescribedArguments,
  outcome: Outcome,
  options: CaptureOptions,
): Capture {
  const moved = new MovedNumbers(samples)
  const newest = samples.at(-1)!
  const events = newest.log.events.map((_, i) =>
    unify(
      samples.map(({ log, outputs }) => eventOf(log, outputs, i, newest)),
      moved,
    ),
  )
  const answers = new SizeAnswers()
  for (;;) {
    const tracer = new GraphTracer({ ...options, bucketOf: options.bucketOf ?? null, answers })
    try {
      const segment = withTracer(tracer, () => recordAgain(tracer, events, moved, described, newest))
      const { result, changes, given } = outcome
      const guards = guardsOf(segment)
      return { args: described.tree, result, changes, given, segment: bound(segment, newest), guards, breaks: [] }
    } catch (error) {
      // What an op asks about the sizes is answered for the call at hand, and guarded.
      if (error instanceof SymbolicShapeError && error.signOf !== null && tracer.answer(error.signOf)) continue
      if (error instanceof TraceMismatch) throw new NotAlike(error.message)
      // Shapes that held in each trace hold for all sizes, or the formulas are too little to tell.
      if (error instanceof ShapeError) throw new NotAlike(error.what)
      throw error
    }
  }
}

function recordAgain(
  tracer: GraphTracer,
  events: readonly TraceEvent[],
  moved: MovedNumbers,
  described: DescribedArguments,
  newest: Sample,
): Segment {
  const { leaves: lifted } = liftArguments(tracer, described)
  moved.give(tracer, lifted)
  const values = new Replay(tracer, moved, lifted).run(events)
  const segment = tracer.finish(newest.outputs.map(id => values[id]!))
  if (tracer.pinned.size > 0) throw new NotAlike('a launch must know sizes that move')
  return segment
}

/** With the numbers that the newest trace gives; that it is an instance of the segment is seen on the way. */
function bound(segment: Segment, { log, outputs }: Sample): Segment {
  const matcher = new TraceMatcher(templateOf(segment), segment.symbols.slice())
  matchLog(matcher, log, outputs)
  return { ...segment, symbols: matcher.symbols, numbers: matcher.numbers }
}

function eventOf(log: TraceLog, outputs: readonly number[], i: number, newest: Sample): TraceEvent {
  const isAlike = log.events.length === newest.log.events.length && outputs.join() === newest.outputs.join()
  const event = log.events[i]
  if (!isAlike || event === undefined) throw new NotAlike('another number of calls')
  return event
}

/** Stands in an event for a number that moved. */
class Moved {
  constructor(readonly values: readonly unknown[]) {}
}

/** The numbers that moved, and what they become. */
class MovedNumbers {
  readonly #sizes = new Map<string, Size | null>()
  readonly #operands = new Map<string, GivenNumber | null>()
  #bases: readonly Varying[] = []

  constructor(readonly samples: readonly Sample[]) {}

  noteSize(values: readonly number[]): void {
    this.#sizes.set(values.join(), null)
  }

  noteOperand(values: readonly (number | boolean | bigint)[]): void {
    this.#operands.set(operandKey(values), null)
  }

  /** Chooses what each becomes; numbers given at each call come before everything else that the tracer is given. */
  give(tracer: GraphTracer, lifted: readonly Tensor[]): void {
    this.#bases = this.#varying(lifted)
    for (const key of this.#operands.keys()) {
      this.#operands.set(key, tracer.giveNumber(key.slice(0, key.indexOf(':')) as GivenNumber['dtype']))
    }
    for (const key of this.#sizes.keys()) {
      const values = key.split(',').map(Number)
      const fitted = fitSize(values, this.#bases)
      if (fitted === null && values.some(value => value < 0)) throw new NotAlike(`a negative number moves: ${key}`)
      this.#sizes.set(key, fitted ?? tracer.giveSize())
    }
  }

  size(values: readonly unknown[]): Size {
    return this.#sizes.get(values.join())!
  }

  operand(values: readonly (number | boolean | bigint)[]): GivenNumber {
    return this.#operands.get(operandKey(values))!
  }

  /** The sizes of arguments that vary and are symbolic. */
  #varying(lifted: readonly Tensor[]): Varying[] {
    return lifted.flatMap((tensor, leaf) =>
      tensor.sizes.flatMap((size, dim) => {
        const values = this.samples.map(({ sizes }) => sizes[leaf]![dim]!)
        return typeof size === 'number' || values.every(value => value === values[0]) ? [] : [{ values, size }]
      }),
    )
  }
}

const operandKey = (values: readonly (number | boolean | bigint)[]): string =>
  `${operandDtype(values[0]!)}:${values.map(value => (Object.is(value, -0) ? '-0' : String(value))).join()}`

/** One event of several: what is equal stays, numbers that differ are `Moved`. */
function unify(events: readonly TraceEvent[], moved: MovedNumbers): TraceEvent {
  const [first] = events as [TraceEvent]
  const differ = (): never => {
    throw new NotAlike(`${describeEvent(first)}, then ${describeEvent(events.at(-1)!)}`)
  }
  switch (first.kind) {
    case 'op': {
      const all = events.map(event => (event.kind === 'op' && event.record === first.record ? event : differ()))
      if (all.some(event => event.device !== first.device)) differ()
      return {
        ...all.at(-1)!,
        operands: unifyOperands(
          all.map(({ operands }) => operands),
          moved,
          differ,
        ),
        attrs: unifyAttrs(
          all.map(({ attrs }) => attrs),
          moved,
          differ,
        ) as Attrs,
      }
    }
    case 'assign': {
      const all = events.map(event => (event.kind === 'assign' ? event : differ()))
      const isSame = all.every(
        ({ op, target, value }) => op === first.op && target === first.target && value === first.value,
      )
      return isSame ? all.at(-1)! : differ()
    }
    case 'launch': {
      const all = events.map(event => (event.kind === 'launch' ? event : differ()))
      const text = first.launch.kernel.canonicalText
      if (all.some(({ launch }) => launch.kernel.canonicalText !== text)) differ()
      const same = all.every(({ operands }) => operands.every((operand, i) => sameOperand(operand, first.operands[i]!)))
      return same ? all.at(-1)! : differ()
    }
    case 'random': {
      const all = events.map(event =>
        event.kind === 'random' && event.generator === first.generator ? event : differ(),
      )
      const counters = unifyAttrs(
        all.map(({ counters }) => counters),
        moved,
        differ,
      ) as Size
      return { ...all.at(-1)!, counters }
    }
    case 'lift': {
      const all = events.map(event => (event.kind === 'lift' && event.source === first.source ? event : differ()))
      if (first.source === 'closure' && all.some(({ tensor }) => tensor !== first.tensor)) differ()
      const isAlike = ({ tensor }: (typeof all)[number]): boolean =>
        tensor.dtype === first.tensor.dtype &&
        (first.source === 'argument' || tensor.shape.join() === first.tensor.shape.join())
      return all.every(isAlike) ? all.at(-1)! : differ()
    }
    default:
      return first satisfies never
  }
}

const sameOperand = (a: LogOperand, b: LogOperand): boolean =>
  a instanceof ValueRef ? b instanceof ValueRef && a.id === b.id : Object.is(a, b)

function unifyOperands(
  all: readonly (readonly LogOperand[])[],
  moved: MovedNumbers,
  differ: () => never,
): readonly LogOperand[] {
  const [first] = all as [readonly LogOperand[]]
  if (all.some(({ length }) => length !== first.length)) differ()
  return first.map((operand, i) => {
    const values = all.map(operands => operands[i]!)
    if (values.every(value => sameOperand(value, operand))) return operand
    const numbers = values.map(value => (typeof value === 'object' ? differ() : value))
    if (numbers.some(number => operandDtype(number) !== operandDtype(numbers[0]!))) differ()
    moved.noteOperand(numbers)
    return new Moved(numbers) as unknown as LogOperand
  })
}

function unifyAttrs(all: readonly unknown[], moved: MovedNumbers, differ: () => never): unknown {
  const [first] = all
  if (all.every(value => Object.is(value, first))) return first
  if (all.every(value => Number.isSafeInteger(value))) {
    moved.noteSize(all as readonly number[])
    return new Moved(all)
  }
  const objects = all.map(value => (typeof value === 'object' && value !== null ? value : differ()))
  if (isCanonicalText(objects[0]!)) {
    const text = objects[0].canonicalText
    return objects.every(object => isCanonicalText(object) && object.canonicalText === text) ? first : differ()
  }
  const keys = Object.keys(objects[0]!)
  const isAlike = objects.every(
    object => Array.isArray(object) === Array.isArray(first) && Object.keys(object).join() === keys.join(),
  )
  if (!isAlike) differ()
  const items = keys.map((key): [string, unknown] => [
    key,
    unifyAttrs(
      objects.map(object => (object as Record<string, unknown>)[key]),
      moved,
      differ,
    ),
  ])
  return Array.isArray(first) ? items.map(([, item]) => item) : Object.fromEntries(items)
}

/** Records events once more. */
class Replay {
  readonly #values: Tensor[] = []
  #arguments: number

  constructor(
    readonly tracer: GraphTracer,
    readonly moved: MovedNumbers,
    readonly lifted: readonly Tensor[],
  ) {
    this.#arguments = 0
  }

  /** The tensors, by their numbers in the log. */
  run(events: readonly TraceEvent[]): readonly Tensor[] {
    for (const event of events) this.#record(event)
    return this.#values
  }

  #record(event: TraceEvent): void {
    switch (event.kind) {
      case 'lift':
        this.#values[event.value] = this.#lifted(event)
        return
      case 'op': {
        const { record, at, device, value } = event
        const operands = event.operands.map(operand => this.#operand(operand))
        const attrs = deepMap(event.attrs, item =>
          item instanceof Moved ? this.moved.size(item.values) : item,
        ) as Attrs
        const results = this.tracer.from(at, () => this.tracer.record(record, operands, attrs, device))
        for (const [i, result] of results.entries()) this.#values[value + i] = result
        return
      }
      case 'assign':
        this.tracer.from(event.at, () =>
          this.tracer.assign(event.op, this.#values[event.target]!, this.#values[event.value]!),
        )
        return
      case 'launch': {
        const args = event.operands.map(operand => this.#operand(operand) as Tensor | number | bigint)
        this.tracer.from(event.at, () => this.tracer.launch({ ...event.launch, args }))
        return
      }
      case 'random': {
        const { counters } = event
        const size = counters instanceof Moved ? this.moved.size(counters.values) : counters
        const [seed, offset] = this.tracer.randomState(event.generator, size)
        this.#values[event.value] = seed
        this.#values[event.value + 1] = offset
        return
      }
      default:
        event satisfies never
    }
  }

  #lifted({ source, tensor }: Extract<TraceEvent, { kind: 'lift' }>): Tensor {
    switch (source) {
      case 'argument': {
        // One for each tensor: the same tensor in two places was lifted once.
        const distinct = [...new Set(this.lifted.map(({ source }) => source))]
        const own = distinct[this.#arguments++]
        return this.lifted.find(({ source }) => source === own)!
      }
      case 'closure':
        return tensor
      case 'constant':
        return this.tracer.constant(tensor)
      default:
        return source satisfies never
    }
  }

  #operand(operand: LogOperand): OpArgument | GivenNumber {
    if (operand instanceof ValueRef) return this.#values[operand.id]!
    if ((operand as unknown) instanceof Moved) {
      return this.moved.operand((operand as unknown as Moved).values as readonly number[])
    }
    return operand as OpArgument | GivenNumber
  }
}
