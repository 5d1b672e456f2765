/** Finds the numbers that differ between traces of the same ops, and the formulas or inputs that replace them in one trace. */
import { isCanonicalText } from '../../base/canonical.js'
import type { Attrs } from '../../ir/node.js'
import { type Formula, formulaText } from '../../scalar/formula.js'
import { addSizes, mulSizes, productsOf, type Size, SizeExpr, sameSize } from '../../scalar/size.js'
import type { GraphTracer } from '../capture/tracer.js'
import { fitSize, type Varying } from './fit-sizes.js'
import {
  describeEvent,
  type LogOperand,
  type NumberDtype,
  type SuppliedNumber,
  type TraceEvent,
  ValueRef,
} from './trace-log.js'
import { operandDtype, sameOrigin } from './trace-match.js'
import { knownFormulas, type Sample } from './trace-sample.js'

/** The traces cannot be unified. */
export class TracesDiffer extends Error {}

/** Placeholder in an event for a number that differs between the traces ("moved"). */
export class Moved {
  constructor(
    readonly values: readonly unknown[],
    /** An operand's dtype; null: it is a size, whose values may be formulas of boxed numbers. */
    readonly dtype: NumberDtype | null = null,
  ) {}
}

/** The numbers that moved, and what replaces each. */
export class MovedNumbers {
  readonly #sizes = new Map<string, Size | null>()
  readonly #operands = new Map<string, SuppliedNumber | null>()

  constructor(readonly samples: readonly Sample[]) {}

  /** Notes a moved size. In formulas of boxed numbers, it is the coefficients that move. */
  noteSize(values: readonly Size[]): Moved {
    for (const { times } of movedProducts(values)) if (!isConstant(times)) this.#sizes.set(times.join(), null)
    return new Moved(values)
  }

  noteOperand(values: readonly (number | boolean | bigint)[], dtype: NumberDtype): Moved {
    const moved = new Moved(values, dtype)
    this.#operands.set(operandKey(moved), null)
    return moved
  }

  /** Decides what replaces each moved number; numbers supplied at each call must be the tracer's first scalars. */
  give(tracer: GraphTracer, sizes: readonly (readonly Size[])[]): void {
    const bases = this.#varying(sizes)
    const formulas = knownFormulas(this.samples, sizes)
    for (const key of this.#operands.keys()) {
      this.#operands.set(key, tracer.declareNumber(key.slice(0, key.indexOf(':')) as SuppliedNumber['dtype']))
    }
    for (const key of this.#sizes.keys()) {
      const values = key.split(',').map(Number)
      const fitted = fitSize(values, bases, formulas)
      const isMixed = values.some(value => value < 0) && values.some(value => value >= 0)
      if (fitted === null && isMixed) throw new TracesDiffer(`the sign of a number moves: ${key}`)
      this.#sizes.set(key, fitted ?? tracer.declareSize(values.at(-1)!))
    }
  }

