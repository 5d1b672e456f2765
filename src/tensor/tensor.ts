/**
 * Tensor: a view (shape, strides, offset) of typed memory, with PyTorch's operations as methods. The methods of ops come
 * from their records (methods.ts). Declared here are those that are no ops: reading, printing, indexing, writing in place,
 * moving.
 */

import { describeAny } from '../base/describe.js'
import { ArgumentError, DtypeError, inCall, ShapeError } from '../base/errors.js'
import { keepInstance } from '../base/resident.js'
import type { Callee } from '../graph/bind.js'
import { recordTable } from '../graph/ops/index.js'
import type { Size, SizeExpr } from '../scalar/size.js'
import { type Dtype, itemBytes, type TensorDtype, tensorDtypes } from '../types/dtype.js'
import { indexPicks, pick } from './advanced-index.js'
import { signature, takeArguments } from './arguments.js'
import {
  type BackwardOptions,
  backward,
  backwardSignature,
  gradientText,
  registerHook,
  retainGrad,
} from './autograd/backward.js'
import { recordFunction } from './autograd/function-node.js'
import type { GradientHook } from './autograd/history.js'
import { noGrad } from './autograd/mode.js'
import { needsGradient } from './autograd/op-node.js'
import {
  detach,
  detachInPlace,
  getGrad,
  isLeaf,
  requiresGrad,
  setGrad,
  setRequiresGrad,
} from './autograd/properties.js'
import { type Device, type DeviceName, deviceOfName, isDeviceName } from './device.js'
import { applyOp, assignInPlace, checkDevice, executor, requireTensor, tensorOps } from './dispatch.js'
import { formatTensor } from './format.js'
import { TensorHandle } from './handle.js'
import { copyBytes, type DataArray, type DataArrays, readTensor, readTensorAsync, requireTensorDtype } from './host.js'
import { inspectCustom } from './inspect.js'
import { contiguousLayout, elementCount } from './layout.js'
import { chunkCall, type Sections, splitCall, stackSplitCall, tensorSplitCall, unbindCall } from './lists.js'
import { installMethods } from './methods.js'
import { type Nested, nest } from './nested.js'
import type { InPlaceMethods, OpMethods } from './op-methods.js'
import type { Operand, Range, SizeLike } from './parameters.js'
import { printedValues } from './printed.js'
import type { FillOptions } from './random-fills.js'
import * as fills from './random-fills.js'
import { Storage } from './storage.js'
import { type PlainNumber, SymbolicNumber } from './symbolic-number.js'
import { captureRefusal } from './trace.js'
import { currentTracer } from './tracer.js'

/** Signatures of the methods that are no ops. */
const signatures = {
  none: signature('self'),
  size: signature('self, dim: dim | null = null'),
  dim: signature('self, dim: dim'),
  data: signature('self, dtype: dtype | null = null'),
  to: signature('self, target: string | null = null, *, dtype: dtype | null = null, device: string | null = null'),
  where: signature('self, condition, other: operand'),
  fill_: signature('self, value: operand'),
  requiresGrad_: signature('self, requiresGrad: value = true'),
  registerHook: signature('self, hook: value'),
  newFull: signature(
    'self, size: sizes, fillValue: operand, *, dtype: dtype | null = null, device: string | null = null',
  ),
  newSized: signature('self, ...size: sizes, dtype: dtype | null = null, device: string | null = null'),
} as const

const method = (name: string): Callee => ({ name, isMethod: true })
const callee = {
  size: method('size'),
  dim: method('dim'),
  dataSync: method('dataSync'),
  data: method('data'),
  itemSync: method('itemSync'),
  item: method('item'),
  toArray: method('toArray'),
  to: method('to'),
  contiguous: method('contiguous'),
  view: method('view'),
  where: method('where'),
  split: method('split'),
  chunk: method('chunk'),
  tensorSplit: method('tensorSplit'),
  unbind: method('unbind'),
  copy_: method('copy_'),
  fill_: method('fill_'),
  zero_: method('zero_'),
  requiresGrad_: method('requiresGrad_'),
  detach: method('detach'),
  detach_: method('detach_'),
  backward: method('backward'),
  retainGrad: method('retainGrad'),
  registerHook: method('registerHook'),
  newFull: method('newFull'),
  newZeros: method('newZeros'),
  newOnes: method('newOnes'),
} as const

/**
 * What `get` takes per dim: as `slice`, `'...'` for all the dims between, `'newaxis'` for a new dim of size 1, or a tensor of integers
 * or bool.
 */
export type Index = Range | '...' | 'newaxis' | Tensor

/** Options of `newZeros`, `newOnes` and `newFull`: by default those of the tensor. */
export interface NewTensorOptions {
  /** What the elements are. */
  readonly dtype?: TensorDtype | undefined
  /** Where it is. */
  readonly device?: DeviceName | undefined
}

/** Methods of ops are declared by their records. */
export interface Tensor extends OpMethods, InPlaceMethods {}

// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: installMethods defines every method of the interface
export class Tensor extends TensorHandle {
  /**
   * The size of a dim, or without one the shape.
   *
   * @param dim negative ones count from the end
   * @throws ArgumentError when there is no such dim
   */
  size(): readonly number[]
  size(dim: number): number
  size(...args: readonly unknown[]): number | readonly number[] {
    const { dim } = takeArguments(callee.size, signatures.size, [this, ...args])
    const size = dim === null ? this.shape : this.shape.at(dim)
    if (size !== undefined) return size
    throw new ArgumentError(`size: dim ${dim} of a tensor of ${this.ndim} dims`, {
      fix: this.ndim === 0 ? 'a 0-d tensor has no dims' : `dims go from ${-this.ndim} to ${this.ndim - 1}`,
    })
  }

  /**
   * The size of a dim as a number that stays symbolic inside a compiled function: what only flows into shapes, indices and
   * operands compiles once for all sizes, where `size(dim)` compiles for each. It has arithmetic: `x.dim(0).mul(2)`.
   * Negative dims count from the end. Throws ArgumentError when there is no such dim.
   */
  dim(dim: number): SymbolicNumber
  dim(...args: readonly unknown[]): SymbolicNumber {
    const { dim } = takeArguments(callee.dim, signatures.dim, [this, ...args])
    const place = dim < 0 ? dim + this.ndim : dim
    if (place < 0 || place >= this.ndim) {
      throw new ArgumentError(`dim: dim ${dim} of a tensor of ${this.ndim} dims`, {
        fix: this.ndim === 0 ? 'a 0-d tensor has no dims' : `dims go from ${-this.ndim} to ${this.ndim - 1}`,
      })
    }
    if (this.source.kind === 'storage') return new SymbolicNumber(this.shape[place]!)
    const { present, traced } = this.source.tracer.sizeNumber(this, place)
    return new SymbolicNumber(present, traced)
  }

  /**
   * The values in row-major order, copied: i64 as BigInt64Array, bool as Uint8Array of 0 and 1, f16 and bf16 decoded to
   * Float32Array, every other dtype as the typed array of its name. With `dtype`, the result's type is known to
   * TypeScript, and DtypeError is thrown when the tensor is of another. Throws DisposedError, and CaptureError under
   * `fullgraph`.
   */
  dataSync(): DataArray
  dataSync<D extends TensorDtype>(dtype: D): DataArrays[D]
  dataSync(...args: readonly unknown[]): DataArray {
    const { dtype } = takeArguments(callee.dataSync, signatures.data, [this, ...args])
    return read(this, 'dataSync', dtype)
  }

  /**
   * As `dataSync`, without blocking where the device is asynchronous.
   *
   * @param dtype the tensor's dtype, so that TypeScript knows the array's type; DtypeError when it is another
   */
  data(): Promise<DataArray>
  data<D extends TensorDtype>(dtype: D): Promise<DataArrays[D]>
  async data(...args: readonly unknown[]): Promise<DataArray> {
    const { dtype } = takeArguments(callee.data, signatures.data, [this, ...args])
    return readAsync(this, 'data', dtype)
  }

  /**
   * The value of a tensor of one element, as a number; bool gives 0 or 1. Throws ArgumentError for another count of
   * elements, and for an i64 beyond ±2^53, which no number holds: read `dataSync()`, whose elements are bigints.
   */
  itemSync(): number
  itemSync(...args: readonly unknown[]): number {
    takeArguments(callee.itemSync, signatures.none, [this, ...args])
    requireOne(this, 'itemSync')
    return safeNumber('itemSync', read(this, 'itemSync')[0]!)
  }

  /** As `itemSync`, without blocking where the device is asynchronous. */
  item(): Promise<number>
  async item(...args: readonly unknown[]): Promise<number> {
    takeArguments(callee.item, signatures.none, [this, ...args])
    requireOne(this, 'item')
    return safeNumber('item', (await readAsync(this, 'item'))[0]!)
  }

  /** The values as nested arrays (of booleans for bool). Throws ArgumentError for an i64 beyond ±2^53. */
  toArray(): Nested<number | boolean>
  toArray(...args: readonly unknown[]): Nested<number | boolean> {
    takeArguments(callee.toArray, signatures.none, [this, ...args])
    const values = Array.from(read(this, 'toArray') as ArrayLike<number | bigint>, value => {
      return this.dtype === 'bool' ? value !== 0 : safeNumber('toArray', value)
    })
    return nest(this.shape, values)
  }

  /**
   * What `JSON.stringify` writes: the values as nested arrays, as `toArray` gives them. Throws ArgumentError for NaN and
   * infinities, which JSON does not have, and for more than a million elements; write x.toArray() to do it all the same.
   */
  toJSON(): Nested<number | boolean> {
    const count = this.numel()
    if (count > maxJsonElements) {
      throw new ArgumentError(`JSON.stringify: ${this.describe()} has ${count} elements`, {
        fix: 'write x.toArray(), or x.shape and the bytes of await x.data()',
      })
    }
    const odd = read(this, 'JSON.stringify').find((value: number | bigint) => !Number.isFinite(Number(value)))
    if (odd === undefined) return this.toArray()
    throw new ArgumentError(`JSON.stringify: ${this.describe()} holds ${odd}, which JSON does not have`, {
      fix: 'write String(x), or replace such values first: x.nanToNum()',
    })
  }

