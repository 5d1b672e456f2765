/**
 * Runs PTX text: a small interpreter of the instructions that the emitter writes, straight from the PTX ISA manual's
 * descriptions, so that emitted text is tested where there is no GPU. Threads of a block run one after the other between
 * the points where they meet (barriers, shuffles, matrix instructions). Accesses are checked for bounds and alignment.
 */

import { fromBf16, fromF16, toBf16, toF16 } from '../../../src/types/float16.js'
import type { StoredArray } from '../../../src/types/memory.js'
import { arithmeticOps, bitsOfF32, bitsOfF64, f32Of, f64Of } from './machine-ops.js'
import { type Meeting, meet } from './machine-warp.js'

/** A register's bits: numbers up to 32 of them, bigints for 64, booleans for predicates. */
export type Bits = number | bigint | boolean

export interface Instruction {
  readonly name: string
  readonly operands: readonly string[]
  /** `%p` or `!%p`; '' when it always runs. */
  readonly guard: string
  readonly line: number
  readonly text: string
}

export interface Entry {
  readonly name: string
  readonly params: readonly string[]
  readonly threads: number
  readonly locals: ReadonlyMap<string, { readonly offset: number }>
  readonly localBytes: number
  readonly code: readonly Instruction[]
  readonly labels: ReadonlyMap<string, number>
}

/** The entries of a module. Throws on text that it does not know. */
export function parse(module: string): ReadonlyMap<string, Entry> {
  const entries = new Map<string, Entry>()
  const pattern =
    /\.visible \.entry (\w+)\(([^)]*)\)\s*(?:\.maxntid (\d+), 1, 1)?\s*(?:\.minnctapersm \d+)?\s*\{\n([\s\S]*?)\n\}/g
  for (const [, name, params, threads, body] of module.matchAll(pattern)) {
    const names = [...params!.matchAll(/\.param \.u64 (\w+)/g)].map(match => match[1]!)
    entries.set(name!, { name: name!, params: names, threads: Number(threads ?? 1), ...parseBody(body!) })
  }
  return entries
}

function parseBody(body: string): Pick<Entry, 'locals' | 'localBytes' | 'code' | 'labels'> {
  const locals = new Map<string, { offset: number }>()
  const labels = new Map<string, number>()
  const code: Instruction[] = []
  let localBytes = 0
  body.split('\n').forEach((raw, line) => {
    const text = raw.replace(/\/\/.*/, '').trim()
    const local = /^\.local \.align 16 \.b8 (\w+)\[(\d+)\];$/.exec(text)
    if (text === '' || text.startsWith('.reg')) return
    if (local !== null) {
      locals.set(local[1]!, { offset: localBytes })
      localBytes += Math.ceil(Number(local[2]) / 16) * 16
    } else if (/^\w+:$/.test(text)) {
      labels.set(text.slice(0, -1), code.length)
    } else code.push(parseInstruction(text, line))
  })
  return { locals, localBytes, code, labels }
}

function parseInstruction(text: string, line: number): Instruction {
  const match = /^(?:@(!?%\w+) )?([\w.:]+)(?: (.*))?;$/.exec(text)
  if (match === null) throw new Error(`line ${line}: '${text}' is no instruction`)
  const operands = (match[3] ?? '').match(/\{[^}]*\}|\[[^\]]*\]|[^,\s]+/g) ?? []
  return { guard: match[1] ?? '', name: match[2]!, operands, line, text }
}

/** An argument: memory (and the element that the pointer points to), or a scalar as the binary interface passes it. */
export type MachineArgument =
  | StoredArray
  | { readonly data: StoredArray; readonly offset?: number }
  | number
  | bigint
  | boolean

export interface LaunchOptions {
  readonly sharedBytes?: number
  /** false: vector accesses may lie anywhere, which no GPU allows. */
  readonly aligned?: boolean
}

/** A piece of memory and its first address. */
interface Segment {
  readonly from: number
  readonly bytes: DataView
}

/** Where arguments lie: far from each other, so that an access beyond one hits none. */
const segmentStride = 2 ** 32

