/** Explains each kernel launch of a plan: its ops, the user's lines, its work, grid and tiles, what it reads and writes. */
import type { KernelResourceUse } from '../../backends/device.js'
import type { SourceLocation } from '../../base/source.js'
import { nodesOf } from '../../ir/walk.js'
import { evaluateSize, type Size } from '../../scalar/size.js'
import {
  type BlockStep,
  blocksOf,
  isLaunch,
  type LaunchStep,
  launchesAmong,
  type Plan,
  type PlanArgument,
  type PlanBlock,
} from '../../schedule/plan/plan.js'
import { type TileNode, type TileProgram, tileType } from '../../tile/ir.js'
import { type Dtype, isFloat, itemBytes } from '../../types/dtype.js'
import { dotShapes } from './dot-tiles.js'

/** One launch, for the arguments of `explain()`. */
export interface KernelExplanation {
  /** The generated function's name. */
  readonly name: string
  /** The ops fused into it, in order. */
  readonly ops: readonly string[]
  /** The user's lines behind them. */
  readonly lines: readonly SourceLocation[]
  /** Minimum bytes read and written. */
  readonly bytes: number
  /** Scalar operations; an FMA is two. */
  readonly flops: number
  /** Operations per byte. */
  readonly intensity: number
  /** Bytes and operations as formulas of the symbolic sizes; null when all sizes are fixed. */
  readonly formulas: { readonly bytes: string; readonly flops: string } | null
  /** Program instances along x, y, z. */
  readonly grid: readonly [number, number, number]
  /** The tiles that a program instance works on. */
  readonly tiles: TileExplanation
  /** Its dots have operands of at most 16 bits, or rounded to tf32, so GPUs use tensor cores. */
  readonly narrowProducts: boolean
  /** How its dots use 8-bit codes that they read, sorted; empty: they read none. */
  readonly decoding: readonly Decoding[]
  /** GPU resources of a block; null on the CPU. */
  readonly resources: KernelResourceUse | null
  /** The arguments, closures and temporaries that it reads: `args[0]`, `closure 1`, `temp 0`. */
  readonly reads: readonly string[]
  /** The arguments, temporaries and outputs that it writes: `args[0]`, `temp 0`, `output 0`. */
  readonly writes: readonly string[]
  /** Its roofline bound when no data is in a cache; null until limits are given (`against`). */
  readonly bound: 'memory' | 'compute' | null
  /** Nanoseconds at that bound; null until limits are given. */
  readonly limitNanoseconds: number | null
  /** The block of control flow that launches it: `loop body at model.ts:12`; null: it runs once per call. */
  readonly within: string | null
}

/** Codes of dtype `from` are multiplied as `to`: dequantised before, or if equal by tensor cores that take codes. */
export interface Decoding {
  readonly from: Dtype
  readonly to: Dtype
}

/** The tiles that one program instance works on. */
export interface TileExplanation {
  /** Shapes of the tiles that it stores. */
  readonly stores: readonly (readonly number[])[]
  /** [M, N, K] of each of its dots. */
  readonly dots: readonly (readonly number[])[]
  /** Constant step sizes of its loops. */
  readonly loopSteps: readonly number[]
}

/**
 * @param paths names of the plan's inputs
 * @param values the plan's symbols
 */
export function explainKernels(
  plan: Plan,
  paths: readonly string[],
  values: ReadonlyMap<string, number>,
): KernelExplanation[] {
  const places = blockPlaces(plan)
  const explainBlock = (block: PlanBlock, within: string | null): KernelExplanation[] => {
    const names = bufferNames(block, within === null ? paths : [])
    return launchesAmong(block.steps).map(step => explainLaunch(step, plan, names, values, within))
  }
  return [...explainBlock(plan, null), ...plan.blocks.flatMap((block, i) => explainBlock(block, places[i]!))]
}

/** What the blocks of a step are for. */
const blockRoles = {
  cond: ['cond, if true', 'cond, if false'],
  loop: ['loop condition', 'loop body'],
  steps: ['scan body'],
} as const satisfies { readonly [Kind in BlockStep['kind']]: readonly string[] }

/** A description of each block of a plan: `loop body at model.ts:12`. */
function blockPlaces({ steps, blocks }: Plan): string[] {
  const places: string[] = []
  for (const step of [steps, ...blocks.map(block => block.steps)].flat()) {
    if (isLaunch(step)) continue
    const roles = blockRoles[step.kind]
    const [at] = step.lines
    const where = at === undefined ? '' : ` at ${at.file.split('/').at(-1)}:${at.line}`
    for (const [i, block] of blocksOf(step).entries()) places[block] = `${roles[i]}${where}`
  }
  return places
}

