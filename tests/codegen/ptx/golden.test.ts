/** Whole kernels as people read them. `vitest -u` writes the files anew: look at the difference. */
import { describe, expect, it } from 'vitest'
import { emitPtx } from '../../../src/codegen/ptx/emit.js'
import type { LaneNode, LaneProgram } from '../../../src/lane/ir.js'
import { cudaArchs, genericCudaTarget } from '../../../src/target/cuda.js'
import { toBf16 } from '../../../src/types/float16.js'
import type { LaneBuilder } from '../../lane/build.js'
import { pointer, value } from '../../lane/build.js'
import type { TestArgument } from '../compare.js'
import { archs, assemble, noAssembler } from './assemble.js'
import { type BlockBuilder, blockProgram } from './block-programs.js'
import { machineDifferences } from './machine-compare.js'

const block = { threads: 128, sharedBytes: 0 }
const f32 = pointer('f32')

/** out = relu(x + y) · z, four at a time; the last block is partial. */
function addReluMul(): LaneProgram {
  const types = { x: f32, y: f32, z: f32, out: f32, n: value('i64') }
  const comment = ['add_relu_mul: add, relu, mul of f32[n]', 'model.ts:12', '512 elements a block']
  return blockProgram(
    'add_relu_mul',
    block,
    types,
    (b, g, { x, y, z, out, n }) => {
      const start = b.map('mul', b.cast('i32', b.programId()), g.i32(512))
      const at = b.map('add', start, b.map('mul', g.threadId(), g.i32(4)))
      const left = b.map('sub', n, b.cast('i64', at))
      const sum = b.map('add', b.load(x, at, 4, left), b.load(y, at, 4, left))
      const relu = b.map('max', sum, b.const('f32', 0, 4))
      b.store(out, at, b.map('mul', relu, b.load(z, at, 4, left)), left)
    },
    comment,
  )
}

/** The sum over each warp, in every thread of it. */
function warpSum(b: LaneBuilder, g: BlockBuilder, x: LaneNode): LaneNode {
  let sum = x
  for (const step of [16, 8, 4, 2, 1]) sum = b.map('add', sum, g.shuffle('xor', sum, g.i32(step)))
  return sum
}

/** One row of `columns` bf16 a block: a loop over vectors, a tree in each warp, one exchange in shared memory. */
function rowSum(): LaneProgram {
  const types = { x: pointer('bf16'), out: f32, columns: value('i32') }
  return blockProgram(
    'row_sum',
    { threads: 128, sharedBytes: 16 },
    types,
    (b, g, { x, out, columns }) => {
      const thread = g.threadId()
      const row = b.map('mul', b.cast('i32', b.programId()), columns)
      const first = b.map('mul', thread, g.i32(8))
      const counter = b.builder.node('param', [], { type: value('i32'), name: 'column' })
      const total = b.builder.node('param', [], { type: value('f32', 8), name: 'total' })
      const body = b.builder.block([counter, total], () => {
        const loaded = b.load(x, b.map('add', row, counter), 8)
        return [b.map('add', total, b.cast('f32', loaded))]
      })
      const inits = [first, columns, g.i32(1024), b.const('f32', 0, 8)]
      const loop = b.builder.node('for', inits, { unroll: false, comment: 'sum along the row' }, [body])
      const own = b.fold('add', b.builder.node('item', [loop], { index: 0 }))
      const partial = g.shared('f32', 4, 0, 'partial')
      const ofWarp = warpSum(b, g, own)
      const keep = (): LaneNode[] => {
        b.store(partial, b.map('shr', thread, g.i32(5)), ofWarp)
        return []
      }
      b.if(b.map('eq', b.map('and', thread, g.i32(31)), g.i32(0)), keep, () => [])
      g.barrier()
      const sum = b.fold('add', b.load(partial, g.i32(0), 4))
      const store = (): LaneNode[] => {
        b.store(out, b.programId(), sum)
        return []
      }
      b.if(b.map('eq', thread, g.i32(0)), store, () => [])
    },
    ['row_sum: sum of bf16[rows, columns] along rows', 'model.ts:30'],
  )
}

