/** Operands of PTX text, taken apart once, before an instruction runs many times: for machine.ts. */

/** A register's bits: numbers up to 32 of them, bigints for 64, booleans for predicates. */
export type Bits = number | bigint | boolean

export interface Operand {
  readonly text: string
  /** A register's number; −1: no register. */
  readonly register: number
  /** What is the same for all threads. */
  readonly constant: Bits | undefined
  /** Of `{a, b}` its parts, else the operand itself. */
  readonly items: readonly Operand[]
  /** Of `[register+offset]` the register, and the offset. */
  readonly base: Operand | null
  readonly offset: number
}

function alone(operand: Omit<Operand, 'items'>): Operand {
  const items: Operand[] = []
  const made = { ...operand, items }
  items.push(made)
  return made
}

/** The names that a kernel's operands may have; each operand is made once, however often it is written. */
export class Names {
  readonly locals = new Map<string, { readonly offset: number }>()
  readonly #registers = new Map<string, number>()
  readonly #operands = new Map<string, Operand>()

  /** How many registers there are so far. */
  get registers(): number {
    return this.#registers.size
  }

  register(name: string): number {
    const known = this.#registers.get(name)
    if (known !== undefined) return known
    this.#registers.set(name, this.#registers.size)
    return this.#registers.size - 1
  }

  operand(text: string): Operand {
    const known = this.#operands.get(text)
    if (known !== undefined) return known
    const made = this.#take(text)
    this.#operands.set(text, made)
    return made
  }

  #take(text: string): Operand {
    const plain = { text, register: -1, constant: undefined, base: null, offset: 0 }
    if (text.startsWith('{')) {
      const parts = text.slice(1, -1).split(',')
      return { ...plain, items: parts.map(part => this.operand(part.trim())) }
    }
    if (text.startsWith('%')) return alone({ ...plain, register: this.register(text) })
    const address = /^\[([%\w]+)(?:\+(-?\d+))?\]$/.exec(text)
    if (address === null) return alone({ ...plain, constant: this.#constant(text) })
    return alone({ ...plain, base: this.operand(address[1]!), offset: Number(address[2] ?? 0) })
  }

  #constant(text: string): Bits | undefined {
    const float = /^0([fd])([0-9A-F]+)$/.exec(text)
    if (float !== null) return float[1] === 'f' ? Number.parseInt(float[2]!, 16) : BigInt(`0x${float[2]}`)
    if (/^-?\d/.test(text)) {
      const value = text.startsWith('-') ? -BigInt(text.slice(1)) : BigInt(text)
      return value >= -(2n ** 31n) && value < 2n ** 32n ? Number(value) : BigInt.asUintN(64, value)
    }
    return text === 'shared' ? 0 : this.locals.get(text)?.offset
  }
}
