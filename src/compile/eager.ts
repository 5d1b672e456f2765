/**
 * Eager execution: an op is a graph of one op with symbolic sizes, compiled like any other and found again by the
 * structure of its inputs, so that one kernel serves every shape of that structure. Elementwise ops on contiguous tensors of
 * equal shape are flattened to one dim. Small creation ops run on the host.
 */

import type { ComputeDevice } from '../backends/device.js'
import { canonical, copyPlain } from '../base/canonical.js'
import { InternalError } from '../base/errors.js'
import { RecentMap } from '../base/recent.js'
import { span } from '../base/spans.js'
import type { Graph } from '../graph/ir.js'
import type { HostTensor, OpInput, OpRecord } from '../graph/record.js'
import { SymbolicShapeError } from '../graph/sizes.js'
import type { Attrs } from '../ir/node.js'
import type { TensorMemory } from '../runtime/device.js'
import { type Size, symbolsOf } from '../scalar/size.js'
import type { Executor, Repeat } from '../tensor/dispatch.js'
import { TensorHandle } from '../tensor/handle.js'
import { fillStorage, writeValues } from '../tensor/host.js'
import { contiguousLayout, elementCount, isContiguous, type TensorLayout } from '../tensor/layout.js'
import { getFloat32MatmulPrecision } from '../tensor/precision.js'
import { RecentCalls } from '../tensor/recent-calls.js'
import { Storage } from '../tensor/storage.js'
import { Tensor } from '../tensor/tensor.js'
import type { OpArgument } from '../tensor/tracer.js'
import { checkTensorDtype, itemBytes } from '../types/dtype.js'
import { numberDtype } from '../types/promotion.js'
import { GraphRecorder, type WrittenInput } from './capture/recorder.js'
import type { Runner } from './execute/executable.js'
import { makeRunner } from './execute/runner.js'
import { SymbolTable, strideForms, symbolicLayout } from './guards/layout.js'
import { withPrecision } from './precision.js'

/** Creation ops make so many elements in so many calls on the host: compiling would take longer than all of them. */
const maxHostElements = 4096
const maxHostCalls = 32

/** Each is a loaded library of about 10 kB. */
const maxKernels = 1024

/**
 * A kernel for any sizes has blocks that fit none in particular: with narrow rows, or few long ones, most threads and vectors
 * of it have nothing to do. Inputs from so many elements on have kernels for their exact sizes, on devices whose code is
 * specialised for its launches anyway; elsewhere, for the exact sizes of narrow dims.
 */
const exactElements = 2 ** 12
const narrow = 32

/** Smaller inputs have them after so many calls, on devices whose code is specialised: one that is repeated is called often. */
const callsBeforeExact = 16

/** Exact kernels of one structure; further sizes share the one for any. */
const maxExact = 32

interface EagerKernel {
  readonly graph: Graph
  readonly runner: Runner
}

/** What a call runs: all calls with inputs of these layouts and the same attributes. */
interface KnownCall {
  readonly runner: Runner
  readonly symbols: Float64Array
  /** No plain numbers are among its inputs. */
  readonly isOfTensors: boolean
  /** Sizes among the op's attributes, which are passed as scalars after the plain numbers. */
  readonly values: readonly number[]
  /** Of the results; null: as the kernel gives it. */
  readonly layout: TensorLayout | null
  readonly precision: string
  /** Calls before a kernel for the exact sizes is worth compiling. */
  left: number
}

export class EagerExecutor implements Executor {
  readonly #kernels: RecentMap<EagerKernel | SizesNeeded>
  /** The last calls of each op: of tensors that do not differ but in their memory. */
  readonly #recent = new RecentCalls<KnownCall>()
  /** Keys of the exact kernels of each structure. */
  readonly #exact: RecentMap<Set<string>>
  readonly #exactElements: number
  readonly #exactAfter: number
  readonly #largestFixed: number
  /** How often each creation op ran on the host, and what it made. */
  readonly #hostWork = new Map<string, { readonly calls: number; readonly elements: number }>()

