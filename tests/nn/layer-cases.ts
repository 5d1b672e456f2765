/** PyTorch's results for layers (scripts/torch/layers.py), and the same layers of this library with the same state and inputs. */
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { expect } from 'vitest'
import type { Module, StateDict } from '../../src/nn/index.js'
import * as nn from '../../src/nn/index.js'
import { tensor } from '../../src/tensor/host-data.js'
import { Tensor } from '../../src/tensor/tensor.js'

/** Shape and values. */
type Result = readonly [shape: readonly number[], values: readonly number[]]
/** Shape and kind of values. */
type Given = readonly [shape: readonly number[], kind: string]

export interface LayerCase {
  readonly layer: string
  readonly args: readonly unknown[]
  readonly options: Readonly<Record<string, unknown>>
  readonly inputs: readonly (Given | readonly Given[])[]
  readonly call: Readonly<Record<string, unknown>>
  readonly state: readonly (readonly [name: string, shape: readonly number[], dtype: string])[]
  readonly eval: readonly Result[]
  readonly train: readonly Result[] | false
  /** Running statistics after the call in training. */
  readonly after?: Readonly<Record<string, Result>>
}

interface Reference {
  readonly torch: string
  readonly cases: readonly LayerCase[]
  readonly initial: readonly {
    readonly layer: string
    readonly args: readonly number[]
    readonly parameters: Readonly<
      Record<string, readonly [readonly number[], mean: number, std: number, largest: number]>
    >
  }[]
}

export const reference = JSON.parse(
  gunzipSync(readFileSync(new URL('layers.json.gz', import.meta.url))).toString(),
) as Reference

export const caseName = ({ layer, args, options, call }: LayerCase): string =>
  `${layer} ${JSON.stringify([...args, options, call])}`

/** As `values` of the script. */
function values(shape: readonly number[], seed: number, kind: string): Tensor {
  const count = shape.reduce((a, b) => a * b, 1)
  const u = Array.from({ length: count }, (_, i) => ((i * 7919 + seed * 104_729 + 12_345) % 1009) / 1009)
  const made = (data: number[] | boolean[], dtype: 'f64' | 'i64' | 'bool'): Tensor =>
    tensor(data, { dtype }).reshape(shape)
  if (kind.startsWith('int'))
    return made(
      u.map(v => Math.trunc(v * Number(kind.slice(3)))),
      'i64',
    )
  if (kind === 'bool')
    return made(
      u.map(v => v < 0.3),
      'bool',
    )
  if (kind === 'sign')
    return made(
      u.map(v => (v < 0.5 ? 1 : -1)),
      'f64',
    )
  const [scale, offset] = { float: [4, -2], small: [1, -0.5], unit: [0.9, 0.05], positive: [1, 0.5] }[kind]!
  return made(
    u.map(v => v * scale! + offset!),
    'f64',
  )
}

const camel = (name: string): string => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

const camelKeys = (options: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(options).map(([name, value]) => [camel(name), value]))

const isGiven = (value: unknown): value is Given =>
  Array.isArray(value) && value.length === 2 && Array.isArray(value[0]) && typeof value[1] === 'string'

type AnyModule = Module & ((...args: unknown[]) => unknown)

/** The layer in float64; `fill` gives it the state of the reference, by PyTorch's names. */
function buildLayer({ layer, args, options, state }: LayerCase): { module: AnyModule; fill: () => void } {
  const Class = (nn as unknown as Record<string, new (...args: unknown[]) => AnyModule>)[layer]!
  const hasOptions = Object.keys(options).length > 0
  const module = new Class(...args, ...(hasOptions ? [camelKeys(options)] : [])).to('f64')
  const kindOf = (name: string, dtype: string): string =>
    dtype === 'int64' ? 'int3' : name.endsWith('_var') ? 'positive' : 'small'
  const dict: StateDict = Object.fromEntries(
    state.map(([name, shape, dtype], i) => [name, values(shape, i, kindOf(name, dtype))]),
  )
  return { module, fill: () => void module.loadStateDict(dict) }
}

/** The arguments of the call, with options in one object at the end. */
function callArguments({ inputs, call }: LayerCase): unknown[] {
  let seed = 100
  const take = (given: Given | readonly Given[]): unknown =>
    isGiven(given) ? values(given[0], seed++, given[1]) : given.map(each => take(each))
  const made = inputs.map(take)
  const options = Object.entries(call).map(([name, given], i): [string, unknown] => [
    camel(name),
    isGiven(given) ? values(given[0], 200 + i, given[1]) : given,
  ])
  if (options.length === 0) return made
  return options[0]![0] === 'outputSize' ? [...made, options[0]![1]] : [...made, Object.fromEntries(options)]
}

/** The tensors in a result, in order. */
const tensorsIn = (result: unknown): Tensor[] =>
  result instanceof Tensor ? [result] : Array.isArray(result) ? result.flatMap(tensorsIn) : []

/** The largest difference, relative where values are above 1; Infinity where shapes differ. */
function distance(found: Tensor, [shape, expected]: Result): number {
  if (found.shape.join() !== shape.join()) return Number.POSITIVE_INFINITY
  const data = found.to('f64').dataSync('f64')
  return expected.reduce(
    (most, value, i) => Math.max(most, Math.abs(data[i]! - value) / Math.max(1, Math.abs(value))),
    0,
  )
}

/**
 * Compares a layer with the reference in both modes: the names of its state, what `call` gives for it, its running statistics.
 * Throws as `expect` does.
 */
export function checkLayer(layer: LayerCase, call: (module: AnyModule) => AnyModule, tolerance: number): void {
  const { module, fill } = buildLayer(layer)
  expect(Object.entries(module.stateDict()).map(([name, { shape }]) => [name, shape])).toEqual(
    layer.state.map(([name, shape]) => [name, shape]),
  )
  const run = call(module)
  const check = (expected: readonly Result[]): void => {
    fill()
    const found = tensorsIn(run(...callArguments(layer)))
    expect(found.map(({ shape }) => shape)).toEqual(expected.map(([shape]) => shape))
    for (const [i, each] of found.entries()) expect(distance(each, expected[i]!)).toBeLessThan(tolerance)
  }
  module.eval()
  check(layer.eval)
  module.train()
  if (layer.train === false) return
  check(layer.train)
  const state = module.stateDict()
  for (const [name, expected] of Object.entries(layer.after ?? {})) {
    expect(distance(state[name]!, expected)).toBeLessThan(tolerance)
  }
}
