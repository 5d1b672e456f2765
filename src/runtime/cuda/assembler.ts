/**
 * Assembles PTX to machine code with the driver's assembler, through the disk cache: assembling takes tens of milliseconds
 * to seconds, loading machine code far less than one.
 */
import { contentHash } from '../../base/canonical.js'
import { CompilerError, DeviceError, InternalError } from '../../base/errors.js'
import { plural } from '../../base/units.js'
import { version } from '../../base/version.js'
import type { DiskCache } from '../../cache/disk-cache.js'
import { addressOf, bytesAt } from '../native.js'
import { timeoutFix } from '../time-limit.js'
import { type AssemblerPool, AssemblerTimeout } from './assembler-pool.js'
import { relaxed } from './capture-mode.js'
import { type CudaContext, OutOfResources } from './context.js'
import { cudaVersion } from './driver.js'
import { type LinkAnswer, type LinkRequest, link } from './link.js'
import { explainResult, resultName, results } from './results.js'

/** CUjit_option */
const jit = { target: 9, verbose: 12, lineInfo: 13 } as const

export interface Assembled {
  /** Modules that hold the text's kernels among them. */
  readonly cubins: readonly Uint8Array[]
  /** The assembler's messages. */
  readonly log: string
  /** The kernels that contain `griddepcontrol.wait`. */
  readonly waiting: readonly string[]
}

/** Changes with the entry format and with how we call the assembler. */
const format = 'cubin 2'
/** Smaller texts are assembled on the calling thread, since starting workers takes longer. */
const worthWorkers = 48 * 1024

/** Counters of this process. */
export interface AssemblerStats {
  /** Texts assembled, and those found in the cache. */
  compiled: number
  loaded: number
  /** Total milliseconds from request to answer. */
  compileMs: number
}

export class Assembler {
  readonly stats: AssemblerStats = { compiled: 0, loaded: 0, compileMs: 0 }
  readonly #context: CudaContext
  readonly #cache: DiskCache
  readonly #pool: AssemblerPool

  constructor(context: CudaContext, cache: DiskCache, pool: AssemblerPool) {
    this.#context = context
    this.#cache = cache
    this.#pool = pool
  }

