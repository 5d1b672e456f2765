/**
 * Random programs about memory order: one instance that loads and stores blocks of a few views, which may all be the same
 * memory, at shifted places, transposed, in loops and branches, and loops that carry tiles and exchange them.
 */
import { describe, expect, it } from 'vitest'
import { emitC, scratchBytes, symbolOf } from '../../src/codegen/c/emit.js'
import { print } from '../../src/ir/print.js'
import { lowerTile } from '../../src/lower/cpu/lower.js'
import { lowerSimt } from '../../src/lower/simt/lower.js'
import { type InterpreterArgument, interpret } from '../../src/tile/interpret.js'
import { type Parameter, type TileProgram, tileDialect } from '../../src/tile/ir.js'
import { TileBuilder, type TileValue, ViewValue } from '../../src/tile/language.js'
import { compileNative, exactFlags, noCompiler } from '../codegen/native.js'
import { Choices, shrinkChoices } from '../support/choices.js'
import { copyArgs } from '../support/random-tile.js'
import { isQuick } from '../support/sample-choice.js'
import { factsOf, noFacts, simulateProgram, target, withWarps } from './blocks.js'
import { nativeArguments, over, simulateLowered, targets, wide } from './support.js'

interface Case {
  readonly program: TileProgram
  readonly args: readonly InterpreterArgument[]
  readonly choices: readonly number[]
}

/** Integers, so that every order of a sum is exact. */
function makeCase(source: number | readonly number[], name = 'order'): Case {
  const choices = new Choices(source)
  const t = new TileBuilder({ name, checked: false })
  const size = choices.of([4, 8, 9, 17])
  const isStatic = choices.oneIn(2)
  const shared = choices.below(3)
  const one = Int32Array.from({ length: size * size }, (_, i) => (i * 7) % 23)
  const data = [one, shared > 0 ? one : one.map(x => x * 3), shared > 1 ? one : one.map(x => 50 - x)]
  const dim = isStatic ? size : null
  const params: Parameter[] = data.map((_, index) => ({
    name: `v${index}`,
    type: { kind: 'view', dtype: 'i32', sizes: [dim, dim], strides: [dim, 1] },
  }))
  const nodes = params.map(({ name: view, type }, index) =>
    t.emitter.emit('view', [], { index, name: view, type: type as never }),
  )
  const views = nodes.map(node => new ViewValue(t.emitter, node, 'v'))
  const shape = [choices.of([size, 16, 4]), choices.of([size, 16, 4])]
  const square = shape[0] === shape[1]
  new Body(t, choices, views, shape, square).statements(2 + choices.below(8), [], 0)
  const program = { name, params, body: t.emitter.builder.finish([], nodes), hints: {} }
  return { program, args: data.map(array => over(array, [size, size])), choices: [...choices.taken] }
}

class Body {
  constructor(
    readonly t: TileBuilder,
    readonly choices: Choices,
    readonly views: readonly ViewValue[],
    readonly shape: readonly number[],
    readonly square: boolean,
  ) {}

  statements(count: number, around: readonly TileValue[], depth: number): TileValue[] {
    const pool = [...around]
    for (let i = 0; i < count; i++) this.#statement(pool, depth)
    return pool
  }