  /**
   * Whether ops on it are recorded, so that a gradient can flow to it. Results of ops require one if an input does; other tensors
   * when they are told to: `x.requiresGrad = true`, `requiresGrad_()`, or the option `requiresGrad` of what makes them.
   * Assigning throws DtypeError for integers, and GradientError for the result of an op that is told not to.
   */
  get requiresGrad(): boolean {
    return requiresGrad(this)
  }
  set requiresGrad(on: boolean) {
    setRequiresGrad('requiresGrad', this, on)
  }

  /** Sets `requiresGrad` and gives the tensor. Throws as assigning it. */
  requiresGrad_(requiresGrad?: boolean | { readonly requiresGrad?: boolean | undefined }): this
  requiresGrad_(...args: readonly unknown[]): this {
    const { requiresGrad: on } = takeArguments(callee.requiresGrad_, signatures.requiresGrad_, [this, ...args])
    setRequiresGrad('requiresGrad_', this, on)
    return this
  }

  /** Whether it is no result of an op on tensors that require gradients. `backward` fills in `grad` of such tensors. */
  get isLeaf(): boolean {
    return isLeaf(this)
  }

  /**
   * The gradient that `backward` has added up so far, for a leaf that requires one (and after `retainGrad`); else null. It may
   * be assigned. Assigning throws ShapeError, DtypeError and DeviceError for what is no gradient of this tensor.
   */
  get grad(): Tensor | null {
    return getGrad(this)
  }
  set grad(grad: Tensor | null) {
    setGrad(this, grad)
  }

  /**
   * A view of all of it that no gradient flows through. It shares the memory: a change in place of one is seen in the other,
   * also by what has saved it for a gradient.
   */
  detach(): Tensor
  detach(...args: readonly unknown[]): Tensor {
    takeArguments(callee.detach, signatures.none, [this, ...args])
    return detach(requireTensor('detach', this, 'the tensor'))
  }

  /** `detach` of this tensor itself: it becomes a leaf that requires no gradient. Throws GradientError for a view. */
  detach_(): this
  detach_(...args: readonly unknown[]): this {
    takeArguments(callee.detach_, signatures.none, [this, ...args])
    detachInPlace(requireTensor('detach_', this, 'the tensor'))
    return this
  }

  /**
   * Adds the gradient of this tensor with respect to each leaf that it was computed from to the leaf's `grad`. What was saved
   * for the pass is freed with it.
   *
   * @param gradient the gradient of this tensor, of its shape and dtype; 1 by default, if it has one element
   * @param options `retainGraph`: keep what was saved for another pass; `createGraph`: record the pass, for gradients of
   *   gradients; `inputs`: the only tensors whose `grad` is added to
   * @throws GradientError when this tensor requires no gradient, when what the pass needs was freed by the pass before or
   *   changed in place since: the error names the line that changed it
   * @throws ShapeError for several elements without `gradient`, and for one of another shape
   */
  backward(gradient?: Tensor | null, options?: Omit<BackwardOptions, 'gradient'>): void
  backward(options?: BackwardOptions): void
  backward(...args: readonly unknown[]): void {
    backward(takeArguments(callee.backward, backwardSignature, [this, ...args]))
  }

  /**
   * Has `backward` fill in `grad` of this tensor, which is no leaf. Calling it again, or for a leaf, changes nothing. Throws
   * GradientError when the tensor requires no gradient.
   */
  retainGrad(): void
  retainGrad(...args: readonly unknown[]): void {
    takeArguments(callee.retainGrad, signatures.none, [this, ...args])
    retainGrad(this)
  }

  /**
   * Has `hook` called with the gradient of this tensor whenever one is computed; a tensor that it returns takes the gradient's
   * place. Hooks of a tensor are called in the order in which they were registered.
   *
   * @param hook gets the gradient, which it must not change in place
   * @returns a function that removes the hook
   * @throws GradientError when the tensor requires no gradient
   */
  registerHook(hook: GradientHook): () => void
  registerHook(...args: readonly unknown[]): () => void {
    const { hook } = takeArguments(callee.registerHook, signatures.registerHook, [this, ...args])
    if (typeof hook !== 'function')
      throw new ArgumentError(`registerHook: hook is ${describeAny(hook)}, not a function`, {
        fix: 'x.registerHook(gradient => gradient.mul(2))',
      })
    return registerHook(this, hook as GradientHook)
  }

  /**
   * As PyTorch prints it; dtypes other than f32, i64 and bool are named as `dtype=f16`, leaves that require a gradient as
   * `requiresGrad=true`, results of ops on them by the op: `gradFn=<mul>`. A traced tensor has no values.
   */
  override toString(): string {
    if (this.freed !== null) return `tensor(${this.freed}, ${this.describe()})`
    if (this.source.kind === 'traced') return `tensor(traced, ${this.describe()})`
    const data = printedValues(this.storage('toString'), requireTensorDtype(this.dtype, 'toString'), this.layout)
    return formatTensor({ dtype: this.dtype, shape: this.shape, data, gradient: gradientText(this) })
  }

