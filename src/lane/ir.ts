/**
 * The lane IR: the code of one thread, with registers (scalars and short vectors), pointers and explicit loops. On a CPU a
 * thread runs whole program instances with vectors. On a GPU a program instance is a block of threads that all run the same
 * code, told apart by `threadId`, and communicate through shared memory, barriers, shuffles and matrix instructions. Index
 * arithmetic is i64, or i32 where the lowering proves that it is enough. A bool value is 0 or 1; a vector's mask is a bool
 * vector.
 */
import { VerifyError } from '../base/errors.js'
import type { Block, Dialect, NodeOf, OpRule } from '../ir/node.js'
import { type AtomicAttrs, atomicOperands } from '../scalar/atomic.js'
import type { ScalarOpName, ScanName } from '../scalar/ops.js'
import { type Dtype, dtypeInfo } from '../types/dtype.js'
import {
  carried,
  checkIndexed,
  checkLoad,
  checkStored,
  inferBitcast,
  inferFold,
  inferIf,
  inferMap,
  inferMma,
  inferWgmma,
} from './infer.js'
import type { WarpgroupOperands } from './shared-matrix.js'
import {
  type ArgumentType,
  isIndex,
  isScalar,
  need,
  nothing,
  pointer,
  pointerType,
  printType,
  same,
  type Type,
  type ValueType,
  value,
  valueType,
} from './types.js'
import { inferWordDot, type WordDotAttrs } from './word-dot.js'

export type { ArgumentType, NothingType, OpaqueType, PointerType, TupleType, Type, ValueType } from './types.js'
export { pointer, pointerType, printType, value, valueType } from './types.js'

/** Distances of elements for which vectors that hold some of them each are cheaper than a load per element. */
export type Apart = 2 | 3 | 4

export const shortDistance = (stride: number | bigint | null | undefined): Apart | null =>
  stride === 2 || stride === 3 || stride === 4 ? stride : null

/** True where each element is beside the one before it: vectors are one load, of descending elements permuted. */
export const isAdjacent = (stride: number | bigint | null | undefined): boolean => stride === 1 || stride === -1

