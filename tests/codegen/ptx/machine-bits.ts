/** Bits as numbers, and as they lie in memory, for machine.ts. */
import type { Bits } from './machine-operand.js'

const view = new DataView(new ArrayBuffer(8))

export function f32Of(bits: number): number {
  view.setUint32(0, bits)
  return view.getFloat32(0)
}
export function bitsOfF32(value: number): number {
  view.setFloat32(0, value)
  return view.getUint32(0)
}
export function f64Of(bits: bigint): number {
  view.setBigUint64(0, bits)
  return view.getFloat64(0)
}
export function bitsOfF64(value: number): bigint {
  view.setFloat64(0, value)
  return view.getBigUint64(0)
}

export type Reader = (view: DataView, offset: number) => Bits

/** Reads memory as a register holds it: signed types extend to 32 bits. */
export function readerOf(type: string): Reader {
  const isSigned = type.startsWith('s')
  switch (Number(type.slice(1))) {
    case 8:
      return isSigned ? (from, at) => from.getInt8(at) >>> 0 : (from, at) => from.getUint8(at)
    case 16:
      return isSigned ? (from, at) => from.getInt16(at, true) >>> 0 : (from, at) => from.getUint16(at, true)
    case 32:
      return (from, at) => from.getUint32(at, true)
    case 64:
      return (from, at) => from.getBigUint64(at, true)
    default:
      throw new Error(`no memory of ${type}`)
  }
}

/** Writes the low bytes of a register's bits. */
export function writerOf(bytes: number): (view: DataView, offset: number, bits: Bits) => void {
  switch (bytes) {
    case 1:
      return (to, at, bits) => to.setUint8(at, lowWord(bits))
    case 2:
      return (to, at, bits) => to.setUint16(at, lowWord(bits), true)
    case 4:
      return (to, at, bits) => to.setUint32(at, lowWord(bits), true)
    case 8:
      return (to, at, bits) => to.setBigUint64(at, BigInt.asUintN(64, BigInt(bits)), true)
    default:
      throw new Error(`no memory of ${bytes} bytes`)
  }
}

export const lowWord = (bits: Bits): number =>
  typeof bits === 'bigint' ? Number(BigInt.asUintN(32, bits)) : Number(bits) >>> 0