  [inspectCustom](): string {
    return this.toString()
  }

  /** Tensors in template strings print; arithmetic operators on them throw ArgumentError rather than join texts. */
  [Symbol.toPrimitive](hint: string): string {
    if (hint === 'string') return this.toString()
    throw new ArgumentError(`an operator was applied to a tensor ${this.describe()}`, {
      fix: 'use methods: x.add(1), x.lt(y); or await x.item() for its value',
    })
  }

  /**
   * A part of the tensor, as `slice` gives it, and `'...'` for as many whole dims as are missing: `x.get(3, 'all')`,
   * `x.get('...', [0, 10])`. A view.
   *
   * Tensors among the indices select elements, as in PyTorch, and the result is a copy. Integers (negative ones count from
   * the end) gather along their dim; several index tensors broadcast against each other. A bool mask selects where it is
   * true, over as many dims as it has: how many is read, a graph break in compiled functions. The dims of the
   * selection replace the indexed dims if those are adjacent, else they come first.
   *
   * @throws ShapeError outside of the tensor; DtypeError for an index of floats; CaptureError for a mask in a compiled function with
   * `fullgraph`
   */
  get(...indices: readonly Index[]): Tensor {
    if (indices.includes('newaxis')) return withNewDims(this, indices)
    const rest = indices.indexOf('...')
    if (rest !== indices.lastIndexOf('...')) throw new ArgumentError("get: '...' stands twice", { fix: 'leave one' })
    const given = indices.filter(index => index !== '...' && index !== 'newaxis')
    if (!given.some(index => index instanceof Tensor)) {
      const ranges = given as Range[]
      if (rest >= 0) ranges.splice(rest, 0, ...new Array<null>(Math.max(0, this.ndim - ranges.length)).fill(null))
      return this.slice(...ranges)
    }
    const own = requireTensor('get', this, 'the tensor')
    const missing = own.ndim - given.reduce<number>((sum, index) => sum + width(index), 0)
    if (rest >= 0) given.splice(rest, 0, ...new Array<null>(Math.max(0, missing)).fill(null))
    const ranges = given.flatMap((index): Range[] =>
      index instanceof Tensor ? new Array<null>(width(index)).fill(null) : [index as Range],
    )
    const isDropped = (index: Index): boolean => typeof index === 'number' || index instanceof SymbolicNumber
    const kept = given.filter(index => !isDropped(index))
    const tensors = kept.map((index, i) => (index instanceof Tensor ? requireTensor('get', index, `index ${i}`) : null))
    const part = own.slice(...ranges)
    return pick(part, indexPicks(applyOp, part, tensors))
  }

  /** The transpose of a matrix; tensors of fewer dims stay as they are. A view. Throws ShapeError for more than 2 dims. */
  get T(): Tensor {
    if (this.ndim > 2)
      throw new ShapeError(`T: takes at most 2 dims, got ${this.describe()}`, {
        fix: 'use mT for batches of matrices, or transpose(dim0, dim1)',
      })
    return this.t()
  }

  /** The transposes of a batch of matrices: the last two dims swapped. A view. Throws ShapeError for fewer than 2 dims. */
  get mT(): Tensor {
    if (this.ndim < 2)
      throw new ShapeError(`mT: needs at least 2 dims, got ${this.describe()}`, {
        fix: 'give it another: x.unsqueeze(0)',
      })
    return this.transpose(-2, -1)
  }

  /** The slices along the first dim, one after the other: `for (const row of x)`. Views. Throws ShapeError for 0-d tensors. */
  *[Symbol.iterator](): IterableIterator<Tensor> {
    if (this.ndim === 0)
      throw new ShapeError(`a 0-d tensor has no slices to go through`, { fix: 'read its value: await x.item()' })
    const count = this.shape[0]!
    for (let i = 0; i < count; i++) yield this.select(0, i)
  }

  /**
   * With another dtype or on another device: `x.to('bf16')`, `x.to('cpu')`, `x.to({ dtype: 'f16', device: 'cuda' })`. If it
   * has both already, a view of itself. Floats become integers by cutting the fraction; anything but 0 becomes true.
   *
   * @param target a dtype or a device
   * @returns the shape of this
   * @throws ArgumentError for what is neither
   * @throws DeviceError for a device that is not there
   */
  to(target: TensorDtype | DeviceName): Tensor
  to(options: { readonly dtype?: TensorDtype | undefined; readonly device?: DeviceName | undefined }): Tensor
  to(...args: readonly unknown[]): Tensor {
    const { target, dtype, device } = takeArguments(callee.to, signatures.to, [this, ...args])
    const isDtype = (tensorDtypes as readonly unknown[]).includes(target)
    if (target === null ? dtype === null && device === null : !isDtype && !isDeviceName(target))
      throw new ArgumentError(`to: ${target === null ? 'nothing' : `'${target}'`} is neither a dtype nor a device`, {
        fix: `use one of ${tensorDtypes.join(', ')}, or 'cpu' or 'cuda'`,
      })
    const asked = isDtype ? (target as TensorDtype) : (dtype as TensorDtype | null)
    const place = target !== null && !isDtype ? target : device
    const there = place === null ? this : toDevice(this, deviceOfName(place, 'to'))
    return asked === null ? there : castTo(there, asked)
  }

