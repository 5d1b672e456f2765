/**
 * Calls of checkpointed functions in eager execution. What ops save of their values is dropped when the call ends, and saved again by
 * running the function again: with the same arguments, draws and modes it does the same, so what it saves then, in order, is what was
 * dropped.
 */
import { GradientError } from '../../base/errors.js'
import type { SourceLocation } from '../../base/source.js'

// What tensors, their memory and generators are here: they are built on this file.
interface Memory {
  readonly sequence: number
  version: number
  readonly changedAt: SourceLocation | null
}
export interface SavedValue {
  readonly source: object
  readonly dtype: string
  readonly shape: readonly number[]
}
interface RandomState {
  readonly seed: bigint
  readonly offset: bigint
}

/** A tensor that is saved for a gradient (saved.ts). */
interface Saved {
  readonly tensor: SavedValue | null
  /** Lets go of the tensor, which `part` will bring back. */
  drop(part: RecomputedPart): void
  /** Takes over what another one saved. */
  takeOver(other: Saved): void
}

interface Draw {
  readonly generator: object
  readonly count: number
  readonly state: RandomState
}

/** The innermost call that runs. */
let innermost: RecomputedPart | null = null

/** How often storages have been made: those with smaller numbers are older. */
let storages = 0
export const nextStorageNumber = (): number => storages++

export class RecomputedPart {
  readonly #name: string
  /** Gives what runs the function again, as it ran. */
  readonly #prepare: () => () => void
  readonly #outer: RecomputedPart | null = innermost
  /** Older storages are from outside. */
  #oldest = storages
  /** What ops saved, in order; null: it was from outside, and stays saved. */
  readonly #dropped: { readonly saved: Saved | null; readonly type: string }[] = []
  /** What ops save while the function runs. */
  #saved: Saved[] = []
  readonly #draws: Draw[] = []
  /** How many draws were repeated; null: the function runs for the first time. */
  #repeated: number | null = null
  /** Memory from outside that the function reads, with its version. */
  readonly #read = new Map<Memory, number>()
  /** Memory from outside that the function changes, and how to bring back what was there before, last change last. */
  readonly #written = new Set<Memory>()
  readonly #undo: ((swap: boolean) => void)[] = []
  /** What it needs to run again. */
  readonly kept: () => readonly SavedValue[]

  /** `name`: of the function; `prepare` gets the arguments that it got, which `kept` gives, and gives what runs it with them. */
  constructor(name: string, prepare: () => () => void, kept: () => readonly SavedValue[]) {
    this.#name = name
    this.#prepare = prepare
    this.kept = kept
  }

  /** Runs the function for the first time. */
  run<R>(body: () => R): R {
    const value = this.#within(body)
    for (const storage of this.#written) if (this.#read.has(storage)) this.#read.set(storage, storage.version)
    for (const saved of this.#saved) {
      const isOwn = saved.tensor !== null && this.#isInside(saved.tensor.source as Memory)
      this.#dropped.push({ saved: isOwn ? saved : null, type: typeText(saved) })
      if (isOwn) saved.drop(this)
      else this.#outer?.add(saved)
    }
    this.#saved = []
    return value
  }

  #within<R>(body: () => R): R {
    const before = innermost
    innermost = this
    try {
      return body()
    } finally {
      innermost = before
    }
  }

  #isInside(storage: Memory): boolean {
    return storage.sequence >= this.#oldest
  }

  add(saved: Saved): void {
    this.#saved.push(saved)
  }

  /** Brings back what was dropped. Throws GradientError where the function does something else now. */
  recompute(): void {
    for (const [storage, version] of this.#read) if (storage.version !== version) throw this.#changed(storage)
    const again = this.#prepare()
    this.#repeated = 0
    this.#saved = []
    this.#oldest = storages
    const versions = [...this.#written].map(storage => storage.version)
    for (const undo of this.#undo.toReversed()) undo(true)
    try {
      this.#within(again)
    } finally {
      for (const undo of this.#undo) undo(false)
      for (const [i, storage] of [...this.#written].entries()) storage.version = versions[i]!
    }
    const found = this.#saved
    this.#saved = []
    const count = this.#dropped.length
    if (found.length !== count) throw this.#differs(`it saves ${found.length} values, and saved ${count}`)
    for (const [i, { saved, type }] of this.#dropped.entries()) {
      const other = found[i]!
      if (typeText(other) !== type)
        throw this.#differs(`value ${i} that it saves is ${typeText(other)}, and was ${type}`)
      if (saved !== null && other.tensor !== null) saved.takeOver(other)
    }
    this.#dropped.length = 0
  }

  #differs(what: string): GradientError {
    return new GradientError(
      `checkpoint: ${this.#name} does something else when it is run again for its gradient: ${what}`,
      { fix: 'let it depend on its arguments, and on what does not change before the backward pass, only' },
    )
  }

  #changed(storage: Memory): GradientError {
    const at = storage.changedAt
    const place = at === null ? '' : ` at ${at.file}:${at.line}`
    return new GradientError(
      `checkpoint: a tensor that ${this.#name} reads was changed in place${place}, so it cannot be run again for its gradient`,
      { fix: 'change a clone() of it, or change it after the backward pass' },
    )
  }

  // --- what the function does while it runs ------------------------------------------------------------------------

  /** The state of a draw: what it was when the function ran first. */
  draw(generator: object, count: number, fresh: () => RandomState): RandomState {
    if (this.#repeated === null) {
      const state = this.#outer === null ? fresh() : this.#outer.draw(generator, count, fresh)
      this.#draws.push({ generator, count, state })
      return state
    }
    const known = this.#draws[this.#repeated++]
    if (known === undefined || known.generator !== generator || known.count !== count)
      throw this.#differs('it draws other random numbers')
    return known.state
  }

  noteRead(storage: Memory): void {
    // What an outer call makes is left to it, or it would be kept.
    if (this.#outer !== null) this.#outer.noteRead(storage)
    else if (this.#repeated === null && !this.#isInside(storage) && !this.#read.has(storage))
      this.#read.set(storage, storage.version)
  }

  /** Called before memory is written. `copy` gives the way to exchange what is there for what was there before, and back. */
  beforeWrite(storage: Memory, copy: () => (swap: boolean) => void): void {
    if (this.#repeated === null && !this.#isInside(storage)) {
      this.#written.add(storage)
      this.#undo.push(copy())
    }
    this.#outer?.beforeWrite(storage, copy)
  }

  /** Throws GradientError for a change of memory from outside that cannot be undone. */
  afterChange(storage: Memory): void {
    if (!this.#isInside(storage) && !this.#written.has(storage) && this.#repeated === null)
      throw new GradientError(
        `checkpoint: ${this.#name} changes memory from outside, which would happen again when it is run again for its gradient`,
        {
          fix: 'let the kernel or the compiled function write what the checkpointed function makes, or call it outside',
        },
      )
    this.#outer?.afterChange(storage)
  }
}

const typeText = ({ tensor }: Saved): string =>
  tensor === null ? 'freed' : `${tensor.dtype}[${tensor.shape.join(', ')}]`

/** The call of a checkpointed function that runs; null: none. */
export const runningPart = (): RecomputedPart | null => innermost
