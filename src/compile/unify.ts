/** Finds what moves between traces that do the same calls, and what it becomes when they are made one. */
import { isCanonicalText } from '../base/canonical.js'
import type { Attrs } from '../ir/node.js'
import { type Size, SizeExpr, sameSize } from '../scalar/size.js'
import type { Tensor } from '../tensor/tensor.js'
import { fitSize, type Varying } from './fit-sizes.js'
import { describeEvent, type GivenNumber, type LogOperand, type TraceEvent, ValueRef } from './trace-log.js'
import { operandDtype } from './trace-match.js'
import type { Sample } from './trace-sample.js'
import type { GraphTracer } from './tracer.js'

/** The traces cannot become one. */
export class NotAlike extends Error {}

/** Stands in an event for a number that moved. */
export class Moved {
  constructor(readonly values: readonly unknown[]) {}
}

/** The numbers that moved, and what they become. */
export class MovedNumbers {
  readonly #sizes = new Map<string, Size | null>()
  readonly #operands = new Map<string, GivenNumber | null>()
  #bases: readonly Varying[] = []

  constructor(readonly samples: readonly Sample[]) {}

  /** Whether integers among the attributes moved. */
  get areSizes(): boolean {
    return this.#sizes.size > 0
  }

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
      this.#sizes.set(key, fitted ?? tracer.giveSize(values.at(-1)!))
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

/** The events that all traces are instances of: numbers that differ between them are `Moved`, and noted. */
export function unifyLogs(samples: readonly Sample[], moved: MovedNumbers): readonly TraceEvent[] {
  const newest = samples.at(-1)!
  for (const { log, outputs } of samples) {
    const isAlike = log.events.length === newest.log.events.length && outputs.join() === newest.outputs.join()
    if (!isAlike) throw new NotAlike('another number of calls')
  }
  return newest.log.events.map((_, i) =>
    unify(
      samples.map(({ log }) => log.events[i]!),
      moved,
    ),
  )
}

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
      const isClosed = first.source === 'closure' || first.source === 'alias'
      if (isClosed && all.some(({ tensor, value }) => tensor !== first.tensor || value !== first.value)) differ()
      const isAlike = ({ tensor }: (typeof all)[number]): boolean =>
        tensor.dtype === first.tensor.dtype &&
        (first.source === 'argument' || first.source === 'break' || tensor.shape.join() === first.tensor.shape.join())
      return all.every(isAlike) ? all.at(-1)! : differ()
    }
    default:
      return first satisfies never
  }
}

const sameOperand = (a: LogOperand, b: LogOperand): boolean =>
  a instanceof ValueRef
    ? b instanceof ValueRef && a.id === b.id
    : a instanceof SizeExpr
      ? b instanceof SizeExpr && sameSize(a, b)
      : Object.is(a, b)

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
  if (first instanceof SizeExpr) {
    return all.every(value => value instanceof SizeExpr && sameSize(value, first)) ? first : differ()
  }
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