  /**
   * `limit`: at least so many kernels are kept; dropped ones are loaded from the disk cache when needed again.
   * `exactFrom`: elements of an input from which on kernels are for exact sizes. `exactAfter`: calls alike after which they
   * are in any case.
   */
  constructor(
    readonly device: ComputeDevice,
    {
      limit = maxKernels,
      exactFrom = exactElements,
      exactAfter = device.target.specialises ? callsBeforeExact : Number.POSITIVE_INFINITY,
    }: { readonly limit?: number; readonly exactFrom?: number; readonly exactAfter?: number } = {},
  ) {
    this.#exactAfter = exactAfter
    this.#kernels = new RecentMap(limit)
    this.#exact = new RecentMap(limit)
    this.#exactElements = exactFrom
    this.#largestFixed = device.target.specialises ? Number.POSITIVE_INFINITY : narrow
  }

  /** Number of kernels held now. */
  get kernels(): number {
    return this.#kernels.size
  }

  get memory(): TensorMemory {
    return this.device.memory
  }

  /** Runs an op: with a compiled kernel for this structure of inputs, or on the host if that is faster. */
  run(record: OpRecord, inputs: readonly OpArgument[], given: Attrs): readonly Tensor[] {
    const known = this.#recent.find(record, inputs, given)
    if (known !== undefined && this.#isUsable(known)) return runKnown(known, inputs)
    const attrs = copyPlain(given) as Attrs
    const made = this.#makeOnHost(record, inputs, attrs)
    if (made !== null) return made
    const layout = flatLayout(record, inputs)
    const operands = layout === null ? inputs : inputs.map(flattened)
    const { attrs: general, values } = generalAttrs(record, attrs)
    const { structure, sizes } = structureOf(operands)
    const precision = this.#precisionKey()
    const key = `${record.name}${canonical(general)}${structure}${precision}`
    const call = { record, inputs: operands, attrs: general, values }
    const shape = layout?.startingAt(0) ?? layoutInAttrs(attrs, general)
    const isRepeated = known?.left === 0
    const found = bindCall(this.#kernelFor(call, key, sizes, isRepeated), operands, values, shape, precision)
    if (!isRepeated) found.left = this.#exactAfter
    this.#recent.add(record, inputs, attrs, found)
    return runKnown(found, inputs)
  }

  recall(record: OpRecord, inputs: readonly OpArgument[], attrs: Attrs): Repeat | null {
    const known = this.#recent.find(record, inputs, attrs)
    if (known === undefined) return null
    return given => (this.#isUsable(known) ? runKnown(known, given) : null)
  }

  /** Counts the call. */
  #isUsable(known: KnownCall): boolean {
    if (known.left === 0 || known.precision !== this.#precisionKey()) return false
    known.left--
    return true
  }

  /** Runs an op whose results go into `targets`; null: into new memory. */
  runInto(
    record: OpRecord,
    inputs: readonly OpArgument[],
    given: Attrs,
    targets: readonly (Tensor | null)[],
  ): readonly Tensor[] {
    const attrs = copyPlain(given) as Attrs
    const all = [...inputs, ...targets.filter(target => target !== null)]
    const into = targets.map(target => target !== null)
    const { structure, sizes } = structureOf(all)
    const key = `${record.name}${canonical(attrs)} into ${into.map(Number).join('')}${structure}${this.#precisionKey()}`
    const kernel = this.#kernelFor({ record, inputs: all, attrs, values: [], into }, key, sizes)
    const fresh = [...runKnown(bindCall(kernel, all), all)]
    return targets.map(target => target ?? fresh.shift()!)
  }

  assign(target: Tensor, value: Tensor): void {
    const safe = target.source === value.source && !sameLayout(target, value) ? this.#copy(value) : value
    const operands = [safe, target] as const
    const known = this.#recent.find('assign', operands, {})
    if (known !== undefined) runKnown(known, operands)
    else this.#assignNew(operands)
  }

  #assignNew(operands: readonly [value: Tensor, target: Tensor]): void {
    const { structure, sizes } = structureOf(operands)
    const anyKey = `assign${structure}`
    const exactKey = this.#exactKey(operands, true, anyKey, sizes)
    const key = exactKey ?? anyKey
    let kernel = this.#kernels.get(key)
    if (kernel === undefined || kernel instanceof SizesNeeded) {
      kernel = span('compile', 'assign', () =>
        this.#compileAssign(operands, size => exactKey === null || !this.#isFixed(size)),
      )
      this.#kernels.set(key, kernel)
    }
    const found = bindCall(kernel, operands)
    this.#recent.add('assign', operands, {}, found)
    runKnown(found, operands)
  }

  /** A contiguous copy. */
  #copy(value: Tensor): Tensor {
    const fresh = this.#empty(value.dtype, value.shape)
    this.assign(fresh, value)
    return fresh
  }

  #empty(dtype: Tensor['dtype'], shape: readonly number[]): Tensor {
    const bytes = elementCount(shape) * itemBytes(dtype)
    return new Tensor(
      new Storage(this.memory.allocate(bytes), bytes, this.device.name, this.memory),
      dtype,
      contiguousLayout(shape),
    )
  }

