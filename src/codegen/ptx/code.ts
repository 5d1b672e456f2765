/**
 * The text of one kernel under construction: instructions, registers, and frames. Each block of the program has a frame. Values
 * computed in it (in another form, or as addresses) are reused until the frame closes. A loop's frame is emitted when it
 * closes, after everything in the enclosing frame, so code hoisted to an outer frame meanwhile precedes the loop.
 */
import type { LaneNode } from '../../lane/ir.js'
import type { CudaArch } from '../../target/cuda.js'
import { commentOf } from './literal.js'
import { type RegisterKind, Registers } from './registers.js'

/** A node's value in registers: one register (or immediate) per element, 32-bit words of packed elements, or both. */
export interface Held {
  readonly elements?: readonly string[]
  readonly words?: readonly string[]
}

export interface Frame {
  readonly isLoop: boolean
  readonly values: Map<LaneNode, Held>
  /** Registers that hold addresses, by pointer and index. */
  readonly addresses: Map<string, string>
  readonly lines: string[]
}

const newFrame = (isLoop: boolean): Frame => ({ isLoop, values: new Map(), addresses: new Map(), lines: [] })

export class Code {
  readonly registers = new Registers()
  readonly frames: Frame[] = [newFrame(false)]
  /** Code at the kernel's start: values that are computed once per kernel, on first request. */
  readonly prologue: string[] = []
  /** Declarations of variables in this thread's local memory. */
  readonly variables: string[] = []
  /** The frame that instructions go to. */
  #target = 0
  #inPrologue = false
  #predicate = ''

  constructor(
    readonly arch: CudaArch,
    /** Called with the PTX version that an instruction needs. */
    readonly needs: (version: number) => void,
  ) {}

  get depth(): number {
    return this.frames.length - 1
  }

  /** Appends an instruction; a comment gives the values of float immediates. */
  op(name: string, ...operands: readonly string[]): void {
    this.#line(`${this.#predicate}${name} ${operands.join(', ')};${commentOf(operands)}`)
  }

  /** An instruction without operands. */
  bare(name: string): void {
    this.#line(`${this.#predicate}${name};`)
  }

  comment(text: string): void {
    this.#line(`// ${text}`)
  }

  label(name: string): void {
    this.frames[this.#target]!.lines.push(`${'  '.repeat(this.#target)}${name}:`)
  }

  /** Predicates instructions on the predicate (`%p`) or its negation (`!%p`). */
  where(predicate: string, write: () => void): void {
    const before = this.#predicate
    this.#predicate = `@${predicate} `
    write()
    this.#predicate = before
  }

  /** A jump; with `condition` only where the predicate holds (`uniform`: for all threads of a warp alike). */
  branch(label: string, condition: { readonly predicate: string; readonly uniform: boolean } | null = null): void {
    const write = (): void => this.op(condition?.uniform === true ? 'bra.uni' : 'bra', label)
    if (condition === null) this.op('bra.uni', label)
    else this.where(condition.predicate, write)
  }

  temporary(kind: RegisterKind): string {
    return this.registers.temporary(kind)
  }

  /** Runs `write` in a new frame. */
  within(isLoop: boolean, write: () => void): void {
    this.frames.push(newFrame(isLoop))
    this.#target = this.depth
    write()
    const { lines } = this.frames.pop()!
    this.#target = this.depth
    for (const line of lines) this.frames[this.#target]!.lines.push(line)
  }

  /** Writes to an outer frame: hoists code out of the loops in between. */
  outside<R>(frame: number, write: () => R): R {
    const before = this.#target
    const predicate = this.#predicate
    this.#target = frame
    this.#predicate = ''
    const result = write()
    this.#target = before
    this.#predicate = predicate
    return result
  }

  /** Writes to the kernel's start. */
  once(write: () => void): void {
    const [inPrologue, predicate] = [this.#inPrologue, this.#predicate]
    this.#inPrologue = true
    this.#predicate = ''
    write()
    this.#inPrologue = inPrologue
    this.#predicate = predicate
  }

  #line(text: string): void {
    if (this.#inPrologue) this.prologue.push(`  ${text}`)
    else this.frames[this.#target]!.lines.push(`${'  '.repeat(this.#target + 1)}${text}`)
  }
}
