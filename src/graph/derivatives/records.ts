/**
 * Backward passes as ops. `vjpRecord` is the gradient of one op as an op of its own, which eager execution runs, caches and
 * differentiates like any other; `gradientRecord` is the gradient of a traced function as one op of its graph.
 */
import { InternalError } from '../../base/errors.js'
import type { Attrs } from '../../ir/node.js'
import type { Size } from '../../scalar/size.js'
import type { Dtype } from '../../types/dtype.js'
import { denseStrides } from '../apply.js'
import { dtypeOf, reshapeTo, scalarNode, shapeOf } from '../build.js'
import { type GraphBuilder, type GraphNode, graphBuilder, type Shape, typeOf } from '../ir.js'
import type { OpInput, OpRecord } from '../record.js'
import { printShape, requireEqual } from '../sizes.js'
import { dependents, flows, vjp } from './modes.js'
import { isSmoothType, type Slope } from './rule.js'
import { substituted } from './substitute.js'

/** Which gradients a backward op gives, and of which results it gets gradients. */
export interface Backward {
  /** One per input of the op. */
  readonly needs: readonly boolean[]
  /** One per result of the op, new values of inputs changed in place included. */
  readonly given: readonly boolean[]
}

/** An input of a call, as far as it is known before the call: a tensor's type, or a plain number. */
export type KnownInput = { readonly dtype: Dtype; readonly shape: readonly Size[] } | number | boolean | bigint

/** What a call's backward op reads. */
export interface Saved {
  /** One per input of the op: its value is read, be it a plain number. Of other tensors only dtype and shape. */
  readonly inputs: readonly boolean[]
  /** As `inputs`, of the op's results. */
  readonly outputs: readonly boolean[]
  /** Which inputs a gradient flows to: `needs` may be true for these only. */
  readonly flows: readonly boolean[]
  /** From which of the given results a gradient flows to an input that needs one. */
  readonly from: readonly boolean[]
}

// --- what is saved -----------------------------------------------------------------------------------------------------------

/**
 * What the backward op of a call reads, so that nothing else is kept. `backward` absent: gradients of all results are given,
 * and those of all inputs asked for. Throws what the record throws.
 */
export function savedBy(record: OpRecord, inputs: readonly KnownInput[], attrs: Attrs, backward?: Backward): Saved {
  const b = graphBuilder()
  const operands = operandsOf(b, inputs)
  const nodes = operands.map(({ node }) => node)
  const results = record.build(b, operands, attrs)
  const given = results.filter((_, i) => backward?.given[i] ?? true)
  const reached = flows(given, nodes).map((flow, i) => flow && !operands[i]!.isNumber)
  const needs = reached.map((flow, i) => flow && (backward?.needs[i] ?? true))
  const cotangents = results.map((result, i): Slope => {
    const isGiven = (backward?.given[i] ?? true) && isSmoothType(typeOf(result))
    return isGiven ? inputNode(b, inputs.length + i, typeOf(result)) : null
  })
  const gradients = gradientsOf(b, results, cotangents, nodes, needs)
  const same = results.map(result => spellingsOf(result, nodes))
  const read = readBy(gradients, new Set([...nodes, ...same.flat()]))
  const isResult = same.map(spellings => spellings.some(node => read.has(node)))
  const ends = nodes.filter((_, i) => needs[i])
  const from = dependents(results, ends).map((depends, i) => depends && (backward?.given[i] ?? true))
  return { inputs: nodes.map(node => read.has(node)), outputs: isResult, flows: reached, from }
}

/** From which other results of a call a gradient flows into its result `output`. */
export function resultsAfter(
  record: OpRecord,
  inputs: readonly KnownInput[],
  attrs: Attrs,
  output: number,
): readonly boolean[] {
  const b = graphBuilder()
  const results = record.build(b, operandsOf(b, inputs), attrs)
  return dependents(results, [results[output]!]).map((depends, i) => depends && i !== output)
}

const operandsOf = (b: GraphBuilder, inputs: readonly KnownInput[]): readonly OpInput[] =>
  inputs.map((input, i) => {
    // Other numbers, in calls that are alike, must not need more.
    if (typeof input !== 'object') return { node: scalarNode(b, i, input), isNumber: true }
    return { node: inputNode(b, i, input), isNumber: false }
  })