  /** Small creation ops by their reference, the first times; null: the op needs a kernel. */
  #makeOnHost(record: OpRecord, inputs: readonly OpArgument[], attrs: Attrs): readonly Tensor[] | null {
    if (record.category !== 'creation' && record.category !== 'random') return null
    if (record.reference === undefined) return null
    // The host's logarithm and cosine differ from the kernels' in the last bits.
    if (record.name === 'randn') return null
    const host: HostTensor[] = []
    for (const input of inputs) {
      if (input instanceof TensorHandle) return null
      host.push({ dtype: scalarDtype(input), shape: [], data: [scalarValue(input)], isNumber: true })
    }
    const work = this.#hostWork.get(record.name) ?? { calls: 0, elements: 0 }
    const elements = work.elements + createdElements(attrs)
    if (work.calls >= maxHostCalls || !(elements <= maxHostElements)) return null
    this.#hostWork.set(record.name, { calls: work.calls + 1, elements })
    return record.reference(host, attrs as never).map(({ dtype, shape: made, data }) => {
      const name = checkTensorDtype(dtype, record.name)
      const tensor = this.#empty(name, made)
      fillStorage(tensor.storage(record.name), name, stored => writeValues(stored, name, data))
      return tensor
    })
  }

  /** The kernel for a call: for its exact sizes where they are worth it, else for any sizes of this structure. */
  #kernelFor(call: EagerCall, anyKey: string, sizes: readonly number[], isRepeated = false): EagerKernel {
    const exactKey = this.#exactKey(call.inputs, call.record.category === 'pointwise', anyKey, sizes, isRepeated)
    const key = exactKey ?? anyKey
    let kernel = this.#kernels.get(key)
    if (kernel instanceof SizesNeeded) kernel = this.#kernels.get(kernel.keyFor(key, sizes, call.inputs))
    if (kernel !== undefined && !(kernel instanceof SizesNeeded)) return kernel
    return span('compile', call.record.name, () =>
      this.#compile(call, key, sizes, exactKey === null ? [] : sizes.filter(this.#isFixed)),
    )
  }

  readonly #isFixed = (size: number): boolean => size <= this.#largestFixed

  /** Null: the call shares the kernel for any sizes. Elementwise work on contiguous lines is tiled alike whatever their size. */
  #exactKey(
    inputs: readonly OpArgument[],
    isElementwise: boolean,
    key: string,
    sizes: readonly number[],
    isRepeated = false,
  ): string | null {
    const isLarge =
      isRepeated || inputs.some(input => input instanceof TensorHandle && input.numel() >= this.#exactElements)
    if (!isLarge || (isElementwise && inputs.every(isLine)) || !sizes.some(this.#isFixed)) return null
    const indices = sizes.flatMap((size, i) => (this.#isFixed(size) ? [i] : []))
    const exactKey = new SizesNeeded(indices).keyFor(key, sizes, inputs)
    const known = this.#exact.get(key) ?? new Set<string>()
    if (known.has(exactKey)) return exactKey
    if (known.size >= maxExact) return null
    this.#exact.set(key, known.add(exactKey))
    return exactKey
  }

  /**
   * Compiles with symbolic sizes, but for some. Where an op must know others, those are fixed too and the rest stays symbolic.
   */
  #compile(call: EagerCall, key: string, sizes: readonly number[], known: readonly number[]): EagerKernel {
    const fixed = new Set(known)
    for (;;) {
      const table = new SymbolTable()
      try {
        const kernel = this.#finish(
          call.record.name,
          recordCall(call, table, size => !fixed.has(size)),
        )
        const needed = new SizesNeeded([...fixed].map(size => sizes.indexOf(size)))
        const isMore = fixed.size > known.length
        if (isMore) this.#kernels.set(key, needed)
        this.#kernels.set(isMore ? needed.keyFor(key, sizes, call.inputs) : key, kernel)
        return kernel
      } catch (error) {
        // The user's error should name numbers, not symbols: record again with fixed sizes, which throws.
        if (!(error instanceof SymbolicShapeError)) recordCall(call, new SymbolTable(), () => false)
        if (!(error instanceof SymbolicShapeError)) throw error
        const names = error.sizes.flatMap(size => [...symbolsOf(size)])
        const found = names
          .map(name => table.values.get(name)!)
          .filter(size => sizes.includes(size) && !fixed.has(size))
        if (found.length === 0) throw error
        for (const size of found) fixed.add(size)
      }
    }
  }

  #compileAssign(operands: readonly Tensor[], isDynamic: (size: number) => boolean): EagerKernel {
    const recorder = new GraphRecorder()
    const table = new SymbolTable()
    const [from] = recordInputs(recorder, table, operands, isDynamic) as [OpInput]
    const { shape, strides } = recorder.inputLayout(1)
    const written = [{ node: from.node, target: { input: 1, offset: 0, shape, strides } }]
    return this.#finish('copy_', recorder.finish([], table.symbols, written))
  }

  /** Only devices that round matmul operands to tf32 have kernels per precision. */
  #precisionKey(): string {
    return !this.device.roundsMatmuls || getFloat32MatmulPrecision() === 'highest' ? '' : ' in tf32'
  }

  #finish(name: string, made: Graph): EagerKernel {
    const graph = withPrecision(made, this.device.name, getFloat32MatmulPrecision())
    return { graph, runner: makeRunner(graph, this.device, { name }) }
  }
}

