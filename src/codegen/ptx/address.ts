/**
 * Addresses. An index is a variable part plus a constant. The variable part, scaled and added to the pointer, is in a register
 * shared by all accesses in scope; the constant goes into the access: `[%x_at+16]`. The register is computed outside of the
 * loops in which it is invariant. 32-bit indices are assumed not to overflow; the lowering that creates them guarantees it.
 */
import { InternalError } from '../../base/errors.js'
import { type LaneNode, pointerType, valueType } from '../../lane/ir.js'
import type { Code } from './code.js'
import { bytesOf } from './types.js'
import type { Values } from './values.js'

export interface Address {
  readonly space: 'global' | 'local' | 'shared'
  /** A register or a variable. */
  readonly base: string
  /** Bytes. */
  readonly offset: number
}

/** `[base+offset]`, plus `more` bytes. */
export function addressText({ base, offset }: Address, more = 0): string {
  const total = offset + more
  return total === 0 ? `[${base}]` : `[${base}+${total}]`
}

/** A linear form of one index lane: lane `lane` of `node` (0 when `base` is null) plus a constant. */
interface Form {
  readonly base: { readonly node: LaneNode; readonly lane: number } | null
  readonly offset: bigint
}

export class Addresses {
  readonly #forms = new Map<LaneNode, Map<number, Form>>()

  constructor(
    readonly code: Code,
    readonly values: Values,
    /** The register that holds an argument's pointer. */
    readonly argument: (node: LaneNode) => string,
    /** The variable of an `alloc`. */
    readonly variable: (node: LaneNode) => string,
  ) {}

  /** The address of element `index` (its lane `lane`) in the memory at `pointer`. */
  of(pointer: LaneNode, index: LaneNode, lane = 0): Address {
    const { dtype, space } = pointerType(pointer)
    const size = bytesOf(dtype)
    const { base, offset } = this.#near(index, lane, size)
    const start = pointer.op === 'shared' ? pointer.attrs.offset : 0
    const bytes = start + Number(offset) * size
    if (base === null && space !== 'global') return { space, base: this.#memory(pointer), offset: bytes }
    if (base === null) return { space, base: this.argument(pointer), offset: bytes }
    return { space, base: this.#register(pointer, base.node, base.lane, size), offset: bytes }
  }

  /** The variable part of an access' address, without pointer and constants. */
  base(pointer: LaneNode, index: LaneNode, lane: number): Form['base'] {
    return this.#near(index, lane, bytesOf(pointerType(pointer).dtype)).base
  }

  /** The linear form of an index; the whole index is the variable part when the constant does not fit an instruction. */
  #near(index: LaneNode, lane: number, size: number): Form {
    const form = this.form(index, lane)
    const bytes = form.offset * BigInt(size)
    if (bytes > -(2n ** 30n) && bytes < 2n ** 30n) return form
    return { base: { node: index, lane }, offset: 0n }
  }

  form(node: LaneNode, lane: number): Form {
    const known = this.#forms.get(node)?.get(lane)
    if (known !== undefined) return known
    const form = this.#split(node, lane)
    const lanes = this.#forms.get(node) ?? new Map<number, Form>()
    lanes.set(lane, form)
    this.#forms.set(node, lanes)
    return form
  }

  /** A lane of an index as a node plus a constant. */
  #split(node: LaneNode, lane: number): Form {
    const whole: Form = { base: { node, lane }, offset: 0n }
    switch (node.op) {
      case 'const':
        return { base: null, offset: BigInt(node.attrs.value) }
      case 'iota':
        return { base: null, offset: BigInt(lane) }
      case 'splat':
        return this.form(node.inputs[0]!, 0)
      case 'extract':
        return this.form(node.inputs[0]!, node.attrs.lane)
      case 'slice':
        return this.form(node.inputs[0]!, node.attrs.from + lane)
      case 'concat':
        return this.#piece(node.inputs, lane)
      case 'cast':
        return node.attrs.to === 'i64' && valueType(node.inputs[0]!).dtype === 'i32'
          ? this.form(node.inputs[0]!, lane)
          : whole
      case 'map': {
        const { fn } = node.attrs
        if (fn !== 'add' && fn !== 'sub') return whole
        const [a, b] = node.inputs.map(input => this.form(input, lane)) as [Form, Form]
        if (b.base === null) return { base: a.base, offset: fn === 'add' ? a.offset + b.offset : a.offset - b.offset }
        return a.base === null && fn === 'add' ? { base: b.base, offset: a.offset + b.offset } : whole
      }
      default:
        return whole
    }
  }

