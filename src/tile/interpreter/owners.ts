/**
 * Race detection: records which program stored to which element. The order of a grid's instances is undefined, so two that
 * store to one element race on every target; the interpreter runs them in order and reports the race.
 */
import { KernelError } from '../../base/errors.js'
import type { SourceLocation } from '../../base/source.js'
import type { ViewMemory } from './values.js'

/** The elements that a view covers, with the number of the program that stored to each. */
export interface Claims {
  /** Program number + 1 by memory index, starting at `low`; 0: not stored to. */
  readonly marks: Int32Array | Float64Array
  readonly low: number
}

/** A store of one program into one view. */
export interface Owner {
  readonly claims: Claims
  /** Number of the storing program, + 1. */
  readonly mark: number
  /** Throws the error for an element that program `other` has stored to before. */
  readonly conflict: (at: number, other: number) => never
}

/** Claims for views that are written; views of the same memory share them. */
export function claimsOf(views: readonly (ViewMemory | undefined)[], programs: number): (Claims | undefined)[] {
  if (programs <= 1) return views.map(() => undefined)
  const known: { readonly view: ViewMemory; readonly claims: Claims }[] = []
  return views.map(view => {
    if (view === undefined) return undefined
    const [low, high] = reachOf(view)
    const same = known.find(
      ({ view: other, claims }) =>
        other.data.buffer === view.data.buffer &&
        other.data.byteOffset === view.data.byteOffset &&
        claims.low === low &&
        claims.marks.length === high - low,
    )
    if (same !== undefined) return same.claims
    const marks = programs < 2 ** 31 ? new Int32Array(high - low) : new Float64Array(high - low)
    const claims = { marks, low }
    known.push({ view, claims })
    return claims
  })
}

/** The elements [low, high) of its data that a view can address. */
function reachOf({ offset, sizes, strides }: ViewMemory): readonly [low: number, high: number] {
  if (sizes.includes(0)) return [offset, offset]
  const ends = sizes.map((size, d) => (size - 1) * strides[d]!)
  const sum = (from: number, reach: readonly number[]): number => reach.reduce((a, b) => a + b, from)
  return [
    sum(
      offset,
      ends.map(end => Math.min(end, 0)),
    ),
    sum(
      offset + 1,
      ends.map(end => Math.max(end, 0)),
    ),
  ]
}

/** Records that a program stores to `count` elements from `memory` on. */
export function claim({ claims, mark, conflict }: Owner, memory: number, count: number, stride: number): void {
  const { marks, low } = claims
  for (let i = 0; i < count; i++) {
    const at = memory + i * stride
    const before = marks[at - low]!
    if (before !== 0 && before !== mark) conflict(at, before - 1)
    marks[at - low] = mark
  }
}

export interface Conflict {
  readonly kernel: string
  readonly view: string
  readonly memory: ViewMemory
  /** Memory index. */
  readonly at: number
  /** The numbers of the two programs. */
  readonly programs: readonly [number, number]
  readonly grid: readonly number[]
  readonly line: SourceLocation | null
}

export function conflictError({ kernel, view, memory, at, programs, grid, line }: Conflict): KernelError {
  return storedTwice(
    kernel,
    `${view}[${indexOf(memory, at).join(', ')}]`,
    programs.map(program => idOf(program, grid)),
    line,
  )
}

/** @param ids the ids of the two programs, per axis of the grid */
export function storedTwice(
  kernel: string,
  element: string,
  ids: readonly (readonly number[])[],
  line: SourceLocation | null,
): KernelError {
  const [a, b] = ids.map(id => `[${id.join(', ')}]`)
  return new KernelError(`${kernel}: the programs ${a} and ${b} both store to ${element}`, {
    at: line,
    fix: 'programs run in no order: let each store to elements of its own (step by the block that it stores, and use every axis of the grid), or use t.atomicAdd',
  })
}

/** The grid coordinates of a program, for as many axes as the grid uses. */
export function idOf(program: number, grid: readonly number[]): number[] {
  const [x = 1, y = 1] = grid
  const id = [program % x, Math.floor(program / x) % y, Math.floor(program / x / y)]
  const last = grid.findLastIndex(size => size > 1)
  return id.slice(0, last + 1)
}

/** The indices of the element at a memory index. */
function indexOf(memory: ViewMemory, at: number): number[] {
  const { sizes, strides } = memory
  let rest = at - reachOf(memory)[0]
  const index = new Array<number>(sizes.length).fill(0)
  const order = sizes.map((_, d) => d).sort((a, b) => Math.abs(strides[b]!) - Math.abs(strides[a]!))
  for (const d of order) {
    if (sizes[d] === 1) continue
    const step = Math.min(sizes[d]! - 1, Math.floor(rest / Math.abs(strides[d]!)))
    rest -= step * Math.abs(strides[d]!)
    index[d] = strides[d]! < 0 ? sizes[d]! - 1 - step : step
  }
  return index
}