/** Reads the symbols of a kernel off the layouts of inputs. */
function bindCall(
  { graph, runner }: EagerKernel,
  inputs: readonly OpArgument[],
  values: readonly number[] = [],
  layout: TensorLayout | null = null,
  precision = '',
): KnownCall {
  const tensors = inputs.filter(input => input instanceof TensorHandle)
  const numbers = inputs.length - tensors.length
  const symbols = Float64Array.from(graph.symbols, ({ input, kind, dim }) =>
    kind === 'value' ? values[input - numbers]! : tensors[input]!.layout[kind](dim),
  )
  return { runner, symbols, isOfTensors: numbers === 0, values, layout, precision, left: Number.POSITIVE_INFINITY }
}

/** Runs a call on inputs like those that it is known for. Kernels use the memory of tensors and its offset; the rest is bound. */
function runKnown(call: KnownCall, inputs: readonly OpArgument[]): readonly Tensor[] {
  const { runner, symbols, values, layout } = call
  if (!call.isOfTensors)
    return withLayout(runner.run(inputs.filter(isTensor), scalarsOf(inputs, values), symbols), layout)
  return withLayout(runner.run(inputs as readonly Tensor[], values, symbols), layout)
}

const isTensor = (input: OpArgument): input is Tensor => input instanceof TensorHandle

function scalarsOf(inputs: readonly OpArgument[], values: readonly number[]): readonly (number | bigint)[] {
  const scalars: (number | bigint)[] = []
  for (const input of inputs) if (!(input instanceof TensorHandle)) scalars.push(scalarValue(input))
  scalars.push(...values)
  return scalars
}

/** Stands in the cache for an op that must know some sizes (by index among the distinct sizes): a kernel for each value. */
class SizesNeeded {
  constructor(readonly indices: readonly number[]) {}

