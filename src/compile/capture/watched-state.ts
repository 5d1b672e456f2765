/**
 * The objects with counted changes (tensor/watched.ts: modules) that a function uses while it is traced, and everything that
 * they hold. Unlike arguments they are not searched for tensors to replace: a tensor in a module is closed over, by identity.
 * What the function writes into them is undone after the trace and repeated at each call, as for arguments. Versions are
 * guarded by their content; it is compared when the count of changes has moved, and for containers that are not counted
 * (arrays, Maps, plain objects) at each call.
 */
import { CaptureError } from '../../base/errors.js'
import { isGuarded } from '../../base/guard-key.js'
import { TensorHandle } from '../../tensor/handle.js'
import type { Tensor } from '../../tensor/tensor.js'
import { type Epoch, epochOf, unwatched } from '../../tensor/watched.js'
import { type Change, type Content, changeOf, contentOf, holdsContent, setContent } from './argument-state.js'
import { type GuardedState, guardedState, isSameGuardState } from './argument-tree.js'
import { isBytes, isWalkable } from './objects.js'
import { describeTree, describeValue, type TreeContext } from './tree.js'

/** An object as a trace found it. */
export interface SeenObject {
  readonly object: object
  /** The same, where reading is faster (and nothing may be written). */
  readonly inside: object
  /** `Net.layers`, for messages. */
  readonly path: string
  readonly prototype: object | null
  readonly content: Content
  /** The count of its changes; null: they are not counted. */
  readonly epoch: Epoch | null
  readonly guarded: GuardedState | null
}

/** An argument that a watched object holds too: calls must pass this very object. */
export interface HeldArgument {
  readonly object: object
  /** Among the objects of the arguments. */
  readonly argument: number
  readonly path: string
}

/** What a version assumes of watched objects. */
export interface WatchedContent {
  readonly objects: readonly SeenObject[]
  readonly held: readonly HeldArgument[]
}

export class WatchedState implements WatchedContent {
  readonly objects: SeenObject[] = []
  readonly held: HeldArgument[] = []
  readonly #indices = new Map<unknown, number>()
  readonly #paths = new Map<unknown, string>()
  /** Looking at an object reports its use. */
  #isWalking = false
  /** The objects of the call's arguments, which are guarded as such. */
  #args: readonly object[] = []

  /** What versions keep: without the call's arguments. */
  get content(): WatchedContent {
    return { objects: this.objects, held: this.held }
  }

  start(args: readonly object[]): void {
    this.#args = args
  }

