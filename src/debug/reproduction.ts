/** A failing case as a TypeScript file of its own, and such files as cases. */
import { canonical, type Plain } from '../base/canonical.js'
import { ArgumentError } from '../base/errors.js'
import { buildGraph } from '../graph/apply.js'
import { elementCount, rowMajorStrides } from '../graph/host.js'
import { type GraphNode, printType } from '../graph/ir.js'
import { ownNodesOf } from '../ir/walk.js'
import type { Value } from '../scalar/ops.js'
import type { Device } from '../tensor/device.js'
import type { Dtype } from '../types/dtype.js'
import type { Case, CaseInput } from './case.js'
import { seededValues } from './shrink.js'

/** An input of a `Subgraph`. */
export interface SubgraphInput {
  /** Its element type. */
  readonly dtype: Dtype
  /** Its sizes. */
  readonly shape: readonly number[]
  /** In elements. Default: row-major. */
  readonly strides?: readonly number[]
  /** Row-major values; bigint for i64. Default: those of `seed`. */
  readonly data?: readonly (number | bigint)[]
  /** Floats from -2 to 2, integers from 0 to 9, booleans. Default 1. */
  readonly seed?: number
}

/** A value in a `Subgraph`. */
export interface SubgraphNode {
  /** The op of the graph IR that computes it. */
  readonly op: string
}

/** Makes a node: an op of the graph IR on values, with its attributes. Throws ShapeError, DtypeError, … when they do not fit. */
export type MakeNode = (op: string, inputs: readonly SubgraphNode[], attrs: object) => SubgraphNode

/** A graph with its inputs, as `bisect` writes it into files. */
export interface Subgraph {
  /** 'cpu', 'cuda', … Default 'cpu'. */
  readonly device?: string
  /** Default: f32 matmuls are not rounded. */
  readonly float32Matmul?: 'tf32'
  /** Sums are made in a fixed order. Default: not asked for. */
  readonly deterministic?: true
  /** The tensors that it takes. */
  readonly inputs: readonly SubgraphInput[]
  /** Numbers that are given at each call. Default: none. */
  readonly scalars?: readonly { readonly dtype: Dtype; readonly value: number | bigint }[]
  /** Makes the graph: calls `node` for each op, on `inputs` and `scalars` and on what it gave before. Returns the graph's results. */
  results(node: MakeNode, inputs: readonly SubgraphNode[], scalars: readonly SubgraphNode[]): readonly SubgraphNode[]
}

/** The case that a file describes. Throws ArgumentError when an input has not as many values as elements. */
export function caseOfSubgraph({ device = 'cpu', inputs, scalars = [], results, ...options }: Subgraph): Case {
  const given = inputs.map(
    ({ dtype, shape, strides, seed = 1, data = seededValues(dtype, shape, seed) }, i): CaseInput => {
      if (data.length !== elementCount(shape))
        throw new ArgumentError(`subgraph: input ${i} has ${data.length} values for ${dtype}[${shape.join(', ')}]`)
      return { dtype, shape, strides: strides ?? rowMajorStrides(shape), data }
    },
  )
  const graph = buildGraph(
    given,
    scalars.map(({ dtype }) => dtype),
    (b, nodes, numbers) => {
      const make: MakeNode = (op, operands, attrs) => b.node(op as 'copy', operands as readonly GraphNode[], attrs)
      return results(make, nodes, numbers) as readonly GraphNode[]
    },
  )
  const { float32Matmul, deterministic } = options
  return {
    graph: { ...graph, ...(float32Matmul && { float32Matmul }), ...(deterministic && { deterministic }) },
    device: device as Device,
    inputs: given,
    scalars: scalars.map(({ value }) => value),
    symbols: new Float64Array(),
  }
}

/** What a file says of itself, above its code. */
export interface Heading {
  readonly title: string
  readonly difference: string
}

