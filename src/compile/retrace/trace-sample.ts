/**
 * Traces with sizes as numbers, so that several can be compared to find what differs. Boxed numbers stay symbolic, with
 * names that are the same in all traces.
 */
import type { Attrs } from '../../ir/node.js'
import type { Formula } from '../../scalar/formula.js'
import {
  addSizes,
  evaluateSize,
  floorDivSizes,
  type Size,
  SizeExpr,
  sizeSymbol,
  substituteSize,
  symbolsOf,
} from '../../scalar/size.js'
import type { Tensor } from '../../tensor/tensor.js'
import type { ArgumentSlots } from '../capture/argument-tree.js'
import type { Segment } from '../capture/segment.js'
import { symbolMin } from '../guards/guards.js'
import type { Varying } from './fit-sizes.js'
import { deepMap, Renaming } from './renaming.js'
import { type TraceEvent, type TraceLog, withoutPassed } from './trace-log.js'

/** One trace, with all sizes except boxed numbers evaluated. */
export interface Sample {
  readonly log: TraceLog
  readonly outputs: readonly number[]
  /** Sizes of the tensors among the arguments (behind a graph break: of all inputs), and the numbers among them. */
  readonly sizes: readonly (readonly number[])[]
  readonly numbers: readonly number[]
  /** What the trace knew its sizes to be: formulas of `sizes`, which are symbols called `sizeName`. */
  readonly formulas: readonly SizeExpr[]
}

const sizeName = (leaf: number, dim: number): string => `${leaf}:${dim}`

/**
 * @param slots the arguments' tensors and numbers; null: it is a segment of a function with graph breaks, and its arguments
 * are all its inputs and boxed numbers, in the order of their first use
 */
export function sampleOf(segment: Segment, slots: ArgumentSlots | null): Sample {
  const { log, outputs, graph, symbols, inputs } = segment
  const boxes = slots === null ? boxEvents(segment) : []
  const values = new Map(graph.symbols.map(({ name }, i) => [name, symbols[i]!]))
  const renamed = new Renaming(name => values.get(name) ?? null)
  const leaves = slots?.leaves ?? inputs.map(({ tensor }) => tensor)
  return {
    log: {
      values: log.values.map(value => {
        const shape = value.view.shape.map(size => evaluateSize(size, values))
        return { ...value, view: { ...value.view, shape } }
      }),
      events: log.events.map((event, i) => {
        const leaf = (boxes as readonly TraceEvent[]).indexOf(event)
        const named = leaf < 0 ? event : { ...boxes[leaf]!, source: { ...boxes[leaf]!.source, origin: { leaf } } }
        return concrete(named, i, renamed)
      }),
    },
    outputs,
    sizes: leaves.map(({ shape }) => shape),
    numbers: [...(slots?.numbers ?? [])],
    formulas: formulasOf(segment, leaves),
  }
}

/** The formulas of sizes among the arguments of ops, in which only sizes of `leaves` occur. */
function formulasOf({ log, graph, inputs }: Segment, leaves: readonly Tensor[]): readonly SizeExpr[] {
  const named = new Map(
    graph.symbols.flatMap(({ name, kind, input, dim, unit }) => {
      const leaf = kind === 'size' ? leaves.indexOf(inputs[input]!.tensor) : -1
      if (leaf < 0) return []
      const size = sizeSymbol(sizeName(leaf, dim), symbolMin)
      return [[name, unit === undefined ? size : floorDivSizes(addSizes(size, -unit.rest), unit.divisor)] as const]
    }),
  )
  const renamed = new Renaming(name => named.get(name) ?? null)
  const found = new Map<string, SizeExpr>()
  const note = (value: unknown): unknown => {
    if (!(value instanceof SizeExpr) || ![...symbolsOf(value)].every(name => named.has(name))) return value
    const formula = renamed.size(value)
    if (formula instanceof SizeExpr) found.set(formula.canonicalText, formula)
    return value
  }
  for (const event of log.events) {
    if (event.kind === 'op') deepMap(event.attrs, note)
    if (event.kind === 'op' || event.kind === 'launch') event.operands.forEach(note)
    if (event.kind === 'random') note(event.counters)
  }
  return [...found.values()]
}