  /**
   * A view of the same memory in another shape, or of its bits as another dtype: `x.view([2, 3])`, `x.view(2, -1)`,
   * `x.view('u8')`.
   *
   * @param dtype one of the same width
   * @param shape the sizes, one by one or as a list; one may be −1: it follows from the others
   * @returns the shape asked for and the dtype of this, or the other way round
   * @throws DtypeError when the dtypes differ in width, or one is bool
   * @throws ShapeError when the number of elements differs, more than one size is −1, or the layout would need a copy
   */
  view(dtype: TensorDtype): Tensor
  view(shape: readonly SizeLike[]): Tensor
  view(...shape: readonly SizeLike[]): Tensor
  view(...args: [options: { readonly shape: readonly SizeLike[] }]): Tensor
  view(...args: readonly unknown[]): Tensor {
    const isDtype = args.length === 1 && typeof args[0] === 'string'
    return applyOp(isDtype ? recordTable.bitcast : recordTable.view, [this, ...args], undefined, callee.view)[0]!
  }

  /** The same values in row-major memory without gaps: a view of itself if they are stored so already, else a copy. */
  contiguous(): Tensor
  contiguous(...args: readonly unknown[]): Tensor {
    takeArguments(callee.contiguous, signatures.none, [this, ...args])
    return this.isContiguous() ? alias(this) : applyOp(recordTable.contiguous, [this])[0]!
  }

  /**
   * This tensor's values where `condition` is true, else `other`'s; the three broadcast.
   *
   * @param condition bool
   * @throws ArgumentError, DtypeError, ShapeError
   */
  where(condition: Tensor, other: Operand): Tensor
  where(
    ...args:
      | [condition: Tensor, options: { readonly other: Operand }]
      | [options: { readonly condition: Tensor; readonly other: Operand }]
  ): Tensor
  where(...args: readonly unknown[]): Tensor {
    const { self, condition, other } = takeArguments(callee.where, signatures.where, [this, ...args])
    return applyOp(recordTable.where, [condition, self, other])[0]!
  }

  /** Parts of `splitSize` elements (or of the given sizes) along a dim; see the function `split`. Views. */
  split(splitSize: number | readonly number[], dim?: number | { readonly dim?: number | undefined }): Tensor[]
  split(options: { readonly splitSize: number | readonly number[]; readonly dim?: number | undefined }): Tensor[]
  split(...args: readonly unknown[]): Tensor[] {
    return splitCall(callee.split, [this, ...args])
  }

  /** At most `chunks` parts of equal size along a dim; see the function `chunk`. Views. */
  chunk(chunks: number, dim?: number | { readonly dim?: number | undefined }): Tensor[]
  chunk(options: { readonly chunks: number; readonly dim?: number | undefined }): Tensor[]
  chunk(...args: readonly unknown[]): Tensor[] {
    return chunkCall(callee.chunk, [this, ...args])
  }

  /**
   * So many parts along a dim (0 by default), the first ones larger by 1, or cut before `indicesOrSections`; see the function
   * `tensorSplit`. Views.
   */
  tensorSplit(
    indicesOrSections: number | readonly number[],
    dim?: number | { readonly dim?: number | undefined },
  ): Tensor[]
  tensorSplit(options: Sections & { readonly dim?: number | undefined }): Tensor[]
  tensorSplit(...args: readonly unknown[]): Tensor[] {
    return tensorSplitCall(callee.tensorSplit, [this, ...args])
  }

  /** Equal parts side by side, or cut before `indicesOrSections`; see the function `hsplit`. Views. */
  hsplit(indicesOrSections: number | readonly number[] | Sections): Tensor[]
  hsplit(...args: readonly unknown[]): Tensor[] {
    return stackSplitCall('hsplit', true, [this, ...args])
  }

  /** Equal parts below each other, or cut before `indicesOrSections`; see the function `vsplit`. Views. */
  vsplit(indicesOrSections: number | readonly number[] | Sections): Tensor[]
  vsplit(...args: readonly unknown[]): Tensor[] {
    return stackSplitCall('vsplit', true, [this, ...args])
  }

  /** Equal parts along the third dim, or cut before `indicesOrSections`; see the function `dsplit`. Views. */
  dsplit(indicesOrSections: number | readonly number[] | Sections): Tensor[]
  dsplit(...args: readonly unknown[]): Tensor[] {
    return stackSplitCall('dsplit', true, [this, ...args])
  }

  /** The slices along a dim (0 by default), without that dim. Views. */
  unbind(dim?: number | { readonly dim?: number | undefined }): Tensor[]
  unbind(...args: readonly unknown[]): Tensor[] {
    return unbindCall(callee.unbind, [this, ...args])
  }

