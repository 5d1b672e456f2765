/** The matrix instructions of a warpgroup, for machine.ts: descriptors read bit by bit as the PTX manual draws them. */
import type { Instruction, Thread } from './machine.js'
import { bitsOfF32, f32Of } from './machine-bits.js'
import type { Operand } from './machine-operand.js'
import { decoder } from './machine-warp.js'

/** d += a · b for m64nNkK: `d, a, b, scale-d, [signs of a and b], [turned a], turned b`. */
export function multiplyGroup({ name, operands }: Instruction, threads: readonly Thread[]): void {
  const [shape, wide, ...kinds] = name.split('.').slice(4) as [string, string, string, string]
  const [, n, depth] = /^m64n(\d+)k(\d+)$/.exec(shape)!.map(Number) as [number, number, number]
  const [sums, left, right, adds, ...flags] = operands as readonly [Operand, Operand, Operand, Operand, ...Operand[]]
  const inRegisters = left.text.startsWith('{')
  const turns = flags.slice(wide === 's32' ? 0 : 2).map(({ text }) => text === '1')
  const [decodeA, decodeB] = [decoder(kinds[0]), decoder(kinds[1])]
  const [first] = threads as [Thread]
  const a = inRegisters
    ? fromRegisters(threads, left.items, decodeA, depth)
    : fromMemory(first, left, 64, depth, decodeA, turns[0] ?? false)
  const b = fromMemory(first, right, n, depth, decodeB, turns.at(inRegisters ? 0 : 1) ?? false)
  const [accumulates, isFloat] = [Boolean(first.read(adds)), wide === 'f32']
  threads.forEach((thread, i) => {
    sums.items.forEach((register, r) => {
      const row = 16 * (i >> 5) + ((i & 31) >> 2) + 8 * ((r >> 1) & 1)
      const column = 8 * (r >> 2) + 2 * (i & 3) + (r & 1)
      let total = !accumulates ? 0 : isFloat ? f32Of(thread.u32(register)) : thread.s32(register)
      for (let k = 0; k < depth; k++) total += a[row]![k]! * b[column]![k]!
      thread.write(register, isFloat ? bitsOfF32(total) : total >>> 0)
    })
  })
}

type Decode = (bits: number) => number[]

/** Rows of a: four registers of each thread, as in m16n8. */
function fromRegisters(
  threads: readonly Thread[],
  registers: readonly Operand[],
  decode: Decode,
  depth: number,
): number[][] {
  const rows = Array.from({ length: 64 }, () => new Array<number>(depth))
  threads.forEach((thread, i) => {
    registers.forEach((register, r) => {
      const row = rows[16 * (i >> 5) + ((i & 31) >> 2) + 8 * (r & 1)]!
      decode(thread.u32(register)).forEach((value, e, all) => {
        row[(i & 3) * all.length + e + (r >> 1) * (depth / 2)] = value
      })
    })
  })
  return rows
}

/** Rows (of a, or columns of b) of what a descriptor names. */
function fromMemory(
  thread: Thread,
  operand: Operand,
  rows: number,
  depth: number,
  decode: Decode,
  turned: boolean,
): number[][] {
  const bits = thread.u64(operand)
  const field = (from: number, count: number): number => Number((bits >> BigInt(from)) & ((1n << BigInt(count)) - 1n))
  const [start, leading, stride, mode] = [field(0, 14) * 16, field(16, 14) * 16, field(32, 14) * 16, field(62, 2)]
  const rowBytes = [16, 128, 64, 32][mode]!
  if (mode === 0 || field(49, 3) !== 0)
    throw new Error(`descriptor ${bits.toString(16)} is not swizzled from its start`)
  const each = decode(0).length
  const bytes = 4 / each
  const element = (row: number, k: number): number => {
    const [line, along] = turned ? [k, row * bytes] : [row, k * bytes]
    const linear =
      start +
      (line >> 3) * stride +
      (line & 7) * rowBytes +
      Math.floor(along / rowBytes) * (turned ? leading : 0) +
      (turned ? along % rowBytes : along)
    const address = linear ^ (((linear >> 7) % (rowBytes / 16)) << 4)
    const { view, offset } = thread.machine.shared.at(address & ~3, 4, 4)
    return decode(view.getUint32(offset, true))[(address & 3) / bytes]!
  }
  return Array.from({ length: rows }, (_, row) => Array.from({ length: depth }, (_, k) => element(row, k)))
}