export interface LaneOps {
  arg: { readonly index: number; readonly name: string; readonly type: ArgumentType }
  /** A block's parameter. */
  param: { readonly type: ValueType; readonly name: string }
  const: { readonly dtype: Dtype; readonly value: number | bigint; readonly lanes: number }
  programId: { readonly axis: 0 | 1 | 2 }
  numPrograms: { readonly axis: 0 | 1 | 2 }
  /** A scalar op on operands with equal lanes. */
  map: { readonly fn: ScalarOpName }
  /**
   * CPU instructions and library functions beyond the scalar ops, of f32 and f64. `scale` (p, n): p · 2^n for integer n, rounded
   * once; `rest` (x), of f32: x − round(x), 0 for infinities. The others are libm functions, applied per lane.
   */
  builtin: { readonly fn: 'scale' | 'rest' | 'sin' | 'cos' | 'tan' | 'fmod' }
  cast: { readonly to: Dtype }
  bitcast: { readonly to: Dtype }
  /** The scalar in every lane. */
  splat: { readonly lanes: number }
  /** 0, 1, … lanes−1. */
  iota: { readonly dtype: Dtype; readonly lanes: number }
  /** One lane of a vector. */
  extract: { readonly lane: number }
  /** (i32 scalar, pointers…): selects a pointer by index, from 0; all have one type. */
  pick: Record<string, never>
  /** Concatenation of scalars or vectors of one dtype. */
  concat: Record<string, never>
  /** `lanes` consecutive lanes of a vector. */
  slice: { readonly from: number; readonly lanes: number }
  /** (a, b): interleaves the first (or second) halves of two vectors: a0, b0, a1, b1, … */
  interleave: { readonly half: 'low' | 'high' }
  /** Reduction of all lanes to a scalar; floats pairwise (lane i with lane i + lanes/2), so all targets round alike. */
  fold: { readonly fn: 'add' | 'mul' | 'min' | 'max' | 'fmax' | 'and' | 'or' | 'logaddexp' }
  /**
   * CPU only: each lane combined with all before it (`reverse`: behind it). Of each half by itself, then the last lane of one with
   * all of the other, so all targets round alike.
   */
  prefix: { readonly fn: ScanName; readonly reverse: boolean }
  /** `count` elements of this thread's scratch memory, 64-byte aligned, undefined until written. */
  alloc: { readonly dtype: Dtype; readonly count: number; readonly name: string }
  /** (pointer, index): hint that this element's cache line will be read soon. No effect; the address may be out of bounds. */
  prefetch: Record<string, never>
  /** CPU only: (acc, rows, panels, m, n, words): acc += the product of matrices packed in words (word-dot.ts). */
  wordDot: WordDotAttrs
  /**
   * (pointer, index, [count, [skip]]): `lanes` consecutive elements from index; with a count, lanes ≥ count are 0 and their memory
   * is not accessed; nor is that of lanes < skip (CPU only). A count `where(p, lanes, 0)` covers all lanes or none and costs only a predicate. `apart` (CPU only): the
   * elements are so far apart instead of consecutive.
   */
  load: { readonly lanes: number; readonly apart?: Apart }
  /**
   * (pointer, index, value, [count]). `streamedFrom`: launches of at least so many programs write more than caches hold, so it may
   * go past them.
   */
  store: { readonly streamedFrom?: number }
  /** (pointer, indices, [mask]): one element per lane; masked-out lanes are 0 and their memory is not accessed. */
  gather: Record<string, never>
  /** (pointer, indices, value, [mask]): lanes in order, so the last of equal indices wins. */
  scatter: Record<string, never>
  /** (pointer, index, value…): scalars; changes memory[index] atomically (scalar/atomic.ts); returns the old value. */
  atomic: AtomicAttrs
  /** (from, to, step, carried…): one block (counter, carried…) → carried…; runs while counter < to (step > 0), > to (step < 0). `unroll`: fully, when bounds are constants. */
  for: { readonly unroll: boolean; readonly comment: string }
  /** (condition): two blocks. */
  if: { readonly comment: string }
  /**
   * (carried…): (carried…) → bool, (carried…) → carried…. `long`: iterations take long, so loop-invariant values are recomputed
   * in each iteration instead of being kept in registers.
   */
  while: { readonly comment: string; readonly long?: true }
  item: { readonly index: number }

  // Ops for blocks of threads (GPU only). Convergent ones must be reached by all threads of the block (or warp) together, so
  // they are never moved.

