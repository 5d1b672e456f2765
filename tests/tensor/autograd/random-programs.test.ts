/**
 * Random eager programs with views and in-place ops: the tape's gradients, and gradients of gradients, against finite differences of
 * the same program run without it, in float64. A program may be refused, because it overwrites what a gradient needs; it must
 * never get other numbers.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { enableGrad, GradientError, gradients, noGrad, type Tensor, tensor, zeros } from '../../../src/index.js'
import { useInterpreter } from '../../support/reference-executor.js'
import { isQuick } from '../../support/sample-choice.js'
import { seededRandom } from '../../support/tensor-spec.js'

type Random = () => number

/** Makes a tensor of others, or changes one in place and gives null. */
type Statement = (pool: readonly Tensor[]) => Tensor | null

const pick = <T>(random: Random, items: readonly T[]): T => items[Math.floor(random() * items.length)]!

const unary: Readonly<Record<string, (x: Tensor) => Tensor>> = {
  sin: x => x.sin(),
  tanh: x => x.tanh(),
  exp: x => x.tanh().exp(),
  square: x => x.square(),
  sum: x => x.sum(-1),
  clone: x => x.clone(),
  softmax: x => x.softmax(-1),
}

const binary: Readonly<Record<string, (x: Tensor, y: Tensor) => Tensor>> = {
  add: (x, y) => x.add(y),
  mul: (x, y) => x.mul(y),
  sub: (x, y) => x.sub(y),
}

const views: Readonly<Record<string, (x: Tensor) => Tensor>> = {
  t: x => x.transpose(0, -1),
  first: x => x.select(0, 0),
  last: x => x.select(-1, -1),
  rest: x => x.narrow(0, 1, x.shape[0]! - 1),
  everySecond: x => x.slice('all', [0, null, 2]),
  flat: x => x.reshape([-1]),
  unsqueeze: x => x.unsqueeze(1),
  expand: x => x.unsqueeze(0).expand(2, ...x.shape),
  diagonal: x => x.diagonal(),
  view: x => x.view(x.shape),
}

const inPlace: Readonly<Record<string, (x: Tensor, y: Tensor) => void>> = {
  add_: (x, y) => x.add_(y),
  mul_: (x, y) => x.mul_(y),
  sin_: x => x.sin_(),
  tanh_: x => x.tanh_(),
  copy_: (x, y) => x.copy_(y),
  fill_: x => x.fill_(0.5),
  mulBySelf_: x => x.mul_(x),
}

interface Program {
  readonly text: string
  readonly statements: readonly Statement[]
  /** Weights of the loss, by position in the pool. */
  readonly weights: readonly number[]
}

/** The statements are tried out as they are chosen: those that throw (shapes, leaves, expanded tensors) are left out. */
function randomProgram(random: Random, leaves: () => Tensor[], length: number): Program {
  const pool = leaves()
  const statements: Statement[] = []
  const lines: string[] = []
  while (statements.length < length) {
    const kind = random()
    const [i, j] = [Math.floor(random() * pool.length), Math.floor(random() * pool.length)]
    let statement: Statement
    let line: string
    if (kind < 0.4) {
      const name = pick(random, Object.keys(inPlace))
      statement = all => {
        inPlace[name]!(all[i]!, all[j]!)
        return null
      }
      line = `${i}.${name}(${j})`
    } else {
      const [name, make] =
        kind < 0.6
          ? pick(random, Object.entries(binary))
          : kind < 0.85
            ? pick(random, Object.entries(views))
            : pick(random, Object.entries(unary))
      statement = all => make(all[i]!, all[j]!)
      line = `${pool.length} = ${i}.${name}(${j})`
    }
    try {
      const made = statement(pool)
      if (made !== null && made.numel() > 24) continue
      if (made !== null) pool.push(made)
    } catch {
      continue
    }
    statements.push(statement)
    lines.push(line)
  }
  const weights = pool.map(() => (random() < 0.4 ? Math.round(random() * 20) / 10 - 1 : 0))
  weights[weights.length - 1] = 1
  return { text: lines.join('; '), statements, weights }
}

function lossOf({ statements, weights }: Program, given: readonly Tensor[]): Tensor {
  const pool = [...given]
  for (const statement of statements) {
    const made = statement(pool)
    if (made !== null) pool.push(made)
  }
  let loss = tensor(0, { dtype: 'f64' })
  for (const [i, weight] of weights.entries()) if (weight !== 0) loss = loss.add(pool[i]!.sin().sum().mul(weight))
  return loss
}

