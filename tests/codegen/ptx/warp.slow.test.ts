/** What threads do together, as PTX: the machine agrees with the simulator of blocks, and the assembler takes it. */
import { describe, expect, it } from 'vitest'
import { emitPtx } from '../../../src/codegen/ptx/emit.js'
import type { LaneProgram } from '../../../src/lane/ir.js'
import { cudaArchs, genericCudaTarget } from '../../../src/target/cuda.js'
import { codeDtypes, type TensorDtype } from '../../../src/types/dtype.js'
import { pointer, value } from '../../lane/build.js'
import type { TestArgument } from '../compare.js'
import { spread, zeros } from '../samples.js'
import { archs, assemble, noAssembler } from './assemble.js'
import { blockProgram } from './block-programs.js'
import { machineDifferences } from './machine-compare.js'

interface Case {
  readonly program: LaneProgram
  readonly args: readonly TestArgument[]
}

function check(cases: readonly Case[]): void {
  for (const arch of [cudaArchs.sm_80, cudaArchs.sm_90a]) {
    const programs = cases.map(one => one.program)
    const module = emitPtx(programs, genericCudaTarget(arch))
    const problems = cases.flatMap(({ program, args }) => {
      const found = machineDifferences(program, module, args, [1, 1, 1])
      return found.length === 0 ? [] : [`${program.name}: ${found.slice(0, 3).join('; ')}`]
    })
    expect(problems.join('\n')).toBe('')
  }
}

function assembles(cases: readonly Case[]): void {
  for (const arch of archs) {
    const programs = cases.map(one => one.program)
    assemble(emitPtx(programs, genericCudaTarget(arch)), arch)
  }
}

function both(name: string, cases: readonly Case[]): void {
  it(`${name}: the machine agrees with the simulator`, () => check(cases))
  it.skipIf(noAssembler !== null)(`${name} assemble for every target`, { timeout: 120_000 }, () => assembles(cases))
}

/** A vector of each thread from another one. `amount` may differ between threads and leave the warp. */
function shuffleCase(dtype: TensorDtype, mode: 'xor' | 'up' | 'down' | 'index', lanes: number, far: boolean): Case {
  const block = { threads: 64, sharedBytes: 0 }
  const types = { x: pointer(dtype), out: pointer(dtype) }
  const name = `shuffle_${mode}_${dtype}_${lanes}${far ? '_far' : ''}`
  const program = blockProgram(name, block, types, (b, g, { x, out }) => {
    const thread = g.threadId()
    const at = b.map('mul', thread, g.i32(lanes))
    const amount = far ? b.map('add', b.map('and', thread, g.i32(3)), g.i32(30)) : g.i32(5)
    b.store(out, at, g.shuffle(mode, b.load(x, at, lanes), amount))
  })
  return { program, args: [spread(dtype, 64 * lanes, 3), zeros(dtype, 64 * lanes)] }
}

describe('shuffles', () => {
  const modes = ['xor', 'up', 'down', 'index'] as const
  both(
    'every dtype and mode',
    codeDtypes.flatMap(dtype =>
      modes.flatMap(mode => [shuffleCase(dtype, mode, 1, false), shuffleCase(dtype, mode, 4, false)]),
    ),
  )
  both(
    'amounts that leave the warp',
    modes.map(mode => shuffleCase('f32', mode, 1, true)),
  )
})

/** Each of 64 threads folds its value into one of four cells; exchanges leave one winner, which is the last. */
function atomicCase(dtype: TensorDtype, fn: 'add' | 'min' | 'max' | 'exchange', space: 'global' | 'shared'): Case {
  const block = { threads: fn === 'exchange' ? 1 : 64, sharedBytes: 64 }
  const types = { x: pointer(dtype), cells: pointer(dtype), old: pointer(dtype) }
  const program = blockProgram(`${space}_${fn}_${dtype}`, block, types, (b, g, { x, cells, old }) => {
    const thread = g.threadId()
    const cell = b.map('and', thread, g.i32(3))
    const memory = space === 'shared' ? g.shared(dtype, 4, 16, 'cells') : cells
    const isFirst = b.map('lt', thread, g.i32(4))
    if (space === 'shared') {
      b.if(
        isFirst,
        () => {
          b.store(memory, cell, b.load(cells, cell))
          return []
        },
        () => [],
      )
      g.barrier()
    }
    const before = b.atomic(fn, memory, cell, b.load(x, thread))
    if (fn === 'exchange') b.store(old, thread, before)
    g.barrier()
    if (space === 'shared') {
      b.if(
        isFirst,
        () => {
          b.store(cells, cell, b.load(memory, cell))
          return []
        },
        () => [],
      )
    }
  })
  // Whole numbers: their sums are exact in any order.
  const whole =
    dtype === 'i64'
      ? [1n, 2n, 3n]
      : dtype === 'f16'
        ? [0x3c00, 0x4000]
        : dtype === 'bf16'
          ? [0x3f80, 0x4000]
          : [1, 2, 3]
  const x = zeros(dtype, 64)
  for (let i = 0; i < 64; i++) x[i] = whole[i % whole.length]! as never
  return { program, args: [x, zeros(dtype, 4), zeros(dtype, 64)] }
}

