/** What the lowering must not lose: wide accesses, no exchanges where none are needed, matrix instructions, few barriers. */
import { describe, expect, it } from 'vitest'
import { nodesOf } from '../../../src/ir/walk.js'
import { type LaneNode, type LaneProgram, valueType } from '../../../src/lane/ir.js'
import { simulateBlocks } from '../../../src/lane/simulate-block.js'
import { lowerSimt } from '../../../src/lower/simt/lower.js'
import { argumentsOf } from '../../../src/tile/abi.js'
import type { InterpreterArgument, ViewMemory } from '../../../src/tile/interpret.js'
import type { TileProgram } from '../../../src/tile/ir.js'
import { type BodyParams, buildKernel, type ParamSpecs, view } from '../../../src/tile/kernel.js'
import type { TileBuilder } from '../../../src/tile/language.js'
import { bf16, f32, i64 } from '../../../src/types/dtype.js'
import { toBf16 } from '../../../src/types/float16.js'
import { floats, zeros } from '../../tile/support.js'
import { laneArguments } from '../arguments.js'
import { checkBlocks, target } from '../blocks.js'
import { over, staticDims } from '../support.js'

/** A program whose views are known, and its arguments. */
function kernel<P extends ParamSpecs>(
  params: P,
  views: Readonly<Record<keyof P & string, ViewMemory>>,
  body: (t: TileBuilder, params: BodyParams<P>) => void,
): { program: TileProgram; args: InterpreterArgument[] } {
  const dims = Object.fromEntries(Object.entries<ViewMemory>(views).map(([name, given]) => [name, staticDims(given)]))
  const program = buildKernel({ name: 'kernel', params, grid: () => [1], body }, {}, dims as never)
  return { program, args: Object.keys(params).map(name => views[name as keyof P & string]) }
}

const lower = (program: TileProgram): LaneProgram =>
  lowerSimt(program, target, { divisors: argumentsOf(program.params).map(() => 16), indices: 'i32' })
const nodes = (lowered: LaneProgram): LaneNode[] => [...nodesOf(lowered.body)]
const count = (lowered: LaneProgram, op: LaneNode['op']): number => nodes(lowered).filter(node => node.op === op).length
const traffic = ({ program, args }: { program: TileProgram; args: InterpreterArgument[] }) =>
  simulateBlocks(lower(program), laneArguments(program, args), [1, 1, 1], { races: false })

const halves = (size: number, seed: number): Uint16Array => Uint16Array.from(floats(size, seed), toBf16)
const accesses = (lowered: LaneProgram, op: 'load' | 'store'): number[] =>
  nodes(lowered)
    .filter(node => node.op === op && node.inputs[0]!.op === 'arg')
    .map(node => valueType(op === 'load' ? node : node.inputs[2]!).lanes)