  /**
   * Writes `value` (broadcast, and converted to this dtype whatever its own) into this tensor.
   *
   * @param value a tensor or a number
   * @throws ArgumentError, ShapeError
   */
  copy_(value: Operand | { readonly value: Operand }): this
  copy_(...args: readonly unknown[]): this {
    const { value: source } = takeArguments(callee.copy_, signatures.fill_, [this, ...args])
    if (!(source instanceof Tensor)) return this.#fill('copy_', source)
    assignInPlace('copy_', this, source.dtype === this.dtype ? source : source.to(this.dtype as TensorDtype))
    return this
  }

  /**
   * Writes one value everywhere, converted to this tensor's dtype.
   *
   * @param value a number, or a 0-d tensor
   * @throws ArgumentError, ShapeError
   */
  fill_(value: Operand | { readonly value: Operand }): this
  fill_(...args: readonly unknown[]): this {
    const { value } = takeArguments(callee.fill_, signatures.fill_, [this, ...args])
    if (!(value instanceof Tensor)) return this.#fill('fill_', value)
    if (value.ndim > 0)
      throw new ShapeError(`fill_: value is ${value.describe()}, not a 0-d tensor`, {
        fix: 'use copy_, which broadcasts',
      })
    assignInPlace('fill_', this, castTo(value, this.dtype as TensorDtype))
    return this
  }

  /**
   * Fills this with numbers that are uniform in [from, to).
   *
   * @param from 0 by default
   * @param to 1 by default
   * @param options `generator`: by default the process's, which `manualSeed` seeds
   * @throws ArgumentError for values out of range; DtypeError unless this holds floats
   */
  uniform_(from?: number, to?: number, options?: FillOptions): this
  uniform_(options: FillOptions & { readonly from?: number | undefined; readonly to?: number | undefined }): this
  uniform_(...args: readonly unknown[]): this {
    fills.uniform(this, args)
    return this
  }

  /**
   * Fills this with normal numbers.
   *
   * @param mean 0 by default
   * @param std the standard deviation, at least 0; 1 by default
   * @param options `generator`: by default the process's, which `manualSeed` seeds
   * @throws ArgumentError for values out of range; DtypeError unless this holds floats
   */
  normal_(mean?: number, std?: number, options?: FillOptions): this
  normal_(options: FillOptions & { readonly mean?: number | undefined; readonly std?: number | undefined }): this
  normal_(...args: readonly unknown[]): this {
    fills.normal(this, args)
    return this
  }

  /**
   * Fills this with exponentials of normal numbers.
   *
   * @param mean of the normal numbers; 1 by default
   * @param std of these, above 0; 2 by default
   * @param options `generator`: by default the process's, which `manualSeed` seeds
   * @throws ArgumentError for values out of range; DtypeError unless this holds floats
   */
  logNormal_(mean?: number, std?: number, options?: FillOptions): this
  logNormal_(options: FillOptions & { readonly mean?: number | undefined; readonly std?: number | undefined }): this
  logNormal_(...args: readonly unknown[]): this {
    fills.logNormal(this, args)
    return this
  }

  /**
   * Fills this with numbers of the Cauchy distribution.
   *
   * @param median 0 by default
   * @param sigma half the distance of the quartiles, above 0; 1 by default
   * @param options `generator`: by default the process's, which `manualSeed` seeds
   * @throws ArgumentError for values out of range; DtypeError unless this holds floats
   */
  cauchy_(median?: number, sigma?: number, options?: FillOptions): this
  cauchy_(options: FillOptions & { readonly median?: number | undefined; readonly sigma?: number | undefined }): this
  cauchy_(...args: readonly unknown[]): this {
    fills.cauchy(this, args)
    return this
  }

  /**
   * Fills this with exponentially distributed numbers.
   *
   * @param lambd the rate, above 0: 1 / the mean; 1 by default
   * @param options `generator`: by default the process's, which `manualSeed` seeds
   * @throws ArgumentError for values out of range; DtypeError unless this holds floats
   */
  exponential_(lambd?: number, options?: FillOptions): this
  exponential_(options: FillOptions & { readonly lambd?: number | undefined }): this
  exponential_(...args: readonly unknown[]): this {
    fills.exponential(this, args)
    return this
  }

  /**
   * Fills this with how many trials there are up to the first success: 1, 2, ….
   *
   * @param p the probability of success, above 0 and below 1
   * @param options `generator`: by default the process's, which `manualSeed` seeds
   * @throws ArgumentError for values out of range
   */
  geometric_(p: number, options?: FillOptions): this
  geometric_(options: FillOptions & { readonly p: number }): this
  geometric_(...args: readonly unknown[]): this {
    fills.geometric(this, args)
    return this
  }

  /**
   * Fills this with 1 with a probability, else 0.
   *
   * @param p the probability, a number or a tensor that broadcasts to this; 0.5 by default
   * @param options `generator`: by default the process's, which `manualSeed` seeds
   * @throws ArgumentError for values out of range
   */
  bernoulli_(p?: number | Tensor, options?: FillOptions): this
  bernoulli_(options: FillOptions & { readonly p?: number | Tensor | undefined }): this
  bernoulli_(...args: readonly unknown[]): this {
    fills.bernoulli(this, args)
    return this
  }

