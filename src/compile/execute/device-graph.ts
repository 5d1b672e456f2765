/**
 * `captureGraph(fn)`: what `fn` queues on a GPU, recorded once and replayed as one CUDA graph, without running `fn`.
 *
 * A graph reads and writes fixed memory. Each replay copies the inputs into the graph's memory (one device copy per input,
 * since pointers never change; a compiled function under `reduce-overhead` patches pointers instead). Tensors that `fn`
 * closes over are read from their own memory: change them in place. Results are copied out, so that those of one replay
 * survive the next, unless `results: 'shared'` returns views of the graph's memory.
 */
import { describeAny } from '../../base/describe.js'
import { ArgumentError, CaptureError, ShapeError } from '../../base/errors.js'
import { LocalObject } from '../../base/local.js'
import { checkOptionsObject } from '../../base/options.js'
import { requireSynchronous } from '../../base/synchronous.js'
import type { CudaBlock } from '../../runtime/cuda/block.js'
import type { CapturedGraph } from '../../runtime/cuda/capture.js'
import type { CudaDevice } from '../../runtime/cuda/device.js'
import type { DeviceName } from '../../tensor/device.js'
import { assignInPlace, requireTensor } from '../../tensor/dispatch.js'
import { contiguousLayout, elementCount, isContiguous } from '../../tensor/layout.js'
import { outsideScopes, Storage } from '../../tensor/storage.js'
import { Tensor } from '../../tensor/tensor.js'
import { type Dtype, itemBytes } from '../../types/dtype.js'
import { describeTree, rebuildTree, resultsOnly, type Tree } from '../capture/tree.js'
import { runObserver } from './run-observer.js'
import { gpuOf, refuseWhileTracing } from './streams.js'

/** Tensors by name. */
export type GraphInputs = Readonly<Record<string, Tensor>>

/** Options of `captureGraph`. */
export interface CaptureGraphOptions<I extends GraphInputs> {
  /** Tensors that are passed to `fn` and that replays may replace, by name. */
  readonly inputs?: I
  /** Default: the inputs' device; without inputs the default device if that is a GPU, else 'cuda:0'. */
  readonly device?: DeviceName
  /** 'copied' (default): each replay's results are the caller's. 'shared': the next replay overwrites them. */
  readonly results?: 'copied' | 'shared'
  /** Graphs kept, one per combination of the inputs' shapes; the least recently replayed one is freed. Default 8. */
  readonly limit?: number
}

const defaultLimit = 8

/** A captured graph for one combination of input shapes. */
interface Version<I> {
  readonly graph: CapturedGraph
  /** In the graph's memory. */
  readonly inputs: I
  readonly tree: Tree
  readonly results: readonly Tensor[]
}

/**
 * GPU work that was recorded once and is replayed as one CUDA graph, as `captureGraph` returns it. It keeps its memory until
 * `destroy`.
 */
export class DeviceGraph<I extends GraphInputs, R> extends LocalObject {
  readonly #fn: (inputs: I) => R
  readonly #gpu: CudaDevice
  readonly #shared: boolean
  readonly #limit: number
  /** By shapes, the most recently replayed one last. */
  readonly #versions = new Map<string, Version<I>>()
  #captures = 0
  #destroyed = false

  /** Use `captureGraph`. */
  constructor(fn: (inputs: I) => R, gpu: CudaDevice, inputs: I, { results, limit }: CaptureGraphOptions<I>) {
    super('a captured graph', 'capture it where it is replayed')
    this.#fn = fn
    this.#gpu = gpu
    this.#shared = results === 'shared'
    this.#limit = limit ?? defaultLimit
    this.#capture(inputs)
  }

