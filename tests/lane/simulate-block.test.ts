/** Blocks of threads in the simulator: what they compute, what it costs, and what is refused. */
import { describe, expect, it } from 'vitest'
import { KernelError } from '../../src/base/errors.js'
import { type LaneNode, type LaneProgram, pointer } from '../../src/lane/ir.js'
import { simulateBlocks } from '../../src/lane/simulate-block.js'
import { fromF16, toF16 } from '../../src/types/float16.js'
import { LaneBuilder } from './build.js'

class BlockBuilder extends LaneBuilder {
  readonly threadId = this.builder.node('threadId', [], {})
  i32(value: number): LaneNode {
    return this.const('i32', value)
  }
  shared(dtype: 'f32' | 'f16', count: number, offset = 0): LaneNode {
    return this.builder.node('shared', [], { dtype, count, offset, name: 'tile' })
  }
  barrier(scope: 'block' | 'warp' = 'block'): void {
    this.builder.node('barrier', [], { scope })
  }
  shuffle(value: LaneNode, amount: number): LaneNode {
    return this.builder.node('shuffle', [value, this.i32(amount)], { mode: 'xor' })
  }
  pointer(index: number, name: string, dtype: 'f32' | 'f16'): LaneNode {
    return this.builder.node('arg', [], { index, name, type: pointer(dtype) })
  }
  block(args: readonly LaneNode[], threads: number, sharedBytes = 0): LaneProgram {
    return {
      name: 'kernel',
      args: args.map(arg => {
        if (arg.op !== 'arg') throw new Error('not an argument')
        return { name: arg.attrs.name, type: arg.attrs.type }
      }),
      body: this.builder.finish([], args),
      block: { threads, sharedBytes },
      comment: [],
    }
  }
}

const floats = (count: number, of: (i: number) => number = i => i) =>
  Float32Array.from({ length: count }, (_, i) => of(i))