  /** The strides are part of the key: where all sizes of a tensor are fixed, its strides are fixed in the kernel too. */
  keyFor(key: string, sizes: readonly number[], inputs: readonly OpArgument[]): string {
    const strides = inputs.map(input =>
      input instanceof TensorHandle && !isContiguous(input.layout) ? input.strides.join() : '',
    )
    return `${key}@${this.indices.map(index => `${index}=${sizes[index]}`).join(',')};${strides.join(';')}`
  }
}

const isLine = (input: OpArgument): boolean =>
  !(input instanceof TensorHandle) || (input.ndim <= 1 && isContiguous(input.layout))

/** An op on its inputs. `values`: sizes passed at each call; `attrs` holds `sizePlaceholder` for them. */
interface EagerCall {
  readonly record: OpRecord
  readonly inputs: readonly OpArgument[]
  readonly attrs: Attrs
  readonly values: readonly number[]
  /** Which results are written into existing tensors; those are the last inputs, in order. */
  readonly into?: readonly boolean[]
}

/** The graph of a single op, with symbolic sizes. */
function recordCall(
  { record, inputs, attrs, values, into = [] }: EagerCall,
  table: SymbolTable,
  isDynamic: (size: number) => boolean,
): Graph {
  const recorder = new GraphRecorder()
  const nodes = recordInputs(recorder, table, inputs, isDynamic)
  const sizes = values.map((_, i) => {
    recorder.scalarInput(`n${i}`, 'i64')
    return table.value(recorder.scalarCount - 1)
  })
  const operands = nodes.slice(0, nodes.length - into.filter(Boolean).length)
  const outputs = recorder.apply(record, operands, withSizes(attrs, sizes), null)
  let target = recorder.tensorCount - (nodes.length - operands.length)
  const written = outputs.flatMap((node, i): WrittenInput[] => {
    if (into[i] !== true) return []
    const { shape, strides } = recorder.inputLayout(target)
    return [{ node, target: { input: target++, offset: 0, shape, strides } }]
  })
  return recorder.finish(
    outputs.filter((_, i) => into[i] !== true),
    table.symbols,
    written,
  )
}

/** Integers beyond 2^53 are passed as bigints; fractions and -0 are f64 until promotion rounds them. */
const scalarDtype = (value: number | boolean | bigint): 'bool' | 'i64' | 'f64' => {
  const dtype = numberDtype(value, 'f64')
  if (dtype === 'bool' || dtype === 'i64' || dtype === 'f64') return dtype
  throw new InternalError(`eager: a number of dtype ${dtype}`)
}

function scalarValue(value: number | boolean | bigint): number | bigint {
  return scalarDtype(value) === 'i64' ? BigInt(value) : Number(value)
}

/** The inputs of a single op's graph. */
function recordInputs(
  recorder: GraphRecorder,
  table: SymbolTable,
  inputs: readonly OpArgument[],
  isDynamic: (size: number) => boolean,
): readonly OpInput[] {
  return inputs.map((input, i) => {
    if (!(input instanceof TensorHandle))
      return { node: recorder.scalarInput(`x${i}`, scalarDtype(input)), isNumber: true }
    const layout = symbolicLayout(input.layout, recorder.tensorCount, table, dim => isDynamic(input.shape[dim]!))
    return { node: recorder.tensorInput(`x${i}`, input.dtype, layout), isNumber: false }
  })
}

/** The common layout of an elementwise op's contiguous tensors, when it can run flattened; else null. */
function flatLayout(record: OpRecord, inputs: readonly OpArgument[]): TensorLayout | null {
  if (record.category !== 'pointwise') return null
  let common: TensorLayout | null = null
  for (const input of inputs) {
    if (!(input instanceof TensorHandle)) continue
    const { layout } = input
    if (layout.rank === 0) continue
    common ??= layout
    if (!layout.isContiguous || !layout.hasShapeOf(common)) return null
  }
  return common === null || common.rank < 2 ? null : common
}

function flattened(input: OpArgument): OpArgument {
  if (!(input instanceof TensorHandle) || input.ndim === 0) return input
  return new Tensor(input.source, input.dtype, input.layout.line, false)
}

