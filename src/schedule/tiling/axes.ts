/**
 * Loop collapsing: neighbouring coordinates whose strides agree in every access become one axis, so that a contiguous kernel
 * of any rank is a single loop. The contiguous axis is innermost.
 */
import { InternalError } from '../../base/errors.js'
import { nodesOf } from '../../ir/walk.js'
import type { Access } from '../../loop/access.js'
import { accessesOf } from '../../loop/analysis.js'
import { type LoopNode, type LoopProgram, storesOf, type TemplateNode, templatesOf } from '../../loop/ir.js'
import { exactQuotient, mulSizes, type Size, sameSize } from '../../scalar/size.js'
import type { Affine } from '../groups/affine.js'

type Coords = readonly number[]

export interface Axis {
  readonly id: number
  readonly size: Size
  readonly reduced: boolean
  /** Outermost first. */
  readonly coords: readonly number[]
}

/** A program's loops: kept axes, then reduced ones, each outermost first. */
export class Axes {
  readonly #axisOf = new Map<number, Axis>()

  constructor(readonly all: readonly Axis[]) {
    for (const axis of all) for (const coord of axis.coords) this.#axisOf.set(coord, axis)
  }

  get kept(): readonly Axis[] {
    return this.all.filter(axis => !axis.reduced)
  }

  get reduced(): readonly Axis[] {
    return this.all.filter(axis => axis.reduced)
  }

  of(coord: number): Axis {
    const axis = this.#axisOf.get(coord)
    if (axis === undefined) throw new InternalError(`schedule: coordinate ${coord} has no axis`)
    return axis
  }

  /** The axes that coordinates belong to, in order. */
  spanning(coords: Iterable<number>): Axis[] {
    const found = new Set([...coords].map(coord => this.of(coord)))
    return this.all.filter(axis => found.has(axis))
  }

  /** The factor of each axis in an index; axes that it does not depend on are absent. */
  factors(index: Affine): Map<Axis, Size> {
    const factors = new Map<Axis, Size>()
    for (const axis of this.spanning(index.terms.keys())) {
      const factor = index.terms.get(axis.coords.at(-1)!)
      if (factor === undefined) throw new InternalError('schedule: an index covers part of a collapsed axis')
      factors.set(axis, factor)
    }
    return factors
  }
}

/** Merges coordinates that every access steps through together into axes, so that tiles have few dims. */
export function collapse(program: LoopProgram): Axes {
  const { coords: sizes, reduced } = program
  const indices = indicesOf(program)
  const [template] = templatesOf(program)
  const axes: Axis[] = []
  for (const coords of classesOf(program, template)) {
    const ordered = template?.attrs.axes ? coords : sortCoords(coords, program)
    let run: number[] = []
    const close = (): void => {
      if (run.length === 0) return
      const size = run.reduce<Size>((product, coord) => mulSizes(product, sizes.get(coord)!), 1)
      axes.push({ id: axes.length, size, reduced: reduced.has(run[0]!), coords: run })
      run = []
    }
    for (const coord of ordered) {
      const last = run.at(-1)
      if (last !== undefined && !indices.every(index => agree(index, last, coord, sizes.get(coord)!))) close()
      run.push(coord)
    }
    close()
  }
  return new Axes(axes)
}

/** True when one step of `outer` is a full run through `inner`. */
function agree(index: Affine, outer: number, inner: number, size: Size): boolean {
  const [a, b] = [index.terms.get(outer) ?? 0, index.terms.get(inner) ?? 0]
  return sameSize(a, mulSizes(b, size))
}

/** Every affine index of a program: of accesses, and of values computed from indices. */
function indicesOf(program: LoopProgram): Affine[] {
  const accesses = accessesOf(program)
  const indices: Affine[] = accesses.map(access => access.index)
  for (const node of nodesOf<LoopNode>(program.body)) {
    if (node.op === 'index' || node.op === 'random') indices.push(node.attrs.index)
  }
  // A loop that extends beyond what it reads (padding) is an axis of its own.
  for (const { windows } of accesses) {
    for (const coord of windows?.keys() ?? []) indices.push({ offset: 0, terms: new Map([[coord, 1]]) })
  }
  return indices
}

/** Classes of coordinates that may collapse: as the template says, or kept ones, then reduced ones. */
function classesOf({ coords, reduced, alone }: LoopProgram, template: TemplateNode | undefined): readonly Coords[] {
  const kept = [...coords.keys()].filter(coord => !reduced.has(coord) && coord !== alone)
  const last = [...coords.keys()].filter(coord => reduced.has(coord))
  return template?.attrs.axes ?? [alone === null ? [] : [alone], kept, last]
}

/** Outermost first, by the strides of the access that covers most of them. */
function sortCoords(coords: Coords, program: LoopProgram): Coords {
  const stores = storesOf(program).map(store => store.attrs.access)
  const covering = (access: Access): number => coords.filter(coord => access.index.terms.has(coord)).length
  const all = [...stores, ...accessesOf(program)]
  const [primary] = all.toSorted((a, b) => covering(b) - covering(a))
  if (primary === undefined) return coords
  const stride = (coord: number): Size => primary.index.terms.get(coord) ?? 0
  const ordered: number[] = []
  for (const coord of coords) {
    const at = ordered.findIndex(other => isLarger(stride(coord), stride(other)))
    ordered.splice(at < 0 ? ordered.length : at, 0, coord)
  }
  return ordered
}

function isLarger(a: Size, b: Size): boolean {
  if (typeof a === 'number' && typeof b === 'number') return Math.abs(a) > Math.abs(b)
  if (b === 0) return false
  const factor = exactQuotient(a, b)
  return factor !== null && factor !== 1
}