/** What any of the traces knew sizes to be, for the sizes of all. `sizes`: what the symbols are. */
export function knownFormulas(samples: readonly Sample[], sizes: readonly (readonly Size[])[]): readonly Varying[] {
  const named = <T>(shapes: readonly (readonly T[])[]): ReadonlyMap<string, T> =>
    new Map(shapes.flatMap((shape, leaf) => shape.map((size, dim) => [sizeName(leaf, dim), size] as const)))
  const symbols = named(sizes)
  const values = samples.map(sample => named(sample.sizes))
  return samples
    .flatMap(({ formulas }) => formulas)
    .map(formula => ({
      values: values.map(each => evaluateSize(formula, each)),
      size: substituteSize(formula, name => symbols.get(name)!),
    }))
}

type NumberEvent = Extract<TraceEvent, { kind: 'number' }>
type BoxEvent = NumberEvent & { readonly source: Extract<NumberEvent['source'], { readonly path: string }> }

/** The boxed numbers of a trace, by their first use. */
export const boxEvents = ({ log }: Segment): readonly BoxEvent[] =>
  log.events.filter((event): event is BoxEvent => event.kind === 'number' && 'origin' in event.source)

/** The event with sizes as numbers, and stable names for boxed numbers. */
function concrete(event: TraceEvent, index: number, renamed: Renaming): TraceEvent {
  switch (event.kind) {
    case 'op':
      return {
        ...event,
        operands: event.operands.map(renamed.within),
        attrs: renamed.deep(event.attrs) as Attrs,
      }
    case 'launch':
      return { ...event, operands: event.operands.map(renamed.within), grid: event.grid.map(renamed.within) }
    case 'random':
      return { ...event, counters: renamed.size(event.counters) }
    case 'number': {
      const { source } = event
      const computed = 'computed' in source ? { computed: renamed.formula(source.computed) } : source
      const isFixed = 'origin' in source && source.fixed !== undefined
      const formula = isFixed ? event.formula : stableName(event.formula, index)
      if (formula !== null) renamed.add(event.formula, formula)
      return { ...event, source: computed, formula: formula ?? unnamed }
    }
    default:
      return event
  }
}

/** Marks a boxed number that the trace found equal to a size, so that it has no name. */
const unnamed = Number.NaN

/** A name that depends only on the event's index, so it is the same in every log. Null: the number has no name. */
function stableName(formula: Formula, index: number): Formula | null {
  if (typeof formula === 'number') return null
  if (!(formula instanceof SizeExpr)) return formula.kind === 'scalar' ? { kind: 'scalar', index } : null
  const [atom, ...others] = formula.atoms.values()
  const isSymbol = others.length === 0 && atom?.kind === 'symbol' && formula.canonicalText === atom.name
  return isSymbol && atom.name.startsWith('n') ? sizeSymbol(`boxed${index}`, Number.MIN_SAFE_INTEGER) : null
}

/** The sample without the tensors that its call passed. */
export const kept = (sample: Sample): Sample => ({ ...sample, log: withoutPassed(sample.log) })

/** Whether two traces may share a version: sizes 0 and 1 are always specialised, all sizes if `fixed`. */
export function canShareVersion(a: Sample, b: Sample, fixed: boolean): boolean {
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

/** `path:dim` of the sizes that differ between traces. `paths`: of the tensors whose sizes the samples have. */
export function varyingSizes(samples: readonly Sample[], paths: readonly string[]): ReadonlySet<string> {
  const varying = new Set<string>()
  for (const [leaf, shape] of samples[0]!.sizes.entries()) {
    for (const [dim, size] of shape.entries()) {
      if (samples.some(({ sizes }) => sizes[leaf]![dim] !== size)) varying.add(`${paths[leaf]}:${dim}`)
    }
  }
  return varying
}