/** How many elements a creation op makes: of a shape, a length, steps (linspace), n (randperm), or rows and columns (eye). */
function createdElements({ shape, length, steps, n, rows, columns }: Attrs): number {
  return elementCount((shape ?? (rows === undefined ? [length ?? steps ?? n] : [rows, columns])) as readonly number[])
}

/** Elementwise creation (fill, random numbers) depends only on the element count, so shapes share a kernel. */
function generalAttrs(record: OpRecord, attrs: Attrs): { readonly attrs: Attrs; readonly values: readonly number[] } {
  const flat = record.category === 'random' || record.name === 'full'
  if (flat && Array.isArray(attrs.shape)) {
    return { attrs: { ...attrs, shape: [sizePlaceholder] }, values: [elementCount(attrs.shape as readonly number[])] }
  }
  const name = sizeOfResult(record)
  if (name === undefined || typeof attrs[name] !== 'number') return { attrs, values: [] }
  return { attrs: { ...attrs, [name]: sizePlaceholder }, values: [attrs[name]] }
}

/** The attribute that is a size of the result and nothing else. That of an index op is counted in data: it rarely recurs. */
function sizeOfResult({ category, signature }: OpRecord): string | undefined {
  if (category === 'creation') return 'length'
  if (category !== 'index') return undefined
  const isCounted = (name: string): boolean => name === 'count' || name === 'outputSize'
  return signature?.params.find(({ name, kinds }) => isCounted(name) && kinds.includes('size'))?.name
}

/** Replaces, in a key, a size that is passed at each call. */
const sizePlaceholder = 'size'

function withSizes(attrs: Attrs, [size]: readonly Size[]): Attrs {
  if (size === undefined) return attrs
  const name = Object.keys(attrs).find(each => attrs[each] === sizePlaceholder)
  return name === undefined ? { ...attrs, shape: [size] } : { ...attrs, [name]: size }
}

const layoutInAttrs = (attrs: Attrs, general: Attrs): TensorLayout | null =>
  attrs === general || !Array.isArray(attrs.shape) ? null : contiguousLayout(attrs.shape as readonly number[])

function withLayout(results: readonly Tensor[], shared: TensorLayout | null): readonly Tensor[] {
  if (shared === null) return results
  return results.map(({ source, dtype, layout }) => {
    if (!layout.isContiguous) throw new InternalError(`eager: strides [${layout.strides.join(', ')}] of a result`)
    return new Tensor(source, dtype, shared)
  })
}

const sameLayout = (a: Tensor, b: Tensor): boolean => a.layout.offset === b.layout.offset && a.layout.isLike(b.layout)

/**
 * What the kernel for these inputs depends on: dtypes, ranks, sizes of 0 and 1, which sizes are equal, and how strides
 * follow from sizes. Two lists of inputs of equal structure have the same symbolic layouts (see `symbolicLayout`).
 */
function structureOf(inputs: readonly OpArgument[]): { readonly structure: string; readonly sizes: readonly number[] } {
  const sizes: number[] = []
  const parts = inputs.map(input =>
    input instanceof TensorHandle ? tensorStructure(input, sizes) : scalarDtype(input),
  )
  return { structure: parts.join(';'), sizes }
}

function tensorStructure({ dtype, layout }: Tensor, sizes: number[]): string {
  let dims = ''
  for (let d = 0; d < layout.rank; d++) dims += `${d === 0 ? '' : ','}${sizeStructure(layout.size(d), sizes)}`
  return layout.isContiguous
    ? `${dtype}[${dims}]`
    : `${dtype}[${dims}]/${strideStructure(layout.shape, layout.strides)}`
}

function sizeStructure(size: number, sizes: number[]): string {
  if (size < 2) return String(size)
  const known = sizes.indexOf(size)
  return `s${known < 0 ? sizes.push(size) - 1 : known}`
}

/** How each stride follows from sizes: equal texts have equal symbolic strides. */
const strideStructure = (shape: readonly number[], strides: readonly number[]): string =>
  strideForms(shape, strides)
    .map(form => (typeof form === 'object' ? `after ${form.after}` : form))
    .join()
