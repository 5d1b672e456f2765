/**
 * The loop interpreter: runs a loop program on plain arrays, one value at a time, as the graph interpreter runs graphs:
 * sums and products are exact (integers) or in float64, and rounded once. Between the two it shows whether fusion kept a
 * graph's meaning; between this and the tile interpreter, whether tiling did.
 */
import { InternalError } from '../base/errors.js'
import { nodesOf } from '../ir/walk.js'
import { argExtreme, bitcastValue, finishFold, foldValues, sortedPlaces } from '../scalar/folds.js'
import { castValue, evaluate, type Value, wrapValue } from '../scalar/ops.js'
import { philoxUniform } from '../scalar/philox.js'
import { evaluateSize, type Size } from '../scalar/size.js'
import { computeDtype, type Dtype, type Float8 } from '../types/dtype.js'
import { decodeMinifloat, minifloatOf } from '../types/minifloat.js'
import type { Access, AffineIndex, RowAccess, RowResult } from './access.js'
import {
  attentionOperands,
  coordsOf,
  dtypeOf,
  type LoopNode,
  type LoopNodeOf,
  type LoopProgram,
  templatesOf,
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
}

/** Throws InternalError when the program reaches outside its memory. */
export function interpretLoops(program: LoopProgram, call: LoopCall): void {
  new Interpreter(program, call).run()
}

/** The loops' present counters. */
type Point = Map<number, number>

/** A value for every combination of its coordinates, the last one innermost. */
interface Grid {
  readonly coords: readonly number[]
  readonly data: readonly Value[]
}

class Interpreter {
  readonly #sizes: ReadonlyMap<number, number>
  readonly #grids = new Map<LoopNode, Grid>()
  readonly #ends = new Map<RowAccess, readonly number[]>()

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

  readonly #size = (size: Size): number => evaluateSize(size, this.call.symbols)

  /** Visits every combination of `coords`, the last innermost, at `around`, which it changes and puts right again. */
  #each(coords: readonly number[], around: Point, visit: (point: Point) => void, depth = 0): void {
    const coord = coords[depth]
    if (coord === undefined) {
      visit(around)
      return
    }
    const before = around.get(coord)
    for (let i = 0; i < this.#sizes.get(coord)!; i++) this.#each(coords, around.set(coord, i), visit, depth + 1)
    if (before === undefined) around.delete(coord)
    else around.set(coord, before)
  }

