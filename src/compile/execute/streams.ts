/**
 * Streams and events. Work on one stream runs in order; work on two may overlap. Tensors are synchronised automatically: a
 * stream that reads what another one writes, or overwrites what another one reads, waits for it. Events are for
 * everything else: waiting in JavaScript, and measuring time.
 */

import { computeDevice, openDevices } from '../../backends/index.js'
import { describeAny } from '../../base/describe.js'
import { ArgumentError, DeviceError } from '../../base/errors.js'
import { LocalObject } from '../../base/local.js'
import { checkOptionsObject } from '../../base/options.js'
import { type CudaDevice, cudaDevice } from '../../runtime/cuda/device.js'
import type { CudaEvent } from '../../runtime/cuda/event.js'
import type { CudaStream } from '../../runtime/cuda/stream.js'
import { type Device, type DeviceName, deviceOfName, getDefaultDevice } from '../../tensor/device.js'
import { checkDevice } from '../../tensor/dispatch.js'
import { captureRefusal } from '../../tensor/trace.js'
import { currentTracer } from '../../tensor/tracer.js'

/** Options of streams. */
export interface StreamOptions {
  /** A GPU. Default: the default device where that is a GPU, else 'cuda:0'. */
  readonly device?: DeviceName
}

/** Options of events. */
export interface EventOptions extends StreamOptions {
  /** Record the time, for `millisecondsSince`. Default false. */
  readonly timing?: boolean
}

/** The GPU of that name. Throws DeviceError when the name is not a GPU's, or the GPU does not exist. */
export function gpuOf(name: DeviceName | undefined, context: string): CudaDevice {
  const fallback: Device = getDefaultDevice() === 'cpu' ? 'cuda:0' : getDefaultDevice()
  const device = name === undefined ? fallback : deviceOfName(name, context)
  if (device === 'cpu') {
    throw new DeviceError(`${context}: the CPU has no streams: calls on it run one after another`, {
      fix: "name a GPU: { device: 'cuda' }",
    })
  }
  checkDevice(device, context)
  return cudaDevice(Number(device.slice('cuda:'.length)))
}

/** A queue of work on a GPU. `new Stream()` takes one of a pool of 32, round-robin. */
export class Stream extends LocalObject {
  /** The GPU that it is a queue of. */
  readonly device: Device
  readonly #gpu: CudaDevice
  readonly #cuda: CudaStream

  /** @param existing one of the device's streams, for `current` and `main`; users omit it */
  constructor(options: StreamOptions = {}, existing?: CudaStream) {
    super('a stream', 'make one where it is used')
    checkOptionsObject('Stream', options, ['device'])
    this.#gpu = gpuOf(options.device, 'Stream')
    this.device = this.#gpu.name
    this.#cuda = existing ?? this.#gpu.streams.next()
  }

  /** The stream on which work is queued now: the innermost `withStream`'s, or the main one. Throws DeviceError. */
  static current(options: StreamOptions = {}): Stream {
    checkOptionsObject('Stream.current', options, ['device'])
    const gpu = gpuOf(options.device, 'Stream.current')
    return new Stream({ device: gpu.name }, gpu.streams.current)
  }

  /** The default stream. Throws DeviceError. */
  static main(options: StreamOptions = {}): Stream {
    checkOptionsObject('Stream.main', options, ['device'])
    const gpu = gpuOf(options.device, 'Stream.main')
    return new Stream({ device: gpu.name }, gpu.streams.main)
  }

  /** Which of the device's streams it is: 0 is the main one. */
  get id(): number {
    return this.#cuda.id
  }

  /** Whether all work queued on it is done. Throws DeviceError when it failed, CaptureError inside captureGraph. */
  get done(): boolean {
    return this.#cuda.idle
  }

  /** Blocks this thread until all its work is done. Throws as `done`. */
  synchronize(): void {
    this.#cuda.synchronize()
  }

  /** Resolves when the work queued on it until now is done; does not block the event loop. Rejects with DeviceError. */
  finished(): Promise<void> {
    return this.record().finished()
  }

  /**
   * Work queued on this stream from now on waits for what the stream `other` has queued until now, or for the event `other`.
   * Throws DeviceError for one of another GPU.
   */
  waitFor(other: Stream | Event): void {
    if (!((other as unknown) instanceof Stream) && !((other as unknown) instanceof Event)) {
      throw new ArgumentError(`Stream.waitFor: ${describeAny(other)} is neither a stream nor an event`, {
        fix: 'pass a Stream, or an Event that was recorded',
      })
    }
    if (other.device !== this.device) {
      throw new DeviceError(`Stream.waitFor: a stream of ${this.device} cannot wait for ${other.device}`, {
        fix: 'wait for it on this thread: synchronize()',
      })
    }
    if (other instanceof Stream) this.#cuda.waitFor(other.#cuda)
    else this.#cuda.wait(eventOf(other))
  }

  /** An event after all work queued on it until now; with `timing` (default false) it records the time. */
  record(options: { readonly timing?: boolean } = {}): Event {
    checkOptionsObject('Stream.record', options, ['timing'])
    const event = new Event({ ...options, device: this.device })
    eventOf(event).record(this.#cuda)
    return event
  }

  /** Runs `body` with this as the current stream; see `withStream`. */
  run<R>(body: () => R): R {
    return this.#gpu.streams.run(this.#cuda, body)
  }

