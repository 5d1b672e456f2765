/** Makes a failing case smaller: cuts its graph at results and at inputs, then its sizes, then simplifies its values. */
import { TegulaError } from '../base/errors.js'
import { elementAt, elementCount, hostFrom, rowMajorStrides } from '../graph/host.js'
import { type GraphNode, graphBuilder } from '../graph/ir.js'
import type { HostTensor } from '../graph/record.js'
import { ownNodesOf } from '../ir/walk.js'
import { wrapValue } from '../scalar/ops.js'
import { philoxUniform } from '../scalar/philox.js'
import { type Dtype, isFloat } from '../types/dtype.js'
import { type Case, type CaseInput, tensorNodes, valuesOf } from './case.js'

/** Whether a smaller case goes wrong alike. */
export type Fails = (smaller: Case) => boolean

/** Cases that are tried at most. */
const budget = 400
/** Inputs of more elements have values from a seed, where that still fails. */
const maxLiterals = 24

/** The smallest case found that fails. Cases that bind boxed sizes are left as they are. */
export function shrink(given: Case, fails: Fails): Case {
  if (given.graph.symbols.length > 0) return given
  let [best, left] = [given, budget]
  const improve = (candidates: (from: Case) => Generator<() => Case | null>): boolean => {
    for (const candidate of candidates(best)) {
      if (left-- <= 0) return false
      const smaller = attempt(candidate, fails)
      if (smaller === null) continue
      best = smaller
      return true
    }
    return false
  }
  while (improve(fewerNodes));
  while (improve(smallerSizes));
  while (improve(fewerNodes));
  while (improve(seededInputs));
  return best
}

/** The candidate if it fails; null if it does not, or is no valid graph, or one that a pass refuses. */
function attempt(candidate: () => Case | null, fails: Fails): Case | null {
  try {
    const smaller = candidate()
    return smaller !== null && fails(smaller) ? smaller : null
  } catch (error) {
    if (error instanceof TegulaError || error instanceof RangeError) return null
    throw error
  }
}

// --- nodes ---------------------------------------------------------------------------------------------------------------

const isGiven = ({ op }: GraphNode): boolean => op === 'input' || op === 'scalarInput' || op === 'constant'

/** How many nodes compute something. */
export const workOf = ({ graph }: Case): number =>
  ownNodesOf<GraphNode>(graph.body).filter(node => !isGiven(node)).length

/** One node as the only result, the first ones first; then one node's value as an input, the last ones first. */
function* fewerNodes(given: Case): Generator<() => Case | null> {
  const size = workOf(given)
  const smaller = (made: Case): Case | null => (workOf(made) < size ? made : null)
  const nodes = tensorNodes(given).filter(node => !isGiven(node))
  for (const node of nodes) yield () => smaller(part(given, [node], new Map()))
  const { results } = given.graph.body
  let values: ReadonlyMap<GraphNode, HostTensor> | null = null
  for (const node of nodes.reverse()) {
    if (results.includes(node)) continue
    yield () => {
      values ??= valuesOf(given)
      return smaller(part(given, results, new Map([[node, values.get(node)!]])))
    }
  }
}

/** The graph between `results` and its inputs, where the nodes of `cuts` are inputs too, with those values. */
function part(given: Case, results: readonly GraphNode[], cuts: ReadonlyMap<GraphNode, HostTensor>): Case {
  const needed = new Set<GraphNode>()
  const stack = [...results]
  while (stack.length > 0) {
    const node = stack.pop()!
    if (needed.has(node)) continue
    needed.add(node)
    if (!cuts.has(node)) stack.push(...node.inputs)
  }
  const order = ownNodesOf<GraphNode>(given.graph.body).filter(node => needed.has(node))
  return rebuilt(
    given,
    order,
    results,
    node => cuts.get(node) ?? null,
    attrs => attrs,
  )
}

