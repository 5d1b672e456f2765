/**
 * Checks from a file's bytes whether it can be a shared object of this machine: the system's loader maps any file, and one
 * that is truncated kills the process at the first access.
 */
import { endianness } from 'node:os'

const elfMachines: Readonly<Record<string, number>> = {
  ia32: 3,
  s390x: 22,
  arm: 40,
  x64: 62,
  arm64: 183,
  riscv64: 243,
  loong64: 258,
}
const sharedObject = 3
const loaded = 1
const mach64 = 0xfeedfacf
const machCpus: Readonly<Record<string, number>> = { x64: 0x01000007, arm64: 0x0100000c }

/** Why the bytes are no shared object for this machine; null when they look like one. */
export function whyNotLoadable(bytes: Uint8Array): string | null {
  if (bytes.length === 0) return 'it is empty'
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (process.platform === 'linux') return elfProblem(view)
  if (process.platform === 'darwin') return machProblem(view)
  return null
}

function elfProblem(view: DataView): string | null {
  const little = endianness() === 'LE'
  const headerBytes = 64
  if (view.byteLength < 4 || view.getUint32(0) !== 0x7f454c46) return 'it is no ELF file'
  if (view.byteLength < headerBytes) return 'it is cut off'
  if (view.getUint8(4) !== 2 || (view.getUint8(5) === 1) !== little) return `it is not for ${process.arch}`
  const machine = elfMachines[process.arch]
  if (machine !== undefined && view.getUint16(18, little) !== machine) return `it is not for ${process.arch}`
  if (view.getUint16(16, little) !== sharedObject) return 'it is no shared object'
  return segmentsFit(view, little) ? null : 'it is cut off'
}

/** Program headers: type at 0, file offset at 8, bytes in the file at 32. */
function segmentsFit(view: DataView, little: boolean): boolean {
  const table = Number(view.getBigUint64(32, little))
  const [size, count] = [view.getUint16(54, little), view.getUint16(56, little)]
  if (count === 0 || table + size * count > view.byteLength) return false
  for (let i = 0; i < count; i++) {
    const at = table + i * size
    const end = view.getBigUint64(at + 8, little) + view.getBigUint64(at + 32, little)
    if (view.getUint32(at, little) === loaded && end > BigInt(view.byteLength)) return false
  }
  return true
}

function machProblem(view: DataView): string | null {
  if (view.byteLength < 32) return 'it is cut off'
  if (view.getUint32(0, true) !== mach64) return 'it is no Mach-O file'
  return view.getUint32(4, true) === machCpus[process.arch] ? null : `it is not for ${process.arch}`
}
