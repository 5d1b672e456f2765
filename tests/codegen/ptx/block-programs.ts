/** Lane programs for blocks of threads, by hand. */
import { type LaneNode, type LaneOps, type LaneProgram, valueType } from '../../../src/lane/ir.js'
import type { SharedMatrix } from '../../../src/lane/shared-matrix.js'
import type { Dtype } from '../../../src/types/dtype.js'
import { type ArgTypes, type LaneBuilder, laneProgram } from '../../lane/build.js'

/** The ops that only blocks of threads have. */
export class BlockBuilder {
  constructor(readonly b: LaneBuilder) {}

  threadId(): LaneNode {
    return this.b.builder.node('threadId', [], {})
  }
  i32(value: number): LaneNode {
    return this.b.const('i32', value)
  }
  shared(dtype: Dtype, count: number, offset: number, name: string): LaneNode {
    return this.b.builder.node('shared', [], { dtype, count, offset, name })
  }
  barrier(scope: 'block' | 'warp' = 'block'): void {
    this.b.builder.node('barrier', [], { scope })
  }
  fence(): void {
    this.b.builder.node('fence', [], {})
  }
  shuffle(mode: LaneOps['shuffle']['mode'], value: LaneNode, amount: LaneNode): LaneNode {
    return this.b.builder.node('shuffle', [value, amount], { mode })
  }
  mma(a: LaneNode, b: LaneNode, c: LaneNode): LaneNode {
    return this.b.builder.node('mma', [a, b, c], {})
  }
  loadMatrix(pointer: LaneNode, index: LaneNode, count: 1 | 2 | 4, transpose = false): LaneNode {
    return this.b.builder.node('loadMatrix', [pointer, index], { count, transpose })
  }
  asyncCopy(to: LaneNode, toIndex: LaneNode, from: LaneNode, index: LaneNode, lanes: number, count?: LaneNode): void {
    const inputs = [to, toIndex, from, index]
    this.b.builder.node('asyncCopy', count === undefined ? inputs : [...inputs, count], { lanes })
  }
  asyncCommit(): void {
    this.b.builder.node('asyncCommit', [], {})
  }
  asyncWait(pending: number): void {
    this.b.builder.node('asyncWait', [], { pending })
  }
  proxyFence(): void {
    this.b.builder.node('proxyFence', [], {})
  }
  /** The accumulator in registers of its own, and left operands in theirs. */
  wgmmaFence(acc: LaneNode, left: readonly LaneNode[] = []): LaneNode {
    const { dtype, lanes } = valueType(acc)
    if (dtype !== 'f32' && dtype !== 'i32') throw new Error(`no accumulators of ${dtype}`)
    return this.b.builder.node('wgmmaFence', [acc, ...left], { dtype, lanes, fresh: false })
  }
  wgmma(
    acc: LaneNode,
    right: LaneNode,
    index: LaneNode,
    b: SharedMatrix,
    left:
      | { readonly registers: LaneNode }
      | { readonly pointer: LaneNode; readonly index: LaneNode; readonly matrix: SharedMatrix },
  ): LaneNode {
    const inRegisters = 'registers' in left
    const inputs = inRegisters ? [left.registers] : [left.pointer, left.index]
    const attrs = { a: inRegisters ? null : left.matrix, b, add: true }
    return this.b.builder.node('wgmma', [acc, right, index, ...inputs], attrs)
  }
  wgmmaCommit(): void {
    this.b.builder.node('wgmmaCommit', [], {})
  }
  wgmmaWait(pending: number, acc?: LaneNode): LaneNode {
    return this.b.builder.node('wgmmaWait', acc === undefined ? [] : [acc], { pending })
  }
  slice(value: LaneNode, from: number, lanes: number): LaneNode {
    return this.b.builder.node('slice', [value], { from, lanes })
  }
  concat(...values: LaneNode[]): LaneNode {
    return this.b.builder.node('concat', values, {})
  }
}

export function blockProgram<A extends ArgTypes>(
  name: string,
  block: { readonly threads: number; readonly sharedBytes: number },
  types: A,
  build: (b: LaneBuilder, g: BlockBuilder, args: { readonly [Name in keyof A]: LaneNode }) => void,
  comment: readonly string[] = [],
): LaneProgram {
  const program = laneProgram(name, types, (b, args) => build(b, new BlockBuilder(b), args))
  return { ...program, block, comment }
}