  /** This thread's index in its block, i32, from 0; 32 consecutive threads are a warp. */
  threadId: Record<string, never>
  /**
   * `count` elements of the block's shared memory from byte `offset`, undefined until written. Buffers may overlap: the
   * lowering gives buffers with disjoint lifetimes the same bytes, with a barrier in between.
   */
  shared: { readonly dtype: Dtype; readonly count: number; readonly offset: number; readonly name: string }
  /** Convergent: waits for all threads of the block (or warp) and makes their earlier writes visible. */
  barrier: { readonly scope: 'block' | 'warp' }
  /** Makes this thread's earlier writes visible to the whole device before its later ones. */
  fence: Record<string, never>
  /** Convergent in the warp: (value, i32): the value of lane `own ^ amount`, `own − amount`, `own + amount`, or `amount`; the own value if that lane is outside the warp. */
  shuffle: { readonly mode: 'xor' | 'up' | 'down' | 'index' }
  /**
   * Convergent in the warp: (i32 of at most `bits` bits) → i32: how many lower lanes hold the same value, plus 32 in the last
   * lane that does.
   */
  match: { readonly bits: number }
  /**
   * Convergent in the warp: (a, b, c) → a·b + c on tensor cores, m16n8kK, operands in PTX's fragment order with a fragment's
   * registers as lanes: K = 4 for f64 (a f64x2, b f64x1), 8 for f32 (tf32: a f32x4, b f32x2), 16 for f16 and bf16 (x8, x4), 32 for i8, u8 and, where the
   * target has them, the two 8-bit float formats, also mixed (x16, x8); c is f32x4, f64x4 for f64, or i32x4 for integers.
   */
  mma: Record<string, never>
  /**
   * Convergent in the warp: (shared pointer, i32 index): `count` 8×8 matrices of 16-bit elements; thread i passes the
   * start of row i mod 8 of matrix i div 8 (16-byte aligned). Returns 2·count lanes in PTX's fragment order.
   */
  loadMatrix: { readonly count: 1 | 2 | 4; readonly transpose: boolean }
  /**
   * (shared pointer, index, global pointer, index, [count]): starts a copy of `lanes` elements (4, 8 or 16 bytes,
   * aligned to their size), complete after the `asyncWait` that covers it. Elements from `count` on become 0; with a
   * count of 0 or less, the source is not accessed.
   */
  asyncCopy: { readonly lanes: number }
  /** Commits this thread's copies since the last commit as a group. */
  asyncCommit: Record<string, never>
  /** Waits until at most `pending` of this thread's groups are in flight; other threads see the data after a barrier. */
  asyncWait: { readonly pending: number }
  /** Makes this thread's earlier writes to shared memory visible to `wgmma`; for other threads' wgmma after a barrier. */
  proxyFence: Record<string, never>

  // A warpgroup is four warps whose first thread number is a multiple of 128. Its matrix instructions are asynchronous: until
  // the `wgmmaWait` that covers their group, their accumulators and the shared memory that they read must not be accessed.

  /**
   * Convergent in the warpgroup: ([acc], [a]): orders earlier register writes of an accumulator, and of a left operand, before
   * wgmma; returns the accumulator. `fresh`: there is no acc; the first instruction must not read it.
   */
  wgmmaFence: { readonly dtype: 'f32' | 'i32'; readonly lanes: number; readonly fresh: boolean }
  /**
   * Convergent in the warpgroup: (acc, shared pointer of b, i32 index, then a's pointer and index, or a): a·b + acc, or a·b
   * without `add`, for m64 × n × K (shared-matrix.ts). The acc comes from a fence or another wgmma and has no other user;
   * warp w of the group holds rows 16·w to 16·w + 15, in `mma`'s accumulator layout for each eight columns. An `a` in
   * registers is, in each warp, the fragment that `mma` takes.
   */
  wgmma: WarpgroupOperands & { readonly add: boolean }
  /**
   * Copies a left operand's fragments to separate registers. wgmma reads these until the wait that covers its group, while the
   * thread computes the next fragments.
   */
  wgmmaHold: Record<string, never>
  /** Commits the warpgroup's matrix instructions since the last commit as a group. */
  wgmmaCommit: Record<string, never>
  /**
   * Convergent in the warpgroup: ([acc]): waits until at most `pending` of its groups are in flight; with 0, returns the
   * accumulator, which may be read from then on.
   */
  wgmmaWait: { readonly pending: number }
  /**
   * f32 approximations in GPU hardware (exp2, log2: 2 ulp; reciprocal, rsqrt: 1-2 ulp; sin, cos: 2^-20.9 absolute in
   * [−π, π]; tanh: 2^-11 relative); subnormal operands and results are flushed to zero. f64 has a reciprocal of 20 bits.
   */
  approximate: { readonly fn: 'exp2' | 'log2' | 'reciprocal' | 'rsqrt' | 'sin' | 'cos' | 'tanh' }
  /** (a, b): arithmetic on pairs of 16-bit floats, each result rounded once, subnormals included. */
  halves: { readonly fn: 'add' | 'sub' | 'mul' }
}

export type LaneNode = NodeOf<LaneOps, Type>
export type LaneBlock = Block<LaneNode>