/** c[16, 8] = a[16, depth] · b[depth, 8] of bf16, by one warp, operands copied to shared memory in steps of 16. */
function smallMatmul(): LaneProgram {
  const types = { a: pointer('bf16'), b: pointer('bf16'), c: f32, depth: value('i32') }
  return blockProgram(
    'small_matmul',
    { threads: 32, sharedBytes: 768 },
    types,
    (k, g, { a, b, c, depth }) => {
      const thread = g.threadId()
      const [left, right] = [g.shared('bf16', 256, 0, 'left'), g.shared('bf16', 128, 512, 'right')]
      const row = k.map('shr', thread, g.i32(1))
      const half = k.map('mul', k.map('and', thread, g.i32(1)), g.i32(8))
      const step = k.builder.node('param', [], { type: value('i32'), name: 'step' })
      const acc = k.builder.node('param', [], { type: value('f32', 4), name: 'acc' })
      const body = k.builder.block([step, acc], () => {
        const fromA = k.map('add', k.map('mul', row, depth), k.map('add', half, step))
        g.asyncCopy(left, k.map('add', k.map('mul', row, g.i32(16)), half), a, fromA, 8)
        const at = k.map('mul', thread, g.i32(4))
        g.asyncCopy(right, at, b, k.map('add', k.map('mul', step, g.i32(8)), at), 4)
        g.asyncCommit()
        g.asyncWait(0)
        g.barrier()
        const place = k.map('and', thread, g.i32(15))
        const high = k.map('mul', k.map('shr', thread, g.i32(4)), g.i32(8))
        const fragmentA = g.loadMatrix(left, k.map('add', k.map('mul', place, g.i32(16)), high), 4)
        const fragmentB = g.loadMatrix(right, k.map('mul', place, g.i32(8)), 2, true)
        const next = g.mma(fragmentA, fragmentB, acc)
        g.barrier()
        return [next]
      })
      const inits = [g.i32(0), depth, g.i32(16), k.const('f32', 0, 4)]
      const loop = k.builder.node('for', inits, { unroll: false, comment: 'steps of 16 in depth' }, [body])
      const result = k.builder.node('item', [loop], { index: 0 })
      const to = k.map(
        'add',
        k.map('mul', k.map('shr', thread, g.i32(2)), g.i32(8)),
        k.map('mul', k.map('and', thread, g.i32(3)), g.i32(2)),
      )
      k.store(c, to, g.slice(result, 0, 2))
      k.store(c, k.map('add', to, g.i32(64)), g.slice(result, 2, 2))
    },
    ['small_matmul: matmul of bf16[16, depth] and bf16[depth, 8]', 'model.ts:41'],
  )
}

/** A function on each element. */
function pointwise(fn: 'exp' | 'sigmoid' | 'tanh' | 'erf' | 'sin'): LaneProgram {
  return blockProgram(
    `${fn}_f32`,
    block,
    { x: f32, out: f32 },
    (b, g, { x, out }) => {
      const at = b.map('add', b.map('mul', b.cast('i32', b.programId()), g.i32(128)), g.threadId())
      b.store(out, at, b.map(fn, b.load(x, at)))
    },
    [`${fn} of f32`],
  )
}

interface Golden {
  readonly program: LaneProgram
  readonly args: readonly TestArgument[]
  readonly grid: number
}

const ramp = (count: number): Float32Array => Float32Array.from({ length: count }, (_, i) => ((i * 7) % 23) - 11)
const halves = (count: number): Uint16Array => Uint16Array.from({ length: count }, (_, i) => toBf16(((i * 5) % 9) - 4))

const goldens: readonly Golden[] = [
  { program: addReluMul(), args: [ramp(700), ramp(700), ramp(700), new Float32Array(700), 700n], grid: 2 },
  { program: rowSum(), args: [halves(6000), new Float32Array(2), 3000n], grid: 2 },
  { program: smallMatmul(), args: [halves(16 * 48), halves(48 * 8), new Float32Array(128), 48n], grid: 1 },
  ...(['exp', 'sigmoid', 'tanh', 'erf', 'sin'] as const).map(fn => ({
    program: pointwise(fn),
    args: [ramp(128), new Float32Array(128)],
    grid: 1,
  })),
]

describe('whole kernels', () => {
  const target = genericCudaTarget(cudaArchs.sm_80)
  for (const { program, args, grid } of goldens) {
    it(`${program.name}.ptx`, async () => {
      const text = emitPtx([program], target)
      await expect(text).toMatchFileSnapshot(`golden/${program.name}.ptx`)
      expect(machineDifferences(program, text, args, [grid, 1, 1], {}, 1e-6)).toEqual([])
    })
  }
  it('need few instructions for the functions that are frequent in memory-bound kernels', () => {
    const most = { exp: 9, sigmoid: 14, tanh: 16, erf: 22 }
    const counts = Object.fromEntries(
      Object.keys(most).map(fn => {
        const text = emitPtx([pointwise(fn as keyof typeof most)], target)
        const body = text.slice(text.indexOf('ld.global'), text.indexOf('st.global'))
        // All but the load and the address of the store.
        return [fn, body.match(/;/g)!.length - 2]
      }),
    )
    for (const [fn, limit] of Object.entries(most)) expect(counts[fn], fn).toBeLessThanOrEqual(limit)
  })

  it.skipIf(noAssembler !== null)('assemble without a spill for every target', () => {
    for (const arch of archs) {
      const programs = goldens.map(({ program }) => program)
      const messages = assemble(emitPtx(programs, genericCudaTarget(arch)), arch)
      expect(messages).toContain('0 bytes spill stores')
      expect(messages.match(/[1-9]\d* bytes spill/g)).toBeNull()
    }
  })
})
