/**
 * Random programs of views, copies, computed values and in-place writes that return several tensors, and a model of their
 * aliasing: a tensor is a list of the memory places of its elements. Whether a reshape is a view is decided by searching for
 * strides that lead to those places, independently of the library's rules.
 */
import type { Tensor } from '../../src/index.js'

export type Random = () => number

export const pick = <T>(random: Random, items: readonly T[]): T => items[Math.floor(random() * items.length)]!

// --- the model -----------------------------------------------------------------------------------------------------------

export interface Memory {
  readonly values: number[]
}

/** Elements in row-major order, as memory places. */
export interface Modelled {
  readonly memory: Memory
  readonly shape: readonly number[]
  readonly places: readonly number[]
}

const count = (shape: readonly number[]): number => shape.reduce((a, b) => a * b, 1)

export function fresh(shape: readonly number[], values: readonly number[]): Modelled {
  return { memory: { values: [...values] }, shape, places: values.map((_, i) => i) }
}

export const valuesOf = ({ memory, places }: Modelled): number[] => places.map(place => memory.values[place]!)

const copyOf = (x: Modelled): Modelled => fresh(x.shape, valuesOf(x))

/** The indices of a shape in row-major order. */
function indicesOf(shape: readonly number[]): number[][] {
  return Array.from({ length: count(shape) }, (_, flat) => {
    const index: number[] = []
    let rest = flat
    for (const size of [...shape].reverse()) {
      index.unshift(rest % size)
      rest = Math.floor(rest / size)
    }
    return index
  })
}

const flatIndex = (shape: readonly number[], index: readonly number[]): number =>
  index.reduce((sum, i, d) => sum * shape[d]! + i, 0)

/** The view whose element `index` is element `from(index)` of x. */
const gathered = (x: Modelled, shape: readonly number[], from: (index: number[]) => number[]): Modelled => ({
  memory: x.memory,
  shape,
  places: indicesOf(shape).map(index => x.places[flatIndex(x.shape, from(index))]!),
})

/** A view if each dim has a single stride, else a copy. */
function reshaped(x: Modelled, shape: readonly number[]): Modelled {
  const [first = 0] = x.places
  const strides = shape.map((size, d) => {
    const step = count(shape.slice(d + 1))
    return size > 1 ? x.places[step]! - first : 0
  })
  const isView = indicesOf(shape).every(
    (index, i) => x.places[i] === index.reduce((sum, at, d) => sum + at * strides[d]!, first),
  )
  return { ...(isView ? x : copyOf(x)), shape }
}

function write(x: Modelled, change: (value: number) => number): Modelled {
  for (const place of x.places) x.memory.values[place] = change(x.memory.values[place]!)
  return x
}

// --- ops -----------------------------------------------------------------------------------------------------------------

/** An op on tensors, and its effect on the model; `dim` is any dim of the tensor, which has at least one. */
interface RandomOp {
  readonly name: string
  /** Minimum number of dims. */
  readonly rank?: number
  readonly change?: true
  readonly run: (x: Tensor, dim: number) => Tensor
  readonly model: (x: Modelled, dim: number) => Modelled
}

const swapped = <T>(list: readonly T[], a: number, b: number): T[] => list.with(a, list[b]!).with(b, list[a]!)
const mapped = (x: Modelled, fn: (value: number) => number): Modelled => fresh(x.shape, valuesOf(x).map(fn))
const ranged = (x: Modelled, dim: number, start: number, size: number, step: number): Modelled =>
  gathered(x, x.shape.with(dim, size), index => index.with(dim, start + index[dim]! * step))

