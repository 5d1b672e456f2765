/** Instructions that the threads of a warp execute together, for machine.ts; fragments as the PTX manual lays them out. */
import { fromBf16, fromF16 } from '../../../src/types/float16.js'
import type { Instruction, Thread } from './machine.js'
import { bitsOfF32, bitsOfF64, f32Of, f64Of } from './machine-bits.js'
import type { Operand } from './machine-operand.js'
import { multiplyGroup } from './machine-warpgroup.js'

/** Where a thread waits for others. */
export interface Meeting {
  readonly scope: 'warp' | 'warpgroup' | 'block'
  readonly instruction: Instruction
}

export function meet(instruction: Instruction, threads: readonly Thread[]): void {
  const { name } = instruction
  if (name.startsWith('shfl')) shuffle(instruction, threads)
  else if (name.startsWith('wgmma')) multiplyGroup(instruction, threads)
  else if (name.startsWith('mma') && name.endsWith('f64')) multiplyF64(instruction, threads)
  else if (name.startsWith('mma')) multiply(instruction, threads)
  else if (name.startsWith('ldmatrix')) loadMatrices(instruction, threads)
}

/** The source lane by the manual's formulas; out of range means the own value. */
function shuffle({ name, operands }: Instruction, threads: readonly Thread[]): void {
  const [dest, source, by, clamp] = operands as readonly [Operand, Operand, Operand, Operand]
  const mode = name.split('.')[2]!
  const values = threads.map(thread => thread.read(source))
  threads.forEach((thread, lane) => {
    const [amount, limit] = [thread.u32(by) & 31, thread.u32(clamp)]
    const from =
      mode === 'up' ? lane - amount : mode === 'down' ? lane + amount : mode === 'bfly' ? lane ^ amount : amount
    const inside = mode === 'up' ? from >= limit : from <= limit
    thread.write(dest, values[inside ? from : lane]!)
  })
}

/** One 8×8 matrix a register: row i/4 of thread i, and two 16-bit elements from column 2·(i mod 4). */
function loadMatrices({ name, operands }: Instruction, threads: readonly Thread[]): void {
  const registers = operands[0]!.items
  const rows = threads.map(thread => thread.address(operands[1]!))
  const { shared } = threads[0]!.machine
  registers.forEach((register, matrix) => {
    const element = (row: number, column: number): number => {
      const { view, offset } = shared.at(rows[8 * matrix + row]!, 16, 16)
      return view.getUint16(offset + 2 * column, true)
    }
    threads.forEach((thread, i) => {
      const [row, column] = [i >> 2, 2 * (i & 3)]
      const pair = name.includes('.trans')
        ? [element(column, row), element(column + 1, row)]
        : [element(row, column), element(row, column + 1)]
      thread.write(register, pair[0]! + 65536 * pair[1]!)
    })
  })
}

/** d = a · b + c of m8n8k4 or m16n8k4 in f64: rows g and g + 8 of A and C, column g of B, with g = i/4. */
function multiplyF64({ operands }: Instruction, threads: readonly Thread[]): void {
  const [dest, left, right, sums] = operands.map(({ items }) => items) as [
    readonly Operand[],
    readonly Operand[],
    readonly [Operand],
    readonly Operand[],
  ]
  const held = (operand: Operand): number[] => threads.map(thread => f64Of(thread.u64(operand)))
  const [halves, b] = [left.map(held), held(right[0])]
  threads.forEach((thread, i) => {
    dest.forEach((register, r) => {
      const [row, column] = [i >> 2, 2 * (i & 3) + (r & 1)]
      const a = halves[r >> 1]!
      let total = f64Of(thread.u64(sums[r]!))
      for (let k = 0; k < 4; k++) total += a[4 * row + k]! * b[4 * column + k]!
      thread.write(register, bitsOfF64(total))
    })
  })
}

/** d = a · b + c of m16n8kK: rows g and g + 8 of A and C, column g of B, with g = i/4. */
function multiply({ name, operands }: Instruction, threads: readonly Thread[]): void {
  const [dest, left, right, sums] = operands.map(({ items }) => items) as [
    readonly Operand[],
    readonly Operand[],
    readonly Operand[],
    readonly Operand[],
  ]
  const types = name.split('.')
  const depth = Number(/k(\d+)$/.exec(types[3]!)![1])
  const [decodeA, decodeB] = [decoder(types.at(-3)!), decoder(types.at(-2)!)]
  const each = decodeA(0).length
  const a = Array.from({ length: 16 }, () => new Float64Array(depth))
  const b = Array.from({ length: depth }, () => new Float64Array(8))
  threads.forEach((thread, i) => {
    const [group, place] = [i >> 2, i & 3]
    left.forEach((register, r) => {
      decodeA(thread.u32(register)).forEach((value, e) => {
        a[group + 8 * (r & 1)]![place * each + e + (r >> 1) * (depth / 2)] = value
      })
    })
    right.forEach((register, r) => {
      decodeB(thread.u32(register)).forEach((value, e) => {
        b[place * each + e + r * (depth / 2)]![group] = value
      })
    })
  })
  const isFloat = types.at(-1) === 'f32'
  threads.forEach((thread, i) => {
    dest.forEach((register, r) => {
      const [row, column] = [(i >> 2) + 8 * (r >> 1), 2 * (i & 3) + (r & 1)]
      let total = isFloat ? f32Of(thread.u32(sums[r]!)) : thread.s32(sums[r]!)
      for (let k = 0; k < depth; k++) total += a[row]![k]! * b[k]![column]!
      thread.write(register, isFloat ? bitsOfF32(total) : total >>> 0)
    })
  })
}

/**
 * An 8-bit float by the drawing of its bits in the PTX manual: sign, exponent, fraction. e4m3 has one NaN and no infinity,
 * e5m2 is as IEEE's formats are.
 */
function float8(type: 'e4m3' | 'e5m2', code: number): number {
  const [bits, bias] = type === 'e4m3' ? [3, 7] : [2, 15]
  const sign = code >= 128 ? -1 : 1
  const [exponent, fraction] = [(code & 127) >> bits, code & ((1 << bits) - 1)]
  if (type === 'e4m3' && (code & 127) === 127) return Number.NaN
  if (type === 'e5m2' && exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN
  const part = fraction / (1 << bits)
  return sign * (exponent === 0 ? part * 2 ** (1 - bias) : (1 + part) * 2 ** (exponent - bias))
}

/** The elements in a register's bits. */
export function decoder(type: string): (bits: number) => number[] {
  switch (type) {
    case 'tf32':
      return bits => [f32Of(bits)]
    case 'f16':
    case 'bf16': {
      const decode = type === 'f16' ? fromF16 : fromBf16
      return bits => [decode(bits & 0xffff), decode(bits >>> 16)]
    }
    case 's8':
      return bits => [0, 8, 16, 24].map(shift => ((bits >> shift) << 24) >> 24)
    case 'u8':
      return bits => [0, 8, 16, 24].map(shift => (bits >>> shift) & 255)
    case 'e4m3':
    case 'e5m2':
      return bits => [0, 8, 16, 24].map(shift => float8(type, (bits >>> shift) & 255))
    default:
      throw new Error(`no matrices of ${type}`)
  }
}
