/**
 * PTX to machine code by the driver's own assembler, kept in the disk cache: assembling takes tens of milliseconds to
 * seconds, loading machine code well under one.
 */
import { contentHash } from '../../base/canonical.js'
import { CompilerError, DeviceError, InternalError } from '../../base/errors.js'
import { version } from '../../base/version.js'
import type { DiskCache } from '../../cache/disk-cache.js'
import { bytesAt, NativeWords, textAt } from '../native.js'
import { relaxed } from './capture-mode.js'
import type { CudaContext } from './context.js'
import { cudaVersion } from './driver.js'
import { explainResult, resultName, results } from './results.js'

/** CUjit_option */
const jit = {
  infoLog: 3,
  infoLogBytes: 4,
  errorLog: 5,
  errorLogBytes: 6,
  target: 9,
  verbose: 12,
  lineInfo: 13,
} as const
/** CUjitInputType */
const ptxInput = 1
const logBytes = 256 * 1024

export interface Assembled {
  readonly cubin: Uint8Array
  /** The assembler's messages. */
  readonly log: string
}

/** Changes when an entry's format or our use of the assembler does. */
const format = 'cubin 1'

/**
 * Machine code of a PTX text for a device, from the cache or the driver's assembler. Throws DeviceError when the driver
 * is too old for the text or the text is for another GPU, CompilerError when the assembler refuses it.
 */
export function assemble(ptx: string, context: CudaContext, cache: DiskCache): Assembled {
  const key = contentHash([format, version, ptx, `${context.driver.version}`, `${capability(context)}`])
  const known = cache.get(key)
  if (known !== null) return decode(known)
  const assembled = relaxed(context, () => assembleNow(ptx, context))
  cache.put(key, encode(assembled))
  return assembled
}

function assembleNow(ptx: string, context: CudaContext): Assembled {
  const call = context.enter()
  const { out } = context
  const logs = { info: new NativeWords(logBytes / 8), error: new NativeWords(logBytes / 8) }
  const options = linkOptions(ptx, logs.info, logs.error)
  const check = (result: number): void => {
    if (result === results.success) return
    throw refused(result, ptx, context, textAt(logs.error.address))
  }
  check(call.cuLinkCreate(options.count, options.names.address, options.values.address, out.address))
  const state = out.get(0)
  try {
    const text = Buffer.from(`${ptx}\0`)
    const image = new NativeWords(Math.ceil(text.length / 8))
    new Uint8Array(image.buffer).set(text)
    check(call.cuLinkAddData(state, ptxInput, image.address, text.length, 'tegula.ptx', 0, 0, 0))
    check(call.cuLinkComplete(state, out.address, out.addressOf(1)))
    // The linker owns the code: it goes with the state.
    const cubin = bytesAt(out.get(0), out.get(1))
    return { cubin, log: textAt(logs.info.address) }
  } finally {
    call.cuLinkDestroy(state)
  }
}

function linkOptions(
  ptx: string,
  info: NativeWords,
  error: NativeWords,
): { count: number; names: NativeWords; values: NativeWords } {
  const options: [number, number][] = [
    [jit.infoLog, info.address],
    [jit.infoLogBytes, logBytes],
    [jit.errorLog, error.address],
    [jit.errorLogBytes, logBytes],
    [jit.verbose, 1],
  ]
  if (/\.loc\s/.test(ptx)) options.push([jit.lineInfo, 1])
  const target = targetCode(ptx)
  if (target !== null) options.push([jit.target, target])
  const names = new NativeWords(options.length)
  const values = new NativeWords(options.length)
  const codes = new Uint32Array(names.buffer)
  options.forEach(([name, value], i) => {
    codes[i] = name
    values.set(i, value)
  })
  return { count: options.length, names, values }
}

/** CU_COMPUTE_ACCELERATED_TARGET_BASE: `sm_90a` is this plus 90. */
const accelerated = 0x10000

/** CUjit_target of a text for one architecture only (`sm_90a`); null: whatever the device is. */
function targetCode(ptx: string): number | null {
  const match = /^\s*\.target\s+sm_(\d+)a\b/m.exec(ptx)
  return match === null ? null : accelerated + Number(match[1])
}

function refused(result: number, ptx: string, context: CudaContext, log: string): DeviceError | CompilerError {
  const said = log.trim() === '' ? '' : `:\n${log.trim()}`
  if (result === results.unsupportedPtxVersion) {
    const needed = /^\s*\.version\s+([\d.]+)/m.exec(ptx)?.[1] ?? '?'
    return new DeviceError(
      `${context.name}: the driver (CUDA ${cudaVersion(context.driver.version)}) is too old for PTX ${needed}, which the ` +
        `code needs${cudaOfPtx(needed)}`,
      { fix: 'update the NVIDIA driver' },
    )
  }
  if (result === results.noBinaryForGpu) {
    const target = /^\s*\.target\s+(\w+)/m.exec(ptx)?.[1] ?? '?'
    return new DeviceError(
      `${context.name}: code for ${target} does not run on this device, which has compute capability ${capability(context)}`,
      { fix: explainResult(result).fix },
    )
  }
  if (result === results.invalidPtx) {
    return new CompilerError(`${context.name}: the driver's assembler refuses the PTX${said}`, {
      fix: explainResult(result).fix,
    })
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

const capabilities = { major: 75, minor: 76 } as const

function capability(context: CudaContext): string {
  const read = (attribute: number): number => {
    const { driver, device, out } = context
    context.check(driver.call.cuDeviceGetAttribute(out.address, attribute, device), 'asking for facts of the device')
    return out.getInt32(0)
  }
  return `${read(capabilities.major)}.${read(capabilities.minor)}`
}

/** The length of the log in 4 bytes, the log, the code. */
function encode({ cubin, log }: Assembled): Uint8Array {
  const text = Buffer.from(log)
  const length = Buffer.alloc(4)
  length.writeUInt32LE(text.length)
  return Buffer.concat([length, text, cubin])
}

function decode(bytes: Uint8Array): Assembled {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const end = 4 + buffer.readUInt32LE(0)
  if (end > buffer.length) throw new InternalError('a cached cubin is shorter than its log')
  return { cubin: buffer.subarray(end), log: buffer.toString('utf8', 4, end) }
}
