/**
 * Random valid tile programs for differential tests: the same program must give the same results on the interpreter, the
 * simulator and every device. Programs obey the launch contract: instances write to disjoint places, and a view
 * that is written is read only where the same instance writes it.
 *
 *     const run = randomTileProgram(17)
 *     const [want, got] = [copyArgs(run.args), copyArgs(run.args)]
 *     interpret(run.program, want, run.grid); myDevice(run.program, got, run.grid)
 *     const problem = differences(run, want, got)
 *     if (problem) throw new Error(describe(shrinkTile(run, candidate => …still fails…)))
 */

import { print } from '../../src/ir/print.js'
import { verify } from '../../src/ir/verify.js'
import type { InterpreterArgument, ViewMemory } from '../../src/tile/interpret.js'
import { type Parameter, type TileProgram, tileDialect, type ViewType } from '../../src/tile/ir.js'
import { TileBuilder, TileValue, ViewValue } from '../../src/tile/language.js'
import { codecOf } from '../../src/types/codec.js'
import { isFloat, type TensorDtype } from '../../src/types/dtype.js'
import type { StoredArray } from '../../src/types/memory.js'
import { Choices, shrinkChoices } from './choices.js'
import {
  binary,
  choose,
  convert,
  dotWithTransposed,
  exact,
  fold,
  isExact,
  scan,
  type Tracked,
  unary,
} from './tracked.js'

export interface RandomTileOptions {
  /** Approximate number of operations; 12 by default. */
  readonly size?: number
  /** Dtypes of views; all tensor dtypes by default. */
  readonly dtypes?: readonly TensorDtype[]
  /** Omits features that a target lacks: loops, branches, gather/scatter, atomics, dot, scan. */
  readonly without?: readonly Feature[]
}
export type Feature = 'control' | 'indexed' | 'atomic' | 'dot' | 'scan' | 'reduce' | 'transcendental'

export interface RandomTile {
  readonly program: TileProgram
  /** In the order of the program's params. Run on a copy (`copyArgs`). */
  readonly args: readonly InterpreterArgument[]
  readonly grid: readonly number[]
  readonly seed: number | readonly number[]
  /** The decisions: `tileFromChoices(choices)` recreates this program. */
  readonly choices: readonly number[]
  /** Per param: the allowed difference of its elements between two targets; 0: none. */
  readonly tolerances: readonly number[]
}

const allDtypes: readonly TensorDtype[] = ['f32', 'i32', 'f64', 'i64', 'f16', 'bf16', 'i8', 'u8', 'i16', 'bool']

export function randomTileProgram(seed: number, options: RandomTileOptions = {}): RandomTile {
  return new Generator(seed, options).make()
}

/** The program for a list of decisions. */
export function tileFromChoices(choices: readonly number[], options: RandomTileOptions = {}): RandomTile {
  return new Generator(choices, options).make()
}

/** The smallest program found for which `fails` still holds (or still throws). */
export function shrinkTile(
  start: RandomTile,
  fails: (candidate: RandomTile) => boolean,
  options: RandomTileOptions = {},
): RandomTile {
  const stillFails = (choices: readonly number[]): boolean => {
    const candidate = tileFromChoices(choices, options)
    try {
      return fails(candidate)
    } catch {
      return true
    }
  }
  return tileFromChoices(shrinkChoices(start.choices, stillFails), options)
}

/** The program as text, with its arguments and the code that recreates it. */
export function describe({ program, args, grid, choices }: RandomTile): string {
  const views = args.map((arg, i) => {
    const shown =
      typeof arg === 'object'
        ? `offset ${arg.offset} sizes [${arg.sizes}] strides [${arg.strides}] data [${[...arg.data].slice(0, 16).join(', ')}${arg.data.length > 16 ? ', …' : ''}]`
        : String(arg)
    return `  ${program.params[i]!.name}: ${shown}`
  })
  return `${print(tileDialect, program.body)}grid [${grid}]\n${views.join('\n')}\ntileFromChoices([${choices}])`
}