  #offsets(): number[] {
    return [this.choices.of([0, 0, 0, 1, -1]), this.choices.of([0, 0, 0, 2, -1])]
  }

  #load(): TileValue {
    return this.t.load(this.choices.of(this.views), this.#offsets(), this.shape)
  }

  #pick(pool: readonly TileValue[]): TileValue {
    return pool.length === 0 ? this.#load() : pool[pool.length - 1 - this.choices.below(pool.length)]!
  }

  #statement(pool: TileValue[], depth: number): void {
    const { t, choices } = this
    switch (choices.below(9)) {
      case 0:
      case 1:
        pool.push(this.#load())
        break
      case 2:
      case 3:
        t.store(choices.of(this.views), this.#offsets(), this.#pick(pool))
        break
      case 4:
        pool.push(this.#pick(pool).mul(3).sub(this.#pick(pool)))
        break
      case 5: {
        const value = this.#pick(pool)
        const axis = choices.below(2)
        const other = this.square && choices.oneIn(2) ? value.transpose() : value.sum(axis, { keepdim: true })
        pool.push(value.add(other))
        break
      }
      case 6:
        pool.push(
          this.#pick(pool)
            .reshape([...this.shape].reverse())
            .reshape([this.shape[0]! * this.shape[1]!])
            .reshape(this.shape)
            .add(1),
        )
        break
      case 7:
        if (depth < 2) this.#loop(pool, depth)
        break
      default:
        if (depth < 2) this.#branch(pool, depth)
    }
  }

  #loop(pool: TileValue[], depth: number): void {
    const { choices } = this
    const start = { a: this.#pick(pool), b: this.#pick(pool), n: this.t.const(1, 'i32') }
    const done = this.t.range(0, choices.below(4), 1, start, (_, { a, b, n }) => {
      const inner = this.statements(1 + choices.below(4), [...pool, a, b], depth + 1)
      return { a: this.#pick(inner), b: this.#pick(inner), n: n.add(this.#pick(inner).amax()) }
    })
    pool.push(done.a, done.b.add(done.n))
  }

  #branch(pool: TileValue[], depth: number): void {
    const side = () => ({ v: this.#pick(this.statements(this.choices.below(4), pool, depth + 1)) })
    pool.push(this.t.if(this.#pick(pool).sum().mod(2).eq(0), side, side).v)
  }
}

function problemOf({ program, args }: Case, target: (typeof targets)[number]): string | null {
  const [want, got] = [copyArgs(args), copyArgs(args)]
  interpret(program, want, [1])
  simulateLowered(lowerTile(program, target), program, got, [1])
  return firstDifference(want, got)
}

function firstDifference(want: readonly InterpreterArgument[], got: readonly InterpreterArgument[]): string | null {
  for (const [i, a] of want.entries()) {
    const b = got[i]!
    if (typeof a !== 'object' || typeof b !== 'object') continue
    const at = a.data.findIndex((x: number | bigint, j: number) => x !== b.data[j])
    if (at >= 0) return `v${i}[${at}]: ${a.data[at]} expected, ${b.data[at]} found`
  }
  return null
}

const first = Number(process.env.TEGULA_FUZZ_SEED ?? 1)
const count = Number(process.env.TEGULA_FUZZ_COUNT ?? (isQuick ? 16 : 200))

describe(`memory order, seeds ${first} to ${first + count - 1}`, () => {
  it('is the program order, whatever memory the views share', () => {
    for (let seed = first; seed < first + count; seed++) {
      const target = targets[seed % targets.length]!
      const attempt = (source: number | readonly number[]): string | null => {
        try {
          return problemOf(makeCase(source), target)
        } catch (error) {
          return String(error)
        }
      }
      const problem = attempt(seed)
      if (problem === null) continue
      const small = makeCase(shrinkChoices(makeCase(seed).choices, choices => attempt(choices) !== null))
      throw new Error(
        `seed ${seed}, ${target.vectorBytes} bytes: ${attempt(small.choices)}\n${print(tileDialect, small.program.body)}`,
      )
    }
  })

  it('holds on blocks of threads', () => {
    for (let seed = first; seed < first + count; seed++) {
      const warps = [1, 2, 4][seed % 3]!
      const attempt = (source: number | readonly number[]): string | null => {
        try {
          const { program, args } = makeCase(source)
          const [want, got] = [copyArgs(args), copyArgs(args)]
          interpret(program, want, [1])
          const facts = seed % 2 === 0 ? factsOf(program, args) : noFacts(program)
          simulateProgram(lowerSimt(withWarps(program, warps), target, facts), program, got, [1])
          return firstDifference(want, got)
        } catch (error) {
          return String(error)
        }
      }
      const problem = attempt(seed)
      if (problem === null) continue
      const small = makeCase(shrinkChoices(makeCase(seed).choices, choices => attempt(choices) !== null))
      throw new Error(
        `seed ${seed}, ${warps} warps: ${attempt(small.choices)}\n${print(tileDialect, small.program.body)}`,
      )
    }
  })

  it.skipIf(noCompiler !== null)('holds in compiled code (needs a C compiler)', () => {
    const cases = Array.from({ length: Math.ceil(count / 4) }, (_, i) => makeCase(first + i, `order${i}`))
    const lowered = cases.map(({ program }) => lowerTile(program, wide))
    const library = compileNative(emitC(lowered), [...exactFlags, '-O1', '-Wno-aggressive-loop-optimizations'])
    for (const [i, { program, args }] of cases.entries()) {
      const [want, got] = [copyArgs(args), copyArgs(args)]
      interpret(program, want, [1])
      const kernel = library.kernel(symbolOf(lowered[i]!), scratchBytes(lowered[i]!))
      kernel(nativeArguments(program, got), [1, 1, 1])
      expect(firstDifference(want, got), `seed ${first + i}`).toBeNull()
    }
  })
})