/** The nodes of a result's elements in the same order, as of heads apart from their groups; none if an input is the result. */
function spellingsOf(result: GraphNode, operands: readonly GraphNode[]): readonly GraphNode[] {
  if (operands.includes(result)) return []
  return result.op === 'reshape' ? [result, ...spellingsOf(result.inputs[0]!, operands)] : [result]
}

const inputNode = (
  b: GraphBuilder,
  index: number,
  { dtype, shape }: { readonly dtype: Dtype; readonly shape: Shape },
) => b.node('input', [], { index, name: `x${index}`, dtype, shape, strides: denseStrides(shape) })

/** Which of `ends` the nodes depend on, looking no further than the first one on each way. */
function readBy(nodes: readonly GraphNode[], ends: ReadonlySet<GraphNode>): ReadonlySet<GraphNode> {
  const seen = new Set<GraphNode>()
  const stack = [...nodes]
  while (stack.length > 0) {
    const node = stack.pop()!
    if (seen.has(node)) continue
    seen.add(node)
    if (!ends.has(node)) stack.push(...node.inputs)
  }
  return seen
}

/** The gradients of the inputs that need one, in order. */
function gradientsOf(
  b: GraphBuilder,
  outputs: readonly GraphNode[],
  cotangents: readonly Slope[],
  inputs: readonly GraphNode[],
  needs: readonly boolean[],
): readonly GraphNode[] {
  const wanted = inputs.filter((_, i) => needs[i])
  const found = vjp(b, { outputs, cotangents, inputs: wanted })
  return found.map((gradient, i) => {
    if (gradient === null) throw new InternalError(`gradient: none flows to input ${inputs.indexOf(wanted[i]!)}`)
    return gradient
  })
}

// --- the backward op of an op ------------------------------------------------------------------------------------------------

const known = new WeakMap<OpRecord, Map<string | number, OpRecord>>()

/**
 * The backward op of `record`. Its inputs: those of the call, in order (plain numbers as such); one tensor per result of the
 * call; then the gradients of those results that `given` says, of their dtypes and shapes. Tensors that `savedBy` does not
 * name are not read, so that any of the same dtype and shape will do, such as one element expanded. Its attributes are the
 * call's. Results: the gradients of the inputs that `needs` says, of their dtypes and shapes. One object per record and kind.
 */
export function vjpRecord(record: OpRecord, backward: Backward): OpRecord {
  let kinds = known.get(record)
  if (kinds === undefined) {
    kinds = new Map()
    known.set(record, kinds)
  }
  const key = keyOf(backward)
  const found = kinds.get(key)
  if (found !== undefined) return found
  const made = makeVjpRecord(record, backward, nameOf(backward))
  kinds.set(key, made)
  return made
}

/** A number while its bits suffice. */
function keyOf(backward: Backward): string | number {
  const { needs, given } = backward
  if (needs.length + given.length > 30) return nameOf(backward)
  let key = 1
  for (let i = 0; i < needs.length; i++) key = 2 * key + (needs[i] ? 1 : 0)
  for (let i = 0; i < given.length; i++) key = 2 * key + (given[i] ? 1 : 0)
  return key
}

function nameOf({ needs, given }: Backward): string {
  const bits = (list: readonly boolean[]): string => list.map(Number).join('')
  return `${bits(needs)},${bits(given)}`
}

function makeVjpRecord(record: OpRecord, { needs, given }: Backward, kind: string): OpRecord {
  const name = `${record.name}Backward`
  const results = needs.flatMap((need, i) => (need ? [`gradient${i}`] : []))
  return {
    name: `${name}(${kind})`,
    summary: `The gradients of ${record.name}.`,
    category: 'reduction',
    call: (...inputs: readonly never[]) => ({ inputs, attrs: {} }),
    results: results.length === 1 ? null : results,
    build: (b, inputs, attrs) => {
      const operands = inputs.slice(0, needs.length)
      const saved = inputs.slice(needs.length, needs.length + given.length).map(({ node }) => node)
      const seeds = inputs.slice(needs.length + given.length).map(({ node }) => node)
      const outputs = record.build(b, operands, attrs)
      let next = 0
      const cotangents = outputs.map(
        (output, i): Slope => (given[i] ? spelledAs(b, name, seeds[next++]!, output) : null),
      )
      const nodes = operands.map(({ node }) => node)
      const gradients = gradientsOf(b, outputs, cotangents, nodes, needs)
      const values = new Map<GraphNode, GraphNode>()
      for (const [i, output] of outputs.entries()) {
        if (saved[i] === undefined) continue
        const value = spelledAs(b, name, saved[i], output)
        for (const node of spellingsOf(output, nodes)) values.set(node, reshapeTo(b, value, shapeOf(node)))
      }
      return substituted(b, gradients, values)
    },
  }
}