/** Copies of the arguments; views that shared an array share one copy. */
export function copyArgs(args: readonly InterpreterArgument[]): InterpreterArgument[] {
  const copies = new Map<StoredArray, StoredArray>()
  const copy = (data: StoredArray): StoredArray => {
    const known = copies.get(data) ?? data.slice()
    copies.set(data, known)
    return known
  }
  return args.map(arg => (typeof arg === 'object' ? { ...arg, data: copy(arg.data) } : arg))
}

/** The differences between two runs beyond the program's tolerances; null if there are none. */
export function differences(
  { program, tolerances }: RandomTile,
  want: readonly InterpreterArgument[],
  got: readonly InterpreterArgument[],
): string | null {
  for (const [i, { name, type }] of program.params.entries()) {
    const [a, b] = [want[i]!, got[i]!]
    if (type.kind !== 'view' || typeof a !== 'object' || typeof b !== 'object') continue
    for (let at = 0; at < a.data.length; at++) {
      if (same(type.dtype as TensorDtype, a.data[at]!, b.data[at]!, tolerances[i]!)) continue
      return `${name}.data[${at}]: ${a.data[at]} expected, ${b.data[at]} found (tolerance ${tolerances[i]})`
    }
  }
  return null
}

/** Bitwise equal (all NaNs being equal), or within the tolerance. */
function same(dtype: TensorDtype, a: number | bigint, b: number | bigint, tolerance: number): boolean {
  if (!isFloat(dtype)) return a === b
  const decode = codecOf(dtype)?.decode ?? ((value: number): number => value)
  const [x, y] = [decode(Number(a)), decode(Number(b))]
  return Object.is(x, y) || (tolerance > 0 && (x === y || Math.abs(x - y) <= tolerance))
}

const blockSizes = [4, 1, 2, 3, 8, 16, 17, 33]

class Generator {
  readonly #choices: Choices
  readonly #without: ReadonlySet<Feature>
  readonly #dtypes: readonly TensorDtype[]
  readonly #t = new TileBuilder({ name: 'random', checked: false })
  readonly #params: Parameter[] = []
  readonly #nodes: (ViewValue | TileValue)[] = []
  readonly #args: InterpreterArgument[] = []
  readonly #tolerances: number[] = []
  readonly #pool: Tracked[] = []
  /** The block that an instance works on, and the total sizes covered by all blocks. */
  #block: number[] = []
  #sizes: number[] = []
  #offsets: TileValue[] = []
  #grid: number[] = []

  constructor(
    readonly seed: number | readonly number[],
    readonly options: RandomTileOptions,
  ) {
    this.#choices = new Choices(seed)
    this.#without = new Set(options.without ?? [])
    this.#dtypes = options.dtypes ?? allDtypes
  }

  make(): RandomTile {
    this.#chooseSpace()
    const count = 1 + this.#choices.below(this.options.size ?? 12)
    const outputs = 1 + this.#choices.below(2)
    this.#load()
    for (let i = 0; i < count; i++) this.#operation()
    for (let i = 0; i < outputs; i++) this.#output()
    const nodes = this.#nodes.map(value => value.node)
    const program = { name: 'random', params: this.#params, body: this.#t.emitter.builder.finish([], nodes), hints: {} }
    verify(tileDialect, program.body)
    const { taken } = this.#choices
    return {
      program,
      args: this.#args,
      grid: this.#grid,
      seed: this.seed,
      choices: [...taken],
      tolerances: this.#tolerances,
    }
  }

  #chooseSpace(): void {
    const rank = 1 + this.#choices.below(3)
    const small = rank === 1 ? [...blockSizes, 64, 100] : rank === 2 ? blockSizes : blockSizes.slice(0, 5)
    for (let d = 0; d < rank; d++) {
      const block = this.#choices.of(small)
      const size = this.#choices.below(3 * block + 1)
      this.#block.push(block)
      this.#sizes.push(size)
      this.#grid.push(Math.ceil(size / block))
    }
    this.#offsets = this.#block.map((block, d) => this.#t.programId(d as 0 | 1 | 2).mul(block))
  }