/** The leaves, and bases to write into: one of the leaves, and one without a gradient. */
const inputsOf = (x: Tensor, w: Tensor): Tensor[] => [x, w, x.mul(1), w.mul(2), zeros([2, 3], { dtype: 'f64' })]

const leafOf = (values: readonly number[], shape: readonly number[], requiresGrad: boolean): Tensor =>
  tensor([...values], { dtype: 'f64' })
    .reshape(shape)
    .clone()
    .requiresGrad_(requiresGrad)

type Scalar = (values: readonly number[]) => number

/** ∂f/∂values[i] by central differences: of second order, or of fourth. */
function slope(f: Scalar, at: readonly number[], i: number, order: 2 | 4): number {
  const step = 1e-5
  const across = (far: number): number => f(at.with(i, at[i]! + far * step)) - f(at.with(i, at[i]! - far * step))
  return order === 2 ? across(1) / (2 * step) : (8 * across(1) - across(2)) / (12 * step)
}

const split = (values: readonly number[], requiresGrad: boolean): [Tensor, Tensor] => [
  leafOf(values.slice(0, 6), [2, 3], requiresGrad),
  leafOf(values.slice(6), [3], requiresGrad),
]

const flatten = (tensors: readonly (Tensor | null)[], sizes: readonly number[]): number[] =>
  tensors.flatMap((each, i) =>
    each === null ? new Array<number>(sizes[i]!).fill(0) : Array.from(each.dataSync(), Number),
  )

/** Where the curvature is large, differences of second order are not exact enough. */
function expectSlopes(got: readonly number[], f: Scalar, at: readonly number[], what: string): void {
  const rough = at.map((_, i) => slope(f, at, i, 2))
  const tolerance = 2e-6 * Math.max(1, ...rough.map(Math.abs))
  const isNear = (a: number, b: number): boolean => Math.abs(a - b) <= tolerance
  for (const [i, value] of rough.entries()) {
    if (isNear(value, got[i]!)) continue
    const exact = slope(f, at, i, 4)
    if (!isNear(exact, got[i]!)) expect.fail(`gradient ${i} is ${got[i]}, by differences ${exact}: ${what}`)
  }
}

/** How the program fared: with the right gradients, or refused. */
function check(seed: number): 'right' | 'refused' {
  const random = seededRandom(seed)
  const values = Array.from({ length: 9 }, () => random() * 2 - 1)
  const program = randomProgram(random, () => inputsOf(...split(values, true)), 3 + Math.floor(random() * 10))
  const what = `seed ${seed}: ${program.text}`
  const [x, w] = split(values, true)
  const given = { allowUnused: true, createGraph: true }
  try {
    const loss = lossOf(program, inputsOf(x, w))
    if (!loss.requiresGrad) return 'right'
    const found = gradients(loss, [x, w], given)
    const valueAt = (at: readonly number[]): number =>
      noGrad(() => lossOf(program, inputsOf(...split(at, false))).itemSync())
    expectSlopes(flatten(found, [6, 3]), valueAt, values, what)
    if (seed % 4 !== 3) return 'right'
    // The gradient's own gradient, in one direction.
    const weigh = (each: readonly (Tensor | null)[]): Tensor =>
      each.reduce<Tensor>((sum, one, i) => (one === null ? sum : sum.add(one.mul(i + 0.5).sin().sum())), tensor(0, { dtype: 'f64' })) // biome-ignore format: one line
    const total = weigh(found)
    const second = total.requiresGrad ? gradients(total, [x, w], { allowUnused: true }) : [null, null]
    const gradientAt = (at: readonly number[]): number =>
      enableGrad(() => {
        const leaves = split(at, true)
        return weigh(gradients(lossOf(program, inputsOf(...leaves)), leaves, { allowUnused: true })).itemSync()
      })
    expectSlopes(flatten(second, [6, 3]), gradientAt, values, `second derivative, ${what}`)
    return 'right'
  } catch (error) {
    if (error instanceof GradientError && /changed in place/.test(error.message)) return 'refused'
    throw error
  }
}

beforeAll(() => {
  useInterpreter()
})

describe('random programs', () => {
  const from = Number(process.env.AUTOGRAD_FROM ?? 0)
  const programs = Number(process.env.AUTOGRAD_PROGRAMS ?? (isQuick ? 4 : 150))

  it(`have the gradients of finite differences: ${programs} of them`, { timeout: 600_000 }, () => {
    let right = 0
    for (let seed = from; seed < from + programs; seed++) if (check(seed) === 'right') right++
    expect(right).toBeGreaterThan(programs / 2)
  })
})
