/**
 * Every launch of a plan run three ways on copies of the same memory: tile interpreter, lane simulator, compiled C. Kernels
 * that only move values, or compute them exactly, must agree bitwise; the others within the tolerance of their op.
 */

import { emitC, scratchBytes, symbolOf } from '../../src/codegen/c/emit.js'
import { nodesOf } from '../../src/ir/walk.js'
import type { LaneProgram } from '../../src/lane/ir.js'
import { simulate } from '../../src/lane/simulate.js'
import { interpretPlan } from '../../src/schedule/plan/interpret.js'
import type { Plan } from '../../src/schedule/plan/plan.js'
import { type InterpreterArgument, interpret } from '../../src/tile/interpret.js'
import { type TileNode, type TileProgram, tileType } from '../../src/tile/ir.js'
import { codecOf } from '../../src/types/codec.js'
import { type Dtype, isFloat } from '../../src/types/dtype.js'
import type { StoredArray } from '../../src/types/memory.js'
import { compileNative, exactFlags, type NativeLibrary } from '../codegen/native.js'
import { laneArguments, nativeArguments, threeSizes } from '../lower/support.js'
import { memoryOf, symbolsOf } from '../schedule/run.js'
import { approximate } from './approximate.js'
import type { Tolerance } from './compare.js'
import type { TensorSpec } from './tensor-spec.js'

type Arguments = readonly InterpreterArgument[]

/** Required agreement. exact: bitwise. rounded: only C differs, by its approximations of functions. summed: the summation orders differ. */
export type Exactness = 'exact' | 'rounded' | 'summed'

export interface Launch {
  /** The graph of the launch, for messages. */
  readonly name: string
  readonly program: TileProgram
  readonly lane: LaneProgram
  readonly grid: readonly number[]
  readonly exactness: Exactness
  readonly before: Arguments
  /** The memory contents after the tile interpreter's run. */
  readonly after: Arguments
  readonly tolerance: (dtype: Dtype) => Tolerance
}

/** The launches of a plan (`lanes`: its lowered kernels) on these inputs, interpreted; each starts with the interpreter's results so far. */
export function launchesOf(
  name: string,
  plan: Plan,
  lanes: readonly LaneProgram[],
  inputs: readonly TensorSpec[],
  tolerance: Launch['tolerance'],
): Launch[] {
  const launches: Launch[] = []
  const call = { inputs: inputs.map(memoryOf), scalars: [], symbols: symbolsOf(plan, inputs) }
  interpretPlan(plan, call, (program, args, grid) => {
    const before = copyOf(args)
    interpret(program, args, grid)
    const lane = lanes[plan.kernels.indexOf(program)]!
    const exactness = exactnessOf(program)
    launches.push({ name, program, lane, grid, exactness, before, after: copyOf(args), tolerance })
  })
  return launches
}

const orderless = new Set(['max', 'min', 'and', 'or', 'xor'])

export function exactnessOf({ body }: TileProgram): Exactness {
  let found: Exactness = 'exact'
  for (const node of nodesOf<TileNode>(body)) {
    if (node.op === 'map' && approximate.has(node.attrs.fn) && isFloat(tileType(node).dtype) && found === 'exact') {
      found = 'rounded'
    }
    if (sumsFloats(node)) return 'summed'
  }
  return found
}

function sumsFloats(node: TileNode): boolean {
  switch (node.op) {
    case 'dot':
      return isFloat(tileType(node).dtype)
    case 'reduce':
    case 'scan':
      return !orderless.has(node.attrs.fn) && isFloat(tileType(node.inputs[0]!).dtype)
    case 'atomic':
      return (node.attrs.fn === 'add' || node.attrs.fn === 'mul') && isFloat(tileType(node).dtype)
    default:
      return false
  }
}