  // Parameters.

  #addParam(type: Parameter['type'], arg: InterpreterArgument): number {
    const index = this.#params.length
    const name = `p${index}`
    this.#params.push({ name, type })
    this.#args.push(arg)
    this.#tolerances.push(0)
    const { emitter } = this.#t
    const node =
      type.kind === 'view'
        ? emitter.emit('view', [], { index, name, type })
        : emitter.emit('scalar', [], { index, name, dtype: type.dtype })
    this.#nodes.push(type.kind === 'view' ? new ViewValue(emitter, node, name) : new TileValue(emitter, node))
    return index
  }

  /** A view over random data, at a random place in an array, with strides of any order and sign. */
  #addView(
    dtype: TensorDtype,
    sizes: readonly number[],
    written: boolean,
  ): { index: number; mag: number; wild: boolean } {
    const strides = this.#stridesFor(sizes, written)
    const reach = sizes.map((size, d) => (size > 0 ? (size - 1) * strides[d]! : 0))
    const low = reach.reduce((sum, r) => sum + Math.min(r, 0), 0)
    const high = reach.reduce((sum, r) => sum + Math.max(r, 0), 0)
    const before = this.#choices.below(4)
    const wild = isFloat(dtype) && this.#choices.oneIn(5)
    const data = this.#data(dtype, before - low + high + 1 + this.#choices.below(3), wild)
    const isStatic = (): boolean => this.#choices.oneIn(3)
    const type: ViewType = {
      kind: 'view',
      dtype,
      sizes: sizes.map(size => (isStatic() ? size : null)),
      // A unit stride is part of the kernel, as in launches; others sometimes.
      strides: strides.map(stride => ((stride === 1) !== this.#choices.oneIn(6) || isStatic() ? stride : null)),
    }
    const arg: ViewMemory = { data, offset: before - low, sizes, strides }
    return { index: this.#addParam(type, arg), mag: 8, wild }
  }

  #stridesFor(sizes: readonly number[], written: boolean): number[] {
    const order = sizes.map((_, d) => d)
    if (this.#choices.oneIn(4)) order.reverse()
    const strides = new Array<number>(sizes.length).fill(1)
    let stride = this.#choices.oneIn(5) ? 2 : 1
    for (const d of order.toReversed()) {
      const kind = this.#choices.below(8)
      strides[d] = kind === 7 ? -stride : kind === 6 && !written ? 0 : stride
      stride *= Math.max(1, sizes[d]!) + (this.#choices.oneIn(6) ? 1 : 0)
    }
    return strides
  }

  /** Floats are multiples of 1/8 in [-8, 8]; wild ones also −0, NaN, infinities. Integers are small or extreme. */
  #data(dtype: TensorDtype, length: number, wild: boolean): StoredArray {
    const random = new Choices(this.#choices.below(1 << 20))
    const special = [-0, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
    const float = (): number => (wild && random.below(4) === 0 ? random.of(special) : (random.below(129) - 64) / 8)
    const integer = (bits: number): number =>
      random.below(8) === 0 ? random.of([-(2 ** (bits - 1)), 2 ** (bits - 1) - 1]) : random.below(33) - 16
    const each = { length }
    switch (dtype) {
      case 'f64':
        return Float64Array.from(each, float)
      case 'f32':
        return Float32Array.from(each, float)
      case 'f16':
      case 'bf16':
        return Uint16Array.from(each, () => codecOf(dtype)!.encode(float()))
      case 'f8e4m3':
      case 'f8e5m2':
        return Uint8Array.from(each, () => codecOf(dtype)!.encode(float()))
      case 'i64':
        return BigInt64Array.from(each, () =>
          random.below(8) === 0 ? random.of([-(2n ** 63n), 2n ** 63n - 1n]) : BigInt(random.below(33) - 16),
        )
      case 'i32':
        return Int32Array.from(each, () => integer(32))
      case 'i16':
        return Int16Array.from(each, () => integer(16))
      case 'i8':
        return Int8Array.from(each, () => integer(8))
      case 'u8':
        return Uint8Array.from(each, () => random.below(256))
      case 'bool':
        return Uint8Array.from(each, () => random.below(2))
    }
  }

  // Operations: each adds a value to the pool, or does nothing if its operands are missing.

  #operation(): void {
    const made = this.#one()
    if (made !== null) this.#pool.push(made)
  }

  #one(): Tracked | null {
    const allowed = (feature: Feature, make: () => Tracked | null): Tracked | null =>
      this.#without.has(feature) ? null : make()
    const axis = (): number => this.#choices.below(this.#block.length)
    switch (this.#choices.below(14)) {
      case 0:
      case 1:
      case 2:
        return binary(this.#choices, this.#pick(), this.#pick())
      case 3:
        return this.#unary()
      case 4:
        return convert(this.#pick(), this.#choices.of(allDtypes))
      case 5:
        return choose(this.#pick(), this.#pick(), this.#pick())
      case 6:
        return this.#load()
      case 7:
        return this.#leaf()
      case 8:
        return allowed('reduce', () => fold(this.#choices, this.#full(), axis()))
      case 9:
        return allowed('scan', () => scan(this.#choices, this.#full(), axis()))
      case 10:
        return allowed('dot', () => this.#dot())
      case 11:
        return allowed('indexed', () => this.#gather())
      case 12:
        return allowed('control', () => this.#loop())
      default:
        return allowed('control', () => this.#branch())
    }
  }

  #unary(): Tracked | null {
    const value = this.#pick()
    if (!this.#without.has('transcendental')) return unary(this.#choices, value)
    // Kinds 0 and 1 are the exact ones.
    return isExact(value) ? unary(new Choices([this.#choices.below(2), this.#choices.below(8)]), value) : null
  }

  #pick(): Tracked {
    // Prefers late values, so that programs are chains.
    return this.#pool[this.#pool.length - 1 - this.#choices.below(this.#pool.length)]!
  }

  /** A value with the block's shape. */
  #full(from: Tracked = this.#pick()): Tracked {
    return { ...from, value: from.value.broadcastTo(this.#block) }
  }

  /** A block of a new or existing input, at the instance's position or slightly off. */
  #load(): Tracked | null {
    const dtype = this.#choices.of(this.#dtypes)
    const sizes = this.#sizes.map(size => Math.max(0, size + this.#choices.below(3) - (this.#choices.oneIn(4) ? 1 : 0)))
    const { index, mag, wild } = this.#addView(dtype, sizes, false)
    const view = this.#nodes[index] as ViewValue
    const offsets = this.#offsets.map(offset => (this.#choices.oneIn(5) ? offset.sub(this.#choices.below(3)) : offset))
    const padding = this.#choices.oneIn(4) ? { padding: dtype === 'bool' ? true : 3 } : {}
    const value = this.#t.load(view, offsets, this.#block, padding)
    const loaded = isFloat(dtype) ? { value, mag, err: 0, wild } : exact(value)
    this.#pool.push(loaded)
    return null
  }

  /** Values without operands: constants, indices, scalars. */
  #leaf(): Tracked {
    const dtype = this.#choices.of(['f32', 'i64', 'i32', 'f64'] as const)
    const bounded = (value: TileValue): Tracked => ({ value, mag: 2 ** 20, err: 0, wild: false })
    switch (this.#choices.below(4)) {
      case 0:
        return bounded(this.#t.const(this.#choices.below(9) - 4, dtype))
      case 1: {
        const axis = this.#choices.below(this.#block.length)
        const shape = this.#block.map((size, d) => (d === axis ? size : 1))
        return bounded(this.#t.iota(this.#block[axis]!).add(this.#offsets[axis]!).reshape(shape).to(dtype))
      }
      case 2: {
        const index = this.#addParam({ kind: 'scalar', dtype }, this.#choices.below(17) - 8)
        return bounded(this.#nodes[index] as TileValue)
      }
      default:
        return bounded(this.#t.programId(0).add(this.#t.numPrograms(0)).to(dtype))
    }
  }

  /** x·yᵀ, whose rows are then folded so that it has the block's shape again. */
  #dot(): Tracked | null {
    if (this.#block.length !== 2) return null
    const [a, b] = [this.#full(), this.#full()]
    const product = dotWithTransposed((x, y) => this.#t.dot(x, y), a, b)
    if (product === null) return null
    return {
      ...product,
      value: this.#choices.oneIn(2)
        ? product.value.amin(1, { keepdim: true })
        : product.value.amax(1, { keepdim: true }),
    }
  }

  #gather(): Tracked | null {
    const dtype = this.#choices.of(this.#dtypes)
    const [rows, columns] = [1 + this.#choices.below(9), 1 + this.#choices.below(5)]
    const { index, mag, wild } = this.#addView(dtype, [rows, columns], false)
    const at = [this.#index(), this.#index()]
    const mask = this.#pick()
    const options = this.#choices.oneIn(2) && isExact(mask) ? { mask: convert(mask, 'bool')!.value } : {}
    const value = this.#t.gather(this.#nodes[index] as ViewValue, at, options)
    return isFloat(dtype) ? { value, mag, err: 0, wild } : exact(value)
  }

  /** Indices, mostly small, some out of bounds. */
  #index(): TileValue {
    const from = this.#pick()
    const whole = isExact(from) ? convert(from, 'i64')! : exact(this.#t.const(1, 'i64'))
    return this.#choices.oneIn(3) ? whole.value : whole.value.mod(1 + this.#choices.below(9))
  }

  /** A loop that folds loaded or existing values into a carried value. */
  #loop(): Tracked | null {
    const start = this.#full()
    const step = this.#pick()
    const turns = this.#choices.below(4)
    const isWhile = this.#choices.oneIn(3)
    const next = convert(step, start.value.dtype)
    if (next === null || start.value.dtype === 'f16' || start.value.dtype === 'bf16') return null
    const fn = this.#choices.of(['max', 'min', 'add'] as const)
    if (fn === 'add' && isFloat(start.value.dtype)) return null
    const turn = (acc: TileValue): TileValue => acc[fn](next.value)
    const value = isWhile ? this.#whileLoop(start.value, turns, turn) : this.#rangeLoop(start.value, turns, turn)
    // The loop may load any values that a view contains.
    const mag = Math.max(start.mag, next.mag, 8)
    return { value, mag, err: Math.max(start.err, next.err), wild: true }
  }

  /** Counts along an axis; the body may also use the counter, and a block that it loads at the counter. */
  #rangeLoop(start: TileValue, turns: number, turn: (acc: TileValue) => TileValue): TileValue {
    const axis = this.#choices.below(this.#block.length)
    const usesIndex = !isFloat(start.dtype) && start.dtype !== 'bool' && this.#choices.oneIn(2)
    const source = this.#choices.oneIn(2)
      ? (this.#nodes[this.#addView(start.dtype, this.#sizes, false).index] as ViewValue)
      : null
    const [from, step] = [this.#choices.below(2), 1 + this.#choices.below(2)]
    return this.#t.range(from, turns * 2, step, { acc: start }, (i, { acc }) => {
      let folded = turn(acc)
      if (source !== null) {
        const offsets = this.#offsets.map((offset, d) => (d === axis ? offset.add(i) : offset))
        folded = folded.max(this.#t.load(source, offsets, this.#block))
      }
      if (!usesIndex) return { acc: folded }
      const shape = this.#block.map((size, d) => (d === axis ? size : 1))
      return { acc: folded.xor(this.#t.iota(this.#block[axis]!).reshape(shape).add(i).to(start.dtype)) }
    }).acc
  }

  #whileLoop(start: TileValue, turns: number, turn: (acc: TileValue) => TileValue): TileValue {
    const carried = { acc: start, left: this.#t.const(turns, 'i64') }
    const body = ({ acc, left }: typeof carried): typeof carried => ({ acc: turn(acc), left: left.sub(1) })
    return this.#t.while(carried, ({ left }) => left.gt(0), body).acc
  }

  #branch(): Tracked | null {
    const [a, b] = [this.#full(), this.#full()]
    const other = convert(b, a.value.dtype)
    if (other === null) return null
    const condition = this.#t.programId(0).mod(2).eq(this.#choices.below(2))
    const { value } = this.#t.if(
      condition,
      () => ({ value: a.value }),
      () => ({ value: other.value }),
    )
    return { value, mag: Math.max(a.mag, other.mag), err: Math.max(a.err, other.err), wild: a.wild || other.wild }
  }

  // Outputs.

  /** Writes a value to a new view: as a block, by reversed indices, to the elements just read, or by atomics. */
  #output(): void {
    const value = this.#full()
    const kind = this.#choices.below(6)
    if (kind === 5 && isExact(value) && !this.#without.has('atomic')) {
      this.#count(value)
      return
    }
    const dtype = isExact(value) ? this.#choices.of([value.value.dtype, ...this.#dtypes]) : value.value.dtype
    const { index, wild } = this.#addView(dtype, this.#sizes, true)
    const view = this.#nodes[index] as ViewValue
    const stored = convert(value, dtype) ?? value
    if (kind === 4 && !this.#without.has('indexed')) {
      this.#scatterReversed(view, index, stored)
      return
    }
    const old: Tracked = { ...exact(this.#t.load(view, this.#offsets, this.#block)), mag: 8, wild }
    const updated = kind === 3 ? binary(this.#choices, stored, old) : null
    const written = (updated === null ? null : convert(updated, dtype)) ?? stored
    this.#setTolerance(index, written)
    this.#t.store(view, this.#offsets, written.value.broadcastTo(this.#block), this.#ends())
  }

  /** Sometimes a store ends within its block, before it or behind it. */
  #ends(): { ends?: (TileValue | null)[] } {
    if (!this.#choices.oneIn(5)) return {}
    const end = (offset: TileValue, d: number): TileValue | null =>
      this.#choices.oneIn(2) ? null : offset.add(this.#choices.below(this.#block[d]! + 3) - 1)
    return { ends: this.#offsets.map(end) }
  }

  /** Both sides may be off by the bound. */
  #setTolerance(index: number, { err }: Tracked): void {
    this.#tolerances[index] = 2 * err
  }

  #scatterReversed(view: ViewValue, index: number, stored: Tracked): void {
    const at = this.#block.map((block, d) => {
      const shape = this.#block.map((_, other) => (other === d ? block : 1))
      return view.size(d).sub(1).sub(this.#t.iota(block).add(this.#offsets[d]!)).reshape(shape)
    })
    this.#setTolerance(index, stored)
    this.#t.scatter(view, at, stored.value)
  }

  #count(value: Tracked): void {
    const dtype = this.#choices.of(['i32', 'i64'] as const)
    const { index } = this.#addView(dtype, [7], true)
    const view = this.#nodes[index] as ViewValue
    const amount = convert(value, dtype)!
    const at = convert(value, 'i64')!.value.mod(9)
    if (this.#choices.oneIn(2)) this.#t.atomicMax(view, [at], amount.value)
    else this.#t.atomicAdd(view, [at], amount.value)
  }
}
