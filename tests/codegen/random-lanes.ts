/** Random lane programs, the same for every run of a seed, with arguments for them. */
import type { LaneNode, LaneProgram } from '../../src/lane/ir.js'
import { pointerType, valueType } from '../../src/lane/ir.js'
import { accepts, type ScalarOpName, scalarOp } from '../../src/scalar/ops.js'
import { computeDtype, dtypeInfo, type TensorDtype } from '../../src/types/dtype.js'
import { type LaneBuilder, laneProgram, pointer, value } from '../lane/build.js'
import type { TestArgument } from './compare.js'
import { spread } from './samples.js'

const cells = 96

class Random {
  #state: number
  constructor(seed: number) {
    this.#state = (Math.imul(seed, 2654435761) ^ 0x9e3779b9) >>> 0
  }
  below(n: number): number {
    this.#state ^= this.#state << 13
    this.#state ^= this.#state >>> 17
    this.#state ^= this.#state << 5
    return (this.#state >>> 0) % n
  }
  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!
  }
  chance(percent: number): boolean {
    return this.below(100) < percent
  }
}

const allDtypes = [
  'f32',
  'f64',
  'f16',
  'bf16',
  'i64',
  'i32',
  'i16',
  'i8',
  'u8',
  'bool',
] as const satisfies readonly TensorDtype[]
/** Exact in both; the reference rounds f64's fma twice, so it stays out, as do the transcendental functions. */
const exactOps: readonly ScalarOpName[] = [
  'add',
  'sub',
  'mul',
  'div',
  'neg',
  'abs',
  'sign',
  'min',
  'max',
  'floor',
  'ceil',
  'trunc',
  'round',
  'sqrt',
  'isnan',
  'isfinite',
  'eq',
  'ne',
  'lt',
  'le',
  'gt',
  'ge',
  'not',
  'and',
  'or',
  'xor',
  'shl',
  'shr',
  'floorDiv',
  'truncDiv',
  'mod',
  'fmod',
  'where',
  'pow',
]

/** Grows a program statement by statement from the values and pointers in scope. */
class Grower {
  /** Values in scope, innermost last. */
  readonly #scopes: LaneNode[][] = [[]]
  readonly #counters: LaneNode[] = []
  #scratch: LaneNode[] = []
  #depth = 0

  constructor(
    readonly b: LaneBuilder,
    readonly random: Random,
    readonly pointers: readonly LaneNode[],
    readonly lanes: number,
    /** The program's few dtypes, and i64 and bool: few, so that values meet. */
    readonly dtypes: readonly TensorDtype[],
  ) {}

  /** Statements, then stores of the values that they made: what is not stored is not compared. */
  statements(count: number): void {
    for (let i = 0; i < count; i++) this.#statement()
    for (const node of this.#scopes.at(-1)!) if (this.random.chance(50)) this.#storeValue(node)
  }

  #storeValue(node: LaneNode): void {
    const { dtype, lanes } = valueType(node)
    const fitting = this.pointers.filter(to => pointerType(to).dtype === dtype)
    if (fitting.length > 0) this.b.store(this.random.pick(fitting), this.#index(lanes), node, this.#count(lanes))
  }

  #statement(): void {
    const kind = this.random.below(100)
    if (kind < 25) this.#keep(this.#load())
    else if (kind < 60) this.#keep(this.#compute())
    else if (kind < 82) this.#store()
    else if (kind < 86) this.#allocate()
    else if (this.#depth >= 3) this.#keep(this.#compute())
    else if (kind < 93) this.#for()
    else if (kind < 97) this.#if()
    else this.#while()
  }

  #keep(node: LaneNode): void {
    this.#scopes.at(-1)!.push(node)
  }

