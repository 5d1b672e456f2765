/**
 * Results share memory exactly where eager results do: a write to one of several tensors (results, arguments, closures) is
 * seen in the others as the model says, eagerly and compiled, at the sizes compiled for and at others.
 */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { CaptureError, type CompileOptions, compile, ShapeError, type Tensor, tensor } from '../../src/index.js'
import {
  describeProgram,
  fresh,
  type Modelled,
  model,
  ops,
  type Program,
  pick,
  type Random,
  randomProgram,
  run,
  valuesOf,
} from '../support/random-aliasing.js'
import { isQuick } from '../support/sample-choice.js'
import { seededRandom } from '../support/tensor-spec.js'

/** A way to lay an argument of rank 2 out, by name of an op; the argument is what the op makes of a larger tensor. */
const layouts = ['clone', 'transpose', 'every second', 'all but the first', 'repeated', 'first two', 'first'] as const

interface Given {
  readonly tensors: readonly Tensor[]
  readonly modelled: readonly Modelled[]
}

function argument(layout: string, n: number): { readonly tensor: Tensor; readonly modelled: Modelled } {
  const shape = layout === 'first' ? [2, n, 3] : layout === 'repeated' ? [n] : [n, 4]
  const values = Array.from({ length: shape.reduce((a, b) => a * b, 1) }, (_, i) => i + 1)
  const op = ops.find(({ name }) => name === layout)!
  const dim = layout === 'first' ? 0 : 1
  const base = tensor(values).reshape(shape)
  return { tensor: op.run(base, dim), modelled: op.model(fresh(shape, values), dim) }
}

const given = (chosen: readonly string[], n: number): Given => {
  const made = chosen.map(layout => argument(layout, n))
  return { tensors: made.map(({ tensor: t }) => t), modelled: made.map(({ modelled }) => modelled) }
}

const numbers = (t: Tensor): number[] => Array.from(t.dataSync(), Number)

/** Whose elements change when all of one tensor's are written: for each tensor that can be, a row. */
function seen(tensors: readonly Tensor[]): string[] {
  return tensors.map((t, i) => {
    const before = tensors.map(numbers)
    try {
      t.fill_(-1000 - i)
    } catch (error) {
      if (error instanceof ShapeError) return 'not written' // its elements share memory with each other
      throw error
    }
    return tensors.map((other, j) => (numbers(other).some((value, k) => value !== before[j]![k]) ? '1' : '0')).join('')
  })
}

function modelSeen(tensors: readonly Modelled[], writable: readonly boolean[]): string[] {
  return tensors.map((t, i) => {
    if (!writable[i]) return 'not written'
    const places = new Set(t.places)
    return tensors
      .map(other => (other.memory === t.memory && other.places.some(place => places.has(place)) ? '1' : '0'))
      .join('')
  })
}

const isWritable = ({ places }: Modelled): boolean => new Set(places).size === places.length

/** What a run gives, or the class of the error that it ends with. */
function outcome(call: () => Tensor[], all: readonly Tensor[]): string {
  try {
    const results = call()
    const shown = results.map(t => `[${t.shape}] ${numbers(t)}`)
    return JSON.stringify([shown, seen([...results, ...all])])
  } catch (error) {
    if (error instanceof ShapeError) return 'ShapeError'
    if (
      error instanceof CaptureError &&
      /write through a diagonal|shares memory with|part of a tensor that was expanded/.test(error.message)
    )
      return 'refused'
    throw error
  }
}

const optionsOf: readonly CompileOptions[] = [
  {},
  {},
  { dynamic: true },
  { dynamic: true, bucket: 'pow2' },
  { dynamic: true, bucket: [4, 8] },
]

/** One program at several sizes. */
function check(seed: number, random: Random): void {
  const chosen = [pick(random, layouts), pick(random, layouts), pick(random, layouts)]
  const program: Program = randomProgram(random, chosen.length)
  const options = pick(random, optionsOf)
  const sizes = [4, 6, 3, 2, 8, 6].slice(0, 2 + Math.floor(random() * 5))
  const ownTensor = argument(chosen[2]!, 5).tensor
  const body = (x: Tensor, y: Tensor): unknown => {
    const [first, ...others] = run(program, [x, y, ownTensor])
    return { first, others: [...others] }
  }
  const compiled = compile(body as (x: Tensor, y: Tensor) => { first: Tensor; others: Tensor[] }, options)
  const flat = ({ first, others }: { first: Tensor; others: Tensor[] }): Tensor[] => [first, ...others]
  for (const n of sizes) {
    const what = `seed ${seed}, size ${n} of ${sizes}, ${JSON.stringify(options)}, ${chosen}: ${describeProgram(program)}`
    const fixed = argument(chosen[2]!, 5)
    const eager = given(chosen.slice(0, 2), n)
    const expected = outcome(() => run(program, [...eager.tensors, fixed.tensor]), [...eager.tensors, fixed.tensor])
    if (expected !== 'ShapeError') {
      const { modelled } = given(chosen.slice(0, 2), n)
      const inputs = [...modelled, argument(chosen[2]!, 5).modelled]
      const results = model(program, inputs)
      const all = [...results, ...inputs]
      const shown = results.map(t => `[${t.shape}] ${valuesOf(t)}`)
      expect(expected, `eager: ${what}`).toBe(JSON.stringify([shown, modelSeen(all, all.map(isWritable))]))
    }
    // The closure is as it was at first, in the same memory.
    restore(ownTensor, argument(chosen[2]!, 5).tensor)
    const own = given(chosen.slice(0, 2), n)
    const all = [...own.tensors, ownTensor]
    const actual = outcome(() => flat(compiled(...(own.tensors as [Tensor, Tensor]))), all)
    if (actual !== 'refused') expect(actual, what).toBe(expected)
  }
}

/** Writes the values into the memory that a tensor shows, each element once. */
function restore(target: Tensor, from: Tensor): void {
  if (target.strides[0] === 0) restore(target.select(0, 0), from.select(0, 0))
  else target.copy_(from)
}

describe('aliasing of results', () => {
  beforeEach(() => void vi.stubEnv('TEGULA_BACKEND', 'interpreter'))
  afterEach(() => void vi.unstubAllEnvs())
  const from = Number(process.env.ALIAS_FROM ?? 0)
  const programs = Number(process.env.ALIAS_PROGRAMS ?? (isQuick ? 12 : 150))

  it(`is the same as eagerly: ${programs} random programs`, { timeout: 600_000 }, () => {
    for (let seed = from; seed < from + programs; seed++) check(seed, seededRandom(seed))
  })
})
