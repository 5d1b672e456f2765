/**
 * Allocates a block's shared memory and places barriers. Buffers with disjoint lifetimes share bytes. A barrier is placed
 * exactly where an access could conflict with an earlier access of another thread. In a loop the end of the body precedes the
 * beginning of the next iteration, so accesses before the body's first barrier are remembered.
 */
import { KernelError } from '../../base/errors.js'
import type { SourceLocation } from '../../base/source.js'
import type { LaneNode } from '../../lane/ir.js'
import type { TileNode } from '../../tile/ir.js'
import { type Dtype, itemBytes } from '../../types/dtype.js'
import { mayAlias } from '../shared/structure.js'
import type { SharedLayout } from './shared-layout.js'

export interface SharedBuffer {
  readonly dtype: Dtype
  readonly count: number
  /** Bytes from the start of the block's shared memory. */
  readonly offset: number
  readonly bytes: number
  readonly name: string
}

export type MemoryAccess = { readonly write: boolean } & (
  | { readonly space: 'shared'; readonly from: number; readonly to: number }
  | {
      readonly space: 'global'
      readonly view: TileNode
      /** Accesses with equal keys access the same elements by the same threads; null: unknown. */
      readonly key: string | null
      /** The key stands for other elements in the next iteration of a loop. */
      readonly varies: boolean
    }
)

/** `later`: b happens in a later iteration of a loop. */
function conflict(a: MemoryAccess, b: MemoryAccess, later = false): boolean {
  if (!a.write && !b.write) return false
  if (a.space === 'shared') return b.space === 'shared' && a.from < b.to && b.from < a.to
  if (b.space === 'shared' || !mayAlias(a.view, b.view)) return false
  return a.key === null || a.key !== b.key || (later && a.varies)
}

const sameAccess = (a: MemoryAccess, b: MemoryAccess): boolean =>
  a.write === b.write &&
  (a.space === 'shared'
    ? b.space === 'shared' && a.from === b.from && a.to === b.to
    : b.space === 'global' && a.view === b.view && a.key === b.key)

function added(list: readonly MemoryAccess[], more: readonly MemoryAccess[]): MemoryAccess[] {
  const result = [...list]
  for (const access of more) if (!result.some(known => sameAccess(known, access))) result.push(access)
  return result
}

/** A kernel needs more shared memory than a block can have. */
export class OutOfShared extends KernelError {
  override name = 'KernelError'
}

/** Accesses since the last barrier. */
interface Order {
  pending: MemoryAccess[]
  /** Accesses of the current loop body before its first barrier; null outside loops. */
  firsts: MemoryAccess[]
  open: boolean
}

const align = (bytes: number, to = 16): number => Math.ceil(bytes / to) * to

/** A request for shared memory. */
export interface Wanted {
  readonly dtype: Dtype
  readonly count: number
  readonly name: string
  /** Alignment in bytes; 16 by default. */
  readonly alignment?: number
}

/** Scratch buffers cycle through this many bytes, so that successive ones need no barrier between them. */
const ringBytes = 4096

/** A tile in shared memory, `start` elements into a buffer. */
export interface Staged {
  readonly buffer: SharedBuffer
  readonly layout: SharedLayout
  readonly start: LaneNode | null
}

export class SharedMemory {
  #order: Order = { pending: [], firsts: [], open: false }
  /** Bytes in use by enclosing loops. */
  #kept = 0
  #next = 0
  #peak = 0

  constructor(
    readonly limit: number,
    readonly emitBarrier: () => void,
  ) {}

  /** Bytes that a block needs. */
  get bytes(): number {
    return this.#peak
  }

  /** Memory for immediate use: the next scratch buffer may overlap it. */
  scratch(dtype: Dtype, count: number, name: string, at: SourceLocation | null): SharedBuffer {
    return this.together([{ dtype, count, name }], at)[0]!
  }