/** Runs the entry over the grid; arrays are changed in place. */
export function launch(
  entry: Entry,
  args: readonly MachineArgument[],
  grid: readonly [number, number, number],
  options: LaunchOptions = {},
): void {
  const segments: Segment[] = []
  const params = new Map<string, bigint>()
  args.forEach((arg, i) => {
    if (typeof arg !== 'object') {
      params.set(entry.params[i]!, scalarBits(arg))
      return
    }
    const from = (segments.length + 1) * segmentStride
    const { data, offset = 0 } = ArrayBuffer.isView(arg) ? { data: arg } : arg
    segments.push({ from, bytes: new DataView(data.buffer, data.byteOffset, data.byteLength) })
    params.set(entry.params[i]!, BigInt(from + offset * data.BYTES_PER_ELEMENT))
  })
  grid.forEach((size, i) => {
    params.set(entry.params[args.length + i]!, BigInt(size))
  })
  const blocks = grid[0] * grid[1] * grid[2]
  for (let block = 0; block < blocks; block++) new BlockMachine(entry, params, segments, block, options).run()
}

/** Memory at a real address. */
export interface Mapped {
  readonly from: number
  readonly bytes: DataView
}

/** Runs `blocks` blocks of the entry as a driver launches it: parameters are words, pointers lie within `memory`. */
export function launchMapped(
  entry: Entry,
  words: readonly bigint[],
  blocks: number,
  memory: readonly Mapped[],
  options: LaunchOptions = {},
): void {
  const params = new Map(entry.params.map((name, i) => [name, words[i]!]))
  for (let block = 0; block < blocks; block++) new BlockMachine(entry, params, memory, block, options).run()
}

const scratch = new DataView(new ArrayBuffer(8))

/** Integers and bool as i64; numbers are floats, as f64. */
function scalarBits(arg: number | bigint | boolean): bigint {
  if (typeof arg !== 'number') return BigInt.asUintN(64, BigInt(arg))
  scratch.setFloat64(0, arg)
  return scratch.getBigUint64(0)
}

/** Finds the bytes of an access. */
class Memory {
  constructor(
    readonly segments: readonly Segment[],
    readonly aligned: boolean,
  ) {}

  /** `whole`: bytes that the instruction is for, where it touches fewer. */
  at(address: number, size: number, each: number, whole = size): { readonly view: DataView; readonly offset: number } {
    const alignment = this.aligned ? whole : Math.min(1, each)
    if (address % alignment !== 0) throw new Error(`address ${address} is no multiple of ${alignment}`)
    for (const { from, bytes } of this.segments) {
      if (address >= from && address + size <= from + bytes.byteLength) return { view: bytes, offset: address - from }
    }
    throw new Error(`${size} bytes at ${address} lie in no memory`)
  }
}

class BlockMachine {
  readonly shared: Memory
  readonly global: Memory
  constructor(
    readonly entry: Entry,
    readonly params: ReadonlyMap<string, bigint>,
    segments: readonly Segment[],
    readonly block: number,
    readonly options: LaunchOptions,
  ) {
    const aligned = options.aligned ?? true
    this.global = new Memory(segments, aligned)
    const bytes = new DataView(new ArrayBuffer(options.sharedBytes ?? 0))
    this.shared = new Memory([{ from: 0, bytes }], aligned)
  }

  run(): void {
    const threads = Array.from({ length: this.entry.threads }, (_, id) => new Thread(this, id))
    const running = threads.map(thread => ({ thread, steps: thread.run(), at: null as Meeting | null, done: false }))
    const advance = (one: (typeof running)[number]): void => {
      const { value, done } = one.steps.next()
      one.done = done === true
      one.at = done === true ? null : (value as Meeting)
    }
    for (const one of running) advance(one)
    while (running.some(one => !one.done)) {
      let moved = false
      for (let first = 0; first < running.length; first += 32) {
        const point = running[first]!.at
        if (point === null || point.scope === 'block') continue
        if (point.scope === 'warpgroup' && first % 128 !== 0) continue
        const warp = running.slice(first, first + (point.scope === 'warp' ? 32 : 128))
        if (point.scope === 'warpgroup' && warp.some(one => one.at?.scope === 'warp')) continue
        if (warp.some(one => one.at?.instruction !== point.instruction))
          throw new Error(`a ${point.scope} parts at ${point.instruction.text}`)
        meet(
          point.instruction,
          warp.map(one => one.thread),
        )
        for (const one of warp) advance(one)
        moved = true
      }
      if (moved) continue
      const point = running[0]!.at
      if (point === null || running.some(one => one.at?.instruction !== point.instruction))
        throw new Error(`not all threads reach ${point?.instruction.text ?? 'the end'}`)
      for (const one of running) advance(one)
    }
  }
}

/** One thread: its registers, and where it is. */
export class Thread {
  readonly registers = new Map<string, Bits>()
  readonly #local: Memory
  /** Asynchronous copies take effect at once: the emitter's order is what is tested, not its waits. */
  constructor(
    readonly machine: BlockMachine,
    readonly id: number,
  ) {
    const bytes = new DataView(new ArrayBuffer(machine.entry.localBytes))
    this.#local = new Memory([{ from: 0, bytes }], machine.options.aligned ?? true)
  }