/** The node in the spelling of another one's shape. Throws SymbolicShapeError where sizes are not known to be equal. */
function spelledAs(b: GraphBuilder, name: string, node: GraphNode, model: GraphNode): GraphNode {
  const [own, wanted] = [shapeOf(node), shapeOf(model)]
  const what = (): string => `${name}: ${printShape(own)} for a result of shape ${printShape(wanted)}`
  if (own.length !== wanted.length || dtypeOf(node) !== dtypeOf(model))
    throw new InternalError(`${what()}, ${dtypeOf(node)} for ${dtypeOf(model)}`)
  for (const [d, size] of own.entries()) requireEqual(size, wanted[d]!, what)
  return reshapeTo(b, node, wanted)
}

// --- the gradient of a traced function ---------------------------------------------------------------------------------------

const gradientRecords = new Map<string, OpRecord>()

/**
 * The op that records a `gradient` node: inputs are `roots` results, as many gradients of theirs, and `wrt` tensors; results
 * the gradients of these, zeros where none flows. One object per pair of counts.
 */
export function gradientRecord(roots: number, wrt: number): OpRecord {
  const key = `${roots},${wrt}`
  const made = gradientRecords.get(key) ?? makeGradientRecord(roots, wrt)
  gradientRecords.set(key, made)
  return made
}

const makeGradientRecord = (roots: number, wrt: number): OpRecord => ({
  name: 'gradients',
  summary: 'The gradients of a sum of products of tensors and their cotangents.',
  category: 'reduction',
  call: (...inputs: readonly never[]) => ({ inputs, attrs: {} }),
  results: Array.from({ length: wrt }, (_, i) => `gradient${i}`),
  build: (b, inputs) => {
    const nodes = inputs.map(({ node }) => node)
    const outputs = nodes.slice(0, roots)
    const cotangents = nodes.slice(roots, 2 * roots).map((node, i) => spelledAs(b, 'gradients', node, outputs[i]!))
    const node = b.node('gradient', [...outputs, ...cotangents, ...nodes.slice(2 * roots)], { roots })
    return Array.from({ length: wrt }, (_, index) => b.node('item', [node], { index }))
  },
})

// --- what users differentiate by, and gradients that they give ---------------------------------------------------------------

/** The op that records a `variable` node. Its attributes: the number that tells it from other variables of a capture. */
export const variableRecord: OpRecord = {
  name: 'variable',
  summary: 'A tensor that gradients are asked for by.',
  category: 'view',
  call: (...inputs: readonly never[]) => ({ inputs, attrs: {} }),
  results: null,
  // What it is for gradients is the business of the capture: as an op it is its input.
  build: (_, [input]) => [input!.node],
}

const customRecords = new Map<string, OpRecord>()

/** The op that records a `custom` node, with its inputs. One object per name and kind. */
export function customRecord(name: string, results: number, given: readonly boolean[]): OpRecord {
  const key = `${results},${given.map(Number).join('')},${name}`
  const made = customRecords.get(key) ?? makeCustomRecord(name, results, given)
  customRecords.set(key, made)
  return made
}

const makeCustomRecord = (name: string, results: number, given: readonly boolean[]): OpRecord => ({
  name,
  summary: 'A function with a gradient of its own.',
  category: 'reduction',
  call: (...inputs: readonly never[]) => ({ inputs, attrs: {} }),
  results: results === 1 ? null : Array.from({ length: results }, (_, i) => `${i}`),
  build: (b, inputs) => {
    const nodes = inputs.map(({ node }) => node)
    const formulas = nodes.slice(given.length + 3 * results)
    const wanted = nodes.slice(0, given.length).filter((_, i) => given[i])
    const fitted = formulas.map((formula, i) => spelledAs(b, name, formula, wanted[i]!))
    const node = b.node('custom', [...nodes.slice(0, given.length + 3 * results), ...fitted], { name, results, given })
    return results === 1 ? [node] : Array.from({ length: results }, (_, index) => b.node('item', [node], { index }))
  },
})