  /** The function uses a watched object: its content before that is kept, and that of all it holds. */
  note(object: object): void {
    if (this.#isWalking || this.#indices.has(object)) return
    this.#isWalking = true
    try {
      this.#walk(object, describeClass(object), null)
    } finally {
      this.#isWalking = false
    }
  }

  /** The name of a tensor in a watched object; null: it was in none. */
  pathOf(tensor: Tensor): string | null {
    return this.#paths.get(tensor) ?? null
  }

  /** How a change or a result refers to an object: −1 of the first one; null: it is none of them. */
  indexOf(object: object): number | null {
    const index = this.#indices.get(object)
    return index === undefined || index < 0 ? null : -1 - index
  }

  /** What the function wrote; its tensors are appended to `results`. Throws CaptureError as ArgumentState does. */
  changes(results: Tensor[], context: TreeContext): Change[] {
    return this.objects.flatMap(({ object, content, path }, i) => {
      if (holdsContent(object, content)) return []
      return [
        changeOf(-1 - i, path, content, contentOf(object), (value, at) => describeTree(value, results, at, context)),
      ]
    })
  }

  restore(): void {
    for (const { object, content } of this.objects) if (!holdsContent(object, content)) setContent(object, content)
  }

  /** `tree`: the count of the watched object that holds this one. */
  #walk(value: unknown, path: string, tree: Epoch | null): void {
    if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return
    if (value instanceof TensorHandle) {
      if (!this.#paths.has(value)) this.#paths.set(value, path)
      return
    }
    const epoch = epochOf(value)
    if (epoch !== null) tree?.join(epoch)
    if (this.#indices.has(value)) return
    const argument = this.#args.indexOf(value)
    if (argument >= 0) {
      this.#indices.set(value, -1)
      this.held.push({ object: value, argument, path })
      return
    }
    const guarded = isGuarded(value) ? guardedState(value, path) : null
    if (!this.#hasContent(value, path, epoch, guarded)) return
    const content = contentOf(value)
    this.#indices.set(value, this.objects.length)
    const prototype = Object.getPrototypeOf(value) as object | null
    this.objects.push({ object: value, inside: unwatched(value), path, prototype, content, epoch, guarded })
    for (const [place, item] of itemsOf(content, path)) this.#walk(item, place, epoch ?? tree)
  }

  /**
   * Whether an object's content is guarded. Others, such as functions and instances of classes with private fields, count as
   * what they are, like all that a function closes over. Throws CaptureError for a watched one with private fields.
   */
  #hasContent(value: object, path: string, epoch: Epoch | null, guarded: GuardedState | null): boolean {
    if (guarded !== null || isContainer(value)) return true
    if (epoch === null) return typeof value === 'object' && isWalkable(value)
    if (isWalkable(value)) return true
    throw new CaptureError(`compile: ${path} is of a class with private fields, whose changes cannot be seen`, {
      fix: 'declare the fields private for TypeScript only, or give the class a method [guardKey]() that returns what calls depend on',
    })
  }
}

const isContainer = (value: object): boolean =>
  Array.isArray(value) || value instanceof Map || value instanceof Set || value instanceof Date || isBytes(value)

const describeClass = (object: object): string => object.constructor?.name || 'module'

/** What a container holds, with its place. */
function* itemsOf(content: Content, path: string): Generator<readonly [place: string, item: unknown]> {
  if (!('items' in content)) return
  for (const [i, item] of (content.items as readonly unknown[]).entries()) {
    if (!('keys' in content)) yield [`${path}[${i}]`, item]
    else {
      const key = content.keys[i]
      if (content.kind === 'map') yield [`${path} (a key)`, key]
      yield [content.kind === 'map' ? `${path}.get(${describeValue(key)})` : `${path}.${String(key)}`, item]
    }
  }
}

/** Guards a version by the content of watched objects. */
export class WatchedGuard {
  /** One per tree of objects, with its count when all was last as assumed. */
  readonly #trees: { readonly epoch: Epoch; count: number }[] = []
  /** What is compared at each call. */
  readonly #open: readonly SeenObject[]

  constructor(readonly assumed: WatchedContent) {
    for (const { epoch } of assumed.objects) {
      if (epoch !== null && !this.#trees.some(tree => tree.epoch.isSame(epoch))) this.#trees.push({ epoch, count: -1 })
    }
    this.#open = assumed.objects.filter(isOpen)
  }

  /** Whether all is as assumed; `args`: the objects of the call's arguments. */
  matches(args: readonly object[]): boolean {
    for (let i = 0; i < this.#open.length; i++) if (!isAsSeen(this.#open[i]!)) return false
    for (let i = 0; i < this.assumed.held.length; i++) {
      if (args[this.assumed.held[i]!.argument] !== this.assumed.held[i]!.object) return false
    }
    for (let i = 0; i < this.#trees.length; i++) {
      if (this.#trees[i]!.epoch.count !== this.#trees[i]!.count) return this.#lookAgain()
    }
    return true
  }

  /** Whether all objects hold what they held. */
  isPresent(): boolean {
    return this.assumed.objects.every(isAsSeen)
  }

  #lookAgain(): boolean {
    if (!this.isPresent()) return false
    for (const tree of this.#trees) tree.count = tree.epoch.count
    return true
  }

  /** Why it does not match; null when it does. */
  explain(args: readonly object[]): string | null {
    const held = this.assumed.held.find(({ argument, object }) => args[argument] !== object)
    if (held !== undefined) return `${held.path} was passed as an argument too`
    const changed = this.assumed.objects.find(seen => !isAsSeen(seen))
    return changed === undefined ? null : difference(changed)
  }
}

/** Whether its content can change without being counted. */
const isOpen = ({ object, epoch, guarded }: SeenObject): boolean =>
  guarded !== null || (epoch === null && !Object.isFrozen(object))

const isAsSeen = ({ inside, prototype, content, guarded }: SeenObject): boolean =>
  Object.getPrototypeOf(inside) === prototype &&
  holdsContent(inside, content) &&
  (guarded === null || isSameGuardState(guarded))

function difference({ object, path, content }: SeenObject): string {
  const now = contentOf(object)
  if (!('items' in content) || !('items' in now)) return `${path} holds something else`
  const places = new Map(itemsOf(now, path))
  for (const [place, item] of itemsOf(content, path)) {
    if (!places.has(place)) return `${place} is gone`
    if (!Object.is(places.get(place), item))
      return `${place} was ${describeValue(item)}, now ${describeValue(places.get(place))}`
  }
  const before = new Set([...itemsOf(content, path)].map(([place]) => place))
  const added = [...places.keys()].find(place => !before.has(place))
  return added === undefined ? `${path} changed` : `${added} is new`
}

/** Whether two traces used the same objects, in the same order. */
export const sameObjects = (a: WatchedContent, b: WatchedContent): boolean =>
  a.objects.length === b.objects.length && a.objects.every(({ object }, i) => object === b.objects[i]!.object)