  /**
   * Machine code of a PTX text for the device, from the cache or the driver's assembler. Throws DeviceError when the
   * driver is too old for the text or the text is for another GPU, CompilerError when the assembler refuses it.
   */
  assemble(ptx: string): Assembled {
    const key = this.#key(ptx)
    const known = this.#recall(key, ptx)
    if (known !== null) return known
    const started = performance.now()
    const parts = ptx.length < worthWorkers ? [ptx] : splitKernels(ptx, this.#pool.width)
    const requests = parts.map(requestFor)
    const answers = parts.length === 1 ? null : this.#withTimeoutError(ptx, () => this.#pool.assemble(requests))
    return this.#keep(key, ptx, started, isWhole(answers) ? answers : requests.map(request => this.#here(request)))
  }

  /** As `assemble`, without blocking the event loop while the assembler works. */
  async assembleAsync(ptx: string): Promise<Assembled> {
    const key = this.#key(ptx)
    const known = this.#recall(key, ptx)
    if (known !== null) return known
    const started = performance.now()
    const requests = splitKernels(ptx, this.#pool.width).map(requestFor)
    const answers = await this.#pool
      .assembleAsync(requests)
      .catch((error: unknown) => this.#withTimeoutError(ptx, () => raise(error)))
    return this.#keep(key, ptx, started, isWhole(answers) ? answers : requests.map(request => this.#here(request)))
  }

  /** Stores machine code that was assembled elsewhere for devices of this compute capability. */
  adopt(ptx: string, { cubins, log }: Pick<Assembled, 'cubins' | 'log'>): void {
    this.#cache.put(this.#key(ptx), encode(cubins, log))
  }

  /** The timeout as an error that names the kernels. */
  #withTimeoutError<R>(ptx: string, work: () => R): R {
    try {
      return work()
    } catch (error) {
      if (!(error instanceof AssemblerTimeout)) throw error
      const names = [...ptx.matchAll(/^(?:\.visible\s+)?\.entry\s+(\w+)/gm)].map(([, name = '']) => name)
      const shown = names.length > 4 ? [...names.slice(0, 4), '…'] : names
      throw new CompilerError(
        `${this.#context.name}: the driver's assembler did not finish a text within ${error.seconds} s, of ` +
          `${plural(names.length, 'kernel')} (${shown.join(', ')})`,
        { fix: `${timeoutFix}, or use smaller blocks`, cause: error },
      )
    }
  }

  #recall(key: string, ptx: string): Assembled | null {
    const known = this.#cache.get(key)
    if (known === null) return null
    this.stats.loaded++
    return { ...decode(known), waiting: waitingKernels(ptx) }
  }

  #key(ptx: string): string {
    const { driver } = this.#context
    return contentHash([format, version, ptx, `${driver.version}`, capability(this.#context)])
  }

  #here(request: LinkRequest): LinkAnswer {
    const call = this.#context.enter()
    return relaxed(this.#context, () => link({ ...call, addressOf, bytesAt }, request))
  }

  #keep(key: string, ptx: string, started: number, answers: readonly LinkAnswer[]): Assembled {
    const cubins = answers.map(({ result, cubin, error }) => {
      if (result !== results.success || cubin === null) throw refused(result, ptx, this.#context, error)
      return cubin
    })
    const log = answers.map(({ info }) => info).join('\n')
    this.#cache.put(key, encode(cubins, log))
    this.stats.compiled++
    this.stats.compileMs += performance.now() - started
    return { cubins, log, waiting: waitingKernels(ptx) }
  }
}

function raise(error: unknown): never {
  throw error
}

/** A worker that could not even start answers with a result that no driver returns; then this thread assembles. */
const isWhole = (answers: readonly LinkAnswer[] | null): answers is readonly LinkAnswer[] =>
  answers?.every(({ result }) => result >= 0) ?? false

const entryStart = /^(?:\.visible\s+)?\.entry\s/gm

/** Splits a text into up to `max` texts of about equally many kernels, each with everything before the first kernel. */
export function splitKernels(ptx: string, max: number): string[] {
  const starts = [...ptx.matchAll(entryStart)].map(({ index }) => index)
  const count = Math.min(max, starts.length)
  if (count < 2) return [ptx]
  const header = ptx.slice(0, starts[0])
  const kernels = starts.map((start, i) => ptx.slice(start, starts[i + 1]))
  const parts = Array.from({ length: count }, () => ({ text: header }))
  for (const kernel of kernels.sort((a, b) => b.length - a.length)) {
    parts.reduce((least, part) => (part.text.length < least.text.length ? part : least)).text += kernel
  }
  return parts.map(({ text }) => text)
}

/** Kernels whose text contains the wait; the emitter puts it before the first memory access. */
function waitingKernels(ptx: string): string[] {
  if (!ptx.includes('griddepcontrol.wait')) return []
  return ptx
    .split(entryStart)
    .slice(1)
    .filter(kernel => kernel.includes('griddepcontrol.wait'))
    .map(kernel => /^\s*(\w+)/.exec(kernel)?.[1] ?? '')
}

function requestFor(ptx: string): LinkRequest {
  const options: [number, number][] = [[jit.verbose, 1]]
  if (/^\s*\.loc\s/m.test(ptx)) options.push([jit.lineInfo, 1])
  const target = targetCode(ptx)
  if (target !== null) options.push([jit.target, target])
  return { ptx: new Uint8Array(Buffer.from(`${ptx}\0`)), options }
}

/** CU_COMPUTE_ACCELERATED_TARGET_BASE: `sm_90a` is this plus 90. */
const accelerated = 0x10000

/** CUjit_target of a text for one architecture only (`sm_90a`); null: whatever the device is. */
function targetCode(ptx: string): number | null {
  const match = /^\s*\.target\s+sm_(\d+)a\b/m.exec(ptx)
  return match === null ? null : accelerated + Number(match[1])
}

/** The error for PTX that the driver refuses. */
function refused(result: number, ptx: string, context: CudaContext, log: string): DeviceError | CompilerError {
  const said = log.trim() === '' ? '' : `:\n${log.trim()}`
  const { fix } = explainResult(result)
  if (result === results.unsupportedPtxVersion) {
    const needed = /^\s*\.version\s+([\d.]+)/m.exec(ptx)?.[1] ?? '?'
    return new DeviceError(
      `${context.name}: the driver (CUDA ${cudaVersion(context.driver.version)}) is too old for PTX ${needed}, ` +
        `which the code needs${cudaOfPtx(needed)}`,
      { fix },
    )
  }
  if (result === results.noBinaryForGpu) {
    const target = /^\s*\.target\s+(\w+)/m.exec(ptx)?.[1] ?? '?'
    return new DeviceError(
      `${context.name}: code for ${target} does not run on this device, which has compute capability ` +
        capability(context),
      { fix },
    )
  }
  if (result === results.invalidPtx) {
    if (/register allocation failed/i.test(log)) {
      const { fix: smaller } = explainResult(results.launchOutOfResources)
      return new OutOfResources(`${context.name}: a kernel needs more registers than the device has${said}`, {
        fix: smaller,
      })
    }
    return new CompilerError(`${context.name}: the driver's assembler refuses the PTX${said}`, { fix })
  }
  const error = context.error(result, 'assembling PTX')
  return said === '' ? error : new CompilerError(`${error.what} (${resultName(result)})${said}`, { cause: error })
}

/** The first CUDA version that knows a PTX version of the 8 series; in others the minor numbers agree. */
const cudaOfPtx8 = ['12.0', '12.1', '12.2', '12.3', '12.4', '12.5', '12.7', '12.8', '12.9']

/** PTX 7.n came with CUDA 11.n, PTX 9.n with 13.n. */
function cudaOfPtx(ptx: string): string {
  const [major = 0, minor = 0] = ptx.split('.').map(Number)
  const cuda = major === 8 ? cudaOfPtx8[minor] : `${major + 4}.${minor}`
  return cuda === undefined || Number.isNaN(major + minor) ? '' : ` (CUDA ${cuda} or newer)`
}

/** CUdevice_attribute */
const capabilities = { major: 75, minor: 76 } as const

/** '9.0' */
function capability(context: CudaContext): string {
  const read = (attribute: number): number => {
    const { driver, device, out } = context
    context.check(driver.call.cuDeviceGetAttribute(out.address, attribute, device), 'asking for facts of the device')
    return out.getInt32(0)
  }
  return `${read(capabilities.major)}.${read(capabilities.minor)}`
}

/** Lengths (4 bytes each, after their count), then the log and the modules. */
function encode(cubins: readonly Uint8Array[], log: string): Uint8Array {
  const parts = [Buffer.from(log), ...cubins]
  const head = Buffer.alloc(4 * (parts.length + 1))
  for (const [i, length] of [parts.length, ...parts.map(part => part.length)].entries())
    head.writeUInt32LE(length, 4 * i)
  return Buffer.concat([head, ...parts])
}

/** The machine code and the log in a cache entry: a count, the lengths, then the parts. */
function decode(bytes: Uint8Array): Pick<Assembled, 'cubins' | 'log'> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const count = buffer.readUInt32LE(0)
  let at = 4 * (count + 1)
  const parts = Array.from({ length: count }, (_, i) => {
    const start = at
    at += buffer.readUInt32LE(4 * (i + 1))
    return buffer.subarray(start, at)
  })
  if (at !== buffer.length) throw new InternalError(`a cached module holds ${buffer.length} of ${at} bytes`)
  const [log, ...cubins] = parts
  return { cubins, log: log!.toString('utf8') }
}
