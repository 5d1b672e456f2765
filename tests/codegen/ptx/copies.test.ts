/** Copies in loops: predicated rather than branched around, from addresses that step from round to round. */
import { describe, expect, it } from 'vitest'
import { emitPtx } from '../../../src/codegen/ptx/emit.js'
import type { LaneNode, LaneProgram } from '../../../src/lane/ir.js'
import { cudaArchs, genericCudaTarget } from '../../../src/target/cuda.js'
import { pointer, value } from '../../lane/build.js'
import { assemble, noAssembler } from './assemble.js'
import { type BlockBuilder, blockProgram } from './block-programs.js'
import { machineDifferences } from './machine-compare.js'

const target = genericCudaTarget(cudaArchs.sm_90a)
const [threads, lanes, rounds] = [128, 4, 5]

interface Loop {
  readonly dtype: 'i32' | 'i64'
  readonly from: 'constant' | 'argument'
  readonly step: number
  /** The element of x that a thread copies from, of the round's counter and the thread's number. */
  readonly index: (b: BlockBuilder['b'], counter: LaneNode, thread: LaneNode) => LaneNode
}

/** In each round a thread copies four elements of x, if the round is not the last, and adds them to its own of y. */
function loopOf({ dtype, from, step, index }: Loop): LaneProgram {
  const block = { threads, sharedBytes: threads * lanes * 4 }
  const types = { x: pointer('f32'), y: pointer('f32'), from: value(dtype) }
  return blockProgram('copies', block, types, (b, g, { x, y, from: given }) => {
    const tile = g.shared('f32', threads * lanes, 0, 'tile')
    const thread = g.threadId()
    const start = from === 'constant' ? b.const(dtype, 3) : given
    const end = b.map('add', start, b.const(dtype, rounds * step))
    const own = b.map('mul', thread, g.i32(lanes))
    b.store(tile, own, b.const('f32', 0, lanes))
    const [sums] = b.for([start, end, b.const(dtype, step)], [b.const('f32', 0, lanes)], (counter, [sums]) => {
      const later = b.map('lt', counter, b.map('sub', end, b.const(dtype, step)))
      b.if(
        later,
        () => {
          const isEven = b.map('eq', b.map('and', thread, g.i32(1)), g.i32(0))
          const at = index(b, counter, thread)
          g.asyncCopy(tile, own, x, at, 2)
          const further = b.map('add', at, b.const(at.type.kind === 'value' ? (at.type.dtype as 'i32') : 'i32', 2))
          b.if(
            isEven,
            () => {
              g.asyncCopy(tile, b.map('add', own, g.i32(2)), x, further, 2)
              return []
            },
            () => [],
          )
          return []
        },
        () => [],
      )
      g.asyncCommit()
      g.asyncWait(0)
      // As in loops of products that run on.
      g.wgmmaCommit()
      g.wgmmaWait(0)
      return [b.map('add', sums!, b.load(tile, own, lanes))]
    })
    b.store(y, own, sums!)
  })
}

const affine: Loop['index'] = (b, counter, thread) => {
  const { dtype } = counter.type as { dtype: 'i32' | 'i64' }
  const wide = dtype === 'i64' ? b.cast('i64', thread) : thread
  const own = b.map('sub', b.map('mul', wide, b.const(dtype, 8)), b.const(dtype, 2))
  return b.map('add', b.map('mul', b.const(dtype, 4), counter), own)
}
const narrowed: Loop['index'] = (b, counter, thread) =>
  b.map('add', b.cast('i32', b.map('mul', counter, b.const('i64', 6))), b.map('mul', thread, b.const('i32', 4)))
/** Plus the 128 threads before, of which there are none, times what no instruction takes as a 32-bit factor of bytes. */
const far: Loop['index'] = (b, counter, thread) => {
  const before = b.map('shr', thread, b.const('i32', 7))
  const huge = b.const('i32', 2 ** 30)
  const sum = b.map('mul', b.map('add', before, counter), huge)
  return b.map('add', affine(b, counter, thread), b.map('sub', sum, b.map('mul', counter, huge)))
}
const masked: Loop['index'] = (b, counter, thread) => {
  const turn = b.map('mul', b.map('and', counter, b.const('i32', 1)), b.const('i32', 2))
  return b.map('add', turn, b.map('mul', thread, b.const('i32', 4)))
}

const cases: readonly (Loop & { readonly name: string; readonly isStepped: boolean })[] = [
  { name: 'i32, a constant start', dtype: 'i32', from: 'constant', step: 1, index: affine, isStepped: true },
  { name: 'i64, any start', dtype: 'i64', from: 'argument', step: 2, index: affine, isStepped: true },
  { name: 'i32, any start', dtype: 'i32', from: 'argument', step: 3, index: affine, isStepped: true },
  {
    name: 'a counter in 64 bits, an index in 32',
    dtype: 'i64',
    from: 'argument',
    step: 2,
    index: narrowed,
    isStepped: true,
  },
  { name: 'bits of the counter', dtype: 'i32', from: 'argument', step: 1, index: masked, isStepped: false },
  { name: 'a factor beyond 32 bits', dtype: 'i32', from: 'argument', step: 1, index: far, isStepped: false },
]

describe('copies in a loop', () => {
  for (const { name, isStepped, ...loop } of cases)
    it(`of ${name}: the simulator's results`, () => {
      const program = loopOf(loop)
      const text = emitPtx([program], target)
      const x = Float32Array.from({ length: 2048 }, (_, i) => i)
      const args = [x, new Float32Array(threads * lanes), 5n] as Parameters<typeof machineDifferences>[2]
      expect(machineDifferences(program, text, args, [1, 1, 1]).slice(0, 3)).toEqual([])
      expect(/add\.s64 %x_next, %x_next, \d+;/.test(text), text).toBe(isStepped)
      // The loop's own branches are the only ones.
      expect(text.match(/ bra/g)?.length, text).toBeLessThanOrEqual(2)
      expect(text).toMatch(/@%\w+ cp\.async/)
      if (noAssembler === null) assemble(text, cudaArchs.sm_90a)
    })
})
