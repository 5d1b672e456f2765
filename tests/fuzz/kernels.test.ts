/**
 * Random functions that launch kernels between ops, in place and on views: eager = compiled = compiled for any sizes =
 * interpreted, results and arguments alike. What runs in which order on which memory is what they search for mistakes in.
 *
 * FUZZ_SEED=<first seed> and FUZZ_CASES=<count> replay or search on.
 */

import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Target } from '../../src/backends/target.js'
import { captureFunction } from '../../src/compile/capture/capture.js'
import { forEachIndex } from '../../src/graph/host.js'
import { interpretGraph } from '../../src/graph/interpret.js'
import { compile, type Tensor, tensor, zerosLike } from '../../src/index.js'
import { cdiv, f32, kernel, view } from '../../src/kernel.js'
import { interpretPlan } from '../../src/schedule/plan/interpret.js'
import { target as cpu, gpu, memoryOf, planOf, readOutput, small } from '../schedule/run.js'
import { hasCompiler } from '../support/compiler.js'
import { accumulate, evens, scale } from '../support/kernels.js'
import { isQuick } from '../support/sample-choice.js'
import { seededRandom, spec } from '../support/tensor-spec.js'
import { hostOfTensor } from '../support/tensors.js'

const first = Number(process.env.FUZZ_SEED ?? 1)
const cases = Number(process.env.FUZZ_CASES ?? (isQuick ? 3 : 40))
const perBatch = 8
/** Found a kernel with several results that stored one over what it had yet to read. */
const known = process.env.FUZZ_SEED === undefined ? [1097] : []

/** Two results, the second of which reads what the first was. */
const two = kernel({
  name: 'two',
  params: { x: view(f32, 1), a: view(f32, 1), b: view(f32, 1) },
  constants: { BLOCK: 4 },
  grid: ({ x }, { BLOCK }) => [cdiv(x.size(0), BLOCK)],
  body(t, { x, a, b }, { BLOCK }) {
    const start = t.programId(0).mul(BLOCK)
    const [old, value] = [t.load(a, [start], [BLOCK]), t.load(x, [start], [BLOCK])]
    t.store(b, [start], old.sub(value))
    t.store(a, [start], value.neg())
  },
})

/** Numbers stay small, so that all ways of adding them are exact. */
const bounded = (x: Tensor): Tensor => x.clamp(-99, 99)

/** A program's function: two matrices and two vectors, changed and read in random steps. */
function program(seed: number): (m: Tensor, n: Tensor, v: Tensor, w: Tensor) => Tensor[] {
  return (m, n, v, w) => {
    const random = seededRandom(seed)
    const below = (count: number): number => Math.floor(random() * count)
    const matrices = [m, n]
    const values = [v, w]
    const pick = (): Tensor => values[below(values.length)]!
    const steps: readonly (() => void)[] = [
      () => void values.push(bounded(pick().add(pick()))),
      () => void pick().neg_(),
      () => void pick().copy_(bounded(pick().add(pick()))),
      () => void values.push(pick().clone()),
      () => void values.push(matrices[below(2)]!.get(below(2))),
      () => void values.push(bounded(matrices[below(2)]!.sum(0))),
      () => void matrices[below(2)]!.neg_(),
      () => {
        const out = zerosLike(pick())
        scale.launch({ x: pick(), out, factor: -1 })
        values.push(out)
      },
      () => scale.launch({ x: pick(), out: pick(), factor: -1 }),
      () => scale.launch({ x: pick(), out: pick(), factor: -1 }),
      () => accumulate.launch({ x: pick(), acc: pick() }),
      () => accumulate.launch({ x: pick(), acc: pick() }),
      () => evens.launch({ x: pick(), out: pick() }),
      () => two.launch({ x: pick(), a: pick(), b: pick() }),
      () => {
        const a = pick()
        accumulate.launch({ x: a, acc: a })
        a.clamp_(-99, 99)
      },
    ]
    for (let i = 3 + below(8); i > 0; i--) steps[below(steps.length)]!()
    return values.slice(2).filter(() => random() < 0.5)
  }
}

type Arguments = [Tensor, Tensor, Tensor, Tensor]