  /** The address form of a lane of a concat. */
  #piece(pieces: readonly LaneNode[], lane: number): Form {
    let at = lane
    for (const piece of pieces) {
      const { lanes } = valueType(piece)
      if (at < lanes) return this.form(piece, at)
      at -= lanes
    }
    throw new InternalError(`PTX: no lane ${lane} in a concat`)
  }

  /** The variable at the start of the block's shared memory or the thread's local memory. */
  #memory(pointer: LaneNode): string {
    return pointer.op === 'shared' ? 'shared' : this.variable(pointer)
  }

  /** Records in the innermost frame that `register` holds the address `base` elements from a pointer. */
  know(pointer: LaneNode, base: LaneNode, register: string): void {
    this.code.frames.at(-1)!.addresses.set(keyOf(pointer, base, 0), register)
  }

  /** The register with the address of a base, computed once in the outermost frame where it is available. */
  #register(pointer: LaneNode, base: LaneNode, lane: number, size: number): string {
    const { space } = pointerType(pointer)
    const key = keyOf(pointer, base, lane)
    for (const frame of this.code.frames) {
      const known = frame.addresses.get(key)
      if (known !== undefined) return known
    }
    const frame = this.#home(base, pointer)
    const register = this.code.outside(frame, () => {
      const start = space === 'global' ? this.argument(pointer) : this.#start(pointer)
      const hint = space === 'global' ? `${start.slice(1)}_at` : `${this.#memory(pointer)}_at`
      const kind = space === 'global' ? 'b64' : 'b32'
      const made = this.code.registers.one(kind, hint)
      this.#scale(space, valueType(base).dtype === 'i64', this.values.element(base, lane), size, start, made)
      return made
    })
    this.code.frames[frame]!.addresses.set(key, register)
    return register
  }

  /** start + index · size. */
  #scale(space: Address['space'], isWide: boolean, index: string, size: number, start: string, dest: string): void {
    if (space === 'global') {
      if (isWide && size === 1) this.code.op('add.s64', dest, start, index)
      else this.code.op(isWide ? 'mad.lo.s64' : 'mad.wide.s32', dest, index, String(size), start)
      return
    }
    let short = index
    if (isWide) {
      short = this.code.temporary('b32')
      this.code.op('cvt.u32.u64', short, index)
    }
    if (size === 1) this.code.op('add.s32', dest, start, short)
    else this.code.op('mad.lo.s32', dest, short, String(size), start)
  }

  /** A register with the start of the block's shared or the thread's local memory, computed once per kernel. */
  #start(pointer: LaneNode): string {
    const name = this.#memory(pointer)
    const [root] = this.code.frames as [Code['frames'][number]]
    const known = root.addresses.get(name)
    if (known !== undefined) return known
    const register = this.code.registers.one('b32', `${name}_start`)
    this.code.once(() => this.code.op('mov.b32', register, name))
    root.addresses.set(name, register)
    return register
  }

  /** The frame in which an address of `base` is computed: hoisted out of loops in which it is invariant. */
  #home(base: LaneNode, pointer: LaneNode): number {
    const from = Math.max(this.values.frameOf(base), this.values.frameOf(pointer))
    const { frames } = this.code
    for (let depth = from + 1; depth < frames.length; depth++) if (frames[depth]!.isLoop) return depth - 1
    return frames.length - 1
  }
}

function keyOf(pointer: LaneNode, base: LaneNode, lane: number): string {
  const { space, dtype } = pointerType(pointer)
  return `${space === 'shared' ? 'shared' : pointer.id}+${base.id}.${lane}*${bytesOf(dtype)}`
}
