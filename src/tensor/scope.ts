/** Freeing many tensors at once, and reporting which tensors hold memory. */
import { describeAny } from '../base/describe.js'
import { ArgumentError } from '../base/errors.js'
import { describeLiving } from '../base/heap.js'
import { requireSynchronous } from '../base/synchronous.js'
import { formatBytes } from '../base/units.js'
import { openCudaDevices } from '../runtime/cuda/device.js'
import { historyOf, reachable } from './autograd/history.js'
import type { Device } from './device.js'
import { TensorHandle } from './handle.js'
import { collectStorages, Freed, Storage, type StorageDescription } from './storage.js'
import { currentTracer } from './tracer.js'
import { epochOf } from './watched.js'

/**
 * Runs `body` and frees the memory of every tensor made inside, except those in what it returns (a tensor, a module, or arrays and
 * plain objects of tensors), what their gradients need, and the gradients in `.grad`. Using a freed one later throws DisposedError. Scopes nest. Throws ArgumentError when `body`
 * returns a promise: tensors made after its first `await` would escape the scope. Inside a compiled function it does
 * nothing: there the compiler knows when each value is dead.
 */
export function scope<R>(body: () => R): R {
  if (typeof (body as unknown) !== 'function')
    throw new ArgumentError(`scope: the body is ${describeAny(body)}, not a function`, { fix: 'scope(() => x.add(1))' })
  if (currentTracer() !== null) return requireSync(body())
  return collectStorages(
    () => requireSync(body()),
    (made, outcome) => {
      const results = outcome.ok ? tensorsIn(outcome.value) : []
      const kept = keepResults(results, new Set<unknown>(made))
      const saved = savedFor(results)
      let freed: Freed | null = null
      for (let i = 0; i < made.length; i++) {
        const storage = made[i]!
        if (storage.outlivesScopes || kept.has(storage) || saved.has(storage)) continue
        freed ??= new Freed('freed with its scope')
        storage.free(freed)
      }
    },
  )
}

function requireSync<R>(result: R): R {
  return requireSynchronous(
    result,
    what => new ArgumentError(`scope: the function returned ${what}`, { fix: 'await outside of the scope' }),
  )
}

/** The storages among `made` that results use. One tensor on each becomes its owner. */
function keepResults(results: readonly TensorHandle[], made: ReadonlySet<unknown>): ReadonlySet<unknown> {
  const kept = results.filter(tensor => !tensor.disposed && made.has(tensor.source))
  const owned = new Set<unknown>(kept.filter(tensor => tensor.ownsMemory).map(tensor => tensor.source))
  for (const tensor of kept) {
    if (owned.has(tensor.source)) continue
    owned.add(tensor.source)
    tensor.adoptMemory()
  }
  return owned
}

const noStorages: ReadonlySet<unknown> = new Set()

/** What the gradients of the results need. */
function savedFor(results: readonly TensorHandle[]): ReadonlySet<unknown> {
  const nodes = results.flatMap(tensor => historyOf(tensor)?.node ?? [])
  if (nodes.length === 0) return noStorages
  return new Set(
    [...reachable(nodes)].flatMap(node => node.saved().flatMap(({ kept }) => kept.map(({ source }) => source))),
  )
}

/** The tensors in a tree of arrays, Maps, plain objects and modules; cycles are followed once. */
export function tensorsIn(value: unknown, seen: Set<object> = new Set()): TensorHandle[] {
  const isModule = typeof value === 'function' && epochOf(value) !== null
  if ((typeof value !== 'object' && !isModule) || value === null || seen.has(value)) return []
  seen.add(value)
  if (value instanceof TensorHandle) return [value]
  if (Array.isArray(value)) return value.flatMap(item => tensorsIn(item, seen))
  if (value instanceof Map) return [...value.values()].flatMap(item => tensorsIn(item, seen))
  const prototype: unknown = Object.getPrototypeOf(value)
  if (!isModule && prototype !== Object.prototype && prototype !== null) return []
  return Object.values(value).flatMap(item => tensorsIn(item, seen))
}

/** Living tensors' memory on one device made by one op or function. */
export interface MemoryEntry {
  /** What made it: an op's name, or a creation function's. */
  readonly label: string
  /** The device that stores it. */
  readonly device: Device
  /** How many living tensors with memory of their own. */
  readonly count: number
  /** How much they hold. */
  readonly bytes: number
}

