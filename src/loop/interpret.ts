/**
 * The loop interpreter: runs a loop program on plain arrays, one value at a time, as the graph interpreter runs graphs:
 * reductions and dots are exact (integers) or in float64, and rounded once. Comparing it with the graph interpreter tests
 * fusion; with the tile interpreter, tiling.
 */
import { InternalError } from '../base/errors.js'
import { nodesOf } from '../ir/walk.js'
import { argExtreme, bitcastValue, finishFold, foldValues } from '../scalar/folds.js'
import { castValue, evaluate, type Value } from '../scalar/ops.js'
import { philoxUniform } from '../scalar/philox.js'
import { evaluateSize, type Size } from '../scalar/size.js'
import { computeDtype, type Dtype } from '../types/dtype.js'
import { type Access, type AffineIndex, indexOf, type RowAccess } from './access.js'
import {
  coordsIn,
  coordsOf,
  dtypeOf,
  type LoopNode,
  type LoopNodeOf,
  type LoopProgram,
  type Primitive,
  type RowsAt,
  type TemplateNode,
  type TensorAt,
  type TensorValue,
  templatesOf,
  type UpdateNode,
  type WholeAt,
} from './ir.js'

/** A buffer: its first element is `data[offset]`. */
export interface LoopMemory {
  readonly data: Value[]
  readonly offset: number
}

export interface LoopCall {
  /** Stores change it. */
  readonly memory: (buffer: number) => LoopMemory
  readonly scalars: readonly Value[]
  readonly symbols: ReadonlyMap<string, number>
  /** The results of a template's primitive. */
  readonly runPrimitive: (
    primitive: Primitive,
    operands: readonly TensorValue[],
    symbols: ReadonlyMap<string, number>,
  ) => readonly TensorValue[]
}

/** Throws InternalError when the program reaches outside its memory. */
export function interpretLoops(program: LoopProgram, call: LoopCall): void {
  new Interpreter(program, call).run()
}

/** The current values of the loop coordinates, by coordinate; undefined outside of its loop. */
type Point = (number | undefined)[]

/** start + Σ factor · coordinate, for the sizes of a call. */
class Affine {
  constructor(
    readonly start: number,
    readonly coords: readonly number[],
    readonly factors: readonly number[],
  ) {}

  at(point: Point): number {
    const { coords, factors } = this
    let sum = this.start
    for (let i = 0; i < coords.length; i++) sum += factors[i]! * point[coords[i]!]!
    return sum
  }
}

/** A value per combination of its coordinates, the last one innermost. */
interface ValueGrid {
  readonly place: Affine
  readonly data: readonly Value[]
}

class Interpreter {
  readonly #sizes: ReadonlyMap<number, number>
  readonly #known = new Map<Size, number>()
  readonly #indices = new Map<AffineIndex, Affine>()
  readonly #places = new Map<TensorAt, Affine>()
  readonly #grids = new Map<LoopNode, ValueGrid>()
  readonly #ends = new Map<RowAccess, readonly number[]>()
  readonly #results = new Map<TemplateNode, readonly TensorValue[]>()

  constructor(
    readonly program: LoopProgram,
    readonly call: LoopCall,
  ) {
    this.#sizes = new Map([...program.coords].map(([coord, size]) => [coord, this.#size(size)]))
  }

  /** Everything is read and computed first, then stored. */
  run(): void {
    const { body } = this.program
    for (const node of nodesOf<LoopNode>(body)) if (node.type.kind === 'value') this.#grids.set(node, this.#grid(node))
    for (const statement of body.body) this.#store(statement)
  }

  // --- points and memory -------------------------------------------------------------------------------------------

  readonly #size = (size: Size): number =>
    typeof size === 'number' ? size : remembered(this.#known, size, () => evaluateSize(size, this.call.symbols))

  /** Visits every combination of `coords`, the last innermost. Sets them in `around` and restores it. */
  #each(coords: readonly number[], around: Point, visit: (point: Point) => void, depth = 0): void {
    const coord = coords[depth]
    if (coord === undefined) {
      visit(around)
      return
    }
    const before = around[coord]
    const size = this.#sizes.get(coord)!
    for (let i = 0; i < size; i++) {
      around[coord] = i
      this.#each(coords, around, visit, depth + 1)
    }
    around[coord] = before
  }