  /** Records an existing event. */
  recordInto(event: Event): void {
    eventOf(event).record(this.#cuda)
  }
}

const events = new WeakMap<Event, CudaEvent>()

const eventOf = (event: Event): CudaEvent => {
  const known = events.get(event)
  if (known === undefined) {
    throw new ArgumentError(`${describeAny(event)} is no event of Tegula`, { fix: "import { Event } from 'tegula'" })
  }
  return known
}

/** A point in a stream's work. */
export class Event extends LocalObject {
  /** The GPU on which it is recorded. */
  readonly device: Device
  readonly #gpu: CudaDevice

  /** An event that is not recorded yet, and counts as done until it is. Throws DeviceError. */
  constructor(options: EventOptions = {}) {
    super('an event', 'wait for it here, and send what is then known')
    checkOptionsObject('Event', options, ['device', 'timing'])
    if (!['boolean', 'undefined'].includes(typeof options.timing)) {
      throw new ArgumentError(`Event: timing is ${describeAny(options.timing)}`, { fix: 'pass true or false' })
    }
    this.#gpu = gpuOf(options.device, 'Event')
    this.device = this.#gpu.name
    events.set(this, this.#gpu.event({ timing: options.timing ?? false }))
  }

  /** Stands for all work queued on the stream (default: the current one) until now. Recording again moves it. */
  record(stream: Stream = Stream.current({ device: this.device })): void {
    if (!((stream as unknown) instanceof Stream)) {
      throw new ArgumentError(`Event.record: ${describeAny(stream)} is no stream`, { fix: 'pass new Stream()' })
    }
    stream.recordInto(this)
  }

  /** Whether the work before it is done. Throws DeviceError when it failed, CaptureError inside captureGraph. */
  get done(): boolean {
    return eventOf(this).done
  }

  /** Blocks this thread until the work before it is done. Throws as `done`. */
  synchronize(): void {
    eventOf(this).synchronize()
  }

  /** Resolves when the work before it is done; does not block the event loop. Rejects with DeviceError. */
  finished(): Promise<void> {
    return this.#gpu.wait(eventOf(this))
  }

  /** Milliseconds on the device from `start` to this event; both need `timing` and must be done. */
  millisecondsSince(start: Event): number {
    return eventOf(this).millisecondsSince(eventOf(start))
  }
}

/**
 * Runs `body`, which queues its work on `stream`. Returns what it returns; tensors of it can be used on any stream.
 * Throws ArgumentError when `body` returns a promise, CaptureError inside a compiled function.
 */
export function withStream<R>(stream: Stream, body: () => R): R {
  if (!(stream instanceof Stream)) {
    throw new ArgumentError(`withStream: ${describeAny(stream)} is no stream`, {
      fix: 'pass new Stream()',
    })
  }
  requireFunction('withStream', body)
  refuseWhileTracing('withStream')
  return stream.run(body)
}

/**
 * Forks and joins: each function of `branches` runs on a separate stream that waits for the current one; later work on the
 * current stream waits for all of them. Returns what they return, in order. Throws as `withStream`.
 */
export function parallel<const B extends readonly (() => unknown)[]>(
  branches: B,
  options: StreamOptions = {},
): { -readonly [K in keyof B]: ReturnType<B[K]> } {
  refuseWhileTracing('parallel')
  if (!Array.isArray(branches))
    throw new ArgumentError(`parallel: the branches are ${describeAny(branches)}, not a list`, {
      fix: 'parallel([() => f(x), () => g(x)])',
    })
  for (const branch of Array.from(branches as readonly unknown[])) requireFunction('parallel', branch)
  checkOptionsObject('parallel', options, ['device'])
  const { streams } = gpuOf(options.device, 'parallel')
  const { current } = streams
  const used: CudaStream[] = []
  try {
    return branches.map(branch => {
      const stream = streams.next()
      stream.waitFor(current)
      used.push(stream)
      return streams.run(stream, branch)
    }) as { -readonly [K in keyof B]: ReturnType<B[K]> }
  } finally {
    for (const stream of used) current.waitFor(stream)
  }
}

function requireFunction(name: string, body: unknown): void {
  if (typeof body === 'function') return
  throw new ArgumentError(`${name}: ${describeAny(body)} is no function`, { fix: 'pass what is to run: () => f(x)' })
}

/** Throws CaptureError inside a compiled function: its graph runs on the caller's stream. */
export function refuseWhileTracing(name: string): void {
  if (currentTracer() === null) return
  throw captureRefusal(`${name}: called inside a compiled function`, {
    fix: `call the compiled function inside ${name}, not the other way round`,
  })
}

/**
 * Blocks this thread until all work on the device is done; without a device, on all devices in use. Throws DeviceError when
 * work failed, CaptureError inside captureGraph. The CPU is always done.
 */
export function synchronize(device?: DeviceName): void {
  if (device === undefined) for (const each of openDevices()) each.synchronize()
  else computeDevice(checkDevice(device, 'synchronize')).synchronize()
}

/** Waits for the GPUs' work, then returns their cached memory to the driver. Returns the number of bytes freed. */
export function emptyCache(): number {
  return openDevices().reduce((sum, device) => sum + device.trim(), 0)
}
