import { describe, expect, it } from 'vitest'
import { applyRecord, asValue, buildGraph } from '../../src/graph/apply.js'
import { interpretGraph } from '../../src/graph/interpret.js'
import type { Graph, GraphNode, SizeSymbol } from '../../src/graph/ir.js'
import { recordTable } from '../../src/graph/ops/index.js'
import { SymbolicShapeError } from '../../src/graph/sizes.js'
import { type Size, sizeSymbol } from '../../src/scalar/size.js'
import { interpretPlan } from '../../src/schedule/plan/interpret.js'
import { difference } from '../support/compare.js'
import {
  programGraph,
  programInputs,
  programTolerance,
  type RandomProgram,
  randomProgram,
  runProgram,
} from '../support/random-graph.js'
import { writing } from './build.js'
import { gpu, memoryOf, planOf, readOutput, runPlan, small, target } from './run.js'

const first = Number(process.env.TEGULA_TEST_SEED ?? 1)
const count = Number(process.env.TEGULA_TEST_SEEDS ?? 100)

/**
 * The program's graph with every size above 1 a run-time size, of which at most so much is known; equal sizes share a
 * symbol. null: an op has to know one.
 */
function symbolicGraph(program: RandomProgram, mostOf: (value: number) => number): Graph | null {
  const symbols: SizeSymbol[] = []
  const size = (value: number, input: number, dim: number): Size => {
    if (value < 2) return value
    const name = `n${value}`
    if (!symbols.some(symbol => symbol.name === name)) symbols.push({ name, input, kind: 'size', dim })
    return sizeSymbol(name, 2, mostOf(value))
  }
  const specs = program.inputs.map(({ spec: { dtype, shape } }, i) => ({
    dtype,
    shape: shape.map((value, d) => size(value, i, d)),
  }))
  const isNode = (value: unknown): value is GraphNode => typeof value === 'object' && value !== null && 'op' in value
  const bind = (value: unknown): unknown =>
    isNode(value) ? asValue(value) : Array.isArray(value) ? value.map(bind) : value
  const order = program.inputs.map(({ id }) => id)
  try {
    return buildGraph(
      specs,
      [],
      (b, nodes) =>
        runProgram<GraphNode>(
          program,
          (_, id) => nodes[order.indexOf(id)]!,
          (name, args) => applyRecord(b, recordTable[name], args.map(bind))[0]!,
        ),
      symbols,
    )
  } catch (error) {
    if (error instanceof SymbolicShapeError) return null
    throw error
  }
}

/** What is known of run-time sizes, and the target whose blocks are chosen by it. */
const forms = [
  { name: 'of any size', mostOf: () => Number.MAX_SAFE_INTEGER, on: target },
  { name: 'in buckets, on a GPU', mostOf: (value: number) => 2 ** Math.ceil(Math.log2(value)), on: gpu },
]

describe.each(forms)('random graphs on run-time sizes $name', ({ mostOf, on }) => {
  it(`seeds ${first} to ${first + count - 1}`, () => {
    let built = 0
    for (let seed = first; seed < first + count; seed++) {
      const program = randomProgram(seed, { layouts: false })
      const graph = symbolicGraph(program, mostOf)
      if (graph === null) continue
      built++
      const inputs = program.inputs.map(({ spec: { dtype, shape, data } }) => ({ dtype, shape, data }))
      const expected = interpretGraph(programGraph(program), programInputs(program))
      for (const options of [{}, small(on)]) {
        const results = runPlan(planOf(graph, true, options, on), inputs)
        expected.forEach((tensor, i) => {
          const problem = difference(results[i]!, tensor, programTolerance(program, tensor))
          expect(problem, `seed ${seed}, result ${i}`).toBeNull()
        })
      }
    }
    expect(built).toBeGreaterThan(count / 4)
  })
})

/** Which results go to which inputs: those of equal type, each input once. */
function matchWrites(program: RandomProgram, graph: Graph): { readonly result: number; readonly input: number }[] {
  const free = new Set(program.inputs.keys())
  return graph.body.results.flatMap(({ type }, result) => {
    if (type.kind !== 'tensor') return []
    const input = [...free].find(i => {
      const { dtype, shape, strides } = program.inputs[i]!.spec
      return strides === undefined && dtype === type.dtype && shape.join() === type.shape.join() && !shape.includes(0)
    })
    if (input === undefined) return []
    free.delete(input)
    return [{ result, input }]
  })
}

describe('random graphs with write-backs', () => {
  it(`seeds ${first} to ${first + count - 1}`, () => {
    let written = 0
    for (let seed = first; seed < first + count; seed++) written += checkWrites(seed)
    expect(written).toBeGreaterThan(count / 10)
  })
})

function checkWrites(seed: number): number {
  const program = randomProgram(seed, { layouts: false })
  const graph = programGraph(program)
  const writes = matchWrites(program, graph)
  const isWritten = new Set(writes.map(({ result }) => result))
  const results = [...graph.body.results.keys()]
  const order = [...results.filter(i => !isWritten.has(i)), ...writes.map(({ result }) => result)]
  const reordered = { ...graph, body: { ...graph.body, results: order.map(i => graph.body.results[i]!) } }
  const places = writes.map(({ input }) => {
    const { shape } = program.inputs[input]!.spec
    return {
      input,
      offset: 0,
      shape,
      strides: shape.map((_, d) => shape.slice(d + 1).reduce((a, b) => a * b, 1)),
    }
  })
  const plan = planOf(writing(reordered, places), false, small(target))
  const memory = program.inputs.map(({ spec }) => memoryOf(spec))
  const outputs = interpretPlan(plan, { inputs: memory, scalars: [], symbols: [] })
  const expected = interpretGraph(graph, programInputs(program))
  order.forEach((result, i) => {
    const want = expected[result]!
    const write = i < outputs.length ? null : places[i - outputs.length]!
    const got = readOutput(write === null ? outputs[i]! : { ...write, ...memory[write.input]! }, want.dtype)
    expect(difference(got, want, programTolerance(program, want)), `seed ${seed}, result ${result}`).toBeNull()
  })
  return writes.length
}