/** A kernel before code generation: its arguments in the order of the binary interface (tile/abi.ts), and its code. */
export interface LaneProgram {
  readonly name: string
  readonly args: readonly { readonly name: string; readonly type: ArgumentType }[]
  readonly body: LaneBlock
  /** GPU only: the threads that run one program instance, and their shared memory. */
  readonly block?: {
    readonly threads: number
    readonly sharedBytes: number
    /** Target occupancy in CTAs per multiprocessor: limits the registers that the assembler may use per thread. */
    readonly perMultiprocessor?: number
  }
  /** Comment lines at the head of the generated text: ops, user lines, tile shapes. */
  readonly comment: readonly string[]
}

type Infer = OpRule<LaneNode>['infer']
const pure = (infer: Infer): OpRule<LaneNode> => ({ effect: 'pure', infer })
const effect = (infer: Infer): OpRule<LaneNode> => ({ effect: 'effect', infer })

export const laneDialect: Dialect<LaneNode> = {
  name: 'lane',
  printType,
  typeKey: printType,
  ops: {
    arg: { effect: 'unique', infer: (_, attrs) => (attrs as LaneOps['arg']).type },
    param: { effect: 'unique', infer: (_, attrs) => (attrs as LaneOps['param']).type },
    const: pure((_, attrs) => value((attrs as LaneOps['const']).dtype, (attrs as LaneOps['const']).lanes)),
    programId: pure(() => value('i64')),
    numPrograms: pure(() => value('i64')),
    map: pure((inputs, attrs) => inferMap(inputs, (attrs as LaneOps['map']).fn)),
    builtin: pure(inputs => {
      const types = inputs.map(valueType) as [ValueType, ...ValueType[]]
      const fits = types.every(type => (type.dtype === 'f32' || type.dtype === 'f64') && same(type, types[0]))
      need(fits, () => `builtin: ${types.map(printType).join(', ')}; it takes f32 or f64`)
      return types[0]
    }),
    cast: pure((inputs, attrs) => value((attrs as LaneOps['cast']).to, valueType(inputs[0]!).lanes)),
    bitcast: pure((inputs, attrs) => inferBitcast(valueType(inputs[0]!), (attrs as LaneOps['bitcast']).to)),
    splat: pure((inputs, attrs) => value(valueType(inputs[0]!).dtype, (attrs as LaneOps['splat']).lanes)),
    iota: pure((_, attrs) => value((attrs as LaneOps['iota']).dtype, (attrs as LaneOps['iota']).lanes)),
    extract: pure((inputs, attrs) => {
      const { dtype, lanes } = valueType(inputs[0]!)
      const { lane } = attrs as LaneOps['extract']
      need(lane >= 0 && lane < lanes, () => `extract: lane ${lane} of ${printType(inputs[0]!.type)}`)
      return value(dtype)
    }),
    pick: pure(([which, first, ...rest]) => {
      need(isScalar(valueType(which!), 'i32'), () => `pick: by ${printType(which!.type)}, not i32`)
      const fits = first?.type.kind === 'pointer' && rest.every(({ type }) => printType(type) === printType(first.type))
      need(fits, () => `pick: among ${[first, ...rest].map(node => node && printType(node.type)).join(', ')}`)
      return pointerType(first!)
    }),
    concat: pure(inputs => {
      const [first, ...rest] = inputs.map(valueType) as [ValueType, ...ValueType[]]
      for (const type of rest)
        need(type.dtype === first.dtype, () => `concat: ${printType(first)} and ${printType(type)} differ in dtype`)
      return value(
        first.dtype,
        [first, ...rest].reduce((total, { lanes }) => total + lanes, 0),
      )
    }),
    slice: pure((inputs, attrs) => {
      const from = valueType(inputs[0]!)
      const { from: start, lanes } = attrs as LaneOps['slice']
      need(
        lanes > 0 && start >= 0 && start + lanes <= from.lanes,
        () => `slice: ${start}+${lanes} of ${printType(from)}`,
      )
      return value(from.dtype, lanes)
    }),
    interleave: pure(inputs => {
      const [a, b] = inputs.map(valueType) as [ValueType, ValueType]
      need(same(a, b) && a.lanes > 1, () => `interleave: ${printType(a)} and ${printType(b)}: need two equal vectors`)
      return a
    }),
    fold: pure((inputs, attrs) => inferFold(valueType(inputs[0]!), (attrs as LaneOps['fold']).fn)),
    prefix: pure((inputs, attrs) => {
      const from = valueType(inputs[0]!)
      inferFold(from, (attrs as LaneOps['prefix']).fn)
      return from
    }),
    alloc: effect((_, attrs) => pointer((attrs as LaneOps['alloc']).dtype, 'local')),
    load: {
      effect: 'read',
      infer: (inputs, attrs) => value(checkLoad(inputs).dtype, (attrs as LaneOps['load']).lanes),
    },
    prefetch: effect(inputs => {
      checkLoad(inputs)
      return nothing
    }),
    wordDot: effect((inputs, attrs) => inferWordDot(inputs, attrs as WordDotAttrs)),
    store: effect(inputs => {
      const stored = valueType(inputs[2]!)
      return checkStored('store', stored, value(checkLoad(inputs).dtype, stored.lanes))
    }),
    gather: { effect: 'read', infer: checkIndexed },
    scatter: effect(inputs => checkStored('scatter', valueType(inputs[2]!), checkIndexed(inputs))),
    atomic: effect((inputs, attrs) => {
      const { dtype } = checkLoad(inputs)
      const values = inputs.slice(2)
      const { fn } = attrs as LaneOps['atomic']
      need(values.length === atomicOperands(fn), () => `atomic: ${values.length} values for ${fn}`)
      for (const each of values) checkStored('atomic', valueType(each), value(dtype))
      return value(dtype)
    }),
    for: effect((inputs, _, [block]) => {
      const counter = valueType(block!.params[0]!)
      need(isIndex(counter), () => `for: the counter is ${printType(counter)}, not i64 or i32`)
      for (const bound of inputs.slice(0, 3))
        need(same(valueType(bound), counter), () => `for: a bound is ${printType(bound.type)}, not ${counter.dtype}`)
      return carried('for', inputs.slice(3), block!.params.slice(1), block!.results)
    }),
    if: effect((inputs, _, blocks) => inferIf(inputs, blocks)),
    while: effect((inputs, _, [condition, body]) => {
      need(isScalar(valueType(condition!.results[0]!), 'bool'), () => 'while: the condition must be a bool')
      return carried('while', inputs, body!.params, body!.results)
    }),
    item: pure((inputs, attrs) => {
      const { type } = inputs[0]!
      const { index } = attrs as LaneOps['item']
      if (type.kind !== 'tuple' || type.items[index] === undefined)
        throw new VerifyError(`lane: item ${index} of ${printType(type)}`)
      return type.items[index]
    }),
    threadId: pure(() => value('i32')),
    shared: pure((_, attrs) => pointer((attrs as LaneOps['shared']).dtype, 'shared')),
    barrier: effect(() => nothing),
    fence: effect(() => nothing),
    shuffle: effect(inputs => {
      const amount = valueType(inputs[1]!)
      need(isScalar(amount, 'i32'), () => `shuffle: the amount is ${printType(amount)}, not i32`)
      return valueType(inputs[0]!)
    }),
    match: effect(inputs => {
      const type = valueType(inputs[0]!)
      need(isScalar(type, 'i32'), () => `match: ${printType(type)}, not i32`)
      return type
    }),
    mma: effect(inputs => inferMma(inputs.map(valueType) as [ValueType, ValueType, ValueType])),
    loadMatrix: {
      effect: 'read',
      infer: (inputs, attrs) => {
        const { dtype, space } = checkLoad(inputs)
        need(space === 'shared' && dtypeInfo(dtype).bits === 16, () => `loadMatrix: from ${space} memory of ${dtype}`)
        return value(dtype, 2 * (attrs as LaneOps['loadMatrix']).count)
      },
    },
    asyncCopy: effect((inputs, attrs) => {
      const [to, from] = [checkLoad(inputs), checkLoad(inputs.slice(2))]
      const bytes = ((attrs as LaneOps['asyncCopy']).lanes * dtypeInfo(to.dtype).bits) / 8
      need(
        to.space === 'shared' && from.space === 'global',
        () => `asyncCopy: from ${from.space} to ${to.space} memory`,
      )
      need(to.dtype === from.dtype, () => `asyncCopy: from ${from.dtype} to ${to.dtype}`)
      need(bytes === 4 || bytes === 8 || bytes === 16, () => `asyncCopy: ${bytes} bytes; it takes 4, 8 or 16`)
      return nothing
    }),
    asyncCommit: effect(() => nothing),
    asyncWait: effect(() => nothing),
    proxyFence: effect(() => nothing),
    wgmmaFence: effect((inputs, attrs) => {
      const { dtype, lanes, fresh } = attrs as LaneOps['wgmmaFence']
      const type = value(dtype, lanes)
      need(
        fresh || same(valueType(inputs[0]!), type),
        () => `wgmmaFence: ${printType(inputs[0]!.type)} as ${printType(type)}`,
      )
      return type
    }),
    wgmmaHold: effect(inputs => valueType(inputs[0]!)),
    wgmma: effect((inputs, attrs) => inferWgmma(inputs, attrs as LaneOps['wgmma'])),
    wgmmaCommit: effect(() => nothing),
    wgmmaWait: effect((inputs, attrs) => {
      if (inputs.length === 0) return nothing
      need(
        (attrs as LaneOps['wgmmaWait']).pending === 0,
        () => 'wgmmaWait: an accumulator is valid only when no group is pending',
      )
      return valueType(inputs[0]!)
    }),
    approximate: pure((inputs, attrs) => {
      const type = valueType(inputs[0]!)
      const { fn } = attrs as LaneOps['approximate']
      const fits = type.dtype === 'f32' || (type.dtype === 'f64' && fn === 'reciprocal')
      need(fits, () => `approximate ${fn}: ${printType(type)}; f32, or f64's reciprocal`)
      return type
    }),
    halves: pure(inputs => {
      const [a, b] = inputs.map(valueType) as [ValueType, ValueType]
      const fits = same(a, b) && (a.dtype === 'f16' || a.dtype === 'bf16') && a.lanes % 2 === 0
      need(fits, () => `halves: ${printType(a)} and ${printType(b)}; it takes pairs of f16 or bf16`)
      return a
    }),
  },
}

/** Ops that only GPU lowering creates: the CPU emitter rejects them. */
const gpuOps = {
  concat: true,
  slice: true,
  threadId: true,
  shared: true,
  barrier: true,
  fence: true,
  shuffle: true,
  match: true,
  mma: true,
  loadMatrix: true,
  asyncCopy: true,
  asyncCommit: true,
  asyncWait: true,
  proxyFence: true,
  wgmmaFence: true,
  wgmmaHold: true,
  wgmma: true,
  wgmmaCommit: true,
  wgmmaWait: true,
  approximate: true,
  halves: true,
} as const satisfies Partial<Record<LaneNode['op'], true>>

export type GpuNode = Extract<LaneNode, { op: keyof typeof gpuOps }>
export const isGpuOnly = (node: LaneNode): node is GpuNode => node.op in gpuOps

/** Nodes whose blocks may run more than once: loop-invariant values are hoisted before them. */
export const isLoop = (node: LaneNode): boolean =>
  node.op === 'for' || (node.op === 'while' && node.attrs.long !== true)
