/**
 * wgmma. 64-bit descriptors give operands in shared memory. The low word holds the start address, in units of 16 bytes, and
 * the stride between panels; the high word holds the stride between groups of rows, and the swizzle mode. Accumulators stay
 * in the registers that their fence assigned, through all instructions up to the wait.
 */
import { InternalError } from '../../base/errors.js'
import { type LaneNode, pointerType } from '../../lane/ir.js'
import { columnsOf, type SharedMatrix, warpgroupForm } from '../../lane/shared-matrix.js'
import type { Dtype } from '../../types/dtype.js'
import type { Address, Addresses } from './address.js'
import type { Code, Held } from './code.js'
import type { NodeOfOp } from './memory.js'
import { moveAll } from './moves.js'
import { kindOf } from './types.js'
import { inRegister, type Values } from './values.js'

/** `registers`: where the accumulator is carried, if its fence is in a loop. */
export function wgmmaFence(
  code: Code,
  values: Values,
  node: NodeOfOp<'wgmmaFence'>,
  registers: readonly string[] | null,
): Held {
  const { dtype, lanes, fresh } = node.attrs
  const kind = kindOf(dtype)
  const own = registers ?? code.registers.many(kind, 'acc', lanes)
  if (!fresh)
    moveAll(
      code,
      values.elements(node.inputs[0]!).map((from, i) => ({ to: own[i]!, from, kind })),
    )
  // The instructions' register operands must be ready before the fence.
  for (const left of node.inputs.slice(fresh ? 0 : 1)) values.words(left)
  code.bare('wgmma.fence.sync.aligned')
  return { elements: own }
}

/** Copies the left operand to the registers that wgmma reads; comes after the wait for the instructions that last read them. */
export function wgmmaHold(code: Code, values: Values, { inputs: [left] }: NodeOfOp<'wgmmaHold'>): Held {
  const from = values.words(left!)
  const words = code.registers.many('b32', 'left', from.length)
  for (const [i, word] of from.entries()) code.op('mov.b32', words[i]!, word)
  return { words }
}

export function wgmmaWait(code: Code, values: Values, node: NodeOfOp<'wgmmaWait'>): Held {
  code.op('wgmma.wait_group.sync.aligned', String(node.attrs.pending))
  const [acc] = node.inputs
  return acc === undefined ? {} : { elements: values.elements(acc) }
}

const operandTypes: Partial<Record<Dtype, string>> = {
  f32: 'tf32',
  f16: 'f16',
  bf16: 'bf16',
  i8: 's8',
  u8: 'u8',
  f8e4m3: 'e4m3',
  f8e5m2: 'e5m2',
}

/** Issues a wgmma; A is in registers or, like B, in shared memory. */
export function wgmma(code: Code, values: Values, addresses: Addresses, node: NodeOfOp<'wgmma'>): Held {
  const [acc, bPointer, bIndex, ...left] = node.inputs as [LaneNode, LaneNode, LaneNode, ...LaneNode[]]
  const { a, b, add, codes } = node.attrs
  const { dtype } = pointerType(bPointer)
  const [aType, bType] = [codes?.[0] ?? dtype, codes?.[1] ?? dtype].map(of => operandTypes[of]!) as [string, string]
  const form = warpgroupForm(codes?.[1] ?? dtype)!
  const sums = values.elements(acc)
  const rows =
    a === null
      ? `{${values
          .words(left[0]!)
          .map(word => inRegister(code, 'i32', word))
          .join(', ')}}`
      : descriptor(code, addresses.of(left[0]!, left[1]!), a)
  const columns = descriptor(code, addresses.of(bPointer, bIndex), b)
  const shape = `m64n${columnsOf(sums.length)}k${form.depth}`
  const isFloat = form.accumulator === 'f32'
  const name = `wgmma.mma_async.sync.aligned.${shape}.${isFloat ? 'f32' : 's32'}.${aType}.${bType}`
  const transposeBit = ({ major }: SharedMatrix): string => (major === 'mn' ? '1' : '0')
  const signs = isFloat ? ['1', '1'] : []
  const turns = dtype === 'f16' || dtype === 'bf16' ? [...(a === null ? [] : [transposeBit(a)]), transposeBit(b)] : []
  code.op(name, `{${sums.join(', ')}}`, rows, columns, always(code, add), ...signs, ...turns)
  return { elements: sums }
}

/** A constant predicate, set once per kernel. */
function always(code: Code, holds: boolean): string {
  return known(code, `always ${holds}`, () => {
    const predicate = code.temporary('pred')
    code.once(() => code.op('mov.pred', predicate, holds ? '1' : '0'))
    return predicate
  })
}

function known(code: Code, key: string, make: () => string): string {
  const [root] = code.frames as [Code['frames'][number]]
  const made = root.addresses.get(key) ?? make()
  root.addresses.set(key, made)
  return made
}

const unit = 16
const swizzles = { 128: 1, 64: 2, 32: 3 } as const
/** Mask of a shared-memory address in units of 16 bytes. */
const startMask = 0x3fff

/** The 64-bit matrix descriptor of an operand in shared memory (PTX ISA, wgmma). */
function descriptor(code: Code, { base, offset }: Address, matrix: SharedMatrix): string {
  if (offset % unit !== 0) throw new InternalError(`PTX: a matrix starts ${offset} bytes into shared memory`)
  // With rows along K, all are in one panel; the field is unused, and set to 16 bytes.
  const panels = matrix.major === 'mn' ? matrix.panelBytes / unit : 1
  const low = lowWord(code, base, panels)
  const start = code.temporary('b32')
  code.op('add.s32', start, low, String(offset / unit))
  const made = code.temporary('b64')
  const high = (matrix.groupBytes / unit) | (swizzles[matrix.swizzle] << 30)
  code.op('mov.b64', made, `{${start}, ${inRegister(code, 'i32', String(high))}}`)
  return made
}

/** The low word for the base of an address; constant offsets are added to it. */
function lowWord(code: Code, base: string, panels: number): string {
  const key = `descriptor ${base} ${panels}`
  for (const frame of code.frames) {
    const made = frame.addresses.get(key)
    if (made !== undefined) return made
  }
  const address = base === 'shared' ? code.temporary('b32') : base
  if (base === 'shared') code.op('mov.b32', address, base)
  const [units, low] = [code.temporary('b32'), code.temporary('b32')]
  code.op('bfe.u32', units, address, '4', String(32 - Math.clz32(startMask)))
  code.op('or.b32', low, units, String(panels << 16))
  code.frames.at(-1)!.addresses.set(key, low)
  return low
}