  size({ values }: Moved): Size {
    return movedProducts(values as readonly Size[])
      .map(({ times, product }) => mulSizes(product, isConstant(times) ? times[0]! : this.#sizes.get(times.join())!))
      .reduce(addSizes, 0)
  }

  operand(moved: Moved): SuppliedNumber {
    return this.#operands.get(operandKey(moved))!
  }

  /** The sizes that vary and are symbolic. */
  #varying(sizes: readonly (readonly Size[])[]): Varying[] {
    return sizes.flatMap((shape, leaf) =>
      shape.flatMap((size, dim) => {
        const values = this.samples.map(({ sizes }) => sizes[leaf]![dim]!)
        return typeof size === 'number' || values.every(value => value === values[0]) ? [] : [{ values, size }]
      }),
    )
  }
}

const operandKey = ({ values, dtype }: Moved): string =>
  `${dtype}:${values.map(value => (Object.is(value, -0) ? '-0' : String(value))).join()}`

const isConstant = (numbers: readonly number[]): boolean => numbers.every(number => number === numbers[0])

/** The products of atoms in any of the sizes, and their coefficient in each. */
function movedProducts(sizes: readonly Size[]): { readonly times: readonly number[]; readonly product: Size }[] {
  const all = sizes.map(productsOf)
  const products = new Map(all.flatMap(one => [...one].map(([text, { product }]) => [text, product] as const)))
  return [...products].map(([text, product]) => ({ times: all.map(one => one.get(text)?.times ?? 0), product }))
}

/** Events of which all traces are instances: numbers that differ between traces become `Moved`, and are noted. */
export function unifyLogs(samples: readonly Sample[], moved: MovedNumbers): readonly TraceEvent[] {
  const newest = samples.at(-1)!
  for (const { log, outputs } of samples) {
    const isSame = log.events.length === newest.log.events.length && outputs.join() === newest.outputs.join()
    if (!isSame) throw new TracesDiffer('another number of calls')
  }
  return newest.log.events.map((_, i) =>
    unify(
      samples.map(({ log }) => log.events[i]!),
      moved,
    ),
  )
}

/** Unifies the same event of all traces: equal parts stay, numbers that differ become `Moved`. */
function unify(events: readonly TraceEvent[], moved: MovedNumbers): TraceEvent {
  const [first] = events as [TraceEvent]
  const differ = (): never => {
    throw new TracesDiffer(`${describeEvent(first)}, then ${describeEvent(events.at(-1)!)}`)
  }
  switch (first.kind) {
    case 'op': {
      const all = events.map(event => (event.kind === 'op' && event.record === first.record ? event : differ()))
      if (all.some(event => event.device !== first.device || event.isDetached !== first.isDetached)) differ()
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
        ({ op, target, value, isDetached }) =>
          op === first.op && target === first.target && value === first.value && isDetached === first.isDetached,
      )
      return isSame ? all.at(-1)! : differ()
    }
    case 'launch': {
      const all = events.map(event => (event.kind === 'launch' ? event : differ()))
      const text = first.launch.kernel.canonicalText
      if (all.some(({ launch }) => launch.kernel.canonicalText !== text)) differ()
      const operands = first.operands.map((operand, i) => {
        const values = all.map(event => event.operands[i]!)
        if (values.every(value => sameOperand(value, operand))) return operand
        if (!first.launch.floats[i]) return values.every(isSize) ? moved.noteSize(values) : differ()
        const numbers = values.flatMap(value => (typeof value === 'number' ? [value] : []))
        return numbers.length === values.length ? moved.noteOperand(numbers, 'f64') : differ()
      })
      return { ...all.at(-1)!, operands: operands as unknown as readonly LogOperand[] }
    }
    case 'number': {
      const all = events.map(event => (event.kind === 'number' && event.number === first.number ? event : differ()))
      const isNamed = all.every(({ formula, value }) => !Number.isNaN(formula) && value === first.value)
      const source = isNamed
        ? unifyNumbers(
            all.map(({ source }) => source),
            moved,
          )
        : null
      return source === null ? differ() : { ...all.at(-1)!, source }
    }
    case 'flow':
    case 'used': {
      const textOf = (event: TraceEvent): string => JSON.stringify(event)
      return events.every(event => textOf(event) === textOf(first)) ? first : differ()
    }
    case 'control':
      return differ()
    case 'checkpoint': {
      const text = String(first.results)
      return events.every(event => event.kind === 'checkpoint' && String(event.results) === text) ? first : differ()
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
      if (all.some(({ leaf }) => leaf !== first.leaf)) differ()
      const isSame = ({ type }: (typeof all)[number]): boolean =>
        type.dtype === first.type.dtype &&
        (first.source === 'argument' || first.source === 'break' || type.shape.join() === first.type.shape.join())
      return all.every(isSame) ? all.at(-1)! : differ()
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

const isSize = (value: unknown): value is Size => value instanceof SizeExpr || Number.isSafeInteger(value)

type NumberSource = Extract<TraceEvent, { kind: 'number' }>['source']

/** Null: they are not the same number. */
function unifyNumbers(all: readonly NumberSource[], moved: MovedNumbers): NumberSource | null {
  const [first] = all as [NumberSource]
  if ('computed' in first) {
    const formulas = all.flatMap(source => ('computed' in source ? [source.computed] : []))
    const computed = formulas.length === all.length ? unifyFormulas(formulas, moved) : null
    return computed === null ? null : { computed }
  }
  const isSame = all.every(
    source => 'origin' in source && sameOrigin(source.origin, first.origin) && Object.is(source.fixed, first.fixed),
  )
  return isSame ? first : null
}

/** Null: they compute different things. */
function unifyFormulas(all: readonly Formula[], moved: MovedNumbers): Formula | null {
  const [first] = all as [Formula]
  if (all.every(formula => formulaText(formula) === formulaText(first))) return first
  if (all.every(isSize)) return moved.noteSize(all) as unknown as Formula
  const numbers = all.filter(formula => typeof formula === 'number')
  if (numbers.length === all.length) return moved.noteOperand(numbers, 'f64') as unknown as Formula
  const ops = all.flatMap(formula => (isOp(formula) ? [formula] : []))
  const fn = ops[0]?.fn
  if (fn === undefined || ops.length < all.length || ops.some(op => op.fn !== fn)) return null
  const a = unifyFormulas(
    ops.map(op => op.a),
    moved,
  )
  const b = unifyFormulas(
    ops.map(op => op.b),
    moved,
  )
  return a === null || b === null ? null : { kind: 'op', fn, a, b }
}

type OpFormula = Extract<Formula, { kind: 'op' }>

const isOp = (formula: Formula): formula is OpFormula =>
  typeof formula === 'object' && !(formula instanceof SizeExpr) && formula.kind === 'op'

/** Operands that all samples share; those that differ become run-time numbers. */
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
    const areSizes = values.every(isSize) && values.some(value => value instanceof SizeExpr)
    if (areSizes) return moved.noteSize(values) as unknown as LogOperand
    const numbers = values.map(value => (typeof value === 'object' ? differ() : value))
    const dtype = operandDtype(numbers[0]!)
    if (numbers.some(number => operandDtype(number) !== dtype)) differ()
    return moved.noteOperand(numbers, dtype) as unknown as LogOperand
  })
}

/** Attributes that all samples share; sizes that differ become run-time sizes. */
function unifyAttrs(all: readonly unknown[], moved: MovedNumbers, differ: () => never): unknown {
  const [first] = all
  if (all.every(value => Object.is(value, first))) return first
  if (all.every(isSize)) return all.every(value => sameSize(value, all[0]!)) ? first : moved.noteSize(all)
  const objects = all.map(value => (typeof value === 'object' && value !== null ? value : differ()))
  if (isCanonicalText(objects[0]!)) {
    const text = objects[0].canonicalText
    return objects.every(object => isCanonicalText(object) && object.canonicalText === text) ? first : differ()
  }
  const keys = Object.keys(objects[0]!)
  const isSame = objects.every(
    object => Array.isArray(object) === Array.isArray(first) && Object.keys(object).join() === keys.join(),
  )
  if (!isSame) differ()
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