  /**
   * Fills this with whole numbers, uniform in [from, to): `random_(10)`, `random_(-5, 5)`. Without an end those that the dtype holds
   * without gaps, i64 below 2^53.
   *
   * @param from 0 by default; the end where it is the only number
   * @param to exclusive
   * @param options `generator`: by default the process's, which `manualSeed` seeds
   * @throws ArgumentError for values out of range
   */
  random_(from?: number, to?: number, options?: FillOptions): this
  random_(options: FillOptions & { readonly from?: number | undefined; readonly to?: number | undefined }): this
  random_(...args: readonly unknown[]): this {
    fills.random(this, args)
    return this
  }

  /** Writes 0 everywhere. */
  zero_(): this
  zero_(...args: readonly unknown[]): this {
    takeArguments(callee.zero_, signatures.none, [this, ...args])
    return this.#fill('zero_', 0)
  }

  /**
   * This tensor in the shape of another one, as `view`.
   *
   * @param other whose shape it gets
   * @throws ShapeError where `view` throws it
   */
  viewAs(other: Tensor): Tensor {
    return inCall('viewAs', () => this.view(dimsOf('viewAs', other)))
  }

  /**
   * This tensor in the shape of another one, as `reshape`.
   *
   * @param other whose shape it gets
   * @throws ShapeError for another number of elements
   */
  reshapeAs(other: Tensor): Tensor {
    return inCall('reshapeAs', () => this.reshape(dimsOf('reshapeAs', other)))
  }

  /**
   * This tensor broadcast to the shape of another one, as `expand`: a view.
   *
   * @param other whose shape it gets
   * @throws ShapeError when the shapes do not fit
   */
  expandAs(other: Tensor): Tensor {
    return inCall('expandAs', () => this.expand(dimsOf('expandAs', other)))
  }

  /**
   * This tensor in the dtype of another one, as `to`.
   *
   * @param other whose dtype it gets
   */
  typeAs(other: Tensor): Tensor {
    return inCall('typeAs', () => this.to(requireTensor('typeAs', other, 'other').dtype as TensorDtype))
  }

  /**
   * A tensor filled with one value. Dtype and device are this tensor's by default.
   *
   * @param size the shape
   * @param fillValue converted to the dtype
   * @throws ArgumentError unless sizes are non-negative integers
   */
  newFull(size: readonly SizeLike[], fillValue: PlainNumber, options?: NewTensorOptions): Tensor
  newFull(...args: readonly unknown[]): Tensor {
    const { self, size, fillValue, dtype, device } = takeArguments(callee.newFull, signatures.newFull, [this, ...args])
    return filled('newFull', self, size, fillValue, { dtype, device })
  }

  /**
   * Zeros of the given shape. Dtype and device are this tensor's by default: `x.newZeros(2, 3)`, `x.newZeros([2, 3])`.
   *
   * @param size the shape, as a list or one by one
   * @throws ArgumentError unless sizes are non-negative integers
   */
  newZeros(size: readonly SizeLike[], options?: NewTensorOptions): Tensor
  newZeros(...size: readonly SizeLike[]): Tensor
  newZeros(...args: readonly unknown[]): Tensor {
    const { self, size, dtype, device } = takeArguments(callee.newZeros, signatures.newSized, [this, ...args])
    return filled('newZeros', self, size, 0, { dtype, device })
  }

  /**
   * Ones of the given shape. Dtype and device are this tensor's by default: `x.newOnes(2, 3)`, `x.newOnes([2, 3])`.
   *
   * @param size the shape, as a list or one by one
   * @throws ArgumentError unless sizes are non-negative integers
   */
  newOnes(size: readonly SizeLike[], options?: NewTensorOptions): Tensor
  newOnes(...size: readonly SizeLike[]): Tensor
  newOnes(...args: readonly unknown[]): Tensor {
    const { self, size, dtype, device } = takeArguments(callee.newOnes, signatures.newSized, [this, ...args])
    return filled('newOnes', self, size, 1, { dtype, device })
  }

  #fill(op: string, value: PlainNumber | SizeExpr): this {
    const [filler] = applyOp(recordTable.full, [[], value, { dtype: this.dtype }], this.device)
    assignInPlace(op, this, filler!)
    return this
  }
}

/** The sizes of a tensor as they are given to ops: symbolic ones stay so. */
const dimsOf = (callee: string, other: Tensor): SymbolicNumber[] => {
  const { ndim } = requireTensor(callee, other, 'other')
  return Array.from({ length: ndim }, (_, d) => other.dim(d))
}

/** One value everywhere; its dtype and device those of `like` unless given. */
function filled(
  callee: string,
  like: Tensor,
  size: readonly Size[],
  value: unknown,
  { dtype, device }: { readonly dtype: Dtype | null; readonly device: string | null },
): Tensor {
  const target = device === null ? like.device : checkDevice(device, callee)
  return applyOp(recordTable.full, [size, value, { dtype: dtype ?? like.dtype }], target)[0]!
}

