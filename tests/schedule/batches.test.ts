/** Independent launches of little work become one: their order, what is launched, and the results. */
import { describe, expect, it } from 'vitest'
import type { Target } from '../../src/backends/target.js'
import { weakestVariant } from '../../src/compile/execute/variant.js'
import { runPipeline, type Stages } from '../../src/compile/pipeline.js'
import type { InputSpec } from '../../src/graph/apply.js'
import type { Graph, WriteBack } from '../../src/graph/ir.js'
import { batched } from '../../src/schedule/kernels/batches.js'
import type { BufferDraft } from '../../src/schedule/memory/buffers.js'
import type { StepUse } from '../../src/schedule/memory/slots.js'
import { launchesAmong, type PlanArgument } from '../../src/schedule/plan/plan.js'
import { archs, assemble, noAssembler } from '../codegen/ptx/assemble.js'
import { difference } from '../support/compare.js'
import { inBlocks, launchedNames, runLaunched, simulated } from '../support/launched.js'
import { count, randomSpec, seededRandom, type TensorSpec, withLayout } from '../support/tensor-spec.js'
import { graphOn, writing } from './build.js'
import { gpu, gpuFacts, target } from './run.js'

const batches = { bytes: 1 << 20 }
const joined = (graph: Graph, on: Target): Stages =>
  runPipeline(graph, on, { policy: { ...on.policy, batches }, variant: weakestVariant })
const apart = (graph: Graph, on: Target): Stages =>
  runPipeline(graph, on, { policy: { ...on.policy, batches: null }, variant: weakestVariant })

// --- order ---------------------------------------------------------------------------------------------------------------

interface Use {
  readonly buffer: number
  readonly from: number
  readonly to: number
  readonly writes: boolean
}

/** A launch of kernel number `kernel` that reads and writes parts of buffers. */
function launch(kernel: number, uses: readonly Use[], bytes: number, joins: boolean): StepUse {
  const args = uses.map(({ buffer, from, to }): PlanArgument => {
    return { kind: 'view', buffer, offset: from, shape: [to - from], strides: [1] }
  })
  const writes = new Set(uses.filter(use => use.writes).map(({ buffer }) => buffer))
  const step = {
    kind: 'launch',
    device: 0,
    kernel,
    args,
    grid: [1, 1, 1],
    bytes,
    flops: 0,
    ops: [],
    lines: [],
  } as const
  return { step, elementwise: false, writes, joins }
}

const conflict = (a: readonly Use[], b: readonly Use[]): boolean =>
  a.some(x => b.some(y => x.buffer === y.buffer && (x.writes || y.writes) && x.from < y.to && y.from < x.to))

it('steps that conflict stay in order, and none of a batch do: random steps on random parts of buffers', () => {
  for (let seed = 1; seed <= 150; seed++) {
    const random = seededRandom(seed)
    const below = (count: number): number => Math.floor(random() * count)
    const drafts = Array.from({ length: 6 }, (_, i): BufferDraft => {
      const common = { device: 0, dtype: 'f32', name: '' } as const
      return i < 2 ? { ...common, kind: 'input', input: i } : { ...common, kind: 'temp', elements: i < 4 ? 8 : 1 << 20 }
    })
    // A buffer has one role per launch, as in plans.
    const all = Array.from({ length: 2 + below(30) }, () =>
      [0, 1, 2, 3, 4, 5]
        .filter(() => below(3) === 0)
        .map((buffer): Use => {
          const from = below(7)
          return { buffer, from, to: from + 1 + below(8 - from), writes: below(2) === 0 }
        }),
    )
    const uses = all.map((each, i) => launch(i, each, below(5) === 0 ? 100 : 1, below(5) > 0))
    const first = below(all.length - 1)
    const groups = [{ first, count: 2, asked: 'auto', strategy: 'streams', estimates: null }] as const
    const made = batched(uses, groups, drafts, { bytes: 10 })
    const order = launchesAmong(made.uses.map(({ step }) => step)).map(({ kernel }) => kernel)
    const at = (kernel: number): number => order.indexOf(kernel)
    expect(
      order.toSorted((a, b) => a - b),
      `seed ${seed}`,
    ).toEqual([...all.keys()])
    for (const [i, one] of all.entries())
      for (const [j, other] of all.entries())
        if (i < j && conflict(one, other)) expect(at(i), `seed ${seed}: ${i} before ${j}`).toBeLessThan(at(j))
    expect(order.slice(made.groups[0]!.first, made.groups[0]!.first + 2)).toEqual([first, first + 1])
    for (const batch of made.batches) {
      const members = order.slice(batch.first, batch.first + batch.count)
      expect(members.length).toBeGreaterThan(1)
      for (const i of members) {
        expect(uses[i]!.joins && (uses[i]!.step as { bytes: number }).bytes <= 10, `seed ${seed}: ${i}`).toBe(true)
        for (const j of members)
          if (i !== j) expect(conflict(all[i]!, all[j]!), `seed ${seed}: ${i} and ${j}`).toBe(false)
      }
    }
  }
})