  *run(): Generator<Meeting, void> {
    const { code, labels } = this.machine.entry
    for (let at = 0; at < code.length; ) {
      const instruction = code[at]!
      at++
      if (instruction.guard !== '' && !this.#holds(instruction.guard)) continue
      const { name, operands } = instruction
      if (name === 'ret') return
      if (name === 'bra' || name === 'bra.uni') {
        const target = labels.get(operands[0]!)
        if (target === undefined) throw new Error(`no label ${operands[0]}`)
        at = target
      } else if (name === 'bar.sync') yield { scope: 'block', instruction }
      else if (name.startsWith('wgmma.mma')) yield { scope: 'warpgroup', instruction }
      else if (/^(shfl|mma|ldmatrix|bar\.warp)/.test(name)) yield { scope: 'warp', instruction }
      else this.#step(instruction)
    }
  }

  #holds(guard: string): boolean {
    return guard.startsWith('!') ? !this.read(guard.slice(1)) : Boolean(this.read(guard))
  }

  #step(instruction: Instruction): void {
    try {
      this.#execute(instruction)
    } catch (error) {
      throw new Error(`${instruction.text} (thread ${this.id}): ${(error as Error).message}`)
    }
  }

  #execute({ name, operands }: Instruction): void {
    const [first] = name.split('.')
    if (first === 'ld') this.#load(name, operands)
    else if (first === 'st') this.#store(name, operands)
    else if (first === 'atom' || first === 'red') this.#atomic(name, operands)
    else if (first === 'mov') this.#move(name, operands)
    else if (name.startsWith('cp.async')) this.#copy(name, operands)
    else if (first === 'cvta') this.write(operands[0]!, this.read(operands[1]!))
    else if (first !== 'fence' && first !== 'griddepcontrol' && first !== 'wgmma') arithmeticOps(this, name, operands)
  }

  /** An operand's bits. */
  read(operand: string): Bits {
    if (operand.startsWith('%')) {
      const value = this.registers.get(operand) ?? this.#special(operand)
      if (value === undefined) throw new Error(`${operand} is read before it is written`)
      return value
    }
    const float = /^0([fd])([0-9A-F]+)$/.exec(operand)
    if (float !== null) return float[1] === 'f' ? Number.parseInt(float[2]!, 16) : BigInt(`0x${float[2]}`)
    if (/^-?\d/.test(operand)) {
      const value = BigInt(operand.startsWith('-') ? -BigInt(operand.slice(1)) : operand)
      return value >= -(2n ** 31n) && value < 2n ** 32n ? Number(BigInt.asIntN(64, value)) : BigInt.asUintN(64, value)
    }
    const local = this.machine.entry.locals.get(operand)
    if (local !== undefined) return local.offset
    if (operand === 'shared') return 0
    throw new Error(`'${operand}' is no operand`)
  }

  #special(operand: string): number | undefined {
    if (operand === '%tid.x') return this.id
    return operand === '%ctaid.x' ? this.machine.block : undefined
  }

  write(register: string, value: Bits): void {
    if (!register.startsWith('%')) throw new Error(`'${register}' is no register`)
    this.registers.set(register, value)
  }

  /** As a signed or unsigned 32-bit number. */
  s32 = (operand: string): number => Number(BigInt.asIntN(32, BigInt(this.read(operand))))
  u32 = (operand: string): number => Number(BigInt.asUintN(32, BigInt(this.read(operand))))
  s64 = (operand: string): bigint => BigInt.asIntN(64, BigInt(this.read(operand)))
  u64 = (operand: string): bigint => BigInt.asUintN(64, BigInt(this.read(operand)))

  /** The memory and address of `[register+offset]`. */
  place(space: string, operand: string): { readonly memory: Memory; readonly address: number } {
    const match = /^\[([%\w]+)(?:\+(-?\d+))?\]$/.exec(operand)
    if (match === null) throw new Error(`'${operand}' is no address`)
    const base = Number(this.read(match[1]!))
    const memory = space === 'global' ? this.machine.global : space === 'shared' ? this.machine.shared : this.#local
    return { memory, address: base + Number(match[2] ?? 0) }
  }

  #load(name: string, [dest, source]: readonly string[]): void {
    const [, space, ...rest] = name.split('.') as [string, string, ...string[]]
    const type = rest.at(-1)!
    if (space === 'param') {
      const value = this.machine.params.get(source!.slice(1, -1))
      if (value === undefined) throw new Error(`no parameter ${source}`)
      this.write(dest!, extended(type, value))
      return
    }
    const registers = list(dest!)
    const each = Number(type.slice(1)) / 8
    const { memory, address } = this.place(space, source!)
    const { view, offset } = memory.at(address, each * registers.length, each)
    registers.forEach((register, i) => {
      this.write(register, extended(type, readBits(view, offset + i * each, each)))
    })
  }

  #store(name: string, [target, source]: readonly string[]): void {
    const [, space, ...rest] = name.split('.') as [string, string, ...string[]]
    const registers = list(source!)
    const each = Number(rest.at(-1)!.slice(1)) / 8
    const { memory, address } = this.place(space, target!)
    const { view, offset } = memory.at(address, each * registers.length, each)
    registers.forEach((register, i) => {
      writeBits(view, offset + i * each, each, BigInt(this.read(register) as number | bigint))
    })
  }

  #copy(name: string, [target, source, size, count]: readonly string[]): void {
    if (/commit|wait/.test(name)) return
    const bytes = Number(size)
    const wanted = count === undefined ? bytes : this.u32(count)
    if (wanted > bytes) throw new Error(`copies ${wanted} of ${bytes} bytes`)
    const to = this.place('shared', target!)
    const written = to.memory.at(to.address, bytes, bytes)
    const from = this.place('global', source!)
    const read = wanted === 0 ? null : from.memory.at(from.address, wanted, 1, bytes)
    for (let i = 0; i < bytes; i++) {
      written.view.setUint8(written.offset + i, read !== null && i < wanted ? read.view.getUint8(read.offset + i) : 0)
    }
  }

  #atomic(name: string, operands: readonly string[]): void {
    const [kind, space, fn, ...rest] = name.split('.') as [string, string, string, ...string[]]
    const [dest, target, ...values] = kind === 'atom' ? operands : ['', ...operands]
    const type = rest.at(-1)!
    const each = Number(/\d+$/.exec(type)![0]) / 8
    const { memory, address } = this.place(space, target!)
    const { view, offset } = memory.at(address, each, each)
    const old = readBits(view, offset, each)
    if (dest !== '' && dest !== undefined) this.write(dest, extended(`b${8 * each}`, old))
    const given = values.map(value => BigInt.asUintN(8 * each, BigInt(this.read(value) as number | bigint)))
    writeBits(view, offset, each, atomicResult(fn, type, old, given))
  }

  #move(name: string, [dest, source]: readonly string[]): void {
    const bits = name === 'mov.b64' ? 64 : 32
    if (dest!.startsWith('{')) {
      const parts = list(dest!)
      const value = BigInt.asUintN(64, BigInt(this.read(source!) as number | bigint))
      const each = bits / parts.length
      parts.forEach((part, i) => {
        this.write(part, Number(BigInt.asUintN(each, value >> BigInt(each * i))))
      })
    } else if (source!.startsWith('{')) {
      const parts = list(source!)
      const each = bits / parts.length
      const value = parts.reduce(
        (sum, part, i) => sum | (BigInt.asUintN(each, BigInt(this.read(part) as number | bigint)) << BigInt(each * i)),
        0n,
      )
      this.write(dest!, bits === 64 ? value : Number(value))
    } else if (name === 'mov.pred') this.write(dest!, Boolean(Number(this.read(source!))))
    else if (bits === 64) this.write(dest!, this.u64(source!))
    else this.write(dest!, name === 'mov.b16' ? this.u32(source!) & 0xffff : this.u32(source!))
  }
}

export const list = (operand: string): string[] =>
  operand.startsWith('{')
    ? operand
        .slice(1, -1)
        .split(',')
        .map(part => part.trim())
    : [operand]

/** Bits from memory as a register holds them: signed types extend. */
function extended(type: string, bits: bigint): Bits {
  const width = Number(type.slice(1))
  const value = type.startsWith('s') ? BigInt.asIntN(width, bits) : BigInt.asUintN(width, bits)
  return width === 64 ? BigInt.asUintN(64, value) : Number(BigInt.asUintN(32, value))
}

export function readBits(view: DataView, offset: number, size: number): bigint {
  let value = 0n
  for (let i = size - 1; i >= 0; i--) value = (value << 8n) | BigInt(view.getUint8(offset + i))
  return value
}

function writeBits(view: DataView, offset: number, size: number, value: bigint): void {
  for (let i = 0; i < size; i++) view.setUint8(offset + i, Number((value >> BigInt(8 * i)) & 255n))
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