  /** The values of `make` at every combination of `coords`, the last innermost. */
  #list<T>(coords: readonly number[], around: Point, make: (point: Point) => T): T[] {
    const found: T[] = []
    this.#each(coords, around, point => void found.push(make(point)))
    return found
  }

  /** Computes a node at every combination of the coordinates that it depends on. */
  #grid(node: LoopNode): ValueGrid {
    const coords = [...coordsOf(node)]
    const factors = rowMajorStrides(coords.map(coord => this.#sizes.get(coord)!))
    return { place: new Affine(0, coords, factors), data: this.#list(coords, [], this.#valueOf(node)) }
  }

  /** A computed node's value at a point. */
  #read(node: LoopNode, point: Point): Value {
    const { place, data } = this.#grids.get(node)!
    return data[place.at(point)]!
  }

  #operands(node: LoopNode, point: Point): Value[] {
    return node.inputs.map(input => this.#read(input, point))
  }

  #index(index: AffineIndex, point: Point): number {
    const { offset, terms } = index
    const make = (): Affine => new Affine(this.#size(offset), [...terms.keys()], [...terms.values()].map(this.#size))
    return remembered(this.#indices, index, make).at(point)
  }

  /** The array of an access, and the position in it at `point`, plus `extraOffset` elements. */
  #locate(access: Access, point: Point, extraOffset: number): { readonly data: Value[]; readonly at: number } {
    const { data, offset } = this.call.memory(access.buffer)
    const at = offset + this.#index(access.index, point) + extraOffset
    if (at < 0 || at >= data.length) throw new InternalError(`loop: element ${at} of ${access.canonicalText}`)
    return { data, at }
  }

  /** The element that an access reads at `point`, plus `extraOffset` elements; 0 outside the access's windows. */
  #load(access: Access, point: Point, extraOffset = 0): Value {
    for (const [coord, { start, size }] of access.windows ?? noWindows) {
      const at = point[coord]! - start
      if (at < 0 || at >= this.#size(size)) return zeroOf(access.dtype)
    }
    const { data, at } = this.#locate(access, point, extraOffset)
    return data[at]!
  }

  #save(access: Access, point: Point, value: Value, extraOffset = 0): void {
    const { data, at } = this.#locate(access, point, extraOffset)
    data[at] = value
  }

  // --- values ------------------------------------------------------------------------------------------------------

  /** A function that computes a node's value at a point. */
  #valueOf(node: LoopNode): (point: Point) => Value {
    switch (node.op) {
      case 'load':
        return point => this.#load(node.attrs.access, point)
      case 'constant':
        return () => node.attrs.value
      case 'size':
        return () => BigInt(this.#size(node.attrs.size))
      case 'scalarInput':
        return () => this.#scalar(node.attrs)
      case 'index':
        return point => castValue('i64', node.attrs.dtype, BigInt(this.#index(node.attrs.index, point)))
      case 'map': {
        const dtype = dtypeOf(node.inputs.at(-1)!)
        return point => evaluate(node.attrs.fn, dtype, this.#operands(node, point))
      }
      case 'cast':
        return point => castValue(dtypeOf(node.inputs[0]!), node.attrs.to, this.#read(node.inputs[0]!, point))
      case 'bitcast':
        return point => bitcastValue(dtypeOf(node.inputs[0]!), node.attrs.to, this.#read(node.inputs[0]!, point))
      case 'gather':
        return point => this.#gather(node, point)
      case 'random':
        return point => this.#random(node, point)
      case 'reduce':
        return point => this.#reduce(node, point)
      case 'group':
        return point => this.#group(node.attrs, point)
      case 'template':
        return point => this.#result(node, 0, point)
      case 'result':
        return point => this.#result(node.inputs[0] as TemplateNode, node.attrs.index, point)
      case 'store':
      case 'update':
        throw new InternalError(`loop: ${node.op} gives no value`)
      default:
        return node satisfies never
    }
  }

  #scalar({ index, dtype }: LoopNodeOf<'scalarInput'>['attrs']): Value {
    const value = this.call.scalars[index]
    if (value === undefined) throw new InternalError(`loop: no scalar argument ${index}`)
    return castValue(computeDtype(dtype), dtype, value)
  }

  #gather({ inputs, attrs: { access, stride, size } }: LoopNodeOf<'gather'>, point: Point): Value {
    const index = Number(this.#read(inputs[0]!, point))
    if (index < 0 || index >= this.#size(size)) return zeroOf(access.dtype)
    return this.#load(access, point, index * this.#size(stride))
  }

  #random(node: LoopNodeOf<'random'>, point: Point): Value {
    const [seed, first] = this.#operands(node, point).map(BigInt) as [bigint, bigint]
    return philoxUniform(node.attrs.dtype, seed, first, this.#index(node.attrs.index, point))
  }

  #reduce({ inputs, attrs: { fn, over } }: LoopNodeOf<'reduce'>, around: Point): Value {
    const [input] = inputs as [LoopNode]
    const values = this.#list(over, around, point => this.#read(input, point))
    if (fn === 'argmin' || fn === 'argmax') return BigInt(argExtreme(values, fn === 'argmax'))
    return finishFold(dtypeOf(input), foldValues(fn, dtypeOf(input), values))
  }

  /** The group of a ragged matmul's row: the number of group ends ≤ the row, minus `skip`. Ends are made ascending first. */
  #group({ ends, skip, row }: LoopNodeOf<'group'>['attrs'], point: Point): Value {
    const at = this.#index(row, point)
    return BigInt(this.#ascendingEnds(ends).filter(end => end <= at).length - skip)
  }

  /** The running maximum of the group ends. Kept from the first read, because stores may overwrite the ends. */
  #ascendingEnds(ends: RowAccess): readonly number[] {
    const known = this.#ends.get(ends)
    if (known !== undefined) return known
    let largest = Number.NEGATIVE_INFINITY
    const found = Array.from({ length: this.#size(ends.length) }, (_, i) => {
      largest = Math.max(largest, Number(this.#load(ends.access, [], i * this.#size(ends.stride))))
      return largest
    })
    this.#ends.set(ends, found)
    return found
  }

  // --- templates ---------------------------------------------------------------------------------------------------

  /** A result of the template at a point. */
  #result(node: TemplateNode, item: number, point: Point): Value {
    return this.#run(node)[item]!.data[this.#placeIn(node.attrs.results[item]!, point)]!
  }

  /** The primitive's results, computed once before anything is stored. */
  #run(node: TemplateNode): readonly TensorValue[] {
    const known = this.#results.get(node)
    if (known !== undefined) return known
    const { primitive, operands, rows, whole } = node.attrs
    const given = operands.map((at, i) =>
      this.#tensor(at, set =>
        this.#each(coordsIn(at), [], point => set(this.#placeIn(at, point), this.#read(node.inputs[i]!, point))),
      ),
    )
    const read = rows.map(at =>
      this.#tensor(at, set =>
        this.#eachInRows(at, at, (point, i, place) =>
          set(place, this.#load(at.access, point, i * this.#size(at.stride))),
        ),
      ),
    )
    const tensors = whole.map(at => this.#wholeTensor(at))
    const results = this.call.runPrimitive(primitive, [...given, ...read, ...tensors], this.call.symbols)
    this.#results.set(node, results)
    return results
  }

  /** A tensor in memory, row-major. */
  #wholeTensor({ dtype, shape, strides, access }: WholeAt): TensorValue {
    const [sizes, steps] = [shape.map(this.#size), strides.map(this.#size)]
    const data: Value[] = []
    const walk = (dim: number, at: number): void => {
      if (dim === sizes.length) data.push(this.#load(access, [], at))
      else for (let i = 0; i < sizes[dim]!; i++) walk(dim + 1, at + i * steps[dim]!)
    }
    walk(0, 0)
    return { dtype, shape: sizes, data }
  }

  /** A row-major tensor whose elements `fill` sets by their place. */
  #tensor({ dtype, shape }: TensorAt, fill: (set: (place: number, value: Value) => void) => void): TensorValue {
    const data: Value[] = []
    fill((place, value) => {
      data[place] = value
    })
    return { dtype, shape: shape.map(this.#size), data }
  }

  /**
   * Visits a tensor's elements row by row along `dim`: with the loop coordinates of the row, the element's position in the
   * row, and its row-major place in the tensor.
   */
  #eachInRows(
    { dim }: RowsAt,
    { dtype, shape, index }: TensorAt,
    visit: (point: Point, position: number, place: number) => void,
  ): void {
    const first: TensorAt = { dtype, shape, index: index.with(dim, indexOf({ offset: 0, terms: new Map() })) }
    const sizes = shape.map(this.#size)
    const step = rowMajorStrides(sizes)[dim]!
    this.#each(coordsIn(first), [], point => {
      const place = this.#placeIn(first, point)
      for (let i = 0; i < sizes[dim]!; i++) visit(point, i, place + i * step)
    })
  }

  /** The row-major place in a tensor of the element that its indices select at `point`. */
  #placeIn(at: TensorAt, point: Point): number {
    return remembered(this.#places, at, () => this.#placesOf(at)).at(point)
  }

  #placesOf({ shape, index }: TensorAt): Affine {
    const strides = rowMajorStrides(shape.map(this.#size))
    const start = index.reduce((sum, { offset }, d) => sum + strides[d]! * this.#size(offset), 0)
    const terms = index.flatMap(({ terms }, d) =>
      [...terms].map(([coord, factor]) => [coord, strides[d]! * this.#size(factor)] as const),
    )
    return new Affine(
      start,
      terms.map(([coord]) => coord),
      terms.map(([, factor]) => factor),
    )
  }

  // --- statements --------------------------------------------------------------------------------------------------

  /** Runs a statement: stores a value at every point, or the rows that a template stores itself. */
  #store(node: LoopNode): void {
    if (node.op === 'store') {
      const [value] = node.inputs as [LoopNode]
      const { access } = node.attrs
      const coords = new Set([...coordsOf(value), ...access.index.terms.keys(), ...this.#templateRow()])
      this.#each([...coords], [], point => this.#save(access, point, this.#read(value, point)))
    } else if (node.op === 'update') this.#update(node)
    else if (node.op === 'template') {
      for (const rows of node.attrs.stored) {
        const { data } = this.#run(node)[rows.item]!
        this.#eachInRows(rows, node.attrs.results[rows.item]!, (point, i, place) =>
          this.#save(rows.access, point, data[place]!, i * this.#size(rows.stride)),
        )
      }
    }
  }

  #update({ inputs, attrs }: UpdateNode): void {
    const [value, index] = inputs as readonly [LoopNode, LoopNode]
    const { access, stride, size, fold } = attrs
    // Elements that meet differ in one coordinate, which counts up.
    this.#each([...this.program.coords.keys()], [], point => {
      const at = Number(this.#read(index, point))
      if (at < 0 || at >= this.#size(size)) return
      const further = at * this.#size(stride)
      const put = this.#read(value, point)
      const old = (): Value => this.#load(access, point, further)
      this.#save(access, point, fold === 'set' ? put : evaluate(fold, access.dtype, [old(), put]), further)
    })
  }

  /** The row coordinate of the program's template, if any: every store of such a program loops over it too. */
  #templateRow(): readonly number[] {
    return templatesOf(this.program).flatMap(({ attrs: { row } }) => (row === null ? [] : [row]))
  }
}

const noWindows: Iterable<never> = []

function rowMajorStrides(sizes: readonly number[]): number[] {
  const strides = new Array<number>(sizes.length).fill(1)
  for (let d = sizes.length - 2; d >= 0; d--) strides[d] = strides[d + 1]! * sizes[d + 1]!
  return strides
}

function remembered<K, V>(known: Map<K, V>, key: K, make: () => V): V {
  const found = known.get(key)
  if (found !== undefined) return found
  const made = make()
  known.set(key, made)
  return made
}

const zeroOf = (dtype: Dtype): Value => castValue('f64', dtype, 0)