describe('a block of threads', () => {
  it('sums over a warp by shuffles', () => {
    const b = new BlockBuilder()
    const [x, y] = [b.pointer(0, 'x', 'f32'), b.pointer(1, 'y', 'f32')]
    let sum = b.load(x, b.threadId)
    for (const distance of [16, 8, 4, 2, 1]) sum = b.map('add', sum, b.shuffle(sum, distance))
    b.store(y, b.threadId, sum)
    const out = new Float32Array(64)
    simulateBlocks(b.block([x, y], 64), [{ data: floats(64) }, { data: out }], [1, 1, 1])
    expect([...out]).toEqual([...new Array(32).fill(496), ...new Array(32).fill(496 + 32 * 32)])
  })

  it('transposes values through shared memory, counting sectors and bank conflicts', () => {
    const build = (stride: number): { program: LaneProgram } => {
      const b = new BlockBuilder()
      const [x, y] = [b.pointer(0, 'x', 'f32'), b.pointer(1, 'y', 'f32')]
      const tile = b.shared('f32', 32 * stride)
      b.store(tile, b.map('mul', b.threadId, b.i32(stride)), b.load(x, b.threadId))
      b.barrier()
      const other = b.map('sub', b.i32(31), b.threadId)
      b.store(y, b.threadId, b.load(tile, b.map('mul', other, b.i32(stride))))
      return { program: b.block([x, y], 32, 32 * stride * 4) }
    }
    const run = (stride: number) => {
      const out = new Float32Array(32)
      const traffic = simulateBlocks(build(stride).program, [{ data: floats(32) }, { data: out }], [1, 1, 1])
      expect([...out]).toEqual([...floats(32)].reverse())
      return traffic
    }
    expect(run(1)).toMatchObject({ barriers: 1, global: { cost: 8, ideal: 8 }, shared: { cost: 2, ideal: 2 } })
    expect(run(32).shared).toMatchObject({ cost: 64, ideal: 2 })
    expect(run(33).shared).toMatchObject({ cost: 2, ideal: 2 })
  })

  it('multiplies matrices of f16 with loadMatrix, asyncCopy and mma', () => {
    const b = new BlockBuilder()
    const [x, w, y] = [b.pointer(0, 'x', 'f16'), b.pointer(1, 'w', 'f16'), b.pointer(2, 'y', 'f32')]
    const [a, bt] = [b.shared('f16', 256), b.shared('f16', 128, 512)]
    const eights = b.map('mul', b.threadId, b.i32(8))
    b.builder.node('asyncCopy', [a, eights, x, eights], { lanes: 8 })
    const half = b.map('mul', b.threadId, b.i32(4))
    b.builder.node('asyncCopy', [bt, half, w, half], { lanes: 4 })
    b.builder.node('asyncCommit', [], {})
    b.builder.node('asyncWait', [], { pending: 0 })
    b.barrier()
    // Matrices of a: rows 0-7 and 8-15 of the left half, then of the right half.
    const row = b.map('and', b.threadId, b.i32(15))
    const right = b.map('mul', b.map('shr', b.threadId, b.i32(4)), b.i32(8))
    const aIndex = b.map('add', b.map('mul', row, b.i32(16)), right)
    const left = b.builder.node('loadMatrix', [a, aIndex], { count: 4, transpose: false })
    const bIndex = b.map('mul', row, b.i32(8))
    const factor = b.builder.node('loadMatrix', [bt, bIndex], { count: 2, transpose: true })
    const acc = b.builder.node('mma', [left, factor, b.const('f32', 0, 4)], {})
    const at = b.map(
      'add',
      b.map('mul', b.map('shr', b.threadId, b.i32(2)), b.i32(8)),
      b.map('mul', b.map('and', b.threadId, b.i32(3)), b.i32(2)),
    )
    b.store(y, at, b.builder.node('slice', [acc], { from: 0, lanes: 2 }))
    b.store(y, b.map('add', at, b.i32(64)), b.builder.node('slice', [acc], { from: 2, lanes: 2 }))
    const left16 = Uint16Array.from({ length: 256 }, (_, i) => toF16(((i * 7) % 13) - 6))
    const right16 = Uint16Array.from({ length: 128 }, (_, i) => toF16(((i * 5) % 11) - 5))
    const out = new Float32Array(128).fill(Number.NaN)
    simulateBlocks(b.block([x, w, y], 32, 768), [{ data: left16 }, { data: right16 }, { data: out }], [1, 1, 1])
    const expected = Array.from({ length: 128 }, (_, i) => {
      const [m, n] = [i >> 3, i & 7]
      return Array.from({ length: 16 }, (_, k) => fromF16(left16[m * 16 + k]!) * fromF16(right16[k * 8 + n]!)).reduce(
        (total, product) => total + product,
      )
    })
    expect([...out]).toEqual(expected)
  })

  it('takes both sides of a branch, and as many iterations of a loop as each thread needs', () => {
    const b = new BlockBuilder()
    const y = b.pointer(0, 'y', 'f32')
    const odd = b.map('eq', b.map('and', b.threadId, b.i32(1)), b.i32(1))
    const branch = b.builder.node('if', [odd], { comment: '' }, [
      b.builder.block([], () => [b.const('f32', 10)]),
      b.builder.block([], () => [b.const('f32', 20)]),
    ])
    const counter = b.builder.node('param', [], { type: { kind: 'value', dtype: 'i32', lanes: 1 }, name: 'i' })
    const sum = b.builder.node('param', [], { type: { kind: 'value', dtype: 'f32', lanes: 1 }, name: 'sum' })
    const first = b.builder.node('item', [branch], { index: 0 })
    const loop = b.builder.node('for', [b.i32(0), b.threadId, b.i32(1), first], { unroll: false, comment: '' }, [
      b.builder.block([counter, sum], () => [b.map('add', sum, b.const('f32', 1))]),
    ])
    b.store(y, b.threadId, b.builder.node('item', [loop], { index: 0 }))
    const out = new Float32Array(32)
    simulateBlocks(b.block([y], 32), [{ data: out }], [1, 1, 1])
    expect([...out]).toEqual(Array.from({ length: 32 }, (_, i) => (i % 2 === 1 ? 10 : 20) + i))
  })
})

