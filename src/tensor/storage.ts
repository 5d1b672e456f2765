/**
 * The memory behind tensors. A storage is garbage-collected with the tensors that show it; `free` gives its memory back at
 * once. There is no registry of storages, not even a weak one: a WeakRef keeps its target alive until the event loop's next
 * turn, so a long synchronous loop could never be collected. `memorySummary()` asks the heap instead.
 */

import { unclonable } from '../base/local.js'
import { keepInstance } from '../base/resident.js'
import { locationOf, type SourceLocation, takeTrace } from '../base/source.js'
import type { DeviceBlock, TensorMemory } from '../runtime/device.js'
import { isInference } from './autograd/mode.js'
import { nextStorageNumber, runningPart } from './autograd/recomputation.js'
import type { Device } from './device.js'
import { inspectCustom } from './inspect.js'

/** Frames of ours above the user's call that changes a tensor in place. */
const deepestChange = 20

/** Makes structuredClone of a tensor throw; the first field of a storage, so that its bytes are never copied. */
const notCloned = unclonable(
  "a tensor's memory belongs to its process; send await x.data(), x.shape and x.dtype, and make the tensor there: " +
    'tensor(data, { dtype }).reshape(shape)',
)

export class Storage {
  readonly unclonable = notCloned
  /** On the prototype, so it takes no memory per instance. */
  declare readonly kind: 'storage'
  /** The op or function that made it, for `memorySummary()`. */
  label = ''
  readonly block: DeviceBlock
  /** Bytes of the elements; the block may be larger. */
  readonly bytes: number
  readonly device: Device
  readonly memory: TensorMemory
  /** Made in inference mode: it takes no part in gradients. */
  readonly isInference: boolean
  /** Scopes do not free it: it became the gradient of a tensor that may be from outside. */
  outlivesScopes = false
  /** Later ones have larger numbers. */
  readonly sequence = nextStorageNumber()
  /** Counts changes of the content, so that a gradient notices when what it needs was overwritten. */
  version = 0
  /** How many recorded ops need the content of now. While there are some, the place of a change is kept. */
  saved = 0
  #changed: { readonly stack?: string | undefined } | null = null
  #freed: Freed | null = null

  constructor(block: DeviceBlock, bytes: number, device: Device, memory: TensorMemory) {
    this.block = block
    this.bytes = bytes
    this.device = device
    this.memory = memory
    this.isInference = isInference()
    innermostScope?.push(this)
  }

  /** How it was freed, or null while it is alive. */
  get freed(): Freed | null {
    return this.#freed
  }

  /** To be called by whatever changes the content. */
  changed(): void {
    this.version++
    if (this.saved > 0) this.#changed = takeTrace(deepestChange)
    runningPart()?.afterChange(this)
  }

  /** The line of the last change while something was saved. */
  get changedAt(): SourceLocation | null {
    return this.#changed === null ? null : locationOf(this.#changed)
  }

  /** Gives the memory back. Later uses of its tensors throw DisposedError, which quotes `freed`. Twice does nothing. */
  free(freed: Freed): void {
    if (this.#freed !== null) return
    this.#freed = freed
    this.memory.release(this.block)
  }

  /** The heap walk of `memorySummary()` hands out objects as inspected text only, so this is JSON. */
  [inspectCustom](): string {
    const bytes = #freed in this && this.#freed === null ? this.bytes : 0 // a deep clone holds nothing of ours
    const { device } = this
    return JSON.stringify({ label: this.label || 'unnamed', device, bytes } satisfies StorageDescription)
  }
}

Object.defineProperty(Storage.prototype, 'kind', { value: 'storage' })

export interface StorageDescription {
  readonly label: string
  readonly device: Device
  /** 0 once freed. */
  readonly bytes: number
}

/**
 * Capturing a stack takes 10 to 20 µs, as long as several small calls: a thousand in ten seconds are 0.2 % of them. The
 * first iterations of a program show where tensors are freed, and so does what a server does after hours.
 */
const tracedEnds = 1000
const renewedEvery = 10_000 // ms
const clockEvery = 100
let ends = 0
let renewed = 0

/** From here on, the next thousand tensors to be freed are told where. */
export function renewTracedEnds(): void {
  ends = 0
  renewed = performance.now()
}

function isTracedEnd(): boolean {
  if (ends++ < tracedEnds) return true
  // The clock is read once in a hundred: the others cost an addition.
  if (ends % clockEvery === 0 && performance.now() - renewed > renewedEvery) renewTracedEnds()
  return false
}

/** How a tensor was freed and, for a thousand in ten seconds, where. The stack is resolved to a line on demand. */
export class Freed {
  readonly #trace: { readonly stack?: string | undefined } | null

  /** `how` completes the sentence "the tensor was …": `disposed`, `freed with its scope`. */
  constructor(readonly how: string) {
    this.#trace = isTracedEnd() ? takeTrace(10) : null
  }

  get at(): SourceLocation | null {
    return this.#trace === null ? null : locationOf(this.#trace)
  }

  toString(): string {
    const { at } = this
    return at === null ? this.how : `${this.how} at ${at.file}:${at.line}`
  }
}

let innermostScope: Storage[] | null = null

keepInstance(new Storage(null as never, 0, 'cpu', null as never))
keepInstance(new Freed(''))

/** Runs `body`, collecting the storages made meanwhile; `end` decides their fate before the outer scope goes on. */
export function collectStorages<R>(body: () => R, end: (made: readonly Storage[], outcome: Outcome<R>) => void): R {
  const outer = innermostScope
  const made: Storage[] = []
  innermostScope = made
  let outcome: Outcome<R> = { ok: false }
  try {
    const value = body()
    outcome = { ok: true, value }
    return value
  } finally {
    innermostScope = outer
    end(made, outcome)
    if (outer !== null) for (const storage of made) if (storage.freed === null) outer.push(storage)
  }
}

/** Runs `make` outside of every scope, so that its tensors stay alive (constants of a captured function). */
export function outsideScopes<R>(make: () => R): R {
  const outer = innermostScope
  innermostScope = null
  try {
    return make()
  } finally {
    innermostScope = outer
  }
}

export type Outcome<R> = { readonly ok: true; readonly value: R } | { readonly ok: false }
