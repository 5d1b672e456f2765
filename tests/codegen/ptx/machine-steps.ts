/** Instructions as functions of a thread: what can be known from their text is found out once. Moves and memory, here. */
import { fromBf16, fromF16, toBf16, toF16 } from '../../../src/types/float16.js'
import type { Instruction, Step } from './machine.js'
import { bitsOfF32, bitsOfF64, f32Of, f64Of, lowWord, readerOf, writerOf } from './machine-bits.js'
import type { Bits, Operand } from './machine-operand.js'
import { arithmetic } from './machine-ops.js'

/** Throws on an instruction that the machine does not know. */
export function prepared({ name, operands }: Instruction): Step {
  switch (name.split('.')[0]) {
    case 'ld':
      return load(name, operands)
    case 'st':
      return store(name, operands)
    case 'atom':
    case 'red':
      return atomic(name, operands)
    case 'mov':
      return move(name, operands)
    case 'cp':
      return copy(name, operands)
    case 'cvta': {
      const [dest, source] = operands as [Operand, Operand]
      return thread => thread.write(dest, thread.read(source))
    }
    case 'fence':
    case 'griddepcontrol':
    case 'wgmma':
      return () => {}
    default:
      return arithmetic(name, operands)
  }
}

function load(name: string, operands: readonly Operand[]): Step {
  const [dest, source] = operands as [Operand, Operand]
  const [, space, ...rest] = name.split('.') as [string, string, ...string[]]
  const read = readerOf(rest.at(-1)!)
  if (space === 'param') return loadParam(dest, source.text, read)
  const { items } = dest
  const each = bytesOf(rest.at(-1)!)
  return thread => {
    const { view, offset } = thread.memory(space).at(thread.address(source), each * items.length, each)
    for (let i = 0; i < items.length; i++) thread.write(items[i]!, read(view, offset + i * each))
  }
}

function loadParam(dest: Operand, place: string, read: (view: DataView, offset: number) => Bits): Step {
  const param = place.slice(1, -1)
  const word = new DataView(new ArrayBuffer(8))
  return thread => {
    const value = thread.machine.params.get(param)
    if (value === undefined) throw new Error(`no parameter ${place}`)
    word.setBigUint64(0, BigInt.asUintN(64, value), true)
    thread.write(dest, read(word, 0))
  }
}

function store(name: string, operands: readonly Operand[]): Step {
  const [target, source] = operands as [Operand, Operand]
  const [, space, ...rest] = name.split('.') as [string, string, ...string[]]
  const { items } = source
  const each = bytesOf(rest.at(-1)!)
  const write = writerOf(each)
  return thread => {
    const { view, offset } = thread.memory(space).at(thread.address(target), each * items.length, each)
    for (let i = 0; i < items.length; i++) write(view, offset + i * each, thread.read(items[i]!))
  }
}

/** Of 'b32', 'f16x2', 's8' …: the number of the type's bits, in bytes. */
const bytesOf = (type: string): number => Number(/\d+$/.exec(type)![0]) / 8

function copy(name: string, operands: readonly Operand[]): Step {
  if (/commit|wait/.test(name)) return () => {}
  const [target, source, size, count] = operands as [Operand, Operand, Operand, Operand?]
  const bytes = Number(size.constant)
  return thread => {
    const wanted = count === undefined ? bytes : thread.u32(count)
    if (wanted > bytes) throw new Error(`copies ${wanted} of ${bytes} bytes`)
    const written = thread.memory('shared').at(thread.address(target), bytes, bytes)
    const from = thread.address(source)
    const read = wanted === 0 ? null : thread.memory('global').at(from, wanted, 1, bytes)
    for (let i = 0; i < bytes; i++) {
      written.view.setUint8(written.offset + i, read !== null && i < wanted ? read.view.getUint8(read.offset + i) : 0)
    }
  }
}

function atomic(name: string, operands: readonly Operand[]): Step {
  const [kind, space, fn, ...rest] = name.split('.') as [string, string, string, ...string[]]
  const dest = kind === 'atom' ? operands[0]! : null
  const [target, ...values] = (kind === 'atom' ? operands.slice(1) : operands) as [Operand, ...Operand[]]
  const type = rest.at(-1)!
  const each = bytesOf(type)
  const [read, write] = [readerOf(`b${8 * each}`), writerOf(each)]
  return thread => {
    const { view, offset } = thread.memory(space).at(thread.address(target), each, each)
    const old = read(view, offset)
    if (dest !== null) thread.write(dest, old)
    const given = values.map(value => BigInt.asUintN(8 * each, BigInt(thread.read(value))))
    write(view, offset, atomicResult(fn, type, BigInt(old), given))
  }
}

function atomicResult(fn: string, type: string, old: bigint, [first, second]: readonly bigint[]): bigint {
  const signed = (value: bigint): bigint => BigInt.asIntN(Number(type.slice(1)), value)
  switch (fn) {
    case 'exch':
      return first!
    case 'cas':
      return old === first ? second! : old
    case 'min':
      return signed(old) < signed(first!) ? old : first!
    case 'max':
      return signed(old) > signed(first!) ? old : first!
    case 'add':
      if (/f/.test(type)) return floatSum(type, old, first!)
      if (/^[us]/.test(type)) return old + first!
  }
  throw new Error(`no atomic ${fn}.${type}`)
}

function floatSum(type: string, a: bigint, b: bigint): bigint {
  switch (type) {
    case 'f32':
      return BigInt(bitsOfF32(f32Of(Number(a)) + f32Of(Number(b))))
    case 'f64':
      return bitsOfF64(f64Of(a) + f64Of(b))
    case 'f16':
      return BigInt(toF16(fromF16(Number(a)) + fromF16(Number(b))))
    default:
      return BigInt(toBf16(fromBf16(Number(a)) + fromBf16(Number(b))))
  }
}

function move(name: string, operands: readonly Operand[]): Step {
  const [dest, source] = operands as [Operand, Operand]
  const bits = name === 'mov.b64' ? 64 : 32
  if (dest.text.startsWith('{')) return parseCall(dest.items, source, bits)
  if (source.text.startsWith('{')) return putTogether(dest, source.items, bits)
  if (name === 'mov.pred') return thread => thread.write(dest, Boolean(thread.read(source)))
  if (bits === 64) return thread => thread.write(dest, thread.u64(source))
  if (name === 'mov.b16') return thread => thread.write(dest, thread.u32(source) & 0xffff)
  return thread => thread.write(dest, thread.u32(source))
}

function parseCall(parts: readonly Operand[], source: Operand, bits: number): Step {
  const each = bits / parts.length
  return thread => {
    const value = thread.u64(source)
    for (const [i, part] of parts.entries()) {
      thread.write(part, Number(BigInt.asUintN(each, value >> BigInt(each * i))))
    }
  }
}

function putTogether(dest: Operand, parts: readonly Operand[], bits: number): Step {
  const each = bits / parts.length
  return thread => {
    let value = 0n
    for (const [i, part] of parts.entries()) {
      value |= BigInt.asUintN(each, BigInt(lowWord(thread.read(part)))) << BigInt(each * i)
    }
    thread.write(dest, bits === 64 ? value : Number(value))
  }
}
