/**
 * Runs updates. In a capture they become part of its graph. Otherwise a few calls of compiled functions update all parameters
 * (chunks.ts), which optimisers of the same kind share.
 */
import { compile } from '../compile/compile.js'
import { stack, where } from '../tensor/functions.js'
import { tensor } from '../tensor/host-data.js'
import { lasting } from '../tensor/lasting.js'
import type { Tensor } from '../tensor/tensor.js'
import { currentTracer } from '../tensor/tracer.js'
import type { State } from './algorithm.js'
import { type Chunk, chunksOf, flat, recompileLimit } from './chunks.js'
import type { AnyGroup, UpdateRule } from './group.js'

/** What a step is told besides the gradients. */
export interface StepControl {
  /** A 0-d bool: true leaves everything as it is. Null: never. */
  readonly skip: Tensor | null
}

/** Parameters that one compiled call updates. */
interface UpdateChunk extends Chunk {
  readonly params: readonly Tensor[]
  readonly states: readonly State[]
}

/** How the parameters are updated whose gradients are present. */
interface EagerPlan {
  readonly key: string
  readonly chunks: readonly UpdateChunk[]
  /** i64: the rows of the coefficients in the order of the chunks; null: as they are. */
  readonly order: Tensor | null
}

/** A group of parameters, and how it is updated. */
export class GroupUpdate {
  /** f32 [parameters]: 1 for those that make a step; by which ones do. */
  readonly #increments = new Map<string, Tensor>()
  /** That of the last step: valid for as long as the same gradients are present, in the same dtypes. */
  #plan: EagerPlan | null = null

  constructor(readonly group: AnyGroup) {}

  /** Updates the parameters that have a gradient; their number. */
  step(control: StepControl): number {
    const grads = this.group.params.map(param => param.grad ?? null)
    const present = [...grads.keys()].filter(i => grads[i] !== null)
    if (present.length > 0) {
      if (currentTracer() === null) this.#stepEagerly(grads, present, control)
      else this.#stepTraced(grads, present, control)
    }
    return present.length
  }

  #stepTraced(grads: readonly (Tensor | null)[], present: readonly number[], { skip }: StepControl): void {
    const { group } = this
    const found = advance(group.rule, group.numbers, group.steps, this.#incrementsOf(grads), skip)
    const coefficients = inMemory(found)
    for (const i of present) {
      const own = coefficients.map(value => (value.ndim === 0 ? value : value.select(0, i)))
      updateOne(group.rule, group.params[i]!, grads[i]!, group.state(i), own, skip)
    }
  }

  #stepEagerly(grads: readonly (Tensor | null)[], present: readonly number[], { skip }: StepControl): void {
    const { group } = this
    const { chunks, order } = this.#planFor(grads, present)
    const { advanceAll, updateChunk } = compiledFor(group.rule)
    const all = advanceAll(group.numbers, group.steps, this.#incrementsOf(grads), skip)
    const rows = order === null ? all : all.indexSelect(0, order)
    let first = 0
    for (const { params, states, indices, isFlat } of chunks) {
      const used = indices.map(i => (isFlat ? flat(grads[i]!) : grads[i]!))
      updateChunk(params, used, states, rows.narrow(0, first, indices.length), skip)
      first += indices.length
    }
  }

  /** Made once, so that traces of a function find the same tensor; kept beyond the scope that the first step may be in. */
  #incrementsOf(grads: readonly (Tensor | null)[]): Tensor {
    const counts = grads.map(grad => (grad === null ? 0 : 1))
    const key = counts.join('')
    const known = this.#increments.get(key)
    if (known !== undefined) return known
    const { device } = this.group.steps
    const made = lasting(() => tensor(counts, { device }))
    this.#increments.set(key, made)
    return made
  }

  #planFor(grads: readonly (Tensor | null)[], present: readonly number[]): EagerPlan {
    const key = grads.map(grad => grad?.dtype ?? '').join()
    if (this.#plan?.key === key) return this.#plan
    const { group } = this
    const chunks = chunksOf(group.params, present, group.rule.isMatrixwise, i => grads[i]!.dtype).map(chunk =>
      withState(group, chunk),
    )
    const order = chunks.flatMap(({ indices }) => indices)
    const isIdentity = order.length === grads.length && order.every((index, i) => index === i)
    const { device } = group.steps
    const kept = isIdentity ? null : lasting(() => tensor(order, { dtype: 'i64', device }))
    this.#plan = { key, chunks, order: kept }
    return this.#plan
  }
}