export const ops: readonly RandomOp[] = [
  {
    name: 'transpose',
    rank: 1,
    run: (x, dim) => x.transpose(0, dim),
    model: (x, dim) => gathered(x, swapped(x.shape, 0, dim), index => swapped(index, 0, dim)),
  },
  {
    name: 'all but the first',
    rank: 1,
    run: (x, dim) => x.slice(...x.sizes.map((_, d) => (d === dim ? ([1, null] as const) : null))),
    model: (x, dim) => ranged(x, dim, 1, Math.max(0, x.shape[dim]! - 1), 1),
  },
  {
    name: 'every second',
    rank: 1,
    run: (x, dim) => x.slice(...x.sizes.map((_, d) => (d === dim ? ([0, null, 2] as const) : null))),
    model: (x, dim) => ranged(x, dim, 0, Math.ceil(x.shape[dim]! / 2), 2),
  },
  {
    name: 'first two',
    rank: 1,
    run: (x, dim) => x.narrow(dim, 0, 2),
    model: (x, dim) => ranged(x, dim, 0, 2, 1),
  },
  {
    name: 'first',
    rank: 1,
    run: (x, dim) => x.select(dim, 0),
    model: (x, dim) => gathered(x, x.shape.toSpliced(dim, 1), index => index.toSpliced(dim, 0, 0)),
  },
  {
    name: 'new dim',
    run: (x, dim) => x.unsqueeze(dim),
    model: (x, dim) => gathered(x, x.shape.toSpliced(dim, 0, 1), index => index.toSpliced(dim, 1)),
  },
  { name: 'squeeze', run: x => x.squeeze(), model: x => ({ ...x, shape: x.shape.filter(size => size !== 1) }) },
  { name: 'flatten', rank: 1, run: x => x.flatten(), model: x => reshaped(x, [count(x.shape)]) },
  {
    name: 'flatten from a dim',
    rank: 2,
    run: (x, dim) => x.flatten(dim),
    model: (x, dim) => reshaped(x, [...x.shape.slice(0, dim), count(x.shape.slice(dim))]),
  },
  { name: 'reshape', rank: 1, run: x => x.reshape([-1, 1]), model: x => reshaped(x, [count(x.shape), 1]) },
  {
    name: 'repeated',
    run: x => x.expand([2, ...x.sizes.map(() => -1)]),
    model: x => gathered(x, [2, ...x.shape], index => index.slice(1)),
  },
  { name: 'flip', rank: 1, run: (x, dim) => x.flip([dim]), model: flipped },
  { name: 'clone', run: x => x.clone(), model: copyOf },
  { name: 'contiguous', run: x => x.contiguous(), model: contiguous },
  { name: 'same dtype', run: x => x.to('f32'), model: x => x },
  { name: 'add 1', run: x => x.add(1), model: x => mapped(x, v => v + 1) },
  { name: 'add 0', run: x => x.add(0), model: copyOf },
  { name: 'remainder', run: x => x.remainder(3), model: x => mapped(x, v => ((v % 3) + 3) % 3) },
  { name: 'max with itself', run: x => x.maximum(x), model: copyOf },
  { name: 'sum', rank: 1, run: (x, dim) => x.sum(dim), model: summed },
  { name: 'add 1 in place', change: true, run: x => x.add_(1), model: x => write(x, v => v + 1) },
  { name: 'zero', change: true, run: x => x.zero_(), model: x => write(x, () => 0) },
]

function flipped(x: Modelled, dim: number): Modelled {
  return copyOf(gathered(x, x.shape, index => index.with(dim, x.shape[dim]! - 1 - index[dim]!)))
}

function contiguous(x: Modelled): Modelled {
  const [first = 0] = x.places
  return x.places.every((place, i) => place === first + i) ? x : copyOf(x)
}

function summed(x: Modelled, dim: number): Modelled {
  const shape = x.shape.toSpliced(dim, 1)
  const values = valuesOf(x)
  const sum = (index: number[]): number =>
    Array.from({ length: x.shape[dim]! }, (_, i) => values[flatIndex(x.shape, index.toSpliced(dim, 0, i))]!).reduce(
      (a, b) => a + b,
      0,
    )
  return fresh(shape, indicesOf(shape).map(sum))
}

// --- programs --------------------------------------------------------------------------------------------------------------

export interface Step {
  readonly op: RandomOp | 'read'
  /** Index among the tensors so far: arguments, closures, results of steps. */
  readonly on: number
  /** Counted from the front, of as many dims as there are. */
  readonly dim: number
}

export interface Program {
  readonly steps: readonly Step[]
  /** The tensors that are returned. */
  readonly results: readonly number[]
}

const dimOf = (step: Step, rank: number, op: RandomOp): number =>
  op.name === 'new dim' ? step.dim % (rank + 1) : rank === 0 ? 0 : step.dim % rank

/** A program. Which of its steps apply depends on the ranks; the others are skipped in every run. */
export function randomProgram(random: Random, inputs: number): Program {
  const length = 2 + Math.floor(random() * 6)
  const steps = Array.from({ length }, (_, i): Step => {
    const op = random() < 0.05 ? 'read' : pick(random, ops)
    return { op, on: Math.floor(random() * (inputs + i)), dim: Math.floor(random() * 6) }
  })
  const total = inputs + length
  const results = Array.from({ length: 2 + Math.floor(random() * 3) }, () => Math.floor(random() * total))
  return { steps, results }
}

/** Runs a program on tensors. */
export function run({ steps, results }: Program, inputs: readonly Tensor[]): Tensor[] {
  const made = [...inputs]
  for (const step of steps) {
    const x = made[step.on]!
    if (step.op === 'read') {
      if (x.ndim > 0) x.sum().itemSync()
      made.push(x)
      continue
    }
    made.push(x.ndim < (step.op.rank ?? 0) ? x : step.op.run(x, dimOf(step, x.ndim, step.op)))
  }
  return results.map(i => made[i]!)
}

/** Runs it on the model. */
export function model({ steps, results }: Program, inputs: readonly Modelled[]): Modelled[] {
  const made = [...inputs]
  for (const step of steps) {
    const x = made[step.on]!
    const applies = step.op !== 'read' && x.shape.length >= (step.op.rank ?? 0)
    made.push(applies ? (step.op as RandomOp).model(x, dimOf(step, x.shape.length, step.op as RandomOp)) : x)
  }
  return results.map(i => made[i]!)
}

/** For messages. */
export const describeProgram = ({ steps, results }: Program): string =>
  [
    ...steps.map(({ op, on, dim }, i) => `${i}: ${op === 'read' ? op : op.name} of ${on} (${dim})`),
    `→ ${results}`,
  ].join('; ')