/** The file of a case; null: the graph holds what a file cannot (a kernel, control flow, write-backs, boxed sizes). */
export function printReproduction(given: Case, { title, difference }: Heading): string | null {
  const { graph, inputs, scalars, device } = given
  const nodes = ownNodesOf<GraphNode>(graph.body)
  const isWritable = graph.symbols.length === 0 && graph.writeBacks.length === 0 && nodes.every(isPlainNode)
  if (!isWritable) return null
  const numbers = nodes.filter(node => node.op === 'scalarInput').sort((a, b) => a.attrs.index - b.attrs.index)
  const names = namesOf(nodes)
  const listed = (count: number, letter: string): string =>
    `[${Array.from({ length: count }, (_, i) => `${letter}${i}`).join(', ')}]`
  const lines = nodes.flatMap(node => (isParam(node) ? [] : [`    ${printNode(node, names)}`]))
  return `/**
 * ${title}
 *
 *     ${difference}
 *
 * Run it: npx tsx THIS_FILE. It ends with 1 while generated code and the interpreter differ.
 */
import { checkSubgraph, type Subgraph } from 'tegula/debug'

export const subgraph: Subgraph = {
  device: '${device}',${graph.float32Matmul === undefined ? '' : "\n  float32Matmul: 'tf32',"}${graph.deterministic ? '\n  deterministic: true,' : ''}
  inputs: [
${inputs.map(input => `    ${printInput(input)},\n`).join('')}  ],
${numbers.length === 0 ? '' : `  scalars: [${numbers.map(({ attrs }) => `{ dtype: '${attrs.dtype}', value: ${canonical(scalars[attrs.index]!)} }`).join(', ')}],\n`}  results: (node, ${listed(inputs.length, 'x')}${numbers.length === 0 ? '' : `, ${listed(numbers.length, 's')}`}) => {
${lines.join('\n')}
    return [${graph.body.results.map(node => names.get(node)).join(', ')}]
  },
}

const report = checkSubgraph(subgraph)
console.log(String(report))
process.exitCode = report.culprit === null ? 0 : 1
`
}

const isParam = ({ op }: GraphNode): boolean => op === 'input' || op === 'scalarInput'

const isPlainNode = ({ blocks, attrs }: GraphNode): boolean => blocks.length === 0 && isPlainValue(attrs)

const isPlainValue = (value: unknown): boolean => {
  if (typeof value === 'function') return false
  if (typeof value !== 'object' || value === null) return true
  if (Array.isArray(value)) return value.every(isPlainValue)
  return Object.getPrototypeOf(value) === Object.prototype && Object.values(value).every(isPlainValue)
}

function namesOf(nodes: readonly GraphNode[]): ReadonlyMap<GraphNode, string> {
  let next = 0
  const nameOf = (node: GraphNode): string => {
    if (node.op === 'input') return `x${node.attrs.index}`
    return node.op === 'scalarInput' ? `s${node.attrs.index}` : `v${next++}`
  }
  return new Map(nodes.map(node => [node, nameOf(node)]))
}

/** `const v1 = node('map', [x0], {"fn":"exp"}) // f32[2, 3], model.ts:7`. */
function printNode(node: GraphNode, names: ReadonlyMap<GraphNode, string>): string {
  const inputs = node.inputs.map(input => names.get(input)).join(', ')
  const { at } = node.origin
  const place = at === null ? '' : `, ${at.file.split('/').at(-1)}:${at.line}`
  const attrs = canonical(node.attrs as Plain)
  return `const ${names.get(node)} = node('${node.op}', [${inputs}], ${attrs}) // ${printType(node.type)}${place}`
}

function printInput({ dtype, shape, strides, data, seed }: CaseInput): string {
  const isRowMajor = rowMajorStrides(shape).every((stride, d) => stride === strides[d] || shape[d] === 1)
  const layout = isRowMajor ? '' : `, strides: [${strides.join(', ')}]`
  const values = seed === undefined ? `data: ${canonical(data as readonly Value[])}` : `seed: ${seed}`
  return `{ dtype: '${dtype}', shape: [${shape.join(', ')}]${layout}, ${values} }`
}