/** A case of these nodes. `cutAt`: the value of a node that becomes an input; null: it is computed. */
function rebuilt(
  given: Case,
  order: readonly GraphNode[],
  results: readonly GraphNode[],
  cutAt: (node: GraphNode) => HostTensor | null,
  attrsOf: (attrs: GraphNode['attrs']) => object,
): Case {
  const b = graphBuilder()
  const [inputs, scalars, params]: [CaseInput[], Case['scalars'][number][], GraphNode[]] = [[], [], []]
  const made = new Map<GraphNode, GraphNode>()
  const input = (value: CaseInput): GraphNode => {
    const { dtype, shape, strides } = value
    const index = inputs.push(value) - 1
    const node = b.node('input', [], { index, name: `x${index}`, dtype, shape, strides })
    params.push(node)
    return node
  }
  const make = (node: GraphNode): GraphNode => {
    const cut = cutAt(node)
    if (cut !== null) return input({ ...cut, strides: rowMajorStrides(cut.shape) })
    if (node.op === 'input') return input(given.inputs[node.attrs.index]!)
    if (node.op === 'scalarInput') {
      const index = scalars.push(given.scalars[node.attrs.index]!) - 1
      params.push(b.node('scalarInput', [], { ...node.attrs, index }))
      return params.at(-1)!
    }
    const operands = node.inputs.map(each => made.get(each)!)
    const attrs = attrsOf(node.attrs)
    return b.withOrigin(node.origin, () =>
      attrs === node.attrs ? b.copy(node, operands) : b.node(node.op, operands, attrs as never, node.blocks),
    )
  }
  for (const node of order) made.set(node, make(node))
  // Inputs come before scalars, as in captured graphs.
  const sorted = params.toSorted((x, y) => Number(x.op === 'scalarInput') - Number(y.op === 'scalarInput'))
  const body = b.finish(
    results.map(node => made.get(node)!),
    sorted,
  )
  const graph = { ...given.graph, body, outputs: results.length, writeBacks: [] }
  return { ...given, graph, inputs, scalars }
}

// --- sizes ---------------------------------------------------------------------------------------------------------------

/** Each size of the inputs made smaller, with all that are multiples of it. */
function* smallerSizes(given: Case): Generator<() => Case | null> {
  if (given.graph.writeBacks.length > 0) return
  const sizes = [...new Set(given.inputs.flatMap(({ shape }) => shape))].filter(size => size > 1).sort((a, b) => b - a)
  for (const size of sizes) {
    for (const smaller of new Set([1, 2, 3, size >> 2, size >> 1, size - 1])) {
      if (smaller > 0 && smaller < size) yield () => resized(given, size, smaller)
    }
  }
}

const sizeFields = new Set(['shape', 'sizes', 'size', 'length'])

/** The case with a size replaced wherever it occurs; a graph that this breaks is rejected by the type rules of its ops. */
function resized(given: Case, from: number, to: number): Case | null {
  const size = (value: number): number => (value % from === 0 && value > 0 ? (value / from) * to : value)
  const inSizes = (value: unknown): unknown => {
    if (typeof value === 'number') return size(value)
    return Array.isArray(value) ? value.map(inSizes) : value
  }
  const attrsOf = (attrs: object): object =>
    Object.fromEntries(
      Object.entries(attrs).map(([key, value]) => [key, sizeFields.has(key) ? inSizes(value) : deeper(value)]),
    )
  const deeper = (value: unknown): unknown =>
    typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
      ? attrsOf(value)
      : value
  const inputs = given.inputs.map(input => shrunk(input, input.shape.map(size)))
  const { results } = given.graph.body
  return rebuilt({ ...given, inputs }, ownNodesOf<GraphNode>(given.graph.body), results, () => null, attrsOf)
}

/** The first elements of an input, at strides in the same order. */
function shrunk(input: CaseInput, shape: readonly number[]): CaseInput {
  const dims = shape.map((_, d) => d).sort((a, b) => input.strides[b]! - input.strides[a]! || a - b)
  const strides: number[] = []
  let stride = Math.min(
    ...input.strides.filter(each => each > 0),
    input.strides.length === 0 ? 1 : Number.POSITIVE_INFINITY,
  )
  for (const d of dims.reverse()) {
    strides[d] = input.strides[d] === 0 ? 0 : stride
    if (input.strides[d] !== 0) stride *= shape[d]!
  }
  const { data } = hostFrom(input.dtype, shape, index => elementAt(input, index))
  return { dtype: input.dtype, shape, data, strides }
}

// --- values --------------------------------------------------------------------------------------------------------------

/** Inputs of many elements with values from a seed, which are shorter to write. */
function* seededInputs(given: Case): Generator<() => Case | null> {
  for (const [i, input] of given.inputs.entries()) {
    const { dtype, shape, strides, seed: known } = input
    if (known !== undefined || elementCount(shape) <= maxLiterals || strides.includes(0)) continue
    const seed = i + 1
    yield () => ({ ...given, inputs: given.inputs.with(i, { ...input, seed, data: seededValues(dtype, shape, seed) }) })
  }
}

/** Reproducible values: floats from -2 to 2, integers from 0 to 9, booleans. */
export function seededValues(dtype: Dtype, shape: readonly number[], seed: number): HostTensor['data'] {
  return Array.from({ length: elementCount(shape) }, (_, i) => {
    const drawn = philoxUniform('f32', BigInt(seed), 0n, i)
    if (isFloat(dtype)) return wrapValue(dtype, 4 * drawn - 2)
    const whole = Math.floor(drawn * (dtype === 'bool' ? 2 : 10))
    return dtype === 'i64' ? BigInt(whole) : whole
  })
}