describe('a block is rejected', () => {
  const launch = (build: (b: BlockBuilder, y: LaneNode) => void, threads = 64, blocks = 1) => {
    const b = new BlockBuilder()
    const y = b.pointer(0, 'y', 'f32')
    build(b, y)
    const program = b.block([y], threads, 1024)
    return () => simulateBlocks(program, [{ data: new Float32Array(64) }], [blocks, 1, 1])
  }

  it('that reads what another thread writes without a barrier', () => {
    const run = launch((b, y) => {
      const tile = b.shared('f32', 64)
      b.store(tile, b.threadId, b.const('f32', 1))
      b.store(y, b.threadId, b.load(tile, b.map('xor', b.threadId, b.i32(1))))
    })
    expect(run).toThrow(KernelError)
    expect(run).toThrow(
      "reads index 1 of 'tile', which thread 1 writes with no barrier in between (block 0, 0, 0, thread 0)",
    )
  })

  it('whose warp barrier does not cover another warp', () => {
    const exchange = (distance: number) =>
      launch((b, y) => {
        const tile = b.shared('f32', 64)
        b.store(tile, b.threadId, b.const('f32', 1))
        b.barrier('warp')
        b.store(y, b.threadId, b.load(tile, b.map('xor', b.threadId, b.i32(distance))))
      })
    expect(exchange(1)).not.toThrow()
    expect(exchange(32)).toThrow('with no barrier in between')
  })

  it('that writes what another still reads, or that two threads or two blocks write', () => {
    const overwrite = launch((b, y) => {
      const value = b.load(y, b.map('xor', b.threadId, b.i32(1)))
      b.store(y, b.threadId, value)
    })
    expect(overwrite).toThrow('which thread 1 reads with no barrier in between')
    const same = launch((b, y) => void b.store(y, b.map('shr', b.threadId, b.i32(1)), b.const('f32', 1)))
    expect(same).toThrow('which thread 0 writes with no barrier')
    const blocks = launch((b, y) => void b.store(y, b.threadId, b.const('f32', 1)), 64, 2)
    expect(blocks).toThrow('which block 0 writes in no defined order')
  })

  it('that reads shared memory before it is written, or during an async copy', () => {
    expect(launch((b, y) => void b.store(y, b.threadId, b.load(b.shared('f32', 64), b.threadId)))).toThrow(
      "index 0 of 'tile' is read before it is written",
    )
    const early = launch((b, y) => {
      const tile = b.shared('f32', 64)
      b.builder.node('asyncCopy', [tile, b.threadId, y, b.threadId], { lanes: 1 })
      b.builder.node('asyncCommit', [], {})
      b.store(y, b.threadId, b.load(tile, b.threadId))
    })
    expect(early).toThrow("index 0 of 'tile' is the target of an async copy in flight")
  })

  it('whose barrier is not reached by all threads, or whose shuffle is reached by part of a warp', () => {
    const divergent = (act: (b: BlockBuilder) => void) =>
      launch(b => {
        const some = b.map('lt', b.threadId, b.i32(40))
        b.builder.node('if', [some], { comment: '' }, [
          b.builder.block([], () => {
            act(b)
            return []
          }),
          b.builder.block([], () => []),
        ])
      })
    expect(divergent(b => b.barrier())).toThrow('reached by 40 of 64 threads')
    expect(divergent(b => b.shuffle(b.const('f32', 1), 1))).toThrow('reached by 8 of the 32 threads of warp 1')
  })

  it('that goes out of bounds, misaligned, or beyond its shared memory', () => {
    expect(launch((b, y) => void b.load(y, b.map('add', b.threadId, b.i32(1))))).toThrow('index 64')
    expect(launch((b, y) => void b.load(y, b.map('add', b.i32(1), b.map('mul', b.threadId, b.i32(0))), 4))).toThrow(
      "16 bytes at index 1 of 'y' are not aligned to 16",
    )
    expect(launch(b => void b.store(b.shared('f32', 300), b.threadId, b.const('f32', 0)))).toThrow('of 1024')
  })
})

describe('atomics', () => {
  it('of all threads and blocks add up, and do not race with each other', () => {
    const b = new BlockBuilder()
    const y = b.pointer(0, 'y', 'f32')
    b.builder.node('atomic', [y, b.i32(0), b.const('f32', 1)], { fn: 'add' })
    const out = new Float32Array(1)
    simulateBlocks(b.block([y], 64), [{ data: out }], [3, 1, 1])
    expect(out[0]).toBe(192)
  })
})
