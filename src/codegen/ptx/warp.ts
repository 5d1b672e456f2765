/** Warp- and block-level operations: barriers, shuffles, matrix instructions and the loads that feed them. */
import { type LaneNode, pointerType, type ValueType, valueType } from '../../lane/ir.js'
import { type Dtype, isFloat8 } from '../../types/dtype.js'
import { minifloatOf } from '../../types/minifloat.js'
import { type Addresses, addressText } from './address.js'
import type { Code, Held } from './code.js'
import type { NodeOfOp } from './memory.js'
import { isPackable, kindOf } from './types.js'
import { inRegister, type Values } from './values.js'

export function barrier(code: Code, scope: 'block' | 'warp'): void {
  if (scope === 'block') code.op('bar.sync', '0')
  else code.op('bar.warp.sync', '0xffffffff')
}

const shuffleModes = {
  xor: { name: 'bfly', clamp: '31' },
  up: { name: 'up', clamp: '0' },
  down: { name: 'down', clamp: '31' },
  index: { name: 'idx', clamp: '31' },
} as const

/** Warp shuffle. For amounts of 32 and more, which name no lane of the warp, the hardware would use the low bits. */
export function shuffle(code: Code, values: Values, node: NodeOfOp<'shuffle'>, hint: string): Held {
  const [shuffled, by] = node.inputs as [LaneNode, LaneNode]
  const type = valueType(shuffled)
  const amount = values.element(by)
  const inside = mayLeaveWarp(by) ? code.temporary('pred') : null
  if (inside !== null) code.op('setp.lt.u32', inside, inRegister(code, 'i32', amount), '32')
  const move = (from: string, to: string): void => {
    const { name, clamp } = shuffleModes[node.attrs.mode]
    const got = inside === null ? to : code.temporary('b32')
    code.op(`shfl.sync.${name}.b32`, got, from, amount, clamp, '0xffffffff')
    if (inside !== null) code.op('selp.b32', to, got, from, inside)
  }
  if (isPackable(type)) {
    const words = values.words(shuffled).map(word => inRegister(code, 'i32', word))
    const moved = code.registers.many('b32', hint, words.length)
    words.forEach((word, i) => {
      move(word, moved[i]!)
    })
    return { words: moved }
  }
  const moved = code.registers.many(kindOf(type.dtype), hint, type.lanes)
  values.elements(shuffled).forEach((element, lane) => {
    shuffleElement(code, type, inRegister(code, type.dtype, element), moved[lane]!, move)
  })
  return { elements: moved }
}

/** The lanes that agree in each bit, by one vote per bit. */
export function match(code: Code, values: Values, node: NodeOfOp<'match'>, hint: string): Held {
  const value = inRegister(code, 'i32', values.element(node.inputs[0]!))
  const word = (): string => code.temporary('b32')
  let same: string | null = null
  for (let bit = 0; bit < node.attrs.bits; bit++) {
    const [own, isSet, votes, agree] = [word(), code.temporary('pred'), word(), word()]
    code.op('and.b32', own, value, String(1 << bit))
    code.op('setp.ne.b32', isSet, own, '0')
    code.op('vote.sync.ballot.b32', votes, isSet, '0xffffffff')
    const others = word()
    code.op('not.b32', others, votes)
    code.op('selp.b32', agree, votes, others, isSet)
    if (same === null) same = agree
    else {
      const both = word()
      code.op('and.b32', both, same, agree)
      same = both
    }
  }
  const [below, before, above, after, isLast, result] = [word(), word(), word(), word(), code.temporary('pred'), word()]
  code.op('mov.u32', below, '%lanemask_lt')
  code.op('and.b32', below, below, same!)
  code.op('popc.b32', before, below)
  code.op('mov.u32', above, '%lanemask_gt')
  code.op('and.b32', after, above, same!)
  code.op('setp.eq.b32', isLast, after, '0')
  const [marked] = code.registers.many('b32', hint, 1) as [string]
  code.op('or.b32', result, before, '32')
  code.op('selp.b32', marked, result, before, isLast)
  return { elements: [marked] }
}

function mayLeaveWarp(amount: LaneNode): boolean {
  if (amount.op === 'const') return Number(amount.attrs.value) < 0 || Number(amount.attrs.value) > 31
  if (amount.op !== 'map' || amount.attrs.fn !== 'and') return true
  return amount.inputs.every(input => input.op !== 'const' || mayLeaveWarp(input))
}

/** Shuffles move 32 bits: wider elements are split into halves, narrower ones extended. */
function shuffleElement(
  code: Code,
  { dtype }: ValueType,
  from: string,
  to: string,
  move: (from: string, to: string) => void,
): void {
  const kind = kindOf(dtype)
  if (kind === 'b32') {
    move(from, to)
    return
  }
  if (kind === 'b64') {
    const halves = Array.from({ length: 4 }, () => code.temporary('b32')) as [string, string, string, string]
    code.op('mov.b64', `{${halves[0]}, ${halves[1]}}`, from)
    move(halves[0], halves[2])
    move(halves[1], halves[3])
    code.op('mov.b64', to, `{${halves[2]}, ${halves[3]}}`)
    return
  }
  const [wide, moved] = [code.temporary('b32'), code.temporary('b32')]
  if (kind === 'pred') code.op('selp.b32', wide, '1', '0', from)
  else code.op('cvt.u32.u16', wide, from)
  move(wide, moved)
  if (kind === 'pred') code.op('setp.ne.b32', to, moved, '0')
  else code.op('cvt.u16.u32', to, moved)
}