function withState(group: AnyGroup, { indices, isFlat }: Chunk): UpdateChunk {
  const fitted = (x: Tensor): Tensor => (isFlat ? flat(x) : x)
  const fittedState = (state: State): State =>
    Object.fromEntries(Object.entries(state).map(([name, value]) => [name, fitted(value)]))
  return {
    params: indices.map(i => fitted(group.params[i]!)),
    states: indices.map(i => fittedState(group.state(i))),
    indices,
    isFlat,
  }
}

/** Counts the step, and gives the coefficients with it. */
function advance(
  rule: UpdateRule,
  numbers: Tensor,
  steps: Tensor,
  increments: Tensor,
  skip: Tensor | null,
): readonly Tensor[] {
  const next = steps.add(increments)
  const coefficients = rule.coefficients(numbers, next.to('f64'))
  steps.copy_(unless(skip, next, steps))
  return coefficients
}

/** The same values, those of each parameter in memory: else every parameter's kernel would compute them, or another one for it. */
function inMemory(coefficients: readonly Tensor[]): readonly Tensor[] {
  const vectors = coefficients.filter(({ ndim }) => ndim === 1)
  if (vectors.length === 0) return coefficients
  const rows = stack(vectors)
  return coefficients.map(value => (value.ndim === 0 ? value : rows.select(0, vectors.indexOf(value))))
}

function updateOne(
  rule: UpdateRule,
  param: Tensor,
  grad: Tensor,
  state: State,
  coefficients: readonly Tensor[],
  skip: Tensor | null,
): void {
  const dtype = param.dtype === 'f64' ? 'f64' : 'f32'
  const wide = (x: Tensor): Tensor => (x.dtype === dtype ? x : x.to(dtype))
  const wideState = Object.fromEntries(Object.entries(state).map(([name, value]) => [name, wide(value)]))
  const updated = rule.update({ param: wide(param), grad: wide(grad), state: wideState }, coefficients)
  for (const [name, value] of Object.entries(updated.state)) state[name]!.copy_(unless(skip, value, state[name]!))
  param.copy_(unless(skip, updated.param, param))
}

/** The new value in the old one's dtype; the old one if the step is skipped. */
function unless(skip: Tensor | null, value: Tensor, old: Tensor): Tensor {
  const fitted = value.dtype === old.dtype ? value : value.to(old.dtype)
  return skip === null ? fitted : where(skip, old, fitted)
}

interface CompiledSteps {
  /** Counts a step of all parameters. Coefficients [parameters, coefficients]. */
  advanceAll(numbers: Tensor, steps: Tensor, increments: Tensor, skip: Tensor | null): Tensor
  updateChunk(
    params: readonly Tensor[],
    grads: readonly Tensor[],
    states: readonly State[],
    rows: Tensor,
    skip: Tensor | null,
  ): void
}

/** By `key` of groups: optimisers of the same kind share compiled steps. */
const compiled = new Map<string, CompiledSteps>()

function compiledFor(rule: UpdateRule): CompiledSteps {
  const known = compiled.get(rule.key)
  if (known !== undefined) return known
  const made: CompiledSteps = {
    advanceAll: compile(
      (numbers: Tensor, steps: Tensor, increments: Tensor, skip: Tensor | null) => {
        const length = steps.dim(0)
        const found = advance(rule, numbers, steps, increments, skip)
        const rows = found.map(value => (value.ndim === 0 ? value.expand([length]) : value))
        return stack(rows, 1)
      },
      { dynamic: true, recompileLimit, name: `${rule.name}.step` },
    ),
    updateChunk: compile(
      (
        params: readonly Tensor[],
        grads: readonly Tensor[],
        states: readonly State[],
        rows: Tensor,
        skip: Tensor | null,
      ) => {
        for (const [i, param] of params.entries()) {
          const row = rows.select(0, i)
          const own = Array.from({ length: row.size(0) }, (_, at) => row.select(0, at))
          updateOne(rule, param, grads[i]!, states[i]!, own, skip)
        }
      },
      { dynamic: !rule.isMatrixwise, recompileLimit, name: `${rule.name}.update` },
    ),
  }
  compiled.set(rule.key, made)
  return made
}
