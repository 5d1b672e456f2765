/**
 * Assembles PTX to machine code with the driver's assembler, through the disk cache: assembling takes tens of milliseconds
 * to seconds, loading machine code far less than one.
 */
import { contentHash } from '../../base/canonical.js'
import { CompilerError, DeviceError, InternalError } from '../../base/errors.js'
import { span } from '../../base/spans.js'
import { plural } from '../../base/units.js'
import { version } from '../../base/version.js'
import type { DiskCache } from '../../cache/disk-cache.js'
import { addressOf, bytesAt } from '../native.js'
import { timeoutFix } from '../time-limit.js'
import { type AssemblerPool, AssemblerTimeout, type Assembly } from './assembler-pool.js'
import { relaxed } from './capture-mode.js'
import { type CudaContext, OutOfResources } from './context.js'
import { cudaVersion } from './driver.js'
import { type LinkAnswer, type LinkRequest, link } from './link.js'
import { explainResult, resultName, results } from './results.js'

/** CUjit_option */
const jit = { target: 9, verbose: 12, lineInfo: 13 } as const

export interface Assembled {
  /** Modules that hold the text's kernels among them: one for each, in their order, or one of all. */
  readonly cubins: readonly Uint8Array[]
  /** The assembler's messages. */
  readonly log: string
  /** In the order of the text. */
  readonly kernels: readonly TextKernel[]
}

export interface TextKernel {
  readonly name: string
  /** It contains `griddepcontrol.wait`, which the emitter puts before the first memory access. */
  readonly waits: boolean
}

/** Changes with the entry format and with how we call the assembler. */
const format = 'cubin 3'
/** Smaller texts are assembled on the calling thread, since starting workers takes longer. */
const worthWorkers = 48 * 1024
/** How many kernels are kept that were assembled ahead for a text that never came. */
const mostAhead = 1024

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
  /** By their own text: kernels of texts that have not been asked for yet. */
  readonly #ahead = new Map<string, Assembly>()

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
    return span('phase', 'assembler', () => this.#assembled(ptx))
  }

  #assembled(ptx: string): Assembled {
    const key = this.#key(ptx)
    const known = this.#recall(key, ptx)
    if (known !== null) return known
    const started = performance.now()
    const parts = ptx.length < worthWorkers ? [ptx] : splitKernels(ptx)
    const answers = parts.length === 1 ? null : this.#withTimeoutError(ptx, () => this.#pool.finish(this.#start(parts)))
    return this.#keep(key, ptx, started, isWhole(answers) ? answers : parts.map(part => this.#here(part)))
  }

  /** As `assemble`, without blocking the event loop while the assembler works. */
  async assembleAsync(ptx: string): Promise<Assembled> {
    return span('phase', 'assembler', () => this.#assembledAsync(ptx))
  }

  async #assembledAsync(ptx: string): Promise<Assembled> {
    const key = this.#key(ptx)
    const known = this.#recall(key, ptx)
    if (known !== null) return known
    const started = performance.now()
    const parts = splitKernels(ptx)
    const answers = await this.#pool
      .finishAsync(this.#start(parts))
      .catch((error: unknown) => this.#withTimeoutError(ptx, () => raise(error)))
    return this.#keep(key, ptx, started, isWhole(answers) ? answers : parts.map(part => this.#here(part)))
  }

  /**
   * For one text: takes its kernels, each as a text of its own, while the others are generated. They are assembled in the
   * background once that is worth it.
   */
  ahead(): (ptx: string) => void {
    const held: string[] = []
    let isMany = false
    return ptx => {
      held.push(ptx)
      isMany ||= held.length > 1 && held.reduce((sum, { length }) => sum + length, 0) >= worthWorkers
      if (isMany) for (const text of held.splice(0)) this.#startAhead(text)
    }
  }

  #startAhead(ptx: string): void {
    const kernel = firstKernel(ptx)
    if (this.#ahead.has(kernel)) return
    const [oldest] = this.#ahead.keys()
    if (this.#ahead.size >= mostAhead) this.#ahead.delete(oldest!)
    this.#ahead.set(kernel, this.#pool.start(requestFor(ptx)))
  }

  /** Starts those that were not started ahead, the longest ones first. */
  #start(parts: readonly string[]): readonly Assembly[] {
    const started = new Map<string, Assembly>()
    for (const part of [...parts].sort((a, b) => b.length - a.length)) {
      const kernel = firstKernel(part)
      started.set(part, this.#ahead.get(kernel) ?? this.#pool.start(requestFor(part)))
      this.#ahead.delete(kernel)
    }
    return parts.map(part => started.get(part)!)
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
      this.#ahead.clear() // their workers were abandoned
      const names = kernelsIn(ptx).map(({ name }) => name)
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
    return { ...decode(known), kernels: kernelsIn(ptx) }
  }

  #key(ptx: string): string {
    const { driver } = this.#context
    return contentHash([format, version, ptx, `${driver.version}`, capability(this.#context)])
  }

  #here(ptx: string): LinkAnswer {
    const call = this.#context.enter()
    return relaxed(this.#context, () => link({ ...call, addressOf, bytesAt }, requestFor(ptx)))
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
    return { cubins, log, kernels: kernelsIn(ptx) }
  }
}

function raise(error: unknown): never {
  throw error
}

/** A worker that could not even start answers with a result that no driver returns; then this thread assembles. */
const isWhole = (answers: readonly LinkAnswer[] | null): answers is readonly LinkAnswer[] =>
  answers?.every(({ result }) => result >= 0) ?? false

/** With the comment above it. */
const entryStart = /^(?:\/\/.*\n)*(?:\.visible\s+)?\.entry\s/gm

const startsIn = (ptx: string): readonly number[] => [...ptx.matchAll(entryStart)].map(({ index }) => index)

/** Splits a text into one for each kernel, with everything before the first kernel. */
export function splitKernels(ptx: string): readonly string[] {
  const starts = startsIn(ptx)
  if (starts.length < 2) return [ptx]
  const header = ptx.slice(0, starts[0])
  return starts.map((start, i) => header + ptx.slice(start, starts[i + 1]))
}

/** The text without what precedes its kernel. */
const firstKernel = (ptx: string): string => ptx.slice(startsIn(ptx)[0]).trimEnd()

const kernelsIn = (ptx: string): readonly TextKernel[] =>
  startsIn(ptx).map((start, i, starts) => {
    const kernel = ptx.slice(start, starts[i + 1])
    const [, name = ''] = /\.entry\s+(\w+)/.exec(kernel) ?? []
    return { name, waits: kernel.includes('griddepcontrol.wait') }
  })

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