// --- results -------------------------------------------------------------------------------------------------------------

const shapes = [[1], [0], [3], [17], [5, 7], [64], [129], [2, 3, 5], [], [33, 4], [300], [31]] as const
const layouts = ['dense', 'transposed', 'strided', 'offset'] as const

/** Tensors of these shapes, in all layouts. */
const tensors = (seed: number): readonly TensorSpec[] =>
  [...shapes, ...shapes].map((shape, i) => withLayout(randomSpec(seed + i, 'f32', shape), layouts[(i * 7) % 4]!))

const inputsOf = (specs: readonly TensorSpec[]): InputSpec[] =>
  specs.map(({ dtype, shape, strides }, i) => ({ name: `p${i}`, dtype, shape, ...(strides ? { strides } : {}) }))

const [parameters, gradients] = [tensors(1), tensors(100)]
const inputs = [...parameters, ...gradients]

const wholeOf = ({ shape, strides }: TensorSpec, input: number): Omit<WriteBack, 'result'> => ({
  input,
  offset: 0,
  shape,
  strides: strides ?? shape.map((_, d) => count(shape.slice(d + 1))),
})

/** Each parameter becomes half of itself plus its gradient times a factor of all gradients; the factor's root is a result. */
const step = (withFactor: boolean): Graph =>
  writing(
    graphOn(inputsOf(inputs), (op, ...nodes) => {
      const grads = nodes.slice(parameters.length)
      const total = op(
        'sum',
        op(
          'stack',
          grads.map(grad => op('sum', op('mul', grad, grad))),
        ),
      )
      const factor = op('rsqrt', op('add', total, 1))
      return [
        op('sqrt', total),
        ...parameters.map((_, i) =>
          op('add', op('mul', nodes[i]!, 0.5), withFactor ? op('mul', grads[i]!, factor) : grads[i]!),
        ),
      ]
    }),
    parameters.map(wholeOf),
  )

const isSame = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((value, i) => Object.is(value, b[i]))

describe.each([
  ['blocks of threads', gpu, inBlocks],
  ['one thread', target, simulated],
] as const)('updates of many tensors of odd sizes, empty ones and views: %s', (_, on, way) => {
  it('are one launch, with the bits of as many launches', () => {
    const graph = step(false)
    const [one, many] = [joined(graph, on), apart(graph, on)]
    expect(launchedNames(many).length).toBeGreaterThan(20)
    expect(launchedNames(one).length).toBeLessThan(9)
    const [results, expected] = [runLaunched(one, inputs, way), runLaunched(many, inputs, way)]
    expect(results.memory.every((data, i) => isSame(data, expected.memory[i]!))).toBe(true)
  })

  it('that wait for a norm of all run after it, and give the same bits each time', () => {
    const graph = step(true)
    const one = joined(graph, on)
    const [first, again, expected] = [
      runLaunched(one, inputs, way),
      runLaunched(one, inputs, way),
      runLaunched(apart(graph, on), inputs, way),
    ]
    expect(first.memory.every((data, i) => isSame(data, again.memory[i]!))).toBe(true)
    const tolerance = { relative: 1e-5, absolute: 1e-6, anyZero: true }
    for (const [i, data] of first.memory.entries())
      for (const [k, value] of data.entries())
        expect(Math.abs(Number(value) - Number(expected.memory[i]![k])), `${i} ${k}`).toBeLessThan(1e-5)
    expect(difference(first.results[0]!, expected.results[0]!, tolerance)).toBeNull()
  })
})

it.skipIf(noAssembler !== null)("the driver's assembler takes them, without spills", () => {
  const { source } = runPipeline(step(true), gpu)
  expect(source).toContain('_batch')
  for (const arch of archs.filter(({ name }) => name === gpuFacts.arch.name)) {
    const spills = [...assemble(source, arch).matchAll(/(\d+) bytes spill/g)].map(match => Number(match[1]))
    expect(spills.filter(bytes => bytes > 0)).toEqual([])
  }
})