describe('atomics', () => {
  const cases = codeDtypes.flatMap(dtype =>
    (['add', 'min', 'max', 'exchange'] as const)
      // bool sums are sums of nothing but ones and zeros that saturate.
      .flatMap(fn => [atomicCase(dtype, fn, 'global'), atomicCase(dtype, fn, 'shared')]),
  )
  both('every dtype, op and memory', cases)
})

/** Copies of 4, 8 and 16 bytes, whole and cut short, through shared memory. */
function copyCase(lanes: number, counted: boolean): Case {
  const block = { threads: 32, sharedBytes: 32 * lanes * 4 }
  const types = { x: pointer('f32'), out: pointer('f32'), n: value('i32') }
  const program = blockProgram(`copy_${lanes}_${counted}`, block, types, (b, g, { x, out, n }) => {
    const staged = g.shared('f32', 32 * lanes, 0, 'staged')
    const at = b.map('mul', g.threadId(), g.i32(lanes))
    g.asyncCopy(staged, at, x, at, lanes, counted ? b.map('sub', n, at) : undefined)
    g.asyncCommit()
    g.asyncWait(0)
    g.barrier()
    const turned = b.map('sub', g.i32(31 * lanes), at)
    b.store(out, at, b.load(staged, turned, lanes))
  })
  const x = Float32Array.from({ length: 32 * lanes }, (_, i) => i + 1)
  return { program, args: [x, new Float32Array(32 * lanes), 50n] }
}

describe('asynchronous copies', () => {
  both(
    'of every size',
    [1, 2, 4].flatMap(lanes => [copyCase(lanes, false), copyCase(lanes, true)]),
  )
})

/** 16×K · K×8 from shared memory by loadMatrix, or straight from memory for dtypes that it does not load. */
function matrixCase(dtype: 'f16' | 'bf16' | 'i8' | 'u8' | 'f32' | 'f64'): Case {
  const depth = dtype === 'f64' ? 4 : dtype === 'f32' ? 8 : dtype === 'f16' || dtype === 'bf16' ? 16 : 32
  const lanesA = depth / 2
  const wide = dtype === 'i8' || dtype === 'u8' ? 'i32' : dtype === 'f64' ? 'f64' : 'f32'
  const block = { threads: 32, sharedBytes: 0 }
  const types = { a: pointer(dtype), b: pointer(dtype), c: pointer(wide) }
  const program = blockProgram(`mma_${dtype}`, block, types, (k, g, { a, b, c }) => {
    const thread = g.threadId()
    const left = k.load(a, k.map('mul', thread, g.i32(lanesA)), lanesA)
    const right = k.load(b, k.map('mul', thread, g.i32(lanesA / 2)), lanesA / 2)
    const at = k.map('mul', thread, g.i32(4))
    k.store(c, at, g.mma(left, right, k.load(c, at, 4)))
  })
  const count = 32 * lanesA
  const half = { f16: 0x3c00, bf16: 0x3f80 } as const
  const fill = (length: number, seed: number): TestArgument => {
    const array = zeros(dtype, length)
    for (let i = 0; i < length; i++) {
      const small = ((i * seed) % 7) - 3
      array[i] = (
        dtype === 'f16' || dtype === 'bf16' ? (small > 0 ? half[dtype] : small < 0 ? half[dtype] | 0x8000 : 0) : small
      ) as never
    }
    return array
  }
  return { program, args: [fill(count, 3), fill(count / 2, 5), spread(wide, 128, 1).fill(2 as never)] }
}

describe('matrix instructions', () => {
  both('every operand dtype', (['f64', 'f32', 'f16', 'bf16', 'i8', 'u8'] as const).map(matrixCase))
})
