/** Random programs as data: building them into graphs, running, shrinking and printing them. */
import { applyRecord, asValue, buildGraph } from '../../src/graph/apply.js'
import type { Graph, GraphBuilder, GraphNode } from '../../src/graph/ir.js'
import { type RecordName, recordTable } from '../../src/graph/ops/index.js'
import type { HostTensor } from '../../src/graph/record.js'
import { type Dtype, isFloat } from '../../src/types/dtype.js'
import type { Tolerance } from './compare.js'
import { bindArguments, randomSpec, type TensorSpec } from './tensor-spec.js'

export interface RandomOp {
  /** The value that it computes (of several results, the first). */
  readonly id: number
  readonly name: RecordName
  /** The user's arguments; TensorArgument(id) stands for a value. */
  readonly args: readonly unknown[]
  readonly dtype: Dtype
  readonly shape: readonly number[]
}

export interface RandomProgram {
  readonly seed: number
  readonly inputs: readonly { readonly id: number; readonly spec: TensorSpec }[]
  readonly ops: readonly RandomOp[]
  /** The values that are results. */
  readonly outputs: readonly number[]
}

export interface RandomOptions {
  readonly inputs?: number
  readonly ops?: number
  /** Dtypes of the float inputs. */
  readonly floats?: readonly Dtype[]
  /** Whether inputs may be empty, transposed or strided. */
  readonly layouts?: boolean
  /** Restricts the program to these ops. */
  readonly only?: ReadonlySet<RecordName>
}

// --- running and shrinking -------------------------------------------------------------------------------------------------

/** Runs a program on any kind of tensor: `call` applies an op and returns its first result. */
export function runProgram<T>(
  program: RandomProgram,
  input: (spec: TensorSpec, id: number) => T,
  call: (name: RecordName, args: readonly unknown[]) => T,
): T[] {
  const values = new Map<number, T>()
  for (const { id, spec } of program.inputs) values.set(id, input(spec, id))
  for (const { id, name, args } of program.ops) {
    const bound = bindArguments(args, of => values.get(of)!)
    values.set(id, call(name, bound))
  }
  return program.outputs.map(id => values.get(id)!)
}

/** The program as a graph whose inputs are the program's, in order. */
export function programGraph(program: RandomProgram): Graph {
  return buildGraph(
    program.inputs.map(({ spec }) => spec),
    [],
    (b, nodes) => buildProgram(program, b, nodes),
  )
}

/** The results, of nodes for the inputs. */
export function buildProgram(program: RandomProgram, b: GraphBuilder, nodes: readonly GraphNode[]): GraphNode[] {
  const order = program.inputs.map(({ id }) => id)
  return runProgram<GraphNode>(
    program,
    (_, id) => nodes[order.indexOf(id)]!,
    (name, args) => applyRecord(b, recordTable[name], args.map(asArgument))[0]!,
  )
}

const isNode = (value: unknown): value is GraphNode => typeof value === 'object' && value !== null && 'op' in value
const asArgument = (value: unknown): unknown =>
  isNode(value) ? asValue(value) : Array.isArray(value) ? value.map(asArgument) : value

export const programInputs = (program: RandomProgram): HostTensor[] =>
  program.inputs.map(({ spec: { dtype, shape, data } }) => ({ dtype, shape, data }))

/** Removes an op: its value becomes an input of the same type, so its users stay valid. */
function withoutOp(program: RandomProgram, op: RandomOp): RandomProgram {
  const spec = randomSpec(op.id, op.dtype, op.shape)
  return {
    ...program,
    inputs: [...program.inputs, { id: op.id, spec }],
    ops: program.ops.filter(other => other !== op),
  }
}

/** The values that an op's arguments refer to. */
export function operandsOf(args: readonly unknown[]): number[] {
  const found: number[] = []
  bindArguments(args, id => found.push(id))
  return found
}

/** Removes the ops and inputs that no output needs. */
export function withoutDead(program: RandomProgram): RandomProgram {
  const needed = new Set(program.outputs)
  const ops = [...program.ops].reverse().filter(op => {
    if (!needed.has(op.id)) return false
    for (const id of operandsOf(op.args)) needed.add(id)
    return true
  })
  return { ...program, inputs: program.inputs.filter(({ id }) => needed.has(id)), ops: ops.reverse() }
}

/** The smallest program found, by dropping outputs and ops, for which `fails` still holds. */
export function shrink(program: RandomProgram, fails: (smaller: RandomProgram) => boolean): RandomProgram {
  let current = program
  const tryOne = (candidates: readonly RandomProgram[]): boolean => {
    const smaller = candidates.map(withoutDead).find(candidate => fails(candidate))
    if (smaller === undefined) return false
    current = smaller
    return true
  }
  if (current.outputs.length > 1) tryOne(current.outputs.map(output => ({ ...current, outputs: [output] })))
  while (tryOne(current.ops.filter(op => !current.outputs.includes(op.id)).map(op => withoutOp(current, op))));
  return current
}

/** The program as a user would write it. */
export function printProgram(program: RandomProgram): string {
  const print = (value: unknown): string => JSON.stringify(value) ?? String(value)
  const inputs = program.inputs.map(
    ({ id, spec }) =>
      `v${id} = ${spec.dtype}[${spec.shape}]${spec.strides === undefined ? '' : ` strides ${spec.strides}`}`,
  )
  const calls = program.ops.map(({ id, name, args, dtype, shape }) => {
    const text = bindArguments(args, of => `v${of}`)
      .map(print)
      .join(', ')
      .replaceAll(/"(v\d+)"/g, '$1')
    return `v${id} = ${name}(${text})  // ${dtype}[${shape}]`
  })
  return [`// seed ${program.seed}`, ...inputs, ...calls, `-> ${program.outputs.map(id => `v${id}`).join(', ')}`].join(
    '\n',
  )
}

/** The allowed difference between two correct implementations: rounding in the narrowest dtype, relative to the largest value. */
export function programTolerance(program: RandomProgram, expected: HostTensor): Tolerance {
  const dtypes = [...program.inputs.map(({ spec }) => spec.dtype), ...program.ops.map(op => op.dtype)]
  const unit = dtypes.includes('bf16') ? 2 ** -6 : dtypes.includes('f16') ? 2 ** -9 : 2 ** -17
  const largest = expected.data.reduce<number>((max, value) => Math.max(max, Math.abs(Number(value))), 1)
  if (!isFloat(expected.dtype)) return { relative: 0, absolute: 0, anyZero: true }
  return { relative: 4 * unit, absolute: 4 * unit * largest, anyZero: true }
}