/** The explanation of one launch. */
function explainLaunch(
  step: LaunchStep,
  plan: Plan,
  names: readonly string[],
  values: ReadonlyMap<string, number>,
  within: string | null,
): KernelExplanation {
  const program = plan.kernels[step.kernel]!
  const [bytes, flops] = [evaluateSize(step.bytes, values), evaluateSize(step.flops, values)]
  const symbolic = isSymbolic(step.bytes) || isSymbolic(step.flops)
  return {
    name: program.name,
    ops: step.ops,
    lines: step.lines,
    bytes,
    flops,
    intensity: bytes === 0 ? 0 : flops / bytes,
    formulas: symbolic ? { bytes: String(step.bytes), flops: String(step.flops) } : null,
    grid: gridAt(step, values),
    tiles: tilesOf(program),
    narrowProducts: hasNarrowProducts(program),
    decoding: decodingOf(program),
    resources: null,
    ...accesses(program, step.args, names),
    bound: null,
    limitNanoseconds: null,
    within,
  }
}

const isSymbolic = (size: Size): boolean => typeof size !== 'number'

function gridAt({ grid: [x, y, z] }: LaunchStep, values: ReadonlyMap<string, number>): [number, number, number] {
  return [evaluateSize(x, values), evaluateSize(y, values), evaluateSize(z, values)]
}

/** A name per buffer; outputs, results of control flow and temporaries are numbered separately. */
function bufferNames({ buffers }: PlanBlock, paths: readonly string[]): string[] {
  const counts = { output: 0, result: 0, temp: 0 }
  return buffers.map(buffer => {
    if (buffer.kind === 'input') return paths[buffer.input] ?? `input ${buffer.input}`
    return `${buffer.kind} ${counts[buffer.kind]++}`
  })
}

const readingOps: ReadonlySet<string> = new Set(['load', 'gather', 'atomic'])
const writingOps: ReadonlySet<string> = new Set(['store', 'scatter', 'atomic'])

/** The buffers that a kernel reads and writes, by name. */
function accesses(
  program: TileProgram,
  args: readonly PlanArgument[],
  names: readonly string[],
): Pick<KernelExplanation, 'reads' | 'writes'> {
  const [reads, writes] = [new Set<string>(), new Set<string>()]
  for (const node of nodesOf<TileNode>(program.body)) {
    const view = node.inputs[0]
    if (view?.op !== 'view') continue
    const arg = args[view.attrs.index]
    if (arg?.kind !== 'view') continue
    const name = names[arg.buffer] ?? `buffer ${arg.buffer}`
    if (readingOps.has(node.op)) reads.add(name)
    if (writingOps.has(node.op)) writes.add(name)
  }
  return { reads: [...reads].sort(), writes: [...writes].sort() }
}

function tilesOf(program: TileProgram): TileExplanation {
  const [stores, loopSteps] = [new Map<string, number[]>(), new Set<number>()]
  for (const node of nodesOf<TileNode>(program.body)) {
    if (node.op === 'store') addShape(stores, tileType(node.inputs.at(-1)!).shape)
    const step = node.op === 'range' ? node.inputs[2] : undefined
    if (step?.op === 'const') loopSteps.add(Number(step.attrs.value))
  }
  return { stores: [...stores.values()], dots: dotShapes(program), loopSteps: [...loopSteps] }
}

function hasNarrowProducts({ body }: TileProgram): boolean {
  for (const node of nodesOf<TileNode>(body)) {
    if (node.op !== 'dot') continue
    const [a, b] = node.inputs as [TileNode, TileNode]
    if (node.attrs.codes !== undefined || node.attrs.precision !== undefined || (isNarrowFloat(a) && isNarrowFloat(b)))
      return true
  }
  return false
}

function decodingOf({ body }: TileProgram): Decoding[] {
  const found = new Map<string, Decoding>()
  for (const node of nodesOf<TileNode>(body)) {
    if (node.op !== 'dot') continue
    for (const [i, operand] of (node.inputs.slice(0, 2) as TileNode[]).entries()) {
      const to = node.attrs.codes?.[i] ?? tileType(operand).dtype
      const codes = node.attrs.codes === undefined ? codesBehind(operand) : [to]
      for (const from of isFloat(to) ? codes : []) found.set(`${from} ${to}`, { from, to })
    }
  }
  return [...found.keys()].sort().map(key => found.get(key)!)
}

/** The dtypes of 8-bit integers loaded from memory that a value is computed from. */
function codesBehind(value: TileNode, seen = new Set<TileNode>()): Dtype[] {
  if (seen.has(value)) return []
  seen.add(value)
  if (value.op !== 'load' && value.op !== 'gather') return value.inputs.flatMap(input => codesBehind(input, seen))
  const { dtype } = tileType(value)
  return dtype === 'u8' || dtype === 'i8' ? [dtype] : []
}

function isNarrowFloat(node: TileNode): boolean {
  const { dtype } = tileType(node)
  return isFloat(dtype) && itemBytes(dtype) <= 2
}

const addShape = (into: Map<string, number[]>, shape: readonly number[]): void =>
  void into.set(shape.join(), [...shape])