  #value(dtype: TensorDtype, lanes = this.lanes): LaneNode {
    const known = this.#scopes
      .flat()
      .filter(node => node.type.kind === 'value' && node.type.dtype === dtype && node.type.lanes === lanes)
    if (known.length > 0 && this.random.chance(75)) return this.random.pick(known)
    if (this.random.chance(30) && lanes > 1) return this.b.splat(this.#value(dtype, 1), lanes)
    if (this.random.chance(25) && dtype !== 'bool') return this.b.iota(dtype, lanes)
    const { kind } = dtypeInfo(dtype)
    return this.b.const(
      dtype,
      kind === 'float'
        ? this.random.pick([0.5, -1.25, 3, 0, -0])
        : kind === 'bool'
          ? this.random.below(2)
          : this.random.below(9),
      lanes,
    )
  }

  #compute(): LaneNode {
    const lanes = this.random.chance(60) ? this.lanes : 1
    const dtype = this.random.pick(this.dtypes)
    if (this.random.chance(25)) return this.b.cast(this.random.pick(this.dtypes), this.#value(dtype, lanes))
    if (this.random.chance(8) && computeDtype(dtype) === dtype) {
      const fn = this.random.pick(
        (['add', 'mul', 'min', 'max', 'fmax', 'and', 'or'] as const).filter(name => accepts(name, dtype)),
      )
      return this.b.fold(fn, this.#value(dtype))
    }
    if (this.random.chance(5) && this.lanes > 1)
      return this.b.extract(this.#value(dtype), this.random.below(this.lanes))
    const number = computeDtype(dtype) as TensorDtype
    const allowed = exactOps.filter(fn => accepts(fn, number) && !(fn === 'pow' && dtypeInfo(number).kind === 'float'))
    const fn = this.random.pick(allowed)
    const operands = Array.from({ length: scalarOp(fn).arity }, (_, i) =>
      this.#value(fn === 'where' && i === 0 ? 'bool' : number, lanes),
    )
    return this.b.map(fn, ...operands)
  }

  /** An index of an access of `lanes` elements that stays inside [0, cells). */
  #index(lanes: number, size = cells): LaneNode {
    const room = size - lanes
    if (this.#counters.length === 0 || this.random.chance(40)) return this.b.index(this.random.below(room + 1))
    const i = this.random.pick(this.#counters)
    return this.b.map('mod', this.b.map('add', i, this.b.index(this.random.below(room + 1))), this.b.index(room + 1))
  }

  #count(lanes: number): LaneNode | undefined {
    return lanes > 1 && this.random.chance(35) ? this.b.index(this.random.below(lanes + 2)) : undefined
  }

  #indices(): LaneNode {
    const raw = this.#value('i64')
    return this.b.map('mod', raw, this.b.const('i64', cells, this.lanes))
  }

  #load(): LaneNode {
    const from = this.random.pick(this.pointers)
    const lanes = this.random.chance(70) ? this.lanes : 1
    if (this.#scratch.length > 0 && this.random.chance(30))
      return this.b.load(this.random.pick(this.#scratch), this.#index(lanes, 2 * this.lanes), lanes, this.#count(lanes))
    if (this.random.chance(15))
      return this.b.gather(from, this.#indices(), this.random.chance(50) ? this.#value('bool') : undefined)
    return this.b.load(from, this.#index(lanes), lanes, this.#count(lanes))
  }

  #store(): void {
    const to = this.random.pick(this.#scratch.length > 0 && this.random.chance(25) ? this.#scratch : this.pointers)
    const local = this.#scratch.includes(to)
    const dtype = pointerType(to).dtype as TensorDtype
    const lanes = this.random.chance(70) ? this.lanes : 1
    if (!local && this.random.chance(12))
      this.b.scatter(to, this.#indices(), this.#value(dtype), this.random.chance(50) ? this.#value('bool') : undefined)
    else if (!local && this.random.chance(8))
      this.#keep(this.b.atomic(this.random.pick(['min', 'max', 'exchange']), to, this.#index(1), this.#value(dtype, 1)))
    else
      this.b.store(
        to,
        this.#index(lanes, local ? 2 * this.lanes : cells),
        this.#value(dtype, lanes),
        this.#count(lanes),
      )
  }

  /** Scratch is written whole at once: reading what is not is an error. */
  #allocate(): void {
    const dtype = this.random.pick(this.dtypes)
    const scratch = this.b.alloc(dtype, 2 * this.lanes)
    this.b.store(scratch, this.b.index(0), this.#value(dtype))
    this.b.store(scratch, this.b.index(this.lanes), this.#value(dtype))
    this.#scratch.push(scratch)
  }

  #inner<R>(build: () => R): R {
    const scratch = this.#scratch
    this.#scratch = [...scratch]
    this.#scopes.push([])
    this.#depth++
    try {
      return build()
    } finally {
      this.#depth--
      this.#scopes.pop()
      this.#scratch = scratch
    }
  }

  #carried(): LaneNode[] {
    return Array.from({ length: this.random.below(4) }, () =>
      this.#value(this.random.pick(this.dtypes), this.random.chance(50) ? this.lanes : 1),
    )
  }

  /** New values for carried ones: of the same types, sometimes one another's. */
  #results(like: readonly LaneNode[]): LaneNode[] {
    return like.map(node => this.#value(valueType(node).dtype as TensorDtype, valueType(node).lanes))
  }

  #for(): void {
    const bounds = this.random.pick([
      [0, 3, 1],
      [5, 0, -2],
      [0, 2, 1],
      [1, 1, 1],
      [0, 7, 3],
    ] as const)
    const inits = this.#carried()
    const items = this.#inner(() =>
      this.b.for(
        bounds,
        inits,
        (counter, params) => {
          this.#counters.push(counter)
          params.forEach(param => {
            this.#keep(param)
          })
          this.#keep(counter)
          this.statements(1 + this.random.below(5))
          const results = this.#results(params)
          this.#counters.pop()
          return results
        },
        { unroll: this.random.chance(30) },
      ),
    )
    for (const item of items) this.#keep(item)
  }

  #if(): void {
    const like = this.#carried()
    const branch = () =>
      this.#inner(() => {
        this.statements(1 + this.random.below(3))
        return this.#results(like)
      })
    for (const item of this.b.if(this.#value('bool', 1), branch, branch)) this.#keep(item)
  }

  #while(): void {
    const inits = [this.b.index(this.random.below(4)), ...this.#carried()]
    const condition = ([n]: LaneNode[]): LaneNode => this.b.map('gt', n!, this.b.index(0))
    const items = this.#inner(() =>
      this.b.while(inits, condition, params => {
        params.forEach(param => {
          this.#keep(param)
        })
        this.statements(1 + this.random.below(3))
        const [, ...rest] = params
        return [this.b.map('sub', params[0]!, this.b.index(1)), ...this.#results(rest)]
      }),
    )
    for (const item of items) this.#keep(item)
  }
}

/** Two pointers to each of two dtypes, and one to i64 and bool each. */
export function pointerDtypes(seed: number): TensorDtype[] {
  const random = new Random(seed + 77)
  const [a, b] = [random.pick(allDtypes), random.pick(allDtypes)]
  return [a, a, b, b, 'i64', 'bool']
}

export function randomProgram(seed: number): LaneProgram {
  const types = Object.fromEntries(pointerDtypes(seed).map((dtype, i) => [`p${i}`, pointer(dtype)]))
  return laneProgram(`fuzz_${seed}`, { ...types, n: value('i64') }, (b, args) => {
    const random = new Random(seed)
    const pointers = Object.values(args).filter(node => node.type.kind === 'pointer')
    new Grower(b, random, pointers, random.pick([1, 4, 8, 16, 32]), pointerDtypes(seed)).statements(20)
  })
}

export const argumentsFor = (seed: number): TestArgument[] => [
  ...pointerDtypes(seed).map((dtype, i) => spread(dtype, cells, seed + i)),
  5n,
]