describe('lowered for blocks of threads', () => {
  it('a softmax reads and writes 16 bytes at a time and exchanges two numbers per warp', () => {
    const columns = 4096
    const made = kernel(
      { x: view(bf16, 2), out: view(bf16, 2) },
      { x: over(halves(columns, 1), [1, columns]), out: over(halves(columns, 2), [1, columns]) },
      (t, { x, out }) => {
        const values = t.load(x, [t.programId(0), 0], [1, columns]).to('f32')
        const shifted = values.sub(values.amax(1, { keepdim: true })).exp()
        t.store(out, [t.programId(0), 0], shifted.div(shifted.sum(1, { keepdim: true })).to('bf16'))
      },
    )
    const lowered = lower(made.program)
    expect(accesses(lowered, 'load')).toEqual([8, 8])
    expect(accesses(lowered, 'store')).toEqual([8, 8])
    expect(count(lowered, 'barrier')).toBe(2)
    expect(lowered.block!.sharedBytes).toBeLessThan(256)
    const { global } = traffic(made)
    expect(global.cost).toBe(global.ideal)
  })

  it('reductions of rows within one warp need no shared memory', () => {
    const made = kernel(
      { x: view(f32, 2), out: view(f32, 1) },
      { x: over(floats(16 * 64), [16, 64]), out: over(zeros(16), [16]) },
      (t, { x, out }) => t.store(out, [0], t.load(x, [0, 0], [16, 64]).sum(1)),
    )
    expect(lower(made.program).block!.sharedBytes).toBe(0)
  })

  it('normalised rows keep their weights in registers beside them', () => {
    const made = kernel(
      { x: view(f32, 2), weight: view(f32, 1), out: view(f32, 2) },
      {
        x: over(floats(4 * 1024), [4, 1024]),
        weight: over(floats(1024), [1024]),
        out: over(zeros(4 * 1024), [4, 1024]),
      },
      (t, { x, weight, out }) => {
        const values = t.load(x, [0, 0], [4, 1024])
        const centred = values.sub(values.sum(1, { keepdim: true }).div(1024))
        const scale = centred.mul(centred).sum(1, { keepdim: true }).div(1024).rsqrt()
        t.store(out, [0, 0], centred.mul(scale).mul(t.load(weight, [0], [1024])))
      },
    )
    const lowered = lower(made.program)
    expect(new Set([...accesses(lowered, 'load'), ...accesses(lowered, 'store')])).toEqual(new Set([4]))
    expect(lowered.block!.sharedBytes).toBeLessThan(512)
    const { global } = traffic(made)
    expect(global.cost).toBe(global.ideal)
  })

  it('rows that a loop prefetches one iteration ahead stay in the layout of their load', () => {
    const [rows, columns] = [6, 2048]
    const made = kernel(
      { x: view(bf16, 2), weight: view(bf16, 1), out: view(bf16, 2) },
      {
        x: over(halves(rows * columns, 1), [rows, columns]),
        weight: over(halves(columns, 2), [columns]),
        out: over(halves(rows * columns, 3), [rows, columns]),
      },
      (t, { x, weight, out }) => {
        const scales = t.load(weight, [0], [columns]).to('f32')
        t.range(0, rows, 2, { row: t.load(x, [0, 0], [1, columns]) }, (i, { row }) => {
          const next = t.load(x, [i.add(2), 0], [1, columns])
          const values = row.to('f32')
          const centred = values.sub(values.sum(1, { keepdim: true }).div(columns))
          const scale = centred.mul(centred).sum(1, { keepdim: true }).div(columns).rsqrt()
          t.store(out, [i, 0], centred.mul(scale).mul(scales).to('bf16'))
          return { row: next }
        })
      },
    )
    const lowered = lower(made.program)
    expect(lowered.block!.sharedBytes).toBeLessThan(512)
    expect(new Set(accesses(lowered, 'load'))).toEqual(new Set([8]))
    checkBlocks(made.program, made.args, [1], { tolerance: 2 ** -7, variants: [{ warps: 4, known: true }] })
  })

  it('a transposed copy is coalesced on both sides and free of bank conflicts', () => {
    const made = kernel(
      { x: view(f32, 2), out: view(f32, 2) },
      { x: over(floats(64 * 64), [64, 64]), out: over(zeros(64 * 64), [64, 64]) },
      (t, { x, out }) => t.store(out, [0, 0], t.load(x, [0, 0], [64, 64]).transpose()),
    )
    const { global, shared } = traffic(made)
    expect(global.cost).toBe(global.ideal)
    expect(shared.cost).toBe(shared.ideal)
  })

  it('a matmul uses tensor cores, with operands prefetched by cp.async, without bank conflicts', () => {
    const size = 128
    for (const [turnA, turnB] of [
      [false, false],
      [true, true],
    ] as const) {
      const made = kernel(
        { a: view(bf16, 2), b: view(bf16, 2), c: view(bf16, 2) },
        {
          a: over(halves(size * size, 1), [size, size]),
          b: over(halves(size * size, 2), [size, size]),
          c: over(halves(size * size, 3), [size, size]),
        },
        (t, { a, b, c }) => {
          const { acc } = t.range(0, size, 32, { acc: t.zeros([size, size], 'f32') }, (k, { acc }) => {
            const left = turnA ? t.load(a, [k, 0], [32, size]).transpose() : t.load(a, [0, k], [size, 32])
            const right = turnB ? t.load(b, [0, k], [size, 32]).transpose() : t.load(b, [k, 0], [32, size])
            return { acc: t.dot(left.to('f32'), right.to('f32'), acc) }
          })
          t.store(c, [0, 0], acc.to('bf16'))
        },
      )
      const lowered = lower(made.program)
      for (const op of ['mma', 'loadMatrix', 'asyncCopy'] as const) expect(count(lowered, op), op).toBeGreaterThan(0)
      // One barrier per round, one around the exchange at the end.
      expect(count(lowered, 'barrier')).toBeLessThanOrEqual(3)
      const { global, shared } = traffic(made)
      expect(global.cost).toBe(global.ideal)
      expect(shared.cost).toBe(shared.ideal)
    }
  })

  it('transposed operands of a batched matmul are copied in their memory order', () => {
    const made = kernel(
      { a: view(bf16, 3), b: view(bf16, 3), c: view(f32, 2) },
      {
        a: over(halves(2 * 64 * 64, 1), [2, 64, 64]),
        b: over(halves(2 * 64 * 64, 2), [2, 64, 64], [4096, 1, 64]),
        c: over(zeros(64 * 64), [64, 64]),
      },
      (t, { a, b, c }) => {
        const { acc } = t.range(0, 64, 32, { acc: t.zeros([64, 64], 'f32') }, (k, { acc }) => {
          const left = t.load(a, [1, 0, k], [1, 64, 32]).reshape([64, 32])
          const right = t.load(b, [1, 0, k], [1, 64, 32]).transpose([0, 2, 1]).reshape([32, 64])
          return { acc: t.dot(left.to('f32'), right.to('f32'), acc) }
        })
        t.store(c, [0, 0], acc)
      },
    )
    expect(accesses(lower(made.program), 'load')).toEqual([])
    checkBlocks(made.program, made.args, [1], { tolerance: 1e-5, variants: [{ warps: 4, known: true }] })
  })

  it('an f32 matmul stays exact: multiply-adds, operands prefetched', () => {
    const size = 64
    const made = kernel(
      { a: view(f32, 2), b: view(f32, 2), c: view(f32, 2) },
      {
        a: over(floats(size * size, 1), [size, size]),
        b: over(floats(size * size, 2), [size, size]),
        c: over(zeros(size * size), [size, size]),
      },
      (t, { a, b, c }) => {
        const { acc } = t.range(0, size, 32, { acc: t.zeros([size, size], 'f32') }, (k, { acc }) => ({
          acc: t.dot(t.load(a, [0, k], [size, 32]), t.load(b, [k, 0], [32, size]), acc),
        }))
        t.store(c, [0, 0], acc)
      },
    )
    const lowered = lower(made.program)
    expect(count(lowered, 'mma')).toBe(0)
    expect(count(lowered, 'asyncCopy')).toBeGreaterThan(0)
    const { global, shared } = traffic(made)
    expect(global.cost).toBe(global.ideal)
    expect(shared.cost / shared.ideal).toBeLessThan(1.3)
  })

  it('attention passes its weights from one dot to the next in registers', () => {
    const [size, depth] = [128, 64]
    const rows = (seed: number): ViewMemory => over(halves(size * depth, seed), [size, depth])
    const made = kernel(
      { q: view(bf16, 2), k: view(bf16, 2), v: view(bf16, 2), out: view(f32, 2) },
      { q: rows(1), k: rows(2), v: rows(3), out: over(zeros(64 * depth), [64, depth]) },
      (t, { q, k, v, out }) => {
        const wanted = t.load(q, [0, 0], [64, depth]).to('f32')
        const { acc } = t.range(0, size, 64, { acc: t.zeros([64, depth], 'f32') }, (step, { acc }) => {
          const raw = t.dot(wanted, t.load(k, [step, 0], [64, depth]).to('f32').transpose())
          const weights = raw.sub(raw.amax(1, { keepdim: true })).exp2()
          return { acc: t.dot(weights.to('bf16').to('f32'), t.load(v, [step, 0], [64, depth]).to('f32'), acc) }
        })
        t.store(out, [0, 0], acc)
      },
    )
    const lowered = lower(made.program)
    const loop = nodes(lowered).find(node => node.op === 'for')!
    const inLoop = [...nodesOf(loop.blocks[0]!)]
    expect(inLoop.filter(node => node.op === 'store')).toEqual([])
    expect(inLoop.filter(node => node.op === 'barrier')).toHaveLength(1)
    expect(inLoop.filter(node => node.op === 'mma')).toHaveLength(64)
    const { global, shared } = traffic(made)
    expect(global.cost).toBe(global.ideal)
    expect(shared.cost).toBe(shared.ideal)
  })

  it('rows selected by index are read 16 bytes at a time', () => {
    const [rows, columns] = [32, 256]
    const index = over(
      BigInt64Array.from({ length: rows }, (_, i) => BigInt((i * 7) % 40) - 3n),
      [rows],
    )
    const made = kernel(
      { table: view(bf16, 2), index: view(i64, 1), out: view(bf16, 2) },
      {
        table: over(halves(30 * columns, 1), [30, columns]),
        index,
        out: over(halves(rows * columns, 2), [rows, columns]),
      },
      (t, { table, index, out }) => {
        const places = t.load(index, [0], [rows]).expandDims(1).broadcastTo([rows, columns])
        const across = t.iota(columns).broadcastTo([rows, columns])
        t.store(out, [0, 0], t.gather(table, [places, across], { mask: places.ne(4) }))
      },
    )
    expect(new Set(accesses(lower(made.program), 'store'))).toEqual(new Set([8]))
    expect(accesses(lower(made.program), 'load').filter(lanes => lanes === 8).length).toBeGreaterThan(0)
    expect(count(lower(made.program), 'gather')).toBe(0)
    checkBlocks(made.program, made.args, [1])
  })

  it('copies in place without a barrier', () => {
    const x = over(floats(1024), [1024])
    const made = kernel({ x: view(f32, 1), out: view(f32, 1) }, { x, out: { ...x } }, (t, { x, out }) =>
      t.store(out, [0], t.load(x, [0], [1024]).mul(2)),
    )
    expect(count(lower(made.program), 'barrier')).toBe(0)
  })
})