function argumentsOf(seed: number, rows: number, columns: number): Arguments {
  const random = seededRandom(seed + 1000)
  const numbers = (count: number): Tensor => tensor(Array.from({ length: count }, () => Math.floor(random() * 19) - 9))
  return [
    numbers(rows * columns).reshape([rows, columns]),
    numbers(rows * columns).reshape([rows, columns]),
    numbers(columns),
    numbers(columns),
  ]
}

const batch = (seeds: readonly number[]) => (args: readonly Arguments[]) =>
  seeds.map((seed, i) => program(seed)(...args[i]!))

function outcomes(
  run: (args: readonly Arguments[]) => Tensor[][],
  seeds: readonly number[],
  sizes: readonly [number, number],
) {
  const args = seeds.map(seed => argumentsOf(seed, ...sizes))
  const results = run(args)
  return seeds.map((seed, i) => ({ seed, values: [...results[i]!, ...args[i]!].map(each => each.toArray()) }))
}

/** A plan's outputs and what its inputs hold then, against what the graph means. */
function checkPlan(seed: number, on: Target, options: Parameters<typeof planOf>[2]): void {
  const args = argumentsOf(seed, 3, 6)
  const { capture } = captureFunction(program(seed) as never, args, {
    name: 'f',
    fullgraph: true,
    isDynamic: () => false,
    runSegment: () => [],
  })
  const { graph, inputs } = capture!.segment
  const hosts = inputs.map(({ tensor }) => hostOfTensor(tensor))
  const results = interpretGraph(graph, hosts)
  const after = hosts.map(({ data }) => data.map(Number))
  for (const { input, result, offset, strides } of graph.writeBacks) {
    const { shape, data } = results[result]!
    forEachIndex(shape, (index, flat) => {
      after[input]![index.reduce((at, i, d) => at + i * Number(strides[d]), Number(offset))] = Number(data[flat])
    })
  }
  const plan = planOf(graph, true, options, on)
  const memory = hosts.map(({ dtype, shape, data }) => memoryOf(spec(dtype, shape, data.map(Number))))
  const outputs = interpretPlan(plan, { inputs: memory, scalars: [], symbols: [] })
  const shown = outputs.map((output, i) => readOutput(output, plan.outputs[i]!.dtype).data.map(Number))
  expect([...shown, ...memory.map(({ data }) => [...data].map(Number))]).toEqual([
    ...results.slice(0, graph.outputs).map(({ data }) => data.map(Number)),
    ...after,
  ])
}

describe('plans of random functions with kernels', () => {
  const seeds = [...known, ...Array.from({ length: cases }, (_, i) => first + i)]
  it.each([
    ['a CPU', cpu, {}],
    ['a CPU, in small blocks', cpu, small(cpu)],
    ['a GPU', gpu, {}],
    ['a GPU, in small blocks', gpu, small(gpu)],
  ])('for %s do what their graphs mean', { timeout: 300_000 }, (_, on, options) => {
    for (const seed of seeds) checkPlan(seed, on, options)
  })
})

afterEach(() => void vi.unstubAllEnvs())

describe.skipIf(!hasCompiler)(`random functions with kernels, seeds ${first} to ${first + cases - 1}`, () => {
  const all = [...known, ...Array.from({ length: cases }, (_, i) => first + i)]
  for (let start = 0; start < all.length; start += perBatch) {
    const seeds = all.slice(start, start + perBatch)
    it(`seeds ${seeds[0]} to ${seeds.at(-1)}`, { timeout: 120_000 }, () => {
      const run = batch(seeds)
      const expected = outcomes(run, seeds, [3, 6])
      const fixed = compile(run, { fullgraph: true, dynamic: false })
      expect(outcomes(fixed, seeds, [3, 6])).toEqual(expected)
      const anySize = compile(run, { fullgraph: true, dynamic: true })
      expect(outcomes(anySize, seeds, [3, 6])).toEqual(expected)
      expect(outcomes(anySize, seeds, [4, 9])).toEqual(outcomes(run, seeds, [4, 9]))
      vi.stubEnv('TEGULA_BACKEND', 'interpreter')
      expect(outcomes(compile(run, { fullgraph: true, dynamic: false }), seeds, [3, 6])).toEqual(expected)
    })
  }
})
