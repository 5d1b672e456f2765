/// <reference lib="esnext.disposable" preserve="true" />
/**
 * What a tensor is made of, without its operations: a source of data (memory, or a traced value during capture), a dtype
 * and a layout. `Tensor` adds the operations; layers of this folder that it builds on see only this.
 */
import { ArgumentError, type CaptureError, DisposedError, InternalError } from '../base/errors.js'
import type { Size } from '../scalar/size.js'
import type { Dtype, TensorDtype } from '../types/dtype.js'
import type { Device } from './device.js'
import { elementCount, type TensorLayout } from './layout.js'
import { Freed, type Storage } from './storage.js'
import { captureRefusal, currentTrace, isOpen, type Traced } from './trace.js'

const notATensor = (): ArgumentError =>
  new ArgumentError('a proxy or a copy of a tensor is used as a tensor', {
    fix: 'pass the tensor itself, kept out of reactive objects and deep clones; x.clone() copies a tensor',
  })

/** What gradients need to know of a tensor (autograd/history.ts). */
export interface TensorHistory {
  /** What made it; null: it requires no gradient. */
  readonly node: object | null
}

export class TensorHandle {
  /** A tensor dtype; formats of quantised storage are not. */
  readonly dtype: TensorDtype
  /** Memory, or the traced value during a capture. For the compiler; use `dataSync()` and friends to read. */
  readonly source: Storage | Traced
  /** Null: it takes no part in gradients. For the library. */
  history: TensorHistory | null = null
  readonly #layout: TensorLayout | null
  /** It owns the memory, so disposing it frees the memory; disposing a view only ends the view. */
  #owner: boolean
  #freed: Freed | null = null

  /**
   * @param layout null for traced tensors, whose shape is their node's
   * @param owner false for a view of another tensor's memory
   */
  constructor(source: Storage | Traced, dtype: Dtype, layout: TensorLayout | null, owner = true) {
    this.source = source
    this.dtype = dtype as TensorDtype
    this.#layout = layout
    this.#owner = owner
  }

  /** Sizes per dim. Reading a dim whose size is symbolic during a capture specialises the capture to that size. */
  get shape(): readonly number[] {
    return TensorHandle.#layoutOf(this)?.shape ?? this.#tracedShape()
  }

  /** Elements between neighbours per dim. */
  get strides(): readonly number[] {
    return TensorHandle.#layoutOf(this)?.strides ?? this.#traced().tracer.stridesRead(this)
  }

  /** How many dims; 0 of a scalar. */
  get ndim(): number {
    return TensorHandle.#layoutOf(this)?.rank ?? this.#traced().sizes.length
  }

  /** Number of elements. */
  numel(): number {
    return TensorHandle.#layoutOf(this)?.elements ?? elementCount(this.#tracedShape())
  }

  /** The device that stores it. */
  get device(): Device {
    return this.source.device
  }

  /** The shape as the compiler sees it: symbolic sizes stay symbolic and nothing is specialised. */
  get sizes(): readonly Size[] {
    return TensorHandle.#layoutOf(this)?.shape ?? this.#traced().sizes
  }

  /** Shape, strides and offset in memory. Throws CaptureError for a traced tensor, which has no memory. */
  get layout(): TensorLayout {
    const layout = TensorHandle.#layoutOf(this)
    if (layout !== null) return layout
    this.requireInCapture('compile')
    throw captureRefusal(`the memory of ${this.describe()} is asked for while the function is being captured`, {
      fix: 'do it outside of the compiled function',
    })
  }

  /** The memory. Throws DisposedError when it was freed, CaptureError for a traced tensor. `op` names the reader. */
  storage(op: string): Storage {
    this.requireAlive(op, 'the tensor')
    if (this.source.kind === 'storage') return this.source
    this.requireInCapture(op)
    throw captureRefusal(`${op}: ${this.describe()} has no values while the function is being captured`, {
      fix: 'do it outside of the compiled function, on a tensor that it returns',
    })
  }

  /** True when the elements are stored in row-major order without gaps. */
  isContiguous(): boolean {
    const layout = TensorHandle.#layoutOf(this)
    return layout !== null ? layout.isContiguous : this.#traced().tracer.isContiguous(this)
  }

  /** True after `dispose()`, or when the memory was freed with its owner or scope. */
  get disposed(): boolean {
    return this.freed !== null
  }