  /** Several scratch buffers that are used at the same time. */
  together(wanted: readonly Wanted[], at: SourceLocation | null): SharedBuffer[] {
    const total = wanted.reduce(
      (sum, { dtype, count, alignment }) => align(sum, alignment) + align(count * itemBytes(dtype)),
      0,
    )
    if (this.#next < this.#kept || this.#next + total > this.#kept + ringBytes) this.#next = this.#kept
    return wanted.map(({ dtype, count, name, alignment }) => {
      const bytes = align(count * itemBytes(dtype))
      this.#next = align(this.#next, alignment)
      const buffer = { dtype, count, offset: this.#next, bytes, name }
      this.#next += bytes
      this.#grow(buffer, at)
      return buffer
    })
  }

  /** Memory that lives until `release`: last in, first out. */
  keep({ dtype, count, name, alignment }: Wanted, at: SourceLocation | null): SharedBuffer {
    const bytes = align(count * itemBytes(dtype))
    const buffer = { dtype, count, offset: align(this.#kept, alignment), bytes, name }
    this.#kept = buffer.offset + bytes
    this.#next = this.#kept
    this.#grow(buffer, at)
    return buffer
  }

  release(buffer: SharedBuffer): void {
    this.#kept = buffer.offset
    this.#next = this.#kept
  }

  /** Bytes still free. */
  get free(): number {
    return this.limit - this.#kept
  }

  #grow({ offset, bytes, name }: SharedBuffer, at: SourceLocation | null): void {
    this.#peak = Math.max(this.#peak, offset + bytes)
    if (this.#peak <= this.limit) return
    throw new OutOfShared(
      `${name}: a block needs ${this.#peak} bytes of shared memory, the device has ${this.limit} for each`,
      { at, fix: 'use smaller tiles, or fewer stages' },
    )
  }

  /** Records an access, after a barrier if one is needed. */
  access(access: MemoryAccess): void {
    if (this.#order.pending.some(before => conflict(before, access))) this.barrier()
    this.note(access)
  }

  read({ offset, bytes }: SharedBuffer): void {
    this.access({ space: 'shared', from: offset, to: offset + bytes, write: false })
  }
  write({ offset, bytes }: SharedBuffer): void {
    this.access({ space: 'shared', from: offset, to: offset + bytes, write: true })
  }

  /** Records an access whose order the caller guarantees. */
  note(access: MemoryAccess): void {
    const order = this.#order
    order.pending = added(order.pending, [access])
    if (order.open) order.firsts = added(order.firsts, [access])
  }

  barrier(): void {
    this.emitBarrier()
    this.#order.pending = []
    this.#order.open = false
  }

  /** Runs `body`, which emits a loop's body once and calls `closeLoop` last: the body's end may precede its beginning. */
  loop<R>(body: () => R): R {
    const outer = this.#order
    this.#order = { pending: [...outer.pending], firsts: [], open: true }
    const made = body()
    const inner = this.#order
    this.#order = {
      pending: added(outer.pending, inner.pending),
      firsts: outer.open ? added(outer.firsts, inner.firsts) : outer.firsts,
      open: outer.open,
    }
    return made
  }

  /** Ends a loop's body: a barrier where its last accesses could conflict with its first ones. */
  closeLoop(): void {
    const { pending, firsts } = this.#order
    if (pending.some(last => firsts.some(first => conflict(last, first, true)))) this.barrier()
  }

  /** Runs the branches of an `if`, of which one executes. */
  branches(bodies: readonly (() => void)[]): void {
    const outer = this.#order
    const ends = bodies.map(body => {
      this.#order = { pending: [...outer.pending], firsts: outer.firsts, open: outer.open }
      body()
      return this.#order
    })
    this.#order = {
      pending: ends.reduce<MemoryAccess[]>((all, end) => added(all, end.pending), []),
      firsts: ends.reduce<MemoryAccess[]>((all, end) => added(all, end.firsts), []),
      open: ends.some(end => end.open),
    }
  }
}