/** Arrays that share memory (temporaries with disjoint lifetimes) share it in the copy too. */
export function copyOf(args: Arguments): Arguments {
  const copies = new Map<ArrayBufferLike, ArrayBuffer>()
  return args.map(arg => {
    if (typeof arg !== 'object') return arg
    const { buffer, byteOffset, length } = arg.data
    const copy = copies.get(buffer) ?? (buffer.slice(0) as ArrayBuffer)
    copies.set(buffer, copy)
    return { ...arg, data: new (arg.data.constructor as StoredArrayType)(copy, byteOffset, length) }
  })
}

type StoredArrayType = new (buffer: ArrayBuffer, byteOffset: number, length: number) => StoredArray

/** The difference between the simulator's and the interpreter's memory; null: equal. */
export function simulatedDifference(launch: Launch): string | null {
  const args = copyOf(launch.before)
  simulate(launch.lane, laneArguments(launch.program, args), threeSizes(launch.grid))
  return memoryDifference(launch, args, launch.exactness === 'summed')
}

/** The difference between C's and the interpreter's memory, for many launches with one call of the C compiler. */
export function* nativeDifferences(launches: readonly Launch[]): Generator<readonly [Launch, string | null]> {
  const { library, symbols } = compileAll(launches)
  for (const launch of launches) {
    const args = copyOf(launch.before)
    const run = library.kernel(symbols.get(bodyText(launch.lane))!, scratchBytes(launch.lane))
    run(nativeArguments(launch.program, args), threeSizes(launch.grid))
    yield [launch, memoryDifference(launch, args, launch.exactness !== 'exact')]
  }
}

/** Each distinct program once, with a unique name. */
function compileAll(launches: readonly Launch[]): { library: NativeLibrary; symbols: Map<string, string> } {
  const symbols = new Map<string, string>()
  const programs: LaneProgram[] = []
  for (const { lane } of launches) {
    const text = bodyText(lane)
    if (symbols.has(text)) continue
    const named = { ...lane, name: `${lane.name}_${programs.length}` }
    symbols.set(text, symbolOf(named))
    programs.push(named)
  }
  return { library: compileNative(emitC(programs), [...exactFlags, '-O0']), symbols }
}

const bodyText = (lane: LaneProgram): string => emitC([{ ...lane, name: 'same' }])

/** The difference between `args` and the interpreter's memory; `tolerant`: beyond the tolerance. */
export function memoryDifference(launch: Launch, args: Arguments, tolerant: boolean): string | null {
  for (const [i, { name, type }] of launch.program.params.entries()) {
    const [wanted, got] = [launch.after[i]!, args[i]!]
    if (typeof wanted !== 'object' || typeof got !== 'object') continue
    const problem = firstDifference(type.dtype, wanted.data, got.data, tolerant ? launch.tolerance(type.dtype) : null)
    if (problem !== null) return `${launch.name}: ${launch.program.name}: '${name}' ${problem}`
  }
  return null
}

const decode = (dtype: Dtype, value: number | bigint): number | bigint => codecOf(dtype)?.decode(Number(value)) ?? value

function firstDifference(
  dtype: Dtype,
  wanted: StoredArray,
  got: StoredArray,
  tolerance: Tolerance | null,
): string | null {
  for (let i = 0; i < wanted.length; i++) {
    const [a, b] = [decode(dtype, wanted[i]!), decode(dtype, got[i]!)]
    if (Object.is(a, b) || (Number.isNaN(a) && Number.isNaN(b))) continue
    if (tolerance !== null && isFloat(dtype) && isClose(Number(a), Number(b), tolerance)) continue
    return `element ${i} is ${Object.is(b, -0) ? '-0' : b}, not ${Object.is(a, -0) ? '-0' : a}`
  }
  return null
}

/** Each of the two may be off by the tolerance. */
const isClose = (a: number, b: number, { relative, absolute }: Tolerance): boolean =>
  a === b || Math.abs(a - b) <= 2 * (relative * Math.abs(a) + absolute)
