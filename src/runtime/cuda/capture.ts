/**
 * Captures what is queued on a stream as a CUDA graph instead of running it. Streams that the captured one is ordered with
 * join the capture. Memory allocated during it belongs to the graph, and memory from outside that it uses is kept until the
 * graph is destroyed.
 */
import { CaptureError, InternalError } from '../../base/errors.js'
import { captureModes } from './capture-mode.js'
import type { CapturePool } from './capture-pool.js'
import type { CudaContext } from './context.js'
import { ExecutableGraph } from './executable-graph.js'
import type { KernelLabel, Launcher } from './launch-log.js'
import type { CudaAllocator } from './memory.js'
import type { PinnedBuffer, PinnedPool } from './pinned.js'
import { results } from './results.js'
import type { CaptureState, CudaStream, StreamSet } from './stream.js'

/** A capture in progress. */
export class Capture implements CaptureState, Launcher {
  readonly streams = new Set<CudaStream>()
  readonly kernels: KernelLabel[] = []
  readonly buffers: PinnedBuffer[] = []
  /** Anything that must live as long as the graph. */
  readonly kept: unknown[] = []
  readonly #before: Map<CudaStream, number>
  readonly #afterwards: (() => void)[] = []

  constructor(
    readonly pool: CapturePool,
    all: readonly CudaStream[],
  ) {
    this.#before = new Map(all.map(stream => [stream, stream.ticket]))
  }

  afterwards(body: () => void): void {
    this.#afterwards.push(body)
  }

  /** Ends it, and runs what was deferred until then. */
  ended({ streams }: CapturingDevice, stream: CudaStream): void {
    streams.run(stream, () => {
      for (const body of this.#afterwards.splice(0)) body()
    })
  }

  isBefore(stream: CudaStream): boolean {
    return stream.ticket <= (this.#before.get(stream) ?? 0)
  }

  keepBuffer(buffer: PinnedBuffer): void {
    this.buffers.push(buffer)
  }

  launched(launcher: Launcher): void {
    this.kept.push(launcher)
    this.kernels.push(...launcher.kernels)
  }
}

/** The parts of a device that capturing needs. */
export interface CapturingDevice {
  readonly context: CudaContext
  readonly streams: StreamSet
  readonly allocator: CudaAllocator
  readonly pinned: PinnedPool
}

/** What a captured graph owns; separate from it, so that it can be released when the graph is garbage. */
interface ReplayState {
  readonly device: CapturingDevice
  readonly capture: Capture
  readonly exec: ExecutableGraph
  lastStream: CudaStream
}

const unreachable = new FinalizationRegistry<ReplayState>(state => state.device.context.letGo(() => destroy(state)))

function destroy({ device, capture, exec, lastStream }: ReplayState): void {
  const { context, allocator, streams, pinned } = device
  if (exec.handle === 0 || context.lost !== null) return
  // Page-locked buffers are reused at once, so the device must be done reading them.
  if (capture.buffers.length > 0) lastStream.synchronize()
  exec.destroy()
  streams.joinAll(lastStream)
  allocator.closePool(capture.pool, lastStream)
  for (const buffer of capture.buffers.splice(0)) pinned.give(buffer)
  capture.kept.length = 0
}

/** A captured graph, ready to replay. */
export class CapturedGraph {
  readonly nodes: number
  /** Device memory that it keeps: allocations of the capture, and the driver's own. */
  readonly bytes: number
  readonly #device: CapturingDevice
  readonly #state: ReplayState

  constructor(device: CapturingDevice, capture: Capture, graph: number, stream: CudaStream) {
    this.#device = device
    this.nodes = countNodes(device.context, graph)
    const exec = new ExecutableGraph(device.context, device.allocator, graph)
    this.#state = { device, capture, exec, lastStream: stream }
    this.bytes = exec.bytes + capture.pool.pool.bytes
    unreachable.register(this, this.#state)
  }

  /** The kernels in it. */
  get kernels(): readonly KernelLabel[] {
    return this.#state.capture.kernels
  }

  /** Runs it on `stream`, after all work queued on the device until now. Throws DeviceError, or InternalError after `destroy`. */
  launch(stream: CudaStream = this.#device.streams.current): void {
    const { exec, capture } = this.#state
    if (exec.handle === 0) throw new InternalError('a captured graph was replayed after its end')
    const { context, streams } = this.#device
    streams.joinAll(stream)
    context.check(context.enter().cuGraphLaunch(exec.handle, stream.handle), 'replaying a graph')
    stream.queued(capture)
    capture.pool.replayed(stream)
    this.#state.lastStream = stream
  }

  /** Releases its memory, in order after its last replay. Idempotent. */
  destroy(): void {
    destroy(this.#state)
  }

  [Symbol.dispose](): void {
    this.destroy()
  }
}

/**
 * Runs `body` with `stream` as the current one, capturing what it queues. Nothing runs until `launch`. Throws what
 * `body` throws, CaptureError for a capture inside another or one that the driver could not make.
 */
export function captureGraph<R>(
  device: CapturingDevice,
  body: (capture: Capture) => R,
  stream: CudaStream = device.streams.next(),
): { graph: CapturedGraph; result: R } {
  const { context, streams, allocator } = device
  if (streams.capture !== null) {
    throw new CaptureError('captureGraph: called inside another captureGraph', { fix: 'capture one graph at a time' })
  }
  streams.joinAll(stream)
  const capture = new Capture(allocator.beginCapture(), streams.all)
  try {
    context.check(context.enter().cuStreamBeginCapture(stream.handle, captureModes.threadLocal), 'beginning a capture')
  } catch (error) {
    allocator.endCapture()
    allocator.closePool(capture.pool, stream)
    throw error
  }
  context.capturing = true
  streams.capture = capture
  capture.streams.add(stream)
  stream.capture = capture
  let outcome: { result: R } | { error: unknown }
  try {
    outcome = { result: streams.run(stream, () => body(capture)) }
    for (const other of capture.streams) stream.join(other)
  } catch (error) {
    outcome = { error }
  }
  const ended = end(device, capture, stream)
  if ('error' in outcome || ended.result !== results.success) {
    discard(device, capture, ended.graph, stream)
    capture.ended(device, stream)
    if ('error' in outcome) throw outcome.error
    throw context.error(ended.result, 'ending a capture')
  }
  try {
    const graph = new CapturedGraph(device, capture, ended.graph, stream)
    capture.ended(device, stream)
    return { graph, result: outcome.result }
  } catch (error) {
    discard(device, capture, 0, stream)
    throw error
  }
}

function end(device: CapturingDevice, capture: Capture, stream: CudaStream): { result: number; graph: number } {
  const { context, streams, allocator } = device
  context.out.set(0, 0)
  const result = context.enter().cuStreamEndCapture(stream.handle, context.out.address)
  const graph = context.out.get(0)
  context.capturing = false
  for (const member of capture.streams) member.leave()
  streams.capture = null
  allocator.endCapture()
  return { result, graph }
}

function discard(device: CapturingDevice, capture: Capture, graph: number, stream: CudaStream): void {
  if (graph !== 0) device.context.enter().cuGraphDestroy(graph)
  device.allocator.closePool(capture.pool, stream)
  for (const buffer of capture.buffers) device.pinned.give(buffer)
}

function countNodes(context: CudaContext, graph: number): number {
  context.check(context.enter().cuGraphGetNodes(graph, 0, context.out.address), 'counting the nodes of a graph')
  return context.out.get(0)
}
