/**
 * Every graph in the report of changed kernels (scripts/kernels.ts), on which interpreter, simulator and C are compared too:
 * all samples of all ops, with fixed and with run-time sizes, random programs, the golden graphs, and whole models. They
 * contain no data: building them runs nothing.
 */
import { empty, type Tensor } from 'tegula'
import { blockOf, gpt2, width } from '../../bench/gpt2.js'
import { classify } from '../../examples/neighbours.js'
import { captureFunction, type TensorFunction } from '../../src/compile/capture/capture.js'
import type { Graph } from '../../src/graph/ir.js'
import { recordNames, recordTable } from '../../src/graph/ops/index.js'
import { SymbolicShapeError } from '../../src/graph/sizes.js'
import { goldenGraphs } from './golden-graphs.js'
import { programGraph, randomProgram } from './random-graph.js'
import { graphOf, symbolicGraphOf } from './record-graph.js'
import { type Sample, samplesFor } from './samples.js'

export interface CorpusGraph {
  /** A path that names the graph: `ops/softmax/dim 1`. Stable as long as the sample is. */
  readonly name: string
  readonly graph: Graph
}

const randomPrograms = 100

/** In a fixed order; those whose name contains `part`, and of these the chosen positions. */
export function* corpus(part = '', isChosen = (_place: number): boolean => true): Generator<CorpusGraph> {
  let place = 0
  for (const [name, make] of entries()) {
    if (!name.includes(part) || !isChosen(place++)) continue
    const graph = make()
    if (graph !== null) yield { name, graph }
  }
}

/** The names of these graphs, including a few that turn out to have no graph. */
export const corpusNames = (part = ''): string[] =>
  [...entries()].map(([name]) => name).filter(name => name.includes(part))

type Entry = readonly [name: string, make: () => Graph | null]

function* entries(): Generator<Entry> {
  yield* opEntries()
  for (let seed = 1; seed <= randomPrograms; seed++) yield [`random/${seed}`, () => programGraph(randomProgram(seed))]
  for (const [name, graph] of goldenGraphs()) yield [`golden/${name}`, () => graph]
  yield ['models/gpt2 block', () => captured(gpt2, [empty([1, width]), [blockOf(shape => empty(shape))]])]
  yield [
    'models/gpt2 block, any past',
    () => captured(gpt2, [empty([1, width]), [blockOf(shape => empty(shape))]], dim => dim.endsWith('s:1')),
  ]
  yield [
    'models/digits',
    () => captured(classify, [empty([599, 64]), empty([1198, 64]), empty([1198], { dtype: 'i64' })]),
  ]
}

function* opEntries(): Generator<Entry> {
  for (const name of recordNames) {
    const record = recordTable[name]
    const seen = new Map<string, number>()
    for (const sample of samplesFor(name)) {
      const path = `ops/${name}/${unique(fileName(sample.name), seen)}`
      yield [path, () => graphOf(record, sample)]
      if (hasSymbolicGraph(sample))
        yield [`${path}, any sizes`, () => symbolicOrNull(() => symbolicGraphOf(record, sample))]
    }
  }
}

/** One dtype and layout stand for all: the others differ as with fixed sizes. */
const hasSymbolicGraph = ({ inputs }: Sample): boolean =>
  inputs.length > 0 &&
  inputs.every(({ dtype, strides, shape }) => dtype === 'f32' && strides === undefined && shape.length > 0)

/** Null for an op that needs its sizes as numbers, as capture would detect. */
function symbolicOrNull(make: () => Graph): Graph | null {
  try {
    return make()
  } catch (error) {
    if (error instanceof SymbolicShapeError) return null
    throw error
  }
}

const fileName = (name: string): string => name.replaceAll(/[/\\:*?"<>|\0]/g, '_')

function unique(name: string, seen: Map<string, number>): string {
  const count = (seen.get(name) ?? 0) + 1
  seen.set(name, count)
  return count === 1 ? name : `${name} (${count})`
}

function captured(fn: TensorFunction, args: readonly (Tensor | object)[], dynamic = (_dim: string) => false): Graph {
  const { capture } = captureFunction(fn, args, {
    name: fn.name,
    fullgraph: true,
    isDynamic: (path, dim) => dynamic(`${path}:${dim}`),
    runSegment: () => [],
  })
  if (capture === null) throw new Error(`${fn.name} needs a size that was to be symbolic`)
  return capture.segment.graph
}