/** A GPU's memory, in bytes. */
export interface DeviceMemorySummary {
  /** Which GPU. */
  readonly device: Device
  /** In use: tensors, what compiled code keeps, graphs. */
  readonly allocated: number
  /** The most of `allocated` so far. */
  readonly peakAllocated: number
  /** Kept for reuse; `emptyCache()` gives it back. */
  readonly cached: number
  /** Got from the driver: allocated, cached, and what is left over within graphs' memory. */
  readonly reserved: number
  /** The most of `reserved` so far. */
  readonly peakReserved: number
  /** What is in use by purpose ('tensors', 'temporaries' of compiled functions, 'graphs'), largest first. */
  readonly byOwner: readonly { readonly owner: string; readonly bytes: number }[]
  /** Free on the device, for all processes. */
  readonly free: number
  /** The device's memory in all. */
  readonly total: number
}

/** What `memorySummary` gives. */
export interface MemorySummary {
  /** How many living tensors with memory of their own, on all devices. */
  readonly count: number
  /** How much they hold. */
  readonly bytes: number
  /** Largest first. */
  readonly entries: readonly MemoryEntry[]
  /** The GPUs in use. */
  readonly devices: readonly DeviceMemorySummary[]
  /** As a readable table. */
  toString(): string
}

/**
 * What tensors hold memory now, after collecting garbage, and what the GPUs in use hold beside it. It walks the whole heap, so it is slow (tens of milliseconds)
 * and exact; nothing is recorded while programs run. Throws ArgumentError on Node before 20.13, which cannot walk it.
 */
export function memorySummary(): MemorySummary {
  const living = describedStorages().filter(({ bytes }) => bytes > 0)
  const byMaker = new Map<string, { label: string; device: Device; count: number; bytes: number }>()
  for (const { label, device, bytes } of living) {
    const key = `${device} ${label}`
    const entry = byMaker.get(key) ?? { label, device, count: 0, bytes: 0 }
    byMaker.set(key, { label, device, count: entry.count + 1, bytes: entry.bytes + bytes })
  }
  const entries = [...byMaker.values()].sort((a, b) => b.bytes - a.bytes)
  const bytes = entries.reduce((sum, entry) => sum + entry.bytes, 0)
  const summary = { count: living.length, bytes, entries, devices: deviceSummaries() }
  return { ...summary, toString: () => summaryText(summary) }
}

/** The memory of each GPU in use. */
function deviceSummaries(): DeviceMemorySummary[] {
  return openCudaDevices()
    .filter(({ context }) => context.lost === null)
    .map(({ name, allocator, context }) => {
      allocator.collect()
      const stats = allocator.stats()
      const { freeBytes, totalBytes } = context.memoryInfo()
      return {
        device: name,
        allocated: stats.allocatedBytes,
        peakAllocated: stats.peakAllocatedBytes,
        cached: stats.cachedBytes,
        reserved: stats.reservedBytes,
        peakReserved: stats.peakReservedBytes,
        byOwner: stats.byOwner,
        free: freeBytes,
        total: totalBytes,
      }
    })
}

function describedStorages(): StorageDescription[] {
  const living = describeLiving(Storage)
  if (living === null) {
    throw new ArgumentError('memorySummary: this version of Node cannot list objects', {
      fix: 'use Node 20.13 or later',
    })
  }
  return living.map(text => JSON.parse(text) as StorageDescription)
}

function summaryText({ count, bytes, entries, devices }: Omit<MemorySummary, 'toString'>): string {
  const place = ({ device }: MemoryEntry): string => (device === 'cpu' ? '' : ` on ${device}`)
  const rows = entries.map(
    each => `  ${formatBytes(each.bytes).padStart(10)}  ${each.label} (${each.count})${place(each)}`,
  )
  return [`${formatBytes(bytes)} in ${count} tensors' memory`, ...rows, ...devices.flatMap(deviceText)].join('\n')
}

function deviceText({ device, byOwner, ...bytes }: DeviceMemorySummary): string[] {
  const owners = byOwner.map(each => `${each.owner} ${formatBytes(each.bytes)}`).join(', ')
  const parts = [
    `${formatBytes(bytes.allocated)} allocated${owners === '' ? '' : ` (${owners})`}`,
    `peak ${formatBytes(bytes.peakAllocated)}`,
    `${formatBytes(bytes.cached)} cached`,
    `${formatBytes(bytes.reserved)} reserved`,
    `${formatBytes(bytes.free)} of ${formatBytes(bytes.total)} free`,
  ]
  return [`${device}: ${parts.join(', ')}`]
}
