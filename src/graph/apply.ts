/** Applies op records to a graph under construction: calls become nodes, functions become graphs. */
import type { Attrs } from '../ir/node.js'
import { productOf, type Size, SizeExpr } from '../scalar/size.js'
import type { Dtype } from '../types/dtype.js'
import { bindArguments, type Callee } from './bind.js'
import { numberNode } from './build.js'
import { type Graph, type GraphBuilder, type GraphNode, graphBuilder, type Shape, type SizeSymbol } from './ir.js'
import type { IsTensor } from './kinds.js'
import { isTensor, type OpCall, type OperandValue, type OpInput, type OpRecord, type Value } from './record.js'

/** A node standing for a tensor in a record's `call`. */
export const asValue = (node: GraphNode): Value => node as unknown as Value
export const asNode = (value: Value): GraphNode => value as unknown as GraphNode

/**
 * Splits a call into inputs and attributes. `args`: as the user wrote them; `isTensor`: recognises tensors; `callee`: names
 * the function in errors. Throws ArgumentError.
 */
export function parseCall(
  record: OpRecord,
  args: readonly unknown[],
  isTensor: IsTensor,
  callee: Callee,
): OpCall<Attrs> {
  const { signature } = record
  const call = record.call as (...args: readonly unknown[]) => OpCall<Attrs>
  return signature === undefined ? call(...args) : call(bindArguments(callee, signature, args, isTensor))
}

/**
 * As `parseCall`, for formulas on a graph: tensors are nodes (`asValue`) or other stand-ins, and a plain number is accepted
 * where users must pass a tensor, as in `op('sub', 1, x)`.
 */
export const callRecord = (record: OpRecord, args: readonly unknown[]): OpCall<Attrs> =>
  parseCall(record, args, isStandIn, { name: record.name, isMethod: false })

function isStandIn(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return typeof value === 'number'
  if ('op' in value) return true
  return Object.getPrototypeOf(value) !== Object.prototype && !Array.isArray(value) && !(value instanceof SizeExpr)
}

export function operandInput(b: GraphBuilder, operand: OperandValue): OpInput {
  return isTensor(operand)
    ? { node: asNode(operand), isNumber: false }
    : { node: numberNode(b, operand), isNumber: true }
}

/** The nodes of an op, one per result, on args whose tensors are nodes (`asValue`). Plain numbers become constants. */
export function applyRecord(b: GraphBuilder, record: OpRecord, args: readonly unknown[]): readonly GraphNode[] {
  const { inputs, attrs } = callRecord(record, args)
  return record.build(
    b,
    inputs.map(input => operandInput(b, input)),
    attrs,
  )
}

export interface InputSpec {
  readonly name?: string
  readonly dtype: Dtype
  readonly shape: Shape
  /** In elements; row-major when absent. */
  readonly strides?: readonly Size[]
}

/** Row-major strides of a shape that may be symbolic. */
export const denseStrides = (shape: Shape): Size[] => shape.map((_, d) => productOf(shape.slice(d + 1)))

/** The graph of a function on nodes. `scalars` are 0-d values given at each call. */
export function buildGraph(
  inputs: readonly InputSpec[],
  scalars: readonly Dtype[],
  build: (b: GraphBuilder, inputs: readonly GraphNode[], scalars: readonly GraphNode[]) => readonly GraphNode[],
  symbols: readonly SizeSymbol[] = [],
): Graph {
  const b = graphBuilder()
  const nodes = inputs.map(({ name, dtype, shape, strides }, index) =>
    b.node('input', [], {
      index,
      name: name ?? `x${index}`,
      dtype,
      shape,
      strides: strides ?? denseStrides(shape),
    }),
  )
  const scalarNodes = scalars.map((dtype, index) => b.node('scalarInput', [], { index, name: `s${index}`, dtype }))
  const results = build(b, nodes, scalarNodes)
  return { body: b.finish(results, [...nodes, ...scalarNodes]), outputs: results.length, writeBacks: [], symbols }
}
