/** Lane programs as lowering would make them, by hand: for golden text, whole-kernel tests and measurements. */
import type { LaneNode, LaneProgram } from '../../src/lane/ir.js'
import { laneProgram, pointer, value } from '../lane/build.js'

const lanes = 16

/** out = relu(x + y) * z over blocks of 256, the last one partial. */
export function addReluMul(block = 256): LaneProgram {
  const types = { x: pointer('f32'), y: pointer('f32'), z: pointer('f32'), out: pointer('f32'), n: value('i64') }
  return laneProgram('add_relu_mul', types, (b, { x, y, z, out, n }) => {
    const start = b.map('mul', b.programId(), b.index(block))
    const end = b.map('min', b.map('add', start, b.index(block)), n)
    const whole = b.map('sub', end, b.map('mod', b.map('sub', end, start), b.index(lanes)))
    const compute = (i: LaneNode, count?: LaneNode): void => {
      const sum = b.map('add', b.load(x, i, lanes, count), b.load(y, i, lanes, count))
      const relu = b.map('max', sum, b.const('f32', 0, lanes))
      b.store(out, i, b.map('mul', relu, b.load(z, i, lanes, count)), count)
    }
    const done: LaneNode[] = []
    b.for([start, whole, lanes], [], i => {
      compute(i)
      return done
    })
    const rest = (): LaneNode[] => {
      compute(whole, b.map('sub', end, whole))
      return done
    }
    b.if(b.map('lt', whole, end), rest, () => done)
  })
}

/** One row of n (at most 1,024) values a program: max, exp and sum, scale; exponentials stay in scratch. */
export function rowSoftmax(): LaneProgram {
  return laneProgram('row_softmax', { x: pointer('f32'), out: pointer('f32'), n: value('i64') }, (b, { x, out, n }) => {
    const row = b.map('mul', b.programId(), n)
    const exps = b.alloc('f32', 1024, 'exps')
    const lowest = b.const('f32', Number.NEGATIVE_INFINITY, lanes)
    const inside = (i: LaneNode): LaneNode =>
      b.map('lt', b.map('add', b.splat(i, lanes), b.iota('i64', lanes)), b.splat(n, lanes))
    const [largest] = b.for(
      [b.index(0), n, b.index(lanes)],
      [lowest],
      (i, [m]) => {
        const v = b.load(x, b.map('add', row, i), lanes, b.map('sub', n, i))
        return [b.map('max', m!, b.map('where', inside(i), v, lowest))]
      },
      { comment: 'row max', names: ['largest'] },
    )
    const top = b.splat(b.fold('max', largest!), lanes)
    const [sums] = b.for(
      [b.index(0), n, b.index(lanes)],
      [b.const('f32', 0, lanes)],
      (i, [s]) => {
        const e = b.map('exp', b.map('sub', b.load(x, b.map('add', row, i), lanes, b.map('sub', n, i)), top))
        b.store(exps, i, e)
        return [b.map('add', s!, b.map('where', inside(i), e, b.const('f32', 0, lanes)))]
      },
      { comment: 'row sum', names: ['sums'] },
    )
    const total = b.splat(b.fold('add', sums!), lanes)
    b.for(
      [b.index(0), n, b.index(lanes)],
      [],
      i => {
        b.store(out, b.map('add', row, i), b.map('div', b.load(exps, i, lanes), total), b.map('sub', n, i))
        return []
      },
      { comment: 'scale' },
    )
  })
}

/** acc[rows, vectors · 16] += a · b over `depth`, a packed [depth, rows], b packed [depth, vectors · 16]. */
export function microKernel(rows: number, vectors: number): LaneProgram {
  const types = { a: pointer('f32'), b: pointer('f32'), acc: pointer('f32'), depth: value('i64') }
  return laneProgram('micro_kernel', types, (k, { a, b, acc, depth }) => {
    const places = Array.from({ length: rows * vectors }, (_, i) => ({
      row: Math.floor(i / vectors),
      vector: i % vectors,
    }))
    const inits = places.map((_, i) => k.load(acc, k.index(i * lanes), lanes))
    const names = places.map(({ row, vector }) => `acc_${row}_${vector}`)
    const at = (base: LaneNode, offset: number): LaneNode => (offset === 0 ? base : k.map('add', base, k.index(offset)))
    const sums = k.for(
      [k.index(0), depth, k.index(1)],
      inits,
      (step, carried) => {
        const bRow = k.map('mul', step, k.index(vectors * lanes))
        const aRow = k.map('mul', step, k.index(rows))
        const bs = Array.from({ length: vectors }, (_, v) => k.load(b, at(bRow, v * lanes), lanes))
        const as = Array.from({ length: rows }, (_, r) => k.splat(k.load(a, at(aRow, r)), lanes))
        return places.map(({ row, vector }, i) => k.map('fma', as[row]!, bs[vector]!, carried[i]!))
      },
      { comment: 'depth', names },
    )
    sums.forEach((sum, i) => {
      k.store(acc, k.index(i * lanes), sum)
    })
  })
}