  /**
   * Runs the graph on the current stream, after all work queued on the device until now, with these `inputs`, by name. Inputs
   * that are not named keep their values from the last replay. Inputs of another shape or dtype are captured first, which
   * calls `fn` again; `limit` such graphs are kept. Returns what `fn` returned, with this run's numbers. Throws
   * ArgumentError for an unknown input, DeviceError for one on another device, and what `fn` throws.
   */
  replay(inputs: Partial<I> = {}): R {
    if (this.#destroyed) {
      throw new ArgumentError('DeviceGraph.replay: the graph was destroyed', { fix: 'capture it again' })
    }
    refuseWhileTracing('DeviceGraph.replay')
    const last = [...this.#versions.values()].at(-1)!
    const given = this.#checkInputs(inputs, last.inputs)
    const all = { ...last.inputs, ...given } as I
    const key = keyOf(all)
    const version = this.#versions.get(key) ?? this.#capture(all)
    this.#versions.delete(key)
    this.#versions.set(key, version)
    for (const [name, value] of Object.entries(all)) {
      const target = version.inputs[name]!
      if (target !== value) this.#copy(target, value)
    }
    const { graph } = version
    if (runObserver === null) graph.launch()
    else runObserver.replay({ kernels: graph.kernels, device: this.#gpu.name, run: () => graph.launch() })
    const results = version.results.map(result =>
      this.#shared ? result.withLayout(result.layout) : this.#copied(result),
    )
    return rebuildTree(version.tree, resultsOnly(results)) as R
  }

  /** Graphs alive: one per combination of shapes replayed. */
  get versions(): number {
    return this.#versions.size
  }

  /** Number of times that `fn` was captured. */
  get captures(): number {
    return this.#captures
  }

  /** Kernels, copies and fills of the graph replayed last. */
  get nodes(): number {
    return [...this.#versions.values()].at(-1)?.graph.nodes ?? 0
  }

  /** Names of the kernels of the graph replayed last, in order. */
  get kernels(): readonly string[] {
    return [...this.#versions.values()].at(-1)?.graph.kernels.map(({ kernel }) => kernel) ?? []
  }

  /** Bytes of device memory that all its graphs keep; `memorySummary()` counts them as 'graphs'. */
  get bytes(): number {
    return [...this.#versions.values()].reduce(
      (sum, { graph, inputs }) =>
        sum + graph.bytes + Object.values(inputs).reduce((all, input) => all + bytesOf(input), 0),
      0,
    )
  }

  /** Frees its memory. Results returned by replays stay valid. A second call does nothing. */
  destroy(): void {
    for (const { graph } of this.#versions.values()) graph.destroy()
    this.#versions.clear()
    this.#destroyed = true
  }

  [Symbol.dispose](): void {
    this.destroy()
  }

  /** Checks the inputs of a replay by name, rank, dtype and device. */
  #checkInputs(inputs: Partial<I>, known: I): Partial<I> {
    for (const [name, value] of Object.entries(inputs)) {
      if (!(name in known)) {
        const names = Object.keys(known)
        throw new ArgumentError(`DeviceGraph.replay: no input '${name}'`, {
          fix:
            names.length === 0
              ? 'name the inputs when capturing: captureGraph(({ x }) => f(x), { inputs: { x } })'
              : `it has ${names.join(', ')}`,
        })
      }
      const tensor = requireTensor('DeviceGraph.replay', value, `input '${name}'`)
      if (tensor.ndim !== known[name]!.ndim) {
        throw new ShapeError(
          `DeviceGraph.replay: input '${name}' is ${tensor.describe()}, captured as ${known[name]!.describe()}`,
          { fix: 'sizes may change, the number of dims may not: capture another graph' },
        )
      }
    }
    return inputs
  }

  /** Captures the function with inputs in the graph's own memory. */
  #capture(inputs: I): Version<I> {
    const gpu = this.#gpu
    const copies = outsideScopes(() =>
      Object.fromEntries(
        Object.entries(inputs).map(([name, value]) => {
          const fresh = this.#empty(value.dtype, value.shape, 'graphs', name)
          this.#copy(fresh, value)
          return [name, fresh]
        }),
      ),
    ) as unknown as I
    const { graph, result } = outsideScopes(() => gpu.captureGraph(() => requireSync(this.#fn({ ...copies }))))
    const results: Tensor[] = []
    const tree = describeTree(result, results, 'result')
    this.#captures++
    const version = { graph, inputs: copies, tree, results: results.map(each => each.withLayout(each.layout)) }
    const key = keyOf(inputs)
    this.#versions.set(key, version)
    for (const [oldest, { graph: old }] of this.#versions) {
      if (this.#versions.size <= this.#limit || oldest === key) break
      old.destroy()
      this.#versions.delete(oldest)
    }
    return version
  }

  /** Copies contiguous memory by a device copy, without a kernel. */
  #copy(target: Tensor, source: Tensor): void {
    if (source.device !== target.device || !isContiguous(source.layout)) {
      assignInPlace('DeviceGraph.replay', target, source)
      return
    }
    const { transfers, streams } = this.#gpu
    const [to, from] = [locationOf(target), locationOf(source)]
    transfers.copy(to.block, to.offset, from.block, from.offset, bytesOf(target), streams.current)
  }

  #copied(result: Tensor): Tensor {
    const fresh = this.#empty(result.dtype, result.shape, 'tensors', 'replay')
    this.#copy(fresh, result)
    return fresh
  }

  #empty(dtype: Dtype, shape: readonly number[], owner: string, label: string): Tensor {
    const { allocator, memory, name } = this.#gpu
    const bytes = elementCount(shape) * itemBytes(dtype)
    const storage = new Storage(allocator.allocate(bytes, owner), bytes, name, memory)
    storage.label = label
    return new Tensor(storage, dtype, contiguousLayout(shape))
  }
}

/**
 * Runs `fn` once with its GPU work captured instead of run, as a graph that `replay()` runs; nothing has been computed
 * when this returns. Everything else that `fn` does (work on CPU tensors, prints, random seeds, plain numbers) happens now,
 * once: replays repeat the GPU's work with the same numbers. `fn` may call compiled functions, whether compiled already or
 * not, and use streams. Throws CaptureError when `fn` reads a tensor's values, waits for the device, returns a promise or
 * captures a graph itself, DeviceError without a GPU, and what `fn` throws; in each case no graph is kept.
 *
 * @example const g = captureGraph(({ x }) => f(x), { inputs: { x } });  const y = g.replay({ x: other })
 */
export function captureGraph<R, I extends GraphInputs = Record<never, never>>(
  fn: (inputs: I) => R,
  options: CaptureGraphOptions<I> = {},
): DeviceGraph<I, R> {
  refuseWhileTracing('captureGraph')
  if (typeof (fn as unknown) !== 'function') {
    throw new ArgumentError(`captureGraph: ${describeAny(fn)} is no function`, {
      fix: 'pass a function of the inputs: captureGraph(({ x }) => f(x), { inputs: { x } })',
    })
  }
  checkOptionsObject('captureGraph', options, ['inputs', 'device', 'results', 'limit'])
  const inputs: unknown = options.inputs ?? {}
  if (typeof inputs !== 'object' || inputs === null || inputs instanceof Tensor || Array.isArray(inputs)) {
    throw new ArgumentError(`captureGraph: the inputs are ${describeAny(inputs)}`, { fix: 'give them names: { x, y }' })
  }
  const { results } = options
  if (results !== undefined && results !== 'copied' && results !== 'shared') {
    throw new ArgumentError(`captureGraph: results is ${describeAny(results)}`, { fix: "use 'copied' or 'shared'" })
  }
  for (const [name, value] of Object.entries(inputs)) requireTensor('captureGraph', value, `input '${name}'`)
  const { limit } = options
  if (limit !== undefined && !(Number.isInteger(limit) && limit >= 1)) {
    throw new ArgumentError(`captureGraph: limit is ${typeof limit === 'number' ? limit : describeAny(limit)}`, {
      fix: 'keep at least one graph',
    })
  }
  const placed = Object.values(inputs as I).find(({ device }) => device !== 'cpu')
  return new DeviceGraph(fn, gpuOf(options.device ?? placed?.device, 'captureGraph'), inputs as I, options)
}

function requireSync<R>(result: R): R {
  return requireSynchronous(
    result,
    what =>
      new CaptureError(`captureGraph: the function returned ${what}`, {
        fix: 'capture the synchronous part; await before or after it',
      }),
  )
}

const bytesOf = (tensor: Tensor): number => tensor.numel() * itemBytes(tensor.dtype)

function locationOf(tensor: Tensor): { readonly block: CudaBlock; readonly offset: number } {
  const { block } = tensor.storage('DeviceGraph.replay')
  return { block: block as CudaBlock, offset: tensor.layout.offset * itemBytes(tensor.dtype) }
}

const keyOf = (inputs: GraphInputs): string =>
  Object.entries(inputs)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, tensor]) => `${name}: ${tensor.describe()}`)
    .join('; ')