  /** How it ended, for errors; null while it lives. For the compiler. */
  get freed(): Freed | null {
    if (!(#freed in this)) throw notATensor()
    return this.#freed ?? this.source.freed
  }

  /** Throws DisposedError when the tensor may no longer be used. `op` and `role` name the user in the message. */
  requireAlive(op: string, role: string): void {
    const { freed } = this
    if (freed === null) return
    throw new DisposedError(`${op}: ${role}, ${this.describe()}, was ${freed}`, {
      fix: 'dispose it later, return it from its scope, or keep a clone()',
    })
  }

  /**
   * Throws CaptureError for a traced tensor whose capture has ended: the function stored it in a variable or object
   * outside. `op` names the user in the message.
   */
  requireInCapture(op: string): void {
    const { source } = this
    if (source.kind === 'traced' && !isOpen(source.tracer)) throw this.escaped(op, source)
  }

  /** The error for a traced tensor that is used outside of its trace by `op`. For the library. */
  escaped(op: string, { tracer: { name }, madeAt }: Traced): CaptureError {
    const place = madeAt === null ? '' : `, at ${madeAt.file}:${madeAt.line}`
    return captureRefusal(
      `${op}: ${this.describe()} stands for a value of ${name}${place}, which left it outside when it was traced`,
      {
        fix: `return it from ${name}, or keep it in an object that is passed as an argument: what the function writes there is written at each call`,
      },
    )
  }

  /**
   * Ends the tensor's life. A tensor that made its memory frees it at once, and every view of it ends too; disposing a
   * view ends only the view. Disposing twice does nothing. Without it the garbage collector frees. In a compiled function it
   * is for what the function makes; throws CaptureError for its arguments and what it closes over.
   */
  dispose(): void {
    if (this.freed !== null) return
    const tracer = currentTrace()
    const isGiven = this.source.kind === 'storage' || this.source.isGiven
    // Tensors that a block uses from outside stay alive.
    const isOuter =
      this.source.kind === 'traced' && tracer !== null && tracer.outer !== null && this.source.tracer !== tracer
    if (tracer !== null && (isGiven || isOuter)) throw this.#outlives(tracer.name)
    this.#freed = new Freed('disposed')
    if (this.#owner) this.source.free(this.#freed)
  }

  /** A function is captured once, so disposing a tensor from outside would happen only at the capture, not at each call. */
  #outlives(name: string): CaptureError {
    return captureRefusal(`dispose: ${this.describe()} is from outside of ${name}, which is compiled`, {
      fix: `dispose it after the call, or in the function that calls ${name}`,
    })
  }

  [Symbol.dispose](): void {
    this.dispose()
  }

  /** True when disposing this tensor frees memory. */
  get ownsMemory(): boolean {
    return this.#owner && this.source.kind === 'storage'
  }

  /** Makes this tensor the one that frees the memory; for scopes, where the maker does not outlive the result. */
  adoptMemory(): void {
    this.#owner = true
  }

  /** Another tensor on the same memory, with that layout, and maybe its bits in another dtype of the same width. For the library. */
  withLayout(layout: TensorLayout, dtype: Dtype = this.dtype): this {
    if (this.source.kind !== 'storage') throw new InternalError(`view of ${this.describe()}, which has no memory`)
    const Class = this.constructor as new (source: Storage, dtype: Dtype, layout: TensorLayout, owner: boolean) => this
    return new Class(this.source, dtype, layout, false)
  }

  /** `f32[2, 3]`, for messages. */
  describe(): string {
    return `${this.dtype}[${this.sizes.join(', ')}]`
  }

  /** A proxy, or an object with a tensor's prototype, passes `instanceof` but lacks the private fields. */
  static #layoutOf(handle: TensorHandle): TensorLayout | null {
    if (#layout in handle) return handle.#layout
    throw notATensor()
  }

  #traced(): Traced {
    if (this.source.kind === 'traced') return this.source
    throw new InternalError('a tensor with memory but no layout')
  }

  /** A shape array whose symbolic entries are specialised only when they are read. */
  #tracedShape(): readonly number[] {
    const { tracer } = this.#traced()
    const { sizes } = this
    if (sizes.every(size => typeof size === 'number')) return sizes
    const shape = new Array<number>(sizes.length)
    for (const [dim, size] of sizes.entries()) {
      const get = (): number => (typeof size === 'number' ? size : tracer.sizeRead(this, dim))
      Object.defineProperty(shape, dim, { get, enumerable: true })
    }
    return Object.freeze(shape)
  }
}
