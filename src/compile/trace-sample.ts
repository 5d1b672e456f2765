/** Traces in numbers alone, as several of them are compared to find what moves between them. */
import { isCanonicalText } from '../base/canonical.js'
import type { Attrs } from '../ir/node.js'
import { evaluateSize, SizeExpr } from '../scalar/size.js'
import { type ArgumentSlots, type DescribedArguments, slotPaths } from './argument-tree.js'
import { symbolMin } from './guards.js'
import type { TraceEvent, TraceLog } from './trace-log.js'
import type { Segment } from './tracer.js'

/** One trace, all of it in numbers. */
export interface Sample {
  readonly log: TraceLog
  readonly outputs: readonly number[]
  /** Sizes of the tensors among the arguments, and the numbers among them. */
  readonly sizes: readonly (readonly number[])[]
  readonly numbers: readonly number[]
}

/** @param slots the arguments' tensors and numbers; null: the trace began after a graph break */
export function sampleOf({ log, outputs, graph, symbols }: Segment, slots: ArgumentSlots | null): Sample {
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
    sizes: (slots?.leaves ?? []).map(({ shape }) => shape),
    numbers: [...(slots?.numbers ?? [])],
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

/** A value with `change` made everywhere in it: in arrays, and in the fields of plain objects. */
export function deepMap(value: unknown, change: (value: unknown) => unknown): unknown {
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