  #list<T>(coords: readonly number[], around: Point, make: (point: Point) => T): T[] {
    const found: T[] = []
    this.#each(coords, around, point => void found.push(make(point)))
    return found
  }

  #grid(node: LoopNode): Grid {
    const coords = [...coordsOf(node)]
    const at = this.#valueOf(node)
    return { coords, data: this.#list(coords, new Map(), at) }
  }

  #read(node: LoopNode, point: Point): Value {
    const { coords, data } = this.#grids.get(node)!
    return data[coords.reduce((at, coord) => at * this.#sizes.get(coord)! + point.get(coord)!, 0)]!
  }

  #operands(node: LoopNode, point: Point): Value[] {
    return node.inputs.map(input => this.#read(input, point))
  }

  #index({ offset, terms }: AffineIndex, point: Point): number {
    return [...terms].reduce((sum, [coord, factor]) => sum + this.#size(factor) * point.get(coord)!, this.#size(offset))
  }

  #place(access: Access, point: Point, further: number): { readonly data: Value[]; readonly at: number } {
    const { data, offset } = this.call.memory(access.buffer)
    const at = offset + this.#index(access.index, point) + further
    if (at < 0 || at >= data.length) throw new InternalError(`loop: element ${at} of ${access.canonicalText}`)
    return { data, at }
  }

  /** An element, `further` from where the access is; 0 outside its windows. */
  #load(access: Access, point: Point, further = 0): Value {
    const isOutside = [...(access.windows ?? [])].some(([coord, { start, size }]) => {
      const at = point.get(coord)! - start
      return at < 0 || at >= this.#size(size)
    })
    if (isOutside) return zeroOf(access.dtype)
    const { data, at } = this.#place(access, point, further)
    return data[at]!
  }

  #save(access: Access, point: Point, value: Value, further = 0): void {
    const { data, at } = this.#place(access, point, further)
    data[at] = value
  }

  #element({ access, stride }: RowAccess | RowResult, point: Point, index: number): Value {
    return this.#load(access, point, index * this.#size(stride))
  }

  // --- values ------------------------------------------------------------------------------------------------------

  /** How a node's values are computed. */
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
      case 'map':
        return point => evaluate(node.attrs.fn, dtypeOf(node.inputs.at(-1)!), this.#operands(node, point))
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
        return point => BigInt(this.#groupAt(node.attrs, this.#index(node.attrs.row, point)))
      case 'matmul':
        return point => this.#matmul(node, point)
      case 'attention':
        return point => this.#attention(node, point)
      case 'logSumExp':
        return point => this.#logSumExp(node.inputs[0] as LoopNodeOf<'attention'>, point)
      case 'scan':
        return point => this.#scan(node, point)
      case 'topk':
      case 'sort':
      case 'scatter':
      case 'store':
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
    const counter = BigInt.asIntN(64, first + BigInt(this.#index(node.attrs.index, point)))
    return philoxUniform(node.attrs.dtype, seed, counter)
  }

  #reduce({ inputs, attrs: { fn, over } }: LoopNodeOf<'reduce'>, around: Point): Value {
    const [input] = inputs as [LoopNode]
    const values = this.#list(over, around, point => this.#read(input, point))
    if (fn === 'argmin' || fn === 'argmax') return BigInt(argExtreme(values, fn === 'argmax'))
    return finishFold(dtypeOf(input), foldValues(fn, dtypeOf(input), values))
  }

  #scan({ inputs, attrs: { fn, reverse, row } }: LoopNodeOf<'scan'>, around: Point): Value {
    const [input] = inputs as [LoopNode]
    const at = around.get(row)!
    const values = this.#list([row], around, point => this.#read(input, point))
    const folded = reverse ? values.slice(at).toReversed() : values.slice(0, at + 1)
    return finishFold(dtypeOf(input), foldValues(fn, dtypeOf(input), folded))
  }

  // --- products ----------------------------------------------------------------------------------------------------

  /** How many of the ends, each taken as at least those before it, are at most `row`, less `skip`. */
  #groupAt({ ends, skip }: Pick<LoopNodeOf<'group'>['attrs'], 'ends' | 'skip'>, row: number): number {
    return this.#ascending(ends).filter(end => end <= row).length - skip
  }

  /** The ends, each at least those before it: read once, as everything is before anything is stored. */
  #ascending(ends: RowAccess): readonly number[] {
    const known = this.#ends.get(ends)
    if (known !== undefined) return known
    let most = Number.NEGATIVE_INFINITY
    const found = Array.from({ length: this.#size(ends.length) }, (_, i) => {
      most = Math.max(most, Number(this.#element(ends, new Map(), i)))
      return most
    })
    this.#ends.set(ends, found)
    return found
  }

  #matmul(node: LoopNodeOf<'matmul'>, around: Point): Value {
    const { accumulate, to, codes, k, m, ragged } = node.attrs
    const [a, b] = node.inputs as [LoopNode, LoopNode]
    const own = new Map(around)
    const isDeep = ragged?.along === 'depth'
    const isOwn = (point: Point): boolean =>
      !isDeep || this.#groupAt(ragged, along(k, point)) === along(ragged.group, around)
    for (const coord of isDeep ? [] : (ragged?.group ?? [])) {
      const group = this.#groupAt(ragged!, along(m, around))
      if (group < 0 || group >= this.#sizes.get(coord)!) return castValue(accumulate, to, zeroOf(accumulate))
      own.set(coord, group)
    }
    const products = this.#list(k, own, (point): Value => {
      if (!isOwn(point)) return zeroOf(accumulate)
      const [x, y] = [decoded(codes?.[0], this.#read(a, point)), decoded(codes?.[1], this.#read(b, point))]
      return accumulate === 'i32' ? BigInt(x) * BigInt(y) : Number(x) * Number(y)
    })
    return castValue(accumulate, to, wrapValue(accumulate, foldValues('add', accumulate, products)))
  }

  /** What a row sees no key by. */
  #hides({ attrs: { causal, keys, rows } }: LoopNodeOf<'attention'>, point: Point): boolean {
    return causal && along(keys, point) > along(rows, point)
  }

  #number(node: LoopNode, point: Point): number {
    return Number(this.#read(node, point))
  }

  /** The scores of a row, and the largest. */
  #scores(node: LoopNodeOf<'attention'>, around: Point): { readonly scores: readonly number[]; readonly most: number } {
    const { factors, mask } = attentionOperands(node)
    const [q, k] = factors
    const { scale, keys, depth } = node.attrs
    const read = (of: LoopNode, point: Point): number => this.#number(of, point)
    const scores = this.#list(keys, around, point => {
      if (this.#hides(node, point)) return Number.NEGATIVE_INFINITY
      const terms = this.#list(depth, point, inner => read(q, inner) * read(k, inner))
      const score = terms.reduce((sum, term) => sum + term, 0) * scale
      if (mask === null) return score
      if (dtypeOf(mask) !== 'bool') return score + read(mask, point)
      return read(mask, point) === 0 ? Number.NEGATIVE_INFINITY : score
    })
    return { scores, most: scores.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY) }
  }

  #logSumExp(node: LoopNodeOf<'attention'>, around: Point): Value {
    const { accumulate } = node.attrs
    const { scores, most } = this.#scores(node, around)
    const total = scores.reduce((sum, score) => sum + Math.exp(score - most), 0)
    const isHidden = most === Number.NEGATIVE_INFINITY
    return wrapValue(accumulate, isHidden ? most : most + Math.log(total))
  }

  #attention(node: LoopNodeOf<'attention'>, around: Point): Value {
    const { factors, kept } = attentionOperands(node)
    const { fullyMasked, accumulate, to, keys, dropout } = node.attrs
    const { scores, most } = this.#scores(node, around)
    const isHidden = most === Number.NEGATIVE_INFINITY
    const powers = scores.map(score => (isHidden ? (fullyMasked === 'zero' ? 0 : Number.NaN) : Math.exp(score - most)))
    const total = isHidden ? 1 : powers.reduce((a, b) => a + b, 0)
    const values = this.#list(keys, around, point => (this.#hides(node, point) ? 0 : this.#number(factors[2], point)))
    const share = 1 / (1 - (dropout ?? 0))
    const shares = this.#list(keys, around, point => (kept === null ? 1 : this.#number(kept, point) === 0 ? 0 : share))
    const weighed = (power: number, j: number): number => (shares[j] === 0 ? 0 : (power / total) * shares[j]!)
    const sum = powers.reduce((all, power, j) => all + weighed(power, j) * values[j]!, 0)
    return castValue(accumulate, to, wrapValue(accumulate, sum))
  }

  // --- statements --------------------------------------------------------------------------------------------------

  #store(node: LoopNode): void {
    switch (node.op) {
      case 'store': {
        const [value] = node.inputs as [LoopNode]
        const { access } = node.attrs
        const coords = new Set([...coordsOf(value), ...access.index.terms.keys(), ...this.#storedRow()])
        this.#each([...coords], new Map(), point => this.#save(access, point, this.#read(value, point)))
        return
      }
      case 'topk':
      case 'sort':
        this.#eachRow(node.attrs.row, point => this.#sortRow(node, point))
        return
      case 'scatter':
        this.#eachRow(node.attrs.row, point => this.#scatterRow(node, point))
        return
      default:
    }
  }

  /** What is stored around a scan is stored along its row. */
  #storedRow(): readonly number[] {
    return templatesOf(this.program).flatMap(node => (node.op === 'scan' ? [node.attrs.row] : []))
  }

  #eachRow(row: number, visit: (point: Point) => void): void {
    const others = [...this.program.coords.keys()].filter(coord => coord !== row)
    this.#each(others, new Map(), visit)
  }

  #sortRow(node: LoopNodeOf<'topk' | 'sort'>, around: Point): void {
    const { row, results } = node.attrs
    const values = this.#list([row], around, point => this.#read(node.inputs[0]!, point))
    const places = sortedPlaces(values, node.op === 'sort' ? node.attrs.descending : node.attrs.largest)
    const kept = node.op === 'topk' ? places.slice(0, node.attrs.k) : places
    for (const { item, access, stride } of results) {
      for (const [i, place] of kept.entries())
        this.#save(access, around, item === 0 ? values[place]! : BigInt(place), i * this.#size(stride))
    }
  }

  #scatterRow({ inputs, attrs }: LoopNodeOf<'scatter'>, around: Point): void {
    const { fold, row, index, source, result } = attrs
    const step = this.#size(result.stride)
    for (const [i, value] of this.#list([row], around, point => this.#read(inputs[0]!, point)).entries())
      this.#save(result.access, around, value, i * step)
    for (let i = 0; i < this.#size(index.length); i++) {
      const place = Number(this.#element(index, around, i))
      if (place < 0 || place >= this.#size(result.length)) continue
      const value = this.#element(source, around, i)
      const before = this.#element(result, around, place)
      const folded = fold === 'set' ? value : evaluate(fold, result.access.dtype, [before, value])
      this.#save(result.access, around, folded, place * step)
    }
  }
}

const zeroOf = (dtype: Dtype): Value => castValue('f64', dtype, 0)

/** The index along coordinates of which there is one, or none. */
const along = ([coord]: readonly number[], point: Point): number => (coord === undefined ? 0 : point.get(coord)!)

const decoded = (float: Float8 | undefined, value: Value): Value =>
  float === undefined ? value : decodeMinifloat(minifloatOf(float), Number(value))
