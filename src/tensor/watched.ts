/**
 * Objects whose changes are counted, such as the modules of `tegula/nn`. A compiled function that used one need not look
 * through its fields at each call: it compares one number, and looks again only when that has moved.
 */
import { currentTrace } from './trace.js'

/** How often the fields of a set of objects were changed. Sets can be joined, which counts as a change. */
export class Epoch {
  #above: Epoch | null = null
  #count = 0

  /** The changes so far of all objects in the set. */
  get count(): number {
    return this.#above === null ? this.#count : this.#root().#count
  }

  bump(): void {
    this.#root().#count++
  }

  /** Makes one set of two. */
  join(other: Epoch): void {
    const [a, b] = [this.#root(), other.#root()]
    if (a === b) return
    b.#above = a
    a.#count = Math.max(a.#count, b.#count) + 1
  }

  /** Whether both count the changes of one set. */
  isSame(other: Epoch): boolean {
    return this.#root() === other.#root()
  }

  #root(): Epoch {
    if (this.#above === null) return this
    this.#above = this.#above.#root()
    return this.#above
  }
}

const watchers = new WeakMap<object, { readonly epoch: Epoch; readonly target: object }>()

/** The count of an object's changes; null: they are not counted. */
export const epochOf = (object: object): Epoch | null => watchers.get(object)?.epoch ?? null

/** What an object whose changes are counted is a proxy of; any other object itself. Reading it reports nothing. */
export const unwatched = (object: object): object => watchers.get(object)?.target ?? object

/** Throws where `value` may not become the field `key` of `target`. */
export type FieldCheck = (target: object, key: string | symbol, value: unknown) => void

/**
 * A proxy of `target` whose changes are counted, and checked before. Each use of it during a capture is reported to the tracer, before it
 * happens, so that the compiled function guards the object whether it is an argument or closed over.
 */
export function watch<T extends object>(target: T, check: FieldCheck): T {
  const watcher = new Watcher<T>(check)
  const proxy = new Proxy(target, watcher)
  watcher.proxy = proxy
  watchers.set(proxy, { epoch: watcher.epoch, target })
  return proxy
}

class Watcher<T extends object> implements ProxyHandler<T> {
  readonly epoch = new Epoch()
  declare proxy: T

  constructor(readonly check: FieldCheck) {}

  get(target: T, key: string | symbol, receiver: unknown): unknown {
    this.#report()
    return Reflect.get(target, key, receiver)
  }

  ownKeys(target: T): (string | symbol)[] {
    this.#report()
    return Reflect.ownKeys(target)
  }

  /** Assignments come here too. */
  defineProperty(target: T, key: string | symbol, change: PropertyDescriptor): boolean {
    const isKept = 'value' in change && Object.hasOwn(target, key) && Object.is(Reflect.get(target, key), change.value)
    if (!isKept) {
      if ('value' in change) this.check(target, key, change.value)
      this.#changed()
    }
    return Reflect.defineProperty(target, key, change)
  }

  deleteProperty(target: T, key: string | symbol): boolean {
    this.#changed()
    return Reflect.deleteProperty(target, key)
  }

  setPrototypeOf(target: T, prototype: object | null): boolean {
    this.#changed()
    return Reflect.setPrototypeOf(target, prototype)
  }

  #changed(): void {
    this.#report()
    this.epoch.bump()
  }

  #report(): void {
    currentTrace()?.watched(this.proxy)
  }
}
