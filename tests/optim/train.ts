/** The parameters and gradients of scripts/torch/optimisers.py, and the comparison with its trajectories. */
import { expect } from 'vitest'
import { compile, type Tensor, tensor } from '../../src/index.js'
import type { Optimizer } from '../../src/optim/index.js'
import { optimisers, type Trajectory } from './reference.js'

const shapes = [[3, 4], [4], [1]] as const

export const startParams = (): Tensor[] =>
  shapes.map((shape, p) => {
    const count = shape.reduce((product: number, size) => product * size, 1)
    const values = Array.from({ length: count }, (_, i) => Math.cos(0.7 * i + p))
    return tensor(values, { dtype: 'f64' })
      .reshape([...shape])
      .clone()
  })

/** Sets the gradients of step t. */
export function setGrads(params: readonly Tensor[], t: number, missing: readonly number[] = []): void {
  for (const [p, param] of params.entries()) {
    const values = [...param.dataSync('f64')].map(
      (x, i) => 0.5 * x + 0.3 * Math.sin(2 * x) + Math.sin(1.7 * t + 0.9 * i + p),
    )
    const grad = tensor(values, { dtype: 'f64' }).reshape(param.shape)
    param.grad = p === 1 && missing.includes(t) ? null : grad
  }
}

const camel = (name: string): string => name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())
const values: Readonly<Record<string, unknown>> = { match_rms_adamw: 'matchRmsAdamw' }

export const ours = (options: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(options).map(([name, value]) => {
      if (name === 'adamw') return [name, ours(value as Record<string, unknown>)]
      return [camel(name), typeof value === 'string' ? (values[value] ?? value) : value]
    }),
  )

/** An optimiser with a learning rate in each group. */
export type AnyOptimizer = Optimizer<object, { readonly lr?: number }>

export function makeOptimizer({ optimiser, options, groups }: Trajectory, params: readonly Tensor[]): AnyOptimizer {
  const given = groups?.map(group => ({ ...ours(group), params: group.params.map(i => params[i]!) })) ?? params
  const Class = optimisers[optimiser] as new (params: readonly object[], options: object) => AnyOptimizer // of any options
  return new Class(given, ours(options))
}

export const weightsOf = (params: readonly Tensor[]): number[][] => params.map(param => [...param.dataSync('f64')])

/** The largest difference, relative to 1 or the wanted value. */
export function distance(found: readonly (readonly number[])[], wanted: readonly (readonly number[])[]): number {
  const pairs = found.flatMap((list, p) => list.map((value, i): [number, number] => [value, wanted[p]![i]!]))
  return Math.max(...pairs.map(([a, b]) => Math.abs(a - b) / Math.max(1, Math.abs(b))))
}

/** Makes the steps, and compares the weights where the file has them. */
function follow(one: Trajectory, params: readonly Tensor[], optimizer: AnyOptimizer, step: () => void): void {
  for (let t = 0; t < 12; t++) {
    setGrads(params, t, one.missing)
    for (const group of one.lrs === undefined ? [] : optimizer.paramGroups) group.lr = one.lrs![t]!
    step()
    const wanted = one.weights[t + 1]
    if (wanted !== undefined) expect(distance(weightsOf(params), wanted), `after step ${t + 1}`).toBeLessThan(1e-11)
  }
}

export function followEagerly(one: Trajectory): void {
  const params = startParams()
  const optimizer = makeOptimizer(one, params)
  follow(one, params, optimizer, () => optimizer.step())
}

/** Gradients are arguments of the compiled function, which has one version: whatever they, the steps and the learning rates are. */
export function followCompiled(one: Trajectory): void {
  const params = startParams()
  const optimizer = makeOptimizer(one, params)
  const run = compile((grads: readonly Tensor[]) => {
    for (const [i, grad] of grads.entries()) params[i]!.grad = grad
    optimizer.step()
    optimizer.zeroGrad()
  })
  follow(one, params, optimizer, () => run(params.map(param => param.grad!)))
  expect(run.stats().compiles).toBe(1)
}