type Methods = Tensor

/** Declares this class as the tensor type of ops and methods. */
declare module './tensor-type.js' {
  interface Tensor extends Methods {}
}

installMethods(Tensor.prototype)

/** Free functions, as private methods would fail on a proxy of a tensor without a clear error. */
function read(tensor: Tensor, reader: string, dtype: Dtype | null = null): DataArray {
  requireDtype(tensor, reader, dtype)
  return readConcrete(concrete(tensor, reader), reader)
}

async function readAsync(tensor: Tensor, reader: string, dtype: Dtype | null = null): Promise<DataArray> {
  requireDtype(tensor, reader, dtype)
  const known = concrete(tensor, reader)
  return readTensorAsync(known.storage(reader), requireTensorDtype(known.dtype, reader), known.layout)
}

function requireDtype(tensor: Tensor, reader: string, dtype: Dtype | null): void {
  if (dtype === null || dtype === tensor.dtype) return
  throw new DtypeError(`${reader}: the tensor is ${tensor.describe()}, not ${dtype}`, {
    fix: `cast it first: x.to('${dtype}').${reader}('${dtype}')`,
  })
}

/**
 * During a capture, reads go through the tracer, for closed-over tensors too, as their values may differ at the next call.
 */
function concrete(tensor: Tensor, reader: string): Tensor {
  const tracer = currentTracer()
  return tracer === null || tensor.freed !== null ? tensor : tracer.read(tensor, reader)
}

function requireOne(tensor: Tensor, reader: string): void {
  if (tensor.sizes.every(size => size === 1)) return
  throw new ArgumentError(`${reader}: ${tensor.describe()} has not one element`, {
    fix: 'index or reduce it first, or read all values with data()',
  })
}

/** How many dims an index is of. */
const width = (index: Index): number => (index instanceof Tensor && index.dtype === 'bool' ? index.ndim : 1)

/** `get` with new dims: they are made first, and then are dims like others. */
function withNewDims(x: Tensor, indices: readonly Index[]): Tensor {
  const old = indices.filter(index => index !== 'newaxis' && index !== '...')
  const missing = x.ndim - old.reduce<number>((sum, index) => sum + width(index), 0)
  let [wide, dim] = [x, 0]
  const rest = indices.map((index): Index => {
    if (index === 'newaxis') {
      wide = wide.unsqueeze(dim++)
      return 'all'
    }
    dim += index === '...' ? missing : width(index)
    return index
  })
  return wide.get(...rest)
}

/** Larger tensors throw in `toJSON`, so that logging one does not stall a program. */
const maxJsonElements = 2 ** 20

/** The values of a tensor with memory, whether or not a capture is active. */
function readConcrete(tensor: TensorHandle, reader: string): DataArray {
  const storage = tensor.storage(reader)
  return readTensor(storage, requireTensorDtype(tensor.dtype, reader), tensor.layout)
}

/** The same values on another device, in row-major order; on this one, a view. Throws CaptureError in a capture. */
function toDevice(tensor: Tensor, device: Device): Tensor {
  if (tensor.device === device) return alias(tensor)
  if (currentTracer() !== null) {
    throw captureRefusal(
      `to: ${tensor.describe()} moves from ${tensor.device} to ${device} inside a compiled function`,
      {
        fix: 'move it before the call, or after it',
      },
    )
  }
  const { memory } = executor(checkDevice(device, 'to'))
  const packed = noGrad(() => tensor.contiguous())
  const source = packed.storage('to')
  const bytes = elementCount(tensor.shape) * itemBytes(tensor.dtype)
  const from = packed.layout.offset * itemBytes(tensor.dtype)
  const moved = new Storage(memory.allocate(bytes), bytes, device, memory)
  moved.label = 'to'
  copyBytes(source, from, moved, bytes)
  const there = new Tensor(moved, tensor.dtype, contiguousLayout(tensor.shape))
  if (needsGradient([tensor]))
    recordFunction('to', [tensor], [there], false, ([gradient]) => [toDevice(gradient!, tensor.device)], tensorOps)
  return there
}

keepInstance(new Tensor(new Storage(null as never, 0, 'cpu', null as never), 'f32', contiguousLayout([])))

function safeNumber(reader: string, value: number | bigint): number {
  const number = Number(value)
  if (typeof value === 'number' || Number.isSafeInteger(number)) return number
  throw new ArgumentError(`${reader}: the i64 ${value} is beyond what a number holds exactly`, {
    fix: 'read dataSync(), whose elements are bigints',
  })
}

/** Another tensor on the same memory, so that disposing one does not end the other. */
function alias(tensor: Tensor): Tensor {
  return applyOp(recordTable.expand, [tensor, tensor.sizes])[0]!
}

function castTo(tensor: Tensor, dtype: TensorDtype): Tensor {
  return tensor.dtype === dtype ? alias(tensor) : applyOp(recordTable.to, [tensor, dtype])[0]!
}
