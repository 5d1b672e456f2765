/**
 * Runs PTX text: a small interpreter of the instructions that the emitter writes, straight from the PTX ISA manual's
 * descriptions, so that emitted text is tested where there is no GPU. Threads of a block run one after the other between
 * the points where they meet (barriers, shuffles, matrix instructions). Accesses are checked for bounds and alignment.
 */

import type { StoredArray } from '../../../src/types/memory.js'
import { type Bits, Names, type Operand } from './machine-operand.js'
import { prepared } from './machine-steps.js'
import { type Meeting, meet } from './machine-warp.js'

/** How control goes on from an instruction: it returns, branches, waits for other threads, or the next one follows. */
type Control = 'return' | 'branch' | Meeting['scope'] | 'next'

/** What an instruction does to a thread. */
export type Step = (thread: Thread) => void

export interface Instruction {
  readonly name: string
  readonly operands: readonly Operand[]
  /** Null: it always runs. */
  readonly guard: { readonly predicate: Operand; readonly wanted: boolean } | null
  readonly control: Control
  readonly line: number
  readonly text: string
  /** Taken apart when it first runs: what the machine does not know may stand where nothing comes. */
  step: Step | null
}

export interface Entry {
  readonly name: string
  readonly params: readonly string[]
  readonly threads: number
  readonly registers: number
  readonly threadId: number
  readonly blockId: number
  readonly localBytes: number
  readonly code: readonly Instruction[]
  readonly labels: ReadonlyMap<string, number>
}

/** The entries of a module, each taken apart when it is first asked for. */
export interface Module {
  /** Throws on text that it does not know. */
  get(name: string): Entry | undefined
}

export function parse(module: string): Module {
  const bodies = new Map<string, Pick<Entry, 'name' | 'params' | 'threads'> & { readonly body: string }>()
  const pattern =
    /\.visible \.entry (\w+)\(([^)]*)\)\s*(?:\.maxntid (\d+), 1, 1)?\s*(?:\.minnctapersm \d+)?\s*\{\n([\s\S]*?)\n\}/g
  for (const [, name, params, threads, body] of module.matchAll(pattern)) {
    const names = [...params!.matchAll(/\.param \.u64 (\w+)/g)].map(match => match[1]!)
    bodies.set(name!, { name: name!, params: names, threads: Number(threads ?? 1), body: body! })
  }
  const entries = new Map<string, Entry>()
  return {
    get: name => {
      const text = bodies.get(name)
      if (text !== undefined && !entries.has(name)) {
        const { body, ...head } = text
        entries.set(name, { ...head, ...parseBody(body) })
      }
      return entries.get(name)
    },
  }
}

function parseBody(body: string): Omit<Entry, 'name' | 'params' | 'threads'> {
  const names = new Names()
  const [threadId, blockId] = [names.register('%tid.x'), names.register('%ctaid.x')]
  const labels = new Map<string, number>()
  const code: Instruction[] = []
  let localBytes = 0
  body.split('\n').forEach((raw, line) => {
    const text = raw.replace(/\/\/.*/, '').trim()
    const local = /^\.local \.align 16 \.b8 (\w+)\[(\d+)\];$/.exec(text)
    if (text === '' || text.startsWith('.reg')) return
    if (local !== null) {
      names.locals.set(local[1]!, { offset: localBytes })
      localBytes += Math.ceil(Number(local[2]) / 16) * 16
    } else if (/^\w+:$/.test(text)) {
      labels.set(text.slice(0, -1), code.length)
    } else code.push(parseInstruction(text, line, names))
  })
  return { registers: names.registers, threadId, blockId, localBytes, code, labels }
}

function parseInstruction(text: string, line: number, names: Names): Instruction {
  const match = /^(?:@(!?)(%\w+) )?([\w.:]+)(?: (.*))?;$/.exec(text)
  if (match === null) throw new Error(`line ${line}: '${text}' is no instruction`)
  const [, not, predicate, name, rest = ''] = match as unknown as [string, string, string | undefined, string, string?]
  const operands = (rest.match(/\{[^}]*\}|\[[^\]]*\]|[^,\s]+/g) ?? []).map(operand => names.operand(operand))
  const guard = predicate === undefined ? null : { predicate: names.operand(predicate), wanted: not === '' }
  return { guard, name, operands, control: controlOf(name), line, text, step: null }
}

function controlOf(name: string): Control {
  if (name === 'ret') return 'return'
  if (name === 'bra' || name === 'bra.uni') return 'branch'
  if (name === 'bar.sync') return 'block'
  if (name.startsWith('wgmma.mma')) return 'warpgroup'
  return /^(shfl|mma|ldmatrix|bar\.warp)/.test(name) ? 'warp' : 'next'
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
export class Memory {
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
  readonly local: Memory
  readonly #registers: (Bits | undefined)[]
  /** Asynchronous copies take effect at once: the emitter's order is what is tested, not its waits. */
  constructor(
    readonly machine: BlockMachine,
    readonly id: number,
  ) {
    const { localBytes, registers, threadId, blockId } = machine.entry
    const bytes = new DataView(new ArrayBuffer(localBytes))
    this.local = new Memory([{ from: 0, bytes }], machine.options.aligned ?? true)
    this.#registers = new Array<Bits | undefined>(registers).fill(undefined)
    this.#registers[threadId] = id
    this.#registers[blockId] = machine.block
  }

  *run(): Generator<Meeting, void> {
    const { code, labels } = this.machine.entry
    for (let at = 0; at < code.length; ) {
      const instruction = code[at]!
      const { guard, control } = instruction
      at++
      if (guard !== null && Boolean(this.read(guard.predicate)) !== guard.wanted) continue
      if (control === 'next') this.#step(instruction)
      else if (control === 'return') return
      else if (control === 'branch') {
        const { text } = instruction.operands[0]!
        const target = labels.get(text)
        if (target === undefined) throw new Error(`no label ${text}`)
        at = target
      } else yield { scope: control, instruction }
    }
  }

  #step(instruction: Instruction): void {
    try {
      instruction.step ??= prepared(instruction)
      instruction.step(this)
    } catch (error) {
      throw new Error(`${instruction.text} (thread ${this.id}): ${(error as Error).message}`)
    }
  }

  /** An operand's bits. */
  read(operand: Operand): Bits {
    const value = operand.register >= 0 ? this.#registers[operand.register] : operand.constant
    if (value !== undefined) return value
    const { register, text } = operand
    throw new Error(register >= 0 ? `${text} is read before it is written` : `'${text}' is no operand`)
  }

  write({ register, text }: Operand, value: Bits): void {
    if (register < 0) throw new Error(`'${text}' is no register`)
    this.#registers[register] = value
  }

  /** As a signed or unsigned 32-bit number. */
  s32(operand: Operand): number {
    return this.u32(operand) | 0
  }
  u32(operand: Operand): number {
    const bits = this.read(operand)
    return typeof bits === 'bigint' ? Number(BigInt.asUintN(32, bits)) : Number(bits) >>> 0
  }
  s64(operand: Operand): bigint {
    return BigInt.asIntN(64, BigInt(this.read(operand)))
  }
  u64(operand: Operand): bigint {
    return BigInt.asUintN(64, BigInt(this.read(operand)))
  }

  /** The address of `[register+offset]`. */
  address({ base, offset, text }: Operand): number {
    if (base === null) throw new Error(`'${text}' is no address`)
    return Number(this.read(base)) + offset
  }

  memory(space: string): Memory {
    return space === 'global' ? this.machine.global : space === 'shared' ? this.machine.shared : this.local
  }
}