/** The lowest compute capability with f64 instructions of sixteen rows. */
const tallF64 = 90

interface MatrixForm {
  /** Shape, and the types of d, a, b and c. */
  readonly name: string
  readonly version: number
}

const matrixForms: Partial<Record<Dtype, MatrixForm>> = {
  f64: { name: 'm16n8k4.row.col.f64.f64.f64.f64', version: 78 },
  f32: { name: 'm16n8k8.row.col.f32.tf32.tf32.f32', version: 70 },
  f16: { name: 'm16n8k16.row.col.f32.f16.f16.f32', version: 70 },
  bf16: { name: 'm16n8k16.row.col.f32.bf16.bf16.f32', version: 70 },
  i8: { name: 'm16n8k32.row.col.s32.s8.s8.s32', version: 70 },
  u8: { name: 'm16n8k32.row.col.s32.u8.u8.s32', version: 70 },
}

function matrixForm(a: Dtype, b: Dtype): MatrixForm {
  if (!isFloat8(a) || !isFloat8(b)) return matrixForms[a]!
  return { name: `m16n8k32.row.col.f32.${minifloatOf(a)}.${minifloatOf(b)}.f32`, version: 84 }
}

/**
 * Emits a·b + c into `dest`, which may be c's registers. f64 takes two instructions of eight rows where the target has none
 * of sixteen.
 */
export function mma(code: Code, values: Values, node: NodeOfOp<'mma'>, dest: readonly string[]): void {
  const [a, b, c] = node.inputs as [LaneNode, LaneNode, LaneNode]
  const { name, version } = matrixForm(valueType(a).dtype, valueType(b).dtype)
  const braced = (registers: readonly string[]): string => `{${registers.join(', ')}}`
  const [left, right] = [a, b].map(operand => fragment(code, values, operand)) as [string[], string[]]
  const sums = values.elements(c).map(sum => inRegister(code, valueType(c).dtype, sum))
  if (valueType(a).dtype === 'f64' && code.arch.capability < tallF64) {
    code.needs(70)
    for (const half of [0, 1]) {
      const pair = (registers: readonly string[]): string => braced(registers.slice(2 * half, 2 * half + 2))
      const eight = name.replace('m16', 'm8')
      code.op(`mma.sync.aligned.${eight}`, pair(dest), braced([left[half]!]), braced(right), pair(sums))
    }
    return
  }
  code.needs(version)
  code.op(`mma.sync.aligned.${name}`, braced(dest), braced(left), braced(right), braced(sums))
}

/** An operand's fragment registers; f32 is rounded to tf32. */
function fragment(code: Code, values: Values, node: LaneNode): string[] {
  const { dtype } = valueType(node)
  if (dtype === 'f64') return values.elements(node).map(element => inRegister(code, dtype, element))
  if (dtype !== 'f32') return values.words(node).map(word => inRegister(code, 'i32', word))
  return values.elements(node).map(element => {
    const rounded = code.temporary('b32')
    code.op('cvt.rna.tf32.f32', rounded, inRegister(code, 'f32', element))
    return rounded
  })
}

export function loadMatrix(code: Code, addresses: Addresses, node: NodeOfOp<'loadMatrix'>, hint: string): Held {
  const [pointer, index] = node.inputs as [LaneNode, LaneNode]
  const { count, transpose } = node.attrs
  const words = code.registers.many('b32', hint, count)
  const name = `ldmatrix.sync.aligned.m8n8.x${count}${transpose ? '.trans' : ''}.shared.b16`
  code.op(name, `{${words.join(', ')}}`, addressText(addresses.of(pointer, index)))
  return { words }
}

const approximations: Record<NodeOfOp<'approximate'>['attrs']['fn'], string> = {
  exp2: 'ex2.approx.ftz.f32',
  log2: 'lg2.approx.ftz.f32',
  reciprocal: 'rcp.approx.ftz.f32',
  rsqrt: 'rsqrt.approx.ftz.f32',
  sin: 'sin.approx.ftz.f32',
  cos: 'cos.approx.ftz.f32',
  tanh: 'tanh.approx.f32',
}
export const approximation = (fn: NodeOfOp<'approximate'>['attrs']['fn'], dtype: Dtype): string =>
  dtype === 'f64' ? 'rcp.approx.ftz.f64' : approximations[fn]

/** The name of the memory that a pointer points to, for register names. */
export const memoryName = (pointer: LaneNode): string =>
  pointer.op === 'arg' || pointer.op === 'shared' || pointer.op === 'alloc'
    ? pointer.attrs.name
    : pointerType(pointer).space
